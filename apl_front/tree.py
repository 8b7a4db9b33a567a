"""APL statements after infix resolution: who is applied to what.

    array    ::= Strand | Apply | Assign | Index
    function ::= Primitive | FunctionName | Definition | Derived | Fork | Atop | AssignFunction
    operand  ::= array | function | Jot

`infix` builds these from items and name classes; `elaborate` gives them their meaning. Every node has the
span of the text that it stands for.
"""

from __future__ import annotations

from dataclasses import dataclass

from apl_front.ast import Chars, Dfn, Name, Number, Zilde
from tail.source import Span


@dataclass(frozen=True, slots=True)
class Strand:
    """One or more juxtaposed arrays; a single one stands for itself."""

    parts: tuple[Number | Zilde | Chars | Name | Array, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Apply:
    """A function applied to its right argument, and to a left one where there is one."""

    function: Function
    left: Array | None
    right: Array
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    """`name←value`; the value of the whole is the value assigned."""

    target: Name
    value: Array
    span: Span


@dataclass(frozen=True, slots=True)
class Primitive:
    """A primitive function by its symbol."""

    symbol: str
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionName:
    """A name whose class is function."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Definition:
    """A dfn where it stands."""

    dfn: Dfn
    span: Span


@dataclass(frozen=True, slots=True)
class Jot:
    """`∘` as the left operand of the outer product."""

    span: Span


@dataclass(frozen=True, slots=True)
class Derived:
    """An operator with its operands; a monadic one has no right operand."""

    operator: str
    left: Operand
    right: Operand | None
    span: Span


@dataclass(frozen=True, slots=True)
class Fork:
    """`(f g h)`: `(f ⍵) g (h ⍵)`; the left tine may be an array."""

    left: Function | Array
    middle: Function
    right: Function
    span: Span


@dataclass(frozen=True, slots=True)
class Atop:
    """`(f g)`: `f g ⍵`, or `f ⍺ g ⍵`."""

    outer: Function
    inner: Function
    span: Span


@dataclass(frozen=True, slots=True)
class AssignFunction:
    """`name←function`"""

    target: Name
    value: Function
    span: Span


Array = Strand | Apply | Assign
Function = Primitive | FunctionName | Definition | Derived | Fork | Atop | AssignFunction
Operand = Array | Function | Jot
Tree = Array | Function
ARRAY_NODES = (Strand, Apply, Assign)
FUNCTION_NODES = (Primitive, FunctionName, Definition, Derived, Fork, Atop, AssignFunction)
