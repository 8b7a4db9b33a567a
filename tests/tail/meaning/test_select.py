"""The meanings of primitives that select, sort and search, corner by corner, worked out by hand."""

from typing import Any

import numpy as np
import pytest

from aplc.tail import prims as p
from tests.support.run_meaning import INF, INT_MAX, INT_MIN, MATRIX, NAN, agree, empty, fails, of, run

# --- selection --------------------------------------------------------------------------------------------


def test_replicate() -> None:
    agree(run(p.REPLICATE, [1, -2, 3, -4, 5], [1, 2, 3, 4, 5]), [1, 0, 0, 3, 3, 3, 0, 0, 0, 0, 5, 5, 5, 5, 5])
    agree(run(p.REPLICATE, [2, 0], MATRIX[0][:2]), [1, 1])
    agree(run(p.REPLICATE, [2], MATRIX), [[1, 1, 2, 2, 3, 3], [4, 4, 5, 5, 6, 6]])
    agree(run(p.REPLICATE, [-1], of("ab")), of("  "))
    agree(run(p.REPLICATE, [1, 0, 2], [[7], [8]]), [[7, 7, 7], [8, 8, 8]])
    agree(run(p.REPLICATE, [], [7]), [])
    agree(run(p.REPLICATE, [3], []), [])
    agree(run(p.REPLICATE, [], []), [])
    agree(run(p.REPLICATE, [1, 2, 1], empty(0, 3)), empty(0, 4))
    assert fails(p.REPLICATE, [1, 2], [1, 2, 3]) == "LENGTH ERROR: f needs equal lengths, got 2 and 3"
    assert fails(p.REPLICATE, [1, 2], []).startswith("LENGTH ERROR")
    assert fails(p.REPLICATE, [2**50], [1]).startswith("WS FULL")
    assert fails(p.REPLICATE, [INT_MIN], [1]).startswith("WS FULL")


def test_compress() -> None:
    agree(run(p.COMPRESS, of([True, False, True]), of("abc")), of("ac"))
    agree(run(p.COMPRESS, of([False]), MATRIX), empty(2, 0))
    agree(run(p.COMPRESS, of([True, False, True]), [5]), [5, 5])
    agree(run(p.COMPRESS, empty(0, base="bool"), empty(4, 0)), empty(4, 0))


def test_expand() -> None:
    agree(run(p.EXPAND, [1, 0, 2, -2, 1], of("abc")), of("a bb  c"))
    agree(run(p.EXPAND, [1, 0, 1, 1], MATRIX), [[1, 0, 2, 3], [4, 0, 5, 6]])
    agree(run(p.EXPAND, [1, 0, 1], [5]), [5, 0, 5])
    agree(run(p.EXPAND, [0, -2], []), [0, 0, 0])
    agree(run(p.EXPAND, [0], [5]), [0])
    agree(run(p.EXPAND, [], []), [])
    agree(run(p.EXPAND, [], [5]), [])
    assert fails(p.EXPAND, [1, 1], [1, 2, 3]) == "LENGTH ERROR: f needs equal lengths, got 2 and 3"
    assert fails(p.EXPAND, [0], [1, 2]).startswith("LENGTH ERROR")


def test_rotation_of_each_row() -> None:
    agree(run(p.ROTATES, [1, -1], MATRIX), [[2, 3, 1], [6, 4, 5]])
    agree(run(p.ROTATES, 4, [1, 2, 3]), [2, 3, 1])
    agree(run(p.ROTATES, [INT_MIN, INT_MAX], MATRIX), [[2, 3, 1], [5, 6, 4]])  # ¯2*63 is 1 modulo 3
    agree(run(p.ROTATES, [1, 2], empty(2, 0)), empty(2, 0))
    agree(run(p.ROTATES, empty(0), empty(0, 3)), empty(0, 3))
    agree(run(p.ROTATES, [[1, 0]], [[[1, 2], [3, 4]]]), [[[2, 1], [3, 4]]])
    assert fails(p.ROTATES, [1, 2, 3], MATRIX).startswith("LENGTH ERROR")


def test_index() -> None:
    a = of(MATRIX)
    agree(run(p.INDEX, (of([3, 1]),), [7, 8, 9]), [9, 7])
    agree(run(p.INDEX, (of(2),), [7, 8, 9]), 8)
    agree(run(p.INDEX, (of([[1, 2], [2, 1]]),), of("ab")), of("abba", 2, 2))
    agree(run(p.INDEX, (of([2, 1]), of([3])), a), [[6], [3]])
    agree(run(p.INDEX, (of(2), of([1, 3])), a), [4, 6])
    agree(run(p.INDEX, (of([1, 2]), of(3)), a), [3, 6])
    agree(run(p.INDEX, (of([[1], [2]]), of([1, 2])), a), [[[1, 2]], [[4, 5]]])
    agree(run(p.INDEX, (of(1), of(1)), a), 1)
    agree(run(p.INDEX, (of([]), of([1, 2])), a), empty(0, 2))
    agree(run(p.INDEX, (of([]),), []), [])
    four = np.arange(16).reshape(2, 2, 2, 2)
    agree(run(p.INDEX, (of(1), of([2, 1]), of(2), of([1])), four), four[0, [1, 0], 1][:, [0]])
    assert fails(p.INDEX, (of([1, 4]),), [7, 8, 9]) == "INDEX ERROR: f has no element 4, the length is 3"
    assert fails(p.INDEX, (of([0]),), []) == "INDEX ERROR: f has no element 0, the length is 0"
    expected = "INDEX ERROR: f has no element ¯1 on axis 2, the extent is 3"
    assert fails(p.INDEX, (of([]), of([[1, -1]])), a) == expected


def test_update_changes_its_argument() -> None:
    a = of(MATRIX)
    found = p.UPDATE.meaning(a, (of(2), of([1, 3])), of([8, 9]))
    assert found is a
    agree(a, [[1, 2, 3], [8, 5, 9]])
    agree(run(p.UPDATE, a, (of([1, 2]), of([2])), of(0)), [[1, 0, 3], [8, 0, 9]])
    agree(run(p.UPDATE, a, (of([1]), of([1, 2, 3])), [[4, 4, 7]]), [[4, 4, 7], [8, 0, 9]])
    agree(run(p.UPDATE, a, (of([]), of([2])), empty(0, 1)), [[4, 4, 7], [8, 0, 9]])
    agree(run(p.UPDATE, of("abc"), (of(2),), of("x")), of("axc"))


def test_the_last_of_several_updates_wins() -> None:
    agree(run(p.UPDATE, of([0, 0]), (of([1, 2, 1]),), [5, 6, 7]), [7, 6])
    rows = of([[1, 1], [2, 1]])
    agree(run(p.UPDATE, of([0, 0]), (rows,), [[5, 6], [7, 8]]), [8, 7])
    agree(run(p.UPDATE, of([0, 0]), (np.asfortranarray(rows),), np.asfortranarray([[5, 6], [7, 8]])), [8, 7])


def test_what_an_update_refuses() -> None:
    assert fails(p.UPDATE, of([1, 2]), (of([1, 3]),), [5, 6]).startswith("INDEX ERROR")
    expected = "LENGTH ERROR: the index of f selects 2 elements, there are 3 values"
    assert fails(p.UPDATE, of([1, 2]), (of([1, 2]),), [5, 6, 7]) == expected


def test_where() -> None:
    agree(run(p.WHERE, of([True, False, True])), [1, 3])
    agree(run(p.WHERE, [0, 2, 1]), [2, 2, 3])
    agree(run(p.WHERE, []), [])
    agree(run(p.WHERE, of([False])), [])
    assert fails(p.WHERE, [1, -2]).startswith("DOMAIN ERROR")
    assert fails(p.WHERE, [2**50]).startswith("WS FULL")


def test_checks_of_shape() -> None:
    agree(run(p.SINGLE, [[[7]]]), 7)
    agree(run(p.SINGLE, of("x")), of("x", 1).reshape(()))
    for wrong in ([], [1, 2]):
        assert fails(p.SINGLE, wrong) == f"RANK ERROR: f needs a single element here, got {len(wrong)}"
    agree(run(p.OF_LENGTH, 2, [7, 8]), [7, 8])
    agree(run(p.OF_LENGTH, 3, [7]), [7, 7, 7])
    agree(run(p.OF_LENGTH, 0, [7]), [])
    assert fails(p.OF_LENGTH, 2, [1, 2, 3]) == "LENGTH ERROR: f needs 2 values, got 3"
    assert fails(p.NO_RESULT, [1]) == "VALUE ERROR: f has no value here"


# --- order and search -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "up", "down"),
    [
        ([3, 1, 2, 1], [2, 4, 3, 1], [1, 3, 2, 4]),
        ([], [], []),
        ([5], [1], [1]),
        ([INT_MAX, INT_MIN, 0], [2, 3, 1], [1, 3, 2]),
        ([0.0, -0.0, -1.0], [3, 1, 2], [1, 2, 3]),
        ([1.0, NAN, -INF, INF, NAN], [3, 1, 4, 2, 5], [2, 5, 4, 1, 3]),
        ("banana", [2, 4, 6, 1, 3, 5], [3, 5, 1, 2, 4, 6]),
        (of([True, False, True]), [2, 1, 3], [1, 3, 2]),
        ([[2, 1], [1, 5], [1, 4], [1, 5]], [3, 2, 4, 1], [1, 2, 4, 3]),
        ([[[1, 2], [3, 4]], [[1, 2], [3, 3]]], [2, 1], [1, 2]),
        (empty(3, 0), [1, 2, 3], [1, 2, 3]),
        (empty(0, 3), [], []),
    ],
)
def test_grades(a: Any, up: list[int], down: list[int]) -> None:
    agree(run(p.GRADE_UP, a), up)
    agree(run(p.GRADE_DOWN, a), down)


def test_interval_index() -> None:
    agree(run(p.INTERVAL, [1, 3, 3, 5], [[0, 1, 2], [3, 5, 9]]), [[0, 1, 1], [3, 4, 4]])
    agree(run(p.INTERVAL, [], [1, 2]), [0, 0])
    agree(run(p.INTERVAL, [1], 1), 1)
    agree(run(p.INTERVAL, [-INF, 0.0], [NAN, -0.0, INF]), [0, 2, 2])
    agree(run(p.INTERVAL, of("am"), of("Zaz")), [0, 1, 2])
    for wrong in ([2, 1], [1.0, NAN], [NAN, 1.0]):
        assert fails(p.INTERVAL, wrong, wrong) == "DOMAIN ERROR: f needs ascending values on the left"


def test_unique() -> None:
    agree(run(p.UNIQUE, [3, 1, 3, 2, 1]), [3, 1, 2])
    agree(run(p.UNIQUE, of("mississippi")), of("misp"))
    agree(run(p.UNIQUE, [[1, 2], [0, 0], [1, 2]]), [[1, 2], [0, 0]])
    agree(run(p.UNIQUE, [[[1], [2]], [[1], [2]], [[2], [1]]]), [[[1], [2]], [[2], [1]]])
    agree(run(p.UNIQUE, []), [])
    agree(run(p.UNIQUE, empty(3, 0)), empty(1, 0))
    agree(run(p.UNIQUE, empty(0, 3)), empty(0, 3))
    found = run(p.UNIQUE, [-0.0, NAN, 0.0, NAN])
    agree(found, [0.0, NAN, NAN])
    assert np.signbit(found[0])


def test_member() -> None:
    agree(run(p.MEMBER, [[1, 5], [2, 1]], [1, 2, 3]), [[True, False], [True, True]])
    agree(run(p.MEMBER, 2, 2), True)
    agree(run(p.MEMBER, [1], []), [False])
    agree(run(p.MEMBER, empty(0, 2), [1]), empty(0, 2, base="bool"))
    agree(run(p.MEMBER, [NAN, -0.0], [[NAN, 0.0]]), [False, True])
    agree(run(p.MEMBER, of("ab"), of("bcd")), [False, True])


def test_find() -> None:
    agree(run(p.FIND, of("aba"), of("ababa")), [True, False, True, False, False])
    agree(run(p.FIND, [1, 2], [[1, 2, 1], [3, 1, 2]]), [[True, False, False], [False, True, False]])
    agree(run(p.FIND, [[1], [3]], [[1, 2, 1], [3, 1, 2]]), [[True, False, False], [False] * 3])
    agree(run(p.FIND, 2, [1, 2]), [False, True])
    agree(run(p.FIND, 2, 2), True)
    agree(run(p.FIND, [[2]], [1, 2]), [False, False])
    agree(run(p.FIND, [1, 2, 3], [1, 2]), [False, False])
    agree(run(p.FIND, [], [1, 2]), [True, True])
    agree(run(p.FIND, empty(0, 2), [[1, 2, 3]]), [[True, True, False]])
    agree(run(p.FIND, [1], []), empty(0, base="bool"))
    agree(run(p.FIND, [NAN], [NAN, 1.0]), [False, False])


def test_index_of() -> None:
    agree(run(p.INDEX_OF, [5, 3, 5], [[5, 4], [3, 5]]), [[1, 4], [2, 1]])
    agree(run(p.INDEX_OF, [5, 3], 3), 2)
    agree(run(p.INDEX_OF, [], [1]), [1])
    agree(run(p.INDEX_OF, [1], []), [])
    agree(run(p.INDEX_OF, [0.0, NAN], [-0.0, NAN]), [1, 3])
    agree(run(p.INDEX_OF, of("abc"), of("cz")), [3, 4])


def test_index_of_cells() -> None:
    a = [[1, 2], [3, 4], [1, 2]]
    agree(run(p.INDEX_OF, a, [3, 4]), 2)
    agree(run(p.INDEX_OF, a, [[1, 2], [2, 1]]), [1, 4])
    agree(run(p.INDEX_OF, a, [[[3, 4]], [[1, 2]]]), [[2], [1]])
    agree(run(p.INDEX_OF, empty(2, 0), empty(3, 0)), [1, 1, 1])
    agree(run(p.INDEX_OF, empty(0, 0), empty(3, 0)), [1, 1, 1])
    agree(run(p.INDEX_OF, empty(0, 2), a), [1, 1, 1])
    agree(run(p.INDEX_OF, a, empty(0, 2)), [])
    assert fails(p.INDEX_OF, a, [1, 2, 3]) == "LENGTH ERROR: f needs equal lengths, got 2 and 3"


def test_searches_within_a_tolerance() -> None:
    near = 0.1 + 0.2
    agree(run(p.UNIQUE_T, 1e-14, [0.3, 1.0, near, NAN, NAN]), [0.3, 1.0, NAN, NAN])
    agree(run(p.UNIQUE_T, 0.0, [0.3, near]), [0.3, near])
    agree(run(p.UNIQUE_T, 1e-14, [[0.3, 1.0], [near, 1.0], [near, 2.0]]), [[0.3, 1.0], [near, 2.0]])
    agree(run(p.INDEX_OF_T, 1e-14, [5.0, near, 0.3], [0.3, 5.0, NAN]), [2, 1, 4])
    agree(run(p.INDEX_OF_T, 1e-14, [[1.0, near]], [[1.0, 0.3], [2.0, 0.3]]), [1, 2])
    agree(run(p.INDEX_OF_T, 1e-14, empty(0, base="double"), [1.0]), [1])
    agree(run(p.INDEX_OF_T, 1e-9, [1.0, 1 + 1.5e-9], [1 + 0.8e-9, 1 + 2e-9, 1 + 4e-9]), [1, 2, 3])
    agree(run(p.MEMBER_T, 1e-14, [[near, 2.0]], [0.3, -2.0]), [[True, False]])
    agree(run(p.FIND_T, 1e-14, [0.3, 1.0], [near, 1.0, 0.3]), [True, False, False])
    agree(run(p.MATCH_T, 1e-14, [0.3], [near]), True)
    agree(run(p.MATCH_T, 1e-14, [0.3], [near, 1.0]), False)
    agree(run(p.LOWESTD, 1e-9, [0.0, INF]), [0.0, INF])
    low, high = run(p.LOWESTD, 1e-9, 3.0).item(), run(p.HIGHESTD, 1e-9, 3.0).item()
    beyond = np.nextafter(low, 0), np.nextafter(high, 9)
    for x, inside in ((low, True), (high, True), (beyond[0], False), (beyond[1], False)):
        agree(run(p.EQTD, 1e-9, x, 3.0), inside)


def test_divisors_of_doubles() -> None:
    assert np.allclose(run(p.GCDTD, 1e-14, [0.6, 12.0, 0.0], [0.9, 18.0, -2.5]), [0.3, 6.0, 2.5])
    assert np.allclose(run(p.LCMTD, 1e-14, [0.6, 12.0, 0.0], [0.9, 18.0, -2.5]), [1.8, 36.0, 0.0])
