"""The command line from end to end: what is printed where, and with which exit status it ends."""

import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from machine import TARGETS, needs_c

import aplc.cli
import aplc.compiler
from backends import toolchain
from tail.errors import InternalError
from tail.pipeline import PASSES

ROOT = Path(__file__).resolve().parent.parent
DEV_FULL = Path("/dev/full")
LATER_COMMANDS = ("repl", "lsp", "kernel", "doctor")
LATER_OPTIONS = (("--precision", "single"),)


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def first(self) -> str:
        """The first line on standard error."""
        return self.err.partition("\n")[0]


Cli = Callable[..., Outcome]

pytestmark = pytest.mark.usefixtures("surroundings")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """`aplc` in this process."""

    def call(*arguments: str) -> Outcome:
        status = aplc.cli.main(list(arguments))
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(status, captured.out, captured.err)

    return call


def write(name: str, text: str) -> str:
    Path(name).write_bytes(text.encode())
    return name


def save(name: str, array: np.ndarray, **options: bool) -> str:
    np.save(name, array, **options)
    return name


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **changes}


COMMAND = (sys.executable, "-m", "aplc.cli")


# --- running --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("command", [(), ("run",)])
def test_a_program_runs(cli: Cli, target: str, command: tuple[str, ...]) -> None:
    write("p.apl", "⎕←+/⍳10\nx←2 3⍴⍳6\nx÷4\n'é'\n")
    expected = "55\n0.25 0.5  0.75\n1    1.25 1.5 \né\n"
    assert cli(*command, "p.apl", "--target", target) == Outcome(0, expected, "")


@needs_c
def test_the_default_target_is_c(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aplc.compiler, "evaluate", lambda *_: pytest.fail("the interpreter runs"))
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


@pytest.mark.parametrize("target", TARGETS)
def test_time_is_told_on_standard_error(cli: Cli, target: str) -> None:
    outcome = cli(write("p.apl", "+/⍳10"), "--target", target, "--time")
    assert (outcome.status, outcome.out) == (0, "55\n")
    shape = r"compile +\d+\.\d{3} ms\nrun +\d+\.\d{3} ms\nmemory +\d+\.\d MB\n"
    assert re.fullmatch(shape, outcome.err)


# --- values as JSON -------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
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


@pytest.mark.parametrize("target", TARGETS)
def test_values_that_are_not_finite(cli: Cli, target: str) -> None:
    save("x.npy", np.array([np.inf, -np.inf, np.nan, -0.0]))
    arguments = (write("p.apl", "x"), "--input", "x=x.npy", "--target", target)
    assert cli(*arguments) == Outcome(0, "∞ ¯∞ NaN 0\n", "")
    expected = '{"type":"double","shape":[4],"data":["inf","-inf","nan",-0.0]}\n'
    assert cli(*arguments, "--format", "json") == Outcome(0, expected, "")


# --- inputs ---------------------------------------------------------------------------------------------

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
NUMBERS = (*INTEGERS, "float16", "float32", "float64")
FOREIGN = (">i2", ">i4", ">i8", ">u4", ">u8", ">f2", ">f4", ">f8")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", [*NUMBERS, *FOREIGN])
def test_input_of_every_number_type(cli: Cli, target: str, name: str) -> None:
    dtype = np.dtype(name)
    if dtype.kind == "f":
        array = np.array([[-1.5, 0.0, 2.25]], dtype)
    else:
        bits = np.iinfo(dtype)
        array = np.array([[bits.min, 0, min(bits.max, 2**63 - 1)]], dtype)
    save("x.npy", array)
    outcome = cli(write("p.apl", "x"), "--input", "x=x.npy", "--target", target, "--format", "json", "--time")
    assert outcome.status == 0, outcome.err
    kind = "double" if dtype.kind == "f" else "int"
    assert json.loads(outcome.out) == {"type": kind, "shape": [1, 3], "data": array.ravel().tolist()}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.array([True, False]), "bool"),
        (np.array(["a", "é", "𝄞"]), "char"),
        (np.array(["a", "é"]).astype(">U1"), "char"),
        (np.array("x"), "char"),
        (np.array(7), "int"),
        (np.array(7.5), "double"),
        (np.asfortranarray(np.arange(6).reshape(2, 3)), "int"),
        (np.empty(0), "double"),
        (np.empty((3, 0), np.int32), "int"),
        (np.empty((0, 3), bool), "bool"),
        (np.empty((2, 0), "<U1"), "char"),
    ],
    ids=str,
)
def test_input_of_every_kind(cli: Cli, target: str, array: np.ndarray, kind: str) -> None:
    save("x.npy", array)
    arguments = ("--input", "x=x.npy", "--target", target, "--format", "json")
    outcome = cli(write("p.apl", "x\n⍴x"), *arguments)
    assert outcome.status == 0, outcome.err
    flat = array.ravel().tolist()
    data = "".join(flat) if kind == "char" else flat
    assert [json.loads(line) for line in outcome.out.splitlines()] == [
        {"type": kind, "shape": list(array.shape), "data": data},
        {"type": "int", "shape": [array.ndim], "data": list(array.shape)},
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_several_inputs_in_any_order(cli: Cli, target: str) -> None:
    save("a.npy", np.array([[10, 20]], np.int16))
    save("b.npy", np.array(2.5))
    write("p.apl", "unused←1\na-b")
    a, b = ("--input", "a=a.npy"), ("--input", "∆b_1=b.npy")
    write("p.apl", "a-∆b_1")
    for arguments in ((*a, *b), (*b, *a)):
        assert cli("p.apl", *arguments, "--target", target) == Outcome(0, "7.5 17.5\n", "")


def test_inputs_of_check_and_emit(cli: Cli) -> None:
    save("x.npy", np.zeros((2, 3), np.float32))
    write("p.apl", "y←+/x")
    assert cli("check", "p.apl", "--input", "x=x.npy").out == "p.apl:1:1: y : [double]1\n"
    assert "[double]2" in cli("emit", "tail", "p.apl", "--input", "x=x.npy").out
    assert "float" in cli("emit", "c", write("q.apl", "+/x"), "--input", "x=x.npy").out


def bad_input(cli: Cli, argument: str) -> str:
    outcome = cli(write("p.apl", "x"), "--input", argument, "--target", "interp")
    assert (outcome.status, outcome.out) == (1, "")
    head, source, carets = outcome.err.splitlines()
    assert head.startswith("command line:1:")
    assert source == f"  1 | --input {argument}"
    assert re.fullmatch(r"    \| +\^+", carets)
    return head


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.array([1j]), "complex numbers"),
        (np.array(["ab", "c"]), "texts"),
        (np.array([b"a"]), "bytes"),
        (np.array(["2020-01-01"], "datetime64[D]"), "dates"),
        (np.zeros(2, [("a", "i4"), ("b", "f8")]), "records"),
        (np.array([2**63], np.uint64), "unsigned integers beyond 64 bits"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_input_that_apl_has_no_counterpart_for(cli: Cli, array: np.ndarray, reason: str) -> None:
    save("x.npy", array)
    assert f"FILE ERROR: x.npy holds {reason}" in bad_input(cli, "x=x.npy")


def test_input_of_python_objects_is_not_loaded(cli: Cli) -> None:
    save("x.npy", np.array([1, "a", None], object), allow_pickle=True)
    assert "FILE ERROR: x.npy holds Python objects" in bad_input(cli, "x=x.npy")


def test_input_that_is_no_npy_file(cli: Cli) -> None:
    save("good.npy", np.arange(6))
    good = Path("good.npy").read_bytes()
    damaged = {
        b"": "does not begin like one",
        b"1 2 3\n": "does not begin like one",
        good[:-1]: "it is cut short",
        good[:40]: "EOF",
        good.replace(b"(6,), } ", b"(7,), } "): "it is cut short",
        good.replace(b"(6,), } ", b"(-6,), }"): "negative dimensions",
        good.replace(b"'<i8'", b"'<q9'"): "",
        good[:6] + b"\x09\x00" + good[8:]: "its version is 9.0",
    }
    for content, fragment in damaged.items():
        Path("x.npy").write_bytes(content)
        head = bad_input(cli, "x=x.npy")
        assert "FILE ERROR: x.npy is no .npy file, or damaged (" in head
        assert fragment in head
    np.savez("x.npz", x=np.arange(3))
    assert "x.npz is no .npy file" in bad_input(cli, "x=x.npz")


def test_input_that_cannot_be_opened(cli: Cli) -> None:
    assert "FILE ERROR: there is no file missing.npy" in bad_input(cli, "x=missing.npy")
    Path("directory.npy").mkdir()
    assert "FILE ERROR: directory.npy cannot be read: it is a directory" in bad_input(cli, "x=directory.npy")


@pytest.mark.parametrize("argument", ["", "x", "x=", "=x.npy", "x y=x.npy", "2=x.npy", "+=x.npy", "⍵=x.npy"])
def test_input_that_is_not_named_well(cli: Cli, argument: str) -> None:
    save("x.npy", np.arange(3))
    assert " SYNTAX ERROR: " in bad_input(cli, argument)


def test_input_given_twice(cli: Cli) -> None:
    save("x.npy", np.arange(3))
    outcome = cli(write("p.apl", "x"), "--input", "x=x.npy", "--input", "x=x.npy")
    assert outcome == Outcome(2, "", "aplc: --input x is given twice\n")


def test_input_that_is_not_given(cli: Cli) -> None:
    outcome = cli(write("p.apl", "x"), "--target", "interp")
    assert (outcome.status, outcome.first) == (1, "p.apl:1:1: VALUE ERROR: x is not defined")


# --- check and emit -------------------------------------------------------------------------------------


def test_check_prints_types_and_runs_nothing(cli: Cli) -> None:
    write("p.apl", "square←{⍵×⍵}\nunused←{⍵}\nx←square 1 2 3\n⎕←1÷0\n'text'")
    outcome = cli("check", "p.apl")
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines == [
        "p.apl:1:1: square : [κ]ρ → [κ]ρ  (κ is int or double)",
        "p.apl:2:1: unused : [κ]ρ → [κ]ρ  (κ is int, double, bool or char)",
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
    monkeypatch.setattr(aplc.compiler, "build", lambda *_, **__: pytest.fail("C is compiled"))
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


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("stage", ["tail", "tail-opt"])
def test_tail_text_runs_like_its_program(cli: Cli, target: str, stage: str) -> None:
    for text in ROUND_TRIPS:
        write("p.apl", text)
        assert cli("emit", stage, "p.apl", "-o", "p.tail").status == 0
        direct = cli("p.apl", "--target", target)
        assert direct.status == 0
        assert cli("p.tail", "--target", target) == direct, text


@pytest.mark.parametrize("target", TARGETS)
def test_tail_text_with_inputs(cli: Cli, target: str) -> None:
    save("x.npy", np.array([[1, 2], [3, 4]]))
    save("narrow.npy", np.array([[1, 2], [3, 4]], np.int8))
    save("y.npy", np.array(10))
    save("double.npy", np.array([[1.5]]))
    x, y = ("--input", "x=x.npy"), ("--input", "y=y.npy")
    cli("emit", "tail", write("p.apl", "x-y"), *x, *y, "-o", "p.tail")
    for arguments in ((*x, *y), (*y, *x), (*y, "--input", "x=narrow.npy"), (*y, "--input", "z=x.npy", *x)):
        assert cli("p.tail", *arguments, "--target", target) == Outcome(0, "¯9 ¯8\n¯7 ¯6\n", "")
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


# --- wrong command lines --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no file is given"),
        (("run",), "the following arguments are required: FILE"),
        (("check",), "the following arguments are required: FILE"),
        (("emit",), "the following arguments are required: stage, FILE"),
        (("emit", "c"), "the following arguments are required: FILE"),
        (
            ("emit", "no-such-stage", "p.apl"),
            "a stage is one of ast, tail, tail-opt, laila, c, openmp, opencl, not no-such",
        ),
        (("p.apl", "--no-such-option"), "unrecognized arguments: --no-such-option"),
        (("p.apl", "--targ", "c"), "unrecognized arguments: --targ"),
        (("p.apl", "--target", "cuda"), "--target is one of interp, c, openmp, opencl, not cuda"),
        (("p.apl", "--threads", "2"), "--threads needs --target openmp"),
        (("p.apl", "--target", "openmp", "--threads", "0"), "argument --threads: a number from 1 to"),
        (("p.apl", "--target", "openmp", "--threads", "two"), "argument --threads: a number from 1 to"),
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


@pytest.mark.parametrize("name", LATER_COMMANDS)
def test_command_that_is_not_there_yet(cli: Cli, name: str) -> None:
    assert cli(name, "p.apl") == Outcome(2, "", f"aplc: aplc {name} is not there yet\n")


@pytest.mark.parametrize("option", LATER_OPTIONS, ids=lambda option: option[0])
def test_option_that_is_not_there_yet(cli: Cli, option: tuple[str, ...]) -> None:
    outcome = cli(write("p.apl", "1"), *option)
    assert outcome == Outcome(2, "", f"aplc: {option[0]} is not there yet\n")


@pytest.mark.parametrize("target", TARGETS)
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
    for arguments in (["-h"], ["--help"], ["run", "--help"], ["emit", "-h"]):
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


@pytest.mark.parametrize("target", TARGETS)
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
    for name, reason in (("missing.apl", "there is no such file"), ("directory.apl", "Is a directory")):
        expected = f"command line:1:1: FILE ERROR: {name} cannot be read: {reason}"
        for command in ((), ("check",), ("emit", "c")):
            outcome = cli(*command, name)
            assert (outcome.status, outcome.out, outcome.first) == (1, "", expected)


def test_deep_nesting(cli: Cli) -> None:
    write("p.apl", "(" * 3000 + "1" + ")" * 3000)
    outcome = cli("p.apl", "--target", "interp")
    assert outcome == Outcome(0, "1\n", "")


# --- this machine, and our bugs -------------------------------------------------------------------------


@pytest.fixture
def no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which no C compiler is found."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CC", raising=False)
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "ziglang" else find_spec(name, *rest)
    )
    toolchain._find.cache_clear()


@pytest.mark.usefixtures("no_compiler")
def test_machine_without_a_compiler(cli: Cli) -> None:
    write("p.apl", "1+2")
    outcome = cli("p.apl")
    assert (outcome.status, outcome.out) == (3, "")
    assert outcome.err.startswith("aplc: no C compiler found")
    assert "apt install gcc" in outcome.err and "pip install" in outcome.err
    assert cli("p.apl", "--target", "interp") == Outcome(0, "3\n", "")
    assert cli("emit", "c", "p.apl").status == 0
    assert cli("check", "p.apl").status == 0


def test_compiler_that_does_not_exist(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    outcome = cli(write("p.apl", "1+2"))
    assert outcome.status == 3
    assert outcome.err.startswith("aplc: the environment variable CC is no-such-compiler")


@pytest.mark.parametrize(
    ("failure", "where"),
    [
        (InternalError("lower", "no rule"), "lower"),
        (KeyError("x"), "KeyError"),
        (AttributeError("'NoneType' object has no attribute 'x'"), "AttributeError"),
    ],
)
def test_bug_of_ours(cli: Cli, monkeypatch: pytest.MonkeyPatch, failure: Exception, where: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(aplc.compiler, "lower_program", fail)
    outcome = cli(write("p.apl", "1+2"), "--no-cache")
    assert (outcome.status, outcome.out) == (70, "")
    assert outcome.first == f"aplc: this is a bug in aplc, not in your program ({where})"
    assert "report it" in outcome.err
    monkeypatch.setenv("APLC_DEBUG", "1")
    with pytest.raises(type(failure)):
        aplc.cli.main(["p.apl"])


def test_bug_in_a_pass_names_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(term: object) -> None:
        raise IndexError("out of range")

    broken = type(PASSES[0])("break-things", fail)
    monkeypatch.setattr(aplc.compiler, "PASSES", (broken,))
    outcome = cli(write("p.apl", "1+2"), "--target", "interp")
    assert outcome.status == 70
    assert "(break-things)" in outcome.first


def test_no_memory(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(aplc.compiler, "evaluate", fail)
    outcome = cli(write("p.apl", "1+2"), "--target", "interp")
    assert outcome == Outcome(1, "", "aplc: WS FULL: not enough memory\n")


# --- the process ----------------------------------------------------------------------------------------


def test_unicode_whatever_the_locale() -> None:
    write("p.apl", "⎕←'é⍳'\n¯1\n1÷0")
    changes = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "NO_COLOR": "1"}
    command = (*COMMAND, "p.apl", "--target", "interp")
    done = subprocess.run(command, env=environment(**changes), capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode()) == (1, "é⍳\n¯1\n")
    expected = "p.apl:3:1: DOMAIN ERROR: ÷ divides by zero\n  3 | 1÷0\n    | ^^^\n"
    assert done.stderr.decode() == expected


def test_reader_that_goes_away() -> None:
    write("p.apl", "⎕←⍳5000\n⎕←⍳5000\n⎕←⍳5000")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        command = (*COMMAND, "p.apl", "--target", "interp")
        done = subprocess.run(command, env=environment(), stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not DEV_FULL.is_char_device(), reason="NOT CHECKED: no /dev/full")
@pytest.mark.parametrize("arguments", [("p.apl", "--target", "interp"), ("emit", "tail", "p.apl"), ("-h",)])
def test_disk_that_is_full(arguments: tuple[str, ...]) -> None:
    write("p.apl", "1+2")
    with open(DEV_FULL, "w") as full:
        done = subprocess.run(
            (*COMMAND, *arguments), env=environment(), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (3, b"aplc: cannot write: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="NOT CHECKED: streams are closed as POSIX shells do it")
def test_streams_that_are_closed() -> None:
    write("p.apl", "1+2")
    for arguments, status in (("p.apl --target interp", 0), ("- --target interp", 0), ("missing.apl", 1)):
        line = f'"$0" -m aplc.cli {arguments} <&- >&- 2>&-'
        done = subprocess.run(("sh", "-c", line, sys.executable), env=environment(), check=False)
        assert done.returncode == status, arguments


@pytest.mark.parametrize("target", [pytest.param("c", marks=needs_c)])
def test_interrupt_ends_a_program_at_once(target: str) -> None:
    write("p.apl", "⎕←'started'\n+/÷⍳1000000000000")
    command = (*COMMAND, "p.apl", "--target", target)
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=environment(PYTHONUNBUFFERED="1"), stdout=pipe, stderr=pipe
    ) as process:
        try:
            assert process.stdout is not None and process.stderr is not None
            assert process.stdout.readline() == b"started\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == -signal.SIGINT
            assert process.stdout.read() == b""
            assert process.stderr.read() == b""
        finally:
            process.kill()
