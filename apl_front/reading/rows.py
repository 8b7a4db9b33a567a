"""A row of items, and where in it targets stand: the names that arrows give values to.

Whether names side by side are one target depends on their classes: `x f←y` changes `x` if `f` is a function,
and gives two names a value if it is none. A target with a function left of its arrow (`x f←`, `x[i]f←`) is
told from other text only when the row is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aplc.apl_front.reading.arrows import target_names, unwrapped
from aplc.apl_front.reading.classes import Classes, NameClass
from aplc.apl_front.syntax.ast import Arrow, Bracket, Dfn, Glyph, Item, Name
from aplc.apl_front.syntax.glyphs import DYADIC_OPERATORS


@dataclass(frozen=True, slots=True)
class Row:
    """A row with what is known of it before it is read."""

    items: tuple[Item, ...]
    classes: Classes
    targets: Mapping[int, int]
    """Where each target without a function begins, and where its arrow stands."""


def row_of(items: tuple[Item, ...], classes: Classes) -> Row:
    """A row of a statement whose classes are known. Raises `Poisoned` where a name beside a target is."""
    found = [_target_before(items, at, classes) for at, item in enumerate(items) if isinstance(item, Arrow)]
    return Row(items, classes, dict([target for target in found if target is not None]))


def _target_before(items: tuple[Item, ...], arrow: int, classes: Classes) -> tuple[int, int] | None:
    """Where the target of an arrow begins, and the arrow; None where there is none without a function."""

    def joins(item: Item) -> bool:
        names = target_names(item)
        return bool(names) and not any(classes.is_function(name) for name in names)

    start = arrow - 1
    if start < 0:
        return None
    if isinstance(items[start], Bracket) and start > 0 and isinstance(items[start - 1], Name):
        start -= 1
    elif target_names(items[start]):
        while start > 0 and joins(items[start - 1]) and joins(items[start]):
            start -= 1
    else:
        return None
    is_operand = start > 0 and _is_dyadic_operator(items[start - 1], classes)
    return None if is_operand else (start, arrow)  # in `x⌈∘n←y` the arrow belongs to the function


def _is_dyadic_operator(item: Item, classes: Classes) -> bool:
    if isinstance(item, Glyph):
        return item.symbol in DYADIC_OPERATORS
    only = unwrapped(item)
    return isinstance(only, Name | Dfn) and classes.found[only.span.start] is NameClass.DYADIC_OPERATOR
