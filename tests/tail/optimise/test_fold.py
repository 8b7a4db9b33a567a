"""Constant folding in TAIL: goldens for each of its rules, and where they do not apply."""

import pytest

from aplc.tail.optimise.fold import (
    fold_coerced_vector,
    fold_component,
    fold_conditional,
    fold_constants,
    fold_scalar,
)
from tests.support.rewriting import assert_becomes, assert_unchanged, everywhere

# Folding of scalars: prim(c, …) = c'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("addi(1,2)", "3"),
        ("addi(9223372036854775807,1)", "addi(9223372036854775807,1)"),
        ("muli(addi(1,2),negi(4))", "-12"),
        ("resi(-5,3)", "-2"),
        ("lti(1,2)", "tt"),
        ("notb(gti(1,2))", "tt"),
        ("nandb(tt,ff)", "tt"),
        ("b2i(tt)", "1"),
        ("i2b(1)", "tt"),
        ("i2d(3)", "3.0"),
        ("d2i(3.0)", "3"),
        ("floord(2.5)", "2"),
        ("addd(0.1,0.2)", "0.30000000000000004"),
        ("negd(0.0)", "-0.0"),
        ("divd(0.0,0.0)", "1.0"),
        ("divd(1.0,4.0)", "0.25"),
        ("[addi(1,2),4]", "[3,4]"),
        ("iota(addi(1,2))", "iota(3)"),
        ("each(fn x:int => addi(x,addi(1,2)),[1])", "each(fn x:[int]0 => addi(x,3),[1])"),
        ("let x:int = addi(1,2) in x", "let x:S(int,3) = 3 in x"),
        ("let x:<int>1 = [addi(1,2)] in firstV(x)", "let x:SV(int,3) = [3] in firstV(x)"),
        ("(addi(1,2),notb(tt))", "(3,ff)"),
    ],
)
def test_fold_scalar(before: str, after: str) -> None:
    assert_becomes(everywhere(fold_scalar), before, after)


@pytest.mark.parametrize(
    "text",
    [
        "divd(1.0,0.0)",  # the error comes when the program runs
        "floord(1e19)",
        "d2i(0.5)",
        "i2b(2)",
        "lnd(0.0)",
        "powd(-8.0,0.5)",
        "eqc('a','a')",
        "let x = 1 in addi(x,2)",  # a variable is no literal
        "fn x:int => addi(x,1)",
        "reduce(addi,0,[1,2])",
        "first([1])",
        "print(1)",
        "negi(print(1))",
        "each(negi,[1,2])",
    ],
)
def test_fold_scalar_does_not_apply(text: str) -> None:
    assert_unchanged(everywhere(fold_scalar), text)


@pytest.mark.parametrize("text", ["muld(1e308,10.0)", "subd(inf,inf)"])
def test_fold_scalar_keeps_what_is_not_finite(text: str) -> None:
    assert_unchanged(everywhere(fold_scalar), text)


# Folding of coerced vectors: each(i2d, [c, …]) = [i2d(c), …], and for b2i


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("each(i2d,[1,-2])", "[1.0,-2.0]"),
        ("each(b2i,[tt,ff])", "[1,0]"),
        ("each(i2d,each(b2i,[tt,ff]))", "[1.0,0.0]"),
        ("each(i2d,[])", "([]:<double>0)"),
        ("each(b2i,([]:<bool>0))", "[]"),
        ("each(i2d,[9007199254740993])", "[9007199254740992.0]"),
        ("let x = each(b2i,[tt]) in x", "let x:SV(int,1) = [1] in x"),
        ("reduce(addd,0.0,each(i2d,[1,2]))", "reduce(addd,0.0,[1.0,2.0])"),
    ],
)
def test_fold_coerced_vector(before: str, after: str) -> None:
    assert_becomes(everywhere(fold_coerced_vector), before, after)


@pytest.mark.parametrize(
    "text",
    [
        "each(negi,[1,2])",
        "each(d2i,[1.0,0.5])",
        "each(i2b,[1,2])",
        "each(fn x:int => i2d(x),[1,2])",
        "let x = 1 in each(i2d,[x,2])",
        "each(i2d,iotaV(2))",
        "each(i2d,1)",
        "zipWith(addi,[1],[2])",
    ],
)
def test_fold_coerced_vector_does_not_apply(text: str) -> None:
    assert_unchanged(everywhere(fold_coerced_vector), text)


# Conditions that are known: if tt then a else b = a


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if tt then 1 else 2", "1"),
        ("if ff then 1 else 2", "2"),
        ("if ff then divd(1.0,0.0) else 2.0", "2.0"),
        ("if ff then print(1) else print(2)", "print(2)"),
        ("if tt then [1] else [1,2]", "[1]"),
        ("if tt then (if ff then 1 else 2) else 3", "2"),
        ("if (if ff then tt else ff) then 1 else 2", "2"),
        (
            "fn k:int => if eqi(k,0) then (if tt then 1 else 2) else 3",
            "fn k:[int]0 => if eqi(k,0) then 1 else 3",
        ),
        ("addi(if tt then let x = 1 in addi(x,x) else 2,3)", "addi(let x:S(int,1) = 1 in addi(x,x),3)"),
        (
            "let x = if tt then let y = 2 in negi(y) else 1 in x",
            "let y:S(int,2) = 2 in let x:S(int,-2) = negi(y) in x",
        ),
        (
            "loop f(i:int = 0):int => if tt then (if lti(i,5) then f(addi(i,1)) else i) else f(i)",
            "loop f(i:[int]0 = 0):[int]0 => if lti(i,5) then f(addi(i,1)) else i",
        ),
        (
            "rec f(i:int = 0):int => if tt then (if lti(i,5) then f(addi(i,1)) else i) else negi(f(i))",
            "loop f(i:[int]0 = 0):[int]0 => if lti(i,5) then f(addi(i,1)) else i",
        ),
    ],
)
def test_fold_conditional(before: str, after: str) -> None:
    assert_becomes(everywhere(fold_conditional), before, after)


@pytest.mark.parametrize(
    "text",
    [
        "if lti(1,2) then 1 else 2",  # for the rule of scalars
        "let x = tt in if x then 1 else 2",
        "fn x:bool => if x then 1 else 1",
        "if print(tt) then 1 else 2",
    ],
)
def test_fold_conditional_does_not_apply(text: str) -> None:
    assert_unchanged(everywhere(fold_conditional), text)


# Components of tuples: (a, …, b, …).k = b


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(1,2.5).2", "2.5"),
        ("(1,).1", "1"),
        ("((1,2),3).1.2", "2"),
        ("(1,print(2)).2", "print(2)"),
        ("(1,divd(1.0,0.0)).2", "divd(1.0,0.0)"),
        ("(reverse([1,2]),let x = 1 in negi(x)).2", "let x:S(int,1) = 1 in negi(x)"),
    ],
)
def test_fold_component(before: str, after: str) -> None:
    assert_becomes(everywhere(fold_component), before, after)


@pytest.mark.parametrize(
    "text",
    [
        "(print(1),2).2",
        "(divd(1.0,0.0),2).2",
        "(1,(2,divd(1.0,0.0))).1",
        "(roll(6),2).2",
        "(loop f(i:int = 0):int => f(i),2).2",
        "let t = (1,2) in t.2",
        "print((1,2)).2",
        "(if tt then (1,2) else (3,4)).2",
    ],
)
def test_fold_component_does_not_apply(text: str) -> None:
    assert_unchanged(everywhere(fold_component), text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("each(i2d,each(b2i,[lti(1,2),eqi(1,2)]))", "[1.0,0.0]"),
        ("if lti(2,1) then 1.0 else i2d((1,2).2)", "2.0"),
    ],
)
def test_fold_constants_is_all_of_them(before: str, after: str) -> None:
    assert_becomes(fold_constants, before, after)
