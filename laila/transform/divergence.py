"""Divergence analysis: which values differ between the lanes of a loop that is strip-mined.

A scalar varies that depends on the cell, and an array of which a statement of the body writes an element that
does. What is assigned to in a loop may vary because of a later round, so this is a fixed point. Loops whose
cells are not independent of each other have no answer, nor those with statements that cannot be done for
several cells at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.liveness import buffers_read, introduced, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Empty,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    TABLE,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, own_expressions, within
from aplc.laila.ir.statements import bound as bound_by
from aplc.laila.transform.accumulate import accumulation
from aplc.tail import prims as p
from aplc.tail.prims import Prim

_ALLOWED = (
    HostLet | Variable | Assign | Alloc | Empty | Free | Move | Swap | Map | Store | HostCheck
    | If | While | ForEach
)  # fmt: skip


@dataclass(slots=True)
class Varying:
    """What differs from cell to cell."""

    names: set[str]
    """Variables, the cell included."""
    buffers: set[Buffer]
    bound: set[str]
    """All variables that the body binds or assigns to."""
    variables: set[str]
    """Those of them that begin there and are assigned to."""
    ours: set[Buffer]
    """All buffers of the body."""
    statements: list[Statement]
    """The statements that differ, those inside others included."""
    sums: dict[Buffer, tuple[Prim, Exp]] = field(default_factory=dict)
    """Arrays from outside in which something is added up over the cells: by what, and what of one cell."""
    free: FreeVars = field(default_factory=FreeVars)
    reads: dict[int, list[Buffer]] = field(default_factory=dict)
    """The buffers that expressions read, by their identity."""

    def varies(self, *exps: Exp) -> bool:
        """Whether one of some expressions differs."""
        return any(self._varies(e) for e in exps)

    def _varies(self, exp: Exp) -> bool:
        if any(v.name in self.names for v in self.free.of(exp)):  # which keeps the expression alive
            return True
        if id(exp) not in self.reads:
            self.reads[id(exp)] = buffers_read(exp)
        return not self.buffers.isdisjoint(self.reads[id(exp)])

    def is_varying(self, statement: Statement) -> bool:
        """Whether a statement without others in it differs."""
        if self.varies(*own_expressions(statement)):
            return True
        match statement:
            case HostLet(var=var) | Variable(var=var) | Assign(var=var):
                return var.name in self.names
            case Alloc(buffer=buffer) | Map(buffer=buffer) | Store(buffer=buffer):
                return buffer in self.buffers
            case _:
                return False

    def are_known_before(self, exps: Iterable[Exp]) -> bool:
        """Whether expressions can be computed in front of the loop, where nothing can fail."""
        for exp in exps:
            if any(v.name in self.bound for v in self.free.of(exp)):
                return False
            if contains(Check | BlockExp | Read | PureCall, exp):
                return False
        return True


def varying(cell: Var, body: Sequence[Statement], make: ExprBuilder) -> Varying | None:
    """What varies between cells; None if they are not independent, or need another form of statements."""
    everything = list(within(body))
    if not all(isinstance(s, _ALLOWED) for s in everything):
        return None
    bound = {v.name for s in body for v in bound_by(s)} | {cell.name}
    ours = {b for s in everything for b in introduced(s)}
    variables = {s.var.name for s in everything if isinstance(s, Variable)}
    found = Varying({cell.name}, set(), bound, variables, ours, [])
    _spread(found, everything)
    found.statements = [s for s in everything if not bodies(s) and found.is_varying(s)]
    _look_at_sums(found, everything, make)
    written = {s.buffer for s in everything if isinstance(s, Map | Store)} - ours
    outside = all(_is_independent(s, cell, found, written, make) for s in everything)
    return found if outside else None


def _look_at_sums(found: Varying, everything: list[Statement], make: ExprBuilder) -> None:
    """Find what is added up over the cells: in arrays that one statement of the body changes and no other
    one reads.
    """
    writers: dict[Buffer, list[Map | Store]] = {}
    for statement in everything:
        if isinstance(statement, Map | Store) and statement.buffer not in found.ours:
            writers.setdefault(statement.buffer, []).append(statement)
    for buffer, statements in writers.items():
        statement, *others = statements
        indices = statement.space.indices if isinstance(statement, Map) else ()
        extents = statement.space.extents if isinstance(statement, Map) else ()
        guarded = isinstance(statement, Map) and (statement.guard is not None or statement.ordered)
        if others or guarded or not all(isinstance(n, Const) for n in extents):
            continue
        names = {v.name for v in found.free.of(statement.position)} - {v.name for v in indices}
        body = statement.body if isinstance(statement, Map) else statement.value
        added = accumulation(make, buffer, statement.position, body)
        if added is None or names & found.bound or buffers_read(statement.position):
            continue
        if all(buffer not in mentioned(s) for s in everything if s is not statement and not bodies(s)):
            found.sums[buffer] = added


def _spread(found: Varying, statements: list[Statement]) -> None:
    """Take in all that varies because of what does already."""
    size = -1
    while size != len(found.names) + len(found.buffers):
        size = len(found.names) + len(found.buffers)
        for statement in statements:
            match statement:
                case HostLet(var=var) | Variable(var=var) | Assign(var=var):
                    if var.name not in found.names and found.varies(*own_expressions(statement)):
                        found.names.add(var.name)
                case Map(buffer=buffer) | Store(buffer=buffer):
                    is_new = buffer in found.ours and buffer not in found.buffers
                    if is_new and found.varies(*own_expressions(statement)):
                        found.buffers.add(buffer)
                case Move(target=one, source=other) | Swap(first=one, second=other):
                    if one in found.buffers or other in found.buffers:
                        found.buffers |= {one, other}
                case _:
                    pass


def _is_independent(
    statement: Statement, cell: Var, found: Varying, written: set[Buffer], make: ExprBuilder
) -> bool:
    """Whether a statement can be done for several cells at once; `written` are the buffers from outside."""
    roots = own_expressions(statement)
    if isinstance(statement, Map | Store) and statement.buffer in found.sums:
        roots = (found.sums[statement.buffer][1],)
    if not written.isdisjoint(buffers_read(*roots)):
        return False
    for node in nodes(*roots):
        if isinstance(node, BlockExp | PureCall) and found.varies(node):
            return False
        if isinstance(node, Fold) and found.varies(node.extent):
            return False
    match statement:
        case Alloc(buffer=buffer, size=size):
            return buffer.storage != TABLE and not buffer.asked and not found.varies(size)
        case Empty() | HostLet() | Variable() | HostCheck():
            return True
        case Assign(var=var):
            return var.name in found.variables
        case Free(buffer=buffer):
            return buffer in found.ours
        case Move(target=one, source=other) | Swap(first=one, second=other):
            return one in found.ours and other in found.ours
        case If(cond=cond) | While(cond=cond):
            return not found.varies(cond)
        case ForEach(space=space):
            return not found.varies(*space.extents)
        case Map(buffer=buffer) | Store(buffer=buffer) if buffer in found.sums:
            return True
        case Map(buffer=buffer, space=space, position=position):
            return not found.varies(*space.extents) and _is_own(buffer, position, cell, found, make)
        case Store(buffer=buffer, position=position):
            return _is_own(buffer, position, cell, found, make)
        case _:
            return False


def _is_own(buffer: Buffer, position: Exp, cell: Var, found: Varying, make: ExprBuilder) -> bool:
    """Whether a place belongs to one cell: in a buffer of the body, or `begin + cell × length + place` with a
    place below the length; where the cells begin, and the length, are the same for all.
    """
    if buffer in found.ours:
        return True
    length, own = make.zero, make.zero
    for atom, k in make.linear(position)[1].items():
        factors = list(atom.args) if isinstance(atom, Call) and atom.op is p.MULI else [atom]
        cells = [f for f in factors if isinstance(f, Var) and f.name == cell.name]
        if cells:
            factors.remove(cells[0])
            own = make.add(own, make.mul(make.const(k), atom))
            length = make.add(length, make.mul(make.const(k), factors[0] if factors else make.one))
    rest = make.sub(position, own)
    if found.varies(length) or cell.name in found.free.names(rest):
        return False
    place = _place(rest, found, make)
    return make.nonnegative(place) and make.at_least(length, make.add(place, make.one))


def _place(rest: Exp, found: Varying, make: ExprBuilder) -> Exp:
    """A position without its cell and without where the cells begin: what the body has nothing to do with."""
    constant, atoms = make.linear(rest)
    inside = [
        (atom, k)
        for atom, k in atoms.items()
        if found.free.names(atom) & found.bound or contains(Read | PureCall, atom)
    ]
    place = make.const(constant) if inside or not atoms else make.zero
    for atom, k in inside:
        place = make.add(place, make.mul(make.const(k), atom))
    return place
