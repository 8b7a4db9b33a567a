"""The power operator: `f⍣n`, `f⍣b`, `f⍣≡`, `f⍣g`, as loops of TAIL.

    (f⍣n) y    loop k(i = 0, s = y) => if i < n then k(i + 1, f s) else s
    (f⍣g) y    loop k(s = y) => let t = f s in if t g s then t else k(t)

A tuple as state is carried component by component. The types of the state are the least fixed point over the
rounds: element types widen, known lengths are forgotten. Where a rank changes there is none, and the message
says which component it is. The function is elaborated once for each candidate, and what the last one gave is
the round of the loop: elaborating it once more would take nested loops twice the time for each level.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass

from aplc.apl_front.building.builder import base_of, constant, counted, int_constant, plain, plain_type, rank
from aplc.apl_front.elaboration.inverse import Inverses, NoInverse
from aplc.apl_front.functions import tuples
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.functions.structure import one_integer
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import Scope
from aplc.apl_front.typing.branches import as_condition
from aplc.apl_front.typing.effects import Place, carrying, taken_apart, unchanged_behind, with_names
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.apl_front.typing.fixed_points import MAX_ROUNDS
from aplc.tail import prims as p
from aplc.tail.errors import CompileError, Unsupported, compile_error, first_line, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Binding, Exp, Param, Var, call, conditional, let, literal, op, product, rec
from aplc.tail.types import Base, Func, Tuple, Type, forget_value, rank_of, scalar

Step = Callable[[Exp], Exp]


def apply(
    elab: Elaborating, node: tree.Derived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """A power applied; a left argument is that of the function in each round."""
    build = elab.build
    f = elab.operand(node.left, scope, "⍣")
    first = None if left is None else build.bind(left)
    count: Exp | None = None
    if node.right is not None and isinstance(node.right, tree.ARRAY_NODES):
        bound = node.right
        count, right = build.in_order(right, lambda: elab.array(bound, scope))
    g = elab.operand(node.right, scope, "⍣") if count is None else None
    at = f.span if node.right is None else node.right.span
    undo: Operand | None = None
    known = None if count is None or isinstance(count.ty, Tuple) else constant(count)
    if isinstance(known, int) and known < 0:
        f, count = _inverse(elab, node, scope, left is not None), literal(-known, at)
    elif known is None and count is not None and _may_be_negative(count):
        with suppress(CompileError):
            undo = _inverse(elab, node, scope, left is not None)
    if undo is not None and (both := _either(elab, f, undo, first, count, right, at, span)) is not None:
        return both

    def loop(places: tuple[Place, ...]) -> Exp:
        def step(state: Exp) -> Exp:
            value = taken_apart(build, places, state, span)
            return with_names(places, f.apply(first, value, span))

        def done(new: Exp, old: Exp) -> Exp:
            assert g is not None
            if places:
                new, old = [tuples.items_of(build, each)[0] for each in (new, old)]
            before = [place.value() for place in places]
            result = as_condition(build, g.apply(new, old, span), "⍣", g.span)
            changed = [q.name for q, v in zip(places, before, strict=True) if q.value() is not v]
            if changed:
                raise unsupported(f"a change of {changed[0]} in the right operand of ⍣", g.span)
            return result

        begin = with_names(places, right)
        with unchanged_behind(build) if places else nullcontext():  # one round is in line
            if count is not None:
                result = times(elab, lambda _, state: step(state), count, begin, at, span, places)
            else:
                result = _until(elab, step, done, begin, span, places)
        return taken_apart(build, places, result, span)

    return carrying(elab.effects, build, scope, node, loop)


def _may_be_negative(count: Exp) -> bool:
    return not isinstance(count.ty, Tuple) and rank(count) <= 1 and base_of(count) in (Base.INT, Base.DOUBLE)


def _either(
    elab: Elaborating,
    f: Operand,
    undo: Operand,
    first: Exp | None,
    count: Exp | None,
    start: Exp,
    at: Span,
    span: Span,
) -> Exp | None:
    """A function or its inverse, as the sign of the count says; None where they give different types, which
    do not depend on data: the count must not be negative then.
    """
    build = elab.build
    assert count is not None
    mark = build.mark()
    n, start = build.bind(one_integer(build, count, "⍣", at)), build.bind(start)
    ways: list[Exp] = []
    for function, rounds in ((undo, op(p.NEGI, n, span=span)), (f, n)):

        def step(_: Exp, state: Exp, function: Operand = function) -> Exp:
            return function.apply(first, state, span)

        with build.block() as bindings:
            try:
                ways.append(let(bindings, times(elab, step, rounds, start, at, span)))
            except (CompileError, Unsupported):
                break
    if len(ways) < 2 or forget_value(ways[0].ty) != forget_value(ways[1].ty):
        build.undo(mark)
        return None
    return conditional(op(p.LTI, n, literal(0, span), span=span), ways[0], ways[1], span)


def _inverse(elab: Elaborating, node: tree.Derived, scope: Scope, is_dyadic: bool) -> Operand:
    """What undoes the function."""
    inverses = Inverses(Scope(scope, depth=scope.depth))
    try:
        undone = inverses.right_undone(node.left) if is_dyadic else inverses.undone(node.left)
    except NoInverse as found:
        what = first_line(found.span.text)
        raise compile_error("DOMAIN ERROR", f"{what} has no inverse that is known", found.span) from None
    return elab.operand(undone, inverses.scope, "⍣")


def times(
    elab: Elaborating,
    step: Callable[[Exp, Exp], Exp],
    count: Exp,
    start: Exp,
    at: Span,
    span: Span,
    places: tuple[Place, ...] = (),
    symbol: str = "⍣",
) -> Exp:
    """`(f⍣n) y`; the function of a round gets the number of rounds before it, and the state, of which the
    last items are those of outer names. Messages name the symbol.
    """
    build = elab.build
    if isinstance(count.ty, Tuple) or rank(count) > 1:
        raise compile_error("RANK ERROR", f"⍣ needs one number, got {plain_type(count)}", at)
    n = one_integer(build, count, "⍣", at)
    known = constant(n)
    if known in (0, False):
        return start
    if known in (1, True):
        return step(literal(0, span), start)
    if int_constant(n) is None:
        n = build.bind(op(p.NATURAL, n, symbol="⍣", span=at))
    start = build.bind(start)
    counter, name = build.fresh(), build.fresh_function()
    i = Var(counter, ty=scalar(Base.INT), span=span)
    one, start = _fixed_point(elab, lambda state: step(i, state), start, span, places, symbol)
    state = one.state
    result = product(tuple(tuples.components(build, state)), span) if tuples.is_tuple(state) else state
    with build.block(one.bindings) as bindings:
        after = _fitted(elab, one.after, one.params, span)
        again = call(name, (op(p.ADDI, i, literal(1, span), span=span), *after), result.ty, span)
        round_ = let(bindings, again)
    body = conditional(op(p.LTI, i, n, span=span), round_, result, span)
    inits = (literal(0, span), *_fitted(elab, tuples.components(build, start), one.params, span))
    loop = rec(name, (Param(counter, i.ty), *one.params), inits, body, result.ty, span)
    return _structured(elab, loop, start)


def _until(
    elab: Elaborating,
    step: Step,
    done: Callable[[Exp, Exp], Exp],
    start: Exp,
    span: Span,
    places: tuple[Place, ...],
) -> Exp:
    """`(f⍣g) y`: until `new g old`; at least one round."""
    build = elab.build
    start = build.bind(start)
    one, start = _fixed_point(elab, step, start, span, places)
    name = build.fresh_function()
    types = tuple([q.ty for q in one.params])
    with build.block(one.bindings) as bindings:
        after = [build.bind(e) for e in _fitted(elab, one.after, one.params, span)]
        new = tuples.rebuilt(start, iter(after))
        result = after[0]
        if isinstance(start.ty, Tuple):
            result = product(tuple(after), span) if tuples.is_tuple(start) else new
        stop = done(new, one.state)
        ty = forget_value(Tuple(types)) if tuples.is_tuple(start) else forget_value(result.ty)
        again = call(name, tuple(after), ty, span)
        body = let(bindings, conditional(stop, result, again, span))
    inits = _fitted(elab, tuples.components(build, start), one.params, span)
    loop = rec(name, one.params, tuple(inits), body, ty, span)
    return _structured(elab, loop, start)


def _structured(elab: Elaborating, loop: Exp, start: Exp) -> Exp:
    """The value of a loop with the structure that its state has."""
    if not tuples.is_tuple(start):
        return loop
    return tuples.rebuilt(start, iter(tuples.components(elab.build, loop)))


@dataclass(frozen=True, slots=True)
class _Round:
    """A round: the state, its components as parameters, and what the function makes of them."""

    params: tuple[Param, ...]
    state: Exp
    after: list[Exp]
    made: Type
    bindings: list[Binding]


def _round(elab: Elaborating, step: Step, start: Exp, types: tuple[Type, ...], span: Span) -> _Round:
    """A round on a state of the given types."""
    build = elab.build
    variables = [Var(build.fresh(), ty=t, span=start.span or span) for t in types]
    state = tuples.rebuilt(start, iter(variables))
    with build.block() as bindings:
        value = tuples.in_form(build, step(state), start.ty, span)
        after = tuples.components(build, value)
    return _Round(tuple([Param(v.name, v.ty) for v in variables]), state, after, value.ty, bindings)


def _fitted(elab: Elaborating, parts: list[Exp], params: tuple[Param, ...], span: Span) -> list[Exp]:
    """The components of a value, converted to the types of the state."""
    pairs = zip(parts, params, strict=True)
    return [tuples.coerce(elab.build, e, q.ty, "⍣", span) for e, q in pairs]


def _fixed_point(
    elab: Elaborating, step: Step, start: Exp, span: Span, places: tuple[Place, ...], symbol: str = "⍣"
) -> tuple[_Round, Exp]:
    """A round that keeps the types of the components of the state, and the state before the first one."""
    while True:
        try:
            return _kept(elab, step, start, span, places, symbol), start
        except tuples.Grows as found:
            start = elab.build.bind(tuples.coerce(elab.build, start, found.type, "⍣", span))


def _kept(
    elab: Elaborating, step: Step, start: Exp, span: Span, places: tuple[Place, ...], symbol: str
) -> _Round:
    """A round that keeps the types of the components of such a state."""
    types = tuple([forget_value(e.ty) for e in tuples.components(elab.build, start)])
    mark = elab.build.mark()
    for _ in range(MAX_ROUNDS):
        elab.build.undo(mark)
        one = _round(elab, step, start, types, span)
        after = [e.ty for e in one.after]
        if len(after) == len(types) and isinstance(one.made, Tuple) and not isinstance(start.ty, Tuple):
            was, becomes = plain(start.ty), plain(one.made)
            raise unsupported(f"{symbol} where the state is {was} and becomes {becomes}", span)
        if len(after) != len(types):
            was, becomes = counted(len(types), "array", "arrays"), counted(len(after), "array", "arrays")
            raise unsupported(f"{symbol} where the state is {was} and becomes {becomes}", span)
        joined = [tuples.widen(a, forget_value(b)) for a, b in zip(types, after, strict=True)]
        wider = []
        for k, common in enumerate(joined):
            if common is None:
                raise _growing(_component(elab, k, start, places, symbol), types[k], after[k], span)
            wider.append(common)
        if tuple(wider) == types:
            return one
        types = tuple(wider)
    raise compile_error("LIMIT ERROR", "the types of the loop do not settle", span)


@dataclass(frozen=True, slots=True)
class _Component:
    """A component of the state, for messages: where, its name, and whether it is all that has this name."""

    where: str
    name: str
    is_whole: bool


def _component(elab: Elaborating, k: int, start: Exp, places: tuple[Place, ...], symbol: str) -> _Component:
    """The component of the state with a number, counted from 0."""
    state = tuples.items_of(elab.build, start) if places else (start,)
    count = len(tuples.components(elab.build, state[0]))
    if k < count:
        return _Component(symbol, f"component {k + 1} of the state" if count > 1 else "the state", count == 1)
    owners = [
        q.name for q, v in zip(places, state[1:], strict=True) for _ in tuples.components(elab.build, v)
    ]
    return _Component("a loop", owners[k - count], owners.count(owners[k - count]) == 1)


def _growing(which: _Component, before: Type, after: Type, span: Span) -> CompileError | Unsupported:
    """Why a component has no type that a round keeps."""
    assert not isinstance(before, Func | Tuple) and not isinstance(after, Func | Tuple)
    if rank_of(before) == rank_of(after):
        return unsupported(
            f"{which.where} where {which.name} is {plain(before)} and becomes {plain(after)}", span
        )
    axes = rank_of(before).const, rank_of(after).const
    grows = "grows" if axes[1] > axes[0] else "shrinks"
    what = f"{which.where} where the rank of {which.name} {grows} from {axes[0]} to {axes[1]} in a round"
    hint = "begin with a vector, write , in front of it" if axes == (0, 1) and which.is_whole else ""
    return unsupported(what, span, hint)
