"""What searches among items mean, against definitions in plain Python."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aplc.tail import prims as p
from aplc.tail.errors import RunError
from tests.support.plain_tail import items as plain

Parts = tuple[np.ndarray[Any, Any], ...]

NUMBERS = st.sampled_from([0, 1, 2, -1, 300])
DOUBLES = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-15, 1.0 - 1e-15, 1.5, -1e300])


def parts(items: list[plain.Item], dtype: type, axes: int = 1) -> Parts:
    """The array of some items, whose elements lie in the opposite order."""
    places: list[int] = []
    elements: list[Any] = []
    for _, values in reversed(items):
        places.insert(0, len(elements))
        elements += values
    extents = np.array([shape for shape, _ in items], np.int64).reshape(len(items), axes)
    return (np.array(places, np.int64), *[axis.copy() for axis in extents.T], np.array(elements, dtype))


@st.composite
def item(draw: st.DrawFn, elements: st.SearchStrategy[Any], axes: int = 1) -> plain.Item:
    shape = tuple(draw(st.lists(st.integers(0, 3 if axes > 1 else 9), min_size=axes, max_size=axes)))
    size = int(np.prod(shape))
    return shape, tuple(draw(st.lists(elements, min_size=size, max_size=size)))


def lists(elements: st.SearchStrategy[Any], axes: int = 1) -> st.SearchStrategy[list[plain.Item]]:
    return st.lists(item(elements, axes), max_size=12)


def as_lists(found: Any) -> Any:
    return tuple([a.tolist() for a in found]) if isinstance(found, tuple) else found.tolist()


@pytest.mark.parametrize("axes", [1, 2])
@given(data=st.data())
def test_searches_of_numbers(axes: int, data: st.DataObject) -> None:
    a, b = data.draw(lists(NUMBERS, axes)), data.draw(lists(NUMBERS, axes))
    of_a, of_b = parts(a, np.int64, axes), parts(b, np.int64, axes)
    assert as_lists(p.CLASSES.meaning(of_a)) == plain.classes(a)
    assert as_lists(p.INDEX_OF_ITEMS.meaning(of_a, of_b)) == plain.index_of(a, b)
    assert as_lists(p.GRADE_ITEMS_UP.meaning(of_a)) == plain.grade(a)
    assert as_lists(p.GRADE_ITEMS_DOWN.meaning(of_a)) == plain.grade(a, -1)
    alike = len(a) == len(b) and all(map(plain.same, a, b))
    assert as_lists(p.MATCH_ITEMS.meaning(of_a, of_b)) is alike
    assert as_lists(p.MATCH_ITEMS.meaning(of_a, parts(a, np.int64, axes)))


@given(lists(DOUBLES), lists(DOUBLES))
def test_searches_within_a_tolerance(a: list[plain.Item], b: list[plain.Item]) -> None:
    of_a, of_b, tolerance = parts(a, np.float64), parts(b, np.float64), np.array(1e-14)
    near = plain.within(1e-14)
    assert as_lists(p.CLASSES_T.meaning(tolerance, of_a)) == plain.classes(a, near)
    assert as_lists(p.INDEX_OF_ITEMS_T.meaning(tolerance, of_a, of_b)) == plain.index_of(a, b, near)
    alike = len(a) == len(b) and all(plain.same(x, y, near) for x, y in zip(a, b, strict=True))
    assert as_lists(p.MATCH_ITEMS_T.meaning(tolerance, of_a, of_b)) is alike


def test_an_item_with_nan_equals_nothing() -> None:
    nan = parts([((1,), (np.nan,))] * 2 + [((1,), (1.0,))] * 2, np.float64)
    tolerance = np.array(1e-14)
    for classes in (p.CLASSES.meaning(nan), p.CLASSES_T.meaning(tolerance, nan)):
        assert as_lists(classes) == ([1, 2, 3, 3], [1, 2, 3], [1, 1, 2])
    assert as_lists(p.INDEX_OF_ITEMS.meaning(nan, nan)) == [5, 5, 3, 3]
    assert as_lists(p.INDEX_OF_ITEMS_T.meaning(tolerance, nan, nan)) == [5, 5, 3, 3]
    assert not p.MATCH_ITEMS.meaning(nan, nan)
    assert as_lists(p.GRADE_ITEMS_UP.meaning(nan)) == [3, 4, 1, 2]


def test_characters() -> None:
    words = parts([((2,), (97, 98)), ((0,), ()), ((2,), (97, 98))], np.uint32)
    assert as_lists(p.CLASSES.meaning(words)) == ([1, 2, 1], [1, 2], [2, 1])


def test_items_must_be_there() -> None:
    places, lengths, elements = np.array([0, 2]), np.array([1, 3]), np.array([1, 2, 3])
    for meaning in (p.CLASSES.meaning, p.GRADE_ITEMS_UP.meaning):
        with pytest.raises(RunError):
            meaning((places, lengths, elements))


@given(st.lists(st.integers(0, 3)))
def test_runs(marks: list[int]) -> None:
    starts, lengths = plain.runs(marks)
    assert as_lists(p.RUNS.meaning(np.array(marks, np.int64))) == (starts, lengths)
    assert as_lists(p.RUNS.meaning(np.array(marks, np.bool_))) == plain.runs([bool(m) for m in marks])
