"""The target `opencl`: large loops are kernels on a device; the host is C, in threads where that helps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from aplc.backends.c.program import CProgram
from aplc.backends.opencl.device import Device, find_device
from aplc.backends.opencl.emit import ClProgram, emit_opencl
from aplc.backends.opencl.run import OpenclProgram
from aplc.compiler import to_c, to_kernels, to_laila
from aplc.laila.devices.device_mapping import EVERYTHING, Division, on_cpu, on_gpu, without_host
from aplc.laila.ir.loops import Code
from aplc.laila.ir.program import Parameter, Program
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.threads.parallel import in_threads
from aplc.options import Options
from aplc.tail.errors import MachineError
from aplc.tail.passes import timed
from aplc.tail.syntax import Term, body_of
from aplc.tail.types import Nested, Tuple, Type
from aplc.targets import c, openmp


def emit(parameters: tuple[Parameter, ...], code: Code, options: Options) -> CProgram:
    """The C of a host, with threads if a loop of it runs in them."""
    emit_host = openmp.emit if in_threads(code) else c.emit
    return emit_host(parameters, code, options)


def text(program: Program, make: ExprBuilder, options: Options) -> str:
    """The kernels of a Laila program, as if each loop were large enough for one."""
    return to_opencl(program, make, replace(options, division=EVERYTHING))[1].text


def to_opencl(program: Program, make: ExprBuilder, options: Options) -> tuple[CProgram, ClProgram]:
    """The C of the host and the kernels of a Laila program."""
    offloaded = to_kernels(program, make, options)

    def emitted() -> ClProgram:
        return emit_opencl(offloaded.kernels, make, options.division)

    kernels = timed("emit", emitted, options.timed)
    return to_c(offloaded.program, make, options), kernels


def runnable(term: Term, storage: Mapping[str, str], options: Options) -> OpenclProgram:
    """A term for a device."""
    made = _with_kernels(*to_laila(term, storage, options), options)
    return replace(made, parts=tuple(_are_parts(body_of(term).ty)))


def _are_parts(ty: Type, *, inside: bool = False) -> list[bool]:
    """For each flat array of a value whether it is a part of an array of arrays."""
    if isinstance(ty, Tuple):
        inside = inside or isinstance(ty, Nested)
        return [is_part for item in ty.items for is_part in _are_parts(item, inside=inside)]
    return [inside]


def _with_kernels(program: Program, make: ExprBuilder, options: Options) -> OpenclProgram:
    """A Laila program for a device. Its host is C with threads, or without where the compiler has none."""
    device = device_of(options)
    if not options.settings.is_single:
        device.require_doubles()
    division = division_on(device, options)
    host, kernels = to_opencl(program, make, replace(options, division=division))
    try:
        native = c.to_machine(host, options)
    except MachineError:
        if not host.has_threads:
            raise
        in_order = replace(options.division, in_threads=False)
        return _with_kernels(program, make, replace(options, division=in_order))
    return OpenclProgram(
        native, kernels, device, division.shared, options.use_cache, keeps=division.on_device
    )


def device_of(options: Options) -> Device:
    """The device that the options name, or that has the inputs. Raises `MachineError` where there is none."""
    return options.on_device or find_device(options.device)


def division_here(options: Options) -> Division:
    """How work is divided on the device of the options. Raises `MachineError` where there is none."""
    return division_on(device_of(options), options)


def division_on(device: Device, options: Options) -> Division:
    """How work is divided on a device, as far as the options leave that open."""
    division = options.division
    if device.is_cpu:
        division = on_cpu(division, device.units, device.vector)
    else:
        division = on_gpu(division, device.units, looks_back=device.has_long_atomics)
    division = division if options.on_device is None else without_host(division)
    is_shared = division.shared and device.uses_host_memory and not options.settings.is_single
    lanes = min(division.lanes, device.lanes)
    return replace(division, shared=is_shared, lanes=lanes, features=device.features)
