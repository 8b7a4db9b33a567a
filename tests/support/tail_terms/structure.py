"""Productions of `tail_terms.terms`: scalars, folds and maps, and what arranges elements."""

from collections.abc import Callable

from hypothesis import strategies as st

from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.syntax import Arg, Exp, literal, op, vec
from aplc.tail.types import Base
from tests.support.tail_terms.maker import (
    BASE,
    BY_RESULT,
    COMPARED,
    EXTENT,
    ONE_IN_SIX,
    ONE_IN_THIRTY,
    SHAPE,
    Maker,
    Production,
    Shape,
    signature,
)

INT, DOUBLE, BOOL, CHAR = Base.INT, Base.DOUBLE, Base.BOOL, Base.CHAR


class Structure(Maker):
    """See the module's docstring."""

    # --- functions of all elements ---

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

    def reduce(self, base: Base, shape: Shape) -> Exp:
        function = self.function((base, base), base)
        operand = self.array(base, (*shape, self.draw(EXTENT)))
        if self.choose((True, False)):
            return op(p.REDUCE, function, self.constant(base), operand)
        return op(p.REDUCE1, function, operand)

    def scan(self, base: Base, shape: Shape) -> Exp:
        return op(p.SCAN, self.function((base, base), base), self.array(base, shape))

    def reduce_windows(self, base: Base, shape: Shape) -> Exp:
        width = self.choose((2, 1, 3, 0) if shape[-1] else (2, 1, 3))
        extent = shape[-1] + max(width, 1) - 1 - (width == 0)
        function = self.function((base, base), base)
        count = self.known(self.signed(width + 9 * self.draw(ONE_IN_THIRTY)))
        operand = self.array(base, (*shape[:-1], extent))
        if self.choose((True, False)):
            return op(p.REDUCE_N, function, self.constant(base), count, operand)
        return op(p.REDUCE_N1, function, count, operand)

    def outer(self, base: Base, shape: Shape) -> Exp:
        cut = self.number(0, len(shape))
        left, right = self.elements_for(base)
        function = self.function((left, right), base)
        return op(p.OUTER, function, self.array(left, shape[:cut]), self.array(right, shape[cut:]))

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

    # --- functions of cells ---

    def cells(self, base: Base, shape: Shape) -> Exp:
        cut = self.number(0, len(shape))
        element, cell = self.draw(BASE), self.draw(SHAPE)
        function = self.function_on(((element, cell),), lambda: self.array(base, shape[cut:]))
        return op(p.CELLS, function, self.array(element, (*shape[:cut], *cell)))

    def zip_cells(self, base: Base, shape: Shape) -> Exp:
        cut = self.number(0, len(shape))
        sides = [(self.draw(BASE), self.draw(SHAPE)) for _ in range(2)]
        function = self.function_on(tuple(sides), lambda: self.array(base, shape[cut:]))
        frames = shape[:cut], self.wrong(shape[:cut])
        operands = [self.array(b, (*frame, *cell)) for frame, (b, cell) in zip(frames, sides, strict=True)]
        return op(p.ZIP_CELLS, function, *operands)

    # --- productions for every shape ---

    def structure(self, base: Base, shape: Shape) -> Exp:
        ways: tuple[Production, ...] = (self.reshape, self.same_shape, self.transpose_by)
        ways = (*ways, self.each, self.zip_with, self.outer) if not shape else ways
        ways = (*ways, self.diagonal) if 1 <= len(shape) <= 2 else ways
        make: Production = self.choose(ways)
        return make(base, shape)

    def same_shape(self, base: Base, shape: Shape) -> Exp:
        prim = self.choose((p.REVERSE, p.ROTATE, p.TRANSP, p.MATERIALISE, p.COPY))
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

    # --- productions for scalars ---

    def scalar_op(self, base: Base, shape: Shape) -> Exp:
        if base not in BY_RESULT:
            return self.select(base, shape)
        prim: Prim = self.choose(BY_RESULT[base])
        return op(prim, *[self.scalar(b) for b in signature(prim)[0]])

    def select(self, base: Base, shape: Shape) -> Exp:
        """One element of an array, or whether two are the same."""
        ways = (p.FIRST, p.FIRST_V, p.PICK, p.SINGLE)
        prim = self.choose((*ways, p.MATCH) if base is BOOL else ways)
        if prim is p.FIRST:
            return op(prim, self.array(base, self.draw(SHAPE)))
        if prim is p.FIRST_V:
            return op(prim, self.vector(base, self.choose((1, 2, 3))))
        if prim is p.PICK:
            length = self.choose((1, 2, 3))
            index = self.known(self.number(1, length) - self.draw(ONE_IN_THIRTY))
            return op(prim, index, self.array(base, (length,)))
        if prim is p.SINGLE:
            return op(prim, self.array(base, self.wrong((1,) * self.number(0, 2))))
        element, compared = self.draw(COMPARED), self.draw(SHAPE)
        operands = self.array(element, compared), self.array(element, self.wrong(compared))
        if element is Base.DOUBLE and self.choose((True, False)):
            return op(p.MATCH_T, literal(1e-14), *operands)
        return op(p.MATCH, *operands)

    # --- productions for arrays with a first and a last axis ---

    def lengthwise(self, base: Base, shape: Shape) -> Exp:
        ways = (self.taken, self.dropped, self.joined, self.scan, self.reduce_windows)
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
            parts = self.array(base, (*outer, left)), self.array(base, (*self.wrong(outer), length - left))
            return op(prim, *parts)
        part, rest = self.array(base, self.wrong(outer)), self.array(base, (*outer, length - 1))
        return op(prim, part, rest) if prim is p.CONS else op(prim, rest, part)

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

    def vector_each(self, base: Base, shape: Shape) -> Exp:
        element = self.draw(BASE)
        return op(p.EACH, self.function((element,), base), self.vector(element, shape[0]))

    def vector_zip_with(self, base: Base, shape: Shape) -> Exp:
        left, right = self.elements_for(base)
        function = self.function((left, right), base)
        return op(p.ZIP_WITH, function, self.vector(left, shape[0]), self.vector(right, shape[0]))

    def vector_scan(self, base: Base, shape: Shape) -> Exp:
        return op(p.SCAN, self.function((base, base), base), self.vector(base, shape[0]))

    def vector_part(self, base: Base, shape: Shape) -> Exp:
        (length,) = shape
        arranging = (p.REVERSE_V, p.ROTATE_V, p.TAKE_V, p.DROP_V, p.RESHAPE_V, p.OF_LENGTH)
        prim = self.choose((*arranging, p.PRINT, p.COPY, p.MATERIALISE))
        if prim is p.ROTATE_V:
            return op(prim, self.scalar(INT), self.vector(base, length))
        if prim is p.TAKE_V:
            return op(prim, self.single(self.signed(length)), self.array(base, (self.draw(EXTENT),)))
        if prim is p.DROP_V:
            lost = self.draw(EXTENT)
            return op(prim, self.single(self.signed(lost)), self.vector(base, length + lost))
        if prim is p.RESHAPE_V:
            return op(prim, self.single(length), self.array(base, self.draw(SHAPE)))
        if prim is p.OF_LENGTH:
            return op(prim, self.single(length), self.array(base, self.extended((length,))))
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
        ways: tuple[Callable[[], Exp], ...] = (
            lambda: op(p.IOTA_V, self.single(length)),
            lambda: op(self.choose((p.GRADE_UP, p.GRADE_DOWN)), self.vector(self.draw(COMPARED), length)),
        )
        if length <= 3:
            extents = tuple([self.draw(EXTENT) for _ in range(length)])
            ways += (lambda: op(p.SHAPE, self.array(self.draw(BASE), extents)),)
        if length == 1:
            ways += (lambda: op(p.SHAPE_V, self.vector(self.draw(BASE), self.draw(EXTENT))),)
        return self.choose(ways)()

    # --- effects ---

    def effect(self, base: Base, shape: Shape) -> Exp:
        ways: tuple[Production, ...] = (self.printed, self.printed)
        if base is INT:
            ways += (self.rolled,)
            ways += {0: (self.seeded,), 1: (self.dealt,)}.get(len(shape), ())
        if base is DOUBLE:
            ways += (self.uniform,)
        make: Production = self.choose(ways)
        return make(base, shape)

    def printed(self, base: Base, shape: Shape) -> Exp:
        if self.choose((True, False)):
            return op(p.PRINT, self.array(base, shape))
        return op(p.PRINT_WITH, literal(self.choose((10, 1, 17))), self.array(base, shape))

    def rolled(self, base: Base, shape: Shape) -> Exp:
        if self.draw(ONE_IN_SIX):
            return op(p.ROLL, self.array(INT, shape))
        limits = literal(self.choose((6, 1, 2**62)))
        return op(p.ROLL, op(p.RESHAPE, vec(tuple([literal(n) for n in shape]), INT), limits))

    def dealt(self, base: Base, shape: Shape) -> Exp:
        limit = shape[0] + self.choose((0, 5)) - self.draw(ONE_IN_THIRTY)
        return op(p.DEAL, self.known(shape[0]), self.known(limit))

    def seeded(self, base: Base, shape: Shape) -> Exp:
        return op(p.SET_SEED, self.scalar(INT))

    def uniform(self, base: Base, shape: Shape) -> Exp:
        return op(p.UNIFORM, vec(tuple([self.known(n) for n in self.wrong(shape)]), INT))
