"""Scans over a few elements: scalars of the loops that read them, with the values that they had in memory."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import needs_c

SHORT = {
    "digits": "{2⊥≠⍀(16⍴2)⊤⍵}",
    "sums of digits": "{+⌿+⍀(3⍴10)⊤⍵}",
    "an element": "{(+⍀3 60⍴⍵)[2;]}",
    "a sum of elements": "{m←3 60⍴⍵ ⋄ +/(⌈⍀m)[3;]}",
    "two readers": "{a←+⍀3 60⍴⍵ ⋄ (+/a[2;])×⌈/a[3;]}",
    "rows": "{a←×\\60 4⍴⍵ ⋄ a[;2]-a[;4]}",
}
LONG = {
    "what is made of changes": "{v←⍵ ⋄ a←+⍀3 60⍴v ⋄ w←a[2;] ⋄ v[1]←7 ⋄ w,v}",
    "another order": "{a←+⍀3 60⍴⍵ ⋄ a[2;]+⌽a[3;]}",
    "a table": "{a←+⍀3 60⍴⍵ ⋄ ∘.×⍨a[2;]}",
    "kept": "{a←+⍀3 60⍴⍵ ⋄ a⍪a[2;]}",
    "truth values": "{a←≠⍀3 60⍴⍵>1 ⋄ +⌿a}",
    "it may fail": "{a←÷⍀3 60⍴⍵ ⋄ a[2;]+a[3;]}",
}
RNG = np.random.default_rng(8)
NUMBERS = (
    RNG.integers(0, 99, 180),
    RNG.integers(0, 99, 180).astype(np.uint8),
    RNG.integers(2**62, 2**63 - 1, 180),
    RNG.normal(size=180),
    np.where(RNG.random(180) < 0.1, np.nan, RNG.normal(size=180)),
)


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("name", SHORT | LONG)
def test_values(name: str) -> None:
    text = (SHORT | LONG)[name]
    meaning = aplc.fn(text, target="interp")
    for target in ("c", "openmp"):
        found, strict = [aplc.fn(text, target=target, strict_fp=is_strict) for is_strict in (False, True)]
        for numbers in NUMBERS:
            if "⊤" in text and numbers.dtype == np.float64:
                continue
            wanted = np.asarray(meaning(numbers))
            assert np.allclose(found(numbers), wanted, 1e-9, 1e-9, equal_nan=True), (target, numbers.dtype)
            assert np.array_equal(strict(numbers), wanted, equal_nan=wanted.dtype == np.float64), target


@pytest.mark.parametrize("name", SHORT)
def test_short_scans_are_not_in_memory(name: str) -> None:
    assert "SCAN" not in laila(f"f←{SHORT[name]}\n⎕←f ?180⍴99")


@pytest.mark.parametrize("name", [name for name in LONG if name != "it may fail"])
def test_others_are(name: str) -> None:
    assert "SCAN" in laila(f"f←{LONG[name]}\n⎕←f ?180⍴99")
