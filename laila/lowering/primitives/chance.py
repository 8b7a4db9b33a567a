"""The lowering of random numbers: `?` and `⎕RL`.

An array of rolls uses up its part of the stream where it stands in the program. Its elements are functions of
the stream's key and of their own number (`aplc.tail.meaning.random_numbers`), so they are computed where
they are used, in any order, and again if that is cheaper than memory.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import DRAWN, ROLLED, Exp, Site, Var
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.pull import Pull, from_buffer, from_index, from_scalar
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.syntax import Op
from aplc.tail.types import Base, Func, Tuple, rank_of

HEADER = "aplc.h"


def _drawn(low: Lowering, count: Exp) -> tuple[Exp, Exp]:
    """The key of the stream, and the number of the first of the random numbers that are used up here."""
    key, first = [Var(low.make.fresh(hint), Base.INT) for hint in ("key", "first")]
    low.emit(RuntimeCall("aplc_draw", HEADER, (count,), (key, first), with_host=True))
    return key, first


def _numbered(a: Pull, ty: Base, element: Callable[[Exp, tuple[Exp, ...]], Exp]) -> Pull:
    """An array of the shape of another one, its elements made of their number and index."""
    make, shape = a.make, a.shape
    if a.flat is not None:
        return Pull(make, ty, shape, lambda i: element(i, (i,)))
    return Pull(make, ty, shape, axes=lambda ix: element(from_index(make, shape, ix), ix))


@lowers(p.ROLL)
def _roll(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    limits = low.array(op.args[0])
    key, first = _drawn(low, limits.size)

    def rolled(number: Exp, limit: Exp) -> Exp:
        possible = make.call(p.GTEI, limit, make.one)
        value = make.call(ROLLED, key, make.add(first, number), limit)
        return make.check(possible, value, site(faults.NO_CHOICE), limit)

    if limits.rank == 0:
        return from_scalar(make, rolled(make.zero, limits.at()))
    read = limits.at_flat if limits.flat is not None else limits.at
    return _numbered(limits, Base.INT, lambda i, ix: rolled(i, read(*ix)))


@lowers(p.UNIFORM)
def _uniform(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    extents = low.array(op.args[0])
    negative = site(faults.NEGATIVE_EXTENT)
    assert not isinstance(op.ty, Func | Tuple)
    axes = range(rank_of(op.ty).const)
    shape = tuple([low.checked_extent(extents.at(make.const(k)), negative) for k in axes])
    a = from_scalar(make, make.const(0.0), shape)
    key, first = _drawn(low, a.size)
    return _numbered(a, Base.DOUBLE, lambda i, _: make.call(DRAWN, key, make.add(first, i)))


def _not_negative(low: Lowering, value: Exp, site: Site) -> Exp:
    """A number computed here, an error if it is negative; it need not count anything that exists."""
    if not low.make.nonnegative(value):
        value = low.named(value, "n")
        low.require(low.make.call(p.GTEI, value, low.make.zero), site, value)
    return value


@lowers(p.DEAL)
def _deal(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make, negative = low.make, site(faults.NEGATIVE_COUNT)
    size, limit = [_not_negative(low, low.array(arg).at(), negative) for arg in op.args]
    low.require(make.call(p.LTEI, size, limit), site(faults.DEAL_TOO_MANY), size, limit)
    memory = site(faults.NO_MEMORY)
    size = low.extent(size)
    lows, highs = ((make.one,), (limit,)) if make.counts(limit) else ((), ())
    out = low.index_buffer(size, lows, highs, memory)
    low.emit(RuntimeCall("aplc_deal_out", HEADER, (out, size, limit), site=memory, with_host=True))
    return from_buffer(make, out, (size,))


@lowers(p.SET_SEED)
def _set_seed(low: Lowering, op: Op, site: SiteOf) -> Pull:
    seed = low.named(low.array(op.args[0]).at(), "seed")
    low.emit(RuntimeCall("aplc_set_seed", HEADER, (seed,), with_host=True))
    return from_scalar(low.make, seed)
