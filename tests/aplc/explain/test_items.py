"""`aplc explain` of arrays of arrays: how items are found, why so, and what of them is written."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc.cli
from tests.support.paths import ROOT

Told = dict[str, Any]

TEXT = 'text="the quick brown fox"'


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory with the input `v.npy`."""
    monkeypatch.chdir(tmp_path)
    np.save("v.npy", np.linspace(1.0, 2.0, 1000))


def explained(capsys: pytest.CaptureFixture[str], text: str, *options: str) -> str:
    """The text about a program of the inputs `v`, `text` and `m`."""
    Path("p.apl").write_text(text, encoding="utf-8")
    given = {"v": "v=v.npy", "text": TEXT, "m": "m=[[1,2],[3,4]]"}
    used = [name for name in given if re.search(rf"\b{name}\b(?!←)", text) and f"{name}←" not in text]
    inputs = [arg for name in used for arg in ("--input", given[name])]
    assert aplc.cli.main(["explain", "p.apl", *inputs, *options]) == 0
    return capsys.readouterr().out


def items(capsys: pytest.CaptureFixture[str], text: str, *options: str) -> dict[str, Told]:
    """What is told of arrays of arrays, by their text."""
    lines = explained(capsys, text, "--format", "json", *options).splitlines()
    told = [each for each in map(json.loads, lines) if each["kind"] == "items"]
    found = {each["text"]: each for each in told}
    assert len(found) == len(told)
    return found


def test_the_example_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    blocks = page.partition("## Arrays of arrays")[2].split("\n\n")
    program, output = [
        "\n".join([line[4:] for line in block.splitlines()]) for block in blocks if block.startswith("    ")
    ][:2]
    told = [
        line
        for line in explained(capsys, program + "\n").splitlines()
        if re.match(r" *\d+ \|", line) or "^ items " in line
    ]
    assert told == output.splitlines()


def test_cut_items_are_views_found_by_spans(capsys: pytest.CaptureFixture[str]) -> None:
    program = "w←(' '≠text)⊆text\n⎕←w[⍋≢¨w]\n⎕←⌽w"
    told = items(capsys, program)
    cut, chosen = told["(' '≠text)⊆text"], told["w[⍋≢¨w]"]
    assert (cut["type"], cut["descriptor"], cut["reason"]) == ("[[char]1]1", "spans", "cut by ⊆")
    assert (chosen["descriptor"], chosen["reason"]) == ("spans", "items chosen by an index")
    assert told["⌽w"]["reason"] == "items chosen by ⌽"
    for each in told.values():
        assert (each["values"], each["views_of"]["text"], each["bytes_of_values"]) == ("views", "text", None)
    assert "views of text" in explained(capsys, program)


def test_cells_are_uniform_and_write_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = items(capsys, "+/¨↓m").values()
    assert (told["descriptor"], told["values"], told["views_of"]["text"]) == ("uniform", "views", "m")
    assert told["bytes_of_descriptor"]["value"] == 0


def test_cells_whose_elements_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = items(capsys, "m←2 500⍴v\n+/¨↓m").values()
    assert (told["descriptor"], told["values"], told["views_of"]) == ("uniform", "written", None)
    assert (told["bytes_of_descriptor"]["value"], told["bytes_of_values"]["value"]) == (0, 8 * 1000)


def test_chosen_by_data_cells_are_found_by_spans(capsys: pytest.CaptureFixture[str]) -> None:
    told = items(capsys, "m←↓500 2⍴v\n⎕←⌽m\n⎕←m[⍋+/¨m]")
    assert told["⌽m"]["descriptor"] == "uniform"
    assert told["m[⍋+/¨m]"]["descriptor"] == "spans"
    assert told["m[⍋+/¨m]"]["bytes_of_descriptor"]["value"] == 500 * 2 * 8


def test_items_of_one_shape_that_a_function_makes(capsys: pytest.CaptureFixture[str]) -> None:
    (printed,) = items(capsys, "⎕←{⍵,-⍵}¨v").values()
    assert (printed["descriptor"], printed["values"]) == ("uniform", "written")
    assert printed["bytes_of_values"]["value"] == 2 * 8 * 1000
    (used,) = items(capsys, "+/⊃¨{⍵,-⍵}¨v").values()
    assert used["values"] in ("not written", "never made")
    assert not (used["bytes_of_values"] or {}).get("value")


@pytest.mark.parametrize(
    ("program", "text", "how"),
    [
        ("⎕←{⍵⍴7}¨⌊v", "{⍵⍴7}¨⌊v", "lengths are counted first"),
        ("⎕←{(⍵>1.5)/⍵}¨,\\v", "{(⍵>1.5)/⍵}¨,\\v", "each is what is kept of a vector"),
        ("⎕←{∪⍵}¨,\\v", "{∪⍵}¨,\\v", "lengths are known when items are made"),
        ("⎕←{,\\⍵}¨,\\v", "{,\\⍵}¨,\\v", "items are arrays of arrays, appended part by part"),
    ],
)
def test_how_items_of_several_lengths_are_made(
    capsys: pytest.CaptureFixture[str], program: str, text: str, how: str
) -> None:
    told = items(capsys, program)[text]
    assert told["descriptor"] == "offsets"
    assert told["reason"].startswith(how + ", made by ")
    assert told["values"] == "written"
    assert told["bytes_of_values"]["formula"] != "0"


def test_items_that_are_summed_at_once_are_never_put_together(capsys: pytest.CaptureFixture[str]) -> None:
    program = "+/+/¨v×,\\v"
    made = items(capsys, program)["v×,\\v"]
    assert (made["descriptor"], made["values"], made["reason"]) == (
        None, "never made", "×¨ makes each where it is used",
    )  # fmt: skip
    written = items(capsys, program, "-O", "0")["v×,\\v"]
    assert (written["descriptor"], written["values"]) == ("offsets", "written")


def test_items_made_in_each_round_of_a_loop(capsys: pytest.CaptureFixture[str]) -> None:
    told = items(capsys, "⎕←{⌽¨⍵}⍣3⊢,\\v")
    assert told["⌽¨⍵"]["each_time"]


def test_what_a_function_hands_on_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(items(capsys, "f←{⌽¨⍵}\n⎕←f ,\\v")) == ["⌽¨⍵", ",\\v"]


def test_flat_programs_have_no_such_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert items(capsys, "+/v×v") == {}
