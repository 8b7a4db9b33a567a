"""Folds of sliding windows by windows of half the length, block by block.

Where each element is a fold of so many neighbours, and what the fold runs over depends only on where the
window and the place in it are together, neighbouring windows share almost all of their work:

    MAP a[i] = REDUCE max f(i+k) over k < 100, over i < n
    →   for each block {
            first = block×1024; count = 1024 min n-first
            MAP b[j] = f(first+j) max f(first+j+1) over j < count+98        the windows of two
            MAP c[j] = b[j] max b[j+2] over j < count+96                    of four, and so on up to 64
            MAP a[first+i] = c[i] max c[i+36] over i < count
        }

Two windows of 64 cover one of 100; of an extremum they may overlap. A sum is put together of windows whose
lengths are the powers of two in its own length, one behind the other. So a window of k elements takes about
2×log k operations in the place of k, and f is computed once for each element in the place of k times.

Legal: the fold is associative, its body cannot fail, and windows have a known length. Sums of doubles have
another order then, as those of every other fold. Profitable from `SHORTEST` on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.program import Alloc, ForEach, Free, Fused, HostLet, Map, Program, Space, Statement
from aplc.laila.ir.scalar import (
    QUOT,
    BlockExp,
    Buffer,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Site,
    Step,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail import prims as p
from aplc.tail.types import Base

OVERLAPPING = frozenset((p.MAXI, p.MINI, p.MAXD, p.MIND, p.ANDB, p.ORB))
"""Folds of which two windows may share elements."""

SUMS = frozenset((p.ADDI, p.ADDD))

SHORTEST = 16
"""The length of windows from which on it pays."""

LONGEST = 1 << 16
"""Longer ones are no longer near each other in memory."""

BLOCK = 1024
"""Elements at a time, or twice the length of a window: a few arrays of so many lie in the first cache."""


def with_windows_doubled(program: Program, make: ExprBuilder) -> Program:
    """The program with folds of long windows made of those of shorter ones."""
    return with_blocks(program, _Doubling(make).block)


@dataclass(frozen=True, slots=True)
class _Window:
    """A fold of a window, and what it runs over as a function of a place in the array."""

    fold: Fold
    length: int
    place: Var
    element: Exp


@dataclass(slots=True)
class _Doubling:
    make: ExprBuilder
    free: FreeVars = field(default_factory=FreeVars)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside them."""
        result: list[Statement] = []
        sites: dict[Buffer, Site] = {}
        for statement in statements:
            if isinstance(statement, Alloc):
                sites[statement.buffer] = statement.site
            maps = maps_of(statement)
            site = next((sites[q.buffer] for q in maps if q.buffer in sites), None)
            windows = self.windows_of(maps) if site is not None else []
            if site is None or not windows:
                result.append(with_bodies(statement, self.block))
            else:
                result.append(self.in_blocks(statement, maps, windows, site))
        return tuple(result)

    def windows_of(self, maps: tuple[Map, ...]) -> list[_Window]:
        """The folds of maps over the same space, if all are of windows along its innermost axis."""
        inner = list(nodes(*[q.body for q in maps]))
        written = {q.buffer for q in maps}
        if any(isinstance(n, BlockExp) or (isinstance(n, Read) and n.buffer in written) for n in inner):
            return []
        folds = [n for n in inner if isinstance(n, Fold)]
        windows = [self.window_of(fold, maps[0].space.indices[-1]) for fold in folds]
        return [w for w in windows if w is not None] if None not in windows else []

    def window_of(self, fold: Fold, i: Var) -> _Window | None:
        """A fold of a window, where what it runs over depends on its place in the array alone."""
        is_sum = fold.combine in SUMS and not (fold.combine is p.ADDD and self.make.settings.strict_fp)
        if not (fold.combine in OVERLAPPING or is_sum) or not isinstance(fold.extent, Const):
            return None
        length = int(fold.extent.value)
        if not SHORTEST <= length <= LONGEST or self.make.may_fail(fold.body):
            return None
        place = Var(self.make.fresh("j"), Base.INT, is_index=True, lows=(self.make.zero,))
        element = Substitute(self.make, {i: self.make.sub(place, fold.var)})(fold.body)
        free = self.free.of(element)
        is_of_place = place in free and free.isdisjoint((fold.var, i))
        return _Window(fold, length, place, element) if is_of_place else None

    def in_blocks(
        self, statement: Statement, maps: tuple[Map, ...], windows: list[_Window], site: Site
    ) -> Statement:
        """Maps in blocks."""
        make = self.make
        *outer, i = maps[0].space.indices
        *sizes, n = maps[0].space.extents
        size = max(BLOCK, *[2 * w.length for w in windows])
        blocks = make.call(QUOT, make.add(n, make.const(size - 1)), make.const(size))
        block = make.index("block", blocks)
        first = Var(make.fresh("first"), Base.INT, True, (make.zero,), make.last_indices(n))
        count = Var(make.fresh("count"), Base.INT, True, (make.zero,), (make.const(size),))
        body: list[Statement] = [
            HostLet(first, make.mul(block, make.const(size))),
            HostLet(count, make.call(p.MINI, make.const(size), make.sub(n, first))),
        ]
        x = make.index(i.name, count)
        whole: dict[Exp, Exp] = {}
        memory: list[Buffer] = []
        for window in windows:
            steps = _Steps(make, window, first, count, size, site)
            whole[window.fold] = steps.whole()(x)
            body += steps.statements
            memory += steps.memory
        own = Substitute(make, whole)
        change = Substitute(make, {i: make.add(first, x)})
        space = Space((x,), (count,))
        moved = [replace(q, space=space, position=change(q.position), body=change(own(q.body))) for q in maps]
        if isinstance(statement, Fused):
            body.append(replace(statement, space=space, parts=tuple(moved)))
        else:
            body += moved
        body += [Free(b) for b in memory]
        return ForEach(Space((*outer, block), (*sizes, blocks)), tuple(body), independent=True)


def maps_of(statement: Statement) -> tuple[Map, ...]:
    """The maps that a statement is, all over its space; none for something else."""
    match statement:
        case Map():
            parts: tuple[object, ...] = (statement,)
        case Fused(parts=parts, in_place=False):
            pass
        case _:
            return ()
    maps = tuple([q for q in parts if isinstance(q, Map) and q.guard is None and not q.ordered])
    return maps if len(maps) == len(parts) else ()


@dataclass(frozen=True, slots=True)
class _Part:
    """Windows of one length, at places of a block: in memory, or of two kinds so far apart, or elements."""

    steps: _Steps
    length: int
    buffer: Buffer | None = None
    of: tuple[_Part, _Part, int] | None = None

    def before(self, other: _Part) -> _Part:
        """The windows of both, the others behind these."""
        return _Part(self.steps, self.length + other.length, of=(self, other, self.length))

    def __call__(self, x: Exp) -> Exp:
        """The window that begins at a place."""
        make, window = self.steps.make, self.steps.window
        if self.buffer is not None:
            return make.read(self.buffer, x)
        if self.of is None:
            return Substitute(make, {window.place: make.add(self.steps.first, x)})(window.element)
        a, b, apart = self.of
        assert not isinstance(window.fold.combine, Step)
        return make.call(window.fold.combine, a(x), b(make.add(x, make.const(apart))))


@dataclass(slots=True)
class _Steps:
    """The windows of a block, each of two that are shorter."""

    make: ExprBuilder
    window: _Window
    first: Var
    count: Var
    size: int
    site: Site
    statements: list[Statement] = field(default_factory=list)
    memory: list[Buffer] = field(default_factory=list)
    spare: list[Buffer] = field(default_factory=list)

    def whole(self) -> _Part:
        """The windows of the whole length, which the last map makes."""
        length, is_sum = self.window.length, self.window.fold.combine in SUMS
        part = _Part(self, 1)
        if not isinstance(self.window.element, Read):
            part = self.written(part)
        behind: _Part | None = None  # of a sum, the windows of the lower digits of its length
        for k in range(length.bit_length() - 1):
            if is_sum and length >> k & 1:
                behind = part if behind is None else self.written(behind.before(part), kept=part)
            part = self.written(part.before(part), kept=behind)
        if is_sum:
            return part if behind is None else behind.before(part)
        return _Part(self, length, of=(part, part, length - part.length))

    def written(self, part: _Part, kept: _Part | None = None) -> _Part:
        """Windows in memory; that of those they are made of is free again, but for what is kept."""
        make = self.make
        if self.spare:
            buffer = self.spare.pop()
        else:
            buffer = Buffer(make.fresh("windows"), self.window.fold.ty, self.storage())
            self.memory.append(buffer)
            self.statements.append(Alloc(buffer, make.const(self.size + self.window.length), self.site))
        many = make.add(self.count, make.const(self.window.length - part.length))
        j = make.index("j", many)
        self.statements.append(Map(buffer, Space((j,), (many,)), j, part(j)))
        a, b, _ = part.of or (part, part, 0)
        for old in (a,) if a is b else (a, b):
            if old.buffer is not None and old is not kept:
                self.spare.append(old.buffer)
        return _Part(self, part.length, buffer)

    def storage(self) -> str:
        """How windows are stored: as the elements of which they are the extrema, if these are in memory."""
        element = self.window.element
        if isinstance(element, Read) and self.window.fold.combine in OVERLAPPING:
            return element.buffer.storage
        return STORAGE[self.window.fold.ty]
