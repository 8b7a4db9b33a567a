"""Arrays of other libraries whose places do not fit their values: errors, never foreign memory."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import TARGETS

ak: Any = pytest.importorskip("awkward", reason="NOT CHECKED: there is no Awkward Array")
pa: Any = pytest.importorskip("pyarrow", reason="NOT CHECKED: there is no Arrow")

BEYOND = 1 << 40
TOP = (1 << 63) - 1


def index(values: list[int], dtype: str = "i8") -> Any:
    return ak.index.Index(np.array(values, dtype))


def numbers(count: int = 3) -> Any:
    return ak.contents.NumpyArray(np.arange(count))


def text_of(offsets: list[int], data: bytes) -> Any:
    content = ak.contents.NumpyArray(np.frombuffer(data, np.uint8), parameters={"__array__": "char"})
    return ak.contents.ListOffsetArray(index(offsets), content, parameters={"__array__": "string"})


def offsets(values: list[int], dtype: str = "i8") -> Any:
    return ak.contents.ListOffsetArray(index(values, dtype), numbers())


def spans(starts: list[int], stops: list[int], dtype: str = "i8") -> Any:
    return ak.contents.ListArray(index(starts, dtype), index(stops, dtype), numbers())


def arrow(kind: Any, length: int, buffers: list[Any], *children: Any, offset: int = 0) -> Any:
    """An array made of its parts; None where this version of Arrow refuses them itself."""
    if None in children:
        return None
    made = [None if b is None else pa.py_buffer(np.asarray(b)) for b in buffers]
    try:
        return pa.Array.from_buffers(kind, length, made, offset=offset, children=list(children))
    except pa.ArrowInvalid:
        return None


def chunked(*chunks: Any) -> Any:
    return None if None in chunks else pa.chunked_array(chunks)


def i4(*values: int) -> Any:
    return np.array(values, np.int32)


def i8(*values: int) -> Any:
    return np.array(values, np.int64)


INTS, LARGE = pa.list_(pa.int64()), pa.large_list(pa.int64())
THREE = pa.array([1, 2, 3])

DAMAGED: list[Any] = [
    *[ak.Array(offsets(o)) for o in ([0, BEYOND], [0, 4], [5, 0], [-1, 2], [0, 2, 1], [2, 1, 3], [TOP, 2])],
    ak.Array(offsets([0, TOP, -TOP, 3])),
    ak.Array(offsets([0, 2**31 - 1, -(2**31), 3], "i4")),
    ak.Array(offsets([0, 2**32 - 1, 3], "u4")),
    *[ak.Array(spans([0], [stop])) for stop in (4, BEYOND, -1, TOP)],
    *[ak.Array(spans([start], [3])) for start in (-1, -BEYOND, -TOP, 4)],
    ak.Array(spans([-TOP - 1], [TOP])),
    ak.Array(ak.contents.ListOffsetArray(index([0, 2]), offsets([0, 1, BEYOND]))),
    ak.Array(ak.contents.ListOffsetArray(index([0, 9]), offsets([0, 1, 3]))),
    ak.Array(ak.contents.IndexedArray(index([0, 7]), offsets([0, 1, 3]))),
    ak.Array(ak.contents.IndexedArray(index([-1, 0]), offsets([0, 1, 3]))),
    ak.Array(ak.contents.IndexedArray(index([0, BEYOND]), numbers())),
    ak.Array(text_of([0, 9], b"ab")),
    arrow(INTS, 1, [None, i4(0, 1000)], THREE),
    arrow(INTS, 1, [None, i4(-8, 3)], THREE),
    arrow(INTS, 2, [None, i4(0, 3, 1)], THREE),
    arrow(INTS, 500, [None, i4(0, 3)], THREE),
    arrow(INTS, 1, [None, i4(0, 3)], THREE, offset=9),
    arrow(LARGE, 1, [None, i8(0, BEYOND)], THREE),
    arrow(LARGE, 3, [None, i8(0, TOP, -TOP, 3)], THREE),
    arrow(INTS, 1, [None, i4(0, 100)], arrow(pa.int64(), 100, [None, i8(1)])),
    arrow(pa.int64(), 1 << 20, [None, i8(1, 2)]),
    arrow(pa.bool_(), 1 << 20, [None, i8(1)]),
    arrow(pa.int64(), 100, [np.zeros(1, np.uint8), np.zeros(100, np.int64)]),
    arrow(pa.string(), 1, [None, i4(0, 1000), np.zeros(4, np.uint8)]),
    arrow(pa.string(), 1, [None, i4(-4, 2), np.zeros(4, np.uint8)]),
    arrow(pa.list_(pa.int64(), 1000), 3, [None], THREE),
    arrow(pa.list_view(pa.int64()), 1, [None, i4(-1), i4(2)], THREE),
    arrow(pa.list_view(pa.int64()), 1, [None, i4(2), i4(2)], THREE),
    arrow(pa.list_view(pa.int64()), 1, [None, i4(2**31 - 1), i4(2**31 - 1)], THREE),
    arrow(pa.list_view(pa.int64()), 1, [None, i4(0), i4(-1)], THREE),
    arrow(pa.large_list_view(pa.int64()), 1, [None, i8(TOP), i8(TOP)], THREE),
    chunked(THREE, arrow(pa.int64(), 1 << 20, [None, i8(1, 2)])),
    chunked(pa.array(["a"]), arrow(pa.string(), 1, [None, i4(0, 1000), np.zeros(4, np.uint8)])),
    chunked(pa.array([[1]]), arrow(INTS, 2, [None, i4(0, 3, 1)], THREE)),
]
DAMAGED = [column for column in DAMAGED if column is not None]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", ["{+/¨⍵}", "{⍵}"])
def test_what_does_not_fit_is_refused(text: str, target: str) -> None:
    for unsafe in (False, True):
        function = aplc.fn(text, target=target, unsafe=unsafe)
        for column in DAMAGED:
            with pytest.raises(aplc.ArgumentValueError, match=r"INDEX ERROR: an argument is damaged: "):
                function(column)
        for _ in range(4):  # the quick way in
            function(ak.Array([[1], [2, 3]]))
        for column in DAMAGED:
            with pytest.raises(aplc.ArgumentValueError, match="is damaged: "):
                function(column)


@pytest.mark.parametrize("target", TARGETS)
def test_items_without_elements_may_begin_anywhere(target: str) -> None:
    for column in (
        ak.Array(spans([BEYOND, 1], [BEYOND, 3])),
        arrow(pa.list_view(pa.int64()), 2, [None, i4(-5, 1), i4(0, 2)], pa.array([0, 1, 2])),
    ):
        assert aplc.fn("{+/¨⍵}", target=target)(column).tolist() == [0, 3]
        assert aplc.fn("{↑⍵}", target=target)(column).tolist() == [[0, 0], [1, 2]]


def test_texts_are_utf8() -> None:
    lengths = aplc.fn("{≢¨⍵}", target="interp")
    for offsets_of, data in (
        ([0, 1, 2], "é".encode()),
        ([0, 3], b"ab\xff"),
        ([0, 2], b"\xc3("),
        ([0, 1, 3], b"a\xed\xa0"),
        ([0, 3], "\ud800".encode("utf-8", "surrogatepass")),
        ([0, 5], b"\xf8\x88\x80\x80\x80"),
    ):
        with pytest.raises(aplc.ArgumentValueError, match="are no text in UTF-8"):
            lengths(ak.Array(text_of(offsets_of, data)))
    content = ak.contents.NumpyArray(
        np.frombuffer(b"\xffab\xc3\xa9\xff", np.uint8), parameters={"__array__": "char"}
    )
    words = ak.contents.ListArray(index([3, 1]), index([5, 3]), content, parameters={"__array__": "string"})
    assert lengths(ak.Array(words)).tolist() == [1, 2]
    assert ["".join(w) for w in aplc.fn("{⍵}", target="interp")(ak.Array(words))] == ["é", "ab"]


def test_extents_are_those_that_arrays_can_have() -> None:
    nothing = ak.contents.RegularArray(numbers(), 0, zeros_length=1 << 60)
    for layout in (nothing, ak.contents.ListOffsetArray(index([0, 1 << 60]), nothing)):
        with pytest.raises(aplc.ArgumentTypeError, match="more of them along its other axes"):
            aplc.fn("{⍵}", target="interp")(ak.Array(layout))


def test_truth_values_are_0_or_1() -> None:
    dirty = np.array([2, 0, 255], np.uint8).view(np.bool_)
    column = ak.Array(ak.contents.ListOffsetArray(index([0, 2, 3]), ak.contents.NumpyArray(dirty)))
    assert aplc.fn("{+/¨⍵}", target="interp")(column).tolist() == [1, 1]
    assert aplc.run("x←2⍴0 ⋄ x[1+∊b]←7 ⋄ x", b=column, target="interp").tolist() == [7, 7]
