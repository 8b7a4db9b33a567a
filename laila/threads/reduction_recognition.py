"""Recognises reductions in sequential loops: iterations that only count and accumulate may run in any order.

    while k < n { f := g(year) + f; year := year + 1; k := k + 1 }
    for row in 0 … n { for j in 0 … 3 { a[j] := a[j] + m[3×row + j] } }

A round may depend on the rounds before it only by counters, which are known without them, and by what it
accumulates: variables and elements of arrays that a round gives their old value ⊕ what does not depend on
any of them, with one associative ⊕ each. `parallel` makes schedules of what is found here.

Note [Tags]
    While the statements of a round are walked over, each variable is either clean, or it has a tag: its value
    is then what the tag (an accumulator, or an element as it is read) had, ⊕ something clean. An element that
    was read is stored where it came from, in the same iteration of the loops in the round. What has one tag
    on one path and another on the other is not used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import Move, RuntimeCall, Swap
from aplc.laila.ir.scalar import (
    MULTIPLY_ADD,
    Buffer,
    Call,
    Const,
    Exp,
    FreeVars,
    PureCall,
    Read,
    Select,
    Sum,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scalars import CUTTING, may_reassociate, neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

EXTREMA = {p.GTD: p.MAXD, p.LTD: p.MIND}
"""The extremum of `x > a ? x : a`."""

DOUBLES = (p.ADDD, p.MULD, p.MAXD, p.MIND)
"""The operators of which NaN on one side is NaN."""


WHOLE = 1 << 20
"""Doubles that count begin below, with smaller steps: in all rounds that a machine can do they are exact."""


class NotATally(Exception):
    """A round depends on the rounds before it in another way."""


@dataclass(frozen=True, slots=True)
class Accumulated:
    """What the rounds of a loop accumulate: in variables, and in arrays."""

    variables: tuple[l.Reduction, ...]
    arrays: tuple[tuple[Buffer, Prim], ...]


def counted(
    make: ExprBuilder, loop: l.While, initial: Mapping[Var, Exp]
) -> tuple[tuple[l.Stm, ...], l.For] | None:
    """A loop whose condition compares a counter with what no round changes, as a loop over the counter in
    which each counter is computed anew, with the statements that stand in front of it; `initial` are values
    of variables before the loop.
    """
    assigned = [s.var for s in within(loop.body) if isinstance(s, l.Assign)]
    known: dict[Exp, Exp] = {}
    steps: dict[Var, int] = {}
    for statement in loop.body:
        match statement:
            case l.Declare(var=var, value=value, mutable=False) if value is not None:
                known[var] = value
            case l.Assign(var=var, value=value) if assigned.count(var) == 1:
                step = _step(var, Substitute(make, known)(value), initial.get(var))
                if step is not None:
                    steps[var] = step
            case _:
                pass
    match loop.cond:
        case Call(op=p.LTI, args=(Var() as counter, (Var() | Const()) as stop)):
            if steps.get(counter) != 1 or stop in assigned:
                return None
        case _:
            return None
    before = {var: Var(make.fresh(f"{var.name}_before"), var.ty) for var in steps}
    turn = Var(make.fresh("turn"), Base.INT, True)
    since = make.sub(turn, before[counter])
    anew: list[l.Stm] = [l.Assign(counter, turn)]
    for var, step in steps.items():
        change = make.mul(make.const(step), since)
        if var.ty is Base.DOUBLE:
            anew.append(l.Assign(var, make.call(p.ADDD, before[var], make.call(p.I2D, change))))
        elif var is not counter:
            anew.append(l.Assign(var, make.add(before[var], change)))
    first = tuple([l.Declare(new, var) for var, new in before.items()])
    return first, l.For(turn, before[counter], stop, (*anew, *loop.body), private=loop.private)


def _step(var: Var, after: Exp, initial: Exp | None) -> int | None:
    """By how much a variable grows in each round; doubles only if all their values are whole numbers."""
    match after:
        case Sum(const=step, terms=((atom, 1),)) if atom is var:
            return step
        case Call(op=p.ADDD, args=(first, second)) if var in (first, second):
            change = second if first is var else first
            if isinstance(change, Const) and isinstance(initial, Const):
                both = float(change.value), float(initial.value)
                if all(x.is_integer() and abs(x) < WHOLE for x in both):
                    return int(change.value)
            return None
        case _:
            return None


def accumulated(make: ExprBuilder, loop: l.For, anew: Callable[[Var], bool]) -> Accumulated | None:
    """What the rounds of a loop accumulate, if they depend on one another by nothing else; `anew` says which
    variables each round sets before it reads them.
    """
    body = loop.body
    inside: set[Var | Buffer] = set(loop.private)
    for statement in within(body):
        match statement:
            case l.Declare(var=var) | l.For(var=var):
                inside.add(var)
            case l.Local(buffer=buffer) | l.Allocate(buffer=buffer):
                inside.add(buffer)
            case _:
                pass
    assigned = {s.var: None for s in within(body) if isinstance(s, l.Assign) and s.var not in inside}
    stored = {s.buffer: None for s in within(body) if isinstance(s, l.Store) and s.buffer not in inside}
    if any(b.storage != b.ty.dtype for b in stored):
        return None  # whose least element need not fit
    variables = [v for v in assigned if not anew(v)]
    round_ = _Round(make, frozenset(variables), frozenset(stored), inside)
    try:
        round_.block(body)
        reductions = [l.Reduction(op := round_.result(v), v, neutral(make, op)) for v in variables]
        arrays = [(b, round_.operators[b]) for b in stored]
    except (NotATally, KeyError):
        return None
    if any(v in round_.tags for v in assigned if v not in variables):
        return None
    return Accumulated(tuple(reductions), tuple(arrays))


_UNUSABLE = Var("", Base.INT)
"""The tag of what has several: see Note [Tags]."""


@dataclass
class _Round:
    """One round, statement by statement: see Note [Tags]."""

    make: ExprBuilder
    variables: frozenset[Var]
    arrays: frozenset[Buffer]
    inside: set[Var | Buffer]
    """What each round has for itself."""
    operators: dict[Var | Buffer, Prim] = field(default_factory=dict)
    tags: dict[Var, Exp] = field(default_factory=dict)
    free: FreeVars = field(default_factory=FreeVars)

    def __post_init__(self) -> None:
        self.tags = {v: v for v in self.variables}
        self.changing: set[Var] = set()

    def result(self, var: Var) -> Prim:
        """The operator by which a variable accumulates."""
        if self.tags[var] is not var:
            raise NotATally
        return self.operators[var]

    # --- statements ---

    def block(self, statements: tuple[l.Stm, ...]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: l.Stm) -> None:
        match statement:
            case l.Declare(var=var, value=value):
                self.give(var, None if value is None else self.tag(value))
            case l.Assign(var=var, value=value):
                tag = self.tag(value)
                if isinstance(tag, Read):
                    raise NotATally
                self.give(var, tag)
                self.changing.add(var)
            case l.Store(buffer=buffer, position=position, value=value):
                self.clean(position)
                tag = self.tag(value)
                if buffer not in self.arrays:
                    self.clean(value)
                elif not self.is_element(tag, buffer, position):
                    raise NotATally
            case l.If(cond=cond, then=then, other=other):
                self.clean(cond)
                before = dict(self.tags)
                self.block(then)
                after, self.tags = self.tags, before
                self.block(other)
                self.tags = _merged(after, self.tags)
            case l.For(start=start, stop=stop, body=body):
                self.clean(start, stop)
                self.repeated(body)
            case l.While(cond=cond, body=body):
                self.clean(cond)
                self.repeated(body)
                self.clean(cond)
            case l.Fail(ok=ok, reported=reported):
                self.clean(ok, *reported)
            case l.Allocate(size=size):
                self.clean(size)
            case RuntimeCall(arguments=arguments):
                self.clean(*[a for a in arguments if not isinstance(a, Buffer)])
                if any(isinstance(a, Buffer) and a not in self.inside for a in arguments):
                    raise NotATally  # which of them it writes is not said
            case l.Prefetch(position=position):
                self.clean(position)
            case l.Local() | l.Release() | Move() | Swap():
                pass
            case _:
                raise NotATally

    def repeated(self, body: tuple[l.Stm, ...]) -> None:
        """The statements of a loop in the round, which find what they have left."""
        while True:
            before = dict(self.tags)
            self.block(body)
            self.tags = _merged(before, self.tags)
            if self.tags == before:
                return

    def give(self, var: Var, tag: Exp | None) -> None:
        self.tags.pop(var, None)
        if tag is not None:
            self.tags[var] = tag

    def is_element(self, tag: Exp | None, buffer: Buffer, position: Exp) -> bool:
        """Whether a tag is that of the element at a position, which is the same since that was read."""
        if not isinstance(tag, Read) or tag.buffer is not buffer or tag.index is not position:
            return False
        return not self.free.of(position) & self.changing

    # --- expressions ---

    def clean(self, *exps: Exp) -> None:
        """Expressions must not depend on what is accumulated."""
        if any(self.is_tagged(e) for e in exps):
            raise NotATally

    def is_tagged(self, exp: Exp) -> bool:
        for node in nodes(exp):
            if isinstance(node, Var) and node in self.tags:
                return True
            if isinstance(node, Read) and node.buffer in self.arrays:
                return True
            if isinstance(node, PureCall) and self.arrays & {*node.memory, *node.behind}:
                return True
        return False

    def tag(self, exp: Exp) -> Exp | None:
        """The tag of a value."""
        if not self.is_tagged(exp):
            return None
        match exp:
            case Var():
                if self.tags[exp] is _UNUSABLE:
                    raise NotATally
                return self.tags[exp]
            case Read(buffer=buffer, index=index) if buffer in self.arrays:
                self.clean(index)
                return exp
            case Select(cond=Call(op=op, args=(x, old)), then=then, other=other) if (
                op in EXTREMA and then is x and other is old
            ):
                return self.combined(EXTREMA[op], old, x)
            case Select(cond=cond, then=then, other=other):
                self.clean(cond)
                if isinstance(then, Const) and isinstance(then.value, float) and math.isnan(then.value):
                    return self.with_nan(other)
                return self.same(then, other)
            case Call(op=op, args=(x, y, old)) if op is MULTIPLY_ADD:
                return self.combined(p.ADDD, old, x, y)
            case Call(op=p.SUBD, args=(old, x)):
                return self.combined(p.ADDD, old, x)
            case Call(op=op, args=(x, y)):
                return self.combined(op, x, y) if self.is_tagged(x) else self.combined(op, y, x)
            case Sum(terms=terms):
                (old, times), *more = [t for t in terms if self.is_tagged(t[0])]
                if more or times != 1:
                    raise NotATally
                return self.combined(p.ADDI, old)
            case _:
                raise NotATally

    def combined(self, op: Prim, old: Exp, *others: Exp) -> Exp | None:
        """The tag of an old value that is combined with clean ones."""
        self.clean(*others)
        if not may_reassociate(self.make, op) or op in CUTTING:
            raise NotATally
        tag = self.tag(old)
        assert isinstance(tag, Var | Read)
        if self.operators.setdefault(tag if isinstance(tag, Var) else tag.buffer, op) is not op:
            raise NotATally
        return tag

    def same(self, first: Exp, second: Exp) -> Exp | None:
        """The tag of one value or the other."""
        tag = self.tag(first)
        if tag is None or self.tag(second) is not tag:
            raise NotATally
        return tag

    def with_nan(self, old: Exp) -> Exp | None:
        """The tag of an old value that is combined with NaN or with something else."""
        tag = self.tag(old)
        key = tag.buffer if isinstance(tag, Read) else tag
        if not isinstance(key, Var | Buffer) or self.operators.get(key) not in DOUBLES:
            raise NotATally
        return tag


def _merged(first: dict[Var, Exp], second: dict[Var, Exp]) -> dict[Var, Exp]:
    """The tags behind two paths."""
    return {
        var: tag if first.get(var) is (tag := second.get(var)) and tag is not None else _UNUSABLE
        for var in {**first, **second}
    }
