"""Updates of what a mask chooses, of an array that goes on: each element is asked where it is.

    FILTER a, n over i < m { i where c[i] }
    UPDATE b[a[j]] over j < n { e(a[j]) }     →     MAP b[i] = (c[i] ? e(i) : b[i]) over i < m

`aplc.laila.transform.filters.masked_updates` does that where the array has just been written; here it may be
the state of a loop. Nothing else wants the places, what is written is little work that cannot fail, and mask
and value read the array nowhere but at the element itself. Other arrays that they read may be freed in
between, which then comes behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import Users, buffers_read, changed
from aplc.laila.ir.program import Alloc, Empty, Filter, Free, Map, Move, Program, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Exp, Fold, FreeVars, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import names_of_results, own_expressions, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.keeping import MOST_MASKED_WORK
from aplc.laila.lowering.pull import weigh

Statements = tuple[Statement, ...]


def with_masks_in_place(program: Program, make: ExprBuilder) -> Program:
    """The program with updates in place, where a mask holds, as choices."""
    of_results = frozenset(names_of_results(program))
    return with_blocks(program, lambda statements: _block(statements, make, of_results))


def _block(statements: Sequence[Statement], make: ExprBuilder, of_results: frozenset[str]) -> Statements:
    block = [with_bodies(s, lambda body: _block(body, make, of_results)) for s in statements]
    if not any(isinstance(s, Filter) for s in block):
        return tuple(block)
    return _InPlace(make, block, of_results).whole()


class _InPlace:
    """The updates in a block of statements."""

    def __init__(self, make: ExprBuilder, block: Sequence[Statement], of_results: frozenset[str]) -> None:
        self.make = make
        self.block: list[Statement | None] = [*block]
        self.users = Users().of(block)
        self.free = FreeVars()
        self.filters = {
            s.buffer: k
            for k, s in enumerate(block)
            if isinstance(s, Filter) and not s.goes_on and len(s.space.indices) == 1
        }
        roots = [root for s in within(block) for root in own_expressions(s)]
        self.mentions = Counter([name for root in roots for name in self.free.names(root)])
        self.mentions.update(of_results)
        self.behind: dict[int, list[Statement]] = {}
        """What is freed behind updates, by the positions of these."""

    def whole(self) -> Statements:
        """The block with updates made into choices."""
        for k, statement in enumerate(self.block):
            if isinstance(statement, Map) and (place := self.place(statement)) is not None:
                self.replace(k, statement, place)
        whole: list[Statement] = []
        for k, each in enumerate(self.block):
            if each is not None:
                whole += [each, *self.behind.get(k, ())]
        return tuple(whole)

    def place(self, update: Map) -> Read | None:
        """The one element of a filter's array that tells where an update is."""
        if len(update.space.indices) != 1:
            return None
        (index,) = update.space.indices
        found = {
            n: None
            for n in nodes(update.position)
            if isinstance(n, Read) and n.buffer in self.filters and n.index is index
        }
        return next(iter(found)) if len(found) == 1 else None

    def replace(self, k: int, update: Map, place: Read) -> None:
        """A choice takes the place of an update and of its filter, if it may."""
        make, f = self.make, self.filters[place.buffer]
        kept = self.block[f]
        if not isinstance(kept, Filter) or f > k or not self.is_for_it_alone(f, k, kept, update):
            return
        (i,), (j,) = kept.space.indices, update.space.indices
        here = Substitute(make, {place: kept.body})
        is_sure = update.guard is None or here(update.guard) is make.true
        if not is_sure or here(update.position) is not i or contains(Check | BlockExp, kept.keep):
            return
        body = here(update.body)
        if contains(Check | BlockExp | Fold, body) or weigh(body).cost > MOST_MASKED_WORK:
            return
        own = self.names_of(update.buffer, f, k)
        if own is None or j in self.free.of(body):
            return
        element = make.read(update.buffer, i)
        keep, body = [
            Substitute(make, {make.read(b, i): element for b in own})(exp) for exp in (kept.keep, body)
        ]
        late = self.late(f, k, (keep, body), element)
        if late is None:
            return
        freed = [s for u in late if (s := self.block[u]) is not None]
        for u in (f, *self.places_of(place.buffer, f, k), *late):
            self.block[u] = None
        body = make.select(keep, body, element)
        self.block[k] = replace(update, space=kept.space, position=i, body=body, guard=None, ordered=False)
        self.behind[k] = freed

    def is_for_it_alone(self, f: int, k: int, kept: Filter, update: Map) -> bool:
        """Whether nothing but an update wants what a filter keeps, and how much that is."""
        (count,), uses, name = update.space.extents, self.uses(kept.buffer), kept.count.name
        first, last = self.block[uses[0]], self.block[uses[-1]]
        is_own = isinstance(first, Alloc) and isinstance(last, Free) and uses[1:-1] == [f, k]
        is_all = isinstance(count, Var) and count.name == name
        counted = sum([name in self.free.names(root) for root in own_expressions(update)])
        return is_own and is_all and self.mentions[name] == counted

    def places_of(self, buffer: Buffer, f: int, k: int) -> list[int]:
        """Where the memory of a filter that goes is taken and given back."""
        return [u for u in self.uses(buffer) if u not in (f, k)]

    def names_of(self, target: Buffer, f: int, k: int) -> set[Buffer] | None:
        """The names of an array between a filter and an update; None if it changes there."""
        names = {target}
        for u in range(k - 1, f, -1):
            statement = self.block[u]
            if isinstance(statement, Move) and statement.target in names:
                names.add(statement.source)
            elif statement is not None and not isinstance(statement, Empty) and self.alters(statement, names):
                return None
        return names

    def alters(self, statement: Statement, buffers: set[Buffer]) -> bool:
        """Whether a statement changes one of some arrays."""
        return any(b in buffers for inner in within((statement,)) for b in changed(inner))

    def late(self, f: int, k: int, reading: Sequence[Exp], element: Exp) -> list[int] | None:
        """Where what mask and value read is freed between a filter and an update; None where it changes, or
        where they read the array itself elsewhere.
        """
        assert isinstance(element, Read)
        read = [n for n in nodes(*reading) if isinstance(n, Read) and n.buffer is element.buffer]
        if any(n is not element for n in read):
            return None
        found: list[int] = []
        for buffer in {b: None for b in buffers_read(*reading) if b is not element.buffer}:
            for u in self.uses(buffer):
                statement = self.block[u]
                if not f < u < k or statement is None:
                    continue
                if isinstance(statement, Free):
                    found.append(u)
                elif self.alters(statement, {buffer}):
                    return None
        return sorted(found)

    def uses(self, buffer: Buffer) -> list[int]:
        """Where statements that are still there mention a buffer."""
        return [u for u in self.users[buffer] if self.block[u] is not None]
