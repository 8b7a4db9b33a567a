"""Where rewrites of TAIL apply, and where they must not: a pair of texts for each of their conditions.

That what they make means the same is proved in `test_rules`.
"""

from __future__ import annotations

import pytest

from aplc.tail.check import check
from aplc.tail.optimise.fold import fold_constants
from aplc.tail.optimise.rearrange import rearrange
from aplc.tail.optimise.rewrite import may_fail
from aplc.tail.syntax import Fn
from aplc.tail.text_print import print_term
from tests.support.rewriting import one_line, parse

HEAD = "fn v:[int]1, m:[int]2, n:[int]0, k:<int>3 =>"
MOST = 2**63 - 1


def rewritten(rewrite, text: str) -> str:  # type: ignore[no-untyped-def]
    term = rewrite(parse(f"{HEAD} {text}"))
    check(term)
    return one_line(print_term(term)).partition("=> ")[2]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("transp2([1,2],m)", "m"),
        ("transp2([2,1],m)", "transp(m)"),
        ("transp2([3,2,1],reshape([2,3,n],v))", "transp(reshape([2,3,n],v))"),
        ("transp2([2,1,3],reshape([2,3,n],v))", ""),
        ("drop(1,drop(2,v))", "drop(3,v)"),
        ("drop(-1,drop(-2,v))", "drop(-3,v)"),
        ("drop(1,drop(-2,v))", ""),
        ("drop(-1,drop(2,v))", ""),
        ("drop(0,v)", "v"),
        ("drop(n,drop(2,v))", ""),
        (f"drop({MOST},drop(1,v))", ""),
        ("rotate(1,rotate(2,v))", "rotate(3,v)"),
        (f"rotate({MOST},rotate(1,v))", ""),
        ("rotate(0,m)", "m"),
        ("take(3,k)", "k"),
        ("take(-3,k)", "k"),
        ("take(2,k)", ""),
        ("take(n,k)", ""),
        ("ravel(v)", "v"),
        ("ravel(m)", ""),
        ("ravel(reshape([3,1],k))", "k"),
        ("ravel(reshape([3,2],k))", ""),
        ("reshape([2],reshape([2,3],v))", "reshape([2],v)"),
        ("reshape([7],reshape([2,3],v))", ""),
        ("reshape([n],reshape([2,3],v))", ""),
        ("reshape([n],ravel(m))", "reshape([n],m)"),
        ("reshape([0],reshape([0,2],v))", "reshape([0],v)"),
        ("reshape([2],reshape([-1,-2],v))", ""),
        ("reshape([-2],reshape([2,3],v))", ""),
        ("reshape([2],reshape([2,n],v))", ""),
    ],
)
def test_rearrange(text: str, after: str) -> None:
    plain = rewritten(lambda term: term, text)
    assert rewritten(rearrange, text) == (after or plain)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("snoc(k,n)", "snocV(k,n)"),
        ("snoc(v,n)", ""),
        ("cons(n,k)", "consV(n,k)"),
        ("cons(n,v)", ""),
        ("cat(k,k)", "catV(k,k)"),
        ("cat(k,v)", ""),
        ("cat(v,k)", ""),
        ("drop(1,k)", "dropV(1,k)"),
        ("drop(1,v)", ""),
        ("first(ravel(m))", "first(m)"),
        ("first(transp(m))", "first(m)"),
        ("first(transp2([2,1],m))", "first(m)"),
        ("first(reverse(m))", ""),
        ("first(reshape([2,3],v))", "first(v)"),
        ("first(reshape([0,3],v))", ""),
        ("first(reshape([n,3],v))", ""),
        ("pick(2,[n,5])", "5"),
        ("pick(1,[n,5])", "n"),
        ("pick(3,[n,5])", ""),
        ("pick(0,[n,5])", ""),
        ("pick(n,[n,5])", ""),
        ("let s = [2,3] in reshape(s,v)", "let s:<int>2 = [2,3] in reshape([2,3],v)"),
        ("let s = [n,3] in reshape(s,v)", ""),
        ("reshape([3],k)", "k"),
        ("reshape([2],k)", "reshapeV(2,k)"),
        ("reshape(shape(m),m)", "m"),
    ],
)
def test_fold_constants(text: str, after: str) -> None:
    plain = rewritten(lambda term: term, text)
    assert rewritten(fold_constants, text) == (after or plain)


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("ofLength(3,k)", False),
        ("ofLength(2,k)", True),
        ("ofLength(3,v)", True),
        ("divd(1.0,2.0)", False),
        ("divd(1.0,0.0)", True),
        ("reshape([2,3],v)", False),
        ("reshape([-1],v)", True),
        ("zipWith(addi,k,k)", False),
        ("zipWith(addi,k,v)", True),
        ("cat(v,v)", False),
        ("cat(m,m)", True),
    ],
)
def test_what_may_fail(text: str, fails: bool) -> None:
    term = parse(f"{HEAD} {text}")
    assert isinstance(term, Fn)
    assert may_fail(term.body) == fails
