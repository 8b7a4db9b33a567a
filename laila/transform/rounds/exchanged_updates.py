"""Rounds that change all but the border of an array: the new elements are written to another array with the
same border, and the two exchange their memory.

    while … {                                        →   alloc t; MAP t[i] = a[i]
        alloc b; MAP b[i] = f(a) over i < n-2            while … {
        MAP a[i+1] = b[i] over i < n-2                       MAP t[i+1] = f(a) over i < n-2
    }                                                        swap a t
                                                         }

So nothing is copied in a round. In both arrays what no round writes is as it was before the loop, and what
one writes all do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import changed, mentioned, named
from aplc.laila.ir.program import Alloc, Empty, Free, Map, Move, Program, Space, Statement, Swap, While
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, FreeVars, Read, Sum, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p

WIDEST_BORDER = 16
"""An axis has so many elements that are not changed, at most: they are copied once, before the loop."""


@dataclass(frozen=True, slots=True)
class _Update:
    """New elements of an array, in memory of their own, and the statement that takes them over."""

    alloc: Alloc
    new: Map
    taken: Map


def with_updates_exchanged(program: Program, make: ExprBuilder) -> Program:
    """The program without copies of what rounds change."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    result: list[Statement] = []
    for statement in statements:
        statement = with_bodies(statement, lambda body: _block(body, make))
        ends: list[Statement] = []
        if isinstance(statement, While):
            for update in list(_updates(statement.body, make)):
                array = update.taken.buffer
                alloc = _memory_of(array, result)
                if alloc is None or not _is_most(make, update.taken.space, alloc.size):
                    continue
                other = replace(array, name=make.fresh(array.name))
                i = make.index("i", alloc.size)
                copy = Map(other, Space((i,), (alloc.size,)), i, make.read(array, i))
                result += [replace(alloc, buffer=other), copy]
                statement = replace(statement, body=_exchanged(statement.body, update, other, make))
                ends.append(Free(other))
        result += [statement, *ends]
    return tuple(result)


def _updates(body: Sequence[Statement], make: ExprBuilder) -> Iterator[_Update]:
    """The updates of a round by elements that nobody else asks for, at places that are the same in each."""
    allocs = {s.buffer: s for s in body if isinstance(s, Alloc)}
    maps = {s.buffer: s for s in body if isinstance(s, Map)}
    names, free = {var.name for s in body for var in bound(s)}, FreeVars()
    for taken in body:
        if not isinstance(taken, Map) or not isinstance(taken.body, Read):
            continue
        source, array = taken.body.buffer, taken.buffer
        alloc, new = allocs.get(source), maps.get(source)
        if alloc is None or new is None or not _is_taken_whole(make, new, taken):
            continue
        users = [s for s in body if source in mentioned(s) and not isinstance(s, Free)]
        writers = [s for s in within(body) if array in changed(s)]
        places = (taken.position, *taken.space.extents)
        own = {index.name for index in taken.space.indices}
        varying = {name for place in places for name in free.names(place)} & names - own
        if users == [alloc, new, taken] and writers == [taken] and not varying and _are_counted(places):
            yield _Update(alloc, new, taken)


def _is_taken_whole(make: ExprBuilder, new: Map, taken: Map) -> bool:
    """Whether elements are taken over as they are made, and made of others than those that they replace."""
    is_plain = all(s.guard is None and not s.ordered and not s.buffer.is_bounded for s in (new, taken))
    alike = new.buffer.ty is taken.buffer.ty and new.buffer.storage == taken.buffer.storage
    if not is_plain or not alike or taken.buffer.asked or not new.space.is_same_as(taken.space):
        return False
    assert isinstance(taken.body, Read)
    at_new = _at_new(make, new, taken)
    own = at_new(taken.position)
    asked = [n.index for n in nodes(new.body) if isinstance(n, Read) and n.buffer is taken.buffer]
    return at_new(taken.body.index) is new.position and any(index is not own for index in asked)


def _at_new(make: ExprBuilder, new: Map, taken: Map) -> Substitute:
    """Takes what is said by indices of the second map to those of the first."""
    return Substitute(make, dict(zip(taken.space.indices, new.space.indices, strict=True)))


def _are_counted(places: Sequence[Exp]) -> bool:
    """Whether places depend on variables only."""
    return all(isinstance(n, Call | Const | Sum | Var) for n in nodes(*places))


def _memory_of(array: Buffer, before: Sequence[Statement]) -> Alloc | None:
    """What gave an array its memory, if it has the same still."""
    found = [s for s in before if isinstance(s, Alloc) and s.buffer is array]
    others = [s for s in within(before) if isinstance(s, Empty | Free | Move | Swap) and array in named(s)]
    return found[0] if len(found) == 1 and not others else None


def _is_most(make: ExprBuilder, space: Space, size: Exp) -> bool:
    """Whether a space has nearly as many points as there are elements: along each axis, of `n`, no less
    than `n` but the widest border.
    """
    wholes = [_whole(extent, make) for extent in space.extents]
    return None not in wholes and make.product(tuple([n for n in wholes if n is not None])) is size


def _whole(extent: Exp, make: ExprBuilder) -> Exp | None:
    """The extent of an axis of which nearly all indices are walked."""
    if isinstance(extent, Call) and extent.op is p.MAXI and make.zero in extent.args:
        (extent,) = [arg for arg in extent.args if arg is not make.zero] or (make.zero,)
    const, terms = make.linear(extent)
    return make.from_linear(0, terms) if terms and -WIDEST_BORDER <= const <= 0 else None


def _exchanged(
    body: Sequence[Statement], update: _Update, other: Buffer, make: ExprBuilder
) -> tuple[Statement, ...]:
    """A round that writes what is new to the other array."""
    new, taken = update.new, update.taken
    place = _at_new(make, new, taken)(taken.position)
    result: list[Statement] = []
    for statement in body:
        if statement is new:
            result.append(Map(other, new.space, place, new.body))
        elif statement is taken:
            result.append(Swap(taken.buffer, other))
        elif update.alloc.buffer not in mentioned(statement):
            result.append(statement)
    return tuple(result)
