"""Arrays that a loop writes whole are not filled before."""

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


def test_values() -> None:
    f = aplc.fn("∇ r←a f v;s;i\nr←(≢v)⍴0.0 ⋄ s←0.0\n:For i :In ⍳≢v\ns←(a×s)+v[i]\nr[i]←s\n:EndFor\n∇\nf")
    assert np.allclose(f(0.5, np.array([1.0, 2.0, 3.0])), [1.0, 2.5, 4.25])
    assert f(0.5, np.zeros(0)).shape == (0,)
