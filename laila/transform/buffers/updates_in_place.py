"""Elements that are made of those that they replace, and of nothing else of the array, are written there.

    alloc b; MAP b[i] = a[p(i)] - f(i); MAP a[p(i)] = b[i]; free b    →    MAP a[p(i)] = a[p(i)] - f(i)

Such are rounds of elimination, `a[r;r]←a[r;r]-a[r;k]∘.×a[k;r]`, and `a[k;]←a[k;]÷a[k;k]`. What each element
needs of the array is read before it is written, in the order of the points or in any other; where one fails,
nobody sees the array again.

Legal: the positions are distinct, nothing else mentions what is new, and between the two statements nothing
mentions the array nor gives a name that its positions need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import Alloc, Free, Map, Program, Statement
from aplc.laila.ir.scalar import BlockExp, Exp, FreeVars, PureCall, Read, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute


def with_updates_in_place(program: Program, make: ExprBuilder) -> Program:
    """The program whose arrays take their own elements back without memory in between."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    allocs = {s.buffer: s for s in block if isinstance(s, Alloc)}
    maps = {s.buffer: k for k, s in enumerate(block) if isinstance(s, Map)}
    for taken in [s for s in block if isinstance(s, Map) and isinstance(s.body, Read)]:
        assert isinstance(taken.body, Read)
        source = taken.body.buffer
        if source not in allocs or source not in maps or source is taken.buffer:
            continue
        new = block[maps[source]]
        users = [s for s in block if source in mentioned(s)]
        rest = [s for s in users if not isinstance(s, Free)]
        if rest != [allocs[source], new, taken]:
            continue
        assert isinstance(new, Map)
        updated = _updated(new, taken, block[maps[source] + 1 : block.index(taken)], make)
        if updated is not None:
            block[maps[source]] = updated
            block = [s for s in block if (s is not taken and s not in users) or s is updated]
            maps = {s.buffer: k for k, s in enumerate(block) if isinstance(s, Map)}
    return tuple(block)


def _updated(new: Map, taken: Map, between: Sequence[Statement], make: ExprBuilder) -> Map | None:
    """One map for the two, at the place of the first."""
    array = taken.buffer
    is_plain = all(s.guard is None and not s.ordered and not s.buffer.is_bounded for s in (new, taken))
    alike = new.buffer.ty is array.ty and new.buffer.storage == array.storage
    if not is_plain or not alike or array.asked or new.buffer.asked:
        return None
    if not new.space.is_same_as(taken.space) or contains(BlockExp, new.body):
        return None
    here = Substitute(make, dict(zip(taken.space.indices, new.space.indices, strict=True)))
    assert isinstance(taken.body, Read)
    own: Exp = here(taken.position)
    if here(taken.body.index) is not new.position or not _only_own(new.body, array, own):
        return None
    names = {v.name for s in between for v in bound(s)}
    free = FreeVars()
    if any(array in mentioned(s) for s in between) or not names.isdisjoint(free.names(own)):
        return None
    if any(isinstance(n, Read) and n.buffer in _written(between) for n in nodes(own)):
        return None
    return replace(new, buffer=array, position=own)


def _written(between: Sequence[Statement]) -> set[object]:
    """The arrays that statements mention, and so may change."""
    return {b for s in between for b in mentioned(s)}


def _only_own(body: Exp, array: object, own: Exp) -> bool:
    """Whether an element is read of an array at one position at most, once at least."""
    found = [n for n in nodes(body) if isinstance(n, Read) and n.buffer is array]
    passed = any(isinstance(n, PureCall) and array in (*n.memory, *n.behind) for n in nodes(body))
    return bool(found) and not passed and all(n.index is own for n in found)
