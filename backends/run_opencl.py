"""Running programs with kernels: the host is compiled C, which asks for each kernel to be started.

A session is one run. On a device that shares its memory with the host, buffers are the host's own memory and
a kernel is done when its start returns.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from backends.c_program import Question
from backends.cl_device import Device
from backends.emit_opencl import ClProgram
from backends.run_native import NativeProgram, OnPrint, Value
from laila.kernels import Kernel
from laila.scalar import Buffer
from tail.types import Base

SCALARS = {Base.INT: np.int64, Base.DOUBLE: np.float64, Base.BOOL: np.uint8, Base.CHAR: np.uint32}


@dataclass(frozen=True)
class OpenclProgram:
    """A compiled host with its kernels. `run` may be called from several threads at once."""

    native: NativeProgram
    kernels: ClProgram
    device: Device
    functions: dict[str, Any] = field(default_factory=dict)
    """The kernels, built when the first of them is started."""

    def run(self, inputs: Sequence[Value], on_print: OnPrint) -> tuple[Value, ...]:
        """The results for the given inputs, as `NativeProgram.run` has them."""
        session = Session(self, {a.ctypes.data: a.nbytes for a in inputs})
        starts = {id(kernel.launch): session.starter(kernel) for kernel in self.kernels.kernels}
        questions = [_answered(q, starts) for q in self.native.program.questions]
        program = replace(self.native.program, questions=tuple(questions))
        return replace(self.native, program=program).run(inputs, on_print)

    def function(self, kernel: Kernel) -> Any:
        """A kernel as the driver has it; the device's lock is held."""
        if not self.functions:
            self.functions.update(self.device.functions(self.kernels.text))
        return self.functions[kernel.name]


def _answered(question: Question, starts: dict[int, Callable[..., np.bool_]]) -> Question:
    """A question that starts a kernel, with the function that does so."""
    start = starts.get(id(question.prim))
    return question if start is None else replace(question, prim=replace(question.prim, meaning=start))


@cache
def _usable() -> Callable[[int], int]:
    """The size of memory of the heap, by its address."""
    usable = ctypes.CDLL(None).malloc_usable_size
    usable.argtypes, usable.restype = [ctypes.c_void_p], ctypes.c_size_t
    return usable


@dataclass
class Session:
    """One run of a program on a device."""

    program: OpenclProgram
    inputs: dict[int, int]
    """The addresses of inputs, with their sizes."""

    def starter(self, kernel: Kernel) -> Callable[..., np.bool_]:
        """The function that starts a kernel: from the number of work-items, arrays and scalars to whether
        something has failed.
        """

        def start(items: Value, *arguments: Value) -> np.bool_:
            device = self.program.device
            cl = device.cl
            count = len(kernel.arrays)
            failed = np.zeros(1, np.int32)
            flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
            given: list[Any] = []
            if kernel.may_fail:
                given.append(cl.Buffer(device.context, flags, hostbuf=failed))
            for buffer, length, array in zip(kernel.arrays, kernel.lengths, arguments[:count], strict=True):
                given.append(self.memory(buffer, length, array.ctypes.data, flags))
            for var, value in zip(kernel.scalars, arguments[count:], strict=True):
                given.append(SCALARS[var.ty](value))
            with device.lock:
                function = self.program.function(kernel)
                function(device.queue, (int(items),), (1,), *given)
                device.queue.finish()
            return np.bool_(failed[0] != 0)

        return start

    def memory(self, buffer: Buffer, length: int, address: int, flags: int) -> Any:
        """The device's view of an array of the host."""
        size = length * np.dtype(buffer.storage).itemsize
        if not length:
            size = self.inputs.get(address) or _usable()(address)
        view = (ctypes.c_char * size).from_address(address)
        device = self.program.device
        return device.cl.Buffer(device.context, flags, hostbuf=view)
