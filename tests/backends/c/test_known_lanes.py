"""What C says about loops in lanes: what compilers other than gcc would not find out, and nothing in vain."""

from __future__ import annotations

import re

import numpy as np

from aplc.laila.ir.settings import Settings
from aplc.options import Options
from tests.support.compiling import c_of

_NUMBERS = "a←{⍵,(⊃⌽⍵)⎕INT32XOR(⊃⌽⍵)⎕INT32SHR 1}⍣29⊢,1 ⎕INT32SHL 29\n"
_POINTS = "g←(¯1+⍳n)∘.⎕INT32AND 1 ⎕INT32SHL ¯1+⍳30\n⎕←+/⎕INT32XOR/(0≠g)×(⍴g)⍴{}"
_SUM = "⎕←+/{}⍳n"


def _text(program: str, **settings: bool) -> str:
    return c_of(program, Options(settings=Settings(**settings)), n=1000, m=np.ones((3, 100)))


def test_lanes_beside_what_was_exchanged() -> None:
    """`⍣` exchanges buffers, and no lanes lie where its result does; a constant never was elsewhere."""
    told = re.search(r"APLC_ELSEWHERE\((\w+)\);\n +for [^}]*", _text(_NUMBERS + _POINTS.format("a")))
    assert told is not None
    assert re.search(rf"APLC_LANES_GO_ON\n.*\b{told[1]}\[", told[0], re.DOTALL)
    assert "APLC_ELSEWHERE" not in _text(_POINTS.format("2*⍳30"))


def test_sums_of_quotients() -> None:
    """Divisions and roots are slow; products are not, and memory is slower. By --strict-fp no lanes are."""
    slow = r"APLC_SLOW_LANES\(reduction\(\+:[\w, ]+\)"
    for function in ("÷", "0.5*⍨", "3+÷"):
        assert re.search(slow, _text(_SUM.format(function)))
    assert re.search(slow, _text("⎕←+/÷m"))
    for other in ("⎕←+/÷,m", _SUM.format("0.5×")):
        assert not re.search(slow, _text(other))
    assert not re.search(slow, _text(_SUM.format("÷"), strict_fp=True))
