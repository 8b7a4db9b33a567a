"""Fused loops in stages: what waits for a running value in one loop, what takes work in lanes around it."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from aplc.tail.errors import RunError
from tests.support.machine import needs_c, needs_threads

TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
LENGTHS = (0, 1, 2, 255, 256, 257, 1000)
PROGRAMS = (
    "{100×*+\\0.01×⍵}",
    "{s←+\\*⍵ ⋄ (⍟1+s*2)÷1+s*4}",
    "{s←+\\*⍵ ⋄ +/(s-⌈\\s)×1○s}",
    "{(⌈\\⍵)-⌊\\⍵}",
    "{d←0.99*⍳≢⍵ ⋄ d×+\\(0.01×⍵)÷d}",
    "{s←+\\⍵ ⋄ ⌈/(⌈\\s)-s}",
    "{(*+\\⍵),[0.5]1○⌊\\⍵}",
)


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: str) -> None:
    compiled, meaning = fn(text, target=target), fn(text, target="interp")
    for length in LENGTHS:
        v = np.random.default_rng(length).uniform(-1, 1, length)
        np.testing.assert_allclose(compiled(v), meaning(v), rtol=1e-9, err_msg=f"{length}")


@needs_c
@pytest.mark.parametrize("text", ["{⌈\\⍵}", "{⌊\\⍵}", "{s←⌈\\⍵ ⋄ +/s-⌊\\⍵}", "{*⌈\\⍵}"])
def test_no_number_stays(text: str) -> None:
    compiled, meaning = fn(text, target="c"), fn(text, target="interp")
    for place in (0, 1, 4, 299):
        v = np.random.default_rng(place).uniform(-1, 1, 300)
        v[place] = np.nan
        np.testing.assert_allclose(compiled(v), meaning(v), rtol=1e-9)
    signs = np.array([0.0, -0.0, 0.0, -0.0, -0.0])
    np.testing.assert_array_equal(np.signbit(compiled(signs)), np.signbit(meaning(signs)))


@pytest.mark.parametrize("target", TARGETS)
def test_what_fails_in_a_stage_fails(target: str) -> None:
    before = fn("{+\\1÷⍟⍵}", target=target)
    behind = fn("{⍟+\\⍵}", target=target)
    v = np.arange(2.0, 700.0)
    assert np.isfinite(before(v)).all() and np.isfinite(behind(v)).all()
    for place in (0, 300, 697):
        v[place] = 1.0
        with pytest.raises(RunError, match="DOMAIN ERROR"):
            before(v)
        v[place] = -1e6
        with pytest.raises(RunError, match="DOMAIN ERROR"):
            behind(v)
        v[place] = 2.0


@pytest.mark.parametrize("text", ["{u←⍵ ⋄ u[1 1 2]-←3⍴1 2 ⋄ u}", "{u←⍵ ⋄ u[1 1 2]{⍵-⍺×⍺}←3⍴1 2 ⋄ u}"])
@pytest.mark.parametrize("target", TARGETS)
def test_elements_that_change_twice_are_read_twice(text: str, target: str) -> None:
    for check_overflow in (False, True):
        compiled = fn(text, target=target, check_overflow=check_overflow)
        assert compiled([1, 2]).tolist() == fn(text, target="interp")([1, 2]).tolist()


def test_a_chain_takes_several_points_at_once() -> None:
    behind = "{⌈/(+\\⍵)-⍵}"
    text = fn(behind).emit("c", "[double]1")
    assert "i += 4" in text and text.count(" s += ") == 2
    exact = fn(behind, strict_fp=True).emit("c", "[double]1")
    assert "i += 4" not in exact


def test_points_of_a_running_extremum_are_combined_first() -> None:
    alone = fn("{⌈/(⌈\\⍵)-⍵}").emit("c", "[double]1")
    assert "i += 4" in alone and alone.count("= aplc_running_max(s, t") == 5
    beside_a_sum = fn("{s←+\\⍵ ⋄ s-⌊\\s}").emit("c", "[double]1")
    assert "i += 4" in beside_a_sum and beside_a_sum.count("= aplc_running_min(s1, t") == 4


@pytest.mark.parametrize("text", ["{⌈\\⍵}", "{⌊\\⍵}", "{s←+\\⍵ ⋄ s-⌊\\0⌊s}", "{(⌈\\⍵)-⍵}"])
@pytest.mark.parametrize("target", TARGETS)
def test_running_extrema_of_nan_infinities_and_zeros(text: str, target: str) -> None:
    ours, wanted = fn(text, target=target), fn(text, target="interp")
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5]
    for size in (1, 3, 4, 5, 9):
        for seed in range(8):
            v = np.random.default_rng(seed).choice(special, size)
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(ours(v), wanted(v))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "text", ["{+/¨(⌊\\⍵)↑¨⊂⍳9}", "{+/¨(0,+\\⍵)↑¨⊂⍳9}", "{+/¨(⌈\\⍵)⍴¨⊂⍳3}", "{⌈/¨(-+\\3⌊⍵)↑¨⊂⍳40}"]
)
def test_folds_over_running_values_are_of_each_point(text: str, target: str) -> None:
    compiled, meaning = fn(text, target=target), fn(text, target="interp")
    for v in (np.arange(0), np.array([3]), np.array([5, 1, 4, 0, 2, 7]), np.arange(30) % 7):
        np.testing.assert_array_equal(compiled(v), meaning(v))
