"""Mutants change one place, in functions that others have imported already."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutation import MODULES, SUITE, chosen, in_fork
from tests.support.mutants import Site, apply, sites, watch

TEXT = '''
from functools import cache

LIMIT = 1

def classify(n):
    """0 or 1 in a docstring are no places."""
    assert n != 2, "nor are assertions"
    if n < 10 and not n % 2:
        return "small"
    return [k for k in range(n) if k]

class Counter:
    @property
    def next(self):
        for k in range(3):
            if k == 1:
                break
        return k + LIMIT

@cache
def kept():
    return True

uses = classify
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    tmp_path.joinpath("mutable.py").write_text(TEXT, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "mutable"
    sys.modules.pop("mutable", None)


def changes(found: list[Site]) -> list[str]:
    return [f"{site.function} {site.change}" for site in found]


def test_places(module: str) -> None:
    assert changes(sites(module)) == [
        "classify negated: n < 10 and (not n % 2) → not (n < 10 and (not n % 2))",
        "classify and-or: n < 10 and (not n % 2) → n < 10 or not n % 2",
        "classify condition dropped: n < 10 and (not n % 2) → not n % 2",
        "classify condition dropped: n < 10 and (not n % 2) → n < 10",
        "classify compare: n < 10 → n <= 10",
        "classify constant: 10 → 11",
        "classify not dropped: not n % 2 → n % 2",
        "classify operator: n % 2 → n // 2",
        "classify constant: 2 → 3",
        "classify result dropped: return [k for k in range(n) if k] → return None",
        "classify filter dropped: for k in range(n) if k → for k in range(n)",
        "Counter.next constant: 3 → 4",
        "Counter.next negated: k == 1 → not k == 1",
        "Counter.next compare: k == 1 → k != 1",
        "Counter.next constant: 1 → 2",
        "Counter.next loop: break → continue",
        "Counter.next result dropped: return k + LIMIT → return None",
        "Counter.next operator: k + LIMIT → k - LIMIT",
        "kept constant: True → False",
    ]


@pytest.mark.parametrize(
    ("change", "call", "before", "after"),
    [
        ("compare: n < 10", "uses(10)", list(range(1, 10)), "small"),
        ("filter dropped", "uses(3)", [1, 2], [0, 1, 2]),
        ("loop: break", "Counter().next", 2, 3),
        ("operator: k + LIMIT", "Counter().next", 2, 0),
        ("constant: True", "kept.__wrapped__()", True, False),
    ],
)
def test_a_mutant_is_seen_by_those_who_imported_the_function(
    module: str, change: str, call: str, before: object, after: object
) -> None:
    names = vars(importlib.import_module(module))
    (site,) = [site for site in sites(module) if change in site.change]
    assert eval(call, names) == before
    assert apply(site)
    assert eval(call, names) == after


def test_calls_are_told(module: str) -> None:
    called: set[str] = set()
    names = vars(importlib.import_module(module))
    watch(module, called)
    assert names["uses"](4) == "small" and names["Counter"]().next == 2
    assert called == {"mutable.classify", "mutable.Counter.next"}


def test_work_in_a_fork() -> None:
    assert in_fork(lambda: b"done", 60) == (0, b"done")

    def fails() -> bytes:
        raise SystemExit("not to be seen by the parent")

    assert in_fork(fails, 60)[0] != 0


def test_mutants_are_chosen_by_a_seed() -> None:
    first, again, other = (chosen(9, seed, MODULES[:2]) for seed in (1, 1, 2))
    assert first == again != other and len({site.name for site in first}) > 5


def test_what_is_named_is_there() -> None:
    for name in MODULES:
        assert importlib.util.find_spec(name) is not None, name
    tests = [f"tests/{folder}/test_{name}.py" for folder, names in SUITE.items() for name in names.split()]
    assert [path for path in tests if not Path(path).is_file()] == []
