"""Arrays of many axes: more than indices of NumPy have, and than are written out or tried in proofs."""

import numpy as np
import pytest

from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.text_print import print_program
from aplc.options import Options
from tests.support.compiling import compiled
from tests.support.laila.programs import lowered

TEXTS = (
    ("((33⍴1)⍴2)⊥(33⍴1)⍴3", 3, 64),
    ("((20⍴1)⍴2)∘.+(20⍴1)⍴3", 5, 40),
    ("((20⍴1)⍴2)∘.{⍺-⍵}(20⍴1)⍴3", -1, 40),
    ("((20⍴1)⍴2)+.×(20⍴1)⍴3", 6, 38),
    ("((33⍴1)⍴2){⍺+⍵}.×3", 6, 32),
    ("x←(34⍴1)⍴2 ⋄ (1⌽x)←7 ⋄ x", 7, 34),
    ("x←(34⍴1)⍴2 ⋄ ((34⍴1)↑x)+←7 ⋄ x", 9, 34),
    ("{+/,⍵}⌺(15⍴3)⊢(15⍴1)⍴2", 2, 15),
)
"""Programs, the one element that each gives, and how many axes it has."""


@pytest.mark.parametrize("target", ["interp", "c"])
@pytest.mark.parametrize(("text", "element", "axes"), TEXTS)
def test_values(text: str, element: int, axes: int, target: str) -> None:
    program, _ = compiled(text, Options(target))
    (value,) = program.run([], lambda *_: None)
    assert np.shape(value) == (1,) * axes
    assert np.ravel(value).tolist() == [element]


def test_only_the_last_axes_of_a_window_are_written_out() -> None:
    assert len(print_program(lowered("{+/,⍵}⌺(9⍴3)⊢(9⍴4)⍴2"))) < 200_000


def test_a_proof_about_many_atoms_is_not_searched_deeply() -> None:
    make = ExprBuilder()
    total = make.const(-1)
    for _ in range(40):
        total = make.add(total, make.index("i", make.const(4)))
    assert not make.nonnegative(total)
    assert len(make.table) < 5000
