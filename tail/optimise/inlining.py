"""Bindings: those used once move to their use, constants and renamings everywhere; unused ones go.

A binding moves only where moving cannot change what happens: not into a function body (which may run
often, or never), and not past a print if it may fail. (Which of several errors comes first is not part of
the meaning.) An expression that may fail is kept although unused: its error is part of the meaning.
"""

from __future__ import annotations

from collections import Counter

from aplc.tail.optimise.map_fusion import Printing
from aplc.tail.optimise.rewrite import Rebuild, may_fail
from aplc.tail.syntax import (
    Binding,
    Call,
    Exp,
    Fn,
    If,
    Item,
    Let,
    Lit,
    Op,
    Rec,
    Term,
    TupleExp,
    Var,
    Vec,
    body_of,
    children,
    let,
    map_children,
    parts_of_function,
    walk,
    with_body,
)


def inline_bindings(term: Term) -> Term:
    """`let x = a in e = e[a/x]` where a is a constant or a variable, or x is used once outside functions."""
    return _Inliner(term).term(term)


class _Inliner(Rebuild):
    """The rewriting at work: blocks, wherever they stand, lose the bindings that move."""

    def __init__(self, term: Term) -> None:
        super().__init__(lambda e: e)
        self.uses = Counter(n.name for n in walk(term) if isinstance(n, Var))
        self.inside = names_in_functions(term)
        self.printing = Printing()

    def exp(self, exp: Exp) -> Exp:
        return self.block(exp) if isinstance(exp, Let) else super().exp(exp)

    def block(self, node: Let) -> Exp:
        kept: list[Binding] = []
        printing = [self.printing.of(b.value) for b in node.bindings]
        last_print = max([k for k, does in enumerate(printing) if does], default=-1)
        if self.printing.of(node.body):
            last_print = len(node.bindings)
        for position, binding in enumerate(node.bindings):
            value = self.exp(binding.value)
            self.types[binding.name] = value.ty
            once = self.uses[binding.name] == 1 and binding.name not in self.inside
            # asked of the binding as it was: what has moved into it can neither print nor, up to here, fail
            stays = printing[position] or (position < last_print and may_fail(binding.value))
            if isinstance(value, Lit | Var) or (once and not stays and not isinstance(value, Let)):
                self.substitution[binding.name] = value
            else:
                kept.append(Binding(binding.name, value.ty, value))
        return let(kept, self.exp(node.body))


def drop_dead_bindings(term: Term) -> Term:
    """`let x = a in e = e` where x does not occur in e and a cannot fail."""
    uses = Counter(n.name for n in walk(term) if isinstance(n, Var))

    def drop(node: Exp) -> Exp:
        if not isinstance(node, Let):
            return map_children(node, drop)
        kept: list[Binding] = []
        body = drop(node.body)
        for binding in reversed(node.bindings):
            if uses[binding.name] == 0 and not may_fail(binding.value):
                uses.subtract(n.name for n in walk(binding.value) if isinstance(n, Var))
            else:
                kept.append(Binding(binding.name, binding.ty, drop(binding.value)))
        return let(kept[::-1], body)

    return with_body(term, drop(body_of(term)))


def names_in_functions(term: Term) -> set[str]:
    """The variables that occur in the body of some function, where they may be used any number of times, or
    in a branch, where they may not be used at all.
    """
    found: set[str] = set()
    stack: list[tuple[Exp, bool]] = [(body_of(term), False)]
    while stack:
        node, inside = stack.pop()
        if isinstance(node, Var) and inside:
            found.add(node.name)
        guarded = {id(e) for e in _guarded(node)}
        stack += [(child, inside or id(child) in guarded) for child in children(node)]
    return found


def _guarded(node: Exp) -> list[Exp]:
    """The subexpressions that may be computed another number of times than the node."""
    match node:
        case Op(args=args):
            return [e for a in args if isinstance(a, Fn) for e in parts_of_function(a)]
        case If(then=then, otherwise=otherwise):
            return [then, otherwise]
        case Rec(body=body):
            return [body]
        case Lit() | Var() | Vec() | Let() | TupleExp() | Item() | Call():
            return []
