"""Long loops of a long program are functions: those that need nothing of what is around them but values."""

from __future__ import annotations

import re

import numpy as np
import pytest

from aplc import fn
from aplc.backends.c.apart import LANES, MANY, emit_c
from aplc.backends.c.functions import LONG
from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Buffer, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.options import Options
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.types import Base
from tests.support import compiling
from tests.support.machine import needs_c, needs_threads

FUNCTION = re.compile(r"^static APLC_APART void ", re.MULTILINE)
MAKE = ExprBuilder()
V, W = Buffer("v", Base.DOUBLE, "float64"), Buffer("w", Base.DOUBLE, "float64")
EXTENT = 99
TOTAL = Var("total", Base.DOUBLE)


def text_of(
    *more: l.Stm, length: int = LONG, many: int = MANY, parallel: bool = True, extent: int = EXTENT
) -> str:
    """The C of a program with one loop that stores so often, and `more` inside it."""
    i = MAKE.index("i", MAKE.const(extent))
    stores = tuple([l.Store(W, i, MAKE.call(p.ADDD, MAKE.read(V, i), MAKE.read(W, i)))] * length)
    loop = l.For(i, MAKE.zero, MAKE.const(extent), (*stores, *more), parallel=() if parallel else None)
    others = [l.Store(W, MAKE.zero, TOTAL)] * (many - length - 1)
    begin = (l.Local(V, EXTENT), l.Local(W, EXTENT), l.Declare(TOTAL, MAKE.const(0.0), mutable=True))
    return emit_c((), l.Code((*begin, loop, *others))).text


def test_a_long_loop_is_a_function() -> None:
    text = text_of()
    assert len(FUNCTION.findall(text)) == 1
    assert text.count("for (") == 1 and re.search(r"^    loop\(.*, 0, 99\);$", text, re.MULTILINE)


def test_other_loops_are_none() -> None:
    site = Site(faults.NO_MEMORY, "", None)
    assert not FUNCTION.search(text_of(length=LONG - 1))
    assert not FUNCTION.search(text_of(many=MANY // 2))
    assert not FUNCTION.search(text_of(parallel=False))
    assert not FUNCTION.search(text_of(extent=LANES))  # over lanes
    assert not FUNCTION.search(text_of(l.Assign(TOTAL, MAKE.const(1.0))))
    assert not FUNCTION.search(text_of(l.Fail(MAKE.true, site, ())))
    own = Var("own", Base.DOUBLE)
    assert FUNCTION.search(text_of(l.Declare(own, TOTAL, mutable=True), l.Assign(own, MAKE.const(1.0))))


@pytest.mark.parametrize(
    "target", [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
)
def test_the_parts_of_a_product_stand_once(target: str) -> None:
    """The tiles, in a function and not where it is called besides."""
    inputs = {"x": np.ones((40, 40)), "y": np.ones((40, 40))}
    text = compiling.c_of("x+.×y", Options(target), **inputs)
    assert len(FUNCTION.findall(text)) > 3
    assert text.count("double sums[") == 2
    np.testing.assert_array_equal(fn("{⍺+.×⍵}", target=target)(*inputs.values()), np.full((40, 40), 40.0))
