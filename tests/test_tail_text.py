"""The text form of TAIL: what is printed reads back as it was; what cannot be read is the user's error."""

import math
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tail_terms import Program, programs, terms

from tail import prims as p
from tail.check import check
from tail.errors import CompileError
from tail.evaluate import evaluate
from tail.prims import PRIMS
from tail.source import Source
from tail.syntax import (
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
from tail.text_parse import parse_term
from tail.text_print import KEYWORDS, WIDTH, print_name, print_term
from tail.types import Base, Tuple, array, scalar, vector

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


def parse(text: str) -> Term:
    return parse_term(Source("test.tail", text))


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


# What the reader accepts beyond what is printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("~1", "-1"),
        ("¯1", "-1"),
        ("¯1.5e¯3", "-0.0015"),
        ("1e3", "1000.0"),
        (".5", "0.5"),
        ("5.", "5.0"),
        ("1E+3", "1000.0"),
        ("~inf", "-inf"),
        ("(((5)))", "5"),
        ("  5 -- five\n -- and no more", "5"),
        ("addi ( 1 , 2 )", "addi(1,2)"),
        ("[ 1 , 2 ]", "[1,2]"),
        ("let x = 1 in x", "let x:S(int,1) = 1 in\nx"),
        ("let x : [int]1 = [1] in x", "let x:[int]1 = [1] in\nx"),
        (
            "let x = 1 in let x = addi(x,1) in x",
            "let x:S(int,1) = 1 in\nlet x_1:S(int,2) = addi(x,1) in\nx_1",
        ),
        (
            "(let x = 1 in x, let x = 2 in x)",
            "(\n  let x:S(int,1) = 1 in\n  x,\n  let x_1:S(int,2) = 2 in\n  x_1)",
        ),
        ("each(fn x:int => x, [1])", "each(fn x:[int]0 => x,[1])"),
        ("each(`negi`, [1])", None),
        ("each(negi, [1])", "each(negi,[1])"),
        ("each(negi\n -- here\n, [1])", "each(negi,[1])"),
        ("fn x:int, x:int => x", "fn x:[int]0, x_1:[int]0 => x_1"),
        ("(1:int)", "1"),
        ("([]:[double]1)", "([]:<double>0)"),
        ('"a\\tb"', '"atb"'),
        ("let let_ = 1 in let_", "let let_:S(int,1) = 1 in\nlet_"),
        ("let v:<int>1 = [7] in firstV(v)", "let v:<int>1 = [7] in\nfirstV(v)"),
        ("(1,)", "(1,)"),
        ("( 1 , )", "(1,)"),
        ("(1,2,)", "(1,2)"),
        ("((1,2)).1", "(1,2).1"),
        ("(1 , 2) .1", "(1,2).1"),
        ("let t = (1,) in t.1", "let t:(S(int,1),) = (1,) in\nt.1"),
        ("let t:(int,) = (1,) in t.1", "let t:([int]0,) = (1,) in\nt.1"),
        ("let t:((int,),()) = ((1,),()) in t", "let t:(([int]0,), ()) = ((1,),()) in\nt"),
        ("if tt then (if ff then 1 else 2) else 3", "if tt then (if ff then 1 else 2) else 3"),
        ("if tt then if ff then 1 else 2 else 3", "if tt then (if ff then 1 else 2) else 3"),
        ("if if tt then ff else tt then 1 else 2", "if (if tt then ff else tt) then 1 else 2"),
        ("addi(if tt then 1 else 2,3)", "addi(if tt then 1 else 2,3)"),
        ("rec f(i:int = 0):int => f(i)", "loop f(i:[int]0 = 0):[int]0 =>\n  f(i)"),
        (
            "let f = 1 in loop f(f:int = f):int => f(1)",
            "let f:S(int,1) = 1 in\nloop f_2(f_1:[int]0 = f):[int]0 =>\n  f_2(1)",
        ),
        (
            "loop f(i:int = 0):int => loop f(i:int = i):int => f(i)",
            "loop f(i:[int]0 = 0):[int]0 =>\n  loop f_1(i_1:[int]0 = i):[int]0 =>\n    f_1(i_1)",
        ),
        (
            "loop f(i:int = 0):int => let f = i in f",
            "loop f(i:[int]0 = 0):[int]0 =>\n  let f_1:[int]0 = i in\n  f_1",
        ),
        ("update(copy([1]),(1,),2)", "update(copy([1]),(1,),2)"),
    ],
)
def test_accepted_text(text: str, printed: str | None) -> None:
    if printed is None:
        with pytest.raises(CompileError):
            parse(text)
    else:
        assert print_term(parse(text)) == printed


def test_names_are_bound_once_in_what_is_read() -> None:
    check(parse("let x = 1 in let y = (let x = 2 in x) in each(fn x:int => addi(x,y), [let y = x in y])"))


# What it refuses

ERRORS = [
    ("", 1, 1, "SYNTAX ERROR", "expected a name"),
    ("y", 1, 1, "VALUE ERROR", "y is not defined"),
    ("let x = 1 in\n  addi(x,yy)", 2, 10, "VALUE ERROR", "yy is not defined"),
    ("let x = x in 1", 1, 9, "VALUE ERROR", "x is not defined"),
    ("addi(let x = 1 in x,x)", 1, 21, "VALUE ERROR", "x is not defined"),
    ("each(iota,[1])", 1, 6, "VALUE ERROR", "iota is not defined"),
    ("negi", 1, 1, "VALUE ERROR", "negi is not defined"),
    ("addx(1,2)", 1, 1, "VALUE ERROR", "addx is no operator of TAIL"),
    ("let f = 1 in\nf(2)", 2, 1, "VALUE ERROR", "f is no operator of TAIL"),
    ("let x:int = 1 out x", 1, 15, "SYNTAX ERROR", "expected in"),
    ("let x:int = 1\nx", 2, 1, "SYNTAX ERROR", "expected in"),
    ("let x:int 1 in x", 1, 11, "SYNTAX ERROR", "expected ="),
    ("let 1 = 1 in 1", 1, 5, "SYNTAX ERROR", "expected a name"),
    ("let in = 1 in 1", 1, 5, "SYNTAX ERROR", "expected a name"),
    ("let x:[int = 1 in x", 1, 12, "SYNTAX ERROR", "expected ]"),
    ("let x:<int>* = 1 in x", 1, 12, "SYNTAX ERROR", "expected a type"),
    ("let x:[7]1 = 1 in x", 1, 9, "SYNTAX ERROR", "expected a base type"),
    ("let x:double = 1 in x", 1, 5, "TYPE ERROR", "x is S(int,1), not [double]0"),
    ("let x:<int>3 = [1,2] in x", 1, 5, "TYPE ERROR", "x is <int>2, not <int>3"),
    ("(1:double)", 1, 1, "TYPE ERROR", "the value is S(int,1), not [double]0"),
    ("([]:<int>2)", 1, 1, "TYPE ERROR", "the value is <int>0, not <int>2"),
    ("addi(1)", 1, 1, "TYPE ERROR", "takes 2 arguments, got 1"),
    ("\n negi(1,2)", 2, 2, "TYPE ERROR", "takes 1 arguments, got 2"),
    ("iota()", 1, 1, "TYPE ERROR", "takes 1 arguments, got 0"),
    ("addi(1,1.0)", 1, 1, "TYPE ERROR", "double is not int"),
    ("reduce(addd,0.0,[1])", 1, 1, "TYPE ERROR", "reduce: int is not double"),
    ("iotaV(-1)", 1, 1, "TYPE ERROR", "-1 is no length"),
    ("diagonal([1,3],reshape([2,2],1))", 1, 1, "TYPE ERROR", "the axes must be 1 to the rank of the result"),
    ("each(fn x:int => iota(x),[1])", 1, 1, "TYPE ERROR", "each"),
    ("[1,2.0]", 1, 1, "TYPE ERROR", "elements of several types"),
    ("[1,()]", 1, 4, "TYPE ERROR", "an element of type ()"),
    ("[1,2", 1, 4, "SYNTAX ERROR", "expected ]"),
    ("[1 2]", 1, 4, "SYNTAX ERROR", "expected ]"),
    ("addi(1,2", 1, 8, "SYNTAX ERROR", "expected )"),
    ("addi(1 2)", 1, 8, "SYNTAX ERROR", "expected )"),
    ("addi(1,)", 1, 8, "SYNTAX ERROR", "expected a name"),
    ("(1,2", 1, 4, "SYNTAX ERROR", "expected )"),
    ("1 2", 1, 3, "SYNTAX ERROR", "nothing more is expected here"),
    ("1)", 1, 2, "SYNTAX ERROR", "nothing more is expected here"),
    ("12x", 1, 1, "SYNTAX ERROR", "expected a name"),
    ("1.5.5", 1, 4, "TYPE ERROR", "[double]0 has no component 5"),
    ("addi(1,9223372036854775808)", 1, 8, "SYNTAX ERROR", "the integer does not fit 64 bits"),
    ("'ab'", 1, 1, "SYNTAX ERROR", "a character constant holds one character"),
    ("''", 1, 1, "SYNTAX ERROR", "a character constant holds one character"),
    ("ravel('a)", 1, 7, "SYNTAX ERROR", "expected a name"),
    ('ravel("a\n")', 1, 7, "SYNTAX ERROR", "expected a name"),
    ("let `x = 1 in 1", 1, 5, "SYNTAX ERROR", "expected a name"),
    ("fn x => 1", 1, 6, "SYNTAX ERROR", "the parameter x needs a type"),
    ("fn x:int 1", 1, 10, "SYNTAX ERROR", "expected =>"),
    ("fn x:int => y", 1, 13, "VALUE ERROR", "y is not defined"),
    ("fn => 1", 1, 4, "SYNTAX ERROR", "expected a name"),
    ("addi(fn x:int => x,1)", 1, 1, "TYPE ERROR", "addi"),
    ("1 + 2", 1, 3, "SYNTAX ERROR", "nothing more is expected here"),
    # tuples
    ("(1,,2)", 1, 4, "SYNTAX ERROR", "expected a name"),
    ("(,)", 1, 2, "SYNTAX ERROR", "expected a name"),
    ("(1,2).3", 1, 6, "TYPE ERROR", "(S(int,1), S(int,2)) has no component 3"),
    ("(1,2).0", 1, 6, "TYPE ERROR", "has no component 0"),
    ("(1,2)." + "9" * 5000, 1, 6, "TYPE ERROR", "has no component 9"),
    ("(1,2).x", 1, 6, "SYNTAX ERROR", "nothing more is expected here"),
    ("().1", 1, 3, "TYPE ERROR", "() has no component 1"),
    ("[1].1", 1, 4, "TYPE ERROR", "SV(int,1) has no component 1"),
    ("let x = 1 in\n  x.1", 2, 4, "TYPE ERROR", "S(int,1) has no component 1"),
    ("negi((1,))", 1, 1, "TYPE ERROR", "negi"),
    ("let x:(int = 1 in x", 1, 12, "SYNTAX ERROR", "expected )"),
    ("let x:(int,int) = (1,) in x", 1, 5, "TYPE ERROR", "x is (S(int,1),), not ([int]0, [int]0)"),
    # conditionals
    ("if 1 then 2 else 3", 1, 1, "TYPE ERROR", "a condition of type S(int,1)"),
    ("if [tt] then 2 else 3", 1, 1, "TYPE ERROR", "a condition of type SV(bool,1)"),
    ("if tt then 1 else 2.0", 1, 1, "TYPE ERROR", "S(int,1) and [double]0 have no common type"),
    ("negi(if tt then 1 else [1])", 1, 6, "TYPE ERROR", "S(int,1) and SV(int,1) have no common type"),
    ("if tt then (1,2) else (1,)", 1, 1, "TYPE ERROR", "have no common type"),
    ("if tt then 2", 1, 12, "SYNTAX ERROR", "expected else"),
    ("if tt else 3", 1, 7, "SYNTAX ERROR", "expected then"),
    ("if then 2 else 3", 1, 4, "SYNTAX ERROR", "expected a name"),
    ("if tt then else 3", 1, 12, "SYNTAX ERROR", "expected a name"),
    ("if ttthen 1 else 2", 1, 4, "VALUE ERROR", "ttthen is not defined"),
    ("then", 1, 1, "SYNTAX ERROR", "expected a name"),
    ("let else = 1 in 2", 1, 5, "SYNTAX ERROR", "expected a name"),
    # loops and recursive functions
    (
        "loop f(i:int = 0):int => addi(f(i),1)",
        1,
        1,
        "TYPE ERROR",
        "f is called where the loop would have to go on",
    ),
    ("loop f(i:int = 0):int => let x = f(i) in x", 1, 1, "TYPE ERROR", "write rec"),
    ("loop f(i:int = 0):int => if eqi(f(i),1) then 1 else f(i)", 1, 1, "TYPE ERROR", "write rec"),
    ("loop f(i:int = 0):int => f(f(i))", 1, 1, "TYPE ERROR", "write rec"),
    ("loop f(i:int = 0):int => first(each(fn x:int => f(x),[1]))", 1, 1, "TYPE ERROR", "write rec"),
    ("1\n+ loop", 2, 1, "SYNTAX ERROR", "nothing more is expected here"),
    (
        "let x = 2 in\n  loop f(i:int = 0):int =>\n    loop g(j:int = 0):int => f(j)",
        2,
        3,
        "TYPE ERROR",
        "write rec",
    ),
    ("loop f():int => 1", 1, 8, "SYNTAX ERROR", "expected a name"),
    ("loop (i:int = 0):int => 1", 1, 6, "SYNTAX ERROR", "expected a name"),
    ("loop f i:int = 0):int => 1", 1, 8, "SYNTAX ERROR", "expected ("),
    ("loop f(i = 0):int => 1", 1, 10, "SYNTAX ERROR", "expected :"),
    ("loop f(i:int):int => 1", 1, 13, "SYNTAX ERROR", "expected ="),
    ("loop f(i:int = 0) => 1", 1, 19, "SYNTAX ERROR", "expected :"),
    ("loop f(i:int = 0):int 1", 1, 23, "SYNTAX ERROR", "expected =>"),
    ("loop f(i:int = 0, ):int => 1", 1, 19, "SYNTAX ERROR", "expected a name"),
    ("loop f(i:int = 1.0):int => 1", 1, 8, "TYPE ERROR", "i is [double]0, not [int]0"),
    ("loop f(i:int = 0):double => 1", 1, 1, "TYPE ERROR", "f gives S(int,1), not [double]0"),
    ("loop f(i:int = i):int => 1", 1, 16, "VALUE ERROR", "i is not defined"),
    ("rec f(i:int = f(1)):int => 1", 1, 15, "VALUE ERROR", "f is no operator of TAIL"),
    (
        "rec f(i:int = 0):int => f()",
        1,
        25,
        "TYPE ERROR",
        "the function is [int]0 → [int]0, its arguments are none",
    ),
    ("rec f(i:int = 0):int => f(1.0)", 1, 25, "TYPE ERROR", "its arguments are [double]0"),
    ("rec f(i:int = 0):int => f(1,2)", 1, 25, "TYPE ERROR", "its arguments are S(int,1), S(int,2)"),
    ("rec f(i:int = 0):int => f", 1, 25, "SYNTAX ERROR", "f is a function and needs its arguments"),
    ("rec f(i:int = 0):int => each(f,[1])", 1, 30, "SYNTAX ERROR", "f is a function and needs its arguments"),
    ("(rec f(i:int = 0):int => i, f(1))", 1, 29, "VALUE ERROR", "f is no operator of TAIL"),
    ("(rec f(i:int = 0):int => i, i)", 1, 29, "VALUE ERROR", "i is not defined"),
    ("rec `f`(i:int = 0):int => `g`(1)", 1, 27, "VALUE ERROR", "g is no operator of TAIL"),
    # changes in place
    ("update([1,2],(1,),5)", 1, 1, "TYPE ERROR", "update changes an array in place and needs a copy of it"),
    ("let v = [1] in\n modify(addi,v,(1,),5)", 2, 2, "TYPE ERROR", "modify changes an array in place"),
    ("update(copy([1,2]),1,5)", 1, 1, "TYPE ERROR", "update"),
]


@pytest.mark.parametrize(("text", "line", "column", "kind", "fragment"), ERRORS)
def test_refused_text(text: str, line: int, column: int, kind: str, fragment: str) -> None:
    with pytest.raises(CompileError) as caught:
        parse(text)
    (cause,) = caught.value.diagnostics
    assert cause.kind == kind
    assert fragment in cause.message
    assert cause.span is not None
    assert (cause.span.line, cause.span.column) == (line, column)
    assert f"test.tail:{line}:{column}: {kind}" in str(caught.value)


WORDS = st.sampled_from(
    (
        *PRIMS,
        *(
            "let",
            "in",
            "fn",
            "=>",
            "=",
            "x",
            "y",
            "`",
            "`x`",
            ":",
            "int",
            "κ",
            "<int>",
            "[double]",
            "S(int,",
            "→",
        ),
        *("if", "then", "else", "loop", "rec", "f", "f(", "(int,)", ".1", ".", "loop f(x:int = 1):int =>"),
        *("(", ")", "[", "]", ",", "1", "0", "-1", "2.5", "tt", "nan", "inf", "'a'", '"ab"', "'", '"'),
        *("--", "\n", " ", "¯", "⍵", "²", "٣"),
    )
)
ANY_TEXT = st.one_of(
    st.text(), st.lists(WORDS, max_size=12).map(" ".join), st.lists(WORDS, max_size=12).map("".join)
)


def read_or_refuse(text: str) -> Term | None:
    """The program, or None where the text is refused by a `CompileError` that can be shown."""
    try:
        return parse(text)
    except CompileError as refused:
        assert all(cause.span is not None for cause in refused.diagnostics)
        assert str(refused).startswith("test.tail:")
        return None


@settings(max_examples=300, deadline=None)
@example("let x:int = 1 in x -- ok")
@example("-")
@example("\ud800")
@given(ANY_TEXT)
def test_any_text_is_read_or_refused(text: str) -> None:
    term = read_or_refuse(text)
    if term is not None:
        check(term)


@settings(max_examples=150, deadline=None)
@given(terms(), st.data())
def test_a_text_with_one_stroke_too_many_or_too_few_is_read_or_refused(
    term: Exp, data: st.DataObject
) -> None:
    text = print_term(term)
    at = data.draw(st.integers(0, len(text)))
    stroke = data.draw(st.sampled_from(["", "(", ")", ",", "x", "1", "-", "'", ".", "in", " else ", ":int"]))
    changed = read_or_refuse(text[:at] + stroke + text[at + (not stroke) :])
    if changed is not None:
        check(changed)


@pytest.mark.parametrize(
    "text",
    [
        "[[1,2],3]",
        "fn x:foo => [x]",
        "1" * 5000,
    ],
    ids=["nested vector", "base-type variable", "digits"],
)
def test_odd_text_is_read_or_refused(text: str) -> None:
    term = read_or_refuse(text)
    if term is not None:
        check(term)
