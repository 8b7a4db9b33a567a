"""Type annotations in comments, `⍝: <κ>(ρ+1) → <κ>ρ`: where they stand and what they belong to.

A comment is an annotation if a colon is its first sign and what follows begins like a type (`[ < (`, a base
type, `S(`, `SV(`) or has an arrow somewhere. It belongs to a dfn where it stands directly behind the opening
brace, and to a statement where it stands in the comment lines directly above it; anywhere else it is an
ordinary comment. The comment lines below an annotation continue it while it ends in an arrow or they begin
with one. What stands behind a second `⍝` is a remark.

What a type may look like is known to `annotation_types`; whether it is the function's is proved elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from aplc.apl_front.syntax.annotation_types import ARROWS, OPERANDS, Mistake, body_of, place_of, read_type
from aplc.apl_front.syntax.ast import Annotation, Name
from aplc.apl_front.syntax.lexer import Comment, Lexed, Token
from aplc.tail.errors import Diagnostic


@dataclass(slots=True)
class Annotations:
    """The annotations of a text, each under the place where its brace or its statement begins."""

    braces: dict[int, Annotation] = field(default_factory=dict)
    statements: dict[int, Annotation] = field(default_factory=dict)


def read_annotations(lexed: Lexed, errors: list[Diagnostic]) -> Annotations:
    """All annotations of a text. Each that is wrong is left out, and a TYPE ERROR is added to `errors`."""
    found = Annotations()
    places = _find(lexed)
    if not places.braces and not places.above:
        return found
    dfns = _dfns(lexed.tokens)
    for start, comments in places.braces.items():
        dfn = dfns.get(start)
        try:
            found.braces[start] = read_type(comments, dfn.operands if dfn else None, is_function=True)
        except Mistake as mistake:
            errors.append(mistake.diagnostic)
    for index, groups in places.above.items():
        dfn = _defined(lexed.tokens, index, dfns)
        first = lexed.tokens[index].span.start
        try:
            found.statements[first] = read_type(
                groups[0], dfn.operands if dfn else None, is_function=bool(dfn)
            )
            _only_once(groups, places.braces.get(dfn.start) if dfn else None)
        except Mistake as mistake:
            errors.append(mistake.diagnostic)
    return found


def _only_once(groups: list[list[Comment]], inside: list[Comment] | None) -> None:
    """Report a second annotation of the same function or value."""
    others = groups[1:] + ([inside] if inside else [])
    if others:
        line = groups[0][0].span.line
        raise Mistake(f"a second annotation: line {line} has one already", place_of(others[0]))


# ---- where annotations stand ----------------------------------------------------------------------------


@dataclass(slots=True)
class _Places:
    """Comments that are annotations, those of one annotation together."""

    braces: dict[int, list[Comment]] = field(default_factory=dict)
    """Behind an opening brace, under its place."""
    above: dict[int, list[list[Comment]]] = field(default_factory=dict)
    """In the lines above a statement, under the number of its first token."""


def _find(lexed: Lexed) -> _Places:
    """Where annotations stand in a text."""
    places = _Places()
    if not any(_looks_like_a_type(comment) for comment in lexed.comments):
        return places
    block: list[list[Comment]] = []  # annotations in the comment lines directly above
    group: list[Comment] = []  # the annotation that the next line may continue; empty if there is none
    before: Token | Comment | None = None  # what stands before on the same line
    for index, event in _in_order(lexed):
        if isinstance(event, Comment):
            if before is None and group and _continues(group[-1], event):
                group.append(event)
            elif before is None and _looks_like_a_type(event):
                group = [event]
                block.append(group)
            elif isinstance(before, Token) and before.type == "LBRACE" and _looks_like_a_type(event):
                group = places.braces[before.span.start] = [event]
            else:
                group = []
        elif event.type == "NEWLINE":
            if before is None:
                block, group = [], []
            before = None
            continue
        else:
            if before is None and block and event.type not in ("DIAMOND", "RBRACE"):
                places.above[index] = block
            block, group = [], []
        before = event
    return places


def _in_order(lexed: Lexed) -> Iterator[tuple[int, Token | Comment]]:
    """Tokens and comments in the order of the text, each with the number of the next token."""
    comments = iter(lexed.comments)
    comment = next(comments, None)
    for index, token in enumerate(lexed.tokens):
        while comment is not None and comment.span.start < token.span.start:
            yield index, comment
            comment = next(comments, None)
        yield index, token
    while comment is not None:
        yield len(lexed.tokens), comment
        comment = next(comments, None)


_BEGINS = re.compile(r"[\[<(]|(?:int|double|bool|char)\b|SV?\s*\(|.*?(?:→|->)")


def _looks_like_a_type(comment: Comment) -> bool:
    """Whether a comment is the first line of an annotation."""
    text = comment.text.lstrip()
    return text.startswith(":") and _BEGINS.match(body_of(comment)) is not None


def _continues(above: Comment, below: Comment) -> bool:
    """Whether the comment of the next line goes on with the annotation."""
    return body_of(above).endswith(ARROWS) or body_of(below).startswith(ARROWS)


@dataclass(slots=True)
class _Braces:
    """A pair of braces: where the first begins, the number of the last, the operands named between them."""

    start: int
    last: int = -1
    operands: int = 0


def _dfns(tokens: Sequence[Token]) -> dict[int, _Braces]:
    """All pairs of braces of a text, under the place of the first."""
    result: dict[int, _Braces] = {}
    stack: list[_Braces] = []
    for index, token in enumerate(tokens):
        if token.type == "LBRACE":
            stack.append(_Braces(token.span.start))
        elif token.type == "RBRACE" and stack:
            dfn = stack.pop()
            dfn.last = index
            result[dfn.start] = dfn
        elif stack and isinstance(token.value, Name) and token.value.name in OPERANDS:
            stack[-1].operands = max(stack[-1].operands, OPERANDS.index(token.value.name) + 1)
    return result


def _defined(tokens: Sequence[Token], index: int, dfns: dict[int, _Braces]) -> _Braces | None:
    """The braces of a statement `name←{…}`; None for any other statement."""
    if [token.type for token in tokens[index : index + 3]] != ["NAME", "ARROW", "LBRACE"]:
        return None
    dfn = dfns.get(tokens[index + 2].span.start)
    if dfn is None:
        return None
    ends = dfn.last + 1 == len(tokens) or tokens[dfn.last + 1].type in ("NEWLINE", "DIAMOND", "RBRACE")
    return dfn if ends else None
