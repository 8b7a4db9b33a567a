"""Scalar expressions as C: the spelling of every operator, and a printer that puts parentheses where C
needs them.

`SPELLING` is this layer's table of primitives. An operator is spelt as a binary or unary operator with its
precedence, or as the name of a function. Variables are spelt by whoever prints statements.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from aplc.backends.c.types import C_TYPES, STORAGE_TYPES
from aplc.laila.ir.scalar import (
    ADD_WRAPS,
    ALARM,
    ARCTANGENT,
    BINOMIAL,
    BIT_AND,
    BIT_AT,
    BIT_COUNT,
    BIT_FIELD,
    BIT_OR,
    BIT_XOR,
    BITS,
    BLENDED,
    BLENDED_INTEGER,
    CEIL,
    CHARACTER,
    CHOSEN,
    CHOSEN_INTEGER,
    CIRCLE,
    CIRCLE_IS_REAL,
    CIRCLES,
    CODE_BITS,
    DIVIDE,
    DRAWN,
    EXACT_POWER,
    FACTORIAL,
    FLOOR,
    FLOOR_DIV,
    FLOOR_QUOT,
    FLOOR_QUOT64,
    GROWING,
    IMAGINARY_PART,
    IS_SHORT,
    LCM_WRAPS,
    LESSER,
    LOG,
    MAGNITUDE,
    MASKED,
    MUL_WRAPS,
    MULTIPLY_ADD,
    OF_PARTS,
    PIECE,
    POWER,
    QUOT,
    RAISED,
    REAL_PART,
    REM,
    ROLLED,
    ROUND_LANES,
    ROUNDED,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SHORT_POWER,
    SMALL,
    SNAP,
    SNAP_QUOT64,
    SQRT,
    SUB_WRAPS,
    TABLE,
    TESTED,
    TILE_COLUMNS,
    TILE_LANES,
    TILE_ROWS,
    TRUNCATE,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    Sum,
    Var,
)
from aplc.tail import prims as p
from aplc.tail.errors import InternalError
from aplc.tail.prims import Prim
from aplc.tail.types import Base

PRIMARY, UNARY, MULTIPLY, ADD, RELATION, EQUALITY, AND, XOR, OR = 16, 14, 13, 12, 10, 9, 8, 7, 6
CONDITION = 3


@dataclass(frozen=True, slots=True)
class Infix:
    """A binary operator, left-associative."""

    text: str
    precedence: int


@dataclass(frozen=True, slots=True)
class Prefix:
    """A unary operator or a cast."""

    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """A function, and the header that has it in lanes where not all programs include that."""

    name: str
    header: str = ""


SPELLING: dict[Prim, Infix | Prefix | Named] = {
    p.ADDI: Infix("+", ADD),
    p.SUBI: Infix("-", ADD),
    p.MULI: Infix("*", MULTIPLY),
    p.NEGI: Prefix("-"),
    p.MAXI: Named("aplc_max_int"),
    p.MINI: Named("aplc_min_int"),
    p.ABSI: Named("aplc_abs_int"),
    p.SIGNI: Named("aplc_sign_int"),
    p.RESI: Named("aplc_residue_int"),
    p.GCDI: Named("aplc_gcd", "aplc_gcd.h"),
    p.LCMI: Named("aplc_lcm"),
    p.LOWESTD: Named("aplc_lowest_near"),
    p.HIGHESTD: Named("aplc_highest_near"),
    p.GCDTD: Named("aplc_gcd_near"),
    p.LCMTD: Named("aplc_lcm_near"),
    p.ADDD: Infix("+", ADD),
    p.SUBD: Infix("-", ADD),
    p.MULD: Infix("*", MULTIPLY),
    p.NEGD: Prefix("-"),
    p.MAXD: Named("aplc_max"),
    p.MIND: Named("aplc_min"),
    p.ABSD: Named("fabs"),
    p.SIGND: Named("aplc_sign"),
    p.RESD: Named("aplc_residue", "aplc_residue.h"),
    p.EXPD: Named("exp", "aplc_exp.h"),
    p.LTI: Infix("<", RELATION),
    p.LTEI: Infix("<=", RELATION),
    p.GTI: Infix(">", RELATION),
    p.GTEI: Infix(">=", RELATION),
    p.EQI: Infix("==", EQUALITY),
    p.NEQI: Infix("!=", EQUALITY),
    p.LTD: Infix("<", RELATION),
    p.LTED: Infix("<=", RELATION),
    p.GTD: Infix(">", RELATION),
    p.GTED: Infix(">=", RELATION),
    p.EQD: Infix("==", EQUALITY),
    p.NEQD: Infix("!=", EQUALITY),
    p.EQC: Infix("==", EQUALITY),
    p.NEQC: Infix("!=", EQUALITY),
    p.EQB: Infix("==", EQUALITY),
    p.NEQB: Infix("^", XOR),
    p.ANDB: Infix("&", AND),
    p.ORB: Infix("|", OR),
    p.NOTB: Prefix("!"),
    p.B2I: Prefix("(int64_t)"),
    p.I2D: Prefix("(double)"),
    p.C2I: Prefix("(int64_t)"),
    CHARACTER: Prefix("(uint32_t)"),
    TRUNCATE: Prefix("(int64_t)"),
    QUOT: Infix("/", MULTIPLY),
    FLOOR_DIV: Named("aplc_floor_div"),
    FLOOR_QUOT: Named("aplc_floor_quot53"),
    FLOOR_QUOT64: Named("aplc_floor_quot64"),
    SNAP_QUOT64: Named("aplc_snap_quot64"),
    SMALL: Prefix("(int64_t)"),
    REM: Infix("%", MULTIPLY),
    DIVIDE: Infix("/", MULTIPLY),
    BIT_OR: Infix("|", OR),
    CODE_BITS: Infix("|", OR),
    BIT_AND: Infix("&", AND),
    BIT_XOR: Infix("^", XOR),
    ALARM: Prefix("(int64_t)"),
    BITS: Named("aplc_bits"),
    MASKED: Named("aplc_masked"),
    CHOSEN: Named("aplc_select", "aplc_lanes.h"),
    CHOSEN_INTEGER: Named("aplc_select_int", "aplc_lanes.h"),
    BLENDED: Named("aplc_blend", "aplc_lanes.h"),
    BLENDED_INTEGER: Named("aplc_blend_int", "aplc_lanes.h"),
    RAISED: Named("aplc_raised"),
    TESTED: Named("aplc_tested"),
    MULTIPLY_ADD: Named("aplc_multiply_add"),
    POWER: Named("pow", "aplc_exp.h"),
    EXACT_POWER: Named("aplc_exact_power", "aplc_exp.h"),
    SHORT_POWER: Named("aplc_short_power"),
    IS_SHORT: Named("aplc_is_short"),
    SQRT: Named("sqrt"),
    OF_PARTS: Named("aplc_of_parts"),
    REAL_PART: Named("aplc_real"),
    IMAGINARY_PART: Named("aplc_imaginary"),
    MAGNITUDE: Named("aplc_magnitude"),
    ROUNDED: Named("aplc_rounded"),
    ARCTANGENT: Named("atan2"),
    LOG: Named("log", "aplc_exp.h"),
    FLOOR: Named("floor"),
    CEIL: Named("ceil"),
    SNAP: Named("aplc_snap"),
    p.ANDI32: Named("aplc_and32"),
    p.ORI32: Named("aplc_or32"),
    p.XORI32: Named("aplc_xor32"),
    p.NOTI32: Named("aplc_not32"),
    SHIFT_LEFT: Named("aplc_shift_left32"),
    SHIFT_RIGHT: Named("aplc_shift_right32"),
    BIT_FIELD: Named("aplc_bit_field"),
    LESSER: Named("aplc_lesser"),
    PIECE: Named("aplc_piece"),
    BIT_COUNT: Named("aplc_bit_count"),
    BIT_AT: Named("aplc_bit_at"),
    FACTORIAL: Named("aplc_factorial"),
    BINOMIAL: Named("aplc_binomial"),
    CIRCLE: Named("aplc_circle"),
    ADD_WRAPS: Named("aplc_add_wraps"),
    SUB_WRAPS: Named("aplc_sub_wraps"),
    MUL_WRAPS: Named("aplc_mul_wraps"),
    LCM_WRAPS: Named("aplc_lcm_wraps"),
    CIRCLE_IS_REAL: Named("aplc_circle_is_real"),
    ROLLED: Named("aplc_rolled"),
    DRAWN: Named("aplc_drawn"),
    TILE_ROWS: Named("aplc_tile_rows", "aplc_tiles.h"),
    TILE_COLUMNS: Named("aplc_tile_columns", "aplc_tiles.h"),
    TILE_LANES: Named("aplc_tile_lanes", "aplc_tiles.h"),
    ROUND_LANES: Named("aplc_round_lanes", "aplc_tiles.h"),
    CIRCLES[0]: Named("aplc_circle_0"),
    CIRCLES[1]: Named("sin"),
    CIRCLES[2]: Named("cos"),
    CIRCLES[3]: Named("tan"),
    CIRCLES[4]: Named("aplc_circle_4"),
    CIRCLES[5]: Named("sinh"),
    CIRCLES[6]: Named("cosh"),
    CIRCLES[7]: Named("tanh"),
    CIRCLES[-1]: Named("asin"),
    CIRCLES[-2]: Named("acos"),
    CIRCLES[-3]: Named("atan"),
    CIRCLES[-4]: Named("aplc_circle_minus_4"),
    CIRCLES[-5]: Named("asinh"),
    CIRCLES[-6]: Named("acosh"),
    CIRCLES[-7]: Named("atanh"),
}


COMPOUND = {
    p.ADDD: "+=",
    p.SUBD: "-=",
    p.MULI: "*=",
    p.MULD: "*=",
    p.ANDB: "&=",
    p.ORB: "|=",
    BIT_OR: "|=",
    CODE_BITS: "|=",
}
"""The assignments that apply an operator to a variable, where C has one."""

BOUNDED = {p.MAXD: "aplc_at_least", p.MIND: "aplc_at_most"}
"""Extrema with a constant operand that is no NaN; the result for two zeros is the other operand."""

NEGATED = {
    p.EQI: "!=",
    p.NEQI: "==",
    p.EQD: "!=",
    p.NEQD: "==",
    p.EQC: "!=",
    p.NEQC: "==",
    p.EQB: "!=",
    p.NEQB: "==",
}
NEGATED |= {p.LTI: ">=", p.LTEI: ">", p.GTI: "<=", p.GTEI: "<"}
"""Negations of comparisons; those of doubles are no comparisons, because of NaN."""

DISSOLVING = frozenset((*NEGATED, p.NOTB))
"""Operators whose negation is no longer than they are."""

Spell = Callable[[Var | Buffer], str]


def print_constant(value: bool | int | float, ty: Base) -> str:
    """A constant of C with the exact value."""
    match ty:
        case Base.COMPLEX:
            raise InternalError("emit-c", "complex numbers are made of their parts")
        case Base.BOOL:
            return "true" if value else "false"
        case Base.DOUBLE:
            if math.isnan(value):
                return "NAN"
            return ("-" if value < 0 else "") + "INFINITY" if math.isinf(value) else repr(float(value))
        case Base.INT | Base.CHAR:
            if value == -(2**63):
                return "INT64_MIN"
            return f"INT64_C({value})" if abs(value) >= 2**31 else str(value)


class ExpPrinter:
    """Prints expressions with the given spelling of variables and buffers."""

    def __init__(self, spell: Spell) -> None:
        self.spell = spell
        self.headers: set[str] = set()
        """What must be included for what has been printed."""
        self.bounds: dict[str, str] | None = None
        """In a loop, the variables that stand for bounds of extrema, by the text of the constant."""

    def pointer(self, buffer: Buffer) -> str:
        """A buffer as a function of the run-time system gets it."""
        if buffer.storage == TABLE:
            return f"&{self.spell(buffer)}"
        is_bytes = buffer.ty is Base.BOOL and buffer.storage != GROWING
        return f"(const bool *){self.spell(buffer)}" if is_bytes else self.spell(buffer)

    def text(self, exp: Exp, precedence: int = 0) -> str:
        """The expression, in parentheses if it binds less tightly than asked for."""
        text, own = self._print(exp)
        return f"({text})" if own < precedence else text

    def negation(self, cond: Exp) -> str:
        """The text of the opposite condition."""
        return self._not(cond)[0]

    def _print(self, exp: Exp) -> tuple[str, int]:
        match exp:
            case Const(value=value, ty=ty):
                text = print_constant(value, ty)
                return text, UNARY if text.startswith("-") else PRIMARY
            case Var():
                return self.spell(exp), PRIMARY
            case Sum():
                return self._sum(exp, self.text), ADD
            case Read(buffer=buffer, index=index):
                element = f"{self.spell(buffer)}[{self.text(index)}]"
                if exp.ty is Base.BOOL:
                    return f"{element} != 0", EQUALITY
                is_narrow = STORAGE_TYPES[buffer.storage] != C_TYPES[exp.ty]
                return (f"({C_TYPES[exp.ty]}){element}", UNARY) if is_narrow else (element, PRIMARY)
            case PureCall(function=name, header=header, memory=memory, args=args):
                self.headers.add(header)
                given = [*[self.pointer(b) for b in memory], *[self.text(a) for a in args]]
                return f"{name}({', '.join(given)})", PRIMARY
            case Select(cond=cond, then=then, other=other):
                parts = self.text(cond, CONDITION + 1), self.text(then), self.text(other, CONDITION)
                if isinstance(then, Const) and isinstance(other, Const) and exp.ty is Base.INT:
                    parts = parts[0], f"(int64_t){parts[1]}", parts[2]
                return f"{parts[0]} ? {parts[1]} : {parts[2]}", CONDITION
            case Call():
                return self._call(exp)
            case Check() | Fold() | BlockExp():
                raise InternalError("emit-c", "a fold or check is left in an expression")

    def _call(self, exp: Call) -> tuple[str, int]:
        op, args = exp.op, exp.args
        if op is p.NOTB:
            return self._not(args[0])
        if (bounded := bounded_by(exp)) is not None:
            bound, other = bounded
            text = self.text(bound)
            return f"{BOUNDED[op]}({(self.bounds or {}).get(text, text)}, {self.text(other)})", PRIMARY
        if op is p.B2I and isinstance(args[0], Read):
            read = args[0]
            return f"(int64_t){self.spell(read.buffer)}[{self.text(read.index)}]", UNARY
        if op is REM and isinstance(args[1], Const) and int(args[1].value).bit_count() == 1:
            return self._infix("&", AND, (args[0], replace(args[1], value=int(args[1].value) - 1))), AND
        spelling = SPELLING[op]
        match spelling:
            case Infix(text=text, precedence=precedence):
                return self._infix(text, precedence, args), precedence
            case Prefix(text=text):
                operand = self.text(args[0], UNARY)
                space = " " if text == "-" and operand.startswith("-") else ""
                return text + space + operand, UNARY
            case Named(name=name, header=header):
                self.headers |= {header} - {""}
                return f"{name}({', '.join([self.text(a) for a in args])})", PRIMARY

    def _not(self, cond: Exp) -> tuple[str, int]:
        """A negation, moved inwards where that makes it disappear."""
        if isinstance(cond, Call):
            if cond.op in NEGATED:
                text = NEGATED[cond.op]
                level = EQUALITY if text in ("==", "!=") else RELATION
                return self._infix(text, level, cond.args), level
            if cond.op is p.NOTB:
                return self._print(cond.args[0])
            if cond.op in (p.ANDB, p.ORB) and all(
                isinstance(a, Call) and a.op in DISSOLVING for a in cond.args
            ):
                text, level = ("|", OR) if cond.op is p.ANDB else ("&", AND)
                parts = [self._not(a) for a in cond.args]
                return f" {text} ".join([f"({t})" if own < PRIMARY else t for t, own in parts]), level
        return "!" + self.text(cond, UNARY), UNARY

    def _infix(self, text: str, precedence: int, args: tuple[Exp, ...]) -> str:
        """Operands of `&`, `|`, `^`, `==` and `!=` that compare are parenthesised, as C compilers and readers
        like it.
        """
        left_level = ADD if text in ("&", "|", "^", "==", "!=") else precedence
        same = isinstance(args[0], Call) and args[0].op in (p.ANDB, p.ORB)
        if text in "&|" and same and SPELLING[args[0].op] == SPELLING[p.ANDB if text == "&" else p.ORB]:  # type: ignore[union-attr]
            left_level = precedence
        right_level = ADD if text in "&|^" else precedence + 1
        return f"{self.text(args[0], left_level)} {text} {self.text(args[1], right_level)}"

    def _sum(self, exp: Sum, print_atom: Callable[[Exp, int], str]) -> str:
        """Positive terms first, the constant last: `n - i + 1`; without such terms it is `1 - i`."""
        parts: list[tuple[bool, str]] = []
        for atoms, k in self._groups(sorted(exp.terms, key=lambda term: term[1] < 0)):
            if len(atoms) > 1:
                text = f"({' + '.join([print_atom(atom, ADD) for atom in atoms])})"
            else:
                text = print_atom(atoms[0], MULTIPLY if abs(k) == 1 else UNARY)
            parts.append((k < 0, text if abs(k) == 1 else f"{_magnitude(k)} * {text}"))
        if exp.const:
            last = len(parts) if exp.const < 0 or not parts[0][0] else 0
            parts.insert(last, (exp.const < 0, _magnitude(exp.const)))
        (negative, text), *rest = parts
        sign = "" if not negative else "- " if text.startswith("-") else "-"
        return sign + text + "".join([f" {'-' if n else '+'} {t}" for n, t in rest])

    def _groups(self, terms: Sequence[tuple[Exp, int]]) -> list[tuple[list[Exp], int]]:
        """The terms of a sum as they are printed: those that share a factor may stand in parentheses."""
        return [([atom], k) for atom, k in terms]


def bounded_by(exp: Exp) -> tuple[Const, Exp] | None:
    """The bound and the operand of an extremum that is one of `BOUNDED`. A zero must come first: of two zeros
    the second operand is the result.
    """
    if not isinstance(exp, Call) or exp.op not in BOUNDED:
        return None
    for bound, other in (exp.args, exp.args[::-1]):
        may_be_zero = bound is exp.args[0]
        if isinstance(bound, Const) and (may_be_zero if bound.value == 0 else not math.isnan(bound.value)):
            return bound, other
    return None


ZERO = Const(0.0, Base.DOUBLE)
"""What becomes an integer where a double does not."""


def integer_or_zero(exp: Exp) -> Exp | None:
    """The double of which an integer is made, where a condition holds; elsewhere it is zero."""
    match exp:
        case Select(then=Call(op=op, args=(x,)), other=Const(value=0)) if op is TRUNCATE:
            return x
        case _:
            return None


def _magnitude(k: int) -> str:
    """The absolute value of a constant; that of the least integer is itself, as integers wrap."""
    return "INT64_MIN" if k == -(2**63) else print_constant(abs(k), Base.INT)
