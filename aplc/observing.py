"""What looks on while a program is compiled: checkers, if they are asked for, and whoever wants to see the
program after a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from aplc.laila.ir.loops import Code
from aplc.laila.ir.program import Parameter, Program
from aplc.laila.passes import Pass, checking
from aplc.options import Options
from aplc.tail.check import check
from aplc.tail.syntax import Term
from aplc.tail.text_print import print_term

if TYPE_CHECKING:  # for a device only
    from aplc.laila.devices.kernels import Offloaded


def of_tail(options: Options) -> Callable[[str, Term], None]:
    """What sees terms."""

    def observe(name: str, term: Term) -> None:
        if options.verify:
            check(term, name)
        options.observe(name, lambda: print_term(term))

    return observe


def of_soacs(options: Options, passes: Iterable[Pass[Program]]) -> Callable[[str, Program], None]:
    """What sees programs of SOACs on their way through these passes."""
    verify = checking(passes) if options.verify else None

    def observe(name: str, program: Program) -> None:
        if verify is not None:
            verify(name, program)
        options.observe(name, lambda: _text_of(program))

    return observe


def of_kernels(options: Options, *, is_shared: bool) -> Callable[[str, Offloaded], None]:
    """What sees programs with kernels; `is_shared` as `check_rounds` has it."""
    verify = checking((), is_shared=is_shared) if options.verify else None

    def observe(name: str, offloaded: Offloaded) -> None:
        if verify is not None:
            verify(name, offloaded.program)
        options.observe(name, lambda: _text_of(offloaded.program))

    return observe


def of_loops(options: Options, parameters: tuple[Parameter, ...]) -> Callable[[str, Code], None]:
    """What sees loops: they are shown as the C of the target."""

    def observe(name: str, code: Code) -> None:
        options.observe(name, lambda: options.made_for.emitter.emit(parameters, code, options).text)

    return observe


def _text_of(program: Program) -> str:
    from aplc.laila.ir.text_print import print_program  # noqa: PLC0415 (most programs start faster without it)

    return print_program(program)
