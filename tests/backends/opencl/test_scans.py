"""Scans and filters whose groups take neighbouring elements, run by run."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from aplc.laila.devices.device_mapping import GROUP
from aplc.laila.devices.kernels import LARGE_GROUP, RUN
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from tests.support.days import of_today
from tests.support.kernel_runs import GRID, differs, kernels, near, outcome, same
from tests.support.machine import needs_device
from tests.support.tables.kernel_programs import FAILING_SCANS, FUSED, MATRICES, OF_ROWS, SCANS, of_length

LOOKING_BACK = replace(GRID, looks_back=True)
LENGTHS = (0, 1, GROUP - 1, GROUP, GROUP + 1, RUN - 1, RUN, RUN + 1, 2 * RUN + 1, 5 * RUN + 7)


@pytest.mark.in_turn(8)
@needs_device
@pytest.mark.parametrize("text", of_today([*SCANS, *FUSED], 6))
def test_values(text: str) -> None:
    several = [of_length(n) for n in LENGTHS]
    for division in (GRID, replace(GRID, grid=GROUP), LOOKING_BACK):
        assert not differs(text, Options("opencl", verify=True, division=division), several), division


@needs_device
def test_sums_that_are_known() -> None:
    several = [{"v": np.arange(n) % 7} for n in (0, 1, GROUP, 2 * RUN + 1)]
    for text in ("+\\(≢v)⍴1", "(+\\5<⍳≢v),+\\v", "v{⊂⍵}⌸v", "+⍀((≢v),3)⍴1"):
        assert not differs(text, Options("opencl", verify=True, division=GRID), several), text


@needs_device
@pytest.mark.parametrize("text", of_today([*FAILING_SCANS], 6))
def test_errors(text: str) -> None:
    several = []
    for n in (1, RUN, 2 * RUN + 1):
        for place in {0, n // 2, n - 1}:
            failing = of_length(n) | {"i": np.arange(1, n + 1)}
            failing["w"][place] = 0.0
            failing["i"][place] = n + 1
            assert isinstance(outcome(text, failing, Options("interp"))[0], str)
            several.append(failing)
        several.append(of_length(n) | {"i": np.arange(n, 0, -1)})  # the device is as before
    for division in (GRID, LOOKING_BACK):
        assert not differs(text, Options("opencl", verify=True, division=division), several), division


@needs_device
@pytest.mark.parametrize("text", of_today(["+\\v", "+\\w", "⌈\\w", "(w>0)/w", "(w>0)/+\\w"], 5))
def test_values_in_single_precision(text: str) -> None:
    inputs = of_length(2 * RUN + 1)
    wanted = outcome(text, inputs, Options("interp"))
    for division in (GRID, LOOKING_BACK):
        options = Options("opencl", division=division, settings=Settings(precision="single"))
        assert near(outcome(text, inputs, options), wanted)


@needs_device
def test_doubles_are_the_same_in_each_run() -> None:
    inputs = {"w": np.random.default_rng(5).standard_normal(40 * RUN)}
    found = {
        outcome("+\\w", inputs, Options("opencl", division=LOOKING_BACK))[0][0].tobytes() for _ in range(5)
    }
    assert len(found) == 1


@pytest.mark.in_turn(8)
@needs_device
def test_blocks_of_runs() -> None:
    several = [
        {"v": np.arange(n) % 7 - 2, "w": np.arange(n) % 3.0} for n in (RUN * 1000, LARGE_GROUP * 7 * 300)
    ]
    for text in ("+\\v", "(w>0)/v", "(v>0)/+\\w"):
        assert not differs(text, Options("opencl", division=LOOKING_BACK), several)


def test_groups_that_look_back_need_one_kernel() -> None:
    text = kernels("+\\v", {"v": np.ones(3)}, LOOKING_BACK)
    assert "kernel void totals" not in text and "next = atom_inc(state);" in text
    own, block = "aplc_tell(state, number, aplc_bits(sums[255]));", "aplc_tell(state, get_num_groups(0) + "
    assert text.index(own) < text.index("aplc_told(state, asked)") < text.index(block)
    assert "cl_khr_int64_base_atomics : enable" in text
    assert "atom" not in kernels("+\\v", {"v": np.ones(3)}, GRID)


@pytest.mark.parametrize(("text", "is_held"), [("(v>0)/v", True), ("(v>0)/2×v", True), ("(v>0)/w", False)])
def test_what_the_test_has_read_is_read_once(text: str, is_held: bool) -> None:
    found = kernels(text, {"v": np.ones(3), "w": np.ones(3)}, LOOKING_BACK)
    behind = found[found.index("place++") :]
    assert is_held == ("held[turn" in behind) and is_held != ("w[" in behind) and "v[" not in behind


def test_folds_of_doubles_do_not_depend_on_who_takes_which_run() -> None:
    assert "kernel void totals" in kernels("s←+\\v ⋄ (⌈/s-v)+s×2", {"v": np.ones(3)}, LOOKING_BACK)


def test_neighbours_compute_and_write_neighbours() -> None:
    text = kernels("+\\v", {"v": np.ones(3)}, GRID)
    first, second = text.split("kernel void scan")
    assert "s += v[start + lane + 64 * i];" in first and "partial[get_group_id(0)] = tree[0];" in first
    assert "const long i = first + k;" in second and "local double run[960];" in second
    assert second.count("barrier") == 5


def test_places_of_what_is_kept_are_in_local_memory() -> None:
    text = kernels("b/v", {"v": np.ones(3), "b": np.array([True, False, True])}, GRID)
    assert "places[place++] = k;" in text and "const long i = first + places[k];" in text
    assert "while" not in text


def test_no_work_item_leaves_before_a_barrier() -> None:
    inputs = of_length(3) | {"i": np.array([1, 2, 3])}
    for program, division in product(FAILING_SCANS, (GRID, LOOKING_BACK)):
        text = kernels(program, inputs, division)
        groups = [each for each in text.split("kernel void ") if "run[k]" in each]
        assert groups, program
        assert all("goto next" in each for each in groups), text
        assert all("return;" not in each for each in groups), text


def test_what_does_not_fit_the_memory_of_a_group_is_in_chunks() -> None:
    text = kernels("(+\\w)(⌈\\w)(⌊\\w)(+\\w×w)", {"w": np.ones(3)}, GRID)
    assert "barrier" not in text.split("kernel void fused")[1], text


def test_processors_have_chunks() -> None:
    assert "barrier" not in kernels("+\\v", {"v": np.ones(3)})
    assert "barrier" not in kernels("+\\v", {"v": np.ones(3)}, replace(GRID, grid=0))


@needs_device
@pytest.mark.parametrize("text", of_today([*OF_ROWS], 2))
def test_rows(text: str) -> None:
    wanted = outcome(text, MATRICES, Options("interp"))
    assert same(outcome(text, MATRICES, Options("opencl", verify=True, division=GRID)), wanted)


@needs_device
def test_errors_in_rows() -> None:
    wanted = outcome("+\\÷m", MATRICES, Options("interp"))
    assert isinstance(wanted[0], str)
    assert outcome("+\\÷m", MATRICES, Options("opencl", verify=True, division=GRID)) == wanted


def test_groups_have_rows_that_are_long_and_in_one_piece() -> None:
    text = kernels("+\\m", MATRICES, GRID)
    assert "kernel void scans" in text and "run[k]" in text
    assert "kernel void scans" not in kernels("+⍀m", MATRICES, GRID)
    assert "(k_n2 + step1 - item - 1) / step1" in kernels("+⍀k", MATRICES, GRID)  # neighbours in memory
    assert "kernel void scans" not in kernels("+\\m", MATRICES, replace(GRID, grid=0))
