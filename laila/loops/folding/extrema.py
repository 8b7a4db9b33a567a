"""Extrema of doubles in lanes.

Note [Extrema in lanes]
    Not every C compiler puts the extremum of doubles in lanes, because of NaN. So the lanes are written out:
    an array with the extremum of each, for blocks of the range,

        for i by 4096 {
            s[16] = neutral
            for k from i by 16 { for j < 16 { s[j] = f(k+j) > s[j] ? f(k+j) : s[j] } }
            … once more for the last 16 of the block
            for j < 16 { s[j] = s'[j] > s[j] ? s'[j] : s[j] }, where there are two halves of the range
            for j < 16 { s = s[j] > s ? s[j] : s }
        }

    which compilers keep in registers. The last elements of a block may be taken in twice, as that changes no
    extremum; blocks of fewer than 16 are taken one by one. Flags for NaN have lanes, too.

Note [Elements chosen by bytes]
    So few lanes are vectors of doubles, and compilers make no masks for these of a few bytes. Where narrow
    elements are read in a choice, a mask before all, the elements of a shorter block are computed first, in
    vectors of as many bytes as there are, and the lanes take them in from memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.rounds import is_total
from aplc.laila.ir.scalar import (
    BIT_OR,
    CHOSEN,
    QUOT,
    ROUND_LANES,
    Buffer,
    Call,
    Exp,
    Read,
    Select,
    Var,
    nodes,
)
from aplc.laila.ir.split import Piece
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import Accumulator, Accumulators, FoldLoop, better
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.lanes import Lanes
from aplc.laila.loops.nests import in_any_order
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.register_tiling import SIZES
from aplc.tail import prims as p
from aplc.tail.types import Base

LANES = 16
"""The most for each extremum; the run-time system knows for how many there are registers."""

EIGHTHS = 5
"""How many eighths of the registers the lanes may take."""

MOST = 2
"""So many parts of a range have registers for their lanes: both halves."""

BLOCK = 4096
"""So many elements are taken in before the lanes are joined."""


COMPUTED = 512
"""So many are computed before where bytes choose among them."""


def _is_choice(exp: Exp) -> bool:
    return isinstance(exp, Select) or (isinstance(exp, Call) and exp.op is CHOSEN)


def _is_chosen_by_bytes(roots: tuple[Exp, ...]) -> bool:
    """See Note [Elements chosen by bytes]."""
    found = list(nodes(*roots))
    is_narrow = any(isinstance(n, Read) and n.buffer.item_bytes < 8 for n in found)
    return is_narrow and any(map(_is_choice, found)) and all(map(is_total, roots))


@dataclass(frozen=True, slots=True)
class _InLanes:
    """An extremum in lanes, and the flags for NaN among what each has seen."""

    running: Accumulator
    best: Buffer
    nan: Buffer | None


class ExtremaInLanes:
    """The loops of an extremum alone, in parts that are united later: see Note [Extrema in lanes]."""

    def __init__(self, accumulators: Accumulators) -> None:
        self.accumulators, self.nests = accumulators, accumulators.nests
        self.make, self.code = accumulators.make, accumulators.code
        self.lanes = Lanes(self.nests)

    def loop(self, wanted: FoldLoop, block: Block) -> None:
        """Folds in lanes if they are parts of one extremum of doubles, and not too many."""
        whole, *others = wanted.running
        is_one = whole.op in (p.MAXD, p.MIND) and all(each.node is whole.node for each in others)
        if self.nests.options.has_memory and is_one and len(others) < MOST:
            self.in_blocks(wanted, block)
        else:
            self.one_by_one(wanted, wanted.piece, block)

    def one_by_one(self, wanted: FoldLoop, piece: Piece, block: Block) -> None:
        """One element after the other."""
        self.accumulators.loop(wanted.running, piece, wanted.reductions, block)

    def in_blocks(self, wanted: FoldLoop, block: Block) -> None:
        """One block of a piece after the other."""
        make, piece = self.make, wanted.piece
        self.nests.hoist(piece, frozenset(), block)
        start, stop = self.nests.bounds(piece, block)
        first = make.between("start", (piece.start,), piece.var.highs)
        inner = block.inner(in_loop=True)
        is_mixed = _is_chosen_by_bytes(piece.roots)
        size = COMPUTED if is_mixed else BLOCK
        after = make.add(first, make.const(size))
        end = self.nests.bound("stop", make.call(p.MINI, after, stop), inner, (first,), (after, stop))
        if is_mixed:
            piece = self.computed(piece, first, end, inner)
            wanted = replace(wanted, piece=piece)
        enough = make.call(p.GTEI, make.sub(end, first), make.const(LANES))
        few = replace(piece, start=first, stop=end)
        self.nests.one_of(
            enough,
            inner,
            lambda b: self.in_lanes(wanted, first, end, b),
            lambda b: self.one_by_one(wanted, few, b),
        )
        loop = l.For(first, start, stop, tuple(inner.statements), step=size)
        parallel = self.nests.accumulated(wanted.reductions, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))

    def computed(self, piece: Piece, first: Exp, end: Exp, block: Block) -> Piece:
        """A piece that reads the elements of a block, which are computed before."""
        make = self.make
        lane = make.between("j", (make.zero,), (make.const(COMPUTED - 1),))
        at = Substitute(make, {piece.var: make.add(first, lane)})
        arrays = [self.array("s", Base.DOUBLE, block, COMPUTED) for _ in piece.roots]
        elements = Piece(lane, make.zero, make.sub(end, first), tuple(map(at, piece.roots)))
        self.lanes.stored(arrays, elements, block)
        place = make.sub(piece.var, first)
        return replace(piece, roots=tuple([make.read(array, place) for array in arrays]))

    def in_lanes(self, wanted: FoldLoop, first: Exp, end: Exp, block: Block) -> None:
        """A block of so many elements that there is one for each lane."""
        make = self.make
        most, least = make.const(LANES), make.const(SIZES.least_points)
        flags = {each.nan for each in wanted.running if each.nan is not None}
        width = make.between("lanes", (least,), (most,))
        variables = make.const(len(wanted.running) + len(flags))
        share = make.const(EIGHTHS)
        block.statements.append(l.Declare(width, make.call(ROUND_LANES, most, variables, share)))
        lane = make.between("j", (make.zero,), (make.sub(width, make.one), make.const(LANES - 1)))
        each = self.begun(wanted.running, lane, block)
        last = make.sub(end, width)
        strips = make.call(QUOT, make.sub(make.sub(end, first), make.one), width)
        strip = make.index("strip", strips)
        inner = block.inner(in_loop=True)
        begin = self.code.named(make.add(first, make.mul(strip, width)), inner, "begin")
        self.taken(each, wanted.piece, make.add(begin, lane), lane, inner)
        stop = self.code.single(strips, block)
        block.statements.append(l.For(strip, make.zero, stop, tuple(inner.statements)))
        self.taken(each, wanted.piece, make.add(last, lane), lane, block)
        whole, *others = each
        best = make.read(whole.best, lane)
        for other in others:
            best = better(make, whole.running.op, best, make.read(other.best, lane))
        if others:
            self.lanes.filled(whole.best, lane, best, block)
        block.statements.append(l.For(lane, make.zero, width, self.accumulated(whole, lane)))

    def accumulated(self, own: _InLanes, lane: Exp) -> tuple[l.Stm, ...]:
        """What a lane has seen, in the accumulator of the whole loop."""
        make, running = self.make, own.running
        best = better(make, running.op, running.acc, make.read(own.best, lane))
        found: tuple[l.Stm, ...] = (l.Assign(running.acc, best),)
        if own.nan is not None and running.nan is not None:
            found += (l.Assign(running.nan, make.call(BIT_OR, running.nan, make.read(own.nan, lane))),)
        return found

    def begun(self, running: Sequence[Accumulator], lane: Var, block: Block) -> list[_InLanes]:
        """Lanes that have seen nothing. Extrema that share a flag share its lanes."""
        flags: dict[Var, Buffer] = {}
        found: list[_InLanes] = []
        for each in running:
            if each.nan is not None and each.nan not in flags:
                flags[each.nan] = self.array("nan", Base.INT, block)
                self.lanes.filled(flags[each.nan], lane, self.make.zero, block)
            best = self.array("s", Base.DOUBLE, block)
            self.lanes.filled(best, lane, each.start, block)
            found.append(_InLanes(each, best, None if each.nan is None else flags[each.nan]))
        return found

    def array(self, name: str, ty: Base, block: Block, count: int = LANES) -> Buffer:
        """So many elements, one for each lane."""
        array = Buffer(self.make.fresh(name), ty, STORAGE[ty])
        block.statements.append(l.Local(array, count))
        return array

    def taken(self, each: list[_InLanes], piece: Piece, place: Exp, lane: Var, block: Block) -> None:
        """An element more for each lane."""
        make, at = self.make, Substitute(self.make, {piece.var: place})
        after: dict[Buffer, Exp] = {}
        for own, root in zip(each, piece.roots, strict=True):
            x = at(root)
            after[own.best] = better(make, own.running.op, make.read(own.best, lane), x)
            if own.nan is not None:
                before = after.get(own.nan, make.read(own.nan, lane))
                after[own.nan] = make.call(BIT_OR, before, self.code.alarm(make.call(p.EQD, x, x)))
        self.lanes.filled_together(tuple(after), lane, tuple(after.values()), block)
