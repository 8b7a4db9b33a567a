"""Extrema with constants, in loops: what they are in C, and their values."""

from __future__ import annotations

import re

import numpy as np
import pytest

from aplc import fn
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
