"""Recursions whose results are only added to: which ones become loops, which do not, and their values."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from aplc.compiler import optimise, to_tail
from aplc.options import Options
from aplc.tail.errors import RunError
from aplc.tail.optimise.accumulators import MAX_CALLS
from aplc.tail.passes import checking, run_passes
from aplc.tail.pipeline import chosen
from aplc.tail.source import Source
from aplc.tail.syntax import Rec, walk
from tests.support.machine import needs_c, needs_threads

EACH_TARGET = ["interp", pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


def kinds(text: str) -> list[bool]:
    """For each recursive function of a program whether it is a loop whose rounds were calls."""
    term = optimise(to_tail([Source("text", text)], {}).term, Options())
    return [node.most is not None for node in walk(term) if isinstance(node, Rec)]


LOOPS = [
    ("{⍵=0:0 ⋄ 1+∇⍵-1}⎕←5", 5),
    ("{⍵=0:0 ⋄ ⍵+∇⍵-1}⎕←5", 15),
    ("{⍵=0:0 ⋄ (∇⍵-1)+⍵}⎕←5", 15),
    ("{⍵=0:0 ⋄ 2|⍵:1+∇⍵-1 ⋄ ∇⌊⍵÷2}⎕←13", 3),
    ("{⍵=0:0 ⋄ (⌊3○⍵×0)+⍵+∇⍵-1}⎕←5", 15),
    ("{⍵=0:3 ⋄ (7|⍵×5)⌈∇⍵-1}⎕←9", 6),
    ("{⍵=0:9 ⋄ (7|⍵×5)⌊∇⍵-1}⎕←4", 1),
    ("{⍵=0:⍵=0 ⋄ (8≥⍵)∧∇⍵-1}⎕←9", 0),
    ("{⍵=0:⍵≠0 ⋄ (9=⍵)∨∇⍵-1}⎕←9", 1),
    ("{⍵=0:⍬ ⋄ ⍵,∇⍵-1}⎕←4", [4, 3, 2, 1]),
    ("{⍵=0:⍬ ⋄ (∇⍵-1),⍵}⎕←4", [1, 2, 3, 4]),
    ("{⍵=0:7 8 ⋄ ⍵,0,∇⍵-1}⎕←2", [2, 0, 1, 0, 7, 8]),
    ("{⍵=0:7 8 ⋄ ((∇⍵-1),0),⍵}⎕←2", [7, 8, 0, 1, 0, 2]),
    ("{⍵<10:,⍵ ⋄ (∇⌊⍵÷10),10|⍵}⎕←9075", [9, 0, 7, 5]),
    ("v←⎕←3 4 ⋄ v{⍵=0:≢⍺ ⋄ ⍵+⍺∇⍵-1}⎕←3", 8),
]
"""Programs and their values; what is printed before only keeps the number from being known."""


@pytest.mark.parametrize(("text", "value"), LOOPS)
def test_recursions_that_are_loops(text: str, value: int | list[int]) -> None:
    assert kinds(text) == [True]
    for target in ("interp", "c"):
        assert np.array_equal(aplc.run(text, target=target), value)


@pytest.mark.parametrize(
    "text",
    [
        "{⍵=0:0 ⋄ ⍵-∇⍵-1}⎕←5",  # which is not associative
        "{⍵=0:0 ⋄ (÷⍵)+∇⍵-1}⎕←5",  # which is rounded
        "{⍵=0:0 ⋄ 2|⍵:1+∇⍵-1 ⋄ 5⌈∇⍵-1}⎕←5",
        "{⍵=0:⍬ ⋄ 2|⍵:⍵,∇⍵-1 ⋄ (∇⍵-1),⍵}⎕←5",
        "{⍵≤1:⍵ ⋄ (∇⍵-1)+∇⍵-2}⎕←5",
        "v←⎕←1 2 3 ⋄ {⍵=0:0 ⋄ (∇⍵-1)+v[⍵]}⎕←3",  # the last call that fails tells so
        "{0=≢⍵:0 ⋄ (⊃⍵)+∇1↓⍵}⎕←1 2 3",  # a call is given what remains, without a copy
        "{⍵=0:0 ⋄ 1+∇0⌈(∇⍵-1)-1}⎕←1",
    ],
)
def test_recursions_that_stay(text: str) -> None:
    assert kinds(text) == [False]


@pytest.mark.parametrize("target", EACH_TARGET)
@pytest.mark.parametrize(("text", "place"), [("(∇⍵-1)+v[⍵]", 4), ("v[⍵]+∇⍵-1", 6)])
def test_the_call_that_fails_first_tells_so(text: str, place: int, target: TargetName) -> None:
    with pytest.raises(RunError, match=f"no element {place}, the length is 3"):
        aplc.run(f"v←⎕←1 2 3 ⋄ {{⍵=0:0 ⋄ {text}}}⎕←6", target=target)


@pytest.mark.parametrize("target", EACH_TARGET)
def test_what_calls_print_is_in_order(target: TargetName, capsys: pytest.CaptureFixture[str]) -> None:
    assert aplc.run("{⍵=0:0 ⋄ (⎕←⍵)+∇⍵-1}⎕←3", target=target) == 6
    assert aplc.run("{⍵=0:0 ⋄ (∇⍵-1)+⎕←⍵}⎕←3", target=target) == 6
    assert capsys.readouterr().out.split() == ["3", *"123", "3", *"321"]


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("target", EACH_TARGET)
@pytest.mark.parametrize("text", ["f 5\n⎕←f¯1", "⎕←+/f¨5 ¯1 3"])
def test_a_recursion_without_end_is_too_deep(text: str, target: TargetName) -> None:
    with pytest.raises(RunError, match="recursion is too deep") as raised:
        aplc.run("f←{⍵=0:0 ⋄ 1+∇⍵-1}\n" + text, target=target)
    assert f"text:{1 + len(text.splitlines())}:{text.splitlines()[-1].index('f') + 1}:" in str(raised.value)


@needs_c
def test_how_deep_a_recursion_may_be() -> None:
    f = aplc.fn("{{⍵=0:0 ⋄ 1+∇⍵-1}⍵}", target="c")
    assert f(MAX_CALLS - 1) == MAX_CALLS - 1
    with pytest.raises(RunError, match="recursion is too deep"):
        f(MAX_CALLS)


def test_sums_that_may_overflow_stay_where_they_are() -> None:
    text = "{⍵=0:0 ⋄ ⍵+∇⍵-1}⎕←5"
    term = to_tail([Source("text", text)], {}).term
    for passes, most in ((chosen(1, None), MAX_CALLS), (chosen(1, None, check_overflow=True), None)):
        made = run_passes(term, passes, checking())
        assert [node.most for node in walk(made) if isinstance(node, Rec)] == [most]


@pytest.mark.parametrize("target", EACH_TARGET)
def test_a_call_without_a_left_argument_is_one_with_its_default(target: TargetName) -> None:
    assert kinds("{⍺←0 ⋄ ⍵=1:⍺ ⋄ 2|⍵:(⍺+1)∇1+3×⍵ ⋄ (⍺+1)∇⍵÷2}⎕←27") == [False]  # one loop, and no first call
    assert aplc.run("{⍺←0 ⋄ ⍵=1:⍺ ⋄ 2|⍵:(⍺+1)∇1+3×⍵ ⋄ (⍺+1)∇⍵÷2}⎕←27", target=target) == 111
    assert aplc.run("{⍺←⍵ ⋄ ⍵≤0:⍺ ⋄ (⍺,⍵)∇⍵-1}⎕←3", target=target).tolist() == [3, 3, 2, 1]
    assert aplc.run("{⍺←⊢ ⋄ ⍵≤0:⍺ 5 ⋄ ∇⍵-1}⎕←3", target=target) == 5
