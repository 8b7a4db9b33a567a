"""Recognises counts and sums by key: one pass over the keys, instead of one for each key.

    MAP a[i] = REDUCE + over j < n { w j where i = key j, 0 elsewhere } over i < m

becomes

    MAP a[i] = 0 over i < m
    UPDATE a[key j] = a[key j] + w j over j < n where 0 ≤ key j < m

and where more is done with the sums than that, they lie in an array of their own. For few indices vectors
compare faster than memory is updated; where only the run knows how many there are, it decides. The index may
be that of a fold, too.

For a small constant m the walk has no condition: keys outside are added up in two places more. Keys that are
computed become such places first, which are narrow and are made in vectors. And neighbouring keys, which are
often equal, belong to different tables, so that no sum waits for the one before:

    MAP p[j] = (0 ⌈ (m+1) ⌊ key j + 1) over j < n
    UPDATE t[(m+2)×q + p[4×j+q]] = … over j < n÷4, q < 4
    MAP a[i] = t[i+1] + t[(m+2) + i+1] + … over i < m

Where keys are compared with something that belongs to an index, as in the frequencies of the distinct
elements of an array, a table says which index that is; among equal ones the first, whose sum all have.

Note [Infinite weights]
    In `+/w×k=x` a w that is infinite or NaN makes NaN of all sums it does not belong to, as 0×w is NaN. Such
    a weight leaves no sum finite to which it is added: so keys outside are added up, too, and if then all
    sums are finite, so were the weights. Otherwise terms that are NaN where the key is another one are
    counted by key, and a sum is right where all of them are its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir.constants import EXACT
from aplc.laila.ir.liveness import buffers_read, named
from aplc.laila.ir.program import (
    Alloc,
    Empty,
    Free,
    Fused,
    HostLet,
    If,
    Map,
    Program,
    Scan,
    Space,
    Statement,
)
from aplc.laila.ir.scalar import (
    CHARACTER,
    QUOT,
    TABLE,
    BlockExp,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Select,
    Site,
    Sum,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, own_expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.primitives.order import found_in, table_of
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

MANY = 8
"""Comparisons in vectors that take about as long as one update of memory,"""
MANY_KEYS = 32
"""and as long as a search in a table besides, where equal keys are only counted."""

MOST_PLACES = 1 << 12
"""Indices for which places outside are worth having."""
TABLES = 4
"""Tables of sums side by side, for indices of which"""
FEW_PLACES = 256
"""so many are in the fastest cache."""


def count_by_key(program: Program, make: ExprBuilder) -> Program:
    """The program with counts and sums by key in one walk over the keys."""
    sequences = (program.statements, *[f.statements for f in program.functions])
    allocations = [s for block in sequences for s in within(block) if isinstance(s, Alloc)]
    return with_blocks(program, Counts(make, allocations).block)


@dataclass(frozen=True, slots=True)
class _Count:
    """What is added up where a key is an index, or equals what belongs to one."""

    index: Var
    extent: Exp
    condition: Exp
    key: Exp
    belongs: Exp
    """What belongs to an index: if that is the index itself, keys are places."""
    weight: Exp
    worth: Exp
    """Whether there are enough indices."""
    is_finite: bool
    """Whether what is not added is 0 for certain: see Note [Infinite weights]."""


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums by key in memory, with those of other keys, and how those of the indices are read there."""

    buffer: Buffer
    size: Exp
    places: Exp
    """How many different keys have."""
    place: Exp
    """Of the key of a term."""
    own: Exp
    """Of the key of an index."""
    index: Var
    total: Exp
    """The sum of an index."""


class Counts:
    """The sums by key of a program."""

    def __init__(self, make: ExprBuilder, allocations: Sequence[Alloc]) -> None:
        self.make = make
        self.free = FreeVars()
        self.sites = {alloc.buffer: alloc.site for alloc in allocations}

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with sums by key in front of those that use them."""
        block: list[Statement] = []
        for statement in statements:
            match statement:
                case HostLet() | Map(ordered=False) | Scan() | Fused(in_place=False):
                    block += self.statement(statement)
                case _:
                    block.append(with_bodies(statement, self.block))
        return tuple(block)

    def statement(self, statement: Statement) -> list[Statement]:
        """A statement behind those that add up what it needs."""
        roots = own_expressions(statement)
        everything = list(nodes(*roots))
        folds = [n for n in everything if isinstance(n, Fold)]
        site = next((self.sites[b] for b in _buffers(statement) if b in self.sites), None)
        if not folds or site is None or any(isinstance(n, BlockExp) for n in everything):
            return [statement]
        written = set(named(statement))
        axes = {f.var: (f.extent, True) for f in folds} | _axes(statement)
        local = frozenset((*axes, *bound(statement)))
        before: list[Statement] = []
        after: list[Statement] = []
        sums: dict[Exp, Exp] = {}
        for fold in folds:
            count = self.count(fold, axes, local)
            if count is None or not written.isdisjoint(buffers_read(fold)):
                continue
            match statement:
                case Map(body=body, position=position, guard=None) if (
                    body is fold and position is count.index
                ):
                    return self.added(fold, count, statement.buffer, site)
                case _:
                    pass
            array = Buffer(self.make.fresh("sum"), fold.ty, fold.ty.dtype)
            before += [Alloc(array, count.extent, site), *self.added(fold, count, array, site)]
            after.append(Free(array))
            sums[fold] = self.make.read(array, count.index)
        return [*before, rebuilt(statement, Substitute(self.make, sums)), *after] if sums else [statement]

    def count(self, fold: Fold, axes: dict[Var, tuple[Exp, bool]], local: frozenset[Var]) -> _Count | None:
        """The fold as a sum by key, if it is one whose keys are the same for all that uses it."""
        make = self.make
        if fold.combine not in (p.ADDI, p.ADDD) or make.may_fail(fold.body):
            return None
        condition, is_finite = self.condition(fold.body)
        if not isinstance(condition, Call) or condition.op not in (p.EQI, p.EQC):
            return None
        weight = Substitute(make, {condition: make.true})(fold.body)
        for belongs, key in self.sides(condition, fold.var):
            own = [v for v in self.free.of(belongs) if v in axes]
            if len(own) != 1 or fold.var not in self.free.of(key):
                continue
            (index,) = own
            if index is fold.var:
                continue
            extent, in_fold = axes[index]
            of_fold = self.free.of(key) | self.free.of(weight) | {fold.var}
            if of_fold & local != {fold.var} or self.free.of(belongs) & local != {index}:
                continue
            if (self.free.of(extent) | self.free.of(fold.extent)) & local:
                continue
            is_search = belongs is not index and isinstance(weight, Const)
            worth = make.call(p.LTI, make.const(MANY_KEYS if is_search else MANY), extent)
            if in_fold:  # which would need no memory
                worth = make.call(p.ANDB, worth, make.call(p.LTEI, extent, fold.extent))
            if worth is not make.false:
                return _Count(index, extent, condition, key, belongs, weight, worth, is_finite)
        return None

    def sides(self, equal: Call, var: Var) -> list[tuple[Exp, Exp]]:
        """What may belong to an index, and the key that is compared with it."""
        make = self.make
        first, second = equal.args
        found: list[tuple[Exp, Exp]] = []
        codes = equal.args if equal.op is p.EQI else self.codes(*equal.args)
        if codes:
            const, terms = make.linear(make.sub(*codes))
            for index, sign in terms.items():
                if isinstance(index, Var) and index is not var and abs(sign) == 1:
                    rest = {atom: -sign * k for atom, k in terms.items() if atom is not index}
                    found.append((index, make.from_linear(-sign * const, rest)))
        return [*found, (first, second), (second, first)]

    def codes(self, first: Exp, second: Exp) -> tuple[Exp, Exp] | None:
        """The code points of characters, where one of them is computed from its own."""
        for one, other in ((first, second), (second, first)):
            if isinstance(one, Call) and one.op is CHARACTER:
                return one.args[0], self.make.call(p.C2I, other)
        return None

    def condition(self, body: Exp) -> tuple[Exp | None, bool]:
        """The condition under which something is added, and whether otherwise it is 0 for certain."""
        match body:
            case Call(op=p.B2I, args=(condition,)) | Select(cond=condition, other=Const(value=0)):
                return condition, True
            case Call(op=p.I2D, args=(number,)) | Sum(const=0, terms=((number, _),)):
                return self.condition(number)
            case Call(op=p.MULI | p.MULD as op, args=(a, b)):
                for factor, other in ((a, b), (b, a)):
                    found, is_finite = self.condition(factor)
                    if found is not None:
                        return found, is_finite and (op is p.MULI or _is_finite(other))
            case _:
                pass
        return None, True

    def added(self, fold: Fold, count: _Count, array: Buffer, site: Site) -> list[Statement]:
        """The sums in an array."""
        make = self.make
        by_key = (self.by_place if count.belongs is count.index else self.by_table)(fold, count, array, site)
        if count.worth is make.true:
            return by_key
        again, k = make.index("k", fold.extent), make.index("i", count.extent)
        body = Substitute(make, {count.index: k, fold.var: again})(fold.body)
        compared = Fold(fold.combine, again, fold.extent, body, self.nothing(fold), fold.ty)
        return [If(count.worth, tuple(by_key), (self.over(count, array, k, compared),))]

    def finished(self, fold: Fold, count: _Count, array: Buffer, sums: _Sums, site: Site) -> list[Statement]:
        """The sums of the indices, read where all are: see Note [Infinite weights]."""
        make = self.make
        made = self.over(count, array, sums.index, sums.total)
        if count.is_finite:
            return [made]
        zero = make.const(0.0, Base.DOUBLE)
        k = make.index("k", sums.size)
        zeros = make.fold(p.ADDD, k, sums.size, make.call(p.MULD, zero, make.read(sums.buffer, k)), None)
        finite = Var(make.fresh("finite"), Base.BOOL)
        wrong = Buffer(make.fresh("wrong"), Base.INT, Base.INT.dtype)
        i, each = [make.index(hint, sums.places) for hint in ("i", "k")]
        j = make.index("j", fold.extent)
        otherwise = make.call(p.NEQD, Substitute(make, {count.condition: make.false})(fold.body), zero)
        place, is_wrong = [Substitute(make, {fold.var: j})(e) for e in (sums.place, otherwise)]
        total = make.add(make.read(wrong, place), make.call(p.B2I, is_wrong))
        count_of_all = Var(make.fresh("all"), Base.INT)
        own = make.call(p.EQI, make.read(wrong, sums.own), count_of_all)
        right = make.select(own, sums.total, make.const(math.nan, Base.DOUBLE))
        marked = (
            Alloc(wrong, sums.places, site),
            Map(wrong, Space((i,), (sums.places,)), i, make.zero),
            Map(wrong, Space((j,), (fold.extent,)), place, total, ordered=True),
            HostLet(count_of_all, make.fold(p.ADDI, each, sums.places, make.read(wrong, each), None)),
            self.over(count, array, sums.index, right),
            Free(wrong),
        )
        return [HostLet(finite, make.call(p.EQD, zeros, zero)), If(finite, (made,), marked)]

    def by_place(self, fold: Fold, count: _Count, array: Buffer, site: Site) -> list[Statement]:
        """The sums where keys are indices."""
        make = self.make
        if isinstance(count.extent, Const) and int(count.extent.value) <= MOST_PLACES:
            return self.by_any_place(fold, count, int(count.extent.value), array, site)
        i, j = make.index("i", count.extent), make.index("j", fold.extent)
        is_place = make.call(p.LTEI, make.zero, count.key)
        if not count.is_finite:
            is_place = make.call(p.ANDB, is_place, make.call(p.LTI, count.key, count.extent))
            place = make.select(is_place, count.key, count.extent)
            return self.with_others(fold, count, array, site, (place, i, i))
        holds, key, weight = [Substitute(make, {fold.var: j})(e) for e in (is_place, count.key, count.weight)]
        return [
            self.over(count, array, i, self.nothing(fold)),
            self.update(fold, count, array, j, (holds, key, weight)),
        ]

    def with_others(
        self, fold: Fold, count: _Count, array: Buffer, site: Site, places: tuple[Exp, Exp, Var]
    ) -> list[Statement]:
        """The sums where other keys have the last place; given are those of a term and of an index."""
        make = self.make
        place, own, index = places
        size = make.add(count.extent, make.one)
        buffer = Buffer(make.fresh("sums"), fold.ty, fold.ty.dtype)
        i, j = make.index("i", size), make.index("j", fold.extent)
        at, weight = [Substitute(make, {fold.var: j})(e) for e in (place, count.weight)]
        added = make.call(_addition(fold), make.read(buffer, at), weight)
        sums = _Sums(buffer, size, size, place, own, index, make.read(buffer, own))
        return [
            Alloc(buffer, size, site),
            Map(buffer, Space((i,), (size,)), i, self.nothing(fold)),
            Map(buffer, Space((j,), (fold.extent,)), at, added, ordered=True),
            *self.finished(fold, count, array, sums, site),
            Free(buffer),
        ]

    def by_any_place(
        self, fold: Fold, count: _Count, extent: int, array: Buffer, site: Site
    ) -> list[Statement]:
        """The sums where keys are indices of a constant number, from tables with places for other keys."""
        make, n = self.make, fold.extent
        in_order = fold.ty is Base.DOUBLE and make.settings.strict_fp
        width, tables = extent + 2, TABLES if extent <= FEW_PLACES and not in_order else 1
        size = make.const(width * tables)
        sums = Buffer(make.fresh("sums"), fold.ty, fold.ty.dtype)
        places = Buffer(make.fresh("places"), Base.INT, Base.INT.dtype)
        before: list[Statement] = []
        after: list[Statement] = [Free(sums)]
        place = self.place(count.key, extent)
        if not self.is_given(count.key):
            at = make.index("j", n)
            before = [
                Alloc(places, n, site),
                Map(places, Space((at,), (n,)), at, Substitute(make, {fold.var: at})(place)),
            ]
            after.append(Free(places))
            place = make.read(places, fold.var)

        def added(indices: Sequence[Var], extents: Sequence[Exp], j: Exp, table: Exp) -> Statement:
            own, weight = [Substitute(make, {fold.var: j})(e) for e in (place, count.weight)]
            position = make.add(table, own)
            total = make.call(_addition(fold), make.read(sums, position), weight)
            return Map(sums, Space(tuple(indices), tuple(extents)), position, total, ordered=True)

        if tables == 1:
            j = make.index("j", n)
            walk = [added((j,), (n,), j, make.zero)]
        else:
            rounds = Var(make.fresh("rounds"), Base.INT, True, (make.zero,), ())
            whole = make.mul(make.const(tables), rounds)
            left = make.sub(n, whole)
            j, q, r = [
                make.index(hint, e) for hint, e in (("j", rounds), ("q", make.const(tables)), ("r", left))
            ]
            walk = [
                HostLet(rounds, make.call(QUOT, n, make.const(tables))),
                added(
                    (j, q),
                    (rounds, make.const(tables)),
                    make.add(make.mul(make.const(tables), j), q),
                    make.mul(make.const(width), q),
                ),
                added((r,), (left,), make.add(whole, r), make.zero),
            ]
        none, i = make.index("i", size), make.index("i", count.extent)
        total = make.read(sums, make.add(i, make.one))
        for k in range(1, tables):
            more = make.read(sums, make.add(i, make.const(k * width + 1)))
            total = make.call(_addition(fold), total, more)
        found = _Sums(sums, size, make.const(width), place, make.add(i, make.one), i, total)
        return [
            *before,
            Alloc(sums, size, site),
            Map(sums, Space((none,), (size,)), none, self.nothing(fold)),
            *walk,
            *self.finished(fold, count, array, found, site),
            *after,
        ]

    def is_given(self, key: Exp) -> bool:
        """Whether a key is an element of an input, perhaps with a constant added to it."""
        _, terms = self.make.linear(key)
        return all(isinstance(e, Read) and e.buffer not in self.sites for e in terms)

    def place(self, key: Exp, extent: int) -> Exp:
        """The place of a key: one more than it if it is below an extent, and the first or last one if not."""
        make = self.make
        const, terms = make.linear(key)
        if list(terms.values()) != [1] or abs(const) > EXACT:
            const, terms = 0, {key: 1}
        (atom,) = terms
        least = make.call(p.MAXI, make.const(-const - 1), atom)
        most = make.call(p.MINI, make.const(extent - const), least)
        return make.add(most, make.const(const + 1))

    def by_table(self, fold: Fold, count: _Count, array: Buffer, site: Site) -> list[Statement]:
        """The sums where keys equal what belongs to indices, which is looked up in a table."""
        make, ty = self.make, count.belongs.ty
        i, k = [make.index("i", count.extent) for _ in range(2)]
        j = make.index("j", fold.extent)
        keys = Buffer(make.fresh("keys"), ty, ty.dtype)
        in_memory = None  # where the keys stand already
        match count.belongs:
            case Read(buffer=buffer, index=index) if index is count.index and buffer.storage == keys.storage:
                in_memory = keys = buffer
            case _:
                pass
        sums = Buffer(make.fresh("sum"), fold.ty, fold.ty.dtype)
        table = Buffer(make.fresh("table"), ty, TABLE)

        find = found_in(make, table, keys, count.extent)

        def found(x: Exp) -> Exp:
            return make.sub(find(x), make.one)

        key, weight = [Substitute(make, {fold.var: j})(e) for e in (count.key, count.weight)]
        own = [Substitute(make, {count.index: x})(count.belongs) for x in (i, k)]
        made = [Alloc(keys, count.extent, site), self.over(count, keys, i, own[0])]
        if count.is_finite:
            walk = [
                Alloc(sums, count.extent, site),
                self.over(count, sums, make.index("i", count.extent), self.nothing(fold)),
                self.update(fold, count, sums, j, (make.true, found(key), weight)),
                self.over(count, array, k, make.read(sums, found(own[1]))),
                Free(sums),
            ]
        else:
            place = make.call(p.MINI, count.extent, found(count.key))
            walk = self.with_others(fold, count, array, site, (place, found(own[1]), k))
        return [
            *([] if in_memory else made),
            Empty(table),
            table_of(table, (keys, count.extent, make.one), site),
            *walk,
            Free(table),
            *([] if in_memory else [Free(keys)]),
        ]

    def over(self, count: _Count, array: Buffer, index: Var, body: Exp) -> Statement:
        """A map over all indices."""
        return Map(array, Space((index,), (count.extent,)), index, body)

    def update(
        self, fold: Fold, count: _Count, array: Buffer, j: Var, term: tuple[Exp, Exp, Exp]
    ) -> Statement:
        """The addition of terms, each given by a condition, a place and a weight."""
        make = self.make
        holds, place, weight = term
        is_inside = make.call(p.ANDB, holds, make.call(p.LTI, place, count.extent))
        total = make.call(_addition(fold), make.read(array, place), weight)
        return Map(array, Space((j,), (fold.extent,)), place, total, is_inside, ordered=True)

    def nothing(self, fold: Fold) -> Exp:
        """The sum of nothing."""
        return neutral(self.make, _addition(fold))


def _is_finite(exp: Exp) -> bool:
    """Whether a number is finite for certain."""
    match exp:
        case Const(value=value):
            return math.isfinite(value)
        case Call(op=p.I2D):
            return True
        case _:
            return False


def _addition(fold: Fold) -> Prim:
    """What a sum by key is a fold of."""
    assert isinstance(fold.combine, Prim)
    return fold.combine


def _axes(statement: Statement) -> dict[Var, tuple[Exp, bool]]:
    """The indices of a statement, and their extents."""
    match statement:
        case Fused(parts=parts):
            spaces = [q.space for q in parts]
        case Map(space=space) | Scan(space=space):
            spaces = [space]
        case _:
            spaces = []
    return {i: (n, False) for s in spaces for i, n in zip(s.indices, s.extents, strict=True)}


def _buffers(statement: Statement) -> list[Buffer]:
    return [*named(statement), *buffers_read(*own_expressions(statement))]
