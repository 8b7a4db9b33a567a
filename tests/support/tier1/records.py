"""The productions of `tier1_programs` with arrays of records and tables.

A vector of records is made field by field, item by item, in loops, by recursion or by keys (`MAKERS`); then
it is arranged, filtered, sorted, joined and changed, any number of times (`_keeping`, `_to_others`); and it
ends in one of its fields, in what is found in it, in a table, or as it is (`_ends`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl import mixed as m
from tests.support.plain_apl.array import A, AplError, NotTier1, ints, scalar
from tests.support.plain_apl.array import vector as simple
from tests.support.plain_apl.mixed import M
from tests.support.plain_apl.nested import N
from tests.support.tier1.expressions import E, Gen, Retry
from tests.support.tier1.record_makers import (
    Fields,
    Made,
    chars,
    made_of_records,
    new_record,
    of_fields,
    spelt,
)
from tests.support.tier1.table import entry

Work = Callable[[Any], Any]
Change = tuple[str, Work]
MOST = 80


# --- changed ----------------------------------------------------------------------------------------------


def _dyad(symbol: str, left: A) -> Callable[[A], A]:
    return lambda x: p.DYADIC[symbol](left, x)


def _arranging(gen: Gen, value: M) -> list[Change]:
    """What only chooses and arranges records."""
    k, size = gen.below(4), len(value.items)
    found: list[tuple[str, Callable[[A], A]]] = [
        ("⌽", p.MONADIC["⌽"]),
        ("⊖", p.MONADIC["⊖"]),
        (f"{k}↓", _dyad("↓", scalar(k))),
        (f"¯{k}↓", _dyad("↓", scalar(-k))),
        (f"{k}↑", _dyad("↑", scalar(k))),
        (f"¯{k}↑", _dyad("↑", scalar(-k))),
        (f"{k}⌽", _dyad("⌽", scalar(k))),
        (f"{k}/", _dyad("/", scalar(k))),
        (f"{k}⍴", _dyad("⍴", scalar(k))),
    ]
    changes = [(text, lambda x, work=work: m.arranged(x, work)) for text, work in found]
    if size:
        mask = ints(*[gen.below(3) for _ in range(size)])
        numbers = ints(*[gen.below(size) + 1 for _ in range(k)])
        holes = ints(*[1] * size, 0)
        index = gen.leaf(numbers).guarded
        changes += [
            (f"{gen.leaf(mask).guarded}/", lambda x: m.arranged(x, _dyad("/", mask))),
            (f"{gen.leaf(holes).guarded}\\", lambda x: m.arranged(x, _dyad("\\", holes))),
            (f"{{⍵[{index}]}}", lambda x: m.arranged(x, lambda y: p.bracket(y, [numbers]))),
            (f"(⊂{index})⌷", lambda x: m.arranged(x, lambda y: p.bracket(y, [numbers]))),
        ]
    return changes


def _column(x: M, k: int) -> list[Any]:
    return [row.items[k] for row in x.items]


def _ordered(x: M, order: A) -> M:
    return m.arranged(x, lambda y: p.bracket(y, [order]))


SORTED = frozenset(("text", "number", "real", "letter", "numbers"))
"""The fields that can be sorted."""


def _sorting(fields: Fields) -> list[Change]:
    found: list[Change] = []
    for k, field in enumerate(fields):
        if field in SORTED:
            column = "⊃¨⍵" if k == 0 else f"{k + 1}⊃¨⍵"
            found += [
                (f"{{⍵[⍋{column}]}}", lambda x, k=k: _ordered(x, m.order(_column(x, k)))),
                (f"{{⍵[⍒{column}]}}", lambda x, k=k: _ordered(x, m.order(_column(x, k), down=True))),
            ]
    if all(field in SORTED for field in fields):
        found.append(("{⍵[⍋⍵]}", lambda x: _ordered(x, m.order(x.items))))
        found.append(("{(⊂⍒⍵)⌷⍵}", lambda x: _ordered(x, m.order(x.items, down=True))))
    return found


def _filtering(gen: Gen, fields: Fields) -> list[Change]:
    found: list[Change] = [
        ("{⍵~1↓⍵}", lambda x: m.kept(x, [not _is_in(row, x.items[1:]) for row in x.items])),
        ("{⍵∩1↓⍵}", lambda x: m.kept(x, [_is_in(row, x.items[1:]) for row in x.items])),
        ("∪", lambda x: m.kept(x, m.first_of_each(x))),
        ("{(≠⍵)/⍵}", lambda x: m.kept(x, m.first_of_each(x))),
        ("{⍵/⍨⍵∊2↑⍵}", lambda x: m.kept(x, [_is_in(row, _some(x, 2)) for row in x.items])),
    ]
    for k, field in enumerate(fields):
        if field in ("number", "real"):
            limit = gen.pick((3, 0, 5))
            work = partial(_above, k, limit)
            found += [(f"{{({limit}<{k + 1}⊃¨⍵)/⍵}}", work), (f"{{⍵/⍨{{{limit}<{k + 1}⊃⍵}}¨⍵}}", work)]
        if field == "text":
            found.append(
                (f"{{⍵/⍨2≤≢¨{k + 1}⊃¨⍵}}", lambda x, k=k: m.kept(x, [len(c.data) > 1 for c in _column(x, k)]))
            )
    return found


def _above(k: int, limit: int, x: M) -> M:
    return m.kept(x, [c.data[0] > limit for c in _column(x, k)])


def _is_in(row: Any, rows: Sequence[Any]) -> bool:
    return any(m.equal(row, other) for other in rows)


def _some(x: M, count: int) -> Sequence[Any]:
    return m.arranged(x, _dyad("↑", scalar(count))).items


def _joining(gen: Gen, fields: Fields) -> list[Change]:
    row = new_record(gen, fields)
    text = spelt(gen, row)
    return [
        ("{⍵,⍵}", lambda x: m.vector([*x.items, *x.items])),
        ("{⍵⍪⌽⍵}", lambda x: m.vector([*x.items, *x.items[::-1]])),
        ("{⍵,1↑⍵}", lambda x: m.vector([*x.items, *_some(x, 1)])),
        (f"{{⍵,⊂{text}}}", lambda x: m.vector([*x.items, row])),
        (f"{{(⊂{text}),⍵}}", lambda x: m.vector([row, *x.items])),
        (f"{{r←⍵ ⋄ r,←⊂{text} ⋄ r}}", lambda x: m.vector([*x.items, row])),
        (f"{{⍵∪⊂{text}}}", lambda x: m.vector([*x.items, *([] if _is_in(row, x.items) else [row])])),
        (f"{{⍵~⊂{text}}}", lambda x: m.kept(x, [not m.equal(r, row) for r in x.items])),
        ("{r←0⍴⍵ ⋄ r⊣{r,←⊂⍵ ⋄ 0}¨⍵}", lambda x: x),
        ("{↓↑⍵}", lambda x: x if x.items else _refuse()),
        ("{0=≢⍵:⍵ ⋄ (⊂⊃⍵),∇1↓⍵}", lambda x: x),
        ("{0=≢⍵:⍵ ⋄ (∇1↓⍵),⊂⊃⍵}", lambda x: m.vector(x.items[::-1])),
        ("{1<≢⍵: 1↓⍵ ⋄ ⍵}", lambda x: m.vector(x.items[1:]) if len(x.items) > 1 else x),
        ("{⍵}¨", lambda x: x),
        ("(⌽⍣2)", lambda x: x),
        ("{1↓⍵,1↑⍵}⍣2⊢", lambda x: m.arranged(x, _turned) if x.items else _refuse()),
    ]


def _tabled(gen: Gen, value: M, fields: Fields) -> list[Change]:
    """What is done to the table of records, of which there is one at least."""
    size = len(value.items)
    if not size:
        return []
    mask, index = ints(*[gen.below(2) for _ in range(size)]), ints(*[gen.below(size) + 1 for _ in range(2)])
    at = gen.leaf(index).guarded
    found: list[Change] = [
        ("{↓⊖↑⍵}", lambda x: m.vector(x.items[::-1])),
        ("{↓1↓↑⍵}", lambda x: m.vector(x.items[1:])),
        ("{↓(↑⍵)⍪1↑↑⍵}", lambda x: m.vector([*x.items, x.items[0]])),
        ("{↓(↑⍵)⍪⊃⍵}", lambda x: m.vector([*x.items, x.items[0]])),
        (f"{{↓{gen.leaf(mask).guarded}⌿↑⍵}}", lambda x: m.arranged(x, _dyad("/", mask))),
        (f"{{↓(↑⍵)[{at};]}}", lambda x: m.arranged(x, lambda y: p.bracket(y, [index]))),
        ("{↓1⊖↑⍵}", lambda x: m.arranged(x, _dyad("⌽", scalar(1)))),
        ("{↓⍉⍉↑⍵}", lambda x: x),
        ("{t←↑⍵ ⋄ ↓t[⍋t[;1];]}", lambda x: _ordered(x, m.order(_column(x, 0)))),
        (f"{{t←↑⍵ ⋄ t[{size};]←t[1;] ⋄ ↓t}}", lambda x: m.vector([*x.items[:-1], x.items[0]])),
    ]
    return found if fields[0] in SORTED else [*found[:-2], found[-1]]


def _grouping(gen: Gen, value: M, fields: Fields) -> list[Change]:
    """What is done to groups of records, of which there is one at least, that are joined again."""
    if not value.items:
        return []
    mask = [1, *[gen.below(2) for _ in value.items[1:]]]
    cut = f"{gen.leaf(ints(*mask)).guarded}⊂"
    found: list[Change] = [
        (f"{{⊃,/{cut}⍵}}", lambda x: x),
        (f"{{⊃,/⌽{cut}⍵}}", lambda x: _together(_cut(x, mask)[::-1])),
        (f"{{⊃,/⌽¨{cut}⍵}}", lambda x: _together([group[::-1] for group in _cut(x, mask)])),
        (f"{{⊃,/1↓¨{cut}⍵}}", lambda x: _together([group[1:] for group in _cut(x, mask)])),
        (f"{{g←{cut}⍵ ⋄ ⊃,/g[⍋≢¨g]}}", lambda x: _together(sorted(_cut(x, mask), key=len))),
        (f"{{⊃{{⍵,⍺}}/{cut}⍵}}", lambda x: _together(_cut(x, mask)[::-1])),
        (f"{{g←{cut}⍵ ⋄ g[1]←⊂⌽⍵ ⋄ ⊃g}}", lambda x: m.vector(x.items[::-1])),
        (f"{{⊃¨{cut}⍵}}", lambda x: _together([group[:1] for group in _cut(x, mask)])),
    ]
    for k, field in enumerate(fields):
        if field in KEYS:
            by_key = f"({k + 1}⊃¨⍵){{⊂⍵}}⌸⍵"
            found.append((f"{{⊃,/{by_key}}}", lambda x, k=k: _together(_by_field(x, k))))
    return found


KEYS = frozenset(("text", "number", "letter"))
"""The fields by which records are grouped."""


def _cut(x: M, mask: Sequence[int]) -> list[list[Any]]:
    found: list[list[Any]] = []
    if len(mask) != len(x.items):
        raise NotTier1("a mask for as many records as there were")
    for begins, row in zip(mask, x.items, strict=True):
        found += [[]] if begins else []
        found[-1].append(row)
    return found


def _by_field(x: M, k: int) -> list[list[Any]]:
    return [[x.items[n - 1] for n in group] for group in m.groups(m.vector(_column(x, k)))]


def _together(groups: Sequence[Sequence[Any]]) -> M:
    return m.vector([row for group in groups for row in group])


def _turned(x: A) -> A:
    return p.DYADIC["⌽"](scalar(2), x)


def _refuse() -> Any:
    raise NotTier1("no records")


def _replacing(gen: Gen, value: M, fields: Fields) -> list[Change]:
    size = len(value.items)
    if not size:
        return []
    row, at = new_record(gen, fields), gen.below(size)
    text, place = spelt(gen, row), gen.leaf(scalar(at + 1)).guarded

    def by(x: M, new: Any) -> M:
        return m.vector([new if k == at else old for k, old in enumerate(x.items)])

    return [
        (f"{{t←⍵ ⋄ t[{place}]←⊂{text} ⋄ t}}", lambda x: by(x, row)),
        (f"{{t←⍵ ⋄ t[{place}]←t[1] ⋄ t}}", lambda x: by(x, x.items[0])),
        (f"{{((⊂{text})@{place})⍵}}", lambda x: by(x, row)),
        (f"{{({place}≠⍳≢⍵)/⍵}}", lambda x: m.kept(x, [k != at for k in range(len(x.items))])),
    ]


def _mapped(fields: Fields) -> list[tuple[str, Work, Fields]]:
    """Functions of a record that give another one."""
    found: list[tuple[str, Work, Fields]] = [
        ("⌽¨", lambda row: m.vector(row.items[::-1]), fields[::-1]),
        ("{f←⍵ ⋄ f[⌽⍳≢f]}¨", lambda row: m.vector(row.items[::-1]), fields[::-1]),
    ]
    if fields == ("text", "number"):
        found += [
            ("{(⊃⍵)(1+2⊃⍵)}¨", lambda row: of_fields(row.items[0], _plus(row.items[1])), fields),
            ("{a b←⍵ ⋄ (a,⍕b)(b×2)}¨", _told_twice, fields),
            ("{(⌽⊃⍵)(≢⊃⍵)}¨", lambda row: of_fields(_reversed(row.items[0]), _length(row.items[0])), fields),
            (
                "{(2⊃⍵)(⊃⍵)(≢⊃⍵)}¨",
                lambda row: of_fields(row.items[1], row.items[0], _length(row.items[0])),
                ("number", "text", "number"),
            ),
            ("{(2⊃⍵)>3:⍵ ⋄ ('no',⊃⍵)0}¨", _checked, fields),
            ("{⍵,⊂'new'}¨", lambda row: of_fields(*row.items, chars("new")), ("text", "number", "text")),
            (
                "{⍵,0.5}¨",
                lambda row: of_fields(*row.items, A("double", (), (0.5,))),
                ("text", "number", "real"),
            ),
        ]
    if fields == ("text", "numbers"):
        found += [
            ("{(⊃⍵)(+/2⊃⍵)}¨", lambda row: of_fields(row.items[0], _sum(row.items[1])), ("text", "number")),
            ("{(⊃⍵)(⌽2⊃⍵)}¨", lambda row: of_fields(row.items[0], _reversed(row.items[1])), fields),
        ]
    return found


def _length(x: A) -> A:
    return scalar(len(x.data))


def _sum(x: A) -> A:
    return scalar(sum(x.data))


def _plus(x: A) -> A:
    return scalar(x.data[0] + 1)


def _reversed(x: A) -> A:
    return p.MONADIC["⌽"](x)


def _told_twice(row: M) -> M:
    text, number = row.items
    shown = str(number.data[0]).replace("-", "¯")
    return m.vector([simple("char", [*text.data, *shown]), scalar(number.data[0] * 2)])


def _checked(row: M) -> M:
    text, number = row.items
    return row if number.data[0] > 3 else m.vector([simple("char", ["n", "o", *text.data]), scalar(0)])


def _changed(gen: Gen, made: Made) -> Made:
    """One step more."""
    text, value, fields = made
    if gen.chance(4):
        f, work, others = gen.pick(_mapped(fields))
        return f"{f}{text}", m.vector([work(row) for row in value.items]), others
    found = gen.pick(
        (
            _arranging(gen, value),
            _sorting(fields),
            _filtering(gen, fields),
            _joining(gen, fields),
            _replacing(gen, value, fields),
            _tabled(gen, value, fields),
            _grouping(gen, value, fields),
        )
    )
    if not found:
        raise Retry
    f, work = gen.pick(found)
    if not gen.chance(6):
        return f"{f}{text}", work(value), fields
    rounds = gen.below(3)
    for _ in range(rounds):
        value = work(value)
    times = gen.leaf(scalar(rounds)).guarded
    return f"({{{f}⍵}}⍣{times}){text}", value, fields


# --- ended ------------------------------------------------------------------------------------------------


def _ends(gen: Gen, value: M, fields: Fields) -> list[Change]:
    """What is found in records."""
    size = len(value.items)
    found: list[Change] = [
        ("", lambda x: x),
        ("", lambda x: x),
        ("≢", lambda x: scalar(len(x.items))),
        ("⍴", lambda x: ints(len(x.items))),
        ("≠", lambda x: simple("bool", m.first_of_each(x))),
        ("{⍵≡⌽⍵}", lambda x: A("bool", (), (m.equal(x, m.vector(x.items[::-1])),))),
        ("{⍵⍳⌽⍵}", lambda x: ints(*[_place(row, x.items) for row in x.items[::-1]])),
        ("{⍵∊1↓⍵}", lambda x: simple("bool", [_is_in(row, x.items[1:]) for row in x.items])),
        ("{+/≠⍵}", lambda x: scalar(sum(m.first_of_each(x)))),
        (f"{size + 1}⊃", lambda x: _index_error()),
        ("≢¨", lambda x: ints(*[len(fields)] * len(x.items))),
        ("{s←0 ⋄ s⊣{s+←≢⍵}¨⍵}", lambda x: scalar(len(fields) * len(x.items))),
        ("{⍵≡¨⌽⍵}", lambda x: simple("bool", list(map(m.equal, x.items, x.items[::-1])))),
        ("{⍵∘.≡1↓⍵}", _pairs_that_match),
        ("{(1↓⍵)≡⍥⊂¨¯1↓⍵}", lambda x: simple("bool", list(map(m.equal, x.items[1:], x.items)))),
    ]
    if all(field in SORTED for field in fields):
        found += [("⍋", lambda x: m.order(x.items)), ("⍒", lambda x: m.order(x.items, down=True))]
    if size:
        found += _ends_of_some(gen, value, fields)
    for k, field in enumerate(fields):
        found += _ends_of_column(k, field)
    return found


def _place(row: Any, rows: Sequence[Any]) -> int:
    return next((k for k, other in enumerate(rows, 1) if m.equal(row, other)), len(rows) + 1)


def _pairs_that_match(x: M) -> A:
    rest = x.items[1:]
    return A("bool", (len(x.items), len(rest)), tuple([m.equal(a, b) for a in x.items for b in rest]))


def _index_error() -> Any:
    raise AplError("INDEX ERROR")


def _ends_of_some(gen: Gen, value: M, fields: Fields) -> list[Change]:
    """What there is where there is a record."""
    at, k = gen.below(len(value.items)), gen.below(len(fields))
    place, row = gen.leaf(scalar(at + 1)).guarded, value.items[at]
    given = spelt(gen, row)
    found: list[Change] = [
        ("⊃", lambda x: x.items[0]),
        (f"{place}⊃", lambda x: x.items[at]),
        (f"{place} {k + 1}⊃", lambda x: x.items[at].items[k]),
        (f"{k + 1}⊃{place}⊃", lambda x: x.items[at].items[k]),
        (f"{{⍵⍳⊂{given}}}", lambda x: scalar(_place(row, x.items))),
        (f"{{(⊂{given})∊⍵}}", lambda x: A("bool", (), (_is_in(row, x.items),))),
        ("↑", lambda x: M((len(x.items), len(fields)), tuple([f for r in x.items for f in r.items]))),
        ("⍴↑", lambda x: ints(len(x.items), len(fields))),
        (f"{{(↑⍵)[{place};{k + 1}]}}", lambda x: _simple(x.items[at].items[k])),
        ("{≢⍵}⌸", lambda x: ints(*[len(g) for g in m.groups(x)])),
        ("{⊂⍵}⌸", lambda x: N("int", (1, 1), (len(m.groups(x)),), tuple([ints(*g) for g in m.groups(x)]))),
        ("{⍵{⍺}⌸⍳≢⍵}", lambda x: m.kept(x, m.first_of_each(x))),
    ]
    mask = [1, *[gen.below(2) for _ in value.items[1:]]]
    cut = f"{gen.leaf(ints(*mask)).guarded}⊂"
    found += [
        (cut, lambda x: m.vector(list(map(m.vector, _cut(x, mask))))),
        (f"{{⍵}}¨{cut}", lambda x: m.vector(list(map(m.vector, _cut(x, mask))))),
        (f"≢¨{cut}", lambda x: ints(*map(len, _cut(x, mask)))),
        (f"{{({cut}⍵)≡{cut}⌽⍵}}", lambda x: _alike(x, mask)),
    ]
    for number, field in enumerate(fields):
        if field in KEYS:
            by_key = f"{{({number + 1}⊃¨⍵){{⊂⍵}}⌸⍵}}"
            groups = partial(_by_field, k=number)
            found.append((by_key, lambda x, groups=groups: m.vector(list(map(m.vector, groups(x))))))
    numbers = [k for k, field in enumerate(fields) if field == "number"]
    if numbers:
        number = numbers[0]
        found.append((f"{{⊃{{({number + 1}⊃⍺)>{number + 1}⊃⍵:⍺ ⋄ ⍵}}/⍵}}", lambda x: _greatest(x, number)))
        found.append(
            (f"{{+/(↑⍵)[;{number + 1}]}}", lambda x: scalar(sum(c.data[0] for c in _column(x, number))))
        )
    return found


def _alike(x: M, mask: Sequence[int]) -> A:
    """Whether the groups of records are those of the records in reverse order."""
    groups, others = _cut(x, mask), _cut(m.vector(x.items[::-1]), mask)
    return A("bool", (), (all(map(m.equal, map(m.vector, groups), map(m.vector, others))),))


def _simple(item: Any) -> Any:
    if isinstance(item, A) and item.rank == 0:
        return item
    raise NotTier1("an enclosed item")


def _greatest(x: M, k: int) -> M:
    found = x.items[-1]
    for row in x.items[-2::-1]:
        found = row if row.items[k].data[0] > found.items[k].data[0] else found
    return found


def _ends_of_column(k: int, field: str) -> list[Change]:
    """What there is of one field."""
    pick = f"{k + 1}⊃¨"
    if field in ("number", "real", "letter"):
        kind = {"number": "int", "real": "double", "letter": "char"}[field]
        found: list[Change] = [(pick, lambda x: simple(kind, [c.data[0] for c in _column(x, k)]))]
        if field == "number":
            found.append((f"+/{pick}", lambda x: scalar(sum(c.data[0] for c in _column(x, k)))))
        return found
    if field in ("text", "numbers"):
        kind = "char" if field == "text" else "int"
        return [
            (pick, lambda x: N(kind, (1, 1), (len(x.items),), tuple(_column(x, k)))),
            (f"≢¨{pick}", lambda x: ints(*[len(c.data) for c in _column(x, k)])),
            (f"∊{pick}", lambda x: simple(kind, [y for c in _column(x, k) for y in c.data])),
        ]
    if field == "record":
        return [(f"2⊃¨{pick}", lambda x: ints(*[c.items[1].data[0] for c in _column(x, k)]))]
    return [(f"≢¨{pick}", lambda x: ints(*[len(c.items) for c in _column(x, k)]))]


@entry("⊂⊆", "of records")
def _of_records(gen: Gen, depth: int, symbol: str) -> E:
    """An expression with an array of records inside of it"""
    made = made_of_records(gen)
    for _ in range(gen.below(5)):
        try:
            made = _changed(gen, made)
        except (NotTier1, AplError):
            raise Retry from None
        if len(made[1].data) > MOST or len(made[1].items) > 12:
            raise Retry
    text, value, fields = made
    end, work = gen.pick(_ends(gen, value, fields))
    return gen.made(f"{end}{text}", lambda: work(value))
