"""Arrays that are read again and again: lengths and cycles around the bounds of rounds, on each target."""

import numpy as np
import pytest

import aplc
from aplc.backends.native.run import Value
from aplc.compiled import Compiled
from aplc.laila.lowering.cycles import LONG, SHORT
from aplc.options import Options
from aplc.tail.errors import RunError
from tests.support import compiling
from tests.support.machine import needs_c, needs_device, needs_threads

TEXTS = (
    "+/v×(⍴v)⍴w",
    "v+(⍴v)⍴w",
    "(5+⍴v)⍴w",
    "(3,⍴v)⍴w",
    "((⍴v),3)⍴w",
    "(3⌽v)×⌽(⍴v)⍴w",
    "1↓(⍴v)⍴w",
    "⌈/((⍴v)⍴w)-(⍴v)⍴2↓w",
    "+\\v×(⍴v)⍴w",
    "+/v×(⍴v)⍴1 ¯1",
    "((⍴v)⍴1 0 0 1 0)/v",
    "⍸~(⍴v)⍴0 1 1",
    "(((⍴v)⍴0 1 0)/v),v/⍨(⍴v)⍴0 0 1",
    "+/((⍴v)⍴1 0)⌿v∘.+1 2",
    "((⍴v)⍴0 ¯1)/v",
    "((1+⍴v)⍴1 0)/v",
    "⍸(⍴v)⍴0 1",
    "((⍴v)⍴1 2 3)+⍉((⍴v),2)⍴4 5 6",
    "v[((⍴v)⍴w)⍳3]←7 ⋄ v",
)
LENGTHS = (0, 1, SHORT - 1, SHORT + 1, 3 * SHORT, 2 * LONG + 5, 4 * LONG - 1, 5 * LONG + 5)
CYCLES = (0, 1, 2, 7, SHORT - 1, SHORT, SHORT + 3, LONG // 2, LONG + 1)
WAYS = (
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
)


def value(program: Compiled, v: Value, w: Value) -> Value | str:
    """What a program gives, or how it fails."""
    given = {"v": v, "w": w}
    try:
        (result,) = program.run([given[name] for name in program.inputs], lambda *_: None)
    except RunError as failure:
        return str(failure)
    return np.asarray(result)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("target", WAYS)
@pytest.mark.parametrize("text", TEXTS)
def test_lengths_and_cycles(text: str, target: str) -> None:
    some = {"v": np.arange(1), "w": np.arange(1)}
    reference, _ = compiling.compiled(text, Options("interp"), **some)
    program, _ = compiling.compiled(text, Options(target, verify=True, threads=3), **some)
    for n in LENGTHS:
        for m in CYCLES if "w" in text else CYCLES[:1]:
            v, w = np.arange(n), np.random.default_rng(m).integers(-3, 4, m)
            expected = value(reference, v, w)
            np.testing.assert_array_equal(value(program, v, w), expected, f"{n} elements of {m}")


@pytest.mark.parametrize("text", TEXTS[:4])
@needs_c
def test_no_element_asks_for_a_remainder(text: str) -> None:
    lines = compiling.c_of(text, Options(), v=np.arange(3), w=np.arange(2)).splitlines()
    assert not [line for line in lines if "%" in line and "ahead" not in line]


@needs_c
def test_rounds_are_not_in_rounds_again_and_again() -> None:
    text = "{n←9+≢⍵ ⋄ " + "+".join(f"(n⍴{k}↓⍵)" for k in range(5)) + "}"
    v = np.arange(7.0)
    assert np.array_equal(aplc.fn(text)(v), aplc.fn(text, target="interp")(v))
    code = aplc.fn(text).emit("c", "[double]1")
    assert "round2 <" in code and "round3 <" not in code


@needs_c
@pytest.mark.parametrize(
    ("text", "place"),
    [("((⍴v)⍴1 0)/v", "v[2 * i]"), ("v/⍨(⍴v)⍴0 0 1", "v[3 * i + 2]"), ("⍸(⍴v)⍴0 1", "= 2 * i + 2")],
)
def test_every_second_element_is_read_where_it_is(text: str, place: str) -> None:
    found = compiling.c_of(text, Options(), v=[0.5])
    assert place in found and found.count("for (") == 1
