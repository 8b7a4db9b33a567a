"""Questions that the generation of loops asks about expressions and about statements already made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set

from aplc.laila.ir import loops as l
from aplc.laila.ir.liveness import introduced, named
from aplc.laila.ir.program import FunctionCall, HostCall, RuntimeCall
from aplc.laila.ir.scalar import (
    CIRCLES,
    LOG,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    Select,
    Step,
    Sum,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece
from aplc.laila.ir.statements import statements_of, within
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

MAX_BRANCH_SIZE = 60

CALLS = frozenset((p.EXPD, LOG, *CIRCLES.values()))
"""Functions of reals whose steps wait for each other. A power is no such: two of them, one of the other, took
1.2 times as long in stages.
"""


def longest(extent: Exp) -> int | None:
    """The value of an extent, or what it is at most; None where that is not known."""
    if isinstance(extent, Const):
        return int(extent.value)
    highs = extent.highs if isinstance(extent, Var) else ()
    return min([int(high.value) for high in highs if isinstance(high, Const)], default=None)


def lane_bytes(ty: Base) -> int:
    """The size of a value while it is computed, of which only the type is known: most integers are small."""
    match ty:
        case Base.COMPLEX:
            return 16
        case Base.DOUBLE:
            return 8
        case Base.INT:
            return 4
        case Base.BOOL | Base.CHAR:
            return 1


def loop_bound(make: ExprBuilder, piece: Piece) -> Exp:
    """The end of a range whose start is not negative, without a maximum with zero."""
    stop = piece.stop
    is_clipped = isinstance(stop, Call) and stop.op is p.MAXI and make.zero in stop.args
    if is_clipped and isinstance(stop, Call) and make.nonnegative(piece.start):
        return stop.args[stop.args[0] is make.zero]
    return stop


def is_plain(branch: Exp, is_known: Callable[[Exp], bool]) -> bool:
    """Whether a branch can stand inside a conditional expression: no statements, and small when written out.

    What is known has a name already.
    """
    sizes: dict[int, int] = {}
    for node in nodes(branch, below=lambda e: () if is_known(e) else operands(e)):
        if is_known(node):
            sizes[id(node)] = 1
            continue
        if isinstance(node, Fold | Check | BlockExp):
            return False
        size = 1 + sum([sizes[id(o)] for o in operands(node)])
        if size > MAX_BRANCH_SIZE:
            return False
        sizes[id(node)] = size
    return True


_NOT_IN_LANES = (
    l.For, l.While, l.Fail, l.Allocate, l.Prefetch, RuntimeCall, HostCall, FunctionCall, l.Emit,
)  # fmt: skip


def is_straight(statements: list[l.Stm]) -> bool:
    """Whether a loop body may run in lanes: no loops and no way out of the loop in it."""
    return not any(isinstance(s, _NOT_IN_LANES) for s in l.within(statements))


def assigned(statements: list[l.Stm]) -> list[Var]:
    """The variables that statements assign to."""
    return [s.var for s in l.within(statements) if isinstance(s, l.Assign)]


def memory_of_sequences(roots: tuple[Exp, ...]) -> tuple[Buffer, ...] | None:
    """The buffers that statements inside expressions write and that were allocated before: since expressions
    have no effects, what an evaluation finds in them does not matter. None where it is not known which.
    """
    written: dict[Buffer, None] = {}
    own: set[Buffer] = set()
    handed: set[Buffer] = set()
    for sequence in [node for node in nodes(*roots) if isinstance(node, BlockExp)]:
        for statement in within(statements_of(sequence)):
            own.update(introduced(statement))
            (handed if isinstance(statement, RuntimeCall) else written).update(
                dict.fromkeys(named(statement))
            )
    return None if handed - own else tuple([buffer for buffer in written if buffer not in own])


def assigning(statements: tuple[l.Stm, ...], result: Var) -> tuple[l.Stm, ...]:
    """The statements with the declarations of a variable, one a branch perhaps, turned into assignments."""
    changed: list[l.Stm] = []
    for statement in statements:
        match statement:
            case l.Declare(var=var, value=value) if var is result and value is not None:
                changed.append(l.Assign(result, value))
            case l.If(cond=cond, then=then, other=other):
                changed.append(l.If(cond, assigning(then, result), assigning(other, result)))
            case _:
                changed.append(statement)
    return tuple(changed)


def uses(roots: tuple[Exp, ...]) -> Counter[int]:
    """How often each node is wanted in straight code; the inside of a fold is another loop's affair."""
    uses: Counter[int] = Counter(id(r) for r in roots)
    seen: set[int] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, BlockExp):
            continue
        below = [node.extent] if isinstance(node, Fold) else list(operands(node))
        uses.update(id(o) for o in below)
        stack += below
    return uses


def consists_of(exp: Exp, functions: Set[Prim]) -> bool:
    """Whether an expression consists of variables, constants, sums, choices and some functions."""
    return all(
        isinstance(n, Var | Const | Sum | Select) or (isinstance(n, Call) and n.op in functions)
        for n in nodes(exp)
    )


def unconditional(roots: tuple[Exp, ...]) -> list[Exp]:
    """The nodes that are evaluated whatever conditions hold: not those in the branches of a select."""
    found: dict[int, Exp] = {}
    stack = list(roots)
    while stack:
        node = stack.pop()
        if id(node) in found:
            continue
        found[id(node)] = node
        if not isinstance(node, BlockExp):
            stack += [node.cond] if isinstance(node, Select) else list(operands(node))
    return list(found.values())


Around = tuple[tuple[Exp, int], ...]
"""Extents of folds, each with the number that it must be at least."""


def folds_around(roots: tuple[Exp, ...]) -> dict[int, Around]:
    """For each node that is evaluated whatever conditions hold, which folds must have how many elements for
    that, by its `id`: what lies in the body of a fold needs one, what lies in its step two. Of the ways to a
    node that with the fewest folds counts. What folds have for no elements is left out.
    """
    found: dict[int, Around] = {}
    level: list[tuple[Exp, Around]] = [(root, ()) for root in roots]
    while level:
        deeper: list[tuple[Exp, Around]] = []
        while level:
            node, around = level.pop()
            if id(node) in found:
                continue
            found[id(node)] = around
            if isinstance(node, Fold):
                level.append((node.extent, around))
                deeper.append((node.body, (*around, (node.extent, 1))))
                if isinstance(node.combine, Step):
                    deeper.append((node.combine.body, (*around, (node.extent, 2))))
            elif not isinstance(node, BlockExp):
                level += [(e, around) for e in ((node.cond,) if isinstance(node, Select) else operands(node))]
        level = deeper
    return found
