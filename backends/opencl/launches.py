"""What the host of a program with kernels must know to run it: how each kernel is started, and which of the
host's questions concern the device.

All of it is plain data beside the text of the kernels, so a program that was kept is run without the
compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from aplc.tail.types import Base

if TYPE_CHECKING:  # a program that was kept is run without the compiler
    from aplc.backends.c.program import CProgram
    from aplc.laila.devices.kernels import Kernel


@dataclass(frozen=True, slots=True)
class KernelArray:
    """An array that a kernel gets."""

    storage: str
    """The dtype of its elements on the host."""
    length: int
    """The number of its elements where its memory is none of the heap's or the inputs'; else 0."""
    is_written: bool

    @property
    def item_bytes(self) -> int:
        """The size of an element on the host."""
        return np.dtype(self.storage).itemsize


@dataclass(frozen=True, slots=True)
class Launch:
    """How a kernel is started: from the number of work-items along each axis, the arrays, and the scalars."""

    name: str
    axes: int
    arrays: tuple[KernelArray, ...]
    scalars: tuple[Base, ...]
    may_fail: bool
    """Whether it takes, before all else, where it says that a check has failed."""
    group: tuple[int, ...]
    """The sizes of its groups; none where work-items do not need one another."""


class Said(Enum):
    """What the host says of an array that a device with memory of its own may have, too: see
    `aplc.laila.devices.transfers`.
    """

    FRESH = "fresh"
    READ = "read"
    CHANGE = "change"
    DROP = "drop"


Concern = Launch | Said
"""What a question is about that concerns the device."""


@dataclass(frozen=True, slots=True)
class ClProgram:
    """The kernels of a program, and their text, which is built as a whole."""

    text: str
    launches: tuple[Launch, ...] = ()
    is_single: bool = False
    """Whether doubles are floats there."""
    concerns: tuple[Concern | None, ...] = ()
    """What each question of the host is about; None: a primitive answers it."""
    names: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """The identifiers of the text, each with the name in the program that it stands for."""


def launch_of(kernel: Kernel) -> Launch:
    """How a kernel is started."""
    arrays = [
        KernelArray(buffer.storage, length, buffer in kernel.written)
        for buffer, length in zip(kernel.arrays, kernel.lengths, strict=True)
    ]
    scalars = tuple([var.ty for var in kernel.scalars])
    return Launch(kernel.name, len(kernel.items), tuple(arrays), scalars, kernel.may_fail, kernel.group)


def with_concerns(host: CProgram, device: ClProgram, kernels: Sequence[Kernel]) -> tuple[CProgram, ClProgram]:
    """A host and its kernels, in the order of the launches, where each question that concerns the device is
    known by its number, and has no primitive.
    """
    about = _said() | {id(k.launch): each for k, each in zip(kernels, device.launches, strict=True)}
    concerns = tuple([about.get(id(question.prim)) for question in host.questions])
    questions = [
        question if concern is None else replace(question, prim=None)
        for question, concern in zip(host.questions, concerns, strict=True)
    ]
    return replace(host, questions=tuple(questions)), replace(device, concerns=concerns)


def _said() -> dict[int, Concern]:
    """What the host says, by the identity of its question."""
    from aplc.laila.devices import transfers as t  # noqa: PLC0415 (a program that was kept does without)

    pairs: Iterable[tuple[object, Said]] = (
        (t.FRESH, Said.FRESH), (t.READ, Said.READ), (t.CHANGE, Said.CHANGE), (t.DROP, Said.DROP),
    )  # fmt: skip
    return {id(prim): said for prim, said in pairs}
