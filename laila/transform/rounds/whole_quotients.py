"""Floors of quotients of integers of which no range is known, in rounds of scalars: small ones are divided.

    while … { q := ⌊n ÷ d within ⎕CT }
        →   while … { q := (0 ≤ n ≤ m and 1 ≤ d ≤ m) ? n quot d : ⌊n ÷ d within ⎕CT }

A quotient is a double, which is rounded within a tolerance, told from infinity and made an integer again:
each waits for the one before, and so does the next round, as in Euclid's algorithm or continued fractions.
Where both are small the floor is that of the exact quotient: see Note [Floors of quotients] of `narrow`.
Points of maps run in lanes, where that is no choice; they stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.interval import Interval
from aplc.laila.ir.program import Assign, HostLet, Program, Statement, Store, Variable, While
from aplc.laila.ir.scalar import (
    DIVIDE,
    FLOOR,
    QUOT,
    SNAP,
    TRUNCATE,
    Call,
    Check,
    Const,
    Exp,
    Select,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.narrow import never_taken_for_whole
from aplc.tail import prims as p


def with_whole_quotients(program: Program, make: ExprBuilder) -> Program:
    """The program whose rounds divide small integers as such."""

    def block(statements: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple([with_bodies(s, rounds if isinstance(s, While) else block) for s in statements])

    def rounds(statements: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple([_divided(with_bodies(s, rounds), make) for s in statements])

    return with_blocks(program, block)


def _divided(statement: Statement, make: ExprBuilder) -> Statement:
    """A statement with a choice for each floor of a quotient that can be one."""
    found: dict[Exp, Exp] = {}
    is_scalar = isinstance(statement, HostLet | Variable | Assign | Store)
    for node in nodes(*own_expressions(statement)) if is_scalar else ():
        quotient = _quotient(node)
        if quotient is not None:
            numerator, divisor, limit = quotient
            fits = make.true
            for exp, least in ((numerator, make.zero), (divisor, make.one)):
                fits = make.call(p.ANDB, fits, make.call(p.GTEI, exp, least))
                fits = make.call(p.ANDB, fits, make.call(p.LTEI, exp, make.const(int(limit.high))))
            whole = make.call(QUOT, numerator, make.call(p.MAXI, divisor, make.one))
            found[node] = make.select(fits, whole, node)
    return rebuilt(statement, Substitute(make, found)) if found else statement


def _quotient(node: Exp) -> tuple[Exp, Exp, Interval] | None:
    """The integers of whose quotient a node is the floor, and within what that is the exact one."""
    match node:
        case Check(ok=ok, value=Select(cond=cond, then=Call(op=op, args=(inside,)))) if (
            ok is cond and op is TRUNCATE
        ):
            pass
        case _:
            return None
    if not isinstance(inside, Call) or inside.op is not FLOOR:
        return None
    (inside,) = inside.args
    limit = Interval(-(2**51), 2**51)
    if isinstance(inside, Call) and inside.op is SNAP:
        within = never_taken_for_whole(inside.args[0])
        if within is None:
            return None
        limit, inside = within, inside.args[1]
    if isinstance(inside, Check):
        inside = inside.value
    if not isinstance(inside, Call) or inside.op is not DIVIDE:
        return None
    numerator, divisor = [_integer(e) for e in inside.args]
    if numerator is None or divisor is None or isinstance(divisor, Const):
        return None
    return numerator, divisor, limit


def _integer(exp: Exp) -> Exp | None:
    """The integer that a double is, or is unless it does not matter."""
    if isinstance(exp, Select):
        exp = exp.other
    return exp.args[0] if isinstance(exp, Call) and exp.op is p.I2D else None
