"""Commands that show what the compiler does: check, emit, TAIL as a program, and the dumps of passes."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

import aplc.cli
import aplc.targets.c
from aplc.tail.pipeline import PASSES
from tests.support.commands import Cli, Outcome, save, write
from tests.support.machine import on_each_target

pytestmark = pytest.mark.usefixtures("surroundings")


# --- check and emit -------------------------------------------------------------------------------------


def test_check_prints_types_and_runs_nothing(cli: Cli) -> None:
    write("p.apl", "square←{⍵×⍵}\nunused←{⍵}\nx←square 1 2 3\n⎕←1÷0\n'text'")
    outcome = cli("check", "p.apl")
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines == [
        "p.apl:1:1: square : [κ]ρ → [κ]ρ  (κ is int, double or complex)",
        "p.apl:2:1: unused : [κ]ρ → [κ]ρ  (κ is int, double, complex, bool or char)",
        "p.apl:3:1: x : <int>3",
    ]


def test_check_refutes_an_annotation(cli: Cli) -> None:
    write("p.apl", "half←{⍝: <double>ρ → <double>(ρ+1)\n ⍵÷2\n}\nx←3")
    outcome = cli("check", "p.apl")
    assert (outcome.status, outcome.out.splitlines()) == (
        1,
        ["p.apl:1:1: half : <double>ρ → <double>(ρ+1)  (refuted)", "p.apl:4:1: x : S(int,3)"],
    )
    assert outcome.first == ("p.apl:2:2: TYPE ERROR: the annotation claims <double>(ρ+1), this is <double>ρ")


def test_check_as_json(cli: Cli) -> None:
    write("p.apl", "half←{⍝: <double>ρ → <double>ρ\n ⍵÷2\n}\nx←3+zz")
    outcome = cli("check", "--json", "p.apl")
    found = json.loads(outcome.out)
    assert (outcome.status, outcome.err) == (1, "")
    assert found["functions"] == [
        {
            "name": "half", "status": "proved", "type": "<double>ρ → <double>ρ", "covers": {},
            "file": "p.apl", "line": 1, "column": 1, "end_line": 1, "end_column": 5,
        }
    ]  # fmt: skip
    assert [d["kind"] for d in found["diagnostics"]] == ["VALUE ERROR"]
    assert (found["diagnostics"][0]["line"], found["diagnostics"][0]["column"]) == (4, 5)


def test_check_as_json_of_what_is_no_text(cli: Cli) -> None:
    Path("p.apl").write_bytes(b"x\xe9")
    for name, kind in (("p.apl", "SYNTAX ERROR"), ("missing.apl", "FILE ERROR")):
        outcome = cli("check", "--json", name)
        (found,) = json.loads(outcome.out)["diagnostics"]
        assert (outcome.status, outcome.err, found["kind"]) == (1, "", kind)


def test_check_reports_errors(cli: Cli) -> None:
    outcome = cli("check", write("p.apl", "x←1 2+1 2 3"))
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.first.startswith("p.apl:1:3: LENGTH ERROR: + needs equal lengths")


STAGES = {"ast": "statement", "tail": "iotaV", "tail-opt": "iotaV", "laila": "result", "c": "aplc_run"}


@pytest.mark.parametrize("stage", STAGES)
def test_emit(cli: Cli, stage: str) -> None:
    write("p.apl", "x←⍳50\n+/x")
    outcome = cli("emit", stage, "p.apl")
    assert (outcome.status, outcome.err) == (0, "")
    assert STAGES[stage] in outcome.out
    assert outcome.out.endswith("\n") and not outcome.out.endswith("\n\n")
    assert cli("emit", stage, "p.apl", "-o", "out") == Outcome(0, "", "")
    assert Path("out").read_text("utf-8") == outcome.out
    assert sorted(os.listdir()) == ["out", "p.apl"]


def test_emit_needs_no_compiler_and_no_value(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aplc.targets.c, "build", lambda *_, **__: pytest.fail("C is compiled"))
    write("p.apl", "f←{⍵}")
    for stage in STAGES:
        assert cli("emit", stage, "p.apl").status == 0


def test_emit_ast_of_several_files(cli: Cli) -> None:
    outcome = cli("emit", "ast", write("a.apl", "x←1"), write("b.apl", "y"))
    assert [line.split()[-1] for line in outcome.out.splitlines() if "name" in line] == ["x", "y"]


def test_a_failed_emit_leaves_the_file_alone(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    write("p.apl", "1 2+1 2 3")
    write("out", "precious")
    assert cli("emit", "c", "p.apl", "-o", "out").status == 1
    write("p.apl", "1+2")

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        outcome = cli("emit", "c", "p.apl", "-o", "out")
    assert outcome.status == 1
    assert outcome.first == "command line:1:1: FILE ERROR: out cannot be written: Permission denied"
    assert Path("out").read_text() == "precious"
    assert sorted(os.listdir()) == ["out", "p.apl"]


def test_emit_to_what_cannot_be_written(cli: Cli) -> None:
    write("p.apl", "1+2")
    Path("directory").mkdir()
    for output in ("missing/out", "p.apl/out", "directory"):
        outcome = cli("emit", "c", "p.apl", "-o", output)
        assert (outcome.status, outcome.out) == (1, "")
        assert outcome.first.startswith(f"command line:1:1: FILE ERROR: {output} cannot be written: ")


def test_emit_keeps_links_and_pipes(cli: Cli) -> None:
    write("p.apl", "1+2")
    Path("link").symlink_to("file")
    assert cli("emit", "tail", "p.apl", "-o", "link").status == 0
    assert Path("link").is_symlink() and Path("file").read_text() != ""
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert cli("emit", "tail", "p.apl", "-o", "pipe").status == 0
        assert os.read(reader, 1000) == Path("file").read_bytes()
    finally:
        os.close(reader)
    assert Path("pipe").is_fifo()


def test_an_emitted_file_has_the_mode_of_any_other(cli: Cli) -> None:
    cli("emit", "tail", write("p.apl", "1+2"), "-o", "out")
    assert Path("out").stat().st_mode == Path("p.apl").stat().st_mode


# --- TAIL files -----------------------------------------------------------------------------------------

ROUND_TRIPS = (
    "+/⍳10",
    "x←2 3⍴⍳6\n⎕←x\n⍉x×0.1",
    "f←{⍺+⍵*2}\n1 2 3 f 4.5 5 6",
    "'text'",
    "1 2 3∘.=3 2 1",
    "⎕←1\n⎕←2",
    "x←1",
)


@on_each_target
@pytest.mark.parametrize("stage", ["tail", "tail-opt"])
def test_tail_text_runs_like_its_program(cli: Cli, target: str, stage: str) -> None:
    for text in ROUND_TRIPS:
        write("p.apl", text)
        assert cli("emit", stage, "p.apl", "-o", "p.tail").status == 0
        direct = cli("p.apl", "--target", target)
        assert direct.status == 0
        assert cli("p.tail", "--target", target) == direct, text


@on_each_target
def test_tail_text_with_inputs(cli: Cli, target: str) -> None:
    save("x.npy", np.array([[1, 2], [3, 4]]))
    save("narrow.npy", np.array([[1, 2], [3, 4]], np.int8))
    save("y.npy", np.array(10))
    save("double.npy", np.array([[1.5]]))
    x, y = ("--input", "x=x.npy"), ("--input", "y=y.npy")
    cli("emit", "tail", write("p.apl", "x-y"), *x, *y, "-o", "p.tail")
    for arguments in ((*x, *y), (*y, *x), (*y, "--input", "x=narrow.npy")):
        assert cli("p.tail", *arguments, "--target", target) == Outcome(0, "¯9 ¯8\n¯7 ¯6\n", "")
    unused = cli("p.tail", *x, *y, "--input", "z=x.npy", "--target", target)
    head = "command line:1:9: VALUE ERROR: the program does not use the input z"
    assert unused == Outcome(2, "", f"{head}\n  1 | --input z=x.npy\n    |         ^\n")
    missing = cli("p.tail", *x, "--target", target)
    assert missing.status == 1
    assert missing.first == "p.tail:1:1: VALUE ERROR: the program needs --input y=FILE.npy, [int]0"
    wrong = cli("p.tail", "--input", "x=double.npy", *y, "--target", target)
    assert wrong.status == 1
    assert wrong.first == "p.tail:1:1: TYPE ERROR: the program needs [int]2 for x, the input is [double]2"


def test_tail_text_that_is_wrong(cli: Cli) -> None:
    outcome = cli(write("p.tail", "addi(1,"), "--target", "interp")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.first.startswith("p.tail:1:")
    assert "^" in outcome.err


def test_tail_text_stands_alone(cli: Cli) -> None:
    write("p.apl", "1+2")
    cli("emit", "tail", "p.apl", "-o", "p.tail")
    outcome = cli("p.tail", "p.apl")
    assert outcome.status == 1
    assert "p.tail is a program of its own" in outcome.err
    outcome = cli("emit", "ast", "p.tail")
    assert outcome == Outcome(2, "", "aplc: a .tail file is not APL text, so it has no stage ast\n")


# --- passes ---------------------------------------------------------------------------------------------


def dumped(err: str) -> list[str]:
    return re.findall(r"^-- after (\S+)$", err, re.MULTILINE)


def test_dump_after(cli: Cli) -> None:
    names = [each.name for each in PASSES]
    arguments = (write("p.apl", "x←⍳50\n+/x"), "--target", "interp")
    everything = cli(*arguments, "--dump-after", "all")
    assert (everything.status, everything.out) == (0, "1275\n")
    assert dumped(everything.err) == ["elaborate", *names]
    assert dumped(cli(*arguments, "--dump-after", "all", "-O", "0").err) == ["elaborate"]
    for name in ("elaborate", *names):
        outcome = cli(*arguments, "--dump-after", name)
        assert dumped(outcome.err) == [name]
        assert "iotaV" in outcome.err
        assert outcome.err in everything.err


def test_passes_are_those_named(cli: Cli) -> None:
    names = [each.name for each in PASSES][::-1]
    arguments = (write("p.apl", "x←⍳5\n+/x"), "--target", "interp", "--dump-after", "all")
    outcome = cli(*arguments, "--passes", ",".join(names))
    assert (outcome.status, outcome.out) == (0, "15\n")
    assert dumped(outcome.err) == ["elaborate", *names]
    assert dumped(cli(*arguments, "--passes", "").err) == ["elaborate"]


@pytest.mark.parametrize("option", ["--passes", "--dump-after"])
def test_pass_that_does_not_exist(cli: Cli, option: str) -> None:
    outcome = cli(write("p.apl", "1"), option, "no-such-pass")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.first.startswith("aplc: there is no pass no-such-pass; there are ")
    assert PASSES[0].name in outcome.first
