"""What is known of arrays that loops carry, and what residues and lengths become by it."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

LOOPS = {
    "sums": "{({1000007|(0,⍵)+⍵,0}⍣⍵),1}",
    "differences": "{({97|(1⌽⍵)-⍵}⍣⍵)⍳10}",
    "thrice": "{({97|3×⍵}⍣⍵)⍳10}",
    "from below": "{({7|⍵-1}⍣⍵)3 0 6}",
    "beyond": "{({7|⍵+7}⍣⍵)3 0 6 ¯5}",
}


@pytest.mark.parametrize("name", LOOPS)
def test_values(name: str) -> None:
    compiled, wanted = aplc.fn(LOOPS[name]), aplc.fn(LOOPS[name], target="interp")
    for rounds in (0, 1, 2, 40, 300):
        assert np.array_equal(compiled(rounds), wanted(rounds)), rounds


@pytest.mark.parametrize(
    ("function", "has_residue"),
    [("97|(1⌽⍵)+⍵", False), ("97|(1⌽⍵)-⍵", False), ("97|3×⍵", True), ("97|⍵+98", True)],
)
def test_a_residue_nearby_is_a_comparison(function: str, *, has_residue: bool) -> None:
    made = laila(f"k←?9\nv←97|⍳?99\n({{{function}}}⍣k)v")
    assert ("resi(" in made[made.index("while") :]) is has_residue


@pytest.mark.parametrize(
    ("start", "has_divisors"), [("1 0 1 0", False), ("1 0 2 0", True), ("1 0 ¯1 0", True)]
)
def test_divisors_of_bits(start: str, *, has_divisors: bool) -> None:
    text = f"{{{{⍵∨(0,¯1↓⍵)∧0=3|⍳≢⍵}}⍣⍵⊢(∨/{start}),{start}}}"
    compiled, wanted = aplc.fn(text), aplc.fn(text, target="interp")
    for rounds in (0, 1, 3):
        assert compiled(rounds).tolist() == wanted(rounds).tolist()
    made = laila(f"k←?9\n{text}k")
    assert ("gcdi(" in made or "lcmi(" in made) is has_divisors


def test_rows_that_must_have_so_many_elements_have_them_in_a_version() -> None:
    text = "{d←⍵×⍤1⊢16⍴2 1 ⋄ +/0=10|+/d-9×d>9}"
    compiled, wanted = aplc.fn(text), aplc.fn(text, target="interp")
    for columns in (16, 1):
        given = np.arange(7 * columns).reshape(7, columns) % 10
        assert compiled(given) == wanted(given)
    with pytest.raises(aplc.RunError):
        compiled(np.zeros((7, 15), int))


@pytest.mark.parametrize(
    ("start", "step", "is_positive"),
    [("⍵", "⌊⍵÷3", False), ("0⌈⍵", "⌊⍵÷3", True), ("0⌈⍵", "1+⌊⍵÷3", True), ("0⌈⍵", "(⌊⍵÷3)-1", False)],
)
def test_what_is_divided_again_and_again_stays_positive(start: str, step: str, *, is_positive: bool) -> None:
    step = step.replace("⌊⍵÷3", "(⊃0 3⊤⍵)")
    text = f"{{({{{step}}}⍣4){start}}}"
    for given in (0, 5, 80, -5, -(2**63), 2**63 - 1):
        assert aplc.fn(text)(given) == aplc.fn(text, target="interp")(given)
    made = laila(f"k←?9\nv←?9\n({{{step}}}⍣k){start.replace('⍵', '(5-v)')}")
    assert ("floordiv(" not in made) is is_positive


def test_doubles_that_one_map_makes_are_in_a_range() -> None:
    """What lies between bounds that are known is an integer when it is rounded, and nothing is checked."""
    text = "{s←(+/⍵)÷7 ⋄ ⌊0.5+⍵×⍤1 0⊢s}"
    compiled, wanted = aplc.fn(text), aplc.fn(text, target="interp")
    for given in (np.arange(40).reshape(8, 5) % 2 == 0, np.zeros((0, 5), bool), np.full((3, 1), 2.5)):
        assert np.array_equal(compiled(given), wanted(given))
    assert "DOMAIN" not in aplc.fn(text).emit("laila", "[bool]2")
    assert "DOMAIN" in aplc.fn(text).emit("laila", "[double]2")
    with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
        compiled(np.array([[1e10, 1e200]]))
