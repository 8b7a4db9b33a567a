"""The most memory that a program has at once besides its inputs, as formulas in extents.

Statements are walked in order with the buffers that live. Of a choice the larger side counts, of a loop one
round. What run-time functions and the host take for themselves does not count, nor do calls of functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Free,
    FunctionCall,
    HostCall,
    If,
    Move,
    Ref,
    Statement,
    Swap,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, leaves, own_expressions, statements_of
from aplc.tail import prims as p


@dataclass(slots=True)
class Memory:
    """The buffers that live at a point of a program, and the most that lived at once so far."""

    make: ExprBuilder
    live: dict[str, Exp] = field(default_factory=dict)
    peaks: list[Exp] = field(default_factory=list)

    def run(self, statements: Sequence[Statement]) -> None:
        """Go through statements."""
        for statement in statements:
            self._step(statement)

    def largest(self) -> tuple[Exp, ...]:
        """The formulas of which none is known to be at most another one; none if nothing is allocated."""
        kept: list[Exp] = []
        for peak in dict.fromkeys(self.peaks):
            if not any(self.make.at_least(other, peak) for other in kept):
                kept = [other for other in kept if not self.make.at_least(peak, other)]
                kept.append(peak)
        return tuple(kept)

    def _step(self, statement: Statement) -> None:
        inside = [n for n in nodes(*own_expressions(statement)) if isinstance(n, BlockExp)]
        for sequence in inside:
            before = dict(self.live)
            self.run(statements_of(sequence))
            self.live = before
        match statement:
            case Alloc(buffer=buffer, size=size):
                self._add(buffer, size)
            case Free(buffer=buffer):
                self.live.pop(buffer.name, None)
            case Move(target=target, source=source):
                self.live.pop(target.name, None)
                if source.name in self.live:
                    self.live[target.name] = self.live.pop(source.name)
            case Swap(first=first, second=second):
                a, b = self.live.pop(first.name, None), self.live.pop(second.name, None)
                self.live |= {name: n for name, n in ((first.name, b), (second.name, a)) if n is not None}
            case HostCall(result=result):
                self._given((result,))
            case FunctionCall(results=results):
                self._given(results)
            case If(then=then, other=other):
                self._choose(then, other)
            case _:
                for body in bodies(statement):
                    self.run(body)

    def _choose(self, then: Sequence[Statement], other: Sequence[Statement]) -> None:
        """Either side; a buffer may then be as large as in the one in which it is larger."""
        before = dict(self.live)
        self.run(then)
        first, self.live = self.live, before
        self.run(other)
        for name, size in first.items():
            found = self.live.get(name)
            self.live[name] = size if found is None or found is size else self.make.call(p.MAXI, size, found)

    def _add(self, buffer: Buffer, size: Exp) -> None:
        make = self.make
        self.live[buffer.name] = make.mul(make.const(buffer.item_bytes), size)
        total: Exp = make.zero
        for each in self.live.values():
            total = make.add(total, each)
        self.peaks.append(total)

    def _given(self, references: Sequence[Ref]) -> None:
        for leaf in [leaf for reference in references for leaf in leaves(reference)]:
            if isinstance(leaf, ArrayRef):
                self._add(leaf.buffer, self.make.product(leaf.shape))
