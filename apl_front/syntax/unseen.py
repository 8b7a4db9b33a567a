"""Functions whose results nobody sees: those of `_←{…}¨v` where nothing reads the name.

They are applied for what they change. So their branches may give values of any types, as in Dyalog, where
every value is discarded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aplc.apl_front.syntax.ast import Arrow, Bracket, Dfn, Glyph, Item, Name, Paren, Statement
from aplc.apl_front.syntax.mentioned import names_in, names_read


def unseen_functions(statements: Iterable[Statement], *, keeps_names: bool) -> frozenset[int]:
    """The identities of these definitions. What the whole program assigns may be read behind it if it
    `keeps_names`.
    """
    program = [*statements]
    inner = [s for definition in _definitions(program) for s in _not_last(definition)]
    candidates = inner if keeps_names else [*program, *inner]
    found = {name: dfn for s in candidates for name, dfn in _unseen(s)}
    if not found:
        return frozenset()
    read = {name for s in program for name in names_read(s, _result)}
    return frozenset(id(dfn) for s in candidates for name, dfn in _unseen(s) if name not in read)


def _unseen(statement: Statement) -> Iterator[tuple[str, Dfn]]:
    """The name and the function of `name←{…}¨…`, which prints nothing; the function does not call itself."""
    match statement.items:
        case (Name(name=name), Arrow(), Dfn() as dfn, Glyph(symbol="¨"), *_):
            if name[0] in "⎕⍞" or statement.guard is not None:
                return
            if all(n.name != "∇" for n in names_in((dfn,))):
                yield name, dfn
        case _:
            pass


def _not_last(definition: Dfn) -> tuple[Statement, ...]:
    """The statements that are not the value of a definition."""
    return definition.body if definition.header is not None else definition.body[:-1]


def _definitions(statements: Iterable[Statement]) -> Iterator[Dfn]:
    """All definitions, those in others included."""
    stack: list[Item] = [item for s in statements for item in _items(s)]
    while stack:
        item = stack.pop()
        match item:
            case Dfn(body=body):
                yield item
                stack += [each for s in body for each in _items(s)]
            case Paren(items=items):
                stack += items
            case Bracket(parts=parts):
                stack += [each for part in parts for each in part]
            case _:
                pass


def _items(statement: Statement) -> tuple[Item, ...]:
    return (*statement.items, *(statement.guard or ()))


def _result(definition: Dfn) -> tuple[str, ...]:
    """The names of what a definition gives, if it has any."""
    header = definition.header
    return () if header is None else tuple([name.name for name in header.results])
