"""Memory that rounds of loops ask for in sizes that change: what the arrays hold, and that it is kept."""

import numpy as np
import pytest

import aplc
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.compiling import c_of
from tests.support.machine import needs_c

LOOP = "∇ z←f n;i;k;r;s\nz←0\nr←⍳n\n:For i :In ⍳n\nBODY\n:EndFor\n∇\n"


def loop(*lines: str) -> str:
    return LOOP.replace("BODY", "\n".join(lines))


KEPT = {
    "shrinks": "f←{({(1↓⍵)-2×¯1↓⍵}⍣⍵)⍳3+⍵}\n",
    "grows": "f←{({1000|(⍵,0)+0,⍵}⍣⍵),1}\n",
    "two arrays": "f←{∊({(v s)←⍵ ⋄ s←3+¯1↓s ⋄ ((1↓v)⌈2+¯1↓v)s}⍣⍵)((⍳3+⍵)(⌽⍳3+⍵))}\n",
    "rows": "f←{({(1↓⍵)+2×¯1↓⍵}⍣⍵)(3+⍵)3⍴⍳7}\n",
    "what is kept": "f←{({(0≠5|⍵)/1+⍵}⍣⍵)⍳3×⍵}\n",
    "far smaller": "f←{({(⌊0.5×≢⍵)↑⍵}⍣12)⍳1000×⍵}\n",
    "of an item": "f←{+/{⊃({(1↓⍵)+2×¯1↓⍵}⍣⍵)⍳20+⍵}¨⍳⍵}\n",
    "by a guard": "f←{(⍳3+⍵){⍵=0:⍺ ⋄ 0=3|⍵:(⌽⍺)∇⍵-1 ⋄ ((1↓⍺)+2×¯1↓⍺)∇⍵-1}⍵}\n",
    "for a round": loop("s←⍋i⍴7 3 9 2", "z+←+/s×⌽s"),
    "for a round under a condition": loop(":If 0=2|i", "s←⍋i⍴7 3 9 2", "z+←+/s×⌽s", ":EndIf"),
    "in a loop inside": loop(":For k :In ⍳i", "s←⍋k⍴7 3 9 2", "z+←+/s×⌽s", ":EndFor"),
    "one after the other": loop("s←⍋i⍴7 3 9 2", "z+←+/s×⌽s", "s←⍋(i|5)⍴7 3 9 2", "z+←+/s×⌽s"),
    "items of a group, one after the other": "f←{g←4⍴⊂⍬ ⋄ g[⍵⍴1 2 1 3 1],←⍳⍵ ⋄ +/(≢¨g)×+/¨g}\n",
    "small behind large": loop("s←⍋(20000÷i*2)⍴7 3 9 2", "z+←+/s×⌽s").replace("÷i*2", "|1+997×i*3"),
}
OTHER = {
    "other memory": loop(":If i=4", "r←⍳n", ":Else", "r←(1↓r)+2×¯1↓r", ":EndIf", "z+←+/r"),
    "kept aside": loop("s←r", "r←(1↓r)+2×¯1↓r", "z+←+/r,s"),
    "begun in a loop": loop("r←⍳i", ":For k :In ⍳i", "r←(1↓r)+2×¯1↓r", ":EndFor", "z+←+/r"),
    "replaced in a loop inside, and handed on": loop(
        "s←r,⍳2000|30+i×317", ":For k :In ⍳3", "s←(⌊0.5×≢s)↑s+1", ":EndFor", "r←s", "z+←+/r"
    ),
    "complex": "f←{({(1↓⍵)+0J1×¯1↓⍵}⍣⍵)⍳3+⍵}\n",
    "texts": "f←{({(1↓⍵),'ab'}⍣⍵)'xyz'}\n",
}


def told(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("name", KEPT | OTHER)
def test_values(name: str) -> None:
    source = Source("test", (KEPT | OTHER)[name])
    wanted, given = (aplc.Function([source], "f", Options(target, verify=True)) for target in ("interp", "c"))
    for n in (0, 1, 2, 3, 9, 40):
        assert told(given(n)) == told(wanted(n)), n


@pytest.mark.parametrize("name", KEPT)
def test_rounds_keep_memory(name: str) -> None:
    assert "room" in c_of(KEPT[name] + "f n\n", Options(), n=5)
