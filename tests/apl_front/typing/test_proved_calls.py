"""Calls of functions with annotations: which fit, which do not, and where that is said."""

from __future__ import annotations

import numpy as np
import pytest

from aplc.apl_front.elaboration.elaborate import elaborate_program
from aplc.apl_front.syntax.parser import parse
from aplc.tail.evaluate import evaluate
from aplc.tail.source import Source
from tests.support.error_places import DIFF, assert_places, places


@pytest.mark.parametrize(
    ("call", "column", "message"),
    [
        ("diff ⍬", 1, "diff takes <κ>(ρ+1), got <int>0"),
        ("diff 3", 1, "diff takes <κ>(ρ+1), got int"),
        ("diff 2 2⍴1", 1, "diff takes <κ>(ρ+1), got [int]2"),
        ("1 diff 1 2 3", 1, "diff is annotated with one argument"),
        ("diff 1 0 1/1 2 3", 1, "diff takes <κ>(ρ+1), got [int]1"),
        ("1+diff 1↓,5", 3, "diff takes <κ>(ρ+1), got <int>0"),
    ],
)
def test_calls_of_diff_that_do_not_fit(call: str, column: int, message: str) -> None:
    assert_places(DIFF + call, (3, column, "TYPE ERROR", message))


@pytest.mark.parametrize("call", ["diff 1 2 3", "diff ,1", "diff 1.5 2", "diff 3↑⍬", "diff 0,2=2 3"])
def test_calls_of_diff_that_fit(call: str) -> None:
    assert places(DIFF + call) == []


# The type and body of f, then a call of it that does not fit, its column and a part of the message.
CALLS: list[tuple[str, str, str, int, str]] = [
    ("int → int", "⍵+1", "f 3.5", 1, "f takes int, got double"),
    ("int → int", "⍵+1", "f 'a'", 1, "f takes int, got char"),
    ("bool → bool", "~⍵", "f 2", 1, "f takes bool, got int"),
    ("int → int → int", "⍺+⍵", "f 3", 1, "f is annotated with two arguments"),
    ("<κ>ρ → <κ>ρ → κ", "+/⍺×⍵", "1 2 f 1 2 3", 1, "f takes <κ>ρ and <κ>ρ, got <int>2 and <int>3"),
    ("<κ>ρ → <κ>ρ → κ", "+/⍺×⍵", "(⍳?3)f ⍳?3", 1, "f takes <κ>ρ and <κ>ρ, got [int]1 and [int]1"),
    ("[κ]ρ → [κ]ρ → [κ]ρ", "⍺+⍵", "1 2 f 2 2⍴1", 1, "f takes [κ]ρ and [κ]ρ, got <int>2 and [int]2"),
    ("<κ>3 → κ", "⍵[2]", "f 1 2", 1, "f takes <κ>3, got <int>2"),
    ("S(int,n) → <int>n", "⍳⍵", "f ¯3", 1, "f takes S(int,n), got S(int,-3)"),
    ("S(int,n) → <int>n", "⍳⍵", "f ?3", 1, "f takes S(int,n), got [int]0"),
    ("S(int,n) → <κ>(n+m) → <κ>m", "⍺↓⍵", "3 f 1 2", 1, "got S(int,3) and <int>2"),
    ("κ → κ → bool", "⍺=⍵", "'a' f 1", 1, "f takes κ and κ, got char and int"),
    ("(int→int) → [int]ρ → [int]ρ", "⍺⍺ ⍵", "{0.5×⍵} f 1 2 3", 1,
     "f takes [int]0 → [int]0 as ⍺⍺, {0.5×⍵} gives double"),
    ("(int→int) → [int]ρ → [int]ρ", "⍺⍺ ⍵", "{⍺+⍵} f 1 2 3", 1,
     "f takes [int]0 → [int]0 as ⍺⍺: ⍺ is not defined"),
    ("(int→int) → [int]ρ → [int]ρ", "⍺⍺ ⍵", "1+⍴ f 1 2 3", 3,
     "f takes [int]0 → [int]0 as ⍺⍺, ⍴ gives <int>0"),
    ("(int→int) → [int]ρ → [int]ρ", "⍺⍺ ⍵", "3 f 1 2 3", 1, "f takes a function as ⍺⍺, got an array"),
    ("(int→int→int) → [int](ρ+1) → [int]ρ", "⍺⍺/⍵", "÷f 1 2 3", 1,
     "f takes [int]0 → [int]0 → [int]0 as ⍺⍺, ÷ gives double"),
    ("(κ→κ) → [κ]ρ → [κ]ρ", "⍺⍺ ⍵", "{⍵>2}f 1 2 3", 1, "f takes [int]0 → [int]0 as ⍺⍺, {⍵>2} gives bool"),
    ("(κ→κ→κ) → (κ→κ) → [κ](ρ+1) → [κ]ρ", "⍺⍺/⍵⍵ ⍵", "+ f < 1 2 3", 5, "as ⍵⍵: < needs a left argument"),
    ("int → [int]ρ → [int]ρ", "⍺⍺+⍵", "1.5 f 1 2 3", 1, "f takes int and [int]ρ, got double and <int>3"),
    ("int → [int]ρ → [int]ρ", "⍺⍺+⍵", "1 2 f 1 2 3", 1, "f takes int and [int]ρ, got <int>2 and <int>3"),
    ("int → [int]ρ → [int]ρ", "⍺⍺+⍵", "- f 1 2 3", 1, "f takes an array as ⍺⍺, got a function"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "body", "call", "column", "message"), CALLS)
def test_calls_that_do_not_fit(claim: str, body: str, call: str, column: int, message: str) -> None:
    (found,) = places(f"f←{{ ⍝: {claim}\n{body}}}\n{call}")
    assert found[:3] == (3, column, "TYPE ERROR")
    assert message in found[3]


# The type and body of f, a call of it that fits, and the value with its type.
FITTING: list[tuple[str, str, str, str, object]] = [
    ("double → double", "⍵+1", "f 3", "[double]0", 4.0),
    ("int → int", "⍵", "f 2=2", "[int]0", 1),
    ("[double]ρ → [double]ρ", "⌽⍵", "f 1 2 3", "<double>3", [3.0, 2.0, 1.0]),
    ("<κ>ρ → <κ>ρ", "⌽⍵", "f 1 0 1/1 2 3", "[int]1", [3, 1]),
    ("κ → κ → κ", "⍺+⍵", "1 f 2.5", "[double]0", 3.5),
    ("(κ→κ→κ) → [κ](ρ+1) → [κ]ρ", "⍺⍺/⍵", "÷f 6 3 2", "[double]0", 4.0),
    ("(κ→κ→κ) → [κ](ρ+1) → [κ]ρ", "⍺⍺/⍵", "+f 6 3 2", "[int]0", 11),
    ("(κ→κ1) → [κ]ρ → [κ1]ρ", "⍺⍺ ⍵", "{⍵>2}f 1 2 3", "<bool>3", [False, False, True]),
    ("κ → [κ]ρ → [κ]ρ", "⍺⍺+⍵", "1 f 0.5 1", "<double>2", [1.5, 2.0]),
    ("(<κ>n→κ) → <κ>n → κ", "⍺⍺ ⍵", "+/f 1 2 3", "[int]0", 6),
    ("(int,<κ>ρ) → <κ>ρ", "n v←⍵\nn⌽v", "f 2(1 2 3)", "<int>3", [3, 1, 2]),
]


@pytest.mark.parametrize(("claim", "body", "call", "ty", "value"), FITTING)
def test_calls_that_fit(claim: str, body: str, call: str, ty: str, value: object) -> None:
    files = [parse(Source("test.apl", f"f←{{ ⍝: {claim}\n{body}}}\n{call}"))]
    term = elaborate_program(files, {}).term
    assert str(term.ty) == ty
    assert np.asarray(evaluate(term, [], lambda *_: None)).tolist() == value
