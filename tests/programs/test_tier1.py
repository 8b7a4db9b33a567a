"""Tier 1 means the same to the reference interpreter, before and after the passes, as by `plain_apl`.
C does what the interpreter does.

A longer campaign is `python -m tests.tier1_programs`, with `--target c` for C.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from aplc.backends.c import expressions as c_expr
from aplc.tail import prims
from aplc.tail.types import Base
from tests.fuzz_targets import AGREED, COMPARED, DIFFERS, REJECTED
from tests.support.days import DAY
from tests.support.machine import needs_c
from tests.support.plain_apl import definitions as plain_apl
from tests.support.plain_apl.array import A
from tests.support.plain_apl.literals import a, empty
from tests.support.tier1.operators import PRODUCTIONS
from tests.tier1_programs import (
    WAYS,
    Program,
    Recorded,
    agrees,
    as_numpy,
    as_plain,
    by_interpreter,
    failure,
    generate,
    minimised,
    observe,
    on_c,
    programs,
    random_program,
)

PROGRAMS_OF_AN_ENTRY = 5

SCALAR = "+-×÷*⍟⌈⌊|!○"
MONADIC = SCALAR + "?~⊢⊣⍴⍳,⍪⌽⊖⍉⊃≡≢∊⍋⍒⍸∪⌷⌹⍕"
DYADIC = SCALAR + "?<≤=≥>≠∧∨⍲⍱⊢⊣⍴⍳,⍪⌽⊖⍉↑↓⊃≡≢∊⍸∪∩~/⌿\\⍀⌷⊥⊤⌹⍷⍕"
OTHERS = {
    "⌽⊖": ("monadic with axis", "dyadic with axis"),
    ",⍪": ("dyadic with axis", "laminate"),
    "/⌿\\⍀": ("dyadic with axis", "of a function", "of a function with axis"),
    "/⌿": ("of a function, n-wise",),
    "[": ("index",),
    "¨": ("of a function of one argument", "of a function of two arguments"),
    "⍨": ("commute",),
    "∘": ("composition", "with an array"),
    ".": ("outer product", "inner product"),
    "⍤": ("composition", "rank, one argument", "rank, two arguments"),
    "⍥": ("composition",),
    "⍣": ("number", "boolean", "match", "until", "inverse", "digits"),
    "@": ("indices", "mask"),
    "⌸": ("places", "items"),
    "⊂⊆": ("nested", "of records"),
    "⌺": ("windows",),
    "J": ("arithmetic", "sums", "search"),
    "{": ("of one argument", "of two arguments"),
    "(": ("train",),
}
"""What programs are made of: the table of functions, the operators, and complex numbers."""


def required() -> set[tuple[str, str]]:
    found = {(s, "monadic") for s in MONADIC} | {(s, "dyadic") for s in DYADIC}
    return found | {(s, use) for symbols, uses in OTHERS.items() for s in symbols for use in uses}


def test_the_programs_hold_all_of_tier_1() -> None:
    assert required() - set(PRODUCTIONS) == set()


def test_the_plain_definition_holds_all_of_tier_1() -> None:
    assert set(MONADIC) - set(plain_apl.MONADIC) == {"?"}
    assert set(DYADIC) - set(plain_apl.DYADIC) == {"?"}


@pytest.mark.parametrize("key", PRODUCTIONS, ids=" ".join)
def test_each_function_and_operator(key: tuple[str, str]) -> None:
    random = Random(crc32(" ".join(key).encode()))
    for _ in range(PROGRAMS_OF_AN_ENTRY):
        program = random_program(random, PRODUCTIONS[key])
        why = failure(program)
        assert not why, f"{why}\n{program}"


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_programs(program: Program) -> None:
    why = failure(program)
    assert not why, f"{why}\n{program}"


# --- C --------------------------------------------------------------------------------------------------

BATCHES_OF_C = {0: (0, 2), 1: (0, 3), 2: (1, 2)}
"""The levels of each batch; together they hold a program of every function and operator."""
ROUND = DAY % 1000
"""Every day other programs."""


@pytest.mark.in_turn(6)
@needs_c
@pytest.mark.parametrize("batch", BATCHES_OF_C)
def test_programs_on_c(batch: int) -> None:
    entries = list(PRODUCTIONS.values())
    seeds = [ROUND * len(entries) + k for k in range(batch, len(entries), len(BATCHES_OF_C))]
    programs = [random_program(Random(seed), entries[seed % len(entries)]) for seed in seeds]
    outcomes = on_c(programs, BATCHES_OF_C[batch])
    shown = [
        f"{s}: {o.detail}\n{p}" for s, p, o in zip(seeds, programs, outcomes, strict=True) if o.is_failure
    ]
    assert not shown, "\n".join(shown)
    assert sum(o.status in COMPARED for o in outcomes) > len(programs) / 2


@pytest.mark.in_turn(6)
@needs_c
def test_what_c_does_wrong_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(c_expr.SPELLING, prims.LCMI, c_expr.Named("aplc_gcd"))
    right, wrong = Program("∨/I1", {"I1": a([3, 4])}, a(1)), Program("∧/I1", {"I1": a([3, 4])}, a(12))
    storages = {"I1": "int64"}
    refused = Program("1 2+1 2 3", {}, frozenset({"LENGTH ERROR"}))
    programs = [refused, *[replace(p, storages=storages) for p in (right, wrong)]]
    assert [o.status for o in on_c(programs, (0, 2))] == [REJECTED, AGREED, DIFFERS]

    entry, judge = PRODUCTIONS["∧", "dyadic"], by_interpreter((0,))
    choosers = [Recorded(random=Random(seed)) for seed in range(12)]
    made = [generate(chooser, entry) for chooser in choosers]
    failing = [k for k, (_, why) in enumerate(judge(made)) if why]
    least = minimised(choosers[failing[0]].made, entry, 5, judge, 12)
    assert "∧" in least.text
    assert len(least.text) <= len(made[failing[0]].text)
    assert judge([least])[0][1].startswith(DIFFERS)


# --- what random programs do not meet -------------------------------------------------------------------

LARGEST = 1.7976931348623157e308

EXACTLY: dict[str, A | frozenset[str]] = {
    "(1 1⍴5)+1 2 3": a([6, 7, 8]),
    "(1 1⍴5)+,3": a([[8]]),
    "⌈/⍬": a(-(2**63)),
    "⌊/⍬": a(2**63 - 1),
    "⌈/0⍴0.5": a(-LARGEST),
    "⌊/0⍴0.5": a(LARGEST),
    "0÷0": a(1.0),
    "1÷0": frozenset({"DOMAIN ERROR"}),
    "0*0": a(1.0),
    "0|5": a(5),
    "¯5|3": a(-2),
    "×0": a(0),
    "-/1 2 3 4": a(-2),
    "-\\1 2 3 4": a([1, -1, 2, -2]),
    "⌊1E300": frozenset({"DOMAIN ERROR"}),
    "×/⍳3": a(6),
    "+/1 1=1": a(2),
    "''≡⍬": a(False),
    "⊃''": a(" ", ()),
    "⊃0 3⍴1.5": a(0.0),
    "≢5": a(1),
    "0 3⍴5": empty("int", 0, 3),
    "2 3⍴⍬": a([[0, 0, 0], [0, 0, 0]]),
    "3⍴''": a("   "),
    "⍬⍴7 8": a(7),
    "⍋3 1 2 1": a([2, 4, 3, 1]),
    "⍒3 1 2 1": a([1, 3, 2, 4]),
    "1 ¯2 3 ¯4 5/⍳5": a([1, 0, 0, 3, 3, 3, 0, 0, 0, 0, 5, 5, 5, 5, 5]),
    "2.0⌷10 20 30": a(20),
    "2.5⌷10 20 30": frozenset({"DOMAIN ERROR"}),
    "'abc'⍳1 2": a([4, 4]),
    "'a'=1": a(False),
    "9223372036854775807+1": a(-(2**63)),
    "9223372036854775808=2*63": a(True),
    "10 10⊤¯1": a([9, 9]),
    "¯1!5": a(0.0),
    "2+/⍳0": frozenset({"LENGTH ERROR"}),
    "0+/1 2": a([0, 0, 0]),
    "⍲/⍬": frozenset({"DOMAIN ERROR"}),
}


@pytest.mark.parametrize("text", EXACTLY)
def test_corners(text: str) -> None:
    assert not failure(Program(text, {}, EXACTLY[text]))


# --- the comparison -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "result", "same"),
    [
        (a([1, 2]), a([1, 2]), True),
        (a([1, 2]), a([1.0, 2.0]), False),
        (a([1, 2]), a([[1, 2]]), False),
        (a(1.0), a(1.0 + 1e-12), True),
        (a(1.0), a(1.0 + 1e-6), False),
        (a(float("nan")), a(float("nan")), True),
        (a(float("inf")), a(1e308), False),
        (a(1), frozenset({"RANK ERROR"}), False),
        (frozenset({"RANK ERROR"}), a(1), False),
        (frozenset({"RANK ERROR", "LENGTH ERROR"}), frozenset({"RANK ERROR"}), True),
        (frozenset({"RANK ERROR"}), "UNSUPPORTED: something", False),
        (a(1), "InternalError: a bug", False),
    ],
)
def test_results_agree(expected: A | frozenset[str], result: A | frozenset[str] | str, same: bool) -> None:
    assert agrees(expected, result) == same


def test_observations() -> None:
    program = Program("I1+1", {"I1": a([1, 2])}, a([2, 3]), {"I1": "int8"})
    assert observe(program, WAYS[0]) == a([2, 3])
    assert observe(Program("1 2+1 2 3", {}, a(1)), WAYS[0]) == frozenset({"LENGTH ERROR"})
    assert "UNSUPPORTED" in str(observe(Program("⍸5", {}, a(1)), WAYS[0]))
    assert failure(Program("1+1", {}, a(3)))


def test_arrays_go_there_and_back() -> None:
    arrays = {"int16": a([[1, 2]]), "float32": a(1.5), "bool": a([True]), "float64": empty("double", 0, 2)}
    for dtype, array in arrays.items():
        assert as_plain(as_numpy(array, dtype), Base(array.kind)) == array
    assert as_plain(np.array([[97, 233]], np.uint32), Base.CHAR) == a(["aé"])


def test_random_programs_are_of_every_sort() -> None:
    made = [random_program(Random(seed)) for seed in range(400)]
    sorts: Counter[str] = Counter()
    tests: dict[str, Callable[[Program], bool]] = {
        "an error": lambda p: isinstance(p.expected, frozenset),
        "an input": lambda p: bool(p.inputs),
        "no input": lambda p: not p.inputs,
        "empty": lambda p: isinstance(p.expected, A) and not p.expected.data,
        "a scalar": lambda p: isinstance(p.expected, A) and p.expected.shape == (),
        "rank 3": lambda p: isinstance(p.expected, A) and p.expected.rank >= 3,
        "a statement": lambda p: "←" in p.text,
    }
    for name, test in tests.items():
        sorts[name] = sum(map(test, made))
    assert min(sorts.values()) >= 10, sorts
