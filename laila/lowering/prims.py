"""The lowering of TAIL's array primitives to pull arrays: one small function a primitive, in the table
`LOWER`.

Each takes the lowerer, the application and a maker of error sites, and gives the pull array of the result.
Checks that concern shapes become host checks; those that concern elements stay with the elements.

Note [Lengths that only the run knows]
    Where two extents may differ only if one array has a single element, both cases must work and the equal
    one must cost nothing: the index of the single one is chosen by a condition marked `likely`, on which
    loops are versioned.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.ir.program import Output
from aplc.laila.ir.scalar import REM, Call, Const, Exp, Site
from aplc.laila.ir.simplify import Scalars
from aplc.laila.lowering import pull
from aplc.laila.lowering.bench import BENCH
from aplc.laila.lowering.cells import CELLS, one_by_one
from aplc.laila.lowering.chance import CHANCE
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.cycles import LONG, SHORT
from aplc.laila.lowering.decisions import PRINTED
from aplc.laila.lowering.folds import (
    Reducer,
    inner,
    inner_nonempty,
    number_kept,
    reduce,
    reduce_nonempty,
    reduced,
    single_index,
)
from aplc.laila.lowering.host import HOST
from aplc.laila.lowering.index import INDEXING
from aplc.laila.lowering.lowered import Lowered, reference
from aplc.laila.lowering.matrix import MATRICES
from aplc.laila.lowering.numeric import NUMBERS
from aplc.laila.lowering.order import SEARCHES
from aplc.laila.lowering.pull import Pull, from_elements, from_scalar
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.scans import SCANS
from aplc.laila.lowering.select import SELECTION, mapped, zipped
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail import syntax as t
from aplc.tail.prims import EQUALITY, INT_MIN, Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Fn, Op, PrimFn, constants_of, walk
from aplc.tail.types import Base, base_of

LowerArray = Callable[[Lowering, Op, SiteOf], Lowered]


# --- maps -----------------------------------------------------------------------------------------------


def _each(low: Lowering, op: Op, site: SiteOf) -> Pull:
    if isinstance(op.args[0], Fn) and t.prints(op.args[0]):
        return one_by_one(low, op.args[0], [low.array(op.args[1])], site)
    (a,) = _looked_at(low, op.args[0], low.deferred_array(op.args[1]))
    return mapped(low, a, low.function(op.args[0]), base_of(op.ty))


def _looked_at(low: Lowering, function: Arg, *arrays: Pull) -> list[Pull]:
    """The operands of a function; one that it does not look at may fail all the same."""
    if not isinstance(function, Fn):
        return list(arrays)
    used = {n.name for n in walk(function.body) if isinstance(n, t.Var)}
    return [a if q.name in used else low.forced(a) for q, a in zip(function.params, arrays, strict=True)]


def _zip_with(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = _looked_at(low, op.args[0], *[low.deferred_array(x) for x in op.args[1:]])
    function, ty = low.function(op.args[0]), base_of(op.ty)
    has_effects = isinstance(op.args[0], Fn) and t.prints(op.args[0])
    if not has_effects and (a.filtered is not None or b.filtered is not None):
        filtered = zipped(a, b, function, ty)
        if filtered is not None:
            return filtered
    if a.filtered is not None or b.filtered is not None:
        a, b = [low.materialise(x) if x.filtered is not None else x for x in (a, b)]
    shape = a.shape
    if any(m is not n for m, n in zip(a.shape, b.shape, strict=True)):
        a, b, shape = _conform(low, a, b, site(faults.LENGTHS))
    if has_effects:
        assert isinstance(op.args[0], Fn)
        return one_by_one(low, op.args[0], [a, b], site)
    return a.zipped(b, function, ty, shape)


def _conform(low: Lowering, a: Pull, b: Pull, site: Site) -> tuple[Pull, Pull, tuple[Exp, ...]]:
    """Two arrays brought to one shape: see Note [Lengths that only the run knows]."""
    make = low.make
    pairs = list(zip(a.shape, b.shape, strict=True))
    equal: Exp = make.true
    for m, n in pairs:
        equal = make.call(p.ANDB, equal, make.call(p.EQI, m, n))
    equal = low.once(equal, "equal", likely=True)
    ones = [low.once(make.call(p.EQI, x.size, make.one), "one") for x in (a, b)]
    m, n = pairs[-1]
    for earlier_m, earlier_n in reversed(pairs[:-1]):
        same = make.call(p.EQI, earlier_m, earlier_n)
        m, n = make.select(same, m, earlier_m), make.select(same, n, earlier_n)
    low.require(make.call(p.ORB, equal, make.call(p.ORB, *ones)), site, m, n)
    shape = tuple([low.extent(make.select(equal, m, make.select(ones[0], n, m))) for m, n in pairs])
    first, second = [_extended(low, x, equal, one, shape) for x, one in zip((a, b), ones, strict=True)]
    return first, second, shape


def _extended(low: Lowering, a: Pull, equal: Exp, one: Exp, shape: tuple[Exp, ...]) -> Pull:
    """An array that is read at its only element where it has one and the other has not; if that element
    cannot be computed, it is an error even if the other has none.
    """
    make = low.make
    if low.on_host and a.weight.may_fail:
        extends = make.call(p.ANDB, one, make.call(p.NOTB, equal))
        low.named(make.select(extends, a.at(*[make.zero] * a.rank), pull.fill(make, a.ty)), "only")
    index = single_index(low, equal, one)
    flat = None if a.flat is None else lambda i: a.at_flat(index(i))
    axes = None if a.axes is None else lambda ix: a.at(*map(index, ix))
    return Pull(make, a.ty, shape, flat, axes)


def _outer(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = _looked_at(low, op.args[0], *[low.shared(low.array(x)) for x in op.args[1:]])
    shape = a.shape + b.shape
    low.require_room(shape, site(faults.NO_MEMORY))
    if isinstance(op.args[0], Fn) and t.prints(op.args[0]):
        sides = [a.moved(shape, lambda ix: ix[: a.rank]), b.moved(shape, lambda ix: ix[a.rank :])]
        return one_by_one(low, op.args[0], sides, site)
    return pull.outer(a, b, low.function(op.args[0]), base_of(op.ty))


# --- shape ----------------------------------------------------------------------------------------------


def _iota(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    extent = low.checked_extent(low.array(op.args[0]).at(), site(faults.NEGATIVE_COUNT))
    return Pull(
        make, Base.INT, (extent,), lambda i: make.add(i, make.one), lambda ix: make.add(ix[0], make.one)
    )


def _shape(low: Lowering, op: Op, site: SiteOf) -> Pull:
    (arg,) = op.args
    a = low.deferred_array(arg)
    if a.filtered is not None:
        return from_elements(low.make, (number_kept(low, a.filtered.mask),), Base.INT)
    if not isinstance(arg, t.Var):  # the elements of a variable are computed, or forced, where they are used
        a = low.forced(a)
    return from_elements(low.make, a.shape, Base.INT)


def _reshape(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    counts = low.array(op.args[0])
    rank = 1 if counts.rank == 0 else int(_constant(counts.shape[0]))
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
    new, old = make.product(shape), a.size
    if new is old:
        return a if a.shape == shape else Pull(make, a.ty, shape, a.at_flat, buffer=a.buffer)
    a = low.forced(low.shared(a))
    for k in range(1, len(shape)):
        if make.product(shape[-k:]) is old:  # the array stands there again and again
            return _again(a, shape, k)
    is_short = isinstance(old, Const) and 0 < old.value < SHORT
    is_once = isinstance(new, Const) and new.value <= LONG
    if low.on_host and is_short and not is_once:
        a = _longer(low, a)
        old = a.size
    some = low.once(make.call(p.GTI, old, make.zero), "some", likely=True)
    fits = make.call(p.LTEI, new, old)
    if len(shape) > 1 and not isinstance(fits, Const):
        return _repeated_rows(low, a, shape, some, fits)
    fits = low.once(fits, "fits", likely=True)

    def element(i: Exp) -> Exp:
        position = make.select(fits, i, make.call(REM, i, old))
        return make.select(some, a.at_flat(position), pull.fill(make, a.ty))

    return Pull(make, a.ty, shape, element)


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


def _repeated_rows(low: Lowering, a: Pull, shape: tuple[Exp, ...], some: Exp, fits: Exp) -> Pull:
    """An array reshaped to a matrix, say: most often it has all the elements, or those of one row."""
    make, old = low.make, a.size
    repeats = low.once(make.call(p.EQI, old, shape[-1]), "repeats")
    simple = low.once(make.call(p.ORB, repeats, fits), "simple", likely=True)

    def element(ix: tuple[Exp, ...]) -> Exp:
        place = pull.from_index(make, shape, ix)
        known = make.select(repeats, ix[-1], place)
        position = make.select(simple, known, make.call(REM, place, old))
        return make.select(some, a.at_flat(position), pull.fill(make, a.ty))

    return Pull(make, a.ty, shape, axes=element)


def _ravel(low: Lowering, op: Op, site: SiteOf) -> Pull:
    return pull.ravelled(low.array(op.args[0]))


def _first(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a = low.forced(low.array(op.args[0]))
    element = a.at(*[make.zero for _ in a.shape])
    some = make.call(p.GTI, a.size, make.zero)
    return from_scalar(make, make.select(some, element, pull.fill(make, a.ty)))


def _pick(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    i = low.once(low.array(op.args[0]).at(), "i")
    a = low.forced(low.array(op.args[1]))
    size = a.shape[0]
    inside = make.call(p.ANDB, make.call(p.GTEI, i, make.one), make.call(p.LTEI, i, size))
    element = make.select(inside, a.at(make.sub(i, make.one)), pull.fill(make, a.ty))
    if low.on_host:
        low.require(inside, site(faults.INDEX_RANGE), i, size)
        return from_scalar(make, a.at(make.sub(i, make.one)))
    return from_scalar(make, make.check(inside, element, site(faults.INDEX_RANGE), i, size))


def _match(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a, b = [low.forced(low.array(x)) for x in op.args]
    same: Exp = make.true
    for m, n in zip(a.shape, b.shape, strict=True):
        same = make.call(p.ANDB, same, make.call(p.EQI, m, n))
    equality = EQUALITY[a.ty.value]
    if a.rank == 0:
        return from_scalar(make, make.call(equality, a.at(), b.at()))
    pairs = pull.ravelled(a.zipped(b, lambda x, y: make.call(equality, x, y), Base.BOOL, a.shape))
    reducer = Reducer(p.ANDB, lambda x, y: make.call(p.ANDB, x, y), make.true)
    return from_scalar(make, make.select(same, reduced(low, pairs, reducer).at(), make.false))


# --- moving elements ------------------------------------------------------------------------------------


def _reverse(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a = low.array(op.args[0])
    return pull.reversed_last(a) if a.rank else a


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


def _transp(low: Lowering, op: Op, site: SiteOf) -> Pull:
    return pull.transposed(low.array(op.args[0]))


def _diagonal(low: Lowering, op: Op, site: SiteOf) -> Pull:
    axes = constants_of(op.args)[0]
    assert axes is not None
    a = low.forced(low.array(op.args[1]))
    return pull.transposed_by(a, tuple([axis - 1 for axis in axes])) if axes else a


def _counts(low: Lowering, op: Op) -> list[Exp]:
    """The counts of take and drop, one an axis from the first."""
    counts = low.array(op.args[0])
    if counts.rank == 0:
        return [low.once(counts.at(), "n")]
    return [low.once(counts.at(low.make.const(k)), "n") for k in range(int(_constant(counts.shape[0])))]


def _take(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a = low.forced(low.array(op.args[1]))
    for axis, n in enumerate(_counts(low, op)):
        count = low.extent(make.call(p.ABSI, n))
        positive = make.call(p.GTEI, n, make.zero)
        start = make.select(positive, make.zero, make.sub(a.shape[axis], count))
        if not isinstance(n, Const) and low.on_host:
            start = low.counted(start, (), ())
        a = pull.taken(a, axis, count, start)
    return a


def _drop(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a = low.forced(low.array(op.args[1]))
    for axis, n in enumerate(_counts(low, op)):
        count = make.call(p.ABSI, n) if isinstance(n, Const) else low.extent(make.call(p.ABSI, n))
        kept = _what_is_left(make, a.shape[axis], count)
        a = pull.dropped(a, axis, kept, low.extent(make.call(p.MAXI, n, make.zero)))
    return a


def _what_is_left(make: Scalars, extent: Exp, count: Exp) -> Exp:
    """`0⌈extent-count`; where the extent is such itself, that of what it was before: `1↓¯1↓v` is as long as
    `2↓v`.
    """
    left = make.sub(extent, count)
    if isinstance(extent, Call) and extent.op is p.MAXI and make.zero in extent.args:
        whole = make.sub(extent.args[extent.args[0] is make.zero], count)
        left = whole if isinstance(count, Const) and make.counts(whole) else left
    return make.call(p.MAXI, make.zero, left)


def _constant(exp: Exp) -> int:
    assert isinstance(exp, Const)
    return int(exp.value)


def _require_same(low: Lowering, a: tuple[Exp, ...], b: tuple[Exp, ...], site: SiteOf) -> None:
    make = low.make
    for m, n in zip(a, b, strict=True):
        low.require(make.call(p.EQI, m, n), site(faults.LENGTHS), m, n)


def _cat(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = low.array(op.args[0]), low.array(op.args[1])
    _require_same(low, a.shape[:-1], b.shape[:-1], site)
    return pull.joined_last(a, b)


def _cons(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = low.array(op.args[0]), low.array(op.args[1])
    _require_same(low, a.shape, b.shape[:-1], site)
    return pull.joined_last(pull.with_unit_axis(a), b)


def _snoc(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = low.array(op.args[0]), low.array(op.args[1])
    _require_same(low, a.shape[:-1], b.shape, site)
    return pull.joined_last(a, pull.with_unit_axis(b))


# --- effects --------------------------------------------------------------------------------------------


def _print(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    return _printed(low, op.args[0], op.span)


def _print_with(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    digits, arg = op.args
    return _printed(low, arg, op.span, low.scalar(digits))


def _printed(low: Lowering, arg: Arg, span: Span | None, digits: Exp | None = None) -> Lowered:
    """Print a value; an array is then in memory, for later uses too."""
    assert not isinstance(arg, Fn | PrimFn)
    low.settle()  # first: what is printed may be one of them
    value = low.stored(low.lower(arg), low.site(faults.NO_MEMORY, "", span), PRINTED)
    if isinstance(arg, t.Var):
        low.bind(arg.name, value)
    low.emit(Output(reference(value), False, digits))
    return value


LOWER: dict[Prim, LowerArray] = {
    p.EACH: _each,
    p.ZIP_WITH: _zip_with,
    p.OUTER: _outer,
    p.REDUCE: reduce,
    p.REDUCE1: reduce_nonempty,
    p.INNER: inner,
    p.INNER1: inner_nonempty,
    p.IOTA: _iota,
    p.IOTA_V: _iota,
    p.SHAPE: _shape,
    p.SHAPE_V: _shape,
    p.RESHAPE: _reshape,
    p.RESHAPE_V: _reshape,
    p.RAVEL: _ravel,
    p.FIRST: _first,
    p.FIRST_V: _first,
    p.PICK: _pick,
    p.MATCH: _match,
    p.REVERSE: _reverse,
    p.REVERSE_V: _reverse,
    p.ROTATE: _rotate,
    p.ROTATE_V: _rotate,
    p.TRANSP: _transp,
    p.DIAGONAL: _diagonal,
    p.TAKE: _take,
    p.TAKE_V: _take,
    p.TAKES: _take,
    p.DROP: _drop,
    p.DROP_V: _drop,
    p.DROPS: _drop,
    p.CAT: _cat,
    p.CAT_V: _cat,
    p.CONS: _cons,
    p.CONS_V: _cons,
    p.SNOC: _snoc,
    p.SNOC_V: _snoc,
    p.PRINT: _print,
    p.PRINT_WITH: _print_with,
}
LOWER |= {**SEARCHES, **CHANCE, **HOST, **MATRICES, **SCANS, **CELLS, **NUMBERS, **BENCH, **SELECTION}
LOWER |= INDEXING
