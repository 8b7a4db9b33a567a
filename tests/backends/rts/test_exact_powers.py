"""Powers of the run-time system that are exact where they are whole numbers: their values, and that loops of
them run in lanes whatever the base is.
"""

from __future__ import annotations

import ctypes
import math
import re
from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.backends.native.toolchain import Compiler
from tests.support.generated_c.loading import build, has_libmvec

LOOP = """
#include "aplc.h"
void powers(const double *restrict x, const double *restrict y, double *restrict result, int64_t n) {{
    (void)x;
    for (int64_t i = 0; i < n; i++)
        result[i] = aplc_exact_power({base}, y[i]);
}}
"""
BASES = ("2.0", "10.0", "3.0", "-2.0", "x[i]")


@pytest.mark.optimised
@pytest.mark.parametrize("base", BASES)
def test_they_run_in_lanes(compiler: Compiler, tmp_path: Path, base: str) -> None:
    """With gcc and glibc on x86-64; a branch for each condition would keep them from it."""
    build(compiler, tmp_path, LOOP.format(base=base))
    if not has_libmvec(compiler):
        pytest.skip("NOT CHECKED: libmvec is there with gcc and glibc on x86-64")
    symbols = (tmp_path / "text.so").read_bytes()
    assert re.search(rb"_ZGV\w+?_(pow|exp2)", symbols)


@pytest.mark.parametrize("base", BASES[:-1])
def test_they_are_exact(compiler: Compiler, tmp_path: Path, base: str) -> None:
    library = ctypes.CDLL(str(build(compiler, tmp_path, LOOP.format(base=base))))
    number = int(float(base))
    whole = np.array([n for n in range(64) if abs(number**n) <= 2**53], dtype=float)
    others = np.array([0.5, 1e-300, -0.0, 700.25, math.inf, -math.inf, math.nan, 64.0, 1e18, -3.0, -1e18])
    y = np.concatenate([whole, others] * 3)
    result = np.empty_like(y)
    pointers = [each.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for each in (y, y, result)]
    library.powers(*pointers, ctypes.c_int64(y.size))
    with np.errstate(all="ignore"):
        wanted = np.power(float(number), y)
    exact = np.tile(np.arange(whole.size + others.size) < whole.size, 3)
    assert result[exact].tolist() == [float(number ** int(n)) for n in y[exact]]
    np.testing.assert_allclose(result[~exact], wanted[~exact], rtol=1e-14)


def test_powers_of_two_are_exact_wherever_they_are_numbers() -> None:
    y = np.arange(-1100.0, 1030.0)
    wanted = [math.ldexp(1.0, int(n)) if n < 1024 else math.inf for n in y]
    assert aplc.fn("{2*⍵}", target="c")(y).tolist() == wanted
