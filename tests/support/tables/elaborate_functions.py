"""Operators and functions of the user's, and the terms of TAIL that they become: data of `test_elaborate`."""

from __future__ import annotations

# fmt: off
# Reductions: the type on which a function closes, and its identity item.
REDUCTIONS = [
    ("+/v", "reduce(addi,0,v)"),
    ("+/d", "reduce(addd,0.0,d)"),
    ("+/b", "reduce(addi,0,each(b2i,b))"),
    ("-/b", "reduce(subi,0,each(b2i,b))"),
    ("÷/v", "reduce(divd,1.0,each(i2d,v))"),
    ("=/v", "reduce(fn v0:[int]0,v1:[int]0 => b2i(eqi(v0,v1)),1,v)"),
    ("=/d", "reduce(fn v0:[double]0,v1:[double]0 => i2d(b2i(eqtd(1e-14,v0,v1))),1.0,d)"),
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
    ("{y←⍵+1}n", "let v0:[int]0 = addi(n,1) in ()"),
    ("f←{⎕←⍵ ⋄ ⍵+1} ⋄ f f n",
     "let v0:[int]0 = print(n) in let v1:[int]0 = addi(n,1) in let v2:[int]0 = print(v1) in addi(v1,1)"),
    ("{⎕←⍵}¨v", "each(fn v0:[int]0 => let v1:[int]0 = print(v0) in v1,v)"),
    ("{⍺+⍵}⍨n×2", "let v0:[int]0 = muli(n,2) in addi(v0,v0)"),
    ("5{{⍵+1}⍺×⍵}n", "let v0:[int]0 = muli(5,n) in addi(v0,1)"),
    ("1(h←+)n ⋄ h⌿m", "let v0:[int]0 = print(addi(1,n)) in reduce(addd,0.0,transp(m))"),
    ("(n×2)(⊢-⊣)n+1", "let v0:[int]0 = muli(n,2) in let v1:[int]0 = addi(n,1) in subi(v1,v0)"),
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
    ("{⍵,⍵}¨v",
     "let v0:[[int]1]1 = pieces(fn v1:[int]0 => [v1,v1],v) in let v2:[int]1 = v0.1 in "
     "let v3:[int]1 = v0.2 in let v4:[int]1 = v0.3 in nest(v2,v3,v4)"),
    ("{⍳⍵}¨v",
     "let v0:[[int]1]1 = pieces(fn v1:[int]0 => iota(v1),v) in let v2:[int]1 = v0.1 in"
     " let v3:[int]1 = v0.2 in let v4:[int]1 = v0.3 in nest(v2,v3,v4)"),
    ("v{⍺,⍵}¨3",
     "let v0:[[int]1]1 = pieces(fn v1:[int]0 => [v1,3],v) in let v2:[int]1 = v0.1 in l"
     "et v3:[int]1 = v0.2 in let v4:[int]1 = v0.3 in nest(v2,v3,v4)"),
    ("{2 2⍴⍵}¨v",
     "let v0:[[int]2]1 = pieces(fn v1:[int]0 => reshape([2,2],v1),v) in let v2:[int]1 "
     "= v0.1 in let v3:[int]1 = v0.2 in let v4:[int]1 = v0.3 in let v5:[int]1 = v0.4 i"
     "n nest(v2,v3,v4,v5)"),
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
     "let v0:[int]0 = if gti(n,0) then let v1:S(int,1) = print(1) in v1 else let v2:S(int,2) = print(2) "
     "in v2 in ()"),
    ("{⍵>0:y←5 ⋄ 7}n",
     "let v0:([int]0,[bool]0) = if gti(n,0) then (5,tt) else (7,ff) in let v1:[int]0 = v0.1 in "
     "let v2:[bool]0 = v0.2 in let v3:[int]0 = if v2 then v1 else let v4:[int]0 = print(v1) in v4 in ()"),
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
     "loop f0(v0:[double]0 = i2d(n)):[double]0 => if lttd(1e-14,i2d(99),v0) then v0 else f0(muld(v0,2.5))"),
    ("n{⍵=0:⍺ ⋄ ⍵∇⍵|⍺}12",
     "loop f0(v0:[int]0 = n,v1:[int]0 = 12):[int]0 => if eqi(v1,0) then v0 else f0(v1,resi(v1,v0))"),
    ("{⍺←1 ⋄ ⍵≤1:⍺ ⋄ (⍺×⍵)∇⍵-1}n",
     "loop f0(v0:[int]0 = 1,v1:[int]0 = n):[int]0 => if ltei(v1,1) then v0 else f0(muli(v0,v1),subi(v1,1))"),
    ("{1≥≢⍵:⍵ ⋄ (∇1↓⍵),1↑⍵}v",
     "rec f0(v0:[int]1 = v):[int]1 => if gtei(1,firstV(shape(v0))) then v0 else "
     "cat(f0(drop(1,v0)),takeV(1,v0))"),
    ("{9<≢⍵:⍵ ⋄ ∇⍵,n}v",
     "loop f0(v0:[int]1 = v):[int]1 => if lti(9,firstV(shape(v0))) then v0 else f0(snoc(v0,n))"),
    ("f←{⍵=0:0 ⋄ 1+f ⍵-1} ⋄ f n",
     "rec f0(v0:[int]0 = n):[int]0 => if eqi(v0,0) then 0 else addi(1,f0(subi(v0,1)))"),
    ("f←{⍵=0:0 ⋄ 1+f ⍵-1} ⋄ f 3.5",
     "rec f0(v0:[double]0 = 3.5):[int]0 => if eqtd(1e-14,v0,i2d(0)) then 0 else "
     "addi(1,f0(subd(v0,i2d(1))))"),
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
     "if lti(n,0) then let v0:[int]0 = natural(negi(n)) in loop f0(v1:[int]0 = 0,v2:[double]0 = x):[double]0 "
     "=> if lti(v1,v0) then f0(addi(v1,1),subd(v2,i2d(3))) else v2 else let v3:[int]0 = natural(n) in "
     "loop f1(v4:[int]0 = 0,v5:[double]0 = x):[double]0 => if lti(v4,v3) then f1(addi(v4,1),addd(i2d(3),v5)) "
     "else v5"),
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
     "loop f0(v0:[int]0 = n):[int]0 => let v1:[int]0 = "
     "floord(snapd(1e-14,divd(i2d(v0),i2d(2)))) in if match(v1,v0) then v1 else f0(v1)"),
    ("({(⍵+2÷⍵)÷2}⍣{1E¯9>|⍺-⍵})x",
     "loop f0(v0:[double]0 = x):[double]0 => let v1:[double]0 = "
     "divd(addd(v0,divd(i2d(2),v0)),i2d(2)) in if lttd(1e-14,absd(subd(v1,v0)),1e-09) then v1 "
     "else f0(v1)"),
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
     "let v0:<double>2 = [i2d(0),x] in loop f0(v1:<double>2 = v0):<double>2 => let "
     "v2:[double]0 = pick(1,v1) in let v3:[double]0 = pick(2,v1) in let v4:<double>2 = "
     "[addd(v2,i2d(1)),muld(v3,i2d(2))] in if lttd(1e-14,i2d(9),firstV(v4)) then v4 else "
     "f0(v4)"),
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
# fmt: on

OF_FUNCTIONS = [
    *REDUCTIONS,
    *PRODUCTS,
    *EACH,
    *OPERATORS,
    *FUNCTIONS,
    *SCANS,
    *CELLS,
    *GUARDS,
    *RECURSION,
    *POWERS,
    *OWN_OPERATORS,
]
