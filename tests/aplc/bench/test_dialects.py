"""Interpreters beside the suite: their formulations, their scripts, and what becomes of what they say.

No interpreter is needed: programs on PATH that only print take their place.
"""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.bench import interpreters, results
from aplc.bench.arguments import is_flat
from aplc.bench.dialects import NoFormulation, apl_text, bqn_text, for_dyalog, for_gnu
from aplc.bench.interpreters import INTERPRETERS, Dialect, Failed, is_value, measured_by, said
from aplc.bench.measure import agrees
from aplc.bench.nested import NESTED
from aplc.bench.results import Figure, Refusal
from aplc.bench.suite import SUITE, Benchmark

EVERY = pytest.mark.parametrize("benchmark", SUITE, ids=[each.name for each in SUITE])
DYALOG, GNU, LIBJAY, CBQN = INTERPRETERS
ON_PATH = (DYALOG, GNU, CBQN)
TIMES = {results.DYALOG: 1e-3, results.GNU: 1e-3, results.CBQN: 1.0}


def _by_name(name: str) -> Benchmark:
    return next(each for each in SUITE if each.name == name)


@EVERY
def test_lines_for_dyalog_give_the_value(benchmark: Benchmark, tmp_path: Path) -> None:
    """They are in the language that we compile, so that our interpreter can tell."""
    arguments = benchmark.arguments(benchmark.tiny)
    if not all(map(is_flat, arguments)):
        with pytest.raises(NoFormulation, match="not handed over"):
            Dialect(DYALOG, benchmark, tmp_path).argument("a", arguments[0])
        return
    lines = for_dyalog(apl_text(benchmark), benchmark.function)
    assert all(line.count("{") == line.count("}") for line in lines)
    function = aplc.fn("\n".join([*lines, benchmark.function]), target="interp")
    assert agrees(function(*arguments), benchmark.numpy(*arguments))


@EVERY
def test_lines_for_gnu_are_well_formed(benchmark: Benchmark) -> None:
    if benchmark.name in ("mandelbrot, points", "mandelbrot, complex", "quickhull"):
        with pytest.raises(NoFormulation, match="guards or recursion"):
            for_gnu(apl_text(benchmark), benchmark.function)
        return
    lines = for_gnu(apl_text(benchmark), benchmark.function)
    heads = [line for line in lines if line.startswith("∇RESULT←")]
    assert len(heads) == len([line for line in lines if line == "∇"])
    assert (
        len(
            [
                head
                for head in heads
                if f" {benchmark.function} RIGHT" in head or f"←{benchmark.function} RIGHT" in head
            ]
        )
        == 1
    )
    inside = "\n".join(line for line in lines if "{" not in line)
    assert not set("⍺⍵⋄{}") & set(inside)


def test_a_definition_becomes_a_traditional_function() -> None:
    text = "f ← {\n  a b ← ⍵ ⍝ two\n  g ← {c←⍵+a ⋄ c×2}\n  a+⍺ g{⍵+1}b\n}\n⎕←f 1\nunused ← 5\n"
    assert for_gnu(text, "f") == [
        "∇RESULT←g RIGHT;c",
        "c←RIGHT+a",
        "RESULT←c×2",
        "∇",
        "∇RESULT←LEFT f RIGHT;b",
        "a b ← RIGHT",
        "RESULT←a+LEFT g{⍵+1}b",
        "∇",
    ]


@EVERY
def test_bqn_has_a_function_of_each_program(benchmark: Benchmark) -> None:
    if benchmark.name in ("mandelbrot, points", "mandelbrot, complex") or benchmark in NESTED:
        with pytest.raises(NoFormulation):
            bqn_text(benchmark)
    else:
        assert bqn_text(benchmark).count("{") == bqn_text(benchmark).count("}")


def test_what_a_script_says() -> None:
    told = said("noise\nshape 2 2\nsums ¯1.5 2E3\ntime 4\ntime 2\n", 1e-3)
    assert (told.shape, told.sums, told.times) == ((2, 2), (-1.5, 2000.0), (0.004, 0.002))
    assert said("shape \nsums 1 2\ntime 1", 1.0).shape == ()
    with pytest.raises(Failed, match="SYNTAX ERROR"):
        said("hello\nSYNTAX ERROR in line 3\n  ^\n", 1.0)
    with pytest.raises(Failed, match="it printed nothing"):
        said("", 1.0)


@pytest.mark.parametrize(
    ("sums", "is_right"),
    [("6 14", False), ("6 20", True), ("6.000000001 20", False), ("7 20", False), ("nan nan", False)],
)
def test_the_sums_tell_values_apart(sums: str, is_right: bool) -> None:
    """1 2 3 have the sum 6, and 2, 3 and 4 times them are 20."""
    assert is_value(said(f"shape 3\nsums {sums}\ntime 1", 1.0), np.array([1, 2, 3])) is is_right


def _fake(directory: Path, name: str, output: str) -> None:
    """A program that prints a text, whatever it is asked."""
    path = directory / name
    path.write_text(f"#!{sys.executable}\nprint({output!r})\n", "utf-8")
    path.chmod(0o755)


@pytest.fixture
def only_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory that alone is on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("interpreter", ON_PATH, ids=[each.column for each in ON_PATH])
def test_an_interpreter_on_path_has_a_figure(interpreter: interpreters.Interpreter, only_here: Path) -> None:
    benchmark = _by_name("+/")
    assert interpreter.column in interpreters.absent()
    v = np.array([1.0, 2.0, 3.0])
    _fake(only_here, interpreter.programs[0], "shape \nsums 6 12\ntime 8\ntime 8")
    assert interpreter.column not in interpreters.absent()
    found = measured_by(interpreter, benchmark, (v,), 6.0, 20)
    unit = TIMES[interpreter.column]
    assert found == Figure(interpreter.column, (8 * unit, 8 * unit))
    _fake(only_here, interpreter.programs[0], "shape \nsums 6.1 12.2\ntime 8")
    wrong = measured_by(interpreter, benchmark, (v,), 6.0, 20)
    assert wrong == Refusal(interpreter.column, results.WRONG)
    _fake(only_here, interpreter.programs[0], "VALUE ERROR+")
    refused = measured_by(interpreter, benchmark, (v,), 6.0, 20)
    assert refused == Refusal(interpreter.column, "VALUE ERROR+")


def test_an_interpreter_that_does_not_end(only_here: Path) -> None:
    path = only_here / "apl"
    path.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(60)\n", "utf-8")
    path.chmod(0o755)
    found = measured_by(GNU, _by_name("+/"), (np.ones(3),), 3.0, 1)
    assert found == Refusal(results.GNU, "took longer than 1 s")


def test_scripts(only_here: Path, tmp_path: Path) -> None:
    benchmark = _by_name("life")
    arguments = (2, np.array([[True, False], [False, False]]))
    scripts = {}
    for each in ON_PATH:
        dialect = Dialect(each, benchmark, tmp_path)
        given = [dialect.argument(name, a) for name, a in zip("ab", arguments, strict=True)]
        scripts[each.column] = dialect.script(given, 2, 3).splitlines()
    for column, call, at in ((results.DYALOG, "R∆←a run b", "⎕OFF"), (results.GNU, "R∆←a run b", ")OFF")):
        assert scripts[column].count(call) == 1 + 2 * 3
        assert scripts[column][-1] == at
        assert "a←2" in scripts[column]
        assert "b←2 2⍴1 0 0 0" in scripts[column]
    assert scripts[results.CBQN].count("r↩a Run b") == 2 * 3
    assert any(line.startswith("b←1=⟨2,2⟩⥊⟨8‿'c',64‿'f'⟩•bit._cast") for line in scripts[results.CBQN])
    assert np.fromfile(tmp_path / "b").tolist() == [1, 0, 0, 0]


def test_large_arrays_come_from_files(only_here: Path, tmp_path: Path) -> None:
    benchmark, v = _by_name("+/"), -np.arange(2500.0)
    dyalog = Dialect(DYALOG, benchmark, tmp_path).argument("b", v)
    assert "⎕NREAD t 645 2500 0" in dyalog
    gnu = Dialect(GNU, benchmark, tmp_path).argument("b", v)
    assert "⎕FIO[49]" in gnu
    lines = (tmp_path / "b").read_text("utf-8").splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("¯0.0 ¯1.0 ¯2.0")


# --- libjay ---------------------------------------------------------------------------------------------


def test_an_interpreter_that_is_a_module(tmp_path: Path) -> None:
    """It is asked in Python; its arrays are files, and the index origin is no statement."""
    benchmark = _by_name("life")
    dialect = Dialect(LIBJAY, benchmark, tmp_path)
    arguments = (2, np.array([[True, False], [False, False]]))
    given = [dialect.argument(name, a) for name, a in zip("ab", arguments, strict=True)]
    assert given[0] == "given['a'] = 2"
    assert np.load(tmp_path / "b.npy").tolist() == [[True, False], [False, False]]
    dialect.program = ["⎕IO←0", *dialect.program]
    script = dialect.script(given, 2, 3)
    assert "index_base=0" in script and "⎕IO" not in script and "{a} run {b}" in script
    compile(script, "script", "exec")


def test_without_the_module_there_is_no_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert (
        interpreters.absent()[results.LIBJAY]
        == "the module jay is not installed; pip install libjay brings it"
    )


@pytest.mark.parametrize("name", ["life", "+/", "mandelbrot, points"])
def test_libjay_has_figures(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if LIBJAY.path() is None:
        pytest.skip("NOT CHECKED: libjay is not installed; pip install -e '.[witness]' brings it")
    benchmark = _by_name(name)
    arguments = benchmark.arguments(benchmark.tiny)
    monkeypatch.setattr(interpreters, "BATCH_SECONDS", 0.0)
    found = measured_by(LIBJAY, benchmark, arguments, benchmark.numpy(*arguments), 60)
    assert isinstance(found, Figure) and len(found.seconds) == interpreters.BATCHES
    wrong = measured_by(LIBJAY, benchmark, arguments, np.zeros(3), 60)
    assert wrong == Refusal(results.LIBJAY, results.WRONG)


def test_what_libjay_does_not_know_is_told(tmp_path: Path) -> None:
    if LIBJAY.path() is None:
        pytest.skip("NOT CHECKED: libjay is not installed; pip install -e '.[witness]' brings it")
    dialect = Dialect(LIBJAY, _by_name("+/"), tmp_path)
    dialect.program, dialect.function = ["f←{⎕IO←0 ⋄ +/⍵}"], "f"
    with pytest.raises(Failed, match=r"ERROR: .*⎕IO"):
        dialect.run([dialect.argument("b", np.ones(3))], 1, 1, 60)
