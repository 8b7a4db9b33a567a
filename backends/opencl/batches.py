"""Loops of a work-item that read the elements of several rounds before they compute with the first.

Note [Batches]
    A division has a branch for what is no normal number, and so have other functions of reals. Compilers do
    not read an element of the next round before such a branch, even where the text does: each round then
    waits for memory. So a loop that folds such values takes rounds four by four: it reads what all of them
    take, holds it by an instruction that the compiler leaves where it is (`aplc_held`), and then computes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from aplc.backends.opencl.expressions import ClPrinter
from aplc.backends.opencl.scans import Sweeps
from aplc.backends.opencl.vectors import expressions_of, is_straight
from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import (
    DIVIDE,
    LOG,
    SQRT,
    Call,
    Const,
    Exp,
    FreeVars,
    Read,
    Select,
    Sum,
    Var,
    nodes,
    operands,
)
from aplc.tail import prims as p
from aplc.tail.types import Base

BATCH = 4
"""Rounds whose elements are read together."""

MOST_READS = 4
"""Elements of a round; each takes a register in each of the rounds."""

WITH_BRANCHES = frozenset((p.DIVD, DIVIDE, SQRT, LOG))
"""What compilers for devices make branches of."""

_PLACES = Call | Sum | Select | Read | Const | Var
"""What an element that is read consists of."""


def early_reads(loop: l.For) -> tuple[list[l.Stm], list[Exp]]:
    """The statements of a round that tell where it reads, and what it reads there: elements, or one of some
    that a condition chooses. Nothing where a loop is none for batches.
    """
    exps = [exp for s in loop.body for exp in expressions_of(s)]
    calls = {n.op for n in nodes(*exps) if isinstance(n, Call)}
    is_plain = all(isinstance(s, l.Declare | l.Assign) for s in loop.body)
    if not (is_straight(loop) and loop.reductions and is_plain and calls & WITH_BRANCHES):
        return [], []
    free = FreeVars()
    places: list[l.Stm] = []
    late: set[str] = set()
    reads: dict[int, Exp] = {}
    for statement, exp in [(s, e) for s in loop.body for e in expressions_of(s)]:
        for found in _outermost(exp):
            if late.isdisjoint(free.names(found)):
                reads[id(found)] = found
        is_place = isinstance(statement, l.Declare) and not statement.mutable
        if is_place and late.isdisjoint(free.names(exp)) and not any(isinstance(n, Read) for n in nodes(exp)):
            places.append(statement)
        elif isinstance(statement, l.Declare | l.Assign):
            late.add(statement.var.name)
    wanted = list(reads.values())
    return (places, wanted) if 0 < len(wanted) <= MOST_READS else ([], [])


def _outermost(exp: Exp) -> Iterator[Exp]:
    """The doubles in an expression that are read, each with the conditions on which it is."""
    if exp.ty is Base.DOUBLE and isinstance(exp, Read | Select):
        inside = list(nodes(exp))
        chosen = [n for n in inside if isinstance(n, Call) and n.ty is Base.DOUBLE]
        if (
            any(isinstance(n, Read) for n in inside)
            and all(isinstance(n, _PLACES) for n in inside)
            and not chosen
        ):
            yield exp
            return
    if isinstance(exp, Select):
        yield from _outermost(exp.cond)
        return
    for operand in operands(exp) if isinstance(exp, Call | Sum) else ():
        yield from _outermost(operand)


class Batches(Sweeps):
    """The lines of such loops."""

    printer: ClPrinter

    def in_batches(self, loop: l.For) -> l.For | None:
        """The loop, but for its last rounds, in batches, and these; None where nothing is read early."""
        places, reads = early_reads(loop)
        if not reads:
            return None
        start, stop = self.text(loop.start), self.text(loop.stop)
        first = self.declare("batch:")
        held = [self.declare("held:") for _ in reads]
        whole, name = self.end_of_whole(start, stop, BATCH)
        self.head(f"for (int64_t {first} = {start}; {first} < {name}; {first} += {BATCH}) {{")
        for each in held:
            self.line(f"double {each}[{BATCH}];")

        def read(turn: str) -> None:
            for statement in places:
                self.statement(statement)
            for each, exp in zip(held, reads, strict=True):
                self.line(f"{each}[{turn}] = aplc_held({self.text(exp)});")

        def use(turn: str) -> None:
            known = {id(exp): f"{each}[{turn}]" for each, exp in zip(held, reads, strict=True)}
            with self.holding(known):
                for statement in loop.body:
                    self.statement(statement)

        for phase in (read, use):
            self.rounds(loop, first, phase)
        self.foot()
        return replace(loop, start=whole)

    def end_of_whole(self, start: str, stop: str, size: int) -> tuple[Var, str]:
        """Where the last whole block of so many rounds ends: a new variable, and its text."""
        whole = Var("whole:", Base.INT, True)  # no other variable is called so
        name = self.declare(whole.name)
        length = stop if start == "0" else f"{stop} - ({start})"
        count = f"max((long)({length}), 0L)"  # one type, or it is ambiguous which function is meant
        count = count if start == "0" else f"{start} + {count}"
        self.line(f"const int64_t {name} = {count} / {size} * {size};")
        return whole, name

    def rounds(self, loop: l.For, first: str, phase: Callable[[str], None]) -> None:
        """A loop over the rounds of a batch."""
        turn = self.declare("turn:")
        outside, self.printer.in_loop = self.printer.in_loop, True
        self.line("#pragma unroll")
        self.head(f"for (int32_t {turn} = 0; {turn} < {BATCH}; {turn}++) {{")
        self.line(f"const int64_t {self.declare(loop.var.name)} = {first} + {turn};")
        phase(turn)
        self.foot()
        self.printer.in_loop = outside

    @contextmanager
    def holding(self, known: dict[int, str]) -> Iterator[None]:
        """While expressions, by identity, have been read already, under these names."""
        outside, self.printer.held = self.printer.held, known
        try:
            yield
        finally:
            self.printer.held = outside
