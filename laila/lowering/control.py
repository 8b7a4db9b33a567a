"""The lowering of conditionals and of recursions that are loops.

A conditional whose branches are plain expressions is a `Select`; any other becomes statements that leave
their value in variables and buffers (`Join`). A recursion all of whose calls are jumps is a `While` over its
state; any other is lowered by `recursion`.

Note [The state of a loop]
    Each component of the state has a variable, or a buffer. An extent that no round changes is that of the
    initial state, about which something may be known; which ones do is found by trying: the body is lowered
    as if none did, and again with a variable for those that turn out to. An array of unchanging extents has
    two buffers, which change places with every round. Where only the first round changes extents, it stands
    in front of the loop: see `peeling`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.parallel_copy import assignments, exchanges
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    HostCheck,
    HostLet,
    If,
    Move,
    Statement,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.rules.guards import where
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, FreeVars, Select, Sum, Var, nodes
from aplc.laila.ir.statements import bound, within
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.decisions import FIRST_ROUND, NEXT_ROUND
from aplc.laila.lowering.join import Join, Leaf
from aplc.laila.lowering.keeping import FEW
from aplc.laila.lowering.lowered import Lowered, leaf_types, leaves_of, shaped
from aplc.laila.lowering.peeling import always_calls, may_settle, peeled
from aplc.laila.lowering.pull import Pull, from_buffer, from_elements, from_scalar
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail import syntax as t
from aplc.tail.types import Base

# --- conditionals ---------------------------------------------------------------------------------------


class Conditionals:
    """The conditionals of a term."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self._with_statements: set[int] = set()
        """Those one of whose branches turned out to take statements: branches in branches are not tried
        again and again.
        """

    def value(self, exp: t.If) -> Lowered:
        """One of two values, only the chosen one computed."""
        low = self.low
        if low.shows(exp):
            low.settle()
        cond = low.scalar(exp.condition)
        if isinstance(cond, Const):
            return low.lower(exp.then if cond.value else exp.otherwise)
        plain = self._selected(exp, cond)
        return self._chosen(exp, cond) if plain is None else plain

    def _chosen(self, exp: t.If, cond: Exp) -> Lowered:
        """The conditional as statements that give its value."""
        low = self.low
        named, join = low.named(cond, "c"), Join(low, exp.ty, "r")
        site = low.site(faults.NO_MEMORY, "", exp.span)
        sides: list[tuple[Statement, ...]] = []
        for branch, holds in ((exp.then, True), (exp.otherwise, False)):
            with low.block() as statements, where(low.make, cond, holds=holds):
                join.give(low.lower(branch), site)
            sides.append(tuple(with_frees(statements)))
        low.emit(If(named, sides[0], sides[1]))
        return join.value([s for side in sides for s in side])

    def _selected(self, exp: t.If, cond: Exp) -> Lowered | None:
        """The conditional as an expression, where both branches are plain scalars."""
        low, make = self.low, self.low.make
        if any(rank for _, rank in leaf_types(exp.ty)) or id(exp) in self._with_statements:
            return None
        values: list[list[Pull]] = []
        functions = low.functions
        for branch, holds in ((exp.then, True), (exp.otherwise, False)):
            with low.block(on_host=False) as statements, where(make, cond, holds=holds):
                parts = [from_scalar(make, a.at()) for a in leaves_of(low.lower(branch))]
            if statements:
                self._with_statements.add(id(exp))
                low.forget_functions(functions)
                return None
            values.append(parts)
        chosen = [from_scalar(make, make.select(cond, a.at(), b.at())) for a, b in zip(*values, strict=True)]
        return shaped(exp.ty, chosen)


# --- loops ----------------------------------------------------------------------------------------------


@dataclass
class State:
    """The state of a loop: where its components are, and the second buffers of those that have one."""

    level: int
    """The level of the block that the loop stands in."""
    leaves: list[Leaf] = field(default_factory=list)
    shapes: list[tuple[Exp, ...]] = field(default_factory=list)
    """The extents of the arrays, as they are known in each round."""
    changing: set[Var] = field(default_factory=set)
    """The extents that are variables of the loop."""
    others: dict[int, Buffer] = field(default_factory=dict)
    before: list[Statement] = field(default_factory=list)
    """The allocation of the second buffers."""
    conflicts: set[tuple[int, int]] = field(default_factory=set)
    """Components and axes whose extent turned out to change."""
    changes: list[tuple[Exp, Exp]] = field(default_factory=list)
    """Such extents, before a round and behind it."""
    inside: set[str] = field(default_factory=set)
    """The names that a round binds."""


@dataclass(frozen=True, slots=True)
class Known:
    """What lowering has found out about a loop: a loop around it that is tried again need not."""

    conflicts: set[tuple[int, int]]
    """Components and axes whose extent changes; those found later are added."""
    always: bool
    """Whether some change even where extents are as they usually are."""
    parts: tuple[t.Exp, t.Rec] | None
    """The first round and the rest, unless that changes extents, too."""


class Loops:
    """The loops of a term."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self._known: dict[tuple[int, bool], Known] = {}
        """What was found out about loops, each under assumptions or not."""
        self._rests: dict[int, t.Rec] = {}
        """Loops without their first rounds."""
        self._is_settled = True
        """Whether such a loop changes no extents."""

    def value(self, exp: t.Rec) -> Lowered:
        """The value of a loop: see Note [The state of a loop]."""
        low = self.low
        inits = [_fixed(low, a) for init in exp.inits for a in leaves_of(low.lower(init))]
        least = _extents(inits)
        key = id(exp), low.make.assumed.in_version
        known = self._known.get(key)
        if known is None:
            before = low.mark()
            value, state = _attempt(low, exp, inits, set())
            if not state.conflicts:
                return value
            if id(exp) in self._rests:
                self._is_settled = False
                return value
            low.go_back(before)
            assumed = state
            if least and not low.make.assumed.in_version:
                with low.make.assuming(least):
                    _, assumed = _attempt(low, exp, inits, set())
                low.go_back(before)
            always = bool(assumed.conflicts) or not least
            parts = peeled(exp) if always and may_settle(state.changes, state.inside) else None
            known = self._known[key] = Known(state.conflicts, always, parts)
        if known.parts is not None:
            before = low.mark()
            peeled_value = self._with_first_round(exp, inits, *known.parts)
            if peeled_value is not None:
                return peeled_value
            low.go_back(before)
            known = self._known[key] = replace(known, parts=None)
        if known.always:
            return _changing(low, exp, inits, known.conflicts)
        return _versions(low, exp, inits, known.conflicts, least)

    def _with_first_round(self, exp: t.Rec, inits: list[Pull], first: t.Exp, rest: t.Rec) -> Lowered | None:
        """The loop behind its first round; None, and what was lowered is to be forgotten, if its rest changes
        extents, too.
        """
        low = self.low
        self._rests[id(rest)] = rest
        parts = list(inits)
        for param in exp.params:
            low.bind(param.name, shaped(param.ty, parts))
        outer, self._is_settled = self._is_settled, True
        value = low.lower(first)
        is_settled, self._is_settled = self._is_settled, outer
        return value if is_settled else None


def _versions(
    low: Lowering, exp: t.Rec, inits: list[Pull], conflicts: set[tuple[int, int]], least: dict[Exp, Exp]
) -> Lowered:
    """The loop twice: for extents of more than one, which it keeps, and for any others."""
    make = low.make
    site = low.site(faults.NO_MEMORY, "", exp.span)
    holds: Exp = make.true
    for extent, low_bound in least.items():
        holds = make.call(p.ANDB, holds, make.call(p.GTEI, extent, low_bound))
    cond = low.named(holds, "usual")
    join = Join(low, exp.ty, "r")
    with low.block() as usual, make.assuming(least):
        join.give(_attempt(low, exp, inits, set())[0], site)
    with low.block() as unusual:
        join.give(_changing(low, exp, inits, conflicts), site)
    sides = tuple(with_frees(usual)), tuple(with_frees(unusual))
    low.emit(If(cond, *sides, tuple(least.items())))
    return join.value([s for side in sides for s in side])


def _changing(low: Lowering, exp: t.Rec, inits: list[Pull], conflicts: set[tuple[int, int]]) -> Lowered:
    """The loop with variables for the extents that change."""
    while True:
        before = low.mark()
        value, state = _attempt(low, exp, inits, conflicts)
        if not state.conflicts:
            return value
        low.go_back(before)
        conflicts |= state.conflicts


def _attempt(
    low: Lowering, exp: t.Rec, inits: list[Pull], varying: set[tuple[int, int]]
) -> tuple[Lowered, State]:
    """The loop and its value; not of use if its state names conflicts."""
    state = State(low.level)
    _start(low, exp, inits, varying, state)
    return _rounds(low, exp, state), state


def _extents(inits: list[Pull]) -> dict[Exp, Exp]:
    """The extents of the initial state of which nothing is known, with the bound that usually holds."""
    names = [n for a in inits for n in nodes(*a.shape) if isinstance(n, Var) and n.is_index]
    return {n: a.make.const(2) for a in inits for n in names if not n.highs}


def _fixed(low: Lowering, a: Pull) -> Pull:
    """An initial value whose extents have names: they are mentioned in each round."""
    if a.rank == 0:
        return from_scalar(low.make, low.named(a.at(), "x"))
    shape = tuple([low.counted(n, (low.make.zero,), ()) if not _is_name(n) else n for n in a.shape])
    return a if shape == a.shape else Pull(a.make, a.ty, shape, a.flat, a.axes, a.buffer, a.unravelled)


def _is_name(exp: Exp) -> bool:
    return all(isinstance(n, Const | Var | Sum) for n in nodes(exp))


def _start(low: Lowering, exp: t.Rec, inits: list[Pull], varying: set[tuple[int, int]], state: State) -> None:
    """Variables and buffers with the initial state."""
    make = low.make
    hints = [q.name for q in exp.params for _ in leaf_types(q.ty)]
    kinds = [leaf for q in exp.params for leaf in leaf_types(q.ty)]
    site = low.site(faults.NO_MEMORY, "", exp.span)
    for k, (init, hint, (base, rank)) in enumerate(zip(inits, hints, kinds, strict=True)):
        shape: list[Exp] = []
        var = buffer = None
        elements: tuple[Var, ...] = ()
        if rank == 0:
            var = Var(make.fresh(hint), base)
            low.emit(Variable(var, init.at()))
        elif _few(init) > 0 and not any(component == k for component, _ in varying):
            elements = tuple([Var(make.fresh(hint), base) for _ in range(_few(init))])
            for position, element in enumerate(elements):
                low.emit(Variable(element, init.at_flat(make.const(position))))
        else:
            buffer = low.materialise(init, site, FIRST_ROUND).buffer
        for axis, n in enumerate(init.shape):
            if (k, axis) not in varying:
                shape.append(n)
                continue
            own = Var(make.fresh(f"{hint}_n"), Base.INT, True, (make.zero,))
            low.emit(Variable(own, n))
            state.changing.add(own)
            shape.append(own)
        state.leaves.append(Leaf(base, rank, var, buffer, (), elements))
        state.shapes.append(tuple(shape))


def _few(a: Pull) -> int:
    """The number of elements, if it is known and small; otherwise 0."""
    return int(a.size.value) if isinstance(a.size, Const) and a.size.value <= FEW else 0


def _rounds(low: Lowering, exp: t.Rec, state: State) -> Lowered:
    """The loop, and the value after it."""
    parts: list[Pull] = []
    for leaf, shape in zip(state.leaves, state.shapes, strict=True):
        if leaf.var is not None:
            parts.append(from_scalar(low.make, leaf.var))
        elif leaf.elements:
            few = from_elements(low.make, leaf.elements, leaf.base)
            parts.append(few if leaf.rank == 1 else Pull(low.make, leaf.base, shape, few.at))
        else:
            assert leaf.buffer is not None
            parts.append(from_buffer(low.make, leaf.buffer, shape))
    for param in exp.params:
        low.bind(param.name, shaped(param.ty, parts))
    tested = _tested_first(low, exp)
    if tested is not None:
        cond, again, result = tested
        with low.block() as body:
            _tail(low, exp, again, state, None)
        state.inside = {v.name for s in within(body) for v in bound(s)}
        _emit_loop(low, exp, state, cond, body)
        return low.lower(result)
    going = Var(low.make.fresh("going"), Base.BOOL)
    end = End(Join(low, exp.ty, "r"), going)
    low.emit(Variable(going, low.make.true))
    with low.block() as body:
        _tail(low, exp, exp.body, state, end)
    state.inside = {v.name for s in within(body) for v in bound(s)}
    _emit_loop(low, exp, state, going, body)
    return end.join.value(body)


def _emit_loop(low: Lowering, exp: t.Rec, state: State, cond: Exp, body: list[Statement]) -> None:
    """The loop, and that it had fewer rounds than it may have. After it the buffers of its state have memory,
    whatever a round did with it in between.
    """
    make, count = low.make, Var(low.make.fresh("calls"), Base.INT)
    goes_on = None if exp.most is None else make.call(p.LTI, count, make.const(exp.most))
    if goes_on is not None:
        low.emit(Variable(count, make.zero))
        cond, body = make.call(p.ANDB, cond, goes_on), [*body, Assign(count, make.add(count, make.one))]
    low.emit(*state.before, While(cond, tuple(with_frees(body))))
    for leaf in state.leaves:
        if leaf.buffer is not None:
            low.adopt(leaf.buffer)
    if goes_on is not None:
        low.emit(HostCheck(goes_on, low.site(faults.TOO_DEEP, "", exp.span), ()))


@dataclass(frozen=True, slots=True)
class End:
    """How a loop ends: where its value is put, and the variable that says that it goes on."""

    join: Join
    going: Var


def _tested_first(low: Lowering, exp: t.Rec) -> tuple[Exp, t.Exp, t.Exp] | None:
    """The condition of the loop, its body and its result, where the body is a choice between both by a
    condition that takes no statements.
    """
    body = exp.body
    if not isinstance(body, t.If):
        return None
    sides = [(body.then, body.otherwise, False), (body.otherwise, body.then, True)]
    for again, result, negated in sides:
        if not t.calls(result, exp.name) and always_calls(again, exp.name):
            with low.block(on_host=False) as statements:
                cond = low.scalar(body.condition)
            if statements or not all(isinstance(n, Const | Var | Sum | Call | Select) for n in nodes(cond)):
                return None
            return (low.make.call(p.NOTB, cond) if negated else cond), again, result
    return None


def _tail(low: Lowering, rec: t.Rec, exp: t.Exp, state: State, end: End | None) -> None:
    """The statements of an expression in tail position: the next state, or the result."""
    match exp:
        case t.Let(body=body):
            low.bindings(exp)
            _tail(low, rec, body, state, end)
        case t.If(condition=condition, then=then, otherwise=otherwise) if t.calls(exp, rec.name):
            cond, sides = low.scalar(condition), list[list[Statement]]()
            named = low.named(cond, "c")
            for branch, holds in ((then, True), (otherwise, False)):
                with low.one_way(), low.block() as statements, where(low.make, cond, holds=holds):
                    _tail(low, rec, branch, state, end)
                sides.append(statements)
            common = _taken_behind(sides[0], sides[1])
            low.emit(If(named, tuple(with_frees(sides[0])), tuple(with_frees(sides[1]))), *common)
        case t.Call(name=name, args=args) if name == rec.name:
            _next(low, rec, [a for arg in args for a in leaves_of(low.lower(arg))], state)
        case _:
            assert end is not None
            value, site = low.lower(exp), low.site(faults.NO_MEMORY, "", rec.span)
            with low.handed_over([leaf.buffer for leaf in state.leaves if leaf.buffer is not None]):
                end.join.give(value, site)  # no round follows that would need the state
            low.emit(Assign(end.going, low.make.false))


def _taken_behind(then: list[Statement], otherwise: list[Statement]) -> list[Statement]:
    """The assignments with which both sides of a condition end, taken out of them: a counter that counts
    either way is seen to count.
    """
    free = FreeVars()
    ends = [_last_assignments(side) for side in (then, otherwise)]
    common: list[Statement] = []
    for a in ends[0]:
        others = [s for side in (then, otherwise) for s in side if s != a]
        changed = {v.name for s in others for v in bound(s)}
        used = {name for end in ends for b in end if b != a for name in free.names(b.value)}
        is_once = all(side.count(a) == 1 for side in (then, otherwise))
        stays = a.var.name not in used | changed and not free.names(a.value) & changed
        if is_once and a in ends[1] and stays:
            common.append(a)
    for side in (then, otherwise):
        side[:] = [s for s in side if s not in common]
    return common


def _last_assignments(side: list[Statement]) -> list[Assign]:
    found: list[Assign] = []
    for statement in reversed(side):
        if not isinstance(statement, Assign):
            break
        found.append(statement)
    return found[::-1]


def _next(low: Lowering, rec: t.Rec, values: list[Pull], state: State) -> None:
    """The state of the next round: everything is computed, then everything changes."""
    site = low.site(faults.NO_MEMORY, "", rec.span)
    changes: list[tuple[Var, Exp]] = []
    stay = {k for k, a in enumerate(values) if a.buffer is not None and a.buffer is state.leaves[k].buffer}
    wanted: dict[int, int] = {}
    takes: list[Statement] = []
    swaps: list[Statement] = []
    # what has given its memory away in this round has none that a second buffer could get for the next one
    is_taken = any(leaf.buffer is not None and not low.owns(leaf.buffer) for leaf in state.leaves)
    for k, (leaf, a) in enumerate(zip(state.leaves, values, strict=True)):
        if leaf.var is not None:
            changes.append((leaf.var, _before_changes(low, a.at(), leaf.var, state)))
            continue
        shape = state.shapes[k]
        for axis, (old, new) in enumerate(zip(shape, a.shape, strict=True)):
            if old is not new and old in state.changing:
                assert isinstance(old, Var)
                changes.append((old, low.named(new, "n")))
            elif old is not new:
                state.conflicts.add((k, axis))
                state.changes.append((old, new))
        if leaf.elements:
            for position, var in enumerate(leaf.elements):
                value = a.at_flat(low.make.const(position)) if a.shape == shape else var
                changes.append((var, _before_changes(low, value, var, state)))
            continue
        if k in stay:
            continue
        assert leaf.buffer is not None
        source = _component(state, a)
        if source is not None and source not in (*stay, *wanted.values()) and _alike(state, k, source):
            wanted[k] = source
        elif a.buffer is not None and low.owns(a.buffer, state.level + 1):
            takes.append(Move(leaf.buffer, a.buffer))
            low.give_away(a.buffer)
        elif is_taken or state.changing.intersection(shape):
            fresh = low.materialise(a, site, NEXT_ROUND)
            assert fresh.buffer is not None
            takes.append(Move(leaf.buffer, fresh.buffer))
        else:
            if k not in state.others:
                state.others[k] = low.buffer(leaf.base, leaf.buffer.name)
                state.before.append(Alloc(state.others[k], low.make.product(shape), site))
            low.fill_buffer(state.others[k], a, why=NEXT_ROUND)
            swaps.append(Swap(leaf.buffer, state.others[k]))
    buffers = [leaf.buffer for leaf in state.leaves]
    low.emit(*exchanges(buffers, wanted), *takes, *swaps, *assignments(low.make, changes))


def _before_changes(low: Lowering, value: Exp, own: Var, state: State) -> Exp:
    """The next value of a variable: a variable, or computed before anything changes on which it depends."""
    others = {leaf.var.name for leaf in state.leaves if leaf.var is not None}
    others |= {var.name for leaf in state.leaves for var in leaf.elements}
    others |= {var.name for var in state.changing}
    plain = all(isinstance(n, Const | Var | Sum | Call) for n in nodes(value))
    if isinstance(value, Var) or (plain and not FreeVars().names(value) & (others - {own.name})):
        return value
    var = Var(low.make.fresh("t"), value.ty)
    low.emit(HostLet(var, value))
    return var


def _component(state: State, a: Pull) -> int | None:
    """The component of the state that an array is."""
    for k, leaf in enumerate(state.leaves):
        if leaf.buffer is not None and leaf.buffer is a.buffer:
            return k
    return None


def _alike(state: State, k: int, other: int) -> bool:
    """Whether the buffers of two components hold the same number of elements of one type, always."""
    same_base = state.leaves[k].base is state.leaves[other].base
    return same_base and state.shapes[k] == state.shapes[other] and not state.changing & set(state.shapes[k])
