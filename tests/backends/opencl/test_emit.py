"""Kernels: their text, and what they compute on the device of this machine."""

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
from aplc.backends.opencl import device as cl_device
from aplc.backends.opencl.device import Device, find_device
from aplc.backends.opencl.launches import Launch
from aplc.backends.opencl.library import helpers, in_opencl, library
from aplc.backends.opencl.lines import WIDTH, in_short_lines
from aplc.backends.opencl.memory import Separate
from aplc.backends.opencl.run import Session
from aplc.cli import main
from aplc.laila.devices.device_mapping import DIVISION, EVERYTHING
from aplc.options import Options
from aplc.tail.errors import InternalError, MachineError
from tests.support.days import of_today
from tests.support.kernel_runs import (
    GRID,
    ONLY_ON_HOSTS,
    THREE,
    compiled,
    host_and_kernels,
    kernels,
    outcome,
    same,
)
from tests.support.machine import needs_device
from tests.support.tables.kernel_programs import APART, BY_EIGHTS, FAILING, PROGRAMS, REALS, TURNS

# --- texts ----------------------------------------------------------------------------------------------

SUM = """#pragma OPENCL FP_CONTRACT OFF

static inline long aplc_min_int(long x, long y) { return x < y ? x : y; }

kernel void reduce(global const double *restrict v, global double *restrict partial, const long chunk,
                   const long v_n) {
    const long item = get_global_id(0);
    const long start = item * chunk;
    const long count = aplc_min_int(chunk, v_n - start);
    double s = 0.0;
    const long middle = count / 2;
    double s1 = 0.0;
    #pragma clang loop interleave_count(2)
    for (long k = 0; k < middle; k++) {
        #pragma clang fp reassociate(on)
        s += v[start + k];
        s1 += v[start + k + middle];
    }
    s += s1;
    if (2 * middle < count) {
        s += v[start + 2 * middle];
    }
    partial[item] = s;
}
"""


def test_text_of_a_sum() -> None:
    assert kernels("+/v", {"v": np.ones(3)}) == SUM


def test_positions_in_rows() -> None:
    text = kernels("1+⌽3 6⍴v", {"v": np.ones(18)})
    assert "a[6 * (start + i) + j] = 1.0 + v[6 * (start + i) - j + 5];" in text, text


def test_bounds_of_chunks() -> None:
    text = kernels("w ← 6 6⍴v ⋄ w+¯1⊖w", {"v": np.ones(36)})
    assert "if (start < " in text and "if (0 < " not in text, text


def test_conditions_raise_flags_as_they_are() -> None:
    text = kernels("⍟v", {"v": np.ones(3)}, replace(EVERYTHING, lanes=0))
    assert re.search(r"bad \|= \w+(\[\w+ \+ \w+\])? <= 0\.0;", text), text
    assert "s = (long)((ulong)s + (ulong)(v[start + k] > 2));" in kernels("+/v>2", {"v": np.array([3])})


def test_long_lines_are_broken() -> None:
    text = kernels("+/(v×1.5+v×2.5+v×3.5+v×4.5)×(*-v×v)÷(2.5+v)×(3.5+v×0.25)*0.125×1+v", {"v": np.ones(3)})
    assert max(map(len, text[text.index("\nkernel void") :].splitlines())) <= WIDTH
    long = f"    x = f({'a' * 30}, {'b' * 25}) * {'c' * 10} + (d * e + g - {'h' * 30});"
    assert in_short_lines(f"#pragma {long}") == f"#pragma {long}"
    assert in_short_lines(long + "\n" + long[:50]) == (
        f"    x = f({'a' * 30}, {'b' * 25}) * {'c' * 10}\n        + (d * e + g - {'h' * 30});\n{long[:50]}"
    )
    unbroken = "x" * 200
    assert in_short_lines(unbroken) == unbroken


def test_nothing_is_done_under_no_condition() -> None:
    text = kernels("+/0 1 0 1/v", {"v": np.ones(4)}) + kernels("(1 0 1 0/⍳4)∊v", {"v": np.array([3])})
    assert not re.search(r"if \([^\n]*\) \{\n *\}", text)


def test_groups_combine_in_their_own_memory() -> None:
    text = kernels("⌈/v", {"v": np.ones(3)}, GRID)
    assert "tree[lane] = aplc_max(mine, other);" in text and "partial[get_group_id(0)] = tree[0];" in text
    with_checks = kernels("+/÷v", {"v": np.ones(3)}, GRID)  # all must reach the barriers
    part, whole = with_checks.split("kernel void")
    assert "return;" in part and "barrier" not in part and "return;" not in whole and "barrier" in whole


@pytest.mark.parametrize(
    ("program", "value", "expected"),
    [
        ("v×v", [3, 4], "(long)((ulong)t * (ulong)t);"),  # integers may wrap
        ("+/v", [3, 4], "s = (long)((ulong)s + (ulong)v[start + k]);"),
        ("2+v", np.ones(2, np.int8), "v[start + i] + 2;"),
        ("~v", [True, False], "!(v[start + i] != 0)"),
        ("v[v]", [1, 2], "*failed = 1;"),
        ("v⌈1", [0.5, 2.0], "aplc_at_least(1.0, v[start + i])"),
    ],
)
def test_text(program: str, value: Any, expected: str) -> None:
    assert expected in kernels(program, {"v": value})


def test_kernels_have_only_the_functions_that_they_call() -> None:
    text = kernels("1.5⌈v", {"v": np.ones(3)})
    assert "aplc_at_least(double" in text and "aplc_at_most" not in text and "aplc_gcd" not in text


@needs_device
def test_the_driver_takes_all_functions_that_expressions_are_spelled_with() -> None:
    sources = "".join([Path(module.__file__ or "").read_text("utf-8") for module in (c_expr, c_lanes)])
    called = set(re.findall(r'"(aplc_\w+)"', sources)) - ONLY_ON_HOSTS
    assert len(called) > 40
    text = in_opencl(f"{helpers(' '.join(called))}kernel void nothing(void) {{}}")
    assert find_device().functions(text, ["nothing"]).keys() == {"nothing"}
    with pytest.raises(InternalError, match="kernels have no aplc_abacus"):
        helpers("aplc_abacus(x)")


def test_what_the_library_says_otherwise_comes_first() -> None:
    assert library()["aplc_bits"] == "static inline int64_t aplc_bits(double x) { return as_long(x); }"
    assert in_opencl("UINT64_C(0x1F) + INT64_C(-3) + (uint8_t)x") == "0x1FUL + -3L + (uchar)x"


@pytest.mark.parametrize("program", ["!v", "v⍳v", "⍋v"])
def test_what_is_no_kernel(program: str) -> None:
    assert kernels(program, {"v": np.ones(3)}) == ""


def test_strict_doubles_are_summed_by_the_host() -> None:
    assert kernels("+/v", {"v": np.ones(3)}, strict_fp=True) == ""
    assert kernels("*v", {"v": np.ones(3)}, strict_fp=True) == ""
    assert "kernel void map" in kernels("v÷2", {"v": np.ones(3)}, strict_fp=True)


def test_small_loops_have_no_kernels() -> None:
    assert kernels("+/⍳10", {}, DIVISION) == ""
    assert kernels("+/⍳10000000", {}, DIVISION) != ""


# --- values ---------------------------------------------------------------------------------------------


@needs_device
@pytest.mark.parametrize("text", of_today([*BY_EIGHTS], 3))
def test_values_by_eights(text: str) -> None:
    wanted = outcome(text, {"v": REALS}, Options("interp"))
    assert same(outcome(text, {"v": REALS}, Options("opencl", verify=True, division=THREE)), wanted)


def test_vectors() -> None:
    text = kernels("2.5×1○v", {"v": REALS})
    element = "*(global const aplc_double8 *)(v + start + i)"
    assert f"*(global aplc_double8 *)(a + start + i) = (2.5 * sin({element}));" in text
    assert "double8" not in kernels("2.5×v", {"v": REALS})


def test_extrema_in_vectors() -> None:
    text = kernels("⌊/v", {"v": REALS})
    assert "ss = x < ss ? x : ss;" in text and "s = aplc_at_most(aplc_least8(ss), s);" in text


def test_vectors_of_four_lanes() -> None:
    text = kernels("+/1○v", {"v": REALS}, replace(EVERYTHING, lanes=4))
    assert (
        "ss += sin(*(global const aplc_double4 *)(v + start + k));" in text and "s += aplc_sum4(ss);" in text
    )


@needs_device
def test_several_loops_over_vectors_with_flags() -> None:
    inputs = {"v": REALS + 4, "w": REALS + 5}
    program = "1○÷v,w"
    assert "bads1 |= " in kernels(program, inputs)
    wanted = outcome(program, inputs, Options("interp"))
    assert same(outcome(program, inputs, Options("opencl", verify=True, division=THREE)), wanted)


SPECIAL = [
    0.0,
    -0.0,
    np.inf,
    np.nan,
    5e-324,
    2.2250738585072014e-308,
    1e308,
    1.0,
    1 - 2**-53,
    1 + 2**-52,
    0.7071,
]


@needs_device
def test_exponentials_and_logarithms_in_lanes() -> None:
    """They are those of libm but for the last bit, where they overflow and underflow, too."""
    random = np.random.default_rng(1)
    v = np.concatenate(
        [SPECIAL, -np.array(SPECIAL), [709.7, 709.8, -745.1, -745.2], random.uniform(-750, 712, 1000)]
    )
    w = np.concatenate([SPECIAL[2:], 2.0 ** random.uniform(-1074, 1024, 1000), random.uniform(0.5, 2, 1000)])
    options = Options("opencl", verify=True, division=THREE)
    with np.errstate(over="ignore", under="ignore"):
        exponentials = np.exp(v.astype(np.longdouble)).astype(float)
    assert "aplc_exp(" in kernels("*v", {"v": v}) and "aplc_log(" in kernels("⍟w", {"w": w})
    ((found,), _) = outcome("*v", {"v": v}, options)
    np.testing.assert_allclose(found, exponentials, 3e-16, 5e-324)
    ((found,), _) = outcome("⍟w", {"w": w}, options)
    np.testing.assert_allclose(found, np.log(w.astype(np.longdouble)).astype(float), 3e-16)


def test_lanes_where_driver_and_processor_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    def device(version: str, *, avx512: bool, platform: str = "Portable Computing Language") -> Device:
        flags = frozenset((*cl_device.FEATURES, "sse2") if avx512 else ("sse2",))
        monkeypatch.setattr(cl_device, "processor_features", lambda: flags)
        found = SimpleNamespace(version=version, platform=SimpleNamespace(name=platform))
        return Device(None, found, None, None, None, None)

    def lanes(version: str, *, avx512: bool, platform: str = "Portable Computing Language") -> int:
        return device(version, avx512=avx512, platform=platform).lanes

    name = "OpenCL 3.0 PoCL HSTR: pthread-x86_64-unknown-linux-gnu-"
    assert lanes(name + "znver3", avx512=True) == 4
    assert lanes(name + "znver3", avx512=False) == 8
    assert lanes(name + "znver4", avx512=True) == 8
    assert lanes(name + "skylake-avx512", avx512=True) == 8
    assert lanes("OpenCL 3.0", avx512=True, platform="Other") == 8
    assert device(name + "znver3", avx512=True).features.split(",") == list(cl_device.FEATURES)
    assert not device(name + "znver3", avx512=False).features
    assert device(name + "znver4", avx512=True).features == cl_device.WHOLE_VECTORS
    assert not device("OpenCL 3.0", avx512=True, platform="Other").features


def test_kernels_are_told_what_the_driver_does_not_know() -> None:
    text = kernels("+/v", {"v": REALS}, replace(EVERYTHING, features="avx512f,avx512vl"))
    head = '__attribute__((noinline, target("avx512f,avx512vl")))\nstatic void reduce_part(const long item, '
    assert head in text and "    reduce_part(get_global_id(0), v, " in text


def test_loops_over_lanes_are_one_round_of_vectors() -> None:
    text = kernels("+/{+/0=(⍳⍵)∘.|⍳⍵} n", {"n": np.array(40)})
    assert re.search(r"#pragma clang loop vectorize_width\((8|16)\) interleave_count\(\d\)\n +for \(", text)
    assert "vectorize_width" not in kernels("+/v", {"v": REALS})


@pytest.mark.parametrize("text", ["v∘.÷¯8.5+⍳16", "({(2×⍵)⌊⍵×⍵}⍣{⍺>50})¨v"])
def test_kernels_have_nothing_of_openmp(text: str) -> None:
    found = kernels(text, {"v": REALS})
    assert "omp" not in found and not re.search(r"APLC_[A-Z_]*LANES", found)


def test_chunks_of_small_integers_are_computed_in_32_bits() -> None:
    text = kernels("{+/⌊(7|3+⍳⍵)÷3} n", {"n": np.array(40_000)})
    assert "((int)start + k + 4) % 7 / 3;" in text.split("kernel void reduce")[1]


@needs_device
@pytest.mark.parametrize("place", [0, 40, 76])
def test_errors_by_eights(place: int) -> None:
    v = np.ones(77)
    v[place] = -1.0
    found = outcome("⍟v", {"v": v}, Options("opencl", verify=True, division=THREE))
    assert same(found, outcome("⍟v", {"v": v}, Options("interp"))) and "DOMAIN ERROR" in found[0]


@pytest.mark.in_turn(8)
@needs_device
@pytest.mark.parametrize(("text", "inputs"), of_today(PROGRAMS + FAILING, 3))
def test_values(text: str, inputs: dict[str, Any]) -> None:
    wanted = outcome(text, inputs, Options("interp"))
    found = outcome(text, inputs, Options("opencl", verify=True, division=THREE))
    assert same(found, wanted), (found, wanted)


@needs_device
@pytest.mark.parametrize("text", of_today([*APART], 2))
def test_values_on_a_device_with_memory_of_its_own(text: str) -> None:
    wanted = outcome(text, TURNS, Options("interp"))
    found = outcome(text, TURNS, Options("opencl", verify=True, division=GRID))
    assert same(found, wanted), (found, wanted)


@needs_device
@pytest.mark.parametrize("text", ["{0.5×⍵+1⌽⍵}⍣{n}⊢v", "{0.5×⍵÷1+1⌽⍵}⍣{n}⊢v"])
def test_arrays_stay_on_the_device_while_a_loop_runs(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[int] = []
    transfer = Separate.transfer

    def noted(self: Separate, target: Any, source: Any) -> None:
        moved.append(1)
        transfer(self, target, source)

    monkeypatch.setattr(Separate, "transfer", noted)
    for rounds in (3, 30):
        outcome(text.replace("{n}", str(rounds)), {"v": np.arange(9.0)}, Options("opencl", division=GRID))
    assert len(moved) == 4  # the argument and the result, twice


def test_the_host_computes_in_whole_vectors_too() -> None:
    host, text = host_and_kernels("({3=⍵+(1⌽⍵)+¯1⌽⍵}⍣3)b", {"b": np.ones(9, bool)})
    assert "mask" in host and "kernel void map(" in text


@needs_device
def test_kernels_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tests above compare has run on the device."""
    started: list[str] = []
    starter = Session.starter

    def noted(self: Session, kernel: Launch) -> Any:
        start = starter(self, kernel)

        def run(arguments: list[int | None]) -> Any:
            started.append(kernel.name)
            return start(arguments)

        return run

    monkeypatch.setattr(Session, "starter", noted)
    outcome("⎕←+/v ⋄ 2×v", {"v": np.arange(9.0)}, Options("opencl", division=THREE))
    assert len(started) >= 2
    started.clear()
    outcome("⎕←+/v ⋄ 2×v", {"v": np.arange(9.0)}, Options("opencl"))
    assert started == []


@needs_device
def test_large_inputs_run_as_they_are() -> None:
    v = np.random.default_rng(1).random(1_000_003)
    (value,), _ = outcome("+/v×v", {"v": v}, Options("opencl"))
    assert np.isclose(value, np.dot(v, v), rtol=1e-12)
    narrow = np.arange(1_000_003, dtype=np.int32)[::-1]
    (value,), _ = outcome("v+1", {"v": narrow}, Options("opencl"))
    assert np.array_equal(value, narrow.astype(np.int64) + 1)


@needs_device
def test_a_program_runs_in_several_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

    program = compiled("+/v×2", {"v": np.ones(5)}, Options("opencl", division=THREE))
    inputs = [np.full(1000 + k, 1.0) for k in range(20)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda v: program.run([v], lambda *_: None)[0], inputs))
    assert [float(f) for f in found] == [2.0 * v.size for v in inputs]


@needs_device
def test_a_device_is_chosen_from_python() -> None:
    name = find_device().name
    assert aplc.run("+/v", target="opencl", device=name.upper(), v=np.arange(5)) == 10
    with pytest.raises(MachineError, match="no OpenCL device is called abacus; there are "):
        aplc.fn("+/", target="opencl", device="abacus")(np.arange(5))
    with pytest.raises(ValueError, match="device is for the target opencl"):
        aplc.fn("+/", device=name)


@needs_device
def test_python_and_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aplc.fn("+⌿÷≢", target="opencl")(np.arange(1e6)) == 499999.5
    file = tmp_path / "p.apl"
    file.write_text("⎕←+/⍳2000000\ndouble ← {2×⍵}\n", encoding="utf-8")
    assert np.array_equal(aplc.load(file, target="opencl").double(np.arange(5)), 2 * np.arange(5))
    assert main([str(file), "--target", "opencl"]) == 0
    assert capsys.readouterr().out == "2000001000000\n"
    assert main(["emit", "opencl", str(file)]) == 0
    assert "kernel void reduce(" in capsys.readouterr().out
    assert main([str(file), "--target", "opencl", "--device", "abacus"]) == 3
    assert capsys.readouterr().err.startswith("aplc: no OpenCL device is called abacus; there are ")
