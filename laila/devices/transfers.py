"""Transfers: what the host tells a device with memory of its own about the arrays that kernels use.

    fresh b     behind an allocation: nothing is in it yet
    read b      before the host reads it: what a kernel has written comes to the host
    change b    before the host writes it, too: what the device has of it is no longer right
    drop b      before it is freed

The host asks for them as it asks for a kernel to be started. Which copy of an array is right is known only
when the program runs; a statement without kernels in it, a loop perhaps, needs one question for each array.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from aplc.laila.devices.kernels import Offloaded, not_here, written_by
from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Empty,
    ForEach,
    Free,
    FunctionCall,
    HostCall,
    If,
    Move,
    Output,
    Ref,
    RuntimeCall,
    Statement,
    Swap,
    TupleRef,
    While,
)
from aplc.laila.ir.scalar import Buffer, Site
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import everywhere, leaves
from aplc.tail.faults import NO_MEMORY
from aplc.tail.prims import Prim
from aplc.tail.unify import parse_scheme


def _question(name: str) -> Prim:
    return Prim(name, (parse_scheme("int → int"),), not_here)


FRESH, READ, CHANGE, DROP = [_question(name) for name in ("fresh", "read", "change", "drop")]


def with_transfers(offloaded: Offloaded, make: ExprBuilder, *, on_device: bool = False) -> Offloaded:
    """The program with the questions about memory, where a device has its own; `on_device` says whether
    inputs may be there at first, and results in the end.
    """
    launches = frozenset(id(kernel.launch) for kernel in offloaded.kernels)
    shared = {
        b
        for kernel in offloaded.kernels
        for b, length in zip(kernel.arrays, kernel.lengths, strict=True)
        if not length
    }
    if on_device:
        shared |= {q.buffer for q in offloaded.program.parameters}
    statements = offloaded.program.statements
    moves = [s for s in everywhere(statements) if isinstance(s, Move | Swap)]
    pairs = [(s.target, s.source) if isinstance(s, Move) else (s.first, s.second) for s in moves]
    while more := {b for pair in pairs if shared & set(pair) for b in pair} - shared:
        shared |= more
    own = {b for kernel in offloaded.kernels for b, n in zip(kernel.arrays, kernel.lengths, strict=True) if n}
    asked = _Transfers(make, shared - own, launches, on_device=on_device).block(statements)
    return replace(offloaded, program=replace(offloaded.program, statements=asked))


class _Transfers:
    def __init__(
        self, make: ExprBuilder, shared: set[Buffer], launches: frozenset[int], *, on_device: bool
    ) -> None:
        self.make, self.shared, self.launches, self.on_device = make, shared, launches, on_device
        self.without: frozenset[Buffer] = frozenset()
        """The buffers that have no memory here, on whatever way."""

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with what the host says before and behind them."""
        result: list[Statement] = []
        for statement in statements:
            match statement:
                case Alloc(buffer=buffer):
                    self.without -= {buffer}
                    result += [statement, *self.ask(FRESH, (buffer,))]
                case Free(buffer=buffer):
                    result += [*self.ask(DROP, (buffer,)), statement]
                case Move(target=target, source=source):
                    result += [*self.ask(DROP, {target} - self.without), statement]
                    self.without = self.without - {target} | {source}
                case Empty(buffer=buffer):
                    self.without |= {buffer}
                    result.append(statement)
                case Swap(first=first, second=second):
                    self.without -= {first, second}
                    result.append(statement)
                case Output(is_result=True) if self.on_device:
                    result.append(statement)
                case HostCall(prim=prim) if id(prim) in self.launches:
                    result.append(statement)
                case If(then=then, other=other):  # only the branch that runs uses anything
                    before = self.without
                    chosen, after = self.block(then), self.without
                    self.without = before
                    inside = replace(statement, then=chosen, other=self.block(other))
                    self.without &= after
                    result += [*self.uses(replace(statement, then=(), other=())), inside]
                case While(body=body) if self.has_kernels(statement):
                    condition = self.uses(replace(statement, body=()))  # evaluated before each round
                    result += [*condition, replace(statement, body=(*self.rounds(body), *condition))]
                case ForEach(body=body) if self.has_kernels(statement):
                    extents = self.uses(replace(statement, body=()))
                    result += [*extents, replace(statement, body=self.rounds(body))]
                case _:
                    self.without -= {*_results(statement)}
                    result += [*self.uses(statement), statement]
        return tuple(result)

    def rounds(self, body: Sequence[Statement]) -> tuple[Statement, ...]:
        """The body of a loop, which may run never, and what has no memory in one round may have some in the
        next.
        """
        self.without -= {b for s in everywhere(body) for b in _given_memory(s)}
        before = self.without
        asked = self.block(body)
        self.without &= before
        return asked

    def has_kernels(self, statement: Statement) -> bool:
        """Whether a statement starts kernels, or changes memory about which the device is asked."""
        return any(
            isinstance(s, Alloc | Free | Move | Swap)
            or (isinstance(s, HostCall) and id(s.prim) in self.launches)
            for s in everywhere((statement,))
        )

    def uses(self, statement: Statement) -> list[Statement]:
        """What the host says before it runs a statement itself."""
        everything = list(everywhere((statement,)))
        changed = {b for s in everything for b in written_by(s)}
        changed |= {b for s in everything if isinstance(s, RuntimeCall) for b in mentioned(s)}
        new = {b for s in everything for b in _results(s)}
        used = [b for b in mentioned(statement) if b not in new]
        reads = [b for b in used if b not in changed]
        return [*self.ask(READ, reads), *self.ask(CHANGE, [b for b in used if b in changed])]

    def ask(self, prim: Prim, buffers: Iterable[Buffer]) -> list[Statement]:
        """A question about those of the buffers that kernels use; arrays are handed over by address."""
        one = self.make.one
        return [
            HostCall(prim, (ArrayRef(buffer, (one,)),), TupleRef(()), Site(NO_MEMORY, "", None))
            for buffer in dict.fromkeys(buffers)
            if buffer in self.shared and buffer.data is None
        ]


def _given_memory(statement: Statement) -> list[Buffer]:
    """The buffers that have memory behind a statement, and perhaps had none before it."""
    match statement:
        case Alloc(buffer=buffer):
            return [buffer]
        case Move(target=target):
            return [target]
        case Swap(first=first, second=second):
            return [first, second]
        case _:
            return _results(statement)


def _results(statement: Statement) -> list[Buffer]:
    """The buffers that a statement binds to memory of its own."""
    match statement:
        case HostCall(result=result):
            results: tuple[Ref, ...] = (result,)
        case FunctionCall(results=results):
            pass
        case _:
            results = ()
    return [leaf.buffer for r in results for leaf in leaves(r) if isinstance(leaf, ArrayRef)]
