"""Buffers between which memory moves, and which do not interfere, are one.

What branches and inner loops do to an array of an outer loop goes through buffers for where they meet:

    empty r; if c { alloc b; MAP b[…] = … a …; take r from b } else { take r from a }; take a from r
        →    if c { alloc b; MAP b[…] = … a …; take a from b }

Such moves name one array: they copy nothing, but hide from what comes next that its memory stays.

Legal: the one buffer lies in the other's scope, and is not memory of a cell of its own of a loop whose cells
are independent; it begins without memory. The memory of the one buffer is freed where its life ends, unless
it is given away there: what gives it away in between gets some again in the same sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.liveness import introduced, mentioned
from aplc.laila.ir.program import Alloc, ArrayRef, Empty, ForEach, Free, Move, Output, Statement
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import Buffer
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, leaves, with_bodies
from aplc.laila.transform.buffers.interference import Interference, Live
from aplc.laila.transform.narrow import Narrowing

Statements = tuple[Statement, ...]
Place = tuple[int, int]
"""A sequence of statements, by number, and a position in it."""


def with_moves_coalesced(statements: Statements, make: ExprBuilder) -> Statements:
    """The statements of a program or a function with one buffer for those between which memory moves."""
    scopes = _Scopes()
    scopes.block(statements, ())
    pairs = [pair for pair in scopes.moves if _are_candidates(*pair, scopes)]
    if not pairs:
        return statements
    interference = Interference()
    interference.block(statements, Live(frozenset(), frozenset()))
    groups = _Groups(scopes, interference)
    for target, source in pairs:
        groups.join(target, source)
    hosts = {b: groups.host[b] for b in scopes.begun if groups.host.get(b, b) is not b}
    if not hosts:
        return statements
    kept = _without(statements, hosts, frozenset(hosts.values()))
    renamed = Narrowing(make, Ranges(is_single=make.settings.is_single), hosts).statements(kept)
    return _ended(renamed, frozenset(hosts.values()))


@dataclass(slots=True)
class _Scopes:
    """Where buffers begin, and the moves between them."""

    begun: dict[Buffer, tuple[Place, ...]] = field(default_factory=dict)
    """The places of the statements around where each begins, from the outermost one, and of that one."""
    empty: set[Buffer] = field(default_factory=set)
    """Those that begin without memory,"""
    odd: set[Buffer] = field(default_factory=set)
    """those that begin otherwise than by asking for memory, or more than once."""
    apart: set[Place] = field(default_factory=set)
    """The loops whose points are independent."""
    moves: list[tuple[Buffer, Buffer]] = field(default_factory=list)
    blocks: list[Sequence[Statement]] = field(default_factory=list)

    def block(self, statements: Sequence[Statement], around: tuple[Place, ...]) -> None:
        """Look through a sequence of statements."""
        number = len(self.blocks)
        self.blocks.append(statements)
        for at, statement in enumerate(statements):
            here = (*around, (number, at))
            for buffer in introduced(statement):
                if buffer in self.begun or not isinstance(statement, Alloc | Empty):
                    self.odd.add(buffer)
                self.begun[buffer] = here
            if isinstance(statement, Empty):
                self.empty.add(statement.buffer)
            if isinstance(statement, Move) and statement.target is not statement.source:
                self.moves.append((statement.target, statement.source))
            if isinstance(statement, ForEach) and statement.independent:
                self.apart.add((number, at))
            for body in bodies(statement):
                self.block(body, here)

    def encloses(self, outer: Buffer, inner: Buffer) -> bool:
        """Whether one buffer begins in the scope of another one, and for each of its rounds alike."""
        *around, (number, at) = self.begun[outer]
        within = self.begun[inner][len(around) :]
        if self.begun[inner][: len(around)] != tuple(around) or not within:
            return False
        (inner_number, inner_at), *_ = within
        return inner_number == number and inner_at > at and self.apart.isdisjoint(within)


def _are_candidates(target: Buffer, source: Buffer, scopes: _Scopes) -> bool:
    """Whether two buffers may be one, as far as their scopes and their elements tell."""
    known = target in scopes.begun and source in scopes.begun and scopes.odd.isdisjoint((target, source))
    return known and _are_alike(target, source)


def _are_alike(a: Buffer, b: Buffer) -> bool:
    return (a.storage, a.lows, a.highs, a.values) == (b.storage, b.lows, b.highs, b.values)


@dataclass(slots=True)
class _Groups:
    """The buffers that are one, under the name of the outermost of them."""

    scopes: _Scopes
    interference: Interference
    host: dict[Buffer, Buffer] = field(default_factory=dict)
    members: dict[Buffer, list[Buffer]] = field(default_factory=dict)

    def join(self, target: Buffer, source: Buffer) -> None:
        """Two buffers between which memory moves, and those that are one with either, are one if they may."""
        first, second = self.host.get(target, target), self.host.get(source, source)
        if first is second:
            return
        if self.scopes.encloses(second, first):
            first, second = second, first
        if second not in self.scopes.empty or not self.scopes.encloses(first, second):
            return
        these, those = self.members.get(first, [first]), self.members.get(second, [second])
        if self.interference.between(these, those):
            return
        together = [*these, *those]
        if not all(_is_refilled(block, set(together)) for block in self.scopes.blocks):
            return
        self.members[first] = together
        for buffer in together:
            self.host[buffer] = first


def _is_refilled(block: Sequence[Statement], group: set[Buffer]) -> bool:
    """Whether memory that a sequence of statements gives away is the last that a buffer has there, or the
    next statement that mentions it gives it some again.
    """
    is_gone = False
    for statement in block:
        match statement:
            case Move(target=target, source=source) if target in group:
                is_gone = is_gone and source in group
            case Move(source=source) if source in group:
                is_gone = True
            case Empty() | Free():
                pass
            case _ if is_gone and not group.isdisjoint(mentioned(statement)):
                return False
            case _:
                pass
    return True


def _without(statements: Statements, hosts: dict[Buffer, Buffer], chosen: frozenset[Buffer]) -> Statements:
    """The statements without the beginnings of what has a host, and without moves in a group."""
    kept: list[Statement] = []
    for statement in statements:
        match statement:
            case Empty(buffer=buffer) if buffer in hosts:
                continue
            case Free(buffer=buffer) if buffer in hosts or buffer in chosen:
                continue
            case Move(target=target, source=source) if hosts.get(target, target) is hosts.get(source, source):
                continue
            case _:
                kept.append(with_bodies(statement, lambda body: _without(body, hosts, chosen)))
    return tuple(kept)


def _ended(block: Statements, chosen: frozenset[Buffer]) -> Statements:
    """The statements with an end for the life of each of some buffers, in the sequence in which it begins."""
    inner = [with_bodies(s, lambda body: _ended(body, chosen)) for s in block]
    begun = {b for s in inner for b in introduced(s) if b in chosen}
    last = {b: k for k, s in enumerate(inner) for b in mentioned(s) if b in begun}
    result: list[Statement] = []
    for k, statement in enumerate(inner):
        result.append(statement)
        ending = [b for b, at in last.items() if at == k and not _gives_away(statement, b)]
        result += [Free(b) for b in ending]
    return tuple(result)


def _gives_away(statement: Statement, buffer: Buffer) -> bool:
    """Whether a statement gives the memory of a buffer to somebody else."""
    match statement:
        case Move(source=source):
            return source is buffer
        case Output(value=value, is_result=True):
            return any(isinstance(leaf, ArrayRef) and leaf.buffer is buffer for leaf in leaves(value))
        case _:
            return False
