"""The generator of terms: what it draws holds nearly everything there is, and mostly has a value."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from aplc.tail import syntax as t
from aplc.tail.errors import RunError
from aplc.tail.evaluate import evaluate
from aplc.tail.prims import PRIMS
from tests.support.tail_terms.terms import NEVER, terms

EXAMPLES = 1_200
RARE = 30
"""So many nodes and primitives may be so rare that they do not occur in that many."""


def kinds(term: t.Exp) -> set[str]:
    """The nodes and primitives of a term, by name."""
    found: set[str] = set()
    for node in t.walk(term):
        found.add(type(node).__name__)
        if isinstance(node, t.Rec):
            found.add("loop" if t.is_loop(node) else "recursion")
        if isinstance(node, t.Op):
            found.add(node.prim.name)
            found |= {
                a.prim.name if isinstance(a, t.PrimFn) else "Fn"
                for a in node.args
                if isinstance(a, t.Function)
            }
    return found


@pytest.mark.in_turn(4)
def test_terms_hold_nearly_every_node_and_primitive() -> None:
    nodes = {node.__name__ for node in (*t.Exp.__args__, t.Fn)} | {"loop", "recursion"}
    missing = nodes | {prim.name for prim in PRIMS.values() if prim not in NEVER}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(terms())
    def search(term: t.Exp) -> None:
        missing.difference_update(kinds(term))

    search()
    assert len(missing) <= RARE, sorted(missing)


@pytest.mark.in_turn(4)
def test_most_terms_have_a_value_and_the_others_fail_in_many_ways() -> None:
    outcomes: Counter[str] = Counter()

    @settings(
        max_examples=600,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(terms())
    def draw(term: t.Exp) -> None:
        try:
            evaluate(term, (), lambda value, ty, digits: None)
            outcomes["value"] += 1
        except RunError as error:
            outcomes[error.diagnostics[0].kind] += 1

    draw()
    assert outcomes["value"] > outcomes.total() / 2
    assert len(outcomes) > 2
