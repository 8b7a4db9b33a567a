"""Running programs with kernels: the host is compiled C, which asks for each kernel to be started.

A session is one run. Kernels are started in order; whether one has failed is asked when it has been started,
of those that can fail only.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from backends.c_program import Question
from backends.cl_device import Device, same_process
from backends.cl_memory import Memory, Separate, Shared
from backends.emit_opencl import ClProgram
from backends.run_native import ByAddress, NativeProgram, OnPrint, Value
from laila.kernels import GROUP, Kernel
from laila.transfers import CHANGE, DROP, FRESH, READ
from tail.types import Base

SCALARS: dict[Base, tuple[Any, Any]] = {
    Base.INT: (ctypes.c_int64, np.int64),
    Base.DOUBLE: (ctypes.c_double, np.float64),
    Base.BOOL: (ctypes.c_uint8, np.uint8),
    Base.CHAR: (ctypes.c_uint32, np.uint32),
}
"""How the host holds a scalar, and as what a kernel gets it."""


@dataclass(frozen=True)
class OpenclProgram:
    """A compiled host with its kernels. `run` may be called from several threads at once."""

    native: NativeProgram
    kernels: ClProgram
    device: Device
    is_shared: bool
    """Whether the device uses the host's memory."""
    functions: dict[str, Any] = field(default_factory=dict)
    """The kernels, built when the first of them is started."""

    def run(self, inputs: Sequence[Value], on_print: OnPrint) -> tuple[Value, ...]:
        """The results for the given inputs, as `NativeProgram.run` has them."""
        same_process()
        sizes: dict[int, int] = {}
        for array in inputs:
            sizes[array.ctypes.data] = max(array.nbytes, sizes.get(array.ctypes.data, 0))
        memory = Shared(self.device, sizes) if self.is_shared else Separate(self.device, sizes)
        session = Session(self, memory)
        answers: dict[int, ByAddress] = {
            id(kernel.launch): session.starter(kernel) for kernel in self.kernels.kernels
        }
        about = {FRESH: memory.fresh, READ: memory.read, CHANGE: memory.change, DROP: memory.drop}
        answers |= {id(prim): session.answer(told) for prim, told in about.items()}
        questions = [_answered(q, answers) for q in self.native.program.questions]
        program = replace(self.native.program, questions=tuple(questions))
        return replace(self.native, program=program).run(inputs, on_print)

    def function(self, kernel: Kernel) -> Any:
        """A kernel as the driver has it; the device's lock is held."""
        if not self.functions:
            names = [each.name for each in self.kernels.kernels]
            self.functions.update(self.device.functions(self.kernels.text, names))
        return self.functions[kernel.name]


def _answered(question: Question, answers: dict[int, ByAddress]) -> Question:
    """A question that concerns the device, with the function that answers it."""
    answer = answers.get(id(question.prim))
    return question if answer is None else replace(question, prim=replace(question.prim, meaning=answer))


@dataclass
class Session:
    """One run of a program on a device."""

    program: OpenclProgram
    memory: Memory

    def starter(self, kernel: Kernel) -> ByAddress:
        """What starts a kernel: from the number of work-items, arrays and scalars to whether something has
        failed.
        """
        axes, device = len(kernel.items), self.program.device
        first = axes + len(kernel.arrays)
        types = [SCALARS[var.ty] for var in kernel.scalars]

        def start(arguments: list[int | None]) -> np.bool_:
            items = tuple([ctypes.c_int64.from_address(each or 0).value for each in arguments[:axes]])
            addresses = [each or 0 for each in arguments[axes:first]]
            scalars = [
                kind(held.from_address(each or 0).value)
                for (held, kind), each in zip(types, arguments[first:], strict=True)
            ]
            in_groups = items[0] % GROUP == 0 and not device.is_cpu
            group = kernel.group or (GROUP if in_groups else 1, *[1] * (axes - 1))
            with device.lock:
                given = self.memory.given(kernel, addresses)
                failed = [device.failed] if kernel.may_fail else []
                function = self.program.function(kernel)
                function(device.queue, items, group, *failed, *given, *scalars)
                self.memory.done(kernel, addresses, given)
                return np.bool_(kernel.may_fail and device.has_failed())

        return ByAddress(start)

    def answer(self, about: Callable[[int], None]) -> ByAddress:
        """What the host says about an array, if it has memory."""

        def say(arguments: list[int | None]) -> tuple[()]:
            (address,) = arguments
            with self.program.device.lock:
                if address is not None:
                    about(address)
            return ()

        return ByAddress(say)
