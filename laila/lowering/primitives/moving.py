"""The lowering of functions that move elements: `⌽ ⍉ ↑ ↓`, and catenation."""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir.scalar import Call, Const, Exp
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering import pull
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.pull import Pull, constant_of
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.array_limits import ADDRESSABLE
from aplc.tail.prims import INT_MIN
from aplc.tail.syntax import Op, constants_of


@lowers(p.REVERSE, p.REVERSE_V)
def _reverse(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a = low.array(op.args[0])
    return pull.reversed_last(a) if a.rank else a


@lowers(p.ROTATE, p.ROTATE_V)
def _rotate(low: Lowering, op: Op, site: SiteOf) -> Pull:
    n, a = low.array(op.args[0]).at(), low.array(op.args[1])
    if a.rank == 0:
        return a
    return pull.rotated_last(a, _offset(low, n, a.shape[-1]))


def _offset(low: Lowering, n: Exp, extent: Exp) -> Exp:
    """A rotation reduced to 0 … extent."""
    make = low.make
    if isinstance(n, Const):
        count = int(n.value)
        fits = abs(count) <= 1 or (count != INT_MIN and make.at_least(extent, make.const(abs(count))))
        if fits:
            return make.add(extent, n) if count < 0 else n
    modulus = make.call(p.MAXI, extent, make.one)  # an empty axis is not rotated: 0|n would be n
    return low.extent(make.call(p.RESI, modulus, n), make.sub(modulus, make.one))


@lowers(p.TRANSP)
def _transp(low: Lowering, op: Op, site: SiteOf) -> Pull:
    return pull.transposed(low.array(op.args[0]))


@lowers(p.DIAGONAL)
def _diagonal(low: Lowering, op: Op, site: SiteOf) -> Pull:
    axes = constants_of(op.args)[0]
    assert axes is not None
    a = low.forced(low.array(op.args[1]))
    return pull.transposed_by(a, tuple([axis - 1 for axis in axes])) if axes else a


def _counts(low: Lowering, op: Op) -> list[Exp]:
    """The counts of take and drop, one an axis from the first."""
    counts = low.array(op.args[0])
    if counts.rank == 0:
        return [_count(low, counts.at())]
    return [_count(low, counts.at(low.make.const(k))) for k in range(constant_of(counts.shape[0]))]


def _count(low: Lowering, n: Exp) -> Exp:
    """A number of elements, computed once, unless it is known to be no less than 0 by what it is made of."""
    meaning = low.seen_through(n)
    is_known = low.make.counts(meaning) and low.make.nonnegative(meaning)
    return meaning if is_known else low.once(n, "n")


@lowers(p.TAKE, p.TAKE_V, p.TAKES)
def _take(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a = whole = low.forced(low.array(op.args[1]))
    for axis, n in enumerate(_counts(low, op)):
        count = low.extent(make.call(p.ABSI, n))
        if low.on_host and not isinstance(n, Const) and not make.counts(n):
            least, most = make.const(-ADDRESSABLE), make.const(ADDRESSABLE)
            fits = make.call(p.ANDB, make.call(p.LTI, least, n), make.call(p.LTI, n, most))
            low.require(fits, site(faults.NO_MEMORY), count, make.zero)
        positive = make.call(p.GTEI, n, make.zero)
        start = make.select(positive, make.zero, make.sub(a.shape[axis], count))
        if not isinstance(start, Const) and not isinstance(n, Const) and low.on_host:
            start = low.counted(start, (), ())
        a = pull.taken(a, axis, count, start)
    if whole.rank == 1 and whole.buffer is not None and whole.buffer.storage == STORAGE[a.ty]:
        fits = make.call(p.LTEI, n, whole.shape[0])
        return replace(a, beginning=(whole.buffer, make.call(p.ANDB, make.call(p.GTEI, n, make.zero), fits)))
    if a.rank > 1 and not all(isinstance(n, Const) for n in a.shape):
        low.require_room(a.shape, site(faults.NO_MEMORY))
    return a


@lowers(p.DROP, p.DROP_V, p.DROPS)
def _drop(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a = low.forced(low.array(op.args[1]))
    for axis, n in enumerate(_counts(low, op)):
        count = make.call(p.ABSI, n) if isinstance(n, Const) else low.extent(make.call(p.ABSI, n))
        kept = _what_is_left(make, a.shape[axis], count)
        a = pull.dropped(a, axis, kept, low.extent(make.call(p.MAXI, n, make.zero)))
    return a


def _what_is_left(make: ExprBuilder, extent: Exp, count: Exp) -> Exp:
    """`0⌈extent-count`; where the extent is such itself, that of what it was before: `1↓¯1↓v` is as long as
    `2↓v`.
    """
    left = make.sub(extent, count)
    if isinstance(extent, Call) and extent.op is p.MAXI and make.zero in extent.args:
        whole = make.sub(extent.args[extent.args[0] is make.zero], count)
        left = whole if isinstance(count, Const) and make.counts(whole) else left
    return make.call(p.MAXI, make.zero, left)


def _require_same(low: Lowering, a: tuple[Exp, ...], b: tuple[Exp, ...], site: SiteOf) -> None:
    make = low.make
    for m, n in zip(a, b, strict=True):
        low.require(make.call(p.EQI, m, n), site(faults.LENGTHS), m, n)


@lowers(p.CAT, p.CAT_V)
def _cat(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = low.array(op.args[0]), low.array(op.args[1])
    _require_same(low, a.shape[:-1], b.shape[:-1], site)
    joined = pull.joined_last(a, b)
    is_padded = a.buffer is not None and a.rank == 1 and isinstance(b.sample(), Const)
    return pull.as_cheap(joined) if is_padded else joined


@lowers(p.CONS, p.CONS_V)
def _cons(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = low.array(op.args[0]), low.array(op.args[1])
    _require_same(low, a.shape, b.shape[:-1], site)
    return pull.joined_last(pull.with_unit_axis(a), b)


@lowers(p.SNOC, p.SNOC_V)
def _snoc(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = low.array(op.args[0]), low.array(op.args[1])
    _require_same(low, a.shape[:-1], b.shape, site)
    return pull.joined_last(a, pull.with_unit_axis(b))
