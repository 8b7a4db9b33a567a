"""Points in lanes: columns of matrices of all widths, and pairs of short rows. Values are those of NumPy.

Strips are empty, short, or whole but for one point; rows are short, or just too long.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from aplc import RunError, fn
from aplc.calling.options import TargetName
from aplc.laila.transform.register_tiling import SIZES
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.kernel_runs import kernels
from tests.support.machine import needs_c

Value = np.ndarray[Any, Any]

WIDTHS = (1, 2, 40, SIZES.points - 1, SIZES.points, SIZES.points + 1, 2 * SIZES.points + 36)

POINTS = (1, SIZES.least_points - 1, SIZES.least_points, SIZES.points, SIZES.points + 5)

LENGTHS = (0, 1, 3, SIZES.short_fold, SIZES.short_fold + 1)

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


def _matrix(rows: int, columns: int) -> Value:
    return np.random.default_rng(rows + 1000 * columns).standard_normal((rows, columns))


@pytest.mark.parametrize("width", WIDTHS)
def test_columns(width: int) -> None:
    """Columns made to have mean 0 and deviation 1; the mean is used twice."""
    standardise = fn("{d←⍵-⍤1⊢(+⌿⍵)÷≢⍵ ⋄ d÷⍤1⊢0.5*⍨(+⌿d×d)÷≢⍵}")
    m = _matrix(9, width)
    expected = (m - m.mean(0)) / m.std(0)
    np.testing.assert_allclose(standardise(m), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("width", WIDTHS)
def test_folds_of_columns_in_one_loop(width: int) -> None:
    """Sums that are not written to memory, among them one that is NaN."""
    m = _matrix(7, width)
    largest = fn("{⌈/+/⍉|⍵}")
    assert largest(m) == pytest.approx(np.abs(m).sum(0).max())
    m[3, -1] = np.nan
    assert np.isnan(largest(m))


@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("length", LENGTHS)
def test_pairs_of_rows(points: int, length: int) -> None:
    """The distance to the nearest other row, where rows are short and where they are not."""
    nearest = fn("{⌊/(1E9×i∘.=i←⍳≢⍵)+0.5*⍨+/2*⍨⍵(-⍤1⍤1 2)⍵}")
    x = _matrix(points, length)
    distances = np.sqrt(((x[:, None] - x[None]) ** 2).sum(2)) + 1e9 * np.eye(points)
    np.testing.assert_allclose(nearest(x), distances.min(1), rtol=1e-9)


def test_a_row_with_nan() -> None:
    """Whatever is compared with it is NaN, in whichever lane."""
    nearest = fn("{⌊/+/|⍵(-⍤1⍤1 2)⍵}")
    x = _matrix(70, 3)
    x[66, 1] = np.nan
    assert np.isnan(nearest(x)).all()


@pytest.mark.parametrize("steps", (1, 4, 7, 9))
def test_products_of_extrema_with_nan(steps: int) -> None:
    """NaN wins among several steps: as an element, a sum of infinities, or the result so far."""
    a, b = _matrix(6, steps), _matrix(steps, 70)
    a[1, steps // 2], b[steps - 1, 5] = np.nan, np.nan
    a[2, 0], b[0, 7] = np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        terms = a[:, :, None] + b[None]
    np.testing.assert_array_equal(fn("⌊.+")(a, b), terms.min(1))
    np.testing.assert_array_equal(fn("⌈.+")(a, b), terms.max(1))


def test_indices_of_nested_folds_are_not_confused() -> None:
    """Folds that are equal but for the names of their indices, and some that are not."""
    both = fn("{m←⍵ ⋄ (+⌿m×⍤1⊢+⌿m)+(+⌿m×⍤1⊢+⌿m)-+⌿m×m}")
    m = _matrix(5, 67)
    expected = 2 * m.sum(0) * m.sum(0) - (m * m).sum(0)
    np.testing.assert_allclose(both(m), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("rows", (1, SIZES.rows - 1, SIZES.rows, SIZES.rows + 1, 3 * SIZES.rows + 2))
@pytest.mark.parametrize("width", (5, SIZES.points, SIZES.points + 3))
def test_rows_that_share_what_they_read(rows: int, width: int) -> None:
    """Of products that cannot accumulate in the result: it has another type, or there are two of them."""
    rng = np.random.default_rng(rows + width)
    a, b = rng.integers(-9, 10, (rows, 6)), rng.integers(-9, 10, (6, width))
    product, least = a @ b, (a[:, :, None] + b[None]).min(1)
    np.testing.assert_array_equal(fn("{0.5×⍺+.×⍵}")(a, b), 0.5 * product)
    np.testing.assert_array_equal(fn("{(⍺+.×⍵)⌈⍺⌊.+⍵}")(a, b), np.maximum(product, least))


@pytest.mark.parametrize("target", ["c", "openmp"])
def test_the_last_point_is_repeated_in_lanes_that_are_left(target: str) -> None:
    """Folds that need nothing but the number of their point: none of the lanes behind it counts."""
    bits = fn("{{+/{≠/0≠⍵ ⎕INT32AND 1 ⎕INT32SHL ¯1+⍳30}¨⍵}¯1+⍳⍵}", target=target)
    divided = fn("{+/{+/⌊1000÷⍵+⍳7}¨⍳⍵}", target=target)
    each = fn("{{+/(⍵×⍳9)÷1+⍳9}¨⍳⍵}", target=target)
    for n in (0, *WIDTHS):
        k = np.arange(n)
        parity = sum(bin(i).count("1") % 2 for i in range(n))
        assert bits(n) == parity
        assert divided(n) == sum(1000 // (i + j) for i in range(1, n + 1) for j in range(1, 8))
        j = np.arange(1, 10)
        np.testing.assert_allclose(each(n), ((k[:, None] + 1) * j / (1 + j)).sum(1), rtol=1e-9)


def test_errors_in_the_last_points() -> None:
    """A check in a fold fails for the point where it fails, and for none behind the last one."""
    divided = fn("{{+/÷⍵-⍳9}¨100+⍳⍵}")
    for n in (1, 63, 64, 65, 100):
        assert divided(n).shape == (n,)
    fails = fn("{{+/÷⍵-66+⍳9}¨⍳⍵}")
    assert fails(66).shape == (66,)
    with pytest.raises(RunError, match="divides by zero"):
        fails(67)


def test_constants_of_a_fold_stand_in_tables() -> None:
    """What depends on the step alone is not computed in each of them, and once where it is needed twice."""
    text = c_of("+/{≠/0≠⍵ ⎕INT32AND 1 ⎕INT32SHL ¯1+⍳30}¨⍳n", Options(), n=5)
    assert text.count("static const int32_t table") == 1
    inside = text[text.index("+= 64") :]
    assert "shift_left" not in inside[: inside.index("reduction")]


def test_what_lanes_compute_from_round_to_round_stays_in_registers() -> None:
    """OpenMP is told of no flag that lanes raise between two rounds: gcc would clear memory for it."""
    text = c_of("{x←⍵ ⋄ {y←⍵ ⋄ {100<⍵:⍵ ⋄ ∇y+⍵×⍵}y}¨x}v", Options(), v=[0.5])
    rounds = text[text.index("while (") :]
    assert "APLC_LANES_RAISE(some)" in rounds[: rounds.index("for (")]
    assert "reduction(" not in rounds
    escape = fn("{x←⍵ ⋄ {y←⍵ ⋄ {100<⍵:⍵ ⋄ ∇y+⍵×⍵}y}¨x}")
    np.testing.assert_array_equal(escape(np.array([200.0, 10.5])), [200.0, 120.75])


def test_of_what_stays_in_lanes_that_have_ended_one_variable_is_chosen_and_others_are_blended() -> None:
    """Choices by the same condition would be branches, and what they store in memory."""
    growth = "{0{⍵>100:⍺ ⋄ (⍺+1)∇⍵×1.01}¨⍵}"
    text = c_of(growth + "v", Options(), v=[0.5])
    rounds = text[text.index("while (some") : text.index("whole < ")]
    assert len(re.findall(r"s\[j\] = x\d \? x\d : s\[j\];", rounds)) == 2
    assert len(re.findall(r"s1\[j\] = aplc_blend_int\(x\d, x\d?, s1\[j\]\);", rounds)) == 2
    given = np.concatenate([[np.inf, 1e-3, 100.0, 101.0], np.geomspace(0.1, 99, 90)])
    wanted = [0]
    for x in given[1:]:
        rounds_of_one = 0
        while not x > 100 * (1 + 1e-14):
            x, rounds_of_one = x * 1.01, rounds_of_one + 1
        wanted.append(rounds_of_one)
    for target in ("c", "openmp"):
        np.testing.assert_array_equal(fn(growth, target=target)(given), wanted)


@pytest.mark.parametrize("target", ("c", "openmp"))
def test_how_many_points_loop_side_by_side_is_a_constant_where_they_do(target: TargetName) -> None:
    """So C compilers keep what changes in registers; as a parameter of the function it would be in memory."""
    text = c_of("{x←⍵ ⋄ {y←⍵ ⋄ {100<⍵:⍵ ⋄ ∇y+⍵×⍵}y}¨x}v", Options(target), v=[0.5])
    strip = text[text.index("strip++") :]
    declared = "const int64_t lanes = aplc_round_lanes(32, "
    assert declared in strip[: strip.index("while (")] and text.count(declared) == 2
    assert re.search(r"for \(int64_t \w+ = 0; \w+ < lanes; \w+\+\+\)", strip)


def test_a_kernel_has_as_many_lanes_for_rounds_as_there_may_be() -> None:
    """Its compiler is not told which processor it is for."""
    text = kernels("{x←⍵ ⋄ {y←⍵ ⋄ {100<⍵:⍵ ⋄ ∇y+⍵×⍵}y}¨x}v", {"v": np.array([0.5])})
    assert "< 32;" in text and "round_lanes" not in text


def test_flags_of_lanes_in_a_counted_loop_are_known_to_openmp() -> None:
    """gcc would exchange the loops otherwise, and step over the result row by row."""
    assert "APLC_FEW_LANES(reduction(|:bad))" in c_of("v∘.÷¯8.5+⍳16", Options(), v=[0.5])
