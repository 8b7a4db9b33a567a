"""Items that are made where they are read: programs of which that is so, and others of which it is not."""

from __future__ import annotations

import pytest

import aplc
from aplc.compiler import optimise, to_tail
from aplc.options import Options
from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.source import Source
from aplc.tail.syntax import Op, walk


def made(text: str) -> int:
    """How many arrays of items the program makes after the passes."""
    term = optimise(to_tail([Source("text", text)], {}).term, Options())
    return sum(isinstance(node, Op) and node.prim is p.PIECES for node in walk(term))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+/¨⍳¨⍳4", [1, 3, 6, 10]),
        ("+/¨2×⍳¨⍳4", [2, 6, 12, 20]),
        ("+/¨÷÷⍳¨⍳4", [1, 3, 6, 10]),
        ("≢¨{⍵/⍨2|⍵}¨⍳¨⍳4", [1, 1, 2, 2]),
        ("{+/⌽⍵}¨{⍵×⍵}¨⍳¨⍳4", [1, 5, 14, 30]),
        ("+/¨(⍳¨⍳4)×⌽¨⍳¨⍳4", [1, 4, 10, 20]),
        ("+/¨(⍳¨⍳4)+¨10", [11, 23, 36, 50]),
        ("x←10 20 30 40 ⋄ +/¨{x[⍵]}¨⍳¨⍳4", [10, 30, 60, 100]),
        ("+/¨⍳¨0⍴1", []),
        ("+/¨⍳¨,3", [6]),
    ],
)
@pytest.mark.parametrize("target", ["interp", "c"])
def test_one_reader_makes_the_items(text: str, value: list[int], target: str) -> None:
    assert aplc.run(text, target=target).tolist() == value


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("+/¨⍳¨⍳⎕←4", 0),
        ("+/¨2×⍳¨⍳⎕←4", 0),
        ("+/¨(⍳¨⍳4)×⌽¨⍳¨⍳⎕←4", 0),
        ("⎕←⍳¨⍳4", 1),  # shown
        ("a←⍳¨⍳4 ⋄ (+/¨a)+≢¨a", 1),  # two readers
        ("{+/⍵×⌽⍵}¨⍳¨⍳4", 1),  # an item that is read twice
        ("+/¨⌽⍳¨⍳4", 1),  # in another order
        ("+/¨(⍳¨⍳4)[1 1 2]", 1),
        ("a←⍳¨⍳4 ⋄ {⍵++/+/¨a}⍣3⊢1", 1),  # read in each round
        ("a←⍳¨n←⎕←3 4 ⋄ ⎕←1 ⋄ +/¨a", 1),  # it may fail, and something is printed before it is read
    ],
)
def test_where_items_are_written(text: str, count: int) -> None:
    assert made(text) == count


@pytest.mark.parametrize("target", ["interp", "c"])
def test_errors_of_the_maker_stay(target: str) -> None:
    with pytest.raises(RunError, match="DOMAIN ERROR"):
        aplc.run("+/¨⍳¨⎕←3 ¯1", target=target)
    with pytest.raises(RunError, match="INDEX ERROR"):
        aplc.run("x←1 2 ⋄ +/¨{x[⍵]}¨⍳¨⎕←2 3", target=target)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("p←⍳¨¨(2 3)(1 2 4) ⋄ ⎕←(p≡⌽p),p≡⌽⌽⌽p", 8),  # two for p, and three for each that is compared
        ("p←⍳¨¨(2 3)(1 2 4) ⋄ ⎕←p≡⌽⌽p", 5),
        ("a←⍳¨⍳3 ⋄ ⎕←({⍵/⍨2|⍵}¨a)({q←⍵ ⋄ q/⍨2|q}¨a)", 2),
        ("⎕←(?¨⍳¨⍳3)(?¨⍳¨⍳3)", 3),  # other numbers each time
    ],
)
def test_equal_items_are_made_once(text: str, count: int) -> None:
    assert made(text) == count
