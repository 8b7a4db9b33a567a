"""Most general types of functions without annotation, each derived by hand; and that finding them is quick.

Where a function has several incomparable types the choice is that of Note [Incomparable types].
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from aplc.apl_front.elaboration.elaborate import CheckedProgram, check_files
from aplc.apl_front.elaboration.elaborator import Elaborator
from aplc.apl_front.syntax.parser import parse
from aplc.apl_front.typing.report import FunctionReport
from aplc.tail.source import Source


def checked(text: str) -> CheckedProgram:
    return check_files([parse(Source("test.apl", text))], {})


def inferred(text: str) -> FunctionReport:
    """What is known of the last function of a program."""
    return checked(text).functions[-1]


ALL, NUMBERS, SIGNED = "int double complex bool char", "int double complex bool", "int double complex"
REALS, ORDERED, COMPARED = "int double", "int double bool", "int double bool char"

# The function, its type, and what κ covers.
TYPES: list[tuple[str, str, str]] = [
    # scalar functions: every rank
    ("{⍺+⍵}", "[κ]ρ → [κ]ρ → [κ]ρ", SIGNED),
    ("{⍺>⍵}", "[κ]ρ → [κ]ρ → [bool]ρ", NUMBERS),
    ("{⍺|⍵}", "[κ]ρ → [κ]ρ → [κ]ρ", SIGNED),
    ("÷", "[κ]ρ → [double]ρ", ORDERED),
    ("⌊", "[κ]ρ → [int]ρ", REALS),
    ("~", "[κ]ρ → [bool]ρ", NUMBERS),
    ("{⍵+0.5}", "[κ]ρ → [double]ρ", ORDERED),
    ("{⍺←1 ⋄ ⍺+⍵}", "[κ]ρ → [κ]ρ", SIGNED),
    # structure
    ("⍴", "[κ]ρ → <int>ρ", ALL),
    ("≢", "[κ]ρ → [int]0", ALL),
    (",", "[κ]ρ → [κ]1", ALL),
    ("⍪", "[κ]ρ → [κ]2", ALL),
    ("⌽", "[κ]ρ → [κ]ρ", ALL),
    ("⌽∘⍉", "[κ]ρ → [κ]ρ", ALL),
    ("⊃", "[κ]ρ → [κ]0", ALL),
    ("⍳", "[κ]0 → [int]1", NUMBERS),
    ("{⍺⍴⍵}", "<int>ρ1 → [κ]ρ2 → [κ]ρ1", ALL),
    ("{⍺,⍵}", "[κ](ρ+1) → [κ](ρ+1) → [κ](ρ+1)", ALL),
    ("{0,⍵}", "[κ](ρ+1) → [κ](ρ+1)", SIGNED),
    ("{⍵,'a'}", "[char](ρ+1) → [char](ρ+1)", ""),
    ("{⍺↑⍵}", "<int>ρ → [κ]ρ → [κ]ρ", ALL),
    ("{⍺⌽⍵}", "[int]0 → [κ]ρ → [κ]ρ", ALL),
    ("{⍺⍉⍵}", "<int>ρ → [κ]ρ → [κ]ρ", ALL),
    ("{2-/⍵}", "[κ](ρ+1) → [κ](ρ+1)", SIGNED),
    ("{1↓⍵-¯1⌽⍵}", "[κ](ρ+1) → [κ](ρ+1)", SIGNED),
    # reductions and products
    ("+/", "[κ](ρ+1) → [κ]ρ", SIGNED),
    ("{∨/⍵}", "[κ](ρ+1) → [κ]ρ", NUMBERS),
    ("+⌿÷≢", "[κ](ρ+1) → [double]ρ", ORDERED),
    ("{+/⍵='a'}", "[κ](ρ+1) → [int]ρ", ALL),
    ("{+/1 1⍉⍵}", "[κ]2 → [κ]0", SIGNED),
    ("{(+/(⍵-(+/⍵)÷≢⍵)*2)÷≢⍵}", "<κ>ρ → [double]0", ORDERED),
    ("⊢÷+/", "<κ>ρ → <double>ρ", ORDERED),
    ("{⍵÷⍤1 0⊢+/⍵}", "[κ](ρ+1) → [double](ρ+1)", ORDERED),
    ("+.×", "[κ](ρ1+1) → [κ](ρ2+1) → [κ](ρ1+ρ2)", SIGNED),
    ("{+/⍺×⍵}", "[κ](ρ+1) → [κ](ρ+1) → [κ]ρ", SIGNED),
    ("{⍺∘.=⍵}", "[κ]ρ1 → [κ]ρ2 → [bool](ρ1+ρ2)", ALL),
    ("{⍵∘.×⍵}", "[κ]ρ → [κ]2ρ", SIGNED),
    ("{⍺⊥⍵}", "[κ](ρ1+1) → [κ](ρ2+1) → [κ](ρ1+ρ2)", SIGNED),
    ("{⍵⊤⍨2 2 2}", "[κ]ρ → [κ](ρ+1)", REALS),
    # selection and search
    ("{(⍵>0)/⍵}", "<κ>ρ → [κ]1", NUMBERS),
    ("{⍺⌿⍵}", "<int>ρ1 → [κ](ρ2+1) → [κ](ρ2+1)", ALL),
    ("{⍵[⍋⍵]}", "<κ>ρ → <κ>ρ", COMPARED),
    ("{⍺[⍵]}", "<κ>ρ1 → <int>ρ2 → <κ>ρ2", ALL),
    ("{⍵[⍺;]}", "<int>ρ → [κ]2 → [κ]2", ALL),
    ("{⍵[1;]}", "[κ]2 → [κ]1", ALL),
    ("{⍺∊⍵}", "[κ]ρ1 → [κ]ρ2 → [bool]ρ1", COMPARED),
    ("{⍺⍳⍵}", "<κ>ρ1 → [κ]ρ2 → [int]ρ2", COMPARED),
    ("{≢∪⍵}", "[κ](ρ+1) → [int]0", COMPARED),
    ("⍋⍋", "[κ](ρ+1) → [int]1", COMPARED),
    ("{⍵≡⌽⍵}", "[κ]ρ → [bool]0", COMPARED),
    # control
    ("{⍵≤1:1 ⋄ ⍵×∇⍵-1}", "[κ]0 → [κ]0", SIGNED),
    ("{⍺=0:⍵ ⋄ (⍺|⍵)∇⍺}", "[κ]0 → [κ]0 → [κ]0", SIGNED),
    ("{2+⍣3⊢⍵}", "[κ]ρ → [κ]ρ", SIGNED),
    ("{⍵<0:0.5 ⋄ 1}", "[κ]0 → [double]0", NUMBERS),
]


@pytest.mark.parametrize(("function", "ty", "covers"), TYPES)
def test_most_general_type(function: str, ty: str, covers: str) -> None:
    report = inferred(f"f←{function}")
    assert (report.status, report.type) == ("inferred", ty)
    assert " ".join([b.value for _, bases in report.covers for b in bases]) == covers


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("{⍵+'a'}", "+ needs numbers, got characters"),
        ("{⍵+y}", "y is not defined"),
        ("{⍺⍺ ⍵}", ""),
        ("{⍵,1 2+1 2 3}", "+ needs equal lengths, got <int>2 and <int>3"),
    ],
)
def test_functions_without_a_type(function: str, message: str) -> None:
    report = inferred(f"f←{function}")
    assert (report.status, report.type) == ("unknown", "")
    if message:
        assert message in report.diagnostics[0].message


def test_a_function_that_uses_a_name_in_error() -> None:
    found = checked("x←1+'a'\nf←{⍵+x}")
    assert found.functions[0].status == "unknown"
    assert len(found.diagnostics) == 1


def test_types_are_inferred_with_the_values_that_names_have_at_the_end() -> None:
    assert inferred("k←2\nf←{⍵+k}").type == "[κ]ρ → [κ]ρ"
    assert inferred("k←2\nk←0.5\nf←{⍵+k}").type == "[κ]ρ → [double]ρ"
    assert inferred("g←{⍵}\ng←{÷⍵}\nf←{g ⍵}").type == "[κ]ρ → [double]ρ"


# --- summaries of calls -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ty"),
    [
        # What matters beside the types of the arguments: axes, an extent of 1, constants.
        ("axes←{⌽⍳2}\nf←{(axes 0)⍉⍵}\n", "[κ]2 → [κ]2"),
        ("turn←{⍺⍉⍵}\ng←{2 1 turn ⍵}\nf←{1 1 turn ⍵}", "[κ]2 → [κ]1"),
        ("first←{⍺↑⍵}\ng←{2 first ⍵}\nf←{(3 first,⍵)+1 2 3}", "[κ]ρ → <κ>3"),
        ("one←{1 1⍴⍵}\ng←{⍵+⍵}\nf←{(one 3)+⍳≢⍵}", "[κ]ρ → [int]1"),
        # A recursive function is called while its own type is not settled.
        ("half←{⍵<1:⍵ ⋄ 0.5×half ⍵-1}\ng←{half ⍵}\nf←{1+g ⍵}", "[κ]0 → [double]0"),
        ("even←{⍵=0:1 ⋄ odd ⍵-1}\nodd←{⍵=0:0 ⋄ even ⍵-1}\nf←{odd ⍵}", "[κ]0 → [int]0"),
    ],
)
def test_calls_that_were_seen_before(text: str, ty: str) -> None:
    assert inferred(text).type == ty


# --- growth ---------------------------------------------------------------------------------------------


def _small(n: int) -> str:
    """Functions of many kinds, a fifth of them annotated."""
    bodies = [
        "{1↓⍵-¯1⌽⍵}", "+⌿÷≢", "{⍺+.×⍵}", "{⍵[⍋⍵]}", "{⍵≤1:1 ⋄ ⍵×∇⍵-1}", "{⍺←1 ⋄ ⍺+⍵}", "{⍵[1;2]}", "{⍵+'a'}",
        "{ ⍝: <κ>(ρ+1) → <κ>ρ\n 1↓⍵-¯1⌽⍵}", "{ ⍝: [κ]ρ1 → [κ]ρ2 → [κ](ρ1+ρ2)\n ⍺∘.×⍵}",
    ]  # fmt: skip
    return "\n".join([f"f{k}←{bodies[k % len(bodies)]}" for k in range(n)])


def _chain(n: int) -> str:
    return "\n".join(["f0←{⍵+1}", *[f"f{k}←{{(f{k - 1} ⍵)×f{k - 1} ⍵}}" for k in range(1, n)]])


def _chain_of_errors(n: int) -> str:
    return "\n".join(["f0←{⍵+'a'}", *[f"f{k}←{{1+f{k - 1} ⍵}}" for k in range(1, n)]])


@pytest.mark.parametrize("program", [_small, _chain, _chain_of_errors])
def test_work_grows_with_the_number_of_functions(
    program: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four times as many functions are four times as many applications, no more."""
    counts: list[int] = []
    apply = Elaborator.apply

    def counted(*args: object, **named: object) -> object:
        counts[-1] += 1
        return apply(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Elaborator, "apply", counted)
    for n in (20, 80):
        counts.append(0)
        checked(program(n))
    assert counts[1] < 4.5 * counts[0]


def test_a_long_chain_is_within_the_limit_of_recursion() -> None:
    before = sys.getrecursionlimit()
    assert inferred(_chain(300)).type == "[κ]ρ → [κ]ρ"
    assert sys.getrecursionlimit() == before
