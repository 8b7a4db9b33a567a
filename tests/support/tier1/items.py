"""The productions of `tier1_programs` with arrays of arrays: made of flat ones, changed, and made flat again.

In plain Python such an array is a list of lists. An expression makes one of a vector or a matrix (`MAKERS`),
does something to its items or to where they are, any number of times, and ends in a flat array.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.support.plain_apl.array import A, vector
from tests.support.tier1.expressions import E, Gen, Want
from tests.support.tier1.table import entry

Items = list[list[int]]

SHORT = Want(("int",), (1,), True, lambda a: len(a.data) < 12 and all(-1000 < x < 1000 for x in a.data))
TABLE = Want(("int",), (2,), True, lambda a: len(a.data) < 30 and all(-1000 < x < 1000 for x in a.data))
MOST = 60
"""More elements than this are not made."""

# --- made of flat arrays ----------------------------------------------------------------------------------


def _cut(gen: Gen, e: E) -> tuple[str, Items]:
    marks = [gen.below(3) if gen.chance(3) else gen.below(2) for _ in e.value.data]
    items: Items = []
    for mark, x in zip(marks, e.value.data, strict=True):
        items += [[] for _ in range(mark)]
        if items:
            items[-1].append(x)
    return f"{gen.leaf(vector('int', marks)).guarded}⊂{e.text}", items


def _partition(gen: Gen, e: E) -> tuple[str, Items]:
    marks = [gen.below(3) for _ in e.value.data]
    items: Items = []
    before = 0
    for mark, x in zip(marks, e.value.data, strict=True):
        if mark > before:
            items.append([])
        if mark:
            items[-1].append(x)
        before = mark
    return f"{gen.leaf(vector('int', marks)).guarded}⊆{e.text}", items


def _prefixes(gen: Gen, e: E) -> tuple[str, Items]:
    data = list(e.value.data)
    return f",\\{e.text}", [data[: k + 1] for k in range(len(data))]


def _windows(gen: Gen, e: E) -> tuple[str, Items]:
    data = list(e.value.data)
    n = 1 + gen.below(len(data) + 1) if data else 1
    return f"{n},/{e.text}", [data[k : k + n] for k in range(len(data) - n + 1)]


def _counted(gen: Gen, e: E) -> tuple[str, Items]:
    return f"{{⍳5||⍵}}¨{e.text}", [list(range(1, abs(x) % 5 + 1)) for x in e.value.data]


def _filtered(gen: Gen, e: E) -> tuple[str, Items]:
    k = gen.below(5)
    rest = [(x, [y for y in range(1, abs(x) % 7 + 1) if (y + x) % 2]) for x in e.value.data]
    return f"{{x←⍵ ⋄ {{(2|⍵+x)/⍵}}⍳7||⍵}}¨{e.text}" if k else f"{{(2|⍵+⍳7||⍵)/⍳7||⍵}}¨{e.text}", [
        r for _, r in rest
    ]


MAKERS: list[Callable[[Gen, E], tuple[str, Items]]] = [
    _cut, _partition, _prefixes, _windows, _counted, _filtered,
]  # fmt: skip


def _split(e: E) -> tuple[str, Items]:
    rows, columns = e.value.shape
    return f"↓{e.text}", [list(e.value.data[i * columns : (i + 1) * columns]) for i in range(rows)]


# --- changed ------------------------------------------------------------------------------------------------


def _change(gen: Gen, text: str, items: Items) -> tuple[str, Items]:
    """One step more."""
    n = len(items)
    k = gen.below(4)
    match gen.below(15):
        case 0:
            return f"⌽{text}", items[::-1]
        case 1:
            return f"⌽¨{text}", [item[::-1] for item in items]
        case 2:
            return f"{k}↑¨{text}", [(item + [0] * k)[:k] for item in items]
        case 3:
            return f"{k}↓{text}", items[k:]
        case 4:
            return f"1↓¨{text}", [item[1:] for item in items]
        case 5:
            return f"{k}↑{text}", [*items, *([[]] * k)][:k]
        case 6:
            return f"{k}⌽{text}", items[k % n :] + items[: k % n] if n else items
        case 7:
            return f"{k}+{text}", [[k + x for x in item] for item in items]
        case 8:
            return f"{{⍵,⊂7 8}}{text}", [*items, [7, 8]]
        case 9:
            return f"{k},¨{text}", [[k, *item] for item in items]
        case 10:
            mask = [gen.below(2) for _ in items]
            kept = [item for item, m in zip(items, mask, strict=True) if m]
            return f"{gen.leaf(vector('int', mask)).guarded}/{text}", kept
        case 11 if n:
            places = [gen.below(n) for _ in range(k)]
            at = gen.leaf(vector("int", [p + 1 for p in places])).guarded
            return f"{{⍵[{at}]}}{text}", [items[p] for p in places]
        case 12:
            return f"{{(2|⍵)/⍵}}¨{text}", [[x for x in item if x % 2] for item in items]
        case 13:
            found: Items = []
            for item in items:
                if item not in found:
                    found.append(item)
            return f"∪{text}", found
        case _:
            return f"{{⍵[⍋⍵]}}¨{text}", [sorted(item) for item in items]


# --- made flat again ----------------------------------------------------------------------------------------


def _end(gen: Gen, text: str, items: Items) -> tuple[str, A]:
    """A flat array of them."""
    n = len(items)
    match gen.below(8):
        case 0:
            return f"≢¨{text}", vector("int", [len(item) for item in items])
        case 1:
            return f"+/¨{text}", vector("int", [sum(item) for item in items])
        case 2:
            return f"∊{text}", vector("int", [x for item in items for x in item])
        case 3:
            width = max([len(item) for item in items], default=0)
            rows = [x for item in items for x in (item + [0] * width)[:width]]
            return f"↑{{⍵}}¨{text}", A("int", (n, width), tuple(rows))
        case 4 if n:
            k = gen.below(n)
            return f"{k + 1}⊃{text}", vector("int", items[k])
        case 5 if n:
            return f"⊃{text}", vector("int", items[0])
        case 6 if n:
            k = gen.below(n)
            return f"{{⍵⍳⍵[{k + 1}]}},{text}", A("int", (), (items.index(items[k]) + 1,))
        case _:
            return f"⍴{text}", vector("int", [n])


@entry("⊂⊆", "items")
def _items(gen: Gen, depth: int, symbol: str) -> E:
    """An expression with an array of arrays inside of it"""
    if gen.chance(5):
        e = gen.operand(depth - 1, TABLE)
        text, items = _split(e)
    else:
        e = gen.operand(depth - 1, SHORT)
        text, items = gen.pick(MAKERS)(gen, e)
    for _ in range(gen.below(4)):
        if sum(map(len, items)) + len(items) < MOST:
            text, items = _change(gen, text, items)
    text, value = _end(gen, text, items)
    return gen.made(text, lambda: value, e)
