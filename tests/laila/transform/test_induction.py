"""Variables of loops that change by the same number in each round."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.tail.errors import RunError
from tests.support.laila.text import laila

LOOP = "v←3 1 4 1 5 9 2 6\nf←{(k w)←⍵ ⋄ w[k]←w[k]+v[k] ⋄ (k+STEP)w}\n⎕←2⊃(f⍣ROUNDS)FIRST(8⍴0)"


def loop(first: int, step: int, rounds: int) -> str:
    text = LOOP.replace("STEP", f"{step}").replace("ROUNDS", f"{rounds}").replace("FIRST", f"{first}")
    return text.replace("-", "¯")


def checks(text: str) -> int:
    """The checks that are left in the Laila program."""
    return laila(text).count("check")


@pytest.mark.parametrize(("first", "step", "rounds"), [(1, 1, 8), (2, 2, 4), (8, -1, 8), (7, -3, 3)])
def test_indices_inside_are_not_checked(first: int, step: int, rounds: int) -> None:
    assert checks(loop(first, step, rounds)) == 0


@pytest.mark.parametrize(("first", "step", "rounds"), [(1, 1, 9), (0, 1, 8), (8, -1, 9), (2, 2, 5)])
def test_indices_outside_are(first: int, step: int, rounds: int) -> None:
    assert checks(loop(first, step, rounds)) > 0
    for target in ("interp", "c"):
        with pytest.raises(RunError, match="INDEX ERROR"):
            aplc.run(loop(first, step, rounds), target=target)


@pytest.mark.parametrize(
    "text",
    [
        "{2⊃({(k s)←⍵ ⋄ (k+1)(s+k×k)}⍣⍵)1 0}",
        "{({(k j s)←⍵ ⋄ (k+2)(j-3)(s+k×j)}⍣⍵)1 7 0}",
        "{({(k j)←⍵ ⋄ (j+1)(k+1)}⍣⍵)1 5}",  # they change places
        "{({(k s)←⍵ ⋄ m←k+1 ⋄ m(s+m×k)}⍣⍵)4 0}",
        "{({(k s)←⍵ ⋄ k(s+k)}⍣⍵)4 0}",
        "{({(k s)←⍵ ⋄ (k×2)(s+k)}⍣⍵)1 0}",
        "{({(k s)←⍵ ⋄ (k+1)(s+2⊃({(i t)←⍵ ⋄ (i+1)(t+i×k)}⍣k)1 0)}⍣⍵)1 0}",
        "{n←⍵ ⋄ ⊃({(k s)←⍵ ⋄ (k+1)(s+n-k)}⍣⍵)1 0}",
        "{2⊃({(k s)←⍵ ⋄ (k+4611686018427387904)(s+k)}⍣⍵)1 0}",  # wraps
        "{2⊃({(k s)←⍵ ⋄ (k+1)(s+k)}⍣⍵)9223372036854775800 0}",
    ],
)
@pytest.mark.parametrize("rounds", [0, 1, 2, 17])
def test_values(text: str, rounds: int) -> None:
    def value(target: str) -> Any:
        found = aplc.fn(text, target=target)(rounds)
        return found if isinstance(found, tuple) else (found,)

    for a, b in zip(value("c"), value("interp"), strict=True):
        assert np.array_equal(a, b)


TRIANGLE = """∇ r←f n;i;j
r←n⍴0
:For i :In ⍳n
    :For j :In INNER
        r[INDEX]+←j
    :EndFor
:EndFor
∇
f n"""


@pytest.mark.parametrize(
    ("inner", "index", "is_inside"),
    [
        ("i↓⍳n", "j", True),
        ("i↓⍳n", "j-i", True),
        ("(i-1)↓⍳n", "1+j-i", True),
        ("⍳i", "j", True),
        ("⍳i", "1+i-j", True),
        ("i+⍳n-i", "j", True),
        ("(i-1)↓⍳n", "j-i", False),
        ("i↓⍳n", "j+1", False),
        ("⍳i", "j+i", False),
        ("⍳n", "j", True),
        ("⍳n", "1+j-i", False),
    ],
)
def test_indices_of_inner_loops(inner: str, index: str, is_inside: bool) -> None:
    text = TRIANGLE.replace("INNER", inner).replace("INDEX", index)
    program = laila("n←≢⎕ReadIntVecFile 'x.txt'\n" + text)
    assert ("INDEX ERROR" not in program) == is_inside
    if is_inside:
        assert np.array_equal(aplc.run(text, n=4), aplc.run(text, n=4, target="interp"))
    else:
        for target in ("interp", "c"):
            with pytest.raises(RunError, match="INDEX ERROR"):
                aplc.run(text, n=4, target=target)


def test_what_a_branch_checks_is_not_known_behind_it() -> None:
    text = "∇ r←f n;i;t\nr←5⍴0\n:If n>0\nt←⍳n\nr[1]←≢t\n:EndIf\n:For i :In ⍳3\nr[i+n]+←1\n:EndFor\n∇\nf n"
    assert np.array_equal(aplc.run(text, n=2), aplc.run(text, n=2, target="interp"))
    with pytest.raises(RunError, match="INDEX ERROR"):
        aplc.run(text, n=-1)


CLENSHAW = """∇ r←c f x;a;b;k;t
a←0×x ⋄ b←a
:For k :In ⌽1↓⍳≢c
  t←c[k]+(2×x×a)-b ⋄ b←a ⋄ a←t
:EndFor
r←x×a-b
∇
"""


def test_bounds_in_rounds_over_what_is_behind_the_first(tmp_path: Path) -> None:
    """There is a round only where there are elements behind the first: they need no check, and all rounds are
    made for one element of the vectors.
    """
    path = tmp_path / "f.apl"
    path.write_text(CLENSHAW, encoding="utf-8")
    found, wanted = [aplc.load(path, target=t)["f"] for t in ("c", "interp")]
    assert "INDEX" not in found.emit("laila", "[double]1", "[double]1")
    for many in (0, 1, 2, 9):
        given = np.arange(many) + 0.5, np.arange(5) / 7
        np.testing.assert_allclose(found(*given), wanted(*given))
