"""Long folds: sums in blocks of narrow lanes, sums and extrema in two halves. Lengths are the run's."""

from typing import Literal

import numpy as np
import pytest

import aplc

LENGTHS = (0, 1, 2, 3, 4, 63, 64, 65, 4095, 4096, 4097, 8192, 10_000)


@pytest.mark.parametrize("sign", (1, -1))
def test_a_sum_of_narrow_integers(sign: int) -> None:
    total = aplc.fn("{+/(11×19|⍵)-⌊⍵÷100}", target="c")
    for n in LENGTHS:
        years = sign * np.arange(n) * 1657
        assert total(years) == np.sum(11 * (years % 19) - years // 100), n


@pytest.mark.parametrize("start", (0, -5000, 2**24 - 3, -(2**24), 2**40, -(2**40)))
def test_a_sum_over_an_index(start: int) -> None:
    total = aplc.fn("{+/(30|⍺+⍳⍵)+7|⌊(⍺+⍳⍵)÷100}", target="c")
    for n in LENGTHS:
        numbers = start + 1 + np.arange(n)
        assert total(start, n) == np.sum(numbers % 30 + numbers // 100 % 7), n


def test_a_sum_that_needs_64_bits() -> None:
    assert aplc.fn("{+/65535|-⍳⍵}", target="c")(200_000) == np.sum(-np.arange(1, 200_001) % 65535)
    assert aplc.fn("{+/2147483646⌊⍵}", target="c")(np.full(9999, 2**40)) == 9999 * 2147483646
    assert aplc.fn("{+/¯100000⌈100000⌊⍵}", target="c")(np.full(70_000, -(2**40))) == -7_000_000_000


def test_conditions_are_counted() -> None:
    count = aplc.fn("{+/(⍵>3)∧⍵<7}", target="c")
    for n in LENGTHS:
        numbers = np.arange(n, dtype=np.int16) % 11
        assert count(numbers) == np.sum((numbers > 3) & (numbers < 7)), n


def test_several_folds_in_one_loop() -> None:
    alike = aplc.fn("{1000 1+.×(+/⍺∧⍵),+/⍺∨⍵}", target="c")
    ends = aplc.fn("{(⌊/⍵),(⌈/⍵),+/⍵}", target="c")
    mixed = aplc.fn("{(+/⍵>3),(+/⍵),⌈/⍵}", target="c")
    for n in LENGTHS[1:]:
        a, b = np.arange(n) % 3 == 0, np.arange(n) % 5 != 0
        assert alike(a, b) == 1000 * np.sum(a & b) + np.sum(a | b), n
        x = np.random.default_rng(n).normal(size=n)
        assert np.allclose(ends(x), [np.min(x), np.max(x), np.sum(x)], 1e-9, 1e-9), n
        numbers = np.arange(n, dtype=np.int16) % 11
        assert mixed(numbers).tolist() == [np.sum(numbers > 3), np.sum(numbers), np.max(numbers)], n
        x[n // 2] = np.nan
        assert np.isnan(ends(x)).all(), n


def test_halves() -> None:
    sum_of, dot = aplc.fn("{+/⍵}", target="c"), aplc.fn("{⍺+.×⍵}", target="c")
    greatest, least = aplc.fn("{⌈/⍵}", target="c"), aplc.fn("{⌊/|⍵}", target="c")
    for n in LENGTHS:
        x = np.random.default_rng(n).normal(size=n)
        assert np.isclose(sum_of(x * x), np.sum(x * x), rtol=1e-12)
        assert np.isclose(dot(x, x), np.sum(x * x), rtol=1e-12)
        if n:
            assert greatest(x) == np.max(x) and least(x) == np.min(np.abs(x))


@pytest.mark.parametrize("n", (1, 2, 3, 64, 65))
def test_not_a_number_wins_wherever_it_stands(n: int) -> None:
    greatest = aplc.fn("{⌈/⍵}", target="c")
    for place in range(n):
        x = np.arange(float(n))
        x[place] = np.nan
        assert np.isnan(greatest(x)), place


def test_a_condition_is_tested_once() -> None:
    """The second square root of the same number cannot fail where the first did not."""
    roots = aplc.fn("{(⍵*0.5)+3×⍵*0.5}", target="c")
    assert roots(np.array([4.0, 9.0])).tolist() == [8.0, 12.0]
    with pytest.raises(aplc.AplcError):
        roots(np.array([4.0, -9.0]))


def test_both_sides_of_a_diagonal() -> None:
    texts = ("{⍵≡⍉⍵}", "{∧/∧/⍵=⍉⍵}", "{∨/∨/⍵≠⍉⍵}", "{+/+/⍵=⍉⍵}", "{⌈/⌈/⍵-⍉⍵}", "{⌊/⌊/|⍵-⍉⍵}", "{⍵≡-⍉⍵}")
    for text in texts:
        meaning, *found = [aplc.fn(text, target=target) for target in ("interp", "c", "openmp")]
        for n in (0, 1, 31, 32, 33, 70):
            m = np.random.default_rng(n).integers(0, 9, (n, n))
            for place in (None, (0, 0), (n // 2, n - 1), (n - 1, 0)):
                both = m + m.T
                if place is not None and n > 0:
                    both[place] += 1
                assert [f(both) for f in found] == [meaning(both)] * 2, (text, n, place)


def test_what_reads_across_a_matrix_that_is_not_square() -> None:
    either = aplc.fn("{∨/∨/(⍉⍺)≠⍵}", target="c")
    a = np.arange(40 * 70).reshape(40, 70)
    assert not either(a, a.T)
    for place in ((69, 0), (0, 39), (69, 39), (33, 38)):
        b = a.T.copy()
        b[place] += 1
        assert either(a, b)


@pytest.mark.parametrize("kind", ("bool", "int8", "uint8", "int16", "uint16"))
def test_narrow_integers_by_place(kind: str) -> None:
    """Blocks of places are so short that the sums fit, whatever the type holds."""
    ends = (0, 1) if kind == "bool" else (np.iinfo(kind).min, np.iinfo(kind).max)
    sums = aplc.fn("{(+/⍵),(+/⍵×⍳≢⍵),+/⍵×1+(≢⍵)-3×⍳≢⍵}", target="c")
    for n in (*LENGTHS, 70_000):
        for end in ends:
            v, place = np.full(n, end, kind), 1 + np.arange(n)
            v[: n // 3] = ends[1]
            by_place = [np.sum(v, dtype=int), np.sum(v * place), np.sum(v * (1 + n - 3 * place))]
            assert sums(v).tolist() == by_place, (n, end)


@pytest.mark.parametrize("places", ("⎕D", "'aeiou'"))
def test_places_of_characters(places: str) -> None:
    """Where a character is among constants is as narrow as that says."""
    total, wanted = [aplc.fn(f"{{+/¯1+{places}⍳⍵}}", target=target) for target in ("c", "interp")]
    assert "part += " in total.emit("c", "[char]1")
    for n in LENGTHS:
        text = np.array(list("0a9x\U0001f600e5"))[np.arange(n) * 7 % 8 % 7]
        assert total(text) == wanted(text), n


@pytest.mark.parametrize("target", ("c", "openmp"))
def test_rows_of_narrow_integers(target: Literal["c", "openmp"]) -> None:
    """Long rows are added up in narrow lanes, short ones as they are, and sixteen digits in 16 bits."""
    sums = aplc.fn("{+/⍵×⍵>3}", target=target)
    luhn = aplc.fn("{d←⍵×⍤1⊢16⍴2 1 ⋄ +/0=10|+/d-9×d>9}", target=target)
    for rows, columns in ((0, 3), (3, 0), (2, 63), (2, 64), (3, 5000), (40, 16)):
        m = np.random.default_rng(rows).integers(0, 256, (rows, columns)).astype(np.uint8)
        assert sums(m).tolist() == np.sum(m * (m > 3), axis=1, dtype=int).tolist(), m.shape
        if columns == 16:
            d = m.astype(int) * ([2, 1] * 8)
            assert luhn(m) == np.sum(np.sum(d - 9 * (d > 9), axis=1) % 10 == 0)


@pytest.mark.parametrize("divisor", (3, 7, 26, 2**14 + 1))
def test_residues_of_small_sums(divisor: int) -> None:
    """Up to four times the divisor two subtractions do."""
    rest = aplc.fn(f"{{{divisor}|({divisor}|⍵)+({divisor}|⍵)+{divisor}|3+⍵}}", target="c")
    for n in LENGTHS[:8]:
        v = np.arange(n, dtype=np.uint16)
        wanted = (v % divisor + v % divisor + (v.astype(int) + 3) % divisor) % divisor
        assert rest(v).tolist() == wanted.tolist(), n


STEPS = (
    "{{2147483647|⍺+31×⍵}/⌽⎕UCS ⍵}",
    "{{97|⍺+10×⍵}/3+⎕UCS ⍵}",
    "{{1000007|⍺-3×⍵}/⎕UCS ⍵}",
    "{{5|⍺-⍵}/-⎕UCS ⍵}",
    "{{1000000007|⍺+7×⍵}/(≢⍵)⍴¯9223372036854775808 3}",
    "{{2147483647|⍺+31×⍵}/2 5⍴⎕UCS ⍵}",
)
"""Folds that divide, of states that are not negative behind the first step, or may be."""


@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("text", STEPS)
def test_states_between_bounds(text: str, target: Literal["c", "openmp"]) -> None:
    """What a step makes of any state bounds it, and so does what it begins with."""
    found, meaning = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    for length in (1, 2, 3, 17, 300):
        given = "".join(chr(33 + k * 37 % 90) for k in range(length))
        assert np.array_equal(found(given), meaning(given))


def test_a_state_that_is_not_negative_is_divided_at_once() -> None:
    """The next step waits for it."""
    made = aplc.fn(STEPS[0]).emit("c", "[char]1")
    assert "% 2147483647" in made and "aplc_residue" not in made
    assert "aplc_residue" in aplc.fn(STEPS[2]).emit("c", "[char]1")
