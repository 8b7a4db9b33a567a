"""Which functions of a program call which, and which are recursive together: for pictures of programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import networkx as nx

from aplc.laila.ir.program import FunctionCall, Program, Statement
from aplc.laila.ir.statements import bodies

MAIN = ""
"""The program itself, which no function calls."""


def call_graph(program: Program) -> nx.DiGraph:
    """An edge from each function of a program, and from `MAIN`, to those that it calls."""
    graph = nx.DiGraph()
    graph.add_nodes_from([MAIN, *[f.name for f in program.functions]])
    for name, body in ((MAIN, program.statements), *[(f.name, f.statements) for f in program.functions]):
        graph.add_edges_from([(name, callee) for callee in _called(body)])
    return graph


def recursive_together(graph: nx.DiGraph) -> dict[str, list[str]]:
    """For each function that can be called while it runs those for which that holds together with it, itself
    included, in the order of the program.
    """
    order = {name: k for k, name in enumerate(graph)}
    together: dict[str, list[str]] = {}
    for component in nx.strongly_connected_components(graph):
        names = sorted(component, key=order.__getitem__)
        if len(names) > 1 or graph.has_edge(names[0], names[0]):
            together |= dict.fromkeys(names, names)
    return together


def _called(statements: Sequence[Statement]) -> Iterator[str]:
    for statement in statements:
        if isinstance(statement, FunctionCall):
            yield statement.function
        for body in bodies(statement):
            yield from _called(body)
