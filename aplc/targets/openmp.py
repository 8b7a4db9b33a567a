"""The target `openmp`: as the target `c`, with loops that run in threads."""

from __future__ import annotations

from aplc.backends.c.program import CProgram
from aplc.backends.openmp.emit import emit_openmp
from aplc.laila.ir.loops import Code
from aplc.laila.ir.program import Parameter
from aplc.options import Options
from aplc.targets.c import runnable, text

__all__ = ["emit", "runnable", "text"]


def emit(parameters: tuple[Parameter, ...], code: Code, options: Options) -> CProgram:
    """The C of loops, of which those with schedules run in threads."""
    limited = options.memory_limit is not None
    return emit_openmp(parameters, code, strict_fp=options.settings.strict_fp, limited=limited)
