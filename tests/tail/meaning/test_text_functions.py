"""The meanings of what reads and writes texts: numbers in fields, JSON, pictures, tables, files."""

import os
import stat
from pathlib import Path

import numpy as np
import pytest

from aplc.tail import prims as p
from aplc.tail.meaning.core import Value
from tests.support.run_meaning import INF, NAN, agree, fails, of, run, text


def rows(characters: Value) -> list[str]:
    """The lines of a matrix of characters."""
    return [text(row) for row in characters]


@pytest.mark.parametrize(
    ("separators", "given", "valid", "numbers"),
    [
        ("", "", [], []),
        ("", "  \n ", [], []),
        ("", "1 -2 ¯3.5e1", [1, 1, 1], [1, -2, -35]),
        ("", "1,2 3", [0, 1], [0, 3]),
        ("", "1- 2x 0x1 1_0 .5 5.", [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0.5, 5]),
        (",", "", [1], [0]),
        (",", "1,,x, 4 ,", [1, 1, 0, 1, 1], [1, 0, 0, 4, 0]),
        (" ", "1  2", [1, 1, 1], [1, 0, 2]),
        ("]-^", "1]2-3^4", [1, 1, 1, 1], [1, 2, 3, 4]),
    ],
)
def test_fields_of_numbers(separators: str, given: str, valid: list[int], numbers: list[float]) -> None:
    found = p.NUMBER_FIELDS.meaning(of(separators), of(given))
    agree(found[0], of(valid, base="bool"))
    agree(found[1], of(numbers, base="double"))


def test_text_that_holds_numbers() -> None:
    agree(run(p.NUMBERS, " 1 ¯2\n3.5"), [1.0, -2.0, 3.5])
    agree(run(p.NUMBERS, ""), of([], base="double"))
    assert fails(p.NUMBERS, "1 2+3").startswith("DOMAIN ERROR: ")
    assert fails(p.NUMBERS, "1,2").startswith("DOMAIN ERROR: ")


def test_json() -> None:
    assert text(run(p.JSON, np.int64(-5))) == "-5"
    assert text(run(p.JSON, np.array([1.0, 0.1, -1e300, 5e-324]))) == "[1,0.1,-1E300,5E-324]"
    assert text(run(p.JSON, np.array([[True, False]]))) == "[[1,0]]"
    assert text(run(p.JSON, np.empty((2, 0), np.int64))) == "[[],[]]"
    assert text(run(p.JSON, 'a"\\\n⍳')) == '"a\\"\\\\\\n⍳"'
    for number in (NAN, INF, -INF):
        assert fails(p.JSON, np.array([1.0, number])).startswith("DOMAIN ERROR: JSON has no number")


def items(*values: object) -> Value:
    """An array of objects."""
    result = np.empty(len(values), dtype=object)
    for k, value in enumerate(values):
        result[k] = of(value)
    return result


def test_json_of_arrays_of_arrays() -> None:
    assert text(run(p.JSON_NESTED, items([1, 2], [], "ab", ""))) == '[[1,2],[],"ab",""]'
    assert text(run(p.JSON_NESTED, items([0.5], [1], [2], [3]).reshape(2, 2))) == "[[[0.5],[1]],[[2],[3]]]"
    assert text(run(p.JSON_NESTED, items())) == "[]"
    assert text(run(p.JSON_NESTED, items([7]).reshape(()))) == "[7]"  # enclosed
    assert text(run(p.JSON_NESTED, (of([7]), ()))) == "[7]"
    assert text(run(p.JSON_NESTED, (of(7), (of("a"), items([1], [2]))))) == '[7,["a",[[1],[2]]]]'
    assert fails(p.JSON_NESTED, items([1.0], [INF])).startswith("DOMAIN ERROR: JSON has no number")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (items([1, 2], [3]), " 1 2  3 "),
        (items("ab", ""), " ab   "),
        (items(), ""),
        (items([1, 2]).reshape(()), " 1 2 "),
        ((of(5), of("ab"), of([-1])), "5  ab  ¯1 "),
        ((items([1], [2]), ()), "  1  2  "),
        ((of([1 / 3]), of(2)), " 0.333  2"),
        (items("a\nb"), " a \n b "),
    ],
)
def test_arrays_of_vectors_are_formatted_as_one_line(value: Value, expected: str) -> None:
    found = run(p.FORMAT_NESTED, 3, 1, value)
    assert found.ndim == 1
    assert text(found) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (items([[1, 20], [3, 4]], "ab"), [" 1 20  ab ", " 3  4     "]),
        (items([1], [2, 3], "abcd", [4]).reshape(2, 2), [" 1     2 3 ", " abcd  4   "]),
        (items([1], [23]).reshape(2, 1, 1), [" 1  ", "    ", " 23 "]),  # planes
        (items([[7]]), [" 7 "]),
        (items(), [""]),
        (items().reshape(0, 2), []),
        (items().reshape(2, 0), ["", ""]),
    ],
)
def test_other_arrays_of_arrays_are_formatted_as_a_matrix(value: Value, expected: list[str]) -> None:
    found = run(p.FORMAT_NESTED, 3, 2, value)
    assert found.shape == (len(expected), len(expected[0]) if expected else 0)
    assert rows(found) == expected


@pytest.mark.parametrize("digits", [0, 18])
def test_the_digits_of_arrays_of_arrays_have_limits(digits: int) -> None:
    assert fails(p.FORMAT_NESTED, digits, 1, items([1])).startswith("DOMAIN ERROR: ")


@pytest.mark.parametrize(
    ("picture", "values", "expected"),
    [
        ("I3", [[1.0], [-20.0], [1000.0]], ["  1", "¯20", "***"]),
        ("F6.2", [[0.125, 2.675]], ["  0.12  2.67"]),
        ("I2,<|>,F4.1,<;>", [[1.0, 2.0, 3.0]], [" 1| 2.0; 3|"]),
        ("2I3,X2", [[1.0, 2.0]], ["  1  2  "]),
        ("BI3,ZI3,LI3", [[0.0, -5.0, 7.0]], ["   ¯057  "]),
        ("CF14.1", [[1234567.25]], ["   1,234,567.2"]),
        ("CI7", [[123.0], [-1234.0]], ["    123", " ¯1,234"]),
        ("E9.2", [[12345.0], [0.0]], ["    1.2E4", "    0.0E0"]),
        ("I4", [[NAN, INF]], [" NaN   ∞"]),
        (" I2 , ⊂,⊃ , ¨x¨ ", [[1.0, 2.0]], [" 1,x 2,x"]),
        ("I3", np.empty((0, 2)), []),
        ("I3", np.empty((2, 0)), ["", ""]),
    ],
)
def test_pictures(picture: str, values: Value, expected: list[str]) -> None:
    assert rows(run(p.FORMAT_PICTURE, picture, np.int64(0), np.asarray(values))) == expected


def test_pictures_go_on_behind_other_columns() -> None:
    values = np.array([[1.0, 2.0]])
    assert rows(run(p.FORMAT_PICTURE, "I2,I3,I4", np.int64(2), values)) == ["   1 2"]
    assert rows(run(p.FORMAT_PICTURE, "<a>,I2,<b>,I3", np.int64(1), values)) == ["  1a 2b"]


@pytest.mark.parametrize("picture", ["", "I", "I3 I4", "F5", "Q3", "I3,", "E5.0", "<a", "3"])
def test_wrong_pictures(picture: str) -> None:
    assert fails(p.FORMAT_PICTURE, picture, np.int64(0), np.ones((1, 1))).startswith("FORMAT ERROR: ")


def test_phrases_for_the_other_kind() -> None:
    assert "for characters" in fails(p.FORMAT_PICTURE, "A3", np.int64(0), np.ones((1, 1)))
    characters = np.array([[65]], dtype=np.uint32)
    assert "for numbers" in fails(p.FORMAT_PICTURE, "I3", np.int64(0), characters)
    assert "needs a phrase" in fails(p.FORMAT_PICTURE, "<x>", np.int64(0), characters)


# --- tables and files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "kinds", "expected"),
    [
        ("", [2], np.empty((0, 0))),
        ("\n\n", [2], np.empty((0, 0))),
        ("1\n", [2], [[1.0]]),
        ("1,2\r\n\r\n3,4\r\n", [2], [[1.0, 2.0], [3.0, 4.0]]),
        ('"1", ¯2.5\n', [2], [[1.0, -2.5]]),
        ('"a,b",1\n"c\nd",2\n', [0, 2], [[1.0], [2.0]]),
        ("1,x\n,3\n", [4], [[1.0, 0.0], [0.0, 3.0]]),
        ("a,b\n", [0], np.empty((1, 0))),
        ("", [2, 0, 4], np.empty((0, 2))),
    ],
)
@pytest.mark.parametrize("repeated", [1, 20_000])
def test_tables(content: str, kinds: list[int], expected: Value, repeated: int, tmp_path: Path) -> None:
    """Large tables are read by a library in C."""
    table = np.tile(np.asarray(expected), (repeated, 1))
    agree(run(p.TABLE_OF, content * repeated, of(kinds)), table)
    path = tmp_path / "table"
    path.write_bytes((content * repeated).encode())
    agree(run(p.READ_TABLE, str(path), of(kinds)), table)


@pytest.mark.parametrize(
    ("content", "kinds", "message"),
    [
        ("1,2\n3\n", [2], "line 2: 1 fields, where the first row has 2"),
        ("1,2\n3,x\n", [2], "line 2, column 2: x is no number"),
        ("1,2\n3,\n", [2], "line 2, column 2: an empty field"),
        ("1,2\n", [2, 2, 2], "line 1: 2 fields, where the program says 3 columns"),
        ("1 2,3\n", [2], "line 1, column 1: 1 2 is no number"),
    ],
)
@pytest.mark.parametrize("before", [0, 20_000])
def test_wrong_tables(content: str, kinds: list[int], message: str, before: int) -> None:
    found = fails(p.TABLE_OF, content + "1,2\n" * before, of(kinds))
    assert found == f"FILE ERROR: the text of ⎕CSV, {message}"


@pytest.mark.parametrize(
    ("content", "kinds", "expected"),
    [
        ("", [1], [0, 0]),
        ("", [1, 2], [0, 1]),
        ("a,bc\n\n,d\n", [1], [2, 2, 1, 2, 0, 1, *map(ord, "abcd")]),
        ('a,"b,""c"""\n', [0, 1], [1, 1, 5, *map(ord, 'b,"c"')]),
        ("a,1\n日本,2\n", [1, 2], [2, 1, 1, 2, *map(ord, "a日本")]),
        ("a,b\nc,d\n", [1, -1], [1, 2, 1, 1, *map(ord, "ab")]),
    ],
)
def test_texts_of_tables(content: str, kinds: list[int], expected: list[int], tmp_path: Path) -> None:
    """How many rows and columns, the lengths, the characters; a mark behind the kinds asks for the header."""
    path = tmp_path / "table"
    path.write_bytes(content.encode())
    agree(run(p.FIELDS_OF, content, of(kinds)), np.array(expected))
    agree(run(p.READ_FIELDS, str(path), of(kinds)), np.array(expected))


@pytest.mark.parametrize("header", ["a,b\n", '"a\nb",c\n'])
@pytest.mark.parametrize("repeated", [0, 1, 20_000])
def test_tables_with_a_header(header: str, repeated: int) -> None:
    table = np.tile([[1.0, 2.5]], (repeated, 1))
    agree(run(p.TABLE_OF, header + "1,2.5\n" * repeated, of([2, -1])), table)


def test_kinds_of_columns() -> None:
    assert "kinds 0, 2 and 4, got 3" in fails(p.TABLE_OF, "1", of([3]))
    assert "got none" in fails(p.TABLE_OF, "1", of([], base="int"))


def test_writing(tmp_path: Path) -> None:
    path, keep = tmp_path / "new", np.bool_(False)
    agree(run(p.WRITE_FILE, str(path), keep, "⍳5\n"), of(5))
    assert path.read_text("utf-8") == "⍳5\n"
    assert "is there already" in fails(p.WRITE_FILE, str(path), keep, "x")
    assert path.read_text("utf-8") == "⍳5\n"
    path.chmod(0o640)
    agree(run(p.WRITE_FILE, str(path), ~keep, "x"), of(1))
    assert path.read_text("utf-8") == "x" and stat.S_IMODE(path.stat().st_mode) == 0o640
    link = tmp_path / "link"
    link.symlink_to(path)
    agree(run(p.WRITE_FILE, str(link), ~keep, ""), of(0))
    assert link.is_symlink() and path.read_text("utf-8") == ""
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "new"]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "file", "a\0b"):
        told = fails(p.WRITE_FILE, str(path), np.bool_(True), "x")
        assert told.startswith("FILE ERROR: ") and "cannot be written" in told
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "a pipe" in fails(p.WRITE_FILE, str(pipe), np.bool_(True), "x")
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there stays."""
    path = tmp_path / "file"
    path.write_text("before", encoding="utf-8")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left" in fails(p.WRITE_FILE, str(path), np.bool_(True), "after")
    assert path.read_text("utf-8") == "before" and len(list(tmp_path.iterdir())) == 1
