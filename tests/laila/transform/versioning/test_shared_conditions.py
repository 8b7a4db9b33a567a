"""What is compared twice is compared once, and what has been checked is known from then on."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from aplc import fn
from aplc.laila.ir.program import HostCheck, HostLet, If, Program
from aplc.laila.ir.scalar import Check, contains
from aplc.laila.ir.statements import own_expressions
from aplc.tail.errors import RunError
from aplc.tail.types import Array, Base, Rho
from tests.support.days import of_today
from tests.support.laila.programs import DOUBLES, all_statements, lowered
from tests.support.machine import needs_c, needs_threads

TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
PROGRAMS = (
    "{(⍺+.×⍵)+(+/⍺×⍵)+⍺⌈.+⍵}",
    "{(⍺/⍵),⍺+⍵}",
    "{(⍺+⍵),⍺/⍵}",
    "{⍺{⍺,+/⍵}⌸⍵}",
    "{⍺{(⍺,⌈/⍵),≢⍵}⌸⍵×⍺}",
    "{(⍺+1↓⍵),⍺-1↓⍵}",
    "{k←⌊⊃⍺ ⋄ (k↓⍵),(k↑⍵),(|k)⌽⍵}",
    "{(⍺[⍋⍺]+⍵),⍺×⍵[⍋⍵]}",
    "{3>≢⍺:⍺+⍵ ⋄ 3>≢⍵:⍵,⍺ ⋄ ⍺×⍵}",
    "{r←0⍴0 ⋄ {r,←⍺+⍵ ⋄ ⍺-⍵}/(⍺+⍵),⍺×⍵}",
    "{s←⍺+⍵ ⋄ s{⍵+1+⍺}⍣2⊢s×⍺+⍵}",
    "{m←⍺>1 ⋄ p←m/⍺ ⋄ q←m/⍵ ⋄ (p[⍋p]×q)+≢q}",
    "{a←⍺+0 ⋄ p←(a>1)/a ⋄ a[1]←9 ⋄ q←(a>1)/a ⋄ p[⍋p]+q[⍒q]}",
    "{x a←⍺(⍺+0) ⋄ p←(a>1)/x ⋄ s←0 ⋄ _←{a[⍵]←0 ⋄ s+←+/q×⌽q←(a>1)/x ⋄ 0}¨⍳≢a ⋄ p[⍋p],s}",
)
LENGTHS = (0, 1, 2, 3, 70)


def statements_of(program: Program, kind: type) -> list[object]:
    return [s for s in all_statements(program.statements) if isinstance(s, kind)]


def test_checks_of_what_was_checked_are_none() -> None:
    program = lowered("(x+.×y)(+/x×y)(x⌈.+y)", x=DOUBLES, y=DOUBLES)
    assert len(statements_of(program, HostCheck)) == 1
    lets = [s for s in statements_of(program, HostLet) if isinstance(s, HostLet)]
    compared = [s for s in lets if s.var.ty is Base.BOOL]
    assert len(compared) == len({s.value for s in compared}) == 3


def test_lengths_that_were_checked_need_no_version() -> None:
    """Keys and values have equal lengths, so that a value for all keys is not thought of."""
    program = lowered("k{+/⍵}⌸x", k=Array(Base.INT, Rho(1)), x=DOUBLES)
    assert not statements_of(program, If) and len(statements_of(program, HostCheck)) == 1
    assert not [
        s for s in statements_of(program, HostLet) if isinstance(s, HostLet) and s.var.ty is Base.BOOL
    ]


def test_what_a_branch_is_for_is_known_in_it() -> None:
    """Lengths are compared in a guard, and once more for what is behind it."""
    program = lowered("x{(≢⍺)=≢⍵:⍺+⍵ ⋄ ⍺×⍵}y", x=DOUBLES, y=DOUBLES)
    (choice,) = [s for s in statements_of(program, If) if isinstance(s, If)]
    assert not [s for s in choice.then if isinstance(s, HostCheck)]
    assert [s for s in choice.other if isinstance(s, HostCheck)]


def test_what_one_mask_keeps_has_one_length() -> None:
    """As long as the mask is what it was: no length is compared, no place looked into is checked."""
    program = lowered("m←3<x ⋄ p←m/x ⋄ q←m/2×x ⋄ p[⍋p]×q[⍒p]+q", x=DOUBLES)
    statements = all_statements(program.statements)
    assert not statements_of(program, HostCheck)
    assert not contains(Check, *[e for s in statements for e in own_expressions(s)])
    program = lowered("a←x+0 ⋄ p←(3<a)/x ⋄ a[1]←9 ⋄ q←(3<a)/x ⋄ p[⍋p]+q", x=DOUBLES)
    assert len(statements_of(program, HostCheck)) > 1


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", of_today(PROGRAMS, 3))
def test_values(text: str, target: str) -> None:
    """Of equal lengths and others, which are mostly wrong: as the interpreter says."""
    made, meaning = fn(text, target=target), fn(text, target="interp")
    rng = np.random.default_rng(3)
    for m, n in itertools.product(LENGTHS, LENGTHS):
        x, y = rng.integers(0, 4, m), rng.integers(0, 9, n) / 2
        try:
            expected = meaning(x, y)
        except RunError as error:
            with pytest.raises(RunError) as told:
                made(x, y)
            assert str(told.value) == str(error), (m, n)
        else:
            assert np.array_equal(np.asarray(made(x, y)), np.asarray(expected)), (m, n)
