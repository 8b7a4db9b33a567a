"""`docs/primitives.md` is up to date, complete, and about the language that was agreed on."""

import pytest

from aplc.apl_front.functions.table import TIER_TWO
from aplc.apl_front.reading import tree
from aplc.apl_front.syntax.glyphs import DYADIC_OPERATORS, FUNCTIONS, MONADIC_OPERATORS
from aplc.tail.prims import PRIMS
from aplc.tail.source import Source, Span
from tests.primitive_table import LATER, NAMES, OPERATORS, PAGE, page, refusal, tables, without_sample
from tests.support.primitive_samples import found, operator_use

TIER_ONE_MONADIC = "⊂⊆↑↓⍎+-×÷*⍟⌈⌊|!○?~⊢⊣⍴⍳,⍪⌽⊖⍉⊃≡≢∊⍋⍒⍸∪⌷⌹⍕≠"
TIER_ONE_DYADIC = "⊂⊆+-×÷*⍟⌈⌊|!○?~∧∨⍲⍱<≤=≥>≠⊢⊣⍴⍳,⍪⌽⊖⍉↑↓⊃≡≢∊⍸∪∩/⌿\\⍀⌷⊥⊤⌹⍷⍕⍋⍒"
TIER_ONE_OPERATORS = "/⌿\\⍀¨⍨∘.⍤⍥⍣@⍛⌸⌺"
TIER_TWO_OPERATORS = ""
UNKNOWN_OPERATORS = "⍠⌶&"
"""Operators that are refused by name and that nobody plans."""


@pytest.mark.in_turn(3)
def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.primitive_table"


@pytest.mark.in_turn(3)
def test_everything_has_a_sample() -> None:
    assert without_sample() == []


def test_the_functions_are_those_of_the_language() -> None:
    wanted = {(s, "monadic") for s in TIER_ONE_MONADIC} | {(s, "dyadic") for s in TIER_ONE_DYADIC}
    assert set(tables()) == wanted


def test_every_function_has_a_name() -> None:
    named = {
        (symbol, valence)
        for symbol, names in NAMES.items()
        for valence, name in zip(("monadic", "dyadic"), names, strict=True)
        if name
    }
    assert named == set(tables())


def test_what_is_later_is_not_there_yet() -> None:
    later = {(symbol, ("monadic", "dyadic")[arguments - 1]) for symbol, arguments in TIER_TWO}
    assert not later & set(tables())
    symbols = {symbol for symbol, _ in set(tables()) | later}
    assert FUNCTIONS <= symbols <= FUNCTIONS | set("/⌿\\⍀")


def test_the_operators_are_those_of_the_language() -> None:
    shown = {char for use, _ in OPERATORS for char in use} & (MONADIC_OPERATORS | DYADIC_OPERATORS)
    assert shown == set(TIER_ONE_OPERATORS)
    later = {symbol for symbol, _, _ in LATER} & (MONADIC_OPERATORS | DYADIC_OPERATORS)
    assert later == set(TIER_TWO_OPERATORS)
    assert shown | later | set(UNKNOWN_OPERATORS) == MONADIC_OPERATORS | DYADIC_OPERATORS


@pytest.mark.parametrize("program", [program for _, _, program in LATER])
def test_what_is_later_is_refused(program: str) -> None:
    refusal(program)


def test_what_is_there_is_not_refused() -> None:
    with pytest.raises(AssertionError, match="belongs in another table"):
        refusal("1+1")


# --- what the samples show ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("use", "names"),
    [
        (("+", "dyadic"), {"addi", "addd", "addz"}),
        (("×", "monadic"), {"signi", "signd", "absz", "divz", "eqz"}),
        (("⍟", "dyadic"), {"lnd", "divd", "absz", "phasez", "divz"}),
        (("○", "monadic"), {"muld", "realz", "imagz"}),
        (("⊢", "monadic"), set()),
        (("⍉", "dyadic"), {"transp2", "diagonal"}),
        (("f∘g", "dyadic"), set()),
        (("f.g", "dyadic"), {"inner", "inner1", "reduce", "stack", "transp"}),
        (("f⍣≡", "monadic"), {"if", "loop"}),
    ],
)
def test_what_a_symbol_elaborates_to(use: tuple[str, str], names: set[str]) -> None:
    # Exactly these: neither conversions of the arguments, nor what the operands of an operator are.
    assert found().uses[use] == names


def test_samples_without_errors_come_first() -> None:
    assert not [name for name in found().samples.values() if name.startswith("errors/")]


def test_operands_are_shown_by_letters() -> None:
    span = Span(Source("x", "x"), 0, 1)
    array, function = tree.Strand((), span), tree.Primitive("+", span)
    assert operator_use("/", function, None) == "f/"
    assert operator_use("∘", array, function) == "A∘f"
    assert operator_use("∘", function, array) == "f∘A"
    assert operator_use("∘", function, function) == "f∘g"
    assert operator_use(".", tree.Jot(span), function) == "∘.f"
    assert operator_use("⍣", function, tree.Primitive("≡", span)) == "f⍣≡"


def test_the_page_names_every_primitive_once() -> None:
    lines = page().partition("## Primitives of TAIL")[2].splitlines()
    rows = [line.split("`")[1] for line in lines if line.startswith("| `")]
    assert rows == list(PRIMS)
