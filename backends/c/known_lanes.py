"""Loops over lanes whose number is known: what compilers do with them unless they are told otherwise."""

from __future__ import annotations

from collections.abc import Collection

from aplc.backends.c.mentions import stores_to
from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import CALLS
from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.scalar import BIT_OR, DIVIDE, SQRT, Buffer, Call, Const, Read, Var, nodes
from aplc.tail import prims as p

MOST_LANES = 64
"""Of loops that are a few vectors."""
LEAST_ALIGNED = 16
"""An array of so many begins where vectors do: a vector in two lines of the cache is read twice."""
FEW_LANES = 32
"""Of those that clang writes out lane by lane."""

_SLOW = frozenset((p.DIVD, DIVIDE, SQRT))
"""Operations that take several times as long as a sum."""

_SUMS = frozenset((p.ADDD, p.ADDI, BIT_OR))
"""What a loop may accumulate besides, which all compilers do in lanes when told nothing of it."""


def takes_at_most(loop: l.For, most: int) -> bool:
    """Whether a loop is known to take so many steps at most."""
    stops = loop.stop.highs if isinstance(loop.stop, Var) else (loop.stop,)
    lengths = [
        e.value - loop.start.value for e in stops if isinstance(e, Const) and isinstance(loop.start, Const)
    ]
    return loop.step == 1 and any(length <= most for length in lengths)


def goes_on_with_lanes(loop: l.For, small_arrays: Collection[Buffer]) -> bool:
    """Whether a loop of a known number of steps writes into small arrays only, and makes of elements of
    one the next.
    """
    stores = [s for s in l.within(loop.body) if isinstance(s, l.Store)]
    return (
        isinstance(loop.stop, Const)
        and takes_at_most(loop, MOST_LANES)
        and all([s.buffer in small_arrays for s in stores])
        and any([isinstance(n, Read) and n.buffer == s.buffer for s in stores for n in nodes(s.value)])
    )


def is_over_lanes(loop: l.For, small_arrays: Collection[Buffer]) -> bool:
    """Whether a loop of any number of steps goes over a few lanes in each, and changes their small arrays."""
    inner = [s for s in loop.body if isinstance(s, l.For) and takes_at_most(s, FEW_LANES)]
    stores = [s for each in inner for s in l.within(each.body) if isinstance(s, l.Store)]
    return (
        bool(stores) and not isinstance(loop.stop, Const) and all([s.buffer in small_arrays for s in stores])
    )


def read_beside_lanes(loop: l.For, small_arrays: Collection[Buffer], moved: Collection[str]) -> list[Buffer]:
    """The moved buffers that the loops over lanes in a loop read, where these go on from round to round."""
    inner = [s for s in loop.body if isinstance(s, l.For) and goes_on_with_lanes(s, small_arrays)]
    values = [s.value for each in inner for s in l.within(each.body) if isinstance(s, l.Store)]
    return [b for b in dict.fromkeys(buffers_read(*values)) if b.name in moved]


def is_slow(loop: l.For, reductions: tuple[l.Reduction, ...], is_inner: bool) -> bool:
    """Whether divisions or roots are what takes time in a loop that sums: what reads memory waits for that,
    unless a loop around it reads the same again and again.
    """
    if p.ADDD not in [r.op for r in reductions] or not {r.op for r in reductions} <= _SUMS:
        return False
    assigned = [s.value for s in l.within(loop.body) if isinstance(s, l.Assign | l.Declare)]
    found = list(nodes(*[value for value in assigned if value is not None]))
    return any([isinstance(n, Call) and n.op in _SLOW for n in found]) and (
        is_inner or not any([isinstance(n, Read) for n in found])
    )


def must_be_told(loop: l.For, moved: Collection[str]) -> bool:
    """Whether compilers do not find out by themselves that a loop can be done in lanes, or pays there."""
    is_hidden = bool(loop.reductions) or loop.independent or stores_to(loop.body, moved)
    return is_hidden or _calls_in_lanes(loop)


def _calls_in_lanes(loop: l.For) -> bool:
    """Whether a loop over a few lanes, which may run at the same time, calls functions of reals: for elements
    that are not neighbours compilers call these one by one, unless they are told.
    """
    if loop.parallel != () or not takes_at_most(loop, FEW_LANES):
        return False
    values = [s.value for s in l.within(loop.body) if isinstance(s, l.Assign | l.Declare | l.Store)]
    found = nodes(*[value for value in values if value is not None])
    return any(isinstance(n, Call) and n.op in CALLS for n in found)
