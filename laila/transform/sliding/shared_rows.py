"""What an element shares with those of the rows above and below it is computed once for each row.

Where the body of a map has an expression several times, each time for another row, the expression is an array
of its own, with as many rows more as they are apart:

    MAP b[m·i+j] = f(g(a, i, j), g(a, i+1, j), g(a, i+2, j)) over i < n, j < m
    →   MAP t[m·i+j] = g(a, i, j) over i < n+2, j < m
        MAP b[m·i+j] = f(t[m·i+j], t[m·(i+1)+j], t[m·(i+2)+j]) over i < n, j < m

So the sum of a window of 5 × 5 takes 10 operations, not 25. The order of sums of doubles does not change: the
sums of the rows are there already, as a window is folded row by row. A sum of integers is separable where
the factors of its rows are multiples of each other, as those of Sobel's operator are:

    -a[i,j] + a[i,j+2] - 2·a[i+1,j] + 2·a[i+1,j+2] - a[i+2,j] + a[i+2,j+2]
    →   t[i,j] + 2·t[i+1,j] + t[i+2,j]      with t[i,j] = a[i,j+2] - a[i,j]

The rows may be those of a torus: `wrapped_rows`.

An array that only moves elements of others, such as one with a border around it, is not written where one map
alone reads it, or one and the rows that it shares. The rows are a window then, which `windows` makes: this
pass comes long before that one, as the ranges of what it makes are still to be found.

Legal: nothing of what is shared fails, each row computes all of it, not only behind a condition (that there
is a row above, say), and rows between those that are wanted are at places between theirs.
Profitable where the operations that are saved are more than the reads and writes that it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import gcd

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.liveness import Users, buffers_read, named
from aplc.laila.ir.program import Alloc, Free, Map, Output, Program, Space, Statement
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Site,
    Sum,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.keeping import moves
from aplc.laila.lowering.pull import from_index, weigh
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.sliding.moving import stays
from aplc.laila.transform.sliding.row_reads import FARTHEST, RowReads, TooFar, layout, within_space
from aplc.laila.transform.sliding.wrapped_rows import Torus
from aplc.laila.transform.unroll import FoldsWrittenOut
from aplc.tail import prims as p
from aplc.tail.types import Base

APART = 2 * FARTHEST
"""So many rows at most are between the first and the last one that share something."""

MOST_NODES = 400
"""Bodies with more nodes are left as they are."""

WIDE_ROWS = 4
"""Operations that rows of doubles save at least. Where less is saved, as in a window of 3 × 3, the elements
are read again sooner than rows are written, which come from a cache farther away.
"""

LONGEST = APART + 1
"""Folds of so many elements are written out to see what rows share."""


_PLAIN = frozenset((p.LTI, p.LTEI, p.GTI, p.GTEI, p.EQI, p.ANDB, p.ORB, p.NOTB, p.MULI, p.B2I, p.I2D))
"""Operators by which elements are moved at no cost: loops are cut where such a condition changes."""


class _WrittenOut(FoldsWrittenOut):
    few = LONGEST


def with_rows_shared(program: Program, make: ExprBuilder) -> Program:
    """The program with arrays for what is computed for several rows in the same way."""
    outputs = [s for s in within(program.statements) if isinstance(s, Output) and s.is_result]
    wide = {b for s in outputs for b in named(s) if b.item_bytes == Base.INT.item_bytes}
    return with_blocks(program, _Sharing(make, wide).block)


@dataclass(slots=True)
class _Sharing:
    make: ExprBuilder
    unbordered: set[Buffer]
    """Arrays that are made of what is there already, without a border around it: results that stay wide, and
    the arrays of rows. What else reads narrow elements has whole vectors, which need arrays of the program:
    see Note [Whole vectors].
    """
    sites: dict[Buffer, Site] = field(default_factory=dict)
    """Where the memory of the arrays was asked for."""

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside them."""
        result: list[Statement] = []
        for statement in statements:
            if isinstance(statement, Alloc):
                self.sites[statement.buffer] = statement.site
            made = self.shared(statement) if isinstance(statement, Map) else None
            result += made or [with_bodies(statement, self.block)]
        return tuple(self.without_moved(result))

    def shared(self, made: Map) -> list[Statement] | None:
        """A map and the arrays of what its rows share; None if there are none."""
        if made.guard is not None or made.ordered or len(made.space.indices) < 2:
            return None
        site = self.sites.get(made.buffer)
        if site is None or sum(isinstance(n, Read) for n in nodes(made.body)) < 1:
            return None
        if any(isinstance(n, Fold) and self.make.may_fail(n) for n in nodes(made.body)):
            return None
        body = _WrittenOut(self.make, {})(made.body)
        if contains(BlockExp, body) or len(list(nodes(body))) > MOST_NODES:
            return None
        rows = _Rows(self.make, made.space)
        changed = rows.repeated(body)
        changed = rows.separated(changed)
        if not rows.arrays:
            return None
        self.unbordered |= {each.buffer for each in rows.arrays}
        arrays = [each.statements(site) for each in rows.arrays]
        before = [s for alloc, making, _ in arrays for s in (alloc, making)]
        return [*before, replace(made, body=changed), *[free for *_, free in arrays]]

    def without_moved(self, block: list[Statement]) -> list[Statement]:
        """A block without arrays that only move elements, and that one map alone reads, or one besides the
        rows that it shares, at known places.
        """
        changed: list[Statement] | None = block
        while changed is not None:
            block = changed
            of_few = [users for users in Users().of(block).values() if 4 <= len(users) <= 5]
            tried = (self.read_where_it_is(block, users) for users in of_few)
            changed = next((new for new in tried if new is not None), None)
        return block

    def read_where_it_is(self, block: list[Statement], users: list[int]) -> list[Statement] | None:
        """A block without the array that these statements use; what it is made of is freed later then."""
        _, made, *_, end, _ = users
        alloc, moving, *readers, free = [block[k] for k in users]
        if not (isinstance(alloc, Alloc) and isinstance(moving, Map) and isinstance(free, Free)):
            return None
        if moving.buffer is not alloc.buffer:
            return None
        read = set(buffers_read(moving.body))
        if not stays(read, block[made + 1 : end]):
            return None
        is_double = moving.buffer.ty is Base.DOUBLE
        changed: dict[int, Map] = {}
        for reader in readers:
            if not isinstance(reader, Map) or reader.buffer in read or reader.buffer is moving.buffer:
                return None
            is_wide = is_double or reader.buffer in self.unbordered
            body = _Moved(self.make, moving, reader).body() if is_wide else None
            if body is None:
                return None
            changed[id(reader)] = replace(reader, body=body)
        late = [s for s in block[made:end] if isinstance(s, Free) and s.buffer in read]
        gone = [alloc, moving, free, *late]
        result: list[Statement] = []
        for statement in block:
            if not any(statement is each for each in gone):
                result.append(changed.get(id(statement), statement))
            if statement is readers[-1]:
                result += late
        return result


@dataclass(frozen=True, slots=True)
class _Array:
    """What rows share: its memory, its rows, and what each element is at the rows' own index."""

    make: ExprBuilder
    buffer: Buffer
    space: Space
    body: Exp

    def at(self, row: Exp, others: tuple[Var, ...]) -> Exp:
        """An element, by a row and the other indices of the map that reads it."""
        return self.make.read(self.buffer, from_index(self.make, self.space.extents, (row, *others)))

    def statements(self, site: Site) -> tuple[Statement, Statement, Statement]:
        """Its memory, what makes it, and the end of its memory."""
        make, space = self.make, self.space
        position = from_index(make, space.extents, space.indices)
        size = make.product(space.extents)
        return Alloc(self.buffer, size, site), Map(self.buffer, space, position, self.body), Free(self.buffer)


@dataclass(slots=True)
class _Rows:
    """What the rows of a map share."""

    make: ExprBuilder
    space: Space
    arrays: list[_Array] = field(default_factory=list)
    free: FreeVars = field(default_factory=FreeVars)
    shifts: dict[int, Substitute] = field(default_factory=dict)

    @property
    def row(self) -> Var:
        """The index of the rows."""
        return self.space.indices[0]

    def below(self, exp: Exp, by: int) -> Exp:
        """The same so many rows below."""
        if by not in self.shifts:
            self.shifts[by] = Substitute(self.make, {self.row: self.make.add(self.row, self.make.const(by))})
        return self.shifts[by](exp)

    def is_regular(self, exp: Exp) -> bool:
        """Whether all that an expression reads is at places in steps from row to row."""
        for node in nodes(exp):
            if isinstance(node, Read) and self.row in self.free.of(node):
                if self.row in self.free.of(self.make.sub(self.below(node.index, 1), node.index)):
                    return False
            elif not isinstance(node, Read | Call | Const | Sum | Var):
                return False
        return True

    def array(self, rows: dict[int, Exp]) -> _Array | None:
        """The array of an expression in several rows, from row 0 on: as many more than the map has. None
        where what is known of the rows of the map has made it another one there: it holds for no others.
        """
        make, first, apart = self.make, rows[0], max(rows)
        row, *others = self.space.indices
        n, *extents = self.space.extents
        many = make.add(n, make.const(apart))
        if apart and not make.at_least(n, make.one):
            many = make.select(make.call(p.LTEI, make.one, n), many, make.zero)
        shape = (many, *extents)
        indices = tuple([make.index(i.name, e) for i, e in zip((row, *others), shape, strict=True)])
        new: dict[Exp, Exp] = dict(zip((row, *others), indices, strict=True))
        body = Substitute(make, new)(first)
        buffer = Buffer(make.fresh("rows"), first.ty, STORAGE[first.ty])
        for by, exp in rows.items():
            there = make.add(row, make.const(by))
            if Substitute(make, dict(zip(indices, (there, *others), strict=True)))(body) is not exp:
                return None
        found = _Array(make, buffer, Space(indices, shape), body)
        self.arrays.append(found)
        return found

    # --- the same expression for several rows ---

    def repeated(self, body: Exp) -> Exp:
        """A body in which what is computed for several rows is read."""
        known = {id(n) for n in unconditional((body,))}
        replaced: dict[Exp, Exp] = {}
        done: set[int] = set()
        for exp in _from_the_top(body):
            if id(exp) in done or id(exp) not in known or not isinstance(exp, Call):
                continue
            if self.row not in self.free.of(exp):
                continue
            found = {by: e for by in range(-APART, APART + 1) if id(e := self.below(exp, by)) in known}
            cost = weigh(exp).cost
            first, last = min(found), max(found)
            saved = (len(found) - 1) * cost - 2 * (len(found) + 1)
            enough = saved > (WIDE_ROWS if exp.ty is Base.DOUBLE else 0)
            if len(found) < 2 or not enough or last - first > APART or not self.is_regular(exp):
                continue
            array = self.array({by - first: e for by, e in found.items()})
            if array is None:
                continue
            for by, e in found.items():
                row = self.make.add(self.row, self.make.const(by - first))
                replaced[e] = array.at(row, self.space.indices[1:])
                done |= {id(n) for n in nodes(e)}
        return Substitute(self.make, replaced)(body)

    # --- sums whose rows have the same factors ---

    def separated(self, body: Exp) -> Exp:
        """A body whose sums are of sums of rows."""
        known: dict[tuple[int, tuple[tuple[int, int], ...]], _Array | None] = {}
        replaced: dict[Exp, Exp] = {}
        certain = {id(n) for n in unconditional((body,))}
        for exp in _from_the_top(body):
            if (
                isinstance(exp, Sum)
                and id(exp) in certain
                and (changed := self.in_rows(exp, known)) is not exp
            ):
                replaced[exp] = changed
        return Substitute(self.make, replaced)(body)

    def in_rows(self, exp: Sum, known: dict[tuple[int, tuple[tuple[int, int], ...]], _Array | None]) -> Exp:
        """A sum, of sums of rows where that takes less."""
        make = self.make
        rest: Exp = exp
        for factors, terms in self.families(exp).items():
            # what is read in each row: one row of it, written once, and a few rows take less, or as much
            if (len(factors) - 1) * (len(terms) - 1) <= 2:
                continue
            inner: Exp = make.zero
            for atom, k in terms:
                inner = make.add(inner, make.mul(make.const(k), atom))
            key = (id(inner), factors)
            if key not in known:
                known[key] = self.array({by: self.below(inner, by) for by, _ in factors})
            if (array := known[key]) is None:
                continue
            for by, factor in factors:
                here = make.const(factor)
                row = make.add(self.row, make.const(by))
                rest = make.sub(rest, make.mul(here, self.below(inner, by)))
                rest = make.add(rest, make.mul(here, array.at(row, self.space.indices[1:])))
        return rest if rest is not exp else self.in_wrapped_rows(exp)

    def in_wrapped_rows(self, exp: Sum) -> Exp:
        """The same where rows are those of a torus: see `wrapped_rows`."""
        make, others, left = self.make, self.space.indices[1:], dict(exp.terms)
        torus = Torus(make, self.free, self.row, self.space.extents[0], frozenset(others))
        sums: list[Exp] = []
        for rows, families in torus.families(exp):
            if (len(rows) - 1) * (len(families) - 1) <= 2:
                continue
            array = self.array({0: make.from_linear(0, {each.first: each.factor for each in families})})
            if array is None:
                continue
            for neighbour, factor in rows:
                ends = [make.add(self.row, by) for by in (neighbour.then, neighbour.other)]
                then, other = [array.at(row, others) for row in ends]
                here = other if neighbour.cond is None else make.select(neighbour.cond, then, other)
                sums.append(make.mul(make.const(factor), here))
            left = {e: k for e, k in left.items() if all(e not in each.terms for each in families)}
        result = make.from_linear(exp.const, left)
        for each in sums:
            result = make.add(result, each)
        return result if sums else exp

    def families(self, exp: Sum) -> dict[tuple[tuple[int, int], ...], list[tuple[Exp, int]]]:
        """The terms of a sum that are there for several rows, by which rows and by the factors there: each
        in its first row and with a factor of its own.
        """
        terms = {id(atom): (atom, k) for atom, k in exp.terms}
        found: dict[tuple[tuple[int, int], ...], list[tuple[Exp, int]]] = {}
        done: set[int] = set()
        for atom, _ in exp.terms:
            if id(atom) in done or self.row not in self.free.of(atom) or not self.is_regular(atom):
                continue
            family = {by: e for by in range(-APART, APART + 1) if id(e := self.below(atom, by)) in terms}
            done |= {id(e) for e in family.values()}
            first = min(family)
            factors = [(by - first, terms[id(e)][1]) for by, e in sorted(family.items())]
            if factors[-1][0] > APART:
                continue
            own = reduce(gcd, [k for _, k in factors]) * (1 if factors[0][1] > 0 else -1)
            key = tuple([(by, k // own) for by, k in factors])
            found.setdefault(key, []).append((family[first], own))
        return found


def _from_the_top(body: Exp) -> Iterator[Exp]:
    """The nodes of an expression, each behind those that it is part of."""
    found = list(nodes(body))
    uses = {id(n): 0 for n in found}
    for node in found:
        for operand in operands(node):
            uses[id(operand)] += 1
    todo = [body]
    while todo:
        node = todo.pop(0)
        yield node
        for operand in operands(node):
            uses[id(operand)] -= 1
            if not uses[id(operand)]:
                todo.append(operand)


@dataclass(slots=True)
class _Moved:
    """An array that only moves elements, and the map that reads it."""

    make: ExprBuilder
    moving: Map
    reader: Map

    def body(self) -> Exp | None:
        """The body of the map that reads the elements where they come from; None if it is not known for
        certain where that is, or there are so many that the array is better written.
        """
        make, moving, reader = self.make, self.moving, self.reader
        if len(moving.space.indices) != 2 or len(reader.space.indices) < 2:
            return None
        if moving.guard is not None or moving.ordered or contains(Fold, reader.body):
            return None
        is_plain = all(n.op in _PLAIN for n in nodes(moving.body) if isinstance(n, Call))
        if not is_plain or not moves(moving.body) or weigh(moving.body).may_fail:
            return None
        rows = layout(moving, make)
        if rows is None or contains(BlockExp, reader.body) or moving.buffer in buffers_read(reader.position):
            return None
        i, j = moving.space.indices
        if make.sub(moving.position, rows.start(make, i)) is not j:
            return None
        reads = RowReads(make, {moving.buffer: rows}, reader.space.extents[0])
        row = reader.space.indices[0]
        try:
            for read, facts in reads.reads(reader.body, within_space(make, reader.space)):
                reads.locate(read, row, facts)
        except TooFar:
            return None
        if len(reads.places) > LONGEST:
            return None
        replaced: dict[Exp, Exp] = {}
        for read, place in reads.places.items():
            there: dict[Exp, Exp] = {i: make.add(row, make.const(place.below)), j: place.place}
            replaced[read] = Substitute(make, there)(moving.body)
        return Substitute(make, replaced)(reader.body)
