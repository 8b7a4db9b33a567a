"""Parts of arrays that are made of themselves are written where they are; copies before that are moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

ELIMINATED = """∇ a←f a;k;r
:For k :In ⍳¯1+≢a
  r←k↓⍳≢a
  a[r;k]←a[r;k]÷a[k;k]
  a[r;r]←a[r;r]-a[r;k]∘.×a[k;r]
:EndFor
∇"""
PROGRAMS = {
    "elimination": ELIMINATED,
    "gauss and jordan": "∇ x←f a;k;g\nx←a\n:For k :In ⍳≢x\n x[k;]←x[k;]÷x[k;k]\n g←x[;k]×k≠⍳≢x\n"
    " x←x-g∘.×x[k;]\n:EndFor\n∇",
    "two states": "∇ x←f a;k;g;b\nx←a ⋄ b←a[;1]\n:For k :In ⍳≢x\n b[k]←b[k]÷x[k;k]\n x[k;]←x[k;]÷x[k;k]\n"
    " g←x[;k]×k≠⍳≢x\n x←x-g∘.×x[k;]\n b←b-g×b[k]\n:EndFor\nx←x+b∘.×b\n∇",
    "neighbours": "∇ x←f a;k\nx←a\n:For k :In ⍳3\n x[1↓⍳≢x;]←x[1↓⍳≢x;]-0.5×x[¯1↓⍳≢x;]\n:EndFor\n∇",
    "the old rows": "∇ x←f a;k;y\nx←a\n:For k :In ⍳≢x\n y←x\n x[k;]←2×x[k;]\n x←x+⌽y\n:EndFor\n∇",
    "another row": "∇ x←f a;k;y\nx←a\n:For k :In ⍳≢x\n y←x\n y[k;]←x[k;]+x[1;]\n x←y-1\n:EndFor\n∇",
    "both kept": "f←{a←⍵ ⋄ a[1;]←a[1;]÷4 ⋄ b←a ⋄ b[2;]←b[2;]×a[2;1] ⋄ a+⊖b}",
    "diagonals": "f←{n←≢⍵ ⋄ a←,⍵ ⋄ i←1+(n+1)×¯1+⍳n ⋄ a[i]←a[i]-⍳n ⋄ a}",
}
TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: TargetName, tmp_path: Path) -> None:
    path = tmp_path / "f.apl"
    path.write_text(text + "\n", encoding="utf-8")
    wanted, found = aplc.load(path, target="interp")["f"], aplc.load(path, target=target)["f"]
    for size in (2, 3, 4, 7, 70):
        given = np.random.default_rng(size).random((size, size)) + size * np.eye(size)
        kept = given.copy()
        np.testing.assert_allclose(found(given), wanted(given), rtol=1e-9, err_msg=str(size))
        assert np.array_equal(given, kept)


@needs_c
def test_memory(tmp_path: Path) -> None:
    """Elimination has one matrix, and two vectors of what it reads of this while it changes."""
    path = tmp_path / "f.apl"
    path.write_text(ELIMINATED + "\n", encoding="utf-8")
    text = aplc.load(path)["f"].emit("laila", "[double]2")
    assert text.count("alloc a : ") == 1
    assert text.count("alloc more") == 2
