"""What commands share: how they end, the parser of options, errors of the command line, writing a file."""

from __future__ import annotations

import argparse
import errno
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, NoReturn

from aplc.tail.errors import CompileError, Diagnostic, Error, MachineError
from aplc.tail.legible import shortened
from aplc.tail.source import Source, Span

OK, WRONG_PROGRAM, WRONG_COMMAND, LACKING, BUG = 0, 1, 2, 3, 70
"""The status with which a command ends."""


class UsageError(Error):
    """The command line is wrong; the message says how, the usage below it what would be right."""

    def __init__(self, message: str, usage: str = "") -> None:
        super().__init__(shortened(message) + (f"\n{usage}" if usage else ""))


class Parser(argparse.ArgumentParser):
    """A parser whose errors are `UsageError`s."""

    def error(self, message: str) -> NoReturn:
        """Raise the error with the usage below it. An option that there is not is told with the nearest."""
        if not message.startswith("unrecognized arguments: "):
            raise UsageError(message, self.format_usage().rstrip())
        unknown = message.removeprefix("unrecognized arguments: ").split()[0]
        near = nearest(unknown.partition("=")[0], self._option_string_actions)
        proposal = f"; did you mean {near}?" if near else ""
        raise UsageError(message + proposal, self.format_usage().rstrip())


def nearest(word: str, words: Iterable[str]) -> str:
    """The word that was meant, if any is near."""
    from difflib import get_close_matches  # noqa: PLC0415 (for errors only)

    return next(iter(get_close_matches(word, list(words), 1)), "")


def whole(source: Source) -> Span:
    """All of a text."""
    return Span(source, 0, len(source.text))


def file_error(argument: str, message: str) -> CompileError:
    """A file that the command line names is wrong or missing."""
    return CompileError(Diagnostic("FILE ERROR", message, whole(Source("command line", argument))))


def write_text(path: Path, text: str, option: str = "-o") -> None:
    """Write a file whole, or leave what was there. A link stays a link; what is no file is written to."""
    write_whole(path, lambda file: file.write(text.encode()), option)


def write_whole(path: Path, write: Callable[[IO[bytes]], object], option: str) -> None:
    """The same with what writes the bytes."""
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a directory")
        if path.exists() and not path.is_file():  # a device or a pipe must not be replaced by a file
            with path.open("wb") as stream:
                write(stream)
            return
        target = path.resolve()
        with tempfile.NamedTemporaryFile("wb", dir=target.parent, delete=False) as file:
            scratch = Path(file.name)
            try:
                write(file)
                file.close()
                mask = os.umask(0)
                os.umask(mask)
                scratch.chmod(0o666 & ~mask)
                scratch.replace(target)
            except BaseException:
                scratch.unlink(missing_ok=True)
                raise
    except OSError as failure:
        if failure.errno in (errno.ENOSPC, errno.EDQUOT):
            raise MachineError(f"{path} cannot be written: the disk is full") from None
        raise file_error(f"{option} {path}", f"{path} cannot be written: {failure.strerror}") from None
