"""Vectors to which loops add in front are stored from their end, so that what is added comes behind.

    alloc b[m + n]; MAP b[i] = i < m ? f(i) : a[i-m] over i < m+n; take a from b; n := m + n
        →   alloc b[m + n]; MAP b[i] = i < n ? a[i] : f(m+n-1-i) over i < m+n; take a from b; n := m + n
    … a[k] …  →  … a[n-1-k] …

Then `growth` leaves room for more behind them, and a round writes only what it adds. Behind the loop, or
where such a vector gets another name, it stays turned as long as it is only read at places; otherwise it is
turned back there.

Legal: its length is one variable at all times, and nothing but its elements is asked for. Where more than one
element is added, that does not fail, as it is computed in another order, nor read the vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.liveness import buffers_read, mentioned, named
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Empty,
    Free,
    HostLet,
    Map,
    Move,
    Program,
    Space,
    Statement,
    Store,
    Variable,
)
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Call,
    Exp,
    FreeVars,
    PureCall,
    Read,
    Select,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, bound, own_expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.tail import prims as p

Statements = tuple[Statement, ...]


def with_fronts_behind(program: Program, make: ExprBuilder) -> Program:
    """The program with vectors that grow in front turned."""
    return with_blocks(program, lambda statements: _turned(statements, make))


def _turned(statements: Statements, make: ExprBuilder) -> Statements:
    """The statements of a program, or of a function, with one vector turned after the other."""
    tried: set[Buffer] = set()
    while True:
        found = next((g for g in _fronts(statements, make) if g.old not in tried), None)
        if found is None:
            return statements
        tried.add(found.old)
        statements = _Turning(make, found).all_of(statements) or statements


@dataclass(frozen=True, slots=True)
class _Front:
    """A map that adds something in front of a vector: how much, and the vector's length before."""

    made: Map
    old: Buffer
    added: Exp
    length: Var


def _blocks(statements: Statements) -> Iterator[Statements]:
    """A sequence of statements and those inside it."""
    yield statements
    for statement in statements:
        for body in bodies(statement):
            yield from _blocks(body)


def _fronts(statements: Statements, make: ExprBuilder) -> Iterator[_Front]:
    """Where something is added in front of a vector, in loops."""
    for outer in within(statements):
        for block in (b for body in bodies(outer) for b in (body,)):
            moves = {s.source: s.target for s in block if isinstance(s, Move)}
            for statement in block if moves else ():
                if isinstance(statement, Map) and statement.buffer in moves:
                    front = _front(statement, moves[statement.buffer], make)
                    if front is not None:
                        yield front


def _front(made: Map, old: Buffer, make: ExprBuilder) -> _Front | None:
    """What a map adds in front of a vector of which it copies all."""
    if made.guard is not None or made.ordered or len(made.space.indices) != 1:
        return None
    (i,), (extent,) = made.space.indices, made.space.extents
    match made.body:
        case Select(cond=Call(op=op, args=(index, added)), other=Read(buffer=buffer, index=place)):
            pass
        case _:
            return None
    length = make.sub(extent, added)
    if op is not p.LTI or index is not i or made.position is not i or buffer is not old:
        return None
    if i in FreeVars().of(added) or place is not make.sub(i, added) or not isinstance(length, Var):
        return None
    assert isinstance(made.body, Select)
    in_order = weigh(made.body.then).may_fail or old in buffers_read(made.body.then)
    is_same = (made.buffer.storage, made.buffer.lows, made.buffer.highs) == (old.storage, old.lows, old.highs)
    is_legal = is_same and (added is make.one or not in_order)
    return _Front(made, old, added, length) if is_legal else None


@dataclass(slots=True)
class _Turning:
    """A vector that is turned, and what gets its memory."""

    make: ExprBuilder
    front: _Front
    lengths: dict[Buffer, Var] = field(default_factory=dict)
    """The vectors that are turned, with the variables that are their lengths."""
    back: set[Buffer] = field(default_factory=set)
    """Those that get memory that is turned back."""
    free: FreeVars = field(default_factory=FreeVars)
    begin: Alloc | None = None
    """Where memory for more begins."""
    scope: Statements = ()
    """The statements among which the vector's memory begins,"""
    loop: int = 0
    """which of them is the loop,"""
    ends: bool = False
    """and whether it is turned back behind that."""

    def all_of(self, statements: Statements) -> Statements | None:
        """The statements with the vector turned; None if it cannot be."""
        front = self.front
        old, length = front.old, front.length
        scope = [b for b in _blocks(statements) if any(isinstance(s, Alloc) and s.buffer is old for s in b)]
        if len(scope) != 1:
            return None
        (self.scope,) = scope
        loops = [k for k, s in enumerate(self.scope) if any(inner is front.made for inner in within((s,)))]
        if len(loops) != 1:
            return None
        self.loop = loops[0]
        behind = list(within(self.scope[self.loop + 1 :]))
        self.ends = not all(isinstance(s, Free) for s in behind if old in named(s))
        self.ends |= _is_asked_whole(behind, {old})
        everything = list(within(self.scope[: self.loop + 1])) + ([] if self.ends else behind)
        mentions = [s for s in everything if old in named(s)]
        others = [s for s in within(statements) if old in mentioned(s) and not bodies(s)]
        if not all(any(s is known for known in (*everything, *behind)) for s in others):
            return None
        if not all(isinstance(s, Alloc | Map | Move | Free) or self.is_single(s) for s in mentions):
            return None
        if any(isinstance(s, Map) and old in buffers_read(s.body, s.position) for s in mentions):
            return None
        if not self.begins_with_length() or not self.is_whole(list(within(statements)), everything):
            return None
        own_moves = [s for s in mentions if isinstance(s, Move) and s.target is old]
        blocks = list(_blocks(self.scope[: self.loop + 1]))
        pairs = [
            self.paired(b, k)
            for b in blocks
            for k, s in enumerate(b)
            if isinstance(s, Move) and s.target is old
        ]
        changes = [s for s in everything if isinstance(s, Assign) and s.var.name == length.name]
        if not pairs or not all(pairs) or not len(pairs) == len(changes) == len(own_moves):
            return None
        for move in [s for s in mentions if isinstance(s, Move) and s.source is old]:
            if move.target is old or not self.handed_over(statements, move):
                return None
        return self.changed(statements)

    def is_single(self, statement: Statement) -> bool:
        """Whether a statement writes the only element that the vector begins with, in front of the loop."""
        make = self.make
        begin = next(s for s in self.scope if isinstance(s, Alloc) and s.buffer is self.front.old)
        if not isinstance(statement, Store) or begin.size is not make.one:
            return False
        return statement.position is make.zero and any(s is statement for s in self.scope[: self.loop])

    def begins_with_length(self) -> bool:
        """Whether the vector begins with as many elements as its length says, and is written so."""
        old, name = self.front.old, self.front.length.name
        block = self.scope
        (start,) = [k for k, s in enumerate(block) if isinstance(s, Alloc) and s.buffer is old]
        declared = [k for k, s in enumerate(block) if isinstance(s, Variable) and s.var.name == name]
        alloc = block[start]
        if len(declared) != 1 or not isinstance(alloc, Alloc) or not start < declared[0] < self.loop:
            return False
        variable = block[declared[0]]
        if not isinstance(variable, Variable) or variable.value is not alloc.size:
            return False
        if not self.stays(alloc.size, block[start : declared[0]]):
            return False
        self.lengths[old] = variable.var
        first = block[start + 1 : declared[0]]
        if any(old in buffers_read(*own_expressions(s)) for s in within(first)):
            return False
        maps = [s for s in within(block[: self.loop + 1]) if isinstance(s, Map) and s.buffer is old]
        return all(
            any(s is m for s in first)
            and m.space.extents == (alloc.size,)
            and m.space.indices == (m.position,)
            and m.guard is None
            and not m.ordered
            and not weigh(m.body).may_fail
            for m in maps
        )

    def is_whole(self, everything: list[Statement], inside: list[Statement]) -> bool:
        """Whether nothing asks for more than elements of the vector, and nothing for what takes its place."""
        new = self.front.made.buffer
        is_read = any(new in buffers_read(*own_expressions(s)) for s in everything)
        return not is_read and not _is_asked_whole(inside, {self.front.old})

    def paired(self, block: Statements, at: int) -> bool:
        """Whether memory that the vector gets is what was added to it, and its length is told at once."""
        front, move = self.front, block[at]
        assert isinstance(move, Move)
        places = [k for k, s in enumerate(block) if move.source in named(s)]
        if move.source is not front.made.buffer or [type(block[k]) for k in places] != [Alloc, Map, Move]:
            return False
        begin, made, _ = places
        alloc = block[begin]
        assert isinstance(alloc, Alloc)
        if block[made] is not front.made or alloc.size is not front.made.space.extents[0]:
            return False
        self.begin = alloc
        return self.is_told(block, begin, at, front.length, alloc.size, front.old)

    def is_told(self, block: Statements, begin: int, at: int, length: Var, size: Exp, buffer: Buffer) -> bool:
        """Whether behind a position of a block a variable becomes the size that was asked for before,
        before the vector is read.
        """
        names = {s.var.name: (k, s.value) for k, s in enumerate(block[:at]) if isinstance(s, HostLet)}
        for end, statement in enumerate(block[at + 1 :], at + 1):
            if isinstance(statement, Assign) and statement.var.name == length.name:
                value = statement.value
                first, named_value = (
                    names.get(value.name, (begin, value)) if isinstance(value, Var) else (begin, value)
                )
                is_same = (value is size or named_value is size) and buffer not in buffers_read(value)
                return is_same and self.stays(size, block[min(begin, first) : end])
            if not isinstance(statement, Assign | Move | HostLet | Free):
                return False
            if buffer in buffers_read(*own_expressions(statement)):
                return False
        return False

    def stays(self, exp: Exp, statements: Sequence[Statement]) -> bool:
        """Whether scalars are what they were behind some statements."""
        own = self.free.names(exp)
        changed = {v.name for s in within(statements) if isinstance(s, Assign) for v in bound(s)}
        return own.isdisjoint(changed) and not contains(Read, exp)

    def handed_over(self, statements: Statements, move: Move) -> bool:
        """Whether another vector gets the memory: with its length, to be read only, or else turned back."""
        target, everything = move.target, list(within(statements))
        uses = [s for s in everything if target in named(s) and s is not move]
        if target in self.lengths or target in self.back:
            return False
        (block,) = [b for b in _blocks(statements) if any(s is move for s in b)]
        at = next(k for k, s in enumerate(block) if s is move)
        name = self.front.length.name
        told = [
            s
            for s in block[at + 1 :]
            if isinstance(s, Assign) and isinstance(s.value, Var) and s.value.name == name
        ]
        if len(told) == 1 and all(isinstance(s, Empty | Free) for s in uses):
            length = told[0].var
            changes = [s for s in everything if isinstance(s, Assign) and s.var.name == length.name]
            is_read_only = not _is_asked_whole(everything, {target})
            if (
                len(changes) == 1
                and is_read_only
                and self.is_told(block, at, at, length, told[0].value, target)
            ):
                self.lengths[target] = length
                return True
        self.back.add(target)
        return True

    # --- the statements, turned ---

    def changed(self, statements: Sequence[Statement]) -> Statements:
        """Statements in order, with those inside them."""
        result: list[Statement] = []
        for k, statement in enumerate(statements):
            result += self.statement(statement)
            if statements is self.scope and k == self.loop and self.ends:
                result += self.turned_back(self.front.old, _Turned(self.make, self.lengths))
                del self.lengths[self.front.old]
        return tuple(result)

    def statement(self, statement: Statement) -> Statements:
        """A statement that reads what is turned, writes it, or hands it over."""
        make, front = self.make, self.front
        turn = _Turned(make, self.lengths)
        if statement is front.made:
            return (self.added(turn),)
        if isinstance(statement, Map) and statement.buffer is front.old:
            last = make.sub(statement.space.extents[0], make.one)
            return (
                replace(statement, position=make.sub(last, statement.position), body=turn(statement.body)),
            )
        if isinstance(statement, Move) and statement.source is front.old and statement.target in self.back:
            return self.turned_back(statement.target, turn)
        inner = iter([self.changed(body) for body in bodies(statement)])
        shell = rebuilt(with_bodies(statement, lambda body: ()), turn)
        return (with_bodies(shell, lambda body: next(inner)),)

    def added(self, turn: Substitute) -> Map:
        """The map that adds to the vector behind what is there."""
        make, made = self.make, self.front.made
        assert isinstance(made.body, Select)
        ((extent,), (old_index,)) = made.space.extents, made.space.indices
        i = make.index("i", extent)
        from_end = make.sub(make.sub(extent, make.one), i)
        value = Substitute(make, {old_index: from_end})(turn(made.body.then))
        is_there = make.call(p.LTI, i, self.front.length)
        body = make.select(is_there, make.read(self.front.old, i), value)
        return Map(made.buffer, Space((i,), (extent,)), i, body)

    def turned_back(self, target: Buffer, turn: Substitute) -> Statements:
        """Another vector gets memory of its own, in order; the vector itself keeps its memory."""
        make, old = self.make, self.front.old
        length = self.lengths[old]
        own = replace(old, name=make.fresh("back"))
        i, k = make.index("i", length), make.index("i", length)
        assert self.begin is not None
        begin = Alloc(own, length, self.begin.site)
        turned = Map(own, Space((i,), (length,)), i, turn(make.read(old, i)))
        if target is not old:
            return begin, turned, Move(target, own)
        return begin, turned, Map(old, Space((k,), (length,)), k, make.read(own, k)), Free(own)


def _is_asked_whole(statements: Sequence[Statement], buffers: set[Buffer]) -> bool:
    """Whether an expression mentions memory in another way than by reading elements."""
    roots = [e for s in statements for e in own_expressions(s)]
    return any(
        isinstance(n, BlockExp | PureCall) and not buffers.isdisjoint(buffers_read(n)) for n in nodes(*roots)
    )


class _Turned(Substitute):
    """Rebuilds expressions that read what is turned."""

    def __init__(self, make: ExprBuilder, lengths: dict[Buffer, Var]) -> None:
        super().__init__(make, {})
        self.lengths = lengths

    def _rebuild(self, node: Exp) -> Exp:
        if isinstance(node, Read) and node.buffer in self.lengths:
            make = self.make
            last = make.sub(self.lengths[node.buffer], make.one)
            return make.read(node.buffer, make.sub(last, self.done[id(node.index)]))
        return super()._rebuild(node)
