"""What a word that is being typed may become: names, symbols by their names or behind a backtick, control
words, system names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aplc.apl_front.syntax.listings import CONTROL_WORDS
from aplc.highlighting.words import Kind
from aplc.language_server.document import Document
from aplc.language_server.features import Data, code
from aplc.language_server.names import Binding, Scope
from aplc.language_server.places import Position
from aplc.symbols import BACKTICK, FUNCTIONS, OPERATORS, OTHERS, SYSTEM, described, every_name

TRIGGERS = ("`", ":", "⎕")
_WORD = re.compile(r"`[^\s`]?$|:[A-Za-z]*$|⎕?[\w∆⍙]+$|⎕$")
_FUNCTION, _VARIABLE, _CONSTANT, _KEYWORD, _OPERATOR = 3, 6, 21, 14, 24


def completions(document: Document, position: Position) -> list[Data]:
    """What may stand in place of the word before the cursor; nothing in texts and comments."""
    end = document.places.offset(position)
    line = document.places.start_of(document.places.line_of(end))
    found = _WORD.search(document.text[line:end])
    if found is None:
        return []
    start, word = line + found.start(), found[0]
    if word[0] != "`" and _is_quiet(document, start):
        return []
    place = document.places.range(start, end)
    return [
        {**item, "textEdit": {"range": place, "newText": text}}
        for text, item in _items(document, start, word)
    ]


def symbols() -> list[dict[str, str]]:
    """All symbols that are typed behind a backtick and mean something, with their keys and meanings."""
    every = [{"symbol": s, "key": key, "meaning": _meaning(s)} for key, s in BACKTICK.items()]
    return [each for each in every if each["meaning"]]


def _meaning(symbol: str) -> str:
    """What a symbol is as a function, as an operator, and otherwise, on one line."""
    every = [*FUNCTIONS.get(symbol, ()), OPERATORS.get(symbol, ""), OTHERS.get(symbol, "")]
    return " · ".join([each for each in every if each])


def _is_quiet(document: Document, offset: int) -> bool:
    """Whether a place is inside of a text or a comment."""
    quiet = (Kind.COMMENT, Kind.ANNOTATION, Kind.TEXT)
    return any(word.kind in quiet and word.start < offset < word.end for word in document.words)


def _items(document: Document, start: int, word: str) -> Iterator[tuple[str, Data]]:
    """What stands in the text then, and what is shown."""
    match word[0]:
        case "`":
            yield from _behind_backtick()
        case ":":
            for control in CONTROL_WORDS.values():
                yield f":{control}", {"label": f":{control}", "kind": _KEYWORD}
        case "⎕":
            for name, what in SYSTEM.items():
                yield name.upper(), {"label": name.upper(), "kind": _CONSTANT, "detail": what}
        case _:
            yield from _names(document, start, word)
            yield from _symbols(word)


def _behind_backtick() -> Iterator[tuple[str, Data]]:
    for number, (key, symbol) in enumerate(BACKTICK.items()):
        yield (
            symbol,
            {
                "label": f"{symbol}  `{key}",
                "kind": _OPERATOR,
                "detail": _meaning(symbol),
                "labelDetails": {"description": _meaning(symbol)},
                "documentation": _documented(symbol),
                "filterText": f"`{key}",
                "sortText": f"{number:03}",
            },
        )


def _names(document: Document, start: int, word: str) -> Iterator[tuple[str, Data]]:
    """The names in scope, but for one that stands nowhere else."""
    seen: set[str] = set()
    scope: Scope | None = document.names.scope_at(start)
    while scope is not None:
        for name, binding in scope.bindings.items():
            if name not in seen and any(each.start != start for each in binding.mentions):
                seen.add(name)
                yield name, _name(document, binding)
        scope = scope.parent


def _name(document: Document, binding: Binding) -> Data:
    known = document.known(binding)
    kind = _FUNCTION if binding.is_function or (known and known.status) else _VARIABLE
    detail = known.type if known and known.type else "local" if binding.scope.parent else ""
    return {
        "label": binding.name,
        "labelDetails": {"description": detail},
        "kind": kind,
        "detail": detail,
        "sortText": f"1{binding.name}",
    }


def _symbols(word: str) -> Iterator[tuple[str, Data]]:
    """Symbols by their names, from one letter on: editors ask at the first, and choose themselves then."""
    for name, symbol in every_name():
        if name.startswith(word.lower()):
            yield (
                symbol,
                {
                    "label": f"{symbol}  {name}",
                    "labelDetails": {"description": _meaning(symbol)},
                    "kind": _OPERATOR,
                    "documentation": _documented(symbol),
                    "filterText": name,
                    "sortText": f"2{name}",
                },
            )


def _documented(symbol: str) -> Data:
    return {"kind": "markdown", "value": code("\n".join(described(symbol)) or symbol)}
