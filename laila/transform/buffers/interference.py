"""Which buffers interfere: one gets memory where what another holds is still wanted.

The statements are walked against their order with the buffers that are live, in two sets: for a loop that
goes on behind this round, and for one that ends. A loop of which a variable says whether it goes on is known
to end where that has become false, so that what the next round reads is not live there:

    while going { … if c { take r from a; going := false } else { … a … } }        a and r do not interfere

A buffer is live from where it gets memory to its last mention. Memory that nobody wants any more, which a
`free` or a new definition releases, is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.liveness import buffers_read, introduced, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Empty,
    ForEach,
    Free,
    HostLet,
    If,
    Move,
    Statement,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.scalar import Buffer, Const, Var
from aplc.laila.ir.statements import own_expressions, within

Buffers = frozenset[Buffer]


@dataclass(frozen=True, slots=True)
class Live:
    """The live buffers, if the loop around the statements goes on and if this is its last round."""

    on: Buffers
    over: Buffers

    def both(self) -> Buffers:
        """Those that are live in either case."""
        return self.on | self.over

    def without(self, *buffers: Buffer) -> Live:
        """What is live in front of new memory for buffers."""
        return Live(self.on.difference(buffers), self.over.difference(buffers))

    def using(self, buffers: Sequence[Buffer]) -> Live:
        """What is live in front of a use."""
        return Live(self.on.union(buffers), self.over.union(buffers)) if buffers else self


@dataclass(slots=True)
class Interference:
    """The buffers of a sequence of statements that interfere."""

    found: dict[Buffer, set[Buffer]] = field(default_factory=dict)
    is_on: bool = False
    """Whether the loop around the statement at hand is known to go on there: nothing before has ended it."""

    def between(self, these: Sequence[Buffer], those: Sequence[Buffer]) -> bool:
        """Whether one buffer interferes with one of others."""
        return any(not self.found.get(a, set()).isdisjoint(those) for a in these)

    def defined(self, buffer: Buffer, live: Live, *others: Buffer) -> None:
        """A buffer gets memory where others are live."""
        for other in ((live.on if self.is_on else live.both()) | set(others)) - {buffer}:
            self.found.setdefault(buffer, set()).add(other)
            self.found.setdefault(other, set()).add(buffer)

    def block(self, statements: Sequence[Statement], live: Live, going: str = "") -> Live:
        """Walk through a sequence with what is live behind it, and `going` the name of the variable that says
        whether the loop around it goes on; what is live in front of it.
        """
        was_on = self.is_on
        ended = next((k for k, s in enumerate(statements) if _assigns(s, going)), len(statements))
        for at in reversed(range(len(statements))):
            statement = statements[at]
            self.is_on = was_on and at <= ended
            if isinstance(statement, While):
                live = self.rounds(statement, live, is_entered=_is_entered(statement, statements[:at]))
            else:
                live = self.statement(statement, live, going)
        self.is_on = was_on
        return live

    def statement(self, statement: Statement, live: Live, going: str) -> Live:
        """Walk through a statement that is not a `while`."""
        match statement:
            case Assign(var=var, value=value) if var.name == going:
                if isinstance(value, Const):
                    chosen = live.on if value.value else live.over
                    return Live(chosen, chosen)
                return Live(live.both(), live.both()).using(buffers_read(value))
            case Alloc(buffer=buffer, size=size):
                self.defined(buffer, live)
                return live.without(buffer).using(buffers_read(size))
            case Empty(buffer=buffer) | Free(buffer=buffer):
                return live.without(buffer)
            case Move(target=target, source=source):
                self.defined(target, live)
                return live.without(target).using((source,))
            case Swap(first=first, second=second):
                self.defined(first, live, second)
                self.defined(second, live, first)
                return live.using((first, second))
            case If(then=then, other=other):
                one, two = self.block(then, live, going), self.block(other, live, going)
                joined = Live(one.on | two.on, one.over | two.over)
                return joined.using(buffers_read(*own_expressions(statement)))
            case ForEach(body=body, scratch=scratch):
                used = [*buffers_read(*own_expressions(statement)), *scratch]
                around = live.both().union(used)
                self.is_on = False
                while True:
                    head = around | self.block(body, Live(around, around)).on
                    if head == around:
                        return Live(head, head)
                    around = head
            case _:
                new = introduced(statement)
                for buffer in new:
                    self.defined(buffer, live, *new)
                return live.without(*new).using([b for b in mentioned(statement) if b not in new])

    def rounds(self, loop: While, live: Live, *, is_entered: bool) -> Live:
        """Walk through a loop, whose first round is certain or not."""
        over = live.both()
        going = loop.cond.name if isinstance(loop.cond, Var) else ""
        asked = frozenset((*buffers_read(loop.cond), *loop.scratch))
        head, was_on = asked, self.is_on
        self.is_on = bool(going)
        while True:
            on = head if going else head | over | asked
            before = self.block(loop.body, Live(on, over if going else on), going).on | asked
            if before <= head:
                break
            head |= before
        self.is_on = was_on
        return Live(head, head) if is_entered else Live(head | over, head | over)


def _assigns(statement: Statement, name: str) -> bool:
    """Whether a variable gets a value in a statement."""
    if not name:
        return False
    return any(isinstance(s, Assign) and s.var.name == name for s in within((statement,)))


def _is_entered(loop: While, before: Sequence[Statement]) -> bool:
    """Whether the variable that a loop asks is true where it begins."""
    if not isinstance(loop.cond, Var):
        return False
    for statement in reversed(before):
        if isinstance(statement, Variable | Assign | HostLet) and statement.var.name == loop.cond.name:
            return isinstance(statement.value, Const) and bool(statement.value.value)
        if isinstance(statement, If | While | ForEach):
            return False
    return False
