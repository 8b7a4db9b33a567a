"""Python values on their way into a program, and a program's value on its way out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from aplc.backends.native.run import Result
from aplc.backends.opencl.arrays import CL_ARRAYS, UnfitForDevice, device_of, is_cl_array
from aplc.compiled import Compiled
from aplc.inputs import (
    APL_NAME,
    Input,
    UnfitArray,
    UnfitValue,
    Wanted,
    as_numpy,
    as_python,
    from_python,
    input_on_device,
)
from aplc.interchange.other_arrays import column_names
from aplc.interchange.results import given_as, has_nested
from aplc.options import Options
from aplc.tail.display import display
from aplc.tail.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    CallError,
    CompileError,
    Diagnostic,
    MachineError,
    OptionError,
)
from aplc.tail.meaning.core import Value
from aplc.tail.source import Source
from aplc.tail.types import Base, Type, parts_by_name


def text_of(text: object) -> str:
    """A program that is given as a text. Raises `CallError`."""
    if not isinstance(text, str):
        raise CallError(f"a program is a text, and got {type(text).__name__}")
    return str(text)


def show(value: Result, base: Base | None, digits: int) -> None:
    """Print what a program prints: its last line with what ends it, as an interrupt may come in between."""
    print(display(value, chars=base is Base.CHAR, precision=digits) + "\n", end="")


def argument(value: object, what: str, options: Options, wanted: Wanted = lambda: None) -> Input:
    """A Python value as an argument, where `wanted` tells the type of an annotation."""
    if CL_ARRAYS in sys.modules and is_cl_array(value):
        return _on_device(value, what, options)
    try:
        return from_python(value, wanted)
    except UnfitArray as unfit:
        message = f"{what} holds {unfit}, a function needs numbers or single characters"
        raise ArgumentTypeError(Diagnostic("DOMAIN ERROR", message)) from None
    except UnfitValue as unfit:
        raise ArgumentValueError(Diagnostic(unfit.kind, f"{what} {unfit}")) from None
    except MemoryError:
        message = f"no memory for {what} in the order and type in which programs take it"
        raise CompileError(Diagnostic("WS FULL", message)) from None


def require_array(value: object) -> Value:
    """A Python value as NumPy has it, for what is broadcast. Raises what `argument` raises."""
    if CL_ARRAYS in sys.modules and is_cl_array(value):
        raise CallError("a ufunc takes arrays of the host; array.get() brings this one there")
    if isinstance(value, np.ndarray):
        return value
    try:
        return np.asarray(value) if isinstance(value, str | list | tuple) else as_numpy(value)
    except UnfitValue as unfit:
        raise ArgumentValueError(Diagnostic(unfit.kind, f"an argument {unfit}")) from None
    except ValueError as failure:
        raise ArgumentValueError(Diagnostic("DOMAIN ERROR", f"an argument is no array: {failure}")) from None


def _on_device(array: Any, what: str, options: Options) -> Input:
    """An array of PyOpenCL as an argument."""
    try:
        if not options.made_for.own_memory:
            raise UnfitForDevice(
                f"is on a device, the target is {options.target}; array.get() brings it to the host"
            )
        return input_on_device(array, is_single=options.settings.is_single)
    except UnfitForDevice as unfit:
        raise ArgumentValueError(Diagnostic("DOMAIN ERROR", f"{what} {unfit}")) from None


def where_they_are(options: Options, given: Iterable[Input]) -> Options:
    """The options for a program with these inputs: it runs on the device where some of them are."""
    if not options.made_for.own_memory:
        return options
    try:
        device = device_of([part.value for g in given for part in g.flat])
    except UnfitForDevice as unfit:
        raise ArgumentValueError(Diagnostic("DOMAIN ERROR", f"an argument {unfit}")) from None
    if device is None:
        return options
    if options.device.lower() not in device.name.lower():
        raise MachineError(f"the device {options.device} is asked for, and arrays are on {device.name}")
    return replace(options, on_device=device)


def storage_of(name: str, ty: Type, parts: tuple[Input, ...]) -> list[tuple[str, str]]:
    """The dtypes of the flat arrays of an input, by the names of the parameters that they are."""
    return [(part, given.storage) for (part, _), given in zip(parts_by_name(name, ty), parts, strict=True)]


def value_of(compiled: Compiled, inputs: list[Value], to: str) -> Any:
    """The value of a program for its inputs, as Python gets it."""
    if to != "numpy" and has_nested(compiled.type):
        return given_as(to, compiled.type, iter(compiled.runnable.run(inputs, show)), as_python)
    values = [as_python(v, b) for v, b in compiled.shown(compiled.run(inputs, show))]
    return values[0] if values else None


def given_by_name(text: str, inputs: object, arrays: Mapping[str, Any], options: Options) -> dict[str, Input]:
    """All inputs of a program. Of a table it takes the columns that the program uses.

    Raises `CallError`, `OptionError`, and what `argument` raises.
    """
    columns: Mapping[Any, Any] = {}
    if inputs is None:
        inputs = {}
    if not isinstance(inputs, Mapping):
        names = column_names(inputs)
        if names is None:
            raise CallError(
                f"inputs is a mapping from names to arrays, or a table, and got {type(inputs).__name__}; "
                "an input of that name goes into it: inputs={'inputs': …}"
            )
        others = tuple([name for name in names if isinstance(name, str) and name not in arrays])
        columns, inputs = {name: inputs[name] for name in _used(text, others)}, {}  # type: ignore[index]
    for name in (*inputs, *arrays):
        if not isinstance(name, str) or not APL_NAME.fullmatch(name):
            raise OptionError(f"{name!r} is no APL name, so it cannot be that of an input")
        if name in inputs and name in arrays:
            raise OptionError(f"the input {name} is given twice")
    given = {**columns, **inputs, **arrays}
    return {name: argument(value, name, options) for name, value in given.items()}


@lru_cache(256)
def _used(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Which of the names a program uses."""
    from aplc.apl_front.syntax.mentioned import unused_inputs  # noqa: PLC0415 (for tables only)
    from aplc.compiler import parse_files  # noqa: PLC0415 (for tables only)
    from aplc.deep_stack import with_deep_stack  # noqa: PLC0415 (for tables only)

    fit = [name for name in names if APL_NAME.fullmatch(name)]
    unused = unused_inputs(with_deep_stack(lambda: parse_files([Source("text", text)])), fit)
    return tuple([name for name in fit if name not in unused])
