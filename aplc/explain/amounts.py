"""Numbers of an explanation: formulas in the extents of the inputs, their values, and bytes in units."""

from __future__ import annotations

from aplc.explain.report import Explanation
from aplc.laila.ir.scalar import Call, Const, Exp, Sum, Var
from aplc.laila.ir.text_print import print_expression
from aplc.tail import prims as p

UNITS = ("kB", "MB", "GB", "TB")


def formula(exp: Exp) -> str:
    """An expression of extents as people write it."""
    match exp:
        case Const(value=value):
            return str(value)
        case Var(name=name):
            return name
        case Sum(const=const, terms=terms):
            parts = [formula(atom) if k == 1 else f"{k}·{_factor(atom)}" for atom, k in terms]
            text = " + ".join(parts + ([str(const)] if const else []))
            return text.replace("+ -", "- ")
        case Call(op=op, args=(a, b)) if op is p.MULI:
            return f"{_factor(a)}·{_factor(b)}"
        case Call(op=op, args=(a, b)) if op in (p.MAXI, p.MINI):
            return f"{'max' if op is p.MAXI else 'min'}({formula(a)}, {formula(b)})"
        case _:
            return print_expression(exp)


def _factor(exp: Exp) -> str:
    is_single_term = isinstance(exp, Sum) and not exp.const and len(exp.terms) == 1
    return f"({formula(exp)})" if isinstance(exp, Sum) and not is_single_term else formula(exp)


def value_of(told: Explanation, exp: Exp) -> int | None:
    """The value of a formula, if the extents at hand determine it."""
    known = told.traffic.resolved(exp, told.lengths)
    return int(known.value) if isinstance(known, Const) else None


def amount(told: Explanation, exp: Exp) -> str:
    """A formula, with its value."""
    text, value = formula(told.traffic.resolved(exp, {})), value_of(told, exp)
    if value is None:
        return text
    return f"{value:,}" if text == str(value) else f"{text} = {value:,}"


def bytes_of(told: Explanation, exp: Exp) -> str:
    """So many bytes: a formula, with its value, also in the unit that fits it."""
    return f"{amount(told, exp)} bytes{in_units(value_of(told, exp))}"


def in_units(value: int | None) -> str:
    """Behind a number of bytes, ` (8 MB)` from 10,000 on; units are powers of 1000."""
    if value is None or value < 10_000:
        return ""
    size, unit = value / 1000, 0
    while size >= 1000 and unit + 1 < len(UNITS):
        size, unit = size / 1000, unit + 1
    return f" ({size:.3g} {UNITS[unit]})"
