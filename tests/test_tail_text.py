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
    fn,
    let,
    literal,
    map_children,
    op,
    prim_fn,
    product,
    vec,
    walk,
    with_body,
)
from tail.text_parse import parse_term
from tail.text_print import WIDTH, print_name, print_term
from tail.types import Base, array, scalar, vector

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


X = Var("x", ty=scalar(Base.INT))


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


@pytest.mark.parametrize("name", ["x", "été", "x∆1", "⍵", "_a", "v2"])
def test_plain_name(name: str) -> None:
    assert print_name(name) == name


@pytest.mark.parametrize(
    "name", ["let", "in", "fn", "tt", "ff", "inf", "nan", "⍵⍵", "1x", "a b", "x.y", "∆", "λ-1", ""]
)
def test_name_in_quotes(name: str) -> None:
    assert print_name(name) == f"`{name}`"


@pytest.mark.parametrize(
    "name", ["let", "in", "fn", "tt", "ff", "nan", "⍵⍵", "1x", "a b", "x.y", "--", "each", "S"]
)
def test_any_name_reads_back(name: str) -> None:
    x = Var(name, ty=scalar(Base.DOUBLE))
    constants = [literal(True), literal(False), literal(math.nan)]
    assert_round_trip(let([Binding(name, x.ty, literal(1.0))], product((x, *constants, op(p.ADDD, x, x)))))


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
        ("let x = 1 in let x = addi(x,1) in x", "let x:S(int,1) = 1 in\nlet x_1:[int]0 = addi(x,1) in\nx_1"),
        ("(let x = 1 in x, let x = 2 in x)", "(\n  let x:S(int,1) = 1 in\n  x,\n  let x_1:S(int,2) = 2 in\n  x_1)"),
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
    stroke = data.draw(st.sampled_from(["", "(", ")", ",", "x", "1", "-", "'", "in", ":int"]))
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
