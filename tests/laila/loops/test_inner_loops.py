"""Innermost loops as C compilers like them: what stays the same is read before them, if they run."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from aplc import fn
from aplc.laila.ir import loops as l
from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.scalar import MULTIPLY_ADD, Buffer, Call, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.inner_loops import with_inner_loops_eased
from aplc.options import Options
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.types import Base
from tests.support.compiling import c_of, compiled
from tests.support.machine import needs_c

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]

CUT = np.array([1, 0, 0, 1, 1, 0], bool)
NUMBERS = np.array([3.0, 1.0, 2.0, 5.0, 9.0, 8.5])

SITE = Site(faults.LENGTHS, "+", None)

GATHERED = "{+/⍵×v[⌊⍵]}¨m⊂v"


def inner_loops(text: str) -> list[str]:
    """The bodies of the loops that have none inside."""
    return re.findall(r"for \([^\n]*\{\n((?:(?!for \()[^\n]*\n)*?) *\}\n", text)


def test_places_of_items_are_read_before_their_loops() -> None:
    text = c_of("+/¨m⊂v", Options(target="c"), m=CUT, v=NUMBERS)
    places = {name for name in re.findall(r"\bconst int64_t (t\d*) = [^;]*\[", text)}
    assert places
    sums = [body for body in inner_loops(text) if "s +" in body or "s =" in body]
    assert sums and not any(re.search(r"v\[[^\]]*\[", body) for body in sums)


def test_rows_that_gather_have_no_masks_and_leave_at_once() -> None:
    """With masks, or a flag, each element takes longer."""
    gathers, folds = [
        fn(text).emit("c", "[double]1", "[[int]1]1") for text in ("{v←⍺ ⋄ +/¨{v[⍵]}¨⍵}", "{+/¨⍵⊣⍺}")
    ]
    assert "aplc_in_vectors" not in gathers and "bad" not in gathers
    assert "aplc_in_vectors" in folds


def test_filters_beside_others_leave_at_once_where_they_gather() -> None:
    """They take one element after the other, for which a flag is one operation more."""
    for text, flags in (("(⌈/d),(0<d)/⍵", 0), ("d×d", 1)):
        source = fn("{v←⍺ ⋄ d←(2×v[⍵]+⍵)-(1+v[1+⍵])×v[⍵]-3 ⋄ " + text + "}").emit("c", "[double]1", "[int]1")
        assert source.count("int64_t bad = 0;") == flags


def test_a_sum_that_may_leave_waits_for_an_addition() -> None:
    """In a loop that ends in any case, a product is added in one operation."""
    make = ExprBuilder()
    k, s, n = make.index("k", make.const(9)), Var("s", Base.DOUBLE), Var("n", Base.INT)
    v, begins = Buffer("v", Base.DOUBLE, "float64"), Buffer("begins", Base.INT, "int64")
    place = make.add(k, make.read(begins, n))
    term = make.read(v, place)
    add = l.Assign(s, make.call(MULTIPLY_ADD, term, term, s))
    check = l.Fail(make.call(p.LTI, k, n), SITE, ())
    for body, op in (((add,), MULTIPLY_ADD), ((check, add), p.ADDD)):
        code = l.Code((l.For(k, make.zero, n, body),))
        first, loop = with_inner_loops_eased(code, make).statements
        assert isinstance(first, l.Declare) and isinstance(loop, l.For)
        assert first.value is make.select(make.call(p.LTI, make.zero, n), make.read(begins, n), make.zero)
        sum_ = loop.body[-1]
        assert isinstance(sum_, l.Assign) and isinstance(sum_.value, Call) and sum_.value.op is op
        assert begins not in buffers_read(sum_.value)


def test_a_condition_that_stays_the_same_chooses_a_place() -> None:
    """Not an element: so that those of a loop come from one place."""
    make = ExprBuilder()
    k, n, m = make.index("k", make.const(9)), Var("n", Base.INT), Var("m", Base.INT)
    v, w = Buffer("v", Base.DOUBLE, "float64"), Buffer("w", Base.DOUBLE, "float64")
    few, first, second = make.call(p.LTI, n, m), make.read(v, k), make.read(v, make.add(k, n))
    kept = make.select(make.call(p.LTI, k, m), first, second), make.select(few, first, make.read(w, k))
    for chosen in (make.select(few, first, second), *kept):
        loop = l.For(k, make.zero, n, (l.Store(w, k, chosen),))
        *before, made = with_inner_loops_eased(l.Code((loop,)), make).statements
        if chosen in kept:
            assert not before and made == loop
            continue
        (place,) = before
        assert isinstance(place, l.Declare) and place.value is make.select(few, make.zero, n)
        assert isinstance(made, l.For) and made.body == (l.Store(w, k, make.read(v, make.add(k, place.var))),)


def value(text: str, target: str, **inputs: Any) -> Any:
    """What a program gives for its inputs."""
    program, given = compiled(text, Options(target), **inputs)
    (result,) = program.run(given, lambda *_: None)
    return np.asarray(result)


@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("text", [GATHERED, "+/¨m⊂v×v[⌊v]", "+/¨n⍴¨v", "{+/⍵×⍵[(≢⍵)⌊⍳≢⍵]}¨n⍴¨v"])
def test_items_without_elements_and_none_at_all(text: str, target: str) -> None:
    """Where there is no item, nothing says where it begins."""
    for n in (6, 1, 0):
        given = {"m": CUT[:n], "v": np.minimum(NUMBERS[:n], n), "n": np.arange(n) % 3}
        named = {name: each for name, each in given.items() if name in text}
        ours, meant = [value(text, each, **named) for each in (target, "interp")]
        np.testing.assert_array_equal(ours, meant)


@pytest.mark.parametrize("target", ["c", "openmp"])
def test_a_check_that_fails_tells_its_place(target: str) -> None:
    text, k = "+/¨m⊂k×x[k]", np.array([3, 1, 2, 5, 9, 4])
    with pytest.raises(RunError, match=r"INDEX ERROR.*9"):
        value(text, target, m=CUT, k=k, x=np.arange(5.0))
    expected = [3 * 2 + 1 * 0 + 2 * 1, 5 * 4, 9 * 8 + 4 * 3]
    np.testing.assert_array_equal(value(text, target, m=CUT, k=k, x=np.arange(9.0)), expected)
