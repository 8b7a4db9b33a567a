"""Where the nodes of a drawing stand: in layers from top to bottom, so that edges lead down.

The method is that of Sugiyama, Tagawa and Toda (Methods for visual understanding of hierarchical system
structures, 1981): the generations of the graph are the layers, a long edge goes through a point in each layer
between, each layer is ordered by where its neighbours stand, and then everything is moved as near to its
neighbours as there is room. Nothing is random: equal graphs look the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

GAP, BETWEEN, LANE = 28.0, 46.0, 14.0
"""Between neighbours, between layers, and the width of a long edge."""
SWEEPS = 12

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """The centres of nodes, and the points that edges go through, from their first node to their last."""

    centres: dict[str, Point]
    ways: dict[tuple[str, str], tuple[Point, ...]]
    size: Point


def layered(sizes: Mapping[str, Point], edges: Sequence[tuple[str, str]]) -> Layout:
    """Where nodes of given sizes stand. An edge to a node that is earlier in `sizes` leads up."""
    place = {node: k for k, node in enumerate(sizes)}
    ends = [(u, v) if place[u] < place[v] else (v, u) for u, v in edges if u != v]
    down = list(dict.fromkeys(ends))
    graph = nx.DiGraph()
    graph.add_nodes_from(sizes)
    graph.add_edges_from(down)
    layers = _layers(graph)
    levels = {node: level for level, nodes in enumerate(layers) for node in nodes}
    widths = {node: width for node, (width, _) in sizes.items()}
    through: dict[tuple[str, str], list[str]] = {}
    for u, v in down:
        chain = through[u, v] = [f"{u} {v} {level}" for level in range(levels[u] + 1, levels[v])]
        for level, lane in enumerate(chain, levels[u] + 1):
            layers[level].append(lane)
            widths[lane] = LANE
        if chain:
            graph.remove_edge(u, v)
            nx.add_path(graph, [u, *chain, v])
    layers = _in_order(graph, layers)
    across = _across(graph, layers, widths)
    rows, height = _rows([[sizes[n][1] for n in layer if n in sizes] for layer in layers])
    at = {n: (across[n], rows[level][0]) for level, layer in enumerate(layers) for n in layer}
    ways: dict[tuple[str, str], tuple[Point, ...]] = {}
    for (u, v), chain in through.items():
        points = [(at[n][0], y) for level, n in enumerate(chain, levels[u] + 1) for y in rows[level][1:]]
        ways[u, v] = tuple(points)
        ways[v, u] = tuple(reversed(points))
    width = max([across[n] + widths[n] / 2 for n in across], default=0.0)
    return Layout({n: at[n] for n in sizes}, ways, (width, height))


def _layers(graph: nx.DiGraph) -> list[list[str]]:
    """The generations of a graph; what needs nothing stands just above what needs it."""
    layers = [list(nodes) for nodes in nx.topological_generations(graph)]
    levels = {node: level for level, nodes in enumerate(layers) for node in nodes}
    for node in list(layers[0]) if layers else []:
        level = min([levels[user] for user in graph.successors(node)], default=1) - 1
        layers[0].remove(node)
        layers[level].append(node)
    return layers


def _in_order(graph: nx.DiGraph, layers: list[list[str]]) -> list[list[str]]:
    """The layers, each ordered by the mean place of its neighbours in the layer before, down and up again."""
    best, fewest = layers, _crossings(graph, layers)
    for sweep in range(SWEEPS):
        is_down = sweep % 2 == 0
        layers = [list(layer) for layer in layers]
        turn = range(1, len(layers)) if is_down else range(len(layers) - 2, -1, -1)
        for level in turn:
            before = {n: k for k, n in enumerate(layers[level - 1 if is_down else level + 1])}
            means = {}
            for k, node in enumerate(layers[level]):
                near = graph.predecessors(node) if is_down else graph.successors(node)
                places = [before[n] for n in near]
                means[node] = sum(places) / len(places) if places else float(k)
            layers[level].sort(key=means.__getitem__)
        crossings = _crossings(graph, layers)
        if crossings < fewest:
            best, fewest = layers, crossings
    return best


def _crossings(graph: nx.DiGraph, layers: list[list[str]]) -> int:
    """How many pairs of edges between neighbouring layers cross."""
    count = 0
    for upper, lower in pairwise(layers):
        place = {n: k for k, n in enumerate(lower)}
        ends = [sorted([place[v] for v in graph.successors(u)]) for u in upper]
        seen: list[int] = []
        for group in ends:
            count += sum([1 for v in group for w in seen if w > v])
            seen += group
    return count


def _across(graph: nx.DiGraph, layers: list[list[str]], widths: Mapping[str, float]) -> dict[str, float]:
    """Where the middle of each node is, from left to right."""
    across: dict[str, float] = {}
    for layer in layers:
        edge = 0.0
        for node in layer:
            across[node] = edge + widths[node] / 2
            edge += widths[node] + GAP
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = []
            for node in layer:
                near = [across[n] for n in (*graph.predecessors(node), *graph.successors(node))]
                wanted.append(sum(near) / len(near) if near else across[node])
            across |= dict(zip(layer, _apart(wanted, [widths[n] for n in layer]), strict=True))
    left = min([across[n] - widths[n] / 2 for n in across], default=0.0)
    return {node: x - left for node, x in across.items()}


def _apart(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """The places next to the wanted ones (least squares) at which neighbours in a row do not touch: the pool
    of adjacent violators.
    """
    offsets = [0.0]
    for left, right in pairwise(widths):
        offsets.append(offsets[-1] + (left + right) / 2 + GAP)
    pools: list[tuple[float, int]] = []  # a sum and how many
    for want, offset in zip(wanted, offsets, strict=True):
        pools.append((want - offset, 1))
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            total, count = pools.pop()
            pools[-1] = (pools[-1][0] + total, pools[-1][1] + count)
    means = [total / count for total, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _rows(heights: Sequence[Sequence[float]]) -> tuple[list[tuple[float, float, float]], float]:
    """The middle, the top and the bottom of each layer, and the height of all."""
    rows: list[tuple[float, float, float]] = []
    top = 0.0
    for layer in heights:
        height = max(layer, default=0.0)
        rows.append((top + height / 2, top, top + height))
        top += height + BETWEEN
    return rows, max(top - BETWEEN, 0.0)
