"""Arrays that a loop writes whole are not filled before."""

from pathlib import Path

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

TEXT = "∇ r←f v;s;i\n{}\ns←0\n:For i :In ⍳≢v\n{}\n:EndFor\n∇\nv←9|7×⍳99\n⎕←f (v>3)/v\n"


@pytest.mark.parametrize(
    ("begin", "body", "filled"),
    [
        ("r←(≢v)⍴0", "r[i]←v[i]×s ⋄ s←s+1", False),
        ("r←(≢v)⍴0.5", "s←s+v[i] ⋄ r[i]←÷s", False),
        ("r←(1+≢v)⍴0", "r[i]←v[i]×s ⋄ s←s+1", True),
        ("r←(≢v)⍴0", "r[i]←r[1⌈i-1]+v[i]", True),
        ("r←(≢v)⍴0", "r[i]+←v[i]", True),
        ("r←(≢v)⍴0", "s←s+1 ⋄ r[1+(≢v)|i]←s", True),
        ("r←(≢v)⍴0 ⋄ r[2]←5", "r[i]←v[i]×s ⋄ s←s+1", True),
        ("r←(≢v)⍴0 ⋄ ⎕←r", "r[i]←v[i]×s ⋄ s←s+1", True),
        ("r←(≢v)⍴0", ":If s>3 ⋄ r[i]←v[i] ⋄ :EndIf ⋄ s←s+1", True),
        ("r←(≢v)⍴0", "r[i]←v[i]×s ⋄ s←s+1 ⋄ :If s>9 ⋄ :Leave ⋄ :EndIf", True),
    ],
)
def test_which_are(begin: str, body: str, filled: bool) -> None:
    text = TEXT.format(begin, body)
    made = laila(text)
    fill = "{ 0.5 }" if "0.5" in begin else "{ 0 }"
    assert (fill in made) == filled, made
    assert str(aplc.run(text, target="c")) == str(aplc.run(text, target="interp"))


ROWS = "∇ r←f m;s;i;t\n{}\ns←0×m[1;]\n:For i :In ⍳≢m\n{}\n:EndFor\n∇\n"


@pytest.mark.parametrize(
    ("begin", "body", "filled"),
    [
        ("r←(⍴m)⍴0.25", "s←s+m[i;] ⋄ r[i;]←s", False),
        ("r←(⍴m)⍴0.25", "r[i;]←m[i;]-s ⋄ s←s+r[i;]×2", False),
        ("r←((≢m),3)⍴0.25", "r[i;]←3↑m[i;]", False),
        ("r←(⍴m)⍴0.25", "r[i;]←m[i;]-s ⋄ s←s+⌽r[i;]", True),
        ("r←(⍴m)⍴0.25", "s←s+m[i;] ⋄ r[i;2]←s[1]", True),
        ("r←((1+≢m),1↓⍴m)⍴0.25", "r[i;]←m[i;]", True),
        ("r←(⍴m)⍴0.25", "r[i;]←m[i;]+r[1⌈i-1;]", True),
        ("r←(⍴m)⍴0.25", "r[i;]+←m[i;]", True),
        ("r←(⍴m)⍴0.25", ":If m[i;1]>2 ⋄ r[i;]←m[i;] ⋄ :EndIf", True),
        ("r←(⍴m)⍴0.25", "r[1+(≢m)-i;]←m[i;]", True),
        ("r←(⍴m)⍴0.25", "s←s+m[i;] ⋄ r[i;]←s ⋄ :If s[1]>9 ⋄ :Leave ⋄ :EndIf", True),
    ],
)
def test_which_are_that_rounds_write_row_by_row(begin: str, body: str, filled: bool, tmp_path: Path) -> None:
    path = tmp_path / "rows.apl"
    path.write_text(ROWS.format(begin, body), "utf-8")
    wanted, *others = [aplc.load(path, target=each)["f"] for each in ("interp", "c", "openmp")]
    assert ("{ 0.25 }" in others[0].emit("laila", "[double]2")) == filled
    for shape in ((5, 4), (1, 3), (7, 1), (1, 2), (0, 3), (3, 0)):
        given = np.random.default_rng(3).integers(0, 5, shape) / 2
        try:
            value = wanted(given)
        except aplc.Error as error:
            for each in others:
                with pytest.raises(aplc.Error) as found:
                    each(given)
                assert str(found.value) == str(error)
        else:
            assert all(np.array_equal(each(given), value) for each in others), shape


def test_values() -> None:
    f = aplc.fn("∇ r←a f v;s;i\nr←(≢v)⍴0.0 ⋄ s←0.0\n:For i :In ⍳≢v\ns←(a×s)+v[i]\nr[i]←s\n:EndFor\n∇\nf")
    assert np.allclose(f(0.5, np.array([1.0, 2.0, 3.0])), [1.0, 2.5, 4.25])
    assert f(0.5, np.zeros(0)).shape == (0,)
