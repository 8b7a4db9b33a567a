"""Loops that know the ranges of what they carry: what they begin with may be in none of these."""

from __future__ import annotations

from pathlib import Path

import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.laila.text import laila
from tests.support.machine import needs_c, needs_threads

BODIES = {
    "a condition about residues": ":While (k<5)∧1=2|b ⋄ b←p|5 ⋄ k←k+1 ⋄ :EndWhile",
    "an end that the range excludes": ":While (k<5)∧b<9 ⋄ b←7|b+3 ⋄ k←k+1 ⋄ :EndWhile",
    "two of them": ":While (k<b)∨1=3|p ⋄ b←7|b+p ⋄ p←5|b ⋄ k←k+1 ⋄ :EndWhile",
    "until a value": ":While b≠3 ⋄ b←11|1+b×b ⋄ k←k+1 ⋄ :If k>40 ⋄ b←3 ⋄ :EndIf ⋄ :EndWhile",
    "a choice": ":While (k<6)∧b≠0 ⋄ :If 2|b ⋄ b←8|3×b ⋄ :Else ⋄ b←8|b+2 ⋄ :EndIf ⋄ k←k+1 ⋄ :EndWhile",
}


@needs_c
@pytest.mark.parametrize("target", ["c", pytest.param("openmp", marks=needs_threads)])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_a_loop_begins_with(body: str, target: TargetName, tmp_path: Path) -> None:
    path = tmp_path / "f.apl"
    path.write_text(f"∇ r←f x;b;p;k\nb←x\np←2\nk←0\n{body.replace(' ⋄ ', chr(10))}\nr←b,p,k\n∇\n")
    interp, compiled = aplc.load(path, target="interp").f, aplc.load(path, target=target).f
    for start in (0, 1, 2, 3, 8, 9, 10, 100, 101, -1, -2, -3, -100, 2**40, 2**62, -(2**62)):
        assert compiled(start).tolist() == interp(start).tolist(), start


def test_residues_of_what_is_in_range() -> None:
    text = "∇ r←f x;k\nk←0\n:While k<x\nx←7|x+3\nk←k+1\n:EndWhile\nr←x\n∇\n⎕←f ≢?100⍴9\n"
    assert laila(text).count("resi(7") == 1  # one loop has it, the other one compares
