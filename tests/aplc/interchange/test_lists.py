"""Lists, tuples, texts and arrays of objects as arguments: which arrays they are, and what is no array."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.inputs import from_python
from aplc.tail.types import Type
from tests.support.machine import TARGETS

Value = np.ndarray[Any, Any]


def objects(*items: object) -> Value:
    result = np.empty(len(items), dtype=object)
    for k, item in enumerate(items):
        result[k] = item
    return result


def one_object(item: object) -> Value:
    result = np.empty((), dtype=object)
    result[()] = item
    return result


def type_of(value: object, wanted: Type | None = None) -> str:
    return str(from_python(value, lambda: wanted).type)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([[1, 2], [3]], "[[int]1]1"),
        ([[1, 2], [3, 4]], "[int]2"),
        ([[True], [2, 3]], "[[int]1]1"),
        ([[True], [False, True]], "[[bool]1]1"),
        ([[], [1]], "[[int]1]1"),
        ([[], [1j]], "[[complex]1]1"),
        ([[1], (2.5, 3)], "[[double]1]1"),
        (["ab", ""], "[[char]1]1"),
        (["a", "b"], "[char]1"),
        (["ab", "cd"], "[[char]1]1"),
        ([["ab", "c"], ["d"]], "[[[char]1]1]1"),
        ([["ab", "c"], ["d", "e"]], "[[char]1]2"),
        ([["a", "b"], "cd", "e"], "[[char]1]1"),
        ([[[1], [2, 3]], [[4]]], "[[[int]1]1]1"),
        ([[[1], [2, 3]], [[4], [5]]], "[[int]1]2"),
        ([[[1, 2], [3, 4]], [[5, 6]]], "[[int]2]1"),
        ([np.eye(2), np.eye(3)], "[[double]2]1"),
        ([np.eye(2), np.eye(2)], "[double]3"),
        ([np.arange(2), [1, 2, 3.5]], "[[double]1]1"),
        ([np.zeros(1, np.uint64), np.zeros(2, np.int8)], "[[int]1]1"),
        (objects(np.arange(2), np.arange(2)), "[[int]1]1"),
        (objects("a", "b"), "[[char]1]1"),
        (objects(np.arange(2), np.arange(3)).reshape(2, 1), "[[int]1]2"),
        (objects(objects(np.arange(2)), objects("a", "b")[:0]), "[[[int]1]1]1"),
        (objects([1, 2], (3,)), "[[int]1]1"),
        (one_object(np.arange(2)), "[[int]1]0"),
        (objects(1, 2.5), "[double]1"),
        ([], "[double]1"),
        ([[], []], "[double]2"),
    ],
)
def test_types(value: object, expected: str) -> None:
    assert type_of(value) == expected


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("{+/¨⍵}", [[1, 2], [], [3.5]], [3.0, 0.0, 3.5]),
        ("{+/∊⍵}", [[[1], [2, 3]], [], [[4]]], 10),
        ("{≢¨∊¨⍵}", [["ab", "c"], ["d"], []], [3, 1, 0]),
        ("{+/¨,¨⍵}", [np.eye(2), 2 * np.ones((1, 3))], [2.0, 6.0]),
        ("{+/¨,¨⍵}", [np.eye(2).T[:, ::-1], np.asfortranarray(np.ones((3, 2)))], [2.0, 6.0]),
        ("{+/¨⍵}", [np.array([2, 0, 255], np.uint8).view(bool), np.arange(4)], [2, 6]),
        ("{+/¨⍵}", [np.arange(3, dtype=">i4"), np.arange(4, dtype="i2")[::2]], [3, 2]),
        ("{≢¨⍵}", objects("ab", np.array(["c"]), list("def")).reshape(3, 1), [[2], [1], [3]]),
        ("{⌽⊃⍵}", one_object(np.arange(3)), [2, 1, 0]),
    ],
)
def test_values(target: str, text: str, value: Any, expected: Any) -> None:
    found = aplc.fn(text, target=target)(value)
    assert (found.tolist() if isinstance(found, np.ndarray) else found) == expected


def holding(*items: object) -> list[object]:
    """A list that holds itself."""
    own: list[object] = list(items)
    own.append(own)
    return own


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ([1, [2]], ValueError, r"holds a number at \[0\] and a list at \[1\]"),
        ([[1, 2], 3], ValueError, r"holds a list at \[0\] and a number at \[1\]"),
        ([[1], "ab"], ValueError, r"holds a number at \[0\]\[0\] and a text at \[1\]\[0\]"),
        (["a", 1], ValueError, r"holds a text at \[0\] and a number at \[1\]"),
        ([[1, [2]], [3]], ValueError, r"a number at \[0\]\[0\] and a list at \[0\]\[1\]"),
        ([[[1]], [[2], 3]], ValueError, r"a list at \[0\]\[0\] and a number at \[1\]\[1\]"),
        ([np.eye(2), np.arange(3)], ValueError, r"2 axes at \[0\] and an array of one axis at \[1\]"),
        (objects(np.arange(2), np.array(["x"])), ValueError, r"numbers at \[0\] and characters at \[1\]"),
        (objects(1, np.arange(3)), ValueError, r"a number at \[0\] and an array of one axis at \[1\]"),
        (objects(np.arange(2), None), TypeError, r"holds None at \[1\]"),
        (objects(*"abcd", None, 1).reshape(2, 3), TypeError, r"holds None at \[1, 1\]"),
        ([["ab"], [b"c"]], TypeError, r"holds bytes at \[1\]\[0\]"),
        ([[1], {}], TypeError, r"holds dict at \[1\]"),
        ([np.arange(2), np.array(["2020-01-01"], "M8[D]")], TypeError, r"holds dates at \[1\]"),
        ([[2**70], [1, 2]], TypeError, "integers beyond 64 bits"),
        ([np.array([2**63], np.uint64), np.arange(2)], TypeError, "integers beyond 64 bits"),
        (objects(np.ma.array([1, 2], mask=[0, 1]), np.arange(3)), TypeError, r"a masked array at \[0\]"),
        (np.empty(0, object), TypeError, "nothing tells the type of items but an annotation"),
        (holding(), ValueError, "more than 64 axes"),
        (holding(1), ValueError, r"a number at \[0\] and a list at \[1\]"),
    ],
)
def test_what_is_no_array(value: object, error: type[Exception], message: str) -> None:
    for _ in range(4):  # the quick way in, too
        with pytest.raises(error, match=message) as raised:
            aplc.fn("{≢⍵}", target="interp")(value)
        assert isinstance(raised.value, aplc.Error)


@pytest.mark.parametrize(
    ("claim", "value", "expected"),
    [
        ("[[char]1]1", [], 0),
        ("[[char]1]1", np.empty(0, object), 0),
        ("[[char]1]1", ["a", "b"], 2),
        ("[[char]1]1", [[], []], 2),
        ("[[int]1]1", [[1, 2], [3, 4]], 2),
        ("[[double]1]1", [[1, 2], [3, 4]], 2),
        ("[[[char]1]1]1", [["ab", "c"], ["d", "e"]], 2),
        ("[[[char]1]1]1", [], 0),
        ("[[[char]1]1]1", [[], []], 2),
        ("[[κ]1]1", [[1, 2], [3, 4]], 2),
    ],
)
def test_an_annotation_decides(claim: str, value: object, expected: int) -> None:
    for text in (f"{{⍝: {claim} → <int>1\n ,≢⍵}}", f"f←{{⍝: {claim} → <int>1\n ,≢⍵}}\nf"):
        assert aplc.fn(text, target="interp")(value).tolist() == [expected]


def test_an_annotation_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(aplc.CompileError, match="takes"):
        aplc.fn("{⍝: [[char]1]1 → <int>1\n ,≢⍵}", target="interp")([1, 2])


def test_elements_are_joined_once() -> None:
    """What an item costs is far below what an array of NumPy costs: no step of ours goes over items."""
    import sys  # noqa: PLC0415 (only this test counts)

    def events(count: int) -> int:
        items = [np.arange(3)] * (count - 1) + [np.arange(2)]
        seen = 0

        def note(*_: object) -> None:
            nonlocal seen
            seen += 1

        sys.setprofile(note)
        try:
            from_python(items)
        finally:
            sys.setprofile(None)
        return seen

    few, many = events(10), events(1010)
    assert many - few < 5000
