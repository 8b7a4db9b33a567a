"""The first element that a filter keeps, or the last, is sought: `⊃c/v` and `⊃⌽⍸c` need no array.

    FILTER a, n over i < m { x i where c i }     →     place = REDUCE mini over i < m { c i ? i : m }
    … n > 0 ? a[0] : 0 …                               first = place < m ? x place : 0
                                                       … place < m ? first : 0 …

This is so where only the first element is read, or only the last, and of the count whether there is one. The
search is a fold like others: it shares their loops, or leaves early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import Users, buffers_read, named
from aplc.laila.ir.program import Alloc, Filter, Free, HostLet, Program, Statement
from aplc.laila.ir.rules.folds import first_place
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Exp, FreeVars, PureCall, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, names_of_results, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import fill
from aplc.tail import prims as p
from aplc.tail.types import Base


def with_first_kept(program: Program, make: ExprBuilder) -> Program:
    """The program with searches for filters of which the first element is read alone."""
    kept = names_of_results(program)
    return with_blocks(program, lambda statements: _First(make, kept).block(statements))


class _First:
    def __init__(self, make: ExprBuilder, kept: frozenset[str]) -> None:
        self.make, self.kept = make, kept
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with searches for such filters."""
        block = [with_bodies(s, self.block) for s in statements]
        filters = {k: s for k, s in enumerate(block) if isinstance(s, Filter) and self.may_be_sought(s)}
        users = Users().of(block) if filters else {}
        places = {k: self.only_place(block, users[s.buffer]) for k, s in filters.items()}
        found = {k: s for k, s in filters.items() if places[k] is not None}
        mentions = self.mentions(block, {kept.count.name for kept in found.values()})
        instead: dict[int, tuple[Statement, ...]] = {}
        for k in found:
            kept = block[k]  # what it reads of those before it may be known by now
            assert isinstance(kept, Filter)
            uses, count = users[kept.buffer], kept.count.name
            lets, known = self.search(kept, from_end=places[k] is not self.make.zero)
            change = Substitute(self.make, known)
            changed = {u: rebuilt(block[u], change) for u in dict.fromkeys([*uses[2:-1], *mentions[count]])}
            if all(count not in self.free.names(e) for s in changed.values() for e in expressions(s)):
                for u, statement in changed.items():
                    block[u] = statement
                instead |= {uses[0]: (), k: lets, uses[-1]: ()}
        return tuple([made for k, s in enumerate(block) for made in instead.get(k, (s,))])

    def mentions(self, block: Sequence[Statement], names: set[str]) -> dict[str, list[int]]:
        """Which statements mention some variables, by their names."""
        result: dict[str, list[int]] = {name: [] for name in names}
        for position, statement in enumerate(block if names else ()):
            for name in {name for root in expressions(statement) for name in self.free.names(root)} & names:
                result[name].append(position)
        return result

    def may_be_sought(self, kept: Filter) -> bool:
        """Whether a filter cannot fail and begins its array, which is a vector."""
        is_plain = not contains(Check | BlockExp, kept.keep, kept.body)
        is_vector = len(kept.space.indices) == 1 and not kept.goes_on
        return is_plain and is_vector and kept.count.name not in self.kept

    def only_place(self, block: Sequence[Statement], uses: Sequence[int]) -> Exp | None:
        """The place of the first element of a filter's array, or of the last, if nothing else of it is read,
        all in this block.
        """
        begin, made, end = block[uses[0]], block[uses[1]], block[uses[-1]]
        if not isinstance(begin, Alloc) or not isinstance(made, Filter) or not isinstance(end, Free):
            return None
        for place in (self.make.zero, self.make.sub(made.count, self.make.one)):
            if len(uses) > 3 and all(self.reads_only(block[u], made.buffer, place) for u in uses[2:-1]):
                return place
        return None

    def reads_only(self, statement: Statement, buffer: Buffer, place: Exp) -> bool:
        """Whether all that a statement does with a buffer is to read an element at a place."""
        if any(buffer in named(inner) for inner in within((statement,))):
            return False
        for node in nodes(*expressions(statement)):
            if isinstance(node, Read):
                if node.buffer is buffer and node.index is not place:
                    return False
            elif isinstance(node, PureCall | BlockExp) and buffer in buffers_read(node):
                return False
        return True

    def search(self, kept: Filter, *, from_end: bool) -> tuple[tuple[Statement, ...], dict[Exp, Exp]]:
        """Statements that find the first element, or the last, and what is known then."""
        make, count = self.make, kept.count
        (i,), (extent,) = kept.space.indices, kept.space.extents
        if from_end:
            back = Substitute(make, {i: make.sub(make.sub(extent, make.one), i)})
            kept = replace(kept, keep=back(kept.keep), body=back(kept.body))
        place = Var(make.fresh("place"), Base.INT, lows=(make.zero,), highs=(extent,))
        first = Var(make.fresh("first"), kept.buffer.ty)
        is_there = make.call(p.LTI, place, extent)
        value = Substitute(make, {i: place})(kept.body)
        lets = (
            HostLet(place, first_place(make, kept.keep, i, extent)),
            HostLet(first, make.select(is_there, value, fill(make, kept.buffer.ty))),
        )
        none = make.call(p.NOTB, is_there)
        known: dict[Exp, Exp] = {
            make.read(kept.buffer, make.sub(count, make.one) if from_end else make.zero): first,
            make.call(p.GTI, count, make.zero): is_there,
            make.call(p.NEQI, count, make.zero): is_there,
            make.call(p.GTEI, count, make.one): is_there,
            make.call(p.EQI, count, make.zero): none,
        }
        return lets, known
