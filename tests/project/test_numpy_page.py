"""Both sides of each row of docs/numpy.md have the same value."""

import functools
import re
from collections import Counter
from typing import Any

import numpy as np

import aplc
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "numpy.md"
ROW = re.compile(r"^\| `(.+)` \| `(.+)` \|$", re.MULTILINE)
ARRAYS: dict[str, Any] = {
    "x": np.array([3, 1, 4, 1, 5, 9]),
    "y": np.array([2, 7, 1, 8, 2, 8]),
    "v": np.array([0.5, 2.25, 1.75, 3.0]),
    "m": np.arange(12).reshape(3, 4) * 7 % 5,
    "k": np.arange(12).reshape(3, 4) - 4,
    "a": np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]),
    "b": np.array([True, False, True]),
    "n": 4,
}
MODULES = {"np": np, "functools": functools, "Counter": Counter}


def test_both_sides_of_each_row() -> None:
    rows = ROW.findall(PAGE.read_text("utf-8"))
    assert len(rows) >= 100
    wrong = [row for row in rows if not agree(*[side.replace("\\|", "|") for side in row])]
    assert not wrong, "\n".join([" and ".join(row) for row in wrong])


def agree(python: str, apl: str) -> bool:
    """Whether the two expressions have one value, of one shape."""
    bare = re.sub(r"'.*?'", "", apl)
    used = {name: value for name, value in ARRAYS.items() if re.search(rf"\b{name}\b", bare)}
    found = np.asarray(aplc.run(f"⎕IO←0\n{apl}", target="interp", inputs=used))
    wanted = np.asarray(eval(python, MODULES | ARRAYS))
    return found.shape == wanted.shape and np.allclose(found, wanted)


def test_a_row_that_is_wrong_is_seen() -> None:
    assert agree("x[1]", "x[1]") and not agree("x[1]", "x[2]") and not agree("np.zeros(2)", "0")
