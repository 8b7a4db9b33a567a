"""What `--strict-fp`, `--unsafe`, `--check-overflow` and `--arrays flat` change, and what they do not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.compiler import compile_program
from aplc.inputs import as_input
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.tail.display import display
from aplc.tail.errors import RunError
from aplc.tail.source import Source
from tests.support import compiling
from tests.support.machine import needs_c, on_each_target


def c_of(text: str, settings: Settings, **inputs: Any) -> str:
    """The C of a program."""
    return compiling.c_of(text, Options(settings=settings), **inputs)


# --- strict doubles ---------------------------------------------------------------------------------------

RANDOM = np.random.default_rng(11)
POSITIVE = RANDOM.uniform(0.1, 9, 1000)
SIGNED = RANDOM.normal(size=1000) * 10.0 ** RANDOM.integers(-8, 8, 1000)
MATRIX = RANDOM.normal(size=(20, 30))

STRICT: dict[str, np.ndarray[Any, Any]] = {
    "{*⍵}": POSITIVE,
    "{⍟⍵}": POSITIVE,
    "{⍵*1.7}": POSITIVE,
    "{0.3*⍵}": POSITIVE,
    "{1 2 3 4∘.○⍵}": POSITIVE,
    "{5 6 7 ¯3 ¯5∘.○⍵}": SIGNED / 1e8,
    "{+/⍵}": SIGNED,
    "{×/1+⍵÷1e9}": SIGNED,
    "{+/*⍵}": POSITIVE,
    "{+/⍵×⌽⍵}": SIGNED,
    "{(+/⍵)÷≢⍵}": SIGNED,
    "{+/⍵}   ": MATRIX,
    "{+⌿⍵}": MATRIX,
    "{⍵+.×⍉⍵}": MATRIX,
    "{+/,⍵}": MATRIX,
    "{(⌈/⍵),⌊/⍵}": SIGNED,
    "{⍵×*0.3}": POSITIVE,
    "{⍵×1○0.3 0.4 0.5 0.6 0.7[1]}": POSITIVE,
}


@needs_c
@pytest.mark.parametrize("text", STRICT)
def test_strict_doubles_are_those_of_the_interpreter(text: str) -> None:
    """Bit for bit."""
    wanted = np.asarray(aplc.fn(text, target="interp")(STRICT[text]))
    found = np.asarray(aplc.fn(text, strict_fp=True)(STRICT[text]))
    assert found.tobytes() == wanted.tobytes()


def test_strict_sums_run_from_the_right() -> None:
    assert "#pragma omp simd reduction(+" in c_of("+/v", Settings(), v=[0.5])
    text = c_of("+/v", Settings(strict_fp=True), v=[0.5])
    assert "reduction" not in text
    assert re.search(r"for \(.*--\)", text)


@pytest.mark.parametrize("text", ["+/v×w", "+/v×v", "v+.×w", "m+.×m", "+/m×m", "+/{+/v×⍵}¨w"])
def test_strict_products_are_rounded_before_they_are_added(text: str) -> None:
    given = {"v": [0.1, 0.2], "w": [0.3, 0.7], "m": np.full((2, 2), 0.1)}
    names = {name: value for name, value in given.items() if name in text}
    assert "aplc_multiply_add" in c_of(text, Settings(), **names)
    assert "aplc_multiply_add" not in c_of(text, Settings(strict_fp=True), **names)


@pytest.mark.parametrize("text", ["+/(v×w)-v×w", "⌈/(v×w)-v×w", "(v×w)-v×w", "+\\(v×w)-v×w"])
def test_only_sums_take_products_without_rounding(text: str) -> None:
    random = np.random.default_rng(5)
    v, w = random.standard_normal(100), random.standard_normal(100)
    assert "aplc_multiply_add" not in c_of(text, Settings(), v=v, w=w)
    assert not np.any(aplc.run(text, v=v, w=w))


def test_strict_sums_of_integers_may_run_in_lanes() -> None:
    assert "#pragma omp simd reduction(+" in c_of("+/v", Settings(strict_fp=True), v=[3])


# --- unsafe -----------------------------------------------------------------------------------------------

UNCHECKED = ["1÷v", "⍟v", "v*0.5", "¯1○v", "!v", "⌊v", "+/v÷v", "v+w", "v+.×w", "(⌊⊃v)⊃w", "(⌊⊃v)⍴w"]


@pytest.mark.parametrize("text", UNCHECKED)
def test_unsafe_programs_check_nothing_but_memory(text: str) -> None:
    """Of the ways to fail, only that there is no memory is left."""
    given = {"v": np.array([0.5, 2]), "w": np.array([1.0, 2, 3])}
    names = {name: value for name, value in given.items() if name in text}
    checked, unsafe = c_of(text, Settings(), **names), c_of(text, Settings(unsafe=True), **names)
    assert checked.count("aplc_fail") > unsafe.count("aplc_fail")
    assert unsafe.count("aplc_fail") == unsafe.count("== NULL")


@needs_c
def test_unsafe_division_is_that_of_ieee_but_for_two_zeros() -> None:
    divide = aplc.fn("{⍺÷⍵}", unsafe=True)
    assert divide(1.0, 0.0) == np.inf
    assert divide(-1.0, 0.0) == -np.inf
    assert divide(0.0, 0.0) == 1
    assert aplc.fn("{⍺÷⍵}")(0.0, 0.0) == 1


@needs_c
@pytest.mark.parametrize(
    "text", ["1÷v", "(v-v)÷w-w", "⍟v", "+/v÷w", "v+.×w", "2⊃v", "¯1↓2↑v,w", "⌊v×w", "2 2⍴v,w"]
)
def test_unsafe_programs_that_are_right_give_the_same(text: str) -> None:
    given = {"v": np.array([0.5, 2, 7]), "w": np.array([1.0, 2, 3])}
    names = {name: value for name, value in given.items() if name in text}
    found, wanted = aplc.run(text, unsafe=True, **names), aplc.run(text, target="interp", **names)
    assert np.allclose(found, wanted, rtol=1e-14, atol=0)


# --- overflow ---------------------------------------------------------------------------------------------

LARGE, LEAST = 2**63 - 1, -(2**63)
WRAPS: list[tuple[str, list[int], int]] = [
    ("1+v", [LARGE], 1),
    ("v+v", [LEAST, 1], 1),
    ("v-1", [1, LEAST], 1),
    ("v×v", [3037000500, 1], 1),
    ("2×v", [2**62], 1),
    ("-v", [LEAST], 1),
    ("|v", [LEAST], 1),
    ("v∧3", [LARGE], 1),
    ("+/v", [LARGE, 1], 1),
    ("5++/v", [2**62, 2**62], 3),
    ("×/v", [2**32, 2**31], 1),
    ("v+.×v", [2**31, 2**31, 2**31], 1),
    ("{⍵×⍵+1}⊃v", [2**32], 2),
    ("+\\v", [LARGE, 1], 1),
    ("10⊥v", [9] * 19, 1),
    ("10⊥1↓v", [0] + [9] * 20, 1),
    ("v⊥3⍴9", [1, 2**31, 2**32], 1),
    ("(3↑v)⊥3⍴9", [1, 2**31, 2**32], 1),
    ("⊃v⊥3 2⍴9", [1, 2**31, 2**32], 2),
    ("9223372036854775807+⊃v", [1], 1),
    ("(⊃v)+9223372036854775807+1", [1], 6),
]


@pytest.mark.in_turn(16)
@on_each_target
@pytest.mark.parametrize(("text", "data", "column"), WRAPS)
def test_a_wrap_is_an_error_where_it_is_asked_for(
    text: str, data: list[int], column: int, target: str
) -> None:
    with pytest.raises(RunError) as caught:
        aplc.run(text, target=target, check_overflow=True, v=np.array(data))
    (found,) = caught.value.diagnostics
    assert (found.kind, found.span.column if found.span else 0) == ("DOMAIN ERROR", column)
    assert "does not fit an integer" in found.message
    aplc.run(text, target=target, v=np.array(data))  # wraps


FITS: list[tuple[str, list[int]]] = [
    ("1+v", [LARGE - 1, LEAST]),
    ("v-1", [LEAST + 1, LARGE]),
    ("v×v", [3037000499, -3037000499]),
    ("v×¯1", [LARGE, LEAST + 1]),
    ("-v", [LEAST + 1]),
    ("+/v", [LARGE, LEAST, 5]),
    ("×/v", [2**31, 2**31]),
    ("+/v>3", [2, 4, 9]),
    ("v∘.×⍳4", [5, 7]),
    ("+/⍳≢v", [5, 7]),
    ("(a b c)←{u←⍵ ⋄ u[1]+←8 ⋄ u}1↑v ⋄ b", [5, 7]),
    ("v∧6", [4, 0, -9]),
    ("10⊥v", [9, 2, 2, 3, 3, 7, 2, 0, 3, 6, 8, 5, 4, 7, 7, 5, 8, 0, 7]),
    ("v⊥2⍴5", [LARGE, 3]),
]


@on_each_target
@pytest.mark.parametrize(("text", "data"), FITS)
def test_what_fits_is_no_error(text: str, data: list[int], target: str) -> None:
    found = aplc.run(text, target=target, check_overflow=True, v=np.array(data))
    assert np.array_equal(found, aplc.run(text, target="interp", v=np.array(data)))


def test_indices_and_counts_are_not_checked() -> None:
    """Neither what the compiler computes nor a sum of conditions, which counts elements."""
    for text in ("1↓v", "⌽v", "0,v", "(⍳≢v)+1", "+/v>3"):
        assert "_wraps" not in c_of(text, Settings(check_overflow=True), v=[1, 2]), text
    assert "reduction(+" in c_of("+/v>3", Settings(check_overflow=True), v=[1, 2])
    assert "_wraps" in c_of("v+1", Settings(check_overflow=True), v=[1, 2])


@on_each_target
@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("⍴m({(+⌿5⍴2 4611686018427387904)⊣⍺}⍤1 0)1 0⍴0 4", {"m": np.zeros((1, 0, 3))}),
        ("({(×/64⍴2)⊣⍵}⍣n)7", {"n": 0}),
    ],
)
def test_what_is_not_computed_does_not_overflow(text: str, inputs: dict[str, Any], target: str) -> None:
    """Not even where the same value for all cells, or rounds, would be computed once in front of them."""
    found = aplc.run(text, target=target, check_overflow=True, **inputs)
    assert np.array_equal(found, aplc.run(text, target="interp", **inputs))


# --- flat pull arrays -------------------------------------------------------------------------------------

PROGRAMS = ["⍉a", "⌽a", "1⌽a", "2↑a", "1↓a", "a,a", "⍉⌽a", "+/a", "+⌿a", "a+.×⍉a", "a∘.+1 2", ",⍉a", "4 3⍴a",
            "1 1⍉a", "+/,⍉a", "a+⌽a", "(⍉a)+⍉1⌽a"]  # fmt: skip


@needs_c
@pytest.mark.parametrize("text", PROGRAMS)
def test_flat_arrays_hold_the_same(text: str) -> None:
    a = np.arange(12).reshape(3, 4) * 3 - 5
    given = as_input(a)
    options = Options(settings=Settings(arrays="flat"), verify=True)
    source = [Source("text", text)]
    compiled = compile_program(source, {"a": given.type}, {"a": given.storage}, options)
    shown: Callable[..., None] = lambda *_: None  # noqa: E731
    (found,) = compiled.run([given.value], shown)
    wanted = np.asarray(aplc.run(text, target="interp", a=a))
    assert found.shape == wanted.shape
    assert display(found) == display(wanted)


def test_flat_arrays_divide_where_hybrid_ones_have_axes() -> None:
    a = np.arange(12).reshape(3, 4)
    assert not re.search(r" [/%] ", c_of("1↓⍉a", Settings(), a=a))
    assert re.search(r" [/%] ", c_of("1↓⍉a", Settings(arrays="flat"), a=a))


# --- checks that always hold ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["⍟1+*v", "÷1+0.5×|v", "v÷0.1+v×v", "⍟2⌈v", "÷1⌈|v"])
def test_what_is_above_zero_is_not_checked(text: str) -> None:
    assert "aplc_raised" not in c_of(text, Settings(), v=[0.5])


@pytest.mark.parametrize("text", ["⍟*v", "÷|v", "⍟v×v", "v÷¯1+v×v", "÷(|v)×¯1⌈v", "⍟0⌈v", "÷(|v)-1"])
def test_what_may_be_zero_is_checked(text: str) -> None:
    """The exponential may be zero too."""
    assert "aplc_raised" in c_of(text, Settings(), v=[0.5])
