"""The display form of values and their JSON form, case by case from the notes in `aplc.tail.display`."""

import json
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from aplc.tail.display import display, format_number, has_lines, to_json

INF = math.inf
NAN = math.nan
INT64 = np.iinfo(np.int64)


def chars(*rows: str) -> np.ndarray[Any, Any]:
    """The matrix of code points with these rows."""
    return np.array([[ord(c) for c in row] for row in rows], dtype=np.uint32)


def text(string: str) -> np.ndarray[Any, Any]:
    """The vector of code points of a string."""
    return np.array([ord(c) for c in string], dtype=np.uint32)


def lines(*each: str) -> str:
    return "\n".join(each)


# Numbers


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (0, "0"),
        (-3, "¯3"),
        (True, "1"),
        (False, "0"),
        (12345678901234, "12345678901234"),  # ⎕PP is for doubles only
        (INT64.min, "¯9223372036854775808"),
        (2.5, "2.5"),
        (-0.5, "¯0.5"),
        (3.0, "3"),  # a whole double has no point
        (-100.0, "¯100"),
        (0.0, "0"),
        (-0.0, "0"),
        (1 / 3, "0.3333333333"),
        (1 / 30, "0.03333333333"),  # zeros behind the point are not significant
        (100 / 3, "33.33333333"),
        (0.1 + 0.2, "0.3"),
        (1234567890.0, "1234567890"),  # ten digits: just fits
        (1234567890.4, "1234567890"),
        (9999999999.4, "9999999999"),
        (9999999999.9, "1E10"),  # rounding adds a digit
        (1e10, "1E10"),
        (-1e10, "¯1E10"),
        (12345678901.0, "1.23456789E10"),  # the tenth digit is a zero
        (2.0**40, "1.099511628E12"),
        (1e100, "1E100"),
        (1.7976931348623157e308, "1.797693135E308"),
        (0.000001, "0.000001"),
        (-0.00000125, "¯0.00000125"),
        (0.00001, "0.00001"),
        (0.000012345678915, "0.00001234567892"),
        (0.0001, "0.0001"),
        (0.0000001, "1E¯7"),
        (0.00000099999999999, "0.000001"),  # scaled before rounding, not after
        (-1.5e-7, "¯1.5E¯7"),
        (5e-324, "4.940656458E¯324"),
        (INF, "∞"),
        (-INF, "¯∞"),
        (NAN, "NaN"),
        (-NAN, "NaN"),
    ],
)
def test_number(x: float, expected: str) -> None:
    assert format_number(x) == expected
    assert display(np.array(x)) == expected


@pytest.mark.parametrize(
    ("x", "precision", "expected"),
    [
        (1 / 3, 3, "0.333"),
        (1234.0, 4, "1234"),
        (1234.0, 3, "1.23E3"),
        (999.6, 3, "1E3"),
        (7.0, 1, "7"),
        (12.0, 1, "1E1"),
        (2.5, 1, "2"),  # a tie goes to the even digit
        (1234, 2, "1234"),  # an integer
        (0.1, 17, "0.10000000000000001"),
        (0.1, 16, "0.1"),
        (1e16, 17, "10000000000000000"),
    ],
)
def test_precision(x: float, precision: int, expected: str) -> None:
    assert format_number(x, precision) == expected
    assert display(np.array(x), precision=precision) == expected


# Vectors


@pytest.mark.parametrize(
    ("vector", "expected"),
    [
        (np.array([1, -2, 300]), "1 ¯2 300"),
        (np.array([True, False]), "1 0"),
        (np.array([1.5, 2, -0.0, 1e12, 1e-8]), "1.5 2 0 1E12 1E¯8"),  # each by itself
        (np.array([INF, 1, -INF, NAN]), "∞ 1 ¯∞ NaN"),
        (np.array([7]), "7"),
        (np.array([], dtype=np.int64), ""),
        (np.array([], dtype=np.float64), ""),
        (np.array([], dtype=np.bool_), ""),
    ],
)
def test_vector(vector: np.ndarray[Any, Any], expected: str) -> None:
    assert display(vector) == expected


def test_a_view_with_strides() -> None:
    assert display(np.arange(6)[::-2]) == "5 3 1"
    assert display(np.arange(4).reshape(2, 2).T) == "0 2\n1 3"


# Matrices


def test_integer_columns_have_their_own_width() -> None:
    assert display(np.array([[1, 10], [100, 1000]])) == lines("  1   10", "100 1000")
    assert display(np.array([[1, -10], [-100, 0]])) == lines("   1 ¯10", "¯100   0")
    assert display(np.array([[INT64.min], [1]])) == lines("¯9223372036854775808", "                   1")
    assert display(np.array([[True, False], [False, False]])) == lines("1 0", "0 0")


def test_points_are_aligned() -> None:
    # ⌹2 2⍴1 2 3 4
    assert display(np.array([[-2, 1], [1.5, -0.5]])) == lines("¯2    1  ", " 1.5 ¯0.5")
    # ∘.÷⍨⍳3
    table = np.arange(1, 4)[:, None] / np.arange(1, 4)
    assert display(table) == lines("1 0.5 0.3333333333", "2 1   0.6666666667", "3 1.5 1           ")
    assert display(np.array([[100, 0.25], [-2.5, 3000]])) == lines("100      0.25", " ¯2.5 3000   ")


def test_whole_doubles_in_a_matrix_have_no_point() -> None:
    assert display(np.array([[1.0, 20.0], [300.0, -0.0]])) == lines("  1 20", "300  0")


def test_non_finite_numbers_stand_like_whole_ones() -> None:
    assert display(np.array([[INF], [-INF], [NAN], [1.25]])) == lines("  ∞   ", " ¯∞   ", "NaN   ", "  1.25")


def test_one_scaled_number_scales_its_column() -> None:
    matrix = np.array([[0.5, 0.5], [100, 1], [1e10, -2]])
    assert display(matrix) == lines("5E¯1  0.5", "1E2   1  ", "1E10 ¯2  ")


def test_mantissas_of_a_scaled_column_have_one_length() -> None:
    matrix = np.array([[1.5], [-1.25e10], [-0.0], [1e-7], [INF]])
    assert display(matrix) == lines(" 1.50E0 ", "¯1.25E10", " 0.00E0 ", " 1.00E¯7", " ∞      ")


def test_a_scaled_column_keeps_the_precision() -> None:
    matrix = np.array([[1 / 3], [1e5]])
    assert display(matrix, precision=3) == lines("3.33E¯1", "1.00E5 ")
    assert display(np.array([[2.0], [1e5]]), precision=1) == lines("2E0", "1E5")


# Rank 3 and more


def test_a_blank_line_between_planes_and_common_columns() -> None:
    cube = np.array([[[1, 2], [3, 4]], [[50, 6], [7, -8]]])
    assert display(cube) == lines(" 1  2", " 3  4", "", "50  6", " 7 ¯8")
    assert display(cube / 2) == lines(" 0.5  1", " 1.5  2", "", "25    3", " 3.5 ¯4")


def test_two_blank_lines_between_cubes() -> None:
    assert display(np.arange(8).reshape(2, 2, 1, 2)) == lines("0 1", "", "2 3", "", "", "4 5", "", "6 7")


def test_three_blank_lines_in_rank_5() -> None:
    assert display(np.arange(2).reshape(2, 1, 1, 1, 1)) == lines("0", "", "", "", "1")


# Empty arrays


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.bool_, np.uint32])
@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((0,), ""),
        ((0, 3), ""),
        ((0, 0), ""),
        ((1, 0), ""),
        ((3, 0), "\n\n"),  # three lines
        ((2, 0, 3), ""),
        ((0, 2, 3), ""),
        ((2, 2, 0), "\n\n\n\n"),  # two planes of two lines, and the line between
    ],
)
def test_empty(shape: tuple[int, ...], expected: str, dtype: type) -> None:
    assert display(np.empty(shape, dtype=dtype), chars=dtype is np.uint32) == expected


def test_what_has_no_rows_has_no_lines() -> None:
    """Both of these are the text ""; a vector is a line."""
    assert not any(has_lines(np.empty(shape)) for shape in ((0, 3), (0, 0), (2, 0, 3), (0, 2, 3)))
    assert all(has_lines(np.empty(shape)) for shape in ((), (0,), (1, 0), (3, 0), (2, 3)))
    assert has_lines(()) and has_lines((np.empty((0, 3)),))


def test_items_without_columns_have_rows_like_numbers() -> None:
    assert display(np.empty((0,), dtype=object)) == ""
    assert display(np.empty((3, 0), dtype=object)) == "\n\n"
    assert display(np.empty((2, 2, 0), dtype=object)) == "\n\n\n\n"


# Characters


def test_characters() -> None:
    assert display(np.array(ord("⍴"), dtype=np.uint32), chars=True) == "⍴"
    assert display(text("it's -1 e 😀"), chars=True) == "it's -1 e 😀"  # no high minus in text
    assert display(text(""), chars=True) == ""
    assert display(text("a\0"), chars=True) == "a\0"
    assert display(chars("ab", "- "), chars=True) == lines("ab", "- ")
    assert display(chars("ab", "cd", "ef", "gh").reshape(2, 2, 2), chars=True) == lines(
        "ab", "cd", "", "ef", "gh"
    )


def test_what_is_no_character_is_replaced() -> None:
    codes = np.array([0xD800, 97, 0x110000], dtype=np.uint32)
    assert display(codes, chars=True) == "\ufffda\ufffd"
    assert display(codes) == "55296 97 1114112"  # without the flag they are numbers


# Tuples


def test_tuples() -> None:
    pair, three = np.array([1, 2]), np.array(3)
    letter = np.array(ord("x"), dtype=np.uint32)
    assert display(()) == ""
    assert display((three, np.array(-0.5))) == "3 ¯0.5"  # scalars only: a simple vector
    assert display((pair, three, text("a-b"))) == " 1 2  3  a-b "
    assert display((three, pair)) == "3  1 2 "
    assert display((pair, pair)) == " 1 2  1 2 "
    assert display((letter, letter, three)) == "xx 3"
    assert display(((pair, three), three)) == "  1 2  3  3"
    assert display((np.array([[1, 2], [3, 4]]), three)) == lines(" 1 2  3", " 3 4   ")
    assert display((np.array(1 / 3), pair / 3), precision=2) == "0.33  0.33 0.67 "


# JSON


@pytest.mark.parametrize(
    ("value", "base", "expected"),
    [
        (np.array(-3), "int", '{"type":"int","shape":[],"data":[-3]}'),
        (np.arange(4).reshape(2, 2).T, "int", '{"type":"int","shape":[2,2],"data":[0,2,1,3]}'),
        (np.array(1.0), "double", '{"type":"double","shape":[],"data":[1.0]}'),
        (np.array([1, INF]), "double", '{"type":"double","shape":[2],"data":[1.0,"inf"]}'),
        (np.array([1e22, 0.1, -0.0]), "double", '{"type":"double","shape":[3],"data":[1e+22,0.1,-0.0]}'),
        (np.array([INF, -INF, NAN]), "double", '{"type":"double","shape":[3],"data":["inf","-inf","nan"]}'),
        (np.array([True, False]), "bool", '{"type":"bool","shape":[2],"data":[true,false]}'),
        (np.empty((0, 3)), "double", '{"type":"double","shape":[0,3],"data":[]}'),
        (text('⍴"\n'), "char", '{"type":"char","shape":[3],"data":"⍴\\"\\n"}'),
        (chars("ab", "cd"), "char", '{"type":"char","shape":[2,2],"data":"abcd"}'),
        (text("x")[0], "char", '{"type":"char","shape":[],"data":"x"}'),
        (text(""), "char", '{"type":"char","shape":[0],"data":""}'),
    ],
)
def test_json(value: np.ndarray[Any, Any], base: str, expected: str) -> None:
    assert to_json(value, base=base) == expected


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)))
def test_json_doubles_round_trip(value: np.ndarray[Any, Any]) -> None:
    line = to_json(value, base="double")
    read = json.loads(line)
    assert "\n" not in line
    assert all(isinstance(x, float | str) for x in read["data"])
    back = np.array([float(x) for x in read["data"]]).reshape(read["shape"])
    np.testing.assert_array_equal(back, value, strict=True)
    assert (np.signbit(back) == np.signbit(value))[~np.isnan(value)].all()


@given(hnp.arrays(np.int64, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)))
def test_json_integers_round_trip(value: np.ndarray[Any, Any]) -> None:
    read = json.loads(to_json(value, base="int"))
    back = np.array(read["data"], dtype=np.int64).reshape(read["shape"])
    np.testing.assert_array_equal(back, value, strict=True)


@given(st.text())
def test_json_text_round_trip(string: str) -> None:
    assert json.loads(to_json(text(string), base="char"))["data"] == string


# Properties of the display form


def number(token: str) -> float:
    """The number that a token of the display form denotes."""
    return float(token.replace("¯", "-").replace("∞", "inf"))


@given(st.lists(st.integers(INT64.min, INT64.max)))
def test_integers_read_back(values: list[int]) -> None:
    tokens = display(np.array(values, dtype=np.int64)).split()
    assert [int(token.replace("¯", "-")) for token in tokens] == values


@given(st.lists(st.floats()), st.integers(1, 17))
@example([1e10, -9999999999.9, 0.00000099999999999, 5e-324], 10)
def test_doubles_read_back_within_precision(values: list[float], precision: int) -> None:
    tokens = display(np.array(values, dtype=np.float64), precision=precision).split()
    for token, value in zip(tokens, values, strict=True):
        # Exactly the decimal number nearest to the value, whatever its spelling.
        np.testing.assert_equal(number(token), float(f"{value + 0.0:.{precision - 1}e}"))


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 17))
def test_spelling_of_doubles(value: float, precision: int) -> None:
    token = format_number(value, precision)
    match = re.fullmatch(r"¯?(\d+)(\.\d*[1-9])?(?:E(¯?\d+))?", token)
    assert match is not None, token
    whole, fraction, exponent = match.group(1), match.group(2) or "", match.group(3)
    assert len((whole + fraction).replace(".", "").lstrip("0")) <= precision
    if exponent is None:
        assert whole == "0" or not whole.startswith("0")
        assert number(token) == 0 or abs(number(token)) >= 1e-6
    else:
        assert whole in "123456789"
        assert not -6 <= int(exponent.replace("¯", "-")) < precision


@given(
    hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=2, max_dims=4, max_side=3),
        elements=st.floats() | st.sampled_from([0.5, -12.25, 3.0, 1e4]),
    )
)
def test_matrices_have_equal_rows_aligned_at_the_point(array: np.ndarray[Any, Any]) -> None:
    rows = [line for line in display(array).split("\n") if line]
    assert len({len(row) for row in rows}) == 1
    cells = [row.split() for row in rows]
    np.testing.assert_equal(
        [[number(cell) for cell in row] for row in cells],
        [[number(format_number(x)) for x in row] for row in array.reshape(-1, array.shape[-1]).tolist()],
    )
    # In each column the integer parts of all numbers end at the same place.
    ends = [[m.end(1) for m in re.finditer(r"(¯?\d+|¯?∞|NaN)\S*", row)] for row in rows]
    assert len({tuple(row) for row in ends}) == 1


@given(hnp.arrays(np.int64, hnp.array_shapes(min_dims=2, max_dims=3, max_side=4)))
def test_integer_matrices_are_flush_right(array: np.ndarray[Any, Any]) -> None:
    rows = [line for line in display(array).split("\n") if line]
    cells = [[int(cell.replace("¯", "-")) for cell in row.split()] for row in rows]
    assert cells == array.reshape(-1, array.shape[-1]).tolist()
    assert len({tuple(m.end() for m in re.finditer(r"\S+", row)) for row in rows}) == 1
    assert not rows[0].endswith(" ")
