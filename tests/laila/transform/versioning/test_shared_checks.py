"""What a loop has checked of every element is not checked again; errors are those that come first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from aplc import fn
from aplc.calling.options import TargetName
from aplc.laila.ir.program import ForEach, HostCheck, Map
from aplc.laila.ir.scalar import Check, nodes
from aplc.laila.ir.statements import own_expressions
from aplc.tail.errors import RunError
from aplc.tail.types import Array, Base, Rho
from tests.support.laila.programs import DOUBLES, all_statements, lowered
from tests.support.machine import needs_c, needs_threads

TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
PLACES = Array(Base.INT, Rho(1))
PROGRAMS = {
    "sums and counts": "{s←5⍴0.0 ⋄ c←5⍴0 ⋄ s[⍵]+←⍺ ⋄ c[⍵]+←1 ⋄ s,c}",
    "another length": "{s←5⍴0.0 ⋄ c←4⍴0 ⋄ s[⍵]+←⍺ ⋄ c[⍵]+←1 ⋄ s,c}",
    "the shorter one first": "{s←5⍴0.0 ⋄ c←4⍴0 ⋄ c[⍵]+←1 ⋄ s[⍵]+←⍺ ⋄ s,c}",
    "read where others were": "{s←5⍴0.0 ⋄ s[⍵]+←⍺ ⋄ t←s[⍵] ⋄ t[⍵]←t ⋄ s,t}",
    "places that change": "{i←⍵ ⋄ s←5⍴0.0 ⋄ s[i]+←⍺ ⋄ i[1]←1+i[1] ⋄ c←5⍴0 ⋄ c[i]+←1 ⋄ s,c,i}",
    "other places": "{s←5⍴0.0 ⋄ c←5⍴0 ⋄ s[⍵]+←⍺ ⋄ c[⌊⍺]+←1 ⋄ s,c}",
    "a check between": "{s←5⍴0.0 ⋄ c←5⍴0 ⋄ s[⍵]+←⍺ ⋄ t←(2↑⍺)+⍺ ⋄ c[⍵]+←1 ⋄ s,c,t}",
    "in rounds": "{i←⍵ ⋄ s←5⍴0.0 ⋄ _←{s[i]+←⍵ ⋄ c←5⍴0 ⋄ c[i]+←1 ⋄ i[1]←c[1]+i[1] ⋄ ⍵}¨⍺ ⋄ s,i}",
    "least of neighbours": "{l←⍳5 ⋄ a←⍵ ⋄ b←⌊⍺ ⋄ ({l←⍵ ⋄ l[a]⌊←l[b] ⋄ l[b]⌊←l[a] ⋄ l}⍣≡)l}",
}


def outcome(function: Callable[..., Any], *given: Any) -> Any:
    """A value as a list, or an error as it is told."""
    try:
        return np.asarray(function(*given)).tolist()
    except RunError as error:
        return str(error)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_values_and_first_errors(text: str, target: TargetName) -> None:
    compiled, meant = fn(text, target=target), fn(text, target="interp")
    several = [[1], [1, 2], [5, 4, 3, 2, 1, 1], [5, 1, 6], [4, 0, 6], [4, 5], [2, 2, 7, 0], []]
    for places in several:
        for values in ([1.5], [1.0] * len(places), [1.5 + k for k in range(len(places))], [7.0, 0.0]):
            given = np.array(values), np.array(places, dtype=np.int64)
            assert outcome(compiled, *given) == outcome(meant, *given), given


def test_two_updates_at_the_same_places_are_one_loop_with_one_check() -> None:
    program = lowered("s←5⍴0.0 ⋄ c←5⍴0 ⋄ s[i]+←x ⋄ c[i]+←1 ⋄ s c", i=PLACES, x=DOUBLES)
    statements = list(all_statements(program.statements))
    assert not [s for s in statements if isinstance(s, Map) and s.ordered]
    (loop,) = [s for s in statements if isinstance(s, ForEach)]
    assert len([s for s in loop.body if isinstance(s, HostCheck)]) == 1


def test_places_that_may_be_beyond_another_array_are_checked_again() -> None:
    program = lowered("s←5⍴0.0 ⋄ c←4⍴0 ⋄ s[i]+←x ⋄ c[i]+←1 ⋄ s c", i=PLACES, x=DOUBLES)
    updates = [s for s in all_statements(program.statements) if isinstance(s, Map) and s.ordered]
    checks = [[n for n in nodes(*own_expressions(s)) if isinstance(n, Check)] for s in updates]
    assert [len(found) for found in checks] == [1, 1]
