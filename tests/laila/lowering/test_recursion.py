"""Functions that call themselves: one function of the program for each that is written, if no place where it
is called tells more about it than another.
"""

import pytest

import aplc
from aplc.calling.options import TargetName
from aplc.compiler import optimise, to_laila, to_tail
from aplc.options import Options
from aplc.tail.errors import RunError
from aplc.tail.source import Source
from tests.support.machine import needs_c, needs_threads

THINGS = "f←{⍵≤1:⍬ ⋄ (∇⌊⍵÷2),⍵,∇⌊⍵÷3} ⋄ g←{n←⍺ ⋄ {⍵≤1:⍬ ⋄ (∇⌊⍵÷2),n,∇⌊⍵÷3}⍵} ⋄ "
EACH_TARGET = ["interp", pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


@pytest.mark.parametrize(
    ("text", "functions", "value"),
    [
        ("(f 5)(f 3)", 1, ([2, 5], [3])),
        ("k←⎕←1 2 ⋄ j←⎕←3 4 ⋄ ((⌽k)g 4)((⌽j)g 4)", 1, ([2, 1, 2, 1], [4, 3, 4, 3])),
        ("(7 g 4)(8 g 4)", 2, ([7, 7], [8, 8])),  # a constant is no argument
        ("((⍳2)g 2)((⍳3)g 2)", 2, ([1, 2], [1, 2, 3])),  # and no length is
        ("h←{⍵≤1:⍬ ⋄ (∇⌊⍵÷2),⍵,∇⌊⍵÷3} ⋄ (f 2)(h 2)", 2, ([2], [2])),  # errors tell where they come from
        ("a←{q←⍵ ⋄ q≤0:⍬ ⋄ (∇q-1),{⍵≤0:,q ⋄ (∇⍵-1),∇⍵-2}1} ⋄ (a 2)(a 1)", 2, ([1, 1, 2, 2], [1, 1])),
    ],
)
@needs_c
def test_functions_of_the_program(text: str, functions: int, value: tuple[list[int], ...]) -> None:
    options = Options()
    term = optimise(to_tail([Source("text", THINGS + text)], {}).term, options)
    program, _ = to_laila(term, {}, options)
    assert len(program.functions) == functions
    for target in ("interp", "c"):
        found = aplc.run(THINGS + text, target=target)
        assert [each.tolist() for each in found] == list(value)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("target", EACH_TARGET)
@pytest.mark.parametrize("text", ["(f 5)(f 999999999)", "(f 999999999)(f 5)"])
def test_each_call_tells_that_it_is_too_deep(text: str, target: str) -> None:
    with pytest.raises(RunError, match="recursion is too deep") as raised:
        aplc.run("f←{⍵=0:⍬ ⋄ (∇⍵-1),⍵,∇0}\n" + text, target=target)
    assert f"text:2:{text.index('f 999999999') + 1}: LIMIT ERROR" in str(raised.value)


@pytest.mark.parametrize("target", EACH_TARGET)
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("≢⍺⍴1", 4),  # the rank of what a parameter shapes is the length that its type tells
        ("+/,⍺↑3 3⍴1", 8),
        ("≢⍴(1,⍺)⍴1", 6),
    ],
)
def test_lengths_of_parameters(body: str, expected: int, target: TargetName) -> None:
    text = f"{{f←{{⍵≤0:0 ⋄ r←⍺∇⍵-1 ⋄ r+{body}}} ⋄ (2+0×⍵,⍵)f 2}}"
    assert aplc.fn(text, target=target)(7) == expected
