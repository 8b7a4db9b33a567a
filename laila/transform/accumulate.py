"""Fuses folds over the results of a loop into that loop, so that the results need no memory.

    for cell < n { … MAP a[3×cell + j] = f(cell,j) over j < 3 }
    MAP b[j] = (REDUCE ⊕ over k < n { a[3×k + j] }) ÷ n over j < 3
    free a

becomes

    MAP sum[j] = neutral over j < 3
    for cell < n { … MAP row[j] = f(cell,j) over j < 3; MAP sum[j] = sum[j] ⊕ row[j] over j < 3 }
    MAP b[j] = sum[j] ÷ n over j < 3

where the array of all results is written by the loop, a row for each cell, and read by such folds only. Only
folds that may combine in any order are looked at; those that must not are steps. This stands in front of
strips, which add up in lanes: what `accumulation` recognises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Output,
    Program,
    Space,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Sum,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.statements import bodies, bound, own_expressions, rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index, weigh
from aplc.laila.lowering.scalars import CUTTING, may_reassociate, neutral
from aplc.laila.transform.hoist import is_local
from aplc.tail import prims as p
from aplc.tail.prims import Prim

MAX_SUMS = 64
"""More sums than this are a loop over an array in memory in any case."""


def accumulation(make: ExprBuilder, buffer: Buffer, position: Exp, body: Exp) -> tuple[Prim, Exp] | None:
    """The primitive and the operand of `b[i] = b[i] ⊕ e`, where ⊕ may combine in any order."""
    own = make.read(buffer, position)
    match body:
        case Call(op=op, args=(first, second)) if own in (first, second):
            rest = second if first is own else first
        case Sum(terms=terms) if (own, 1) in terms:
            op, rest = p.ADDI, make.sub(body, own)
        case _:
            return None
    if not may_reassociate(make, op) or op in CUTTING or buffer in buffers_read(rest):
        return None
    return op, rest


def accumulate(program: Program, make: ExprBuilder) -> Program:
    """The program with folds over cells in the loops over cells."""
    return with_blocks(program, _Folds(make).block)


@dataclass(frozen=True, slots=True)
class _Row:
    """The results of one cell, as a part of those of all."""

    loop: ForEach
    whole: Buffer
    length: int
    own: Buffer


class _InCell(Substitute):
    """Rebuilds what reads the results of all cells for one, that reads its own."""

    def __init__(self, make: ExprBuilder, row: _Row, replacements: dict[Exp, Exp]) -> None:
        super().__init__(make, replacements)
        self.row = row
        self.start = make.mul(make.const(row.length), row.loop.space.indices[0])

    def _rebuild(self, node: Exp) -> Exp:
        if isinstance(node, Read) and node.buffer is self.row.whole:
            return self.make.read(self.row.own, self.make.sub(self.done[id(node.index)], self.start))
        return super()._rebuild(node)


class _Folds:
    """The folds over cells of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with folds in loops."""
        block = [with_bodies(s, self.block) for s in statements]
        places = self.places(block)
        for buffer in tuple(places):
            changed = self.without(block, buffer, places[buffer])
            if changed is not None:
                block = changed
                places = self.places(block)
        return tuple(block)

    def places(self, block: list[Statement]) -> dict[Buffer, list[int]]:
        """The statements that mention an array, for those that begin and end in a block and are not small."""
        begun = {s.buffer for s in block if isinstance(s, Alloc) and not is_local(s) and not s.buffer.asked}
        wanted = begun & {s.buffer for s in block if isinstance(s, Free)}
        found: dict[Buffer, list[int]] = {}
        if any(isinstance(s, ForEach) for s in block):
            for k, statement in enumerate(block):
                for buffer in mentioned(statement):
                    if buffer in wanted:
                        found.setdefault(buffer, []).append(k)
        return found

    def without(self, block: list[Statement], buffer: Buffer, at: list[int]) -> list[Statement] | None:
        """The block without an array, if a loop writes it and folds read it."""
        if len(at) < 4:
            return None
        begin, place, *readers, end = at
        alloc, loop = block[begin], block[place]
        if not (isinstance(alloc, Alloc) and isinstance(loop, ForEach) and isinstance(block[end], Free)):
            return None
        row = self.row(loop, buffer)
        if row is None:
            return None
        late = {v.name for s in block[place:] for v in bound(s)}
        written = set(chain.from_iterable(_changed(s) for s in block[place:]))
        before: list[Statement] = []
        sums: list[Statement] = []
        after: list[Statement] = []
        changed: dict[int, Statement] = {}
        found = {k: self.folds(block[k], row, late, written) for k in readers}
        if not all(found.values()):
            return None
        for k, folds in found.items():
            statement = block[k]
            space = statement.space if isinstance(statement, Map) else Space((), ())
            results: dict[Exp, Exp] = {
                f: self.summed(f, row, space, alloc, before, sums, after) for f in folds
            }
            changed[k] = rebuilt(statement, Substitute(self.make, results))
        body = [self.in_cell(s, row) for s in loop.body]
        own = Alloc(row.own, self.make.const(row.length), alloc.site)
        changed[place] = ForEach(loop.space, (own, *body, *sums, Free(row.own)))
        result: list[Statement] = []
        for k, statement in enumerate(block):
            if k == place:
                result += before
            if k == end:
                result += after
            elif k != begin:
                result.append(changed.get(k, statement))
        return result

    def row(self, loop: ForEach, buffer: Buffer) -> _Row | None:
        """The results of one cell, if each writes a row of a known length, and that is all."""
        if len(loop.space.indices) != 1:
            return None
        name = loop.space.indices[0].name
        lengths: set[int] = set()
        stack = list(loop.body)
        while stack:
            statement = stack.pop()
            stack += [s for body in bodies(statement) for s in body]
            if buffer in buffers_read(*own_expressions(statement)):
                return None
            if isinstance(statement, Map | Store) and statement.buffer is buffer:
                found = self.part(statement.position, name)
                if found is None:
                    return None
                lengths.add(found)
            elif not bodies(statement) and buffer in mentioned(statement):
                return None
        if len(lengths) != 1:
            return None
        own = replace(buffer, name=self.make.fresh("row"), lows=(), highs=())
        return _Row(loop, buffer, lengths.pop(), own)

    def part(self, position: Exp, name: str) -> int | None:
        """The length of the rows that a position is in the row of a variable of."""
        make = self.make
        terms = make.linear(position)[1]
        guises = [(atom, k) for atom, k in terms.items() if isinstance(atom, Var) and atom.name == name]
        if len(guises) != 1 or guises[0][1] <= 0:
            return None
        atom, length = guises[0]
        rest = make.sub(position, make.mul(make.const(length), atom))
        is_inside = make.nonnegative(rest) and make.nonnegative(make.sub(make.const(length - 1), rest))
        return length if is_inside else None

    def in_cell(self, statement: Statement, row: _Row) -> Statement:
        """A statement of the loop, which writes the results of a cell to memory of their own."""
        match statement:
            case Map(buffer=buffer, position=position) | Store(buffer=buffer, position=position):
                if buffer is not row.whole:
                    return statement
                name = row.loop.space.indices[0].name
                terms = self.make.linear(position)[1]
                (atom,) = [a for a in terms if isinstance(a, Var) and a.name == name]
                start = self.make.mul(self.make.const(row.length), atom)
                return replace(statement, buffer=row.own, position=self.make.sub(position, start))
            case _:
                return with_bodies(statement, lambda inner: tuple([self.in_cell(s, row) for s in inner]))

    # --- folds ---

    def folds(self, statement: Statement, row: _Row, late: set[str], written: set[Buffer]) -> list[Fold]:
        """The folds over cells of a statement; none if it reads their results in another way."""
        if not isinstance(statement, HostLet | Map):
            return []
        roots = own_expressions(statement)
        hidden = (late | {v.name for v in bound_in(roots)}) - {v.name for v in bound(statement)}
        if isinstance(statement, Map):
            count = self.make.product(statement.space.extents)
            if not isinstance(count, Const) or count.value > MAX_SUMS:
                return []
        found: list[Fold] = []
        for node in nodes(*roots, below=lambda e: () if self.is_over_cells(e, row) else operands(e)):
            if isinstance(node, Fold) and self.is_over_cells(node, row):
                others = set(buffers_read(node.body)) - {row.whole}
                if others & written or hidden & {v.name for v in self.free.of(node)}:
                    return []
                found.append(node)
            elif isinstance(node, BlockExp | PureCall):
                if row.whole in buffers_read(node):
                    return []
            elif isinstance(node, Read) and node.buffer is row.whole:
                return []
        return found

    def is_over_cells(self, exp: Exp, row: _Row) -> bool:
        """Whether an expression is a fold over the cells, each of which gives what it combines."""
        if not isinstance(exp, Fold) or exp.extent is not row.loop.space.extents[0]:
            return False
        if not isinstance(exp.combine, Prim) or exp.combine in CUTTING or weigh(exp.body).may_fail:
            return False
        reads = False
        for node in nodes(exp.body):
            if isinstance(node, BlockExp | PureCall):
                return False
            if isinstance(node, Read) and node.buffer is row.whole:
                reads = True
                if self.part(node.index, exp.var.name) != row.length:
                    return False
        return reads

    def summed(
        self,
        fold: Fold,
        row: _Row,
        space: Space,
        alloc: Alloc,
        before: list[Statement],
        sums: list[Statement],
        after: list[Statement],
    ) -> Exp:
        """The value of a fold behind the loop, with statements in front of, in and behind it."""
        make = self.make
        assert isinstance(fold.combine, Prim)
        used = {v.name for v in self.free.of(fold)}
        axes = [(i, n) for i, n in zip(space.indices, space.extents, strict=True) if i.name in used]
        extents = tuple([n for _, n in axes])
        total = Buffer(make.fresh("sum"), fold.ty, fold.ty.dtype)

        def over(indices: tuple[Var, ...], body: Exp) -> Statement:
            position = from_index(make, extents, indices)
            if not indices:
                return Store(total, position, body)
            return Map(total, Space(indices, extents), position, body)

        first, again = [tuple([make.index(i.name, n) for i, n in axes]) for _ in range(2)]
        before += [
            Alloc(total, make.product(extents), alloc.site),
            over(first, neutral(make, fold.combine)),
        ]
        names: dict[Exp, Exp] = {i: new for (i, _), new in zip(axes, again, strict=True)}
        body = _InCell(make, row, {**names, fold.var: row.loop.space.indices[0]})(fold.body)
        so_far = make.read(total, from_index(make, extents, again))
        sums.append(over(again, make.call(fold.combine, so_far, body)))
        after.append(Free(total))
        result = make.read(total, from_index(make, extents, tuple([i for i, _ in axes])))
        if fold.empty is None or fold.empty is neutral(make, fold.combine):
            return result
        return make.select(make.call(p.EQI, fold.extent, make.zero), fold.empty, result)


def _changed(statement: Statement) -> list[Buffer]:
    """The buffers that a statement may write, or whose memory changes hands."""
    match statement:
        case Map(buffer=buffer) | Store(buffer=buffer) | Alloc(buffer=buffer):
            return [buffer]
        case HostLet() | HostCheck() | Variable() | Assign() | Free() | Output():
            return []
        case If() | While() | ForEach():
            return [b for body in bodies(statement) for s in body for b in _changed(s)]
        case _:
            return list(mentioned(statement))
