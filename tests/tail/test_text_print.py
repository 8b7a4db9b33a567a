"""The text form of TAIL: how it is laid out, and that what is printed reads back as it was."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings

from aplc.tail import prims as p
from aplc.tail.check import check
from aplc.tail.evaluate import evaluate
from aplc.tail.source import Source
from aplc.tail.syntax import (
    Binding,
    Exp,
    Lit,
    Param,
    Term,
    Var,
    body_of,
    call,
    conditional,
    fn,
    item,
    let,
    literal,
    map_children,
    op,
    prim_fn,
    product,
    rec,
    vec,
    walk,
    with_body,
)
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import KEYWORDS, WIDTH, print_name, print_term
from aplc.tail.types import Base, Tuple, array, scalar, vector
from tests.support.rewriting import parse
from tests.support.tail_terms.terms import Program, programs, terms

SETTINGS = settings(max_examples=150, deadline=None)

FIGURE_3_1 = """
let v0:<int>15 = [9,8,6,8,7,4,4,3,2,2,1,2,4,5,6] in
let v3:<int>16 = consV(0,v0) in
reduce(addd,0.00,
  each(fn v11:[double]0 => maxd(i2d(~50),v11),
    each(fn v10:[double]0 => mind(i2d(50),v10),
      each(fn v9:[double]0 => muld(i2d(50),v9),
        zipWith(divd,
          each(i2d,
            drop(1,zipWith(subi,v3,rotateV(~1,v3)))),
          each(fn v2:[double]0 => addd(0.01,v2),
            each(i2d,v0)))))))
"""


def comparable(term: Term) -> Term:
    """The term with doubles as text, which tells zeros apart by sign and finds NaN equal to itself."""

    def change(exp: Exp) -> Exp:
        if isinstance(exp, Lit) and isinstance(exp.value, float):
            return replace(exp, value=repr(abs(exp.value) if math.isnan(exp.value) else exp.value))
        return map_children(exp, change)

    return with_body(term, change(body_of(term)))


def assert_round_trip(term: Term) -> None:
    text = print_term(term)
    again = parse(text)
    assert comparable(again) == comparable(term), text
    assert print_term(again) == text


# What is printed reads back


@SETTINGS
@given(terms())
def test_printed_term_reads_back(term: Exp) -> None:
    assert_round_trip(term)


@settings(max_examples=100, deadline=None)
@given(programs())
def test_printed_program_reads_back(program: Program) -> None:
    assert_round_trip(program.term)


@pytest.mark.in_turn(3)
@settings(max_examples=100, deadline=None)
@given(terms())
def test_every_node_of_a_text_has_a_span_in_it(term: Exp) -> None:
    source = Source("test.tail", print_term(term))
    for node in walk(parse_term(source)):
        if isinstance(node, Lit) and isinstance(node.value, str):
            continue  # see the test below
        assert node.span is not None
        assert node.span.source is source
        assert 0 <= node.span.start < node.span.end <= len(source.text)
        assert node.span.text == node.span.text.strip()


def test_every_character_of_a_string_has_a_span() -> None:
    assert all(node.span is not None for node in walk(parse('"ab"')))


X, B = Var("x", ty=scalar(Base.INT)), Var("x", ty=scalar(Base.BOOL))
ONE, TRUE = literal(1), literal(True)
LESS, NEXT = op(p.LTI, X, literal(9)), op(p.ADDI, X, ONE)


def recursion(body: Exp, *, name: str = "f") -> Exp:
    """`rec name(x:int = 1):τ => body`"""
    return rec(name, (Param("x", X.ty),), (ONE,), body, body.ty)


LET_IN_LET = """let x:[int]0 =
  let y:[int]0 = 1 in
  y in
x"""

LET_IN_THEN = """if tt
  then
    let x:[int]0 = 1 in
    x
  else 1"""

LET_IN_ELSE = """if tt
  then 1
  else
    let x:[int]0 = 1 in
    x"""

LET_IN_CONDITION = """if
  let x:[bool]0 = tt in
  x
  then 1
  else 1"""

LOOP = """loop f(x:[int]0 = 1):[int]0 =>
  if lti(x,9) then f(addi(x,1)) else x"""

RECURSION = """rec f(x:[int]0 = 1):[int]0 =>
  if lti(x,9) then addi(1,f(addi(x,1))) else x"""


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (literal(5), "5"),
        (literal(-5), "-5"),
        (literal(-(2**63)), "-9223372036854775808"),
        (literal(True), "tt"),
        (literal(False), "ff"),
        (literal(1.0), "1.0"),
        (literal(-0.0), "-0.0"),
        (literal(0.1 + 0.2), "0.30000000000000004"),
        (literal(1e300), "1e+300"),
        (literal(5e-324), "5e-324"),
        (literal(math.inf), "inf"),
        (literal(-math.inf), "-inf"),
        (literal(math.nan), "nan"),
        (literal("a"), "'a'"),
        (literal("'"), r"'\''"),
        (literal('"'), "'\"'"),
        (literal("\\"), r"'\\'"),
        (literal("\n"), r"'\n'"),
        (literal("\r"), r"'\r'"),
        (literal("⍵"), "'⍵'"),
        (literal("\u2028"), "'\u2028'"),
        (vec((literal(1), literal(2)), Base.INT), "[1,2]"),
        (vec((), Base.INT), "[]"),
        (vec((), Base.DOUBLE), "([]:<double>0)"),
        (vec((), Base.BOOL), "([]:<bool>0)"),
        (vec((), Base.CHAR), '""'),
        (vec((literal("a"), literal('"'), literal("'")), Base.CHAR), '"a\\"\'"'),
        (vec((op(p.FIRST, vec((literal("a"),), Base.CHAR)),), Base.CHAR), '[first("a")]'),
        (product(()), "()"),
        (product((literal(1), product((literal(True), literal("a"))))), "(1,(tt,'a'))"),
        (op(p.ADDI, literal(1), literal(-2)), "addi(1,-2)"),
        (op(p.EACH, prim_fn(p.NEGI), vec((literal(1),), Base.INT)), "each(negi,[1])"),
        (
            op(p.EACH, fn((Param("x", scalar(Base.INT)),), op(p.NEGI, X)), vec((literal(1),), Base.INT)),
            "each(fn x:[int]0 => negi(x),[1])",
        ),
        (
            fn((Param("x", scalar(Base.INT)), Param("y", array(Base.BOOL, 2))), X),
            "fn x:[int]0, y:[bool]2 => x",
        ),
        (let([Binding("x", scalar(Base.INT), literal(1))], X), "let x:[int]0 = 1 in\nx"),
        (
            op(p.NEGI, let([Binding("x", scalar(Base.INT), literal(1))], X)),
            "negi(\n  let x:[int]0 = 1 in\n  x)",
        ),
        (let([Binding("x", X.ty, let([Binding("y", X.ty, ONE)], Var("y", ty=X.ty)))], X), LET_IN_LET),
        (product((ONE,)), "(1,)"),
        (product((product(()), product((ONE,)))), "((),(1,))"),
        (item(product((ONE, literal("a"))), 2), "(1,'a').2"),
        (item(product((ONE,)), 1), "(1,).1"),
        (item(item(product((ONE, product((ONE,)))), 2), 1), "(1,(1,)).2.1"),
        (item(op(p.PRINT, product((ONE,))), 1), "print((1,)).1"),
        (item(conditional(TRUE, product((ONE,)), product((ONE,))), 1), "(if tt then (1,) else (1,)).1"),
        (item(let([Binding("x", X.ty, ONE)], product((X,))), 1), "(\n  let x:[int]0 = 1 in\n  (x,)).1"),
        (conditional(TRUE, ONE, literal(2)), "if tt then 1 else 2"),
        (conditional(TRUE, ONE, conditional(TRUE, ONE, ONE)), "if tt then 1 else if tt then 1 else 1"),
        (conditional(TRUE, conditional(TRUE, ONE, ONE), ONE), "if tt then (if tt then 1 else 1) else 1"),
        (conditional(conditional(TRUE, TRUE, TRUE), ONE, ONE), "if (if tt then tt else tt) then 1 else 1"),
        (vec((conditional(TRUE, ONE, ONE), ONE), Base.INT), "[if tt then 1 else 1,1]"),
        (op(p.NEGI, conditional(TRUE, ONE, ONE)), "negi(if tt then 1 else 1)"),
        (fn((Param("x", X.ty),), conditional(TRUE, X, ONE)), "fn x:[int]0 => if tt then x else 1"),
        (conditional(TRUE, let([Binding("x", X.ty, ONE)], X), ONE), LET_IN_THEN),
        (conditional(TRUE, ONE, let([Binding("x", X.ty, ONE)], X)), LET_IN_ELSE),
        (conditional(let([Binding("x", scalar(Base.BOOL), TRUE)], B), ONE, ONE), LET_IN_CONDITION),
        (recursion(conditional(LESS, call("f", (NEXT,), X.ty), X)), LOOP),
        (recursion(conditional(LESS, op(p.ADDI, ONE, call("f", (NEXT,), X.ty)), X)), RECURSION),
        (item(recursion(product((X, X))), 2), "(loop f(x:[int]0 = 1):([int]0, [int]0) =>\n    (x,x)).2"),
        (
            let([Binding("y", X.ty, recursion(X))], Var("y", ty=X.ty)),
            "let y:[int]0 = loop f(x:[int]0 = 1):[int]0 =>\n    x in\ny",
        ),
        (recursion(call("in", (X,), X.ty), name="in"), "loop `in`(x:[int]0 = 1):[int]0 =>\n  `in`(x)"),
        (
            recursion(call("addi", (op(p.ADDI, X, ONE),), X.ty), name="addi"),
            "loop `addi`(x:[int]0 = 1):[int]0 =>\n  `addi`(addi(x,1))",
        ),
    ],
)
def test_printed_form(term: Term, text: str) -> None:
    assert print_term(term) == text
    assert_round_trip(term)


def test_an_application_too_wide_for_a_line_is_broken_behind_its_functions_and_constants() -> None:
    term: Exp = vec(tuple([literal(k) for k in range(30)]), Base.INT)
    for _ in range(3):
        term = op(p.ZIP_WITH, prim_fn(p.ADDI), term, vec(tuple([literal(k) for k in range(30)]), Base.INT))
    lines = print_term(op(p.REDUCE, prim_fn(p.ADDI), literal(0), term)).splitlines()
    assert lines[0] == "reduce(addi,0,"
    assert lines[1] == "  zipWith(addi,"
    assert lines[2] == "    zipWith(addi,"
    assert all(len(line) <= WIDTH for line in lines)
    assert_round_trip(term)


# What does not fit the line

LONG = "[" + ",".join([str(k) for k in range(1_000, 1_013)]) + "]"
"""Too wide for a line together with another like it."""


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        (
            "if lti(first(LONG),1) then reverse(LONG) else if tt then reverse(LONG) else LONG",
            """
if lti(first(LONG),1)
  then reverse(LONG)
  else if tt
  then reverse(LONG)
  else LONG
""",
        ),
        (
            "if tt then (if tt then reverse(LONG) else LONG) else LONG",
            """
if tt
  then (if tt
      then reverse(LONG)
      else LONG)
  else LONG
""",
        ),
        (
            "(LONG,1,LONG)",
            """
(
  LONG,
  1,
  LONG)
""",
        ),
        (
            "loop f(v:[int]1 = LONG, w:[int]1 = LONG):[int]1 => if lti(first(v),first(w)) then f(w,v) else v",
            """
loop f(
    v:[int]1 = LONG,
    w:[int]1 = LONG):[int]1 =>
  if lti(first(v),first(w)) then f(w,v) else v
""",
        ),
        (
            "loop f(v:[int]1 = [1], w:[int]1 = [2]):[int]1 => f(cat(v,LONG),cat(w,LONG))",
            """
loop f(v:[int]1 = [1], w:[int]1 = [2]):[int]1 =>
  f(
    cat(v,LONG),
    cat(w,LONG))
""",
        ),
        (
            "let v:[int]1 = cat(LONG,LONG) in let w:[int]1 = v in cat(v,w)",
            """
let v:[int]1 = cat(
    LONG,
    LONG) in
let w:[int]1 = v in
cat(v,w)
""",
        ),
        (
            "fn k:[int]0 => cat(reverse(LONG),iota(k))",
            """
fn k:[int]0 =>
  cat(reverse(LONG),iota(k))
""",
        ),
    ],
)
def test_layout(text: str, layout: str) -> None:
    term = parse(text.replace("LONG", LONG))
    printed = print_term(term)
    assert printed == layout.strip().replace("LONG", LONG)
    assert all(len(line) <= WIDTH for line in printed.splitlines())
    assert_round_trip(term)


def test_constants_fill_the_lines() -> None:
    text = print_term(vec(tuple([literal(k) for k in range(200)]), Base.INT))
    lines = text.splitlines()
    assert len(lines) < 10
    assert all(len(line) <= WIDTH for line in lines)
    assert_round_trip(parse(text))


@SETTINGS
@given(terms())
def test_lines_are_short_unless_they_are_deep(term: Exp) -> None:
    lines = print_term(term).splitlines()
    assert all(len(line) <= WIDTH or len(line) - len(line.lstrip()) > WIDTH // 2 for line in lines)


# Names


@pytest.mark.parametrize("name", ["x", "été", "x∆1", "⍵", "_a", "v2"])
def test_plain_name(name: str) -> None:
    assert print_name(name) == name


@pytest.mark.parametrize(
    "name", [*sorted(KEYWORDS), "addi", "each", "⍵⍵", "1x", "a b", "x.y", "∆", "λ-1", ""]
)
def test_name_in_quotes(name: str) -> None:
    assert print_name(name) == f"`{name}`"


@pytest.mark.parametrize(
    "name", [*sorted(KEYWORDS - {"inf"}), "⍵⍵", "1x", "a b", "x.y", "--", "each", "addd", "S"]
)
def test_any_name_reads_back(name: str) -> None:
    x = Var(name, ty=scalar(Base.DOUBLE))
    constants = [literal(True), literal(False), literal(math.nan)]
    assert_round_trip(let([Binding(name, x.ty, literal(1.0))], product((x, *constants, op(p.ADDD, x, x)))))
    sum_ = op(p.ADDD, call(name, (literal(1.0),), x.ty), literal(2.0))
    assert_round_trip(rec(name, (Param("p", x.ty),), (literal(1.0),), sum_, x.ty))
    pair = Var(name, ty=Tuple((x.ty, x.ty)))
    bound = Binding(name, pair.ty, product((literal(1.0), literal(2.0))))
    assert_round_trip(let([bound], op(p.ADDD, item(pair, 1), item(pair, 2))))


def test_a_variable_called_inf_does_not_hide_the_constant() -> None:
    x = Var("inf", ty=scalar(Base.DOUBLE))
    assert_round_trip(let([Binding("inf", x.ty, literal(1.0))], op(p.ADDD, literal(math.inf), x)))


def test_a_variable_called_as_a_primitive_does_not_hide_it() -> None:
    x = Var("negi", ty=vector(Base.INT, 1))
    assert_round_trip(
        let([Binding("negi", x.ty, vec((literal(1),), Base.INT))], op(p.EACH, prim_fn(p.NEGI), x))
    )


# The example of the thesis


def test_figure_3_1() -> None:
    term = parse(FIGURE_3_1)
    check(term)
    assert evaluate(term, (), lambda value, ty, digits: None) == pytest.approx(-27.870466000131344, rel=1e-13)
    assert_round_trip(term)
