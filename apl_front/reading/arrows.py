"""What stands left of arrows by the text alone, before the class of any name is known."""

from __future__ import annotations

from collections.abc import Iterator

from aplc.apl_front.syntax.ast import Arrow, Bracket, Item, Name, Paren


def unwrapped(item: Item) -> Item:
    """What stands alone in parentheses, however many."""
    while isinstance(item, Paren) and len(item.items) == 1:
        item = item.items[0]
    return item


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


def selected_name(item: Item) -> Name | None:
    """The name that an arrow behind a selection changes, as in `(2↑x)←v`: the last one in it."""
    while isinstance(item, Paren) and item.items:
        inner = item.items
        item = inner[-2] if isinstance(inner[-1], Bracket) and len(inner) > 1 else inner[-1]
    return item if isinstance(item, Name) else None


def assigned_names(items: tuple[Item, ...]) -> Iterator[Name]:
    """The names that a row assigns, changes in part or modifies, from left to right; those in parentheses
    and brackets included, those in braces not.

    Classes are not asked for: of `x f←y` both names are told.
    """
    stack: list[Item | tuple[Item, ...]] = [items]
    while stack:
        entry = stack.pop()
        if isinstance(entry, tuple):
            targets, selections = _target_positions(entry)
            inside = [(item,) if at in targets else rows_inside(item) for at, item in enumerate(entry)]
            yield from [name for at in sorted(selections) if (name := selected_name(entry[at])) is not None]
            stack += [row for rows in reversed(inside) for row in reversed(rows)]
        else:
            yield from target_names(entry)


def rows_inside(item: Item) -> tuple[tuple[Item, ...], ...]:
    """The rows in parentheses and brackets."""
    if isinstance(item, Paren):
        return (item.items,)
    return item.parts if isinstance(item, Bracket) else ()


def _target_positions(items: tuple[Item, ...]) -> tuple[set[int], set[int]]:
    """The positions of the names, and parentheses around names, that an arrow on their right may change; and
    those of other parentheses that may be a selection.
    """
    found: set[int] = set()
    selections: set[int] = set()
    for arrow, item in enumerate(items):
        if not isinstance(item, Arrow):
            continue
        at = arrow - 1
        while at >= 0 and not target_names(items[at]) and not isinstance(items[at], Arrow):
            if isinstance(items[at], Paren):
                selections.add(at)
            at -= 1  # over a modifier or an index
        while at >= 0 and at not in found and target_names(items[at]):
            found.add(at)
            at -= 1
    return found, selections
