"""Vectors that grow in front and are sorted, searched or filtered in the same rounds."""

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of, compiled
from tests.support.days import of_today
from tests.support.machine import needs_c, needs_threads

V = np.array(
    [3, 1, 4, 4, 2, 6, 0, 9, 6, 8, 0, 1, 5, 7, 7, 8, 8, 6, 2, 9, 9, 7, 6, 2, 2, 4, 6, 3, 8, 4, 5, 9, 0]
)
ROUNDS = (
    "u←(x÷2),u\nu←u[⍋u]",
    "u←(x÷2),u\nu←u[⍒u]",
    "u←(x÷2),u\nu←∪u",
    "u←x,u\nu←u[⍋|u-4]",
    "u←x,u\nu←⌽u",
    "u←x,u\nu←u[⍋u]\nu←1↓u\nu←x,x,u",
    "u←x,u\nu←u[⍋u]\nu←¯1↓u",
    "u←x,u\nt←u⍳4\nu←t,u",
    ":If 2|x\nu←(x÷2),u\nu←u[⍋u]\n:Else\nu←1↓u\n:EndIf",
    ":If 2|x\nu←x,u\nu←u[⍋u]\n:Else\nt←¯3↑u\nu←t,u\n:EndIf",
)


def text_of(rounds: str) -> str:
    return f"∇ z←f v;x;u;t\nu←0⍴0.5\n:For x :In v\n{rounds}\n:EndFor\nz←u\n∇\nf v"


@needs_threads
@pytest.mark.parametrize("rounds", of_today(ROUNDS, 3))
def test_values(rounds: str) -> None:
    text = text_of(rounds)
    expected = np.asarray(aplc.run(text, target="interp", v=V))
    for target, level in (("c", 0), ("c", 1), ("c", 2), ("openmp", 2)):
        program, given = compiled(text, Options(target, level, verify=True), v=V)
        (found,) = program.run(given, lambda *_: None)
        assert np.array_equal(np.asarray(found), expected), (target, level)


@needs_c
def test_what_is_sorted_begins_where_the_array_does() -> None:
    made = c_of(text_of(ROUNDS[0]), Options("c"), v=V)
    assert "aplc_sort_up_double(a, start, round + 1)" in made, made
