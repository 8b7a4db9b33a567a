"""Functions that are called often: the way in C gives what the general way gives, for every argument."""

import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.backends.native import stopping
from aplc.calling.functions import Function
from tests.support.machine import needs_c, needs_device
from tests.support.many_threads import own_results_and_errors

STATUS = Path("/proc/self/status")
TIMES = 20_000
"""Calls after which a leak of one object in each shows."""


pytestmark = [needs_c, pytest.mark.usefixtures("own_cache", "gates")]


@pytest.fixture(scope="module")
def gates(own_cache: None) -> None:
    """Skip where this Python has no interface for C."""
    if stopping.library() is None:
        pytest.skip("NOT CHECKED: this Python has no interface for C")


def known(text: str, *arguments: Any, **options: Any) -> Function:
    """A function that has been called with these arguments before."""
    function = aplc.fn(text, **options)
    for _ in range(2):
        function(*arguments)
    return function


def in_c(function: Function, *arguments: Any) -> Any:
    """The value in the short way, which must be open."""
    value = function._gate.call(*arguments)
    assert value is not NotImplemented, arguments
    return value


def same(found: Any, expected: Any) -> bool:
    """Whether both are the same number, or arrays that NumPy cannot tell apart."""
    if not isinstance(expected, np.ndarray):
        return type(found) is type(expected) and found == expected
    return found.dtype == expected.dtype and found.shape == expected.shape and bool(np.all(found == expected))


# --- arguments and results ------------------------------------------------------------------------------

ARGUMENTS: list[Any] = [
    3, -1, 2**63 - 1, -(2**63), 1.5, float("inf"), True, False,
    np.float64(2.5), np.int64(-7), np.bool_(True), np.float32(0.5), np.int8(-3), np.array(4), np.array(2.5),
    np.arange(5), np.arange(5.0), np.array([True, False]), np.arange(6).reshape(2, 3), np.ones((2, 2, 2)),
    np.empty(0), np.empty((0, 3), np.int64), np.empty((3, 0), bool), np.array(["a", "𝄞"]), np.empty(0, "U1"),
    *[np.array([0, 1, 100], name) for name in ("int16", "int32", "uint8", "uint16", "uint32", "float32")],
]  # fmt: skip


def test_the_short_way_gives_what_the_general_way_gives() -> None:
    same_as, meaning = aplc.fn("⊢"), aplc.fn("⊢", target="interp")
    for argument in ARGUMENTS:
        expected = meaning(argument)
        for _ in range(3):
            assert same(same_as(argument), expected), repr(argument)
        assert same(in_c(same_as, argument), expected), repr(argument)


def test_two_arguments_keep_their_order() -> None:
    minus = known("-", 1.5, np.arange(4))
    assert in_c(minus, 1.5, np.arange(4)).tolist() == [1.5, 0.5, -0.5, -1.5]
    assert minus(np.arange(4), 1.5).tolist() == [-1.5, -0.5, 0.5, 1.5]


OTHERS: list[Any] = [
    [1.0, 2.0, 3.0], (1.0, 2.0), np.arange(10.0)[::2], np.arange(10.0)[::-1],
    np.arange(12.0).reshape(3, 4).T, np.frombuffer(b"\0" + np.arange(5.0).tobytes(), np.float64, offset=1),
    np.arange(3, dtype=">f8"), np.arange(3, dtype=np.float16), np.arange(3, dtype=np.uint64), range(3),
    np.arange(3.0).view(np.recarray), "text",
]  # fmt: skip


@pytest.mark.parametrize("argument", OTHERS, ids=repr)
def test_what_lies_otherwise_goes_the_general_way(argument: Any) -> None:
    function = known("⊢", np.arange(3.0))
    for _ in range(3):
        assert function._gate.call(argument) is NotImplemented
        assert same(function(argument), aplc.fn("⊢", target="interp")(argument))


def test_a_number_too_large_and_things_that_are_no_arrays() -> None:
    function = known("⊢", 1)
    for argument in (2**63, -(2**63) - 1, None, np.clongdouble(1j), b"a", object(), {}):
        with pytest.raises(aplc.CompileError, match="an argument h"):
            function(argument)
    with pytest.raises(TypeError, match="got 3"):
        function(1, 2, 3)
    with pytest.raises(TypeError, match="got 0"):
        function()
    assert function(5) == 5
    assert function(1j) == 1j


def test_characters_are_not_their_numbers() -> None:
    function = known("{⍵=⍵}", np.array([97], np.uint32))
    texts = np.array(["a"])
    assert function._gate.call(texts) is NotImplemented
    same_as = known("⊢", texts)
    assert same_as._gate.call(np.array([97], np.uint32)) is NotImplemented
    assert same_as(np.array([97], np.uint32)).tolist() == [97]
    assert same_as("a") == "a"


def test_types_in_turn() -> None:
    function = aplc.fn("{⍵+⍵}")
    given: list[Any] = [1, 2.5, np.arange(3), np.arange(3.0), np.ones((2, 2)), np.arange(3, dtype=np.int16)]
    for _ in range(3):
        for argument in given:
            assert np.array_equal(function(argument), np.asarray(argument) + argument)
    assert all(function._gate.call(argument) is not NotImplemented for argument in given)


def test_programs_that_need_more_of_their_host(capsys: pytest.CaptureFixture[str]) -> None:
    printing = known("{⎕←⍵ ⋄ ⍵+1}", 1)
    assert printing(1) == 2 and capsys.readouterr().out == "1\n" * 3
    factorial = known("{⍵≤1:1 ⋄ ⍵×∇⍵-1}", 3)
    assert factorial(10) == 3628800
    pair = known("{⍵(⍳⍵)}", 2)
    number, numbers = pair(2)
    assert number == 2 and numbers.tolist() == [1, 2]
    assert known("{'abc'[⍵]}", 2)(3) == "c"
    assert known("⍕", np.arange(3))(np.arange(3)).shape == (5,)


def test_random_numbers_begin_anew() -> None:
    function = known("{?⍵⍴100}", 5)
    first = aplc.fn("{?⍵⍴100}")(5)
    assert in_c(function, 5).tolist() == first.tolist() == in_c(function, 5).tolist()


# --- errors ---------------------------------------------------------------------------------------------


def test_errors_are_those_of_the_general_way() -> None:
    for text, good, bad in (
        ("÷", (np.ones(3),), (np.zeros(3),)),
        ("+", (np.arange(2), np.arange(2)), (np.arange(2), np.arange(3))),
        ("⊃", (2, np.arange(3)), (-7, np.arange(3))),
    ):
        with pytest.raises(aplc.RunError) as general:
            aplc.fn(text)(*bad)
        function = known(text, *good)
        for _ in range(3):
            with pytest.raises(aplc.RunError) as short:
                function._gate.call(*bad)
            assert str(short.value) == str(general.value)
            assert np.array_equal(function(*good), aplc.fn(text)(*good))


# --- memory and threads ---------------------------------------------------------------------------------


def resident() -> int:
    """Bytes of memory in use."""
    gc.collect()
    return int(STATUS.read_text().split("VmRSS:")[1].split()[0]) * 1024


def test_results_own_their_memory() -> None:
    reverse = known("⌽", np.arange(1000))
    first, second = reverse(np.arange(1000)), reverse(np.arange(1000))
    part = second[3:7]
    first[:] = 0
    del second, reverse
    gc.collect()
    others = [np.full(1000, 5) for _ in range(100)]
    assert part.tolist() == [996, 995, 994, 993] and len(others) == 100


def test_calls_leave_nothing_behind() -> None:
    vector, divide = np.arange(1000.0), known("÷", np.ones(3))
    negate, total = known("-", vector), known("+/", vector)
    counted = (vector, np.ndarray, np.float64, float, NotImplemented, np.dtype(float))

    def calls(times: int) -> None:
        for _ in range(times):
            negate(vector)
            total(vector)
            total._gate.call(vector[::2])
            total._gate.call(2.5, "text")
        for _ in range(times // 100):
            with pytest.raises(aplc.RunError):
                divide(np.zeros(3))

    calls(1000)
    before, counts = resident(), [sys.getrefcount(each) for each in counted]
    calls(TIMES)
    differences = [now - then for now, then in zip(map(sys.getrefcount, counted), counts, strict=True)]
    assert max(map(abs, differences)) < TIMES // 100, differences
    assert resident() - before < TIMES * 100


AT_ONCE = """
import threading
import numpy as np
import aplc
from aplc.backends.native import stopping

double, starting = aplc.fn("{⍵+⍵}", target="c"), threading.Barrier(4)

def work():
    starting.wait()
    for _ in range(40):
        double(np.ones(1000))

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(stopping._known))
"""


def test_threads_that_call_first_at_the_same_time_load_one_library() -> None:
    said = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=True)
    assert said.stdout == "1\n"


def test_a_program_that_asks_goes_the_general_way() -> None:
    """A time is asked of the host, for numbers that are not negative: a gate does not try others as large."""
    function = known("{⍵<0:10⍴⍵ ⋄ 10↑⎕TS}", -3)
    assert in_c(function, -3).tolist() == [-3] * 10
    assert in_c(function, -100).tolist() == [-100] * 10
    assert function._gate.call(5) is NotImplemented
    assert function(5)[0] >= 2026
    assert function._gate.call(-100) is NotImplemented
    assert in_c(function, -3).tolist() == [-3] * 10
    assert function(-100).tolist() == [-100] * 10


def test_what_a_program_holds_when_it_asks_is_freed() -> None:
    function = known("{a←⌽⍵ ⋄ ⎕TS[1],⍋a}", np.arange(100_000.0))
    before = resident()
    for size in range(100_000, 99_000, -1):
        assert function._gate.call(np.arange(float(size))) is NotImplemented
    assert resident() - before < 1 << 27  # all of it would be more


@needs_device
def test_programs_for_devices_start_no_kernel_for_little() -> None:
    total, short, long = aplc.fn("{+/÷⍵}", target="opencl"), np.arange(1.0, 9.0), np.arange(1.0, 5e6)
    for _ in range(3):
        assert total(short) == pytest.approx(761 / 280)
    assert in_c(total, short) == pytest.approx(761 / 280)
    assert total._gate.call(long) is NotImplemented
    assert total(long) == pytest.approx(np.sum(1 / long))
    assert in_c(total, short) == pytest.approx(761 / 280)
    with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
        total(np.zeros(3))


def test_functions_go_with_their_gates() -> None:
    function = known("+/", np.arange(3))
    gone = weakref.ref(function)
    del function
    assert gone() is None


@pytest.mark.parametrize("target", ["c", "openmp"])
def test_threads_call_at_once(target: str) -> None:
    divide = known("{⍺÷⍵}", 1, np.ones(1000), target=target)

    assert own_results_and_errors(divide, 200)


FORKED = """
import os, numpy as np, aplc
total, given = aplc.fn("{+/1○⍵}", target="openmp", threads=2), np.arange(1e6)
expected = [total(given) for _ in range(3)][0]
child = os.fork()
found = [total(given) for _ in range(3)]
good = np.allclose(found, expected, rtol=1e-12)
if child == 0:
    os._exit(0 if good else 1)
assert good and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="NOT CHECKED: no fork")
def test_a_process_that_was_forked_has_one_thread() -> None:
    subprocess.run([sys.executable, "-c", FORKED], check=True, timeout=100)
