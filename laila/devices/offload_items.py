"""Kernels for folds of items whose lengths differ, in equal parts of all values.

    MAP b[i] = f(REDUCE + over k < length(i) { e(i,k) }) over i < n
        →   launch values      part t: each of its pieces; b[i] of items that lie inside; of those that are
                               cut, what the piece comes to
            launch ends        part t: an item that is cut and ends here: its pieces in their order, b[i]

See Note [Lengths of items] for when, and `pieces` for what the parts are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.laila.devices.item_lengths import LengthDivider, Lengths
from aplc.laila.devices.kernel_partition import Loop
from aplc.laila.devices.kernels import fits, in_any_order
from aplc.laila.devices.pieces import EqualParts, Piece
from aplc.laila.ir.program import HostLet, If, Map, Statement, Store
from aplc.laila.ir.scalar import QUOT, BlockExp, Buffer, Exp, Fold, Var, contains, nodes, operands
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim


class ItemDivider(LengthDivider):
    """Kernels for maps over items, whose elements are folds of as many values as each item has."""

    def fold_of_items(self, statement: Map) -> tuple[Fold, Lengths] | None:
        """The one fold of a map and the lengths of the items that it goes over, if it goes over items."""
        make, space = self.make, statement.space
        roots = (statement.body,)
        if statement.guard is not None or len(space.indices) != 1 or contains(BlockExp, *roots):
            return None
        folds = [n for n in nodes(*roots, below=_outside) if isinstance(n, Fold)]
        if len(folds) != 1 or not isinstance(folds[0].combine, Prim) or not self.may_balance:
            return None
        (fold,), (index,), (n,) = folds, space.indices, space.extents
        hidden = bound_in((fold.extent,)) | bound_in(roots) - {fold.var}
        free = self.free.of(fold.extent)
        if index not in free or free & (hidden | {fold.var}) or contains(Fold, fold.extent):
            return None
        if not in_any_order(make.settings, fold.combine, fold.ty):
            return None
        return fold, self.measured(fold.extent, index, n)

    def start_values(self, loop: Loop, statement: Map, fold: Fold, lengths: Lengths) -> list[If]:
        """The start of kernels for equal parts of all values."""
        make, settings = self.make, self.make.settings
        enough = make.call(p.ANDB, lengths.is_unlike, self.reaches(loop))
        head, tail = [Buffer(make.fresh(name), fold.ty, fold.ty.dtype) for name in ("head", "tail")]
        parts = EqualParts(self, loop.space, lengths)
        folded = _Folded(parts, statement, fold, head, tail)
        first, second = folded.pieces(), folded.cut()
        pieces = frozenset((head, tail))
        written = loop.written | pieces
        if enough is make.false or not fits(settings, first, written):
            return []
        if not fits(settings, second, loop.written):
            return []
        own = replace(loop, others=(head, tail))
        before = self.made(own, "values", parts.chunk, first, written)
        after = self.made(own, "ends", parts.chunk, second, loop.written)
        (items,) = self.numbers(parts.chunk)
        body = [
            *parts.divided(items, (head, tail)),
            *self.started(own, before, (items,), self.started(own, after, (items,), ())),
            *parts.freed((head, tail)),
        ]
        return [If(enough, tuple(body))]


@dataclass(frozen=True, slots=True)
class _Folded:
    """What a work-item does with the fold of items in its part."""

    parts: EqualParts
    statement: Map
    fold: Fold
    head: Buffer
    """What the last piece of the item comes to that has begun in a part before this one, by part,"""
    tail: Buffer
    """and the first piece of the item that ends in a part behind this one."""

    @property
    def combine(self) -> Prim:
        assert isinstance(self.fold.combine, Prim)
        return self.fold.combine

    def length_of(self, row: Var) -> Exp:
        """The values of an item."""
        return Substitute(self.parts.make, {self.parts.index: row})(self.fold.extent)

    def put(self, row: Var, total: Exp) -> Store:
        """The element of an item whose values come to a total."""
        make, fold, parts = self.parts.make, self.fold, self.parts
        if fold.empty is not None and fold.empty is not neutral(make, self.combine):
            has_some = make.call(p.GTI, parts.lengths.length, make.zero)
            total = make.select(has_some, total, fold.empty)
        here = Substitute(make, {parts.index: row})
        whole = Substitute(make, {fold: total})
        position, body = [here(whole(e)) for e in (self.statement.position, self.statement.body)]
        return Store(self.statement.buffer, position, body)

    def pieces(self) -> tuple[Statement, ...]:
        """Each piece is folded: a whole item, or a part of one for the kernel after this."""
        return self.parts.each(self.length_of, self.piece)

    def piece(self, piece: Piece) -> tuple[Statement, ...]:
        """What one piece comes to, and where that goes."""
        make, fold, parts = self.parts.make, self.fold, self.parts
        inside = make.index(fold.var.name, piece.count)
        change = Substitute(make, {parts.index: piece.row, fold.var: make.add(piece.skipped, inside)})
        own = Var(make.fresh("s"), fold.ty)
        total = make.fold(self.combine, inside, piece.count, change(fold.body), neutral(make, self.combine))
        cut = If(
            piece.begins,
            (Store(self.tail, parts.number, own),),
            (Store(self.head, parts.number, own),),
        )
        is_whole = make.call(p.ANDB, piece.begins, piece.ends)
        return HostLet(own, total), If(is_whole, (self.put(piece.row, own),), (cut,))

    def cut(self) -> tuple[Statement, ...]:
        """The item that has begun in a part before this one and ends here, from its pieces."""
        make, fold, parts = self.parts.make, self.fold, self.parts
        row = parts.row()
        begin, end, part, count = [parts.natural(name) for name in ("begin", "end", "part", "count")]
        piece = make.index("k", count)
        body = make.read(self.head, make.add(make.add(part, make.one), piece))
        own = Var(make.fresh("s"), fold.ty)
        rest = make.fold(self.combine, piece, count, body, neutral(make, self.combine))
        has_begun = make.call(p.LTI, begin, parts.start)
        ends_here = make.call(p.ANDB, has_begun, make.call(p.LTEI, end, parts.stop))
        joined: tuple[Statement, ...] = (
            HostLet(part, make.call(QUOT, begin, parts.size)),
            HostLet(count, make.sub(parts.number, part)),
            HostLet(own, make.call(self.combine, make.read(self.tail, part), rest)),
            self.put(row, own),
        )
        return (
            *parts.bounds(),
            *parts.found(row, parts.start),
            HostLet(begin, parts.at(row)),
            HostLet(end, parts.at(make.add(row, make.one))),
            If(ends_here, joined),
        )


def _outside(exp: Exp) -> tuple[Exp, ...]:
    """The operands of what is no fold."""
    return () if isinstance(exp, Fold) else operands(exp)
