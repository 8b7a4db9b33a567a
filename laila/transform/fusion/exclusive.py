"""Chooses which statements share a loop where pairs exclude each other: greedily, then by an integer program.

    node v           a cluster number π(v); a dependence u → v that is not fused has π(u) < π(v)
    pair (u, v)      x = 0 if they share a loop: then π(u) = π(v)
    minimise         Σ bytes saved by a pair × x

The model has variables for pairs that may be fused only (Megiddo and Sarkar, Optimal weighted loop fusion for
parallel programs, SPAA 1997; λcu section 4.3); HiGHS solves it. The dependences are a graph of networkx,
whose nodes are contracted as loops are joined. `aplc.laila.transform.fusion.cluster` imports this module
where it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from aplc.laila.transform.fusion.cluster import Pair

MAX_PAIRS = 400
"""With more pairs than that the greedy choice has to do."""
TIME_LIMIT = 0.5
"""Seconds that the solver may take."""


def best_partition(before: Sequence[set[int]], pairs: Sequence[Pair], possible: Sequence[Pair]) -> list[int]:
    """For each node the first one of its cluster, so that the pairs that share a loop save the most.

    `before` has for each node those that it depends on, `pairs` those that may share a loop, of which the
    `possible` ones save something, the most useful first.
    """
    graph = dependence_graph(before)
    together = joined(graph, pairs, possible)
    if _saved(possible, together) < sum([pair.saved for pair in possible]) and len(pairs) <= MAX_PAIRS:
        chosen = _solved(graph, pairs)
        if chosen is not None:
            solved = joined(graph, pairs, chosen)
            if _saved(possible, solved) > _saved(possible, together):
                return solved
    return together


def dependence_graph(before: Sequence[set[int]]) -> nx.DiGraph:
    """An edge from each statement to those that must stand behind it."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(before)))
    graph.add_edges_from([(u, v) for v, earlier in enumerate(before) for u in earlier])
    return graph


def joined(graph: nx.DiGraph, pairs: Sequence[Pair], wanted: Sequence[Pair]) -> list[int]:
    """For each node the first one of its cluster, where wanted pairs are joined in turn if that is possible
    then: all nodes of a cluster may share a loop with each other, and nothing must stand between them.
    """
    loops = graph.copy()
    allowed = nx.Graph()
    allowed.add_nodes_from(graph)
    allowed.add_edges_from([(pair.first, pair.second) for pair in pairs])
    root = list(graph)
    for pair in wanted:
        first, second = sorted((root[pair.first], root[pair.second]))
        if first == second:
            continue
        members = [k for k, r in enumerate(root) if r == second]
        if not all([allowed.has_edge(j, k) for j, r in enumerate(root) if r == first for k in members]):
            continue
        if not (has_between(loops, first, second) or has_between(loops, second, first)):
            nx.contracted_nodes(loops, first, second, self_loops=False, copy=False)
            for k in members:
                root[k] = first
    return root


def has_between(graph: nx.DiGraph, first: int, last: int) -> bool:
    """Whether another node stands behind the first and before the last."""
    return any([j != first and nx.has_path(graph, first, j) for j in graph.predecessors(last)])


def _saved(pairs: Sequence[Pair], together: Sequence[int]) -> float:
    """What the pairs save that share a loop."""
    return sum([pair.saved for pair in pairs if together[pair.first] == together[pair.second]])


def _solved(graph: nx.DiGraph, pairs: Sequence[Pair]) -> list[Pair] | None:
    """The pairs that share a loop in the best choice by HiGHS; None where it finds none in time."""
    try:
        import highspy  # noqa: PLC0415 (the greedy choice is there without it)
    except ImportError:
        return None
    count = len(graph)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", TIME_LIMIT)
    number = [solver.addVariable(lb=0, ub=count - 1) for _ in range(count)]
    apart = {(q.first, q.second): solver.addBinary(obj=max(q.saved, 0.001)) for q in pairs}
    for (u, v), x in apart.items():
        is_needed = graph.has_edge(u, v)
        solver.addConstr(number[v] - number[u] <= count * x)
        solver.addConstr(number[v] - number[u] >= (x if is_needed else -count * x))
    for v in graph:
        for u in graph.predecessors(v):
            if (u, v) not in apart:
                solver.addConstr(number[v] - number[u] >= 1)
    solver.run()
    values = solver.getSolution().col_value
    if len(values) < count + len(apart):
        return None
    return [pair for pair, value in zip(pairs, values[count:], strict=False) if value < 0.5]
