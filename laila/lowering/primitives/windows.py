"""The lowering of reductions of windows, `n f/a`."""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.ir.scalar import Const, Exp
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.keeping import is_dear
from aplc.laila.lowering.primitives.folds import Reducer, fold, reducer_of, stepped
from aplc.laila.lowering.primitives.scans import running
from aplc.laila.lowering.pull import Pull, constant_of, from_scalar
from aplc.laila.lowering.scalars import SiteOf, may_reassociate
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.prims import INT_MIN, Prim
from aplc.tail.syntax import Arg, Op, PrimFn

WRITTEN_OUT = 16
"""Windows of so many elements are written out."""

LONG_WINDOW = 8
"""From this length on sums of windows are differences of running sums."""


@lowers(p.REDUCE_N)
def reduce_windows(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`n f/a` with an identity item."""
    function, identity, count, array = op.args
    return _windows(low, (function, count, array), low.array(identity).at(), site)


@lowers(p.REDUCE_N1)
def reduce_windows_nonempty(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`n f/a` without one."""
    function, count, array = op.args
    return _windows(low, (function, count, array), None, site)


def _windows(low: Lowering, args: tuple[Arg, Arg, Arg], empty: Exp | None, site: SiteOf) -> Pull:
    """Each run of |n| elements reduced, reversed if n is negative."""
    make = low.make
    function, count, array = args
    n = low.once(low.array(count).at(), "n")
    a = low.array(array)
    width, results = _lengths(low, n, a, site)
    shape = (*a.shape[:-1], results)
    if empty is None:
        some = make.call(p.NEQI, n, make.zero)
        none = make.call(p.EQI, make.product(a.shape[:-1]), make.zero)
        low.require(make.call(p.ORB, some, none), site(faults.EMPTY_REDUCTION))
    if width is make.zero:
        return from_scalar(make, _of_nothing(low, a, empty), shape)
    if not make.at_least(results, make.one):  # elements that are in no window
        a = low.forced(a)
    is_long = not isinstance(width, Const) or width.value > LONG_WINDOW
    if is_long and _is_sum(low, function):
        return _differences(low, a, width, shape)
    if is_long or is_dear(a, constant_of(width) - 1):
        a = low.shared(a)
    reducer = reducer_of(low, function, a.ty, empty)
    return Pull(make, a.ty, shape, axes=_window(low, reducer, a, n, width))


def _window(low: Lowering, reducer: Reducer, a: Pull, n: Exp, width: Exp) -> Callable[[tuple[Exp, ...]], Exp]:
    """The reduction of the window that begins at an index."""
    make = low.make
    last = make.sub(width, make.one)
    has_order = not isinstance(reducer.combine, Prim)
    is_reversed = make.call(p.LTI, n, make.zero) if has_order else make.false

    def element(ix: tuple[Exp, ...]) -> Exp:
        def at(k: Exp) -> Exp:
            offset = make.select(is_reversed, make.sub(last, k), k)
            return a.at(*ix[:-1], make.add(ix[-1], offset))

        if isinstance(width, Const) and width.value <= WRITTEN_OUT:
            result = at(last)
            for k in range(int(width.value) - 2, -1, -1):
                result = stepped(make, reducer.apply, at(make.const(k)), result)
            return result
        return fold(low, reducer, width, at)

    return element


def _lengths(low: Lowering, n: Exp, a: Pull, site: SiteOf) -> tuple[Exp, Exp]:
    """The length of a window, at most one more than there are elements, and the number of windows."""
    make = low.make
    extent = a.shape[-1]
    most = make.add(extent, make.one)
    width = make.call(p.ABSI, n)
    if not isinstance(n, Const):
        low.require(make.call(p.NEQI, n, make.const(INT_MIN)), site(faults.WINDOW), most, width)
        width = low.extent(width)
    low.require(make.call(p.LTEI, width, most), site(faults.WINDOW), most, width)
    number = make.sub(most, width)
    return width, low.extent(number, *(() if make.nonnegative(number) else (number,)))


def _of_nothing(low: Lowering, a: Pull, empty: Exp | None) -> Exp:
    """The value of windows without elements; where there is none, there are no windows."""
    low.forced(a)
    return low.make.const(0, a.ty) if empty is None else empty


def _is_sum(low: Lowering, function: Arg) -> bool:
    """Whether a window's reduction is exactly the difference of two running sums."""
    is_sum = isinstance(function, PrimFn) and function.prim is p.ADDI
    return is_sum and may_reassociate(low.make, p.ADDI)


def _differences(low: Lowering, a: Pull, width: Exp, shape: tuple[Exp, ...]) -> Pull:
    """Sums of windows as differences of running sums."""
    make = low.make
    sums = running(low, a, p.ADDI)

    def up_to(ix: tuple[Exp, ...], stop: Exp) -> Exp:
        is_none = make.call(p.EQI, stop, make.zero)
        return make.select(is_none, make.zero, sums.at(*ix[:-1], make.sub(stop, make.one)))

    def element(ix: tuple[Exp, ...]) -> Exp:
        start = ix[-1]
        return make.sub(up_to(ix, make.add(start, width)), up_to(ix, start))

    return Pull(make, a.ty, shape, axes=element)
