"""Single precision: kernels with floats in place of doubles, on a host that has doubles."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.backends.c import expressions as c_expr
from aplc.backends.c import lanes as c_lanes
from aplc.backends.opencl.device import Device, find_device
from aplc.backends.opencl.library import helpers, in_opencl, with_floats
from aplc.backends.opencl.memory import Separate
from aplc.cli import main
from aplc.laila.devices.device_mapping import Division
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.tail.errors import MachineError
from tests.support.days import of_today
from tests.support.kernel_runs import GRID, ONLY_ON_HOSTS, THREE, compiled, kernels, near, outcome
from tests.support.machine import needs_device
from tests.support.tables.kernel_programs import APART, BY_EIGHTS, FAILING, PROGRAMS, REALS, TURNS

SINGLE = Settings(precision="single")


def options(division: Division) -> Options:
    return Options("opencl", verify=True, division=division, settings=SINGLE)


# --- the text -------------------------------------------------------------------------------------------


def test_text_in_single_precision() -> None:
    text = kernels("+/0.1×v", {"v": np.ones(3)}, precision="single")
    assert "global const float *restrict v" in text and "0.1f * v[first" not in text
    assert "const float term = 0.1f * v[start + k];" in text and "s += s1;" in text


def test_constants() -> None:
    assert with_floats("1.5 + x1.y - 2e+17 * 0x1p53 + 1e300 - 12") == (
        "1.5f + x1.y - 2e+17f * 0x1p53f + INFINITY - 12"
    )
    assert with_floats("(double)x + convert_double8(y), *(aplc_double4 *)z") == (
        "(float)x + convert_float8(y), *(aplc_float4 *)z"
    )


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("text", [*[text for text, _ in PROGRAMS + FAILING], *BY_EIGHTS])
def test_there_are_no_doubles(text: str) -> None:
    inputs = next((given for name, given in PROGRAMS + FAILING if name == text), {"v": REALS})
    found = kernels(text, inputs, THREE, precision="single") + kernels(text, inputs, GRID, precision="single")
    assert "double" not in found and not re.search(r"(?<![\w.])\d+\.\d*(?![\w.])", found)


@needs_device
def test_the_driver_takes_all_functions() -> None:
    sources = "".join([Path(module.__file__ or "").read_text("utf-8") for module in (c_expr, c_lanes)])
    called = set(re.findall(r'"(aplc_\w+)"', sources)) - ONLY_ON_HOSTS
    text = in_opencl(f"{helpers(' '.join(called), is_single=True)}kernel void nothing(void) {{}}")
    assert "double" not in text
    assert find_device().functions(text, ["nothing"]).keys() == {"nothing"}


# --- values ---------------------------------------------------------------------------------------------


@pytest.mark.in_turn(8)
@needs_device
@pytest.mark.parametrize(("text", "inputs"), of_today(PROGRAMS + FAILING, 3))
def test_values(text: str, inputs: dict[str, Any]) -> None:
    wanted = outcome(text, inputs, Options("interp"))
    found = outcome(text, inputs, options(THREE))
    assert near(found, wanted), (found, wanted)


@needs_device
@pytest.mark.parametrize("text", of_today([*BY_EIGHTS], 4))
def test_values_by_eights(text: str) -> None:
    inputs = {"v": np.round(REALS, 3)}
    assert near(outcome(text, inputs, options(THREE)), outcome(text, inputs, Options("interp")))


@needs_device
@pytest.mark.parametrize("text", of_today([*APART], 4))
def test_values_on_a_device_with_memory_of_its_own(text: str) -> None:
    assert near(outcome(text, TURNS, options(GRID)), outcome(text, TURNS, Options("interp")))


EXACT: list[tuple[str, Any]] = [
    ("+/v", [2**53 + 1, -(2**61), 7]),
    ("v×v", [2**31 + 1, 3037000499]),
    ("⌊v÷2", [2**24 + 3, -(2**24) - 3, 2**30 + 1, -5]),
    ("⌊v÷1000", [2**24 + 3, -(2**24) - 3, 2**30 + 1, 2**52 + 7, -5]),
    ("1000003|v", [2**24 + 3, -(2**24) - 3, 2**52 - 1, -5]),
    ("v|16777259", [3, -7, 2**25 + 1, 0]),
    ("⌊v÷⌽v", [2**24 + 3, 7, 2**29 + 1]),
    ("+/v/⍳4", [1, 0, 1, 1]),
    ("(2×v)/v", [3, 1, 2]),
    ("v>16777216", [2**24, 2**24 + 1, 2**24 - 1]),
    ("?v⍴100", 50),
]
"""What floats would not have: integers are exact in them up to 2²⁴ only."""


@pytest.mark.in_turn(8)
@needs_device
@pytest.mark.parametrize(("text", "value"), EXACT)
def test_integers_are_exact(text: str, value: Any) -> None:
    inputs = {"v": np.array(value)}
    wanted = outcome(text, inputs, Options("interp"))
    for division in (THREE, GRID):
        (found,), _ = outcome(text, inputs, options(division))
        assert found.dtype == wanted[0][0].dtype and np.array_equal(found, wanted[0][0])


@needs_device
def test_overflow_of_integers_is_found() -> None:
    checked = replace(options(THREE), settings=Settings(check_overflow=True, precision="single"))
    found = outcome("v×v", {"v": np.array([3, 2**40])}, checked)
    assert "DOMAIN ERROR" in found[0] or "too large" in found[0]
    value, _ = outcome("v×v", {"v": np.array([3, 3037000499])}, checked)
    assert value[0].tolist() == [9, 3037000499**2]


@needs_device
def test_long_sums_keep_their_digits() -> None:
    v = np.full(3_000_000, 0.1)
    (value,), _ = outcome("+/v", {"v": v}, options(THREE))
    assert abs(value / 3e5 - 1) < 3e-5


@needs_device
@pytest.mark.filterwarnings("error")
def test_what_is_too_large_is_infinite() -> None:
    (value,), _ = outcome("2×v", {"v": np.array([1e300, -1e300, 1e38, 1e-300])}, options(THREE))
    assert value.tolist() == [np.inf, -np.inf, pytest.approx(2e38), 0.0]


MANDELBROT = """step ← {(x y k)←⍵ ⋄ in←4≥(x×x)+y×y ⋄ ((x×~in)+in×v+(x×x)-y×y)((y×~in)+in×0.1+2×x×y)(k+in)}
none ← (≢v)⍴0.0
3⊃(step⍣9)none none(⌊none)"""


@needs_device
def test_terms_that_are_no_zeros_for_floats() -> None:
    """Whether `x×0` is zero is decided for doubles, of which more are finite."""
    inputs = {"v": np.array([-2.0, -0.5, 0.25, 0.3, 2.0, 1e39, -np.inf, np.nan, 0.1])}
    assert "3.402823669209385e+38" in kernels(MANDELBROT, inputs)
    assert "INFINITY" not in kernels(MANDELBROT, inputs, precision="single")
    assert near(outcome(MANDELBROT, inputs, options(THREE)), outcome(MANDELBROT, inputs, Options("interp")))


@needs_device
def test_a_failure_of_floats_is_none_of_doubles() -> None:
    """The host computes with doubles what has failed on the device."""
    inputs = {"v": np.array([1e-60, 2e-60])}
    (value,), _ = outcome("1÷v", inputs, options(THREE))
    assert np.allclose(value, [1e60, 5e59])


@needs_device
def test_floats_enter_as_they_are() -> None:
    v = np.linspace(0, 1, 9, dtype=np.float32)
    (value,), _ = outcome("v×2", {"v": v}, options(THREE))
    assert value.dtype == np.float64 and np.array_equal(value, v.astype(np.float64) * 2)


@needs_device
def test_doubles_are_half_as_large_on_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    allocate = Separate.allocate

    def noted(self: Separate, size: int) -> Any:
        sizes.append(size)
        return allocate(self, size)

    monkeypatch.setattr(Separate, "allocate", noted)
    outcome("+/v", {"v": np.ones(1000)}, options(THREE))
    assert 4000 in sizes and 8000 not in sizes


# --- the command line, Python, devices ------------------------------------------------------------------


def test_a_device_without_doubles() -> None:
    own = SimpleNamespace(name=" Little GPU ", double_fp_config=0)
    device = Device(None, own, None, None, None, None)
    with pytest.raises(
        MachineError, match="Little GPU has no doubles; --precision single computes with floats"
    ):
        device.require_doubles()


@needs_device
def test_only_single_precision_does_without_doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Device) -> None:
        raise MachineError("no doubles")

    monkeypatch.setattr(Device, "require_doubles", refuse)
    with pytest.raises(MachineError, match="no doubles"):
        compiled("+/v", {"v": np.ones(3)}, Options("opencl"))
    compiled("+/v", {"v": np.ones(3)}, options(THREE))


@needs_device
def test_python(capsys: pytest.CaptureFixture[str]) -> None:
    v = np.linspace(0.5, 1.5, 3_000_000)
    assert aplc.fn("+/", target="opencl", precision="single")(v) == pytest.approx(3e6, 1e-6)
    with pytest.raises(ValueError, match="single precision is for the target opencl"):
        aplc.fn("+/", precision="single")
    with pytest.raises(ValueError, match="precision is one of double, single, not 'half'"):
        aplc.fn("+/", target="opencl", precision="half")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="strict_fp asks for doubles to the last bit"):
        aplc.run("+/v", target="opencl", precision="single", strict_fp=True, v=v)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.apl"
    file.write_text("v ← 0.5×⍳30000000\nw ← v×v\n⎕←+/w\n⎕←w[⌈/⍳3]\n", encoding="utf-8")
    assert main([str(file), "--precision", "single"]) == 2
    assert capsys.readouterr().err == "aplc: --precision single needs --target opencl\n"
    assert main([str(file), "--precision", "half"]) == 2
    assert "invalid choice: 'half'" in capsys.readouterr().err
    assert main([str(file), "--precision", "single", "--target", "opencl", "--strict-fp"]) == 2
    assert "--strict-fp asks for doubles" in capsys.readouterr().err
    assert main(["emit", "opencl", str(file), "--precision", "single"]) == 0
    assert "global float *restrict" in capsys.readouterr().out
    assert main(["explain", str(file), "--target", "opencl", "--precision", "single"]) == 0
    assert "copied before it" not in capsys.readouterr().out
    file.write_text("s ← +\\0.5×⍳30000000\nt ← ⌽s\n⎕←t[⍋t]\n", encoding="utf-8")
    assert main(["explain", str(file), "--target", "opencl", "--precision", "single"]) == 0
    told = capsys.readouterr().out
    assert "copied before it: t[⍋t] (to doubles)" in told, told
    file.write_text("s ← +\\0.5×⍳30000000\n⎕←⌽s\n", encoding="utf-8")
    assert main(["explain", str(file), "--target", "opencl", "--precision", "single"]) == 0
    told = capsys.readouterr().out
    assert "shown: ⌽s (to doubles)" in told, told
