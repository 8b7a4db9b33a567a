"""The tree of APL text: shapes, spans, every mistake with its place, and that nothing else can go wrong."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aplc.apl_front.syntax.ast import Bracket, Dfn, File, Item, Paren, Statement
from aplc.apl_front.syntax.ast_print import render
from aplc.apl_front.syntax.lexer import GLYPHS, LOOK_ALIKES, MAX_ERRORS, tokenize
from aplc.apl_front.syntax.parser import build_parser, parse
from aplc.inputs import decode
from aplc.tail.errors import UNSUPPORTED, AplcError, CompileError, Diagnostic
from aplc.tail.source import Source


def tree(text: str) -> File:
    return parse(Source("test.apl", text))


def only(text: str) -> Item:
    """The single item of a single statement."""
    (statement,) = tree(text).statements
    (item,) = statement.items
    return item


def mistakes(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(AplcError) as caught:
        tree(text)
    return caught.value.diagnostics


def test_the_grammar_has_no_conflict_and_nothing_unused(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    build_parser(logging.getLogger("ply"))
    assert caplog.records == []


# ---- what is right ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n\n", "⋄ ⋄\r\n⋄", "⍝ only\n  ⍝ comments", "\ufeff", " \t "])
def test_nothing_is_a_program(text: str) -> None:
    file = tree(text)
    assert file.statements == ()
    assert (file.span.start, file.span.end) == (0, len(text))
    assert render(file) == ""


def test_statements_and_their_spans() -> None:
    file = tree("⍝ head\n a ← 1 ⋄ b\r\n\n  f←{⍵ ⍝ in\n } ⍝ out\n")
    assert [statement.span.text for statement in file.statements] == ["a ← 1", "b", "f←{⍵ ⍝ in\n }"]
    assert [str(statement.span) for statement in file.statements] == [
        "test.apl:2:2",
        "test.apl:2:10",
        "test.apl:4:3",
    ]


def test_newlines_and_diamonds_inside_braces() -> None:
    dfn = only("{a←⍵\r\n\n b←a ⍝ c\n⋄ a+b\n}")
    assert isinstance(dfn, Dfn)
    assert [statement.span.text for statement in dfn.body] == ["a←⍵", "b←a", "a+b"]
    assert dfn.span.text.startswith("{") and dfn.span.text.endswith("}")


def test_guards() -> None:
    dfn = only("{⍵ > 0 : 1+⍵ ⋄ ⍺}")
    assert isinstance(dfn, Dfn)
    guard, rest = dfn.body
    assert guard.guard is not None
    assert [item.span.text for item in guard.guard] == ["⍵", ">", "0"]
    assert [item.span.text for item in guard.items] == ["1", "+", "⍵"]
    assert guard.span.text == "⍵ > 0 : 1+⍵"
    assert rest.guard is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_guards_line_by_line(end: str) -> None:
    lines = ["\ufefff←{", "  ⍵=0: 1 ⍝ one", "  ⍵=1: {⍵", "    +1", "  } 2", "", "  (⍵=2) ∧ ⍺: ⍵ ⋄ 0", "}"]
    (statement,) = tree(end.join(lines)).statements
    dfn = statement.items[-1]
    assert isinstance(dfn, Dfn)
    assert [inner.guard is not None for inner in dfn.body] == [True, True, True, False]
    assert [inner.span.line for inner in dfn.body] == ([2, 3, 7, 7] if "\n" in end else [1] * 4)
    assert len(dfn.body[1].items) == 2


@pytest.mark.parametrize("text", ["{a:=/⍵}", "{a:=⍨⍵}", "{a: = ∘f ⍵}", "{⍵=1:= ⍵}"])
def test_a_guard_whose_value_begins_with_equals(text: str) -> None:
    dfn = only(text)
    assert isinstance(dfn, Dfn)
    assert dfn.body[0].guard is not None


@pytest.mark.parametrize("text", ["{}", "{ ⍝ nothing\n\n}", "{⋄}"])
def test_an_empty_dfn(text: str) -> None:
    dfn = only(text)
    assert isinstance(dfn, Dfn)
    assert dfn.body == ()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[]", [[]]),
        ("[i]", [["i"]]),
        ("[i;j]", [["i"], ["j"]]),
        ("[;j]", [[], ["j"]]),
        ("[i;;k+1]", [["i"], [], ["k", "+", "1"]]),
        ("[(1 2);x[3]]", [["(1 2)"], ["x", "[3]"]]),
        ("[{⍵>0:1 ⋄\n2};]", [["{⍵>0:1 ⋄\n2}"], []]),
    ],
)
def test_brackets(text: str, parts: list[list[str]]) -> None:
    bracket = only(text)
    assert isinstance(bracket, Bracket)
    assert [[item.span.text for item in part] for part in bracket.parts] == parts
    assert bracket.span.text == text


def test_parentheses_with_braces_over_lines() -> None:
    paren = only("({a←⍵\n a+1} 5)")
    assert isinstance(paren, Paren)
    assert [item.span.text for item in paren.items] == ["{a←⍵\n a+1}", "5"]


def test_render() -> None:
    file = tree("x[1;;⍬]←'it''s' ⋄ f←{⍵>¯2.5:⎕IO\n(⍺)}")
    assert render(file) == (
        "1:1 statement\n"
        "  1:1 name x\n"
        "  1:2 bracket\n"
        "    part\n"
        "      1:3 number 1\n"
        "    part (empty)\n"
        "    part\n"
        "      1:6 zilde ⍬\n"
        "  1:8 arrow ←\n"
        "  1:9 chars 'it''s'\n"
        "1:19 statement\n"
        "  1:19 name f\n"
        "  1:20 arrow ←\n"
        "  1:21 dfn\n"
        "    1:22 guard\n"
        "      condition\n"
        "        1:22 name ⍵\n"
        "        1:23 glyph >\n"
        "        1:24 number ¯2.5\n"
        "      value\n"
        "        1:29 name ⎕io\n"
        "    2:1 statement\n"
        "      2:1 paren\n"
        "        2:2 name ⍺\n"
    )


@pytest.mark.parametrize(("opener", "closer"), ["()", "[]", "{}"])
def test_deep_nesting(opener: str, closer: str) -> None:
    file = tree(opener * 5000 + "1" + closer * 5000)
    assert render(file).count("\n") > 5000
    assert len(mistakes(opener * 5000)) == MAX_ERRORS
    assert len(mistakes(closer * 5000)) == MAX_ERRORS


def test_many_statements() -> None:
    assert len(tree("s ← +/ 1 2 3 × y\n" * 5000).statements) == 5000


def test_several_threads_parse_at_once() -> None:
    texts = [f"f{i}←{{⍵:({i} + 1) ⋄ x[;{i}]}}\n" * 50 for i in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: render(tree(text)), texts)) == [
            render(tree(text)) for text in texts
        ]


# ---- what is wrong ----------------------------------------------------------------------------------------

ERRORS: list[tuple[str, list[tuple[int, int, str]]]] = [
    # one bracket too few
    ("(", [(1, 1, "unclosed (: no ) closes it")]),
    ("x←(1+2\ny", [(1, 3, "unclosed (: no ) closes it on its line")]),
    ("x←1 ⋄ y[1 ⋄ z", [(1, 8, "unclosed [: no ] closes it before ⋄")]),
    ("f←{⍵+1", [(1, 3, "unclosed {: no } closes it")]),
    ("f←{\n⍵>0: 1\ng←{⍵}\nh←{⍵\n}", [(1, 3, "unclosed {")]),
    ("((1+2)", [(1, 1, "unclosed (")]),
    ("((1+2", [(1, 1, "unclosed ("), (1, 2, "unclosed (")]),
    ("{(1+2}", [(1, 2, "unclosed (: no ) closes it before }")]),
    ("{⍵[1+2 ⋄ 3}", [(1, 3, "unclosed [: no ] closes it before ⋄")]),
    ("x[(1+2]", [(1, 3, "unclosed (: no ) closes it before ]")]),
    ("({⍵+1) 5", [(1, 2, "unclosed {: no } closes it before )")]),
    ("{(⍵: 1 ⋄ 2}", [(1, 2, "unclosed (")]),
    ("a←[1;2\nb←[", [(1, 3, "unclosed ["), (2, 3, "unclosed [")]),
    # one bracket too many
    (")", [(1, 1, "stray ): no ( is open here")]),
    ("x←1]+2", [(1, 4, "stray ]: no [ is open here")]),
    ("f←{⍵}}", [(1, 6, "stray }: no { is open here")]),
    ("(a])", [(1, 3, "stray ]")]),
    ("{⍵)}", [(1, 3, "stray )")]),
    ("f←{\n ⍵)\n ⍵>0: 1\n 2\n}", [(2, 3, "stray )")]),
    ("r←({\n ⍵)+1\n} 5)", [(2, 3, "stray )")]),
    (")\n]\n}", [(1, 1, "stray )"), (2, 1, "stray ]"), (3, 1, "stray }")]),
    # the wrong bracket
    ("(]", [(1, 2, "] cannot close the ( in column 1")]),
    ("x←(1+2]×3", [(1, 7, "] cannot close the ( in column 3")]),
    ("x[1)", [(1, 4, ") cannot close the [ in column 2")]),
    ("f←(⍵}", [(1, 5, "} cannot close the ( in column 3")]),
    ("f←{⍵\n⍵)\n", [(2, 2, ") cannot close the { of line 1")]),
    ("[(a])", [(1, 2, "unclosed (")]),
    # lists over lines, diamonds in parentheses: one error each
    ("x←(1 2\n3 4\n5 6)\ny←3]", [(1, 3, "unclosed ("), (4, 4, "stray ]")]),
    ("x←(1 2\ny←3)", [(1, 3, "unclosed ("), (2, 4, "stray )")]),
    ("(1 ⋄ 2 ⋄ 3)", [(1, 4, "⋄ separates statements and cannot stand inside ( )")]),
    ("x[1 ⋄ 2]", [(1, 5, "inside [ ]")]),
    # empty parentheses
    ("()", [(1, 1, "nothing inside ( ): write ⍬")]),
    ("x←f ( ⍝ c", [(1, 5, "unclosed (")]),
    ("a( )b\nf←{()}", [(1, 2, "nothing inside"), (2, 4, "nothing inside")]),
    # colons
    ("a:b", [(1, 2, "a colon outside braces: guards belong inside braces")]),
    (":If x\n:EndIf", [(1, 1, "control structures stand between two ∇ only: write a guard")]),
    (":For i :In a\n b\n:EndFor\n:while 1", [(1, 1, "control structures"), (4, 1, "control structures")]),
    ("f←{\n:if ⍵\n 1\n:else\n 2\n:endif\n}", [(2, 1, "control structures")]),
    (":Return", [(1, 1, "control structures")]),
    (":Iffy", [(1, 1, "a colon outside braces")]),
    ("{⍵:If}\n:x", [(2, 1, "a colon outside braces")]),
    ("x := 3", [(1, 3, ":= does not assign: write ←")]),
    ("{x:=3 ⋄ x}", [(1, 3, ":= does not assign: write ←")]),
    ("y←(x:=3)", [(1, 5, ":= does not assign: write ←")]),
    # definitions between two ∇
    ("∇ r←f x;i\n:If x\n r←1 ⋄ →0\n:EndIf\nloop:r←2\n∇\na:b", [(7, 2, "outside braces")]),
    ("∇f\n1:2\n∇\n∇g\n∇", [(2, 2, "a colon stands behind a label")]),
    ("∇f x\n1;2\n∇", [(2, 2, "; separates local names in the header")]),
    ("∇ r←f x", [(1, 1, "this ∇ is not closed")]),
    ("∇\n∇", [(1, 1, "∇ needs a header")]),
    ("∇ r←f x y z w\n∇", [(1, 1, "∇ needs a header")]),
    ("∇ 3←f x\n∇", [(1, 1, "∇ needs a header")]),
    ("∇ f x:1\n∇", [(1, 6, "∇ needs a header")]),
    ("∇ f x;1;(a)\n∇", [(1, 7, "only names stand behind ;"), (1, 9, "only names stand behind ;")]),
    ("∇ f x\n:If x\n∇", [(2, 1, "this :If has no :EndIf")]),
    ("∇ f x\n:If x\n:Else\n:Else\n:EndIf\n∇", [(4, 1, ":Else behind :Else"), (5, 1, "nothing that")]),
    ("∇ f x\n:For i :In x\n:If i\n:EndFor\n∇", [(3, 1, "this :If has no :EndIf")]),
    ("∇ f x\n:EndIf\n∇", [(2, 1, "there is nothing that :EndIf belongs to")]),
    ("∇ f x\n:If\n:EndIf\n∇", [(2, 1, "no condition behind :If")]),
    ("∇ f x\n:While x :AndIf x\n:End\n∇", [(2, 10, "a colon stands behind a label")]),
    ("∇ f x\n:If x\n:AndIf x\n:OrIf x\n:EndIf\n∇", [(4, 1, ":AndIf and :OrIf are not mixed")]),
    ("∇ f x\n:For 3 :In x\n:EndFor\n∇", [(2, 1, "write :For name :In array")]),
    ("∇ f x\n:For i\n:EndFor\n∇", [(2, 1, "write :For name :In array")]),
    ("∇ f x\n:Select\n:EndSelect\n∇", [(2, 1, "no value behind :Select")]),
    ("∇ f x\n:Select x\nx\n:Case 1\n:EndSelect\n∇", [(2, 1, "a statement between :Select")]),
    ("∇ f x\n:Leave\n∇", [(2, 1, ":Leave stands inside of a loop only")]),
    ("∇ f x\n:Return 5\n∇", [(2, 9, "nothing stands behind :Return")]),
    ("∇ f x\n:Trap 0\n∇", [(2, 1, "the control word :Trap is not supported yet")]),
    ("∇ f x\n→L\n∇", [(2, 1, "there is no label L in this function")]),
    ("∇ f x\nL:x\n→L\nL:2\n∇", [(4, 1, "there are two labels L in this function")]),
    ("∇ f x\n→L+1\nL:\n∇", [(2, 1, "→ with a computed line")]),
    ("∇ f x\n→(x)/7\n∇", [(2, 6, "→ to what is no label")]),
    ("∇ f x\n:If x\nL:\n:EndIf\n→L\n∇", [(3, 1, "a label inside of :If")]),
    ("∇ f x\n→x/B\nA:x\nB:x\n→x/A\n∇", [(5, 1, "→ back into lines that are also entered elsewhere")]),
    # comments of other languages
    ("// don't (\n# [\n)", [(1, 1, "a comment begins with ⍝"), (2, 1, "a comment"), (3, 1, "stray )")]),
    ("a:b:c", [(1, 2, "a colon outside braces")]),
    ("(a:b)", [(1, 3, "a colon in ( ): guards belong inside braces")]),
    ("{x[1:2]}", [(1, 5, "a colon in [ ]")]),
    ("{(⍵:1)}", [(1, 4, "a colon in ( )")]),
    ("{a:b:c}", [(1, 5, "a second colon")]),
    ("{11::0 ⋄ ÷⍵}", [(1, 5, "error guards (::) are not supported")]),
    ("{:1}", [(1, 2, "no condition before the colon")]),
    ("{⍵>0: ⋄ 2}", [(1, 5, "no value after the colon")]),
    ("{:}", [(1, 2, "no condition")]),
    # semicolons
    ("r←a;b;c", [(1, 4, "; stands between the indices in [ ] only")]),
    ("x[(1;2)]", [(1, 5, "; stands between")]),
    ("{a;b}", [(1, 3, "; stands between")]),
    ("{a:b;c}", [(1, 5, "; stands between")]),
    # quotes: nothing is said about the brackets around an unclosed one
    ("x←'abc", [(1, 3, "unclosed quote: no second '")]),
    ("f←{(⍵ 'abc)}\ng←1", [(1, 7, "unclosed quote")]),
    ("f←{\n⍵='abc)\n}\n1:2", [(2, 3, "unclosed quote"), (4, 2, "outside braces")]),
    ("('it's (so)')", [(1, 12, "unclosed quote")]),
    # tokens
    ("(1.2.3)", [(1, 2, "1.2.3 is not a number")]),
    ("x←($)", [(1, 4, "unknown character $")]),
    ("x\u2212€\r\n\u20181)\u2019", [(1, 3, "unknown character €"), (2, 1, "curly quotes")]),
    ("\ufeffa\u200b", [(1, 3, "ZERO WIDTH SPACE")]),
    # several, in their order
    (
        "f←{1E ⋄ ()\nx[1;2\n$}\n:)",
        [
            (1, 4, "1E is not a number"),
            (1, 9, "nothing inside"),
            (2, 2, "unclosed ["),
            (3, 1, "unknown character $"),
            (4, 1, "outside braces"),
            (4, 2, "stray )"),
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), ERRORS, ids=[repr(text) for text, _ in ERRORS])
def test_every_mistake_has_its_place(text: str, expected: list[tuple[int, int, str]]) -> None:
    found = mistakes(text)
    places = [(error.span.line, error.span.column) for error in found if error.span]
    assert places == [(line, column) for line, column, _ in expected], [error.render() for error in found]
    for error, (_, _, fragment) in zip(found, expected, strict=True):
        assert error.kind == (UNSUPPORTED if "not supported yet" in error.message else "SYNTAX ERROR")
        assert fragment in error.message


def test_the_first_twenty() -> None:
    found = mistakes("1.2.3\n()\n)\n" * 20)
    assert [error.span.line for error in found if error.span] == list(range(1, 21))


def test_a_message_as_it_is_read() -> None:
    with pytest.raises(CompileError) as caught:
        tree("x ← 1\ny ← (x]")
    assert str(caught.value) == (
        "test.apl:2:7: SYNTAX ERROR: ] cannot close the ( in column 5\n  2 | y ← (x]\n    |       ^"
    )


# ---- bytes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_decode(mark: bytes) -> None:
    source = decode(mark + "x←⍳3\r\n".encode(), "a.apl")
    assert (source.name, source.text) == ("a.apl", "x←⍳3\r\n")
    assert len(parse(source).statements) == 1


@pytest.mark.parametrize(
    ("data", "line", "column", "fragment"),
    [
        (b"\xff", 1, 1, "byte 0xFF is not UTF-8"),
        ("x←1\n⍳".encode() + b"\xe2\x8d", 2, 2, "byte 0xE2"),
        (b"\xef\xbb\xbfab\x80", 1, 3, "byte 0x80"),
        (b"x\n'caf\xe9'\n\xff", 2, 5, "byte 0xE9"),
        ("x←1".encode("utf-16"), 1, 1, "looks like UTF-16"),
        (b"\xed\xa0\x80", 1, 1, "byte 0xED"),
        (b"a\n b\x00c", 2, 3, "NUL"),
    ],
)
def test_bad_bytes(data: bytes, line: int, column: int, fragment: str) -> None:
    with pytest.raises(CompileError) as caught:
        decode(data, "a.apl")
    (error,) = caught.value.diagnostics
    assert error.span is not None
    assert (error.kind, error.span.line, error.span.column) == ("SYNTAX ERROR", line, column)
    assert fragment in error.message
    assert str(error.span) in error.render()


# ---- any text ---------------------------------------------------------------------------------------------

LETTERS = GLYPHS + "".join(LOOK_ALIKES) + "aé1.¯eE'\"⍺⍵⎕∇⍬ ⍝\r\n()[]{};:←⋄²$"
BRACKETS = "()[]{}()[]{}:;⋄\n'a"


def check_errors(errors: tuple[Diagnostic, ...], source: Source) -> None:
    assert 1 <= len(errors) <= MAX_ERRORS
    offsets = []
    for error in errors:
        assert error.span is not None
        assert error.span.source is source
        assert 0 <= error.span.start < error.span.end <= len(source.text)
        assert "\n" not in error.message
        offsets.append(error.span.start)
        error.render()
    assert offsets == sorted(offsets)


@given(st.text() | st.text(alphabet=LETTERS) | st.text(alphabet=BRACKETS, max_size=40))
def test_any_text_parses_or_says_why(text: str) -> None:
    source = Source("any.apl", text)
    try:
        file = parse(source)
    except AplcError as error:
        check_errors(error.diagnostics, source)
    else:
        check_cover(file)


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_decode_or_say_why(data: bytes) -> None:
    try:
        source = decode(data, "any.apl")
    except AplcError as error:
        (diagnostic,) = error.diagnostics
        assert diagnostic.span is not None
        assert diagnostic.span.end <= len(diagnostic.span.source.text)
    else:
        plain = data.removeprefix(b"\xef\xbb\xbf")
        assert source.text.encode() == (b"\xe2\x8d\x9d" + plain[1:] if plain[:2] == b"#!" else plain)


def check_cover(file: File) -> None:
    """The items of each statement, in order, cover all of it but blanks and comments."""
    text = file.span.source.text
    ignored = {
        offset
        for comment in tokenize(file.span.source).comments
        for offset in range(comment.span.start, comment.span.end)
    }

    def gap(start: int, end: int, allowed: str) -> None:
        rest = (text[i] for i in range(start, end) if i not in ignored)
        assert all(LOOK_ALIKES.get(char, char) in " " + allowed for char in rest), text[start:end]

    def row(items: tuple[Item, ...], start: int, end: int, allowed: str) -> None:
        for item in items:
            gap(start, item.span.start, allowed)
            inner(item)
            start = item.span.end
        gap(start, end, allowed)

    def body(statements: tuple[Statement, ...], start: int, end: int) -> None:
        for statement in statements:
            gap(start, statement.span.start, "⋄\r\n")
            items = (*(statement.guard or ()), *statement.items)
            assert (items[0].span.start, items[-1].span.end) == (statement.span.start, statement.span.end)
            row(items, statement.span.start, statement.span.end, ":" if statement.guard else "")
            start = statement.span.end
        gap(start, end, "⋄\r\n")

    def inner(item: Item) -> None:
        start, end = item.span.start + 1, item.span.end - 1
        match item:
            case Paren(items):
                row(items, start, end, "")
            case Bracket(parts):
                row(tuple(piece for part in parts for piece in part), start, end, ";")
            case Dfn(statements):
                body(statements, start, end)
            case _:
                pass

    body(file.statements, 0, len(text))


ATOMS = st.sampled_from(
    ["1", "¯2.5", ".5E3", "x", "größe", "⍺", "⍵⍵", "∇", "⎕IO", "⍬", "'it''s'", '"⋄)"', "←", *GLYPHS, "ρ"]
)
BLANK = st.sampled_from([" ", "  ", "\t", "\xa0"])
SEPARATOR = st.sampled_from(["⋄", "\n", "\r\n", " ⍝ note ':{ \n", "\n\n", "\u25ca"])


def joined(
    pieces: st.SearchStrategy[str], by: st.SearchStrategy[str], least: int = 0
) -> st.SearchStrategy[str]:
    pairs = st.lists(st.tuples(pieces, by), min_size=least, max_size=4)
    return pairs.map(lambda found: "".join(piece + separator for piece, separator in found))


def nested(items: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    row = joined(items, BLANK, 1)
    guard = st.tuples(row, row).map(":".join)
    body = joined(row | guard | st.just(" "), SEPARATOR)
    index = st.lists(row | st.just(""), min_size=1, max_size=3).map(";".join)
    return row.map(lambda t: f"({t})") | index.map(lambda t: f"[{t}]") | body.map(lambda t: f"{{{t}}}")


PROGRAMS = joined(joined(st.recursive(ATOMS, nested, max_leaves=12), BLANK), SEPARATOR)


@given(PROGRAMS)
def test_spans_of_items_cover_their_statement(text: str) -> None:
    try:
        file = tree(text)
    except CompileError:  # a definition between two ∇
        assume(False)
    check_cover(file)
    assert render(file).count("\n") >= len(file.statements)
