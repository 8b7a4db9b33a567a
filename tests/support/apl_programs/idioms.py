"""Programs of idioms: what people write for groups, rows, words of bits, items, updates and folds, each with
holes for others, over inputs from none to a thousand elements.

Other random programs are made of single primitives for shapes that are known while they are made; they
seldom hold a key, a function of many short rows, a `⊂` by a mask, or a loop that changes a column.

The tables (`idiom_vectors.py`, `idiom_arrays.py`, `idiom_patterns.py`) have one idiom a line, under the kind
of its value. A hole is `$` and the name of a kind:

    B I D C             truth values, integers, doubles, characters: one of them, or with a letter behind
      v k               vectors as long as the matrices have rows, N, and columns, K
      u                 vectors of any length, which the compiler does not know
      m q t             matrices of N by K, K by K, K by N
    W                   words of bits: 32 by N
    GB GI GD            vectors of vectors
    N K                 these lengths, as constants, or as inputs for all of a program
    n p                 a small count, perhaps an input; a positive constant
    row column places   subscripts: one up to N, one up to K, some up to N
    keys cells          what is grouped by, what is compared with itself in a table
    edges steps         ascending numbers: doubles, integers
    f fb fc fn          functions: of integers in a fold, of truth values, comparisons, of numbers

An expression is an input or an earlier name, or an idiom whose holes are filled likewise, as deep as the fuel
that is left allows. Lengths agree by construction; values may be outside of a domain now and then.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random

import numpy as np

from tests.support.apl_programs.goals import STORAGES, Goals
from tests.support.apl_programs.idiom_arrays import ARRAYS
from tests.support.apl_programs.idiom_patterns import PATTERNS
from tests.support.apl_programs.idiom_vectors import VECTORS
from tests.support.apl_programs.trees import Node, Program, Shape, Value, array, body, function, used

HOLE = re.compile(r"\$([A-Za-z]+)")
LENGTHS = (0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 129, 200, 257, 600, 1000)
COLUMNS = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 25, 33)
COUNTS = (0, 1, 1, 2, 2, 3, 4, 7)
POSITIVE = (1, 2, 3, 7, 10, 16, 64, 97, 100, 1000, 1000003, 60)
LETTERS = "abcxyz '1A"
BASES = {"B": "bool", "I": "int", "D": "double"}
CONSTANTS = {
    "B": ("0", "1"),
    "I": ("0", "1", "2", "3", "¯1", "¯2", "5", "7", "10", "16", "100"),
    "D": ("0.5", "1.5", "¯2.5", "2.0", "0.1", "¯1.0", "3.0", "0.0"),
    "C": ("'a'", "'z'"),
}
EXTREME_INTEGERS = (
    2**31 - 1,
    2**31,
    -(2**31),
    2**53,
    2**53 + 1,
    2**63 - 1,
    -(2**63),
    2**62,
    255,
    65535,
    2**32,
)
EXTREME_DOUBLES = (
    -0.0,
    np.inf,
    -np.inf,
    np.nan,
    5e-324,
    2.2e-308,
    1e308,
    -1e308,
    2.0**53,
    -(2.0**63),
    0.1,
    1 / 3,
)
VALUES = ("small", "small", "middle", "extreme", "zeros", "few")
"""What the numbers of a program's inputs are like."""

Table = dict[str, tuple[str, ...]]
STANDS_FOR = {"E": "BID", "R": "ID"}
SHAPES = {"s": tuple("vkmqt"), "a": ("", *"vkmqtu")}


def _instances(kind: str, idiom: str) -> list[tuple[str, str]]:
    """An idiom of `PATTERNS` for each kind that the letters of its own stand for."""
    names = [kind, *HOLE.findall(idiom)]
    letter = next((c for name in names for c in name if c in STANDS_FOR), "")
    shape = next((c for c in kind[1:] if c in SHAPES and kind[0] in "EBIDR"), "")
    found = []
    for base in STANDS_FOR.get(letter, ("",)):
        for axes in SHAPES.get(shape, ("",)):

            def meant(name: str, base: str = base, axes: str = axes) -> str:
                if name[0] in "GEBIDR" and len(name) < 3:
                    name = name.replace(letter, base) if letter else name
                    name = name[0] + axes if shape and name[1:] == shape else name
                return name

            found.append((meant(kind), HOLE.sub(lambda m: "$" + meant(m[1]), idiom)))
    return found


@cache
def table() -> Table:
    """All idioms by the kinds of their values."""
    found: dict[str, dict[str, None]] = {}
    for tables in (PATTERNS, VECTORS, ARRAYS):
        for kind, text in tables.items():
            for line in text.strip().splitlines():
                made = _instances(kind, line.strip()) if tables is PATTERNS else [(kind, line.strip())]
                for own, idiom in made:
                    found.setdefault(own, {})[idiom] = None
    return {kind: tuple(idioms) for kind, idioms in found.items()}


PARTS = ("keys", "cells", "edges", "steps", "f", "fb", "fc", "fn")
"""Kinds that are no values of statements."""


class Idioms(Goals):
    """The state of one generation. `made` are the idioms that it used."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.rows, self.columns = self.pick(*LENGTHS), self.pick(*COLUMNS)
        self.style = self.pick(*VALUES)
        self.are_inputs = self.chance(0.5)
        """Whether the two lengths are."""
        self.known: dict[str, list[str]] = {}
        self.made: set[tuple[str, str]] = set()

    # --- inputs ---

    def shape_of(self, axes: str) -> Shape:
        n, k = self.rows, self.columns
        any_length = self.pick(0, 1, 2, 3, 5, 8, n)
        return {"": (), "v": (n,), "k": (k,), "u": (any_length,), "m": (n, k), "q": (k, k), "t": (k, n)}[axes]

    def value(self, base: str, shape: Shape) -> Value:
        numbers = np.random.default_rng(self.random.getrandbits(32))
        if base == "B":
            return np.asarray(numbers.random(shape) < self.pick(0.5, 0.5, 0.1, 0.9, 0.0, 1.0))
        if base == "C":
            return np.array(list(LETTERS))[numbers.integers(0, self.pick(2, 7, 10), shape)]
        small = numbers.integers(-9, 10, shape)
        made = {
            "small": small,
            "middle": numbers.integers(-100000, 100000, shape),
            "few": numbers.integers(0, 3, shape),
            "zeros": small * (numbers.random(shape) < 0.3),
            "extreme": small,
        }[self.style]
        storage = self.pick(*STORAGES[BASES[base]])
        extreme = np.asarray((self.style == "extreme") & (numbers.random(shape) < 0.3))
        if base == "D":
            some = np.array(EXTREME_DOUBLES)[numbers.integers(0, len(EXTREME_DOUBLES), shape)]
            with np.errstate(all="ignore"):
                return np.asarray(np.where(extreme, some, made / 4)).astype(storage)
        wide = np.array(EXTREME_INTEGERS)[numbers.integers(0, len(EXTREME_INTEGERS), shape)]
        limits = np.iinfo(storage)
        return np.clip(np.where(extreme, wide, made), limits.min, limits.max).astype(storage)

    def leaf(self, kind: str) -> Node | None:  # type: ignore[override]
        """A name of that kind, a new input, or a constant; None where there can be no input."""
        known = self.known.get(kind, [])
        if known and self.chance(0.75):
            return array(self.pick(*known), is_atom=True)
        if kind[0] not in "BIDC" or len(kind) > 2:
            return None
        if len(kind) == 1 and self.chance(0.6):
            return array(self.pick(*CONSTANTS[kind]), is_atom=True)
        if known and len(self.inputs) > 8:
            return array(self.pick(*known), is_atom=True)
        return self.given(kind, self.fresh("x"), self.value(kind[0], self.shape_of(kind[1:])))

    def given(self, kind: str, name: str, value: Value) -> Node:
        """An input."""
        if name not in self.inputs:
            self.inputs[name] = np.asarray(value)
            self.known.setdefault(kind, []).append(name)
        return array(name, is_atom=True)

    # --- expressions ---

    def constant(self, kind: str) -> Node | None:
        """What fills holes for lengths, counts and subscripts."""
        n = self.pick(*COUNTS)
        lengths = {"N": ("rows", self.rows), "K": ("columns", self.columns)}
        if kind in lengths:
            name, length = lengths[kind]
            return self.given(kind, name, np.array(length)) if self.are_inputs else array(str(length))
        if kind == "n" and self.chance(0.25):
            return self.given(kind, f"n{n}", np.array(n))
        texts = {
            "n": f"{n}",
            "p": str(self.pick(*POSITIVE)),
            "row": str(self.random.randint(1, max(1, self.rows))),
            "column": str(self.random.randint(1, max(1, self.columns))),
            "places": f"(,{' '.join([str(self.random.randint(1, max(1, self.rows))) for _ in range(3)])})",
        }
        return array(texts[kind], is_atom=True) if kind in texts else None

    def expression(self, kind: str, fuel: int) -> Node:
        """Something of a kind."""
        if (constant := self.constant(kind)) is not None:
            return constant
        if kind[0] == "f":
            return function(self.pick(*table()[kind]), is_atom=True)
        if (fuel <= 0 or self.chance(0.12)) and (leaf := self.leaf(kind)) is not None:
            return leaf
        idioms = table()[kind]
        return self.idiom(kind, self.pick(*idioms) if fuel > 0 else idioms[0], fuel - 1)

    def idiom(self, kind: str, idiom: str, fuel: int) -> Node:
        """An idiom with its holes filled."""
        self.made.add((kind, idiom))
        holes = HOLE.findall(idiom)
        filled = [
            self.expression(hole, fuel if len(holes) == 1 else self.random.randint(0, max(0, fuel)))
            for hole in holes
        ]
        return array(HOLE.sub("%", idiom), *filled, is_atom=idiom[0] == "(")

    def program(self, first: tuple[str, str] | None = None) -> Program:
        """A program of some statements; the first is an idiom, if one is given."""
        statements = [array("⎕CT←0")] if self.chance(0.1) else []
        kinds = [kind for kind in table() if kind not in PARTS]
        count = self.pick(1, 1, 2, 3, 8) if first is None else 1
        for k in range(count):
            kind = self.pick(*kinds) if first is None else first[0]
            fuel = self.random.randint(1, 4)
            value = self.expression(kind, fuel) if first is None else self.idiom(*first, 0)
            name = self.fresh("r")
            statements.append(array(f"{name}←%", value))
            self.known.setdefault(kind, []).append(name)
            if k == count - 1 or self.chance(0.3):
                statements.append(array("⎕←%", array(name, is_atom=True)))
        tree = body(statements)
        return Program(tree, used(self.inputs, tree))


def program_of_idioms(random: Random) -> Program:
    """A program with its inputs."""
    return Idioms(random).program()
