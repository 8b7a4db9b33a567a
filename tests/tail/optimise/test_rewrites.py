"""Rewrites of copies, functions on elements and bindings in TAIL: goldens for each rule."""

import pytest

from aplc.tail.optimise.copy_elision import drop_copies
from aplc.tail.optimise.inlining import drop_dead_bindings, inline_bindings
from aplc.tail.optimise.map_fusion import Printing, fuse_each, fuse_each_each
from tests.support.rewriting import assert_becomes, assert_unchanged, everywhere

# Copies: copy(update(a,i,v)) = update(a,i,v)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("copy(update(copy([1,2]),(1,),5))", "update(copy([1,2]),(1,),5)"),
        ("copy(modify(addi,copy([1,2]),(1,),5))", "modify(addi,copy([1,2]),(1,),5)"),
        ("copy(copy([1,2]))", "copy([1,2])"),
        (
            "update(copy(update(copy(copy([1,2])),(1,),5)),(2,),6)",
            "update(update(copy([1,2]),(1,),5),(2,),6)",
        ),
        (
            "modify(addi,copy(update(copy([1,2]),(1,),5)),([1,1],),6)",
            "modify(addi,update(copy([1,2]),(1,),5),([1,1],),6)",
        ),
        (
            "let v = [1,2] in (update(copy(update(copy(v),(1,),7)),(2,),pick(1,v)),v)",
            "let v:<int>2 = [1,2] in (update(update(copy(v),(1,),7),(2,),pick(1,v)),v)",
        ),
        (
            "loop f(i:int = 1, v:[int]1 = [0,0]):[int]1 => if ltei(i,2) then"
            " f(addi(i,1),update(copy(update(copy(v),(1,),5)),(i,),i)) else v",
            "loop f(i:[int]0 = 1,v:[int]1 = [0,0]):[int]1 => if ltei(i,2) then"
            " f(addi(i,1),update(update(copy(v),(1,),5),(i,),i)) else v",
        ),
    ],
)
def test_drop_copies(before: str, after: str) -> None:
    assert_becomes(drop_copies, before, after)


@pytest.mark.parametrize(
    "text",
    [
        "update(copy([1,2]),(1,),5)",
        "let v = update(copy([1,2]),(1,),5) in (update(copy(v),(2,),6),v)",  # a name between them
        "let v = update(copy([1,2]),(1,),5) in update(copy(v),(2,),6)",
        "copy(print(update(copy([1,2]),(1,),5)))",
        "copy(reverse(update(copy([1,2]),(1,),5)))",
        "copy(if tt then update(copy([1,2]),(1,),5) else [1,2])",
        "copy((update(copy([1,2]),(1,),5),).1)",
        "update(copy(let v = update(copy([1,2]),(1,),5) in v),(2,),6)",
        "materialise(copy([1]))",
        "copy(materialise([1]))",
    ],
)
def test_drop_copies_does_not_apply(text: str) -> None:
    assert_unchanged(drop_copies, text)


# Fusion: each(f, each(g, a)) = each(f ∘ g, a)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "fn v:[int]1 => each(fn x:int => addi(x,1),each(fn y:int => muli(y,2),v))",
            "fn v:[int]1 => each(fn y:[int]0 => addi(muli(y,2),1),v)",
        ),
        (
            "fn v:[int]1 => each(negi,each(fn y:int => absi(y),v))",
            "fn v:[int]1 => each(fn y:[int]0 => negi(absi(y)),v)",
        ),
        (
            "fn v:[int]1 => each(negi,each(fn y:int => absi(y),each(fn z:int => addi(z,z),v)))",
            "fn v:[int]1 => each(fn z:[int]0 => negi(absi(addi(z,z))),v)",
        ),
        (
            "fn v:[int]1, k:int => each(fn x:int => muli(k,x),each(fn y:int => addi(y,k),v))",
            "fn v:[int]1, k:[int]0 => each(fn y:[int]0 => muli(k,addi(y,k)),v)",
        ),
        (
            "fn v:<int>3 => each(fn x:bool => b2i(x),each(fn y:int => lti(y,2),v))",
            "fn v:<int>3 => each(fn y:[int]0 => b2i(lti(y,2)),v)",
        ),
        (
            "fn v:[int]1 => each(fn x:int => each(fn z:int => negi(z),each(fn w:int => absi(w),x)),v)",
            "fn v:[int]1 => each(fn x:[int]0 => each(fn w:[int]0 => negi(absi(w)),x),v)",
        ),
        (
            "fn v:[int]1 => each(fn x:int => reduce(addi,0,[x,1]),each(fn y:int => absi(y),v))",
            "fn v:[int]1 => each(fn y:[int]0 => reduce(addi,0,[absi(y),1]),v)",
        ),
        (
            "fn v:[int]1 => reduce(addi,0,each(negi,each(fn y:int => absi(y),v)))",
            "fn v:[int]1 => reduce(addi,0,each(fn y:[int]0 => negi(absi(y)),v))",
        ),
        (
            "fn v:[int]1 =>"
            " each(negi,each(fn y:int => if lti(y,2) then 1 else loop f(i:int = y):int => 2,v))",
            "fn v:[int]1 =>"
            " each(fn y:[int]0 => negi(if lti(y,2) then 1 else loop f(i:[int]0 = y):[int]0 => 2),v)",
        ),
    ],
)
def test_fuse_each_each(before: str, after: str) -> None:
    assert_becomes(everywhere(lambda exp: fuse_each_each(exp, Printing())), before, after)
    assert_becomes(fuse_each, before, after)


@pytest.mark.parametrize(
    "text",
    [
        "fn v:[int]1 => each(negi,each(absi,v))",  # the inner function is a primitive
        "fn v:[int]1 => each(fn x:int => muli(x,x),each(fn y:int => absi(y),v))",  # twice
        "fn v:[int]1 => each(fn x:int => 5,each(fn y:int => absi(y),v))",  # never
        # in a function of its own, which may run more than once
        "fn v:[int]1 => each(fn x:int => first(each(fn z:int => addi(x,z),[1])),each(fn y:int => absi(y),v))",
        "fn v:[int]1 => each(negi,each(fn y:int => let z = absi(y) in muli(z,z),v))",  # a block inside
        "fn v:[int]1 => each(fn x:int => let z = absi(x) in muli(z,z),each(fn y:int => absi(y),v))",
        "fn v:[int]1 => let w = each(fn y:int => absi(y),v) in each(negi,w)",  # the inner value has a name
        "fn v:[int]1 => each(negi,reverse(each(fn y:int => absi(y),v)))",
        "fn v:[int]1 => zipWith(addi,v,each(fn y:int => absi(y),v))",
        "fn v:[int]1 => each(negi,v)",
        # in a branch, a loop or a recursion of the outer function
        "fn v:[int]1 => each(fn x:int => if tt then x else 1,each(fn y:int => absi(y),v))",
        "fn v:[int]1 => each(fn x:int => if eqi(x,1) then x else 1,each(fn y:int => absi(y),v))",
        "fn v:[int]1 => each(fn x:int => loop f(i:int = x):int => i,each(fn y:int => absi(y),v))",
        # random numbers would be drawn in another order
        "fn v:[int]1 => each(fn x:int => addi(roll(6),x),each(fn y:int => roll(y),v))",
    ],
)
def test_fuse_each_each_does_not_apply(text: str) -> None:
    assert_unchanged(everywhere(lambda exp: fuse_each_each(exp, Printing())), text)


# Inlining: let x = a in e = e[a/x]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # constants and renamings go everywhere, function bodies included
        ("let x = 5 in addi(x,x)", "addi(5,5)"),
        ("let x = 5 in each(fn y:int => addi(x,y),[x])", "each(fn y:[int]0 => addi(5,y),[5])"),
        ("fn v:[int]1 => let w = v in cat(w,w)", "fn v:[int]1 => cat(v,v)"),
        (
            "fn k:int => let j = k in each(fn y:int => addi(j,y),[1])",
            "fn k:[int]0 => each(fn y:[int]0 => addi(k,y),[1])",
        ),
        ("let x = 5 in let y = x in let z = y in muli(z,y)", "muli(5,5)"),
        # what is used once moves
        ("let x = iota(3) in reverse(x)", "reverse(iota(3))"),
        ("let x = iota(3) in let y = reverse(x) in cat(y,[1])", "cat(reverse(iota(3)),[1])"),
        (
            "let x = (let y = iota(3) in reverse(y)) in cat(x,x)",
            "let x:[int]1 = reverse(iota(3)) in cat(x,x)",
        ),
        ("let x = divd(1.0,0.0) in negd(x)", "negd(divd(1.0,0.0))"),
        ("let x = iotaV(3) in (reverseV(x),1)", "(reverseV(iotaV(3)),1)"),
        # what cannot fail moves past a print
        (
            "let x = reverse([1,2]) in let y = print(5) in (x,y)",
            "let y:S(int,5) = print(5) in (reverse([1,2]),y)",
        ),
        # a type may become more precise
        ("let x:[int]1 = [1,2] in reverse(x)", "reverse([1,2])"),
        (
            "let x:[int]1 = iotaV(2) in let y = zipWith(addi,x,[1,2]) in cat(y,y)",
            "let y:<int>2 = zipWith(addi,iotaV(2),[1,2]) in cat(y,y)",
        ),
        # the last print is the boundary
        (
            "let x = print(1) in let y = iota(x) in reverse(y)",
            "let x:S(int,1) = print(1) in reverse(iota(x))",
        ),
        ("let x = roll(1) in let y = iota(x) in reverse(y)", "let x:[int]0 = roll(1) in reverse(iota(x))"),
        # into what is surely computed once: conditions, first values of loops, components
        (
            "fn k:int => let x = eqi(k,1) in if x then 1 else 2",
            "fn k:[int]0 => if eqi(k,1) then 1 else 2",
        ),
        (
            "fn k:int => let x = iota(k) in loop f(v:[int]1 = x):[int]1 => v",
            "fn k:[int]0 => loop f(v:[int]1 = iota(k)):[int]1 => v",
        ),
        ("fn k:int => let x = (iota(k),1) in x.1", "fn k:[int]0 => (iota(k),1).1"),
        ("let v = update(copy([1]),(1,),2) in reverse(v)", "reverse(update(copy([1]),(1,),2))"),
        # constants and names go into branches and loops
        (
            "fn k:int => let x = 5 in let j = k in if eqi(j,1) then x else addi(x,j)",
            "fn k:[int]0 => if eqi(k,1) then 5 else addi(5,k)",
        ),
        (
            "let n = 5 in loop f(i:int = n):int => if lti(i,n) then f(addi(i,1)) else n",
            "loop f(i:[int]0 = 5):[int]0 => if lti(i,5) then f(addi(i,1)) else 5",
        ),
        (
            "rec f(i:int = 3):int => let j = i in if lti(j,1) then 0 else muli(2,f(subi(j,1)))",
            "rec f(i:[int]0 = 3):[int]0 => if lti(i,1) then 0 else muli(2,f(subi(i,1)))",
        ),
    ],
)
def test_inline_bindings(before: str, after: str) -> None:
    assert_becomes(inline_bindings, before, after)


@pytest.mark.parametrize(
    "text",
    [
        "let x = iota(3) in cat(x,x)",  # used twice
        "let x = iota(3) in 5",  # not used: that is another pass
        "let x = (let y = iota(3) in cat(y,y)) in reverse(x)",  # a block is no operand
        "let x = print([1,2]) in reverse(x)",  # a print stays where it is
        "let x = each(fn y:int => print(y),[1,2]) in reverse(x)",
        "fn k:int => let x = iota(k) in let y = print(1) in (reverse(x),y)",  # may fail: not past a print
        "fn k:int => let x = iota(k) in let y = each(fn z:int => print(z),[1]) in (reverse(x),y)",
        "fn k:int => let x = addi(k,1) in each(fn y:int => addi(x,y),[1,2])",  # not into a function body
        "fn k:int => let x = iota(k) in reduce(fn y:int, z:int => addi(y,first(x)),0,[1,2])",
        "fn k:int => each(fn y:int => let z = addi(y,k) in muli(z,z),[1,2])",
        "fn k:int => each(fn y:int => let z = addi(y,k) in negi(z),[1,2])",
        # not into a branch, which may not be computed, nor into a loop, which computes it often
        "fn k:int => let x = iota(k) in if gti(k,0) then x else [1]",
        "fn k:int => let x = addi(k,1) in if gti(k,0) then 1 else x",
        "fn k:int => let x = addi(k,1) in if gti(k,0) then (if gti(x,5) then 1 else 2) else 3",
        "fn k:int => let x = addi(k,1) in loop f(i:int = 0):int => if lti(i,x) then f(addi(i,1)) else i",
        "fn k:int => let x = addi(k,1) in loop f(i:int = 0):int => if lti(i,5) then f(addi(i,1)) else x",
        "fn k:int => let x = addi(k,1) in loop f(i:int = 0):int => loop g(j:int = x):int => j",
        "let x = update(copy([1]),(1,),2) in loop f(i:int = 0):int => if lti(i,5) then f(pick(1,x)) else i",
        # a call stays before what comes behind it
        "rec f(n:int = 3):int => if eqi(n,0) then 0 else let r:int = f(subi(n,1)) in addi(r,n)",
        # random numbers are drawn once, and in order
        "let x = roll(6) in negi(x)",
        "let x = roll(6) in let y = roll(6) in subi(y,x)",
        "let x = uniform([2]) in let y = setSeed(1) in (y,x)",
        "let x = setSeed(7) in let y = deal(2,9) in let z = roll(x) in (z,y)",
        "fn k:int => let x = iota(k) in let y = roll(6) in (reverse(x),y)",  # may fail: not past a draw
        "fn k:int => let x = iota(k) in let y = loop f(i:int = 0):int => print(i) in (reverse(x),y)",
        "fn k:int => let x = iota(k) in let y = if eqi(k,1) then print(1) else 2 in (reverse(x),y)",
        "fn k:int => let x = iota(k) in if eqi(k,1) then print(reverse([1])) else x",
        "fn k:int => let t = (iota(k),print(1)) in t.1",
    ],
)
def test_inline_bindings_does_not_apply(text: str) -> None:
    assert_unchanged(inline_bindings, text)


# Dead bindings: let x = a in e = e


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("let x = reverse([1,2]) in 5", "5"),
        ("let x = [1,2] in let y = reverse(x) in let z = cat(y,y) in 5", "5"),
        ("let x = [1,2] in let y = reverse(x) in x", "let x:<int>2 = [1,2] in x"),
        ("let x = addd(1.0,divd(1.0,2.0)) in 5", "5"),
        ("let x = cat([1],[2]) in 5", "5"),
        ("let x = cons(1,[2]) in let y = snoc([2],1) in 5", "5"),
        ("let x = zipWith(addi,[1,2],[3,4]) in 5", "5"),
        ("let x = each(negi,[1,2]) in 5", "5"),
        ("let x = reduce(addi,0,[1,2]) in 5", "5"),
        ("let x = take(3,[1]) in let y = drop(3,x) in let z = rotate(3,y) in 5", "5"),
        ("let x = indexOf([1],[2]) in 5", "5"),
        ("let x = (1,[2]) in let y = x.2 in 5", "5"),
        ("let x = if lti(1,2) then 1 else 2 in 5", "5"),
        ("let x = format(10,[1.5]) in 5", "5"),
        ("let x = copy([1]) in let y = materialise(x) in 5", "5"),
        ("let x = scan(addi,[1]) in let y = gradeUp(x) in let z = unique(y) in 5", "5"),
        ("let x = member([1],[2]) in let y = find([1],[2]) in let z = encode([2],3) in 5", "5"),
        (
            "fn k:int => if eqi(k,1) then (let x = addi(k,1) in 2) else let y = negi(k) in k",
            "fn k:[int]0 => if eqi(k,1) then 2 else k",
        ),
        (
            "loop f(i:int = 0):int => let j = negi(i) in if lti(i,5) then f(addi(i,1)) else let k = j in i",
            "loop f(i:[int]0 = 0):[int]0 => if lti(i,5) then f(addi(i,1)) else i",
        ),
        (
            "fn k:int => each(fn y:int => let z = addi(y,k) in y,[1,2])",
            "fn k:[int]0 => each(fn y:[int]0 => y,[1,2])",
        ),
        ("let x = (let y = iotaV(3) in 7) in x", "let x:S(int,7) = 7 in x"),
        ("addi(let x = 1 in 2,3)", "addi(2,3)"),
    ],
)
def test_drop_dead_bindings(before: str, after: str) -> None:
    assert_becomes(drop_dead_bindings, before, after)


@pytest.mark.parametrize(
    "text",
    [
        f"fn k:int, d:double, v:[int]1, w:[int]2, u:[double]1 => let x = {value} in 5"
        for value in (
            "print(5)",
            "each(fn y:int => print(y),[1])",
            "divd(1.0,d)",
            "divd(1.0,0.0)",
            "zipWith(divd,u,u)",
            "each(lnd,u)",
            "each(fn y:double => divd(d,y),u)",
            "reduce(divd,1.0,u)",
            "outer(powd,u,u)",
            "lnd(d)",
            "powd(d,d)",
            "floord(d)",
            "ceild(d)",
            "d2i(d)",
            "i2b(k)",
            "iota(k)",
            "reshape([k],v)",
            "reshape([2,-2],v)",
            "cat(w,w)",
            "cons(v,w)",
            "snoc(w,v)",
            "reduce1(addi,v)",
            "inner(addi,0,muli,v,v)",
            "inner1(addi,muli,v,v)",
            "pick(k,v)",
            "transp2([k,1],w)",
            "zipWith(addi,v,v)",
            "addd(1.0,negd(divd(1.0,d)))",
            "(let y = pick(k,v) in 5)",
            "each(fn y:int => let z = iota(y) in y,v)",
            "(divd(1.0,d),1)",
            "(divd(1.0,d),1).2",
            "if eqi(k,1) then divd(1.0,d) else 1.0",
            "if eqi(k,1) then 1 else print(2)",
            "if i2b(k) then 1 else 2",
            "loop f(i:int = k):int => f(i)",
            "loop f(i:int = k):int => if gti(i,0) then f(subi(i,1)) else i",
            "rec f(i:int = k):int => if eqi(i,0) then 0 else addi(1,f(subi(i,1)))",
            "roll(6)",
            "uniform([2])",
            "deal(1,2)",
            "setSeed(k)",
            "now(0)",
            "printWith(3,(1,2))",
            "noResult(k)",
            "natural(k)",
            "binomd(d,d)",
            "factd(d)",
            "circd(1,d)",
            "shli32(k,k)",
            "single(v)",
            "ofLength(2,v)",
            "index((k,),v)",
            "update(copy(v),(k,),1)",
            "modify(addi,copy(v),(k,),1)",
            "reduceN(addi,0,k,v)",
            "reduceN1(addi,k,v)",
            "cells(fn c:int => iota(c),v)",
            "zipCells(fn a:int, b:int => a,v,v)",
            "replicate(v,v)",
            "compress(each(fn y:int => eqi(y,1),v),v)",
            "expand(v,v)",
            "rotates(v,w)",
            "where(v)",
            "intervalIndex(v,k)",
            "indexOf(w,v)",
            "decode(v,v)",
            "matInv(reshape([2,2],d))",
            "format(k,d)",
            "format(18,d)",
            "formatBy(v,d)",
            "scan(divd,u)",
            "scan(fn y:double, z:double => divd(y,z),u)",
            'readFile("x")',
            'npyInt("x",1)',
        )
    ],
)
def test_a_dead_binding_that_may_fail_is_kept(text: str) -> None:
    assert_unchanged(drop_dead_bindings, text)


def test_a_dead_zip_with_of_two_known_lengths_is_kept() -> None:
    assert_unchanged(drop_dead_bindings, "let x = zipWith(addi,[1,2,3],[1,2]) in 5")
