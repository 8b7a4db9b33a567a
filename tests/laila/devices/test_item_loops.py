"""Loops over items whose rounds make arrays: as loops over all items, and sorts of items by merging."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from aplc.compiler import optimise, to_laila, to_tail
from aplc.inputs import as_input
from aplc.laila.devices import loop_distribution
from aplc.laila.devices.item_sort import can_be_distributed
from aplc.laila.devices.loop_distribution import rounds_of
from aplc.laila.devices.offload_over_items import ItemChooser
from aplc.laila.ir.program import ForEach, Map
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.kernel_runs import GRID, THREE, compiled, host_and_kernels, kernels, run, same
from tests.support.machine import needs_device

SHAPES = {
    "none": [],
    "one": [1],
    "shorter than a block": [3, 1, 2] * 40,
    "around blocks": [15, 16, 17, 31, 32, 33, 1],
    "one long among short": [1] * 50 + [700] + [2] * 20,
}


def cut(lengths: list[int]) -> dict[str, Any]:
    """A vector with equal elements, zeros of both signs and what is no number, and where items begin."""
    size = sum(lengths)
    marks = np.zeros(size, dtype=bool)
    marks[(np.cumsum(lengths) - lengths).astype(int)] = True
    values = np.random.default_rng(size).choice(
        [-np.inf, -2.5, -0.0, 0.0, 0.1, 0.4, 7.0, np.nan, np.inf], size
    )
    return {"m": marks, "v": values, "i": np.random.default_rng(size).integers(-9, 9, size)}


@pytest.fixture(autouse=True)
def distributing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops are distributed, as they are not unless asked for."""
    monkeypatch.setattr(ItemChooser, "distributes", True)


PROGRAMS = [("{⍵[⍒⍵]}¨m⊂v", GRID), ("⍋¨m⊂v", THREE), ("∊{+\\(⍵>¯3)/⍵}¨m⊂i", THREE)]


@pytest.mark.in_turn(12)
@needs_device
@pytest.mark.parametrize(("text", "division"), PROGRAMS, ids=[text for text, _ in PROGRAMS])
def test_it_does_what_the_interpreter_does(text: str, division: Any) -> None:
    options = Options("opencl", verify=True, division=division)
    program, meaning = [compiled(text, cut([1]), each) for each in (options, Options("interp"))]
    for name, lengths in SHAPES.items():
        found, value = run(program, cut(lengths)), run(meaning, cut(lengths))
        assert same(found, value), (name, found, value)


@pytest.mark.parametrize("text", ["⍋¨m⊂i", "{⍵[⍋⍵]}¨m⊂i"])
def test_sorts_of_items_are_kernels(text: str) -> None:
    assert "merged" in kernels(text, cut([1]), GRID)
    assert "merged" in kernels(text, cut([1]), THREE)


DISTRIBUTED = [
    ("⍋¨m⊂i", True),
    ("{+\\(⍵>¯3)/⍵}¨m⊂i", True),
    ("{+/(⍳≢⍵)×⍋⍵}¨m⊂i", True),
    ("{⍵[⍵]}¨m⊂i", False),  # an index may be wrong, which is told of the first item where it is
    ("{∪⍵}¨m⊂i", False),
]


@pytest.mark.parametrize(("text", "can"), DISTRIBUTED)
def test_which_loops_are_distributed(text: str, can: bool) -> None:
    types = {name: as_input(value).type for name, value in cut([1]).items()}
    term = to_tail([Source("text", text)], types).term
    program, make = to_laila(optimise(term, Options("opencl")), {}, Options("opencl"))
    maps = [rounds_of(s) for s in program.statements if isinstance(s, Map)]
    loops = [s for s in (*program.statements, *maps) if isinstance(s, ForEach)]
    assert loops and can_be_distributed(make, loops[-1]) is can


def test_rounds_that_make_too_much_together_go_one_after_the_other() -> None:
    """How much all of them make is known before."""
    host, _ = host_and_kernels("{+\\(⍵>¯3)/⍵}¨m⊂i", cut([1]), GRID)
    assert str(loop_distribution.MOST) in host


def test_few_items_have_their_places_on_the_stack() -> None:
    """So they are handed over with their length: no heap knows it."""
    host, _ = host_and_kernels("⌽¨{(2|⍵+⍳7||⍵)/⍳7||⍵}¨3?3", {}, GRID)
    on_stack = set(re.findall(r"int64_t (ends\d*)\[4\];", host))
    handed_over = re.findall(r"\{\(void \*\)(ends\d*), \(int64_t\[\]\)\{(\d)\}\}", host)
    assert on_stack and {length for name, length in handed_over if name in on_stack} == {"4"}
