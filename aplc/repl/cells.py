"""What is entered at once outside of a terminal, in a cell of a notebook say: lines of APL and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from aplc.command_line import UsageError
from aplc.repl.commands import Leave, WrongCommand, command
from aplc.repl.session import Session
from aplc.symbols import BACKTICK
from aplc.tail.errors import LINES, AplcError, InternalError, MachineError
from aplc.tail.legible import legible


@dataclass(frozen=True)
class Failure:
    """What went wrong in a cell, as people read it: what kind of error it is, and its block."""

    kind: str
    block: str


Command = Callable[[Session, str, Callable[[str], None]], None]


def run_cell(
    session: Session, text: str, name: str, say: Callable[[str], None], obey: Command = command
) -> None:
    """Run a cell: what stands between its commands as one text. Errors name the cell and its lines.

    Raises what `Session.run` raises, `WrongCommand`, `UsageError`.
    """
    for part in _parts(typed(text)):
        if part.lstrip().startswith("]"):
            try:
                obey(session, part.strip(), say)
            except Leave:
                raise WrongCommand(
                    "]off is for sessions at a terminal; this one ends with its kernel"
                ) from None
        elif part.strip():
            session.run(part, name)


def _parts(text: str) -> Iterator[str]:
    """Commands, and the lines between two of them, below as many empty lines as stood above."""
    lines: list[str] = []
    above = 0
    for number, line in enumerate(text.split("\n")):
        if line.lstrip().startswith("]"):
            yield "\n" * above + "\n".join(lines)
            yield line
            lines, above = [], number + 1
        else:
            lines.append(line)
    yield "\n" * above + "\n".join(lines) if any(map(str.strip, lines)) else ""


def typed(text: str) -> str:
    """A text with the symbols that were typed behind backticks, but for those in texts and comments."""
    return "\n".join(map(_typed, text.split("\n")))


def _typed(line: str) -> str:
    found, quote, rest = "", "", iter(line)
    for character in rest:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"⍝":
            quote = "\n" if character == "⍝" else character
        elif character == "`":
            key = next(rest, "")
            character = BACKTICK.get(key, "`" + key)
        found += character
    return found


def failure_of(error: BaseException) -> Failure:
    """An error as a user reads it; one of ours asks to be reported."""
    if isinstance(error, KeyboardInterrupt):
        return Failure("interrupted", "interrupted")
    if isinstance(error, AplcError):
        return Failure(error.diagnostics[0].kind, "\n".join([each.render() for each in error.diagnostics]))
    if isinstance(error, MemoryError):
        return Failure("WS FULL", "WS FULL: not enough memory")
    if isinstance(error, WrongCommand | UsageError | MachineError):
        return Failure("aplc", legible(str(error), keep=LINES))
    where = error.stage if isinstance(error, InternalError) else type(error).__name__
    told = legible(str(error), keep=LINES)
    return Failure("aplc", f"this is a bug in aplc, not in your program ({where})\n  {told}")
