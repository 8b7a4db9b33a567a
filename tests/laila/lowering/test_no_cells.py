"""Functions of no cells: extents are those for a cell of fills, or 0 where the function fails for it."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device

DATA_TELL = (
    "⍵[⍸x>2]",  # fails where a cell is shorter than x, in a statement
    "⍵[k+⍸x>2]",
    "(+/x[⍵+k])↑x",  # in a fold
    "(+/x[⍵+k+9])↑x",
    "x[∪⍵+k]",  # in an element
    "x[∪⍵+k+9]",
    "(∪⍵)∘.÷x-k",
    "(⍸⍵=0)[k]⍴1",
    "(+\\x[1+⍵])/⍵",  # in a scan
    "(+\\x[⍵])/⍵",
    "{⍵/⍨x[⍵]>0}⍵",  # in a filter
    "({⍵>9:⍵ ⋄ ∇⍵+x[k]}⊃⍵)⍴1",  # in a loop, or not
    "({⍵>9:⍵ ⋄ ∇⍵+x[k+⍵]}⊃⍵)⍴1",
    "{⍵[⍸x>2]}⍤1⊢2 5⍴⍵,1",  # in cells of cells
    "{⍵[⍸x>2]}⍤1⊢2 2⍴⍵,1",
    "(⍸⍵=0)⌹⍵",
)
SHAPES = ((0, 0), (0, 1), (0, 3), (0, 5), (0, 6), (2, 5))


@pytest.mark.parametrize("body", DATA_TELL)
@pytest.mark.parametrize(
    "target", [pytest.param("c", marks=needs_c), pytest.param("opencl", marks=needs_device)]
)
def test_extents_that_data_tell(body: str, target: TargetName) -> None:
    text = f"{{k←⊃⍵ ⋄ x←1↓⍵ ⋄ {{{body}}}⍤1⊢⍺}}"
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    x = np.array([2, 1, 2, 3, 4, 5])
    for shape in SHAPES:
        cells = np.zeros(shape, dtype=int)
        try:
            expected = np.asarray(wanted(cells, x))
        except aplc.Error:
            with pytest.raises(aplc.Error):
                found(cells, x)
            continue
        value = np.asarray(found(cells, x))
        assert value.shape == expected.shape, shape
        assert np.array_equal(value, expected), shape
