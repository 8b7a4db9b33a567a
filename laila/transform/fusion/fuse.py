"""Fusion: which SOACs of a program share one loop.

Statements in straight order form a dependence graph. SOACs over one index space may share a loop unless
another statement must stand between them, or one needs elements that the other has not computed yet. Loops
are shared so that the fewest bytes move: what two SOACs both read is read once, what one writes and the
other reads at the same index is handed over in a register, and an array that only its own loop reads is not
written at all. Sources: λcu (section 4), with the model of Megiddo and Sarkar in
`aplc.laila.transform.fusion.exclusive`.

    sum1 = REDUCE over i < n { xs[i] }                FUSED over i < n {
    sum2 = REDUCE over j < n { xs[j] > 0 ? … }   →        sum1 = …, sum2 = …
                                                       }

Changes of elements of which several may be one, as sums by key are, share a loop in order with each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Filter,
    ForEach,
    Free,
    Function,
    Fused,
    HostCheck,
    HostLet,
    If,
    Map,
    Output,
    Part,
    Program,
    Reduce,
    Scan,
    Space,
    Statement,
    Store,
)
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Check,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Var,
    certainly,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, leaves, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.fusion.axes import over_axes
from aplc.laila.transform.fusion.cluster import Pair, clusters
from aplc.laila.transform.fusion.dependence import Node, dependences, node_of, only_writes
from aplc.laila.transform.fusion.legality import across, along, in_order
from aplc.tail.types import Base

CHEAP = 8
"""What filters test and keep is done again, in lanes, if it takes so many operations at most."""

MAX_REGION = 250
"""Statements among which fusion looks for what to join; every two of them are compared."""


def fuse(program: Program, make: ExprBuilder) -> Program:
    """The program with SOACs fused where that moves fewer bytes."""
    fuser = _Fuser(make)
    functions = tuple(
        [
            Function(f.name, f.parameters, fuser.block(f.statements, _given(f)), f.results, f.site)
            for f in program.functions
        ]
    )
    return Program(program.parameters, fuser.block(program.statements, set()), functions)


def _given(function: Function) -> set[Buffer]:
    return {leaf.buffer for r in function.results for leaf in leaves(r) if isinstance(leaf, ArrayRef)}


class _Fuser:
    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement], kept: set[Buffer]) -> tuple[Statement, ...]:
        """A sequence of statements, region by region; control flow stands between regions, but for choices
        that only write memory, as those between short and long rows.
        """
        result: list[Statement] = []
        region: list[Statement] = []
        for statement in statements:
            if isinstance(statement, If) and only_writes(statement):
                statement = with_bodies(statement, lambda body: self.block(body, kept))
                is_straight = True
            else:
                is_straight = isinstance(
                    statement, HostLet | Alloc | Free | Map | Scan | Filter | Store | HostCheck | Output
                )
            if is_straight:
                region.append(statement)
                if len(region) == MAX_REGION:
                    result += self.region(region, kept)
                    region = []
                continue
            result += self.region(region, kept)
            result.append(with_bodies(statement, lambda body: self.block(body, kept)))
            region = []
        result += self.region(region, kept)
        return tuple(self.contracted(result, kept))

    # --- a region ---

    def region(self, statements: list[Statement], kept: set[Buffer]) -> list[Statement]:
        """Statements without control flow among them."""
        graph = [node_of(s, self.free) for s in self.along_axes(statements)]
        spaces: dict[tuple[int, ...], list[int]] = {}
        for position, node in enumerate(graph):
            if node.part is not None:
                spaces.setdefault(node.part.space.key, []).append(position)
        candidates = [group for group in spaces.values() if len(group) > 1]
        if not candidates:
            return statements
        before = dependences(graph)
        pairs = [pair for group in candidates for pair in self.pairs(graph, group, before)]
        groups = clusters(before, pairs)
        if all(len(group) == 1 for group in groups):
            return statements
        result = [
            self.merged([graph[k] for k in sorted(group)]) if len(group) > 1 else statements[group[0]]
            for group in groups
        ]
        return result

    def along_axes(self, statements: list[Statement]) -> list[Statement]:
        """Maps over all elements of an array as maps over its axes, where others run over those."""
        make = self.make
        spaces = [s.space for s in statements if isinstance(s, Map) and len(s.space.indices) > 1]
        by_size = {make.product(space.extents): space for space in reversed(spaces)}
        result: list[Statement] = []
        for statement in statements:
            if isinstance(statement, Map) and len(statement.space.indices) == 1:
                wanted = by_size.get(statement.space.extents[0])
                if wanted is not None:
                    statement = over_axes(make, statement, wanted)
            result.append(statement)
        return result

    def pairs(self, graph: list[Node], group: list[int], before: list[set[int]]) -> list[Pair]:
        """The pairs of a group that may share a loop, with the bytes an element that this saves."""
        found: list[Pair] = []
        for position, k in enumerate(group):
            for j in group[:position]:
                first, second = graph[j], graph[k]
                if across(first, second) is not None:
                    continue
                if j in before[k] and along(self.make, first, second) is not None:
                    continue
                common = (first.reads - first.writes) & (second.reads - second.writes)
                handed = first.writes & second.reads
                shared = handed if _are_apart(first, second) else {*common, *handed}
                found.append(Pair(j, k, sum([buffer.item_bytes for buffer in shared])))
        return found

    def renaming(self, old: Space, new: Space) -> Substitute:
        return Substitute(self.make, dict(zip(old.indices, new.indices, strict=True)))

    # --- the fused loop ---

    def merged(self, group: list[Node]) -> Statement:
        """The statements of a cluster as one loop."""
        first = group[0].part
        assert first is not None
        space = first.space
        if in_order(first):
            return self.changes([node.part for node in group if isinstance(node.part, Map)])
        handed: dict[Exp, Exp] = {}
        parts: list[Part] = []
        for node in group:
            assert node.part is not None
            change = self.renaming(node.part.space, space)
            part = _changed(node.part, space, change)
            part = _changed(part, space, Substitute(self.make, handed))
            if isinstance(part, Map):
                handed[self.make.read(part.buffer, part.position)] = part.body
            elif isinstance(part, Scan):
                running = Var(self.make.fresh("s"), part.body.ty)
                part = replace(part, running=running)
                handed[self.make.read(part.buffer, part.position)] = running
            parts.append(part)
        return Fused(space, tuple(parts))

    def changes(self, maps: list[Map]) -> Statement:
        """Changes of several arrays as one loop in order, whose checks stand before what they guard."""
        space, body = maps[0].space, list[Statement]()
        for each in maps:
            change = self.renaming(each.space, space)
            guard = each.guard
            while isinstance(guard, Check):
                reported = tuple([change(e) for e in guard.reported])
                body.append(HostCheck(change(guard.ok), guard.site, reported))
                guard = guard.value
            body.append(Store(each.buffer, change(each.position), change(each.body)))
        return ForEach(space, tuple(body))

    def contracted(self, statements: list[Statement], kept: set[Buffer]) -> list[Statement]:
        """The statements without the arrays that nobody reads behind their loop."""
        read: set[Buffer] = set(kept)
        for statement in statements:
            if isinstance(statement, Fused):
                read.update(buffers_read(*expressions(statement)))
            elif not isinstance(statement, Alloc | Free):
                read.update(mentioned(statement))
        fused = [s for s in statements if isinstance(s, Fused)]
        freed = {s.buffer for s in statements if isinstance(s, Free)}
        ours = {s.buffer for s in statements if isinstance(s, Alloc)} & freed
        read.update([b for b in ours if b.asked])
        unread = _dispensable(fused, ours - read)
        result: list[Statement] = []
        for statement in statements:
            if isinstance(statement, Alloc | Free) and statement.buffer in unread:
                continue
            result += _without(statement, unread) if isinstance(statement, Fused) else [statement]
        return result


def _are_apart(first: Node, second: Node) -> bool:
    """Whether one of two keeps elements and the other folds them: loops of their own do each in lanes, which
    saves more than one loop, which would read only once what both read.
    """
    return any(_is_packed(x) and isinstance(y.part, Reduce) for x, y in ((first, second), (second, first)))


def _is_packed(node: Node) -> bool:
    """Whether a statement keeps elements that cost little, so that a loop writes a vector of them at once."""
    part = node.part
    if not isinstance(part, Filter) or part.buffer.ty is Base.COMPLEX:
        return False
    is_plain = not contains(BlockExp | Check | Fold | PureCall, part.keep, part.body)
    return is_plain and weigh(part.keep, part.body).cost <= CHEAP


def _dispensable(fused: list[Fused], unread: set[Buffer]) -> set[Buffer]:
    """The unread buffers that need not be written: the errors of each are raised by parts that stay."""
    found: set[Buffer] = set()
    needed: set[Buffer] = set()
    for statement in fused:
        left = list(statement.parts)
        for part in statement.parts:
            if isinstance(part, Reduce | Filter) or part.buffer not in unread:
                continue
            if isinstance(part, Map):
                others = [q for q in left if q is not part]
                if weigh(part.body).may_fail and not _raise_all(others, part.body):
                    needed.add(part.buffer)
                    continue
                left = others
            found.add(part.buffer)
    return found - needed


def _raise_all(parts: list[Part], body: Exp) -> bool:
    """Whether each error of an expression is one of some parts at the same point."""
    certain = {_error_of(n) for n in nodes(*[e for q in parts for e in _always(q)], below=certainly)}
    return all(_error_of(n) in certain for n in nodes(body) if isinstance(n, Check | BlockExp))


def _error_of(node: Exp) -> tuple[int, ...]:
    """What tells the error that a node may raise from others: that of a check is not of its value."""
    if not isinstance(node, Check):
        return (id(node),)
    return (id(node.ok), id(node.site), *map(id, node.reported))


def _always(part: Part) -> tuple[Exp, ...]:
    """What a part computes at each point."""
    return (part.keep,) if isinstance(part, Filter) else (part.body,)


def _without(statement: Fused, unread: set[Buffer]) -> list[Statement]:
    """A loop that does not write some buffers, a map where that is left; no loop where nothing is."""
    parts: list[Part] = []
    for part in statement.parts:
        if isinstance(part, Scan) and part.buffer in unread:
            parts.append(replace(part, is_written=False))
        elif not (isinstance(part, Map) and part.buffer in unread):
            parts.append(part)
    if len(parts) == 1 and isinstance(parts[0], Map):
        return [parts[0]]
    return [replace(statement, parts=tuple(parts))] if parts else []


def _changed(part: Part, space: Space, change: Substitute) -> Part:
    """A part over the common space."""
    match part:
        case Reduce(body=body):
            return replace(part, space=space, body=change(body))
        case Map(position=position, body=body) | Scan(position=position, body=body):
            return replace(part, space=space, position=change(position), body=change(body))
        case Filter(keep=keep, body=body):
            return replace(part, space=space, keep=change(keep), body=change(body))
