"""What a terminal gets beside the text: colour in messages, and a line that says what is going on.

A file or a pipe gets neither. `NO_COLOR` (https://no-color.org) turns colour off.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from aplc.tail.legible import legible

BOLD, DIM, RED, GREEN, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[1;31m", "\x1b[1;32m", "\x1b[0m"
HEAD = re.compile(r"([^\n]*?: |)([A-Z][A-Z ]* ERROR|WS FULL|TIME LIMIT|UNSUPPORTED)(: )")
SOURCE = re.compile(r"( *[0-9]* +\| )(.*)")
PATIENCE, EVERY = 1.0, 0.5
"""Seconds until the line appears, and between two of them."""


def has_colour(stream: TextIO) -> bool:
    """Whether what is written there may have colour."""
    return not os.environ.get("NO_COLOR") and _obeys(stream)


def _obeys(stream: TextIO) -> bool:
    """Whether it is a terminal that obeys escape sequences."""
    try:
        return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    except (AttributeError, ValueError):  # closed
        return False


def message(rendered: str, stream: TextIO) -> str:
    """The block of an error for a stream: where it has colour, the kind and the carets stand out."""
    return coloured(rendered) if has_colour(stream) else rendered


def coloured(rendered: str) -> str:
    """The block of an error with the kind and the carets in colour."""
    return "\n".join(map(_coloured, rendered.split("\n")))


def _coloured(line: str) -> str:
    if found := HEAD.match(line):
        return f"{BOLD}{found[1]}{RED}{found[2]}{PLAIN}{BOLD}{found[3]}{PLAIN}{line[found.end() :]}"
    if found := SOURCE.fullmatch(line):
        gutter, text = found[1], found[2]
        if not gutter.strip(" |"):  # the line of carets
            text = re.sub(r"\^+", lambda carets: f"{RED}{carets[0]}{PLAIN}", text, count=1)
        return f"{DIM}{gutter}{PLAIN}{text}"
    return line


def verdict(word: str, stream: TextIO, *, is_good: bool) -> str:
    """A word in green or red, where the stream has colour."""
    return f"{GREEN if is_good else RED}{word}{PLAIN}" if has_colour(stream) else word


@contextmanager
def saying(what: str) -> Iterator[None]:
    """While this takes longer than a second, a terminal on standard error shows what is going on."""
    if not _obeys(sys.stderr):
        yield
        return
    over, started = threading.Event(), time.monotonic()

    def tell() -> None:
        wait = PATIENCE
        while not over.wait(wait):
            wait = EVERY
            seconds = time.monotonic() - started
            sys.stderr.write(f"\r\x1b[K{legible(what)}, {seconds:.0f} s")
            sys.stderr.flush()

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
        if time.monotonic() - started >= PATIENCE:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
