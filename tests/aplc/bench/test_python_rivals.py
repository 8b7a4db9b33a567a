"""Numba and JAX beside compiled APL: values as those of NumPy, and what is told where they are not there."""

from __future__ import annotations

import numpy as np
import pytest

from aplc.bench import command, python_rivals, results
from aplc.bench.measure import Plan, agrees
from aplc.bench.results import Refusal
from aplc.bench.rival import Rival
from aplc.bench.suite import SUITE, Benchmark

PROGRAMS = {each.numpy.__name__: each for each in SUITE}


def _programs(names: list[str]) -> list[Benchmark]:
    return [PROGRAMS[name] for name in names]


def test_numba_agrees_with_numpy() -> None:
    """As Python: the compiler takes seconds for each of them."""
    in_numba = pytest.importorskip(
        "aplc.bench.in_numba", reason="NOT CHECKED: no Numba", exc_type=ImportError
    )
    for each in _programs(list(in_numba.KERNELS)):
        arguments = each.arguments(each.tiny)
        function, _ = in_numba.KERNELS[each.numpy.__name__]
        with np.errstate(over="ignore"):
            value = function(*python_rivals.parts(arguments))
        assert agrees(value, each.numpy(*arguments)), each.name


def test_jax_agrees_with_numpy() -> None:
    in_jax = pytest.importorskip("aplc.bench.in_jax", reason="NOT CHECKED: no JAX", exc_type=ImportError)
    for name in ("signal", "life", "integral", "easter_rounds"):
        each = PROGRAMS[name]
        arguments = each.arguments(each.tiny)
        assert agrees(in_jax.call_of(name, arguments)(), each.numpy(*arguments)), name


def test_numba_compiles_at_the_first_call() -> None:
    pytest.importorskip("numba", reason="NOT CHECKED: no Numba")
    each = PROGRAMS["total"]
    arguments = each.arguments(each.tiny)
    found = list(python_rivals.by_python("total", arguments, 1))
    rivals = {rival.column: rival for rival in found if isinstance(rival, Rival)}
    assert rivals[results.NUMBA].compiles
    assert agrees(rivals[results.NUMBA].call(), each.numpy(*arguments))


def test_what_nobody_would_write_has_a_reason() -> None:
    each = PROGRAMS["word_counts"]
    found = list(python_rivals.by_python("word_counts", each.arguments(each.tiny), 1))
    assert all(isinstance(one, Refusal) and one.reason == python_rivals.NOT_WRITTEN for one in found)


def test_what_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_rivals, "is_there", lambda module: False)
    assert list(python_rivals.by_python("total", (), 1)) == []
    missing = command.absent(Plan())
    assert "aplc[bench]" in missing[results.NUMBA]
    assert "pip install jax" in missing[results.JAX]
    assert python_rivals.versions() == {}
