"""The device on which a program for OpenCL runs, and how work is divided there. Nothing of the compiler is
imported: a program that was kept is run by this.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.backends.opencl.device import Device, find_device
from aplc.laila.devices.device_mapping import Division, on_cpu, on_gpu, without_host
from aplc.options import Options


def device_of(options: Options) -> Device:
    """The device that the options name, or that has the inputs. Raises `MachineError` where there is none."""
    return options.on_device or find_device(options.device)


def division_here(options: Options) -> Division:
    """How work is divided on the device of the options. Raises `MachineError` where there is none."""
    return division_on(device_of(options), options)


def division_on(device: Device, options: Options) -> Division:
    """How work is divided on a device, as far as the options leave that open."""
    division = options.division
    if device.is_cpu:
        division = on_cpu(division, device.units, device.vector)
    else:
        division = on_gpu(
            division, device.units, looks_back=device.has_long_atomics, local=device.local_bytes
        )
    division = division if options.on_device is None else without_host(division)
    is_shared = division.shared and device.uses_host_memory and not options.settings.is_single
    lanes = min(division.lanes, device.lanes)
    return replace(division, shared=is_shared, lanes=lanes, features=device.features)


def in_threads_alone(options: Options) -> Options:
    """The options for a program that the threads of the host run."""
    return replace(options, target="openmp", result_storage="")
