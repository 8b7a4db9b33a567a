"""What the run-time system does in lanes besides functions: residues of doubles, and doubles of integers."""

import ctypes
import math

import numpy as np
import pytest

from aplc.backends.native.toolchain import Compiler
from aplc.tail.meaning.core import residue_double
from tests.support.generated_c.loading import build

INT, REALS = ctypes.c_int64, ctypes.POINTER(ctypes.c_double)

SOURCE = """
#include "aplc.h"
#include "aplc_gcd.h"
#include "aplc_residue.h"
#define REALS(name)                                                                                 \\
    void lanes_##name(const int64_t *restrict x, double *restrict result, int64_t n) {             \\
        for (int64_t i = 0; i < n; i++)                                                             \\
            result[i] = name(x[i]);                                                                 \\
    }
REALS(aplc_real_of)
REALS(aplc_real_of_small)
void lanes_aplc_integer_of(const double *restrict x, int64_t *restrict result, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        result[i] = aplc_integer_of(x[i]);
}
void gcds(const int64_t *restrict x, const int64_t *restrict y, int64_t *restrict result, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        result[i] = aplc_gcd(x[i], y[i]);
}
#define RESIDUES(name, by)                                                                        \\
    void name(const double *restrict x, const double *restrict y, double *restrict result, int64_t n) { \\
        for (int64_t i = 0; i < n; i++)                                                             \\
            result[i] = aplc_residue(by, y[i]);                                                     \\
    }
RESIDUES(residues, x[i])
RESIDUES(residues_by_one, 1.0)
RESIDUES(residues_by_eight, 8.0)
RESIDUES(residues_by_360, 360.0)
"""


@pytest.fixture(scope="module")
def library(compiler: Compiler, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return ctypes.CDLL(str(build(compiler, tmp_path_factory.mktemp("lanes"), SOURCE)))


@pytest.mark.parametrize(
    ("function", "divisor"),
    [("residues", None), ("residues_by_one", 1.0), ("residues_by_eight", 8.0), ("residues_by_360", 360.0)],
)
def test_residues_in_lanes_are_exact(library: ctypes.CDLL, function: str, divisor: float | None) -> None:
    rng = np.random.default_rng(5)
    hard = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        5e-324,
        -5e-324,
        2.0**53,
        -(2.0**70),
        1e308,
        3e-308,
        math.inf,
        math.nan,
    ]
    wholes = rng.integers(-1000, 1000, 4000) * rng.choice([0.1, 1.0, 3.0, 360.0], 4000)
    near = np.nextafter(wholes, rng.choice([-math.inf, math.inf], 4000))
    far = rng.normal(size=4000) * 10.0 ** rng.integers(-300, 300, 4000)
    y = np.concatenate([np.repeat(hard, len(hard)), -far, wholes, near])
    some = np.concatenate([np.tile(hard, len(hard)), far, rng.choice([0.1, -0.1, 3.0, -360.0, 7e-3], 8000)])
    x = some if divisor is None else np.full(y.size, divisor)
    found = np.empty_like(y)
    getattr(library, function)(*[a.ctypes.data_as(REALS) for a in (x, y, found)], INT(y.size))
    with np.errstate(all="ignore"):
        expected = residue_double(x, y)
    same = (found.view(np.int64) == expected.view(np.int64)) | (np.isnan(found) & np.isnan(expected))
    assert same.all(), list(zip(x[~same], y[~same], found[~same], expected[~same], strict=True))[:5]


@pytest.mark.parametrize(("function", "bits"), [("aplc_real_of", 63), ("aplc_real_of_small", 51)])
def test_integers_become_the_nearest_doubles(library: ctypes.CDLL, function: str, bits: int) -> None:
    powers = np.concatenate([(1 << np.arange(bits)) + k for k in (-1, 0, 1)])
    some = np.random.default_rng(6).integers(-(1 << bits), (1 << bits) - 1, 1000)
    x = np.concatenate([powers, -powers, some, [(1 << bits) - 1, -(1 << bits)]]).astype(np.int64)
    found = np.empty(x.size)
    getattr(library, f"lanes_{function}")(
        x.ctypes.data_as(ctypes.POINTER(INT)), found.ctypes.data_as(REALS), INT(x.size)
    )
    assert np.array_equal(found.view(np.int64), x.astype(np.float64).view(np.int64))


def test_whole_doubles_become_integers(library: ctypes.CDLL) -> None:
    powers = np.concatenate([(1 << np.arange(63)) + k for k in (-1, 0, 1)])
    some = np.random.default_rng(7).integers(-(1 << 62), 1 << 62, 1000) >> np.arange(1000) % 63
    near = np.array([2**63 - 1024, 2**63 - 2048]).astype(np.float64)
    x = np.concatenate([powers, -powers, some, [-(2**63)]]).astype(np.float64)
    x = np.concatenate([x[x < 2.0**63], near, -near, [-0.0]])
    found = np.empty(x.size, np.int64)
    library.lanes_aplc_integer_of(
        x.ctypes.data_as(REALS), found.ctypes.data_as(ctypes.POINTER(INT)), INT(x.size)
    )
    assert np.array_equal(found, x.astype(np.int64))


@pytest.mark.parametrize("bits", [3, 9, 17, 31, 62, 63])
def test_common_divisors_in_lanes(library: ctypes.CDLL, bits: int) -> None:
    """Of numbers of one size and of very different ones, multiples of others, zeros and the least integer."""
    rng = np.random.default_rng(bits)
    ends = [0, 1, -1, 2, 6, -12, 2**62, 2**62 - 1, -(2**63), -(2**63) + 1, 3 * 2**60, 2**63 - 1]
    some = rng.integers(-(2**bits) + 1, 2**bits - 1, 3000)
    common = (rng.integers(1, 2**20, 500) * np.array(2) ** rng.integers(0, 20, 500)).astype(np.int64)
    x = np.concatenate([np.repeat(ends, len(ends)), some, 6 * common, common, [0] * 8, [5] * 8])
    other = np.concatenate([some[::-1][:2000], rng.integers(-9, 9, 1000)])
    y = np.concatenate([np.tile(ends, len(ends)), other, 10 * common, common[::-1], [0] * 8, [10] * 8])
    x, y = x.astype(np.int64), y.astype(np.int64)
    found = np.empty_like(x)
    library.gcds(*[ctypes.c_void_p(a.ctypes.data) for a in (x, y, found)], INT(x.size))
    wanted = np.array([math.gcd(int(a), int(b)) for a, b in zip(x, y, strict=True)], dtype=np.uint64)
    assert np.array_equal(found, wanted.view(np.int64))
