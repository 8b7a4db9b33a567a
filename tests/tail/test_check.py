"""The checker of TAIL: generated terms pass, and broken ones are an `InternalError` that names the stage."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from aplc.tail import prims as p
from aplc.tail.check import check
from aplc.tail.errors import InternalError
from aplc.tail.source import Source
from aplc.tail.syntax import (
    Binding,
    Exp,
    Fn,
    If,
    Item,
    Let,
    Lit,
    Op,
    Param,
    PrimFn,
    Rec,
    Term,
    Var,
    Vec,
    call,
    conditional,
    fn,
    item,
    let,
    literal,
    op,
    prim_fn,
    product,
    rec,
    vec,
)
from aplc.tail.text_parse import parse_term
from aplc.tail.types import (
    Base,
    Func,
    Rho,
    Single,
    SingleVector,
    Tuple,
    array,
    scalar,
    vector,
)
from tests.support.tail_terms.terms import Program, programs, terms

INT, DOUBLE, BOOL = Base.INT, Base.DOUBLE, Base.BOOL
X = Var("x", ty=scalar(INT))
ONE = literal(1)
ONES = vec((ONE, ONE), INT)
PARAM = Param("x", scalar(INT))
PAIR = product((ONE, ONES))
AT = product((ONE,))


def recursion(body: Exp, first: Exp = ONE, *, name: str = "f", param: str = "x") -> Exp:
    """`rec name(param:int = first):int => body`"""
    return rec(name, (Param(param, scalar(INT)),), (first,), body, scalar(INT))


# What passes


@settings(max_examples=200, deadline=None)
@given(terms())
def test_generated_term_passes(term: Exp) -> None:
    check(term)


@settings(max_examples=100, deadline=None)
@given(programs())
def test_generated_program_passes(program: Program) -> None:
    check(program.term)


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "()",
        "(1,'a',())",
        "([]:<double>0)",
        "let x:int = 1 in let y:[int]1 = [x] in reduce(addi,x,y)",
        "each(fn x:int => each(fn y:int => addi(x,y),x),[1])",
        "zipWith(fn x:int, y:double => addd(i2d(x),y),[1],[2.0])",
        "outer(eqi,[1,2],reshape([2,2],3))",
        "fn x:[double]1, y:<int>n => (x,firstV(shapeV(y)))",
        "fn x:[κ]1, y:[κ]r => indexOf(x,y)",
        "if tt then [1] else [1,2]",
        "if ff then (1,[2]) else (3,[])",
        "((1,(2.5,tt)),'a').1.2.2",
        "let t:(int, <int>2) = (1,[2,3]) in t.2",
        "loop f(i:int = 0):int => if lti(i,5) then f(addi(i,1)) else i",
        "loop f(i:int = 0, v:[int]1 = [1]):(int, [int]1) => if lti(i,5) then f(i,cat(v,v)) else (i,v)",
        "rec f(n:int = 5):int => if lti(n,2) then 1 else muli(n,f(subi(n,1)))",
        "rec f(n:int = 2):int => reduce(addi,0,each(fn k:int => f(subi(n,k)),[1,2]))",
        "rec f(n:int = 2):int => loop g(m:int = n):int => if lti(m,0) then f(m) else g(subi(m,1))",
        "update(copy([1,2]),(1,),5)",
        "update(update(copy([1,2]),(1,),5),(2,),first(modify(addi,copy([1]),(1,),6)))",
        "modify(fn x:int, y:bool => x,modify(addi,copy([1,2]),(1,),5),([1,2],),tt)",
    ],
)
def test_text_passes(text: str) -> None:
    check(parse_term(Source("test.tail", text)))


@pytest.mark.parametrize(
    "term",
    [
        replace(ONE, ty=scalar(INT)),
        replace(ONES, ty=array(INT, 1)),
        replace(vec((ONE,), INT), ty=vector(INT, 1)),
        replace(op(p.IOTA_V, literal(3)), ty=array(INT, 1)),
        let([Binding("x", scalar(INT), ONE)], X),
        replace(
            let([Binding("x", Single(INT, Rho(1)), ONE)], replace(X, ty=Single(INT, Rho(1)))), ty=scalar(INT)
        ),
        let([Binding("x", Single(INT, Rho(1)), ONE)], X),
        replace(product((ONE,)), ty=Tuple((scalar(INT),))),
        replace(item(product((ONE, ONE)), 2), ty=scalar(INT)),
        replace(conditional(literal(True), ONES, ONES), ty=array(INT, 1)),
        rec("f", (PARAM,), (ONE,), ONES, array(INT, 1)),
        rec("f", (PARAM,), (ONE,), call("f", (ONE,), vector(INT, 2)), vector(INT, 2)),
        rec(
            "f", (PARAM,), (ONE,), replace(call("f", (ONE,), vector(INT, 2)), ty=array(INT, 1)), array(INT, 1)
        ),
    ],
)
def test_a_stated_type_may_be_less_precise(term: Term) -> None:
    check(term)


# What does not


def inside_function(body: Exp) -> Exp:
    """A broken body, inside a function argument."""
    return Op(p.EACH, (fn((Param("z", scalar(INT)),), body), ONES), ty=vector(INT, 2))


BROKEN: dict[str, tuple[Term, str]] = {
    "unbound variable": (X, "x is not in scope"),
    "unbound in a function": (inside_function(X), "x is not in scope"),
    "unbound in its own binding": (let([Binding("x", X.ty, X)], X), "x is not in scope"),
    "out of the scope of a let": (product((let([Binding("x", X.ty, ONE)], X), X)), "x is not in scope"),
    "out of the scope of a function": (
        product((op(p.EACH, fn((PARAM,), X), ONES), X)),
        "x is not in scope",
    ),
    "bound twice in one let": (
        let([Binding("x", X.ty, ONE), Binding("x", X.ty, ONE)], X),
        "x is bound twice",
    ),
    "bound twice in two lets": (
        product((let([Binding("x", X.ty, ONE)], X), let([Binding("x", X.ty, ONE)], X))),
        "x is bound twice",
    ),
    "parameter bound twice": (fn((PARAM, PARAM), X), "x is bound twice"),
    "parameter and let": (fn((PARAM,), let([Binding("x", X.ty, ONE)], X)), "x is bound twice"),
    "variable more precise than its binding": (
        let([Binding("x", scalar(INT), ONE)], replace(X, ty=Single(INT, Rho(1)))),
        "x has type [int]0, stated is S(int,1)",
    ),
    "variable of another type than its parameter": (
        fn((Param("x", scalar(BOOL)),), X),
        "x has type [bool]0, stated is [int]0",
    ),
    "binding of another type": (
        let([Binding("x", scalar(DOUBLE), ONE)], Var("x", ty=scalar(DOUBLE))),
        "x has type S(int,1), stated is [double]0",
    ),
    "literal of another value": (Lit(1, ty=Single(INT, Rho(2))), "literal 1"),
    "literal of another base type": (Lit(1, ty=scalar(DOUBLE)), "literal 1"),
    "boolean as integer": (Lit(True, ty=scalar(INT)), "literal True"),
    "integer as boolean": (Lit(1, ty=Single(BOOL, Rho(1))), "literal 1"),
    "double as singleton": (Lit(1.0, ty=Single(DOUBLE, Rho(1))), "literal 1.0"),
    "literal as vector": (Lit(1, ty=vector(INT, 1)), "literal 1"),
    "vector of another length": (
        replace(ONES, ty=vector(INT, 3)),
        "vector has type <int>2, stated is <int>3",
    ),
    "vector of another base type": (replace(ONES, ty=vector(DOUBLE, 2)), "element"),
    "vector with a value of its own": (
        replace(vec((X,), INT), ty=SingleVector(INT, Rho(1))),
        "x is not in scope",
    ),
    "vector of a value not known": (
        fn((PARAM,), replace(vec((X,), INT), ty=SingleVector(INT, Rho(1)))),
        "vector has type <int>1, stated is SV(int,1)",
    ),
    "vector of a function's type": (replace(ONES, ty=Func((scalar(INT),), scalar(INT))), "vector of type"),
    "vector of a tuple's type": (replace(ONES, ty=Tuple()), "vector of type ()"),
    "vector of vectors": (Vec((ONES,), ty=vector(INT, 1)), "element has type <int>2, stated is [int]0"),
    "vector of two base types": (Vec((ONE, literal(1.0)), ty=vector(INT, 2)), "element has type [double]0"),
    "vector of tuples": (Vec((product(()),), ty=vector(INT, 1)), "element has type ()"),
    "matrix": (replace(ONES, ty=array(INT, 2)), "vector has type <int>2, stated is [int]2"),
    "application of another type": (replace(op(p.IOTA, ONE), ty=array(DOUBLE, 1)), "iota has type [int]1"),
    "application of another rank": (replace(op(p.IOTA, ONE), ty=array(INT, 2)), "iota has type [int]1"),
    "application more precise than it is": (
        replace(op(p.IOTA, ONE), ty=vector(INT, 1)),
        "iota has type [int]1",
    ),
    "argument of another base type": (
        Op(p.ADDI, (ONE, literal(1.0)), ty=scalar(INT)),
        "addi: double is not int",
    ),
    "argument of another rank": (Op(p.ADDI, (ONE, ONES), ty=scalar(INT)), "addi"),
    "argument missing": (Op(p.ADDI, (ONE,), ty=scalar(INT)), "takes 2 arguments, got 1"),
    "argument too many": (Op(p.NEGI, (ONE, ONE), ty=scalar(INT)), "takes 1 arguments, got 2"),
    "function where a value belongs": (Op(p.IOTA, (prim_fn(p.NEGI),), ty=array(INT, 1)), "iota"),
    "value where a function belongs": (Op(p.EACH, (ONE, ONES), ty=vector(INT, 2)), "each"),
    "non-scalar primitive as a function": (
        Op(p.EACH, (PrimFn(p.IOTA, ty=p.IOTA.schemes[0].type), ONES), ty=vector(INT, 2)),
        "iota is no function",
    ),
    "primitive of another function type": (
        Op(
            p.EACH,
            (PrimFn(p.NEGI, ty=p.NEGD.schemes[0].type), vec((literal(1.0),), DOUBLE)),
            ty=vector(DOUBLE, 1),
        ),
        "negi is no function of type",
    ),
    "function of two parameters in each": (
        Op(p.EACH, (fn((PARAM, Param("y", scalar(INT))), X), ONES), ty=vector(INT, 2)),
        "each",
    ),
    "function of arrays": (
        Op(p.EACH, (fn((Param("x", array(INT, 1)),), ONE), ONES), ty=vector(INT, 2)),
        "each",
    ),
    "function that gives an array": (
        Op(p.EACH, (fn((PARAM,), vec((X,), INT)), ONES), ty=vector(INT, 2)),
        "each",
    ),
    "function of another type": (
        replace(fn((PARAM,), X), ty=Func((scalar(INT),), scalar(BOOL))),
        "function of type",
    ),
    "no such axes": (
        Op(p.DIAGONAL, (vec((ONE, literal(3)), INT), op(p.RESHAPE, ONES, ONE)), ty=array(INT, 2)),
        "axes",
    ),
    "body of another type": (replace(let([Binding("x", X.ty, ONE)], X), ty=scalar(BOOL)), "the body of let"),
    "tuple of another type": (replace(product((ONE,)), ty=Tuple((scalar(BOOL),))), "tuple"),
    "tuple of another size": (replace(product((ONE, ONE)), ty=Tuple((scalar(INT),))), "tuple"),
    "tuple as an argument": (Op(p.SHAPE, (product((ONE,)),), ty=vector(INT, 0)), "shape"),
    "component of no tuple": (Item(ONE, 1, ty=ONE.ty), "component 1 of S(int,1)"),
    "component zero": (Item(PAIR, 0, ty=ONE.ty), "component 0 of (S(int,1), <int>2)"),
    "component beyond the last": (Item(PAIR, 3, ty=ONE.ty), "component 3 of (S(int,1), <int>2)"),
    "component of another type": (Item(PAIR, 2, ty=ONE.ty), "component has type <int>2, stated is S(int,1)"),
    "component of the empty tuple": (Item(product(()), 1, ty=ONE.ty), "component 1 of ()"),
    "condition that is no boolean": (
        If(ONE, ONE, ONE, ty=ONE.ty),
        "condition has type S(int,1), stated is [bool]0",
    ),
    "condition of rank one": (
        If(vec((literal(True),), BOOL), ONE, ONE, ty=ONE.ty),
        "condition has type SV(bool,1), stated is [bool]0",
    ),
    "branch of another element type": (
        If(literal(True), ONE, literal(1.0), ty=scalar(INT)),
        "a branch has type [double]0, stated is [int]0",
    ),
    "branch of another rank": (
        If(literal(True), ONES, ONE, ty=array(INT, 1)),
        "a branch has type S(int,1), stated is [int]1",
    ),
    "branch of another value": (
        If(literal(True), ONE, literal(2), ty=ONE.ty),
        "a branch has type S(int,2), stated is S(int,1)",
    ),
    "branch of another number of components": (
        If(literal(True), PAIR, product((ONE,)), ty=PAIR.ty),
        "a branch has type (S(int,1),)",
    ),
    "variable of a branch, outside": (
        product((conditional(literal(True), let([Binding("x", X.ty, ONE)], X), ONE), X)),
        "x is not in scope",
    ),
    "call of nothing": (call("f", (ONE,), X.ty), "f is not in scope"),
    "call of a variable": (fn((PARAM,), call("x", (ONE,), X.ty)), "x is not in scope"),
    "call in a first value": (recursion(X, call("f", (ONE,), X.ty)), "f is not in scope"),
    "call behind the function": (product((recursion(X), call("f", (ONE,), X.ty))), "f is not in scope"),
    "call of a function that has come to its end": (
        recursion(call("g", (ONE,), X.ty), recursion(ONE, name="g", param="y")),
        "g is not in scope",
    ),
    "call with too few arguments": (recursion(call("f", (), X.ty)), "f takes 1 arguments, got 0"),
    "call with too many arguments": (recursion(call("f", (X, X), X.ty)), "f takes 1 arguments, got 2"),
    "call with an argument of another type": (
        recursion(call("f", (literal(1.0),), X.ty)),
        "x has type [double]0, stated is [int]0",
    ),
    "call with an argument of another rank": (
        recursion(call("f", (ONES,), X.ty)),
        "x has type <int>2, stated is [int]0",
    ),
    "call more precise than its function": (
        recursion(call("f", (X,), ONE.ty)),
        "f has type [int]0, stated is S(int,1)",
    ),
    "first value of another type": (recursion(X, literal(1.0)), "x has type [double]0, stated is [int]0"),
    "body of another type than the function": (
        recursion(literal(1.0)),
        "the body of rec has type [double]0, stated is [int]0",
    ),
    "parameter of a function, in its first value": (recursion(X, X), "x is not in scope"),
    "parameter of a function, outside": (product((recursion(X), X)), "x is not in scope"),
    "a number of rounds of what is no loop": (
        replace(recursion(op(p.ADDI, call("f", (ONE,), scalar(INT)), ONE)), most=9),
        "f has a number of rounds, but is no loop",
    ),
    "recursive function without parameters": (Rec("f", (), (), ONE, ty=ONE.ty), "f has no parameters"),
    "more parameters than values": (
        Rec("f", (PARAM, Param("y", X.ty)), (ONE,), X, ty=X.ty),
        "f has 2 parameters and 1 values",
    ),
    "function bound twice": (product((recursion(X), recursion(X, param="y"))), "f is bound twice"),
    "function inside one of its name": (
        recursion(recursion(Var("y", ty=X.ty), param="y")),
        "f is bound twice",
    ),
    "function named like a variable": (recursion(X, name="x"), "x is bound twice"),
    "variable named like a function": (
        product((recursion(X), let([Binding("f", X.ty, ONE)], Var("f", ty=X.ty)))),
        "f is bound twice",
    ),
    "function as a variable": (recursion(Var("f", ty=X.ty)), "f is not in scope"),
    "parameters of one name": (
        Rec("f", (PARAM, PARAM), (ONE, ONE), X, ty=X.ty),
        "x is bound twice",
    ),
    **{
        f"{prim.name} of {what}": (
            let([Binding("v", ONES.ty, ONES)], Op(prim, (*before, changed, AT, ONE), ty=array(INT, 1))),
            f"{prim.name} changes an array that may have another name",
        )
        for prim, before in ((p.UPDATE, ()), (p.MODIFY, (prim_fn(p.ADDI),)))
        for what, changed in (
            ("a variable", Var("v", ty=ONES.ty)),
            ("a constant", ONES),
            ("what is computed", op(p.REVERSE_V, ONES)),
            ("what is printed", op(p.PRINT, op(p.COPY, ONES))),
            ("a block", let([Binding("w", ONES.ty, op(p.COPY, ONES))], Var("w", ty=ONES.ty))),
            ("a branch", conditional(literal(True), op(p.COPY, ONES), op(p.COPY, ONES))),
            ("a component", item(product((op(p.COPY, ONES),)), 1)),
        )
    },
    "update of a function": (
        Op(p.UPDATE, (prim_fn(p.ADDI), AT, ONE), ty=array(INT, 1)),
        "update",
    ),
    "update with two subscripts for a vector": (
        Op(p.UPDATE, (op(p.COPY, ONES), product((ONE, ONE)), ONE), ty=array(INT, 1)),
        "update",
    ),
}


@pytest.mark.parametrize(("term", "fragment"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_term_is_refused(term: Term, fragment: str) -> None:
    with pytest.raises(InternalError, match="my-pass: ill-typed term: ") as caught:
        check(term, "my-pass")
    assert fragment in str(caught.value)
    assert caught.value.stage == "my-pass"


@pytest.mark.parametrize(
    "term",
    [
        pytest.param(Lit("ab", ty=scalar(Base.CHAR)), id="a literal of two characters"),
        pytest.param(Lit(2**63, ty=scalar(INT)), id="a literal beyond 64 bits"),
        pytest.param(Let((), ONE, ty=ONE.ty), id="a let without bindings"),
        pytest.param(
            Let((Binding("x", X.ty, ONE),), let([Binding("y", X.ty, ONE)], X), ty=X.ty),
            id="a let as the body of a let",
        ),
        pytest.param(Fn((), ONE, ty=Func((), ONE.ty)), id="a function without parameters"),
    ],
)
def test_a_term_outside_the_grammar_is_refused(term: Term) -> None:
    with pytest.raises(InternalError):
        check(term)


def test_a_function_of_one_value_is_not_applied_to_others() -> None:
    param = Param("x", Single(INT, Rho(3)))
    function = fn((param,), op(p.FIRST, op(p.IOTA_V, Var("x", ty=param.ty))))
    with pytest.raises(InternalError):
        check(Op(p.EACH, (function, ONES), ty=vector(INT, 2)))
