"""Matrices whose columns stand one behind the other in loops that want columns."""

from __future__ import annotations

import re

import numpy as np
import pytest

import aplc
from aplc.tail.errors import RunError

SWEEP = "∇ q←a f q;k;j\n:For k :In ⍳ROUNDS\n:For j :In ⍳k-1\nBODY\n:EndFor\n:EndFor\n∇\nf"
BODIES = {
    "columns": "q[;k]-←q[;j]×0.1×q[;j]+.×q[;k]",
    "chosen": "q[;k]←q[;k]⌈0.5×q[;j]",
    "reversed": "q[;k]+←0.1×⌽q[;j]",
    "rows, too": "q[;k]-←0.1×q[;j] ⋄ q[1;]×←0.99",
    "one element": "q[;k]-←0.1×q[;j]×q[1;k]",
    "behind the last": "q[;k]-←0.1×q[;j+a]",
}
SHAPES = ((0, 0), (0, 3), (3, 0), (1, 1), (4, 1), (1, 4), (5, 3), (3, 5), (40, 7))


def text_of(body: str, rounds: str = "¯1↑⍴q") -> str:
    return SWEEP.replace("ROUNDS", rounds).replace("BODY", body)


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_values_and_errors(body: str) -> None:
    wanted, *found = [
        aplc.fn(text_of(body), target=target, strict_fp=strict)
        for target, strict in (("interp", False), ("c", True), ("openmp", True))
    ]
    for shape in SHAPES:
        for more in (0, 1, 3):
            m = 1 + np.arange(float(np.prod(shape))).reshape(shape) % 7
            for f in found:
                try:
                    value = wanted(more, m)
                except RunError as error:
                    with pytest.raises(RunError) as raised:
                        f(more, m)
                    assert str(raised.value) == str(error), (shape, more)
                    continue
                np.testing.assert_allclose(f(more, m), value, 1e-12, err_msg=f"{shape} {more}")


def is_turned(body: str, rounds: str = "¯1↑⍴q") -> bool:
    """Whether the columns are written one behind the other before the loops."""
    text = aplc.fn(text_of(body, rounds), target="c").emit("laila", "[int]0", "[double]2")
    return re.search(r"MAP \w+\[\(\((j\w*) \* \S+ \+ i_\d+\)\] over \1 ", text) is not None


def test_which_loops_want_columns() -> None:
    """All of them, and nothing but columns of the matrix."""
    turned = {name for name, body in BODIES.items() if is_turned(body)}
    assert {"columns", "chosen"} <= turned and turned.isdisjoint(("rows, too", "one element"))
    assert not is_turned(BODIES["columns"], "3")
