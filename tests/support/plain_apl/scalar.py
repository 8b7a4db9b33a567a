"""The scalar functions, from their definitions, and how they extend to arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from tests.support.plain_apl.array import (
    DOMAIN,
    EQUAL_WITHIN,
    INT_MAX,
    INT_MIN,
    LENGTH,
    RANK,
    A,
    AplError,
    NotTier1,
    Shape,
    is_number,
    same,
    whole_near,
    whole_numbers,
    wrapped,
)

Monadic = Callable[[A], A]
Dyadic = Callable[[A, A], A]


ranks_may_differ = ContextVar("ranks_may_differ", default=True)
"""Whether there is an answer where one element in axes of its own meets an array with other axes."""


def extended_shape(x: A, y: A) -> Shape:
    """The shape of `x f y`: a single element extends; of two, the one of higher rank gives the shape."""
    if x.rank != y.rank and x.rank and y.rank and (x.is_single or y.is_single) and not ranks_may_differ.get():
        raise NotTier1("a rank that depends on data")
    if x.is_single and y.is_single:
        return max(x.shape, y.shape, key=len)
    if x.is_single or y.is_single:
        return y.shape if x.is_single else x.shape
    if x.rank != y.rank:
        raise AplError(RANK)
    if x.shape != y.shape:
        raise AplError(LENGTH)
    return x.shape


def extended(x: A, y: A) -> tuple[Shape, list[Any], list[Any]]:
    """The common shape, and the elements of both sides in it."""
    shape = extended_shape(x, y)
    count = math.prod(shape)
    sides = [list(a.data) * count if a.is_single else list(a.data) for a in (x, y)]
    return shape, sides[0], sides[1]


# --- one argument ---------------------------------------------------------------------------------------


def _conjugate(y: A) -> A:
    return _numbers(y)


def _numbers(y: A) -> A:
    if not is_number(y):
        if not y.data:
            raise NotTier1("whether no characters are numbers")
        raise AplError(DOMAIN)
    return y


def _arithmetic(on_int: Callable[[int], int], on_double: Callable[[float], float]) -> Monadic:
    """Integers give integers modulo 2*64, doubles doubles."""

    def function(y: A) -> A:
        if _numbers(y).kind == "double":
            return A("double", y.shape, tuple([float(on_double(x)) for x in y.data]))
        return A("int", y.shape, tuple([wrapped(on_int(int(x))) for x in y.data]))

    return function


def _to_double(element: Callable[[float], float]) -> Monadic:
    def function(y: A) -> A:
        return A("double", y.shape, tuple([element(float(x)) for x in _numbers(y).data]))

    return function


def _to_int(element: Callable[[float], int]) -> Monadic:
    """`⌊` and `⌈`: the identity on integers."""

    def whole(x: float) -> int:
        if not math.isfinite(x):
            raise AplError(DOMAIN)
        near = whole_near(x)
        result = element(x) if near is None else near
        if not INT_MIN <= result <= INT_MAX:
            raise AplError(DOMAIN)
        return result

    def function(y: A) -> A:
        return A("int", y.shape, tuple([whole(x) for x in y.data])) if _numbers(y).kind == "double" else y

    return function


def _signum(y: A) -> A:
    return A("int", y.shape, tuple([(x > 0) - (x < 0) for x in _numbers(y).data]))


def _not(y: A) -> A:
    return A("bool", y.shape, tuple([x == 0 for x in booleans(y)]))


def booleans(y: A) -> list[int]:
    """The elements as zeros and ones. DOMAIN ERROR where they are others."""
    found = whole_numbers(y)
    if any(x not in (0, 1) for x in found):
        raise AplError(DOMAIN)
    return found


def exponential(x: float) -> float:
    """e to the power x; infinite where there is no such double."""
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def logarithm(x: float) -> float:
    """The natural logarithm."""
    if x <= 0:
        raise AplError(DOMAIN)
    return math.log(x)


def factorial(x: float) -> float:
    """The gamma function of x+1."""
    if x < 0 and x.is_integer():
        raise AplError(DOMAIN)
    try:
        return float(math.factorial(int(x))) if x.is_integer() else math.gamma(x + 1)
    except OverflowError:
        return math.inf


MONADIC: dict[str, Monadic] = {
    "+": _conjugate,
    "-": _arithmetic(lambda x: -x, lambda x: -x),
    "×": _signum,
    "÷": _to_double(lambda x: quotient(1.0, x)),
    "*": _to_double(exponential),
    "⍟": _to_double(logarithm),
    "⌈": _to_int(math.ceil),
    "⌊": _to_int(math.floor),
    "|": _arithmetic(abs, abs),
    "!": _to_double(factorial),
    "○": _to_double(lambda x: math.pi * x),
    "~": _not,
}


# --- two arguments --------------------------------------------------------------------------------------


def quotient(x: float, y: float) -> float:
    """`0÷0` is 1, any other division by zero an error."""
    if y == 0:
        if x == 0:
            return 1.0
        raise AplError(DOMAIN)
    return x / y


def power(x: float, y: float) -> float:
    """x to the power y, where that is real."""
    if y == 0:
        return 1.0
    if x == 0 and y < 0:
        raise AplError(DOMAIN)
    if x < 0 and not y.is_integer():
        raise AplError(DOMAIN)
    try:
        return float(x**y)
    except OverflowError:
        return -math.inf if x < 0 and y % 2 == 1 else math.inf


def residue(x: Any, y: Any) -> Any:
    """What is left of y modulo x, with the sign of x; y if x is 0, and 0 if y÷x is whole under `⎕CT`."""
    left = y % x if x != 0 else y
    if isinstance(left, float) and EQUAL_WITHIN.get() and x != 0:
        allowed = EQUAL_WITHIN.get() * abs(y)
        return 0.0 if abs(left) <= allowed or abs(x - left) <= allowed else left
    return left


def maximum(x: Any, y: Any) -> Any:
    """The greater one; NaN if either is."""
    return x if x != x or (x > y and y == y) else y


def minimum(x: Any, y: Any) -> Any:
    """The lesser one; NaN if either is."""
    return x if x != x or (x < y and y == y) else y


def binomial(k: float, n: float) -> float:
    """`k!n`, with the limits at the poles that ISO 13751 gives."""
    poles = tuple([z < 0 and z.is_integer() for z in (k, n, n - k)])
    match poles:
        case (False, False, False):
            return _regular_binomial(k, n)
        case (False, True, False):
            raise AplError(DOMAIN)
        case (False, True, True):
            return _sign(k) * binomial(k, k - n - 1)
        case (True, True, False):
            return _sign(n - k) * binomial(abs(n + 1), abs(k + 1))
        case _:
            return 0.0


def _sign(power_of_minus_one: float) -> float:
    return -1.0 if power_of_minus_one % 2 == 1 else 1.0


def _regular_binomial(k: float, n: float) -> float:
    if k.is_integer() and n.is_integer():
        return float(math.comb(int(n), int(k)))
    return factorial(n) / (factorial(k) * factorial(n - k))


def _root(x: float) -> float:
    if x < 0:
        raise AplError(DOMAIN)
    return math.sqrt(x)


def _inside(low: float, high: float, function: Callable[[float], float]) -> Callable[[float], float]:
    """The function on a closed interval, DOMAIN ERROR outside of it."""

    def checked(x: float) -> float:
        if not low <= x <= high:
            raise AplError(DOMAIN)
        return function(x)

    return checked


def _inverse_of_cosh_sinh(x: float) -> float:
    return 0.0 if x == -1 else (x + 1) * _root((x - 1) / (x + 1))


def _inverse_tanh(x: float) -> float:
    if not -1 < x < 1:
        raise AplError(DOMAIN)
    return math.atanh(x)


def _or_infinite(function: Callable[[float], float]) -> Callable[[float], float]:
    def limited(x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return math.copysign(math.inf, x) if function is math.sinh else math.inf

    return limited


CIRCULAR: dict[int, Callable[[float], float]] = {
    0: lambda x: _root(1 - x * x),
    1: math.sin,
    2: math.cos,
    3: math.tan,
    4: lambda x: _root(1 + x * x),
    5: _or_infinite(math.sinh),
    6: _or_infinite(math.cosh),
    7: math.tanh,
    -1: _inside(-1, 1, math.asin),
    -2: _inside(-1, 1, math.acos),
    -3: math.atan,
    -4: _inverse_of_cosh_sinh,
    -5: math.asinh,
    -6: _inside(1, math.inf, math.acosh),
    -7: _inverse_tanh,
}


def circle(k: float, x: float) -> float:
    """The circular function number k of x."""
    if not (k.is_integer() and int(k) in CIRCULAR):
        raise AplError(DOMAIN)
    return CIRCULAR[int(k)](x)


def _lcm(x: int, y: int) -> int:
    return 0 if x == 0 or y == 0 else x * y // math.gcd(x, y)


def _of_fractions(
    whole: Callable[[int, int], int], element: Callable[[float, float], float]
) -> Callable[[Any, Any], Any]:
    """A function of integers, and one of doubles."""
    on_whole = _on_whole(whole)
    return lambda x, y: element(x, y) if isinstance(x, float) else on_whole(x, y)


def _gcd(x: float, y: float) -> float:
    """Euclid's algorithm, with nothing for what is within `⎕CT` of the larger number."""
    if not (math.isfinite(x) and math.isfinite(y)):
        return math.nan
    a, b = max(abs(x), abs(y)), min(abs(x), abs(y))
    least = 0.0 if x.is_integer() and y.is_integer() else EQUAL_WITHIN.get() * a
    while b > least:
        rest = math.fmod(a, b)
        a, b = b, 0.0 if b - rest <= least else rest
    return a


def _multiple(x: float, y: float) -> float:
    divisor = _gcd(x, y)
    return 0.0 if divisor == 0 else x / divisor * y


def _pervasive(kind: Callable[[A, A], str], element: Callable[[Any, Any], Any]) -> Dyadic:
    """A scalar function on arrays: `kind` is that of the result, or a DOMAIN ERROR."""

    def function(x: A, y: A) -> A:
        found: set[str] = set()
        result = ""
        try:
            result = kind(x, y)
        except AplError as error:
            if not (x.data and y.data):
                raise NotTier1("whether elements without a partner matter") from None
            found |= error.kinds
        try:
            shape, left, right = extended(x, y)
        except AplError as error:
            found |= error.kinds
        if found:
            raise AplError(*sorted(found))
        if "double" in (x.kind, y.kind, result) and "char" not in (x.kind, y.kind):
            left, right = list(map(float, left)), list(map(float, right))
        values = [element(a, b) for a, b in zip(left, right, strict=True)]
        if result == "int":
            values = list(map(wrapped, values))
        return A(result, shape, tuple(values))

    return function


def _numeric_kind(x: A, y: A) -> str:
    _numbers(x), _numbers(y)
    return "double" if "double" in (x.kind, y.kind) else "int"


def _double_kind(x: A, y: A) -> str:
    _numbers(x), _numbers(y)
    return "double"


def _truth_kind(x: A, y: A) -> str:
    _numbers(x), _numbers(y)
    return "bool"


def _divisor_kind(x: A, y: A) -> str:
    return "bool" if x.kind == y.kind == "bool" else _numeric_kind(x, y)


def _boolean_kind(x: A, y: A) -> str:
    booleans(x), booleans(y)
    return "bool"


def _on_whole(function: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    """A function of integers on elements of any numeric type, which the result keeps."""
    return lambda x, y: type(x + y if type(x) is not bool or type(y) is not bool else x)(
        function(int(x), int(y))
    )


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda x, y: x < y and not same(x, y),
    "≤": lambda x, y: x <= y or same(x, y),
    "≥": lambda x, y: x >= y or same(x, y),
    ">": lambda x, y: x > y and not same(x, y),
}

DYADIC: dict[str, Dyadic] = {
    "+": _pervasive(_numeric_kind, lambda x, y: x + y),
    "-": _pervasive(_numeric_kind, lambda x, y: x - y),
    "×": _pervasive(_numeric_kind, lambda x, y: x * y),
    "⌈": _pervasive(_numeric_kind, lambda x, y: maximum(*_unboolean(x, y))),
    "⌊": _pervasive(_numeric_kind, lambda x, y: minimum(*_unboolean(x, y))),
    "|": _pervasive(_numeric_kind, lambda x, y: residue(*_unboolean(x, y))),
    "÷": _pervasive(_double_kind, quotient),
    "*": _pervasive(_double_kind, power),
    "⍟": _pervasive(_double_kind, lambda x, y: quotient(logarithm(y), logarithm(x))),
    "!": _pervasive(_double_kind, binomial),
    "○": _pervasive(_double_kind, circle),
    "=": _pervasive(lambda x, y: "bool", same),
    "≠": _pervasive(lambda x, y: "bool", lambda x, y: not same(x, y)),
    "∧": _pervasive(_divisor_kind, _of_fractions(_lcm, _multiple)),
    "∨": _pervasive(_divisor_kind, _of_fractions(math.gcd, _gcd)),
    "⍲": _pervasive(_boolean_kind, lambda x, y: not (x and y)),
    "⍱": _pervasive(_boolean_kind, lambda x, y: not (x or y)),
    **{symbol: _pervasive(_truth_kind, compare) for symbol, compare in _COMPARISONS.items()},
}


def _unboolean(x: Any, y: Any) -> tuple[Any, Any]:
    """Booleans as the integers that they count as."""
    return (x, y) if isinstance(x, float) else (int(x), int(y))


SCALAR_FUNCTIONS = "+-×÷*⍟⌈⌊|!○<≤=≥>≠∧∨⍲⍱"
