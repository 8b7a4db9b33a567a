"""The reference interpreter runs programs: what is printed when, inputs, and the types of values."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from aplc.tail.display import DIGITS
from aplc.tail.errors import RunError
from aplc.tail.evaluate import evaluate
from aplc.tail.source import Source
from aplc.tail.syntax import Exp
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import Func, Single, SingleVector, Tuple, Type, known_length, rank_of
from tests.support.plain_tail.definitions import from_numpy
from tests.support.tables.tail_corners import shown, value_of
from tests.support.tail_terms.terms import Program, programs, terms


def outcome(text: str, *inputs: Any) -> tuple[Any, list[Any]]:
    """The value, or the kind of the error, and what was printed before."""
    prints: list[Any] = []
    term = parse_term(Source("test.tail", text))
    try:
        evaluate(term, inputs, lambda value, ty, digits: prints.append(shown(value, ty)))
    except RunError as error:
        return error.diagnostics[0].kind, prints
    return None, prints


@pytest.mark.parametrize(
    ("text", "prints"),
    [
        ("print(5)", [5]),
        ('print("ab")', ["ab"]),
        ("addi(print(1),print(2))", [1, 2]),
        ("[print(1),print(2)]", [1, 2]),
        ("(print(1),print(2))", [1, 2]),
        ("let x = print(1) in let y = print(2) in print(addi(y,x))", [1, 2, 3]),
        ("let x = print(1) in addi(x,x)", [1]),
        ("each(fn x:int => print(x),[1,2])", [1, 2]),
        ("each(fn x:int => print(x),[])", []),
        ("zipWith(fn x:int, y:int => print(subi(x,y)),[5,6],[1,1])", [4, 5]),
        ("reduce(fn x:int, y:int => print(addi(x,y)),0,[1,2,3])", [5, 6]),
        ("print(print(reshape([2,2],iota(4))))", [[[1, 2], [3, 4]]] * 2),
        ('print((1,("a",[])))', [(1, ("a", []))]),
        ("(print(1),print(2)).1", [1, 2]),
        ("if print(tt) then print(1) else print(2)", [True, 1]),
        ("loop f(i:int = 0):int => if lti(print(i),2) then f(addi(i,1)) else print(9)", [0, 1, 2, 9]),
        (
            "rec f(n:int = 2):int => if eqi(n,0) then print(0) else let r:int = f(subi(n,1)) in print(n)",
            [0, 1, 2],
        ),
        ("loop f(i:int = print(7), j:int = print(8)):int => print(addi(i,j))", [7, 8, 15]),
        ("let x = print([1,2]) in let y = update(copy(x),(1,),9) in print(x)", [[1, 2], [1, 2]]),
    ],
)
def test_prints_in_order(text: str, prints: list[Any]) -> None:
    assert outcome(text) == (None, prints)


def test_prints_before_a_fault_are_seen() -> None:
    assert outcome("let x = print(1) in let y = pick(0,[x]) in print(y)") == ("INDEX ERROR", [1])
    assert outcome("each(fn x:int => pick(print(x),[1]),[1,2,3])") == ("INDEX ERROR", [1, 2])


def test_print_is_told_the_type() -> None:
    seen: list[Type] = []
    term = parse_term(Source("test.tail", "(print(5),print([tt]))"))
    evaluate(term, (), lambda value, ty, digits: seen.append(ty))
    assert list(map(str, seen)) == ["S(int,5)", "SV(bool,1)"]


def test_print_is_told_how_many_digits() -> None:
    seen: list[int] = []
    term = parse_term(Source("test.tail", "(print(0.1),printWith(17,0.1),printWith(addi(1,2),(0.1,1)))"))
    evaluate(term, (), lambda value, ty, digits: seen.append(digits))
    assert seen == [DIGITS, 17, 3]


@pytest.mark.parametrize(
    "text",
    [
        "(roll(100),roll(100),uniform([2]),deal(3,9))",
        "let s = setSeed(7) in (roll(100),uniform([2]),deal(3,9))",
    ],
)
def test_every_run_draws_the_same_numbers(text: str) -> None:
    assert value_of(text) == value_of(text)


def test_a_seed_starts_the_numbers_again() -> None:
    first, second, _ = value_of(
        "let a = setSeed(3) in let x = roll(9) in let b = setSeed(3) in (x,roll(9),b)"
    )
    assert first == second


def test_inputs() -> None:
    assert value_of("fn x:[int]1, y:double => reduce(addd,y,each(i2d,x))", [1, 2, 3], 9.0) == 6.0
    assert value_of("fn x:[int]2 => shape(x)", np.zeros((0, 3))) == [0, 3]
    assert value_of("fn x:[char]1 => take(-3,x)", [ord("a")]) == "  a"
    with pytest.raises(ValueError, match="shorter"):
        value_of("fn x:int, y:int => x", 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("()", ()),
        ("let x = 2 in (x,(),(x,1.5))", (2, (), (2, 1.5))),
        ("let x = (1,2) in x", (1, 2)),
        ("let x = (1,2) in (x,x)", ((1, 2), (1, 2))),
    ],
)
def test_the_value_of_a_product_is_a_tuple(text: str, value: tuple[Any, ...]) -> None:
    assert evaluate(parse_term(Source("test.tail", text)), (), lambda value, ty, digits: None) == value


def assert_of_type(value: Any, ty: Type, digits: int = DIGITS) -> None:
    """A value has the element type, rank, length and value that its type tells."""
    if isinstance(ty, Tuple):
        assert len(value) == len(ty.items)
        for part, part_type in zip(value, ty.items, strict=True):
            assert_of_type(part, part_type)
        return
    found = from_numpy(value, ty)
    assert not isinstance(ty, Func)
    assert len(found.shape) == rank_of(ty).const
    length = known_length(ty)
    assert length is None or found.shape == (length.const,)
    if isinstance(ty, Single | SingleVector):
        assert [int(x) for x in found.items] == [ty.value.const]


@pytest.mark.in_turn(3)
@settings(max_examples=200, deadline=None)
@given(terms())
def test_a_value_is_of_the_type_of_its_term(term: Exp) -> None:
    try:
        value = evaluate(term, (), assert_of_type)
    except RunError:
        return
    assert_of_type(value, term.ty)


@settings(max_examples=100, deadline=None)
@given(programs())
def test_a_value_is_of_the_result_type_of_its_program(program: Program) -> None:
    kept = [a.copy() for a in program.inputs]
    try:
        value = evaluate(program.term, program.inputs, assert_of_type)
    except RunError:
        return
    assert isinstance(program.term.ty, Func)
    assert_of_type(value, program.term.ty.result)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(kept, program.inputs, strict=True))


@settings(max_examples=100, deadline=None)
@given(terms())
def test_a_fault_has_a_position_where_the_text_has(term: Exp) -> None:
    read = parse_term(Source("test.tail", print_term(term)))
    try:
        evaluate(read, (), lambda value, ty, digits: None)
    except RunError as error:
        assert all(cause.span is not None for cause in error.diagnostics)


@pytest.mark.parametrize(
    "text",
    [
        "iota(9223372036854775807)",
        "iota(4611686018427387904)",
        "iotaV(4611686018427387904)",
        "take(9223372036854775807,[1])",
        "take(-9223372036854775808,[1])",
        "takes([9223372036854775807],[1])",
        "takeV(4611686018427387904,[1])",
        "take(4611686018427387904,reshape([0,2],1))",
        "reshape([1099511627776,1099511627776],1)",
        "reshape([4611686018427387904],[])",
        "reshapeV(4611686018427387904,1)",
    ],
)
def test_an_array_beyond_memory_is_ws_full(text: str) -> None:
    assert outcome(text) == ("WS FULL", [])
