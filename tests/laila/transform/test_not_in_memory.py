"""Arrays that need no memory: folded over cells while these are computed, handed on, read in their loop only.

Values and errors are those of the interpreter, with cells for none, one and several strips.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.laila.transform.strip_mining import LANES
from aplc.tail.errors import RunError
from tests.support.days import of_today

CELLS = (0, 1, 2, LANES - 1, LANES, LANES + 1, 2 * LANES + 5)

SUMS = {
    "in strips": "{x←(⍵+⍳3)÷7 ⋄ w←4⍴0.0 ⋄"
    " step←{(k w)←⍵ ⋄ w[k+1]←(0.5×w[k])+x[k] ⋄ (k+1)w} ⋄ 1↓2⊃(step⍣3)1 w}",
    "integers": "{u←(⍵×⍳4)⌊100-⍵ ⋄ s←+/u ⋄ v←u⌈s-⍳4 ⋄ w←v×⌽u ⋄ (⌊/w),(⌈/v),(∨/w=s),(+/w>v),v⍳s}",
    "a branch": "{u←*(⍳4)÷1+⍵ ⋄ s←+/u ⋄ s>8: ⌽u÷s ⋄ u×s}",
    "numbers": "{⍵>5: +/⍳⍵ ⋄ x←(⍳5)×⍵ ⋄ step←{⍵+⌽⍵} ⋄ ⌈/(step⍣3)x}",
    "an error": "{u←⍟(30-⍵)+⍳4 ⋄ s←+/u ⋄ (⌽u),s}",
}
FOLDS = ("+⌿", "⌈⌿", "⌊⌿", "×⌿0.5⌈", "+⌿2*⍨")


def _outcome(text: str, *arguments: object, **options: Any) -> object:
    try:
        return aplc.fn(text, **options)(*arguments)
    except RunError as error:
        return str(error)


def _agree(text: str, *arguments: object) -> None:
    wanted = _outcome(text, *arguments, target="interp")
    for strict in (False, True):
        found = _outcome(text, *arguments, target="c", strict_fp=strict)
        if isinstance(wanted, str) or isinstance(found, str):
            assert found == wanted
            continue
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, rtol=0 if strict else 1e-9)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("cells", SUMS.values(), ids=list(SUMS))
@pytest.mark.parametrize("fold", of_today(FOLDS, 2))
def test_folds_over_cells(fold: str, cells: str) -> None:
    for n in CELLS:
        _agree(f"{{{fold}↑{cells}¨⍳⍵}}", n)


def test_several_folds_over_the_same_cells() -> None:
    for n in CELLS:
        _agree(f"{{m←↑{SUMS['a branch']}¨⍳⍵ ⋄ (+⌿m)×(⌈⌿m)-⌊⌿m}}", n)
        _agree(f"{{w←÷⍳⍵ ⋄ w+.×↑{SUMS['a branch']}¨⍳⍵}}", n)


def test_an_array_that_is_used_again_is_copied() -> None:
    text = "{s←⍵ ⋄ step←{(k s)←⍵ ⋄ 2>s[k]: (k+1)s ⋄ s[k]←9 ⋄ (k+1)s} ⋄ (2⊃(step⍣3)1 s),s}"
    _agree(text, np.array([1, 5, 0, 7]))
    text = (
        "{s←2×⍵ ⋄ step←{(k s t)←⍵ ⋄ 2>s[k]: (k+1)s t ⋄ s[k]←9 ⋄ (k+1)s s} ⋄ r←(step⍣3)1 s s ⋄ (2⊃r),(3⊃r),s}"
    )
    _agree(text, np.array([1, 0, 3, 7]))


def test_errors_of_an_array_that_nobody_reads() -> None:
    for text in ("{x←1÷⍵ ⋄ +/⍵}", "{x←1÷⍵ ⋄ y←1÷⍵ ⋄ +/⍵}", "{x←1÷⍵ ⋄ +/(⍵>0)×⍵}"):
        _agree(text, np.array([1.0, 0.0, 2.0]))
        _agree(text, np.array([1.0, 4.0, 2.0]))


def test_a_divisor_that_runs() -> None:
    for values in ([-1.0, 0.0, 5.0, 2.0], [0.0, -1.0], [3.0], [0.0, 0.0]):
        _agree("{⌈/1-⍵÷⌈\\⍵}", np.array(values))


@pytest.mark.parametrize(
    "cell",
    (
        "u←*(⍳4)÷⍵ ⋄ s←+/u ⋄ s>8: u ⋄ u÷s",
        "u←*(⍳4)÷⍵ ⋄ s←+/u ⋄ s>8: 2 2⍴u ⋄ 2 2⍴u÷s",
        "u←*(⍳4)÷⍵ ⋄ 2 2⍴u÷+/u",
        "(÷⍵),1",
        "2 2⍴(÷⍵),1",
        "(⍳⍵+2)÷⍵",
        "(⍳⍵+2)÷⍵+1",
    ),
)
def test_shape_without_cells(cell: str) -> None:
    _agree(f"{{⍴↑{{{cell}}}¨⍳⍵}}", 0)
