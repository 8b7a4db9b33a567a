"""Rows that a condition leaves as they are are not walked."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]

RNG = np.random.default_rng(7)
GUARD = re.compile(r"if \(0 < \w+ \? [^\n]* : false\)")
"""The branch around a row that has elements."""
SHAPES = ((0, 0), (0, 3), (3, 0), (1, 1), (5, 5), (20, 20), (3, 67), (2, 130))

STEPS = {
    "{}∨{}[;k]∘.∧{}[k;]": "bool",
    "{}∧{}[;k]∘.∨{}[k;]": "bool",
    "{}≠{}[;k]∘.∧{}[k;]": "bool",
    "{}+(4>{}[;k])∘.×{}[k;]": "int",
}


def program(directory: Path, step: str, target: TargetName) -> aplc.Module:
    path = directory / "p.apl"
    path.write_text(f"∇ r←f r;k\n:For k :In ⍳⌊/⍴r\n r←{step}\n:EndFor\n∇\n", "utf-8")
    return aplc.load(path, target=target)


@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("step", STEPS)
def test_values(step: str, target: TargetName, tmp_path: Path) -> None:
    text = step.replace("{}", "r")
    meaning, compiled = program(tmp_path, text, "interp")["f"], program(tmp_path, text, target)["f"]
    for shape in SHAPES:
        for density in (0.0, 0.1, 1.0):
            m = RNG.random(shape) < density
            value = m if STEPS[step] == "bool" else m * RNG.integers(-9, 9, shape)
            assert np.array_equal(compiled(value), meaning(value))


def test_where_there_is_a_branch(tmp_path: Path) -> None:
    """Not for doubles: `x+0×y` is not x where y is infinite."""
    for step, ty, count in (
        ("r∨r[;k]∘.∧r[k;]", "[bool]2", 1),
        ("r∧r[;k]∘.∨r[k;]", "[bool]2", 1),
        ("r+(4>r[;k])∘.×r[k;]", "[int]2", 1),
        ("r+(4>r[;k])∘.×r[k;]", "[double]2", 0),
        ("r∨r[;k]∘.∨r[k;]", "[bool]2", 0),
    ):
        source = program(tmp_path, step, "c")["f"].emit("c", ty)
        assert len(GUARD.findall(source)) == count, step
