"""Memory that leaves loops and branches: its size asks for nothing that the program does not ask for."""

import numpy as np
import pytest

import aplc
from aplc import fn
from tests.support.machine import needs_c


@needs_c
@pytest.mark.parametrize("target", ["interp", "c"])
def test_a_size_is_not_checked_where_no_memory_is_wanted(target: str) -> None:
    f = fn("{≢¨1⊃¨⍺\\{a←⍵⍴'pq' ⋄ b←≢a ⋄ a b}¨2 2⊣⍵}", target=target)
    assert f(np.array([1, 1, 0]), 0).tolist() == [2, 2, 2]


@needs_c
@pytest.mark.parametrize("target", ["interp", "c"])
def test_an_error_of_a_size_is_that_of_the_program(target: str) -> None:
    f = fn("{n←⍺ ⋄ {⍵>2: 0 ⋄ +/(⍳n)[⍋(⌽⍳n)×⍵]}¨⍵}", target=target)
    assert f(-3, np.array([3, 4])).tolist() == [0, 0]
    assert f(3, np.array([1, 4])).tolist() == [6, 0]
    with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
        f(-3, np.array([3, 1]))
