"""The checker of TAIL refuses generated terms of which one node has been changed."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from aplc.tail.check import check
from aplc.tail.errors import InternalError
from aplc.tail.syntax import (
    Call,
    Exp,
    Fn,
    If,
    Item,
    Let,
    Lit,
    Op,
    Rec,
    Var,
    Vec,
    map_children,
    product,
    walk,
)
from aplc.tail.types import Array, Base, Func, Tuple, Type, generalise, scalar
from tests.support.tail_terms.terms import terms

INT, BOOL = Base.INT, Base.BOOL


def replace_nth(term: Exp, n: int, new: Exp) -> Exp:
    """The term with its n-th expression, counted as `walk` does, replaced."""
    count = -1

    def change(exp: Exp) -> Exp:
        nonlocal count
        count += 1
        return new if count == n else map_children(exp, change)

    return change(term)


def nodes(term: Exp) -> list[Exp]:
    return list(walk(term))


def other_base(ty: Type) -> Type:
    if isinstance(ty, Tuple):
        return Tuple((*ty.items, scalar(INT)))
    assert not isinstance(ty, Func)
    return Array(BOOL if ty.base is not BOOL else INT, generalise(ty).rank)


@settings(max_examples=60, deadline=None)
@given(terms(), st.data())
def test_another_base_type_on_any_node_is_refused(term: Exp, data: st.DataObject) -> None:
    candidates = [
        k
        for k, node in enumerate(nodes(term))
        if isinstance(node, Lit | Var | Op | Item | If | Rec | Call) or (isinstance(node, Vec) and node.items)
    ]
    assume(candidates)
    n = data.draw(st.sampled_from(candidates))
    node = nodes(term)[n]
    with pytest.raises(InternalError):
        check(replace_nth(term, n, replace(node, ty=other_base(node.ty))))


@settings(max_examples=200, deadline=None)
@given(terms(), st.data())
def test_a_tuple_in_the_place_of_any_node_is_refused(term: Exp, data: st.DataObject) -> None:
    inner = nodes(term)[1:]
    assume(inner)
    n = data.draw(st.integers(1, len(inner)))
    with pytest.raises(InternalError):
        check(replace_nth(term, n, product(())))


@settings(max_examples=60, deadline=None)
@given(terms(), st.data())
def test_a_renamed_variable_is_refused(term: Exp, data: st.DataObject) -> None:
    variables = [k for k, node in enumerate(nodes(term)) if isinstance(node, Var)]
    assume(variables)
    n = data.draw(st.sampled_from(variables))
    node = nodes(term)[n]
    assert isinstance(node, Var)
    with pytest.raises(InternalError, match="is not in scope"):
        check(replace_nth(term, n, replace(node, name="nowhere")))


@settings(max_examples=60, deadline=None)
@given(terms(), st.data())
def test_a_missing_argument_is_refused(term: Exp, data: st.DataObject) -> None:
    applications = [k for k, node in enumerate(nodes(term)) if isinstance(node, Op)]
    assume(applications)
    n = data.draw(st.sampled_from(applications))
    node = nodes(term)[n]
    assert isinstance(node, Op)
    with pytest.raises(InternalError, match="arguments"):
        check(replace_nth(term, n, replace(node, args=node.args[1:])))


@settings(max_examples=60, deadline=None)
@given(terms(), st.data())
def test_a_call_that_is_changed_is_refused(term: Exp, data: st.DataObject) -> None:
    calls = [k for k, node in enumerate(nodes(term)) if isinstance(node, Call)]
    assume(calls)
    n = data.draw(st.sampled_from(calls))
    node = nodes(term)[n]
    assert isinstance(node, Call)
    with pytest.raises(InternalError, match="arguments"):
        check(replace_nth(term, n, replace(node, args=node.args[1:])))
    with pytest.raises(InternalError, match="is not in scope"):
        check(replace_nth(term, n, replace(node, name="nowhere")))


@settings(max_examples=30, deadline=None)
@given(terms())
def test_a_term_beside_itself_binds_its_names_twice(term: Exp) -> None:
    binds = any(
        isinstance(node, Let | Rec) or (isinstance(node, Op) and any(isinstance(a, Fn) for a in node.args))
        for node in walk(term)
    )
    assume(binds)
    with pytest.raises(InternalError, match="is bound twice"):
        check(product((term, term)))
