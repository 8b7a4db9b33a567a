"""What generated code trusts about its inputs, line by line as docs/security.md lists it: each is enforced
where arrays enter, on every target, in the general way in and in the short one.
"""

import importlib
from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.backends.native import stopping
from aplc.backends.opencl.device import find_device
from tests.support.commands import Cli, Outcome, save, write
from tests.support.machine import needs_c, needs_device, needs_threads

pytestmark = pytest.mark.usefixtures("surroundings")

TARGETS = [
    "interp",
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
]
on_each_target = pytest.mark.parametrize("target", TARGETS)

DIRTY = np.array([0, 255, 7, 0, 2], np.uint8).view(bool)
"""Booleans whose bytes are none; NumPy takes all but 0 for true."""
CLEAN = np.array([False, True, True, False, True])


# --- booleans -------------------------------------------------------------------------------------------

BY_BOOLEANS = "x←2⍴0 ⋄ x[1+a]←7 ⋄ (+/a)(a/⍳5)x((10 20)[1+a])a(~a)(a⍳1)(+\\a)(⍋a)(≢∪a)"
RESULTS = [
    *(3, [2, 3, 5], [7, 7], [10, 20, 20, 10, 20], [False, True, True, False, True]),
    *([True, False, False, True, False], 2, [0, 1, 2, 2, 3], [1, 4, 2, 3, 5], 2),
]


@on_each_target
def test_booleans_are_0_or_1(target: str) -> None:
    for layout in (DIRTY, np.repeat(DIRTY, 2)[::2], DIRTY[::-1].copy()[::-1]):
        results = aplc.run(BY_BOOLEANS, a=layout, target=target)
        assert [r.tolist() if isinstance(r, np.ndarray) else r for r in results] == RESULTS
    assert aplc.run("a+0", a=DIRTY[1], target=target) == 1
    assert aplc.run("a+0", a=DIRTY[1:2].reshape(()), target=target) == 1
    assert DIRTY.view(np.uint8).tolist() == [0, 255, 7, 0, 2], "an argument is not changed"


@on_each_target
def test_booleans_in_files_are_0_or_1(cli: Cli, target: str) -> None:
    save("a.npy", DIRTY)
    shown = Outcome(0, "2 3 5\n7 7\n", "")
    text = "x←2⍴0 ⋄ x[1+a]←7\na/⍳5\nx"
    assert cli(write("p.apl", text), "--input", "a=a.npy", "--target", target) == shown
    assert cli(write("q.apl", f"a←⎕NPY 'a.npy' ⋄ {text}"), "--target", target) == shown


@needs_c
def test_the_short_way_in_takes_no_others() -> None:
    if stopping.library() is None:
        pytest.skip("NOT CHECKED: this Python has no interface for C")
    count = aplc.fn("+/")
    for _ in range(3):
        count(CLEAN)
    refused = count._gate.call
    assert refused(CLEAN) == 3
    for size in (1, 7, 63, 64, 127, 128, 129, 300):
        for place in {0, size // 2, size - 1, *range(0, size, 23)}:
            for wrong in (2, 128, 255):
                values = np.zeros(size, np.uint8)
                values[place] = wrong
                assert refused(values.view(bool)) is NotImplemented, (size, place, wrong)
                assert count(values.view(bool)) == 1
        assert refused(np.ones(size, bool)) == size


# --- characters -----------------------------------------------------------------------------------------


def characters(*points: int) -> np.ndarray:
    return np.array(points, np.uint32).view("<U1")


@on_each_target
def test_characters_are_those_of_unicode(cli: Cli, target: str) -> None:
    message = "holds characters beyond those of Unicode"
    for point in (0x110000, 0x7FFFFFFF, 0xFFFFFFFF):
        with pytest.raises(aplc.CompileError, match=message):
            aplc.run("∪a", a=characters(65, point), target=target)
    save("a.npy", characters(65, 0x110000))
    for text, given in (("∪a", ("--input", "a=a.npy")), ("∪⎕NPY 'a.npy'", ())):
        outcome = cli(write("p.apl", text), *given, "--target", target)
        assert (outcome.status, outcome.out) == (1, "")
        assert f"FILE ERROR: a.npy {message}" in outcome.first
    last = characters(0x10FFFF, 0xD800, 0)
    assert aplc.run("∪a", a=last, target=target).tolist() == ["\U0010ffff", "\ud800", ""]


@needs_c
def test_the_short_way_in_takes_no_characters_beyond_unicode() -> None:
    function = aplc.fn("≢")
    for _ in range(3):
        function(characters(*[65] * 40))
    for size in (1, 15, 16, 17, 40, 63, 64, 65, 85):
        for place in {0, size - 1} if size < 85 else range(size):
            points = [65] * size
            points[place] = 0x110000
            with pytest.raises(aplc.CompileError, match="beyond those of Unicode"):
                function(characters(*points))


# --- shapes ---------------------------------------------------------------------------------------------

IMPOSSIBLE = ((2**62, 0), (0, 2**48), (2**24, 0, 2**24))


@on_each_target
def test_extents_are_those_that_arrays_can_have(target: str) -> None:
    for shape in IMPOSSIBLE:
        with pytest.raises(aplc.CompileError, match="more of them along its other axes"):
            aplc.run("⍴x⍪x⍪x", x=np.empty(shape, np.int8), target=target)
    assert aplc.run("⍴x⍪x⍪x", x=np.empty((2**45, 0), np.int8), target=target).tolist() == [3 * 2**45, 0]


@needs_c
def test_the_short_way_in_takes_no_other_extents() -> None:
    function = aplc.fn("{⍴⍵⍪⍵⍪⍵}")
    for _ in range(3):
        assert function(np.empty((2, 0), np.int8)).tolist() == [6, 0]
    for extent in (2**48, 2**62):
        with pytest.raises(aplc.CompileError, match="more of them along its other axes"):
            function(np.empty((extent, 0), np.int8))


# --- memory ---------------------------------------------------------------------------------------------

STORED = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "U1")


def layouts(plain: np.ndarray) -> list[np.ndarray]:
    """The same elements in memory otherwise: strides, byte orders, places, rights."""
    size = plain.dtype.itemsize
    spread = np.zeros((plain.shape[0], 3 * plain.shape[1]), plain.dtype)[:, ::3]
    spread[...] = plain
    moved = np.frombuffer(b"\0" + plain.tobytes(), np.uint8)[1:].view(plain.dtype).reshape(plain.shape)
    fixed = plain.copy()
    fixed.flags.writeable = False
    found = [
        plain.copy(),
        spread,
        moved,
        fixed,
        np.asfortranarray(plain),
        plain[::-1, ::-1].copy()[::-1, ::-1],
    ]
    if size > 1:
        found.append(plain.astype(plain.dtype.newbyteorder()))
    return found


@on_each_target
@pytest.mark.parametrize("name", STORED)
def test_elements_are_aligned_and_in_order(target: str, name: str) -> None:
    plain = np.array([[0, 1, 1], [1, 0, 1]], np.uint8).astype(name)
    if name[0] == "U":
        plain = np.array([["a", "b", "é"], ["𝄞", "x", "y"]])
    function = aplc.fn("{⍵}", target=target)
    for layout in layouts(plain):
        for _ in range(3):
            assert function(layout).tolist() == plain.tolist()


@on_each_target
def test_inputs_may_share_memory_and_are_not_written(target: str) -> None:
    base = np.arange(8)
    base.flags.writeable = False
    x, y = base[:6], base[2:]
    found = aplc.run("x←x ⋄ x[1]←9 ⋄ x←x+y ⋄ x,y", x=x, y=y, target=target)
    assert found.tolist() == [11, 4, 6, 8, 10, 12, *range(2, 8)]
    assert base.tolist() == list(range(8))
    same = aplc.fn("{⍵}", target=target)
    assert not any(np.shares_memory(same(base), base) for _ in range(3))


# --- numbers --------------------------------------------------------------------------------------------


@on_each_target
@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"])
def test_narrow_integers_have_all_their_values(target: str, name: str) -> None:
    ends = np.array([np.iinfo(name).min, 0, np.iinfo(name).max], name)
    assert aplc.run("x", x=ends, target=target).tolist() == ends.tolist()
    index = np.array([np.iinfo(name).max], name)
    with pytest.raises(aplc.RunError, match="INDEX ERROR"):
        aplc.run("y←⍳3 ⋄ y[x]←0 ⋄ y", x=index, target=target)


@on_each_target
def test_integers_fit_64_bits_with_a_sign(target: str) -> None:
    with pytest.raises(aplc.CompileError, match="unsigned integers beyond 64 bits"):
        aplc.run("x", x=np.array([2**63], np.uint64), target=target)


@on_each_target
def test_doubles_may_have_any_bits(target: str) -> None:
    words = [0x7FF0000000000001, 0xFFF8DEADBEEF0001, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 1]
    x = np.array(words, np.uint64).view(np.float64)
    equal, up, down = aplc.run("(x=x)(⍋x)(⍒x)", x=x, target=target)
    assert equal.tolist() == [False, False, False, True, True]
    assert sorted(up.tolist()) == sorted(down.tolist()) == [1, 2, 3, 4, 5]
    with pytest.raises(aplc.RunError):
        aplc.run("(⍳5)[⌊x]", x=x, target=target)


# --- texts ----------------------------------------------------------------------------------------------


@on_each_target
def test_what_files_hold_is_looked_at(cli: Cli, target: str) -> None:
    for content in (b"\xff", b"a\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"):
        Path("t").write_bytes(content)
        outcome = cli(write("p.apl", "≢⎕ReadFile 't'"), "--target", target)
        assert (outcome.status, outcome.out) == (1, "")
        assert "FILE ERROR: t, line 1: no UTF-8" in outcome.first
    Path("t").write_text(str(2**63))
    outcome = cli(write("p.apl", "⎕ReadIntVecFile 't'"), "--target", target)
    assert "does not fit 64 bits" in outcome.first


# --- devices --------------------------------------------------------------------------------------------


@needs_device
def test_arrays_on_a_device_have_what_they_claim() -> None:
    cl = importlib.import_module("pyopencl")
    importlib.import_module("pyopencl.array")
    queue = find_device().queue
    room = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 80)
    lying = cl.array.Array(queue, (1000,), np.int64, data=room)
    with pytest.raises(aplc.CompileError, match="its buffer has fewer"):
        aplc.run("+/x", x=lying, target="opencl")
    for name, value, what in (
        ("shape", (10**6,), "its buffer has fewer"),
        ("shape", (-5,), "has no shape"),
        ("shape", (2.5,), "has no shape"),
        ("shape", "10", "has no shape"),
        ("offset", -8, "its buffer has fewer"),
        ("offset", 8, "its buffer has fewer"),
    ):
        array = cl.array.to_device(queue, np.arange(10))
        setattr(array, name, value)
        with pytest.raises(aplc.CompileError, match=what):
            aplc.run("+/x", x=array, target="opencl")


@needs_device
def test_booleans_on_a_device_are_0_or_1() -> None:
    on_device = importlib.import_module("pyopencl.array").to_device(find_device().queue, DIRTY)
    assert aplc.run("+/a", a=on_device, target="opencl") == 3
    assert aplc.run("a/⍳5", a=on_device, target="opencl").get().tolist() == [2, 3, 5]
    assert on_device.view(np.uint8).get().tolist() == [0, 255, 7, 0, 2]
