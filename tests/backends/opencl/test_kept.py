"""Programs with kernels that were kept: run on, they do what they did when they were compiled."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.backends.opencl.device import Device, find_device
from aplc.backends.opencl.run import OpenclProgram
from aplc.inputs import as_input
from aplc.laila.devices.device_mapping import Division
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.program_cache import keep, kept, kept_key
from aplc.tail.source import Source
from tests.support.days import of_today
from tests.support.kernel_runs import GRID, THREE, compiled, near, run
from tests.support.machine import needs_device

pytestmark = needs_device

PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "map, reduction": ("⎕←+/v ⋄ 1+2×v", {"v": np.linspace(0, 1, 1000)}),
    "scan, filter": ("(+\\v),v/⍨v>5", {"v": np.arange(300) % 11}),
    "product": ("m+.×⍉m", {"m": np.arange(70 * 90).reshape(70, 90) % 7 / 2}),
    "table": ("8 3 5 2 9 1 7 4 6 0[1+10|v]", {"v": np.arange(2000)}),
    "asks Python": ("2⍕+/v÷7", {"v": np.arange(50)}),
    "rounds": ("{⍵+0.5×(1⌽⍵)-⍵}⍣5⊢v", {"v": np.arange(200.0)}),
    "fails": ("w←⍳5 ⋄ w[v]", {"v": np.arange(1, 400)}),
    "narrow": ("v,v", {"v": np.arange(100, dtype=np.int8)}),
    "empty": ("+/v÷2", {"v": np.arange(0)}),
}


def signature(text: str, inputs: dict[str, Any]) -> Any:
    given = {name: as_input(np.asarray(value)) for name, value in inputs.items()}
    types = {name: each.type for name, each in given.items()}
    return [Source("text", text)], types, {name: each.storage for name, each in given.items()}


@pytest.mark.in_turn(8)
@pytest.mark.parametrize(
    ("name", "division", "precision"), of_today([*product(PROGRAMS, (THREE, GRID), ("double", "single"))], 4)
)
def test_what_is_kept_runs_as_before(name: str, division: Division, precision: str) -> None:
    text, inputs = PROGRAMS[name]
    settings = Settings(precision=precision)
    options = Options("opencl", division=division, settings=settings, keeps_storage=True)
    key = kept_key(*signature(text, inputs), options, value_of_assignment=True)
    program = compiled(text, inputs, options)
    keep(key, program)
    found = kept(key, options)
    assert found is not None and isinstance(found.runnable, OpenclProgram)
    assert isinstance(program.runnable, OpenclProgram)
    assert found.runnable.kernels == program.runnable.kernels
    assert found.runnable.kernels.launches or name == "narrow"
    assert near(run(found, inputs), run(program, inputs))
    assert found.storage == program.storage


def test_another_device_has_other_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    def key(**options: Any) -> str:
        return kept_key([Source("p.apl", "+/⍳10")], {}, {}, Options("opencl", **options))

    keys = {key(), key(division=THREE), key(division=GRID), key(settings=Settings(precision="single"))}
    assert len(keys) == 4
    assert key(device=find_device().name) in keys
    assert key(device="abacus") == ""
    before = Device.identity.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(Device, "identity", property(lambda self: (*before(self)[:-1], "the next version")))
    assert key() not in keys


def test_results_that_stay_on_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program is kept with where its results are, and is another one for arrays of the host."""
    cl_array = pytest.importorskip("pyopencl.array")
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "cache"))
    v = np.linspace(0, 1, 1000)
    there = cl_array.to_device(find_device().queue, v)
    for _ in range(2):
        found = aplc.run("2×v", v=there, target="opencl")
        assert isinstance(found, cl_array.Array) and np.array_equal(found.get(), 2 * v)
        assert isinstance(aplc.run("2×v", v=v, target="opencl"), np.ndarray)
        from aplc.calling import running  # noqa: PLC0415 (what is remembered by this process goes)

        running._kept.clear()
