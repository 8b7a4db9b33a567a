"""Sequential C from loops: pure, a program in, a text out.

The text is what a careful person would write: `for` loops over restricted pointers, constants where nothing
changes, one flag a check, `#pragma omp simd` where a loop accumulates. Names are our own; the user's only
lend a hint. A run-time failure leaves through one exit that frees all memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from aplc.backends.c.expressions import COMPOUND, print_constant
from aplc.backends.c.known_lanes import (
    FEW_LANES,
    LEAST_ALIGNED,
    MOST_LANES,
    goes_on_with_lanes,
    is_over_lanes,
    is_slow,
    must_be_told,
    read_beside_lanes,
    takes_at_most,
)
from aplc.backends.c.mentions import allocated, bounds_of, exchanged, leaves_of_all, looked_at, used_names
from aplc.backends.c.narrow_functions import RUNNING
from aplc.backends.c.program import CProgram
from aplc.backends.c.types import C_TYPES, STORAGE_TYPES, stored
from aplc.backends.c.writer import Writer
from aplc.laila.ir import loops as l
from aplc.laila.ir.program import (
    ArrayRef,
    FunctionCall,
    HostCall,
    Move,
    Parameter,
    RuntimeCall,
    Swap,
)
from aplc.laila.ir.scalar import BIT_OR, CODE_BITS, GROWING, TABLE, Buffer, Call, Exp, Sum, Var, nodes
from aplc.laila.ir.statements import leaves
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

AHEAD = "aplc_ahead.h"
"""The header that asks for memory."""
FIRST = ("aplc_exp.h", "aplc.h")
"""The header of exponentials in lanes, which says what others need not have, and that of every program."""

SIMD_OPERATORS: dict[Prim, str] = {
    p.ADDI: "+",
    p.ADDD: "+",
    p.MULI: "*",
    p.MULD: "*",
    p.MAXI: "max",
    p.MAXD: "APLC_MAX",
    p.MINI: "min",
    p.MIND: "APLC_MIN",
    p.ANDB: "&",
    p.ORB: "|",
    BIT_OR: "|",
    CODE_BITS: "|",
    p.NEQB: "^",
    p.XORI32: "^",
    p.ORI32: "|",
    p.ANDI32: "&",
}
"""The reduction clauses of OpenMP by operator."""

BITWISE = {p.XORI32: "^", p.ORI32: "|", p.ANDI32: "&"}
"""Operators of C, where the low bits are all that there is of their operands."""


class Emitter(Writer):
    """Statements and functions of the program as C."""

    def block(self, head: str, statements: tuple[l.Stm, ...], tail: str = "}") -> None:
        """A braced block with a scope of its own."""
        self.line(head + " {")
        self.body(statements)
        self.line(tail)

    def body(self, statements: tuple[l.Stm, ...]) -> None:
        """Statements in a scope of their own."""
        self.open()
        self.level += 1
        for statement in statements:
            self.statement(statement)
        self.level -= 1
        self.close()

    # --- the program ---

    def program(self, parameters: tuple[Parameter, ...]) -> CProgram:
        """The whole text, and what its host must know."""
        for routine in self.code.routines:
            self.declare(routine.name, self.globals)
        routines = [text for r in self.code.routines for text in self.routine(r)]
        statements = self.code.statements
        self.begin(statements)
        used = used_names(statements)
        for position, parameter in enumerate(parameters):
            self.parameter(position, parameter, used)
        self.work_for_host()
        if self.code.routines:
            self.line("aplc_begin_stack(host, (const char *)&host, host->stack_size);")
            self.begin_calls()
        self.main(statements)
        tables = [self.table(t) for t in self.tables]
        head = "APLC_EXPORT int aplc_run(aplc_host *host, const aplc_array *in, aplc_array *out) {"
        unused = [f"    (void){name};" for name in ("host", "in", "out") if not self.mentions(name)]
        prototypes = [head.removesuffix(" {") + ";" for head, _ in routines]
        headers = self.headers | self.printer.headers | {"aplc.h"}
        lines = [
            *(["#define APLC_STRICT_FP"] if self.strict_fp else []),
            *(["#define APLC_LIMITED"] if self.limited else []),
            *[f'#include "{name}"' for name in sorted(headers, key=_place_of)],
            "",
            *tables,
            *([""] if tables else []),
            *self.types,
            *prototypes,
            *([""] if prototypes else []),
            *self.parts,
            *[line for head, body in routines for line in (head, *body, "}", "")],
            *self.run_of([head, *unused, *self.lines, "}"]),
            "",
        ]
        return CProgram(
            "\n".join(lines),
            tuple(self.sites),
            tuple(self.prints),
            tuple(self.results),
            tuple(self.questions),
            bool(routines),
            looks_at=tuple([k for k, q in enumerate(parameters) if q.buffer in looked_at(statements)]),
            names=tuple(self.declared),
        )

    def begin(self, statements: tuple[l.Stm, ...]) -> None:
        """The state for a new function."""
        self.lines, self.level, self.scopes = [], 1, [self.globals, {}]
        self.taken = [self.taken[0], set()]
        self.numbers = [{}, {}]
        self.owned, self.moved, self.small_arrays = {}, set(), set()
        for statement in l.within(statements):
            if isinstance(statement, Move | Swap):
                self.moved |= {b.name for b in exchanged(statement)}
            elif isinstance(statement, l.Allocate) and statement.into is not None:
                self.moved.add(statement.buffer.name)
        for statement in self.own_statements(statements):
            for buffer in allocated(statement):
                self.owned[buffer.name] = buffer
        mentioned = used_names(statements) if self.code.empty else set()
        for buffer in self.code.empty:
            if buffer.name in mentioned:
                self.owned.setdefault(buffer.name, buffer)
        self.has_exit = bool(self.owned)

    def own_statements(self, statements: tuple[l.Stm, ...]) -> Iterable[l.Stm]:
        """The statements that become part of the function at hand."""
        return l.within(statements)

    def main(self, statements: tuple[l.Stm, ...]) -> None:
        """The statements of the program itself."""
        self.frame(statements, lambda: None)

    def run_of(self, lines: Sequence[str]) -> Sequence[str]:
        """The function that runs the program, as it stands in the text."""
        return lines

    def frame(self, statements: tuple[l.Stm, ...], finish: Callable[[], None]) -> None:
        """The statements between the declaration of the buffers and the exit that frees them."""
        self.enter()
        for statement in statements:
            self.statement(statement)
        finish()
        self.leave()

    def enter(self) -> None:
        """Buffers without memory yet, and a status."""
        for buffer in self.owned.values():
            self.line(self.without_memory(buffer, self.declare(buffer.name)))
        if self.has_exit:
            self.line("int status = APLC_OK;")

    def leave(self) -> None:
        """The exit that frees them."""
        if self.has_exit:
            self.lines.append("done:")
            for buffer in self.owned.values():
                self.line(self.freeing(buffer))
        self.line("return status;" if self.has_exit else "return APLC_OK;")

    def routine(self, routine: l.Routine) -> list[tuple[str, list[str]]]:
        """The head and the body of a function of the program; a target may have more of them for it."""
        return [self.function_of(routine, routine.body, routine.name)]

    def function_of(
        self,
        routine: l.Routine,
        body: tuple[l.Stm, ...],
        name: str,
        first: Callable[[list[tuple[str, str]]], tuple[str, ...]] = lambda _: (),
    ) -> tuple[str, list[str]]:
        """The head and the body of the function that such statements make; `first` may print what it does
        first, and says what it takes besides.
        """
        self.begin(body)
        for leaf in leaves_of_all(routine.results):
            if isinstance(leaf, ArrayRef) and leaf.buffer.storage != GROWING:
                self.owned[leaf.buffer.name] = leaf.buffer
                self.has_exit = True
        heads, targets = self.signature(routine)
        more = first(heads)

        def finish() -> None:
            for names, leaf in zip(targets, leaves_of_all(routine.results), strict=True):
                if isinstance(leaf, ArrayRef):
                    if leaf.buffer.storage != GROWING:
                        self.line(f"*{names[0]} = {self.spell(leaf.buffer)};")
                        self.line(f"{self.spell(leaf.buffer)} = NULL;")
                    for place, extent in zip(names[-len(leaf.shape) :], leaf.shape, strict=True):
                        self.line(f"*{place} = {self.text(extent)};")
                else:
                    self.line(f"*{names[0]} = {self.text(leaf.value)};")

        self.line("if (aplc_too_deep(host))")
        self.line(f"    return aplc_fail(host, {self.number_of(routine.site)}, 0, 0);")
        self.frame(body, finish)
        parts = ["aplc_host *host", *more, *[f"{ty}{identifier}" for ty, identifier in heads]]
        return f"static int {self.globals[name]}({', '.join(parts)}) {{", self.lines

    def begin_calls(self) -> None:
        """What a program does before it calls functions of its own."""

    def mentions(self, name: str) -> bool:
        """Whether the text so far uses one of the parameters."""
        return any(re.search(rf"\b{name}\b", line) for line in self.lines)

    def table(self, buffer: Buffer) -> str:
        """A table of constants."""
        assert buffer.data is not None
        values = ", ".join([print_constant(v, buffer.ty) for v in buffer.data])
        return f"static const {STORAGE_TYPES[buffer.storage]} {self.globals[buffer.name]}[] = {{{values}}};"

    def parameter(self, position: int, parameter: Parameter, used: set[str]) -> None:
        """The elements and extents of an input that the program uses."""
        buffer = parameter.buffer
        if buffer.name in used:
            storage = STORAGE_TYPES[buffer.storage]
            self.line(f"const {storage} *restrict {self.declare(buffer.name)} = in[{position}].data;")
        for axis, extent in enumerate(parameter.extents):
            if extent.name in used:
                self.line(f"const int64_t {self.declare(extent.name)} = in[{position}].shape[{axis}];")

    # --- statements ---

    def statement(self, statement: l.Stm) -> None:
        """The lines of a statement."""
        match statement:
            case l.Declare(var=var, value=value, mutable=mutable):
                init = "" if value is None else f" = {self.printer.value(value)}"
                const = "" if mutable else "const "
                self.line(f"{const}{self.type_of(statement)} {self.declare(var.name)}{init};")
            case l.Assign(var=var, value=value):
                self.line(self.advance(var, value))
            case l.Store(buffer=buffer, position=position, value=value):
                place = f"{self.spell(buffer)}[{self.text(position)}]"
                self.line(self.update(place, value))
            case l.Prefetch(buffer=buffer, position=position, writes=writes, loads=loads):
                self.headers.add(AHEAD)
                name = "APLC_LOAD" if loads else "APLC_AHEAD_TO_WRITE" if writes else "APLC_AHEAD"
                self.line(f"{name}({self.spell(buffer)}, {self.text(position)});")
            case l.For():
                self.loop(statement)
            case l.If():
                self.conditional(statement)
            case l.Fail(ok=ok, site=site, reported=reported):
                values = [self.text(r) for r in reported]
                own = values[: max(0, len(values) - site.count)]
                told = values[2 if site.fault.tells_text else len(own) :]
                self.fail(f"if ({self.negated(ok)})", site, [*own, "0", "0"][:2], told)
            case l.While(cond=cond, body=body):
                outside, self.is_round = self.is_round, True
                self.block(f"while ({self.text(cond)})", body)
                self.is_round = outside
            case l.Local(buffer=buffer, size=size):
                self.small_arrays.add(buffer)
                element = STORAGE_TYPES[buffer.storage]
                aligned = self.aligned if size >= LEAST_ALIGNED else ""
                self.line(f"{aligned}{element} {self.declare(buffer.name)}[{max(1, size)}];")
            case Move(target=target, source=source):
                self.line(f"free({self.spell(target)});")
                self.line(f"{self.spell(target)} = {self.spell(source)};")
                self.line(f"{self.spell(source)} = NULL;")
            case Swap(first=first, second=second):
                self.swap(first, second)
            case RuntimeCall():
                self.run(statement)
            case HostCall():
                self.ask(statement)
            case FunctionCall():
                self.invoke(statement)
            case l.Together():
                self.together(statement)
            case l.Allocate(buffer=buffer, size=size, into=Buffer() as into, is_there=True):
                element = STORAGE_TYPES[buffer.storage]
                place = f"aplc_last_of({self.spell(into)}, {self.text(size)}, sizeof({element}))"
                self.line(f"{element} *const {self.declare(buffer.name)} = {place};")
            case l.Allocate(buffer=buffer, size=size, site=site, room=room, into=Buffer() as into):
                element = STORAGE_TYPES[buffer.storage]
                given = f"{self.spell(into)}, {self.count(size)}, sizeof({element}), {room}"
                name = self.declare(buffer.name)
                self.line(f"{element} *const {name} = aplc_room_in({given});")
                self.no_memory(f"if ({name} == NULL)", site, self.factors(size))
            case l.Allocate(buffer=buffer, size=size, site=site, room=room):
                name = self.spell(buffer)
                given = f"{self.count(size)}, sizeof({STORAGE_TYPES[buffer.storage]})"
                call = f"aplc_alloc_with_room({given}, {room})" if room else f"aplc_alloc({given})"
                self.line(f"{name} = {call};")
                self.no_memory(f"if ({name} == NULL)", site, self.factors(size))
            case l.Release(buffer=buffer):
                if buffer.name in self.owned:
                    self.line(self.freeing(buffer))
                    if buffer.storage != TABLE:
                        self.line(f"{self.spell(buffer)} = NULL;")
            case l.Emit(value=value, is_result=True):
                for leaf in leaves(value):
                    self.result(leaf)
            case l.Emit(value=value, digits=digits):
                self.print(value, digits)

    def together(self, calls: l.Together) -> None:
        """Calls that may be made at the same time: here in their order."""
        for call, before in zip(calls.calls, ((), *calls.before), strict=True):
            for statement in (*before, call):
                self.statement(statement)

    def type_of(self, declaration: l.Declare) -> str:
        """The C type of a variable. A condition that is accumulated is a byte, as in memory."""
        var = declaration.var
        if var.ty is Base.BOOL:
            return stored(var.ty) if declaration.mutable else C_TYPES[var.ty]
        if var.ty is not Base.INT:
            return C_TYPES[var.ty]
        if declaration.mutable or declaration.value is None:
            return self.printer.accumulator(var, declaration.bits)
        return self.printer.declared(var, declaration.value)

    def advance(self, var: Var, value: Exp) -> str:
        """A new value for a variable. A running maximum is on the path that its loop waits for."""
        if isinstance(value, Call) and value.op in RUNNING and value.args[0] is var:
            return f"{self.spell(var)} = {RUNNING[value.op]}({self.spell(var)}, {self.text(value.args[1])});"
        self.printer.waits = not self.printer.in_lanes and any(node is var for node in nodes(value))
        text = self.update(self.spell(var), value)
        self.printer.waits = False
        return text

    def update(self, place: str, value: Exp) -> str:
        """A new value for a variable or an element: `x = e;`, or `x += e;` where it is that."""
        text = self.printer.value(value)
        if isinstance(value, Call) and value.op in COMPOUND:
            part = self.printer.value if self.printer.is_narrow(value) else self.text
            if part(value.args[0]) == place:
                return f"{place} {COMPOUND[value.op]} {part(value.args[1])};"
        if isinstance(value, Call) and value.op in BITWISE:
            head = f"{place} {BITWISE[value.op]} "
            return (
                f"{head[:-1]}= {text.removeprefix(head)};" if text.startswith(head) else f"{place} = {text};"
            )
        if isinstance(value, Sum) and text.startswith(f"{place} + "):
            return f"{place} += {text.removeprefix(f'{place} + ')};"
        return f"{place} = {text};"

    def negated(self, ok: Exp) -> str:
        """The condition under which a check fails."""
        return self.printer.negation(ok)

    def count(self, size: Exp) -> str:
        """A number of elements; a product is computed with care for overflow."""
        factors = self.factors(size)
        several = f"aplc_count({len(factors)}, (const int64_t[]){{{', '.join(factors)}}})"
        return factors[0] if len(factors) == 1 else several

    def factors(self, size: Exp) -> list[str]:
        """The factors of a product."""
        match size:
            case Call(op=op, args=args) if op is p.MULI:
                return [text for arg in args for text in self.factors(arg)]
            case Sum(const=0, terms=((atom, k),)):
                return [*self.factors(atom), print_constant(k, Base.INT)]
            case _:
                return [self.text(size)]

    def loop(self, loop: l.For) -> None:
        """A counted loop; in lanes where it may accumulate so."""
        bounds = self.printer.bounds
        if bounds is None:
            self.printer.bounds = self.bounds(loop)
        in_lanes = loop.reductions is not None and all(r.op in SIMD_OPERATORS for r in loop.reductions)
        told = loop.reductions if in_lanes and must_be_told(loop, self.moved) else None
        for heading in self.headings(loop, told):
            self.line(heading)
        if loop.unrolled:
            self.line("#pragma GCC unroll 16")
        self.open()
        i = self.declare(loop.var.name)
        ty, start, stop = self.printer.counter(loop)
        outside = self.printer.in_loop, self.printer.in_lanes, self.is_round
        in_lanes |= loop.unrolled and self.printer.in_lanes
        self.printer.in_loop, self.printer.in_lanes, self.is_round = True, in_lanes, False
        if loop.descending:
            self.block(f"for ({ty} {i} = {stop} - 1; {i} >= {start}; {i}--)", loop.body)
        else:
            one = f"aplc_next_one({i})" if loop.in_scalars else f"{i}++"
            step = one if loop.step == 1 else f"{i} += {loop.step}"
            self.block(f"for ({ty} {i} = {start}; {i} < {stop}; {step})", loop.body)
        self.printer.in_loop, self.printer.in_lanes, self.is_round = outside
        self.printer.bounds = bounds
        self.close()

    def bounds(self, loop: l.For) -> dict[str, str]:
        """Variables for the bounds of extrema in a loop, by the text of the constant."""
        texts = dict.fromkeys([self.printer.text(bound) for bound in bounds_of(loop)])
        names = {text: self.declare("bound") for text in texts}
        for text, name in names.items():
            self.line(f"const double {name} = aplc_bound({text});")
        return names

    def headings(self, loop: l.For, reductions: tuple[l.Reduction, ...] | None) -> list[str]:
        """What stands before a loop; `reductions`: what one in lanes accumulates, by operator."""
        if reductions is not None:
            return [self.told(loop, reductions)]
        apart = read_beside_lanes(loop, self.small_arrays, self.moved)
        whole = ["APLC_OVER_LANES"] if is_over_lanes(loop, self.small_arrays) else []
        return [*[f"APLC_ELSEWHERE({self.spell(buffer)});" for buffer in apart], *whole]

    def told(self, loop: l.For, reductions: tuple[l.Reduction, ...]) -> str:
        """What says that a loop is done in lanes."""
        is_of_lanes = self.is_round and takes_at_most(loop, MOST_LANES)
        if is_of_lanes and reductions and all(r.op is BIT_OR for r in reductions):
            return f"APLC_LANES_RAISE({', '.join([self.spell(r.var) for r in reductions])})"
        names: dict[str, list[str]] = {}
        for reduction in reductions:
            names.setdefault(SIMD_OPERATORS[reduction.op], []).append(self.spell(reduction.var))
        clause = " ".join([f"reduction({op}:{', '.join(found)})" for op, found in names.items()])
        goes_on = not reductions and goes_on_with_lanes(loop, self.small_arrays)
        if (reductions or self.is_round or goes_on) and takes_at_most(loop, FEW_LANES):
            return "APLC_FEW_LANES_GO_ON" if self.is_round and not clause else f"APLC_FEW_LANES({clause})"
        if goes_on:
            return "APLC_LANES_GO_ON"
        if is_slow(loop, reductions, self.printer.in_loop):
            return f"APLC_SLOW_LANES({clause})"
        return f"#pragma omp simd {clause}".rstrip()

    def conditional(self, statement: l.If) -> None:
        """One of two bodies, or of several."""
        if not statement.then and not statement.other:
            return
        head = "if"
        while True:
            self.line(f"{head} ({self.text(statement.cond)}) {{")
            self.body(statement.then)
            match statement.other:
                case (l.If() as other,):
                    head, statement = "} else if", other
                case other:
                    break
        if other:
            self.line("} else {")
            self.body(other)
        self.line("}")


def _place_of(header: str) -> tuple[int, str]:
    return FIRST.index(header) if header in FIRST else len(FIRST), header
