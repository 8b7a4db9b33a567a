"""Extrema with constants, in loops: what they are in C, and their values."""

from __future__ import annotations

import platform
import re
import subprocess
from itertools import product

import numpy as np
import pytest

from aplc import fn
from aplc.backends.native.stopping import RTS
from aplc.backends.native.toolchain import find_compiler, flags
from aplc.options import Options
from aplc.tail.errors import RunError
from tests.support.compiling import c_of
from tests.support.machine import needs_c

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


@pytest.mark.parametrize("target", ["c", "openmp"])
def test_bounds_of_extrema_are_variables_in_loops(target: str) -> None:
    """gcc has one instruction for an extremum only if it does not know the bound."""
    options = Options(target=target)
    text = c_of("(0⌈v)+1⌊0⌈v", options, v=[0.5])
    assert [text.count(f"aplc_bound({each})") for each in ("0.0", "1.0")] == [1, 1]
    assert text.index("aplc_bound(1.0)") < text.index("for (int64_t i")
    assert "aplc_bound" not in c_of("0⌈v", options, v=0.5)
    v = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 0.25, -3.0, 7.0, 5e-324])
    expected = np.maximum(v, 0) + np.minimum(1, np.maximum(v, 0))
    np.testing.assert_array_equal(fn("{(0⌈⍵)+1⌊0⌈⍵}", target=target)(v), expected)
    rows = fn("{+/0⌈⍵}", target=target)(np.tile(v[3:], (70, 1)))
    np.testing.assert_array_equal(rows, np.full(70, 7.25))


MEDIAN = "{a←¯2↓⍵ ⋄ b←1↓¯1↓⍵ ⋄ c←2↓⍵ ⋄ (a⌊b)⌈(a⌈b)⌊c}"


@pytest.mark.optimised
def test_an_extremum_of_extrema_takes_three_instructions_in_lanes() -> None:
    """Those of gcc's own make are a dozen, with a path for each number that may be NaN."""
    compiler = find_compiler()
    if compiler.kind != "gcc" or platform.machine() != "x86_64":
        pytest.skip("NOT CHECKED: this is not gcc for x86-64")
    text = c_of(MEDIAN[1:-1].replace("⍵", "v"), Options(target="c"), v=np.ones(9))
    lanes = ("-mavx512f", "-mavx512vl", "-mprefer-vector-width=512")
    command = [*compiler.command, *flags(compiler, 3, lanes), f"-I{RTS}", "-S", "-x", "c", "-", "-o", "-"]
    assembly = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    (loop,) = [b for b in re.split(r"^\.L\w+:$", assembly, flags=re.M) if "vmaxpd" in b and "zmm" in b]
    assert len(re.findall(r"v(?:max|min)pd.*zmm", loop)) == 4
    assert len(re.findall("^.*zmm", loop, flags=re.M)) <= 4 * 3


def test_of_extrema_of_extrema_nan_wins() -> None:
    values = [np.nan, np.inf, -np.inf, -0.0, 0.0, 0.25, -3.0]
    v = np.array([x for three in product(values, repeat=3) for x in three])
    a, b, c = v[:-2], v[1:-1], v[2:]
    expected = np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))
    np.testing.assert_array_equal(fn(MEDIAN)(v), expected)


@pytest.mark.parametrize("k", [-(2**63), -1, 0, 1, 2, 3, 2**63 - 1])
def test_whether_there_is_an_element_is_one_comparison(k: int) -> None:
    v = np.array([2.5, 7.0])
    assert "aplc_in_range(k1, v_n)" in c_of("v[k]", Options(target="c"), v=v, k=k)
    if 1 <= k <= 2:
        assert fn("{⍺[⍵]}")(v, k) == v[k - 1]
        return
    with pytest.raises(RunError, match=re.escape(str(k).replace("-", "¯"))):
        fn("{⍺[⍵]}")(v, k)


def test_a_number_that_selects_from_two_arrays_is_compared_once_with_each() -> None:
    text = c_of("(v[k]>w[k])/k", Options(target="c"), v=np.ones(3), w=np.ones(4), k=[1, 2])
    assert len(re.findall(r"aplc_in_range\(t\d*, [vw]_n\)", text)) >= 2
    assert not re.search(r"t\d* >= 1", text), text


@pytest.mark.parametrize("text", ["(1 2)/⌈/⍵", "1 0 1\\⌈/⍵"])
def test_a_version_does_not_narrow_what_another_one_computes(text: str) -> None:
    empty = np.zeros((2, 0), np.int16)
    wanted, found = [fn("{" + text + "}", target=target)(empty) for target in ("interp", "c")]
    np.testing.assert_array_equal(found, wanted)
