"""The lowering of functions that are applied to cells, and of functions with effects applied to elements.

Note [Cells]
    The function is lowered once, for the cell at a symbolic index. What does not depend on the index moves in
    front. If nothing remains but elements, the result is a pull array. Otherwise the cells are computed one
    after the other and written: to memory of known extents, or else as `unlike_cells` tells.

Note [No cells]
    Without a cell the extents of the result are those for a cell of fills; if the function fails there, the
    length that its type tells, or else 0. A failure is seen here if it depends on constants only, or on
    nothing in the cell. Otherwise the extents are what the function would give: an attempt would tell, but
    no two arrays would surely have the same extents then, for the sake of what is not there. Where they
    depend on the data of a cell, or making them may fail, the function is attempted at run time, see
    `attempts`; if that is not possible, as a function of the program or the host is called, they are 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from aplc.laila.ir.failures import MAX_POINTS, fails, never_holds
from aplc.laila.ir.liveness import buffers_read, with_frees
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    ForEach,
    HostCheck,
    HostLet,
    If,
    Map,
    Scan,
    Space,
    Statement,
    Store,
    Variable,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Const, Exp, FreeVars, Read, Select, Var, contains
from aplc.laila.ir.statements import bound, expressions, rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.first_item import of_first
from aplc.laila.lowering.keeping import is_dear, is_view
from aplc.laila.lowering.lowered import Lowered
from aplc.laila.lowering.primitives.attempts import Attempt, succeeds
from aplc.laila.lowering.primitives.cell_counts import CellCounts
from aplc.laila.lowering.primitives.inside import may_fail, written
from aplc.laila.lowering.primitives.unlike_cells import UnlikeCells
from aplc.laila.lowering.pull import Pull, fill, from_buffer, from_index, from_scalar
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail import syntax as t
from aplc.tail.syntax import Fn, Op, prints, walk
from aplc.tail.types import Base, Func, Tuple, Type, base_of, known_length, rank_of


@lowers(p.CELLS)
def cells(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    """A function applied to each cell of the trailing axes."""
    function, array = op.args
    assert isinstance(function, Fn)
    return Cells(low, function, [low.array(array)], site).result()


@lowers(p.ZIP_CELLS)
def zip_cells(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    """A function applied to pairs of cells."""
    function, left, right = op.args
    assert isinstance(function, Fn)
    a, b = low.array(left), low.array(right)
    split_a, split_b = [x.rank - _rank(q.ty) for x, q in zip((a, b), function.params, strict=True)]
    for m, n in zip(a.shape[:split_a], b.shape[:split_b], strict=True):
        low.require(low.make.call(p.EQI, m, n), site(faults.LENGTHS), m, n)
    return Cells(low, function, [a, b], site).result()


def one_by_one(low: Lowering, function: Fn, arrays: list[Pull], site: SiteOf) -> Pull:
    """A function with effects applied to the elements of arrays of one shape, now and in order."""
    value = Cells(low, function, arrays, site, of_fills=False).result()
    assert isinstance(value, Pull)
    return value


def _rank(ty: Type) -> int:
    assert not isinstance(ty, Func | Tuple)
    return rank_of(ty).const


class Irregular(Protocol):
    """Cells whose extents depend on their data."""

    @property
    def independent(self) -> bool:
        """Whether they may be made in any order."""

    def round(self, value: Pull) -> None:
        """One cell: statements of the block at hand."""

    def result(self, body: ForEach) -> Lowered:
        """The result, behind the loop over all cells."""


class Cells:
    """One application to cells."""

    def __init__(
        self, low: Lowering, function: Fn, arrays: list[Pull], site: SiteOf, *, of_fills: bool = True
    ) -> None:
        make = low.make
        self.low, self.make, self.function, self.site = low, make, function, site
        self.of_fills = of_fills
        """Whether the function is applied to fills where there are no cells."""
        self.has_effects = prints(function)
        if self.has_effects:
            low.settle()
        self.arrays = [self.prepared(a, q) for a, q in zip(arrays, function.params, strict=True)]
        self.splits = [a.rank - _rank(q.ty) for a, q in zip(arrays, function.params, strict=True)]
        self.frame = tuple([low.extent(n) for n in self.arrays[0].shape[: self.splits[0]]])
        self.index = tuple([make.index("cell", n) for n in self.frame])
        self.counts = CellCounts(low, self.index, self.frame)
        self.runs: Exp = make.true
        """Whether there are cells."""
        for n in self.frame:
            self.runs = make.call(p.ANDB, self.runs, make.call(p.LTI, make.zero, n))
        self.safe: Exp = make.true
        """Whether the checks that moved in front of the cells hold; without cells they are not made."""
        self.guarded_names = set[str]()
        """What has a value only where there are cells, as making it may fail."""
        self.rare: list[HostLet] = []
        """What is computed for its errors alone, if something holds that is the same for all cells."""
        self.free = FreeVars()
        self.opens_counts = False
        """Whether what a variable counts may stand in its place, so that less is known of it."""

    @property
    def base(self) -> Base:
        """The element type of what the function gives, which is a simple array."""
        return base_of(self.function.body.ty)

    def prepared(self, a: Pull, param: t.Param) -> Pull:
        """An argument, in memory where that is better or where its errors might be lost."""
        name = param.name
        uses = sum(isinstance(n, t.Var) and n.name == name for n in walk(self.function.body))
        if self.has_effects or not uses:
            return self.low.forced(a)
        is_repeated = name in self.low.uses.repeated or (is_dear(a, uses) and uses > 1)
        return self.low.shared(a) if is_repeated and not is_view(a) else a

    def cell(self, a: Pull, split: int, index: tuple[Exp, ...]) -> Pull:
        """The cell of an array at an index."""
        shape = a.shape[split:]
        if a.flat is None or len(shape) < 2:
            return Pull(self.make, a.ty, shape, axes=lambda ix: a.at(*index, *ix))
        start = self.make.mul(from_index(self.make, a.shape[:split], index), self.make.product(shape))
        return Pull(
            self.make,
            a.ty,
            shape,
            lambda i: a.at_flat(self.make.add(start, i)),
            None if a.axes is None else lambda ix: a.at(*index, *ix),
        )

    def applied(self, arguments: list[Pull]) -> Pull:
        """The function of some cells."""
        value = self.low.applied(self.function, *arguments)
        assert isinstance(value, Pull)
        return value

    def result(self) -> Lowered:
        """The result: see Note [Cells]."""
        low = self.low
        with low.block() as statements:
            cells = [self.cell(a, k, self.index) for a, k in zip(self.arrays, self.splits, strict=True)]
            value = self.applied(cells)
            before, inside = self.parted(statements)
            statements[:] = inside
            inlined = None if value.filtered is not None else self.inlined(inside, value)
            is_known = inlined is not None or (value.filtered is None and self.is_known(value.shape, inside))
            if inlined is None and is_known:
                buffer = low.unowned(self.base, "cells")
                with low.block() as named:
                    extents = tuple([low.extent(n) for n in value.shape])
                before += named
                self.store(buffer, value, extents)
            elif inlined is None:
                irregular = self.irregular(value, statements)
                irregular.round(value)
        low.emit(*before)
        if inlined is not None:
            self.in_front()
            inlined.shape = (*self.frame, *self.without_cells(inlined.shape[len(self.frame) :]))
            return inlined
        in_any_order = is_known or irregular.independent
        body = ForEach(Space(self.index, self.frame), tuple(with_frees(statements)), independent=in_any_order)
        if not is_known:
            return irregular.result(body)
        low.adopt(buffer)
        shape = (*self.frame, *self.without_cells(extents))
        size = self.make.product((*self.frame, *extents))
        low.emit(Alloc(buffer, size, self.site(faults.NO_MEMORY)))
        low.emit(body)
        if self.has_effects:
            self.on_fills()
        return from_buffer(self.make, buffer, shape)

    def irregular(self, value: Pull, inside: list[Statement]) -> Irregular:
        """What is done with cells whose extents depend on their data; statements `inside` make one."""
        return UnlikeCells(self, value)

    # --- without memory ---

    def unwritten(self) -> Pull | None:
        """The result without memory, or None with nothing emitted."""
        low = self.low
        mark = low.mark()
        with low.block() as statements:
            cells = [self.cell(a, k, self.index) for a, k in zip(self.arrays, self.splits, strict=True)]
            value = self.applied(cells)
            before, inside = self.parted(statements)
            inlined = self.inlined(inside, value)
        if inlined is None:
            low.go_back(mark)
            return None
        low.emit(*before)
        self.in_front()
        inlined.shape = (*self.frame, *self.without_cells(inlined.shape[len(self.frame) :]))
        return inlined

    def inlined(self, inside: list[Statement], value: Pull) -> Pull | None:
        """The result without memory, if the statements for a cell only name what cannot fail."""
        if self.has_effects or contains(BlockExp, value.sample(), *value.shape):
            return None
        hidden = {v.name for v in (*self.index, *[v for s in inside for v in bound(s)])}
        used = self.names(*[e for s in inside for e in expressions(s)])
        rare = [s for s in inside if self.low.on_host and self.is_rare(s, hidden, used)]
        named = [s for s in inside if s not in rare]
        counts, substitute = self.counts, self.counts.named(named, self.free, opens=self.opens_counts)
        if substitute is None:
            return None
        shape = tuple([substitute(n) for n in value.shape])
        if not self.is_known(shape, inside):
            return None
        inner = tuple([self.make.index("i", n) for n in shape])
        element = substitute(value.at(*inner))
        self.rare = [s for s in [rebuilt(s, substitute) for s in rare] if isinstance(s, HostLet)]
        needed = self.free.of(element).union(*[self.free.of(s.value) for s in self.rare])
        if hidden & {v.name for v in needed if v not in (*self.index, *counts)}:
            return None  # a variable under another guise, about which more is known
        counts.keep(needed)

        def at(ix: tuple[Exp, ...]) -> Exp:
            indices = dict[Exp, Exp](zip((*self.index, *inner), ix, strict=True))
            return Substitute(self.make, indices | counts.at(ix))(element)

        return Pull(self.make, value.ty, (*self.frame, *shape), axes=at)

    def is_rare(self, statement: Statement, hidden: set[str], used: set[str]) -> bool:
        """Whether a statement for a cell only does something if something holds, the same for all cells, and
        no other uses what it gives.
        """
        match statement:
            case HostLet(var=var, value=Select(cond=cond, other=Const())) if may_fail(statement):
                is_same = hidden.isdisjoint(self.names(cond)) and not contains(Read | Check, cond)
                return is_same and var.name not in used
            case _:
                return False

    def in_front(self) -> None:
        """What elements of cells need in front of them: counts, and what seldom fails, in its own loops."""
        self.counts.write(self.site(faults.NO_MEMORY))
        for statement in self.rare:
            assert isinstance(statement.value, Select)
            body = (HostLet(statement.var, statement.value.then),)
            loop = ForEach(Space(self.index, self.frame), body, independent=True)
            self.low.emit(If(statement.value.cond, (loop,)))

    # --- in memory ---

    def is_known(self, shape: tuple[Exp, ...], inside: Sequence[Statement]) -> bool:
        """Whether extents do not depend on the cell."""
        hidden = {v.name for v in (*self.index, *[v for s in inside for v in bound(s)])}
        changed = {b for s in inside for b in written(s)}
        depends = hidden & self.names(*shape)
        return not depends and changed.isdisjoint(buffers_read(*shape))

    def names(self, *exps: Exp) -> set[str]:
        """The names of the variables on which expressions depend: one may have several guises."""
        return {v.name for e in exps for v in self.free.of(e)}

    def store(self, buffer: Buffer, value: Pull, shape: tuple[Exp, ...]) -> None:
        """Write the cell at hand."""
        start = self.make.mul(from_index(self.make, self.frame, self.index), self.make.product(shape))
        if value.rank == 0:
            self.low.emit(Store(buffer, start, value.at()))
        else:
            self.low.fill_buffer(buffer, value, start)

    # --- what does not depend on the cell ---

    def parted(self, statements: Sequence[Statement]) -> tuple[list[Statement], list[Statement]]:
        """The statements that are the same for all cells, made safe for none, and the others."""
        variables, buffers = {v.name for v in self.index}, set[Buffer]()
        staying: set[int] = set()
        count = -1
        while count != len(staying):
            count = len(staying)
            for k, statement in enumerate(statements):
                if k not in staying and self.stays(statement, variables, buffers):
                    staying.add(k)
                    variables.update([v.name for v in bound(statement)])
                    buffers.update(written(statement))
        before: list[Statement] = []
        unknown, unwritten = self.guarded_names, set[Buffer]()  # what has no value without cells
        for k, statement in enumerate(statements):
            if k in staying:
                continue
            statement = of_first(self.make, self.function, self.index, statement)
            inside = expressions(statement)
            reads = not unwritten.isdisjoint(buffers_read(*inside))
            depends = reads or bool(unknown & self.names(*inside))
            if isinstance(statement, HostCheck):
                ok = self.make.call(p.ORB, self.make.call(p.NOTB, self.runs), statement.ok)
                before.append(HostCheck(ok, statement.site, statement.reported))
                holds = self.make.call(p.ANDB, self.runs, statement.ok) if reads else statement.ok
                self.safe = self.make.call(p.ANDB, self.safe, holds)
                continue
            for_cells = reads or may_fail(statement) or (depends and not isinstance(statement, HostLet))
            before.append(self.guarded(statement, self.runs if for_cells else self.safe))
            if depends or for_cells:
                unknown.update([v.name for v in bound(statement)])
                unwritten.update([] if isinstance(statement, Alloc) else written(statement))
        return before, [s for k, s in enumerate(statements) if k in staying]

    def stays(self, statement: Statement, variables: set[str], buffers: set[Buffer]) -> bool:
        """Whether a statement must be repeated for each cell."""
        if not isinstance(statement, HostLet | HostCheck | Alloc | Map | Scan):
            return True
        if self.has_effects and (may_fail(statement) or not isinstance(statement, HostLet)):
            return True
        inside = expressions(of_first(self.make, self.function, self.index, statement))
        depends = variables & self.names(*inside)
        return bool(depends) or not buffers.isdisjoint([*buffers_read(*inside), *written(statement)])

    def guarded(self, statement: Statement, cond: Exp) -> Statement:
        """A statement in front of the cells, under a condition."""
        if cond is self.make.true or isinstance(statement, Alloc):
            return statement
        if isinstance(statement, HostLet):
            value = self.make.select(cond, statement.value, fill(self.make, statement.value.ty))
            return HostLet(statement.var, value)
        return If(cond, (statement,))

    # --- no cells ---

    def fills(self) -> list[Pull]:
        """A cell of fills for each argument."""
        make = self.make
        pairs = zip(self.arrays, self.splits, strict=True)
        return [from_scalar(make, fill(make, a.ty), a.shape[k:]) for a, k in pairs]

    def on_fills(self) -> None:
        """Without cells the function is applied to fills, for its effects."""
        if self.of_fills and self.runs is not self.make.true:
            with self.low.block() as statements:
                self.low.forced(self.applied(self.fills()))
            otherwise = tuple(with_frees(statements))
            self.low.emit(If(self.runs, (), otherwise))

    def without_cells(self, extents: tuple[Exp, ...]) -> tuple[Exp, ...]:
        """The extents of the cells of the result: see Note [No cells]."""
        if self.runs is self.make.true or not extents or not self.of_fills:
            return extents
        if known_length(self.function.body.ty) is not None:
            return extents
        low = self.low
        if self.guarded_names & self.names(*extents):
            return self.attempted(extents)
        functions = low.functions
        with low.block() as statements:
            of_fills = self.applied(self.fills())
            fails = self.fails(statements, of_fills)
        low.forget_functions(functions)
        works = self.make.call(p.ANDB, self.safe, self.make.call(p.NOTB, fails))
        if works is self.make.true:
            return extents
        exists = self.make.call(p.ORB, self.runs, works)
        return tuple([low.extent(self.make.select(exists, n, self.make.zero)) for n in extents])

    def attempted(self, extents: tuple[Exp, ...]) -> tuple[Exp, ...]:
        """The extents, where without cells an attempt tells them."""
        make = self.make
        of_fills = [Var(make.fresh("fill_n"), Base.INT, True, (make.zero,)) for _ in extents]
        self.low.emit(*[Variable(n, make.zero) for n in of_fills])
        self.attempt(of_fills)
        chosen = [make.select(self.runs, n, m) for n, m in zip(extents, of_fills, strict=True)]
        return tuple([self.low.extent(n) for n in chosen])

    def attempt(self, extents: Sequence[Var]) -> None:
        """Where there are no cells, variables become the extents for a cell of fills, unless that fails."""
        low = self.low
        functions = low.functions
        with low.block() as statements:
            value = self.applied(self.fills())
            if self.has_effects or value.filtered is not None:
                value = low.forced(value)
            shape = [low.named(n, "n") for n in value.shape]
            ok = succeeds(self.make, value)
        then = [Assign(v, n) for v, n in zip(extents, shape, strict=True)]
        if self.has_effects:
            low.emit(If(self.runs, (), tuple(with_frees([*statements, *then]))))
            return
        low.forget_functions(functions)
        if ok is not None:
            attempted = [*statements, HostCheck(ok, self.site(faults.LENGTHS), ())]
            low.emit(*Attempt(self.make).made(attempted, unless=self.runs, then=then))

    def fails(self, statements: Sequence[Statement], value: Pull) -> Exp:
        """Whether a value certainly fails: one of its checks has a constant that does not hold."""
        make = self.make
        if any(never_holds(s, make) for s in statements):
            return make.true
        size = value.size
        if isinstance(size, Const) and value.weight.may_fail:
            points = range(min(int(size.value), MAX_POINTS))
            return make.const(any(fails(value.at_flat(make.const(k)), make) for k in points))
        some = make.call(p.GTI, size, make.zero)
        is_known = self.is_known((some,), statements)
        return some if is_known and fails(value.sample(), make) else make.false
