"""The maker of scalar expressions: what it simplifies keeps its value, and what it claims is true."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aplc.laila.ir.scalar import (
    DIVIDE,
    QUOT,
    REM,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    Read,
    Select,
    Site,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.prims import INT_MAX, INT_MIN, Prim
from aplc.tail.types import Base
from tests.support.laila.meaning import Env, Tree, same, value_of
from tests.support.laila.trees import (
    COMPARISONS,
    FLAGS,
    INDICES,
    REALS,
    TREES,
    USERS,
    Scope,
    conditions,
    counts,
    environments,
    reals,
    small_environments,
    tree_value,
)

# --- constructors ---------------------------------------------------------------------------------------


@pytest.mark.in_turn(12)
@settings(max_examples=600, deadline=None)
@given(TREES, environments())
def test_constructors_keep_the_value(tree: Tree, env: Env) -> None:
    assert same(value_of(Scope().build(tree), env), tree_value(tree, env))


@settings(max_examples=300, deadline=None)
@given(counts(3, ()), counts(2, ()))
def test_nothing_is_claimed_that_can_be_false(left: Tree, right: Tree) -> None:
    scope = Scope()
    a, b = scope.build(left), scope.build(right)
    nonnegative, at_least = scope.make.nonnegative(a), scope.make.at_least(a, b)
    if not (nonnegative or at_least):
        return
    for env in small_environments():
        assert not nonnegative or tree_value(left, env) >= 0
        assert not at_least or tree_value(left, env) >= tree_value(right, env)


@settings(max_examples=100, deadline=None)
@given(st.one_of(counts(4, ()), conditions(4), reals(4)))
def test_equal_expressions_are_one_object(tree: Tree) -> None:
    scope = Scope()
    first = scope.build(tree)
    assert scope.build(tree) is first


def test_operands_of_sums_and_products_commute() -> None:
    scope = Scope()
    make, i, x, y = scope.make, scope.vars["i"], scope.vars["x"], scope.vars["y"]
    assert make.add(make.add(i, x), y) is make.add(y, make.add(x, i))
    assert make.mul(x, y) is make.mul(y, x)
    assert make.sub(make.add(x, y), y) is x
    assert make.mul(make.const(2), x) is make.add(x, x)
    assert make.add(make.mul(make.const(2**63), x), make.mul(make.const(-(2**63)), x)) is make.zero


def test_a_doubled_sum_stays_one_node() -> None:
    make = ExprBuilder()
    x: Exp = Var("x", Base.INT)
    for _ in range(200):
        x = make.add(x, x)
    assert x is make.zero  # 2**200 wraps


@settings(max_examples=300, deadline=None)
@given(TREES, environments(), st.data())
def test_substitution_keeps_the_value(tree: Tree, env: Env, data: st.DataObject) -> None:
    """A variable for a value, or an expression for an index, gives what it gives when that is what it is."""
    scope = Scope()
    make, exp = scope.make, scope.build(tree)
    name = data.draw(st.sampled_from((*INDICES, *USERS, *FLAGS, *REALS)))
    by: Exp
    if name == "i" and data.draw(st.booleans()):
        by = make.sub(make.sub(scope.vars["n"], make.one), scope.vars["i"])
        changed = {**env, "i": env["n"] - 1 - env["i"]}
    else:
        by, changed = make.const(env[name]), env
    assert same(value_of(Substitute(make, {scope.vars[name]: by})(exp), env), value_of(exp, changed))


def test_substitution_of_a_condition_drops_the_other_branch() -> None:
    scope = Scope()
    make, x = scope.make, scope.vars["x"]
    table = Buffer("t", Base.INT, "int64", (7, 8))
    inside = make.call(p.LTI, x, make.const(2))
    exp = make.select(inside, make.read(table, x), make.const(9))
    assert Substitute(make, {inside: make.false})(exp) is make.const(9)
    # The branch that is not taken is not rebuilt: its read would be outside the table.
    assert Substitute(make, {x: make.const(5)})(exp) is make.const(9)
    assert Substitute(make, {x: make.const(1)})(exp) is make.const(8)


# --- what must be found ---------------------------------------------------------------------------------


def test_conditions_on_indices_are_decided() -> None:
    scope = Scope()
    make, call = scope.make, scope.make.call
    i, j, n, m = (scope.vars[name] for name in ("i", "j", "n", "m"))
    one, two = make.one, make.const(2)
    for op, a, b in (
        (p.LTI, i, n),
        (p.LTI, j, m),
        (p.LTI, j, n),
        (p.GTEI, i, make.zero),
        (p.LTEI, make.add(i, one), n),
        (p.LTI, make.sub(make.sub(n, one), i), n),
        (p.GTEI, make.sub(make.sub(n, one), i), make.zero),
        (p.LTI, call(REM, i, two), two),
        (p.NEQI, i, n),
        (p.LTEI, make.add(i, j), make.sub(make.add(n, m), two)),
        (p.GTEI, make.mul(m, n), make.zero),
    ):
        assert call(op, a, b) is make.true, (op, a, b)
    assert call(p.EQI, make.add(i, one), i) is make.false
    assert call(p.GTI, i, n) is make.false
    assert call(p.MAXI, i, n) is n and call(p.MINI, n, i) is i
    assert call(REM, i, n) is i and call(QUOT, i, n) is make.zero
    assert call(REM, i, one) is make.zero and call(QUOT, i, one) is i
    assert isinstance(call(p.LTI, i, m), Call)


def test_last_indices() -> None:
    scope = Scope()
    make, n, m = scope.make, scope.vars["n"], scope.vars["m"]
    below = lambda e: make.sub(e, make.one)  # noqa: E731
    assert make.last_indices(n) == (below(n),)
    assert make.last_indices(make.call(p.MINI, n, m)) == (below(n), below(m))
    clipped = make.call(p.MAXI, make.zero, make.sub(n, m))
    assert make.last_indices(clipped) == (below(make.sub(n, m)),)


# --- what must not be ----------------------------------------------------------------------------------


@pytest.mark.parametrize("op", COMPARISONS[:4])
def test_user_integers_wrap(op: Prim) -> None:
    make = ExprBuilder()
    x = Var("x", Base.INT)
    for shifted in (make.add(x, make.one), make.sub(x, make.one), make.mul(make.const(2), x)):
        for a, b in ((shifted, x), (x, shifted)):
            assert isinstance(make.call(op, a, b), Call)
    assert isinstance(make.call(p.MAXI, make.add(x, make.one), x), Call)
    assert make.call(op, x, x) is make.const(op in (p.LTEI, p.GTEI))
    # Equality survives a difference that wraps.
    assert make.call(p.EQI, make.add(x, make.one), x) is make.false
    assert make.call(p.NEQI, make.add(x, make.one), make.add(make.one, x)) is make.false


def test_an_index_against_a_great_constant_is_not_decided_by_a_wrapped_difference() -> None:
    scope = Scope()
    make, i = scope.make, make_index(scope)
    assert make.call(p.LTI, i, make.const(INT_MIN)) is not make.true
    assert make.call(p.GTI, make.add(i, make.const(INT_MIN)), make.zero) is not make.true
    assert not make.nonnegative(make.add(i, make.const(INT_MAX)))
    assert not make.at_least(make.const(INT_MIN), i)


def make_index(scope: Scope) -> Var:
    return scope.make.index("k", scope.make.const(9))


def test_products_of_great_indices_wrap() -> None:
    make = ExprBuilder()
    i = make.index("i", make.const(2**33))
    assert make.call(p.GTEI, make.mul(i, i), make.zero) is not make.true


def test_doubles_are_not_integers() -> None:
    make = ExprBuilder()
    x = Var("x", Base.DOUBLE)
    zero, minus_zero, one = make.const(0.0), make.const(-0.0), make.const(1.0)
    assert zero is not minus_zero
    assert (
        make.call(p.SUBD, x, zero) is x and make.call(p.MULD, x, one) is x and make.call(DIVIDE, x, one) is x
    )
    for kept in (
        make.call(p.ADDD, x, zero),  # -0.0 + 0.0 is 0.0
        make.call(p.SUBD, x, minus_zero),
        make.call(p.SUBD, x, x),  # NaN
        make.call(p.MULD, x, zero),
        make.call(p.EQD, x, x),
        make.call(p.LTD, x, x),
        make.call(DIVIDE, one, zero),
    ):
        assert isinstance(kept, Call)


@pytest.mark.parametrize(
    "value", [0.1, 1 / 3, 1e-320, 2.0**-1074, 1.7976931348623157e308, -0.0, math.inf, math.nan]
)
def test_double_constants_keep_every_digit(value: float) -> None:
    make = ExprBuilder()
    const = make.const(value)
    assert isinstance(const, Const) and const.ty is Base.DOUBLE and same(const.value, value)
    assert make.const(value) is const
    folded = make.call(p.MULD, const, make.const(1.0))
    assert isinstance(folded, Const) and same(folded.value, value)


def test_constants_keep_their_type() -> None:
    make = ExprBuilder()
    leaves = [make.const(True), make.const(1), make.const(1.0), make.const(1, Base.CHAR)]
    assert len({id(leaf) for leaf in leaves}) == 4
    assert [leaf.ty for leaf in leaves] == [Base.BOOL, Base.INT, Base.DOUBLE, Base.CHAR]
    assert make.const(2**63) is make.const(INT_MIN) and make.const(2**64 + 5) is make.const(5)
    assert make.call(p.ADDI, make.const(INT_MAX), make.one) is make.const(INT_MIN)
    assert make.call(p.NEGI, make.const(INT_MIN)) is make.const(INT_MIN)
    assert make.call(p.ADDD, make.const(0.1), make.const(0.2)) is make.const(0.30000000000000004)
    assert make.call(p.B2I, make.true) is make.one and make.call(p.I2D, make.one) is make.const(1.0)


def test_what_cannot_be_folded_stays() -> None:
    make = ExprBuilder()
    for op in (QUOT, REM):
        assert isinstance(make.call(op, make.one, make.zero), Call)
    assert isinstance(make.call(p.I2B, make.const(2)), Call)


# --- selects, checks, folds, reads ----------------------------------------------------------------------


def test_select_laws() -> None:
    make = ExprBuilder()
    b, x, y = Var("b", Base.BOOL), Var("x", Base.INT), Var("y", Base.INT)
    assert make.select(make.true, x, y) is x and make.select(make.false, x, y) is y
    assert make.select(b, x, x) is x
    assert make.select(make.call(p.NOTB, b), x, y) is make.select(b, y, x)
    assert make.call(p.NOTB, make.call(p.NOTB, b)) is b


def test_logic_laws() -> None:
    make = ExprBuilder()
    b, c = Var("b", Base.BOOL), Var("c", Base.BOOL)
    assert make.call(p.ANDB, b, make.true) is b and make.call(p.ANDB, make.false, b) is make.false
    assert make.call(p.ORB, make.false, b) is b and make.call(p.ORB, b, make.true) is make.true
    assert make.call(p.ANDB, b, b) is b and make.call(p.ORB, c, c) is c
    assert isinstance(make.call(p.ANDB, b, c), Call)


def test_check_and_fold_laws() -> None:
    scope = Scope()
    make, x, n = scope.make, scope.vars["x"], scope.vars["n"]
    b = Var("b", Base.BOOL)
    site = Site(faults.DIVIDE_BY_ZERO, "÷", None)
    assert make.check(make.true, x, site) is x
    checked = make.check(b, x, site)
    assert isinstance(checked, Check) and make.check(b, x, site) is checked
    assert make.check(b, x, Site(faults.DIVIDE_BY_ZERO, "÷", None)) is not checked
    assert isinstance(make.check(make.false, x, site), Check)
    k = make.index("k", n)
    fold = make.fold(p.ADDI, k, n, x, make.zero)
    assert isinstance(fold, Fold) and make.fold(p.ADDI, k, n, x, make.zero) is fold
    assert make.fold(p.ADDI, k, make.zero, x, make.const(5)) is make.const(5)
    assert isinstance(make.fold(p.MAXI, k, make.zero, x, None), Fold)


def test_tables_are_read_at_compile_time() -> None:
    make = ExprBuilder()
    i = make.index("i", make.const(2))
    table, memory = Buffer("t", Base.DOUBLE, "float64", (0.5, -0.0)), Buffer("v", Base.DOUBLE, "float64")
    assert make.read(table, make.one) is make.const(-0.0)
    assert isinstance(make.read(table, i), Read) and isinstance(make.read(memory, make.one), Read)
    assert make.read(memory, i) is make.read(memory, i)


def test_a_table_of_one_number_is_that() -> None:
    make = ExprBuilder()
    k = make.index("k", make.const(3))
    same, others = [Buffer("c", Base.DOUBLE, "float64", data) for data in ((1.5, 1.5, 1.5), (0.0, -0.0, 0.0))]
    assert make.read(same, k) is make.const(1.5)
    assert isinstance(make.read(others, k), Read)


def test_multiples_of_two_are_not_odd() -> None:
    """Whatever integers wrap; multiples of three may be one by that."""
    make = ExprBuilder()
    n, m = Var("n", Base.INT), Var("m", Base.INT)
    some = make.add(make.mul(make.const(32), n), make.mul(make.const(6), m))
    assert make.call(p.EQI, some, make.one) is make.false
    assert make.call(p.NEQI, make.const(7), some) is make.true
    assert isinstance(make.call(p.EQI, some, make.const(4)), Call)
    assert isinstance(make.call(p.EQI, make.mul(make.const(3), n), make.one), Call)


def test_of_zeros_and_ones_multiples_and_divisors_are_tests() -> None:
    make = ExprBuilder()
    a, b = [make.call(p.B2I, Var(name, Base.BOOL)) for name in "ab"]
    for op, test in ((p.LCMI, p.ANDB), (p.GCDI, p.ORB)):
        result = make.call(op, make.select(Var("c", Base.BOOL), a, make.one), b)
        assert isinstance(result, Call) and result.op is p.B2I
        assert isinstance(result.args[0], Call) and result.args[0].op is test
        assert isinstance(make.call(op, make.const(2), b), Call)


def test_a_quotient_by_zero_bounds_nothing() -> None:
    """Code that never runs, where an extent is 0, divides by it."""
    make = ExprBuilder()
    n = make.between("n", (make.zero,), ())
    quotient = make.call(QUOT, n, make.zero)
    assert not make.at_least(n, make.mul(make.const(2), quotient))


def test_fresh_names_differ() -> None:
    make = ExprBuilder()
    hints = ["v", "v", "v_1", "v_1", "v", "v_2", "v_1_1", "v", "v_1", "w_1", "w", "w", "w"]
    names = [make.fresh(hint) for hint in hints]
    assert len(set(names)) == len(names)
    assert names[0] == "v"


def test_deep_expressions_need_no_recursion() -> None:
    make = ExprBuilder()
    b = Var("b", Base.BOOL)
    x: Exp = Var("x", Base.INT)
    for k in range(20_000):
        x = make.call(p.SIGNI if k % 2 else p.ABSI, x)
    assert sum(1 for _ in nodes(x)) == 20_001
    y = Var("y", Base.INT)
    leaf = next(n for n in nodes(x) if isinstance(n, Var))
    assert sum(1 for _ in nodes(Substitute(make, {leaf: y, b: make.true})(x))) == 20_001


def test_elements_that_several_conditions_place_are_read() -> None:
    scope = Scope()
    make, call = scope.make, scope.make.call
    i = scope.vars["i"]
    conditions = [call(p.B2I, call(p.EQI, call(REM, i, make.const(k)), make.one)) for k in (3, 5)]
    place = make.add(conditions[0], make.mul(make.const(2), conditions[1]))
    table = Buffer("t", Base.INT, "int64")
    constants = Buffer("c", Base.INT, "int64", (3, 1, 4, 1))
    assert isinstance(make.read(table, place), Read)
    assert isinstance(make.read(table, conditions[0]), Select)
    assert isinstance(make.read(constants, place), Select)
