"""What `nested` does to where the items of vectors and matrices are: other shapes, fills, joins and cells.

    MAKERS                  arrays without items, of empty items, of items that are arrays of arrays
    keeping(gen, value)     what keeps the type
    changing(gen, value)    what gives arrays of arrays of another type
    ends(gen, value)        what gives flat arrays

A change is the text that stands in front of the array, and what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl import nested as n
from tests.support.plain_apl.array import A, AplError, NotTier1, ints, scalar, vector
from tests.support.plain_apl.nested import N
from tests.support.tier1.expressions import Gen

Change = tuple[str, Callable[[Any], Any]]
Nested = tuple[str, N]
Places = Callable[[A], A]
"""What happens to an array of numbers that stand for the items."""


# --- made -------------------------------------------------------------------------------------------------


def _short(gen: Gen, ranks: Sequence[int]) -> A:
    return gen.elements(gen.pick(("int", "double", "char")), gen.shape(ranks))


def _repeated(gen: Gen, depth: int) -> Nested:
    """`k⍴⊂item`, where k may be 0 and the item may be empty."""
    item = _short(gen, (1, 2))
    shape = gen.pick(((0,), (3,), (0, 2), (2, 0), (2, 2), (1,), ()))
    items = (item,) * len(p.DYADIC["⍴"](ints(*shape), scalar(0)).data)
    given = " ".join([gen.leaf(scalar(extent)).guarded for extent in shape]) or "⍬"
    text = f"{given}⍴⊂{gen.leaf(item).guarded}"
    return text, N(item.kind, (len(shape), item.rank), shape, items)


def _of_two_levels(gen: Gen, depth: int) -> Nested:
    """A strand of strands, with empty vectors in some."""
    kind = gen.pick(("int", "double", "char"))
    strands = [
        [gen.elements(kind, (gen.pick((2, 3, 0, 1)),)) for _ in range(2 + gen.below(2))]
        for _ in range(2 + gen.below(2))
    ]
    text = "".join(["(" + "".join([f"({gen.leaf(x).text})" for x in strand]) + ")" for strand in strands])
    return text, N(kind, (1, 1, 1), (len(strands),), tuple([_vectors(kind, strand) for strand in strands]))


def _table(gen: Gen, depth: int) -> Nested:
    """A matrix of vectors, item by item."""
    kind = gen.pick(("int", "double", "char"))
    rows, columns = 1 + gen.below(3), 1 + gen.below(3)
    some = [gen.elements(kind, (gen.pick((2, 0, 3, 1)),)) for _ in range(2 + gen.below(3))]
    items = tuple([some[k % len(some)] for k in range(rows * columns)])
    text = "".join([f"({gen.leaf(x).text})" for x in some])
    return f"{rows} {columns}⍴{text}", N(kind, (2, 1), (rows, columns), items)


MAKERS: list[Callable[[Gen, int], Nested]] = [_repeated, _of_two_levels, _table]


def _vectors(kind: str, items: Sequence[Any]) -> N:
    return N(kind, (1, 1), (len(items),), tuple(items))


# --- what keeps the type ----------------------------------------------------------------------------------


def keeping(gen: Gen, value: N) -> list[Change]:
    """What only chooses, arranges, repeats and fills the items of vectors and matrices."""
    changes: list[Change] = []
    if value.rank == 1:
        found = _of_a_vector(gen, len(value.items))
        changes = [("{(-≢⍵)↑1↓⍵}", _filled_before), ("{⍵,1↑0⍴⍵}", _with_an_empty_item)]
    elif value.rank == 2:
        found = _of_a_matrix(gen, *value.shape)
    else:
        return []
    changes += [(text, _arranging(work)) for text, work in found]
    return [*changes, *_of_rows_and_columns(value)]


def _arranging(work: Places) -> Callable[[Any], Any]:
    return lambda x: n.arranged(x, work)


def _filled_before(x: N) -> N:
    """All but the first, and before them what stands for an item like the second."""
    return n.arranged(n.arranged(x, _dyad("↓", scalar(1))), _dyad("↑", scalar(-len(x.items))))


def _with_an_empty_item(x: N) -> N:
    return n.catenated(x, n.arranged(n.arranged(x, _dyad("↓", scalar(99))), _dyad("↑", scalar(1))))


def _dyad(symbol: str, left: A) -> Places:
    return lambda x: p.DYADIC[symbol](left, x)


def _holes(gen: Gen, size: int) -> A:
    """The left argument of `\\` for so many items: repeats, single fills and several."""
    counts = [1 + gen.below(3) // 2 for _ in range(size)]
    for _ in range(gen.below(3)):
        counts.insert(gen.below(len(counts) + 1), gen.pick((0, -1, -2)))
    return ints(*counts)


def _repeats(gen: Gen, size: int) -> A:
    """The left argument of `/` for so many items: none, some, and fills instead of one."""
    return ints(*[gen.pick((1, 2, 0, -1, -2, 3)) for _ in range(size)])


def _of_a_vector(gen: Gen, size: int) -> list[tuple[str, Places]]:
    length = gen.below(10)
    cut = gen.leaf(scalar(length)).guarded
    found: list[tuple[str, Places]] = [
        (f"{cut}⍴", _dyad("⍴", scalar(length))),
        (f"{cut}↑", _dyad("↑", scalar(length))),
        (f"(-{cut})↑", _dyad("↑", scalar(-length))),
        ("0⍴", _dyad("⍴", scalar(0))),
    ]
    if size:
        repeats, holes = _repeats(gen, size), _holes(gen, size)
        found += [
            (f"{gen.leaf(repeats).guarded}/", _dyad("/", repeats)),
            (f"{gen.leaf(holes).guarded}\\", _dyad("\\", holes)),
        ]
    return found


def _of_a_matrix(gen: Gen, rows: int, columns: int) -> list[tuple[str, Places]]:
    a, b = gen.below(4) - gen.below(3), gen.below(5) - gen.below(3)
    pair = " ".join([gen.leaf(scalar(k)).guarded for k in (a, b)])
    shape = " ".join([gen.leaf(scalar(abs(k))).guarded for k in (a, b)])
    found: list[tuple[str, Places]] = [
        (f"{pair}↑", _dyad("↑", ints(a, b))),
        (f"{pair}↓", _dyad("↓", ints(a, b))),
        (f"{shape}⍴", _dyad("⍴", ints(abs(a), abs(b)))),
        ("1⊖", _dyad("⊖", scalar(1))),
        ("1⌽", _dyad("⌽", scalar(1))),
        ("2 1⍉", p.MONADIC["⍉"]),
        ("{⍵⍪⍵}", lambda x: p.DYADIC["⍪"](x, x)),
        ("{⍵,⌽⍵}", lambda x: p.DYADIC[","](x, p.MONADIC["⌽"](x))),
        ("⌽[1]", p.MONADIC["⊖"]),
    ]
    turns = ints(*[gen.below(3) for _ in range(rows)])
    found.append((f"{gen.leaf(turns).guarded}⌽", _dyad("⌽", turns)))
    for symbol, holes, size in (("/", "\\", columns), ("⌿", "⍀", rows)):
        if size:
            left, right = _repeats(gen, size), _holes(gen, size)
            found.append((f"{gen.leaf(left).guarded}{symbol}", _dyad(symbol, left)))
            found.append((f"{gen.leaf(right).guarded}{holes}", _dyad(holes, right)))
    if rows and columns:
        row = ints(*[gen.below(rows) + 1 for _ in range(gen.below(3))])
        column = ints(*[gen.below(columns) + 1 for _ in range(gen.below(3))])
        i, j = gen.leaf(row).guarded, gen.leaf(column).guarded
        found += [
            (f"{{⍵[{i};{j}]}}", lambda x: p.bracket(x, [row, column])),
            (f"{{⍵[{i};]}}", lambda x: p.bracket(x, [row, None])),
            (f"{{⍵[;{j}]}}", lambda x: p.bracket(x, [None, column])),
            (f"(⊂{i})⌷", lambda x: p.bracket(x, [row, None])),
            ("{⍵⍪⍵[1;]}", lambda x: p.DYADIC["⍪"](x, p.bracket(x, [scalar(1), None]))),
            (f"{{t←⍵ ⋄ t[{i};]←⌽t[{i};] ⋄ t}}", lambda x: _rows_turned(x, row)),
            ("{t←⍵ ⋄ t[1;]←t[≢t;] ⋄ t}", _first_row_is_last),
        ]
    return found


def _rows_turned(x: A, rows: A) -> A:
    """These rows from right to left, each once."""
    columns = x.shape[1]
    data = list(x.data)
    for k in set(rows.data):
        row = x.data[(k - 1) * columns : k * columns]
        data[(k - 1) * columns : k * columns] = row[::-1]
    return A(x.kind, x.shape, tuple(data))


def _first_row_is_last(x: A) -> A:
    columns = x.shape[1]
    return A(x.kind, x.shape, (*x.data[-columns:], *x.data[columns:]))


def _of_rows_and_columns(value: N) -> list[Change]:
    if value.rank != 2:
        return []
    different: Change = ("∪", lambda x: n.arranged(x, _dyad("⌿", ints(*map(int, _first_rows(x))))))
    if value.ranks != (2, 1):
        return [different]
    found: list[Change] = [(",\\", lambda x: _along_rows(x, _running)), different]
    if value.items:
        found += [
            ("2,/", _neighbours_joined),
            ("2,⌿", lambda x: _upright(_neighbours_joined(_upright(x)))),
        ]
    return found


def _cells(x: N) -> N:
    """The rows of a matrix as the items of a vector."""
    rows = [N(x.kind, (1, *x.ranks[1:]), x.shape[1:], row) for row in _rows(x)]
    return N(x.kind, (1, 1, *x.ranks[1:]), (len(rows),), tuple(rows))


def _first_rows(x: N) -> list[bool]:
    return n.first_of_each(_cells(x))


def _upright(x: N) -> N:
    return n.arranged(x, p.MONADIC["⍉"])


def _neighbours_joined(x: N) -> N:
    rows, columns = x.shape
    items = [p.DYADIC[","](a, b) for row in _rows(x) for a, b in pairwise(row)]
    if not rows or not columns:
        raise NotTier1("windows of no items")
    return N(x.kind, x.ranks, (rows, columns - 1), tuple(items))


def _running(row: Sequence[A]) -> list[A]:
    return [_joined(row[: k + 1]) for k in range(len(row))]


def _joined(items: Sequence[A]) -> A:
    return reduce(p.DYADIC[","], items)


def _rows(x: N) -> list[tuple[Any, ...]]:
    rows, columns = x.shape
    return [x.items[k * columns : (k + 1) * columns] for k in range(rows)]


def _along_rows(x: N, work: Callable[[Sequence[A]], list[A]]) -> N:
    return N(x.kind, x.ranks, x.shape, tuple([item for row in _rows(x) for item in work(row)]))


# --- what gives another type ------------------------------------------------------------------------------


def changing(gen: Gen, value: N) -> list[Change]:
    """What gives arrays of arrays of another rank or depth."""
    found: list[tuple[str, Places]] = []
    changes: list[Change] = []
    if value.rank == 0:
        found = [(",", p.MONADIC[","]), ("3⍴", _dyad("⍴", scalar(3))), ("2 2⍴", _dyad("⍴", ints(2, 2)))]
    elif value.rank == 1:
        extents = ints(gen.below(4), gen.below(4))
        given = " ".join([gen.leaf(scalar(k)).guarded for k in extents.data])
        found = [
            (f"{given}⍴", _dyad("⍴", extents)),
            ("⍪", p.MONADIC["⍪"]),
            ("{⍵,[0.5]⌽⍵}", lambda x: p.laminate(x, p.MONADIC["⌽"](x), 0)),
            ("{↑⍵ ⍵}", lambda x: p.laminate(x, x, 0)),
        ]
    elif value.rank == 2:
        found = [(",", p.MONADIC[","])]
        if value.items:
            row, column = gen.below(value.shape[0]) + 1, gen.below(value.shape[1]) + 1
            i, j = gen.leaf(scalar(row)).guarded, gen.leaf(scalar(column)).guarded
            found += [
                (f"{{⍵[{i};]}}", lambda x: p.bracket(x, [scalar(row), None])),
                (f"{{⍵[;{j}]}}", lambda x: p.bracket(x, [None, scalar(column)])),
                (f"{i}⌷", lambda x: p.bracket(x, [scalar(row), None])),
                ("⊣/", lambda x: p.bracket(x, [None, scalar(1)])),
                ("⊢⌿", lambda x: p.bracket(x, [scalar(x.shape[0]), None])),
            ]
            changes += _of_rows(value)
    changes += [(text, _arranging(work)) for text, work in found]
    return changes


def _of_rows(value: N) -> list[Change]:
    """What takes the rows of a matrix, or its columns, one by one."""
    found: list[Change] = []
    if len(value.ranks) < 4:
        found += [
            ("↓", _split),
            ("{⊂⍤1⊢⍵}", _split),
            ("⊂[1]", lambda x: _split(_upright(x))),
            ("↓⍉", lambda x: _split(_upright(x))),
        ]
    if value.ranks == (2, 1):
        found += [
            (",/", lambda x: _vectors(x.kind, list(map(_joined, _rows(x))))),
            (",⌿", lambda x: _vectors(x.kind, list(map(_joined, _rows(_upright(x)))))),
            ("{⍺,⌽⍵}/", lambda x: _vectors(x.kind, [reduce(_turned_behind, row[::-1]) for row in _rows(x)])),
        ]
    return found


def _turned_behind(last: A, before: A) -> A:
    """One step of the fold, from the right: `before,⌽last`."""
    return p.DYADIC[","](before, p.MONADIC["⌽"](last))


def _split(x: N) -> N:
    if not x.items:
        raise NotTier1("rows without items")
    return _cells(x)


# --- what is flat -----------------------------------------------------------------------------------------


def ends(gen: Gen, value: N) -> list[Change]:
    """What gives a flat array, or an item."""
    if value.rank != 2:
        return []
    found: list[Change] = [
        ("{⍵≡⊖⍵}", lambda x: A("bool", (), (n.equal(x, n.arranged(x, p.MONADIC["⊖"])),))),
        ("{≢⍤1⊢⍵}", lambda x: ints(*[x.shape[1]] * x.shape[0])),
        ("{≢,⍵}", lambda x: scalar(len(x.items))),
        ("≠", lambda x: vector("bool", _first_rows(x))),
        ("{⍴⍉⍵}", lambda x: ints(*x.shape[::-1])),
    ]
    if value.items:
        row, column = gen.below(value.shape[0]), gen.below(value.shape[1])
        i, j = gen.leaf(scalar(row + 1)).guarded, gen.leaf(scalar(column + 1)).guarded
        at = row * value.shape[1] + column
        found += [
            (f"{{⊃⍵[{i};{j}]}}", lambda x: x.items[at]),
            (f"⊃{i} {j}⌷", lambda x: x.items[at]),
            ("{≢⍵}⌸", lambda x: ints(*[len(group) for group in n.groups(_cells(x))])),
            ("{⊂⍵}⌸", lambda x: _vectors("int", [ints(*group) for group in n.groups(_cells(x))])),
            (f"{{⍵∊⍵[{i};]}}", lambda x: n.member(x, _row(x, row))),
            (f"{{⍵[{i};]⍳⍵}}", lambda x: n.index_of(_row(x, row), x)),
            (f"{{⍵[{value.shape[0] + 1};{j}]}}", lambda x: _index_error()),
        ]
    return found


def _row(x: N, k: int) -> N:
    return N(x.kind, (1, *x.ranks[1:]), x.shape[1:], _rows(x)[k])


def _index_error() -> Any:
    raise AplError("INDEX ERROR")
