"""Chooses which statements of a region share a loop: those that save something, all of them where that is
possible.

Joining every pair that can be joined by itself is the best answer where these pairs do not exclude each
other, as is nearly always so. That takes no library: importing one for graphs takes longer than compiling
most programs. Where pairs exclude each other, `aplc.laila.transform.fusion.exclusive` weighs them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Pair:
    """Two nodes that may share a loop, the earlier first, and what that saves."""

    first: int
    second: int
    saved: float


def clusters(before: Sequence[set[int]], pairs: Sequence[Pair]) -> list[list[int]]:
    """The nodes 0, 1, … in clusters, in an order that keeps dependences. `before` has for each node those
    that it depends on, which stand before it.
    """
    useful = sorted([pair for pair in pairs if pair.saved > 0], key=lambda pair: -pair.saved)
    possible = [pair for pair in useful if not _has_between(before, pair.first, pair.second)]
    together = list(range(len(before)))
    for pair in possible:
        first, second = sorted((together[pair.first], together[pair.second]))
        together = [first if root == second else root for root in together]
    found = _members(together).values()
    allowed = {(pair.first, pair.second) for pair in pairs}
    if all(pair in allowed for members in found for pair in combinations(members, 2)):
        try:
            return list(_order(before, together))
        except CycleError:
            pass
    from aplc.laila.transform.fusion.exclusive import best_partition  # noqa: PLC0415 (see the docstring of this module)

    return list(_order(before, best_partition(before, pairs, possible)))


def _has_between(before: Sequence[set[int]], first: int, last: int) -> bool:
    """Whether a node stands behind the first and before the last."""
    seen: set[int] = set()
    waiting = [j for j in before[last] if j > first]
    while waiting:
        k = waiting.pop()
        if first in before[k]:
            return True
        if k not in seen:
            seen.add(k)
            waiting += [j for j in before[k] if j > first]
    return False


def _members(together: Sequence[int]) -> dict[int, list[int]]:
    """The nodes of each cluster, by its first one."""
    members: dict[int, list[int]] = {}
    for k, root in enumerate(together):
        members.setdefault(root, []).append(k)
    return members


def _order(before: Sequence[set[int]], together: Sequence[int]) -> Iterator[list[int]]:
    """The clusters so that each stands behind what it depends on, and otherwise in the order of their first
    nodes. Raises `CycleError` if they depend on each other.
    """
    members = _members(together)
    sorter = TopologicalSorter(
        {root: {together[j] for k in nodes for j in before[k]} - {root} for root, nodes in members.items()}
    )
    sorter.prepare()
    ready: list[int] = []
    while sorter.is_active():
        for root in sorter.get_ready():
            heapq.heappush(ready, root)
        root = heapq.heappop(ready)
        yield members[root]
        sorter.done(root)
