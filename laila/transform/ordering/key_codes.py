"""Keys that are computed, and only counted, are counted by small numbers that stand for them.

    alloc a; MAP a[2×i+c] = key i c over i < n, c < 2
    alloc index; alloc counts; run aplc_count_each_int(a, n, 2, index, counts, &m)
    →   low, high = REDUCE ⌊ key i 0, REDUCE ⌈ key i 0, …
        alloc index; alloc counts
        if the ranges are small:
            alloc codes; MAP codes[i] = (key i 0 - low) × width + key i 1 - low over i < n
            run aplc_codes_2_count(codes, n, width × …, index, counts, &m)
        else: as it was

So what is catenated or widened for the sake of its keys (`{≢⍵}⌸(⍳n),,m`, `{≢⍵}⌸a,⍪b`) is read where it is,
twice, and two bytes are written for each row instead of eight for each element of it. What reads the keys
besides computes them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import Users, buffers_read, changed, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Free,
    HostLet,
    If,
    Map,
    Program,
    RuntimeCall,
    Space,
    Statement,
    Variable,
)
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index
from aplc.laila.lowering.scalars import neutral
from aplc.laila.transform.dead_code import without_unused
from aplc.laila.transform.ordering.key_counts import COUNT
from aplc.tail import prims as p
from aplc.tail.types import Base

COUNTED, CODES = COUNT + "int", "aplc_codes_2_count"
LEAST_ROWS, MOST_CODES, MOST_ROWS = 1024, 2**14, 2**31 - 1
MOST_COLUMNS, MOST_NODES = 3, 12
"""Rows of so many columns, and keys of so many operations, are computed three times."""


def with_codes_counted(program: Program, make: ExprBuilder) -> Program:
    """The program with counts of codes where keys are computed and counted."""
    blocks = (program.statements, *[f.statements for f in program.functions])
    if not any(_counts(s) for block in blocks for s in within(block)):
        return program
    program = without_unused(program, make)
    return with_blocks(program, lambda statements: _block(statements, make))


def _counts(statement: Statement) -> bool:
    return isinstance(statement, RuntimeCall) and statement.function == COUNTED


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    for run in [s for s in block if isinstance(s, RuntimeCall) and _counts(s)]:
        found = _keys(block, run, make)
        coded = None if found is None else found.coded()
        block = block if coded is None else coded
    return tuple(block)


@dataclass(slots=True)
class _Keys:
    """Keys in a block, which are counted; statements at the positions `readers` read them besides."""

    make: ExprBuilder
    block: list[Statement]
    alloc: Alloc
    keys: Map
    run: RuntimeCall
    free: Free
    readers: list[int]
    late: list[Free]
    """What is computed again must not be freed before."""

    def column(self, i: Exp, column: Exp) -> Exp:
        """The key of a row in a column."""
        row, *others = self.keys.space.indices
        return Substitute(self.make, {row: i, **dict.fromkeys(others, column)})(self.keys.body)

    def coded(self) -> list[Statement] | None:
        """The block with codes, if what reads keys can compute them."""
        result: list[Statement] = []
        for k, s in enumerate(self.block):
            if s is self.run:
                result += self.counted()
            elif k in self.readers:
                result.append(self.computed(s))
                if self.alloc.buffer in mentioned(result[-1]):
                    return None
            elif s is self.free:
                result += self.late
            elif not any(s is each for each in (self.alloc, self.keys, *self.late)):
                result.append(s)
        return result

    def counted(self) -> list[Statement]:
        """Statements that count codes if their range is small, and keys otherwise."""
        make, rows, (count,) = self.make, self.keys.space.extents[0], self.run.written
        _, _, columns, index, counts = self.run.arguments
        assert isinstance(columns, Const) and isinstance(columns.value, int)
        ranges: list[Statement] = []
        size: Exp = make.const(1.0, Base.DOUBLE)
        i = make.index("i", rows)
        code: Exp = make.zero
        several: Exp = make.one
        for c in map(make.const, range(columns.value)):
            low, high = self.extremum("low", p.MINI, c, ranges), self.extremum("high", p.MAXI, c, ranges)
            width = make.call(p.SUBD, make.call(p.I2D, high), make.call(p.I2D, low))
            size = make.call(p.MULD, size, make.call(p.ADDD, width, make.const(1.0, Base.DOUBLE)))
            extent = make.add(make.sub(high, low), make.one)
            code = make.add(make.mul(code, extent), make.sub(self.column(i, c), low))
            several = make.mul(several, extent)
        most = make.call(p.MIND, make.const(float(MOST_CODES), Base.DOUBLE), make.call(p.I2D, rows))
        few: Exp = make.call(p.LTED, size, most)
        for small, large in ((make.const(LEAST_ROWS), rows), (rows, make.const(MOST_ROWS))):
            few = make.call(p.ANDB, few, make.call(p.LTI, small, large))
        highs = (make.const(MOST_CODES),)
        codes = Buffer(make.fresh("codes"), Base.INT, "uint16", lows=(make.zero,), highs=highs)
        different, by_code, by_key = [
            Var(make.fresh(name), Base.INT, True, (make.zero,)) for name in ("different", "now", "now")
        ]
        given = codes, rows, several, index, counts
        coded = (
            Alloc(codes, rows, self.alloc.site),
            Map(codes, Space((i,), (rows,)), i, code),
            replace(self.run, function=CODES, arguments=given, written=(by_code,)),
            Free(codes),
            Assign(different, by_code),
        )
        otherwise = (
            self.alloc,
            self.keys,
            replace(self.run, written=(by_key,)),
            Free(self.alloc.buffer),
            Assign(different, by_key),
        )
        choice = If(few, coded, otherwise)
        return [*ranges, Variable(different, make.zero), choice, HostLet(count, different)]

    def extremum(self, name: str, op: p.Prim, column: Exp, ranges: list[Statement]) -> Var:
        """The least or the greatest key of a column, bound by a statement more."""
        make, rows = self.make, self.keys.space.extents[0]
        i, found = make.index("i", rows), Var(make.fresh(name), Base.INT)
        ranges.append(HostLet(found, make.fold(op, i, rows, self.column(i, column), neutral(make, op))))
        return found

    def computed(self, reader: Statement) -> Statement:
        """A statement that reads keys, with what they are."""
        buffer = self.alloc.buffer
        inside = nodes(*[e for s in within([reader]) for e in expressions(s)])
        every = [n for n in inside if isinstance(n, Read) and n.buffer is buffer]
        return rebuilt(
            reader, Substitute(self.make, {n: self.column(n.index, self.make.zero) for n in every})
        )


def _keys(block: list[Statement], run: RuntimeCall, make: ExprBuilder) -> _Keys | None:
    """The keys that a call counts, if they are quickly computed, as often as one likes."""
    buffer, rows, columns, *_ = run.arguments
    assert isinstance(buffer, Buffer) and isinstance(rows, Exp)
    users = Users().of(block)[buffer]
    if len(users) < 4 or block[users[2]] is not run or not isinstance(columns, Const):
        return None
    alloc, keys, free = [block[users[k]] for k in (0, 1, -1)]
    readers = users[3:-1]
    if not isinstance(alloc, Alloc) or not isinstance(keys, Map) or not isinstance(free, Free):
        return None
    extents: tuple[Exp, ...] = (rows,) if columns is make.one else (rows, columns)
    is_whole = keys.guard is None and not keys.ordered and keys.space.extents == extents
    is_whole = is_whole and keys.position is from_index(make, extents, keys.space.indices)
    body = keys.body
    is_quick = sum(1 for _ in nodes(body)) <= MOST_NODES and not contains(Fold | BlockExp | PureCall, body)
    if not is_whole or not is_quick or make.may_fail(body):
        return None
    if columns is not make.one and (readers or not 1 < int(str(columns.value)) <= MOST_COLUMNS):
        return None
    if any(buffer in changed(s) for k in readers for s in within([block[k]])):
        return None
    behind, reads = block[users[1] + 1 : users[-1]], buffers_read(body)
    late = [s for s in behind if isinstance(s, Free) and s.buffer in reads]
    inside = [s for s in within(behind) if not any(s is each for each in late)]
    touched = {b for s in inside if not isinstance(s, Alloc) for b in changed(s)}
    names = {v.name for s in inside for v in bound(s)}
    is_same = touched.isdisjoint(reads) and names.isdisjoint(FreeVars().names(body))
    return _Keys(make, block, alloc, keys, run, free, readers, late) if is_same else None
