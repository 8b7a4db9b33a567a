"""Integers of rounds that are narrow behind the first round, in twice as many lanes."""

import numpy as np
import pytest

import aplc

TYPES = "[int]0,[int]1"
MIXED = "{x←⍵ ⎕INT32XOR ⍵ ⎕INT32SHL 13 ⋄ x ⎕INT32XOR x ⎕INT32SHR 17}"


@pytest.mark.parametrize(
    ("step", "lanes"),
    [
        (MIXED, "int32_t s[64]"),
        ("{1000003|48271×⍵}", "int32_t s[64]"),
        ("{1+⍵×⍵}", "int64_t s[32]"),
        ("{1099511627776|5+⍵}", "int64_t s[32]"),
    ],
)
def test_lanes_keep_32_bits_where_a_round_gives_no_more(step: str, lanes: str) -> None:
    assert lanes in aplc.fn(f"{{({step}⍣⍺)⍵}}").emit("c", TYPES)


def test_points_that_end_each_for_itself_keep_their_bits() -> None:
    text = "{{1000<⍵:⍵ ⋄ ∇ 1000003|48271×⍵}¨⍵}"
    assert "int32_t s[64]" not in aplc.fn(text).emit("c", "[int]1")


@pytest.mark.parametrize("target", ["c", "openmp"])
def test_values(target: str) -> None:
    text = f"{{({MIXED}⍣⍺)⍵}}"
    compiled, meant = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    far = np.array([5, -7, 2**31, 2**62 + 3, -(2**63)])
    for n in (0, 1, 63, 64, 150):
        given = np.resize(far, n)
        for rounds in (0, 1, 2, 7):
            assert np.array_equal(compiled(rounds, given), meant(rounds, given)), (n, rounds)
