"""Scans along columns in the folds that read them: the values that they had, and no matrix in memory."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.machine import needs_c

IN_ROWS = {
    "greatest fall": "{⌈⌿(⌈⍀⍵)-⍵}",
    "sum of the greatest falls": "{+/⌈⌿(⌈⍀⍵)-⍵}",
    "sums of sums": "{+⌿+⍀⍵}",
    "sums of sums of sums": "{⌈⌿+⍀+⍀⍵}",
    "weighted": "{+⌿(+⍀⍵)×⌽⌽⍵+1}",
    "several scans": "{⌈⌿(⌈⍀⍵)-⌊⍀⍵}",
    "several folds": "{(⌈⌿(⌈⍀⍵)-⍵)-⌊⌿(⌈⍀⍵)+⍵}",
    "what is made of folds": "{1+(⌊⌿(⌊⍀⍵)×⍵)÷2}",
    "what is made before": "{+⌿⌈⍀(2×⍵)-1}",
    "products": "{⌊⌿×⍀⍵}",
    "sums of scans of truth values": "{⌈⌿+⍀≠⍀⍵>1}",
    "another input": "{w←⌽⍵ ⋄ +⌿w×⌈⍀⍵}",
    "a row for all": "{w←⍵[1;] ⋄ ⌈⌿(⌈⍀⍵)-(⍴⍵)⍴w}",
}
IN_MEMORY = {
    "kept": "{a←+⍀⍵ ⋄ a⍪⌈⌿a}",
    "another order": "{⌈⌿(+⍀⍵)-⊖+⍀⍵}",
    "one behind": "{⌈⌿(1↓⍵)-¯1↓⌊⍀⍵}",
    "along rows": "{⌈/(⌈⍀⍵)-⍵}",
    "it may fail": "{⌈⌿(+⍀⍵)÷⍵}",
    "it may fail in two ways": "{⌈⌿(÷⍵)×÷+⍀⍵}",
    "from the right": "{-⌿+⍀⍵}",
    "truth values": "{+⌿≠⍀⍵>1}",
    "of truth values": "{(∧⌿∨⍀⍵>1)+≠⌿∧⍀⍵<2}",
}
RNG = np.random.default_rng(8)
SHAPES = ((0, 3), (3, 0), (1, 7), (7, 1), (9, 2), (5, 4), (33, 17), (5, 8200))


def matrices(shape: tuple[int, int]) -> list[Any]:
    """Matrices of a shape: of bytes, integers that overflow, truth values, doubles with NaN and zeros."""
    doubles = RNG.normal(size=shape)
    odd = RNG.choice([np.nan, 0.0, -0.0, 1.0, -np.inf, np.inf], shape)
    return [
        RNG.integers(0, 255, shape).astype(np.uint8),
        RNG.integers(-(2**63), 2**63 - 1, shape),
        RNG.integers(0, 2, shape).astype(np.bool_),
        np.where(RNG.random(shape) < 0.2, odd, doubles),
    ]


def result_of(function: Any, matrix: Any) -> Any:
    """What a function gives, or the error that it raises."""
    try:
        return np.asarray(function(matrix))
    except aplc.RunError as error:
        return str(error).splitlines()[0]


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("name", IN_ROWS | IN_MEMORY)
def test_values(name: str) -> None:
    text = (IN_ROWS | IN_MEMORY)[name]
    meaning = aplc.fn(text, target="interp")
    compiled = [aplc.fn(text, target=target) for target in ("c", "openmp")]
    strict = aplc.fn(text, target="c", strict_fp=True)
    for shape in SHAPES:
        for matrix in matrices(shape):
            with np.errstate(all="ignore"):
                wanted = result_of(meaning, matrix)
            is_real = not isinstance(wanted, str) and wanted.dtype.kind == "f"
            for found in compiled:
                got = result_of(found, matrix)
                told = shape, matrix.dtype, got, wanted
                if is_real:
                    assert np.allclose(got, wanted, 1e-6, 1e-6, equal_nan=True), told
                else:
                    assert np.array_equal(got, wanted), told
            if matrix.dtype == np.float64:
                assert np.array_equal(result_of(strict, matrix), wanted, equal_nan=is_real), shape


@needs_c
def test_two_arguments() -> None:
    """Lengths that are equal only for the run, and arguments of one element."""
    text = "{+⌿(⌈⍀⍵)×⍺}"
    meaning, *compiled = [aplc.fn(text, target=target) for target in ("interp", "c", "openmp")]
    for left, right in (
        ((9, 5), (9, 5)),
        ((9, 2), (9, 2)),
        ((1, 1), (9, 5)),
        ((9, 5), (1, 1)),
        ((0, 4), (0, 4)),
    ):
        w, m = RNG.normal(size=left), RNG.normal(size=right)
        for found in compiled:
            assert np.allclose(found(w, m), meaning(w, m), 1e-9, 1e-9)
    for found in compiled:
        with pytest.raises(aplc.RunError, match="LENGTH ERROR"):
            found(RNG.normal(size=(9, 5)), RNG.normal(size=(5, 9)))


def matrices_of(text: str) -> int:
    """How many matrices a function in C has in memory, its argument aside."""
    return aplc.fn(text).emit("c", "[double]2").count("aplc_alloc(aplc_count(2")


@pytest.mark.parametrize("name", IN_ROWS)
def test_scans_are_not_written(name: str) -> None:
    assert matrices_of(IN_ROWS[name]) == 0


@pytest.mark.parametrize("name", IN_MEMORY)
def test_others_are(name: str) -> None:
    assert matrices_of(IN_MEMORY[name]) > 0


@pytest.mark.parametrize(("storage", "is_in_memory"), [("int8", True), ("bool", True), ("int16", False)])
def test_scans_of_bytes_stay_in_memory(storage: str, *, is_in_memory: bool) -> None:
    """A lane for each byte is quicker than loops that widen what they combine."""
    for text in ("⌈⌿(⌈⍀m)-m", "+⌿⌊⍀m"):
        for target in ("c", "openmp"):
            made = c_of(text, Options(target=target), m=np.zeros((3, 2), storage))
            assert ("aplc_alloc(aplc_count(2" in made) == is_in_memory


def test_threads_share_wide_blocks() -> None:
    """The columns decide how wide blocks are."""
    made = {target: aplc.fn(IN_ROWS["greatest fall"]).emit(target, "[double]2") for target in ("c", "openmp")}
    assert "(omega_n1 + 8191) / 8192" in made["c"]
    assert "aplc_max_int(aplc_min_int(64 * ((omega_n1 + 255) / 256), 8192), 512)" in made["openmp"]


def test_equal_lengths_have_a_version() -> None:
    made = aplc.fn("{+⌿(⌈⍀⍵)×⍺}").emit("laila", "[double]2,[double]2")
    assert "for group < rows" in made
    assert "SCAN maxd" in made


def test_what_may_fail_in_one_way_is_taken_in_where_rows_are_not_short() -> None:
    made = {name: aplc.fn(IN_MEMORY[name]).emit("laila", "[double]2") for name in IN_MEMORY if "fail" in name}
    assert "if (3 < ⍵_n1) {" in made["it may fail"] and "for group < rows" in made["it may fail"]
    assert "for group < rows" not in made["it may fail in two ways"]
