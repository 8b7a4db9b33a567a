"""What an array is joined of, along its first axis: results of calls, and other rows.

    MAP b[i] = i < m ? r[i] : i - m < 1 ? x : 1 + s[i - m - 1]
        →   the m rows of r, one of x, the rows of s, each element plus 1

A map reads a whole array as a part if it reads nothing else of it, each element at its own place, and as many
elements as there are. That extents are equal may follow from checks before the map, which may run over axes
that are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir.program import ArrayRef, HostCheck, Map, Space, Statement
from aplc.laila.ir.scalar import Buffer, Call, Exp, PureCall, Read, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index
from aplc.laila.transform.buffers.pieces import Piece, pieces_in
from aplc.tail import prims as p
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows of an array: how many, and what they are at each point of a space of so many rows."""

    made: Map
    size: Exp
    """How many elements that are."""


def is_row_major(made: Map, make: ExprBuilder) -> bool:
    """Whether a map writes every element, in order."""
    if made.guard is not None or made.ordered:
        return False
    return make.sub(made.position, from_index(make, made.space.extents, made.space.indices)) is make.zero


def parts_of(made: Map, make: ExprBuilder) -> list[Part]:
    """The parts of a row-major map, in order; one, where it is not known how many rows each has."""
    (i, *others), (extent, *rest) = made.space.indices, made.space.extents
    found: list[Part] = []
    pieces = pieces_in(i, Piece(make.zero, extent, made.body), make, is_last=False)
    if not all(make.counts(piece.low, piece.high) for piece in pieces):
        return [Part(made, make.product(made.space.extents))]
    for piece in pieces:
        count = make.sub(piece.high, piece.low)
        row = Var(make.fresh("i"), Base.INT, True, (make.zero,), make.last_indices(count))
        here = Substitute(make, {i: make.add(row, piece.low)})
        space = Space((row, *others), (count, *rest))
        position = from_index(make, space.extents, space.indices)
        part = Map(made.buffer, space, position, here(piece.body))
        found.append(Part(part, make.product(space.extents)))
    return found


def is_whole(part: Part, array: ArrayRef, known: Substitute) -> bool:
    """Whether a part reads all of an array, each element where it writes one."""
    make, made = known.make, part.made
    if make.sub(known(make.product(array.shape)), known(part.size)) is not make.zero:
        return False
    own = known(from_index(make, made.space.extents, made.space.indices))
    reads = reads_of(made.body, array.buffer)
    return bool(reads) and all(make.sub(known(read.index), own) is make.zero for read in reads)


def reads_of(body: Exp, buffer: Buffer) -> list[Read]:
    """Where an expression reads an array; nothing, if it hands it to a function."""
    every = list(nodes(body))
    if any(isinstance(n, PureCall) and buffer in (*n.memory, *n.behind) for n in every):
        return []
    return [n for n in every if isinstance(n, Read) and n.buffer is buffer]


def checked_equal(block: Sequence[Statement], make: ExprBuilder) -> Substitute:
    """What variables are, by the checks among statements: of two that are equal one stands for both."""
    known: dict[Exp, Exp] = {}
    for statement in block:
        match statement:
            case HostCheck(ok=Call(op=p.EQI, args=(a, b))):
                a, b = [Substitute(make, dict(known))(e) for e in (a, b)]
                var, value = (b, a) if isinstance(b, Var) else (a, b)
                if isinstance(var, Var) and not any(n is var for n in nodes(value)):
                    one = Substitute(make, {var: value})
                    known = {v: one(e) for v, e in known.items()} | {var: value}
            case _:
                pass
    return Substitute(make, known)
