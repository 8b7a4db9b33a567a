"""Loop-invariant code motion for memory: what each round would write there in the same way is written once.

    while c { SCAN a[i] over i < n { v[i] }; … a[k] … }   →   SCAN a[i] over i < n { v[i] }; while c { … }

`hoist` moves the memory in front of the loop, or of the statement that applies a function to elements, and
asks here what goes with it: maps and scans that cannot fail, of what no round changes, where nothing else
writes that memory. So the sums that all windows of one array are made of are made once for windows of many
lengths.

Behind a check in a round goes only what reads arrays from end to end: a check may be why a place is there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from aplc.laila.ir.liveness import buffers_read, changed
from aplc.laila.ir.program import Alloc, Free, Fused, HostCheck, Map, Parameter, Scan, Space, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, FreeVars, Read, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, everywhere, own_expressions

_MOST_AXES = 4
"""The order of so many axes is looked for."""

Fill = Map | Scan | Fused


@dataclass(slots=True)
class InvariantFills:
    """What of the bodies of loops writes the same in each round."""

    make: ExprBuilder
    sizes: dict[Buffer, Exp]
    """The numbers of elements of buffers."""

    @staticmethod
    def of(
        make: ExprBuilder, parameters: Sequence[Parameter], statements: Sequence[Statement]
    ) -> InvariantFills:
        """For a program of these statements, those inside others included."""
        sizes = {s.buffer: s.size for s in statements if isinstance(s, Alloc)}
        return InvariantFills(make, sizes | {p.buffer: make.product(p.extents) for p in parameters})

    def found(
        self, body: Sequence[Statement], memory: Collection[Buffer], changing: set[str], around: Statement
    ) -> list[Statement]:
        """The statements of a body that write `memory`, which stands in front of what is `around`, the same
        in each round; there, names in `changing` are others in each.
        """
        inner = [around, *everywhere(body)]
        made = {s.buffer for s in inner if isinstance(s, Alloc) and s.buffer not in memory}
        found: list[Statement] = []
        for k, statement in enumerate(body):
            if not isinstance(statement, Fill) or not self.is_plain(statement, memory):
                continue
            targets = set(changed(statement))
            roots = own_expressions(statement)
            others = [s for s in inner if s is not statement and not _brings(s, targets)]
            written = made.union(*[changed(s) for s in others])
            own = {v.name for v in bound(statement)}
            names = {v.name for root in roots for v in FreeVars().of(root)} - own
            if names & changing or written & {*targets, *buffers_read(*roots)}:
                continue
            reads = [node for node in nodes(*roots) if isinstance(node, Read)]
            if self.may_stop(body[:k]) and not all([self.walks(read, statement) for read in reads]):
                continue
            found.append(statement)
            inner = [s for s in inner if s is not statement and not _brings(s, targets)]
        return found

    def is_plain(self, statement: Fill, memory: Collection[Buffer]) -> bool:
        """Whether a statement only writes such memory, which it does not read, and cannot fail."""
        parts = statement.parts if isinstance(statement, Fused) else (statement,)
        for part in parts:
            if not isinstance(part, Map | Scan) or part.buffer not in memory:
                return False
            if isinstance(part, Map) and (part.ordered or part.guard is not None):
                return False
        roots = own_expressions(statement)
        if contains(BlockExp, *roots) or any(self.make.may_fail(root) for root in roots):
            return False
        return not {*changed(statement)} & {*buffers_read(*roots)}

    def may_stop(self, statements: Sequence[Statement]) -> bool:
        """Whether the program may end in statements, with an error."""
        inner = list(everywhere(statements))
        roots = [root for s in inner for root in own_expressions(s)]
        return any(isinstance(s, HostCheck) for s in inner) or any(self.make.may_fail(root) for root in roots)

    def walks(self, read: Read, statement: Fill) -> bool:
        """Whether a read goes over all elements of a buffer, in some order of the axes of a statement."""
        size = self.sizes.get(read.buffer)
        return any(
            self.make.product(extents) is size and place is read.index
            for place, extents in self.orders(statement.space)
        )

    def orders(self, space: Space) -> Iterator[tuple[Exp, tuple[Exp, ...]]]:
        """The places of an array whose axes are those of a space in any order, and its extents."""
        axes = list(zip(space.indices, space.extents, strict=True))
        for order in permutations(axes) if len(axes) <= _MOST_AXES else ():
            place: Exp = self.make.zero
            for index, extent in order:
                place = self.make.add(self.make.mul(place, extent), index)
            yield place, tuple([extent for _, extent in order])


def _brings(statement: Statement, buffers: Collection[Buffer]) -> bool:
    """Whether a statement is where the memory of one of these buffers begins or ends."""
    return isinstance(statement, Alloc | Free) and statement.buffer in buffers
