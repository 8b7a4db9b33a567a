"""What rows share: what gets an array of its own, and that values are those of the interpreter."""

import numpy as np
import pytest

from aplc import fn
from aplc.calling.functions import Function
from aplc.compiler import optimise, to_laila, to_tail
from aplc.inputs import as_input
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.text_print import print_program
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.laila.text import laila
from tests.support.machine import needs_device

RNG = np.random.default_rng(5)
LARGE = ((300, 301), (1201, 57), (17, 503), (40, 40))
"""What the interpreter takes long for is compared with C that is not optimised."""
SMALL = ((5, 3), (3, 5), (2, 2), (1, 1), (1, 9), (9, 1), (0, 7), (7, 0))
SOBEL = "x←{+/,⍵×3 3⍴¯1 0 1 ¯2 0 2 ¯1 0 1}⌺3 3⊢⍵ ⋄ y←{+/,⍵×3 3⍴¯1 ¯2 ¯1 0 0 0 1 2 1}⌺3 3⊢⍵"
PADDED = "m←(⊣⌿⍵)⍪⍵⍪⊢⌿⍵ ⋄ p←(⊣/m),m,⊢/m"
IN_ROWS = "r←(0 ¯2↓p)+(0 1↓0 ¯1↓p)+0 2↓p ⋄ (¯2↓r)+(1↓¯1↓r)+2↓r"
STENCILS = {
    "sums": "{{+/,⍵}⌺3 3⊢⍵}",
    "wide sums": "{{+/,⍵}⌺5 5⊢⍵}",
    "high sums": "{{+/,⍵}⌺5 1⊢⍵}",
    "extrema": "{({⌈/,⍵}⌺3 3⊢⍵)-{⌊/,⍵}⌺5 5⊢⍵}",
    "separable": f"{{{SOBEL} ⋄ (|x)+|y}}",
    "binomial": "{k←1 4 6 4 1 ⋄ {+/,⍵×5 5⍴1 4 6 4 1 4 16 24 16 4 6 24 36 24 6 4 16 24 16 4 1 4 6 4 1}⌺5 5⊢⍵}",
    "product": "{w←1 4 6 4 1∘.×1 4 6 4 1 ⋄ {+/,w×⍵}⌺5 5⊢⍵}",
    "no multiples": "{{+/,⍵×3 3⍴1 2 3 4 5 6 7 8 10}⌺3 3⊢⍵}",
    "rounds": "{({0.1×{+/,⍵}⌺3 3⊢⍵}⍣3)⍵}",
    "rows by hand": "{r←{⍵+(1⌽⍵)+¯1⌽⍵} ⋄ (r 1⊖⍵)+(r ⍵)+r ¯1⊖⍵}",
    "in steps": "{{+/,⍵}⌺(2 2⍴3 3 2 2)⊢⍵}",
}
TORI = {
    "torus": "{⊃+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵}",
    "torus of five": "{⊃+/,¯2 ¯1 0 1 2∘.⊖¯3 0 1∘.⌽⊂⍵}",
    "torus with weights": "{⊃+/,(3 3⍴1 2 1 ¯3 ¯6 ¯3 1 2 1)×¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵}",
    "torus of one side": "{⊃+/,0 1 2∘.⊖0 1 2∘.⌽⊂⍵}",
    "life": "{(({↑1 ⍵∨.∧3 4=+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵}⍣3)⍵>0)}",
}
BORDERS = {
    "zeros around": "{p←0,(0⍪⍵⍪0),0 ⋄ (¯2 ¯1↓0 1↓p)+(2 1↓0 ¯1↓p)+(1 0↓¯1 ¯2↓p)+1 2↓¯1 0↓p}",
    "borders again": f"{{{PADDED} ⋄ {IN_ROWS}}}",
    "borders again in rounds": f"{{({{{PADDED} ⋄ {IN_ROWS}}}⍣3)⍵}}",
}


def data(kind: str, shape: tuple[int, int]) -> np.ndarray:
    if kind == "bool":
        return RNG.integers(0, 2, shape).astype(bool)
    if kind == "bytes":
        return RNG.integers(0, 256, shape).astype(np.uint8)
    whole = RNG.integers(-99, 100, shape)
    return whole if kind == "int" else whole / 8


def check(text: str, kind: str, target: str, *, strict_fp: bool = False) -> None:
    source = [Source("stencil", text)]
    compiled = Function(source, None, Options(target, verify=True, settings=Settings(strict_fp=strict_fp)))
    meaning, plain = [Function(source, None, Options(*given)) for given in (("interp",), ("c", 0))]
    for shape in LARGE + SMALL:
        if "⊣" in text and 0 in shape:
            continue
        given = data(kind, shape)
        found, expected = compiled(given), (meaning if shape in SMALL else plain)(given)
        assert found.shape == expected.shape
        assert np.allclose(found, expected, rtol=1e-13, atol=1e-12), shape


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("kind", ("bool", "bytes", "int", "double"))
@pytest.mark.parametrize("name", [*STENCILS, *BORDERS, *TORI])
def test_values(name: str, kind: str) -> None:
    check((STENCILS | BORDERS | TORI)[name], kind, "c")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("separable", "bytes"), ("rounds", "double"), ("borders again in rounds", "int"), ("life", "bool")],
)
def test_values_in_threads(name: str, kind: str) -> None:
    check((STENCILS | BORDERS | TORI)[name], kind, "openmp")


@needs_device
@pytest.mark.parametrize(("name", "kind"), [("separable", "bytes"), ("borders again", "double")])
def test_values_in_kernels(name: str, kind: str) -> None:
    check((STENCILS | BORDERS | TORI)[name], kind, "opencl")


def test_values_in_order() -> None:
    check(STENCILS["wide sums"], "double", "c", strict_fp=True)


@pytest.mark.parametrize(
    ("function", "arrays"),
    [
        ("{{+/,⍵}⌺3 3⊢⍵}", 1),
        ("{{⌈/,⍵}⌺5 5⊢⍵}", 1),
        ("{w←1 2 1∘.×1 2 1 ⋄ {+/,w×⍵}⌺3 3⊢⍵}", 1),
        (f"{{{SOBEL} ⋄ x+y}}", 0),
        ("{{+/,⍵×3 3⍴1 2 3 4 5 6 7 8 10}⌺3 3⊢⍵}", 0),
        ("{⍵+(1⌽⍵)+(¯1⌽⍵)+(1⊖⍵)+¯1⊖⍵}", 0),
        ("{(⍵+1⌽⍵)+1⊖⍵+1⌽⍵}", 0),
        (TORI["torus"], 1),
        (TORI["torus of five"], 1),
        (TORI["torus with weights"], 1),
        (TORI["torus of one side"], 1),
    ],
)
def test_what_rows_share(function: str, arrays: int) -> None:
    text = laila(f"s←{function}300 301⍴7|⍳97\n⎕←+/,s\n⎕←2 2↑s")
    assert text.count("alloc rows") == arrays


def test_only_what_every_row_computes_is_shared() -> None:
    """The first row has none above it, the last one none below: no array may have these."""
    given = as_input(np.ones((3, 4)))
    source = [Source("stencil", "(¯1↓0⍪⍟1+m×m)+1↓(⍟1+m×m)⍪0")]
    term = optimise(to_tail(source, {"m": given.type}, value_of_assignment=True).term, Options())
    text = print_program(to_laila(term, {"m": given.storage}, Options())[0])
    assert "MAP" in text and "alloc rows" not in text


def test_an_array_that_changes_and_that_nobody_reads_stays() -> None:
    """What changes its elements does not read them where they come from."""
    given = {"m": as_input(np.ones((4, 3))), "i": as_input(np.array([1, 2]))}
    source = [Source("stencil", "m←0⍪m\nm[1+2|i;1+3|i]←1 2⍴1 ¯1 0\n1")]
    types = {name: each.type for name, each in given.items()}
    term = optimise(to_tail(source, types, value_of_assignment=True).term, Options())
    to_laila(term, {name: each.storage for name, each in given.items()}, Options(verify=True))


@pytest.mark.parametrize("update", ["b[;3 1]←b[;1 3]", "b[;⌽⍳≢⍉b]←b", "b[2 1;]←b[1 2;]", "b[;1 2]←b[;2 2]"])
def test_an_array_is_not_read_while_it_is_changed(update: str) -> None:
    text = f"{{b←⍵ ⋄ b[2;]←b[1;] ⋄ {update} ⋄ b}}"
    for given in (np.arange(9.0).reshape(3, 3), np.arange(16).reshape(4, 4)):
        wanted = fn(text, target="interp")(given)
        for target in ("c", "openmp"):
            assert np.array_equal(fn(text, target=target)(given), wanted), target


def test_a_border_that_rows_alone_read_is_not_written() -> None:
    text = laila(f"s←{BORDERS['borders again']}300 301⍴7|⍳97\n⎕←+/,s\n⎕←2 2↑s")
    assert f"[{302 * 303}]" not in text


@pytest.mark.parametrize("function", ("⊣/", "⊢/", "⊣⌿", "⊢⌿"))
def test_a_reduction_that_keeps_one_element_is_a_read(function: str) -> None:
    assert "REDUCE" not in laila(f"m←30 20⍴(⍳7)*2\n⎕←{function}m")


@pytest.mark.parametrize(
    "text", ["⌈⌿4 1 2⍴¯4 ¯11 8.5+⊃⍵", "2⌈⌿4 2⍴¯4 ¯11 8.5+⊃⍵", "+⌿3 2 3⍴(⍳7)×⊃⍵", "3+⌿5 3⍴(⍳8)×⊃⍵"]
)
def test_what_holds_for_few_rows_is_not_shared_by_more(text: str) -> None:
    """In the first row `3|j` is j, and in those below it is not."""
    given = np.array([1.0])
    assert np.array_equal(fn(f"{{{text}}}")(given), fn(f"{{{text}}}", target="interp")(given))
