"""Functions that are cut out of others: their state while they are written, what they take, and one function
for all places that need the same.

Note [Equal functions]
    Loops over arrays of arrays come again and again, with other names: each level of nesting copies rows,
    counts items and adds up extents. Two functions whose texts differ in nothing but the names of their
    variables are one, as in LLVM's MergeFunctions, which compares them after they have been compiled; here
    the C compiler does not see the second one. What they mention of the program around them, such as tables
    of constants and numbers of error sites, is part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from aplc.backends.c.emit import Emitter
from aplc.backends.c.mentions import mentioned_things
from aplc.backends.c.types import C_TYPES, STORAGE_TYPES, stored
from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import TABLE, Buffer, Var
from aplc.tail.types import Base

LONG = 8
"""The statements inside a long loop."""

WORD = re.compile(r"(?<!->)(?<!\.)\b[A-Za-z_]\w*\b(?!:)")
"""What may be the name of a variable: no member of a structure, and no operator of a reduction."""


class FunctionEmitter(Emitter):
    """Statements and functions, with functions that are cut out of those."""

    def __init__(self, code: l.Code, strict_fp: bool, limited: bool = False) -> None:
        super().__init__(code, strict_fp, limited)
        self.functions: dict[str, str] = {}
        """The functions so far, by their texts in terms of the places of their variables."""
        self.own: set[str] = set()
        """The identifiers of the variables of the function at hand."""

    def declare(self, name: str, scope: dict[str, str] | None = None) -> str:
        """A fresh identifier, of the function at hand if it is none of the program."""
        identifier = super().declare(name, scope)
        if scope is not self.globals:
            self.own.add(identifier)
        return identifier

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Another function is written meanwhile."""
        outside = self.lines, self.level, self.scopes, self.taken, self.numbers, self.owned, self.has_exit
        others = self.around, self.own
        printer = self.printer
        printed = printer.in_loop, printer.in_lanes, printer.bounds
        self.around, self.own = [*self.around, *self.taken[1:]], set()
        self.lines, self.level, self.scopes = [], 1, [self.globals, {}]
        self.taken, self.numbers, self.owned, self.has_exit = [self.taken[0], set()], [{}, {}], {}, False
        printer.in_loop, printer.in_lanes, printer.bounds = False, False, None
        yield
        printer.in_loop, printer.in_lanes, printer.bounds = printed
        self.lines, self.level, self.scopes, self.taken, self.numbers, self.owned, self.has_exit = outside
        self.around, self.own = others

    def finished(self, hint: str, kind: str, heads: Sequence[str], share: int | None = None) -> str:
        """The name of the function at hand, which is whole: see Note [Equal functions]. A section is in one
        share of the program.
        """
        head, places = f"({', '.join(heads) or 'void'}) {{", dict[str, str]()

        def by_place(word: re.Match[str]) -> str:
            name = word.group()
            return places.setdefault(name, f"${len(places)}") if name in self.own else name

        key = WORD.sub(by_place, "\n".join([kind + head, *self.lines]))
        if key not in self.functions:
            self.functions[key] = name = self.declare(hint, self.globals)
            start = f"{self.linkage(share)} {kind} {name}{head}"
            self.parts += [*in_share(share, [start, *self.lines, "}"], f"{start.removesuffix(' {')};"), ""]
        return self.functions[key]

    def linkage(self, share: int | None) -> str:
        """What stands before the type of the function at hand."""
        return "static APLC_APART" if share is None else "APLC_SECTION"

    def needs(self, statements: Sequence[l.Stm], ours: Collection[str]) -> list[Var | Buffer]:
        """What statements mention of the function at hand, but for names of their own."""
        return [t for t in mentioned_things((*statements,)) if t.name not in ours and self.is_in_scope(t)]

    def is_in_scope(self, thing: Var | Buffer) -> bool:
        """Whether something is declared in the function at hand."""
        return any(thing.name in scope for scope in self.scopes[1:])

    def parameter_name(self, thing: Var | Buffer) -> str:
        """The identifier of a parameter, without the number that what it stands for has in the program."""
        identifier = self.declare(f"{unnumbered(thing.name)}:")  # no variable is called so
        self.scopes[-1][thing.name] = identifier
        return identifier

    def heads(
        self, things: Sequence[Var | Buffer], written: set[str], mutable: set[str], *, packs: bool = False
    ) -> list[str]:
        """The declarations of parameters, which are `const` unless the function writes to them. Those of a
        loop in packs are not restricted: see Note [Packs in functions].
        """
        kinds = [self.kind_of(thing, written, mutable, packs=packs) for thing in things]
        return [kind + self.parameter_name(thing) for kind, thing in zip(kinds, things, strict=True)]

    def kind_of(
        self, thing: Var | Buffer, written: set[str], mutable: Collection[str] = (), *, packs: bool = False
    ) -> str:
        """What stands before the name of a parameter."""
        if isinstance(thing, Var):
            if thing.name in mutable:
                return f"{self.mutable_type(thing)} "
            return f"const {C_TYPES[thing.ty] if thing.ty is Base.BOOL else self.mutable_type(thing)} "
        if thing.storage == TABLE:
            return "const aplc_table "
        const = "" if thing.name in written else "const "
        restrict = "" if packs or thing.name in self.moved else "restrict "
        return f"{const}{STORAGE_TYPES[thing.storage]} *{restrict}"

    def mutable_type(self, var: Var) -> str:
        """The C type with which a variable has been declared, if it is assigned to."""
        if var.ty is Base.INT:
            width = self.printer.ranges.widths.get(var.name, 64)
            return STORAGE_TYPES[self.printer.storages.get(var.name, f"int{width}")]
        return stored(var.ty)


def is_long(loop: l.For) -> bool:
    """Whether a loop has many statements in it, beside which a call is nothing."""
    return sum(1 for _ in within(loop.body)) >= LONG


def in_share(share: int | None, lines: Sequence[str], otherwise: str = "") -> list[str]:
    """Lines that are those of one share of a program, and what stands in the other one."""
    if share is None:
        return [*lines]
    return [f"#if APLC_IN_SHARE({share})", *lines, *(["#else", otherwise] if otherwise else []), "#endif"]


def unnumbered(name: str) -> str:
    """A name without the numbers that it has in the program: `v_n` for `v958_n`, `s` for `s_3`."""
    return re.sub(r"(?<=[A-Za-z])\d+(?=_|$)", "", re.sub(r"(_\d+)+$", "", name))


def written_by(statements: tuple[l.Stm, ...]) -> set[str]:
    """The names of the buffers to which statements may write."""
    found = set()
    for statement in within(statements):
        match statement:
            case l.Store(buffer=buffer):
                found.add(buffer.name)
            case RuntimeCall(arguments=arguments, only_reads=kept):
                found |= {a.name for a in arguments if isinstance(a, Buffer) and a not in kept}
            case _:
                pass
    return found
