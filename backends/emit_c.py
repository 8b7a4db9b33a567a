"""Sequential C from loops: pure, a program in, a text out.

The text is what a careful person would write: `for` loops over restricted pointers, constants where nothing
changes, one flag a check, `#pragma omp simd` where a loop accumulates. Names are our own; the user's only
lend a hint. A run-time failure leaves through one exit that frees all memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from backends.c_expr import ADD, C_TYPES, STORAGE_TYPES, ExpPrinter, print_constant
from laila import loops as l
from laila.program import ArrayRef, Parameter, ScalarRef
from laila.scalar import ALSO, Buffer, Call, Exp, Read, Site, Sum, Var, nodes
from tail import prims as p
from tail.prims import Prim
from tail.types import Base

SIMD_OPERATORS: dict[Prim, str] = {
    p.ADDI: "+",
    p.ADDD: "+",
    p.MULI: "*",
    p.MULD: "*",
    p.MAXI: "max",
    p.MAXD: "max",
    p.MINI: "min",
    p.MIND: "min",
    p.ANDB: "&",
    p.ORB: "|",
    ALSO: "|",
    p.NEQB: "^",
}
"""The reduction clauses of OpenMP by operator."""

COMPOUND = {
    p.ADDD: "+=",
    p.SUBD: "-=",
    p.MULI: "*=",
    p.MULD: "*=",
    p.ANDB: "&=",
    p.ORB: "|=",
    ALSO: "|=",
}

# fmt: off
RESERVED = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict",
    "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union",
    "unsigned", "void", "volatile", "while", "asm", "typeof", "bool", "true", "false", "in", "out",
    "host", "status", "done", "exp", "log", "pow", "floor", "ceil", "fabs", "fmod", "gamma", "y0",
    "y1", "yn", "j0", "j1", "jn", "linux", "unix", "NULL", "NAN", "INFINITY", "free",
    "WCONTINUED", "WEXITED", "WNOHANG", "WNOWAIT", "WSTOPPED", "WUNTRACED", "NFDBITS",
    "math_errhandling",
))
# fmt: on
"""Identifiers that C, its library or the frame of a program use."""

OF_A_HEADER = re.compile(r"\w+_t|[A-Z0-9]+_[A-Z0-9_]+")
"""The shape of types and macros in the headers that the run-time system includes."""


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of a value handed out: element type and rank."""

    base: Base
    rank: int


@dataclass(frozen=True, slots=True)
class CProgram:
    """The text of a program, and what its host must know to run it."""

    text: str
    sites: tuple[Site, ...]
    prints: tuple[ValueType, ...]
    results: tuple[ValueType, ...]


def emit_c(parameters: tuple[Parameter, ...], statements: tuple[l.Stm, ...]) -> CProgram:
    """The C program of a loop program."""
    return _Emitter().program(parameters, statements)


class _Emitter:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.level = 1
        self.scopes: list[dict[str, str]] = [{}]
        self.sites: list[Site] = []
        self.prints: list[ValueType] = []
        self.results: list[ValueType] = []
        self.tables: list[Buffer] = []
        self.has_exit = False
        self.printer = ExpPrinter(self.spell)

    # --- names ---

    def spell(self, thing: Var | Buffer) -> str:
        """The identifier of a variable or buffer in scope."""
        for scope in reversed(self.scopes):
            if thing.name in scope:
                return scope[thing.name]
        if isinstance(thing, Buffer) and thing.data is not None:
            self.tables.append(thing)
            return self.declare(thing.name, self.scopes[0])
        raise KeyError(thing.name)

    def declare(self, name: str, scope: dict[str, str] | None = None) -> str:
        """A fresh identifier for a name in the innermost scope."""
        hint = re.sub(r"[^A-Za-z0-9_]", "_", re.sub(r"(_\d+)+$", "", name))
        hint = hint if re.match(r"(?!aplc_|[A-Z0-9]+_[A-Z0-9_]+$)[A-Za-z]", hint) else f"x{hint}"
        taken = {identifier for s in self.scopes for identifier in s.values()}
        identifier, k = hint, 1
        while identifier in taken or identifier in RESERVED or OF_A_HEADER.fullmatch(identifier):
            identifier, k = f"{hint}{k}" if not hint[-1].isdigit() else f"{hint}x{k}", k + 1
        (self.scopes[-1] if scope is None else scope)[name] = identifier
        return identifier

    # --- lines ---

    def line(self, text: str) -> None:
        self.lines.append("    " * self.level + text)

    def text(self, exp: Exp) -> str:
        return self.printer.text(exp)

    def block(self, head: str, statements: tuple[l.Stm, ...], tail: str = "}") -> None:
        """A braced block with a scope of its own."""
        self.line(head + " {")
        self.body(statements)
        self.line(tail)

    def body(self, statements: tuple[l.Stm, ...]) -> None:
        self.scopes.append({})
        self.level += 1
        for statement in statements:
            self.statement(statement)
        self.level -= 1
        self.scopes.pop()

    # --- the program ---

    def program(self, parameters: tuple[Parameter, ...], statements: tuple[l.Stm, ...]) -> CProgram:
        used = _used_names(statements)
        for position, parameter in enumerate(parameters):
            self.parameter(position, parameter, used)
        buffers = [s.buffer for s in statements if isinstance(s, l.Allocate)]
        for buffer in buffers:
            name = self.declare(buffer.name)
            self.line(f"{STORAGE_TYPES[buffer.storage]} *restrict {name} = NULL;")
        self.has_exit = bool(buffers)
        if self.has_exit:
            self.line("int status = APLC_OK;")
        for statement in statements:
            self.statement(statement)
        if self.has_exit:
            self.lines.append("done:")
            for buffer in buffers:
                self.line(f"free({self.spell(buffer)});")
        self.line("return status;" if self.has_exit else "return APLC_OK;")
        tables = [self.table(t) for t in self.tables]
        head = "APLC_EXPORT int aplc_run(aplc_host *host, const aplc_array *in, aplc_array *out) {"
        unused = [f"    (void){name};" for name in ("host", "in", "out") if not self.mentions(name)]
        lines = [
            '#include "aplc.h"',
            "",
            *tables,
            *([""] if tables else []),
            head,
            *unused,
            *self.lines,
            "}",
            "",
        ]
        return CProgram("\n".join(lines), tuple(self.sites), tuple(self.prints), tuple(self.results))

    def mentions(self, name: str) -> bool:
        """Whether the text so far uses one of the parameters."""
        return any(re.search(rf"\b{name}\b", line) for line in self.lines)

    def table(self, buffer: Buffer) -> str:
        """A table of constants."""
        assert buffer.data is not None
        values = ", ".join([print_constant(v, buffer.ty) for v in buffer.data])
        return f"static const {C_TYPES[buffer.ty]} {self.scopes[0][buffer.name]}[] = {{{values}}};"

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
        match statement:
            case l.Declare(var=var, value=value, mutable=mutable):
                text = None if value is None else self.text(value)
                const = "" if mutable else "const "
                init = "" if text is None else f" = {text}"
                self.line(f"{const}{C_TYPES[var.ty]} {self.declare(var.name)}{init};")
            case l.Assign(var=var, value=value):
                self.line(self.update(self.spell(var), value))
            case l.Store(buffer=buffer, position=position, value=value):
                place = f"{self.spell(buffer)}[{self.text(position)}]"
                self.line(self.update(place, value))
            case l.For():
                self.loop(statement)
            case l.If():
                self.conditional(statement)
            case l.Fail(ok=ok, site=site, reported=reported):
                values = [self.text(r) for r in reported[:2]]
                self.fail(f"if ({self.negated(ok)})", site, [*values, "0", "0"][:2])
            case l.Allocate(buffer=buffer, size=size, site=site):
                name = self.spell(buffer)
                element = STORAGE_TYPES[buffer.storage]
                self.line(f"{name} = aplc_alloc({self.count(size)}, sizeof({element}));")
                self.fail(f"if ({name} == NULL)", site, [self.text(size), "0"])
            case l.Release(buffer=buffer):
                name = self.spell(buffer)
                self.line(f"free({name});")
                self.line(f"{name} = NULL;")
            case l.Emit(value=value, is_result=is_result):
                self.output(value, is_result)

    def update(self, place: str, value: Exp) -> str:
        """A new value for a variable or an element: `x = e;`, or `x += e;` where it is that."""
        text = self.text(value)
        if isinstance(value, Call) and value.op in COMPOUND and self.text(value.args[0]) == place:
            return f"{place} {COMPOUND[value.op]} {self.text(value.args[1])};"
        if isinstance(value, Sum) and text.startswith(f"{place} + "):
            return f"{place} += {text.removeprefix(f'{place} + ')};"
        return f"{place} = {text};"

    def negated(self, ok: Exp) -> str:
        """The condition under which a check fails."""
        return self.printer.negation(ok)

    def count(self, size: Exp) -> str:
        """A number of elements; a product is computed with care for overflow."""
        factors = self.factors(size)
        if len(factors) == 1:
            return factors[0]
        return f"aplc_count({len(factors)}, (const int64_t[]){{{', '.join(factors)}}})"

    def factors(self, size: Exp) -> list[str]:
        """The factors of a product."""
        match size:
            case Call(op=op, args=args) if op is p.MULI:
                return [text for arg in args for text in self.factors(arg)]
            case Sum(const=0, terms=((atom, k),)):
                return [*self.factors(atom), print_constant(k, Base.INT)]
            case _:
                return [self.text(size)]

    def fail(self, head: str, site: Site, values: list[str]) -> None:
        """Leave the program with an APL error."""
        number = len(self.sites)
        self.sites.append(site)
        call = f"aplc_fail(host, {number}, {values[0]}, {values[1]})"
        if not self.has_exit:
            self.line(head)
            self.line(f"    return {call};")
            return
        self.line(head + " {")
        self.line(f"    status = {call};")
        self.line("    goto done;")
        self.line("}")

    def loop(self, loop: l.For) -> None:
        """A counted loop; in lanes where it may accumulate so."""
        start, stop = self.printer.text(loop.start, ADD), self.printer.text(loop.stop, ADD)
        reductions = loop.reductions
        if reductions and all(r.op in SIMD_OPERATORS for r in reductions):
            clauses = [f"reduction({SIMD_OPERATORS[r.op]}:{self.spell(r.var)})" for r in reductions]
            self.lines.append("    " * self.level + "#pragma omp simd " + " ".join(clauses))
        self.scopes.append({})
        i = self.declare(loop.var.name)
        if loop.descending:
            last = self.printer.text(loop.stop, ADD) + " - 1"
            self.block(f"for (int64_t {i} = {last}; {i} >= {start}; {i}--)", loop.body)
        else:
            self.block(f"for (int64_t {i} = {start}; {i} < {stop}; {i}++)", loop.body)
        self.scopes.pop()

    def conditional(self, statement: l.If) -> None:
        if not statement.other:
            self.block(f"if ({self.text(statement.cond)})", statement.then)
            return
        self.block(f"if ({self.text(statement.cond)})", statement.then, "} else {")
        self.body(statement.other)
        self.line("}")

    def output(self, value: ArrayRef | ScalarRef, is_result: bool) -> None:
        match value:
            case ArrayRef(buffer=buffer, shape=shape):
                kind = ValueType(buffer.ty, len(shape))
                data, extents = self.spell(buffer), [self.text(n) for n in shape]
            case ScalarRef(value=exp):
                kind = ValueType(exp.ty, 0)
                data, extents = self.text(exp), []
        if is_result:
            self.result(kind, data, extents)
        else:
            self.print(kind, data, extents)

    def result(self, kind: ValueType, data: str, extents: list[str]) -> None:
        k = len(self.results)
        self.results.append(kind)
        if kind.rank == 0:
            self.line(f"*({C_TYPES[kind.base]} *)out[{k}].data = {data};")
            return
        self.line(f"out[{k}].data = {data};")
        for axis, extent in enumerate(extents):
            self.line(f"out[{k}].shape[{axis}] = {extent};")
        self.line(f"{data} = NULL;")

    def print(self, kind: ValueType, data: str, extents: list[str]) -> None:
        k = len(self.prints)
        self.prints.append(kind)
        if kind.rank == 0:
            data = f"&({C_TYPES[kind.base]}){{{data}}}"
        shape = f"(const int64_t[]){{{', '.join(extents)}}}" if extents else "NULL"
        call = f"host->print({k}, {data}, {shape})"
        if not self.has_exit:
            self.line(f"if ({call} != 0)")
            self.line("    return APLC_STOPPED;")
            return
        self.line(f"if ({call} != 0) {{")
        self.line("    status = APLC_STOPPED;")
        self.line("    goto done;")
        self.line("}")


def _used_names(statements: tuple[l.Stm, ...]) -> set[str]:
    """The names of all variables and buffers that occur in statements."""
    used: set[str] = set()

    def expressions(*exps: Exp | None) -> None:
        for node in nodes(*[e for e in exps if e is not None]):
            if isinstance(node, Var):
                used.add(node.name)
            elif isinstance(node, Read):
                used.add(node.buffer.name)

    stack = list(statements)
    while stack:
        statement = stack.pop()
        match statement:
            case l.Declare(value=value):
                expressions(value)
            case l.Assign(value=value):
                expressions(value)
            case l.Store(position=position, value=value):
                expressions(position, value)
            case l.For(start=start, stop=stop, body=body):
                expressions(start, stop)
                stack += body
            case l.If(cond=cond, then=then, other=other):
                expressions(cond)
                stack += [*then, *other]
            case l.Fail(ok=ok, reported=reported):
                expressions(ok, *reported)
            case l.Allocate(size=size):
                expressions(size)
            case l.Release():
                pass
            case l.Emit(value=reference):
                if isinstance(reference, ArrayRef):
                    used.add(reference.buffer.name)
                    expressions(*reference.shape)
                else:
                    expressions(reference.value)
    return used
