"""Random scalar expressions of Laila, for tests of what makes and simplifies them.

An expression is drawn as a plain tree of tuples, built through the constructors of `ExprBuilder`, and
compared with the value that the tree itself has. Indices respect their bounds; user integers may be anything
and wrap.
"""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

from hypothesis import strategies as st

from aplc.laila.ir.scalar import CEIL, DIVIDE, FLOOR, QUOT, REM, Exp, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p
from aplc.tail.prims import INT_MAX, INT_MIN
from aplc.tail.types import Base
from tests.support.laila.meaning import MEANING, Env, Tree

CORNERS = (INT_MIN, INT_MAX, INT_MIN + 1, 2**62, -(2**62), 2**32)
NUMBERS = st.one_of(st.integers(-3, 9), st.sampled_from(CORNERS))
USER = st.one_of(st.integers(-3, 9), st.sampled_from(CORNERS), st.integers(INT_MIN, INT_MAX))
DOUBLES = st.one_of(st.sampled_from((0.0, -0.0, 1.0, 0.1, -2.5, 1e308, math.inf, math.nan)), st.floats())

INDICES, EXTENTS, USERS, FLAGS, REALS = ("i", "j"), ("n", "m"), ("x", "y"), ("b", "c"), ("d", "e")
INT_OPS = (p.ADDI, p.SUBI, p.MAXI, p.MINI)
COMPARISONS = (p.LTI, p.LTEI, p.GTI, p.GTEI, p.EQI, p.NEQI)
REAL_OPS = (p.ADDD, p.SUBD, p.MULD, p.MAXD, p.MIND, DIVIDE)
REAL_COMPARISONS = (p.LTD, p.LTED, p.GTD, p.GTED, p.EQD, p.NEQD)


@st.composite
def counts(draw: st.DrawFn, depth: int, bound: tuple[str, ...]) -> Tree:
    """An integer, made mostly of indices and extents; `bound` are the indices of folds around it."""
    kinds = ("index", "extent", "user", "number", "op", "op", "scaled", "times", "divided", "unary", "select")
    kind = draw(st.sampled_from(kinds if depth else kinds[:4]))
    go = counts(depth - 1, bound)
    match kind:
        case "index":
            return "var", draw(st.sampled_from(INDICES + bound))
        case "extent":
            return "var", draw(st.sampled_from(EXTENTS))
        case "user":
            return "var", draw(st.sampled_from(USERS))
        case "number":
            return "const", draw(NUMBERS)
        case "op":
            return "call", draw(st.sampled_from(INT_OPS)), draw(go), draw(go)
        case "scaled":
            return "call", p.MULI, ("const", draw(st.sampled_from((-1, 2, -3, 5000, 2**40)))), draw(go)
        case "times":
            left, right = (
                draw(st.sampled_from(INDICES + EXTENTS)),
                draw(st.sampled_from(INDICES + EXTENTS + USERS)),
            )
            return "call", p.MULI, ("var", left), ("var", right)
        case "divided":
            whole: Tree = ("var", draw(st.sampled_from(INDICES + EXTENTS)))
            if draw(st.booleans()):
                whole = ("call", p.ADDI, whole, ("var", draw(st.sampled_from(INDICES))))
            by = (
                ("const", draw(st.integers(1, 9)))
                if draw(st.booleans())
                else ("var", draw(st.sampled_from(EXTENTS)))
            )
            return "call", draw(st.sampled_from((QUOT, REM))), whole, by
        case "unary":
            if draw(st.booleans()):
                return "call", p.B2I, draw(conditions(depth - 1, bound))
            return "call", draw(st.sampled_from((p.NEGI, p.ABSI, p.SIGNI))), draw(go)
        case _:
            return "select", draw(conditions(depth - 1, bound)), draw(go), draw(go)


@st.composite
def conditions(draw: st.DrawFn, depth: int, bound: tuple[str, ...] = ()) -> Tree:
    kind = draw(
        st.sampled_from(("test", "test", "flag", "logic", "not", "real", "select") if depth else ("flag",))
    )
    go = conditions(depth - 1, bound) if depth else st.nothing()
    match kind:
        case "flag":
            return draw(st.sampled_from((("var", "b"), ("var", "c"), ("const", True), ("const", False))))
        case "test":
            numbers = counts(depth - 1, bound)
            return "call", draw(st.sampled_from(COMPARISONS)), draw(numbers), draw(numbers)
        case "real":
            return (
                "call",
                draw(st.sampled_from(REAL_COMPARISONS)),
                draw(reals(depth - 1)),
                draw(reals(depth - 1)),
            )
        case "logic":
            return "call", draw(st.sampled_from((p.ANDB, p.ORB, p.EQB, p.NEQB))), draw(go), draw(go)
        case "not":
            return "call", p.NOTB, draw(go)
        case _:
            return "select", draw(go), draw(go), draw(go)


@st.composite
def reals(draw: st.DrawFn, depth: int) -> Tree:
    kind = draw(
        st.sampled_from(("var", "const", "op", "unary", "count", "select") if depth else ("var", "const"))
    )
    match kind:
        case "var":
            return "var", draw(st.sampled_from(REALS))
        case "const":
            return "const", draw(DOUBLES)
        case "op":
            return "call", draw(st.sampled_from(REAL_OPS)), draw(reals(depth - 1)), draw(reals(depth - 1))
        case "unary":
            return "call", draw(st.sampled_from((p.NEGD, p.ABSD, FLOOR, CEIL))), draw(reals(depth - 1))
        case "count":
            return "call", p.I2D, draw(counts(depth - 1, ()))
        case _:
            return "select", draw(conditions(depth - 1)), draw(reals(depth - 1)), draw(reals(depth - 1))


@st.composite
def folds(draw: st.DrawFn) -> Tree:
    op = draw(st.sampled_from((p.ADDI, p.MULI, p.MAXI, p.MINI)))
    extent = draw(
        st.sampled_from(
            (("var", "n"), ("const", 3), ("const", 0), ("call", p.MINI, ("var", "n"), ("var", "m")))
        )
    )
    return "fold", op, extent, draw(counts(2, ("k",))), draw(counts(1, ()))


TREES = st.one_of(counts(4, ()), conditions(4), reals(4), folds())


def tree_value(tree: Tree, env: Env) -> Any:
    """The value of a tree, with no cleverness at all."""
    match tree:
        case ("const", value):
            return value
        case ("var", name):
            return env[name]
        case ("call", op, *args):
            return MEANING[op](*[tree_value(a, env) for a in args])
        case ("select", cond, then, other):
            return tree_value(then if tree_value(cond, env) else other, env)
        case ("fold", op, extent, body, empty):
            elements = [tree_value(body, {**env, "k": k}) for k in range(tree_value(extent, env))]
            if not elements:
                return tree_value(empty, env)
            result = elements.pop()
            while elements:
                result = MEANING[op](elements.pop(), result)
            return result
    raise AssertionError(tree)


class Scope:
    """A maker with variables of every kind: `i < n`, `j < min(n, m)`, positive extents, and the user's."""

    def __init__(self) -> None:
        make = self.make = ExprBuilder()
        self.vars: dict[str, Exp] = {name: make.between(name, (make.one,), ()) for name in EXTENTS}
        n, m = self.vars["n"], self.vars["m"]
        self.vars |= {"i": make.index("i", n), "j": make.index("j", make.call(p.MINI, n, m))}
        for names, ty in ((USERS, Base.INT), (FLAGS, Base.BOOL), (REALS, Base.DOUBLE)):
            self.vars |= {name: Var(make.fresh(name), ty) for name in names}

    def build(self, tree: Tree) -> Exp:
        make = self.make
        match tree:
            case ("const", value):
                return make.const(value)
            case ("var", name):
                return self.vars[name]
            case ("call", op, *args):
                return make.call(op, *map(self.build, args))
            case ("select", cond, then, other):
                return make.select(self.build(cond), self.build(then), self.build(other))
            case ("fold", op, extent, body, empty):
                size = self.build(extent)
                var = self.vars["k"] = make.index("k", size)
                return make.fold(op, var, size, self.build(body), self.build(empty))
        raise AssertionError(tree)


@st.composite
def environments(draw: st.DrawFn) -> Env:
    """Values that respect the bounds of a `Scope`."""
    n, m = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    env: Env = {"n": n, "m": m, "i": draw(st.integers(0, n - 1)), "j": draw(st.integers(0, min(n, m) - 1))}
    for names, values in ((USERS, USER), (FLAGS, st.booleans()), (REALS, DOUBLES)):
        env |= {name: draw(values) for name in names}
    return env


def small_environments() -> Iterator[Env]:
    """All small indices, with a few values of the user's integers."""
    users = (0, 1, INT_MAX, INT_MIN)
    for n, m, x in product((1, 2, 4), (1, 3), users):
        for i, j in product(range(n), range(min(n, m))):
            yield {
                "n": n,
                "m": m,
                "i": i,
                "j": j,
                "x": x,
                "y": -3,
                "b": x > 0,
                "c": i > j,
                "d": 0.5,
                "e": math.nan,
            }
