"""The glyph table: the class of every symbol, its name for messages, and the primitives of the scalar
functions.

A scalar function has one row per valence: the base types it is defined on, in the order in which overload
resolution tries them, each with its primitive. Structural functions and operators are known by their
symbol; their construction is in `structure` and `operators`.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

FUNCTIONS = frozenset("+-×÷*⍟⌈⌊|!○?~∧∨⍲⍱<≤=≥>≠⊢⊣⍴⍳,⍪⌽⊖⍉↑↓⊃⊂⊆≡≢∊⍋⍒⍸∪∩⌷⊥⊤⌹⍷⍕⍎")
MONADIC_OPERATORS = frozenset("/⌿\\⍀¨⍨⌸⌶&")
DYADIC_OPERATORS = frozenset(".∘⍤⍥⍣⌺@⍠⍛")


@dataclass(frozen=True, slots=True)
class Overload:
    """A scalar primitive for one base type of its operands; `None` stands for the identity."""

    operand: Base
    prim: Prim | None


def _row(**prims: Prim | None) -> tuple[Overload, ...]:
    return tuple(Overload(Base(name), prim) for name, prim in prims.items())


DYADIC: dict[str, tuple[Overload, ...]] = {
    "+": _row(int=p.ADDI, double=p.ADDD, complex=p.ADDZ),
    "-": _row(int=p.SUBI, double=p.SUBD, complex=p.SUBZ),
    "×": _row(int=p.MULI, double=p.MULD, complex=p.MULZ),
    "÷": _row(double=p.DIVD, complex=p.DIVZ),
    "⌈": _row(int=p.MAXI, double=p.MAXD),
    "⌊": _row(int=p.MINI, double=p.MIND),
    "|": _row(int=p.RESI, double=p.RESD),
    "*": _row(double=p.POWD),
    "=": _row(bool=p.EQB, int=p.EQI, double=p.EQD, complex=p.EQZ, char=p.EQC),
    "≠": _row(bool=p.NEQB, int=p.NEQI, double=p.NEQD, complex=p.NEQZ, char=p.NEQC),
    "<": _row(int=p.LTI, double=p.LTD),
    "≤": _row(int=p.LTEI, double=p.LTED),
    ">": _row(int=p.GTI, double=p.GTD),
    "≥": _row(int=p.GTEI, double=p.GTED),
    "∧": _row(bool=p.ANDB, int=p.LCMI, double=p.LCMTD),
    "∨": _row(bool=p.ORB, int=p.GCDI, double=p.GCDTD),
    "⍲": _row(bool=p.NANDB),
    "⍱": _row(bool=p.NORB),
    "!": _row(double=p.BINOMD),
    "⎕INT32AND": _row(int=p.ANDI32),
    "⎕INT32OR": _row(int=p.ORI32),
    "⎕INT32XOR": _row(int=p.XORI32),
    "⎕INT32SHL": _row(int=p.SHLI32),
    "⎕INT32SHR": _row(int=p.SHRI32),
}
"""Dyadic scalar functions. `⍟` is composed (`b⍟a` is `(⍟a)÷⍟b`), see `overloads`."""

MONADIC: dict[str, tuple[Overload, ...]] = {
    "+": _row(int=None, double=None, complex=p.CONJZ),
    "-": _row(int=p.NEGI, double=p.NEGD, complex=p.NEGZ),
    "×": _row(int=p.SIGNI, double=p.SIGND),
    "⌈": _row(int=None, double=p.CEILD),
    "⌊": _row(int=None, double=p.FLOORD),
    "|": _row(int=p.ABSI, double=p.ABSD, complex=p.ABSZ),
    "*": _row(double=p.EXPD),
    "⍟": _row(double=p.LND),
    "~": _row(bool=p.NOTB),
    "!": _row(double=p.FACTD),
    "⎕INT32NOT": _row(int=p.NOTI32),
    "⎕UCS": _row(char=p.C2I, int=p.I2C),
}
"""Monadic scalar functions. `÷` is composed (`1÷⍵`), see `overloads`, and more of complex numbers, see
`complex_functions`.
"""

SCALAR_FUNCTIONS = frozenset(DYADIC) | {"⍟", "~", "○", "!"}
