"""The program of Laila: host statements, with parallel operations (SOACs) as leaves.

    program ::= statement*
    stm     ::= x = e                           a host scalar; a REDUCE where e is a fold
             |  alloc b[e] | free b
             |  MAP b[…] = e over space         one element of a new array for each point of an index space
             |  put b[e] = e                    a single element
             |  check e                         an APL error unless the condition holds
             |  print v | result v

Parallelism is explicit in MAP and in folds: their bodies (pull thunks) are scalar expressions without
effects, apart from checks. Statements run in order. What a loop looks like, where memory is reused and
what a target does with a SOAC is decided below.
"""

from __future__ import annotations

from dataclasses import dataclass

from laila.scalar import Buffer, Exp, Site, Var
from tail.types import Base


@dataclass(frozen=True, slots=True)
class Space:
    """An index space: indices from outermost to innermost, each below its extent."""

    indices: tuple[Var, ...]
    extents: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class HostLet:
    """`x = e`, computed once on the host."""

    var: Var
    value: Exp


@dataclass(frozen=True, slots=True)
class Alloc:
    """Memory for a number of elements."""

    buffer: Buffer
    size: Exp
    site: Site


@dataclass(frozen=True, slots=True)
class Free:
    """The end of a buffer's life."""

    buffer: Buffer


@dataclass(frozen=True, slots=True)
class Map:
    """Writes `body` at each point of the space, at `position` in the buffer."""

    buffer: Buffer
    space: Space
    position: Exp
    body: Exp


@dataclass(frozen=True, slots=True)
class Put:
    """Writes one element."""

    buffer: Buffer
    position: Exp
    value: Exp


@dataclass(frozen=True, slots=True)
class HostCheck:
    """An APL error unless the condition holds."""

    ok: Exp
    site: Site
    reported: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class ArrayRef:
    """An array in a buffer."""

    buffer: Buffer
    shape: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class ScalarRef:
    """A scalar value."""

    value: Exp


Ref = ArrayRef | ScalarRef


@dataclass(frozen=True, slots=True)
class Output:
    """Hands a value out: printed at once, or part of the result. A result's buffer changes hands."""

    value: Ref
    is_result: bool


Statement = HostLet | Alloc | Free | Map | Put | HostCheck | Output


@dataclass(frozen=True, slots=True)
class Parameter:
    """An input: its buffer and its extents, known when the program starts."""

    name: str
    ty: Base
    buffer: Buffer
    extents: tuple[Var, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A whole program."""

    parameters: tuple[Parameter, ...]
    statements: tuple[Statement, ...]


def expressions(statement: Statement) -> tuple[Exp, ...]:
    """The expressions of a statement."""
    match statement:
        case HostLet(value=value):
            return (value,)
        case Alloc(size=size):
            return (size,)
        case Free():
            return ()
        case Map(space=space, position=position, body=body):
            return (*space.extents, position, body)
        case Put(position=position, value=value):
            return (position, value)
        case HostCheck(ok=ok, reported=reported):
            return (ok, *reported)
        case Output(value=reference):
            return reference.shape if isinstance(reference, ArrayRef) else (reference.value,)
