"""The structure of arrays in random programs of APL: rotating, taking, joining, indexing, selecting."""

from collections.abc import Callable
from math import prod

import numpy as np

from tests.support.apl_programs.functions import Functions
from tests.support.apl_programs.goals import INT_MAX, INT_MIN, MAX_ELEMENTS, Known, Scope, spelt
from tests.support.apl_programs.trees import Node, Shape, array, body, function


class Structure(Functions):
    """Productions that move elements."""

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
            index = array(spelt(self.pick(0, n + 1, -1, INT_MIN, INT_MAX)), is_atom=True)
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

    def unique(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node:
        return array("«%↑∪%", self.counted(shape[0], scope), self.keys(base, fuel, scope))

    def formatted(self, base: str, shape: Shape, fuel: int, scope: Scope) -> Node | None:
        """The display form of integers, cut to length; that of doubles shows their last bits."""
        if base != "char":
            return None
        source = self.array(self.pick("int", "bool", "char"), self.shape(1), fuel, scope)
        return array("«%↑⍕%", self.counted(shape[0], scope), source)
