"""Functions in random programs of APL: definitions, applications, operators that take them."""

from tests.support.apl_programs.goals import Goals, Known, KnownFunction, Scope
from tests.support.apl_programs.trees import Node, Shape, array, body, function


class Functions(Goals):
    """Productions by functions."""

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
