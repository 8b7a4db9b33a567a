"""What is known of the functions of a program: annotations proved or refuted, types inferred."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import dataclass

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.classes import Poisoned
from aplc.apl_front.reading.scope import FunctionValue, OperatorValue, Scope, claim_of, is_niladic
from aplc.apl_front.syntax.ast import Annotation
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.apl_front.typing.inference import most_general, of_call
from aplc.apl_front.typing.proofs import Verdict, prove
from aplc.tail.errors import Diagnostic
from aplc.tail.source import Span
from aplc.tail.types import Base

Covers = tuple[tuple[str, tuple[Base, ...]], ...]


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """One function or operator of the program."""

    name: str
    span: Span
    type: str
    """Its annotation, or the type inferred; empty where there is neither."""
    status: str
    """proved, refuted, inferred, or unknown"""
    covers: Covers = ()
    """What each base-type variable stands for."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Why it was refuted, or why no type was found."""


def annotated(scope: Scope) -> Iterator[tuple[str, FunctionValue | OperatorValue, Annotation]]:
    """The annotated functions and operators of a scope, in the order of their definition."""
    for name, value in scope.names.items():
        if isinstance(value, FunctionValue | OperatorValue) and (claim := claim_of(value)) is not None:
            yield name, value, claim


def verdicts(elab: Elaborating, top: Scope) -> dict[str, Verdict]:
    """The annotations of the top level, proved or refuted, by name."""
    found: dict[str, Verdict] = {}
    elab.summaries.begin()
    for name, value, claim in annotated(top):
        if not isinstance(value.node, tree.OperatorName):
            with suppress(Poisoned):  # it uses a name whose statement is in error, which is reported
                found[name] = prove(elab, value.node, value.scope, claim)
    return found


def report(
    elab: Elaborating, top: Scope, proved: dict[str, Verdict], known: Container[str]
) -> tuple[FunctionReport, ...]:
    """Every function and operator of the top level, but for those that are known."""
    wanted = [(n, v) for n, v in _functions(top) if n in proved or n not in known]
    return tuple([report_of(elab, n, v, proved.get(n)) for n, v in wanted])


def _functions(scope: Scope) -> Iterator[tuple[str, FunctionValue | OperatorValue]]:
    for name, value in scope.names.items():
        if isinstance(value, FunctionValue | OperatorValue):
            yield name, value


def report_of(
    elab: Elaborating, name: str, value: FunctionValue | OperatorValue, verdict: Verdict | None
) -> FunctionReport:
    """What is known of a function or operator, whose annotation has this verdict if it has one."""
    at = value.target or value.node.span
    if verdict is not None:
        status = "proved" if verdict.proved else "refuted"
        shown = str(verdict.annotation.type)
        return FunctionReport(name, at, shown, status, verdict.covers, verdict.refutation)
    if isinstance(value, OperatorValue):
        return FunctionReport(name, at, "", "unknown")
    of = of_call if is_niladic(value) else most_general
    found = of(elab, value.node, value.scope)
    if found.type is None:
        problems = () if found.problem is None else (found.problem,)
        return FunctionReport(name, at, "", "unknown", diagnostics=problems)
    covers = (("κ", found.covers),) if len(found.covers) > 1 else ()
    return FunctionReport(name, at, str(found.type), "inferred", covers)
