"""Updates of what a mask chooses are choices: `v[⍸c]←e` asks each element, and needs no list of places.

    MAP b[i] = v[i] over i < m
    FILTER a, n over i < m { i+1 where c[i] }
    UPDATE b[a[j]-1] over j < n { e(a[j]) }     →     MAP b[i] = (c[i] ? e(i+1) : v[i]) over i < m

So are `(c/v)←e`, `v[⍸c]×←2` and `f@(⍸c)`; of a mask that is shorter only as many elements are asked. It is
done where the array has just been written whole, perhaps under another name, nothing else reads it in
between but the mask, nobody else wants the places, and what is written is little work: the choices run in
lanes and fuse with what is around them. Another update may follow.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import Users, buffers_read, changed, mentioned
from aplc.laila.ir.program import Alloc, Filter, Free, Map, Move, Program, Statement
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
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import names_of_results, own_expressions, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.keeping import MOST_MASKED_WORK
from aplc.laila.lowering.pull import weigh
from aplc.tail import prims as p


def with_masked_updates(program: Program, make: ExprBuilder) -> Program:
    """The program with updates at the places that a filter finds as choices."""
    kept = names_of_results(program)
    return with_blocks(program, lambda statements: _block(statements, make, kept))


def _block(statements: Sequence[Statement], make: ExprBuilder, kept: Set[str]) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make, kept)) for s in statements]
    filters = {s.buffer: k for k, s in enumerate(block) if isinstance(s, Filter) and not s.goes_on}
    return tuple(block) if not filters else _Updates(make, block, filters, kept).whole()


@dataclass(frozen=True, slots=True)
class _Masked:
    """An update as a choice, and the positions of the statements that it takes in."""

    made: Map
    gone: tuple[int, ...]


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
        self, make: ExprBuilder, block: Sequence[Statement], filters: dict[Buffer, int], kept: Set[str]
    ) -> None:
        self.make, self.filters = make, filters
        self.block: list[Statement | None] = [*block]
        self.users = Users().of(block)
        self.free = FreeVars()
        roots = [root for s in within(block) for root in own_expressions(s)]
        self.mentions = Counter([name for root in roots for name in self.free.names(root)])
        """In how many expressions of statements and of results a name is."""
        self.mentions.update(kept)

    def whole(self) -> tuple[Statement, ...]:
        """The block with updates made into choices."""
        for k, statement in enumerate(self.block):
            if isinstance(statement, Map) and (found := self.masked(k, statement)) is not None:
                self.block[k] = found.made
                for gone in found.gone:
                    self.block[gone] = None
                for buffer in mentioned(found.made):
                    if k not in self.users[buffer]:
                        insort(self.users[buffer], k)
        return tuple([s for s in self.block if s is not None])

    def masked(self, k: int, update: Map) -> _Masked | None:
        """An update as a choice, if it is at all places where a mask holds, of an array just written."""
        make, target = self.make, update.buffer
        place = self.place(update)
        if place is None or update.guard not in (None, make.true):
            return None
        f = self.filters[place.buffer]
        kept = self.block[f]
        if not isinstance(kept, Filter) or update.space.extents[0] is not kept.count:
            return None
        value, gone = self.value(k, update)
        if not self.is_only_used(place.buffer, {f, k, *gone}):
            return None
        gone |= {f, *self.uses(place.buffer)} - {k}
        source, before = self.before(target, k, gone)
        written = self.block[before[-1]] if before else None
        if not isinstance(written, Map) or written.buffer is not source:
            return None
        if not self.is_only_counted(kept.count.name, {k, *gone}):
            return None
        w = before[-1]
        if not self.is_whole(written, kept) or self.is_changed(min(f, w), k, {w, *gone}, kept, written):
            return None
        (x,), (i,) = written.space.indices, kept.space.indices
        there = Substitute(make, {i: x})
        keep = there(kept.keep)
        if make.add(kept.body, make.sub(update.position, place)) is not i:
            return None
        if source in buffers_read(keep) and f < w:
            return None
        known = Substitute(make, {make.read(b, x): written.body for b in (source, target)})
        keep, body = known(keep), known(Substitute(make, {place: there(kept.body)})(value))
        weight = weigh(_usually(body))
        if weight.may_fail or weight.cost > MOST_MASKED_WORK:
            return None
        if {source, target} & {*buffers_read(keep, body)} or update.space.indices[0] in self.free.of(body):
            return None
        chosen = make.select(keep, body, written.body)
        (some,), (every,) = kept.space.extents, written.space.extents
        if not make.at_least(some, every):
            chosen = make.select(make.call(p.LTI, x, some), chosen, written.body)
        made = replace(written, buffer=target, body=chosen)
        return _Masked(made, (w, *gone))

    def value(self, k: int, update: Map) -> tuple[Exp, set[int]]:
        """What an update writes, with the arrays that are made for it alone as what they are made of, and the
        positions of the statements that make these.
        """
        (index,), body = update.space.indices, update.body
        gone: set[int] = set()
        for read in [n for n in nodes(body) if isinstance(n, Read) and n.index is index]:
            made = self.made_for(k, update, read.buffer)
            if made is not None:
                own = Substitute(self.make, {made.position: index})(made.body)
                body = Substitute(self.make, {read: own})(body)
                gone |= {*self.uses(read.buffer)} - {k}
        return body, gone

    def made_for(self, k: int, update: Map, buffer: Buffer) -> Map | None:
        """The map that writes an array for an update alone, over the same places."""
        uses = self.uses(buffer)
        made = self.block[uses[1]] if len(uses) == 4 and uses[2] == k else None
        if not isinstance(made, Map) or made.buffer is not buffer or made.guard is not None or made.ordered:
            return None
        is_same = made.space.extents == update.space.extents and made.position is made.space.indices[0]
        return made if is_same and self.is_only_used(buffer, {uses[1], k}) else None

    def is_only_used(self, buffer: Buffer, between: set[int]) -> bool:
        """Whether a buffer begins and ends in this block, and only some statements in between mention it."""
        uses = self.uses(buffer)
        first, last = self.block[uses[0]], self.block[uses[-1]]
        is_own = isinstance(first, Alloc) and isinstance(last, Free)
        return is_own and all(u in between for u in uses[1:-1])

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
        if written.buffer in buffers_read(written.body):
            return False
        return not contains(Check | BlockExp, kept.keep, written.body) and not contains(Fold, written.body)

    def is_changed(self, first: int, last: int, besides: set[int], kept: Filter, written: Map) -> bool:
        """Whether what a mask and a map read changes between them and the update."""
        for buffer in {*buffers_read(kept.keep, written.body)} - {written.buffer}:
            for position in self.uses(buffer):
                if first < position < last and position not in besides:
                    statement = self.block[position]
                    assert statement is not None
                    if any(buffer in changed(inner) for inner in within((statement,))):
                        return True
        return False

    def uses(self, buffer: Buffer) -> list[int]:
        """Where statements that are still there mention a buffer."""
        return [u for u in self.users[buffer] if self.block[u] is not None]
