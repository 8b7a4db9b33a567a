"""Corners of the reference interpreter: texts of TAIL with their values, and what a text's value is."""

import math
from typing import Any

from aplc.tail.check import check
from aplc.tail.evaluate import evaluate
from aplc.tail.source import Source
from aplc.tail.text_parse import parse_term
from aplc.tail.types import Func, Tuple, Type
from tests.support.plain_tail.definitions import from_numpy
from tests.support.plain_tail.scalar import CHAR, INF, INT_MAX, INT_MIN, NAN, Arr


def nested(a: Arr) -> Any:
    """Lists of lists; a vector of characters is a string."""
    if not a.shape:
        return a.items[0]
    if len(a.shape) == 1:
        return "".join(a.items) if a.base is CHAR else list(a.items)
    step = math.prod(a.shape[1:])
    return [nested(Arr(a.base, a.shape[1:], a.items[k * step : (k + 1) * step])) for k in range(a.shape[0])]


def value_of(text: str, *inputs: Any) -> Any:
    term = parse_term(Source("test.tail", text))
    check(term)
    ty = term.ty.result if isinstance(term.ty, Func) else term.ty
    return shown(evaluate(term, inputs, lambda value, ty, digits: None), ty)


def shown(value: Any, ty: Type) -> Any:
    """A value as lists, strings and numbers; a tuple as a tuple of such."""
    if isinstance(ty, Tuple):
        return tuple([shown(part, part_type) for part, part_type in zip(value, ty.items, strict=True)])
    return nested(from_numpy(value, ty))


CORNERS_AS_TEXTS: list[tuple[str, Any]] = [
    # scalar functions
    ("divd(0.0,0.0)", 1.0),
    ("divd(-0.0,0.0)", 1.0),
    ("divd(0.0,5.0)", 0.0),
    ("divd(inf,inf)", NAN),
    ("zipWith(divd,[1.0,0.0],[4.0,0.0])", [0.25, 1.0]),
    ("resi(-5,3)", -2),
    ("resi(5,-3)", 2),
    ("resi(-5,-3)", -3),
    ("resi(0,7)", 7),
    ("resi(0,-7)", -7),
    ("resi(-1,-9223372036854775808)", 0),
    ("resi(-9223372036854775808,1)", -9223372036854775807),
    ("resd(-5.0,3.0)", -2.0),
    ("resd(0.0,2.5)", 2.5),
    ("resd(1.0,-0.25)", 0.75),
    ("resd(inf,3.0)", 3.0),
    ("addi(9223372036854775807,1)", INT_MIN),
    ("subi(-9223372036854775808,1)", INT_MAX),
    ("muli(4294967296,4294967296)", 0),
    ("negi(-9223372036854775808)", INT_MIN),
    ("absi(-9223372036854775808)", INT_MIN),
    ("floord(-0.5)", -1),
    ("ceild(-0.5)", 0),
    ("floord(9.223372036854775e18)", 9223372036854774784),
    ("floord(-9223372036854775808.0)", INT_MIN),
    ("maxd(nan,1.0)", NAN),
    ("mind(1.0,nan)", NAN),
    ("maxd(inf,1.0)", INF),
    ("mind(-inf,1.0)", -INF),
    ("addd(inf,-inf)", NAN),
    ("addd(1e308,1e308)", INF),
    ("ltd(nan,nan)", False),
    ("gted(nan,nan)", False),
    ("eqd(nan,nan)", False),
    ("neqd(nan,nan)", True),
    ("eqd(0.0,-0.0)", True),
    ("ltd(-inf,inf)", True),
    ("d2i(-9223372036854775808.0)", INT_MIN),
    ("powd(0.0,0.0)", 1.0),
    ("powd(-2.0,3.0)", -8.0),
    ("powd(-2.0,-1.0)", -0.5),
    ("powd(nan,0.0)", 1.0),
    ("powd(0.0,inf)", 0.0),
    ("powd(10.0,400.0)", INF),
    ("signi(-7)", -1),
    ("signd(-0.0)", 0),
    ("signd(nan)", 0),
    ("gcdi(0,0)", 0),
    ("gcdi(-4,6)", 2),
    ("lcmi(0,5)", 0),
    ("lcmi(4,-6)", -12),
    ("i2d(9223372036854775807)", 9223372036854775808.0),
    # reductions: from the right, identity items for empty axes only
    ("reduce(subi,0,[1,2,3,4])", -2),
    ("reduce(divd,1.0,[1.0,2.0,3.0,4.0])", 0.375),
    ("reduce(fn x:int, y:int => addi(muli(10,x),y),0,[1,2,3])", 33),
    ("reduce(addi,99,[5])", 5),
    ("reduce(addi,99,[])", 99),
    ("reduce(maxd,-inf,([]:<double>0))", -INF),
    ("reduce(addi,7,reshape([2,0],1))", [7, 7]),
    ("reduce(addi,7,reshape([0,2],1))", []),
    ("reduce1(subi,[1,2,3])", 2),
    ("reduce1(subi,reshape([2,1],[4,5]))", [4, 5]),
    ("reduce1(subi,reshape([0,0],1))", []),
    ("reduce1(subi,reshape([2,0,0],1))", [[], []]),
    # inner and outer products
    ("inner(addi,0,muli,reshape([2,3],iota(6)),reshape([3,2],iota(6)))", [[22, 28], [49, 64]]),
    ("inner(addi,0,muli,[1,2,3],[4,5,6])", 32),
    ("inner(addi,0,muli,[2],[4,5,6])", 30),
    ("inner(addi,0,muli,reshape([2,3],iota(6)),[2])", [12, 30]),
    ("inner(addi,42,muli,[],[])", 42),
    ("inner(addi,42,muli,reshape([2,0],1),reshape([0,3],1))", [[42, 42, 42], [42, 42, 42]]),
    ("inner(subi,0,subi,[1,2,3],[0,0,0])", 2),
    ("outer(fn x:int, y:int => subi(x,y),[10,20],[1,2,3])", [[9, 8, 7], [19, 18, 17]]),
    ("outer(eqc,\"ab\",'a')", [True, False]),
    ("outer(addi,5,[1,2])", [6, 7]),
    ("outer(addi,1,2)", 3),
    ("outer(addi,[1,2],[])", [[], []]),
    # one-element extension
    ("zipWith(addi,[10],[1,2,3])", [11, 12, 13]),
    ("zipWith(subi,[1,2,3],[1])", [0, 1, 2]),
    ("zipWith(addi,[1],[])", []),
    ("zipWith(addi,[],[1])", []),
    ("zipWith(addi,reshape([1,1],5),reshape([2,2],iota(4)))", [[6, 7], [8, 9]]),
    ("zipWith(addi,reshape([1,1],5),reshape([0,2],1))", []),
    ("zipWith(addi,2,3)", 5),
    # structure
    ("take(5,[1,2,3])", [1, 2, 3, 0, 0]),
    ("take(-5,[1,2,3])", [0, 0, 1, 2, 3]),
    ('take(2,"")', "  "),
    ("take(-2,[tt])", [False, True]),
    ("take(2,reshape([0,3],1))", [[0, 0, 0], [0, 0, 0]]),
    ("takes([-3,4],reshape([2,2],iota(4)))", [[0, 0, 0, 0], [1, 2, 0, 0], [3, 4, 0, 0]]),
    ("takes([],5)", 5),
    ("drop(5,[1,2,3])", []),
    ("drop(-1,[1,2,3])", [1, 2]),
    ("drop(-9223372036854775808,[1,2,3])", []),
    ("drops([1,-1],reshape([2,3],iota(6)))", [[4, 5]]),
    ("rotate(7,[1,2,3])", [2, 3, 1]),
    ("rotate(-1,[1,2,3])", [3, 1, 2]),
    ("rotate(1,reshape([2,3],iota(6)))", [[2, 3, 1], [5, 6, 4]]),
    ("rotate(3,[])", []),
    ("rotate(3,5)", 5),
    ("reverse(5)", 5),
    ("reverse(reshape([2,3],iota(6)))", [[3, 2, 1], [6, 5, 4]]),
    ("reshape([2,2],[1,2,3])", [[1, 2], [3, 1]]),
    ('reshape([3],"")', "   "),
    ("reshape([2],([]:<double>0))", [0.0, 0.0]),
    ("reshape([],[7,8])", 7),
    ("reshape([0,3],[1])", []),
    ("reshape([3,0],[1])", [[], [], []]),
    ("shape(reshape([0,3],[1]))", [0, 3]),
    ("shape(5)", []),
    ("transp(reshape([2,3],iota(6)))", [[1, 4], [2, 5], [3, 6]]),
    ("transp(5)", 5),
    ("diagonal([1,1],reshape([2,3],iota(6)))", [1, 5]),
    ("transp2([2,1],reshape([2,3],iota(6)))", [[1, 4], [2, 5], [3, 6]]),
    ("diagonal([1,1],reshape([0,3],iota(6)))", []),
    ("transp2([],5)", 5),
    ("let a:<int>2 = [2,1] in transp2(a,reshape([2,3],iota(6)))", [[1, 4], [2, 5], [3, 6]]),
    ("transp2([2,3,1],reshape([2,1,3],iota(6)))", [[[1], [4]], [[2], [5]], [[3], [6]]]),
    ("diagonal([2,1],reshape([2,3],iota(6)))", [[1, 4], [2, 5], [3, 6]]),
    ("diagonal([1,2,1],reshape([2,2,2],iota(8)))", [[1, 3], [6, 8]]),
    ("diagonal([],5)", 5),
    ("first([])", 0),
    ('first("")', " "),
    ("first(reshape([2,2],[7,8]))", 7),
    ("ravel(5)", [5]),
    ("ravel(reshape([2,2],iota(4)))", [1, 2, 3, 4]),
    ("cat(reshape([2,1],[1,2]),reshape([2,2],[3,4,5,6]))", [[1, 3, 4], [2, 5, 6]]),
    ("cons([1,2],reshape([2,2],[3,4,5,6]))", [[1, 3, 4], [2, 5, 6]]),
    ("snoc(reshape([2,2],[3,4,5,6]),[1,2])", [[3, 4, 1], [5, 6, 2]]),
    ("cons(1,[])", [1]),
    ("cat([],[])", []),
    ("iota(0)", []),
    ('pick(3,"abc")', "c"),
    ("indexOf([3,1,3],[3,4])", [1, 4]),
    ("indexOf([],5)", 1),
    ("match([1,2],iota(2))", True),
    ("match([],iota(1))", False),
    ('match("","")', True),
    # functions: free scalar variables, bodies with arrays, functions in functions, constant bodies
    ("let k:int = 10 in each(fn x:int => addi(x,k),[1,2])", [11, 12]),
    ("let k:int = 10 in zipWith(fn x:int, y:int => addi(muli(k,x),y),[1,2],[3])", [13, 23]),
    ("let v = [5,6] in each(fn x:int => pick(x,v),[2,1,2])", [6, 5, 6]),
    ("each(fn x:int => reduce(addi,0,iota(x)),[1,2,3])", [1, 3, 6]),
    ("each(fn x:int => reduce(addi,0,each(fn y:int => muli(x,y),iota(x))),[1,2,3])", [1, 6, 18]),
    ("each(fn x:int => 7,reshape([2,1],0))", [[7], [7]]),
    ("each(fn x:int => let y = addi(x,1) in muli(y,y),[1,2])", [4, 9]),
    ("each(fn x:int => divd(i2d(x),0.0),[])", []),
    ("each(fn x:int => pick(x,[1]),[])", []),
    ("each(fn x:int => d2i(2.5),[])", []),
    ("each(fn x:int => let y = d2i(2.5) in x,[])", []),
    ("outer(fn a:int, b:int => d2i(2.5),[1,2],[])", [[], []]),
    ("each(negi,5)", -5),
    ("reduce(fn x:int, y:int => first(iota(addi(x,y))),0,[1,2,3])", 1),
    # blocks
    ("let x = 1 in let y = (let z = addi(x,1) in muli(z,z)) in addi(x,y)", 5),
    ("[let x = 1 in x,let x = 2 in x]", [1, 2]),
    # scans, windows, cells
    ("scan(subi,[1,2,3,4])", [1, -1, 2, -2]),
    ("scan(fn x:int, y:int => addi(muli(10,x),y),[1,2,3])", [1, 12, 33]),
    ("reduceN(subi,0,2,[1,2,4,8])", [-1, -2, -4]),
    ("reduceN(subi,0,-2,[1,2,4,8])", [1, 2, 4]),
    ("reduceN(addi,0,0,[1,2])", [0, 0, 0]),
    ("reduceN(addi,0,3,[1,2])", []),
    ("cells(fn c:[int]1 => reduce(addi,0,c),reshape([2,3],iota(6)))", [6, 15]),
    ("cells(fn c:int => iota(2),[1,2])", [[1, 2], [1, 2]]),
    ("zipCells(fn a:int, b:[int]1 => pick(a,b),[1,3],reshape([2,3],iota(6)))", [1, 6]),
    # tuples
    ("(1,2.5).2", 2.5),
    ("((1,2),(3,)).2.1", 3),
    ('let t = (1,"ab") in t.2', "ab"),
    ("print(([1,2],3)).1", [1, 2]),
    # conditionals: only the chosen branch is computed
    ("if tt then 1 else 2", 1),
    ("if ff then divd(1.0,0.0) else 2.5", 2.5),
    ("if lti(1,2) then [1] else [1,2]", [1]),
    ("(if ff then (1,2) else (3,4)).2", 4),
    ("each(fn x:int => if lti(x,2) then negi(x) else muli(x,x),[1,2,3])", [-1, 4, 9]),
    ("each(fn x:int => if eqi(x,0) then 0.0 else divd(1.0,i2d(x)),[0,2])", [0.0, 0.5]),
    # loops: all arguments are computed before one is bound
    ("loop f(i:int = 0, s:int = 0):int => if lti(i,5) then f(addi(i,1),addi(s,i)) else s", 10),
    ("loop g(a:int = 12, b:int = 18):int => if eqi(b,0) then a else g(b,resi(b,a))", 6),
    (
        "loop f(i:int = 0, a:int = 1, b:int = 2):(int, int) => if lti(i,3) then f(addi(i,1),b,a) else (a,b)",
        (2, 1),
    ),
    ("loop f(i:int = 7):int => if lti(i,5) then f(addi(i,1)) else 0", 0),
    ("loop f(i:int = 0, v:[int]1 = [1]):[int]1 => if lti(i,2) then f(addi(i,1),cat(v,v)) else v", [1] * 4),
    (
        "loop f(i:int = 0, s:int = 0):int => if lti(i,4) then f(addi(i,1),loop g(j:int = 0, t:int = s):int =>"
        " if lti(j,i) then g(addi(j,1),addi(t,1)) else t) else s",
        6,
    ),
    (
        "loop f(i:int = 0):int => let j = addi(i,1) in if lti(j,3) then f(j) else"
        " if lti(j,5) then f(addi(j,1)) else let k = muli(j,2) in k",
        10,
    ),
    ("each(fn x:int => loop f(i:int = x):int => if lti(i,10) then f(addi(i,i)) else i,[1,3])", [16, 12]),
    # recursion: each activation has variables of its own
    ("rec f(n:int = 5):int => if lti(n,2) then 1 else muli(n,f(subi(n,1)))", 120),
    ("rec f(n:int = 10):int => if lti(n,2) then n else addi(f(subi(n,1)),f(subi(n,2)))", 55),
    (
        "rec a(m:int = 2, n:int = 3):int => if eqi(m,0) then addi(n,1) else"
        " if eqi(n,0) then a(subi(m,1),1) else a(subi(m,1),a(m,subi(n,1)))",
        9,
    ),
    (
        "rec f(n:int = 3):int => if eqi(n,0) then 0 else"
        " let k:int = muli(n,10) in let r:int = f(subi(n,1)) in addi(k,r)",
        60,
    ),
    (
        "rec f(n:int = 2):int => if eqi(n,0) then 0 else"
        " reduce(addi,0,each(fn k:int => addi(f(subi(n,1)),k),[1,2]))",
        9,
    ),
    (
        "rec f(n:int = 2):int => if eqi(n,0) then 1 else loop g(j:int = 0, t:int = 0):int =>"
        " if lti(j,n) then g(addi(j,1),addi(t,f(subi(n,1)))) else t",
        2,
    ),
    (
        "rec f(n:int = 2):[int]1 => if eqi(n,0) then [0] else"
        " cells(fn k:int => firstV([first(f(subi(n,1)))]),cat(f(subi(n,1)),[n]))",
        [0, 0, 0],
    ),
    # changes in place
    ("update(copy([1,2,3]),(2,),9)", [1, 9, 3]),
    ("let v = [1,2,3] in let w = update(copy(v),(1,),9) in cat(v,w)", [1, 2, 3, 9, 2, 3]),
    ("let v = [1,2] in let w = print(v) in let x = update(copy(w),(1,),5) in cat(v,x)", [1, 2, 5, 2]),
    ("let v = [1,2] in let t = (v,v) in let x = update(copy(t.1),(1,),5) in cat(t.2,x)", [1, 2, 5, 2]),
    ("update(copy(reshape([2,2],0)),([1,2],2),[5,6])", [[0, 5], [0, 6]]),
    ("update(copy(reshape([2,2],0)),([2],[1,2]),7)", [[0, 0], [7, 7]]),
    ("update(copy([1,2,3]),([1,1],),[5,6])", [6, 2, 3]),
    ("update(copy([1,2]),([],),5)", [1, 2]),
    ("update(copy(update(copy([1,2,3]),(1,),7)),(2,),8)", [7, 8, 3]),
    ("update(update(copy([1,2,3]),(1,),7),(1,),8)", [8, 2, 3]),
    ("modify(addi,copy([1,2,3]),([1,1],),[5,6])", [12, 2, 3]),
    ("modify(subi,copy([1,2,3]),([3,1],),10)", [-9, 2, -7]),
    ("modify(fn x:int, y:double => addi(x,floord(y)),copy([1,2]),(2,),2.5)", [1, 4]),
    ("modify(addi,update(copy([1,2]),(1,),7),(1,),1)", [8, 2]),
    (
        "loop f(i:int = 1, v:[int]1 = [0,0,0]):[int]1 =>"
        " if ltei(i,3) then f(addi(i,1),update(copy(v),(i,),muli(i,i))) else v",
        [1, 4, 9],
    ),
    # what is printed, with its digits or not, is the value
    ("printWith(3,2.5)", 2.5),
]
