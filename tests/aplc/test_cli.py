"""The command line from end to end: what is printed where, and with which exit status it ends."""

import io
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import aplc.cli
import aplc.targets.interp
from tests.support.commands import Cli, Outcome, save, write
from tests.support.machine import needs_c, on_each_target

pytestmark = pytest.mark.usefixtures("surroundings")


# --- running --------------------------------------------------------------------------------------------


@on_each_target
@pytest.mark.parametrize("command", [(), ("run",)])
def test_a_program_runs(cli: Cli, target: str, command: tuple[str, ...]) -> None:
    write("p.apl", "⎕←+/⍳10\nx←2 3⍴⍳6\nx÷4\n'é'\n")
    expected = "55\n0.25 0.5  0.75\n1    1.25 1.5 \né\n"
    assert cli(*command, "p.apl", "--target", target) == Outcome(0, expected, "")


@needs_c
def test_the_default_target_is_c(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aplc.targets.interp, "evaluate", lambda *_: pytest.fail("the interpreter runs"))
    assert cli(write("p.apl", "1+2"), "--no-cache") == Outcome(0, "3\n", "")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("", ""),
        ("⍝ only a comment", ""),
        ("\n\n  ⋄ ⋄\n", ""),
        ("1+2", "3\n"),
        ("x←1 2\r\nx+1\r\n", "2 3\n"),
        ("\ufeff1+2\n", "3\n"),
        ("x←3", ""),
        ("f←{⍵}", ""),
        ("⎕←x←3", "3\n"),
        ("⍬", "\n"),
        ("''", "\n"),
        ("0 3⍴0", ""),
        ("3 0⍴0", "\n\n\n"),
        ("¯1 1.5", "¯1 1.5\n"),
        ("2 2⍴'abcd'", "ab\ncd\n"),
    ],
)
def test_what_is_printed(cli: Cli, text: str, printed: str) -> None:
    assert cli(write("p.apl", text), "--target", "interp") == Outcome(0, printed, "")


def test_several_files_are_one_program(cli: Cli) -> None:
    write("definitions.apl", "square←{⍵×⍵}")
    write("main.apl", "square 1 2 3")
    assert cli("definitions.apl", "main.apl", "--target", "interp") == Outcome(0, "1 4 9\n", "")
    late = cli("main.apl", "definitions.apl", "--target", "interp")
    assert late.status == 1
    assert late.first.startswith("main.apl:1:1: VALUE ERROR: square")


def test_standard_input_is_a_file(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (["-"], ["run", "-"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("⌽1 2 3".encode())))
        assert cli(*arguments, "--target", "interp") == Outcome(0, "3 2 1\n", "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1+")))
    assert cli("-", "--target", "interp").first.startswith("standard input:1:2: SYNTAX ERROR: ")


@needs_c
@pytest.mark.parametrize("level", ["0", "1", "2", "3"])
def test_levels_agree(cli: Cli, level: str) -> None:
    write("p.apl", "m←3 4⍴⍳12\n+/⌽m×m")
    assert cli("p.apl", "-O", level) == Outcome(0, "30 174 446\n", "")
    assert cli("p.apl", f"-O{level}", "--target", "interp") == Outcome(0, "30 174 446\n", "")


@needs_c
def test_without_the_cache_nothing_is_kept(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "cache"))
    write("p.apl", "7×6")
    assert cli("p.apl", "--no-cache") == Outcome(0, "42\n", "")
    assert not list(tmp_path.rglob("cache/**/*.so"))
    assert cli("p.apl") == Outcome(0, "42\n", "")
    assert len(list(tmp_path.rglob("cache/**/*.so"))) == 1


@on_each_target
def test_time_is_told_on_standard_error(cli: Cli, target: str) -> None:
    outcome = cli(write("p.apl", "+/⍳10"), "--target", target, "--time")
    assert (outcome.status, outcome.out) == (0, "55\n")
    shape = r"compile +\d+\.\d{3} ms\n(?:  [a-z-]+ +\d+\.\d{3} ms\n)*run +\d+\.\d{3} ms\nmemory +\d+\.\d MB\n"
    assert re.fullmatch(shape, outcome.err)


# --- values as JSON -------------------------------------------------------------------------------------


@on_each_target
def test_values_as_json(cli: Cli, target: str) -> None:
    values: list[tuple[str, str, list[int], object]] = [
        ("3", "int", [], [3]),
        ("¯1 2", "int", [2], [-1, 2]),
        ("9223372036854775807", "int", [], [2**63 - 1]),
        ("⍬", "int", [0], []),
        ("2 2⍴⍳4", "int", [2, 2], [1, 2, 3, 4]),
        ("2 1 2⍴⍳4", "int", [2, 1, 2], [1, 2, 3, 4]),
        ("1.5", "double", [], [1.5]),
        ("÷1 3", "double", [2], [1.0, 1 / 3]),
        ("0 3⍴1.5", "double", [0, 3], []),
        ("1=1", "bool", [], [True]),
        ("1 2=1 3", "bool", [2], [True, False]),
        ("2 0⍴1=1", "bool", [2, 0], []),
        ("'a'", "char", [], "a"),
        ("'aé\"\\𝄞'", "char", [5], 'aé"\\𝄞'),
        ("2 2⍴'abcd'", "char", [2, 2], "abcd"),
        ("''", "char", [0], ""),
        ("3 0⍴'a'", "char", [3, 0], ""),
        ("10×1E308 ¯1E308 1", "double", [3], ["inf", "-inf", 10.0]),
        ("(×/4⍴1E100)-×/4⍴1E100", "double", [], ["nan"]),
    ]
    write("p.apl", "\n".join(text for text, *_ in values))
    outcome = cli("p.apl", "--format", "json", "--target", target)
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    for (text, kind, shape, data), line in zip(values, lines, strict=True):
        found = json.loads(line, parse_constant=pytest.fail)
        assert list(found) == ["type", "shape", "data"], text
        assert found == {"type": kind, "shape": shape, "data": data}, text
        assert list(map(type, found["data"])) == list(map(type, data)), text


@on_each_target
def test_values_that_are_not_finite(cli: Cli, target: str) -> None:
    save("x.npy", np.array([np.inf, -np.inf, np.nan, -0.0]))
    arguments = (write("p.apl", "x"), "--input", "x=x.npy", "--target", target)
    assert cli(*arguments) == Outcome(0, "∞ ¯∞ NaN 0\n", "")
    expected = '{"type":"double","shape":[4],"data":["inf","-inf","nan",-0.0]}\n'
    assert cli(*arguments, "--format", "json") == Outcome(0, expected, "")


# --- wrong command lines --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no file is given"),
        (("run",), "no file is given"),
        (("check",), "no file is given"),
        (("emit",), "the following arguments are required: stage, FILE"),
        (("emit", "c"), "no file is given"),
        (
            ("emit", "no-such-stage", "p.apl"),
            "a stage is one of ast, tail, tail-opt, laila, c, openmp, opencl, not no-such",
        ),
        (("emit", "c", "p.apl", "--target", "openmp"), "the stage c is that of --target c, not openmp"),
        (("p.apl", "--no-such-option"), "unrecognized arguments: --no-such-option"),
        (("p.apl", "--targ", "c"), "unrecognized arguments: --targ"),
        (("p.apl", "--target", "cuda"), "--target is one of interp, c, openmp, opencl, not cuda"),
        (("p.apl", "--threads", "2"), "--threads needs --target openmp or opencl"),
        (("p.apl", "--target", "openmp", "--threads", "0"), "argument --threads: a number from 1 to"),
        (("p.apl", "--target", "openmp", "--threads", "two"), "argument --threads: a number from 1 to"),
        (("p.apl", "--target", "openmp", "--threads", "9" * 5000), "argument --threads: a number from 1"),
        (("p.apl", "--device", "x"), "--device needs --target opencl"),
        (("p.apl", "--target", "openmp", "--threads", "-1"), "argument --threads: a number from 1 to"),
        (("p.apl", "--target"), "argument --target: expected one argument"),
        (("p.apl", "-O", "4"), "argument -O: invalid choice"),
        (("p.apl", "-O", "fast"), "argument -O: invalid int value"),
        (("p.apl", "--format", "xml"), "argument --format: invalid choice"),
        (("p.apl", "-o", "out"), "unrecognized arguments: -o out"),
        (("check", "p.apl", "--time"), "unrecognized arguments: --time"),
        (("a\0b.apl",), "a file name holds a character"),
    ],
)
def test_wrong_command_line(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    write("p.apl", "1")
    outcome = cli(*arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"aplc: {message}")


@on_each_target
def test_overflow_is_an_error_where_it_is_asked_for(cli: Cli, target: str) -> None:
    program = write("p.apl", "⎕←2×5000000000000000000")
    assert cli(program, "--target", target) == Outcome(0, "¯8446744073709551616\n", "")
    outcome = cli(program, "--target", target, "--check-overflow")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith("p.apl:1:3: DOMAIN ERROR: the result of × does not fit an integer\n")


def test_options_that_change_the_c(cli: Cli) -> None:
    """Each on its own, and all together."""
    save("v.npy", np.arange(12.0).reshape(3, 4))
    program = write("p.apl", "+/÷,⍉v")
    plain = cli("emit", "c", program, "--input", "v=v.npy").out
    choices = (
        ["--strict-fp"],
        ["--unsafe"],
        ["--arrays", "flat"],
        ["--arrays", "flat", "--unsafe", "--strict-fp"],
    )
    texts = {cli("emit", "c", program, "--input", "v=v.npy", *choice).out for choice in choices}
    assert len(texts | {plain}) == 5
    assert cli("emit", "c", program, "--input", "v=v.npy", "--arrays", "hybrid").out == plain


def test_an_unknown_form_of_arrays(cli: Cli) -> None:
    outcome = cli(write("p.apl", "1"), "--arrays", "nested")
    assert outcome.status == 2
    assert "argument --arrays: invalid choice: 'nested'" in outcome.err


def test_help_and_version(cli: Cli) -> None:
    for arguments in (["-h"], ["--help"], ["p.apl", "--help"]):
        outcome = cli(*arguments)
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.out.startswith("usage: aplc FILE.apl")
    assert cli("--version") == Outcome(0, f"aplc {aplc.__version__}\n", "")


# --- wrong programs -------------------------------------------------------------------------------------


def test_errors_come_in_order_each_with_its_line(cli: Cli) -> None:
    write("p.apl", "1 2 3+4 5\nmissing\n\n1 2+")
    outcome = cli("p.apl", "--target", "interp")
    assert (outcome.status, outcome.out) == (1, "")
    blocks = [outcome.err.splitlines()[i : i + 3] for i in range(0, 9, 3)]
    assert [re.sub("ERROR: .*", "ERROR", head) for head, _, _ in blocks] == [
        "p.apl:1:1: LENGTH ERROR",
        "p.apl:2:1: VALUE ERROR",
        "p.apl:4:4: SYNTAX ERROR",
    ]
    sources = ["  1 | 1 2 3+4 5", "  2 | missing", "  4 | 1 2+"]
    assert [source for _, source, _ in blocks] == sources
    carets = [r"    \| \^{9} .*", r"    \| \^{7}", r"    \|    \^"]
    assert all(re.fullmatch(shape, line) for shape, (_, _, line) in zip(carets, blocks, strict=True))


def test_syntax_errors_of_all_files_are_reported(cli: Cli) -> None:
    outcome = cli(write("a.apl", "(1"), write("b.apl", "'abc"), "--target", "interp")
    heads = [line for line in outcome.err.splitlines() if "ERROR" in line]
    assert [head[:11] for head in heads] == ["a.apl:1:1: ", "b.apl:1:1: "]


@on_each_target
def test_error_while_running(cli: Cli, target: str) -> None:
    save("x.npy", np.array([1, 0]))
    write("p.apl", "f←{\n  1÷⍵\n}\n⎕←'before'\nf x\n'after'")
    outcome = cli("p.apl", "--input", "x=x.npy", "--target", target)
    assert (outcome.status, outcome.out) == (1, "before\n")
    assert outcome.err.startswith("p.apl:2:3: DOMAIN ERROR: ÷ divides by zero\n  2 |   1÷⍵\n    |   ^^^\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe1+2", "p.apl:1:1: SYNTAX ERROR: byte 0xFF is not UTF-8"),
        (b"1+2\n3+\xe9", "p.apl:2:3: SYNTAX ERROR"),
    ],
)
def test_file_that_is_not_utf8(cli: Cli, content: bytes, message: str) -> None:
    Path("p.apl").write_bytes(content)
    outcome = cli("p.apl")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.first.startswith(message)


def test_file_that_cannot_be_read(cli: Cli) -> None:
    Path("directory.apl").mkdir()
    for name, reason in (("missing.apl", "there is no such file"), ("directory.apl", "it is a directory")):
        expected = f"command line:1:1: FILE ERROR: {name} cannot be read: {reason}"
        for command in ((), ("check",), ("emit", "c")):
            outcome = cli(*command, name)
            assert (outcome.status, outcome.out, outcome.first) == (1, "", expected)


def test_deep_nesting(cli: Cli) -> None:
    write("p.apl", "(" * 3000 + "1" + ")" * 3000)
    outcome = cli("p.apl", "--target", "interp")
    assert outcome == Outcome(0, "1\n", "")
