"""The Python interface: functions, programs with functions, and what threads do with them."""

import io
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
import aplc.calling.functions
from tests.support.alike import same
from tests.support.machine import needs_c, on_each_target
from tests.support.many_threads import own_results_and_errors

pytestmark = pytest.mark.usefixtures("surroundings")


# --- functions ------------------------------------------------------------------------------------------


@on_each_target
def test_functions_of_every_form(target: str) -> None:
    m = np.array([[1, 2], [3, 4]])
    v = np.array([3, 1, 2])
    calls: list[tuple[str, tuple[Any, ...], Any]] = [
        ("-", (v,), -v),
        ("-", (10, v), 10 - v),
        ("+/", (m,), np.array([3, 7])),
        ("+⌿", (m,), np.array([4, 6])),
        ("+⌿÷≢", (v,), 2.0),
        ("⌈/-⌊/", (v,), 2),
        ("+.×", (m, m), m @ m),
        ("∘.×", (v, v), np.outer(v, v)),
        ("∘.=⍨", (v,), np.eye(3, dtype=bool)),
        ("-⍨", (1, v), v - 1),
        ("+/∘⍳", (10,), 55),
        ("2∘×", (v,), 2 * v),
        ("{⍵×⍵}¨", (v,), v * v),
        ("{⍺+2×⍵}", (v, 1), v + 2),
        ("{\n  y←⍵+1\n  y×y\n}", (2,), 9),
        ("f←{⍵+1}", (2,), 3),
        ("k←10\nf←{⍵+k}\ng←{f f ⍵}\ng", (v,), v + 20),
        ("⍝ leading comment\n⌽", ("abc",), np.array(["c", "b", "a"])),
    ]
    for text, arguments, expected in calls:
        found = aplc.fn(text, target=target)(*arguments)
        assert same(found, expected), f"{text}: {found!r}"


def test_wrong_numbers_of_arguments() -> None:
    add = aplc.fn("+", target="interp")
    for arguments in ((), (1, 2, 3)):
        with pytest.raises(TypeError, match=f"takes one or two arguments, got {len(arguments)}"):
            add(*arguments)
    with pytest.raises(aplc.CompileError, match="⍺ is not defined"):
        aplc.fn("{⍺+⍵}", target="interp")(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", "this is no function"),
        ("", "this is no function"),
        ("{⍵", "SYNTAX ERROR"),
        ("{missing+⍵}", "VALUE ERROR: missing is not defined"),
    ],
)
def test_texts_that_are_no_function(text: str, message: str) -> None:
    with pytest.raises(aplc.CompileError, match=message):
        aplc.fn(text, target="interp")(1)


@pytest.mark.parametrize("text", ["{⍵", "⍵}", "3", "", "{⍵+}", "x←3 ⋄ {⍵+1", "{\n⍵\n+)}"])
def test_what_is_wrong_for_all_arguments_is_wrong_at_once(text: str) -> None:
    with pytest.raises(aplc.CompileError, match="SYNTAX ERROR"):
        aplc.fn(text, target="interp")


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The argument types of each compilation of a function, or of each time it is fetched from the cache."""
    seen: list[Any] = []
    program = aplc.calling.functions.Function._program

    def count(function: Any, types: Any, *others: Any) -> Any:
        seen.append(types)
        return program(function, types, *others)

    monkeypatch.setattr(aplc.calling.functions.Function, "_program", count)
    return seen


@on_each_target
def test_compiled_once_for_equal_types(target: str, compilations: list[Any]) -> None:
    double = aplc.fn("{⍵+⍵}", target=target)
    assert double(1) == 2 and double(2) == 4 and len(compilations) == 1
    assert double([1, 2]).tolist() == [2, 4] and double(np.arange(100)).sum() == 9900
    assert double(np.empty(0, np.int64)).shape == (0,) and len(compilations) == 2
    assert double(1.5) == 3.0 and len(compilations) == 3
    assert double([[1.5]]).tolist() == [[3.0]] and len(compilations) == 4
    assert double(np.array([127], np.int8)).tolist() == [254]
    assert double(np.array([-128], np.int8)).tolist() == [-256] and len(compilations) == 5
    assert aplc.fn("{⍵+⍵}", target=target)(1) == 2 and len(compilations) == 6


@on_each_target
def test_functions_may_be_called_while_others_are(target: str, compilations: list[Any]) -> None:
    function = aplc.fn("{+/⍵×⍵}", target=target)
    start = threading.Barrier(8)

    def work(k: int) -> list[float]:
        mine = np.arange(1000.0) + k
        start.wait(60)
        return [function(mine) - float((mine * mine).sum()) for _ in range(50)]

    with ThreadPoolExecutor(8) as pool:
        differences = list(pool.map(work, range(8)))
    assert np.allclose(differences, 0, atol=1e-3)
    assert len(compilations) == 1


@needs_c
def test_threads_get_their_own_results_and_errors() -> None:
    divide = aplc.fn("{⍺÷⍵}")

    assert own_results_and_errors(divide, 50)


@needs_c
def test_a_call_does_not_stop_other_threads() -> None:
    """Each call prints, and waits in its print for the other's: both must be under way at once."""
    meeting = threading.Barrier(2)

    class Meeting(io.StringIO):
        def write(self, text: str) -> int:
            if text.strip():
                meeting.wait(60)
            return len(text)

    out, sys.stdout = sys.stdout, Meeting()
    try:
        with ThreadPoolExecutor(2) as pool:
            texts = ["⎕←x ⋄ x+1", "⎕←x ⋄ x+1"]
            values = list(pool.map(lambda text: aplc.run(text, x=3), texts))
    finally:
        sys.stdout = out
    assert values == [4, 4]


@needs_c
def test_the_interpreter_runs_on_during_a_call() -> None:
    function = aplc.fn("{+/÷⍵+⍳100000000}")
    function(1.0)
    done = threading.Event()
    steps = 0

    def work() -> None:
        for k in range(3):
            function(1.0 + k)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        steps += 1  # with the interpreter's lock held, hardly more often than there are calls
    thread.join()
    assert steps > 10


# --- programs and reports -------------------------------------------------------------------------------

PROGRAM = """⍝ a program with functions
scale ← 10
⎕←'not printed by load'
times ← {scale×⍵}
mean ← +⌿÷≢
sum ← +/
add ← {⍺+times ⍵}
1÷0
"""


@on_each_target
def test_load(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.apl").write_text(PROGRAM, encoding="utf-8")
    program = aplc.load("p.apl", target=target)
    assert dir(program) == ["add", "mean", "sum", "times"]
    assert program.times([1, 2]).tolist() == [10, 20]
    assert program.mean(np.array([1, 2, 6])) == 3.0
    assert program.sum(range(4)) == 6
    assert program.add(1, 2.5) == 26.0
    assert aplc.load(Path("p.apl"), target=target).times(3) == 30
    assert capsys.readouterr().out == ""
    with pytest.raises(AttributeError, match="no function scale"):
        _ = program.scale


@needs_c
def test_options_of_every_way_in(tmp_path: Path) -> None:
    """`run`, `fn` and `load` take the same ones."""
    path = tmp_path / "p.apl"
    path.write_text("twice←{2×⍵}\nhalf←{1÷⍵}\ntotal←{+/⍵}\n", encoding="utf-8")
    large, values = 2**62, np.random.default_rng(5).normal(size=10_000)
    for twice in (
        lambda: aplc.run("2×x", check_overflow=True, x=large),
        lambda: aplc.fn("{2×⍵}", check_overflow=True)(large),
        lambda: aplc.load(path, check_overflow=True).twice(large),
    ):
        with pytest.raises(aplc.RunError):
            twice()
    assert aplc.load(path).twice(large) == -(2**63)
    assert aplc.run("1÷x", unsafe=True, x=0.0) == aplc.load(path, unsafe=True).half(0.0) == np.inf
    in_order = aplc.fn("{+/⍵}", target="interp")(values)
    assert aplc.fn("{+/⍵}", strict_fp=True)(values) == in_order
    assert aplc.load(path, strict_fp=True).total(values) == in_order
    assert aplc.run("+/x", strict_fp=True, x=values) == in_order


def test_load_of_what_is_wrong() -> None:
    with pytest.raises(FileNotFoundError):
        aplc.load("missing.apl")
    Path("p.apl").write_text("f←{⍵}\n1 2+1 2 3\nmissing", encoding="utf-8")
    with pytest.raises(aplc.CompileError) as raised:
        aplc.load("p.apl")
    kinds = [(d.kind, str(d.span)) for d in raised.value.diagnostics]
    assert kinds == [("LENGTH ERROR", "p.apl:2:1"), ("VALUE ERROR", "p.apl:3:1")]
    Path("p.apl").write_bytes(b"\xff")
    with pytest.raises(aplc.CompileError, match=r"p\.apl:1:1: SYNTAX ERROR"):
        aplc.load("p.apl")


def test_check_reports_and_never_raises() -> None:
    report = aplc.check("square←{⍵×⍵}\nx←square 1 2 3")
    assert report.diagnostics == ()
    assert [(fact.name, fact.type) for fact in report.types] == [("x", "<int>3")]
    assert [(f.name, f.type, f.status) for f in report.functions] == [("square", "[κ]ρ → [κ]ρ", "inferred")]
    wrong = aplc.check("1 2+1 2 3\nmissing")
    assert [d.kind for d in wrong.diagnostics] == ["LENGTH ERROR", "VALUE ERROR"]
    assert wrong.types == ()
    assert [d.kind for d in aplc.check("(1").diagnostics] == ["SYNTAX ERROR"]
    assert [d.kind for d in aplc.check("⎕SH 'ls'").diagnostics] == ["UNSUPPORTED"]
    assert aplc.check("") == aplc.Report((), ())
    assert aplc.check("1÷0").diagnostics == ()


@pytest.mark.parametrize("target", ["cuda", "fortran", ""])
def test_target_that_is_not_there(target: str) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: aplc.run("1", target=target),
        lambda: aplc.fn("+", target=target),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="target is one of interp, c"):
            call()
