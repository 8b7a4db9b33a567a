"""Why loops have no kernel: the reasons that `aplc explain` gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from aplc.compiler import optimise, to_laila, to_tail
from aplc.inputs import as_input
from aplc.laila.devices.device_mapping import DIVISION, Division, on_cpu
from aplc.laila.devices.host_reasons import HostReasons, kernel_around
from aplc.laila.devices.offload import offload
from aplc.laila.devices.offload_loops import with_own_indices
from aplc.laila.ir.program import ForEach
from aplc.laila.ir.settings import Settings
from aplc.laila.reports.traffic import Traffic
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.kernel_runs import GRID

TWO = on_cpu(DIVISION, 2, 32)
"""A processor of two units, with the host's threads."""

CASES = [
    ("{(⍵>0.5)/⍵}¨m⊂v", TWO, {}, "the host's threads do it sooner: they pack what is kept"),
    ("v[⍋v]", GRID, {}, "the host's threads sort"),
    ("v○⍨1", TWO, {}, "the host's threads do it sooner: it computes circle"),
    ("!v", GRID, {}, "only the host computes factorial"),
    ("v∘.∨v", GRID, {}, "only the host computes gcdtd"),
    ("*v", GRID, {"strict_fp": True}, "under --strict-fp the host computes expd"),
    ("+\\v", GRID, {"strict_fp": True}, "under --strict-fp sums are made in their order"),
    ("{⍺÷1+⍵}/v", GRID, {}, "its function is applied to one element after the other"),
    ("(1000⍴v)∊v", GRID, {}, "it looks into a table|it calls aplc_table_near_find"),
    ("⍋¨m⊂v", TWO, {}, "the arrays that a round makes stay in its cache"),
    ("{+\\(⍵>0.3)/⍵}¨m⊂v", TWO, {}, "the arrays that a round makes stay in its cache"),
    ("{⊃⍵[⍋⍵]}¨m⊂v", TWO, {}, "its elements take memory"),
    ("⍕v∘.+v", GRID, {}, "the host computes format"),
    ("x←v ⋄ x[⌈10×v]←v ⋄ x", GRID, {}, "the last one counts"),
    ("{1≥≢⍵:⍵ ⋄ (∇(⍵<⊃⍵)/⍵),(⍵=⊃⍵)/⍵}v", GRID, {}, "it belongs to a function that calls itself"),
]


def reasons(text: str, division: Division, **settings: Any) -> list[str]:
    """Those of all loops without kernels, themselves or around them."""
    given = {"m": np.zeros(5, bool), "v": np.zeros(5)}
    types = {name: as_input(value).type for name, value in given.items()}
    term = to_tail([Source("text", text)], types).term
    options = Options("opencl", division=division, settings=Settings(**settings))
    program, make = to_laila(optimise(term, options), {}, options)
    program = with_own_indices(program, make)
    work = offload(program, make, division).work
    why = HostReasons(program, make, division)
    loops = [loop for loop in Traffic(program, make).loops if id(loop.statement) not in work]
    return [why.of(loop.statement) for loop in loops if kernel_around(loop.around, work) is None]


@pytest.mark.parametrize(("text", "division", "settings", "reason"), CASES, ids=[case[0] for case in CASES])
def test_reasons(text: str, division: Division, settings: dict[str, Any], reason: str) -> None:
    found = reasons(text, division, **settings)
    assert any(part in each for each in found for part in reason.split("|")), found
    assert not any("no kernel has its form" in each for each in found)


def test_what_is_inside_a_kernel() -> None:
    """The scan of each item is no loop of the host: the kernels of the loop over items have it."""
    types = {name: as_input(value).type for name, value in (("m", np.zeros(5, bool)), ("v", np.zeros(5)))}
    term = to_tail([Source("text", "+\\¨m⊂v")], types).term
    program, make = to_laila(optimise(term, Options("opencl")), {}, Options("opencl"))
    program = with_own_indices(program, make)
    work = offload(program, make, on_cpu(DIVISION, 6, 32)).work
    inside = [loop for loop in Traffic(program, make).loops if loop.around]
    assert inside and all(isinstance(kernel_around(loop.around, work), ForEach) for loop in inside)
