"""Loops in parts as functions: equal ones are one, and a further equal loop makes the text little longer."""

import re

import numpy as np
import pytest

from aplc import fn
from aplc.backends.c.functions import unnumbered
from aplc.options import Options
from aplc.tail.errors import RunError
from tests.support import compiling
from tests.support.machine import needs_threads

pytestmark = needs_threads

FUNCTION = re.compile(r"^static APLC_APART ", re.MULTILINE)

INPUTS = {
    "u": np.arange(9.0),
    "v": np.arange(7.0),
    "w": np.arange(5.0),
    "x": np.arange(3.0),
    "i": np.array([1, 2, 5]),
    "j": np.array([4, 3, 1, 1]),
}


def c_of(text: str) -> str:
    """The C with OpenMP of a program that takes some of the inputs; the shortest loops are in parts."""
    given = {name: value for name, value in INPUTS.items() if name in text}
    return compiling.c_of(text, Options("openmp", verify=True), **given)


def functions(text: str) -> int:
    """How many functions loops have."""
    return len(FUNCTION.findall(c_of(text)))


@pytest.mark.parametrize("loop", ["+/{}", "+\\{}", "2×{}", "({}>3)/{}"])
def test_equal_loops_have_one_function(loop: str) -> None:
    texts = [c_of(" ".join([f"({loop.replace('{}', v)})" for v in names])) for names in ("uv", "uvw", "uvwx")]
    counts = [len(FUNCTION.findall(text)) for text in texts]
    assert counts == [functions(loop.replace("{}", "u"))] * 3
    lines = [text.count("\n") for text in texts]
    assert lines[2] - lines[1] == lines[1] - lines[0] <= 24  # its input, memory, pieces, the call, its result


@pytest.mark.parametrize("text", ["(+/u)(×/v)", "(+/u)(+/i)", "(3 1 4 1 5[i])(2 7 1 8 2[j])"])
def test_others_do_not(text: str) -> None:
    """What differs is an operator, a type, a table of constants."""
    first, second = text[1:-1].split(")(")
    assert functions(text) == functions(first) + functions(second)


def test_calls_say_which_loop_it_is() -> None:
    """Functions of the same text give each place its own values."""
    text, inputs = "(+/u)(+/v)(+\\w)(+\\u)(3 1 4 1 5[i])(3 1 4 1 5[j])", INPUTS
    program, given = compiling.compiled(text, Options("openmp", verify=True, threads=3), **inputs)
    values = program.run(given, lambda *_: None)
    u, v, w, _, i, j = inputs.values()
    table = np.array([3, 1, 4, 1, 5])
    for found, wanted in zip(
        values, (u.sum(), v.sum(), w.cumsum(), u.cumsum(), table[i - 1], table[j - 1]), strict=True
    ):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(("i", "j", "is_second"), [(9, 1, False), (1, 9, True)])
def test_errors_are_those_of_their_place(i: int, j: int, is_second: bool) -> None:
    """Functions that may fail are as many as the places where they do."""
    text, options = "({u⊃⍨⍵}¨i)({u⊃⍨⍵}¨j)", Options("openmp", verify=True, threads=3)
    assert c_of(text).count("APLC_APART int ") == 2 * c_of("{u⊃⍨⍵}¨i").count("APLC_APART int ") > 0
    program, given = compiling.compiled(text, options, u=[1.0, 2.0], i=[1, i], j=[1, j])
    with pytest.raises(RunError, match="9") as raised:
        program.run(given, lambda *_: None)
    (found,) = raised.value.diagnostics
    assert found.span is not None and (found.span.start > text.index(")")) == is_second


def test_parameters_have_no_numbers_of_their_places() -> None:
    given = ("v958", "v958_n", "s_3", "⍺.2.1", "n", "a1b")
    assert [unnumbered(name) for name in given] == ["v", "v_n", "s", "⍺.2.1", "n", "a1b"]


def test_scans_are_written_once() -> None:
    """All of one is a part, too; apart from that a function sums what comes before parts."""
    made = fn("{+\\⍵}").emit("openmp", "[double]1")
    assert made.count("a[i + 1] = s + t1;") == 1
