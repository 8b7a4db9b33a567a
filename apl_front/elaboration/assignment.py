"""Assignments: to a name, to several, modified, by index, and the defaults of left arguments.

Note [Mutable arrays]
    `x[i]←v` gives the name another value; no other name that has the old one sees the change. In TAIL that is
    `update(copy(x),(i),v)`: `update` changes its first argument in place (thesis section 3.1.5), and `copy`,
    the copying coercion, makes sure that nobody else has it. Where the old value is not used any more, the
    copy can go: `copy(update(…))` is `update(…)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.building.builder import Builder, base_of, join_bases, length_of, plain_type, rank
from aplc.apl_front.functions import indexing, nested_values, system, tuples
from aplc.apl_front.functions.operators import Operand, on_scalars
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import ArrayValue, Scope, Unset
from aplc.apl_front.syntax.ast import Name
from aplc.apl_front.typing.effects import Place, require
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, first_line, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Lit, TupleExp, literal, op, product
from aplc.tail.types import Base, Tuple


def assign(elab: Elaborating, target: Name, value: Exp, scope: Scope, span: Span) -> Exp:
    """`name←value`, `⎕←value`, and the default of a left argument; gives the value."""
    if target.name == "⎕":
        return elab.print(value, scope, span)
    if target.name == "⍺" and scope.find("⍵") is not None:
        if "⍺" not in scope.names:
            scope.bind("⍺", ArrayValue(elab.build.bind(value), target.span))
        return value
    if target.name[0] == "⎕":
        return system.assign(elab.build, target, value, scope)
    if target.name == "⍞":
        raise unsupported("assignment to ⍞", target.span, "write ⎕←value to print")
    if target.name[0] in "⍺⍵∇":
        raise compile_error("SYNTAX ERROR", f"{target.name} has a meaning inside braces only", target.span)
    return rebind(elab, target, elab.build.bind(value), scope)


def rebind(elab: Elaborating, target: Name, bound: Exp, scope: Scope) -> Exp:
    """The name stands for the value from here on."""
    if scope.is_procedure:
        scope = _kept_in(elab, target, scope)
    if target.name in scope.names:
        elab.build.change(scope, target.name, ArrayValue(bound, target.span))
    else:
        scope.bind(target.name, ArrayValue(bound, target.span))
    if scope.parent is None:
        elab.build.note(target.name, str(bound.ty), target.span)
    return bound


def _kept_in(elab: Elaborating, target: Name, scope: Scope) -> Scope:
    """The scope that keeps a name assigned in a definition between two `∇`: a name that is not local belongs
    to the program.
    """
    owner = scope.owner(target.name) or scope.outermost()
    owner.names.setdefault(target.name, Unset())
    if owner is not scope and elab.build.depth > owner.depth and isinstance(owner.names[target.name], Unset):
        what = f"the first value of {target.name}, which is not local, inside of a condition or loop"
        raise unsupported(what, target.span, f"give it one before, or make it local with ;{target.name}")
    if owner is not scope or elab.build.depth > scope.depth:
        require(elab.effects, elab.build, Place(owner, target.name), target)
    return owner


def owner_of(elab: Elaborating, target: Name, scope: Scope) -> Scope:
    """The scope whose name a modified or indexed assignment changes: the nearest that has it."""
    if target.name[0] in "⎕⍞⍺⍵∇" and target.name not in ("⍵", "⍺"):
        raise unsupported(f"assignment to {target.span.text}", target.span)
    owner = scope.owner(target.name)
    if owner is None:
        scope.lookup(target)  # raises VALUE ERROR
        raise AssertionError(target)
    if owner is not scope:
        require(elab.effects, elab.build, Place(owner, target.name), target)
    return owner


def assign_modified(elab: Elaborating, node: tree.AssignModified, scope: Scope) -> Exp:
    """`name f←value`: gives the value on the right."""
    value = elab.build.bind(elab.array(node.value, scope))
    owner = owner_of(elab, node.target, scope)
    old = elab.part(node.target, scope)
    changed = elab.build.bind(elab.apply(node.modifier, scope, old, value, node.span))
    rebind(elab, node.target, changed, owner)
    return value


def assign_indexed(elab: Elaborating, node: tree.AssignIndexed, scope: Scope) -> Exp:
    """`name[i;j]←value`, `name[i;j] f←value`: gives the value on the right."""
    build, span = elab.build, node.span
    value = build.bind(elab.array(node.value, scope))
    given = indices(elab, node.indices, scope)
    owner = owner_of(elab, node.target, scope)
    old = elab.part(node.target, scope)
    elab.build.configure(scope)
    if isinstance(old.ty, Tuple):
        return _assign_component(elab, node, old, given, value, owner, scope)
    new = value
    if node.modifier is not None:
        f = elab.operand(node.modifier, scope, "←")
        if f.is_pervasive() and not isinstance(value.ty, Tuple):
            changed = modified(elab, f, old, given, value, span)
            rebind(elab, node.target, build.bind(changed), owner)
            return value
        current = indexing.index(build, old, given, "[ ]", span)
        new = build.bind(f.apply(current, value, span))
        elab.build.configure(scope)
    if isinstance(new.ty, Tuple):
        raise unsupported("assignment of a nested array by index", span)
    rebind(elab, node.target, build.bind(updated(elab, old, given, new, span)), owner)
    return value


def indices(elab: Elaborating, parts: Sequence[tree.Array | None], scope: Scope) -> list[Exp | None]:
    """The values of indices, the last one first; None where one is left out."""
    build = elab.build
    values = [None if q is None else build.bind(elab.array(q, scope)) for q in reversed(parts)]
    return values[::-1]


def updated(elab: Elaborating, old: Exp, given: list[Exp | None], new: Exp, span: Span) -> Exp:
    """An array with the elements at the given indices replaced: see Note [Mutable arrays]. One of conditions
    stays one where 0 or 1 is written.
    """
    build = elab.build
    is_bit = isinstance(new, Lit) and base_of(new) is Base.INT and new.value in (0, 1)
    base = join_bases([base_of(old), Base.BOOL if is_bit and base_of(old) is Base.BOOL else base_of(new)])
    if base is None:
        raise unsupported("an array of characters and numbers", span, "make text of numbers with ⍕")
    old, new = build.bind(build.coerce(old, base, "←", span)), build.coerce(new, base, "←", span)
    indices, new = _conforming(build, old, given, new, span)
    symbol = first_line(old.span.text) if old.span else "[ ]"
    return op(p.UPDATE, op(p.COPY, old, span=span), indices, new, symbol=symbol, span=span)


def modified(elab: Elaborating, f: Operand, old: Exp, given: list[Exp | None], value: Exp, span: Span) -> Exp:
    """`x[i] f←v` for a scalar function: an element that is named several times changes several times."""
    build = elab.build
    base: Base | None = base_of(old)
    for _ in range(3):
        if base is None:
            break
        result = on_scalars(build, f, (base, base_of(value)), span).result
        if join_bases([base, result]) is base:
            break
        base = join_bases([base, result])
    if base is None:
        raise unsupported("an array of characters and numbers", span, "make text of numbers with ⍕")
    wide = base

    def make(x: Exp, y: Exp) -> Exp:
        return build.coerce(f.apply(x, y, span), wide, f.text, span)

    function = build.function((wide, base_of(value)), make, f.span)
    old = build.bind(build.coerce(old, wide, "←", span))
    indices, value = _conforming(build, old, given, value, span)
    symbol = first_line(old.span.text) if old.span else "[ ]"
    return op(p.MODIFY, function, op(p.COPY, old, span=span), indices, value, symbol=symbol, span=span)


def _conforming(
    build: Builder, old: Exp, given: list[Exp | None], new: Exp, span: Span
) -> tuple[TupleExp, Exp]:
    """The indices for all axes, and the new values in their shape, or one for all."""
    if len(given) != rank(old):
        raise indexing.wrong_axes(old, len(given), span)
    indices = indexing.full(build, old, given, span)
    assert isinstance(indices, TupleExp)
    axes_selected = sum(rank(i) for i in indices.items)
    if rank(new) > 0 and axes_selected != rank(new):
        if length_of(new) == 1:
            new = op(p.FIRST_V, new, span=span)
        elif rank(new) > 1 or length_of(new) is None:
            new = op(p.SINGLE, new, symbol="←", span=span)
        else:
            wanted = f"{axes_selected} axes" if axes_selected else "a scalar for one element"
            message = f"← needs {wanted} here, as the index says, got {plain_type(new)}"
            raise compile_error("RANK ERROR", message, span)
    return indices, new


def _assign_component(
    elab: Elaborating,
    node: tree.AssignIndexed,
    old: Exp,
    given: list[Exp | None],
    value: Exp,
    owner: Scope,
    scope: Scope,
) -> Exp:
    """`t[2]←value` of a tuple at a constant index."""
    items = list(tuples.items_of(elab.build, old))
    if len(given) != 1 or given[0] is None:
        message = f"{plain_type(old)} has 1 axis, the index names {len(given)}"
        raise compile_error("RANK ERROR", message, node.span)
    at = tuples.position(elab.build, given[0], len(items), node.target.name, node.span)
    if isinstance(value.ty, Tuple) or rank(value) != 0:
        raise unsupported("assignment of an array to a component", node.span, "make the strand anew")
    new = value
    if node.modifier is not None:
        new = elab.apply(node.modifier, scope, items[at], value, node.span)
    items[at] = elab.build.bind(new)
    rebind(elab, node.target, product(tuple(items), node.span), owner)
    return value


def assign_several(elab: Elaborating, targets: tree.Targets, value: Exp, scope: Scope, span: Span) -> Exp:
    """`(a b)←value`: component by component; a scalar goes to all."""
    build = elab.build
    value = build.bind(value)
    count = len(targets.items)
    if nested_values.is_nested(value):
        items = nested_values.first_items(build, value, count, span)
    elif isinstance(value.ty, Tuple) or rank(value) == 0:
        items = tuples.items_of(build, value)
    elif rank(value) == 1:
        length = length_of(value)
        if length not in (None, 1, count):
            raise _count_differs(count, str(length), span)
        if length is None:
            value = build.bind(op(p.OF_LENGTH, literal(count, span), value, symbol="←", span=span))
        items = tuples.items_of(build, value)
    else:
        message = f"{count} names need a vector of {count} values, got {plain_type(value)}"
        raise compile_error("RANK ERROR", message, span)
    if len(items) == 1:
        items *= count
    if len(items) != count:
        raise _count_differs(count, str(len(items)), span)
    for target, item in zip(targets.items, items, strict=True):
        if isinstance(target, tree.Targets):
            assign_several(elab, target, item, scope, span)
        else:
            assign(elab, target, item, scope, target.span)
    return value


def _count_differs(count: int, got: str, span: Span) -> Exception:
    return compile_error("LENGTH ERROR", f"{count} names need {count} values, got {got}", span)
