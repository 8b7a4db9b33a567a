"""Memory whose size only one version of a loop knows, which then lies on the stack and is not freed."""

import numpy as np

import aplc
from tests.support.machine import needs_c


@needs_c
def test_items_of_one_length_where_there_are_some() -> None:
    text = "{(⌽⍣⍺)≢¨3↑¨3↓∪1,/⍵}"
    for values in ([], [1, 2, 3, 4, 5, 6]):
        vector = np.array(values, dtype=np.int64)
        wanted = aplc.fn(text, target="interp")(False, vector).tolist()
        assert aplc.fn(text)(False, vector).tolist() == wanted
