"""Goals of random programs of APL: what is in scope, values, and the leaves of expressions."""

from dataclasses import dataclass, field
from math import prod
from random import Random
from typing import Any

import numpy as np

from tests.support.apl_programs.trees import Node, Shape, Value, array

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
MAX_ELEMENTS = 150
STORAGES = {
    "int": ("int64", "int64", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32"),
    "double": ("float64", "float64", "float64", "float32"),
    "bool": ("bool",),
    "char": ("<U1",),
}
NARROWER = {"double": ("double", "int", "bool"), "int": ("int", "bool"), "bool": ("bool",), "char": ("char",)}
"""What converts to a kind of elements."""
LETTERS = "abcxyz 'é⍴"
TOLERANCES = (0.0, 0.0, 0.0, 1e-10, 1e-10, 2.0**-40, 3e-10, 1e-16, 5e-324)
"""What `⎕CT` may be; the last two change nothing, or nearly nothing."""


@dataclass(frozen=True)
class Known:
    """A name in scope and what it is bound to."""

    name: str
    base: str
    shape: Shape


@dataclass(frozen=True)
class KnownFunction:
    """A named function, for arguments of these kinds only."""

    name: str
    left: tuple[str, Shape] | None
    right: tuple[str, Shape]
    result: tuple[str, Shape]


@dataclass
class Scope:
    """What an expression may use. `on_host`: outside functions that are applied to elements."""

    names: list[Known] = field(default_factory=list)
    functions: list[KnownFunction] = field(default_factory=list)
    on_host: bool = True
    quiet: bool = False
    """Whether nothing may be printed here."""


class Goals:
    """The state of one generation, with the choices that all productions make."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.wild = random.random() < 0.33
        self.tolerance = random.choice(TOLERANCES) if random.random() < 0.3 else 1e-14
        self.inputs: dict[str, Value] = {}
        self.count = 0
        self.hints: list[Known] = []
        """Names bound lately: goals like them make it likely that they are used."""

    # --- choices ---

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def fresh(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def extent(self) -> int:
        return self.pick(0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7)

    def shape(self, max_rank: int = 3) -> Shape:
        if self.hints and self.chance(0.4):
            hint = self.random.choice(self.hints[-5:]).shape
            if len(hint) <= max_rank:
                return hint
        rank = self.random.choices(range(max_rank + 1), (4, 8, 5, 2)[: max_rank + 1])[0]
        if rank == 1 and self.chance(0.1):
            return (self.pick(17, 40, 67),)
        return tuple([self.extent() for _ in range(rank)])

    def base(self) -> str:
        if self.hints and self.chance(0.4):
            return self.random.choice(self.hints[-5:]).base
        return self.pick("int", "int", "int", "double", "double", "double", "bool", "bool", "char")

    def of_size(self, size: int) -> Shape:
        """A shape with that many elements."""
        rank = self.pick(1, 2, 2, 3)
        if size == 0:
            shape = [self.extent() for _ in range(rank)]
            shape[self.random.randrange(rank)] = 0
            return tuple(shape)
        shape = []
        for _ in range(rank - 1):
            divisors = [d for d in range(1, size + 1) if size % d == 0]
            shape.append(self.random.choice(divisors))
            size //= shape[-1]
        shape.insert(self.random.randrange(len(shape) + 1), size)
        return tuple(shape)

    # --- values ---

    def number(self, base: str) -> Any:
        if base == "bool":
            return self.chance(0.5)
        if base == "char":
            return self.random.choice(LETTERS)
        if base == "int":
            if self.wild and self.chance(0.15):
                return self.pick(INT_MIN, INT_MAX, INT_MIN + 1, 2**62, -(2**62), 2**53 + 1, 2**31, 2**32)
            return self.random.randint(-9, 9) if self.chance(0.9) else self.random.randint(-3000, 3000)
        if self.wild and self.chance(0.2):
            extremes = (1e300, -1e300, 5e-324, 1.7976931348623157e308, 2.0**63, -(2.0**63), 0.1, 1e16)
            return self.pick(np.inf, -np.inf, np.nan, -0.0, *extremes)
        number = self.random.randint(-20, 20) / self.pick(1, 1, 2, 4)
        if self.tolerance and self.chance(0.4):  # nearly the same as others, or as a whole number
            number *= 1 + self.tolerance * self.pick(0.5, -0.5, 0.9, 1.1, 2.0, -2.0)
        return number

    def storages_of(self, base: str) -> tuple[str, ...]:
        """The dtypes that an input with elements of a kind may have."""
        return STORAGES[base]

    def input(self, base: str, shape: Shape, value: Any = None) -> Node:
        """A new input."""
        count = prod(shape)
        storage = self.random.choice(self.storages_of(base))
        values = [self.number(base) if value is None else value for _ in range(count)]
        if base == "int" and storage != "int64":
            limits = np.iinfo(storage)
            values = [min(max(v, limits.min), limits.max) for v in values]
        if base == "int" and storage.startswith("u"):
            values = [abs(v) for v in values]
        with np.errstate(over="ignore"):
            made = np.array(values, storage).reshape(shape)
        name = self.fresh(base[0].upper())
        self.inputs[name] = made
        return array(name, is_atom=True)

    def literal(self, base: str, shape: Shape) -> Node | None:
        """A constant, where there is a notation for it."""
        if len(shape) > 1 or prod(shape) > 12:
            return None
        size = prod(shape)
        if base == "char":
            text = "".join([self.number(base) for _ in range(size)])
            quoted = array("'" + text.replace("'", "''") + "'", is_atom=True)
            return array(",%", quoted) if shape == (1,) else quoted
        if not shape:
            return array(spelt(self.number(base)), is_atom=True)
        if size == 0:
            empty = {"int": "⍬", "double": "0⍴0.5", "bool": "0⍴1=1"}[base]
            return array(empty, is_atom=base == "int")
        texts = [spelt(self.number(base)) for _ in range(size)]
        if base == "double" and not any("." in t or "E" in t for t in texts):
            texts[0] += ".0"
        return array(",%", array(texts[0], is_atom=True)) if size == 1 else array(" ".join(texts))

    def counted(self, n: int, scope: Scope) -> Node:
        """An integer scalar with the value n."""
        ways = self.pick("literal", "literal", "input", "tally", "sum", "shape")
        names = [k for k in scope.names if len(k.shape) >= 1 and k.shape[0] == n]
        if ways == "tally" and names:
            return array("≢%", array(self.random.choice(names).name, is_atom=True))
        if ways == "input" and len(self.inputs) < 8:
            return self.input("int", (), n)
        if ways == "sum" and 0 <= n < 100:
            return array("+/%⍴1", self.counted(n, scope)) if self.chance(0.3) else array(f"{spelt(n - 1)}+1")
        if ways == "shape" and 0 <= n < 100 and len(self.inputs) < 8:
            return array("⊃⍴%", self.input(self.base(), (n,)))
        return array(spelt(n), is_atom=True)

    def counts(self, values: list[int], scope: Scope) -> Node:
        """A vector of counts, a scalar perhaps if it is one; its length is known."""
        if len(values) == 1:
            one = self.counted(values[0], scope)
            return array(",%", one) if self.chance(0.15) else one
        if self.chance(0.5):
            return array(" ".join(map(spelt, values)))
        parts = [self.counted(v, scope) for v in values]
        return array(" ".join(["«%"] * len(parts)), *parts)

    # --- arrays ---

    def array(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        """An expression with elements of that kind and of that shape."""
        raise NotImplementedError  # `Generator` has it, which knows all productions

    def leaf(self, base: str, shape: Shape, scope: Scope) -> Node:
        fitting = [k for k in scope.names if k.base in NARROWER[base] and k.shape == shape]
        if fitting and self.chance(0.8):
            return array(self.random.choice(fitting).name, is_atom=True)
        if self.chance(0.3) or (not shape and self.chance(0.5)):
            literal = self.literal(base, shape)
            if literal is not None:
                return literal
        fitting = [array(n, is_atom=True) for n, v in self.inputs.items() if _kind_of(v) == (base, shape)]
        if fitting and self.chance(0.6):
            return self.random.choice(fitting)
        if len(self.inputs) < 8:
            return self.input(base, shape)
        if fitting:
            return self.random.choice(fitting)
        some = self.literal(base, ()) if not self.chance(0.5) else self.literal(base, (self.pick(0, 2, 3),))
        assert some is not None
        if not shape:
            return array("⊃%", some)
        return array("«%⍴%", array(" ".join(map(str, shape)), is_atom=True), some)

    def scalar_or(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        """An operand that fits a shape: of that shape, a scalar, a single element; wrong now and then."""
        dice = self.random.random()
        if dice < 0.2:
            return self.array(base, (), fuel, scope)
        if dice < 0.27:
            return self.array(base, (1,) * len(shape), fuel, scope)
        if dice < 0.29 and shape:
            wrong = list(shape)
            wrong[self.random.randrange(len(wrong))] += 1
            return self.array(base, tuple(wrong), fuel, scope)
        return self.array(base, shape, fuel, scope)

    def operands(self, base: str, shape: Shape, fuel: int, scope: Scope) -> tuple[Node, Node] | None:
        """Two operands, of which at least one has the shape."""
        fuels = self.split(fuel)
        sides = [
            self.array(base, shape, fuels[0], scope),
            self.scalar_or(base, shape, fuels[1], scope),
        ]
        if self.chance(0.5):
            sides.reverse()
        return sides[0], sides[1]

    def split(self, fuel: int) -> tuple[int, int]:
        left = self.random.randint(0, fuel)
        return left, fuel - left


def _kind_of(value: Value) -> tuple[str, Shape]:
    return {"b": "bool", "i": "int", "u": "int", "f": "double", "U": "char"}[value.dtype.kind], value.shape


def spelt(value: Any) -> str:
    """A number as APL text."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        if np.isnan(value) or np.isinf(value):
            value = 0.25
        value = repr(value).upper().replace("+", "")
        value = value if "." in value or "E" in value else value + ".0"
    return str(value).replace("-", "¯")
