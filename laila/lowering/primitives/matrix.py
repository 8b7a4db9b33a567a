"""The lowering of inner products, and of `⌹`: a function of the run-time system.

With strict doubles the host divides, with the interpreter's own meaning.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import Buffer, Const, Exp, Site, Var
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.keeping import has_folds
from aplc.laila.lowering.primitives.folds import (
    fold,
    fold_to_scalar,
    reducer_of,
    require_elements,
    require_single,
    single_index,
)
from aplc.laila.lowering.primitives.host import asked
from aplc.laila.lowering.pull import Pull, from_buffer
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.syntax import Arg, Op
from aplc.tail.types import Base, base_of

MATRIX = "aplc_matrix.h"


@lowers(p.MAT_INV, p.MAT_DIV)
def _divide(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`b⌹a`, and `⌹a`, where b is the identity."""
    if low.make.settings.strict_fp:
        return asked(low, op, site)
    make, memory = low.make, site(faults.NO_MEMORY)
    *left, a = [low.in_memory(low.array(arg), memory) for arg in op.args]
    rows, columns = a.shape
    low.require(make.call(p.GTEI, rows, columns), site(faults.TOO_FEW_ROWS), rows, columns)
    assert a.buffer is not None
    arguments: tuple[Buffer | Exp, ...] = (a.buffer, rows, columns)
    across: tuple[Exp, ...] = (rows,)
    for b in left:
        low.require(make.call(p.EQI, b.shape[0], rows), site(faults.LENGTHS), b.shape[0], rows)
        assert b.buffer is not None
        across = b.shape[1:]
        arguments = (b.buffer, make.product(across), *arguments)
    shape = (columns, *across)
    out = low.allocated(Base.DOUBLE, make.product(shape), memory)
    independent = Var(make.fresh("independent"), Base.INT, True, (make.zero,))
    function = "aplc_matrix_divide" if left else "aplc_matrix_inverse"
    low.emit(RuntimeCall(function, MATRIX, (*arguments, out), (independent,), memory, in_threads=True))
    low.require(make.call(p.GTEI, independent, columns), site(faults.SINGULAR))
    return from_buffer(make, out, shape)


@lowers(p.INNER)
def inner(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`a f.g b` with an identity item of f."""
    function, identity, products, left, right = op.args
    empty = low.array(identity).at()
    return _inner_product(low, op, site, (function, products, left, right), empty)


@lowers(p.INNER1)
def inner_nonempty(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`a f.g b` without one."""
    function, products, left, right = op.args
    return _inner_product(low, op, site, (function, products, left, right), None)


def _inner_product(
    low: Lowering, op: Op, site: SiteOf, args: tuple[Arg, Arg, Arg, Arg], empty: Exp | None
) -> Pull:
    function, products, left, right = args
    make = low.make
    a, b = low.looked_at(products, low.array(left), low.array(right))
    extent, other = a.shape[-1], b.shape[0]
    few = extent is other or not has_folds(a, b)  # one element may extend
    # Panels have the rows in the order in which they are read, and half of a product with the own transpose.
    is_packed = b.rank == 2 and _transposed_in_memory(a) is not None
    is_symmetric = a.buffer is not None and _transposed_in_memory(b) is a.buffer
    a = a if is_packed or (few and b.rank == 1) else low.shared(a)
    b = b if is_symmetric or (few and a.rank == 1) else low.shared(b)
    rank = a.rank - 1
    of_a: Callable[[Exp], Exp] = lambda k: k  # noqa: E731
    of_b = of_a
    if extent is not other:
        of_a, of_b, extent = _conform_inner(low, a, b, site(faults.LENGTHS))
    shape = a.shape[:-1] + b.shape[1:]
    if empty is None:
        require_elements(low, extent, make.product(shape), site)
    reducer = reducer_of(low, function, base_of(op.ty), empty)
    product = low.function(products)
    reduction = fold if shape else fold_to_scalar

    def element(ix: tuple[Exp, ...]) -> Exp:
        outer_a, outer_b = ix[:rank], ix[rank:]
        return reduction(
            low, reducer, extent, lambda k: product(a.at(*outer_a, of_a(k)), b.at(of_b(k), *outer_b))
        )

    return Pull(make, base_of(op.ty), shape, axes=element)


def _transposed_in_memory(a: Pull) -> Buffer | None:
    """The memory of a matrix whose transpose this one is; None if it is none."""
    return a.origin[0].buffer if a.rank == 2 and a.origin is not None else None


def _conform_inner(
    low: Lowering, a: Pull, b: Pull, site: Site
) -> tuple[Callable[[Exp], Exp], Callable[[Exp], Exp], Exp]:
    """The index maps and the common extent of an inner product; one element extends."""
    make = low.make
    m, n = a.shape[-1], b.shape[0]
    if b.size is make.one or a.size is make.one:  # which extends, whatever the other has
        whole, single = (lambda i: i), (lambda _: make.zero)
        require_single(low, *((b, make.true, m) if b.size is make.one else (a, make.true, n)))
        return (whole, single, m) if b.size is make.one else (single, whole, n)
    equal = low.once(make.call(p.EQI, m, n), "equal", likely=True)
    ones = [low.once(make.call(p.EQI, x.size, make.one), "one") for x in (a, b)]
    low.require(make.call(p.ORB, equal, make.call(p.ORB, *ones)), site, m, n)
    of_a, of_b = [single_index(low, equal, one) for one in ones]
    for extent in (m, n):
        if isinstance(extent, Const) and extent.value > 1:  # what extends does so to this
            return of_a, of_b, extent
    extent = low.extent(make.select(equal, m, make.select(ones[0], n, m)))
    for x, one in zip((a, b), ones, strict=True):
        require_single(low, x, make.call(p.ANDB, one, make.call(p.NOTB, equal)), extent)
    return of_a, of_b, extent
