"""From APL to typed TAIL: what each construct becomes, and that every term is well typed.

The goldens are programs whose free names are inputs (see `INPUTS`), and the bodies of their terms, on one
line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pytest

from apl_front.elaborate import Elaborated, elaborate_function, elaborate_program
from apl_front.parser import parse
from tail.check import check
from tail.evaluate import evaluate
from tail.source import Source
from tail.syntax import Fn, Op, body_of, walk
from tail.text_print import print_term
from tail.types import UNIT, Array, Base, Rho, Type


def array(base: Base, rank: int) -> Type:
    return Array(base, Rho(rank))


INPUTS = {
    "n": array(Base.INT, 0), "x": array(Base.DOUBLE, 0),
    "v": array(Base.INT, 1), "w": array(Base.INT, 1), "d": array(Base.DOUBLE, 1),
    "b": array(Base.BOOL, 1), "t": array(Base.CHAR, 1),
    "k": array(Base.INT, 2), "m": array(Base.DOUBLE, 2),
}  # fmt: skip


def inputs_of(text: str) -> dict[str, Type]:
    """The inputs that a program names."""
    return {name: ty for name, ty in INPUTS.items() if re.search(rf"(?<!\w){name}(?!\w)", text)}


def program(text: str, *, value_of_assignment: bool = False) -> Elaborated:
    files = [parse(Source("test.apl", text))]
    elaborated = elaborate_program(files, inputs_of(text), value_of_assignment=value_of_assignment)
    check(elaborated.term)
    return elaborated


def function(text: str, name: str | None = None, **args: Type) -> Elaborated:
    """A function for arguments `left` and `right`."""
    types = {glyph: args[side] for glyph, side in (("⍺", "left"), ("⍵", "right")) if side in args}
    elaborated = elaborate_function([parse(Source("test.apl", text))], name, types)
    check(elaborated.term)
    return elaborated


def shown(elaborated: Elaborated) -> str:
    """The body of a term on one line, its variables and functions numbered in the order of the text."""
    text = " ".join(print_term(body_of(elaborated.term)).split())
    numbered: dict[str, str] = {}

    def canonical(name: re.Match[str]) -> str:
        kind = name[0][0]
        return numbered.setdefault(name[0], f"{kind}{sum(n[0] == kind for n in numbered)}")

    return re.sub(r"\b[vf]\d+\b", canonical, re.sub(r"(?<=[(,]) ", "", text))


# ---- goldens --------------------------------------------------------------------------------------------

# fmt: off
# The overload and the coercions of scalar functions.
COERCIONS = [
    ("n+x", "addd(i2d(n),x)"),
    ("v+d", "zipWith(addd,each(i2d,v),d)"),
    ("b+1", "each(fn v0:[int]0 => addi(v0,1),each(b2i,b))"),
    ("b+x", "each(fn v0:[double]0 => addd(v0,x),each(i2d,each(b2i,b)))"),
    ("b∧0", "each(fn v0:[bool]0 => andb(v0,ff),b)"),
    ("v∧1", "each(fn v0:[int]0 => lcmi(v0,1),v)"),
    ("~v", "each(notb,each(i2b,v))"),
    ("~x", "notb(i2b(d2i(x)))"),
    ("v=x", "each(fn v0:[double]0 => eqd(v0,x),each(i2d,v))"),
    ("t='a'", "each(fn v0:[char]0 => eqc(v0,'a'),t)"),
    ("t=n", "each(fn v0:[char]0 => ff,t)"),
    ("1 2.5 3", "[1.0,2.5,3.0]"),
    ("1 2 n", "[1,2,n]"),
    ("⍳x", "iota(d2i(x))"),
    ("x↑v", "take(d2i(x),v)"),
    ("÷v", "each(fn v0:[double]0 => divd(1.0,v0),each(i2d,v))"),
    ("2⍟v", "each(fn v0:[double]0 => divd(lnd(v0),lnd(i2d(2))),each(i2d,v))"),
    ("v*2", "each(fn v0:[double]0 => powd(v0,i2d(2)),each(i2d,v))"),
    ("-b", "each(negi,each(b2i,b))"),
    ("|d", "each(absd,d)"),
    ("×d", "each(signd,d)"),
    ("⌊d", "each(floord,d)"),
    ("+v", "v"),
    ("⌈v", "v"),
]

# Scalars beside arrays; what is computed once is bound outside.
EXTENSION = [
    ("1+v", "each(fn v0:[int]0 => addi(1,v0),v)"),
    ("v-1", "each(fn v0:[int]0 => subi(v0,1),v)"),
    ("n×v", "each(fn v0:[int]0 => muli(n,v0),v)"),
    ("(n×2)×v", "let v0:[int]0 = muli(n,2) in each(fn v1:[int]0 => muli(v0,v1),v)"),
    ("v+w", "zipWith(addi,v,w)"),
    ("1 2 3+v", "zipWith(addi,[1,2,3],v)"),
    ("m+m", "zipWith(addd,m,m)"),
]

# An array that is known to have one element extends like a scalar.
SINGLE_ELEMENTS = [
    ("(,5)+v", "let v0:S(int,5) = firstV([5]) in each(fn v1:[int]0 => addi(v0,v1),v)"),
    ("v+,n", "let v0:[int]0 = firstV([n]) in each(fn v1:[int]0 => addi(v1,v0),v)"),
    ("(,5)+m", "let v0:[double]0 = i2d(firstV([5])) in each(fn v1:[double]0 => addd(v0,v1),m)"),
    ("(,5)+,6", "[addi(firstV([5]),firstV([6]))]"),
    ("(,5)+1", "[addi(firstV([5]),1)]"),
    ("(,n)=1 2 3", "let v0:[int]0 = firstV([n]) in each(fn v1:[int]0 => eqi(v0,v1),[1,2,3])"),
]

# A known length chooses the version that keeps it.
LENGTHS = [
    ("1 2 3+4 5 6", "zipWith(addi,[1,2,3],[4,5,6])"),
    ("⍳4", "iotaV(4)"),
    ("⍴1 2 3", "shapeV([1,2,3])"),
    ("⍴v", "shape(v)"),
    ("⍴m", "shape(m)"),
    ("⍴n", "[]"),
    ("≢1 2 3", "firstV(shapeV([1,2,3]))"),
    ("≢v", "firstV(shape(v))"),
    ("≢n", "1"),
    ("⌽1 2 3", "reverseV([1,2,3])"),
    ("⌽v", "reverse(v)"),
    ("⊖m", "transp(reverse(transp(m)))"),
    ("1⌽1 2 3", "rotateV(1,[1,2,3])"),
    ("n⌽v", "rotate(n,v)"),
    ("1⊖m", "transp(rotate(1,transp(m)))"),
    ("⍉m", "transp(m)"),
    ("⍉v", "v"),
    ("2 1⍉m", "transp2([2,1],m)"),
    ("1 1⍉m", "diagonal([1,1],m)"),
    ("⊃1 2 3", "firstV([1,2,3])"),
    ("⊃v", "first(v)"),
    ("⊃m", "first(m)"),
    (",m", "ravel(m)"),
    (",v", "v"),
    (",n", "[n]"),
    ("2⊃v", "pick(2,v)"),
    ("1 2⍳v", "indexOf([1,2],v)"),
    ("v⍳x", "indexOf(each(i2d,v),x)"),
    ("t⍳'a'", "indexOf(t,'a')"),
    ("v≡w", "match(v,w)"),
    ("v≡m", "ff"),
    ("1 2≡1 2 3", "ff"),
    ("v≢d", "notb(match(each(i2d,v),d))"),
]

# All combinations of ranks that differ by one at most, and a scalar beside anything.
CATENATE = [
    ("1,2", "[1,2]"),
    ("1,v", "cons(1,v)"),
    ("v,1", "snoc(v,1)"),
    ("1 2,3", "snocV([1,2],3)"),
    ("1 2,3 4", "catV([1,2],[3,4])"),
    ("v,w", "cat(v,w)"),
    ("v,d", "cat(each(i2d,v),d)"),
    ("b,n", "snoc(each(b2i,b),n)"),
    ("1,m", "cons(reshape(dropV(-1,shape(m)),i2d(1)),m)"),
    ("m,n", "snoc(m,reshape(dropV(-1,shape(m)),i2d(n)))"),
    ("m,m", "cat(m,m)"),
    ("m,v", "snoc(m,each(i2d,v))"),
    ("v,k", "cons(v,k)"),
    ("⍬,t", 'cat("",t)'),
]

# Take, drop and reshape.
PARTS = [
    ("2↑v", "takeV(2,v)"),
    ("2↑1 2 3", "takeV(2,[1,2,3])"),
    ("2↓v", "drop(2,v)"),
    ("2↓1 2 3", "dropV(2,[1,2,3])"),
    ("¯1↓1 2 3", "dropV(-1,[1,2,3])"),
    ("n↑v", "take(n,v)"),
    ("n↓1 2 3", "drop(n,[1,2,3])"),
    ("1 ¯1↓m", "drops([1,-1],m)"),
    ("2↑m", "take(2,m)"),
    ("3↑n", "takeV(3,[n])"),
    ("2 2↑n", "takes([2,2],reshape([1,1],n))"),
    ("⍬↑n", "n"),
    ("3⍴v", "reshapeV(3,v)"),
    ("n⍴v", "reshape([n],v)"),
    ("2 3⍴v", "reshape([2,3],v)"),
    ("(n,2)⍴v", "reshape([n,2],v)"),
    ("(⍴m)⍴v", "reshape(shape(m),v)"),
    ("⍬⍴v", "reshape([],v)"),
    ("2 3.0⍴1", "reshape([2,3],1)"),
]

# Reductions: the type on which a function closes, and its identity item.
REDUCTIONS = [
    ("+/v", "reduce(addi,0,v)"),
    ("+/d", "reduce(addd,0.0,d)"),
    ("+/b", "reduce(addi,0,each(b2i,b))"),
    ("-/b", "reduce(subi,0,each(b2i,b))"),
    ("÷/v", "reduce(divd,1.0,each(i2d,v))"),
    ("=/v", "reduce(fn v0:[int]0,v1:[int]0 => b2i(eqi(v0,v1)),1,v)"),
    ("=/d", "reduce(fn v0:[double]0,v1:[double]0 => i2d(b2i(eqd(v0,v1))),1.0,d)"),
    ("∧/b", "reduce(andb,tt,b)"),
    ("∧/v", "reduce(lcmi,1,v)"),
    ("⌈/v", "reduce(maxi,-9223372036854775808,v)"),
    ("⌈/d", "reduce(maxd,-1.7976931348623157e+308,d)"),
    ("⌊/v", "reduce(mini,9223372036854775807,v)"),
    ("*/v", "reduce(powd,1.0,each(i2d,v))"),
    ("⍟/v", "reduce1(fn v0:[double]0,v1:[double]0 => divd(lnd(v1),lnd(v0)),each(i2d,v))"),
    ("</v", "reduce(fn v0:[int]0,v1:[int]0 => b2i(lti(v0,v1)),0,v)"),
    ("⍲/b", "reduce1(nandb,b)"),
    ("+/1 2 3", "reduce(addi,0,[1,2,3])"),
    ("+/n", "n"),
    ("{⍺+⍵}/v", "reduce1(addi,v)"),
    ("{⍺+2×⍵}/v", "reduce1(fn v0:[int]0,v1:[int]0 => addi(v0,muli(2,v1)),v)"),
    ("{⍺>⍵}/v", "reduce1(fn v0:[int]0,v1:[int]0 => b2i(gti(v0,v1)),v)"),
    ("{⍺÷⍵}/v", "reduce1(divd,each(i2d,v))"),
    ("{⍺+⍵}⍨/v", "reduce1(fn v0:[int]0,v1:[int]0 => addi(v1,v0),v)"),
    ("⊢/v", "reduce1(fn v0:[int]0,v1:[int]0 => v1,v)"),
    ("+/m", "reduce(addd,0.0,m)"),
    ("+⌿m", "reduce(addd,0.0,transp(m))"),
    ("+⌿v", "reduce(addi,0,v)"),
    ("⌈⌿k", "reduce(maxi,-9223372036854775808,transp(k))"),
    ("-⌿m", "reduce(subd,0.0,transp(m))"),
]

PRODUCTS = [
    ("v∘.×w", "outer(muli,v,w)"),
    ("v∘.+d", "outer(fn v0:[int]0,v1:[double]0 => addd(i2d(v0),v1),v,d)"),
    ("1∘.+v", "each(fn v0:[int]0 => addi(1,v0),v)"),
    ("v∘.+1", "each(fn v0:[int]0 => addi(v0,1),v)"),
    ("v∘.{⍺+2×⍵}w", "outer(fn v0:[int]0,v1:[int]0 => addi(v0,muli(2,v1)),v,w)"),
    ("'ab'∘.=t", 'outer(eqc,"ab",t)'),
    ("v+.×w", "inner(addi,0,muli,v,w)"),
    ("v+.×d", "inner(addd,0.0,fn v0:[int]0,v1:[double]0 => muld(i2d(v0),v1),v,d)"),
    ("v+.=w", "inner(addi,0,fn v0:[int]0,v1:[int]0 => b2i(eqi(v0,v1)),v,w)"),
    ("v∧.=w", "inner(andb,tt,eqi,v,w)"),
    ("v÷.-w", "inner(divd,1.0,fn v0:[int]0,v1:[int]0 => i2d(subi(v0,v1)),v,w)"),
    ("m+.×m", "inner(addd,0.0,muld,m,m)"),
    ("v{⍺+⍵}.×w", "inner1(addi,muli,v,w)"),
    ("n+.×v", "inner(addi,0,muli,[n],v)"),
]

EACH = [
    ("-¨v", "each(negi,v)"),
    ("{⍵+n}¨v", "each(fn v0:[int]0 => addi(v0,n),v)"),
    ("{⍵×⍵}¨m", "each(fn v0:[double]0 => muld(v0,v0),m)"),
    ("v+¨w", "zipWith(addi,v,w)"),
    ("v{⍺-⍵}¨n", "each(fn v0:[int]0 => subi(v0,n),v)"),
    ("n{⍺-⍵}¨v", "each(fn v0:[int]0 => subi(n,v0),v)"),
    ("(,1)+¨v", "let v0:S(int,1) = firstV([1]) in each(fn v1:[int]0 => addi(v0,v1),v)"),
    ("{⍵+1}¨n", "addi(n,1)"),
]

# Commute, bind, compose, over, atop and trains.
OPERATORS = [
    ("-⍨v", "zipWith(subi,v,v)"),
    ("v-⍨1", "each(fn v0:[int]0 => subi(1,v0),v)"),
    ("(+⍨n×2)", "let v0:[int]0 = muli(n,2) in addi(v0,v0)"),
    ("2∘-¨v", "each(fn v0:[int]0 => subi(2,v0),v)"),
    ("(-∘2)v", "each(fn v0:[int]0 => subi(v0,2),v)"),
    ("v-∘|w", "zipWith(subi,v,each(absi,w))"),
    ("-⍥|v", "each(negi,each(absi,v))"),
    ("v-⍥|w", "zipWith(subi,each(absi,v),each(absi,w))"),
    ("v-⍤+w", "each(negi,zipWith(addi,v,w))"),
    ("(+/÷≢)v", "divd(i2d(reduce(addi,0,v)),i2d(firstV(shape(v))))"),
    ("(2×⊢)v", "each(fn v0:[int]0 => muli(2,v0),v)"),
    ("v(+-×)w", "zipWith(subi,zipWith(addi,v,w),zipWith(muli,v,w))"),
    ("(-+)v", "each(negi,v)"),
]

# APL computes right to left; what prints is bound in that order.
ORDER = [
    ("(⎕←5)+⎕←6", "let v0:S(int,6) = print(6) in let v1:S(int,5) = print(5) in addi(v1,v0)"),
    ("(⎕←n)+n×2", "let v0:[int]0 = muli(n,2) in let v1:[int]0 = print(n) in addi(v1,v0)"),
    ("(⎕←n)(⎕←2)", "let v0:S(int,2) = print(2) in let v1:[int]0 = print(n) in [v1,v0]"),
    ("v+⎕←w", "let v0:[int]1 = print(w) in zipWith(addi,v,v0)"),
    ("⎕←n⋄n+1", "let v0:[int]0 = print(n) in addi(n,1)"),
    # What a function does not look at is computed all the same.
    ("5⊣÷n", "let v0:[double]0 = divd(1.0,i2d(n)) in 5"),
    ("(÷n)⊢5", "let v0:[double]0 = divd(1.0,i2d(n)) in 5"),
    ("≢÷n", "let v0:[double]0 = divd(1.0,i2d(n)) in 1"),
    ("⍴÷n", "let v0:[double]0 = divd(1.0,i2d(n)) in []"),
    ("'a'=÷n", "let v0:[double]0 = divd(1.0,i2d(n)) in ff"),
    ("1 2≡÷n", "let v0:[double]0 = divd(1.0,i2d(n)) in ff"),
    ("1 2⊣3 4", "[1,2]"),
    ("n⋄n+1", "let v0:[int]0 = print(n) in addi(n,1)"),
    ("x←n+1⋄x×x", "let v0:[int]0 = addi(n,1) in muli(v0,v0)"),
]

# Names: default left arguments, what functions and derived functions see, one elaboration for each use.
FUNCTIONS = [
    ("(+/y)÷≢y←v", "divd(i2d(reduce(addi,0,v)),i2d(firstV(shape(v))))"),
    ("f←{⍺←2 ⋄ ⍺×⍵} ⋄ (f n),5 f n", "[muli(2,n),muli(5,n)]"),
    ("{⍺←⊢ ⋄ ⍺-⍵}n", "negi(n)"),
    ("3{⍺←⊢ ⋄ ⍺-⍵}n", "subi(3,n)"),
    ("f←{⍺←⎕←7 ⋄ ⍺×⍵} ⋄ n f 3", "muli(n,3)"),
    ("y←n×2 ⋄ f←{y+⍵} ⋄ y←10 ⋄ f n", "let v0:[int]0 = muli(n,2) in addi(10,n)"),
    ("y←n×2 ⋄ f←y∘+ ⋄ y←10 ⋄ f n", "let v0:[int]0 = muli(n,2) in addi(v0,n)"),
    ("y←n×2 ⋄ f←y+⊢ ⋄ y←10 ⋄ f n", "let v0:[int]0 = muli(n,2) in addi(v0,n)"),
    ("y←n ⋄ f←{y←⍵+1 ⋄ y×2} ⋄ y+f 5", "let v0:S(int,6) = addi(5,1) in addi(n,muli(v0,2))"),
    ("y←n ⋄ f←{g←{y+⍵} ⋄ y←50 ⋄ g ⍵} ⋄ f 1", "addi(50,1)"),
    ("f←{⍵×2} ⋄ (f n)+f x", "addd(i2d(muli(n,2)),muld(x,i2d(2)))"),
    ("f←{⍵×2} ⋄ (+/f v)+f x", "addd(i2d(reduce(addi,0,each(fn v0:[int]0 => muli(v0,2),v))),muld(x,i2d(2)))"),
    ("g←{⍵+1} ⋄ f←g ⋄ g←{⍵×100} ⋄ f n", "addi(n,1)"),
    ("g←{⍵+1} ⋄ g←g∘g ⋄ g n", "let v0:[int]0 = addi(n,1) in addi(v0,1)"),
    ("f←g←{⍵+1} ⋄ (f n)+g 1", "addi(addi(n,1),addi(1,1))"),
    ("s←+ ⋄ s/v", "reduce(addi,0,v)"),
    ("s←+/ ⋄ s v", "reduce(addi,0,v)"),
    ("avg←+/÷≢ ⋄ avg d", "divd(reduce(addd,0.0,d),i2d(firstV(shape(d))))"),
    ("c←2∘× ⋄ c¨v", "each(fn v0:[int]0 => muli(2,v0),v)"),
    ("{⍵ ⋄ ⎕←9}n", "n"),
    ("{y←⍵+1}n", "let v0:[int]0 = addi(n,1) in v0"),
    ("f←{⎕←⍵ ⋄ ⍵+1} ⋄ f f n",
     "let v0:[int]0 = print(n) in let v1:[int]0 = addi(n,1) in let v2:[int]0 = print(v1) in addi(v1,1)"),
    ("{⎕←⍵}¨v", "each(fn v0:[int]0 => let v1:[int]0 = print(v0) in v1,v)"),
    ("{⍺+⍵}⍨n×2", "let v0:[int]0 = muli(n,2) in addi(v0,v0)"),
    ("5{{⍵+1}⍺×⍵}n", "let v0:[int]0 = muli(5,n) in addi(v0,1)"),
    ("1(h←+)n ⋄ h⌿m", "let v0:[int]0 = print(addi(1,n)) in reduce(addd,0.0,transp(m))"),
    ("(n×2)(⊢-⊣)n+1", "let v0:[int]0 = muli(n,2) in let v1:[int]0 = addi(n,1) in subi(v1,v0)"),
]
# Brackets and ⌷: an omitted index is the whole axis.
INDEXING = [
    ("v[n]", "pick(n,v)"),
    ("v[w]", "index((w,),v)"),
    ("v[k]", "index((k,),v)"),
    ("k[n;]", "index((n,iota(pick(2,shape(k)))),k)"),
    ("k[;n]", "index((iota(pick(1,shape(k))),n),k)"),
    ("m[n;2]", "index((n,2),m)"),
    ("m[v;w]", "index((v,w),m)"),
    ("v[]", "v"),
    ("n⌷v", "pick(n,v)"),
    ("1 2⌷m", "index((1,2),m)"),
    ("n⌷m", "index((n,iota(pick(2,shape(m)))),m)"),
    ("v w⌷m", "index((v,w),m)"),
    ("n⌷[2]m", "index((iota(pick(1,shape(m))),n),m)"),
    ("y←v x ⋄ y[2]", "x"),
]

# What an assignment changes is copied first: nothing else that has the old value sees it.
ASSIGNMENTS = [
    ("y←n ⋄ y+←1 ⋄ y", "let v0:[int]0 = addi(n,1) in v0"),
    ("y←v ⋄ y,←n ⋄ y", "let v0:[int]1 = snoc(v,n) in v0"),
    ("y←n ⋄ y÷←2 ⋄ y", "let v0:[double]0 = divd(i2d(n),i2d(2)) in v0"),
    ("y←n ⋄ 3×y+←1", "let v0:[int]0 = addi(n,1) in muli(3,1)"),
    ("y←n ⋄ f←{⍺+2×⍵} ⋄ y f←3 ⋄ y", "let v0:[int]0 = addi(n,muli(2,3)) in v0"),
    ("y←n ⋄ {y+←⍵}5 ⋄ y", "let v0:[int]0 = addi(n,5) in let v1:S(int,5) = print(5) in v0"),
    ("y←v ⋄ y[2]←5 ⋄ y", "let v0:[int]1 = update(copy(v),(2,),5) in v0"),
    ("y←v ⋄ y[w]←w ⋄ y", "let v0:[int]1 = update(copy(v),(w,),w) in v0"),
    ("y←v ⋄ y[n]←x ⋄ y",
     "let v0:[double]1 = each(i2d,v) in let v1:[double]1 = update(copy(v0),(n,),x) in v1"),
    ("y←m ⋄ y[1;2]←x ⋄ y", "let v0:[double]2 = update(copy(m),(1,2),x) in v0"),
    ("y←m ⋄ y[1;]←d ⋄ y", "let v0:[double]2 = update(copy(m),(1,iota(pick(2,shape(m)))),d) in v0"),
    ("y←m ⋄ y[;w]←x ⋄ y", "let v0:[double]2 = update(copy(m),(iota(pick(1,shape(m))),w),x) in v0"),
    ("y←m ⋄ y[v;w]←k ⋄ y", "let v0:[double]2 = update(copy(m),(v,w),each(i2d,k)) in v0"),
    ("y←v ⋄ y[]←0 ⋄ y", "let v0:[int]1 = update(copy(v),(iota(pick(1,shape(v))),),0) in v0"),
    ("y←t ⋄ y[1]←'a' ⋄ y", "let v0:[char]1 = update(copy(t),(1,),'a') in v0"),
    ("y←v ⋄ 7+y[2]←5", "let v0:[int]1 = update(copy(v),(2,),5) in addi(7,5)"),
    ("y←v ⋄ z←y ⋄ y[2]←9 ⋄ y,z", "let v0:[int]1 = update(copy(v),(2,),9) in cat(v0,v)"),
    ("y←v ⋄ {y[⍵]←0 ⋄ y}2", "let v0:[int]1 = update(copy(v),(2,),0) in v0"),
    ("y←v ⋄ {y[⍵]←0}2 ⋄ y", "let v0:[int]1 = update(copy(v),(2,),0) in let v1:S(int,0) = print(0) in v0"),
    ("y←v ⋄ y[2]+←5 ⋄ y",
     "let v0:[int]1 = modify(fn v1:[int]0,v2:[int]0 => addi(v1,v2),copy(v),(2,),5) in v0"),
    ("y←v ⋄ y[w]×←w ⋄ y",
     "let v0:[int]1 = modify(fn v1:[int]0,v2:[int]0 => muli(v1,v2),copy(v),(w,),w) in v0"),
    ("y←v ⋄ y[w]÷←2 ⋄ y",
     "let v0:[double]1 = each(i2d,v) in let v1:[double]1 = modify(fn v2:[double]0,v3:[int]0 => "
     "divd(v2,i2d(v3)),copy(v0),(w,),2) in v1"),
    ("(a c)←v ⋄ a+c",
     "let v0:<int>2 = ofLength(2,v) in let v1:[int]0 = pick(1,v0) in let v2:[int]0 = pick(2,v0) in "
     "addi(v1,v2)"),
    ("(a c)←n ⋄ a+c", "addi(n,n)"),
    ("(a c)←v x ⋄ c", "x"),
    ("(a(c e))←n(v x) ⋄ e", "x"),
    ("a c←1 2 ⋄ c-a",
     "let v0:<int>2 = [1,2] in let v1:[int]0 = pick(1,v0) in let v2:[int]0 = pick(2,v0) in subi(v2,v1)"),
    ("(a c)←n x ⋄ (a c)←c a ⋄ a-c",
     "let v0:<double>2 = [i2d(n),x] in let v1:[double]0 = pick(1,v0) in let v2:[double]0 = pick(2,v0) "
     "in let v3:<double>2 = [v2,v1] in let v4:[double]0 = pick(1,v3) in let v5:[double]0 = pick(2,v3) "
     "in subd(v4,v5)"),
    ("y←v x ⋄ y[1]←n ⋄ y", "(n,x)"),
]

# Nested arrays: what is done to them is done to their components.
TUPLES = [
    ("v x", "(v,x)"),
    ("(v x)+n",
     "let v0:[double]0 = addd(x,i2d(n)) in let v1:[int]1 = each(fn v2:[int]0 => addi(v2,n),v) in (v1,v0)"),
    ("-v x", "let v0:[double]0 = negd(x) in let v1:[int]1 = each(negi,v) in (v1,v0)"),
    ("⌽v x", "(x,v)"),
    ("n,v x", "(n,v,x)"),
    ("≢v x", "2"),
    ("2⊃v x", "x"),
    ("(v x)≡v x", "andb(match(x,x),andb(match(v,v),tt))"),
    ("+/¨v d", "let v0:[double]0 = reduce(addd,0.0,d) in let v1:[int]0 = reduce(addi,0,v) in [i2d(v1),v0]"),
    ("v x t≡⍥≢w", "match(3,firstV(shape(w)))"),
]

# Scans and n-wise reductions, along any axis.
SCANS = [
    ("+\\v", "scan(addi,v)"),
    ("+\\b", "scan(addi,each(b2i,b))"),
    ("÷\\v", "scan(divd,each(i2d,v))"),
    ("⌈\\m", "scan(maxd,m)"),
    ("+⍀m", "transp(scan(addd,transp(m)))"),
    ("+\\[1]m", "transp(scan(addd,transp(m)))"),
    ("{⍺+2×⍵}\\v", "scan(fn v0:[int]0,v1:[int]0 => addi(v0,muli(2,v1)),v)"),
    ("<\\b", "scan(fn v0:[bool]0,v1:[bool]0 => lti(b2i(v0),b2i(v1)),b)"),
    ("2+/v", "reduceN(addi,0,2,v)"),
    ("n+/v", "reduceN(addi,0,n,v)"),
    ("¯2+/v", "reduceN(addi,0,-2,v)"),
    ("2+⌿m", "transp(reduceN(addd,0.0,2,transp(m)))"),
    ("2+/[1]m", "transp(reduceN(addd,0.0,2,transp(m)))"),
    ("2{⍺×⍵}/v", "reduceN1(muli,2,v)"),
    ("3⌈/d", "reduceN(maxd,-1.7976931348623157e+308,3,d)"),
    ("+/[1]m", "reduce(addd,0.0,transp(m))"),
    ("+⌿[2]m", "reduce(addd,0.0,m)"),
]

# Functions whose results are arrays, and the rank operator: the results are cells.
CELLS = [
    ("{⍵,⍵}¨v", "cells(fn v0:[int]0 => [v0,v0],v)"),
    ("{⍳⍵}¨v", "cells(fn v0:[int]0 => iota(v0),v)"),
    ("v{⍺,⍵}¨w", "zipCells(fn v0:[int]0,v1:[int]0 => [v0,v1],v,w)"),
    ("v{⍺,⍵}¨3", "cells(fn v0:[int]0 => [v0,3],v)"),
    ("{2 2⍴⍵}¨v", "cells(fn v0:[int]0 => reshape([2,2],v0),v)"),
    ("v∘.{⍺,⍵}w", "cells(fn v0:[int]0 => cells(fn v1:[int]0 => [v0,v1],w),v)"),
    ("v+.{⍺,⍵}w", "reduce(addi,0,cat(v,w))"),
    ("+/⍤1⊢m", "cells(fn v0:[double]1 => reduce(addd,0.0,v0),m)"),
    ("⌽⍤1⊢m", "cells(fn v0:[double]1 => reverse(v0),m)"),
    ("{⍵[⍋⍵]}⍤1⊢m", "cells(fn v0:[double]1 => let v1:[int]1 = gradeUp(v0) in index((v1,),v0),m)"),
    ("v+⍤1⊢k", "cells(fn v0:[int]1 => zipWith(addi,v,v0),k)"),
    ("k+⍤1⊢v", "cells(fn v0:[int]1 => zipWith(addi,v0,v),k)"),
    ("m{⍺+.×⍵}⍤1⊢m", "zipCells(fn v0:[double]1,v1:[double]1 => inner(addd,0.0,muld,v0,v1),m,m)"),
    ("m×⍤1 0⊢d", "zipCells(fn v0:[double]1,v1:[double]0 => each(fn v2:[double]0 => muld(v2,v1),v0),m,d)"),
    ("{⍵}⍤0⊢m", "m"),
    ("-⍤0⊢m", "each(negd,m)"),
    (",⍤2⊢m", "ravel(m)"),
    ("+/⍤¯1⊢m", "cells(fn v0:[double]1 => reduce(addd,0.0,v0),m)"),
    ("d+[2]m", "cells(fn v0:[double]1 => zipWith(addd,d,v0),m)"),
]

# Conditionals: a condition that is known when compiling chooses at once.
GUARDS = [
    ("{⍵>0:1 ⋄ 2}n", "if gti(n,0) then 1 else 2"),
    ("{⍵>0:1 ⋄ 2.5}n", "if gti(n,0) then i2d(1) else 2.5"),
    ("{⍵>0:1 ⋄ ⍵=0:0 ⋄ ¯1}n", "if gti(n,0) then 1 else if eqi(n,0) then 0 else -1"),
    ("{⍵>0:v ⋄ w}n", "if gti(n,0) then v else w"),
    ("{⍵>0:1 2 3 ⋄ 4 5}n", "if gti(n,0) then [1,2,3] else [4,5]"),
    ("{⍵>0:n×2}n", "if gti(n,0) then muli(n,2) else noResult(0)"),
    ("{⍵:1 ⋄ 2}n", "if i2b(n) then 1 else 2"),
    ("{⍵:1 ⋄ 2}x", "if i2b(d2i(x)) then 1 else 2"),
    ("{⍵:1 ⋄ 2}b", "if single(b) then 1 else 2"),
    ("{1:⍵ ⋄ 'never'}n", "n"),
    ("{0:'never' ⋄ ⍵}n", "n"),
    ("{0=≢⍴⍵:1 ⋄ +/⍵}v", "reduce(addi,0,v)"),
    ("{y←⍵×2 ⋄ y>9:y ⋄ y+1}n", "let v0:[int]0 = muli(n,2) in if gti(v0,9) then v0 else addi(v0,1)"),
    ("{⍵>0:⎕←1 ⋄ ⎕←2}n",
     "if gti(n,0) then let v0:S(int,1) = print(1) in v0 else let v1:S(int,2) = print(2) in v1"),
    ("{⍵>0:y←5 ⋄ 7}n", "if gti(n,0) then 5 else 7"),
    ("{⍵>0:1 'a' ⋄ 2 'b'}n", "if gti(n,0) then (1,'a') else (2,'b')"),
    ("v{⍺>⍵:⍺ ⋄ ⍵}¨w", "zipWith(fn v0:[int]0,v1:[int]0 => if gti(v0,v1) then v0 else v1,v,w)"),
]

# A call in tail position makes a loop, any other a function.
RECURSION = [
    ("{⍵≤1:1 ⋄ ⍵×∇⍵-1}n",
     "rec f0(v0:[int]0 = n):[int]0 => if ltei(v0,1) then 1 else muli(v0,f0(subi(v0,1)))"),
    ("{⍵≤1:⍵ ⋄ (∇⍵-1)+∇⍵-2}n",
     "rec f0(v0:[int]0 = n):[int]0 => if ltei(v0,1) then v0 else addi(f0(subi(v0,1)),f0(subi(v0,2)))"),
    ("{⍵>99:⍵ ⋄ ∇⍵×2}n", "loop f0(v0:[int]0 = n):[int]0 => if gti(v0,99) then v0 else f0(muli(v0,2))"),
    ("{⍵>99:⍵ ⋄ ∇⍵×2.5}n",
     "loop f0(v0:[double]0 = i2d(n)):[double]0 => if gtd(v0,i2d(99)) then v0 else f0(muld(v0,2.5))"),
    ("n{⍵=0:⍺ ⋄ ⍵∇⍵|⍺}12",
     "loop f0(v0:[int]0 = n,v1:[int]0 = 12):[int]0 => if eqi(v1,0) then v0 else f0(v1,resi(v1,v0))"),
    ("{⍺←1 ⋄ ⍵≤1:⍺ ⋄ (⍺×⍵)∇⍵-1}n",
     "if ltei(n,1) then 1 else let v0:[int]0 = muli(1,n) in let v1:[int]0 = subi(n,1) in loop "
     "f0(v2:[int]0 = v0,v3:[int]0 = v1):[int]0 => if ltei(v3,1) then v2 else f0(muli(v2,v3),subi(v3,1))"),
    ("{1≥≢⍵:⍵ ⋄ (∇1↓⍵),1↑⍵}v",
     "rec f0(v0:[int]1 = v):[int]1 => if gtei(1,firstV(shape(v0))) then v0 else "
     "cat(f0(drop(1,v0)),takeV(1,v0))"),
    ("{9<≢⍵:⍵ ⋄ ∇⍵,n}v",
     "loop f0(v0:[int]1 = v):[int]1 => if lti(9,firstV(shape(v0))) then v0 else f0(snoc(v0,n))"),
    ("f←{⍵=0:0 ⋄ 1+f ⍵-1} ⋄ f n",
     "rec f0(v0:[int]0 = n):[int]0 => if eqi(v0,0) then 0 else addi(1,f0(subi(v0,1)))"),
    ("f←{⍵=0:0 ⋄ 1+f ⍵-1} ⋄ f 3.5",
     "rec f0(v0:[double]0 = 3.5):[int]0 => if eqd(v0,i2d(0)) then 0 else addi(1,f0(subd(v0,i2d(1))))"),
    ("e←{⍵=0:1 ⋄ o ⍵-1} ⋄ o←{⍵=0:0 ⋄ e ⍵-1} ⋄ e n",
     "loop f0(v0:[int]0 = n):[int]0 => if eqi(v0,0) then 1 else let v1:[int]0 = subi(v0,1) in if "
     "eqi(v1,0) then 0 else f0(subi(v1,1))"),
    ("f←{⍵=0:0 ⋄ g ⍵-1} ⋄ g←{⍵=0:1 ⋄ -f ⍵-1} ⋄ f n",
     "rec f0(v0:[int]0 = n):[int]0 => if eqi(v0,0) then 0 else let v1:[int]0 = subi(v0,1) in if "
     "eqi(v1,0) then 1 else negi(f0(subi(v1,1)))"),
    ("{(a c)←⍵ ⋄ a=0:c ⋄ ∇(a-1)(c,a)}n v",
     "loop f0(v0:[int]0 = n,v1:[int]1 = v):[int]1 => if eqi(v0,0) then v1 else let v2:[int]0 = "
     "subi(v0,1) in let v3:[int]1 = snoc(v1,v0) in f0(v2,v3)"),
]

# f⍣n, f⍣condition, f⍣≡ and f⍣g.
POWERS = [
    ("(2∘×⍣0)n", "n"),
    ("(2∘×⍣1)n", "muli(2,n)"),
    ("(2∘×⍣3)n",
     "loop f0(v0:[int]0 = 0,v1:[int]0 = n):[int]0 => if lti(v0,3) then f0(addi(v0,1),muli(2,v1)) else v1"),
    ("(2∘×⍣n)n",
     "let v0:[int]0 = natural(n) in loop f0(v1:[int]0 = 0,v2:[int]0 = n):[int]0 => if lti(v1,v0) then "
     "f0(addi(v1,1),muli(2,v2)) else v2"),
    ("({⍵÷2}⍣n)n",
     "let v0:[int]0 = natural(n) in loop f0(v1:[int]0 = 0,v2:[double]0 = i2d(n)):[double]0 => if "
     "lti(v1,v0) then f0(addi(v1,1),divd(v2,i2d(2))) else v2"),
    ("3(+⍣n)x",
     "let v0:[int]0 = natural(n) in loop f0(v1:[int]0 = 0,v2:[double]0 = x):[double]0 => if lti(v1,v0) "
     "then f0(addi(v1,1),addd(i2d(3),v2)) else v2"),
    ("({⍵,1}⍣3)v",
     "loop f0(v0:[int]0 = 0,v1:[int]1 = v):[int]1 => if lti(v0,3) then f0(addi(v0,1),snoc(v1,1)) else v1"),
    ("({⍵,1}⍣3)1 2",
     "let v0:<int>2 = [1,2] in loop f0(v1:[int]0 = 0,v2:[int]1 = v0):[int]1 => if lti(v1,3) then "
     "f0(addi(v1,1),snoc(v2,1)) else v2"),
    ("({2×⍵}⍣3)1 2",
     "let v0:<int>2 = [1,2] in loop f0(v1:[int]0 = 0,v2:<int>2 = v0):<int>2 => if lti(v1,3) then "
     "f0(addi(v1,1),each(fn v3:[int]0 => muli(2,v3),v2)) else v2"),
    ("(⌽⍣(n>0))v",
     "let v0:[int]0 = natural(b2i(gti(n,0))) in loop f0(v1:[int]0 = 0,v2:[int]1 = v):[int]1 => if "
     "lti(v1,v0) then f0(addi(v1,1),reverse(v2)) else v2"),
    ("({⌊⍵÷2}⍣≡)n",
     "loop f0(v0:[int]0 = n):[int]0 => let v1:[int]0 = floord(divd(i2d(v0),i2d(2))) in if match(v1,v0) "
     "then v1 else f0(v1)"),
    ("({(⍵+2÷⍵)÷2}⍣{1E¯9>|⍺-⍵})x",
     "loop f0(v0:[double]0 = x):[double]0 => let v1:[double]0 = divd(addd(v0,divd(i2d(2),v0)),i2d(2)) "
     "in if gtd(1e-09,absd(subd(v1,v0))) then v1 else f0(v1)"),
    ("({⍵+1}⍣{⍺>n})0",
     "loop f0(v0:[int]0 = 0):[int]0 => let v1:[int]0 = addi(v0,1) in if gti(v1,n) then v1 else f0(v1)"),
    ("({(a c)←⍵ ⋄ c(a+c)}⍣n)0 1",
     "let v0:[int]0 = natural(n) in let v1:<int>2 = [0,1] in loop f0(v2:[int]0 = 0,v3:<int>2 = "
     "v1):<int>2 => if lti(v2,v0) then let v4:[int]0 = pick(1,v3) in let v5:[int]0 = pick(2,v3) in "
     "f0(addi(v2,1),[v5,addi(v4,v5)]) else v3"),
    ("({(a c)←⍵ ⋄ (a+1)(c,a)}⍣n)0 v",
     "let v0:[int]0 = natural(n) in let v1:([int]0,[int]1) = loop f0(v2:[int]0 = 0,v3:[int]0 = "
     "0,v4:[int]1 = v):([int]0,[int]1) => if lti(v2,v0) then let v5:[int]0 = addi(v3,1) in let "
     "v6:[int]1 = snoc(v4,v3) in f0(addi(v2,1),v5,v6) else (v3,v4) in let v7:[int]0 = v1.1 in let "
     "v8:[int]1 = v1.2 in (v7,v8)"),
    ("({(a c)←⍵ ⋄ (a+1)(c×2)}⍣{9<⊃⍺})0 x",
     "let v0:<double>2 = [i2d(0),x] in loop f0(v1:<double>2 = v0):<double>2 => let v2:[double]0 = "
     "pick(1,v1) in let v3:[double]0 = pick(2,v1) in let v4:<double>2 = "
     "[addd(v2,i2d(1)),muld(v3,i2d(2))] in if ltd(i2d(9),firstV(v4)) then v4 else f0(v4)"),
]

# Operators of the user's own, and what they do with their operands.
OWN_OPERATORS = [
    ("o←{⍺⍺ ⍵} ⋄ -o v", "each(negi,v)"),
    ("o←{⍺⍺/⍵} ⋄ +o v", "reduce(addi,0,v)"),
    ("o←{⍺⍺ ⍵⍵ ⍵} ⋄ -o(2∘×)v", "each(negi,each(fn v0:[int]0 => muli(2,v0),v))"),
    ("o←{⍺ ⍺⍺ ⍵⍵ ⍵} ⋄ n+o|v", "each(fn v0:[int]0 => addi(n,v0),each(absi,v))"),
    ("o←{⍺⍺+⍵} ⋄ (n o)v", "each(fn v0:[int]0 => addi(n,v0),v)"),
    ("o←{⍵⍵+⍺⍺ ⍵} ⋄ -o 3⊢v", "each(fn v0:[int]0 => addi(3,v0),each(negi,v))"),
    ("o←{⍺⍺¨⍵} ⋄ {⍵×2}o v", "each(fn v0:[int]0 => muli(v0,2),v)"),
    ("o←{⍺⍺ ⍵} ⋄ p←{⍺⍺ o ⍵} ⋄ -p v", "each(negi,v)"),
    ("twice←{⍺⍺ ⍺⍺ ⍵} ⋄ {⍵+1}twice n", "let v0:[int]0 = addi(n,1) in addi(v0,1)"),
    ("-{⍺⍺ ⍵}v", "each(negi,v)"),
    ("o←{⍵≤0:0 ⋄ 1+⍺⍺∇⍵-1} ⋄ +o n",
     "rec f0(v0:[int]0 = n):[int]0 => if ltei(v0,0) then 0 else addi(1,f0(subi(v0,1)))"),
    ("o←{⍵>99:⍵ ⋄ ∇⍺⍺ ⍵} ⋄ {⍵×2}o n",
     "loop f0(v0:[int]0 = n):[int]0 => if gti(v0,99) then v0 else f0(muli(v0,2))"),
]

# ⎕IO←0: what is counted is moved by one, here and in what it is used for.
ORIGIN = [
    ("⎕IO←0 ⋄ ⍳n", "each(fn v0:[int]0 => addi(v0,-1),iota(n))"),
    ("⎕IO←0 ⋄ v[n]", "pick(addi(n,1),v)"),
    ("⎕IO←0 ⋄ v[w]", "index((each(fn v0:[int]0 => addi(v0,1),w),),v)"),
    ("⎕IO←0 ⋄ v⍳w", "each(fn v0:[int]0 => addi(v0,-1),indexOf(v,w))"),
    ("⎕IO←0 ⋄ ⍋v", "each(fn v0:[int]0 => addi(v0,-1),gradeUp(v))"),
    ("⎕IO←0 ⋄ n⊃v", "pick(addi(n,1),v)"),
    ("⎕IO←0 ⋄ ⍸b", "each(fn v0:[int]0 => addi(v0,-1),where(b))"),
    ("⎕IO←0 ⋄ ?n", "let v0:[int]0 = roll(n) in addi(v0,-1)"),
    ("⎕IO←0 ⋄ +/[0]m", "reduce(addd,0.0,transp(m))"),
    ("⎕IO←0 ⋄ 1 0⍉m", "transp2([2,1],m)"),
    ("⎕IO←0 ⋄ y←v ⋄ y[0]←1 ⋄ y", "let v0:[int]1 = update(copy(v),(1,),1) in v0"),
    ("f←{⎕IO←0 ⋄ ⍳⍵} ⋄ (f n),⍳n", "cat(each(fn v0:[int]0 => addi(v0,-1),iota(n)),iota(n))"),
]

# Replicate, expand, search, sets and order.
SELECTION = [
    ("v/w", "replicate(v,w)"),
    ("b/v", "compress(b,v)"),
    ("n/v", "let v0:<int>1 = [n] in replicate(v0,v)"),
    ("2/v", "let v0:SV(int,2) = [2] in replicate(v0,v)"),
    ("1 0 1/1 2 3", "let v0:<int>3 = [1,0,1] in replicate(v0,[1,2,3])"),
    ("v⌿m", "transp(replicate(v,transp(m)))"),
    ("v/[1]m", "transp(replicate(v,transp(m)))"),
    ("v\\w", "expand(v,w)"),
    ("b\\v", "let v0:[int]1 = each(b2i,b) in expand(v0,v)"),
    ("v⍀m", "transp(expand(v,transp(m)))"),
    ("⍸b", "where(b)"),
    ("v⍸d", "intervalIndex(each(i2d,v),d)"),
    ("v∊d", "member(each(i2d,v),d)"),
    ("v∪w", "cat(v,compress(each(notb,member(w,v)),w))"),
    ("v∩w", "compress(member(v,w),v)"),
    ("v~w", "compress(each(notb,member(v,w)),v)"),
    ("∪m", "unique(m)"),
    ("⍋v", "gradeUp(v)"),
    ("⍒m", "gradeDown(m)"),
    ("v⍷w", "find(v,w)"),
]

# Number systems, matrices, chance, formatting, system names.
NUMERIC = [
    ("2⊥b", "decode([2],each(b2i,b))"),
    ("24 60⊤n", "encode([24,60],n)"),
    ("⌹m", "matInv(m)"),
    ("d⌹m", "matDiv(d,m)"),
    ("⌹x", "divd(1.0,x)"),
    ("!n", "factd(i2d(n))"),
    ("○d", "each(fn v0:[double]0 => muld(3.141592653589793,v0),d)"),
    ("n○d", "let v0:[double]0 = i2d(n) in each(fn v1:[double]0 => circd(d2i(v0),v1),d)"),
    ("?n", "let v0:[int]0 = roll(n) in v0"),
    ("?0", "let v0:[double]0 = uniform([]) in v0"),
    ("n?n", "let v0:[int]1 = deal(n,n) in v0"),
    ("⍕v", "format(10,v)"),
    ("⍕t", "t"),
    ("8 2⍕d", "formatBy([8,2],d)"),
    ("⎕PP←5 ⋄ ⎕←d", "let v0:[double]1 = printWith(5,d) in ()"),
    ("⎕RL←n ⋄ ?n", "let v0:[int]0 = setSeed(n) in let v1:[int]0 = roll(n) in v1"),
    ("⎕RL", "16807"),
    ("v ⎕INT32AND n", "each(fn v0:[int]0 => andi32(v0,n),v)"),
    ("⎕CT←1E¯10 ⋄ x=1",
     "let v0:[double]0 = i2d(1) in "
     "orb(eqd(x,v0),lted(absd(subd(x,v0)),muld(1e-10,maxd(absd(x),absd(v0)))))"),
    ("(+/⎕BENCH n)v", "let v0:[int]0 = bench(fn v1:[int]1 => reduce(addi,0,v1),n,v) in v0"),
    ("⎕ReadIntVecFile t", "let v0:[int]1 = readIntVecFile(t) in v0"),
    ("v⌽m", "rotates(v,m)"),
    ("v⊖m", "transp(rotates(v,transp(m)))"),
    ("n⌽[1]m", "transp(rotate(n,transp(m)))"),
    ("n↑[2]m", "transp(take(n,transp(m)))"),
    ("m⍪d", "transp(snoc(transp(m),d))"),
    ("v,[0.5]w", "let v0:<int>1 = shape(v) in transp(cons(v,reshape(snocV(shape(w),1),w)))"),
    ("n n⍴v", "reshape([n,n],v)"),
]
# fmt: on

GOLDENS = [
    *COERCIONS, *EXTENSION, *SINGLE_ELEMENTS, *LENGTHS, *CATENATE, *PARTS, *REDUCTIONS, *PRODUCTS, *EACH,
    *OPERATORS, *ORDER, *FUNCTIONS, *INDEXING, *ASSIGNMENTS, *TUPLES, *SCANS, *CELLS, *GUARDS, *RECURSION,
    *POWERS, *OWN_OPERATORS, *ORIGIN, *SELECTION, *NUMERIC,
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), GOLDENS, ids=[text for text, _ in GOLDENS])
def test_goldens(text: str, expected: str) -> None:
    assert shown(program(text)) == expected


# ---- the program around the expressions -----------------------------------------------------------------


def test_inputs_become_parameters_in_their_order() -> None:
    term = program("n+v").term
    assert isinstance(term, Fn)
    assert [(p.name, str(p.ty)) for p in term.params] == [("n", "[int]0"), ("v", "[int]1")]


@pytest.mark.parametrize(
    ("text", "has_value", "expected"),
    [
        ("", False, "()"),
        ("a←5", False, "()"),
        ("5", True, "5"),
        ("(a←5)", True, "5"),
        ("⎕←5", False, "let v0:S(int,5) = print(5) in ()"),
        ("1\n2", True, "let v0:S(int,1) = print(1) in 2"),
        ("f←{⍵}", False, "()"),
    ],
)
def test_the_value_of_a_program(text: str, has_value: bool, expected: str) -> None:
    elaborated = program(text)
    assert elaborated.has_value == has_value
    assert shown(elaborated) == expected
    assert has_value or body_of(elaborated.term).ty == UNIT


def test_the_value_of_an_assignment_on_request() -> None:
    assert shown(program("a←⍳5", value_of_assignment=True)) == "let v0:<int>5 = iotaV(5) in v0"
    assert not program("f←{⍵}", value_of_assignment=True).has_value


def test_the_same_names_in_several_files_are_one_program() -> None:
    files = [parse(Source(name, text)) for name, text in (("a.apl", "f←{⍵+1}"), ("b.apl", "f 5"))]
    assert shown(elaborate_program(files, {})) == "addi(5,1)"


def test_names_of_variables_keep_clear_of_the_inputs() -> None:
    term = elaborate_program([parse(Source("t", "(v0+1)×⍨v1"))], {"v0": INPUTS["n"], "v1": INPUTS["n"]}).term
    check(term)
    assert evaluate(term, [np.array(3), np.array(5)], lambda *_: None) == 20


def test_spans_and_symbols_stay_with_the_operators() -> None:
    ops = [e for e in walk(program("a←1 2\n3 + a × 5").term) if isinstance(e, Op) and e.prim.is_scalar]
    assert [(e.symbol, e.span.text if e.span else None) for e in ops] == [("+", "3 + a × 5"), ("×", "a × 5")]


# ---- facts ----------------------------------------------------------------------------------------------


def facts(text: str) -> list[tuple[str, str, int]]:
    return [(f.name, f.type, f.span.line) for f in program(text).facts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a←5", [("a", "S(int,5)", 1)]),
        ("a←1 2.5", [("a", "<double>2", 1)]),
        ("a←'x' ⋄ b←''", [("a", "[char]0", 1), ("b", "<char>0", 1)]),
        ("a←⍴1 2 3", [("a", "SV(int,3)", 1)]),
        ("a←2 3⍴0.5\na←a>0", [("a", "[double]2", 1), ("a", "[bool]2", 2)]),
        ("f←{⍺+⍵}\n1 f 2.5", [("f", "S(int,1) → [double]0 → [double]0", 2)]),
        ("f←{⍵×2}\nf v\nf m", [("f", "[int]1 → [int]1", 2), ("f", "[double]2 → [double]2", 3)]),
        ("f←{a←⍵ ⋄ a+1}\nf v", [("f", "[int]1 → [int]1", 2)]),
        ("avg←+/÷≢\nh←avg∘⌽\nh v", [("avg", "[int]1 → [double]0", 3), ("h", "[int]1 → [double]0", 3)]),
        ("f←{g←{⍵} ⋄ g ⍵}\nf v", [("f", "[int]1 → [int]1", 2)]),
    ],
)
def test_facts(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert facts(text) == expected


def test_the_functions_of_a_program() -> None:
    assert program("f←{⍵}\na←5\ng←h←+/\nf←3").functions == ("h", "g")


# ---- a function as a program ----------------------------------------------------------------------------

INT, DOUBLES, MATRIX = INPUTS["n"], INPUTS["d"], INPUTS["m"]


@pytest.mark.parametrize(
    ("text", "name", "args", "expected"),
    [
        ("{⍵+1}", None, {"right": INT}, "addi(⍵,1)"),
        ("{⍺-⍵}", None, {"left": INT, "right": INT}, "subi(⍺,⍵)"),
        ("f←{⍵+1} ⋄ g←{⍵×2}", "f", {"right": INT}, "addi(⍵,1)"),
        ("f←{⍵+1} ⋄ g←{⍵×2}", None, {"right": INT}, "muli(⍵,2)"),
        ("f←{⍺←3 ⋄ ⍺×⍵}", "f", {"right": INT}, "muli(3,⍵)"),
        ("f←{⍺←3 ⋄ ⍺×⍵}", "f", {"left": INT, "right": INT}, "muli(⍺,⍵)"),
        ("+⌿÷≢", None, {"right": DOUBLES}, "divd(reduce(addd,0.0,⍵),i2d(firstV(shape(⍵))))"),
        ("+/", None, {"right": MATRIX}, "reduce(addd,0.0,⍵)"),
        ("+.×", None, {"left": DOUBLES, "right": DOUBLES}, "inner(addd,0.0,muld,⍺,⍵)"),
        ("-⍨", None, {"left": INT, "right": INT}, "subi(⍵,⍺)"),
        ("2∘×", None, {"right": INT}, "muli(2,⍵)"),
        ("s←+ ⋄ s", None, {"left": INT, "right": INT}, "addi(⍺,⍵)"),
        ("c←2×⍳3 ⋄ f←{c+⍵}", "f", {"right": INT},
         "let v0:<int>3 = each(fn v1:[int]0 => muli(2,v1),iotaV(3)) in each(fn v2:[int]0 => addi(v2,⍵),v0)"),
        ("f←{⎕←⍵ ⋄ ⍵+1}", "f", {"right": INT}, "let v0:[int]0 = print(⍵) in addi(⍵,1)"),
        ("a←⍳9 ⋄ b←⍳8 ⋄ 5 ⋄ ⎕←6 ⋄ f←{≢b}", "f", {"right": INT},
         "let v0:<int>8 = iotaV(8) in firstV(shapeV(v0))"),
    ],
)  # fmt: skip
def test_functions(text: str, name: str | None, args: Mapping[str, Type], expected: str) -> None:
    elaborated = function(text, name, **args)
    assert shown(elaborated) == expected
    assert elaborated.has_value
    assert isinstance(elaborated.term, Fn)
    assert [p.name for p in elaborated.term.params] == [
        g for g, s in (("⍺", "left"), ("⍵", "right")) if s in args
    ]


# ---- limits ---------------------------------------------------------------------------------------------


def test_a_function_that_refers_to_its_older_self_is_no_recursion() -> None:
    assert shown(program("f←- ⋄ f←f ⋄ f←f∘f ⋄ f n")) == "negi(negi(n))"


def test_a_name_assigned_further_right_is_there_when_it_is_needed() -> None:
    assert shown(program("(y+1)×y←z⊣z←5")) == "muli(addi(5,1),5)"
