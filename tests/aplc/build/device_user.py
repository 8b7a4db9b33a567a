"""Uses a library with kernels where aplc cannot be imported: `python device_user.py FOLDER PROCESSOR`.

FOLDER has the module `gpu`, what is to come out in `expected.pickle`, and the compiled program `caller.so`.
PROCESSOR is a file that gives PoCL a name for processors which it does not know.
"""

import ctypes
import pickle
import runpy
import sys
import threading
from pathlib import Path


class NoAplc:
    """No part of aplc can be imported."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "aplc":
            raise ImportError("aplc is not there")


sys.meta_path.insert(0, NoAplc())
folder = Path(sys.argv[1])
sys.path[:0] = [str(folder)]

import gpu  # noqa: E402
import numpy as np  # noqa: E402
import pyopencl as cl  # noqa: E402

name_processor = runpy.run_path(sys.argv[2])["name_processor"]
description = Path("/proc/cpuinfo").read_text("utf-8")
features = frozenset(description.partition("flags")[2].partition("\n")[0].split())
names = []
for platform in cl.get_platforms():
    for each in platform.get_devices():
        name_processor(each, features)
        names.append(each.name.strip())


def refused(kind, words, function, *arguments):
    """A call is an error of that kind, which says that."""
    try:
        function(*arguments)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"{function.__name__} takes {arguments}")


def same(found, expected):
    if isinstance(expected, tuple):
        return isinstance(found, tuple) and all(map(same, found, expected))
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, str):
        return found == expected
    found, expected = np.asarray(found), np.asarray(expected)
    return found.shape == expected.shape and np.allclose(found, expected, 1e-9, 0)


assert gpu.device() == ""
refused(RuntimeError, "DEVICE ERROR: no OpenCL device is called abacus; there are ", gpu.init, "abacus")
assert gpu.plain(2) == 3 and gpu.device() == ""
cases = pickle.loads((folder / "expected.pickle").read_bytes())
for name, arguments, expected in cases:
    if isinstance(expected, str):
        refused(gpu.AplError, expected, getattr(gpu, name), *arguments)
    else:
        found = getattr(gpu, name)(*arguments)
        assert same(found, expected), (name, arguments, found, expected)
assert gpu.device() in names
gpu.init(gpu.device().upper())
there = f"abacus is asked for, and the library runs on {gpu.device()} until"
refused(RuntimeError, there, gpu.init, "abacus")
refused(TypeError, "running: right holds whole numbers", gpu.running, [0.5])

wrong = []


def work(number):
    for k in range(20):
        v = np.arange(100.0) * number + k
        if not np.isclose(gpu.total(v), (v - v.max()).sum()):
            wrong.append((number, k))


threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not wrong

gpu.finish()
assert gpu.device() == ""
assert gpu.total([1.0, 2.0]) == -1 and gpu.device() != ""

assert ctypes.CDLL(str(folder / "caller.so")).main() == 0
