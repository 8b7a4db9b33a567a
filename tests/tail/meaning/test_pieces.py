"""What the primitives of arrays of arrays mean, and how such arrays are shown."""

from typing import Any

import numpy as np
import pytest

from aplc.tail import prims as p
from aplc.tail.display import display, to_json
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.core import CellFunction
from aplc.tail.meaning.pieces import as_items
from aplc.tail.syntax import literal, nest, vec
from aplc.tail.types import Base, array, is_subtype, join, nested
from aplc.tail.unify import NoMatch, TypeReader


def ints(*values: int) -> np.ndarray[Any, Any]:
    return np.array(values, dtype=np.int64)


def counted(n: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.arange(int(n), dtype=np.int64)


COUNTED = CellFunction(counted, (0,), np.dtype(np.int64), 1)


def test_pieces_lie_one_behind_the_other() -> None:
    starts, lengths, elements = p.PIECES.meaning(COUNTED, ints(2, 0, 3))
    assert starts.tolist() == [0, 2, 2]
    assert lengths.tolist() == [2, 0, 3]
    assert elements.tolist() == [0, 1, 0, 1, 2]


def test_no_pieces_have_a_type() -> None:
    starts, lengths, elements = p.PIECES.meaning(COUNTED, ints())
    assert [a.shape for a in (starts, lengths, elements)] == [(0,)] * 3
    assert elements.dtype == np.int64


def test_pieces_may_be_arrays_of_arrays() -> None:
    def backwards(n: np.ndarray[Any, Any]) -> Any:
        return np.arange(int(n))[::-1], np.ones(int(n), np.int64), np.arange(int(n)) + 10 * int(n)

    result = nested(array(Base.INT, 1), 1)
    function = CellFunction(backwards, (0,), np.dtype(object), 1, None, result)
    starts, counts, (places, lengths, elements) = p.PIECES.meaning(function, ints(2, 0, 1))
    assert (starts.tolist(), counts.tolist()) == ([0, 2, 2], [2, 0, 1])
    assert (places.tolist(), lengths.tolist()) == ([0, 1, 2], [1, 1, 1])
    assert elements.tolist() == [21, 20, 10]
    _, _, (places, _, elements) = p.PIECES.meaning(function, ints())
    assert places.shape == elements.shape == (0,)


def test_a_slice_is_a_copy() -> None:
    whole = ints(5, 6, 7)
    found = p.SLICE.meaning(ints(1)[0], ints(2)[0], whole)
    whole[1] = 0
    assert found.tolist() == [6, 7]


def test_alike() -> None:
    assert p.ALIKE.meaning(ints(5, 6), ints(0, 0)).tolist() == [5, 6]
    with pytest.raises(FaultRaised):
        p.ALIKE.meaning(ints(5, 6), ints(0))


@pytest.mark.parametrize(
    ("least", "starts", "lengths", "expected"),
    [
        ([0], [3, 0], [2, 3], [[8, 9, 0], [5, 6, 7]]),
        ([4], [0], [1], [[5, 0, 0, 0]]),
        ([0], [], [], np.zeros((0, 0))),
        ([2], [], [], np.zeros((0, 2))),
        ([0], [0, 1], [0, 0], np.zeros((2, 0))),
    ],
)
def test_mix(least: list[int], starts: list[int], lengths: list[int], expected: Any) -> None:
    parts = ints(*starts), ints(*lengths), ints(5, 6, 7, 8, 9)
    found = p.MIX.meaning(ints(*least), parts)
    assert found.shape == np.shape(expected)
    assert found.tolist() == np.asarray(expected).tolist()


def test_mix_of_matrices() -> None:
    parts = ints(0, 1), ints(1, 2), ints(1, 2), ints(9, 1, 2, 3, 4)
    assert p.MIX.meaning(ints(0, 0), parts).tolist() == [[[9, 0], [0, 0]], [[1, 2], [3, 4]]]


@pytest.mark.parametrize(
    ("starts", "lengths", "expected"),
    [
        ([3, 0], [2, 2], [[8, 9], [5, 6]]),
        ([3, 0, 4], [2, 1, 1], [[8, 9], [5, 5], [9, 9]]),
        ([0, 1], [1, 0], np.zeros((2, 0))),
        ([2, 3], [1, 1], [[7], [8]]),
        ([], [], np.zeros((0, 0))),
    ],
)
def test_stack(starts: list[int], lengths: list[int], expected: Any) -> None:
    found = p.STACK.meaning((ints(*starts), ints(*lengths), ints(5, 6, 7, 8, 9)))
    assert found.shape == np.shape(expected)
    assert found.tolist() == np.asarray(expected).tolist()


def test_stack_names_the_last_item_that_differs() -> None:
    parts = ints(0, 0, 0, 0), ints(2, 3, 1, 2), ints(2, 1, 1, 2), ints(5, 6, 7, 8)
    with pytest.raises(FaultRaised) as raised:
        p.STACK.meaning(parts)
    assert raised.value.values == (2, 3)


# --- how they are shown ---------------------------------------------------------------------------------

WORDS = as_items((ints(0, 3), ints(3, 2), np.array([ord(c) for c in "abcde"], dtype=np.uint32)))


def test_a_vector_of_words() -> None:
    assert display(WORDS) == " abc  de "
    assert to_json(WORDS) == (
        '{"type":"nested","shape":[2],"data":[{"type":"char","shape":[3],"data":"abc"},'
        '{"type":"char","shape":[2],"data":"de"}]}'
    )


def test_columns_of_a_matrix_of_arrays() -> None:
    parts = ints(0, 1, 0, 3).reshape(2, 2), ints(1, 2, 3, 0).reshape(2, 2), ints(1, 2, 3)
    assert display(as_items(parts)) == " 1      2 3 \n 1 2 3      "


def test_arrays_of_arrays_of_arrays() -> None:
    inner = ints(0, 2), ints(2, 1), ints(7, 8, 9)
    assert display(as_items((ints(0), ints(2), as_items(inner)))) == "  7 8  9  "


@pytest.mark.parametrize("starts", [(0, 3, 3, 5), (3, 0, 3, 5), (0, 0, 3, 3), (0, 1, 2, 3), (0, 2, 4, 4)])
def test_items_for_python_share_no_element(starts: tuple[int, ...]) -> None:
    """Whether they lie one behind the other, in another order, or on each other."""
    elements = np.arange(10, 20)
    items = as_items((ints(*starts), ints(3, 2, 0, 3), elements))
    want = [elements[start : start + n].tolist() for start, n in zip(starts, (3, 2, 0, 3), strict=True)]
    for k, item in enumerate(items):
        assert item.tolist() == want[k]
        item[:] = -k
    assert [set(item.tolist()) for item in items] == [{0}, {-1}, set(), {-3}]
    assert elements.tolist() == list(range(10, 20))


# --- types ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["[[char]1]1", "[[int]2]0", "[[[double]1]1]2", "([int]0, [[bool]1]1)"])
def test_types_read_back(text: str) -> None:
    assert str(TypeReader(text).function_type()) == text


@pytest.mark.parametrize("text", ["[[char]0]1", "[[char]1", "[[char]1]", "[[]1]1"])
def test_what_is_no_type(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|an array of arrays|not"):
        TypeReader(text).function_type()


def test_an_array_of_arrays_is_no_other_tuple() -> None:
    words, table = nested(array(Base.CHAR, 1), 1), nested(array(Base.CHAR, 1), 2)
    plain = TypeReader("([int]1, [int]1, [char]1)").function_type()
    assert is_subtype(words, words)
    assert not is_subtype(words, plain)
    assert not is_subtype(plain, words)
    assert not is_subtype(words, table)
    assert join(words, plain) is None


def test_nest_wants_its_parts() -> None:
    one, text = vec((literal(0),), Base.INT), vec((literal("a"),), Base.CHAR)
    assert str(nest((one, one, text)).ty) == "[[char]1]1"
    assert str(nest((literal(0), literal(1), literal(1), text)).ty) == "[[char]2]0"
    for parts in ((one, text), (one, literal(1), text), (one, one, literal("a")), (text, one, text)):
        with pytest.raises(NoMatch):
            nest(parts)
