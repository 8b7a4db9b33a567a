"""Answers to editors, by the functions alone; over the protocol in `test_protocol`."""

import subprocess
import sys
import threading

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aplc.apl_front.reading.system_names import BENCH, SHOWN
from aplc.highlighting.words import words_of
from aplc.language_server.command import language_server
from aplc.language_server.completion import completions
from aplc.language_server.document import Document
from aplc.language_server.features import (
    definition,
    diagnostics,
    folds,
    hover,
    inlays,
    outline,
    references,
    semantic_tokens,
    typed,
)
from aplc.language_server.names import Names
from aplc.language_server.places import Places
from aplc.symbols import SYSTEM
from aplc.tail.errors import MachineError
from tests.support.paths import ROOT

PIECES = [
    "f",
    "x",
    "←",
    "{",
    "}",
    "(",
    ")",
    "∇",
    "\n",
    "⋄",
    ":",
    ":If",
    "⍵",
    "'",
    "⍝",
    "`",
    "😀",
    "3",
    ";",
    " ",
]
broken = st.lists(st.sampled_from(PIECES)).map("".join)


@given(st.text(), st.sampled_from(["utf-8", "utf-16", "utf-32"]), st.data())
def test_places_and_offsets(text: str, encoding: str, data: st.DataObject) -> None:
    places = Places(text, encoding)
    offset = data.draw(st.integers(0, len(text)))
    back = places.offset(places.position(offset))
    is_end = text[offset - 1 : offset + 1] == "\r\n"
    assert back == offset - is_end


def test_places_beyond_the_text() -> None:
    places = Places("a😀b\r\nc")
    assert places.position(2) == {"line": 0, "character": 3}
    assert places.offset({"line": 0, "character": 2}) == 1
    assert places.offset({"line": 0, "character": 99}) == 3
    assert places.offset({"line": 9, "character": 0}) == 6


@given(broken)
def test_broken_text_breaks_nothing(text: str) -> None:
    document = Document(text)
    for line in range(document.places.last_line + 1):
        place = document.places.position(document.places.end_of(line))
        assert place["line"] == line
        hover(document, place)
        definition(document, place)
        completions(document, place)
        assert len(references(document, place)) <= text.count("f") + text.count("x")
    assert len(semantic_tokens(document)) % 5 == 0
    assert all(each["startLine"] < each["endLine"] for each in folds(document))
    assert all(each["name"] in text for each in outline(document))


@given(broken)
@example("⋄∇)3:3)f")
def test_each_name_belongs_to_one_binding(text: str) -> None:
    words = words_of(text)
    names = Names(words, len(text))
    every = [word.start for scope in names.scopes() for b in scope.bindings.values() for word in b.mentions]
    assert len(every) == len(set(every))
    assert all(scope.start <= scope.end <= len(text) for scope in names.scopes())


def test_inputs_that_the_header_states_have_their_types() -> None:
    document = Document("⍝ == input v double 1000000000: arange\n⍝ == input u int: 1\nw←v\nf←{⍵+v}\n")
    document.check()
    assert diagnostics(document) == []  # without a billion elements, and u is no name of the text
    assert document.by_name["w"].type == "[double]1"
    changed = Document(document.text.replace("double", "char"), document)
    changed.check()
    assert [each["code"] for each in diagnostics(changed)] == []
    assert changed.by_name["f"].type != document.types[document.text.index("f←")].type


def test_a_check_that_is_ended_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def for_ever(*arguments: object, **options: object) -> None:
        begun.set()
        while True:
            pass

    monkeypatch.setattr("aplc.language_server.document.check_program", for_ever)
    document = Document("x←1")
    worker = threading.Thread(target=document.check)
    worker.start()
    assert begun.wait(60)
    document.ending.now()
    worker.join(60)
    assert not worker.is_alive() and not document.is_checked
    document.check()  # one that is ended before it begins
    assert not document.is_checked


def lines_of(text: str, line: int, character: int) -> list[tuple[int, int]]:
    found = references(Document(text), {"line": line, "character": character})
    return [(each["start"]["line"], each["start"]["character"]) for each in found]


def test_names_of_braces_hide_those_outside() -> None:
    text = "x←1\nf←{x←⍵ ⋄ x+{x+⍵}1}\nx+f x"
    assert lines_of(text, 0, 0) == [(0, 0), (2, 0), (2, 4)]
    assert lines_of(text, 1, 3) == [(1, 3), (1, 9), (1, 12)]


def test_names_that_a_header_lists_are_local() -> None:
    text = "t←n←0\n∇ r←f x;t\nt←x ⋄ n←t\n:For i :In t\nL: r←n\n:EndFor\n∇\nt n i"
    assert lines_of(text, 0, 0) == [(0, 0), (7, 0)]
    assert lines_of(text, 1, 8) == [(1, 8), (2, 0), (2, 8), (3, 11)]
    assert lines_of(text, 0, 2) == [(0, 2), (2, 6), (4, 5), (7, 2)]


def test_names_in_parentheses_are_defined_together() -> None:
    assert len(definition(Document("(a b)←1 2\na+b"), {"line": 1, "character": 2})) == 1


def test_names_side_by_side_are_defined_together() -> None:
    document = Document("{a b←⍵ ⋄ f x←1 ⋄ a+b}\nf←{x}\nf x←1")
    assert len(definition(document, {"line": 0, "character": 17})) == 1
    assert len(references(document, {"line": 1, "character": 0})) == 3


def test_errors_in_texts_that_are_executed_stand_where_they_are() -> None:
    document = Document("x←1\n⎕←⍎'1+nope'\n")
    document.check()
    (error,) = diagnostics(document, "file:///x")
    assert error["range"]["start"] == {"line": 1, "character": 2}
    assert error["code"] == "VALUE ERROR"


def test_arguments_lead_to_their_braces() -> None:
    document = Document("f←{⍵≤1:1 ⋄ {⍵}∇⍵-1}")
    starts = [
        definition(document, {"line": 0, "character": at})[0]["start"]["character"] for at in (3, 12, 14, 15)
    ]
    assert starts == [2, 11, 0, 2]


def test_types_are_inferred_once() -> None:
    first = Document("twice←{2×⍵}\nf←{1+twice ⍵}\ng←{⍵,⍵}\n")
    first.check()
    kept = first.by_name["g"]
    second = Document(first.text.replace("2×", "'a'="), first)
    second.check()
    assert second.by_name["g"] is kept
    assert second.by_name["twice"].type == "[κ]ρ → [bool]ρ"
    fresh = Document(second.text)
    fresh.check()
    assert inlays(fresh) == inlays(second)


@pytest.mark.parametrize(("before", "after"), [("`r", "⍴"), ("x←`i", "⍳"), ("``", "⋄")])
def test_typed(before: str, after: str) -> None:
    place = {"line": 0, "character": len(before)}
    (edit,) = typed(Document(before), place, before[-1])  # type: ignore[arg-type]
    assert edit["newText"] == after


def test_nothing_is_proposed_in_texts_and_comments() -> None:
    assert completions(Document("'rho' ⍝ rho"), {"line": 0, "character": 4}) == []
    assert completions(Document("'rho' ⍝ rho"), {"line": 0, "character": 11}) == []
    assert completions(Document("rho"), {"line": 0, "character": 3}) != []


def test_a_word_that_names_two_symbols_proposes_both() -> None:
    found = completions(Document("grade"), {"line": 0, "character": 5})
    assert [each["textEdit"]["newText"] for each in found] == ["⍋", "⍒"]


def test_system_names_are_described() -> None:
    assert set(SYSTEM) - {"⎕"} == set(SHOWN) - {BENCH}


def test_without_pygls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aplc.language_server.server", None)
    with pytest.raises(MachineError, match=r"pip install 'aplc\[lsp\]'"):
        language_server([])


def test_help() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "aplc", "lsp", "--help"], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert "docs/editors.md" in shown.stdout
