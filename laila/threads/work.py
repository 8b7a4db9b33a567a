"""Estimates the work of loops, by which they run in threads or not.

Note [Work]
    The work of an iteration is counted in operations times the bytes of their lanes, in terms of the extents
    that are known before the loop. A length that depends on the index of a loop around it is that in the
    middle of this loop. It decides between one thread and several, so it need not be exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import lane_bytes
from aplc.laila.ir.program import FunctionCall, HostCall, RuntimeCall
from aplc.laila.ir.rounds import is_total
from aplc.laila.ir.scalar import QUOT, Call, Const, Exp, FreeVars, PureCall, Read, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import given_by
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.tail import prims as p

GUESS = 32
"""Iterations of a loop of which nothing is known before the one around it."""

OF_A_RUN = 20_000.0
"""The work of a function of the run-time system."""


class WorkEstimate:
    """The work of loops, as terms in extents."""

    def __init__(self, make: ExprBuilder, free: FreeVars) -> None:
        self.make, self.free = make, free
        self.mean: Exp | None = None
        """How many elements an iteration of the outermost loop makes, where that is known on average."""
        self.middles: dict[Exp, Exp] = {}
        """The index in the middle of loops, which stands for all of them."""
        self.grows = False
        """Whether the length of a loop inside depends on the index of the outermost one."""

    def elements(self, loop: l.For) -> Exp | None:
        """How many elements an iteration makes on average."""
        make = self.make
        if loop.ends is None:
            return None
        before = make.read(loop.ends.buffer, loop.start) if isinstance(loop.ends, Read) else make.zero
        turns = make.call(p.MAXI, make.one, make.sub(loop.stop, loop.start))
        every = make.sub(loop.ends, before)
        some = make.select(make.call(p.LTI, loop.start, loop.stop), every, make.zero)
        return make.call(QUOT, some, turns)

    def of(self, loop: l.For) -> tuple[l.Term, ...]:
        """The work of one iteration: see Note [Work]."""
        self.mean = self.elements(loop)
        self.middles, self.grows = {loop.var: self.middle(loop)}, False
        return _added(self.terms(loop.body, {loop.var.name}, {}))

    def of_call(self, body: tuple[l.Stm, ...], least: float) -> tuple[l.Term, ...]:
        """The work of a call of a function with such statements, without that of calls inside: `least` is
        that of the call itself.
        """
        self.mean, self.middles = None, {}
        return _added((l.Term(least), *self.terms(body, set(), {})))

    def terms(self, body: tuple[l.Stm, ...], inside: set[str], known: dict[Exp, Exp]) -> Iterator[l.Term]:
        """The work of statements; `inside` names variables of the loop, `known` is what some of them are."""
        for statement in body:
            yield l.Term(_units(statement))
            match statement:
                case l.Declare(var=var, value=value, mutable=mutable):
                    inside.add(var.name)
                    if not mutable and value is not None:
                        known[var] = value
                case l.For(var=var, start=start, stop=stop, body=inner, step=step, about=about):
                    inside.add(var.name)
                    self.middles[var] = self.middle(statement)
                    times, extents = self.times(about or self.make.sub(stop, start), inside, known)
                    for term in self.terms(inner, inside, known):
                        units = term.units * (times / step if extents else max(1.0, times / step))
                        yield l.Term(units, (*extents, *term.extents))
                case l.While(body=inner):
                    rounds = rounds_of(statement)
                    for term in self.terms(inner, inside, known):
                        yield l.Term(term.units * rounds, term.extents)
                case l.If(then=then, other=other):
                    share = 0.5 if then and other else 1.0
                    for term in self.terms((*then, *other), inside, known):
                        yield l.Term(term.units * share, term.extents)
                case RuntimeCall() | HostCall() | FunctionCall():
                    inside |= {var.name for var in given_by(statement)}
                case _:
                    pass

    def times(self, extent: Exp, inside: set[str], known: dict[Exp, Exp]) -> tuple[float, tuple[Exp, ...]]:
        """How often a loop runs: a number, and an extent that is known before the outermost loop."""
        extent = self.named(extent, known)
        if isinstance(extent, Const):
            return float(extent.value), ()
        if not self.is_hidden(extent, inside):
            return 1.0, (extent,)
        if (most := self.most(extent, inside)) is not None:
            return (float(most.value), ()) if isinstance(most, Const) else (1.0, (most,))
        if self.mean is not None:
            return 1.0, (self.mean,)
        typical = self.named(self.named(extent, self.middles), known)
        if typical is extent or self.is_hidden(typical, inside) or not is_total(typical):
            return float(GUESS), ()
        self.grows = True
        return (float(typical.value), ()) if isinstance(typical, Const) else (1.0, (typical,))

    def is_hidden(self, extent: Exp, inside: set[str]) -> bool:
        """Whether a length cannot be told before the outermost loop."""
        return contains(Read | PureCall, extent) or not self.free.names(extent).isdisjoint(inside)

    def middle(self, loop: l.For) -> Exp:
        """The index in the middle of a loop."""
        make = self.make
        half = make.call(QUOT, make.sub(loop.stop, loop.start), make.const(2))
        return make.add(loop.start, half)

    def named(self, exp: Exp, known: dict[Exp, Exp]) -> Exp:
        """An expression with what some variables stand for."""
        for _ in range(4):  # names of names
            if not self.free.of(exp) & known.keys():
                break
            exp = Substitute(self.make, known)(exp)
        return exp

    def most(self, extent: Exp, inside: set[str]) -> Exp | None:
        """The length of a block, of which only the last is shorter, and no longer than all of them, as far as
        either is known before the outermost loop; None for what is no block.
        """
        make = self.make
        for atom, times in make.linear(extent)[1].items():
            if times == 1 and isinstance(atom, Call) and atom.op is p.MINI:
                lengths = [make.add(make.sub(extent, atom), end) for end in atom.args]
                known = [each for each in lengths if not self.is_hidden(each, inside)]
                wholes = [end for end in atom.args if not self.is_hidden(end, inside)]
                if known:
                    return reduce(lambda x, y: make.call(p.MINI, x, y), (*known, *wholes))
        return None


def rounds_of(loop: l.While) -> float:
    """How many rounds a loop is taken to have: as its condition counts them, else as many as are guessed. A
    loop inside that counts its own does some of these.
    """
    if (most := _counted(loop.cond)) is not None:
        return min(most, GUESS)
    inside = [_counted(s.cond) for s in loop.body if isinstance(s, l.While)]
    return GUESS / max([1.0, *[most for most in inside if most is not None]])


def _counted(cond: Exp) -> float | None:
    """The constant that something must stay below while a condition holds, or None."""
    match cond:
        case Call(op=p.ANDB, args=args):
            return min([most for each in args if (most := _counted(each)) is not None], default=None)
        case Call(op=p.LTI, args=(_, Const(value=most))) if most > 0:
            return float(most)
        case _:
            return None


def _added(terms: Iterable[l.Term]) -> tuple[l.Term, ...]:
    """The terms, those over the same extents in one."""
    found: dict[tuple[int, ...], l.Term] = {}
    for term in terms:
        key = tuple([id(e) for e in term.extents])
        before = found[key].units if key in found else 0.0
        found[key] = l.Term(before + term.units, term.extents)
    return tuple(found.values())


def _units(statement: l.Stm) -> float:
    """The work of one statement, without those inside."""
    if isinstance(statement, RuntimeCall):
        return OF_A_RUN
    if isinstance(statement, l.Store):
        exps, least = [statement.value], statement.buffer.item_bytes
    else:
        exps, least = l.own_expressions(statement), 0
    found = 0.0
    for exp in exps:
        lanes = [n.buffer.item_bytes for n in nodes(exp) if isinstance(n, Read)]
        found += (1 + weigh(exp).cost) * max([least or lane_bytes(exp.ty), *lanes])
    return found
