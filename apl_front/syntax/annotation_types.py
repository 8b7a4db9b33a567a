"""The types in annotations: from the text of comments to `Annotation`.

    annotation ::= τ (arrow τ)*                       parameters and result; a value's type has no arrow
    arrow      ::= '→' | '->'
    τ          ::= κ | '[' κ ']' size | '<' κ '>' size | 'S(' κ ',' ρ ')' | 'SV(' κ ',' ρ ')'
                |  '(' τ (',' τ)+ ')'                 a tuple
                |  '(' τ (arrow τ)+ ')'               an operand
    κ          ::= 'int' | 'double' | 'bool' | 'char' | variable
    size       ::= number | variable | '(' ρ ')'
    ρ          ::= number | variable | ρ '+' ρ | ρ '-' ρ

A κ alone is a scalar. Variables are lower-case or Greek names; the APL symbols `⍺ ⍴ ⍵ ⍳` are taken for the
Greek letters, and `¯` for a minus. A rank or length is not negative, whatever natural numbers its variables
stand for. Parameters stand in the order `⍺⍺ ⍵⍵ ⍺ ⍵`. Where comments stand is the business of `annotations`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from aplc.apl_front.syntax.ast import Annotation, Part
from aplc.apl_front.syntax.lexer import Comment, shorten
from aplc.tail.errors import Diagnostic, Error
from aplc.tail.prims import MAX_RANK
from aplc.tail.source import Source, Span
from aplc.tail.types import (
    Array,
    Base,
    BaseVar,
    Func,
    Kappa,
    Nested,
    Rho,
    Single,
    SingleVector,
    Tuple,
    Type,
    Vector,
)
from aplc.tail.unify import TypeReader

ARROWS = ("→", "->")
OPERANDS = ("⍺⍺", "⍵⍵")
"""What a dfn calls its operands, in the order of the parameters."""


class Mistake(Error):
    """What is wrong with an annotation, and where."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic("TYPE ERROR", message, span)


_ALIKE = str.maketrans({"⍺": "α", "⍴": "ρ", "⍵": "ω", "⍳": "ι", "¯": "-", "−": "-"})  # noqa: RUF001


def body_of(comment: Comment) -> str:
    """What a comment says: its text without the colon before and a remark behind it."""
    return _cut(comment)[1]


def _cut(comment: Comment) -> tuple[int, str]:
    """The body of a comment, and where in the source it begins."""
    text = comment.text.partition("⍝")[0]
    body = text.lstrip()
    if body.startswith(":"):
        body = body[1:].lstrip()
    return comment.span.end - len(comment.text) + len(text) - len(body), body.rstrip()


def place_of(comments: list[Comment]) -> Span:
    """Where the annotation in these comments stands."""
    return _Text.of(comments).span()


@dataclass(slots=True)
class _Text:
    """The text of an annotation, as long as what stands in the source from `start` on.

    Signs of comments, remarks and line ends are blanks in it.
    """

    source: Source
    start: int
    text: str

    @staticmethod
    def of(comments: list[Comment]) -> _Text:
        """What stands in one or more comments."""
        start, text = _cut(comments[0])
        for comment in comments[1:]:
            at, body = _cut(comment)
            text = text.ljust(at - start) + body
        return _Text(comments[0].span.source, start, text.rstrip().translate(_ALIKE))

    def span(self, begin: int = 0, end: int | None = None) -> Span:
        """Where a piece of the text stands."""
        end = len(self.text) if end is None else end
        return Span(self.source, self.start + begin, self.start + end)


_WORD = re.compile(r"\s*(\w+|->|\S|$)")
_MAX_NESTING = 50
_SYNONYMS = {
    "float": "double", "real": "double", "number": "double", "num": "double", "integer": "int", "long": "int",
    "boolean": "bool", "character": "char", "str": "<char>n", "string": "<char>n",
}  # fmt: skip
"""Words that would be variables and are meant as types."""


class _Reader(TypeReader):
    """A reader of types that knows where it is, and which variables it met where."""

    def __init__(self, text: _Text) -> None:
        super().__init__(text.text)
        self.place = text
        self.at = (0, 0)
        """The last token, or the one that was not expected."""
        self.uses: list[tuple[str, int]] = []
        """Variables in the order of the text, and where they stand."""
        self.kinds: dict[str, str] = {}
        self._depth = 0

    def fail(self, message: str, begin: int | None = None, end: int | None = None) -> Mistake:
        """A mistake at the last token, or at the text from `begin` to `end`."""
        begin = self.at[0] if begin is None else begin
        return Mistake(message, self.place.span(begin, max(begin, self.at[1] if end is None else end)))

    def look(self) -> str:
        """What follows, whatever it is; empty at the end. It is the last token then."""
        found = _WORD.match(self.text, self.position)
        assert found is not None
        self.at = found.span(1)
        return found.group(1)

    def take(self, wanted: str = "") -> str:
        """The next token, which must be the wanted one where one is given."""
        found = self.look()
        if not self.peek() or (wanted and self.peek() != wanted):
            raise self.fail(f"expected {wanted or 'a type'}, got {shorten(found) or 'the end'}")
        return super().take(wanted)

    def data_type(self) -> Type:
        """A type without an arrow at its top."""
        self._depth += 1
        if self._depth > _MAX_NESTING:
            raise self.fail("the type is nested too deeply")
        if self.look() in ("", ")", *ARROWS):
            raise self.fail(f"a type is missing before {self.look()}" if self.look() else "a type is missing")
        result = super().data_type()
        self._depth -= 1
        return result

    def _base(self, token: str) -> Kappa:
        if token in {base.value for base in Base}:
            return Base(token)
        if not (token[0].isalpha() or token[0] == "_"):
            raise self.fail(f"expected a base type, got {token}")
        return BaseVar(self._variable(token, "a base type"))

    def _exponent(self) -> Rho:
        """The rank behind `]` or the length behind `>`."""
        kind = "rank" if self.text[self.at[0]] == "]" else "length"
        begin = self.position
        found = self.look()
        if not (found == "(" or found[:1].isalnum() or found[:1] == "_"):
            example = "[int]1" if kind == "rank" else "<int>3"
            raise self.fail(f"the {kind} is missing, as in {example}", begin, begin)
        begin = self.at[0]
        rho = super()._exponent()
        if not rho.is_natural:
            raise self.fail(
                f"a {kind} {rho} may be negative: write n where the other has n+1", begin, self.position
            )
        if kind == "rank" and rho.const > MAX_RANK:
            raise self.fail(f"a rank is at most {MAX_RANK}", begin, self.position)
        return rho

    def _term(self, token: str) -> Rho:
        begin = self.at[0]
        if len(token) > 18 and token.isdecimal():
            raise self.fail("the number is too large")
        if not (token[0].isalnum() or token[0] == "_"):
            raise self.fail(f"expected a number or a variable, got {token}")
        if not token.isdecimal():
            return Rho.of(self._variable(token, "a length or rank"))
        rho = super()._term(token)
        self.at = begin, self.position
        for name, _ in rho.terms:
            self._variable(name, "a length or rank")
        return rho

    def _variable(self, name: str, kind: str) -> str:
        """A variable at the last token, of this kind here and everywhere else."""
        if name in {base.value for base in Base}:
            raise self.fail(f"{name} is a base type and stands where {kind} is expected")
        if name in _SYNONYMS:
            raise self.fail(f"{name} is no type: write {_SYNONYMS[name]}")
        if not (name[0].islower() or "\u0370" <= name[0] <= "\u03ff"):
            raise self.fail(f"{shorten(name)} is no type, and a variable is a lower-case or Greek name")
        if (before := self.kinds.setdefault(name, kind)) != kind:
            raise self.fail(f"{name} is {before} before and {kind} here: take another name")
        self.uses.append((name, self.at[0]))
        return name


def read_type(comments: list[Comment], named: int | None, *, is_function: bool) -> Annotation:
    """The annotation in these comments. Raises `Mistake`.

    `named` is the number of operands that the annotated braces have, None where that is not known.
    """
    text = _Text.of(comments)
    reader = _Reader(text)
    parts: list[Part] = []
    begin = 0
    while True:
        reader.look()
        begin = reader.at[0]
        ty = reader.data_type()
        parts.append(Part(ty, text.span(begin, reader.position)))
        _check_part(ty, parts[-1].span)
        behind = reader.look()
        if behind not in ARROWS:
            break
        reader.take()
        arrow = reader.at
        if not reader.look():
            raise reader.fail("the result is missing behind the last arrow", *arrow)
    if behind:
        raise reader.fail(_superfluous(behind))
    operands = _count_operands(parts, named, text, is_function=is_function)
    params = tuple(part.type for part in parts[:-1])
    _check_variables(reader, params, begin)
    return Annotation(Func(params, parts[-1].type), tuple(parts), operands, text.span())


def read_argument_types(source: Source) -> tuple[Type, ...]:
    """The types of arguments in a text, `[double]1` or `[int]0, [[char]1]1`: arrays, without variables.

    Raises `Mistake`.
    """
    text = _Text(source, 0, source.text.rstrip().translate(_ALIKE))
    reader = _Reader(text)
    types: list[Type] = []
    while True:
        reader.look()
        begin = reader.at[0]
        ty = reader.data_type()
        place = text.span(begin, reader.position)
        if isinstance(ty, Func):
            raise Mistake("an argument is an array, not a function", place)
        if isinstance(ty, Vector | Single | SingleVector):
            raise Mistake(f"only the call tells lengths and values: write {plain_array(ty)}", place)
        if not isinstance(ty, Array | Nested):
            raise Mistake("an argument is one array", place)
        for name, at in reader.uses:
            raise reader.fail(f"{name} is a variable: code is made for types without", at, at + len(name))
        types.append(ty)
        if not reader.look():
            break
        if reader.look() in ARROWS:
            raise reader.fail("the types of the arguments alone are wanted, with a comma between two")
        reader.take(",")
    if len(types) > 2:
        raise Mistake("a function has at most two arguments, ⍺ and ⍵", text.span())
    return tuple(types)


def plain_array(ty: Vector | Single | SingleVector) -> Array:
    """The type of all arrays of that rank."""
    return Array(ty.base, Rho(0 if isinstance(ty, Single) else 1))


def _superfluous(token: str) -> str:
    """Why nothing but an arrow can stand behind a type."""
    hints = {
        ",": ": a tuple stands in parentheses, (int,int)",
        "+": ": put a sum in parentheses, as in <κ>(ρ+1)",
        "-": ": put a sum in parentheses, as in <κ>(ρ+1)",
        ")": ": no ( is open here",
    }
    return f"expected an arrow or the end, got {shorten(token)}{hints.get(token, '')}"


def _check_part(ty: Type, span: Span) -> None:
    """Report a part that no parameter or result can have."""
    if isinstance(ty, Func):
        if len(ty.params) > 2:
            raise Mistake("an operand takes at most two arguments", span)
        if any(isinstance(inner, Func) for inner in (*ty.params, ty.result)):
            raise Mistake("an operand takes and gives arrays, not functions", span)
        for inner in (*ty.params, ty.result):
            _check_part(inner, span)
    elif isinstance(ty, Tuple):
        if not ty.items:
            raise Mistake("nothing inside ( )", span)
        if any(isinstance(inner, Func) for inner in ty.items):
            raise Mistake("a tuple has arrays as its items, not functions", span)
        for inner in ty.items:
            _check_part(inner, span)


def _count_operands(parts: list[Part], named: int | None, text: _Text, *, is_function: bool) -> int:
    """How many parameters are operands: those of function type, and arrays where the braces name more."""
    params, result = parts[:-1], parts[-1]
    if isinstance(result.type, Func):
        raise Mistake(
            "a function in parentheses is an operand, not a result: leave the parentheses out", result.span
        )
    functions = 0
    while functions < len(params) and isinstance(params[functions].type, Func):
        functions += 1
    operands = min(functions, len(OPERANDS)) if named is None else named
    for number, part in enumerate(params[operands:], operands):
        if isinstance(part.type, Func):
            raise Mistake(_no_operand(number, functions), part.span)
    if not params:
        if is_function:
            raise Mistake("the type of a function has an arrow: argument → result", text.span())
        return 0
    if len(params) <= operands:
        which = "the operand alone has" if operands == 1 else "the operands alone have"
        raise Mistake(f"no type for ⍵: {which} one", text.span())
    if len(params) > operands + 2:
        raise Mistake("a function has at most two arguments, ⍺ and ⍵", params[operands + 2].span)
    return operands


def _no_operand(number: int, functions: int) -> str:
    """Why this parameter cannot be a function, behind so many others that are."""
    if number > functions:
        return "a function behind an array: the order is ⍺⍺ ⍵⍵ ⍺ ⍵"
    if number >= len(OPERANDS):
        return "an operator has at most two operands"
    return f"an operand that the braces do not name: there is no {OPERANDS[number]} in them"


def _check_variables(reader: _Reader, params: tuple[Type, ...], result: int) -> None:
    """Report a variable that no argument tells: in the result only, or in sums only."""
    told = {name for name, at in reader.uses if at < result}
    solved = _solved([rho for param in params for rho in _shapes(param)])
    for name, at in reader.uses:
        if not params:
            message = f"{name} is a variable, and the type of a value has none"
        elif name not in told:
            message = f"{name} stands in the result only: no argument says what it is"
            if reader.kinds[name] != "a base type":
                message += "; [int]1 is a vector of any length"
        elif reader.kinds[name] != "a base type" and name not in solved:
            message = (
                f"no argument says what {name} is: it must stand once on its own, or with a number added"
            )
        else:
            continue
        raise reader.fail(message, at, at + len(name))


def _shapes(ty: Type) -> Iterator[Rho]:
    """The shape types in a type."""
    match ty:
        case Array(rank=rho) | Vector(length=rho) | Single(value=rho) | SingleVector(value=rho):
            yield rho
        case Func(params, result):
            for inner in (*params, result):
                yield from _shapes(inner)
        case Tuple(items):
            for inner in items:
                yield from _shapes(inner)


def _solved(shapes: list[Rho]) -> set[str]:
    """The variables whose values follow from the values of these shape types: see `aplc.tail.unify`."""
    solved: set[str] = set()
    more = True
    while more:
        more = False
        for rho in shapes:
            unknown = [term for term in rho.terms if term[0] not in solved]
            if len(unknown) == 1 and unknown[0][1] == 1:
                solved.add(unknown[0][0])
                more = True
    return solved
