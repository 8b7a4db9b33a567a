"""Sequential C from loops, in which long loops stand in functions of their own.

Note [Long loops apart]
    A C compiler takes more time for a statement the longer the function is in which it stands: registers are
    given to all of its variables at once, and loops are looked at beside each other. The parts of a product,
    and its versions for rows of two, three and many elements, take gcc a third less time in functions of
    their own. Such are the loops that would be functions if they ran in threads, where there are many
    statements.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.backends.c.functions import is_long, written_by
from aplc.backends.c.program import CProgram
from aplc.backends.c.sections import SectionEmitter
from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import FunctionCall, HostCall, Move, Parameter, RuntimeCall, Swap
from aplc.laila.ir.scalar import Const, Var
from aplc.tail.types import Base

MANY = 80
"""The statements of a function whose long loops stand apart."""

LANES = 64
"""No loop over lanes is longer."""


def emit_c(
    parameters: tuple[Parameter, ...], code: l.Code, *, strict_fp: bool = False, limited: bool = False
) -> CProgram:
    """The C program of a loop program; with `strict_fp` its functions of reals are those of libm, and with
    `limited` it counts the bytes of its arrays.
    """
    return ApartEmitter(code, strict_fp, limited).program(parameters)


def is_over_lanes(loop: l.For) -> bool:
    """Whether a loop is short, as is known here."""
    start, stop = loop.start, loop.stop
    return isinstance(start, Const) and isinstance(stop, Const) and stop.value - start.value <= LANES


class ApartEmitter(SectionEmitter):
    """Statements and functions, with those of long loops."""

    is_many = False
    """Whether the function at hand has many statements."""

    def begin(self, statements: tuple[l.Stm, ...]) -> None:
        """The state for a new function."""
        super().begin(statements)
        self.is_many = sum(1 for _ in within(statements)) >= MANY

    def loop(self, loop: l.For) -> None:
        """A loop, or the call of its function."""
        if self.is_many and self.stands_apart(loop):
            self.call_apart(loop)
        else:
            super().loop(loop)

    def stands_apart(self, loop: l.For) -> bool:
        """Whether a loop is long, gives no variables values, and neither fails nor has memory of its own. The
        arrays that a loop over lanes goes over stand in registers, as long as it stands beside them.
        """
        is_any = loop.parallel == () and not loop.running and is_long(loop) and not is_over_lanes(loop)
        return is_any and not any(map(self.is_bound_here, within(loop.body)))

    def is_bound_here(self, statement: l.Stm) -> bool:
        """Whether a statement must stand in the function at hand."""
        match statement:
            case l.Assign(var=var):
                return self.is_in_scope(var)
            case l.Fail() | l.Allocate() | l.Release() | l.Emit() | l.Together():
                return True
            case Move() | Swap() | RuntimeCall() | HostCall() | FunctionCall():
                return True
            case _:
                return False

    def call_apart(self, loop: l.For) -> None:
        """Write the function of a loop, and call it."""
        things = self.needs(loop.body, {loop.var.name})
        arguments = [*[self.spell(thing) for thing in things], self.text(loop.start), self.text(loop.stop)]
        with self.apart():
            outside, self.is_many = self.is_many, False
            heads = self.heads(things, written_by(loop.body), set())
            first = Var("first_00", Base.INT, True, (loop.start,), (loop.start,))
            last = Var("last_00", Base.INT, True, (loop.stop,), (loop.stop,))
            heads += [f"const int64_t {self.declare(var.name)}" for var in (first, last)]
            super().loop(replace(loop, start=first, stop=last))
            name = self.finished("loop", "void", heads)
            self.is_many = outside
        self.line(f"{name}({', '.join(arguments)});")
