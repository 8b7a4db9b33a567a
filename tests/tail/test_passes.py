"""The passes over TAIL: each keeps type, value, errors and prints; their list, and how they are run."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from aplc.tail import prims as p
from aplc.tail.check import check
from aplc.tail.errors import InternalError, RunError
from aplc.tail.evaluate import evaluate
from aplc.tail.optimise.fold import fold_constants
from aplc.tail.optimise.rewrite import may_fail
from aplc.tail.passes import Pass, checking, run_passes
from aplc.tail.pipeline import PASSES
from aplc.tail.source import Source, Span
from aplc.tail.syntax import Binding, Exp, Op, Param, Term, Var, fn, let, literal, op, walk
from aplc.tail.text_print import print_term
from aplc.tail.types import Base, array, is_subtype, scalar
from tests.support.rewriting import assert_becomes, outcome, parse, result_type, same
from tests.support.tail_terms.terms import Program, programs, terms

NAMES = [each.name for each in PASSES]

# What every pass keeps

MOVES = frozenset({"inline-bindings", "fuse-each"})
"""Passes that may change which of several errors comes first; that is not part of the meaning."""


def effects(term: Term) -> Counter[str]:
    """How many applications with an effect there are in a term."""
    return Counter(n.prim.name for n in walk(term) if isinstance(n, Op) and n.prim.stateful)


def assert_kept(each: Pass, term: Term, inputs: tuple[np.ndarray[Any, Any], ...]) -> Term:
    """A pass keeps the type, the effects (but those in a branch never chosen), the prints, and the value or
    the error.
    """
    after = each.run(term)
    check(after, each.name)
    assert is_subtype(result_type(after), result_type(term))
    assert effects(after) == effects(term) or (
        each.name == "fold-constants" and effects(after) < effects(term)
    )
    (kind, value, prints), (new_kind, new_value, new_prints) = outcome(term, inputs), outcome(after, inputs)
    shown = f"{print_term(term)}\n  became\n{print_term(after)}"
    assert kind == new_kind or (kind and new_kind and each.name in MOVES), shown
    assert same(prints, new_prints), shown
    assert same(value, new_value), shown
    return after


KEPT = settings(max_examples=150, deadline=None)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("each", PASSES, ids=NAMES)
@KEPT
@given(terms())
def test_pass_keeps_meaning_of_terms(each: Pass, term: Exp) -> None:
    assert_kept(each, term, ())


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("each", PASSES, ids=NAMES)
@KEPT
@given(programs())
def test_pass_keeps_meaning_of_programs(each: Pass, program: Program) -> None:
    assert_kept(each, program.term, program.inputs)


@pytest.mark.in_turn(3)
@KEPT
@given(programs())
def test_passes_keep_meaning_in_a_row(program: Program) -> None:
    term = program.term
    for each in (*PASSES, *PASSES):
        term = assert_kept(each, term, program.inputs)


@pytest.mark.in_turn(3)
@KEPT
@given(terms())
def test_pipeline_ends_with_a_term_that_reads_back(term: Exp) -> None:
    after = run_passes(term, PASSES, checking())
    text = print_term(after)
    assert print_term(parse(text)) == text


@settings(max_examples=200, deadline=None)
@given(terms())
def test_what_cannot_fail_does_not(term: Exp) -> None:
    kind, _, prints = outcome(term)
    if not may_fail(term):
        assert kind == ""
        assert prints == []


# What happens in what order


@pytest.mark.parametrize(
    "text",
    [
        "let x = divd(1.0,0.0) in (print(5),x)",
        "let x = divd(1.0,0.0) in addd(each(fn y:double => print(y),2.0),x)",
        "let x = divd(1.0,0.0) in (let y = print(5) in (y,x))",
        "let x = divd(1.0,0.0) in let y = (let z = print(5) in [z,z]) in (y,x)",
        "let x = (let y = divd(1.0,0.0) in print(5)) in 5",
        "each(fn x:int => print(negi(x)),each(fn y:int => print(absi(y)),[1,2]))",
        "each(fn x:int => negi(x),each(fn y:int => print(absi(y)),[1,2]))",
        "each(negi,each(fn y:int => print(absi(y)),[1,2]))",
        "each(fn x:int => pick(x,[1]),each(fn y:int => print(y),[2,1]))",
        "each(fn x:int => pick(print(x),[1]),each(fn y:int => pick(y,[1]),[1,2]))",
        "let x = divd(1.0,0.0) in if print(ff) then x else 2.0",
        "let x = print(1) in let y = if lti(x,2) then divd(1.0,0.0) else 1.0 in let z = print(2) in 3",
        "let x = print(1) in (if tt then 5 else print(2))",
        "let x = loop f(i:int = 0):int => if lti(print(i),2) then f(addi(i,1)) else i in"
        " let y = print(9) in x",
        "let x = rec f(i:int = 2):int => if eqi(i,0) then pick(0,[1]) else addi(1,f(subi(i,1))) in print(5)",
        "rec f(i:int = 2):int => if eqi(i,0) then 0 else"
        " let r:int = f(subi(i,1)) in let p = print(i) in addi(r,i)",
        "rec f(i:int = 2):int => if eqi(i,0) then 0 else"
        " let p = print(i) in let r:int = f(subi(i,1)) in addi(r,i)",
        "rec f(i:int = 2):int => if eqi(i,0) then 0 else let r:int = f(subi(i,1)) in print(i)",
        "let x = (print(1),print(2)) in let y = print(3) in x.1",
        "(print(1),print(2),divd(1.0,0.0)).2",
        "let x = roll(100) in let y = roll(100) in print((y,x))",
        "let x = roll(100) in let y = setSeed(5) in let z = roll(100) in print((z,x))",
        "let x = uniform([3]) in let y = deal(3,9) in print((y,x,roll(7)))",
        "let x = roll(100) in if print(tt) then roll(100) else x",
        "loop f(i:int = 0, s:int = 0):int => let r = roll(100) in"
        " if lti(i,5) then f(addi(i,1),addi(muli(s,3),r)) else print(s)",
        "each(fn x:int => addi(x,roll(50)),each(fn y:int => roll(y),[9,99,999]))",
        "each(negi,each(fn y:int => roll(y),[9,99,999]))",
        "let v = print([1,2]) in let w = update(copy(v),(1,),7) in let x = print(w) in print(v)",
        "let w = update(copy([1,2]),(3,),7) in let x = print(1) in w",
        "let v = [1,2] in let w = update(copy(v),(1,),7) in"
        " let x = update(copy(w),(2,),first(v)) in print((v,x))",
    ],
)
@pytest.mark.parametrize("each", PASSES, ids=NAMES)
def test_prints_and_failures_stay_in_order(each: Pass, text: str) -> None:
    assert_kept(each, parse(text), ())


@pytest.mark.parametrize("axes", ["each(b2i,[tt,tt])", "each(b2i,[tt,ff])", "[addi(0,1),addi(0,1)]"])
def test_axes_that_become_literals_keep_the_type(axes: str) -> None:
    term = parse(f"transp2({axes},reshape([2,2],[1,2,3,4]))")
    assert is_subtype(fold_constants(term).ty, term.ty)


# The list of passes, and the runner


def test_names_of_passes_are_distinct_and_spelled_for_the_command_line() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert all(name == name.lower() and " " not in name for name in NAMES)


def test_every_pass_is_seen_once_in_order() -> None:
    seen: list[str] = []
    run_passes(parse("addi(1,2)"), PASSES, checking(lambda name, term: seen.append(name)))
    assert seen == NAMES


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("let x:int = addi(1,2) in let y = iota(x) in 5", "5"),
        ("let x:int = subi(1,2) in let y = iota(x) in 5", "let y:[int]1 = iota(-1) in 5"),
        ("if lti(1,2) then (print(1),2).1 else print(2)", "print(1)"),
        (
            "fn v:[int]1 => let w = update(copy(v),(1,),5) in let x = update(copy(w),(2,),6) in x",
            "fn v:[int]1 => update(update(copy(v),(1,),5),(2,),6)",
        ),
        (
            "fn v:[int]1 => let a = each(b2i,[tt]) in let k = first(a) in"
            " let w = each(fn x:int => muli(x,2),v) in each(fn y:int => addi(y,1),w)",
            "fn v:[int]1 => each(fn x:[int]0 => addi(muli(x,2),1),v)",
        ),
        (
            "fn v0:<int>2 => let v3 = consV(0,v0) in"
            " reduce(addd,0.0,each(fn x:double => maxd(i2d(-50),x),"
            " each(i2d,drop(1,zipWith(subi,v3,rotateV(-1,v3))))))",
            "fn v0:<int>2 => let v3:<int>3 = consV(0,v0) in"
            " reduce(addd,0.0,each(fn x:[double]0 => maxd(-50.0,x),"
            " each(i2d,dropV(1,zipWith(subi,v3,rotateV(-1,v3))))))",
        ),
    ],
)
def test_pipeline(before: str, after: str) -> None:
    assert_becomes(lambda term: run_passes(term, PASSES, checking()), before, after)


def test_a_failure_names_the_pass() -> None:
    def crash(term: Term) -> Term:
        raise KeyError("gone")

    with pytest.raises(InternalError, match=r"crash-here: KeyError: 'gone'"):
        run_passes(literal(1), [Pass("crash-here", crash)], checking())


def test_an_ill_typed_result_names_the_pass() -> None:
    broken = Op(p.ADDI, (literal(1),), ty=literal(1).ty)
    with pytest.raises(InternalError, match=r"break-it: ill-typed term: addi: takes 2 arguments, got 1"):
        run_passes(literal(1), [Pass("break-it", lambda term: broken)], checking())


def test_an_error_of_ours_passes_through() -> None:
    def fail(term: Term) -> Term:
        raise InternalError("inner", "as it is")

    with pytest.raises(InternalError, match=r"^inner: as it is$"):
        run_passes(literal(1), [Pass("outer", fail)], checking())


def test_every_node_keeps_or_gets_a_span() -> None:
    term = parse(
        "fn v:[int]1 => let x = addi(1,2) in each(negi,each(fn y:int => addi(y,x),cat(v,each(b2i,[tt]))))"
    )
    after = run_passes(term, PASSES, checking())
    assert all(node.span is not None for node in walk(after))


def test_the_symbol_and_the_place_of_an_error_survive() -> None:
    source = Source("f.apl", "-¨÷v")
    minus, divide = Span(source, 0, 1), Span(source, 2, 3)
    x, y = Var("x", ty=scalar(Base.DOUBLE)), Var("y", ty=scalar(Base.DOUBLE))
    v = Var("v", ty=array(Base.DOUBLE, 1))
    inner = op(
        p.EACH, fn((Param("x", x.ty),), op(p.DIVD, op(p.I2D, literal(1)), x, symbol="÷", span=divide)), v
    )
    negate = fn((Param("y", y.ty),), op(p.NEGD, y, symbol="-", span=minus))
    named = let([Binding("w", inner.ty, inner)], op(p.EACH, negate, Var("w", ty=inner.ty)))
    after = run_passes(fn((Param("v", v.ty),), named), PASSES, checking())
    assert print_term(after) == "fn v:[double]1 => each(fn x:[double]0 => negd(divd(1.0,x)),v)"
    with pytest.raises(RunError, match=r"f\.apl:1:3: DOMAIN ERROR: ÷ divides by zero"):
        evaluate(after, (np.array([1.0, 0.0]),), lambda value, ty, digits: None)
