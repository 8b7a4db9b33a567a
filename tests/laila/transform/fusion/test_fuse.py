"""Fusion, memory and loops of Laila programs: which SOACs share a loop, what is written, what is reused."""

import itertools
import subprocess
import sys
from random import Random

import networkx as nx
import numpy as np
import pytest

import aplc
from aplc.laila.ir.program import Alloc, Filter, ForEach, Fused, If, Map, Move, Program, Reduce, Swap, While
from aplc.laila.transform.fusion import exclusive
from aplc.laila.transform.fusion.cluster import Pair, clusters
from aplc.tail.types import Array, Base, Rho
from tests.support.laila.programs import DOUBLES, all_statements, lowered
from tests.support.paths import ROOT

INT = Array(Base.INT, Rho(0))


def count(program: Program, *kinds: type) -> int:
    return sum(isinstance(s, kinds) for s in all_statements(program.statements))


# --- one loop for several SOACs -------------------------------------------------------------------------


def test_the_example_of_lambda_cu_is_two_loops() -> None:
    """norm2 (λcu, section 5): two sums in one pass, then both quotients in one pass; nothing is filtered to
    memory.
    """
    program = lowered("s←+/xs ⋄ t←+/(xs>0)/xs ⋄ (xs÷s)(xs÷t)", xs=DOUBLES)
    loops = [s for s in program.statements if isinstance(s, Fused | Map)]
    assert [type(loop) for loop in loops] == [Fused, Fused]
    sums, quotients = loops
    assert isinstance(sums, Fused) and isinstance(quotients, Fused)
    assert all(isinstance(part, Reduce) for part in sums.parts)
    assert all(isinstance(part, Map) for part in quotients.parts)
    assert count(program, Alloc) == 2


def test_reductions_over_one_space_share_a_pass() -> None:
    program = lowered("(+/v)(⌈/v)(⌊/v)(+/v×v)", v=DOUBLES)
    (loop,) = [s for s in program.statements if isinstance(s, Fused)]
    assert len(loop.parts) == 4


def test_what_a_filter_keeps_is_packed_apart_from_folds() -> None:
    """A filter that writes vectors and a fold in lanes read `v` once each; what is dear is computed once."""
    apart = lowered("k←(v>0)/v ⋄ s←⌈/v ⋄ s,(⌊/k),+/k×⍳≢k", v=DOUBLES)
    assert not any(isinstance(p, Filter) for s in apart.statements if isinstance(s, Fused) for p in s.parts)
    together = lowered("k←(1<*v)/v ⋄ s←⌈/v ⋄ s,(⌊/k),+/k×⍳≢k", v=DOUBLES)
    assert any(isinstance(p, Filter) for s in together.statements if isinstance(s, Fused) for p in s.parts)


def test_what_needs_a_sum_first_is_another_pass() -> None:
    """Mean and variance: two passes, and the differences are not stored."""
    program = lowered("m←(+/v)÷≢v ⋄ d←v-m ⋄ (m)((+/d×d)÷≢v)(⌈/d)", v=DOUBLES)
    assert count(program, Alloc) == 1, "the result"
    (loop,) = [s for s in program.statements if isinstance(s, Fused)]
    assert len(loop.parts) == 2


def test_an_array_that_only_its_loop_reads_is_not_written() -> None:
    """`e` is dear and used twice, so it is computed once, and handed over in a register."""
    program = lowered("e←*v ⋄ (+/e)(⌈/e×e)(+/1↓v)", v=DOUBLES)
    assert count(program, Alloc) == 1, "the result"


def test_a_loop_of_nothing_but_arrays_that_nobody_reads_is_none() -> None:
    program = lowered("q←{⍵[⍋⍵][1]}⍤1⊢m+1 ⋄ ≢m", m=Array(Base.INT, Rho(2)))
    assert all(s.parts for s in all_statements(program.statements) if isinstance(s, Fused))


def test_an_array_whose_neighbours_are_wanted_is_written() -> None:
    program = lowered("e←*v ⋄ +/e×1⌽e", v=DOUBLES)
    assert count(program, Alloc) == 1


def test_elements_of_short_rows_share_a_loop_over_several_axes() -> None:
    program = lowered("w×⍤1⊢m", w=DOUBLES, m=Array(Base.DOUBLE, Rho(3)))
    loops = [s for s in all_statements(program.statements) if isinstance(s, Fused)]
    assert [len(loop.parts) for loop in loops] == [2, 3, 4]
    w, m = np.array([2.0, -1.0, 0.5]), np.arange(60.0).reshape(4, 5, 3)
    assert aplc.fn("{⍺×⍤1⊢⍵}")(w, m).tolist() == (w * m).tolist()


def test_nothing_is_fused_across_a_print() -> None:
    """An error in the second sum must come after the print, so the sums stay apart."""
    program = lowered("⎕←+/v ⋄ ⎕←+/÷v", v=DOUBLES)
    assert count(program, Fused) == 0


# --- clusters -------------------------------------------------------------------------------------------


def test_all_pairs_are_joined_where_they_can_be() -> None:
    pairs = [Pair(0, 1, 8), Pair(0, 2, 8), Pair(1, 2, 8)]
    assert clusters([set(), set(), set()], pairs) == [[0, 1, 2]]


def test_a_node_that_must_stand_between_keeps_a_pair_apart() -> None:
    assert clusters([set(), {0}, {1}], [Pair(0, 2, 8)]) == [[0], [1], [2]]


def test_of_pairs_that_exclude_each_other_the_better_is_chosen() -> None:
    """3 needs 2, which needs 0: 3 may join 1 or, at more gain, 4; 0 and 3 cannot be one."""
    before: list[set[int]] = [set(), set(), {0}, {2}, set()]
    pairs = [Pair(0, 1, 8), Pair(0, 3, 16), Pair(1, 3, 8), Pair(3, 4, 24), Pair(1, 4, 1), Pair(0, 4, 1)]
    found = clusters(before, pairs)
    assert sorted(k for group in found for k in group) == [0, 1, 2, 3, 4]
    assert any({3, 4} <= set(group) for group in found)
    assert not any({0, 3} <= set(group) for group in found)


@pytest.mark.parametrize("seed", range(12))
def test_the_solver_is_never_worse_than_the_greedy_choice(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """And every order of clusters keeps the dependences."""
    pytest.importorskip("highspy")
    random = Random(seed)
    size = random.randint(4, 12)
    before = [{j for j in range(k) if random.random() < 0.25} for k in range(size)]
    pairs = [
        Pair(j, k, float(random.randint(1, 9)))
        for j, k in itertools.combinations(range(size), 2)
        if j not in before[k] and random.random() < 0.6
    ]

    def saved(groups: list[list[int]]) -> float:
        done: set[int] = set()
        for group in groups:
            assert set().union(*[before[k] for k in group]) <= done | set(group)
            done |= set(group)
        where = {k: position for position, group in enumerate(groups) for k in group}
        return sum(q.saved for q in pairs if where[q.first] == where[q.second])

    best = saved(clusters(before, pairs))
    monkeypatch.setattr(exclusive, "_solved", lambda *_: None)
    assert best >= saved(clusters(before, pairs)) - 1e-6


@pytest.mark.parametrize("seed", range(40))
def test_joined_loops_leave_no_cycle_and_join_only_what_may_be(seed: int) -> None:
    random = Random(seed)
    size = random.randint(3, 14)
    before = [{j for j in range(k) if random.random() < 0.2} for k in range(size)]
    kinds = [random.randint(0, 1) for _ in range(size)]
    pairs = [
        Pair(j, k, 8.0 * random.randint(0, 2))
        for j, k in itertools.combinations(range(size), 2)
        if kinds[j] == kinds[k] and (j not in before[k] or random.random() < 0.5)
    ]
    found = clusters(before, pairs)
    assert sorted(itertools.chain(*found)) == list(range(size))
    may = {(pair.first, pair.second) for pair in pairs}
    assert all(each in may for group in found for each in itertools.combinations(sorted(group), 2))
    loops = nx.quotient_graph(exclusive.dependence_graph(before), found)
    assert nx.is_directed_acyclic_graph(loops)
    order = {frozenset(group): k for k, group in enumerate(found)}
    in_order = nx.lexicographical_topological_sort(loops, key=lambda group: min(group))
    assert [order[frozenset(group)] for group in in_order] == list(range(len(found)))


def test_a_graph_is_imported_only_where_pairs_exclude_each_other() -> None:
    script = (
        "import sys; from aplc.laila.transform.fusion.cluster import Pair, clusters\n"
        "pair = [Pair(0, 3, 8.0)]\n"
        "free, bound = [set(), set(), {0}, set()], [set(), set(), {0}, {2}]\n"
        "found = clusters(free, pair), clusters(bound, pair), 'networkx' in sys.modules\n"
        "more = [*pair, Pair(0, 1, 8.0), Pair(1, 3, 8.0)]\n"
        "clusters(bound, more); print(found, 'networkx' in sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert said.stdout == "([[0, 3], [1], [2]], [[0], [1], [2], [3]], False) True\n"


# --- memory of loops ------------------------------------------------------------------------------------


def loop_of(program: Program) -> While:
    (loop,) = [s for s in all_statements(program.statements) if isinstance(s, While)]
    return loop


def test_what_each_round_would_allocate_is_allocated_before() -> None:
    program = lowered("({e←*⍵ ⋄ e+1⌽e}⍣n)v", v=DOUBLES, n=INT)
    assert not any(isinstance(s, Alloc) for s in all_statements(loop_of(program).body))
    assert count(program, Alloc) == 2, "the state, and e; the state is dead when the next one is written"


def test_rounds_without_neighbours_are_done_for_one_element_after_the_other() -> None:
    program = lowered("({1+⍵×0.5}⍣n)v", v=DOUBLES, n=INT)
    assert count(program, Alloc) == 1
    assert count(program, Swap) == 0
    assert count(program, While) == 0, "the rounds are inside the map"
    assert count(program, Map) == 1


def test_rounds_that_look_at_neighbours_do_not() -> None:
    program = lowered("({⍵+1⌽⍵}⍣n)v", v=DOUBLES, n=INT)
    assert count(program, Swap) == 1
    assert count(program, ForEach) == 0


def test_an_element_is_assigned_in_place_where_the_old_array_is_dead() -> None:
    program = lowered("({x←⍵ ⋄ x[1]+←2 ⋄ x}⍣n)v", v=DOUBLES, n=INT)
    body = loop_of(program).body
    assert not any(isinstance(s, Alloc | Map) and not getattr(s, "ordered", False) for s in body)
    assert not any(isinstance(s, Move) for s in body), "it changes under its own name"


def test_a_loop_whose_extents_stay_for_two_or_more_is_made_for_them() -> None:
    """`(1↑⍵),¯1↓⍵` has the length of ⍵ unless that is zero."""
    program = lowered("({((1↑⍵),¯1↓⍵)+⍵}⍣n)v", v=DOUBLES, n=INT)
    (choice,) = [s for s in program.statements if isinstance(s, If)]
    usual = [s for s in all_statements(choice.then) if isinstance(s, While)]
    assert len(usual) == 1
    assert not any(isinstance(s, Alloc) for s in usual[0].body)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 5000])
def test_blocks_and_swaps_give_what_the_interpreter_gives(n: int) -> None:

    v = np.arange(n) * 0.25 - 1
    for text in (
        "{({1+⍵×0.5}⍣7)⍵}",
        "{⊃({(a b)←⍵ ⋄ (a+b)(a-b)}⍣5)⍵(2×⍵)}",
        "{⊃({(a b)←⍵ ⋄ b(a+b)}⍣5)⍵(2×⍵)}",
        "{⊃({(a b)←⍵ ⋄ b a}⍣5)⍵(2×⍵)}",
        "{({⍵+1⌽⍵}⍣3)⍵}",
        "{({⍵+(≢⍵)↑(1↑⍵),¯1↓⍵}⍣3)⍵}",
        "{({x←⍵ ⋄ x[⍳≢x]←⌽x ⋄ x+⍵}⍣3)⍵}",
    ):
        expected = aplc.fn(text, target="interp")(v)
        assert np.array_equal(aplc.fn(text)(v), expected), text


def test_checks_of_changes_go_along_the_axes_that_others_go_along() -> None:
    """Of no rows the sums change as many elements, along two axes, as the counts do along one."""
    given = {"m": np.arange(6).reshape(3, 2), "k": np.array([1, 2]), "i": np.array([0]), "j": np.array([1])}
    text = "⍴(0⍴k){(+⌿⍵)÷j+≢⍵}⌸i↑m"
    assert np.array_equal(aplc.run(text, inputs=given), aplc.run(text, target="interp", inputs=given))
