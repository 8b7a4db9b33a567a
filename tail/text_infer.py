"""Types that a hand-written TAIL text leaves out: those of the parameters of functions given to operators.

    each(fn x => addd(1.0,x), v)        x is double, because v holds doubles

The scheme of the operator is matched with the arguments that have types; a function is read once the types of
its parameters follow from that. Lets need no types at all; loops and recursive functions state theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aplc.tail.syntax import Arg, Fn
from aplc.tail.types import BaseVar, Func, Rho, Tuple, Type, rank_of
from aplc.tail.unify import NoMatch, Scheme, Substitution, match_type

_NAME = r"(?:[^\W\d][\w∆⍙]*|[⍺⍵]|`[^`\n]+`)"
BARE_FUNCTION = re.compile(rf"fn\s+{_NAME}(?:\s*,\s*{_NAME})*\s*=>")
"""A function without any type."""
_PIECE = re.compile(r"--[^\n]*|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|=>|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Untyped:
    """A function argument that begins at `start` and cannot be read before its parameters have types."""

    start: int


def end_of_argument(text: str, start: int) -> int:
    """Where the argument that begins at `start` ends: before the comma or bracket that is not inside it."""
    depth, in_head = 0, True
    for piece in _PIECE.finditer(text, start):
        token = piece.group()
        if token == "=>":
            in_head = False
        elif token in "([":
            depth += 1
        elif token in ")]" and depth:
            depth -= 1
        elif token in ")]" or (token == "," and depth == 0 and not in_head):
            return piece.start()
    return len(text)


def infer_functions(
    scheme: Scheme, given: Sequence[Arg | Untyped], read: Callable[[Untyped, Sequence[Type]], Fn]
) -> list[Arg]:
    """The arguments with the untyped functions read; `NoMatch` where they do not fit the scheme."""
    if len(given) != len(scheme.type.params):
        raise NoMatch(f"takes {len(scheme.type.params)} arguments, got {len(given)}")
    subst = Substitution()
    waiting: dict[int, tuple[Func, Untyped]] = {}
    args: dict[int, Arg] = {}
    for place, (pattern, arg) in enumerate(zip(scheme.type.params, given, strict=True)):
        if not isinstance(arg, Untyped):
            match_type(pattern, arg.ty, subst)
            args[place] = arg
        elif isinstance(pattern, Func):
            waiting[place] = (pattern, arg)
        else:
            raise NoMatch("a function where an array is needed")
    while waiting:
        ready = [k for k, (pattern, _) in waiting.items() if all(map(_is_known, _inputs(pattern, subst)))]
        if not ready:
            raise NoMatch("the types of the parameters do not follow from the other arguments: write them")
        pattern, untyped = waiting.pop(ready[0])
        function = read(untyped, _inputs(pattern, subst))
        match_type(pattern, function.ty, subst)
        args[ready[0]] = function
    return [args[place] for place in range(len(given))]


def _inputs(pattern: Func, subst: Substitution) -> list[Type]:
    return [subst.type(q) for q in pattern.params]


def _is_known(ty: Type) -> bool:
    """Whether no variable of the scheme is left in a parameter's type."""
    if isinstance(ty, Func | Tuple) or isinstance(ty.base, BaseVar):
        return False
    return rank_of(ty) == Rho(0) or rank_of(ty).is_const
