"""Arrays for programs and functions in Python: what is refused by its name, names that are options, arrays
that the program does not use.
"""

import sys
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.apl_front.syntax.mentioned import unused_inputs
from aplc.apl_front.syntax.parser import parse
from aplc.tail.source import Source
from tests.support.commands import Cli, Outcome, save, write
from tests.support.machine import on_each_target

pytestmark = pytest.mark.usefixtures("surroundings")

MASKED = np.ma.masked_array([1.0, 2.0, 300.0], [False, False, True])


def refusal(value: Any) -> str:
    """What is said of an argument, and of an input."""
    with pytest.raises(aplc.CompileError) as raised:
        aplc.fn("+⌿÷≢", target="interp")(value)
    with pytest.raises(aplc.CompileError) as second:
        aplc.run("+⌿x", x=value, target="interp")
    assert str(second.value) == str(raised.value).replace("an argument", "x")
    return str(raised.value)


@on_each_target
def test_masked_arrays_are_refused(target: str) -> None:
    mean = aplc.fn("+⌿÷≢", target=target)
    for _ in range(3):
        assert mean(np.array([1.0, 2.0])) == 1.5
    for masked in (MASKED, MASKED[:2], MASKED.reshape(1, 3), [MASKED, MASKED], [1, np.ma.masked]):
        with pytest.raises(aplc.CompileError, match=r"is a masked array, .* filled\(value\)"):
            mean(masked)
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(aplc.CompileError):
        mean(endless)
    assert mean(MASKED.compressed()) == 1.5
    assert mean(MASKED.filled(3)) == 2.0


def test_large_doubles_are_no_integers() -> None:
    for value in ([1e300, 2], [float(2**63), 2**62], [1e300, np.float64(2.0**70)], np.array([2.0**63, -1])):
        assert aplc.fn("⌈/", target="interp")(value) == max(value)


def test_masks_are_looked_for_only_where_they_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numpy.ma")
    assert aplc.fn("≢", target="interp")([1, 2]) == 2


class Text:
    """What is asked for an array, and has none."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return "text"


class Table:
    """What has an array of objects, as tables with gaps do."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array([1, None], object)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (np.array([1, None], object), "holds None at [1]"),
        ([1, None], "holds None at [1]"),
        (np.array(None, object), "holds None, a function"),
        ({1, 2}, "holds Python objects (builtins.set)"),
        (Table(), "holds Python objects (tests.Table)"),
        (np.array(["2020-01-01"], "M8[D]"), "holds dates"),
        (np.array([1], "m8[s]"), "holds time spans"),
        (np.zeros(2, [("a", "i4"), ("b", "M8[D]")]), "holds dates"),
        (np.array([1j], np.clongdouble), "holds complex numbers of more than 128 bits"),
        (b"ab", "holds bytes"),
        (np.array(["ab"]), "holds texts"),
        (np.longdouble(1), "holds floats of more than 64 bits"),
        (2**70, "holds integers beyond 64 bits with a sign (builtins.int)"),
        ([2**63, -1], "holds integers beyond 64 bits with a sign,"),
        ([[0.5, 1], [2, -(2**64)]], "holds integers beyond 64 bits with a sign,"),
        (Text(), "is no array: "),
        ([[1, 2], 3], "holds a list at [0] and a number at [1]"),
        (np.broadcast_to(np.int8(1), (2**62,)), "WS FULL: no memory for an argument"),
    ],
)
def test_what_is_no_array_for_apl_is_named(value: Any, what: str) -> None:
    assert what in refusal(value)


def test_a_matrix_of_numpy_is_an_array_with_two_axes() -> None:
    assert aplc.fn("{2×⍵}", target="interp")(np.matrix([[1, 2]])).tolist() == [[2, 4]]


# --- names ----------------------------------------------------------------------------------------------

OPTIONS = (
    "text",
    "target",
    "threads",
    "device",
    "precision",
    "strict_fp",
    "unsafe",
    "check_overflow",
    "inputs",
)


def test_names_of_options_go_into_inputs() -> None:
    for name in OPTIONS:
        assert aplc.run(f"{name}+1", inputs={name: np.arange(3)}, target="interp").tolist() == [1, 2, 3]
        if name != "text":
            with pytest.raises(TypeError, match=f"{name} is .*got ndarray; an input of that name goes into"):
                aplc.run(f"{name}+1", **{name: np.arange(3)})
    with pytest.raises(TypeError, match="text"):
        aplc.run("text+1", text=np.arange(3))  # type: ignore[misc]
    assert aplc.run("x-y", inputs={"x": 3}, y=1, target="interp") == 2


def test_names_that_no_input_has() -> None:
    for name in ("a b", "1a", "⍵", "+", ""):
        with pytest.raises(ValueError, match="is no APL name"):
            aplc.run("1", inputs={name: 1})
    with pytest.raises(ValueError, match="1 is no APL name"):
        aplc.run("1", inputs={1: 1})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="the input x is given twice"):
        aplc.run("x", inputs={"x": 1}, x=2)


def test_options_have_types() -> None:
    for options in ({"threads": 2.0}, {"device": 0}, {"unsafe": 1}, {"precision": None}, {"target": b"c"}):
        with pytest.raises(TypeError, match="is an option"):
            aplc.fn("+/", **options)
    assert aplc.fn("+/", target="openmp", threads=np.int64(2), unsafe=np.False_) is not None


# --- use ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        ("x", []),
        ("x←x+1", []),
        ("x+←1", []),
        ("x[1]←5", []),
        ("(x)←5", []),
        ("{⍵+x}5", []),
        ("f←{x←⍵ ⋄ x}", []),
        ("f←{⍵>x:1 ⋄ 2}", []),
        ("(⍳3)[x;]", []),
        ("y←5\n⎕←y+x", []),
        ("y", ["x"]),
        ("'x' ⍝ x", ["x"]),
        ("xx+x1", ["x"]),
        ("x←5 ⋄ x", ["x"]),
        ("x←y←5\nx", ["x"]),
    ],
)
def test_which_inputs_are_used(text: str, unused: list[str]) -> None:
    assert unused_inputs([parse(Source("p.apl", text))], ["x"]) == unused


@on_each_target
def test_an_input_that_is_not_used(cli: Cli, target: str) -> None:
    save("x.npy", np.arange(3))
    given = ("--input", "v=x.npy", "--input", "vv=x.npy")
    write("p.apl", "v+1")
    for command in (("--target", target), ("check",), ("emit", "tail"), ("explain",)):
        outcome = cli(*command[:2], "p.apl", *given)
        assert (outcome.status, outcome.out) == (2, ""), command
        head = "command line:1:9: VALUE ERROR: the program does not use the input vv"
        assert outcome.err == f"{head}\n  1 | --input vv=x.npy\n    |         ^^\n"
    for _ in range(2):  # the second time the program is kept
        assert cli("p.apl", *given[:2], "--target", target) == Outcome(0, "1 2 3\n", "")
    wrong = cli(write("q.apl", "w+1"), *given, "--target", target)
    assert (wrong.status, wrong.first) == (1, "q.apl:1:1: VALUE ERROR: w is not defined")
    with pytest.raises(aplc.CompileError, match="VALUE ERROR: the program does not use the inputs a, b"):
        aplc.run("1", a=1, b=2, target=target)
