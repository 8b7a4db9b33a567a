"""The stages of the compiler as texts: what `aplc emit` prints, and `emit` of a function in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from aplc.apl_front.elaboration.elaborate import Elaborated
from aplc.apl_front.syntax.annotation_types import Mistake, read_argument_types
from aplc.apl_front.syntax.ast_print import render
from aplc.compiler import describe, optimise, parse_files, to_laila
from aplc.laila.ir.text_print import print_program
from aplc.options import Options
from aplc.tail.errors import ArgumentValueError, Diagnostic
from aplc.tail.source import Source
from aplc.tail.text_print import print_term
from aplc.tail.types import Array, Base, Nested, Type
from aplc.targets import COMPILED

Types = tuple[Type, ...]


def syntax_text(sources: list[Source]) -> str:
    """The stage `ast`."""
    return "\n".join([render(file).rstrip("\n") for file in parse_files(sources)])


def stage_text(
    stage: str, elaborate: Callable[[], Elaborated], storage: Mapping[str, str], options: Options
) -> str:
    """The text of a later stage, without its last newline; of a target that is what the target gets."""
    term = elaborate().term
    if stage == "tail":
        return print_term(term)
    term = optimise(term, options)
    if stage == "tail-opt":
        return print_term(term)
    if stage in COMPILED:
        options = replace(options, target=stage)
    program, make = to_laila(term, storage, options)
    if stage == "laila":
        return print_program(program)
    return options.made_for.emitter.text(program, make, options).rstrip("\n")


# --- one function -----------------------------------------------------------------------------------------


def types_of_arguments(texts: tuple[str, ...], what: str) -> Types:
    """The types that texts give, `[double]1, [int]0` or one in each. Raises `ArgumentValueError`."""
    try:
        types = tuple([ty for text in texts for ty in read_argument_types(Source(what, text))])
    except Mistake as mistake:
        raise ArgumentValueError(mistake.diagnostic) from None
    if len(types) > 2:
        message = f"a function has at most two arguments, ⍺ and ⍵, and there are types for {len(types)}"
        raise ArgumentValueError(Diagnostic("SYNTAX ERROR", message))
    return types


def stated_types(sources: list[Source], name: str | None, options: Options, hint: str) -> Types:
    """The types of the arguments by the annotation of a function. Raises `ArgumentValueError` unless that
    says all; `hint` tells how to give them.
    """
    claims = describe(sources, name, options).claims
    if not claims or not all(map(_is_known, claims)):
        which = "its annotation leaves them open" if claims else "it has no annotation"
        called = f"of {name}" if name else "of the function"
        message = f"the types {called} are to be given, as {which}: {hint}"
        raise ArgumentValueError(Diagnostic("VALUE ERROR", message))
    return claims


def _is_known(ty: Type) -> bool:
    """Whether code can be made for arguments of a type."""
    if isinstance(ty, Nested):
        return True
    return isinstance(ty, Array) and isinstance(ty.base, Base) and not ty.rank.terms


def named(types: Types) -> dict[str, Type]:
    """The types of arguments by what functions call them."""
    return dict(zip(("⍺", "⍵")[2 - len(types) :], types, strict=True))
