"""What is computed in random programs of APL: scalar functions, folds, products, searching."""

from collections.abc import Callable
from math import prod

from tests.support.apl_programs.goals import MAX_ELEMENTS, Scope
from tests.support.apl_programs.structure import Structure
from tests.support.apl_programs.trees import Node, Shape, array, function


class Numeric(Structure):
    """Productions that compute elements."""

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
