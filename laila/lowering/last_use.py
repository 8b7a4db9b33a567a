"""Finds copies that are the last use of a variable, whose memory may then be changed in place.

A term is walked against the order of computation with the names that are used afterwards or at the same
time. What a function or a round of a loop uses from outside is used again the next time.

Note [Order of changes]
    Subscripts and new values are computed before the array that they change, whose memory they may read, and
    which is then changed in place. An array that is itself the result of a change comes first, as its errors
    do, unless they name the variable of which a copy is changed.
"""

from __future__ import annotations

from aplc.tail import prims as p
from aplc.tail.syntax import (
    Arg,
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
    bound_names,
    children,
    parts_of_function,
    walk,
)

Names = frozenset[str]


def last_copies(term: Term) -> dict[int, Names]:
    """For the `id` of each copy of a variable that is its last use, the names of those that live on."""
    if not any(isinstance(node, Op) and node.prim is p.COPY for node in walk(term)):
        return {}
    finder = _Finder()
    finder.visit(body_of(term), frozenset())
    return {key: live for key, live in finder.found.items() if live is not None}


def copies_alone(term: Term) -> frozenset[int]:
    """The `id`s of the copies that are changed by bindings of blocks: of a function, of a round, or of a
    branch. What is computed at the same time is part of the change.
    """
    blocks: list[Exp] = [body_of(term)]
    for node in walk(term):
        if isinstance(node, Rec):
            blocks.append(node.body)
        elif isinstance(node, If):
            blocks += [node.then, node.otherwise]
    found: set[int] = set()
    for block in blocks:
        while isinstance(block, Let):
            changes = [copied(binding.value) for binding in block.bindings]
            found |= {id(change[1]) for change in changes if change is not None}
            block = block.body
    return frozenset(found)


def copied(array: Arg) -> tuple[str, Op] | None:
    """The variable of which a copy is changed, by however many changes, with that copy; None without one."""
    while isinstance(array, Op) and array.prim in (p.UPDATE, p.MODIFY):
        array = array.args[array.prim is p.MODIFY]
    match array:
        case Op(args=(Var(name=name),), prim=p.COPY):
            return name, array
        case _:
            return None


def comes_first(array: Arg, *others: Arg) -> bool:
    """Whether an array is computed before the subscripts and the values that change it: see Note [Order of
    changes].
    """
    if not (isinstance(array, Op) and array.prim in (p.UPDATE, p.MODIFY)):
        return False
    found = copied(array)
    inside = [node for arg in others if not isinstance(arg, PrimFn) for node in walk(arg)]
    return found is None or not any(isinstance(node, Var) and node.name == found[0] for node in inside)


SHAPE_OF = "⍴"
"""Stands in front of the name of a variable of which only the shape is wanted."""


def _asked_shape(exp: Exp) -> Names:
    """The name of the variable whose shape an expression is: known when its memory has been given away, too,
    but not where it is computed from other memory, as that of a filter is.
    """
    match exp:
        case Op(args=(Var(name=name),), prim=p.SHAPE | p.SHAPE_V):
            return frozenset((SHAPE_OF + name,))
        case _:
            return frozenset()


class _Finder:
    def __init__(self) -> None:
        self.found: dict[int, Names | None] = {}
        self.free: dict[int, Names] = {}

    def names(self, exp: Exp) -> Names:
        """All variables of which an expression reads elements; every one is bound once, so bound ones do no
        harm.
        """
        known = self.free.get(id(exp))
        if known is None:
            known = _asked_shape(exp)
            if not known:
                own = frozenset((exp.name,)) if isinstance(exp, Var) else frozenset()
                known = own.union(*[self.names(c) for c in children(exp)])
            self.free[id(exp)] = known
        return known

    def of(self, arg: Arg) -> Names:
        """The variables of an argument."""
        if isinstance(arg, PrimFn):
            return frozenset()
        if isinstance(arg, Fn):
            return frozenset[str]().union(*[self.names(e) for e in parts_of_function(arg)])
        return self.names(arg)

    def visit(self, exp: Exp, live: Names) -> Names:
        """Look through an expression; the names that are used from it on."""
        match exp:
            case Lit():
                return live
            case Var(name=name):
                return live | {name}
            case Let(bindings=bindings, body=body):
                live = self.visit(body, live)
                for binding in reversed(bindings):
                    live = self.visit(binding.value, live - {binding.name})
                return live
            case If(condition=condition, then=then, otherwise=otherwise):
                return self.visit(condition, self.visit(then, live) | self.visit(otherwise, live))
            case Item(value=value):
                return self.visit(value, live)
            case Rec(inits=inits, body=body):
                inside = live | (self.names(body) - set(bound_names(exp)))
                self.visit(body, inside)
                return self.together(inits, inside)
            case Op(args=(Var(name=name),), prim=prim) if prim is p.COPY:
                is_last = name not in live and self.found.get(id(exp), live) is not None
                self.found[id(exp)] = live if is_last else None
                return live | {name}
            case Op(args=args, prim=prim) if prim in (p.UPDATE, p.MODIFY):
                return self.change(args, live)
            case Op(args=args):
                asked = _asked_shape(exp)
                return live | asked if asked else self.together(args, live)
            case Vec(items=items) | TupleExp(items=items) | Call(args=items):
                return self.together(items, live)

    def change(self, args: tuple[Arg, ...], live: Names) -> Names:
        """A change of an array: see Note [Order of changes]."""
        *functions, array, subscripts, value = args
        during = live.union(*[self.of(f) for f in functions])
        rest = self.together((*functions, subscripts, value), live | self.of(array))
        assert not isinstance(array, Fn | PrimFn)
        if comes_first(array, subscripts, value):
            during |= self.of(subscripts) | self.of(value)
        return self.visit(array, during) | rest

    def together(self, args: tuple[Arg, ...], live: Names) -> Names:
        """Arguments, which may be computed in any order or element by element."""
        for k, arg in enumerate(args):
            others = live.union(*[self.of(other) for j, other in enumerate(args) if j != k])
            if isinstance(arg, Fn):
                self.visit(arg.body, others | (self.names(arg.body) - set(bound_names(arg))))
            elif not isinstance(arg, PrimFn):
                self.visit(arg, others)
        return live.union(*[self.of(arg) for arg in args])
