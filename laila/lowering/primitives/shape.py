"""The lowering of what is about shapes and single elements: `⍳ ⍴ , ⊃ ≡` and their kin."""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir.scalar import REM, Const, Exp, Var, nodes
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering import pull
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.cycles import LONG, SHORT
from aplc.laila.lowering.keeping import is_dear
from aplc.laila.lowering.places import origin_of, told
from aplc.laila.lowering.primitives.folds import Reducer, number_kept, reduced
from aplc.laila.lowering.primitives.subscripts import Subscript, right_number
from aplc.laila.lowering.primitives.texts import first_number
from aplc.laila.lowering.pull import FOLD_WEIGHT, Pull, constant_of, from_elements, from_scalar
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.laila.lowering.tolerance import equal as equal_within
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail import syntax as t
from aplc.tail.prims import EQUALITY
from aplc.tail.syntax import Op
from aplc.tail.types import Base

FEW_COMPARED = 16
"""Of so many elements each two are compared."""


@lowers(p.IOTA, p.IOTA_V)
def _iota(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    extent = low.checked_extent(low.array(op.args[0]).at(), site(faults.NEGATIVE_COUNT))
    low.require_room((extent,), site(faults.NO_MEMORY))
    return Pull(
        make, Base.INT, (extent,), lambda i: make.add(i, make.one), lambda ix: make.add(ix[0], make.one)
    )


@lowers(p.SHAPE, p.SHAPE_V)
def _shape(low: Lowering, op: Op, site: SiteOf) -> Pull:
    (arg,) = op.args
    if isinstance(arg, Op) and arg.prim is p.UNIQUE and isinstance(arg.args[0], t.Var):
        different = _different(low.array(arg.args[0]))
        if different is not None:
            return from_elements(low.make, (different,), Base.INT)
    a = low.deferred_array(arg)
    if a.filtered is not None:
        return from_elements(low.make, (number_kept(low, a.filtered.mask),), Base.INT)
    if not isinstance(arg, t.Var):  # the elements of a variable are computed, or forced, where they are used
        a = low.forced(a)
    return from_elements(low.make, a.shape, Base.INT)


def _different(a: Pull) -> Exp | None:
    """How many elements of a vector differ from all before them, if it is known to have few: each two are
    compared, which needs no memory, and is done for many vectors side by side.
    """
    make = a.make
    n = constant_of(a.shape[0]) if a.rank == 1 and isinstance(a.shape[0], Const) else 0
    if not 1 < n <= FEW_COMPARED or a.weight.cost >= FOLD_WEIGHT:
        return None
    elements = [a.at(make.const(k)) for k in range(n)]
    total: Exp = make.one
    for k, x in enumerate(elements[1:], 1):
        is_new: Exp = make.true
        for y in elements[:k]:
            is_new = make.call(p.ANDB, is_new, make.call(p.NOTB, make.call(EQUALITY[a.ty.value], x, y)))
        total = make.add(total, make.call(p.B2I, is_new))
    return total


@lowers(p.RESHAPE, p.RESHAPE_V)
def _reshape(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    counts = low.array(op.args[0])
    rank = 1 if counts.rank == 0 else constant_of(counts.shape[0])
    extents: list[Exp] = []
    for k in range(rank):
        n = counts.at() if counts.rank == 0 else counts.at(make.const(k))
        extents.append(low.checked_extent(n, site(faults.NEGATIVE_EXTENT)))
    a = low.array(op.args[1])
    if tuple(extents) != a.shape:
        low.require_room(tuple(extents), site(faults.NO_MEMORY))
    return _reshaped(low, a, tuple(extents))


def _reshaped(low: Lowering, a: Pull, shape: tuple[Exp, ...]) -> Pull:
    make = low.make
    if a.size is make.one:  # forced, as it may be repeated no times
        a = low.forced(a)
        return from_scalar(make, a.at_flat(make.zero) if a.rank else a.at(), shape)
    a = _in_names_of(low, a, shape)
    new, old = make.product(shape), a.size
    if new is old:
        if a.unravelled is not None and a.unravelled.shape == shape:
            return a.unravelled
        return a if a.shape == shape else pull.reshaped(a, shape)
    # An array that stands there again and again, or of which a few elements do, is written before; else most
    # often each of its elements is wanted once.
    again = next((k for k in range(1, len(shape)) if make.product(shape[-k:]) is old), 0)
    is_known = isinstance(old, Const) or again > 0
    is_once = make.call(p.LTEI, new, old) is make.true or (len(shape) > 1 and not is_known)
    is_read = is_once and low.on_host and a.flat is not None and not is_dear(a, 1)
    a = low.forced(a if is_read else low.shared(a))
    if again:
        return _again(a, shape, again)
    fits = make.call(p.LTEI, new, old)
    if fits is make.true and low.on_host:
        return Pull(make, a.ty, shape, a.at_flat)
    period, cycle = old, _constants(a) if len(shape) == 1 else ()
    is_short = isinstance(old, Const) and 0 < old.value < SHORT
    if low.on_host and is_short and not (isinstance(new, Const) and new.value <= LONG):
        a = _longer(low, a)
        old = a.size
        fits = make.call(p.LTEI, new, old)
    some = low.once(make.call(p.GTI, old, make.zero), "some", likely=True)
    if len(shape) > 1 and not isinstance(fits, Const):
        return _repeated_rows(low, a, period, shape, some, fits)
    fits = low.once(fits, "fits", likely=True)

    def element(i: Exp) -> Exp:
        position = make.select(fits, i, make.call(REM, i, old))
        return make.select(some, a.at_flat(position), pull.fill(make, a.ty))

    return Pull(make, a.ty, shape, element, cycle=cycle)


def _in_names_of(low: Lowering, a: Pull, shape: tuple[Exp, ...]) -> Pull:
    """The array with the names of `shape` for its extents, where checks have found lengths to be equal."""
    make = low.make
    names = {low.agreed(n): n for n in nodes(*shape) if isinstance(n, Var)}
    named = Substitute(make, {n: name for n, name in names.items() if isinstance(n, Var)})
    extents = tuple([named(low.agreed(n)) for n in a.shape])
    return a if make.product(extents) is a.size else replace(a, shape=extents)


def _constants(a: Pull) -> tuple[Const, ...]:
    """The elements of a few constants."""
    n = a.size.value if isinstance(a.size, Const) else 0
    found = [a.at_flat(a.make.const(k)) for k in range(int(n))] if 0 < n < SHORT else []
    constants = tuple([each for each in found if isinstance(each, Const)])
    return constants if len(constants) == n else ()


def _longer(low: Lowering, a: Pull) -> Pull:
    """A few elements again and again in memory: as many as make a loop over them pay."""
    make, size = low.make, a.size
    assert isinstance(size, Const)
    whole = make.const(int(size.value) * (LONG // int(size.value)))
    return low.materialise(Pull(make, a.ty, (whole,), lambda i: a.at_flat(make.call(REM, i, size))))


def _again(a: Pull, shape: tuple[Exp, ...], k: int) -> Pull:
    """An array as each of the cells, of k axes, of an array of that shape."""
    make, cell = a.make, shape[-k:]
    return Pull(make, a.ty, shape, axes=lambda ix: a.at_flat(pull.from_index(make, cell, ix[-k:])))


def _repeated_rows(low: Lowering, a: Pull, period: Exp, shape: tuple[Exp, ...], some: Exp, fits: Exp) -> Pull:
    """An array, whose elements come again after so many, reshaped to a matrix, say: most often it has all the
    elements, or those of one row.
    """
    make, old, row = low.make, a.size, shape[-1]
    alike = make.call(p.EQI, old, row)
    if period is not old:
        whole = make.call(p.EQI, make.call(REM, row, period), make.zero)
        whole = make.select(make.call(p.GTI, period, make.zero), whole, make.false)
        alike = make.call(p.ANDB, whole, make.call(p.LTEI, row, old))
    repeats = low.once(alike, "repeats")
    simple = low.once(make.call(p.ORB, repeats, fits), "simple", likely=True)

    def element(ix: tuple[Exp, ...]) -> Exp:
        place = pull.from_index(make, shape, ix)
        known = make.select(repeats, ix[-1], place)
        position = make.select(simple, known, make.call(REM, place, old))
        return make.select(some, a.at_flat(position), pull.fill(make, a.ty))

    return Pull(make, a.ty, shape, axes=element)


@lowers(p.RAVEL)
def _ravel(low: Lowering, op: Op, site: SiteOf) -> Pull:
    return pull.ravelled(low.array(op.args[0]))


@lowers(p.FIRST, p.FIRST_V)
def _first(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make, arg = low.make, op.args[0]
    if isinstance(arg, Op) and arg.prim is p.NUMBERS:
        return first_number(low, arg)
    a = low.forced(low.array(arg))
    element = a.at(*[make.zero for _ in a.shape])
    some = make.call(p.GTI, a.size, make.zero)
    return from_scalar(make, make.select(some, element, pull.fill(make, a.ty)))


@lowers(p.PICK)
def _pick(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    place = low.array(op.args[0]).at()
    a = low.forced(low.array(op.args[1]))
    size = a.shape[0]
    if make.call(p.ANDB, make.call(p.GTEI, place, make.one), make.call(p.LTEI, place, size)) is make.true:
        return from_scalar(make, a.at(make.sub(place, make.one)))
    if low.on_host and a.buffer is None:  # what is made of the number knows its bounds
        subscript = Subscript(from_scalar(make, place), size, site(faults.INDEX_RANGE), origin_of(op))
        return from_scalar(make, a.at(make.sub(right_number(low, subscript, place), make.one)))
    i = low.once(place, "i")
    inside = make.call(p.ANDB, make.call(p.GTEI, i, make.one), make.call(p.LTEI, i, size))
    element = make.select(inside, a.at(make.sub(i, make.one)), pull.fill(make, a.ty))
    if low.on_host:
        low.require(inside, site(faults.INDEX_RANGE), told(make, i, origin_of(op)), size)
        return from_scalar(make, a.at(make.sub(i, make.one)))
    number = told(make, i, origin_of(op))
    return from_scalar(make, make.check(inside, element, site(faults.INDEX_RANGE), number, size))


@lowers(p.MATCH, p.MATCH_T)
def _match(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    *tolerance, a, b = [low.forced(low.array(x)) for x in op.args]

    def equal(x: Exp, y: Exp) -> Exp:
        return equal_within(make, tolerance[0].at(), x, y) if tolerance else make.call(equality, x, y)

    same: Exp = make.true
    for m, n in zip(a.shape, b.shape, strict=True):
        same = make.call(p.ANDB, same, make.call(p.EQI, m, n))
    equality = EQUALITY[a.ty.value]
    if a.rank == 0:
        return from_scalar(make, equal(a.at(), b.at()))
    pairs = pull.ravelled(a.zipped(b, equal, Base.BOOL, a.shape))
    reducer = Reducer(p.ANDB, lambda x, y: make.call(p.ANDB, x, y), make.true)
    return from_scalar(make, make.select(same, reduced(low, pairs, reducer).at(), make.false))
