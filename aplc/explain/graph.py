"""The graph of an explanation: what computes, what is in memory, what waits for what, and why loops are not
one. `aplc explain --graph` draws it.

    node   kind          what it is
           input         an input of the program
           soac          a parallel operation; `loop` is the number of the loop that it is part of, which is a
                         function of the run-time system where that computes something as a whole
           array         memory that a loop fills, or that has constants
           function      a function of the program that calls itself
           result        what is printed, or the program's value
    edge   kind
           memory        elements are written to memory, or read from it
           scalar        a scalar is needed
           register      elements are handed over in the same loop
           call          arguments and results
           move          memory changes hands, as between rounds of a loop
           apart         two loops share data and are not one; the label says why

All attributes are strings without control characters, or integers. Nodes stand in the order of the program:
an edge to an earlier node leads to the next round of a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import networkx as nx

from aplc.explain.amounts import bytes_of, formula
from aplc.explain.report import Decision, Explanation, apart_from, buffers_of, first_words
from aplc.explain.text import kind_of, loop_lines, surroundings
from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import (
    ArrayRef,
    Filter,
    Function,
    FunctionCall,
    HostLet,
    If,
    Map,
    Move,
    Output,
    Part,
    Reduce,
    Ref,
    RuntimeCall,
    Scan,
    Statement,
    Store,
    Swap,
)
from aplc.laila.ir.scalar import Buffer, Const, Exp, Fold, FreeVars, Var, nodes
from aplc.laila.ir.statements import bodies, bound, leaves, own_expressions
from aplc.laila.reports.calls import call_graph, recursive_together
from aplc.laila.reports.fusion_blockers import why_not_together
from aplc.laila.reports.traffic import Loop, is_likely
from aplc.tail.legible import legible
from aplc.tail.source import Span
from aplc.tail.types import Base

Operation = Part | Statement | Fold
Block = tuple[str, tuple[tuple[int, int], ...]]
"""A function, and the statements around something, each with the number of its body."""


@dataclass(frozen=True, slots=True)
class Box:
    """A loop: what stands around its operations."""

    title: str
    fused: tuple[str, ...]
    """The arrays of the source that are computed in it and in no memory."""
    tooltip: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn."""

    graph: nx.MultiDiGraph
    boxes: dict[int, Box]
    """By the number of the loop."""


def picture_of(told: Explanation) -> Picture:
    """The graph of an explanation, with its loops."""
    drawing = _Drawing(told)
    drawing.statements(told.program.statements, ("", ()))
    for function in told.program.functions:
        drawing.function(function)
    drawing.reasons()
    return Picture(drawing.graph, drawing.boxes)


@dataclass(slots=True)
class _Drawing:
    """A graph that grows, statement by statement."""

    told: Explanation
    graph: nx.MultiDiGraph = field(default_factory=nx.MultiDiGraph)
    boxes: dict[int, Box] = field(default_factory=dict)
    edges: set[tuple[str, str, str]] = field(default_factory=set)
    free: FreeVars = field(default_factory=FreeVars)
    scalars: nx.DiGraph = field(default_factory=nx.DiGraph)
    """From each scalar of the host to those that are computed from it."""
    givers: dict[str, str] = field(default_factory=dict)
    """The nodes that give scalars."""
    writers: dict[tuple[int, str], str] = field(default_factory=dict)
    """The node that writes a buffer in a loop."""
    readers: dict[tuple[int, str], str] = field(default_factory=dict)
    """The first node that reads it there."""
    blocks: dict[int, Block] = field(default_factory=dict)
    """Where loops stand."""
    arrays: dict[str, str] = field(default_factory=dict)
    """The nodes of buffers."""
    numbers: dict[int, int] = field(default_factory=dict)
    """The loops by the identity of their statements."""
    calls: nx.DiGraph = field(init=False)

    def __post_init__(self) -> None:
        told = self.told
        self.numbers |= {id(loop.statement): k for k, loop in enumerate(told.loops)}
        self.scalars.add_edges_from([(u, v) for v, names in told.traffic.sources.items() for u in names])
        self.calls = call_graph(told.program)
        for q in told.program.parameters:
            shape = "".join([f"[{n.name}]" for n in q.extents])
            stored = "" if q.ty is Base.CHAR else f" as {q.buffer.storage}"
            lines = f"{q.name}: {q.ty}{shape}{stored}", self.size(q.buffer)
            self.arrays[q.buffer.name] = self.node("input", *lines, storage=q.buffer.storage)

    # --- nodes ---

    def node(self, kind: str, *lines: str, tooltip: str = "", **attributes: str | int) -> str:
        """A new node with some lines of text."""
        name = f"{kind}_{sum([1 for _, k in self.graph.nodes(data='kind') if k == kind]) + 1}"
        label = _clean("\n".join([line for line in lines if line]))
        known = {k: _clean(v) if isinstance(v, str) else v for k, v in attributes.items()}
        self.graph.add_node(name, kind=kind, label=label, tooltip=_clean(tooltip or label), **known)
        return name

    def edge(self, first: str, second: str, kind: str, label: str = "") -> None:
        """An edge between two nodes, if there is none of its kind."""
        if first != second and (first, second, kind) not in self.edges:
            self.edges.add((first, second, kind))
            self.graph.add_edge(first, second, f"edge_{len(self.edges)}", kind=kind, label=_clean(label))

    def size(self, buffer: Buffer) -> str:
        """The bytes of a buffer, as far as they are known."""
        size = self.told.traffic.sizes.get(buffer.name)
        if buffer.data is not None:
            size = self.told.make.const(len(buffer.data))
        if size is None:
            return ""
        make = self.told.make
        return bytes_of(self.told, make.mul(make.const(buffer.item_bytes), size))

    def array(self, buffer: Buffer) -> str:
        """The node of a buffer."""
        if buffer.name not in self.arrays:
            written = self.told.decisions.written.get(buffer.name)
            place, why = (None, "") if written is None else (written.span, written.why)
            lines = [self.told.label(buffer), f"{buffer.storage}, {self.size(buffer) or 'of no known size'}"]
            tooltip = "\n".join([*([] if place is None else [_place(place)]), *lines, why]).rstrip()
            known = {
                "reason": why,
                "storage": buffer.storage,
                "place": "" if place is None else _place(place),
            }
            self.arrays[buffer.name] = self.node("array", *lines, tooltip=tooltip, **known)
        return self.arrays[buffer.name]

    def giving(self, exps: Sequence[Exp]) -> list[str]:
        """The nodes that give the scalars from which expressions are computed."""
        names: set[str] = {v.name for e in exps for v in self.free.of(e)}
        for name in list(names):
            if name in self.scalars and name not in self.givers:
                names |= nx.ancestors(self.scalars, name)
        return [node for name, node in self.givers.items() if name in names]

    # --- statements ---

    def statements(self, statements: Sequence[Statement], block: Block) -> None:
        """Draw the statements of a block."""
        function, around = block
        for statement in statements:
            number = self.numbers.get(id(statement))
            if number is not None:
                self.blocks[number] = block
                self.loop(number, self.told.loops[number], function)
            match statement:
                case Output():
                    self.result(statement)
                case FunctionCall():
                    self.call(statement)
                case Store(buffer=buffer, value=value) if number is None:
                    for giver in self.giving([value]):
                        self.edge(giver, self.array(buffer), "memory")
                case Move(target=target, source=source):
                    self.edge(self.array(source), self.array(target), "move")
                case Swap(first=first, second=second):
                    self.edge(self.array(first), self.array(second), "move")
                    self.edge(self.array(second), self.array(first), "move")
                case _:
                    pass
            likely = isinstance(statement, If) and is_likely(statement.cond)
            for k, body in enumerate(bodies(statement)[: 1 if likely else None]):
                self.statements(body, (function, (*around, (id(statement), k))))

    def loop(self, number: int, loop: Loop, function: str) -> None:
        """The operations of a loop, what they read and what they write."""
        told = self.told
        space = " × ".join([formula(told.traffic.resolved(n, {})) for n in loop.extents])
        title = f"loop {number + 1}{f' over {space}' if space else ''}{surroundings(told, loop)}"
        title += f", in function {function}" if function else ""
        fused = tuple([_clean(_fused(d)) for d in told.arrays if _is_fused(d, number + 1)])
        tooltip = "\n".join([line.strip() for line in loop_lines(told, number, loop)])
        self.boxes[number + 1] = Box(_clean(title), fused, _clean(tooltip))
        for buffer in self.read(loop):
            self.array(buffer)
        parts: list[Operation] = list(loop.parts) or [loop.statement]
        drawn: dict[str, Operation] = {}
        for part in parts:
            place = self.place(part, loop)
            words = "" if place is None else f"{place.line}:{place.column} {first_words(place)}"
            text = f"{kind_of(part)}\n{'of no place in the source' if place is None else _place(place)}"
            name = self.node(
                "soac", kind_of(part), words, tooltip=text, loop=number + 1, operation=kind_of(part),
                place="" if place is None else _place(place), over=space, fused="\n".join(fused),
            )  # fmt: skip
            drawn[name] = part
        self._connect(number, loop, drawn)

    def _connect(self, number: int, loop: Loop, drawn: dict[str, Operation]) -> None:
        """The edges of the operations of a loop."""
        told, nodes_drawn = self.told, list(drawn)
        own = {v.name for v in bound(loop.statement)} | loop.indices
        mentions = {name: set(buffers_read(*_roots(part))) for name, part in drawn.items()}
        for buffer, label in self.read(loop).items():
            for name in [n for n, found in mentions.items() if buffer in found] or nodes_drawn[:1]:
                self.edge(self.array(buffer), name, "memory", label)
                self.readers.setdefault((number, buffer.name), name)
        for k, (name, part) in enumerate(drawn.items()):
            roots = _roots(part)
            for giver in self.giving(roots):
                if giver not in drawn:
                    self.edge(giver, name, "scalar")
            for other in nodes_drawn[k + 1 :]:
                if _hands_over(part, _roots(drawn[other])):
                    self.edge(name, other, "register")
        for giver in (
            self.giving([Var(n, Base.INT) for n in sorted(loop.needs - own)]) if len(drawn) == 1 else ()
        ):
            if giver not in drawn:
                self.edge(giver, nodes_drawn[0], "scalar")
        sizes = dict(loop.writes)
        for buffer in buffers_of(loop):
            writer = next(
                (n for n, q in drawn.items() if getattr(q, "buffer", None) is buffer), nodes_drawn[0]
            )
            self.writers[number, buffer.name] = writer
            label = bytes_of(told, sizes[buffer]) if buffer in sizes else ""
            self.edge(writer, self.array(buffer), "memory", label)
        for variable in bound(loop.statement):
            giver = next((n for n, q in drawn.items() if variable in _given(q)), nodes_drawn[0])
            self.givers[variable.name] = giver

    def read(self, loop: Loop) -> dict[Buffer, str]:
        """The buffers that a loop or a function reads, and how many bytes."""
        found = {b: bytes_of(self.told, n) for b, n in loop.reads}
        filled = buffers_of(loop) if isinstance(loop.statement, RuntimeCall) else []
        return found | {b: "" for b in loop.searched if b not in found and b not in filled}

    def place(self, part: Operation, loop: Loop) -> Span | None:
        """Where an operation stands in the source."""
        decisions = self.told.decisions
        fold = part.fold if isinstance(part, Reduce) else part
        if isinstance(fold, Fold):
            return decisions.places.get(fold.var.name)
        written = decisions.written.get(part.buffer.name) if isinstance(part, Map | Scan | Filter) else None
        if written is not None and written.span is not None:
            return written.span
        return next(iter(self.told.places(loop)), None)

    # --- what is not computed in a loop ---

    def result(self, output: Output) -> None:
        """What is printed, or the value of the program."""
        name = self.node("result", "result" if output.is_result else "printed")
        self._take((output.value,), name, "memory")

    def _take(self, references: Sequence[Ref], name: str, kind: str) -> None:
        """Edges from arrays and scalars to what gets them."""
        for leaf in [leaf for reference in references for leaf in leaves(reference)]:
            if isinstance(leaf, ArrayRef):
                self.edge(self.array(leaf.buffer), name, kind)
            else:
                for giver in self.giving([leaf.value]):
                    self.edge(giver, name, "scalar")

    def _give(self, references: Sequence[Ref], name: str) -> None:
        """Edges to the arrays, and notes of the scalars, that come from a function."""
        for leaf in [leaf for reference in references for leaf in leaves(reference)]:
            if isinstance(leaf, ArrayRef):
                self.edge(name, self.array(leaf.buffer), "call")
            elif isinstance(leaf.value, Var):
                self.givers[leaf.value.name] = name

    def callee(self, name: str) -> str:
        """The node of a function of the program."""
        key = f"function {name}"
        if key not in self.arrays:
            together = recursive_together(self.calls).get(name, [])
            others = [n for n in together if n != name]
            said = f"recursive together with {', '.join(others)}" if others else "calls itself"
            site = next((f.site for f in self.told.program.functions if f.name == name), None)
            place = None if site is None else site.span
            words = "" if place is None else f"{place.line}:{place.column} {first_words(place)}"
            tooltip = "" if place is None else _place(place)
            said = said if together else ""
            self.arrays[key] = self.node("function", f"function {name}", words, said, tooltip=tooltip)
        return self.arrays[key]

    def call(self, invoke: FunctionCall) -> None:
        """A call of a function of the program."""
        name = self.callee(invoke.function)
        self._take(invoke.arguments, name, "call")
        self._give(invoke.results, name)

    def function(self, function: Function) -> None:
        """A function of the program: what its loops do with its arguments."""
        name = self.callee(function.name)
        self._give(function.parameters, name)
        self.statements(function.statements, (function.name, ()))
        for other in self.calls.successors(function.name):
            if other != function.name:
                self.edge(name, self.callee(other), "call")
        self._take(function.results, name, "call")

    # --- reasons ---

    def reasons(self) -> None:
        """Why loops that share data are not one."""
        told = self.told
        linked: set[frozenset[int]] = set()
        names = dict.fromkeys([b.name for loop in told.loops for b in buffers_of(loop)])
        for name in names:
            writer = next((k for k, buffer in self.writers if buffer == name), None)
            for number, why in apart_from(told.make, told.loops, name):
                if writer is not None and why and writer != number - 1:
                    self._apart(writer, number - 1, name, why)
                    linked.add(frozenset((writer, number - 1)))
        order = nx.DiGraph()
        order.add_nodes_from(range(len(told.loops)))
        order.add_edges_from([(j - 1, k) for k in range(len(told.loops)) for j in told.before(k)])
        shared: dict[str, list[int]] = {}
        for k, name in sorted(self.readers):
            shared.setdefault(name, []).append(k)
        for name, loops in shared.items():
            for first, second in pairwise(loops):
                if frozenset((first, second)) in linked or not self.may_both_run(first, second):
                    continue
                linked.add(frozenset((first, second)))
                waits = nx.has_path(order, first, second)
                why = why_not_together(told.loops[first], told.loops[second], waits=waits)
                self._apart(first, second, name, why)

    def may_both_run(self, first: int, second: int) -> bool:
        """Whether two loops belong to one function, and not to the two sides of a condition."""
        (function, around), (other, others) = self.blocks[first], self.blocks[second]
        sides = dict(around)
        return function == other and all(sides.get(s, k) == k for s, k in others)

    def _apart(self, first: int, second: int, name: str, why: str) -> None:
        """An edge between two loops that share a buffer, but not a loop."""
        one = self.writers.get((first, name)) or self.readers.get((first, name))
        other = self.readers.get((second, name))
        if one is not None and other is not None:
            self.edge(one, other, "apart", why)


def _clean(text: str) -> str:
    return legible(text, keep="\n")


def _place(span: Span) -> str:
    """A place with its file and its text."""
    return f"{span.source.name}:{span.line}:{span.column} {first_words(span)}"


def _is_fused(decision: Decision, number: int) -> bool:
    return decision.fate != "written" and number in decision.loops


def _fused(decision: Decision) -> str:
    """An array that is computed in a loop only."""
    span = decision.span
    name = f"{decision.name} ← " if decision.name else ""
    how = " (in a register)" if decision.fate == "register" else ""
    return f"{span.line}:{span.column} {name}{first_words(span)}{how}"


def _roots(part: Operation) -> tuple[Exp, ...]:
    """The expressions of an operation."""
    match part:
        case Reduce(body=body, fold=fold):
            return (body, *([] if fold.empty is None else [fold.empty]))
        case Fold():
            return (part,)
        case _:
            return tuple(_all_expressions(part))


def _all_expressions(statement: Statement) -> Iterator[Exp]:
    yield from own_expressions(statement)
    for body in bodies(statement):
        for inner in body:
            yield from _all_expressions(inner)


def _given(part: Operation) -> tuple[Var, ...]:
    """The scalars that an operation of a loop gives."""
    match part:
        case Reduce(var=var) | Filter(count=var) | HostLet(var=var):
            return (var,)
        case _:
            return ()


def _hands_over(part: Operation, roots: Sequence[Exp]) -> bool:
    """Whether an operation of the same loop computes with what a part computes."""
    if isinstance(part, Scan):
        return part.running is not None and part.running in set(nodes(*roots))
    if isinstance(part, Map) and not isinstance(part.body, Const | Var):
        return part.body in set(nodes(*roots))
    return False
