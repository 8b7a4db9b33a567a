"""Productions of `tail_terms.terms`: indices and updates, selection by data, order, search, numbers, text."""

from hypothesis import strategies as st

from aplc.tail import prims as p
from aplc.tail.syntax import Exp, item, literal, op, product, vec
from aplc.tail.types import Base
from tests.support.tail_terms.maker import (
    BASE,
    COMPARED,
    EXTENT,
    LITERALS,
    ONE_IN_SIX,
    ONE_IN_THIRTY,
    ONE_IN_THREE,
    SHAPE,
    Maker,
    Production,
    Shape,
)

INT, DOUBLE, BOOL, CHAR = Base.INT, Base.DOUBLE, Base.BOOL, Base.CHAR


class Selection(Maker):
    """See the module's docstring."""

    # --- indices ---

    def subscript(self, extent: int, shape: Shape) -> Exp:
        """Indices of this shape into an axis; once in a while one is wrong."""
        count = 1
        for n in shape:
            count *= n
        low = 1 - self.draw(ONE_IN_THIRTY)
        high = max(1, extent) + self.draw(ONE_IN_THIRTY)
        return self.integers([self.number(low, high) for _ in range(count)], shape)

    def index(self, base: Base, shape: Shape) -> Exp:
        """The axes of the result are divided among the subscripts; a scalar one has none."""
        groups: list[Shape] = [()]
        for extent in shape:
            if self.choose((True, False)):
                groups[-1] = (*groups[-1], extent)
            else:
                groups.append((extent,))
        extents = tuple([self.draw(EXTENT) or int(0 not in group) for group in groups])
        subscripts = [self.subscript(n, group) for n, group in zip(extents, groups, strict=True)]
        return op(p.INDEX, product(tuple(subscripts)), self.array(base, extents))

    def update(self, base: Base, shape: Shape) -> Exp:
        """Elements replaced, or changed by a function: in a copy, or in what another change gave."""
        changed: Exp = op(p.COPY, self.array(base, shape))
        for _ in range(self.choose((1, 1, 2))):
            changed = self.changed(changed, base, shape)
            if self.draw(ONE_IN_THREE):
                changed = op(p.COPY, changed)
        return self.changed(changed, base, shape) if changed.prim is p.COPY else changed

    def changed(self, array: Exp, base: Base, shape: Shape) -> Exp:
        chosen = [self.choose(((), (1,), (2,)) if n else ((0,),)) for n in shape]
        subscripts = product(tuple([self.subscript(n, s) for n, s in zip(shape, chosen, strict=True)]))
        selected = tuple([n for s in chosen for n in s])
        new = () if self.draw(ONE_IN_THREE) else self.wrong(selected)
        if self.choose((True, True, False)):
            return op(p.UPDATE, array, subscripts, self.array(base, new))
        other = self.draw(BASE)
        return op(p.MODIFY, self.function((base, other), base), array, subscripts, self.array(other, new))

    # --- selection by data ---

    def selection(self, base: Base, shape: Shape) -> Exp:
        ways: tuple[Production, ...] = (
            self.update,
            self.update,
            self.index,
            self.compress,
            self.replicate,
            self.expand,
            self.rotates,
            self.unique,
            self.no_result,
        )
        make: Production = self.choose(ways)
        return make(base, shape)

    def compress(self, base: Base, shape: Shape) -> Exp:
        """As many ones as the last axis has elements."""
        length = shape[-1]
        mask = self.draw(st.permutations([True] * length + [False] * self.number(0, 2)))
        extent = 1 if self.draw(ONE_IN_SIX) else len(mask)
        bits = vec(tuple([literal(bit) for bit in mask]), BOOL)
        return op(p.COMPRESS, bits, self.array(base, (*shape[:-1], extent)))

    def replicate(self, base: Base, shape: Shape) -> Exp:
        """Counts that sum up to the extent of the last axis, some of fills."""
        counts = [self.signed(k) for k in self.parts(shape[-1])] + [0] * self.draw(ONE_IN_SIX)
        extent = 1 if self.draw(ONE_IN_SIX) else len(counts)
        return op(p.REPLICATE, self.integers(counts, (len(counts),)), self.array(base, (*shape[:-1], extent)))

    def expand(self, base: Base, shape: Shape) -> Exp:
        """Positive counts use a slice each, others insert fills, at least one."""
        counts = [-k * (k > 1) if self.draw(ONE_IN_THREE) else k for k in self.parts(shape[-1])]
        extent = 1 if self.draw(ONE_IN_SIX) else sum(k > 0 for k in counts) + self.draw(ONE_IN_THIRTY)
        return op(p.EXPAND, self.integers(counts, (len(counts),)), self.array(base, (*shape[:-1], extent)))

    def parts(self, total: int) -> list[int]:
        """Positive numbers with this sum."""
        found: list[int] = []
        while total > 0:
            found.append(self.number(1, total))
            total -= found[-1]
        return found

    def rotates(self, base: Base, shape: Shape) -> Exp:
        return op(p.ROTATES, self.array(INT, self.wrong(shape[:-1])), self.array(base, shape))

    def unique(self, base: Base, shape: Shape) -> Exp:
        """So many of the different ones; fills where there are fewer."""
        given = self.array(base, (self.draw(EXTENT), *shape[1:]))
        if base is Base.COMPLEX:
            return op(p.TAKE, self.known(shape[0]), given)
        within = base is DOUBLE and self.choose((True, False))
        found = op(p.UNIQUE_T, self.tolerance(), given) if within else op(p.UNIQUE, given)
        return op(p.TAKE, self.known(shape[0]), found)

    def no_result(self, base: Base, shape: Shape) -> Exp:
        operand = self.array(base, shape)
        return op(p.NO_RESULT, operand) if self.draw(ONE_IN_SIX) else operand

    # --- order and search ---

    def found(self, base: Base, shape: Shape) -> Exp:
        """Where something stands, or whether it does."""
        ways: tuple[Production, ...] = (self.member, self.find, self.fields)
        if base is INT:
            ways = (self.index_of, self.interval)
            ways = (*ways, self.where, self.grade) if len(shape) == 1 else ways
        make: Production = self.choose(ways)
        return make(base, shape)

    def index_of(self, base: Base, shape: Shape) -> Exp:
        """Of elements, or of rows."""
        element, cell = self.draw(COMPARED), self.choose(((), (), (2,), (0,)))
        cells = self.array(element, (self.draw(EXTENT), *cell))
        wanted = self.array(element, (*shape, *self.wrong(cell)))
        if element is DOUBLE and self.choose((True, False)):
            return op(p.INDEX_OF_T, self.tolerance(), cells, wanted)
        return op(p.INDEX_OF, cells, wanted)

    def tolerance(self) -> Exp:
        """Of a comparison of doubles."""
        return literal(self.choose((1e-14, 1e-9, 0.0)))

    def interval(self, base: Base, shape: Shape) -> Exp:
        element = self.draw(COMPARED)
        if self.draw(ONE_IN_SIX):
            bounds: Exp = self.array(element, (self.draw(EXTENT),))
        else:
            values = sorted([self.draw(LITERALS[element]) for _ in range(self.draw(EXTENT))])
            bounds = vec(tuple([literal(value) for value in values]), element)
        return op(p.INTERVAL, bounds, self.array(element, shape))

    def where(self, base: Base, shape: Shape) -> Exp:
        """As many ones as the result has elements; counts repeat a position."""
        if self.choose((True, False)):
            counts = [*self.parts(shape[0]), -int(self.draw(ONE_IN_SIX))]
            return op(p.WHERE, self.integers(counts, (len(counts),)))
        mask = self.draw(st.permutations([True] * shape[0] + [False] * self.number(0, 2)))
        return op(p.WHERE, vec(tuple([literal(bit) for bit in mask]), BOOL))

    def grade(self, base: Base, shape: Shape) -> Exp:
        cell = self.choose(((), (), (2,), (0,)))
        return op(self.choose((p.GRADE_UP, p.GRADE_DOWN)), self.array(self.draw(COMPARED), (*shape, *cell)))

    def member(self, base: Base, shape: Shape) -> Exp:
        element = self.draw(COMPARED)
        operands = self.array(element, shape), self.array(element, self.draw(SHAPE))
        if element is DOUBLE and self.choose((True, False)):
            return op(p.MEMBER_T, self.tolerance(), *operands)
        return op(p.MEMBER, *operands)

    def find(self, base: Base, shape: Shape) -> Exp:
        element = self.draw(COMPARED)
        operands = self.array(element, self.draw(SHAPE)), self.array(element, shape)
        if element is DOUBLE and self.choose((True, False)):
            return op(p.FIND_T, self.tolerance(), *operands)
        return op(p.FIND, *operands)

    # --- number systems and matrices ---

    def calculated(self, base: Base, shape: Shape) -> Exp:
        ways: tuple[Production, ...] = (self.decode, self.encode) if shape else (self.decode,)
        if base is DOUBLE and shape:
            ways = (*ways, self.divided, self.inverse) if len(shape) == 2 else (*ways, self.divided)
        if base is DOUBLE:
            ways = (*ways, self.read_from_text)
        if base is INT:
            ways = (*ways, self.texts_of_table)
        make: Production = self.choose(ways)
        return make(base, shape)

    def fields(self, base: Base, shape: Shape) -> Exp:
        """Which parts of a text are numbers."""
        separators = self.choose(("", ",", " 1"))
        found = op(p.NUMBER_FIELDS, self.text(separators), self.text(self.choose(("", "1,x 2", " ,3"))))
        return op(p.RESHAPE, self.extents(shape), item(found, 1))

    def read_from_text(self, base: Base, shape: Shape) -> Exp:
        """Numbers of a text, as many as wanted, and more where it has none."""
        shown = op(p.FORMAT, literal(17), self.array(self.choose((INT, DOUBLE, BOOL)), (self.draw(EXTENT),)))
        nothing = vec((), CHAR)
        ways = (
            op(p.NUMBERS, shown),
            item(op(p.NUMBER_FIELDS, nothing, shown), 2),
            item(op(p.NUMBER_FIELDS, self.text("1 "), self.text(self.choose(("", "1,x", "21 3")))), 2),
            op(p.TABLE_OF, self.text(self.choose(("1,2\n3,4", "", "5"))), vec((literal(2),), INT)),
        )
        return op(p.RESHAPE, self.extents(shape), self.choose(ways))

    def texts_of_table(self, base: Base, shape: Shape) -> Exp:
        """The lengths and the characters of the texts in a table."""
        kinds = vec((literal(0), literal(1)), INT)
        return op(
            p.RESHAPE,
            self.extents(shape),
            op(p.FIELDS_OF, self.text(self.choose(("a,bc", "1,x\n2,yz"))), kinds),
        )

    def text(self, characters: str) -> Exp:
        return vec(tuple([literal(c) for c in characters]), CHAR)

    def decode(self, base: Base, shape: Shape) -> Exp:
        cut, common = self.number(0, len(shape)), self.draw(EXTENT)
        digits = 1 if self.draw(ONE_IN_SIX) else common + self.draw(ONE_IN_THIRTY)
        return op(
            p.DECODE, self.array(base, (*shape[:cut], common)), self.array(base, (digits, *shape[cut:]))
        )

    def encode(self, base: Base, shape: Shape) -> Exp:
        cut = self.number(1, len(shape))
        return op(p.ENCODE, self.array(base, shape[:cut]), self.array(base, shape[cut:]))

    def inverse(self, base: Base, shape: Shape) -> Exp:
        return op(p.MAT_INV, self.array(DOUBLE, shape[::-1]))

    def divided(self, base: Base, shape: Shape) -> Exp:
        rows = shape[0] + self.choose((0, 1))
        return op(p.MAT_DIV, self.array(DOUBLE, (rows, *shape[1:])), self.array(DOUBLE, (rows, shape[0])))

    # --- text ---

    def formatted(self, base: Base, shape: Shape) -> Exp:
        """As many characters as wanted."""
        if self.choose((True, False)):
            digits = literal(self.choose((10, 1, 6, 18 * self.draw(ONE_IN_THIRTY) or 10)))
            return op(p.RESHAPE, self.extents(shape), op(p.FORMAT, digits, self.anything()))
        if self.draw(ONE_IN_THREE):
            return op(p.RESHAPE, self.extents(shape), op(p.JSON, self.anything()))
        if self.draw(ONE_IN_THREE):
            picture = self.text(self.choose(("I4", "BCI9,<|>,F8.2", "E10.3,X2")))
            matrix = self.array(DOUBLE, (self.draw(EXTENT), self.draw(EXTENT)))
            formatted = op(p.FORMAT_PICTURE, picture, literal(self.choose((0, 1))), matrix)
            return op(p.RESHAPE, self.extents(shape), formatted)
        specification = self.integers([self.choose((0, 6)), self.choose((2, 0, -2))], (2,))
        text = op(p.FORMAT_BY, specification, self.array(DOUBLE, self.draw(SHAPE)))
        return op(p.RESHAPE, self.extents(shape), text)
