"""What `nested` does to arrays of arrays beside other arrays: searches, folds, keys, assignments, recursion.

    keeping(gen, value)     what keeps the type
    changing(gen, value)    what gives arrays of arrays of another type
    ends(gen, value)        what gives flat arrays, or fails

Each is the text that stands in front of the array, and what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl import nested as n
from tests.support.plain_apl.array import A, AplError, NotTier1, ints, same, scalar, vector
from tests.support.plain_apl.nested import N
from tests.support.tier1.expressions import Gen

Work = Callable[[Any], Any]
Change = tuple[str, Work]


def _vectors(kind: str, items: Sequence[A]) -> N:
    return N(kind, (1, 1), (len(items),), tuple(items))


def _some(gen: Gen, kind: str, most: int = 4) -> A:
    """A vector of not too many elements."""
    return gen.elements(kind, (gen.below(most),))


def _counts(gen: Gen, value: N, most: int = 4) -> A:
    """A number for each item."""
    return ints(*[gen.below(most) for _ in value.items])


def _item_by_item(symbol: str, x: N | A, y: N) -> list[A]:
    """`x f¨y` where x is as long, or has one item."""
    left = [scalar(v) for v in x.data] if isinstance(x, A) else list(x.items)
    if len(left) != len(y.items):
        raise AplError("LENGTH ERROR")
    return [p.DYADIC[symbol](a, b) for a, b in zip(left, y.items, strict=True)]


# --- what keeps the type ----------------------------------------------------------------------------------


def keeping(gen: Gen, value: N) -> list[Change]:
    """What keeps the type of a vector of vectors or of any items."""
    if value.rank != 1:
        return []
    found = _replaced(gen, value)
    found += [
        ("{(1<≢¨⍵)/⍵}", lambda x: n.kept(x, [_tally(i) > 1 for i in x.items])),
        ("{⍵[⍋≢¨⍵]}", lambda x: _ordered(x, sorted(range(len(x.items)), key=lambda k: _tally(x.items[k])))),
        ("{⍵~1↓⍵}", lambda x: n.kept(x, [not any(n.equal(i, j) for j in x.items[1:]) for i in x.items])),
        ("{⍵∪⌽⍵}", lambda x: _union(x, n.arranged(x, p.MONADIC["⌽"]))),
        ("{⍵∩1↓⍵}", lambda x: n.kept(x, [any(n.equal(i, j) for j in x.items[1:]) for i in x.items])),
        ("{⍵⍪⌽⍵}", lambda x: n.catenated(x, n.arranged(x, p.MONADIC["⌽"]))),
    ]
    if value.ranks == (1, 1):
        found += _of_vectors(gen, value)
    return found


def _ordered(x: N, places: Sequence[int]) -> N:
    return N(x.kind, x.ranks, (len(places),), tuple([x.items[k] for k in places]))


def _union(x: N, y: N) -> N:
    items = [*x.items, *[j for j in y.items if not any(n.equal(i, j) for i in x.items)]]
    return N(x.kind, x.ranks, (len(items),), tuple(items))


def _replaced(gen: Gen, value: N) -> list[Change]:
    """Assignments and `@`, of items by items."""
    size = len(value.items)
    if not size:
        return []
    places = [gen.below(size) for _ in range(gen.below(3))]
    index = gen.leaf(ints(*[k + 1 for k in places])).guarded
    one = gen.below(size) + 1

    def by(x: N, new: Callable[[int, Any], Any]) -> N:
        items = list(x.items)
        for k in places:
            items[k] = new(k, x.items[k])
        return N(x.kind, x.ranks, x.shape, tuple(items))

    return [
        (f"{{t←⍵ ⋄ t[{index}]←⊂⊃⌽⍵ ⋄ t}}", lambda x: by(x, lambda k, old: x.items[-1])),
        (f"{{t←⍵ ⋄ t[{index}]←(⌽⍵)[{index}] ⋄ t}}", lambda x: by(x, lambda k, old: x.items[-1 - k])),
        (f"{{((⊂{one}⊃⍵)@{index})⍵}}", lambda x: by(x, lambda k, old: x.items[one - 1])),
        (f"(⌽@{index})", lambda x: _turned(x, places)),
    ]


def _turned(x: N, places: list[int]) -> N:
    """The items at these places in the other order; a place named twice gets the last."""
    items = list(x.items)
    for k, source in zip(places, reversed(places), strict=True):
        items[k] = x.items[source]
    return N(x.kind, x.ranks, x.shape, tuple(items))


def _of_vectors(gen: Gen, value: N) -> list[Change]:
    kind, size = value.kind, len(value.items)
    some = _some(gen, kind)
    counts = _counts(gen, value)
    of_each = gen.leaf(counts).guarded
    chosen = [gen.below(size) for _ in range(gen.below(3))] if size else []
    index = gen.leaf(ints(*[k + 1 for k in dict.fromkeys(chosen)])).guarded

    def each(work: Callable[[A], A]) -> Work:
        return lambda x: _vectors(kind, [work(i) for i in x.items])

    found: list[Change] = [
        (f"{of_each}↑¨", lambda x: _vectors(kind, _item_by_item("↑", counts, x))),
        (f"{of_each}↓¨", lambda x: _vectors(kind, _item_by_item("↓", counts, x))),
        (f"{of_each}⌽¨", lambda x: _vectors(kind, _item_by_item("⌽", counts, x))),
        (f"{of_each}/¨", lambda x: _vectors(kind, _item_by_item("/", counts, x))),
        ("{⍵,¨⌽⍵}", lambda x: _vectors(kind, _item_by_item(",", x, n.arranged(x, p.MONADIC["⌽"])))),
        ("{⍵~¨⌽⍵}", lambda x: _vectors(kind, _item_by_item("~", x, n.arranged(x, p.MONADIC["⌽"])))),
        ("{⍵∪¨⌽⍵}", lambda x: _vectors(kind, _item_by_item("∪", x, n.arranged(x, p.MONADIC["⌽"])))),
        ("{(⍳≢⍵)↑¨⍵}", lambda x: _vectors(kind, _growing(x))),
        (",\\", lambda x: _vectors(kind, [_joined(x.items[: k + 1]) for k in range(len(x.items))])),
        ("2,/", lambda x: _vectors(kind, [_joined(pair) for pair in _neighbours(x)])),
        ("{1≥≢⍵:⍵ ⋄ h←⌊2÷⍨≢⍵ ⋄ (∇h↓⍵),∇h↑⍵}¨", each(p.MONADIC["⌽"])),
        ("{1≥≢⍵:⍵ ⋄ h←⌊2÷⍨≢⍵ ⋄ ⊃,/∇¨(h↓⍵)(h↑⍵)}¨", each(p.MONADIC["⌽"])),
        ("{n←0 ⋄ {n+←1 ⋄ n↑⍵}¨⍵}", lambda x: _vectors(kind, _growing(x))),
        (f"{{t←⍵ ⋄ t[{index}],¨←⌽t[{index}] ⋄ t}}", lambda x: _appended(x, list(dict.fromkeys(chosen)))),
        ("{∪¨⍵}⍣≡", each(p.MONADIC["∪"])),
        ("{↓⍉↑⍵}", _transposed),
        ("{⍵[⍋⍵]}¨", each(lambda x: vector(kind, sorted(x.data)))),
    ]
    if not some.data or kind != "bool":
        given = gen.leaf(some).guarded
        found += [
            (f"(⊂{given}),¨", each(lambda x: p.DYADIC[","](some, x))),
            (f"{given}∘,¨", each(lambda x: p.DYADIC[","](some, x))),
            (f"{{⍵,⊂{given}}}", lambda x: _vectors(kind, [*x.items, some])),
            (f"{{⍵~⊂{given}}}", lambda x: n.kept(x, [not n.equal(i, some) for i in x.items])),
            (f"~∘{given}¨", each(lambda x: p.DYADIC["~"](x, some))),
        ]
    if kind == "int":
        found += [
            ("¯2{⍺,≢⍵}/", lambda x: _vectors("int", [_with_tally(b, a) for a, b in _neighbours(x)])),
            ("{⍵-+/¨⍵}", each(lambda x: p.DYADIC["-"](x, scalar(sum(x.data))))),
            ("{⍵×⍳≢⍵}", lambda x: _vectors(kind, [_times(i, k) for k, i in enumerate(x.items, 1)])),
            ("{1≥≢⍵:⍵ ⋄ p←⊃⍵ ⋄ (∇(⍵<p)/⍵),((⍵=p)/⍵),∇(⍵>p)/⍵}¨", each(lambda x: ints(*sorted(x.data)))),
            ("{⍵{⍺+⍵}¨⍳≢⍵}", lambda x: _vectors(kind, [_plus(i, k) for k, i in enumerate(x.items, 1)])),
        ]
    return found


def _joined(items: Sequence[A]) -> A:
    return vector(items[0].kind, [y for i in items for y in i.data])


def _with_tally(x: A, y: A) -> A:
    return ints(*x.data, len(y.data))


def _times(x: A, k: int) -> A:
    return ints(*[y * k for y in x.data])


def _plus(x: A, k: int) -> A:
    return ints(*[y + k for y in x.data])


def _growing(x: N) -> list[A]:
    return _item_by_item("↑", ints(*range(1, len(x.items) + 1)), x)


def _appended(x: N, places: Sequence[int]) -> N:
    items = list(x.items)
    for k, source in zip(places, reversed(places), strict=True):
        items[k] = p.DYADIC[","](x.items[k], x.items[source])
    return _vectors(x.kind, items)


def _transposed(x: N) -> N:
    mixed = n.mix(x)
    assert isinstance(mixed, A)
    return n.split(p.MONADIC["⍉"](mixed))


def _tally(item: A | N) -> int:
    return item.shape[0] if item.shape else 1


# --- what gives another type --------------------------------------------------------------------------------


def changing(gen: Gen, value: N) -> list[Change]:
    """What gives arrays of arrays of another type."""
    found: list[Change] = [("{⍵∘.,⍵}", _all_pairs)] if value.ranks == (1, 1) else []
    if value.rank != 1 or len(value.ranks) > 3:
        return found
    size = len(value.items)
    marks = ints(*[gen.below(2) for _ in value.items])
    keys = ints(*[gen.below(3) for _ in value.items])
    deeper = (1, *value.ranks)
    if size and not any(marks.data[:1]):
        marks = ints(1, *marks.data[1:])

    def grouped(x: N, groups: Sequence[Sequence[int]]) -> N:
        if not x.items:
            raise NotTier1("groups of no items")
        return N(x.kind, deeper, (len(groups),), tuple([_ordered(x, g) for g in groups]))

    def cut(x: N) -> N:
        if len(x.items) != size:
            raise NotTier1("marks of another length")
        groups: list[list[int]] = []
        for k, mark in enumerate(marks.data):
            if mark:
                groups.append([])
            groups[-1].append(k)
        return grouped(x, groups)

    def keyed(x: N) -> N:
        if len(x.items) != size:
            raise NotTier1("keys of another length")
        kinds = list(dict.fromkeys(keys.data))
        return grouped(x, [[k for k, key in enumerate(keys.data) if key == kind] for kind in kinds])

    found += [
        ("{(⍳≢⍵)↑¨⊂⍵}", lambda x: grouped(x, [range(k + 1) for k in range(len(x.items))])),
        ("2,/⊂¨", lambda x: grouped(x, [range(k, k + 2) for k in range(len(x.items) - 1)])),
        (f"{gen.leaf(marks).guarded}⊂", cut),
    ]
    if size:
        found.append((f"{gen.leaf(keys).guarded}{{⊂⍵}}⌸", keyed))
        found.append(("{⊂⍵}⌸", lambda x: _vectors("int", [ints(*g) for g in n.groups(x)])))
        found.append(("{⊂⍵}", n.enclosed))
    if value.ranks == (1, 1):
        found += [
            ("{⍳¨≢¨⍵}", lambda x: _vectors("int", [ints(*range(1, len(i.data) + 1)) for i in x.items])),
            ("{⍋¨⍵}", lambda x: _vectors("int", [p.MONADIC["⍋"](i) for i in x.items])),
            ("{⍵∊¨⌽⍵}", lambda x: _vectors("bool", _item_by_item("∊", x, n.arranged(x, p.MONADIC["⌽"])))),
            ("{⍵⍳¨⌽⍵}", lambda x: _vectors("int", _item_by_item("⍳", x, n.arranged(x, p.MONADIC["⌽"])))),
            ("{(⊂∊⍵)⍳¨⍵}", lambda x: _vectors("int", [p.DYADIC["⍳"](n.enlist(x), i) for i in x.items])),
        ]
    return found


def _all_pairs(x: N) -> N:
    if len(x.items) > 4:
        raise NotTier1("too many")
    items = [p.DYADIC[","](a, b) for a in x.items for b in x.items]
    return N(x.kind, (2, 1), x.shape * 2, tuple(items))


# --- what is flat or fails ----------------------------------------------------------------------------------


def ends(gen: Gen, value: N) -> list[Change]:
    """What gives a flat array or an error."""
    size = len(value.items)
    found: list[Change] = []
    if value.rank == 1:
        beyond = gen.leaf(scalar(size + 1)).guarded
        found += [
            (f"{beyond}⊃", lambda x: _fails("INDEX ERROR")),
            (f"{{⍵[{beyond}]}}", lambda x: _fails("INDEX ERROR")),
            ("{2≡/⍵}", lambda x: vector("bool", [n.equal(a, b) for a, b in _neighbours(x)])),
            (
                "{⍵∘.≡⍵}",
                lambda x: A("bool", x.shape * 2, tuple([n.equal(a, b) for a in x.items for b in x.items])),
            ),
            ("{⍵∘.{(≢⍺)-≢⍵}⍵}", _differences),
            (
                "{⍵≡¨⌽⍵}",
                lambda x: vector(
                    "bool", [n.equal(a, b) for a, b in zip(x.items, x.items[::-1], strict=True)]
                ),
            ),
            ("{⍵⍳⌽⍵}", lambda x: n.index_of(x, n.arranged(x, p.MONADIC["⌽"]))),
            ("{s←⍬ ⋄ _←{s,←≢⍵}¨⍵ ⋄ s}", lambda x: ints(*map(_tally, x.items))),
            ("{n←0 ⋄ n⊣{n+←≢⍵}¨⍵}", lambda x: scalar(sum(map(_tally, x.items)))),
            ("{≢∪⍵}", lambda x: scalar(sum(n.first_of_each(x)))),
        ]
    if value.rank == 1 and size:
        found.append(("{⊃{(≢⍺)>≢⍵:⍺ ⋄ ⍵}/⍵}", lambda x: reduce(_longest, x.items[::-1])))
        found.append(("{⌈/≢¨⍵}", lambda x: scalar(max(map(_tally, x.items)))))
    if value.ranks == (1, 1):
        found += _ends_of_vectors(gen, value)
    return found


def _fails(kind: str) -> A:
    raise AplError(kind)


def _neighbours(x: N) -> list[tuple[Any, Any]]:
    if len(x.items) < 1:
        raise NotTier1("windows of no items")
    return list(zip(x.items, x.items[1:], strict=False))


def _differences(x: N) -> A:
    return A("int", x.shape * 2, tuple([_tally(a) - _tally(b) for a in x.items for b in x.items]))


def _longest(last: Any, before: Any) -> Any:
    """One step of the fold, from the right: `before f last`."""
    return before if _tally(before) > _tally(last) else last


def _ends_of_vectors(gen: Gen, value: N) -> list[Change]:
    kind, size = value.kind, len(value.items)
    some = _some(gen, kind)
    found: list[Change] = [
        ("{∊⌽¨⍵}", lambda x: vector(kind, [y for i in x.items for y in i.data[::-1]])),
        ("{≢¨∪¨⍵}", lambda x: ints(*[len(p.MONADIC["∪"](i).data) for i in x.items])),
        ("{(∊⍵)[⍋∊⍳¨≢¨⍵]}", _by_places),
        ("{+/≢¨⍵}", lambda x: scalar(sum(len(i.data) for i in x.items))),
    ]
    if not some.data or kind != "bool":
        given = gen.leaf(some).guarded
        found += [
            (f"{{⍵⍳⊂{given}}}", lambda x: A("int", (), (n.index_of(x, _vectors(kind, [some])).data[0],))),
            (f"{{(⊂{given})∊⍵}}", lambda x: A("bool", (), (any(n.equal(i, some) for i in x.items),))),
            (f"{{⍵∊⊂{given}}}", lambda x: vector("bool", [n.equal(i, some) for i in x.items])),
            (f"{{⍵≡¨⊂{given}}}", lambda x: vector("bool", [n.equal(i, some) for i in x.items])),
            (f"{{+/¨⍵∊¨⊂{given}}}", lambda x: ints(*[_common(i, some) for i in x.items])),
        ]
    if size:
        found.append(
            ("⊃∪/", lambda x: reduce(lambda last, before: p.DYADIC["∪"](before, last), x.items[::-1]))
        )
        found.append(
            ("⊃∩/", lambda x: reduce(lambda last, before: p.DYADIC["∩"](before, last), x.items[::-1]))
        )
    if size and all(i.data for i in value.items):
        picks = [gen.below(len(i.data)) for i in value.items]
        found.append(
            (
                f"{gen.leaf(ints(*[k + 1 for k in picks])).guarded}⊃¨",
                lambda x: vector(kind, _picked(x, picks)),
            )
        )
        one = gen.below(size)
        path = " ".join([gen.leaf(scalar(k + 1)).guarded for k in (one, picks[one])])
        found.append((f"({path})⊃", lambda x: A(kind, (), (x.items[one].data[picks[one]],))))
    if kind == "int":
        found += [
            ("{(+/¨⍵)÷≢¨⍵}", _means),
            ("{+/(≢¨⍵)×+/¨⍵}", lambda x: scalar(sum(len(i.data) * sum(i.data) for i in x.items))),
            ("{+/¨⍵×⌽¨⍵}", lambda x: ints(*[_folded(i) for i in x.items])),
            (
                "{+/∊+\\¨⍵}",
                lambda x: scalar(sum((len(i.data) - k) * y for i in x.items for k, y in enumerate(i.data))),
            ),
            ("{⍺←0 ⋄ ⍺+⊃+/+/¨⍵}", lambda x: scalar(sum(sum(i.data) for i in x.items))),
        ]
        if size > 1:
            one_more = gen.leaf(ints(*range(size + 1))).guarded
            found.append((f"{one_more}+", lambda x: _fails("LENGTH ERROR")))
            found.append((f"{one_more}↑¨", lambda x: _fails("LENGTH ERROR")))
    return found


def _by_places(x: N) -> A:
    pairs = [(k, y) for i in x.items for k, y in enumerate(i.data)]
    return vector(x.kind, [y for _, y in sorted(pairs, key=lambda pair: pair[0])])


def _common(item: A, some: A) -> int:
    return sum(any(same(y, z) for z in some.data) for y in item.data)


def _picked(x: N, picks: Sequence[int]) -> list[Any]:
    if len(x.items) != len(picks):
        raise NotTier1("another array")
    return [i.data[k] for i, k in zip(x.items, picks, strict=True)]


def _means(x: N) -> A:
    return vector(
        "double", [p.DYADIC["÷"](scalar(sum(i.data)), scalar(len(i.data))).data[0] for i in x.items]
    )


def _folded(x: A) -> int:
    return sum(a * b for a, b in zip(x.data, x.data[::-1], strict=True))
