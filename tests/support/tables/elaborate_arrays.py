"""Expressions of arrays and the terms of TAIL that they become: data of `test_elaborate`."""

from __future__ import annotations

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
    ("v=x", "each(fn v0:[double]0 => eqtd(1e-14,v0,x),each(i2d,v))"),
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
    ("⌊d", "each(fn v0:[double]0 => floord(snapd(1e-14,v0)),d)"),
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
    ("v⍳x", "indexOfT(1e-14,each(i2d,v),x)"),
    ("t⍳'a'", "indexOf(t,'a')"),
    ("v≡w", "match(v,w)"),
    ("v≡m", "ff"),
    ("1 2≡1 2 3", "ff"),
    ("v≢d", "notb(matchT(1e-14,each(i2d,v),d))"),
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
    ("y←n ⋄ {y+←⍵}5 ⋄ y", "let v0:[int]0 = addi(n,5) in v0"),
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
    ("y←v ⋄ {y[⍵]←0}2 ⋄ y", "let v0:[int]1 = update(copy(v),(2,),0) in v0"),
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
     "let v0:[int]1 = each(fn v1:[int]0 => addi(v1,n),v) in let v2:[double]0 = addd(x,i2d(n)) in (v0,v2)"),
    ("-v x", "let v0:[int]1 = each(negi,v) in let v1:[double]0 = negd(x) in (v0,v1)"),
    ("⌽v x", "(x,v)"),
    ("n,v x", "(n,v,x)"),
    ("≢v x", "2"),
    ("2⊃v x", "x"),
    ("(v x)≡v x", "andb(matchT(1e-14,x,x),andb(match(v,v),tt))"),
    ("+/¨v d", "let v0:[int]0 = reduce(addi,0,v) in let v1:[double]0 = reduce(addd,0.0,d) in [i2d(v0),v1]"),
    ("v x t≡⍥≢w", "match(3,firstV(shape(w)))"),
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
    ("v∊d", "memberT(1e-14,each(i2d,v),d)"),
    ("v∪w", "cat(v,compress(each(notb,member(w,v)),w))"),
    ("v∩w", "compress(member(v,w),v)"),
    ("v~w", "compress(each(notb,member(v,w)),v)"),
    ("∪m", "uniqueT(1e-14,m)"),
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
    ("⎕CT←1E¯10 ⋄ x=1", "eqtd(1e-10,x,i2d(1))"),
    ("x<1.5", "lttd(1e-14,x,1.5)"),
    ("x≠1.5", "notb(eqtd(1e-14,x,1.5))"),
    ("⎕CT←0 ⋄ d⍳x", "indexOf(d,x)"),
    ("d⍳x", "indexOfT(1e-14,d,x)"),
    ("∪d", "uniqueT(1e-14,d)"),
    ("d∊x", "memberT(1e-14,d,x)"),
    ("d⍷d", "findT(1e-14,d,d)"),
    ("d≡d", "matchT(1e-14,d,d)"),
    ("x∨2", "gcdtd(1e-14,x,i2d(2))"),
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

OF_ARRAYS = [
    *COERCIONS,
    *EXTENSION,
    *SINGLE_ELEMENTS,
    *LENGTHS,
    *CATENATE,
    *PARTS,
    *ORDER,
    *INDEXING,
    *ASSIGNMENTS,
    *TUPLES,
    *ORIGIN,
    *SELECTION,
    *NUMERIC,
]
