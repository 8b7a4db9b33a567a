"""Explains why loops were not fused: each condition of `aplc.laila.transform.fuse` as a sentence."""

from __future__ import annotations

from aplc.laila.ir.program import Ask, Filter, Fused, HostLet, Map, Run, Scan, Space, Statement
from aplc.laila.ir.scalar import Buffer, Exp, Fold, Read, nodes
from aplc.laila.ir.simplify import Scalars
from aplc.laila.ir.statements import own_expressions
from aplc.laila.ir.substitute import Substitute
from aplc.laila.reports.traffic import Loop
from aplc.tail.prims import Prim


def why_apart(make: Scalars, first: Loop, second: Loop, buffer: Buffer) -> str:
    """Why the second loop does not take the elements of a buffer from the first, which writes it."""
    writer = _writer(first.statement, buffer)
    reader = _space(second.statement)
    if isinstance(first.statement, Run | Ask):
        return "a function outside of loops writes it"
    if isinstance(writer, Filter):
        return "how many elements there are is known when they are all written"
    if writer is None or reader is None:
        return "one of the two is no map, scan or reduction"
    if first.around != second.around:
        return "they stand in different blocks"
    if [id(n) for n in writer.space.extents] != [id(n) for n in reader.extents]:
        return "they run over different spaces"
    change = Substitute(make, dict(zip(reader.indices, writer.space.indices, strict=True)))
    element = make.read(buffer, writer.position)
    reads = [
        n
        for e in _roots(second.statement)
        for n in nodes(change(e))
        if isinstance(n, Read) and n.buffer is buffer
    ]
    if any(n is not element for n in reads):
        return "it needs other elements than the one at hand"
    return "a check, an output or a function must come in between"


def _writer(statement: Statement, buffer: Buffer) -> Map | Scan | Filter | None:
    """The SOAC of a loop that writes a buffer, if it can share a loop with another one."""
    parts = statement.parts if isinstance(statement, Fused) else (statement,)
    for part in parts:
        if isinstance(part, Map | Scan | Filter) and part.buffer is buffer:
            return None if isinstance(part, Map) and (part.ordered or part.guard is not None) else part
    return None


def _space(statement: Statement) -> Space | None:
    """The index space of a loop that can be shared."""
    match statement:
        case HostLet(value=Fold(combine=Prim(), var=var, extent=extent)):
            return Space((var,), (extent,))
        case Map(guard=None, ordered=False, space=space) | Scan(space=space) | Filter(space=space):
            return space
        case Fused(space=space):
            return space
        case _:
            return None


def _roots(statement: Statement) -> tuple[Exp, ...]:
    if isinstance(statement, HostLet) and isinstance(statement.value, Fold):
        return (statement.value.body,)
    return own_expressions(statement)


def why_not_together(first: Loop, second: Loop, *, waits: bool) -> str:
    """Why two loops that read the same memory are not one; `waits` says that the second comes behind
    a result of the first.
    """
    one, other = _space(first.statement), _space(second.statement)
    if waits:
        return "it waits for a result of the other one"
    if one is None or other is None:
        return "one of the two is no map, scan or reduction"
    if first.around != second.around:
        return "they stand in different blocks"
    if [id(n) for n in one.extents] != [id(n) for n in other.extents]:
        return "they run over different spaces"
    return "a check, an output or a function must come in between"
