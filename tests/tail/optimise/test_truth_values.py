"""Integers that are zeros and ones become truth values, and only those."""

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName

GRAPH = np.random.default_rng(7).random((9, 9)) < 0.2
EMPTY = np.zeros((0, 0), bool)


def kept(text: str) -> bool:
    """Whether greatest common divisors or least common multiples are left in a function of a matrix."""
    found = aplc.fn(text).emit("tail-opt", "[bool]2")
    return "gcdi" in found or "lcmi" in found


@pytest.mark.parametrize(
    "text",
    [
        "{a←⍵ ⋄ {⍵∨a∨.∧⍵}⍣≡(≢a)↑1}",
        "{a←⍵ ⋄ s←(≢a)⍴0 ⋄ s[1]←1 ⋄ {⍵∨a∨.∧⍵}⍣≡s}",
        "{a←⍵ ⋄ s←1,(¯1+≢a)⍴0 ⋄ t←{⍵∨a∨.∧⍵}⍣3⊢s ⋄ t∨⌽s}",
        "{a←⍵ ⋄ s←(≢a)↑1 ⋄ d←(≢a)⍴¯1 ⋄ k←0 ⋄ d⊣{d[⍸⍵]←k ⋄ k+←1 ⋄ (d<0)∧a∨.∧⍵}⍣{~∨/⍺}s}",
        "{m←(⍴⍵)⍴1 0 1 ⋄ m∨⍉m∧⍵}",
        "{a←⍵ ⋄ s←(≢a)↑1 ⋄ t←{⍵=0:s ⋄ a∧.∨∇⍵-1}2 ⋄ {a∨.∧⍵}s∨0<t}",
        "{s←(≢⍵)⍴0 ⋄ s[1↑⍸⊢/⍵]←1 ⋄ {⍵∨1}¨s}",
    ],
)
@pytest.mark.in_turn(4)
@pytest.mark.parametrize("target", ["c", "openmp"])
def test_truth_values(text: str, target: TargetName) -> None:
    assert not kept(text)
    compiled, meant = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    for graph in (GRAPH, EMPTY, GRAPH[:1, :1]):
        found = [_outcome(f, graph) for f in (compiled, meant)]
        assert found[0] == found[1]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    "text",
    [
        "{a←⍵ ⋄ s←(≢a)↑2 ⋄ {⍵∨a∨.∧⍵}⍣≡s}",
        "{a←⍵ ⋄ s←(≢a)⍴0 ⋄ s[1]←≢a ⋄ {⍵∨a∨.∧⍵}⍣≡s}",
        "{a←⍵ ⋄ s←(≢a)↑1 ⋄ {3×⍵∨a∨.∧⍵}⍣2⊢s}",
        "{a←⍵ ⋄ s←(≢a)⍴0 1 ⋄ ({⍵>3:s ⋄ s⊢←s∨⍵ ⋄ ∇⍵+1}2)∨a[1;]}",
        "{a←⍵ ⋄ (+/a)∨(≢a)↑1}",
        "{{⍵∨6}¨(≢⍵)↑1}",
        "{s←(≢⍵)⍴1 ⋄ (⊃⌽(s)(6×s))∨4}",
        "{s←(≢⍵)⍴1 ⋄ s∨⊃{↑1 ⍵∨.∧⍵ 4}⍵}",
        "{a←⍵ ⋄ s←(≢a)⍴1 ⋄ {⊃⌽(⍵)(⍵∨4×⍵)}⍣2⊢s}",
    ],
)
def test_other_integers(text: str) -> None:
    """What may be another number is computed as a number."""
    assert kept(text)
    compiled, meant = aplc.fn(text, target="c"), aplc.fn(text, target="interp")
    for graph in (GRAPH, EMPTY, GRAPH[:1, :1]):
        found = [_outcome(f, graph) for f in (compiled, meant)]
        assert found[0] == found[1]


@pytest.mark.parametrize(
    "text",
    [
        "{s←(1+≢⍵)⍴1 ⋄ s[1]←0 ⋄ s⊣{s[⍵]:s[⍵×1+⍳¯1+⌊(≢s)÷⍵]←0 ⋄ 0}¨1↓⍳≢⍵}",
        "{s←(1+≢⍵)⍴1 ⋄ r←{s[⍵]:s[1+⍵]←0 ⋄ s[⍵]←1 ⋄ ⍵}¨⍳≢⍵ ⋄ r,s}",
        "{s←(1+≢⍵)⍴1 ⋄ t←5 ⋄ r←{s[⍵]:s[1+⍵]←~s[⍵] ⋄ t⊢←t+⍵ ⋄ ⍵}¨⍳≢⍵ ⋄ r,s,t}",
    ],
)
def test_items_of_choices(text: str) -> None:
    """What an arm of a guard changes stays truth values, and is changed where it lies."""
    function = aplc.fn(text, target="c")
    rounds = function.emit("laila", "[bool]2").split("while", 1)[1].split("\n}", 1)[0]
    assert "alloc" not in rounds
    meant = aplc.fn(text, target="interp")
    for graph in (GRAPH, EMPTY, GRAPH[:1, :1]):
        found = [_outcome(f, graph) for f in (function, meant)]
        assert found[0] == found[1]


def test_positions_and_choices() -> None:
    """States of loops that choose elements are masks."""
    text = "{v←⍳≢⍵ ⋄ s←(≢⍵)⍴1 ⋄ k←0 ⋄ s←{k+←1 ⋄ ⍵∧k≠⍵×v}⍣3⊢s ⋄ (s/v),⍸s}"
    found = aplc.fn(text).emit("tail-opt", "[bool]2")
    assert "compress" in found and "replicate" not in found and "[int]1 = reshape" not in found
    assert aplc.fn(text, target="c")(GRAPH).tolist() == aplc.fn(text, target="interp")(GRAPH).tolist()


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("text", "is_twice"),
    [
        ("{s←1=⍳≢⍵ ⋄ a←⍵ ⋄ {⍵∨a∨.∧⍵}⍣≡s}", True),
        ("{⍵∨⍵∨.∧⍵}⍣≡", True),
        ("{a←⍵ ⋄ k←(≢a)⍴0 ⋄ t←0 ⋄ k∨a∧.∨{t+←⍵ ⋄ t=1}¨⍳≢a}", True),
        ("{⍵∨.∧2+⍵}", False),
        ("{⍵+.∧⍵}", False),
        ("{+/⍵∨⍉⍵}", False),
    ],
)
def test_inputs_of_zeros_and_ones(text: str, *, is_twice: bool) -> None:
    """Integers for a product are looked at when the program runs."""
    found = aplc.fn(text).emit("tail-opt", "[int]2")
    assert any(product in found for product in ("inner(orb", "inner(andb")) == is_twice
    compiled, meant = aplc.fn(text, target="c"), aplc.fn(text, target="interp")
    for graph in (GRAPH, EMPTY, 2 * GRAPH, GRAPH - np.eye(9), GRAPH + 4 * np.eye(9), GRAPH[:1, :1]):
        given = graph.astype(np.int64)
        assert _outcome(compiled, given) == _outcome(meant, given)


def test_only_inputs_that_have_to_be() -> None:
    """What else a program takes may be any integers."""
    text = "{(⍵∨.∧⍵)∧⍺<⍵∨.∧⍵}"
    found = aplc.fn(text).emit("tail-opt", "[int]2,[int]2")
    assert "inner(orb" in found and found.count("orb(eqi(") == 1
    graph = GRAPH.astype(np.int64)
    for left in (graph, graph - 7):
        assert (
            aplc.fn(text, target="c")(left, graph).tolist()
            == aplc.fn(text, target="interp")(left, graph).tolist()
        )


def _outcome(function: object, graph: object) -> object:
    try:
        result = np.asarray(function(graph))  # type: ignore[operator]
    except aplc.AplcError as error:
        return str(error)
    return result.dtype, result.tolist()
