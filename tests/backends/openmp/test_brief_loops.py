"""Loops inside others: where they stand if they have little to do, and else in parts."""

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of, compiled
from tests.support.machine import needs_threads

ROUNDS = (
    "({⍵-⌊0.5×⌈/⍵}⍣n)v",
    "({⍵÷1⌈+/⍵}⍣n)v",
    "({1+(+\\⍵)÷1⌈+/⍵}⍣n)v",
    "({((≢⍵)⍴(⍵>0.5)/⍵)×0.9}⍣n)v",
    "({1⌽⍵+⌈/⍵}⍣n)v",
)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("text", ROUNDS)
def test_loops_with_little_to_do_are_no_calls(text: str) -> None:
    """The loop stands behind a test of its extent, once; the function that runs it in parts calls another."""
    made = c_of(text, Options("openmp"), n=3, v=[0.5, 1.5])
    assert "if (aplc_is_brief_again(" in made
    alone = made[made.index("aplc_run(") :]
    assert alone.count("if (aplc_is_brief_again(") <= alone.count("loop_in_parts")


@needs_threads
@pytest.mark.in_turn(2)
@pytest.mark.parametrize("text", ROUNDS)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_values_on_both_sides(text: str, threads: int) -> None:
    """Extents with little to do, and with enough for threads."""
    for length in (1, 2, 65, 1000, 300_000):
        v = np.random.default_rng(length).random(length)
        program, given = compiled(text, Options("openmp", threads=threads), n=3, v=v)
        (found,) = program.run(given, lambda *_: None)
        assert np.allclose(found, np.asarray(aplc.run(text, target="interp", n=3, v=v)), 1e-9, 0), length


def test_blocks_have_no_parts() -> None:
    """Loops over a few hundred elements at most, however their ends are written."""
    made = aplc.fn("{({⌊\\⍵-0,¯1↓⍵}⍣9)⍵}").emit("openmp", "[int]1")
    assert "i = aplc_max_int(1, start); i < stop; i++" in made
    assert "aplc_turns(aplc_max_int(1, start), stop, 1)" not in made
