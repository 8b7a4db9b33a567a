"""Matrices of which loops in loops read and write columns only: they stand column by column meanwhile.

    while k < n { while j < k { MAP a[i×n + k] = a[i×n + k] - s × a[i×n + j] over i < m; … } }
        →   MAP t[k×m + i] = a[i×n + k]
            while k < n { while j < k { MAP t[k×m + i] = t[k×m + i] - s × t[j×m + i] over i < m; … } }
            MAP a[i×n + k] = t[k×m + i]

In a column each element lies in a line of the cache of its own, and none beside another one in a vector. Both
copies cost what some rounds cost, so the loop must be one over all columns, which comes to them again and
again.

Note [Where columns are]
    A place is `i×n + k` for a row i, which is an index of the statement, and a column k, which is not: then
    all its elements are those of one column if 0 ≤ k < n. That is known from the bounds of k, or from a check
    before the statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Free,
    Fused,
    HostCheck,
    HostLet,
    If,
    Map,
    Part,
    Program,
    Reduce,
    Space,
    Statement,
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
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, own_expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.rounds.points_in_columns import with_points_in_columns
from aplc.tail import prims as p


def with_columns_apart(program: Program, make: ExprBuilder) -> Program:
    """The program with matrices column by column in loops that want these, or whose rows are short."""
    apart = with_blocks(program, lambda statements: _block(statements, make))
    return with_points_in_columns(apart, make)


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    result: list[Statement] = []
    allocated: dict[Buffer, Alloc] = {}
    known: dict[str, Exp] = {}
    for statement in statements:
        statement = with_bodies(statement, lambda body: _block(body, make))
        match statement:
            case Alloc(buffer=buffer):
                allocated[buffer] = statement
            case HostLet(var=var, value=value):
                known[var.name] = value
            case _:
                pass
        if isinstance(statement, While) and any(isinstance(s, While) for s in within(statement.body)):
            result += _apart(statement, allocated, known, make)
        else:
            result.append(statement)
    return tuple(result)


def _apart(
    loop: While, allocated: Mapping[Buffer, Alloc], known: Mapping[str, Exp], make: ExprBuilder
) -> list[Statement]:
    """A loop in loops, with the columns apart of the matrices of which it wants these."""
    before: list[Statement] = []
    after: list[Statement] = []
    for buffer in [b for b in mentioned(loop) if b in allocated]:
        try:
            columns = _Columns(loop, allocated[buffer], known, make)
        except _Other:
            continue
        before += columns.before()
        loop = columns.turned_loop()
        after += columns.after()
    return [*before, loop, *after]


class _Other(Exception):
    """An array is read or written elsewhere than in columns."""


class _Columns:
    """A loop that wants columns of a matrix only; `_Other` if it wants more of it."""

    def __init__(self, loop: While, alloc: Alloc, known: Mapping[str, Exp], make: ExprBuilder) -> None:
        self.loop, self.alloc, self.known, self.make = loop, alloc, known, make
        self.buffer = buffer = alloc.buffer
        self.free = FreeVars()
        self.changing = {s.var.name for s in within(loop.body) if isinstance(s, Assign)}
        self.turned = replace(buffer, name=make.fresh(buffer.name), asked=False)
        self.rows: Exp | None = None
        self.width: Exp | None = None
        self.places: dict[Exp, Exp] = {}
        """Where elements stand in columns, by where they stood."""
        self.is_deep = False
        self.look_at((loop,), -1, ())
        if not self.is_deep or not self.is_over_columns():
            raise _Other
        reads = {make.read(buffer, old): make.read(self.turned, new) for old, new in self.places.items()}
        self.change = Substitute(make, dict(reads))

    # --- what there is ---

    def is_over_columns(self) -> bool:
        """Whether the loop goes over all columns of the whole array, or all but one."""
        make, rows, width, cond = self.make, self.rows, self.width, self.loop.cond
        if rows is None or width is None or not isinstance(cond, Call) or cond.op is not p.LTI:
            return False
        is_whole = self.alloc.size in (make.mul(rows, width), make.mul(width, rows))
        is_fixed = self.free.names(self.alloc.size).isdisjoint([var.name for var in bound(self.loop)])
        rounds = cond.args[1]
        if isinstance(rounds, Var):
            rounds = self.known.get(rounds.name, rounds)
        return is_whole and is_fixed and rounds in (width, make.sub(width, make.one))

    def look_at(self, statements: Iterable[Statement], depth: int, facts: tuple[Exp, ...]) -> None:
        """The places in statements, behind checks of some facts."""
        for statement in statements:
            if self.buffer in mentioned(statement):
                self.places_in(statement, depth, facts)
            match statement:
                case HostCheck(ok=Call(op=p.ANDB, args=both)):
                    facts = (*facts, *both)
                case HostCheck(ok=ok):
                    facts = (*facts, ok)
                case While(body=body):
                    self.look_at(body, depth + 1, facts)
                case If(then=then, other=other):
                    self.look_at(then, depth, facts)
                    self.look_at(other, depth, facts)
                case _:
                    pass

    def places_in(self, statement: Statement, depth: int, facts: tuple[Exp, ...]) -> None:
        """The places in a statement itself."""
        match statement:
            case HostLet() | Assign() | Variable() | HostCheck() | If() | While():
                spaces: list[Space] = []
            case Map():
                spaces = [statement.space]
            case Fused(parts=parts) if all(isinstance(q, Map | Reduce) for q in parts):
                spaces = [statement.space, *[q.space for q in parts]]
            case _:
                raise _Other
        roots = own_expressions(statement)
        found = list(nodes(*roots))
        if any(
            isinstance(n, BlockExp) or (isinstance(n, PureCall) and self.buffer in n.memory) for n in found
        ):
            raise _Other
        extents = {n.var: n.extent for n in found if isinstance(n, Fold)}
        for space in spaces:
            extents |= dict(zip(space.indices, space.extents, strict=True))
        positions = [n.index for n in found if isinstance(n, Read) and n.buffer is self.buffer]
        positions += [q.position for q in _maps(statement) if q.buffer is self.buffer]
        for position in positions:
            self.place(position, extents, facts)
        self.is_deep |= depth > 0 and bool(positions)

    def place(self, position: Exp, extents: Mapping[Var, Exp], facts: tuple[Exp, ...]) -> None:
        """Note where a place is in columns: see Note [Where columns are]."""
        make = self.make
        for atom, k in make.linear(position)[1].items():
            row, width = _row(atom, k, make)
            if row is None or row not in extents:
                continue
            column = make.sub(position, make.mul(row, width))
            rows = extents[row]
            self.rows, self.width = self.rows or rows, self.width or width
            is_same = rows is self.rows and width is self.width
            is_fixed = self.free.names(column).isdisjoint((*[v.name for v in extents], *self.changing))
            if not is_same or not is_fixed or not self.is_column(column, facts):
                raise _Other
            self.places[position] = make.add(make.mul(column, rows), row)
            return
        raise _Other

    def is_column(self, column: Exp, facts: tuple[Exp, ...]) -> bool:
        """Whether there is such a column."""
        make, width = self.make, self.width
        assert width is not None
        after = make.add(column, make.one)
        calls = [(f.op, f.args) for f in facts if isinstance(f, Call)]
        is_below = (p.LTEI, (after, width)) in calls or make.at_least(width, after)
        return is_below and ((p.GTEI, (after, make.one)) in calls or make.at_least(column, make.zero))

    # --- what becomes of it ---

    def before(self) -> list[Statement]:
        """What stands before the loop: the columns one behind the other."""
        make, rows, width = self.make, *self.extents()
        row, column = make.index("i", rows), make.index("j", width)
        old, new = make.add(make.mul(row, width), column), make.add(make.mul(column, rows), row)
        return [
            replace(self.alloc, buffer=self.turned),
            Map(self.turned, Space((column, row), (width, rows)), new, make.read(self.buffer, old)),
        ]

    def after(self) -> list[Statement]:
        """What stands behind it: the rows again."""
        make, rows, width = self.make, *self.extents()
        row, column = make.index("i", rows), make.index("j", width)
        old, new = make.add(make.mul(row, width), column), make.add(make.mul(column, rows), row)
        back = Map(self.buffer, Space((row, column), (rows, width)), old, make.read(self.turned, new))
        return [back, Free(self.turned)]

    def extents(self) -> tuple[Exp, Exp]:
        """The rows and the columns."""
        assert self.rows is not None and self.width is not None
        return self.rows, self.width

    def turned_loop(self) -> While:
        """The loop with the columns elsewhere."""
        return replace(self.loop, cond=self.change(self.loop.cond), body=self.all_of(self.loop.body))

    def statement(self, statement: Statement) -> Statement:
        """A statement with the columns elsewhere."""
        match statement:
            case While(cond=cond, body=body):
                return replace(statement, cond=self.change(cond), body=self.all_of(body))
            case If(cond=cond, then=then, other=other):
                then, other = self.all_of(then), self.all_of(other)
                return replace(statement, cond=self.change(cond), then=then, other=other)
            case Map():
                return self.map(statement)
            case Fused(parts=parts):
                changed = rebuilt(statement, self.change)
                assert isinstance(changed, Fused)
                pairs = zip(parts, changed.parts, strict=True)
                return replace(changed, parts=tuple([self.part(old, new) for old, new in pairs]))
            case _:
                return rebuilt(statement, self.change)

    def all_of(self, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """Statements with the columns elsewhere."""
        return tuple([self.statement(s) for s in statements])

    def map(self, old: Map) -> Map:
        """A map; places in one column are all different, so that one without a real guard needs no order."""
        changed = self.part(old, rebuilt(old, self.change))  # type: ignore[arg-type]
        assert isinstance(changed, Map)
        folds = [n for n in nodes(changed.body) if isinstance(n, Fold)]
        is_plain = changed.buffer is self.turned and not any(
            isinstance(n, Read) and n.buffer is self.turned for n in nodes(*folds)
        )
        if is_plain and isinstance(changed.guard, Const) and changed.guard.value and not changed.ordered:
            return replace(changed, guard=None)
        return changed

    def part(self, old: Part, changed: Part) -> Part:
        """A part with its own buffer and place."""
        if isinstance(old, Map) and isinstance(changed, Map) and old.buffer is self.buffer:
            return replace(changed, buffer=self.turned, position=self.places[old.position])
        return changed


def _maps(statement: Statement) -> list[Map]:
    """The maps that a statement is, or has."""
    parts: Sequence[object] = statement.parts if isinstance(statement, Fused) else (statement,)
    return [q for q in parts if isinstance(q, Map)]


def _row(atom: Exp, k: int, make: ExprBuilder) -> tuple[Var | None, Exp]:
    """The row and the width in a term of a place."""
    if isinstance(atom, Call) and atom.op is p.MULI and k == 1:
        for row, width in (atom.args, atom.args[::-1]):
            if isinstance(row, Var) and isinstance(width, Var):
                return row, width
    return (atom, make.const(k)) if isinstance(atom, Var) and k > 1 else (None, make.one)
