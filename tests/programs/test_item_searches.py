"""Searches among items of every kind of elements, wherever a program runs, against plain Python."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.days import of_today
from tests.support.machine import needs_c, needs_threads
from tests.support.plain_tail import items as plain

Array = np.ndarray[Any, Any]

ALL = """{
    w←⍺ CUT ⍵
    half←w[⍳⌊(≢w)÷2]
    c←{≢⍵}⌸w
    s←w{+/⍵}⌸⍳≢w
    (≢∪w)(w⍳∪w)(≠w)c s(⍋w)(⍒w)(half⍳w)(w∊half)(≢w~half)(≢half∪w)(w≡⌽w)(w≡w)(≢¨∪w)
}"""


KINDS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "int64", "float32", "float64", "U1"]


@cache
def function(cut: str, target: str, level: int) -> Callable[..., Any]:
    source = Source("test", ALL.replace("CUT", cut))
    return aplc.Function([source], None, Options(target=target, level=level))


def values(kind: str, rng: np.random.Generator, size: int, different: int) -> Array:
    """Elements of a kind, of which some are large or no whole numbers."""
    chosen = rng.integers(0, different, size)
    if kind == "U1":
        return np.array(list("ab ∆é😀"))[chosen]
    if kind == "bool":
        return chosen % 2 == 1
    if kind.startswith("float"):
        return np.array([0.0, 1.5, -0.0, -1e10, 3.0, 2.5], kind)[chosen]
    top = int(np.iinfo(kind).max)
    return np.array([0, 1, top, top - 1, int(np.iinfo(kind).min), 5], kind)[chosen]


def cut_by(cut: str, marks: Array, elements: Array) -> list[plain.Item]:
    """The items that `marks⊆elements` or `marks⊂elements` gives."""
    if cut == "⊆":
        spans = list(zip(*plain.runs(marks.tolist()), strict=True))
    else:
        starts = np.repeat(np.arange(len(marks)), marks).tolist()
        spans = [(a, b - a) for a, b in zip(starts, [*starts, len(marks)][1:], strict=True)]
    items = [tuple(elements[start : start + length].tolist()) for start, length in spans]
    return [((len(x),), x) for x in items]


def expected(w: list[plain.Item]) -> list[Any]:
    """What the function above gives."""
    half = w[: len(w) // 2]
    numbers, firsts, counts = plain.classes(w)
    places = range(1, len(w) + 1)
    sums = [sum(i for i, k in zip(places, numbers, strict=True) if k == c + 1) for c in range(len(firsts))]
    found = plain.index_of(half, w)
    missing = [k for k in found if k > len(half)]
    new = [x for x, k in zip(w, found, strict=True) if k > len(half)]
    return [
        len(firsts), firsts, [k in firsts for k in places], counts, sums, plain.grade(w), plain.grade(w, -1),
        found, [k <= len(half) for k in found], len(missing), len(half) + len(new),
        len(w) == len(w[::-1]) and all(map(plain.same, w, w[::-1])), True, [w[k - 1][0][0] for k in firsts],
    ]  # fmt: skip


def check(cut: str, kind: str, target: str, level: int) -> None:
    rng = np.random.default_rng([ord(cut), KINDS.index(kind), level])
    f = function(cut, target, level)
    for size, different, dense in (
        (0, 2, 1),
        (1, 2, 1),
        (9, 2, 2),
        (60, 2, 2),
        (90, 6, 9),
        (600, 3, 4),
        (700, 6, 6),
    ):
        marks = (rng.integers(0, dense, size) > 0) if cut == "⊆" and size % 2 else rng.integers(0, 3, size)
        if cut == "⊂":
            marks = np.where(rng.integers(0, dense, size) == 0, marks, 0)
        elements = values(kind, rng, size, different)
        given = f(marks, elements)
        told = [x.tolist() if isinstance(x, np.ndarray) else x for x in given]
        assert told == expected(cut_by(cut, marks.astype(np.int64), elements)), (size, marks, elements)


@needs_c
@pytest.mark.parametrize(("cut", "kind"), of_today([(cut, kind) for kind in KINDS for cut in "⊆⊂"], 10))
def test_kinds_of_elements(cut: str, kind: str) -> None:
    check(cut, kind, "c", 2)


@pytest.mark.parametrize("kind", of_today(KINDS, 4))
def test_the_interpreter(kind: str) -> None:
    check("⊂", kind, "interp", 2)


@needs_c
@pytest.mark.parametrize("level", of_today([0, 1, 3], 3))
def test_levels(level: int) -> None:
    check("⊆", "U1", "c", level)


@needs_threads
def test_threads() -> None:
    check("⊆", "int32", "openmp", 2)


@needs_c
@pytest.mark.parametrize("kind", of_today(["bool", "uint16", "int32", "int64", "U1"], 3))
def test_items_that_differ_in_one_element(kind: str) -> None:
    large = {"bool": 1, "uint16": 256, "int32": -1, "int64": 2**40, "U1": 0x1F600}[kind]
    items = [
        [0] * before + [one] + [0] * behind
        for before in range(20)
        for behind in (0, 1, 7, 15)
        for one in (1, large)
    ] * 2
    elements = np.array([chr(x) if kind == "U1" else x for item in items for x in item], kind)
    marks = np.array([k == 0 for item in items for k in range(len(item))])
    given = function("⊂", "c", 2)(marks, elements)
    told = [x.tolist() if isinstance(x, np.ndarray) else x for x in given]
    assert told == expected(cut_by("⊂", marks.astype(np.int64), elements))


NEAR = "{w←⍺⊂⍵ ⋄ (≢∪w)(w⍳∪w)(w⍳⌽w)({≢⍵}⌸w)(≠w)(w≡⌽w)}"


@needs_c
@pytest.mark.parametrize("long", [3, 200])
def test_items_within_a_tolerance(long: int) -> None:
    rng = np.random.default_rng(long)
    f, near = aplc.fn(NEAR), plain.within(1e-14)
    for _ in range(6):
        elements = rng.integers(1, 3, 40 * long) * (1 + rng.integers(-3, 4, 40 * long) * 2e-15)
        elements[: 20 * long] = elements[20 * long :] * (1 + rng.integers(-1, 2, 20 * long) * 4e-15)
        marks = np.zeros(40 * long, np.int64)
        marks[:: rng.integers(1, long + 1)] = 1
        w = cut_by("⊂", marks, elements)
        numbers, firsts, counts = plain.classes(w, near)
        assert len(numbers) == len(w)
        back = plain.index_of(w, w[::-1], near)
        alike = all(plain.same(x, y, near) for x, y in zip(w, w[::-1], strict=True))
        of_firsts = plain.index_of(w, [w[k - 1] for k in firsts], near)
        is_first = [k + 1 in firsts for k in range(len(w))]
        given = [x.tolist() if isinstance(x, np.ndarray) else x for x in f(marks, elements)]
        assert given == [len(firsts), of_firsts, back, counts, is_first, alike]


DEEP = "{d←⍺⊂' '(≠⊆⊢)⍵ ⋄ (≢∪d)(d⍳⌽d)({≢⍵}⌸d)(⍋d)(⍒d)(d≡⌽d)(≠d)((2↑d)⍳d)}"


@pytest.mark.in_turn(4)
@needs_c
@pytest.mark.parametrize("target", ["interp", "c"])
def test_items_that_have_items(target: str) -> None:
    rng = np.random.default_rng(7)
    f = aplc.fn(DEEP, target=target)
    for count in (4, 9, 60):
        words = [["a", "ab", "b", "abcdefghijk"][k] for k in rng.integers(0, 4, count)]
        marks = (rng.integers(0, 2, count) > 0).astype(np.int64)
        marks[:2] = 1
        starts = np.flatnonzero(marks).tolist()
        d = [tuple(words[a:b]) for a, b in zip(starts, [*starts[1:], count], strict=True)]
        items: list[plain.Item] = [((len(x),), x) for x in d]
        numbers, firsts, counts = plain.classes(items)
        alike = all(map(plain.same, items, items[::-1]))
        wanted = [
            len(firsts), plain.index_of(items, items[::-1]), counts,
            plain.grade(items), plain.grade(items, -1), alike,
            [k + 1 in firsts for k in range(len(d))], plain.index_of(items[:2], items),
        ]  # fmt: skip
        given = f(marks, np.array(list(" ".join(words))))
        assert [x.tolist() if isinstance(x, np.ndarray) else x for x in given] == wanted
        assert max(numbers) == len(firsts)


MATRICES = "{m←⍺{(⍺ ⍵)⍴⍳9}¨⍵ ⋄ (≢∪m)(m⍳⌽m)({≢⍵}⌸m)(⍋m)(⍒m)(m≡⌽m)(m∊2↑m)}"


@needs_c
@pytest.mark.parametrize("target", ["interp", "c"])
def test_items_that_are_matrices(target: str) -> None:
    rng = np.random.default_rng(8)
    f = aplc.fn(MATRICES, target=target)
    for count in (2, 5, 40):
        rows, columns = rng.integers(0, 4, count), rng.integers(0, 4, count)
        m: list[plain.Item] = [
            ((i, k), tuple(np.resize(np.arange(1, 10), i * k).tolist()))
            for i, k in zip(rows.tolist(), columns.tolist(), strict=True)
        ]
        _, firsts, counts = plain.classes(m)
        wanted = [
            len(firsts), plain.index_of(m, m[::-1]), counts, plain.grade(m), plain.grade(m, -1),
            all(map(plain.same, m, m[::-1])), [k < 3 for k in plain.index_of(m[:2], m)],
        ]  # fmt: skip
        given = f(rows, columns)
        assert [x.tolist() if isinstance(x, np.ndarray) else x for x in given] == wanted


@needs_c
def test_many_items() -> None:
    f = aplc.fn("{w←↓⍵ ⋄ (≢∪w)(⌈/{≢⍵}⌸w)(+/w⍳⌽w)(+/0<2-/⍋w)}")
    equal = np.ones((300_000, 2), np.int64)
    assert [int(x) for x in f(equal)] == [1, 300_000, 300_000, 0]
    n = 200_000
    different = np.stack([np.arange(n) * 2**40, np.arange(n)], 1)
    assert [int(x) for x in f(different)] == [n, 1, n * (n + 1) // 2, 0]


@needs_c
def test_a_table_in_front_of_a_function() -> None:
    f = aplc.fn("{w←' '(≠⊆⊢)⍺ ⋄ {w⍳⊂⍵}¨' '(≠⊆⊢)⍵}")
    assert f(np.array(list("to be or not")), np.array(list("be xyz to not to"))).tolist() == [2, 5, 1, 4, 1]
