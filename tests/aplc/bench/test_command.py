"""The command `aplc bench` from end to end, at tiny sizes; what it refuses; rows that fail; data sets."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import aplc.cli
from aplc.backends.native.processes import Workplace, workplace
from aplc.bench import command, data, python_rivals, results, worker
from aplc.bench.measure import Plan
from aplc.bench.results import Machine, Row, from_json
from aplc.bench.suite import SUITE
from aplc.bench.worker import Job, run_job
from tests.support.commands import COMMAND, environment, eventually
from tests.support.paths import ROOT


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Job]:
    """Rows at tiny sizes in this process, and a machine that is not measured; gives the rows that ran."""
    ran: list[Job] = []

    def run(job: Job, plan: Plan, limit: float, place: Workplace) -> Row:
        ran.append(job)
        return worker.measured(job.benchmark, job.benchmark.tiny, plan)

    machine = Machine(
        "a processor", 2, 1 << 30, "a system", "a compiler", {}, {}, "abc", "now", 1e10, 1e10, 1e-5
    )
    monkeypatch.setattr(command, "run_job", run)
    monkeypatch.setattr(command, "this_machine", lambda quick: machine)
    monkeypatch.setattr(python_rivals, "is_there", lambda module: False)  # they compile for seconds
    monkeypatch.chdir(tmp_path)
    return ran


Said = pytest.CaptureFixture[str]


@pytest.mark.in_turn(2)
def test_files_and_terminal(fast: list[Job], capsys: Said) -> None:
    files = ["--json", "a.json", "--markdown", "a.md", "--html", "a.html", "--svg", "a.svg"]
    assert aplc.cli.main(["bench", "signal", "--only", "+/", *files]) == 0
    out = capsys.readouterr().out
    assert "Table 3.5" in out
    assert [job.benchmark.name for job in fast] == ["signal", "signal", "+/"]
    assert [row.name for row in from_json(Path("a.json").read_text("utf-8")).rows] == [
        "signal",
        "signal",
        "+/",
    ]
    assert "    aplc bench signal --only +/" in Path("a.md").read_text("utf-8")
    assert Path("a.svg").read_text("utf-8").startswith("<svg ")
    assert "<h3>signal: the function total</h3>" in Path("a.html").read_text("utf-8")


def test_growing_work(fast: list[Job], capsys: Said) -> None:
    assert aplc.cli.main(["bench", "--growing", "+/", "--targets", "c,openmp", "--html", "a.html"]) == 0
    assert [job.size for job in fast] == [(1000,), (10_000,), (100_000,), (1_000_000,)]
    assert "Growing work" in capsys.readouterr().out
    page = Path("a.html").read_text("utf-8")
    assert page.count("<svg ") == 1 and "aplc OpenMP over aplc C" in page


@pytest.mark.in_turn(2)
def test_standard_output_and_comparison(fast: list[Job], capsys: Said) -> None:
    assert aplc.cli.main(["bench", "--quick", "integral", "--json", "-"]) == 0
    text = capsys.readouterr().out
    Path("old.json").write_text(text, "utf-8")
    read = json.loads(text)
    read["rows"][0]["figures"] = [
        f | {"seconds": [s / 4 for s in f["seconds"]]} if f["column"] == "aplc C" else f
        for f in read["rows"][0]["figures"]
    ]
    Path("older.json").write_text(json.dumps(read), "utf-8")
    assert aplc.cli.main(["bench", "--quick", "integral", "--compare", "older.json"]) == 0
    out = capsys.readouterr().out
    assert out.index("Compared with an earlier run") < out.index("All programs")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["factorial"], 2, "there is no benchmark factorial; there are signal"),
        (["--only", "x,signal"], 2, "there is no benchmark x"),
        (["--threads", "0"], 2, "--threads is a list of numbers"),
        (["--threads", "two"], 2, "--threads is a list of numbers"),
        (["--targets", "gpu"], 2, "a target is one of"),
        (["--targets", ""], 2, "a target is one of"),
        (["--fast"], 2, "unrecognized arguments: --fast"),
        (["--json"], 2, "expected one argument"),
        (["--data", "nowhere"], 1, "nowhere is no directory"),
        (["--compare", "nowhere.json"], 1, "there is no such file"),
        (["--compare", "text.json"], 1, "text.json cannot be read"),
        (["--compare", "pipe.json"], 1, "pipe.json cannot be read: it is a pipe, not a regular file"),
        (["--json", "nowhere/a.json"], 1, "there is no such directory"),
        (["--html", "."], 1, "it is a directory"),
    ],
)
def test_what_is_refused(
    arguments: list[str], status: int, words: str, fast: list[Job], capsys: Said
) -> None:
    Path("text.json").write_text("hello", "utf-8")
    os.mkfifo("pipe.json")
    assert aplc.cli.main(["bench", *arguments]) == status
    said = capsys.readouterr()
    assert words in said.err
    assert "Traceback" not in said.err
    assert not said.out
    assert not fast


def test_a_machine_without_a_compiler(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert aplc.cli.main(["bench", "--quick"]) == 3
    assert "no-such-compiler" in capsys.readouterr().err


def test_help_names_the_options(capsys: Said) -> None:
    assert aplc.cli.main(["bench", "--help"]) == 0
    out = capsys.readouterr().out
    for option in (
        "quick",
        "only",
        "targets",
        "threads",
        "device",
        "data",
        "json",
        "markdown",
        "html",
        "svg",
        "compare",
    ):
        assert f"--{option}" in out


def test_ctrl_c_keeps_what_was_measured(
    fast: list[Job], monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    true_run: Callable[..., Row] = command.run_job

    def run(job: Job, plan: Plan, limit: float, shared: str) -> Row:
        if fast:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        return true_run(job, plan, limit, shared)

    monkeypatch.setattr(command, "run_job", run)
    assert aplc.cli.main(["bench", "--quick", "integral", "+/", "--json", "a.json"]) == 130
    assert "interrupted" in capsys.readouterr().out
    found = from_json(Path("a.json").read_text("utf-8"))
    assert found.interrupted
    assert [row.name for row in found.rows] == ["integral"]


def test_progress_is_for_terminals_only(fast: list[Job], capsys: Said) -> None:
    assert aplc.cli.main(["bench", "--quick", "integral"]) == 0
    assert not capsys.readouterr().err


# --- rows in processes of their own ---------------------------------------------------------------------


def _job(name: str) -> Job:
    benchmark = next(each for each in SUITE if each.name == name)
    return Job(benchmark, benchmark.tiny)


@pytest.mark.in_turn(2)
def test_a_row_in_a_process() -> None:
    with workplace("aplc-test-") as place:
        row = run_job(_job("+/"), Plan(quick=True), 120, place)
        assert list(Path(place.path).glob("sums-*.so"))
    assert row.seconds(results.APLC) is not None
    assert row.size == (500,)
    assert not Path(place.path).exists()


def test_a_row_that_takes_too_long() -> None:
    with workplace("aplc-test-") as place:
        row = run_job(_job("+/"), Plan(), 0.01, place)
    assert not row.figures
    assert row.reason(results.APLC) == "took longer than 0 s"


def test_a_row_whose_process_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nkill -SEGV $$\n", "utf-8")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    with workplace("aplc-test-") as place:
        row = run_job(_job("+/"), Plan(), 60, place)
    assert row.reason(results.C) == "its process was ended by SIGSEGV"


def test_a_row_that_raises(tmp_path: Path) -> None:
    (tmp_path / "temp_7").write_text("1 2 3", "utf-8")
    (tmp_path / "power_7").write_text("1 2 3", "utf-8")
    job = replace(_job("hotspot"), size=(5, 7, 7))
    with workplace("aplc-test-") as place:
        row = run_job(job, Plan(data=str(tmp_path)), 60, place)
    assert row.reason(results.APLC) == "temp_7 has 3 numbers, not 7 × 7"


def _commands(children: Path) -> list[bytes]:
    """The command lines of processes whose numbers a file has."""
    found = []
    for number in children.read_text("ascii").split():
        with suppress(OSError):
            found.append(Path("/proc", number, "cmdline").read_bytes())
    return found


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="NOT CHECKED: no /proc shows processes")
def test_ctrl_c_from_a_shell(tmp_path: Path) -> None:
    """The command ends soon, leaves no process behind, and shows no traceback."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "APLC_CACHE_DIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "aplc.cli", "bench", "--quick", "signal", "--json", str(tmp_path / "a.json")],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0,
    )  # fmt: skip
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until = time.monotonic() + 60
    while time.monotonic() < until and not any(b"aplc.bench.worker" in each for each in _commands(children)):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    assert process.returncode == 130
    assert "interrupted" in out
    assert from_json((tmp_path / "a.json").read_text("utf-8")).rows == ()


# --- data sets ------------------------------------------------------------------------------------------


def test_rodinia(tmp_path: Path) -> None:
    planes = data.chip(3, 3)
    for name, plane in zip(("temp", "power"), planes, strict=True):
        (tmp_path / f"{name}_3").write_text("\n".join(map(repr, plane.ravel().tolist())), "utf-8")
    found = data.rodinia(tmp_path, (4, 3, 3))
    assert found is not None
    assert found[0] == 4
    assert np.array_equal(found[1], planes)
    assert data.rodinia(tmp_path, (4, 5, 5)) is None
    (tmp_path / "power_3").write_text("1 2 x", "utf-8")
    with pytest.raises(data.UnfitData, match="power_3"):
        data.rodinia(tmp_path, (4, 3, 3))


def _finpar(underlyings: int, dates: int, bits: int, rows: int) -> str:
    numbers = data.directions(15)[:rows].tolist()
    head = f"2 // contract\n1000\n{dates}\n{underlyings}\n1\n{bits}\n"
    return f"{head}[ {', '.join([str(row) for row in numbers])} ]\n[ [ 0.5, 0.25 ] ]\n[3700.0]\n"


def test_finpar(tmp_path: Path) -> None:
    assert data.finpar(tmp_path, (50,)) is None
    file = tmp_path / "input.data"
    file.write_text(_finpar(3, 5, 30, 15), "utf-8")
    found = data.finpar(tmp_path, (50,))
    assert found is not None
    assert np.array_equal(found[0], data.directions(15))
    assert found[1] == 50
    assert data.finpar(tmp_path, (5000,))[1] == 1000  # type: ignore[index]
    for wrong in (
        _finpar(2, 5, 30, 15),
        _finpar(3, 5, 31, 15),
        _finpar(3, 5, 30, 14),
        "hello",
        "1 2 3 [[1]]",
    ):
        file.write_text(wrong, "utf-8")
        with pytest.raises(data.UnfitData, match=r"input\.data"):
            data.finpar(tmp_path, (50,))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
def test_nothing_stays_of_benchmarks_that_are_ended(tmp_path: Path, number: signal.Signals) -> None:
    arguments = ("bench", "--quick", "signal", "--targets", "interp")
    with subprocess.Popen(
        (*COMMAND, *arguments),
        env=environment(TMPDIR=str(tmp_path)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert eventually(lambda: working_in(tmp_path) > {process.pid})  # a row is being measured
        process.send_signal(number)
        process.wait(60)
    assert eventually(lambda: not list(tmp_path.iterdir()) and not working_in(tmp_path))


def working_in(place: Path) -> set[int]:
    """The processes whose temporary files lie in a directory."""
    found = set()
    for each in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"TMPDIR={place}".encode() in each.read_bytes():
                found.add(int(each.parent.name))
    return found
