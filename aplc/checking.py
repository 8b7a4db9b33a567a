"""`aplc check`: what is known of functions and values, as text for people and as JSON for editors."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aplc.apl_front.building.facts import Fact
from aplc.apl_front.elaboration.elaborate import CheckedProgram, check_files
from aplc.apl_front.syntax.mentioned import unused_inputs
from aplc.apl_front.typing.report import FunctionReport
from aplc.compiler import parse_files, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.inputs import UnusedInput, require_used
from aplc.tail.errors import AplcError, Diagnostic
from aplc.tail.rules import DEFAULTS, Rules
from aplc.tail.source import Source, Span
from aplc.tail.types import Type


@dataclass(frozen=True, slots=True)
class Checked:
    """The functions and values of a program, and what is wrong with it (nothing if all is well)."""

    functions: tuple[FunctionReport, ...]
    values: tuple[Fact, ...]
    diagnostics: tuple[Diagnostic, ...]

    def lines(self) -> Iterator[str]:
        """A line for each name, in the order of the text."""
        entries = [(_place(f.span), _function_line(f)) for f in self.functions]
        entries += [(_place(v.span), f"{v.span}: {v.name} : {v.type}") for v in self.values]
        yield from [line for _, line in sorted(entries, key=lambda entry: entry[0])]

    def as_json(self) -> dict[str, Any]:
        """The same for programs: positions are 1-based lines and columns."""
        return {
            "functions": [_function_json(f) for f in self.functions],
            "values": [{"name": v.name, "type": v.type, **_where(v.span)} for v in self.values],
            "diagnostics": [_diagnostic_json(d) for d in self.diagnostics],
        }


def check_program(
    sources: list[Source],
    inputs: Mapping[str, Type],
    *,
    rules: Rules = DEFAULTS,
    known: Container[str] = frozenset(),
) -> Checked:
    """Check a program without running it; its errors are in the result, reading files among them where it may
    not. Types of functions that are `known` are not inferred. A `.tail` text is only read.

    Raises `UnusedInput`, which is no error of the program.
    """
    try:
        if len(sources) == 1 and sources[0].name.endswith(".tail"):
            with_deep_stack(lambda: to_tail(sources, inputs, rules=rules))
            return Checked((), (), ())
        files = with_deep_stack(lambda: parse_files(sources))
        found: CheckedProgram = with_deep_stack(lambda: check_files(files, inputs, rules=rules, known=known))
    except UnusedInput:
        raise
    except AplcError as error:
        return Checked((), (), error.diagnostics)
    if not found.diagnostics:
        require_used(unused_inputs(files, inputs))
    values = {v.span: v for v in found.facts if not _is_of_function(v, found, known)}
    return Checked(found.functions, tuple(values.values()), found.diagnostics)


def _is_of_function(value: Fact, found: CheckedProgram, known: Container[str]) -> bool:
    return value.name in known or any(f.name == value.name for f in found.functions)


def _place(span: Span) -> tuple[str, int]:
    return span.source.name, span.start


def _function_line(report: FunctionReport) -> str:
    where = f"{report.span}: {report.name}"
    covers = "; ".join([f"{name} is {_listed([b.value for b in bases])}" for name, bases in report.covers])
    if report.status == "unknown":
        return f"{where} : no type found" + (
            f" ({report.diagnostics[0].message})" if report.diagnostics else ""
        )
    note = report.status if report.status != "inferred" else ""
    remark = ", ".join([text for text in (note, covers) if text])
    return f"{where} : {report.type}" + (f"  ({remark})" if remark else "")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _where(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {}
    end_line, end_column = span.source.position(span.end)
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }


def _function_json(report: FunctionReport) -> dict[str, Any]:
    covers = {name: [b.value for b in bases] for name, bases in report.covers}
    return {
        "name": report.name,
        "status": report.status,
        "type": report.type,
        "covers": covers,
        **_where(report.span),
    }


def _diagnostic_json(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "kind": diagnostic.kind,
        "message": diagnostic.message,
        "note": diagnostic.note,
        **_where(diagnostic.span),
        "called_from": [_where(call) for call in diagnostic.trail],
    }
