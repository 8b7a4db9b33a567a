"""Elements of simple arrays replaced or modified by index: see Note [Mutable arrays] in `assignment`."""

from __future__ import annotations

from aplc.apl_front.building.builder import Builder, base_of, join_bases, length_of, plain_type, rank
from aplc.apl_front.functions import indexing
from aplc.apl_front.functions.operators import Operand, on_scalars
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, first_line, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Lit, TupleExp, op
from aplc.tail.types import Base


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
