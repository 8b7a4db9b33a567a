"""Inputs of the command line beside `.npy` files: APL text, and columns of files by their names."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.commands import Cli, Outcome, write

pytestmark = pytest.mark.usefixtures("surroundings")

PRICES = "date,price,count,unit price\n2020-01-01,1.5,3,¯\n2020-01-02,2,4,7\n"


def value(cli: Cli, argument: str, name: str = "x") -> str:
    outcome = cli("-e", name, "--input", argument, "--target", "interp")
    assert outcome.status == 0, outcome.err
    return outcome.out.rstrip("\n")


def error(cli: Cli, argument: str, code: str = "x") -> str:
    outcome = cli("-e", code, "--input", argument, "--target", "interp")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.count("\n") == 3
    return outcome.first


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("100", "100"),
        ("1 2 ¯3", "1 2 ¯3"),
        ("-5", "¯5"),
        ("2 2⍴⍳4", "1 2\n3 4"),
        ("'it''s'", "it's"),
        ("2.5", "2.5"),
        ("9223372036854775807", "9223372036854775807"),
        ("(1 2)(3 4 5)", " 1 2  3 4 5 "),
    ],
)
def test_apl_text(cli: Cli, text: str, shown: str) -> None:
    assert value(cli, f"x={text}") == shown


def test_a_number_is_a_scalar_of_integers(cli: Cli) -> None:
    assert cli("check", "-e", "y←x", "--input", "x=1").out == "-e:1:1: y : [int]0\n"
    assert cli("check", "-e", "y←x", "--input", "x=1 0").out == "-e:1:1: y : [int]1\n"


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("1 2+1 2 3", "1:11: LENGTH ERROR: + needs equal lengths, got <int>2 and <int>3"),
        ("1 2(", "1:14: SYNTAX ERROR: unclosed (: no ) closes it on its line"),
        ("foo", "1:11: VALUE ERROR: foo is not defined"),
        ("{⍵+1}⋄", "1:11: FILE ERROR: this is no value of JSON"),
        ("1⋄2", "1:11: SYNTAX ERROR: one expression is expected"),
        ("+/", "1:11: DOMAIN ERROR: this is a function, an array is expected"),
        ("data/no.dat", "1:11: FILE ERROR: there is no file data/no.dat"),
        ("÷0", "1:11: DOMAIN ERROR: ÷ divides by zero"),
    ],
)
def test_apl_text_that_is_wrong(cli: Cli, text: str, head: str) -> None:
    assert error(cli, f"x={text}").startswith(f"command line:{head}")


def test_columns_of_text_by_name(cli: Cli) -> None:
    write("p.csv", PRICES)
    assert value(cli, "price=p.csv", "price") == "1.5 2"
    assert value(cli, "x=p.csv:count") == "3 4"
    assert value(cli, "x=p.csv:date") == " 2020-01-01  2020-01-02 "
    assert cli("-e", "+/price×count", "--input", "p.csv") == Outcome(0, "12.5\n", "")
    assert cli("-e", "+/price×count ⍝ date", "--input", "count=10", "--input", "p.csv").out == "35\n"


def test_text_without_names_is_an_array(cli: Cli) -> None:
    write("m.csv", "1,2.5\r\n3,nan\r\n")
    assert value(cli, "x=m.csv") == "1   2.5\n3 NaN  "
    write("v.csv", "1\n2\n")
    assert value(cli, "x=v.csv") == "1 2"
    assert cli("-e", "m←3 2⍴⍳6", "--output", "m=out.csv").status == 0
    assert value(cli, "x=out.csv") == "1 2\n3 4\n5 6"


@pytest.mark.parametrize(
    ("content", "head"),
    [
        ("x,y\n1,2\nn/a,3\n4,5\n", "f.csv:3:1: FILE ERROR: column x has text, n/a, among numbers"),
        ("y,x\n1,2\n3,\n4,5\n", "f.csv:3:3: FILE ERROR: column x has an empty cell among numbers"),
        ("x,y\n1,2\n3\n", "f.csv:3:1: FILE ERROR: there are 1 cells, and 2 in the first line"),
        ("x\n99999999999999999999\n", "f.csv:2:1: FILE ERROR: column x has a whole number that does not fit"),
        ('x\n"1\n', "f.csv:2:1: FILE ERROR: this is no line of a .csv file: unexpected end of data"),
        ("price,count\n1,2\n", "command line:1:11: FILE ERROR: f.csv has no column x, but price, count"),
        ("x,x\n1,2\n", "command line:1:11: FILE ERROR: f.csv has 2 columns with the name x"),
        ("", "command line:1:11: FILE ERROR: f.csv is empty"),
        ("x\n\xff", "f.csv:2:1: SYNTAX ERROR: byte 0xFF is not UTF-8 text"),
    ],
)
def test_text_that_is_wrong(cli: Cli, content: str, head: str) -> None:
    Path("f.csv").write_bytes(content.encode("latin-1"))
    assert error(cli, "x=f.csv").startswith(head)


def test_columns_that_nothing_asks_for(cli: Cli) -> None:
    write("p.csv", PRICES)
    assert error(cli, "p.csv", "1").endswith("no column of p.csv: date, price, count, unit price")
    assert error(cli, write("v.csv", "1,2")).endswith("have no names; NAME=v.csv is all of it")
    assert error(cli, "prise=p.csv", "prise").endswith("; did you mean price?")
    assert "there is no file no.csv" in error(cli, "x=no.csv")


def test_arrays_of_an_archive(cli: Cli) -> None:
    np.savez("a.npz", x=np.arange(3), y=np.array([[1.5]]), o=np.array([None]))
    assert value(cli, "x=a.npz") == "0 1 2"
    assert value(cli, "x=a.npz:y") == "1.5"
    assert cli("-e", "x+1", "--input", "a.npz").out == "1 2 3\n"
    assert error(cli, "z=a.npz", "z").endswith("FILE ERROR: a.npz has no array z, but x, y, o")
    assert "array o of a.npz holds Python objects" in error(cli, "x=a.npz:o")
    write("b.npz", "no archive")
    assert "b.npz is no .npz file, or damaged" in error(cli, "x=b.npz")


def test_columns_of_parquet(cli: Cli) -> None:
    pa = pytest.importorskip("pyarrow", reason="NOT CHECKED: pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"x": [1, 2], "t": ["ab", "c"], "n": [1.5, None], "l": [[1], [2, 3]]}
    parquet.write_table(pa.table(columns), "t.parquet")
    assert value(cli, "x=t.parquet") == "1 2"
    assert value(cli, "x=t.parquet:t") == " ab  c "
    assert value(cli, "x=t.parquet:l") == " 1  2 3 "
    assert "column n of t.parquet has 1 nulls, the first in row 2" in error(cli, "x=t.parquet:n")
    assert error(cli, "z=t.parquet", "z").endswith("t.parquet has no column z, but x, t, n, l")
    write("b.parquet", "no table")
    assert "b.parquet is no .parquet file, or damaged" in error(cli, "x=b.parquet")


def test_names_that_were_meant(cli: Cli) -> None:
    given = ("--input", "price=1", "--input", "totl=2", "--target", "interp")
    unused = cli("-e", "total←1 ⋄ price+total", *given)
    assert (unused.status, unused.first) == (
        2, "command line:1:9: VALUE ERROR: the program does not use the input totl; did you mean total?"
    )  # fmt: skip


def test_options_that_are_not_used(cli: Cli) -> None:
    assert cli("check", "-e", "1", "--unsafe") == Outcome(2, "", "aplc: aplc check does not use --unsafe\n")
    wrong = cli("-e", "1", "--targt", "c")
    assert wrong.status == 2 and "unrecognized arguments: --targt" in wrong.first
    assert "did you mean --target?" in wrong.first
