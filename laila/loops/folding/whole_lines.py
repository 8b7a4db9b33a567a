"""Folds that read whole lines of the cache.

Note [Whole lines]
    A vector register that is read across the border of two lines of the cache asks for both of them. Arrays
    of NumPy begin anywhere in a line, so that every vector of a long fold may lie across one, and from memory
    it takes up to twice the time. A long range is folded in three rounds of one loop: what comes before the
    next line, what is whole lines, and what is left:

        for k < n { s = s + f(x[k]) }
        →   from = 0
            while (from < n) {
                to = from + lines(x + from, n - from)
                for k in from … to { s = s + f(x[k]) }
                from = to
            }

    where `lines` is the number of elements of the next round, all that are left where these are few. There is
    an even number of whole lines, so that both halves of the range begin with one.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import longest
from aplc.laila.ir.scalar import Buffer, Exp, PureCall, Read, Var, nodes
from aplc.laila.ir.split import Piece, bound_in
from aplc.laila.ir.strides import steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import Accumulators, FoldLoop
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.strategies import Otherwise
from aplc.tail import prims as p
from aplc.tail.types import Base

HEADER = "aplc_ahead.h"
LINES = "aplc_lines"
"""The function that says how many elements a round takes."""

FAR = 2**20
"""Bytes of an array that lies in memory: of others the borders of lines do not show."""


class WholeLines:
    """Long folds of an array that lies side by side: see Note [Whole lines]."""

    def __init__(self, accumulators: Accumulators) -> None:
        self.nests, self.make, self.code = accumulators.nests, accumulators.make, accumulators.code

    def generate(self, wanted: FoldLoop, block: Block, otherwise: Otherwise[FoldLoop]) -> None:
        """Folds in rounds, if there is memory that they walk along."""
        walked = self.walked(wanted) if self.nests.options.has_memory and not block.mode.is_rare else None
        if walked is None:
            otherwise(wanted, block)
        else:
            self.in_rounds(wanted, walked, block, otherwise)

    def walked(self, wanted: FoldLoop) -> tuple[Buffer, Exp] | None:
        """An array that is read element by element, and where."""
        piece, free = wanted.piece, self.nests.free
        most, inside = longest(wanted.running[0].node.extent), bound_in(piece.roots)
        for node in nodes(*piece.roots):
            if not isinstance(node, Read) or free.of(node) & inside:
                continue
            ascends = piece.step == 1 and self.make.linear(node.index)[1].get(piece.var) == 1
            if ascends and steps_by_one(self.make, free, node.index, piece.var):
                is_near = most is not None and most * node.buffer.item_bytes <= FAR
                return None if is_near else (node.buffer, node.index)
        return None

    def in_rounds(
        self, wanted: FoldLoop, walked: tuple[Buffer, Exp], block: Block, otherwise: Otherwise[FoldLoop]
    ) -> None:
        """The folds for what comes before a line, whole lines, and what is left."""
        make, piece = self.make, wanted.piece
        self.nests.hoist(piece, frozenset(), block)
        start, stop = self.nests.bounds(piece, block)
        stop = self.code.named(stop, block, "stop")
        following = Var(make.fresh("next"), Base.INT)
        block.statements.append(l.Declare(following, start, mutable=True))
        first = make.between("from", (piece.start,), piece.var.highs)
        round_ = block.inner(in_loop=False)
        round_.statements.append(l.Declare(first, following))
        buffer, index = walked
        place = self.code.single(Substitute(make, {piece.var: first})(index), round_)
        count = PureCall(LINES, HEADER, (buffer,), (place, make.sub(stop, first)), Base.INT)
        end = make.between("to", (first,), (stop,))
        round_.statements.append(l.Declare(end, make.add(first, make.lookup(count))))
        otherwise(replace(wanted, piece=Piece(piece.var, first, end, piece.roots)), round_)
        round_.statements.append(l.Assign(following, end))
        block.statements.append(l.While(make.call(p.LTI, following, stop), tuple(round_.statements)))


def takes_lines(loop: l.While) -> bool:
    """Whether rounds are those of Note [Whole lines], of which one does nearly everything."""
    values = [s.value for s in loop.body if isinstance(s, l.Declare) and s.value is not None]
    return any(isinstance(n, PureCall) and n.function == LINES for n in nodes(*values))
