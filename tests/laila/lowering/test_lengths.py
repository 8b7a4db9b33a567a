"""Lengths: of the user's numbers it is asked once whether there is room for so many elements; lengths that a
check has found to be equal are one.
"""

import numpy as np
import pytest

import aplc
from aplc.laila.ir.text_print import print_program
from aplc.tail.types import Array, Base, Rho
from tests.support.laila.programs import lowered

NUMBER, VECTOR = Array(Base.INT, Rho(0)), Array(Base.INT, Rho(1))


@pytest.mark.parametrize("text", ["≢⍳n", "≢n⍴v", "≢n↑v", "≢v,(-n)↑v", "+/(n⍴0),v"])
def test_room_is_required_for_what_a_number_of_the_user_makes_as_long(text: str) -> None:
    assert print_program(lowered(text, n=NUMBER, v=VECTOR)).count("WS FULL") == 1
    assert "WS FULL" not in print_program(lowered("≢⍳≢v", v=VECTOR))


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        ("(4,≢w)⍴(2 2⊤v),[1.5]2 2⊤w", True),
        ("(4,≢v)⍴(2 2⊤v),[1.5]2 2⊤w", True),
        ("(2,≢w)⍴⍉⍉v,[0.5]w", True),
        ("{((≢w),2)⍴v,[0.5]w}¨1 2", True),
        ("(5,≢w)⍴(2 2⊤v),[1.5]2 2⊤w", False),
        ("(2,≢w)⍴v,w", False),
        ("{⍵>0:≢v,[0.5]w ⋄ 0}¨3 4 ⋄ (2,≢w)⍴v", False),
    ],
)
def test_lengths_that_are_equal_behind_a_check_are_one_for_a_reshape(text: str, *, is_known: bool) -> None:
    assert ("simple" in print_program(lowered(text, v=VECTOR, w=VECTOR))) is not is_known


def test_a_reshape_by_the_length_of_the_other_vector() -> None:
    text = "{2⊥(8,≢⍵)⍴((4⍴2)⊤⍺),[1.5](4⍴2)⊤⍵}"
    compiled, meant = aplc.fn(text), aplc.fn(text, target="interp")
    for n in (0, 1, 5):
        given = np.arange(n), 15 - np.arange(n)
        assert np.array_equal(compiled(*given), meant(*given))
    with pytest.raises(aplc.RunError, match="LENGTH ERROR"):
        compiled(np.arange(3), np.arange(4))
