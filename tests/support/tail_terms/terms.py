"""A Hypothesis generator of well-typed TAIL terms, built through the constructors of `aplc.tail.syntax`.

    terms()      expressions without free variables
    programs()   programs with inputs, and the inputs to run them on

Generation works from a goal: an expression of one base type whose value has one shape, or a vector whose
type tells its length. Every production reaches its goal by goals for its operands, so no draw is rejected,
and most terms have a value. Now and then an extent, an index or a count is wrong on purpose; the term is then
still well-typed and fails at run time, as do some scalar functions. Where there is a choice the first option
is the simplest, and `fuel` bounds the number of operators: that is what shrinking works on.
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st

from aplc.tail import prims as p
from aplc.tail.meaning.core import DTYPES
from aplc.tail.syntax import Exp, Term, Var, fn, product
from aplc.tail.types import Base, array
from tests.support.tail_terms.blocks import Blocks, Goal
from tests.support.tail_terms.maker import (
    BASE,
    BOOL,
    CHAR,
    DOUBLE,
    INT,
    LITERALS,
    SHAPE,
    Bound,
    Production,
    Shape,
    parameters,
)
from tests.support.tail_terms.selection import Selection
from tests.support.tail_terms.structure import Structure

_OF_ITEMS = {
    p.SLICE, p.PIECES, p.MIX, p.STACK, p.ALIKE, p.RUNS, p.CLASSES, p.CLASSES_T, p.INDEX_OF_ITEMS,
    p.INDEX_OF_ITEMS_T, p.MATCH_ITEMS, p.MATCH_ITEMS_T, p.GRADE_ITEMS_UP, p.GRADE_ITEMS_DOWN,
    p.FORMAT_NESTED, p.JSON_NESTED,
}  # fmt: skip
NEVER = frozenset({p.NOW, p.TIMESTAMP, p.BENCH, *_OF_ITEMS, *[q for q in p.PRIMS.values() if q.opens]})
"""Primitives that terms do not hold: they look at the clock or open a file, or work on arrays of arrays, of
which the parts must fit; those `tests/support/tier1/nested.py` makes.
"""


@dataclass(frozen=True)
class Program:
    """A program with inputs, and one array for each input."""

    term: Term
    inputs: tuple[np.ndarray[Any, Any], ...]


class _Maker(Blocks, Structure, Selection):
    """Draws one term; see the module's docstring."""

    def productions(self, base: Base, shape: Shape) -> tuple[Production, ...]:
        blocks = (self.let, self.conditional, self.loop, self.recursion, self.component)
        if self.callable(Goal(base, shape)):
            blocks = (self.called, self.called, *blocks)
        if not shape:
            scalars = (self.leaf, self.scalar_op, self.scalar_op, self.scalar_op, self.reduce, self.select)
            found = (*scalars, *blocks, self.structure, self.effect, self.index)
        else:
            everywhere = (self.leaf, self.each, self.zip_with, self.reduce, self.structure, self.lengthwise)
            products = (self.outer, self.inner, self.cells, self.zip_cells)
            vectors = (self.some_vector, self.some_vector) if len(shape) == 1 else ()
            found = (*everywhere, *vectors, *blocks, *products, self.selection, self.selection, self.effect)
        more: dict[Base, tuple[Production, ...]] = {
            INT: (self.found, self.calculated),
            DOUBLE: (self.calculated,),
            BOOL: (self.found,),
            CHAR: (self.formatted,),
            Base.COMPLEX: (),
        }
        return (*found, *more[base])

    def vector_productions(self, base: Base, length: int) -> tuple[Production, ...]:
        found: tuple[Production, ...] = (
            self.vector_leaf,
            self.vector_of_scalars,
            self.vector_let,
            self.vector_each,
            self.vector_zip_with,
            self.vector_scan,
            self.vector_part,
            self.vector_part,
            self.vector_joined,
            self.vector_conditional,
            self.vector_loop,
            self.vector_recursion,
        )
        if self.callable(Goal(base, (length,), sized=True)):
            found = (self.vector_called, *found)
        return (*found, self.vector_of_ints, self.vector_of_ints) if base is INT else found


def _body(maker: _Maker) -> Exp:
    """Mostly one value; once in a while several, or none."""
    count = maker.choose((1, 1, 1, 1, 1, 1, 2, 0))
    if count == 1:
        return maker.anything()
    return product(tuple([maker.anything() for _ in range(count)]))


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
    return Program(fn(parameters(maker.scope), _body(maker)), tuple(inputs))
