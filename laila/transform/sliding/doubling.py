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

Where only the run knows the length, the digits of the length are walked in each block, and the loop as it was
is there for lengths for which that does not pay:

        MAP b[j] = f(first+j) over j < count+k-1;  MAP s[j] = 0 over j < count;  rest = k; width = 1; at = 0
        while rest > 0 {
            if rest is odd { MAP s[j] = s[j] + b[at+j] over j < count; at += width }
            rest = rest quot 2
            if rest > 0 { MAP c[j] = b[j] + b[j+width] over j < count+k-2×width; width = 2×width }
            the same with b and c exchanged
        }

Legal: the fold is associative, its body cannot fail, and the length is the same for all windows. Sums of
doubles have another order then, as those of every other fold. Profitable from `SHORTEST` on, or
`SHORTEST_OF_DIGITS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.program import (
    Alloc,
    Assign,
    ForEach,
    Free,
    Fused,
    HostLet,
    If,
    Map,
    Program,
    Space,
    Statement,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    QUOT,
    REM,
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

SHORTEST_OF_DIGITS = 24
"""The same where only the run knows it."""

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
    length: Exp
    place: Var
    element: Exp

    @property
    def is_sum(self) -> bool:
        """Whether windows may not overlap."""
        return self.fold.combine in SUMS


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
                continue
            blocks = self.in_blocks(statement, maps, windows, site)
            pays = self.pays(windows)
            result.append(blocks if pays is self.make.true else If(pays, (blocks,), (statement,)))
        return tuple(result)

    def pays(self, windows: list[_Window]) -> Exp:
        """Whether lengths that only the run knows are such that it pays."""
        make = self.make
        pays: Exp = make.true
        for length in dict.fromkeys([w.length for w in windows if not isinstance(w.length, Const)]):
            pays = make.call(p.ANDB, pays, make.call(p.LTEI, make.const(SHORTEST_OF_DIGITS), length))
            pays = make.call(p.ANDB, pays, make.call(p.LTEI, length, make.const(LONGEST)))
        return pays

    def windows_of(self, maps: tuple[Map, ...]) -> list[_Window]:
        """The folds of maps over the same space, if all are of windows along its innermost axis."""
        inner = list(nodes(*[q.body for q in maps]))
        written = {q.buffer for q in maps}
        if any(isinstance(n, BlockExp) or (isinstance(n, Read) and n.buffer in written) for n in inner):
            return []
        folds = [n for n in inner if isinstance(n, Fold)]
        place = Var(self.make.fresh("j"), Base.INT, is_index=True, lows=(self.make.zero,))
        windows = [self.window_of(fold, maps[0].space.indices, place) for fold in folds]
        return [w for w in windows if w is not None] if None not in windows else []

    def window_of(self, fold: Fold, indices: tuple[Var, ...], place: Var) -> _Window | None:
        """A fold of a window, where what it runs over depends on its place in the array alone."""
        i = indices[-1]
        is_sum = fold.combine in SUMS and not (fold.combine is p.ADDD and self.make.settings.strict_fp)
        if not (fold.combine in OVERLAPPING or is_sum) or self.make.may_fail(fold.body):
            return None
        match fold.extent:
            case Const(value=length):
                if not SHORTEST <= length <= LONGEST:
                    return None
            case Var():
                pass
            case _:
                return None
        if fold.extent in indices:
            return None
        element = Substitute(self.make, {i: self.make.sub(place, fold.var)})(fold.body)
        free = self.free.of(element)
        is_of_place = place in free and free.isdisjoint((fold.var, i))
        return _Window(fold, fold.extent, place, element) if is_of_place else None

    def in_blocks(
        self, statement: Statement, maps: tuple[Map, ...], windows: list[_Window], site: Site
    ) -> Statement:
        """Maps in blocks."""
        make = self.make
        *outer, i = maps[0].space.indices
        *sizes, n = maps[0].space.extents
        size: Exp = make.const(BLOCK)
        for length in dict.fromkeys([w.length for w in windows]):
            size = make.call(p.MAXI, size, make.mul(make.const(2), length))
        blocks = make.call(QUOT, make.sub(make.add(n, size), make.one), size)
        block = make.index("block", blocks)
        first = Var(make.fresh("first"), Base.INT, True, (make.zero,), make.last_indices(n))
        count = Var(make.fresh("count"), Base.INT, True, (make.zero,), (size,))
        body: list[Statement] = [
            HostLet(first, make.mul(block, size)),
            HostLet(count, make.call(p.MINI, size, make.sub(n, first))),
        ]
        x = make.index(i.name, count)
        whole: dict[Exp, Exp] = {}
        memory: list[Buffer] = []
        alike: dict[tuple[object, Exp, Exp], list[_Window]] = {}
        for window in windows:
            alike.setdefault((window.fold.combine, window.length, window.element), []).append(window)
        for same in alike.values():
            maker = _Steps if isinstance(same[0].length, Const) else _Digits
            steps = maker(make, same[0], first, count, size, site)
            made = steps.whole(x)
            whole |= {window.fold: made for window in same}
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
    size: Exp
    site: Site
    statements: list[Statement] = field(default_factory=list)
    memory: list[Buffer] = field(default_factory=list)
    spare: list[Buffer] = field(default_factory=list)

    @property
    def length(self) -> int:
        """The length of windows, which is known."""
        assert isinstance(self.window.length, Const)
        return int(self.window.length.value)

    def whole(self, x: Var) -> Exp:
        """The window of the whole length that begins at a place, behind the statements."""
        return self.part()(x)

    def part(self) -> _Part:
        """The windows of the whole length, which the last map makes."""
        length, is_sum = self.length, self.window.is_sum
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
            self.statements.append(Alloc(buffer, make.add(self.size, self.window.length), self.site))
        many = make.add(self.count, make.const(self.length - part.length))
        j = make.index("j", many)
        self.statements.append(Map(buffer, Space((j,), (many,)), j, part(j)))
        a, b, _ = part.of or (part, part, 0)
        for old in (a,) if a is b else (a, b):
            if old.buffer is not None and old is not kept:
                self.spare.append(old.buffer)
        return _Part(self, part.length, buffer)

    def storage(self) -> str:
        return _storage(self.window)


def _storage(window: _Window) -> str:
    """How windows are stored: as the elements of which they are the extrema, if these are in memory."""
    if isinstance(window.element, Read) and window.fold.combine in OVERLAPPING:
        return window.element.buffer.storage
    return STORAGE[window.fold.ty]


@dataclass(slots=True)
class _Digits:
    """The windows of a block whose length only the run knows."""

    make: ExprBuilder
    window: _Window
    first: Var
    count: Var
    size: Exp
    site: Site
    statements: list[Statement] = field(default_factory=list)
    memory: list[Buffer] = field(default_factory=list)

    def whole(self, x: Var) -> Exp:
        """The window of the whole length that begins at a place, behind the statements."""
        make, length, count, window = self.make, self.window.length, self.count, self.window
        two = make.const(2)
        width, rest, at = [
            Var(make.fresh(name), Base.INT, True, (make.zero,)) for name in ("width", "rest", "at")
        ]
        short, longer = [self.allocated(make.add(self.size, length)) for _ in range(2)]
        behind = self.allocated(self.size) if window.is_sum else None
        many = make.sub(make.add(count, length), make.one)
        self.statements += [
            self.map(short, many, self.element),
            Variable(width, make.one),
            Variable(rest, length),
        ]
        if behind is not None:
            zero = make.const(0.0 if behind.ty is Base.DOUBLE else 0)
            self.statements += [self.map(behind, count, lambda j: zero), Variable(at, make.zero)]

        now_width, now_rest, now_at = [Var(make.fresh(v.name), v.ty, True, v.lows) for v in (width, rest, at)]
        state = [(now_width, width), (now_rest, rest), *([(now_at, at)] if behind is not None else [])]

        def digit(
            given: Buffer, doubled: Buffer, then: Sequence[Statement], end: Statement | None
        ) -> list[Statement]:
            """A digit of the length, from the lowest one."""
            found: list[Statement] = []
            if behind is not None:
                sums = self.map(
                    behind,
                    count,
                    lambda j: self.both(make.read(behind, j), make.read(given, make.add(j, now_at))),
                )
                is_odd = make.call(p.EQI, make.call(REM, now_rest, two), make.one)
                found.append(If(is_odd, (sums, Assign(now_at, make.add(now_at, now_width)))))
            many = make.sub(make.add(count, length), make.mul(two, now_width))
            pairs = self.map(
                doubled,
                many,
                lambda j: self.both(make.read(given, j), make.read(given, make.add(j, now_width))),
            )
            wider = Assign(now_width, make.mul(two, now_width))
            found.append(Assign(now_rest, make.call(QUOT, now_rest, two)))
            found.append(If(is_left, (pairs, wider, *then), (end,) if end is not None else ()))
            return found

        is_left = make.call(p.LTI, make.zero, now_rest)
        many = make.sub(make.add(count, length), now_width)
        back = None if window.is_sum else self.map(short, many, lambda j: make.read(longer, j))
        two_digits = digit(short, longer, digit(longer, short, (), back), None)
        begin, end = [Variable(now, v) for now, v in state], [Assign(v, now) for now, v in state]
        goes_on = make.call(p.LTI, make.zero, rest)
        self.statements.append(While(goes_on, (*begin, *two_digits, *end)))
        if behind is not None:
            return make.read(behind, x)
        last = make.add(x, make.sub(length, width))
        return self.both(make.read(short, x), make.read(short, last))

    def element(self, j: Var) -> Exp:
        """What a window begins with at a place of the block."""
        return Substitute(self.make, {self.window.place: self.make.add(self.first, j)})(self.window.element)

    def both(self, a: Exp, b: Exp) -> Exp:
        """Two windows, one behind the other, or overlapping."""
        assert not isinstance(self.window.fold.combine, Step)
        return self.make.call(self.window.fold.combine, a, b)

    def map(self, buffer: Buffer, many: Exp, body: Callable[[Var], Exp]) -> Map:
        """So many elements that are written to memory."""
        j = self.make.index("j", many)
        return Map(buffer, Space((j,), (many,)), j, body(j))

    def allocated(self, size: Exp) -> Buffer:
        """Memory for so many windows."""
        buffer = Buffer(self.make.fresh("windows"), self.window.fold.ty, _storage(self.window))
        self.memory.append(buffer)
        self.statements.append(Alloc(buffer, size, self.site))
        return buffer
