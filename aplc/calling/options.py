"""The options of a call from Python: their types, and what is wrong with them."""

from __future__ import annotations

from typing import Literal, TypedDict

import numpy as np

from aplc.backends.native.time_limit import seconds_of
from aplc.interchange.results import require_form
from aplc.laila.ir.settings import PRECISIONS, Precision, Settings
from aplc.options import MOST_BYTES, MOST_THREADS, Options
from aplc.tail.errors import CallError, OptionError
from aplc.tail.rules import tolerance_of
from aplc.targets import TARGETS, WITH_KERNELS, WITH_THREADS

TargetName = Literal["interp", "c", "openmp", "opencl"]
Form = Literal["numpy", "awkward", "arrow"]

TEXT, FLAG, COUNT = str, (bool, np.bool_), (int, np.integer)
OPTION_TYPES: dict[type | tuple[type, ...], str] = {
    TEXT: "a text",
    FLAG: "True or False",
    COUNT: "a whole number",
}


class CallOptions(TypedDict, total=False):
    """The options of `aplc.fn`, where they are passed on."""

    target: TargetName
    threads: int | None
    device: str
    precision: Precision
    strict_fp: bool
    unsafe: bool
    check_overflow: bool
    ct: float
    files: bool
    memory_limit: int | None
    time_limit: float | None
    to: Form


def options_of(
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
    """What a user asks for. Raises `CallError`, `OptionError`, `MachineError`."""
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
        keeps_storage=True,
    )


def _require(kind: type | tuple[type, ...], **options: object) -> None:
    """Options are of their type: an array is none, it was meant as an input. Raises `CallError`."""
    for name, value in options.items():
        if not isinstance(value, kind):
            raise CallError(
                f"{name} is an option, {OPTION_TYPES[kind]}, and got {type(value).__name__}; "
                f"an input of that name goes into inputs={{{name!r}: …}} of aplc.run"
            )
