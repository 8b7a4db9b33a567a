"""What Python programs import: `run`, `fn`, `load`, `check`, `apl`.

Arrays enter without a copy where they are contiguous and of a type that C reads (integers up to 64 bits,
float32, float64, bool); results own their memory. Scalars come back as Python numbers, characters as text
or arrays of single characters. With the target opencl arrays of PyOpenCL go in and come out where they are.
Lists whose rows differ, arrays of objects, and arrays of Awkward Array and Arrow are arrays of arrays:
`docs/interchange.md`.

What is behind is in `aplc.calling`. The compiler is imported where something is compiled.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from aplc.backends.native.time_limit import limited, seconds_of
from aplc.calling.arguments import given_by_name, text_of
from aplc.calling.options import CallOptions, Form, TargetName, options_of
from aplc.calling.running import run_text
from aplc.inputs import decode
from aplc.laila.ir.settings import Precision
from aplc.tail.errors import CallError, Diagnostic
from aplc.tail.regular import open_regular
from aplc.tail.rules import DEFAULTS, Rules
from aplc.tail.source import Source

if TYPE_CHECKING:
    from typing import Unpack

    from aplc.apl_front.building.facts import Fact
    from aplc.apl_front.typing.report import FunctionReport
    from aplc.calling.functions import Function
    from aplc.calling.programs import LoadedProgram


def run(
    text: str,
    *,
    target: TargetName = "c",
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
    to: Form = "numpy",
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
    options = options_of(
        target, threads, device, precision,
        strict_fp=strict_fp, unsafe=unsafe, check_overflow=check_overflow, ct=ct,
        files=files, memory_limit=memory_limit, time_limit=time_limit, to=to,
    )  # fmt: skip
    program = text_of(text)

    def value() -> Any:
        return run_text(program, given_by_name(program, inputs, arrays, options), options, to)

    return limited(options.time_limit, value)


def fn(
    text: str,
    *,
    target: TargetName = "c",
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
    to: Form = "numpy",
) -> Function:
    """An APL expression or definition that is a function, as a callable on arrays.

    The text may hold several statements; the last one is the function. What is wrong with it for arguments
    of every type, its syntax say, is an error at once, other things at the first call. The options are those
    of `run`; each call may take `time_limit` seconds.

    >>> fn("+⌿÷≢", target="interp")([1, 2, 6])
    3.0
    """
    options = options_of(
        target, threads, device, precision,
        strict_fp=strict_fp, unsafe=unsafe, check_overflow=check_overflow, ct=ct,
        files=files, memory_limit=memory_limit, time_limit=time_limit, to=to,
    )  # fmt: skip
    from aplc.calling.functions import Function  # noqa: PLC0415 (`run` of what was kept does without)

    function = Function([Source("text", text_of(text))], None, options, to)
    limited(options.time_limit, function.read)
    return function


@overload
def apl(function: Callable[..., object], /) -> Function: ...
@overload
def apl(**options: Unpack[CallOptions]) -> Callable[[Callable[..., object]], Function]: ...
def apl(function: Callable[..., object] | None = None, /, **options: Unpack[CallOptions]) -> Any:
    """Decorator of a Python function whose docstring is APL: the function that the APL is takes its place.

    It has one parameter or two, `⍵`, or `⍺` and `⍵`, and may be called by their names. Comments in the APL
    above the function are its documentation. `@apl(target="openmp")` has the options of `fn`.

    >>> @apl(target="interp")
    ... def mean(values): "+⌿÷≢"
    >>> mean([1, 2, 6])
    3.0
    """
    if function is None:
        return partial(_decorated, **options)
    return _decorated(function)


def _decorated(function: Callable[..., object], **options: Unpack[CallOptions]) -> Function:
    if isinstance(function, type) or not inspect.isroutine(function):
        raise CallError(f"apl decorates a function of Python, and got {type(function).__name__}")
    name, text = function.__name__, function.__doc__
    parameters = inspect.signature(function).parameters.values()
    plain = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = tuple([each.name for each in parameters])
    if len(names) not in (1, 2) or not all(q.kind in plain and q.default is q.empty for q in parameters):
        raise CallError(f"{name} has one parameter or two, without defaults: an APL function has no others")
    if not text:
        raise CallError(f"{name} has no docstring, which would be its APL")
    made = fn(inspect.cleandoc(text), **options)
    valences = made.read().valences
    if valences and len(names) not in valences:
        takes = " or ".join([("one argument", "two arguments")[n - 1] for n in valences if n])
        raise CallError(f"{name} has {len(names)} parameters, and its APL takes {takes or 'none'}")
    return made.named(name, names, getattr(function, "__module__", None))


def load(
    path: str | os.PathLike[str],
    *,
    target: TargetName = "c",
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
    to: Form = "numpy",
) -> LoadedProgram:
    """The functions of an APL file. The file is checked as a whole; its statements are not run.

    The options are those of `run`; checking it may take `time_limit` seconds, and each call. Raises
    `OSError` if it cannot be read, `CompileError` or `Unsupported` if it is wrong.
    """
    from aplc.calling.programs import loaded  # noqa: PLC0415 (`run` of what was kept does without)

    with open_regular(path) as file:
        source = decode(file.read(), os.fsdecode(path))
    options = options_of(
        target, threads, device, precision,
        strict_fp=strict_fp, unsafe=unsafe, check_overflow=check_overflow, ct=ct,
        files=files, memory_limit=memory_limit, time_limit=time_limit, to=to,
    )  # fmt: skip
    return limited(options.time_limit, lambda: loaded(source, options, to))


@dataclass(frozen=True)
class Report:
    """What `check` found: diagnostics (none if all is well), the types of values in the order of the text,
    and the functions with their annotations or inferred types.
    """

    diagnostics: tuple[Diagnostic, ...]
    types: tuple[Fact, ...]
    functions: tuple[FunctionReport, ...] = ()


def check(
    text: str, *, files: bool = True, time_limit: float | None = None, known: Container[str] = frozenset()
) -> Report:
    """Type-check a program without running it; the user's errors are in the report, not raised.

    Most of the time goes into the types of functions without annotations; those that are `known` from an
    earlier check are not inferred again, and are not in the report. Raises `TimeLimitError` after
    `time_limit` seconds.
    """
    from aplc.checking import check_program  # noqa: PLC0415 (`run` of what was kept does without)

    source, limit = Source("text", text_of(text)), seconds_of(time_limit)
    found = limited(limit, lambda: check_program([source], {}, rules=Rules(files), known=known))
    return Report(found.diagnostics, found.values, found.functions)
