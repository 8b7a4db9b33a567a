"""Fusion: which SOACs of a program share one loop.

Statements in straight order form a dependence graph. SOACs over one index space may share a loop unless
another statement must stand between them, or one needs elements that the other has not computed yet. Loops
are shared so that the fewest bytes move: what two SOACs both read is read once, what one writes and the
other reads at the same index is handed over in a register, and an array that only its own loop reads is not
written at all. Sources: λcu (section 4), with the model of Megiddo and Sarkar in
`aplc.laila.transform.exclusive`.

    sum1 = REDUCE over i < n { xs[i] }                FUSED over i < n {
    sum2 = REDUCE over j < n { xs[j] > 0 ? … }   →        sum1 = …, sum2 = …
                                                       }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd

from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Filter,
    Free,
    Function,
    Fused,
    HostCheck,
    HostLet,
    Map,
    Output,
    Part,
    Program,
    Put,
    Reduce,
    Scan,
    Space,
    Statement,
)
from aplc.laila.ir.scalar import (
    Buffer,
    Check,
    Const,
    Do,
    Exp,
    Fold,
    FreeVars,
    Lookup,
    Read,
    Var,
    certainly,
    nodes,
)
from aplc.laila.ir.simplify import Scalars
from aplc.laila.ir.statements import bound, expressions, leaves, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index, weigh
from aplc.laila.transform.cluster import Pair, clusters
from aplc.tail.prims import Prim

ITEM_BYTES = 8
MAX_REGION = 250
"""Statements among which fusion looks for what to join; every two of them are compared."""


def fuse(program: Program, make: Scalars) -> Program:
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


@dataclass(slots=True)
class _Node:
    """A statement of a region, and what fusion asks about it."""

    statement: Statement
    part: Part | None
    """It as part of a fused loop, if it can be one."""
    reads: set[Buffer]
    writes: set[Buffer]
    needs: set[str]
    gives: set[str]
    may_fail: bool
    shows: bool
    """Whether it does something that stays in order."""


class _Fuser:
    def __init__(self, make: Scalars) -> None:
        self.make = make
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement], kept: set[Buffer]) -> tuple[Statement, ...]:
        """A sequence of statements, region by region; control flow stands between regions."""
        result: list[Statement] = []
        region: list[Statement] = []
        for statement in statements:
            if isinstance(statement, HostLet | Alloc | Free | Map | Scan | Filter | Put | HostCheck | Output):
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
        graph = [self.node(s) for s in self.along_axes(statements)]
        spaces: dict[tuple[int, ...], list[int]] = {}
        for position, node in enumerate(graph):
            if node.part is not None:
                key = tuple([id(n) for n in node.part.space.extents])
                spaces.setdefault(key, []).append(position)
        candidates = [group for group in spaces.values() if len(group) > 1]
        if not candidates:
            return statements
        before = self.dependences(graph)
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
                    statement = self.over(statement, wanted)
            result.append(statement)
        return result

    def over(self, statement: Map, wanted: Space) -> Map:
        """A map over the positions of an array as one over its axes."""
        make = self.make
        indices = tuple([make.index(i.name, n) for i, n in zip(wanted.indices, wanted.extents, strict=True)])
        position = from_index(make, wanted.extents, indices)
        change = Substitute(make, {statement.space.indices[0]: position})
        return replace(
            statement,
            space=Space(indices, wanted.extents),
            position=change(statement.position),
            body=change(statement.body),
        )

    def node(self, statement: Statement) -> _Node:
        part = self.part(statement)
        reads = set(mentioned(statement))
        writes: set[Buffer] = set()
        match statement:
            case Alloc(buffer=b) | Free(buffer=b) | Map(buffer=b) | Scan(buffer=b) | Filter(buffer=b):
                writes = {b}
            case Put(buffer=b):
                writes = {b}
            case Output(is_result=True):
                writes = reads
            case _:
                pass
        own = {v.name for v in bound(statement)}
        roots = expressions(statement)
        needs = {v.name for e in roots for v in self.free.of(e)} - own
        may_fail = isinstance(statement, HostCheck | Alloc) or weighs_failure(roots)
        shows = isinstance(statement, Output) and not statement.is_result
        return _Node(statement, part, reads, writes, needs, own, may_fail, shows)

    def part(self, statement: Statement) -> Part | None:
        """A statement as part of a loop over an index space."""
        match statement:
            case HostLet(var=var, value=Fold(combine=Prim(), var=index, extent=extent, body=body) as fold):
                return Reduce(var, Space((index,), (extent,)), fold, body)
            case Map(guard=None, ordered=False, space=space) if space.indices:
                return statement
            case Scan(space=space) | Filter(space=space) if len(space.indices) == 1:
                return statement
            case _:
                return None

    def dependences(self, graph: list[_Node]) -> list[set[int]]:
        """For each statement those that must stand before it."""
        before: list[set[int]] = []
        writers: dict[Buffer, set[int]] = {}
        readers: dict[Buffer, set[int]] = {}
        givers: dict[str, int] = {}
        checks: set[int] = set()
        failing: set[int] = set()
        showing: set[int] = set()  # the last one: it stands behind all that show before it
        for k, node in enumerate(graph):
            earlier = {givers[name] for name in node.needs if name in givers}
            for buffer in node.reads | node.writes:
                earlier |= writers.get(buffer, set())
            for buffer in node.writes:
                earlier |= readers.get(buffer, set())
            if node.part or node.may_fail:
                earlier |= checks
            if node.shows:
                earlier |= failing | showing
            elif node.may_fail:
                earlier |= showing
            before.append(earlier)
            for buffer in node.writes:
                writers.setdefault(buffer, set()).add(k)
            for buffer in node.reads:
                readers.setdefault(buffer, set()).add(k)
            givers |= dict.fromkeys(node.gives, k)
            if isinstance(node.statement, HostCheck):
                checks.add(k)
            if node.shows:
                showing, failing = {k}, set()
            if node.may_fail:
                failing.add(k)
        return before

    def pairs(self, graph: list[_Node], group: list[int], before: list[set[int]]) -> list[Pair]:
        """The pairs of a group that may share a loop, with the bytes an element that this saves."""
        found: list[Pair] = []
        for position, k in enumerate(group):
            for j in group[:position]:
                first, second = graph[j], graph[k]
                if j in before[k] and not self.hands_over(first, second):
                    continue
                common = (first.reads - first.writes) & (second.reads - second.writes)
                handed = first.writes & second.reads
                saved = ITEM_BYTES * (len(common) + len(handed))
                found.append(Pair(j, k, saved))
        return found

    def hands_over(self, first: _Node, second: _Node) -> bool:
        """Whether all that the second needs of the first is the element at the same index."""
        if first.gives & second.needs or not isinstance(first.part, Map | Scan) or second.part is None:
            return False
        buffer, position = first.part.buffer, first.part.position
        if buffer.is_bounded and first.may_fail:
            return False  # what is known of the elements holds once the checks have been looked at
        change = self.renaming(second.part.space, first.part.space)
        element = self.make.read(buffer, position)
        for root in expressions(second.statement):
            found = [n for n in nodes(change(root)) if isinstance(n, Read) and n.buffer is buffer]
            others = [n for n in found if n is not element]
            if any(not self.are_apart(n.index, position) for n in others) or buffer in _as_a_whole(root):
                return False
        if buffer in buffers_read(*expressions(first.statement)):
            return False  # its elements change
        again = first.reads & second.writes
        return not again or (again == {buffer} and self.writes_others(first.part, second.part))

    def writes_others(self, first: Map | Scan, second: Part) -> bool:
        """Whether a part writes other elements of the same memory."""
        return isinstance(second, Map) and self.are_apart(second.position, first.position)

    def are_apart(self, one: Exp, other: Exp) -> bool:
        """Whether two positions differ for all indices: they lie in different columns."""
        const, terms = self.make.linear(one)
        another, more = self.make.linear(other)
        width = gcd(*terms.values(), *more.values())
        return self.make.counts(one, other) and (const - another) % max(width, 1) != 0

    def renaming(self, old: Space, new: Space) -> Substitute:
        return Substitute(self.make, dict(zip(old.indices, new.indices, strict=True)))

    # --- the fused loop ---

    def merged(self, group: list[_Node]) -> Statement:
        """The statements of a cluster as one loop."""
        first = group[0].part
        assert first is not None
        space = first.space
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
            result.append(_without(statement, unread) if isinstance(statement, Fused) else statement)
        return result


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
    certain = {id(n) for n in nodes(*[e for q in parts for e in _always(q)], below=certainly)}
    return all(id(n) in certain for n in nodes(body) if isinstance(n, Check | Do))


def _always(part: Part) -> tuple[Exp, ...]:
    """What a part computes at each point."""
    return (part.keep,) if isinstance(part, Filter) else (part.body,)


def _without(statement: Fused, unread: set[Buffer]) -> Statement:
    """A loop that does not write some buffers."""
    parts: list[Part] = []
    for part in statement.parts:
        if isinstance(part, Scan) and part.buffer in unread:
            parts.append(replace(part, is_written=False))
        elif not (isinstance(part, Map) and part.buffer in unread):
            parts.append(part)
    return replace(statement, parts=tuple(parts))


def _changed(part: Part, space: Space, change: Substitute) -> Part:
    """A part over the common space."""
    match part:
        case Reduce(body=body):
            return replace(part, space=space, body=change(body))
        case Map(position=position, body=body) | Scan(position=position, body=body):
            return replace(part, space=space, position=change(position), body=change(body))
        case Filter(keep=keep, body=body):
            return replace(part, space=space, keep=change(keep), body=change(body))


def _as_a_whole(root: Exp) -> set[Buffer]:
    """The buffers that sequences and searches in an expression mention."""
    return {b for n in nodes(root) if isinstance(n, Do | Lookup) for b in buffers_read(n)}


def weighs_failure(roots: Sequence[Exp]) -> bool:
    """Whether one of some expressions may raise an error."""
    return any(weigh(root).may_fail for root in roots if not isinstance(root, Const | Var))
