"""System functions on texts: files written, tables, numbers in texts, JSON, pictures."""

from __future__ import annotations

from collections.abc import Callable

from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    constant,
    int_constant,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.runs import without_runs
from aplc.apl_front.functions import catenation, numeric, tuples
from aplc.apl_front.functions.structure import as_column, as_vector
from aplc.apl_front.functions.system import path_of
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Lit, Vec, item, literal, op, product, vec
from aplc.tail.types import Base, Tuple

DATA_TYPES = {Base.BOOL: 11, Base.CHAR: 320, Base.INT: 323, Base.DOUBLE: 645, Base.COMPLEX: 1289}
"""The codes of ⎕DR. An integer of 64 bits has none in Dyalog, where 323 has 32."""
NESTED = 326


def with_flag(build: Builder, name: str, right: Exp, span: Span) -> tuple[Exp, int]:
    """The name of a file, and the number behind it, which must be known when compiling; 0 where there is
    none.
    """
    shown = name.upper()
    if not tuples.is_tuple(right):
        return path_of(name, right, span), 0
    items = tuples.items_of(build, right)
    flag = int_constant(items[1]) if len(items) == 2 and not tuples.is_tuple(items[1]) else None
    if len(items) == 1:
        flag = 0
    if flag is None or flag not in (0, 1):
        message = f"{shown} needs the name of a file, or that and 0 or 1, got {plain_type(right)}"
        raise compile_error("DOMAIN ERROR", message, right.span or span)
    return path_of(name, items[0], span), flag


def is_text(exp: Exp) -> bool:
    """Whether a value is a character or a vector of them."""
    return not isinstance(exp.ty, Tuple) and base_of(exp) is Base.CHAR and rank(exp) <= 1


def text_of(build: Builder, exp: Exp) -> str | None:
    """A text that is known when compiling."""
    exp = build.definition(exp)
    if tuples.is_tuple(exp):
        return None
    if length_of(exp) == 0:
        return ""
    value = constant(exp)
    if isinstance(value, str):
        return value
    if isinstance(exp, Vec) and base_of(exp) is Base.CHAR:
        return "".join([str(i.value) for i in exp.items if isinstance(i, Lit)])
    return None


def put(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`text ⎕NPUT path`: the number of bytes written; `text ⎕NPUT path 1` replaces what is there. What ⎕NGET
    gives may stand on the left: line feeds become the newlines that it names.
    """
    if left is None:
        raise compile_error("SYNTAX ERROR", "⎕NPUT needs the text on its left", span)
    path, flag = with_flag(build, "⎕nput", right, span)
    items = tuples.items_of(build, left) if tuples.is_tuple(left) else (left,)
    if not 1 <= len(items) <= 2 or not is_text(items[0]):
        what = f"⎕NPUT of {plain_type(left)}"
        raise unsupported(what, left.span or span, "give it a text, with ⎕UCS 10 at the end of each line")
    if len(items) == 2 and (text_of(build, items[1]) or "").upper() != "UTF-8":
        raise unsupported("⎕NPUT in any encoding but 'UTF-8'", items[1].span or span)
    text = as_vector(items[0])
    return build.bind(op(p.WRITE_FILE, path, literal(bool(flag), span), text, symbol="⎕NPUT", span=span))


def fields(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`⎕VFI text` and `separators ⎕VFI text`: which fields are numbers, and these."""
    for each in (left, right):
        if each is not None and not is_text(each):
            message = f"⎕VFI needs text, got {plain_type(each)}"
            raise compile_error("DOMAIN ERROR", message, each.span or span)
    text = build.bind(as_vector(right))
    separators = vec((), Base.CHAR, span) if left is None else build.bind(as_vector(left))
    found = build.bind(op(p.NUMBER_FIELDS, separators, text, symbol="⎕VFI", span=span))
    return product((build.bind(item(found, 1, span)), build.bind(item(found, 2, span))), span)


def json(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`1⎕JSON value`, and `⎕JSON value` of what is no text: the text of JSON."""
    way = None if left is None or tuples.is_tuple(left) else int_constant(left)
    if left is not None and way not in (0, 1):
        raise compile_error("DOMAIN ERROR", "⎕JSON needs 0 or 1 on the left", left.span or span)
    if way == 0 or (left is None and is_text(right)):
        raise unsupported("⎕JSON that reads", span, "1⎕JSON writes")
    prim = p.JSON_NESTED if isinstance(right.ty, Tuple) else p.JSON
    return op(prim, without_runs(right, "⎕JSON", span), symbol="⎕JSON", span=span)


def picture(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`'F8.2'⎕FMT values`: a matrix of characters, with a field for each column; a vector is a column."""
    if left is None:
        lines = numeric.format_value(build, tuples.as_simple(build, right), span, "⎕FMT")
        return _as_rows(build, as_vector(lines), span)
    if not is_text(left):
        message = f"⎕FMT needs text on its left, got {plain_type(left)}"
        raise compile_error("DOMAIN ERROR", message, left.span or span)
    phrases = build.bind(as_vector(left))
    result: Exp | None = None
    first: Exp = literal(0, span)
    for given in tuples.items_of(build, right) if tuples.is_tuple(right) else (right,):
        if tuples.is_tuple(given) or rank(given) > 2:
            raise unsupported(f"⎕FMT of {plain_type(right)}", span, "give it vectors and matrices")
        columns = build.bind(_as_columns(build, given, span))
        formatted: Exp = op(p.FORMAT_PICTURE, phrases, first, columns, symbol="⎕FMT", span=span)
        extent = op(p.PICK, literal(2, span), op(p.SHAPE, columns, span=span), span=span)
        first = build.bind(op(p.ADDI, first, extent, span=span))
        formatted = build.bind(formatted)
        result = formatted if result is None else catenation.catenate(build, result, formatted, span)
    assert result is not None
    return result


def _as_rows(build: Builder, exp: Exp, span: Span) -> Exp:
    """A vector as the only row of a matrix."""
    if rank(exp) != 1:
        return exp
    exp = build.bind(exp)
    extent = op(p.PICK, literal(1, span), op(p.SHAPE, exp, span=span), span=span)
    return op(p.RESHAPE, vec((literal(1, span), extent), Base.INT, span), exp, symbol="⎕FMT", span=span)


def _as_columns(build: Builder, exp: Exp, span: Span) -> Exp:
    """A matrix of characters or doubles; a vector as its only column."""
    if base_of(exp) is not Base.CHAR:
        exp = build.coerce(exp, Base.DOUBLE, "⎕FMT", span)
    return as_column(build, exp, span)


def data_type(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`⎕DR`: the code of an element type."""
    if left is not None:
        raise unsupported("dyadic ⎕DR", span, "⎕UCS and the arithmetic functions convert")
    build.discard(right)
    return literal(NESTED if isinstance(right.ty, Tuple) else DATA_TYPES[base_of(right)], span)


FUNCTIONS: dict[str, Callable[[Builder, Exp | None, Exp, Span], Exp]] = {
    "⎕nput": put, "⎕vfi": fields, "⎕json": json, "⎕fmt": picture, "⎕dr": data_type,
}  # fmt: skip
