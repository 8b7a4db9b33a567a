"""Random APL programs as text, with inputs for them, over everything that the compiler implements.

Generation works from a goal: an expression of one kind of elements whose value has one shape. Every
production reaches its goal by goals for its operands, and makes the inputs that it needs on the way, so that
most programs run to their end although the compiler knows no extent of an input. Now and then a length, a
count or an index is wrong on purpose, and a third of the programs are wild: extreme integers, infinities,
NaN, and functions outside their domain. A program is kept as a tree of text patterns, which is what
`apl_programs_trees.smaller` cuts pieces out of.
"""

from random import Random

from tests.support.apl_programs.goals import Scope, spelt
from tests.support.apl_programs.loops import Loops
from tests.support.apl_programs.trees import Node, Program, Shape, array, body, used


class Generator(Loops):
    """The state of one generation, and all productions."""

    def array(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        """An expression with elements of that kind and of that shape."""
        if base == "double" and self.chance(0.15):
            base = self.pick("int", "bool")
        if base == "int" and self.chance(0.1):
            base = "bool"
        if fuel <= 0 or self.chance(0.06):
            return self.leaf(base, shape, scope)
        if scope.on_host and not scope.quiet and self.chance(0.03):
            return array("⎕←%", self.array(base, shape, fuel - 1, scope))
        if self.chance(0.05):
            return self.local(base, shape, fuel, scope)
        makers = self.structural(shape) + (self.numeric(base, shape) * 2 if base != "char" else [])
        for _ in range(20):
            made = self.random.choice(makers)(base, shape, fuel - 1, scope)
            if made is not None:
                return made
        return self.leaf(base, shape, scope)

    def program(self) -> Program:
        scope = Scope()
        statements = [] if self.tolerance == 1e-14 else [array(f"⎕CT←{spelt(self.tolerance)}")]
        for _ in range(self.pick(0, 0, 1, 1, 2, 3)):
            statements.append(self.assignment(self.random.randint(1, 7), scope))
            if self.chance(0.15):
                statements.append(array("⎕←%", self.array(self.base(), self.shape(), 3, scope)))
        for _ in range(self.pick(0, 0, 0, 1, 1, 2)):
            statements += self.loop(self.random.randint(0, 4), scope)
        base, shape = self.base(), self.shape()
        statements.append(self.array(base, shape, self.random.randint(2, 14), scope))
        return Program(body(statements), used(self.inputs, body(statements)))


def random_program(random: Random) -> Program:
    """A program with its inputs."""
    return Generator(random).program()
