"""Arrays of a few elements that the rounds of a loop change, as scalars.

    while k < n { MAP b[i] = e(i) over i < 3; swap a b; k := k + 1 }
        →   x := a[0]; y := a[1]; z := a[2]
            while k < n { x', y', z' = e(0), e(1), e(2); x := x'; y := y'; z := z'; k := k + 1 }
            put a[0] = x; …

An element that one instruction writes and a wider one reads, or one beside it, waits for memory; scalars stay
in registers. All places must be known once the maps of a few elements are written out. Where each element
depends on itself alone, vectors do as well, and the arrays stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Free,
    Fused,
    HostCheck,
    HostLet,
    If,
    Map,
    Program,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Const, Exp, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, own_expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.lowering.pull import fill, weigh
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.unroll import FoldsWrittenOut
from aplc.tail.types import Base

FEW = 10
"""Elements of an array: for so many there are registers."""

MOST_WORK = 1000
"""What a round does once it is written out, roughly in cycles."""


def with_scalars(program: Program, make: ExprBuilder) -> Program:
    """The program with arrays of a few elements as scalars in loops."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    result: list[Statement] = []
    sizes: dict[Buffer, int] = {}
    for k, statement in enumerate(statements):
        statement = with_bodies(statement, lambda body: _block(body, make))
        if isinstance(statement, Alloc) and (size := _few(statement)) is not None:
            sizes[statement.buffer] = size
        if isinstance(statement, While):
            later = {b for s in statements[k + 1 :] if not isinstance(s, Free) for b in mentioned(s)}
            started = {b for s in result if not isinstance(s, Alloc) for b in mentioned(s)}
            result += _Loop(statement, sizes, make).in_scalars(started, later)
        else:
            result.append(statement)
    used = {b for s in result if not isinstance(s, Alloc | Free) for b in mentioned(s)}
    unused = set(sizes) - used
    return tuple([s for s in result if not (isinstance(s, Alloc | Free) and s.buffer in unused)])


def _few(statement: Alloc) -> int | None:
    """The number of elements of an array, if it is small and they are stored as what they are."""
    size, buffer = statement.size, statement.buffer
    is_exact = buffer.ty in (Base.INT, Base.BOOL) or buffer.storage == STORAGE[buffer.ty]
    is_few = isinstance(size, Const) and 1 < size.value <= FEW
    return int(size.value) if is_few and is_exact and isinstance(size, Const) else None


class _Unsuited(Exception):
    """An array has places that are not known."""


class _Loop:
    """A loop, and the arrays that may be scalars in it."""

    def __init__(self, loop: While, sizes: dict[Buffer, int], make: ExprBuilder) -> None:
        self.loop, self.make = loop, make
        has_sequences = contains(BlockExp, *[e for s in within((loop,)) for e in own_expressions(s)])
        inside = [s for s in within(loop.body) if isinstance(s, Alloc)]
        sizes = sizes | {s.buffer: size for s in inside if (size := _few(s)) is not None}
        named = () if has_sequences else mentioned(loop)
        self.elements = {b: self.scalars_of(b, sizes[b]) for b in named if b in sizes}
        self.new = {var for scalars in self.elements.values() for var in scalars}
        """The variables that this loop gets."""
        self.work = 0.0

    def scalars_of(self, buffer: Buffer, size: int) -> tuple[Var, ...]:
        """The scalars that an array becomes, with the bounds of its values."""
        make = self.make
        lows, highs = [(make.const(end),) for end in buffer.values] if buffer.values else ((), ())
        return tuple([Var(make.fresh("x"), buffer.ty, lows=lows, highs=highs) for _ in range(size)])

    def in_scalars(self, started: set[Buffer], later: set[Buffer]) -> list[Statement]:
        """The loop with scalars for arrays, of which some have elements before it and some are used later."""
        make = self.make
        if not self.elements or not self.mixes():
            return [self.loop]
        try:
            body = self.body(self.loop.body)
            cond = self.exp(self.loop.cond)
        except _Unsuited:
            return [self.loop]
        wanted = {var for buffer in later for var in self.elements.get(buffer, ())}
        body = self.without_dead(body, wanted | self.used(cond))
        before: list[Statement] = []
        after: list[Statement] = []
        for buffer, scalars in self.elements.items():
            for k, var in enumerate(scalars):
                place = make.const(k)
                first = make.read(buffer, place) if buffer in started else fill(make, buffer.ty)
                before.append(Variable(var, first))
                if buffer in later:
                    after.append(Store(buffer, place, var))
        return [*before, replace(self.loop, cond=cond, body=body), *after]

    def used(self, *exps: Exp) -> set[Var]:
        """The scalars of this loop in expressions."""
        return {n for n in nodes(*exps) if isinstance(n, Var) and n in self.new}

    def without_dead(self, body: tuple[Statement, ...], wanted: set[Var]) -> tuple[Statement, ...]:
        """The body of the loop without values that no round reads, nor what is behind the loop."""
        while True:
            live = set(wanted)
            kept = self.living(body, live)
            if live <= wanted:
                return kept
            wanted = wanted | live

    def living(self, statements: tuple[Statement, ...], live: set[Var]) -> tuple[Statement, ...]:
        """The statements that matter for what lives behind them; what lives before them afterwards."""
        kept: list[Statement] = []
        for statement in reversed(statements):
            match statement:
                case HostLet(var=var) | Assign(var=var) if var in self.new:
                    if var not in live:
                        continue
                    live.discard(var)
                    live |= self.used(statement.value)
                case If(cond=cond, then=then, other=other):
                    before = set(live)
                    then, other = self.living(then, live), self.living(other, before)
                    live |= before | self.used(cond)
                    statement = replace(statement, then=then, other=other)
                case _:
                    live |= self.used(*expressions(statement))
            kept.append(statement)
        return tuple(reversed(kept))

    def mixes(self) -> bool:
        """Whether elements are made one by one, or of others than those at their own place."""
        for statement in within(self.loop.body):
            if isinstance(statement, Store) and statement.buffer in self.elements:
                return True
            if isinstance(statement, Map) and statement.buffer in self.elements:
                reads = [
                    n for n in nodes(statement.body) if isinstance(n, Read) and n.buffer in self.elements
                ]
                if any(read.index is not statement.position for read in reads):
                    return True
        return False

    def exp(self, exp: Exp, at: dict[Exp, Exp] | None = None) -> Exp:
        """An expression with scalars for elements."""
        changed = _Scalars(self.make, at or {}, self.elements)(exp)
        if any(buffer in self.elements for buffer in buffers_read(changed)):
            raise _Unsuited
        return changed

    def element(self, buffer: Buffer, position: Exp) -> Var:
        """The scalar at a place of an array."""
        if not isinstance(position, Const) or not 0 <= position.value < len(self.elements[buffer]):
            raise _Unsuited
        return self.elements[buffer][int(position.value)]

    def body(self, statements: Iterable[Statement]) -> tuple[Statement, ...]:
        """Statements with scalars for elements."""
        return tuple([new for s in statements for new in self.statement(s)])

    def statement(self, statement: Statement) -> list[Statement]:
        """What a statement becomes."""
        if not any(b in self.elements for b in mentioned(statement)):
            return [statement]
        match statement:
            case HostLet() | Assign() | Variable() | HostCheck():
                return [rebuilt(statement, self.exp)]
            case If(cond=cond, then=then, other=other):
                given = self.body(then), self.body(other)
                return [replace(statement, cond=self.exp(cond), then=given[0], other=given[1])]
            case While(cond=cond, body=body):
                return [replace(statement, cond=self.exp(cond), body=self.body(body))]
            case Alloc() | Free():
                return []
            case Swap(first=first, second=second):
                return self.swapped(first, second)
            case Store(buffer=buffer, position=position, value=value):
                return self.written((buffer,), ((self.exp(position), self.exp(value)),))
            case Map():
                return self.map((statement,))
            case Fused(parts=parts) if all(isinstance(q, Map) for q in parts):
                return self.map(tuple([q for q in parts if isinstance(q, Map)]))
            case _:
                raise _Unsuited

    def swapped(self, first: Buffer, second: Buffer) -> list[Statement]:
        """Two arrays that change places."""
        if first not in self.elements or second not in self.elements:
            raise _Unsuited
        pairs = list(zip(self.elements[first], self.elements[second], strict=True))
        kept = [replace(x, name=self.make.fresh("t")) for x, _ in pairs]
        self.new |= set(kept)
        return [
            *[HostLet(t, x) for t, (x, _) in zip(kept, pairs, strict=True)],
            *[Assign(x, y, of_memory=True) for x, y in pairs],
            *[Assign(y, t, of_memory=True) for t, (_, y) in zip(kept, pairs, strict=True)],
        ]

    def map(self, parts: tuple[Map, ...]) -> list[Statement]:
        """Maps over the same few places, written out: all values first, as no part reads what another one
        writes.
        """
        space = parts[0].space
        if len(space.indices) != 1 or not isinstance(space.extents[0], Const):
            raise _Unsuited
        count = int(space.extents[0].value)
        written = [q.buffer for q in parts]
        for part in parts:
            others = [n for n in nodes(part.body) if isinstance(n, Read) and n.buffer in written]
            is_own = all(n.buffer is part.buffer and n.index is part.position for n in others)
            if part.guard is not None or part.ordered or not is_own or contains(Check | BlockExp, part.body):
                raise _Unsuited
            self.work += count * weigh(part.body).cost
        if not 0 < count <= FEW or self.work > MOST_WORK:
            raise _Unsuited
        places: list[tuple[Exp, Exp]] = []
        for k in range(count):
            for part in parts:
                at: dict[Exp, Exp] = {part.space.indices[0]: self.make.const(k)}
                places.append((self.exp(part.position, at), self.exp(part.body, at)))
        return self.written(tuple(written * count), tuple(places))

    def written(self, buffers: tuple[Buffer, ...], places: tuple[tuple[Exp, Exp], ...]) -> list[Statement]:
        """Values that are written at places, after all have been computed."""
        lets: list[Statement] = []
        writes: list[Statement] = []
        for buffer, (position, value) in zip(buffers, places, strict=True):
            var = Var(self.make.fresh("next"), value.ty)
            self.new.add(var)
            lets.append(HostLet(var, value))
            if buffer in self.elements:
                writes.append(Assign(self.element(buffer, position), var, of_memory=True))
            else:
                writes.append(Store(buffer, position, var))
        return [*lets, *writes]


class _Scalars(FoldsWrittenOut):
    """Rebuilds expressions with scalars for elements of arrays."""

    few = FEW

    def __init__(
        self, make: ExprBuilder, replacements: dict[Exp, Exp], elements: dict[Buffer, tuple[Var, ...]]
    ) -> None:
        super().__init__(make, replacements)
        self.elements = elements

    def _rebuild(self, node: Exp) -> Exp:
        rebuilt = super()._rebuild(node)
        if isinstance(rebuilt, Read) and rebuilt.buffer in self.elements:
            scalars, index = self.elements[rebuilt.buffer], rebuilt.index
            if isinstance(index, Const) and 0 <= index.value < len(scalars):
                return scalars[int(index.value)]
        return rebuilt
