"""Windows of rows: what gets one, and that values are those of the interpreter at all borders."""

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.laila.text import laila

RNG = np.random.default_rng(5)
SHAPES = ((300, 300), (1201, 57), (17, 5003), (16, 65536), (70000, 1), (40000, 2), (15, 5000), (0, 7), (7, 0))
SUMS = "r←⍵+(1⌽⍵)+¯1⌽⍵"
STENCILS = {
    "torus": f"{{{SUMS} ⋄ r+(1⊖r)+¯1⊖r}}",
    "in place": f"{{{{{SUMS} ⋄ ⍵-r-(1⊖r)-¯1⊖r}}⍣3⊢⍵}}",
    "borders again": "{r←⍵+(⍵[;1],0 ¯1↓⍵)+(0 1↓⍵),⍵[;2⊃⍴⍵] ⋄ r+((1↑r)⍪¯1↓r)+(1↓r)⍪¯1↑r}",
    "along rows behind": "{c←⍵+(1⊖⍵)+¯1⊖⍵ ⋄ c+(1⌽c)+¯1⌽c}",
    "aslant": "{x←⍵-1⌽⍵ ⋄ (x+(1⊖1⌽x)+¯1⊖¯1⌽x)}",
    "below": f"{{{SUMS} ⋄ r×1⊖r}}",
}


def data(kind: str, shape: tuple[int, int]) -> np.ndarray:
    if kind == "bool":
        return RNG.integers(0, 2, shape).astype(bool)
    whole = RNG.integers(-99, 100, shape)
    return whole if kind == "int" else whole / 8


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("strict_fp", (False, True))
@pytest.mark.parametrize("kind", ("bool", "int", "double"))
@pytest.mark.parametrize("name", STENCILS)
def test_values(name: str, kind: str, strict_fp: bool) -> None:
    if strict_fp and kind != "double":
        return
    check(name, kind, "c", strict_fp=strict_fp)


@pytest.mark.parametrize(("name", "kind"), [("in place", "int"), ("aslant", "double"), ("torus", "bool")])
def test_values_in_threads(name: str, kind: str) -> None:
    check(name, kind, "openmp")


def check(name: str, kind: str, target: TargetName, *, strict_fp: bool = False) -> None:
    compiled = aplc.fn(STENCILS[name], target=target, strict_fp=strict_fp)
    wanted = aplc.fn(STENCILS[name], target="interp")
    for shape in SHAPES:
        if name == "borders again" and 0 in shape:
            continue
        given = data(kind, shape)
        assert np.array_equal(compiled(given), wanted(given)), shape


@pytest.mark.parametrize(
    ("size", "function", "has_window"),
    [
        ("300 301", "{r←⍵+1⌽⍵ ⋄ r+(1⊖r)+¯1⊖r}", True),
        ("300 301", "{r←⍵+1⌽⍵ ⋄ r+(4⊖r)+¯4⊖r}", True),
        ("300 301", "{r←⍵+1⌽⍵ ⋄ r+(5⊖r)+¯1⊖r}", False),
        ("300 301", "{r←⍵+1⌽⍵ ⋄ r+⊖r}", False),
        ("30 31", "{r←⍵+1⌽⍵ ⋄ r+(1⊖r)+¯1⊖r}", False),
        ("15 5000", "{r←⍵+1⌽⍵ ⋄ r+(1⊖r)+¯1⊖r}", False),
    ],
)
def test_what_has_a_window(size: str, function: str, has_window: bool) -> None:
    text = laila(f"s←{function}{size}⍴7|⍳97\n⎕←+/,s\n⎕←2 2↑s")
    assert ("alloc edges" in text) == has_window


@pytest.mark.parametrize(("length", "has_window"), [(20, True), (200, False)])
def test_rows_of_a_product_have_a_window_where_a_block_fills_panels(length: int, has_window: bool) -> None:
    """A block of few rows would read all columns again."""
    text = laila(f"m←{length} 5000⍴÷⍳97\nw←(⍉m)+.×{length} 40⍴÷⍳9\n⎕←+/,w\n⎕←2 2↑w")
    assert ("for block" in text) == has_window
