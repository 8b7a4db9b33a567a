"""`b\\v` for truth values, which reads ahead of what is wanted, beside the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]
VALUES = (
    np.arange(1.0, 8.0),
    np.arange(7) - 3,
    np.array([True, False, True, True, False, False, True]),
    np.array([np.nan, np.inf, -np.inf, -0.0, 1.0, 2.0, 3.0]),
    "ab dc é",
)
MASKS = ([], [0], [1], [0, 0, 0], [1, 1, 1, 0, 1, 1, 1, 1], [0, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", ["{⍺\\⍵}", "{⍺\\⌽⍵}", "{⍺\\⍺/⍺\\⍵}", "{(~~⍺)\\⍵}"])
def test_values(text: str, target: TargetName) -> None:
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    for mask in MASKS:
        for values in VALUES:
            given = np.array(mask, dtype=bool)
            for part in (values[: sum(mask)], values[:1], values[:0], values[:2]):
                try:
                    expected = wanted(given, part)
                except aplc.Error as error:
                    with pytest.raises(aplc.Error) as raised:
                        found(given, part)
                    assert str(raised.value).split("\n")[0] == str(error).split("\n")[0]
                    continue
                value = found(given, part)
                assert repr(np.asarray(value).tolist()) == repr(np.asarray(expected).tolist()), (mask, part)
