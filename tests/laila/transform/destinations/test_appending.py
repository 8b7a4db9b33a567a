"""Recursive functions that join results of their calls: what they give, and that nothing is copied for it."""

import re
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c, needs_threads

RULER = "{⍵=0:,1 ⋄ (∇⍵-1),⍵,∇⍵-1}"
HANOI = "{⍺←1 2 3 ⋄ (f t v)←⍺ ⋄ ⍵=0:0 2⍴0 ⋄ ((f v t)∇⍵-1)⍪(f,t)⍪(v t f)∇⍵-1}"
QUICK = "{1≥≢⍵:⍵ ⋄ p←⊃⍵ ⋄ (∇(⍵<p)/⍵),((⍵=p)/⍵),∇(⍵>p)/⍵}"
APPENDED = {
    "a ruler": (RULER, 2),
    "moves": (HANOI, 2),
    "letters": ("{⍵=0:,'A' ⋄ (∇⍵-1),'B',∇⍵-1}", 2),
    "truth values": ("{⍵=0:⍵=1 ⋄ (∇⍵-1),(⍵>2),~∇⍵-1}".replace("⍵=1 ⋄", ",⍵=1 ⋄"), 2),
    "nothing": ("{⍵=0:0⍴0.5 ⋄ 1.5,(∇⍵-1),⍵,∇⍵-2⌊⍵}", 2),
    "changed in place": ("{⍵=0:,0 ⋄ (2×∇⍵-1),10+∇⍵-1}", 2),
    "twice": ("{⍵=0:,0 ⋄ r←∇⍵-1 ⋄ r,⍵,r}", 1),
    "made of what is there": ("{⍵=0:,1=0 ⋄ r←∇⍵-1 ⋄ r,~r}", 1),
    "one after the other": ("{⍵=0:,7 ⋄ ⍵=1:⍬ ⋄ ⍵=4:∇2 ⋄ (∇⍵-1),∇⍵-2}", 3),
    "rows of cubes": ("{⍵=0:2 2 2⍴⍳8 ⋄ (∇⍵-1)⍪1+∇⍵-1}", 2),
    "other rows": ("{⍵=0:0 2⍴0 ⋄ m←⍵ 2⍴⍳2×⍵ ⋄ (∇⍵-1)⍪m⍪∇⍵-1}", 2),
    "two results": ("{⍵=0:(,1)(,'a') ⋄ (a b)←∇⍵-1 ⋄ (c e)←∇⍵-1 ⋄ (a,⍵,c)(b,'x',e)}", 4),
    "in each branch": ("{⍵=0:⍬ ⋄ 2|⍵:(∇⍵-1),⍵,∇⍵-1 ⋄ ⍵,(∇⍵-1),∇⍵-2}", 4),
}
"""Functions of a number, and how many results of calls they append."""


def laila(text: str, ty: str = "[int]0") -> str:
    return str(aplc.fn(text).emit("laila", ty))


def outcome(text: str, target: str, argument: Any, **options: Any) -> Any:
    try:
        value = aplc.fn(text, target=target, **options)(argument)
    except aplc.AplcError as error:
        return str(error)
    return [np.asarray(v) for v in value] if isinstance(value, tuple) else [np.asarray(value)]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    pairs = zip(one, other, strict=True)
    return all(a.shape == b.shape and a.dtype.kind == b.dtype.kind and (a == b).all() for a, b in pairs)


@pytest.mark.parametrize("name", APPENDED)
def test_results_of_calls_are_appended(name: str) -> None:
    text, calls = APPENDED[name]
    function = laila(text).partition("give")[0]
    found = re.findall(r"call (.*) = ", function)
    assert sum(len(re.findall(r"\bd(?:_\d+)?\[", results)) for results in found) == calls
    kept = re.findall(r"alloc .*", function)
    assert [a for a in kept if not re.search(r"(in|of) d|int\[3\]", a) and name != "other rows"] == []


@needs_c
@pytest.mark.parametrize("name", APPENDED)
def test_they_are_what_they_were(name: str) -> None:
    text, _ = APPENDED[name]
    for n in (0, 1, 2, 7):
        assert same(outcome(text, "c", n), outcome(text, "interp", n)), n


@needs_c
@pytest.mark.parametrize(
    "text",
    [
        "{⍵=0:,0 ⋄ r←∇⍵-1 ⋄ s←∇⍵-1 ⋄ s,⍵,r}",
        "{⍵=0:,0 ⋄ r←∇⍵-1 ⋄ r,+/r}",
        "{⍵=0:,0 ⋄ r←∇⍵-1 ⋄ (⌽r),r}",
        "{⍵=0:,0 ⋄ r←∇⍵-1 ⋄ r,(∇⍵-1),r}",
        "{⍵=0:,0 ⋄ r←∇⍵-1 ⋄ (2×r),(∇⍵-1),r}",
        "{⍵=0:,0 ⋄ r←∇⍵-1 ⋄ s←∇⍵-1 ⋄ r,(⌽r),s,(⌽s),⍵,-s}",
        "{⍵=0:,'x' ⋄ r←∇⍵-1 ⋄ r,(70⍴'ab'),⌽r}",
        "{⍵≤0:3↑7 ⋄ ⍵=4:⍳⍵ ⋄ (∇⍵-1),(⍵⍴⍵),1+∇⍵-3}",
        "{⍵=0:1 0⍴0 ⋄ r←∇⍵-1 ⋄ (0,r)⍪1,⊖r}",
        "{⍵=0:2 2⍴⍳4 ⋄ (∇⍵-1),1+∇⍵-1}",
        "{⍵=0:1 0⍴0 ⋄ (∇⍵-1)⍪∇⍵-1}",
    ],
)
def test_orders_changes_and_other_axes(text: str) -> None:
    for n in (0, 1, 2, 5, 6):
        assert same(outcome(text, "c", n), outcome(text, "interp", n)), n


@needs_c
@pytest.mark.parametrize(
    "text",
    [
        "{⍵≤0:,7 ⋄ (∇⍵-1),(1 2 3[⍵]),10 20[⍵]+∇⍵-3}",
        "{⍵≤0:10÷⍵ ⋄ (∇⍵-2),(10÷⍵-1),∇⍵-3}",
        "{⍵=0:1 2⍴0 ⋄ ⍵=3:2 3⍴1 ⋄ (∇⍵-1)⍪(⍵,-⍵)⍪∇⍵-1}",
        "{⍵=0:1 2⍴0 ⋄ ⍵=3:2 3⍴1 ⋄ (∇⍵-2⌊⍵)⍪5+∇⍵-1}",
        "{⍵=0:0 2⍴0 ⋄ m←(⍵,2+⍵>2)⍴⍳3×⍵ ⋄ (∇⍵-1)⍪m⍪∇⍵-1}",
    ],
)
def test_errors_are_those_that_come_first(text: str) -> None:
    found = [outcome(text, "interp", n) for n in range(6)]
    assert any(isinstance(each, str) for each in found)
    for n, wanted in enumerate(found):
        assert same(outcome(text, "c", n), wanted), n


@needs_c
def test_vectors_in_parts() -> None:
    random = np.random.default_rng(3)
    for v in (np.array([], np.int64), np.array([3]), random.integers(0, 99, 700), random.random(300)):
        assert same(outcome(QUICK, "c", v), [np.sort(v)])


def test_a_call_that_is_wanted_elsewhere_is_an_array() -> None:
    assert "call d" not in laila("{⍵=0:,0 ⋄ r←∇⍵-1 ⋄ (⌽r),r}")


def test_extents_that_are_the_same_in_all_calls_are_not_compared() -> None:
    assert "check" not in laila(HANOI)
    assert "check" in laila("{⍵=0:1 2⍴0 ⋄ ⍵=3:2 3⍴1 ⋄ (∇⍵-1)⍪(⍵,-⍵)⍪∇⍵-1}")


@needs_c
def test_memory_has_a_limit_and_calls_are_too_deep() -> None:
    assert "WS FULL" in outcome(RULER, "c", 22, memory_limit=5_000_000)
    assert same(outcome(RULER, "c", 14, memory_limit=5_000_000), outcome(RULER, "interp", 14))
    deep = "{⍵<0:,1 ⋄ (∇⍵+1),⍵,∇⍵+1}"
    assert "LIMIT ERROR" in outcome(deep, "c", 0)


@needs_c
def test_functions_of_others_and_of_items() -> None:
    for text in (
        "{f←{⍵=0:,1 ⋄ (∇⍵-1),⍵,∇⍵-1} ⋄ +/¨f¨⍳⍵}",
        "{f←{⍵=0:,1 ⋄ (∇⍵-1),⍵,∇⍵-1} ⋄ ∊f¨⍳⍵}",
        "{f←{⍵=0:,1 ⋄ (∇⍵-1),⍵,∇⍵-1} ⋄ (f ⍵),f 1+⍵}",
        "{k←⍵⍴9 ⋄ f←{⍵=0:k ⋄ (∇⍵-1),(⍵↑k),∇⍵-1} ⋄ f ⍵}",
        "{f←{n←⍵ ⋄ g←{⍵≤0:,7 ⋄ (f ⍵-1),n,f ⍵-2} ⋄ ⍵≤0:⍳2 ⋄ (g ⍵-1),⍵,g ⍵-2} ⋄ f ⍵}",
    ):
        for n in (0, 1, 6):
            assert same(outcome(text, "c", n), outcome(text, "interp", n)), text


@needs_threads
def test_threads_have_what_they_had() -> None:
    for text in (RULER, HANOI, "{f←{⍵=0:,1 ⋄ (∇⍵-1),⍵,∇⍵-1} ⋄ +/¨f¨⍳⍵}"):
        assert same(outcome(text, "openmp", 7), outcome(text, "interp", 7))


def test_items_that_are_matrices_are_copied_once() -> None:
    text = laila("{f←{⍵=0:⍵ 2⍴0 ⋄ 2<⍵:⍵ 3⍴0 ⋄ (∇⍵-1)⍪∇⍵-1} ⋄ f¨⍳⍵}")
    assert re.search(r"MAP items\[.*\] over (\w+) < \((\w+) \* (\w+)\) \{", text)
