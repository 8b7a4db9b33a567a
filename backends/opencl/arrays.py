"""Arrays that are in the memory of a device when a program begins, or stay there when it ends.

    OnDevice    stands for such an array on the host: its type and shape, and the memory of the device

An array of PyOpenCL goes in and comes out so. Its queue says on which device the program runs, and kernels
are started behind what is in that queue.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from aplc.backends.c.types import STORAGE_TYPES
from aplc.tail.elements import UnfitArray, require_extents
from aplc.tail.types import Base

if TYPE_CHECKING:  # most programs start faster without it
    from aplc.backends.opencl.device import Device

CL_ARRAYS = "pyopencl.array"
"""The module without which nothing is an array of PyOpenCL's."""

TAKEN = frozenset(STORAGE_TYPES)
"""The types of elements that kernels take as they are."""

KEPT = frozenset([np.dtype(base.dtype) for base in Base if base.is_number])
"""The elements of results that stay on a device; characters come to the host."""


class OnDevice(np.ndarray[Any, Any]):
    """An array whose elements are in the memory of a device. Those of the host mean nothing: they are room
    where they come when the host needs them.
    """

    memory: Any
    home: Device


def on_device(device: Device, memory: Any, shape: Sequence[int], dtype: Any) -> OnDevice:
    """The array in some memory. Room on the host is taken when something is written there."""
    array = np.empty(shape, dtype).view(OnDevice)
    array.memory, array.home = memory, device
    return array


class UnfitForDevice(Exception):
    """An array of PyOpenCL that cannot be used where it is; the message continues `… `."""


def is_cl_array(value: object) -> bool:
    """Whether a value is an array of PyOpenCL, which is not imported for that."""
    module = sys.modules.get(CL_ARRAYS)
    return module is not None and isinstance(value, module.Array)


def from_cl_array(array: Any) -> OnDevice:
    """An array of PyOpenCL where it is; one that begins in the middle of some memory is copied there, and so
    are booleans, whose bytes kernels trust to be 0 or 1.

    Raises `UnfitForDevice`, and `MachineError` where its device is none for us.
    """
    from aplc.backends.opencl import device as cl_device  # noqa: PLC0415 (most programs start faster without it)

    cl_device.same_process()
    cl = importlib.import_module("pyopencl")
    if array.queue is None:
        raise UnfitForDevice("has no queue to run kernels in; array.with_queue(queue) gives it one")
    if array.queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE:
        raise UnfitForDevice(
            "has a queue that runs kernels in any order; array.with_queue(queue) gives it another"
        )
    dtype, shape, offset, memory = array.dtype, _extents(array.shape), array.offset, array.base_data
    if not array.flags.c_contiguous:
        raise UnfitForDevice("is not contiguous, row by row; pyopencl.array.to_device makes such arrays")
    if dtype.name not in TAKEN or not dtype.isnative:
        raise UnfitForDevice(f"holds elements of type {dtype}, which kernels do not take from there")
    size = math.prod(shape)
    if not size:
        try:
            require_extents(shape)
        except UnfitArray as unfit:
            raise UnfitForDevice(f"holds {unfit}") from None
    device = cl_device.device_of_queue(array.queue)
    if size and not isinstance(memory, cl.MemoryObjectHolder):
        raise UnfitForDevice("is in shared virtual memory; pyopencl.array.to_device makes a copy in a buffer")
    if size and not 0 <= offset <= memory.size - size * dtype.itemsize:
        raise UnfitForDevice(f"has {size * dtype.itemsize} bytes by its shape, and its buffer has fewer")
    if size and (offset or dtype == np.bool_):
        module = importlib.import_module(CL_ARRAYS)
        array = module.Array(array.queue, shape, dtype, data=memory, offset=offset)
        if dtype == np.bool_:
            device.require_linker()
            array = (array.view(np.uint8) != 0).view(np.bool_)
        else:
            array = array.copy()
        memory = array.base_data
    return on_device(device, memory, shape, dtype)


def _extents(shape: object) -> tuple[int, ...]:
    """The extents of an array, which may have been set to anything since it was made; its size and its number
    of bytes do not follow them. Raises `UnfitForDevice`.
    """
    extents = shape if isinstance(shape, tuple) else (shape,)
    if all([isinstance(extent, int | np.integer) and extent >= 0 for extent in extents]):
        return tuple(map(int, extents))
    raise UnfitForDevice(f"has no shape: {shape!r}")


def as_cl_array(array: OnDevice) -> Any:
    """The array of PyOpenCL, with the queue of the device."""
    module = importlib.import_module(CL_ARRAYS)
    return module.Array(array.home.queue, array.shape, array.dtype, data=array.memory)


def device_of(arrays: Sequence[Any]) -> Device | None:
    """The device on which some of the arrays are; None if none is. Raises `UnfitForDevice` where they are on
    several.
    """
    devices = list(dict.fromkeys([array.home for array in arrays if isinstance(array, OnDevice)]))
    for other in devices[1:]:
        if other.context != devices[0].context:
            raise UnfitForDevice("is in another OpenCL context than the first; one program runs in one")
        other.queue.finish()  # what is done to its arrays is done before the kernels of the first queue begin
    return devices[0] if devices else None
