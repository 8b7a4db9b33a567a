"""Arrays of the host in the memory of a device.

    Shared    the processor as a device: arrays stay where they are, whatever their alignment
    Separate  a device with memory of its own: arrays are copied when the other side needs what is newer; in
              single precision doubles become floats on the way, and doubles again

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

from aplc.backends.native.arrays import address_of
from aplc.backends.opencl.arrays import KEPT, OnDevice, on_device
from aplc.backends.opencl.device import Device
from aplc.backends.opencl.launches import KernelArray, Launch
from aplc.tail.errors import MachineError

MEGABYTE = 1 << 20

NARROWED = {"float64": np.dtype(np.float32), "complex128": np.dtype(np.complex64)}
"""What elements are on a device in single precision."""


@cache
def _usable() -> Callable[[int], int]:
    """The size of memory of the heap, by its address."""
    usable = ctypes.CDLL(None).malloc_usable_size
    usable.argtypes, usable.restype = [ctypes.c_void_p], ctypes.c_size_t
    return usable


def view_of(address: int, size: int) -> Any:
    """The bytes at an address."""
    return (ctypes.c_char * size).from_address(address)


def _doubles(memory: Any) -> Any:
    """The doubles in some memory; a rest that is none is left out."""
    return np.frombuffer(memory, np.float64, len(memory) // 8)


def _floats(memory: Any) -> Any:
    """The same as floats, infinite where they are too large."""
    with np.errstate(over="ignore"):
        return _doubles(memory).astype(np.float32)


@dataclass
class Memory:
    """The arrays of one run."""

    device: Device
    inputs: dict[int, int]
    """The addresses of inputs, with their sizes."""
    is_single: bool = False
    """Whether doubles are floats on the device."""

    def size(self, array: KernelArray, address: int) -> int:
        """The bytes of an array. Never 0."""
        known = array.length * array.item_bytes or self.inputs.get(address)
        return max(1, _usable()(address) if known is None else known)

    def given(self, kernel: Launch, addresses: Sequence[int]) -> list[Any]:
        """What a kernel gets for its arrays."""
        raise NotImplementedError

    def done(self, kernel: Launch, addresses: Sequence[int], given: Sequence[Any]) -> None:
        """The kernel has been started."""

    def fresh(self, address: int) -> None:
        """Nothing is in this memory yet."""

    def read(self, address: int) -> None:
        """The host is about to read it."""

    def change(self, address: int) -> None:
        """The host is about to write it."""

    def drop(self, address: int) -> None:
        """It is about to be freed."""

    def no_room(self, size: int = 0) -> MachineError:
        """The error where so many bytes more are not to be had; 0: as many as a kernel needs for itself."""
        device, held = self.device.device, self.held()
        wanted = f"an array of {_amount(size)}" if size else "what a kernel needs"
        most = device.max_mem_alloc_size
        limit = f", and its arrays may have {_amount(most)}" if size > most else ""
        less = "smaller or narrower inputs need less, "
        less += "" if self.is_single else "with --precision single doubles take half of it, "
        return MachineError(
            f"{self.device.name} has no room for {wanted}: the program holds {_amount(held)} of its "
            f"{_amount(device.global_mem_size)}{limit}; {less}and --target c needs none of it"
        )

    def held(self) -> int:
        """The bytes on the device."""
        return 0


class TooLarge(Exception):
    """An array is larger than the driver takes, though there is memory: the host computes it."""


@dataclass
class Shared(Memory):
    """Arrays of the host as they are; a kernel is done before the host goes on."""

    views: dict[tuple[int, int], Any] = field(default_factory=dict)
    """The device's views of memory, by address and size: the two arrays of a loop have one each."""

    def given(self, kernel: Launch, addresses: Sequence[int]) -> list[Any]:
        """The device's views of the arrays."""
        return [
            self.view(address, self.size(array, address))
            for array, address in zip(kernel.arrays, addresses, strict=True)
        ]

    def view(self, address: int, size: int) -> Any:
        """The device's view of so many bytes of the host's. Raises `TooLarge`."""
        if (address, size) not in self.views:
            if size > self.device.device.max_mem_alloc_size:
                raise TooLarge
            flags = self.device.cl.mem_flags
            if not address:  # no memory was needed
                return self.device.cl.Buffer(self.device.context, flags.READ_WRITE, size)
            use = flags.READ_WRITE | flags.USE_HOST_PTR
            view = self.device.cl.Buffer(self.device.context, use, hostbuf=view_of(address, size))
            self.views[address, size] = view
        return self.views[address, size]

    def done(self, kernel: Launch, addresses: Sequence[int], given: Sequence[Any]) -> None:
        """The host may free or change its arrays from now on."""
        del kernel, addresses, given
        self.device.queue.finish()


@dataclass
class Copy:
    """What a device has of an array, and which of the two is right."""

    memory: Any
    size: int
    """Bytes on the host."""
    on_host: bool
    on_device: bool
    is_narrow: bool = False
    """Whether its doubles are floats on the device."""

    @property
    def size_on_device(self) -> int:
        """Bytes on the device; never 0."""
        return max(1, self.size // 2 if self.is_narrow else self.size)


@dataclass
class Separate(Memory):
    """Copies of arrays on the device, made when they are needed."""

    copies: dict[int, Copy] = field(default_factory=dict)

    def given(self, kernel: Launch, addresses: Sequence[int]) -> list[Any]:
        """The copies, with what is newer on the host."""
        result: list[Any] = []
        for array, address in zip(kernel.arrays, addresses, strict=True):
            if array.length:  # on the host's stack, or a table: small, and not followed
                self.copies.pop(address, None)
            elif not self.is_single and (known := self.copies.get(address)) and known.on_device:
                result.append(known.memory)  # of this size yet: the host says what it changes and frees
                continue
            copy = self.copy(address, self.size(array, address))
            is_narrow = self.is_single and array.storage in NARROWED
            if copy.memory is None or copy.is_narrow != is_narrow:
                self.read(address)  # as what it has been
                copy.is_narrow = is_narrow
                copy.memory, copy.on_device = self.allocate(copy.size_on_device), False
            if copy.on_host and not copy.on_device:
                self.upload(copy, address)
            result.append(copy.memory)
        return result

    def hold(self, array: OnDevice) -> None:
        """An input is on the device, and not on the host."""
        if array.size:
            held = Copy(array.memory, array.nbytes, on_host=False, on_device=True)
            self.copies[address_of(array)] = held

    def result(self, array: Any, *, is_part: bool) -> Any:
        """A result where it is on the device, or is brought there; scalars, characters and the parts of
        arrays of arrays are on the host.
        """
        if array.ndim == 0:
            return array
        if is_part or array.dtype not in KEPT:
            self.read(address_of(array))
            return array
        if not array.size:
            return on_device(self.device, None, array.shape, array.dtype)
        address = address_of(array)
        found = self.copies.get(address)
        if found is None or not found.on_device:
            is_narrow = self.is_single and array.dtype.name in NARROWED
            found = Copy(None, array.nbytes, on_host=True, on_device=False, is_narrow=is_narrow)
            found.memory = self.allocate(found.size_on_device)
            self.upload(found, address)
        dtype = NARROWED[array.dtype.name] if found.is_narrow else array.dtype
        return on_device(self.device, found.memory, array.shape, dtype)

    def copy(self, address: int, size: int) -> Copy:
        """What there is of an array of so many bytes."""
        found = self.copies.get(address)
        if found is None or found.size != size:
            found = self.copies[address] = Copy(None, size, on_host=True, on_device=False)
        return found

    def done(self, kernel: Launch, addresses: Sequence[int], given: Sequence[Any]) -> None:
        """What the kernel writes is newer on the device."""
        del given
        for array, address in zip(kernel.arrays, addresses, strict=True):
            if array.is_written:
                copy = self.copies[address]
                copy.on_device, copy.on_host = True, False
                if array.length:
                    self.read(address)

    def fresh(self, address: int) -> None:
        """Nothing is in this memory yet, on either side."""
        self.copies[address] = Copy(None, max(1, _usable()(address)), on_host=False, on_device=False)

    def read(self, address: int) -> None:
        """What a kernel has written comes to the host."""
        copy = self.copies.get(address)
        if copy is not None and copy.on_device and not copy.on_host:
            self.download(copy, address)

    def change(self, address: int) -> None:
        """The host's array will be the right one."""
        self.read(address)
        copy = self.copies.get(address)
        if copy is not None:
            copy.on_host, copy.on_device = True, False

    def drop(self, address: int) -> None:
        """The device's memory is used for something else."""
        self.copies.pop(address, None)

    def upload(self, copy: Copy, address: int) -> None:
        """From the host to the device."""
        if not address:  # no memory was needed
            copy.on_device = True
            return
        source = view_of(address, copy.size)
        self.transfer(copy.memory, _floats(source) if copy.is_narrow else source)
        copy.on_device = True

    def download(self, copy: Copy, address: int) -> None:
        """From the device to the host."""
        target = view_of(address, copy.size)
        if copy.is_narrow:
            doubles = _doubles(target)
            floats = np.empty(doubles.size, np.float32)
            self.transfer(floats, copy.memory)
            doubles[:] = floats
        else:
            self.transfer(target, copy.memory)
        copy.on_host = True

    def transfer(self, target: Any, source: Any) -> None:
        """Copy between host and device."""
        self.device.cl.enqueue_copy(self.device.queue, target, source, is_blocking=True)

    def allocate(self, size: int) -> Any:
        """Memory of the device, from its pool."""
        if size > self.device.device.max_mem_alloc_size:
            raise self.no_room(size)
        try:
            return self.device.pool.allocate(size)
        except (self.device.cl.MemoryError, MemoryError):
            raise self.no_room(size) from None

    def held(self) -> int:
        """The bytes on the device."""
        return sum(c.size_on_device for c in self.copies.values() if c.memory is not None)


def _amount(size: int) -> str:
    """A number of bytes in words."""
    return f"{size // MEGABYTE:,} MB" if size >= MEGABYTE else f"{size:,} bytes"
