"""What can go wrong, and how it is said.

    Diagnostic      one cause: kind (`LENGTH ERROR`), message, span, note, and the calls that led there
    CompileError    the user's program is wrong; all causes found are reported together
    Unsupported     a known limit of ours; the message says what to write instead
    RunError        an APL error while the program runs, with the position of the primitive
    TimeLimitError  the program was given less time than it takes
    MachineError    this machine lacks something (a compiler, disk space); the message says how to get it
    InternalError   a bug of ours; it names the pass
    OptionError     an option of a call from Python has a value that it cannot have (a `ValueError`)
    CallError       a function is called from Python as it cannot be (a `TypeError`)

All are `Error`s. The first four are `AplcError`s that carry diagnostics; a `CompileError` about an argument
from Python is an `ArgumentValueError` or an `ArgumentTypeError`. After elaboration the front end is done with
the user's mistakes: compilation can then only raise `Unsupported` or `InternalError`.

Errors can be pickled and copied with all that they carry, so that they come back from another process.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from aplc.tail.legible import WIDTH, legible, shortened
from aplc.tail.source import Span, render_caret


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One cause of failure, as a user reads it."""

    kind: str
    message: str
    span: Span | None = None
    note: str = ""
    trail: tuple[Span, ...] = ()
    """The calls that led to `span`, innermost first."""
    items: tuple[str, ...] = ()
    """The indices of the items that the message tells, innermost first."""

    def in_item(self, index: str) -> Diagnostic:
        """The same inside of an item of an array of arrays: `… in item 3 of item 17`."""
        what, colon, instead = self.message.partition(": ")
        told = f"{what} {'of' if self.items else 'in'} item {index}{colon}{instead}"
        return replace(self, message=told, items=(*self.items, index))

    def render(self) -> str:
        """The block shown to the user: position, kind, message, source line, carets, calls."""
        head = f"{self.kind}: {shortened(self.message)}"
        if self.span is None:
            return f"aplc: {head}"
        lines = [f"{self.span}: {head}", render_caret(self.span, self.note)]
        lines += [f"  called from {call}: {shortened(first_line(call.text), WIDTH)}" for call in self.trail]
        return "\n".join(lines)


def first_line(text: str) -> str:
    """The first line of a text, with a sign that more follows."""
    head, newline, _ = text.partition("\n")
    return head.rstrip() + (" …" if newline else "")


class Error(Exception):
    """Base of all that we raise."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[Error], args: tuple[object, ...], attributes: dict[str, object]) -> Error:
    """An error as it was, whatever its constructor takes."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class AplcError(Error):
    """Base of the errors that carry diagnostics."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        if isinstance(diagnostics, Diagnostic):
            diagnostics = (diagnostics,)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(d.render() for d in self.diagnostics)


class CompileError(AplcError):
    """The user's program is wrong."""


class Unsupported(AplcError):
    """The program is right APL, and we cannot compile it (yet)."""


class RunError(AplcError):
    """An APL error at run time: LENGTH, RANK, INDEX, DOMAIN or FILE ERROR."""


class ArgumentValueError(CompileError, ValueError):
    """An argument from Python is no array."""


class ArgumentTypeError(CompileError, TypeError):
    """An argument from Python holds what APL has no counterpart for."""


class OptionError(Error, ValueError):
    """An option has a value that it cannot have, or does not go with another."""


class CallError(Error, TypeError):
    """A function is called as it cannot be: by the number of its arguments, or by their types."""


class TimeLimitError(AplcError):
    """The program takes longer than the user allows; where it was, is not known."""


class MachineError(Error):
    """The machine lacks something; the message says what, and how to get it."""

    def __init__(self, message: str) -> None:
        super().__init__(legible(message))


class InternalError(Error):
    """A bug of ours, found by a checker or an impossible case."""

    def __init__(self, stage: str, message: str) -> None:
        self.stage = stage
        super().__init__(f"{stage}: {legible(message, keep=LINES)}")


LINES = "\n"
"""What is kept of the messages that have several lines, as those of a C compiler."""


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
