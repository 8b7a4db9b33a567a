"""What stands left of an arrow: one name, names for the items of a value, a name with an index.

    target ::= name | name bracket | several | (name | name bracket) function
    several ::= part+            part ::= name | '(' part+ ')'

Which of the names in a row are functions is asked of the caller: `x f←y` changes `x` if `f` is one, and gives
two names a value if it is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from aplc.apl_front.reading import tree
from aplc.apl_front.syntax.ast import Arrow, Bracket, Chars, Item, Name, Number, Paren, Zilde
from aplc.tail.errors import AplcError, CompileError, compile_error, unsupported
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

IsFunction = Callable[[Name], bool]
"""Whether a name is a function or operator so far."""


def syntax_error(message: str, span: Span) -> CompileError:
    """A SYNTAX ERROR."""
    return compile_error("SYNTAX ERROR", message, span)


def is_array(node: object) -> bool:
    """Whether a node is an array."""
    return isinstance(node, tree.ARRAY_NODES)


def unwrapped(item: Item) -> Item:
    """What stands alone in parentheses, however many."""
    while isinstance(item, Paren) and len(item.items) == 1:
        item = item.items[0]
    return item


# --- finding them ---


def target_names(item: Item) -> tuple[Name, ...]:
    """The names of an item that may stand left of an arrow: `x`, `(a b)`, `((a b) c)`; () if it may not."""
    names: list[Name] = []
    stack = [item]
    while stack:
        match stack.pop():
            case Name() as name:
                names.append(name)
            case Paren(items=inner):
                stack += reversed(inner)
            case _:
                return ()
    return tuple(names)


def find_targets(items: tuple[Item, ...], is_function: IsFunction) -> dict[int, int]:
    """Where each target of a row without a modifier begins, and where its arrow stands."""

    def joins(item: Item) -> bool:
        names = target_names(item)
        return bool(names) and not any(is_function(name) for name in names)

    found: dict[int, int] = {}
    for arrow, item in enumerate(items):
        if not isinstance(item, Arrow) or arrow == 0:
            continue
        start = arrow - 1
        if isinstance(items[start], Bracket) and start > 0 and isinstance(items[start - 1], Name):
            found[start - 1] = arrow
        elif target_names(items[start]):
            while start > 0 and joins(items[start - 1]) and joins(items[start]):
                start -= 1
            found[start] = arrow
    return found


def assigned_names(items: tuple[Item, ...]) -> Iterator[Name]:
    """The names that a row assigns, changes in part or modifies, from left to right; those in parentheses
    and brackets included, those in braces not.

    Classes are not asked for: of `x f←y` both names are told.
    """
    stack: list[Item | tuple[Item, ...]] = [items]
    while stack:
        entry = stack.pop()
        if isinstance(entry, tuple):
            targets = _target_positions(entry)
            inside = [(item,) if at in targets else _rows(item) for at, item in enumerate(entry)]
            stack += [row for rows in reversed(inside) for row in reversed(rows)]
        else:
            yield from target_names(entry)


def _rows(item: Item) -> tuple[tuple[Item, ...], ...]:
    """The rows in parentheses and brackets."""
    if isinstance(item, Paren):
        return (item.items,)
    return item.parts if isinstance(item, Bracket) else ()


def _target_positions(items: tuple[Item, ...]) -> set[int]:
    """The positions of the names, and parentheses around names, that an arrow on their right may change."""
    found: set[int] = set()
    for arrow, item in enumerate(items):
        if not isinstance(item, Arrow):
            continue
        at = arrow - 1
        while at >= 0 and not target_names(items[at]) and not isinstance(items[at], Arrow):
            at -= 1  # over a modifier or an index
        while at >= 0 and at not in found and target_names(items[at]):
            found.add(at)
            at -= 1
    return found


# --- reading them ---


def plain_target(items: tuple[Item, ...], arrow: Arrow, is_function: IsFunction, indices: Indices) -> Target:
    """`name`, `name[i]` or several names, left of an arrow."""
    span = items[0].span.join(items[-1].span)
    what: Name | Indexed | tree.Targets
    if isinstance(bracket := items[-1], Bracket):
        name = items[0]
        assert isinstance(name, Name)
        if is_function(name):
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
