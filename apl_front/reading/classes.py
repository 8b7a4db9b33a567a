"""What the names and definitions of a statement are: asked once, before anything is read.

The class of a name is known to whoever knows the scope. `classified` asks for all of them in one pass; what
comes out is a value, in which the modules that read the statement look classes up. The tree of a statement
depends on its items and on this value alone.

Note [Names without value]
    That a name has no value is no mistake before its class is needed: it may be what an arrow gives a value
    to. In `(+/x)÷≢x←1 2 3` such a name stands left of its assignment: it is an array by the time it is
    needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from aplc.apl_front.reading.arrows import assigned_names, rows_inside, unwrapped
from aplc.apl_front.syntax.ast import Arrow, Bracket, Chars, Dfn, Glyph, Item, Name, Number, Paren, Zilde
from aplc.tail.errors import CompileError, Diagnostic


class NameClass(Enum):
    """What a name stands for."""

    ARRAY = "array"
    FUNCTION = "function"
    MONADIC_OPERATOR = "monadic operator"
    DYADIC_OPERATOR = "dyadic operator"
    UNDEFINED = "nothing yet"
    POISONED = "what a statement in error should have given"


Classify = Callable[[Name], NameClass]
"""The class of a name in scope."""


class NoValue(CompileError):
    """A name whose class is needed has no value: `Scope.missing` is the error to report."""

    def __init__(self, name: Name) -> None:
        self.name = name
        super().__init__(Diagnostic("VALUE ERROR", f"{name.name} is not defined", name.span))


class Poisoned(Exception):
    """The value of a name is missing because its own statement was in error, which has been reported."""


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of the names and definitions of one statement, those inside definitions left out."""

    answers: tuple[tuple[Name, NameClass], ...]
    """The names, and what was said of each when it was asked for."""
    found: Mapping[int, NameClass]
    """The classes by where in the text the name or definition begins."""

    def hold_for(self, classify: Classify) -> bool:
        """Whether the same would be said of all names again."""
        return all([classify(name) is answer for name, answer in self.answers])

    def of(self, item: Name | Dfn) -> NameClass:
        """The class of a name or definition. Raises `NoValue` or `Poisoned` for a name that has none."""
        found = self.found[item.span.start]
        if found is NameClass.POISONED:
            raise Poisoned
        if found is NameClass.UNDEFINED:
            assert isinstance(item, Name)
            raise NoValue(item)
        return found

    def operator(self, item: Item | None) -> NameClass | None:
        """The class of an operator of the user's, in parentheses or not; None for every other item."""
        item = None if item is None else unwrapped(item)
        found = self.of(item) if isinstance(item, Name | Dfn) else None
        return found if found in (NameClass.MONADIC_OPERATOR, NameClass.DYADIC_OPERATOR) else None

    def is_function(self, name: Name) -> bool:
        """Whether a name, which may have no value yet, is a function or operator so far."""
        return self.found[name.span.start] is not NameClass.UNDEFINED and self.of(name) is not NameClass.ARRAY


def classified(items: tuple[Item, ...], classify: Classify) -> Classes:
    """The classes of a statement. See Note [Names without value]."""
    answers: list[tuple[Name, NameClass]] = []
    found: dict[int, NameClass] = {}
    rows = [items]
    while rows:
        for item in rows.pop():
            if isinstance(item, Name):
                answers.append((item, classify(item)))
            elif isinstance(item, Dfn):
                found[item.span.start] = definition_class(item)
            else:
                rows += rows_inside(item)
    found |= {name.span.start: answer for name, answer in answers}
    undefined = [name for name, answer in answers if answer is NameClass.UNDEFINED]
    assigned = {name.name: name.span.start for name in assigned_names(items)} if undefined else {}
    for name in undefined:
        if name.span.start < assigned.get(name.name, -1):
            found[name.span.start] = NameClass.ARRAY
    return Classes(tuple(answers), found)


def definition_class(dfn: Dfn) -> NameClass:
    """What a dfn is: an operator if it mentions `⍺⍺` or `⍵⍵`, braces inside it excepted."""
    if dfn.header is not None:
        kinds = (NameClass.FUNCTION, NameClass.MONADIC_OPERATOR, NameClass.DYADIC_OPERATOR)
        return kinds[len(dfn.header.operands)]
    found = NameClass.FUNCTION
    stack: list[Item] = [item for s in dfn.body for item in (*(s.guard or ()), *s.items)]
    while stack:
        match stack.pop():
            case Name(name="⍵⍵"):
                return NameClass.DYADIC_OPERATOR
            case Name(name="⍺⍺"):
                found = NameClass.MONADIC_OPERATOR
            case Paren(items=inner):
                stack += inner
            case Bracket(parts=parts):
                stack += [item for part in parts for item in part]
            case Name() | Number() | Zilde() | Chars() | Glyph() | Arrow() | Dfn():
                pass
    return found
