"""Annotations proved and refuted: functions that have the type they claim, and others that nearly have it.

What is wrong is reported where the claim and the finding part, with both types. Expectations come from the
meaning of the functions.
"""

from __future__ import annotations

import pytest

from aplc.apl_front.elaboration.elaborate import elaborate_program
from aplc.apl_front.syntax.parser import parse
from aplc.tail.errors import CompileError
from aplc.tail.source import Source
from tests.support.error_places import DIFF, Place, assert_places, checked, places


def covers(text: str, name: str = "f") -> str:
    """What an annotation covers, once it is proved: `int double, bool` for two variables."""
    found = checked(text)
    assert [d.render() for d in found.diagnostics] == []
    (report,) = [r for r in found.functions if r.name == name]
    assert report.status == "proved"
    return ", ".join([" ".join([b.value for b in bases]) for _, bases in report.covers])


DOT = """dot←{ ⍝: (κ→κ→κ)→(κ→κ→κ) →[κ] (ρ1+1)
        ⍝   →[κ] (ρ2+1)→[κ] (ρ1+ρ2)
    WA ← (1↓⍴⍵),⍴⍺
    KA ← (⍴⍴⍺)-1
    VA ← ⍳⍴WA
    ZA ← (KA⌽¯1↓VA),¯1↑VA
    TA ← ZA⍉WA⍴⍺
    WB ← (¯1↓⍴⍺),⍴⍵
    KB ← ⍴⍴⍺
    VB ← ⍳⍴WB
    ZB0 ← (-KB)↓KB⌽⍳⍴VB
    ZB ← (¯1↓⍳KB),ZB0,KB
    TB ← ZB⍉WB⍴⍵
    ⍺⍺/TA ⍵⍵ TB
}
"""
ALL, NUMBERS, SIGNED = "int double complex bool char", "int double complex bool", "int double complex"
REALS, ORDERED, COMPARED = "int double", "int double bool", "int double bool char"

# --- the thesis -----------------------------------------------------------------------------------------


def test_the_examples_of_the_thesis_are_proved() -> None:
    signal = DIFF + "signal←{ ⍝: <double>ρ → <double>ρ\n ¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵}"
    assert covers(signal, "diff") == SIGNED
    assert covers(signal, "signal") == ""
    assert covers(DOT, "dot") == ALL


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("→ <κ>ρ", "→ <κ>(ρ+1)", (2, 2, "TYPE ERROR", "claims <int>(ρ+1), this is <int>ρ")),
        ("<κ>(ρ+1)", "<κ>ρ", (2, 2, "TYPE ERROR", "claims <int>ρ, this is [int]1")),
        ("<κ>(ρ+1)", "<κ>(ρ+2)", (2, 2, "TYPE ERROR", "claims <int>ρ, this is <int>(ρ+1)")),
        ("→ <κ>ρ", "→ [κ]2", (2, 2, "TYPE ERROR", "claims [int]2, this is <int>ρ")),
        ("→ <κ>ρ", "→ <double>ρ", (2, 2, "TYPE ERROR", "claims <double>ρ, this is <int>ρ")),
        ("1↓", "2↓", (2, 2, "TYPE ERROR", "claims <int>ρ, this is [int]1")),
        ("1↓", "1↑", (2, 2, "TYPE ERROR", "claims <int>ρ, this is <int>1")),
        ("¯1⌽⍵", "¯1↓⍵", (2, 4, "LENGTH ERROR", "- needs equal lengths, got <int>(ρ+1) and <int>ρ")),
    ],
)
def test_diff_with_one_thing_wrong(old: str, new: str, expected: Place) -> None:
    assert old in DIFF
    assert_places(DIFF.replace(old, new), expected)


@pytest.mark.parametrize(
    ("claim", "body", "expected"),
    [
        ("<double>ρ → <double>(ρ+1)", "¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵",
         (4, 2, "TYPE ERROR", "claims <double>(ρ+1), this is <double>ρ")),
        ("<double>ρ → <int>ρ", "¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵",
         (4, 2, "TYPE ERROR", "claims <int>ρ, this is <double>ρ")),
        ("<κ>ρ → <κ>ρ", "¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵",
         (4, 2, "TYPE ERROR", "claims <int>ρ, this is <double>ρ")),
        ("<double>ρ → <double>ρ", "¯50⌈50⌊50×(diff ⍵)÷0.01+⍵",
         (4, 13, "TYPE ERROR", "diff takes <κ>(ρ+1), got <double>ρ")),
        ("<double>(ρ+1) → <double>(ρ+1)", "¯50⌈50⌊50×(diff ⍵)÷0.01+⍵",
         (4, 12, "LENGTH ERROR", "÷ needs equal lengths, got <double>ρ and <double>(ρ+1)")),
        ("[double]1 → <double>3", "¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵",
         (4, 13, "TYPE ERROR", "diff takes <κ>(ρ+1), got [double]1")),
    ],
)  # fmt: skip
def test_signal_with_one_thing_wrong(claim: str, body: str, expected: Place) -> None:
    assert_places(f"{DIFF}signal←{{ ⍝: {claim}\n {body}}}", expected)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("(ρ1+ρ2)", "(ρ1+ρ2+1)", (14, 5, "TYPE ERROR", "claims [int](ρ1+ρ2+1), this is [int](ρ1+ρ2)")),
        (
            "[κ] (ρ1+1)",
            "[κ] ρ1",
            (7, 10, "LENGTH ERROR", "⍉ needs an axis number for each axis of [int](ρ1+ρ2)"),
        ),
        ("⍺⍺/TA", "⍺⍺\\TA", (14, 5, "TYPE ERROR", "claims [int](ρ1+ρ2), this is [int](ρ1+ρ2+1)")),
        ("(κ→κ→κ)→(κ→κ→κ)", "(κ→κ→κ)→(κ→κ)", (14, 8, "SYNTAX ERROR", "it takes no left argument")),
    ],
)
def test_dot_with_one_thing_wrong(old: str, new: str, expected: Place) -> None:
    assert old in DOT
    assert_places(DOT.replace(old, new), expected)


# --- right ----------------------------------------------------------------------------------------------

# The type, the body behind it, and what its base-type variables cover.
RIGHT: list[tuple[str, str, str]] = [
    # lengths
    ("<κ>ρ1 → <κ>ρ2 → <κ>(ρ1+ρ2)", "⍺,⍵", ALL),
    ("<κ>ρ1 → <κ>ρ2 → <κ>(ρ2+ρ1)", "⍺,⍵", ALL),
    ("<κ>ρ1 → <κ>ρ2 → <κ>(ρ1+ρ2+ρ1)", "⍺,⍵,⍺", ALL),
    ("<κ>ρ → <κ>(ρ+1)", "⍵,0", SIGNED),
    ("<κ>(ρ+2) → <κ>2", "2↑⍵", ALL),
    ("<κ>(ρ+2) → <κ>ρ", "2↓⍵", ALL),
    ("<κ>(ρ+2) → <κ>(ρ+1)", "¯1↓⍵", ALL),
    ("[κ]1 → <κ>3", "3↑⍵", ALL),
    ("S(int,n) → <κ>(n+m) → <κ>m", "⍺↓⍵", ALL),
    ("S(int,n) → <κ>m → <κ>n", "⍺↑⍵", ALL),
    ("S(int,n) → [κ]ρ → <κ>n", "⍺⍴⍵", ALL),
    ("S(int,n) → S(int,n+1)", "⍵+1", ""),
    ("<κ>ρ → <κ>ρ", "(⍴⍵)⍴⌽⍵", ALL),
    ("<κ>ρ → <κ>ρ", "(≢⍵)↑⍵,⍵", ALL),
    ("<κ>ρ → S(int,ρ)", "≢⍵", ALL),
    ("<κ>ρ → <int>ρ", "⍳≢⍵", ALL),
    ("S(int,ρ) → <int>ρ", "⍳⍵", ""),
    ("int → [int]1", "⍳⍵", ""),
    ("<κ>ρ → [κ]1", "(⍵>0)/⍵", NUMBERS),
    ("<bool>ρ → <κ>ρ → [κ]1", "⍺/⍵", ALL),
    ("<bool>ρ → [int]1", "⍸⍵", ""),
    ("[κ]ρ → <κ>0", "0⍴⍵", ALL),
    # order, search, selection
    ("<κ>ρ → <κ>ρ", "⌽⍵", ALL),
    ("int → <κ>ρ → <κ>ρ", "⍺⌽⍵", ALL),
    ("<κ>ρ → <κ>ρ", "⍵[⍋⍵]", COMPARED),
    ("<κ>ρ → <int>ρ", "⍋⍋⍵", COMPARED),
    ("<κ>ρ1 → <κ>ρ2 → <bool>ρ1", "⍺∊⍵", COMPARED),
    ("[κ]ρ1 → [κ]ρ2 → [bool]ρ1", "⍺∊⍵", COMPARED),
    ("<κ>ρ1 → [κ]ρ2 → [int]ρ2", "⍺⍳⍵", COMPARED),
    ("<κ>ρ → <bool>ρ", "(⍳≢⍵)=⍵⍳⍵", COMPARED),
    ("<κ>ρ → <int>n → <κ>n", "⍺[⍵]", ALL),
    ("[κ]2 → int → [κ]1", "⍺[⍵;]", ALL),
    ("[κ](ρ+1) → [κ](ρ+1)", "∪⍵", COMPARED),
    ("<κ>(ρ+1) → κ", "⊃⌽⍵", ALL),
    # ranks
    ("[κ]ρ → [κ]ρ", "⌽⍉⊖⍵", ALL),
    ("int → [κ]ρ → [κ]ρ", "⍺⊖⍵", ALL),
    ("[κ]ρ → <int>ρ", "⍴⍵", ALL),
    ("[κ]ρ → S(int,ρ)", "≢⍴⍵", ALL),
    ("[κ]ρ → [κ]1", ",⍵", ALL),
    ("[κ]ρ → [κ]2", "⍪⍵", ALL),
    ("int → [κ]ρ → [κ]2", "⍺ ⍺⍴⍵", ALL),
    ("<int>ρ1 → [κ]ρ2 → [κ]ρ1", "⍺⍴⍵", ALL),
    ("[κ]2 → [κ]1", "1 1⍉⍵", ALL),
    ("[κ](ρ+1) → [κ]ρ → [κ](ρ+1)", "⍺⍪⍵", ALL),
    ("[κ]ρ → bool", "⍵≡⌽⍵", COMPARED),
    ("<bool>n → [κ](ρ+1) → [κ](ρ+1)", "⍺⌿⍵", ALL),
    # reductions and products
    ("[κ](ρ+1) → [κ]ρ", "+/⍵", SIGNED),
    ("[κ](ρ+1) → [int]ρ", "+⌿⍵>0", NUMBERS),
    ("[κ]ρ → κ", "⌈/,⍵", SIGNED),
    ("<bool>ρ → bool", "∨/⍵", ""),
    ("<bool>ρ → int", "+/⍵", ""),
    ("<κ>ρ → <κ>ρ", "+\\⍵", SIGNED),
    ("[κ](ρ+1) → [κ](ρ+1)", "2-⌿⍵", SIGNED),
    ("[κ](ρ+1) → [double]ρ", "(+⌿⍵)÷≢⍵", ORDERED),
    ("<double>ρ → double", "m←(+/⍵)÷≢⍵\n(+/(⍵-m)*2)÷≢⍵", ""),
    ("<double>ρ → <double>ρ → double", "⍺+.×⍵", ""),
    ("<double>ρ → <double>ρ → double", "+/⍺×⍵", ""),
    ("[κ](ρ1+1) → [κ](ρ2+1) → [κ](ρ1+ρ2)", "⍺+.×⍵", SIGNED),
    ("[κ]ρ1 → [κ]ρ2 → [κ](ρ1+ρ2)", "⍺∘.×⍵", SIGNED),
    ("[double](ρ+1) → [double](ρ+1)", "⍵÷⍤1 0⊢+/⍵", ""),
    ("[κ](ρ+1) → [κ]ρ", "{+/⍵}⍤1⊢⍵", SIGNED),
    ("<int>n → [int]ρ → [int](ρ+1)", "⍺⊤⍵", ""),
    # scalar functions and conversions
    ("<κ>ρ → <double>ρ", "÷¨⍵", ORDERED),
    ("[κ]ρ → [κ]ρ → [bool]ρ", "⍺=⍵", ALL),
    ("double → double", "⍵<0:0\n⍵", ""),
    ("[κ]ρ → [double]ρ", "⍵*0.5", ORDERED),
    # control
    ("int → int", "⍵≤1:1\n⍵×∇⍵-1", ""),
    ("int → int → int", "⍵=0:⍺\n⍵∇⍵|⍺", ""),
    ("[double]ρ → [double]ρ", "({0.5×⍵}⍣10)⍵", ""),
    ("int → [κ]ρ → [κ]ρ", "(⌽⍣⍺)⍵", ALL),
    ("int → int → int", "⍺←1\n⍺+⍵", ""),
    ("int → int", "⍺←1\n⍺+⍵", ""),
    ("κ → κ → κ", "-⍵", SIGNED),
    # nested arrays
    ("(int,double) → double", "a b←⍵\na+b", ""),
    ("<κ>ρ → (κ,<κ>ρ)", "(+/⍵)(+\\⍵)", SIGNED),
    # operators
    ("(κ→κ) → [κ]ρ → [κ]ρ", "⍺⍺ ⍺⍺ ⍵", ALL),
    ("(κ→κ1) → [κ]ρ → [κ1]ρ", "⍺⍺¨⍵", f"{ALL}, {ALL}"),
    ("(κ→κ→κ) → [κ](ρ+1) → [κ]ρ", "⍺⍺/⍵", ALL),
    ("(κ→κ→κ1) → [κ]ρ1 → [κ]ρ2 → [κ1](ρ1+ρ2)", "⍺∘.⍺⍺ ⍵", f"{ALL}, {ALL}"),
    ("(<κ>ρ→κ) → <κ>ρ → κ", "⍺⍺ ⌽⍵", ALL),
    ("κ → [κ]ρ → [κ]ρ", "⍺⍺+⍵", SIGNED),
    ("(κ→κ) → int → [κ]ρ → [κ]ρ", "(⍺⍺⍣⍵⍵)⍵", ALL),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "body", "expected"), RIGHT)
def test_right(claim: str, body: str, expected: str) -> None:
    assert covers(f"f←{{ ⍝: {claim}\n{body}}}") == expected


@pytest.mark.parametrize(
    ("claim", "function", "expected"),
    [
        ("[κ](ρ+1) → [double]ρ", "+⌿÷≢", ORDERED),
        ("<double>ρ → <double>ρ", "⊢÷+/", ""),
        ("<κ>ρ → <int>ρ", "⍋∘⍋", COMPARED),
        ("[κ]2 → [κ]2", "2 1∘⍉", ALL),
        ("<double>ρ → <double>ρ → double", "+.×", ""),
        ("<κ>ρ → <κ>ρ", "⌽", ALL),
        ("<bool>ρ → bool", "∧/", ""),
        ("<κ>ρ → <κ>(ρ+ρ)", ",⍨", ALL),
        ("<double>ρ → double", "{(+/⍵*2)÷≢⍵}", ""),
    ],
)
def test_right_above_the_line(claim: str, function: str, expected: str) -> None:
    assert covers(f"⍝: {claim}\nf←{function}") == expected


# --- wrong ----------------------------------------------------------------------------------------------


def claims(claimed: str, found: str) -> str:
    return f"the annotation claims {claimed}, this is {found}"


# The type, the body that stands behind it in line 2, and what is wrong where.
WRONG: list[tuple[str, str, Place]] = [
    # a length that is off by one
    ("<κ>ρ1 → <κ>ρ2 → <κ>(ρ1+ρ2+1)", "⍺,⍵", (2, 1, "TYPE ERROR", claims("<int>(ρ1+ρ2+1)", "<int>(ρ1+ρ2)"))),
    ("<κ>ρ1 → <κ>ρ2 → <κ>(ρ1+ρ1)", "⍺,⍵", (2, 1, "TYPE ERROR", claims("<int>2ρ1", "<int>(ρ1+ρ2)"))),
    ("<κ>ρ → <κ>ρ", "⍵[⍋⍵],0", (2, 1, "TYPE ERROR", claims("<int>ρ", "<int>(ρ+1)"))),
    ("<κ>(ρ+2) → <κ>3", "2↑⍵", (2, 1, "TYPE ERROR", claims("<int>3", "<int>2"))),
    ("<κ>(ρ+2) → <κ>(ρ+1)", "2↓⍵", (2, 1, "TYPE ERROR", claims("<int>(ρ+1)", "<int>ρ"))),
    ("S(int,n) → <κ>m → <κ>m", "⍺↑⍵", (2, 1, "TYPE ERROR", claims("<int>m", "<int>n"))),
    ("S(int,n) → S(int,n)", "⍵+1", (2, 1, "TYPE ERROR", claims("S(int,n)", "S(int,n+1)"))),
    ("<κ>ρ → S(int,ρ+1)", "≢⍵", (2, 1, "TYPE ERROR", claims("S(int,ρ+1)", "S(int,ρ)"))),
    ("[κ]ρ → <int>(ρ+1)", "⍴⍵", (2, 1, "TYPE ERROR", claims("<int>(ρ+1)", "<int>ρ"))),
    ("<κ>ρ → <κ>ρ", "x←⍵,0\n⌽x", (3, 1, "TYPE ERROR", claims("<int>ρ", "<int>(ρ+1)"))),
    # lengths that only the run knows
    ("<κ>ρ → <κ>ρ", "(⍵>0)/⍵", (2, 1, "TYPE ERROR", claims("<int>ρ", "[int]1"))),
    ("int → <κ>ρ → <κ>ρ", "⍺↑⍵", (2, 1, "TYPE ERROR", claims("<int>ρ", "[int]1"))),
    ("int → <κ>ρ → <κ>ρ", "⍺⍴⍵", (2, 1, "TYPE ERROR", claims("<int>ρ", "[int]1"))),
    ("<κ>ρ → <κ>ρ", "∪⍵", (2, 1, "TYPE ERROR", claims("<int>ρ", "[int]1"))),
    # shape variables that are not the same
    ("[κ]ρ1 → [κ]ρ2 → [κ]ρ2", "⍺", (2, 1, "TYPE ERROR", claims("[int]ρ2", "[int]ρ1"))),
    ("[κ]ρ1 → [κ]ρ2 → [κ]ρ1", "⍺+⍵",
     (2, 1, "RANK ERROR", "+ needs equal ranks or a scalar, got [int]ρ1 and [int]ρ2")),
    ("<κ>ρ1 → <κ>ρ2 → <κ>ρ1", "⌽⍺×⍵",
     (2, 2, "LENGTH ERROR", "× needs equal lengths, got <int>ρ1 and <int>ρ2")),
    ("<κ>ρ1 → <κ>ρ2 → <bool>ρ2", "⍺∊⍵", (2, 1, "TYPE ERROR", claims("<bool>ρ2", "<bool>ρ1"))),
    ("<κ>ρ1 → <κ>ρ2 → <int>ρ1", "⍺⍳⍵", (2, 1, "TYPE ERROR", claims("<int>ρ1", "<int>ρ2"))),
    ("<κ>ρ1 → <int>ρ2 → <κ>ρ1", "⍺[⍵]", (2, 1, "TYPE ERROR", claims("<int>ρ1", "<int>ρ2"))),
    # a rank that is not that of a reduction, scan or product
    ("[κ](ρ+1) → [κ](ρ+1)", "+/⍵", (2, 1, "TYPE ERROR", claims("[int](ρ+1)", "[int]ρ"))),
    ("[κ]ρ → [κ]ρ", "1++/⍵", (2, 3, "RANK ERROR", "+/ needs an array of at least one axis, got [int]ρ")),
    ("[κ](ρ+1) → [κ]ρ", "+\\⍵", (2, 1, "TYPE ERROR", claims("[int]ρ", "[int](ρ+1)"))),
    ("[κ]ρ1 → [κ]ρ2 → [κ]ρ1", "⍺∘.×⍵", (2, 1, "TYPE ERROR", claims("[int]ρ1", "[int](ρ1+ρ2)"))),
    ("[κ](ρ1+1) → [κ](ρ2+1) → [κ](ρ1+ρ2+1)", "⍺+.×⍵",
     (2, 1, "TYPE ERROR", claims("[int](ρ1+ρ2+1)", "[int](ρ1+ρ2)"))),
    ("[κ]ρ1 → [κ](ρ2+1) → [κ](ρ1+ρ2)", "⍺+.×⍵",
     (2, 1, "RANK ERROR", "+.× needs an array of at least one axis, got [int]ρ1")),
    ("[κ]2 → [κ]2", "1 1⍉⍵", (2, 1, "TYPE ERROR", claims("[int]2", "[int]1"))),
    ("<κ>ρ → [κ]1", "⍪⍵", (2, 1, "TYPE ERROR", claims("[int]1", "[int]2"))),
    ("[κ]ρ → [κ]1", "2 3⍴⍵", (2, 1, "TYPE ERROR", claims("[int]1", "[int]2"))),
    ("[κ]2 → [κ]1", "⍵[1;1]", (2, 1, "TYPE ERROR", claims("[int]1", "int"))),
    ("<double>ρ → double", "m←(+/⍵)÷≢⍵\n(⍵-m)*2", (3, 1, "TYPE ERROR", claims("double", "<double>ρ"))),
    ("[κ](ρ+1) → [κ](ρ+1)", "+/⍤1⊢⍵", (2, 1, "TYPE ERROR", claims("[int](ρ+1)", "[int]ρ"))),
    ("[κ]ρ → [κ]ρ", "⌽⍤1⊢⍵", (2, 1, "RANK ERROR", "needs an array of at least one axis, got [int]ρ")),
    # another element type
    ("int → int", "⍵÷2", (2, 1, "TYPE ERROR", claims("int", "double"))),
    ("int → double", "⍵+2", (2, 1, "TYPE ERROR", claims("double", "int"))),
    ("int → bool", "⍵+2", (2, 1, "TYPE ERROR", claims("bool", "int"))),
    ("bool → int", "~⍵", (2, 1, "TYPE ERROR", claims("int", "bool"))),
    ("<bool>ρ → bool", "+/⍵", (2, 1, "TYPE ERROR", claims("bool", "int"))),
    ("<κ>ρ → <κ>ρ", "⍋⍵", (2, 1, "TYPE ERROR", claims("<double>ρ", "<int>ρ"))),
    ("<κ>ρ1 → <κ>ρ2 → <κ>ρ2", "⍺⍳⍵", (2, 1, "TYPE ERROR", claims("<double>ρ2", "<int>ρ2"))),
    ("<κ>ρ → κ", "(+/⍵)÷≢⍵", (2, 1, "TYPE ERROR", claims("int", "double"))),
    ("<char>ρ → <int>ρ", "⍵+1", (2, 1, "DOMAIN ERROR", "+ needs numbers, got characters")),
    # branches, calls, recursion
    ("int → int", "⍵<0:0.5\n⍵", (2, 5, "TYPE ERROR", claims("int", "double"))),
    ("int → int", "⍵<0:⍵\nx←0.5\n⍵×x", (4, 1, "TYPE ERROR", claims("int", "double"))),
    ("<κ>(ρ+1) → <κ>ρ", "0=≢⍵:⍵\n1↓⍵", (2, 6, "TYPE ERROR", claims("<int>ρ", "<int>(ρ+1)"))),
    ("int → int", "⍵≤1:1\n⍵÷∇⍵-1", (3, 1, "TYPE ERROR", claims("int", "double"))),
    ("<int>ρ → int", "⍵>0:1\n0", (2, 1, "LENGTH ERROR", "a guard needs one 0 or 1, got <bool>ρ")),
    ("<κ>ρ → <κ>ρ", "({1↓⍵}⍣3)⍵", (2, 1, "TYPE ERROR", claims("<int>ρ", "[int]1"))),
    ("<κ>ρ → <κ>ρ", "g←{⍵,0}\ng ⍵", (3, 1, "TYPE ERROR", claims("<int>ρ", "<int>(ρ+1)"))),
    # the number of arguments
    ("<κ>ρ → κ", "+/⍺×⍵", (2, 3, "VALUE ERROR", "⍺ is not defined: the function has no left argument")),
    # nested arrays
    ("(int,double) → int", "a b←⍵\na+b", (3, 1, "TYPE ERROR", claims("int", "double"))),
    ("<κ>ρ → (κ,<κ>ρ)", "(+\\⍵)(+/⍵)", (2, 1, "TYPE ERROR", "claims a nested array (int, <int>ρ), this is")),
    # operators
    ("(κ→κ1) → [κ]ρ → [κ]ρ", "⍺⍺ ⍵", (2, 1, "TYPE ERROR", claims("[int]ρ", "[double]ρ"))),
    ("(κ→κ→κ) → [κ]ρ → [κ]ρ", "⍺⍺ ⍵", (2, 1, "SYNTAX ERROR", "it takes a left argument")),
    ("(κ→κ→κ) → [κ](ρ+1) → [κ](ρ+1)", "⍺⍺/⍵", (2, 1, "TYPE ERROR", claims("[int](ρ+1)", "[int]ρ"))),
    ("(<κ>ρ→κ) → <κ>(ρ+1) → κ", "⍺⍺ ⍵",
     (2, 1, "TYPE ERROR", "⍺⍺ has the type <int>ρ → [int]0, got <int>(ρ+1)")),
    ("κ → [κ]ρ → [κ]ρ", "⍺⍺÷⍵", (2, 1, "TYPE ERROR", claims("[int]ρ", "[double]ρ"))),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "body", "expected"), WRONG)
def test_wrong(claim: str, body: str, expected: Place) -> None:
    text = f"f←{{ ⍝: {claim}\n{body}}}"
    assert_places(text, expected)
    (report,) = checked(text).functions
    assert report.status == "refuted"


@pytest.mark.parametrize(
    ("claim", "function", "expected"),
    [
        ("<double>ρ → <double>ρ", "+/÷≢", (2, 3, "TYPE ERROR", claims("<double>ρ", "double"))),
        ("<int>ρ → int", "+/÷≢", (2, 3, "TYPE ERROR", claims("int", "double"))),
        ("[double]ρ → [double]ρ", "+⌿÷≢", (2, 3, "RANK ERROR", "+⌿ needs an array of at least one axis")),
        ("<κ>ρ → <κ>ρ", "⍋", (2, 3, "TYPE ERROR", claims("<double>ρ", "<int>ρ"))),
        ("[κ]ρ → [κ]ρ", "⍴", (2, 3, "TYPE ERROR", claims("[int]ρ", "<int>ρ"))),
        ("<κ>ρ → <κ>ρ", ",⍨", (2, 3, "TYPE ERROR", claims("<int>ρ", "<int>2ρ"))),
        ("κ → κ → κ", "≢", (2, 3, "TYPE ERROR", claims("int", "bool"))),
    ],
)
def test_wrong_above_the_line(claim: str, function: str, expected: Place) -> None:
    assert_places(f"⍝: {claim}\nf←{function}", expected)


def test_a_refutation_says_where_the_claim_stands_and_for_which_types() -> None:
    (diagnostic,) = checked("f←{ ⍝: <κ>ρ → <κ>ρ\n ⍋⍵}").diagnostics
    assert diagnostic.note == "annotated in line 1, κ is double"


def test_the_place_is_never_inside_another_function() -> None:
    assert_places("g←{1↓⍵}\nf←{ ⍝: <κ>(ρ+1) → <κ>(ρ+1)\n g ⍵}",
                  (3, 2, "TYPE ERROR", claims("<int>(ρ+1)", "<int>ρ")))  # fmt: skip
    assert_places("g←{⍵<0:0.5 ⋄ 1}\nf←{ ⍝: int → int\n x←⍵\n g x}",
                  (4, 2, "TYPE ERROR", claims("int", "double")))  # fmt: skip


# --- functions inside functions -------------------------------------------------------------------------


def test_inner_functions_are_proved_where_they_stand() -> None:
    outer = "f←{{ ⍝: <κ>ρ → <κ>ρ\n g←{{ ⍝: [κ]ρ → [κ]{rank}\n  ⍵+1}}\n {result}}}"
    assert covers(outer.format(rank="ρ", result="g ⍵")) == SIGNED
    expected = (3, 3, "TYPE ERROR", claims("[int](ρ+1)", "[int]ρ"))
    assert_places(outer.format(rank="(ρ+1)", result="g ⍵"), expected)
    assert_places(outer.format(rank="(ρ+1)", result="⍵"), expected)


def test_inner_functions_of_a_function_without_annotation() -> None:
    expected = (2, 2, "TYPE ERROR", claims("int", "double"))
    assert_places("f←{{ ⍝: int → int\n ⍵÷2}⍵}\nf 3", expected)
    assert_places("{ ⍝: int → int\n ⍵÷2}3", expected)
    assert_places("f←{\n ⍝: int → int\n g←÷∘2\n g ⍵}\nf 3", (3, 4, "TYPE ERROR", claims("int", "double")))


def test_inner_functions_are_proved_for_the_types_around_them() -> None:
    inner = "f←{k←⍵ ⋄ g←{ ⍝: int → int\n ⍵+k} ⋄ g 1}\n"
    assert places(inner + "f 2") == []
    assert_places(inner + "f 2.5", (2, 2, "TYPE ERROR", claims("int", "double")))


# --- values, and programs with errors ---------------------------------------------------------------------


def test_annotations_of_values() -> None:
    assert places("⍝: int\nx←3\n⍝: <int>3\ny←1 2 3\n⍝: [int]1\nz←1 0 1/y") == []
    assert_places("⍝: <int>4\nx←1 2 3", (2, 1, "TYPE ERROR", claims("<int>4", "<int>3")))
    assert_places("⍝: <int>2\nx←1 0 1/1 2 3", (2, 1, "TYPE ERROR", claims("<int>2", "[int]1")))
    assert_places("⍝: double\nx←3", (2, 1, "TYPE ERROR", claims("double", "int")))
    assert_places("⍝: int → int\nx←3", (2, 1, "TYPE ERROR", "claims a function, this is a value"))
    assert_places("⍝: int\nf←+/", (2, 1, "TYPE ERROR", "claims a value, this is a function"))


def test_a_name_in_error_gets_no_second_message() -> None:
    assert_places("x←1+'a'\nf←{ ⍝: int → int\n ⍵+x}\ng←{⍵+x}", (1, 5, "DOMAIN ERROR", "+ needs numbers"))


def test_what_is_refuted_does_not_compile() -> None:
    with pytest.raises(CompileError):
        elaborate_program([parse(Source("test.apl", "f←{ ⍝: int → int\n ⍵÷2}\n3"))], {})


def test_many_base_type_variables() -> None:
    assert covers("f←{ ⍝: ([α]0→[β]0) → ([γ]0→[δ]0) → [α]ρ → [γ]ρ → bool\n(⍺⍺ ⍺)≡⍵⍵ ⍵}") == ", ".join(
        ["int double"] * 4
    )
