"""Assignments: to a name, to several, modified, by index, and the defaults of left arguments.

Note [Mutable arrays]
    `x[i]←v` gives the name another value; no other name that has the old one sees the change. In TAIL that is
    `update(copy(x),(i),v)`: `update` changes its first argument in place (thesis section 3.1.5), and `copy`,
    the copying coercion, makes sure that nobody else has it. Where the old value is not used any more, the
    copy can go: `copy(update(…))` is `update(…)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.apl_front.building.builder import Builder, length_of, plain_type, rank
from aplc.apl_front.building.closed import whole_numbers
from aplc.apl_front.elaboration import item_assignment, record_assignment
from aplc.apl_front.elaboration.updates import modified, updated
from aplc.apl_front.functions import indexing, nested_values, system, tuples
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import ArrayValue, Scope, Unset
from aplc.apl_front.syntax.ast import Name
from aplc.apl_front.typing.effects import Place, require
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import Unsupported, compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, op, product
from aplc.tail.types import Tuple


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


def change(
    elab: Elaborating, node: tree.AssignModified | tree.AssignIndexed | tree.AssignSeveral, scope: Scope
) -> Exp:
    """An assignment that is modified, by index, or to several names; gives the value on the right."""
    match node:
        case tree.AssignModified():
            return assign_modified(elab, node, scope)
        case tree.AssignIndexed():
            return assign_indexed(elab, node, scope)
        case tree.AssignSeveral(targets=targets, modifier=None, value=value, span=span):
            return assign_several(elab, targets, elab.array(value, scope), scope, span)
        case tree.AssignSeveral():
            return modify_several(elab, node, scope)


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
    build, span = elab.build, scope.placed(node.span)
    value = build.bind(elab.array(node.value, scope))
    given = indices(elab, node.indices, scope)
    owner = owner_of(elab, node.target, scope)
    old = elab.part(node.target, scope)
    elab.build.configure(scope)
    f = None if node.modifier is None else elab.operand(node.modifier, scope, "←")
    if tuples.is_tuple(old) and (at := _components(elab, old, given, node.target.name, span)):
        changed = _with_components(elab, old, at, f, value, span)
    elif record_assignment.needed(old):
        changed = record_assignment.assigned(elab, old, given, f, value, span)
    elif item_assignment.needed(old, given):
        changed = item_assignment.assigned(elab, old, given, f, value, span)
    elif isinstance(value.ty, Tuple):
        changed = item_assignment.put(elab, old, literal(1, span), value, span)  # is refused
    elif f is not None and f.is_pervasive():
        changed = modified(elab, f, old, given, value, span)
    else:
        new = value
        if f is not None:
            current = indexing.index(build, old, given, "[ ]", span)
            new = build.bind(f.apply(current, value, span))
            elab.build.configure(scope)
        if isinstance(new.ty, Tuple):
            raise unsupported("assignment of a nested array by index", span)
        changed = updated(elab, old, given, new, span)
    rebind(elab, node.target, build.bind(changed), owner)
    return value


def indices(elab: Elaborating, parts: Sequence[tree.Array | None], scope: Scope) -> list[Exp | None]:
    """The values of indices, the last one first; None where one is left out."""
    build = elab.build
    values = [None if q is None else build.bind(elab.array(q, scope)) for q in reversed(parts)]
    return values[::-1]


@dataclass(frozen=True, slots=True)
class _Components:
    """Components of a strand: one of them, which a scalar names, or those that a vector names."""

    at: Sequence[int]
    """From 0."""
    is_one: bool


def _components(
    elab: Elaborating, old: Exp, given: Sequence[Exp | None], name: str, span: Span
) -> _Components | None:
    """Which components of a strand constant indices name; None where they are no constants."""
    if len(given) != 1:
        message = f"{plain_type(old)} has 1 axis, the index names {len(given)}"
        raise compile_error("RANK ERROR", message, span)
    build, (index,), count = elab.build, given, len(tuples.items_of(elab.build, old))
    if index is None:
        return _Components(range(count), is_one=False)
    is_vector = not isinstance(index.ty, Tuple) and rank(index) == 1
    if is_vector and (numbers := whole_numbers(build, index)):
        each = [literal(k, index.span) for k in numbers]
        return _Components([tuples.position(build, k, count, name, span) for k in each], is_one=False)
    try:
        return _Components([tuples.position(build, index, count, name, span)], is_one=not is_vector)
    except Unsupported:
        return None


def _with_components(
    elab: Elaborating, old: Exp, chosen: _Components, f: Operand | None, value: Exp, span: Span
) -> Exp:
    """A strand with other components, the last one where an index names one twice."""
    build = elab.build
    items = list(tuples.items_of(build, old))
    for at, new in zip(chosen.at, _for_components(elab, chosen, value, span), strict=True):
        if f is None:
            items[at] = item_assignment.disclosed(build, new, span)
        else:
            items[at] = item_assignment.modified_item(elab, items[at], f, new, span)
    return product(tuple([build.bind(i) for i in items]), span)


def _for_components(elab: Elaborating, chosen: _Components, value: Exp, span: Span) -> Sequence[Exp]:
    """What each component is given: a scalar all of them, else one item each."""
    if tuples.is_scalar(value):
        return [value] * len(chosen.at)
    if chosen.is_one:
        raise unsupported(f"← of {plain_type(value)} to one item", span, "enclose it with ⊂")
    return _shared_out(elab.build, value, len(chosen.at), span, "items")


def modify_several(elab: Elaborating, node: tree.AssignSeveral, scope: Scope) -> Exp:
    """`(a b) f←value`: gives the value on the right."""
    build, span = elab.build, node.span
    assert node.modifier is not None
    value = build.bind(elab.array(node.value, scope))
    names = [target for target in node.targets.items if isinstance(target, Name)]
    owners = [owner_of(elab, name, scope) for name in names]
    old = elab.array(tree.Strand(tuple(names), node.targets.span), scope)
    new = build.bind(elab.apply(node.modifier, scope, old, value, span))
    for name, owner, item in zip(names, owners, _shared_out(build, new, len(names), span), strict=True):
        rebind(elab, name, item, owner)
    return value


def assign_several(elab: Elaborating, targets: tree.Targets, value: Exp, scope: Scope, span: Span) -> Exp:
    """`(a b)←value`: component by component; a scalar goes to all."""
    value = elab.build.bind(value)
    items = _shared_out(elab.build, value, len(targets.items), span)
    for target, item in zip(targets.items, items, strict=True):
        if isinstance(target, tree.Targets):
            assign_several(elab, target, item, scope, span)
        else:
            assign(elab, target, item, scope, target.span)
    return value


def _shared_out(build: Builder, value: Exp, count: int, span: Span, what: str = "names") -> Sequence[Exp]:
    """The items of a value for so many names, or items of a strand."""
    is_nested = nested_values.is_nested(value)
    if is_nested and nested_values.axes_of(value) < 2:
        items = nested_values.first_items(build, value, count, span)
    elif not is_nested and (isinstance(value.ty, Tuple) or rank(value) == 0):
        items = tuples.items_of(build, value)
    elif not is_nested and rank(value) == 1:
        length = length_of(value)
        if length not in (None, 1, count):
            raise _count_differs(count, what, str(length), span)
        if length is None:
            value = build.bind(op(p.OF_LENGTH, literal(count, span), value, symbol="←", span=span))
        items = tuples.items_of(build, value)
    else:
        message = f"{count} {what} need a vector of {count} values, got {plain_type(value)}"
        raise compile_error("RANK ERROR", message, span)
    if len(items) == 1:
        items *= count
    if len(items) != count:
        raise _count_differs(count, what, str(len(items)), span)
    return items


def _count_differs(count: int, what: str, got: str, span: Span) -> Exception:
    return compile_error("LENGTH ERROR", f"{count} {what} need {count} values, got {got}", span)
