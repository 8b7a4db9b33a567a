"""Array contraction: a matrix of which a loop over cells reads one row in each cell is made row by row.

    alloc a : n×m
    MAP a[m×i+j] = f(i,j) over i < n, j < m
    for cell < n { … a[m×cell+k] … }
    free a
    →   for cell < n {
            alloc row : m
            MAP row[j] = f(cell,j) over j < m
            … row[k] …
            free row
        }

A row is in the cache when the cell reads it, several times perhaps, and the matrix takes no memory. Where a
cell copies its row and changes neither, the row is what it reads.

The matrix stays where its elements are folds, as products are faster for all rows at once, where they are
not read along the rows, and where they may fail, as they fail before the cells do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from aplc.laila.ir.liveness import Users, buffers_read, changed, named
from aplc.laila.ir.program import Alloc, ForEach, Free, Map, Program, Space, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, Fold, FreeVars, PureCall, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Redirected, Substitute
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.fusion.row_blocks import length_of_rows


def with_rows_contracted(program: Program, make: ExprBuilder) -> Program:
    """The program without the matrices of which loops over cells need rows."""
    return with_blocks(program, _Contraction(make).block)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """A matrix that is to be contracted: where its statements stand in a block, and how its rows are made."""

    begin: int
    made: int
    loop: int
    end: int
    length: Exp
    column: Var
    element: Exp
    """Of the column of the row that the loop is at."""


@dataclass(slots=True)
class _Contraction:
    make: ExprBuilder
    free: FreeVars = field(default_factory=FreeVars)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside."""
        block = [with_bodies(s, self.block) for s in statements]
        if not any(isinstance(s, ForEach) for s in block):
            return tuple(block)
        all_users = Users()
        users, k = all_users.of(block), 0
        while k < len(block):
            matrix = self.matrix(block, k, users) if isinstance(block[k], Map) else None
            if matrix is None:
                k += 1
            else:
                block = self.contracted(block, matrix)
                users, k = all_users.of(block), matrix.begin
        return tuple(block)

    def matrix(self, block: Sequence[Statement], made: int, users: dict[Buffer, list[int]]) -> _Matrix | None:
        """The matrix that a map makes for one loop over cells alone, if it can be made row by row."""
        source = block[made]
        assert isinstance(source, Map)
        places = users[source.buffer]
        if len(places) != 4 or places[1] != made:
            return None
        begin, loop, end = block[places[0]], block[places[2]], block[places[3]]
        if not (isinstance(begin, Alloc) and isinstance(loop, ForEach) and isinstance(end, Free)):
            return None
        length = self.length(source.buffer, loop)
        if length is None:
            return None
        column = self.make.index("j", length)
        element = self.element(source, loop, length, column)
        if element is None or not self.may_wait(source, block[made + 1 : places[2]], loop):
            return None
        return _Matrix(places[0], made, places[2], places[3], length, column, element)

    def length(self, buffer: Buffer, loop: ForEach) -> Exp | None:
        """The length of the rows of a matrix of which each cell of a loop reads its own; None otherwise."""
        if len(loop.space.indices) != 1 or any(buffer in named(s) for s in within(loop.body)):
            return None
        found: set[Exp | None] = set()
        for node in nodes(*[e for s in loop.body for e in expressions(s)]):
            if isinstance(node, Read) and node.buffer is buffer:
                found.add(length_of_rows(self.make, self.free, node.index, loop.space.indices[0]))
            elif isinstance(node, BlockExp | PureCall) and buffer in buffers_read(node):
                return None
        return found.pop() if len(found) == 1 else None

    def element(self, source: Map, loop: ForEach, length: Exp, column: Var) -> Exp | None:
        """An element of the row that a loop is at; None if rows are not what the map makes, or it is faster
        for all of them.
        """
        make, body = self.make, source.body
        is_plain = source.guard is None and not source.ordered and not weigh(body).may_fail
        if not is_plain or contains(Fold | BlockExp, body):
            return None
        (cell,), (cells,) = loop.space.indices, loop.space.extents
        indices, extents = source.space.indices, source.space.extents
        if len(indices) == 2:
            i, j = indices
            is_whole = extents[0] is cells and extents[1] is length
            is_whole &= source.position is make.add(make.mul(i, length), j)
            change: dict[Exp, Exp] = {i: cell, j: column}
        else:
            j = indices[0]
            is_whole = len(indices) == 1 and extents[0] is make.mul(cells, length) and source.position is j
            change = {j: make.add(make.mul(cell, length), column)}
        next_column = Substitute(make, {j: make.add(j, make.one)})
        steps = {make.sub(next_column(n.index), n.index) for n in nodes(body) if isinstance(n, Read)}
        return Substitute(make, change)(body) if is_whole and steps <= {make.zero, make.one} else None

    def may_wait(self, source: Map, between: Sequence[Statement], loop: ForEach) -> bool:
        """Whether what a map computes is the same in a loop that comes later."""
        given = set(buffers_read(source.body))
        names = self.free.names(source.body) - {v.name for v in source.space.indices}
        later = [s for s in between if not isinstance(s, Free)]
        return not any(given & set(changed(s)) for s in within([*later, *loop.body])) and not any(
            names & {v.name for v in bound(s)} for s in (*between, loop)
        )

    def contracted(self, block: Sequence[Statement], matrix: _Matrix) -> list[Statement]:
        """A block whose loop makes the rows of a matrix."""
        made, loop = block[matrix.made], block[matrix.loop]
        assert isinstance(made, Map) and isinstance(loop, ForEach)
        given = set(buffers_read(made.body))
        kept = [
            k
            for k in range(matrix.made, matrix.loop)
            if isinstance(s := block[k], Free) and s.buffer in given
        ]
        row = Buffer(self.make.fresh("row"), made.buffer.ty, made.buffer.storage)
        alloc = block[matrix.begin]
        assert isinstance(alloc, Alloc)
        begin = replace(alloc, buffer=row, size=matrix.length)
        result: list[Statement] = []
        for k, statement in enumerate(block):
            if k == matrix.loop:
                result.append(replace(loop, body=self.cell(loop, made.buffer, begin, matrix)))
                result += [block[each] for each in kept]
            elif k not in (matrix.begin, matrix.made, matrix.end, *kept):
                result.append(statement)
        return result

    def cell(self, loop: ForEach, buffer: Buffer, begin: Alloc, matrix: _Matrix) -> tuple[Statement, ...]:
        """The body of a loop, with its row."""
        make, row, (cell,) = self.make, begin.buffer, loop.space.indices
        start = make.mul(cell, matrix.length)
        change = Redirected(make, {buffer: lambda index: make.read(row, make.sub(index, start))})
        body = [rebuilt(s, change) for s in loop.body]
        own = Map(row, Space((matrix.column,), (matrix.length,)), matrix.column, matrix.element)
        return (begin, own, *self.without_copies(body, row, matrix.length), Free(row))

    def without_copies(self, body: Sequence[Statement], row: Buffer, length: Exp) -> list[Statement]:
        """A body that reads its row where it would read a copy of it, of which nothing else becomes."""
        make = self.make
        for copy in body:
            if not (isinstance(copy, Map) and copy.guard is None and copy.space.extents == (length,)):
                continue
            (index,) = copy.space.indices
            if copy.position is not index or copy.body is not make.read(row, index):
                continue
            about = [s for s in within(body) if copy.buffer in named(s)]
            rest = [s for s in body if not any(s is each for each in about)]
            if [type(s) for s in about] != [Alloc, Map, Free] or len(rest) != len(body) - 3:
                continue
            inside = list(nodes(*[e for s in rest for e in expressions(s)]))
            if not any(isinstance(n, BlockExp | PureCall) and copy.buffer in buffers_read(n) for n in inside):
                change = Redirected(make, {copy.buffer: partial(make.read, row)})
                return self.without_copies([rebuilt(s, change) for s in rest], row, length)
        return list(body)
