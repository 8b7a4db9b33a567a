"""Ranges hold the values, narrow programs mean the same, and loops have the lanes that they should."""

import ctypes
import math
import re
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import compile_shared, find_compiler
from aplc.compiler import compile_program, optimise, to_c, to_laila, to_tail
from aplc.laila.ir.constants import wrap
from aplc.laila.ir.interval import FULL, Interval
from aplc.laila.ir.program import Alloc
from aplc.laila.ir.ranges import STORAGES, Ranges, storage_for, width_of
from aplc.laila.ir.scalar import (
    CEIL,
    DIVIDE,
    FLOOR,
    FLOOR_QUOT,
    QUOT,
    REM,
    TRUNCATE,
    Call,
    Const,
    Exp,
    Fold,
    Select,
    Sum,
    Var,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.options import Options
from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.meaning.core import DTYPES
from aplc.tail.prims import INT_MAX, INT_MIN
from aplc.tail.source import Source
from aplc.tail.types import Base, array
from tests.support.machine import needs_c
from tests.support.paths import ROOT

pytestmark = needs_c


# --- intervals hold the values --------------------------------------------------------------------------

EDGES = (0, 1, -1, 2, 3, 7, 100, 127, 128, 255, 256, -128, 2**15, 2**31 - 1, 2**31, 2**53, INT_MAX, INT_MIN)
INTEGERS = (p.ADDI, p.SUBI, p.MULI, p.MAXI, p.MINI, p.RESI, p.GCDI, p.LCMI)
MONADIC = (p.NEGI, p.ABSI, p.SIGNI)
COMPARISONS = (p.LTI, p.LTEI, p.GTI, p.GTEI, p.EQI, p.NEQI)
DOUBLES = (p.ADDD, p.SUBD, p.MULD, p.MAXD, p.MIND)


class Undefined(Exception):
    """An expression has no value: its operands break what its operator asks of them."""


def evaluate(exp: Exp, env: Mapping[str, int]) -> Any:
    """The value of an expression."""
    match exp:
        case Const(value=value):
            return value
        case Var(name=name):
            return env[name]
        case Sum(const=const, terms=terms):
            return wrap(const + sum([k * evaluate(atom, env) for atom, k in terms]))
        case Select(cond=cond, then=then, other=other):
            return evaluate(then if evaluate(cond, env) else other, env)
        case Fold(combine=combine, var=var, extent=extent, body=body):
            result = {p.ADDI: 0, p.GCDI: 0, p.MAXI: INT_MIN}[combine]  # type: ignore[index]
            for k in range(evaluate(extent, env)):
                value = evaluate(body, {**env, var.name: k})
                step = {
                    p.ADDI: lambda a, b: wrap(a + b),
                    p.GCDI: lambda a, b: wrap(math.gcd(a, b)),
                    p.MAXI: max,
                }[combine]
                result = step(result, value)
            return result
        case Call(op=op, args=args):
            return operator(op, [evaluate(a, env) for a in args], args)
    raise AssertionError(exp)


def operator(op: p.Prim, values: list[Any], args: tuple[Exp, ...]) -> Any:
    """The value of an operator."""
    x, y = (*values, None)[:2]
    if op in (QUOT, REM, FLOOR_QUOT):
        if y <= 0 or (x < 0 and op is not FLOOR_QUOT):
            raise Undefined
        return x % y if op is REM else x // y
    if op is DIVIDE:
        if not y:
            raise Undefined
        return x / y
    if op in (FLOOR, CEIL):
        return float((math.floor if op is FLOOR else math.ceil)(x)) if math.isfinite(x) else x
    if op is TRUNCATE:
        if not (math.isfinite(x) and INT_MIN <= x <= INT_MAX):
            raise Undefined
        return int(x)
    with np.errstate(all="ignore"):
        return op.meaning(*[np.array(v, DTYPES[a.ty]) for v, a in zip(values, args, strict=True)]).item()


@st.composite
def expressions(draw: st.DrawFn) -> tuple[Exp, dict[str, int]]:
    """An integer expression over bounded variables, and values for these."""
    make, env = ExprBuilder(), {}
    integers: list[Exp] = [make.const(draw(st.sampled_from(EDGES))) for _ in range(2)]
    for name in "xyz":
        low, high = sorted((draw(st.sampled_from(EDGES)), draw(st.sampled_from(EDGES))))
        integers.append(Var(name, Base.INT, False, (make.const(low),), (make.const(high),)))
        env[name] = draw(st.integers(low, high))
    doubles: list[Exp] = [make.const(draw(st.sampled_from((0.0, -0.5, 0.75, 100.0, 1e300))))]

    def integer() -> Exp:
        return draw(st.sampled_from(integers))

    def double() -> Exp:
        return draw(st.sampled_from(doubles))

    builders: tuple[Callable[[], None], ...] = (
        lambda: integers.append(make.call(draw(st.sampled_from(INTEGERS)), integer(), integer())),
        lambda: integers.append(make.call(draw(st.sampled_from(MONADIC)), integer())),
        lambda: integers.append(
            make.call(draw(st.sampled_from((QUOT, REM, FLOOR_QUOT))), integer(), integer())
        ),
        lambda: integers.append(make.call(p.B2I, condition())),
        lambda: integers.append(changed_where(integer(), draw(st.sampled_from(EDGES)))),
        lambda: integers.append(make.select(condition(), integer(), integer())),
        lambda: integers.append(
            make.call(TRUNCATE, make.call(draw(st.sampled_from((FLOOR, CEIL))), double()))
        ),
        lambda: integers.append(fold()),
        lambda: doubles.append(make.call(p.I2D, integer())),
        lambda: doubles.append(make.call(draw(st.sampled_from(DOUBLES)), double(), double())),
        lambda: doubles.append(make.call(DIVIDE, double(), double())),
    )

    def condition() -> Exp:
        return make.call(draw(st.sampled_from(COMPARISONS)), integer(), integer())

    def changed_where(number: Exp, bound: int) -> Exp:
        """A number, more or less where it is on one side of a bound."""
        on_one_side = make.call(draw(st.sampled_from(COMPARISONS)), number, make.const(bound))
        by = make.const(draw(st.sampled_from(EDGES)))
        return make.add(number, make.mul(by, make.call(p.B2I, on_one_side)))

    def fold() -> Exp:
        extent = make.const(draw(st.integers(1, 5)))
        k = make.index("k", extent)
        combine = draw(st.sampled_from((p.ADDI, p.GCDI, p.MAXI)))
        return make.fold(combine, k, extent, make.call(draw(st.sampled_from(INTEGERS)), integer(), k), None)

    for _ in range(draw(st.integers(1, 8))):
        draw(st.sampled_from(builders))()
    return integers[-1], env


def test_a_divisor_of_the_least_integer_alone() -> None:
    """It does not fit, and is that integer once more."""
    make = ExprBuilder()
    k = make.index("k", make.one)
    least = make.fold(p.GCDI, k, make.one, make.add(make.const(INT_MIN), k), None)
    found = Ranges().of(least)
    assert found is not None and found.low == INT_MIN == evaluate(least, {})


@pytest.mark.in_turn(12)
@settings(max_examples=600, deadline=None)
@given(expressions())
def test_intervals_hold_the_values(drawn: tuple[Exp, dict[str, int]]) -> None:
    exp, env = drawn
    try:
        value = evaluate(exp, env)
    except Undefined:
        return
    found = Ranges().of(exp)
    assert found is not None and found.low <= value <= found.high, (found, value)


@pytest.mark.parametrize("name", STORAGES)
def test_the_narrowest_storage_is_found(name: str) -> None:
    held = STORAGES[name]
    assert storage_for(held) == name
    assert width_of(storage_for(Interval(held.low, held.low))) <= width_of(name)
    if name != "int64":
        assert width_of(storage_for(Interval(held.low, held.high + 1))) >= width_of(name)
        assert not Interval(held.low, held.high + 1).within(held)


def test_what_may_wrap_can_be_anything() -> None:
    make = ExprBuilder()
    x = Var("x", Base.INT, False, (make.const(0),), (make.const(INT_MAX),))
    assert Ranges().of(make.add(x, make.one)) == FULL
    assert Ranges().of(make.sub(x, make.one)) == Interval(-1, INT_MAX - 1)


def test_what_a_sum_takes_away_where_there_is_enough() -> None:
    make = ExprBuilder()
    x = Var("x", Base.INT, False, (make.const(0),), (make.const(255),))
    taken = make.mul(make.const(-4), make.call(p.B2I, make.call(p.GTI, x, make.const(3))))
    assert Ranges().of(make.add(x, taken)) == Interval(0, 251)


# --- programs with narrow values ------------------------------------------------------------------------


def run(text: str, target: str, inputs: Mapping[str, Any]) -> list[Any]:
    """What a program gives, or the name of its error."""
    given_ = {name: np.ascontiguousarray(value).reshape(np.shape(value)) for name, value in inputs.items()}
    bases = {"b": Base.BOOL, "i": Base.INT, "u": Base.INT, "f": Base.DOUBLE}
    types = {name: array(bases[a.dtype.kind], a.ndim) for name, a in given_.items()}
    storage = {name: str(a.dtype) for name, a in given_.items()}
    options = Options(target=target, use_cache=False, verify=True)
    program = compile_program([Source("p.apl", text)], types, storage, options)
    if target == "interp":
        given_ = {n: a if a.dtype.kind in "bf" else a.astype(np.int64) for n, a in given_.items()}
    try:
        return [v.tolist() for v in program.run([given_[name] for name in program.inputs], lambda *_: None)]
    except RunError as error:
        return [error.diagnostics[0].kind]


EXTREMES = np.array([INT_MIN, INT_MIN + 1, -(2**53) - 1, -7, -1, 0, 1, 2, 3, 2**53 + 1, INT_MAX - 1, INT_MAX])
SMALL = np.arange(-128, 128, dtype=np.int8)
BYTES = np.arange(0, 256, dtype=np.uint8)
SHORTS = np.array([-(2**15), -1, 0, 1, 2**15 - 1], np.int16)
WORDS = np.array([-(2**31), -(2**31) + 1, -1, 0, 1, 7, 2**31 - 1], np.int32)
NEAR = np.array(
    [2**53 - 1, 2**53 - 2, 2**53, 2**52 + 1, 3 * 2**51 - 1, 94906267 * 94906265 - 1, 1, 0], np.int64
)

PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "sums that leave eight bits": ("a←v+100 ⋄ a+.×⌽a", {"v": SMALL}),
    "products that leave sixteen": ("a←1000×v ⋄ +/a×a", {"v": SHORTS}),
    "products that leave thirty-two": ("+/v×v×v", {"v": WORDS}),
    "wraps stay wraps": ("(v+1),(v-1),(-v),(|v),v×v", {"v": EXTREMES}),
    "negation of the least byte": ("(-v),|v", {"v": SMALL}),
    "negation of the least word": ("(-v),|v", {"v": WORDS}),
    "residues of bytes": ("v∘.|w", {"v": SMALL, "w": BYTES}),
    "residues of words": ("v∘.|v", {"v": WORDS}),
    "residues of extremes": ("v∘.|v", {"v": EXTREMES}),
    "residues by constants": ("(19|v),(¯19|v),(1|v),(¯1|v),(0|v),256|v", {"v": EXTREMES}),
    "residues of words by constants": ("(19|v),(¯19|v),(1|v),(¯1|v),(0|v),256|v", {"v": WORDS}),
    "floors of quotients of words": ("(⌊v÷7),(⌈v÷7),(⌊v÷¯7),(⌊v÷8),⌊v×0.75", {"v": WORDS}),
    "floors of quotients of bytes": (
        "(⌊v∘.÷w),⌈v∘.÷w",
        {"v": SMALL, "w": np.array([1, 2, 3, 100], np.uint8)},
    ),
    "floors near the limit of doubles": ("(⌊v÷3),(⌊v÷2),(⌊(3⌊v)÷3),⌊v÷v+1", {"v": NEAR}),
    "floors that do not fit": ("⌊v×1e300", {"v": WORDS}),
    "floors of extremes": ("(⌊v÷100),⌊0.1×v", {"v": EXTREMES}),
    "extrema of bytes": ("(⌈/v),(⌊/v),⌈/v-200", {"v": SMALL}),
    "extrema of columns": ("m←3 4⍴v ⋄ (⌈⌿m),(⌊⌿m),⌈⌿0 4⍴v", {"v": SMALL}),
    "extrema of nothing": ("(⌈/v),⌊/v", {"v": np.zeros(0, np.int8)}),
    "sums of columns": ("m←3 85⍴v ⋄ +⌿m+m", {"v": SMALL}),
    "indices of the run": ("(+/7|⍳n),(⌊(⍳n)÷3),2=+⌿0=∘.|⍨⍳n", {"n": 40}),
    "divisions at the limit of small integers": (
        "(7|v),(⌊v÷3),(v∘.|v),⌈v÷¯1",
        {"v": np.array([2**24, -(2**24), 2**24 - 1, 3, -1, 0, 1], np.int64)},
    ),
    "divisions beyond it": (
        "(7|v),(⌊v÷3),(v∘.|v),⌈v÷¯1",
        {"v": np.array([2**24 + 1, 3, -1, 0, 1], np.int64)},
    ),
    "counted columns": ("2=+⌿0=∘.|⍨⍳30", {}),
    "divisions by zero": ("v÷w", {"v": WORDS, "w": np.zeros(7, np.int8)}),
    "choices of widths": ("(v>0)×300+v", {"v": SMALL}),
    "conditions of memory": (
        "a←v>w ⋄ (a∧⌽a),(a=⌽a),(~a),(∧/a),(∨/a),(+/a),a+1",
        {"v": SMALL, "w": SMALL[::-1]},
    ),
    "conditions of data": (
        "(b∧⌽b),(b∨v>0),(+/b),(∧/b),b×v",
        {"b": np.array([True, False] * 64 + [True]), "v": np.arange(-64, 65, dtype=np.int64)},
    ),
    "products of bytes": ("×/v", {"v": np.array([-128, 127, 2, 3], np.int8)}),
    "booleans kept apart from numbers": ("a←v=0 ⋄ (a,1-a),⌽a", {"v": SMALL}),
    "signs and magnitudes": ("(×v),(|v),v⌈0", {"v": WORDS}),
    "an input of every width": ("(+/u)+(+/s)+(+/w)+i", {"u": BYTES, "s": SHORTS, "w": WORDS, "i": 2**62}),
    "comparison with what no byte holds": ("(v<300),(v=255),v>¯200", {"v": SMALL}),
    "values given out keep their type": ("a←3+v ⋄ ⎕←a ⋄ a,a", {"v": SMALL}),
    "tables": ("1 0 1 1 0 300 ¯5+7↑v", {"v": SMALL}),
}


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("name", PROGRAMS)
def test_narrow_programs_mean_the_same(name: str) -> None:
    text, inputs = PROGRAMS[name]
    assert run(text, "c", inputs) == run(text, "interp", inputs)


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(-(2**53), 2**53), min_size=1, max_size=20),
    st.lists(st.integers(1, 2**53), min_size=1, max_size=20),
)
def test_floors_of_quotients_are_those_of_doubles(xs: list[int], ys: list[int]) -> None:
    """The floor of the rounded quotient is that of the exact one: see Note [Floors of quotients]."""
    for x, y in product(xs, ys):
        for near in (x, x // y * y, x // y * y - 1, x // y * y + 1):
            if abs(near) <= 2**53:
                assert math.floor(float(near) / float(y)) == near // y


# --- the functions of the run-time system ---------------------------------------------------------------

SOURCE = """#include "aplc.h"
#define F(name, type) APLC_EXPORT type call_##name(type x, type y) { return aplc_##name(x, y); }
F(residue24, int32_t) F(residue32, int32_t) F(residue52, int64_t) F(residue_by, int32_t)
F(floor_quot24, int32_t) F(floor_quot32, int32_t) F(floor_quot53, int64_t) F(floor_quot_by, int32_t)
"""


def residue(x: int, y: int) -> int:
    return y % x if x else y


FUNCTIONS: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "residue24": (2**23, residue),
    "residue32": (2**31 - 1, residue),
    "residue52": (2**52, residue),
    "residue_by": (2**31 - 1, residue),
    "floor_quot24": (2**23, lambda x, y: x // y),
    "floor_quot32": (2**31 - 1, lambda x, y: x // y),
    "floor_quot53": (2**53, lambda x, y: x // y),
    "floor_quot_by": (2**31 - 1, lambda x, y: x // y),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_lanes_are_exact(name: str, tmp_path: Path) -> None:
    for header, content in headers().items():
        (tmp_path / header).write_text(content, "utf-8")
    (tmp_path / "lanes.c").write_text(SOURCE, "utf-8")
    compile_shared(find_compiler(), tmp_path / "lanes.c", tmp_path / "lanes.so", 2)
    function = ctypes.CDLL(str(tmp_path / "lanes.so"))[f"call_{name}"]
    limit, exact = FUNCTIONS[name]
    function.restype = ctypes.c_int64 if limit > 2**32 else ctypes.c_int32
    function.argtypes = [function.restype, function.restype]
    some = {0, 1, 2, 3, 7, 10, 100, 4097, limit, limit - 1, limit // 2, limit // 3, math.isqrt(limit)}
    values = sorted(some | {-v for v in some})
    divisors = values if exact is residue and not name.endswith("by") else [v for v in values if v > 0]
    for d in divisors:
        for v in {w for u in values for w in (u, u // d * d if d else u, u // d * d - 1 if d else u)}:
            if abs(v) <= limit:
                x, y = (d, v) if exact is residue else (v, d)
                assert function(x, y) == exact(x, y), (x, y)


# --- the lanes of loops ---------------------------------------------------------------------------------

LIFE = """
life ← {
    row ← ⍵+(1⌽⍵)+¯1⌽⍵
    sum ← row+(1⊖row)+¯1⊖row
    (sum=3)∨(sum=4)∧⍵=1
}
board ← 2=7|100 100⍴⍳1234
⎕←life life board
"""
EASTER = (ROOT / "apl_samples/easter.apl").read_text("utf-8").split("⎕")[0]


def c_of(text: str, storages: Mapping[str, str] | None = None) -> str:
    options = Options()
    storages = storages or {}
    types = {name: array(Base.INT, 1) for name in storages}
    term = optimise(to_tail([Source("p.apl", text)], types).term, options)
    program, make = to_laila(term, storages, options)
    return to_c(program, make, options).text


OF_BLOCKS = (
    *("const int64_t stop = ", "result += (int64_t)part;", "result1 += (int64_t)part;"),
    *("const int64_t count = ", "int64_t next = ", "const int64_t from = ", "const int64_t to = "),
)
"""What a sum in blocks computes once for each of them, and what one in whole lines does for each round."""


def wide_lanes(text: str) -> list[str]:
    """The lines in loops that compute or keep integers of 64 bits, but for what a loop counts with and what
    is done once in a block.
    """
    inside = [line for line in text.splitlines() if line.startswith(" " * 8)]
    wide = [i.strip() for i in inside if re.search(r"int64_t", re.sub(r"for \(int64_t \w+ = ", "", i))]
    return [line for line in wide if not line.startswith(OF_BLOCKS)]


def test_life_has_lanes_of_eight_bits() -> None:
    text = c_of(LIFE)
    assert not wide_lanes(text)
    assert "int16_t" not in text and "int32_t" not in text.split("aplc_alloc")[-1]
    buffers = re.findall(r"(\w+) \*restrict", text)
    assert buffers and set(buffers) <= {"int8_t", "uint8_t"}


def test_easter_has_lanes_of_thirty_two_bits() -> None:
    text = c_of(EASTER + "\n+/easter ⍳900000")
    assert not [line for line in wide_lanes(text) if "(int32_t)start" not in line]
    assert "result += (int64_t)part;" in text
    assert "floor" not in text and "bad" not in text


def test_easter_of_narrow_data_too() -> None:
    text = c_of(EASTER + "\n+/easter years", {"years": "int16"})
    assert not wide_lanes(text) and "result += (int64_t)part;" in text


def test_primes_have_remainders_in_lanes() -> None:
    text = c_of("+/2=+⌿0=∘.|⍨⍳10000")
    assert "aplc_residue24(k1 + 1, (int32_t)k + 1)" in text
    assert "int32_t s = 0;" in text


def test_data_and_extents_have_lanes_where_the_run_allows() -> None:
    """Two versions: the first in 32 bits, the second for what does not fit."""
    for text in ("+/easter years", "+/easter ⍳≢years"):
        fast, slow = c_of(f"{EASTER}\n{text}", {"years": "int64"}).split("} else {")
        few = r"int64_t result1 = 0;|const int64_t t = years\[(start \+ )?k\];"
        assert "result1 += (int64_t)part;" in fast
        assert all(re.match(few, line) for line in wide_lanes(fast))
        assert "aplc_residue_by64" in slow or "aplc_residue_by52" in slow


def test_an_index_without_a_bound_has_64_bits() -> None:
    text = c_of("+/2|v×⍳⍴v", {"v": "int32"})
    assert "int32_t)k" not in text.replace("(int32_t)v", "")


def allocated(text: str) -> list[str]:
    program, _ = to_laila(optimise(to_tail([Source("p.apl", text)], {}).term, Options()), {}, Options())
    return [s.buffer.storage for s in program.statements if isinstance(s, Alloc)]


def test_values_given_out_keep_their_own_type() -> None:
    assert allocated("3|⍳100") == ["int64"]
    assert allocated("a←3|⍳100 ⋄ ⎕←a ⋄ +/a") == ["int64"]
