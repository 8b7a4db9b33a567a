"""Rows of few elements: versions of loops for rows of two, three and four; what has none."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from aplc.laila.ir.settings import Settings
from aplc.options import Options
from tests.support import kernel_runs
from tests.support.compiling import c_of
from tests.support.days import of_today
from tests.support.kernel_runs import GRID, THREE, differs
from tests.support.machine import needs_c, needs_device, needs_threads

Value = np.ndarray[Any, Any]

NEAREST = "p{d←+/(⍺-⍤1⊢⍵)*2 ⋄ d⍳⌊/d}⍤1 2⊢4↑p"
ROWS = {
    "norms": "(+/p*2)*0.5",
    "products": "×/p",
    "greatest": "⌈/p",
    "alternating": "-/p",
    "how many": "+/1>+/p*2",
    "near": "(1>+/p*2)⌿p",
    "centre": "(+⌿p)÷≢p",
    "centred": "p-⍤1⊢(+⌿p)÷≢p",
    "box": "(⌈⌿p)-⌊⌿p",
    "directions": "p÷⍤1 0⊢1+(+/p*2)*0.5",
    "forces": "p{d←⍵-⍤1⊢⍺ ⋄ r←0.01++/d*2 ⋄ +⌿d×⍤1 0⊢÷r*1.5}⍤1 2⊢p",
    "distances": "(+/(p(-⍤1⍤1 2)p)*2)*0.5",
    "nearest": NEAREST,
    "steps": "({⍵+0.5×⍵÷⍤1 0⊢1+(+/⍵*2)*0.5}⍣3)p",
    "outer": "p(∘.×⍤1)p",
    "texts of places": "{+/⍎¨⍕⍵}¨{⊃⍋⍵}⍤1⊢p",
    "sums, used again": "s←+/p*2 ⋄ (+/s)(⌈/s)(p×⍤1 0⊢s)",
    "quotients": "+/÷p",
    "printed": "⎕←+/p ⋄ ⌈/p",
    "running sums": "+⍀p",
    "running extrema, twice": "m←⌈⍀p ⋄ (m-⌊⍀p)(⌈/,m-p)",
    "walk": "s←+⍀p ⋄ (⌈/+/s*2),+/∧/s=0",
}
PAIRS = {
    "products of rows": "+/p×q",
    "cross": "((1⌽p)×2⌽q)-(2⌽p)×1⌽q",
    "matches": "∧/p=q",
    "turned": "p+.×q",
    "projected": "p+.×⍉q",
    "numbers of digits": "-/p⊥q",
}
LENGTHS = range(6)

TARGETS = [
    pytest.param(Options("c", verify=True), marks=needs_c, id="c"),
    pytest.param(Options("c", verify=True, settings=Settings(strict_fp=True)), marks=needs_c, id="strict"),
    pytest.param(Options("openmp", verify=True, threads=3), marks=needs_threads, id="openmp"),
    pytest.param(Options("opencl", verify=True, division=THREE), marks=needs_device, id="opencl"),
    pytest.param(Options("opencl", verify=True, division=GRID), marks=needs_device, id="grid"),
]


def points(n: int, length: int, *, seed: int = 0) -> Value:
    """Points of whole numbers, halves and zeros."""
    return np.random.default_rng(seed).integers(-4, 9, (n, length)) / 2


def agree(text: str, options: Options, several: Sequence[dict[str, Value]]) -> None:
    """A program does what the interpreter does."""
    wrong = differs(text, options, several)
    assert not wrong, (text, [{name: value.shape for name, value in inputs.items()} for inputs in wrong])


def in_turn(programs: dict[str, str]) -> list[Any]:
    """Each program as C or in another way, by days: the versions are Laila's, for all targets the same."""
    others = itertools.cycle(TARGETS[1:])
    both = [(name, text, [TARGETS[0], next(others)]) for name, text in programs.items()]
    pairs = [(name, text, ways[k % 2 - part]) for k, (name, text, ways) in enumerate(both) for part in (0, 1)]
    return [
        pytest.param(text, *way.values, marks=way.marks, id=f"{name}-{way.id}")
        for name, text, way in of_today(pairs, 2)
    ]


@pytest.mark.in_turn(16)
@pytest.mark.parametrize(("text", "options"), in_turn(ROWS))
def test_values(text: str, options: Options) -> None:
    agree(text, options, [{"p": points(n, length)} for n, length in product((0, 1, 2, 37), LENGTHS)])


@pytest.mark.parametrize(("text", "options"), in_turn(PAIRS))
def test_values_of_pairs(text: str, options: Options) -> None:
    sizes = [(n, length, m) for n, length in product((1, 2, 33), LENGTHS) for m in {n, length, 5}]
    agree(text, options, [{"p": points(n, k), "q": points(m, k, seed=1)} for n, k, m in sizes])


@pytest.mark.parametrize("dtype", of_today([np.int64, np.int16, np.bool_, np.uint8, np.float32], 2))
@needs_c
def test_values_of_all_types(dtype: type) -> None:
    for text in ("+/p", "⌈/p", "(+⌿p)÷1⌈≢p", "p+.×⍉p", "∨/p>1", "p-⍤1⊢⌊⌿p"):
        agree(text, Options("c", verify=True), [{"p": points(19, k).astype(dtype)} for k in LENGTHS])


def version(text: str, length: int, **inputs: Value) -> str:
    """What the C does with rows of some length."""
    found = c_of(text, Options(), **{name: value for name, value in inputs.items() if name in text})
    return re.split(r"\n    } else", found[re.search(rf"p_n1 == {length}\b", found).end() :])[0]  # type: ignore[union-attr]


P = np.zeros((5, 3))


@pytest.mark.parametrize("text", [ROWS["norms"], ROWS["centred"], ROWS["directions"], ROWS["how many"]])
def test_rows_are_written_out(text: str) -> None:
    """There are no loops but those over the rows, or over half of them."""
    for length in (2, 3, 4):
        loops = re.findall(r"for \(.*?; \w+ < ([^;]*);", version(text, length, p=P))
        assert loops and set(loops) <= {"p_n0", "middle"}


@pytest.mark.parametrize("name", ["forces", "cross", "turned", "products of rows"])
def test_there_is_one_loop_for_what_shares_rows(name: str) -> None:
    """Three sums of forces, three elements of a product: in one loop, without memory of their own."""
    text = version({**ROWS, **PAIRS}[name], 3, p=P, q=P)
    assert text.count("for (") == (2 if name == "forces" else 1)
    assert "aplc_alloc" not in text


def test_what_a_length_tells_is_known_in_its_version() -> None:
    """Whether a few numbers again and again are the same for each row."""
    whole = "+/p×(⍴p)⍴77 150 29"
    assert "repeats" in c_of(whole, Options(), p=P)
    assert all("repeats" not in version(whole, length, p=P) for length in (2, 3, 4))


def test_scans_of_columns_share_a_loop() -> None:
    """Folds along their rows take them in: nothing is written."""
    for length in (2, 3, 4):
        text = version(ROWS["walk"], length, p=P)
        loops = re.findall(r"for \(.*?; \w+ < ([^;]*);", text)
        assert loops == ["whole", "p_n0"]  # a few rounds at a time, and those that are left
        assert "aplc_alloc" not in text


def test_columns_have_accumulators() -> None:
    text = version(ROWS["centre"], 3, p=P)
    assert "#pragma omp simd reduction(+:s, s1, s2" in text


@pytest.mark.parametrize(
    "text",
    [
        "2×p",
        "+/,p",
        "⍉p",
        "+/v",
        "p[2;]",
        "({(⍵+(1⌽⍵)+(¯1⌽⍵)+(1⊖⍵)+¯1⊖⍵)÷5}⍣9)p",
        "+/3 4⍴v",
        "+/⍤1⊢1000 3⍴v",
        "+⍀+\\p",
    ],
)
def test_nothing_stands_twice_where_nothing_is_gained(text: str) -> None:
    inputs = {name: value for name, value in {"p": P, "v": np.zeros(5)}.items() if name in text}
    assert not re.search(r"_n1 == \d", c_of(text, Options(), **inputs))


def test_rows_of_which_few_are_chosen_are_those_of_a_square() -> None:
    """No more rows are chosen than there are: where these are as many as columns, all is small."""
    text = "s←(≢m)↑1\n:While ∨/s\nt←s\ns←(s<t)∧∨⌿s⌿m\n⎕←+/s\n:EndWhile"
    graph = np.zeros((5, 5), bool)
    assert not re.search(r"_n1 == \d", c_of(text, Options(), m=graph))


BLENDED = "a←p[;1]÷7 ⋄ r←⌊0.5+(q×⍤1 0⊢1-a)+(0 ¯1↓p)×⍤1 0⊢a\n⎕←r"


def test_rows_of_which_one_has_an_element_more() -> None:
    """Both lengths are numbers in a version, and what each row has of its own is not written."""
    text = c_of(BLENDED, Options(), p=P.astype(np.int16), q=P[:, 1:].astype(np.int16))
    (found,) = re.findall(r"q_n1 == 3\)+ \{(.*?)\n    \} else", text, re.DOTALL)
    assert found.count("for (") == 1 and "p[4 * i + 2]" in found and "q[3 * i + 2]" in found


@needs_c
def test_values_of_rows_of_which_one_has_an_element_more() -> None:
    sizes = [(n, k) for n, k in product((0, 1, 2, 33), LENGTHS) if k]
    pairs = [{"p": points(n, k), "q": points(n, max(0, k - d))} for n, k in sizes for d in (0, 1, 2)]
    agree(BLENDED, Options("c", verify=True), pairs)


def test_long_programs_do_not_grow_without_end() -> None:
    """So many spans stand in versions; the rest stays."""
    text = "\n".join([f"x{k}←{k}+(+/p*{k})*0.5 ⋄ ⎕←x{k}" for k in range(2, 60)])
    found = c_of(text, Options(), p=P)
    assert 0 < found.count("p_n1 == 3") < 40


def test_kernels_have_versions() -> None:
    _, device = kernel_runs.host_and_kernels(ROWS["norms"], {"p": P})
    assert "3 *" in device
