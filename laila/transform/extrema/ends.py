"""Compares what equals an extremum within ⎕CT with the last number that equals it.

    s = ⌊/ e(k) over k < n                    s = ⌊/ e(k) over k < n
    … e(j) = s within a tolerance …      →    … e(j) ≤ b …   where b is the greatest number that equals s

Nothing is less than the least element, so one comparison tells which equal it, where a comparison within a
tolerance takes eight operations. The end is computed once for each extremum, which may also be one of a few
elements that `⌊` combines one by one. A NaN equals nothing, and is at most nothing; if the extremum itself is
one, so is the end.

Extrema of elements that have changed since are left as they are. So are those of whole vectors, whose places
`bounding` seeks where they were seen; rows are too short for that. This is done before rows run in strips, in
which the extrema of several rows are side by side, and so are their last numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.liveness import buffers_read, changed
from aplc.laila.ir.program import (
    Filter,
    ForEach,
    Fused,
    HostLet,
    If,
    Map,
    Part,
    Program,
    Reduce,
    Scan,
    Space,
    Statement,
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
    MayFail,
    Read,
    Var,
    certainly,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.tolerance import equal, operands_of
from aplc.laila.transform.extrema.searches import fold_of, is_compared, unchecked
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

ENDS = {p.MIND: (p.LTED, p.HIGHESTD), p.MAXD: (p.GTED, p.LOWESTD)}
"""For each extremum the comparison with the last number that equals it, and that number."""

FEW = 4
"""So few elements are compared within the tolerance as soon as that number is found."""


@dataclass(slots=True)
class _Known:
    """What is known in front of a statement."""

    extrema: dict[str, list[Fold]] = field(default_factory=dict)
    """What variables hold, in each way in which the elements can be read."""
    copies: dict[Buffer, Map] = field(default_factory=dict)
    """What buffers hold that are copies."""

    def copied(self) -> _Known:
        """The same, for what is inside a statement."""
        return _Known(dict(self.extrema), dict(self.copies))


def with_ends(program: Program, make: ExprBuilder) -> Program:
    """The program with elements compared with the last number that equals their extremum."""
    return with_blocks(program, lambda statements: _Compared(make).block(statements, _Known()))


@dataclass(slots=True)
class _Compared:
    make: ExprBuilder
    free: FreeVars = field(default_factory=FreeVars)
    extents: dict[str, Exp] = field(default_factory=dict)
    """Those of the indices of all loops so far."""
    ends: dict[str, dict[Exp, HostLet]] = field(default_factory=dict)
    """For variables that hold extrema the last numbers that are wanted, which stand behind these."""
    rows: int = 0
    """How many loops over cells there are around the statement at hand."""
    inner: set[str] = field(default_factory=set)
    """The indices of the loops of that statement itself."""
    front: list[Statement] = field(default_factory=list)
    """What is computed in front of it."""
    may_fail: MayFail = field(default_factory=MayFail)

    def block(self, statements: Sequence[Statement], known: _Known) -> tuple[Statement, ...]:
        """Statements in order; `known` in front of the first becomes what is known behind the last."""
        result: list[Statement] = []
        for statement in statements:
            outer, self.front = self.front, []
            made = self.statement(statement, known)
            result += [*self.front, made]
            self.front = outer
        return tuple([each for made in result for each in (made, *self.behind(made))])

    def behind(self, statement: Statement) -> list[HostLet]:
        """The last numbers that are wanted of the extrema that a statement computes."""
        return [end for var, _ in self.found(statement) for end in self.ends.get(var.name, {}).values()]

    def statement(self, statement: Statement, known: _Known) -> Statement:
        """A statement; `known` becomes what is known behind it."""
        unchanged = self.unchanged(statement, known)
        match statement:
            case If():
                made = with_bodies(statement, lambda body: self.block(body, known.copied()))
            case While():
                made = with_bodies(statement, lambda body: self.block(body, unchanged.copied()))
            case ForEach(space=space):
                self.enter(space)
                self.rows += 1
                made = with_bodies(statement, lambda body: self.block(body, unchanged.copied()))
                self.rows -= 1
            case _:
                self.inner = set()
                spaces = [statement.space] if isinstance(statement, Map | Scan | Filter | Fused) else []
                spaces += [part.space for part in statement.parts] if isinstance(statement, Fused) else []
                for each in spaces:
                    self.enter(each)
                    self.inner |= {i.name for i in each.indices}
                made = rebuilt(statement, lambda exp: self.exp(exp, unchanged))
        known.extrema, known.copies = unchanged.extrema, unchanged.copies
        for var, folds in self.found(statement):
            known.extrema[var.name] = folds
        if isinstance(statement, Map) and is_copy(statement):
            known.copies[statement.buffer] = statement
        return made

    def enter(self, space: Space) -> None:
        """Notes the extents of a loop."""
        self.extents.update((i.name, n) for i, n in zip(space.indices, space.extents, strict=True))

    def unchanged(self, statement: Statement, known: _Known) -> _Known:
        """What a statement does not change."""
        if not known.extrema and not known.copies:
            return _Known()
        memory = {buffer for each in within((statement,)) for buffer in changed(each)}
        names = {var.name for var in bound(statement)}

        def is_same(*exps: Exp) -> bool:
            is_free = names.isdisjoint([name for exp in exps for name in self.free.names(exp)])
            return is_free and memory.isdisjoint(buffers_read(*exps))

        extrema = {name: [f for f in folds if is_same(f)] for name, folds in known.extrema.items()}
        copies = {b: m for b, m in known.copies.items() if b not in memory and is_same(m.body)}
        return _Known({name: folds for name, folds in extrema.items() if folds and name not in names}, copies)

    def found(self, statement: Statement) -> Iterable[tuple[Var, list[Fold]]]:
        """The extrema that a statement computes."""
        memory = set(changed(statement))
        match statement:
            case HostLet(var=var, value=Fold() as fold) if fold.combine in ENDS:
                yield var, [fold]
            case Fused(parts=parts, in_place=False):
                for part in parts:
                    if not isinstance(part, Reduce) or part.fold.combine not in ENDS:
                        continue
                    folds = [fold_of(part)] if memory.isdisjoint(buffers_read(part.body)) else []
                    folds += [replace(fold_of(part), body=read) for read in self.written(parts, part.body)]
                    if len(part.space.indices) == 1:
                        yield part.var, folds
            case _:
                pass

    def written(self, parts: Sequence[Part], value: Exp) -> list[Exp]:
        """How else something can be read at each point of a loop: where parts of it have written it."""
        maps = [q for q in parts if isinstance(q, Map) and q.body is value and q.guard is None]
        return [self.make.read(q.buffer, q.position) for q in maps]

    def exp(self, root: Exp, known: _Known) -> Exp:
        """An expression with its comparisons."""
        make, found = self.make, dict[Exp, Exp]()
        here = list(nodes(root, below=lambda e: () if isinstance(e, BlockExp) else operands(e)))
        self.extents.update((n.var.name, n.extent) for n in here if isinstance(n, Fold))
        self.inner |= {n.var.name for n in here if isinstance(n, Fold)}
        always = set(nodes(root, below=lambda e: operands(e) if isinstance(e, Fold) else certainly(e)))
        for node in here:
            sides = operands_of(make, node, equal)
            if sides is None:
                continue
            tolerance, *both = sides
            for side, c in (both, both[::-1]):
                x = self.source(side, known)
                op = self.extremum(c, x, known)
                if op is not None and node not in found:
                    compare, end = ENDS[op]
                    if node in always:
                        c = self.in_front(c)
                    last = make.call(end, tolerance, c)
                    found[node] = make.call(compare, x, self.named(c, last) if isinstance(c, Var) else last)
        return Substitute(make, found)(root) if found else root

    def extremum(self, c: Exp, x: Exp, known: _Known) -> Prim | None:
        """Which extremum of more than a few elements, x among them, something is."""
        folds: Sequence[Fold] = ()
        match c:
            case Fold() if self.rows or not self.free.names(c).isdisjoint(self.extents):
                folds = (c,)
            case Var(name=name) if self.rows:
                folds = known.extrema.get(name, ())
            case Call(op=op) if op in ENDS:
                of_op = nodes(c, below=lambda e: e.args if isinstance(e, Call) and e.op is op else ())
                elements = [e for e in of_op if not isinstance(e, Call) or e.op is not op]
                return op if len(elements) > FEW and x in elements else None
            case _:
                pass
        return next((f.combine for f in folds if isinstance(f.combine, Prim) and self.is_among(f, x)), None)

    def in_front(self, c: Exp) -> Exp:
        """The extremum of a row, in front of the statement at hand if it is the same for all of that."""
        is_same = self.rows and isinstance(c, Fold) and self.free.names(c).isdisjoint(self.inner)
        if not is_same or self.may_fail(c):
            return c
        for known in self.front:
            if isinstance(known, HostLet) and known.value is c:
                return known.var
        var = Var(self.make.fresh("s"), c.ty)
        self.front.append(HostLet(var, c))
        return var

    def named(self, extremum: Var, last: Exp) -> Var:
        """The variable of the last number that equals an extremum."""
        ends = self.ends.setdefault(extremum.name, {})
        if last not in ends:
            ends[last] = HostLet(Var(self.make.fresh("last"), Base.DOUBLE), last)
        return ends[last].var

    def source(self, x: Exp, known: _Known) -> Exp:
        """What is read where an element is a copy."""
        if not isinstance(x, Read) or x.buffer not in known.copies:
            return x
        copy = known.copies[x.buffer]
        return Substitute(self.make, {copy.position: x.index})(copy.body)

    def is_among(self, fold: Fold, x: Exp) -> bool:
        """Whether something is one of the elements of a fold, which is an extremum of more than a few."""
        make, n = self.make, fold.extent
        if fold.combine not in ENDS or (isinstance(n, Const) and n.value <= FEW):
            return False
        assert isinstance(fold.combine, Prim)
        plain = unchecked(make, x)
        for i in self.free.of(x):
            if self.extents.get(i.name) is n:
                element = unchecked(make, Substitute(make, {fold.var: i})(fold.body))
                if is_compared(make, fold.combine, element, plain):
                    return True
        return False


def is_copy(statement: Map) -> bool:
    """Whether a map writes in order what is read elsewhere."""
    indices = statement.space.indices
    in_order = len(indices) == 1 and statement.position is indices[0]
    return in_order and isinstance(statement.body, Read) and statement.guard is None
