"""Independent calls of recursive functions as tasks: values, errors and depths are those of one thread."""

import re

import numpy as np
import pytest

import aplc
from aplc.backends.native.run import Value
from aplc.explain.report import explain
from aplc.explain.text import lines
from aplc.options import Options
from aplc.tail.source import Source
from tests.support import compiling
from tests.support.machine import needs_threads

pytestmark = needs_threads

VECTOR = np.random.default_rng(7).standard_normal(300)
FIBONACCI = "{⍵<2:⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2} n"
QUICKSORT = "{1≥≢⍵:⍵ ⋄ p←⍵[⌊2÷⍨≢⍵] ⋄ (∇(⍵<p)/⍵),((⍵=p)/⍵),∇(⍵>p)/⍵} v"
MERGESORT = "{1≥≢⍵:⍵ ⋄ h←⌊2÷⍨≢⍵ ⋄ a←∇h↑⍵ ⋄ b←∇h↓⍵ ⋄ c←a,b ⋄ c[⍋c]} v"
IN_THREE = "{2≥≢⍵:⌽⍵ ⋄ k←⌊3÷⍨≢⍵ ⋄ (∇k↑⍵),(∇k↓(2×k)↑⍵),∇(2×k)↓⍵} v"
HIGHEST = "{h←(v[⍵]-w)×v[⍵] ⋄ l←(0<h)/⍵ ⋄ 0=≢l:,¯1 ⋄ t←⍵[h⍳⌈/h] ⋄ r←l~t ⋄ (∇(r<t)/r),t,∇(r>t)/r} ⍳≢v"
BY_ANOTHER = "{g←{⍵≤0:1 ⋄ 1+∇ ⍵-3} ⋄ f←{⍵<2:g ⍵ ⋄ (g ⍵)+(g ⍵-1)+(f ⍵-1)+f ⍵-2} ⋄ f ⍵} n"


def value(text: str, options: Options, **inputs: object) -> Value:
    program, arguments = compiling.compiled(text, options, **inputs)
    return program.run(arguments, lambda *_: None)[0]


def told(text: str, options: Options, **inputs: object) -> str:
    """The error that a program ends with."""
    with pytest.raises(aplc.AplcError) as failure:
        value(text, options, **inputs)
    return str(failure.value)


def everywhere(threads: int) -> Options:
    """In so many threads, also where little is to do."""
    return Options("openmp", verify=True, threads=threads)


PROGRAMS = [
    (FIBONACCI, {"n": 12}),
    (QUICKSORT, {"v": VECTOR}),
    (QUICKSORT, {"v": np.repeat(VECTOR[:9], 9)}),
    (MERGESORT, {"v": VECTOR}),
    (IN_THREE, {"v": VECTOR}),
    (HIGHEST, {"v": VECTOR, "w": 0.3}),
    (BY_ANOTHER, {"n": 9}),
]


@pytest.mark.parametrize(("text", "inputs"), PROGRAMS)
def test_values_are_those_of_the_interpreter(text: str, inputs: dict[str, object]) -> None:
    expected = np.asarray(aplc.run(text, target="interp", **inputs))
    assert "aplc_together" in compiling.c_of(text, everywhere(2), **inputs)
    for threads in (1, 2, 7):
        program, arguments = compiling.compiled(text, everywhere(threads), **inputs)
        for _ in range(3):
            (found,) = program.run(arguments, lambda *_: None)
            assert np.array_equal(found, expected)


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("{⍵<2:v[⍵] ⋄ (∇ ⍵-1)+∇ ⍵-2} n", {"n": 9, "v": np.arange(3)}),
        ("{⍵=0:v[⍵] ⋄ ⍵<2:⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2} n", {"n": 9, "v": np.arange(3)}),
        # What fails between calls fails behind the first of them.
        ("{⍵=0:v[9] ⋄ ⍵<2:⍵ ⋄ a←∇ ⍵-2 ⋄ b←v[⍵] ⋄ a+b+∇ ⍵-1} n", {"n": 9, "v": np.arange(8)}),
        ("{⍵<2:⍵ ⋄ a←∇ ⍵-2 ⋄ b←v[⍵] ⋄ a+b+∇ ⍵-1} n", {"n": 9, "v": np.arange(8)}),
        ("{1≥≢⍵:÷⍵ ⋄ (∇(⌊2÷⍨≢⍵)↑⍵),∇(⌊2÷⍨≢⍵)↓⍵} v", {"v": np.array([1.0, 2, 0, 4, 0, 5])}),
    ],
)
def test_the_first_error_is_that_of_one_thread(text: str, inputs: dict[str, object]) -> None:
    expected = told(text, Options("interp"), **inputs)
    for threads in (1, 2, 2, 3):
        assert told(text, everywhere(threads), **inputs) == expected


@pytest.mark.parametrize(("text", "in_parts"), [(HIGHEST, [1, 0, 0]), (QUICKSORT, [])])
def test_calls_in_tasks_have_the_loops_of_one_thread(text: str, in_parts: list[int]) -> None:
    """Where threads take parts of the loop the heights are in memory, elsewhere only the greatest is kept."""
    c = compiling.c_of(text, Options("openmp"), v=VECTOR, w=0.3)
    bodies = {name: body for name, body in re.findall(r"^static int (\w+)\(.*?\{$(.*?)^\}", c, re.M | re.S)}
    name = next((each.removesuffix("_first") for each in bodies if each.endswith("_first")), None)
    versions = [] if name is None else [bodies[f"{name}{more}"] for more in ("_first", "_tasks", "")]
    assert ["sizeof(double)" in each for each in versions] == in_parts
    assert [("loop_in_parts" in each) or ("omp parallel" in each) for each in versions] == in_parts


def test_what_a_trial_does_not_finish_is_done_in_tasks() -> None:
    """The budget of a trial is some 36,000 calls of 242,785."""
    assert value(FIBONACCI, Options("openmp", threads=2), n=25) == 75025
    assert value("+/{{⍵<2:⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2}⍵}¨m⍴n", Options("openmp", threads=3), m=3, n=22) == 3 * 17711
    large = np.random.default_rng(2).permutation(200_000).astype(float)
    assert np.array_equal(value(QUICKSORT, Options("openmp", threads=2), v=large), np.sort(large))


DEEP = "{⍵=1:(∇ n)+∇ n+1 ⋄ ⍵<4:⍵ ⋄ 1+∇ ⍵-2} 1"


def test_recursion_may_be_as_deep_as_in_one_thread() -> None:
    """400,000 calls do not fit the stack of a thread of OpenMP, a thousand times as many fit none."""
    n = 800_000
    assert value(DEEP, everywhere(2), n=n) == n + 3
    assert "LIMIT ERROR: the recursion is too deep" in told(DEEP, everywhere(2), n=1000 * n)


def test_a_recursion_without_an_end_fails_once_and_not_in_every_task() -> None:
    halves = "{1=≢⍵:⍵ ⋄ n←⌊2÷⍨≢⍵ ⋄ (∇n↑⍵),∇n↓⍵} v"
    assert "LIMIT ERROR: the recursion is too deep" in told(
        halves, Options("openmp", threads=2), v=VECTOR[:0]
    )


def test_a_limit_of_memory_is_that_of_all_threads() -> None:
    large = np.random.default_rng(2).permutation(100_000).astype(float)

    def limited(threads: int, limit: int) -> Options:
        return Options("openmp", threads=threads, memory_limit=limit)

    assert np.array_equal(value(QUICKSORT, limited(2, 20_000_000), v=large), np.sort(large))
    expected = told(QUICKSORT, limited(1, 1_000_000), v=large)
    assert "WS FULL" in expected
    assert told(QUICKSORT, limited(2, 1_000_000), v=large) == expected


def explained(text: str) -> str:
    return "\n".join(lines(explain([Source("text", text)], {}, Options("openmp"))))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{⍵<2:⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2} 9", "its calls at the same time, as tasks"),
        ("{⍵<2:⍵ ⋄ 1-∇ ⍵-1} 9", "its calls in one thread: there is one"),
        ("{⍵<2:⍵ ⋄ a←∇ ⍵-1 ⋄ a+∇ ⍵-a⌈2} 9", "each needs what another gives"),
        ("{⍵<2:⍵ ⋄ ⎕←⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2} 9", "it prints"),
        ("{⍵<2:?0 ⋄ (∇ ⍵-1)+∇ ⍵-2} 9", "draws by chance"),
    ],
)
def test_what_is_told_of_calls(text: str, said: str) -> None:
    assert said in explained(text)


def test_calls_with_effects_stay_in_order() -> None:
    text = "{⍵<2:⍵ ⋄ ⎕←⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2} 4"
    assert "aplc_together" not in compiling.c_of(text, everywhere(2))
    program, arguments = compiling.compiled(text, everywhere(2))
    printed: list[int] = []
    program.run(arguments, lambda shown, *_: printed.append(int(np.asarray(shown))))
    assert printed == [4, 3, 2, 2]
