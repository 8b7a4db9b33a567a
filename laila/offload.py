"""What of a program runs in kernels: each large enough SOAC, in chunks of its outermost axis.

    MAP b[…] = e over i < n, …
        →   todo := true
            if n×… ≥ enough { todo := launch kernel }
            if todo { MAP b[…] = e over i < n, … }

A fold leaves the results of its chunks in an array, which the host combines in their order. The host keeps a
version of everything: for what is small, and for the error of what has failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from laila.analysis import unconditional
from laila.hoist import changing_hands
from laila.kernels import (
    Kernel,
    Offloaded,
    all_statements,
    fits,
    in_any_order,
    kernel,
    launch,
    parts_fit,
)
from laila.program import (
    Alloc,
    Assign,
    Choice,
    Each,
    Free,
    Fused,
    HostLet,
    Map,
    Part,
    Program,
    Put,
    Reduce,
    Space,
    Statement,
    Variable,
    While,
)
from laila.pull import fill, weigh
from laila.scalar import QUOT, Buffer, Check, Const, Do, Exp, Fold, FreeVars, Site, Var, nodes
from laila.simplify import Scalars
from laila.split import bound_in
from laila.statements import own_expressions, rebuilt
from laila.substitute import Substitute
from tail import prims as p
from tail.faults import NO_MEMORY
from tail.meaning import DTYPES
from tail.types import Base


@dataclass(frozen=True, slots=True)
class Division:
    """How work is divided among the work-items of a device."""

    items: int = 16
    """Into so many chunks a loop is divided."""
    least_work: int = 1 << 18
    """The operations of a loop from which on it is worth a kernel."""
    least_rows: int = 4
    """The extent of an axis from which on it is divided."""


DIVISION = Division()
EVERYTHING = Division(least_work=1, least_rows=1)
"""As if each loop were large enough."""


def offload(program: Program, make: Scalars, division: Division) -> Offloaded:
    """The program with kernels in front of what the host would do. Functions of the program run on the
    host.
    """
    offloader = _Offloader(program, make, division)
    statements = offloader.block(program.statements)
    return Offloaded(replace(program, statements=statements), tuple(offloader.kernels))


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A range of an axis, the part of one work-item."""

    item: Var
    size: Var
    """How many indices there are in all chunks but the last: an argument of the kernel."""
    bounds: tuple[Statement, ...]
    """What computes where it begins, and its length."""
    count: Var
    space: Space
    change: Substitute


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop that kernels may do: what it is called there, and what it takes."""

    name: str
    space: Space
    work: Exp
    """About how many operations."""
    written: frozenset[Buffer]
    todo: Var
    """Whether the host must do it."""
    results: tuple[tuple[Var, Fold, Buffer], ...] = ()
    """The variables of folds, and the arrays for the results of the chunks."""


class _Offloader:
    def __init__(self, program: Program, make: Scalars, division: Division) -> None:
        self.make, self.division = make, division
        self.kernels: list[Kernel] = []
        self.free = FreeVars()
        moving = changing_hands(program)
        self.lengths = {
            s.buffer: max(1, int(s.size.value))
            for s in all_statements(program.statements)
            if isinstance(s, Alloc) and isinstance(s.size, Const) and s.buffer not in moving
        }

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, each with its kernels in front of it."""
        result: list[Statement] = []
        for statement in statements:
            match statement:
                case HostLet(value=value):
                    result += self.folds(statement, value)
                case Map(ordered=False) if statement.space.indices:
                    result += self.map(statement)
                case Fused() if statement.space.indices and parts_fit(statement.parts):
                    result += self.fused(statement)
                case Choice(then=then, other=other):
                    result.append(replace(statement, then=self.block(then), other=self.block(other)))
                case While(cond=cond, body=body):
                    result.append(While(cond, self.block(body)))
                case Each(space=space, body=body):
                    result.append(Each(space, self.block(body)))
                case _:
                    result.append(statement)
        return tuple(result)

    # --- SOACs ---

    def map(self, statement: Map) -> list[Statement]:
        """A map in chunks of its first axis, or of its second where the first is short."""
        loop = self.loop("map", statement.space, own_expressions(statement), {statement.buffer})
        starts: list[Choice] = []
        for axis in range(min(2, len(statement.space.indices))):
            chunk = self.chunk(statement.space, axis)
            changed = rebuilt(statement, chunk.change)
            assert isinstance(changed, Map)
            starts += self.start(loop, axis, chunk, (replace(changed, space=chunk.space),))
        return self.either(loop, starts, (statement,))

    def fused(self, statement: Fused) -> list[Statement]:
        """Maps and folds in one loop."""
        make = self.make
        folds = [q for q in statement.parts if isinstance(q, Reduce)]
        maps = {q.buffer for q in statement.parts if isinstance(q, Map)}
        if not all(in_any_order(make.settings, q.fold) for q in folds):
            return [statement]
        name = "fused" if maps else "reduce"
        results = tuple([(q.var, q.fold, self.partial(q.var)) for q in folds])
        loop = self.loop(name, statement.space, own_expressions(statement), maps, results)
        chunk = self.chunk(statement.space, 0)
        partials = {var: partial for var, _, partial in results}
        parts: list[Part] = []
        puts: list[Statement] = []
        for part in statement.parts:
            if isinstance(part, Reduce):
                local = Var(make.fresh("s"), part.var.ty)
                fold, body = replace(part.fold, empty=None), chunk.change(part.body)
                parts.append(Reduce(local, chunk.space, fold, body))
                puts.append(Put(partials[part.var], chunk.item, local))
            else:
                changed = rebuilt(part, chunk.change)
                assert isinstance(changed, Map)
                parts.append(replace(changed, space=chunk.space))
        inside = (Fused(chunk.space, tuple(parts), statement.in_place), *puts)
        starts = self.start(loop, 0, chunk, inside)
        if not starts:
            return [statement]
        own = {q.var: Var(make.fresh(q.var.name), q.var.ty) for q in folds}
        parts = [replace(q, var=own[q.var]) if isinstance(q, Reduce) else q for q in statement.parts]
        on_host: list[Statement] = [replace(statement, parts=tuple(parts))]
        on_host += [Assign(var, mine) for var, mine in own.items()]
        before = [Variable(var, fill(make, var.ty)) for var in own]
        return [*before, *self.either(loop, starts, tuple(on_host))]

    def folds(self, statement: HostLet, value: Exp) -> list[Statement]:
        """A scalar whose value has folds in it, each computed before it."""
        may_fail = any(isinstance(n, Check) for n in nodes(value))
        result: list[Statement] = []
        known: dict[Exp, Exp] = {}
        hidden = bound_in((value,))
        for node in unconditional((value,)):
            if not isinstance(node, Fold) or self.free.of(node) & hidden or (may_fail and node is not value):
                continue
            if any(node is inner for outer in known for inner in nodes(outer)):
                continue
            var = statement.var if node is value else Var(self.make.fresh("s"), node.ty)
            if done := self.fold(var, node):
                result += done
                known[node] = var
        if value in known:
            return result
        return [*result, HostLet(statement.var, Substitute(self.make, known)(value) if known else value)]

    def fold(self, var: Var, node: Fold) -> list[Statement]:
        """A variable with the value of a fold; none if it is none for kernels."""
        make = self.make
        if not in_any_order(make.settings, node):
            return []
        partial = self.partial(var)
        space = Space((node.var,), (node.extent,))
        loop = self.loop("reduce", space, (node.body,), set(), ((var, node, partial),))
        chunk = self.chunk(space, 0)
        (index,) = chunk.space.indices
        local = Var(make.fresh("s"), node.ty)
        part = make.fold(node.combine, index, chunk.count, chunk.change(node.body), node.empty)
        starts = self.start(loop, 0, chunk, (HostLet(local, part), Put(partial, chunk.item, local)))
        if not starts:
            return []
        own = Var(make.fresh("s"), node.ty)
        on_host = (HostLet(own, node), Assign(var, own))
        return [Variable(var, fill(make, node.ty)), *self.either(loop, starts, on_host)]

    # --- loops and their chunks ---

    def loop(
        self,
        name: str,
        space: Space,
        roots: tuple[Exp, ...],
        written: set[Buffer],
        results: tuple[tuple[Var, Fold, Buffer], ...] = (),
    ) -> _Loop:
        """A loop over a space that evaluates the roots and writes some buffers."""
        todo = Var(self.make.fresh("todo"), Base.BOOL)
        partials = {partial for _, _, partial in results}
        return _Loop(name, space, self.work(space, roots), frozenset(written | partials), todo, results)

    def work(self, space: Space, roots: tuple[Exp, ...]) -> Exp:
        """About how many operations a loop takes; the host computes it."""
        make = self.make
        total: Exp = make.const(1 + sum([weigh(root).cost for root in roots]))
        for extent in space.extents:
            total = make.call(p.MULI, total, extent)
        hidden = bound_in(roots) | set(space.indices)
        for node in nodes(*roots):
            if not isinstance(node, Fold) or self.free.of(node.extent) & hidden:
                continue
            if not any(isinstance(n, Check | Do | Fold) for n in nodes(node.extent)):
                total = make.call(p.MULI, total, make.call(p.MAXI, make.one, node.extent))
        return total

    def partial(self, var: Var) -> Buffer:
        """An array for the results of the chunks."""
        return Buffer(self.make.fresh("partial"), var.ty, DTYPES[var.ty].name)

    def chunk(self, space: Space, axis: int) -> _Chunk:
        """The part of an axis that one work-item does."""
        make = self.make
        old, extent = space.indices[axis], space.extents[axis]
        last = make.last_indices(extent)
        item = Var(make.fresh("item"), Base.INT, True, (make.zero,))
        size = Var(make.fresh("chunk"), Base.INT, True, (make.one,))
        start = Var(make.fresh("start"), Base.INT, True, (make.zero,), last)
        count = Var(make.fresh("count"), Base.INT, True, (make.one,))
        bounds = (
            HostLet(start, make.mul(item, size)),
            HostLet(count, make.call(p.MINI, size, make.sub(extent, start))),
        )
        index = make.index(old.name, count)
        indices = tuple([index if k == axis else v for k, v in enumerate(space.indices)])
        extents = tuple([count if k == axis else n for k, n in enumerate(space.extents)])
        change = Substitute(make, {old: make.add(start, index)})
        return _Chunk(item, size, bounds, count, Space(indices, extents), change)

    # --- starting kernels ---

    def start(self, loop: _Loop, axis: int, chunk: _Chunk, inside: tuple[Statement, ...]) -> list[Choice]:
        """The start of a kernel if there is enough to do; nothing where there is no such kernel."""
        make, division = self.make, self.division
        inside = (*chunk.bounds, *inside)
        extent = loop.space.extents[axis]
        enough = make.call(
            p.ANDB,
            make.call(p.GTEI, loop.work, make.const(division.least_work)),
            make.call(p.GTEI, extent, make.const(division.least_rows)),
        )
        if enough is make.false or not fits(make.settings, inside, loop.written):
            return []
        partials = [partial for _, _, partial in loop.results]
        lengths = {**self.lengths, **dict.fromkeys(partials, division.items)}
        made = kernel(make, loop.name, chunk.item, inside, loop.written, lengths)
        self.kernels.append(made)
        items = Var(make.fresh("items"), Base.INT, True, (make.one,))
        most = make.const(division.items)
        failed = Var(make.fresh("failed"), Base.BOOL)
        statements: list[Statement] = [
            HostLet(chunk.size, make.call(QUOT, make.add(extent, make.const(division.items - 1)), most)),
            HostLet(items, make.call(QUOT, make.add(extent, make.sub(chunk.size, make.one)), chunk.size)),
            *[Alloc(b, most, Site(NO_MEMORY, "", None)) for b in partials],
            launch(make, made, items, failed),
            Assign(loop.todo, failed),
        ]
        combined: list[Statement] = []
        for var, fold, partial in loop.results:
            k = make.index("k", items)
            total = Var(make.fresh("s"), var.ty)
            again = make.fold(fold.combine, k, items, make.read(partial, k), fold.empty)
            combined += [HostLet(total, again), Assign(var, total)]
        if combined:
            statements.append(Choice(make.call(p.NOTB, failed), tuple(combined)))
        return [Choice(enough, (*statements, *[Free(b) for b in partials]))]

    def either(self, loop: _Loop, starts: list[Choice], on_host: tuple[Statement, ...]) -> list[Statement]:
        """The first kernel for which there is enough to do; otherwise, or if it fails, the host's way."""
        if not starts:
            return list(on_host)
        chosen: tuple[Statement, ...] = ()
        for start in reversed(starts):
            chosen = (replace(start, other=chosen),)
        return [Variable(loop.todo, self.make.true), *chosen, Choice(loop.todo, on_host)]
