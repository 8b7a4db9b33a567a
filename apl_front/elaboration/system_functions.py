"""System functions applied: texts, files, dates. What is a few lines of APL is written so."""

from __future__ import annotations

from aplc.apl_front.building.builder import base_of, enclosed, int_constant, plain_type, rank
from aplc.apl_front.elaboration import comma_separated, written
from aplc.apl_front.elaboration.in_apl import in_apl
from aplc.apl_front.functions import cuts, system, texts, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.reading.scope import Scope
from aplc.apl_front.reading.system_names import ON_FILES, SHOWN
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.access import no_files
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Vec, literal, nest, op, product, vec
from aplc.tail.types import Base, Records

STAMP = -1
"""The kind of timestamps, as ⎕DT numbers it; 1 is days as Dyalog counts them, 20 seconds since 1970."""
DAYS = {STAMP: written.DAY_OF_STAMP, 1: "{⍵+0}", 20: "{25568+⍵÷86400}"}
"""Days from what is of a kind."""
FROM_DAYS = {STAMP: written.STAMP_OF_DAY, 1: "{⍵}", 20: "{86400×⍵-25568}"}
DAY_KINDS = (1, 20)


def system_function(
    elab: Elaborating, name: str, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """The value of a system function."""
    if name in ON_FILES and not elab.rules.may_read:
        raise no_files(SHOWN[name], span)
    match name:
        case "⎕nc":
            return system.name_classes(elab.build, left, right, scope, span)
        case "⎕nget":
            return _read(elab, left, right, span)
        case "⎕c":
            return _letter_case(elab, left, right, span)
        case "⎕dt":
            return _dates(elab, left, right, span)
        case "⎕csv":
            return comma_separated.table(elab.build, left, right, span)
        case _:
            pass
    if name in texts.FUNCTIONS:
        return texts.FUNCTIONS[name](elab.build, left, right, span)
    return system.apply(elab.build, name, left, right, span)


def variant(elab: Elaborating, name: str, options: Exp, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`⎕CSV⍠'Invert' 1`: a system function with options, which must be known when compiling."""
    build = elab.build
    if not elab.rules.may_read:
        raise no_files(SHOWN[name], span)
    given = list(tuples.items_of(build, options)) if tuples.is_tuple(options) else [options]
    pairs = (
        [given]
        if len(given) == 2 and not tuples.is_tuple(given[0])
        else [list(tuples.items_of(build, pair)) if tuples.is_tuple(pair) else [pair] for pair in given]
    )
    invert = 0
    for pair in pairs:
        option = texts.text_of(build, pair[0])
        value = int_constant(pair[1]) if len(pair) == 2 and not tuples.is_tuple(pair[1]) else None
        if option != "Invert" or value not in (0, 1, 2):
            what = f"{SHOWN[name]} with the option {option}" if option else "⍠ with computed options"
            raise unsupported(what, options.span or span, "there is 'Invert' with 0, 1 and 2")
        invert = value
    return comma_separated.table(build, left, right, span, invert)


def _read(elab: Elaborating, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`⎕NGET path`: the text, its encoding, and what ends its lines."""
    if left is not None:
        raise compile_error("SYNTAX ERROR", "⎕NGET takes no left argument", span)
    path, flag = texts.with_flag(elab.build, "⎕nget", right, span)
    text = elab.build.bind(op(p.READ_FILE, path, symbol="⎕NGET", span=span))
    whole = in_apl(elab, "⎕NGET", written.WITH_NEWLINES, None, text, span)
    if not flag:
        return whole
    build = elab.build
    text, *others = tuples.items_of(build, whole)
    return product((cuts.lines(build, text, span), *others), span)


def _letter_case(elab: Elaborating, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`⎕C text`, `1⎕C text` and `¯1⎕C text`: folded, in capitals, in small letters. Other values stay."""
    way = 0 if left is None else None if tuples.is_tuple(left) else int_constant(left)
    if way not in written.LETTER_CASES:
        message = "⎕C needs 1 or ¯1 on the left, known when compiling, or nothing"
        raise compile_error("DOMAIN ERROR", message, span)
    if tuples.is_tuple(right):
        return tuples.each(
            elab.build, "⎕C", lambda a, b: _letter_case(elab, left, b, span), None, right, span
        )
    if nv.is_nested(right):
        *descriptor, elements = nv.parts_of(elab.build, right)
        return nest((*descriptor, elab.build.bind(_letter_case(elab, left, elements, span))), span)
    if isinstance(right.ty, Records):
        columns = [
            elab.build.bind(_letter_case(elab, left, c, span)) for c in nv.columns_of(elab.build, right)
        ]
        return table(tuple(columns), right.ty.axis, span)
    if base_of(right) is not Base.CHAR:
        return right
    known = texts.text_of(elab.build, right)
    if known:
        letters = [literal(character, span) for character in written.cased(way, known)]
        return vec(tuple(letters), Base.CHAR, span) if rank(right) else letters[0]
    return in_apl(elab, "⎕C", written.letter_case(way), None, right, span)


def _dates(elab: Elaborating, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`to ⎕DT days` and `from to ⎕DT numbers`: days as Dyalog counts them (1), seconds since 1970 (20), and
    timestamps, each an enclosed vector (¯1).
    """
    if left is None:
        raise compile_error("SYNTAX ERROR", "⎕DT needs the kind of its result on the left", span)
    given = elab.build.definition(left)
    kinds = given.items if isinstance(given, Vec) else (given,)
    found = [None if tuples.is_tuple(kind) or rank(kind) > 0 else int_constant(kind) for kind in kinds]
    known = [kind for kind in found if kind is not None]
    if len(known) not in (1, 2) or len(known) < len(found):
        message = "⎕DT needs one or two numbers on the left that are known when compiling"
        raise compile_error("DOMAIN ERROR", message, left.span or span)
    for kind in known:
        if kind not in (STAMP, *DAY_KINDS):
            raise unsupported(f"⎕DT of kind {kind}", left.span or span, "there are 1, 20 and ¯1")
    begin = known[0] if len(known) == 2 else STAMP if tuples.is_tuple(right) else 1
    if begin != STAMP and tuples.is_tuple(right):
        message = f"⎕DT of kind {begin} needs simple numbers, got {plain_type(right)}"
        raise compile_error("DOMAIN ERROR", message, right.span or span)

    def days(_: Exp | None, item: Exp) -> Exp:
        return in_apl(elab, "⎕DT", DAYS[begin], None, item, span)

    def shown(_: Exp | None, item: Exp) -> Exp:
        return in_apl(elab, "⎕DT", FROM_DAYS[known[-1]], None, item, span)

    is_each = begin == STAMP
    counted = tuples.each(elab.build, "⎕DT", days, None, right, span) if is_each else days(None, right)
    if known[-1] != STAMP:
        return shown(None, counted)
    if not tuples.is_tuple(counted) and rank(counted) == 0:
        return enclosed(shown(None, counted), span)
    return tuples.each(elab.build, "⎕DT", shown, None, counted, span)
