"""The words of APL text as tools see them: what kind each is, and where it stands.

For highlighting and for editors. Any text has words, a program half typed as well; what is wrong with it is
not told here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from heapq import merge

from aplc.apl_front.syntax.ast import Glyph, Name
from aplc.apl_front.syntax.glyphs import DYADIC_OPERATORS, FUNCTIONS, MONADIC_OPERATORS
from aplc.apl_front.syntax.lexer import Token, tokenize
from aplc.apl_front.syntax.listings import CONTROL_WORDS
from aplc.tail.errors import CompileError
from aplc.tail.source import Source


class Kind(Enum):
    """What a word is by its spelling; what a name stands for is not known here."""

    COMMENT = "comment"
    ANNOTATION = "annotation"
    """A comment that states a type: `⍝: <double>n → double`."""
    NUMBER = "number"
    TEXT = "text"
    NAME = "name"
    ARGUMENT = "argument"
    """`⍺ ⍵ ⍺⍺ ⍵⍵`, and `∇` inside of braces."""
    SYSTEM = "system"
    """`⎕`, `⍞` and what begins with a quad."""
    FUNCTION = "function"
    OPERATOR = "operator"
    """`/` and its like are operators here, whatever stands to their left."""
    ARROW = "arrow"
    """`←` and `→`"""
    CONTROL = "control"
    """A control word with its colon, `:If`."""
    DEFINITION = "definition"
    """`∇` where a definition begins or ends."""
    BRACKET = "bracket"
    SEPARATOR = "separator"
    """`⋄ : ;`"""
    NEWLINE = "newline"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Word:
    """A word, and the characters of the text from `start` up to `end` that it is."""

    kind: Kind
    text: str
    """Look-alikes of symbols are replaced here, and system names in lower case."""
    start: int
    end: int


_OF_TOKENS = {
    "NUMBER": Kind.NUMBER, "ZILDE": Kind.NUMBER, "CHARS": Kind.TEXT, "BROKEN": Kind.TEXT, "CURLY": Kind.TEXT,
    "ARROW": Kind.ARROW, "LPAREN": Kind.BRACKET, "RPAREN": Kind.BRACKET, "LBRACKET": Kind.BRACKET,
    "RBRACKET": Kind.BRACKET, "LBRACE": Kind.BRACKET, "RBRACE": Kind.BRACKET, "SEMICOLON": Kind.SEPARATOR,
    "COLON": Kind.SEPARATOR, "DIAMOND": Kind.SEPARATOR, "NEWLINE": Kind.NEWLINE,
}  # fmt: skip
_INSIDE = ("in", "ineach")
"""Control words that stand in the middle of a line."""


def words_of(text: str) -> list[Word]:
    """All words of a text, in order; of what is longer than any program, none."""
    try:
        lexed = tokenize(Source("text", text))
    except CompileError:
        return []
    comments = [_comment(each.text, each.span.start, each.span.end) for each in lexed.comments]
    return list(merge(_words(lexed.tokens), comments, key=lambda word: word.start))


def _comment(text: str, start: int, end: int) -> Word:
    kind = Kind.ANNOTATION if text.startswith(":") else Kind.COMMENT
    return Word(kind, text, start, end)


def _words(tokens: list[Token]) -> Iterator[Word]:
    """The words that tokens are; a colon and the control word behind it are one."""
    is_first, braces, colon = True, 0, None
    for token in tokens:
        word = _word(token, is_first=is_first and not braces)
        if colon is not None:
            if word.start == colon.end and _is_control(word, is_first=is_first):
                yield Word(Kind.CONTROL, ":" + CONTROL_WORDS[word.text.lower()], colon.start, word.end)
                colon, is_first = None, False
                continue
            yield colon
            is_first, colon = not braces, None  # behind a label
        if token.type == "COLON":
            colon = word
            continue
        braces = max(0, braces + (token.type == "LBRACE") - (token.type == "RBRACE"))
        is_first = word.kind is Kind.NEWLINE or word.text == "⋄"
        yield word
    if colon is not None:
        yield colon


def _is_control(word: Word, *, is_first: bool) -> bool:
    lower = word.text.lower()
    return word.kind is Kind.NAME and lower in CONTROL_WORDS and (is_first or lower in _INSIDE)


def _word(token: Token, *, is_first: bool) -> Word:
    """The word that a token is."""
    span, value = token.span, token.value
    if isinstance(value, Name):
        return Word(_kind_of_name(value.name, is_first=is_first), value.name, span.start, span.end)
    if isinstance(value, Glyph):
        return Word(_kind_of_symbol(value.symbol), value.symbol, span.start, span.end)
    return Word(_OF_TOKENS[token.type], span.text, span.start, span.end)


def _kind_of_name(name: str, *, is_first: bool) -> Kind:
    if name[0] in "⎕⍞":
        return Kind.SYSTEM
    if name == "∇" and is_first:
        return Kind.DEFINITION
    return Kind.ARGUMENT if name[0] in "⍺⍵∇" else Kind.NAME


def _kind_of_symbol(symbol: str) -> Kind:
    if symbol == "→":
        return Kind.ARROW
    if symbol in MONADIC_OPERATORS | DYADIC_OPERATORS:
        return Kind.OPERATOR
    return Kind.FUNCTION if symbol in FUNCTIONS else Kind.UNKNOWN


# --- definitions ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeaderWords:
    """The names in the first line of a definition between two `∇`."""

    name: Word
    valence: int
    operands: tuple[Word, ...] = ()
    parameters: tuple[Word, ...] = ()
    """The result and the arguments."""
    locals: tuple[Word, ...] = ()


def header_words(line: Sequence[Word]) -> HeaderWords | None:
    """What the words behind a `∇` on its line say; None where they are no header (yet)."""
    line = [word for word in line if word.kind not in (Kind.COMMENT, Kind.ANNOTATION, Kind.NEWLINE)]
    semicolon = next((at for at, word in enumerate(line) if word.text == ";"), len(line))
    arrow = next((at + 1 for at, word in enumerate(line[:semicolon]) if word.kind is Kind.ARROW), 0)
    groups = _groups(line[arrow:semicolon])
    if not 0 < len(groups) < 4:
        return None
    of_name = groups.pop(1 if len(groups) == 3 else 0)
    if not of_name:
        return None
    name = of_name[1] if len(of_name) > 1 else of_name[0]
    operands = tuple([word for word in of_name if word is not name])
    parameters = [word for group in groups for word in group]
    return HeaderWords(
        name, len(groups), operands, tuple([*_names(line[:arrow]), *parameters]), _names(line[semicolon:])
    )


def _names(words: Iterable[Word]) -> tuple[Word, ...]:
    return tuple([word for word in words if word.kind is Kind.NAME])


def _groups(words: Iterable[Word]) -> list[list[Word]]:
    """Names one by one, and those in brackets together; a bracket that closes nothing is passed over."""
    groups: list[list[Word]] = []
    depth = 0
    for word in words:
        closes = word.text in (")", "}")
        depth = max(0, depth - closes)
        if not closes and depth == 0:
            groups.append([])
        depth += word.text in ("(", "{")
        if word.kind is Kind.NAME:
            groups[-1].append(word)
    return groups


def lines_of(words: Iterable[Word]) -> Iterator[list[Word]]:
    """The words of each line, and of each statement of several on one."""
    line: list[Word] = []
    for word in words:
        if word.kind is Kind.NEWLINE or word.text == "⋄":
            yield line
            line = []
        else:
            line.append(word)
    yield line


def functions_in(words: Sequence[Word]) -> set[str]:
    """The names of what a text defines by braces or between two `∇`."""
    found: set[str] = set()
    for line in lines_of(words):
        if line and line[0].kind is Kind.DEFINITION and (header := header_words(line[1:])):
            found.add(header.name.text)
    for name, arrow, brace in zip(words, words[1:], words[2:], strict=False):
        if name.kind is Kind.NAME and arrow.text == "←" and brace.text == "{":
            found.add(name.text)
    return found
