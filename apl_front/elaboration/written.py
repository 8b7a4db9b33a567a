"""Functions and operators of APL that are written in APL: parsed where they are used.

The operands of an operator are `⍺⍺` and `⍵⍵`, as in one of the user's. Errors inside are shown where the user
has written the operator: to the user it is a primitive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from aplc.apl_front.building.builder import Builder
from aplc.apl_front.syntax.ast import Dfn
from aplc.apl_front.syntax.parser import parse
from aplc.tail.errors import AplcError
from aplc.tail.source import Source, Span
from aplc.tail.syntax import Arg, Exp, Op, PrimFn, map_children, with_args

AT = {
    (True, True): """{
        x←⍵
        1=≢⍴⍵:x⊣x[⍵⍵]←⍺⍺
        2=≢⍴⍵:x⊣x[⍵⍵;]←⍺⍺
        3=≢⍴⍵:x⊣x[⍵⍵;;]←⍺⍺
    }""",
    (False, True): """{
        ⍺←⊢
        x←⍵
        1=≢⍴⍵:x⊣x[⍵⍵]←⍺ ⍺⍺ x[⍵⍵]
        2=≢⍴⍵:x⊣x[⍵⍵;]←⍺ ⍺⍺ x[⍵⍵;]
        3=≢⍴⍵:x⊣x[⍵⍵;;]←⍺ ⍺⍺ x[⍵⍵;;]
    }""",
    (True, False): """{
        places←⍸,⍵⍵ ⍵
        x←,⍵
        x[places]←⍺⍺
        (⍴⍵)⍴x
    }""",
    (False, False): """{
        ⍺←⊢
        places←⍸,⍵⍵ ⍵
        x←,⍵
        x[places]←⍺ ⍺⍺ x[places]
        (⍴⍵)⍴x
    }""",
}
"""`v@i`, `f@i`, `v@g` and `f@g`, by whether the operands are arrays."""


KEY = """{
    ⎕IO←1
    f←⍺⍺
    keys←∪⍺
    places←(0×⍳≢⍵)+keys⍳⍺
    counts←(≢keys)⍴0
    counts[places]+←1
    ends←+\\counts
    order←⍋places
    ordered←{1=≢⍴⍵:⍵[order] ⋄ 2=≢⍴⍵:⍵[order;] ⋄ 3=≢⍴⍵:⍵[order;;]}⍵
    keys{⍺ f ⍵[2]↑(-/⍵)↓ordered}⍤99 1⍤¯1⊢ends,⍪counts
}"""
"""`keys f⌸ values`"""

STENCIL = """{
    ⎕IO←1
    f←⍺⍺
    sizes←(≢⍴⍵)↑,⍵⍵
    steps←(≢⍴⍵)↑((≢⍴⍵)↓,⍵⍵),(≢⍴⍵)⍴1
    sides←(sizes-1)÷2
    padded←(-(⍴⍵)+2×sides)↑((⍴⍵)+sides)↑⍵
    starts←{steps[⍵]×(⍳⌈extents[⍵]÷steps[⍵])-1}
    extents←⍴⍵
    fill←{s←starts ⍵ ⋄ (0⌈sides[⍵]-s)-0⌈s+1+sides[⍵]-extents[⍵]}
    at←{(starts ⍵)∘.+⍳sizes[⍵]}
    1=≢⍴⍵:(⍪fill 1)f⍤1⊢padded[at 1]
    2=≢⍴⍵:((fill 1){⍺,⍵}⍤0 0⍤0 99⊢fill 2)f⍤1 2⊢1 3 2 4⍉padded[at 1;at 2]
}"""
"""`f⌺sizes`, and `f⌺(2 n⍴sizes,steps)`, for odd sizes: the windows are an array, of which each element is one
of the padded argument.
"""

DIGIT = "{(¯1+⍳10)[⎕D⍳⍵]}"
"""`⍎` of one character."""

_SOURCES: set[int] = set()


@cache
def definition(name: str, text: str) -> Dfn:
    """The tree of a text that is one definition in braces."""
    (item,) = parse(Source(name, text)).statements[0].items
    assert isinstance(item, Dfn)
    _SOURCES.add(id(item.span.source))
    return item


def is_written(span: Span | None) -> bool:
    """Whether a place is in one of the texts here."""
    return span is not None and id(span.source) in _SOURCES


def _name_of(span: Span | None) -> str:
    assert span is not None
    return span.source.name


def _moved_function(arg: Arg, span: Span) -> Arg:
    """A primitive that is an operand, which has a place of its own."""
    if not isinstance(arg, PrimFn) or not is_written(arg.span):
        return arg
    return replace(arg, span=span, symbol=_name_of(arg.span) if arg.symbol else "")


def shown_at(build: Builder, span: Span, make: Callable[[], Exp]) -> Exp:
    """What `make` gives, with the place of the user's for all places in the texts here."""
    mark = len(build.bindings)
    try:
        value = make()
    except AplcError as error:
        told = [replace(d, span=span, trail=()) if is_written(d.span) else d for d in error.diagnostics]
        raise type(error)(told) from None

    def moved(exp: Exp) -> Exp:
        changed = map_children(exp, moved)
        if isinstance(changed, Op):
            changed = with_args(changed, tuple([_moved_function(arg, span) for arg in changed.args]))
        if not is_written(changed.span):
            return changed
        if isinstance(changed, Op) and changed.symbol:
            return replace(changed, span=span, symbol=_name_of(changed.span))
        return replace(changed, span=span)

    build.bindings[mark:] = [replace(each, value=moved(each.value)) for each in build.bindings[mark:]]
    return moved(value)
