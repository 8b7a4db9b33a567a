"""What stands left of an arrow: one name, names for the items of a value, a name with an index.

    target ::= place function?   place ::= name | name bracket | several | selection
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
from aplc.tail.errors import first_line, unsupported
from aplc.tail.source import Span


@dataclass(frozen=True, slots=True)
class Indexed:
    """`name[i;j]`"""

    name: Name
    indices: tuple[tree.Array | None, ...]


@dataclass(frozen=True, slots=True)
class Selected:
    """`(2↑x)`: functions that choose among the elements of an array, and its name."""

    name: Name
    selection: tree.Array


SELECTING = frozenset("↑↓⌽⊖⍉⊃/⌿\\⍀⍴⌷⊢"), frozenset(",⍪∊")
"""Primitive functions that choose and arrange elements, and those that do with one argument alone."""


@dataclass(frozen=True, slots=True)
class Target:
    """What stands left of an arrow, and for `x f←y` the function."""

    what: Name | Indexed | Selected | tree.Targets
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
    what: Name | Indexed | Selected | tree.Targets
    match array.node:
        case tree.Strand(parts=(Name() as name,)):
            what = _changeable(name)
        case tree.Index(array=Name() as name, indices=indices):
            what = Indexed(_changeable(name), indices)
        case tree.Strand(parts=parts) if all(isinstance(part, Name) for part in parts):
            names = [_changeable(part) for part in parts if isinstance(part, Name)]
            what = tree.Targets(tuple(names), array.span)
        case tree.Strand(parts=(*_, Number() | Zilde() | Chars() as constant)):
            raise syntax_error("a constant cannot be assigned to", constant.span)
        case node if isinstance(node, tree.ARRAY_NODES):
            what = _selected(node, array.span)
        case _:
            raise syntax_error("left of ← stand a name and one function: put ( ) around a train", arrow.span)
    return Target(what, function.node, arrow.span, array.span.join(function.span))


def selected_target(items: tuple[Item, ...], array: Piece, arrow: Arrow) -> Target:
    """`(selection)` left of an arrow; `items` are those of the row up to it."""
    item = items[-1]
    assert isinstance(array.node, tree.ARRAY_NODES)
    match array.node:
        case tree.Strand(parts=(*_, Number() | Zilde() | Chars())):
            raise syntax_error("a constant cannot be assigned to", item.span)
        case tree.Index(array=tree.Index()) | tree.Strand(parts=(*_, tree.Index(array=tree.Index()))):
            what = "assignment to an item of an item"
            raise unsupported(what, item.span, "write x[i;j]←value for a matrix")
        case node:
            return Target(_selected(node, item.span), None, arrow.span, array.span)


def _selected(selection: tree.Array, span: Span) -> Selected:
    """A selection of elements of an array that has a name, which is the last of its text."""
    node: tree.Part = selection
    while not isinstance(node, Name):
        match node:
            case tree.Strand(parts=(only,)):
                node = only
            case tree.Index(array=array):
                node = array
            case tree.Apply(function=function, left=left, right=right) if _selects(function, left):
                node = right
            case tree.Apply(function=function):
                what = f"assignment to what {first_line(function.span.text)} gives"
                symbols = " ".join(sorted(SELECTING[0] | SELECTING[1] | {"¨"}))
                raise unsupported(
                    what, function.span, f"functions that choose elements are {symbols} and [ ]"
                )
            case Number() | Zilde() | Chars():
                raise syntax_error("a constant cannot be assigned to", node.span)
            case _:
                raise unsupported(
                    "selective assignment, (expression)←value,", span, "write name[indices]←value"
                )
    return Selected(_changeable(node), selection)


def _selects(function: tree.Function, left: tree.Array | None) -> bool:
    """Whether a function chooses or arranges elements, and does nothing else."""
    match function:
        case tree.Primitive(symbol=symbol):
            return symbol in SELECTING[0] or (symbol in SELECTING[1] and left is None)
        case tree.Derived(operator="¨", left=inner, right=None) if not isinstance(inner, tree.Jot):
            return not isinstance(inner, tree.ARRAY_NODES) and _selects(inner, left)
        case _:
            return False


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
