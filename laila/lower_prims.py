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
from dataclasses import dataclass
from typing import TYPE_CHECKING

from laila import pull
from laila.lower_scalars import NEUTRAL, neutral
from laila.pull import Pull, from_elements, from_scalar
from laila.scalar import REM, Const, Exp, Site, Step, Var
from tail import faults
from tail import prims as p
from tail.errors import unsupported
from tail.faults import Fault
from tail.prims import EQUALITY, Prim
from tail.syntax import Arg, Fn, Op, PrimFn, constants_of
from tail.types import Base, Func, Tuple, Type

if TYPE_CHECKING:
    from laila.lower import Lowerer

SiteOf = Callable[[Fault], Site]
LowerArray = Callable[["Lowerer", Op, SiteOf], Pull]

UNROLL = 4


def _array(low: Lowerer, arg: Arg) -> Pull:
    assert not isinstance(arg, Fn | PrimFn)
    return low.lower(arg)


def _base(ty: Type) -> Base:
    assert not isinstance(ty, Func | Tuple) and isinstance(ty.base, Base)
    return ty.base


# --- maps -----------------------------------------------------------------------------------------------


def _each(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    return _array(low, op.args[1]).mapped(low.function(op.args[0]), _base(op.ty))


def _zip_with(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    a, b = _array(low, op.args[1]), _array(low, op.args[2])
    shape = a.shape
    if any(m is not n for m, n in zip(a.shape, b.shape, strict=True)):
        a, b, shape = _conform(low, a, b, site(faults.LENGTHS))
    return a.zipped(b, low.function(op.args[0]), _base(op.ty), shape)


def _conform(low: Lowerer, a: Pull, b: Pull, site: Site) -> tuple[Pull, Pull, tuple[Exp, ...]]:
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


def _extended(low: Lowerer, a: Pull, equal: Exp, one: Exp, shape: tuple[Exp, ...]) -> Pull:
    """An array that is read at its only element where it has one and the other has not."""
    make = low.make

    def index(i: Exp) -> Exp:
        return make.select(equal, i, make.select(one, make.zero, i))

    flat = None if a.flat is None else lambda i: a.at_flat(index(i))
    axes = None if a.axes is None else lambda ix: a.at(*map(index, ix))
    return Pull(make, a.ty, shape, flat, axes)


def _outer(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    a, b = [low.shared(_array(low, x)) for x in op.args[1:]]
    return pull.outer(a, b, low.function(op.args[0]), _base(op.ty))


# --- reductions -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Reducer:
    """A reduction's function: how two values combine, as a fold sees it, and the value for no elements."""

    combine: Prim | Step
    apply: Callable[..., Exp]
    empty: Exp | None


def _reducer(low: Lowerer, function: Arg, ty: Base, empty: Exp | None) -> _Reducer:
    apply = low.function(function)
    if isinstance(function, PrimFn) and function.prim in NEUTRAL:
        return _Reducer(function.prim, apply, empty)
    element = Var(low.make.fresh("x"), ty)
    accumulator = Var(low.make.fresh("s"), ty)
    return _Reducer(Step(element, accumulator, apply(element, accumulator)), apply, empty)


def _fold(low: Lowerer, reducer: _Reducer, extent: Exp, element: Callable[[Exp], Exp]) -> Exp:
    """The reduction of `element(0)` to `element(extent-1)`; a few are written out."""
    make = low.make
    if isinstance(extent, Const) and (0 < extent.value <= UNROLL):
        result = element(make.const(int(extent.value) - 1))
        for k in range(int(extent.value) - 2, -1, -1):
            result = reducer.apply(element(make.const(k)), result)
        return result
    var = make.index("k", extent)
    return make.fold(reducer.combine, var, extent, element(var), reducer.empty)


def _reduce(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    function, identity, array = op.args
    a = _array(low, array)
    return _reduced(low, a, _reducer(low, function, a.ty, _array(low, identity).at()))


def _reduce_nonempty(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    function, array = op.args
    a = _array(low, array)
    _require_elements(low, a.shape[-1], a.make.product(a.shape[:-1]), site)
    return _reduced(low, a, _reducer(low, function, a.ty, None))


def _require_elements(low: Lowerer, extent: Exp, results: Exp, site: SiteOf) -> None:
    """Something to reduce, or nothing to compute."""
    make = low.make
    some = make.call(p.GTI, extent, make.zero)
    none = make.call(p.EQI, results, make.zero)
    low.require(make.call(p.ORB, some, none), site(faults.EMPTY_REDUCTION))


def _reduced(low: Lowerer, a: Pull, reducer: _Reducer) -> Pull:
    make = low.make
    if a.rank == 1:
        inside = a.unravelled
        if inside is not None and isinstance(reducer.combine, Prim) and reducer.empty is not None:
            return from_scalar(make, _fold_axes(low, inside, reducer))
        return from_scalar(make, _fold(low, reducer, a.shape[0], lambda k: a.at(k)))
    return Pull(
        make,
        a.ty,
        a.shape[:-1],
        axes=lambda ix: _fold(low, reducer, a.shape[-1], lambda k: a.at(*ix, k)),
    )


def _fold_axes(low: Lowerer, a: Pull, reducer: _Reducer) -> Exp:
    """The reduction of a whole array, one fold an axis, for an associative function."""
    make = low.make
    assert isinstance(reducer.combine, Prim) and reducer.empty is not None
    start = neutral(make, reducer.combine)
    inner = _Reducer(reducer.combine, reducer.apply, start)

    def fold_from(axis: int, index: tuple[Exp, ...]) -> Exp:
        if axis == a.rank:
            return a.at(*index)
        return _fold(low, inner, a.shape[axis], lambda k: fold_from(axis + 1, (*index, k)))

    total = fold_from(0, ())
    if reducer.empty is start:
        return total
    return make.select(make.call(p.EQI, a.size, make.zero), reducer.empty, total)


def _inner(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    function, identity, products, left, right = op.args
    empty = _array(low, identity).at()
    return _inner_product(low, op, site, (function, products, left, right), empty)


def _inner_nonempty(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    function, products, left, right = op.args
    return _inner_product(low, op, site, (function, products, left, right), None)


def _inner_product(
    low: Lowerer, op: Op, site: SiteOf, args: tuple[Arg, Arg, Arg, Arg], empty: Exp | None
) -> Pull:
    function, products, left, right = args
    make = low.make
    a, b = low.shared(_array(low, left)), low.shared(_array(low, right))
    rank = a.rank - 1
    extent, other = a.shape[-1], b.shape[0]
    of_a: Callable[[Exp], Exp] = lambda k: k  # noqa: E731
    of_b = of_a
    if extent is not other:
        of_a, of_b, extent = _conform_inner(low, a, b, site(faults.LENGTHS))
    shape = a.shape[:-1] + b.shape[1:]
    if empty is None:
        _require_elements(low, extent, make.product(shape), site)
    reducer = _reducer(low, function, _base(op.ty), empty)
    product = low.function(products)

    def element(ix: tuple[Exp, ...]) -> Exp:
        outer_a, outer_b = ix[:rank], ix[rank:]
        return _fold(
            low, reducer, extent, lambda k: product(a.at(*outer_a, of_a(k)), b.at(of_b(k), *outer_b))
        )

    return Pull(make, _base(op.ty), shape, axes=element)


def _conform_inner(
    low: Lowerer, a: Pull, b: Pull, site: Site
) -> tuple[Callable[[Exp], Exp], Callable[[Exp], Exp], Exp]:
    """The index maps and the common extent of an inner product; one element extends."""
    make = low.make
    m, n = a.shape[-1], b.shape[0]
    equal = low.once(make.call(p.EQI, m, n), "equal", likely=True)
    ones = [low.once(make.call(p.EQI, x.size, make.one), "one") for x in (a, b)]
    low.require(make.call(p.ORB, equal, make.call(p.ORB, *ones)), site, m, n)
    extent = low.extent(make.select(equal, m, make.select(ones[0], n, m)))

    def index(one: Exp) -> Callable[[Exp], Exp]:
        return lambda k: make.select(equal, k, make.select(one, make.zero, k))

    return index(ones[0]), index(ones[1]), extent


# --- shape ----------------------------------------------------------------------------------------------


def _iota(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    make = low.make
    extent = low.checked_extent(_array(low, op.args[0]).at(), site(faults.NEGATIVE_COUNT))
    return Pull(
        make, Base.INT, (extent,), lambda i: make.add(i, make.one), lambda ix: make.add(ix[0], make.one)
    )


def _shape(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    return from_elements(low.make, low.forced(_array(low, op.args[0])).shape, Base.INT)


def _reshape(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    make = low.make
    counts = _array(low, op.args[0])
    rank = 1 if counts.rank == 0 else int(_constant(counts.shape[0]))
    extents: list[Exp] = []
    for k in range(rank):
        n = counts.at() if counts.rank == 0 else counts.at(make.const(k))
        extents.append(low.checked_extent(n, site(faults.NEGATIVE_EXTENT)))
    return _reshaped(low, _array(low, op.args[1]), tuple(extents))


def _reshaped(low: Lowerer, a: Pull, shape: tuple[Exp, ...]) -> Pull:
    make = low.make
    if a.size is make.one:
        return from_scalar(make, a.at_flat(make.zero) if a.rank else a.at(), shape)
    new, old = make.product(shape), a.size
    if new is old:
        return a if a.shape == shape else Pull(make, a.ty, shape, a.at_flat, buffer=a.buffer)
    a = low.forced(low.shared(a))
    fits = low.once(make.call(p.LTEI, new, old), "fits", likely=True)
    some = low.once(make.call(p.GTI, old, make.zero), "some", likely=True)

    def element(i: Exp) -> Exp:
        position = make.select(fits, i, make.call(REM, i, old))
        return make.select(some, a.at_flat(position), pull.fill(make, a.ty))

    return Pull(make, a.ty, shape, element)


def _ravel(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    return pull.ravelled(_array(low, op.args[0]))


def _first(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a = low.forced(_array(low, op.args[0]))
    element = a.at(*[make.zero for _ in a.shape])
    some = make.call(p.GTI, a.size, make.zero)
    return from_scalar(make, make.select(some, element, pull.fill(make, a.ty)))


def _pick(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    make = low.make
    i = low.once(_array(low, op.args[0]).at(), "i")
    a = low.forced(_array(low, op.args[1]))
    size = a.shape[0]
    inside = make.call(p.ANDB, make.call(p.GTEI, i, make.one), make.call(p.LTEI, i, size))
    low.require(inside, site(faults.INDEX_RANGE), i, size)
    element = a.at(make.sub(i, make.one))
    return from_scalar(make, element if low.on_host else make.select(inside, element, pull.fill(make, a.ty)))


def _match(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a, b = [low.forced(_array(low, x)) for x in op.args]
    same: Exp = make.true
    for m, n in zip(a.shape, b.shape, strict=True):
        same = make.call(p.ANDB, same, make.call(p.EQI, m, n))
    equality = EQUALITY[a.ty.value]
    if a.rank == 0:
        return from_scalar(make, make.call(equality, a.at(), b.at()))
    pairs = pull.ravelled(a.zipped(b, lambda x, y: make.call(equality, x, y), Base.BOOL, a.shape))
    reducer = _Reducer(p.ANDB, lambda x, y: make.call(p.ANDB, x, y), make.true)
    return from_scalar(make, make.select(same, _reduced(low, pairs, reducer).at(), make.false))


def _index_of(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a, b = low.shared(low.forced(_array(low, op.args[0]))), _array(low, op.args[1])
    size = a.shape[0]
    missing = make.add(size, make.one)
    equality = EQUALITY[a.ty.value]
    reducer = _Reducer(p.MINI, lambda x, y: make.call(p.MINI, x, y), missing)

    def position(x: Exp) -> Exp:
        def candidate(k: Exp) -> Exp:
            return make.select(make.call(equality, a.at(k), x), make.add(k, make.one), missing)

        return _fold(low, reducer, size, candidate)

    return b.mapped(position, Base.INT)


# --- moving elements ------------------------------------------------------------------------------------


def _reverse(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    a = _array(low, op.args[0])
    return pull.reversed_last(a) if a.rank else a


def _rotate(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    n, a = _array(low, op.args[0]).at(), _array(low, op.args[1])
    if a.rank == 0:
        return a
    return pull.rotated_last(a, _offset(low, n, a.shape[-1]))


def _offset(low: Lowerer, n: Exp, extent: Exp) -> Exp:
    """A rotation reduced to 0 … extent; an empty axis may have any."""
    make = low.make
    if isinstance(n, Const):
        count = int(n.value)
        fits = abs(count) <= 1 or make.at_least(extent, make.const(abs(count)))
        if fits:
            return make.add(extent, n) if count < 0 else n
    return low.extent(make.call(p.RESI, extent, n), make.sub(extent, make.one))


def _transp(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    return pull.transposed(_array(low, op.args[0]))


def _transp2(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    axes = constants_of(op.args)[0]
    if axes is None:
        raise unsupported("⍉ with axes that are not constants", op.span)
    a = _array(low, op.args[1])
    if sorted(axes) != list(range(1, a.rank + 1)):
        low.require(low.make.false, site(faults.NO_PERMUTATION))
        return a
    return pull.transposed_by(a, tuple([axis - 1 for axis in axes])) if axes else a


def _diagonal(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    axes = constants_of(op.args)[0]
    assert axes is not None
    a = low.forced(_array(low, op.args[1]))
    return pull.transposed_by(a, tuple([axis - 1 for axis in axes])) if axes else a


def _counts(low: Lowerer, op: Op) -> list[Exp]:
    """The counts of take and drop, one an axis from the first."""
    counts = _array(low, op.args[0])
    if counts.rank == 0:
        return [low.once(counts.at(), "n")]
    return [low.once(counts.at(low.make.const(k)), "n") for k in range(int(_constant(counts.shape[0])))]


def _take(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a = low.forced(_array(low, op.args[1]))
    for axis, n in enumerate(_counts(low, op)):
        count = low.extent(make.call(p.ABSI, n))
        positive = make.call(p.GTEI, n, make.zero)
        start = make.select(positive, make.zero, make.sub(a.shape[axis], count))
        if not isinstance(n, Const) and low.on_host:
            start = low.counted(start, (), ())
        a = pull.taken(a, axis, count, start)
    return a


def _drop(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a = low.forced(_array(low, op.args[1]))
    for axis, n in enumerate(_counts(low, op)):
        count = make.call(p.ABSI, n) if isinstance(n, Const) else low.extent(make.call(p.ABSI, n))
        kept = make.call(p.MAXI, make.zero, make.sub(a.shape[axis], count))
        a = pull.dropped(a, axis, kept, low.extent(make.call(p.MAXI, n, make.zero)))
    return a


def _constant(exp: Exp) -> int:
    assert isinstance(exp, Const)
    return int(exp.value)


def _require_same(low: Lowerer, a: tuple[Exp, ...], b: tuple[Exp, ...], site: SiteOf) -> None:
    make = low.make
    for m, n in zip(a, b, strict=True):
        low.require(make.call(p.EQI, m, n), site(faults.LENGTHS), m, n)


def _cat(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    a, b = _array(low, op.args[0]), _array(low, op.args[1])
    _require_same(low, a.shape[:-1], b.shape[:-1], site)
    return pull.joined_last(a, b)


def _cons(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    a, b = _array(low, op.args[0]), _array(low, op.args[1])
    _require_same(low, a.shape, b.shape[:-1], site)
    return pull.joined_last(pull.with_unit_axis(a), b)


def _snoc(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    a, b = _array(low, op.args[0]), _array(low, op.args[1])
    _require_same(low, a.shape[:-1], b.shape, site)
    return pull.joined_last(a, pull.with_unit_axis(b))


# --- effects --------------------------------------------------------------------------------------------


def _print(low: Lowerer, op: Op, site: SiteOf) -> Pull:
    if not low.on_host:
        raise unsupported("printing inside a function that is applied to each element", op.span)
    return low.printed(op.args[0], op.span)


LOWER: dict[Prim, LowerArray] = {
    p.EACH: _each,
    p.ZIP_WITH: _zip_with,
    p.OUTER: _outer,
    p.REDUCE: _reduce,
    p.REDUCE1: _reduce_nonempty,
    p.INNER: _inner,
    p.INNER1: _inner_nonempty,
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
    p.INDEX_OF: _index_of,
    p.REVERSE: _reverse,
    p.REVERSE_V: _reverse,
    p.ROTATE: _rotate,
    p.ROTATE_V: _rotate,
    p.TRANSP: _transp,
    p.TRANSP2: _transp2,
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
}

NOT_LOWERED: dict[Prim, str] = {}
"""Primitives that only the interpreter has, with the reason."""
