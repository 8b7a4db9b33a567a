"""Replaces several domain checks by one test for a finite result, and reruns with the checks if that fails.

Note [Checks that results show]
    What some checks keep out is an infinity or not a number in the arithmetic of doubles, as `x÷0` and `⍟0`
    are. Sums, products, roots and logarithms keep it, and so does the numerator of a quotient, and where it
    is not a number the denominator. If then the value in which several such checks end is finite, none of
    them would have failed, and nothing was divided by zero. A loop without these checks, and without the
    choice that makes `0÷0` a 1, asks for that value x only: `bad = bad or x-x`. Where the flag is raised the
    statement runs again with all its checks, as it does where numbers overflow, are infinite or NaN; so
    nothing that it reads may be what it writes.

    Such a number must show a check wherever that is evaluated: what stands in one branch of a choice needs to
    show in that branch only. Where a statement has other checks, it stays as it is: they might fail, or leave
    the program, because of what is not finite.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.program import Fused, HostLet, Map, Reduce, Statement
from aplc.laila.ir.rules.predicated_sums import KEEPING_NAN
from aplc.laila.ir.scalar import (
    DIVIDE,
    LOG,
    MULTIPLY_ADD,
    SQRT,
    BlockExp,
    Buffer,
    Call,
    Check,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    Site,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.faults import Fault
from aplc.tail.types import Base

ENOUGH = 3
"""So many checks are left out for each number asked for, or none: a loop stands twice then, and runs twice
where numbers are not finite.
"""

DOUBT = Site(Fault("", "a number is not finite"), "", None)
"""The site of a check that never fails: where its flag is raised, a statement is run again."""

_KEEPING = frozenset((p.ADDD, p.SUBD, p.MULD, p.NEGD, p.ABSD, SQRT, LOG, MULTIPLY_ADD))
"""Functions whose result is infinite or NaN if an operand is."""


def without_shown(make: ExprBuilder, statement: Statement) -> Statement | None:
    """The statement with checks of site `DOUBT` in the place of all others: see Note [Checks that results
    show]. None if they do not show, are too few, or if it cannot run twice.
    """
    roots = own_expressions(statement)
    checks = [node for node in nodes(*roots) if isinstance(node, Check)]
    if len(checks) < ENOUGH or not _may_run_again(statement):
        return None
    guarded = {id(check): _guarded(make, check) for check in checks}
    plain = {number: operands for number, operands in guarded.items() if operands is not None}
    if len(plain) < len(checks):
        return None
    survey = _Survey(roots, plain)
    points = survey.points()
    if points is None or ENOUGH * len(points) > len(survey.bits):
        return None
    return rebuilt(statement, _Without(make, plain, points))


def is_finite(make: ExprBuilder, x: Exp) -> Exp:
    """Whether a double is neither infinite nor NaN."""
    return make.call(p.EQD, make.call(p.SUBD, x, x), make.const(0.0))


def results_of(statement: Statement) -> tuple[Var, ...]:
    """The variables that a statement declares."""
    match statement:
        case HostLet(var=var):
            return (var,)
        case Fused(parts=parts):
            return tuple([part.var for part in parts if isinstance(part, Reduce)])
        case _:
            return ()


def _may_run_again(statement: Statement) -> bool:
    """Whether a statement that has run finds what it found before, and computes the same again."""
    written: list[Buffer] = []
    match statement:
        case HostLet(value=value) if contains(Fold, value):
            pass
        case Map(buffer=buffer, guard=None, ordered=False):
            written.append(buffer)
        case Fused(parts=parts, in_place=False) if all(isinstance(q, Map | Reduce) for q in parts):
            written += [part.buffer for part in parts if isinstance(part, Map)]
        case _:
            return False
    for node in nodes(*own_expressions(statement)):
        if isinstance(node, BlockExp) or (isinstance(node, Read) and node.buffer in written):
            return False
        if isinstance(node, PureCall) and not set(written).isdisjoint(node.memory):
            return False
    return True


# --- what a check keeps out ---------------------------------------------------------------------------------


def _guarded(make: ExprBuilder, check: Check) -> tuple[Exp, ...] | None:
    """What a check guards, as arithmetic has it: the operands of a division, or a value. None unless that is
    infinite or NaN where the check fails.
    """
    value, ok = check.value, check.ok
    if value.ty is not Base.DOUBLE or check.own:
        return None
    zero = make.const(0.0)
    if isinstance(ok, Call) and ok.op is p.ORB:  # y≠0 or x=0
        ok = ok.args[0]
    if not isinstance(ok, Call) or ok.op is not p.NOTB:
        return None
    test = ok.args[0]
    if not isinstance(test, Call) or len(test.args) != 2 or test.args[1] is not zero:
        return None
    if test.op is p.EQD:
        return _divided(make, test, value)
    return (value,) if ok is check.ok and _shows(value, test) else None


def _is_negative(exp: Exp) -> bool:
    """Whether an expression checks that a number is not negative, as only NaN would be made of such a one."""
    match exp:
        case Check(ok=Call(args=(Call(op=op), *_))):
            return op is p.LTD
        case _:
            return False


def _divided(make: ExprBuilder, by_zero: Call, value: Exp) -> tuple[Exp, ...] | None:
    """The operands of a quotient by what is compared with zero; each is 1 for `0÷0`, or stands as it is."""
    if not isinstance(value, Call) or value.op is not DIVIDE:
        return None
    one = make.const(1.0)
    found: list[Exp] = []
    for operand in value.args:
        is_choice = isinstance(operand, Select) and operand.cond is by_zero and operand.then is one
        found.append(operand.other if is_choice and isinstance(operand, Select) else operand)
    return tuple(found) if found[1] is by_zero.args[0] else None


def _shows(value: Exp, test: Call) -> bool:
    """Whether a value is infinite or NaN where a number is negative, or not positive."""
    if not isinstance(value, Call):
        return False
    if value.op is LOG and value.args[0] is test.args[0]:
        return test.op in (p.LTD, p.LTED)
    if value.op is SQRT and value.args[0] is test.args[0]:
        return test.op is p.LTD
    return value.op in _KEEPING and any(_shows(arg, test) for arg in value.args)


# --- where it shows -----------------------------------------------------------------------------------------


class _Survey:
    """Of each node, with a bit for each condition of checks: those in it; those because of which it is NaN;
    those that it shows in any case; and those that it shows where they are evaluated in it.
    """

    def __init__(self, roots: Sequence[Exp], plain: dict[int, tuple[Exp, ...]]) -> None:
        self.roots = roots
        self.plain = plain
        self.inside: dict[int, int] = {}
        self.nan: dict[int, int] = {}
        self.always: dict[int, int] = {}
        self.shown: dict[int, int] = {}
        self.bits: dict[int, int] = {}
        for node in nodes(*roots):
            own = self.bits.setdefault(id(node.ok), 1 << len(self.bits)) if isinstance(node, Check) else 0
            inside = own | self.among(operands(node))
            nan = self.not_a_number(node) if inside else 0
            always, shown = self.found(node) if inside else (0, 0)
            self.inside[id(node)] = inside
            self.nan[id(node)] = nan | (own if _is_negative(node) else 0)
            self.always[id(node)] = always | own | nan
            self.shown[id(node)] = (always | own | nan | shown) & inside

    def among(self, parts: Sequence[Exp]) -> int:
        """The checks in some expressions."""
        found = 0
        for part in parts:
            found |= self.inside[id(part)]
        return found

    def not_a_number(self, node: Exp) -> int:
        """The checks because of which an operand of a node is NaN, and so the node."""
        match node:
            case Check():
                parts = self.plain[id(node)]
            case Call(op=op, args=args) if op in KEEPING_NAN:
                parts = args
            case Select(then=then, other=other):
                return self.nan[id(then)] & self.nan[id(other)]
            case _:
                return 0
        found = 0
        for part in parts:
            found |= self.nan[id(part)]
        return found

    def found(self, node: Exp) -> tuple[int, int]:
        """What the operands of a node make it show in any case, and what else where that is evaluated."""
        match node:
            case Check():
                x, *divisor = self.plain[id(node)]
                return self.kept((x,), beside=tuple(divisor))
            case Select(cond=cond, then=then, other=other):
                always = self.always[id(then)] & self.always[id(other)]
                return always, self.kept((then, other), beside=(cond,))[1]
            case Call(op=op, args=args) if op in _KEEPING:
                return self.kept(args)
            case Call(op=op, args=(x, y)) if op is DIVIDE:
                return self.kept((x,), beside=(y,))
            case _:
                return 0, 0

    def kept(self, parts: tuple[Exp, ...], beside: tuple[Exp, ...] = ()) -> tuple[int, int]:
        """What a part shows in any case; what all parts do that have it, if nothing beside them has."""
        always, shown = 0, -1
        for part in parts:
            always |= self.always[id(part)]
            shown &= self.shown[id(part)] | ~self.inside[id(part)]
        return always, shown & ~self.among(beside)

    def points(self) -> set[int] | None:
        """The doubles that show all checks; None if a check is shown by none."""
        points: set[int] = set()
        seen: set[int] = set()
        stack = list(self.roots)
        while stack:
            node = stack.pop()
            inside = self.inside[id(node)]
            if id(node) in seen or not inside:
                continue
            seen.add(id(node))
            if self.shows_all(node):
                points.add(id(self.innermost(node)))
            elif isinstance(node, Check):
                return None
            else:
                stack += operands(node)
        return points

    def shows_all(self, node: Exp) -> bool:
        """Whether a node shows all the checks in it."""
        return node.ty is Base.DOUBLE and not self.inside[id(node)] & ~self.shown[id(node)]

    def innermost(self, node: Exp) -> Exp:
        """The number in one that shows all its checks which does so, too: others may be made of it."""
        while isinstance(node, Call):
            for part in node.args:
                rest = self.among([each for each in node.args if each is not part])
                is_all = self.inside[id(part)] == self.inside[id(node)] and self.shows_all(part)
                if is_all and not rest & ~self.always[id(part)]:
                    node = part
                    break
            else:
                break
        return node


class _Without(Substitute):
    """Leaves out checks, and puts one of another kind where the results are that show them."""

    def __init__(self, make: ExprBuilder, plain: dict[int, tuple[Exp, ...]], points: set[int]) -> None:
        super().__init__(make, {})
        self.plain, self.points = plain, points

    def _needs(self, node: Exp) -> list[Exp]:
        return list(self.plain[id(node)]) if isinstance(node, Check) else super()._needs(node)

    def _rebuild(self, node: Exp) -> Exp:
        if isinstance(node, Check):
            values = [self.done[id(each)] for each in self.plain[id(node)]]
            result = self.make.call(DIVIDE, *values) if len(values) == 2 else values[0]
        else:
            result = super()._rebuild(node)
        if id(node) not in self.points:
            return result
        return self.make.check(is_finite(self.make, result), result, DOUBT)
