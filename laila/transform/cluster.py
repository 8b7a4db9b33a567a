"""Which statements of a region share a loop: an integer program, where there is anything to decide.

    node v           a cluster number π(v); a dependence u → v that is not fused has π(u) < π(v)
    pair (u, v)      x = 0 if they share a loop: then π(u) = π(v)
    minimise         Σ bytes saved by a pair × x

The model has variables for pairs that may be fused only (Megiddo and Sarkar, Optimal weighted loop fusion
for parallel programs, SPAA 1997; λcu section 4.3). Joining one pair after the other, the most useful first,
gives the best answer where every pair that can be joined by itself is joined in the end: nearly always. Only
where pairs exclude each other is the model solved, by HiGHS, which is imported then. The graph is a list of
sets of bits: importing a library for graphs takes longer than compiling most programs.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

MAX_PAIRS = 400
"""With more pairs than that the greedy choice has to do."""
TIME_LIMIT = 0.5
"""Seconds that the solver may take."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two nodes that may share a loop, the earlier first, and what that saves."""

    first: int
    second: int
    saved: float


def clusters(count: int, before: list[set[int]], pairs: list[Pair]) -> list[list[int]]:
    """The nodes 0…count-1 in clusters, in an order that keeps dependences."""
    useful = sorted([pair for pair in pairs if pair.saved > 0], key=lambda pair: -pair.saved)
    joining = _Joining(count, before, pairs)
    possible = [pair for pair in useful if joining.fits(pair.first, pair.second)]
    for pair in possible:
        joining.join(pair.first, pair.second)
    together = joining.root
    lost = _saved(possible, together) < sum([pair.saved for pair in possible])
    if lost and len(pairs) <= MAX_PAIRS:
        solved = _solved(count, before, pairs)
        if solved is not None and _saved(possible, solved) > _saved(possible, together):
            together = solved
    order = _order(count, before, together)
    assert order is not None
    return order


def _saved(pairs: list[Pair], together: list[int]) -> float:
    """What the pairs save that share a loop."""
    return sum([pair.saved for pair in pairs if together[pair.first] == together[pair.second]])


class _Joining:
    """Clusters that grow; sets of nodes, and of clusters by their first node, are bits of integers."""

    def __init__(self, count: int, before: list[set[int]], pairs: list[Pair]) -> None:
        self.root = list(range(count))
        """The first node of the cluster of each node."""
        self.members = [1 << k for k in range(count)]
        self.needs = [sum([1 << j for j in earlier]) for earlier in before]
        """The clusters that must stand before each cluster."""
        self.allowed = [1 << k for k in range(count)]
        """The nodes that may share a loop with all nodes of a cluster."""
        for pair in pairs:
            self.allowed[pair.first] |= 1 << pair.second
            self.allowed[pair.second] |= 1 << pair.first
        self.above: list[int] = []
        """The clusters that each cluster depends on, directly or not."""
        for needs in self.needs:  # what a node depends on stands before it
            above = needs
            for j in _bits(needs):
                above |= self.above[j]
            self.above.append(above)

    def fits(self, first: int, second: int) -> bool:
        """Whether the clusters of two nodes may become one."""
        a, b = self.root[first], self.root[second]
        if a == b:
            return True
        if self.members[b] & ~self.allowed[a]:
            return False
        return not (self.has_between(a, b) or self.has_between(b, a))

    def has_between(self, first: int, last: int) -> bool:
        """Whether another cluster stands behind the first and before the last."""
        others = self.needs[last] & ~(1 << first)
        return bool(others) and any(self.above[j] >> first & 1 for j in _bits(others))

    def join(self, first: int, second: int) -> None:
        """Make one cluster of those of two nodes, if they may be one."""
        a, b = sorted((self.root[first], self.root[second]))
        if a == b or not self.fits(a, b):
            return
        both = 1 << a | 1 << b
        above = (self.above[a] | self.above[b]) & ~both
        self.root = [a if root == b else root for root in self.root]
        self.members[a] |= self.members[b]
        self.allowed[a] &= self.allowed[b]
        self.needs[a] = (self.needs[a] | self.needs[b]) & ~both
        self.above[a] = above
        for k in range(len(self.root)):
            if k != a and self.above[k] & both:
                self.above[k] = (self.above[k] | above | 1 << a) & ~(1 << b)
            if k != a and self.needs[k] & both:
                self.needs[k] = (self.needs[k] | 1 << a) & ~(1 << b)


def _bits(number: int) -> Iterator[int]:
    """The positions of the bits that are set."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def _order(count: int, before: list[set[int]], together: list[int]) -> list[list[int]] | None:
    """The clusters so that each stands behind what it depends on; None if they depend on each other."""
    members: dict[int, list[int]] = {}
    for k in range(count):
        members.setdefault(together[k], []).append(k)
    needs = {
        root: {together[j] for k in nodes for j in before[k]} - {root} for root, nodes in members.items()
    }
    users: dict[int, list[int]] = {}
    for root, roots in needs.items():
        for other in roots:
            users.setdefault(other, []).append(root)
    ready = [root for root, roots in needs.items() if not roots]
    heapq.heapify(ready)
    result: list[list[int]] = []
    while ready:
        root = heapq.heappop(ready)
        result.append(members[root])
        for user in users.get(root, ()):
            needs[user].discard(root)
            if not needs[user]:
                heapq.heappush(ready, user)
    return result if len(result) == len(members) else None


def _solved(count: int, before: list[set[int]], pairs: list[Pair]) -> list[int] | None:
    """The first node of the cluster of each node, in the best choice by HiGHS; None where it finds none in
    time.
    """
    try:
        import highspy  # noqa: PLC0415 (see the module's docstring)
    except ImportError:
        return None
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", TIME_LIMIT)
    number = [solver.addVariable(lb=0, ub=count - 1) for _ in range(count)]
    apart = {(q.first, q.second): solver.addBinary(obj=max(q.saved, 0.001)) for q in pairs}
    for (u, v), x in apart.items():
        least = 0 if u in before[v] else -count
        solver.addConstr(number[v] - number[u] <= count * x)
        solver.addConstr(number[v] - number[u] >= (x if u in before[v] else least * x))
    for v in range(count):
        for u in before[v]:
            if (u, v) not in apart:
                solver.addConstr(number[v] - number[u] >= 1)
    solver.run()
    values = solver.getSolution().col_value
    if len(values) < count + len(apart):
        return None
    joining = _Joining(count, before, pairs)
    for pair, value in zip(pairs, values[count:], strict=False):
        if value < 0.5:
            joining.join(pair.first, pair.second)
    return joining.root
