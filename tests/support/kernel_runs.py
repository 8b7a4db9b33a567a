"""What tests of OpenCL share: how work is divided, programs with their kernels, and what they do."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from aplc.compiled import Compiled
from aplc.compiler import compile_program, optimise, to_laila, to_tail
from aplc.inputs import as_input
from aplc.laila.devices.device_mapping import EVERYTHING, Division
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.tail.errors import RunError
from aplc.tail.source import Source
from aplc.targets.opencl import to_opencl

THREE = Division(items=3, least_work=1, least_rows=1)
GRID = replace(THREE, shared=False, grid=128, lanes=0, vector=0)
"""As on a device with memory of its own, where neighbouring work-items do neighbouring indices."""


def compiled(text: str, inputs: Mapping[str, Any], options: Options) -> Compiled:
    given = {name: as_input(np.asarray(value)) for name, value in inputs.items()}
    types = {name: each.type for name, each in given.items()}
    storage = {name: each.storage for name, each in given.items()}
    return compile_program([Source("text", text)], types, storage, options, value_of_assignment=True)


def outcome(text: str, inputs: Mapping[str, Any], options: Options) -> tuple[Any, list[Any]]:
    """The value of a program, or its error, and what it printed."""
    return run(compiled(text, inputs, options), inputs)


def run(program: Compiled, inputs: Mapping[str, Any]) -> tuple[Any, list[Any]]:
    """The value of a compiled program, or its error, and what it printed."""
    printed: list[Any] = []
    given = [as_input(np.asarray(inputs[name])).value for name in program.inputs]
    try:
        values = program.run(given, lambda value, base, digits: printed.append(np.array(value)))
    except RunError as error:
        return str(error.diagnostics[0].render()), printed
    return values, printed


def differs(text: str, options: Options, several: Sequence[Mapping[str, Any]]) -> list[Any]:
    """The inputs, all of one type, with which a compiled program does not do what the interpreter does."""
    program, meaning = [compiled(text, several[0], each) for each in (options, Options("interp"))]
    return [inputs for inputs in several if not same(run(program, inputs), run(meaning, inputs))]


def kernels(text: str, inputs: Mapping[str, Any], division: Division = EVERYTHING, **settings: Any) -> str:
    return host_and_kernels(text, inputs, division, **settings)[1]


def host_and_kernels(
    text: str, inputs: Mapping[str, Any], division: Division = EVERYTHING, **settings: Any
) -> tuple[str, str]:
    given = {name: as_input(np.asarray(value)) for name, value in inputs.items()}
    term = to_tail([Source("text", text)], {name: each.type for name, each in given.items()}).term
    options = Options("opencl", division=division, settings=Settings(**settings))
    storage = {name: each.storage for name, each in given.items()}
    program, make = to_laila(optimise(term, options), storage, options)
    host, device = to_opencl(program, make, options)
    return host.text, device.text


def same(a: Any, b: Any) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype == object:
        return all(map(same, a.flat, b.flat))
    return bool(np.allclose(a, b, 1e-9, 0, equal_nan=True) if a.dtype.kind in "fc" else np.array_equal(a, b))


def near(a: Any, b: Any) -> bool:
    """Whether integers are equal, and doubles nearly so."""
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(near, a, b))
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return bool(
        np.allclose(a, b, 1e-5, 1e-5, equal_nan=True) if a.dtype.kind in "fc" else np.array_equal(a, b)
    )


ONLY_ON_HOSTS = {
    f"aplc_{name}"
    for name in (
        *(
            "factorial",
            "binomial",
            "gcd_near",
            "lcm_near",
            "lowest_near",
            "highest_near",
            "running_max",
            "running_min",
        ),
        *("tile_rows", "tile_columns", "tile_lanes", "round_lanes"),
    )
}
"""Functions that kernels do without."""
