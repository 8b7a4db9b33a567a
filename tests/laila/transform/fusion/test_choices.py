"""Loops in front of a choice between short and long rows, and behind it, are one."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from aplc.calling.options import TargetName
from aplc.laila.ir.program import HostLet, If
from aplc.laila.ir.scalar import FreeVars, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.transform.fusion.dependence import Node, dependences, node_of
from aplc.tail.types import Base
from tests.support.machine import needs_c, needs_threads

TEXT = "{⍺{(+/⍵[;2]),(+/×/⍵),+/⌊/⍵}⌸⍵}"


def test_sums_by_one_key_share_a_loop() -> None:
    """The rows are multiplied before it, in versions for short ones."""
    text = fn(TEXT).emit("laila", "[int]1", "[double]2")
    assert text.count("put ") == 3 and text.count("UPDATE") == 0


def test_choices_stay_behind_what_may_fail() -> None:
    """Their branches may read at places that another loop has checked, and without a check of their own."""
    make = ExprBuilder()
    let = HostLet(Var("x", Base.INT), make.one)
    checking = Node(let, None, set(), set(), set(), set(), may_fail=True, shows=False)
    choice = node_of(If(make.true, (), ()), FreeVars())
    assert dependences([checking, choice]) == [set(), {0}]


@pytest.mark.parametrize(
    "target", [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
)
def test_values(target: TargetName) -> None:
    rng = np.random.default_rng(5)
    for rows, columns in ((0, 2), (1, 3), (50, 4), (50, 7)):
        given = rng.integers(1, 10, rows), rng.normal(0, 1, (rows, columns))
        assert np.allclose(fn(TEXT, target=target)(*given), fn(TEXT, target="interp")(*given), 1e-9)
