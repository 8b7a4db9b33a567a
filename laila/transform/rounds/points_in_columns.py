"""Matrices of few columns whose rows a loop goes through again and again stand column by column meanwhile.

    for cell < c { MAP d[i] = REDUCE + over k < m { f(x[i×n + k], cell) } over i < r; … }
        →   if c ≥ 4 and r ≥ 64 and m ≤ 15 {
                MAP t[k×r + i] = x[i×n + k]
                for cell < c { MAP d[i] = REDUCE + over k < m { f(t[k×r + i], cell) } over i < r; … }
            } else { … }

Short rows leave lanes empty; across the rows a vector gathers its elements, from so many lines of the cache.
In a column they are neighbours. Longer rows are as good as columns.

What the loop reads is not written in it, and read for its first cell in any case, as nothing before fails and
no loop around it is empty: all elements that the copy reads are there if there is a cell.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.analysis import Around, folds_around, unconditional
from aplc.laila.ir.liveness import changed
from aplc.laila.ir.program import (
    Alloc,
    Empty,
    ForEach,
    Free,
    FunctionCall,
    Fused,
    HostCall,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Part,
    Program,
    Reduce,
    RuntimeCall,
    Space,
    Statement,
    Swap,
)
from aplc.laila.ir.scalar import (
    TABLE,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Site,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import (
    bound,
    everywhere,
    expressions,
    own_expressions,
    rebuilt,
    with_blocks,
    with_bodies,
)
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.register_tiling import SIZES
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.prims import Prim

CELLS = 4
"""So many cells pay for a copy."""

LARGEST = 300
"""Nodes in the expressions of a loop that stands twice."""

_OTHERS = Alloc | Empty | Free | FunctionCall | HostCall | Move | Swap
"""Statements that do not stand twice, or change what nobody sees."""

_NOT_BEFORE = BlockExp | Check | Fold | PureCall | Read
"""What has no place in lengths that are computed before the loop."""


def with_points_in_columns(program: Program, make: ExprBuilder) -> Program:
    """The program with a version of loops over cells in which matrices stand column by column."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    result: list[Statement] = []
    for statement in statements:
        match statement:
            case ForEach() if found := _matrices(statement, make):
                result += _versions(statement, found, make)
            case ForEach():
                result.append(statement)
            case _:
                result.append(with_bodies(statement, lambda body: _block(body, make)))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """What a loop reads along rows, at `first + row × width + column`."""

    buffer: Buffer
    rows: Exp
    columns: Exp
    width: Exp
    first: Exp
    given: tuple[Var, ...]
    """Conditions under which it does."""


Places = dict[Read, tuple[_Matrix, Var, Var]]
"""The reads along rows, each with the row and the column."""


def _matrices(loop: ForEach, make: ExprBuilder) -> Places:
    """The reads of a loop over cells of which the matrices would better stand column by column."""
    inside = list(everywhere(loop.body))
    if len(loop.space.indices) != 1 or any(isinstance(s, _OTHERS) for s in inside):
        return {}
    if sum([1 for _ in nodes(*expressions(loop))]) > LARGEST:
        return {}
    own = {v.name for s in (loop, *inside) for v in bound(s)}
    written = {b for s in inside for b in changed(s)} | set(loop.scratch)
    ranges = _ranges(inside)
    found: Places = {}
    for statement in loop.body:
        if isinstance(statement, HostCheck | RuntimeCall) or contains(Check, *expressions(statement)):
            break  # behind which nothing is read in any case
        if not isinstance(statement, HostLet | Map | Fused):
            continue
        roots = own_expressions(statement)
        axes, around = _axes(statement), folds_around(roots)
        inner = [n for n in nodes(*roots) if isinstance(n, Fold) and isinstance(n.combine, Prim)]
        folds = {n.var: n.extent for n in inner}
        for node in _certain_reads(roots, around):
            place = _place(node, folds, {**folds, **axes}, make)
            if place is None or place[0].buffer in written or not _is_plain(place[0].buffer):
                continue
            matrix, row, column = place
            sides = {id(matrix.rows), id(matrix.columns)}
            is_whole = all(id(n) in sides and least == 1 for n, least in around[id(node)])
            is_whole &= all(n is matrix.rows for n in axes.values())
            is_whole &= len(ranges[row]) == 1 and len(ranges[column]) == 1
            if is_whole and _is_known(matrix, own | {v.name for v in ranges}):
                found[node] = place
    return found


def _ranges(statements: Sequence[Statement]) -> dict[Var, set[int]]:
    """The extents of all indices in some statements, by their identity."""
    found: dict[Var, set[int]] = {}
    for statement in statements:
        roots = own_expressions(statement)
        for fold in [n for n in nodes(*roots) if isinstance(n, Fold)]:
            found.setdefault(fold.var, set()).add(id(fold.extent))
        for var, extent in _axes(statement).items():
            found.setdefault(var, set()).add(id(extent))
    return found


def _certain_reads(roots: Sequence[Exp], around: Mapping[int, Around]) -> list[Read]:
    """The reads that are made whatever conditions hold."""
    return [n for n in unconditional(tuple(roots)) if isinstance(n, Read) and id(n) in around]


def _is_plain(buffer: Buffer) -> bool:
    """Whether an array has elements in memory, which the run knows."""
    return buffer.data is None and buffer.storage != TABLE


def _is_known(matrix: _Matrix, hidden: Collection[str]) -> bool:
    """Whether all about a matrix is known before the loop, and its length is left to the run."""
    known = (matrix.rows, matrix.columns, matrix.width, matrix.first, *matrix.given)
    free = FreeVars()
    names = [name for e in known for name in free.names(e)]
    return not (
        isinstance(matrix.columns, Const) or contains(_NOT_BEFORE, *known) or any(n in hidden for n in names)
    )


def _axes(statement: Statement) -> dict[Var, Exp]:
    """The indices of the points of a loop, with their extents."""
    match statement:
        case Map(space=space, guard=None):
            spaces = [space]
        case Fused(space=space, parts=parts) if all(map(_is_always, parts)):
            spaces = [space, *[q.space for q in parts]]
        case _:
            spaces = []
    return {i: n for each in spaces for i, n in zip(each.indices, each.extents, strict=True)}


def _is_always(part: Part) -> bool:
    """Whether a part of a loop is computed at each point."""
    return isinstance(part, Reduce) or (isinstance(part, Map) and part.guard is None)


def _place(
    read: Read, folds: Mapping[Var, Exp], extents: Mapping[Var, Exp], make: ExprBuilder
) -> tuple[_Matrix, Var, Var] | None:
    """The matrix of a read at the column of a fold, in the row of a point, if conditions hold."""
    index, given = read.index, tuple[Var, ...]()
    while choices := [
        n for n in unconditional((index,)) if isinstance(n, Select) and isinstance(n.cond, Var)
    ]:
        cond = choices[0].cond
        assert isinstance(cond, Var)
        given = (*given, cond)
        index = Substitute(make, {cond: make.true})(index)
    terms = make.linear(index)[1]
    columns = [v for v, k in terms.items() if isinstance(v, Var) and v in folds and k == 1]
    for atom, k in terms.items():
        if isinstance(atom, Call) and atom.op is p.MULI and k == 1 and len(columns) == 1:
            for row, width in (atom.args, atom.args[::-1]):
                if isinstance(row, Var) and row in extents and row is not columns[0]:
                    first = make.sub(make.sub(index, atom), columns[0])
                    matrix = _Matrix(read.buffer, extents[row], folds[columns[0]], width, first, given)
                    return matrix, row, columns[0]
    return None


def _versions(loop: ForEach, places: Places, make: ExprBuilder) -> list[Statement]:
    """The loop with columns apart where that pays, and as it was."""
    site = Site(faults.NO_MEMORY, "", None)
    test = make.call(p.GTEI, loop.space.extents[0], make.const(CELLS))
    turned: dict[_Matrix, Buffer] = {}
    before: list[Statement] = []
    for matrix in dict.fromkeys([place[0] for place in places.values()]):
        rows, columns = matrix.rows, matrix.columns
        test = make.call(p.ANDB, test, make.call(p.GTEI, rows, make.const(SIZES.points)))
        test = make.call(p.ANDB, test, make.call(p.LTEI, columns, make.const(SIZES.gathered)))
        for cond in matrix.given:
            test = make.call(p.ANDB, test, cond)
        turned[matrix] = buffer = replace(matrix.buffer, name=make.fresh("columns"), asked=False)
        row, column = make.index("i", rows), make.index("k", columns)
        old = make.add(make.add(matrix.first, make.mul(row, matrix.width)), column)
        new = make.add(make.mul(column, rows), row)
        before.append(Alloc(buffer, make.mul(make.call(p.MAXI, columns, make.zero), rows), site))
        before.append(Map(buffer, Space((column, row), (columns, rows)), new, make.read(matrix.buffer, old)))
    reads: dict[Exp, Exp] = {
        read: make.read(turned[matrix], make.add(make.mul(column, matrix.rows), row))
        for read, (matrix, row, column) in places.items()
    }
    given: dict[Exp, Exp] = {cond: make.true for matrix in turned for cond in matrix.given}
    apart = rebuilt(loop, Substitute(make, {**given, **reads}))
    return [If(test, (*before, apart, *[Free(b) for b in turned.values()]), (loop,))]
