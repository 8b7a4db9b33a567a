"""Enters the items of arrays in tables in threads: each enters its share of them in a table of its own.

    empty table
    var classes = 0
    var before = 0
    while before < n {
        count = min(1024, n - before); …; run aplc_items_T_add(table, …, before, numbers, &now)
        classes := now; before := before + count
    }
    →   empty table
        var classes = 0
        var entered = 0
        while entered < n {
            run aplc_items_share(table, entered, n, …, &shares, &end)
            for each share of shares, in threads {
                run aplc_items_take(table, share, own, &seen)
                begin, behind = where this one begins, and the next one
                var before = begin
                while before < behind { count = min(1024, …); …; run aplc_items_T_add(own, …); … }
                run aplc_items_give(table, share, own, 0)
            }
            entered := end
        }
        run aplc_items_T_join_numbers(table, elements, n, numbers, &all)
        classes := all

First one thread enters some items, which tell whether most are there already: where they differ, each is
found twice, in its share and when these are joined, so that one thread is as fast. The tables are joined in
the order of the shares, so that classes are numbered as in one thread. Where a filter that is streamed finds
the items (`streaming`), it is its points that are shared:

Note [Shares of a streamed filter]
    An item may be two elements that are kept: where a word begins and where it ends. A share must begin where
    an even number has been kept. Let an element be kept where f(i) ≠ f(i+1), with f(0) = 0, as at the edges
    of words: of those before i an even number is kept if f(i) is 0, as the differences add up to that. So a
    share begins at the first such place from its part of the points on, and ends where the next one begins. A
    share numbers what it enters from 0; what those before it have seen comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import mentioned, named
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Empty,
    Filter,
    ForEach,
    Free,
    Fused,
    HostLet,
    If,
    Map,
    Program,
    RuntimeCall,
    Space,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.scalar import QUOT, Buffer, Call, Const, Exp, FreeVars, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, own_expressions, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base

HEADER = "aplc_items_threads.h"

ENTERS = tuple([f"aplc_items_{kind}_" for kind in ("1", "2", "4", "8", "double")])
"""How the functions that enter items begin, but for those within a tolerance, whose order matters."""

PER_ITEM, PER_POINT = 600, 40
"""The work of entering an item, and of a point where a filter finds them, besides that of elements."""

PLAIN = (HostLet, Assign, Map, Fused, Filter, If, Store, RuntimeCall)
"""What a loop may do."""


def with_items_shared(program: Program, make: ExprBuilder) -> Program:
    """The program with items that are entered by several threads, each in a table of its own."""
    return with_blocks(program, _Shares(make).block)


@dataclass(frozen=True, slots=True)
class _Entering:
    """A loop that enters items in a table, and what of its block is about it."""

    loop: While
    run: RuntimeCall
    table: Buffer
    place: Var
    """What the loop counts, from 0 up to an extent."""
    extent: Exp
    size: HostLet
    """How far a round goes."""
    states: tuple[Variable, ...]
    """What begins with 0 and is of no use behind the loop."""
    classes: Variable | None
    memory: tuple[Alloc, ...]
    streamed: Filter | None
    """What finds the items, if that is part of the loop: it counts points then."""


class _Shares:
    """The loops of a program that enter items."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside them that do not run in threads anyway."""
        block = [with_bodies(s, self.block) if isinstance(s, If | While) else s for s in statements]
        k = 0
        while k < len(block):
            entering = self.entering(block, k)
            if entering is not None:
                gone = {id(s) for s in (*entering.memory, *entering.states)}
                ours = [a.buffer for a in entering.memory]
                gone |= {id(s) for s in block if isinstance(s, Free) and s.buffer in ours}
                before, after = [
                    [s for s in part if id(s) not in gone] for part in (block[:k], block[k + 1 :])
                ]
                shared = self.shared(entering)
                block, k = [*before, *shared, *after], len(before) + len(shared) - 1
            k += 1
        return tuple(block)

    def mentions(self, statements: Sequence[Statement], names: set[str]) -> bool:
        """Whether statements, or some inside them, are of variables."""
        return any(names & self.free.names(e) for s in within(statements) for e in own_expressions(s))

    # --- what can be shared ---

    def entering(self, block: Sequence[Statement], k: int) -> _Entering | None:
        """The loop at a position, if it enters items in a table that is empty before and does little else."""
        loop = block[k]
        if not isinstance(loop, While) or loop.scratch:
            return None
        inside = list(within(loop.body))
        runs = [s for s in inside if isinstance(s, RuntimeCall)]
        counted = self.counted(loop)
        if len(runs) != 1 or not runs[0].function.startswith(ENTERS) or counted is None:
            return None
        (run,), (place, extent, size) = runs, counted
        table, before = run.arguments[0], run.arguments[6]
        states = self.states(block, k)
        memory = self.memory(block, k, run)
        if states is None or memory is None or not isinstance(before, Var):
            return None
        assert isinstance(table, Buffer)
        classes = [s for s in states if run.written and self.is_told(loop, s.var, run.written[0])]
        own = tuple([s for s in states if s not in classes])
        if len(classes) != len(run.written) or self.mentions(block[k + 1 :], {s.var.name for s in own}):
            return None
        filters = [s for s in inside if isinstance(s, Filter)]
        streamed = filters[0] if filters else None
        entering = _Entering(
            loop, run, table, place, extent, size, own, classes[0] if classes else None, memory, streamed
        )
        if not all(isinstance(s, PLAIN) for s in inside) or len(filters) > 1:
            return None
        return entering if self.can_begin(entering, before) else None

    def can_begin(self, entering: _Entering, before: Var) -> bool:
        """Whether a loop can begin with any share, with so many items before those of a round."""
        if entering.streamed is None:
            return before is entering.place
        users = [
            s
            for s in within(entering.loop.body)
            if any(before.name in self.free.names(e) for e in own_expressions(s))
        ]
        is_apart = len(users) == 2 and {type(s) for s in users} == {RuntimeCall, Assign}
        return is_apart and not _is_numbered(entering.run) and self.odd(entering, entering.place) is not None

    def counted(self, loop: While) -> tuple[Var, Exp, HostLet] | None:
        """What a loop counts, up to where, and the statement that says how far a round goes."""
        make = self.make
        if not isinstance(loop.cond, Call) or loop.cond.op is not p.LTI:
            return None
        place, extent = loop.cond.args
        if not isinstance(place, Var):
            return None
        left = make.sub(extent, place)
        lets = [s for s in loop.body if isinstance(s, HostLet)]
        sizes = [
            s for s in lets if isinstance(s.value, Call) and s.value.op is p.MINI and left in s.value.args
        ]
        steps = [s for s in within(loop.body) if isinstance(s, Assign) and s.var.name == place.name]
        if len(sizes) != 1 or len(steps) != 1 or steps[0].value is not make.add(place, sizes[0].var):
            return None
        return place, extent, sizes[0]

    def states(self, block: Sequence[Statement], k: int) -> list[Variable] | None:
        """The variables that a loop assigns to, which are 0 before it; None if it does to others, too."""
        inside = list(within((block[k],)))
        names = {s.var.name for s in inside if isinstance(s, Assign)}
        names |= {s.count.name for s in inside if isinstance(s, Filter)}
        found = [s for s in block[:k] if isinstance(s, Variable) and s.var.name in names]
        if len(found) != len(names) or any(s.value is not self.make.zero for s in found):
            return None
        others = {v.name for s in block[:k] if s not in found for v in bound(s)}
        return None if self.mentions(block[:k], names) or not names.isdisjoint(others) else found

    def memory(self, block: Sequence[Statement], k: int, run: RuntimeCall) -> tuple[Alloc, ...] | None:
        """The memory of a loop that enters items, which is used by nothing else; None if other memory is, or
        if the table is not empty before.
        """
        table, elements = run.arguments[:2]
        kept = {table, elements, *(run.arguments[-1:] if _is_numbered(run) else ())}
        written = {b for s in within((block[k],)) for b in named(s) if b not in kept}
        found = tuple([s for s in block[:k] if isinstance(s, Alloc) and s.buffer in written])
        others = [s for s in (*block[:k], *block[k + 1 :]) if s not in found and not isinstance(s, Free)]
        touched = {b for s in others for b in mentioned(s)}
        if len(found) != len(written) or not touched.isdisjoint(written):
            return None
        users = [s for s in block[:k] if table in mentioned(s)]
        is_empty = len(users) == 1 and isinstance(users[0], Empty)
        return found if is_empty and all(isinstance(a.size, Const) for a in found) else None

    def is_told(self, loop: While, var: Var, now: Var) -> bool:
        """Whether all that a loop does with a variable is to give it the number of classes."""
        assigned = [s for s in within(loop.body) if isinstance(s, Assign) and s.var.name == var.name]
        is_read = self.mentions((loop,), {var.name})
        return len(assigned) == 1 and assigned[0].value is now and not is_read

    def odd(self, entering: _Entering, place: Var) -> Exp | None:
        """Whether an item has begun before a place and goes on there, in terms of it; None if nothing tells.
        See Note [Shares of a streamed filter].
        """
        make, made = self.make, entering.streamed
        assert made is not None
        (k,) = made.space.indices
        if not any(isinstance(s, Store) for s in within(entering.loop.body)):
            return make.false  # each that is kept is an item
        i = make.index("i", entering.extent)
        j = make.index("i", make.sub(entering.extent, make.one))
        keep = Substitute(make, {k: make.sub(i, entering.place)})(made.keep)
        if not isinstance(keep, Call) or keep.op is not p.NEQB:
            return None
        for f, after in (keep.args, keep.args[::-1]):
            next_one = Substitute(make, {i: make.add(j, make.one)})(f)
            is_next = next_one is Substitute(make, {i: j})(after)
            if is_next and Substitute(make, {i: make.zero})(f) is make.false:
                return Substitute(make, {i: place})(f)
        return None

    # --- the shares ---

    def shared(self, entering: _Entering) -> list[Statement]:
        """What stands for a loop, and the variable for how many classes there are."""
        make, run, extent, table = self.make, entering.run, entering.extent, entering.table
        _, elements, _, length = run.arguments[:4]
        assert isinstance(elements, Buffer) and isinstance(length, Exp)
        done, end = [make.between(name, (make.zero,), (extent,)) for name in ("entered", "end")]
        shares = Var(make.fresh("shares"), Base.INT, True, (make.one,))
        work = make.const(PER_ITEM if entering.streamed is None else PER_POINT)
        sharing: tuple[Buffer | Exp, ...] = (table, done, extent, length, work)
        share = make.index("share", shares)
        body = self.share(entering, share, lambda number: self.cut(done, end, shares, number))
        rounds: tuple[Statement, ...] = (
            RuntimeCall("aplc_items_share", HEADER, sharing, (shares, end), run.site, in_threads=True),
            ForEach(Space((share,), (shares,)), body, independent=True, is_share=True),
            Assign(done, end),
        )
        joined: tuple[Buffer | Exp, ...] = (table, elements)
        join = run.function.rsplit("_", 1)[0] + "_join"
        if _is_numbered(run):
            join, joined = f"{join}_numbers", (*joined, extent, run.arguments[-1])
        every = Var(make.fresh("all"), Base.INT, True, (make.zero,))
        classes = [] if entering.classes is None else [Assign(entering.classes.var, every)]
        return [
            Variable(done, make.zero),
            While(make.call(p.LTI, done, extent), rounds),
            RuntimeCall(join, HEADER, joined, (every,), run.site, in_threads=True, only_reads=(elements,)),
            *classes,
        ]

    def share(self, entering: _Entering, share: Var, cut: Callable[[Exp], Exp]) -> tuple[Statement, ...]:
        """What is done for a share; it is told where the share of a number would begin, but for items."""
        make, table = self.make, entering.table
        own = Buffer(make.fresh("own"), table.ty, table.storage)
        begins, begin = self.begin(entering, cut(share))
        ends, end = self.begin(entering, cut(make.add(share, make.one)))
        seen = Var(make.fresh("seen"), Base.INT, True, (make.zero,))
        first = {entering.place.name: begin}
        counted: Exp = make.zero
        if entering.streamed is not None:
            before = entering.run.arguments[6]
            assert isinstance(before, Var)
            counted, first[before.name] = before, seen
        return (
            *entering.memory,
            Empty(own),
            RuntimeCall("aplc_items_take", HEADER, (table, share, own), (seen,), only_reads=(table,)),
            *begins,
            *ends,
            *[replace(s, value=first.get(s.var.name, s.value)) for s in entering.states],
            self.one(entering, own, end),
            RuntimeCall("aplc_items_give", HEADER, (table, share, own, counted), only_reads=(table,)),
            *[Free(b) for b in (own, *[a.buffer for a in entering.memory])],
        )

    def cut(self, start: Var, stop: Var, shares: Var, number: Exp) -> Exp:
        """Where the share of a number begins, if all are as long but for one."""
        make = self.make
        count = make.sub(stop, start)
        each = make.call(QUOT, count, shares)
        more = make.call(p.MINI, number, make.sub(count, make.mul(each, shares)))
        return make.add(make.add(start, make.mul(each, number)), more)

    def begin(self, entering: _Entering, cut: Exp) -> tuple[tuple[Statement, ...], Var]:
        """Where a share begins from a place on, between items: the statements that tell, and a variable."""
        make = self.make
        var = make.between("begin", (make.zero,), ())
        odd = make.false if entering.streamed is None else self.odd(entering, var)
        assert odd is not None
        if odd is make.false:
            return (HostLet(var, cut),), var
        goes_on = make.select(make.call(p.LTI, var, entering.extent), odd, make.false)
        return (Variable(var, cut), While(goes_on, (Assign(var, make.add(var, make.one)),))), var

    def one(self, entering: _Entering, own: Buffer, end: Var) -> While:
        """The loop over a share, which enters items in a table of its own."""
        make, place, run = self.make, entering.place, entering.run
        assert isinstance(entering.size.value, Call)
        left = make.sub(entering.extent, place)
        most = [make.sub(end, place) if e is left else e for e in entering.size.value.args]
        size = replace(entering.size, value=make.call(p.MINI, *most))
        reads = tuple([b for b in run.arguments[1:3] if isinstance(b, Buffer)])

        def changed(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
            result: list[Statement] = []
            for statement in statements:
                match statement:
                    case HostLet() if statement is entering.size:
                        result.append(size)
                    case RuntimeCall():
                        result.append(replace(run, arguments=(own, *run.arguments[1:]), only_reads=reads))
                    case Assign(value=value) if value in run.written:
                        pass
                    case _:
                        result.append(with_bodies(statement, changed))
            return tuple(result)

        return While(make.call(p.LTI, place, end), changed(entering.loop.body))


def _is_numbered(run: RuntimeCall) -> bool:
    """Whether a function gives the items the numbers of their classes."""
    return run.function.endswith("_add")
