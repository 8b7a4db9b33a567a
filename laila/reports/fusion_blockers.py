"""Why loops are not one: what `aplc.laila.transform.fusion.legality` says against it, as to fusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from aplc.laila.ir.program import Filter, Fused, HostCall, HostLet, Part, Reduce, RuntimeCall, Statement
from aplc.laila.ir.scalar import Buffer, FreeVars
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.reports.traffic import Loop
from aplc.laila.transform.fusion.dependence import Node, node_of
from aplc.laila.transform.fusion.legality import Blocker, across, along


def why_apart(make: ExprBuilder, first: Loop, second: Loop, buffer: Buffer, *, waits: bool) -> str:
    """Why the second loop does not take the elements of a buffer from the first, which writes it; `waits`
    says that it needs a result of that loop, or of one between them that does.
    """
    if isinstance(first.statement, RuntimeCall | HostCall):
        return Blocker.OUTSIDE.value
    writer = next((node for node in _nodes(first.statement) if buffer in node.writes), None)
    readers = [node for node in _nodes(second.statement) if buffer in node.reads]
    if writer is None or not readers:
        return Blocker.NO_SOAC.value
    blocker = _between(make, first, second, writer, readers)
    return (Blocker.WAITS if waits and blocker is Blocker.BETWEEN else blocker).value


def waiting(loops: Sequence[Loop], first: Loop) -> list[Loop]:
    """The loops behind one of them that need a scalar that it gives, or what such loops give and write."""
    found: list[Loop] = []
    given, written = set(first.names), set[Buffer]()
    for loop in loops[loops.index(first) + 1 :]:
        if given & loop.needs or written & {*[b for b, _ in loop.reads], *loop.searched}:
            found.append(loop)
            given |= loop.names
            written |= {b for b, _ in loop.writes}
    return found


def _between(make: ExprBuilder, first: Loop, second: Loop, writer: Node, readers: list[Node]) -> Blocker:
    """What keeps readers from the loop of their writer, the first that is found."""
    for reader in readers:
        apart = across(writer, reader)
        if apart is Blocker.NO_SOAC:
            return apart
        if isinstance(writer.part, Filter):
            return Blocker.LENGTH
        if first.around != second.around:
            return Blocker.BLOCKS
        blocker = apart or along(make, writer, reader)
        if blocker is not None:
            return blocker
    return Blocker.BETWEEN


def why_not_together(first: Loop, second: Loop, *, waits: bool) -> str:
    """Why two loops that read the same memory are not one; `waits` says that the second comes behind
    a result of the first.
    """
    if waits:
        return Blocker.WAITS.value
    one, other = _nodes(first.statement)[0], _nodes(second.statement)[0]
    apart = across(one, other)
    if apart is not Blocker.NO_SOAC and first.around != second.around:
        return Blocker.BLOCKS.value
    return (apart or Blocker.BETWEEN).value


def _nodes(statement: Statement) -> list[Node]:
    """The SOACs of a loop as fusion sees them."""
    free = FreeVars()
    if isinstance(statement, Fused):
        return [node_of(each, free) for each in _separate(statement.parts)]
    return [node_of(statement, free)]


def _separate(parts: tuple[Part, ...]) -> Iterator[Statement]:
    """The parts of a fused loop as statements of their own."""
    for part in parts:
        if isinstance(part, Reduce):
            (index,), (extent,) = part.space.indices, part.space.extents
            yield HostLet(part.var, replace(part.fold, var=index, extent=extent, body=part.body))
        else:
            yield part
