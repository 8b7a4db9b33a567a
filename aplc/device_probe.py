"""What `aplc doctor` asks OpenCL, in a process of its own: a broken driver may end it, or never answer.

    python -m aplc.device_probe                  the devices: a list of objects, as JSON
    python -m aplc.device_probe NAME single      what one can do: an object, as JSON

What a device lacks is said in the object's `lack`. Figures are those of the fastest run of a few.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from aplc.backends.opencl.arrays import on_device
from aplc.backends.opencl.device import Device, device_of_queue, find_device
from aplc.compiled import Compiled
from aplc.compiler import compile_function
from aplc.explain.report import Explanation, explain_function
from aplc.inputs import as_input
from aplc.laila.devices.device_mapping import DIVISION
from aplc.laila.ir.scalar import Const
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.tail.errors import InternalError, MachineError
from aplc.tail.source import Source
from aplc.targets.devices import division_on
from aplc.timing import least_seconds

PROGRAM = Source("doctor", "measured ← {+/÷1+⍵×⍵}")
"""A loop as programs have them: a few operations on each element, read once."""

SHORT, LONG = 1000, 1 << 21
RUNS = 20
COPIED = 1 << 25
NEVER = 1 << 62
"""More operations than any loop has."""
NOTHING = "kernel void nothing(global int *x) { if (x[0] == 1) { x[0] = 0; } }"


def devices() -> list[dict[str, Any]]:
    """The devices of all drivers. Raises `MachineError` without PyOpenCL or a driver."""
    find_device()
    cl = importlib.import_module("pyopencl")
    return [_described(cl, each) for platform in cl.get_platforms() for each in platform.get_devices()]


def _described(cl: Any, device: Any) -> dict[str, Any]:
    return {
        "name": str(device.name).strip(),
        "driver": f"{device.platform.name.strip()}, {device.platform.version.strip()}",
        "is_processor": bool(device.type & cl.device_type.CPU),
        "units": int(device.max_compute_units),
        "memory": int(device.global_mem_size),
        "largest_array": int(device.max_mem_alloc_size),
        "has_doubles": bool(device.double_fp_config),
    }


def measured(name: str, *, is_single: bool) -> dict[str, Any]:
    """What the device of a name can do, and from how many operations on a loop is done there, and is done
    sooner there.
    """
    device = find_device(name)
    try:
        device.require_linker()
        found: dict[str, Any] = {"start": _start(device), "uses_host_memory": device.uses_host_memory}
        if not device.uses_host_memory:
            found |= _copying(device)
        return found | _break_even(device, is_single=is_single)
    except MachineError as lacking:
        return {"lack": str(lacking)}
    except InternalError as failure:
        return {"lack": f"a driver that builds kernels: {str(failure).splitlines()[0]}"}


def _start(device: Device) -> float:
    """Seconds from the start of a kernel that does nothing to its end."""
    function = device.functions(NOTHING, ["nothing"])["nothing"]
    function.set_arg(0, device.failed)

    def once() -> None:
        device.start(function, (1,), (1,))
        device.queue.finish()

    return least_seconds(once, 100)


def _copying(device: Device) -> dict[str, float]:
    """Bytes a second to the device, and back."""
    cl, size = device.cl, min(COPIED, int(device.device.max_mem_alloc_size) // 4)
    host, memory = np.ones(size, np.uint8), device.pool.allocate(size)

    def rate(target: Any, source: Any) -> float:
        return size / least_seconds(
            lambda: cl.enqueue_copy(device.queue, target, source, is_blocking=True), RUNS
        )

    return {"copies_there": rate(memory, host), "copies_back": rate(host, memory)}


# --- when a device is sooner done -----------------------------------------------------------------------


def _break_even(device: Device, *, is_single: bool) -> dict[str, Any]:
    """From how many operations on a loop goes to the device. What it takes in the threads of the host, and on
    the device for arrays of the host and for those that are there: seconds whatever there is to do, seconds
    an operation, and from how many operations on it is faster than the host, None where it never is.
    """
    settings = Settings(precision="single" if is_single else "double")
    always, never = [replace(DIVISION, least_work=least, least_rows=1) for least in (1, NEVER)]
    there = Options("opencl", device=device.name, settings=settings, division=always)
    here = replace(there, division=never)
    values = [np.full(size, 1.5, np.float32 if is_single else np.float64) for size in (SHORT, LONG)]
    work = _work(values, there)
    on_host = _compiled(values[0], here)
    host = _line(on_host, values, work)
    first = _line(_compiled(values[0], there), values, work)
    native = on_host.runnable.in_c
    usual = replace(DIVISION, in_threads=native is not None and native.program.has_threads)
    least = division_on(device, replace(there, division=usual)).least_work
    result = {"least_work": least, "host": host, "device": first, "break_even": _crossing(host, first)}
    if not device.uses_host_memory:
        own = device_of_queue(device.queue)
        stay = [on_device(own, _uploaded(own, value), value.shape, value.dtype) for value in values]
        second = _line(_compiled(values[0], replace(there, on_device=own)), stay, work)
        result |= {"device_there": second, "break_even_there": _crossing(host, second)}
    return result


def _uploaded(device: Device, value: Any) -> Any:
    flags = device.cl.mem_flags.READ_WRITE | device.cl.mem_flags.COPY_HOST_PTR
    return device.cl.Buffer(device.context, flags, hostbuf=value)


def _compiled(value: Any, options: Options) -> Compiled:
    given = as_input(value)
    return compile_function([PROGRAM], "measured", {"⍵": given.type}, {"⍵": given.storage}, options)


def _work(values: Sequence[Any], options: Options) -> list[int]:
    """The operations of the loop for these arguments, as the compiler counts them."""
    return [_operations(explain_function([PROGRAM], "measured", {"⍵": as_input(v)}, options)) for v in values]


def _operations(told: Explanation) -> int:
    assert told.device is not None
    (work,) = [told.traffic.resolved(each, told.lengths) for each in told.device.work.values()]
    assert isinstance(work, Const)
    return int(work.value)


def _line(program: Compiled, values: Sequence[Any], work: Sequence[int]) -> tuple[float, float]:
    """The seconds of a run whatever there is to do, and those of an operation."""
    short, long = [least_seconds(lambda: program.run([value], lambda *_: None), RUNS) for value in values]  # noqa: B023
    each = max(0.0, (long - short) / (work[1] - work[0]))
    return max(0.0, short - each * work[0]), each


def _crossing(host: tuple[float, float], device: tuple[float, float]) -> int | None:
    """Where the second line goes below the first."""
    if device[1] >= host[1]:
        return None
    return max(0, round((device[0] - host[0]) / (host[1] - device[1])))


def main(arguments: Sequence[str]) -> None:
    """Print the answer, an error as an object with `lack`."""
    try:
        found: Any = measured(arguments[0], is_single=arguments[1:] == ["single"]) if arguments else devices()
    except MachineError as lacking:
        found = {"lack": str(lacking)}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
