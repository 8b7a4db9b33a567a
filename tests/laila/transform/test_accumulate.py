"""Folds over cells that are combined in the loop over the cells: where they are, and where they are not."""

from __future__ import annotations

import re

import numpy as np
import pytest

import aplc
from aplc.compiler import optimise, to_laila, to_tail
from aplc.laila.ir.program import Alloc
from aplc.laila.ir.scalar import Buffer, Const, Var
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import everywhere
from aplc.laila.transform.accumulate import MAX_SUMS, accumulation
from aplc.options import Options
from aplc.tail import prims as p
from aplc.tail.source import Source
from aplc.tail.types import Array, Base, Rho
from tests.support.compiling import compiled
from tests.support.machine import needs_c

CELL = "f←{u←(⍵+⍳3)÷4 ⋄ s←+/u ⋄ s>4:⌽u ⋄ u×s} ⋄ "
WIDE = "f←{u←(⍵+⍳99)÷4 ⋄ s←+/u ⋄ s>4:⌽u ⋄ u×s} ⋄ "
PROGRAMS = {
    "sums": (CELL + "+⌿↑f¨⍳n", True),
    "maxima": (CELL + "⌈⌿↑f¨⍳n", True),
    "products": (CELL + "×⌿↑f¨⍳n", True),
    "two folds": (CELL + "r←↑f¨⍳n ⋄ (+⌿r)(⌈⌿r)", True),
    "a fold of what is computed of each": (CELL + "+⌿1+↑f¨⍳n", True),
    "maxima without a value for none": (CELL + "{⍺⌈⍵}⌿↑f¨⍳1+n", True),
    "differences, which are in order": (CELL + "-⌿↑f¨⍳n", False),
    "results that are used otherwise": (CELL + "r←↑f¨⍳n ⋄ (+⌿r)(r)", False),
    "the first row, too": (CELL + "r←↑f¨⍳n ⋄ (+⌿r)(,1↑r)", False),
    "sums along rows": (CELL + "+/↑f¨⍳n", False),
    "fewer cells": (CELL + "+⌿1↓↑f¨⍳n", False),
    "more than so many sums": (WIDE + "+⌿↑f¨⍳n", False),
}
"""What is folded, and whether the results of all cells need no memory."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_where_results_of_all_cells_need_memory(name: str) -> None:
    """In the loop over the cells an array of a known length is the results of one; outside are the others."""
    text, combined = PROGRAMS[name]
    term = to_tail([Source("text", text)], {"n": Array(Base.INT, Rho(0))}).term
    program, _ = to_laila(optimise(term, Options()), {}, Options())
    sizes = [s.size for s in everywhere(program.statements) if isinstance(s, Alloc)]
    assert all(isinstance(size, Const) for size in sizes) == combined


@needs_c
def test_values() -> None:
    """All of them in one program."""
    parts = [text.rpartition(" ⋄ ")[2] for text, _ in PROGRAMS.values()]
    own = [re.sub(r"\br\b", f"r{k}", f"{text.replace(part, '')}") for k, ((text, _), part) in enumerate(
        zip(PROGRAMS.values(), parts, strict=True))]  # fmt: skip
    text = "".join(own) + " ".join([re.sub(r"\br\b", f"r{k}", f"({part})") for k, part in enumerate(parts)])
    for n in (0, 1, 2, 7):
        program, inputs = compiled(text, Options(), n=n)
        found = program.run(inputs, lambda *_: None)
        wanted = aplc.run(text, target="interp", n=n)
        for have, want in zip(_leaves(found), _leaves(wanted), strict=True):
            np.testing.assert_allclose(have, want, 1e-12)


def _leaves(value: object) -> list[object]:
    return [leaf for item in value for leaf in _leaves(item)] if isinstance(value, tuple | list) else [value]


# --- b[i] = b[i] ⊕ e ---


def test_accumulations() -> None:
    make = ExprBuilder(Settings())
    b, other = (Buffer(name, Base.DOUBLE, "double") for name in ("b", "c"))
    whole = Buffer("d", Base.INT, "int64")
    i = Var("i", Base.INT)
    own, e = make.read(b, i), make.read(other, i)
    assert accumulation(make, b, i, make.call(p.ADDD, own, e)) == (p.ADDD, e)
    assert accumulation(make, b, i, make.call(p.ADDD, e, own)) == (p.ADDD, e)
    assert accumulation(make, b, i, make.call(p.MAXD, own, e)) == (p.MAXD, e)
    assert accumulation(make, b, i, make.call(p.SUBD, own, e)) is None, "in order"
    assert accumulation(make, b, i, make.call(p.ADDD, e, e)) is None, "another place"
    assert accumulation(make, b, i, e) is None
    next_one = make.read(b, make.add(i, make.one))
    assert accumulation(make, b, i, make.call(p.ADDD, own, next_one)) is None, "what others change"
    n, k = make.read(whole, i), Var("k", Base.INT)
    assert accumulation(make, whole, i, make.add(n, k)) == (p.ADDI, k)
    assert accumulation(make, whole, i, make.add(make.mul(make.const(2), n), k)) is None
    assert accumulation(make, whole, i, make.add(k, make.one)) is None
    strict = ExprBuilder(Settings(strict_fp=True))
    own = strict.read(b, i)
    assert accumulation(strict, b, i, strict.call(p.ADDD, own, strict.read(other, i))) is None


def test_so_many_sums_are_more_than_a_row() -> None:
    assert 3 < MAX_SUMS < 99
