"""Which two SOACs may share a loop, and what stands in the way of the others.

Fusion and the reports that explain it ask the same functions. What must stand between two statements is
known from all of the region (`cluster`) and is not decided here.
"""

from __future__ import annotations

from enum import Enum
from math import gcd

from aplc.laila.ir.counts import MAX_COEFFICIENT
from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import Filter, Map, Part, Scan, Space
from aplc.laila.ir.scalar import BlockExp, Buffer, Call, Const, Exp, PureCall, Read, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.fusion.dependence import Node
from aplc.tail import prims as p

MOST_LANES = 64
"""Loops of so many rounds at most are strips of lanes."""


class Blocker(Enum):
    """Why two statements do not share a loop, as people are told."""

    NO_SOAC = "one of the two is no map, scan or reduction"
    OUTSIDE = "a function outside of loops writes it"
    BLOCKS = "they stand in different blocks"
    SPACES = "they run over different spaces"
    WAITS = "it waits for a result of the other one"
    LENGTH = "how many elements there are is known when they are all written"
    CHECKED = "its elements are checked before they are used as positions"
    CHANGES = "its elements change while they are written"
    ELEMENTS = "it needs other elements than the one at hand"
    OVERWRITES = "it writes over what the other one reads"
    ERRORS = "errors of both would come in another order"
    BETWEEN = "a check, an output or a function must come in between"


def across(first: Node, second: Node) -> Blocker | None:
    """What keeps two statements from one loop, whatever they read: that they have no common index space."""
    if first.part is None or second.part is None or in_order(first.part) != in_order(second.part):
        return Blocker.NO_SOAC
    if in_order(first.part) and first.may_fail and second.may_fail:
        return Blocker.ERRORS
    return None if first.part.space.is_same_as(second.part.space) else Blocker.SPACES


def in_order(part: Part) -> bool:
    """Whether a part changes elements of which several may be one: such share loops with each other only."""
    return isinstance(part, Map) and part.ordered


def along(make: ExprBuilder, first: Node, second: Node) -> Blocker | None:
    """What keeps the second statement from taking what it needs of the first within one loop; it stands
    behind the first, and both have one index space.

    All that it may need is the element at the same index, which is then handed over in a register.
    """
    part, reader = first.part, second.part
    if first.gives & second.needs:
        return Blocker.WAITS
    if isinstance(part, Filter):
        return Blocker.LENGTH
    if not isinstance(part, Map | Scan) or reader is None:
        return Blocker.NO_SOAC
    buffer, position = part.buffer, part.position
    if in_order(part) or in_order(reader):
        return Blocker.CHANGES
    if buffer.is_bounded and first.may_fail:
        return Blocker.CHECKED  # what is known of the elements holds once the checks have been looked at
    change = Substitute(make, dict(zip(reader.space.indices, part.space.indices, strict=True)))
    element = make.read(buffer, position)
    for root in expressions(second.statement):
        found = [n for n in nodes(change(root)) if isinstance(n, Read) and n.buffer is buffer]
        others = [n for n in found if n is not element]
        are_others = all(differ(make, n.index, position, part.space) for n in others)
        if not are_others or buffer in _as_a_whole(root):
            return Blocker.ELEMENTS
    if buffer in buffers_read(*expressions(first.statement)):
        return Blocker.CHANGES
    again = first.reads & second.writes
    if again and (again != {buffer} or not _writes_others(make, part, reader)):
        return Blocker.OVERWRITES
    return None


def _writes_others(make: ExprBuilder, first: Map | Scan, second: Part) -> bool:
    """Whether a part writes other elements of the same memory."""
    return isinstance(second, Map | Scan) and differ(
        make, second.position, first.position, first.space, second.space
    )


def differ(make: ExprBuilder, one: Exp, other: Exp, *spaces: Space) -> bool:
    """Whether positions in loops over some spaces differ for all indices: they lie in different columns."""
    if _are_in_other_rows(make, one, other, spaces):
        return True
    const, terms = make.linear(one)
    another, more = make.linear(other)
    width = gcd(*terms.values(), *more.values())
    if max(map(abs, (const, another, *terms.values(), *more.values()))) > MAX_COEFFICIENT:
        return False
    are_counts = all(make.counts(a) or any(_is_place(a, s) for s in spaces) for a in (*terms, *more))
    return are_counts and (const - another) % max(width, 1) != 0


def _are_in_other_rows(make: ExprBuilder, one: Exp, other: Exp, spaces: tuple[Space, ...]) -> bool:
    """Whether positions are k×n + i and m×n + j, where i and j are indices below n, and k is not m. In strips
    lanes are better off with several loops than with one that reads and writes beside them.
    """
    extent = spaces[0].extents[-1]
    if isinstance(extent, Const) and extent.value <= MOST_LANES:
        return False
    if any(len(space.indices) != 1 or space.extents[0] is not extent for space in spaces):
        return False
    rows = [_row_of(make, place, extent, [space.indices[0] for space in spaces]) for place in (one, other)]
    return None not in rows and rows[0] != rows[1]


def _row_of(make: ExprBuilder, place: Exp, extent: Exp, indices: list[Var]) -> int | None:
    """The row of a position, where rows have so many elements: one of the indices is the place in it."""
    const, terms = make.linear(place)
    step, width = make.linear(extent)
    found = [index for index in indices if terms.pop(index, 0) == 1]
    if len(found) != 1:
        return None
    atom = next(iter(width), None)
    row = const // step if atom is None else terms.get(atom, 0) // width[atom]
    is_whole = terms == {a: row * k for a, k in width.items() if row} and const == row * step
    return row if is_whole and abs(row) <= MAX_COEFFICIENT else None


def _is_place(atom: Exp, space: Space) -> bool:
    """Whether a product is an index times extents of other axes: it is below the number of turns of a loop,
    which is not reached unless it fits.
    """
    factors = _factors(atom)
    axes = [space.indices.index(f) for f in factors if f in space.indices]
    others = [n for axis, n in enumerate(space.extents) if axis not in axes]
    for factor in factors:
        if factor in others:
            others.remove(factor)
        elif factor not in space.indices:
            return False
    return len(axes) == 1


def _factors(exp: Exp) -> tuple[Exp, ...]:
    if isinstance(exp, Call) and exp.op is p.MULI:
        return tuple([factor for arg in exp.args for factor in _factors(arg)])
    return (exp,)


def _as_a_whole(root: Exp) -> set[Buffer]:
    """The buffers that sequences and searches in an expression mention."""
    return {b for n in nodes(root) if isinstance(n, BlockExp | PureCall) for b in buffers_read(n)}
