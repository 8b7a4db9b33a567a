r"""`∧\ ∨\ <\ ≤\` along rows of truth values, and how many lead: in long rows a place is sought."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from aplc.options import Options
from tests.support.compiling import compiled
from tests.support.machine import needs_c, needs_device, needs_threads

TEXTS = (
    r"{∧\0<⍵}",
    r"{∨\0<⍵}",
    r"{<\0<⍵}",
    r"{≤\0<⍵}",
    r"{∧⍨\0<⍵}",
    r"{≤⍨\0<⍵}",
    r"{{⍺>⍵}\0<⍵}",
    r"{+/∧\0<⍵}",
    r"{+/∨\0<⍵}",
    r"{+/<\0<⍵}",
    r"{-+/∧\⌽0<⍵}",
    r"{(+/∧\0<⍵)⌽⍵}",
    r"{+⌿∧⍀0<⍵}",
    r"{+/∧\⍉0<⍵}",
    r"{∨⍀0<⍵}",
    r"{+/,∧\0<⍵}",
    r"{m←∧\0<⍵ ⋄ (+/m),+/~m}",
    r"{×/⍴∧\0<⍵}",
    r"{+/∧\0<2 3∘.+⍵}",
)
SHAPES = ((0, 3), (3, 0), (1, 1), (4, 1), (7, 2), (40, 5), (33, 15), (33, 16), (33, 17), (5, 100), (3, 5000))


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "target",
    [
        pytest.param("c", marks=needs_c),
        pytest.param("openmp", marks=needs_threads),
        pytest.param("opencl", marks=needs_device),
    ],
)
def test_values(text: str, target: TargetName) -> None:
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    random = np.random.default_rng(7)
    for shape in SHAPES:
        for often in (-9.0, 0.0, 1.5, 9.0):
            array = random.normal(often, 1, shape)
            if often and array.size > 20:
                array[1, -1] = np.nan
            expected, value = [np.asarray(f(array)) for f in (wanted, found)]
            assert value.shape == expected.shape and value.dtype == expected.dtype, shape
            assert np.array_equal(value, expected, equal_nan=True), (shape, often)


@needs_c
@pytest.mark.parametrize("text", [r"{+/∧\2<÷⍵}", r"{∧\2<÷⍵}"])
def test_what_fails_fails_still(text: str) -> None:
    rows = np.ones((3, 20))
    assert np.array_equal(aplc.fn(text)(rows), aplc.fn(text, target="interp")(rows))
    rows[2, 19] = 0
    with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
        aplc.fn(text)(rows)


@needs_c
@pytest.mark.parametrize("text", [r"<\m", r"∧⍨\m", r"∧\m", r"+/∨\m"])
def test_memory_of_places_is_freed_once(text: str) -> None:
    """As the checks of programs see it, at all levels."""
    m = np.arange(60).reshape(3, 20) % 7 > 2
    for level in (0, 1, 2):
        program, given = compiled(text, Options("c", level, verify=True), m=m)
        (found,) = program.run(given, lambda *_: None)
        assert np.array_equal(np.asarray(found), np.asarray(aplc.run(text, target="interp", m=m)))


def test_rows_have_a_place_each() -> None:
    said = aplc.fn(r"{+/∧\⍵}").emit("laila", "[bool]2")
    assert "REDUCE mini" in said and "16" in said, said
    assert "SCAN" not in aplc.fn(r"{<\⍵}").emit("laila", "[bool]2")
    assert "SCAN" in aplc.fn(r"{∧⍀⍵}").emit("laila", "[bool]2")  # rows at a time
