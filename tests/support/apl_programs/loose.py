"""Loose programs: functions and operators of all kinds in any order, of arrays of any kind, right or wrong.

What the other programs are not: arrays of arrays, complex numbers and texts meet any primitive, with axes,
ranks, `@`, `⌸`, `⌺`, `⍣` and in any nesting; selections of any array are assigned; loops and functions that
call themselves apply any function. Two of three are refused, which costs little.
"""

from __future__ import annotations

from random import Random

import numpy as np

from tests.support.apl_programs.layouts import laid_out
from tests.support.apl_programs.trees import Node, Program, Value, array, body, function, used

MONADIC = tuple("+-×÷*⍟⌈⌊|!○~≠⍴⍳,⍪⌽⊖⍉↑↓⊃≡≢∊⍋⍒⍸∪⊂⊆⌹⊢⍕,⍪⌽⊖⍉↑↓⊃≢∊⊂")
DYADIC = tuple(r"+-×÷*⍟⌈⌊|!○∧∨⍲⍱<≤=≥>≠⍴⍳,⍪⌽⊖⍉↑↓⊃≡≢∊⍸∪∩~/⌿\⍀⊂⊆⌷⊥⊤⍷⍋⊢⊣")
ONE = (
    *(["%¨"] * 2),
    *[f"(%⍤{k})" for k in ("0", "1", "2", "¯1", "1 0")],
    *[f"(%⍣{k})" for k in ("2", "0", "¯1")],
    *[f"(%@{k})" for k in ("1", "(2>)", "1 2", "(⊂1 1)", "(1 2)(2 1)")],
    *("{%⍵}⌸", "{⍺ % ⍵}⌸", "({%⍵}⌺3)", "({%⍵}⌺3 3)", "({%⍵}⌺(⍪3 2))", "{⍵ %⍵}", "{0=≢⍵:⍵ ⋄ %⍵}", "{⍵,%⍵}"),
)
"""Operators and definitions with one argument."""
TWO = ("%¨", "∘.%", "%⍨", "(%⍤0 1)", "(%⍤1)", "(%⍤¯1)", "(%⍤99 0)", "(%⍣2)", "(%@1)", "{⍺ %⍵}", "{⍺,⊂⍺ %⍵}")
AXES = ("+[1]", "×[2]", ",[1]", ",[0.5]", "⌽[1]", "⊖[2]", "↑[1]", "↓[2]", "/[1]", "⍪[2]")
FOLDS = (*[f"%{o}" for o in "/⌿\\⍀"], "%/[1]", "%\\[2]", "⌽[1]", "↓[1]", "⊂[1]", "⊂[2]", ",[1.5]", ",[1 2]")
CONSTANTS = (
    *("⍬", "(1 2)", "(2 1)", "(1 0 1)", "((1 2)(3 4))", "('ab' 1)", "('ab' 'c')", "0", "1", "2", "¯1"),
    *(
        "1.5",
        "'a'",
        "'abc'",
        "''",
        "(⍳3)",
        "(2 3⍴⍳6)",
        "(⊂1 2)",
        "(,1)",
        "(1 1⍴2)",
        "(0 3⍴0)",
        "2J1",
        "(0⍴⊂'')",
    ),
)
NESTED = ("(↓%)", "(⍳¨|%)", "(⊂⌽%)", "({⊂⍵}⌸,%)", "(1 2↑¨⊂%)", "(,⊂%)", "(2,/,%)")
"""Arrays of arrays, of an input."""
SHAPES = ((), (3,), (4,), (0,), (1,), (2, 3), (3, 3), (1, 1), (0, 3), (3, 0), (2, 0, 3), (2, 3, 2))
SELECTIONS = (
    *(
        "x[1]",
        "x[2 1]",
        "(2↑x)",
        "(⊃x)",
        "(,x)",
        "(¯1↑x)",
        "(1⊃x)",
        "x[1;]",
        "x[;1]",
        "(1 1⍉x)",
        "(⌽x)",
        "(1↓x)",
    ),
    *("(1↑¨x)", "x[⊂1 1]", "(∊x)", "(⊃¨x)", "(1↑⌽x)", "(2 2↑x)", "(1⊃⌽x)", "x[1;2]", "(¯2↑,x)", "(1↑⍉x)"),
)
LOOP = "r←%\n∇ f v;i\n:For i :In v\nr←r % i\n:EndFor\n∇\nf %\nr"
RECURSION = "f←{0=≢⍵:⍵ ⋄ %∇1↓⍵}\nf %"


class _Loose:
    def __init__(self, random: Random) -> None:
        self.random, self.inputs = random, dict[str, Value]()

    def input(self) -> Node:
        """An array of any kind."""
        random = self.random
        if len(self.inputs) < 4:
            shape = random.choice(SHAPES)
            kind = random.choice(("int64", "int64", "int8", "float64", "float32", "bool", "U1", "complex128"))
            values = {"U": "abc é", "b": (False, True), "f": (0.5, -1.5, 2.0, 0.0), "c": (0, 1, 2j, 1 - 1j)}
            some = [random.choice(values.get(np.dtype(kind).kind, range(-3, 5))) for _ in range(24)]
            made = np.array(some[: int(np.prod(shape))], kind).reshape(shape)
            self.inputs[f"a{len(self.inputs)}"] = laid_out(made, random) if shape else made
        return array(random.choice(list(self.inputs)), is_atom=True)

    def array(self, depth: int) -> Node:
        random = self.random
        way = random.random()
        if depth <= 0 or way < 0.1:
            if way < 0.35:
                return array(random.choice(CONSTANTS), is_atom=True)
            return self.input() if way < 0.75 else array(random.choice(NESTED), self.input(), is_atom=True)
        if way < 0.5:
            return array("% %", self.one(1), self.array(depth - 1))
        if way < 0.94:
            return array("«% % %", self.array(depth - 2), self.two(1), self.array(depth - 1))
        return array("«% «%", self.array(depth - 1), self.array(depth - 1))

    def one(self, depth: int) -> Node:
        """A function of one argument."""
        way = self.random.random()
        if depth == 0 or way < 0.5:
            return function(self.random.choice(MONADIC), is_atom=True)
        if way < 0.65:
            return function(self.random.choice(FOLDS).replace("%", self.random.choice(DYADIC)), is_atom=True)
        return function(self.random.choice(ONE), self.one(depth - 1), is_atom=True)

    def two(self, depth: int) -> Node:
        """A function of two arguments."""
        way = self.random.random()
        if depth == 0 or way < 0.6:
            return function(self.random.choice(DYADIC), is_atom=True)
        if way < 0.7:
            return function("%.%", self.two(0), self.two(0), is_atom=True)
        if way < 0.77:
            return function(self.random.choice(AXES), is_atom=True)
        return function(self.random.choice(TWO), self.two(depth - 1), is_atom=True)

    def program(self) -> Program:
        way = self.random.random()
        if way < 0.65:
            statements = [self.array(self.random.randint(1, 4))]
        elif way < 0.8:
            modifier = self.random.choice(["", "", "+", ",", "⌈"])
            changed = array(f"{self.random.choice(SELECTIONS)}{modifier}←%", self.array(1))
            statements = [array("x←%", self.array(2)), changed, array("x")]
        elif way < 0.9:
            statements = [array(LOOP, self.array(1), self.two(1), self.array(1))]
        else:
            statements = [array(RECURSION, self.one(1), self.array(2))]
        tree = body(statements)
        return Program(tree, used(self.inputs, tree))


def program_of_loose(random: Random) -> Program:
    """A program with its inputs."""
    return _Loose(random).program()
