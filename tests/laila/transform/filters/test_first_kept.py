"""The first element that a filter keeps is sought."""

import numpy as np
import pytest

from aplc import run
from aplc.options import Options
from tests.support.compiling import compiled
from tests.support.machine import needs_c


@needs_c
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(
    "text",
    ["(≢v)+⊃⍬/⊃⍬/0", "⊃(v>2)/v+⊃(v>1)/v", "x←⊃(v>1)/v ⋄ y←⊃⌽(v>x)/v ⋄ ⊃(v<x+y)/v-y", "⊃(v>⊃(v>9)/v)/v"],
)
def test_what_is_sought_may_read_what_was_sought_before(text: str, level: int) -> None:
    """With its memory and its count gone."""
    for v in (np.array([1, 2, 3, 5]), np.arange(0), np.array([7])):
        program, given = compiled(text, Options("c", level, verify=True), v=v)
        (made,) = program.run(given, lambda *_: None)
        assert np.array_equal(np.asarray(made), np.asarray(run(text, target="interp", v=v)))
