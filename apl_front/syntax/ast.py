"""The syntax tree of APL text, as the parser leaves it.

    file      ::= statement*
    statement ::= item*                     an expression, an assignment, a definition
               |  item* ':' item*           a guard (inside braces)
    item      ::= Number | Zilde | Chars | Name | Glyph | Arrow | Paren | Bracket | Dfn

A function between two `∇` is an assignment of a `Dfn` to its name; beside its statements it has a `Header`,
and `Code`, which says in what order the statements are executed.

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
    """One numeric literal: an `int` without point or exponent that fits 64 bits, otherwise a `float`; with
    a `J` a `complex`.
    """

    value: int | float | complex
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

    `annotation` stands behind the opening brace. A definition between two `∇` has a header and code; its body
    is then all statements and conditions, in the order of the text.
    """

    body: tuple[Statement, ...]
    span: Span
    annotation: Annotation | None = field(default=None, compare=False)
    header: Header | None = field(default=None, compare=False)
    code: Code = field(default=(), compare=False)


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


# ---- definitions between two ∇ --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Test:
    """A condition: a statement that gives one 0 or 1."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Both:
    """Two conditions, the second asked where the first holds (`:AndIf`)."""

    first: Condition
    second: Condition


@dataclass(frozen=True, slots=True)
class Either:
    """Two conditions, the second asked where the first does not hold (`:OrIf`)."""

    first: Condition
    second: Condition


@dataclass(frozen=True, slots=True)
class IsCase:
    """Whether a value that is kept is that of a statement, or one of its items (`:Case`, `:CaseList`)."""

    kept: str
    statement: Statement
    of_list: bool


Condition = Test | Both | Either | IsCase


@dataclass(frozen=True, slots=True, eq=False)
class Keep:
    """The value of a statement, kept under a name that no program can spell."""

    name: str
    statement: Statement

    @property
    def span(self) -> Span:
        """That of the statement."""
        return self.statement.span


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """One of two ways."""

    condition: Condition
    then: Code
    otherwise: Code
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """Once more from the beginning, at the end and where something jumps to the label; a jump leaves it."""

    label: str
    body: Code
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """Once for each element; a jump to the label goes on with the next."""

    label: str
    target: Item
    elements: Statement
    body: Code
    span: Span
    is_parallel: bool = False
    """Whether the elements are arrays, one for each name, that are gone through side by side: `:InEach`."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statements; a jump to the label goes behind them."""

    label: str
    body: Code
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """To the label of something around it."""

    label: str
    span: Span


Node = Statement | Keep | If | Loop | For | Block | Jump
Code = tuple[Node, ...]
"""What is executed in order; every jump is to the label of something around it."""
RETURN = "return"
"""The label behind the last statement of a definition."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line of a definition between two `∇` says."""

    name: Name
    result: Item | None
    """A name, or several in parentheses."""
    is_shy: bool
    """Whether the result is not shown."""
    left: Name | None
    left_may_miss: bool
    right: Item | None
    """A name or names in parentheses; None for a function that has no arguments."""
    operands: tuple[Name, ...]
    locals: tuple[Name, ...]

    @property
    def is_niladic(self) -> bool:
        """Whether its name alone is a call."""
        return self.right is None

    @property
    def results(self) -> tuple[Name, ...]:
        """The names whose values are the result."""
        items = self.result.items if isinstance(self.result, Paren) else (self.result,)
        return tuple([item for item in items if isinstance(item, Name)])


@dataclass(frozen=True, slots=True)
class File:
    """All statements of one source, in order."""

    statements: tuple[Statement, ...]
    span: Span
