"""What can go wrong, and how it is said.

    Diagnostic      one cause: kind (`LENGTH ERROR`), message, span, note, and the calls that led there
    CompileError    the user's program is wrong; all causes found are reported together
    Unsupported     a known limit of ours; the message says what to write instead
    RunError        an APL error while the program runs, with the position of the primitive
    TimeLimitError  the program was given less time than it takes
    MachineError    this machine lacks something (a compiler, disk space); the message says how to get it
    InternalError   a bug of ours; it names the pass

The first four are `AplcError`s that carry diagnostics. After elaboration the front end is done with
the user's mistakes: compilation can then only raise `Unsupported` or `InternalError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tail.source import Span, render_caret


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One cause of failure, as a user reads it."""

    kind: str
    message: str
    span: Span | None = None
    note: str = ""
    trail: tuple[Span, ...] = ()
    """The calls that led to `span`, innermost first."""

    def render(self) -> str:
        """The block shown to the user: position, kind, message, source line, carets, calls."""
        head = f"{self.kind}: {self.message}"
        if self.span is None:
            return f"aplc: {head}"
        lines = [f"{self.span}: {head}", render_caret(self.span, self.note)]
        lines += [f"  called from {call}: {first_line(call.text)}" for call in self.trail]
        return "\n".join(lines)


def first_line(text: str) -> str:
    """The first line of a text, with a sign that more follows."""
    head, newline, _ = text.partition("\n")
    return head.rstrip() + (" …" if newline else "")


class AplcError(Exception):
    """Base of the errors that carry diagnostics."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        if isinstance(diagnostics, Diagnostic):
            diagnostics = (diagnostics,)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__()

    def __str__(self) -> str:
        return "\n".join(d.render() for d in self.diagnostics)


class CompileError(AplcError):
    """The user's program is wrong."""


class Unsupported(AplcError):
    """The program is right APL, and we cannot compile it (yet)."""


class RunError(AplcError):
    """An APL error at run time: LENGTH, RANK, INDEX, DOMAIN or FILE ERROR."""


class TimeLimitError(AplcError):
    """The program takes longer than the user allows; where it was, is not known."""


class MachineError(Exception):
    """The machine lacks something; the message says what, and how to get it."""


class InternalError(Exception):
    """A bug of ours, found by a checker or an impossible case."""

    def __init__(self, stage: str, message: str) -> None:
        self.stage = stage
        super().__init__(f"{stage}: {message}")


def compile_error(kind: str, message: str, span: Span | None, note: str = "") -> CompileError:
    """A `CompileError` with a single cause."""
    return CompileError(Diagnostic(kind, message, span, note))


UNSUPPORTED = "UNSUPPORTED"
"""The kind of a known limit."""


def unsupported(what: str, span: Span | None, instead: str = "") -> Unsupported:
    """An `Unsupported` with a single cause: what it is, and what to write instead where there is
    something.
    """
    message = f"{what} is not supported yet" + (f": {instead}" if instead else "")
    return Unsupported(Diagnostic(UNSUPPORTED, message, span))
