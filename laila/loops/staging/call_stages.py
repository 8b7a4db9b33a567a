"""Loops in which calls of functions of reals wait for each other, a block at a time, in stages.

Note [Stages of calls]
    An exponential of a vector takes some sixty steps of which each waits for the one before. A processor
    fills the waiting with what it finds in the next few hundred instructions, which is the next vector if
    little else stands in the loop, and the rest of the same one if what is called depends on another call. So
    a loop with such calls goes by blocks, and each call has a loop of its own, with its argument:

        for k { x = exp(log(f(k))); s[k] = g(k, x) }
        →   for block { for k { l[k] = log(f(k)) }; for k { e[k] = exp(l[k]) }; for k { s[k] = g(k, e[k]) } }

    What several of these loops want is computed in the first stage where it can be and stays in an array of
    the size of a block, unless it is quickly computed again. A quotient or a root that a later stage wants is
    computed beside a call: one unit of the processor divides while others compute a function, and where the
    quotient is wanted they would wait for it.

This is for long loops that are in lanes and inside of no other. The ones that look for an error are left as
they are: they run rarely.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import CALLS, longest, unconditional
from aplc.laila.ir.scalar import (
    DIVIDE,
    RAISED,
    SQRT,
    TESTED,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail import prims as p

BLOCK = 128
"""Elements of a block: its arrays stay in the first cache, and loops have enough rounds."""

QUICK = 3
"""The most that is computed again rather than kept."""

SLOW = frozenset((DIVIDE, SQRT))
"""What a unit of its own computes, that takes a next operation when it is done with one."""

DEPTH = 2
"""Calls of which each needs the one before, from which on stages pay."""


def in_stages(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program as Note [Stages of calls] has it; functions of `--strict-fp` have no lanes."""
    return code if make.settings.strict_fp else l.with_blocks(code, _Blocks(make).block)


class _Blocks:
    """The statements of a program that are in no loop."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make

    def block(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        """Statements with their loops."""
        return tuple(map(self.statement, statements))

    def statement(self, statement: l.Stm) -> l.Stm:
        """A statement, or what takes its place."""
        match statement:
            case l.For():
                split = _split(self.make, statement)
                return statement if split is None else _Stages(self.make, statement, split).loop()
            case l.While():
                return statement
            case l.If(cond=cond) if any(
                isinstance(n, Call) and n.op in (RAISED, TESTED) for n in nodes(cond)
            ):
                return statement
            case _:
                return l.with_bodies(statement, self.block)


@dataclass(frozen=True, slots=True)
class _Split:
    """What a round computes, in order, calls with names of their own, and what it does with that."""

    values: dict[Var, Exp]
    calls: dict[Var, None]
    slow: dict[Var, None]
    """Which of them are quotients and roots."""
    effects: list[l.Assign | l.Store]
    levels: dict[Var, int]
    """How many calls come one after the other until a value is there."""

    def level(self, exp: Exp) -> int:
        """The same of an expression."""
        return max([self.levels.get(n, 0) for n in nodes(exp) if isinstance(n, Var)], default=0)


def _split(make: ExprBuilder, loop: l.For) -> _Split | None:
    """The parts of a loop, if it is long and straight, and its rounds have calls that wait for others."""
    lengths = [longest(make.sub(loop.stop, loop.start)), *map(longest, loop.var.highs)]
    is_short = any(most is not None and most <= BLOCK for most in lengths)
    is_plain = loop.reductions is not None and loop.step == 1 and not loop.descending
    if not is_plain or is_short or loop.running or loop.private:
        return None
    found, stored, read = _Split({}, {}, {}, [], {}), set[Buffer](), set[Buffer]()
    own: set[Var]
    exps: tuple[Exp, ...]
    flags = {r.var for r in loop.reductions or ()}
    named: dict[Exp, Exp] = {}
    for statement in loop.body:
        match statement:
            case l.Declare(var=var, value=value, mutable=False) if value is not None:
                own, exps = {var}, (value,)
            case l.Assign(var=var, value=value):
                own, exps = {var}, (value,)
            case l.Store(buffer=buffer, position=position, value=value):
                stored.add(buffer)
                own, exps = set(), (position, value)
            case _:
                return None
        if contains(BlockExp | Check | Fold | PureCall, *exps):
            return None
        inside = list(nodes(*exps))
        read |= {n.buffer for n in inside if isinstance(n, Read)}
        if any(isinstance(n, Var) and n in flags - own for n in inside):
            return None
        for node in reversed(unconditional(exps)):
            _name_calls(make, node, named, found)
        change = Substitute(make, named)
        match statement:
            case l.Declare(var=var):
                value = change(exps[0])
                if isinstance(value, Var):
                    named[var] = value
                else:
                    found.values[var], found.levels[var] = value, found.level(value)
            case l.Assign(var=var):
                found.effects.append(l.Assign(var, change(exps[0])))
            case l.Store(buffer=buffer):
                found.effects.append(l.Store(buffer, *map(change, exps)))
    is_deep = max(found.levels.values(), default=0) >= DEPTH
    return found if is_deep and not stored & read else None


def _name_calls(make: ExprBuilder, node: Exp, named: dict[Exp, Exp], found: _Split) -> None:
    """Give a call a name, or a quotient, and those in its arguments before it."""
    if not isinstance(node, Call) or not _has_name(node) or node in named:
        return
    for inner in unconditional(node.args):
        _name_calls(make, inner, named, found)
    change = Substitute(make, named)
    var = Var(make.fresh("t"), node.ty)
    value = make.call(node.op, *map(change, node.args))
    named[node] = var
    found.values[var] = value
    found.levels[var] = found.level(value) + (node.op in CALLS)
    (found.calls if node.op in CALLS else found.slow)[var] = None


def _has_name(node: Call) -> bool:
    """Whether a value is one of those that `_Split` tells apart. A quotient by a constant is two products."""
    return node.op in CALLS or (node.op in SLOW and not isinstance(node.args[-1], Const))


@dataclass(slots=True)
class _Part:
    """One of the loops over a block, and what it needs of the values."""

    effects: list[l.Assign | l.Store] = field(default_factory=list)
    call: Var | None = None
    kept: dict[Var, None] = field(default_factory=dict)
    """What it computes for others."""
    needs: set[Var] = field(default_factory=set)


class _Stages:
    """The loops that take the place of one."""

    def __init__(self, make: ExprBuilder, loop: l.For, split: _Split) -> None:
        self.make, self.of_all, self.split = make, loop, split
        self.rows: dict[Var, Buffer] = {}
        """Where values stand that loops have from others."""
        most = max([split.level(s.value) for s in split.effects], default=0)
        self.stages = [_Part() for _ in range(max(most, *split.levels.values()) + 1)]
        self.parts: list[_Part] = []
        for effect in split.effects:
            level = max([split.level(e) for e in _exps(effect)])
            self.stages[level].effects.append(effect)
        for level, stage in enumerate(self.stages):
            of_level = [_Part(call=v) for v in split.calls if split.levels[v] == level + 1]
            self.parts += [stage, *of_level]
            if len(of_level) == 1 and self.is_all_that_follows(of_level[0], level + 1):
                following = self.stages[level + 1]
                of_level[0].effects, following.effects = following.effects, []
        self.decide()

    def is_all_that_follows(self, part: _Part, level: int) -> bool:
        """Whether a stage does little with the value of a call, which nothing else wants, and no other value
        of its level is used there.
        """
        split, effects = self.split, self.stages[level].effects
        exps = tuple([e for effect in effects for e in _exps(effect)])
        later = {n for n in nodes(*exps) if isinstance(n, Var) and split.levels.get(n) == level}
        elsewhere = {n for n in nodes(*split.values.values()) if isinstance(n, Var)}
        return later == {part.call} and part.call not in elsewhere and weigh(*exps).cost <= QUICK

    def decide(self) -> None:
        """Which loop computes what."""
        split, costs = self.split, self.costs()
        wanted: dict[Var, list[_Part]] = {v: [] for v in split.values}

        def needed(exps: tuple[Exp, ...], part: _Part) -> None:
            for node in nodes(*exps):
                if isinstance(node, Var) and node in wanted and node not in part.needs:
                    part.needs.add(node)
                    wanted[node].append(part)

        for part in self.parts:
            needed(tuple([e for effect in part.effects for e in _exps(effect)]), part)
        for var, value in reversed(split.values.items()):
            by = wanted[var]
            if var in split.calls:
                (own,) = [part for part in self.parts if part.call is var]
                needed((value,), own)
                if not own.effects:
                    self.rows[var] = self.row(var)
                continue
            beside = self.beside(var, by)
            if beside is not None:
                beside.kept[var] = None
                beside.needs.add(var)
                self.rows[var] = self.row(var)
                by = [beside]
            elif len(by) > 1 and costs[var] > QUICK:
                stage = self.stages[split.levels[var]]
                stage.kept[var] = None
                stage.needs.add(var)
                self.rows[var] = self.row(var)
                by = [stage]
            for part in by:
                needed((value,), part)

    def beside(self, var: Var, wanted: list[_Part]) -> _Part | None:
        """The loop of a call that computes a quotient or a root, too: before all loops that want it, and with
        the fewest such values.
        """
        split = self.split
        if var not in split.slow or not wanted:
            return None
        first = min([self.parts.index(part) for part in wanted])
        level = split.levels[var] + 1
        found = [e for e in self.parts[:first] if e.call is not None and split.levels[e.call] == level]
        return min(found, key=self.divisions, default=None)

    def divisions(self, part: _Part) -> int:
        """How many quotients and roots a loop is known to compute."""
        own = [v for v in part.needs if v in self.split.slow and v not in self.rows]
        return len(own) + len(part.kept)

    def costs(self) -> dict[Var, int]:
        """What it takes to compute each value from calls and from what is better kept."""
        found: dict[Var, int] = {}
        for var, value in self.split.values.items():
            below = [found[n] for n in nodes(value) if isinstance(n, Var) and n in found]
            own = weigh(value).cost + sum([cost for cost in below if cost <= QUICK])
            own += QUICK * (var in self.split.slow)
            found[var] = 0 if var in self.split.calls else own
        return found

    def row(self, var: Var) -> Buffer:
        """An array with a value for each round of a block."""
        return Buffer(self.make.fresh("s"), var.ty, STORAGE[var.ty])

    def loop(self) -> l.For:
        """The loop over blocks."""
        make, loop = self.make, self.of_all
        first = make.between("start", (loop.start, *loop.var.lows), loop.var.highs)
        end = make.between("stop", (), tuple([make.add(high, make.one) for high in loop.var.highs]))
        after = make.call(p.MINI, make.add(first, make.const(BLOCK)), loop.stop)
        body: list[l.Stm] = [l.Declare(end, after)]
        body += [l.Local(row, BLOCK) for row in self.rows.values()]
        wanted = [each for each in self.parts if each.kept or each.effects or each.call is not None]
        body += [self.part(each, first, end) for each in wanted]
        return replace(
            loop, var=first, body=tuple(body), step=BLOCK, reductions=None, independent=False, about=None
        )

    def part(self, part: _Part, first: Var, end: Var) -> l.For:
        """One loop over a block."""
        make, loop = self.make, self.of_all
        index = make.between(loop.var.name, (first, *loop.var.lows), loop.var.highs)
        place, body = make.sub(index, first), list[l.Stm]()
        known: dict[Exp, Exp] = {loop.var: index}
        for var, value in self.split.values.items():
            if var is part.call and not part.effects:
                body.append(l.Store(self.rows[var], place, Substitute(make, known)(value)))
            elif var in part.needs:
                new = replace(var, name=make.fresh(var.name))
                is_kept = var in self.rows and var not in part.kept
                given = make.read(self.rows[var], place) if is_kept else Substitute(make, known)(value)
                body.append(l.Declare(new, given))
                known[var] = new
                if var in part.kept:
                    body.append(l.Store(self.rows[var], place, new))
        change = Substitute(make, known)
        for effect in part.effects:
            if isinstance(effect, l.Assign):
                body.append(l.Assign(effect.var, change(effect.value)))
            else:
                body.append(l.Store(effect.buffer, change(effect.position), change(effect.value)))
        assigned = {effect.var for effect in part.effects if isinstance(effect, l.Assign)}
        reductions = tuple([r for r in loop.reductions or () if r.var in assigned])
        return replace(
            loop,
            var=index,
            start=first,
            stop=end,
            body=tuple(body),
            reductions=reductions,
            independent=loop.independent or bool(loop.reductions) or not part.effects,
            parallel=None if loop.parallel is None else reductions,
            about=make.const(BLOCK),
        )


def _exps(effect: l.Assign | l.Store) -> tuple[Exp, ...]:
    """The expressions of a statement."""
    return (effect.value,) if isinstance(effect, l.Assign) else (effect.position, effect.value)
