"""Complex numbers in compiled programs: the interpreter's to the last bit, and computed by their parts."""

import math
import re
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.laila.ir.rules.complex_rules import _of_root

RANDOM = np.random.default_rng(1)
Z = RANDOM.normal(size=1003) + 1j * RANDOM.normal(size=1003)
W = RANDOM.normal(size=1003) * 1e150 + 1j * RANDOM.normal(size=1003)
EXPRESSIONS = (
    "z×w", "z÷w", "z×z×z", "|z,w", "+/z", "×/10↑z", "z+.×w", "*z", "⍟z", "z*0.5", "z*2.5", "z*z", "1○z",
    "¯1○z", "¯3○z", "z*3", "z÷2.5", "⌊z", "12○z", "+\\z", "z=w", "2<|z", "(3⍴z)∘.×2⍴w", "z⌷⍨⊂2 3", "0≠z×+z",
    "{⍵×⍵+0J1}⍣3⊢z", "{⍵>3:z[⍵] ⋄ z[⍵]×∇⍵+1}1", "{9○⍵×+⍵}¨z",
)  # fmt: skip


def bits(value: Any) -> tuple[Any, ...]:
    array = np.asarray(value)
    return array.dtype, array.shape, array.tobytes()


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_parts_are_those_of_the_interpreter_to_the_last_bit(text: str) -> None:
    given = {name: value for name, value in (("z", Z), ("w", W)) if name in text}
    expected = bits(aplc.run(text, target="interp", **given))
    for target in ("c", "openmp", "opencl"):
        assert bits(aplc.run(text, target=target, strict_fp=True, **given)) == expected, target


@pytest.mark.parametrize("text", ["11○z×+z", "11○(z×2J1)-2J1×z"])
def test_what_cancels_is_zero(text: str) -> None:
    """No product is added to before it is rounded."""
    assert not aplc.run(text, z=Z).any()


@pytest.mark.parametrize("c", [2.0, 0.1, 1.0, 5.0, 1e-100, 1e100, math.pi, math.nextafter(2.0, 3.0)])
def test_bounds_of_roots(c: float) -> None:
    least, greatest = _of_root(c)
    assert math.sqrt(least) >= c > math.sqrt(math.nextafter(least, 0.0))
    assert math.sqrt(greatest) <= c < math.sqrt(math.nextafter(greatest, math.inf))


def test_magnitudes_around_a_constant() -> None:
    """Compared by squares, and as the interpreter compares roots."""
    near = [2.0 * np.exp(1j * k) * (1 + j * 2.0**-52) for k in range(300) for j in (-2, -1, 0, 1, 2)]
    far = [0, 1e200, 1e200 * 1j, 1e-200, complex(np.inf, 0), complex(0, -np.inf), complex(np.nan, 0)]
    z = np.array([*near, *far])
    for sign in "<≤>≥":
        for text in (f"⎕CT←0 ⋄ (|z){sign}2", f"⎕CT←0 ⋄ 2{sign}|z"):
            assert bits(aplc.run(text, z=z)) == bits(aplc.run(text, target="interp", z=z)), text


def test_compiled_programs_hold_complex_numbers_in_memory_only(cli: Any, tmp_path: Any) -> None:
    (tmp_path / "p.apl").write_text("{c←⍵ ⋄ 0{(⍺=9)∨2<|⍵:⍺ ⋄ (⍺+1)∇ c+⍵×⍵}0J0}¨z", "utf-8")
    np.save(tmp_path / "z.npy", Z)
    text = cli("emit", "c", str(tmp_path / "p.apl"), "--input", f"z={tmp_path / 'z.npy'}").out
    assert "sqrt" not in text.partition("aplc_run")[2]
    assert not re.search(r"^ *aplc_complex \w+ =", text, re.MULTILINE)
