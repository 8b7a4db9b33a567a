"""The lowering of TAIL's scalar primitives: most are operators of Laila as they stand, some need a check.

`LOWER_SCALAR` holds those that are more than themselves. The meaning is that of `tail.meaning`, corner by
corner.
"""

from __future__ import annotations

from collections.abc import Callable

from laila.scalar import CEIL, DIVIDE, FLOOR, LOG, POWER, TRUNCATE, Const, Exp, Site
from laila.simplify import Scalars
from tail import faults
from tail import prims as p
from tail.faults import Fault
from tail.prims import INT_MAX, INT_MIN, Prim

SiteOf = Callable[[Fault], Site]
LowerScalar = Callable[[Scalars, SiteOf, tuple[Exp, ...]], Exp]


def lower_scalar(make: Scalars, prim: Prim, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """A scalar primitive of lowered arguments."""
    special = LOWER_SCALAR.get(prim)
    return special(make, site, args) if special is not None else make.call(prim, *args)


def _divide(make: Scalars, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`x÷y`: 1 for `0÷0`, an error for any other division by zero."""
    x, y = args
    zero, one = make.const(0.0), make.const(1.0)
    by_zero, x_is_zero = make.call(p.EQD, y, zero), make.call(p.EQD, x, zero)
    if by_zero is make.false:
        return make.call(DIVIDE, x, y)
    ok = make.call(p.ORB, make.call(p.NOTB, by_zero), x_is_zero)
    if x_is_zero is not make.false:  # 1÷1 in its place: choosing operands is cheaper than choosing results
        x, y = make.select(by_zero, one, x), make.select(by_zero, one, y)
    return make.check(ok, make.call(DIVIDE, x, y), site(faults.DIVIDE_BY_ZERO))


def _log(make: Scalars, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    (x,) = args
    ok = make.call(p.NOTB, make.call(p.LTED, x, make.const(0.0)))
    return make.check(ok, make.call(LOG, x), site(faults.NOT_POSITIVE))


def _power(make: Scalars, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    x, y = args
    zero = make.const(0.0)
    finite = make.call(p.ORB, make.call(p.NEQD, x, zero), make.call(p.NOTB, make.call(p.LTD, y, zero)))
    fractional = make.call(p.ANDB, make.call(p.NEQD, make.call(FLOOR, y), y), make.call(p.EQD, y, y))
    imaginary = make.call(p.ANDB, make.call(p.LTD, x, zero), fractional)
    ok = make.call(p.ANDB, finite, make.call(p.NOTB, imaginary))
    return make.check(ok, make.call(POWER, x, y), site(faults.NO_REAL_POWER))


def _fits(make: Scalars, x: Exp) -> Exp:
    """Whether a whole double is an integer of 64 bits."""
    above = make.call(p.GTED, x, make.const(-(2.0**63)))
    return make.call(p.ANDB, above, make.call(p.LTD, x, make.const(2.0**63)))


def _to_int(make: Scalars, x: Exp, ok: Exp, site: Site) -> Exp:
    """A whole double as an integer where `ok` says that it is one and fits."""
    converted = make.select(ok, make.call(TRUNCATE, x), make.zero)
    return make.check(ok, converted, site)


def _rounded(rounding: Prim) -> LowerScalar:
    def lower(make: Scalars, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
        whole = make.call(rounding, args[0])
        return _to_int(make, whole, _fits(make, whole), site(faults.TOO_LARGE))

    return lower


def _double_to_int(make: Scalars, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    (x,) = args
    whole = make.call(p.EQD, make.call(FLOOR, x), x)
    return _to_int(make, x, make.call(p.ANDB, whole, _fits(make, x)), site(faults.NOT_WHOLE))


def _int_to_bool(make: Scalars, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    (x,) = args
    ok = make.call(p.ORB, make.call(p.EQI, x, make.zero), make.call(p.EQI, x, make.one))
    return make.check(ok, make.call(p.NEQI, x, make.zero), site(faults.NOT_BOOLEAN))


def _negated(prim: Prim) -> LowerScalar:
    def lower(make: Scalars, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
        return make.call(p.NOTB, make.call(prim, *args))

    return lower


LOWER_SCALAR: dict[Prim, LowerScalar] = {
    p.DIVD: _divide,
    p.LND: _log,
    p.POWD: _power,
    p.FLOORD: _rounded(FLOOR),
    p.CEILD: _rounded(CEIL),
    p.D2I: _double_to_int,
    p.I2B: _int_to_bool,
    p.NANDB: _negated(p.ANDB),
    p.NORB: _negated(p.ORB),
}

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
}
"""The neutral elements of the associative primitives: what an accumulator starts from."""


def neutral(make: Scalars, prim: Prim) -> Const:
    """The neutral element of an associative primitive."""
    result = make.const(NEUTRAL[prim])
    assert isinstance(result, Const)
    return result
