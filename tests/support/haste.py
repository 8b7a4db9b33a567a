"""How long compilers take. To optimise is most of the time of all tests, and what a program means does not
depend on it; what a compiler makes of it may.

So the compilers of C and of kernels do not optimise, but for the tests whose turn it is that day, and always
for those with the mark `optimised`: such as look at the bits of doubles, or at what was optimised.
"""

import os

from aplc.backends.native import toolchain

KERNEL_FLAGS = "POCL_EXTRA_BUILD_FLAGS"
"""The flags of the compiler of kernels, of an OpenCL for processors."""
DAYS = 16
"""After so many days the compilers have taken their time for each test."""

_LEVELS = toolchain._LEVELS


def optimise(takes_time: bool) -> None:
    """Whether compilers optimise from now on."""
    toolchain._LEVELS = _LEVELS if takes_time else ("-O0",) * 4
    os.environ[KERNEL_FLAGS] = "" if takes_time else "-cl-opt-disable"
