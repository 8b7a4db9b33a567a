"""The rules of the TAIL optimiser: each proved on random terms, by evaluating both sides, and exemplified."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aplc.tail.check import check
from aplc.tail.optimise import rearrange, shapes
from aplc.tail.optimise.common_subexpressions import share_common
from aplc.tail.optimise.constant_evaluation import fold_closed
from aplc.tail.optimise.facts import SMALL, Facts
from aplc.tail.optimise.fold import fold_constants
from aplc.tail.optimise.loop_invariants import move_invariants
from aplc.tail.optimise.rearrange import REARRANGE
from aplc.tail.optimise.rewrite import Rebuild
from aplc.tail.optimise.shapes import SHAPES, Rule, apply_rules, value_of_type
from aplc.tail.optimise.truth_versions import with_truth_values
from aplc.tail.syntax import Exp, Term
from aplc.tail.text_print import print_term
from aplc.tail.types import is_subtype
from tests.support.rewriting import assert_becomes, assert_unchanged, outcome, parse, result_type, same

ExpRule = Callable[[Exp, Facts], Exp]


def with_rule(rule: ExpRule) -> Callable[[Term], Term]:
    """One rule, applied from the leaves up."""

    def run(term: Term) -> Term:
        rebuild = Rebuild(lambda exp: rule(exp, facts))
        facts = Facts(rebuild.values)
        return rebuild.term(term)

    return run


def alone(rule: Rule) -> ExpRule:
    """A rule for applications, at the primitives that it is listed for."""
    tables = [table for table in (SHAPES, REARRANGE) if any(rule in rules for rules in table.values())]
    prims = {prim for table in tables for prim, rules in table.items() if rule in rules}
    return lambda exp, facts: apply_rules(exp, dict.fromkeys(prims, (rule,)), facts)


# --- proofs ---------------------------------------------------------------------------------------------

PROGRAM = "fn a:[int]{r}, b:[int]{r}, s:int, w:[int]1, u:<int>{l}, z:<int>1 => "
"""Inputs of the templates below: `a` has any shape of rank r, and so has `b`; `w` and `u` have l elements."""

PROOFS: dict[Rule, list[str]] = {
    shapes.shape_of_known: [
        "shape(reshape({e},a))",
        "shape(transp(reshape({e},a)))",
        "shape(transp2({p3},reshape({e3},a)))",
        "shapeV(u)",
        "let x = take({n},reshape({e3},w)) in let y = drop({m},x) in (shape(y),shape(x))",
        "let x = cat(reshape({e3},w),reshape({e3},u)) in shape(x)",
        "let x = zipWith(addi,reshape({e3},w),reshape({d3},u)) in shape(x)",
        "let x = outer(addi,reshape({e},w),reshape({d},u)) in shape(x)",
        "let x = inner(addi,0,muli,reshape({e3},w),reshape({d3},u)) in shape(x)",
        "let x = reduce(addi,0,reshape({e3},w)) in shape(cons(x,reshape({e3},w)))",
        "let x = snoc(reshape({e3},w),reduce(addi,0,reshape({e3},w))) in shape(x)",
        "let x = ravel(reshape({e},a)) in shape(x)",
        "shape(if lti(s,{n}) then reshape({e3},a) else reshape({e3},w))",
        "let x = update(copy(reshape([2,3],a)),(1,2),s) in shape(x)",
        "let x = takes([{n},{m}],reshape({e3},w)) in shape(drops([{m}],x))",
        "shape(reshape([{k},s,2],a))",
    ],
    shapes.shape_of_same_shape: [
        "shape(each(negi,a))",
        "let x = rotate({n},each(fn i:int => addi(i,s),a)) in shape(x)",
        "let x = zipWith(addi,each(negi,a),reverse(a)) in shape(x)",
        "let x = each(fn i:int => pick(i,[1]),a) in shape(reverse(x))",
    ],
    shapes.shape_of_reshaped: ["let e = ofLength(2,w) in let x = reshape(e,a) in shape(x)"],
    shapes.shape_of_transposed: [
        "shape(transp(a))",
        "shape(transp(each(fn i:int => pick(i,w),a)))",
        "let x = transp(a) in shape(x)",
    ],
    shapes.know_length: [
        "drop({n},u)",
        "take({n},w)",
        "rotate(s,u)",
        "reverse(u)",
        "cat(u,z)",
        "cons(s,u)",
        "snoc(u,s)",
        "iota({n})",
        "shape(u)",
        "cat(w,u)",
    ],
    shapes.reshape_to_vector: ["reshape([{n}],a)", "reshape([s],a)", "reshape([firstV(shapeV(u))],a)"],
    shapes.of_known_length: ["ofLength({l},u)", "ofLength(firstV(shapeV(u)),u)", "ofLength({k},w)"],
    shapes.literal_axes: [
        "let x = {e} in reshape(x,a)",
        "let x = {p3} in transp2(x,reshape({e3},a))",
        "let x = [{n},{m}] in (takes(x,reshape({e3},a)),drops(x,reshape({e3},a)))",
    ],
    shapes.reshape_to_own_shape: [
        "reshape(shape(a),a)",
        "let e = shape(a) in let x = each(negi,a) in reshape(e,x)",
        "reshape({e},reshape({e},a))",
        "reshape(shape(b),a)",
        "reshape([{l}],u)",
    ],
    shapes.first_of_joined: [
        "firstV(consV(s,u))",
        "first(cons(s,w))",
        "firstV([s,{n},{m}])",
        "firstV([s,pick({n},w)])",
        "let x = consV(s,u) in firstV(x)",
        "let x = consV(addi(s,1),u) in firstV(x)",
        "first(cons(w,reshape([{l},2],w)))",
    ],
    shapes.first_of_rearranged: [
        "first(ravel(a))",
        "first(transp(a))",
        "first(reshape({e},a))",
        "first(reshape([{k}],a))",
        "first(reshapeV({k},a))",
        "first(transp2({p3},reshape({e3},a)))",
        "first(reshape([],a))",
        "first(transp2([1,1,1],reshape({e3},a)))",
    ],
    shapes.alike_of_same_extents: [
        "alike({v},w)",
        "alike(reshape({e3},a),reshape({d3},b))",
        "alike(each(negi,a),reverse(a))",
        "alike(u,reshape([{l}],a))",
        "alike(u,reshape([{l}],each(fn i:int => pick(i,u),w)))",
        "alike(each(fn i:int => pick(i,u),w),w)",
    ],
    shapes.part_of_complex: [
        "realz(complexd(2.5,{x}))",
        "imagz(complexd(divd(1.0,{x}),2.5))",
        "let z = complexd({x},1.5) in (realz(z),imagz(z))",
        "let x = divd(1.0,{x}) in let z = complexd(x,1.5) in addd(realz(z),imagz(z))",
        "each(fn i:int => let z = complexd(i2d(i),divd(1.0,i2d(i))) in realz(z),w)",
    ],
    shapes.pick_of_known: ["pick({n},[s,1,{m}])", "pick(1,[s,pick({n},w)])", "let x = [s,5] in pick({k},x)"],
    rearrange.transpose_twice: ["transp(transp(a))", "transp(u)", "transp(s)", "transp(transp(transp(a)))"],
    rearrange.transpose_permuted: ["transp(transp2({p3},reshape({e3},a)))"],
    rearrange.permute_twice: [
        "transp2({p3},transp2({q3},reshape({e3},a)))",
        "transp2({p3},transp(reshape({e3},a)))",
        "transp2({p3},transp2([1,1,2],reshape({e3},a)))",
    ],
    rearrange.permute_plainly: [
        "transp2([1,2,3],reshape({e3},a))",
        "transp2([3,2,1],reshape({e3},a))",
        "transp2([1],w)",
        "transp2([],s)",
    ],
    rearrange.reverse_twice: [
        "reverse(reverse(a))",
        "reverseV(reverseV(u))",
        "reverse(s)",
        "reverse(reverseV(u))",
    ],
    rearrange.rotate_twice: [
        "rotate({n},rotate({m},a))",
        "rotateV({n},rotateV({m},u))",
        "rotate(0,a)",
        "rotate({n},s)",
        "rotate(9223372036854775807,rotate({m},a))",
        "rotate({n},rotateV({m},u))",
    ],
    rearrange.drop_twice: [
        "drop({n},drop({m},reshape({e3},a)))",
        "dropV({n},dropV({m},u))",
        "drop(0,w)",
        "dropV(0,u)",
        "drop({n},dropV({m},u))",
    ],
    rearrange.take_all: ["takeV({l},u)", "take({n},reshape({e3},a))", "take({k},u)"],
    rearrange.ravel_of_ravelled: ["ravel(ravel(a))", "ravel(u)", "ravel(reshape({e3},reshape({d3},a)))"],
    rearrange.reshape_twice: [
        "reshape({e},reshape({d},a))",
        "reshape({e},ravel(a))",
        "reshapeV({k},reshape({d},a))",
        "reshape([s],ravel(a))",
    ],
}  # fmt: skip

TRUTH_VALUES = {
    "replicate": [
        "replicate({m01},w)",
        "replicate(reshape([{l}],{m01}),w)",
        "replicate(reverse(take({l},{m01})),w)",
        "let m = {m01} in replicate(rotate({n},m),u)",
        "replicate(cons(1,drop({k},{m01})),reshape([2,{l}],a))",
        "replicate(cat({m01},[{k}]),w)",
    ],
    "where": ["where({m01})", "where(snoc(reshape([{k}],{m01}),0))", "where([{k},1])"],
    "gcdi": [
        "reduce(gcdi,0,take({n},{m01}))",
        "let m = {m01} in zipWith(gcdi,m,reverse(m))",
        "zipWith(gcdi,u,take({l},{m01}))",
        "inner(gcdi,0,lcmi,outer(lcmi,{m01},{m01}),{m01})",
        "let m = {m01} in scan(lcmi,cat(m,[{k}]))",
    ],
}
"""What takes zeros and ones, by what is left of it where they are other numbers."""

CLOSED = [
    "each(fn i:int => addi(muli(i,{n}),1),iotaV({k}))",
    "zipWith(subi,{v},{v})",
    "zipWith(divd,[1.0],[0.0])",
    "let x = {v} in let y = catV(x,iotaV({k})) in rotateV({n},y)",
    "dropV({n},{v})",
    "takeV({n},{v})",
    "take({n},{v})",
    "reduce(muli,1,{v})",
    "reduce(subi,0,{v})",
    "reduce1(mini,dropV({n},{v}))",
    "scan(addi,{v})",
    "gradeUp({v})",
    "outer(muli,{v},{v})",
    "let x = outer(addi,{v},{v}) in each(negi,transp(x))",
    "gradeDown({v})",
    "index(({v},),{v})",
    "index((2,),{v})",
    "indexOf({v},{v})",
    "member({v},iotaV({k}))",
    "compress([tt,ff,tt],[1,2,{n}])",
    "unique({v})",
    "pick({n},{v})",
    "first({v})",
    "firstV(consV('a',['b']))",
    "catV(['a','b'],['c'])",
    "single([{n}])",
    "ofLength(3,[{n}])",
    "ofLength(2,{v})",
    "match({v},{v})",
    "decode([{n}],{v})",
    "transp2([2],{v})",
    "snocV({v},{n})",
    "first([1.5,2.5])",
    "firstV([inf,1.0])",
    "cat(take({n},{v}),drop({m},{v}))",
    "each(d2i,[0.5,1.0])",
    "reshape([{n}],{v})",
    "takeV({k},[1.0,2.0])",
]

BY_TYPE = [
    "firstV(shapeV(u))",
    "shapeV(u)",
    "let x = {n} in addi(x,x)",
    "let x = print({n}) in addi(x,1)",
    "let x = 2.5 in addd(x,x)",
    "firstV([{n}])",
    "let x = [{n}] in (x,firstV(x))",
    "firstV(shapeV(ofLength({k},w)))",
    "print({n})",
]


@st.composite
def instances(draw: st.DrawFn, template: str) -> tuple[Term, tuple[np.ndarray[Any, Any], ...]]:
    """A template with numbers for its letters, and inputs."""
    extent = st.sampled_from((2, 1, 3, 0))

    def literal(values: list[int]) -> str:
        return f"[{','.join(map(str, values))}]"

    shape = draw(st.lists(extent, max_size=3))
    again = shape if draw(st.booleans()) else [draw(extent) for _ in shape]
    length = draw(st.integers(0, 4))
    three = st.lists(extent, min_size=3, max_size=3)
    e3 = draw(three)
    letters = {
        "r": len(shape),
        "l": length,
        "n": draw(st.integers(-4, 4)),
        "m": draw(st.integers(-4, 4)),
        "k": draw(st.integers(0, 4)),
        "x": float(draw(st.integers(-1, 2))),
        "m01": literal(draw(st.lists(st.integers(0, 1), min_size=1, max_size=4))),
        "v": literal(draw(st.lists(st.integers(-3, 3), min_size=1, max_size=4))),
        "e": literal(draw(st.lists(extent, max_size=3))),
        "d": literal(draw(st.lists(extent, max_size=3))),
        "e3": literal(e3),
        "d3": literal(e3 if draw(st.booleans()) else draw(three)),
        "p3": literal(draw(st.permutations([1, 2, 3]))),
        "q3": literal(draw(st.permutations([1, 2, 3]))),
    }

    def numbers(*extents: int) -> np.ndarray[Any, Any]:
        count = int(np.prod(extents, dtype=int))
        values = draw(st.lists(st.integers(-3, 5), min_size=count, max_size=count))
        return np.array(values, dtype=np.int64).reshape(extents)

    inputs = numbers(*shape), numbers(*again), numbers(), numbers(length), numbers(length), numbers(1)
    return parse((PROGRAM + template).format(**letters)), inputs


def prove(rewrite: Callable[[Term], Term], template: str) -> bool:
    """Both sides have one value, or both fail; and the type is kept. Whether anything was ever rewritten."""
    applied = []

    @settings(max_examples=40, deadline=None)
    @given(instances(template))
    def both_sides(instance: tuple[Term, tuple[np.ndarray[Any, Any], ...]]) -> None:
        term, inputs = instance
        after = rewrite(term)
        check(after)
        shown = f"{print_term(term)}\n  became\n{print_term(after)}"
        assert is_subtype(result_type(after), result_type(term)), shown
        assert same(outcome(term, inputs), outcome(after, inputs)), shown
        applied.append(after != term)

    both_sides()
    return any(applied)


def test_every_rule_is_proved() -> None:
    rules = {rule for table in (SHAPES, REARRANGE) for listed in table.values() for rule in listed}
    assert rules == set(PROOFS)


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("rule", PROOFS, ids=lambda rule: rule.__name__)
def test_proof(rule: Rule) -> None:
    assert any([prove(with_rule(alone(rule)), template) for template in PROOFS[rule]])


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("templates", TRUTH_VALUES.values(), ids=TRUTH_VALUES)
def test_proof_of_truth_values(templates: list[str]) -> None:
    assert any([prove(with_truth_values, template) for template in templates])


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("template", CLOSED)
def test_proof_of_fold_closed(template: str) -> None:
    prove(with_rule(fold_closed), template)


@pytest.mark.parametrize("template", BY_TYPE)
def test_proof_of_value_of_type(template: str) -> None:
    prove(with_rule(value_of_type), template)


@pytest.mark.in_turn(6)
@pytest.mark.parametrize(
    "template", [t for all_of in (*PROOFS.values(), *TRUTH_VALUES.values(), CLOSED, BY_TYPE) for t in all_of]
)
def test_proof_of_all_together(template: str) -> None:
    everything = (fold_constants, rearrange.rearrange, with_truth_values, move_invariants, share_common)

    @settings(max_examples=15, deadline=None)
    @given(instances(template))
    def both_sides(instance: tuple[Term, tuple[np.ndarray[Any, Any], ...]]) -> None:
        term, inputs = instance
        after = term
        for rewrite in everything:
            after = rewrite(after)
            check(after)
        shown = f"{print_term(term)}\n  became\n{print_term(after)}"
        assert same(outcome(term, inputs), outcome(after, inputs)), shown

    both_sides()


# --- examples: constants and shapes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("rotateV(firstV([1]),dropV(-1,iotaV(3)))", "[2,1]"),
        (
            "let v = iotaV(3) in catV(rotateV(1,dropV(-1,v)),takeV(-1,v))",
            "let v:<int>3 = iotaV(3) in [2,1,3]",
        ),
        ("drop(firstV(each(negi,[2])),rotateV(2,iotaV(3)))", "[3]"),
        ("reduce(muli,1,[2,3,4])", "24"),
        ("index(([2,1],),['a','b'])", '"ba"'),
        ("gradeUp([3,1,2])", "[2,3,1]"),
        ("iota(3)", "iotaV(3)"),
        ("reduce(addi,0,iota(5))", "15"),
        ("outer(muli,[1,2],[3,4,5])", "reshape([2,3],[3,4,5,6,8,10])"),
        ("each(negi,transp(outer(addi,[1,2],[3])))", "reshape([1,2],[-4,-5])"),
        ("zipWith(muli,reshape([2,1],[1,2]),reshape([2,1],[3,4]))", "reshape([2,1],[3,8])"),
        ("each(fn i:int => gti(i,1),[1,2])", "[ff,tt]"),
        ("fn a:[int]2 => shape(reshape([3,2],a))", "fn a:[int]2 => [3,2]"),
        ("fn v:<int>3 => shapeV(v)", "fn v:<int>3 => [3]"),
        ("fn v:<int>3 => firstV(shape(v))", "fn v:<int>3 => 3"),
        ("fn v:<int>3 => drop(1,v)", "fn v:<int>3 => dropV(1,v)"),
        ("fn v:<int>3, w:<int>2 => cat(v,w)", "fn v:<int>3, w:<int>2 => catV(v,w)"),
        ("fn v:<int>3 => ofLength(3,v)", "fn v:<int>3 => v"),
        ("fn a:[int]2 => reshape(shape(a),a)", "fn a:[int]2 => a"),
        ("fn a:[int]2 => shape(each(negi,a))", "fn a:[int]2 => shape(a)"),
        (
            "fn a:[int]2 => let b = each(d2i,each(i2d,a)) in let c = reverse(b) in shape(c)",
            "fn a:[int]2 => let b:[int]2 = each(d2i,each(i2d,a)) in let c:[int]2 = reverse(b) in shape(a)",
        ),
        ("fn a:int, v:<int>3 => firstV(consV(a,v))", "fn a:[int]0, v:<int>3 => a"),
        ("if lti(1,2) then 5 else 6", "5"),
    ],
)  # fmt: skip
def test_fold_constants(before: str, after: str) -> None:
    assert_becomes(fold_constants, before, after)


@pytest.mark.parametrize(
    "text",
    [
        "pick(3,[1,2])",  # the error comes when the program runs
        "ofLength(3,[1,2])",
        "zipWith(divd,[1.0],[0.0])",
        "iotaV(17)",
        "reduce(addi,0,iotaV(17))",
        "zipWith(addd,[1.0,2.0],[3.0,4.0])",  # data
        "subd(inf,inf)",
        "copy([1,2])",
        "update(copy([1,2]),(1,),5)",
        "firstV([1,print(2)])",
        "reshape([2,2],[1,2,3,4])",
        "outer(muli,iotaV(2),[1,2])",
        "outer(muld,[1.0,2.0],[1.0,2.0])",
        "outer(muli,[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9])",
        "outer(muli,[9223372036854775807],[2,1])",  # it may be an error that it wraps
        "roll([1,1])",
        "fn v:[int]1 => shape(each(fn i:int => pick(i,[1]),v))",  # the error would be lost
        "fn v:[int]1 => shape(reshape([-1,2],v))",
        "fn v:<int>3 => ofLength(4,v)",
        "fn a:[int]2, b:[int]2 => reshape(shape(b),a)",
    ],
)
def test_fold_constants_does_not_apply(text: str) -> None:
    assert_unchanged(fold_constants, text)


def test_small_is_what_the_documentation_says() -> None:
    assert SMALL == 16
