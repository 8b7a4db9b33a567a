"""Arrays of PyOpenCL go in and come out where they are."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.api import fn
from aplc.backends.opencl import device as cl_device
from aplc.backends.opencl.device import find_device
from aplc.backends.opencl.memory import Separate
from aplc.tail.errors import CompileError, MachineError, RunError
from tests.support.days import of_today
from tests.support.kernel_runs import same
from tests.support.machine import needs_device
from tests.support.tables.kernel_programs import APART, FAILING, PROGRAMS, TURNS

pytestmark = needs_device


@pytest.fixture
def queue() -> Any:
    """A queue of the user's, in a context of its own."""
    device = find_device()
    return device.cl.CommandQueue(device.cl.Context([device.device]))


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The bytes of each transfer between host and device."""
    noted: list[int] = []
    transfer = Separate.transfer

    def note(self: Separate, target: Any, source: Any) -> None:
        noted.append(max(memoryview(x).nbytes for x in (target, source) if not hasattr(x, "int_ptr")))
        transfer(self, target, source)

    monkeypatch.setattr(Separate, "transfer", note)
    yield noted


def there(queue: Any, value: Any) -> Any:
    """An array on the device."""
    from pyopencl import array  # noqa: PLC0415 (only where there is a device)

    return array.to_device(queue, np.array(value))


def back(value: Any) -> Any:
    """A value on the host, whatever it is."""
    if isinstance(value, tuple):
        return tuple(map(back, value))
    return value.get() if hasattr(value, "get") else np.asarray(value)


@pytest.mark.parametrize(
    "text", ["2×v", "+\\v", "(v>3)/v", "⌽v", "v∘.×v", "{0.5×⍵+1⌽⍵}⍣20⊢v", "v>3", "v+v÷2"]
)
def test_arrays_stay_where_they_are(text: str, queue: Any, moved: list[int]) -> None:
    v = np.linspace(0.5, 7.5, 1500)
    found = aplc.run(text, target="opencl", v=there(queue, v))
    assert found.queue == queue and sum(moved) < 1000  # but for the sums of chunks
    assert same(found.get(), np.asarray(aplc.run(text, target="interp", v=v)))


ALL = [*PROGRAMS[::2], *FAILING, *[(text, TURNS) for text in APART]]


@pytest.mark.in_turn(8)
@pytest.mark.parametrize(("text", "inputs"), of_today(ALL, 2))
def test_values(text: str, inputs: dict[str, Any], queue: Any, capsys: pytest.CaptureFixture[str]) -> None:
    is_text = {name: np.asarray(value).dtype.kind == "U" for name, value in inputs.items()}
    given = {name: v if is_text[name] else there(queue, v) for name, v in inputs.items()}
    try:
        wanted = aplc.run(text, target="interp", **inputs)
    except RunError as error:
        with pytest.raises(RunError) as failure:
            aplc.run(text, target="opencl", **given)
        assert str(failure.value) == str(error)
    else:
        shown = capsys.readouterr().out
        found = aplc.run(text, target="opencl", **given)
        assert same(back(found), back(wanted)) and capsys.readouterr().out == shown


def test_a_function(queue: Any, moved: list[int]) -> None:
    f = fn("{+⌿⍺×⍵}", target="opencl")
    v = np.arange(6000.0).reshape(2000, 3)
    assert np.allclose(f(there(queue, v), there(queue, v)).get(), (v * v).sum(0))
    assert np.allclose(f(there(queue, v), v).get(), (v * v).sum(0)) and 48_000 in moved
    assert isinstance(f(v, v), np.ndarray)  # from the host, to the host
    assert fn("+/", target="opencl")(there(queue, np.arange(1000))) == 499_500


def test_what_comes_out_goes_in(queue: Any, moved: list[int]) -> None:
    halves, total = fn("{0.5×⍵}", target="opencl"), fn("+/", target="opencl")
    v = there(queue, np.ones(4000))
    for _ in range(4):
        v = halves(v)
    assert total(v) == 250 and sum(moved) < 1000


def test_the_users_kernels_and_ours_take_turns(queue: Any) -> None:
    v = there(queue, np.ones(4000))
    f = fn("{1+⍵}", target="opencl")
    for _ in range(5):
        v = f(2 * v)
    assert (v.get() == 63).all()


@pytest.mark.in_turn(6)
def test_elements_of_all_kinds(queue: Any) -> None:
    for dtype in (
        np.int8,
        np.int16,
        np.int32,
        np.int64,
        np.uint8,
        np.uint32,
        np.float32,
        np.float64,
        np.bool_,
    ):
        found = aplc.run("v+v", target="opencl", v=there(queue, np.array([0, 1, 1, 0, 1]).astype(dtype)))
        assert found.get().tolist() == [0, 2, 2, 0, 2]
    kept = aplc.run("v>1", target="opencl", v=there(queue, np.array([1, 2])))
    assert kept.dtype == np.bool_ and aplc.run("+/v", target="opencl", v=kept) == 1
    assert aplc.run("'ab'[v]", target="opencl", v=there(queue, np.array([1, 2]))).tolist() == ["a", "b"]


def test_nothing_and_scalars(queue: Any) -> None:
    assert aplc.run("2×v", target="opencl", v=there(queue, np.zeros((0, 3)))).shape == (0, 3)
    assert aplc.run("+/v", target="opencl", v=there(queue, np.zeros(0))) == 0
    assert aplc.run("(v>5)/v", target="opencl", v=there(queue, np.arange(3))).shape == (0,)
    first, total = aplc.run("{(2×⍵) (+/⍵)}v", target="opencl", v=there(queue, np.arange(3)))
    assert first.get().tolist() == [0, 2, 4] and total == 3
    assert aplc.run("v×3", target="opencl", v=there(queue, np.array(4))) == 12


def test_part_of_a_larger_array(queue: Any) -> None:
    v = there(queue, np.arange(100.0))
    assert aplc.run("+/v", target="opencl", v=v[10:20]) == sum(range(10, 20))
    with pytest.raises(CompileError, match=r"v is not contiguous, row by row; pyopencl.array.to_device"):
        aplc.run("+/v", target="opencl", v=v[::2])


def test_single_precision(queue: Any, moved: list[int]) -> None:
    v = np.linspace(0, 1, 3000, dtype=np.float32)
    found = aplc.run("2×v", target="opencl", precision="single", v=there(queue, v))
    assert found.dtype == np.float32 and np.allclose(found.get(), 2 * v) and not moved
    with pytest.raises(CompileError, match=r"v holds doubles, .*; astype\(np.float32\)"):
        aplc.run("2×v", target="opencl", precision="single", v=there(queue, v.astype(np.float64)))


def test_what_cannot_be_used(queue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cl = find_device().cl
    v = there(queue, np.ones(3))
    with pytest.raises(CompileError, match=r"v is on a device, the target is c; array.get\(\)"):
        aplc.run("+/v", v=v)
    other = cl.CommandQueue(cl.Context([find_device().device]))
    with pytest.raises(CompileError, match="an argument is in another OpenCL context than the first"):
        aplc.run("v+w", target="opencl", v=v, w=there(other, np.ones(3)))
    with pytest.raises(CompileError, match="v has no queue to run kernels in"):
        aplc.run("+/v", target="opencl", v=v.with_queue(None))
    with pytest.raises(CompileError, match="an argument holds complex numbers, for which"):
        fn("+/", target="opencl", precision="single")(there(queue, np.ones(3, np.complex128)))
    with pytest.raises(CompileError, match="an argument holds elements of type complex64"):
        fn("+/", target="opencl")(there(queue, np.ones(3, np.complex64)))
    with pytest.raises(CompileError, match="an argument holds dates"):
        fn("+/", target="opencl")(there(queue, np.ones(3, "M8[D]")))
    with pytest.raises(MachineError, match="the device abacus is asked for, and arrays are on "):
        aplc.run("+/v", target="opencl", device="abacus", v=v)
    monkeypatch.setattr(cl_device.os, "getpid", lambda: 0)
    with pytest.raises(MachineError, match="forked off after OpenCL had been used"):
        aplc.run("+/v", target="opencl", v=v)


def test_queues_of_one_context(queue: Any) -> None:
    cl = find_device().cl
    other = cl.CommandQueue(queue.context)
    found = aplc.run("v+w", target="opencl", v=there(queue, np.ones(3000)), w=there(other, np.ones(3000)))
    assert found.queue == queue and (found.get() == 2).all()
    mixed = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if queue.device.queue_properties & mixed:
        loose = cl.CommandQueue(queue.context, properties=mixed)
        with pytest.raises(CompileError, match="has a queue that runs kernels in any order"):
            aplc.run("+/v", target="opencl", v=there(loose, np.ones(3)))
