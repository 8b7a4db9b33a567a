"""Lengths that are numbers of the user's: whether there is room for so many elements is asked once."""

import pytest

from aplc.laila.ir.text_print import print_program
from aplc.tail.types import Array, Base, Rho
from tests.support.laila.programs import lowered

NUMBER, VECTOR = Array(Base.INT, Rho(0)), Array(Base.INT, Rho(1))


@pytest.mark.parametrize("text", ["≢⍳n", "≢n⍴v", "≢n↑v", "≢v,(-n)↑v", "+/(n⍴0),v"])
def test_room_is_required_for_what_a_number_of_the_user_makes_as_long(text: str) -> None:
    assert print_program(lowered(text, n=NUMBER, v=VECTOR)).count("WS FULL") == 1
    assert "WS FULL" not in print_program(lowered("≢⍳≢v", v=VECTOR))
