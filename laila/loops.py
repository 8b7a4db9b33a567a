"""The loop language of Laila (thesis section 3.4): what a program does, step by step, for one target thread.

    stm ::= declare x [= e] | x := e | b[e] := e
         |  for x in e … e  { stm* }            ascending, or descending
         |  if e { stm* } else { stm* }
         |  fail unless e | alloc | free | output

Expressions are those of `scalar` without folds and checks. `generate` makes these statements; printers
turn them into C.
"""

from __future__ import annotations

from dataclasses import dataclass

from laila.program import Ref
from laila.scalar import Buffer, Exp, Site, Var
from tail.prims import Prim


@dataclass(frozen=True, slots=True)
class Declare:
    """A new variable; one that is assigned to later is mutable."""

    var: Var
    value: Exp | None
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """A new value for a mutable variable."""

    var: Var
    value: Exp


@dataclass(frozen=True, slots=True)
class Store:
    """A new value for an element of a buffer."""

    buffer: Buffer
    position: Exp
    value: Exp


@dataclass(frozen=True, slots=True)
class Reduction:
    """A variable that a loop accumulates into, and the associative operator by which it does."""

    op: Prim
    var: Var


@dataclass(frozen=True, slots=True)
class For:
    """The body for each index from `start` up to `stop`, exclusive; from `stop - 1` down if descending.

    `reductions` are what a target may accumulate in several lanes; None: in order, one by one.
    """

    var: Var
    start: Exp
    stop: Exp
    body: tuple[Stm, ...]
    reductions: tuple[Reduction, ...] | None = None
    descending: bool = False


@dataclass(frozen=True, slots=True)
class If:
    """One of two bodies."""

    cond: Exp
    then: tuple[Stm, ...]
    other: tuple[Stm, ...] = ()


@dataclass(frozen=True, slots=True)
class Fail:
    """An APL error unless the condition holds."""

    ok: Exp
    site: Site
    reported: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class Allocate:
    """Memory for a number of elements, or WS FULL."""

    buffer: Buffer
    size: Exp
    site: Site


@dataclass(frozen=True, slots=True)
class Release:
    """The end of a buffer's life."""

    buffer: Buffer


@dataclass(frozen=True, slots=True)
class Emit:
    """Hands a value out."""

    value: Ref
    is_result: bool


Stm = Declare | Assign | Store | For | If | Fail | Allocate | Release | Emit
