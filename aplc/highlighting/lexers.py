"""Highlighting of APL by Pygments: the lexers `aplc`, for programs, and `aplc-session`, for what stands in a
session of `aplc repl`.

Pygments finds them by their entry points where aplc is installed; nothing else here needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
    _TokenType,
)

from aplc.highlighting.words import Kind, functions_in, words_of

TOKENS: dict[Kind, _TokenType] = {
    Kind.COMMENT: Comment.Single,
    Kind.ANNOTATION: Comment.Special,
    Kind.NUMBER: Number,
    Kind.TEXT: String,
    Kind.NAME: Name.Variable,
    Kind.ARGUMENT: Name.Builtin.Pseudo,
    Kind.SYSTEM: Name.Builtin,
    Kind.FUNCTION: Operator,
    Kind.OPERATOR: Keyword.Pseudo,
    Kind.ARROW: Keyword,
    Kind.CONTROL: Keyword,
    Kind.DEFINITION: Keyword.Declaration,
    Kind.BRACKET: Punctuation,
    Kind.SEPARATOR: Punctuation,
    Kind.NEWLINE: Whitespace,
    Kind.UNKNOWN: Text,
}
PROMPT = " " * 6
"""What stands before the lines that are entered in a session."""

Highlighted = Iterator[tuple[int, _TokenType, str]]


class AplcLexer(Lexer):  # type: ignore[misc]
    """Programs, as `aplc FILE.apl` runs them."""

    name = "APL (aplc)"
    aliases: ClassVar[list[str]] = ["aplc"]
    filenames: ClassVar[list[str]] = ["*.apl"]
    url = "https://en.wikipedia.org/wiki/APL_(programming_language)"
    priority = 1.0

    def get_tokens_unprocessed(self, text: str) -> Highlighted:
        """Each piece of the text with its place and token type, blanks among them."""
        return _highlighted(text, 0)


class AplcSessionLexer(Lexer):  # type: ignore[misc]
    """A session: what is entered stands behind six blanks, all else is output."""

    name = "Session of aplc"
    aliases: ClassVar[list[str]] = ["aplc-session"]

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"stripnl": False, **options})

    def get_tokens_unprocessed(self, text: str) -> Highlighted:
        """The same of a session; the prompts are text."""
        place = 0
        for line in text.splitlines(keepends=True):
            if line.startswith(PROMPT):
                yield place, Generic.Prompt, PROMPT
                yield from _highlighted(line[len(PROMPT) :], place + len(PROMPT))
            else:
                yield place, Generic.Output, line
            place += len(line)


def _highlighted(text: str, place: int) -> Highlighted:
    """The pieces of a text that begins at a place."""
    words = words_of(text)
    functions = functions_in(words)
    end = 0
    for word in words:
        if word.start > end:
            yield place + end, Whitespace, text[end : word.start]
        is_function = word.kind is Kind.NAME and word.text in functions
        token = Name.Function if is_function else TOKENS[word.kind]
        yield place + word.start, token, text[word.start : word.end]
        end = word.end
    if text[end:]:
        yield place + end, Whitespace if words else Text, text[end:]
