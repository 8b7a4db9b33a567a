"""Scans by comparisons of numbers: one pass, whatever the elements are."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from aplc.laila.ir.program import ForEach, Fused, Scan
from aplc.laila.ir.scalar import Fold, nodes
from aplc.laila.ir.statements import expressions
from aplc.options import Options
from tests.support.compiling import compiled
from tests.support.laila.programs import DOUBLES, all_statements, lowered
from tests.support.machine import needs_c

FUNCTIONS = ("≠", "=", "<", "≤", ">", "≥", "{⍺<⍵}", "{0}", "{2|⍺+⍵}")


@pytest.mark.parametrize("function", FUNCTIONS[:-1])
def test_one_pass(function: str) -> None:
    program = lowered(f"{function}\\x", x=DOUBLES)
    assert any(isinstance(s, ForEach) for s in all_statements(program.statements)) or function == "{0}"
    assert not any(isinstance(n, Fold) for s in program.statements for n in nodes(*expressions(s)))


@pytest.mark.parametrize("function", "∧∨")
def test_one_pass_where_doubles_are_zeros_and_ones(function: str) -> None:
    statements = all_statements(lowered(f"{function}\\x", x=DOUBLES).statements)
    assert any(isinstance(part, Scan) for s in statements if isinstance(s, Fused) for part in s.parts)


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("function", (*FUNCTIONS, "∧", "∨"))
def test_values(function: str) -> None:
    random = np.random.default_rng(17)
    for shape in ((0,), (1,), (2,), (17,), (40,), (3, 0), (3, 19), (20, 2)):
        some = random.integers(0, 3, shape)
        for value in (some, some / 2, np.where(some == 2, np.nan, some)):
            for scan in "\\⍀":
                values = []
                for target in ("c", "interp"):
                    program, arrays = compiled(f"{function}{scan}x", Options(target, verify=True), x=value)
                    values += program.run(arrays, lambda *_: None)
                np.testing.assert_array_equal(*values, f"{scan} {value}")


def test_columns_of_a_reshape_are_in_order() -> None:
    """The rows that the run finds again and again are neighbours in memory: the result is not turned."""
    shown = aplc.fn("{,+⍀((⌈(≢⍵)÷⍺),⍺)⍴⍵}").emit("laila", "[int]0,[int]1")
    assert shown.count("alloc ") == 1


@needs_c
@pytest.mark.parametrize("scan", ("+⍀", ",+⍀", "⌈⍀", "-⍀", "+\\⍉", "+\\", "≠⍀2|"))
def test_of_reshapes(scan: str) -> None:
    random = np.random.default_rng(18)
    text = f"{{{scan}((1⊃⍺),2⊃⍺)⍴⍵}}"
    found, meaning = [aplc.fn(text, target=target) for target in ("c", "interp")]
    for shape in ((0, 3), (3, 0), (1, 1), (1, 7), (7, 1), (5, 4), (33, 70), (300, 2)):
        for length in (0, 1, 4, 20, 5000):
            vector = random.integers(-9, 9, length)
            assert np.array_equal(found(np.array(shape), vector), meaning(np.array(shape), vector))


def test_parts_of_complex_sums_are_running_sums() -> None:
    for function in "+-":
        text = aplc.fn(f"{{{function}\\⍵}}").emit("laila", "[complex]1")
        assert text.count("SCAN") == 2 and "over k" not in text


@needs_c
@pytest.mark.parametrize("scan", ("+\\", "-\\", "+⍀", "⌽+\\⌽", "1↓+\\2×"))
def test_complex_values(scan: str) -> None:
    random = np.random.default_rng(19)
    found, meaning = [aplc.fn(f"{{{scan}⍵}}", target=target) for target in ("c", "interp")]
    for shape in ((0,), (1,), (2,), (50,), (3, 0), (4, 9)):
        value = random.integers(-3, 4, shape) + 0.5j * random.integers(-3, 4, shape)
        for z in (value, np.where(value == 0, complex(np.inf, np.nan), value)):
            made, wanted = found(z), meaning(z)
            assert np.array_equal(made.real, wanted.real, True), z
            assert np.array_equal(made.imag, wanted.imag, True), z


@pytest.mark.parametrize(
    "text",
    [
        "{+⍀⍵∘.×3 4}",
        "{⌈⍀⍵∘.-3 4 5 6}",
        "{d←4 2⍴1 0 0 1 ¯1 0 0 ¯1 ⋄ +⍀d[1+4|⍵;]}",
        "{≢∪+⍀⍵∘.×1 ¯1}",
    ],
)
@pytest.mark.parametrize("target", ["c", "openmp"])
def test_few_columns_share_a_loop(text: str, target: TargetName) -> None:
    """A matrix of two to four columns is scanned as it lies, in one loop, and not turned for it."""
    function, meant = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    laila = function.emit("laila", "[int]1")
    assert "j < " not in laila and "FUSED over" in laila
    for n in (0, 1, 2, 3, 70, 1001):
        v = np.random.default_rng(n).integers(-3, 9, n)
        assert np.array_equal(meant(v), function(v))
