"""Long programs are cut into functions, which give what the program in one piece gives."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from aplc.backends.c import sections
from aplc.backends.c.apart import emit_c
from aplc.backends.c.sections import MANY, NEAR, SECTION, sections_of
from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Buffer, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.options import Options
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.errors import AplcError
from aplc.tail.types import Base
from tests.support.compiling import c_of, compiled
from tests.support.machine import needs_c, needs_threads

FUNCTION = re.compile(r"^#if APLC_IN_SHARE\([01]\)\nAPLC_SECTION int section\w*", re.MULTILINE)
MAKE = ExprBuilder()
SITE = Site(faults.NO_MEMORY, "", None)

TEXTS = (
    "a←+/v ⋄ b←⌽v ⋄ ⎕←a ⋄ c←b×a ⋄ d←c[⍋c] ⋄ ⎕←d ⋄ e←(d>0)/d ⋄ ⎕←≢e ⋄ e,b",
    "k←⌊4|v ⋄ t←{⍺,≢⍵}⌸k ⋄ ⎕←t ⋄ s←k∊2 3 ⋄ u←∪k ⋄ ⎕←u⍳k ⋄ w←s/v ⋄ ⎕←w ⋄ +/w",
    "r←⍬ ⋄ s←v ⋄ {r←r,⊃s ⋄ s←1⌽s ⋄ ⍵}⍣5⊢0 ⋄ ⎕←r ⋄ t←+\\r ⋄ ⎕←t ⋄ (+/t),≢s",
    "x←v[⍳3] ⋄ y←x÷3 ⋄ ⎕←y ⋄ m←3 4⍴v ⋄ n←m+.×⍉m ⋄ ⎕←n ⋄ z←n⌹⍨3⍴v ⋄ ⎕←z[9] ⋄ z",
    "a←⍕v[1] ⋄ b←'n'=⊃a ⋄ ⎕←a ⋄ f←⍎'12' ⋄ c←f+v ⋄ ⎕←c ⋄ g←{⍵≤1:1 ⋄ ⍵×∇⍵-1} ⋄ ⎕←g 9 ⋄ c,g 5",
    "p←(1,1↓v>3)⊂v ⋄ ⎕←+/¨p ⋄ q←↑p ⋄ ⎕←q ⋄ o←⌈/≢¨p ⋄ ⎕←o ⋄ (⌽q),o",
)


@pytest.fixture
def everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any program is cut, after each few statements."""
    for name, value in (("MANY", 0), ("SECTION", 2), ("NEAR", 2)):
        monkeypatch.setattr(sections, name, value)


def shown(text: str, target: str, v: Any) -> tuple[list[Any], Any]:
    """What a program prints, and its value or its error."""
    prints: list[Any] = []
    try:
        program, given = compiled(text, Options(target, 3, verify=True), v=v)
        values = program.run(given, lambda value, *_: prints.append(np.asarray(value).tolist()))
    except AplcError as error:
        return prints, str(error)
    return prints, [np.asarray(value).tolist() for value in values]


@needs_c
@needs_threads
@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.in_turn(4)
def test_values(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prints, values and errors are those of the program in one piece."""
    v = np.arange(12.0) * 7 % 5 + 1
    found = [shown(text, target, v) for text in TEXTS]
    monkeypatch.setattr(sections, "MANY", MANY)
    assert found == [shown(text, target, v) for text in TEXTS]
    assert any(isinstance(value, str) for _, value in found)


@pytest.mark.usefixtures("everywhere")
def test_what_sections_take() -> None:
    """A number for one that reads it, and a place for who wants it; memory of one section is freed there."""
    text = "a←+/v ⋄ ⎕←a ⋄ b←⌽v ⋄ ⎕←b[2] ⋄ c←b[⍋b] ⋄ ⎕←c ⋄ b×a"
    shown = c_of(text, Options("c", 3), v=np.arange(5.0))
    *_, before, sorting, last = FUNCTION.split(shown)
    assert "double **a_place" in before and "*a_place = a;" in before and "free(a)" not in before
    assert "a = *a_place;" in sorting and "aplc_sort_up_double(a, 0, v_n)" in sorting
    assert "const double v2" in last and "* v2;" in last
    assert "*restrict a = NULL;" in last and "    free(a);\n    return status;" in last.partition("\n}")[0]


def program(statements: int, *first: l.Stm) -> tuple[l.Stm, ...]:
    """So many statements that store one number each."""
    w = Buffer("w", Base.DOUBLE, "float64")
    stores = [l.Store(w, MAKE.const(k % 9), MAKE.const(float(k))) for k in range(statements - len(first) - 1)]
    return (*first, l.Allocate(w, MAKE.const(9), SITE), *stores)


def test_a_short_program_is_none() -> None:
    assert not FUNCTION.search(emit_c((), l.Code(program(MANY - 1))).text)
    assert len(FUNCTION.findall(emit_c((), l.Code(program(MANY))).text)) >= 2


def test_one_long_statement_is_none() -> None:
    """There is nothing to cut."""
    loop = l.While(MAKE.true, program(MANY)[1:])
    assert not FUNCTION.search(emit_c((), l.Code((program(2)[0], loop))).text)


def test_where_programs_are_cut() -> None:
    """Where few names are in use, behind enough statements, and not while a small array is."""
    x, y = Var("x", Base.DOUBLE), Var("y", Base.DOUBLE)
    small = Buffer("small", Base.DOUBLE, "float64")
    w = Buffer("w", Base.DOUBLE, "float64")
    before = [l.Store(w, MAKE.const(k % 9), MAKE.const(0.0)) for k in range(SECTION - 1)]
    between = [
        l.Declare(x, MAKE.const(1.0)),
        l.Declare(y, MAKE.const(2.0)),
        l.Store(w, MAKE.zero, MAKE.call(p.ADDD, x, y)),
    ]
    first, *_ = sections_of((*before, *between, *before, *before))
    assert len(first) == SECTION + 2  # neither number is in use
    held = (l.Local(small, 3), *before, *before, l.Store(small, MAKE.zero, x))
    assert len(next(sections_of((*held, *before, *before)))) >= len(held)
    assert len(next(sections_of((*before, *before, *before)))) <= SECTION + NEAR
