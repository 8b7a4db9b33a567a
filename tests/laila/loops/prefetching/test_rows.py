"""Rows ask for what later rows read, where that can be told without reading anything else."""

from __future__ import annotations

import re

import numpy as np
import pytest

from aplc import fn
from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Buffer, Exp, FreeVars, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.prefetching.rows import Rounds
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.types import Base
from tests.support.machine import needs_c

SITE = Site(faults.LENGTHS, "+", None)


def hints(before: str = "") -> list[l.Stm]:
    """What a row asks for: `Σ v[starts[i] + k]` in round `i` of `n`, behind a condition on the round."""
    make = ExprBuilder()
    n = Var("n", Base.INT)
    i = make.index("i", n)
    starts, lengths, v = (
        Buffer("starts", Base.INT, "int64"),
        Buffer("lengths", Base.INT, "int64"),
        Buffer("v", Base.DOUBLE, "float64"),
    )
    k, s, start = make.index("k", make.read(lengths, i)), Var("s", Base.DOUBLE), Var("start", Base.INT)
    row = l.For(
        k, make.zero, make.read(lengths, i), (l.Assign(s, make.read(v, make.add(k, start))),), reductions=()
    )
    conds: dict[str, Exp] = {
        "number": make.call(p.LTI, i, Var("m", Base.INT)),
        "data": make.call(p.LTI, make.read(lengths, i), Var("m", Base.INT)),
    }
    guard = (l.Fail(conds[before], SITE, ()),) if before in conds else ()
    own = (l.Store(starts, i, make.zero),) if before == "own" else ()
    body = (*own, *guard, l.Declare(start, make.read(starts, i)), row)
    rounds = Rounds(make, FreeVars(), l.For(i, make.zero, n, body, descending=before == "descending"))
    for statement in body[:-1]:
        rounds.note(statement)
    return list(rounds.ahead(row, 128))


@pytest.mark.parametrize("before", ["", "data"])
def test_a_later_row_is_asked_for(before: str) -> None:
    later, *asked = hints(before)
    assert isinstance(later, l.Declare)
    assert len(asked) == 2 and all(isinstance(each, l.Prefetch) for each in asked)  # two lines of 64 bytes


@pytest.mark.parametrize("before", ["number", "own", "descending"])
def test_no_row_is_where_it_might_not_be_read(before: str) -> None:
    """There may be no such element, or it is not there yet."""
    assert hints(before) == []


@needs_c
def test_values_are_the_same_for_few_rows_and_many() -> None:
    f = fn("{a←⍺⊂⍵ ⋄ +/¨a×a}", target="c")
    assert re.search(r"APLC_AHEAD\(\w+, ", f.emit("c", "[bool]1", "[double]1"))
    for rows in (0, 1, 15, 16, 17, 40):
        items = [np.arange(1.0, 2 + k % 7) for k in range(rows)]
        marks = [k == 0 for item in items for k in range(len(item))]
        flat = np.array([x for item in items for x in item])
        assert list(f(np.array(marks, bool), flat)) == [float(i @ i) for i in items]
