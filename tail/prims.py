"""THE table of TAIL's primitive operators: name, type schemes, NumPy meaning, identity item, algebra.

One row declares a primitive for this layer; every other layer keys its own table by the `Prim` object. A row
with several schemes is typed by the first that fits: the more precise one (a known length) stands first.
`refine` sharpens the type of a result from constant arguments, where a linear scheme cannot say it.

Sources: thesis figures 3.2 to 3.4; additions are those that the language page needs. Scalar operators are
monomorphic, with the base type as the last letter of their names: i int, d double, b bool, c char.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tail import meaning as m
from tail.types import Array, Rho, Single, Type, Vector
from tail.unify import NoMatch, Scheme, parse_scheme

Constants = tuple[tuple[int, ...] | None, ...]
"""For each argument its elements, where it is a literal of integers."""

Refine = Callable[[tuple[Type, ...], Constants, Type], Type]

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
DOUBLE_MAX = 1.7976931348623157e308


@dataclass(frozen=True, eq=False, slots=True)
class Prim:
    """One primitive operator; compared by identity."""

    name: str
    schemes: tuple[Scheme, ...]
    meaning: Callable[..., Any]
    is_scalar: bool = False
    identity: int | float | None = None
    """What a reduction of an empty axis gives, as a number; None: there is none."""
    associative: bool = False
    """Whether a reduction may be reassociated (for doubles: up to rounding)."""
    refine: Refine | None = None

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return len(self.schemes[0].type.params)

    def result_type(self, args: tuple[Type, ...], constants: Constants | None = None) -> Type:
        """The type of an application, from the first scheme that fits; `NoMatch` if none does."""
        reason: NoMatch | None = None
        for scheme in self.schemes:
            try:
                result = scheme.instantiate(args)
            except NoMatch as failure:
                reason = failure
                continue
            return self.refine(args, constants or (None,) * len(args), result) if self.refine else result
        raise NoMatch(f"{self.name}: {reason}")

    def __repr__(self) -> str:
        return f"Prim({self.name})"


PRIMS: dict[str, Prim] = {}
"""All primitives by the name of the text form."""


def _declare(prim: Prim) -> Prim:
    assert prim.name not in PRIMS, prim.name
    PRIMS[prim.name] = prim
    return prim


def _scalar(
    name: str,
    scheme: str,
    meaning: Callable[..., Any],
    identity: int | float | None = None,
    *,
    associative: bool = False,
) -> Prim:
    return _declare(Prim(name, (parse_scheme(scheme),), meaning, True, identity, associative))


def _array(name: str, *schemes: str, meaning: Callable[..., Any], refine: Refine | None = None) -> Prim:
    return _declare(Prim(name, tuple(map(parse_scheme, schemes)), meaning, refine=refine))


# --- refinements ----------------------------------------------------------------------------------------


def _natural_length(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """A vector as long as a singleton's value, which must not be negative."""
    assert isinstance(result, Vector)
    if not result.length.is_natural:
        raise NoMatch(f"{result.length} is no length")
    return result


def _taken_length(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """`takeV`: the length is the count's magnitude."""
    assert isinstance(result, Vector)
    if result.length.is_const:
        return Vector(result.base, Rho(abs(result.length.const)))
    return _natural_length(args, constants, result)


def _dropped_length(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """`dropV`: the rest after a constant count from either end, never below zero."""
    count, vector = args
    assert isinstance(count, Single) and isinstance(result, Vector)
    length = vector.length if isinstance(vector, Vector) else Rho(1)
    if not count.value.is_const:
        return _natural_length(args, constants, Vector(result.base, length - count.value))
    kept = length - abs(count.value.const)
    if kept.is_const:
        return Vector(result.base, Rho(max(0, kept.const)))
    return _natural_length(args, constants, Vector(result.base, kept))


def _diagonal_rank(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """`diagonal`: the axes are literals, 1 to the greatest named without a gap; that one is the rank."""
    assert isinstance(result, Array)
    axes = constants[0]
    if axes is None:
        raise NoMatch("the axes must be literals")
    rank = max(axes, default=0)
    if rank > len(axes) or set(axes) != set(range(1, rank + 1)):
        raise NoMatch("the axes must be 1 to the rank of the result")
    return Array(result.base, Rho(rank))


def _same_type(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """The type of the argument, singletons and lengths included."""
    return args[0]


# --- scalar operators -----------------------------------------------------------------------------------

_II_I, _DD_D, _BB_B = "int → int → int", "double → double → double", "bool → bool → bool"

ADDI = _scalar("addi", _II_I, np.add, 0, associative=True)
SUBI = _scalar("subi", _II_I, np.subtract, 0)
MULI = _scalar("muli", _II_I, np.multiply, 1, associative=True)
MAXI = _scalar("maxi", _II_I, np.maximum, INT_MIN, associative=True)
MINI = _scalar("mini", _II_I, np.minimum, INT_MAX, associative=True)
RESI = _scalar("resi", _II_I, m.residue_int, 0)
GCDI = _scalar("gcdi", _II_I, np.gcd, 0)
LCMI = _scalar("lcmi", _II_I, m.lcm, 1)
NEGI = _scalar("negi", "int → int", np.negative)
ABSI = _scalar("absi", "int → int", np.abs)
SIGNI = _scalar("signi", "int → int", m.sign)

ADDD = _scalar("addd", _DD_D, np.add, 0, associative=True)
SUBD = _scalar("subd", _DD_D, np.subtract, 0)
MULD = _scalar("muld", _DD_D, np.multiply, 1, associative=True)
DIVD = _scalar("divd", _DD_D, m.divide, 1)
MAXD = _scalar("maxd", _DD_D, np.maximum, -DOUBLE_MAX, associative=True)
MIND = _scalar("mind", _DD_D, np.minimum, DOUBLE_MAX, associative=True)
RESD = _scalar("resd", _DD_D, m.residue_double, 0)
POWD = _scalar("powd", _DD_D, m.power, 1)
NEGD = _scalar("negd", "double → double", np.negative)
ABSD = _scalar("absd", "double → double", np.abs)
EXPD = _scalar("expd", "double → double", np.exp)
LND = _scalar("lnd", "double → double", m.natural_log)
SIGND = _scalar("signd", "double → int", m.sign)
FLOORD = _scalar("floord", "double → int", m.floor)
CEILD = _scalar("ceild", "double → int", m.ceiling)

LTI = _scalar("lti", "int → int → bool", np.less, 0)
LTEI = _scalar("ltei", "int → int → bool", np.less_equal, 1)
GTI = _scalar("gti", "int → int → bool", np.greater, 0)
GTEI = _scalar("gtei", "int → int → bool", np.greater_equal, 1)
EQI = _scalar("eqi", "int → int → bool", np.equal, 1)
NEQI = _scalar("neqi", "int → int → bool", np.not_equal, 0)
LTD = _scalar("ltd", "double → double → bool", np.less, 0)
LTED = _scalar("lted", "double → double → bool", np.less_equal, 1)
GTD = _scalar("gtd", "double → double → bool", np.greater, 0)
GTED = _scalar("gted", "double → double → bool", np.greater_equal, 1)
EQD = _scalar("eqd", "double → double → bool", np.equal, 1)
NEQD = _scalar("neqd", "double → double → bool", np.not_equal, 0)
EQC = _scalar("eqc", "char → char → bool", np.equal, 1)
NEQC = _scalar("neqc", "char → char → bool", np.not_equal, 0)

ANDB = _scalar("andb", _BB_B, np.logical_and, 1, associative=True)
ORB = _scalar("orb", _BB_B, np.logical_or, 0, associative=True)
NANDB = _scalar("nandb", _BB_B, lambda x, y: ~(x & y))
NORB = _scalar("norb", _BB_B, lambda x, y: ~(x | y))
EQB = _scalar("eqb", _BB_B, np.equal, 1, associative=True)
NEQB = _scalar("neqb", _BB_B, np.not_equal, 0, associative=True)
NOTB = _scalar("notb", "bool → bool", np.logical_not)

B2I = _scalar("b2i", "bool → int", lambda x: np.asarray(x).astype(np.int64))
I2D = _scalar("i2d", "int → double", lambda x: np.asarray(x).astype(np.float64))
D2I = _scalar("d2i", "double → int", m.double_to_int)
I2B = _scalar("i2b", "int → bool", m.int_to_bool)

# --- second-order operators -----------------------------------------------------------------------------

EACH = _array(
    "each",
    "∀αβγ. (α → β) → <α>γ → <β>γ",
    "∀αβγ. (α → β) → [α]γ → [β]γ",
    meaning=m.apply_each,
)
ZIP_WITH = _array(
    "zipWith",
    "∀α1α2βγ. (α1 → α2 → β) → <α1>γ → <α2>γ → <β>γ",
    "∀α1α2βγ. (α1 → α2 → β) → [α1]γ → [α2]γ → [β]γ",
    meaning=m.zip_with,
)
REDUCE = _array("reduce", "∀αγ. (α → α → α) → α → [α](1+γ) → [α]γ", meaning=m.reduce)
REDUCE1 = _array("reduce1", "∀αγ. (α → α → α) → [α](1+γ) → [α]γ", meaning=m.reduce_nonempty)
OUTER = _array("outer", "∀α1α2βγγ1. (α1 → α2 → β) → [α1]γ → [α2]γ1 → [β](γ+γ1)", meaning=m.outer)
INNER = _array(
    "inner",
    "∀α1α2βγγ1. (β → β → β) → β → (α1 → α2 → β) → [α1](γ+1) → [α2](1+γ1) → [β](γ+γ1)",
    meaning=m.inner,
)
INNER1 = _array(
    "inner1",
    "∀α1α2βγγ1. (β → β → β) → (α1 → α2 → β) → [α1](γ+1) → [α2](1+γ1) → [β](γ+γ1)",
    meaning=m.inner_nonempty,
)

# --- structure ------------------------------------------------------------------------------------------

IOTA = _array("iota", "int → [int]1", meaning=m.index_generator)
SHAPE = _array("shape", "∀αγ. [α]γ → <int>γ", meaning=m.shape)
RESHAPE = _array("reshape", "∀αγγ1. <int>γ1 → [α]γ → [α]γ1", meaning=m.reshape)
RAVEL = _array("ravel", "∀αγ. [α]γ → [α]1", meaning=m.ravel)
REVERSE = _array("reverse", "∀αγ. [α]γ → [α]γ", meaning=m.reverse)
ROTATE = _array("rotate", "∀αγ. int → [α]γ → [α]γ", meaning=m.rotate)
TRANSP = _array("transp", "∀αγ. [α]γ → [α]γ", meaning=m.transpose)
TRANSP2 = _array("transp2", "∀αγ. <int>γ → [α]γ → [α]γ", meaning=m.transpose_by)
DIAGONAL = _array("diagonal", "∀αγ. <int>γ → [α]γ → [α]γ", meaning=m.diagonal, refine=_diagonal_rank)
TAKE = _array("take", "∀αγ. int → [α](1+γ) → [α](1+γ)", meaning=m.take)
DROP = _array("drop", "∀αγ. int → [α](1+γ) → [α](1+γ)", meaning=m.drop)
TAKES = _array("takes", "∀αγγ1. <int>γ → [α](γ+γ1) → [α](γ+γ1)", meaning=m.take)
DROPS = _array("drops", "∀αγγ1. <int>γ → [α](γ+γ1) → [α](γ+γ1)", meaning=m.drop)
FIRST = _array("first", "∀αγ. [α]γ → α", meaning=m.first)
CAT = _array("cat", "∀αγ. [α](γ+1) → [α](γ+1) → [α](γ+1)", meaning=m.catenate)
CONS = _array("cons", "∀αγ. [α]γ → [α](γ+1) → [α](γ+1)", meaning=m.cons)
SNOC = _array("snoc", "∀αγ. [α](γ+1) → [α]γ → [α](γ+1)", meaning=m.snoc)
PICK = _array("pick", "∀α. int → [α]1 → α", meaning=m.pick)
INDEX_OF = _array("indexOf", "∀αγ. [α]1 → [α]γ → [int]γ", meaning=m.index_of)
MATCH = _array("match", "∀αγ. [α]γ → [α]γ → bool", meaning=m.match)

IOTA_V = _array("iotaV", "∀γ. S(int,γ) → <int>γ", meaning=m.index_generator, refine=_natural_length)
SHAPE_V = _array("shapeV", "∀αγ. <α>γ → SV(int,γ)", meaning=m.shape)
RESHAPE_V = _array("reshapeV", "∀αγγ1. S(int,γ1) → [α]γ → <α>γ1", meaning=m.reshape, refine=_natural_length)
REVERSE_V = _array("reverseV", "∀αγ. <α>γ → <α>γ", meaning=m.reverse)
ROTATE_V = _array("rotateV", "∀αγ. int → <α>γ → <α>γ", meaning=m.rotate)
TAKE_V = _array("takeV", "∀αγ. S(int,γ) → [α]1 → <α>γ", meaning=m.take, refine=_taken_length)
DROP_V = _array("dropV", "∀αγγ1. S(int,γ) → <α>γ1 → <α>γ1", meaning=m.drop, refine=_dropped_length)
FIRST_V = _array("firstV", "∀αγ. SV(α,γ) → S(α,γ)", "∀αγ. <α>(1+γ) → α", meaning=m.first)
CAT_V = _array("catV", "∀αγγ1. <α>γ → <α>γ1 → <α>(γ+γ1)", meaning=m.catenate)
CONS_V = _array("consV", "∀αγ. α → <α>γ → <α>(1+γ)", meaning=m.cons)
SNOC_V = _array("snocV", "∀αγ. <α>γ → α → <α>(1+γ)", meaning=m.snoc)

# --- effects --------------------------------------------------------------------------------------------

PRINT = _array("print", "∀αγ. [α]γ → [α]γ", meaning=lambda a: a, refine=_same_type)

EQUALITY: dict[str, Prim] = {"int": EQI, "double": EQD, "bool": EQB, "char": EQC}
"""Equality of scalars, by base type."""
