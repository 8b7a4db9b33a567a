"""The first lines of definitions between two `∇`.

r←f w    r←a f w    f w    r←f    {r}←{a} f w;x;y    r←(f op) w    r←a (f op g) w    r←f (a b)
(r s)←f w
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.syntax.ast import Arrow, Dfn, Header, Item, Name, Paren, Statement
from aplc.apl_front.syntax.fields import Fields, Reading
from aplc.tail.source import cover


def header_of(fields: Fields, reading: Reading) -> Header | None:
    """What a header says; None where it says nothing, which is reported."""
    opening, *items = fields.parts[0]
    colon = next((mark for mark in fields.marks if mark.text == ":"), None)
    result: Item | None = None
    if len(items) > 1 and isinstance(items[1], Arrow):
        result, items = items[0], items[2:]
    locals_: list[Name] = []
    for item in [item for part in fields.parts[1:] for item in part]:
        if isinstance(item, Name):
            locals_.append(item)
        elif colon is None:
            reading.report("only names stand behind ; in the header of a function", item.span)
    shown = None if result is None else _braced(result) or result
    made = None
    if colon is None and (shown is None or _is_result(shown)):
        made = _signature(items, shown, result is not shown, tuple(locals_))
    if made is None:
        span = colon or cover(opening.span, *[item.span for item in items]) or opening.span
        reading.report("∇ needs a header, r←f x or r←x f y, and ;names that are local", span)
    return made


def _signature(
    items: Sequence[Item], result: Item | None, is_shy: bool, locals_: tuple[Name, ...]
) -> Header | None:
    """A header with this name, arguments and operands; None where these are none."""
    left: Item | None = None
    right: Item | None = None
    match items:
        case (name,):
            pass
        case (name, right):
            pass
        case (left, name, right):
            pass
        case _:
            return None
    operands: list[Name] = []
    if isinstance(name, Paren) and right is not None:
        match name.items:
            case (Name() as first, Name() as name):
                operands = [first]
            case (Name() as first, Name() as name, Name() as second):
                operands = [first, second]
            case _:
                pass
    alone = None if left is None else _braced(left) or left
    if not isinstance(name, Name) or not isinstance(alone, Name | None):
        return None
    if right is not None and not is_argument(right):
        return None
    return Header(name, result, is_shy, alone, alone is not left, right, tuple(operands), locals_)


def is_argument(item: Item) -> bool:
    """Whether an item is a name, or names in parentheses."""
    return isinstance(item, Name) or (isinstance(item, Paren) and all(is_argument(i) for i in item.items))


def _is_result(item: Item) -> bool:
    """Whether an item is a name, or several in parentheses."""
    several = isinstance(item, Paren) and len(item.items) > 1 and all(isinstance(i, Name) for i in item.items)
    return isinstance(item, Name) or several


def _braced(item: Item) -> Item | None:
    """What stands alone in `{…}`."""
    match item:
        case Dfn(body=(Statement(items=(inner,), guard=None),)):
            return inner
        case _:
            return None
