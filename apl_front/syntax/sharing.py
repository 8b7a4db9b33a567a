"""Which definitions are long and stand behind several calls of a program.

A definition in line costs what its text costs at each call, and so do those that it calls: then the work of
compiling a program grows with the ways through it and not with its length. Those that are found here are
elaborated as functions of TAIL, as those that call themselves are, and come into the program once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aplc.apl_front.syntax.ast import (
    Arrow,
    Block,
    Bracket,
    Code,
    Dfn,
    For,
    If,
    Item,
    Loop,
    Name,
    Paren,
    Statement,
)

LONG = 50
"""A definition of so many items, those of what it calls included, is worth a function,"""
CALLS = 3
"""where so many calls of the program come to it,"""
ITEMS, ITEMS_WITHOUT_LOOPS = 600, 3000
"""which in line would be so many items; one that has no loops is fused with what stands around it."""


@dataclass(slots=True)
class _Part:
    """The program, or the definitions of one name: how many items they have, which names how often."""

    definitions: list[Dfn] = field(default_factory=list)
    items: int = 0
    has_loops: bool = False
    mentions: Counter[str] = field(default_factory=Counter)


def shared_definitions(
    statements: Sequence[Statement], start: str | None = None, *, in_line: int = 0
) -> frozenset[int]:
    """The identities of these definitions, for a program, or for a call of its function `start`; of none
    where all that is called would be no more than so many items in line.

    Definitions of the same name count as one; those that call themselves are functions anyway.
    """
    whole, parts = _Part(), dict[str, _Part]()
    _collect(statements, whole, parts)
    if start is not None:
        whole.items, whole.mentions = 1, Counter([start])
    order, inner, cyclic = _callers_first(parts)
    lengths: dict[str, int] = {}
    for name in reversed(order):
        part = parts[name]
        lengths[name] = part.items + sum(part.mentions[n] * lengths[n] for n in inner[name])
        part.has_loops |= name in cyclic or any(parts[n].has_loops for n in inner[name])
    if whole.items + sum(whole.mentions[n] * lengths[n] for n in parts) <= in_line:
        return frozenset()
    copies = Counter({n: whole.mentions[n] for n in parts})
    shared: list[Dfn] = []
    for name in order:
        most = ITEMS if parts[name].has_loops else ITEMS_WITHOUT_LOOPS
        is_long = lengths[name] >= LONG and lengths[name] * copies[name] >= most
        is_shared = name not in cyclic and is_long and copies[name] >= CALLS
        if is_shared:
            shared += parts[name].definitions
        times = min(copies[name], 1) if is_shared or name in cyclic else copies[name]
        for n in inner[name]:
            copies[n] += times * parts[name].mentions[n]
    return frozenset(map(id, shared))


def _callers_first(parts: Mapping[str, _Part]) -> tuple[list[str], dict[str, list[str]], set[str]]:
    """The names, each before those that its definition mentions; these, without what leads back to it; and
    the names that lead back to themselves.
    """
    inner: dict[str, list[str]] = {}
    cyclic: set[str] = set()
    done: list[str] = []
    for start in parts:
        path: list[tuple[str, Iterator[str]]] = []
        waiting: str | None = start if start not in inner else None
        while waiting is not None or path:
            if waiting is not None:
                inner[waiting] = []
                path.append((waiting, iter([n for n in parts[waiting].mentions if n in parts])))
            name, mentioned = path[-1]
            waiting = next(mentioned, None)
            if waiting is None:
                done.append(name)
                path.pop()
                continue
            on_path = [n for n, _ in path]
            if waiting in on_path:
                cyclic.update(on_path[on_path.index(waiting) :])
                waiting = None
                continue
            inner[name].append(waiting)
            if waiting in inner:
                waiting = None
    return done[::-1], inner, cyclic


def _collect(statements: Iterable[Statement], part: _Part, parts: dict[str, _Part]) -> None:
    """Adds what statements have of their own to a part, and the definitions among and inside of them to the
    others.
    """
    for statement in statements:
        stack: list[Item] = [*statement.items, *(statement.guard or ())]
        match statement.items:
            case (Name(name=name), Arrow(), Dfn() as dfn):
                named = parts.setdefault(name, _Part())
                named.definitions.append(dfn)
                named.has_loops |= _has_loops(dfn.code)
                _collect(dfn.body, named, parts)
                stack = []
            case _:
                pass
        while stack:
            item = stack.pop()
            part.items += 1
            match item:
                case Name(name=name):
                    part.mentions[name] += 1
                case Paren(items=inner):
                    stack += inner
                case Bracket(parts=rows):
                    stack += [each for row in rows for each in row]
                case Dfn(body=body):
                    _collect(body, part, parts)
                case _:
                    pass


def _has_loops(code: Code) -> bool:
    """Whether there is a loop among statements and control structures."""
    for each in code:
        match each:
            case For() | Loop():
                return True
            case If(then=then, otherwise=otherwise):
                if _has_loops((*then, *otherwise)):
                    return True
            case Block(body=body):
                if _has_loops(body):
                    return True
            case _:
                pass
    return False
