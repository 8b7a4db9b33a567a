"""Processors that are newer than PoCL's compiler get the name of one that it knows."""

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from aplc.backends.opencl import device as cl_device
from aplc.backends.opencl.device import find_device
from aplc.backends.opencl.processor import KNOWN, name_processor
from aplc.tail.errors import MachineError
from tests.support.kernel_runs import kernels

VERSION = "OpenCL 3.0 PoCL HSTR: pthread-x86_64-unknown-linux-gnu-"
OLD, NEW = frozenset(("sse2",)), KNOWN[0][1]


class Fake:
    """What a device of PyOpenCL shows, above a structure that points to some strings."""

    def __init__(self, name: bytes, version: str, platform: str = "Portable Computing Language") -> None:
        self.strings = [ctypes.create_string_buffer(text, 32) for text in (b"generic name", name, b"znver3")]
        addresses = [0, 7, *[ctypes.addressof(text) for text in self.strings], 2**64 - 1]
        self.words = (ctypes.c_uint64 * 300)(*addresses)
        self.int_ptr = ctypes.addressof(self.words)
        self.version, self.platform = version, SimpleNamespace(name=platform)

    @property
    def names(self) -> list[bytes]:
        return [text.value for text in self.strings]


@pytest.mark.parametrize(("features", "name"), [(NEW, b"haswell"), (OLD, b"x86-64")])
def test_an_unknown_processor_gets_the_name_of_one_that_can_no_more(
    features: frozenset[str], name: bytes
) -> None:
    device = Fake(b"generic", VERSION + "generic")
    assert name_processor(device, features)
    assert device.names == [b"generic name", name, b"znver3"]
    assert not name_processor(device, features)


@pytest.mark.parametrize(
    "device",
    [
        Fake(b"generic", VERSION + "znver3"),
        Fake(b"generic", "OpenCL 3.0 generic", "Other"),
        Fake(b"generics", VERSION + "generic"),
    ],
    ids=["known", "another driver", "not found"],
)
def test_all_others_stay_as_they_are(device: Fake) -> None:
    before = device.names
    assert not name_processor(device, NEW) and device.names == before


def test_a_driver_that_does_not_know_the_processor_is_no_bug_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    device = find_device()

    def refuse(*_: Any, **__: Any) -> None:
        raise device.cl.RuntimeError("Build on X:\n\nerror: unknown target CPU 'generic'")

    monkeypatch.setattr(cl_device, "built", refuse)
    with pytest.raises(MachineError, match="does not know this processor"):
        device.build(kernels("+/v", {"v": np.ones(9)}))
