"""What the text of a TAIL program tells about its values: extents, constants, whose shape an array has."""

from __future__ import annotations

import pytest

from aplc.tail.optimise.facts import SMALL, Extents, Facts
from aplc.tail.syntax import Exp, Fn, Let, Var
from tests.support.rewriting import parse

HEAD = "fn v:[int]1, m:[int]2, n:[int]0, b:[bool]0, k:[int]1 =>"


def facts(text: str) -> tuple[Facts, Exp]:
    """The facts of a program's body, whose bindings are known, and what stands behind them."""
    term = parse(f"{HEAD} {text}")
    assert isinstance(term, Fn)
    body, values = term.body, {}
    while isinstance(body, Let):
        values |= {binding.name: binding.value for binding in body.bindings}
        body = body.body
    return Facts(values), body


@pytest.mark.parametrize(
    ("text", "extents"),
    [
        ("n", ()),
        ("[1,2,3]", (3,)),
        ("m", (None, None)),
        ("reshape([2,3],v)", (2, 3)),
        ("reshape([2,n],v)", (2, None)),
        ("let s = [2,3] in reshape(s,v)", (2, 3)),
        ("reshape(shape(reshape([4,5],v)),v)", (4, 5)),
        ("let s = shape(reshape([4,5],v)) in reshape(s,v)", (4, 5)),
        ("let r = reshape([2,3],v) in r", (2, 3)),
        ("if b then reshape([2,3],v) else reshape([2,3],k)", (2, 3)),
        ("if b then reshape([2,3],v) else reshape([3,2],k)", (None, None)),
        ("transp(reshape([2,3],v))", (3, 2)),
        ("transp2([2,1],reshape([2,3],v))", (3, 2)),
        ("transp2([3,1,2],reshape([2,3,4],v))", (3, 4, 2)),
        ("transp2([1,1],reshape([2,3],v))", (None, None)),
        ("reduce(addi,0,reshape([2,3],v))", (2,)),
        ("scan(addi,reshape([2,3],v))", (2, 3)),
        ("reverse(reshape([2,3],v))", (2, 3)),
        ("rotate(1,reshape([2,3],v))", (2, 3)),
        ("each(negi,reshape([2,3],v))", (2, 3)),
        ("outer(addi,reshape([2],v),reshape([3,4],v))", (2, 3, 4)),
        ("inner(addi,0,muli,reshape([2,3],v),reshape([3,4],v))", (2, 4)),
        ("cat(reshape([2,3],v),reshape([2,4],v))", (2, 7)),
        ("cat(reshape([2,3],v),m)", (2, None)),
        ("cat(m,reshape([2,3],v))", (2, None)),
        ("cons(reshape([2],v),reshape([2,4],v))", (2, 5)),
        ("snoc(reshape([2,4],v),reshape([2],v))", (2, 5)),
        ("ravel(reshape([2,3],v))", (6,)),
        ("ravel(m)", (None,)),
        ("take(2,reshape([5,3],v))", (2, 3)),
        ("take(-2,m)", (2, None)),
        ("take(n,m)", (None, None)),
        ("drop(2,reshape([5,3],v))", (3, 3)),
        ("drop(-7,reshape([5,3],v))", (0, 3)),
        ("drop(2,m)", (None, None)),
        ("zipWith(addi,reshape([2,3],v),m)", (2, 3)),
        ("zipWith(addi,m,reshape([2,3],v))", (2, 3)),
        ("zipWith(addi,reshape([1,1],v),m)", (None, None)),
        ("zipWith(addi,reshape([1,1],v),reshape([1,1],k))", (1, 1)),
        ("zipWith(addi,m,m)", (None, None)),
    ],
)
def test_extents(text: str, extents: Extents) -> None:
    known, exp = facts(text)
    assert known.extents(exp) == extents
    whole = None if None in extents else extents
    assert known.whole(exp) == whole


@pytest.mark.parametrize(
    ("text", "integers"),
    [
        ("5", (5,)),
        ("[7,8]", (7, 8)),
        ("iotaV(3)", (1, 2, 3)),
        ("let s = [7,8] in s", (7, 8)),
        ("[7,n]", None),
        ("n", None),
        ("v", None),
        (f"iotaV({SMALL})", tuple(range(1, SMALL + 1))),
        (f"iotaV({SMALL + 1})", None),
        ("[" + ",".join("1" * SMALL) + "]", (1,) * SMALL),
        ("[" + ",".join("1" * (SMALL + 1)) + "]", None),
    ],
)
def test_integers(text: str, integers: tuple[int, ...] | None) -> None:
    known, exp = facts(text)
    assert known.integers(exp) == integers


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("v", "v"),
        ("each(negi,v)", "v"),
        ("reverse(each(negi,v))", "v"),
        ("zipWith(addi,v,reverse(v))", "v"),
        ("zipWith(addi,v,k)", ""),
        ("zipWith(addi,[1,2],[1,2])", ""),
        ("let w = reverse(v) in rotate(1,w)", "v"),
        ("let w = take(n,v) in rotate(1,w)", "w"),
        ("take(n,v)", ""),
    ],
)
def test_sources(text: str, source: str) -> None:
    """The variable whose shape an array has; without one it is the expression itself."""
    known, exp = facts(text)
    found = known.source(exp)
    assert (found.name if isinstance(found, Var) else "") == source
    assert source or found is exp


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("addi(n,1)", False),
        ("each(negi,v)", False),
        ("pick(1,v)", True),
        ("addi(1,pick(1,v))", True),
        ("zipWith(addi,v,k)", True),
        ("loop f(i:int = n):int => if gti(i,9) then i else f(addi(i,1))", True),
    ],
)
def test_what_may_fail(text: str, fails: bool) -> None:
    known, exp = facts(text)
    assert known.may_fail(exp) == fails
    assert known.total(exp) != fails
