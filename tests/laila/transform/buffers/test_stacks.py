"""Stacks, queues and rows in loops: what they hold, and that no round copies them."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.machine import needs_c

ROUNDS = """∇ z←f v;x;s;t;r
s←t←0⍴0
r←0
:For x :In v
BODY
:EndFor
z←s,0,t,r
∇
"""
CALLS = "f←{v←⍵ ⋄ {(s t i)←⍵ ⋄ i>≢v:s,0,t ⋄ v[i]>0:∇MORE(i+1) ⋄ ∇LESS(i+1)}(0⍴0)(0⍴0)1}\n"


def rounds(more: str, less: str) -> str:
    return ROUNDS.replace("BODY", f":If x>0 ⋄ {more} ⋄ :Else ⋄ {less} ⋄ :EndIf")


def calls(more: str, less: str) -> str:
    return CALLS.replace("MORE", more).replace("LESS", less)


PROGRAMS = {
    "a stack": rounds("s←s,x", "s←¯1↓s"),
    "two results of a choice": rounds("s←s,x", "r←r+⊢/s,1 ⋄ s←¯1↓s"),
    "numbers of elements": rounds("s←s,x", "s←x↓s"),
    "takes": rounds("s←s,x", "s←((≢s)⌊-x)↑s"),
    "the last elements": rounds("s←s,x", "s←(-(≢s)⌊3)↑s"),
    "in front": rounds("s←x,s", "s←1↓s"),
    "at both ends": rounds(":If 2|x ⋄ s←x,s ⋄ :Else ⋄ s←s,x ⋄ :EndIf", "s←1↓¯1↓s"),
    "a queue": rounds("s←s,x", "s←(1↓s),⊃s"),
    "begun anew": rounds("s←s,x", "t←t,≢s ⋄ s←0⍴0"),
    "in turn": rounds("s←s,x", "t←t,¯1↑s ⋄ s←¯1↓s"),
    "loops inside": rounds(
        "s←s,x", ":While 2<≢s ⋄ t←t,⊃⌽s ⋄ s←¯1↓s ⋄ :If 7=≢s ⋄ :Leave ⋄ :EndIf ⋄ :EndWhile"
    ),
    "calls": calls("(s,v[i])t", "(¯1↓s)t"),
    "calls with two": calls("(s,v[i])(t,≢s)", "(¯2↓s)(1↓t)"),
    "calls that take off both": calls("(v[i],s)(t,v[i])", "(1↓s)((¯1↓t),7)"),
    "a fold": "f←{⊃{⍺>0:⍵,⍺ ⋄ ¯1↓⍵}/(⌽⍵),⊂0⍴0}\n",
    "rounds of an operator": "f←{v←⍵ ⋄ ⊃({(s i)←⍵ ⋄ v[i]>0:(s,v[i])(i+1) ⋄ (¯1↓s)(i+1)}⍣(≢v))(0⍴0)1}\n",
    "what is left": "f←{0{0=≢⍵:⍺ ⋄ (⍺+⊃⍵)∇1↓⍵}⍵}\n",
    "truth values": rounds("s←s,x", "s←¯1↓s").replace("s←t←0⍴0", "s←0⍴0=1 ⋄ t←⍬").replace("s,x", "s,x>3"),
    "texts": rounds("s←s,x", "s←¯1↓s")
    .replace("s←t←0⍴0", "s←'' ⋄ t←⍬")
    .replace("s,x", "s,'ab'[1+2|x]")
    .replace("z←s", "z←('b'=s)"),
    "rows": rounds("s←s⍪x,≢s", "s←¯1↓s").replace("s←t←0⍴0", "s←0 2⍴0 ⋄ t←⍬").replace("z←s", "z←(,s)"),
    "a matrix that is filled": (
        "∇ z←f v;g;s;x;y\ng←60 60⍴0\ns←1 2⍴1\nz←0\n:While 0<≢s\nx←s[≢s;1] ⋄ y←s[≢s;2] ⋄ s←¯1↓s\n"
        ":If 0=g[x;y] ⋄ g[x;y]←1 ⋄ z←z+1\n:If x>1 ⋄ s←s⍪(x-1),y ⋄ :EndIf\n"
        ":If x<60⌊≢v ⋄ s←s⍪(x+1),y ⋄ :EndIf\n"
        ":If y>1 ⋄ s←s⍪x,y-1 ⋄ :EndIf\n:If y<60⌊≢v ⋄ s←s⍪x,y+1 ⋄ :EndIf\n:EndIf\n:EndWhile\n∇\n"
    ),
}
READ_BEFORE = {
    "turned": calls("(s,v[i])t", "((¯2↓s),⌽¯2↑s)t"),
    "moved round": calls("(s,v[i])t", "((¯3↓s),1⌽¯3↑s)t"),
    "many of it": calls("(s,v[i])t", "(s,(2⌊≢s)↑s)t"),
    "by another": calls("(s,v[i])t", "((¯1↓s),7)(t,⊃⌽s)"),
    "by each other": calls("(s,v[i])(t,-v[i])", "((¯1↓s),⊃⌽t)((¯1↓t),⊃⌽s)"),
    "handed on": calls("(s,v[i])t", "(s,5,⊃⌽s)s"),
    "in front of it": calls("(s,v[i])t", "((⌽2↑s),3↓s)t"),
    "kept": rounds("s←s,x", "t←s ⋄ s←¯1↓s ⋄ s[2⌊≢s]←9").replace("s[2⌊≢s]", "s[⍳2⌊≢s]"),
    "a loop that is left": rounds(
        "s←s,x", ":While 0<≢s ⋄ t←s ⋄ s←1↓s,x ⋄ :If 2|≢t ⋄ :Leave ⋄ :EndIf ⋄ s←¯1↓s ⋄ :EndWhile"
    ),
}
"""Here elements are written where others lie that are still wanted."""


def of_text(text: str, target: str) -> Callable[[Any], Any]:
    return aplc.Function([Source("test", text)], "f", Options(target=target, verify=True))


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("name", [*PROGRAMS, *READ_BEFORE])
def test_values(name: str) -> None:
    text = {**PROGRAMS, **READ_BEFORE}[name]
    wanted, given = of_text(text, "interp"), of_text(text, "c")
    draw = np.random.default_rng(5)
    for count in (0, 1, 2, 9, 60):
        v = draw.integers(-3, 7, count)
        np.testing.assert_array_equal(given(v), wanted(v), str(v))


@needs_c
@pytest.mark.parametrize("name", PROGRAMS)
def test_rounds_do_not_copy(name: str) -> None:
    f = of_text(PROGRAMS[name], "c")
    f(np.array([1, -1]))
    many = 100_000
    v = np.concatenate([np.full(many, 5), np.tile([3, -1], many // 2)])
    started = time.process_time()
    f(v)
    assert time.process_time() - started < 0.5  # with copies it takes more than a second
