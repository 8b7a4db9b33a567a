"""Type schemes with sums and products of shape variables."""

import pytest

from aplc.tail.unify import NoMatch, parse_scheme
from tests.support.type_texts import read


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("∀γγ1. <int>γ → <int>γ1 → <int>(γ+γ1)", ["<int>2", "<int>3"], "<int>5"),
        ("<int>(γ+γ1) → <int>γ1 → <int>γ", ["<int>5", "<int>3"], "<int>2"),
        ("<int>(γ+γ1) → <int>γ1 → <int>γ", ["<int>2", "<int>3"], None),
        ("<int>(γ+γ1) → <int>γ", ["<int>2"], None),
        ("<int>2γ → <int>γ → <int>γ", ["<int>6", "<int>3"], "<int>3"),
        ("<int>2γ → <int>γ → <int>γ", ["<int>7", "<int>3"], None),
        ("S(int,γ) → S(int,1+γ)", ["S(int,-4)"], "S(int,-3)"),
        ("<α>γ → <α>γ → <α>γ", ["<β>n", "<β>n"], "<β>n"),
        ("<α>γ → <α>γ1 → <α>(γ+γ1)", ["<int>γ1", "<int>γ"], "<int>(γ+γ1)"),
        ("(α, [α]1) → α", ["(int, <int>2)"], "int"),
        ("(α, [α]1) → α", ["(int, <bool>2)"], None),
    ],
)
def test_matching_of_shape_equations(text: str, args: list[str], expected: str | None) -> None:
    scheme = parse_scheme(text)
    assert str(scheme) == text
    try:
        found = scheme.instantiate(tuple(map(read, args)))
    except NoMatch:
        assert expected is None
    else:
        assert expected is not None
        assert found == read(expected)
