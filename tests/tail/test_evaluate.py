"""Corners of the reference interpreter: tables of TAIL texts with their values or their errors."""

from typing import Any

import pytest

from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.evaluate import evaluate
from aplc.tail.source import Source, Span
from aplc.tail.syntax import literal, op, prim_fn, vec
from tests.support.plain_tail.scalar import DOUBLE
from tests.support.tables.tail_corners import CORNERS_AS_TEXTS, value_of


@pytest.mark.parametrize(("text", "value"), CORNERS_AS_TEXTS)
def test_corner(text: str, value: Any) -> None:
    found = value_of(text)
    assert repr(found).replace("-0.0", "0.0") == repr(value)


@pytest.mark.parametrize(
    ("text", "zero"),
    [
        ("negd(0.0)", "-0.0"),
        ("muld(-1.0,0.0)", "-0.0"),
        ("addd(-0.0,-0.0)", "-0.0"),
        ("subd(0.0,0.0)", "0.0"),
        ("divd(0.0,-0.0)", "1.0"),
    ],
)
def test_sign_of_zero(text: str, zero: str) -> None:
    assert repr(value_of(text)) == zero


@pytest.mark.parametrize(
    ("text", "column", "kind", "message"),
    [
        ("divd(1.0,0.0)", 1, "DOMAIN ERROR", "divd divides by zero"),
        ("divd(nan,0.0)", 1, "DOMAIN ERROR", "divd divides by zero"),
        ("zipWith(divd,[1.0,1.0],[1.0,0.0])", 9, "DOMAIN ERROR", "divd divides by zero"),
        ("each(fn x:double => divd(1.0,x),[1.0,0.0])", 21, "DOMAIN ERROR", "divd divides by zero"),
        ("reduce(divd,1.0,[1.0,2.0,0.0])", 8, "DOMAIN ERROR", "divd divides by zero"),
        ("lnd(0.0)", 1, "DOMAIN ERROR", "lnd needs a number above zero, or a complex one"),
        ("lnd(-1.0)", 1, "DOMAIN ERROR", "lnd needs a number above zero, or a complex one"),
        ("powd(0.0,-1.0)", 1, "DOMAIN ERROR", "powd has no real result: of complex numbers"),
        ("powd(-8.0,0.5)", 1, "DOMAIN ERROR", "powd has no real result: of complex numbers"),
        ("floord(9223372036854775808.0)", 1, "DOMAIN ERROR", "the result of floord does not fit an integer"),
        ("ceild(-1e19)", 1, "DOMAIN ERROR", "the result of ceild does not fit an integer"),
        ("floord(inf)", 1, "DOMAIN ERROR", "the result of floord does not fit an integer"),
        ("ceild(nan)", 1, "DOMAIN ERROR", "the result of ceild does not fit an integer"),
        ("transp2([1,1],reshape([2,2],1))", 1, "DOMAIN ERROR", "transp2 needs every axis once"),
        ("transp2([0,1],reshape([2,2],1))", 1, "DOMAIN ERROR", "transp2 needs every axis once"),
        ("transp2(reverseV([3,2]),reshape([2,2],1))", 1, "DOMAIN ERROR", "transp2 needs every axis once"),
        ("d2i(0.5)", 1, "DOMAIN ERROR", "d2i needs whole numbers"),
        ("d2i(nan)", 1, "DOMAIN ERROR", "d2i needs whole numbers"),
        ("d2i(9223372036854775808.0)", 1, "DOMAIN ERROR", "d2i needs whole numbers"),
        ("i2b(2)", 1, "DOMAIN ERROR", "i2b needs zeros and ones"),
        ("each(i2b,[0,1,-1])", 6, "DOMAIN ERROR", "i2b needs zeros and ones"),
        ("iota(-3)", 1, "DOMAIN ERROR", "iota needs a count that is not negative, got ¯3"),
        (
            "ravel(reshape([2,-3],1))",
            7,
            "DOMAIN ERROR",
            "reshape needs extents that are not negative, got ¯3",
        ),
        ("reduce1(addi,[])", 1, "DOMAIN ERROR", "reduce1 has no identity item for an empty array"),
        ("reduce1(addi,reshape([2,0],1))", 1, "DOMAIN ERROR", "reduce1 has no identity item"),
        ("inner1(addi,muli,[],[])", 1, "DOMAIN ERROR", "inner1 has no identity item"),
        ("inner(addi,0,muli,[1,2],[1,2,3])", 1, "LENGTH ERROR", "inner needs equal lengths, got 2 and 3"),
        ("zipWith(addi,[1,2],[1,2,3])", 1, "LENGTH ERROR", "zipWith needs equal lengths, got 2 and 3"),
        ("zipWith(addi,[1,2],[])", 1, "LENGTH ERROR", "zipWith needs equal lengths, got 2 and 0"),
        ("zipWith(addi,reshape([2,3],1),reshape([2,1],1))", 1, "LENGTH ERROR", "got 3 and 1"),
        ("cat(reshape([2,1],1),reshape([1,2],1))", 1, "LENGTH ERROR", "cat needs equal lengths, got 2 and 1"),
        ("cons([1,2],reshape([3,1],1))", 1, "LENGTH ERROR", "cons needs equal lengths, got 2 and 3"),
        ("snoc(reshape([3,1],1),[1])", 1, "LENGTH ERROR", "snoc needs equal lengths, got 3 and 1"),
        ("pick(0,[1,2])", 1, "INDEX ERROR", "pick has no element 0, the length is 2"),
        ("pick(-1,[1,2])", 1, "INDEX ERROR", "pick has no element ¯1, the length is 2"),
        ("pick(3,[1,2])", 1, "INDEX ERROR", "pick has no element 3, the length is 2"),
        (
            "each(fn x:int => pick(x,[1,2]),[1,3])",
            18,
            "INDEX ERROR",
            "pick has no element 3, the length is 2",
        ),
        ("reshape([4611686018427387904],1)", 1, "WS FULL", "no memory"),
        ("let x = divd(1.0,0.0) in 5", 9, "DOMAIN ERROR", "divd divides by zero"),
        ("cat(iota(-1),iota(-2))", 5, "DOMAIN ERROR", "got ¯1"),
        ("if tt then divd(1.0,0.0) else 1.0", 12, "DOMAIN ERROR", "divd divides by zero"),
        ("(divd(1.0,0.0),2).2", 2, "DOMAIN ERROR", "divd divides by zero"),
        (
            "loop f(i:int = 3):int => f(pick(subi(i,1),[9,8]))",
            28,
            "INDEX ERROR",
            "pick has no element 7, the length is 2",
        ),
        ("rec f(n:int = 2):int => addi(1,f(natural(subi(n,1))))", 34, "DOMAIN ERROR", "got ¯1"),
        ("single([1,2])", 1, "RANK ERROR", "single"),
        ("ofLength(2,[1,2,3])", 1, "LENGTH ERROR", "ofLength needs 2 values, got 3"),
        ("noResult(1)", 1, "VALUE ERROR", "noResult has no value here"),
        ("update(copy([1,2]),(3,),0)", 1, "INDEX ERROR", "update has no element 3, the length is 2"),
        (
            "update(copy([1,2,3]),([1,2],),[1,2,3])",
            1,
            "LENGTH ERROR",
            "selects 2 elements, there are 3 values",
        ),
        ("modify(divd,copy([1.0]),(1,),0.0)", 8, "DOMAIN ERROR", "divd divides by zero"),
        (
            "index((1,3),reshape([2,2],0))",
            1,
            "INDEX ERROR",
            "index has no element 3 on axis 2, the extent is 2",
        ),
    ],
)
def test_fault(text: str, column: int, kind: str, message: str) -> None:
    with pytest.raises(RunError) as caught:
        value_of(text)
    (cause,) = caught.value.diagnostics
    assert cause.kind == kind
    assert message in cause.message
    assert cause.span is not None
    assert (cause.span.line, cause.span.column) == (1, column)


def test_a_fault_names_the_apl_symbol_and_its_place() -> None:
    source = Source("f.apl", "x ← 1\ny ← x ÷ 0")
    span = Span(source, 12, 13)
    zero, nought = literal(1.0), literal(0.0)
    applied = op(p.DIVD, zero, nought, symbol="÷", span=span)
    passed = op(p.ZIP_WITH, prim_fn(p.DIVD, "÷", span), vec((zero,), DOUBLE), vec((nought,), DOUBLE))
    for term in (applied, passed):
        with pytest.raises(RunError, match=r"f\.apl:2:7: DOMAIN ERROR: ÷ divides by zero"):
            evaluate(term, (), lambda value, ty, digits: None)
