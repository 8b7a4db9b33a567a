"""Vectors to which loops add in front: what they hold, and that a round writes only what it adds."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import needs_c

LOOP = """∇ z←f n;r;i;s
r←⍬
s←0
:For i :In ⍳n
START
r←(i×i),r
END
:EndFor
z←r
∇
"""


def squares(start: str = "", end: str = "", result: str = "r") -> str:
    return LOOP.replace("START", start).replace("END", end).replace("z←r", f"z←{result}")


TURNED = {
    "elements": squares(),
    "sums": squares(result="+/r"),
    "two at a time": squares().replace("(i×i),r", "(i,-i),r"),
    "as many as the round": squares().replace("(i×i),r", "(⍳i),r"),
    "read in it": squares("", "s←s+⊃r"),
    "all read in it": squares("", "s←s++/r×⍳≢r", "s,r"),
    "read behind it": squares(result="(⌽r),(≢r),2↑r"),
    "in loops inside": squares(":For k :In ⍳i", ":EndFor").replace(";i", ";i;k"),
    "from some": squares().replace("r←⍬", "r←n,3 1 4"),
    "from what is computed": squares().replace("r←⍬", "r←⌽⍳n"),
    "pairs of sums": "∇ z←f n;r;x\nr←0⍴0.0\nx←0.5×⍳4×n\n:While 1<≢x\nr←(-/((⌊(≢x)÷2),2)⍴x),r\n"
    "x←+/((⌊(≢x)÷2),2)⍴x\n:EndWhile\nz←x,r\n∇\n",
    "made of the first": "f←{⊃{(⍺-⊃⍵),⍵}/⌽1,⍳⍵}\n",
    "made of them": "f←{⌽⊃{((2×⍺)-+/2↑⍵),⍵}/⌽1,⍳⍵}\n",
    "made of the last": squares().replace("(i×i),r", "(i+0⌊⊃⌽r),r"),
    "it may fail": squares().replace("(i×i),r", "(12÷i-5),r"),
    "texts": "∇ z←f n;r;i\nr←''\n:For i :In ⍳n\nr←'ab',r\n:EndFor\nz←r\n∇\n",
}
OTHERWISE = {
    "under a condition": squares(":If 0=3|i", ":EndIf"),
    "both ends": squares("", "r,←i"),
    "twice": squares("", "r←(-i),r"),
    "it changes": squares("", "r[⌈i÷2]←+/r"),
    "shorter again": squares(":If 0=7|i ⋄ r←1↓r ⋄ :EndIf"),
    "begun anew": squares(":If 0=7|i ⋄ r←⍬ ⋄ :EndIf"),
    "kept aside": squares("t←r", "s←s++/t").replace(";s", ";s;t"),
    "part of itself": squares().replace("(i×i),r", "(i,2↑r),r"),
    "two at a time may fail": squares().replace("(i×i),r", "(i,12÷i-5),r"),
    "rows": "∇ z←f n;r;i\nr←0 3⍴0\n:For i :In ⍳n\nr←(i+⍳3)⍪r\n:EndFor\nz←r\n∇\n",
    "rounds of an operator": "f←{{(+/2↑⍵),⍵}⍣⍵⊢1 1}\n",
    "tail calls": "f←{⍬{⍵=0:⍺ ⋄ ((⍵*2),⍺)∇⍵-1}⍵}\n",
    "until it is long": "f←{({(1+⊃⍵),⍵}⍣{9≤≢⍺}),⍵}\n",
}


def result_of(text: str, target: str, n: int) -> object:
    """What a program makes of a number, or the error that it raises."""
    try:
        return np.asarray(aplc.run(f"{text}f n\n", inputs={"n": n}, target=target)).tolist()
    except aplc.RunError as error:
        return str(error).splitlines()[0]


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("name", TURNED | OTHERWISE)
def test_values(name: str) -> None:
    text = (TURNED | OTHERWISE)[name]
    for n in (0, 1, 2, 3, 4, 9, 40):
        wanted = result_of(text, "interp", n)
        for target in ("c", "openmp"):
            assert result_of(text, target, n) == wanted, (target, n)


@pytest.mark.parametrize("name", [name for name in TURNED if name != "in loops inside"])
def test_a_round_writes_what_it_adds(name: str) -> None:
    assert "(2*room" in laila(f"{TURNED[name]}⎕←f ≢?100⍴9\n")


@pytest.mark.parametrize("name", ["it changes", "shorter again", "two at a time may fail", "rows"])
def test_others_are_written_anew(name: str) -> None:
    assert "(2*room" not in laila(f"{OTHERWISE[name]}⎕←f ≢?100⍴9\n")
