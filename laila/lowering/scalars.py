"""The lowering of TAIL's scalar primitives: most are operators of Laila as they stand, some need a check.

`LOWER_SCALAR` holds those that are more than themselves. The meaning is that of `aplc.tail.meaning.core`,
corner by corner.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from aplc.laila.ir.counts import is_zero_or_one
from aplc.laila.ir.rules.guards import integer_in
from aplc.laila.ir.rules.predicated_sums import choice_of_sum
from aplc.laila.ir.scalar import (
    ADD_WRAPS,
    BINOMIAL,
    BIT_OR,
    CEIL,
    CHARACTER,
    CIRCLE,
    CIRCLE_IS_REAL,
    CIRCLES,
    DIVIDE,
    EXACT_POWER,
    FACTORIAL,
    FLOOR,
    IS_SHORT,
    LCM_WRAPS,
    LOG,
    MUL_WRAPS,
    MULTIPLY_ADD,
    POWER,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SHORT_POWER,
    SQRT,
    SUB_WRAPS,
    TRUNCATE,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    Select,
    Site,
    Sum,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering import tolerance
from aplc.laila.lowering.complex_parts import LOWER_COMPLEX
from aplc.laila.lowering.count_quotients import rounded_quotient
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.faults import Fault
from aplc.tail.prims import INT_MAX, INT_MIN, Prim
from aplc.tail.types import LAST_CHARACTER, SURROGATES, Base

BOUND_DEPTH = 6
"""How far down an expression its bound is looked for."""

MOST_FACTORS = 32
"""The greatest known exponent for which a power is products."""

SiteOf = Callable[[Fault], Site]
"""The error site of a fault at the application that is being lowered."""

LowerScalar = Callable[[ExprBuilder, SiteOf, tuple[Exp, ...]], Exp]


def lower_scalar(make: ExprBuilder, prim: Prim, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """A scalar primitive of lowered arguments."""
    if make.settings.check_overflow and prim in MAY_WRAP:
        return _fitting(make, prim, site, args)
    special = LOWER_SCALAR.get(prim)
    if special is not None:
        return special(make, site, args)
    return choice_of_sum(make, prim, args) or make.call(prim, *args)


def _fitting(make: ExprBuilder, prim: Prim, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """Integer arithmetic that is an error where it would wrap; what counts elements does not."""
    result = make.call(prim, *args)
    if make.counts(result, *args):
        return result
    wraps = MAY_WRAP[prim]
    fits = make.call(p.NEQI, args[0], make.const(INT_MIN))
    if wraps is not None:
        fits = make.call(p.NOTB, make.call(wraps, *args))
    return make.check(fits, result, site(faults.TOO_LARGE))


def _divide(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`x÷y`: 1 for `0÷0`, an error for any other division by zero; what IEEE says if nothing is checked."""
    x, y = args
    zero, one = make.const(0.0), make.const(1.0)
    by_zero = make.false if _least(make, y) > 0 else make.call(p.EQD, y, zero)
    x_is_zero = make.call(p.EQD, x, zero)
    if by_zero is make.false:
        return make.call(DIVIDE, x, y)
    if (mean := _mean(make, x, y)) is not None:
        return mean
    ok = make.call(p.ORB, make.call(p.NOTB, by_zero), x_is_zero)
    special = make.call(p.ANDB, by_zero, x_is_zero) if make.settings.unsafe else by_zero
    if x_is_zero is not make.false:  # 1÷1 in its place: choosing operands is cheaper than choosing results
        x, y = make.select(special, one, x), make.select(special, one, y)
    return make.check(ok, make.call(DIVIDE, x, y), site(faults.DIVIDE_BY_ZERO))


def _mean(make: ExprBuilder, x: Exp, y: Exp) -> Exp | None:
    """A sum divided by the number of its terms, which cannot fail: that of no terms is 0, and `0÷0` is 1.
    None for another quotient.
    """
    total = x.args[0] if isinstance(x, Call) and x.op is p.I2D else x
    if not isinstance(total, Fold) or total.combine not in (p.ADDI, p.ADDD):
        return None
    if not isinstance(y, Call) or y.op is not p.I2D or y.args[0] is not total.extent:
        return None
    one = make.one if total.ty is Base.INT else make.const(1.0)
    total = make.fold(total.combine, total.var, total.extent, total.body, one)
    count = make.call(p.I2D, make.call(p.MAXI, y.args[0], make.one))
    return make.call(DIVIDE, total if total.ty is Base.DOUBLE else make.call(p.I2D, total), count)


def _log(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    (x,) = args
    ok = make.true if _least(make, x) > 0 else make.call(p.NOTB, make.call(p.LTED, x, make.const(0.0)))
    return make.check(ok, make.call(LOG, x), site(faults.NOT_POSITIVE))


def _least(make: ExprBuilder, x: Exp, depth: int = BOUND_DEPTH) -> float:
    """A number that a double is never below, though it may be not-a-number. Rounding keeps the order."""
    if depth == 0:
        return -math.inf

    def below(*args: Exp) -> list[float]:
        return [_least(make, arg, depth - 1) for arg in args]

    match x:
        case Const(value=value):
            return float(value)
        case Check(value=value):
            return _least(make, value, depth)
        case Select(then=then, other=other):
            return min(below(then, other))
        case Fold(combine=(p.ADDD | p.MULD), body=body):
            return 0.0 if min(below(body)) >= 0 else -math.inf
        case Call():
            return _least_of_call(make, x, below)
        case _:
            return -math.inf


def _least_of_call(make: ExprBuilder, x: Call, below: Callable[..., list[float]]) -> float:
    """The same of the value of a function; `below` says it of operands."""
    op, args = x.op, x.args
    if op in (p.ABSD, p.EXPD, SQRT) or (op is p.MULD and args[0] is args[1]):
        return 0.0
    if op is p.I2D and make.at_least(args[0], make.zero):
        return 0.0
    if op is DIVIDE:
        y = args[1]
        counts = (y.then, y.other) if isinstance(y, Select) else (y,)
        are_counts = all((isinstance(n, Call) and n.op is p.I2D) or _least(make, n) > 0 for n in counts)
        least, least_of_divisor = below(*args)
        is_positive = least_of_divisor > 0 or (are_counts and least_of_divisor >= 0)  # and no ¯0
        return 0.0 if least >= 0 and is_positive else -math.inf
    bounds = below(*args) if op in (p.ADDD, p.MULD, p.MAXD) else []
    if op is p.ADDD:
        return sum(bounds)
    if op is p.MULD and min(bounds) >= 0:
        return math.prod(bounds)
    return max(bounds) if op is p.MAXD else -math.inf


def _power(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    x, y = args
    zero = make.const(0.0)
    if isinstance(y, Const) and (power := _known_power(make, site, x, float(y.value))) is not None:
        return power
    if isinstance(y, Call) and y.op is p.I2D:
        (n,) = y.args
        if is_zero_or_one(n) and not make.may_fail(x):
            return make.select(make.call(p.EQI, n, make.one), x, make.const(1.0))
        ok = make.call(p.ORB, make.call(p.GTEI, n, make.zero), make.call(p.NEQD, x, zero))
        return make.check(ok, _whole_power(make, x, n), site(faults.NO_REAL_POWER))
    finite = make.call(p.ORB, make.call(p.NEQD, x, zero), make.call(p.NOTB, make.call(p.LTD, y, zero)))
    fractional = make.call(p.ANDB, make.call(p.NEQD, make.call(FLOOR, y), y), make.call(p.EQD, y, y))
    imaginary = make.call(p.ANDB, make.call(p.LTD, x, zero), fractional)
    ok = make.call(p.ANDB, finite, make.call(p.NOTB, imaginary))
    return make.check(ok, _plain_power(make, x, y), site(faults.NO_REAL_POWER))


def _known_power(make: ExprBuilder, site: SiteOf, x: Exp, exponent: float) -> Exp | None:
    """A power with a small exponent that is whole, or a half off: products of the base and of its root, which
    differ from `pow` in the last bits at most. A negative one is a power of `1÷x`: no step of it overflows
    but where the result does.
    """
    count = math.floor(abs(exponent)) if abs(exponent) <= MOST_FACTORS else -1
    rest = abs(exponent) - count
    if make.settings.strict_fp or rest not in (0.0, 0.5) or (exponent == 0 and make.may_fail(x)):
        return None
    zero = make.const(0.0)
    ok = make.true
    if rest and _least(make, x) < 0:
        ok = make.call(p.NOTB, make.call(p.LTED if exponent < 0 else p.LTD, x, zero))
    elif exponent < 0 and _least(make, x) <= 0:
        ok = make.call(p.NOTB, make.call(p.EQD, x, zero))
    one = make.const(1.0)
    base = make.call(DIVIDE, one, x) if exponent < 0 else x
    factors = [_product(make, base, count)] if count else []
    if rest and count == 0 and exponent < 0:
        factors.append(make.call(DIVIDE, one, make.call(SQRT, x)))
    elif rest:
        root = make.call(SQRT, base)
        factors.append(root if exponent < 0 else make.call(p.ADDD, root, zero))  # the root of ¯0 is ¯0
    value = factors[0] if factors else one
    for factor in factors[1:]:
        value = make.call(p.MULD, value, factor)
    return make.check(ok, value, site(faults.NO_REAL_POWER))


def _product(make: ExprBuilder, x: Exp, count: int) -> Exp:
    """So many factors, by squares."""
    if count == 1:
        return x
    half = _product(make, x, count // 2)
    square = make.call(p.MULD, half, half)
    return make.call(p.MULD, square, x) if count % 2 else square


def _plain_power(make: ExprBuilder, x: Exp, y: Exp) -> Exp:
    """A power by `pow`. What computes several at once is not exact even where the result is a small whole
    number, so that is seen to unless an operand is a constant that is not whole.
    """
    fractional = any(isinstance(e, Const) and not float(e.value).is_integer() for e in (x, y))
    is_exact = fractional or make.settings.strict_fp
    return make.call(POWER if is_exact else EXACT_POWER, x, y)


def _whole_power(make: ExprBuilder, x: Exp, n: Exp) -> Exp:
    """A power with an integer as exponent: by squares where the run, or the text, shows that it is small."""
    plain = _plain_power(make, x, make.call(p.I2D, n))
    if make.settings.strict_fp or not isinstance(plain, Call):
        return plain
    base = x
    if make.at_least(make.zero, n):
        base, n = make.call(DIVIDE, make.const(1.0), x), make.sub(make.zero, n)
    elif not make.at_least(n, make.zero):
        return plain
    most = greatest(make, n)
    if most is None:
        return plain
    return make.select(make.call(IS_SHORT, most), make.call(SHORT_POWER, base, n), plain)


def greatest(make: ExprBuilder, exp: Exp, *, least: bool = False, depth: int = BOUND_DEPTH) -> Exp | None:
    """An expression over extents only that one over indices of loops is never above; `least`: never below."""
    const, terms = make.linear(exp)
    result = make.const(const)
    for atom, k in terms.items():
        bound: Exp | None = atom
        if not all([_is_of_extents(node) for node in nodes(atom)]):
            bounds = () if not isinstance(atom, Var) else atom.lows if (k < 0) != least else atom.highs
            if not bounds or not depth:
                return None
            bound = greatest(make, bounds[0], least=(k < 0) != least, depth=depth - 1)
        if bound is None:
            return None
        result = make.add(result, make.mul(make.const(k), bound))
    return result


def _is_of_extents(node: Exp) -> bool:
    """Whether a node is no index of a loop, and reads no memory."""
    if isinstance(node, Var):
        return node.is_index and not node.highs
    return isinstance(node, Const | Call | Sum)


def _fits(make: ExprBuilder, x: Exp) -> Exp:
    """Whether a whole double is an integer of 64 bits."""
    above = make.call(p.GTED, x, make.const(-(2.0**63)))
    return make.call(p.ANDB, above, make.call(p.LTD, x, make.const(2.0**63)))


def _to_int(make: ExprBuilder, x: Exp, ok: Exp, site: Site) -> Exp:
    """A whole double as an integer where `ok` says that it is one and fits."""
    converted = make.select(ok, make.call(TRUNCATE, x), make.zero)
    return make.check(ok, converted, site)


def _rounded(rounding: Prim) -> LowerScalar:
    def lower(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
        if (integer := integer_in(make, args[0])) is not None:
            return integer
        if (quotient := rounded_quotient(make, rounding, args[0])) is not None:
            return quotient
        whole = make.call(rounding, args[0])
        return _to_int(make, whole, _fits(make, whole), site(faults.TOO_LARGE))

    return lower


def _double_to_int(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    (x,) = args
    if (integer := integer_in(make, x)) is not None:
        return integer
    return _to_int(make, x, make.call(p.ANDB, _is_whole(make, x), _fits(make, x)), site(faults.NOT_WHOLE))


def _int_to_bool(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    (x,) = args
    ok = make.call(p.ANDB, make.call(p.GTEI, x, make.zero), make.call(p.LTEI, x, make.one))
    return make.check(ok, make.call(p.NEQI, x, make.zero), site(faults.NOT_BOOLEAN))


def _int_to_char(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    (x,) = args
    first, last = [make.const(code) for code in SURROGATES]
    below = make.call(p.ANDB, make.call(p.GTEI, x, make.zero), make.call(p.LTI, x, first))
    end = make.const(LAST_CHARACTER)
    above = make.call(p.ANDB, make.call(p.GTI, x, last), make.call(p.LTEI, x, end))
    return make.check(make.call(p.ORB, below, above), make.call(CHARACTER, x), site(faults.NO_CHARACTER), x)


def _natural(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    (count,) = args
    if is_zero_or_one(count):
        return count
    ok = make.call(p.GTEI, count, make.zero)
    return make.check(ok, count, site(faults.NEGATIVE_COUNT), count)


def _shift(shift: Prim) -> LowerScalar:
    def lower(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
        count = args[1]
        ok = make.call(p.GTEI, count, make.zero)
        return make.check(ok, make.call(shift, *args), site(faults.NEGATIVE_SHIFT), count)

    return lower


def _is_whole(make: ExprBuilder, x: Exp) -> Exp:
    return make.call(p.EQD, make.call(FLOOR, x), x)


def _factorial(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`!x`: Γ has poles at negative whole numbers."""
    (x,) = args
    pole = make.call(p.ANDB, make.call(p.LTD, x, make.const(0.0)), _is_whole(make, x))
    return make.check(make.call(p.NOTB, pole), make.call(FACTORIAL, x), site(faults.NO_FACTORIAL))


def _binomial(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`x!y`: no limit at the poles of `!y` but for a whole x."""
    x, y = args
    pole = make.call(p.ANDB, make.call(p.LTD, y, make.const(0.0)), _is_whole(make, y))
    fractional = make.call(p.ANDB, make.call(p.NOTB, _is_whole(make, x)), make.call(p.EQD, x, x))
    ok = make.call(p.NOTB, make.call(p.ANDB, pole, fractional))
    return make.check(ok, make.call(BINOMIAL, x, y), site(faults.NO_FACTORIAL))


def _circle(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`k○x`: the function itself for a known k, else a choice at run time."""
    k, x = args
    not_real = site(faults.NOT_REAL)
    if isinstance(k, Const) and k.value in CIRCLES:
        number = int(k.value)
        return make.check(_circle_domain(make, number, x), make.call(CIRCLES[number], x), not_real)
    least, last = make.const(min(CIRCLES)), make.const(max(CIRCLES))
    known = make.call(p.ANDB, make.call(p.GTEI, k, least), make.call(p.LTEI, k, last))
    real = make.check(make.call(CIRCLE_IS_REAL, k, x), make.call(CIRCLE, k, x), not_real)
    return make.check(known, real, site(faults.NO_CIRCLE), k)


def _circle_domain(make: ExprBuilder, k: int, x: Exp) -> Exp:
    """Where `k○x` is real; not-a-number is in every domain."""
    one = make.const(1.0)
    size = make.call(p.ABSD, x)
    match k:
        case 0 | -1 | -2:
            outside = make.call(p.GTD, size, one)
        case -4:
            outside = make.call(p.LTD, size, one)
        case -6:
            outside = make.call(p.LTD, x, one)
        case -7:
            outside = make.call(p.GTED, size, one)
        case _:
            return make.true
    return make.call(p.NOTB, outside)


def _tolerant(function: Callable[..., Exp]) -> LowerScalar:
    def lower(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
        return function(make, *args)

    return lower


def _negated(prim: Prim) -> LowerScalar:
    def lower(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
        return make.call(p.NOTB, make.call(prim, *args))

    return lower


LOWER_SCALAR: dict[Prim, LowerScalar] = LOWER_COMPLEX | {
    p.DIVD: _divide,
    p.LND: _log,
    p.POWD: _power,
    p.FLOORD: _rounded(FLOOR),
    p.CEILD: _rounded(CEIL),
    p.D2I: _double_to_int,
    p.I2B: _int_to_bool,
    p.I2C: _int_to_char,
    p.NATURAL: _natural,
    p.SHLI32: _shift(SHIFT_LEFT),
    p.SHRI32: _shift(SHIFT_RIGHT),
    p.FACTD: _factorial,
    p.BINOMD: _binomial,
    p.CIRCD: _circle,
    p.EQTD: _tolerant(tolerance.equal),
    p.LTTD: _tolerant(tolerance.less),
    p.LTETD: _tolerant(tolerance.less_or_equal),
    p.SNAPD: _tolerant(tolerance.snap),
    p.NANDB: _negated(p.ANDB),
    p.NORB: _negated(p.ORB),
}

MAY_WRAP: dict[Prim, Prim | None] = {
    p.ADDI: ADD_WRAPS,
    p.SUBI: SUB_WRAPS,
    p.MULI: MUL_WRAPS,
    p.LCMI: LCM_WRAPS,
    p.NEGI: None,
    p.ABSI: None,
}
"""Integer arithmetic with the predicate that tells when it wraps; None: for the least integer."""

NEUTRAL: dict[Prim, bool | int | float] = {
    p.ADDI: 0,
    p.MULI: 1,
    p.MAXI: INT_MIN,
    p.MINI: INT_MAX,
    p.ADDD: 0.0,
    p.MULD: 1.0,
    p.MAXD: float("-inf"),
    p.MIND: float("inf"),
    p.ANDB: True,
    p.ORB: False,
    p.EQB: True,
    p.NEQB: False,
    p.XORI32: 0,
    p.ORI32: 0,
    p.ANDI32: -1,
    BIT_OR: 0,
}
"""The neutral elements of the associative primitives: what an accumulator starts from."""

CUTTING = frozenset((p.XORI32, p.ORI32, p.ANDI32))
"""Those that cut their operands to 32 bits: combined with the neutral element, a number may change."""


def may_reassociate(make: ExprBuilder, prim: Prim) -> bool:
    """Whether a primitive may combine values in any order under the settings of the program."""
    settings = make.settings
    if settings.check_overflow and prim in (p.ADDI, p.MULI):
        return False
    return prim in NEUTRAL and not (settings.strict_fp and isinstance(NEUTRAL[prim], float))


def neutral(make: ExprBuilder, prim: Prim) -> Const:
    """The neutral element of an associative primitive."""
    result = make.const(NEUTRAL[prim])
    assert isinstance(result, Const)
    return result


def joined(make: ExprBuilder, op: Prim, before: Exp, value: Exp) -> Exp:
    """`before op value`. Where sums may be taken in any order, a product is added without rounding it."""
    is_free = op is p.ADDD and not make.settings.strict_fp
    if is_free and isinstance(value, Call) and value.op is p.MULD:
        return make.call(MULTIPLY_ADD, *value.args, before)
    return make.call(op, before, value)


def chained(make: ExprBuilder, after: Exp, before: Var) -> Exp:
    """What follows from a value that the next step waits for. A product with it is added without rounding it,
    in one operation, where sums may be taken in any order.
    """
    if make.settings.strict_fp or not (isinstance(after, Call) and after.op is p.ADDD):
        return after
    for product, rest in (after.args, reversed(after.args)):
        if isinstance(product, Call) and product.op is p.MULD and any(n is before for n in nodes(product)):
            return make.call(MULTIPLY_ADD, *product.args, rest)
    return after
