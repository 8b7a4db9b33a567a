"""Annotations in comments: every form of a type, where they stand, and every mistake with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aplc.apl_front.syntax.ast import Annotation, Dfn, File, Statement
from aplc.apl_front.syntax.ast_print import render
from aplc.apl_front.syntax.parser import parse
from aplc.inputs import decode
from aplc.tail.errors import CompileError, Diagnostic, Unsupported
from aplc.tail.source import Source
from aplc.tail.types import Array, Base, BaseVar, Func, Rho, Single, SingleVector, Tuple, Type, Vector, scalar

K, N = BaseVar("κ"), Rho.of("ρ")


def tree(text: str) -> File:
    return parse(Source("test.apl", text))


def above(type_text: str, sign: str = "⍝:") -> Annotation:
    """The annotation in the line above a function that is no dfn."""
    (statement,) = tree(f"{sign} {type_text}\nf←+/").statements
    assert statement.annotation is not None
    return statement.annotation


def dfn_of(statement: Statement) -> Dfn:
    """The dfn of a statement `name←{…}`."""
    dfn = statement.items[-1]
    assert isinstance(dfn, Dfn)
    return dfn


def behind(text: str) -> Annotation:
    """The annotation behind the brace of the only statement, `name←{…}`."""
    (statement,) = tree(text).statements
    assert statement.annotation is None
    annotation = dfn_of(statement).annotation
    assert annotation is not None
    return annotation


def mistakes(text: str) -> list[tuple[int, int, str, str]]:
    """Line, column, kind and message of all that is wrong."""
    with pytest.raises(CompileError) as caught:
        tree(text)
    return [place(diagnostic) for diagnostic in caught.value.diagnostics]


def place(diagnostic: Diagnostic) -> tuple[int, int, str, str]:
    assert diagnostic.span is not None
    return diagnostic.span.line, diagnostic.span.column, diagnostic.kind, diagnostic.message


def attached(text: str) -> list[str]:
    """The types of all annotations of a text, those of statements first."""
    found: list[str] = []

    def body(statements: tuple[Statement, ...]) -> None:
        for statement in statements:
            if statement.annotation:
                found.append(f"above {statement.annotation.type}")
            for item in statement.items:
                if isinstance(item, Dfn):
                    if item.annotation:
                        found.append(f"behind {item.annotation.type}")
                    body(item.body)

    body(tree(text).statements)
    return found


# ---- the forms of a type ----------------------------------------------------------------------------------

FORMS: dict[str, Type] = {
    "int": scalar(Base.INT),
    "double": scalar(Base.DOUBLE),
    "bool": scalar(Base.BOOL),
    "char": scalar(Base.CHAR),
    "[int]0": scalar(Base.INT),
    "[int]15": Array(Base.INT, Rho(15)),
    "[κ]ρ": Array(K, N),
    "[κ](ρ+1)": Array(K, N + 1),
    "[κ] (ρ+1)": Array(K, N + 1),
    "[ κ ]( 1 + ρ )": Array(K, N + 1),
    "[⍺]⍴": Array(BaseVar("α"), N),
    "[α]ρ": Array(BaseVar("α"), N),
    "<κ>ρ": Vector(K, N),
    "<κ> ρ": Vector(K, N),
    "<κ>(ρ)": Vector(K, N),
    "<int>3": Vector(Base.INT, Rho(3)),
    "<κ>(ρ+3-2)": Vector(K, N + 1),
    "<κ>(ρ+2-1+1)": Vector(K, N + 2),
    "<a>n": Vector(BaseVar("a"), Rho.of("n")),
    "<elem_1>n₁": Vector(BaseVar("elem_1"), Rho.of("n₁")),
    "<β>γ2": Vector(BaseVar("β"), Rho.of("γ2")),
    "S(int,ρ)": Single(Base.INT, N),
    "S ( int , ρ-1 )": Single(Base.INT, N - 1),
    "S(int,¯1)": Single(Base.INT, Rho(-1)),
    "S(int,-1)": Single(Base.INT, Rho(-1)),
    "S(bool,1)": Single(Base.BOOL, Rho(1)),
    "SV(int,ρ)": SingleVector(Base.INT, N),
    "(int,double)": Tuple((scalar(Base.INT), scalar(Base.DOUBLE))),
    "([κ]ρ, (int, <char>ρ))": Tuple((Array(K, N), Tuple((scalar(Base.INT), Vector(Base.CHAR, N))))),
    "(int)": scalar(Base.INT),
    "κ": scalar(K),
}


@pytest.mark.parametrize("text", FORMS)
def test_every_form_of_an_argument(text: str) -> None:
    annotation = above(f"{text} → int")
    assert annotation.type == Func((FORMS[text],), scalar(Base.INT))
    assert annotation.parts[0].type == FORMS[text]
    assert annotation.parts[0].span.text == text
    assert annotation.operands == 0


@pytest.mark.parametrize("text", FORMS)
def test_what_is_printed_reads_back(text: str) -> None:
    ty = above(f"{text} → {text}").type
    assert above(str(ty)).type == ty


@pytest.mark.parametrize("text", ["int → int", "int -> int", "int→int", "int->int", " int  →\tint  "])
@pytest.mark.parametrize("sign", ["⍝:", "⍝ :", "⍝  : ", "⍝:\t", "⍝\xa0:\xa0"])
def test_arrows_blanks_and_signs(text: str, sign: str) -> None:
    assert above(text, sign).type == Func((scalar(Base.INT),), scalar(Base.INT))


def test_operands_come_first() -> None:
    annotation = above("(κ→κ→κ) → (κ -> κ1) → [κ]ρ → [κ](ρ+1) → [κ1]ρ")
    assert annotation.operands == 2
    assert annotation.names == ("⍺⍺", "⍵⍵", "⍺", "⍵")
    assert annotation.type.params[0] == Func((scalar(K), scalar(K)), scalar(K))
    assert [part.span.text for part in annotation.parts] == [
        "(κ→κ→κ)", "(κ -> κ1)", "[κ]ρ", "[κ](ρ+1)", "[κ1]ρ",
    ]  # fmt: skip


def test_operands_that_are_arrays() -> None:
    both = behind("f←{⍝: (κ→κ) → int → [κ]ρ → [κ]ρ\n(⍺⍺⍣⍵⍵)⍵}")
    assert (both.operands, both.names) == (2, ("⍺⍺", "⍵⍵", "⍵"))
    first = behind("f←{⍝: int → (κ→κ) → [κ]ρ → int\n⍵⍵ ⍺⍺+{⍺⍺ ⍵}⍵}")
    assert (first.operands, first.names) == (2, ("⍺⍺", "⍵⍵", "⍵"))
    dyadic = behind("f←{⍝: int → int → int → int\n⍺+⍺⍺+⍵}")
    assert (dyadic.operands, dyadic.names) == (1, ("⍺⍺", "⍺", "⍵"))


def test_names_of_the_arguments() -> None:
    assert above("int → int").names == ("⍵",)
    assert above("int → int → int").names == ("⍺", "⍵")
    (statement,) = tree("⍝: int\nx←3").statements
    assert statement.annotation is not None
    assert statement.annotation.names == ()


# ---- where annotations stand ------------------------------------------------------------------------------


def test_diff_of_the_thesis() -> None:
    annotation = behind("diff ← {      ⍝: <κ>(ρ+1) → <κ>ρ\n    1↓⍵-¯1⌽⍵\n}")
    assert annotation.type == Func((Vector(K, N + 1),), Vector(K, N))
    assert [(part.span.line, part.span.column) for part in annotation.parts] == [(1, 18), (1, 29)]
    assert annotation.span.text == "<κ>(ρ+1) → <κ>ρ"


def test_signal_of_the_thesis() -> None:
    annotation = behind("signal ← {    ⍝: <double>ρ → <double>ρ\n    ¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵\n}")
    assert annotation.type == Func((Vector(Base.DOUBLE, N),), Vector(Base.DOUBLE, N))


DOT = """dot ← { ⍝: (κ→κ→κ)→(κ→κ→κ) →[κ] (ρ1+1)
        ⍝ →[κ] (ρ2+1)→[κ] (ρ1+ρ2)
    WA ← (1↓⍴⍵),⍴⍺
    ⍺⍺ / WA ⍵⍵ ⍵ ⍝ : not this → one
}
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_dot_of_the_thesis_goes_on_in_a_second_line(end: str) -> None:
    annotation = behind(DOT.replace("\n", end))
    r1, r2 = Rho.of("ρ1"), Rho.of("ρ2")
    function = Func((scalar(K), scalar(K)), scalar(K))
    params = (function, function, Array(K, r1 + 1), Array(K, r2 + 1))
    assert annotation.type == Func(params, Array(K, r1 + r2))
    assert annotation.operands == 2
    assert [part.span.text for part in annotation.parts] == [
        "(κ→κ→κ)", "(κ→κ→κ)", "[κ] (ρ1+1)", "[κ] (ρ2+1)", "[κ] (ρ1+ρ2)",
    ]  # fmt: skip
    if end.endswith("\n"):
        places = [(part.span.line, part.span.column) for part in annotation.parts]
        assert places == [(1, 12), (1, 20), (1, 29), (2, 12), (2, 23)]


def test_a_byte_order_mark_moves_nothing() -> None:
    text = "⍝: <κ>ρ → <κ>ρ\r\nf←⌽\r\n"
    (statement,) = parse(decode(text.encode("utf-8-sig"), "test.apl")).statements
    assert statement.annotation is not None
    assert [(part.span.line, part.span.column) for part in statement.annotation.parts] == [(1, 4), (1, 11)]
    (kept,) = tree("\ufeff" + text).statements
    assert kept.annotation is not None
    assert kept.annotation.span.text == "<κ>ρ → <κ>ρ"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("⍝: int → int\nf←{⍵}", ["above int → int"]),
        ("⍝: int → int\n  f ← {⍵} ⋄ g←{⍵}", ["above int → int"]),
        ("x←1\n⍝: int → int\nf←{⍵}", ["above int → int"]),
        ("⍝ first\n⍝: int → int\n⍝ doubles\nf←{⍵}", ["above int → int"]),
        ("⍝: int →\n⍝ int\nf←-", ["above int → int"]),
        ("⍝: int\n⍝: → int\nf←-", ["above int → int"]),
        ("⍝: int ->\n⍝: int\n⍝ -> int\nf←-", ["above int → int → int"]),
        ("⍝: int → int ⍝ a remark → here\n⍝ → int ⍝ more\nf←-", ["above int → int → int"]),
        ("⍝: int → int\r\n\tf←-\r\n", ["above int → int"]),
        ("⍝: int → int\n\nf←{⍵}", []),
        ("⍝: int → int\n \nf←{⍵}", []),
        ("⍝: int → int\n\n⍝ doubles\nf←{⍵}", []),
        ("⍝: int → int\n⋄ f←{⍵}", []),
        ("⋄ ⍝: int → int\nf←{⍵}", []),
        ("f←{⍵}\n⍝: int → int", []),
        ("f←{⍵} ⍝: int → int", []),
        ("f←{⍵} ⍝: int → int\ng←{⍵}", []),
        ("f←{⍵\n⍝: int → int\n}", []),
        ("f←{⍵ ⍝: int → int\n}", []),
        ("f←{\n⍝: int\nx←⍵\nx}", ["above int"]),
        ("f←{⍝: int → int\n⍝: int\nx←⍵\nx}", ["behind int → int", "above int"]),
        ("f←{⍝ : int → int\n⍝ → int\n⍺+⍵}", ["behind int → int → int"]),
        ("f←{ ⍝: int → int\n\n⍝ → int\n⍵}", ["behind int → int"]),
        ("f←{ ⍝ doubles\n⍝ → int\n⍵}", []),
        ("{⍝: int → int\n⍵}3", ["behind int → int"]),
        ("f←{⋄⍝: int → int\n⍵}", []),
        ("f←{⍝: int → int\n g←{⍝: [int]1 → int\n +/⍵} ⋄ g ⍵,1}",
         ["behind int → int", "behind [int]1 → int"]),
        ("f←{g←{⍝: [int]1 → int\n+/⍵}\n⍝: int → int\nh←{-⍵}\nh g ⍵,1}",
         ["behind [int]1 → int", "above int → int"]),
        ("f←{{⍝: int → int\n⍵}⍵}", ["behind int → int"]),
        ("⍝: int\nx←3", ["above int"]),
        ("⍝: <char>2\n'ab'", ["above <char>2"]),
        ("⍝: S(int,3)\nx←3", ["above S(int,3)"]),
        ("⍝: int\nx←{⍵}3", ["above int"]),
        ("⍝: int → int\nf←{⍵}⋄1", ["above int → int"]),
        ("'⍝: int → int'\nf←{⍵}", []),
    ],
)  # fmt: skip
def test_what_an_annotation_belongs_to(text: str, expected: list[str]) -> None:
    assert [found.replace("[int]0", "int") for found in attached(text)] == expected


@pytest.mark.parametrize(
    "comment",
    [
        "⍝ == int → int", "⍝ int → int", "⍝ f: int → int", "⍝: see below", "⍝ : see below", "⍝:", "⍝",
        "⍝: integer division", "⍝: doubles it", "⍝: Some words", "⍝: note: later", "⍝ ⍝: int → int",
        "⍝: see ⍝ int → int", "⍝: 3 arguments", "⍝: κ",
    ],
)  # fmt: skip
def test_ordinary_comments(comment: str) -> None:
    assert attached(f"{comment}\nf←{{{comment}\n⍵}}") == []


def test_equality_does_not_see_annotations() -> None:
    text = "⍝: int → int\nf←{⍵}"
    source = Source("test.apl", text)
    (statement,) = parse(source).statements
    assert statement == Statement(statement.items, statement.span)


def test_the_printed_tree_shows_annotations() -> None:
    text = render(tree("⍝: int\nx←3\nf←{⍝: <κ>(1+ρ) -> int\n⍝: bool\n⍵:1\n0}"))
    assert text.splitlines() == [
        "2:1 statement",
        "  1:4 annotation [int]0",
        "  2:1 name x",
        "  2:2 arrow ←",
        "  2:3 number 3",
        "3:1 statement",
        "  3:1 name f",
        "  3:2 arrow ←",
        "  3:3 dfn",
        "    3:7 annotation <κ>(ρ+1) → [int]0",
        "    5:1 guard",
        "      4:4 annotation [bool]0",
        "      condition",
        "        5:1 name ⍵",
        "      value",
        "        5:3 number 1",
        "    6:1 statement",
        "      6:1 number 0",
    ]


# ---- mistakes ---------------------------------------------------------------------------------------------

NO_RESULT = "a function in parentheses is an operand, not a result: leave the parentheses out"
NO_SUM = "no argument says what {} is: it must stand once on its own, or with a number added"
ONLY = "{} stands in the result only: no argument says what it is"
UNNAMED = "an operand that the braces do not name: there is no {} in them"

# The type behind `⍝: `, the column in it, and the message. A function without braces stands below.
WRONG: list[tuple[str, int, str]] = [
    ("int →", 5, "the result is missing behind the last arrow"),
    ("int → int ->", 11, "the result is missing behind the last arrow"),
    ("→ int", 1, "a type is missing before →"),
    ("int → → int", 7, "a type is missing before →"),
    ("(→int) → int", 2, "a type is missing before →"),
    ("(int→) → int", 6, "a type is missing before )"),
    ("(int, → int", 7, "a type is missing before →"),
    ("(int", 5, "expected ), got the end"),
    ("(int,", 6, "a type is missing"),
    ("() → int", 1, "nothing inside ( )"),
    ("(int double) → int", 6, "expected ), got double"),
    ("[int → int", 6, "expected ], got →"),
    ("[int]", 6, "the rank is missing, as in [int]1"),
    ("[int] → int", 6, "the rank is missing, as in [int]1"),
    ("int → <int>", 12, "the length is missing, as in <int>3"),
    ("[]1 → int", 2, "expected a base type, got ]"),
    ("[3]1 → int", 2, "expected a base type, got 3"),
    ("[int]1 → 3", 10, "expected a base type, got 3"),
    ("[int](1 → int", 9, "expected ), got →"),
    ("[int](+1) → int", 7, "expected a number or a variable, got +"),
    ("[int](1+) → int", 9, "expected a number or a variable, got )"),
    ("[int]int → int", 6, "int is a base type and stands where a length or rank is expected"),
    ("[int]16 → int", 6, "a rank is at most 15"),
    ("[int](n+16) → int", 6, "a rank is at most 15"),
    ("<int>1234567890123456789 → int", 6, "the number is too large"),
    ("<κ>ρ → <κ>(ρ-1)", 11, "a length ρ-1 may be negative: write n where the other has n+1"),
    ("[κ](ρ-1) → [κ]ρ", 4, "a rank ρ-1 may be negative: write n where the other has n+1"),
    ("S(int) → int", 6, "expected ,, got )"),
    ("S → int", 3, "expected (, got →"),
    ("S(int,) → int", 7, "expected a number or a variable, got )"),
    ("<κ>ρ+1 → <κ>ρ", 5, "expected an arrow or the end, got +: put a sum in parentheses, as in <κ>(ρ+1)"),
    ("int, int → int", 4, "expected an arrow or the end, got ,: a tuple stands in parentheses, (int,int)"),
    ("int → int)", 10, "expected an arrow or the end, got ): no ( is open here"),
    ("int → int twice", 11, "expected an arrow or the end, got twice"),
    ("int → int.", 10, "expected an arrow or the end, got ."),
    ("int * int → int", 5, "expected an arrow or the end, got *"),
    ("∀κ. κ → κ", 1, "expected a base type, got ∀"),
    ("%→ int", 1, "expected a type, got %"),
    ("[float]ρ → [float]ρ", 2, "float is no type: write double"),
    ("integer → int", 1, "integer is no type: write int"),
    ("string → int", 1, "string is no type: write <char>n"),
    ("Int → Int", 1, "Int is no type, and a variable is a lower-case or Greek name"),
    ("[κ]N → int", 4, "N is no type, and a variable is a lower-case or Greek name"),
    ("_x → int", 1, "_x is no type, and a variable is a lower-case or Greek name"),
    ("[κ]κ → int", 4, "κ is a base type before and a length or rank here: take another name"),
    ("<κ>n → n", 8, "n is a length or rank before and a base type here: take another name"),
    ("<κ>2n → n", 9, "n is a length or rank before and a base type here: take another name"),
    ("<κ>2n → int", 4, NO_SUM.format("n")),
    ("<κ>(m+n) → <κ>n", 5, NO_SUM.format("m")),
    ("int → κ", 7, ONLY.format("κ")),
    ("int → [κ]1", 8, ONLY.format("κ")),
    ("int → <int>(n+1)", 13, ONLY.format("n") + "; [int]1 is a vector of any length"),
    ("(int → int)", 1, NO_RESULT),
    ("int → (int → int)", 7, NO_RESULT),
    ("int → (int→int) → int", 7, "a function behind an array: the order is ⍺⍺ ⍵⍵ ⍺ ⍵"),
    ("int → int → int → int", 13, "a function has at most two arguments, ⍺ and ⍵"),
    ("(κ→κ) → κ → κ → κ → κ", 17, "a function has at most two arguments, ⍺ and ⍵"),
    ("(κ→κ) → (κ→κ) → (κ→κ) → κ → κ", 17, "an operator has at most two operands"),
    ("(κ→κ→κ→κ) → κ → κ", 1, "an operand takes at most two arguments"),
    ("((κ→κ)→κ) → κ → κ", 1, "an operand takes and gives arrays, not functions"),
    ("(κ→(κ→κ)) → κ → κ", 1, "an operand takes and gives arrays, not functions"),
    ("(int,(int→int)) → int", 1, "a tuple has arrays as its items, not functions"),
    ("(()→κ) → κ → κ", 1, "nothing inside ( )"),
    ("(κ→κ) → κ", 1, "no type for ⍵: the operand alone has one"),
    ("(κ→κ) → (κ→κ) → κ", 1, "no type for ⍵: the operands alone have one"),
    ("(" * 60 + "→", 50, "the type is nested too deeply"),
    ("[κ]ρ", 2, "κ is a variable, and the type of a value has none"),
    ("<int>n", 6, "n is a variable, and the type of a value has none"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "column", "message"), WRONG)
def test_mistakes_and_their_places(text: str, column: int, message: str) -> None:
    assert mistakes(f"⍝: {text}\nf←+/") == [(1, 3 + column, "TYPE ERROR", message)]


# A whole program, and line, column and message of its only mistake.
WRONG_PLACES: list[tuple[str, int, int, str]] = [
    ("f←{⍝: int\n⍵}", 1, 7, "the type of a function has an arrow: argument → result"),
    ("⍝: int\nf←{⍵}", 1, 4, "the type of a function has an arrow: argument → result"),
    ("f←{⍝: int → [int]\n⍵}", 1, 18, "the rank is missing, as in [int]1"),
    ("f←{⍝: int →\n⍝ [int]\n⍵}", 2, 8, "the rank is missing, as in [int]1"),
    ("f←{⍝: int → int\n⍝ → →\n⍵}", 2, 5, "a type is missing before →"),
    ("f←{⍝: int →\n⍵}", 1, 11, "the result is missing behind the last arrow"),
    ("f←{⍝: int →\n\n⍝ int\n⍵}", 1, 11, "the result is missing behind the last arrow"),
    ("⍝: int → int\n⍝ : [int]1 → int\nf←{⍵}", 2, 5, "a second annotation: line 1 has one already"),
    ("⍝: int → int\nf←{⍝: int → int\n⍵}", 2, 7, "a second annotation: line 1 has one already"),
    ("f←{⍝: (κ→κ) → κ → κ\n⍵}", 1, 7, UNNAMED.format("⍺⍺")),
    ("f←{⍝: (κ→κ) → κ → κ\n{⍺⍺ ⍵}⍵}", 1, 7, UNNAMED.format("⍺⍺")),
    ("f←{⍝: (κ→κ) → (κ→κ) → κ → κ\n⍺⍺ ⍵}", 1, 15, UNNAMED.format("⍵⍵")),
    ("f←{⍝: κ → κ\n⍺⍺ ⍵}", 1, 7, "no type for ⍵: the operand alone has one"),
    ("f←{⍝: κ → κ → κ → κ\n⍺+⍵}", 1, 15, "a function has at most two arguments, ⍺ and ⍵"),
    ("a←1\r\n\tf←{ ⍝: [int] → int\r\n⍵}", 2, 14, "the rank is missing, as in [int]1"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG_PLACES)
def test_mistakes_of_whole_programs(text: str, line: int, column: int, message: str) -> None:
    assert mistakes(text) == [(line, column, "TYPE ERROR", message)]


def test_mistakes_are_reported_with_the_others_in_order() -> None:
    found = mistakes("⍝: [int] → int\nf←{⍵}\nx←(\ng←{⍝: int\n⍵}")
    assert [(line, kind) for line, _, kind, _ in found] == [
        (1, "TYPE ERROR"),
        (3, "SYNTAX ERROR"),
        (4, "TYPE ERROR"),
    ]


def test_an_unclosed_brace_is_one_mistake() -> None:
    assert [kind for _, _, kind, _ in mistakes("f←{⍝: (int→int) → int → int\n⍺⍺ ⍵")] == ["SYNTAX ERROR"]


def test_a_message_names_the_sign_that_is_wrong() -> None:
    with pytest.raises(CompileError) as caught:
        tree("f←{⍝: <κ>n → <κ>(n-1)\n⍵}")
    assert caught.value.diagnostics[0].render().splitlines()[1:] == [
        "  1 | f←{⍝: <κ>n → <κ>(n-1)",
        "    |                 ^^^^^",
    ]


PIECES = [
    "int",
    "κ",
    "n",
    "[κ]",
    "<κ>",
    "(",
    ")",
    ",",
    "→",
    "->",
    "+",
    "-",
    "3",
    "2n",
    "S(",
    "∀",
    "Q",
    " ",
    "⍝",
    "\n⍝ ",
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(["f←+/", "f←{⍵}", "f←{⍺⍺ ⍵⍵ ⍵}", "x←1"])
)
def test_any_text_is_a_type_or_one_mistake(pieces: list[str], below: str) -> None:
    text = "⍝: " + "".join(pieces) + "\n" + below
    try:
        (statement,) = tree(text).statements
    except CompileError as error:
        assert not isinstance(error, Unsupported)
        (diagnostic,) = error.diagnostics
        assert diagnostic.kind == "TYPE ERROR"
        assert diagnostic.span is not None
        assert diagnostic.span.start <= diagnostic.span.end <= text.rindex("\n")
    else:
        annotation = statement.annotation
        if annotation is not None:
            assert annotation.type == Func(
                tuple(part.type for part in annotation.parts[:-1]), annotation.parts[-1].type
            )
            assert all(annotation.span.start <= part.span.start for part in annotation.parts)
            assert all(part.span.end <= annotation.span.end for part in annotation.parts)
