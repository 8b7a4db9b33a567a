"""Values of expressions in straight code: what gets a name in front of where it is needed, and what not."""

import re

import numpy as np

import aplc
from aplc.options import Options
from tests.support.compiling import c_of


def test_what_may_divide_by_zero_is_computed_only_where_it_is_needed() -> None:
    text = c_of("2⍴>⍀(1 n)↑0", Options(), n=np.array(0))
    assert re.search(r" % n\d*\b", text)
    assert not re.search(r" \w+ = [^;\[]* % n\d*\b", text), text


def test_what_divides_by_a_constant_is_computed_once() -> None:
    text = c_of("(v>0)×v[1+3|⍳≢v]×w[1+3|⍳≢v]", Options(), v=np.ones(7), w=np.ones(7))
    lines = [line for line in text.splitlines() if "% 3" in line]
    assert lines and all(" t = " in line for line in lines), lines


def test_a_chain_of_conditions_is_as_long_as_its_links() -> None:
    def length(links: int) -> int:
        text = "x←v\n" + "x←x+w\n" * links + "x"
        return len(c_of(text, Options(), v=np.ones(7), w=np.ones(7)))

    assert length(9) - length(8) < 2 * (length(5) - length(4))


def test_memory_of_a_piece_that_knows_its_length_beside_others() -> None:
    """What is on the stack in the first piece, which is no loop, is on the heap in the next."""
    for first in (0, 1, 2):
        given = np.array([True, True]), np.array([0, 1, 2, 1])
        wanted = aplc.fn(f"{{a←⍺ ⋄ {{({{⍵[⍋⍵]}}⍵⍴a)+.×1}}¨{first},⍵}}", target="interp")(*given)
        for target in ("c", "openmp"):
            found = aplc.fn(f"{{a←⍺ ⋄ {{({{⍵[⍋⍵]}}⍵⍴a)+.×1}}¨{first},⍵}}", target=target)(*given)
            np.testing.assert_array_equal(found, wanted)
