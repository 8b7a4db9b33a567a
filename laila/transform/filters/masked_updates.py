"""Updates of what a mask chooses are choices: `v[⍸c]←e` asks each element, and needs no list of places.

    MAP b[i] = v[i] over i < m
    FILTER a, n over i < m { i+1 where c[i] }
    UPDATE b[a[j]-1] over j < n { e(a[j]) }     →     MAP b[i] = (c[i] ? e(i+1) : v[i]) over i < m

So are `(c/v)←e`, `v[⍸c]×←2`, `f@(⍸c)` and `(c/v)←f c/w`, which reads what another filter keeps by the same
mask; of a mask that is shorter only as many elements are asked. It is done where the array has just been
written whole, perhaps under another name, nothing else reads it in between but the mask, nobody else wants
the places, and what is written is little work: the choices run in lanes and fuse with what is around them.
What may be an error is one where the mask holds. Another update may follow.

Where only the run knows whether lengths are equal, as of `c` and `v` in `(c/v)←e`, there are two versions:

    if m = n { MAP b[i] = (c[i] ? e : v[i]) over i < n } else { MAP …; FILTER …; UPDATE … }
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import Users, buffers_read, changed, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Empty,
    Filter,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Program,
    RuntimeCall,
    Scan,
    Statement,
    Variable,
)
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Check,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import names_of_results, own_expressions, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import CheckedWhere, Substitute
from aplc.laila.lowering.keeping import MOST_MASKED_WORK
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.versioning.multiversioning import Equal, is_total, version
from aplc.tail import prims as p

Statements = tuple[Statement, ...]

QUIET = (Alloc, Empty, Filter, Free, HostLet, Map, Move, RuntimeCall, Scan)
"""What ends no program, unless memory is short or it computes what may be an error."""


def with_masked_updates(program: Program, make: ExprBuilder) -> Program:
    """The program with updates at the places that a filter finds as choices."""
    blocks = (program.statements, *[f.statements for f in program.functions])
    changing = {s.var.name for block in blocks for s in within(block) if isinstance(s, Variable)}
    names = _Names(frozenset(names_of_results(program)), frozenset(changing))
    return with_blocks(program, lambda statements: _block(statements, make, names))


@dataclass(frozen=True, slots=True)
class _Names:
    """Names that are mentioned behind all statements, and those of variables that change."""

    of_results: frozenset[str]
    changing: frozenset[str]


def _block(statements: Sequence[Statement], make: ExprBuilder, names: _Names) -> Statements:
    block = [with_bodies(s, lambda body: _block(body, make, names)) for s in statements]
    filters = {s.buffer: k for k, s in enumerate(block) if isinstance(s, Filter) and not s.goes_on}
    return tuple(block) if not filters else _Updates(make, block, filters, names).whole()


@dataclass(frozen=True, slots=True)
class _Masked:
    """An update as a choice where a test holds, the positions of what is written before and of the statements
    that it takes in, and those of what frees memory that it reads, and comes behind it.
    """

    made: Map
    written: int
    gone: tuple[int, ...]
    late: tuple[int, ...]
    test: Exp


def _usually(exp: Exp) -> Exp:
    """What an expression is for most elements: that of a choice whose other branch has a search is rare, and
    not computed in lanes (`aplc.laila.loops.staging.rare_branches`).
    """
    while isinstance(exp, Select) and contains(PureCall, exp.other) and not contains(PureCall, exp.then):
        exp = exp.then
    return exp


class _Updates:
    """The updates in a block of statements."""

    def __init__(
        self, make: ExprBuilder, block: Sequence[Statement], filters: dict[Buffer, int], names: _Names
    ) -> None:
        self.make, self.filters = make, filters
        self.block: list[Statement | None] = [*block]
        self.behind: dict[int, list[Statement]] = {}
        """What is freed behind updates, by the positions of these."""
        self.users = Users().of(block)
        self.free = FreeVars()
        roots = [root for s in within(block) for root in own_expressions(s)]
        self.mentions = Counter([name for root in roots for name in self.free.names(root)])
        """In how many expressions of statements and of results a name is."""
        self.mentions.update(names.of_results)
        self.lengths = [
            k
            for k, s in enumerate(block)
            if isinstance(s, HostLet)
            and (s.var.likely or s.var.is_index)
            and is_total(s.value)
            and names.changing.isdisjoint(self.free.names(s.value))
        ]
        """Where conditions that mostly hold and lengths are computed."""
        self.tests: dict[int, Exp] = {}
        """Where choices are in two versions, and of which the first is."""
        self.test: Exp = make.true
        self.values: dict[Exp, Exp] = {}
        """What the version at hand is for, and what expressions are in it."""

    def whole(self) -> Statements:
        """The block with updates made into choices."""
        for k, statement in enumerate(self.block):
            if not isinstance(statement, Map) or self.place(statement) is None:
                continue
            found = self.masked(k, statement)
            if found is None or found.test is not self.make.true:
                found = self.versioned(k, statement) or found
            if found is not None:
                self.replace(k, statement, found)
        whole: list[Statement] = []
        for k, each in enumerate(self.block):
            if each is not None:
                whole += [each, *self.behind.get(k, ())]
        return tuple(whole)

    def replace(self, k: int, update: Map, found: _Masked) -> None:
        """A choice takes the place of an update, and of what it takes in."""
        before = {u: s for u in (found.written, *found.gone, *found.late) if (s := self.block[u]) is not None}
        frees = [before[u] for u in found.late]
        for u in before:
            frees += self.behind.pop(u, [])
            self.block[u] = None
        made: Statement = found.made
        if found.test is not self.make.true:
            written = before[found.written]
            assert isinstance(written, If | Map)
            slow = written.other if isinstance(written, If) else (replace(written, buffer=update.buffer),)
            group: dict[int, Statements] = {u: (s,) for u, s in before.items() if u not in found.late}
            group |= {k: (update,), found.written: slow}
            made = If(found.test, (made,), tuple([s for _, each in sorted(group.items()) for s in each]))
            self.tests[k] = found.test
        self.block[k], self.behind[k] = made, frees
        for buffer in {b: None for inner in within((made,)) for b in mentioned(inner)}:
            if k not in self.users[buffer]:
                insort(self.users[buffer], k)

    def versioned(self, k: int, update: Map) -> _Masked | None:
        """An update as a choice if lengths are equal of which only the run knows."""
        lengths = [s for u in self.lengths if u < k and isinstance(s := self.block[u], HostLet)]
        if not any(each.var.likely for each in lengths):
            return None
        touched = {update.buffer, *buffers_read(update.position, update.body)}
        near = {u for buffer in touched for u in self.uses(buffer) if u <= k}
        statements = [s for u in near if (s := self.block[u]) is not None]
        about = {name for s in statements for e in own_expressions(s) for name in self.free.names(e)}
        for each in reversed(lengths):
            if each.var.name in about:
                about |= self.free.names(each.value)
        test, equal = self.learnt([each for each in lengths if each.var.name in about])
        if test is self.make.true:
            return None
        self.test, self.values = test, equal.values
        seen = self.seen(update)
        found = self.masked(k, seen) if isinstance(seen, Map) else None
        self.test, self.values = self.make.true, {}
        return found

    def learnt(self, lengths: Sequence[HostLet]) -> tuple[Exp, Equal]:
        """The conditions on lengths that mostly hold, and what is known where they do; no conditions if
        one of them cannot hold then. Filters by one mask count the same, which is no condition.
        """
        make, test, equal = self.make, self.make.true, Equal(self.make)
        counts = {s.count.name for k in self.filters.values() if isinstance(s := self.block[k], Filter)}
        of_counts = [each for each in lengths if not counts.isdisjoint(self.free.names(each.value))]
        for each in [*[each for each in lengths if each not in of_counts], *of_counts]:
            if each in of_counts[:1]:
                self.count_alike(equal)
            value = equal(each.value)
            if each.var.likely and value is make.false:
                return make.true, equal
            if each.var.likely and value is not make.true:
                test = make.call(p.ANDB, test, each.var)
            equal.learn(each.var, each.value, holds=each.var.likely)
        return test, equal

    def count_alike(self, equal: Equal) -> None:
        """One count for the others that are equal where lengths are."""
        self.values = equal.values
        kept = [f for k in self.filters.values() if (f := self.filter(k)) is not None]
        self.values = {}
        for n, later in enumerate(kept):
            same = next((f for f in kept[:n] if self.is_by_one_mask(f, later)), None)
            if same is not None and later.count not in equal.values:
                equal.stand(later.count, same.count)

    def seen(self, statement: Statement | None) -> Statement | None:
        """A statement as it is in the version at hand."""
        if not self.values or not isinstance(statement, Map | Filter):
            return statement
        (found,) = version(self.make, [statement], self.values, [])
        return found

    def masked(self, k: int, update: Map) -> _Masked | None:
        """An update as a choice, if it is at all places where a mask holds, of an array just written."""
        make, target = self.make, update.buffer
        place = self.place(update)
        if place is None:
            return None
        kept = self.filter(self.filters[place.buffer])
        if kept is None:
            return None
        value, made = self.value(k, update, kept)
        gone = {u for position in made for u in self.uses(made[position].buffer)} - {k}
        value, others = self.kept_with(kept, value, update.space.indices[0])
        others[kept] = self.filters[place.buffer]
        between = {k, *gone, *others.values()}
        taken = [other for other in others if self.is_only_used(other.buffer, between)]
        left = [other for other in others if other not in taken]
        if kept not in taken or any(self.changes(other.buffer, others[other], k) for other in left):
            return None
        gone |= {u for other in taken for u in self.uses(other.buffer)} - {k}
        counting = self.counting(update.space.extents[0], kept)
        if counting is None:
            return None
        gone |= self.compared({each.count.name for each in taken}, k, gone)
        if any(not self.is_only_counted(each.count.name, {k, *gone}) for each in taken):
            return None
        source, before = self.before(target, k, gone)
        written, test = self.written(before[-1]) if before else (None, make.true)
        if not isinstance(written, Map) or written.buffer is not source or not self.is_whole(written, kept):
            return None
        w = before[-1]
        if w in self.tests and source is not target:
            return None
        early = [e for each, f in others.items() if f < w for e in (each.keep, each.body)]
        early += [each.body for position, each in made.items() if position < w]
        reading = [(min(counting, others[kept]), kept.keep), (w, written.body)]
        reading += [(f, e) for each, f in others.items() for e in (each.keep, each.body)]
        reading += [(position, each.body) for position, each in made.items()]
        late = self.late(reading, k, {w, *gone}, source)
        if source in buffers_read(*early) or late is None:
            return None
        (x,), (i,) = written.space.indices, kept.space.indices
        there = Substitute(make, {i: x})
        if make.add(kept.body, make.sub(update.position, place)) is not i:
            return None
        known = Substitute(make, {make.read(b, x): written.body for b in (source, target)})
        keep = known(there(kept.keep))
        body = known(Substitute(make, {place: there(kept.body)})(there(value)))
        if contains(BlockExp, body) or weigh(_usually(body)).cost > MOST_MASKED_WORK:
            return None
        if contains(Check, body) and not self.is_quiet(min(gone), k, gone):
            return None
        if {source, target} & {*buffers_read(keep, body)} or update.space.indices[0] in self.free.of(body):
            return None
        (some,), (every,) = kept.space.extents, written.space.extents
        if update.guard is not None and Substitute(make, {place: kept.body})(update.guard) is not make.true:
            if Substitute(make, {place: there(kept.body)})(update.guard) is not make.true:
                return None
            test = make.call(p.ANDB, test, make.call(p.LTEI, some, every))
        if not make.at_least(some, every):
            keep = make.call(p.ANDB, make.call(p.LTI, x, some), keep)
        chosen = make.select(keep, CheckedWhere(make, keep)(body), written.body)
        given = {s.var.name for u in gone if isinstance(s := self.block[u], HostLet)}
        if not given.isdisjoint(self.free.names(chosen) | self.free.names(test)):
            return None
        return _Masked(replace(written, buffer=target, body=chosen), w, tuple(gone), tuple(late), test)

    def written(self, position: int) -> tuple[Statement | None, Exp]:
        """What stands at a position, or what is there in the version at hand, and what that is for."""
        statement, test = self.block[position], self.test
        if isinstance(statement, If) and position in self.tests:
            test = self.tests[position]
            statement = statement.then[0] if self.test in (self.make.true, test) else None
        return self.seen(statement), test

    def filter(self, position: int) -> Filter | None:
        """The filter at a position, if it is still there and along one axis."""
        found = self.seen(self.block[position])
        return found if isinstance(found, Filter) and len(found.space.indices) == 1 else None

    def counting(self, count: Exp, kept: Filter) -> int | None:
        """Where a filter by the mask of another is that counts what it keeps; None if none does."""
        for position in self.filters.values():
            other = self.filter(position)
            if other is not None and isinstance(count, Var) and other.count.name == count.name:
                return position if self.is_by_one_mask(other, kept) else None
        return None

    def is_by_one_mask(self, one: Filter, other: Filter) -> bool:
        """Whether two filters keep what is at the same indices, if nothing changes between them."""
        there = Substitute(self.make, {one.space.indices[0]: other.space.indices[0]})
        return one.space.extents == other.space.extents and there(one.keep) is other.keep

    def is_quiet(self, first: int, last: int, besides: set[int]) -> bool:
        """Whether no statement between two can end the program, so that what may do so can stand behind."""
        between = [self.block[u] for u in range(first, last) if u not in besides]
        statements = [inner for s in between if s is not None for inner in within((s,))]
        if not all(isinstance(s, QUIET) for s in statements):
            return False
        return not contains(Check | BlockExp, *[e for s in statements for e in own_expressions(s)])

    def value(self, k: int, update: Map, kept: Filter) -> tuple[Exp, dict[int, Map]]:
        """What an update writes, with the arrays that are made for it alone as what they are made of, and the
        maps that make these where they are.
        """
        (index,), body = update.space.indices, update.body
        maps: dict[int, Map] = {}
        for read in [n for n in nodes(body) if isinstance(n, Read) and n.index is index]:
            made = self.made_for(k, kept, read.buffer)
            if made is not None:
                own = Substitute(self.make, {made.position: index})(made.body)
                body = Substitute(self.make, {read: own})(body)
                maps[self.uses(read.buffer)[1]] = made
        return body, maps

    def kept_with(self, kept: Filter, value: Exp, index: Exp) -> tuple[Exp, dict[Filter, int]]:
        """A value with the elements that other filters keep by the same mask as what these are at an index of
        that one, and where the filters are.
        """
        known: dict[Exp, Exp] = {}
        others: dict[Filter, int] = {}
        for read in [n for n in nodes(value) if isinstance(n, Read) and n.index is index]:
            position = self.filters.get(read.buffer)
            other = None if position is None else self.filter(position)
            if position is None or other is None or contains(Check | BlockExp | Fold, other.body):
                continue
            if self.is_by_one_mask(other, kept):
                there = Substitute(self.make, {other.space.indices[0]: kept.space.indices[0]})
                known[read] = there(other.body)
                others[other] = position
        return Substitute(self.make, known)(value), others

    def made_for(self, k: int, kept: Filter, buffer: Buffer) -> Map | None:
        """The map that writes an array for an update alone, of as many elements as a filter keeps."""
        uses = self.uses(buffer)
        made = self.seen(self.block[uses[1]]) if len(uses) == 4 and uses[2] == k else None
        if not isinstance(made, Map) or made.buffer is not buffer or made.guard is not None or made.ordered:
            return None
        is_whole = len(made.space.extents) == 1 and made.position is made.space.indices[0]
        is_like = is_whole and self.counting(made.space.extents[0], kept) is not None
        return made if is_like and self.is_only_used(buffer, {uses[1], k}) else None

    def is_only_used(self, buffer: Buffer, between: set[int]) -> bool:
        """Whether a buffer begins and ends in this block, and only some statements in between mention it."""
        uses = self.uses(buffer)
        first, last = self.block[uses[0]], self.block[uses[-1]]
        is_own = isinstance(first, Alloc) and isinstance(last, Free)
        return is_own and all(u in between for u in uses[1:-1])

    def compared(self, counts: set[str], k: int, gone: set[int]) -> set[int]:
        """Where counts of what is kept are compared for nothing but an update, all as it must be, if that is
        so in the version at hand: the version has no such conditions.
        """
        names, found = set(counts), set[int]()
        for u, s in enumerate(self.block[:k]):
            if isinstance(s, HostLet) and not names.isdisjoint(self.free.names(s.value)):
                if not is_total(s.value):
                    return set()
                names.add(s.var.name)
                found.add(u)
            elif isinstance(s, HostCheck) and not names.isdisjoint(self.free.names(s.ok)):
                if Substitute(self.make, self.values)(s.ok) is not self.make.true:
                    return set()
                found.add(u)
        own = {k, *gone, *found}
        if not found or not all(self.is_only_counted(name, own) for name in names - counts):
            return set()
        return found if self.is_quiet(min(found), k, own) else set()

    def is_only_counted(self, count: str, positions: set[int]) -> bool:
        """Whether a name is mentioned in some statements only."""
        statements = [s for u in positions if (s := self.block[u]) is not None]
        roots = [root for s in statements for root in own_expressions(s)]
        return sum([count in self.free.names(root) for root in roots]) == self.mentions[count]

    def before(self, target: Buffer, k: int, gone: set[int]) -> tuple[Buffer, list[int]]:
        """Where a buffer is mentioned before an update and what it takes in, under the name that it had."""
        before = [u for u in self.uses(target) if u < k and u not in gone]
        if before and isinstance(move := self.block[before[-1]], Move) and move.target is target:
            return move.source, [u for u in self.uses(move.source) if u < before[-1] and u not in gone]
        return target, before

    def place(self, update: Map) -> Read | None:
        """The element of a filter's array that tells where an update is, of a known distance from it."""
        (*others, index), (_, terms) = update.space.indices or (None,), self.make.linear(update.position)
        for read, factor in terms.items():
            if isinstance(read, Read) and read.buffer in self.filters:
                is_single = not others and len(terms) == factor == 1 and read.index is index
                return read if is_single else None
        return None

    def is_whole(self, written: Map, kept: Filter) -> bool:
        """Whether a map writes all elements that the mask is asked about, and neither of them can fail."""
        if written.guard is not None or written.ordered or len(kept.space.indices) != 1:
            return False
        if len(written.space.extents) != 1 or written.position is not written.space.indices[0]:
            return False
        if written.buffer in buffers_read(written.body) or not self.is_all(written, kept.space.extents[0]):
            return False
        return not contains(Check | BlockExp, kept.keep, written.body) and not contains(Fold, written.body)

    def is_all(self, written: Map, asked: Exp) -> bool:
        """Whether a map writes as many elements as the mask is asked about, or all that there are."""
        (extent,) = written.space.extents
        allocs = [s for u in self.uses(written.buffer) if isinstance(s := self.block[u], Alloc)]
        sizes = [Substitute(self.make, self.values)(s.size) for s in allocs]
        return self.make.at_least(extent, asked) or extent in sizes

    def late(
        self, reading: Sequence[tuple[int, Exp]], last: int, besides: set[int], written: Buffer
    ) -> list[int] | None:
        """Where arrays are freed, besides what is written, that expressions read at some positions, and now
        read at the last one; None where one changes in between.
        """
        found: set[int] = set()
        for first, exp in reading:
            for buffer in {*buffers_read(exp)} - {written}:
                if self.changes(buffer, first, last, besides):
                    return None
                between = [u for u in self.uses(buffer) if first < u < last and u not in besides]
                found |= {u for u in between if isinstance(self.block[u], Free)}
        return sorted(found)

    def changes(self, buffer: Buffer, first: int, last: int, besides: Set[int] = frozenset()) -> bool:
        """Whether something between two statements changes an array, and does not free it."""
        for position in self.uses(buffer):
            if first < position < last and position not in besides:
                statement = self.block[position]
                assert statement is not None
                if not isinstance(statement, Free) and any(
                    buffer in changed(inner) for inner in within((statement,))
                ):
                    return True
        return False

    def uses(self, buffer: Buffer) -> list[int]:
        """Where statements that are still there mention a buffer."""
        return [u for u in self.users[buffer] if self.block[u] is not None]
