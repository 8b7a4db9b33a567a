"""Searches among doubles that are equal within ⎕CT, against the reference interpreter: numbers in clusters as
wide as the tolerance, on both sides of powers of two, with infinities, NaN and zeros of both signs.
"""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.backends.native.toolchain import Compiler
from tests.support.generated_c.loading import build
from tests.support.machine import needs_c

pytestmark = needs_c

TEXTS = ("{∪⍵}", "{≠⍵}", "{⍵⍳⌽⍵}", "{(⌽40↑⍵)⍳⍵}", "{⍵∊⌽30↓⍵}", "{≢∪⍵}", "{⍵~⌽20↓⍵}", "{∪7 2⍴⍵}")
SCALES = (1.0, 0.1, 1 / 3, 1e5, 1e-300, 1e300)
ODD = (0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1.7976931348623157e308)
LENGTHS = (0, 1, 5, 17, 70, 300, 20_000)


def clustered(n: int, tolerance: float, seed: int) -> Any:
    """Numbers of which many equal others."""
    random = np.random.default_rng(seed)
    steps = random.choice([0, 0, 0.5, -0.5, 0.9, -0.9, 1, -1, 1.1, -1.1, 2, 3], n)
    if seed % 3 == 1:
        whole = 2.0 ** random.integers(-3, 3, n)
    else:
        whole = random.integers(-30, 30, n) * SCALES[seed % len(SCALES)]
    values = whole * (1 + tolerance * steps)
    if n and seed % 3 == 0:
        values[random.integers(0, n, 1 + n // 20)] = random.choice(ODD, 1 + n // 20)
    return values


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("tolerance", (1e-14, 1e-9))
def test_clusters(text: str, tolerance: float) -> None:
    ours, meant = [aplc.fn(text, target=target, ct=tolerance) for target in ("c", "interp")]
    for n in LENGTHS:
        for seed in range(3 if n > 1000 else 6):
            v = clustered(n, tolerance, seed)
            np.testing.assert_array_equal(ours(v), meant(v), f"{n} elements, seed {seed}")


def test_nan() -> None:
    """A NaN equals nothing, not even itself."""
    v = np.array([1.0, np.nan, 1.0, np.nan, 2.0] * 20)
    for text in ("{∪⍵}", "{≠⍵}", "{⍵⍳⍵}", "{⍵∊⌽⍵}"):
        ours, meant = [aplc.fn(text, target=target)(v) for target in ("c", "interp")]
        np.testing.assert_array_equal(ours, meant, text)


def whole(n: int, most: float, seed: int) -> Any:
    """Whole numbers of both signs and zeros, up to one."""
    random = np.random.default_rng(seed)
    return random.choice([-0.0, 0.0, 1, 2, most, most - 1, 1 - most, -most, *range(-20, 20)], n)


def test_whole_numbers() -> None:
    """Keys are integers in a table of these, up to 2 to the 31st; what is looked up lies beside them, too."""
    text = "{(⍺⍳⍵),((⍺+0J1×⌽⍺)⍳⍵+0J1×⌽⍵),(≠⍺),≢∪⍺}"
    ours, meant = [aplc.fn(text, target=target) for target in ("c", "interp")]
    for most in (1e3, 2.0**31 - 1, 2.0**31, 1e18):
        keys = whole(200, most, 7)
        beside = np.concatenate([keys * (1 + 1e-14 * k) for k in (0, 0.9, -0.9, 1.1, -1.1)])
        asked = np.concatenate([beside, keys + 0.5, [np.nan, np.inf, -np.inf, 1e300, 2.0**32 + 1, 2.0**31]])
        np.testing.assert_array_equal(ours(keys, asked), meant(keys, asked), str(most))


KIND = """
#include "aplc.h"
#include "aplc_search_near.h"
APLC_EXPORT int kind(const double *keys, int64_t rows, int64_t columns, double t) {
    aplc_table table;
    const int status = aplc_table_near_make(&table, keys, rows, columns, t);
    aplc_table_free(&table);
    return status == 0 ? table.kind : -1;
}
"""


def test_kinds_of_tables(compiler: Compiler, tmp_path: Path) -> None:
    """Rows of one or two whole numbers are integers, where no two may be equal within the tolerance."""
    kind = ctypes.CDLL(str(build(compiler, tmp_path, KIND))).kind
    keys = np.arange(300) % 50 * 1.0

    def of(keys: Any, columns: int, tolerance: float) -> int:
        place = keys.ctypes.data_as(ctypes.c_void_p)
        return int(
            kind(
                place,
                ctypes.c_int64(keys.size // columns),
                ctypes.c_int64(columns),
                ctypes.c_double(tolerance),
            )
        )

    hashed, direct, slots = 3, 2, 6
    assert [of(keys, k, 1e-14) for k in (1, 2, 3)] == [direct, slots, hashed]
    assert [of(keys, 1, 1e-9), of(keys + 0.5, 1, 1e-14), of(keys * 2.0**31, 1, 1e-14)] == [hashed] * 3
