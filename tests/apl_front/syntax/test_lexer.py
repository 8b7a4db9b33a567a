"""The tokens of APL text: kinds, values, exact spans, look-alikes, and what a malformed token says."""

from __future__ import annotations

import logging
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aplc.apl_front.syntax.ast import Arrow, Chars, Glyph, Name, Number, Zilde
from aplc.apl_front.syntax.lexer import GLYPHS, HINTS, LOOK_ALIKES, MAX_ERRORS, Lexed, build_lexer, tokenize
from aplc.tail.source import Source


def lex(text: str) -> Lexed:
    return tokenize(Source("test.apl", text))


def values(text: str) -> list[Any]:
    """What each token stands for: a number, a tagged text, or the text of a separator or bracket."""
    lexed = lex(text)
    assert lexed.errors == []
    result: list[Any] = []
    for token in lexed.tokens:
        match token.value:
            case Number(value):
                result.append(value)
            case Chars(chars):
                result.append(("chars", chars))
            case Name(name):
                result.append(("name", name))
            case Glyph(symbol):
                result.append(symbol)
            case Zilde() | Arrow():
                result.append(token.value.span.text)
            case _:
                result.append(token.type)
    return result


def messages(text: str) -> list[tuple[str, str]]:
    """The piece of text and the message of every error."""
    return [(error.span.text, error.message) for error in lex(text).errors if error.span]


def test_builds_without_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    build_lexer(logging.getLogger("ply"))
    assert caplog.records == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42),
        ("¯3", -3),
        ("007", 7),
        (".5", 0.5),
        ("¯.5", -0.5),
        ("2.", 2.0),
        ("1e¯3", 0.001),
        ("1E6", 1e6),
        ("¯1.5E¯2", -0.015),
        ("9223372036854775807", 2**63 - 1),
        ("¯9223372036854775808", -(2**63)),
        ("9223372036854775808", 2.0**63),
        ("¯9223372036854775809", -(2.0**63)),
        ("0" * 5000 + "7", 7),
        ("1" + "0" * 300, 1e300),
        ("1E¯999", 0.0),
        ("0.1234567890123456789", 0.12345678901234568),
    ],
)
def test_numbers(text: str, value: float) -> None:
    (number,) = values(text)
    assert number == value
    assert type(number) is type(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 2+.×3 4", [1, 2, "+", ".", "×", 3, 4]),
        ("2.×3", [2.0, "×", 3]),
        ("∘.×", ["∘", ".", "×"]),
        ("∘.+.5", ["∘", ".", "+", 0.5]),
        ("a.b", [("name", "a"), ".", ("name", "b")]),
        ("x.", [("name", "x"), "."]),
        ("-3", ["-", 3]),
        ("1-¯1", [1, "-", -1]),
        ("2⍴3", [2, "⍴", 3]),
        ("3⍵", [3, ("name", "⍵")]),
        ("1⎕IO", [1, ("name", "⎕io")]),
    ],
)
def test_dots_and_neighbours_of_numbers(text: str, expected: list[object]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "chars"),
    [
        ("'a'", "a"),
        ("''", ""),
        ("'it''s'", "it's"),
        ("''''", "'"),
        ('"also"', "also"),
        ('"say ""hi"""', 'say "hi"'),
        ("'say \"\"'", 'say ""'),
        ("\"it''s\"", "it''s"),
        ("'⍝ no comment'", "⍝ no comment"),
        ("'{([;:⋄'", "{([;:⋄"),
        ("'α\u2212^\t□'", "α\u2212^\t□"),
        ("'" + "a''" * 50_000 + "'", "a'" * 50_000),
    ],
)
def test_quoted_text(text: str, chars: str) -> None:
    assert values(text) == [("chars", chars)]


def test_adjacent_quotes_of_the_two_kinds() -> None:
    assert values("'a'\"b\"") == [("chars", "a"), ("chars", "b")]


@pytest.mark.parametrize(
    "name",
    ["x", "Mean", "_", "x_1", "∆x", "⍙", "a∆b⍙c", "größe", "日本", "⍺", "⍵", "⍺⍺", "⍵⍵", "∇", "∇∇", "⍞", "⎕"],
)
def test_names(name: str) -> None:
    assert values(name) == [("name", name)]


def test_names_end_where_they_should() -> None:
    assert values("⍺⍺⍵⍵∇⍺") == [("name", name) for name in ("⍺⍺", "⍵⍵", "∇", "⍺")]
    assert values("⎕⍵ ⎕←⎕") == [("name", "⎕"), ("name", "⍵"), ("name", "⎕"), "←", ("name", "⎕")]
    assert values("xρyιz") == [("name", "x"), "⍴", ("name", "y"), "⍳", ("name", "z")]


@pytest.mark.parametrize("text", ["⎕IO", "⎕io", "⎕Io", "□IO"])
def test_system_names_in_any_case(text: str) -> None:
    assert values(text) == [("name", "⎕io")]
    assert values("⎕ReadIntVecFile ⎕INT32AND") == [("name", "⎕readintvecfile"), ("name", "⎕int32and")]


@pytest.mark.parametrize("symbol", GLYPHS + ".")
def test_every_symbol_is_a_token(symbol: str) -> None:
    assert values(symbol) == [symbol]


def test_the_symbols_are_dyalogs() -> None:
    dyalog = "+-×÷*⍟⌹○!?|⌈⌊⊥⊤⊣⊢=≠≤<>≥≡≢∨∧⍲⍱↑↓⊂⊃⊆⌷⍋⍒⍳⍸∊⍷∪∩~/\\⌿⍀,⍪⍴⌽⊖⍉¨⍨⍣∘⍤⍥@⍠⌸⌺⌶⍎⍕&→"
    assert set(dyalog) <= set(GLYPHS)
    assert len(set(GLYPHS)) == len(GLYPHS)


def test_spans_of_every_kind_of_token() -> None:
    text = "r ← {⍺⍺[1;¯2.5]:'it''s' ⋄ (⍬)} ⎕IO ⍝ ends\nab+\"q\""
    pieces = ["r", "←", "{", "⍺⍺", "[", "1", ";", "¯2.5", "]", ":", "'it''s'", "⋄", "(", "⍬", ")", "}", "⎕IO"]
    pieces += ["\n", "ab", "+", '"q"']
    lexed = lex(text)
    assert [token.span.text for token in lexed.tokens] == pieces
    assert [token.type for token in lexed.tokens] == [
        "NAME", "ARROW", "LBRACE", "NAME", "LBRACKET", "NUMBER", "SEMICOLON", "NUMBER", "RBRACKET", "COLON",
        "CHARS", "DIAMOND", "LPAREN", "ZILDE", "RPAREN", "RBRACE", "NAME", "NEWLINE", "NAME", "GLYPH",
        "CHARS",
    ]  # fmt: skip
    last = lexed.tokens[-1].span
    assert (last.line, last.column, last.start, last.end) == (2, 4, len(text) - 3, len(text))


def test_comments_are_kept() -> None:
    lexed = lex("⍝: [double]1 → double\nx←1 ⍝two ⍝ still\r\n'⍝'⍝")
    assert [comment.text for comment in lexed.comments] == [": [double]1 → double", "two ⍝ still", ""]
    assert [str(comment.span) for comment in lexed.comments] == [
        "test.apl:1:1",
        "test.apl:2:5",
        "test.apl:3:4",
    ]
    assert [comment.span.text for comment in lexed.comments][1] == "⍝two ⍝ still"


LISTED = {"−": "-", "∣": "|", "⋆": "*", "∼": "~", "‹": "<", "›": ">", "ι": "⍳", "ρ": "⍴"}  # noqa: RUF001


@pytest.mark.parametrize(("alike", "symbol"), LISTED.items())
def test_listed_look_alikes(alike: str, symbol: str) -> None:
    (token,) = lex(alike).tokens
    assert isinstance(token.value, Glyph)
    assert token.value.symbol == symbol
    assert token.span.text == alike


@pytest.mark.parametrize(("alike", "symbol"), LOOK_ALIKES.items())
def test_look_alikes_read_as_the_symbol(alike: str, symbol: str) -> None:
    read, meant = ([token.type for token in lex(char).tokens] for char in (alike, symbol))
    assert read == meant
    assert len(alike) == len(symbol) == 1
    if symbol != "←":
        assert values(f"a{alike}1") == values(f"a{symbol}1")
    if symbol != "\n":
        assert values(f"'{alike}'") == [("chars", alike)]


def test_look_alikes_of_names() -> None:
    assert values("{α+ω}") == ["LBRACE", ("name", "⍺"), "+", ("name", "⍵"), "RBRACE"]
    assert values("αα") == [("name", "⍺⍺")]
    assert values("Δx") == [("name", "∆x")]


def test_what_is_never_confused() -> None:
    assert values("∘○xX×") == ["∘", "○", ("name", "xX"), "×"]
    assert not set(LOOK_ALIKES) & set(GLYPHS + string.ascii_letters + string.digits)
    assert not set(LOOK_ALIKES) & set(HINTS)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_line_ends(end: str) -> None:
    lexed = lex(f"\ufeffa ⍝ c{end}b{end}")
    assert [token.type for token in lexed.tokens] == ["NAME", "NEWLINE", "NAME", "NEWLINE"]
    assert [token.span.text for token in lexed.tokens] == ["a", end, "b", end]
    assert [comment.text for comment in lexed.comments] == [" c"]
    assert lexed.errors == []


def test_crlf_lines_and_columns() -> None:
    spans = [token.span for token in lex("ab\r\n cd\r\nef").tokens]
    assert [(span.line, span.column) for span in spans] == [(1, 1), (1, 3), (2, 2), (2, 4), (3, 1)]


@pytest.mark.parametrize(
    ("text", "piece", "fragment"),
    [
        ("1 1.2.3 4", "1.2.3", "more than one decimal point"),
        ("1..5", "1..5", "more than one decimal point"),
        ("1E+1", "1E", "digits must follow the E"),
        ("2e¯", "2e¯", "digits must follow the E"),
        ("3¯4", "3¯4", "a blank before ¯"),
        ("¯¯4", "¯¯4", "a blank before ¯"),
        ("¯x", "¯x", "directly before a digit"),
        ("¯ 3", "¯", "directly before a digit"),
        ("¯.", "¯.", "directly before a digit"),
        ("3ex+1", "3ex", "a blank between a number and a name"),
        ("1e5.5", "1e5.5", "exponent must be whole"),
        ("3J", "3J", ""),
        ("2.a", "2.a", "a blank between a number and a name"),
        ("3²", "3²", "write x*2"),
        ("1E309", "1E309", "too large"),
        ("9" * 400, "9" * 400, "too large"),
        ("1+€", "€", "unknown character €"),
        ("%%$", "%%$", "unknown character %"),
        ("a\x00b", "\x00", "U+0000 NUL"),
        ("a\u200bb", "\u200b", "U+200B ZERO WIDTH SPACE"),
        ("e\u0301", "\u0301", "U+0301 COMBINING ACUTE ACCENT"),
        ("#.a", "#", "namespaces"),
        ("x²", "²", "write x*2"),
        ("a٣", "٣", "cannot stand in a name"),
        ("f°g", "°", "write ∘"),
        ("∅", "∅", "write ⍬"),
        ("\u2018a b\u2019", "\u2018a b\u2019", "curly quotes"),
        ("\u201cit is", "\u201c", "curly quotes"),
        ("a'b", "'", "unclosed quote: no second ' "),
        ("'''", "'", "unclosed quote"),
        ("\"a'\n", '"', 'unclosed quote: no second " '),
    ],
)
def test_malformed_tokens(text: str, piece: str, fragment: str) -> None:
    ((where, message),) = messages(text)
    assert where == piece
    assert fragment in message
    assert len(message) < 110


@pytest.mark.parametrize(
    ("text", "sign", "rest"),
    [
        ("// it's one", "//", "// it's one"),
        ("x←1\n  // two\ny", "//", "// two"),
        ("# it's one\r\ny", "#", "# it's one"),
        ("#!/usr/bin/apl\nx", "#", "#!/usr/bin/apl"),
        ("x←1 # don't", "#", "# don't"),
        ("#", "#", "#"),
        ("x←1 #", "#", "#"),
    ],
)
def test_comments_of_other_languages(text: str, sign: str, rest: str) -> None:
    lexed = lex(text)
    assert messages(text) == [(sign, f"a comment begins with ⍝, not with {sign}")]
    assert [comment.span.text for comment in lexed.comments] == [rest]
    assert not any(token.type in ("CHARS", "BROKEN", "GLYPH") for token in lexed.tokens)


def test_two_strokes_within_a_line_are_symbols() -> None:
    assert values("a//b") == [("name", "a"), "/", "/", ("name", "b")]
    assert values("(//)") == ["LPAREN", "/", "/", "RPAREN"]


def test_an_unclosed_quote_ends_with_its_line() -> None:
    lexed = lex("a←'b c\nd")
    assert [token.type for token in lexed.tokens] == ["NAME", "ARROW", "BROKEN", "NEWLINE", "NAME"]


def test_only_the_first_errors_are_kept() -> None:
    assert len(messages("$ " * 1000)) == MAX_ERRORS


@given(st.text() | st.text(alphabet=GLYPHS + "".join(LOOK_ALIKES) + "aé1.¯eE'\"⍺⍵⎕∇⍬ ⍝\r\n()[]{};:⋄←²$"))
def test_every_character_is_a_token_a_comment_or_blank(text: str) -> None:
    lexed = lex(text)
    spans = [token.span for token in lexed.tokens] + [comment.span for comment in lexed.comments]
    rest = list(text)
    end = 0
    for span in sorted(spans, key=lambda span: span.start):
        assert end <= span.start < span.end
        rest[span.start : span.end] = [" "] * (span.end - span.start)
        end = span.end
    assert all(LOOK_ALIKES.get(char, char) == " " for char in rest)
