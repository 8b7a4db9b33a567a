"""Elements that were written just before: what is read again, and that values stay the same."""

from pathlib import Path

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

LOOPS = {
    "a recurrence": "y[i]←x[i]+0.5×c\n    c←y[i]",
    "through two stores": "y[i]←x[i]×2\n    y[i]←y[i]+1\n    c←y[i]",
    "another element": "y[i]←x[i]\n    y[1]←c\n    c←y[i]",
    "an index that changes": "y[i]←x[i]\n    k←1\n    c←y[k]+y[i]",
    "a value that changes": "y[i]←c\n    c←c+x[i]\n    c←c+y[i]",
    "behind a condition": "y[i]←x[i]\n    :If c>2\n        y[i]←0\n    :EndIf\n    c←c+y[i]",
}


def program(body: str) -> str:
    return f"∇ r←f x;y;c;i;k\ny←x×0\nc←0.0\nk←1\n:For i :In ⍳≢x\n    {body}\n:EndFor\nr←y,c\n∇\n"


@pytest.mark.parametrize("name", LOOPS)
def test_values(name: str, tmp_path: Path) -> None:
    text = program(LOOPS[name])
    path = tmp_path / "f.apl"
    path.write_text(text, "utf-8")
    compiled, wanted = aplc.load(path)["f"], aplc.load(path, target="interp")["f"]
    for n in (1, 2, 7):
        given = np.arange(1.0, n + 1) / 4
        assert np.array_equal(compiled(given), wanted(given)), n


@pytest.mark.parametrize(
    ("name", "is_read"), [("a recurrence", False), ("another element", True), ("behind a condition", True)]
)
def test_what_is_read_again(name: str, *, is_read: bool) -> None:
    made = laila(program(LOOPS[name]) + "f ÷⍳?5")
    loop = made[made.index("while") :]
    written = next(line.split()[1] for line in loop.splitlines() if line.strip().startswith("put"))
    assert (f"= {written}" in loop or f"+ {written}" in loop) is is_read
