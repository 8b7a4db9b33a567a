"""Reading TAIL: what is accepted beyond what is printed, and what is refused, with its place."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aplc.tail.check import check
from aplc.tail.errors import CompileError
from aplc.tail.prims import PRIMS
from aplc.tail.syntax import Exp, Term
from aplc.tail.text_print import print_term
from tests.support.rewriting import parse
from tests.support.tail_terms.terms import terms

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
        ("loop [ 9 ] f(i:int = 0):int => f(i)", "loop[9] f(i:[int]0 = 0):[int]0 =>\n  f(i)"),
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
    ("loop[x] f(i:int = 0):int => 1", 1, 6, "SYNTAX ERROR", "expected a number of rounds"),
    ("loop[9 f(i:int = 0):int => 1", 1, 8, "SYNTAX ERROR", "expected ]"),
    ("loop[99999999999999999999] f(i:int = 0):int => 1", 1, 6, "SYNTAX ERROR", "the integer does not fit"),
    ("rec[9] f(i:int = 0):int => 1", 1, 4, "SYNTAX ERROR", "expected a name"),
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
