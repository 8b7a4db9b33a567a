"""The syntax tree of APL text, as the parser leaves it.

    file      ::= statement*
    statement ::= item*                     an expression, an assignment, a definition
               |  item* ':' item*           a guard (inside braces)
    item      ::= Number | Zilde | Chars | Name | Glyph | Arrow | Paren | Bracket | Dfn

A dfn and a statement have the annotation that stands in a comment, if there is one: see `annotations`.
Items stand in the order of the text. Which of them are functions, what a juxtaposition means (strand,
application, train), and what an arrow assigns to, depends on the name classes in scope: that is decided by
`infix`, not here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from aplc.tail.source import Span
from aplc.tail.types import Func, Type


@dataclass(frozen=True, slots=True)
class Number:
    """One numeric literal: an `int` without point or exponent that fits 64 bits, otherwise a `float`."""

    value: int | float
    span: Span


@dataclass(frozen=True, slots=True)
class Zilde:
    """`⍬`, the empty numeric vector."""

    span: Span


@dataclass(frozen=True, slots=True)
class Chars:
    """A quoted text: one character is a scalar, any other number a vector."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A user's name, one of `⍺ ⍵ ⍺⍺ ⍵⍵ ∇`, or a system name (`⎕`, or `⎕io` in lower case)."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Glyph:
    """A primitive symbol, look-alikes already replaced: a function or an operator."""

    symbol: str
    span: Span


@dataclass(frozen=True, slots=True)
class Arrow:
    """`←`"""

    span: Span


@dataclass(frozen=True, slots=True)
class Paren:
    """Items in round brackets (never empty)."""

    items: tuple[Item, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Bracket:
    """`[a;b;]`: an index or an axis; an omitted part is an empty tuple."""

    parts: tuple[tuple[Item, ...], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Part:
    """A parameter or the result in an annotation."""

    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Annotation:
    """The type that a comment claims. The result is the last part; a value's type has no other."""

    type: Func
    parts: tuple[Part, ...]
    operands: int
    """How many parameters are operands, `⍺⍺ ⍵⍵`; the others are `⍺ ⍵` or `⍵`."""
    span: Span

    @property
    def names(self) -> tuple[str, ...]:
        """What the parameters are called inside the braces."""
        arguments = len(self.parts) - 1 - self.operands
        return ("⍺⍺", "⍵⍵")[: self.operands] + ("⍺", "⍵")[2 - arguments :]


@dataclass(frozen=True, slots=True)
class Dfn:
    """`{…}`, a function or an operator. The span covers both braces.

    `annotation` stands behind the opening brace.
    """

    body: tuple[Statement, ...]
    span: Span
    annotation: Annotation | None = field(default=None, compare=False)


Item = Number | Zilde | Chars | Name | Glyph | Arrow | Paren | Bracket | Dfn


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. `guard` holds the condition's items where it is a guard, else None.

    `annotation` stands in the lines above.
    """

    items: tuple[Item, ...]
    span: Span
    guard: tuple[Item, ...] | None = None
    annotation: Annotation | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class File:
    """All statements of one source, in order."""

    statements: tuple[Statement, ...]
    span: Span
