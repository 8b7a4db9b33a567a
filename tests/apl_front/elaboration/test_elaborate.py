"""From APL to typed TAIL: what each construct becomes, and that every term is well typed.

The goldens are programs whose free names are inputs (see `INPUTS`), and the bodies of their terms, on one
line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pytest

import aplc
from aplc.apl_front.elaboration.elaborate import Elaborated, elaborate_function, elaborate_program
from aplc.apl_front.syntax.parser import parse
from aplc.tail.check import check
from aplc.tail.evaluate import evaluate
from aplc.tail.source import Source
from aplc.tail.syntax import Fn, Op, body_of, walk
from aplc.tail.text_print import print_term
from aplc.tail.types import UNIT, Array, Base, Rho, Type
from tests.support.tables.elaborate_arrays import OF_ARRAYS
from tests.support.tables.elaborate_functions import OF_FUNCTIONS


def array(base: Base, rank: int) -> Type:
    return Array(base, Rho(rank))


INPUTS = {
    "n": array(Base.INT, 0), "x": array(Base.DOUBLE, 0),
    "v": array(Base.INT, 1), "w": array(Base.INT, 1), "d": array(Base.DOUBLE, 1),
    "b": array(Base.BOOL, 1), "t": array(Base.CHAR, 1),
    "k": array(Base.INT, 2), "m": array(Base.DOUBLE, 2),
}  # fmt: skip


def inputs_of(text: str) -> dict[str, Type]:
    """The inputs that a program names."""
    return {name: ty for name, ty in INPUTS.items() if re.search(rf"(?<!\w){name}(?!\w)", text)}


def program(text: str, *, value_of_assignment: bool = False) -> Elaborated:
    files = [parse(Source("test.apl", text))]
    elaborated = elaborate_program(files, inputs_of(text), value_of_assignment=value_of_assignment)
    check(elaborated.term)
    return elaborated


def function(text: str, name: str | None = None, **args: Type) -> Elaborated:
    """A function for arguments `left` and `right`."""
    types = {glyph: args[side] for glyph, side in (("⍺", "left"), ("⍵", "right")) if side in args}
    elaborated = elaborate_function([parse(Source("test.apl", text))], name, types)
    check(elaborated.term)
    return elaborated


def shown(elaborated: Elaborated) -> str:
    """The body of a term on one line, its variables and functions numbered in the order of the text."""
    text = " ".join(print_term(body_of(elaborated.term)).split())
    numbered: dict[str, str] = {}

    def canonical(name: re.Match[str]) -> str:
        kind = name[0][0]
        return numbered.setdefault(name[0], f"{kind}{sum(n[0] == kind for n in numbered)}")

    return re.sub(r"\b[vf]\d+\b", canonical, re.sub(r"(?<=[(,]) ", "", text))


# ---- goldens --------------------------------------------------------------------------------------------

GOLDENS = [*OF_ARRAYS, *OF_FUNCTIONS]


@pytest.mark.parametrize(("text", "expected"), GOLDENS, ids=[text for text, _ in GOLDENS])
def test_goldens(text: str, expected: str) -> None:
    assert shown(program(text)) == expected


# ---- the program around the expressions -----------------------------------------------------------------


def test_inputs_become_parameters_in_their_order() -> None:
    term = program("n+v").term
    assert isinstance(term, Fn)
    assert [(p.name, str(p.ty)) for p in term.params] == [("n", "[int]0"), ("v", "[int]1")]


@pytest.mark.parametrize(
    ("text", "has_value", "expected"),
    [
        ("", False, "()"),
        ("a←5", False, "()"),
        ("5", True, "5"),
        ("(a←5)", True, "5"),
        ("⎕←5", False, "let v0:S(int,5) = print(5) in ()"),
        ("1\n2", True, "let v0:S(int,1) = print(1) in 2"),
        ("f←{⍵}", False, "()"),
    ],
)
def test_the_value_of_a_program(text: str, has_value: bool, expected: str) -> None:
    elaborated = program(text)
    assert elaborated.has_value == has_value
    assert shown(elaborated) == expected
    assert has_value or body_of(elaborated.term).ty == UNIT


def test_the_value_of_an_assignment_on_request() -> None:
    assert shown(program("a←⍳5", value_of_assignment=True)) == "let v0:<int>5 = iotaV(5) in v0"
    assert not program("f←{⍵}", value_of_assignment=True).has_value


def test_the_same_names_in_several_files_are_one_program() -> None:
    files = [parse(Source(name, text)) for name, text in (("a.apl", "f←{⍵+1}"), ("b.apl", "f 5"))]
    assert shown(elaborate_program(files, {})) == "addi(5,1)"


def test_names_of_variables_keep_clear_of_the_inputs() -> None:
    term = elaborate_program([parse(Source("t", "(v0+1)×⍨v1"))], {"v0": INPUTS["n"], "v1": INPUTS["n"]}).term
    check(term)
    assert evaluate(term, [np.array(3), np.array(5)], lambda *_: None) == 20


def test_spans_and_symbols_stay_with_the_operators() -> None:
    ops = [e for e in walk(program("a←1 2\n3 + a × 5").term) if isinstance(e, Op) and e.prim.is_scalar]
    assert [(e.symbol, e.span.text if e.span else None) for e in ops] == [("+", "3 + a × 5"), ("×", "a × 5")]


# ---- facts ----------------------------------------------------------------------------------------------


def facts(text: str) -> list[tuple[str, str, int]]:
    return [(f.name, f.type, f.span.line) for f in program(text).facts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a←5", [("a", "S(int,5)", 1)]),
        ("a←1 2.5", [("a", "<double>2", 1)]),
        ("a←'x' ⋄ b←''", [("a", "[char]0", 1), ("b", "<char>0", 1)]),
        ("a←⍴1 2 3", [("a", "SV(int,3)", 1)]),
        ("a←2 3⍴0.5\na←a>0", [("a", "[double]2", 1), ("a", "[bool]2", 2)]),
        ("f←{⍺+⍵}\n1 f 2.5", [("f", "S(int,1) → [double]0 → [double]0", 2)]),
        ("f←{⍵×2}\nf v\nf m", [("f", "[int]1 → [int]1", 2), ("f", "[double]2 → [double]2", 3)]),
        ("f←{a←⍵ ⋄ a+1}\nf v", [("f", "[int]1 → [int]1", 2)]),
        ("avg←+/÷≢\nh←avg∘⌽\nh v", [("avg", "[int]1 → [double]0", 3), ("h", "[int]1 → [double]0", 3)]),
        ("f←{g←{⍵} ⋄ g ⍵}\nf v", [("f", "[int]1 → [int]1", 2)]),
    ],
)
def test_facts(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert facts(text) == expected


def test_the_functions_of_a_program() -> None:
    assert program("f←{⍵}\na←5\ng←h←+/\nf←3").functions == ("h", "g")


# ---- a function as a program ----------------------------------------------------------------------------

INT, DOUBLES, MATRIX = INPUTS["n"], INPUTS["d"], INPUTS["m"]


@pytest.mark.parametrize(
    ("text", "name", "args", "expected"),
    [
        ("{⍵+1}", None, {"right": INT}, "addi(⍵,1)"),
        ("{⍺-⍵}", None, {"left": INT, "right": INT}, "subi(⍺,⍵)"),
        ("f←{⍵+1} ⋄ g←{⍵×2}", "f", {"right": INT}, "addi(⍵,1)"),
        ("f←{⍵+1} ⋄ g←{⍵×2}", None, {"right": INT}, "muli(⍵,2)"),
        ("f←{⍺←3 ⋄ ⍺×⍵}", "f", {"right": INT}, "muli(3,⍵)"),
        ("f←{⍺←3 ⋄ ⍺×⍵}", "f", {"left": INT, "right": INT}, "muli(⍺,⍵)"),
        ("+⌿÷≢", None, {"right": DOUBLES}, "divd(reduce(addd,0.0,⍵),i2d(firstV(shape(⍵))))"),
        ("+/", None, {"right": MATRIX}, "reduce(addd,0.0,⍵)"),
        ("+.×", None, {"left": DOUBLES, "right": DOUBLES}, "inner(addd,0.0,muld,⍺,⍵)"),
        ("-⍨", None, {"left": INT, "right": INT}, "subi(⍵,⍺)"),
        ("2∘×", None, {"right": INT}, "muli(2,⍵)"),
        ("s←+ ⋄ s", None, {"left": INT, "right": INT}, "addi(⍺,⍵)"),
        ("c←2×⍳3 ⋄ f←{c+⍵}", "f", {"right": INT},
         "let v0:<int>3 = each(fn v1:[int]0 => muli(2,v1),iotaV(3)) in each(fn v2:[int]0 => addi(v2,⍵),v0)"),
        ("f←{⎕←⍵ ⋄ ⍵+1}", "f", {"right": INT}, "let v0:[int]0 = print(⍵) in addi(⍵,1)"),
        ("a←⍳9 ⋄ b←⍳8 ⋄ 5 ⋄ ⎕←6 ⋄ f←{≢b}", "f", {"right": INT},
         "let v0:<int>8 = iotaV(8) in firstV(shapeV(v0))"),
    ],
)  # fmt: skip
def test_functions(text: str, name: str | None, args: Mapping[str, Type], expected: str) -> None:
    elaborated = function(text, name, **args)
    assert shown(elaborated) == expected
    assert elaborated.has_value
    assert isinstance(elaborated.term, Fn)
    assert [p.name for p in elaborated.term.params] == [
        g for g, s in (("⍺", "left"), ("⍵", "right")) if s in args
    ]


# ---- limits ---------------------------------------------------------------------------------------------


def test_a_function_that_refers_to_its_older_self_is_no_recursion() -> None:
    assert shown(program("f←- ⋄ f←f ⋄ f←f∘f ⋄ f n")) == "negi(negi(n))"


@pytest.mark.parametrize("text", ["⍬≡", "2≢", "(⊂⊂v)≡"])
def test_what_cannot_match_is_computed_once(text: str) -> None:
    """Arrays of arrays that are chosen between while running have parts: they stand for the choice."""
    program(f"{text}≤⍀1 2↑¨⊂v")


def test_a_name_assigned_further_right_is_there_when_it_is_needed() -> None:
    assert shown(program("(y+1)×y←z⊣z←5")) == "muli(addi(5,1),5)"


@pytest.mark.parametrize("symbol", [",", "⍪"])
def test_matrices_that_fit_are_joined_without_steps(symbol: str) -> None:
    text = aplc.fn(f"{{⊃{symbol}/⍵}}").emit("tail-opt", "[[double]2]1")
    fitting, others = text.split("else", 1)
    assert "loop" not in fitting
    assert "loop" in others
