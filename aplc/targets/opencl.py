"""The target `opencl`: large loops are kernels on a device; the host is C, in threads where that helps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from aplc.backends.c.program import CProgram
from aplc.backends.opencl.device import Device
from aplc.backends.opencl.emit import emit_opencl
from aplc.backends.opencl.launches import ClProgram, with_concerns
from aplc.backends.opencl.run import OpenclProgram
from aplc.compiler import loops_of, to_c, to_kernels, to_laila
from aplc.laila.devices.beside_threads import sooner_in_threads
from aplc.laila.devices.device_mapping import EVERYTHING, Division
from aplc.laila.ir.loops import Code
from aplc.laila.ir.program import Parameter, Program
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.threads.parallel import in_threads
from aplc.options import Options
from aplc.tail.errors import MachineError
from aplc.tail.passes import timed
from aplc.tail.syntax import Term, body_of
from aplc.tail.types import Nested, Records, Tuple, Type
from aplc.targets import c, openmp
from aplc.targets.devices import device_of, division_here, division_on, in_threads_alone

__all__ = ["division_here", "emit", "runnable", "text", "to_opencl"]


def emit(parameters: tuple[Parameter, ...], code: Code, options: Options) -> CProgram:
    """The C of a host, with threads if something of it runs in them."""
    emit_host = openmp.emit if options.division.in_threads and in_threads(code) else c.emit
    return emit_host(parameters, code, options)


def text(program: Program, make: ExprBuilder, options: Options) -> str:
    """The kernels of a Laila program, as if each loop were large enough for one."""
    return to_opencl(program, make, replace(options, division=EVERYTHING))[1].text


def to_opencl(
    program: Program, make: ExprBuilder, options: Options, *, alone: bool = False
) -> tuple[CProgram, ClProgram]:
    """The C of the host and the kernels of a Laila program; `alone` is that of `emit_opencl`."""
    offloaded = to_kernels(program, make, options)

    def emitted() -> ClProgram:
        return emit_opencl(offloaded.kernels, make, options.division, alone=alone)

    kernels = timed("emit", emitted, options.timed)
    return with_concerns(to_c(offloaded.program, make, options), kernels, offloaded.kernels)


def sooner_of(
    term: Term, storage: Mapping[str, str], options: Options, division: Division, made: Callable[[], Program]
) -> str:
    """What the threads of the host do sooner than kernels, in the loops of a term, or of the program that
    passes have `made` of it, which is asked where those do not tell; empty where that is nothing.
    """
    before = sooner_in_threads(loops_of(term, storage, options), options.settings, division)
    return before or sooner_in_threads(made(), options.settings, division)


def runnable(term: Term, storage: Mapping[str, str], options: Options) -> OpenclProgram:
    """A term for a device."""
    device = device_of(options)
    in_laila = cache(lambda: to_laila(term, storage, options))
    sooner = sooner_of(term, storage, options, division_on(device, options), lambda: in_laila()[0])
    made = _without_kernels(term, storage, options, device) if sooner else None
    made = made or _with_kernels(*in_laila(), options)
    return replace(made, parts=tuple(_are_parts(body_of(term).ty)))


def _are_parts(ty: Type, *, inside: bool = False) -> list[bool]:
    """For each flat array of a value whether it is a part of an array of arrays."""
    if isinstance(ty, Tuple):
        inside = inside or isinstance(ty, Nested | Records)
        return [is_part for item in ty.items for is_part in _are_parts(item, inside=inside)]
    return [inside]


def _without_kernels(
    term: Term, storage: Mapping[str, str], options: Options, device: Device
) -> OpenclProgram | None:
    """A term for the threads of the host, all of it; None where the compiler has none."""
    try:
        native = c.runnable(term, storage, in_threads_alone(options))
    except MachineError:
        return None
    _, kernels = with_concerns(native.program, ClProgram(""), ())
    return OpenclProgram(native, kernels, device, is_shared=True, use_cache=options.use_cache)


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
