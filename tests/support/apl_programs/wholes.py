"""Programs of loops whose states are whole numbers in doubles: quotients behind conditions that nothing
remains, and others; what they begin with is whole or not, small, or about as large as integers that stand for
it may be.
"""

from random import Random

import numpy as np

from tests.support.apl_programs.trees import Node, Program, array, body, node

STARTS = [
    0, 1, 2, 6, 27, 96, 97, 720, 1001, -1, -8, -27, 0.5, 2.5, 1e300, -0.0,
    2**44 + 2, 2**45 * 3, 2**46 - 2, 2**46, 2**47 + 4, 2**52 + 8, 3**28 * 2,
]  # fmt: skip
DIVISORS = ["2", "3", "p", "5", "x"]


class Wholes:
    """Makes such programs of one or two states, a divisor p that counts, and a vector that grows."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.states = ["x", "y"][: random.randint(1, 2)]

    def program(self) -> Program:
        """A program with its inputs."""
        most = self.random.choice([5, 30, 100])
        until = (
            self.condition() if self.random.random() < 0.5 else array(self.pick(["x≠1", "x>1", "x≠0", "y<x"]))
        )
        statements = [self.statement(0) for _ in range(self.random.randint(1, 4))]
        tree = node(
            "body",
            "∇r←f x;y;p;k;s;k0;k1\ny←x-1 ⋄ p←2 ⋄ k←0 ⋄ s←⍬\n"
            f":While (k<{most})∧(%)\n%\nk←k+1\n:EndWhile\nr←x,y,p,k,(+/s),≢s\n∇\nf a",
            until,
            body(statements),
        )
        value = self.pick(STARTS)
        return Program(tree, {"a": np.array(value)})

    def pick(self, choices: list):  # type: ignore[no-untyped-def,type-arg]
        return self.random.choice(choices)

    def number(self, depth: int = 0) -> Node:
        """A number made of states by what keeps it whole."""
        chance = self.random.random()
        if depth > 2 or chance < 0.35:
            return array(self.pick(self.states), is_atom=True)
        if chance < 0.5:
            return array(self.pick(["0", "1", "2", "3", "7", "10"]), is_atom=True)
        return array(
            f"(%{self.pick(list('+-×+-⌈⌊'))}%)", self.number(depth + 1), self.number(depth + 1), is_atom=True
        )

    def condition(self, depth: int = 0) -> Node:
        """A condition about them."""
        chance, of = self.random.random(), self.pick(self.states)
        if chance < 0.45:
            return array(f"0={self.pick(DIVISORS)}|{of}")
        if chance < 0.6:
            return array(self.pick([f"1=2|{of}", f"2|{of}", f"2=3|{of}"]))
        if chance < 0.85 or depth > 1:
            return array(f"%{self.pick(list('<≤=≥>≠'))}%", self.number(), self.number())
        return array(f"(%){self.pick(list('∧∨'))}(%)", self.condition(depth + 1), self.condition(depth + 1))

    def assignment(self) -> Node:
        """A new value for a state."""
        state, chance = self.pick(self.states), self.random.random()
        if chance < 0.3:
            return node("statement", f"{state}←{state}÷{self.pick(DIVISORS)}")
        if chance < 0.5:
            return node("statement", f"{state}←{self.pick(['3', '5'])}×{state}")
        if chance < 0.65:
            return node("statement", f"{state}←{self.pick(['7', '1000', 'p'])}|%", self.number())
        if chance < 0.75:
            return node("statement", f"{state}←{self.pick(['⌊', '⌈'])}{state}÷2")
        return node("statement", f"{state}←%", self.number())

    def statement(self, depth: int) -> Node:
        """A statement, which may have others inside."""
        chance, state, divisor = self.random.random(), self.pick(self.states), self.pick(DIVISORS)
        quotient = node("statement", f"{state}←{state}÷{divisor}")
        if chance < 0.45 and depth < 3:
            exact = self.random.random() < 0.6
            cond = array(f"0={divisor}|{state}") if exact else self.condition()
            then = [quotient] if exact or self.random.random() < 0.3 else [self.assignment()]
            sides = [then + self.some(depth), self.some(depth) or [self.assignment()]]
            return node("statement", ":If %\n%\n:Else\n%\n:EndIf", cond, *map(body, sides))
        if chance < 0.55 and depth < 2:
            head = (
                f"k{depth}←0\n:While (k{depth}<40)∧(0={divisor}|{state})\n%\nk{depth}←k{depth}+1\n:EndWhile"
            )
            return node("statement", head, body([quotient, *self.some(depth + 1)]))
        if chance < 0.62:
            return node("statement", "p←p+1")
        added = self.pick([state, "0.5×⍳3|k", f"⌽{state}+⍳2"])
        return node("statement", f"s←s,{added}") if chance < 0.68 else self.assignment()

    def some(self, depth: int) -> list[Node]:
        """No statement, one or two."""
        return [self.statement(depth + 1) for _ in range(self.random.randint(0, 2))]


def program_of_wholes(random: Random) -> Program:
    """A program with its inputs."""
    return Wholes(random).program()
