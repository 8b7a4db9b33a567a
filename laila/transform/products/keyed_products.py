"""Products with a matrix that tells which key is which are sums of rows by key.

    MAP b[i×n+j] = key j = i over i < m, j < n
    MAP s[i×q+c] = REDUCE + over k < n { b[i×n+k] × w[k×q+c] } over i < m, c < q
    →   MAP t[…] = 0 over (m+1)×q
        UPDATE t[place k × q + c] = t[place k × q + c] + w[k×q+c] over k < n, c < q
        MAP s[i×q+c] = t[i×q+c] over i < m, c < q

where `place k` is the key if that is an index, and m otherwise. So each row of w is added to one row of sums,
and not multiplied with m truth values. Of few indices the product takes as long. An infinite weight, or one
that is no number, makes all sums NaN it does not belong to, as 0×w is NaN: it leaves no finite sum in the row
to which it is added. So if all sums are finite they are right; else the product is computed as it stands.

The other way round rows of the matrix tell keys, and the product chooses rows (`(k∘.=⍳n)+.×w`, embeddings):

    MAP b[i×n+j] = key i = j over i < m, j < n
    MAP s[i×q+c] = REDUCE + over k < n { b[i×n+k] × w[k×q+c] } over i < m, c < q
    →   MAP s[i×q+c] = (0 ≤ key i and key i < n) ? 0 + w[key i×q+c] : 0 over i < m, c < q

which is right if all weights are finite: to ask that takes as long as one row of the product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.liveness import Users, buffers_read
from aplc.laila.ir.program import Alloc, Assign, Free, HostLet, If, Map, Program, Space, Statement, Variable
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
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

FEW = 3
"""Products with so many truth values for each row take as long as its addition."""


def with_keyed_products(program: Program, make: ExprBuilder) -> Program:
    """The program with sums of rows by key."""
    sequences = (program.statements, *[f.statements for f in program.functions])
    sites = {s.buffer: s.site for block in sequences for s in within(block) if isinstance(s, Alloc)}
    return with_blocks(program, _KeyedProducts(make, sites).block)


@dataclass(frozen=True, slots=True)
class _Keyed:
    """A product that is a sum of rows by key: when, of which key, over how many, and what is added."""

    fold: Fold
    holds: Exp
    key: Exp
    steps: Exp
    weight: Exp
    is_finite: bool
    """Whether what is not added is 0 for certain."""
    given: frozenset[Buffer]
    """What the keys are computed from."""
    matrix: Map
    chooses: bool
    """Whether a row of the product is the row of the weights that the key tells, and not a sum."""


@dataclass(slots=True)
class _KeyedProducts:
    make: ExprBuilder
    sites: dict[Buffer, Site]
    free: FreeVars = field(default_factory=FreeVars)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside."""
        result: list[Statement] = []
        matrices: dict[Buffer, Map] = {}
        values: dict[Var, Exp] = {}
        freed: list[Free] = []
        users = Users().of(statements)
        moved: set[Buffer] = set()
        for statement in statements:
            match statement:
                case Free(buffer=buffer) if buffer in moved:
                    continue
                case HostLet(var=var, value=value):
                    values[var] = value
                case Map() if (keyed := self.keyed(statement, matrices, values)) is not None:
                    late = [f for f in freed if f.buffer in keyed.given]
                    where = [statements[k] for k in users[keyed.matrix.buffer]]
                    is_own = [type(s) for s in where] == [Alloc, Map, Map, Free]
                    gone = [*late, *(where[:2] if is_own else [])]
                    result = [s for s in result if not any(s is each for each in gone)]
                    result += [*self.added(statement, keyed, where if is_own else [statement]), *late]
                    moved |= {keyed.matrix.buffer} if is_own else set()
                    continue
                case Map() if is_truth_matrix(self.make, statement):
                    matrices[statement.buffer] = statement
                case Free():
                    freed.append(statement)
                case _:
                    pass
            if not isinstance(statement, Free | Alloc):
                matrices = {
                    b: q for b, q in matrices.items() if q is statement or stays(self.free, q, statement)
                }
            result.append(with_bodies(statement, self.block))
        return tuple(result)

    def keyed(self, statement: Map, matrices: dict[Buffer, Map], values: dict[Var, Exp]) -> _Keyed | None:
        """A map as sums of rows by key, if it is one of products that are."""
        make = self.make
        is_plain = statement.guard is None and not statement.ordered and len(statement.space.indices) == 2
        if not is_plain or statement.buffer not in self.sites or not matrices:
            return None
        everything = list(nodes(statement.body, statement.position))
        folds = [n for n in everything if isinstance(n, Fold)]
        if len(folds) != 1 or folds[0].combine not in (p.ADDI, p.ADDD) or contains(BlockExp, statement.body):
            return None
        (fold,) = folds
        reads = [n for n in nodes(fold.body) if isinstance(n, Read) and n.buffer in matrices]
        if len(reads) != 1:
            return None
        matrix = matrices[reads[0].buffer]
        i, column = statement.space.indices
        row = make.mul(i, matrix.space.extents[1])
        holds = self.version(make.sub(reads[0].index, row))
        assumed = Substitute(make, {} if holds is None else {holds: make.true})
        steps = assumed(values.get(fold.extent, fold.extent) if isinstance(fold.extent, Var) else fold.extent)
        own, other = matrix.space.indices
        is_whole = matrix.space.extents == (statement.space.extents[0], steps)
        is_whole &= matrix.position is make.add(make.mul(own, matrix.space.extents[1]), other)
        read = assumed(reads[0])
        if not (is_whole and isinstance(read, Read) and read.index is make.add(row, fold.var)):
            return None
        equal = Substitute(make, {own: i, other: fold.var})(matrix.body)
        body = Substitute(make, {read: equal})(assumed(fold.body))
        counts = Counts(make, ())
        condition, is_finite = counts.condition(body)
        if not isinstance(equal, Call) or equal.op not in (p.EQI, p.EQC):
            return None
        if condition is not equal or make.may_fail(body):
            return None
        weight = _once(Substitute(make, {equal: make.true})(body))
        sides = [*counts.sides(equal, fold.var), *counts.sides(equal, i)]
        for belongs, key in sides:
            chooses = belongs is fold.var
            if not chooses and belongs is not i:
                continue
            if not self.free.of(key) & {belongs, column} and i not in self.free.of(weight):
                given = frozenset(buffers_read(equal))
                worth = make.call(p.LTI, make.const(FEW), statement.space.extents[0])
                when = worth if holds is None else make.call(p.ANDB, holds, worth)
                found = _Keyed(fold, when, key, steps, weight, is_finite, given, matrix, chooses)
                return None if when is make.false or statement.buffer in given else found
        return None

    def version(self, step: Exp) -> Var | None:
        """What is assumed of lengths, if a step along the rows depends on them."""
        return step.cond if isinstance(step, Select) and isinstance(step.cond, Var) else None

    def added(self, statement: Map, keyed: _Keyed, product: Sequence[Statement]) -> list[Statement]:
        """Sums by key, with the product where these are not right."""
        make, done = self.make, Var(self.make.fresh("done"), Base.BOOL)
        by_key = self.chosen(statement, keyed, done) if keyed.chooses else self.summed(statement, keyed, done)
        return [
            Variable(done, make.false),
            If(keyed.holds, by_key, ()),
            If(make.call(p.NOTB, done), tuple(product), ()),
        ]

    def chosen(self, statement: Map, keyed: _Keyed, done: Var) -> tuple[Statement, ...]:
        """Rows of weights, if these are finite."""
        make, fold = self.make, keyed.fold
        assert isinstance(fold.combine, Prim)
        column, zero = statement.space.indices[1], neutral(make, fold.combine)
        is_index = _is_index(make, keyed.key, keyed.steps)
        place = make.select(is_index, keyed.key, make.zero)
        weight = make.call(fold.combine, zero, Substitute(make, {fold.var: place})(keyed.weight))
        row = make.select(is_index, weight, zero)
        right: tuple[Statement, ...] = (
            rebuilt(statement, Substitute(make, {fold: row})),
            Assign(done, make.true),
        )
        if keyed.is_finite:
            return right
        k, c = make.index("k", keyed.steps), make.index("c", statement.space.extents[1])
        weight = make.call(p.MULD, zero, Substitute(make, {fold.var: k, column: c})(keyed.weight))
        of_row = make.fold(p.ADDD, c, statement.space.extents[1], weight, zero)
        finite = Var(make.fresh("finite"), Base.BOOL)
        all_of_them = make.call(p.EQD, make.fold(p.ADDD, k, keyed.steps, of_row, zero), zero)
        return HostLet(finite, all_of_them), If(finite, right, ())

    def summed(self, statement: Map, keyed: _Keyed, done: Var) -> tuple[Statement, ...]:
        """Sums by key, if these are finite."""
        make, fold = self.make, keyed.fold
        assert isinstance(fold.combine, Prim)
        i, column = statement.space.indices
        rows, width = statement.space.extents
        size = make.mul(make.add(rows, make.one), width)
        site = self.sites[statement.buffer]
        sums = Buffer(make.fresh("sums"), fold.ty, fold.ty.dtype)
        t, k, c, each = [
            make.index(hint, extent)
            for hint, extent in (("t", size), ("k", keyed.steps), ("c", width), ("t", size))
        ]
        here = Substitute(make, {fold.var: k, column: c})
        row = make.select(_is_index(make, keyed.key, rows), keyed.key, rows)
        position = make.add(make.mul(here(row), width), c)
        total = make.call(fold.combine, make.read(sums, position), here(keyed.weight))
        own = make.read(sums, make.add(make.mul(i, width), column))
        right: tuple[Statement, ...] = (
            rebuilt(statement, Substitute(make, {fold: own})),
            Assign(done, make.true),
        )
        if not keyed.is_finite:
            zero = make.const(0.0, Base.DOUBLE)
            finite = Var(make.fresh("finite"), Base.BOOL)
            zeros = make.fold(p.ADDD, each, size, make.call(p.MULD, zero, make.read(sums, each)), zero)
            right = (HostLet(finite, make.call(p.EQD, zeros, zero)), If(finite, right, ()))
        return (
            Alloc(sums, size, site),
            Map(sums, Space((t,), (size,)), t, neutral(make, fold.combine)),
            Map(sums, Space((k, c), (keyed.steps, width)), position, total, ordered=True),
            *right,
            Free(sums),
        )


def _is_index(make: ExprBuilder, key: Exp, extent: Exp) -> Exp:
    """Whether a key is an index of an axis."""
    return make.call(p.ANDB, make.call(p.LTEI, make.zero, key), make.call(p.LTI, key, extent))


def _once(weight: Exp) -> Exp:
    """What is left of a number times 1.0."""
    match weight:
        case Call(op=p.MULD, args=(Const(value=1.0), other) | (other, Const(value=1.0))):
            return other
        case _:
            return weight
