"""Arrays that grow in loops: what they hold, and that they are not written anew in each round."""

import time

import numpy as np
import pytest

import aplc
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.compiling import c_of
from tests.support.machine import needs_c

SUM = """∇ z←f n;r;i
r←⍬
:For i :In ⍳n
START
r,←i×i
END
:EndFor
z←r
∇
"""


def squares(start: str = "", end: str = "") -> str:
    return SUM.replace("START", start).replace("END", end)


PROGRAMS = {
    "elements": squares(),
    "under a condition": squares(":If 0=3|i", ":EndIf"),
    "two at a time": squares("r,←i i"),
    "twice": squares("r,←-i"),
    "what it holds": squares("r,←+/¯2↑r"),
    "read behind it": squares("", "r[⌈i÷2]←+/r"),
    "begun anew": squares(":If 0=7|i ⋄ r←⍬ ⋄ :EndIf"),
    "other memory": squares(":If 0=7|i ⋄ r←1↓r ⋄ :EndIf"),
    "kept aside": squares("s←r", "r,←¯1↑s"),
    "in loops inside": squares(":For k :In ⍳i", ":EndFor").replace(";i", ";i;k"),
    "rows": "∇ z←f n;r;i\nr←0 3⍴0\n:For i :In ⍳n\nr⍪←i+⍳3\n:EndFor\nz←r\n∇\n",
    "texts": "∇ z←f n;r;i\nr←''\n:For i :In ⍳n\nr,←'abc'[1+3|i],' '\n:EndFor\nz←r\n∇\n",
    "items": "∇ z←f n;r;i\nr←0⍴⊂⍬\n:For i :In ⍳n\nr,←⊂⍳i|4\n:EndFor\nz←(≢r),(∊r),≢¨r\n∇\n",
    "an item": "∇ z←f n;r;i\nr←3⍴⊂⍬\n:For i :In ⍳n\nr[1+3|i],←i\n:EndFor\nz←(∊r),≢¨r\n∇\n",
    "items again": "∇ z←f n;r;i\nr←3⍴⊂⍬\n:For i :In ⍳n\nr[1+3|i]←⊂⍳i\n:EndFor\nz←(∊r),≢¨r\n∇\n",
    "part of itself": squares("r,←2↑r"),
    "rounds of an operator": "f←{1↓{⍵,+/¯3↑⍵}⍣⍵⊢1 1}\n",
    "tail calls": "f←{⍬{⍵=0:⍺ ⋄ (⍺,⍵*2)∇⍵-1}⍵}\n",
    "remainders": "f←{{⍵,1000007|+/⍵×⌽⍵}⍣⍵⊢,1}\n",
    "remainders in front": "f←{{(7|⍵+.×⍳≢⍵),⍵}⍣⍵⊢,1}\n",
    "complex": "∇ z←f n;r;i\nr←0⍴0J1\n:For i :In ⍳n\nr,←i×0J1*i\n:EndFor\nz←r\n∇\n",
}
WRITTEN_ANEW = {"read behind it", "begun anew", "other memory", "kept aside"}
"""Here something else gives the array its memory, or reads the old one later."""


def told(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name: str) -> None:
    source = Source("test", PROGRAMS[name])
    wanted = aplc.Function([source], "f", Options(target="interp"))
    given = aplc.Function([source], "f", Options())
    for n in (0, 1, 2, 3, 9, 40):
        assert told(given(n)) == told(wanted(n)), n


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - WRITTEN_ANEW))
def test_rounds_write_what_they_add(name: str) -> None:
    assert "room" in c_of(PROGRAMS[name] + "f n\n", Options(), n=5)


@needs_c
def test_an_item_that_grows_is_not_copied() -> None:
    f = aplc.fn("{g←2⍴⊂⍬ ⋄ _←{g[2],←⍵}¨⍳⍵ ⋄ (≢¨g),+/∊g}")
    f(1)
    started = time.process_time()
    assert told(f(100_000)) == [0, 100_000, 5_000_050_000]
    assert time.process_time() - started < 0.5  # copies take ten times as long


@needs_c
def test_a_round_may_take_fewer_than_there_are() -> None:
    """Such a copy, to memory for what it takes, has no more either."""
    text = "3{⍺≤0:⍵ ⋄ (⍺-1)∇ n↑⍵}{u←⍵ ⋄ u[2]←9 ⋄ u}v"
    v = np.arange(6)
    for n in (0, 2, 6, 9):
        expected = np.array([0, 9, 2, 3, 4, 5, 0, 0, 0])[:n]
        assert np.array_equal(aplc.fn("{n←⍵ ⋄ v←⍺ ⋄ " + text + "}")(v, n), expected)
    assert "aplc_min_int(" in c_of(text.replace("n↑", "(2+⍺)↑"), Options(), v=v)


@pytest.mark.parametrize("text", ["{{⍵,1000007|+/⍵×⌽⍵}⍣⍵⊢,1}", "{{⍵,7|+/⍵}⍣⍵⊢1 2}"])
def test_versions_for_small_numbers_are_one_element(text: str) -> None:
    """The two of them keep the same, though one tells its rounds to be small."""
    said = aplc.fn(text).emit("laila", "[int]0")
    assert said.count("alloc") == 2 and "put a[(round +" in said, said


@needs_c
@pytest.mark.parametrize("k", [-(2**63), -(2**63) + 4, -1, 0, 7, 2**63 - 1])
def test_what_is_kept_up_to_any_number(k: int) -> None:
    """Where the place at which a comparison changes sides would wrap, all is written anew."""
    text = "∇ r←n f k;i\nr←⍳n\n:For i :In ⍳3\nr←0,⍨(⍳≢r){(5+⍺)≤k:⍵ ⋄ 7}¨r\n:EndFor\n∇\nn f k\n"
    expected, found = [aplc.run(text, n=4, k=k, target=target) for target in ("interp", "c")]
    assert np.array_equal(found, expected)
