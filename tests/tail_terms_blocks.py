"""Productions of `tail_terms`: bindings, tuples, conditionals, loops and recursive functions.

Every loop has a counter with a bound, and every recursive function one that decreases, so that all terms come
to an end. In the branch that goes on, calls of the function are goals like others; how many stand there is
limited, and so is the counter.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tail_maker import BASE, ONE_IN_SIX, SHAPE, Bound, Maker, Shape, base_of, general, parameters

from tail import prims as p
from tail.syntax import (
    Binding,
    Exp,
    Item,
    Param,
    Var,
    call,
    conditional,
    item,
    let,
    literal,
    op,
    product,
    rec,
)
from tail.types import (
    Array,
    Base,
    DataType,
    Single,
    SingleVector,
    Tuple,
    Type,
    Vector,
    forget_value,
    generalise,
    scalar,
    vector,
)

INT, BOOL = Base.INT, Base.BOOL
MAX_ROUNDS = 3
Make = Callable[[], Exp]


@dataclass
class Callee:
    """A recursive function whose calls are in scope, as long as there are calls left."""

    name: str
    counter: Var
    params: tuple[Bound, ...]
    result: tuple[Base, Shape]
    ty: Type
    left: int


class Blocks(Maker):
    """See the module's docstring."""

    def __init__(self, draw: Callable[..., object]) -> None:
        super().__init__(draw)
        self.callees: list[Callee] = []

    # --- bindings ---

    def let(self, base: Base, shape: Shape) -> Exp:
        return self.block(base, shape, lambda: self.array(base, shape))

    def vector_let(self, base: Base, shape: Shape) -> Exp:
        return self.block(base, shape, lambda: self.vector(base, shape[0]))

    def block(self, base: Base, shape: Shape, body: Make) -> Exp:
        """One or two bindings around a body; the first has the body's own type and shape half of the time."""
        depth = len(self.scope)
        bindings: list[Binding] = []
        for _ in range(self.choose((1, 2))):
            if self.draw(ONE_IN_SIX):
                bindings.append(self.bound_tuple())
                continue
            same = self.choose((True, False))
            binding, bound = self.binding(*((base, shape) if same else (self.draw(BASE), self.draw(SHAPE))))
            bindings.append(binding)
            self.scope.append(bound)
        inner = body()
        del self.scope[depth:]
        return let(bindings, inner)

    def binding(self, base: Base, shape: Shape) -> tuple[Binding, Bound]:
        sized = len(shape) == 1 and self.choose((True, False))
        value = self.vector(base, shape[0]) if sized else self.array(base, shape)
        precise = value.ty
        assert isinstance(precise, Array | Vector | Single | SingleVector)
        choices: tuple[DataType, ...] = (precise, generalise(precise))
        forgotten = forget_value(precise)
        if isinstance(forgotten, Vector):
            choices = (*choices, forgotten)
        stated = self.choose(choices)
        name = self.fresh()
        return Binding(name, stated, value), Bound(Var(name, ty=stated), shape)

    # --- tuples ---

    def bound_tuple(self) -> Binding:
        """A tuple of up to three arrays, whose components come into scope."""
        parts, shapes = self.parts_of_tuple()
        value = product(tuple(parts))
        name = self.fresh()
        variable = Var(name, ty=value.ty)
        for k, shape in enumerate(shapes):
            self.scope.append(Bound(item(variable, k + 1), shape))
        return Binding(name, value.ty, value)

    def parts_of_tuple(self) -> tuple[list[Exp], list[Shape]]:
        shapes = [self.draw(SHAPE) for _ in range(self.choose((2, 1, 3)))]
        return [self.array(self.draw(BASE), shape) for shape in shapes], shapes

    def component(self, base: Base, shape: Shape) -> Exp:
        """A component of a tuple made here; the others are computed too."""
        parts, _ = self.parts_of_tuple()
        at = self.number(0, len(parts) - 1)
        parts[at] = self.array(base, shape)
        whole: Exp = product(tuple(parts))
        ways: tuple[Make, ...] = (
            lambda: whole,
            lambda: op(p.PRINT, whole),
            lambda: let([Binding(name := self.fresh(), whole.ty, whole)], Var(name, ty=whole.ty)),
            lambda: conditional(self.scalar(BOOL), whole, whole_again()),
        )

        def whole_again() -> Exp:
            again = list(parts)
            again[at] = self.array(base, shape)
            others = [self.array(base_of(e.ty), ()) if not _rank(e) else e for e in parts if _closed(e)]
            return product(tuple(again)) if not others else whole_of_types(again)

        def whole_of_types(again: list[Exp]) -> Exp:
            return product(tuple(again))

        return item(self.choose(ways[:3])(), at + 1)
