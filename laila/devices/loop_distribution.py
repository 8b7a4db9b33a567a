"""Distributes loops over items: what a round does, statement by statement, becomes loops over all items.

    for i < n { alloc a[m(i)]; FILTER a, k over m(i) { … }; alloc b[k]; SCAN b[j] = + of a[j] over k; … }
    →   alloc as[…]; used := 0
        for i < n { FILTER as, used over m(i) { … }; put ends[i+1] = used }
        alloc bs[ends[n]]
        for i < n { SCAN bs[ends[i]+j] = + of as[ends[i]+j] over ends[i+1] - ends[i] }

Arrays of a round become items one behind the other, scalars of a round arrays. Each of these loops has
kernels for items (see Note [Lengths of items]); a sort of each item is rounds of merging (`item_sort`). So a
round may make arrays whose lengths only it knows, and append what it makes to an array that grows. Method:
distribution of loops with expansion of scalars and arrays (Allen, Kennedy: Optimizing compilers for modern
architectures, sections 2.4 and 5.3), which of nested data is flattening.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from aplc.laila.devices.kernel_partition import NOWHERE
from aplc.laila.devices.kernels import written_by
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Filter,
    ForEach,
    Free,
    Fused,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    RuntimeCall,
    Scan,
    Space,
    Statement,
    Store,
    Variable,
)
from aplc.laila.ir.scalar import (
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
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, rebuilt, statements_of
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.errors import Error
from aplc.tail.types import Base

MOST = 1 << 27
"""The elements that an array of all rounds has at most: a gigabyte of doubles."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How a round appends to an array."""

    statement: If
    """What makes room if there is none."""
    used: Var
    """How many elements there are."""
    end: HostLet
    """How many there are then."""
    length: Exp
    """How many a round appends."""


class CannotDistribute(Error):
    """A loop has a statement that is none for a loop of its own."""


class Renaming(Substitute):
    """Expressions with values for variables of some names, and elements of all items for those of one."""

    def __init__(
        self, make: ExprBuilder, names: Mapping[str, Exp], arrays: Mapping[Buffer, tuple[Buffer, Exp]]
    ) -> None:
        super().__init__(make, {})
        self.names, self.arrays = names, arrays

    def _rebuild(self, node: Exp) -> Exp:
        match node:
            case Var(name=name) if name in self.names:
                return self.names[name]
            case Read(buffer=buffer, index=index) if buffer in self.arrays:
                whole, base = self.arrays[buffer]
                return self.make.read(whole, self.make.add(base, self.done[id(index)]))
            case _:
                return super()._rebuild(node)


def running_of(statement: Map | Scan | Filter | Fused) -> list[Var]:
    """The running values of its scans."""
    parts = statement.parts if isinstance(statement, Fused) else (statement,)
    return [q.running for q in parts if isinstance(q, Scan) and q.running is not None]


def own_running(scan: Scan, names: Mapping[str, Exp]) -> Var | None:
    """The running value of a scan under its own name."""
    running = scan.running and names[scan.running.name]
    assert running is None or isinstance(running, Var)
    return running


class LoopDistribution:
    """The loops over all items that a loop becomes."""

    def __init__(self, make: ExprBuilder, loop: ForEach) -> None:
        self.make, self.loop, self.free = make, loop, FreeVars()
        (self.index,), (self.n,) = loop.space.indices, loop.space.extents
        self.lets: dict[str, tuple[Var, Exp]] = {}
        """What a round computes once, by name, in the names of the round."""
        self.arrays: dict[Buffer, tuple[Buffer, Exp]] = {}
        """The arrays of a round: those of all rounds, and where those of a round begin."""
        self.ends: dict[Exp, Buffer] = {}
        """How many elements there are before each item, by the length of an item."""
        self.totals: dict[Buffer, Var] = {}
        self.condition: Exp = make.true
        """What must hold, or some round fails."""
        self.kept: list[Var] = []
        """How many elements filters keep."""
        self.statements: list[Statement] = []
        self.memory: list[Buffer] = []
        self.written: set[Buffer] = set()
        self.growth: Growth | None = None
        self.last: list[Statement] = []

    def run(self) -> tuple[Statement, ...]:
        """The loops, and the end of their memory. Raises `CannotDistribute`."""
        if self.loop.scratch or self.loop.counts is not None:
            raise CannotDistribute
        body = list(self.loop.body)
        grows = [s for s in body if isinstance(s, If)]
        if not grows and not self.loop.independent:
            raise CannotDistribute
        if grows:
            body = self.grown(body, grows)
        for statement in body:
            if contains(Check | PureCall | BlockExp, *expressions(statement)):
                raise CannotDistribute
            self.take(statement)
        found = [n for s in body if not isinstance(s, If) for n in nodes(*expressions(s))]
        if self.written & {n.buffer for n in found if isinstance(n, Read)}:
            raise CannotDistribute
        return (*self.statements, *self.last, *[Free(b) for b in self.memory])

    def take(self, statement: Statement) -> None:
        """One statement of a round becomes loops."""
        match statement:
            case HostLet(var=var, value=value):
                self.let(var, value)
            case Alloc(buffer=buffer, size=size):
                self.expand(buffer, size)
            case Free(buffer=buffer) if buffer in self.arrays:
                pass
            case HostCheck(ok=ok) if not self.statements:
                self.require(ok)
            case Map() | Scan():
                self.over_items((self.placed(statement),))
            case Fused(parts=parts) if all(isinstance(q, Map | Scan) for q in parts):
                whole = [self.placed(q) for q in parts if isinstance(q, Map | Scan)]
                self.over_items((replace(statement, parts=tuple(whole)),))
            case Filter(goes_on=False):
                self.filter(statement)
            case Store() if statement.buffer not in self.arrays:
                self.written.add(statement.buffer)
                self.store(statement)
            case RuntimeCall():
                self.call(statement)
            case If() if self.growth is not None:
                self.grow(self.growth)
            case _:
                raise CannotDistribute

    def call(self, statement: RuntimeCall) -> None:
        """A function of the run-time system for each item."""
        raise CannotDistribute

    # --- names ---

    def resolved(self, exp: Exp, row: Exp) -> Exp:
        """An expression of a round for the item at an index, without other names of the round."""
        make = self.make
        known: dict[str, Exp] = {self.index.name: row}
        for name, (_, value) in self.lets.items():
            known[name] = Renaming(make, dict(known), {})(value)
        bases = {b: (whole, Renaming(make, known, {})(base)) for b, (whole, base) in self.arrays.items()}
        return Renaming(make, known, bases)(exp)

    def needed(self, statements: Sequence[Statement]) -> list[Var]:
        """What a round computes once of what statements use, in its order."""
        roots = [e for s in statements for e in expressions(s)]
        read = {n.buffer for n in nodes(*roots) if isinstance(n, Read)}
        roots += [base for b, (_, base) in self.arrays.items() if b in read]
        names = {v.name for root in roots for v in self.free.of(root)}
        for name, (_, value) in reversed(self.lets.items()):
            if name in names:
                names |= {v.name for v in self.free.of(value)}
        return [var for name, (var, _) in self.lets.items() if name in names]

    def row(self) -> Var:
        """A fresh index of an item."""
        return self.make.index(self.index.name, self.n)

    # --- loops ---

    def over_items(self, statements: Sequence[Statement], more: Sequence[Statement] = ()) -> None:
        """A loop over all items with some of what a round does."""
        self.statements.append(ForEach(*self.round(statements, more), independent=True))

    def round(
        self, statements: Sequence[Statement], more: Sequence[Statement] = ()
    ) -> tuple[Space, tuple[Statement, ...]]:
        """A space of items, and some of what a round does with its own names for all of it."""
        row, names = self.row(), dict[str, Exp]()
        names[self.index.name] = row
        body: list[Statement] = []
        for var in self.needed((*statements, *more)):
            own = replace(var, name=self.make.fresh(var.name))
            body.append(HostLet(own, Renaming(self.make, dict(names), {})(self.lets[var.name][1])))
            names[var.name] = own
        for statement in (*statements, *more):
            body.append(self.renamed(statement, names))
        return Space((row,), (self.n,)), tuple(body)

    def renamed(self, statement: Statement, names: Mapping[str, Exp]) -> Statement:
        """A statement with indices of its own."""
        own = dict(names)
        if isinstance(statement, Map | Scan | Filter | Fused):
            bound_here = [*statement.space.indices, *running_of(statement)]
            own |= {v.name: replace(v, name=self.make.fresh(v.name)) for v in bound_here}
        bases = {b: (w, Renaming(self.make, own, {})(base)) for b, (w, base) in self.arrays.items()}
        changed = rebuilt(statement, Renaming(self.make, own, bases))
        if not isinstance(changed, Map | Scan | Filter | Fused):
            return changed
        indices = [own[i.name] for i in changed.space.indices]
        within = Space(tuple([i for i in indices if isinstance(i, Var)]), changed.space.extents)
        if isinstance(changed, Fused):
            parts = [
                replace(q, running=own_running(q, own)) if isinstance(q, Scan) else q for q in changed.parts
            ]
            parts = [replace(q, space=within) for q in parts]
            return replace(changed, space=within, parts=tuple(parts))
        if isinstance(changed, Scan):
            changed = replace(changed, running=own_running(changed, own))
        return replace(changed, space=within)

    def placed(self, part: Map | Scan) -> Map | Scan:
        """A map or scan of a round, where all rounds write."""
        if isinstance(part, Scan):
            if part.start is not None or not part.is_written:
                raise CannotDistribute
            part = replace(part, running=part.running or Var(self.make.fresh("s"), part.body.ty))
        if part.buffer in self.arrays:
            whole, base = self.arrays[part.buffer]
            return replace(part, buffer=whole, position=self.make.add(base, part.position))
        if isinstance(part, Map) and part.ordered:
            raise CannotDistribute
        self.written.add(part.buffer)
        return part

    # --- what a round makes ---

    def let(self, var: Var, value: Exp) -> None:
        """A scalar of a round; where that takes a loop, it is computed for all rounds."""
        make = self.make
        is_read = any(isinstance(n, Read) and n.buffer in self.arrays for n in nodes(value))
        if not is_read and not contains(Fold, value):
            self.lets[var.name] = var, value
            return
        every = Buffer(make.fresh(var.name), var.ty, var.ty.dtype)
        self.allocated(every, self.n)
        row = self.row()
        self.statements.append(Map(every, Space((row,), (self.n,)), row, self.resolved(value, row)))
        self.lets[var.name] = var, make.read(every, self.index)

    def allocated(self, buffer: Buffer, size: Exp) -> None:
        """Memory for something of all items."""
        self.statements.append(Alloc(buffer, size, NOWHERE))
        self.memory.append(buffer)

    def ends_of(self, length: Exp) -> Buffer:
        """How many elements there are before each item, given the length of an item."""
        if length not in self.ends:
            make, row = self.make, self.row()
            ends = self.ends[length] = self.own_ends()
            each = make.call(p.MAXI, make.zero, self.resolved(length, row))
            following = make.add(row, make.one)
            self.statements.append(Scan(ends, Space((row,), (self.n,)), following, p.ADDI, each))
            self.total_of(ends)
        return self.ends[length]

    def own_ends(self) -> Buffer:
        """An array for that, which begins with zero."""
        ends = Buffer(self.make.fresh("ends"), Base.INT, "int64")
        self.allocated(ends, self.make.add(self.n, self.make.one))
        self.statements.append(Store(ends, self.make.zero, self.make.zero))
        return ends

    def total_of(self, ends: Buffer) -> Var:
        """How many elements all items have."""
        if ends not in self.totals:
            total = Var(self.make.fresh("total"), Base.INT, True, (self.make.zero,))
            self.statements.append(HostLet(total, self.make.read(ends, self.n)))
            self.totals[ends] = total
        return self.totals[ends]

    def base_of(self, ends: Buffer) -> Var:
        """Where the elements of an item begin, as a scalar of a round."""
        value = self.make.read(ends, self.index)
        for var, known in self.lets.values():
            if known is value:
                return var
        var = Var(self.make.fresh("base"), Base.INT, True, (self.make.zero,))
        self.lets[var.name] = var, value
        return var

    def expand(self, buffer: Buffer, size: Exp) -> None:
        """An array of a round: those of all rounds, one behind the other."""
        self.bound(size)
        ends = self.ends_of(size)
        whole = Buffer(self.make.fresh(buffer.name), buffer.ty, buffer.storage)
        self.allocated(whole, self.total_of(ends))
        self.arrays[buffer] = whole, self.base_of(ends)

    def bound(self, size: Exp) -> None:
        """All rounds together must not take much more memory than there is: what filters have kept is less
        than what they have been given; of other lengths the host takes the sum before it begins.
        """
        make, row = self.make, self.row()
        if any(size is known for known in self.kept):
            return
        each = self.resolved(size, row)
        if any(isinstance(n, Read) and n.buffer in self.memory for n in nodes(each)):
            raise CannotDistribute
        total = make.fold(p.ADDI, row, self.n, make.call(p.MAXI, make.zero, each), make.zero)
        self.condition = make.call(p.ANDB, self.condition, make.call(p.LTEI, total, make.const(MOST)))

    def filter(self, part: Filter) -> None:
        """What is kept of each item, one behind the other."""
        make = self.make
        if part.buffer not in self.arrays:
            raise CannotDistribute
        whole, _ = self.arrays[part.buffer]
        ends, used = self.own_ends(), Var(make.fresh("used"), Base.INT, True, (make.zero,))
        self.statements.append(Variable(used, make.zero))
        kept = replace(part, buffer=whole, count=used, goes_on=True)
        put = Store(ends, make.add(self.index, make.one), used)
        self.statements.append(ForEach(*self.round((kept,), (put,)), independent=True, counts=used))
        self.total_of(ends)
        base = self.base_of(ends)
        self.arrays[part.buffer] = whole, base
        self.lets[part.count.name] = (
            part.count,
            make.sub(make.read(ends, make.add(self.index, make.one)), base),
        )
        self.ends[part.count] = ends
        self.kept.append(part.count)

    def store(self, statement: Store) -> None:
        """An element that each round writes."""
        row = self.row()
        position, value = self.resolved(statement.position, row), self.resolved(statement.value, row)
        if self.make.linear(position)[1].get(row) != 1:
            raise CannotDistribute
        self.statements.append(Map(statement.buffer, Space((row,), (self.n,)), position, value))

    def require(self, ok: Exp) -> None:
        """A check of each round; where it fails, the loop runs as it was."""
        make, row = self.make, self.row()
        holds = self.resolved(ok, row)
        if holds is not make.true:
            every = make.fold(p.ANDB, row, self.n, holds, make.true)
            self.condition = make.call(p.ANDB, self.condition, every)

    # --- arrays that grow ---

    def grown(self, body: list[Statement], grows: Sequence[If]) -> list[Statement]:
        """A round that appends to an array: where its elements go is known when all lengths are."""
        match grows:
            case [If(cond=Call(op=op, args=(Var() as end, Var())), other=()) as grow] if op is p.GTI:
                pass
            case _:
                raise CannotDistribute
        targets = [s.target for s in grow.then if isinstance(s, Move)]
        lets = [s for s in body if isinstance(s, HostLet) and s.var.name == end.name]
        assigned = [s for s in body if isinstance(s, Assign)]
        if len(targets) != 1 or len(lets) != 1 or len(assigned) != 1 or assigned[0].value is not end:
            raise CannotDistribute
        (used,), (let,), k = [s.var for s in assigned], lets, body.index(assigned[0])
        self.growth = Growth(grow, used, let, self.make.sub(let.value, used))
        behind = Renaming(self.make, {used.name: end}, {})
        self.check_appends(body, targets[0], used)
        return [s for s in body[:k] if s is not let] + [rebuilt(s, behind) for s in body[k + 1 :]]

    def check_appends(self, body: Sequence[Statement], target: Buffer, used: Var) -> None:
        """Rounds must write nothing else than what they append, and elements of their own."""
        local = {s.buffer for s in body if isinstance(s, Alloc)}
        assert self.growth is not None
        if used in self.free.of(self.growth.length):
            raise CannotDistribute
        for statement in body:
            if isinstance(statement, If | Store) or not set(written_by(statement)) - local:
                continue
            if not isinstance(statement, Map) or statement.buffer is not target:
                raise CannotDistribute
            (index,) = statement.space.indices
            if statement.position is not self.make.add(used, index):
                raise CannotDistribute
            if statement.space.extents[0] is not self.growth.length:
                raise CannotDistribute

    def grow(self, growth: Growth) -> None:
        """Room for what all rounds append."""
        make, used, end = self.make, growth.used, growth.end.var
        ends = self.ends_of(growth.length)
        whole = replace(end, name=make.fresh(end.name))
        self.statements.append(HostLet(whole, make.add(used, self.total_of(ends))))
        names: dict[str, Exp] = {end.name: whole}
        then: list[Statement] = []
        arrays: dict[Buffer, Buffer] = {}
        for statement in growth.statement.then:
            changed = self.renamed(statement, names)
            if isinstance(changed, Alloc):
                arrays[changed.buffer] = replace(changed.buffer, name=make.fresh(changed.buffer.name))
            if isinstance(changed, Move):
                changed = replace(changed, source=arrays.get(changed.source, changed.source))
            elif isinstance(changed, Alloc | Map):
                changed = replace(changed, buffer=arrays.get(changed.buffer, changed.buffer))
            then.append(changed)
        cond = Renaming(make, names, {})(growth.statement.cond)
        self.statements.append(If(cond, tuple(then)))
        self.lets[used.name] = used, make.add(used, make.read(ends, self.index))
        self.lets[end.name] = end, growth.end.value
        self.last.append(Assign(used, whole))


def rounds_of(statement: Map) -> ForEach | None:
    """A map whose elements make arrays of lengths that only they know, as a loop; None if it is none."""
    body = statement.body
    if not isinstance(body, BlockExp) or statement.guard is not None or statement.ordered:
        return None
    inside = statements_of(body)
    if all(isinstance(s.size, Const) for s in inside if isinstance(s, Alloc)):
        return None
    put = Store(statement.buffer, statement.position, body.value)
    return ForEach(statement.space, (*inside, put), independent=True)
