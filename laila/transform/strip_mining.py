"""Strip-mines loops over independent cells: several cells at a time, each array with an axis of lanes.

Note [Strips]
    In `for cell < n { x = f(cell); MAP a[i] = g(i,x) over i < 3; … }` each cell has loops that are too short
    for lanes, or none. In strips of W cells every statement is done for all of them before the next one,

        for strip < n÷W {
            MAP x[lane] = f(W×strip + lane) over lane < W
            MAP a[W×i + lane] = g(i,x[lane]) over i < 3, lane < W
            …
        }
        for cell from W×(n÷W) to n { … }

    so that the innermost loops are straight, over neighbours in memory, and fill vectors. What is the same
    for all cells stays as it is. A check of one cell becomes the search for the first lane where it fails.
    The cells that are left over take the plain loop: no lane computes what nobody wants.

    Of cells along several axes those of a row, along the last one, are side by side.

    The order of statements changes between cells, so these must be independent: what is written outside of
    the loop belongs to one cell each, and is not read. Which way the statements go must be the same for all.

    This pays where the loops of one cell are short, and its arrays small: W of each must fit the first cache.
    Of extents that only the run tells, the run decides.
    This is done before fusion, so that the maps over lanes share loops and hand elements over in registers,
    and after ranges are known, which tell how narrow the arrays can be.

What is done for the lanes of one statement, and that folds accumulate in lanes, is decided in
`outer_loop_vectorize`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Empty,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Program,
    Space,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.ranges import Ranges, storage_for
from aplc.laila.ir.scalar import (
    QUOT,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Select,
    Site,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.strides import wants_inner
from aplc.laila.ir.substitute import BoundedFolds, Renaming, Substitute
from aplc.laila.lowering.pull import from_index, weigh
from aplc.laila.lowering.scalars import neutral
from aplc.laila.transform.divergence import Varying, varying
from aplc.laila.transform.fusion.row_cells import a_row, as_cells, from_copies, over_rows
from aplc.laila.transform.register_tiling import most_gathered
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.types import Base

LANES = 16
"""Cells of a strip: two vectors of doubles, one of 32-bit integers, for vectors of 512 bits."""

STRIP_BYTES = 1 << 15
"""Memory of a strip: the first cache."""

SHORT = 64
"""Loops with more rounds than this fill lanes by themselves; those along memory do: `most_gathered`."""

WORK = 24
"""Operations of a cell that are worth a loop of their own."""

NEAR = 64
"""Nodes of a branch among which checks of its own condition are looked for."""

USUAL = 8
"""How many rounds a loop is thought to have if only the run tells."""


def in_strips(program: Program, make: ExprBuilder, *, of_rows: bool = True) -> Program:
    """The program with loops over cells in strips, where that pays: see Note [Strips]. Loops over several
    axes have them along the last one if they may be `of_rows`.
    """
    return with_blocks(program, lambda statements: _block(statements, make, of_rows))


def _block(statements: Sequence[Statement], make: ExprBuilder, of_rows: bool) -> tuple[Statement, ...]:
    result: list[Statement] = []
    for statement in statements:
        cells = as_cells(statement, statements, make)
        if cells and (found := _worth(cells, make)):
            result += _Strips(make, cells, *found).loops()
        elif cells and of_rows and (row := a_row(cells)) and (found := _worth(row, make)):
            result.append(over_rows(cells, _Strips(make, row, *found).loops()))
        else:
            result.append(with_bodies(statement, lambda body: _block(body, make, of_rows)))
    return tuple(result)


# --- decisions ------------------------------------------------------------------------------------------


def _worth(loop: ForEach, make: ExprBuilder) -> tuple[Varying, tuple[Exp, ...], int] | None:
    """What varies from cell to cell, the extents that must be short, and how short, if a loop is to run in
    strips.
    """
    if len(loop.space.indices) != 1:
        return None
    (cell,), (extent,) = loop.space.indices, loop.space.extents
    if isinstance(extent, Const) and extent.value < LANES:
        return None
    found = varying(cell, loop.body, make)
    if found is None:
        return None
    size, work, open_extents = 0, 0, list[Exp]()
    is_straight = _is_straight(found.statements, make)
    most = most_gathered(*[e for s in found.statements for e in own_expressions(s)]) if is_straight else SHORT
    for statement in found.statements:
        rounds = 1
        for n in _extents(statement):
            if not isinstance(n, Const):
                open_extents.append(n)
                rounds *= USUAL
            elif n.value > most:
                return None
            else:
                rounds *= int(n.value)
        match statement:
            case Alloc(size=Const(value=value)):
                size += 8 * LANES * int(value)
            case Alloc(size=value):
                open_extents.append(value)
                size += 8 * LANES * most
            case HostLet(value=value) | Variable(value=value) | Assign(value=value) | Store(value=value):
                size += 8 * LANES
                work += weigh(value).cost
            case Map(body=body):
                work += rounds * weigh(body).cost
            case _:
                pass
    if extent in open_extents:  # what is long for cells is long for lanes
        return None
    if size > STRIP_BYTES or work < WORK or not found.are_known_before(open_extents):
        return None
    return found, tuple(dict.fromkeys(open_extents)), most


def _is_straight(statements: Sequence[Statement], make: ExprBuilder) -> bool:
    """Whether the work of a cell is that of loops along memory without others in them, not of its scalars."""
    free = FreeVars()
    scalars = 0
    for statement in statements:
        loops: list[tuple[Var, Exp]] = []
        match statement:
            case While() | ForEach():
                return False
            case Map(space=space, body=body):
                if len(space.indices) > 1:
                    return False
                roots = (body,)
                loops += [(i, body) for i in space.indices]
            case HostLet(value=value) | Variable(value=value) | Assign(value=value) | Store(value=value):
                roots = (value,)
                scalars += 0 if contains(Fold, value) else weigh(value).cost
            case _:
                continue
        folds = [n for n in nodes(*roots) if isinstance(n, Fold)]
        is_product = bool(loops) and any(wants_inner(make, free, fold, loops[-1][0]) for fold in folds)
        loops += [(n.var, n.body) for n in folds]
        if not is_product and not all(_is_along(index, body, make, free) for index, body in loops):
            return False
    return scalars < WORK


def _is_along(index: Var, body: Exp, make: ExprBuilder, free: FreeVars) -> bool:
    """Whether what a loop does for an index reads neighbours in memory, and has no loop of its own."""
    for node in nodes(body):
        if index not in free.of(node):
            continue
        if isinstance(node, Fold):
            return False
        if isinstance(node, Read) and abs(make.linear(node.index)[1].get(index, 0)) != 1:
            return False
    return True


def _extents(statement: Statement) -> list[Exp]:
    """The extents of the loops of one statement: along the innermost axis of a map, and of its folds."""
    match statement:
        case Map(space=space, body=body):
            roots: tuple[Exp, ...] = (body,)
            extents = list(space.extents)
        case HostLet(value=value) | Variable(value=value) | Assign(value=value) | Store(value=value):
            roots, extents = (value,), []
        case _:
            return []
    return [*extents, *[n.extent for n in nodes(*roots) if isinstance(n, Fold)]]


# --- loops ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Wide:
    """What stands for the variables and buffers that vary: buffers with an axis of lanes."""

    first: Exp
    """The first cell of the strip."""
    cell: str
    scalars: dict[str, Buffer]
    buffers: dict[Buffer, Buffer]


class _InLane(Substitute):
    """Rebuilds expressions of one cell for a lane."""

    def __init__(self, make: ExprBuilder, wide: _Wide, lane: Exp) -> None:
        super().__init__(make, {})
        self.wide, self.lane = wide, lane

    def _rebuild(self, node: Exp) -> Exp:
        make, wide = self.make, self.wide
        match node:
            case Var(name=name) if name == wide.cell:
                return make.add(wide.first, self.lane)
            case Var(name=name) if name in wide.scalars:
                return make.read(wide.scalars[name], self.lane)
            case Read(buffer=buffer, index=index) if buffer in wide.buffers:
                return make.read(wide.buffers[buffer], self.place(self.done[id(index)]))
            case Call(op=p.I2D, args=(Call(),)):
                return self.real(super()._rebuild(node))
            case Select(cond=cond):
                return self.without_known(self.done[id(cond)], super()._rebuild(node))
            case _:
                return super()._rebuild(node)

    def real(self, exp: Exp) -> Exp:
        """A condition or a sign as a double: choices between doubles. C compilers find no lanes for the
        detour through integers.
        """
        make = self.make
        if not isinstance(exp, Call) or exp.op is not p.I2D or not isinstance(exp.args[0], Call):
            return exp
        of = exp.args[0]
        one, zero = make.const(1.0), make.const(0.0)
        if of.op is p.B2I:
            return make.select(of.args[0], one, zero)
        if of.op is p.SIGND:
            above, below = [make.call(less, of.args[0], zero) for less in (p.GTD, p.LTD)]
            return make.call(p.SUBD, make.select(above, one, zero), make.select(below, one, zero))
        return exp

    def without_known(self, cond: Exp, exp: Exp) -> Exp:
        """A conditional expression without checks of its own condition in the branch where that holds."""
        if not isinstance(exp, Select) or exp.cond is not cond:
            return exp
        if not any(isinstance(n, Check) and n.ok is cond for n in islice(nodes(exp.then), NEAR)):
            return exp
        return self.make.select(cond, Substitute(self.make, {cond: self.make.true})(exp.then), exp.other)

    def place(self, position: Exp) -> Exp:
        """The position of an element of the lane."""
        return self.make.add(self.make.mul(self.make.const(LANES), position), self.lane)


class _Strips:
    """One loop over cells."""

    def __init__(
        self, make: ExprBuilder, loop: ForEach, found: Varying, short: tuple[Exp, ...], most: int
    ) -> None:
        self.make, self.loop, self.found, self.short, self.most = make, loop, found, short, most
        (self.cell,), (self.extent,) = loop.space.indices, loop.space.extents
        self.ranges = Ranges(is_single=make.settings.is_single)
        self.free = FreeVars()
        self.site = Site(faults.NO_MEMORY, "", None)
        first = make.between("first", (make.zero,), (make.sub(self.extent, make.const(LANES)),))
        self.first = first
        buffers = {b: self.widened(b) for b in found.buffers}
        self.wide = _Wide(first, self.cell.name, {}, buffers)
        checks = [s.ok for s in within(loop.body) if isinstance(s, HostCheck)]
        self.checked = {var.name for ok in checks for var in self.free.of(ok)}
        self.before: list[Statement] = []
        """Sums in lanes begin."""
        self.after: list[Statement] = []
        """They are added up."""

    def loops(self) -> list[Statement]:
        """The strips, and the cells that are left."""
        make = self.make
        lanes = make.const(LANES)
        cells = make.call(p.MAXI, self.extent, make.zero)
        whole: Exp = make.call(QUOT, cells, lanes)
        are_short: Exp = make.true
        for n in self.short:
            are_short = make.call(p.ANDB, are_short, make.call(p.LTEI, n, make.const(self.most)))
        whole = make.select(are_short, whole, make.zero)
        result: list[Statement] = []
        if not isinstance(whole, Const):
            strips = Var(make.fresh("strips"), Base.INT, True, (make.zero,))
            result.append(HostLet(strips, whole))
            whole = strips
        strip = make.index("strip", whole)
        bounded = {n: make.between("short", (n,), (n, make.const(self.most))) for n in self.short}
        lengths = [HostLet(var, n) for n, var in bounded.items()]
        of_copies = from_copies(self.loop.body, make)
        cells_of_strip = tuple([rebuilt(s, BoundedFolds(make, bounded)) for s in of_copies])
        body = (HostLet(self.first, make.mul(lanes, strip)), *self.sequence(cells_of_strip))
        loop = replace(self.loop, space=Space((strip,), (whole,)), body=body)
        inside: list[Statement] = [*lengths, *self.before, loop, *self.after]
        if self.short or self.before:
            inside = [If(make.call(p.LTI, make.zero, whole), tuple(inside))]
        result += inside
        done = make.mul(lanes, whole)
        left = make.sub(self.extent, done)
        if left is not make.zero:
            index = make.index(self.cell.name, left)
            plain = Renaming(make, {self.cell.name: make.add(done, index)})
            rest = tuple([rebuilt(s, plain) for s in self.loop.body])
            result.append(replace(self.loop, space=Space((index,), (left,)), body=rest))
        return result

    def widened(self, buffer: Buffer) -> Buffer:
        """A buffer with an axis of lanes."""
        lows, highs = [tuple(filter(self.is_same, bounds)) for bounds in (buffer.lows, buffer.highs)]
        return replace(buffer, name=self.make.fresh(buffer.name), lows=lows, highs=highs)

    def is_same(self, exp: Exp) -> bool:
        """Whether an expression is the same for all cells."""
        return not self.found.varies(exp)

    def lane(self) -> tuple[Var, Space, _InLane]:
        """A lane, the space of all, and expressions in it."""
        count = self.make.const(LANES)
        lane = self.make.index("lane", count)
        return lane, Space((lane,), (count,)), _InLane(self.make, self.wide, lane)

    def sequence(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements for all lanes; the arrays of scalars end with them."""
        result: list[Statement] = []
        begun: list[Buffer] = []
        for statement in statements:
            new = self.statement(statement)
            if isinstance(statement, HostLet | Variable):
                begun += [s.buffer for s in new if isinstance(s, Alloc)]
            result += new
        return (*result, *[Free(b) for b in begun])

    def statement(self, statement: Statement) -> list[Statement]:
        """A statement for all lanes."""
        new = self.wide.buffers
        match statement:
            case If() | While() | ForEach():
                return [with_bodies(statement, self.sequence)]
            case Move(target=target, source=source):
                return [Move(new.get(target, target), new.get(source, source))]
            case Swap(first=first, second=second):
                return [Swap(new.get(first, first), new.get(second, second))]
            case Empty(buffer=buffer) | Free(buffer=buffer):
                return [replace(statement, buffer=new.get(buffer, buffer))]
            case Alloc(buffer=buffer, size=size) if buffer in new:
                many = self.make.mul(self.make.const(LANES), size)
                return [replace(statement, buffer=new[buffer], size=many)]
            case _ if not self.found.is_varying(statement):
                return [statement]
            case HostLet(var=var, value=value) | Variable(var=var, value=value):
                return self.scalar(var, value, isinstance(statement, Variable))
            case Assign(var=var, value=value):
                lane, space, inside = self.lane()
                return [Map(self.wide.scalars[var.name], space, lane, inside(value))]
            case HostCheck():
                return self.check(statement)
            case Map(buffer=buffer) | Store(buffer=buffer) if buffer in self.found.sums:
                return self.sum(statement, *self.found.sums[buffer])
            case Store(buffer=buffer, position=position, value=value):
                return self.map(Map(buffer, Space((), ()), position, value))
            case Map():
                return self.map(statement)
            case _:
                raise AssertionError(statement)

    def scalar(self, var: Var, value: Exp, changes: bool) -> list[Statement]:
        """A scalar for each lane."""
        make = self.make
        lane, space, inside = self.lane()
        body = inside(value)
        storage, values = var.ty.dtype, None
        if var.ty is Base.INT and not changes:
            interval = self.ranges.integers(body)
            for node in nodes(body):  # a fold may accumulate in the buffer
                if isinstance(node, Fold) and node.ty is Base.INT:
                    interval = interval.hull(self.ranges.integers(node))
            storage = storage_for(interval, 32)
            if interval.low > -(2**63) and interval.high < 2**63 - 1:
                values = (int(interval.low), int(interval.high))
        is_checked = var.name in self.checked  # what is known of it may hold only behind that
        bounds = ((), ()) if is_checked else (var.lows, var.highs)
        lows, highs = [tuple(filter(self.is_same, each)) for each in bounds]
        buffer = Buffer(make.fresh(var.name), var.ty, storage, lows=lows, highs=highs, values=values)
        self.wide.scalars[var.name] = buffer
        written = self.decided(Map(buffer, space, lane, body))
        return [Alloc(buffer, make.const(LANES), self.site), *written]

    def map(self, statement: Map) -> list[Statement]:
        """A map over its space and the lanes."""
        lane, space, inside = self.lane()
        old = statement.space
        both = Space((*old.indices, lane), (*old.extents, *space.extents))
        buffer = self.wide.buffers.get(statement.buffer)
        position = inside(statement.position)
        if buffer is not None:
            position = inside.place(position)
        guard = None if statement.guard is None else inside(statement.guard)
        target = statement.buffer if buffer is None else buffer
        wide = replace(
            statement, buffer=target, space=both, position=position, body=inside(statement.body), guard=guard
        )
        return self.decided(wide)

    def sum(self, statement: Map | Store, op: p.Prim, operand: Exp) -> list[Statement]:
        """What is added up over the cells: in each lane, and behind the strips over the lanes."""
        make, lanes = self.make, self.make.const(LANES)
        old = statement.space if isinstance(statement, Map) else Space((), ())
        lane, space, inside = self.lane()
        both = Space((*old.indices, lane), (*old.extents, *space.extents))
        ty, size = statement.buffer.ty, make.mul(lanes, make.product(old.extents))
        sums = Buffer(make.fresh(statement.buffer.name), ty, ty.dtype)
        place = from_index(make, both.extents, both.indices)
        start = make.index("i", size)
        self.before += [
            Alloc(sums, size, self.site),
            Map(sums, Space((start,), (size,)), start, neutral(make, op)),
        ]
        total = make.fold(op, lane, lanes, make.read(sums, place), None)
        body = make.call(op, make.read(statement.buffer, statement.position), total)
        end: Statement = Store(statement.buffer, statement.position, body)
        if old.indices:
            end = Map(statement.buffer, old, statement.position, body)
        self.after += [end, Free(sums)]
        return [Map(sums, both, place, make.call(op, make.read(sums, place), inside(operand)))]

    def decided(self, wide: Map) -> list[Statement]:
        """A map once for each outcome of a condition that is the same for all lanes and decides whether there
        is a fold: folds that are certain run in lanes.
        """
        hidden = {v.name for v in wide.space.indices} | {self.first.name} | self.found.bound
        folding: set[int] = set()
        for node in nodes(wide.body):
            if isinstance(node, Fold) or any(id(o) in folding for o in operands(node)):
                folding.add(id(node))
            if not isinstance(node, Select) or folding.isdisjoint((id(node.then), id(node.other))):
                continue
            cond = node.cond
            is_known = not hidden & {v.name for v in self.free.of(cond)} and not weigh(cond).may_fail
            if is_known and not contains(Read | Fold, cond):
                sides: list[tuple[Statement, ...]] = []
                for holds in (True, False):
                    change = Substitute(self.make, {cond: self.make.const(holds)})
                    sides.append((replace(wide, body=change(wide.body)),))
                return [If(cond, sides[0], sides[1])]
        return [wide]

    def check(self, statement: HostCheck) -> list[Statement]:
        """A check of all lanes: the error is that of the first one that fails."""
        make = self.make
        lanes = make.const(LANES)
        lane, _, inside = self.lane()
        failing = Var(make.fresh("failing"), Base.INT)
        search = make.fold(p.MINI, lane, lanes, make.select(inside(statement.ok), lanes, lane), None)
        one = _InLane(make, self.wide, make.call(p.MINI, failing, make.const(LANES - 1)))
        reported = tuple([one(r) for r in statement.reported])
        ok = make.call(p.EQI, failing, lanes)
        return [HostLet(failing, search), HostCheck(ok, statement.site, reported)]
