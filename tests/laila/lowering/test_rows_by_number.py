"""Rows that are taken by number are computed where they are used, as long as each goes to one place."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

DATES = np.array([20240229, 19991231, 20000101, 19000301, 99991231, 10101])


@pytest.mark.parametrize(
    ("text", "arrays"),
    [
        ("a←0 100 100⊤v ⋄ ⎕←a[3;]+(2×a[2;])+3×a[1;]", 1),
        ("(y m d)←↓0 100 100⊤v ⋄ ⎕←d+(2×m)+3×m×y", 1),
        ("(y m d)←↓0 100 100⊤v ⋄ ⎕←d+(5 7 9)[m]+m>2", 1),
        ("a←0 100 100⊤v ⋄ ⎕←a[3;]+⌽a[3;]", 3),
        ("a←0 100 100⊤v ⋄ ⎕←a[3;]+a[2;] ⋄ ⎕←a", 3),
    ],
)
def test_arrays_that_are_written(text: str, arrays: int) -> None:
    assert laila(f"v←100|7×⍳9999\n{text}").count("alloc ") == arrays


@pytest.mark.parametrize("target", ("c", "openmp"))
def test_values(target: str) -> None:
    text = "{(y m d)←↓0 100 100⊤⍵ ⋄ d+(0 31 59 90 120 151 181 212 243 273 304 334)[m]+(2<m)∧0=4|y}"
    wanted, found = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
    dates = np.tile(DATES, 50)
    assert np.array_equal(found(dates), wanted(dates))


@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("months", ((1, 12), (0, 5), (5, 13), ()))
def test_places_in_a_table(target: str, months: tuple[int, ...]) -> None:
    """Each wrong one is told, and none is read."""
    text = "{+/(3|⍵)+(0 31 59 90 120 151 181 212 243 273 304 334)[⍵]×7|⍵}"
    given = np.repeat(np.array(months, np.int64), 40)
    wanted, found = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
    if set(months) <= set(range(1, 13)):
        assert found(given) == wanted(given)
    else:
        with pytest.raises(aplc.Error, match="INDEX ERROR"):
            found(given)
