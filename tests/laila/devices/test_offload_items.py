"""Kernels for folds of items of unlike lengths: which one the host chooses, and that each gives the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from aplc.backends.opencl import run as opencl_run
from aplc.compiler import optimise, to_laila, to_tail
from aplc.inputs import as_input
from aplc.laila.devices.device_mapping import Division
from aplc.laila.devices.kernels import Kernel
from aplc.laila.devices.offload import offload
from aplc.laila.ir.program import ForEach
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.days import of_today
from tests.support.kernel_runs import GRID, THREE, compiled, differs, kernels, run, same
from tests.support.machine import needs_device

SIX_UNITS = Division(items=24, least_work=1, least_rows=1)
"""As on a processor with so many."""


def cut(lengths: Sequence[int]) -> dict[str, Any]:
    """A vector, and marks where items of these lengths begin."""
    size = sum(lengths)
    marks = np.zeros(size, dtype=bool)
    marks[(np.cumsum(lengths) - lengths).astype(int)] = True
    return {"m": marks, "v": np.random.default_rng(size).random(size)}


# lengths of items, and what does them: on a grid, and on six units
LENGTHS = {
    "none": ([], None, None),
    "one": ([1], "item by item", "values"),
    "short": ([1, 2, 3] * 50, "item by item", "item by item"),
    "long": ([300] * 20, "rows", "item by item"),
    "one long among short": ([1] * 300 + [9000] + [2] * 50, "values", "values"),
    "the first is long": ([9000] + [1] * 400, "values", "values"),
    "the last is long": ([1] * 400 + [9000], "values", "values"),
    "two long side by side": ([1] * 300 + [4000, 5000] + [1] * 200, "values", "values"),
}
FOLDS = ["+/¨m⊂v", "(⌈/÷≢)¨m⊂v"]
ALONG = [
    "+\\¨m⊂v",
    "⌈\\¨m⊂v",
    "{⍵-+\\⌽⍵}¨m⊂v",
    "≠\\¨m⊂v>0.5",
    "{(⍵>0.5)/⍵}¨m⊂v",
    "{(⍵>0)/⍵}¨m⊂v",
    "{(⍵>1)/⍵}¨m⊂v",
    "{(⍵≠'a')/⍵}¨m⊂'abc'[1+⌊3×v]",
]
"""What runs along items."""


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the kernels that are started."""
    names: list[str] = []
    (session,) = [c for c in vars(opencl_run).values() if isinstance(c, type) and hasattr(c, "starter")]
    original = session.starter

    def starter(self: Any, kernel: Kernel) -> Any:
        start = original(self, kernel)

        def noted(arguments: Any) -> Any:
            names.append(kernel.name.rstrip("_0123456789"))
            return start(arguments)

        return noted

    monkeypatch.setattr(session, "starter", starter)
    yield names


@pytest.mark.in_turn(8)
@needs_device
@pytest.mark.parametrize("text", of_today([*FOLDS], 2))
@pytest.mark.parametrize(("division", "which"), [(GRID, 1), (SIX_UNITS, 2)], ids=["grid", "chunks"])
def test_kernels_by_the_lengths_of_items(text: str, division: Division, which: int, begun: list[str]) -> None:
    options = Options("opencl", verify=True, division=division)
    program, meaning = [compiled(text, cut([1]), each) for each in (options, Options("interp"))]
    for name, case in LENGTHS.items():
        inputs, wanted = cut(case[0]), case[which]
        begun.clear()
        found, value = run(program, inputs), run(meaning, inputs)
        assert same(found, value), (name, found, value)
        chosen = {"item by item" if kernel in ("fused", "map") else kernel for kernel in begun}
        if wanted is not None:
            assert wanted in chosen, (name, begun)
        assert {"item by item", "rows", "values"} & chosen <= {wanted}, (name, begun)


@pytest.mark.in_turn(16)
@needs_device
@pytest.mark.parametrize("text", of_today([*ALONG], 3))
@pytest.mark.parametrize(
    ("division", "names"),
    [(GRID, ("rounds", "items", "pieces")), (SIX_UNITS, ("rounds", "rounds", "pieces"))],
    ids=["grid", "chunks"],
)
def test_what_runs_along_items(
    text: str, division: Division, names: tuple[str, str, str], begun: list[str]
) -> None:
    options = Options("opencl", verify=True, division=division)
    program, meaning = [compiled(text, cut([1]), each) for each in (options, Options("interp"))]
    known = dict(zip(("short", "long", "one long among short"), names, strict=True))
    for name, case in LENGTHS.items():
        inputs = cut(case[0])
        begun.clear()
        found, value = run(program, inputs), run(meaning, inputs)
        assert same(found, value), (name, found, value)
        assert known.get(name, names[2]) in begun or name in ("none", "one"), (name, begun)


def test_the_order_of_sums_is_kept_where_it_must_be() -> None:
    assert "kernel void values" in kernels("+/¨m⊂v", cut([1]), GRID)
    assert "kernel void values" not in kernels("+/¨m⊂v", cut([1]), GRID, strict_fp=True)


def test_two_units_do_not_look_at_lengths() -> None:
    """See Note [Lengths of items]."""
    assert "kernel void values" not in kernels("+/¨m⊂v", cut([1]), THREE)


@needs_device
@pytest.mark.parametrize("division", [GRID, THREE], ids=["grid", "chunks"])
def test_loops_that_share_an_index(division: Division) -> None:
    """The lengths of items are added by a loop whose index is that of the loop that fills them, in order."""
    options = Options("opencl", verify=True, division=division)
    text = "⍴{(2|⍵+⍳7||⍵)/⍳7||⍵}¨,({⍵,⍵}⍥(1∘+))B"
    assert differs(text, options, [{"B": np.array(True)}, {"B": np.array(False)}]) == []


SAID = [(GRID, "a group for an item"), (SIX_UNITS, "over 41 % of all")]


@pytest.mark.parametrize(("division", "said"), SAID)
def test_what_is_said_of_the_choice(division: Division, said: str) -> None:
    types = {name: as_input(value).type for name, value in cut([1]).items()}
    term = to_tail([Source("text", "+/¨m⊂v")], types).term
    program, make = to_laila(optimise(term, Options("opencl")), {}, Options("opencl"))
    (choice,) = offload(program, make, division).choices.values()
    assert said in choice


def test_loops_that_have_kernels_are_those_of_the_program() -> None:
    """By their identity `aplc explain` finds them."""
    types = {name: as_input(value).type for name, value in cut([1]).items()}
    term = to_tail([Source("text", "+\\¨m⊂v")], types).term
    program, make = to_laila(optimise(term, Options("opencl")), {}, Options("opencl"))
    loops = [s for s in program.statements if isinstance(s, ForEach)]
    work = offload(program, make, SIX_UNITS).work
    assert loops and all(id(loop) in work for loop in loops)
