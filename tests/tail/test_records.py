"""Arrays of records and tables: their types, their text, and how they are presented."""

from __future__ import annotations

import numpy as np
import pytest

from aplc.tail.display import display
from aplc.tail.meaning.pieces import presented
from aplc.tail.parts import table
from aplc.tail.source import Source
from aplc.tail.syntax import literal, nest, vec
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import (
    Base,
    Records,
    Tuple,
    array,
    field_of,
    is_subtype,
    join,
    nested,
    records,
    scalar,
)
from aplc.tail.unify import NoMatch, TypeReader

TEXT, INT = array(Base.CHAR, 1), scalar(Base.INT)
CHARACTERS = vec(tuple(map(literal, "abc")), Base.CHAR)


def codes(text: str) -> np.ndarray:
    return np.array([ord(c) for c in text], dtype=np.uint32)


def test_a_field_is_held_by_an_array_of_all_records() -> None:
    ty = records((INT, TEXT, Tuple((INT, TEXT))), 1)
    assert ty.items == (array(Base.INT, 1), nested(TEXT, 1), records((INT, TEXT), 1))
    assert tuple(map(field_of, ty.items)) == ty.fields
    assert str(ty) == "[([int]0, [char]1, ([int]0, [char]1))]1"
    assert str(records((INT, TEXT), 2, 0)) == "[([int]0, [char]1)/0]2"


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_the_text_of_a_term_reads_back(axis: int | None) -> None:
    places, lengths = [vec(tuple(map(literal, pair)), Base.INT) for pair in ((0, 2), (2, 1))]
    words = nest((places, lengths, CHARACTERS))
    term = table((vec((literal(3), literal(4)), Base.INT), words), axis)
    again = parse_term(Source("term", print_term(term)))
    assert again == term
    assert isinstance(again.ty, Records) and again.ty.axis == axis


def test_records_are_no_strands_of_their_columns() -> None:
    ty = records((INT, TEXT), 1)
    assert not is_subtype(ty, Tuple(ty.items)) and not is_subtype(Tuple(ty.items), ty)
    assert join(ty, ty) == ty
    assert join(ty, records((INT, TEXT), 1, 0)) is None


def test_columns_have_one_rank() -> None:
    with pytest.raises(NoMatch, match="arrays of one rank"):
        table((literal(1), vec((literal(1),), Base.INT)))
    with pytest.raises(NoMatch, match="no axis 2"):
        table((vec((literal(1),), Base.INT),), 2)


def test_records_show_as_strands_and_tables_in_columns() -> None:
    names = (np.array([0, 3]), np.array([3, 2]), codes("annbo"))
    columns = (names, np.array([31, 7]))
    shown = presented(columns, records((TEXT, INT), 1))
    assert shown.shape == (2,) and isinstance(shown[0], tuple)
    assert display(shown) == "  ann  31   bo  7 "
    rows = presented(columns, records((TEXT, INT), 1, 1))
    assert rows.shape == (2, 2)
    assert display(rows) == " ann  31\n bo    7"
    assert display(presented(columns, records((TEXT, INT), 1, 0))) == " ann  bo \n  31   7 "


def test_groups_of_records_have_one_vector_of_all_records() -> None:
    people = records((TEXT, INT), 1)
    groups = nested(people, 1)
    assert groups.items == (array(Base.INT, 1), array(Base.INT, 1), people)
    assert TypeReader(str(groups)).data_type() == groups
    words = nest((*[vec(tuple(map(literal, pair)), Base.INT) for pair in ((0, 2), (2, 1))], CHARACTERS))
    places, lengths, ages = [vec(tuple(map(literal, pair)), Base.INT) for pair in ((0, 1), (1, 1), (3, 4))]
    term = nest((places, lengths, table((words, ages))))
    assert term.ty == groups
    assert parse_term(Source("term", print_term(term))) == term
    with pytest.raises(ValueError, match="an array of arrays of rank 1 or more, not of"):
        TypeReader("[[([char]1, int)/0]1]1").data_type()


def test_groups_of_records_show_as_strands_of_strands() -> None:
    names = (np.array([0, 3]), np.array([3, 2]), codes("annbo"))
    value = (np.array([1, 0]), np.array([1, 2]), (names, np.array([31, 7])))
    shown = presented(value, nested(records((TEXT, INT), 1), 1))
    assert [item.shape for item in shown] == [(1,), (2,)]
    assert display(shown) == "   bo  7     ann  31   bo  7  "


def test_a_table_of_no_rows_has_its_columns() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    rows = presented((nothing, nothing.astype(np.uint32)), records((INT, scalar(Base.CHAR)), 1, 1))
    assert rows.shape == (0, 2)
    assert display(rows) == ""
