"""The targets: what each has, and the module that makes programs for it.

Whoever asks what a target can do asks its record; no other module compares names. A new target is a module
here, with what it needs below, and an entry in the table. This module is imported by commands that run a
program which was kept, so it imports nothing of the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from aplc.backends.c.program import CProgram
    from aplc.compiled import Runnable
    from aplc.laila.devices.device_mapping import Division
    from aplc.laila.ir.loops import Code
    from aplc.laila.ir.program import Parameter, Program
    from aplc.laila.ir.simplify import ExprBuilder
    from aplc.options import Options
    from aplc.tail.syntax import Term


class Maker(Protocol):
    """The module that makes programs for a target."""

    def runnable(self, term: Term, storage: Mapping[str, str], options: Options) -> Runnable:
        """An optimised term as something that runs."""


class Emitter(Maker, Protocol):
    """The same for a target whose programs go through Laila."""

    def emit(self, parameters: tuple[Parameter, ...], code: Code, options: Options) -> CProgram:
        """The C of loops: the program, or its host."""

    def text(self, program: Program, make: ExprBuilder, options: Options) -> str:
        """What `aplc emit` shows of a Laila program."""


class DeviceEmitter(Emitter, Protocol):
    """The same for a target with kernels."""

    def division_here(self, options: Options) -> Division:
        """How work is divided on the device of this machine. Raises `MachineError` where there is none."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a target has."""

    name: str
    module: str
    """Its `Maker`."""
    compiled: bool = True
    """Whether programs become Laila, and C; else TAIL is what runs."""
    kept: bool = False
    """Whether what comes out is kept on disk whole (see `aplc.program_cache`)."""
    threads: bool = False
    """Whether C runs in threads: all of a program, or what of it the host does."""
    kernels: bool = False
    """Whether a device, which has a name and a precision, runs what is large enough."""
    own_memory: bool = False
    """Whether the device may have memory of its own, where inputs may be and results stay."""

    @property
    def maker(self) -> Maker:
        """What makes its programs."""
        return cast(Maker, import_module(self.module))

    @property
    def emitter(self) -> Emitter:
        """The same, if it is `compiled`."""
        return cast(Emitter, import_module(self.module))

    @property
    def device_emitter(self) -> DeviceEmitter:
        """The same, if it has `kernels`."""
        return cast(DeviceEmitter, import_module(self.module))


def _table(targets: Iterable[Target]) -> dict[str, Target]:
    return {target.name: target for target in targets}


TARGETS = _table((
    Target("interp", "aplc.targets.interp", compiled=False),
    Target("c", "aplc.targets.c", kept=True),
    Target("openmp", "aplc.targets.openmp", kept=True, threads=True),
    Target("opencl", "aplc.targets.opencl", kept=True, threads=True, kernels=True, own_memory=True),
))  # fmt: skip
"""By name, in the order in which they are listed for users."""

WITH_THREADS = tuple([target.name for target in TARGETS.values() if target.threads])
WITH_KERNELS = tuple([target.name for target in TARGETS.values() if target.kernels])
COMPILED = tuple([target.name for target in TARGETS.values() if target.compiled])
