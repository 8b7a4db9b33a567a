"""The words of a text, whole or half typed."""

import pytest

from aplc.apl_front.syntax.lexer import MOST_SYMBOLS
from aplc.highlighting.words import Kind, functions_in, header_words, words_of
from tests.support.paths import ROOT

SAMPLES = sorted(set((ROOT / "apl_samples").rglob("*.apl")) - {*(ROOT / "apl_samples/errors").rglob("*.apl")})


def kinds(text: str) -> list[tuple[Kind, str]]:
    return [(word.kind, word.text) for word in words_of(text)]


def test_kinds() -> None:
    assert kinds("⍝: int → int\nf←{⍺⍺⌿⍵-¯1} ⍝ so") == [
        (Kind.ANNOTATION, ": int → int"),
        (Kind.NEWLINE, "\n"),
        (Kind.NAME, "f"),
        (Kind.ARROW, "←"),
        (Kind.BRACKET, "{"),
        (Kind.ARGUMENT, "⍺⍺"),
        (Kind.OPERATOR, "⌿"),
        (Kind.ARGUMENT, "⍵"),
        (Kind.FUNCTION, "-"),
        (Kind.NUMBER, "¯1"),
        (Kind.BRACKET, "}"),
        (Kind.COMMENT, " so"),
    ]


def test_control_words() -> None:
    text = "∇ f x\n:for i :in x\nL: :If i\n→L\n:ENDIF\n:EndFor\n∇"
    controls = [word.text for word in words_of(text) if word.kind is Kind.CONTROL]
    assert controls == [":For", ":In", ":If", ":EndIf", ":EndFor"]
    assert [word.start for word in words_of(text) if word.kind is Kind.DEFINITION] == [0, len(text) - 1]


def test_a_guard_is_no_control_word() -> None:
    assert (Kind.CONTROL, ":End") not in kinds("{⍵=0:End ⋄ ∇⍵-1}")
    assert (Kind.ARGUMENT, "∇") in kinds("{⍵=0:0\n∇⍵-1}")


@pytest.mark.parametrize("text", ["", "f←{", "'abc", "a[1;", ")", "x←3 ⋄ ⍝", "∇", "∇ r←", "12ab #", "`%"])
def test_half_typed_text_has_words(text: str) -> None:
    words = words_of(text)
    assert all(0 <= word.start < word.end <= len(text) for word in words)
    assert functions_in(words) <= {"f"}


def test_a_text_longer_than_any_program_has_none() -> None:
    assert words_of("a+" * MOST_SYMBOLS) == []


@pytest.mark.parametrize(
    ("header", "name", "valence"),
    [
        ("f", "f", 0),
        ("f w", "f", 1),
        ("r←f", "f", 0),
        ("{r}←{a} f (x y);t;u", "f", 2),
        ("r←a (g f h) w", "f", 2),
        ("r←(g f) w", "f", 1),
    ],
)
def test_headers(header: str, name: str, valence: int) -> None:
    found = header_words(words_of(header))
    assert found is not None
    assert (found.name.text, found.valence) == (name, valence)
    locals_ = [word.text for word in (*found.operands, *found.parameters, *found.locals)]
    assert sorted([name, *locals_]) == sorted(w.text for w in words_of(header) if w.kind is Kind.NAME)


@pytest.mark.parametrize("header", ["", "r←", "a f w z", "1 2", "(f w", "5 f w q"])
def test_what_is_no_header(header: str) -> None:
    found = header_words(words_of(header))
    assert found is None or header == "(f w"


def test_words_of_samples_are_in_order() -> None:
    for path in SAMPLES:
        text = path.read_text(encoding="utf-8")
        words = words_of(text)
        assert [w.start for w in words] == sorted({w.start for w in words})
        assert not [w for w in words if w.kind is Kind.UNKNOWN], path
