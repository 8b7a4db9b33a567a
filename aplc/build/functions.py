"""The functions of a program that can be built, compiled: their C, and what a caller must know of them.

A function is built for the types of its annotation, which leaves nothing open. What cannot be built says why
(`LeftOut`); it is an error only if it was asked for, or if nothing is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.backends.c.program import CProgram, ValueType
from aplc.backends.opencl.launches import ClProgram
from aplc.build.values import Flat, Lists, Shape, shapes_of
from aplc.checking import check_program
from aplc.compiler import describe, elaborate_one, optimise, to_c, to_laila
from aplc.deep_stack import with_deep_stack
from aplc.options import Options
from aplc.stages import named, stated_types
from aplc.tail.errors import AplcError, ArgumentValueError, CompileError, Diagnostic, Unsupported
from aplc.tail.source import Source
from aplc.tail.syntax import Fn, Term, body_of
from aplc.tail.types import Base, Type, parts_by_name
from aplc.targets.opencl import to_opencl

NO_KERNELS = ClProgram("")
NEEDS_ANNOTATION = "its type stands nowhere; write one above it, such as ⍝: [double]1 → double"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A function that is not built."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Built:
    """A function, compiled."""

    name: str
    where: str
    """Its file and line."""
    comment: tuple[str, ...]
    """What the lines above it say."""
    type: str
    parameters: tuple[tuple[str, Shape], ...]
    """`x` is ⍺ and `y` is ⍵."""
    results: tuple[Shape, ...]
    program: CProgram
    passed: tuple[int, ...]
    """Which of the flat arrays of its parameters the program takes, in its order."""
    kernels: ClProgram = NO_KERNELS
    """What of it runs on a device; the text is that of its kernels alone."""


@dataclass(frozen=True, slots=True)
class Found:
    """A function as TAIL, which every target goes on from."""

    name: str
    where: str
    comment: tuple[str, ...]
    type: str
    types: tuple[Type, ...]
    term: Term


def find_functions(
    sources: Sequence[Source], wanted: Sequence[str], options: Options
) -> tuple[list[Found], list[LeftOut]]:
    """The functions of a program with the types of their annotations, those of `wanted` or all. Raises what
    is wrong with the program.
    """
    texts = list(sources)
    report = check_program(texts, {}, rules=options.rules)
    if report.diagnostics:
        raise CompileError(report.diagnostics)
    known = {function.name: function for function in report.functions}
    for name in wanted:
        if name not in known:
            there = ", ".join(known) or "none"
            raise _wrong(f"there is no function {name} in the program; there are {there}")
    found: list[Found] = []
    left_out: list[LeftOut] = []
    for name, function in known.items():
        if wanted and name not in wanted:
            continue
        try:
            if function.status != "proved":
                raise _wrong(NEEDS_ANNOTATION)
            found.append(_found(texts, name, str(function.span), options))
        except (CompileError, Unsupported) as error:
            if name in wanted:
                raise _wrong(f"{name} cannot be built: {_reason(error)}") from None
            left_out.append(LeftOut(name, _reason(error)))
    return found, left_out


def _found(sources: list[Source], name: str, where: str, options: Options) -> Found:
    try:
        text = describe(sources, name, options)
    except CompileError as error:
        if error.diagnostics[0].kind == "VALUE ERROR":  # the program is right, so it is no function
            raise _wrong("it is an operator, and functions are built") from None
        raise
    try:
        types = stated_types(sources, name, options, "")
    except ArgumentValueError:
        raise _wrong("its annotation leaves types open; write one without variables") from None
    for ty in types:
        shapes_of(ty)

    def term() -> Term:
        return optimise(elaborate_one(sources, name, named(types), options).term, options)

    comment = tuple(text.comment.splitlines())
    shown = "" if text.annotation is None else str(text.annotation.type)
    return Found(name, where, comment, shown, types, with_deep_stack(term))


def build_function(found: Found, options: Options) -> Built:
    """The C of a function. Raises `Unsupported` where it asks something of a host that has Python."""
    names = tuple(named(found.types))
    parts = [part for name, ty in zip(names, found.types, strict=True) for part in parts_by_name(name, ty)]
    storage = {name: _dtype(ty) for name, ty in parts}

    def compiled() -> tuple[CProgram, ClProgram]:
        program, make = to_laila(found.term, storage, options)
        if options.made_for.kernels:
            return to_opencl(program, make, options, alone=True)
        return to_c(program, make, options), NO_KERNELS

    program, kernels = with_deep_stack(compiled)
    asked_of_python = [question for question in program.questions if question.prim is not None]
    if asked_of_python:
        asked = program.sites[asked_of_python[0].site].symbol
        raise _wrong(f"{asked} is computed by Python, which a library does without")
    if program.prints:
        raise _wrong("it prints, which a library does not; return the value instead")
    taken = [parameter.name for parameter in found.term.params] if isinstance(found.term, Fn) else []
    order = [name for name, _ in parts]
    shapes = [shapes_of(ty)[0] for ty in found.types]
    called = {"⍺": "x", "⍵": "y"}
    return Built(
        found.name,
        found.where,
        found.comment,
        found.type,
        tuple(zip([called[name] for name in names], shapes, strict=True)),
        _results(found, program),
        program,
        tuple([order.index(name) for name in taken]),
        kernels,
    )


def build_functions(
    sources: Sequence[Source], wanted: Sequence[str], options: Options
) -> tuple[list[Built], list[LeftOut]]:
    """All that can be built; an error if that is nothing, or not all that is wanted."""
    found, left_out = find_functions(sources, wanted, options)
    built: list[Built] = []
    for function in found:
        try:
            built.append(build_function(function, options))
        except (CompileError, Unsupported) as error:
            if function.name in wanted:
                raise _wrong(f"{function.name} cannot be built: {_reason(error)}") from None
            left_out.append(LeftOut(function.name, _reason(error)))
    if not built:
        raise nothing(left_out)
    return built, left_out


def nothing(left_out: Sequence[LeftOut]) -> CompileError:
    """The error where there is nothing to build."""
    told = "; ".join([f"{each.name}: {each.why}" for each in left_out])
    return _wrong("there is nothing to build: " + (told or "the program defines no function"))


def nothing_for_a_device(built: Sequence[Built]) -> CompileError:
    """The error where no function has a kernel."""
    names = ", ".join([each.name for each in built])
    return _wrong(f"no loop of {names} can run on a device; build it without --kernels")


def _results(found: Found, program: CProgram) -> tuple[Shape, ...]:
    """The shapes of what a function gives; a flat one is as the program says."""
    shapes = shapes_of(body_of(found.term).ty)
    flat = iter(program.results)
    results: list[Shape] = []
    for shape in shapes:
        kinds: list[ValueType] = [next(flat) for _ in range(shape.parts)]
        last = kinds[-1]
        results.append(Lists(last.base) if isinstance(shape, Lists) else Flat(last.base, last.rank))
    if not results:
        raise _wrong("it has no result")
    return tuple(results)


def _dtype(ty: Type) -> str:
    base = getattr(ty, "base", None)
    assert isinstance(base, Base)
    return base.dtype


def _wrong(message: str) -> CompileError:
    return CompileError(Diagnostic("BUILD ERROR", message))


def _reason(error: AplcError) -> str:
    first = error.diagnostics[0]
    return first.message if first.kind == "BUILD ERROR" else f"{first.kind}: {first.message}"
