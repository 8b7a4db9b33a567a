"""OpenCL C from kernels: pure, kernels in, a text out.

A kernel is the loops of its statements, as C has them, for the chunk of one work-item. A check that fails
ends the work-item and leaves a mark in `failed`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace

from aplc.backends.c.emit import SIMD_OPERATORS
from aplc.backends.c.expressions import COMPOUND, UNARY, print_constant
from aplc.backends.c.known_lanes import MOST_LANES
from aplc.backends.c.types import C_TYPES, STORAGE_TYPES, stored
from aplc.backends.opencl.batches import Batches
from aplc.backends.opencl.expressions import ClPrinter
from aplc.backends.opencl.launches import ClProgram, launch_of
from aplc.backends.opencl.library import helpers, in_opencl, with_floats
from aplc.backends.opencl.lines import in_short_lines
from aplc.backends.opencl.vectors import (
    WIDE_LANES,
    NotVector,
    Vectors,
    expressions_of,
    is_straight,
    is_worth_it,
    is_worth_wide,
)
from aplc.laila.devices.device_mapping import Division
from aplc.laila.devices.kernels import Kernel, Own
from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import Statement
from aplc.laila.ir.scalar import (
    MULTIPLY_ADD,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Read,
    Site,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.generate import of_kernel
from aplc.laila.loops.loop_options import IN_ONE, STREAMING
from aplc.tail import prims as p
from aplc.tail.faults import NO_MEMORY
from aplc.tail.types import Base

# fmt: off
WORDS = frozenset((
    "kernel", "global", "local", "private", "constant", "half", "uniform", "pipe", "generic", "uchar",
    "ushort", "uint", "ulong", "size_t", "event_t", "sampler_t", "failed", "max", "min", "fmax", "fmin",
    "fma", "mad",
    "select", "as_long", "isinf", "isnan", "mul_hi", "get_global_id", "LONG_MIN", "read_only", "write_only",
    "barrier", "get_local_id", "get_group_id", "get_num_groups",
    "read_write", "quad", "complex", "imaginary", "image2d_t", "abs", "clamp", "mix", "step",
))
# fmt: on
"""Identifiers that OpenCL C has besides those of C."""

VECTOR_TYPE = re.compile(
    r"(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)|as_\w+|convert_\w+|__\w+"
)


LONG_ATOMICS = "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"

VECTOR_BYTES = 64
"""Of the widest vectors; narrower processors take several."""

INTEGER_BYTES = 4
"""Of an integer that is computed: most are small."""


def emit_opencl(
    kernels: Sequence[Kernel], make: ExprBuilder, division: Division, *, alone: bool = False
) -> ClProgram:
    """The text of kernels, with the functions that they call and the tables that they read; loops over
    functions of reals are written over vectors of lanes, if the device has any. In single precision the same
    text has floats. `alone` leaves out the functions that they call, for `with_functions` of several texts.
    """
    is_single = make.settings.is_single
    if not kernels:
        return ClProgram("", (), is_single)
    body, names = _body(kernels, make, division)
    if not alone:
        body = with_functions(body, in_lanes=division.lanes > 0, is_single=is_single)
    return ClProgram(body, tuple(map(launch_of, kernels)), is_single, names=names)


def _body(
    kernels: Sequence[Kernel], make: ExprBuilder, division: Division
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text of kernels and their tables, and what its identifiers stand for."""
    is_single = make.settings.is_single
    emitter = _KernelEmitter(division, is_single=is_single)
    emitter.printer.multiplies = not (is_single or make.settings.strict_fp)
    texts = [
        "\n".join(emitter.kernel(each, lambda statements: _loops(statements, make, division)))
        for each in kernels
    ]
    tables = "".join([f"constant {emitter.constant(table)}\n" for table in emitter.tables])
    body = tables + ("\n" if tables else "") + "\n\n".join(texts) + "\n"
    return with_floats(body) if is_single else body, tuple(emitter.declared)


def with_functions(body: str, *, in_lanes: bool, is_single: bool = False) -> str:
    """The whole text of kernels, with the functions that they call."""
    called = helpers(body, in_lanes=in_lanes and not is_single, is_single=is_single)
    atomics = LONG_ATOMICS if "atom_" in body else ""
    return f"#pragma OPENCL FP_CONTRACT OFF\n{atomics}\n{in_opencl(called)}{in_short_lines(in_opencl(body))}"


def _loops(statements: Sequence[Statement], make: ExprBuilder, division: Division) -> l.Code:
    """What a work-item does, in loops."""
    plain = _Unreported(make, {})
    done = [rebuilt(s, plain) for s in statements]
    tile = None if make.settings.is_single else division.tile
    halves = IN_ONE if division.grid else STREAMING  # of a grid's work-items there are many
    return of_kernel(done, make, tile, halves=halves)


def _width(statement: l.Stm) -> int:
    """The bytes of the widest numbers that a statement computes with; of positions nothing is known."""
    match statement:
        case l.Store(buffer=buffer, value=value):
            found = [buffer.item_bytes]
        case l.Declare(value=value) | l.Assign(value=value) if value is not None:
            found = [INTEGER_BYTES if value.ty.is_exact else value.ty.item_bytes]
        case _:
            return INTEGER_BYTES
    reads = nodes(value, below=lambda e: () if isinstance(e, Read) else operands(e))
    found += [n.buffer.item_bytes for n in reads if isinstance(n, Read)]
    return max(found)


def head_of(start: str, parameters: Sequence[str]) -> str:
    """The first lines of a function, which begin with its type, its name and a bracket."""
    spaced = [parameter.replace(" ", "\xa0") for parameter in parameters]  # not to be broken
    lines = textwrap.wrap(f"{', '.join(spaced)}) {{", 106 - len(start), break_long_words=False)
    return start + ("\n" + " " * len(start)).join(lines).replace("\xa0", " ")


def _joined(reduction: l.Reduction, scalar: str, vector: str, lanes: int) -> str:
    """The statement by which a scalar takes in the lanes of a vector."""
    if reduction.op is p.MAXD:
        return f"{scalar} = aplc_at_least(aplc_greatest{lanes}({vector}), {scalar});"
    if reduction.op is p.MIND:
        return f"{scalar} = aplc_at_most(aplc_least{lanes}({vector}), {scalar});"
    if reduction.var.ty is Base.INT:
        return f"{scalar} |= aplc_any{lanes}({vector});"
    return f"{scalar} += aplc_sum{lanes}({vector});"


class _Unreported(Substitute):
    """Checks that report no values, all of one place: a kernel tells only that something has failed."""

    def _rebuild(self, node: Exp) -> Exp:
        if isinstance(node, Check):
            return self.make.check(self.done[id(node.ok)], self.done[id(node.value)], _ANYWHERE)
        return super()._rebuild(node)


FREE = "#pragma clang fp reassociate(on)"
"""At the beginning of a block: clang may do its sums in any order. Of devices with lanes only: the compilers
of others may be of a clang that knows no such words."""
PART = 1024
"""Indices over which floats are added one by one."""


def _may_be_long(loop: l.For) -> bool:
    """Whether a loop upwards may have more indices than a part."""
    if loop.descending or loop.step != 1:
        return False
    bounds = [bound.value for bound in (loop.start, loop.stop) if isinstance(bound, Const)]
    return len(bounds) < 2 or bounds[1] - bounds[0] > PART


_ANYWHERE = Site(NO_MEMORY, "", None)


class _KernelEmitter(Batches):
    aligned = ""

    def __init__(self, division: Division, *, is_single: bool) -> None:
        super().__init__(l.Code(()), False)
        lanes = division.lanes
        self.lanes, self.is_single = lanes, is_single
        self.features, self.vector = division.features, division.vector
        self.own: set[Buffer] = set()
        """The small arrays of the kernel at hand that are to be registers."""
        in_lanes = lanes > 0 and not is_single
        self.printer: ClPrinter = ClPrinter(
            self.spell,
            in_lanes=in_lanes,
            is_single=is_single,
            is_grid=division.grid > 0,
            converts=is_single or not 0 < division.vector < VECTOR_BYTES,
        )
        self.sums: set[str] = set()
        """What the loop at hand accumulates in any order."""
        self.is_free = False
        """Whether it does nothing else."""
        self.end: Var | None = None
        """Where the part of a sum ends that is at hand."""
        self.at: Kernel
        """The kernel at hand."""

    def kernel(self, kernel: Kernel, loops: Callable[[Sequence[Statement]], l.Code]) -> list[str]:
        """The lines of a kernel, in the spelling of C; `loops` are those of statements."""
        code, end = loops(kernel.statements), loops(kernel.end)
        steps = None if kernel.stage is None else kernel.stage.steps
        between = [] if steps is None else [loops(steps.start), loops(steps.use)]
        sweep = kernel.sweep
        if sweep is not None:
            between = [loops(s) for s in (sweep.elements, sweep.use, *[c.kept for c in sweep.carries])]
        self.begin(tuple([s for each in (code, *between, end) for s in each.statements]))
        self.at, self.own = kernel, set()
        part = f"{kernel.name}_part"
        self.taken[0] |= {kernel.name, part}
        parameters = ["global int *failed"] if kernel.may_fail else []
        for buffer in kernel.arrays:
            const = "" if buffer in kernel.written else "const "
            element = STORAGE_TYPES[buffer.storage]
            parameters.append(f"global {const}{element} *restrict {self.declare(buffer.name)}")
        for var in kernel.scalars:
            parameters.append(f"const {stored(var.ty)} {self.declare(var.name)}")
        items = [f"const int64_t {self.declare(item.name)}" for item in kernel.items]
        numbers = [f"get_global_id({axis})" for axis in range(len(items))]
        outs = [self.declare(f"{join.value.name}_out") for join in kernel.joins]
        head = head_of(f"kernel void {kernel.name}(", parameters)
        if kernel.stage is not None:
            self.staged(kernel.stage, code, end, between)
            return [head, *self.lines, "}"]
        for own in kernel.own:
            self.part_of(own, kernel.items[0])
        for statement in code.statements:
            self.statement(statement)
        declared = [f"    {item} = {number};" for item, number in zip(items, numbers, strict=True)]
        if sweep is not None:
            self.swept(sweep, between)
        is_apart = bool(self.features) or (bool(kernel.joins) and kernel.may_fail)
        is_apart &= sweep is None
        if not is_apart:
            self.joined(kernel, end)
            return [head, *declared, *self.lines, "}"]
        values = [self.spell(join.value) for join in kernel.joins]
        types = [C_TYPES[join.value.ty] for join in kernel.joins]
        for out, value in zip(outs, values, strict=True):
            self.line(f"*{out} = {value};")
        results = [f"private {ty} *{out}" for ty, out in zip(types, outs, strict=True)]
        inside, self.lines = self.lines, [*declared] if end.statements else []
        for ty, value in zip(types, values, strict=True):
            self.line(f"{ty} {value} = 0;")  # of a work-item that has failed
        given = [*numbers, *[parameter.split()[-1].lstrip("*") for parameter in parameters]]
        given += [f"&{value}" for value in values]
        self.line(f"{part}({', '.join(given)});")
        self.joined(kernel, end)
        noinline = f'__attribute__((noinline, target("{self.features}")))'  # what is inlined loses it
        return [
            *([noinline] if self.features else []),
            head_of(f"static void {part}(", [*items, *parameters, *results]),
            *inside,
            "}",
            "",
            head,
            *self.lines,
            "}",
        ]

    def part_of(self, own: Own, item: Var) -> None:
        """The part of an array that one work-item has for itself."""
        place = f"{self.spell(own.all)} + {self.spell(item)} * {self.printer.text(own.size, UNARY)}"
        element = STORAGE_TYPES[own.buffer.storage]
        self.line(f"global {element} *restrict {self.declare(own.buffer.name)} = {place};")

    def constant(self, buffer: Buffer) -> str:
        """A table of constants."""
        assert buffer.data is not None
        values = ", ".join([print_constant(v, buffer.ty) for v in buffer.data])
        return f"{STORAGE_TYPES[buffer.storage]} {self.globals[buffer.name]}[] = {{{values}}};"

    def is_taken(self, identifier: str) -> bool:
        """Whether an identifier has a meaning already."""
        is_word = identifier in WORDS or VECTOR_TYPE.fullmatch(identifier) is not None
        return is_word or super().is_taken(identifier)

    def statement(self, statement: l.Stm) -> None:
        """A statement; a position in memory is known not to wrap."""
        if isinstance(statement, l.Local) and statement.in_registers:
            self.own.add(statement.buffer)
        if isinstance(statement, l.Store):
            place = f"{self.spell(statement.buffer)}[{self.printer.place(statement.position)}]"
            self.line(self.update(place, statement.value))
        elif isinstance(statement, l.Assign) and self.is_step(statement.var, statement.value):
            assert isinstance(statement.value, Call)
            self.accumulate(statement.var, statement.value)
        else:
            super().statement(statement)

    def advance(self, var: Var, value: Exp) -> str:
        """A new value for a variable, in the words that all elements have."""
        return self.update(self.spell(var), value)

    def body(self, statements: tuple[l.Stm, ...]) -> None:
        """Statements in a scope of their own; in any order where they are steps of sums alone."""
        if self.is_free and self.lanes:
            self.lines.append("    " * (self.level + 1) + FREE)
        super().body(statements)

    def is_plain_step(self, statement: l.Stm) -> bool:
        """Whether a statement takes one more element into a sum or product, and computes nothing else."""
        if not isinstance(statement, l.Assign) or not self.is_step(statement.var, statement.value):
            return False
        assert isinstance(statement.value, Call)
        return statement.value.op is not MULTIPLY_ADD and isinstance(statement.value.args[1], Var | Read)

    def is_step(self, var: Var, value: Exp) -> bool:
        """Whether a sum or product takes in one more value."""
        if var.name not in self.sums or not isinstance(value, Call):
            return False
        own = value.args[2] if value.op is MULTIPLY_ADD else value.args[0]
        return value.op in (p.ADDD, p.MULD, MULTIPLY_ADD) and own is var

    def accumulate(self, var: Var, value: Call) -> None:
        """A step of a sum or product of doubles, which clang may do in lanes: of this operation alone the
        order is free.
        """
        op, term = value.op, value.args[1]
        if op is MULTIPLY_ADD:
            op, term = p.ADDD, Call(p.MULD, value.args[:2], value.ty)
        text = self.text(term)
        if not isinstance(term, Var | Read):
            name = self.declare("term:")  # no variable is called so
            self.line(f"const double {name} = {text};")
            text = name
        step = f"{self.spell(var)} {COMPOUND[op]} {text};"
        if self.is_free or not self.lanes:
            self.line(step)
            return
        self.line("{")
        self.line(f"    {FREE}")
        self.line(f"    {step}")
        self.line("}")

    def loop(self, loop: l.For) -> None:
        """A counted loop, without the pragmas of C; where functions of reals take the time, over vectors."""
        sums = [r for r in loop.reductions or () if r.op is p.ADDD]
        if self.is_single and sums and loop.stop is not self.end and _may_be_long(loop):
            self.in_parts(loop, sums)
            return
        is_grid = self.printer.is_grid and not self.is_single
        if (rest := self.in_batches(loop) if is_grid else self.in_vectors(loop)) is not None:
            loop = rest
        if self.in_registers(loop):
            return
        before, outer = len(self.lines), (self.sums, self.is_free)
        self.sums = {r.var.name for r in loop.reductions or () if r.op in (p.ADDD, p.MULD)}
        self.is_free = all(self.is_plain_step(statement) for statement in loop.body)
        hint = self.hint(loop) if self.lanes else ""
        super().loop(loop)
        self.sums, self.is_free = outer
        if len(self.lines) > before and self.lines[before].lstrip().startswith("#pragma"):
            del self.lines[before]
        hint = "#pragma unroll" if loop.unrolled else hint
        if hint:
            self.lines.insert(before, "    " * self.level + hint)

    def headings(self, loop: l.For, reductions: tuple[l.Reduction, ...] | None) -> list[str]:
        """Nothing: OpenMP is for C."""
        del loop, reductions
        return []

    def bounds(self, loop: l.For) -> dict[str, str]:
        """None: compilers of OpenCL have an instruction for extrema with constants."""
        del loop
        return {}

    def in_registers(self, loop: l.For) -> bool:
        """Write a loop over all lanes of a small array of doubles, if it is one, such as a tile, over whole
        vectors: the array becomes registers.
        """
        lanes = self.vector // 8
        if self.is_single or not lanes or loop.reductions != () or loop.step != 1:
            return False
        ends = [int(e.value) for e in (loop.start, loop.stop) if isinstance(e, Const)]
        if len(ends) < 2 or ends[0] or ends[1] % lanes:
            return False
        found = nodes(*[exp for s in loop.body for exp in expressions_of(s)])
        used = {n.buffer for n in found if isinstance(n, Read)}
        used |= {s.buffer for s in loop.body if isinstance(s, l.Store)}
        if self.own.isdisjoint(used):
            return False
        self.open()
        i = self.declare(loop.var.name)
        vectors = Vectors(
            self.printer, self.declare, loop, {}, self.at, lanes, is_single=False, own=self.own, is_wide=True
        )
        try:
            lines = vectors.body(loop.body)
        except NotVector:
            self.close()
            return False
        self.close()
        self.line("#pragma unroll")
        self.line(f"for (int64_t {i} = 0; {i} < {ends[1]}; {i} += {lanes}) {{")
        for line in lines:
            self.line(f"    {line}")
        self.line("}")
        return True

    def hint(self, loop: l.For) -> str:
        """What clang is told of a loop over lanes: in one round of whole vectors the arrays of lanes become
        registers.
        """
        ends = [int(e.value) for e in (loop.start, loop.stop) if isinstance(e, Const)]
        length = ends[1] - ends[0] if len(ends) == 2 else 0
        if not is_straight(loop) or any(r.op not in SIMD_OPERATORS for r in loop.reductions or ()):
            return ""
        if self.level == 1 and loop.reductions and len(ends) < 2:  # over all of a chunk
            return "#pragma clang loop interleave_count(2)"
        width = VECTOR_BYTES // max([_width(s) for s in within(loop.body)], default=8)
        if length > MOST_LANES or length < width or length % width:
            return ""
        return f"#pragma clang loop vectorize_width({width}) interleave_count({length // width})"

    def in_parts(self, loop: l.For, sums: Sequence[l.Reduction]) -> None:
        """Sums of floats by way of the sums of short parts: a large sum would take in small terms with few of
        their digits.
        """
        first, self.end = [Var(f"{name}:", Base.INT, True) for name in ("first", "end")]  # nothing else is
        stop, i = self.text(loop.stop), self.declare(first.name)
        self.line(f"for (int64_t {i} = {self.text(loop.start)}; {i} < {stop}; {i} += {PART}) {{")
        self.open()
        self.level += 1
        self.line(f"const int64_t {self.declare(self.end.name)} = aplc_min_int({i} + {PART}, {stop});")
        wholes = [self.spell(r.var) for r in sums]
        for r in sums:
            neutral = self.text(r.neutral)
            self.line(f"double {self.declare(r.var.name)} = {neutral};")
        self.loop(replace(loop, start=first, stop=self.end))
        for whole, r in zip(wholes, sums, strict=True):
            self.line(f"{whole} += {self.spell(r.var)};")
        self.level -= 1
        self.close()
        self.line("}")

    def in_vectors(self, loop: l.For) -> l.For | None:
        """A loop over the indices of whole vectors, and what it leaves; None where none is worth it."""
        if not self.lanes:
            return None
        has_wide = self.vector == 8 * WIDE_LANES and not self.is_single
        if has_wide and is_worth_wide(loop) and (rest := self.over(loop, WIDE_LANES, is_wide=True)):
            return rest
        return self.over(loop, self.lanes, is_wide=False) if is_worth_it(loop) else None

    def over(self, loop: l.For, lanes: int, *, is_wide: bool) -> l.For | None:
        """A loop over vectors of so many lanes, and what it leaves; None where its body has no such form."""
        start, stop = self.text(loop.start), self.text(loop.stop)
        own = {r.var.name: self.declare(f"{self.spell(r.var)}s") for r in loop.reductions or ()}
        self.open()
        i = self.declare(loop.var.name)
        vectors = Vectors(
            self.printer, self.declare, loop, own, self.at, lanes, is_single=self.is_single, is_wide=is_wide
        )
        try:
            lines = vectors.body(loop.body)
        except NotVector:
            self.close()
            return None
        self.close()
        whole, name = self.end_of_whole(start, stop, lanes)
        for r in loop.reductions or ():
            self.line(f"{vectors.type_of(r.var.ty)} {own[r.var.name]} = {self.text(r.neutral)};")
        self.line(f"for (int64_t {i} = {start}; {i} < {name}; {i} += {lanes}) {{")
        for line in lines:
            self.line(f"    {line}")
        self.line("}")
        for r in loop.reductions or ():
            self.line(_joined(r, self.spell(r.var), own[r.var.name], lanes))
        return replace(loop, start=whole)

    def update(self, place: str, value: Exp) -> str:
        """A new value; products of integers may wrap."""
        if isinstance(value, Call) and value.op is p.MULI and self.printer.wraps(value):
            return f"{place} = {self.printer.value(value)};"
        return super().update(place, value)
