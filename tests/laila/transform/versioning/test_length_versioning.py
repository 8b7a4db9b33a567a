"""Spans in two versions: loops over lengths that are equal in nearly every run share what they read."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from aplc.laila.ir.program import Alloc, Filter, Fused, HostLet, If, Program, Variable
from aplc.laila.ir.scalar import Check, Var, nodes
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, own_expressions
from aplc.laila.transform.versioning.length_versioning import _Agreeing
from aplc.tail.errors import RunError
from aplc.tail.types import Array, Base, Rho, nested
from tests.support.laila.programs import DOUBLES, all_statements, lowered
from tests.support.machine import needs_c, needs_threads

MATRIX = Array(Base.DOUBLE, Rho(2))
TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
LENGTHS = (0, 1, 2, 70)
PROGRAMS = (
    "{(+/⍺×⍵)÷+/⍵}",
    "{m←{(+/⍵)÷1⌈≢⍵} ⋄ a←⍺-m ⍺ ⋄ b←⍵-m ⍵ ⋄ (+/a×b)÷((+/a×a)×+/b×b)*0.5}",
    "{(+\\⍺),(⍺×⍵),+/⍵}",
    "{t←*⍺×⍵ ⋄ (+/t),(⌈/t),+/⍺}",
    "{s←+/⍺ ⋄ r←(⍺>3)/⍺ ⋄ q←+/⍺×⍵ ⋄ q,s,r}",
    "{(+/⍺×⍵),+/(1↓⍺)×1↓⍵}",
    "{×(~⌷2>⍺)-0↑⍵}",
)


def versions(program: Program) -> list[If]:
    return [s for s in all_statements(program.statements) if isinstance(s, If)]


def test_sums_over_two_inputs_are_one_loop() -> None:
    program = lowered("n←≢x ⋄ ((+/x×y)-(+/x)×(+/y)÷n)÷n", x=DOUBLES, y=DOUBLES)
    (choice,) = versions(program)
    (loop,) = [s for s in choice.then if isinstance(s, Fused)]
    assert len(loop.parts) == 3


def test_equal_pairs_are_compared_once() -> None:
    program = lowered("(+/x×y)(⌈/x-y)", x=DOUBLES, y=DOUBLES)
    statements = tuple(all_statements(program.statements))
    assert len([s for s in statements if isinstance(s, HostLet) and s.var.likely]) == 1
    (loop,) = [s for s in statements if isinstance(s, Fused)]
    assert len(loop.parts) == 2


def test_items_of_as_many_need_no_check_of_their_places() -> None:
    """What items have in memory has one shape, so that as many items are at the same places of all of it."""
    items = nested(DOUBLES, 1)
    program = lowered("+/¨x×y", x=items, y=items)
    choice = versions(program)[0]
    checks = [
        [n for s in version for e in expressions(s) for n in nodes(e) if isinstance(n, Check)]
        for version in (choice.then, choice.other)
    ]
    assert checks[1] and not checks[0]


def test_filters_that_go_on_change_one_variable_in_both_versions() -> None:
    """Each row is checked against the names in scope: a count that goes on is no name of a version's own."""
    program = lowered("{(⍵=⌈/⍵)/⍳≢⍵}¨↓1,m", m=Array(Base.INT, Rho(2)))
    (choice,) = versions(program)
    counts = {s.count for version in (choice.then, choice.other) for s in version if isinstance(s, Filter)}
    assert len(counts) == 1


def test_what_an_array_is_used_for_twice_is_not_written() -> None:
    """In the first version its memory goes; in the second `t` and the sum of `x` have two lengths."""
    program = lowered("t←*x×y ⋄ (+/t)(⌈/t×t)(+/x)", x=DOUBLES, y=DOUBLES)
    (choice,) = versions(program)
    assert not any(isinstance(s, Alloc) for s in choice.then)
    (loop,) = [s for s in choice.then if isinstance(s, Fused)]
    assert len(loop.parts) == 3


def test_rows_of_a_known_length_are_so_far_apart() -> None:
    """Where the first elements of a product's rows are in memory is a multiple of a number."""
    program = lowered("(x-y)+.×3 1 4 1 5", x=MATRIX, y=MATRIX)
    (choice,) = versions(program)
    found = [
        {n.name for s in version for e in own_expressions(s) for n in nodes(e) if isinstance(n, Var)}
        for version in (choice.then, choice.other)
    ]
    assert [bool(names & {"x_n1", "y_n1"}) for names in found] == [False, True]


@needs_c
def test_values_of_rows_of_a_known_length() -> None:
    product, meaning = [fn("{(⍺-⍵)+.×3 1 4 1 5}", target=target) for target in ("c", "interp")]
    for a, b in (((70, 5), (70, 5)), ((3, 5), (1, 1)), ((1, 1), (2, 5)), ((1, 1), (1, 1)), ((0, 5), (0, 5))):
        left, right = [np.arange(0.0, m * n).reshape(m, n) ** 2 for m, n in (a, b)]
        assert np.array_equal(product(left, right), meaning(left, right))
    with pytest.raises(RunError, match="LENGTH"):
        product(np.ones((3, 4)), np.ones((3, 4)))


@pytest.mark.parametrize("text", ["+/x×y", "(+/x)(+/y)", "(+/x×y)(+/z)"])
def test_nothing_stands_twice_where_nothing_is_shared(text: str) -> None:
    assert not versions(lowered(text, x=DOUBLES, y=DOUBLES, z=DOUBLES))


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: str) -> None:
    compiled, meaning = fn(text, target=target), fn(text, target="interp")
    random = np.random.default_rng(1)
    for m in LENGTHS:
        for n in LENGTHS:
            a, b = random.integers(1, 9, m) / 4, random.integers(1, 9, n) / 8
            try:
                expected = meaning(a, b)
            except RunError:
                with pytest.raises(RunError, match=r"LENGTH ERROR|DOMAIN ERROR"):
                    compiled(a, b)
            else:
                np.testing.assert_allclose(compiled(a, b), expected, rtol=1e-9, err_msg=f"{m} {n}")


ITEMS: tuple[list[list[float]], ...] = (
    [[2.5]],
    [[], []],
    [[1.5, 2.0], [3.0]],
    [[4.0], [0.5, 1.0]],
    [[1.0], [2.0], [3.0]],
    [[0.25] * 5, [], [1.0] * 40],
    [[1.0] * 5, [2.0], [3.0] * 40],
)
OF_ITEMS = ("{+/¨⍺×⍵}", "{⌈/¨⍺-⍵}", "{(+/¨⍺×⍵),+/¨⍺+⍵}", "{≢¨⍺,¨⍵}", "{+/¨⍺×{v[⍵]}¨1+1=⍵⊣v←3 4}")


@pytest.mark.parametrize("text", OF_ITEMS)
@pytest.mark.parametrize("target", TARGETS)
def test_items(text: str, target: str) -> None:
    """As many or not, as long or not, one that is for all, one that has one element."""
    compiled, meaning = fn(text, target=target), fn(text, target="interp")
    given = [np.empty(len(items), object) for items in ITEMS]
    for array, items in zip(given, ITEMS, strict=True):
        array[:] = [np.array(item) for item in items]
    for a in given:
        for b in given:
            try:
                expected = meaning(a, b)
            except RunError as error:
                with pytest.raises(RunError) as raised:
                    compiled(a, b)
                assert str(raised.value) == str(error)
            else:
                np.testing.assert_allclose(compiled(a, b), expected, rtol=1e-9, err_msg=f"{a} {b}")


def test_what_changes_is_not_computed_earlier() -> None:
    make = ExprBuilder(Settings())
    changes, length, number = Var("k", Base.INT, True), Var("n", Base.INT, True), Var("x", Base.INT)
    agreeing = _Agreeing(make, Program((), (Variable(changes, make.zero),), ()))
    assert agreeing.is_known(HostLet(length, make.const(3)))
    assert not agreeing.is_known(HostLet(length, make.add(changes, make.one)))
    assert not agreeing.is_known(HostLet(number, make.const(3)))


@pytest.mark.parametrize("target", TARGETS)
def test_what_tells_that_memory_has_a_size_is_checked_in_front_of_it(target: str) -> None:
    """There are no windows of two in no elements: one less than none was asked for, which is WS FULL."""
    with pytest.raises(RunError, match="LENGTH ERROR: ≠/ needs windows of at most 1 elements"):
        fn("{(2≠/⍵)+{⊂⍵}⌸⍵}", target=target)(np.array([], dtype=int))
