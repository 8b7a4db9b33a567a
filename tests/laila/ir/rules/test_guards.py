"""What conditions tell of lengths where they hold and where they do not."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.laila.ir.rules.guards import told
from aplc.laila.ir.scalar import Exp, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.options import Options
from aplc.tail import prims as p
from aplc.tail.types import Base
from tests.support.compiling import c_of
from tests.support.machine import needs_c


def known(make: ExprBuilder, cond: Exp, *, holds: bool) -> dict[str, int]:
    """The bounds as numbers, by name."""
    lows = told(make, cond, holds=holds)
    return {v.name: make.linear(low)[0] for v, low in lows.items() if isinstance(v, Var)}


def extent(make: ExprBuilder, name: str) -> Var:
    """The length of an array, which is not negative."""
    return make.between(name, (make.zero,), ())


def test_comparisons_with_numbers() -> None:
    make = ExprBuilder()
    n, one = extent(make, "n"), make.one
    assert known(make, make.call(p.EQI, n, make.zero), holds=False) == {"n": 1}
    assert known(make, make.call(p.NEQI, make.const(0), n), holds=True) == {"n": 1}
    assert known(make, make.call(p.EQI, n, make.const(7)), holds=True) == {"n": 7}
    assert known(make, make.call(p.LTEI, n, one), holds=False) == {"n": 2}
    assert known(make, make.call(p.GTEI, one, n), holds=False) == {"n": 2}
    assert known(make, make.call(p.LTI, one, n), holds=True) == {"n": 2}
    assert known(make, make.call(p.GTI, n, make.const(4)), holds=True) == {"n": 5}
    assert known(make, make.call(p.LTI, n, make.const(4)), holds=False) == {"n": 4}


def test_what_tells_nothing() -> None:
    make = ExprBuilder()
    n, m, x = extent(make, "n"), extent(make, "m"), Var("x", Base.INT)
    for cond, holds in (
        (make.call(p.EQI, n, make.one), False),
        (make.call(p.LTEI, n, make.one), True),
        (make.call(p.LTI, n, m), True),
        (make.call(p.GTI, x, make.one), True),
        (make.call(p.ANDB, make.call(p.GTI, n, make.one), make.call(p.GTI, m, make.one)), False),
    ):
        assert told(make, cond, holds=holds) == {}


def test_conditions_of_conditions() -> None:
    make = ExprBuilder()
    n, m = extent(make, "n"), extent(make, "m")
    empty = [make.call(p.EQI, each, make.zero) for each in (n, m)]
    assert known(make, make.call(p.ORB, *empty), holds=False) == {"n": 1, "m": 1}
    both = make.call(p.ANDB, *[make.call(p.NOTB, each) for each in empty])
    assert known(make, both, holds=True) == {"n": 1, "m": 1}
    with make.assuming({n: make.one}):
        assert known(make, make.call(p.EQI, n, make.one), holds=False) == {"n": 2}
        assert known(make, empty[0], holds=False) == {}


@needs_c
@pytest.mark.parametrize(
    "text",
    [
        "{0=≢⍵:0 ⋄ (+/⍵)÷≢⍵}v",
        "{1>≢⍵:⍵ ⋄ (⍵×≢⍵)÷≢⍵}v",
        "{(0=≢⍵)∨5<≢⍵:⍵ ⋄ ⍵÷≢⍵}v",
        "{0=≢⍵:0 ⋄ 1=≢⍵:1 ⋄ ÷¯1+≢⍵}v",
    ],
)
def test_behind_a_guard_nothing_is_asked_again(text: str) -> None:
    found = c_of(text, Options(), v=[0.5])
    assert "== 0.0" not in found and "aplc_max_int" not in found and "bad" not in found


@needs_c
def test_values_at_the_bounds() -> None:
    mean = aplc.fn("{0=≢⍵:¯1 ⋄ 1=≢⍵:⊃⍵ ⋄ (+/⍵)÷¯1+≢⍵}")
    assert [float(mean(np.arange(1.0, n + 1))) for n in range(4)] == [-1.0, 1.0, 3.0, 3.0]
    halves = aplc.fn("{1≥≢⍵:⍵ ⋄ (∇(⌊0.5×≢⍵)↓⍵),∇(⌊0.5×≢⍵)↑⍵}")
    for n in range(9):
        assert halves(np.arange(n)).tolist() == list(range(n))[::-1]
