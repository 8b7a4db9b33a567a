"""The names in a text.

Which inputs a program uses, by its text: an input that it does not use was meant for a name in it.

A name is used where it stands anywhere but before the arrow of an assignment. What a statement outside of
braces assigns is no input any more in the statements behind it. Inside braces a name counts wherever it
stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from aplc.apl_front.syntax.ast import Arrow, Bracket, Chars, Dfn, File, Item, Name, Paren, Statement

NAME = re.compile(r"[^\W\d]\w*")


def unused_inputs(files: Iterable[File], inputs: Iterable[str]) -> list[str]:
    """The names among the inputs that the program of these files does not use."""
    waiting, unused = dict.fromkeys(inputs), []
    for file in files:
        for statement in file.statements:
            for name in names_read(statement, _assigned_in):
                waiting.pop(name, None)
            for name in _assigned(statement):
                if name in waiting:
                    del waiting[name]
                    unused.append(name)
    return [*unused, *waiting]


def names_in(items: Iterable[Item]) -> Iterator[Name]:
    """All names in a row, those inside brackets and braces included."""
    return (item for item in _items_in(items) if isinstance(item, Name))


def _items_in(items: Iterable[Item]) -> Iterator[Item]:
    """All items of a row, and those inside of them."""
    stack = [*items]
    while stack:
        item = stack.pop()
        yield item
        match item:
            case Paren(items=inner):
                stack += inner
            case Bracket(parts=parts):
                stack += [each for part in parts for each in part]
            case Dfn(body=body):
                stack += [each for s in body for each in (*s.items, *(s.guard or ()))]
            case _:
                pass


def names_in_texts(definition: Dfn) -> set[str]:
    """The names in the texts of a definition that executes some; none where it does not."""
    if "⍎" not in definition.span.text:
        return set()
    texts = [item.text for item in _items_in((definition,)) if isinstance(item, Chars)]
    return {name for text in texts for name in NAME.findall(text)}


def shared_names(statements: Iterable[Statement]) -> frozenset[str]:
    """The names that more than one statement mentions, those of inputs and of the top level among them."""
    counts = Counter(name for s in statements for name in {n.name for n in names_in(s.items)})
    return frozenset(name for name, count in counts.items() if count > 1)


def names_read(statement: Statement, besides: Callable[[Dfn], Iterable[str]]) -> Iterator[str]:
    """The names in a statement, but for those of a plain assignment; those in texts where some are executed,
    and what there is `besides` of a definition.
    """
    stack: list[Sequence[Item]] = [statement.items, statement.guard or ()]
    executes = "⍎" in statement.span.text
    while stack:
        items = stack.pop()
        for item, following in pairwise([*items, None]):
            match item:
                case Name(name=name) if not isinstance(following, Arrow):
                    yield name
                case Chars(text=text) if executes:
                    yield from NAME.findall(text)
                case Paren(items=inner):
                    stack.append(inner)
                case Bracket(parts=parts):
                    stack += parts
                case Dfn(body=body):
                    stack += [each for s in body for each in (s.items, s.guard or ())]
                    yield from besides(item)
                case _:
                    pass


def _assigned_in(definition: Dfn) -> list[str]:
    return [name for s in definition.body for name in _assigned(s)]


def _assigned(statement: Statement) -> Iterator[str]:
    """The names that stand before an arrow."""
    for item, following in pairwise([*statement.items, None]):
        if isinstance(item, Name) and isinstance(following, Arrow):
            yield item.name


def names_assigned(items: Sequence[Item]) -> Iterator[Name]:
    """The names that items assign: before an arrow, perhaps with indices or a function between, or in
    parentheses; not those of functions in braces, which have names of their own.
    """
    target: list[Name] = []  # of an arrow that may follow
    for item in items:
        match item:
            case Name():
                target = [item]
            case Paren(items=inner):
                yield from names_assigned(inner)
                names = [each for each in inner if isinstance(each, Name)]
                target = names if len(names) == len(inner) else names[-1:]
            case Bracket(parts=parts):
                for part in parts:
                    yield from names_assigned(part)
            case Arrow():
                yield from target
                target = []
            case _:
                pass
