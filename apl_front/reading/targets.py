"""What stands left of an arrow: one name, names for the items of a value, a name with an index.

    target ::= name | name bracket | several | (name | name bracket) function
    several ::= part+            part ::= name | '(' part+ ')'

Where targets stand is known (`rows`); here they are read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.arrows import unwrapped
from aplc.apl_front.reading.classes import Classes
from aplc.apl_front.reading.mistakes import syntax_error
from aplc.apl_front.syntax.ast import Arrow, Bracket, Chars, Item, Name, Number, Paren, Zilde
from aplc.tail.errors import AplcError, unsupported
from aplc.tail.source import Span


@dataclass(frozen=True, slots=True)
class Indexed:
    """`name[i;j]`"""

    name: Name
    indices: tuple[tree.Array | None, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """What stands left of an arrow, and for `x f←y` the function."""

    what: Name | Indexed | tree.Targets
    modifier: tree.Function | None
    arrow: Span
    span: Span


@dataclass(frozen=True, slots=True)
class Piece:
    """An array or a function of a row, and the text that it takes, parentheses included."""

    node: tree.Array | tree.Function
    span: Span


Indices = Callable[[Bracket], tuple[tree.Array | None, ...]]
"""What stands between brackets and semicolons."""


def plain_target(items: tuple[Item, ...], arrow: Arrow, classes: Classes, indices: Indices) -> Target:
    """`name`, `name[i]` or several names, left of an arrow."""
    span = items[0].span.join(items[-1].span)
    what: Name | Indexed | tree.Targets
    if isinstance(bracket := items[-1], Bracket):
        name = items[0]
        assert isinstance(name, Name)
        if classes.is_function(name):
            raise syntax_error(f"{name.name} is a function and has no items", name.span)
        what = Indexed(_changeable(name), indices(bracket))
    elif len(items) == 1 and isinstance(single := unwrapped(items[0]), Name):
        if single.name in ("⍵", "∇", "⍺⍺", "⍵⍵", "∇∇"):
            raise syntax_error(f"{single.name} cannot be assigned to", single.span)
        what = single
    elif len(items) == 1 and isinstance(group := items[0], Paren):
        what = _several(group.items, span)
    else:
        what = _several(items, span)
    return Target(what, None, arrow.span, span)


def modified_target(before: list[Piece | Target], arrow: Arrow) -> Target:
    """`x f` or `x[i]f` left of an arrow: the last two pieces, of which the second is a function."""
    function, array = before[-1], before[-2] if len(before) > 1 else None
    assert isinstance(function, Piece) and not isinstance(function.node, tree.ARRAY_NODES)
    if not isinstance(array, Piece):
        raise syntax_error("there is no name left of ←", arrow.span)
    what: Name | Indexed
    match array.node:
        case tree.Strand(parts=(Name() as name,)):
            what = _changeable(name)
        case tree.Index(array=Name() as name, indices=indices):
            what = Indexed(_changeable(name), indices)
        case tree.Strand(parts=parts) if all(isinstance(part, Name) for part in parts):
            raise unsupported("modified assignment to several names", array.span, "take one at a time")
        case tree.Strand(parts=(*_, Number() | Zilde() | Chars() as constant)):
            raise syntax_error("a constant cannot be assigned to", constant.span)
        case node if isinstance(node, tree.ARRAY_NODES):
            raise _selective(array.span)
        case _:
            raise syntax_error("left of ← stand a name and one function: put ( ) around a train", arrow.span)
    return Target(what, function.node, arrow.span, array.span.join(function.span))


def no_target(items: tuple[Item, ...], array: Piece) -> AplcError:
    """Why an array cannot stand left of an arrow; `items` are those of the row up to the arrow."""
    item = items[-1]
    match array.node:
        case tree.Strand(parts=(*_, Number() | Zilde() | Chars())):
            return syntax_error("a constant cannot be assigned to", item.span)
        case tree.Index(array=tree.Index()) | tree.Strand(parts=(*_, tree.Index(array=tree.Index()))):
            what = "assignment to an item of an item"
            return unsupported(what, item.span, "write x[i;j]←value for a matrix")
        case _:
            return _selective(item.span)


def _changeable(name: Name) -> Name:
    """A name that may be changed in part or by a function, or be one of several."""
    if name.name in ("⍵", "∇", "⍺⍺", "⍵⍵", "∇∇", "⍺", "⎕", "⍞"):
        hint = ": give its value a name first" if name.name in "⍺⍵" else ""
        raise syntax_error(f"{name.name} cannot be changed{hint}", name.span)
    return name


def _several(items: tuple[Item, ...], span: Span) -> tree.Targets:
    """`a b (c d)` left of an arrow."""
    result: list[Name | tree.Targets] = []
    for item in items:
        if isinstance(name := unwrapped(item), Name):
            result.append(_changeable(name))
        else:
            assert isinstance(item, Paren)
            result.append(_several(item.items, item.span))
    return tree.Targets(tuple(result), span)


def _selective(span: Span) -> AplcError:
    what = "selective assignment, (expression)←value,"
    return unsupported(what, span, "write name[indices]←value")
