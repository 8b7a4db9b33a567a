"""Running programs with kernels: the host is compiled C, which asks for each kernel to be started.

A session is one run. Kernels are started in order; whether one has failed is asked when it has been started,
of those that can fail only.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from aplc.backends.native.arrays import address_of
from aplc.backends.native.run import ByAddress, NativeProgram, OnPrint, Value
from aplc.backends.opencl.arrays import OnDevice
from aplc.backends.opencl.device import Device, same_process
from aplc.backends.opencl.launches import ClProgram, Launch, Said
from aplc.backends.opencl.memory import NARROWED, Memory, Separate, Shared, TooLarge
from aplc.laila.devices.device_mapping import GROUP
from aplc.tail.types import Base

SCALARS = {base: np.dtype(np.uint8 if base is Base.BOOL else base.dtype) for base in Base}
"""As what a kernel gets a scalar, which the host holds in as many bytes."""


class _Wide(ctypes.Structure):
    """The bits of a complex number."""

    _fields_ = (("low", ctypes.c_uint64), ("high", ctypes.c_uint64))

    @property
    def value(self) -> int:
        """As one number."""
        halves = (self.low, self.high) if sys.byteorder == "little" else (self.high, self.low)
        return int(halves[0]) | int(halves[1]) << 64


CELLS = {1: ctypes.c_uint8, 4: ctypes.c_uint32, 8: ctypes.c_uint64, 16: _Wide}
"""By which the bits of scalars of so many bytes are read."""


@dataclass(frozen=True)
class OpenclProgram:
    """A compiled host with its kernels. `run` may be called from several threads at once."""

    native: NativeProgram
    kernels: ClProgram
    device: Device
    is_shared: bool
    """Whether the device uses the host's memory."""
    use_cache: bool = True
    keeps: bool = False
    """Whether results stay on the device."""
    parts: tuple[bool, ...] = ()
    """Which of the results are parts of arrays of arrays, and never stay there."""
    functions: dict[str, Any] = field(default_factory=dict)
    """The kernels, built when the first of them is started."""
    sessions: dict[str, Session] = field(default_factory=dict)
    """Whose arguments kernels have, by name."""

    def run(self, inputs: Sequence[Value], on_print: OnPrint) -> tuple[Value, ...]:
        """The results for the given inputs, as `NativeProgram.run` has them; where they stay on the device
        they are `OnDevice`, but for scalars and characters.
        """
        same_process()
        sizes: dict[int, int] = {}
        for array in inputs:
            address = address_of(array)
            sizes[address] = max(array.nbytes, sizes.get(address, 0))
        kind = Shared if self.is_shared else Separate
        memory = kind(self.device, sizes, self.kernels.is_single)
        if isinstance(memory, Separate):
            for array in inputs:
                if isinstance(array, OnDevice):
                    memory.hold(array)
        session = Session(self, memory)
        try:
            results = self.native.run(inputs, on_print, session.answer)
            if self.keeps and isinstance(memory, Separate):
                with self.device.lock:
                    results = tuple(
                        [
                            memory.result(result, is_part=is_part)
                            for result, is_part in zip(results, self.parts, strict=True)
                        ]
                    )
            return results
        finally:
            session.end()

    @property
    def in_c(self) -> NativeProgram | None:
        """The host alone, for runs without kernels, unless results stay on the device."""
        return None if self.keeps else self.native

    def function(self, kernel: Launch) -> Any:
        """A kernel as the driver has it; the device's lock is held."""
        if not self.functions:
            names = [each.name for each in self.kernels.launches]
            found = self.device.functions(self.kernels.text, names, use_cache=self.use_cache)
            self.functions.update(found)
        return self.functions[kernel.name]


@dataclass(eq=False)
class Session:
    """One run of a program on a device."""

    program: OpenclProgram
    memory: Memory
    given: dict[str, list[Any]] = field(default_factory=dict)
    """The arguments that kernels have been given, by name: arrays, and scalars as their bits."""
    answers: dict[int, ByAddress | None] = field(default_factory=dict)
    """What has been asked in this run is answered so, by the number of the question."""

    def answer(self, number: int) -> ByAddress | None:
        """What answers a question, if it concerns the device."""
        if number not in self.answers:
            match self.program.kernels.concerns[number]:
                case None:
                    self.answers[number] = None
                case Launch() as kernel:
                    self.answers[number] = self.starter(kernel)
                case Said() as said:
                    self.answers[number] = self.teller(said)
        return self.answers[number]

    def starter(self, kernel: Launch) -> ByAddress:
        """What starts a kernel: from the number of work-items, arrays and scalars to whether something has
        failed.
        """
        axes, program, device = kernel.axes, self.program, self.program.device
        first = axes + len(kernel.arrays)
        cells: list[Any] = [CELLS[ty.item_bytes] for ty in kernel.scalars]
        failed, is_cpu = [device.failed] if kernel.may_fail else [], device.is_cpu
        known: dict[int, Any] = {}  # in a loop the host's numbers stay where they are

        def start(arguments: list[int | None]) -> bool:
            items = tuple([ctypes.c_int64.from_address(each or 0).value for each in arguments[:axes]])
            addresses = [each or 0 for each in arguments[axes:first]]
            scalars: list[int] = []
            for cell, each in zip(cells, arguments[first:], strict=True):
                address = each or 0
                if (number := known.get(address)) is None:
                    number = known[address] = cell.from_address(address)
                scalars.append(number.value)
            in_groups = items[0] % GROUP == 0 and not is_cpu
            group = kernel.group or (GROUP if in_groups else 1, *[1] * (axes - 1))
            with device.lock:
                try:
                    arrays = self.memory.given(kernel, addresses)
                except TooLarge:
                    return True
                function = program.function(kernel)
                self.give(kernel, function, [*failed, *arrays], scalars)
                try:
                    device.start(function, items, group)
                    self.memory.done(kernel, addresses, arrays)
                except device.cl.MemoryError:
                    raise self.memory.no_room() from None
                except BaseException:  # an interrupt: the host is about to free what the kernel writes
                    device.queue.finish()
                    raise
                return kernel.may_fail and device.has_failed()

        return start

    def give(self, kernel: Launch, function: Any, arrays: Sequence[Any], scalars: Sequence[int]) -> None:
        """The arguments of a kernel: those that it does not have since it was started last in this run."""
        if self.program.sessions.get(kernel.name) is not self:  # no kernel has arguments of ours
            self.program.sessions[kernel.name] = self
            self.given.pop(kernel.name, None)
        before = self.given.setdefault(kernel.name, [None] * (len(arrays) + len(scalars)))
        for k, array in enumerate(arrays):
            if before[k] is not array:
                function.set_arg(k, array)
                before[k] = array
        give = getattr(function, "_set_arg_buf", function.set_arg)  # without what that tries first, for 7 µs
        for k, (ty, value) in enumerate(zip(kernel.scalars, scalars, strict=True), len(arrays)):
            if before[k] != value:
                give(k, self.scalar(ty, value))
                before[k] = value

    def scalar(self, ty: Base, value: int) -> Any:
        """A scalar of the host, given as the number that its bits are, as a kernel gets it."""
        dtype = SCALARS[ty]
        (scalar,) = np.frombuffer(value.to_bytes(dtype.itemsize, sys.byteorder), dtype)
        narrow = NARROWED.get(scalar.dtype.name) if self.program.kernels.is_single else None
        return scalar if narrow is None else narrow.type(scalar)

    def end(self) -> None:
        """The arguments are nobody's, and the memory of arrays may be used for others."""
        with self.program.device.lock:
            for name in self.given:
                if self.program.sessions.get(name) is self:
                    del self.program.sessions[name]

    def teller(self, said: Said) -> ByAddress:
        """What the host says about an array, if it has memory."""
        memory = self.memory
        about = {
            Said.FRESH: memory.fresh,
            Said.READ: memory.read,
            Said.CHANGE: memory.change,
            Said.DROP: memory.drop,
        }[said]

        def say(arguments: list[int | None]) -> None:
            (address,) = arguments
            with self.program.device.lock:
                if address is not None:
                    about(address)

        return say
