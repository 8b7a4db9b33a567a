"""Passes that bind, by example: loop-invariant code, common subexpressions, and dead code in blocks."""

import pytest

from aplc.tail.optimise.common_subexpressions import share_common
from aplc.tail.optimise.inlining import drop_dead_bindings
from aplc.tail.optimise.loop_invariants import move_invariants
from aplc.tail.syntax import walk
from aplc.tail.text_print import print_term
from tests.support.rewriting import assert_becomes, assert_unchanged, parse

# --- loop-invariant code ------------------------------------------------------------------------

LOOP = "loop f(i:int = 0, s:[int]1 = v):[int]1 => if lti(i,3) then f(addi(i,1),{}) else s"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            f"fn v:[int]1, k:int => {LOOP.format('each(fn x:int => addi(x,muli(k,2)),s)')}",
            "fn v:[int]1, k:[int]0 => let v0:[int]0 = muli(k,2) in "
            + LOOP.format("each(fn x:int => addi(x,v0),s)"),
        ),
        (  # arrays too
            f"fn v:[int]1, k:int => {LOOP.format('cat(s,reverse(v))')}",
            f"fn v:[int]1, k:[int]0 => let v0:[int]1 = reverse(v) in {LOOP.format('cat(s,v0)')}",
        ),
        (  # truth values as doubles, which elements take: bytes move
            "fn v:[double]1, b:[bool]1 => loop f(i:int = 0, s:[double]1 = v):[double]1 =>"
            " if lti(i,3) then f(addi(i,1),zipWith(muld,each(i2d,each(b2i,b)),s)) else s",
            "fn v:[double]1, b:[bool]1 => let v0:[int]1 = each(b2i,b) in"
            " loop f(i:int = 0, s:[double]1 = v):[double]1 =>"
            " if lti(i,3) then f(addi(i,1),zipWith(muld,each(i2d,v0),s)) else s",
        ),
        (  # through a name inside
            "fn v:[int]1, k:int => loop f(i:int = 0):int => let m = muli(k,2) in let n = addi(m,1) in"
            " if lti(i,n) then f(addi(i,1)) else muli(m,i)",
            "fn v:[int]1, k:int => let v0:int = muli(k,2) in let v1:int = addi(v0,1) in"
            " loop f(i:int = 0):int => let m:int = v0 in let n:int = v1 in"
            " if lti(i,v1) then f(addi(i,1)) else muli(v0,i)",
        ),
        (  # out of two loops
            "fn k:int => loop f(i:int = 0):int => if lti(i,3) then f(loop g(j:int = i):int =>"
            " if lti(j,muli(k,2)) then g(addi(j,muli(i,2))) else j) else i",
            "fn k:int => let v0:int = muli(k,2) in loop f(i:int = 0):int => if lti(i,3) then"
            " let v1:int = muli(i,2) in f(loop g(j:int = i):int =>"
            " if lti(j,v0) then g(addi(j,v1)) else j) else i",
        ),
        (
            "fn v:[double]1 => each(fn x:double => divd(x,reduce(addd,0.0,v)),v)",
            "fn v:[double]1 => let v0:double = reduce(addd,0.0,v) in each(fn x:double => divd(x,v0),v)",
        ),
        (
            "fn v:[int]1, m:[int]2 => each(fn x:int => reduce(addi,x,reduce(addi,0,m)),v)",
            "fn v:[int]1, m:[int]2 => let v0:[int]1 = reduce(addi,0,m) in"
            " each(fn x:int => reduce(addi,x,v0),v)",
        ),
        (  # an array whose elements take more than reading them, with what is made of it alone
            "fn v:[int]1 => each(fn x:int => reduce(addi,x,reverse(scan(addi,v))),v)",
            "fn v:[int]1 => let v0:[int]1 = reverse(scan(addi,v)) in each(fn x:int => reduce(addi,x,v0),v)",
        ),
        (  # only where the branch is taken
            "fn v:[int]1, k:int => if lti(k,0) then each(fn x:int => addi(x,muli(k,2)),v) else v",
            "fn v:[int]1, k:int => if lti(k,0) then let v0:int = muli(k,2) in"
            " each(fn x:int => addi(x,v0),v) else v",
        ),
        (  # a sum that is computed by a function is computed once, not once for each end of the range
            "fn v:[double]1 => each(fn x:double => eqtd(1.0e-14,reduce(fn a:double, b:double =>"
            " addd(muld(a,2.0),b),0.0,v),x),v)",
            "fn v:[double]1 => let v0:double = reduce(fn a:double, b:double => addd(muld(a,2.0),b),0.0,v) in"
            " let v1:double = lowestd(1.0e-14,v0) in let v2:double = highestd(1.0e-14,v0) in"
            " each(fn x:double => andb(gted(x,v1),lted(x,v2)),v)",
        ),
        (  # of comparisons one inside the other the inner ones alone stand twice
            "fn v:[double]1, k:double => each(fn x:double => eqtd(1.0e-14,k,i2d(b2i(eqtd(1.0e-14,k,x)))),v)",
            "fn v:[double]1, k:double => let v0:double = lowestd(1.0e-14,k) in"
            " let v1:double = highestd(1.0e-14,k) in each(fn x:double =>"
            " eqtd(1.0e-14,k,i2d(b2i(andb(gted(x,v0),lted(x,v1))))),v)",
        ),
    ],
)  # fmt: skip
def test_move_invariants(before: str, after: str) -> None:
    assert_becomes(move_invariants, before, print_term(parse(after)))


@pytest.mark.parametrize(
    "text",
    [
        f"fn v:[int]1, k:int => {LOOP.format('cat(s,iota(k))')}",  # may fail
        f"fn v:[int]1, k:int => {LOOP.format('cat(s,print(v))')}",
        f"fn v:[int]1, k:int => {LOOP.format('update(copy(v),(1,),i)')}",
        f"fn v:[int]1, k:int => {LOOP.format('cat(s,v)')}",
        f"fn v:[int]1, m:[int]2 => {LOOP.format('reduce(addi,0,replicate(s,transp(m)))')}",
        "fn v:[int]1, k:int => each(fn x:int => addi(x,k),v)",
        "fn v:[int]1, k:int => each(fn x:int => addi(x,pick(k,v)),v)",
        "fn v:[int]1, k:int => each(fn x:int => reduce(addi,0,cat([x],reverse(v))),v)",  # no scalar
        "fn v:[int]1, k:int => each(fn x:int => reduce(addi,0,each(fn y:int => muli(y,addi(x,1)),v)),v)",
        "fn v:[int]1 => each(fn x:int => if lti(x,0) then reduce(addi,x,scan(addi,v)) else 0,v)",
        "fn v:[double]1, k:double => each(fn x:double =>"
        " eqtd(1.0e-14,reduce(fn a:double, b:double => addd(a,muld(b,x)),0.0,v),k),v)",
        "fn v:[int]1, k:int => bench(fn x:[int]1 => each(fn y:int => addi(y,muli(k,2)),x),3,v)",
    ],
)
def test_move_invariants_does_not_apply(text: str) -> None:
    assert_unchanged(move_invariants, text)


# --- common subexpressions ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "fn v:[int]1 => addi(reduce(addi,0,v),negi(reduce(addi,0,v)))",
            "fn v:[int]1 => let v0:int = reduce(addi,0,v) in addi(v0,negi(v0))",
        ),
        (  # the names of parameters do not matter
            "fn v:[int]1 => addi(reduce(fn a:int, b:int => muli(a,b),0,v),"
            "reduce(fn c:int, d:int => muli(c,d),0,v))",
            "fn v:[int]1 => let v0:int = reduce(fn a:int, b:int => muli(a,b),0,v) in addi(v0,v0)",
        ),
        (  # a binding's value has a name already
            "fn v:[int]1 => let x = reduce(addi,0,v) in let y = print(x) in addi(reduce(addi,0,v),y)",
            "fn v:[int]1 => let x:int = reduce(addi,0,v) in let y:int = print(x) in addi(x,y)",
        ),
        (  # what may fail
            "fn d:double => addd(divd(1.0,d),lnd(divd(1.0,d)))",
            "fn d:double => let v0:double = divd(1.0,d) in addd(v0,lnd(v0))",
        ),
        (  # an inner block uses what an outer one has
            "fn v:[int]1, k:int => addi(pick(k,v),if lti(k,3) then pick(k,v) else 0)",
            "fn v:[int]1, k:int => let v0:int = pick(k,v) in addi(v0,if lti(k,3) then v0 else 0)",
        ),
        (
            "fn v:[int]1, k:int => let x = pick(k,v) in each(fn y:int => addi(y,pick(k,v)),v)",
            "fn v:[int]1, k:int => let x:int = pick(k,v) in each(fn y:int => addi(y,x),v)",
        ),
        (  # searches, each of which costs more than memory
            "fn v:[int]1, w:[int]1 => zipWith(addi,indexOf(v,w),reverse(indexOf(v,w)))",
            "fn v:[int]1, w:[int]1 => let v0:[int]1 = indexOf(v,w) in zipWith(addi,v0,reverse(v0))",
        ),
        (  # what is another name only is not there
            "fn v:[int]1 => let x = unique(v) in let y = unique(v) in "
            "zipWith(addi,indexOf(x,v),indexOf(y,v))",
            "fn v:[int]1 => let x:[int]1 = unique(v) in let y:[int]1 = x in "
            "let v0:[int]1 = indexOf(x,v) in zipWith(addi,v0,v0)",
        ),
        (  # in the block of the first
            "fn v:[int]1, k:int => if lti(k,3) then muli(pick(k,v),pick(k,v)) else pick(k,v)",
            "fn v:[int]1, k:int => if lti(k,3) then let v0:int = pick(k,v) in muli(v0,v0) else pick(k,v)",
        ),
    ],
)  # fmt: skip
def test_share_common(before: str, after: str) -> None:
    assert_becomes(share_common, before, print_term(parse(after)))


@pytest.mark.parametrize(
    "text",
    [
        "fn v:[int]1 => zipWith(addi,reverse(v),each(negi,reverse(v)))",  # arrays are Laila's affair
        "addi(print(1),print(1))",
        "addi(first(roll([6])),first(roll([6])))",
        "fn v:[int]1, k:int => if lti(k,3) then pick(k,v) else addi(pick(k,v),1)",  # neither surely comes
        "fn v:[int]1, k:int => addi(if lti(k,3) then pick(k,v) else 0,pick(k,v))",
        "fn v:[int]1, k:int => each(fn x:int => addi(pick(x,v),pick(x,v)),v)",  # no binding in functions
        "fn d:double => let y = (print(1),divd(1.0,d)) in (y,divd(1.0,d))",  # the print comes first
        "addd(muld(0.0,1.0),muld(-0.0,1.0))",
        "addd(divd(0.0,1.0),i2d(firstV([1])))",
        "fn k:int => addi(k,k)",
    ],
)
def test_share_common_does_not_apply(text: str) -> None:
    assert_unchanged(share_common, text)


def test_new_names_are_new() -> None:
    text = "fn v0:[int]1, v7:int => addi(reduce(addi,0,v0),reduce(addi,0,v0))"
    names = {node.name for node in walk(share_common(parse(text))) if hasattr(node, "name")}
    assert names == {"v0", "v8"}


# --- dead code with branches and loops --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "fn k:int => if lti(k,1) then (let x = addi(k,1) in k) else 2",
            "fn k:int => if lti(k,1) then k else 2",
        ),
        (
            "fn k:int => let x = addi(k,1) in if lti(k,1) then x else 2",
            "fn k:int => let x:int = addi(k,1) in if lti(k,1) then x else 2",
        ),
        (
            "fn k:int => let x = addi(k,1) in loop f(i:int = 0):int => let y = muli(i,2) in"
            " if lti(i,x) then f(addi(i,1)) else i",
            "fn k:int => let x:int = addi(k,1) in loop f(i:int = 0):int =>"
            " if lti(i,x) then f(addi(i,1)) else i",
        ),
    ],
)  # fmt: skip
def test_dead_code_in_blocks(before: str, after: str) -> None:
    assert_becomes(drop_dead_bindings, before, print_term(parse(after)))
