"""Loops with functions of reals that wait for each other: values, and what stands in loop over a block."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from aplc import RunError, fn
from aplc.laila.ir.settings import Settings
from aplc.laila.loops.staging.call_stages import BLOCK
from aplc.options import Options
from tests.support.compiling import c_of, compiled
from tests.support.machine import needs_c

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]

Vector = np.ndarray[Any, Any]


def blocks(text: str, **inputs: Any) -> list[str]:
    """The loops over a block in the C of a program, each with its body."""
    c = c_of(text, Options(), **inputs)
    start = c.find(f" += {BLOCK})")
    return re.findall(r"for \(int64_t i = start;.*?\n        \}", c[start:], re.DOTALL) if start >= 0 else []


PROGRAMS: tuple[tuple[str, Callable[[Vector], Vector]], ...] = (
    ("⍟1+*v", lambda v: np.log1p(np.exp(v))),
    ("(*-⍟1+t)+(⍟1+*t)×t<9⊣t←v×0.5", lambda v: 1 / (1 + v / 2) + np.log1p(np.exp(v / 2)) * (v / 2 < 9)),
    ("+/*-⍟1+v", lambda v: np.sum(1 / (1 + v), keepdims=True)[0]),
)


@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize(("text", "expected"), PROGRAMS)
def test_values_of_all_lengths(target: str, text: str, expected: Callable[[Vector], Vector]) -> None:
    program, _ = compiled(text, Options(target, verify=True, threads=3), v=[0.5])
    for n in (0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 3):
        v = np.linspace(0.1, 20.0, n)
        (found,) = program.run([v], lambda *_: None)
        np.testing.assert_allclose(found, expected(v), rtol=1e-12)


def test_each_call_has_a_loop_of_its_own() -> None:
    """The last one with what little is done with it."""
    first, second, third = blocks("2×*-⍟1+*v", v=[0.5])
    assert "= exp(" in first and "log(" in second
    assert "exp(" in third and " a[i] = " in third and "*" in third
    assert len(blocks("(*-⍟1+*v)×⍟1+*-v", v=[0.5])) == 5


def test_what_several_loops_want_is_kept_unless_it_is_quickly_computed_again() -> None:
    loops = blocks("(*-⍟s)+s←0.5*⍨1+v×3+v×5+v", v=[0.5])
    assert sum("sqrt(" in each for each in loops) == 1
    loops = blocks("(*-⍟s)+s←v+1", v=[0.5])
    assert len(loops) == 3 and all("v[i] + 1.0" in each for each in loops)


def test_a_quotient_is_computed_beside_a_call_before_it_is_wanted() -> None:
    """Not where the call that wants it stands, nor with what waits for it."""
    for text in ("(÷2+v)×*-⍟1+v", "(÷1+v)+(÷2+v)×(*-⍟1+v)-⍟2+v"):
        loops = blocks(text, v=[0.5])
        assert sum(" / " in each for each in loops) == text.count("÷")
        assert all("log(" in each for each in loops if " / " in each)


def test_calls_that_do_not_wait_stay_together() -> None:
    assert blocks("(*v)+⍟1+v", v=[0.5]) == []


def test_a_short_loop_stays_as_it_is() -> None:
    assert blocks("⍟1+*100↑v", v=[0.5]) == []
    assert blocks("⍟1+*300↑v", v=[0.5]) != []


def test_libm_is_called_where_it_was() -> None:
    assert f" += {BLOCK})" not in c_of("⍟1+*v", Options(settings=Settings(strict_fp=True)), v=[0.5])


def test_what_fails_is_told_as_before() -> None:
    """The loop that looks for the error is not in blocks."""
    program = fn("{*-⍟1-⍵}")
    x = np.linspace(0.0, 0.5, 300)
    np.testing.assert_allclose(program(x), 1 / (1 - x), rtol=1e-12)
    x[299] = 1.0
    with pytest.raises(RunError, match="DOMAIN ERROR"):
        program(x)
