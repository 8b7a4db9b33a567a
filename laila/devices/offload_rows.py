"""Kernels for long rows: each element that is a fold is computed by a work-group.

    MAP b[i] = f(REDUCE + over k < n { e(i,k) }) over i < m
        →   launch kernel      group i: its work-item l folds k = l, l+64, …; the group combines what they
                               have, and the first of them writes b[i] = f(total)

Neighbouring work-items read neighbouring elements of the row. Where rows are short, where nothing but columns
is read, and in products, which read rows often, a work-item does a whole fold, as in any map.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.devices.device_mapping import GROUP
from aplc.laila.devices.item_lengths import Unfailing
from aplc.laila.devices.kernel_partition import Chunk, Divider, Loop
from aplc.laila.devices.kernels import Join, fits, in_any_order
from aplc.laila.ir.program import HostLet, If, Map, Space, Store
from aplc.laila.ir.scalar import (
    QUOT,
    REM,
    BlockExp,
    Check,
    Exp,
    Fold,
    Read,
    Select,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.statements import rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import to_index
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

LONG = 8 * GROUP
"""Elements of a row that are worth a group."""


class RowDivider(Divider):
    """Kernels for maps whose elements are folds."""

    def start_rows(
        self, loop: Loop, statement: Map, fold: Fold | None = None, is_long: Exp | None = None
    ) -> list[If]:
        """The start of a kernel with a group for each element, if rows are long; nothing where there is no
        such kernel. Of items the fold is given, and what tells whether they are long.
        """
        make, space = self.make, statement.space
        fold = fold or self.only_fold(statement)
        if fold is None or not isinstance(fold.combine, Prim):
            return []
        chunk = self.chunk(Space((fold.var,), (fold.extent,)), 0, in_steps=True)
        (lane,), (size,), (index,) = chunk.items, chunk.sizes, chunk.space.indices
        item = Var(make.fresh("item"), Base.INT, True, (make.zero,))
        rows = to_index(make, space.extents, make.call(QUOT, item, make.const(GROUP)))
        places: dict[Exp, Exp] = dict(zip(space.indices, rows, strict=True))
        here = Substitute(make, places)
        own, total = [Var(make.fresh("s"), fold.ty) for _ in range(2)]
        part = make.fold(
            fold.combine, index, chunk.count, chunk.change(fold.body), neutral(make, fold.combine)
        )
        own_lane = HostLet(lane, make.call(REM, item, make.const(GROUP)))
        bounds = [rebuilt(s, here) for s in chunk.bounds]
        inside = (own_lane, *bounds, HostLet(own, here(part)))
        whole = Substitute(make, {**places, fold: self.or_nothing(fold, total, here)})
        end = (Store(statement.buffer, whole(statement.position), whole(statement.body)),)
        is_long = is_long or make.call(p.GTEI, fold.extent, make.const(LONG))
        enough = make.call(p.ANDB, self.is_work(loop.work), is_long)
        if enough is make.false or not fits(make.settings, (*inside, *end), loop.written):
            return []
        groups = Chunk((item,), (), (), (), (), space, chunk.change, (), True)
        joins = (Join(own, fold.combine, None, total),)
        made = self.made(loop, "rows", groups, inside, loop.written, joins, end=end)
        number = Var(make.fresh("items"), Base.INT, True, (make.zero,))
        before = (
            HostLet(size, make.const(GROUP)),
            HostLet(number, make.mul(make.product(space.extents), make.const(GROUP))),
        )
        return [If(enough, (*before, *self.started(loop, made, (number,), ())))]

    def or_nothing(self, fold: Fold, total: Exp, here: Substitute) -> Exp:
        """The total of a fold at a point; what it has for no elements where there may be none of them."""
        make = self.make
        assert isinstance(fold.combine, Prim)
        is_plain = fold.empty is None or fold.empty is neutral(make, fold.combine)
        if is_plain or not contains(Read | Select | Check, fold.extent):
            return total
        assert fold.empty is not None
        length = here(Unfailing(make, {})(fold.extent))
        return make.select(make.call(p.GTI, length, make.zero), total, fold.empty)

    def only_fold(
        self, statement: Map, is_read: Callable[[Exp, Fold, Map], bool] | None = None
    ) -> Fold | None:
        """The fold of an element, if there is one, of an extent that the host knows, which reads something
        along a row or as is given.
        """
        if statement.guard is not None or statement.ordered:
            return None
        roots = (statement.body,)
        folds = [n for n in nodes(*roots, below=_outside) if isinstance(n, Fold)]
        if len(folds) != 1 or contains(BlockExp, *roots):
            return None
        (fold,) = folds
        hidden = set(statement.space.indices) | bound_in(roots)
        is_hidden = not self.free.of(fold.extent).isdisjoint(hidden)
        if is_hidden or contains(Check | Fold | Read, fold.extent):
            return None
        if not any((is_read or self.is_row)(n, fold, statement) for n in nodes(fold.body)):
            return None
        return fold if in_any_order(self.make.settings, fold.combine, fold.ty) else None

    def is_row(self, node: Exp, fold: Fold, statement: Map) -> bool:
        """Whether something reads neighbours for neighbouring terms of a fold, and others for each fold."""
        if not isinstance(node, Read) or not self.are_neighbours(node.index, fold.var):
            return False
        return self.free.of(node.index).issuperset(statement.space.indices)

    def are_neighbours(self, place: Exp, var: Var) -> bool:
        """Whether places are neighbours for neighbouring values of an index, whichever is chosen."""
        if isinstance(place, Select) and var not in self.free.of(place.cond):
            return self.are_neighbours(place.then, var) and self.are_neighbours(place.other, var)
        return self.make.linear(place)[1].get(var) in (1, -1)


def _outside(exp: Exp) -> tuple[Exp, ...]:
    """The operands of what is no fold."""
    return () if isinstance(exp, Fold) else operands(exp)
