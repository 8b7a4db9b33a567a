"""Functions that call themselves and change names outside: which of them are loops."""

import pytest

from aplc.apl_front.elaboration.elaborate import elaborate_program
from aplc.apl_front.syntax.parser import parse
from aplc.tail.source import Source
from aplc.tail.syntax import Rec, is_loop, walk


def is_loop_in(text: str) -> bool:
    """Whether the one recursive function of a program is a loop."""
    term = elaborate_program([parse(Source("test.apl", text))], {}).term
    (function,) = [node for node in walk(term) if isinstance(node, Rec)]
    return is_loop(function)


@pytest.mark.parametrize(
    "function",
    [
        "{⍵>9:⍵ ⋄ o,←⍵ ⋄ ∇ ⍵+1}",
        "{⍵>9:⍵ ⋄ o,←⍵ ⋄ 2|⍵:∇ ⍵+1 ⋄ o,←⍵ ⋄ ∇ ⍵+2}",
        "{⍵>9:⍵ ⋄ o,←⍵ ⋄ r←∇ ⍵+1 ⋄ r}",
        "{⍵>9:⍵ ⋄ o,←⍵ ⋄ p+←1 ⋄ ∇ ⍵+1}",
        "{⍵>9:⍵'end' ⋄ o,←⍵ ⋄ ∇ ⍵+1}",
    ],
)
def test_a_call_that_comes_last_is_a_jump(function: str) -> None:
    assert is_loop_in(f"o←⍬ ⋄ p←0\nf←{function}\n⎕←f 1\n⎕←o")


@pytest.mark.parametrize(
    "function",
    [
        "{⍵>9:⍵ ⋄ o,←⍵ ⋄ 1+∇ ⍵+1}",
        "{⍵>9:⍵ ⋄ r←∇ ⍵+1 ⋄ o,←⍵ ⋄ r}",
        "{⍵>9:⍵ ⋄ o,←⍵ ⋄ r←∇ ⍵+1 ⋄ ⎕←r ⋄ r}",
        "{⍵>9:⍵ ⋄ o,←⍵ ⋄ r←∇ ⍵+1 ⋄ ⍵}",
        "{⍵>9:⍵ ⋄ o,←⍵ ⋄ r←∇ ⍵+1 ⋄ p+←1 ⋄ r}",
    ],
)
def test_what_is_computed_after_a_call_waits_for_it(function: str) -> None:
    assert not is_loop_in(f"o←⍬ ⋄ p←0\nf←{function}\n⎕←f 1\n⎕←o p")


def test_a_part_that_is_changed_makes_another_result() -> None:
    changed = "o←⍬\nf←{⍵>9:(1 2)'ab' ⋄ o,←⍵ ⋄ (a b)←∇ ⍵+1 ⋄ (⌽a)b}\n⎕←f 1"
    assert not is_loop_in(changed)
    assert is_loop_in(changed.replace("(⌽a)b}", "a b}"))
