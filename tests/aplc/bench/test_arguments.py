"""What programs are called with: items and several arguments in one, for compiled APL and for C."""

from __future__ import annotations

import numpy as np
import pytest

from aplc.bench.arguments import Items, input_of, inputs_of, is_flat, one_by_one
from aplc.inputs import by_part

ITEMS = Items(np.array([0, 2, 2, 5]), np.array([1.0, 2.0, 3.0, 4.0, 5.0]))


def test_items_are_places_lengths_and_elements() -> None:
    given = input_of(ITEMS)
    assert str(given.type) == "[[double]1]1"
    assert [part.value.tolist() for part in given.flat] == [[0, 2, 2], [2, 0, 3], [1.0, 2.0, 3.0, 4.0, 5.0]]
    assert len(ITEMS) == 3


def test_several_in_one_are_parts_by_name() -> None:
    inputs = inputs_of([(ITEMS, np.arange(3)), 7])
    parts = by_part(inputs)
    assert list(parts) == ["⍺.1.1", "⍺.1.2", "⍺.1.3", "⍺.2", "⍵"]
    assert parts["⍺.2"].value.tolist() == [0, 1, 2]
    assert int(parts["⍵"].value) == 7


@pytest.mark.parametrize(
    ("argument", "flat"), [(3, True), (np.arange(2), True), (ITEMS, False), ((1, 2), False)]
)
def test_what_needs_no_conversion(argument: object, flat: bool) -> None:
    assert is_flat(argument) is flat  # type: ignore[arg-type]


def test_in_order() -> None:
    assert list(one_by_one([(1, (2, 3)), 4])) == [1, 2, 3, 4]
