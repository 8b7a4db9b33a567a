"""What Python programs import: `run`, `fn`, `load`, `check`.

Arrays enter without a copy where they are contiguous and of a type that C reads (integers up to 64 bits,
float32, float64, bool); results own their memory. Scalars come back as Python numbers, characters as text
or arrays of single characters. With the target opencl arrays of PyOpenCL go in and come out where they are.
Lists whose rows differ, arrays of objects, and arrays of Awkward Array and Arrow are arrays of arrays:
`docs/interchange.md`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from aplc.apl_front.building.facts import Fact
from aplc.apl_front.typing.report import FunctionReport
from aplc.backends.native.locks import Lock
from aplc.backends.native.python_calls import Gate, seen
from aplc.backends.native.run import Result
from aplc.backends.native.time_limit import limited, seconds_of
from aplc.backends.opencl.arrays import CL_ARRAYS, UnfitForDevice, device_of, is_cl_array
from aplc.checking import check_program
from aplc.compiled import Compiled
from aplc.compiler import claims_of, compile_function, compile_program, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.inputs import (
    APL_NAME,
    Input,
    UnfitArray,
    UnfitValue,
    Wanted,
    as_python,
    decode,
    from_python,
    input_on_device,
)
from aplc.interchange.results import given_as, has_nested, require_form
from aplc.laila.ir.settings import PRECISIONS, Precision, Settings
from aplc.options import MOST_BYTES, MOST_THREADS, Options
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
from aplc.tail.legible import WIDTH, shortened
from aplc.tail.meaning.core import Value
from aplc.tail.regular import open_regular
from aplc.tail.rules import DEFAULTS, Rules, tolerance_of
from aplc.tail.source import Source
from aplc.tail.types import Base, Tuple, Type, base_of, parts_by_name
from aplc.targets import TARGETS, WITH_KERNELS, WITH_THREADS

if TYPE_CHECKING:
    from aplc.backends.opencl.device import Device


TEXT, FLAG, COUNT = str, (bool, np.bool_), (int, np.integer)
OPTION_TYPES: dict[type | tuple[type, ...], str] = {
    TEXT: "a text",
    FLAG: "True or False",
    COUNT: "a whole number",
}


def _options(
    target: str,
    threads: int | None,
    device: str,
    precision: str,
    *,
    strict_fp: bool,
    unsafe: bool,
    check_overflow: bool,
    ct: float,
    files: bool,
    memory_limit: int | None,
    time_limit: float | None,
    to: str,
) -> Options:
    _require(TEXT, target=target, device=device, precision=precision, to=to)
    require_form(to)
    _require(FLAG, strict_fp=strict_fp, unsafe=unsafe, check_overflow=check_overflow, files=files)
    counts = {"threads": threads, "memory_limit": memory_limit}
    _require(COUNT, **{name: count for name, count in counts.items() if count is not None})
    if target not in TARGETS:
        raise OptionError(f"target is one of {', '.join(TARGETS)}, not {target!r}")
    has_kernels = TARGETS[target].kernels
    if threads is not None and not TARGETS[target].threads:
        raise OptionError(f"threads are for the targets {' and '.join(WITH_THREADS)}")
    if threads is not None and not 0 < threads <= MOST_THREADS:
        raise OptionError(f"threads is a number from 1 to {MOST_THREADS}, not {threads!r}")
    if device and not has_kernels:
        raise OptionError(f"device is for the target {' or '.join(WITH_KERNELS)}")
    if precision not in PRECISIONS:
        raise OptionError(f"precision is one of {', '.join(PRECISIONS)}, not {precision!r}")
    if precision == "single" and not has_kernels:
        raise OptionError(f"single precision is for the target {' or '.join(WITH_KERNELS)}")
    if precision == "single" and strict_fp:
        raise OptionError("strict_fp asks for doubles to the last bit, single precision for floats")
    if memory_limit is not None and not 0 <= memory_limit <= MOST_BYTES:
        raise OptionError(f"memory_limit is a number of bytes, not {memory_limit!r}")
    try:
        tolerance = tolerance_of(ct)
    except ValueError as failure:
        raise OptionError(str(failure)) from None
    settings = Settings(
        bool(strict_fp),
        bool(unsafe),
        bool(check_overflow),
        precision="single" if precision == "single" else "double",
    )
    seconds = seconds_of(time_limit)
    return Options(
        target=target,
        settings=settings,
        threads=threads or 0,
        tolerance=tolerance,
        device=device,
        files=files,
        memory_limit=memory_limit,
        time_limit=seconds,
    )


def _source(text: object) -> Source:
    """A program that is given as a text. Raises `CallError`."""
    if not isinstance(text, str):
        raise CallError(f"a program is a text, and got {type(text).__name__}")
    return Source("text", str(text))


def _require(kind: type | tuple[type, ...], **options: object) -> None:
    """Options are of their type: an array is none, it was meant as an input. Raises `CallError`."""
    for name, value in options.items():
        if not isinstance(value, kind):
            raise CallError(
                f"{name} is an option, {OPTION_TYPES[kind]}, and got {type(value).__name__}; "
                f"an input of that name goes into inputs={{{name!r}: …}} of aplc.run"
            )


def _print(value: Result, base: Base | None, digits: int) -> None:
    print(display(value, chars=base is Base.CHAR, precision=digits))


def _input(value: object, what: str, options: Options, wanted: Wanted = lambda: None) -> Input:
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


def _where_they_are(options: Options, given: Iterable[Input]) -> Options:
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


def _storage(name: str, ty: Type, parts: tuple[Input, ...]) -> list[tuple[str, str]]:
    """The dtypes of the flat arrays of an input, by the names of the parameters that they are."""
    return [(part, given.storage) for (part, _), given in zip(parts_by_name(name, ty), parts, strict=True)]


def _value(compiled: Compiled, inputs: list[Value], to: str) -> Any:
    if to != "numpy" and has_nested(compiled.type):
        return given_as(to, compiled.type, iter(compiled.runnable.run(inputs, _print)), as_python)
    values = [as_python(v, b) for v, b in compiled.shown(compiled.run(inputs, _print))]
    return values[0] if values else None


def run(
    text: str,
    *,
    target: str = "c",
    threads: int | None = None,
    device: str = "",
    precision: Precision = "double",
    strict_fp: bool = False,
    unsafe: bool = False,
    check_overflow: bool = False,
    ct: float = DEFAULTS.tolerance,
    files: bool = True,
    memory_limit: int | None = None,
    time_limit: float | None = None,
    to: str = "numpy",
    inputs: Mapping[str, Any] | None = None,
    **arrays: Any,
) -> Any:
    """The value of an APL program, `inputs` and `arrays` being arrays by name; None if it has none.

    A name that is one of the options here goes into `inputs`. The program uses each array that is given.

    What the program prints (`⎕←…`, and values of statements before the last) goes to standard output.
    `threads` is how many the target openmp uses, and the host of the target opencl; None: what OpenMP says,
    one for each processor. `device` is part of the name of the device that the target opencl uses; by default
    a GPU if there is one. With the `precision` single doubles are floats in its kernels, which is all that
    some devices have: results have about six digits, and what is too large for a float is infinite. Integers
    are exact as ever. `strict_fp` makes doubles those of the interpreter to the last bit, `unsafe` leaves out
    the checks at run time, `check_overflow` makes integers that do not fit 64 bits an error. `ct` is ⎕CT
    until the program sets it, 0 for exact comparison. With `files=False` the program may read no file.
    `memory_limit` is how many bytes the arrays that the program makes may take at any time, its value
    included; more is WS FULL. What takes longer than `time_limit` seconds, to compile and to run, is a
    `TimeLimitError`. Arrays of arrays are arrays of Python objects, or with `to="awkward"` or `to="arrow"`
    arrays of these libraries. Raises `CompileError`, `Unsupported`, `RunError`,
    `TimeLimitError`, `MachineError`.

    >>> run("+/⍳10", target="interp")
    55
    """
    options = _options(
        target, threads, device, precision,
        strict_fp=strict_fp, unsafe=unsafe, check_overflow=check_overflow, ct=ct,
        files=files, memory_limit=memory_limit, time_limit=time_limit, to=to,
    )  # fmt: skip
    given = {name: _input(value, name, options) for name, value in _by_name(inputs, arrays).items()}

    def value() -> Any:
        compiled = compile_program(
            [_source(text)],
            {name: g.type for name, g in given.items()},
            {part: storage for name, g in given.items() for part, storage in _storage(name, g.type, g.flat)},
            _where_they_are(options, given.values()),
            value_of_assignment=True,
            all_used=True,
        )
        return _value(compiled, [part.value for g in given.values() for part in g.flat], to)

    return limited(options.time_limit, value)


def _by_name(inputs: Mapping[str, Any] | None, arrays: dict[str, Any]) -> dict[str, Any]:
    """All arrays for a program. Raises `CallError`, `OptionError`."""
    if inputs is None:
        inputs = {}
    if not isinstance(inputs, Mapping):
        raise CallError(
            f"inputs is a mapping from names to arrays, and got {type(inputs).__name__}; "
            "an input of that name goes into it: inputs={'inputs': …}"
        )
    for name in (*inputs, *arrays):
        if not isinstance(name, str) or not APL_NAME.fullmatch(name):
            raise OptionError(f"{name!r} is no APL name, so it cannot be that of an input")
        if name in inputs and name in arrays:
            raise OptionError(f"the input {name} is given twice")
    return {**inputs, **arrays}


_Signature = tuple[tuple[Type, tuple[str, ...]], ...]
"""The types of arguments, with the dtypes of their elements in memory."""


class Function:
    """An APL function as a Python callable: `f(right)` or `f(left, right)`.

    It is compiled for the element types and ranks of its arguments at the first call with them, and then
    kept.
    """

    def __init__(self, sources: list[Source], name: str | None, options: Options, to: str = "numpy") -> None:
        self._sources, self._name, self._options, self._to = sources, name, options, to
        self._claims: tuple[Type, ...] | None = None
        """The types that its annotation gives its arguments, once they have been asked for."""
        self._compiled: dict[tuple[Device | None, _Signature], Compiled] = {}
        """By the types of the arguments, and the device on which they are."""
        self._lock = Lock()
        self._gate = Gate()
        self._in_gate: set[_Signature] = set()
        self.__name__ = name or "function"

    def __call__(self, *args: Any) -> Any:
        """The result for one or two arguments."""
        result = self._gate.call(*args)
        if result is not NotImplemented:
            return result
        return limited(self._options.time_limit, lambda: self._called(*args))

    def _called(self, *args: Any) -> Any:
        """The same for arguments of any kind; for their types it is quicker the next time."""
        if len(args) not in (1, 2):
            raise CallError(f"an APL function takes one or two arguments, got {len(args)}")
        given = [
            _input(a, "an argument", self._options, partial(self._claimed, k, len(args)))
            for k, a in enumerate(args)
        ]
        options = _where_they_are(self._options, given)
        signature = tuple([(g.type, tuple([part.storage for part in g.flat])) for g in given])
        compiled = self._compiled.get((options.on_device, signature))
        if compiled is None:
            compiled = self._specialise(signature, options)
        elif options.on_device is None and signature not in self._in_gate:  # called before: others will come
            self._open_gate(signature, given, compiled)
        return _value(compiled, [part.value for g in given for part in g.flat], self._to)

    def _claimed(self, number: int, count: int) -> Type | None:
        """The type that an annotation gives one of so many arguments."""
        if self._claims is None:
            self._claims = claims_of(self._sources, self._name, self._options)
        return self._claims[number] if len(self._claims) == count else None

    def _specialise(self, signature: _Signature, options: Options) -> Compiled:
        with self._lock:
            compiled = self._compiled.get((options.on_device, signature))
            if compiled is None:
                names = ("⍵",) if len(signature) == 1 else ("⍺", "⍵")
                types = {name: ty for name, (ty, _) in zip(names, signature, strict=True)}
                storage = {
                    part: dtype
                    for name, (ty, dtypes) in zip(names, signature, strict=True)
                    for (part, _), dtype in zip(parts_by_name(name, ty), dtypes, strict=True)
                }
                compiled = compile_function(self._sources, self._name, types, storage, options)
                self._compiled[options.on_device, signature] = compiled
        return compiled

    def _open_gate(self, signature: _Signature, given: list[Input], compiled: Compiled) -> None:
        """From now on arguments like the given ones need not be looked at here."""
        program, is_tuple = compiled.runnable.in_c, isinstance(compiled.type, Tuple)
        with self._lock:
            is_flat = not is_tuple and not any(g.parts for g in given)
            if program is not None and is_flat and signature not in self._in_gate:
                forms = [(seen(base_of(g.type), g.value.dtype), g.value.ndim) for g in given]
                self._gate.add(program, forms, self._options.time_limit)
            self._in_gate.add(signature)

    def __repr__(self) -> str:
        return f"<APL function {self._name or shortened(self._sources[-1].text, WIDTH)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Function, (self._sources, self._name, self._options, self._to)

    def __copy__(self) -> Function:
        return self  # as functions of Python are their own copies

    def __deepcopy__(self, _: object) -> Function:
        return self


def fn(
    text: str,
    *,
    target: str = "c",
    threads: int | None = None,
    device: str = "",
    precision: Precision = "double",
    strict_fp: bool = False,
    unsafe: bool = False,
    check_overflow: bool = False,
    ct: float = DEFAULTS.tolerance,
    files: bool = True,
    memory_limit: int | None = None,
    time_limit: float | None = None,
    to: str = "numpy",
) -> Function:
    """An APL expression or definition that is a function, as a callable on arrays.

    The text may hold several statements; the last one is the function. Errors of the text appear at the
    first call. The options are those of `run`; each call may take `time_limit` seconds.

    >>> fn("+⌿÷≢", target="interp")([1, 2, 6])
    3.0
    """
    options = _options(
        target, threads, device, precision,
        strict_fp=strict_fp, unsafe=unsafe, check_overflow=check_overflow, ct=ct,
        files=files, memory_limit=memory_limit, time_limit=time_limit, to=to,
    )  # fmt: skip
    return Function([_source(text)], None, options, to)


class LoadedProgram:
    """The top-level functions of a file, as attributes."""

    def __init__(self, functions: dict[str, Function]) -> None:
        self._functions = functions

    def __getattr__(self, name: str) -> Function:
        """The function of that name."""
        try:
            return self.__dict__["_functions"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(f"the program has no function {name}") from None

    def __dir__(self) -> list[str]:
        return sorted(self._functions)


def load(
    path: str | os.PathLike[str],
    *,
    target: str = "c",
    threads: int | None = None,
    device: str = "",
    precision: Precision = "double",
    strict_fp: bool = False,
    unsafe: bool = False,
    check_overflow: bool = False,
    ct: float = DEFAULTS.tolerance,
    files: bool = True,
    memory_limit: int | None = None,
    time_limit: float | None = None,
    to: str = "numpy",
) -> LoadedProgram:
    """The functions of an APL file. The file is checked as a whole; its statements are not run.

    The options are those of `run`; checking it may take `time_limit` seconds, and each call. Raises
    `OSError` if it cannot be read, `CompileError` or `Unsupported` if it is wrong.
    """
    with open_regular(path) as file:
        source = decode(file.read(), os.fsdecode(path))
    options = _options(
        target, threads, device, precision,
        strict_fp=strict_fp, unsafe=unsafe, check_overflow=check_overflow, ct=ct,
        files=files, memory_limit=memory_limit, time_limit=time_limit, to=to,
    )  # fmt: skip

    def program() -> LoadedProgram:
        elaborated = with_deep_stack(lambda: to_tail([source], {}, rules=options.rules))
        return LoadedProgram({name: Function([source], name, options, to) for name in elaborated.functions})

    return limited(options.time_limit, program)


@dataclass(frozen=True)
class Report:
    """What `check` found: diagnostics (none if all is well), the types of values in the order of the text,
    and the functions with their annotations or inferred types.
    """

    diagnostics: tuple[Diagnostic, ...]
    types: tuple[Fact, ...]
    functions: tuple[FunctionReport, ...] = ()


def check(text: str, *, files: bool = True) -> Report:
    """Type-check a program without running it; the user's errors are in the report, not raised."""
    found = check_program([_source(text)], {}, rules=Rules(files))
    return Report(found.diagnostics, found.values, found.functions)
