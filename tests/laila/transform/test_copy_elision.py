"""Copies that are moves."""

import numpy as np
import pytest

from aplc import run
from aplc.compiler import optimise, to_laila, to_tail
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.compiling import compiled
from tests.support.machine import needs_c


@needs_c
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(
    "text",
    [
        "↑,¨3{⍺≤0:⍵ ⋄ (s t u)←⍵ ⋄ (⍺-1)∇(¯1 0↓s)s t}(4 1⍴v)(2 2⍴0)0",
        "∊3{⍺≤0:⍵ ⋄ (s t)←⍵ ⋄ 2|⍺:(⍺-1)∇(1↓s)s ⋄ (⍺-1)∇ t (t,s)}v(0⍴0)",
        "a←v×2 ⋄ b←a ⋄ b[1]←a[1]+1 ⋄ c←+/a ⋄ b,c",
    ],
)
def test_memory_that_goes_elsewhere_is_not_freed(text: str, level: int) -> None:
    """What a round hands to the next one lives on, though nothing reads it any more."""
    v = np.array([5, 6, 7, 8])
    program, given = compiled(text, Options("c", level, verify=True), v=v)
    (made,) = program.run(given, lambda *_: None)
    assert np.array_equal(np.asarray(made), np.asarray(run(text, target="interp", v=v)))


@needs_c
@pytest.mark.parametrize("text", ["s←v{+/⍵}⌸v ⋄ t←s[1+3|s] ⋄ s t", "s←v{+/⍵}⌸v ⋄ t←s[1+3|s[1+3|s]] ⋄ s t"])
def test_an_element_that_tells_which_one_is_read_is_read_from_the_copy_too(text: str) -> None:
    v = np.array([1, 1, 2, 3])
    for options in (Options("c", 2, verify=True), Options("c", 2)):
        program, given = compiled(text, options, v=v)
        made = program.run(given, lambda *_: None)
        for one, wanted in zip(made, run(text, target="interp", v=v), strict=True):
            assert np.array_equal(np.asarray(one), wanted)


GROWN = """
∇ grow items;k;a;e
k←⍳1
a←0⍴items
:For e :In a
    k[1]←5
    a[1]←⊂(+/¨a),k
:EndFor
⎕←a
∇
grow ⍳¨⍳?3
"""


def test_what_stands_in_front_and_has_no_elements_is_not_read_later() -> None:
    """Where the items of `a` begin goes elsewhere before what was joined is written."""
    options = Options(verify=True)
    to_laila(optimise(to_tail([Source("p.apl", GROWN)], {}).term, options), {}, options)
