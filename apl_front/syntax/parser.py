"""The grammar of APL text: tokens in, the nodes of `aplc.apl_front.syntax.ast` out.

    file      ::= body                       functions between two ∇ are taken out of it by `listings`
    body      ::= statement ((newline | '⋄') statement)*
    statement ::= item*                      empty ones are dropped
               |  item* ':' item*            a guard: in braces only, neither side empty
    item      ::= number | '⍬' | chars | name | glyph | '←' | paren | bracket | dfn
    paren     ::= '(' item+ ')'
    bracket   ::= '[' item* (';' item*)* ']'
    dfn       ::= '{' body '}'

`lexer.balance` has closed every bracket before the grammar reads them, and the productions below also accept
a `:` or `;` out of place and report it. So the parser never loses its way: every sequence of tokens has a
tree, and a file's mistakes are all found in one go. What the items of a statement mean is left to `infix`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from ply import yacc

from aplc.apl_front.syntax import hints, listings
from aplc.apl_front.syntax.annotations import Annotations, read_annotations
from aplc.apl_front.syntax.ast import Bracket, Dfn, File, Item, Name, Paren, Statement
from aplc.apl_front.syntax.fields import Fields, statement_of
from aplc.apl_front.syntax.glyphs import DYADIC_OPERATORS, MONADIC_OPERATORS
from aplc.apl_front.syntax.lexer import MAX_ERRORS, Token, balance, refusal, syntax_error, tokenize
from aplc.tail.errors import UNSUPPORTED, CompileError, Diagnostic, InternalError, Unsupported
from aplc.tail.source import Source, Span

tokens = (
    "NUMBER", "ZILDE", "CHARS", "NAME", "GLYPH", "ARROW", "LPAREN", "RPAREN", "LBRACKET", "RBRACKET",
    "LBRACE", "RBRACE", "SEMICOLON", "COLON", "DIAMOND", "NEWLINE",
)  # fmt: skip


def parse(source: Source) -> File:
    """The syntax tree of a text. Raises `CompileError` with its first twenty mistakes, in their order."""
    lexed = tokenize(source)
    errors = list(lexed.errors)
    annotations = read_annotations(lexed, errors)
    file = _parser().parse(lexer=_Input(source, balance(lexed.tokens, errors), annotations, errors))
    if errors:
        only_refused = all(error.kind == UNSUPPORTED for error in errors)
        raise (Unsupported if only_refused else CompileError)(sorted(errors, key=_offset)[:MAX_ERRORS])
    assert isinstance(file, File)
    return file


class _Input:
    """What PLY reads tokens from, and the productions report to."""

    def __init__(
        self, source: Source, tokens: list[Token], annotations: Annotations, errors: list[Diagnostic]
    ) -> None:
        self.source, self.annotations, self.errors = source, annotations, errors
        self.in_structure = False
        """Whether a control structure was reported: its other words are no new mistakes."""
        self._tokens: Iterator[Token] = iter(tokens)

    def token(self) -> Token | None:
        return next(self._tokens, None)

    def report(self, message: str, span: Span) -> None:
        self.errors.append(syntax_error(message, span))

    def refuse(self, what: str, span: Span) -> None:
        self.errors.append(refusal(what, span))


def build_parser(log: Any = None) -> Any:
    """A PLY parser for the productions below; `log` receives PLY's warnings. It holds nothing of a text."""
    return yacc.yacc(start="file", write_tables=False, debug=False, errorlog=log)


_parser = cache(build_parser)


def _offset(error: Diagnostic) -> int:
    return error.span.start if error.span else 0


# ---- the productions ------------------------------------------------------------------------------------


def p_file(p: Any) -> None:
    """file : body"""
    source: Source = p.lexer.source
    statements = [_outside(part, p.lexer) for part in listings.split(p[1])]
    p[0] = File(tuple([s for s in statements if s is not None]), Span(source, 0, len(source.text)))


def p_body_first(p: Any) -> None:
    """body : statement"""
    p[0] = [p[1]]


def p_body_more(p: Any) -> None:
    """body : body separator statement"""
    p[0] = p[1]
    p[0].append(p[3])


def p_separator(p: Any) -> None:
    """separator : NEWLINE
    | DIAMOND"""


def p_statement(p: Any) -> None:
    """statement : plain
    | guard
    | misplaced"""
    p[0] = p[1]


def p_plain(p: Any) -> None:
    """plain : items"""
    p[0] = Fields([p[1]], [])


def p_guard(p: Any) -> None:
    """guard : plain COLON items"""
    p[0] = _add_field(p)


def p_misplaced(p: Any) -> None:
    """misplaced : statement SEMICOLON items
    | guard COLON items
    | misplaced COLON items"""
    p[0] = _add_field(p)


def p_inside(p: Any) -> None:
    """inside : plain"""
    p[0] = p[1]


def p_inside_more(p: Any) -> None:
    """inside : inside SEMICOLON items
    | inside COLON items"""
    p[0] = _add_field(p)


def p_items_none(p: Any) -> None:
    """items :"""
    p[0] = []


def p_items_more(p: Any) -> None:
    """items : items item"""
    p[0] = p[1]
    p[0].append(p[2])


def p_item(p: Any) -> None:
    """item : NUMBER
    | ZILDE
    | CHARS
    | NAME
    | GLYPH
    | ARROW
    | paren
    | bracket
    | dfn"""
    p[0] = p[1]


def p_paren(p: Any) -> None:
    """paren : LPAREN inside RPAREN"""
    fields: Fields = p[2]
    span: Span = p[1].join(p[3])
    if _was_closed(p[3]):
        _check_marks(fields, "( )", p.lexer)
        if not fields.marks and not fields.parts[0]:
            p.lexer.report("nothing inside ( ): write ⍬ for the empty vector", span)
    p[0] = Paren(tuple(item for part in fields.parts for item in part), span)


def p_bracket(p: Any) -> None:
    """bracket : LBRACKET inside RBRACKET"""
    fields: Fields = p[2]
    if _was_closed(p[3]):
        _check_marks(fields, "[ ]", p.lexer)
    p[0] = Bracket(tuple(tuple(part) for part in fields.parts), p[1].join(p[3]))


def p_dfn(p: Any) -> None:
    """dfn : LBRACE body RBRACE"""
    for fields in p[2]:
        _check_marks(fields, "{ }", p.lexer)
    annotation = p.lexer.annotations.braces.get(p[1].start)
    p[0] = Dfn(_statements(p[2], p.lexer), p[1].join(p[3]), annotation)


def p_error(token: Token | None) -> None:
    where = f"{token.type} at {token.span}" if token else "the end of the text"
    raise InternalError("parser", f"the grammar has no place for {where}")


# ---- their meaning --------------------------------------------------------------------------------------


def _add_field(p: Any) -> Fields:
    """The fields before a mark, with the items behind it added."""
    fields: Fields = p[1]
    fields.marks.append(p[2])
    fields.parts.append(p[3])
    return fields


def _was_closed(closer: Span) -> bool:
    """Whether the closing bracket stands in the text, and is not `balance`'s."""
    return closer.end > closer.start


_CONTROL = re.compile(
    r"((?P<begins>If|For|While|Repeat|Select|Trap|With|Hold|Namespace|Class|Section)|"
    r"(And|Or|Else)If|Else|End[a-z]*|Until|Case(List)?|Return|Leave|Continue|GoTo)\b",
    re.IGNORECASE,
)
"""Control words: those that begin a structure, and those that stand within one or end it."""

_ASSIGNS = re.compile(rf"=(?!\s*[{re.escape(''.join(MONADIC_OPERATORS | DYADIC_OPERATORS))}])")
"""What makes an assignment of other languages out of a colon; `{c:=/⍵}` is a guard."""


def _is_name(items: list[Item]) -> bool:
    return len(items) == 1 and isinstance(items[0], Name)


def _outside(part: Fields | listings.Listing, input: _Input) -> Statement | None:
    """A statement outside braces, or a function between two `∇`."""
    if isinstance(part, listings.Listing):
        return listings.definition(part, input)
    _check_marks(part, "", input)
    return statement_of(part, input)


def _check_marks(fields: Fields, place: str, input: _Input) -> None:
    """Report the first `:` or `;` that has no business in this place (`""` is outside all brackets)."""
    for number, mark in enumerate(fields.marks):
        behind = mark.source.text[mark.end : mark.end + 20]
        control = _CONTROL.match(behind) if not fields.parts[0] and place in ("", "{ }") else None
        if control and mark.text == ":":
            if control["begins"] or not input.in_structure:
                input.report(
                    "control structures stand between two ∇ only: write a guard, {condition: value ⋄ other}",
                    Span(mark.source, mark.start, mark.end + control.end()),
                )
            input.in_structure = True
        elif mark.text == ":" and _ASSIGNS.match(behind) and (place != "{ }" or _is_name(fields.parts[0])):
            input.report(":= does not assign: write ←", Span(mark.source, mark.start, mark.end + 1))
        elif mark.text == ";":
            if place == "[ ]":
                continue
            separates = "" if place == "( )" else ": ⋄ separates statements"
            input.report(f"; stands between the indices in [ ] only{separates}", mark)
        elif place != "{ }":
            where = f"in {place}" if place else "outside braces"
            input.report(f"a colon {where}: {_instead_of_colon(fields.parts[0], place)}", mark)
        elif number > 0 and mark.start == fields.marks[number - 1].end:
            input.refuse("error guards (::) are not supported yet: a guard has one colon", mark)
        elif number > 0:
            input.report("a second colon: a guard has one, and ⋄ or a new line before the next", mark)
        elif not fields.parts[0]:
            input.report("no condition before the colon of this guard", mark)
        elif not fields.parts[1] and len(fields.marks) == 1:
            input.report("no value after the colon of this guard", mark)
        else:
            continue
        return


def _instead_of_colon(before: list[Item], place: str) -> str:
    """What to write where a colon is no guard's."""
    if place == "[ ]":
        return "there are no slices, write the indices, as in x[1+⍳2]"
    words = [hints.WORDS.get(item.name, "") for item in before if isinstance(item, Name)]
    known = [word for word in words if word]
    if known and not place:
        return known[0]
    labels = "; there are no labels" if not place and _is_name(before) else ""
    return f"guards belong inside braces, {{condition: value}}{labels}"


def _statements(body: list[Fields], input: _Input) -> tuple[Statement, ...]:
    """The statements of a body, without the empty ones."""
    statements = [statement_of(fields, input) for fields in body]
    return tuple([statement for statement in statements if statement is not None])
