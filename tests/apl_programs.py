"""Random APL programs as text, with inputs for them, over everything that the compiler implements.

    random_program(random)      a program and its inputs
    smaller(program)            simpler programs to try when one fails

Generation works from a goal: an expression of one kind of elements whose value has one shape. Every
production reaches its goal by goals for its operands, and makes the inputs that it needs on the way, so that
most programs run to their end although the compiler knows no extent of an input. Now and then a length, a
count or an index is wrong on purpose, and a third of the programs are wild: extreme integers, infinities,
NaN, and functions outside their domain. A program is kept as a tree of text patterns, which is what `smaller`
cuts pieces out of.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np

Shape = tuple[int, ...]
Value = np.ndarray[Any, Any]

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


# --- programs -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    """A piece of text with holes: `{}` takes a child as it is, `()` one in parentheses unless it is an atom.

    The kinds are `array`, `function`, and `body`, a sequence of statements.
    """

    kind: str
    pattern: tuple[str, ...]
    children: tuple["Node", ...] = ()
    is_atom: bool = False

    def text(self) -> str:
        parts = [self.pattern[0]]
        for child, after in zip(self.children, self.pattern[1:], strict=True):
            text = child.text()
            guarded = parts[-1].endswith("«")
            if guarded:
                parts[-1] = parts[-1][:-1]
                text = text if child.is_atom else f"({text})"
            parts += [text, after]
        return "".join(parts)


def node(kind: str, pattern: str, *children: Node, is_atom: bool = False) -> Node:
    """A node; in the pattern `%` is a child, `«%` a child in parentheses unless it is an atom."""
    return Node(kind, tuple(pattern.split("%")), children, is_atom)


def array(pattern: str, *children: Node, is_atom: bool = False) -> Node:
    return node("array", pattern, *children, is_atom=is_atom)


def function(pattern: str, *children: Node, is_atom: bool = False) -> Node:
    return node("function", pattern, *children, is_atom=is_atom)


def body(statements: list[Node], *, inside: bool = False) -> Node:
    pattern = " ⋄ " if inside else "\n"
    holes = ("", *[pattern] * (len(statements) - 1), "")
    return Node("body", holes, tuple(statements))


@dataclass(frozen=True)
class Program:
    """A program with its inputs by name."""

    tree: Node
    inputs: dict[str, Value]

    @property
    def text(self) -> str:
        return self.tree.text()

    def __str__(self) -> str:
        given = [f"{k} = np.array({v.tolist()!r}, {v.dtype.str!r})" for k, v in self.inputs.items()]
        given = [
            g + f".reshape{v.shape}" * (v.size == 0 and v.ndim > 1)
            for g, v in zip(given, self.inputs.values(), strict=True)
        ]
        return "\n".join([self.text, *[f"    ⍝ {g}" for g in given]])

    def size(self) -> tuple[int, int, int]:
        """What shrinking makes smaller."""
        elements = sum(v.size for v in self.inputs.values())
        weight = sum(int(np.abs(_numbers(v)).clip(0, 9).sum()) for v in self.inputs.values())
        return len(self.text), elements + sum(v.ndim for v in self.inputs.values()), weight


def _numbers(value: Value) -> Value:
    if value.dtype.kind == "U":
        return np.asarray(value != "a").astype(np.int64)
    numbers = np.asarray(value).astype(np.float64)
    return np.nan_to_num(numbers, nan=9.0) + (numbers != np.trunc(numbers))


# --- goals ----------------------------------------------------------------------------------------------


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


class Generator:
    """The state of one generation."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.wild = random.random() < 0.33
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
        return self.random.randint(-20, 20) / self.pick(1, 1, 2, 4)

    def input(self, base: str, shape: Shape, value: Any = None) -> Node:
        """A new input."""
        count = prod(shape)
        storage = self.random.choice(STORAGES[base])
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
            return array(_spelt(self.number(base)), is_atom=True)
        if size == 0:
            empty = {"int": "⍬", "double": "0⍴0.5", "bool": "0⍴1=1"}[base]
            return array(empty, is_atom=base == "int")
        texts = [_spelt(self.number(base)) for _ in range(size)]
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
            return array("+/%⍴1", self.counted(n, scope)) if self.chance(0.3) else array(f"{_spelt(n - 1)}+1")
        if ways == "shape" and 0 <= n < 100 and len(self.inputs) < 8:
            return array("⊃⍴%", self.input(self.base(), (n,)))
        return array(_spelt(n), is_atom=True)

    def counts(self, values: list[int], scope: Scope) -> Node:
        """A vector of counts, a scalar perhaps if it is one; its length is known."""
        if len(values) == 1:
            one = self.counted(values[0], scope)
            return array(",%", one) if self.chance(0.15) else one
        if self.chance(0.5):
            return array(" ".join(map(_spelt, values)))
        parts = [self.counted(v, scope) for v in values]
        return array(" ".join(["«%"] * len(parts)), *parts)

    # --- arrays ---

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

    def leaf(self, base: str, shape: Shape, scope: Scope) -> Node:
        fitting = [k for k in scope.names if k.base in NARROWER[base] and k.shape == shape]
        if fitting and self.chance(0.8):
            return array(self.random.choice(fitting).name, is_atom=True)
        if self.chance(0.3) or (not shape and self.chance(0.5)):
            literal = self.literal(base, shape)
            if literal is not None:
                return literal
        fitting = [array(n, is_atom=True) for n, v in self.inputs.items() if _kind(v) == (base, shape)]
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

    # --- structural productions ---

    def structural(self, shape: Shape) -> list[Callable[..., Node | None]]:
        everywhere = [self.reshaped, self.selected, self.applied, self.commuted, self.each, self.called]
        everywhere += [self.indexed, self.indexed]
        if shape:
            everywhere += [self.compressed, self.replicated, self.updated, self.updated]
            axes = [self.reversed, self.rotated, self.transposed, self.taken, self.dropped, self.catenated]
            axes += [self.unique, self.formatted] if len(shape) == 1 else []
            return everywhere + axes + [self.ravelled, self.taken, self.dropped, self.catenated]
        return [*everywhere, self.first, self.picked, self.first]

    def reversed(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        return array(self.pick("⌽%", "⊖%"), self.array(base, shape, fuel, scope))

    def rotated(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        n = self.pick(-1, 1, 2, -2, 3, 0, -7, 11)
        if self.wild and self.chance(0.3):
            n = self.pick(INT_MIN, INT_MAX)
        count = self.counted(n, scope) if self.chance(0.8) else self.array("int", (), fuel // 2, scope)
        if len(shape) > 1 and self.chance(0.4):
            rows = shape[:-1] if self.chance(0.95) else (1,) * (len(shape) - 1)
            counts = self.array("int", rows, fuel // 2, scope)
            return array("«%⌽%", counts, self.array(base, shape, fuel, scope))
        return array(self.pick("«%⌽%", "«%⊖%"), count, self.array(base, shape, fuel, scope))

    def transposed(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        if self.chance(0.4):
            return array("⍉%", self.array(base, shape[::-1], fuel, scope))
        rank = len(shape)
        targets = list(range(rank))
        if rank < 3 and self.chance(0.5):
            targets.append(self.random.randrange(rank))
        self.random.shuffle(targets)
        extents = [shape[t] + (self.pick(0, 0, 1, 3) if targets.count(t) > 1 else 0) for t in targets]
        for t in range(rank):
            axes = [i for i, target in enumerate(targets) if target == t]
            extents[self.random.choice(axes)] = shape[t]
        if prod(extents) > MAX_ELEMENTS:
            return None
        spelt = array(" ".join([str(t + 1) for t in targets]), is_atom=True)
        if len(targets) == rank and self.chance(0.4):
            spelt = self.counts([t + 1 for t in targets], scope)
        return array("«%⍉%", spelt, self.array(base, tuple(extents), fuel, scope))

    def taken(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        axes = self.random.randint(1, len(shape))
        source = [self.pick(n, n + 1, n + 2, max(0, n - 1), self.extent()) for n in shape[:axes]]
        values = [self.pick(n, -n) for n in shape[:axes]]
        whole = (*source, *shape[axes:])
        if prod(whole) > MAX_ELEMENTS:
            return None
        return array("«%↑%", self.counts(values, scope), self.array(base, whole, fuel, scope))

    def dropped(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        axes = self.random.randint(1, len(shape))
        amounts = [self.pick(0, 1, 1, 2, 3) for _ in range(axes)]
        source = [n + k for n, k in zip(shape, amounts, strict=False)]
        for axis in range(axes):
            if shape[axis] == 0:
                source[axis] = self.random.randint(0, amounts[axis])
        values = [self.pick(k, -k) for k in amounts]
        if self.wild and 0 in shape[:axes] and self.chance(0.5):
            values[shape.index(0)] = self.pick(INT_MIN, INT_MAX)
        whole = (*source, *shape[axes:])
        if prod(whole) > MAX_ELEMENTS:
            return None
        return array("«%↓%", self.counts(values, scope), self.array(base, whole, fuel, scope))

    def catenated(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        *outer, n = shape
        fuels = self.split(fuel)
        if n > 0 and self.chance(0.5):
            beside = self.array(base, tuple(outer) if self.chance(0.7) else (), fuels[0], scope)
            rest = self.array(base, (*outer, n - 1), fuels[1], scope)
            return array("«%,%", *([beside, rest] if self.chance(0.5) else [rest, beside]))
        k = self.random.randint(0, n)
        outer_b = [m + 1 for m in outer] if self.chance(0.02) else outer
        left = self.array(base, (*outer, k), fuels[0], scope)
        return array("«%,%", left, self.array(base, (*outer_b, n - k), fuels[1], scope))

    def reshaped(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        if not shape:
            return array("⍬⍴%", self.array(base, self.shape(), fuel, scope)) if self.chance(0.3) else None
        source = self.of_size(prod(shape)) if self.chance(0.4) else self.shape()
        return array("«%⍴%", self.counts(list(shape), scope), self.array(base, source, fuel, scope))

    def numbers(self, extent: int, shape: Shape, fuel: int, scope: Scope) -> Node:
        """Subscripts for an axis; wrong now and then, and always if it has no elements."""
        size = prod(shape)
        if self.chance(0.02):
            return self.array("int", shape, fuel, scope)
        if shape == (extent,) and self.chance(0.4):
            order = array(self.pick("⍳%", "⌽⍳%"), self.counted(extent, scope))
            return order if self.chance(0.6) else array("⍋%", self.array("int", shape, fuel, scope))
        if len(shape) == 1 and size <= extent and self.chance(0.3):
            return array(f"{self.random.randint(0, extent - size)}+⍳%", self.counted(size, scope))
        if len(shape) < 2 and 0 < size <= 8 and extent and self.chance(0.4):
            values = [self.random.randint(1, extent) for _ in range(size)]
            return array(",%" if shape == (1,) else "%", array(" ".join(map(str, values))))
        return array(f"1+{max(1, extent)}|%", self.array("int", shape, fuel, scope))

    def subscripts(self, source: Shape, shape: Shape, fuel: int, scope: Scope) -> Node:
        """Subscripts for all axes of an array that together have a shape."""
        cuts = sorted(self.random.randint(0, len(shape)) for _ in source[1:])
        parts: list[Node] = []
        for extent, start, stop in zip(source, [0, *cuts], [*cuts, len(shape)], strict=True):
            part = shape[start:stop]
            if part == (extent,) and self.chance(0.4):
                parts.append(array(""))
            else:
                parts.append(self.numbers(extent, part, fuel // len(source), scope))
        return array(";".join(["%"] * len(parts)), *parts)

    def indexed(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        fuels = self.split(fuel)
        source = tuple([max(1, self.extent()) for _ in range(self.pick(1, 1, 2, 2, 3))])
        if shape and prod(shape) == 0:
            source = tuple([n if self.chance(0.8) else 0 for n in source])
        if len(source) == len(shape) and self.chance(0.5):
            source = shape
        if prod(source) > MAX_ELEMENTS:
            return None
        places = self.subscripts(source, shape, fuels[0], scope)
        return array("«%[%]", self.array(base, source, fuels[1], scope), places)

    def updated(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """An array with some elements changed, once or several times."""
        if base == "char" and self.chance(0.5):
            return None
        name = self.fresh("u")
        inner = Scope([*scope.names, Known("⍵", base, shape)], list(scope.functions), scope.on_host, True)
        inner.names.append(Known(name, base, shape))
        fuels = self.split(fuel)
        changes = [self.change(name, base, shape, fuels[0] // 2, inner) for _ in range(self.pick(1, 1, 2))]
        statements = [array(f"{name}←⍵"), *changes, array(name)]
        f = function("{%}", body(statements, inside=True), is_atom=True)
        argument = self.array(base, shape, fuels[1], scope)
        if self.chance(0.4):
            return array("(%⍣%)%", f, self.counted(self.pick(0, 1, 2, 3), scope), argument)
        return array("%%", f, argument)

    def change(self, name: str, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        """An assignment by index."""
        selected = tuple([self.pick(n, n, 1, 2, 3) for n in shape][: self.random.randint(0, len(shape))])
        places = self.subscripts(shape, selected, fuel, scope)
        ways = {"int": ["", "+", "×", "-", "⌈"], "double": ["", "+", "-", "⌊"], "bool": ["", "∧", "≠"]}
        symbol = self.random.choice(ways.get(base, [""]))
        return array(f"{name}[%]{symbol}←%", places, self.scalar_or(base, selected, fuel // 2, scope))

    def compressed(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """As many slices as a mask keeps."""
        *outer, n = shape
        if len(self.inputs) >= 8:
            return None
        mask = [True] * n + [False] * self.pick(0, 1, 2, 3)
        self.random.shuffle(mask)
        made = self.input("bool", (len(mask),))
        self.inputs[made.text()] = np.array(mask, dtype=np.bool_)
        if self.chance(0.03):
            mask.append(True)
        return array("«%/%", made, self.array(base, (*outer, len(mask)), fuel, scope))

    def replicated(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """Slices by counts, some of which are negative; or fills put in between."""
        *outer, n = shape
        counts: list[int] = []
        expands = self.chance(0.4)
        while sum(map(abs, counts)) < n:
            most = n - sum(map(abs, counts))
            counts.append(self.random.randint(1, min(3, most)) * self.pick(1, 1, 1, -1))
            if not expands and self.chance(0.2):
                counts.append(0)
        if not counts:
            return None
        given = sum(c > 0 for c in counts) if expands else len(counts)
        given = self.pick(given, given, given, given, 1)
        spelt = self.counts(counts, scope)
        return array("«%\\%" if expands else "«%/%", spelt, self.array(base, (*outer, given), fuel, scope))

    def ravelled(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        if len(shape) != 1:
            return None
        source = () if shape == (1,) and self.chance(0.3) else self.of_size(shape[0])
        return array(",%", self.array(base, source, fuel, scope))

    def first(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        if self.chance(0.3):
            vector, _ = self.unknown_vector(base, fuel, scope)
            return array("⊃%", vector)
        return array("⊃%", self.array(base, self.shape(), fuel, scope))

    def picked(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        n = self.pick(1, 2, 3, 5)
        index = self.counted(self.random.randint(1, n), scope)
        if self.chance(0.3):
            index = array(f"1+{n}|%", self.array("int", (), fuel // 2, scope))
        if self.chance(0.05):
            index = array(_spelt(self.pick(0, n + 1, -1, INT_MIN, INT_MAX)), is_atom=True)
        return array("«%⊃%", index, self.array(base, (n,), fuel, scope))

    def selected(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        fuels = self.split(fuel)
        other = self.array(self.base(), self.shape(), fuels[0], scope)
        wanted = self.array(base, shape, fuels[1], scope)
        return array("«%⊣%", wanted, other) if self.chance(0.5) else array("«%⊢%", other, wanted)

    def unknown_vector(self, base: str, fuel: int, scope: Scope) -> tuple[Node, str]:
        """A vector whose length is anybody's guess, but short."""
        n = array("5|%", self.array("int", (), fuel // 2, scope))
        dice = self.random.random()
        if base == "int" and dice < 0.4:
            return array("⍳%", n), base
        a = self.array(base, (self.extent(),), fuel // 2, scope)
        if dice < 0.6:
            return array(self.pick("«%↓%", "«%↑%"), n, a), base
        if dice < 0.8:
            return self.filtered(base, fuel, scope), base
        return array("«%⍴%", n, a), base

    def filtered(self, base: str, fuel: int, scope: Scope) -> Node:
        """The elements of a vector for which something holds."""
        fuels = self.split(fuel)
        n = self.extent()
        mask = self.array("bool", (n,), fuels[0], scope)
        if base == "int" and self.chance(0.4):
            return array("⍸%", mask)
        given = (n,) if self.chance(0.9) else (1,)
        kept = array("«%/%", mask, self.array(base, given, fuels[1], scope))
        if base in ("int", "double") and self.chance(0.3):
            return array(self.pick("-%", "|%", "2×%"), kept)
        return kept

    # --- functions ---

    def dfn(
        self,
        base: str,
        shape: Shape,
        fuel: int,
        scope: Scope,
        right: tuple[str, Shape],
        left: tuple[str, Shape] | None = None,
        *,
        on_elements: bool = False,
    ) -> Node:
        """A function whose result is the goal."""
        names = [k for k in scope.names if k.name not in ("⍺", "⍵")]
        arguments = [Known("⍵", *right)] + ([Known("⍺", *left)] if left is not None else [])
        names += arguments
        self.hints += arguments
        inner = Scope(names, list(scope.functions), scope.on_host and not on_elements, scope.quiet)
        statements: list[Node] = []
        for _ in range(self.pick(0, 0, 0, 1, 1, 2)):
            statements.append(self.assignment(fuel // 3, inner))
            fuel -= fuel // 3
        kinds = [right] if left is None else [right, left]
        result = self.array(base, shape, fuel, inner)
        used = result.text() + " ".join([s.text() for s in statements])
        if "⍵" not in used and self.chance(0.8):
            kind = self.random.choice(kinds)
            result = array("«%⊣%", result, array("⍺" if kind is left else "⍵", is_atom=True))
        return function("{%}", body([*statements, result], inside=True), is_atom=True)

    def assignment(self, fuel: int, scope: Scope) -> Node:
        """A statement that binds a name, of an array or (outside of elements) a function."""
        if self.chance(0.2):
            return self.function_definition(fuel, scope)
        name = self.fresh("v")
        if scope.on_host:
            base, shape = self.base(), self.shape()
        else:
            base, shape = self.base(), () if self.chance(0.7) else self.shape(2)
        value = self.array(base, shape, fuel, scope)
        scope.names.append(Known(name, base, shape))
        self.hints.append(scope.names[-1])
        return array(f"{name}←%", value)

    def function_definition(self, fuel: int, scope: Scope) -> Node:
        name = self.fresh("f")
        right = (self.base(), self.shape(2) if scope.on_host else ())
        left = (self.base(), self.shape(2) if scope.on_host else ()) if self.chance(0.4) else None
        result = (self.base(), self.pick((), right[1], self.shape(2)))
        outer = Scope(list(scope.names), list(scope.functions), scope.on_host, scope.quiet)
        value = self.dfn(*result, fuel, outer, right, left)
        scope.functions.append(KnownFunction(name, left, right, result))
        return function(f"{name}←%", value)

    def local(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        """A name bound on the right and used on the left."""
        name = self.fresh("w")
        kind = (self.base(), self.pick(shape, ()))
        fuels = self.split(fuel)
        value = array(f"{name}←%", self.array(*kind, fuels[0], scope))
        names = [*scope.names, Known(name, *kind)]
        inner = Scope(names, list(scope.functions), scope.on_host, scope.quiet)
        return array("«%⊣%", self.array(base, shape, fuels[1], inner), value)

    def applied(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        fuels = self.split(fuel)
        right = (self.base(), self.pick(shape, self.shape(2)))
        argument = self.array(*right, fuels[0], scope)
        if self.chance(0.4):
            left = (self.base(), self.pick(shape, self.shape(2)))
            f = self.dfn(base, shape, fuels[1], scope, right, left)
            return array("«%%%", self.array(*left, fuels[0] // 2, scope), f, argument)
        return array("%%", self.dfn(base, shape, fuels[1], scope, right), argument)

    def called(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        fitting = [f for f in scope.functions if f.result == (base, shape)]
        if not fitting:
            return None
        f = self.random.choice(fitting)
        argument = self.array(*f.right, fuel // 2, scope)
        name = function(f.name, is_atom=True)
        if f.left is None:
            return array("% %", name, argument)
        return array("«% % %", self.array(*f.left, fuel // 2, scope), name, argument)

    def each(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        fuels = self.split(fuel)
        right = (self.base(), ())
        argument = self.array(right[0], shape, fuels[0], scope)
        fitting = [f for f in scope.functions if f.result == (base, ()) and f.left is None and not f.right[1]]
        if fitting and self.chance(0.5):
            f = self.random.choice(fitting)
            return array("%¨%", function(f.name, is_atom=True), self.array(f.right[0], shape, fuel, scope))
        if self.chance(0.3):
            left = (self.base(), ())
            f = self.dfn(base, (), fuels[1], scope, right, left, on_elements=bool(shape))
            beside = self.scalar_or(left[0], shape, fuels[0] // 2, scope)
            sides = (beside, f, argument)
            return array("«%%¨%", *sides)
        f = self.dfn(base, (), fuels[1], scope, right, on_elements=bool(shape))
        return array("%¨%", f, argument)

    def commuted(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """`f⍨`, compositions and trains."""
        if base in ("char", "bool"):
            return None
        symbol = self.pick("+", "-", "×", "⌈", "⌊", "|")
        form = self.random.randrange(8)
        if form == 0:
            return array(f"{symbol}⍨%", self.array(base, shape, fuel, scope))
        if form == 1:
            made = self.operands(base, shape, fuel, scope)
            return made and array(f"«%{symbol}⍨%", *made)
        if form == 2:
            made = self.operands(base, shape, fuel, scope)
            return made and array(f"«%({symbol}∘{self.pick('-', '+', '×', '|')})%", *made)
        inner = self.array(base, shape, fuel, scope)
        if form == 3:
            return array(f"({self.pick('-', '×', '|')}∘{self.pick('-', '+', '|')})%", inner)
        if form == 4:
            return array(f"(%∘{symbol})%", self.array(base, (), 0, scope), inner)
        if form == 5:
            return array(f"({symbol}∘%)%", self.array(base, (), 0, scope), inner)
        if form == 6:
            return array(f"(-{symbol}{self.pick('⊢', '+', '|')})%", inner)
        made = self.operands(base, shape, fuel, scope)
        return made and array(f"«%(+{symbol}{self.pick('-', '⊢', '⌈')})%", *made)

    # --- numeric productions ---

    def numeric(self, base: str, shape: Shape) -> list[Callable[..., Node | None]]:
        makers: list[Callable[..., Node | None]] = [self.pervasive] * 4
        makers += [self.reduced, self.reduced, self.reduced, self.inner]
        if shape:
            makers += [self.outer, self.outer, self.scanned, self.windows, self.cells, self.zipped_cells]
        if base != "bool":
            makers.append(self.decoded)
            makers += [self.encoded] if shape else []
        if base == "int":
            makers += [self.index_of, self.index_of_rows, self.interval, self.rolled]
            makers += [self.graded, self.dealt] if len(shape) == 1 else []
            makers += [self.iota] if len(shape) == 1 else []
            makers += [self.shape_of] if len(shape) == 1 and shape[0] <= 3 else []
            makers += [self.tally] if not shape else []
        if base == "bool":
            makers += [self.match, self.match] if not shape else []
            makers += [self.member, self.found]
        if base == "double":
            makers.append(self.rolled)
        return makers

    def pervasive(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        if base == "bool":
            return self.pervasive_bool(shape, fuel, scope)
        if self.chance(0.35):
            return self.monadic(base, shape, fuel, scope)
        operands = self.operands(base, shape, fuel, scope)
        if operands is None:
            return None
        left, right = operands
        if base == "int":
            symbol = self.pick("+", "-", "×", "⌈", "⌊", "|", "+", "-", "×", "∧", "∨")
            return array(f"«%{symbol}%", left, right)
        symbol = self.pick("+", "-", "×", "⌈", "⌊", "|", "+", "-", "×", "÷", "÷", "*", "⍟")
        if symbol == "÷" and not self.chance(0.15):
            right = array(self.pick("1+|%", "0.5+%×2", "1⌈%"), right)
        if symbol == "*" and not self.chance(0.15):
            left, right = array("1+|%", left), array(self.pick("3|%", "2⌊%", "¯1+2|%"), right)
        if symbol == "⍟" and not self.chance(0.15):
            left, right = array("2+|%", left), array("1+|%", right)
        return array(f"«%{symbol}%", left, right)

    def monadic(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        if base == "int":
            symbol = self.pick("-", "×", "|", "+", "⌈", "⌊", "⌊", "⌈", "×")
            if symbol in "⌈⌊×" and self.chance(0.8):
                inner = self.array("double", shape, fuel, scope)
                return array(f"{symbol}%", array("1000|%", inner) if self.chance(0.5) else inner)
            return array(f"{symbol}%", self.array("int", shape, fuel, scope))
        inner = self.array("double", shape, fuel, scope)
        symbol = self.pick("-", "|", "+", "÷", "*", "⍟")
        if symbol in "÷⍟" and not self.chance(0.1):
            return array(f"{symbol}1+|%", inner)
        return array("*9⌊%" if symbol == "*" and self.chance(0.7) else f"{symbol}%", inner)

    def pervasive_bool(self, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        dice = self.random.random()
        if dice < 0.15:
            return array("~%", self.array("bool", shape, fuel, scope))
        if dice < 0.55:
            operands = self.operands("bool", shape, fuel, scope)
            return operands and array(f"«%{self.pick('∧', '∨', '⍲', '⍱', '=', '≠')}%", *operands)
        base = self.base()
        operands = self.operands(base, shape, fuel, scope)
        symbols = "=≠" if base == "char" else "=≠<≤>≥"
        return operands and array(f"«%{self.random.choice(symbols)}%", *operands)

    def folding(self, base: str, fuel: int, scope: Scope) -> tuple[Node, str]:
        """A function to reduce with, and the kind of elements it is for."""
        if self.chance(0.2):
            inner = base
            f = self.dfn(base, (), fuel // 2, scope, (base, ()), (base, ()), on_elements=True)
            return f, inner
        symbols = {
            "int": "++××⌈⌊-|∧∨",
            "double": "+++×⌈⌈⌊⌊-÷",
            "bool": "∧∧∨∨=≠⍲⍱<≤>≥",
        }[base]
        inner = self.pick("int", "bool") if base == "int" and self.chance(0.2) else base
        symbol = self.random.choice(symbols)
        return function(symbol + "⍨" * self.chance(0.05), is_atom=True), inner

    def reduced(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        if len(shape) > 2:
            return None
        fuels = self.split(fuel)
        f, inner = self.folding(base, fuels[0], scope)
        if not shape and self.chance(0.2):
            vector, _ = self.unknown_vector(inner, fuels[1], scope)
            return array("%/%", f, vector)
        if not shape and self.chance(0.2):
            return array("%/,%", f, self.array(inner, self.shape(), fuels[1], scope))
        n = self.pick(0, 1, 2, 3, 4, 5, 8, 19) if prod(shape) < 12 else self.pick(0, 1, 2, 3)
        if self.chance(0.5):
            return array("%/%", f, self.array(inner, (*shape, n), fuels[1], scope))
        return array("%⌿%", f, self.array(inner, (n, *shape), fuels[1], scope))

    def scanned(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        fuels = self.split(fuel)
        f, inner = self.folding(base, fuels[0], scope)
        a = self.array(base if inner == "bool" else inner, shape, fuels[1], scope)
        return array(self.pick("%\\%", "%\\%", "%⍀%"), f, a)

    def windows(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """Reductions of windows, most of them short."""
        if base == "bool":
            return None
        fuels = self.split(fuel)
        width = self.pick(1, 2, 2, 3, 4, 5, 9, 12)
        first = len(shape) > 1 and self.chance(0.3)
        f, _ = self.folding(base, fuels[0], scope)
        outer, n = (shape[1:], shape[0]) if first else (shape[:-1], shape[-1])
        if n == 1 and self.chance(0.2):
            width = 0
        whole = n + width - 1
        if whole < 0 or whole * prod(outer) > MAX_ELEMENTS:
            return None
        source = (whole, *outer) if first else (*outer, whole)
        count = self.counted(width if self.chance(0.8) else -width, scope)
        return array("«%%⌿%" if first else "«%%/%", count, f, self.array(base, source, fuels[1], scope))

    def cells(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        """A function of whole cells."""
        fuels = self.split(fuel)
        frame = self.random.randint(0, len(shape))
        right = (self.base(), self.pick(shape[frame:], self.shape(1), (self.extent(),)))
        inner = Scope(list(scope.names), list(scope.functions), scope.on_host, quiet=True)
        f = self.dfn(base, shape[frame:], fuels[0], inner, right)
        argument = self.array(right[0], (*shape[:frame], *right[1]), fuels[1], scope)
        return array(f"(%⍤{len(right[1])})%", f, argument)

    def zipped_cells(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        """A function of pairs of cells."""
        fuels = self.split(fuel)
        frame = self.random.randint(1, len(shape))
        sides = [(self.base(), self.pick(shape[frame:], (self.extent(),), ())) for _ in range(2)]
        inner = Scope(list(scope.names), list(scope.functions), scope.on_host, quiet=True)
        f = self.dfn(base, shape[frame:], fuels[0], inner, sides[1], sides[0])
        a, b = [self.array(kind, (*shape[:frame], *cell), fuels[1] // 2, scope) for kind, cell in sides]
        return array(f"«%(%⍤{len(sides[0][1])} {len(sides[1][1])})%", a, f, b)

    def decoded(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        fuels = self.split(fuel)
        k = self.random.randint(0, len(shape))
        n = self.pick(0, 1, 2, 3, 4, 9)
        left = self.pick((*shape[:k], n), (*shape[:k], n), (*shape[:k], 1))
        radices = self.array(base, () if not shape[:k] and self.chance(0.3) else left, fuels[0], scope)
        return array("«%⊥%", radices, self.array(base, (n, *shape[k:]), fuels[1], scope))

    def encoded(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        fuels = self.split(fuel)
        k = self.random.randint(1, len(shape))
        literal = array(" ".join([str(self.pick(0, 2, 2, 3, 10, 60)) for _ in range(shape[0])]))
        is_literal = k == 1 and shape[0] > 1 and self.chance(0.5)
        radices = literal if is_literal else self.array(base, shape[:k], fuels[0], scope)
        return array("«%⊤%", radices, self.array(base, shape[k:], fuels[1], scope))

    def inner(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        k = self.random.randint(max(0, len(shape) - 2), min(2, len(shape)))
        n = self.pick(0, 1, 2, 3, 4, 6)
        fuels = self.split(fuel)
        f, middle = self.folding(base, fuels[0] // 2, scope)
        source = self.base()
        if self.chance(0.2) or source == "char":
            g = self.dfn(middle, (), fuels[0] // 2, scope, (source, ()), (source, ()), on_elements=True)
        elif middle == "bool":
            g = function(self.random.choice("=≠<≤>≥"), is_atom=True)
        elif middle == "int":
            source = self.pick("int", "bool")
            g = function(self.random.choice("×+-⌈⌊|="), is_atom=True)
        else:
            source = self.pick("double", "double", "int")
            g = function(self.random.choice("××+-⌈⌊"), is_atom=True)
        shapes = [(*shape[:k], n), (n, *shape[k:])]
        if self.chance(0.1):
            single = self.random.randrange(2)
            others = shape[:k] if single == 0 else shape[k:]
            if all(m == 1 for m in others):
                shapes[single] = (1,) * len(shapes[single])
        if self.chance(0.02):
            shapes[0] = (*shape[:k], n + 1)
        sides = [self.array(source, s, fuels[1] // 2, scope) for s in shapes]
        return array("«%%.%%", sides[0], f, g, sides[1])

    def outer(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        k = self.random.randint(0, len(shape))
        fuels = self.split(fuel)
        if self.chance(0.4):
            kinds = self.base(), self.base()
            f = self.dfn(base, (), fuels[0], scope, (kinds[1], ()), (kinds[0], ()), on_elements=True)
        elif base == "bool":
            kinds = (self.pick("int", "double", "char"),) * 2
            f = function(self.random.choice("=≠" if kinds[0] == "char" else "=≠<≤>≥"), is_atom=True)
        else:
            kinds = (base, base)
            f = function(self.random.choice("+-×⌈⌊|" + "∧∨" * (base == "int")), is_atom=True)
        left = self.array(kinds[0], shape[:k], fuels[1] // 2, scope)
        return array("«%∘.%%", left, f, self.array(kinds[1], shape[k:], fuels[1] // 2, scope))

    def iota(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        return array("⍳%", self.counted(shape[0], scope))

    def shape_of(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        source = tuple([self.extent() for _ in range(shape[0])])
        return array("⍴%", self.array(self.base(), source, fuel, scope))

    def tally(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        if self.chance(0.3):
            vector, _ = self.unknown_vector(self.base(), fuel, scope)
            return array("≢%", vector)
        return array("≢%", self.array(self.base(), self.shape(), fuel, scope))

    def index_of(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        source = self.base()
        fuels = self.split(fuel)
        if self.chance(0.3):
            vector, _ = self.unknown_vector(source, fuels[0], scope)
        else:
            vector = self.array(source, (self.extent(),), fuels[0], scope)
        return array("«%⍳%", vector, self.array(source, shape, fuels[1], scope))

    def index_of_rows(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        source, cell = self.base(), self.shape(2)
        if not cell or len(shape + cell) > 3 or prod(shape + cell) > MAX_ELEMENTS:
            return None
        fuels = self.split(fuel)
        keys = self.array(source, (self.extent(), *cell), fuels[0], scope)
        return array("«%⍳%", keys, self.array(source, (*shape, *cell), fuels[1], scope))

    def keys(self, base: str, fuel: int, scope: Scope) -> Node:
        """A vector to search in: short, of any length, or long."""
        if self.chance(0.3):
            return self.unknown_vector(base, fuel, scope)[0]
        return self.array(base, (self.pick(self.extent(), self.extent(), 12, 23),), fuel, scope)

    def interval(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        source = self.base()
        fuels = self.split(fuel)
        keys = self.keys(source, fuels[0], scope)
        ascending = array("{⍵[⍋⍵]}%", keys) if self.chance(0.95) else keys
        return array("«%⍸%", ascending, self.array(source, shape, fuels[1], scope))

    def graded(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        cell = self.pick((), (), (2,), (3, 1), (0,))
        return array(self.pick("⍋%", "⍒%"), self.array(self.base(), (*shape, *cell), fuel, scope))

    def member(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        source = self.base()
        fuels = self.split(fuel)
        left = self.array(source, shape, fuels[0], scope)
        if self.chance(0.5):
            return array("«%∊%", left, self.keys(source, fuels[1], scope))
        return array("«%∊%", left, self.array(source, self.shape(), fuels[1], scope))

    def found(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        source = self.base()
        fuels = self.split(fuel)
        pattern = tuple([self.pick(1, 1, 1, 2, 0) for _ in range(self.random.randint(0, 3))])
        left = self.array(source, pattern, fuels[0], scope)
        return array("«%⍷%", left, self.array(source, shape, fuels[1], scope))

    def unique(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        return array("«%↑∪%", self.counted(shape[0], scope), self.keys(base, fuel, scope))

    def formatted(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """The display form of integers, cut to length; that of doubles shows their last bits."""
        if base != "char":
            return None
        source = self.array(self.pick("int", "bool", "char"), self.shape(1), fuel, scope)
        return array("«%↑⍕%", self.counted(shape[0], scope), source)

    def rolled(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """Random numbers, where they are drawn once."""
        if not scope.on_host or scope.quiet:
            return None
        if base == "double":
            return array("?%", array("«%⍴0", self.counts(list(shape), scope)) if shape else array("0"))
        limits = self.array("int", shape, fuel, scope)
        return array("?%", array("1+|%", limits) if self.chance(0.97) else limits)

    def dealt(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        if not scope.on_host or scope.quiet:
            return None
        more = self.pick(0, 1, 5, 100, 2**40, -1 if self.chance(0.1) else 0)
        return array("«%?%", self.counted(shape[0], scope), self.counted(shape[0] + more, scope))

    def match(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        fuels = self.split(fuel)
        kind, size = self.base(), self.shape()
        left = self.array(kind, size, fuels[0], scope)
        right = left if self.chance(0.2) else self.array(kind, size, fuels[1], scope)
        return array(self.pick("«%≡%", "«%≢%"), left, right)

    # --- programs ---

    def program(self) -> Program:
        scope = Scope()
        statements: list[Node] = []
        for _ in range(self.pick(0, 0, 1, 1, 2, 3)):
            statements.append(self.assignment(self.random.randint(1, 7), scope))
            if self.chance(0.15):
                statements.append(array("⎕←%", self.array(self.base(), self.shape(), 3, scope)))
        base, shape = self.base(), self.shape()
        statements.append(self.array(base, shape, self.random.randint(2, 14), scope))
        return Program(body(statements), _used(self.inputs, body(statements)))


def _used(inputs: dict[str, Value], tree: Node) -> dict[str, Value]:
    atoms = {n.text() for n in walk(tree) if not n.children}
    return {name: v for name, v in inputs.items() if name in atoms}


def _kind(value: Value) -> tuple[str, Shape]:
    return {"b": "bool", "i": "int", "u": "int", "f": "double", "U": "char"}[value.dtype.kind], value.shape


def _spelt(value: Any) -> str:
    """A number as APL text."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        if np.isnan(value) or np.isinf(value):
            value = 0.25
        value = repr(value).upper().replace("+", "")
        value = value if "." in value or "E" in value else value + ".0"
    return str(value).replace("-", "¯")


def random_program(random: Random) -> Program:
    """A program with its inputs."""
    return Generator(random).program()


# --- shrinking ------------------------------------------------------------------------------------------


def walk(tree: Node) -> Iterator[Node]:
    yield tree
    for child in tree.children:
        yield from walk(child)


def smaller(program: Program) -> Iterator[Program]:
    """Simpler programs, the simplest first."""
    found = [Program(t, _used(program.inputs, t)) for t in _smaller_trees(program.tree)]
    found += [replace(program, inputs=i) for i in _smaller_inputs(program.inputs)]
    limit = program.size()
    seen: set[str] = set()
    for candidate in sorted(found, key=Program.size):
        key = str(candidate)
        if candidate.size() < limit and key not in seen:
            seen.add(key)
            yield candidate


SIMPLE = {
    "array": [array(t, is_atom=t != "1 2") for t in ("0", "1", "2", "⍬", "1.5", "'a'", "1 2")],
    "function": [function(t, is_atom=True) for t in ("+", "⊢", "-", "=")],
}


def _smaller_trees(tree: Node) -> Iterator[Node]:
    if tree.kind == "body":
        for k in range(len(tree.children)):
            if len(tree.children) > 1:
                kept = tree.children[:k] + tree.children[k + 1 :]
                yield Node("body", tree.pattern[:1] + tree.pattern[2:], kept)
    else:
        yield from SIMPLE[tree.kind]
        for below in walk(tree):
            if below is not tree and below.kind == tree.kind:
                yield below
    for k, child in enumerate(tree.children):
        for less in _smaller_trees(child):
            yield replace(tree, children=(*tree.children[:k], less, *tree.children[k + 1 :]))


def _smaller_inputs(inputs: dict[str, Value]) -> Iterator[dict[str, Value]]:
    """Every input smaller; and all inputs smaller together along axes of one extent."""
    extents = {n for v in inputs.values() for n in v.shape}
    for n, less in product(sorted(extents), (0, 1, 2, 3)):
        if less < n:
            cut = {k: _cut(v, n, less) for k, v in inputs.items()}
            yield cut
    for name, value in inputs.items():
        for less in _smaller_values(value):
            yield {**inputs, name: less}


def _cut(value: Value, extent: int, less: int) -> Value:
    index = tuple([slice(less) if n == extent else slice(None) for n in value.shape])
    return np.ascontiguousarray(value[index]).reshape(value[index].shape)


def _smaller_values(value: Value) -> Iterator[Value]:
    for axis, n in enumerate(value.shape):
        for less in sorted({k for k in (0, 1, n // 2, n - 1) if 0 <= k < n}):
            for part in (slice(less), slice(n - less, n)):
                yield np.ascontiguousarray(value[(slice(None),) * axis + (part,)])
    if value.ndim:
        yield value.reshape(-1)[0].reshape(()) if value.size else value.reshape(-1)[:0].reshape(0)
    simple = ("a",) if value.dtype.kind == "U" else (0, 1, 2, -1)
    for number in simple:
        with np.errstate(all="ignore"):
            if value.dtype.kind != "u" or number != -1:
                yield np.full_like(value, number)
    if value.dtype.name not in ("float64", "int64", "bool") and value.dtype.kind != "U":
        yield value.astype("float64" if value.dtype.kind == "f" else "int64")
    if 0 < value.size <= 8:
        for k in range(value.size):
            for number in simple[:2]:
                changed = value.copy()
                changed.reshape(-1)[k] = number
                yield changed
