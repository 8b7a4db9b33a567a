"""Computes in lanes what tables of constants would tell: there are no vectors of elements from all over.

    MAP a[i] = '0123456789abcdef'[v i] over i < n
    →   MAP a[i] = 48 + v i + piece(v i; 10, 6: 39, 0) over i < n

`piece(x; first, count: value, step)` is value + step×(x - first) for the `count` numbers x from `first` on,
and 0 for all others. A table that consists of few such pieces is the longest one, as if it went on for ever,
and what the others differ from it. Elements of a few bits stand in one word, which is shifted:

    31 28 31 30 31 30 31 31 30 31 30 31[m i]   →   28 + 2 bits of 15662003 from 2×m i on

In a loop that does not run in lanes an element of a table costs less. So this is done only where everything
else in a loop is known to be an operation in lanes, and what it reads lies in a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aplc.laila.ir.program import ForEach, Fused, HostLet, If, Map, Program, Reduce, Statement, While
from aplc.laila.ir.scalar import (
    BIT_AND,
    BIT_FIELD,
    BIT_XOR,
    CHARACTER,
    CHOSEN,
    CHOSEN_INTEGER,
    FLOOR_QUOT,
    FLOOR_QUOT64,
    MASKED,
    PIECE,
    QUOT,
    REM,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SMALL,
    SNAP_QUOT64,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    Step,
    Sum,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base

MOST_PIECES = 4
"""Pieces besides the longest one that take as long as an element from somewhere in memory, or less."""
WORD, SHORT_WORD = 63, 31
"""The bits of a word that is not negative, and of one in narrow lanes."""
MOST_DEPTH = 5
"""How many operations an index may consist of inside each other: it is computed for each piece."""

IN_TABLE = "aplc_place_in_table"

_IN_LANES = frozenset((
    p.ADDI, p.SUBI, p.MULI, p.NEGI, p.ABSI, p.MAXI, p.MINI, p.B2I, p.C2I, p.I2D, p.ANDI32, p.ORI32,
    p.XORI32, p.NOTI32, p.LTI, p.LTEI, p.GTI, p.GTEI, p.EQI, p.NEQI, p.EQC, p.NEQC, p.EQB, p.NEQB, p.ANDB,
    p.ORB, p.NOTB, p.ADDD, p.SUBD, p.MULD, p.NEGD, p.ABSD, p.LTD, p.LTED, p.GTD, p.GTED, p.EQD, p.NEQD,
    BIT_AND, BIT_FIELD, BIT_XOR, CHARACTER, CHOSEN, CHOSEN_INTEGER, MASKED, PIECE, SHIFT_LEFT,
    SHIFT_RIGHT, SMALL,
))  # fmt: skip
"""Operations of which compilers make vectors,"""
_BY_CONSTANT = {p.RESI: 0, QUOT: 1, REM: 1, FLOOR_QUOT: 1, FLOOR_QUOT64: 1, SNAP_QUOT64: 2}
"""and those of which they do where this operand is a constant."""
_FOLDED = frozenset((p.ADDI, p.MAXI, p.MINI, p.ADDD, p.ANDB, p.ORB, p.XORI32, p.ORI32, p.ANDI32))
"""What is accumulated in lanes."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """`value`, `value + step` and so on for so many numbers from `first` on."""

    first: int
    count: int
    value: int
    step: int

    def at(self, x: int) -> int:
        """The value at a number, as if the piece went on."""
        return self.value + self.step * (x - self.first)

    def beside(self, other: _Piece) -> _Piece:
        """What it differs by from another one that goes on."""
        return _Piece(self.first, self.count, self.value - other.at(self.first), self.step - other.step)


def with_tables_computed(program: Program, make: ExprBuilder) -> Program:
    """The program with arithmetic in place of tables in loops that run in lanes."""

    def block(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple([_computed(with_bodies(s, block), make) for s in statements])

    return with_blocks(program, block)


def _computed(statement: Statement, make: ExprBuilder) -> Statement:
    if isinstance(statement, If | While | ForEach):
        return statement
    changed: dict[Exp, Exp] = {}
    for roots in _loops(statement):
        below = list(nodes(*roots))
        tables = [(node, made) for node in below if (made := _of_table(make, node)) is not None]
        known = {id(node) for node, _ in tables}
        if tables and all([id(node) in known or _is_in_lanes(node) for node in below]):
            changed |= dict(tables)
    return rebuilt(statement, _Computed(make, changed)) if changed else statement


def _loops(statement: Statement) -> Iterator[Sequence[Exp]]:
    """What the innermost loops of a statement compute."""
    roots: list[Exp] = []
    match statement:
        case Map(body=body, guard=None, ordered=False):
            roots = [body]
        case Fused(parts=parts) if all([_may_be_in_lanes(part) for part in parts]):
            roots = [part.body for part in parts]
        case HostLet(value=value):
            yield from _folds((value,))
            return
        case _:
            return
    if any([isinstance(node, Fold) for node in nodes(*roots)]):
        yield from _folds(roots)
    else:
        yield roots


def _may_be_in_lanes(part: object) -> bool:
    match part:
        case Map(guard=None, ordered=False):
            return True
        case Reduce(fold=Fold(combine=combine)):
            return combine in _FOLDED
        case _:
            return False


def _folds(roots: Sequence[Exp]) -> Iterator[Sequence[Exp]]:
    """What folds compute that have no others inside them."""
    for node in nodes(*roots):
        if not isinstance(node, Fold) or isinstance(node.combine, Step) or node.combine not in _FOLDED:
            continue
        if not any([isinstance(inner, Fold) for inner in nodes(node.body)]):
            yield (node.body,)


class _Computed(Substitute):
    """Puts what is computed in the place of tables, where indices have been rebuilt themselves."""

    def __init__(self, make: ExprBuilder, replacements: dict[Exp, Exp]) -> None:
        super().__init__(make, {})
        self.tables = {id(node) for node in replacements}

    def _rebuild(self, node: Exp) -> Exp:
        after = super()._rebuild(node)
        made = _of_table(self.make, after) if id(node) in self.tables else None
        return after if made is None else made


def _is_in_lanes(node: Exp) -> bool:
    """Whether a node is an operation in lanes, or an element that lies in a line with those beside it."""
    match node:
        case Var() | Const() | Sum() | Select():
            return True
        case Read(index=index):
            return _is_linear(index)
        case Call(op=op, args=args):
            at = _BY_CONSTANT.get(op)
            return op in _IN_LANES or (at is not None and isinstance(args[at], Const))
        case _:
            return False


def _is_linear(index: Exp) -> bool:
    """Whether an index consists of sums and products of variables and constants."""
    return all(
        [isinstance(e, Var | Const | Sum) or (isinstance(e, Call) and e.op is p.MULI) for e in nodes(index)]
    )


# --- tables -----------------------------------------------------------------------------------------------


def _of_table(make: ExprBuilder, node: Exp) -> Exp | None:
    """What an element of a table of constants is, computed; None if that takes too long."""
    match node:
        case Read(buffer=Buffer(data=data, ty=Base.INT | Base.CHAR as ty), index=index) if data is not None:
            if len(data) < 2 or _is_linear(index) or _depth(index) > MOST_DEPTH:
                return None
            made = _element(make, [int(x) for x in data], index)
            return made if made is None or ty is Base.INT else make.call(CHARACTER, made)
        case PureCall(function=function, memory=(Buffer(data=data),), args=(x, Const(value=first), _)) if (
            function == IN_TABLE and data is not None
        ):
            if _depth(x) > MOST_DEPTH:
                return None
            number = make.call(p.C2I, x) if x.ty is Base.CHAR else x
            *places, missing = [int(place) for place in data]
            return _place(make, places, missing, number, int(first))
        case _:
            return None


def _depth(exp: Exp) -> int:
    """How many operations stand inside each other, up to one more than there may be."""
    depth, level = 0, [exp]
    while level and depth <= MOST_DEPTH:
        level = [o for e in level if not isinstance(e, Read) for o in operands(e)]
        depth += 1
    return depth


def _element(make: ExprBuilder, data: list[int], index: Exp) -> Exp | None:
    """An element at an index: as bits of a word, or of pieces."""
    least = min(data)
    bits = (max(data) - least).bit_length()
    if 0 < bits * len(data) <= WORD:
        pieces = _pieces(data) if bits * len(data) > SHORT_WORD else []
        if not pieces or len(pieces) > 2:
            word = sum([(x - least) << bits * k for k, x in enumerate(data)])
            place = make.mul(make.const(bits), index)
            field = make.call(BIT_FIELD, make.const(word), place, make.const((1 << bits) - 1))
            return make.add(make.const(least), field)
    pieces = _pieces(data)
    longest = max(pieces, key=lambda each: each.count)
    line = make.add(make.const(longest.at(0)), make.mul(make.const(longest.step), index))
    return _joined(make, line, [each.beside(longest) for each in pieces], index)


def _place(make: ExprBuilder, places: list[int], missing: int, x: Exp, first: int) -> Exp | None:
    """The place of a number, of which those behind and before a table are missing."""
    line = _Piece(0, 1, missing, 0)
    beside = [each.beside(line) for each in _pieces(places)]
    moved = [_Piece(first + each.first, each.count, each.value, each.step) for each in beside]
    return _joined(make, make.const(missing), moved, x)


def _pieces(data: list[int]) -> list[_Piece]:
    """Data as pieces, each as long as it can be."""
    found: list[_Piece] = []
    start = 0
    while start < len(data):
        step = data[start + 1] - data[start] if start + 1 < len(data) else 0
        stop = start + 1
        while stop < len(data) and data[stop] - data[stop - 1] == step:
            stop += 1
        found.append(_Piece(start, stop - start, data[start], step if stop > start + 1 else 0))
        start = stop
    return found


def _joined(make: ExprBuilder, line: Exp, pieces: list[_Piece], x: Exp) -> Exp | None:
    """A line with the pieces that differ from it."""
    differing = [each for each in pieces if each.value or each.step]
    if len(differing) > MOST_PIECES:
        return None
    for each in differing:
        described = [make.const(k) for k in (each.first, each.count, each.value, each.step)]
        line = make.add(line, make.call(PIECE, x, *described))
    return line
