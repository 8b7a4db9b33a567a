"""Loops whose elements are looked up go by blocks.

Note [Lookups in blocks]
    A search waits for memory, one step after the other. Several searches wait at the same time, and what they
    have in common, as the kind of a table, is asked once for all of a block:
    `for i { b[i] = f(find(t, x(i)), i) }` becomes
    `for blocks { for i { y[…] = x(i) }; find all of y, into z; for i { b[i] = f(z[…], i) } }`.
    The function of the run-time system for several elements has `some` in the place of `one` in its name.
    Behind the arguments that stay the same it gets the elements, the index of the first, their number, and
    where to put what is found.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import longest, unconditional
from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Exp, Fold, PureCall, Read, Var, contains, nodes
from aplc.laila.ir.split import Piece, bound_in
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests, Wanted
from aplc.laila.loops.scan_codegen import BLOCK
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail import prims as p
from aplc.tail.types import Base

IN_BLOCKS = {
    **{
        f"aplc_intervals_{ty.value}_find_one": f"aplc_intervals_{ty.value}_find_some"
        for ty in (Base.INT, Base.DOUBLE)
    },
    **{
        f"aplc_table_{ty.value}_{what}_one": f"aplc_table_{ty.value}_{what}_some"
        for ty in (Base.INT, Base.DOUBLE, Base.CHAR)
        for what in ("find", "has")
    },
    "aplc_table_near_find_one": "aplc_table_near_find_some",
}
"""The functions that look up an element, and those that look up several."""


class LookupsInBlocks:
    """Long loops, in no other, some of whose elements are looked up: see Note [Lookups in blocks]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.make = nests, nests.make

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A loop over blocks, if there are elements that are looked up."""
        found = self.lookups(wanted, block)
        if found:
            self.in_blocks(wanted, found, block)
        else:
            otherwise(wanted, block)

    def generate_in_order(self, wanted: Wanted, written: Buffer, block: Block) -> bool:
        """Likewise a loop that changes elements of an array in order; whether it has such searches, none of
        which depends on what it writes.
        """
        calls = self.searches(wanted, block)
        reads = [n for call in calls for n in nodes(call) if isinstance(n, Read)]
        if not calls or any(written in c.memory for c in calls) or any(r.buffer is written for r in reads):
            return False
        self.in_blocks(wanted, calls, block)
        return True

    def lookups(self, wanted: Wanted, block: Block) -> list[PureCall]:
        """The searches of a loop whose iterations may run in any order."""
        is_common = wanted.may_be_in_lanes and not block.mode.is_rare
        return self.searches(wanted, block) if is_common else []

    def searches(self, wanted: Wanted, block: Block) -> list[PureCall]:
        """The searches of a loop; none where one by one is as good."""
        options, piece = self.nests.options, wanted.piece
        if not (options.has_memory and options.splitting) or piece.step != 1:
            return []
        if block.in_loop:
            return []
        most = longest(self.make.sub(piece.stop, piece.start))
        if most is not None and most <= BLOCK:
            return []
        every = unconditional(piece.roots)
        calls = [node for node in every if isinstance(node, PureCall) and node.function in IN_BLOCKS]
        bound = bound_in(piece.roots) if calls else set()
        return [call for call in calls if self.is_plain(call, piece.var, block, bound)]

    def is_plain(self, call: PureCall, index: Var, block: Block, bound: Collection[Var]) -> bool:
        """Whether a search is for an element computed by itself, once in each iteration, in what stays."""
        *fixed, _ = call.args
        free = self.nests.free
        varies = [index in free.of(arg) for arg in call.args]
        if varies != [*[False for _ in fixed], True] or block.find(call) is not None:
            return False
        is_alone = not contains(Check | Fold | BlockExp | PureCall, *call.args)
        return is_alone and free.of(call).isdisjoint(bound)

    def in_blocks(self, wanted: Wanted, calls: list[PureCall], block: Block) -> None:
        """The loop over blocks: what is looked up, the searches, and what is made of what they find."""
        make, piece = self.make, wanted.piece

        def one(inner: Block, low: Exp, high: Exp) -> None:
            start, stop = make.add(low, piece.start), make.add(high, piece.start)
            known: dict[Exp, Exp] = {c: self.found(c, piece.var, (start, stop), inner) for c in calls}
            roots = tuple([Substitute(make, known)(root) for root in piece.roots])
            self.nests.loop(replace(wanted, piece=Piece(piece.var, start, stop, roots)), inner)

        extent = make.sub(piece.stop, piece.start)
        in_order = wanted.reductions is None
        self.nests.blocks(extent, BLOCK, block, one, in_order=in_order, reductions=wanted.reductions or ())

    def found(self, call: PureCall, index: Var, bounds: tuple[Exp, Exp], block: Block) -> Exp:
        """What the searches of a block find, at the place of an index."""
        make, (start, stop) = self.make, bounds
        *fixed, element = call.args
        is_bits = call.ty is Base.BOOL
        lows, highs = ((make.zero,), (make.one,)) if is_bits else (call.lows, call.highs)
        storage = "uint8" if is_bits else STORAGE[Base.INT]
        found = Buffer(make.fresh("found"), Base.INT, storage, lows=lows, highs=highs)
        block.statements.append(l.Local(found, BLOCK))
        memory, first = self.in_memory(element, index, start)
        if memory is None:
            memory = Buffer(make.fresh("sought"), element.ty, STORAGE[element.ty])
            block.statements.append(l.Local(memory, BLOCK))
            self.written(memory, element, index, bounds, block)
        arguments = (*call.memory, *fixed, memory, first, make.sub(stop, start), found)
        run = RuntimeCall(IN_BLOCKS[call.function], call.header, arguments, only_reads=(*call.memory, memory))
        block.statements.append(run)
        result = make.read(found, make.sub(index, start))
        return make.call(p.NEQI, result, make.zero) if is_bits else result

    def written(self, row: Buffer, element: Exp, index: Var, bounds: tuple[Exp, Exp], block: Block) -> None:
        """The elements of a block, one behind the other."""
        start, stop = bounds

        def store(inner: Block, values: tuple[Exp, ...]) -> None:
            value, place = self.nests.code.values(values, inner)
            inner.statements.append(l.Store(row, place, value))

        along = Piece(index, start, stop, (element, self.make.sub(index, start)))
        self.nests.in_pieces(Wanted(along, store), block)

    def in_memory(self, element: Exp, index: Var, start: Exp) -> tuple[Buffer | None, Exp]:
        """Where the elements of a block lie, if side by side and as a search reads them: the memory, and the
        index of the first.
        """
        make = self.make
        if not isinstance(element, Read) or element.buffer.storage != STORAGE[element.ty]:
            return None, make.zero
        is_along = index not in self.nests.free.of(make.sub(element.index, index))
        if not is_along or element.buffer.data is not None:
            return None, make.zero
        return element.buffer, Substitute(make, {index: start})(element.index)
