"""Functions of reals are as near to the exact values as docs/trust.md claims, at points of each kind."""

from __future__ import annotations

import importlib.util
import math
import re

import pytest

from tests.support.machine import needs_c, needs_device, needs_threads
from tests.support.paths import ROOT

if importlib.util.find_spec("mpmath") is None:
    pytest.skip(
        "NOT CHECKED: mpmath is not installed; pip install -e '.[dev]' brings it", allow_module_level=True
    )

from mpmath import mpf

from tests.support.tables.ulp_points import FUNCTIONS, LAST
from tests.ulp import BOUNDS, ON_DEVICE, OVERFLOWS, TARGETS, Cases, claimed, measure, ulps

POINTS = 12
DOCS = ROOT / "docs" / "trust.md"
MARKS = {"c": needs_c, "strict": needs_c, "openmp": needs_threads, **dict.fromkeys(ON_DEVICE, needs_device)}


@pytest.fixture(scope="module")
def cases() -> list[Cases]:
    return [Cases.of(function, POINTS) for function in FUNCTIONS.values()]


@pytest.mark.in_turn(8)
@pytest.mark.optimised
@pytest.mark.parametrize("target", [pytest.param(t, marks=MARKS[t]) if t in MARKS else t for t in TARGETS])
def test_errors_are_within_what_is_claimed(target: str, cases: list[Cases]) -> None:
    given = [
        case.without((LAST,)) if target in OVERFLOWS.get(case.function.name, ()) else case for case in cases
    ]
    worst = measure(given, TARGETS[target])
    bounds = [BOUNDS[case.function.name][target in ON_DEVICE] for case in cases]
    beyond = [
        (case.function.name, each)
        for case, each, bound in zip(cases, worst, bounds, strict=True)
        if each.ulps > bound
    ]
    assert not beyond


def test_the_claims_are_those_of_the_table() -> None:
    section = DOCS.read_text("utf-8").partition("\n## Ulp table\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \|.*\| ([^|]+) \|$", section, re.MULTILINE)
    assert dict(rows) == {name: claimed(name) for name in FUNCTIONS}


@pytest.mark.parametrize(
    ("computed", "exact", "error"),
    [
        (1.0, mpf(1), 0.0),
        (1.0, mpf(1) + mpf(2) ** -53, 0.5),
        (5e-324, mpf(0), math.inf),
        (0.0, mpf(5e-324) / 2, 0.5),
        (math.inf, mpf(2) ** 2000, 0.0),
        (math.inf, mpf(2) ** 1024 - mpf(2) ** 971, 1.0),
        (1.7976931348623157e308, mpf(2) ** 1024, 1.0),
        (-math.inf, mpf(2) ** 1024, math.inf),
        (math.nan, mpf(1), math.inf),
    ],
)
def test_units_in_the_last_place(computed: float, exact: mpf, error: float) -> None:
    assert ulps(computed, exact) == error or (error == math.inf and ulps(computed, exact) > 1e15)
