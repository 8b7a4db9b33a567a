"""The target `c`: loops as C for one thread, which the C compiler of the machine compiles."""

from __future__ import annotations

from collections.abc import Mapping

from aplc.backends.c.apart import emit_c
from aplc.backends.c.program import CProgram
from aplc.backends.native.run import NativeProgram, build
from aplc.compiler import to_c, to_laila
from aplc.laila.ir.loops import Code
from aplc.laila.ir.program import Parameter, Program
from aplc.laila.ir.simplify import ExprBuilder
from aplc.options import Options
from aplc.tail.passes import timed
from aplc.tail.syntax import Term


def emit(parameters: tuple[Parameter, ...], code: Code, options: Options) -> CProgram:
    """The C of loops."""
    limited = options.memory_limit is not None
    return emit_c(parameters, code, strict_fp=options.settings.strict_fp, limited=limited)


def text(program: Program, make: ExprBuilder, options: Options) -> str:
    """The C of a Laila program for the target of the options."""
    return to_c(program, make, options).text


def runnable(term: Term, storage: Mapping[str, str], options: Options) -> NativeProgram:
    """A term as machine code, for the target of the options."""
    program, make = to_laila(term, storage, options)
    return to_machine(to_c(program, make, options), options)


def to_machine(program: CProgram, options: Options) -> NativeProgram:
    """The program that the C compiler makes, loaded."""

    def built() -> NativeProgram:
        return build(
            program,
            options.level,
            use_cache=options.use_cache,
            debug=options.verify,
            threads=options.threads,
            memory_limit=options.memory_limit,
        )

    return timed("build", built, options.timed)
