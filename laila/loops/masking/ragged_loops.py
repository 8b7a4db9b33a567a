"""Vectorises reductions over rows whose lengths are data, so that short rows do not pay for it.

Note [Ragged rows]
    A compiler's vector loop adds up what is left behind the last whole vector one by one, and chooses between
    its versions for each row: a row of ten elements takes longer than its elements do. So rows are taken in
    blocks of several vectors, and what is left of them in vectors of which some lanes are masked:

        for k in a … b { s = s + f(k) }
        →   n = b - a
            if in_vectors(n, 16) { for j < 16 { s = j < n ? s + f(a+j) : s } }
            else {
                w = whole(a, b, 32)
                for k in a … w { s = s + f(k) }
                for i in w … b by 8 {
                    left = b - i
                    for j < 8 { s = j < left ? s + f(i+j) : s }
                }
            }

    Where elements of a row tell where others are read, one comes after the other, and the row stays as it is;
    so it does where it is read from its end, as in `⍵≡⌽⍵`: gcc 12 has no masked vectors of that order.
    How much of an array is in whole lines (Note [Whole lines] of `whole_lines`) is no data.

    Each read stands under the mask as well, so that no memory behind the row is touched. Without masks for
    memory no row is short, and `w` is `b`. Loops whose extents can be told from the indices around them stay
    as they are. Before each row stands what asks for a later one: Note [Rows to come].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import with_bodies
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.rounds import TRAPPING
from aplc.laila.ir.scalar import (
    BIT_OR,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.folding.whole_lines import LINES
from aplc.laila.loops.prefetching.rows import Rounds
from aplc.laila.lowering.pull import fill
from aplc.tail import prims as p
from aplc.tail.types import Base

VECTOR = 64
"""Bytes of a vector."""

MOST_LANES = 16
"""More lanes are not worth their mask."""

BLOCK = 4
"""Vectors of a block."""

FEW = 16
"""A row of so many elements is no loop over vectors: all of their lanes are masked."""

FEW_VECTORS = 2
"""So many vectors of a row that comes are asked for."""

MARK_BYTES = 4
"""Conditions about elements of this size are accumulated as numbers of it, and not as bytes."""

HEADER = "aplc_ragged.h"


def in_masked_lanes(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with reductions over ragged rows as Note [Ragged rows] has them."""
    return l.with_blocks(code, lambda block: _Rows(make).block(block, None))


@dataclass(frozen=True, slots=True)
class _Mark:
    """A statement that accumulates a condition, and the number that is 1 once a row has decided: that some
    element fulfils it, or that one does not.
    """

    statement: l.Assign
    condition: Exp
    mark: Var
    is_any: bool

    def joined(self, make: ExprBuilder) -> l.Assign:
        """What the row has decided."""
        var, decides = self.statement.var, make.call(p.NEQI if self.is_any else p.EQI, self.mark, make.zero)
        return l.Assign(var, make.call(p.ORB if self.is_any else p.ANDB, var, decides))


class _Rows:
    """The loops of a program, or of a routine."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make, self.free, self.ranges = make, FreeVars(), Ranges(is_single=False)

    def block(
        self, statements: tuple[l.Stm, ...], data: set[Var] | None, rounds: Rounds | None = None
    ) -> tuple[l.Stm, ...]:
        """Statements with their loops; inside a loop, `data` are variables that data of its rounds tell, and
        `rounds` are those of the innermost loop.
        """
        found: list[l.Stm] = []
        for statement in statements:
            if rounds is not None:
                rounds.note(statement)
            match statement:
                case l.For(start=start, stop=stop) if data is not None and self.is_data((start, stop), data):
                    found += self.row(statement, data, rounds)
                case l.For() | l.While():
                    inside = set() if data is None else data
                    inner = Rounds(self.make, self.free, statement) if isinstance(statement, l.For) else None
                    found.append(
                        with_bodies(statement, lambda body, d=inside, r=inner: self.block(body, d, r))  # type: ignore[misc]
                    )
                case l.Declare(var=var, value=value) | l.Assign(var=var, value=value):
                    if data is not None and value is not None and self.is_data((value,), data):
                        data.add(var)
                    found.append(statement)
                case _:
                    found.append(with_bodies(statement, lambda body: self.block(body, data, rounds)))
        return tuple(found)

    def is_data(self, exps: tuple[Exp, ...], data: set[Var]) -> bool:
        """Whether what is read, or what comes of that, decides about expressions."""
        found = [n for n in nodes(*exps) if isinstance(n, Read | PureCall)]
        is_found = any(isinstance(n, Read) or n.function != LINES for n in found)
        return is_found or any(self.free.of(e) & data for e in exps)

    def row(self, loop: l.For, data: set[Var], rounds: Rounds | None) -> Iterator[l.Stm]:
        """A loop over a row, in two if that pays; `rounds` are those of the loop over rows."""
        count = self.lanes_of(loop)
        if count is None:
            inner = Rounds(self.make, self.free, loop)
            yield with_bodies(loop, lambda body: self.block(body, data, inner))
            return
        make, few = self.make, self.make.const(max(count, FEW))
        if rounds is not None:
            yield from rounds.ahead(loop, FEW_VECTORS * VECTOR)
        marks = [each for each in map(self.marked, loop.body) if each is not None and is_of_marks(loop)]
        for each in marks:
            yield l.Declare(each.mark, make.zero, mutable=True)
        loop = self.marking(loop, marks)
        length = Var(make.fresh("length"), Base.INT)
        yield l.Declare(length, make.sub(loop.stop, loop.start))
        is_short = PureCall("aplc_in_vectors", HEADER, (), (length, few), Base.BOOL)
        alone = self.lanes(loop, loop.start, length, few)
        yield l.If(is_short, (alone,), tuple(self.blocks(loop, count)))
        yield from [each.joined(make) for each in marks]

    def marked(self, statement: l.Stm) -> _Mark | None:
        """What is accumulated by a statement, if that is a condition about wider elements."""
        if not isinstance(statement, l.Assign) or statement.var.ty is not Base.BOOL:
            return None
        var = statement.var
        match statement.value:
            case Call(op=op, args=(before, last)) if op in (p.ORB, p.ANDB) and before is var:
                condition, is_any = last, op is p.ORB
            case Select(cond=told, then=Const(value=True), other=before) if before is var:
                condition, is_any = told, True
            case Select(cond=told, then=before, other=Const(value=False)) if before is var:
                condition, is_any = told, False
            case _:
                return None
        bounds = (self.make.zero,), (self.make.one,)
        return _Mark(statement, condition, Var(self.make.fresh("mark"), Base.INT, False, *bounds), is_any)

    def marking(self, loop: l.For, marks: list[_Mark]) -> l.For:
        """A loop that accumulates marks."""
        make = self.make
        body: list[l.Stm] = list(loop.body)
        reductions = {each.var: each for each in loop.reductions or ()}
        for each in marks:
            sign = each.condition if each.is_any else make.call(p.NOTB, each.condition)
            new = make.call(BIT_OR, each.mark, make.call(p.B2I, sign))
            body[body.index(each.statement)] = l.Assign(each.mark, new)
            reductions[each.statement.var] = l.Reduction(BIT_OR, each.mark, make.zero)
        return replace(loop, body=tuple(body), reductions=tuple(reductions.values()))

    def blocks(self, loop: l.For, count: int) -> Iterator[l.Stm]:
        """A loop over a row in blocks of vectors, and what is left of it in vectors."""
        make, many, size = self.make, self.make.const(count), self.make.const(BLOCK * count)
        whole = make.between("whole", (loop.start,), (loop.stop,))
        yield l.Declare(whole, PureCall("aplc_whole", HEADER, (), (loop.start, loop.stop, size), Base.INT))
        yield replace(loop, stop=whole)
        first = Var(make.fresh(loop.var.name), Base.INT, True, loop.var.lows, loop.var.highs)
        left = make.between("left", (make.one,), (size,))
        rest = (l.Declare(left, make.sub(loop.stop, first)), self.lanes(loop, first, left, many))
        half = make.const(BLOCK * count // 2)
        yield l.For(first, whole, loop.stop, rest, step=count, about=half)

    def lanes(self, loop: l.For, first: Exp, left: Exp, many: Exp) -> l.For:
        """The iterations of a loop from one on side by side, of which so many are left."""
        make = self.make
        lane = make.index("j", many)
        inside = make.call(p.LTI, lane, left)
        change = Substitute(make, {loop.var: make.add(first, lane)})
        lanes = {lane, *[s.var for s in loop.body if isinstance(s, l.Declare)]}
        body = tuple([self.masked(s, change, inside, lanes) for s in loop.body])
        return l.For(lane, make.zero, many, body, loop.reductions)

    def masked(self, statement: l.Stm, change: Substitute, inside: Exp, lanes: set[Var]) -> l.Stm:
        """A statement in a lane of a vector, which does nothing unless it is inside."""
        make = self.make
        match statement:
            case l.Declare(var=var, value=value) if value is not None:
                return replace(statement, value=self.under(change(value), inside, lanes))
            case l.Assign(var=var, value=value):
                return l.Assign(var, make.select(inside, self.under(change(value), inside, lanes), var))
            case _:
                raise AssertionError(statement)

    def under(self, exp: Exp, inside: Exp, lanes: set[Var]) -> Exp:
        """An expression that reads at places that depend on lanes only inside."""
        reads = [n for n in nodes(exp) if isinstance(n, Read) and self.free.of(n) & lanes]
        known: dict[Exp, Exp] = {}
        for read in reads:  # operands first
            index = Substitute(self.make, known)(read.index)
            safe = self.make.select(inside, self.make.read(read.buffer, index), fill(self.make, read.ty))
            known[read] = safe
        return Substitute(self.make, known)(exp)

    def lanes_of(self, loop: l.For) -> int | None:
        """How many elements of a row a vector has; None if the loop is none for Note [Ragged rows]."""
        if loop.descending or loop.step != 1 or not loop.reductions or loop.running or loop.private:
            return None
        sums = {r.var for r in loop.reductions}
        if self.gathers(loop):
            return None
        widest = max([self.bytes_of(v) for v in sums])
        for statement in loop.body:
            match statement:
                case l.Declare(value=value, mutable=False) if value is not None:
                    pass
                case l.Assign(var=var, value=value) if var in sums:
                    pass
                case _:
                    return None
            for node in nodes(value):
                match node:
                    case Check() | BlockExp() | Fold() | PureCall():
                        return None
                    case Call(op=op) if op in TRAPPING:
                        return None
                    case Read(buffer=buffer):
                        if buffer.ty is Base.COMPLEX:
                            return None
                        widest = max(widest, buffer.item_bytes)
                    case _:
                        pass
        return min(MOST_LANES, VECTOR // widest)

    def gathers(self, loop: l.For) -> bool:
        """Whether elements of a row tell where others are read, or are read from its end: masks make these
        slower than they are.
        """
        lanes, told = {loop.var}, set[Var]()
        for statement in loop.body:
            if not isinstance(statement, l.Declare | l.Assign) or statement.value is None:
                continue
            for read in [n for n in nodes(statement.value) if isinstance(n, Read)]:
                inner = [n for n in nodes(read.index) if isinstance(n, Read)]
                is_backwards = self.make.linear(read.index)[1].get(loop.var, 0) < 0
                if (
                    is_backwards
                    or self.free.of(read.index) & told
                    or any(self.free.of(n) & lanes for n in inner)
                ):
                    return True
            if isinstance(statement, l.Declare):
                varies = self.free.of(statement.value) & lanes
                if varies and (contains(Read, statement.value) or self.free.of(statement.value) & told):
                    told.add(statement.var)
                if varies:
                    lanes.add(statement.var)
        return False

    def bytes_of(self, var: Var) -> int:
        """The size of what is accumulated."""
        if var.ty is Base.INT:
            return self.ranges.width(var) // 8
        return 1 if var.ty is Base.BOOL else 8


def is_of_marks(loop: l.For) -> bool:
    """Whether the widest elements that a loop reads have the size of a mark."""
    values = [s.value for s in loop.body if isinstance(s, l.Declare | l.Assign)]
    reads = [n for n in nodes(*[v for v in values if v is not None]) if isinstance(n, Read)]
    return max([n.buffer.item_bytes for n in reads], default=0) == MARK_BYTES
