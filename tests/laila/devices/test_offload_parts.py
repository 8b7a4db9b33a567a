"""Few long folds and scans in parts, and what else is otherwise on devices with many work-items."""

import re
from dataclasses import replace

import numpy as np
import pytest

from aplc.laila.devices.device_mapping import AGAIN
from aplc.options import Options
from tests.support.days import of_today
from tests.support.kernel_runs import GRID, differs, host_and_kernels, kernels
from tests.support.machine import needs_device
from tests.support.tables.kernel_programs import COLUMNS, FEW_AND_LONG, NUMBERS, PROGRAMS, ROWS_OF_FIVE

ON_GRID = Options("opencl", verify=True, division=GRID)


@needs_device
@pytest.mark.parametrize(("text", "inputs"), of_today(FEW_AND_LONG, 4))
def test_values(text: str, inputs: dict[str, np.ndarray]) -> None:
    assert not differs(text, ON_GRID, [inputs])


@needs_device
def test_lengths() -> None:
    for n in of_today([0, 1, 31, 127, 128, 129, 130, 1000], 3):
        several = [{"m": np.resize(NUMBERS, shape)} for shape in ((n, 5), (5, n), (n, 1), (n, 0))]
        for text in ("+⌿m", "+/m", "+⍀m"):
            assert not differs(text, ON_GRID, several), (text, n)


@needs_device
def test_errors_are_those_of_the_host() -> None:
    failing = {"m": np.where(np.arange(15000) == 9000, 0.0, NUMBERS).reshape(-1, 5)}
    for text in ("+⌿÷m", "+⍀÷m"):
        assert not differs(text, ON_GRID, [failing])


def test_neighbours_have_neighbouring_columns() -> None:
    text = kernels("+⌿m", COLUMNS, GRID)
    assert "kernel void parts" in text and "partial[i1 * parts + part1] = s;" in text
    assert "kernel void rows" in text  # what the parts come to
    scan = kernels("+⍀m", COLUMNS, GRID)
    names = [name.partition("(")[0].partition("_")[0] for name in scan.split("kernel void ")[1:]]
    assert names[-4:] == ["parts", "totals", "scan", "scan"]  # behind those for a few columns


def test_parts_of_rows_are_done_by_groups() -> None:
    text = kernels("+/m", ROWS_OF_FIVE, replace(GRID, grid=1 << 18))
    assert text.count("kernel void rows") == 3 and "item / 64 % parts" in text  # the third has whole rows


@needs_device
def test_reshaped_rows_are_rows() -> None:
    several = [{"v": np.resize(NUMBERS, n)} for n in (9003, 3000, 2, 0)]
    for text in ("+/(8,⌊8÷⍨≢v)⍴v", "+/3 3000⍴v", "+⌿((⌊5÷⍨≢v),5)⍴v"):
        assert not differs(text, ON_GRID, several), text
    assert "kernel void rows" in kernels("+/(8,⌊8÷⍨≢v)⍴v", several[0], GRID)


# --- maps of two axes -----------------------------------------------------------------------------------

STENCIL = "m+(1⌽m)+(¯1⌽m)+(1⊖m)+¯1⊖m"


@needs_device
def test_neighbours_of_a_matrix() -> None:
    several = [
        {"m": np.resize(NUMBERS, shape)} for shape in ((140, 90), (1, 1), (2, 3), (1, 300), (300, 1), (0, 3))
    ]
    for division in (GRID, replace(GRID, grid=1 << 14)):
        assert not differs(STENCIL, Options("opencl", verify=True, division=division), several)


def test_a_work_item_goes_down_a_column() -> None:
    text = kernels(STENCIL, COLUMNS, GRID)
    column, row = (
        text.index("for (long j = 0; j < count; j++)"),
        text.index("for (long i = aplc_max_int(1 - start"),
    )
    assert column < row  # and the first and last rows are apart
    assert "m[j2 < " in text  # the place is chosen, and memory asked once
    assert " ? m[" not in text


def test_chunks_of_processors_choose_elements() -> None:
    assert " ? m[" in kernels(STENCIL, COLUMNS)


def test_rounds_that_stay_on_the_device_need_less_work() -> None:
    rounds = f"{{{STENCIL.replace('m', '⍵')}}}⍣9⊢m"
    once, again = [
        host_and_kernels(text, COLUMNS, replace(GRID, least_work=1 << 30))[0] for text in (STENCIL, rounds)
    ]
    least = re.compile(rf">= ({(1 << 30) // AGAIN}|{8 * (1 << 30) // AGAIN})\b")
    assert least.search(again) and not least.search(once)


# --- words that not every compiler knows ----------------------------------------------------------------


def test_compilers_of_other_devices_need_not_know_words_of_clang() -> None:
    for text, inputs in PROGRAMS:
        assert "clang" not in kernels(text, inputs, GRID), text
