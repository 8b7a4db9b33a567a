"""The OpenCL device of this machine: finding it without a question, and what its driver lacks.

    Device      a device with its context, its queue, and the programs built for it

This is the only module that imports PyOpenCL, and it does so when a device is first asked for. Some drivers
end the process where they find no linker, and hang in a process that was forked after they began: both are
found out before they are called.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shutil
import sys
import threading
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from aplc.backends.native.locks import Lock
from aplc.backends.native.processor import processor_features
from aplc.backends.opencl.processor import name_processor
from aplc.backends.opencl.programs import built
from aplc.tail.errors import InternalError, MachineError

INSTALL = "pip install 'aplc[opencl]' brings PyOpenCL and a driver for the processor"

AVX512 = re.compile(
    r"-(skylake-avx512|(cascade|cooper|cannon|ice|tiger|rocket)lake.*|\w+rapids|znver[4-9]|kn[lm]|x86-64-v4)$"
)
"""LLVM's names of processors with vectors of 512 bits, at the end of the version of a PoCL device."""

FEATURES = ("avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl")
"""What processors have that those have in common, as clang and Linux call it."""

WHOLE_VECTORS = "tune=x86-64"
"""As for processors of which LLVM knows nothing: of Intel's it takes half of the vectors that they have."""

UNKNOWN_PROCESSOR = "unknown target CPU"
"""In what clang says of a processor that it does not know; see Note [Unknown processors]."""

LOADS, CL_3, OPENCL_C_3 = "atomic_load_explicit(", 3, ("-cl-std=CL3.0",)
ATOMIC_LOAD = """kernel void f(volatile global atomic_long *a, global long *b) {
    atomic_store_explicit(a + 1, 1, memory_order_relaxed, memory_scope_device);
    b[0] = atomic_load_explicit(a, memory_order_relaxed, memory_scope_device);
}
"""
"""What is built to learn whether groups can read what others write without changing it."""

ATTEMPTS = 4
"""How often a program is built until it has its kernels."""

_started_in: list[int] = []
"""The process in which a driver was first called."""

_finding = Lock()
"""One context a device, however many threads ask for it."""


@dataclass(eq=False)
class Device:
    """A device, ready to run kernels. Its queue runs them in order."""

    cl: Any
    device: Any
    context: Any
    queue: Any
    pool: Any
    """Memory of the device that is used again."""
    failed: Any
    """A number on the device, 0 but for a kernel of which a check has failed."""
    mark: Any = None
    """The same number where the host has it; None where the device is no processor."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """What the driver calls it."""
        return str(self.device.name).strip()

    @property
    def identity(self) -> tuple[str, ...]:
        """What decides which code it runs: the device, and the version of its driver."""
        own, platform = self.device, self.device.platform
        return (platform.name, platform.version, own.vendor, own.name, own.version, own.driver_version)

    @property
    def is_cpu(self) -> bool:
        """Whether it is the processor, which shares its memory with the host."""
        return bool(self.device.type & self.cl.device_type.CPU)

    @cached_property
    def uses_host_memory(self) -> bool:
        """Whether it uses arrays of the host where they are; drivers may copy those that are not aligned."""
        if not self.is_cpu:
            return False
        cl, seen = self.cl, np.zeros(64, np.uint8)
        memory = np.zeros(72, np.uint8)[8:]
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        view = cl.Buffer(self.context, flags, hostbuf=memory)
        memory[:] = 1
        cl.enqueue_copy(self.queue, seen, view, is_blocking=True)
        cl.enqueue_fill_buffer(self.queue, view, np.uint8(2), 0, memory.size).wait()
        return bool((seen == 1).all() and (memory == 2).all())

    @property
    def units(self) -> int:
        """How many work-groups run at the same time."""
        return int(self.device.max_compute_units)

    @property
    def local_bytes(self) -> int:
        """The memory that a work-group may have."""
        return int(self.device.local_mem_size)

    @property
    def has_long_atomics(self) -> bool:
        """Whether its groups can read and write 64 bits that others read and write at the same time."""
        return "cl_khr_int64_base_atomics" in str(self.device.extensions).split()

    @cached_property
    def has_atomic_loads(self) -> bool:
        """Whether its compiler knows atomic loads and stores among all groups; drivers do not tell."""
        version = re.match(r"OpenCL (\d+)", str(self.device.version))
        if version is None or int(version[1]) < CL_3 or not self.has_long_atomics:
            return False
        try:
            self.cl.Program(self.context, ATOMIC_LOAD).build([*OPENCL_C_3, "-w"], devices=[self.device])
        except self.cl.RuntimeError:
            return False
        return True

    @property
    def lanes(self) -> int:
        """Of the widest vectors of doubles that its functions of reals take.

        PoCL chooses their library by what the processor can do, and compiles kernels for what its version of
        LLVM calls the processor. Where only the former has AVX-512, a vector of eight is handed over in
        another way than it is taken, and the process ends.
        """
        return 4 if self.is_mixed else 8

    @property
    def features(self) -> str:
        """What kernels are told of the processor that PoCL does not know of it, or takes for worse."""
        if not self.is_pocl or not set(FEATURES) <= processor_features():
            return ""
        return ",".join(FEATURES) if self.is_mixed else WHOLE_VECTORS

    @property
    def vector(self) -> int:
        """The bytes of the widest vectors that kernels are compiled for."""
        return 64 if self.features or ("avx512f" in processor_features() and not self.is_mixed) else 32

    @property
    def is_mixed(self) -> bool:
        """Whether the processor has AVX-512, and PoCL's version of LLVM does not know."""
        return (
            self.is_pocl and "avx512f" in processor_features() and not AVX512.search(str(self.device.version))
        )

    @property
    def is_pocl(self) -> bool:
        """Whether the driver is PoCL."""
        return "Portable Computing Language" in str(self.device.platform.name)

    def functions(self, text: str, names: Iterable[str], *, use_cache: bool = True) -> dict[str, Any]:
        """The kernels of a text, built, by name.

        What a driver keeps on disk of a build that was interrupted may be empty; with other options it keeps
        nothing yet.
        """
        for attempt in range(ATTEMPTS):
            options = [f"-DAPLC_ATTEMPT={attempt}"] if attempt else []
            all_kernels = self.build(text, options, use_cache=use_cache).all_kernels()
            found = {function.function_name: function for function in all_kernels}
            if found.keys() >= set(names):
                return found
        raise InternalError("build-opencl", f"{self.name} builds a program without its kernels")

    def start(self, function: Any, items: tuple[int, ...], group: tuple[int, ...]) -> Any:
        """Start a kernel, which has its arguments, behind what was started before; the event of its end."""
        return self.cl.enqueue_nd_range_kernel(self.queue, function, items, group)

    def has_failed(self) -> bool:
        """Whether a kernel has failed since this was asked last; all that were started are done then."""
        if self.mark is not None and self.uses_host_memory:
            self.queue.finish()
            has_failed = bool(self.mark[0])
            self.mark[0] = 0
            return has_failed
        number = np.empty(1, np.int32)
        self.cl.enqueue_copy(self.queue, number, self.failed, is_blocking=True)
        if number[0]:
            self.cl.enqueue_copy(self.queue, self.failed, np.zeros(1, np.int32), is_blocking=True)
        return bool(number[0])

    def build(self, text: str, options: Sequence[str] = (), *, use_cache: bool = True) -> Any:
        """The program of a text, from the disk if it is kept there."""
        same_process()
        self.require_linker()
        standard = OPENCL_C_3 if LOADS in text and self.has_atomic_loads else ()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return built(self, text, ["-w", *standard, *options], use_cache=use_cache)
            except self.cl.RuntimeError as failure:
                if UNKNOWN_PROCESSOR in str(failure):
                    raise MachineError(
                        f"the OpenCL driver of {self.name} does not know this processor and builds no "
                        "kernels; --target openmp runs on all processors, --device NAME takes another"
                    ) from failure
                raise InternalError(
                    "build-opencl", f"{self.name} rejects our kernel:\n{failure}"
                ) from failure

    def require_doubles(self) -> None:
        """Raise `MachineError` where it has no doubles."""
        if not self.device.double_fp_config:
            raise MachineError(
                f"{self.name} has no doubles; --precision single computes with floats there, --device NAME "
                "chooses another device, and --target c needs none"
            )

    def require_linker(self) -> None:
        """PoCL ends the process where it cannot link the first kernel."""
        if self.is_pocl and (lack := missing_linker()):
            raise MachineError(
                f"the OpenCL driver for the processor (PoCL) needs {lack} to build kernels; "
                "install gcc (`apt install gcc`, `dnf install gcc`)"
            )


@cache
def missing_linker() -> str:
    """What PoCL does not find when it links a kernel; empty if all is there."""
    if shutil.which("ld") is None and shutil.which("ld.lld") is None:
        return "the linker ld"
    places = [Path(root) for root in ("/usr/lib", "/usr/lib64", "/lib", "/lib64")]
    found = any(next(place.glob(pattern), None) for place in places for pattern in ("crti.o", "*/crti.o"))
    return "" if found else "libc's start files (crti.o)"


def same_process() -> None:
    """Refuse to call a driver that was started before this process was forked off: it would hang."""
    if _started_in and _started_in[0] != os.getpid():
        raise MachineError(
            "this process was forked off after OpenCL had been used, and drivers do not survive that; "
            "start processes by `spawn` (multiprocessing.set_start_method), or use OpenCL after the fork only"
        )


def find_device(name: str = "") -> Device:
    """The device whose name contains the given one, a GPU if there is one. Raises `MachineError`."""
    same_process()
    with _finding:
        return _find(name)


def keep_threads_apart() -> None:
    """Tell PoCL to keep each of its threads on a processor of its own: else two may wake on the same one, and
    stay there for milliseconds. It is told nothing if the user has said something there, or if this process
    must not use all processors.
    """
    may_use = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    if may_use == set(range(os.cpu_count() or 0)):
        os.environ.setdefault("POCL_AFFINITY", "1")


def _package() -> Any:
    """PyOpenCL. Unless the user has imported it, or said something there, it keeps nothing on disk itself:
    what it would find there are pickles, which do what they say, in places that it does not look at.
    """
    name = "PYOPENCL_NO_CACHE"
    ours = "pyopencl" not in sys.modules and name not in os.environ
    if ours:
        os.environ[name] = "1"
    try:
        return importlib.import_module("pyopencl")
    finally:
        if ours:
            del os.environ[name]


@cache
def _find(name: str) -> Device:
    if importlib.util.find_spec("pyopencl") is None:
        raise MachineError(f"--target opencl needs the Python package pyopencl; {INSTALL}")
    keep_threads_apart()
    try:
        cl = _package()
    except ImportError as failure:
        raise MachineError(f"the Python package pyopencl does not work here: {failure}; {INSTALL}") from None
    _started_in.append(os.getpid())
    try:
        devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    except cl.Error as failure:
        raise MachineError(f"no OpenCL driver is found ({failure}); {INSTALL}") from None
    for each in devices:
        name_processor(each, processor_features())
    names = ", ".join([str(d.name).strip() for d in devices])
    if not devices:
        raise MachineError(f"there is no OpenCL device; {INSTALL}")
    fitting = [d for d in devices if name.lower() in str(d.name).lower()]
    if not fitting:
        raise MachineError(f"no OpenCL device is called {name}; there are {names}")
    fitting.sort(key=lambda d: not d.type & cl.device_type.GPU)
    device = fitting[0]
    return _device(cl, cl.CommandQueue(cl.Context([device])))


@lru_cache(maxsize=16)
def device_of_queue(queue: Any) -> Device:
    """The device of a queue of PyOpenCL's, with its context."""
    cl = importlib.import_module("pyopencl")
    _started_in.append(os.getpid())
    return _device(cl, queue)


def _device(cl: Any, queue: Any) -> Device:
    tools = importlib.import_module("pyopencl.tools")
    name_processor(queue.device, processor_features())
    pool = tools.MemoryPool(tools.ImmediateAllocator(queue))
    is_cpu, mark = bool(queue.device.type & cl.device_type.CPU), np.zeros(1, np.int32)
    flags = cl.mem_flags.USE_HOST_PTR if is_cpu else cl.mem_flags.COPY_HOST_PTR
    failed = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE | flags, hostbuf=mark)
    return Device(cl, queue.device, queue.context, queue, pool, failed, mark if is_cpu else None)
