"""Elements that are read where data tell: the loops leave at once, and ask for those of later rounds."""

from __future__ import annotations

import re

import numpy as np
import pytest

import aplc
from aplc import fn
from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Buffer, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.prefetching.gathers import AHEAD, FAR, with_gathers_ahead
from aplc.options import Options
from aplc.tail.types import Base
from tests.support.compiling import c_of
from tests.support.machine import needs_c

LARGE = np.arange(FAR // 8 + 2, dtype=float)
"""Longer by two than what is near."""

ASKS = {
    "+/x[i]": 1,
    "x[i]": 1,
    "x[1+n|i×7]": 0,  # a residue is not computed twice
    "(x[i])+y[i]": 2,
    "x[⍋i]": 1,
    "+/x[i[i]]": 1,  # of `i`: where `x` is read depends on what is read there
    "x[n⌊1+i⌽⍨1]": 1,
    "x[1+⌊y]": 1,  # what tolerance makes of it does not matter
    "(x[⌊y])+3×x[1+⌊y]-x[2+⌊y]": 1,  # most often one line of the cache
    "(x[i])-x[i+100]": 1,
    "+/x[⍳n]": 0,  # one behind the other
    "1⌽x": 0,
}


@pytest.mark.parametrize(("text", "arrays"), ASKS.items())
def test_what_is_asked_for(text: str, arrays: int) -> None:
    made = c_of(text, Options(target="c"), x=[0.5], y=[0.5], i=[1], n=1)
    assert len(set(re.findall(r"APLC_AHEAD\((\w+),", made))) == arrays, made


ROWS = {
    "m[i;]": 2,  # both ends of a row
    "m[⍋m[;2];]": 2,
    "(⊂i)⌷m": 2,
    "m[⍋m;]": 2,
    "m[1+⍳n;]": 0,
    "m[;i]": 1,  # element by element
    "⌽m": 0,
}


@pytest.mark.parametrize(("text", "ends"), ROWS.items())
def test_rows_that_are_asked_for(text: str, ends: int) -> None:
    made = c_of(text, Options(target="c"), m=[[0.5]], i=[1], n=1)
    assert made.count("APLC_AHEAD(m,") == ends, made


def test_items_are_no_rows() -> None:
    """Their lengths are found in each round, behind where it would ask."""
    made = c_of("∪⊃,/b⊂y", Options(target="c"), b=[True, False, True], y=[True, True, False])
    assert "APLC_AHEAD(y," not in made


@pytest.mark.parametrize("columns", (1, 2, 3, 16, 17, 40))
def test_values_of_rows(columns: int) -> None:
    m = np.resize(LARGE, (len(LARGE) // columns + 1, columns))
    places = 1 + (np.arange(500) * 7919) % len(m)
    assert np.array_equal(fn("{⍵[⍺;]}", target="c")(places, m), m[places - 1])
    with pytest.raises(aplc.AplcError, match="INDEX ERROR"):
        fn("{⍵[⍺;]}", target="c")(np.append(places, len(m) + 1), m)


@pytest.mark.parametrize("wrong", (np.nan, np.inf, -np.inf, 1e300, 0.5, len(LARGE) + 0.0))
def test_places_that_are_no_places(wrong: float) -> None:
    """They may be asked for, but are not read; the error is that of the first one."""
    between = "{i←⌊⍵ ⋄ (⍺[i]×1-⍵-i)+⍺[i+1]×⍵-i}"
    wanted, found = fn(between, target="interp"), fn(between, target="c")
    places = 1 + (np.arange(300) * 7919.25) % (len(LARGE) - 2)
    np.testing.assert_array_equal(found(LARGE, places), wanted(LARGE, places))
    places[[70, 200]] = wrong
    with pytest.raises(aplc.AplcError) as expected:
        wanted(LARGE, places)
    with pytest.raises(aplc.AplcError) as raised:
        found(LARGE, places)
    assert str(raised.value) == str(expected.value)


def test_what_does_much_stays_in_lanes() -> None:
    """Only where the error is looked for each element is asked for."""
    made = c_of("+/{⍵×⍵+⍵×⍵-⍵×3+⍵×⍵+⍵×⍵-⍵×7}x[⍋i]", Options(target="c"), x=[0.5], i=[1])
    in_lanes, _, _ = made.partition("if (aplc_raised(")
    assert "#pragma omp simd" in in_lanes and "APLC_AHEAD" not in in_lanes


def test_lengths_that_elements_tell() -> None:
    """Their array has no memory any more where elements are asked for."""
    made = fn("{n←({⍵[⍋⍵]}⍵)⍸1 ⋄ x←∪n⍴7 3 2 ⋄ x[⍋x]}").emit("c", "[int]1")
    assert "APLC_AHEAD" not in made


@pytest.mark.parametrize("is_written", [False, True])
def test_places_that_are_being_written_ask_for_nothing(*, is_written: bool) -> None:
    """Another thread may write them, as it does another round of the loop around."""
    make = ExprBuilder()
    n, s = Var("n", Base.INT), Var("s", Base.DOUBLE)
    x, c = Buffer("x", Base.DOUBLE, "float64"), Buffer("c", Base.INT, "int64")
    i, k = make.index("i", n), make.index("k", n)
    sum_up = l.For(k, make.zero, n, (l.Assign(s, make.read(x, make.read(c, k))),))
    before = (l.Store(c, i, i),) if is_written else ()
    code = l.Code((l.For(i, make.zero, n, (*before, sum_up)),), sizes=((x, n), (c, n)))
    asked = [
        each for each in l.within(with_gathers_ahead(code, make).statements) if isinstance(each, l.Prefetch)
    ]
    assert len(asked) == (0 if is_written else 1)


def test_no_flag_is_raised_where_little_else_is_done() -> None:
    """So the loop stands once, and tells which place was wrong."""
    made = c_of("+/2×x[i]", Options(target="c"), x=[0.5], i=[1])
    assert "bad" not in made and made.count("for (") == 1


@needs_c
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("count", [0, 1, AHEAD - 1, AHEAD, 1000])
def test_values_of_what_is_near_and_far(target: str, count: int) -> None:
    gather, total, sorted_by = (fn(f, target=target) for f in ("{⍺[⍵]}", "{+/⍺[⍵]}", "{⍺[⍋⍵]}"))
    for x in (LARGE, LARGE[:-2], LARGE[: max(count, 1)]):
        places = np.random.default_rng(count).integers(1, len(x) + 1, count)
        assert np.array_equal(gather(x, places), x[places - 1])
        assert total(x, places) == x[places - 1].sum()
    keys = np.random.default_rng(1).integers(0, 1 << 40, len(LARGE))
    assert np.array_equal(sorted_by(LARGE, keys), LARGE[np.argsort(keys, kind="stable")])


@needs_c
@pytest.mark.parametrize("text", ["{⍺[⍵]}", "{+/⍺[⍵]}"])
def test_the_first_wrong_place_is_told(text: str) -> None:
    places = np.ones(200, int)
    places[150:] = [-3, *[1] * 49]
    places[180] = len(LARGE) + 1
    with pytest.raises(aplc.RunError, match="¯3"):
        fn(text, target="c")(LARGE, places)


BLOCKS = "{i←⌊⍵ ⋄ f←⍵-i ⋄ (⍺[i]×1-f)+⍺[i+1]×f}"


def test_in_blocks() -> None:
    """A loop in lanes that does more than to read asks for a block, then computes the one before it."""
    made = fn(BLOCKS).emit("c", "[double]1,[double]1")
    assert "start += 128" in made
    assert made.index("APLC_AHEAD(") < made.index("#pragma omp simd")
    assert "aplc_integer_of(t2 ? t1 : bound)" in made
    assert "start +=" not in fn("{⍺[⍵]}").emit("c", "[double]1,[int]1")


@needs_c
@pytest.mark.in_turn(2)
@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("length", (0, 1, 127, 128, 129, 1000))
def test_values_in_blocks(target: str, length: int) -> None:
    """Of arrays near and far, and with the first error of the first place that is none."""
    at = 1 + (len(LARGE) - 2) * np.random.default_rng(length).random(length)
    for x in (LARGE * 0.5, LARGE[:1000] * 0.5):
        inside = 1 + (at - 1) * (len(x) - 2) / len(LARGE)
        whole = inside.astype(int)
        wanted = x[whole - 1] * (1 - (inside - whole)) + x[whole] * (inside - whole)
        assert np.allclose(fn(BLOCKS, target=target)(x, inside), wanted, rtol=1e-12)
        for wrong in (np.nan, 0.5, len(x) + 1.0, 1e300) if length else ():
            changed = inside.copy()
            changed[length // 2] = wrong
            kind = "DOMAIN" if wrong != 0.5 and not wrong < 1e18 else "INDEX"
            with pytest.raises(aplc.AplcError, match=f"{kind} ERROR"):
                fn(BLOCKS, target=target)(x, changed)
