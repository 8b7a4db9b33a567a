"""The thesis' own programs: what they elaborate to, and what the optimiser makes of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aplc
from aplc.compiler import optimise, to_tail
from aplc.options import Options
from aplc.tail.errors import RunError
from aplc.tail.optimise.inlining import inline_bindings
from aplc.tail.source import Source
from aplc.tail.syntax import Term
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import Array, Base, array

DOT = """
dot ← {
  WA ← (1↓⍴⍵),⍴⍺
  KA ← (⍴⍴⍺)-1
  VA ← ⍳⍴WA
  ZA ← (KA⌽¯1↓VA),¯1↑VA
  TA ← ZA⍉WA⍴⍺
  WB ← (¯1↓⍴⍺),⍴⍵
  KB ← ⍴⍴⍺
  VB ← ⍳⍴WB
  ZB0 ← (-KB)↓KB⌽⍳⍴VB
  ZB ← (¯1↓(⍳KB)),ZB0,KB
  TB ← ZB⍉WB⍴⍵
  ⍺⍺/TA ⍵⍵ TB
}
A ← 3 2⍴⍳5
B ← ⍉A
R ← A +dot× B
R2 ← ×/+/R
R2
"""
"""Figure 3.5."""

DOT_OPTIMISED = """
let v1:[int]2 = reshape([3,2],iotaV(5)) in
let v2:[int]2 = transp(v1) in
let v9:[int]3 = transp2([2,1,3],reshape([3,3,2],v1)) in
let v15:[int]3 = transp2([1,3,2],reshape([3,2,3],v2)) in
let v20:[int]2 = reduce(addi,0,zipWith(muli,v9,v15)) in
let v25:[int]0 = reduce(muli,1,reduce(addi,0,v20)) in
v25
"""
"""Figure 3.7, without the coercion of the result to a double."""

SIGNAL = """
diff   ← {1↓⍵-¯1⌽⍵}
signal ← {¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵}
+/ signal v
"""
"""Figure 3.1, applied to a signal from outside."""

SIGNAL_OPTIMISED = """
fn v:[double]1 =>
  let v1:[double]1 = cons(0.0,v) in
  reduce(addd,0.0,
    each(fn v2:[double]0 => maxd(-50.0,mind(50.0,muld(50.0,v2))),
      zipWith(divd,
        drop(1,zipWith(subd,v1,rotate(-1,v1))),
        each(fn v0:[double]0 => addd(0.01,v0),v))))
"""


def optimised(text: str, **inputs: Array) -> str:
    term = optimise(to_tail([Source("figure.apl", text)], inputs).term, Options(verify=True))
    return renamed(term)


def parsed(text: str) -> Term:
    return parse_term(Source("figure.tail", text))


def renamed(term: Term) -> str:
    """The text of a term, with its variables numbered as they come."""
    names: dict[str, str] = {}
    words = []
    for word in print_term(term).replace("(", " ( ").replace(",", " , ").replace(")", " ) ").split():
        name, colon, rest = word.partition(":")
        if name[:1] == "v" and name[1:].isdigit():
            name = names.setdefault(name, f"x{len(names)}")
        words.append(name + colon + rest)
    return " ".join(words)


def test_dot_becomes_figure_3_7() -> None:
    """Up to inlining: here what is used once has no name."""
    assert optimised(DOT) == renamed(inline_bindings(parsed(DOT_OPTIMISED)))


def test_dot_is_shown_as_in_figure_3_7() -> None:
    """With a name for all that the figure names, the bindings are the figure's."""
    shown = optimise(
        to_tail([Source("dot.apl", DOT)], {}).term, Options(passes=("fold-constants", "drop-dead-bindings"))
    )
    assert renamed(shown) == renamed(parsed(DOT_OPTIMISED))


def test_signal_is_as_on_the_tour() -> None:
    assert optimised(SIGNAL, v=array(Base.DOUBLE, 1)) == renamed(parsed(SIGNAL_OPTIMISED))


@pytest.mark.parametrize("text", [DOT, SIGNAL], ids=["dot", "signal"])
def test_optimising_again_changes_nothing(text: str) -> None:
    term = to_tail(
        [Source("figure.apl", text)], {"v": array(Base.DOUBLE, 1)} if "signal" in text else {}
    ).term
    once = optimise(term, Options())
    assert renamed(optimise(once, Options())) == renamed(once)


CHANGES = st.lists(st.tuples(st.integers(0, 5), st.integers(-9, 9)), max_size=6)


@settings(deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=4, max_size=4), CHANGES, st.booleans())
def test_the_store_keeps_every_other_name(
    values: list[int], changes: list[tuple[int, int]], again: bool
) -> None:
    """Section 3.1.5: a change is seen through the name assigned and no other; outside it is an error."""
    shown = [" ".join(map(str, row)).replace("-", "¯") for row in zip(*changes, strict=True)] or ["⍬", "⍬"]
    text = [f"x←{' '.join(map(str, values))}".replace("-", "¯"), "before←x"]
    text += [f"x[{i}]←{v}".replace("-", "¯") for i, v in changes]
    if again:
        text += [f"y←before ⋄ y[({shown[0]})]←{shown[1]}"]
    text += ["(before)(x)"]
    expected, outside = list(values), any(not 1 <= i <= 4 for i, _ in changes)
    for i, v in changes:
        if not outside:
            expected[i - 1] = v
    try:
        before, after = aplc.run("\n".join(text), target="interp")
    except RunError as error:
        assert outside and error.diagnostics[0].kind == "INDEX ERROR"
        return
    assert not outside and before.tolist() == values and after.tolist() == expected
