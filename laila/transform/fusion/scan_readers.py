"""The scans that may be computed where they are read: by what, and what must stay the same until then.

A scan of a matrix that only some statements behind it read can move to each of these, if nothing in between
changes what it is made of. Memory that ends in between ends behind the readers then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from aplc.laila.ir.liveness import Users, buffers_read, changed
from aplc.laila.ir.program import Alloc, Free, HostLet, Map, Scan, Statement, Store
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Check,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.statements import bound, own_expressions, within
from aplc.laila.lowering.pull import weigh

CHEAP = 8
"""Elements that take more operations than this are computed for one reader only."""

Loops = tuple[tuple[Var, Exp], ...]
"""The indices of the loops around a node, from outside to inside, with their extents."""

Reader = HostLet | Map | Store


@dataclass(frozen=True, slots=True)
class Scanned:
    """A scan of a matrix, and where a block mentions its memory: where that begins and ends, and in between
    the statements that read it.
    """

    scan: Scan
    alloc: Alloc
    at: int
    begin: int
    end: int
    readers: tuple[int, ...]


def scans_of(block: Sequence[Statement], users: Users) -> dict[Buffer, Scanned]:
    """The scans of matrices in a block that others only read, each at elements."""
    found: dict[Buffer, Scanned] = {}
    scans = [(k, s) for k, s in enumerate(block) if isinstance(s, Scan) and len(s.space.indices) == 2]
    places = users.of(block) if scans else {}
    for at, scan in scans:
        begin, own, *readers, end = places[scan.buffer] if len(places[scan.buffer]) > 3 else (0, -1, 0)
        alloc = block[begin]
        if own != at or not isinstance(alloc, Alloc) or not isinstance(block[end], Free):
            continue
        if scan.buffer.asked or scan.running is not None or scan.start is not None or not is_plain(scan.body):
            continue
        if all(isinstance(block[k], Reader | Scan) for k in readers):
            found[scan.buffer] = Scanned(scan, alloc, at, begin, end, tuple(readers))
    return found


def is_plain(exp: Exp) -> bool:
    """Whether an expression can be computed anywhere: it has no loop in it and cannot fail."""
    return not contains(Fold | BlockExp | PureCall, exp) and not weigh(exp).may_fail


def fails_alike(exp: Exp) -> bool:
    """Whether an expression can be computed anywhere, and whichever element fails, the error is the same."""
    checks = [n for n in nodes(exp) if isinstance(n, Check)]
    one_error = len({n.site for n in checks}) <= 1 and not any(n.reported for n in checks)
    return one_error and not contains(Fold | BlockExp | PureCall, exp)


def may_move(free: FreeVars, roots: Sequence[Exp], between: Sequence[Statement]) -> bool:
    """Whether expressions are the same behind some statements, if what these free is freed later."""
    memory = set(buffers_read(*roots))
    names = {name for root in roots for name in free.names(root)}
    for statement in between:
        inside = [s for s in within((statement,)) if s is not statement or not isinstance(s, Free)]
        if any(not memory.isdisjoint(changed(s)) for s in inside):
            return False
        if any(v.name in names for v in bound(statement)):
            return False
    return True


def loops_of(reader: Reader) -> Loops:
    """The loops that a statement is."""
    space = reader.space if isinstance(reader, Map) else None
    return () if space is None else tuple(zip(space.indices, space.extents, strict=True))


def around(reader: Reader, stops: Callable[[Exp], bool]) -> Iterator[tuple[Exp, Loops]]:
    """The nodes of a statement, each with the loops around it, down to those where it `stops`; more than once
    where it stands in several loops.
    """
    stack = [(root, loops_of(reader)) for root in own_expressions(reader)]
    seen: set[tuple[int, Loops]] = set()
    while stack:
        node, loops = stack.pop()
        if (id(node), loops) in seen:
            continue
        seen.add((id(node), loops))
        yield node, loops
        if not stops(node):
            inside = (*loops, (node.var, node.extent)) if isinstance(node, Fold) else loops
            stack += [(operand, inside) for operand in operands(node)]


def without(
    block: Sequence[Statement],
    gone: Sequence[Scanned],
    instead: dict[int, Sequence[Statement]],
) -> list[Statement]:
    """A block without scans, with other statements for their readers. What they were made of is freed behind
    the last of these.
    """
    first, last = min(s.at for s in gone), max(instead)
    dropped = {k for s in gone for k in (s.at, s.begin, s.end)}
    memory = set(buffers_read(*[s.scan.body for s in gone]))
    result: list[Statement] = []
    late: list[Statement] = []
    for k, statement in enumerate(block):
        if k in dropped:
            continue
        if first < k < last and isinstance(statement, Free) and statement.buffer in memory:
            late.append(statement)
            continue
        result += instead.get(k, (statement,))
        if k == last:
            result += late
    return result
