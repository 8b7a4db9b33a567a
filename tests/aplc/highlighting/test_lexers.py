"""The lexers of Pygments: every character is kept, and each word has its colour."""

import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator

from aplc.highlighting.lexers import TOKENS, AplcLexer, AplcSessionLexer
from aplc.highlighting.words import Kind
from tests.support.paths import ROOT

SETUP = (ROOT / "setup.cfg").read_text(encoding="utf-8")


def test_each_kind_has_a_token() -> None:
    assert set(TOKENS) == set(Kind)


@pytest.mark.parametrize("name", ["life.apl", "tradfns/structures.apl", "programs/pascal-triangle.apl"])
def test_all_of_a_program_is_there(name: str) -> None:
    text = (ROOT / "apl_samples" / name).read_text(encoding="utf-8")
    pieces = list(AplcLexer().get_tokens_unprocessed(text))
    assert "".join([piece for _, _, piece in pieces]) == text
    assert all(text[place:].startswith(piece) for place, _, piece in pieces)


def test_colours() -> None:
    tokens = dict([(text, kind) for kind, text in AplcLexer().get_tokens("mean←{(+/⍵)÷≢⍵}\nmean v ⍝ so\n")])
    assert tokens["mean"] is Name.Function
    assert tokens["v"] is Name.Variable
    assert tokens["⍵"] is Name.Builtin.Pseudo
    assert tokens["÷"] is Operator
    assert tokens["/"] is Keyword.Pseudo
    assert tokens["⍝ so"] is Comment.Single


def test_a_session() -> None:
    text = "      +/⍳10\n55\n      1÷0\nDOMAIN ERROR\n"
    pieces = list(AplcSessionLexer().get_tokens_unprocessed(text))
    assert "".join([piece for _, _, piece in pieces]) == text
    kinds = dict([(piece, kind) for _, kind, piece in pieces])
    assert kinds["55\n"] is Generic.Output
    assert kinds["10"] is Number
    assert [kind for _, kind, _ in pieces].count(Generic.Prompt) == 2


def test_as_a_page() -> None:
    page = highlight("⍝: int → int\n'<b>'", AplcLexer(), HtmlFormatter())
    assert '<span class="cs">' in page
    assert "<b>" not in page


def test_pygments_finds_them_where_aplc_is_installed() -> None:
    assert "aplc = aplc.highlighting.lexers:AplcLexer" in SETUP
    assert "aplc-session = aplc.highlighting.lexers:AplcSessionLexer" in SETUP
