"""A Hypothesis generator of well-typed TAIL terms, built through the constructors of `tail.syntax`.

    terms()      expressions without free variables
    programs()   programs with inputs, and the inputs to run them on

Generation works from a goal: an expression of one base type whose value has one shape, or a vector whose
type tells its length. Every production reaches its goal by goals for its operands, so no draw is rejected,
and most terms have a value. Now and then an extent, an index or a count is wrong on purpose; the term is then
still well-typed and fails at run time, as do some scalar functions. Where there is a choice the first option
is the simplest, and `fuel` bounds the number of operators: that is what shrinking works on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tail import prims as p
from tail.evaluate import DTYPES
from tail.prims import PRIMS, Prim
from tail.syntax import (
    Arg,
    Binding,
    Exp,
    Function,
    Param,
    Term,
    Var,
    Vec,
    fn,
    let,
    literal,
    op,
    prim_fn,
    product,
    vec,
)
from tail.types import (
    Array,
    Base,
    DataType,
    Func,
    Rho,
    Single,
    SingleVector,
    Tuple,
    Type,
    Vector,
    array,
    forget_value,
    generalise,
    known_length,
    scalar,
)

Shape = tuple[int, ...]
Production = Callable[[Base, Shape], Exp]

MAX_FUEL = 16
INT, DOUBLE, BOOL, CHAR = Base.INT, Base.DOUBLE, Base.BOOL, Base.CHAR
BASES = (INT, DOUBLE, BOOL, CHAR)

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
}
BASE = st.sampled_from(BASES)
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
ONE_IN_SIX = st.integers(0, 5).map(lambda k: k == 5)
ONE_IN_THIRTY = st.integers(0, 29).map(lambda k: k == 29)
SPELLINGS = st.sampled_from(("v{}", "∆x{}", "in_{}", "été{}", "⍵{}", "a b{}", "1{}", "let{}"))

Signature = tuple[tuple[Base, ...], Base]


def signature(prim: Prim) -> Signature:
    """The base types of a scalar primitive's arguments and of its result."""
    ty = prim.schemes[0].type
    return tuple([_base(t) for t in ty.params]), _base(ty.result)


def _base(ty: Type) -> Base:
    assert not isinstance(ty, Func | Tuple) and isinstance(ty.base, Base)
    return ty.base


SCALAR_PRIMS = tuple([prim for prim in PRIMS.values() if prim.is_scalar])
FALLIBLE = frozenset({p.I2B, p.D2I, p.LND, p.POWD, p.FLOORD, p.CEILD, p.DIVD})
BY_RESULT: dict[Base, tuple[Prim, ...]] = {}
"""The scalar primitives by base type of the result; those that seldom fail occur more often."""
BY_SIGNATURE: dict[Signature, tuple[Prim, ...]] = {}
for _prim in SCALAR_PRIMS:
    _weight = 1 if _prim in FALLIBLE else 3
    BY_RESULT[signature(_prim)[1]] = (*BY_RESULT.get(signature(_prim)[1], ()), *(_prim,) * _weight)
    BY_SIGNATURE[signature(_prim)] = (*BY_SIGNATURE.get(signature(_prim), ()), _prim)


@dataclass(frozen=True)
class Bound:
    """A variable in scope and the shape its value has."""

    var: Var
    shape: Shape


@dataclass(frozen=True)
class Program:
    """A program with inputs, and one array for each input."""

    term: Term
    inputs: tuple[np.ndarray[Any, Any], ...]


class _Maker:
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

    def function(self, params: tuple[Base, ...], result: Base) -> Function:
        """A primitive, or a function over fresh parameters in the scope of all other variables."""
        named = BY_SIGNATURE.get((params, result), ())
        if named and (self.fuel <= 0 or self.choose((True, False))):
            return prim_fn(self.choose(named))
        bound = [Bound(Var(self.fresh(), ty=scalar(b)), ()) for b in params]
        depth = len(self.scope)
        self.scope += bound
        body = self.scalar(result)
        del self.scope[depth:]
        return fn(tuple([Param(b.var.name, b.var.ty) for b in bound]), body)

    # --- which productions reach a goal ---

    def productions(self, base: Base, shape: Shape) -> tuple[Production, ...]:
        anything = (self.leaf, self.let, self.each, self.zip_with, self.reduce, self.structure)
        match len(shape):
            case 0:
                return (
                    self.leaf,
                    self.scalar_op,
                    self.scalar_op,
                    self.reduce,
                    self.select,
                    self.let,
                    self.structure,
                )
            case 1:
                return (
                    *anything,
                    self.some_vector,
                    self.some_vector,
                    self.lengthwise,
                    self.outer,
                    self.inner,
                )
            case _:
                return (*anything, self.lengthwise, self.outer, self.inner)

    def vector_productions(self, base: Base, length: int) -> tuple[Production, ...]:
        found: tuple[Production, ...] = (
            self.vector_leaf,
            self.vector_of_scalars,
            self.vector_let,
            self.vector_each,
            self.vector_zip_with,
            self.vector_part,
            self.vector_part,
            self.vector_joined,
        )
        return (*found, self.vector_of_ints, self.vector_of_ints) if base is INT else found

    # --- leaves ---

    def constant(self, base: Base) -> Exp:
        return literal(self.draw(LITERALS[base]))

    def leaf(self, base: Base, shape: Shape) -> Exp:
        named = [b.var for b in self.scope if b.shape == shape and _base(b.var.ty) is base]
        which = self.number(0, len(named)) if named else 0
        if which:
            return named[-which]
        if not shape:
            return self.constant(base)
        if len(shape) == 1:
            return self.constants(base, shape[0])
        extents = vec(tuple([literal(k) for k in shape]), INT)
        return op(p.RESHAPE, extents, self.constants(base, self.choose((1, min(4, prod(shape))))))

    def constants(self, base: Base, length: int) -> Vec:
        return vec(tuple([self.constant(base) for _ in range(length)]), base)

    def vector_leaf(self, base: Base, shape: Shape) -> Exp:
        length = Rho(shape[0])
        named = [b.var for b in self.scope if known_length(b.var.ty) == length and _base(b.var.ty) is base]
        which = self.number(0, len(named)) if named else 0
        return named[-which] if which else self.constants(base, shape[0])

    # --- productions for every shape ---

    def let(self, base: Base, shape: Shape) -> Exp:
        return self.block(base, shape, lambda: self.array(base, shape))

    def block(self, base: Base, shape: Shape, body: Callable[[], Exp]) -> Exp:
        """One or two bindings around a body; the first has the body's own type and shape half of the time."""
        depth = len(self.scope)
        bindings: list[Binding] = []
        for _ in range(self.choose((1, 2))):
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

    def each(self, base: Base, shape: Shape) -> Exp:
        element = self.draw(BASE)
        return op(p.EACH, self.function((element,), base), self.array(element, shape))

    def zip_with(self, base: Base, shape: Shape) -> Exp:
        elements = self.elements_for(base)
        operands = [self.array(elements[0], shape), self.array(elements[1], self.extended(shape))]
        if elements[0] is elements[1] and self.draw(ONE_IN_SIX):
            operands.reverse()
        return op(p.ZIP_WITH, self.function(elements, base), *operands)

    def extended(self, shape: Shape) -> Shape:
        """The shape; once in a while that of one element, or a wrong one."""
        return (1,) * len(shape) if self.draw(ONE_IN_SIX) else self.wrong(shape)

    def elements_for(self, base: Base) -> tuple[Base, Base]:
        """Base types of two operands; mostly such that a primitive takes them."""
        named = [prim for prim in BY_RESULT.get(base, ()) if prim.arity == 2]
        if not named or self.draw(ONE_IN_SIX):
            return self.draw(BASE), self.draw(BASE)
        left, right = signature(self.choose(tuple(named)))[0]
        return left, right

    def reduce(self, base: Base, shape: Shape) -> Exp:
        function = self.function((base, base), base)
        operand = self.array(base, (*shape, self.draw(EXTENT)))
        if self.choose((True, False)):
            return op(p.REDUCE, function, self.constant(base), operand)
        return op(p.REDUCE1, function, operand)

    def structure(self, base: Base, shape: Shape) -> Exp:
        ways: tuple[Production, ...] = (self.reshape, self.same_shape, self.transpose_by, self.printed)
        ways = (*ways, self.each, self.zip_with, self.outer) if not shape else ways
        ways = (*ways, self.diagonal) if 1 <= len(shape) <= 2 else ways
        ways = (*ways, self.index_of) if base is INT else ways
        make: Production = self.choose(ways)
        return make(base, shape)

    def same_shape(self, base: Base, shape: Shape) -> Exp:
        prim = self.choose((p.REVERSE, p.ROTATE, p.TRANSP))
        if prim is p.TRANSP:
            return op(prim, self.array(base, shape[::-1]))
        arguments: tuple[Arg, ...] = (self.scalar(INT),) if prim is p.ROTATE else ()
        return op(prim, *arguments, self.array(base, shape))

    def reshape(self, base: Base, shape: Shape) -> Exp:
        return op(p.RESHAPE, self.extents(shape), self.array(base, self.draw(SHAPE)))

    def transpose_by(self, base: Base, shape: Shape) -> Exp:
        """A permutation of the axes, as constants or computed, and once in a while none."""
        axes = self.draw(st.permutations(range(len(shape))))
        operand = self.array(base, tuple([shape[k] for k in axes]))
        named = [k + 1 - self.draw(ONE_IN_THIRTY) for k in axes]
        return op(p.TRANSP2, vec(tuple([self.known(k) for k in named]), INT), operand)

    def diagonal(self, base: Base, shape: Shape) -> Exp:
        """One axis of the result runs along two axes of the operand."""
        twice = self.number(0, len(shape) - 1)
        axes = [*range(len(shape)), twice]
        operand = self.array(base, (*shape, shape[twice] + self.choose((0, 1))))
        return op(p.DIAGONAL, vec(tuple([literal(k + 1) for k in axes]), INT), operand)

    def index_of(self, base: Base, shape: Shape) -> Exp:
        element = self.draw(BASE)
        return op(p.INDEX_OF, self.array(element, (self.draw(EXTENT),)), self.array(element, shape))

    def printed(self, base: Base, shape: Shape) -> Exp:
        return op(p.PRINT, self.array(base, shape))

    # --- productions for scalars ---

    def scalar_op(self, base: Base, shape: Shape) -> Exp:
        if base not in BY_RESULT:
            return self.select(base, shape)
        prim: Prim = self.choose(BY_RESULT[base])
        return op(prim, *[self.scalar(b) for b in signature(prim)[0]])

    def select(self, base: Base, shape: Shape) -> Exp:
        """One element of an array, or whether two are the same."""
        ways = (p.FIRST, p.FIRST_V, p.PICK, p.MATCH) if base is BOOL else (p.FIRST, p.FIRST_V, p.PICK)
        prim = self.choose(ways)
        if prim is p.FIRST:
            return op(prim, self.array(base, self.draw(SHAPE)))
        if prim is p.FIRST_V:
            return op(prim, self.vector(base, self.choose((1, 2, 3))))
        if prim is p.PICK:
            length = self.choose((1, 2, 3))
            return op(
                prim,
                self.known(self.number(1, length) - self.draw(ONE_IN_THIRTY)),
                self.array(base, (length,)),
            )
        element, compared = self.draw(BASE), self.draw(SHAPE)
        return op(p.MATCH, self.array(element, compared), self.array(element, self.wrong(compared)))

    # --- productions for arrays with a first and a last axis ---

    def lengthwise(self, base: Base, shape: Shape) -> Exp:
        ways = (self.taken, self.dropped, self.joined)
        make: Production = self.choose(ways)
        return make(base, shape)

    def taken(self, base: Base, shape: Shape) -> Exp:
        axes = self.number(0, len(shape))
        counts = tuple([self.known(self.signed(k)) for k in shape[: max(1, axes)]])
        rest = shape[len(counts) :]
        operand = self.array(base, (*[self.draw(EXTENT) for _ in counts], *rest))
        return op(p.TAKES, vec(counts, INT), operand) if axes else op(p.TAKE, counts[0], operand)

    def dropped(self, base: Base, shape: Shape) -> Exp:
        axes = self.number(0, len(shape))
        lost = [self.draw(EXTENT) for _ in shape[: max(1, axes)]]
        operand = self.array(base, (*[k + m for k, m in zip(shape, lost, strict=False)], *shape[len(lost) :]))
        counts = tuple([self.known(self.signed(k)) for k in lost])
        return op(p.DROPS, vec(counts, INT), operand) if axes else op(p.DROP, counts[0], operand)

    def joined(self, base: Base, shape: Shape) -> Exp:
        outer, length = shape[:-1], shape[-1]
        prim = self.choose((p.CAT, p.CONS, p.SNOC) if length else (p.CAT,))
        if prim is p.CAT:
            left = self.number(0, length)
            return op(
                prim, self.array(base, (*outer, left)), self.array(base, (*self.wrong(outer), length - left))
            )
        part, rest = self.array(base, self.wrong(outer)), self.array(base, (*outer, length - 1))
        return op(prim, part, rest) if prim is p.CONS else op(prim, rest, part)

    def outer(self, base: Base, shape: Shape) -> Exp:
        cut = self.number(0, len(shape))
        left, right = self.elements_for(base)
        return op(
            p.OUTER,
            self.function((left, right), base),
            self.array(left, shape[:cut]),
            self.array(right, shape[cut:]),
        )

    def inner(self, base: Base, shape: Shape) -> Exp:
        cut, common = self.number(0, len(shape)), self.draw(EXTENT)
        left, right = self.elements_for(base)
        functions = self.function((base, base), base), self.function((left, right), base)
        operands = (
            self.array(left, (*shape[:cut], common)),
            self.array(right, (*self.wrong((common,)), *shape[cut:])),
        )
        if self.choose((True, False)):
            return op(p.INNER, functions[0], self.constant(base), functions[1], *operands)
        return op(p.INNER1, *functions, *operands)

    # --- productions for vectors without and with a length in their type ---

    def some_vector(self, base: Base, shape: Shape) -> Exp:
        ways: tuple[Callable[[], Exp], ...] = (
            lambda: self.vector(base, shape[0]),
            lambda: op(p.RAVEL, self.array(base, self.choose(((1, shape[0]), (shape[0], 1, 1), shape)))),
        )
        if base is INT:
            ways += (lambda: op(p.IOTA, self.known(shape[0] if shape[0] else -int(self.draw(ONE_IN_SIX)))),)
        return self.choose(ways)()

    def vector_of_scalars(self, base: Base, shape: Shape) -> Exp:
        return vec(tuple([self.scalar(base) for _ in range(shape[0])]), base)

    def vector_let(self, base: Base, shape: Shape) -> Exp:
        return self.block(base, shape, lambda: self.vector(base, shape[0]))

    def vector_each(self, base: Base, shape: Shape) -> Exp:
        element = self.draw(BASE)
        return op(p.EACH, self.function((element,), base), self.vector(element, shape[0]))

    def vector_zip_with(self, base: Base, shape: Shape) -> Exp:
        left, right = self.elements_for(base)
        function = self.function((left, right), base)
        return op(p.ZIP_WITH, function, self.vector(left, shape[0]), self.vector(right, shape[0]))

    def vector_part(self, base: Base, shape: Shape) -> Exp:
        prim = self.choose((p.REVERSE_V, p.ROTATE_V, p.TAKE_V, p.DROP_V, p.RESHAPE_V, p.PRINT))
        (length,) = shape
        if prim is p.ROTATE_V:
            return op(prim, self.scalar(INT), self.vector(base, length))
        if prim is p.TAKE_V:
            return op(prim, self.single(self.signed(length)), self.array(base, (self.draw(EXTENT),)))
        if prim is p.DROP_V:
            lost = self.draw(EXTENT)
            return op(prim, self.single(self.signed(lost)), self.vector(base, length + lost))
        if prim is p.RESHAPE_V:
            return op(prim, self.single(length), self.array(base, self.draw(SHAPE)))
        return op(prim, self.vector(base, length))

    def vector_joined(self, base: Base, shape: Shape) -> Exp:
        (length,) = shape
        prim = self.choose((p.CAT_V, p.CONS_V, p.SNOC_V) if length else (p.CAT_V,))
        if prim is p.CAT_V:
            left = self.number(0, length)
            return op(prim, self.vector(base, left), self.vector(base, length - left))
        part, rest = self.scalar(base), self.vector(base, length - 1)
        return op(prim, part, rest) if prim is p.CONS_V else op(prim, rest, part)

    def vector_of_ints(self, base: Base, shape: Shape) -> Exp:
        (length,) = shape
        ways: tuple[Callable[[], Exp], ...] = (lambda: op(p.IOTA_V, self.single(length)),)
        if length <= 3:
            extents = tuple([self.draw(EXTENT) for _ in range(length)])
            ways += (lambda: op(p.SHAPE, self.array(self.draw(BASE), extents)),)
        if length == 1:
            ways += (lambda: op(p.SHAPE_V, self.vector(self.draw(BASE), self.draw(EXTENT))),)
        return self.choose(ways)()


def _body(maker: _Maker) -> Exp:
    """Mostly one value; once in a while several, or none."""
    count = maker.choose((1, 1, 1, 1, 1, 1, 2, 0))
    if count == 1:
        return maker.array(maker.draw(BASE), maker.draw(SHAPE))
    return product(tuple([maker.array(maker.draw(BASE), maker.draw(SHAPE)) for _ in range(count)]))


@st.composite
def terms(draw: st.DrawFn) -> Exp:
    """A well-typed expression without free variables."""
    return _body(_Maker(draw))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A well-typed program of one or two inputs, with arrays to run it on."""
    maker = _Maker(draw)
    inputs = []
    for _ in range(maker.choose((1, 2))):
        base, shape = draw(BASE), draw(SHAPE)
        maker.scope.append(Bound(Var(maker.fresh(), ty=array(base, len(shape))), shape))
        values = [draw(LITERALS[base]) for _ in range(prod(shape))]
        codes = [ord(v) if isinstance(v, str) else v for v in values]
        inputs.append(np.array(codes, dtype=DTYPES[base]).reshape(shape))
    params = tuple([Param(b.var.name, b.var.ty) for b in maker.scope])
    return Program(fn(params, _body(maker)), tuple(inputs))
