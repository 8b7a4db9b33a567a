"""Programs of stencils: sums, extrema and other folds of arrays beside themselves, at extents of many lanes
and few, with borders that wrap around, are left out, filled, or repeat the edge; in rounds, and beside
conditions.

Other random programs have matrices of few elements, whose rows no loop takes in whole vectors, and seldom
read one array several times side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from random import Random

import numpy as np

from tests.support.apl_programs.goals import Goals
from tests.support.apl_programs.trees import Node, Program, Shape, array, body, used

DTYPES = ("bool", "int8", "uint8", "int16", "int32", "int64", "float32", "float64", "float64")
EXTENTS = (0, 1, 2, 3, 3, 5, 8, 9, 16, 17, 31, 33, 40, 64, 67)
MOST = 3000
"""Elements of an array."""
CHOICES = (
    ("(%=3)∨(1≤%)∧%=4", "nxn"),
    ("«%×%>2", "xn"),
    ("1≤%+«%×%≤1", "nxn"),
    ("2|%+«%+%", "nxn"),
    ("(%>1)⌈(%<0)⌊%", "nxn"),
    ("%⌊3", "n"),
    ("|%-%", "nx"),
)
"""What is made of a sum of neighbours, n, and of the element, x."""
FUNCTIONS = ("+", "+", "+", "-", "⌈", "⌊", "≠", "≥", "∧", "∨")


def _of(pattern: str, *children: Node) -> Node:
    """An expression in parentheses."""
    return array(f"({pattern})", *children, is_atom=True)


class Stencils(Goals):
    """Each production gives an array of a given one, and its shape."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.statements: list[Node] = []

    def input(self) -> tuple[Node, Shape]:
        rank = self.pick(1, 2, 2, 2, 2, 2, 3)
        shape: Shape = tuple([self.pick(*EXTENTS) for _ in range(rank)])
        while prod(shape) > MOST:
            shape = (shape[0] // 2, *shape[1:])
        return self.like(shape), shape

    def like(self, shape: Shape) -> Node:
        """Another input."""
        dtype, name = self.pick(*DTYPES), self.fresh("m")
        numbers = np.random.default_rng(self.random.randrange(2**32))
        values = numbers.integers(0, self.pick(2, 5, 100), shape)
        signed = values if dtype[0] in "ub" else values - self.pick(0, 0, 3)
        scale = self.pick(1, 0.1, 0.5) if dtype[0] == "f" else 1
        self.inputs[name] = np.asarray(signed * scale).astype(dtype)
        return array(name, is_atom=True)

    def named(self, value: Node) -> Node:
        """A name for what is read several times."""
        name = self.fresh("a")
        self.statements.append(array(f"{name}←%", value))
        return array(name, is_atom=True)

    # --- terms of one shape ---

    def folded(self, terms: list[Node]) -> Node:
        """A fold of terms, some with a weight."""
        symbol = self.pick(*FUNCTIONS)
        result = terms[-1]
        for term in terms[-2::-1]:
            own = symbol if self.chance(0.8) else self.pick(*FUNCTIONS[:6])
            if own in "∧∨":
                term, result = _of("1≤%", term), _of("1≤%", result)
            weighted = _of(f"{self.pick(2, 3, '¯1', 4)}×«%", term) if self.chance(0.2) else term
            result = _of(f"«%{own}%", weighted, result)
        return result

    def wrapped(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """Rotations along some axes."""
        terms = [x] if self.chance(0.6) else []
        while len(terms) < self.pick(2, 3, 4, 5, 8, 9):
            term = x
            for _ in range(self.pick(1, 1, 2)):
                amount, symbol = self.pick("1", "¯1", "1", "¯1", "2", "¯2"), self.pick("⌽", "⊖")
                term = _of(f"{amount}{symbol}«%", term)
            terms.append(term)
        return self.folded(terms), shape

    def cut(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """Places that have all neighbours."""
        less = self.pick(1, 2, 2, 2, 4)
        places = [[self.random.randint(0, less) for _ in shape] for _ in range(self.pick(2, 3, 4, 5, 9))]
        terms = []
        for place in places:
            first = " ".join(map(str, place))
            last = " ".join([str(p - less).replace("-", "¯") for p in place])
            terms.append(_of(f"{first}↓{last}↓«%", x))
        return self.folded(terms), tuple([max(0, n - less) for n in shape])

    def windows(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """Folds of windows along the last axis or the first."""
        width, symbol = self.pick(2, 3, 3, 5), self.pick("+", "⌈", "⌊", "+")
        if self.chance(0.5):
            return _of(f"{width}{symbol}/«%", x), (*shape[:-1], shape[-1] - width + 1)
        return _of(f"{width}{symbol}⌿«%", x), (shape[0] - width + 1, *shape[1:])

    def around(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """A border on all sides."""
        edge = self.pick("0", "0", "1", "5")
        if len(shape) > 2:
            return x, shape
        if len(shape) == 1:
            return _of(f"{edge},«%,{edge}", x), (shape[0] + 2,)
        return _of(f"{edge},({edge}⍪«%⍪{edge}),{edge}", x), (shape[0] + 2, shape[1] + 2)

    def padded(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """Neighbours, of which those outside are a constant."""
        wider, wide = self.around(x, shape)
        return self.cut(self.named(wider) if self.chance(0.5) else wider, wide)

    def clamped(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """Neighbours, of which those outside are at the edge."""
        terms = []
        for _ in range(self.pick(2, 3, 5)):
            index = []
            for n in shape:
                by = self.pick(0, 1, "¯1", 2, "¯2")
                index.append(self.pick("", f"1⌈{n}⌊{by}+⍳{n}") if n else "")
            terms.append(array(f"%[{';'.join(index)}]", x, is_atom=True) if any(index) else x)
        return self.folded(terms), shape

    def operator(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """The operator `⌺`."""
        if len(shape) > 2:
            return x, shape
        fold = self.pick("{+/,⍵}", "{⌈/,⍵}", "{(+/,⍵)-⊃⍵}", "{⌊/,⍵}", "{∨/,1≤⍵}")
        sizes = " ".join([str(self.pick(1, 3, 3, 5)) for _ in shape])
        return _of(f"{fold}⌺{sizes}⊢%", x), shape

    def kept(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """New values inside, the old ones at the border."""
        inside, found = self.cut(x, shape)
        away = [m - n for m, n in zip(shape, found, strict=True)]
        if not all([n > 0 for n in found]):
            return x, shape
        name = self.fresh("a")
        start = [self.random.randint(0, d) for d in away]
        index = ";".join([f"{s}+⍳{n}" for s, n in zip(start, found, strict=True)])
        self.statements += [array(f"{name}←%", x), array(f"{name}[{index}]←%", inside)]
        return array(name, is_atom=True), shape

    def masked(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """What comparisons choose, as lives and thresholds do."""
        neighbours, found = self.wrapped(x, shape)
        n = self.named(neighbours)
        pattern, holes = self.pick(*CHOICES)
        return _of(pattern, *[n if hole == "n" else x for hole in holes]), found

    def rounds(self, x: Node, shape: Shape) -> tuple[Node, Shape]:
        """A step several times."""
        step = self.pick(self.wrapped, self.wrapped, self.clamped)
        made, _ = step(array("⍵", is_atom=True), shape)
        bounded = _of(f"{self.pick('2|', '3|', '1⌊0⌈', '9⌊')}%", made)
        return _of(f"{{%}}⍣{self.pick(0, 1, 2, 3, 7)}⊢%", bounded, x), shape

    def program(self) -> Program:
        value, shape = self.input()
        makers: tuple[Callable[[Node, Shape], tuple[Node, Shape]], ...] = (
            self.wrapped, self.cut, self.windows, self.padded, self.clamped, self.operator, self.kept,
            self.masked, self.rounds,
        )  # fmt: skip
        for _ in range(self.pick(1, 1, 2, 3)):
            maker = self.random.choice(makers)
            if maker == self.windows and min(shape) < 5:
                continue
            value, shape = maker(self.named(value) if self.chance(0.6) else value, shape)
            if self.chance(0.2) and min(shape, default=0) >= 0:
                value = _of(f"«%{self.pick('+', '⌈', '-', '×')}%", self.like(shape), value)
        value = self.named(value)
        last = self.pick("%", "%", "%", "%", "+/%", "⌈⌿%", "+/,%", "⌈/,%", "(1≤%)", "+\\%", "⍉%", "(,%>0)/,%")
        tree = body([*self.statements, array(last, *[value] * last.count("%"))])
        return Program(tree, used(self.inputs, tree))


def program_of_stencils(random: Random) -> Program:
    """A program with its inputs."""
    return Stencils(random).program()
