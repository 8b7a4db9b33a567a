"""Chooses what of a program runs in kernels: each large enough SOAC, in chunks of its outermost axis.

    MAP b[…] = e over i < n, …
        →   todo := true
            if n×… ≥ enough { todo := launch kernel }
            if todo { MAP b[…] = e over i < n, … }

A fold leaves the results of its chunks in an array, which the host combines in their order. The host keeps a
version of everything: for what is small, and for the error of what has failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce

from aplc.laila.devices.device_mapping import AGAIN, Division
from aplc.laila.devices.kernel_partition import Chunk, Loop, Total
from aplc.laila.devices.kernels import Offloaded, in_any_order
from aplc.laila.devices.loop_distribution import rounds_of
from aplc.laila.devices.offload_loops import (
    has_open_extents,
    loops_in_parts,
    with_own_indices,
)
from aplc.laila.devices.offload_over_items import ItemChooser
from aplc.laila.devices.offload_parts import PartDivider
from aplc.laila.devices.offload_products import ProductDivider, is_product
from aplc.laila.devices.offload_tiles import TileDivider
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Empty,
    Filter,
    ForEach,
    Free,
    Fused,
    HostCall,
    HostLet,
    If,
    Map,
    Move,
    Part,
    Program,
    Reduce,
    Scan,
    Space,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Check, Exp, Fold, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.statements import bodies, bound, everywhere, own_expressions, rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import fill, weigh
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim


def offload(program: Program, make: ExprBuilder, division: Division) -> Offloaded:
    """The program with kernels in front of what the host would do. Functions of the program run on the
    host.
    """
    program = with_own_indices(program, make)
    offloader = _Offloader(program, make, division)
    offloader.schedules = loops_in_parts(program, make)
    offloader.allocations = {s.buffer: s.size for s in everywhere(program.statements) if isinstance(s, Alloc)}
    statements = offloader.block(program.statements)
    kernels = tuple(offloader.kernels)
    changed = replace(program, statements=statements)
    return Offloaded(changed, kernels, offloader.work_of, offloader.choices)


ROWS_OF_PRODUCT = 64
"""For which it is worth reading all columns, as each work-item does."""


def stays_on_device(statements: Sequence[Statement]) -> bool:
    """Whether statements are loops that kernels may do, and what else they do is about numbers."""
    for statement in statements:
        match statement:
            case If(cond=cond, then=then, other=other):
                if contains(Read | Fold, cond) or not (stays_on_device(then) and stays_on_device(other)):
                    return False
            case Map(ordered=False):
                pass
            case HostLet(value=value) | Assign(value=value) | Variable(value=value):
                if contains(Read | Fold, value):
                    return False
            case Alloc() | Empty() | Free() | Move() | Swap():
                pass
            case _:
                return False
    return True


class _Offloader(ItemChooser, TileDivider, ProductDivider, PartDivider):
    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, each with its kernels in front of it."""
        result: list[Statement] = []
        for statement in statements:
            self.statement = statement
            match statement:
                case HostLet(value=value):
                    result += self.folds(statement, value)
                case Map(ordered=False) if statement.space.indices:
                    result += self.map(statement)
                case Scan() if statement.space.indices:
                    result += self.scan(statement)
                case Filter(goes_on=False) if len(statement.space.indices) == 1:
                    result += self.filter(statement)
                case Fused() if statement.space.indices:
                    result += self.fused(statement)
                case If(then=then, other=other):
                    result.append(replace(statement, then=self.block(then), other=self.block(other)))
                case While():
                    result += self.rounds(statement)
                case ForEach():
                    result += self.each(statement)
                case _:
                    result.append(statement)
        return tuple(result)

    def each(self, statement: ForEach) -> list[Statement]:
        """A loop over statements: as a whole, or what is in it."""
        found = self.kernels_of(statement)
        if found is None or not found[1]:
            in_order = partial(self.rounds, statement)
            kernels = self.counted_first(statement) or self.distributed(statement, statement, in_order)
            return kernels or in_order()
        by_lengths = self.rounds_over_items(*found, statement, self.running_of(statement))
        if by_lengths is not None:
            return by_lengths
        if has_open_extents(statement):
            on_host = replace(statement, body=self.block(statement.body))
            return self.either(*found, (on_host,))
        return self.either(*found, (statement,))

    def rounds(self, statement: While | ForEach) -> list[Statement]:
        """A loop with kernels inside; where there is not enough for any of them, the loop as it was, for the
        threads of the host.
        """
        is_outermost, self.in_rounds = not self.in_rounds, True
        outer = self.least_work
        if self.division.grid and is_outermost and stays_on_device(statement.body):
            self.least_work = max(1, outer // AGAIN)
        there = replace(statement, body=self.block(statement.body))
        self.in_rounds, self.least_work = not is_outermost, outer
        enough = self.conditions(there.body)
        if not is_outermost or not enough or not all(self.is_same_for(statement, e) for e in enough):
            return [there]
        return [If(reduce(lambda a, b: self.make.call(p.ORB, a, b), enough), (there,), (statement,))]

    def conditions(self, statements: Sequence[Statement]) -> list[Exp]:
        """The conditions under which statements start kernels, those inside of others left out."""
        launches = {id(each.launch) for each in self.kernels}
        found: list[Exp] = []
        for statement in statements:
            inner = bodies(statement)
            if isinstance(statement, If) and any(
                isinstance(s, HostCall) and id(s.prim) in launches for s in statement.then
            ):
                found.append(statement.cond)
                inner = (statement.other,)
            found += [each for body in inner for each in self.conditions(body)]
        return found

    def is_same_for(self, statement: Statement, exp: Exp) -> bool:
        """Whether an expression has the same value before a loop as in all its rounds."""
        names = {v.name for v in bound(statement)}
        is_read = contains(Read | BlockExp | Fold | Check, exp)
        return not is_read and names.isdisjoint([v.name for v in self.free.of(exp)])

    # --- SOACs ---

    def map(self, statement: Map) -> list[Statement]:
        """A map in chunks of its first axis, or of its second where the first is short."""
        loop = self.loop("map", statement.space, own_expressions(statement), {statement.buffer})
        if is_product(self.free, statement):
            loop = replace(loop, least=ROWS_OF_PRODUCT)
            if not self.is_eager:
                return [statement]
        elif (found := self.over_items(loop, statement)) is not None:
            return found
        if found := self.distributed(rounds_of(statement), statement, lambda: [statement]):
            return found
        starts: list[If] = []
        if self.division.grid:
            return self.either(
                loop, [*self.start_likely(loop, statement), *self.starts(loop, statement)], (statement,)
            )
        for axis in range(min(2, len(statement.space.indices))):
            chunk = self.chunk(statement.space, axis)
            changed = rebuilt(statement, chunk.change)
            assert isinstance(changed, Map)
            starts += self.start(loop, chunk, (replace(changed, space=chunk.space),))
        return self.either(loop, starts, (statement,))

    def starts(self, loop: Loop, statement: Map) -> list[If]:
        """The starts of the kernels of a map on a device with many work-items, the best first."""
        chunk = self.grid(statement.space)
        return [
            *self.start_products(loop, statement),
            *self.start_parts(loop, statement),
            *self.start_rows(loop, statement),
            *self.start_tiles(loop, statement),
            *self.start(loop, chunk, (self.points(statement, chunk, is_even=loop.is_even),)),
        ]

    def start_likely(self, loop: Loop, statement: Map) -> list[If]:
        """The starts of kernels for a map with folds where all holds that is likely, as that an array is
        reshaped to no more elements than it has: what they read are rows then.
        """
        make, roots = self.make, own_expressions(statement)
        hidden = bound_in(roots)
        found = [n for n in nodes(*roots) if isinstance(n, Var) and n.likely and n not in hidden]
        if not found or loop.is_even:
            return []
        holds: dict[Exp, Exp] = dict.fromkeys(found, make.true)
        usual = rebuilt(statement, Substitute(make, holds))
        assert isinstance(usual, Map)
        there = self.loop("map", usual.space, own_expressions(usual), {usual.buffer})
        all_hold = reduce(lambda a, b: make.call(p.ANDB, a, b), holds)
        starts = self.starts(replace(there, todo=loop.todo, least=loop.least), usual)
        return [replace(start, cond=make.call(p.ANDB, all_hold, start.cond)) for start in starts]

    def scan(self, statement: Scan) -> list[Statement]:
        """Rows in chunks; a single row by the totals of its chunks."""
        if not in_any_order(self.make.settings, statement.combine, statement.body.ty):
            return [statement]
        roots, written = own_expressions(statement), {statement.buffer}
        is_matrix = len(statement.space.indices) > 1
        in_steps = bool(self.division.grid) and is_matrix
        axis = self.axis_of_neighbours(statement) if in_steps else 0
        chunk = self.chunk(statement.space, axis, in_steps=in_steps)
        changed = rebuilt(statement, chunk.change)
        assert isinstance(changed, Scan)
        changed = replace(changed, space=chunk.space)
        if is_matrix:
            loop = self.loop("scan", statement.space, roots, written)
            starts = self.start_scans(loop, statement)
            if in_steps:
                starts += self.start_scans_in_parts(loop, statement, self.total(statement))
            starts += self.start(loop, chunk, (changed,))
            return self.either(loop, starts, (statement,))
        total = self.total(statement)
        loop = self.loop("scan", statement.space, roots, written, totals=(total,))
        first = self.total_of_chunk(total, changed.body, chunk)
        here, second = self.continued(total, changed, chunk)
        starts = self.start_sweep(loop, Fused(statement.space, (statement,)))
        starts = starts or self.start_twice(loop, chunk, first, (here, second))
        return self.either(loop, starts, (statement,))

    def total_of_chunk(self, total: Total, body: Exp, chunk: Chunk) -> tuple[Statement, ...]:
        """The combination of all elements of a chunk."""
        make = self.make
        own = Var(make.fresh("s"), body.ty)
        (index,) = chunk.space.indices
        fold = make.fold(total.combine, index, chunk.count, body, total.start)
        return HostLet(own, fold), Store(total.partial, chunk.item, own)

    def continued(self, total: Total, scan: Scan, chunk: Chunk) -> tuple[HostLet, Scan]:
        """A scan of a chunk that goes on from what is before it."""
        here = Var(self.make.fresh("before"), total.before.ty)
        return HostLet(here, self.make.read(total.partial, chunk.item)), replace(scan, start=here)

    def filter(self, statement: Filter) -> list[Statement]:
        """The elements of each chunk that are kept are counted, and then written behind those before it."""
        make, count = self.make, statement.count
        chunk = self.chunk(statement.space, 0)
        keep, body = chunk.change(statement.keep), chunk.change(statement.body)
        total = self.total(statement)
        roots = own_expressions(statement)
        loop = self.loop("filter", statement.space, roots, {statement.buffer}, totals=(total,))
        first = self.total_of_chunk(total, make.call(p.B2I, keep), chunk)
        places = [make.read(total.partial, k) for k in (chunk.item, make.add(chunk.item, make.one))]
        second = self.kept(replace(statement, space=chunk.space, keep=keep, body=body), *places)
        starts = self.start_sweep(loop, Fused(statement.space, (statement,)))
        starts = starts or self.start_twice(loop, chunk, first, second)
        if not starts:
            return [statement]
        own = replace(count, name=make.fresh(count.name))
        on_host = (replace(statement, count=own), Assign(count, own))
        return [Variable(count, make.zero), *self.either(loop, starts, on_host)]

    def fused(self, statement: Fused) -> list[Statement]:
        """Several SOACs in one loop; the scans and filters among them by the totals of chunks."""
        make, settings = self.make, self.make.settings
        folds = [q for q in statement.parts if isinstance(q, Reduce)]
        scans = [q for q in statement.parts if isinstance(q, Scan)]
        filters = [q for q in statement.parts if isinstance(q, Filter)]
        running = {q.running for q in scans}
        ordered = any(isinstance(q, Map) and q.ordered for q in statement.parts)
        free = all(in_any_order(settings, q.fold.combine, q.var.ty) for q in folds) and all(
            in_any_order(settings, q.combine, q.body.ty) and not self.free.of(q.body) & running for q in scans
        )
        free &= not any(self.free.of(q.keep) & running for q in filters)
        totals = tuple([self.total(q) for q in statement.parts if isinstance(q, Scan | Filter)])
        if ordered or not free or (totals and len(statement.space.indices) > 1):
            return [statement]
        written = {q.buffer for q in statement.parts if not isinstance(q, Reduce)}
        results = tuple([(q.var, q.fold, self.partial(q.var)) for q in folds])
        name = "fused" if written else "reduce"
        loop = self.loop(name, statement.space, own_expressions(statement), written, results, totals)
        if name == "fused" and (found := self.over_items(loop, statement)) is not None:
            return found
        starts = self.start_sweep(loop, statement) if totals else []
        if not starts and not filters:
            starts = self.start_fused(loop, statement)
        if not starts:
            return [statement]
        own: dict[Var, Var] = {}
        kept: list[Part] = []
        for part in statement.parts:
            match part:
                case Reduce(var=var):
                    own[var] = Var(make.fresh(var.name), var.ty)
                    kept.append(replace(part, var=own[var]))
                case Filter(count=count):
                    own[count] = replace(count, name=make.fresh(count.name))
                    kept.append(replace(part, count=own[count]))
                case _:
                    kept.append(part)
        on_host: list[Statement] = [replace(statement, parts=tuple(kept))]
        on_host += [Assign(var, mine) for var, mine in own.items()]
        variables = [Variable(var, fill(make, var.ty)) for var in own]
        return [*variables, *self.either(loop, starts, tuple(on_host))]

    def start_fused(self, loop: Loop, statement: Fused) -> list[If]:
        """The start of kernels for folds, maps and scans in one loop, each work-item with its chunk."""
        make, totals = self.make, loop.totals
        chunk = self.chunk(statement.space, 0, in_steps=bool(self.division.grid) and not totals)
        first: list[Statement] = []
        parts: list[Part] = []
        lets: list[Statement] = []
        values: list[Var] = []
        carried = iter(totals)
        for part in statement.parts:
            if isinstance(part, Reduce):
                local = Var(make.fresh("s"), part.var.ty)
                fold, body = replace(part.fold, empty=None), chunk.change(part.body)
                parts.append(Reduce(local, chunk.space, fold, body))
                values.append(local)
                continue
            changed = rebuilt(part, chunk.change)
            assert isinstance(changed, Map | Scan)
            if isinstance(changed, Scan):
                total = next(carried)
                first += self.total_of_chunk(total, changed.body, chunk)
                here, changed = self.continued(total, changed, chunk)
                lets.append(here)
            parts.append(replace(changed, space=chunk.space))
        inside = (*lets, Fused(chunk.space, tuple(parts), statement.in_place))
        if not totals:
            return self.start(loop, chunk, inside, tuple(values))
        puts = [Store(q[2], chunk.item, value) for q, value in zip(loop.results, values, strict=True)]
        return self.start_twice(loop, chunk, tuple(first), (*inside, *puts))

    def folds(self, statement: HostLet, value: Exp) -> list[Statement]:
        """A scalar whose value has folds in it, each computed before it."""
        may_fail = weigh(value).may_fail
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
        if not in_any_order(make.settings, node.combine, node.ty):
            return []
        partial = self.partial(var)
        space = Space((node.var,), (node.extent,))
        loop = self.loop("reduce", space, (node.body,), set(), ((var, node, partial),))
        chunk = self.chunk(space, 0, in_steps=bool(self.division.grid))
        (index,) = chunk.space.indices
        local = Var(make.fresh("s"), node.ty)
        assert isinstance(node.combine, Prim)
        nothing = neutral(make, node.combine)
        part = make.fold(node.combine, index, chunk.count, chunk.change(node.body), nothing)
        starts = self.start(loop, chunk, (HostLet(local, part),), (local,))
        if not starts:
            return []
        own = Var(make.fresh("s"), node.ty)
        on_host = (HostLet(own, node), Assign(var, own))
        return [Variable(var, fill(make, node.ty)), *self.either(loop, starts, on_host)]
