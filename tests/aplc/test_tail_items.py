"""Arrays of arrays in TAIL that somebody wrote: parts that do not fit are errors, not foreign memory."""

import pytest

from aplc.compiler import compile_program
from aplc.options import Options
from aplc.tail.errors import AplcError
from aplc.tail.source import Source
from tests.support.machine import TARGETS

WRONG = (
    'slice(5,3,"abc")',
    'let n = addi(2,0) in slice(n,2,"abc")',
    'let n = negi(addi(5,0)) in slice(n,3,"abc")',
    'let n = negi(addi(5,0)) in slice(0,n,"abc")',
    'mix([0],nest([100000000],[5],"abc"))',
    'mix([0],nest([0,2],[2,2],"abc"))',
    'mix([0,0],nest([0],[2],[3],"abc"))',
    'nest([1000],[5],"abc")',
    'nest([0],[-5],"abc")',
    'nest([-1],[1],"abc")',
    "zipWith(fn s:[int]0, k:[int]0 => reduce(addi,0,slice(s,k,[1,2,3])), [0,2], [2,2])",
)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("text", WRONG)
def test_parts_that_do_not_fit(text: str, level: int, target: str) -> None:
    program = compile_program([Source("a.tail", f"print({text})")], {}, {}, Options(target, level))
    with pytest.raises(AplcError, match="INDEX ERROR"):
        program.run([], lambda *_: None)
