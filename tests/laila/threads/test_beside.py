"""What passes make for one thread beside what there is for several."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc import Function
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.machine import needs_threads

RNG = np.random.default_rng(3)
MATRICES = ((0, 3), (3, 0), (1, 7), (5, 9), (40, 33))
LENGTHS = (0, 1, 7, 1500)

OF_MATRICES = (
    "{+⍀+\\⍵}",
    "{⌈⍀⌊\\⍵}",
    "{({(+⍀+\\⍵)÷1+(⍳≢⍵)∘.×⍳2⊃⍴⍵}⍣3)⍵}",
)
OF_VECTORS = (
    "{⌈/(+\\⍵)-⌊\\0,¯1↓+\\⍵}",
    "{({(+\\⍵)-⌊\\0,¯1↓+\\⍵}⍣3)⍵}",
    "{0=≢⍵:0 ⋄ d←⍵×3-⍵ ⋄ d⍳⌈/d}",
    "{0=≢⍵:0 ⋄ d←|⍵-0.3 ⋄ i←d⍳⌊/d ⋄ i+d[i]}",
    "{0=≢⍵:⍵ ⋄ ({d←⍵×3-⍵ ⋄ (d⍳⌈/d)⌽⍵}⍣4)⍵}",
)


def _made(text: str, *, verify: bool, threads: int) -> Function:
    return Function([Source("text", text)], None, Options("openmp", verify=verify, threads=threads))


def _compare(text: str, shapes: tuple[Any, ...]) -> None:
    meaning = aplc.fn(text, target="interp")
    functions = [_made(text, verify=verify, threads=3) for verify in (True, False)]
    for shape in shapes:
        for given in (RNG.integers(0, 99, shape).astype(np.uint8), RNG.random(shape)):
            wanted = meaning(given)
            for function in functions:
                assert np.allclose(function(given), np.asarray(wanted), rtol=1e-9, atol=0), (shape, text)


@needs_threads
@pytest.mark.in_turn(3)
@pytest.mark.parametrize("text", OF_MATRICES)
def test_values_of_matrices(text: str) -> None:
    """Of both versions: where all loops run in threads, and where small extents do not."""
    _compare(text, MATRICES)


@needs_threads
@pytest.mark.in_turn(3)
@pytest.mark.parametrize("text", OF_VECTORS)
def test_values_of_vectors(text: str) -> None:
    _compare(text, LENGTHS)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("text", "ty"),
    [(text, "[double]2") for text in OF_MATRICES]
    + [(text, "[double]1") for text in (*OF_VECTORS[:2], OF_VECTORS[-1])],
)
def test_one_thread_has_its_own_version(text: str, ty: str) -> None:
    """The choice stands in programs with threads alone."""
    for target in ("c", "openmp"):
        made = aplc.fn(text, target=target).emit("laila", ty)
        assert ("aplc_most_threads() < 3" in made) == (target == "openmp")


@pytest.mark.in_turn(3)
def test_what_both_write_is_allocated_once() -> None:
    """Memory of the version for several threads alone is allocated in it."""
    made = aplc.fn("{+⍀+\\⍵}", target="openmp").emit("laila", "[int]2")
    before, after = made.split("aplc_most_threads() < 3")
    one, several = after.split("else")
    assert (before.count("alloc"), one.count("alloc"), several.count("alloc")) == (1, 0, 1)
