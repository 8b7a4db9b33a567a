"""The functions of reals, where they are hard, and what they are: arguments and exact values, by mpmath.

    FUNCTIONS              a row for each, with its APL text
    points(function, n)    arguments by kind: n of each, the same in each run

A kind of argument is a word for the table of `ulp`: near zero, usual, large, near a pole or a zero of the
function, and random bits, which are of any size.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

import mpmath
from mpmath import mp, mpf

mp.prec = 160
TINY, LEAST, LARGEST = 5e-324, 2.0**-1022, 1.7976931348623157e308

Exact = Callable[..., Any]
Draw = Callable[[Random], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Function:
    """A function: its APL, with x and y for its arguments; its value; arguments by kind."""

    name: str
    apl: str
    exact: Exact
    kinds: dict[str, Draw]
    edges: tuple[tuple[float, ...], ...] = ()

    @property
    def valence(self) -> int:
        return 2 if "y" in self.apl else 1


def points(function: Function, count: int) -> dict[str, list[tuple[float, ...]]]:
    """Arguments by kind, those at edges first."""
    random = Random(zlib.crc32(function.name.encode()))
    found = {"edges": list(function.edges)} if function.edges else {}
    for kind, draw in function.kinds.items():
        found[kind] = [draw(random) for _ in range(count)]
    return found


# --- arguments ---


def both(random: Random, x: float) -> float:
    return x if random.random() < 0.5 else -x


def sized(low: int, high: int) -> Draw:
    """Evenly between two exponents of two, with either sign."""
    return lambda random: (both(random, math.ldexp(1 + random.random(), random.randint(low, high - 1))),)


def positive(low: int, high: int) -> Draw:
    return lambda random: (math.ldexp(1 + random.random(), random.randint(low, high - 1)),)


def between(low: float, high: float) -> Draw:
    return lambda random: (random.uniform(low, high),)


def denormal(random: Random) -> tuple[float, ...]:
    return (both(random, random.getrandbits(random.randint(1, 52)) * TINY),)


def bits(accepts: Callable[..., bool], valence: int = 1) -> Draw:
    """Any bits that a function is defined for."""

    def draw(random: Random) -> tuple[float, ...]:
        while True:
            found = struct.unpack(f"{valence}d", random.randbytes(8 * valence))
            if all(math.isfinite(x) for x in found) and accepts(*found):
                return found

    return draw


def near(*places: float, least: int = -50) -> Draw:
    """A little off one of these places, none of which is zero."""

    def draw(random: Random) -> tuple[float, ...]:
        place = random.choice(places)
        return (place + both(random, place * math.ldexp(1 + random.random(), random.randint(least, -3))),)

    return draw


def inside(draw: Draw, accepts: Callable[..., bool]) -> Draw:
    def drawn(random: Random) -> tuple[float, ...]:
        while not accepts(*(found := draw(random))):
            pass
        return found

    return drawn


def multiples(random: Random) -> tuple[float, ...]:
    """The doubles around multiples of a quarter turn, among them those that are nearest to one."""
    many = random.getrandbits(random.randint(8, 60)), 2 ** random.randint(0, 1000)
    x = float(random.choice((random.randint(1, 100), *many)) * mp.pi / 2)
    return (both(random, random.choice((x, math.nextafter(x, 0.0), math.nextafter(x, math.inf)))),)


HARD = 6381956970095103.0 * 2.0**797
"""The double that is nearest to a multiple of a quarter turn, of all."""

TRIG = {"near zero": sized(-1074, -10), "denormal": denormal, "usual": between(-10.0, 10.0),
        "large": sized(10, 1023), "near quarter turns": multiples,
        "random bits": bits(lambda x: True)}  # fmt: skip
WHOLE_LINE = {"near zero": sized(-1074, -10), "denormal": denormal, "usual": between(-10.0, 10.0),
              "large": sized(4, 1023), "random bits": bits(lambda x: True)}  # fmt: skip


def up_to_one(x: float) -> bool:
    return abs(x) <= 1.0


UNIT = {"near zero": sized(-1074, -10), "denormal": denormal, "usual": between(-1.0, 1.0),
        "near 1": inside(near(1.0, -1.0), up_to_one), "random bits": bits(up_to_one)}  # fmt: skip


# --- values that mpmath has otherwise ---


def _power(x: float, y: float) -> Any:
    if x == 0.0:
        return mpf(0) if y else mpf(1)
    magnitude = mpmath.exp(mpf(y) * mpmath.log(abs(mpf(x))))
    return -magnitude if x < 0 and y % 2 else magnitude


def _row(x: float) -> list[Any]:
    return [_power(x, n) for n in range(1, 41)]


def _logarithm(x: float, y: float) -> Any:
    return mpmath.log(mpf(y)) / mpmath.log(mpf(x))


def _gamma(x: float) -> Any:
    return mpmath.gamma(mpf(x) + 1)


def _binomial(x: float, y: float) -> Any:
    return mpmath.binomial(mpf(y), mpf(x))


def _mp(function: Callable[[Any], Any], prec: int = 0) -> Exact:
    def exact(x: float) -> Any:
        with mpmath.workprec(prec or mp.prec):
            return function(mpf(x))

    return exact


def _power_by(exponent: float) -> Exact:
    return lambda x: _power(x, exponent)


POSITIVE = {"denormal": lambda r: (abs(denormal(r)[0]) or TINY,), "near zero": positive(-1022, -10),
            "usual": between(0.1, 10.0), "near 1": near(1.0), "large": positive(4, 1023),
            "random bits": bits(lambda x: x > 0)}  # fmt: skip


def _fits(x: float, y: float) -> bool:
    """Whether a power is no larger than doubles, nor much smaller."""
    if x == 0.0 or (x < 0 and y != math.floor(y)):
        return False
    return abs(math.log(abs(x)) * y) < 720


def _powers(random: Random) -> tuple[float, ...]:
    """A base of any size, and an exponent that brings it anywhere among the doubles."""
    x = math.ldexp(1 + random.random(), random.randint(-1074, 1022))
    return x, random.uniform(-744, 709) / (math.log(x) or 1.0)


def _near_one(random: Random) -> tuple[float, ...]:
    x = near(1.0)(random)[0]
    return x, random.uniform(-744, 709) / (math.log(x) or 1.0)


def _whole(random: Random) -> tuple[float, ...]:
    return both(random, random.uniform(0.1, 10)), float(random.randint(-300, 300))


def _pair(first: Draw, second: Draw) -> Draw:
    return lambda random: (*first(random), *second(random))


def _has_gamma(x: float) -> bool:
    return not (x < 0 and x == math.floor(x)) and -170.0 < x < 171.0


GAMMA = {"near zero": sized(-1074, -10), "usual": inside(between(-10.0, 10.0), _has_gamma),
         "large": between(10.0, 170.6), "negative": inside(between(-170.0, -10.0), _has_gamma),
         "near a pole": inside(near(*range(-20, 0)), _has_gamma)}  # fmt: skip
BINOMIAL = {"usual": _pair(between(0.0, 10.0), between(10.0, 20.0)),
            "large": inside(_pair(between(0.0, 500.0), between(100.0, 1000.0)), lambda x, y: x < y),
            "x whole": lambda r: (float(r.randint(0, 40)), r.uniform(-50.0, 1000.0)),
            "negative": _pair(between(-10.0, 10.0), between(-10.0, -0.01))}  # fmt: skip

HYPERBOLIC = {"large": between(-709.7, 709.7)}
LAST = "the last"
"""A kind of argument: the one before results are infinite."""

CIRCLES: dict[int, tuple[Exact, dict[str, Draw], tuple[tuple[float, ...], ...]]] = {
    0: (_mp(lambda x: mpmath.sqrt(1 - x * x), 2400), UNIT, ((1.0,), (0.0,))),
    1: (_mp(mpmath.sin, 1400), TRIG, ((HARD,), (LARGEST,), (TINY,))),
    2: (_mp(mpmath.cos, 1400), TRIG, ((HARD,), (LARGEST,), (TINY,))),
    3: (_mp(mpmath.tan, 1400), TRIG, ((HARD,), (LARGEST,), (TINY,))),
    4: (_mp(lambda x: mpmath.sqrt(1 + x * x), 2400), WHOLE_LINE, ((LARGEST,), (1e160,))),
    5: (_mp(mpmath.sinh), {**WHOLE_LINE, **HYPERBOLIC}, ((TINY,),)),
    6: (_mp(mpmath.cosh), {**WHOLE_LINE, **HYPERBOLIC}, ((TINY,),)),
    7: (_mp(mpmath.tanh), {**WHOLE_LINE, "large": between(-25.0, 25.0)}, ((LARGEST,), (TINY,))),
    -1: (_mp(mpmath.asin, 2400), UNIT, ((1.0,), (TINY,))),
    -2: (_mp(mpmath.acos, 2400), UNIT, ((1.0,), (-1.0,), (TINY,))),
    -3: (_mp(mpmath.atan), WHOLE_LINE, ((LARGEST,), (TINY,))),
    -4: (_mp(lambda x: mpmath.sign(x) * mpmath.sqrt(x * x - 1), 2400),
         {"near 1": inside(near(1.0, -1.0), lambda x: abs(x) >= 1), "usual": between(1.0, 10.0),
          "large": sized(4, 1023), "random bits": bits(lambda x: abs(x) >= 1)}, ((1.0,), (LARGEST,))),
    -5: (_mp(mpmath.asinh, 2400), WHOLE_LINE, ((LARGEST,), (TINY,))),
    -6: (_mp(mpmath.acosh, 2400),
         {"near 1": inside(near(1.0), lambda x: x >= 1), "usual": between(1.0, 10.0),
          "large": positive(4, 1023), "random bits": bits(lambda x: x >= 1)}, ((1.0,), (LARGEST,))),
    -7: (_mp(mpmath.atanh, 2400),
         {kind: inside(draw, lambda x: abs(x) < 1) for kind, draw in UNIT.items()}, ((TINY,),)),
}  # fmt: skip
"""The functions of ○: value, arguments, and arguments at edges."""


def _functions() -> Iterable[Function]:
    limits = {"large": between(-745.2, 709.9), "denormal result": between(-745.2, -708.3)}
    limits[LAST] = lambda _: (709.782712893384,)
    yield Function("*x", "*x", _mp(mpmath.exp), {**WHOLE_LINE, **limits},
                   ((709.7827128933841,), (-745.1332191019411,), (-745.2,)))  # fmt: skip
    yield Function("⍟x", "⍟x", _mp(mpmath.log), POSITIVE, ((1.0,), (TINY,), (LARGEST,), (LEAST,)))
    yield Function("x⍟y", "x⍟y", _logarithm, {
        "usual": _pair(between(1.1, 10.0), between(0.1, 10.0)),
        "base near 1": _pair(near(1.0, least=-40), between(2.0, 9.0)),
        "near 1": _pair(between(2.0, 9.0), near(1.0)),
        "random bits": bits(lambda x, y: x > 0 and x != 1 and y > 0, 2)})  # fmt: skip
    yield Function("x*y", "x*y", _power, {
        "usual": _pair(between(0.1, 10.0), between(-10.0, 10.0)), "any size": inside(_powers, _fits),
        "base near 1": inside(_near_one, _fits), "y whole": inside(_whole, _fits),
        "random bits": bits(_fits, 2)},
        ((1.0, LARGEST), (0.0, 1.0), (LARGEST, 1.0), (2.0, -1074.0)))  # fmt: skip
    for exponent in (0.5, 2.0, 3.0, 1.5, -0.5, -2.0, 7.0, 31.0):
        text = f"{exponent:g}".replace("-", "¯")
        fits = inside(bits(lambda x: x > 0), lambda x, e=exponent: _fits(x, e))
        yield Function(f"x*{text}", f"x*{text}", _power_by(exponent), {
            "usual": between(0.1, 10.0), "near 1": near(1.0), "random bits": fits})  # fmt: skip
    for k, (exact, kinds, edges) in sorted(CIRCLES.items()):
        text = f"{k}○x".replace("-", "¯")
        if k in (5, 6):
            kinds = {**kinds, "beyond e*x": between(709.8, 710.47), LAST: lambda _: (710.4758600739439,)}
        yield Function(text, text, exact, kinds, edges)
    yield Function("○x", "○x", _mp(lambda x: mpmath.pi * x), WHOLE_LINE, ((TINY,),))
    yield Function("x*⍳40", ",x∘.*⍳40", _row, {"usual": between(-10.0, 10.0), "near 1": near(1.0)})
    yield Function("!x", "!x", _gamma, GAMMA, ((170.0,), (170.62,), (127.75856330557558,), (63.7,)))
    yield Function("x!y", "x!y", _binomial, BINOMIAL)


FUNCTIONS = {function.name: function for function in _functions()}
