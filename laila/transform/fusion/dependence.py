"""The dependence graph of a region: what each statement reads, writes, needs and gives, and which must stand
before which. A choice is a statement that writes what its branches do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir.liveness import changed, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Filter,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Output,
    Part,
    Reduce,
    Scan,
    Space,
    Statement,
    Store,
)
from aplc.laila.ir.scalar import Buffer, Check, Const, Exp, Fold, FreeVars, Var
from aplc.laila.ir.statements import bound, expressions, within
from aplc.laila.lowering.pull import weigh
from aplc.tail.prims import Prim


@dataclass(slots=True)
class Node:
    """A statement of a region, and what fusion asks about it."""

    statement: Statement
    part: Part | None
    """It as part of a fused loop, if it can be one."""
    reads: set[Buffer]
    writes: set[Buffer]
    needs: set[str]
    gives: set[str]
    may_fail: bool
    shows: bool
    """Whether it does something that stays in order."""


def node_of(statement: Statement, free: FreeVars) -> Node:
    """The node of a statement without control flow."""
    reads = set(mentioned(statement))
    writes: set[Buffer] = set()
    match statement:
        case Alloc(buffer=b) | Free(buffer=b) | Map(buffer=b) | Scan(buffer=b) | Filter(buffer=b):
            writes = {b}
        case Store(buffer=b):
            writes = {b}
        case Output(is_result=True):
            writes = reads
        case If():
            writes = {b for s in within((statement,)) for b in changed(s)}
        case _:
            pass
    own = {v.name for s in within((statement,)) for v in bound(s)}
    roots = expressions(statement)
    needs = {v.name for e in roots for v in free.of(e)} - own
    may_fail = isinstance(statement, HostCheck | Alloc) or has_failure(roots)
    shows = isinstance(statement, Output) and not statement.is_result
    return Node(statement, part_of(statement), reads, writes, needs, own, may_fail, shows)


def only_writes(choice: If) -> bool:
    """Whether all that a choice does is to write elements, which cannot fail."""
    inside = [s for s in within((choice,)) if not isinstance(s, If)]
    are_maps = all(isinstance(s, Map) and s.guard is None and not s.ordered for s in inside)
    return are_maps and not has_failure(expressions(choice))


def part_of(statement: Statement) -> Part | None:
    """A statement as part of a loop over an index space, if it can be one."""
    match statement:
        case HostLet(var=var, value=Fold(combine=Prim(), var=index, extent=extent, body=body) as fold):
            return Reduce(var, Space((index,), (extent,)), fold, body)
        case Map(guard=None, ordered=False, space=space) if space.indices:
            return statement
        case Map(guard=guard, ordered=True, space=space) if space.indices and _always_holds(guard):
            return statement
        case Scan(space=space) | Filter(space=space, goes_on=False) if len(space.indices) == 1:
            return statement
        case _:
            return None


def _always_holds(guard: Exp | None) -> bool:
    """Whether elements are changed at all points at which nothing fails."""
    while isinstance(guard, Check):
        guard = guard.value
    return guard is None or (isinstance(guard, Const) and bool(guard.value))


def has_failure(roots: Sequence[Exp]) -> bool:
    """Whether one of some expressions may raise an error."""
    return any(weigh(root).may_fail for root in roots if not isinstance(root, Const | Var))


def dependences(graph: Sequence[Node]) -> list[set[int]]:
    """For each statement those that must stand before it."""
    before: list[set[int]] = []
    writers: dict[Buffer, set[int]] = {}
    readers: dict[Buffer, set[int]] = {}
    givers: dict[str, int] = {}
    checks: set[int] = set()
    failing: set[int] = set()
    raising: set[int] = set()  # all that may fail: what they have checked branches rely on
    showing: set[int] = set()  # the last one: it stands behind all that show before it
    for k, node in enumerate(graph):
        earlier = {givers[name] for name in node.needs if name in givers}
        for buffer in node.reads | node.writes:
            earlier |= writers.get(buffer, set())
        for buffer in node.writes:
            earlier |= readers.get(buffer, set())
        if node.part or node.may_fail:
            earlier |= checks
        if isinstance(node.statement, If):
            earlier |= raising
        if node.shows:
            earlier |= failing | showing
        elif node.may_fail:
            earlier |= showing
        before.append(earlier)
        for buffer in node.writes:
            writers.setdefault(buffer, set()).add(k)
        for buffer in node.reads:
            readers.setdefault(buffer, set()).add(k)
        givers |= dict.fromkeys(node.gives, k)
        if isinstance(node.statement, HostCheck):
            checks.add(k)
        if node.shows:
            showing, failing = {k}, set()
        if node.may_fail:
            failing.add(k)
            raising.add(k)
    return before
