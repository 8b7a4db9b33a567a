"""The graph of an explanation as the text of a file: GraphViz's DOT, GraphML, or a drawing in SVG."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import networkx as nx

from aplc.explain.graph import Picture

SHAPES = {
    "input": "shape=ellipse",
    "soac": "shape=box, style=rounded",
    "array": "shape=cylinder",
    "function": "shape=component",
    "result": "shape=note",
}
"""The shapes of nodes in DOT, by kind."""
STYLES = {
    "memory": "",
    "scalar": "color=gray40, arrowhead=open",
    "register": "color=darkgreen",
    "call": "color=gray40",
    "move": "style=dotted, constraint=false",
    "apart": "style=dashed, color=firebrick, fontcolor=firebrick, constraint=false",
}
REASON_WIDTH = 30
"""Characters in a line of a reason."""


def text_of(picture: Picture, ending: str) -> str:
    """What stands in a file with one of the endings `PICTURES`."""
    if ending == ".dot":
        return "\n".join(_dot(picture)) + "\n"
    if ending == ".graphml":
        return "\n".join(nx.generate_graphml(picture.graph)) + "\n"
    from aplc.explain.graph_drawing import svg  # noqa: PLC0415 (it builds on this module)

    return svg(picture)


def in_lines(reason: str) -> list[str]:
    """A reason in short lines."""
    return textwrap.wrap(reason, REASON_WIDTH)


def _dot(picture: Picture) -> Iterator[str]:
    yield "digraph program {"
    yield "  graph [compound=true, fontname=monospace, fontsize=11];"
    yield "  node [fontname=monospace, fontsize=11];"
    yield "  edge [fontname=monospace, fontsize=9];"
    for number, box in picture.boxes.items():
        yield f"  subgraph cluster_{number} {{"
        lines = [box.title, *[f"fused: {each}" for each in box.fused]]
        yield f"    label={_quoted(chr(10).join(lines))}; tooltip={_quoted(box.tooltip)}; style=rounded;"
        for name, node in picture.graph.nodes(data=True):
            if node.get("loop") == number:
                yield f"    {_node(name, node)}"
        yield "  }"
    for name, node in picture.graph.nodes(data=True):
        if "loop" not in node:
            yield f"  {_node(name, node)}"
    for first, last, edge in picture.graph.edges(data=True):
        is_reason = edge["kind"] == "apart"
        label = "\n".join(in_lines(edge["label"])) if is_reason else edge["label"]
        what = [f"{'label' if is_reason else 'tooltip'}={_quoted(label)}"] if label else []
        style = [STYLES[edge["kind"]]] if STYLES[edge["kind"]] else []
        yield f"  {_quoted(first)} -> {_quoted(last)} [{', '.join([*what, *style])}];"
    yield "}"


def _node(name: str, node: dict[str, str]) -> str:
    shape = SHAPES[node["kind"]]
    return f"{_quoted(name)} [label={_quoted(node['label'])}, tooltip={_quoted(node['tooltip'])}, {shape}];"


def _quoted(text: str) -> str:
    """A string of DOT that means this text, also where GraphViz looks for escapes, as in labels."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
