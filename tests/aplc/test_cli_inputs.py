"""Inputs of the command line: arrays of every kind, and what cannot be an input."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from tests.support.commands import Cli, Outcome, save, write
from tests.support.machine import on_each_target

pytestmark = pytest.mark.usefixtures("surroundings")

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
NUMBERS = (*INTEGERS, "float16", "float32", "float64")
FOREIGN = (">i2", ">i4", ">i8", ">u4", ">u8", ">f2", ">f4", ">f8")


@on_each_target
@pytest.mark.parametrize("name", [*NUMBERS, *FOREIGN])
def test_input_of_every_number_type(cli: Cli, target: str, name: str) -> None:
    dtype = np.dtype(name)
    if dtype.kind == "f":
        array = np.array([[-1.5, 0.0, 2.25]], dtype)
    else:
        bits = np.iinfo(dtype)
        array = np.array([[bits.min, 0, min(bits.max, 2**63 - 1)]], dtype)
    save("x.npy", array)
    outcome = cli(write("p.apl", "x"), "--input", "x=x.npy", "--target", target, "--format", "json", "--time")
    assert outcome.status == 0, outcome.err
    kind = "double" if dtype.kind == "f" else "int"
    assert json.loads(outcome.out) == {"type": kind, "shape": [1, 3], "data": array.ravel().tolist()}


@on_each_target
@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.array([True, False]), "bool"),
        (np.array(["a", "é", "𝄞"]), "char"),
        (np.array(["a", "é"]).astype(">U1"), "char"),
        (np.array("x"), "char"),
        (np.array(7), "int"),
        (np.array(7.5), "double"),
        (np.asfortranarray(np.arange(6).reshape(2, 3)), "int"),
        (np.empty(0), "double"),
        (np.empty((3, 0), np.int32), "int"),
        (np.empty((0, 3), bool), "bool"),
        (np.empty((2, 0), "<U1"), "char"),
    ],
    ids=str,
)
def test_input_of_every_kind(cli: Cli, target: str, array: np.ndarray, kind: str) -> None:
    save("x.npy", array)
    arguments = ("--input", "x=x.npy", "--target", target, "--format", "json")
    outcome = cli(write("p.apl", "x\n⍴x"), *arguments)
    assert outcome.status == 0, outcome.err
    flat = array.ravel().tolist()
    data = "".join(flat) if kind == "char" else flat
    assert [json.loads(line) for line in outcome.out.splitlines()] == [
        {"type": kind, "shape": list(array.shape), "data": data},
        {"type": "int", "shape": [array.ndim], "data": list(array.shape)},
    ]


@on_each_target
def test_several_inputs_in_any_order(cli: Cli, target: str) -> None:
    save("a.npy", np.array([[10, 20]], np.int16))
    save("b.npy", np.array(2.5))
    write("p.apl", "unused←1\na-b")
    a, b = ("--input", "a=a.npy"), ("--input", "∆b_1=b.npy")
    write("p.apl", "a-∆b_1")
    for arguments in ((*a, *b), (*b, *a)):
        assert cli("p.apl", *arguments, "--target", target) == Outcome(0, "7.5 17.5\n", "")


def test_inputs_of_check_and_emit(cli: Cli) -> None:
    save("x.npy", np.zeros((2, 3), np.float32))
    write("p.apl", "y←+/x")
    assert cli("check", "p.apl", "--input", "x=x.npy").out == "p.apl:1:1: y : [double]1\n"
    assert "[double]2" in cli("emit", "tail", "p.apl", "--input", "x=x.npy").out
    assert "float" in cli("emit", "c", write("q.apl", "+/x"), "--input", "x=x.npy").out


def bad_input(cli: Cli, argument: str) -> str:
    outcome = cli(write("p.apl", "x"), "--input", argument, "--target", "interp")
    assert (outcome.status, outcome.out) == (1, "")
    head, source, carets = outcome.err.splitlines()
    assert head.startswith("command line:1:")
    assert source == f"  1 | --input {argument}"
    assert re.fullmatch(r"    \| +\^+", carets)
    return head


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.array([1j], np.clongdouble), "complex numbers of more than 128 bits"),
        (np.array(["ab", "c"]), "texts"),
        (np.array([b"a"]), "bytes"),
        (np.array(["2020-01-01"], "datetime64[D]"), "dates"),
        (np.zeros(2, [("a", "i4"), ("b", "f8")]), "records"),
        (np.array([2**63], np.uint64), "unsigned integers beyond 64 bits"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_input_that_apl_has_no_counterpart_for(cli: Cli, array: np.ndarray, reason: str) -> None:
    save("x.npy", array)
    assert f"FILE ERROR: x.npy holds {reason}" in bad_input(cli, "x=x.npy")


def test_input_of_python_objects_is_not_loaded(cli: Cli) -> None:
    save("x.npy", np.array([1, "a", None], object), allow_pickle=True)
    assert "FILE ERROR: x.npy holds Python objects" in bad_input(cli, "x=x.npy")


def test_input_that_is_no_npy_file(cli: Cli) -> None:
    save("good.npy", np.arange(6))
    good = Path("good.npy").read_bytes()
    damaged = {
        b"": "does not begin like one",
        b"1 2 3\n": "does not begin like one",
        good[:-1]: "it is cut short",
        good[:40]: "its header is cut short",
        good.replace(b"(6,), } ", b"(7,), } "): "it is cut short",
        good.replace(b"(6,), } ", b"(-6,), }"): "negative extents",
        good.replace(b"'<i8'", b"'<q9'"): "its header names no type of elements",
        good[:6] + b"\x09\x00" + good[8:]: "its version is 9.0",
    }
    for content, fragment in damaged.items():
        Path("x.npy").write_bytes(content)
        head = bad_input(cli, "x=x.npy")
        assert "FILE ERROR: x.npy is no .npy file, or damaged (" in head
        assert fragment in head
    np.savez("x.dat", x=np.arange(3))
    Path("x.dat.npz").rename("x.dat")
    assert "x.dat is no .npy file" in bad_input(cli, "x=x.dat")


def test_input_that_cannot_be_opened(cli: Cli) -> None:
    assert "FILE ERROR: there is no file missing.npy" in bad_input(cli, "x=missing.npy")
    Path("directory.npy").mkdir()
    assert "FILE ERROR: directory.npy cannot be read: it is a directory" in bad_input(cli, "x=directory.npy")


@pytest.mark.parametrize("argument", ["", "x", "x=", "=x.npy", "x y=x.npy", "2=x.npy", "+=x.npy", "⍵=x.npy"])
def test_input_that_is_not_named_well(cli: Cli, argument: str) -> None:
    save("x.npy", np.arange(3))
    assert " SYNTAX ERROR: " in bad_input(cli, argument)


def test_input_given_twice(cli: Cli) -> None:
    save("x.npy", np.arange(3))
    outcome = cli(write("p.apl", "x"), "--input", "x=x.npy", "--input", "x=x.npy")
    assert outcome == Outcome(2, "", "aplc: --input x is given twice\n")


def test_input_that_is_not_given(cli: Cli) -> None:
    outcome = cli(write("p.apl", "x"), "--target", "interp")
    assert (outcome.status, outcome.first) == (1, "p.apl:1:1: VALUE ERROR: x is not defined")
