"""Programs of flags: zeros and ones of the text, as `n⍴0`, changed in place and combined by `∨` and `∧` in
loops, with a square matrix of bytes or integers that holds zeros and ones, and sometimes other numbers.

Numbers in a text are integers, and `∨` of integers is a common divisor; which of them are truth values is
inferred. So most of these programs are of flags alone, and some let one other number in, at one place.
"""

from __future__ import annotations

from random import Random

import numpy as np

from tests.support.apl_programs.trees import Node, Program, Value, array, body

FLAGS = (
    "(≢a)↑1", "(≢a)⍴0 1", "1,(¯1+≢a)⍴0", "⌽(≢a)↑1 1", "(≢a)⍴1", "(≢a)⍴0", "(≢a)↑1 0 1", "0,1↓(≢a)⍴1",
    "((≢a)⍴0 1)[⍋⍳≢a]", "2|⍳≢a", "×⍳≢a", "~(≢a)↑1", "1=⍳≢a", "0<+/a", "1⌊+/a",
)  # fmt: skip
OTHERS = ("(≢a)↑2", "(≢a)⍴0 1 2", "+/a", "⍳≢a", "a[1;]", "(≢a)⍴¯1 0", "0.5×(≢a)⍴0 2")
STEPS = (
    "(%∨%)", "(%∧%)", "(%⌈%)", "(%⌊%)", "(%×%)", "(a∨.∧%)", "(a∧.∨%)", "(%∨.∧a)", "(⌽%)", "(1⌽%)", "(%[⍋%])",
    "(~0<%)", "((≢a)↑%,%)", "(∨\\%)", "(∧\\%)", "((≢a)⍴%)", "({⍵∨1}¨%)", "({⍵∧0}¨%)", "(%{⍺∨⍵}¨%)",
    "({⍵=1:0 ⋄ 1}¨%)", "(∨⌿%∘.∧%)", "({x←⍵ ⋄ x[1]←0 ⋄ x}%)", "({x←⍵ ⋄ x[⍸0<%]←1 ⋄ x}%)", "((≢a)↑(0<%)/%)",
    "(1@(⍸0<%)⊢%)", "(∨/a∧⍤1⊢%)", "(⊃⌽(%)(%))", "(⊃∨/(%)(%))", "(∧⌿↑(%)(2×%))", "(↑{⍺⊢⍵}/(%)(2×%))",
    "(⊃⌽{⍵(2×⍵)}%)", "(0∨%)", "((≢a)⍴∨/%)",
)  # fmt: skip
RESULTS = ("%", "%", "s∨%", "+/%", "⍸%", "%/⍳≢a", "(∨/%),∧/%", "% %", "2×%", "%,0.5")


def _flags(random: Random, depth: int, names: tuple[str, ...], other: float) -> str:
    if depth == 0:
        if random.random() < 0.7:
            return random.choice(names)
        return f"({random.choice(OTHERS if random.random() < other else FLAGS)})"
    parts = random.choice(STEPS).split("%")
    inner = [_flags(random, depth - 1, names, other) for _ in parts[1:]]
    return "".join([parts[0], *[x + after for x, after in zip(inner, parts[1:], strict=True)]])


def program_of_flags(random: Random) -> Program:
    """A program of flags and a matrix."""
    choice, other = random.choice, random.choice((0.0, 0.1, 0.6))

    def made(depth: int, *names: str) -> str:
        return _flags(random, depth, names or ("s", "t"), other)

    first = f"u←{choice(('s', 't∨s', 'a∨.∧s', '1↓t,0', 's ⋄ u[1]←1', 's ⋄ u[⍸0<t]←0'))}"
    loops = (
        f"s←{{s←⍵ ⋄ {made(2)}}}⍣{choice('123')}⊢s",
        f"s←{{s←⍵ ⋄ s∨0<{made(1)}}}⍣≡s",
        f"s←{{k←0 ⋄ s←⍵ ⋄ {{s∨←⍵∧{made(1)} ⋄ k+←1 ⋄ s}}⍣2⊢s}}s",
        f":For i :In ⍳3 ⋄ s←{made(2, 's', 't', 'u')} ⋄ :If ∨/0<s ⋄ s[1]←{choice('01')} ⋄ :EndIf ⋄ :EndFor",
        f"k←0 ⋄ :While k<3 ⋄ t∨←{made(1)} ⋄ s←{made(1)} ⋄ k+←1 ⋄ :EndWhile",
        f"s←{made(3)}",
        f"s←({{⍵=0:s ⋄ {made(1)}∨∇⍵-1}}2)",
    )
    start = [
        f"s←{made(0, f'({choice(FLAGS)})')}",
        f"t←{choice(OTHERS if random.random() < other else FLAGS)}",
        first,
        choice(loops),
    ]
    result = choice(RESULTS).replace("%", made(1, "s", "t", "u"))
    is_one_line = "{" in start[-1]  # what is in a function stays there
    statements = start if is_one_line else " ⋄ ".join(start).split(" ⋄ ")
    lines = ["∇ z←f a;s;t;u;i;k", *statements, f"z←{result}", "∇", "f a"]
    numbers = np.random.default_rng(random.randrange(2**32))
    length = choice((0, 1, 2, 3, 5, 9, 33))
    most = 3 if random.random() < other else 2
    matrix: Value = (numbers.random((length, length)) < choice((0.1, 0.4))) * numbers.integers(
        1, most, (length, length)
    )
    dtype = choice(("bool", "int8", "int64", "int64"))
    nodes: list[Node] = [array(line) for line in lines]
    return Program(body(nodes), {"a": matrix.astype(dtype)})
