"""Rounded quotients of numbers of elements: rows of what there is, without tests of each element."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

ROWS = "{((⌊(≢⍵)÷7),7)⍴⍵}"
PLACES = {
    "rows": ROWS,
    "sums of rows": "{+/((⌊(≢⍵)÷7),7)⍴⍵}",
    "upwards": "{((⌈(≢⍵)÷7),7)⍴⍵}",
    "columns together": "{m←((⌊(≢⍵)÷6),6)⍴⍵ ⋄ ⍉(3,≢m)⍴m[;1],(+/m),m[;6]}",
    "of an axis": "{m←3 41⍴⍵,123⍴0 ⋄ ((⌊(≢⍉m)÷4),12)⍴m}",
}


@pytest.mark.parametrize("tolerance", (0, 1e-14, 1e-10))
@pytest.mark.parametrize("name", PLACES)
def test_values(name: str, tolerance: float) -> None:
    compiled = aplc.fn(PLACES[name], ct=tolerance)
    wanted = aplc.fn(PLACES[name], target="interp", ct=tolerance)
    for n in (0, 1, 6, 7, 8, 13, 14, 97):
        given = np.arange(float(n)) + 0.5
        assert np.array_equal(compiled(given), wanted(given)), n


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        ("+/((⌊(≢v)÷7),7)⍴v", True),
        ("+/((⌊(≢v)÷7),6)⍴v", True),
        ("+/((⌊(≢v)÷7),8)⍴v", False),
        ("+/((⌈(≢v)÷7),7)⍴v", False),
        ("+/((⌊(≢v)÷7.5),7)⍴v", False),
        ("+/((⌊n÷7),7)⍴v", False),
    ],
)
def test_what_has_enough_elements_repeats_nothing(text: str, *, is_known: bool) -> None:
    made = laila(f"v←÷⍳?100\nn←?9\n{text}")
    assert ("rem(" not in made) is is_known


def test_a_place_among_rows_asks_for_the_row() -> None:
    """Where the columns of a matrix are vectors one behind the other, no element asks which it is of."""
    made = laila("v←÷⍳?100\n⍉(2,≢v)⍴v,2×v")
    (loop,) = [line for line in made.splitlines() if line.startswith("MAP")]
    assert "n) < " not in loop
