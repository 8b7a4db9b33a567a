"""Code for one item of a strand, where each item has code of its own: its errors name the item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aplc.apl_front.building.builder import Builder
from aplc.tail.errors import CompileError
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Binding, Exp, Fn, Op, PrimFn, Rec, map_children, with_args

OF_VALUES = ("LENGTH ERROR", "RANK ERROR", "INDEX ERROR", "DOMAIN ERROR")
"""The kinds of errors that may be those of one item."""


def in_item(build: Builder, index: int, make: Callable[[], Exp]) -> Exp:
    """What `make` builds for the item at an index, in the program's origin."""
    mark, shown = build.mark(), str(index)
    try:
        value = build.bind(make())
    except CompileError as error:
        told = [d.in_item(shown) if d.kind in OF_VALUES else d for d in error.diagnostics]
        raise type(error)(told) from None
    for k, binding in enumerate(build.bindings[mark.bindings :], mark.bindings):
        inside = _located(binding.value, shown)
        build.bindings[k] = Binding(binding.name, binding.ty, inside)
        build.definitions[binding.name] = inside
    return value


def _located(exp: Exp, index: str) -> Exp:
    """An expression, its errors those of an item."""
    if isinstance(exp, Op):
        exp = with_args(exp, tuple([_argument(arg, index) for arg in exp.args]))
    elif isinstance(exp, Rec) and exp.in_common:  # else each item has a function of its own
        exp = replace(exp, inits=tuple([_located(each, index) for each in exp.inits]))
    else:
        exp = map_children(exp, lambda child: _located(child, index))
    return replace(exp, span=_span(exp.span, index))


def _argument(arg: Arg, index: str) -> Arg:
    """An argument. A function of items tells for all that is in it which item is around these."""
    if isinstance(arg, PrimFn):
        return replace(arg, span=_span(arg.span, index))
    if not isinstance(arg, Fn):
        return _located(arg, index)
    if arg.item is None:
        return replace(arg, body=_located(arg.body, index))
    form = arg.item.form
    around = f"{form.around} of item {index}" if form.around else index
    return replace(arg, item=replace(arg.item, form=replace(form, around=around)))


def _span(span: Span | None, index: str) -> Span | None:
    if span is None:
        return None
    return replace(span, item=f"{span.item} of item {index}" if span.item else index)
