"""Writing C: identifiers in scopes, lines, the exits of a function, and values that come and go."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aplc.backends.c.lanes import LanePrinter
from aplc.backends.c.mentions import leaves_of_all
from aplc.backends.c.program import Kind, NestedKind, Question, RecordsKind, ValueType
from aplc.backends.c.types import C_TYPES, STORAGE_TYPES
from aplc.laila.ir import loops as l
from aplc.laila.ir.program import ArrayRef, FunctionCall, HostCall, Ref, RuntimeCall, ScalarRef, TupleRef
from aplc.laila.ir.scalar import GROWING, TABLE, Buffer, Exp, Site, Var
from aplc.laila.ir.statements import leaves
from aplc.tail.errors import InternalError

# fmt: off
RESERVED = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict",
    "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union",
    "unsigned", "void", "volatile", "while", "asm", "typeof", "bool", "true", "false", "in", "out",
    "host", "status", "done", "exp", "log", "pow", "floor", "ceil", "fabs", "fmod", "gamma", "y0",
    "y1", "yn", "j0", "j1", "jn", "linux", "unix", "NULL", "NAN", "INFINITY", "free",
    "sched_priority",
    "WCONTINUED", "WEXITED", "WNOHANG", "WNOWAIT", "WSTOPPED", "WUNTRACED", "NFDBITS",
    "math_errhandling", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh",
    "acosh", "atanh", "hypot", "sqrt", "tgamma", "lgamma",
))
# fmt: on
"""Identifiers that C, its library or the frame of a program use."""

OF_A_HEADER = re.compile(r"\w+_t|[A-Z0-9]+_[A-Z0-9_]+")
"""The shape of types and macros in the headers that the run-time system includes."""


SORTS = ("aplc_sort.h", "aplc_sort_threads.h")
"""The headers of functions that have others beside them for rows."""


class Writer:
    """The text of a program while it is written."""

    aligned = "APLC_ALIGNED "
    """Stands before an array that begins where vectors do."""

    def __init__(self, code: l.Code, strict_fp: bool, limited: bool = False) -> None:
        self.code = code
        self.strict_fp = strict_fp
        self.limited = limited
        self.lines: list[str] = []
        self.parts: list[str] = []
        """Functions that are parts of others."""
        self.types: list[str] = []
        """Declarations of types."""
        self.level = 1
        self.globals: dict[str, str] = {}
        self.scopes: list[dict[str, str]] = [self.globals, {}]
        self.taken: list[set[str]] = [set(), set()]
        """The identifiers of each scope; a name that is declared again gets another one."""
        self.around: list[set[str]] = []
        """Those of functions that are written around the one at hand, which may mention a new global, too."""
        self.numbers: list[dict[str, int]] = [{}, {}]
        """Up to which number the identifiers with a beginning are taken while a scope is open."""
        self.declared: list[tuple[str, str]] = []
        """The identifiers, each with the name that it stands for, in the order of the text."""
        self.sites: list[Site] = []
        self.too_deep = {routine.name: routine.site for routine in code.routines}
        """Where each function says that calls are nested too deeply,"""
        self.numbers_of: dict[Site, int] = {}
        """and the numbers of such sites."""
        self.given_by = {routine.name: leaves_of_all(routine.results) for routine in code.routines}
        """What each function gives."""
        self.prints: list[Kind] = []
        self.results: list[ValueType] = []
        self.questions: list[Question] = []
        self.tables: list[Buffer] = []
        self.headers: set[str] = set()
        self.has_exit = False
        self.owned: dict[str, Buffer] = {}
        """The buffers of the function at hand that are freed where it is left, by name."""
        self.moved: set[str] = set()
        """Those whose memory changes hands: their pointers may come to be equal."""
        self.destinations: dict[Buffer, str] = {}
        """Those that begin for the results of the call at hand."""
        self.small_arrays: set[Buffer] = set()
        """The small arrays of known length of the function at hand."""
        self.is_round = False
        """Whether the statements at hand are those of a round of `while`, not of another loop in it."""
        self.printer = LanePrinter(self.spell)
        self.printer.multiplies = not strict_fp

    # --- names ---

    def spell(self, thing: Var | Buffer) -> str:
        """The identifier of a variable or buffer in scope."""
        for scope in reversed(self.scopes):
            if thing.name in scope:
                return scope[thing.name]
        if isinstance(thing, Buffer) and thing.data is not None:
            self.tables.append(thing)
            return self.declare(thing.name, self.globals)
        raise KeyError(thing.name)

    def open(self) -> None:
        """Begin a scope."""
        self.scopes.append({})
        self.taken.append(set())
        self.numbers.append({})

    def close(self) -> None:
        """End the innermost scope."""
        self.scopes.pop()
        self.taken.pop()
        self.numbers.pop()

    def declare(self, name: str, scope: dict[str, str] | None = None) -> str:
        """A fresh identifier for a name in a scope, the innermost if none is given."""
        readable = name.replace("⍺", "alpha").replace("⍵", "omega").rstrip(":")
        hint = re.sub(r"[^A-Za-z0-9_]", "_", re.sub(r"(_\d+)+$", "", readable))
        hint = hint if re.match(r"(?!aplc_|[A-Z0-9]+_[A-Z0-9_]+$)[A-Za-z]", hint) else f"x{hint}"
        k = next((numbers[hint] for numbers in reversed(self.numbers) if hint in numbers), 0)
        around = self.around if scope is self.globals else ()
        while self.is_taken(identifier := _numbered(hint, k)) or any(identifier in each for each in around):
            k += 1
        self.numbers[-1][hint] = k
        place = -1 if scope is None else next(k for k, each in enumerate(self.scopes) if each is scope)
        self.scopes[place][name] = identifier
        self.taken[place].add(identifier)
        self.declared.append((identifier, name))
        return identifier

    def is_taken(self, identifier: str) -> bool:
        """Whether an identifier has a meaning already."""
        if any(identifier in taken for taken in self.taken):
            return True
        return identifier in RESERVED or OF_A_HEADER.fullmatch(identifier) is not None

    # --- lines ---

    def line(self, text: str) -> None:
        """One more line, indented."""
        self.lines.append("    " * self.level + text)

    def text(self, exp: Exp) -> str:
        """The C of an expression."""
        return self.printer.text(exp)

    def fail(self, head: str, site: Site, values: list[str], items: Sequence[str] = ()) -> None:
        """Leave the program with an APL error, which tells the items in which it is."""
        number = len(self.sites)
        self.sites.append(site)
        given = f"host, {number}, {values[0]}, {values[1]}"
        if items:
            told = f"{len(items)}, (const int64_t[]){{{', '.join(items)}}}"
            self.leave_with(head, f"aplc_fail_in({given}, {told})")
        else:
            self.leave_with(head, f"aplc_fail({given})")

    def no_memory(self, head: str, site: Site, extents: list[str]) -> None:
        """Leave the program as there is no memory for an array."""
        if len(extents) == 1:
            self.fail(head, site, [extents[0], "0"])
            return
        number = len(self.sites)
        self.sites.append(site)
        given = f"{len(extents)}, (const int64_t[]){{{', '.join(extents)}}}"
        self.leave_with(head, f"aplc_no_memory(host, {number}, {given})")

    def work_for_host(self) -> None:
        """From here on the thread's memory is that of the run."""
        if self.limited:
            self.line("aplc_work_for(host);")

    def leave_with(self, head: str, call: str) -> None:
        """Leave with what a call gives."""
        if not self.has_exit:
            self.line(head)
            self.line(f"    return {call};")
            return
        self.line(head + " {")
        self.line(f"    status = {call};")
        self.line("    goto done;")
        self.line("}")

    def leave_unless(self, test: str, status: str) -> None:
        """Leave with a status unless a condition holds."""
        head = f"if (!({test}))" if not test.endswith(" == 0") else f"if ({test.removesuffix('== 0')}!= 0)"
        if self.has_exit:
            self.line(head + " {")
            self.line(f"    status = {status};")
            self.line("    goto done;")
            self.line("}")
        else:
            self.line(head)
            self.line(f"    return {status};")

    def stop_unless(self, test: str) -> None:
        """Leave where the host says so."""
        self.leave_unless(test, "APLC_STOPPED")

    def swap(self, first: Buffer, second: Buffer) -> None:
        """Exchange two pointers."""
        a, b = self.spell(first), self.spell(second)
        self.line("{")
        self.line(f"    {STORAGE_TYPES[first.storage]} *const other = {a};")
        self.line(f"    {a} = {b};")
        self.line(f"    {b} = other;")
        self.line("}")

    # --- memory ---

    def without_memory(self, buffer: Buffer, identifier: str) -> str:
        """The declaration of a buffer that has no memory yet."""
        return f"{self.memory_kind(buffer)}{identifier} = {'{0}' if buffer.storage == TABLE else 'NULL'};"

    def memory_kind(self, buffer: Buffer) -> str:
        """What stands before the name of a buffer that has memory of its own."""
        if buffer.storage == TABLE:
            return "aplc_table "
        return f"{STORAGE_TYPES[buffer.storage]} *{'' if buffer.name in self.moved else 'restrict '}"

    def freeing(self, buffer: Buffer) -> str:
        """The end of a buffer's memory."""
        if buffer.storage == TABLE:
            return f"aplc_table_free(&{self.spell(buffer)});"
        return f"free({self.spell(buffer)});"

    # --- functions of the program ---

    def signature(self, routine: l.Routine) -> tuple[list[tuple[str, str]], list[tuple[str, ...]]]:
        """The types and names of what a function takes, and the names of the places of each part of what it
        gives.
        """
        parts: list[tuple[str, str]] = []
        for leaf in leaves_of_all(routine.parameters):
            match leaf:
                case ArrayRef(buffer=buffer, shape=shape):
                    parts.append((f"const {STORAGE_TYPES[buffer.storage]} *", self.declare(buffer.name)))
                    parts += [("int64_t ", self.declare(n.name)) for n in shape if isinstance(n, Var)]
                case ScalarRef(value=Var(name=name, ty=ty)):
                    parts.append((f"{C_TYPES[ty]} ", self.declare(name)))
                case _:
                    raise InternalError("emit-c", "a parameter is no variable")
        targets: list[tuple[str, ...]] = []
        names: tuple[str, ...]
        for k, leaf in enumerate(leaves_of_all(routine.results)):
            if isinstance(leaf, ArrayRef) and leaf.buffer.storage == GROWING:
                parts.append(("aplc_growing *", self.declare(leaf.buffer.name)))
                self.headers.add("aplc_growing.h")
                names = tuple([f"result{k}_n{axis}" for axis in range(len(leaf.shape))])
                parts += [("int64_t *", name) for name in names]
            elif isinstance(leaf, ArrayRef):
                names = (f"result{k}", *[f"result{k}_n{axis}" for axis in range(len(leaf.shape))])
                parts.append((f"{STORAGE_TYPES[leaf.buffer.storage]} **", names[0]))
                parts += [("int64_t *", name) for name in names[1:]]
            else:
                names = (f"result{k}",)
                parts.append((f"{C_TYPES[leaf.value.ty]} *", names[0]))
            targets.append(names)
        for name in [name for names in targets for name in names]:
            self.declare(name)
        return parts, targets

    # --- values that come and go ---

    def result(self, leaf: ArrayRef | ScalarRef) -> None:
        """Part of the value of the program."""
        k = len(self.results)
        kind = _kind_of(leaf)
        assert isinstance(kind, ValueType)
        self.results.append(kind)
        if isinstance(leaf, ScalarRef):
            self.line(f"*({C_TYPES[kind.base]} *)out[{k}].data = {self.text(leaf.value)};")
            return
        data = self.spell(leaf.buffer)
        self.line(f"out[{k}].data = {data};")
        for axis, extent in enumerate(leaf.shape):
            self.line(f"out[{k}].shape[{axis}] = {self.text(extent)};")
        self.line(f"{data} = NULL;")

    def arrays(self, references: tuple[Ref, ...]) -> str:
        """Values as an array of `aplc_array`."""
        parts = []
        for leaf in leaves_of_all(references):
            if isinstance(leaf, ScalarRef):
                parts.append(f"{{({C_TYPES[leaf.value.ty]}[]){{{self.text(leaf.value)}}}, NULL}}")
            else:
                extents = ", ".join([self.text(n) for n in leaf.shape])
                parts.append(f"{{(void *){self.spell(leaf.buffer)}, (int64_t[]){{{extents}}}}}")
        return f"(const aplc_array[]){{{', '.join(parts)}}}"

    def print(self, value: Ref, digits: Exp | None) -> None:
        """Show a value."""
        k = len(self.prints)
        self.prints.append(_kind_of(value))
        shown = "APLC_DIGITS" if digits is None else self.text(digits)
        self.stop_unless(f"aplc_print(host, {k}, {self.arrays((value,))}, {shown}) == 0")

    def run(self, run: RuntimeCall) -> None:
        """A function of the run-time system."""
        self.headers.add(run.header)
        for var in run.written:
            self.line(f"{C_TYPES[var.ty]} {self.declare(var.name)};")
        arguments = [
            self.printer.pointer(a) if isinstance(a, Buffer) else self.text(a) for a in run.arguments
        ]
        arguments += [f"&{self.spell(var)}" for var in run.written]
        host = ["host"] if run.with_host or run.in_threads else []
        name = run.function
        if self.printer.in_loop and run.header in SORTS:  # again and again: the short ones inline
            name = name.replace("aplc_sort_", "aplc_sort_row_")
        call = f"{name}({', '.join([*host, *arguments])})"
        if run.site is None:
            self.line(f"{call};")
        else:
            self.fail(f"if ({call} != 0)", run.site, ["0", "0"])

    def ask(self, ask: HostCall) -> None:
        """A primitive that the host computes; the memory of its result becomes ours."""
        number, k = len(self.sites), len(self.questions)
        self.sites.append(ask.site)
        kinds = tuple([_kind_of(r) for r in ask.arguments])
        self.questions.append(Question(ask.prim, kinds, _kind_of(ask.result), number))
        results = list(leaves(ask.result))
        cells = []
        for leaf in results:
            for var in leaf.shape if isinstance(leaf, ArrayRef) else (leaf.value,):
                assert isinstance(var, Var)
                self.line(f"{C_TYPES[var.ty]} {self.declare(var.name)};")
            if isinstance(leaf, ScalarRef):
                cells.append(f"{{&{self.text(leaf.value)}, NULL}}")
            else:
                cells.append(f"{{NULL, (int64_t[{max(1, len(leaf.shape))}]){{0}}}}")
        self.line("{")
        self.open()
        self.level += 1
        name = self.declare("answer:")  # no variable is called so
        self.line(f"aplc_array {name}[] = {{{', '.join(cells)}}};")
        self.stop_unless(f"aplc_ask(host, {k}, {self.arrays(ask.arguments)}, {name}) == 0")
        for position, leaf in enumerate(results):
            if isinstance(leaf, ArrayRef):
                self.line(f"{self.spell(leaf.buffer)} = aplc_adopt({name}[{position}].data);")
                for axis, var in enumerate(leaf.shape):
                    self.line(f"{self.text(var)} = {name}[{position}].shape[{axis}];")
        self.level -= 1
        self.close()
        self.line("}")

    def invoke(self, invoke: FunctionCall) -> None:
        """A call of a function of the program."""
        self.declare_results(invoke)
        begun = self.begun_destinations(invoke)
        call = self.call(invoke)
        if not begun:
            self.leave_if_failed(call)
            return
        self.line(f"status = {call};")
        for buffer, name in begun.items():
            self.line(f"{self.spell(buffer)} = {name}.data;")
        self.line("if (status != APLC_OK)")
        self.line("    goto done;")

    def begun_destinations(self, invoke: FunctionCall) -> dict[Buffer, str]:
        """New destinations for what a function appends to one and its caller wants as an array, by that."""
        self.destinations = {}
        for leaf, result in zip(leaves_of_all(invoke.results), self.given_by[invoke.function], strict=True):
            if not isinstance(leaf, ArrayRef) or not isinstance(result, ArrayRef):
                continue
            if result.buffer.storage == GROWING and leaf.buffer.storage != GROWING:
                name = self.destinations[leaf.buffer] = self.declare(f"{leaf.buffer.name}:")
                self.line(f"aplc_growing {name} = {{NULL, 0, -1}};")
        return self.destinations

    def leave_if_failed(self, call: str) -> None:
        """Leave with the status of a call unless that is well."""
        if self.has_exit:
            self.line(f"status = {call};")
            self.line("if (status != APLC_OK)")
            self.line("    goto done;")
        else:
            name = self.declare("failed")
            self.line(f"const int {name} = {call};")
            self.line(f"if ({name} != APLC_OK)")
            self.line(f"    return {name};")

    def declare_results(self, invoke: FunctionCall) -> None:
        """The variables that a call gives values."""
        for leaf in leaves_of_all(invoke.results):
            for var in leaf.shape if isinstance(leaf, ArrayRef) else (leaf.value,):
                assert isinstance(var, Var)
                self.line(f"{C_TYPES[var.ty]} {self.declare(var.name)};")

    def call(self, invoke: FunctionCall) -> str:
        """The call itself."""
        return self.called_at(
            invoke, f"{self.globals[invoke.function]}({', '.join(['host', *self.given(invoke)])})"
        )

    def called_at(self, invoke: FunctionCall, call: str) -> str:
        """The text of a call, or of what makes it, so that its own place is told where calls are too deep."""
        own = self.too_deep[invoke.function]
        if invoke.site is own:
            return call
        return f"aplc_called(host, {call}, {self.number_of(own)}, {self.number_of(invoke.site)})"

    def number_of(self, site: Site) -> int:
        """The number of a site that several places have."""
        if site not in self.numbers_of:
            self.numbers_of[site] = len(self.sites)
            self.sites.append(site)
        return self.numbers_of[site]

    def given(self, invoke: FunctionCall) -> list[str]:
        """What a call takes, and where it puts what it gives."""
        parts = []
        for leaf in leaves_of_all(invoke.arguments):
            if isinstance(leaf, ScalarRef):
                parts.append(self.text(leaf.value))
            else:
                memory = self.spell(leaf.buffer)
                begin = memory if leaf.start is None else f"&{memory}[{self.text(leaf.start)}]"
                parts += [begin, *[self.text(n) for n in leaf.shape]]
        for leaf in leaves_of_all(invoke.results):
            if isinstance(leaf, ArrayRef):
                parts.append(self.place_of(leaf.buffer))
            given = leaf.shape if isinstance(leaf, ArrayRef) else (leaf.value,)
            parts += [f"&{self.text(var)}" for var in given]
        return parts

    def place_of(self, result: Buffer) -> str:
        """Where a call puts an array."""
        if result.storage == GROWING:
            return self.spell(result)
        return f"&{self.destinations.get(result) or self.spell(result)}"


def _numbered(hint: str, k: int) -> str:
    """The identifier with a beginning and a number; the first has none."""
    if k == 0:
        return hint
    return f"{hint}x{k}" if hint[-1].isdigit() else f"{hint}{k}"


def _kind_of(reference: Ref) -> Kind:
    """The type of a value that is handed over."""
    match reference:
        case ArrayRef(buffer=buffer, shape=shape):
            own = buffer.storage if shape and buffer.storage != buffer.ty.dtype else ""
            return ValueType(buffer.ty, len(shape), own)
        case ScalarRef(value=exp):
            return ValueType(exp.ty, 0)
        case TupleRef(items=items, is_nested=is_nested, records=records):
            kinds = tuple([_kind_of(item) for item in items])
            if records is not None:
                return RecordsKind(kinds, records.rank.const, records.axis)
            return NestedKind(kinds) if is_nested else kinds
