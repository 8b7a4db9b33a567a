"""Updates whose places or values take work go in stages: what needs no order in lanes, then the writes.

Note [Updates in stages]
    A loop that changes elements of an array at places that may coincide runs in order, and has no lanes.
    Where the places take work, or what is put there, it runs in blocks:

        for i { b[p(i)] = b[p(i)] + v(i) provided c(i) }
        →   for blocks { for i { place[…] = p(i); value[…] = v(i); bad |= ~c(i) }
                         if bad = 0 { for i { b[place[…]] = b[place[…]] + value[…] } } else { for i { … } } }

    Nothing has been written where a check of a block fails: the block runs as it did, up to the element whose
    error it is. Where all hold, the loop of the writes asks none of them again. Each check has a bit of a
    number, which lanes keep better than truth values. What is computed of the array that changes stays in the
    loop of the writes, and so does what is gathered, of which lanes make no less work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import longest, unconditional
from aplc.laila.ir.scalar import (
    ALARM,
    BIT_OR,
    RAISED,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.split import Piece
from aplc.laila.ir.substitute import Substitute, WithoutChecks
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Axes, EmitBody, Nests, Wanted
from aplc.laila.lowering.pull import weigh
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail import prims as p
from aplc.tail.types import Base

BLOCK = 256
"""So many elements are in a block."""
FEWEST = 32
"""Loops that are known to be shorter run as they are."""
BITS = 62
"""So many checks have a bit each."""
LEAST_WORK = 8
"""So much work is worth an array."""


def _gathers(exp: Exp) -> bool:
    """Whether an expression reads elements at places that are read themselves: such loops wait for memory."""
    reads = [n for n in nodes(exp) if isinstance(n, Read)]
    return any(contains(Read, read.index) for read in reads)


@dataclass(frozen=True, slots=True)
class Update:
    """An update along one axis: the array, what is written, where, and whether, by the index of the axis."""

    buffer: Buffer
    axes: Axes
    body: Exp
    position: Exp
    guard: Exp

    @property
    def roots(self) -> tuple[Exp, ...]:
        """What is computed of an element."""
        return self.body, self.position, self.guard


class ScatterStages:
    """Updates in stages: see Note [Updates in stages]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make, self.free = nests, nests.code, nests.make, nests.free

    def staged(self, update: Update, block: Block) -> list[Exp]:
        """What is computed in lanes before the writes; nothing where an update is better off in order."""
        make, options = self.make, self.nests.options
        if not (options.splitting and options.has_memory) or len(update.axes) != 1:
            return []
        ((index, extent),) = update.axes
        most = longest(extent)
        if most is not None and most < FEWEST:
            return []
        if contains(Fold | BlockExp | PureCall, *update.roots):
            return []
        certain = {id(n) for n in unconditional(update.roots)}
        checks = [n for n in nodes(*update.roots) if isinstance(n, Check)]
        if not all(id(check) in certain for check in checks):
            return []
        if WithoutChecks(make, {})(update.guard) is not make.true:
            return []
        if any(self.reads(update.buffer, root) for c in checks for root in (c.ok, update.position)):
            return []
        found = [part for part in self.parts(update, index) if id(part) in certain]
        return found if sum([weigh(part).cost for part in found]) >= LEAST_WORK else []

    def reads(self, buffer: Buffer, exp: Exp) -> bool:
        """Whether an expression reads the array that changes."""
        return any(isinstance(n, Read) and n.buffer is buffer for n in nodes(exp))

    def parts(self, update: Update, index: Var) -> list[Exp]:
        """The largest parts of what is written and where that do not depend on what has been written before,
        and are more than an element of memory.
        """
        found: list[Exp] = []
        stack: list[Exp] = [update.body, update.position]
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if id(node) in seen or index not in self.free.of(node):
                continue
            seen.add(id(node))
            if not self.reads(update.buffer, node):
                if weigh(node).cost > 1 and node.ty in (Base.INT, Base.DOUBLE) and not _gathers(node):
                    found.append(node)
            elif not isinstance(node, Read):
                stack += operands(node)
            elif node.index is not update.position:
                stack.append(node.index)
        return found

    def in_stages(self, update: Update, parts: Sequence[Exp], block: Block, store: EmitBody) -> None:
        """The loop over blocks, `store` making a write of what is written, where and whether."""
        make = self.make
        ((index, extent),) = update.axes
        plain = WithoutChecks(make, {})
        checks = [plain(node.ok) for node in nodes(*update.roots) if isinstance(node, Check)]
        checks = [ok for ok in dict.fromkeys(checks) if ok is not make.true]
        sure = Substitute(make, {part: make.true for ok in checks for part in _conjuncts(ok)})

        def one(inner: Block, start: Exp, stop: Exp) -> None:
            arrays = [Buffer(make.fresh("part"), part.ty, STORAGE[part.ty]) for part in parts]
            inner.statements += [l.Local(array, BLOCK) for array in arrays]
            place = make.sub(index, start)
            values = tuple([plain(part) for part in parts])
            holds = self.filled(arrays, Piece(index, start, stop, (*values, *checks, place)), inner)
            found = [(sure(value), array) for value, array in zip(values, arrays, strict=True)]
            known: dict[Exp, Exp] = {
                part: make.read(array, place) for part, array in found if not isinstance(part, Const | Var)
            }

            def quick(scope: Block) -> None:
                certain = [sure(plain(root)) for root in update.roots]
                roots = tuple(map(Substitute(make, known), certain))
                self.nests.loop(Wanted(Piece(index, start, stop, roots), store, reductions=None), scope)

            def checked(scope: Block) -> None:
                whole = Piece(index, start, stop, update.roots)
                self.nests.loop(Wanted(whole, store, reductions=None), scope)

            if isinstance(holds, Const):
                quick(inner)
            else:
                self.nests.one_of(holds, inner, quick, checked)

        self.nests.blocks(extent, BLOCK, block, one, in_order=True)

    def filled(self, arrays: Sequence[Buffer], piece: Piece, block: Block) -> Exp:
        """The parts of a block in arrays, and whether the checks of all its elements hold."""
        make = self.make
        count = len(arrays)
        bad = Var(make.fresh("bad"), Base.INT)
        is_checked = len(piece.roots) > count + 1
        if is_checked:
            block.statements.append(l.Declare(bad, make.zero, mutable=True))

        def fill(inner: Block, roots: tuple[Exp, ...]) -> None:
            *found, place = self.code.values(roots, inner)
            for array, value in zip(arrays, found[:count], strict=True):
                inner.statements.append(l.Store(array, place, value))
            for number, ok in enumerate(found[count:]):
                bit = make.const(1 << number % BITS)
                alarm = (
                    make.call(ALARM, make.call(p.NOTB, ok))
                    if number == 0
                    else make.select(ok, make.zero, bit)
                )
                inner.statements.append(l.Assign(bad, make.call(BIT_OR, bad, alarm)))

        reductions = (l.Reduction(BIT_OR, bad, make.zero),) if is_checked else ()
        self.nests.loop(Wanted(piece, fill, reductions=reductions), block)
        return make.call(p.NOTB, make.call(RAISED, bad)) if is_checked else make.true


def _conjuncts(condition: Exp) -> list[Exp]:
    """A condition, and all that hold where it does."""
    match condition:
        case Call(op=p.ANDB, args=(a, b)):
            return [condition, *_conjuncts(a), *_conjuncts(b)]
        case _:
            return [condition]
