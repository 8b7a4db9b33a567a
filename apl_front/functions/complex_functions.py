"""Scalar functions of complex numbers that are made of others: by their parts, or of logarithms.

Sources: the formulas are those of any table (Abramowitz and Stegun 4.2, 4.3, 4.4, 4.6); branch cuts are those
of APL (McDonnell, "Complex floor" and APL2), which are Kahan's but for the sign of zeros.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from aplc.apl_front.building.builder import Builder, base_of, constant
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Fn, Op, PrimFn, complex_number, conditional, let, literal, op
from aplc.tail.types import Base

MOST_SQUARINGS = 64
"""A whole power up to it is made of products, and exact where these are."""


class _Formulas:
    """Applications of primitives at one place."""

    def __init__(self, build: Builder, span: Span) -> None:
        self.build, self.span = build, span

    def __call__(self, prim: Prim, *args: Exp, symbol: str = "") -> Exp:
        """A primitive applied, under a name that may be used again."""
        return self.build.bind(op(prim, *args, symbol=symbol, span=self.span))

    def real(self, z: Exp) -> Exp:
        """The real part."""
        return self(p.REALZ, z)

    def imaginary(self, z: Exp) -> Exp:
        """The imaginary part."""
        return self(p.IMAGZ, z)

    def number(self, real: Exp, imaginary: Exp) -> Exp:
        """The number with these parts."""
        return self(p.COMPLEX, real, imaginary)

    def constant(self, real: float, imaginary: float = 0.0) -> Exp:
        """A complex constant."""
        return complex_number(real, imaginary, self.span)

    def double(self, value: float) -> Exp:
        """A real constant."""
        return literal(value, self.span)

    def function(self, k: int, x: Exp) -> Exp:
        """`k○x` of a real number."""
        return self(p.CIRCD, literal(k, self.span), x, symbol="○")

    def inside(self, make: Callable[[], Exp]) -> Exp:
        """What is computed only where it is chosen."""
        with self.build.block() as bindings:
            value = make()
            return let(bindings, value)

    def turned(self, z: Exp) -> Exp:
        """`0J1×z`"""
        return self.number(self(p.NEGD, self.imaginary(z)), self.real(z))

    def turned_back(self, z: Exp) -> Exp:
        """`0J¯1×z`"""
        return self.number(self.imaginary(z), self(p.NEGD, self.real(z)))


def _reciprocal(build: Builder, z: Exp, span: Span) -> Exp:
    return op(p.DIVZ, complex_number(1.0, 0.0, span), z, symbol="÷", span=span)


def _pi_times(build: Builder, z: Exp, span: Span) -> Exp:
    f, z = _Formulas(build, span), build.bind(z)
    pi = f.double(math.pi)
    return op(p.COMPLEX, f(p.MULD, pi, f.real(z)), f(p.MULD, pi, f.imaginary(z)), span=span)


def _direction(build: Builder, z: Exp, span: Span) -> Exp:
    """`×z`: z÷|z|, 0 for 0."""
    f, z = _Formulas(build, span), build.bind(z)
    zero = f.constant(0.0)
    size = f.number(f(p.ABSZ, z), f.double(0.0))
    return conditional(f(p.EQZ, z, zero), zero, op(p.DIVZ, z, size, symbol="×", span=span), span)


def _exponential(build: Builder, z: Exp, span: Span) -> Exp:
    f, z = _Formulas(build, span), build.bind(z)
    size, angle = f(p.EXPD, f.real(z)), f.imaginary(z)
    real, imaginary = f(p.MULD, size, f.function(2, angle)), f(p.MULD, size, f.function(1, angle))
    return op(p.COMPLEX, real, imaginary, symbol="*", span=span)


def _logarithm(build: Builder, z: Exp, span: Span) -> Exp:
    f, z = _Formulas(build, span), build.bind(z)
    return op(p.COMPLEX, f(p.LND, f(p.ABSZ, z), symbol="⍟"), f(p.PHASEZ, z), symbol="⍟", span=span)


def _logarithm_to(build: Builder, base: Exp, z: Exp, span: Span) -> Exp:
    above, below = _logarithm(build, z, span), _logarithm(build, base, span)
    return op(p.DIVZ, build.bind(above), build.bind(below), symbol="⍟", span=span)


def _power(build: Builder, z: Exp, w: Exp, span: Span) -> Exp:
    """`z*w`: products for a whole power that is known, else the exponential of w×⍟z."""
    z = build.bind(z)
    known = _known_real(w)
    if known == 0.5:
        return _root(build, _Formulas(build, span), z)
    if known is not None and known.is_integer() and abs(known) <= MOST_SQUARINGS:
        exponent = int(known)
        result = _whole_power(build, z, abs(exponent), span)
        return _reciprocal(build, result, span) if exponent < 0 else result
    f, w = _Formulas(build, span), build.bind(w)
    zero = f.constant(0.0)

    def of_others() -> Exp:
        return _exponential(build, f(p.MULZ, w, build.bind(_logarithm(build, z, span))), span)

    def of_zero() -> Exp:
        # 1 to the power of 0, 0 to one whose real part is positive; for others the division by 0 is the error
        one = f(p.EQZ, w, zero)
        is_fine = f(p.ORB, one, f(p.GTD, f.real(w), f.double(0.0)))
        fitting = conditional(is_fine, f.double(1.0), f.double(0.0), span)
        checked = op(p.DIVZ, f.constant(1.0), f.number(fitting, f.double(0.0)), symbol="*", span=span)
        return conditional(one, f.constant(1.0), op(p.SUBZ, checked, f.constant(1.0), span=span), span)

    return conditional(f(p.EQZ, z, zero), f.inside(of_zero), f.inside(of_others), span)


def _known_real(w: Exp) -> float | None:
    """An exponent that is known, with the imaginary part 0."""
    if not isinstance(w, Op) or w.prim is not p.COMPLEX:
        return None
    real, imaginary = [constant(part) for part in w.args if not isinstance(part, Fn | PrimFn)]
    return float(real) if imaginary == 0 and isinstance(real, int | float) else None


def _whole_power(build: Builder, z: Exp, exponent: int, span: Span) -> Exp:
    result: Exp | None = None
    while exponent:
        if exponent % 2:
            result = z if result is None else build.bind(op(p.MULZ, result, z, symbol="*", span=span))
        exponent //= 2
        if exponent:
            z = build.bind(op(p.MULZ, z, z, symbol="*", span=span))
    return complex_number(1.0, 0.0, span) if result is None else result


def is_scaled(symbol: str, args: tuple[Exp, ...]) -> bool:
    """Whether a complex number is multiplied or divided by a real one."""
    if len(args) != 2 or any(base_of(a) is Base.CHAR for a in args):
        return False
    are_complex = [base_of(a) is Base.COMPLEX for a in args]
    return are_complex == [True, False] or (are_complex == [False, True] and symbol == "×")


def scaled(build: Builder, symbol: str, args: tuple[Exp, ...], span: Span) -> Callable[[Exp, Exp], Exp]:
    """`z×x`, `x×z` and `z÷x` for a real x: by parts."""
    f, is_first = _Formulas(build, span), base_of(args[0]) is Base.COMPLEX

    def make(a: Exp, b: Exp) -> Exp:
        z, x = (a, b) if is_first else (b, a)
        z, x = build.bind(z), build.bind(build.coerce(x, Base.DOUBLE, symbol, span))
        if symbol == "×":
            return op(p.COMPLEX, f(p.MULD, f.real(z), x), f(p.MULD, f.imaginary(z), x), symbol="×", span=span)
        # 0÷0 is 1; of both parts it is, and anything else by zero has raised an error
        real = f(p.DIVD, f.real(z), x, symbol="÷")
        imaginary = f(p.DIVD, f.imaginary(z), x, symbol="÷")
        is_zero = f(p.I2D, f(p.B2I, f(p.EQD, x, f.double(0.0))))
        return op(p.COMPLEX, real, f(p.SUBD, imaginary, is_zero), symbol="÷", span=span)

    return make


def near(build: Builder, symbol: str, x: Exp, y: Exp, span: Span) -> Exp:
    """`x=y` and `x≠y` within ⎕CT: no further apart than that part of the larger magnitude."""
    f, x, y = _Formulas(build, span), build.bind(x), build.bind(y)
    gap = f(p.ABSZ, f(p.SUBZ, x, y))
    most = f(p.MULD, f.double(build.tolerance), f(p.MAXD, f(p.ABSZ, x), f(p.ABSZ, y)))
    equal = op(p.ORB, f(p.EQZ, x, y), f(p.LTED, gap, most), span=span)
    return equal if symbol == "=" else op(p.NOTB, equal, symbol=symbol, span=span)


def _rounded(build: Builder, f: _Formulas, x: Exp) -> Exp:
    """`⌊x` of a double, as one."""
    snapped = f(p.SNAPD, f.double(build.tolerance), x) if build.tolerance else x
    return f(p.I2D, f(p.FLOORD, snapped, symbol="⌊"))


def _floor(build: Builder, z: Exp, span: Span) -> Exp:
    """`⌊z`: the corner of the unit square, or its neighbour where its parts together are beyond that
    (McDonnell, "Complex Floor", 1973).
    """
    f, z = _Formulas(build, span), build.bind(z)
    x, y = f.real(z), f.imaginary(z)
    a, b, one = _rounded(build, f, x), _rounded(build, f, y), f.double(1.0)
    right, up = f(p.SUBD, x, a), f(p.SUBD, y, b)
    is_far = f(p.GTED, f(p.ADDD, right, up), f.double(1.0 - build.tolerance))
    goes_right = f(p.ANDB, is_far, f(p.GTED, right, up))
    goes_up = f(p.ANDB, is_far, f(p.LTD, right, up))
    return f.number(
        build.bind(conditional(goes_right, f(p.ADDD, a, one), a, span)),
        build.bind(conditional(goes_up, f(p.ADDD, b, one), b, span)),
    )


def _ceiling(build: Builder, z: Exp, span: Span) -> Exp:
    return op(p.NEGZ, _floor(build, op(p.NEGZ, z, span=span), span), symbol="⌈", span=span)


def _residue(build: Builder, w: Exp, z: Exp, span: Span) -> Exp:
    """`w|z`: z less w times the floor of z÷w; z for 0."""
    f, w, z = _Formulas(build, span), build.bind(w), build.bind(z)
    zero = f.constant(0.0)

    def rest() -> Exp:
        whole = build.bind(_floor(build, f(p.DIVZ, z, w), span))
        return op(p.SUBZ, z, f(p.MULZ, w, whole), symbol="|", span=span)

    return conditional(f(p.EQZ, w, zero), z, f.inside(rest), span)


# --- circular functions -----------------------------------------------------------------------------------


def circular(build: Builder, k: Exp, z: Exp, span: Span) -> Exp:
    """`k○z`, for a known k; 9 to 12 are parts, magnitude and phase, ¯9 to ¯12 make numbers of them."""
    known = constant(k)
    if known is None or isinstance(known, str) or not float(known).is_integer():
        raise unsupported(
            "○ of a complex number with a left argument that only the run knows",
            k.span or span,
            "write each for itself, (9○z),[0.5]11○z",
        )
    number = int(known)
    if not -12 <= number <= 12:
        message = f"○ has no function {number}, only ¯12 to 12".replace("-", "¯")
        raise compile_error("DOMAIN ERROR", message, k.span or span)
    f, z = _Formulas(build, span), build.bind(z)
    if number in PARTS:
        return op(PARTS[number], z, symbol="○", span=span)
    return CIRCULAR[number](build, f, z)


PARTS: dict[int, Prim] = {9: p.REALZ, 10: p.ABSZ, 11: p.IMAGZ, 12: p.PHASEZ, -10: p.CONJZ}


def _sine(build: Builder, f: _Formulas, z: Exp) -> Exp:
    x, y = f.real(z), f.imaginary(z)
    return f.number(
        f(p.MULD, f.function(1, x), f.function(6, y)), f(p.MULD, f.function(2, x), f.function(5, y))
    )


def _cosine(build: Builder, f: _Formulas, z: Exp) -> Exp:
    x, y = f.real(z), f.imaginary(z)
    product = f(p.MULD, f.function(1, x), f.function(5, y))
    return f.number(f(p.MULD, f.function(2, x), f.function(6, y)), f(p.NEGD, product))


def _tangent(build: Builder, f: _Formulas, z: Exp) -> Exp:
    return f(p.DIVZ, _sine(build, f, z), _cosine(build, f, z), symbol="○")


def _root(build: Builder, f: _Formulas, z: Exp) -> Exp:
    """The square root with a real part that is not negative; 0 of 0."""
    size = f(p.ABSZ, z)
    half, zero = f.double(0.5), f.double(0.0)
    x, y = f.real(z), f.imaginary(z)
    large = f(p.POWD, f(p.MULD, half, f(p.ADDD, size, f(p.ABSD, x))), half)
    is_zero = f(p.EQD, large, zero)
    twice = build.bind(conditional(is_zero, f.double(1.0), op(p.ADDD, large, large, span=f.span), f.span))
    small = f(p.DIVD, f(p.ABSD, y), twice)
    is_right = f(p.GTED, x, zero)
    real = build.bind(conditional(is_right, large, small, f.span))
    other = build.bind(conditional(is_right, small, large, f.span))
    return f.number(real, build.bind(conditional(f(p.LTD, y, zero), f(p.NEGD, other), other, f.span)))


def _square(f: _Formulas, z: Exp) -> Exp:
    return f(p.MULZ, z, z)


def _log(build: Builder, f: _Formulas, z: Exp) -> Exp:
    return build.bind(_logarithm(build, z, f.span))


def _inverse_sine(build: Builder, f: _Formulas, z: Exp) -> Exp:
    """-i × ln(iz + √(1-z²))"""
    root = _root(build, f, f(p.SUBZ, f.constant(1.0), _square(f, z)))
    return f.turned_back(_log(build, f, f(p.ADDZ, f.turned(z), root)))


def _inverse_cosine(build: Builder, f: _Formulas, z: Exp) -> Exp:
    return f(p.SUBZ, f.constant(math.pi / 2), _inverse_sine(build, f, z))


def _inverse_tangent(build: Builder, f: _Formulas, z: Exp) -> Exp:
    """(ln(1+iz) - ln(1-iz)) ÷ 2i"""
    turned, one = f.turned(z), f.constant(1.0)
    above = _log(build, f, f(p.ADDZ, one, turned))
    below = _log(build, f, f(p.SUBZ, one, turned))
    halved = f(p.MULZ, f.constant(0.5), f(p.SUBZ, above, below))
    return f.turned_back(halved)


def _of_turned(circle: Callable[[Builder, _Formulas, Exp], Exp]) -> Callable[[Builder, _Formulas, Exp], Exp]:
    """A hyperbolic function: -i f(iz)."""
    return lambda build, f, z: f.turned_back(circle(build, f, f.turned(z)))


def _hyperbolic_cosine(build: Builder, f: _Formulas, z: Exp) -> Exp:
    return _cosine(build, f, f.turned(z))


def _inverse_hyperbolic_cosine(build: Builder, f: _Formulas, z: Exp) -> Exp:
    """ln(z + √(z+1) × √(z-1))"""
    one = f.constant(1.0)
    roots = f(p.MULZ, _root(build, f, f(p.ADDZ, z, one)), _root(build, f, f(p.SUBZ, z, one)))
    return _log(build, f, f(p.ADDZ, z, roots))


def _root_of(sign: float, offset: float) -> Callable[[Builder, _Formulas, Exp], Exp]:
    """√(offset + sign × z²)"""

    def make(build: Builder, f: _Formulas, z: Exp) -> Exp:
        squared = f(p.MULZ, f.constant(sign), _square(f, z))
        return _root(build, f, f(p.ADDZ, f.constant(offset), squared))

    return make


def _root_by_factors(build: Builder, f: _Formulas, z: Exp) -> Exp:
    """`¯4○z`: (z+1) × √((z-1)÷(z+1)), and 0 for ¯1."""
    one = f.constant(1.0)
    return f(p.MULZ, _root(build, f, f(p.ADDZ, z, one)), _root(build, f, f(p.SUBZ, z, one)))


def _negated_root(build: Builder, f: _Formulas, z: Exp) -> Exp:
    return f(p.NEGZ, _root_of(-1.0, -1.0)(build, f, z))


CIRCULAR: dict[int, Callable[[Builder, _Formulas, Exp], Exp]] = {
    0: _root_of(-1.0, 1.0),
    1: _sine, 2: _cosine, 3: _tangent, 4: _root_of(1.0, 1.0),
    5: _of_turned(_sine), 6: _hyperbolic_cosine, 7: _of_turned(_tangent),
    8: _root_of(-1.0, -1.0),
    -1: _inverse_sine, -2: _inverse_cosine, -3: _inverse_tangent, -4: _root_by_factors,
    -5: _of_turned(_inverse_sine), -6: _inverse_hyperbolic_cosine, -7: _of_turned(_inverse_tangent),
    -8: _negated_root,
    -9: lambda build, f, z: z,
    -11: lambda build, f, z: f.turned(z),
    -12: lambda build, f, z: build.bind(_exponential(build, f.turned(z), f.span)),
}  # fmt: skip


def part_of_real(build: Builder, k: Exp) -> Callable[[Exp, Span], Exp] | None:
    """`k○x` of a real number for the k that only complex numbers are thought of with; None for others."""
    known = constant(k)
    if known not in (9, 10, 11, 12, -9, -10, -11, -12):
        return None

    def make(x: Exp, span: Span) -> Exp:
        if known in (9, -9, -10):
            return x
        if known == 10:
            return op(p.ABSD, x, symbol="○", span=span)
        z = build.bind(op(p.COMPLEX, x, literal(0.0, span), span=span))
        return circular(build, literal(int(known), span), z, span)

    return make


COMPOSED: dict[int, dict[str, Callable[..., Exp]]] = {
    1: {
        "⌊": _floor,
        "⌈": _ceiling,
        "÷": _reciprocal,
        "○": _pi_times,
        "×": _direction,
        "*": _exponential,
        "⍟": _logarithm,
    },
    2: {"|": _residue, "*": _power, "⍟": _logarithm_to, "○": circular},
}
"""The functions that are composed of others, by number of arguments."""
