"""The answers to what editors ask, as plain data in the shapes of the Language Server Protocol.

Positions come and go as `{"line": …, "character": …}`. No text, however broken, makes them fail.
"""

from __future__ import annotations

import re
from typing import Any

from aplc.highlighting.words import Kind, Word
from aplc.language_server.document import Document, Known
from aplc.language_server.names import Binding, Scope
from aplc.language_server.places import Position, Range
from aplc.symbols import BACKTICK, SYSTEM, described

ERROR = 1
LONGEST_TYPE = 60
"""Characters of a type that are shown between those of the text."""
TOKEN_TYPES = (
    "comment", "type", "number", "string", "variable", "parameter", "function", "operator", "keyword",
)  # fmt: skip
MODIFIERS = ("declaration", "defaultLibrary")
_OF_KINDS = {
    Kind.COMMENT: "comment", Kind.ANNOTATION: "type", Kind.NUMBER: "number", Kind.TEXT: "string",
    Kind.NAME: "variable", Kind.ARGUMENT: "parameter", Kind.SYSTEM: "variable", Kind.FUNCTION: "function",
    Kind.OPERATOR: "operator", Kind.ARROW: "keyword", Kind.CONTROL: "keyword", Kind.DEFINITION: "keyword",
}  # fmt: skip
_OURS = (Kind.SYSTEM, Kind.FUNCTION, Kind.OPERATOR)
_NAME = re.compile(r"[^\W\d]\w*|[∆⍙][\w∆⍙]*|[^\W\d][\w∆⍙]*")

Data = dict[str, Any]


# --- errors ---------------------------------------------------------------------------------------------


def diagnostics(document: Document, uri: str = "") -> list[Data]:
    """What is wrong with a checked text; `uri` is where calls that led there are said to stand."""
    found: list[Data] = []
    for each in document.diagnostics:
        span = document.place_of(each)
        start, end = (0, 0) if span is None else (span.start, span.end)
        note = f"\n{each.note}" if each.note else ""
        data: Data = {
            "range": document.places.range(start, max(end, start + 1)),
            "severity": ERROR,
            "code": each.kind,
            "source": "aplc",
            "message": each.message + note,
        }
        if each.trail and uri:
            data["relatedInformation"] = [
                {
                    "location": {"uri": uri, "range": document.places.range(call.start, call.end)},
                    "message": "called from here",
                }
                for call in each.trail
                if call.source.text == document.text
            ]
        found.append(data)
    return found


# --- what stands under the cursor -----------------------------------------------------------------------


def hover(document: Document, position: Position) -> Data | None:
    """The meaning of a symbol, or the type of a name, as Markdown."""
    word = document.word_at(position)
    if word is None:
        return None
    binding = document.names.by_place.get(word.start)
    told = _of_symbol(word.text) if binding is None else _of_name(document, binding, word)
    if not told:
        return None
    return {
        "contents": {"kind": "markdown", "value": told},
        "range": document.places.range(word.start, word.end),
    }


def _of_symbol(symbol: str) -> str:
    if symbol in SYSTEM:
        return f"{code(symbol.upper())}\n\n{SYSTEM[symbol]}"
    lines = described(symbol)
    return code("\n".join(lines)) if lines else ""


def _of_name(document: Document, binding: Binding, word: Word) -> str:
    known = document.types.get(word.start) if binding.scope.parent is None else None
    known = known or document.known(binding)
    if known is None or not known.type:
        told = code(binding.name) + "\n\n" + _what(binding)
        return told + (f"\n\nno type found: {known.problem}" if known and known.problem else "")
    told = code(f"{binding.name} : {known.type}")
    parts = [told, known.remark, _comment_above(document, binding)]
    return "\n\n".join([part for part in parts if part])


def _what(binding: Binding) -> str:
    if binding.is_function:
        return "a function"
    if binding.scope.parent is not None:
        return "a local name"
    return "a name" if binding.definitions else "nothing here defines this name"


def code(text: str) -> str:
    """A text as code in Markdown."""
    return f"```aplc\n{text}\n```"


def _comment_above(document: Document, binding: Binding) -> str:
    """The comment lines directly above the first definition of a name."""
    if not binding.definitions:
        return ""
    line = document.places.line_of(binding.definitions[0].start) - 1
    by_line = {
        document.places.line_of(word.start): word
        for word in document.words
        if word.kind in (Kind.COMMENT, Kind.ANNOTATION) and _is_alone(document, word)
    }
    lines: list[str] = []
    while (word := by_line.get(line)) is not None and not word.text.startswith(" =="):
        if word.kind is Kind.COMMENT:
            lines.insert(0, word.text.strip())
        line -= 1
    return "  \n".join(lines)


def _is_alone(document: Document, word: Word) -> bool:
    start = document.places.start_of(document.places.line_of(word.start))
    return not document.text[start : word.start].strip()


def definition(document: Document, position: Position) -> list[Range]:
    """Where a name is defined; for `⍵` and `⍺` the braces that they belong to."""
    if found := document.name_at(position):
        return [_range(document, each) for each in found[1].definitions]
    word = document.word_at(position)
    if word is None or word.kind is not Kind.ARGUMENT:
        return []
    scope = document.names.scope_at(word.start)
    if word.text == "∇" and scope.function is not None and scope.function.definitions:
        return [_range(document, scope.function.definitions[0])]
    return [] if scope.parent is None else [document.places.range(scope.start, scope.start + 1)]


def references(document: Document, position: Position, *, declarations: bool = True) -> list[Range]:
    """Where the name under the cursor stands."""
    found = document.name_at(position)
    if found is None:
        return []
    binding = found[1]
    places = {word.start for word in binding.definitions}
    return [_range(document, w) for w in binding.mentions if declarations or w.start not in places]


def rename(document: Document, position: Position, name: str) -> list[Data]:
    """The edits that give the name under the cursor another; none where that is no name."""
    if not _NAME.fullmatch(name):
        return []
    return [{"range": each, "newText": name} for each in references(document, position)]


def renamed(document: Document, position: Position) -> Range | None:
    """The name under the cursor, where it is one that can be changed."""
    found = document.name_at(position)
    return None if found is None else _range(document, found[0])


def _range(document: Document, word: Word) -> Range:
    return document.places.range(word.start, word.end)


# --- the text as a whole --------------------------------------------------------------------------------


def outline(document: Document) -> list[Data]:
    """The names that a program defines, functions with those inside of them."""
    return _outlined(document, document.names.program)


def _outlined(document: Document, scope: Scope) -> list[Data]:
    inner = {child.function: child for child in scope.children if child.function is not None}
    found: list[Data] = []
    for binding in scope.bindings.values():
        if not binding.definitions:
            continue
        first = binding.definitions[0]
        known = document.known(binding)
        child = inner.get(binding)
        start = first.start if child is None else min(first.start, child.start)
        end = max(first.end, binding.end if child is None else child.end)
        children = [] if child is None else [e for e in _outlined(document, child) if e["kind"] == _FUNCTION]
        found.append(
            {
                "name": binding.name,
                "detail": known.type if known else "",
                "kind": _FUNCTION if binding.is_function else _VARIABLE,
                "range": document.places.range(start, end),
                "selectionRange": _range(document, first),
                "children": children,
            }
        )
    return found


_FUNCTION, _VARIABLE = 12, 13


def folds(document: Document) -> list[Data]:
    """The definitions of several lines."""
    lines = [
        (document.places.line_of(scope.start), document.places.line_of(scope.end - 1))
        for scope in document.names.scopes()
        if scope.parent is not None
    ]
    return [{"startLine": start, "endLine": end} for start, end in lines if end > start]


def inlays(document: Document, within: Range | None = None) -> list[Data]:
    """The types of the program's names where they are defined, but for those that are annotated."""
    first, last = _lines(document, within)
    found: list[Data] = []
    before: dict[str, str] = {}
    for binding in document.names.program.bindings.values():
        for word in binding.definitions:
            known = document.types.get(word.start)
            if known is None or not known.type or before.get(binding.name) == known.type:
                continue
            before[binding.name] = known.type
            if known.status not in ("proved", "refuted"):
                position = document.places.position(word.end)
                if first <= position["line"] <= last:
                    found.append(_inlay(position, known))
    return found


def _inlay(position: Position, known: Known) -> Data:
    shown = known.type if len(known.type) <= LONGEST_TYPE else known.type[: LONGEST_TYPE - 1] + "…"
    tooltip = "\n".join([part for part in (known.type, known.remark) if part])
    return {"position": position, "label": f": {shown}", "kind": 1, "tooltip": tooltip, "paddingRight": True}


def _lines(document: Document, within: Range | None) -> tuple[int, int]:
    if within is None:
        return 0, document.places.last_line
    return within["start"]["line"], within["end"]["line"]


def semantic_tokens(document: Document, within: Range | None = None) -> list[int]:
    """The words by five numbers each, as the protocol packs them: types and modifiers are `TOKEN_TYPES` and
    `MODIFIERS`.
    """
    first, last = _lines(document, within)
    data: list[int] = []
    line = character = 0
    for word in document.words:
        kind = _token_type(document, word)
        if kind is None:
            continue
        at = document.places.position(word.start)
        if not first <= at["line"] <= last:
            continue
        step = at["line"] - line
        length = document.places.width(document.text[word.start : word.end])
        data += [step, at["character"] - (0 if step else character), length]
        data += [TOKEN_TYPES.index(kind), _modifiers(document, word)]
        line, character = at["line"], at["character"]
    return data


def _token_type(document: Document, word: Word) -> str | None:
    binding = document.names.by_place.get(word.start)
    if binding is not None:
        known = document.known(binding)
        if binding.is_function or (known is not None and known.status):
            return "function"
        is_parameter = binding.scope.is_listing and word in binding.definitions
        return "parameter" if is_parameter else "variable"
    return _OF_KINDS.get(word.kind)


def _modifiers(document: Document, word: Word) -> int:
    binding = document.names.by_place.get(word.start)
    is_declaration = binding is not None and any(each.start == word.start for each in binding.definitions[:1])
    return is_declaration | (word.kind in _OURS) << 1


# --- while typing ---------------------------------------------------------------------------------------


def typed(document: Document, position: Position, key: str) -> list[Data]:
    """The edit that makes a symbol of a backtick and the key that was typed behind it."""
    end = document.places.offset(position)
    start = end - 1 - len(key)
    if key not in BACKTICK or start < 0 or document.text[start:end] != "`" + key:
        return []
    if document.text[start - 1 : start] == "`" and key != "`":
        return []
    return [{"range": document.places.range(start, end), "newText": BACKTICK[key]}]
