"""Running extrema that seldom change."""

import numpy as np
import pytest

from aplc import fn
from aplc.calling.functions import Function
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.commands import Cli
from tests.support.machine import needs_device

RNG = np.random.default_rng(8)
PROGRAMS = {
    "running": "{⌈\\⍵}",
    "least": "{⌊\\⍵}",
    "drawdown": "{⌈/1-⍵÷⌈\\⍵}",
    "both": "{h←⌈\\⍵ ⋄ l←⌊\\⍵ ⋄ (+/h-l),h}",
    "of differences": "{⌈\\(1↓⍵)-¯1↓⍵}",
    "from the end": "{⌽⌈\\⌽⍵}",
    "ratios": "{⍵÷⌈\\|⍵}",
    "of each other": "{⌊\\⌈\\⍵}",
    "highs": "{⍸⍵=⌈\\⍵}",
}
LENGTHS = (0, 1, 2, 127, 128, 129, 255, 256, 257, 1000)


def shapes_of_data(n: int) -> list[np.ndarray]:
    walk = 50 + np.cumsum(RNG.normal(size=n))
    zeros = RNG.choice([0.0, -0.0, -1.0], n)
    return [
        RNG.normal(size=n),
        walk,
        np.arange(1.0, n + 1),
        -np.arange(1.0, n + 1),
        zeros,
        RNG.integers(-9, 9, n),
    ]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_values_to_the_bit(text: str) -> None:
    strict = Options("c", verify=True, settings=Settings(strict_fp=True))
    compiled = Function([Source("extrema", text)], None, strict)
    meaning = fn(text, target="interp")
    for n in LENGTHS:
        for v in shapes_of_data(n):
            given = v if "÷" not in text else np.abs(v) + 1.0
            assert np.asarray(compiled(given)).tobytes() == np.asarray(meaning(given)).tobytes(), (n, v[:3])


def test_what_is_no_number_stays() -> None:
    running = fn("{⌈\\⍵}", target="c")
    for place in (0, 5, 127, 128, 300, 511):
        v = RNG.normal(size=512)
        v[place] = np.nan
        found = running(v)
        assert np.isnan(found[place:]).all() and not np.isnan(found[:place]).any()


def test_a_division_by_zero_is_found() -> None:
    drawdown = fn("{⌈/1-⍵÷⌈\\⍵}", target="c")
    v = np.concatenate([np.zeros(1), np.full(300, -1.0), np.ones(5)])
    with pytest.raises(Exception, match="DOMAIN ERROR"):
        drawdown(v)
    assert drawdown(np.zeros(300)) == 0  # 0÷0 is 1
    for n in (2, 3, 4, 5, 128, 129, 130, 260):  # zero is the greatest so far, and something else is divided
        for place in {1, n // 2, n - 1}:
            v = np.zeros(n)
            v[place] = -1
            with pytest.raises(Exception, match="DOMAIN ERROR"):
                drawdown(v)


def check_many(target: str) -> None:
    for text in ("{⌈\\⍵}", "{⌈/1-⍵÷⌈\\⍵}", "{⍵÷⌈\\⍵}"):
        compiled, meaning = fn(text, target=target), fn(text, target="interp")
        for n in (100_000, 1_000_001):
            for v in (RNG.normal(size=n) + 9, 50 + np.arange(n) / 7 + RNG.normal(size=n)):
                assert np.allclose(compiled(v), meaning(v), rtol=1e-13, atol=0), (text, n)


def test_many_in_threads() -> None:
    check_many("openmp")


@needs_device
def test_many_in_kernels() -> None:
    check_many("opencl")


@pytest.mark.parametrize(
    ("function", "in_blocks"),
    [
        ("{⌈\\⍵}", True),
        ("{⌈/⍵-⌊\\⍵}", True),
        ("{⌈\\*⍵}", False),  # would be computed twice
        ("{+\\⌈\\⍵}", False),  # a sum is carried, too
    ],
)
def test_which_are_in_blocks(cli: Cli, function: str, in_blocks: bool) -> None:
    made = cli("emit", "c", "-e", f"f←{function}", "--function", "f", "--types", "[double]1")
    assert ("start += 128" in made.out) == in_blocks
