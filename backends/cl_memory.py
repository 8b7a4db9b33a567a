"""Arrays of the host in the memory of a device.

    Shared    the processor as a device: arrays stay where they are
    Separate  a device with memory of its own: arrays are copied when the other side needs what is newer

Both say what a kernel gets for an array, and what follows when it is done. Addresses stand for arrays: memory
changes hands on the host, and what the device has of it goes along.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from backends.cl_device import Device
from laila.kernels import Kernel
from laila.scalar import Buffer
from tail.errors import MachineError

MEGABYTE = 1 << 20


@cache
def _usable() -> Callable[[int], int]:
    """The size of memory of the heap, by its address."""
    usable = ctypes.CDLL(None).malloc_usable_size
    usable.argtypes, usable.restype = [ctypes.c_void_p], ctypes.c_size_t
    return usable


def view_of(address: int, size: int) -> Any:
    """The bytes at an address."""
    return (ctypes.c_char * size).from_address(address)


@dataclass
class Memory:
    """The arrays of one run."""

    device: Device
    inputs: dict[int, int]
    """The addresses of inputs, with their sizes."""

    def size(self, buffer: Buffer, length: int, address: int) -> int:
        """The bytes of an array; `length` is 0 where it is on the heap or an input. Never 0."""
        known = length * np.dtype(buffer.storage).itemsize or self.inputs.get(address)
        return max(1, _usable()(address) if known is None else known)

    def given(self, kernel: Kernel, addresses: Sequence[int]) -> list[Any]:
        """What a kernel gets for its arrays."""
        raise NotImplementedError

    def done(self, kernel: Kernel, addresses: Sequence[int], given: Sequence[Any]) -> None:
        """The kernel has been started."""

    def fresh(self, address: int) -> None:
        """Nothing is in this memory yet."""

    def read(self, address: int) -> None:
        """The host is about to read it."""

    def change(self, address: int) -> None:
        """The host is about to write it."""

    def drop(self, address: int) -> None:
        """It is about to be freed."""


@dataclass
class Shared(Memory):
    """Arrays of the host as they are; a kernel is done before the host goes on."""

    views: dict[tuple[int, int], Any] = field(default_factory=dict)
    """The device's views of memory, by address and size: the two arrays of a loop have one each."""

    def given(self, kernel: Kernel, addresses: Sequence[int]) -> list[Any]:
        """The device's views of the arrays."""
        return [
            self.view(address, self.size(buffer, length, address))
            for buffer, length, address in zip(kernel.arrays, kernel.lengths, addresses, strict=True)
        ]

    def view(self, address: int, size: int) -> Any:
        """The device's view of so many bytes of the host's."""
        if (address, size) not in self.views:
            flags = self.device.cl.mem_flags
            use = flags.READ_WRITE | flags.USE_HOST_PTR
            view = self.device.cl.Buffer(self.device.context, use, hostbuf=view_of(address, size))
            self.views[address, size] = view
        return self.views[address, size]

    def done(self, kernel: Kernel, addresses: Sequence[int], given: Sequence[Any]) -> None:
        """The host may free or change its arrays from now on."""
        del kernel, addresses, given
        self.device.queue.finish()


@dataclass
class Copy:
    """What a device has of an array, and which of the two is right."""

    memory: Any
    size: int
    on_host: bool
    on_device: bool


@dataclass
class Separate(Memory):
    """Copies of arrays on the device, made when they are needed."""

    copies: dict[int, Copy] = field(default_factory=dict)

    def given(self, kernel: Kernel, addresses: Sequence[int]) -> list[Any]:
        """The copies, with what is newer on the host."""
        result: list[Any] = []
        for buffer, length, address in zip(kernel.arrays, kernel.lengths, addresses, strict=True):
            if length:  # on the host's stack, or a table: small, and not followed
                self.copies.pop(address, None)
            size = self.size(buffer, length, address)
            copy = self.copies.get(address)
            if copy is None or copy.size != size:
                copy = self.copies[address] = Copy(None, size, on_host=True, on_device=False)
            if copy.memory is None:
                copy.memory = self.allocate(size)
            if copy.on_host and not copy.on_device:
                self.transfer(copy.memory, view_of(address, size))
                copy.on_device = True
            result.append(copy.memory)
        return result

    def done(self, kernel: Kernel, addresses: Sequence[int], given: Sequence[Any]) -> None:
        """What the kernel writes is newer on the device."""
        del given
        for buffer, length, address in zip(kernel.arrays, kernel.lengths, addresses, strict=True):
            if buffer in kernel.written:
                copy = self.copies[address]
                copy.on_device, copy.on_host = True, False
                if length:
                    self.read(address)

    def fresh(self, address: int) -> None:
        """Nothing is in this memory yet, on either side."""
        self.copies[address] = Copy(None, max(1, _usable()(address)), on_host=False, on_device=False)

    def read(self, address: int) -> None:
        """What a kernel has written comes to the host."""
        copy = self.copies.get(address)
        if copy is not None and copy.on_device and not copy.on_host:
            self.transfer(view_of(address, copy.size), copy.memory)
            copy.on_host = True

    def change(self, address: int) -> None:
        """The host's array will be the right one."""
        self.read(address)
        copy = self.copies.get(address)
        if copy is not None:
            copy.on_host, copy.on_device = True, False

    def drop(self, address: int) -> None:
        """The device's memory is used for something else."""
        self.copies.pop(address, None)

    def transfer(self, target: Any, source: Any) -> None:
        """Copy between host and device."""
        self.device.cl.enqueue_copy(self.device.queue, target, source, is_blocking=True)

    def allocate(self, size: int) -> Any:
        """Memory of the device, from its pool."""
        try:
            return self.device.pool.allocate(size)
        except (self.device.cl.MemoryError, MemoryError):
            total = self.device.device.global_mem_size // MEGABYTE
            held = sum(c.size for c in self.copies.values() if c.memory is not None) // MEGABYTE
            raise MachineError(
                f"{self.device.name} has no room for {size // MEGABYTE} MB more: the program holds {held} MB "
                f"of its {total} MB; smaller or narrower inputs need less, and --target c none of it"
            ) from None
