"""The lowering of complex arithmetic: by parts, which are doubles.

Only memory, variables and choices hold complex numbers; all that is computed is computed on doubles, in the
order of `aplc.tail.meaning.complex_numbers`, so that it stands in lanes like any other arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.ir.scalar import (
    ARCTANGENT,
    DIVIDE,
    IMAGINARY_PART,
    MAGNITUDE,
    OF_PARTS,
    REAL_PART,
    ROUNDED,
    Exp,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.faults import Fault, Site
from aplc.tail.prims import Prim

SiteOf = Callable[[Fault], Site]


def of_parts(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """The number with these parts."""
    return make.call(OF_PARTS, *args)


def _parts(make: ExprBuilder, z: Exp) -> tuple[Exp, Exp]:
    return make.call(REAL_PART, z), make.call(IMAGINARY_PART, z)


def real(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """The real part."""
    return _parts(make, args[0])[0]


def imaginary(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """The imaginary part."""
    return _parts(make, args[0])[1]


def by_parts(prim: Prim) -> Callable[[ExprBuilder, SiteOf, tuple[Exp, ...]], Exp]:
    """What a function of doubles does to the real parts, and to the imaginary ones."""

    def lower(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
        pairs = [_parts(make, z) for z in args]
        return make.call(OF_PARTS, *[make.call(prim, *parts) for parts in zip(*pairs, strict=True)])

    return lower


def multiply(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`x×y`"""
    (a, b), (c, d) = [_parts(make, z) for z in args]
    first = make.call(p.SUBD, _product(make, a, c), _product(make, b, d))
    return make.call(OF_PARTS, first, make.call(p.ADDD, _product(make, a, d), _product(make, b, c)))


def _product(make: ExprBuilder, x: Exp, y: Exp) -> Exp:
    return make.call(ROUNDED, make.call(p.MULD, x, y))


def divide(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`x÷y` by Smith's method; 1 for `0÷0`, an error for any other division by zero."""
    (a, b), (c, d) = [_parts(make, z) for z in args]
    zero, one = make.const(0.0), make.const(1.0)
    by_zero = _are(make, c, d, zero)
    divisor = make.select(by_zero, one, c)
    is_wide = make.call(p.GTED, make.call(p.ABSD, divisor), make.call(p.ABSD, d))
    large, small = make.select(is_wide, divisor, d), make.select(is_wide, d, divisor)
    ratio = make.call(DIVIDE, small, large)
    scale = make.call(p.ADDD, large, _product(make, small, ratio))
    first, second = make.select(is_wide, a, b), make.select(is_wide, b, a)
    real_part = make.call(p.ADDD, first, _product(make, second, ratio))
    other = make.call(DIVIDE, make.call(p.SUBD, second, _product(make, first, ratio)), scale)
    quotient = make.call(
        OF_PARTS,
        make.select(by_zero, one, make.call(DIVIDE, real_part, scale)),
        make.select(by_zero, zero, make.select(is_wide, other, make.call(p.NEGD, other))),
    )
    ok = make.call(p.ORB, make.call(p.NOTB, by_zero), _are(make, a, b, zero))
    return make.check(ok, quotient, site(faults.DIVIDE_BY_ZERO))


def _are(make: ExprBuilder, x: Exp, y: Exp, value: Exp) -> Exp:
    return make.call(p.ANDB, make.call(p.EQD, x, value), make.call(p.EQD, y, value))


def conjugate(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`+x`"""
    a, b = _parts(make, args[0])
    return make.call(OF_PARTS, a, make.call(p.NEGD, b))


def magnitude(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`|x`"""
    return make.call(MAGNITUDE, *_parts(make, args[0]))


def phase(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`12○x`"""
    a, b = _parts(make, args[0])
    return make.call(ARCTANGENT, b, a)


def equal(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`x=y` without a tolerance."""
    (a, b), (c, d) = [_parts(make, z) for z in args]
    return make.call(p.ANDB, make.call(p.EQD, a, c), make.call(p.EQD, b, d))


def differ(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """`x≠y` without a tolerance."""
    return make.call(p.NOTB, equal(make, site, args))


def to_real(make: ExprBuilder, site: SiteOf, args: tuple[Exp, ...]) -> Exp:
    """A number accepted where a real one is required."""
    a, b = _parts(make, args[0])
    return make.check(make.call(p.EQD, b, make.const(0.0)), a, site(faults.NOT_A_REAL))


LOWER_COMPLEX = {
    p.COMPLEX: of_parts,
    p.REALZ: real,
    p.IMAGZ: imaginary,
    p.ADDZ: by_parts(p.ADDD),
    p.SUBZ: by_parts(p.SUBD),
    p.NEGZ: by_parts(p.NEGD),
    p.MULZ: multiply,
    p.DIVZ: divide,
    p.CONJZ: conjugate,
    p.ABSZ: magnitude,
    p.PHASEZ: phase,
    p.EQZ: equal,
    p.NEQZ: differ,
    p.Z2D: to_real,
}
