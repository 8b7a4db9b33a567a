"""The ways in which programs are compiled, by turns: every target, level, number of threads and choice.

Most are compiled in haste: what differs between programs is the C that aplc writes, and the optimiser of the
C compiler takes five times as long as the rest. Each program has one way, besides the interpreter's two.
"""

import subprocess
import sys
from functools import cache

from aplc.laila.ir.settings import Settings
from tests.fuzz_targets import Way

UNSAFE, CHECKED, STRICT = Settings(unsafe=True), Settings(check_overflow=True), Settings(strict_fp=True)

ON_C = (
    *[Way(2, in_haste=True)] * 7,
    *[Way(level, in_haste=True) for level in (0, 1, 3, 3)],
    Way(2),
    *[Way(level, settings, in_haste=True) for level in (0, 2, 3) for settings in (UNSAFE, CHECKED, STRICT)],
    Way(3),
    Way(2, UNSAFE),
)
WITH_THREADS = (
    *[Way(level, in_haste=True) for level in (22, 32, 12, 20, 23)],
    Way(22, CHECKED, in_haste=True),
    Way(32, UNSAFE, in_haste=True),
    Way(22, STRICT, in_haste=True),
    Way(22),
)
LANES_ON_C = (*[Way(2)] * len(ON_C), *ON_C)
LANES_WITH_THREADS = (*[Way(22)] * len(WITH_THREADS), *WITH_THREADS)
"""Where what the optimiser of the C compiler makes of lanes matters, too: half of these are optimised."""
ON_DEVICE = (
    *[Way(level, in_haste=True) for level in (102, 202, 302, 100, 122)],
    Way(102, CHECKED, in_haste=True),
    Way(202, UNSAFE, in_haste=True),
)


TRIED = """
from aplc.backends.opencl.device import find_device
device = find_device()
device.require_linker()
device.build("kernel void f(global int *x) { x[0] = 1; }", use_cache=False)
"""


@cache
def lack_of_device() -> str:
    """Why programs cannot run on a device here; asked in another process: a driver survives no fork."""
    try:
        done = subprocess.run([sys.executable, "-c", TRIED], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "the driver does not answer"
    lines = [line for line in done.stderr.splitlines() if "error" in line.lower()] or done.stderr.splitlines()
    return (lines or ["a driver that builds kernels"])[-1][:200] if done.returncode else ""
