"""APL statements after infix resolution: who is applied to what.

    array    ::= Strand | Apply | Index
              |  Assign | AssignModified | AssignIndexed | AssignSelective | AssignSeveral
    function ::= Primitive | FunctionName | Definition | Derived | UserDerived | Fork | Atop | AssignFunction
    operator ::= OperatorName | Definition | AssignOperator
    operand  ::= array | function | Jot

`infix` builds these from items and name classes; the elaborator gives them their meaning. Every node has the
span of the text that it stands for.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.apl_front.syntax.ast import Chars, Dfn, Name, Number, Zilde
from aplc.tail.source import Span


@dataclass(frozen=True, slots=True)
class Strand:
    """One or more juxtaposed arrays; a single one stands for itself."""

    parts: tuple[Part, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Apply:
    """A function applied to its right argument, and to a left one where there is one."""

    function: Function
    left: Array | None
    right: Array
    span: Span


@dataclass(frozen=True, slots=True)
class Index:
    """`a[i;;k]`: an omitted index is None. Binds tighter than a strand."""

    array: Part
    indices: tuple[Array | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    """`name←value`; the value of the whole is the value assigned."""

    target: Name
    value: Array
    span: Span


@dataclass(frozen=True, slots=True)
class AssignModified:
    """`name f←value`: the name becomes `name f value`; the value of the whole is the value on the right."""

    target: Name
    modifier: Function
    value: Array
    span: Span


@dataclass(frozen=True, slots=True)
class AssignIndexed:
    """`name[i;j]←value`, and `name[i;j] f←value` with a modifier."""

    target: Name
    indices: tuple[Array | None, ...]
    modifier: Function | None
    value: Array
    span: Span


@dataclass(frozen=True, slots=True)
class AssignSelective:
    """`(selection)←value`, and `(selection) f←value` with a modifier: the elements of the name that the
    selection finds are replaced. It is made of functions that choose and arrange, one behind the other.
    """

    target: Name
    selection: Array
    modifier: Function | None
    value: Array
    span: Span


@dataclass(frozen=True, slots=True)
class Targets:
    """`(a b (c d))` left of an arrow."""

    items: tuple[Name | Targets, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class AssignSeveral:
    """`(a b)←value`, and `(a b) f←value` with a modifier."""

    targets: Targets
    modifier: Function | None
    value: Array
    span: Span


@dataclass(frozen=True, slots=True)
class Primitive:
    r"""A primitive function by its symbol, with the axis in brackets behind it where there is one.

    `/ ⌿ \ ⍀` are functions where no function stands left of them (replicate and expand).
    """

    symbol: str
    span: Span
    axis: Array | None = None


@dataclass(frozen=True, slots=True)
class FunctionName:
    """A name whose class is function: the user's, `⍺⍺`, `⍵⍵`, `∇`, or a system function."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Definition:
    """A dfn where it stands; an operator if it mentions `⍺⍺` or `⍵⍵`."""

    dfn: Dfn
    span: Span


@dataclass(frozen=True, slots=True)
class Jot:
    """`∘` as the left operand of the outer product."""

    span: Span


@dataclass(frozen=True, slots=True)
class Derived:
    """A primitive operator with its operands, and its axis; a monadic one has no right operand."""

    operator: str
    left: Operand
    right: Operand | None
    span: Span
    axis: Array | None = None


@dataclass(frozen=True, slots=True)
class OperatorName:
    """A name whose class is operator: the user's, or `⎕bench`."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class UserDerived:
    """A named or defined operator with its operands; a monadic one has no right operand."""

    operator: OperatorName | Definition
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


@dataclass(frozen=True, slots=True)
class AssignOperator:
    """`name←{… ⍺⍺ …}`, or another name for an operator."""

    target: Name
    value: OperatorName | Definition
    span: Span


Array = Strand | Apply | Index | Assign | AssignModified | AssignIndexed | AssignSelective | AssignSeveral
Part = Number | Zilde | Chars | Name | Array
Function = Primitive | FunctionName | Definition | Derived | UserDerived | Fork | Atop | AssignFunction
Operand = Array | Function | Jot
Tree = Array | Function | AssignOperator
ASSIGNMENTS = (Assign, AssignModified, AssignIndexed, AssignSelective, AssignSeveral)
ARRAY_NODES = (Strand, Apply, Index, *ASSIGNMENTS)
FUNCTION_NODES = (Primitive, FunctionName, Definition, Derived, UserDerived, Fork, Atop, AssignFunction)


def is_array(node: object) -> bool:
    """Whether a node is an array."""
    return isinstance(node, ARRAY_NODES)
