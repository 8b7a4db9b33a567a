"""What is wrong with a program: every message of the front end with its place, one for each cause."""

from __future__ import annotations

import re

import pytest

from apl_front import elaborate, infix, operators, overloads, scope, structure
from apl_front.elaborate import MAX_ERRORS, elaborate_function, elaborate_program
from apl_front.parser import parse
from tail.errors import AplcError, CompileError, Diagnostic
from tail.prims import PRIMS
from tail.source import Source
from tail.types import Array, Base, Rho, Type

Expected = tuple[int, int, str, str]
"""Line, column, kind, and a part of the message."""
Row = tuple[str, list[Expected]]


def diagnostics(text: str, **inputs: Type) -> tuple[Diagnostic, ...]:
    """What is wrong with a program, which must be something."""
    with pytest.raises(AplcError) as caught:
        elaborate_program([parse(Source("test.apl", text))], inputs)
    return caught.value.diagnostics


def place(diagnostic: Diagnostic) -> tuple[int, int]:
    assert diagnostic.span is not None
    return diagnostic.span.line, diagnostic.span.column


# One mistake on the first line: the text, the column, and a part of the message.
ONE: dict[str, list[tuple[str, int, str]]] = {
    "VALUE ERROR": [
        ("x", 1, "x is not defined"),
        ("1+x", 3, "x is not defined"),
        ("x+1", 1, "x is not defined"),
        ("f 5", 1, "f is not defined"),
        ("y←x", 3, "x is not defined"),
        ("x+←1", 1, "x is not defined"),
        ("x[2]", 1, "x is not defined"),
        ("value←3 ⋄ valu+1", 11, "valu is not defined; did you mean value?"),
        ("(a b)+1", 2, "a is not defined"),
        ("⍳n", 2, "n is not defined"),
        ("f←{⍵+zzz} ⋄ f 5", 6, "zzz is not defined"),
        ("f←{⍺+⍵} ⋄ f 3", 4, "⍺ is not defined: the function has no left argument"),
        ("5{{⍺+⍵}⍵}3", 4, "⍺ is not defined: the function has no left argument"),
        ("(x←1)+x", 7, "x is not defined"),
        ("f←+/∘g", 6, "g is not defined"),
        ("{a←⍵ ⋄ a}3 ⋄ a", 14, "a is not defined"),
    ],
    "SYNTAX ERROR": [
        ("+", 1, "a function stands here without an argument"),
        ("1+", 2, "the function has no right argument"),
        ("+/", 1, "a function stands here without an argument"),
        ("{⍵+1}", 1, "a function stands here without an argument"),
        ("1 2×", 4, "the function has no right argument"),
        ("+←3", 2, "there is no name left of ←"),
        ("←3", 1, "there is no name left of ←"),
        ("5←3", 1, "a constant cannot be assigned to"),
        ("'ab'←3", 1, "a constant cannot be assigned to"),
        ("⍬←3", 1, "a constant cannot be assigned to"),
        ("x←", 2, "there is nothing to assign"),
        ("1 2 (x←", 5, "unclosed (: no ) closes it on its line"),
        ("(", 1, "unclosed (: no ) closes it on its line"),
        ("1 (2", 3, "unclosed (: no ) closes it on its line"),
        (")", 1, "stray ): no ( is open here"),
        ("∘", 1, "the operator ∘ needs an operand on its left"),
        ("∘.", 2, ". needs an operand on its right"),
        ("1∘.", 3, ". needs an operand on its right"),
        ("1∘.+", 2, "the function has no right argument"),
        ("+.", 2, ". needs an operand on its right"),
        ("+∘", 2, "∘ needs an operand on its right"),
        ("+⍤", 2, "⍤ needs an operand on its right"),
        (".+", 1, "the operator . needs an operand on its left"),
        ("/1 2", 1, "the operator / needs an operand on its left"),
        ("⍨3", 1, "the operator ⍨ needs an operand on its left"),
        ("[1]", 1, "there is nothing to index left of the bracket"),
        ("(1 2)x←3", 1, "there is no function between these two arrays"),
        ("'abc'x←3", 1, "there is no function between these two arrays"),
        ("1(2+3)x←5", 1, "there is no function between these two arrays"),
        ("{}5", 1, "the function has no result"),
        ("{a←+}5", 1, "the function has no result"),
        ("⍵", 1, "⍵ has a meaning inside braces only"),
        ("⍺", 1, "⍺ has a meaning inside braces only"),
        ("f←{⍵} ⋄ ⍺", 9, "⍺ has a meaning inside braces only"),
        ("+.×1 2", 1, "an inner product needs a left argument"),
        ("∘.×1 2", 1, "∘.× needs a left argument"),
        ("1(2∘+)3", 1, "2∘+ takes no left argument"),
        ("1(+∘2)3", 1, "+∘2 takes no left argument"),
        ("f←+ ⋄ 1 f (f←3)", 9, "f has become an array here"),
        ("f←3 ⋄ f+(f←+)/3 4", 7, "f has become a function here"),
        ("(1 2+)3", 5, "the function has no right argument"),
        ("1 (×2 +) 3", 7, "the function has no right argument"),
        ("1e400", 1, "1e400 is too large: the largest number is 1.7976931348623157E308"),
        ("{1:2", 1, "unclosed {: no } closes it"),
        ("'abc", 1, "unclosed quote: no second ' on this line"),
    ],
    "RANK ERROR": [
        ("(2 2⍴1)+1 2", 1, "+ needs equal ranks or a scalar, got [int]2 and <int>2"),
        ("1 2 3-2 3⍴1", 1, "- needs equal ranks or a scalar, got <int>3 and [int]2"),
        ("(2 2 2⍴1)×2 2⍴1", 1, "× needs equal ranks or a scalar, got [int]3 and [int]2"),
        ("(2 2⍴1)=⍳4", 1, "= needs equal ranks or a scalar, got [int]2 and <int>4"),
        ("(2 2 2⍴1),1 2", 1, ", needs ranks that differ by one at most, got [int]3 and <int>2"),
        ("1 2,2 2 2⍴1", 1, ", needs ranks that differ by one at most, got <int>2 and [int]3"),
        ("(2 2⍴2)⍴1", 2, "⍴ needs a vector of extents on the left"),
        ("(2 2⍴2)↑1", 1, "↑ needs a vector of counts on the left"),
        ("(2 2⍴2)↓⍳4", 1, "↓ needs a vector of counts on the left"),
        ("5⍳1", 1, "⍳ needs a vector on the left, got int"),
        ("1 2+¨2 2⍴1", 1, "+¨ needs equal ranks or a scalar, got <int>2 and [int]2"),
    ],
    "LENGTH ERROR": [
        ("1 2+1 2 3", 1, "+ needs equal lengths, got <int>2 and <int>3"),
        ("(⍳3)×⍳4", 1, "× needs equal lengths, got <int>3 and <int>4"),
        ("⍬+1 2", 1, "+ needs equal lengths, got <int>0 and <int>2"),
        ("'abc'='ab'", 1, "= needs equal lengths, got <char>3 and <char>2"),
        ("a←1 2 3 ⋄ b←1 2 ⋄ a-b", 19, "- needs equal lengths, got <int>3 and <int>2"),
        ("1 2+.×1 2 3", 1, "+.× needs equal lengths, got <int>2 and <int>3"),
        ("(⍳3)∧.=⍳4", 1, "∧.= needs equal lengths, got <int>3 and <int>4"),
        ("1 2+¨1 2 3", 1, "+¨ needs equal lengths, got <int>2 and <int>3"),
        ("1 2↑1 2 3", 1, "↑ needs at most 1 counts for <int>3, got 2"),
        ("1 1 1↓2 2⍴1", 1, "↓ needs at most 2 counts for [int]2, got 3"),
        ("1 2⍉1 2 3", 1, "⍉ needs one axis for each of the 1 axes on its right, got 2"),
        ("1⍉2 2⍴1", 1, "⍉ needs one axis for each of the 2 axes on its right, got 1"),
    ],
    "DOMAIN ERROR": [
        ("'a'+1", 1, "+ needs numbers, got characters"),
        ("1+'abc'", 3, "+ needs numbers, got characters"),
        ("-'a'", 2, "- needs numbers, got characters"),
        ("÷'a'", 2, "÷ needs numbers, got characters"),
        ("'a'⍟2", 1, "⍟ needs numbers, got characters"),
        ("⍟'ab'", 2, "⍟ needs numbers, got characters"),
        ("'a'<'b'", 1, "< needs numbers, got characters"),
        ("~'a'", 2, "~ needs numbers, got characters"),
        ("'a'∧1", 1, "∧ needs numbers, got characters"),
        ("1⍲'a'", 3, "⍲ needs numbers, got characters"),
        ("+/'abc'", 1, "+ needs numbers, got characters"),
        ("1 2+.×'ab'", 6, "× needs numbers, got characters"),
        ("'ab'∘.×1 2", 7, "× needs numbers, got characters"),
        ("'abc'⍴1", 1, "⍴ needs numbers, got characters"),
        ("'a'↑1 2", 1, "↑ needs numbers, got characters"),
        ("⍳'a'", 2, "⍳ needs numbers, got characters"),
        ("'a'⌽1 2", 1, "⌽ needs numbers, got characters"),
        ("⍳1.5", 2, "⍳ needs whole numbers"),
        ("2.5↑⍳3", 1, "↑ needs whole numbers"),
        ("2 0.5⍴1", 3, "⍴ needs whole numbers"),
        ("⍳¯1", 1, "⍳ needs a count that is not negative, got ¯1"),
        ("¯1⍴5", 1, "⍴ needs extents that are not negative, got ¯1"),
        ("2 ¯3⍴5", 3, "⍴ needs extents that are not negative, got ¯3"),
        ("3 1⍉2 2⍴1", 1, "⍉ needs axes counted from 1 without a gap"),
        ("0 1⍉2 2⍴1", 1, "⍉ needs axes counted from 1 without a gap"),
    ],
    "UNSUPPORTED": [
        ("x←1 2 3 ⋄ x[2]", 12, "indexing with brackets is not supported yet"),
        ("'abc'[2]", 6, "indexing with brackets is not supported yet"),
        ("x←1 2 ⋄ x[1]←5", 10, "assignment by index is not supported yet"),
        ("x←1 ⋄ x+←1", 9, "modified assignment is not supported yet: write x←x+1 for x+←1"),
        ("(a b)←1 2", 1, "assignment to several names at once is not supported yet"),
        (",[1]⍳4", 2, "an axis in brackets is not supported yet"),
        ("+/[1]2 2⍴1", 3, "an axis in brackets is not supported yet"),
        ("{⍵}[1]3", 4, "an axis in brackets is not supported yet"),
        ("1 2(3 4)", 5, "a nested array (<int>2 in a strand) is not supported yet"),
        ("(1 2)'a'", 2, "a nested array (<int>2 in a strand) is not supported yet"),
        ("1 'a'", 1, "an array of characters and numbers is not supported yet"),
        ("1,'a'", 1, ", of characters and numbers in one array is not supported yet"),
        ("1 2⍳'a'", 1, "⍳ of characters and numbers in one array is not supported yet"),
        ("(2 2⍴1)⍳1", 1, "⍳ with [int]2 on the left is not supported yet: look up in a vector"),
        ("1 0 1/1 2 3", 1, "/ with an array operand is not supported yet"),
        ("2+/1 2 3", 1, "the n-wise reduction +/ is not supported yet"),
        ("+\\1 2 3", 1, "the operator \\ is not supported yet"),
        ("+⍀1 2 3", 1, "the operator ⍀ is not supported yet"),
        ("+⍣2⊢3", 1, "the operator ⍣ is not supported yet"),
        ("+⍤1⊢3", 3, "⍤ with an array operand is not supported yet"),
        ("+⌸1 2", 1, "the operator ⌸ is not supported yet"),
        ("{⍵}⌺3⊢1 2", 1, "the operator ⌺ is not supported yet"),
        ("+@1⊢1 2", 1, "the operator @ is not supported yet"),
        ("?5", 1, "monadic ? is not supported yet"),
        ("1?5", 1, "dyadic ? is not supported yet"),
        ("!5", 1, "monadic ! is not supported yet"),
        ("○1", 1, "monadic ○ is not supported yet"),
        ("↑1 2", 1, "monadic ↑ is not supported yet"),
        ("⊂1", 1, "monadic ⊂ is not supported yet"),
        ("∊1 2", 1, "monadic ∊ is not supported yet"),
        ("1∊1 2", 1, "dyadic ∊ is not supported yet"),
        ("~1.5∧2", 2, "∧ on doubles is not supported yet"),
        ("1.5∨2", 1, "∨ on doubles is not supported yet"),
        ("1 2⌽2 2⍴1", 1, "⌽ with an array on the left is not supported yet: rotate by one number"),
        ("1 2⊃1 2", 1, "⊃ other than of one element of a vector is not supported yet"),
        ("⍳2 3", 2, "⍳ with <int>2 where one number is needed is not supported yet"),
        ("{⍵>0:1 ⋄ 2}1", 2, "a guard is not supported yet"),
        ("f←{∇⍵} ⋄ f 3", 4, "recursion is not supported yet"),
        ("f←{f ⍵-1} ⋄ f 3", 4, "recursion is not supported yet"),
        ("o←{⍺⍺ ⍵}", 4, "an operator of your own (⍺⍺) is not supported yet"),
        ("{⍺⍺ ⍵}3", 2, "an operator of your own is not supported yet"),
        ("⎕IO", 1, "the system name ⎕IO is not supported yet"),
        ("⎕io←0", 1, "assignment to ⎕io is not supported yet"),
        ("⎕←+", 1, "assignment of a function to ⎕ is not supported yet"),
        ("⎕", 1, "input with ⎕ is not supported yet"),
        ("⍞", 1, "the system name ⍞ is not supported yet"),
        ("→5", 1, "the symbol → is not supported yet"),
        ("{+}5", 2, "a function as a result is not supported yet"),
        ("⍕5", 1, "monadic ⍕ is not supported yet"),
        ("⍎'1'", 1, "monadic ⍎ is not supported yet"),
        ("{⍳⍵}¨1 2", 1, "a function whose result is [int]1 where a scalar is needed is not supported yet"),
        (",/1 2 3", 1, "a function whose result is <int>2 where a scalar is needed is not supported yet"),
        ("=/'ab'", 1, "a reduction with = whose result is no longer characters is not supported yet"),
        ("a←1 1⍉2 2⍴1 ⋄ a⍴5", 15, "⍴ with a left argument whose length is not known when compiling"),
    ],
}

# Several causes: one message for each, in the order of the text, none for what follows from them.
SEVERAL: list[Row] = [
    (
        "x⋄y⋄z",
        [
            (1, 1, "VALUE ERROR", "x is not defined"),
            (1, 3, "VALUE ERROR", "y is not defined"),
            (1, 5, "VALUE ERROR", "z is not defined"),
        ],
    ),
    (
        "1+'a'\n2+'b'\n3",
        [
            (1, 3, "DOMAIN ERROR", "+ needs numbers, got characters"),
            (2, 3, "DOMAIN ERROR", "+ needs numbers, got characters"),
        ],
    ),
    (
        "a←b\nc←a+1\nd←c\ne",
        [(1, 3, "VALUE ERROR", "b is not defined"), (4, 1, "VALUE ERROR", "e is not defined")],
    ),
    (
        "f←{⍵+'a'}\nf 1\nf 2",
        [(1, 6, "DOMAIN ERROR", "+ needs numbers, got characters")],
    ),
    (
        "f←{⍵+1 2}\ng←{f ⍵}\ng 1 2 3\nh 5",
        [
            (1, 4, "LENGTH ERROR", "+ needs equal lengths, got <int>3 and <int>2"),
            (4, 1, "VALUE ERROR", "h is not defined"),
        ],
    ),
    (
        "(a←b)+1\na",
        [(1, 4, "VALUE ERROR", "b is not defined")],
    ),
    (
        "x←1 2+1 2 3 ⋄ x+1 ⋄ x←5 ⋄ x+1 2 3 ⋄ y",
        [
            (1, 3, "LENGTH ERROR", "+ needs equal lengths, got <int>2 and <int>3"),
            (1, 37, "VALUE ERROR", "y is not defined"),
        ],
    ),
]

ROWS: list[Row] = [(text, [(1, column, kind, part)]) for kind in ONE for text, column, part in ONE[kind]]
ROWS += SEVERAL


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text for text, _ in ROWS])
def test_messages(text: str, expected: list[Expected]) -> None:
    found = diagnostics(text)
    assert [(*place(d), d.kind) for d in found] == [row[:3] for row in expected]
    for diagnostic, (_, _, _, fragment) in zip(found, expected, strict=True):
        assert fragment in diagnostic.message


VECTOR, MATRIX, TEXT = Array(Base.INT, Rho(1)), Array(Base.DOUBLE, Rho(2)), Array(Base.CHAR, Rho(1))


@pytest.mark.parametrize(
    ("text", "column", "kind", "fragment"),
    [
        ("v+m", 1, "RANK ERROR", "+ needs equal ranks or a scalar, got [int]1 and [double]2"),
        ("m,1 2 3⌽v", 3, "UNSUPPORTED", "⌽ with an array on the left"),
        ("v⌽m", 1, "UNSUPPORTED", "⌽ with an array on the left is not supported yet: rotate by one number"),
        ("⍳v", 2, "UNSUPPORTED", "one number is needed is not supported yet: write ⊃ in front of it"),
        ("v⍴1", 1, "UNSUPPORTED", "write the extents one by one"),
        ("v↑m", 1, "UNSUPPORTED", "whose length is not known when compiling"),
        ("v↓v", 1, "UNSUPPORTED", "write ⊃ in front of it"),
        ("v⍉m", 1, "UNSUPPORTED", "⍉ with axes that are not constants"),
        ("1+t", 3, "DOMAIN ERROR", "+ needs numbers, got characters"),
        ("t,v", 1, "UNSUPPORTED", ", of characters and numbers"),
        ("v⊃m", 1, "UNSUPPORTED", "⊃ other than of one element of a vector"),
        ("m⍳v", 1, "UNSUPPORTED", "⍳ with [double]2 on the left"),
    ],
)  # fmt: skip
def test_messages_about_inputs(text: str, column: int, kind: str, fragment: str) -> None:
    (found,) = diagnostics(text, v=VECTOR, m=MATRIX, t=TEXT)
    assert (*place(found), found.kind) == (1, column, kind)
    assert fragment in found.message


# ---- how a message is shown ----------------------------------------------------------------------------


def test_operands_are_described_with_the_line_of_their_assignment() -> None:
    (found,) = diagnostics("a←1 2 3\nb←2 2⍴1\n\n a + b")
    assert found.render() == (
        "test.apl:4:2: RANK ERROR: + needs equal ranks or a scalar, got <int>3 and [int]2\n"
        "  4 |  a + b\n"
        "    |  ^^^^^ a is <int>3 (line 1), b is [int]2 (line 2)"
    )


def test_calls_lead_to_the_message() -> None:
    text = "f←{⍵+1 2}\ng←{\n  f ⍵}\nh←g∘⌽\nx←h 1 2 3"
    (found,) = diagnostics(text)
    assert found.render() == (
        "test.apl:1:4: LENGTH ERROR: + needs equal lengths, got <int>3 and <int>2\n"
        "  1 | f←{⍵+1 2}\n"
        "    |    ^^^^^ ⍵ is <int>3, 1 2 is <int>2\n"
        "  called from test.apl:3:3: f ⍵\n"
        "  called from test.apl:5:3: h 1 2 3"
    )


def test_an_error_in_the_arguments_of_a_call_has_no_trail() -> None:
    (found,) = diagnostics("f←{⍵}\nf 1+'a'")
    assert found.trail == ()


def test_one_cause_that_two_calls_run_into_is_told_once() -> None:
    (found,) = diagnostics("f←{⍵+'a'}\nf 1\nf 2 3")
    assert [(call.line, call.column) for call in found.trail] == [(2, 1)]


def test_two_causes_in_one_function_are_told_at_their_calls() -> None:
    found = diagnostics("f←{⍵+1 2}\nf 1 2 3\nf 2 2⍴1")
    assert [(d.kind, place(d), d.trail[0].line) for d in found] == [
        ("LENGTH ERROR", (1, 4), 2),
        ("RANK ERROR", (1, 4), 3),
    ]


def test_the_first_twenty_errors_are_reported() -> None:
    text = "\n".join(f"1+x{k}" for k in range(25))
    found = diagnostics(text)
    assert MAX_ERRORS == 20
    assert [place(d) for d in found] == [(line, 3) for line in range(1, 21)]


@pytest.mark.parametrize(
    "text",
    [
        "a←b⋄a+1⋄a f 2⋄f←a∘+⋄f 1",
        "f←+/∘b⋄f 1",
        "f←g←b∘+⋄f 1⋄g 2",
        "x←(y←b)+1⋄x,y",
        "b[a←1]⋄a",
        "a←3⋄a←a+b⋄a×'x'",
        "a←b⋄f←{a+⍵}⋄f 3",
        "a←b⋄f←{⍵+1}⋄c←f a⋄c+1⋄f c",
    ],
)
def test_what_follows_from_an_error_is_not_reported(text: str) -> None:
    (found,) = diagnostics(text)
    assert found.message == "b is not defined"


def test_the_statements_between_errors_are_elaborated() -> None:
    found = diagnostics("a←zz\nb←1 2 3\nc←a+b\nb+1 2\nc+b")
    assert [(place(d), d.kind) for d in found] == [((1, 3), "VALUE ERROR"), ((4, 1), "LENGTH ERROR")]


def test_errors_of_the_same_text_in_two_files_are_two() -> None:
    files = [parse(Source(name, "1+'a'")) for name in ("one.apl", "two.apl")]
    with pytest.raises(CompileError) as caught:
        elaborate_program(files, {})
    assert [str(d.span) for d in caught.value.diagnostics] == ["one.apl:1:3", "two.apl:1:3"]


@pytest.mark.parametrize(
    ("text", "name", "kind", "fragment"),
    [
        ("x←5", "f", "VALUE ERROR", "there is no function f in the program"),
        ("x←5", "x", "VALUE ERROR", "there is no function x in the program"),
        ("f←+\n5", None, "SYNTAX ERROR", "this is no function"),
        ("", None, "SYNTAX ERROR", "this is no function"),
        ("+/'a'+⊢", None, "DOMAIN ERROR", "+ needs numbers, got characters"),
        ("f←{⍺+⍵}", "f", "VALUE ERROR", "⍺ is not defined"),
    ],
)
def test_asking_for_a_function(text: str, name: str | None, kind: str, fragment: str) -> None:
    with pytest.raises(CompileError) as caught:
        elaborate_function([parse(Source("test.apl", text))], name, {"⍵": VECTOR})
    (found,) = caught.value.diagnostics
    assert found.kind == kind
    assert fragment in found.message


# ---- no message speaks of what is inside ---------------------------------------------------------------

MODULES = (elaborate, infix, operators, overloads, scope, structure)
CLASSES = {name for module in MODULES for name, value in vars(module).items() if isinstance(value, type)}
MONOMORPHIC = re.compile(r".*[a-z][idbcV]\b|reduce1|transp2?|[a-z]+[A-Z]\w*|b2i|i2d|d2i|i2b|inner1")
INTERNAL = CLASSES | {name for name in PRIMS if MONOMORPHIC.fullmatch(name)} | {"NoneType", "None"}
WORD = re.compile(r"\w+")


@pytest.mark.parametrize("text", [text for text, _ in ROWS])
def test_no_message_names_what_the_user_did_not_write(text: str) -> None:
    for diagnostic in diagnostics(text):
        said = f"{diagnostic.message} {diagnostic.note}"
        assert "_" not in said
        assert not set(WORD.findall(said)) & INTERNAL
