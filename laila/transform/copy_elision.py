"""Copy elision: a copy of an array that is not used again becomes a move of its memory.

Lowering copies an array where it needs one of its own, as the next state of a loop, the value of a branch or
what is changed in place. Whether the old one is used again, on any way that the program can go on from there,
is seen here:

    alloc b; MAP b[i] = a[i]    →    empty b; take b from a         where a is not mentioned before it gets
                                                                    other memory or its life ends

What reads the old array behind a copy may read the new one instead as long as both are the same: up to a map
that changes the new one, and in that as far as an element is made of the one that it replaces.

    alloc b; MAP b[i] = a[i]; MAP b[k×n+j] = a[k×n+j] ÷ x
        →    empty b; take b from a; MAP b[k×n+j] = b[k×n+j] ÷ x
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from aplc.laila.ir.liveness import changed as written
from aplc.laila.ir.liveness import introduced, mentioned
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Empty,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Program,
    Ref,
    Statement,
    Swap,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, PureCall, Read, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import leaves, own_expressions, rebuilt, within
from aplc.laila.ir.substitute import Redirected
from aplc.laila.lowering.pull import from_index
from aplc.laila.transform.hoist import changing_hands, is_local


def without_copies(program: Program, make: ExprBuilder) -> Program:
    """The program with moves instead of copies whose source is dead."""
    hands = changing_hands(program)
    functions = tuple(
        [
            replace(f, statements=_Copies(make, hands, f.statements).block(f.statements, _given(f.results)))
            for f in program.functions
        ]
    )
    statements = _Copies(make, hands, program.statements).block(program.statements, set())
    return replace(program, statements=statements, functions=functions)


def _given(results: Iterable[Ref]) -> set[Buffer]:
    return {leaf.buffer for r in results for leaf in leaves(r) if isinstance(leaf, ArrayRef)}


class _Copies:
    """The copies of one function."""

    def __init__(self, make: ExprBuilder, hands: set[Buffer], statements: Sequence[Statement]) -> None:
        self.make, self.hands = make, hands
        self.ours = _introduced(statements)
        """The buffers whose memory may be given away."""
        self.live: set[Buffer] = set()
        """Those whose memory is used behind the statement at hand."""

    def block(self, statements: Sequence[Statement], live: set[Buffer]) -> tuple[Statement, ...]:
        """Statements with moves; `live` are the buffers used behind them, `self.live` then those before."""
        self.live = live
        result: list[Statement] = []
        behind: list[set[Buffer]] = []
        """What is used behind each of them."""
        before = {s.buffer for s in statements if isinstance(s, Alloc)}
        left = list(statements)
        while left:
            statement = left.pop()
            source = self.copied(statement, left[-1] if left else None, before)
            if source is not None and source in self.live:
                assert isinstance(statement, Map)
                source = source if self.redirected(statement.buffer, source, result, behind) else None
            if source is not None:
                assert isinstance(statement, Map)
                left.pop()
                end = next((k for k in reversed(range(len(result))) if source in mentioned(result[k])), None)
                if end is not None and isinstance(result[end], Free):
                    del result[end], behind[end]  # its life ends here
                result += [Move(statement.buffer, source), Empty(statement.buffer)]
                behind += [set(self.live), set(self.live)]
                self.live.discard(statement.buffer)
                self.live.add(source)
            else:
                behind.append(set(self.live))
                result.append(self.statement(statement))
        return tuple(reversed(result))

    def redirected(
        self, target: Buffer, source: Buffer, after: list[Statement], behind: list[set[Buffer]]
    ) -> bool:
        """Whether what reads an array behind its copy can read the copy, and does so from here on; `after`
        are the statements behind it, the next one last.
        """
        changed: dict[int, Statement] = {}
        for k in reversed(range(len(after))):
            statement = after[k]
            is_simple = isinstance(statement, HostLet | HostCheck | Map)
            is_end = target in (written(statement) if is_simple else mentioned(statement))
            if source in mentioned(statement):
                if not is_simple or source in written(statement):
                    return False
                if contains(BlockExp | PureCall, *own_expressions(statement)):
                    return False
                found = [n for n in nodes(*own_expressions(statement)) if isinstance(n, Read)]
                own = [n for n in found if n.buffer is source]
                if is_end and not (
                    isinstance(statement, Map)
                    and not statement.ordered
                    and all(n.index is statement.position for n in own)
                ):
                    return False
                there = {source: partial(self.make.read, target)}
                changed[k] = rebuilt(statement, Redirected(self.make, there))
            if source not in behind[k]:
                ends = [s for s in after[:k] if source in mentioned(s)]
                if not ends or not isinstance(ends[-1], Free):
                    return False  # its memory goes elsewhere
                break
            if is_end:
                return False
        else:
            return False
        for k, statement in changed.items():
            after[k] = statement
        return True

    def statement(self, statement: Statement) -> Statement:
        """A statement that stays, with moves inside it."""
        live = self.live
        match statement:
            case Free(buffer=buffer) | Alloc(buffer=buffer) | Empty(buffer=buffer):
                live.discard(buffer)
            case Move(target=target, source=source):
                live.discard(target)
                live.add(source)
            case Swap(first=first, second=second):
                one, other = first in live, second in live
                live -= {first, second}
                live |= {b for b, is_used in ((first, other), (second, one)) if is_used}
            case If(then=then, other=otherwise):
                new = self.block(then, set(live))
                after_then = self.live
                statement = replace(statement, then=new, other=self.block(otherwise, set(live)))
                self.live |= after_then | set(mentioned(replace(statement, then=(), other=())))
            case While(body=body) | ForEach(body=body):
                around = live | set(mentioned(statement))  # a later round may be whatever follows
                statement = replace(statement, body=self.block(body, set(around)))
                self.live = around
            case _:
                live |= set(mentioned(statement))
        return statement

    def copied(self, statement: Statement, alloc: Statement | None, before: set[Buffer]) -> Buffer | None:
        """The array that nobody uses behind a statement, if that copies it to new memory as a whole."""
        match statement, alloc:
            case (
                Map(buffer=target, space=space, position=position, body=Read(buffer=source, index=index)),
                Alloc(buffer=new, size=size),
            ) if new is target and index is position and source in self.ours:
                pass
            case _:
                return None
        make = self.make
        is_whole = make.product(space.extents) is size
        is_whole = is_whole and position is from_index(make, space.extents, space.indices)
        if not is_whole or target.asked or source.storage != target.storage or statement.guard is not None:
            return None
        stays_small = is_local(alloc) and target not in self.hands and source not in before
        return None if stays_small else source


def _introduced(statements: Sequence[Statement]) -> set[Buffer]:
    return {buffer for statement in within(statements) for buffer in introduced(statement)}
