"""Signs that are changed later, or by a difference, leave each bit as it is."""

import numpy as np
import pytest

from aplc import fn
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.machine import needs_c

SPECIAL = np.array([0.0, -0.0, 1.5, -2.25, np.inf, -np.inf, 1e308, 5e-324])
PROGRAMS = ["x×-y", "(-x)×y", "(-x)×-y", "x--y", "x+-y", "(-x)+y", "(-x)-y", "--x+y", "(x×-y)-y×-x"]


@needs_c
@pytest.mark.parametrize("text", PROGRAMS)
def test_bits(text: str) -> None:
    x, y = [each.ravel() for each in np.meshgrid(SPECIAL, SPECIAL)]
    known = "{x←⍺ ⋄ y←⍵ ⋄ " + text + "}"
    wanted, found = [fn(known, target=target, strict_fp=True)(x, y) for target in ("interp", "c")]
    same = np.isnan(wanted) & np.isnan(found) | (wanted.view(np.int64) == found.view(np.int64))
    assert same.all()


def test_squares_are_computed_once() -> None:
    text = c_of("(+/z×+z),z×z", Options(settings=Settings()), z=np.array([1 + 2j]))
    assert "-aplc_imaginary" not in text and " * -" not in text
