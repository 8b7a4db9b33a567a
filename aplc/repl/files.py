"""What goes between a session and files: functions as text, arrays as `--input` and `--output` know them."""

from __future__ import annotations

from pathlib import Path

from aplc.command_line import UsageError, file_error, write_whole
from aplc.inputs import decode
from aplc.outputs import output_of, write_outputs
from aplc.repl.session import Session
from aplc.request import read_bytes
from aplc.shell.input_arguments import Given
from aplc.tail.types import Tuple


def load(session: Session, path: str) -> None:
    """Run the lines of a file. Raises what is wrong with it; nothing has changed then."""
    session.run(decode(read_bytes(path), path).text, path)


def save(session: Session, path: str) -> tuple[int, tuple[str, ...]]:
    """Write the functions and operators of a session, and settings like `⎕IO←0`, to a file.

    How many functions there were, and the names of the arrays, which the file does not have. Raises
    `CompileError` where the file cannot be written, or is another's: what else is in it would be lost.
    """
    file = Path(path).absolute()
    if file.exists() and file not in session.saved:
        raise file_error(f"]save {path}", f"{path} is there already, and may hold more than functions")
    texts = [each.span.source.text for each in session.settings.values()]
    texts += [each.text for each in session.definitions.values()]
    data = "".join([f"{text}\n" for text in texts]).encode()
    write_whole(file, lambda stream: stream.write(data), "]save")
    session.saved.add(file)
    return len(session.definitions), tuple(sorted(session.variables))


def take(session: Session, argument: str) -> tuple[str, ...]:
    """Let names be what `--input` would make of an argument; of a file of columns those whose names are names
    of APL. What names that is. Raises `UsageError`, `CompileError`.
    """
    given = Given(None)
    given.take(argument)
    for name, value in given.found.items():
        session.give(name, value)
    return tuple(given.found)


def give(session: Session, argument: str) -> None:
    """Write an array to a file, as `--output` does. Raises `UsageError`, `CompileError`."""
    name, path = output_of(argument)
    if name not in session.variables:
        raise UsageError(f"{name} is a function" if name in session.definitions else f"{name} has no value")
    value, ty = session.value_named(name)
    write_outputs([(name, path)], [value], Tuple((ty,)))
