"""The graph of an explanation as a drawing in SVG, without other programs: loops are boxes around what they
compute, arrays in memory stand between them, and a dashed line says why two loops are not one.

What a mouse rests on tells more. Text of the source is escaped; its characters are those of the graph.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from aplc.explain.graph import Picture
from aplc.explain.graph_files import in_lines
from aplc.explain.layers import Layout, Point, layered

LETTER, LINE, PAD = 7.3, 16.0, 9.0
"""The width of a letter, the height of a line, and what is free around text."""
LOOP = 16.0
"""What is free under operations that hand elements to each other."""
MARGIN = 24.0
LONGEST = 64
"""Characters of a line; its tooltip has the rest."""
MOST_FUSED = 6
STYLE = """\
.drawing text{font:12px "DejaVu Sans Mono","APL386 Unicode",Menlo,Consolas,monospace;fill:#1b1b1b}
.drawing .paper{fill:#fff}.drawing .loop .box{fill:#eef4fb;stroke:#2f6db3}
.drawing .loop .title{font-weight:bold;fill:#1f4e80}.drawing text.fused{font-style:italic;fill:#4a6a8a}
.drawing .operation{fill:#fff;stroke:#2f6db3}.drawing .array .box{fill:#fdf3dc;stroke:#b07a10}
.drawing .input .box{fill:#e9f5e6;stroke:#3d8b37}.drawing .result .box{fill:#f1eaf7;stroke:#7a4fa3}
.drawing .function .box{fill:#eee;stroke:#555}.drawing .reason text{fill:#b3261e;font-size:11px}
.drawing .edge{fill:none}.drawing .edge.move{stroke-dasharray:2 3}.drawing .edge.apart{stroke-dasharray:6 4}
.drawing .lit .box{stroke-width:3}
@media (prefers-color-scheme:dark){
.drawing text{fill:#e6edf3}.drawing .paper{fill:#161b22}.drawing .loop .box{fill:#15273c;stroke:#6ea8e6}
.drawing .loop .title{fill:#9cc8f5}.drawing text.fused{fill:#a3bbd1}
.drawing .operation{fill:#0d1117;stroke:#6ea8e6}.drawing .array .box{fill:#33290f;stroke:#d6a343}
.drawing .input .box{fill:#14301a;stroke:#6fbf6b}.drawing .result .box{fill:#2b2038;stroke:#b48ede}
.drawing .function .box{fill:#2a2d31;stroke:#999}.drawing .reason text{fill:#ff8a80}
.drawing .edge{stroke:#8a929b}.drawing .edge.memory{stroke:#c4cbd3}.drawing .edge.register{stroke:#6ea8e6}
.drawing .edge.apart{stroke:#ff8a80}.drawing .tip{fill:#8a929b}.drawing .tip.memory{fill:#c4cbd3}
.drawing .tip.register{fill:#6ea8e6}.drawing .tip.apart{fill:#ff8a80}}"""
"""For the light and the dark of a system. All of it is for this drawing alone, also where it is part of a
page.
"""


HEADS = {
    "memory": "#444",
    "scalar": "#888",
    "register": "#2f6db3",
    "call": "#888",
    "move": "#888",
    "apart": "#b3261e",
}
"""The colours of edges, by kind."""


@dataclass(frozen=True, slots=True)
class _Block:
    """What stands in the layout as one: a loop with its operations, another node, or a reason."""

    width: float
    height: float
    kind: str
    lines: tuple[str, ...]
    tooltip: str
    parts: dict[str, tuple[float, float]] = field(default_factory=dict)
    """The operations of a loop: where each begins from the left, and how wide it is."""
    part_height: float = 0.0
    number: int = 0
    """Of a loop, its number."""


@dataclass(frozen=True, slots=True)
class _Line:
    """An edge of the drawing: its ends are nodes or reasons, in blocks of the layout."""

    first: str
    last: str
    kind: str
    tooltip: str
    has_head: bool = True


def svg(picture: Picture, place_of_loop: str = "") -> str:
    """The drawing. As part of a page each loop leads to what the page tells of it: `place_of_loop` is its
    address, with `{}` for the number.
    """
    blocks, block_of = _blocks(picture)
    lines = list(_lines(picture, blocks, block_of))
    blocks = _in_order(blocks, block_of, lines)
    sizes = {name: (block.width, block.height) for name, block in blocks.items()}
    layout = layered(sizes, [(block_of[e.first], block_of[e.last]) for e in lines])
    width, height = [round(side + 2 * MARGIN) for side in layout.size]
    parts = [
        f'<svg class="drawing" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="what">',
        '<title id="what">The loops of a program, and the arrays between them</title>',
        f"<style>{html.escape(STYLE, quote=False)}</style>",
        f"<defs>{''.join([_head(kind, colour) for kind, colour in HEADS.items()])}</defs>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        f'<g transform="translate({MARGIN:g} {MARGIN:g})">',
    ]
    for name, block in blocks.items():
        drawn = _drawn(picture, name, block, layout.centres[name])
        if block.number and place_of_loop:
            parts.append(f'<a href="{html.escape(place_of_loop.format(block.number))}">')
            parts += [*drawn, "</a>"]
        else:
            parts += drawn
    for line in lines:
        parts.append(_path(line, blocks, block_of, layout))
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


# --- what stands where ----------------------------------------------------------------------------------


def _blocks(picture: Picture) -> tuple[dict[str, _Block], dict[str, str]]:
    """The blocks of a drawing in the order of the program, and in which one each node stands."""
    blocks: dict[str, _Block] = {}
    block_of: dict[str, str] = {}
    for name, node in picture.graph.nodes(data=True):
        number = node.get("loop")
        block_of[name] = name if number is None else f"loop {number}"
        if number is None:
            lines = _cut(node["label"].split("\n"))
            width, height = _size(lines)
            blocks[name] = _Block(width, height, node["kind"], lines, node["tooltip"])
        elif block_of[name] not in blocks:
            blocks[block_of[name]] = _loop(picture, number)
    return blocks, block_of


def _loop(picture: Picture, number: int) -> _Block:
    """The block of a loop: its operations side by side, below them what it is and what is fused in it."""
    box = picture.boxes[number]
    fused = [f"fused: {each}" for each in box.fused[:MOST_FUSED]]
    if len(box.fused) > MOST_FUSED:
        fused.append(f"and {len(box.fused) - MOST_FUSED} more")
    lines = _cut([box.title, *fused])
    parts: dict[str, tuple[float, float]] = {}
    left, tallest = PAD, 0.0
    inside = [(name, node) for name, node in picture.graph.nodes(data=True) if node.get("loop") == number]
    for name, node in inside:
        width, height = _size(_cut(node["label"].split("\n")))
        parts[name] = (left, width)
        left += width + PAD
        tallest = max(tallest, height)
    width, height = _size(lines)
    joined = any(kind == "register" and u in parts for u, _, kind in picture.graph.edges(data="kind"))
    below = PAD + tallest + (LOOP if joined else 0.0)
    return _Block(max(width, left), below + height, "loop", lines, box.tooltip, parts, tallest, number)


def _lines(picture: Picture, blocks: dict[str, _Block], block_of: dict[str, str]) -> Iterator[_Line]:
    """The edges to be drawn. A reason becomes a block on its edge."""
    for first, last, edge in picture.graph.edges(data=True):
        kind, label = edge["kind"], edge["label"]
        if kind != "apart":
            yield _Line(first, last, kind, label or kind)
            continue
        name = f"reason {first} {last}"
        lines = tuple(in_lines(label))
        width, height = _size(lines)
        if name not in blocks:
            blocks[name] = _Block(width, height, "reason", lines, label)
            block_of[name] = name
            yield _Line(first, name, kind, label, has_head=False)
            yield _Line(name, last, kind, label)


def _in_order(
    blocks: dict[str, _Block], block_of: dict[str, str], lines: Sequence[_Line]
) -> dict[str, _Block]:
    """The blocks in the order of the program, each reason just before the later of its loops."""
    place = {name: float(k) for k, name in enumerate(blocks)}
    for line in lines:
        if blocks[block_of[line.first]].kind == "reason":
            ends = line.first.split()[1:]
            place[line.first] = max([place[block_of[end]] for end in ends]) - 0.5
    return dict(sorted(blocks.items(), key=lambda each: place[each[0]]))


def _cut(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple([line if len(line) <= LONGEST else line[: LONGEST - 1] + "…" for line in lines])


def _size(lines: Sequence[str]) -> Point:
    """What some lines of text take, with what is free around them."""
    widest = max([sum([_columns(c) for c in line]) for line in lines], default=0)
    return widest * LETTER + 2 * PAD, len(lines) * LINE + PAD


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


# --- elements -------------------------------------------------------------------------------------------


def _drawn(picture: Picture, name: str, block: _Block, centre: Point) -> Iterator[str]:
    """A block as elements."""
    left, top = centre[0] - block.width / 2, centre[1] - block.height / 2
    known = f' data-loops="{block.number}"' if block.number else ""
    yield f'<g class="{block.kind}"{known}><title>{html.escape(block.tooltip)}</title>'
    round_by = 12 if block.kind == "input" else 5
    if block.kind != "reason":
        yield _rect(left, top, block.width, block.height, round_by, "box")
    texts = top + (block.height - len(block.lines) * LINE - PAD / 2 if block.parts else PAD / 2)
    for k, line in enumerate(block.lines):
        style = "" if block.kind != "loop" else "title" if k == 0 else "fused"
        yield _text(centre[0], texts + (k + 0.75) * LINE, line, style)
    for part, (offset, width) in block.parts.items():
        node = picture.graph.nodes[part]
        x = left + offset + _spare(block)
        yield f'<g class="soac"><title>{html.escape(node["tooltip"])}</title>'
        yield _rect(x, top + PAD, width, block.part_height, 5, "operation")
        for k, line in enumerate(_cut(node["label"].split("\n"))):
            yield _text(x + width / 2, top + PAD + PAD / 2 + (k + 0.75) * LINE, line, "")
        yield "</g>"
    yield "</g>"


def _spare(block: _Block) -> float:
    """How far the operations of a loop are moved to the right, so that they stand in its middle."""
    end = max([offset + width for offset, width in block.parts.values()], default=0.0) + PAD
    return (block.width - end) / 2


def _rect(x: float, y: float, width: float, height: float, round_by: float, style: str) -> str:
    return (
        f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="{round_by:g}"/>'
    )


def _text(x: float, y: float, words: str, style: str) -> str:
    kind = f' class="{style}"' if style else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle"{kind}>{html.escape(words)}</text>'


def _path(line: _Line, blocks: dict[str, _Block], block_of: dict[str, str], layout: Layout) -> str:
    """An edge: out of the bottom of a block into the top of another, or the other way round."""
    first, last = block_of[line.first], block_of[line.last]
    if first == last:
        points = _below(blocks[first], layout.centres[first], line)
    else:
        places = list(blocks)
        is_down = places.index(first) < places.index(last)
        start = _port(line.first, blocks[first], layout.centres[first], is_top=not is_down)
        end = _port(line.last, blocks[last], layout.centres[last], is_top=is_down)
        points = _curve([start, *layout.ways[first, last], end])
    head = f' marker-end="url(#{line.kind})"' if line.has_head else ""
    look = f'class="edge {line.kind}" stroke="{HEADS[line.kind]}"'
    return f'<path {look} d="{points}"{head}><title>{html.escape(line.tooltip)}</title></path>'


def _head(kind: str, colour: str) -> str:
    """The tip of an arrow."""
    return (
        f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path class="tip {kind}" d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
    )


def _port(name: str, block: _Block, centre: Point, *, is_top: bool) -> Point:
    """Where an edge meets a node; an operation is entered from above, and left at the end of its loop."""
    top, bottom = centre[1] - block.height / 2, centre[1] + block.height / 2
    if name not in block.parts:
        return centre[0], top if is_top else bottom
    offset, width = block.parts[name]
    middle = centre[0] - block.width / 2 + offset + _spare(block) + width / 2
    return middle, top + PAD if is_top else bottom


def _below(block: _Block, centre: Point, line: _Line) -> str:
    """An edge between operations of one loop, under them."""
    (x, top), (end, _) = [_port(n, block, centre, is_top=True) for n in (line.first, line.last)]
    start, stop, y = x + 8, end - 8, top + block.part_height
    low = y + LOOP
    return f"M{start:.1f} {y:.1f}C{start:.1f} {low:.1f} {stop:.1f} {low:.1f} {stop:.1f} {y:.1f}"


def _curve(points: Sequence[Point]) -> str:
    """A line that leaves and enters its points straight down or up."""
    (x, y), *rest = points
    way = f"M{x:.1f} {y:.1f}"
    for right, low in rest:
        if right == x:
            way += f"V{low:.1f}"
        else:
            half = (y + low) / 2
            way += f"C{x:.1f} {half:.1f} {right:.1f} {half:.1f} {right:.1f} {low:.1f}"
        x, y = right, low
    return way
