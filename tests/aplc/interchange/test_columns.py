"""Arrays of Awkward Array and Arrow as arguments: which arrays they are, what is copied, what is refused."""

import gc
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.inputs import from_python
from tests.support.machine import TARGETS

ak: Any = pytest.importorskip("awkward", reason="NOT CHECKED: there is no Awkward Array")
pa: Any = pytest.importorskip("pyarrow", reason="NOT CHECKED: there is no Arrow")

WORDS = ["ab", "cé€😀", "", "x"]
RAGGED = [[1, 2], [], [3, 4, 5]]
DEEP = [[[1], [2, 3]], [], [[4, 5, 6]]]


def view(starts: list[int], lengths: list[int], values: Any) -> Any:
    """A list view of Arrow."""
    return pa.ListViewArray.from_arrays(pa.array(starts, pa.int32()), pa.array(lengths, pa.int32()), values)


COLUMNS: list[tuple[Any, str, Any]] = [
    (ak.Array(RAGGED), "[[int]1]1", RAGGED),
    (ak.Array(RAGGED)[1:], "[[int]1]1", RAGGED[1:]),
    (ak.Array(RAGGED)[[2, 0]], "[[int]1]1", [RAGGED[2], RAGGED[0]]),
    (ak.Array(RAGGED)[::-1], "[[int]1]1", RAGGED[::-1]),
    (ak.Array([[True], [False, True]]), "[[bool]1]1", [[True], [False, True]]),
    (ak.Array([[1.5], [2.5j]]), "[[complex]1]1", [[1.5], [2.5j]]),
    (ak.values_astype(ak.Array(RAGGED), np.float32), "[[double]1]1", RAGGED),
    (ak.Array(DEEP), "[[[int]1]1]1", DEEP),
    (ak.Array(DEEP)[::-1], "[[[int]1]1]1", DEEP[::-1]),
    (ak.Array(WORDS), "[[char]1]1", WORDS),
    (ak.Array(WORDS)[1:], "[[char]1]1", WORDS[1:]),
    (ak.Array(WORDS)[[3, 1]], "[[char]1]1", ["x", "cé€😀"]),
    (ak.Array([WORDS, [], ["é"]]), "[[[char]1]1]1", [WORDS, [], ["é"]]),
    (ak.str.to_categorical(ak.Array(["ab", "é", "ab"])), "[[char]1]1", ["ab", "é", "ab"]),
    (ak.Array([1, 2]), "[int]1", [1, 2]),
    (ak.from_numpy(np.eye(2), regulararray=True), "[double]2", [[1, 0], [0, 1]]),
    (
        ak.to_regular(ak.Array([[[1, 2]], [], [[3, 4], [5, 6]]]), axis=2),
        "[[int]2]1",
        [[[1, 2]], None, [[3, 4], [5, 6]]],
    ),
    (ak.to_regular(ak.Array([[[1], []], [[2], [3]]]), axis=1), "[[int]1]2", [[[1], []], [[2], [3]]]),
    (ak.to_regular(ak.Array([[[1], []], [[2], [3]]]), axis=1)[[1]], "[[int]1]2", [[[2], [3]]]),
    (ak.Array([[], []]), "[[double]1]1", [[], []]),
    (ak.Array([]), "[double]1", []),
    (pa.array(RAGGED), "[[int]1]1", RAGGED),
    (pa.array(RAGGED)[1:], "[[int]1]1", RAGGED[1:]),
    (pa.array(RAGGED, pa.large_list(pa.float32())), "[[double]1]1", RAGGED),
    (pa.array([[True], [False, True], [True] * 9])[1:], "[[bool]1]1", [[False, True], [True] * 9]),
    (pa.array(DEEP)[2:], "[[[int]1]1]1", DEEP[2:]),
    (pa.array(WORDS), "[[char]1]1", WORDS),
    (pa.array(WORDS, pa.large_string())[1:], "[[char]1]1", WORDS[1:]),
    (pa.array(["ab", "é", "ab"]).dictionary_encode(), "[[char]1]1", ["ab", "é", "ab"]),
    (pa.array([WORDS, []]), "[[[char]1]1]1", [WORDS, []]),
    (pa.chunked_array([RAGGED]), "[[int]1]1", RAGGED),
    (pa.chunked_array([RAGGED, [[7]], []], pa.list_(pa.int64())), "[[int]1]1", [*RAGGED, [7]]),
    (pa.chunked_array([DEEP, DEEP]), "[[[int]1]1]1", DEEP + DEEP),
    (pa.chunked_array([WORDS, ["é"]]), "[[char]1]1", [*WORDS, "é"]),
    (pa.chunked_array([], pa.list_(pa.int64())), "[[int]1]1", []),
    (pa.array([[1, 2], [3, 4]], pa.list_(pa.int8(), 2)), "[int]2", [[1, 2], [3, 4]]),
    (pa.array([[1, 2], [3, 4]], pa.list_(pa.int8(), 2))[1:], "[int]2", [[3, 4]]),
    (view([2, 0, 9], [1, 2, 0], pa.array([1, 2, 3])), "[[int]1]1", [[3], [1, 2], []]),
    (view([1, 0, 1], [2, 2, 2], pa.array([1, 2, 3])), "[[int]1]1", [[2, 3], [1, 2], [2, 3]]),
    (pa.array([[], []]), "[[double]1]1", [[], []]),
    (pa.array([], pa.string()), "[[char]1]1", []),
    (pa.array([True, False, True])[1:], "[bool]1", [False, True]),
    (pa.array([1, 2], pa.uint64()), "[int]1", [1, 2]),
    (pa.array([1.5], pa.float16()), "[double]1", [1.5]),
]


def plain(value: Any) -> Any:
    """A result as lists and texts."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "U" and value.ndim == 1:
        return "".join(value)
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [plain(item) for item in value.tolist()] if value.ndim == 1 else [plain(row) for row in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize(("column", "ty", "expected"), COLUMNS)
def test_types_and_values(column: Any, ty: str, expected: Any) -> None:
    assert str(from_python(column).type) == ty
    found = aplc.fn("{⍵}", target="interp")(column)
    if None not in expected:
        assert plain(found) == expected
    else:
        assert [item.shape for item in found] == [(len(item or ()), 2) for item in expected]


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_computes_with_them(target: str) -> None:
    sums = aplc.fn("{+/¨⍵}", target=target)
    for column in (
        ak.Array(RAGGED),
        ak.Array(RAGGED)[[0, 1, 2]],
        pa.array(RAGGED),
        pa.chunked_array([RAGGED]),
    ):
        for _ in range(4):
            assert sums(column).tolist() == [3, 0, 12]
    lengths = aplc.fn("{≢¨⍵}", target=target)
    for column in (ak.Array(WORDS), pa.array(WORDS), pa.chunked_array([WORDS[:1], WORDS[1:]])):
        assert lengths(column).tolist() == [2, 4, 0, 1]
    assert aplc.run("+/∊x", x=ak.Array(DEEP), target=target) == 21
    assert aplc.fn("{(≢¨⍺)++/¨⍵}", target=target)(pa.array(RAGGED), ak.Array(RAGGED)).tolist() == [5, 0, 15]


def test_values_are_used_where_they_are() -> None:
    values, offsets = np.arange(10.0), np.array([0, 3, 3, 10])
    content = ak.contents.NumpyArray(values)
    column = ak.Array(ak.contents.ListOffsetArray(ak.index.Index64(offsets), content))
    for each in (column, column[1:], column[[2, 0]], column[::-1]):
        assert np.shares_memory(from_python(each).flat[-1].value, values)
    assert np.shares_memory(from_python(column).flat[0].value, offsets)
    arrow = pa.array(RAGGED)
    assert from_python(arrow).flat[-1].value.ctypes.data == arrow.values.buffers()[1].address
    assert from_python(arrow[2:]).flat[-1].value.size == 3


def test_an_annotation_says_what_nothing_is() -> None:
    words = aplc.fn("{⍝: [[char]1]1 → [[char]1]1\n ⌽⍵}", target="interp")
    for nothing in (ak.Array([]), pa.array([], pa.list_(pa.null())), pa.nulls(0)):
        assert words(nothing).shape == (0,)


@pytest.mark.parametrize(
    ("column", "error", "message"),
    [
        (ak.Array([[1, None]]), ValueError, "option type \\?int64"),
        (ak.Array([[1], None]), ValueError, "option type"),
        (ak.Array([{"x": 1, "y": [2]}]), ValueError, "records with the fields x, y"),
        (ak.Array([{"x": 1, "y": [2]}])[0], ValueError, "records with the fields x, y"),
        (ak.Array([[(1, 2)]]), ValueError, "records with the fields 0, 1"),
        (ak.Array([1, "a"]), ValueError, "union of int64, string"),
        (ak.Array([b"ab"]), TypeError, "bytestrings"),
        (ak.Array([[np.datetime64("2020-01-01")]]), TypeError, "dates"),
        (ak.to_backend(ak.Array([[1]]), "typetracer"), ValueError, "backend typetracer"),
        (pa.array([1, None]), ValueError, "nulls \\(1 of 2"),
        (pa.array([[1, None]]), ValueError, "nulls \\(1 of 2"),
        (pa.array([[1], None]), ValueError, "nulls \\(1 of 2"),
        (pa.array(["a", None]), ValueError, "nulls"),
        (pa.array(["a", None]).dictionary_encode(), ValueError, "nulls"),
        (pa.nulls(2), ValueError, "nulls"),
        (pa.array([{"a": 1, "b": 2}]), ValueError, "structs with the fields a, b"),
        (pa.table({"a": [1], "b": [[1]]}), ValueError, "a table with the columns a, b"),
        (pa.array([[1]])[0], TypeError, "scalar of Arrow"),
        (pa.array([b"a"]), TypeError, "type binary"),
        (pa.array([1], pa.timestamp("s")), TypeError, "type timestamp"),
        (pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())), TypeError, "type map"),
        (pa.array(["a"], pa.string_view()), ValueError, "cast"),
    ],
)
def test_what_is_refused(column: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        aplc.fn("{≢⍵}", target="interp")(column)
    assert isinstance(raised.value, aplc.Error)


def test_nulls_outside_of_a_slice_do_not_matter() -> None:
    column = pa.array([[1, None], [2, 3]])[1:]
    assert aplc.fn("{+/¨⍵}", target="interp")(column).tolist() == [5]


def test_neither_library_is_imported_unasked() -> None:
    text = (
        "import sys, aplc; aplc.run('≢¨w', w=['ab'], target='interp'); "
        "print(sys.modules.keys() & {'awkward', 'pyarrow'})"
    )
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"


def test_several_threads_at_once() -> None:
    sums, column = aplc.fn("{+/¨⍵}", target="interp"), ak.Array(RAGGED * 50)
    wrong = []

    def work() -> None:
        for _ in range(20):
            if sums(column).tolist() != [3, 0, 12] * 50:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_no_step_goes_over_items() -> None:
    """Of a large column each item costs no call of Python's."""

    def events(column: Any) -> int:
        seen = 0

        def note(*_: object) -> None:
            nonlocal seen
            seen += 1

        gc.disable()  # what others have asked to be called with
        sys.setprofile(note)
        try:
            from_python(column)
        finally:
            sys.setprofile(None)
            gc.enable()
        return seen

    for make in (ak.Array, pa.array):
        for data in (RAGGED, WORDS, DEEP):
            from_python(make(data))  # what is imported and kept at its first use
            assert abs(events(make(data * 500)) - events(make(data))) < 40
