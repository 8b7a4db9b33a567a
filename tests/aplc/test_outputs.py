"""`--output NAME=FILE`: values in files, each whole or not at all."""

import csv
from pathlib import Path

import numpy as np
import pytest

from tests.support.commands import Cli, Outcome, write
from tests.support.machine import on_each_target

pytestmark = pytest.mark.usefixtures("surroundings")

PROGRAM = "m←2 3⍴1.5×⍳6\nv←⍳4\nn←7\nb←1=1 0 1\nt←'text'\nw←'ab' 'c,d'\nq←(1 2)(3 4 5)\n'done'\n"


@on_each_target
def test_values_go_into_files(cli: Cli, target: str) -> None:
    outputs = [("m", "m.npy"), ("v", "v.csv"), ("m", "m.csv"), ("n", "n.csv"), ("b", "b.csv"), ("w", "w.csv")]
    arguments = [part for name, path in outputs for part in ("--output", f"{name}={path}")]
    assert cli(write("p.apl", PROGRAM), "--target", target, *arguments) == Outcome(0, "done\n", "")
    assert np.array_equal(np.load("m.npy"), 1.5 * np.arange(1, 7).reshape(2, 3))
    assert Path("v.csv").read_text("utf-8") == "1\n2\n3\n4\n"
    assert Path("m.csv").read_text("utf-8") == "1.5,3.0,4.5\n6.0,7.5,9.0\n"
    assert Path("n.csv").read_text("utf-8") == "7\n" and Path("b.csv").read_text("utf-8") == "1\n0\n1\n"
    with Path("w.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["ab"], ["c,d"]]


def test_from_the_cache_too(cli: Cli) -> None:
    for _ in range(2):
        assert cli(write("p.apl", PROGRAM), "--output", "v=v.npy").status == 0
        assert np.load("v.npy").tolist() == [1, 2, 3, 4]
    assert cli("p.apl", "--output", "m=m.npy").status == 0
    assert np.load("m.npy").shape == (2, 3)


def test_columns(cli: Cli) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="NOT CHECKED: pyarrow is not installed")
    outputs = ("--output", "m=m.parquet", "--output", "q=q.parquet", "--output", "w=w.parquet")
    assert cli(write("p.apl", PROGRAM), "--target", "interp", *outputs).status == 0
    table = parquet.read_table("m.parquet").to_pydict()
    assert table == {"m1": [1.5, 6.0], "m2": [3.0, 7.5], "m3": [4.5, 9.0]}
    assert parquet.read_table("q.parquet").to_pydict() == {"q": [[1, 2], [3, 4, 5]]}
    assert parquet.read_table("w.parquet").to_pydict() == {"w": ["ab", "c,d"]}


@pytest.mark.parametrize(
    ("output", "status", "said"),
    [
        ("v", 2, "aplc: an output is written NAME=FILE, not v"),
        ("v=", 2, "aplc: an output is written NAME=FILE, not v="),
        ("3=v.csv", 2, "aplc: an output is written NAME=FILE"),
        ("v=v.xls", 2, "aplc: --output writes a file whose name ends in .npy, .csv, .parquet, not v.xls"),
        ("z=z.npy", 1, "aplc: VALUE ERROR: the program gives no array the name z"),
        ("f=f.npy", 1, "aplc: VALUE ERROR: the program gives no array the name f"),
        ("q=q.npy", 1, "command line:1:1: FILE ERROR: q is an array of arrays, which a .npy file"),
        ("x=x.csv", 1, "command line:1:1: FILE ERROR: x has 3 axes, a .csv file has two"),
        ("v=missing/v.csv", 1, "command line:1:1: FILE ERROR: missing/v.csv cannot be written: No such file"),
    ],
)
def test_what_cannot_be_written(cli: Cli, output: str, status: int, said: str) -> None:
    write("p.apl", PROGRAM + "f←{⍵}\nx←2 2 2⍴0\n")
    found = cli("p.apl", "--target", "interp", "--output", output)
    assert found.status == status and found.first.startswith(said), found


def test_a_file_stays_as_it_was_where_another_cannot_be_written(cli: Cli) -> None:
    write("v.csv", "old\n")
    write("p.apl", PROGRAM)
    assert cli("p.apl", "--target", "interp", "--output", "v=v.csv", "--output", "q=q.npy").status == 1
    assert Path("v.csv").read_text("utf-8") == "old\n"
