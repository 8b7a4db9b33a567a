"""The productions of `tier1_programs` with arrays of arrays, of any kind, rank and depth.

An expression makes one of flat arrays (`MAKERS`), changes where its items are or what they are, alone or in
loops, any number of times (`changed`), and ends in a flat array (`ENDS`) or as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl import nested as n
from tests.support.plain_apl.array import A, AplError, NotTier1, ints, same, scalar, vector
from tests.support.plain_apl.nested import N
from tests.support.tier1 import nested_loops, nested_pairs, nested_shapes
from tests.support.tier1.expressions import ANYTHING, E, Gen, Retry, Want
from tests.support.tier1.table import entry

Nested = tuple[str, N]
MOST = 60
"""More elements and items than this are not made."""
DEEPEST = 4


def _short(a: A) -> bool:
    return len(a.data) < 12 and all(isinstance(x, str) or abs(x) < 1000 for x in a.data)


def _operand(gen: Gen, depth: int, kinds: tuple[str, ...] = ANYTHING, ranks: tuple[int, ...] = (1,)) -> E:
    e = gen.operand(depth - 1, Want(kinds, ranks, True, _short))
    if e.is_bit or (e.value.kind == "bool" and e.is_literal):
        raise Retry
    return e


def _marks(gen: Gen, count: int, most: int) -> A:
    return ints(*[gen.below(most) for _ in range(count)])


# --- made of flat arrays ----------------------------------------------------------------------------------


def _cut(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth)
    marks = _marks(gen, len(e.value.data), 2 + gen.below(2))
    if gen.chance(2):
        marks = A("bool", marks.shape, tuple([x > 0 for x in marks.data]))
    items: list[list[Any]] = []
    for mark, x in zip(marks.data, e.value.data, strict=True):
        items += [[] for _ in range(int(mark))]
        if items:
            items[-1].append(x)
    return f"{gen.leaf(marks).guarded}⊂{e.text}", _vectors(e.value.kind, items)


def _vectors(kind: str, items: list[list[Any]]) -> N:
    return N(kind, (1, 1), (len(items),), tuple([vector(kind, item) for item in items]))


def _partition(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth)
    marks = _marks(gen, len(e.value.data), 3)
    items: list[list[Any]] = []
    before = 0
    for mark, x in zip(marks.data, e.value.data, strict=True):
        if mark > before:
            items.append([])
        if mark:
            items[-1].append(x)
        before = mark
    return f"{gen.leaf(marks).guarded}⊆{e.text}", _vectors(e.value.kind, items)


def _words(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth, ("char",))
    words = "".join(e.value.data).split(" ")
    return f"{{⍵⊆⍨' '≠⍵}}{e.text}", _vectors("char", [list(w) for w in words if w])


def _prefixes(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth)
    data = list(e.value.data)
    return f",\\{e.text}", _vectors(e.value.kind, [data[: k + 1] for k in range(len(data))])


def _windows(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth)
    data = list(e.value.data)
    k = 1 + gen.below(len(data) + 1) if data else 1
    return f"{k},/{e.text}", _vectors(e.value.kind, [data[i : i + k] for i in range(len(data) - k + 1)])


def _counted(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth, ("int",), (1, 2))
    items = [ints(*range(1, abs(x) % 5 + 1)) for x in e.value.data]
    return f"{{⍳5||⍵}}¨{e.text}", N("int", (e.value.rank, 1), e.value.shape, tuple(items))


def _filtered(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth, ("int",), (1, 2))
    items = [ints(*[y for y in range(1, abs(x) % 7 + 1) if (y + x) % 2]) for x in e.value.data]
    return f"{{(2|⍵+⍳7||⍵)/⍳7||⍵}}¨{e.text}", N("int", (e.value.rank, 1), e.value.shape, tuple(items))


def _tables(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth, ("int",))
    items = [A("int", (abs(x) % 3, 2), tuple([x + k for k in range(abs(x) % 3 * 2)])) for x in e.value.data]
    text = f"{{((3||⍵),2)⍴(⍵-1)+⍳1⌈2×3||⍵}}¨{e.text}"
    return text, N("int", (1, 2), e.value.shape, tuple(items))


def _split(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth, ANYTHING, (2, 3))
    return f"↓{e.text}", n.split(e.value)


def _cells(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth, ANYTHING, (2, 3))
    a = e.value
    size = prod(a.shape[1:])
    items = [A(a.kind, a.shape[1:], a.data[k * size : (k + 1) * size]) for k in range(a.shape[0])]
    axes = " ".join([str(k + 1) for k in range(1, a.rank)])
    return f"⊂[{axes}]{e.text}", N(a.kind, (1, a.rank - 1), a.shape[:1], tuple(items))


def _enclosed(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth, ANYTHING, (1, 2))
    return f"{{⊂⍵}}{e.text}", N(e.value.kind, (0, e.value.rank), (), (e.value,))


def _strand(gen: Gen, depth: int) -> Nested:
    kind = gen.pick(ANYTHING)
    rank = 1 + gen.below(2)
    parts = [_operand(gen, depth, (kind,), (rank,)) for _ in range(2 + gen.below(2))]
    items = [e.value for e in parts]
    return "".join([f"({e.text})" for e in parts]), N(kind, (1, rank), (len(items),), tuple(items))


def _pairs(gen: Gen, depth: int) -> Nested:
    kind = gen.pick(ANYTHING)
    x, y = _operand(gen, depth, (kind,)), _operand(gen, depth, (kind,))
    if len(x.value.data) * len(y.value.data) > 20:
        raise Retry
    items = [vector(kind, [a, b]) for a in x.value.data for b in y.value.data]
    shape = (len(x.value.data), len(y.value.data))
    return f"{x.guarded}∘.,{y.text}", N(kind, (2, 1), shape, tuple(items))


def _indices(gen: Gen, depth: int) -> Nested:
    shape = (1 + gen.below(3), gen.below(3))
    items = [ints(i + 1, j + 1) for i in range(shape[0]) for j in range(shape[1])]
    return f"⍳{gen.control(list(shape)).text}", N("int", (2, 1), shape, tuple(items))


def _where(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth, ("bool",), (2,))
    columns = e.value.shape[1]
    items = [ints(k // columns + 1, k % columns + 1) for k, x in enumerate(e.value.data) if x]
    return f"⍸{e.text}", N("int", (1, 1), (len(items),), tuple(items))


def _keyed(gen: Gen, depth: int) -> Nested:
    e = _operand(gen, depth)
    if not e.value.data:
        raise Retry
    groups: list[list[int]] = []
    for k, x in enumerate(e.value.data):
        mine = next((g for g in groups if same(e.value.data[g[0] - 1], x)), None)
        if mine is None:
            groups.append([k + 1])
        else:
            mine.append(k + 1)
    return f"{{⊂⍵}}⌸{e.text}", _vectors("int", groups)


MAKERS: list[Callable[[Gen, int], Nested]] = [
    _cut, _partition, _words, _prefixes, _windows, _counted, _filtered, _tables, _split, _cells, _enclosed,
    _strand, _pairs, _indices, _where, _keyed, *nested_shapes.MAKERS, *nested_loops.MAKERS,
]  # fmt: skip


def _made(gen: Gen, depth: int) -> Nested:
    """One of those, now and then with a name of its own."""
    text, value = gen.pick(MAKERS)(gen, depth)
    if not gen.chance(4) or any(local in text for local in "⍺⍵"):
        return text, value
    name = gen.fresh("n")
    gen.statements.append(f"{name}←{text}")
    return name, value


# --- functions of an item ---------------------------------------------------------------------------------

Change = tuple[str, Callable[[Any], Any]]
"""The text in front of an argument, and what it does."""


def _dyad(symbol: str, left: A) -> Callable[[A], A]:
    return lambda x: p.DYADIC[symbol](left, x)


def _of_vectors(gen: Gen, kind: str) -> list[Change]:
    """Functions from vectors of a kind to vectors of that kind."""
    k = gen.below(4)
    with_k = A(kind, (), (gen.element(kind),))
    changes: list[Change] = [
        ("⌽", p.MONADIC["⌽"]),
        ("1↓", _dyad("↓", scalar(1))),
        ("¯1↓", _dyad("↓", scalar(-1))),
        (f"{k}↑", _dyad("↑", scalar(k))),
        (f"¯{k}↑", _dyad("↑", scalar(-k))),
        (f"{k}⌽", _dyad("⌽", scalar(k))),
        (f"{k}/", _dyad("/", scalar(k))),
        ("∪", p.MONADIC["∪"]),
        ("{⍵,⍵}", lambda x: p.DYADIC[","](x, x)),
        ("{⍵[⍋⍵]}", lambda x: vector(x.kind, sorted(x.data))),
        ("{⍵/⍨1,1↓⍵≠¯1⌽⍵}", _without_repeats),
    ]
    if kind != "bool":
        changes.append((f"{gen.leaf(with_k).guarded},", lambda x: p.DYADIC[","](with_k, x)))
    if kind == "int":
        changes += [("{(2|⍵)/⍵}", lambda x: vector("int", [y for y in x.data if y % 2]))]
        changes += [("+\\", lambda x: vector("int", [sum(x.data[: i + 1]) for i in range(len(x.data))]))]
        changes += [("⍋", p.MONADIC["⍋"])]
    return changes


def _without_repeats(x: A) -> A:
    if not x.data:
        return x
    return vector(x.kind, [b for k, b in enumerate(x.data) if k == 0 or not same(b, x.data[k - 1])])


OF_MATRICES: list[Change] = [
    ("⍉", p.MONADIC["⍉"]),
    ("⊖", p.MONADIC["⊖"]),
    ("1↓", _dyad("↓", scalar(1))),
    ("1⌽", _dyad("⌽", scalar(1))),
    ("{⍵⍪⍵}", lambda x: p.DYADIC["⍪"](x, x)),
    ("{2 1↑⍵}", _dyad("↑", ints(2, 1))),
]


def _to_others(gen: Gen, value: N) -> list[tuple[str, Callable[[Any], Any], str, tuple[int, ...]]]:
    """Functions of items whose results have another type."""
    kind = value.kind
    found: list[tuple[str, Callable[[Any], Any], str, tuple[int, ...]]] = [("⍴", p.MONADIC["⍴"], "int", (1,))]
    if value.ranks[1:] == (1,):
        found += [("⍪", p.MONADIC["⍪"], kind, (2,)), ("{2 2⍴⍵}", _dyad("⍴", ints(2, 2)), kind, (2,))]
        found += [("{∘.=⍨⍵}", lambda x: _equal_table(x), "bool", (2,))]
        if len(value.ranks) < DEEPEST:
            found += [("{,\\⍵}", _prefixes_of, kind, (1, 1)), ("{⊂⍵}", n.enclosed, kind, (0, 1))]
            found += [("{⍳¨≢¨⍵ ⍵}", _counts_of, "int", (1, 1))]
    if value.ranks[1:] == (2,):
        found += [(",", p.MONADIC[","], kind, (1,))]
        if len(value.ranks) < DEEPEST:
            found += [("↓", n.split, kind, (1, 1))]
    if len(value.ranks) > 2 and value.ranks[1] == 1:
        found += [("∊", n.enlist, kind, (1,))]
    return found


def _equal_table(x: A) -> A:
    size = len(x.data)
    return A("bool", (size, size), tuple([same(a, b) for a in x.data for b in x.data]))


def _counts_of(x: A) -> N:
    return _vectors("int", [list(range(1, len(x.data) + 1))] * 2)


def _prefixes_of(x: A) -> N:
    return _vectors(x.kind, [list(x.data[: k + 1]) for k in range(len(x.data))])


# --- changed ------------------------------------------------------------------------------------------------


def _keeping(gen: Gen, value: N) -> list[Change]:
    """What keeps the type of an array of arrays."""
    found: list[Change] = []
    if value.ranks[1:] == (1,):
        found += [_under_each(c, value) for c in _of_vectors(gen, value.kind)]
    if value.ranks[1:] == (2,):
        found += [_under_each(c, value) for c in OF_MATRICES]
    if len(value.ranks) > 2 and value.ranks[1] == 1:
        found += [_under_each(_where_items_are(gen, None), value)] * 4
    if value.rank == 1:
        found += [_where_items_are(gen, value)] * 6
        found.append(("{⍵,⍵}", lambda x: n.catenated(x, x)))
        found.append(("{⍵,⊂⊃⍵}", lambda x: n.catenated(x, _first_enclosed(x))))
        found.append(("{∪⍵}", lambda x: n.kept(x, n.first_of_each(x))))
    if value.rank == 2:
        for symbol in "⍉⊖⌽":
            found.append((symbol, lambda x, s=symbol: n.arranged(x, p.MONADIC[s])))
        found.append(("1↓", lambda x: n.arranged(x, _dyad("↓", scalar(1)))))
    if value.kind in ("int", "double"):
        k = A(value.kind, (), (gen.element(value.kind),))
        symbol = gen.pick("+-×⌈")
        found.append((f"{gen.leaf(k).guarded}{symbol}", lambda x: n.pervade(symbol, k, x)))
        found.append(("{⍵-⍵}", lambda x: n.pervade("-", x, x)))
    return found


def _first_enclosed(x: N) -> N:
    first = x.items[0] if x.items else n.without(x.kind, x.ranks[1:])
    return N(x.kind, (0, *x.ranks[1:]), (), (first,))


def _under_each(change: Change, value: N) -> Change:
    text, work = change
    ranks = value.ranks[1:]

    def every(x: N) -> Any:
        return n.each(work, x, x.kind, ranks)

    return f"{text}¨", every


def _where_items_are(gen: Gen, value: N | None) -> Change:
    """What changes a vector of items only by choosing, arranging and filling."""
    k = gen.below(5)
    numbers: list[tuple[str, Callable[[A], A]]] = [
        ("⌽", p.MONADIC["⌽"]),
        (f"{k}↓", _dyad("↓", scalar(k))),
        (f"¯{k}↓", _dyad("↓", scalar(-k))),
        (f"{k}↑", _dyad("↑", scalar(k))),
        (f"¯{k}↑", _dyad("↑", scalar(-k))),
        (f"{k}⌽", _dyad("⌽", scalar(k))),
        (f"{k}/", _dyad("/", scalar(k))),
    ]
    if value is not None and value.items:
        size = len(value.items)
        mask = ints(*[gen.below(3) - gen.below(2) for _ in range(size)])
        numbers.append((f"{gen.leaf(mask).guarded}/", _dyad("/", mask)))
        places = ints(*[gen.below(size) + 1 for _ in range(k)])
        index = gen.leaf(places)
        numbers.append((f"{{⍵[{index.text}]}}", lambda x: p.bracket(x, [places])))
        holes = ints(*[1] * size, 0) if gen.chance(2) else ints(0, *[1] * size)
        numbers.append((f"{gen.leaf(holes).guarded}\\", _dyad("\\", holes)))
    text, work = gen.pick(numbers)
    return text, lambda x: n.arranged(x, work)


def _changed(gen: Gen, made: Nested) -> Nested:
    """One step more."""
    text, value = made
    if gen.chance(4):
        f, work, kind, ranks = gen.pick(_to_others(gen, value))
        result = n.each(work, value, kind, ranks)
        assert isinstance(result, N)
        return f"{f}¨{text}", result
    if gen.chance(4) and (others := gen.pick(_TO_OTHERS)(gen, value)):
        f, work = gen.pick(others)
        return f"{f}{text}", work(value)
    if gen.chance(12):
        return nested_loops.by_statements(gen, made)
    keeping = gen.pick(_KEEPING)(gen, value)
    if not keeping:
        raise Retry
    f, work = gen.pick(keeping)
    match gen.below(10):
        case 8:
            rounds = gen.below(4)
            for _ in range(rounds):
                value = _bounded(work(value))
            return f"({f if f[0] == '{' else '{' + f + '⍵}'}⍣{gen.leaf(scalar(rounds)).text}){text}", value
        case 9:
            rounds = gen.below(3)
            for _ in range(rounds):
                value = _bounded(work(value))
            return f"{gen.leaf(scalar(rounds)).guarded}{{⍺≤0:⍵ ⋄ (⍺-1)∇ {f}⍵}}{text}", value
        case _:
            result = work(value)
            assert isinstance(result, N)
            return f"{f}{text}", result


_TO_OTHERS = (nested_pairs.changing, nested_shapes.changing)
_KEEPING = (_keeping, nested_pairs.keeping, nested_shapes.keeping, nested_loops.keeping)


def _size(value: A | N) -> int:
    if isinstance(value, A):
        return len(value.data)
    return len(value.items) + sum(map(_size, value.items))


def _bounded(value: N) -> N:
    if _size(value) > MOST:
        raise Retry
    return value


# --- made flat again ----------------------------------------------------------------------------------------


def _ends(gen: Gen, value: N) -> list[Change]:
    """What makes a flat array, or leaves it as it is."""
    found: list[Change] = [
        ("⍴", lambda x: ints(*x.shape)),
        ("∊", n.enlist),
        ("", lambda x: x),
        ("", lambda x: x),
        ("≡", lambda x: scalar(len(x.ranks))),
        ("⊃", lambda x: x.items[0] if x.items else n.without(x.kind, x.ranks[1:])),
    ]
    if value.items:
        found.append(("↑", n.mix))
    found.append(("≢¨", lambda x: n.each(_tally, x, "int", (0,))))
    if value.ranks == (1, 1):
        found += _ends_of_vectors(gen, value)
    if value.rank == 1 and value.items:
        k = gen.below(len(value.items))
        found.append((f"{k + 1}⊃", lambda x: x.items[k]))
        found.append((f"{{⍵⍳⍵[{k + 1}]}}", lambda x: A("int", (), (n.index_of(x, _one(x, k)).data[0],))))
        found.append((f"{{⍵∊⍵[{k + 1},1]}}", lambda x: n.member(x, n.catenated(_one(x, k), _one(x, 0)))))
        found.append(("{⍵≡⌽⍵}", lambda x: A("bool", (), (n.equal(x, n.arranged(x, p.MONADIC["⌽"])),))))
        found.append(("≠", lambda x: vector("bool", n.first_of_each(x))))
        found.append(("{≢⍵}⌸", lambda x: ints(*[len(g) for g in n.groups(x)])))
        found.append(("{⍵~1↑⍵}", lambda x: n.kept(x, [not n.equal(i, x.items[0]) for i in x.items])))
    return found


def _tally(item: A | N) -> A:
    return scalar(item.shape[0] if item.shape else 1)


def _one(x: N, k: int) -> N:
    return N(x.kind, (1, *x.ranks[1:]), (1,), (x.items[k],))


def _ends_of_vectors(gen: Gen, value: N) -> list[Change]:
    found: list[Change] = []
    if value.kind in ("int", "bool"):
        found.append(("+/¨", lambda x: ints(*[int(sum(i.data)) for i in x.items])))
    if value.kind == "int":
        k = A("int", (), (gen.element("int"),))
        found.append(
            (
                f"{{⌈/{k.data[0]:d},⍵}}¨".replace("-", "¯"),
                lambda x: ints(*[max([k.data[0], *i.data]) for i in x.items]),
            )
        )
        found.append(("{(+/⍵)+≢⍵}¨", lambda x: ints(*[sum(i.data) + len(i.data) for i in x.items])))
        found.append(("{⍵+⌽⍵}", lambda x: n.pervade("+", x, n.arranged(x, p.MONADIC["⌽"]))))
        found.append(("⊃+/", lambda x: n.insert("+", x).items[0]))  # type: ignore[union-attr]
        found.append(("{⊃⌽+\\⍵}¨", lambda x: ints(*[sum(i.data) for i in x.items])))
    if value.kind != "bool" and value.items:
        found.append(("⍋", lambda x: ints(*n.order(x))))
        found.append(("{⍵[⍋⍵]}", lambda x: n.arranged(x, lambda k: p.bracket(k, [ints(*n.order(x))]))))
    found.append(("⊃,/", lambda x: n.enlist(x) if x.items else _refuse()))
    found.append(("⊃¨", lambda x: vector(x.kind, [p.MONADIC["⊃"](i).data[0] for i in x.items])))
    return found


def _refuse() -> A:
    raise NotTier1("no items")


_ENDS = (_ends, nested_pairs.ends, nested_shapes.ends)


@entry("⊂⊆", "nested")
def _nested(gen: Gen, depth: int, symbol: str) -> E:
    """An expression with an array of arrays inside of it"""
    made = _made(gen, depth)
    for _ in range(gen.below(5)):
        try:
            made = _changed(gen, made)
        except (NotTier1, AplError):
            raise Retry from None
        _bounded(made[1])
    text, value = made
    end, work = gen.pick([f for ends in _ENDS for f in ends(gen, value)])
    return gen.made(f"{end}{text}", lambda: work(value))
