"""The Python interface: what goes in and comes out, who owns memory, and errors as exceptions."""

import gc
import io
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.compiler import compile_program
from aplc.inputs import UnfitArray, as_input
from aplc.options import Options
from aplc.tail.source import Source
from aplc.tail.types import Base
from tests.support.alike import same
from tests.support.machine import needs_c, on_each_target

STATUS = Path("/proc/self/status")
CONTIGUOUS = (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float32", "float64", "bool",
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("surroundings")


# --- values that come out -------------------------------------------------------------------------------


@on_each_target
def test_types_and_shapes_of_results(target: str) -> None:
    values: list[tuple[str, Any]] = [
        ("+/⍳10", 55),
        ("9223372036854775807", 2**63 - 1),
        ("÷4", 0.25),
        ("1=1", True),
        ("'a'", "a"),
        ("⍳3", np.array([1, 2, 3])),
        ("⍬", np.empty(0, np.int64)),
        ("0 3⍴1.5", np.empty((0, 3))),
        ("2 2⍴÷⍳4", np.array([[1, 1 / 2], [1 / 3, 1 / 4]])),
        ("1 2=1 3", np.array([True, False])),
        ("'aé𝄞'", np.array(["a", "é", "𝄞"])),
        ("''", np.empty(0, "<U1")),
        ("2 2⍴'abcd'", np.array([["a", "b"], ["c", "d"]])),
        ("2 0⍴'a'", np.empty((2, 0), "<U1")),
        ("x←3", 3),
        ("f←{⍵+1}", None),
        ("", None),
        ("⍝ nothing", None),
    ]
    for text, expected in values:
        found = aplc.run(text, target=target)
        assert same(found, expected), f"{text}: {found!r}"


@on_each_target
def test_results_own_their_memory(target: str) -> None:
    reverse = aplc.fn("⌽", target=target)
    same_as = aplc.fn("⊢", target=target)
    given = np.arange(10_000.0)
    expected = given.copy()
    results = [reverse(given)[::-1], same_as(given), aplc.run("x", x=given, target=target)]
    texts = aplc.run("x", x="text", target=target)
    assert not any(np.shares_memory(given, result) for result in results)
    given[:] = -1
    del reverse, same_as, given
    gc.collect()
    noise = [np.full(10_000, 7.0) for _ in range(100)]
    assert all(np.array_equal(result, expected) for result in results)
    assert "".join(texts) == "text"
    for result in results:
        result += 1
        assert np.array_equal(result, expected + 1)
    assert len(noise) == 100


@on_each_target
def test_what_is_printed_comes_first(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert aplc.run("⎕←1 2 ⋄ 'text' ⋄ 3×⎕←4", target=target) == 12
    assert capsys.readouterr().out == "1 2\ntext\n4\n"


def test_programs_are_texts(tmp_path: Path) -> None:
    for wrong in (None, 5, b"1+1", ["1"]):
        given: Any = wrong
        for use in (aplc.run, aplc.check, lambda text: aplc.fn(text)(1)):
            with pytest.raises(TypeError, match=f"a program is a text, and got {type(wrong).__name__}"):
                use(given)
    path = tmp_path / "p.apl"
    path.write_text("longer←{⍵+1 2}", "utf-8")
    program: Any = aplc.load(os.fsencode(path), target="interp")  # type: ignore[arg-type]
    with pytest.raises(aplc.RunError, match=f"{path}:1:9: LENGTH ERROR"):
        program.longer([1, 2, 3])


# --- values that go in ----------------------------------------------------------------------------------


@on_each_target
def test_python_values_as_inputs(target: str) -> None:
    values: list[tuple[Any, Any]] = [
        (3, 3),
        (2**63 - 1, 2**63 - 1),
        (1.5, 1.5),
        (True, True),
        ("a", "a"),
        ("", np.empty(0, "<U1")),
        ("aé", np.array(["a", "é"])),
        ("😀\ud800\0", np.array(["😀", "\ud800", "\0"])),
        ([1, 2], np.array([1, 2])),
        ((1, 2.5), np.array([1, 2.5])),
        ([[True], [False]], np.array([[True], [False]])),
        ([], np.empty(0)),
        (range(3), np.array([0, 1, 2])),
        (np.int8(-3), -3),
        (np.float32(0.5), 0.5),
        (np.array(5, np.uint64), 5),
        (np.array(["a", "b"]).astype(">U1"), np.array(["a", "b"])),
    ]
    for value, expected in values:
        found = aplc.run("x", x=value, target=target)
        assert same(found, expected), f"{value!r}: {found!r}"
    assert aplc.run("x-y_1", target=target, y_1=2, x=1) == -1


@on_each_target
def test_arrays_of_any_layout(target: str) -> None:
    same_as = aplc.fn("⊢", target=target)
    base = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    unaligned = np.frombuffer(b"\0" + np.arange(5.0).tobytes(), np.float64, offset=1)
    read_only = np.arange(3)
    read_only.flags.writeable = False
    arrays = [
        base[:, ::2], base[::-1], base[..., ::-1], base.T, np.asfortranarray(base), base[:, 1], base[:0],
        np.broadcast_to(np.int16(3), (2, 2)), unaligned, read_only, base.astype(">i4"), base.astype(">f2"),
    ]  # fmt: skip
    for array in arrays:
        expected = array.astype("f8" if array.dtype == ">f2" else array.dtype.newbyteorder("="), order="C")
        assert same(same_as(array), expected)


def test_contiguous_arrays_are_not_copied(tmp_path: Path) -> None:
    for name in CONTIGUOUS:
        array = np.ones((3, 4), name)
        given = as_input(array)
        assert np.shares_memory(given.value, array), name
        assert given.storage == name
    np.save(tmp_path / "x.npy", np.arange(10))
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert np.shares_memory(as_input(mapped).value, mapped)
    text = np.array(["a", "b"])
    assert np.shares_memory(as_input(text).value, text)
    assert as_input(text).type.base is Base.CHAR


@needs_c
def test_a_huge_input_is_only_read() -> None:
    zeros = np.broadcast_to(np.zeros(1, np.int8), (1,))
    mapped = np.zeros(3 * 2**30, np.int8)  # pages that nobody writes take no memory
    before = resident()
    assert aplc.run("(≢x)+≢y", x=mapped, y=zeros) == 3 * 2**30 + 1
    assert resident() - before < 2**29


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (np.clongdouble(1j), "complex numbers of more than 128 bits"),
        (None, "Python objects"),
        (2**64, "integers beyond 64 bits"),
        (2**63, "unsigned integers beyond 64 bits"),
        ([2**64 - 1], "unsigned integers beyond 64 bits"),
        (np.array(["ab", "c"]), "texts"),
        (b"a", "bytes"),
        (np.zeros(1, "M8[s]"), "dates"),
        (np.zeros(1, []), "records"),
        ([[1, 2], 3], "holds a list at [0] and a number at [1]"),
    ],
)
def test_values_that_apl_has_no_counterpart_for(value: Any, reason: str) -> None:
    with pytest.raises(aplc.CompileError) as raised:
        aplc.run("x", x=value, target="interp")
    (diagnostic,) = raised.value.diagnostics
    assert reason in diagnostic.message
    assert diagnostic.message.startswith("x h")
    with pytest.raises(aplc.CompileError, match="an argument h"):
        aplc.fn("⊢", target="interp")(value)


def test_long_doubles_are_refused() -> None:
    if np.dtype(np.longdouble).itemsize == 8:
        pytest.skip("NOT CHECKED: long double is double here")
    with pytest.raises(UnfitArray, match="more than 64 bits"):
        as_input(np.zeros(1, np.longdouble))


# --- errors ---------------------------------------------------------------------------------------------


@on_each_target
def test_errors_carry_diagnostics(target: str) -> None:
    with pytest.raises(aplc.CompileError) as raised:
        aplc.run("x←1\n1 2+1 2 3\n'a'+1", target=target)
    first, second = raised.value.diagnostics
    assert (first.kind, first.span and (first.span.line, first.span.column)) == ("LENGTH ERROR", (2, 1))
    assert (second.kind, second.span and second.span.text) == ("DOMAIN ERROR", "'a'")
    assert str(raised.value) == f"{first.render()}\n{second.render()}"

    function = aplc.fn("safe←{⍵}\nratio←{1÷safe ⍵}", target=target)
    assert function(2) == 0.5
    for _ in range(3):
        with pytest.raises(aplc.RunError) as failed:
            function(0)
        (diagnostic,) = failed.value.diagnostics
        assert diagnostic.kind == "DOMAIN ERROR"
        assert diagnostic.span is not None
        assert (diagnostic.span.text, diagnostic.span.line) == ("1÷safe ⍵", 2)
    assert function(4) == 0.25

    with pytest.raises(aplc.RunError, match=r"LENGTH ERROR: \+ needs equal lengths, got 2 and 3"):
        aplc.fn("+", target=target)([1, 2], [1, 2, 3])
    with pytest.raises(aplc.AplcError) as missing:
        aplc.run("⎕SH 'ls'", target=target)
    assert [d.kind for d in missing.value.diagnostics] == ["UNSUPPORTED"]


def test_every_error_of_a_program_is_an_aplc_error() -> None:
    for kind in (aplc.CompileError, aplc.Unsupported, aplc.RunError):
        assert issubclass(kind, aplc.AplcError)
    for kind in (aplc.MachineError, aplc.InternalError):
        assert not issubclass(kind, aplc.AplcError)


@on_each_target
@pytest.mark.parametrize("failure", [OSError, KeyboardInterrupt, SystemExit])
def test_what_a_print_raises_arrives(
    target: str, failure: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise failure("broken")

    monkeypatch.setattr(sys, "stdout", Broken())
    with pytest.raises(failure, match="broken"):
        aplc.run("⎕←⍳3 ⋄ 4", target=target)
    monkeypatch.undo()
    assert aplc.run("⍳3", target=target).tolist() == [1, 2, 3]


# --- memory ---------------------------------------------------------------------------------------------


def resident() -> int:
    """The bytes of this process that are in memory."""
    if not STATUS.exists():
        pytest.skip("NOT CHECKED: no /proc, so the memory in use is unknown")
    return int(STATUS.read_text("ascii").split("VmRSS:")[1].split()[0]) * 1024


@needs_c
def test_no_call_leaves_memory_behind() -> None:
    array = np.ones(2**17)
    bad = np.ones(2**17)
    bad[-1] = 0
    add, divide = aplc.fn("{⍵+⌽⍵}"), aplc.fn("{⌽÷⌽⍵}")

    def calls(count: int) -> None:
        for _ in range(count):
            assert add(array)[0] == 2
            with pytest.raises(aplc.RunError):
                divide(bad)

    calls(20)
    before = resident()
    calls(2000)
    gc.collect()
    assert resident() - before < 100 * 2**20


@needs_c
def test_no_failed_print_leaves_memory_behind() -> None:
    compiled = compile_program(
        [Source("text", "y←⌽x ⋄ ⎕←y ⋄ y")],
        {"x": as_input(np.ones(1)).type},
        {"x": "float64"},
        Options(),
    )
    array = np.ones(2**17)

    def fail(*_: object) -> None:
        raise OSError

    def calls(count: int) -> None:
        for _ in range(count):
            with pytest.raises(OSError):
                compiled.run([array], fail)

    calls(20)
    before = resident()
    calls(1000)
    gc.collect()
    assert resident() - before < 100 * 2**20
