"""Functions as units: their types, their stages, what Python asks of them, and the same from the shell."""

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.commands import Cli, write
from tests.support.machine import needs_c

pytestmark = pytest.mark.usefixtures("surroundings")

MEAN = """⍝ == input x [1,2]

⍝ The mean
⍝   of all values.
⍝: [double]1 → double
mean←{(+/⍵)÷≢⍵}

add←{⍺+⍵}
∇ r←{a} scaled x
r←x
∇
less←-
"""


@pytest.fixture
def program() -> aplc.LoadedProgram:
    Path("p.apl").write_text(MEAN, encoding="utf-8")
    return aplc.load("p.apl", target="interp")


def test_types_are_those_it_is_compiled_for() -> None:
    f = aplc.fn("+⌿÷≢", target="interp")
    assert f.type == "[κ](ρ+1) → [double]ρ" and f.types == ()
    assert f.compile("[double]1") is f
    assert f.types == ("[double]1 → [double]0",)
    f(np.ones(3, np.float32))  # the same type, other code
    f([[1, 2]])
    assert f.types == ("[double]1 → [double]0", "[int]2 → [double]1")
    times = aplc.fn("{⍺×⍵}", target="interp")
    for types in (("[int]0, [[double]1]1",), ("int", "[[double]1]1")):
        assert times.compile(*types).types == ("[int]0 → [[double]1]1 → [[double]1]1",)


def test_what_is_compiled_beforehand_is_what_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    f = aplc.fn("⌽", target="interp").compile("[int]1").compile("[char]1").compile("[[char]1]1")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compiled at the call")

    monkeypatch.setattr(aplc.compiler, "compile_function", refuse)
    assert f(np.arange(3)).tolist() == [2, 1, 0]
    assert f("abc").tolist() == ["c", "b", "a"] and [*f(["a", "bc"])[0]] == ["b", "c"]
    with pytest.raises(AssertionError, match="at the call"):
        f(np.arange(3, dtype=np.int8))


def test_signatures_and_documentation(program: aplc.LoadedProgram) -> None:
    signatures = {name: str(inspect.signature(program[name])) for name in program}
    assert signatures == {
        "mean": "(right: '[double]1', /) -> '[double]0'",
        "add": "(left, right, /)",
        "scaled": "(*arguments)",
        "less": "(*arguments)",
    }
    assert inspect.getdoc(program.mean) == "The mean\n  of all values.\n\n⍝: [double]1 → [double]0"
    assert program.add.__doc__ is None
    assert (aplc.Function.__doc__ or "").startswith("An APL function as a Python callable")
    assert str(inspect.signature(aplc.fn("{⍵}"))) == "(right, /)"
    assert program.mean.type == "[double]1 → [double]0"


def test_a_program_lists_its_functions(program: aplc.LoadedProgram) -> None:
    assert list(program) == ["mean", "add", "scaled", "less"] and len(program) == 4
    assert "mean" in program and "mode" not in program and program["mean"] is program.mean
    assert repr(program) == "<APL program p.apl: mean, add, scaled, less>"
    with pytest.raises(KeyError, match="no function mode; there are mean, add"):
        program["mode"]
    with pytest.raises(AttributeError, match="no function mode; there are mean, add"):
        _ = program.mode
    Path("q.apl").write_text("1+1", encoding="utf-8")
    assert repr(aplc.load("q.apl")) == "<APL program q.apl: no functions>"


@needs_c
def test_stages_and_explanations(program: aplc.LoadedProgram) -> None:
    f = aplc.load("p.apl").mean  # its annotation has the types
    assert f.emit("tail") == f.emit("tail", "[double]1")
    assert f.emit("tail").startswith("fn ⍵:[double]1 => ")
    assert "mean" in f.emit("ast") and "reduction over" in f.explain()
    assert "aplc_run" in f.emit("c") and "#pragma omp parallel" in f.emit("openmp")
    assert program.add.emit("tail", "[int]1", "double").startswith("fn ⍺:[int]1, ⍵:[double]0 => ")


@pytest.mark.parametrize(
    ("types", "kind", "message"),
    [
        (("[doble]1",), ValueError, "types:1:2: TYPE ERROR: doble is a variable"),
        (("[double]n",), ValueError, "n is a variable: code is made for types without"),
        (("[int]1 → int",), ValueError, "the types of the arguments alone are wanted"),
        (("<int>3",), ValueError, r"only the call tells lengths and values: write \[int\]1"),
        (("S(int,3)",), ValueError, r"write \[int\]0"),
        (("(int,double)",), ValueError, "an argument is one array"),
        (("(int → int)",), ValueError, "an argument is an array, not a function"),
        (("int,int,int",), ValueError, "at most two arguments"),
        (("int", "int", "int"), ValueError, "at most two arguments"),
        (("",), ValueError, "a type is missing"),
        (("[int]1]",), ValueError, "got ]"),
        ((1,), TypeError, "a type is a text"),
        ((), ValueError, r"as it has no annotation: compile\('\[double\]1'\)"),
        (("char",), aplc.CompileError, "needs numbers"),
    ],
)
def test_types_that_are_none(types: tuple[Any, ...], kind: type[Exception], message: str) -> None:
    f = aplc.fn("{⍵+1}", target="interp")
    with pytest.raises(kind, match=message) as raised:
        f.compile(*types)
    assert isinstance(raised.value, aplc.Error)


def test_stages_that_are_none() -> None:
    f = aplc.fn("{⍵+1}", target="interp")
    with pytest.raises(ValueError, match="a stage is one of ast, tail"):
        f.emit("asm", "int")
    with pytest.raises(ValueError, match="there is nothing to explain"):
        f.explain("int")
    with pytest.raises(ValueError, match=r"the types of the function are to be given.*emit\('c', "):
        f.emit("c")
    with pytest.raises(ValueError, match="its annotation leaves them open"):
        aplc.fn("{⍝: [κ]ρ → [κ]ρ\n⍵}").emit("c")
    with pytest.raises(TypeError, match="in order, not by name: right"):
        f(right=1)


# --- from the shell -------------------------------------------------------------------------------------


@needs_c
def test_functions_from_the_shell(cli: Cli) -> None:
    write("p.apl", MEAN)
    of_annotation = cli("emit", "c", "p.apl", "--function", "mean")
    assert of_annotation.status == 0
    assert cli("emit", "c", "p.apl", "--function", "mean", "--types", "[double]1").out == of_annotation.out
    assert of_annotation.out == aplc.load("p.apl").mean.emit("c") + "\n"
    for types in (["--types", "[int]1,double"], ["--types", "[int]1", "--types", "double"]):
        assert "⍺:[int]1, ⍵:[double]0" in cli("emit", "tail", "p.apl", "--function", "add", *types).out
    after = cli("emit", "laila", "p.apl", "--function", "mean", "--after", "fuse")
    assert after.status == 0 and "REDUCE addd" in after.out
    told = cli("explain", "p.apl", "--function", "mean", "--target", "openmp")
    assert told.status == 0 and "in threads" in told.out
    assert cli("explain", "p.apl", "--function", "mean", "--format", "json").out.startswith("{")


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--function", "mode"], 1, "there is no function mode in the program"),
        (["--function", "add"], 1, "it has no annotation: --types '[double]1', or --types"),
        (["--function", "add", "--types", "[int]x"], 1, "x is a variable"),
        (["--types", "[int]1"], 2, "--types are those of a function, which --function names"),
        (["--function", "mean", "--input", "x=[1]"], 2, "--input is for programs"),
    ],
)
def test_functions_that_are_none(cli: Cli, options: list[str], status: int, message: str) -> None:
    write("p.apl", MEAN)
    outcome = cli("emit", "tail", "p.apl", *options)
    assert (outcome.status, outcome.out) == (status, "") and message in outcome.err
