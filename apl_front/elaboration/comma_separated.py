"""`⎕CSV`: tables of comma-separated values, of numbers or of texts.

A number for each column says what it holds: 1 texts, 2 numbers, 4 numbers with 0 for what is none, 0 leaves
it out. Columns of one sort are a matrix. Those of both are columns side by side, which `⎕CSV⍠'Invert' 1` asks
for: what they are must be known when compiling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.apl_front.building.builder import Builder, base_of, int_constant, plain_type, rank
from aplc.apl_front.functions import cuts, indexing, levels, nested, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.structure import as_vector, to_integers
from aplc.apl_front.functions.system import path_of
from aplc.apl_front.functions.texts import is_text, text_of
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Vec, literal, nest, op, prim_fn, product, vec
from aplc.tail.types import Base

IGNORED, TEXT, NUMERIC, LENIENT, HEADER = 0, 1, 2, 4, -1


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the values come from."""

    build: Builder
    text: Exp
    """The name of a file, or the values themselves."""
    is_file: bool
    span: Span

    def numbers(self, kinds: Exp) -> Exp:
        """The matrix of the columns of numbers."""
        prim = p.READ_TABLE if self.is_file else p.TABLE_OF
        return self.build.bind(op(prim, self.text, kinds, symbol="⎕CSV", span=self.span))

    def texts(self, kinds: Exp) -> Exp:
        """The matrix of the columns of texts."""
        build, span = self.build, self.span
        prim = p.READ_FIELDS if self.is_file else p.FIELDS_OF
        found = build.bind(op(prim, self.text, kinds, symbol="⎕CSV", span=span))
        rows, columns = [build.bind(op(p.PICK, literal(k, span), found, span=span)) for k in (1, 2)]
        count = build.bind(op(p.MULI, rows, columns, span=span))
        lengths = build.bind(op(p.SLICE, literal(2, span), count, found, span=span))
        begin = op(p.ADDI, literal(2, span), count, span=span)
        codes = op(p.DROP, begin, found, span=span)
        characters = build.bind(build.each(prim_fn(p.I2C, "⎕CSV", span), codes, span))
        starts = levels.running(build, [lengths], span)
        shape = build.bind(vec((rows, columns), Base.INT, span))
        parts = [build.bind(op(p.RESHAPE, shape, d, span=span)) for d in (starts, lengths)]
        return nest((*parts, characters), span)


def table(build: Builder, left: Exp | None, right: Exp, span: Span, invert: int = 0) -> Exp:
    """`⎕CSV path`, `⎕CSV path '' kinds header`, `⎕CSV text 'S' kinds header`."""
    if left is not None:
        raise unsupported("⎕CSV that writes", span, "make the text with ⍕, and write it with ⎕NPUT")
    given = list(tuples.items_of(build, right)) if tuples.is_tuple(right) else [right]
    if len(given) > 4:
        raise compile_error("LENGTH ERROR", f"⎕CSV takes up to 4 arguments, got {len(given)}", span)
    source = _source(build, given, span)
    header = int_constant(given[3]) if len(given) > 3 and not tuples.is_tuple(given[3]) else 0
    if header not in (0, 1):
        message = "⎕CSV needs 0 or 1 as its fourth argument, for a header, known when compiling"
        raise compile_error("DOMAIN ERROR", message, given[3].span or span)
    kinds = _kinds(build, given[2], span) if len(given) > 2 else [literal(TEXT, span)]
    known = None if kinds is None else [int_constant(kind) for kind in kinds]
    if kinds is None or known is None or None in known:
        if header or invert:
            what = "⎕CSV with a header or 'Invert', and kinds of columns that only the run knows"
            raise unsupported(what, given[2].span or span)
        return source.numbers(as_vector(to_integers(build, given[2], "⎕CSV")))
    found = [kind for kind in known if kind is not None]
    for kind in found:
        if kind in (3, 5):
            what = f"⎕CSV of columns of kind {kind}, which may be numbers or texts,"
            raise unsupported(what, given[2].span or span, "1 is texts, 2 is numbers, 0 leaves out a column")
    marks = [HEADER] if header else []
    result = _columns(source, found, marks, invert) if invert else _matrix(source, found, marks)
    if not header:
        return result
    wanted = _vector([TEXT if kind else IGNORED for kind in found] + marks, span)
    names = nv.ravelled(build, source.texts(wanted), span)
    return product((build.bind(result), build.bind(names)), span)


def _source(build: Builder, given: Sequence[Exp], span: Span) -> _Source:
    """The file or the text that the first two arguments say."""
    described = text_of(build, given[1]) if len(given) > 1 else ""
    if described is None or described.upper() not in ("", "S", "UTF-8"):
        raise unsupported("⎕CSV of any source but '', 'UTF-8' and 'S'", given[1].span or span)
    if described.upper() != "S":
        return _Source(build, path_of("⎕csv", given[0], span), True, span)
    if not is_text(given[0]):
        message = f"⎕CSV needs a text, got {plain_type(given[0])}"
        raise compile_error("DOMAIN ERROR", message, given[0].span or span)
    return _Source(build, build.bind(as_vector(given[0])), False, span)


def _kinds(build: Builder, kinds: Exp, span: Span) -> list[Exp] | None:
    """The kinds of columns, where it is known how many there are; `⍬` stands for texts."""
    if tuples.is_tuple(kinds) or rank(kinds) > 1 or base_of(kinds) is Base.CHAR:
        if not tuples.is_tuple(kinds) and rank(kinds) == 1 and is_text(kinds) and text_of(build, kinds) == "":
            return [literal(TEXT, span)]
        message = f"⎕CSV needs a number for each column, got {plain_type(kinds)}"
        raise compile_error("RANK ERROR", message, kinds.span or span)
    if rank(kinds) == 0:
        return [kinds]
    made = build.definition(kinds)
    if not isinstance(made, Vec):
        return None
    return list(made.items) or [literal(TEXT, span)]


def _matrix(source: _Source, kinds: list[int], marks: list[int]) -> Exp:
    """The values as a matrix."""
    build, span = source.build, source.span
    if TEXT not in kinds:
        return source.numbers(_vector(kinds + marks, span))
    if set(kinds) <= {IGNORED, TEXT}:
        texts = source.texts(_vector(kinds, span))
        return _without_header(build, texts, span) if marks else texts
    what = "⎕CSV of columns of texts and of numbers in one matrix"
    raise unsupported(what, span, "(names numbers)←⎕CSV⍠'Invert' 1⊢file '' (1 2) has columns")


def _columns(source: _Source, kinds: list[int], marks: list[int], invert: int) -> Exp:
    """The columns side by side; with 2 those of texts are matrices of characters."""
    build, span = source.build, source.span
    if len(kinds) == 1:
        if kinds[0] == TEXT and invert == 2:
            what = "⎕CSV⍠'Invert' 2 of columns of texts whose number is not known"
            raise unsupported(what, span, "give it a kind for each column, or 'Invert' 1")
        first = literal(build.index_origin, span)
        return cuts.split(build, build.bind(_matrix(source, kinds, marks)), span, first)
    columns: dict[int, Exp] = {}
    for of_texts in (True, False):
        own = [k for k, kind in enumerate(kinds) if kind != IGNORED and (kind == TEXT) == of_texts]
        if not own:
            continue
        chosen = [kind if k in own else IGNORED for k, kind in enumerate(kinds)]
        matrix = build.bind(_matrix(source, chosen, marks))
        for place, k in enumerate(own):
            at = literal(place + build.index_origin, span)
            columns[k] = build.bind(indexing.bracket(build, matrix, [None, at], span))
            if of_texts and invert == 2:
                columns[k] = build.bind(nested.mix(build, columns[k], span))
    return product(tuple([columns[k] for k in sorted(columns)]), span)


def _without_header(build: Builder, matrix: Exp, span: Span) -> Exp:
    """A matrix without its first row."""

    def behind(d: Exp) -> Exp:
        return build.bind(functions.dyadic(build, "↓", literal(1, span), d, span, None))

    return nv.arranged(build, matrix, behind, span)


def _vector(numbers: Sequence[int], span: Span) -> Exp:
    return vec(tuple([literal(number, span) for number in numbers]), Base.INT, span)
