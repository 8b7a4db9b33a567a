"""Scans whose values a loop reads one element behind: they need no array, and give what they gave."""

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.machine import needs_c

SHIFTED = {
    "greatest sum of neighbours": "{s←+\\⍵ ⋄ ⌈/s-⌊\\0,¯1↓s}",
    "from another start": "{s←+\\⍵ ⋄ ⌈/s-⌊\\¯7,¯1↓s}",
    "products": "{s←×\\1+⍵×0.001 ⋄ +/s×⌈\\1,¯1↓s}",
    "elements that are kept": "{s←+\\⍵ ⋄ s-⌊\\0,¯1↓s}",
}
OTHER = {
    "read twice at once": "{s←+\\⍵ ⋄ +/|s-0,¯1↓s}",
    "one ahead": "{s←+\\⍵ ⋄ ⌈/s-⌊\\(1↓s),0}",
    "two behind": "{s←+\\⍵ ⋄ ⌈/s-⌊\\0 0,¯2↓s}",
    "used again": "{s←+\\⍵ ⋄ (⌈/s-⌊\\0,¯1↓s),s}",
    "work behind it": "{s←+\\⍵ ⋄ *0.001×s-⌊\\0,¯1↓s}",
}


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("name", SHIFTED | OTHER)
def test_values(name: str) -> None:
    wanted, given, threads = (
        aplc.fn((SHIFTED | OTHER)[name], target=target) for target in ("interp", "c", "openmp")
    )
    rng = np.random.default_rng(3)
    for n in (1, 2, 3, 4, 5, 6, 9, 300):
        for v in (rng.normal(size=n), rng.integers(-9, 10, n)):
            expected = wanted(v)
            assert np.allclose(given(v), expected, 1e-9, 1e-9), (n, v.dtype)
            assert np.allclose(threads(v), expected, 1e-9, 1e-9), (n, v.dtype)


@needs_c
def test_no_elements() -> None:
    for target in ("interp", "c"):
        assert aplc.fn("{s←+\\⍵ ⋄ s-⌊\\1↑0,¯1↓s}", target=target)(np.array([2.0])).tolist() == [2]
        with pytest.raises(aplc.RunError, match="LENGTH ERROR"):
            aplc.fn("{s←+\\⍵ ⋄ +/s×⌊\\0 0,¯1↓s}", target=target)(np.arange(3.0))


@pytest.mark.parametrize("name", ["greatest sum of neighbours", "from another start", "products"])
def test_sums_are_not_written(name: str) -> None:
    text = c_of(f"f←{SHIFTED[name]}\nf ?1000⍴0\n", Options())
    assert "aplc_alloc" not in text
