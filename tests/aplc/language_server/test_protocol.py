"""`aplc lsp` as a process, over the protocol."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.language_client import Client

pytest.importorskip("pygls", reason="NOT CHECKED: no pygls")

TEXT = """\
⍝ the mean of a vector
mean←{(+/⍵)÷≢⍵}
∇ r←a plus b;t
  t←a+b
  r←t
∇
v←1 2 3.5
m←mean v ⍝ 😀
'😀',⍕m
nope v
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Client(tmp_path_factory.mktemp("folder")) as started:
        yield started


@pytest.fixture
def opened(client: Client) -> Client:
    client.open(TEXT)
    client.diagnostics()
    return client


def at(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def test_what_it_can(client: Client) -> None:
    can = client.capabilities
    assert can["positionEncoding"] == "utf-16"
    assert can["completionProvider"]["triggerCharacters"] == ["`", ":", "⎕"]
    assert can["semanticTokensProvider"]["full"]
    for name in ("hover", "definition", "references", "documentSymbol", "foldingRange", "inlayHint"):
        assert can[f"{name}Provider"]
    assert can["renameProvider"]["prepareProvider"]


def test_errors(client: Client) -> None:
    client.open(TEXT)
    (error,) = client.diagnostics()
    assert error["range"] == at(9, 0, 4)
    assert (error["code"], error["message"]) == ("VALUE ERROR", "nope is not defined")
    client.change({"range": at(9, 0, 4), "text": "mean"})
    assert client.diagnostics() == []


def test_what_is_typed_quickly_is_checked_once(client: Client) -> None:
    client.open("x←1\n")
    client.diagnostics()
    for character, key in enumerate("y←(1 2"):
        client.type(key, 1, character)
    (error,) = client.diagnostics()
    assert error["range"] == at(1, 2, 3)
    assert client.told.empty()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="NOT CHECKED: no /proc")
def test_the_check_of_a_text_that_has_changed_is_ended(client: Client) -> None:
    """A long text that is gone while it is checked costs less than half of one that stays."""
    client.open("{(+/⍵)÷≢⍵}1 2")
    client.diagnostics()  # all that is imported is imported
    before = processor_ticks(client)
    client.open(functions("f", 600))
    time.sleep(0.3)  # its check has begun
    client.open("x←1")
    assert client.diagnostics() == []
    ended = processor_ticks(client)
    client.open(functions("g", 600))
    assert client.diagnostics() == []
    assert 2 * (ended - before) < processor_ticks(client) - ended


def functions(name: str, count: int) -> str:
    """So many functions whose types are to be found."""
    return "".join([f"{name}{k}←{{(+/⍵×⍵+{k})÷≢⍵}}\n{name}{k} 1 2 3\n" for k in range(count)])


def processor_ticks(client: Client) -> int:
    """The time that the server has computed."""
    fields = Path(f"/proc/{client.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_positions_count_units_of_utf_16(client: Client) -> None:
    client.open("a←'😀' ⋄ b←a+zz\n")
    assert {e["range"]["start"]["character"] for e in client.diagnostics()} == {13}
    client.change({"range": at(0, 13, 15), "text": "⍳3"})
    assert client.diagnostics()[0]["code"] == "DOMAIN ERROR"
    assert client.about("references", 0, 11, context={"includeDeclaration": True})[1]["range"] == at(
        0, 11, 12
    )


def test_hover(opened: Client) -> None:
    shown = opened.about("hover", 7, 3)
    assert shown["range"] == at(7, 2, 6)
    assert "mean : [κ](ρ+1)" in shown["contents"]["value"]
    assert "the mean of a vector" in shown["contents"]["value"]
    assert "reduce" in opened.about("hover", 1, 8)["contents"]["value"]
    assert "v : <double>3" in opened.about("hover", 6, 0)["contents"]["value"]
    assert opened.about("hover", 8, 0) is None


def test_definition_references_rename(opened: Client) -> None:
    (place,) = opened.about("definition", 7, 3)
    assert place["range"] == at(1, 0, 4)
    found = opened.about("references", 7, 7, context={"includeDeclaration": False})
    assert [each["range"]["start"]["line"] for each in found] == [7, 9]
    assert len(opened.about("documentHighlight", 3, 2)) == 3
    assert opened.about("prepareRename", 3, 2) == at(3, 2, 3)
    (edits,) = opened.about("rename", 3, 2, newName="sum")["changes"].values()
    assert len(edits) == 3
    with pytest.raises(ValueError, match="cannot be the name"):
        opened.about("rename", 3, 2, newName="1+")


def test_outline_and_folds(opened: Client) -> None:
    names = {each["name"]: each for each in opened.about("documentSymbol")}
    assert list(names) == ["mean", "plus", "v", "m"]
    assert names["plus"]["range"] == {**at(2, 0, 0), "end": {"line": 5, "character": 1}}
    assert names["v"]["detail"] == "<double>3"
    assert [(f["startLine"], f["endLine"]) for f in opened.about("foldingRange")] == [(2, 5)]


def test_inlays(opened: Client) -> None:
    hints = opened.about("inlayHint", range=at(6, 0, 10) | {"end": {"line": 7, "character": 0}})
    assert [(each["label"], each["position"]["character"]) for each in hints] == [
        (": <double>3", 1),
        (": [double]0", 1),
    ]


def test_semantic_tokens(opened: Client) -> None:
    data = opened.about("semanticTokens/full")["data"]
    legend = opened.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    assert len(data) % 5 == 0
    assert [legend[data[at + 3]] for at in (0, 5, 10)] == ["comment", "function", "keyword"]
    part = opened.about("semanticTokens/range", range=at(8, 0, 9))["data"]
    assert part[:3] == [8, 0, 4]  # '😀' is four units
    assert part[5:8] == [0, 4, 1]


def test_completion(opened: Client) -> None:
    opened.type("me", 10, 0)
    found = {each["label"]: each for each in opened.about("completion", 10, 2)["items"]}
    assert found["mean"]["textEdit"]["newText"] == "mean"
    assert found["mean"]["detail"].startswith("[κ](ρ+1)")
    opened.type("\nrho", 10, 2)
    found = {
        each["filterText"]: each
        for each in opened.about("completion", 11, 3)["items"]
        if "filterText" in each
    }
    assert found["rho"]["textEdit"] == {"range": at(11, 0, 3), "newText": "⍴"}
    opened.type("`", 11, 3)
    found = {each["filterText"]: each for each in opened.about("completion", 11, 4)["items"]}
    assert found["`i"]["textEdit"] == {"range": at(11, 3, 4), "newText": "⍳"}


def test_backtick_and_key_become_a_symbol(opened: Client) -> None:
    opened.type("`", 10, 0)
    opened.type("r", 10, 1)
    options = {"tabSize": 2, "insertSpaces": True}
    (edit,) = opened.about("onTypeFormatting", 10, 2, ch="r", options=options)
    assert edit == {"range": at(10, 0, 2), "newText": "⍴"}
    assert opened.about("onTypeFormatting", 9, 4, ch="e", options=options) == []


def test_all_symbols(client: Client) -> None:
    found = {each["symbol"]: each for each in client.ask("aplc/symbols")}
    assert found["⍴"] == {"symbol": "⍴", "key": "r", "meaning": "shape · reshape"}


def test_types_stay_where_the_text_is_broken(opened: Client) -> None:
    opened.type("(", 9, 0)
    assert "unclosed (" in opened.diagnostics()[0]["message"]
    hints = opened.about("inlayHint", range=at(0, 0, 0) | {"end": {"line": 9, "character": 0}})
    assert ": <double>3" in [each["label"] for each in hints]


def test_half_typed_text(client: Client) -> None:
    client.open("")
    client.diagnostics()
    for character, key in enumerate("f←{⍵=0:'a"):
        client.type(key, 0, character)
        client.about("completion", 0, character + 1)
        client.about("hover", 0, character)
        client.about("semanticTokens/full")
    assert client.diagnostics()


def test_a_program_that_may_read_no_file(tmp_path: Path) -> None:
    with Client(tmp_path, files=False) as client:
        client.open("x←⎕NGET 'secret'\n")
        assert "file" in client.diagnostics()[0]["message"].lower()
        client.ask("shutdown")
        client.tell("exit")
        assert client.process.wait(30) == 0
