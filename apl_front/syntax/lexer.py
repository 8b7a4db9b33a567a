"""The tokens of APL text: first half of the way from characters to `aplc.apl_front.syntax.ast`.

    tokenize(source)   tokens, comments and errors of a text
    balance(tokens)    the same tokens with every bracket closed, for the grammar in `parser`

Tokens carry what the grammar needs and no more: an `Item` node for what stands for itself (number, name,
glyph …), the `Span` of what only separates or encloses. Nothing stops at a mistake: it is recorded, a
stand-in goes on, and whoever asked for the tokens decides. What a symbol means is not known here.

Note [Look-alikes]
Files that passed through word processors, old fonts and web pages contain characters that look like an APL
symbol and are another one. They are replaced one for one before the tokens are cut, so every position stays
what it was; texts and comments are then taken from the original. Greek `α ι ρ ω` are APL symbols here, never
letters of a name; `∘` and `○`, and `×` and the letter x, are left as they are.

Note [One cause, one error]
A bracket that is wrong makes its neighbours look wrong. `balance` therefore repairs as it reports:
- an opening bracket that cannot be closed any more is closed there (by a token of no width);
- what closes the wrong bracket is taken for a slip of the key if the right one does not follow;
- what closes an opening bracket that was reported before (a list spread over lines) is forgiven;
- after an unclosed quote nothing is known about the brackets open there, so they are not reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from ply import lex

from aplc.apl_front.syntax.ast import Arrow, Chars, Glyph, Item, Name, Number, Zilde
from aplc.tail.errors import UNSUPPORTED, Diagnostic, InternalError, compile_error
from aplc.tail.source import Source, Span

MAX_ERRORS = 20
MOST_SYMBOLS = 65_536
"""In a program: some seconds of work for all that comes later."""
MOST_OPEN = 10_000
"""Brackets, one inside the other."""

GLYPHS = "+-×÷*⍟⌹○!?|⌈⌊⊥⊤⊣⊢=≠≤<>≥≡≢∨∧⍲⍱↑↓⊂⊃⊆⌷⍋⍒⍳⍸∊⍷∪∩~/\\⌿⍀,⍪⍴⌽⊖⍉¨⍨⍣∘⍤⍥⍛@⍠⌸⌺⌶⍎⍕&→"
"""Every function and operator symbol; the dot is one too, where no digit follows."""

_BLANKS = "\t\v\f\x1c\x1d\x1e\x1f\xa0\u1680\u202f\u205f\u3000\ufeff"
_BLANKS += "".join(map(chr, range(0x2000, 0x200B)))

LOOK_ALIKES: dict[str, str] = {
    alike: symbol
    for symbol, alikes in {
        "-": "\u2010\u2011\u2013\u2212", "¯": "\u02c9\u203e", "|": "\u2223\u2502", "*": "\u2217\u22c6",
        "~": "\u02dc\u223c", "<": "\u2039", ">": "\u203a", "≤": "\u2a7d", "≥": "\u2a7e", "×": "\u2a2f",
        "/": "\u2044\u2215", "\\": "\u2216\u29f5", "∧": "^\u22c0", "∨": "\u22c1", "∩": "\u22c2",
        "∪": "\u22c3", "∊": "\u2208", "⊥": "\u27c2", "⍟": "\u229b", "○": "\u25ef", "∘": "\u25e6",
        "⎕": "\u25a1", "⋄": "\u25c7\u25ca", "←": "\u27f5", "∇": "\u25bd", "∆": "\u0394\u25b3",
        "⍺": "\u03b1", "⍳": "\u03b9", "⍴": "\u03c1", "⍵": "\u03c9", " ": _BLANKS, "\n": "\x85\u2028\u2029",
    }.items()
    for alike in alikes
}  # fmt: skip
"""Character → the symbol it is read as. See Note [Look-alikes]."""

HINTS = {
    "—": "write - to subtract and ¯ in a negative number",
    "°": "write ∘ to compose functions", "•": "write × or ∘", "·": "write × or .", "⋅": "write × or .",
    "∅": "write ⍬ for the empty vector", "…": "write a⍳b in full", "√": "write x*0.5", "∞": "write ⌊/⍬",
    "²": "write x*2", "³": "write x*3", "∑": "write +/", "∏": "write ×/", "¬": "write ~", "⇐": "write ←",
    "▯": "write ⎕ or ⌷", "\u00b4": "quote text with '", "`": "quote text with '", "∝": "write ⍺",
    "%": "write ÷ to divide, and n|x for the rest of a division",
    "#": "namespaces are not supported, and a comment begins with ⍝",
    "$": "names have letters, digits, _ ∆ ⍙",
}  # fmt: skip

tokens = (
    "NUMBER", "ZILDE", "CHARS", "CURLY", "NAME", "GLYPH", "ARROW", "LPAREN", "RPAREN", "LBRACKET", "RBRACKET",
    "LBRACE", "RBRACE", "SEMICOLON", "COLON", "DIAMOND", "NEWLINE", "COMMENT", "UNKNOWN",
)  # fmt: skip

_CURLY = "\u2018\u2019\u201c\u201d"

# No two rules match at the same character, so their order does not matter.
t_ignore = " "
t_COMMENT = r"⍝[^\r\n]*"
t_NEWLINE = r"\r\n|[\r\n]"
t_DIAMOND = r"⋄"
_PLAIN = r"¯?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]¯?[0-9]+)?"
_BEFORE_NAME = r"(?=[A-DF-IK-Za-df-ik-z∆⍙])"
"""A number ends where a name begins: `200f` is `200 f`. Names with E and J look like parts of numbers."""
_WHOLE = r"¯?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE]¯?[0-9]+)?"
t_NUMBER = rf"(?!0[xXbBoO][0-9A-Fa-f]){_WHOLE}{_BEFORE_NAME}|(?:¯|\.?[0-9])[\w.¯∆⍙]*"
t_ZILDE = r"⍬"
t_CHARS = r"'(?:[^'\r\n]+|'')*'?|" + r'"(?:[^"\r\n]+|"")*"?'
t_CURLY = rf"[{_CURLY}][^{_CURLY}\r\n]*[{_CURLY}]|[{_CURLY}]"
t_NAME = r"(?:[^\W0-9]|[∆⍙])[\w∆⍙]*|⍺⍺?|⍵⍵?|∇∇?|⍞|⎕(?:[A-Za-z_][A-Za-z0-9_]*)?"
t_GLYPH = rf"[{re.escape(GLYPHS)}]|\.(?![0-9])"
t_ARROW = r"←"
t_LPAREN = r"\("
t_RPAREN = r"\)"
t_LBRACKET = r"\["
t_RBRACKET = r"\]"
t_LBRACE = r"\{"
t_RBRACE = r"\}"
t_SEMICOLON = r";"
t_COLON = r":"
t_UNKNOWN = rf"[^\w \r\n⍝⋄¯.⍬'\"{_CURLY}∆⍙⍺⍵∇⍞⎕{re.escape(GLYPHS)}←()\[\]{{}};:]+"


def t_error(t: Any) -> None:
    raise InternalError("lexer", f"no rule for U+{ord(t.value[0]):04X}")


@dataclass(slots=True)
class Token:
    """What the grammar reads; PLY knows it by `type` and `value`. A `BROKEN` token is an unclosed quote."""

    type: str
    value: Item | Span

    @property
    def span(self) -> Span:
        """Where it stands; of no width where `balance` put it in."""
        return self.value if isinstance(self.value, Span) else self.value.span


class Comment(NamedTuple):
    """A comment: the text behind `⍝` to the end of the line, and where `⍝` and text stand."""

    text: str
    span: Span


@dataclass(slots=True)
class Lexed:
    """A text in tokens, without blanks; `errors` holds the first twenty."""

    source: Source
    tokens: list[Token] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)

    def report(self, message: str, span: Span) -> None:
        """Record a mistake."""
        if len(self.errors) < MAX_ERRORS:
            self.errors.append(syntax_error(message, span))

    def refuse(self, what: str, span: Span) -> None:
        """Record what is right APL and not supported."""
        if len(self.errors) < MAX_ERRORS:
            self.errors.append(refusal(what, span))


def refusal(what: str, span: Span) -> Diagnostic:
    """What is right APL and not supported; `what` may go on with what to write instead."""
    return Diagnostic(UNSUPPORTED, what, span)


def syntax_error(message: str, span: Span) -> Diagnostic:
    """The one kind of error that lexer and parser have."""
    return Diagnostic("SYNTAX ERROR", message, span)


def build_lexer(log: Any = None) -> Any:
    """A PLY lexer for the rules above; `log` receives PLY's warnings."""
    return lex.lex(reflags=0, errorlog=log)


_lexer = cache(build_lexer)
_table = str.maketrans(LOOK_ALIKES)


def tokenize(source: Source) -> Lexed:
    """Cut a text into tokens. Mistakes are in `errors`, and a stand-in among the tokens. Raises
    `CompileError` for a text of more than `MOST_SYMBOLS` only, at the first one too many: numbers in a row
    count as one, and so do ends of lines.
    """
    result = Lexed(source)
    lexer = _lexer().clone()
    lexer.input(source.text.translate(_table))
    symbols, before = 0, ""
    while (raw := lexer.token()) is not None:
        text: str = raw.value
        span = Span(source, raw.lexpos, raw.lexpos + len(text))
        symbols += raw.type != before or raw.type not in ("NUMBER", "NEWLINE")
        before = raw.type
        if symbols > MOST_SYMBOLS:
            raise compile_error(
                "LIMIT ERROR", f"a program has at most {MOST_SYMBOLS} symbols and names", span
            )
        if text[0] in "/#" and (comment := _foreign_comment(result.tokens, span)) is not None:
            result.report(f"a comment begins with ⍝, not with {comment.text}", comment)
            end_of_line = _END_OF_LINE.search(source.text, span.start)
            lexer.lexpos = end_of_line.start() if end_of_line else len(source.text)
            rest = Span(source, span.start, lexer.lexpos)
            result.comments.append(Comment(rest.text.removeprefix(comment.text), rest))
            continue
        match raw.type:
            case "COMMENT":
                result.comments.append(Comment(span.text[1:], span))
            case "NAME":
                result.tokens.append(Token("NAME", _name(text, span, result.report)))
            case "GLYPH":
                result.tokens.append(Token("GLYPH", Glyph(text, span)))
            case "NUMBER":
                result.tokens.append(Token("NUMBER", _number(text, span, result.report)))
            case "ARROW":
                result.tokens.append(Token("ARROW", Arrow(span)))
            case "CHARS":
                result.tokens.append(_chars(span, result.report))
            case "ZILDE":
                result.tokens.append(Token("ZILDE", Zilde(span)))
            case "CURLY":
                result.report("curly quotes: write ' or \" around text", span)
                result.tokens.append(Token("CHARS", Chars(span.text, span)))
            case "UNKNOWN":
                result.report(_unknown(text[0]), span)
                result.tokens.append(Token("GLYPH", Glyph(text[0], span)))
            case kind:
                result.tokens.append(Token(kind, span))
    return result


_END_OF_LINE = re.compile(r"[\r\n\x85\u2028\u2029]")


def _foreign_comment(before: list[Token], span: Span) -> Span | None:
    """The sign that begins a comment in other languages: `//` or `#` at the start of a line, or `#` before a
    blank or the end.
    """
    first = not before or before[-1].type == "NEWLINE"
    here = span.source.text[span.start : span.start + 2]
    if here == "//" and first:
        return Span(span.source, span.start, span.start + 2)
    if here[0] == "#" and (not here[1:].strip() or (first and here != "#.")):
        return Span(span.source, span.start, span.start + 1)
    return None


Report = Callable[[str, Span], None]


def _name(text: str, span: Span, report: Report) -> Name:
    """A name as it is looked up: system names in lower case."""
    if text[0] == "⎕":
        return Name(text.lower(), span)
    if not text.isascii() and text[0] not in "⍺⍵∇⍞":
        for offset, char in enumerate(text):
            if not (char.isalpha() or char in "_∆⍙" or "0" <= char <= "9"):
                where = Span(span.source, span.start + offset, span.start + offset + 1)
                report(f"{_spell(char)} cannot stand in a name{_hint(char)}", where)
                break
    return Name(text, span)


_COMPLEX = re.compile(r"([0-9.¯eE]+)[jJ]([0-9.¯eE]+)")
_NUMBER = re.compile(_PLAIN)


def _number(text: str, span: Span, report: Report) -> Number:
    """The value of a numeric literal; 0 stands in for a malformed one."""
    if parts := _COMPLEX.fullmatch(text):
        real, imaginary = [_number(part, span, report).value for part in parts.groups()]
        return Number(complex(real, imaginary), span)
    if not _NUMBER.fullmatch(text):
        report(f"{shorten(span.text)} is not a number: {_number_fault(text)}", span)
        return Number(0, span)
    plain = text.replace("¯", "-")
    digits = plain.lstrip("-0") or "0"
    if digits.isdigit() and len(digits) <= 19:
        whole = -int(digits) if plain[0] == "-" else int(digits)
        if -(2**63) <= whole < 2**63:
            return Number(whole, span)
    value = float(plain)
    if value in (float("inf"), float("-inf")):
        report(f"{shorten(span.text)} is too large: the largest number is 1.7976931348623157E308", span)
    return Number(value, span)


def _number_fault(text: str) -> str:
    """What to do about a malformed number."""
    if not any("0" <= char <= "9" for char in text):
        return "¯ stands directly before a digit; write - to negate"
    for char in text:
        if char in HINTS:
            return HINTS[char]
    if re.search(r"[^eE]¯", text):
        return "put a blank before ¯"
    if re.search(r"\.[0-9]*\.", text):
        return "it has more than one decimal point"
    if re.fullmatch(r"[0-9.¯]+[eE]¯?", text):
        return "digits must follow the E"
    if re.search(r"[eE]¯?[0-9]*\.", text):
        return "the exponent must be whole"
    if re.fullmatch(r"[0-9][0-9_]*", text):
        return "write the digits without _"
    if re.match(r"0[xXbBoO][0-9A-Fa-f]", text):
        return "write it in decimal"
    return "put a blank between a number and a name"


def _chars(span: Span, report: Report) -> Token:
    """A quoted text; without its closing quote it runs to the end of the line."""
    text = span.text
    quote = text[0]
    if text.count(quote) % 2:
        opening = Span(span.source, span.start, span.start + 1)
        before = span.source.text[: span.start].rpartition("\n")[2]
        hint = f"; one inside a text is written {quote * 2}" if quote in before else ""
        report(f"unclosed quote: no second {quote} on this line{hint}", opening)
        return Token("BROKEN", Chars(text[1:], span))
    return Token("CHARS", Chars(text[1:-1].replace(quote * 2, quote), span))


def _unknown(char: str) -> str:
    return f"unknown character {_spell(char)}{_hint(char)}"


def _spell(char: str) -> str:
    """A character, by its number and name where it cannot be seen."""
    if char.isprintable() and not unicodedata.combining(char):
        return char
    name = unicodedata.name(char, "NUL" if char == "\0" else "")
    return f"U+{ord(char):04X} {name}".rstrip()


def _hint(char: str) -> str:
    return f": {HINTS[char]}" if char in HINTS else ""


def shorten(text: str) -> str:
    """A piece of program text, short enough for a message."""
    return text if len(text) <= 24 else text[:23] + "…"


CLOSER = {"LPAREN": "RPAREN", "LBRACKET": "RBRACKET", "LBRACE": "RBRACE"}
OPENER = {closer: opener for opener, closer in CLOSER.items()}
SHAPE = dict(zip([*CLOSER, *OPENER], "([{)]}", strict=True))


@dataclass(slots=True)
class _Open:
    """A bracket that is open: `doubtful` after an unclosed quote, `told` when a ⋄ in it was reported."""

    kind: str
    span: Span
    doubtful: bool = False
    told: bool = False


def balance(tokens: list[Token], errors: list[Diagnostic]) -> list[Token]:
    """The tokens with every bracket closed in its statement; mistakes are added to `errors`.

    Afterwards no newline or diamond stands directly inside parentheses or square brackets, and there is no
    `BROKEN` token any more. See Note [One cause, one error]. Raises `CompileError` where more than
    `MOST_OPEN` are open.
    """
    return _Balance(tokens, errors).run() if tokens else []


class _Balance:
    def __init__(self, tokens: list[Token], errors: list[Diagnostic]) -> None:
        self.tokens, self.errors = tokens, errors
        self.result: list[Token] = []
        self.stack: list[_Open] = []
        self.forgiven: list[str] = []
        """Opening brackets that were reported: what closes them later is no new mistake."""

    def run(self) -> list[Token]:
        for index, token in enumerate(self.tokens):
            kind = token.type
            if kind in CLOSER:
                self.stack.append(_Open(kind, token.span))
                if len(self.stack) > MOST_OPEN:
                    message = f"brackets are nested more than {MOST_OPEN} deep"
                    raise compile_error("LIMIT ERROR", message, token.span)
            elif kind in OPENER:
                if not self.close(index, token):
                    continue
            elif kind == "NEWLINE":
                self.close_line(token.span, "on its line")
            elif kind == "DIAMOND":
                if not self.diamond(index, token):
                    continue
            elif kind == "BROKEN":
                self.doubt()
                token = Token("CHARS", token.value)
            elif kind == "ARROW":
                self.forgiven.clear()
            self.result.append(token)
        last = self.tokens[-1].span
        end = Span(last.source, last.end, last.end)
        while self.stack:
            self.abandon(end, "" if self.stack[-1].kind == "LBRACE" else "on its line")
        return self.result

    def close(self, index: int, token: Token) -> bool:
        """A closing bracket; whether it stays."""
        kind = OPENER[token.type]
        if not (self.stack and self.stack[-1].kind == kind):
            for _ in range(self.depth(kind, token.span)):
                self.abandon(token.span, f"before {SHAPE[token.type]}")
        if self.stack and self.stack[-1].kind == kind:
            self.stack.pop()
            return True
        if self.forgiven and self.forgiven[-1] == kind:
            self.forgiven.pop()
            return False
        if not self.stack or self.closes_later(index, self.stack[-1].kind):
            text, start = token.span.source.text, token.span.start
            if (
                text[token.span.end : token.span.end + 1].isalpha()
                and not text[:start].rpartition("\n")[2].strip()
            ):
                self.report("a command of the session has no meaning in a program", token.span)
                return False
            self.report(f"stray {SHAPE[token.type]}: no {SHAPE[kind]} is open here", token.span)
            return False
        top = self.stack.pop()
        same_line = top.span.line == token.span.line
        where = f"in column {top.span.column}" if same_line else f"of line {top.span.line}"
        self.report(f"{SHAPE[token.type]} cannot close the {SHAPE[top.kind]} {where}", token.span)
        self.put_closer(top.kind, token.span)
        return False

    def depth(self, kind: str, span: Span) -> int:
        """How many open brackets stand above the one of this kind that `span` may close; 0 if there is none.

        Parentheses and square brackets are not looked for outside braces that began on an earlier line.
        """
        if len(self.errors) >= MAX_ERRORS:
            return 0
        for count, entry in enumerate(reversed(self.stack)):
            if entry.kind == kind:
                return count
            if entry.kind == "LBRACE" and entry.span.line != span.line:
                return 0
        return 0

    def diamond(self, index: int, token: Token) -> bool:
        """A diamond; whether it stays."""
        if not self.stack or (top := self.stack[-1]).kind == "LBRACE":
            return True
        if top.told or self.closes_later(index, top.kind):
            if not top.told:
                pair = SHAPE[top.kind] + " " + SHAPE[CLOSER[top.kind]]
                self.report(f"⋄ separates statements and cannot stand inside {pair}", token.span)
            top.told = True
            return False
        self.close_line(token.span, "before ⋄")
        return True

    def close_line(self, span: Span, where: str) -> None:
        """Close the parentheses and square brackets that cannot go on behind a newline or diamond."""
        while self.stack and self.stack[-1].kind != "LBRACE":
            self.abandon(span, where)

    def abandon(self, span: Span, where: str) -> None:
        """Close the innermost bracket in front of `span`, where it cannot stay open."""
        top = self.stack.pop()
        self.put_closer(top.kind, span)
        if not top.doubtful:
            message = f"unclosed {SHAPE[top.kind]}: no {SHAPE[CLOSER[top.kind]]} closes it {where}"
            self.report(message.rstrip(), top.span)
            self.forgiven.append(top.kind)

    def put_closer(self, kind: str, span: Span) -> None:
        """Close a bracket in front of `span`, by a token of no width."""
        self.result.append(Token(CLOSER[kind], Span(span.source, span.start, span.start)))

    def doubt(self) -> None:
        """Expect nothing of the brackets that are open at an unclosed quote."""
        for entry in reversed(self.stack):
            if entry.doubtful:
                break
            entry.doubtful = True

    def closes_later(self, index: int, kind: str) -> bool:
        """Whether the innermost bracket, of this kind, is properly closed behind token `index`.

        Each call that says no leads to an error, so that their number, and with it the way they look
        ahead, is bounded by the number of errors shown.
        """
        depth = 0
        if len(self.errors) < MAX_ERRORS:
            for token in islice(self.tokens, index + 1, None):
                if token.type in CLOSER:
                    depth += 1
                elif token.type in OPENER:
                    if depth == 0:
                        return OPENER[token.type] == kind
                    depth -= 1
                elif token.type == "NEWLINE" and depth == 0 and kind != "LBRACE":
                    return False
        return False

    def report(self, message: str, span: Span) -> None:
        self.errors.append(syntax_error(message, span))
