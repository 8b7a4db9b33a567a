"""Products of truth values in words."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(64)
SHAPES = [
    (16, 64, 16),
    (17, 65, 40),
    (40, 127, 16),
    (33, 200, 70),
    (15, 64, 16),
    (20, 63, 20),
    (1, 90, 20),
    (20, 0, 20),
]


def sides(rows: int, steps: int, columns: int, share: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Two matrices of truth values, with rows and columns among them that have all of them, or none."""
    a, b = RNG.random((rows, steps)) < share, RNG.random((steps, columns)) < share
    a[::5], b[:, ::7] = True, False
    b[:, 1::7], a[2::5] = True, False
    return a, b


@pytest.mark.in_turn(12)
@pytest.mark.parametrize("g", "∧∨=≠<>≤≥⍲⍱×⌊⌈")
@pytest.mark.parametrize("f", "+∨∧≠⌈")
def test_values(f: str, g: str) -> None:
    text = f"{{⍺{f}.{g}⍵}}"
    for target in ("c", "openmp"):
        compiled, wanted = aplc.fn(text, target=target), aplc.fn(text, target="interp")
        for shape in SHAPES:
            for share in (0.5, 0.99, 0.01):
                a, b = sides(*shape, share)
                assert np.array_equal(compiled(a, b), wanted(a, b)), (target, shape)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize(
    "text",
    [
        "{⍵+.=⍉⍵}",
        "{(+/,⍵×⍵+.×⍵)÷6}",
        "{⍵∨⍵∨.∧⍵}",
        "{{⍵∨⍵∨.∧⍵}⍣≡⊢⍵}",
        "{r←⍵ ⋄ r⊣{r∨←r∨.∧r}¨⍳3}",
        "{(⍵<.5)+.∧~⍵<.2}",
        "{(,⍵∧.=⍉⍵)⍳1}",
        "{⌈/,⍵+.∧⍉⍵}",
        "{+/,90 80↑⍵+.∧⍵}",
        "{80 90↑⍵∨.∧⍵}",
        "{(∨⌿⍵)∨.∧⍵}",
        "{⍵∨.∧∨/⍵}",
        "{(1↓⍵)+.≠⍉¯1↓⍵}",
        "{x←⍵ ⋄ ((2⌊⍴x)↑x)←1 ⋄ x+.∧x}",
        "{⍵×⍵+.∧⍵}",
        "{0=≢⍵:0 ⋄ +/∨/⍵∧.∨⍵}",
    ],
)
def test_where_they_stand(text: str) -> None:
    """In folds, in rounds, of computed truth values, with one side a vector, and taken beyond its end."""
    for size in (0, 1, 63, 64, 70, 130):
        matrix = RNG.random((size, size))
        given = matrix if "<" in text else matrix < 0.1
        for target in ("c", "openmp"):
            found, wanted = [aplc.fn(text, target=t)(given) for t in (target, "interp")]
            assert np.array_equal(found, wanted), (target, size)


@pytest.mark.parametrize(
    ("text", "is_packed"),
    [
        ("⎕←b+.∧b", True),
        ("⎕←b∧.=⍉b", True),
        ("⎕←b+.×b", True),
        ("⎕←+/,b×b+.×b", True),
        ("⎕←b∨.∧b ⋄ ⎕←b", True),
        ("⎕←b≠.∧b", False),
        ("⎕←b+.×m", False),
        ("⎕←b[;⍳63]+.∧b[⍳63;]", False),
    ],
)
def test_which_are(text: str, is_packed: bool) -> None:
    made = laila(f"m←100 100⍴7|⍳10000 ⋄ b←m>3\n{text}")
    assert ("bitat(" in made) == is_packed
    assert made.count("product") == 0


def test_rows_that_are_not_wanted_are_not_counted() -> None:
    text = laila("b←100 100⍴0=7|⍳10000\n⎕←+/,b×b+.×b")
    assert "? REDUCE addi over w" in text
