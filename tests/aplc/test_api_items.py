"""Arrays of arrays from Python, and back."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import TARGETS

Value = np.ndarray[Any, Any]


def objects(*items: Value) -> Value:
    result = np.empty(len(items), dtype=object)
    for k, item in enumerate(items):
        result[k] = item
    return result


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("{≢¨⍵}", ["abc", "d", ""], [3, 1, 0]),
        ("{+/¨⍵}", [[1, 2], [3.5]], [3.0, 3.5]),
        ("{+/¨⍵}", [[True, False], [2]], [1, 2]),
        ("{+/¨⍵}", [np.arange(3), np.arange(5, dtype=np.int8)], [3, 10]),
        ("{+/¨,¨⍵}", objects(np.eye(2), np.ones((1, 3))), [2.0, 3.0]),
        ("{+/¨⍵[2 1]}", ([1], [2, 3]), [5, 1]),
        ("{≢¨⍵}", objects(np.array(["a"]), np.array(list("bc"))).reshape(2, 1), [[1], [2]]),
    ],
)
def test_arguments(target: str, text: str, value: Any, expected: Any) -> None:
    assert aplc.fn(text, target=target)(value).tolist() == expected


@pytest.mark.parametrize("target", TARGETS)
def test_results_are_arrays_of_objects(target: str) -> None:
    found = aplc.fn("{⍺,¨⊂⍵}", target=target)(["abc", "de"], "!")
    assert found.dtype == object
    assert [item.tolist() for item in found] == [list("abc!"), list("de!")]
    deep = aplc.fn("{' '(≠⊆⊢)¨⍵}", target=target)(["ab c", "d"])
    assert [[word.tolist() for word in words] for words in deep] == [[["a", "b"], ["c"]], [["d"]]]
    one = aplc.fn("{⊃⍵}", target=target)(["abc", "de"])
    assert one.tolist() == list("abc")


def test_what_functions_give_they_take() -> None:
    split = aplc.fn("{' '(≠⊆⊢)⍵}")
    counts = aplc.fn("{≢¨⍵}")
    assert counts(split("how long are words")).tolist() == [3, 4, 3, 5]


def test_inputs_of_programs() -> None:
    assert aplc.run("+/≢¨w,v", w=["ab", "cde"], v=["f", "gh"]) == 8
    assert aplc.run("↑w", w=["ab", "cde"]).tolist() == [list("ab "), list("cde")]


def test_rows_of_one_length_are_a_matrix() -> None:
    assert aplc.fn("{⍴⍵}")([[1, 2], [3, 4]]).tolist() == [2, 2]
