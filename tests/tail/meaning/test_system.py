"""The meanings of primitives that read files: lines, numbers in texts, arrays of NumPy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aplc.tail import prims as p
from aplc.tail.faults import FILE, INDEX_RANGE
from aplc.tail.meaning.core import Value
from tests.support.run_meaning import INF, INT_MAX, INT_MIN, NAN, agree, empty, fails, of, run, text


def write(path: Path, content: str | bytes) -> str:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_reading_text(tmp_path: Path) -> None:
    assert text(run(p.READ_FILE, write(tmp_path / "a", "⍳5\r\nä\n"))) == "⍳5\r\nä\n"
    assert text(run(p.READ_FILE, write(tmp_path / "b", "\ufeffx"))) == "x"
    agree(run(p.READ_FILE, write(tmp_path / "c", "")), of(""))
    bad = write(tmp_path / "bad-one", b"ok\nno \xff")
    assert fails(p.READ_FILE, bad) == f"FILE ERROR: {bad}, line 2: no UTF-8"
    absent = str(tmp_path / "not-here")
    assert fails(p.READ_FILE, absent) == f"FILE ERROR: there is no file {absent}"
    assert fails(p.READ_FILE, str(tmp_path)).startswith(f"FILE ERROR: {tmp_path} cannot be read: ")
    assert fails(p.READ_FILE, "a\0b").startswith("FILE ERROR: ")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        ("\n \n", []),
        ("[]", []),
        ("5", [5]),
        ("1 2\n3", [1, 2, 3]),
        ("[1, -2, ¯3]\n", [1, -2, -3]),
        ("1,\n2\t+3", [1, 2, 3]),
        (f"{INT_MIN} {INT_MAX} 007", [INT_MIN, INT_MAX, 7]),
    ],
)
def test_reading_integers(content: str, expected: list[int], tmp_path: Path) -> None:
    path = write(tmp_path / "numbers", content)
    agree(run(p.READ_INTS, path), expected)
    agree(run(p.READ_DOUBLES, path), of(expected, base="double"))


def test_reading_doubles(tmp_path: Path) -> None:
    path = write(tmp_path / "numbers", "1.5, .5 2. -1e3 1E¯3 ¯2.5e+2 inf -inf ∞ nan 1e999 NaN")
    agree(run(p.READ_DOUBLES, path), [1.5, 0.5, 2, -1000, 0.001, -250, INF, -INF, INF, NAN, INF, NAN])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\n2 x3", "line 2: x3 is no"),
        ("1,,2", "line 1: , is no"),
        (",1", "line 1: , is no"),
        ("1 2,\n", "line 1: , is no"),
        ("[1 2", "line 1: [ is no"),
        ("1 2]", "line 1: ] is no"),
        ("[", "line 1: [ is no"),
        ("[1] [2]", "line 1: ] is no"),
        ("--1", "line 1: --1 is no"),
        ("1-2", "line 1: 1-2 is no"),
        ("٣", "line 1: ٣ is no"),
    ],
)
def test_ill_formed_numbers(content: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "some-numbers", content)
    for prim in (p.READ_INTS, p.READ_DOUBLES):
        assert fails(prim, path).startswith(f"FILE ERROR: {path}, {message}")


def test_integers_are_whole_and_fit(tmp_path: Path) -> None:
    for content in (str(2**63), "-" + "9" * 3000):
        assert fails(p.READ_INTS, write(tmp_path / "n", content)).endswith("does not fit 64 bits")
    for content in ("1.5", "1.0", "1e3", "9" * 5000):
        assert fails(p.READ_INTS, write(tmp_path / "n", content)).endswith("is no whole number")


NPY = {
    "int": p.NPY_INT,
    "double": p.NPY_DOUBLE,
    "complex": p.NPY_COMPLEX,
    "bool": p.NPY_BOOL,
    "char": p.NPY_CHAR,
}


@pytest.mark.parametrize(
    ("stored", "base", "expected"),
    [
        (np.arange(6, dtype=np.int8).reshape(2, 3), "int", [[0, 1, 2], [3, 4, 5]]),
        (np.array([1, 2], dtype=">i4"), "int", [1, 2]),
        (np.array([1, 2], dtype=np.uint64), "int", [1, 2]),
        (np.array(2.5, dtype=np.float32), "double", 2.5),
        (np.array([0.5], dtype=np.float16), "double", [0.5]),
        (np.array([1 + 2j], dtype=np.complex64), "complex", [1 + 2j]),
        (np.array([1 + 2j], dtype=">c16"), "complex", [1 + 2j]),
        (np.array([[True], [False]]), "bool", [[True], [False]]),
        (np.array(list("hé")), "char", of("hé")),
        (np.asfortranarray([[1, 2], [3, 4]]), "int", [[1, 2], [3, 4]]),
        (np.zeros((0, 3)), "double", empty(0, 3, base="double")),
    ],
)
def test_mapping_arrays(stored: Value, base: str, expected: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, stored)
    agree(run(NPY[base], str(path), stored.ndim), expected)
    other = "double" if base == "int" else "int"
    assert fails(NPY[other], str(path), stored.ndim) == (
        f"FILE ERROR: {path} holds {base} of rank {stored.ndim}, "
        f"the program was compiled for {other} of rank {stored.ndim}"
    )
    assert fails(NPY[base], str(path), stored.ndim + 1).startswith("FILE ERROR")


def test_arrays_that_cannot_be_used(tmp_path: Path) -> None:
    def refused(content: bytes) -> str:
        return fails(p.NPY_INT, write(tmp_path / "a.npy", content), 1).replace(str(tmp_path), "…")

    np.save(tmp_path / "c.npy", np.zeros(3, np.clongdouble))
    assert "holds complex numbers of more than 128 bits" in fails(p.NPY_INT, str(tmp_path / "c.npy"), 1)
    np.save(tmp_path / "i.npy", np.arange(100))
    whole = (tmp_path / "i.npy").read_bytes()
    assert refused(whole[:-1]) == "FILE ERROR: …/a.npy is no .npy file, or damaged (it is cut short)"
    assert refused(b"PK") == "FILE ERROR: …/a.npy is no .npy file, or damaged (it does not begin like one)"
    assert refused(whole.replace(b"descr", b"d'scr")).startswith("FILE ERROR")
    assert fails(p.NPY_INT, str(tmp_path / "no.npy"), 1).startswith("FILE ERROR: there is no file ")


def test_a_text_in_a_message_stays_as_it_is() -> None:
    assert FILE.error("f", None, "a-b").diagnostics[0].message == "a-b"
    assert (
        INDEX_RANGE.error("f", None, -1, 2).diagnostics[0].message == "f has no element ¯1, the length is 2"
    )
