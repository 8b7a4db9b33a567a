"""Programs that only move elements of narrow inputs: their results are stored as the inputs came, int8 or
float32 (`tail/optimise/kept_storage.py`), so every loop and every function of the run-time system must know
how wide its elements are. Other random programs compute somewhere, and a value that is computed is wide.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from tests.support.apl_programs.goals import Scope
from tests.support.apl_programs.programs import Generator
from tests.support.apl_programs.trees import Node, Program, Shape, array, body, used

NARROW = {"int": ("int8", "int8", "uint8", "int16", "uint16", "int32", "uint32"), "double": ("float32",)}


class Moves(Generator):
    """Productions that move elements, leave some out, put them in order, or choose between two."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.storages = {base: (random.choice(some),) for base, some in NARROW.items()}
        self.wild = False

    def storages_of(self, base: str) -> tuple[str, ...]:
        """One dtype for all of a program: of several the common one may be the usual one."""
        return self.storages.get(base) or super().storages_of(base)

    def literal(self, base: str, shape: Shape) -> Node | None:
        """Constants that the narrow dtypes hold, seldom."""
        if base in NARROW and len(self.inputs) < 8 and not self.chance(0.1):
            return None
        return super().literal(base, shape)

    def number(self, base: str) -> Any:
        return abs(super().number("int")) % 100 if base == "int" else super().number(base)

    def array(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        if base not in NARROW:
            return super().array(base, shape, fuel, scope)
        if fuel <= 0 or self.chance(0.06):
            return self.leaf(base, shape, scope)
        if self.chance(0.05):
            return self.local(base, shape, fuel, scope)
        makers = [*self.structural(shape), self.in_order, self.in_order, self.chosen]
        for _ in range(20):
            made = self.random.choice(makers)(base, shape, fuel - 1, scope)
            if made is not None:
                return made
        return self.leaf(base, shape, scope)

    def structural(self, shape: Shape) -> list[Callable[..., Node | None]]:
        return [each for each in super().structural(shape) if each.__name__ not in ("commuted", "formatted")]

    def in_order(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """Sorted slices, or those of the places of another order."""
        if not shape:
            pattern = self.pick("⌈/%", "⌊/%", "⊃⌈/%")
            return array(pattern, self.array(base, (max(1, self.extent()),), fuel, scope))
        if len(shape) == 1 and self.chance(0.7):
            name = self.fresh("s")
            form = self.pick("[⍋%]", "[⍒%]", "[⍋⍋%]", "[⍒⍋%]").replace("%", name)
            return array(f"({name}{form}⊣{name}←%)", self.array(base, shape, fuel, scope), is_atom=True)
        fuels = self.split(fuel)
        grades = array(self.pick("⍋%", "⍒%"), self.array("int", shape[:1], fuels[0], scope))
        rest = ";" * (len(shape) - 1)
        return array(f"«%[%{rest}]", self.array(base, shape, fuels[1], scope), grades)

    def chosen(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """The larger or the smaller of two, of slices and of runs of slices."""
        symbol = self.pick("⌈", "⌊")
        if not shape or self.chance(0.5):
            made = self.operands(base, shape, fuel, scope)
            return made and array(f"«%{symbol}%", *made)
        if self.chance(0.5):
            return array(f"{symbol}\\%", self.array(base, shape, fuel, scope))
        width = self.pick(1, 2, 2, 3, 5)
        longer = (*shape[:-1], shape[-1] + width - 1)
        return array(f"{width}{symbol}/%", self.array(base, longer, fuel, scope))

    def program(self) -> Program:
        scope = Scope()
        statements = [self.assignment(self.random.randint(1, 5), scope) for _ in range(self.pick(0, 0, 1, 2))]
        base, shape = self.pick("int", "int", "double"), self.shape()
        statements.append(self.array(base, shape, self.random.randint(1, 9), scope))
        return Program(body(statements), used(self.inputs, body(statements)))


def program_of_moves(random: Random) -> Program:
    """A program with its inputs, whose value is mostly one of narrow elements."""
    return Moves(random).program()
