"""Vectors that grow and shrink in loops stay where they are: what is added is written beside what is there.

A round that makes an array of what it keeps of an old one, with something in front or behind, writes all of
it to new memory, so that a loop takes time in the square of its rounds. Where the old array is dead then, as
its memory is given up for the new one, the elements stay where they are:

    alloc b[n + m]; MAP b[i] = i < n ? a[i] : f(i); take a from b
        →    if n + m > room { alloc c[(n + m) ⌈ 2 × room]; MAP c[j] = a[j]; take a from c; room := … }
             MAP a[n + j] = f(n + j)

Of one that only keeps fewer nothing is left to do: its length is a variable. `room` is for how many elements
the memory of `a` suffices at least. It is 0 wherever that is not known, so that what comes next is written to
new memory. Other axes than the first one may follow in the index. An array of nothing that is there begins
in the same memory.

Where something is taken from or added in front, the array begins at `start` in its memory (`starts`), which
all who read it add:

    alloc b[n - 1 + m]; MAP b[i] = i < n - 1 ? a[i + 1] : f(i); take a from b
        →    begin = start + 1; if begin + n - 1 + m > room { …; start := 0 } else { start := begin }
             MAP a[start + n - 1 + j] = f(n - 1 + j)

What is added may be made of what is there (`a,2↑a`, `(¯2↓a),⌽¯2↑a`), which is read before any of it is
written. Who reads the old array until its memory is given up does so before that, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from aplc.laila.ir.liveness import introduced, mentioned, named
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    ForEach,
    Free,
    HostLet,
    If,
    Map,
    Move,
    Program,
    Ref,
    Space,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import QUOT, Buffer, Const, Exp, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, leaves, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index
from aplc.laila.transform.buffers.array_updates import Update, Updates, is_zero
from aplc.laila.transform.buffers.branch_facts import Told
from aplc.laila.transform.buffers.pieces import Pieces
from aplc.laila.transform.buffers.starts import may_begin_later, shifted
from aplc.laila.transform.narrow import Narrowing
from aplc.tail import prims as p
from aplc.tail.types import Base

Statements = tuple[Statement, ...]

SOME = 256
"""What moves along in its memory has room for so many more elements, and for as many as it has."""


def with_room(program: Program, make: ExprBuilder) -> Program:
    """The program with arrays that grow and shrink in place in its loops."""
    functions = tuple(
        [replace(f, statements=_block(f.statements, _given(f.results), make)) for f in program.functions]
    )
    return replace(program, statements=_block(program.statements, frozenset(), make), functions=functions)


def _given(results: Sequence[Ref]) -> frozenset[Buffer]:
    return frozenset([leaf.buffer for r in results for leaf in leaves(r) if isinstance(leaf, ArrayRef)])


def _block(statements: Sequence[Statement], results: frozenset[Buffer], make: ExprBuilder) -> Statements:
    """A sequence of statements in which the arrays that begin there are in place, and those inside it."""
    block = tuple([with_bodies(s, lambda inner: _block(inner, results, make)) for s in statements])
    moved = {m.target for s in block for m in _moves_in_loops(s)}
    for old in [b for s in block for b in introduced(s) if b in moved]:
        block = _InPlace(make, old, old not in results).all_of(block)
    return block


def _is_loop(statement: Statement) -> bool:
    return isinstance(statement, While) or (isinstance(statement, ForEach) and not statement.independent)


def _moves_in_loops(statement: Statement) -> Iterator[Move]:
    if _is_loop(statement):
        yield from [s for s in within((statement,)) if isinstance(s, Move)]
    elif not isinstance(statement, ForEach):
        for body in bodies(statement):
            for inner in body:
                yield from _moves_in_loops(inner)


@dataclass(slots=True)
class _InPlace:
    """An array that loops change in place, and what is known of its memory."""

    make: ExprBuilder
    old: Buffer
    is_ours: bool
    """Whether it is none of the results of a function, which begin where their memory does."""
    room: Var | None = None
    start: Var | None = None
    fronts: bool = False
    """Whether something is added in front of it,"""
    backs: bool = False
    """and behind it."""
    larger: set[Buffer] = field(default_factory=set)
    """What gives it more memory."""

    @property
    def updates(self) -> Updates:
        """What statements make of it."""
        return Updates(self.make, self.old)

    def all_of(self, block: Statements, *, may_turn: bool = True) -> Statements:
        """The statements among which the array begins, with its changes in place. It `may_turn` out that what
        they leave in its memory has to begin where that does.
        """
        make, old = self.make, self.old
        at = next(k for k, s in enumerate(block) if old in introduced(s))
        scope = block[at + 1 :]
        found = [u for b in _in_loops(scope, make) for u in self.updates.of(b)]
        self.room, self.start = None, None
        may_turn = may_turn and self.is_ours and may_begin_later(old, scope)
        if may_turn and any(u.turns for u in found):
            self.start = Var(make.fresh("start"), Base.INT, True, (make.zero,))
        else:
            found = [u for u in found if not u.turns]
        grown = [u.pieces for u in found if u.pieces is not None and u.adds]
        self.fronts = any(not is_zero(g.front) for g in grown)
        self.backs = any(not is_zero(g.more) for g in grown)
        if grown:
            self.room = Var(make.fresh("room"), Base.INT, True, (make.zero,))
        elif all(u.pieces is None for u in found):
            return block
        first = block[at]
        changed = self.inside(scope, in_loop=False)
        if self.start is not None and not may_begin_later(old, changed):
            return self.all_of(block, may_turn=False)
        after = self.with_memory_known(changed)
        begun: list[Statement] = [first]
        if self.room is not None:
            size = first.size if isinstance(first, Alloc) else make.zero
            begun.append(Variable(self.room, size))
        if self.start is not None:
            begun.append(Variable(self.start, make.zero))
            after = shifted(after, old, self.start, make)
        return (*block[:at], *begun, *after)

    def inside(self, block: Sequence[Statement], *, in_loop: bool) -> Statements:
        """Statements that change the array in place, in loops."""
        result: list[Statement] = []
        told = Told(self.make)
        for statement in block:
            if isinstance(statement, ForEach) and statement.independent:
                result.append(statement)
                continue
            looped = in_loop or _is_loop(statement)
            inner = iter([self.inside(body, in_loop=looped) for body in told.bodies(statement)])
            result.append(with_bodies(statement, lambda body, inner=inner: next(inner)))  # type: ignore[misc]
        while in_loop:
            update = next((u for u in self.updates.of(result) if self.is_chosen(u)), None)
            if update is None:
                break
            result = self.in_place(result, update)
        return tuple(result)

    def is_chosen(self, update: Update) -> bool:
        """Whether an update is made in place."""
        if update.pieces is None:
            return self.room is not None
        return (self.start is not None or not update.turns) and (self.room is not None or not update.adds)

    def in_place(self, block: Sequence[Statement], update: Update) -> list[Statement]:
        """A block that changes the array instead of writing another one."""
        alloc = block[update.start]
        assert isinstance(alloc, Alloc)
        place = self.updates.place(block, update)
        first, then = self.changes(update, alloc)
        result: list[Statement] = []
        for k, statement in enumerate(block):
            if k == update.written:
                result += first
            if k == place:
                result += then
            if k not in (update.start, update.written, update.end):
                result.append(statement)
        merged = {update.new: self.old}
        renaming = Narrowing(self.make, Ranges(is_single=self.make.settings.is_single), merged)
        rest = [update.new in mentioned(s) for s in result]
        return [renaming.statements((s,))[0] if is_new else s for s, is_new in zip(result, rest, strict=True)]

    def changes(self, update: Update, alloc: Alloc) -> tuple[list[Statement], list[Statement]]:
        """What is computed where the array would be written, and what changes it."""
        pieces, make = update.pieces, self.make
        if pieces is None:
            return [], self.begun_anew(alloc)
        row = make.product(pieces.made.space.extents[1:])
        size = make.mul(pieces.made.space.extents[0], row)
        if not update.adds:
            return [], self.kept(pieces, size)
        before, writes = self.written(update, alloc)
        begin: Var | None = None
        then: list[Statement] = []
        if self.start is not None:
            begin = Var(make.fresh("begin"), Base.INT)
            then.append(HostLet(begin, make.add(self.start, pieces.shift)))
        then.append(self.moved_to_room(pieces, row, size, begin, alloc))
        return before, [*then, *writes]

    def begun_anew(self, alloc: Alloc) -> list[Statement]:
        """Memory for an array of nothing that is there: what there is, or more."""
        assert self.room is not None
        more = self.more()
        fresh = Alloc(more, alloc.size, alloc.site), Move(self.old, more), self.now(self.room, alloc.size)
        anew: list[Statement] = [If(self.make.call(p.GTI, alloc.size, self.room), fresh)]
        return anew if self.start is None else [*anew, self.now(self.start, self.make.zero)]

    def kept(self, pieces: Pieces, size: Exp) -> list[Statement]:
        """What is to be done where an array only has fewer elements."""
        if self.start is None or is_zero(pieces.shift):
            return []
        make = self.make
        begin = make.add(self.start, pieces.shift)
        is_any = make.call(p.GTI, size, make.zero)
        return [self.now(self.start, make.select(is_any, begin, make.zero))]

    def moved_to_room(
        self, pieces: Pieces, row: Exp, size: Exp, begin: Var | None, alloc: Alloc
    ) -> Statement:
        """Other memory for what is kept, where there is too little for what is added."""
        make, old, room, start = self.make, self.old, self.room, self.start
        assert room is not None
        front, kept = make.mul(pieces.front, row), make.mul(pieces.kept, row)
        more = self.more()
        j = make.index("j", kept)
        place: Exp = make.zero
        if start is None or begin is None:
            wanted = make.call(p.MAXI, size, make.add(room, room))
            is_less = make.call(p.GTI, size, room)
        else:
            wanted = make.add(make.add(size, size), make.const(SOME))
            is_less = make.call(p.GTI, make.add(begin, size), room)
            if not (is_zero(front) and make.nonnegative(pieces.shift)):
                is_less = make.call(p.ORB, make.call(p.LTI, begin, make.zero), is_less)
            if self.fronts:
                place = make.sub(wanted, size)
                place = make.call(QUOT, place, make.const(2)) if self.backs else place
        source = make.add(make.add(front, pieces.shift), j)
        copied = Map(more, Space((j,), (kept,)), make.add(make.add(place, front), j), make.read(old, source))
        fresh = Alloc(more, wanted, alloc.site)
        larger: tuple[Statement, ...] = (fresh, copied, Move(old, more), self.now(room, wanted))
        if start is None or begin is None:
            return If(is_less, larger)
        return If(is_less, (*larger, self.now(start, place)), (self.now(start, begin),))

    def written(self, update: Update, alloc: Alloc) -> tuple[list[Statement], list[Statement]]:
        """What is added: what is computed before the array changes, and the writing of it."""
        pieces, make, old = update.pieces, self.make, self.old
        assert pieces is not None
        before: list[Statement] = []
        writes: list[Statement] = []
        i, *others = pieces.made.space.indices
        _, *widths = pieces.made.space.extents
        is_read = self.updates.is_read(pieces)
        for first, count in ((make.zero, pieces.front), (pieces.behind, pieces.more)):
            if is_zero(count):
                continue
            if self.updates.are_scalars(pieces):
                for row in range(_number(count)):
                    self.scalars(update, make.add(first, make.const(row)), before, writes)
                continue
            j = make.index("i", count)
            replaced = Substitute(make, {i: make.add(first, j)})
            space = Space((j, *others), (count, *widths))
            position, value = replaced(pieces.made.position), replaced(pieces.made.body)
            if is_read:
                ahead = replace(old, name=make.fresh("ahead"))
                place = from_index(make, space.extents, space.indices)
                before += [
                    Alloc(ahead, make.product(space.extents), alloc.site),
                    Map(ahead, space, place, value),
                ]
                writes += [Map(old, space, position, make.read(ahead, place)), Free(ahead)]
            else:
                writes.append(Map(old, space, position, value))
        return before, writes

    def scalars(self, update: Update, row: Exp, before: list[Statement], writes: list[Statement]) -> None:
        """The elements of a row, computed first and written then."""
        make, pieces = self.make, update.pieces
        assert pieces is not None
        for column in product(*[range(_number(n)) for n in pieces.made.space.extents[1:]]):
            value = _at(pieces.made, row, column, pieces.made.body, make)
            if update.versions is not None:
                cond, other = update.versions
                value = make.select(cond, _at(other.made, row, column, other.made.body, make), value)
            position = _at(pieces.made, row, column, pieces.made.position, make)
            if not isinstance(value, Var | Const):
                var = Var(make.fresh("v"), value.ty)
                before.append(HostLet(var, value))
                value = var
            writes.append(Store(self.old, position, value))

    def more(self) -> Buffer:
        """Other memory for the array."""
        more = replace(self.old, name=self.make.fresh("more"))
        self.larger.add(more)
        return more

    def now(self, var: Var, value: Exp) -> Assign:
        """What is noted of the memory."""
        return Assign(var, value, of_memory=True)

    def with_memory_known(self, block: Sequence[Statement]) -> Statements:
        """Statements that note where the array gets memory of which nothing is known."""
        result: list[Statement] = []
        for statement in block:
            result.append(with_bodies(statement, self.with_memory_known))
            if not isinstance(statement, Move | Swap) or self.old not in named(statement):
                continue
            if isinstance(statement, Move) and statement.source in self.larger:
                continue
            result += [self.now(v, self.make.zero) for v in (self.room, self.start) if v is not None]
        return tuple(result)


def _at(made: Map, row: Exp, column: tuple[int, ...], exp: Exp, make: ExprBuilder) -> Exp:
    """An expression of a map at one point."""
    i, *others = made.space.indices
    places: dict[Exp, Exp] = {i: row}
    places |= {v: make.const(k) for v, k in zip(others, column, strict=True)}
    return Substitute(make, places)(exp)


def _number(exp: Exp) -> int:
    assert isinstance(exp, Const)
    return int(exp.value)


def _in_loops(
    block: Sequence[Statement], make: ExprBuilder, *, in_loop: bool = False
) -> Iterator[Sequence[Statement]]:
    """The sequences of statements in loops whose rounds come one after the other, each with what is told."""
    if in_loop:
        yield block
    told = Told(make)
    for statement in block:
        if not (isinstance(statement, ForEach) and statement.independent):
            for body in told.bodies(statement):
                yield from _in_loops(body, make, in_loop=in_loop or _is_loop(statement))
