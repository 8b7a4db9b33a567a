"""Counts by several keys at once, as contingency tables are: one walk over the keys.

    MAP a[i×n+k] = key k = i over i < m, k < n
    MAP b[k×q+j] = other k = j over k < n, j < q
    MAP s[i×q+j] = REDUCE + over k < n { a[i×n+k] × b[k×q+j] × w k } over i < m, j < q
    →   MAP c[f] = REDUCE + over k < n { w k where f = place k } over f < (m+2)×(q+2)
        MAP s[i×q+j] = c[(i+1)×(q+2) + j+1] over i < m, j < q

where `place k` is (1+key k)×(q+2) + 1+other k, keys outside having the places around those of the indices.
What that gives is a count by one key, which `histogram` makes. The comparisons may also stand in the fold
itself, as in `{+/(⍺=a)∧⍵=b}`. Sums of numbers that may be infinite stay as they are, as 0×∞ is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import isfinite

from aplc.laila.ir.liveness import Users, buffers_read
from aplc.laila.ir.program import Alloc, Assign, Free, HostLet, If, Map, Program, Space, Statement
from aplc.laila.ir.scalar import (
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
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scalars import neutral
from aplc.laila.transform.histogram import Counts
from aplc.laila.transform.products.truth_matrices import is_truth_matrix, stays
from aplc.laila.transform.versioning.multiversioning import is_total
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

FEW = 2
"""Keys of which so many are counted have more places around than those."""


def with_joint_counts(program: Program, make: ExprBuilder) -> Program:
    """The program with counts by several keys made in one walk."""
    sequences = (program.statements, *[f.statements for f in program.functions])
    allocations = [s for block in sequences for s in within(block) if isinstance(s, Alloc)]
    return with_blocks(program, _JointCounts(make, allocations).block)


@dataclass(frozen=True, slots=True)
class _Joint:
    """A count: when it is one, its statements, and those of which it takes the place."""

    holds: Exp
    made: tuple[Statement, ...]
    matrices: tuple[Map, ...]
    given: frozenset[Buffer]
    """What the keys are computed from."""


@dataclass(slots=True)
class _Key:
    """A key, and how many indices there are that it may equal."""

    index: Var
    extent: Exp
    key: Exp


class _JointCounts:
    def __init__(self, make: ExprBuilder, allocations: Sequence[Alloc]) -> None:
        self.make = make
        self.free = FreeVars()
        self.counts = Counts(make, allocations)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside."""
        result: list[Statement] = []
        matrices: dict[Buffer, Map] = {}
        users = Users().of(statements)
        values: dict[Exp, Exp] = {}
        freed: list[Free] = []
        moved: set[Buffer] = set()
        for statement in statements:
            match statement:
                case Free(buffer=buffer) if buffer in moved:
                    continue
                case Map() if (joint := self.joint(statement, matrices, values)) is not None:
                    late = [f for f in freed if f.buffer in joint.given]
                    own: list[Statement] = []
                    frees: list[Statement] = []
                    for matrix in joint.matrices:
                        where = [statements[k] for k in users[matrix.buffer]]
                        if [type(s) for s in where] == [Alloc, Map, Map, Free]:
                            own, frees = [*own, *where[:2]], [*frees, where[3]]
                            moved.add(matrix.buffer)
                    result = [s for s in result if not any(s is each for each in (*late, *own))]
                    product = (*own, statement, *frees)
                    is_certain = joint.holds is self.make.true
                    result += joint.made if is_certain else [If(joint.holds, joint.made, product)]
                    result += late
                    continue
                case Map() if is_truth_matrix(self.make, statement):
                    matrices[statement.buffer] = statement
                case HostLet(var=var, value=value) if is_total(value):
                    values[var] = value
                case Free():
                    freed.append(statement)
                case _:
                    pass
            if not isinstance(statement, Free | Alloc):
                same = {b: q for b, q in matrices.items() if q is statement or stays(self.free, q, statement)}
                matrices = same
            if any(isinstance(s, Assign) for s in within([statement])):
                values.clear()
            result.append(with_bodies(statement, self.block))
        return tuple(result)

    def joint(self, statement: Map, matrices: dict[Buffer, Map], values: dict[Exp, Exp]) -> _Joint | None:
        """A map of a sum as one of a count by several keys, if it is one."""
        axes = dict(zip(statement.space.indices, statement.space.extents, strict=True))
        folds = [n for n in nodes(statement.body) if isinstance(n, Fold)]
        if len(axes) < 2 or statement.guard is not None or statement.ordered or len(folds) != 1:
            return None
        (fold,) = folds
        site = self.counts.sites.get(statement.buffer)
        is_sum = fold.combine in (p.ADDI, p.ADDD) and not contains(BlockExp, statement.body)
        if site is None or not is_sum or self.make.may_fail(fold.body) or self.depends(fold.extent, axes):
            return None
        holds, likely = self.assumed(fold, values)
        used, body = self.opened(likely, matrices, axes)
        keys: list[_Key] = []
        weight = self.weight(body, likely.var, axes, keys)
        if weight is None or len(keys) < 2 or self.depends(weight, axes):
            return None
        if statement.buffer in buffers_read(body):
            return None
        for each in keys:
            holds = self.make.call(p.ANDB, holds, self.make.call(p.LTI, self.make.const(FEW), each.extent))
        if holds is self.make.false:
            return None
        made = self.made(statement, (fold, likely), keys, weight, site)
        return None if made is None else _Joint(holds, made, used, frozenset(buffers_read(body)))

    def depends(self, exp: Exp, axes: dict[Var, Exp]) -> bool:
        """Whether an expression depends on an index."""
        return not self.free.of(exp).isdisjoint(axes)

    def assumed(self, fold: Fold, values: dict[Exp, Exp]) -> tuple[Exp, Fold]:
        """What it takes that lengths are equal which are likely to be, and a sum where they are."""
        make = self.make
        extent = values.get(fold.extent, fold.extent)
        chosen = [n.cond for n in nodes(extent, fold.body) if isinstance(n, Select)]
        conditions = [c for c in dict.fromkeys(chosen) if isinstance(c, Var) and c.likely]
        if not conditions:
            return make.true, fold
        assume = Substitute(make, dict.fromkeys(conditions, make.true))
        index = make.index("k", assume(extent))
        body = Substitute(make, {fold.var: index})(assume(fold.body))
        return make.call(p.ANDB, *conditions), replace(fold, var=index, extent=assume(extent), body=body)

    def opened(
        self, fold: Fold, matrices: dict[Buffer, Map], axes: dict[Var, Exp]
    ) -> tuple[tuple[Map, ...], Exp]:
        """What is added, with what matrices say in place of their elements, and these matrices."""
        make, extents = self.make, {**axes, fold.var: fold.extent}
        body, used = fold.body, list[Map]()
        for read in [n for n in nodes(body) if isinstance(n, Read) and n.buffer in matrices]:
            matrix = matrices[read.buffer]
            own, other = matrix.space.indices
            width = matrix.space.extents[1]
            if matrix.position is not make.add(make.mul(own, width), other):
                continue
            for row, column in permutations(extents, 2):
                if extents[column] is width and read.index is make.add(make.mul(row, width), column):
                    value = Substitute(make, {own: row, other: column})(matrix.body)
                    body = Substitute(make, {read: value})(body)
                    used.append(matrix)
        return tuple(dict.fromkeys(used)), body

    def weight(self, exp: Exp, var: Var, axes: dict[Var, Exp], keys: list[_Key]) -> Exp | None:
        """What is added where all keys are their indices, which are found; None if else it may not be 0."""
        make = self.make
        match exp:
            case Call(op=p.B2I, args=(condition,)):
                left = self.condition(condition, var, axes, keys)
                return make.call(p.B2I, left)
            case Select(cond=condition, then=then, other=Const(value=0)):
                left = self.condition(condition, var, axes, keys)
                weight = self.weight(then, var, axes, keys)
                return weight and (weight if left is make.true else make.select(left, weight, exp.other))
            case Call(op=p.I2D, args=(number,)):
                weight = self.weight(number, var, axes, keys)
                return weight and make.call(p.I2D, weight)
            case Call(op=p.MULI | p.MULD as op, args=(a, b)):
                first, second = self.weight(a, var, axes, keys), self.weight(b, var, axes, keys)
                return first and second and make.call(op, first, second)
            case _:
                is_finite = exp.ty is not Base.DOUBLE or (isinstance(exp, Const) and isfinite(exp.value))
                return exp if is_finite and not self.depends(exp, axes) else None

    def condition(self, exp: Exp, var: Var, axes: dict[Var, Exp], keys: list[_Key]) -> Exp:
        """What must hold besides that keys are their indices, which are found."""
        make = self.make
        if isinstance(exp, Call) and exp.op is p.ANDB:
            rest = [self.condition(each, var, axes, keys) for each in exp.args]
            return make.call(p.ANDB, *rest)
        if isinstance(exp, Call) and exp.op in (p.EQI, p.EQC):
            for index, key in self.counts.sides(exp, var):
                is_new = isinstance(index, Var) and index in axes and all(k.index is not index for k in keys)
                if isinstance(index, Var) and is_new and not self.depends(key, axes):
                    keys.append(_Key(index, axes[index], key))
                    return make.true
        return exp

    def made(
        self, statement: Map, folds: tuple[Fold, Fold], keys: Sequence[_Key], weight: Exp, site: Site
    ) -> tuple[Statement, ...] | None:
        """The statements of a count, and of what is made of it; the second fold has likely lengths."""
        make, (old, fold) = self.make, folds
        place: Exp = make.zero
        own: Exp = make.zero
        places: Exp = make.one
        for each in keys:
            width = make.add(each.extent, make.const(2))
            place = make.add(make.mul(place, width), self.place(each))
            own = make.add(make.mul(own, width), make.add(each.index, make.one))
            places = make.mul(places, width)
        assert isinstance(fold.combine, Prim)
        array = Buffer(make.fresh("joint"), fold.ty, fold.ty.dtype)
        self.counts.sites[array] = site
        index = make.index("f", places)
        chosen = make.select(make.call(p.EQI, index, place), weight, neutral(make, fold.combine))
        counted = Map(array, Space((index,), (places,)), index, replace(fold, body=chosen))
        by_key = self.counts.statement(counted)
        if by_key == [counted]:
            return None
        made = rebuilt(statement, Substitute(make, {old: make.read(array, own)}))
        return Alloc(array, places, site), *by_key, made, Free(array)

    def place(self, key: _Key) -> Exp:
        """Where a key is counted: one behind it, and beyond all indices if it is none."""
        make = self.make
        if isinstance(key.extent, Const):
            return self.counts.place(key.key, int(key.extent.value))
        least = make.call(p.MAXI, make.const(-1), key.key)
        return make.add(make.call(p.MINI, key.extent, least), make.one)
