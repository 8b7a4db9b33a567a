"""Running programs with kernels: the host is compiled C, which asks for each kernel to be started.

A session is one run. Kernels are started in order; whether one has failed is asked when it has been started,
of those that can fail only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from backends.c_program import Question
from backends.cl_device import Device
from backends.cl_memory import Memory, Separate, Shared
from backends.emit_opencl import ClProgram
from backends.run_native import NativeProgram, OnPrint, Value
from laila.kernels import Kernel
from laila.transfers import CHANGE, DROP, FRESH, READ
from tail.types import Base

SCALARS = {Base.INT: np.int64, Base.DOUBLE: np.float64, Base.BOOL: np.uint8, Base.CHAR: np.uint32}


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
        sizes: dict[int, int] = {}
        for array in inputs:
            sizes[array.ctypes.data] = max(array.nbytes, sizes.get(array.ctypes.data, 0))
        memory = Shared(self.device, sizes) if self.is_shared else Separate(self.device, sizes)
        session = Session(self, memory)
        answers: dict[int, Callable[..., Any]] = {
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
            self.functions.update(self.device.functions(self.kernels.text))
        return self.functions[kernel.name]


def _answered(question: Question, answers: dict[int, Callable[..., Any]]) -> Question:
    """A question that concerns the device, with the function that answers it."""
    answer = answers.get(id(question.prim))
    return question if answer is None else replace(question, prim=replace(question.prim, meaning=answer))


@dataclass
class Session:
    """One run of a program on a device."""

    program: OpenclProgram
    memory: Memory

    def starter(self, kernel: Kernel) -> Callable[..., np.bool_]:
        """The function that starts a kernel: from the number of work-items, arrays and scalars to whether
        something has failed.
        """
        count, device = len(kernel.arrays), self.program.device

        def start(items: Value, *arguments: Value) -> np.bool_:
            addresses = [array.ctypes.data for array in arguments[:count]]
            scalars = [SCALARS[v.ty](x) for v, x in zip(kernel.scalars, arguments[count:], strict=True)]
            with device.lock:
                given = self.memory.given(kernel, addresses)
                failed = [device.mark()] if kernel.may_fail else []
                function = self.program.function(kernel)
                function(device.queue, (int(items),), (1,), *failed, *given, *scalars)
                self.memory.done(kernel, addresses, given)
                return np.bool_(kernel.may_fail and device.is_marked())

        return start

    def answer(self, question: Callable[[int], None]) -> Callable[[Value], tuple[()]]:
        """The function that the host calls to say something about an array."""

        def say(array: Value) -> tuple[()]:
            with self.program.device.lock:
                question(array.ctypes.data)
            return ()

        return say
