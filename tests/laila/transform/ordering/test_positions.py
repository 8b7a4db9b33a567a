"""Elements at positions of a grade, in functions of rows and of windows."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import lack_of

ROWS = {
    "a place": "{⍵[3⊃⍋⍵]}⍤1⊢⍵",
    "by index": "{⍵[(⍒⍵)[2]]}⍤1⊢⍵",
    "half-way": "{⍵[(⌈0.5×≢⍵)⊃⍋⍵]}⍤1⊢⍵",
    "of both ends": "{s←⍋⍵ ⋄ h←⌈0.5×≢⍵ ⋄ 0.5×⍵[h⊃s]+⍵[(1+(≢⍵)-h)⊃s]}⍤1⊢⍵",
    "of what is computed": "{x←|⍵-2 ⋄ x[(⌈0.7×≢x)⊃⍋x]}⍤1⊢⍵",
    "of another array": "{(2×⍵)[(⌈0.5×≢⍵)⊃⍋⍵]}⍤1⊢⍵",
    "the position, too": "{i←2⊃⍋⍵ ⋄ i,⍵[i]}⍤1⊢⍵",
    "twice": "{i←2⊃⍋⍵ ⋄ ⍵[i]-⍵[(≢⍵)+1-i]}⍤1⊢⍵",
    "changed before": "{w←⍵ ⋄ i←2⊃⍋w ⋄ w[1]←100 ⋄ w[i]}⍤1⊢⍵",
    "windows": "{⍵[3⊃⍋⍵]}⌺5⊢,⍵",
    "windows by index": "{⍵[(⌈0.5×≢⍵)⊃⍋⍵]}⍤1⊢(,⍵)[(¯1+⍳20)∘.+⍳⊢/⍴⍵]",
}


@pytest.mark.parametrize("target", ("c", "openmp", "opencl"))
@pytest.mark.parametrize("name", ROWS)
def test_values(name: str, target: str) -> None:
    if lack := lack_of(target):
        pytest.skip(f"NOT CHECKED: {lack}")
    found, meaning = [aplc.fn(f"{{{ROWS[name]}}}", target=each) for each in (target, "interp")]
    rng = np.random.default_rng(3)
    for columns in (5, 6, 31):
        for given in (
            rng.normal(size=(9, columns)),
            rng.integers(0, 4, (9, columns)),
            rng.choice([0.0, np.nan, np.inf, -1.5], (9, columns)),
        ):
            assert np.array_equal(found(given), meaning(given), equal_nan=True), (columns, given)


@pytest.mark.parametrize(
    ("text", "is_graded"),
    [
        ("{⍵[3⊃⍋⍵]}⍤1⊢m", False),
        ("{⍵[(⌈0.5×≢⍵)⊃⍋⍵]}⍤1⊢m", False),
        ("{x←|⍵ ⋄ x[(⌈0.5×≢x)⊃⍋x]}⍤1⊢m", False),
        ("{⍵[3⊃⍋⍵]}⌺5⊢,m", False),
        ("{i←(⌈0.5×≢⍵)⊃⍋⍵ ⋄ i,⍵[i]}⍤1⊢m", True),
        ("{w←⍵ ⋄ i←(⌈0.5×≢w)⊃⍋w ⋄ w[1]←9 ⋄ w[i]}⍤1⊢m", True),
    ],
)
def test_which_are_graded(text: str, *, is_graded: bool) -> None:
    made = laila(f"m←5.5×?7 9⍴9\n⎕←{text}")
    assert ("aplc_grade" in made or "aplc_first_up" in made) is is_graded
