"""Filters by running extrema share the loop of the scan, in blocks, and their last elements have another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from aplc import fn
from aplc.calling.options import TargetName
from aplc.laila.ir.program import Alloc, Filter, Fused, Scan
from tests.support.laila.programs import DOUBLES, all_statements, lowered
from tests.support.machine import needs_c, needs_threads

TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
PROGRAMS = (
    "{⍸(⍵=⌈\\⍵),1}",
    "{i←⍸(⍵=⌈\\⍵),1 ⋄ ⌈/(1↓i)-¯1↓i}",
    "{⍸(⍵=⌈\\⍵),0 1 1}",
    "{((⍵>0.5×⌈\\⍵),1 0 1)/⍵,7 8 9}",
    "{⍸⍵=⌊\\⍵}",
    "{(⍵<⌈\\⍵)/⍵}",
    "{m←⌈\\⍵ ⋄ ((⍵<0.9×m)/⍵),(⍵=m)/m}",
    "{m←⌈\\⍵ ⋄ (⌈/m-⍵),⍸⍵=m}",
    "{⍸1,⍵=⌈\\⍵}",
    "{⍸(⍵=+\\⍵),1}",
    "{v←⌊10×¯99⌈99⌊⍵ ⋄ ⍸(v=⌈\\v),1}",
)


def several() -> Iterator[np.ndarray]:
    """Vectors whose running extrema change seldom, often, and never; of lengths around those of blocks."""
    random = np.random.default_rng(5)
    for length in (0, 1, 2, 127, 128, 129, 256, 700):
        yield random.random(length)
        yield np.cumsum(random.standard_normal(length))
        yield np.zeros(length)
        yield np.arange(length) + 0.5
    some = random.random(600)
    some[[5, 300, 301]] = np.inf
    yield some
    some = -random.random(600)
    some[[2, 200]] = 0.0, -0.0
    yield some
    yield np.repeat(1 + 1e-15 * random.integers(0, 30, 300), 2)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", PROGRAMS)
def test_what_running_extrema_keep(text: str, target: TargetName) -> None:
    compiled, meant = fn(text, target=target), fn(text, target="interp")
    for given in several():
        np.testing.assert_allclose(compiled(given), meant(given), rtol=1e-9, err_msg=repr(given[:9]))


def test_a_filter_with_an_end_shares_the_loop_of_its_scan() -> None:
    """The running values are in no memory."""
    statements = list(all_statements(lowered("⍸(x=⌈\\x),1", x=DOUBLES).statements))
    (loop,) = [s for s in statements if isinstance(s, Fused)]
    assert [type(q) for q in loop.parts] == [Scan, Filter]
    (end,) = [s for s in statements if isinstance(s, Filter)]
    assert end.goes_on
    assert len([s for s in statements if isinstance(s, Alloc)]) == 1


def test_the_values_of_a_scan_that_are_wanted_otherwise_stay() -> None:
    statements = list(all_statements(lowered("m←⌈\\x ⋄ (⍸(x=m),1)(⌽m)", x=DOUBLES).statements))
    assert len([s for s in statements if isinstance(s, Alloc)]) >= 2
