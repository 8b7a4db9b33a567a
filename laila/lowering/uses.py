"""How a term uses what it binds: how often an array that is not materialised would be computed again.

An array flows through `each` and `zipWith` element by element; where all its uses meet again before
anything else happens to them, as in `D ← f x … g x`, an element is computed once, because equal
expressions are shared. A sink is where that ends: an operator that moves, repeats or combines elements, a
value handed out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from aplc.laila.lowering.last_use import copies_alone, last_copies
from aplc.laila.lowering.walked import walked_once
from aplc.tail import prims as p
from aplc.tail.syntax import (
    Call,
    Exp,
    Fn,
    If,
    Item,
    Let,
    Lit,
    Op,
    PrimFn,
    Rec,
    Term,
    TupleExp,
    Var,
    Vec,
    body_of,
    called_inside,
    children,
    prints,
    walk,
)
from aplc.tail.types import Tuple

MAX_SINKS = 16

Sink = tuple[int, int] | str
"""An operator and the position of the argument, or the name of a binding or of the result."""
Row = tuple[str, int]
"""The number of a row, and by which places it is taken, if by some that are computed."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What is known of a term before it is lowered."""

    sinks: Mapping[str, int]
    """For each variable that is bound in a block the number of its sinks, at most `MAX_SINKS`."""
    repeated: AbstractSet[str]
    """Variables that are used in functions or loops around which they are bound: any number of times."""
    looped: AbstractSet[str]
    """Those of them that are used elsewhere than in functions that make items."""
    chosen: AbstractSet[str]
    """Those used in a branch around which they are bound: perhaps not at all."""
    walked: AbstractSet[str]
    """Those of the first ones of which each element is wanted once at most, and in one place."""
    last_copies: Mapping[int, frozenset[str]]
    """For the `id` of each copy of a variable that is its last use, the names of those that live on."""
    alone: AbstractSet[int]
    """The `id`s of those copies that are changed by a binding of a block, beside nothing else."""
    called: AbstractSet[str]
    """The recursive functions with a call that is no jump."""
    prints: bool
    """Whether anything prints or has another effect."""


def uses_of(term: Term) -> Uses:
    """How a term uses what it binds."""
    captured, sinks = captured_names(term), count_sinks(term)
    return Uses(
        sinks,
        captured.repeated,
        captured.looped,
        captured.chosen,
        walked_once(term, sinks),
        last_copies(term),
        copies_alone(term),
        called_inside(term),
        prints(term),
    )


def count_sinks(term: Term) -> dict[str, int]:
    """For each variable that is bound in a block the number of its sinks, at most `MAX_SINKS`."""
    found: dict[str, int] = {}
    for node in walk(term):
        if isinstance(node, Let):
            found |= _sinks_of(node)
    return found


def _sinks_of(block: Let) -> dict[str, int]:
    """The sinks of the variables of one block."""
    bindings = block.bindings
    ends = _Ends({binding.name: binding.value for binding in bindings})
    direct, by_row = ends.direct, ends.by_row
    _visit(block.body, "result", ends)
    resolved: dict[str, frozenset[Sink]] = {}
    counts: dict[str, int] = {}
    for binding in reversed(bindings):
        whole = _reached(direct.get(binding.name, ()), resolved)
        everything = whole
        if isinstance(binding.value.ty, Tuple):
            for k in range(1, len(binding.value.ty.items) + 1):
                component = part_of(binding.name, k)
                resolved[component] = whole | _reached(direct.get(component, ()), resolved)
                everything |= resolved[component]
        rows = [_reached(found, resolved) for found in by_row.get(binding.name, {}).values()]
        counts[binding.name] = max([len(everything | row) for row in rows], default=len(everything))
        resolved[binding.name] = everything.union(*rows)
        _visit(binding.value, binding.name, ends)
    return {name: min(MAX_SINKS, counts.get(name, len(sinks))) for name, sinks in resolved.items()}


def _reached(sinks: Iterable[Sink], resolved: Mapping[str, frozenset[Sink]]) -> frozenset[Sink]:
    """Where elements end that go to these places."""
    reached: set[Sink] = set()
    for sink in sinks:
        reached |= resolved.get(sink, frozenset((sink,))) if isinstance(sink, str) else {sink}
        if len(reached) >= MAX_SINKS:
            break
    return frozenset(reached)


def part_of(name: str, component: int) -> str:
    """What the sinks are noted under of a component of a tuple that is bound, counted from 1."""
    return f"{name}.{component}"


@dataclass(frozen=True, slots=True)
class _Ends:
    """Where elements end, in a block whose variables stand for some expressions."""

    bound: Mapping[str, Exp]
    direct: dict[str, set[Sink]] = field(default_factory=dict)
    """The sinks of each variable."""
    by_row: dict[str, dict[Row, set[Sink]]] = field(default_factory=dict)
    """For variables the sinks of those of their rows that are taken by number."""

    def row(self, op: Op) -> tuple[str, Row] | None:
        """The variable, and which of its rows, if all that an operation takes is one row whose number is
        known: `m[2;]`, or an item of a split.
        """
        match op:
            case Op(prim=p.INDEX, args=(TupleExp(items=(Lit(value=int(k)), *others)), Var(name=name))):
                is_whole = all(isinstance(each, Op) and each.prim is p.IOTA for each in others)
                return (name, ("", k)) if is_whole else None
            case Op(prim=p.SLICE, args=(start, _, Var(name=name))):
                match self.bound.get(start.name) if isinstance(start, Var) else start:
                    case Op(prim=p.PICK, args=(Lit(value=int(k)), Var(name=places))):
                        return name, (places, k)
                    case _:
                        return None
            case _:
                return None


def _visit(exp: Exp, sink: Sink, ends: _Ends) -> None:
    """Note the sink of every variable in an expression whose elements go to a sink."""
    match exp:
        case Var(name=name):
            ends.direct.setdefault(name, set()).add(sink)
        case Lit():
            pass
        case Let(bindings=bindings, body=body):
            for position, binding in enumerate(bindings):
                _visit(binding.value, (id(exp), position), ends)
            _visit(body, sink, ends)
        case Item(value=Var(name=name), index=index):
            ends.direct.setdefault(part_of(name, index), set()).add(sink)
        case Item(value=value):
            _visit(value, sink, ends)
        case If(condition=condition, then=then, otherwise=otherwise):
            for position, part in enumerate((condition, then, otherwise)):
                _visit(part, (id(exp), position), ends)
        case Vec(items=items):
            for item in items:
                _visit(item, sink, ends)
        case TupleExp(items=items) | Rec(inits=items) | Call(args=items):
            for position, item in enumerate(items):
                _visit(item, (id(exp), position), ends)
        case Op(prim=prim, args=args):
            row = ends.row(exp)
            if row is not None:
                ends.by_row.setdefault(row[0], {}).setdefault(row[1], set()).add(sink)
                args = args[:-1]
            for position, arg in enumerate(args):
                asks_shape = prim in (p.SHAPE, p.SHAPE_V) and isinstance(arg, Var)
                if not isinstance(arg, Fn | PrimFn) and not asks_shape:
                    flows_on = prim in (p.EACH, p.ZIP_WITH)
                    if prim is p.INDEX and isinstance(arg, TupleExp) and len(arg.items) == 1:
                        (arg,), flows_on = arg.items, True  # each place is looked up once
                    _visit(arg, sink if flows_on else (id(exp), position), ends)


@dataclass(slots=True)
class Captured:
    """Variables that are used elsewhere than they are bound."""

    repeated: set[str] = field(default_factory=set)
    """Those used in the body of a function or a loop around which they are bound: any number of times."""
    looped: set[str] = field(default_factory=set)
    """Those of them that are used elsewhere than in functions that make items."""
    chosen: set[str] = field(default_factory=set)
    """Those used in a branch around which they are bound: perhaps not at all."""


def captured_names(term: Term) -> Captured:
    """The variables that inner functions, loops and branches use from outside."""
    found = Captured()
    bound: dict[str, tuple[int, int, int]] = {}
    stack: list[tuple[Exp, int, int, int]] = [(body_of(term), 0, 0, 0)]
    while stack:
        node, repeats, loops, choices = stack.pop()
        inner: list[Exp] = []
        makes_items = isinstance(node, Op) and node.prim is p.PIECES
        match node:
            case Var(name=name):
                around = bound.get(name, (0, 0, 0))
                if repeats > around[0]:
                    found.repeated.add(name)
                    if loops > around[1]:
                        found.looped.add(name)
                elif choices > around[2]:
                    found.chosen.add(name)
            case Let(bindings=bindings):
                bound |= {binding.name: (repeats, loops, choices) for binding in bindings}
            case Rec(params=params, body=body):
                bound |= {q.name: (repeats + 1, loops + 1, choices) for q in params}
                inner.append(body)
            case Op(args=args):
                functions = [a for a in args if isinstance(a, Fn)]
                level = repeats + 1, loops + (not makes_items), choices
                bound |= {q.name: level for f in functions for q in f.params}
                inner += [f.body for f in functions]
            case _:
                pass
        branches = [node.then, node.otherwise] if isinstance(node, If) else []
        for child in reversed(list(children(node))):
            is_inner = any(child is e for e in inner)
            is_branch = any(child is e for e in branches)
            is_loop = is_inner and not makes_items
            stack.append((child, repeats + is_inner, loops + is_loop, choices + is_branch))
    return found
