"""The lowering of scans.

Element k of a scan is the reduction, from the right, of the first k+1 elements. Where that is the same from
the left it takes one pass. For any other function each element is a fold of its own.

Note [Functions that need not start at the right]
    An associative primitive does not care. `-` adds elements with alternating signs. `÷` multiplies by
    alternating inverses, as long as no product comes near the ends of the range of doubles, where the order
    matters. The parts of complex numbers are added by themselves. A function of two booleans is, for a known
    left argument, one of the four functions of a boolean; these can be composed from the left. So can
    comparisons of numbers, once the first of them from the right has made a 0 or 1 of the last two elements.
    Common multiples and divisors of doubles are not associative, but of zeros and ones they are truth values:
    whether all are such is asked first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from aplc.laila.ir.counts import is_bit
from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.program import Assign, ForEach, HostLet, If, Map, Scan, Space, Statement, Store, Variable
from aplc.laila.ir.rules.folds import first_place
from aplc.laila.ir.scalar import (
    DIVIDE,
    IMAGINARY_PART,
    OF_PARTS,
    REAL_PART,
    REM,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    Var,
    contains,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.strides import order_in_memory
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.bit_pulls import scanned_bits
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.primitives.folds import (
    LONG_ROW,
    UNROLL,
    are_conditions,
    first_places,
    fold,
    goes_along_rows,
    reducer_of,
    stepped,
)
from aplc.laila.lowering.pull import (
    Pull,
    constant_of,
    fill,
    from_buffer,
    from_elements,
    from_index,
    transposed_by,
)
from aplc.laila.lowering.scalars import CUTTING, SiteOf, may_reassociate
from aplc.laila.lowering.table import lowers
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.syntax import Arg, Op, PrimFn
from aplc.tail.types import Base

FROM_LEFT = frozenset((p.ADDI, p.MULI, p.GCDI, p.ANDI32, p.ORI32, p.XORI32))
"""Functions whose scans go from the left although they may fail, or leave the first element as it is."""

OF_TRUTHS = {p.EQI: p.EQB, p.NEQI: p.NEQB, p.LCMI: p.ANDB, p.GCDI: p.ORB}
"""What functions are of integers that are zero or one."""

OF_NEAR_TRUTHS = {p.LCMTD: p.ANDB, p.GCDTD: p.ORB}
"""The same of doubles, whose common multiples and divisors with a tolerance are no others of these."""

BY_A_PLACE: dict[tuple[bool, ...], tuple[bool, Prim]] = {
    (False, False, False, True): (False, p.LTI),  # ∧ holds up to the first that does not
    (False, True, True, True): (True, p.GTEI),  # ∨ from the first on that does
    (False, True, False, False): (True, p.EQI),  # < at the first that does
    (True, True, False, True): (False, p.NEQI),  # ≤ but at the first that does not
}
"""Scans that are known by one place, by the truth tables of their functions: what is there for the first
time, and how other places are compared with it.
"""

SAFE_PRODUCT = 1e150
"""Of products between this and its inverse no quotient is too large or too small."""


# --- scans ----------------------------------------------------------------------------------------------


@lowers(p.SCAN)
def scan(low: Lowering, op: Op, site: SiteOf) -> Pull:
    r"""`f\a` along the last axis: see Note [Functions that need not start at the right]."""
    function, array = op.args
    a = low.array(array)
    make = low.make
    apply = low.function(function)
    prim = function.prim if isinstance(function, PrimFn) else None
    if a.rank == 1 and isinstance(a.shape[0], Const) and a.shape[0].value <= UNROLL:
        return _written_out(low, a, prim is not None and prim.associative, apply)
    if (of_bits := scanned_bits(a, apply)) is not None:
        return of_bits
    if a.ty is Base.BOOL and a.rank and not a.weight.may_fail:
        known = BY_A_PLACE.get(_truth_table(make, apply))
        if known is not None and a.rank == 1:
            return _by_a_place(low, a, *known)
        if known is not None and low.on_host and goes_along_rows(low, a):
            return _by_places(low, a, *known, prim if prim is not None and _runs(low, prim, a) else None)
    if prim is not None and _runs(low, prim, a):
        if isinstance(array, Op) and array.prim is p.TRANSP and _has_few_columns(a):
            return _down_columns(low, a, prim)
        return running(low, a, prim)
    if prim is p.SUBI and not make.settings.check_overflow:
        return running(low, _alternating(a, lambda x: make.sub(make.zero, x)), p.ADDI)
    if prim is p.SUBD and not make.settings.strict_fp:
        return running(low, _alternating(a, lambda x: make.call(p.NEGD, x)), p.ADDD)
    if prim in (p.ADDZ, p.SUBZ) and may_reassociate(make, p.ADDD):
        return _sums_of_parts(low, a, alternate=prim is p.SUBZ)
    if a.ty is Base.INT and is_bit(a.sample()) and (of_truths := _of_truths(make, prim, apply)) is not None:
        truths = a.mapped(lambda x: make.call(p.NEQI, x, make.zero), Base.BOOL)
        return running(low, truths, of_truths).mapped(lambda x: make.call(p.B2I, x), Base.INT)
    if prim in FROM_LEFT:
        return _from_left(low, a, apply)
    if a.ty is Base.BOOL and (steps := _steps(low, apply)) is not None:
        return _composed(low, a, steps)
    if a.ty in (Base.INT, Base.DOUBLE) and (test := _comparison(low, a.ty, apply)) is not None:
        return _compared(low, a, test)
    a = low.shared(a)
    general = _prefixes(low, a, function)
    if (of_truths := _of_near_truths(make, a.ty, apply)) is not None:
        return _truths_or(low, a, of_truths, general)
    if prim is p.DIVD and not (make.settings.strict_fp or make.settings.unsafe):
        return _quotients(low, a, general)
    return low.materialise(general)


def _runs(low: Lowering, prim: Prim, a: Pull) -> bool:
    """Whether a primitive gives running values; the meaning of associative ones goes from the left too."""
    is_strict_double = low.make.settings.strict_fp and prim in (p.ADDD, p.MULD, p.MAXD, p.MIND)
    is_count = prim is p.ADDI and are_conditions(a)
    return (may_reassociate(low.make, prim) and prim not in CUTTING) or is_strict_double or is_count


def _of_truths(make: ExprBuilder, prim: Prim | None, apply: Callable[..., Exp]) -> Prim | None:
    """A function of integers as one of truth values, if it is associative there."""
    if prim in (p.LCMI, p.GCDI):
        return OF_TRUTHS[prim]
    x, y = [Var(make.fresh(name), Base.INT) for name in "xy"]
    match apply(x, y):
        case Call(op=p.B2I, args=(Call(op=op, args=(left, right)),)) if {left, right} == {x, y}:
            return OF_TRUTHS.get(op)
    return None


def _truth_table(make: ExprBuilder, apply: Callable[..., Exp]) -> tuple[bool, ...]:
    """What a function makes of two truth values; nothing if that is not known."""
    values = [apply(x, y) for x in (make.false, make.true) for y in (make.false, make.true)]
    return tuple([bool(v.value) for v in values if isinstance(v, Const)])


def _by_a_place(low: Lowering, a: Pull, sought: bool, compare: Prim) -> Pull:
    """A scan of truth values that is known by the first place where they are what is sought: what it is at
    another place tells a comparison with that one.
    """
    make = low.make
    (n,) = shape = tuple([low.extent(n) for n in a.shape])
    index = make.index("k", n)
    value = a.at(index)
    found = first_place(make, value if sought else make.call(p.NOTB, value), index, n)
    place = low.counted(found, (make.zero,), (n,))
    return Pull(make, Base.BOOL, shape, lambda i: make.call(compare, i, place))


def _by_places(low: Lowering, a: Pull, sought: bool, compare: Prim, prim: Prim | None) -> Pull:
    """The same of each row of an array; a scan by an associative primitive runs along short rows."""
    make = low.make
    space, shape = _space(low, a)
    *others, n = shape
    buffer = low.allocated(Base.BOOL, make.product(shape))

    def search() -> None:
        places = low.materialise(first_places(a, tuple(others), n, sought))
        by_place = Pull(
            make, Base.BOOL, shape, axes=lambda ix: make.call(compare, ix[-1], places.at(*ix[:-1]))
        )
        low.fill_buffer(buffer, by_place)

    if prim is None:
        search()
    else:
        with low.block() as in_lanes:
            search()
        runs = Scan(buffer, space, from_index(make, shape, space.indices), prim, a.at(*space.indices))
        is_long = make.call(p.GTEI, n, make.const(LONG_ROW))
        low.emit(If(is_long, tuple(with_frees(in_lanes)), (runs,)))
    return from_buffer(make, buffer, shape)


def _written_out(low: Lowering, a: Pull, from_left: bool, apply: Callable[..., Exp]) -> Pull:
    """A scan of a few elements."""
    make = low.make
    values = [a.at(make.const(k)) for k in range(constant_of(a.shape[0]))]
    results: list[Exp] = []
    for k, value in enumerate(values):
        if from_left:
            results.append(apply(results[-1], value) if results else value)
            continue
        result = value
        for left in reversed(values[:k]):
            result = stepped(make, apply, left, result)
        results.append(result)
    return from_elements(make, tuple(results), a.ty)


def _space(low: Lowering, a: Pull) -> tuple[Space, tuple[Exp, ...]]:
    """Indices for the axes of an array, and its extents by name."""
    shape = tuple([low.extent(n) for n in a.shape])
    indices = tuple([low.make.index("i", n) for n in shape])
    return Space(indices, shape), shape


def running(low: Lowering, a: Pull, prim: Prim) -> Pull:
    """The scan by an associative primitive."""
    make = low.make
    space, shape = _space(low, a)
    buffer = low.allocated(a.ty, make.product(shape))
    element = a.at(*space.indices)
    order = order_in_memory(make, space.indices, element)
    laid_out = _permuted(space, order)
    position = from_index(make, laid_out.extents, laid_out.indices)
    low.emit(Scan(buffer, space, position, prim, element))
    return transposed_by(from_buffer(make, buffer, laid_out.extents), order)


def _has_few_columns(a: Pull) -> bool:
    """Whether there are two to four rows of a length that is not known: the columns of a turned matrix."""
    rows, length = a.shape if a.rank == 2 else (a.make.one, a.make.one)
    return isinstance(rows, Const) and 2 <= rows.value <= UNROLL and not isinstance(length, Const)


def _down_columns(low: Lowering, a: Pull, prim: Prim) -> Pull:
    """The scan of each of a few columns by itself, which share one loop: the results lie by rows of these."""
    make = low.make
    _, (rows, length) = _space(low, a)
    buffer = low.allocated(a.ty, make.product((rows, length)))
    for k in range(constant_of(rows)):
        index, column = make.index("i", length), make.const(k)
        position = from_index(make, (length, rows), (index, column))
        low.emit(Scan(buffer, Space((index,), (length,)), position, prim, a.at(column, index)))
    return transposed_by(from_buffer(make, buffer, (length, rows)), (1, 0))


def _permuted(space: Space, order: tuple[int, ...]) -> Space:
    """A space with its axes in another order."""
    return Space(tuple([space.indices[k] for k in order]), tuple([space.extents[k] for k in order]))


def _sums_of_parts(low: Lowering, a: Pull, *, alternate: bool) -> Pull:
    """The running sums of complex numbers, each part by itself, perhaps with alternating signs."""
    make, a = low.make, low.shared(a)
    sums: list[Pull] = []
    for part in (REAL_PART, IMAGINARY_PART):
        parts = a.mapped(partial(make.call, part), Base.DOUBLE)
        parts = _alternating(parts, partial(make.call, p.NEGD)) if alternate else parts
        sums.append(running(low, parts, p.ADDD))
    real, imaginary = sums
    return real.zipped(imaginary, partial(make.call, OF_PARTS), Base.COMPLEX, real.shape)


def _alternating(a: Pull, opposite: Callable[[Exp], Exp]) -> Pull:
    """The array with the opposites of every other element along the last axis."""
    make = a.make

    def element(ix: tuple[Exp, ...]) -> Exp:
        is_odd = make.call(p.EQI, make.call(REM, ix[-1], make.const(2)), make.one)
        x = a.at(*ix)
        return make.select(is_odd, opposite(x), x)

    return Pull(make, a.ty, a.shape, axes=element)


def _from_left(low: Lowering, a: Pull, apply: Callable[..., Exp]) -> Pull:
    """The scan by a function that may fail, in order from the left."""
    make = low.make
    space, shape = _space(low, a)
    buffer = low.allocated(a.ty, make.product(shape))
    element = a.at(*space.indices)
    order = order_in_memory(make, space.indices, element)
    laid_out = _permuted(space, order)
    position = from_index(make, laid_out.extents, laid_out.indices)
    last = space.indices[-1]
    before = make.read(buffer, Substitute(make, {last: make.sub(last, make.one)})(position))
    body = make.select(make.call(p.EQI, last, make.zero), element, apply(before, element))
    low.emit(Map(buffer, laid_out, position, body, ordered=True))
    return transposed_by(from_buffer(make, buffer, laid_out.extents), order)


# --- scans by functions of booleans ---------------------------------------------------------------------

Steps = tuple[Var, Exp, Exp]
"""A left argument, and what a function makes of it with 0 and with 1 on the right."""


def _steps(low: Lowering, apply: Callable[..., Exp]) -> Steps | None:
    """A function of two booleans, if it takes no loops and cannot fail."""
    left = Var(low.make.fresh("x"), Base.BOOL)
    zero, one = apply(left, low.make.false), apply(left, low.make.true)
    is_plain = not contains(Check | BlockExp | Fold, zero, one)
    return (left, zero, one) if is_plain else None


def _composed(low: Lowering, a: Pull, steps: Steps) -> Pull:
    """The scan by a function of booleans: what the elements so far make of the next one is composed."""
    make = low.make
    left, of_zero, of_one = steps
    space, shape = _space(low, a)
    buffer = low.allocated(Base.BOOL, make.product(shape))
    zero, one = Var(make.fresh("zero"), Base.BOOL), Var(make.fresh("one"), Base.BOOL)
    position = from_index(make, shape, space.indices)

    def through(value: Exp) -> Exp:
        return make.select(value, one, zero)

    after = [Var(make.fresh("after"), Base.BOOL) for _ in range(2)]
    round_ = (
        HostLet(left, a.at(*space.indices)),
        Store(buffer, position, through(left)),
        HostLet(after[0], through(of_zero)),
        HostLet(after[1], through(of_one)),
        Assign(zero, after[0]),
        Assign(one, after[1]),
    )
    _in_rounds(low, space, (Variable(zero, make.false), Variable(one, make.true)), round_)
    return from_buffer(make, buffer, shape)


def _in_rounds(
    low: Lowering, space: Space, state: tuple[Statement, ...], round_: tuple[Statement, ...]
) -> None:
    """Rounds along the last axis, for each row with a state of its own."""
    row = (*state, ForEach(Space(space.indices[-1:], space.extents[-1:]), round_))
    others = Space(space.indices[:-1], space.extents[:-1])
    low.emit(*((ForEach(others, row),) if others.indices else row))


# --- scans by comparisons of numbers --------------------------------------------------------------------

Comparison = tuple[Var, Var, Exp, Exp, Exp]
"""A left and a right argument; whether a comparison holds for these, and with 0 and with 1 on the right."""


def _comparison(low: Lowering, ty: Base, apply: Callable[..., Exp]) -> Comparison | None:
    """A function of two numbers, if it gives 0 or 1, takes no loops and cannot fail."""
    make = low.make
    left, right = [Var(make.fresh(name), ty) for name in ("x", "y")]
    numbers = [make.const(k if ty is Base.INT else float(k)) for k in (0, 1)]
    tests = [_condition(make, apply(left, y)) for y in (right, *numbers)]
    found = [test for test in tests if test is not None]
    if len(found) < len(tests) or contains(Check | BlockExp | Fold, *found):
        return None
    return left, right, found[0], found[1], found[2]


def _condition(make: ExprBuilder, number: Exp) -> Exp | None:
    """The condition of which a number is the value; None if it may be another number than 0 and 1."""
    if isinstance(number, Const):
        return make.const(number.value == 1) if number.value in (0, 1) else None
    if isinstance(number, Call) and number.op is p.I2D:
        return _condition(make, number.args[0])
    return number.args[0] if isinstance(number, Call) and number.op is p.B2I else None


def _compared(low: Lowering, a: Pull, comparison: Comparison) -> Pull:
    """The scan by a comparison of numbers: what the elements before the last two make of the value of their
    comparison is composed.
    """
    make = low.make
    left, right, test, of_zero, of_one = comparison
    space, shape = _space(low, a)
    buffer = low.allocated(a.ty, make.product(shape))
    zero, one = Var(make.fresh("zero"), Base.BOOL), Var(make.fresh("one"), Base.BOOL)
    after = [Var(make.fresh("after"), Base.BOOL) for _ in range(2)]
    is_first = make.call(p.EQI, space.indices[-1], make.zero)

    def through(value: Exp) -> Exp:
        return make.select(value, one, zero)

    number = make.call(p.B2I, through(test))
    number = number if a.ty is Base.INT else make.call(p.I2D, number)
    round_ = (
        HostLet(right, a.at(*space.indices)),
        Store(buffer, from_index(make, shape, space.indices), make.select(is_first, right, number)),
        HostLet(after[0], make.select(is_first, zero, through(of_zero))),
        HostLet(after[1], make.select(is_first, one, through(of_one))),
        Assign(zero, after[0]),
        Assign(one, after[1]),
        Assign(left, right),
    )
    state = Variable(zero, make.false), Variable(one, make.true), Variable(left, fill(make, a.ty))
    _in_rounds(low, space, state, round_)
    return from_buffer(make, buffer, shape)


# --- other scans ----------------------------------------------------------------------------------------


def _prefixes(low: Lowering, a: Pull, function: Arg) -> Pull:
    """Each element as the reduction of a prefix."""
    make = low.make
    reducer = reducer_of(low, function, a.ty, None)

    def element(ix: tuple[Exp, ...]) -> Exp:
        return fold(low, reducer, make.add(ix[-1], make.one), lambda k: a.at(*ix[:-1], k))

    return Pull(make, a.ty, a.shape, axes=element)


def _quotients(low: Lowering, a: Pull, general: Pull) -> Pull:
    r"""`÷\a` as running products, or else one by one."""
    make = low.make
    result = running(low, _alternating(a, lambda x: make.call(DIVIDE, make.const(1.0), x)), p.MULD)
    stored, order = result.origin or (result, tuple(range(result.rank)))
    var = make.index("k", stored.size)
    size = make.call(p.ABSD, stored.at_flat(var))
    is_small = make.call(p.LTED, size, make.const(SAFE_PRODUCT))
    is_safe = make.call(p.ANDB, is_small, make.call(p.LTED, make.const(1 / SAFE_PRODUCT), size))
    safe = low.named(make.fold(p.ANDB, var, stored.size, is_safe, make.true), "safe")
    assert stored.buffer is not None
    with low.block() as otherwise:
        low.fill_buffer(stored.buffer, transposed_by(general, tuple([order.index(k) for k in sorted(order)])))
    low.emit(If(safe, (), tuple(with_frees(otherwise))))
    return result


def _of_near_truths(make: ExprBuilder, ty: Base, apply: Callable[..., Exp]) -> Prim | None:
    """What a common multiple or divisor of doubles is of zeros and ones, if a function is one."""
    if ty is not Base.DOUBLE:
        return None
    x, y = [Var(make.fresh(name), ty) for name in "xy"]
    match apply(x, y):
        case Call(op=op, args=(_, left, right)) if op in OF_NEAR_TRUTHS and (left, right) == (x, y):
            return OF_NEAR_TRUTHS[op]
    return None


def _truths_or(low: Lowering, a: Pull, prim: Prim, general: Pull) -> Pull:
    r"""`∧\a` and `∨\a` of doubles as scans of truth values if all are zeros and ones, or else one by one."""
    make = low.make
    buffer = low.allocated(Base.DOUBLE, a.size)
    var = make.index("k", a.size)
    x = a.at_flat(var)
    is_bit = make.call(p.ORB, *[make.call(p.EQD, x, make.const(bit)) for bit in (0.0, 1.0)])
    are_bits = low.named(make.fold(p.ANDB, var, a.size, is_bit, make.true), "bits")
    with low.block() as quick:
        truths = a.mapped(lambda x: make.call(p.NEQD, x, make.const(0.0)), Base.BOOL)
        scanned = running(low, truths, prim)
        low.fill_buffer(buffer, scanned.mapped(lambda x: make.call(p.I2D, make.call(p.B2I, x)), Base.DOUBLE))
    with low.block() as otherwise:
        low.fill_buffer(buffer, general)
    low.emit(If(are_bits, tuple(with_frees(quick)), tuple(with_frees(otherwise))))
    return from_buffer(make, buffer, a.shape)
