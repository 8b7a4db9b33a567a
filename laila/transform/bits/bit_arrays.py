"""Holds arrays of a few bits in words.

    alloc b : bool[32]                                           var w : int = 0
    MAP b[i] over i < 32 { bitfield(n, 31-i, 1) ≠ 0 }        →   w := bitfield(n, 0, 2³²-1)
    MAP c[i] over i < 32 { b[i] ≠ (i < 27 ? b[i+5] : 0) }        v := w ^ 32×bitfield(w, 0, 2²⁷-1)

Registers of bits that rounds shift and combine, and tables of bits that only the run knows, are known to
have a few elements, and all that is written to them are bits of words, or functions of truth values of these:
see `aplc.laila.ir.bit_slices`. Element 0 is the highest bit, as in `2⊥` of them. An array stays in memory
where it is the user's, a result or another function's, and where points of a loop that may take turns in any
order write it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.bit_slices import UNSIGNED, bits_in_order
from aplc.laila.ir.counts import is_bit
from aplc.laila.ir.liveness import buffers_read, named
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Filter,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Program,
    Reduce,
    Scan,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    BIT_AND,
    BIT_AT,
    BIT_FIELD,
    BIT_XOR,
    BlockExp,
    Buffer,
    Const,
    Exp,
    PureCall,
    Read,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base

FEWEST = 5
"""Fewer elements are scalars."""

_READING = (
    HostLet | Variable | Assign | HostCheck | If | While | ForEach | Map | Scan | Filter | Reduce | Store
)
"""Statements whose expressions may read a word instead of an element."""

_SCALAR = HostLet | Variable | Assign | HostCheck | If | While | Store
"""Those of them that are computed once: others get the word by a name that does not change."""


def with_bits_in_words(program: Program, make: ExprBuilder) -> Program:
    """The program with arrays of a few bits in words."""
    found = _Found()
    for block in (program.statements, *[f.statements for f in program.functions]):
        found.visit(block, {}, 0)
    words = _Words(make, found.sizes)
    words.drop(found.refused)
    while words.sizes and (failing := [b for b in words.sizes if not words.holds(found.writers[b])]):
        words.drop(failing)
    if not words.sizes:
        return program
    return with_blocks(program, words.block)


@dataclass(slots=True)
class _Found:
    """Arrays of a few elements, what writes them, and which stay in memory in any case."""

    sizes: dict[Buffer, int] = field(default_factory=dict)
    writers: dict[Buffer, list[Map | Store | Swap | Move]] = field(default_factory=dict)
    refused: list[Buffer] = field(default_factory=list)

    def visit(self, block: Sequence[Statement], visible: dict[Buffer, int], depth: int) -> None:
        """Looks at a block, in so many loops over points, where some arrays have been made."""
        visible = dict(visible)
        for statement in block:
            own = own_expressions(statement)
            read = buffers_read(*own)
            self.refused += [b for b in (*read, *named(statement)) if b not in visible]
            if not isinstance(statement, _READING):
                self.refused += read
            self.refused += _in_calls(own)
            match statement:
                case Alloc(buffer=buffer, size=Const(value=size)) if buffer.ty in (Base.INT, Base.BOOL):
                    if buffer in self.sizes or not FEWEST <= size <= UNSIGNED or buffer.asked:
                        self.refused.append(buffer)
                    else:
                        self.sizes[buffer], visible[buffer] = int(size), depth
                        self.writers[buffer] = []
                        self.refused = [b for b in self.refused if b is not buffer]
                case Map() | Store() | Swap() | Move():
                    for buffer in named(statement):
                        if visible.get(buffer) == depth:
                            self.writers[buffer].append(statement)
                        else:
                            self.refused.append(buffer)
                case Free():
                    pass
                case _:
                    self.refused += named(statement)
            match statement:
                case If(then=then, other=other):
                    self.visit(then, visible, depth)
                    self.visit(other, visible, depth)
                case While(body=body, scratch=scratch):
                    self.refused += scratch
                    self.visit(body, visible, depth)
                case ForEach(body=body, scratch=scratch):
                    self.refused += scratch
                    self.visit(body, visible, depth + 1)
                case _:
                    pass


def _in_calls(expressions: Iterable[Exp]) -> list[Buffer]:
    """The arrays that functions of the run-time system read, and sequences of statements."""
    found: list[Buffer] = []
    for node in nodes(*expressions):
        if isinstance(node, PureCall):
            found += [*node.memory, *node.behind]
        elif isinstance(node, BlockExp):
            found += buffers_read(*node.inside, node.value)
            for statement in node.statements:
                found += named(statement)  # type: ignore[arg-type]
    return found


def _both(statement: Swap | Move) -> tuple[Buffer, Buffer]:
    """The arrays between which memory goes."""
    if isinstance(statement, Swap):
        return statement.first, statement.second
    return statement.target, statement.source


@dataclass(slots=True)
class _Words:
    make: ExprBuilder
    sizes: dict[Buffer, int]
    words: dict[Buffer, Var] = field(init=False)

    def __post_init__(self) -> None:
        self.words = {b: Var(self.make.fresh("word"), Base.INT) for b in self.sizes}

    def drop(self, buffers: Iterable[Buffer]) -> None:
        """Leaves arrays in memory."""
        for buffer in buffers:
            self.sizes.pop(buffer, None)

    def holds(self, writers: list[Map | Store | Swap | Move]) -> bool:
        """Whether a word can hold all that is written to an array."""
        for writer in writers:
            if isinstance(writer, Swap | Move):
                first, second = [self.sizes.get(b) for b in _both(writer)]
                if first is None or first != second:
                    return False
            elif self.written(writer, self.words) is None:
                return False
        return bool(writers)

    def read(self, words: dict[Buffer, Var], *expressions: Exp) -> Substitute:
        """Puts bits of words in the place of elements."""
        make = self.make
        found: dict[Exp, Exp] = {}
        for node in nodes(*expressions):
            if isinstance(node, Read) and node.buffer in self.sizes:
                index = Substitute(make, found)(node.index)
                place = make.sub(make.const(self.sizes[node.buffer] - 1), index)
                bit = make.call(BIT_FIELD, words[node.buffer], place, make.one)
                found[node] = make.call(p.NEQI, bit, make.zero) if node.ty is Base.BOOL else bit
        return Substitute(make, found)

    def written(self, statement: Map | Store, words: dict[Buffer, Var]) -> Exp | None:
        """The word after elements of it have been written; None where they are no bits of words."""
        make, count = self.make, self.sizes[statement.buffer]
        before = self.words[statement.buffer]
        read = self.read(words, *own_expressions(statement))
        if isinstance(statement, Store):
            value = read(statement.value)
            if value.ty is not Base.BOOL:
                if not is_bit(value):
                    return None
                value = make.call(p.NEQI, value, make.zero)
            place = make.sub(make.const(count - 1), read(statement.position))
            others = make.call(BIT_XOR, make.call(BIT_AT, make.true, place), make.const(-1))
            return make.call(BIT_XOR, make.call(BIT_AND, before, others), make.call(BIT_AT, value, place))
        space = statement.space
        if len(space.indices) != 1 or statement.guard is not None or statement.ordered:
            return None
        (var,), (extent,) = space.indices, space.extents
        first, step = make.linear(statement.position)
        if step != {var: 1} or not isinstance(extent, Const):
            return None
        some = int(extent.value)
        if not (first >= 0 and 0 < some <= count - first):
            return None
        widths: dict[Exp, int] = {words[b]: size for b, size in self.sizes.items()}
        word = bits_in_order(make, var, some, read(statement.body), widths)
        if word is None or some == count:
            return word
        behind = count - first - some
        kept = (1 << count) - 1 - ((1 << some) - 1 << behind)
        rest = make.call(BIT_FIELD, before, make.zero, make.const(kept))
        return make.call(BIT_XOR, rest, make.mul(make.const(1 << behind), word))

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with the words."""
        result: list[Statement] = []
        for statement in statements:
            result += self.changed(with_bodies(statement, self.block))
        return tuple(result)

    def changed(self, statement: Statement) -> list[Statement]:
        """A statement with the words, its own blocks done."""
        make = self.make
        match statement:
            case Alloc(buffer=buffer) if buffer in self.sizes:
                return [Variable(self.words[buffer], make.zero)]
            case Free(buffer=buffer) if buffer in self.sizes:
                return []
            case Swap(first=first, second=second) if first in self.sizes:
                one, two = self.words[first], self.words[second]
                kept = Var(make.fresh("kept"), Base.INT)
                return [
                    HostLet(kept, one),
                    *[Assign(a, b, of_memory=True) for a, b in ((one, two), (two, kept))],
                ]
            case Move(target=target, source=source) if target in self.sizes:
                return [Assign(self.words[target], self.words[source], of_memory=True)]
            case Map(buffer=buffer) | Store(buffer=buffer) if buffer in self.sizes:
                word = self.written(statement, self.words)
                assert word is not None
                return [Assign(self.words[buffer], word, of_memory=True)]
            case _:
                pass
        own = own_expressions(statement)
        read = list(dict.fromkeys([b for b in buffers_read(*own) if b in self.sizes]))
        if not read:
            return [statement]
        if isinstance(statement, _SCALAR):
            return [self.own_changed(statement, self.read(self.words, *own))]
        names = {b: Var(make.fresh("word"), Base.INT) for b in read}
        lets: list[Statement] = [HostLet(names[b], self.words[b]) for b in read]
        return [*lets, self.own_changed(statement, self.read({**self.words, **names}, *own))]

    def own_changed(self, statement: Statement, read: Substitute) -> Statement:
        """A statement with its own expressions changed, whose blocks are done."""
        held: list[tuple[Statement, ...]] = []

        def taken(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
            held.append(body)
            return ()

        bare = rebuilt(with_bodies(statement, taken), read)
        blocks = iter(held)
        return with_bodies(bare, lambda _: next(blocks))
