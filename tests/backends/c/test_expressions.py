"""Expressions as C: precedence, constants at the corners, what is shorter in C."""

import ctypes
import math
import random
import struct
from pathlib import Path
from typing import Any

import pytest

from aplc.backends.c.apart import emit_c
from aplc.backends.c.expressions import SPELLING, ExpPrinter, print_constant
from aplc.backends.c.types import C_TYPES
from aplc.backends.native.toolchain import Compiler
from aplc.laila.ir import loops as l
from aplc.laila.ir.constants import result_base
from aplc.laila.ir.scalar import (
    ALARM,
    BIT_OR,
    BITS,
    DIVIDE,
    FLOOR,
    QUOT,
    RAISED,
    REM,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Read,
    Select,
    Site,
    Sum,
    Var,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.errors import InternalError
from aplc.tail.prims import INT_MAX, INT_MIN, Prim
from aplc.tail.types import Array, Base
from tests.support.generated_c.loading import load
from tests.support.laila.meaning import MEANING, Env, bits, same, value_of

VARS: dict[Base, tuple[Var, ...]] = {
    Base.INT: tuple([Var(f"i{k}", Base.INT) for k in range(4)]),
    Base.DOUBLE: tuple([Var(f"d{k}", Base.DOUBLE) for k in range(4)]),
    Base.BOOL: tuple([Var(f"b{k}", Base.BOOL) for k in range(3)]),
    Base.CHAR: tuple([Var(f"c{k}", Base.CHAR) for k in range(2)]),
}
NARROW = Buffer("narrow", Base.INT, "int32")
SINGLE = Buffer("single", Base.DOUBLE, "float32")
MEMORY: dict[Buffer, list[Any]] = {NARROW: [2**31 - 1, -(2**31), 7], SINGLE: [1.1, 3.3e38, -0.0]}
MEMORY[SINGLE] = [struct.unpack("f", struct.pack("f", x))[0] for x in MEMORY[SINGLE]]
MEANING_TOO = {p.EQC: lambda x, y: x == y, p.NEQC: lambda x, y: x != y}
INTS = (0, 1, -1, 7, -12, 2**31 - 1, -(2**31), 2**31, 2_000_000_000, 2**40, INT_MAX, INT_MIN, INT_MIN + 1)
DOUBLES = (
    0.0,
    -0.0,
    1.0,
    -2.5,
    0.1,
    1 / 3,
    1e300,
    2.0**-1074,
    1e22,
    123456789012345680.0,
    math.inf,
    -math.inf,
)

EXPRESSIONS = 700


# --- random expressions, not simplified -----------------------------------------------------------------


def safe(op: Prim) -> bool:
    """Operators of equal meaning in C and here: exact, and defined everywhere."""
    return (op in MEANING or op in MEANING_TOO) and op in SPELLING and op not in (QUOT, REM)


OPERATORS: dict[Base, list[Prim]] = {base: [] for base in Base}
for _op in SPELLING:
    if safe(_op) and _op.name != "ftrunc":
        OPERATORS[result_base(_op)].append(_op)


class Grower:
    """Grows raw nodes, so that all shapes of trees reach the printer."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def grow(self, base: Base, depth: int) -> Exp:
        pick = self.random
        if depth == 0 or pick.random() < 0.1:
            return self.leaf(base)
        kind = pick.random()
        if kind < 0.15:
            return Select(
                self.grow(Base.BOOL, depth - 1), self.grow(base, depth - 1), self.grow(base, depth - 1), base
            )
        if kind < 0.4 and base is Base.INT:
            return self.sum(depth)
        if kind < 0.5 and base is Base.INT:
            by = Const(pick.choice((1, 2, 7, 2**33)), Base.INT)
            whole = Call(p.B2I, (self.grow(Base.BOOL, depth - 1),), Base.INT)
            return Call(pick.choice((QUOT, REM)), (whole, by), Base.INT)
        if not OPERATORS[base]:
            return self.leaf(base)
        op = pick.choice(OPERATORS[base])
        wanted = [q.base for q in op.schemes[0].type.params if isinstance(q, Array)]
        args = [self.grow(w, depth - 1) for w in wanted]  # type: ignore[arg-type]
        if all(isinstance(a, Const) for a in args):  # would have been computed
            args[0] = pick.choice(VARS[args[0].ty])
        return Call(op, tuple(args), base)

    def leaf(self, base: Base) -> Exp:
        pick = self.random
        if base is Base.CHAR or pick.random() < 0.5:
            return pick.choice(VARS[base])
        if base is Base.BOOL:
            return Const(pick.random() < 0.5, base)
        if pick.random() < 0.2:
            buffer = NARROW if base is Base.INT else SINGLE
            return Read(buffer, Const(pick.randrange(3), Base.INT), base)
        return Const(pick.choice(INTS if base is Base.INT else DOUBLES), base)

    def sum(self, depth: int) -> Exp:
        """A sum in normal form but for the order of its terms."""
        pick = self.random
        terms: dict[Exp, int] = {}
        for _ in range(pick.randint(1, 3)):
            atom = self.grow(Base.INT, depth - 1)
            while isinstance(atom, Sum | Const):
                atom = self.grow(Base.INT, depth - 1)
            terms[atom] = pick.choice((1, -1, 2, -3, 2**31, INT_MAX, INT_MIN))
        return Sum(pick.choice((0, 1, -1, 5, INT_MIN, INT_MAX)), tuple(terms.items()))

    def environment(self) -> Env:
        pick = self.random
        env: Env = {v.name: pick.choice(INTS) for v in VARS[Base.INT]}
        env |= {v.name: pick.choice((*DOUBLES, math.nan)) for v in VARS[Base.DOUBLE]}
        env |= {v.name: pick.random() < 0.5 for v in VARS[Base.BOOL]}
        env |= {v.name: pick.choice((0, 65, 0x10FFFF)) for v in VARS[Base.CHAR]}
        return env


def test_printed_expressions_have_their_value(
    compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for op, meaning in MEANING_TOO.items():
        monkeypatch.setitem(MEANING, op, meaning)
    grower = Grower(7)
    bases = (Base.INT, Base.DOUBLE, Base.BOOL)
    cases = [(grower.grow(bases[k % 3], 1 + k % 5), grower.environment()) for k in range(EXPRESSIONS)]
    printer = ExpPrinter(lambda thing: thing.name)
    params = ", ".join([f"{C_TYPES[base]} {v.name}" for base in Base for v in VARS.get(base, ())])
    lines = [
        '#include "aplc.h"',
        "#define NOINLINE __attribute__((noinline)) static",
        "static const int32_t narrow[] = {2147483647, -2147483647 - 1, 7};",
        "static const float single[] = {" + ", ".join([f"{x!r}f" for x in MEMORY[SINGLE]]) + "};",
    ]
    for k, (exp, _) in enumerate(cases):
        lines.append(f"NOINLINE {C_TYPES[exp.ty]} f{k}({params}) {{ return {printer.text(exp)}; }}")
        lines.append(
            f"static bool g{k}({params}) {{ return {printer.negation(exp)}; }}" if exp.ty is Base.BOOL else ""
        )
    lines.append("APLC_EXPORT void run(int64_t *ints, double *doubles, int64_t *opposites) {")
    for k, (exp, env) in enumerate(cases):
        args = ", ".join([print_constant(env[v.name], base) for base in Base for v in VARS.get(base, ())])
        target = "doubles" if exp.ty is Base.DOUBLE else "ints"
        lines.append(f"    {target}[{k}] = f{k}({args});")
        if exp.ty is Base.BOOL:
            lines.append(f"    opposites[{k}] = g{k}({args});")
    lines.append("}\n")
    library = load(compiler, tmp_path, "\n".join(lines))
    ints, opposites = (ctypes.c_int64 * len(cases))(), (ctypes.c_int64 * len(cases))()
    doubles = (ctypes.c_double * len(cases))()
    library.run(ints, doubles, opposites)
    wrong = []
    for k, (exp, env) in enumerate(cases):
        wanted = value_of(exp, env, MEMORY)
        found = doubles[k] if exp.ty is Base.DOUBLE else type(wanted)(ints[k])
        if not (same(wanted, found) or wanted == found == 0):  # the sign of max(0.0, -0.0) is open
            wrong.append(f"{printer.text(exp)} is {found}, not {wanted}, for {env}")
        if exp.ty is Base.BOOL and bool(opposites[k]) == wanted:
            wrong.append(f"the opposite {printer.negation(exp)} is {wanted} too, for {env}")
    assert not wrong, f"{len(wrong)} of {len(cases)}:\n" + "\n".join(wrong[:5])


def test_constants_are_exact(compiler: Compiler, tmp_path: Path) -> None:
    pick = random.Random(3)
    doubles = [
        *DOUBLES,
        5e-324,
        2.2250738585072014e-308,
        1.7976931348623157e308,
        9007199254740993.0,
        0.1 + 0.2,
    ]
    doubles += [struct.unpack("d", struct.pack("Q", pick.getrandbits(64)))[0] for _ in range(300)]
    ints = [*INTS, 2**31 + 1, -(2**31) - 1, 2**32, 10**18] + [
        pick.randrange(INT_MIN, INT_MAX) for _ in range(50)
    ]
    text = f"""#include "aplc.h"
APLC_EXPORT const double doubles[] = {{{", ".join([print_constant(x, Base.DOUBLE) for x in doubles])}}};
APLC_EXPORT const int64_t ints[] = {{{", ".join([print_constant(x, Base.INT) for x in ints])}}};
"""
    library = load(compiler, tmp_path, text)
    found = list((ctypes.c_double * len(doubles)).in_dll(library, "doubles"))
    assert all(same(x, y) for x, y in zip(doubles, found, strict=True))
    assert list((ctypes.c_int64 * len(ints)).in_dll(library, "ints")) == ints
    assert bits(found[DOUBLES.index(-0.0) + 1]) == bits(-0.0)


# --- texts ----------------------------------------------------------------------------------------------


def text(exp: Exp) -> str:
    return ExpPrinter(lambda thing: thing.name).text(exp)


def test_sums() -> None:
    make = ExprBuilder()
    x, y, z = (Var(name, Base.INT) for name in "xyz")
    assert text(make.add(make.sub(y, x), make.one)) == "y - x + 1"
    assert text(make.sub(make.const(5), x)) == "5 - x"
    assert text(make.sub(make.mul(make.const(-3), x), make.const(2**31))) == "-3 * x - INT64_C(2147483648)"
    assert text(make.add(make.mul(make.const(INT_MIN), x), y)) == "y - INT64_MIN * x"
    assert text(make.mul(make.sub(x, y), make.add(y, z))) == "(x - y) * (y + z)"
    assert text(make.call(QUOT, make.mul(make.const(2), x), make.add(y, z))) == "(2 * x) / (y + z)"


def test_parentheses_only_where_c_needs_them() -> None:
    x, y, z = (Var(name, Base.DOUBLE) for name in "xyz")
    a, b, c = (Var(name, Base.BOOL) for name in "abc")

    def call(op: Prim, *args: Exp) -> Call:
        return Call(op, args, result_base(op))

    for exp, wanted in (
        (call(p.SUBD, call(p.SUBD, x, y), z), "x - y - z"),
        (call(p.SUBD, x, call(p.SUBD, y, z)), "x - (y - z)"),
        (call(p.ADDD, x, call(p.ADDD, y, z)), "x + (y + z)"),
        (call(p.MULD, call(p.ADDD, x, y), z), "(x + y) * z"),
        (call(DIVIDE, x, call(p.MULD, y, z)), "x / (y * z)"),
        (call(p.NEGD, call(p.NEGD, x)), "- -x"),
        (call(p.NEGD, Const(-1.5, Base.DOUBLE)), "- -1.5"),
        (call(p.SUBD, x, Const(-1.5, Base.DOUBLE)), "x - -1.5"),
        (call(p.ANDB, call(p.ANDB, a, b), c), "a & b & c"),
        (call(p.ORB, call(p.ANDB, a, b), c), "(a & b) | c"),
        (call(p.ANDB, call(p.LTD, x, y), b), "(x < y) & b"),
        (call(p.NOTB, call(p.LTD, x, y)), "!(x < y)"),
        (call(p.NOTB, call(p.EQD, x, y)), "x != y"),
        (call(p.NOTB, call(p.ANDB, a, b)), "!(a & b)"),
        (call(p.NOTB, call(p.NOTB, a)), "a"),
        (call(FLOOR, call(p.ADDD, x, y)), "floor(x + y)"),
        (Select(a, x, Select(b, y, z, Base.DOUBLE), Base.DOUBLE), "a ? x : b ? y : z"),
        (Select(Select(a, b, c, Base.BOOL), x, y, Base.DOUBLE), "(a ? b : c) ? x : y"),
        (call(p.ADDD, Select(a, x, y, Base.DOUBLE), z), "(a ? x : y) + z"),
        (call(p.I2D, Const(-3, Base.INT)), "(double)-3"),
        (call(p.MAXD, x, Const(1.0, Base.DOUBLE)), "aplc_at_least(1.0, x)"),
        (call(p.MAXD, Const(0.0, Base.DOUBLE), x), "aplc_at_least(0.0, x)"),
        (call(p.MAXD, x, Const(0.0, Base.DOUBLE)), "aplc_max(x, 0.0)"),
        (call(p.MAXD, Const(math.nan, Base.DOUBLE), x), "aplc_max(NAN, x)"),
        (call(RAISED, call(BIT_OR, call(BITS, x), call(ALARM, a))), "aplc_raised(aplc_bits(x) | (int64_t)a)"),
    ):
        assert text(exp) == wanted


def test_small_constants_and_elements_are_computed_with_64_bits() -> None:
    a, i = Var("a", Base.BOOL), Var("i", Base.INT)
    assert text(Select(a, Const(1, Base.INT), Const(2, Base.INT), Base.INT)) == "a ? (int64_t)1 : 2"
    assert text(Read(NARROW, i, Base.INT)) == "(int64_t)narrow[i]"
    assert text(Read(SINGLE, i, Base.DOUBLE)) == "(double)single[i]"
    assert text(Read(Buffer("v", Base.INT, "int64"), i, Base.INT)) == "v[i]"


def test_a_check_is_no_expression_of_c() -> None:
    x = Var("x", Base.INT)
    site = Site(faults.NOT_WHOLE, "⍴", None)
    with pytest.raises(InternalError):
        text(Check(Var("b", Base.BOOL), x, site, (), Base.INT))


# --- statements that are shorter in C -------------------------------------------------------------------


def test_compound_assignment_does_not_regroup() -> None:
    make = ExprBuilder()
    n, s, t = Var("n", Base.INT), Var("s", Base.DOUBLE), Var("t", Base.INT)
    one = make.const(1.5)
    plus = make.call(p.ADDD, s, one)

    def after(var: Var, value: Exp) -> str:
        declared = [l.Declare(v, make.const(0.0) if v is s else make.zero, mutable=True) for v in (n, s, t)]
        return emit_c((), l.Code((*declared, l.Assign(var, value)))).text

    assert "s += 1.5;" in after(s, plus)
    assert "s = s + 1.5 - 2.5;" in after(s, make.call(p.SUBD, plus, make.const(2.5)))
    assert "s = s + 1.5 + 2.5;" in after(s, make.call(p.ADDD, plus, make.const(2.5)))
    chosen = make.select(make.call(p.GTD, plus, one), one, make.const(0.5))
    assert "s = s + 1.5 > 1.5 ? 1.5 : 0.5;" in after(s, chosen)
    assert "n += t - 1;" in after(n, make.add(n, make.sub(t, make.one)))


def test_a_bound_that_is_a_choice_is_parenthesised() -> None:
    make = ExprBuilder()
    b, m, k = Var("b", Base.BOOL), Var("m", Base.INT), Var("k", Base.INT, True)
    bound = make.select(b, m, make.const(3))
    for descending in (False, True):
        loop = l.For(k, make.zero, bound, (), descending=descending)
        text = emit_c((), l.Code((l.Declare(b, make.true), l.Declare(m, make.one), loop))).text
        assert "(b ? m : 3)" in text


def test_conditions_in_memory_are_joined_as_bytes() -> None:
    """In lanes; elsewhere, and where something is compared, they are conditions."""
    make = ExprBuilder()
    a, b = (Buffer(name, Base.BOOL, "bool") for name in "ab")
    k, t = make.index("k", make.const(64)), Var("t", Base.BOOL)
    joined = make.call(p.ORB, make.read(a, k), make.call(p.ANDB, t, make.read(b, k)))
    compared = make.call(p.ORB, make.read(a, k), make.call(p.LTI, k, make.const(9)))

    def stored(value: Exp, reductions: tuple[l.Reduction, ...] | None) -> str:
        loop = l.For(k, make.zero, make.const(64), (l.Store(a, k, value),), reductions=reductions)
        parts = (l.Local(a, 64), l.Local(b, 64), l.Declare(t, make.true), loop)
        return emit_c((), l.Code(parts)).text

    assert "a[k] = a[k] | (t & b[k]);" in stored(joined, ())
    assert "a[k] = (a[k] != 0) | (t & (b[k] != 0));" in stored(joined, None)
    assert "a[k] = (a[k] != 0) | (" in stored(compared, ())


def test_a_product_of_extents_is_counted_with_care() -> None:
    make = ExprBuilder()
    n, m = (make.between(name, (make.zero,), ()) for name in "nm")
    site = Site(faults.NO_MEMORY, "", None)
    for size, wanted in (
        (make.mul(n, m), "aplc_count(2, (const int64_t[]){n, m})"),
        (make.product((n, make.const(6), m)), "aplc_count(3, (const int64_t[]){n, m, 6})"),
        (make.add(n, m), "aplc_alloc(n + m, "),
    ):
        buffer = Buffer("a", Base.BOOL, "bool")
        declared = l.Declare(n, make.one), l.Declare(m, make.one)
        text = emit_c((), l.Code((*declared, l.Allocate(buffer, size, site)))).text
        assert wanted in text
    huge = make.product((make.const(2**32), make.const(2**32)))
    assert huge is make.const(INT_MAX)
