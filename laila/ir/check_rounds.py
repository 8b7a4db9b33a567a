"""Checks that no iteration of a loop reads state that the same iteration has already overwritten.

The state of a loop changes at once (see `parallel_copy`). A round computes what is next from what is there,
and then changes it; who reads an extent, a scalar or an array behind its change reads the state of the next
round:

    while k < 3 { MAP b[…] = … m, n …; take a from b; m := n; n := m }        n := m is refused

State is what is declared outside the loop and assigned to in it, and memory of outside that changes hands.
Exchanges of memory, one after the other, read nothing, and what is noted of memory goes along with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.check import Checked
from aplc.laila.ir.liveness import buffers_read, introduced, named
from aplc.laila.ir.program import Assign, Free, Move, Program, Statement, Swap, While
from aplc.laila.ir.scalar import Buffer, FreeVars
from aplc.laila.ir.statements import bodies, bound, own_expressions, statements_of, within
from aplc.tail.errors import InternalError


def check_rounds(program: Program, stage: str, checked: Checked, *, is_shared: bool = False) -> None:
    """Verify the loops of a program after a stage, which is named in the `InternalError` otherwise.

    Where memory `is_shared`, as `buffer_coalescing` makes it, the state of an inner loop may lie in that of
    the outer one, which then has its next value before the round is over: only scalars and extents are looked
    at. Expressions that are `checked` are not looked into again.
    """
    for block in (program.statements, *[f.statements for f in program.functions]):
        for statement in _everywhere(block, checked):
            if isinstance(statement, While):
                _Round(stage, checked.free, *_declared(statement.body), is_shared).block(statement.body)


def _everywhere(block: Sequence[Statement], checked: Checked) -> Iterator[Statement]:
    """The statements, those inside them, and those inside expressions, of which some may come again."""
    for statement in within(block):
        yield statement
        for root in own_expressions(statement):
            for sequence in checked.facts(root).sequences:
                yield from within(statements_of(sequence))


def _declared(body: Sequence[Statement]) -> tuple[frozenset[str], frozenset[Buffer]]:
    """The variables and the buffers that begin in a round."""
    inner = list(within(body))
    names = [v.name for s in inner if not isinstance(s, Assign) and not bodies(s) for v in bound(s)]
    return frozenset(names), frozenset([b for s in inner for b in introduced(s)])


@dataclass(slots=True)
class _Round:
    """A round as far as it has come: what of the state it has changed."""

    stage: str
    free: FreeVars
    own_names: frozenset[str]
    own_buffers: frozenset[Buffer]
    is_shared: bool
    changed: set[str] = field(default_factory=set)
    exchanged: set[Buffer] = field(default_factory=set)
    replaced: set[Buffer] = field(default_factory=set)

    def block(self, statements: Sequence[Statement]) -> None:
        """Statements, one after the other."""
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        """What a statement reads must be unchanged; then what it changes."""
        roots = own_expressions(statement)
        for name in sorted({name for root in roots for name in self.free.names(root)} & self.changed):
            raise InternalError(self.stage, f"{name} is read after it has changed in the same round")
        gone = self.exchanged | self.replaced
        match statement:
            case Swap(first=first, second=second):
                self.unchanged({first, second} & self.replaced)
                self.exchanged |= {first, second} - self.own_buffers
            case Move(target=target, source=source):
                self.unchanged({source} & gone)
                self.replaced |= {target} - self.own_buffers
            case Assign(var=var, of_memory=False):
                self.changed |= {var.name} - self.own_names
            case Free() | Assign():
                pass
            case _:
                self.unchanged({*named(statement), *buffers_read(*roots)} & gone if gone else set())
        self.branches(statement)

    def branches(self, statement: Statement) -> None:
        """The statements inside one: each sequence of them begins here."""
        sides = [
            _Round(
                self.stage,
                self.free,
                self.own_names,
                self.own_buffers,
                self.is_shared,
                set(self.changed),
                set(self.exchanged),
                set(self.replaced),
            )
            for _ in bodies(statement)
        ]
        for side, body in zip(sides, bodies(statement), strict=True):
            side.block(body)
            self.changed |= side.changed
            self.exchanged |= side.exchanged
            self.replaced |= side.replaced

    def unchanged(self, wrong: set[Buffer]) -> None:
        """None of these may have changed."""
        if wrong and not self.is_shared:
            names = ", ".join(sorted([b.name for b in wrong]))
            raise InternalError(
                self.stage, f"{names} is used after its memory was exchanged in the same round"
            )
