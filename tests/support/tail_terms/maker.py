"""What all productions of `tail_terms.terms` share: choices, the variables in scope, goals, and leaves.

A goal is an expression of one base type whose value has one shape, or a vector whose type tells its length.
Every production reaches its goal by goals for its operands. Which productions there are for a goal is said in
`tail_terms.terms`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st

from aplc.tail import prims as p
from aplc.tail.prims import PRIMS, Prim
from aplc.tail.syntax import (
    Exp,
    Fn,
    Function,
    Item,
    Param,
    Var,
    Vec,
    complex_number,
    fn,
    literal,
    op,
    prim_fn,
    vec,
)
from aplc.tail.types import Base, Func, Rho, Single, Tuple, Type, array, known_length, scalar

Shape = tuple[int, ...]
Production = Callable[[Base, Shape], Exp]

MAX_FUEL = 16
INT, DOUBLE, BOOL, CHAR = Base.INT, Base.DOUBLE, Base.BOOL, Base.CHAR
COMPLEX = Base.COMPLEX
BASES = (INT, DOUBLE, BOOL, CHAR, COMPLEX)

INTS = st.sampled_from((1, 0, 2, 3, -1, -2, 4, 7, 2**63 - 1, -(2**63)))
DOUBLES = st.one_of(
    st.sampled_from((1.0, 0.0, 2.0, 3.0, 0.5, 4.0, -1.5, -0.0, 1e-07, 1e308, np.inf, -np.inf, np.nan)).map(
        float
    ),
    st.floats(),
)
CHARS = st.one_of(
    st.sampled_from(("a", "b", " ", "'", '"', "\\", "\n", "\r", "⍵", "-")),
    st.characters(exclude_categories=["Cs"]),
)
LITERALS: dict[Base, st.SearchStrategy[Any]] = {
    INT: INTS,
    DOUBLE: DOUBLES,
    BOOL: st.booleans(),
    CHAR: CHARS,
    COMPLEX: st.builds(complex, DOUBLES, DOUBLES),
}
BASE = st.sampled_from(BASES)
COMPARED = st.sampled_from((INT, DOUBLE, BOOL, CHAR))
"""What is searched and put in order."""
EXTENT = st.sampled_from((1, 2, 3, 0, 4))
SHAPE = st.sampled_from(
    (
        (),
        (2,),
        (3,),
        (1,),
        (0,),
        (4,),
        (2, 2),
        (1, 1),
        (2, 3),
        (0, 2),
        (3, 0),
        (2, 1, 2),
        (1, 2, 0),
        (2, 2, 2),
    )
)
ONE_IN_THREE = st.integers(0, 2).map(lambda k: k == 2)
ONE_IN_SIX = st.integers(0, 5).map(lambda k: k == 5)
ONE_IN_THIRTY = st.integers(0, 29).map(lambda k: k == 29)
SPELLINGS = st.sampled_from(("v{}", "∆x{}", "in_{}", "été{}", "⍵{}", "a b{}", "1{}", "let{}"))

Signature = tuple[tuple[Base, ...], Base]


def signature(prim: Prim) -> Signature:
    """The base types of a scalar primitive's arguments and of its result."""
    ty = prim.schemes[0].type
    return tuple([base_of(t) for t in ty.params]), base_of(ty.result)


def base_of(ty: Type) -> Base:
    assert not isinstance(ty, Func | Tuple) and isinstance(ty.base, Base)
    return ty.base


SCALAR_PRIMS = tuple([prim for prim in PRIMS.values() if prim.is_scalar])
FALLIBLE = frozenset(
    {p.I2B, p.I2C, p.D2I, p.Z2D, p.LND, p.POWD, p.FLOORD, p.CEILD, p.DIVD, p.DIVZ, p.NATURAL}
    | {p.FACTD, p.BINOMD, p.CIRCD, p.SHLI32, p.SHRI32}
)
BY_RESULT: dict[Base, tuple[Prim, ...]] = {}
"""The scalar primitives by base type of the result; those that seldom fail occur more often."""
BY_SIGNATURE: dict[Signature, tuple[Prim, ...]] = {}
for _prim in SCALAR_PRIMS:
    _weight = 1 if _prim in FALLIBLE else 3
    BY_RESULT[signature(_prim)[1]] = (*BY_RESULT.get(signature(_prim)[1], ()), *(_prim,) * _weight)
    BY_SIGNATURE[signature(_prim)] = (*BY_SIGNATURE.get(signature(_prim), ()), _prim)


@dataclass(frozen=True)
class Bound:
    """A variable in scope, or a component of one, and the shape its value has."""

    var: Var | Item
    shape: Shape


class Maker:
    """Draws one term; see the module's docstring."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.scope: list[Bound] = []
        self.names = 0
        self.fuel = draw(st.integers(0, MAX_FUEL))
        self.spelling = draw(SPELLINGS)

    # --- choices ---

    def choose(self, options: tuple[Any, ...]) -> Any:
        return options[0] if len(options) == 1 else self.draw(st.sampled_from(options))

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def fresh(self) -> str:
        self.names += 1
        return self.spelling.format(self.names)

    def wrong(self, shape: Shape) -> Shape:
        """The shape; once in a while with one extent more than wanted."""
        if not shape or not self.draw(ONE_IN_THIRTY):
            return shape
        return (*shape[:-1], shape[-1] + 1)

    def signed(self, count: int) -> int:
        return self.choose((count, -count))

    # --- goals ---

    def productions(self, base: Base, shape: Shape) -> tuple[Production, ...]:
        """How an array of this element type and shape can be made."""
        raise NotImplementedError

    def vector_productions(self, base: Base, length: int) -> tuple[Production, ...]:
        """How a vector whose type tells this length can be made."""
        raise NotImplementedError

    def array(self, base: Base, shape: Shape) -> Exp:
        """An expression whose value has this element type and shape."""
        if self.fuel <= 0:
            return self.leaf(base, shape)
        self.fuel -= 1
        make: Production = self.choose(self.productions(base, shape))
        return make(base, shape)

    def vector(self, base: Base, length: int) -> Exp:
        """An expression whose type is that of a vector of this length."""
        if self.fuel <= 0:
            return self.vector_leaf(base, (length,))
        self.fuel -= 1
        make: Production = self.choose(self.vector_productions(base, length))
        return make(base, (length,))

    def scalar(self, base: Base) -> Exp:
        return self.array(base, ())

    def anything(self) -> Exp:
        return self.array(self.draw(BASE), self.draw(SHAPE))

    def known(self, value: int) -> Exp:
        """An integer scalar with this value."""
        ways: tuple[Callable[[], Exp], ...] = (
            lambda: literal(value),
            lambda: self.single(value),
            lambda: op(p.ADDI, literal(value - 1), literal(1)),
        )
        return self.choose(ways)() if self.fuel > 0 else literal(value)

    def single(self, value: int) -> Exp:
        """An integer scalar whose type tells its value."""
        if self.fuel <= 0:
            return literal(value)
        self.fuel -= 1
        same = Single(INT, Rho(value))
        named: tuple[Exp, ...] = tuple([b.var for b in self.scope if b.var.ty == same])
        ways: tuple[Callable[[], Exp], ...] = (
            lambda: self.choose((literal(value), *named)),
            lambda: op(p.FIRST_V, vec((literal(value),), INT)),
            lambda: op(p.PRINT, literal(value)),
        )
        if 0 <= value <= 4:
            ways += (lambda: op(p.FIRST_V, op(p.SHAPE_V, self.vector(self.draw(BASE), value))),)
        return self.choose(ways)()

    def extents(self, shape: Shape) -> Exp:
        """A vector whose values are these extents."""
        if self.fuel > 0 and self.draw(ONE_IN_SIX):
            return op(p.SHAPE, self.array(self.draw(BASE), shape))
        wanted = [-1 if k == 0 and self.draw(ONE_IN_SIX) else k for k in self.wrong(shape)]
        return vec(tuple([self.known(k) for k in wanted]), INT)

    def integers(self, values: list[int], shape: Shape) -> Exp:
        """An array of integers with these values."""
        items = vec(tuple([literal(k) for k in values]), INT)
        if len(shape) == 1:
            return items
        if not shape:
            return self.known(values[0])
        return op(p.RESHAPE, vec(tuple([literal(n) for n in shape]), INT), items)

    # --- functions ---

    def function(self, params: tuple[Base, ...], result: Base) -> Function:
        """A primitive, or a function over fresh parameters in the scope of all other variables."""
        named = BY_SIGNATURE.get((params, result), ())
        if named and (self.fuel <= 0 or self.choose((True, False))):
            return prim_fn(self.choose(named))
        return self.function_on(tuple([(base, ()) for base in params]), lambda: self.scalar(result))

    def function_on(self, params: tuple[tuple[Base, Shape], ...], body: Callable[[], Exp]) -> Fn:
        """A function over fresh parameters of these element types and shapes."""
        bound = [Bound(Var(self.fresh(), ty=array(base, len(shape))), shape) for base, shape in params]
        depth = len(self.scope)
        self.scope += bound
        inside = body()
        del self.scope[depth:]
        return fn(parameters(bound), inside)

    def elements_for(self, base: Base) -> tuple[Base, Base]:
        """Base types of two operands; mostly such that a primitive takes them."""
        named = [prim for prim in BY_RESULT.get(base, ()) if prim.arity == 2]
        if not named or self.draw(ONE_IN_SIX):
            return self.draw(BASE), self.draw(BASE)
        left, right = signature(self.choose(tuple(named)))[0]
        return left, right

    # --- leaves ---

    def constant(self, base: Base) -> Exp:
        if base is COMPLEX:
            number = self.draw(LITERALS[base])
            return complex_number(number.real, number.imag)
        return literal(self.draw(LITERALS[base]))

    def constants(self, base: Base, length: int) -> Vec:
        return vec(tuple([self.constant(base) for _ in range(length)]), base)

    def leaf(self, base: Base, shape: Shape) -> Exp:
        named = [b.var for b in self.scope if b.shape == shape and base_of(b.var.ty) is base]
        which = self.number(0, len(named)) if named else 0
        if which:
            return named[-which]
        if not shape:
            return self.constant(base)
        if len(shape) == 1:
            return self.constants(base, shape[0])
        extents = vec(tuple([literal(k) for k in shape]), INT)
        return op(p.RESHAPE, extents, self.constants(base, self.choose((1, min(4, prod(shape))))))

    def vector_leaf(self, base: Base, shape: Shape) -> Exp:
        length = Rho(shape[0])
        named = [b.var for b in self.scope if known_length(b.var.ty) == length and base_of(b.var.ty) is base]
        which = self.number(0, len(named)) if named else 0
        return named[-which] if which else self.constants(base, shape[0])


def parameters(bound: list[Bound]) -> tuple[Param, ...]:
    """The variables as parameters."""
    return tuple([Param(b.var.name, b.var.ty) for b in bound if isinstance(b.var, Var)])


def general(base: Base, shape: Shape) -> Type:
    """`[κ]ρ` for values of this shape."""
    return scalar(base) if not shape else array(base, len(shape))
