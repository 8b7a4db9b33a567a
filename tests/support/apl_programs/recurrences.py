"""Programs of recurrences: rounds that make numbers of the last ones, and arrays of what they wrote before,
by residues, quotients and comparisons whose states are whole doubles, often so large that sums round, with
elements of an array that are small or anything, and folds of the same steps.
"""

from __future__ import annotations

from random import Random

import numpy as np

from tests.support.apl_programs.trees import Node, Program, Value, array, body

MODULI = (
    "(2*32)", "(2*16)", "(2*52)", "(1E9+7)", "(2*31)", "97", "(2*0.5)", "(-2*8)", "7.5", "(0.5×2*20)",
    "(2*3)", "(3*9)", "(2*62)",
)  # fmt: skip
FACTORS = ("33", "1664525", "3", "(2*20)", "0.5", "¯3", "(2*30)", "1", "65599", "1E5")
STEPS = (
    "%m|(x×%f)+e", "%m|e+x×%f", "%m|x+e", "e⌈%m|x", "%m|(x×%f)-e", "⌊x÷2", "(x÷2)⌊e", "1+3×x", "e",
    "%m|×/x e", "(%m|x×%f)⌈%m|e", "%m|(%f×%m|x)+%f×e", "|x-e", "%m|x*2",
)  # fmt: skip
CHOICES = ("{s}", "{s}", "{s}", "(0=2|x) at ({s}) or {t}", "(x>e) at ({s}) or {t}", "(e≥0) at ({s}) or {t}")
LOOPS = (
    "x←5 ⋄ :For e :In a ⋄ :X ⋄ :EndFor ⋄ z←x",
    "x←0 ⋄ k←0 ⋄ :While k<≢a ⋄ k←k+1 ⋄ e←a[k] ⋄ :X ⋄ :EndWhile ⋄ z←x,k",
    "x←7 ⋄ z←⍬ ⋄ :For e :In a ⋄ :X ⋄ z,←x ⋄ :EndFor",
    "z←7,a ⋄ :For k :In ⍳≢a ⋄ e←a[k] ⋄ x←z[k] ⋄ :X ⋄ z[k+1]←x ⋄ :EndFor",
    "z←1 2,a ⋄ :For k :In ⍳≢a ⋄ e←z[k] ⋄ x←z[k+1] ⋄ :X ⋄ z[k+2]←x ⋄ :EndFor",
    "z←0,a ⋄ :For k :In ⌽⍳≢a ⋄ e←3 ⋄ x←z[k+1] ⋄ :X ⋄ z[k]←x ⋄ :EndFor",
    "z←4,a ⋄ :For k :In ⍳≢a ⋄ e←2 ⋄ x←z[k] ⋄ :X ⋄ z[k+1]←x ⋄ :If x>50 ⋄ z[1]←k ⋄ :EndIf ⋄ :EndFor",
    "z←,3 ⋄ :For e :In a ⋄ x←⊃⌽z ⋄ :X ⋄ z←z,x ⋄ :EndFor",
    "z←,3 ⋄ :For e :In a ⋄ x←⊃z ⋄ :X ⋄ z←x,z ⋄ :EndFor",
    "x←9 ⋄ y←1 ⋄ :For e :In a ⋄ :X ⋄ k←x ⋄ x←y ⋄ :X ⋄ y←x ⋄ x←k ⋄ :EndFor ⋄ z←x,y",
    "z←{e←⍺ ⋄ x←⍵ ⋄ :D}/a",
    "z←{e←⍺ ⋄ x←⍵ ⋄ :D}/a,5",
    "z←{e←⍺ ⋄ x←⍵ ⋄ :D}/2 2⍴a,1 2 3 4",
    "z←{e←3 ⋄ x←⍵ ⋄ :D}⍣4⊢5",
    "z←{e←2 ⋄ x←⊃⌽⍵ ⋄ ⍵,:D}⍣4⊢,5",
    "z←{e←⍵ ⋄ x←5 ⋄ :D}¨a",
)  # fmt: skip


def _step(random: Random) -> str:
    step = random.choice(STEPS)
    while "%" in step:
        kind = step[step.index("%") + 1]
        step = step.replace(f"%{kind}", random.choice(MODULI if kind == "m" else FACTORS), 1)
    return step


def program_of_recurrences(random: Random) -> Program:
    """A program of one loop or fold over the elements of an array."""
    loop, choice = random.choice(LOOPS), random.choice(CHOICES)
    while ":X" in loop or ":D" in loop:
        steps = {"s": _step(random), "t": _step(random)}
        value = choice.format(**steps)
        if " at " in value:
            cond, rest = value.split(" at ")
            first, other = rest.split(" or ")
            value = f"{cond}:{first} ⋄ {other}"
            told = f":If {cond} ⋄ x←{first} ⋄ :Else ⋄ x←{other} ⋄ :EndIf"
        else:
            told = f"x←{value}"
        place = ":X" if ":X" in loop else ":D"
        inline = value if ":" not in value else f"{{{value}}}0"
        loop = loop.replace(place, told if place == ":X" else inline, 1)
    numbers = np.random.default_rng(random.randrange(2**32))
    length = random.choice((0, 1, 2, 3, 7, 40))
    kind = random.choice(("small", "small", "large", "any", "double", "whole", "byte"))
    values: Value = numbers.integers(0, 100, length)
    if kind == "large":
        values = numbers.integers(0, 2**50, length)
    elif kind == "any":
        values = numbers.integers(-(2**62), 2**62, length) >> numbers.integers(0, 62, length)
    elif kind == "double":
        values = numbers.normal(0, 50, length)
    elif kind == "whole":
        values = numbers.integers(-5, 2**30, length) * 1.0
    elif kind == "byte":
        values = values.astype(np.uint8)
    statements = [loop] if "{" in loop else loop.split(" ⋄ ")
    lines = ["∇ z←f a;x;y;e;k", *statements, "∇", "f a"]
    nodes: list[Node] = [array(line) for line in lines]
    return Program(body(nodes), {"a": values})
