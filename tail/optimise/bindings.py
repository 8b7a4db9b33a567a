"""Bindings: those used once move to their use, constants and renamings everywhere; unused ones go.

A binding moves only where moving cannot change what happens: not into a function body (which may run
often, or never), and not past a print if it may fail. (Which of several errors comes first is not part of
the meaning.) An expression that may fail is kept although unused: its error is part of the meaning.
"""

from __future__ import annotations

from collections import Counter

from tail.optimise.rewrite import Rebuild, may_fail
from tail.syntax import (
    Binding,
    Exp,
    Let,
    Lit,
    Term,
    Var,
    body_of,
    let,
    map_children,
    names_in_functions,
    prints,
    walk,
    with_body,
)


def inline_bindings(term: Term) -> Term:
    """`let x = a in e = e[a/x]` where a is a constant or a variable, or x is used once outside functions."""
    uses = Counter(n.name for n in walk(term) if isinstance(n, Var))
    inside = names_in_functions(term)
    substitution: dict[str, Exp] = {}
    rebuild = Rebuild(lambda e: e, substitution)

    def block(node: Exp) -> Exp:
        if not isinstance(node, Let):
            return rebuild.exp(node)
        kept: list[Binding] = []
        printing = [prints(b.value) for b in node.bindings]
        last_print = max([k for k, does in enumerate(printing) if does], default=-1)
        if prints(node.body):
            last_print = len(node.bindings)
        for position, binding in enumerate(node.bindings):
            value = block(binding.value)
            rebuild.types[binding.name] = value.ty
            once = uses[binding.name] == 1 and binding.name not in inside
            # asked of the binding as it was: what has moved into it can neither print nor, up to here, fail
            stays = printing[position] or (position < last_print and may_fail(binding.value))
            if isinstance(value, Lit | Var) or (once and not stays and not isinstance(value, Let)):
                substitution[binding.name] = value
            else:
                kept.append(Binding(binding.name, value.ty, value))
        return let(kept, rebuild.exp(node.body))

    return with_body(term, block(body_of(term)))


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
