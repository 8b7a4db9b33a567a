"""Kernels whose work-items work in groups: what a group combines in its memory, and the tiles that
it fills there.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.backends.c.emit import Emitter
from aplc.backends.c.expressions import UNARY
from aplc.backends.c.types import C_TYPES, STORAGE_TYPES, stored
from aplc.laila.devices.device_mapping import GROUP
from aplc.laila.devices.kernels import TALL, TILE, Join, Kernel, Stage, Steps
from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Call, Var

BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"
"""Until here all work-items of a group have come."""


class Groups(Emitter):
    """The lines of such kernels."""

    def staged(self, stage: Stage, code: l.Code, end: l.Code, between: Sequence[l.Code]) -> None:
        """Tile by tile: those that a group has are filled, and used."""
        for tile in stage.tiles:
            element, size = STORAGE_TYPES[tile.storage], TILE * (TILE + 1)
            self.line(f"local {element} {self.declare(tile.name)}[{size}];")
        rows, columns = [self.printer.text(extent, UNARY) for extent in stage.extents]
        row, column = self.declare(stage.first_row.name), self.declare(stage.first_column.name)
        along, across = self.declare(stage.along.name), self.declare(stage.across.name)
        self.line(f"const int64_t {along} = get_local_id(0);")
        for axis, first, extent in ((1, row, rows), (0, column, columns)):
            start, step = f"{TILE} * get_group_id({axis})", f"{TILE} * get_num_groups({axis})"
            self.head(f"for (int64_t {first} = {start}; {first} < {extent}; {first} += {step}) {{")
        if stage.steps is None:
            for statements, (r, c) in ((code.statements, (along, across)), (end.statements, (across, along))):
                self.each_line(
                    across, f"if (({row} + {r} < {rows}) & ({column} + {c} < {columns}))", statements
                )
                self.line(BARRIER)
        else:
            self.line(f"const int64_t {across} = get_local_id(1);")
            self.in_blocks(stage.steps, code, between)
            self.statements(end.statements)
        for _ in range(2):
            self.foot()

    def in_blocks(self, steps: Steps, code: l.Code, between: Sequence[l.Code]) -> None:
        """The tiles of one block of steps after the other: they are filled, and taken in."""
        start, use = between
        self.statements(start.statements)
        first, line = self.declare(steps.first.name), self.declare(steps.line.name)
        extent = self.printer.text(steps.extent, UNARY)
        self.head(f"for (int64_t {first} = 0; {first} < {extent}; {first} += {TILE}) {{")
        self.each_line(line, "", code.statements)
        self.line(BARRIER)
        self.statements(use.statements)
        self.line(BARRIER)
        self.foot()

    def each_line(self, line: str, test: str, statements: Sequence[l.Stm]) -> None:
        """Statements for the lines of a tile that a work-item does, where a test holds, if there is one."""
        self.head(f"for (int64_t {line} = get_local_id(1); {line} < {TILE}; {line} += {TALL}) {{")
        if test:
            self.block(test, tuple(statements))
        else:
            self.statements(statements)
        self.foot()

    def statements(self, statements: Sequence[l.Stm]) -> None:
        """Statements in order."""
        for statement in statements:
            self.statement(statement)

    def head(self, text: str) -> None:
        """Begin a block."""
        self.line(text)
        self.open()
        self.level += 1

    def foot(self) -> None:
        """End it."""
        self.level -= 1
        self.close()
        self.line("}")

    def joined(self, kernel: Kernel, end: l.Code) -> None:
        """What groups combine, and what their first work-items make of it."""
        if not kernel.joins:
            return
        trees = [self.join(join) for join in kernel.joins]
        self.line("if (get_local_id(0) == 0) {")
        self.open()
        self.level += 1
        for join, tree in zip(kernel.joins, trees, strict=True):
            if join.partial is not None:
                self.line(f"{self.spell(join.partial)}[get_group_id(0)] = {tree}[0];")
            if join.total is not None:
                self.line(f"const {C_TYPES[join.value.ty]} {self.declare(join.total.name)} = {tree}[0];")
        for statement in end.statements:
            self.statement(statement)
        self.level -= 1
        self.close()
        self.line("}")

    def join(self, join: Join) -> str:
        """The values of a group combined two by two in its memory, whose name is given."""
        tree, lane, half = self.declare("tree"), self.declare("lane"), self.declare("distance")
        ty = C_TYPES[join.value.ty]
        x, y = [
            Var(f"{name}:", join.value.ty) for name in ("mine", "other")
        ]  # no other variable is called so
        self.line(f"local {stored(join.value.ty)} {tree}[{GROUP}];")
        self.line(f"const int64_t {lane} = get_local_id(0);")
        self.line(f"{tree}[{lane}] = {self.spell(join.value)};")
        self.line(f"for (int64_t {half} = {GROUP // 2}; {half} > 0; {half} /= 2) {{")
        self.open()
        mine, other = self.declare(x.name), self.declare(y.name)
        self.line("    barrier(CLK_LOCAL_MEM_FENCE);")
        self.line(f"    if ({lane} < {half}) {{")
        self.line(f"        const {ty} {mine} = {tree}[{lane}];")
        self.line(f"        const {ty} {other} = {tree}[{lane} + {half}];")
        self.line(f"        {tree}[{lane}] = {self.text(Call(join.combine, (x, y), join.value.ty))};")
        self.line("    }")
        self.close()
        self.line("}")
        return tree
