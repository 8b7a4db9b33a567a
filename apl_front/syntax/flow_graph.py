"""Labels and `→` as loops and blocks.

The lines from one label to the next are the nodes of a flow graph. Where every way into a cycle leads through
one line, that line is the head of a loop: it dominates the lines that jump back to it. What a line dominates
stands behind a block of it, and a jump forward to it goes behind that block (N. Ramsey, "Beyond Relooper",
ICFP 2022); what a head of a loop dominates stands inside of the loop if it leads back to the head, behind it
if it does not. A cycle with two entrances has no such form, and is refused where the arrow jumps back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import networkx as nx

from aplc.apl_front.syntax.ast import RETURN, Block, Code, Jump, Loop
from aplc.apl_front.syntax.fields import Reading
from aplc.apl_front.syntax.gotos import Label, comes_to_its_end, is_to_a_line, jumps, label_of

_ENTRY = "entry"


def structured(code: Code, labels: Sequence[Label], reading: Reading) -> Code:
    """Code that jumps to lines, with all jumps to something around them."""
    arrows = [jump for jump in jumps(code) if is_to_a_line(jump)]
    known = {label_of(label.name): label for label in labels}
    missing = [jump for jump in arrows if jump.label not in known]
    for jump in missing:
        reading.report(f"there is no label {jump.label[1:]} in this function", jump.span)
    if missing:
        return code
    return _Lines(_parts(code, known, {jump.label for jump in arrows}), reading).code()


def _parts(code: Code, known: Mapping[str, Label], wanted: set[str]) -> dict[str, Code]:
    """The code from each label that is jumped to up to the next one, which it ends with a jump to."""
    first = next(iter(known.values())).span
    starts = [(_ENTRY, 0), *[(name, label.at) for name, label in known.items() if name in wanted]]
    starts.sort(key=lambda start: start[1])
    parts: dict[str, Code] = {}
    for k, (name, at) in enumerate(starts):
        following, end = starts[k + 1] if k + 1 < len(starts) else (RETURN, len(code))
        part = code[at:end]
        if comes_to_its_end(part):
            span = part[-1].span if part else known[name].span if name in known else first
            part = (*part, Jump(following, span))
        parts[name] = part
    return parts


class _Lines:
    """The parts of a definition as a flow graph."""

    def __init__(self, parts: dict[str, Code], reading: Reading) -> None:
        self._parts = parts
        self._reading = reading
        graph = nx.DiGraph()
        graph.add_node(_ENTRY)
        for name, part in parts.items():
            graph.add_edges_from((name, jump.label) for jump in jumps(part) if jump.label in parts)
        self._graph = graph.subgraph({_ENTRY, *nx.descendants(graph, _ENTRY)})
        self._order = {n: k for k, n in enumerate(reversed([*nx.dfs_postorder_nodes(self._graph, _ENTRY)]))}
        self._dominated: dict[str, list[str]] = {}
        self._above = {n: d for n, d in nx.immediate_dominators(self._graph, _ENTRY).items() if n != _ENTRY}
        for name in sorted(self._above, key=lambda n: self._order[n]):
            self._dominated.setdefault(self._above[name], []).append(name)
        self._loops = self._natural_loops()

    def code(self) -> Code:
        """All parts in their blocks and loops."""
        return self._tree(_ENTRY)

    def _natural_loops(self) -> dict[str, set[str]]:
        """The heads of loops, with the parts from which they are reached again."""
        loops: dict[str, set[str]] = {}
        for name, head in self._graph.edges:
            if self._order[head] > self._order[name]:
                continue
            if not self._dominates(head, name):
                at = next(j for j in jumps(self._parts[name]) if j.label == head)
                what = "→ back into lines that are also entered elsewhere is not supported yet: write :While"
                self._reading.refuse(what, at.span)
                continue
            body = loops.setdefault(head, {head})
            waiting = [name]
            while waiting:
                each = waiting.pop()
                if each not in body:
                    body.add(each)
                    waiting += self._graph.predecessors(each)
        return loops

    def _dominates(self, head: str, name: str) -> bool:
        while name != head and name in self._above:
            name = self._above[name]
        return name == head

    def _tree(self, name: str) -> Code:
        """A part, and all that it dominates."""
        code, inside = self._parts[name], self._loops.get(name)
        below = self._dominated.get(name, [])
        for child in below:
            if inside is not None and child in inside:
                code = self._behind(child, code)
        if inside is not None:
            code = (Loop(name, code, code[-1].span),)
        for child in below:
            if inside is None or child not in inside:
                code = self._behind(child, code)
        return code

    def _behind(self, child: str, code: Code) -> Code:
        """What a part dominates, behind what leads to it."""
        *before, last = code
        if isinstance(last, Jump) and last.label == child:
            code = tuple(before)  # it comes there by itself
            if all(jump.label != child for jump in jumps(code)):
                return (*code, *self._tree(child))
        return (Block(child, code, code[-1].span), *self._tree(child))
