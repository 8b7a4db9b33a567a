"""Forms of kernels: loops over statements, long rows by groups, sums with checks, matrices in tiles; and the
work of a loop, which decides whether it becomes one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aplc.compiler import optimise, to_laila, to_tail
from aplc.inputs import as_input
from aplc.laila.devices.device_mapping import DIVISION, EVERYTHING, Division, on_cpu
from aplc.laila.devices.offload import offload
from aplc.laila.ir.program import ForEach, Statement, While
from aplc.laila.ir.scalar import Exp, Var, nodes
from aplc.laila.ir.statements import everywhere
from aplc.laila.ir.substitute import Substitute
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.days import of_today
from tests.support.kernel_runs import GRID, THREE, host_and_kernels, kernels, outcome, same
from tests.support.machine import needs_device
from tests.support.tables.kernel_programs import (
    ACROSS,
    CHECKED,
    COUNTED,
    IN_ROUNDS,
    IN_TILES,
    MATRIX,
    ROWS,
    TALL,
    TALLS,
    K,
)

LOOPS = {"⍣": "({⌽+\\⍵}⍣4)n⍴1.5", "⍤": "f←{s←⍵×⍳n ⋄ t←+\\s ⋄ u←+\\⌽t ⋄ u-⌽u} ⋄ (f⍤0)⍳n"}


@pytest.mark.parametrize("text", LOOPS.values(), ids=LOOPS)
def test_loops_with_kernels_inside_are_what_they_were(text: str) -> None:
    """What they know of their memory, above all."""
    types = {"n": as_input(np.array(100)).type}
    term = to_tail([Source("text", text)], types).term
    program, make = to_laila(optimise(term, Options("opencl")), {}, Options("opencl"))
    after = offload(program, make, GRID).program

    def loops(statements: Sequence[Statement]) -> list[Statement]:
        return [
            replace(s, body=())
            for s in everywhere(statements)
            if isinstance(s, While | ForEach) and s.scratch
        ]

    assert loops(program.statements)
    assert set(loops(program.statements)) <= set(loops(after.statements))


@pytest.mark.in_turn(16)
@needs_device
@pytest.mark.parametrize(("text", "inputs"), of_today(IN_ROUNDS, 2))
def test_values_of_rounds(text: str, inputs: dict[str, Any]) -> None:
    assert "kernel void rounds" in kernels(text, inputs)
    wanted = outcome(text, inputs, Options("interp"))
    for division in (THREE, GRID):
        found = outcome(text, inputs, Options("opencl", verify=True, division=division))
        assert same(found, wanted), (found, wanted)


def test_work_items_have_memory_of_their_own() -> None:
    text = kernels(IN_ROUNDS[4][0], K)
    assert re.search(r"global long \*restrict (\w+) = \1_all_?\w* \+ item \* [^;]+;", text)


@pytest.mark.parametrize(
    "program",
    [
        "f←{a b←⍵ ⋄ (a+b)a} ⋄ ⊃(f⍣10)1 1",  # each round needs the one before it
        "({⍵[⍋⍵]}⍤1)m",  # sorted by the run-time system
    ],
)
def test_loops_that_stay_with_the_host(program: str) -> None:
    assert "kernel void rounds" not in kernels(program, MATRIX if "m" in program else {})


@needs_device
@pytest.mark.parametrize("text", of_today([*ROWS], 3))
def test_long_rows_by_groups(text: str) -> None:
    assert "kernel void rows" in kernels(text, TALLS, GRID)
    wanted = outcome(text, TALLS, Options("interp"))
    assert same(outcome(text, TALLS, Options("opencl", verify=True, division=GRID)), wanted)


@pytest.mark.parametrize("text", ["m+.×⍉m", "-/m", "m+1"])
def test_what_work_items_do_alone(text: str) -> None:
    """Products that read each row often, what must stay in order, and what is no fold."""
    assert "kernel void rows" not in kernels(text, {"m": TALL}, GRID)


@needs_device
@pytest.mark.parametrize("text", of_today([*CHECKED], 2))
def test_groups_combine_what_may_fail(text: str) -> None:
    """A work-item that has failed reaches the barriers of its group, too."""
    assert "barrier" in kernels(text, COUNTED, GRID)
    wanted = outcome(text, COUNTED, Options("interp"))
    assert same(outcome(text, COUNTED, Options("opencl", verify=True, division=GRID)), wanted)


PRODUCTS = [
    ("m+.×w", (70, 33), (33, 41)),
    ("m+.×w", (25, 1100), (1100, 60)),
    ("2×m+.×w", (64, 600), (600, 16)),
    ("m+.×⍉w", (40, 30), (49, 30)),
    ("{+/(m[⍵;]-w[;⍵])*2}¨⍳30", (40, 30), (30, 40)),
    ("+/(m[;⎕IO+0×⍳40]∘.-w[;⎕IO])*2", (40, 30), (40, 30)),
    ("m+.-w", (40, 30), (30, 40)),
    ("m⌈.+w", (40, 30), (30, 40)),
    ("(⌊m)+.×⌊w", (40, 30), (30, 40)),
    ("÷1+|m+.×w", (40, 30), (30, 40)),
    ("*0.001×m+.×w", (40, 30), (30, 40)),
    ("2≤m+.×w", (40, 30), (30, 40)),
    ("m+.×w", (0, 30), (30, 40)),
    ("m+.×w", (40, 0), (0, 40)),
]


BOTH_WAYS = [(*product, way) for k, product in enumerate(PRODUCTS) for way in (GRID, THREE)[: 1 + (k < 4)]]


@needs_device
@pytest.mark.parametrize(("text", "left", "right", "division"), of_today(BOTH_WAYS, 4))
def test_products(text: str, left: tuple[int, int], right: tuple[int, int], division: Division) -> None:
    draw = np.random.default_rng(5).normal
    inputs = {"m": draw(0, 9, left), "w": draw(0, 9, right)}
    wanted = outcome(text, inputs, Options("interp"))
    assert same(outcome(text, inputs, Options("opencl", verify=True, division=division)), wanted)


MORE_PRODUCTS = [
    ("(⍉m)+.×w", (40, 70), (40, 90)),
    ("(⍉m)+.×⍉w", (50, 33), (90, 50)),
    ("m+.=w", (33, 64), (64, 32)),
    ("(⌊m)⌊.-⌊w", (65, 33), (33, 66)),
    ("÷1+|m+.×w", (33, 34), (34, 35)),
    ("(m>0)∨.∧w>0", (40, 33), (33, 40)),
]


@pytest.mark.in_turn(8)
@needs_device
@pytest.mark.parametrize(("text", "left", "right"), of_today(MORE_PRODUCTS, 3))
def test_products_in_tiles(text: str, left: tuple[int, int], right: tuple[int, int]) -> None:
    test_products(text, left, right, GRID)


def test_groups_read_products_in_tiles() -> None:
    inputs = {"m": np.ones((3, 3)), "w": np.ones((3, 3))}
    text = kernels("m+.×w", inputs, GRID)
    (product,) = [each for each in text.split("kernel void ") if each.startswith("product(")]
    assert product.count("barrier(CLK_LOCAL_MEM_FENCE);") == 2
    assert "s += tile[33 * across + k] * tile1[33 * k + along];" in text
    assert "tile[33 * line + along] = m[" in text and "tile1[33 * line + along] = w[" in text
    assert "part" in kernels("m+.×w", inputs, GRID, precision="single")
    for program in ("m+w", "+/m", "m+.÷w", "m∘.+3↑w[1;]"):  # no folds, of rows only, with checks
        assert "kernel void product" not in kernels(program, inputs, GRID)


def test_a_work_item_does_products_in_panels_of_its_own() -> None:
    inputs = {"m": np.ones((3, 3)), "w": np.ones((3, 3))}
    for vector, tile in ((32, "sums + 12 * r"), (64, "sums + 24 * r")):
        text = " ".join(kernels("m+.×w", inputs, replace(EVERYTHING, vector=vector)).split())
        assert f"*(aplc_double{vector // 8} *)({tile} + j) = aplc_multiply_add{vector // 8}(" in text
    assert "panel" not in kernels("m⌈.+w", inputs)
    assert "panel" not in kernels("m+.×w", inputs, GRID)
    assert "panel" not in kernels("m+.×w", inputs, precision="single")


@needs_device
@pytest.mark.parametrize("text", of_today([*IN_TILES], 3))
def test_matrices_are_read_across_in_tiles(text: str) -> None:
    wanted = outcome(text, ACROSS, Options("interp"))
    assert same(outcome(text, ACROSS, Options("opencl", verify=True, division=GRID)), wanted)


def test_tiles() -> None:
    text = kernels("(⍉m)-⌽⊖⍉m", ACROSS, GRID)
    assert "tile1[33 * along + across] - tile[33 * along + across]" in " ".join(text.split())
    assert text.count("barrier(CLK_LOCAL_MEM_FENCE);") == 2
    for program in ("2×m", "⍉÷m", "+\\m"):  # along rows, with checks, and no map
        assert "kernel void tiles" not in kernels(program, ACROSS, GRID)


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("m+.×m", [3 * 6 + 5 * 6]),  # what rows and columns have is read for many of the others
        ("(+/v)++/m", [2 * 7, 2 * 5, 2 * 7, 2 * 9, 2 * 2 + 2 * 6]),  # rows of 2, 3 and 4 are written out
        ("(2=+⌿0=(⍳n)∘.|⍳n)/⍳n", [(2 * 5 + 4 * 13 * 25) // 8, 2 * 5]),
        ("+/(1⌽v)-¯1⌽v", [4 * 7]),  # the places do not count, nor where they wrap around
        ("(v>1)++/⍳n", [4 * 5 // 8, 5 * 7]),  # indices are half as wide
    ],
)
def test_work_of_loops(text: str, work: list[int]) -> None:
    """Folds count as often as they run; what is the same for all their terms, once."""
    inputs = {"v": np.ones(4), "m": np.ones((4, 4)), "n": np.array(4)}
    term = to_tail([Source("text", text)], {name: as_input(i).type for name, i in inputs.items()}).term
    options = Options("opencl")
    program, make = to_laila(optimise(term, options), {}, options)
    extents = {"m_n0": make.const(2), "m_n1": make.const(3), "v_n": make.const(7)}

    def value_of(work: Exp) -> Exp:
        found = {v: extents.get(v.name, make.const(5)) for v in nodes(work) if isinstance(v, Var)}
        return Substitute(make, found)(work)

    works = offload(program, make, DIVISION).work.values()
    assert [value_of(each) for each in works] == [make.const(each) for each in work]


# --- what is worth a kernel -----------------------------------------------------------------------------


def test_functions_that_the_threads_of_a_host_compute_sooner() -> None:
    inputs = {"v": np.ones(64)}
    beside_threads = on_cpu(DIVISION, 2, 64)
    for text in ("1○v", "v*v", "+/3○v", "{+/⍵*⍵}¨v"):
        assert kernels(text, inputs) and not kernels(text, inputs, beside_threads), text
        assert kernels(text, inputs, beside_threads, precision="single"), text
    for text in ("*v", "(⍟v)+v*0.5", "+/1|v"):
        assert kernels(text, inputs, beside_threads), text
    product = "(v∘.+v)+.×v∘.÷2+v"
    number, beside = [kernels(product, inputs, d).count("kernel void") for d in (EVERYTHING, beside_threads)]
    assert 0 < beside < number


@needs_device
def test_a_work_item_does_not_repeat_what_is_the_same_for_all() -> None:
    """Folds inside of folds are computed before, once."""
    inputs = {"v": np.arange(30.0)}
    text = kernels("v⍳⌈/v", inputs)
    assert text.count("kernel void") == 2
    totals, places = text.split("kernel void")[1:]
    assert "for (" in totals and places.count("for (") == 1
    for program in ("v⍳⌈/v", "+/v>(+/v)÷30", "+/{⍵-⌈/v}¨v", "+/v×(0⍴v)⍳⌊/v"):
        expected = outcome(program, inputs, Options("interp"))
        assert same(outcome(program, inputs, Options("opencl", verify=True, division=THREE)), expected)


def test_loops_without_work_for_a_kernel_are_left_to_threads() -> None:
    """Where no round has enough for a kernel, the host has the loop as it was, without questions in it."""
    text, inputs = "({x←+\\⍵ ⋄ x÷⌈/x}⍣k)v", {"k": np.array(3), "v": np.arange(1.0, 6.0)}
    host = host_and_kernels(text, inputs, DIVISION)[0]
    with_kernels, alone = host[: host.rindex("} else {")], host[host.rindex("} else {") :]
    assert "aplc_ask(" in with_kernels and "loop_in_parts" in alone and "aplc_ask(" not in alone, host
    expected = outcome(text, inputs, Options("interp"))
    for least in (1, 1 << 40):
        division = replace(THREE, least_work=least)
        assert same(outcome(text, inputs, Options("opencl", verify=True, division=division)), expected)
