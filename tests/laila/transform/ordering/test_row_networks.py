"""Rows of a few elements are sorted by networks, in lanes."""

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

RNG = np.random.default_rng(3)
ROWS = {
    "any": lambda n: RNG.integers(-(2**63), 2**63 - 1, n),
    "few": lambda n: RNG.integers(-3, 3, n),
    "bytes": lambda n: RNG.integers(0, 256, n).astype(np.uint8),
    "bits": lambda n: RNG.random(n) < 0.5,
    "doubles": lambda n: RNG.choice([0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 1e300], n),
}
TEXTS = (
    "{{⍵[⍋⍵]}⍤1⊢((≢⍵),COLUMNS)↑⍵}",
    "{{⍵[⍒⍵]}⍤1⊢((≢⍵),COLUMNS)↑⍵}",
    "{+⌿{⍵[⍒⍵]-⌽⍵[⍋⍵]}⍤1⊢((≢⍵),COLUMNS)↑⍵}",
    "{({{⍵[⍋⍵]}⍤1⊢⌽⍵}⍣3)((≢⍵),COLUMNS)↑⍵}",
)


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 8, 9])
@needs_c
def test_values(columns: int, kind: str) -> None:
    for text in TEXTS:
        if kind == "doubles" and "+⌿" in text:
            continue
        own = text.replace("COLUMNS", str(columns))
        for rows in (0, 1, 7, 100):
            given = ROWS[kind](rows * columns).reshape(rows, columns)
            wanted = aplc.fn(own, target="interp")(given)
            for target in ("c", "openmp"):
                assert np.array_equal(aplc.fn(own, target=target)(given), wanted, equal_nan=kind == "doubles")


@pytest.mark.parametrize(("columns", "sorts"), [(4, 0), (8, 0), (9, 1)])
def test_which_are_sorted_so(columns: int, sorts: int) -> None:
    own = TEXTS[0].replace("COLUMNS", str(columns))
    for rows in ("[int]2", "[double]2"):
        assert aplc.fn(own, target="c").emit("laila", rows).count("aplc_sort_up") == sorts
    assert "aplc_sort_up" in aplc.fn(own, target="c", strict_fp=True).emit("laila", "[double]2")
