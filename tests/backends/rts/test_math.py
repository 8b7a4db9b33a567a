"""The run-time system's arithmetic against the interpreter's meaning: functions of reals, factorials and
binomial coefficients, integers of 32 bits, wraps, and the stream of random numbers.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aplc
from aplc.backends.native.toolchain import Compiler
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning import numeric as num
from aplc.tail.meaning.core import Value
from aplc.tail.meaning.overflow import CHECKED
from aplc.tail.meaning.random_numbers import RandomStream
from aplc.tail.prims import EXPD, INT_MAX, INT_MIN, LND, PRIMS, Prim
from tests.support.generated_c.loading import build, has_libmvec

INT, REAL, REALS = ctypes.c_int64, ctypes.c_double, ctypes.POINTER(ctypes.c_double)

CIRCLES = ("aplc_circle_0", "sin", "cos", "tan", "aplc_circle_4", "sinh", "cosh", "tanh",
           "atanh", "acosh", "asinh", "aplc_circle_minus_4", "atan", "acos", "asin")  # fmt: skip
"""The function of `k○x` at place k, from either end."""

LANES = """
void lanes_{name}(const double *restrict x, double *restrict result, int64_t n) {{
    for (int64_t i = 0; i < n; i++)
        result[i] = {name}(x[i]);
}}
"""

LOOPS = """
void both(const double *restrict x, double *restrict result, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        result[i] = sin(x[i]) + cos(x[i]);
}
int64_t checked(const double *restrict x, double *restrict result, int64_t n) {
    int64_t bad = 0;
    #pragma omp simd reduction(|:bad)
    for (int64_t i = 0; i < n; i++) {
        bad |= (int64_t)(x[i] <= 0.0);
        result[i] = x[i] > 5.0 ? log(x[i]) : exp(x[i]);
    }
    return bad;
}
double sum(const double *restrict x, int64_t n) {
    double result = 0.0;
    #pragma omp simd reduction(+:result)
    for (int64_t i = 0; i < n; i++)
        result += pow(x[i], 1.7);
    return result;
}
"""

SOURCE = """
#include "aplc_exp.h"
#include "aplc.h"
void powers(const double *restrict x, const double *restrict y, double *restrict result, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        result[i] = pow(x[i], y[i]);
}
double factorial(double x) { return aplc_factorial(x); }
double binomial(double x, double y) { return aplc_binomial(x, y); }
double circle(int64_t k, double x) { return aplc_circle(k, x); }
bool circle_is_real(int64_t k, double x) { return aplc_circle_is_real(k, x); }
int64_t andi32(int64_t x, int64_t y) { return aplc_and32(x, y); }
int64_t ori32(int64_t x, int64_t y) { return aplc_or32(x, y); }
int64_t xori32(int64_t x, int64_t y) { return aplc_xor32(x, y); }
int64_t noti32(int64_t x) { return aplc_not32(x); }
int64_t shli32(int64_t x, int64_t y) { return aplc_shift_left32(x, y); }
int64_t shri32(int64_t x, int64_t y) { return aplc_shift_right32(x, y); }
int64_t field(int64_t x, int64_t position, int64_t mask) { return aplc_bit_field(x, position, mask); }
double lesser(double x, double y) { return aplc_lesser(x, y); }
int64_t bits(int64_t x) { return aplc_bit_count(x); }
bool addi(int64_t x, int64_t y) { return aplc_add_wraps(x, y); }
bool subi(int64_t x, int64_t y) { return aplc_sub_wraps(x, y); }
bool muli(int64_t x, int64_t y) { return aplc_mul_wraps(x, y); }
bool lcmi(int64_t x, int64_t y) { return aplc_lcm_wraps(x, y); }
void words(int64_t seed, int64_t n, uint64_t *out) {
    aplc_stream stream;
    aplc_stream_seed(&stream, seed);
    for (int64_t i = 0; i < n; i++)
        out[i] = aplc_word(stream.key, i);
}
int64_t roll(uint64_t word, int64_t n) { return aplc_roll(word, n); }
double uniform(uint64_t word) { return aplc_uniform(word); }
int deals(int64_t seed, int64_t times, int64_t count, int64_t limit, int64_t *out) {
    aplc_stream stream;
    aplc_stream_seed(&stream, seed);
    for (int64_t k = 0; k < times; k++)
        if (aplc_deal(&stream, count, limit, out + k * count))
            return 1;
    return 0;
}
"""
VECTORISED = ("exp", "log", *CIRCLES)


@pytest.fixture(scope="module")
def library(compiler: Compiler, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    text = SOURCE + "".join([LANES.format(name=name) for name in VECTORISED])
    return ctypes.CDLL(str(build(compiler, tmp_path_factory.mktemp("math"), text)))


def function(library: ctypes.CDLL, name: str, *types: type) -> Callable[..., float]:
    """A function of the library; the last type is that of the result."""
    found = library[name]
    *found.argtypes, found.restype = types
    return found


def near(x: float, y: float, tolerance: float = 1e-11) -> bool:
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or math.isinf(y):
        return x == y or (math.isnan(x) and math.isnan(y))
    return math.isclose(x, y, rel_tol=tolerance, abs_tol=1e-300)


def reference(meaning: Callable[..., Value], *args: float) -> float | None:
    """The meaning of scalars; None where it is an error."""
    with np.errstate(all="ignore"):
        try:
            return meaning(*map(np.asarray, args)).item()  # type: ignore[no-any-return]
        except FaultRaised:
            return None


SPECIAL = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 3.0, 20.25, -20.25, 170.0, 170.5, 171.0, 171.5, 1e10,
           -1e10, 700.0, 710.0, -746.0, 1e300, -1e300, 5e-324, 2.0**53, -(2.0**53), math.inf, -math.inf,
           math.nan)  # fmt: skip
WHOLE = st.integers(-(2**62), 2**62) | st.integers(-40, 1100)
NUMBERS = st.sampled_from(SPECIAL) | st.floats(-200, 400) | WHOLE.map(float)
EDGES = st.sampled_from((0, 1, -1, INT_MIN, INT_MAX, 2**31, -(2**31), 2**32))
INTEGERS = EDGES | st.integers(INT_MIN, INT_MAX)


# --- functions of reals -----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", range(-7, 8))
def test_circular_functions(library: ctypes.CDLL, k: int) -> None:
    circle = function(library, "circle", INT, REAL, REAL)
    is_real = function(library, "circle_is_real", INT, REAL, ctypes.c_bool)
    for x in (*SPECIAL, *np.linspace(-4, 4, 81).tolist()):
        wanted = reference(num.circle, k, x)
        assert is_real(k, x) == (wanted is not None), x
        if wanted is not None:
            assert near(circle(k, x), wanted), x


@pytest.mark.parametrize("name", VECTORISED)
def test_lanes_agree_with_the_meaning(library: ctypes.CDLL, name: str) -> None:
    """Loops may use libmvec: a few units in the last place, and the same exceptional results."""
    loop = function(library, f"lanes_{name}", REALS, REALS, INT, INT)
    rng = np.random.default_rng(7)
    some, small = rng.uniform(-5, 5, 400), rng.uniform(-1, 1, 400)
    x = np.concatenate([SPECIAL, some, small, np.geomspace(1e-5, 1e5, 101)])
    result = np.empty_like(x)
    loop(x.ctypes.data_as(REALS), result.ctypes.data_as(REALS), x.size)
    place = CIRCLES.index(name) if name in CIRCLES else 0
    k = place if place < 8 else place - len(CIRCLES)
    meaning = {"exp": EXPD.meaning, "log": LND.meaning}.get(name, lambda v: num.circle(np.asarray(k), v))
    checked = 0
    for given_x, found in zip(x.tolist(), result.tolist(), strict=True):
        wanted = reference(meaning, given_x)
        if wanted is not None:
            assert near(found, wanted), given_x
            checked += 1
    assert checked > 100


@pytest.mark.parametrize("name", ["exp", "log"])
def test_lanes_are_as_precise_as_libm(library: ctypes.CDLL, name: str) -> None:
    """To a few units in the last place, over all that a double can be."""
    loop = function(library, f"lanes_{name}", REALS, REALS, INT, INT)
    rng = np.random.default_rng(11)
    near_one = 1.0 + rng.uniform(-0.1, 0.1, 4000)
    exponents = np.concatenate([rng.uniform(-708, 709, 4000), rng.uniform(-1, 1, 4000), near_one, [709.78]])
    far = rng.uniform(-760, -700, 4000)  # subnormal numbers and zeros
    x = np.concatenate([np.exp(exponents), near_one] if name == "log" else [exponents, far])
    result = np.empty_like(x)
    loop(x.ctypes.data_as(REALS), result.ctypes.data_as(REALS), x.size)
    wanted = np.array([getattr(math, name)(v) for v in x.tolist()])
    assert np.all(np.abs(result - wanted) <= 4 * np.spacing(np.abs(wanted)))


def powers(library: ctypes.CDLL, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Powers in lanes, element by element."""
    loop = function(library, "powers", REALS, REALS, REALS, INT, INT)
    result = np.empty_like(x)
    loop(*[each.ctypes.data_as(REALS) for each in (x, y, result)], x.size)
    return result


def power(x: float, y: float) -> float:
    """C's pow, of which Python makes exceptions where the result is no finite number."""
    with np.errstate(all="ignore"):
        return float(np.float64(x) ** np.float64(y))


def test_powers_in_lanes_are_as_precise_as_libm(library: ctypes.CDLL) -> None:
    rng = np.random.default_rng(13)
    logarithms, wide = rng.uniform(-20, 20, 4000), rng.uniform(-700, 700, 4000)
    near_one = rng.uniform(-0.1, 0.1, 4000)
    x = np.exp(np.concatenate([logarithms, wide, near_one]))
    y = np.concatenate([rng.uniform(-35, 35, 4000), rng.uniform(-1, 1, 4000), rng.uniform(-7000, 7000, 4000)])
    wanted = np.array([power(*pair) for pair in zip(x.tolist(), y.tolist(), strict=True)])
    assert np.all(np.abs(powers(library, x, y) - wanted) <= 3 * np.spacing(np.abs(wanted)))


def test_powers_that_are_whole_numbers_are_exact(library: ctypes.CDLL) -> None:
    x, y = [each.ravel().astype(float) for each in np.meshgrid(np.arange(-60, 61), np.arange(9))]
    wanted = [float(int(a) ** int(b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    assert powers(library, x, y).tolist() == wanted


def test_exceptional_powers_in_lanes(library: ctypes.CDLL) -> None:
    """Zeros with their signs, infinities, numbers that are subnormal or none, odd and even exponents."""
    some = (*SPECIAL, 1e-310, 2.0**52 + 1, 2.0**51 - 1, 1025.0, -1074.0)
    x, y = [each.ravel() for each in np.meshgrid(some, some)]
    found = powers(library, x, y).tolist()
    for a, b, result in zip(x.tolist(), y.tolist(), found, strict=True):
        wanted = power(a, b)
        assert near(result, wanted, 1e-15), (a, b)
        assert math.isnan(wanted) or math.copysign(1.0, result) == math.copysign(1.0, wanted), (a, b)


@pytest.mark.optimised
def test_loops_call_functions_of_several_numbers(compiler: Compiler, tmp_path: Path) -> None:
    """With gcc and glibc on x86-64 maps and sums run in lanes, checks and conditions too; strictly, not."""
    text = '#include "aplc.h"\n' + LOOPS
    vector, strict = tmp_path / "vector", tmp_path / "strict"
    for directory, head in ((vector, ""), (strict, "#define APLC_STRICT_FP\n")):
        directory.mkdir()
        build(compiler, directory, head + text)
    symbols = [(d / "text.so").read_bytes() for d in (vector, strict)]
    assert not re.findall(rb"_ZGV\w+", symbols[1])
    if not has_libmvec(compiler):
        pytest.skip("NOT CHECKED: libmvec is there with gcc and glibc on x86-64")
    found = {name.decode() for name in re.findall(rb"_ZGV\w+?_(\w+)", symbols[0])}
    assert {"exp", "log", "sin", "cos", "pow"} <= found


def test_strict_functions_are_those_of_the_interpreter(compiler: Compiler, tmp_path: Path) -> None:
    """Bit for bit, in a loop and for a constant."""
    names = [
        "exp",
        "log",
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
        "asin",
        "acos",
        "atan",
        "asinh",
        "acosh",
        "atanh",
    ]
    text = "#define APLC_STRICT_FP\n" + '#include "aplc.h"\n'
    text += "".join(
        [LANES.format(name=n) + f"double constant_{n}(void) {{ return {n}(0.7); }}\n" for n in names]
    )
    library = ctypes.CDLL(str(build(compiler, tmp_path, text)))
    x = np.random.default_rng(3).uniform(0, 1, 2000)
    result = np.empty_like(x)
    for name in names:
        shift = 1.0 if name == "acosh" else 0.0
        y = x + shift
        function(library, f"lanes_{name}", REALS, REALS, INT, INT)(
            y.ctypes.data_as(REALS), result.ctypes.data_as(REALS), x.size
        )
        assert result.tolist() == [getattr(math, name)(v) for v in y.tolist()], name
        if not shift:
            assert function(library, f"constant_{name}", REAL)() == getattr(math, name)(0.7), name


# --- factorials and binomial coefficients -----------------------------------------------------------------


def test_factorials_of_whole_numbers_are_exact(library: ctypes.CDLL) -> None:
    factorial = function(library, "factorial", REAL, REAL)
    assert [factorial(n) for n in range(171)] == num.FACTORIALS
    assert factorial(171) == math.inf


@settings(max_examples=300, deadline=None)
@given(NUMBERS)
def test_factorials(library: ctypes.CDLL, x: float) -> None:
    wanted = reference(num.factorial, x)
    assert wanted is None or near(function(library, "factorial", REAL, REAL)(x), wanted)


@settings(max_examples=600, deadline=None)
@given(WHOLE | st.integers(0, 60), WHOLE | st.integers(0, 3000), st.booleans())
def test_binomial_coefficients_of_whole_numbers(
    library: ctypes.CDLL, x: int, y: int, from_the_end: bool
) -> None:
    """Those below 2^64 are exact, also where the other part is the small one."""
    chosen, of = float(x), float(y)
    if from_the_end:
        chosen = of - chosen
    wanted = reference(num.binomial, chosen, of)
    found = function(library, "binomial", REAL, REAL, REAL)(chosen, of)
    assert wanted is not None
    assert found == wanted if abs(wanted) < 2.0**64 else near(found, wanted, 1e-12)


def test_binomial_coefficients_are_exact_where_operations_are_done_as_they_stand() -> None:
    exact, meaning = aplc.fn("{⍺∘.!⍵}", strict_fp=True), aplc.fn("{⍺∘.!⍵}", target="interp")
    chosen, of = np.arange(0, 1100, 53), np.array([-40, 66, 67, 68, 100, 1029, 1030, 5000, 2**53, 10**18])
    np.testing.assert_array_equal(exact(chosen, of), meaning(chosen, of))


@pytest.mark.parametrize("n", [1029, 1030, 2046, 2047, 4096])
def test_large_binomial_coefficients(library: ctypes.CDLL, n: int) -> None:
    """Around the largest double, and beyond."""
    binomial = function(library, "binomial", REAL, REAL, REAL)
    for k in range(0, n + 1, 1 if n < 1500 else 7):
        wanted = reference(num.binomial, float(k), float(n))
        assert wanted is not None and near(binomial(k, n), wanted, 1e-12), k


def test_binomial_coefficients_of_huge_numbers(library: ctypes.CDLL) -> None:
    binomial = function(library, "binomial", REAL, REAL, REAL)
    for y in (2.0**53, 2.0**60, 1e18, 1e22, 1e100, 1e150, 1e300, 1.7e308):
        for x in (0.0, 1.0, 2.0, 3.0, 5.0, 17.0, 1000.0, y, y / 2):
            for a, b in ((x, y), (x, -y), (-y, -x), (-x, -y), (-x, y)):
                wanted = reference(num.binomial, a, b)
                assert wanted is not None and near(binomial(a, b), wanted, 1e-12), (a, b)


@settings(max_examples=600, deadline=None)
@given(NUMBERS, NUMBERS)
def test_binomial_coefficients(library: ctypes.CDLL, x: float, y: float) -> None:
    wanted = reference(num.binomial, x, y)
    found = function(library, "binomial", REAL, REAL, REAL)(x, y)
    cancelled = 1e-13 * max(abs(x), abs(y))  # in differences of logarithms of Γ
    assert wanted is None or near(found, wanted, min(1.0, 1e-10 + cancelled))


# --- integers ---------------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(INTEGERS | st.integers(-3, 70), INTEGERS | st.integers(0, 70))
def test_integers_of_32_bits(library: ctypes.CDLL, x: int, y: int) -> None:
    for name in ("andi32", "ori32", "xori32", "shli32", "shri32"):
        wanted = reference(PRIMS[name].meaning, x, y)
        assert wanted is None or function(library, name, INT, INT, INT)(x, y) == wanted, name
    assert function(library, "noti32", INT, INT)(x) == reference(PRIMS["noti32"].meaning, x)


@settings(max_examples=300, deadline=None)
@given(EDGES | st.integers(INT_MIN, INT_MAX), st.integers(0, 63), st.integers(0, INT_MAX))
def test_bits_in_twos_complement(library: ctypes.CDLL, x: int, position: int, mask: int) -> None:
    assert function(library, "field", INT, INT, INT, INT)(x, position, mask) == (x >> position) & mask & (
        (1 << 64 - position) - 1
    )
    assert function(library, "bits", INT, INT)(x) == (x & (2**64 - 1)).bit_count()


def test_the_smaller_number(library: ctypes.CDLL) -> None:
    lesser = function(library, "lesser", REAL, REAL, REAL)
    for x in SPECIAL:
        for y in SPECIAL:
            wanted = min([v for v in (x, y) if not math.isnan(v)], default=math.nan)
            assert near(lesser(x, y), wanted, 0), (x, y)


EXACT: dict[str, Callable[[int, int], int]] = {
    "addi": lambda x, y: x + y,
    "subi": lambda x, y: x - y,
    "muli": lambda x, y: x * y,
    "lcmi": lambda x, y: x // math.gcd(x, y) * y if x or y else 0,
}


@settings(max_examples=500, deadline=None)
@given(INTEGERS | st.integers(-(2**33), 2**33), INTEGERS | st.integers(-(2**33), 2**33))
def test_what_wraps(library: ctypes.CDLL, x: int, y: int) -> None:
    """In C, and in the checked meaning."""
    for name, exact in EXACT.items():
        if name == "lcmi" and {x, y} <= {0, INT_MIN}:  # their greatest common divisor does not fit either
            continue
        wraps = not INT_MIN <= exact(x, y) <= INT_MAX
        assert function(library, name, INT, INT, ctypes.c_bool)(x, y) == wraps, name
        checked = reference(CHECKED[PRIMS[name]], x, y)
        assert checked == (None if wraps else exact(x, y)), name


def test_every_edge_of_products(library: ctypes.CDLL) -> None:
    wraps = function(library, "muli", INT, INT, ctypes.c_bool)
    for x in (3, 5, 7, 2**31 - 1, 2**32 + 1, 3037000499, 3037000500, -3, -(2**31), -3037000500):
        for edge in (INT_MIN, INT_MAX):
            for y in range(edge // x - 2, edge // x + 3):
                if INT_MIN <= y <= INT_MAX:
                    fits = INT_MIN <= x * y <= INT_MAX
                    assert wraps(x, y) != fits, (x, y)
                    assert (reference(CHECKED[PRIMS["muli"]], x, y) is not None) == fits, (x, y)


@pytest.mark.parametrize("prim", [PRIMS["negi"], PRIMS["absi"]], ids=lambda prim: prim.name)
def test_the_least_integer_has_no_opposite(prim: Prim) -> None:
    assert reference(CHECKED[prim], INT_MIN) is None
    assert reference(CHECKED[prim], INT_MIN + 1) == INT_MAX


# --- random numbers ---------------------------------------------------------------------------------------

SEEDS = st.sampled_from((16807, 0, -1, INT_MIN, INT_MAX)) | st.integers(INT_MIN, INT_MAX)
LIMITS = st.sampled_from((1, 2, 6, 2**31, 2**32, 2**32 + 1, INT_MAX)) | st.integers(1, INT_MAX)


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.lists(LIMITS, min_size=1, max_size=20))
def test_the_stream(library: ctypes.CDLL, seed: int, limits: list[int]) -> None:
    n = len(limits)
    words = np.empty(n, np.uint64)
    function(library, "words", INT, INT, ctypes.c_void_p, INT)(seed, n, words.ctypes.data)
    assert words.tolist() == RandomStream(seed).words(n).tolist()
    roll = function(library, "roll", ctypes.c_uint64, INT, INT)
    rolled = [roll(word, limit) for word, limit in zip(words.tolist(), limits, strict=True)]
    assert rolled == RandomStream(seed).integers(np.array(limits)).tolist()
    uniform = function(library, "uniform", ctypes.c_uint64, REAL)
    assert [uniform(word) for word in words.tolist()] == RandomStream(seed).doubles((n,)).tolist()


def deal(library: ctypes.CDLL, seed: int, count: int, limit: int) -> list[list[int]]:
    """Two deals, one after the other."""
    out = np.zeros(2 * count + 1, np.int64)
    deals = function(library, "deals", INT, INT, INT, INT, ctypes.c_void_p, INT)
    assert deals(seed, 2, count, limit, out.ctypes.data) == 0
    return [out[:count].tolist(), out[count : 2 * count].tolist()]


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(0, 60), st.integers(0, 400) | st.integers(0, 2**62))
def test_dealing(library: ctypes.CDLL, seed: int, count: int, more: int) -> None:
    """Sparse and dense, and the stream goes on behind it."""
    stream = RandomStream(seed)
    wanted = [stream.deal(count, count + more).tolist() for _ in range(2)]
    assert deal(library, seed, count, count + more) == wanted


def test_a_large_deal(library: ctypes.CDLL) -> None:
    for count, limit in ((20_000, 20_000), (20_000, 90_000)):
        first, second = deal(library, 5, count, limit)
        assert first == RandomStream(5).deal(count, limit).tolist()
        assert len(set(first)) == len(set(second)) == count


def test_no_memory_for_a_deal(library: ctypes.CDLL) -> None:
    out = np.zeros(1, np.int64)
    deals = function(library, "deals", INT, INT, INT, INT, ctypes.c_void_p, INT)
    assert deals(1, 1, 2**58, 2**58, out.ctypes.data) == 1
