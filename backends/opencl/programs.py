"""Programs of OpenCL: built from a text, and kept on disk for each device and version of its driver.

PoCL and NVIDIA's driver keep what they build from a text. What others build is kept here: PyOpenCL has files
for it, too, but waits a minute for whoever was killed while it wrote them, and then gives up.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from aplc.backends.native.cache import keep_record, kept_record
from aplc.backends.native.private_files import temporary

if TYPE_CHECKING:
    from aplc.backends.opencl.device import Device

FORM = 1
"""Goes up when what is kept changes."""


def built(device: Device, text: str, options: Sequence[str], *, use_cache: bool) -> Any:
    """The program of a text, built. Raises what PyOpenCL raises where the driver rejects it."""
    if keeps_programs(device):
        return device.cl.Program(device.context, text).build([*options], devices=[device.device])
    key = program_key(device, text, options)
    found = kept_record(key) if use_cache else None
    if found is not None:
        with suppress(device.cl.Error):  # of no use to this driver, whatever the reason
            return device.cl.Program(device.context, [device.device], [found]).build([*options])
    with temporary() as own:
        program = device.cl.Program(device.context, text)
        program.build([*options], devices=[device.device], cache_dir=own.path)
    if use_cache:
        (binary,) = program.get_info(device.cl.program_info.BINARIES)
        keep_record(key, bytes(binary))
    return program


def keeps_programs(device: Device) -> bool:
    """Whether the driver keeps what it builds."""
    return bool(importlib.import_module("pyopencl.characterize").has_src_build_cache(device.device))


def program_key(device: Device, text: str, options: Sequence[str]) -> str:
    """The name of what is kept of a program: a digest of what decides it."""
    return hashlib.sha256(repr((FORM, device.identity, text, tuple(options))).encode()).hexdigest()
