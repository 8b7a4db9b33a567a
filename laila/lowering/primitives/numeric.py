"""The lowering of number systems, `⊥` and `⊤`.

A few digits are written out, and digits for constant radices come from quotients by their products.
Everything else is a loop over the digits in the order that the meaning has.

Note [Parts of numbers]
    Processors divide by a constant in lanes of 32 bits, but not of 64. So numbers of many digits are cut
    first into parts of several digits, each of which fits 32 bits: all further divisions are of these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod

from aplc.laila.ir.bit_slices import WORD
from aplc.laila.ir.counts import is_bit
from aplc.laila.ir.program import Assign, ForEach, HostLet, Space, Statement, Store, Variable
from aplc.laila.ir.rules.folds import first_place
from aplc.laila.ir.scalar import BIT_FIELD, DIVIDE, FLOOR_DIV, QUOT, REM, Const, Exp, Step, Var
from aplc.laila.ir.statements import do
from aplc.laila.lowering.bit_pulls import number_of_bits
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.keeping import is_dear
from aplc.laila.lowering.primitives.folds import single_index
from aplc.laila.lowering.pull import Pull, fill, from_buffer, from_index, from_scalar
from aplc.laila.lowering.scalars import SiteOf, lower_scalar
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.prims import INT_MAX
from aplc.tail.syntax import Op
from aplc.tail.types import Base

MANY_DIGITS = 16
"""As many as numbers have whose digits are wanted, where only the run knows how many there are."""

WRITTEN_OUT = 8
"""So many digits of integers are written out."""

WRITTEN_OUT_IN_ONE = 16
"""The same where they are put together."""

WRITTEN_OUT_DOUBLES = 3

MOST_OF_PART = 10**9
"""A part of a number, of which several digits are taken, is at most that."""

ARITHMETIC = {
    Base.INT: (p.ADDI, p.MULI),
    Base.DOUBLE: (p.ADDD, p.MULD),
    Base.COMPLEX: (p.ADDZ, p.MULZ),
}
"""The sum and the product of digits and radices."""

# --- decode ---------------------------------------------------------------------------------------------


@lowers(p.DECODE)
def decode(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`a⊥b`: the last axis of `a` against the first of `b`, where an extent of 1 extends."""
    make = low.make
    a, b = low.forced(low.array(op.args[0])), low.array(op.args[1])
    if a.rank > 1:
        b = low.shared(b)
    if b.rank > 1:
        a = low.shared(a)
    m, n = a.shape[-1], b.shape[0]
    of_a, of_b, count = _matched(low, m, n, site)
    if not make.at_least(count, make.one):
        b = low.forced(b)
    rank = a.rank - 1
    tail = _of_truths(low, a) if rank == 0 and a.ty is Base.INT and count is m else None

    def value(ix: tuple[Exp, ...]) -> Exp:
        outer_a, outer_b = ix[:rank], ix[rank:]

        def digit(k: Exp) -> Exp:
            return b.at(of_b(k), *outer_b)

        if tail is not None:
            first, length = tail
            index = make.index("k", length)
            return make.fold(p.ADDI, index, length, digit(make.add(first, index)), make.zero)

        def radix(k: Exp) -> Exp:
            return a.at(*outer_a, of_a(k))

        if a.ty is Base.INT and (word := number_of_bits(make, radix, digit, count)) is not None:
            return word
        if m is make.one:
            return _in_one_radix(low, site, a.at(*outer_a, make.zero), digit, count)
        return _horner(low, site, a.ty, radix, digit, count)

    return Pull(make, a.ty, a.shape[:-1] + b.shape[1:], axes=value)


def _of_truths(low: Lowering, radices: Pull) -> tuple[Exp, Exp] | None:
    """Where the digits begin that count, and how many they are, for radices of 0 and 1, as in `⊥⍨b` and
    `b⊥1`: the last one does, and others if all radices behind them are 1. None for other radices.
    """
    make, (n,) = low.make, radices.shape
    if isinstance(n, Const) or not low.on_host or radices.weight.may_fail or not is_bit(radices.sample()):
        return None
    others = low.extent(make.call(p.MAXI, make.zero, make.sub(n, make.one)))
    index = make.index("k", others)
    ends = make.call(p.EQI, radices.at(make.sub(others, index)), make.zero)
    ones = first_place(make, ends, index, others)
    first = low.extent(make.sub(others, low.counted(ones, (make.zero,), (others,))), others)
    return first, low.extent(make.sub(n, first), n)


def _matched(
    low: Lowering, m: Exp, n: Exp, site: SiteOf
) -> tuple[Callable[[Exp], Exp], Callable[[Exp], Exp], Exp]:
    """Where radices and digits are read, and how many there are."""
    make = low.make

    def same(k: Exp) -> Exp:
        return k

    def first(k: Exp) -> Exp:
        return make.zero

    if m is n or m is make.one:
        return (same if m is n else first), same, n
    if n is make.one:
        return same, first, m
    equal = low.once(make.call(p.EQI, m, n), "equal", likely=True)
    ones = [low.once(make.call(p.EQI, x, make.one), "one") for x in (m, n)]
    low.require(make.call(p.ORB, equal, make.call(p.ORB, *ones)), site(faults.LENGTHS), m, n)
    count = low.extent(make.select(ones[0], n, m))
    return single_index(low, equal, ones[0]), single_index(low, equal, ones[1]), count


def _next(low: Lowering, site: SiteOf, digit: Exp, before: Exp, radix: Exp) -> Exp:
    """One step of Horner's rule."""
    make = low.make
    add, multiply = ARITHMETIC[digit.ty]
    return lower_scalar(make, add, site, (digit, lower_scalar(make, multiply, site, (before, radix))))


def _in_one_radix(low: Lowering, site: SiteOf, radix: Exp, digit: Callable[[Exp], Exp], count: Exp) -> Exp:
    """Digits for a single radix: a fold that begins at the first one."""
    make = low.make
    if isinstance(count, Const) and 0 < count.value <= WRITTEN_OUT_IN_ONE:
        return _horner(low, site, radix.ty, lambda k: radix, digit, count)
    element, before = Var(make.fresh("x"), radix.ty), Var(make.fresh("s"), radix.ty)
    step = Step(element, before, _next(low, site, element, before, radix))
    k = make.index("k", count)
    backwards = make.sub(make.sub(count, make.one), k)
    return make.fold(step, k, count, digit(backwards), fill(make, radix.ty))


def _horner(
    low: Lowering,
    site: SiteOf,
    ty: Base,
    radix: Callable[[Exp], Exp],
    digit: Callable[[Exp], Exp],
    count: Exp,
) -> Exp:
    """Digits for a radix each."""
    make = low.make
    if isinstance(count, Const) and 0 < count.value <= WRITTEN_OUT_IN_ONE:
        value = digit(make.zero)
        for number in range(1, int(count.value)):
            k = make.const(number)
            value = _next(low, site, digit(k), value, radix(k))
        return value
    value, k = Var(make.fresh("s"), ty), make.index("k", count)
    is_first = make.call(p.EQI, k, make.zero)
    following = make.select(is_first, digit(k), _next(low, site, digit(k), value, radix(k)))
    following_var = Var(make.fresh("t"), ty)
    loop = ForEach(Space((k,), (count,)), (HostLet(following_var, following), Assign(value, following_var)))
    return do([Variable(value, fill(make, ty)), loop], value)


# --- encode ---------------------------------------------------------------------------------------------


@lowers(p.ENCODE)
def encode(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`a⊤b`: the first axis of `a` holds the radices, and 0 takes all that is left."""
    make = low.make
    a, b = low.array(op.args[0]), low.array(op.args[1])
    count = a.shape[0]
    if not make.at_least(a.size, make.one):
        b = low.forced(b)
    if not make.at_least(b.size, make.one):
        a = low.forced(a)
    radices = _constants(low, a)
    if radices is not None:
        if is_dear(b, len(radices) - 1):
            b = low.shared(b)
        if len(set(radices)) == 1 and (bits := _bits_of(radices[0], len(radices))):
            return _bit_fields(low, a, b, bits)
        if len(radices) <= WRITTEN_OUT:
            return _written_out(low, a, b, lambda k, x: _digit(low, radices, k, x))
        return _stored(low, a, b, radices, site)
    if bits := _bits_of(_same_radix(a)):
        return _bit_fields(low, a, low.shared(b) if is_dear(b, MANY_DIGITS) else b, bits)
    b = low.shared(b) if b.rank else from_scalar(make, low.once(b.at(), "x"))
    limit = WRITTEN_OUT_DOUBLES if a.ty is Base.DOUBLE else WRITTEN_OUT
    if a.rank == 1 and isinstance(count, Const) and 0 < count.value <= limit:
        if not low.on_host or is_dear(a, int(count.value)):
            a = low.shared(a)
        of_a = [low.once(a.at(make.const(k)), "radix") for k in range(int(count.value))]
        return _written_out(low, a, b, lambda k, x: _one_by_one(low, of_a, k, x))
    a = low.shared(a)
    return _in_order(low, a, b, site)


def _constants(low: Lowering, a: Pull) -> list[int] | None:
    """The radices, if they are whole numbers known here and none is negative."""
    if a.rank != 1 or a.ty is not Base.INT or not isinstance(a.shape[0], Const):
        return None
    if not 0 < a.shape[0].value <= 64:
        return None
    found = [a.at(low.make.const(k)) for k in range(int(a.shape[0].value))]
    values = [int(e.value) for e in found if isinstance(e, Const)]
    return values if len(values) == len(found) and min(values) >= 0 else None


def _written_out(low: Lowering, a: Pull, b: Pull, digit: Callable[[int, Exp], Exp]) -> Pull:
    """The digits as expressions, one a position."""
    make = low.make
    assert isinstance(a.shape[0], Const)
    count = int(a.shape[0].value)

    def element(ix: tuple[Exp, ...]) -> Exp:
        x = b.at(*ix[1:])
        if isinstance(ix[0], Const) and 0 <= ix[0].value < count:  # others stand behind a check
            return digit(int(ix[0].value), x)
        result = digit(count - 1, x)
        for k in range(count - 2, -1, -1):
            result = make.select(make.call(p.LTI, ix[0], make.const(k + 1)), digit(k, x), result)
        return result

    return Pull(make, a.ty, a.shape + b.shape, axes=element)


def _bits_of(radix: int, count: int | None = None) -> int:
    """How many bits of a word a digit has; 0 where that is not so. Of so many digits, or of any number, none
    is cut off by the end of a word, unless the sign alone is left for it.
    """
    bits = radix.bit_length() - 1
    if not 0 < bits < WORD - 1 or radix != 1 << bits:
        return 0
    are_whole = WORD % bits <= 1 or (count is not None and count * bits <= WORD)
    return bits if are_whole else 0


def _same_radix(radices: Pull) -> int:
    """The one radix of any number of digits, if it is known here; else 0."""
    if radices.rank != 1 or radices.ty is not Base.INT or radices.filtered is not None:
        return 0
    radix = radices.sample()
    return int(radix.value) if isinstance(radix, Const) else 0


def _bit_fields(low: Lowering, a: Pull, b: Pull, bits: int) -> Pull:
    """Digits that are bits of numbers in two's complement; those beyond a word are bits like its sign."""
    make = low.make
    count, mask = a.shape[0], make.const((1 << bits) - 1)
    last, most = make.sub(count, make.one), WORD // bits - 1
    fits = isinstance(count, Const) and count.value <= most + 1

    def element(ix: tuple[Exp, ...]) -> Exp:
        x, place = b.at(*ix[1:]), make.sub(last, ix[0])
        near = place if fits else make.call(p.MINI, place, make.const(most))
        digit = make.call(BIT_FIELD, x, make.mul(make.const(bits), near), mask)
        if fits or bits == 1:
            return digit
        sign = make.select(make.call(p.LTI, x, make.zero), mask, make.zero)
        return make.select(make.call(p.GTI, place, make.const(most)), sign, digit)

    return Pull(make, a.ty, a.shape + b.shape, axes=element)


def _digit(low: Lowering, radices: list[int], position: int, x: Exp) -> Exp:
    """One digit for constant radices: the quotient by those behind it, reduced by its own."""
    make = low.make
    radix, behind = radices[position], radices[position + 1 :]
    if 0 in behind:
        return make.zero
    weight = prod(behind)
    if weight <= INT_MAX:
        divide = QUOT if make.nonnegative(x) else FLOOR_DIV
        rest = x if weight == 1 else make.call(divide, x, make.const(weight))
    else:
        rest = make.select(make.call(p.LTI, x, make.zero), make.const(-1), make.zero)
    if radix == 0:
        return rest
    modulus = make.const(radix)
    return make.call(REM, rest, modulus) if make.nonnegative(rest) else make.call(p.RESI, modulus, rest)


def _split(low: Lowering, radix: Exp, rest: Exp) -> tuple[Exp, Exp]:
    """The last digit of a number, and what is left."""
    make = low.make
    if radix.ty is Base.INT:
        takes_all = make.call(p.EQI, radix, make.zero)
        divisor = make.select(takes_all, make.one, radix)
        left = make.select(takes_all, make.zero, make.call(FLOOR_DIV, rest, divisor))
        return make.call(p.RESI, radix, rest), left
    zero = make.const(0.0)
    takes_all = make.call(p.EQD, radix, zero)
    digit = make.call(p.RESD, radix, rest)
    divisor = make.select(takes_all, make.const(1.0), radix)
    left = make.call(DIVIDE, make.call(p.SUBD, rest, digit), divisor)
    return digit, make.select(takes_all, zero, left)


def _one_by_one(low: Lowering, radices: list[Exp], position: int, x: Exp) -> Exp:
    """One digit, from the last one on; of a number that is known to have no more digits, as the place of an
    element in an array of that shape has not, by quotients and rests.
    """
    make = low.make
    if (
        x.ty is Base.INT
        and all(make.nonnegative(each) for each in (x, *radices))
        and make.at_least(make.product(tuple(radices)), make.add(x, make.one))
    ):
        place = make.call(QUOT, x, make.product(tuple(radices[position + 1 :])))
        return place if position == 0 else make.call(REM, place, radices[position])
    rest = x
    for radix in reversed(radices[position + 1 :]):
        _, rest = _split(low, radix, rest)
    return _split(low, radices[position], rest)[0]


def _stored(low: Lowering, a: Pull, b: Pull, radices: list[int], site: SiteOf) -> Pull:
    """Many digits for constant radices, in memory: one loop a position. See Note [Parts of numbers]."""
    make = low.make
    shape = (a.shape[0], *[low.extent(n) for n in b.shape])
    size = make.product(shape[1:])
    buffer = low.allocated(a.ty, make.product(shape), site(faults.NO_MEMORY))
    groups = _groups(radices) if b.rank else [range(len(radices))]
    products = [prod([radices[k] for k in group]) for group in groups]
    for number, group in enumerate(groups):
        part, own = b, radices
        if len(groups) > 1:
            part = b.mapped(partial(_digit, low, products, number), Base.INT)
            own = [radices[k] for k in group]
            if len(group) > 1:
                part = low.materialise(part)
        for k, position in enumerate(group):
            digits = part.mapped(partial(_digit, low, own, k), Base.INT) if len(own) > 1 else part
            start = make.mul(make.const(position), size)
            if b.rank:
                low.fill_buffer(buffer, digits, start)
            else:
                low.emit(Store(buffer, start, digits.at()))
    return from_buffer(make, buffer, shape)


def _groups(radices: list[int]) -> list[range]:
    """Positions whose digits together stay small, as few groups as that takes, of nearly the same length; all
    of them if they are few groups anyway.
    """
    groups: list[range] = []
    first, product = 0, 1
    for k, radix in enumerate(radices):
        product *= radix
        if not 0 < product <= MOST_OF_PART and first < k:
            groups.append(range(first, k))
            first, product = k, radix
    groups.append(range(first, len(radices)))
    return groups


def _in_order(low: Lowering, a: Pull, b: Pull, site: SiteOf) -> Pull:
    """All digits of one number after the other, from the last one on, in memory."""
    make = low.make
    shape = tuple([low.extent(n) for n in (*a.shape, *b.shape)])
    buffer = low.allocated(a.ty, make.product(shape), site(faults.NO_MEMORY))
    indices = tuple([make.index("i", n) for n in shape[1:]])
    back = make.index("k", shape[0])
    k = make.sub(make.sub(shape[0], make.one), back)
    rest, number = Var(make.fresh("rest"), a.ty), Var(make.fresh("left"), a.ty)
    radix, x = a.at(k, *indices[: a.rank - 1]), b.at(*indices[a.rank - 1 :])
    digit, left = _split(low, radix, rest)
    position = from_index(make, shape, (k, *indices))
    each_digit: tuple[Statement, ...] = (
        Store(buffer, position, digit),
        HostLet(number, left),
        Assign(rest, number),
    )
    loop = ForEach(Space((back,), (shape[0],)), each_digit)
    points: tuple[Statement, ...] = (Variable(rest, x), loop)
    low.emit(*([ForEach(Space(indices, shape[1:]), points)] if indices else points))
    return from_buffer(make, buffer, shape)
