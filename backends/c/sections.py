"""Long programs in sections, each a function of its own.

Note [Sections]
    A C compiler takes longer for a statement the longer its function is (Note [Long loops apart] of `apart`).
    So the statements of a long program are cut into sections, functions that are called one after the other:

        a = …; n = f(a); …; b = g(a, n); …
        →   static int section(double **a_place, int64_t *n_place) {
                double *a = *a_place; …; a = …; const int64_t n = f(a); …; *n_place = n;
            done: *a_place = a; return status;
            }
            static int section1(const double *a, const int64_t n) { …; b = g(a, n); …; done: free(b); … }

    A section takes by value what it only reads. There are places for what others want of it, and for memory
    that it makes or gives away for others. Memory of one section alone is freed where that ends. Nothing is
    cut while a small array of known length is in use, which stands where it is declared.

    The first sections and the last ones are two shares of the program, which are compiled at the same time.
    Other functions are in both, as far as they are called there.

    What a section takes is found while it is written: whatever is spelled that it has not declared itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate

from aplc.backends.c.functions import FunctionEmitter, in_share, unnumbered, written_by
from aplc.backends.c.mentions import allocated, mentioned_things
from aplc.backends.c.types import C_TYPES
from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import ArrayRef
from aplc.laila.ir.scalar import Buffer, Var
from aplc.laila.ir.statements import leaves

MANY = 500
"""The statements of a program that is cut."""

SECTION = 200
"""The least statements of a section."""

NEAR = 100
"""A cut may come so many statements later, where fewer names are in use."""

HOST = (("aplc_host *", "host"), ("const aplc_array *", "in"), ("aplc_array *", "out"))
"""What the program is given."""


@dataclass(slots=True, eq=False)
class _Section:
    """What is known of a section while it and others are written."""

    changed: set[str]
    """The variables that it assigns to, and the buffers whose memory it makes, moves or gives away,"""
    written: set[str]
    """and the buffers to whose elements it writes."""
    things: dict[str, Var | Buffer] = field(default_factory=dict)
    """What it takes from around it, by name, in the order of the text,"""
    given: dict[str, Var] = field(default_factory=dict)
    """and its variables that later sections take."""
    lines: list[str] = field(default_factory=list)
    scope: dict[str, str] = field(default_factory=dict)
    """The identifiers of what it takes, and of what it declares outside of loops,"""
    taken: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    """and all that it has."""


class SectionEmitter(FunctionEmitter):
    """Statements and functions, with those of sections."""

    def begin(self, statements: tuple[l.Stm, ...]) -> None:
        """The state for a new function."""
        super().begin(statements)
        self.section: _Section | None = None
        """The section at hand, unless a function is written for a part of it,"""
        self.sections: list[_Section] = []
        """and those before it."""
        self.outside = self.scopes[1]
        """The identifiers of the program around them."""
        self.types_of: dict[str, str] = {}
        """The C types of variables as they are declared, by name."""

    def main(self, statements: tuple[l.Stm, ...]) -> None:
        """The statements of the program, in sections if there are many."""
        is_long = sum(1 for _ in within(statements)) >= MANY
        parts = list(sections_of(statements)) if is_long else []
        if len(parts) < 2:
            super().main(statements)
            return
        for part in parts:
            self.write(part)
        owned, takers = self.owned, Counter([name for section in self.sections for name in section.things])
        self.owned = {name: buffer for name, buffer in owned.items() if takers[name] > 1}
        self.has_exit = bool(self.owned)
        self.enter()
        for section in self.sections:
            for var in section.given.values():
                self.line(f"{self.type_given(var)} {self.declare(var.name)};")
            alone = [owned[name] for name in section.things if name in owned and name not in self.owned]
            self.leave_if_failed(self.call_of(section, alone))
        self.leave()

    def write(self, statements: tuple[l.Stm, ...]) -> None:
        """The lines of a section, of which it is not known yet what later ones take."""
        owned = self.owned
        changed = changed_by(statements, self.own_statements(statements))
        section = _Section(changed, written_by(statements))
        with self.apart():
            self.section, self.owned, self.has_exit = section, owned, True
            for statement in statements:
                self.statement(statement)
            section.lines, section.scope = self.lines, self.scopes[1]
            section.taken, section.own = self.taken[1], self.own
        self.sections.append(section)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Another function is written meanwhile."""
        section, self.section = self.section, None
        with super().apart():
            yield
        self.section = section

    def type_of(self, declaration: l.Declare) -> str:
        """The C type of a variable, which is noted."""
        self.types_of[declaration.var.name] = found = super().type_of(declaration)
        return found

    def type_given(self, var: Var) -> str:
        """The C type of a variable of a section."""
        return self.types_of.get(var.name, C_TYPES[var.ty])

    # --- what a section takes ---

    def spell(self, thing: Var | Buffer) -> str:
        """The identifier of a variable or buffer; a section takes what is not its own."""
        if self.section is not None and not super().is_in_scope(thing) and self.is_outside(thing):
            self.section.things[thing.name] = thing
            for each in reversed(self.sections):
                if isinstance(thing, Var) and thing.name in each.scope and thing.name not in each.things:
                    each.given[thing.name] = thing
                    break
            return self.declare(thing.name, self.scopes[1])
        return super().spell(thing)

    def is_in_scope(self, thing: Var | Buffer) -> bool:
        """Whether something is declared in the function at hand, or a section may take it."""
        return super().is_in_scope(thing) or (self.section is not None and self.is_outside(thing))

    def is_outside(self, thing: Var | Buffer) -> bool:
        """Whether something is declared around the section at hand, or in one before it."""
        is_known = thing.name in self.outside or thing.name in self.owned
        return is_known or any(thing.name in each.scope for each in self.sections)

    # --- the function of a section ---

    def call_of(self, section: _Section, alone: Sequence[Buffer]) -> str:
        """The call of the function of a section, which is written; some memory is nobody else's."""
        things = [thing for thing in section.things.values() if thing not in alone]
        plain = [thing for thing in things if thing.name not in section.changed]
        placed = [*[thing for thing in things if thing.name in section.changed], *section.given.values()]
        arguments = [*[self.spell(thing) for thing in plain], *[f"&{self.spell(thing)}" for thing in placed]]
        with self.apart():
            self.scopes, self.taken = [self.globals, section.scope], [self.taken[0], section.taken]
            self.own, self.lines = section.own, section.lines
            hosts = [(kind, name) for kind, name in HOST if self.mentions(name)]
            heads = [self.kind_of(thing, section.written) + section.scope[thing.name] for thing in plain]
            places = [self.declare(f"{unnumbered(thing.name)}_place:") for thing in placed]
            pairs = list(zip(placed, places, strict=True))
            heads += [f"{self.kept(thing).replace('restrict ', '')}*{place}" for thing, place in pairs]
            self.lines = self.body_of(section, pairs, alone)
            hosted = [kind + name for kind, name in hosts]
            name = self.finished("section", "int", [*hosted, *heads], self.share_of(section))
        return f"{name}({', '.join([*[name for _, name in hosts], *arguments])})"

    def share_of(self, section: _Section) -> int:
        """The half of the program that a section is in."""
        sizes = [len(each.lines) for each in self.sections]
        return int(2 * sum(sizes[: self.sections.index(section)]) >= sum(sizes))

    def run_of(self, lines: Sequence[str]) -> Sequence[str]:
        """The function that runs the program is in the last share."""
        return in_share(1 if self.sections else None, lines)

    def body_of(
        self, section: _Section, pairs: Sequence[tuple[Var | Buffer, str]], alone: Sequence[Buffer]
    ) -> list[str]:
        """The lines of a section, between what it finds and what it leaves behind."""
        name = section.scope
        exits = any("goto done;" in line for line in section.lines)
        found = [
            *[self.without_memory(buffer, name[buffer.name]) for buffer in alone],
            *[f"{self.kept(t)}{name[t.name]} = *{place};" for t, place in pairs if t.name in section.things],
            *(["int status = APLC_OK;"] if exits else []),
        ]
        left = [(isinstance(t, Buffer), f"*{place} = {name[t.name]};") for t, place in pairs]
        return [
            *[f"    {line}" for line in found],
            *section.lines,
            *[f"    {line}" for is_memory, line in left if not is_memory],
            *(["done:"] if exits else []),
            *[f"    {line}" for is_memory, line in left if is_memory],
            *[f"    {self.freeing(buffer)}" for buffer in alone],
            "    return status;" if exits else "    return APLC_OK;",
        ]

    def kept(self, thing: Var | Buffer) -> str:
        """What declares a variable, or who has memory."""
        return f"{self.type_given(thing)} " if isinstance(thing, Var) else self.memory_kind(thing)


def changed_by(statements: tuple[l.Stm, ...], own: Iterable[l.Stm]) -> set[str]:
    """The variables that statements assign to, and the buffers whose memory those among them that belong to
    a function make, move or give away.
    """
    found = {s.var.name for s in within(statements) if isinstance(s, l.Assign)}
    for statement in own:
        found |= {buffer.name for buffer in allocated(statement)}
        match statement:
            case l.Release(buffer=buffer):
                found.add(buffer.name)
            case l.Emit(value=value, is_result=True):
                found |= {leaf.buffer.name for leaf in leaves(value) if isinstance(leaf, ArrayRef)}
            case _:
                pass
    return found


def sections_of(statements: tuple[l.Stm, ...]) -> Iterator[tuple[l.Stm, ...]]:
    """The statements cut where few names are in use."""
    in_use, is_whole = crossing(statements)
    sizes = [sum(1 for _ in within((s,))) for s in statements]
    start = 0
    while start < len(statements):
        stop, size = start, 0
        while stop < len(statements) and (size < SECTION or is_whole[stop]):
            size += sizes[stop]
            stop += 1
        best, near = stop, 0
        while stop < len(statements) and near < NEAR:
            if not is_whole[stop] and in_use[stop] < in_use[best]:
                best = stop
            near += sizes[stop]
            stop += 1
        if sum(sizes[best:]) < SECTION:
            best = len(statements)
        yield statements[start:best]
        start = best


def crossing(statements: tuple[l.Stm, ...]) -> tuple[list[int], list[bool]]:
    """How many names are in use before each statement, and whether a small array is."""
    first, last, local = dict[str, int](), dict[str, int](), set[str]()
    for k, statement in enumerate(statements):
        names = {thing.name for thing in mentioned_things((statement,))}
        if isinstance(statement, l.Declare):
            names.add(statement.var.name)
        if isinstance(statement, l.Local):
            names.add(statement.buffer.name)
            local.add(statement.buffer.name)
        for name in names:
            first.setdefault(name, k)
            last[name] = k
    changes, fixed = [0] * (len(statements) + 1), [0] * (len(statements) + 1)
    for name, k in first.items():
        for counted in (changes, fixed) if name in local else (changes,):
            counted[k + 1] += 1
            counted[last[name] + 1] -= 1
    return list(accumulate(changes)), [n > 0 for n in accumulate(fixed)]
