"""Arrays of `plain_apl`, written as Python's own values."""

from typing import Any

from tests.support.plain_apl.array import A


def a(value: Any, shape: tuple[int, ...] | None = None) -> A:
    """An array from a scalar, a string, or nested lists; `shape` for what lists cannot say."""
    if isinstance(value, str):
        return A("char", (len(value),) if shape is None else shape, tuple(value))
    found: list[int] = []
    items = [value]
    while isinstance(items[0], list):
        found.append(len(items[0]))
        items = [x for row in items for x in row]
        if not items:
            break
    if items and isinstance(items[0], str):
        found.append(len(items[0]))
        items = [c for text in items for c in text]
    kinds = {type(x) for x in items}
    kind = "char" if str in kinds else "double" if float in kinds else "int" if int in kinds else "bool"
    if not items:
        kind = "int"
    if kind == "double":
        items = list(map(float, items))
    return A(kind, tuple(found) if shape is None else shape, tuple(items))


def empty(kind: str, *shape: int) -> A:
    return A(kind, shape, ())
