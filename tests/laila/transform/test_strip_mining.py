"""Cells side by side: programs whose cells run in strips, and some whose cells must not.

There are cells enough for none, one or several strips, with and without a rest. Errors are those of the
interpreter, whichever lane they are in, and so are values.
"""

from typing import Any

import numpy as np
import pytest

from aplc import fn
from aplc.apl_front.elaboration.elaborate import elaborate_function
from aplc.compiler import optimise, parse_files, to_laila
from aplc.laila.ir.program import ForEach, Program, Statement
from aplc.laila.ir.scalar import Var
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies
from aplc.laila.ir.text_print import print_program
from aplc.laila.transform.register_tiling import SIZES
from aplc.laila.transform.strip_mining import LANES, SHORT, _InLane, _Wide
from aplc.options import Options
from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.source import Source
from aplc.tail.types import Array, Base
from aplc.tail.unify import parse_scheme
from tests.support.machine import needs_c

Value = np.ndarray[Any, Any]

CELLS = (0, 1, LANES - 1, LANES, LANES + 1, 2 * LANES, 3 * LANES + 5)

IN_STRIPS = {
    "a loop that changes an array": "{↑{x←(⍵+⍳3)÷10 ⋄ w←4⍴0.0 ⋄"
    " step←{(k w)←⍵ ⋄ w[k+1]←(w[k]×0.5)+*x[k]-1 ⋄ (k+1)w} ⋄ 1↓2⊃(step⍣3)1 w}¨⍳⍵}",
    "an index of the cell's": "{t←7 5 3 2 ⋄ ↑{u←(*0.1×⍵+⍳5)÷2+⍵ ⋄ k←1+4|⍵ ⋄ (t[k]×+/u),(⌈/u),u[k]}¨⍳⍵}",
    "integers and conditions": "{↑{u←(⍵×⍳4)⌊100-⍵ ⋄ s←+/u ⋄ v←u⌈s-⍳4 ⋄ w←v×⌽u ⋄"
    " (⌊/w),(⌈/v),(∨/w=s),(+/w>v),v⍳s}¨⍳⍵}",
    "a fold beyond its narrow result": "{↑{u←⌊3E9×*(⍵-⍳9)÷9 ⋄ k←1+2|⌈/u ⋄ v←u×⌽u-k ⋄ (⌽v),k}¨⍳⍵}",
    "no numbers": "{↑{u←(⍳4)×⍟⍵ ⋄ m←⌈/u÷u[2] ⋄ v←u-m ⋄ (⌽v),m,⌊/v}¨1+⍳⍵}",
    "a branch for all": "{n←⍵ ⋄ ↑{u←*(⍳4)÷1+⍵ ⋄ s←+/u ⋄ n>20: ⌽u÷s ⋄ u×s}¨⍳n}",
    "rows of a matrix": "{{u←*⍵÷1+⌈/|⍵ ⋄ s←+/u ⋄ (⌽u÷s),s}⍤1⊢(⍵ 3)⍴(⍳3×⍵)÷7}",
    "an index that fails": "{t←⍳20 ⋄ ↑{u←(*0.1×⍵+⍳5)÷2+⍵ ⋄ (t[⍵]×+/u),⌽u}¨⍳⍵}",
    "a logarithm that fails": "{↑{u←⍟(30-⍵)+⍳4 ⋄ s←+/u ⋄ (⌽u),s}¨⍳⍵}",
}

PLAIN = {
    "a branch of the cell's": "{↑{u←*(⍳4)÷1+⍵ ⋄ s←+/u ⋄ s>8: ⌽u÷s ⋄ u×s}¨⍳⍵}",
    "long rows": "{↑{u←*(⍳1000)÷1+⍵ ⋄ s←+/u ⋄ (⌽u÷s),s}¨⍳⍵}",
    "extents of the cell's": "{↑{u←*(⍳1+4|⍵)÷1+⍵ ⋄ v←u÷+/u ⋄ (3↑v),+/v×⌽v}¨⍳⍵}",
}

FOLDED_OVER_DATA = "{m←⍺ ⋄ n←⍵ ⋄ ↑{w←⍵ ⋄ u←*-+/m×(⍴m)⍴w÷n ⋄ s←+/u ⋄ (3↑u),s,w}¨⍳n}"

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


def _laila(text: str) -> Program:
    """The Laila program of a function of one integer."""
    scalar = parse_scheme("int → int").type.result
    assert isinstance(scalar, Array) and scalar.base is Base.INT
    options = Options(verify=True)
    elaborated = elaborate_function(parse_files([Source("text", text)]), None, {"⍵": scalar})
    return to_laila(optimise(elaborated.term, options), {"⍵": "int64"}, options)[0]


def _loops(statements: tuple[Statement, ...]) -> list[str]:
    """The names of the indices of loops over cells and strips."""
    own = [s.space.indices[0].name for s in statements if isinstance(s, ForEach)]
    return [*own, *[name for s in statements for body in bodies(s) for name in _loops(body)]]


@pytest.mark.parametrize("name", IN_STRIPS)
def test_cells_run_in_strips(name: str) -> None:
    assert any(index.startswith("strip") for index in _loops(_laila(IN_STRIPS[name]).statements))


@pytest.mark.parametrize("name", PLAIN)
def test_cells_stay_as_they_are(name: str) -> None:
    loops = _loops(_laila(PLAIN[name]).statements)
    assert loops and not any(index.startswith("strip") for index in loops)


def _outcome(text: str, *arguments: object, **options: Any) -> Value | str:
    try:
        return np.asarray(fn(text, **options)(*arguments))
    except RunError as error:
        return str(error)


def _agree(text: str, *arguments: object) -> None:
    """The same value, exact unless it is real, or the same error."""
    wanted = _outcome(text, *arguments, target="interp")
    for strict in (False, True):
        found = _outcome(text, *arguments, target="c", strict_fp=strict)
        if isinstance(wanted, str) or isinstance(found, str):
            assert found == wanted
            continue
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-9 if found.dtype == float else 0, atol=0)
        if strict:
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("name", [*IN_STRIPS, *PLAIN])
def test_cells_have_the_values_of_the_interpreter(name: str) -> None:
    text = {**IN_STRIPS, **PLAIN}[name]
    for cells in CELLS:
        _agree(text, cells)


@pytest.mark.parametrize(
    ("text", "most"),
    (
        ("{{⍵⍳⌊/⍵}⍤1⊢⍵}", SHORT),  # the last number that equals the least is work for lanes
        ("{{⊃⍋⍵}⍤1⊢⍵}", SIZES.gathered),
        ("{m←(⌊0.5×≢⍵)↑⍵ ⋄ {⊃⍋+/(m-⍤1⊢⍵)*2}⍤1⊢⍵}", SHORT),
    ),
)
def test_rows_of_neighbours_in_memory(text: str, most: int) -> None:
    """Loops along rows, with none in them, fill lanes sooner than others."""
    matrix = parse_scheme("[double]2 → [double]2").type.result
    assert isinstance(matrix, Array)
    elaborated = elaborate_function(parse_files([Source("text", text)]), None, {"⍵": matrix})
    options = Options(verify=True)
    program = to_laila(optimise(elaborated.term, options), {"⍵": "float64"}, options)[0]
    assert f"<= {most})" in print_program(program)


@pytest.mark.parametrize("columns", (1, 5, SIZES.gathered, SIZES.gathered + 1))
def test_places_in_rows(columns: int) -> None:
    places = fn("{{⍵⍳⌊/⍵}⍤1⊢⍵}", target="c")
    for cells in CELLS:
        data = np.random.default_rng(cells).integers(0, 9, (cells, columns)) / 7
        assert np.array_equal(places(data), 1 + data.argmin(1))


@pytest.mark.parametrize("rows", (1, 5, SHORT, SHORT + 1))
@pytest.mark.parametrize("columns", (0, 1, 4))
def test_extents_that_the_run_tells(rows: int, columns: int) -> None:
    data = np.arange(rows * columns, dtype=float).reshape(rows, columns) / 50
    for cells in (1, LANES, 2 * LANES + 3):
        _agree(FOLDED_OVER_DATA, data, cells)


def test_only_doubles_that_are_conditions_are_choices() -> None:
    make = ExprBuilder(Settings())
    lane = _InLane(make, _Wide(make.zero, "cell", {}, {}), make.zero)
    cond, number = Var("c", Base.BOOL), Var("k", Base.INT)
    one_or_zero = make.call(p.B2I, cond)
    chosen = make.select(cond, make.const(1.0), make.const(0.0))
    assert lane.real(make.call(p.I2D, one_or_zero)) is chosen
    for other in (make.const(1.0), make.call(p.I2D, number), make.call(p.MAXI, one_or_zero, number)):
        assert lane.real(other) is other
