"""Arrays of arrays with frames."""

import numpy as np
import pytest

from aplc.repl.boxed import boxed
from aplc.repl.session import Session
from aplc.tail.types import Base


def shown(text: str) -> str:
    """What a line shows in frames."""
    found: list[str] = []
    session = Session(
        lambda value, base, digits: found.append(boxed(value, chars=base is Base.CHAR, precision=digits))
    )
    session.run(text)
    return "\n".join([line.rstrip() for line in found[0].split("\n")])


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        ("2 2⍴⍳4", ["1 2", "3 4"]),
        ("'abc'", ["abc"]),
        ("'abc' 1 (2 3)", ["┌───┬─┬───┐", "│abc│1│2 3│", "└───┴─┴───┘"]),
        ("'abc' 'd'", ["┌───┬─┐", "│abc│d│", "└───┴─┘"]),
        ("⊂1 2", ["┌───┐", "│1 2│", "└───┘"]),
        ("⊂⊂1 2", ["┌─────┐", "│┌───┐│", "││1 2││", "│└───┘│", "└─────┘"]),
        ("(⍳2) (2 2⍴⍳4)", ["┌───┬───┐", "│1 2│1 2│", "│   │3 4│", "└───┴───┘"]),
        ("⍪'ab' 'cde'", ["┌───┐", "│ab │", "├───┤", "│cde│", "└───┘"]),
        ("'' 'a' (¯1 0.5)", ["┌┬─┬──────┐", "││a│¯1 0.5│", "└┴─┴──────┘"]),
        ("0⍴⊂1 2", ["┌┐", "││", "└┘"]),
        ("2 0⍴⊂1 2", ["┌┐", "││", "└┘"]),
    ],
)  # fmt: skip
def test_frames(text: str, frames: list[str]) -> None:
    assert shown(text) == "\n".join(frames)


def test_planes_stand_below_each_other_with_a_line_more_for_each_axis() -> None:
    frame = ["┌─┐", "│1│", "└─┘"]
    assert shown("2 1 1⍴⊂,1") == "\n".join([*frame, "", *frame])
    cube = [*frame, "", *frame]
    assert shown("2 2 1 1⍴⊂,1") == "\n".join([*cube, "", "", *cube])


def test_lines_have_one_length() -> None:
    items = np.empty((3, 1, 1), dtype=object)
    items[:] = [[[np.arange(k)]] for k in range(3)]
    assert len({len(line) for line in boxed(items).split("\n")}) == 1
