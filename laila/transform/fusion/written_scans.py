"""Writes out scans over a known, small number of elements where their readers tell which ones they want.

    alloc a : 3·n
    SCAN ⊕ a[n·k+i] = f(i,k) over i < n, k < 3          MAP b[i] = g(x, y, y ⊕ f(i,2)) over i < n
    MAP b[i] = g(a[i], a[n+i], a[2·n+i]) over i < n  →        where x = f(i,0), y = x ⊕ f(i,1)
    free a

So digits that are scanned and taken together again stay in registers. Each reader runs over the rows that are
scanned, and no other loop is around: nothing is computed twice, unless there are several readers, for which
it must be cheap.

Of truth values only bits of numbers are written out, as these: in lanes other truth values are narrower in
memory than in the loop of their reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.counts import is_bit
from aplc.laila.ir.liveness import Users, buffers_read
from aplc.laila.ir.program import Program, Statement
from aplc.laila.ir.scalar import (
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    BlockExp,
    Call,
    Const,
    Exp,
    FreeVars,
    PureCall,
    Read,
    Var,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.fusion.scan_readers import (
    CHEAP,
    Loops,
    Reader,
    Scanned,
    around,
    may_move,
    scans_of,
    without,
)
from aplc.tail import prims as p
from aplc.tail.types import Base

MOST = 16
"""Scans of so many elements are written out."""

OF_BITS = {p.NEQB: BIT_XOR, p.ANDB: BIT_AND, p.ORB: BIT_OR}
"""What functions of truth values are of numbers that are 0 or 1."""


def with_scans_written_out(program: Program, make: ExprBuilder) -> Program:
    """The program with short scans in the loops that read them."""
    return with_blocks(program, _Short(make).block)


@dataclass(slots=True)
class _Short:
    make: ExprBuilder
    free: FreeVars = field(default_factory=FreeVars)
    users: Users = field(default_factory=Users)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside them."""
        block = [with_bodies(s, self.block) for s in statements]
        for buffer in scans_of(block, self.users):
            scanned = scans_of(block, self.users).get(buffer)
            if scanned is not None:
                block = self.written_out(block, scanned) or block
        return tuple(block)

    def written_out(self, block: list[Statement], scanned: Scanned) -> list[Statement] | None:
        """A block without a scan; None if its readers want it in memory."""
        scan, last = scanned.scan, scanned.readers[-1]
        extent = scan.space.extents[-1]
        if not isinstance(extent, Const) or not 1 <= extent.value <= MOST:
            return None
        if len(scanned.readers) > 1 and weigh(scan.body).cost > CHEAP:
            return None
        roots = scan.body, *scan.space.extents
        if not may_move(self.free, roots, block[scanned.at + 1 : last]):
            return None
        prefixes = self.prefixes(scanned)
        if prefixes is None:
            return None
        instead: dict[int, Sequence[Statement]] = {}
        for k in scanned.readers:
            reader = block[k]
            if not isinstance(reader, Reader):
                return None
            elements = self.elements(reader, scanned, prefixes)
            if elements is None:
                return None
            instead[k] = (rebuilt(reader, Substitute(self.make, elements)),)
        return without(block, (scanned,), instead)

    def prefixes(self, scanned: Scanned) -> list[Exp] | None:
        """The elements of a row of a scan; those of truth values as numbers."""
        make, scan = self.make, scanned.scan
        (_, along), (_, extent) = scan.space.indices, scan.space.extents
        combine, element = scan.combine, scan.body
        if element.ty is Base.BOOL:
            bit = _bit(element)
            if combine not in OF_BITS or bit is None:
                return None
            combine, element = OF_BITS[combine], bit
        assert isinstance(extent, Const)
        values = [Substitute(make, {along: make.const(k)})(element) for k in range(int(extent.value))]
        result = values[:1]
        for value in values[1:]:
            result.append(make.call(combine, result[-1], value))
        return result

    def elements(self, reader: Reader, scanned: Scanned, prefixes: list[Exp]) -> dict[Exp, Exp] | None:
        """What stands for the elements that a statement reads, if it takes each row once."""
        buffer = scanned.scan.buffer
        if any(buffer in buffers_read(n) for n, _ in around(reader, lambda n: False) if _is_whole(n)):
            return None
        found: dict[Exp, Exp] = {}
        rows: dict[Var, dict[Exp, int]] = {}
        for node, loops in around(reader, lambda n: False):
            if isinstance(node, Read) and node.buffer is buffer:
                row = self.row(scanned, loops)
                if row is None:
                    return None
                places = rows.setdefault(row, self.places(scanned, row))
                if node.index not in places:
                    return None
                change = Substitute(self.make, {scanned.scan.space.indices[0]: row})
                value = change(prefixes[places[node.index]])
                if node.ty is Base.BOOL:
                    found[self.make.call(p.B2I, node)] = value
                    value = self.make.call(p.NEQI, value, self.make.zero)
                found[node] = value
        return found

    def row(self, scanned: Scanned, loops: Loops) -> Var | None:
        """The row of a scan that a point of loops is about, if these are one, over all rows."""
        is_over_rows = len(loops) == 1 and loops[0][1] is scanned.scan.space.extents[0]
        return loops[0][0] if is_over_rows else None

    def places(self, scanned: Scanned, row: Var) -> dict[Exp, int]:
        """Where the elements of a row are in memory."""
        make, scan = self.make, scanned.scan
        (across, along), (_, extent) = scan.space.indices, scan.space.extents
        assert isinstance(extent, Const)
        indices = range(int(extent.value))
        return {Substitute(make, {across: row, along: make.const(k)})(scan.position): k for k in indices}


def _bit(truth: Exp) -> Exp | None:
    """The number that a truth value is, if it is one that is 0 or 1."""
    match truth:
        case Call(op=p.NEQI, args=(number, Const(value=0))) if is_bit(number):
            return number
        case _:
            return None


def _is_whole(node: Exp) -> bool:
    """Whether a node uses memory in another way than by reading elements."""
    return isinstance(node, BlockExp | PureCall)
