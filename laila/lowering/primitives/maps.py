"""The lowering of functions applied to each element: `¨`, scalar functions of arrays, and outer products.

Note [Lengths that only the run knows]
    Where two extents may differ only if one array has a single element, both cases must work and the equal
    one must cost nothing: the index of the single one is chosen by a condition marked `likely`, on which
    loops are versioned.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir.scalar import Const, Exp, Site, Var
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering import pull
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.primitives.cells import one_by_one
from aplc.laila.lowering.primitives.folds import require_single, single_index
from aplc.laila.lowering.primitives.select import mapped, repeated, zipped
from aplc.laila.lowering.pull import Pull
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail import syntax as t
from aplc.tail.syntax import Fn, Op
from aplc.tail.types import base_of


@lowers(p.EACH)
def _each(low: Lowering, op: Op, site: SiteOf) -> Pull:
    if isinstance(op.args[0], Fn) and t.prints(op.args[0]):
        return one_by_one(low, op.args[0], [low.array(op.args[1])], site)
    (a,) = low.looked_at(op.args[0], low.deferred_array(op.args[1]))
    return _inside(low, mapped(low, a, low.function(op.args[0]), base_of(op.ty)))


def _inside(low: Lowering, a: Pull) -> Pull:
    """A vector whose elements are computed for an index that is known to be one, and then for those at which
    it is read: `a[i-1]` of another array for `i > 0` alone. So a check of what an index does is proved once.
    """
    if a.rank != 1 or a.filtered is not None:
        return a
    make = low.make
    indices: list[Var] = []

    def at(place: Exp) -> Exp:
        if isinstance(place, Var | Const):
            return a.at(place)
        if not indices:
            indices.append(make.index("i", a.shape[0]))
        (index,) = indices
        found = a.at(index)
        return a.at(place) if pull.weigh(found).may_fail else Substitute(make, {index: place})(found)

    flat = None if a.flat is None else at
    return replace(a, flat=flat, axes=None if a.axes is None else lambda ix: at(*ix))


@lowers(p.ZIP_WITH)
def _zip_with(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = low.looked_at(op.args[0], *[low.deferred_array(x) for x in op.args[1:]])
    function, ty = low.function(op.args[0]), base_of(op.ty)
    has_effects = isinstance(op.args[0], Fn) and t.prints(op.args[0])
    if not has_effects and (a.filtered is not None or b.filtered is not None):
        filtered = zipped(a, b, function, ty)
        if filtered is not None:
            return filtered
    if a.filtered is not None or b.filtered is not None:
        a, b = [low.materialise(x) if x.filtered is not None else x for x in (a, b)]
    shape = a.shape
    if not all(low.same_extent(m, n) for m, n in zip(a.shape, b.shape, strict=True)):
        a, b, shape = _conform(low, a, b, site(faults.LENGTHS))
    if has_effects:
        assert isinstance(op.args[0], Fn)
        return one_by_one(low, op.args[0], [a, b], site)
    return a.zipped(b, function, ty, shape)


Agreed = tuple[Exp, tuple[Exp, Exp], tuple[Exp, ...]]
"""Whether two shapes are equal, whether each has one element, and the shape that both are brought to."""


def _conform(low: Lowering, a: Pull, b: Pull, site: Site) -> tuple[Pull, Pull, tuple[Exp, ...]]:
    """Two arrays brought to one shape: see Note [Lengths that only the run knows]."""
    if b.size is low.make.one:
        return a, repeated(low, b, a.shape), a.shape
    if a.size is low.make.one:
        return repeated(low, a, b.shape), b, b.shape

    def compute() -> Agreed:
        return _agreed(low, a, b, site)

    equal, ones, shape = low.from_scalars((*a.shape, *b.shape), compute) if low.on_host else compute()
    first, second = [_extended(low, x, equal, one, shape) for x, one in zip((a, b), ones, strict=True)]
    return first, second, shape


def _agreed(low: Lowering, a: Pull, b: Pull, site: Site) -> Agreed:
    """What the shapes of two arrays agree on, which is checked."""
    make = low.make
    pairs = list(zip(a.shape, b.shape, strict=True))
    equal: Exp = make.true
    for m, n in pairs:
        equal = make.call(p.ANDB, equal, make.call(p.EQI, m, n))
    equal = low.once(equal, "equal", likely=True)
    first, second = [low.once(make.call(p.EQI, x.size, make.one), "one") for x in (a, b)]
    m, n = pairs[-1]
    for earlier_m, earlier_n in reversed(pairs[:-1]):
        same = make.call(p.EQI, earlier_m, earlier_n)
        m, n = make.select(same, m, earlier_m), make.select(same, n, earlier_n)
    low.require(make.call(p.ORB, equal, make.call(p.ORB, first, second)), site, m, n)
    for known in (a, b):
        if any([isinstance(n, Const) and n is not make.one for n in known.shape]):  # the other extends to it
            return equal, (first, second), known.shape
    shape = tuple([low.extent(make.select(equal, m, make.select(first, n, m))) for m, n in pairs])
    return equal, (first, second), shape


def _extended(low: Lowering, a: Pull, equal: Exp, one: Exp, shape: tuple[Exp, ...]) -> Pull:
    """An array that is read at its only element where it has one and the other has not."""
    make = low.make
    require_single(low, a, make.call(p.ANDB, one, make.call(p.NOTB, equal)), make.product(shape))
    index = single_index(low, equal, one)
    flat = None if a.flat is None else lambda i: a.at_flat(index(i))
    axes = None if a.axes is None else lambda ix: a.at(*map(index, ix))
    return Pull(make, a.ty, shape, flat, axes)


@lowers(p.OUTER)
def _outer(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = low.looked_at(op.args[0], *[low.shared(low.array(x)) for x in op.args[1:]])
    shape = a.shape + b.shape
    low.require_room(shape, site(faults.NO_MEMORY))
    if isinstance(op.args[0], Fn) and t.prints(op.args[0]):
        sides = [a.moved(shape, lambda ix: ix[: a.rank]), b.moved(shape, lambda ix: ix[a.rank :])]
        return one_by_one(low, op.args[0], sides, site)
    return pull.outer(a, b, low.function(op.args[0]), base_of(op.ty))
