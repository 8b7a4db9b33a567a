"""A session at a terminal: editing, history, symbols behind a backtick, completion of names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from aplc.repl.commands import COMMANDS
from aplc.repl.reading import is_open
from aplc.repl.session import Session
from aplc.symbols import BACKTICK, NAMED

PROMPT, MORE = " " * 6, " " * 4 + "· "
WORD = re.compile(r"[\w∆⍙⎕]+$")
COMMAND = re.compile(r"\s*[\])](\w*)")
HINT = "aplc: line editing, `r for ⍴ and completion come with pip install 'aplc[repl]'"


def from_terminal(session: Session) -> Iterator[str]:
    """What is entered at a terminal; without prompt_toolkit line by line."""
    try:
        from aplc.repl.editor import from_editor  # noqa: PLC0415 (an extra)
    except ImportError:
        print(HINT)
        return _plainly()
    return from_editor(session)


def _plainly() -> Iterator[str]:
    """Lines as Python reads them."""
    with suppress(ImportError):
        import readline  # noqa: F401, PLC0415 (it gives `input` its editing)
    lines: list[str] = []
    while True:
        try:
            lines.append(_typed(input(MORE if lines else PROMPT)))
        except EOFError:
            print()
            return
        except KeyboardInterrupt:
            print()
            lines = []
            continue
        if not is_open("\n".join(lines)):
            yield "\n".join(lines)
            lines = []


def _typed(line: str) -> str:
    """A line with the symbols that were typed behind backticks."""
    return re.sub(r"`(.)", lambda found: BACKTICK.get(found[1], found[0]), line)


def completions(session: Session, before: str) -> Iterable[tuple[str, str, str]]:
    """What a word before the cursor may become: the word, what stands in its place, what that is."""
    if asked := COMMAND.fullmatch(before):
        for name, (what, _) in COMMANDS.items():
            if name.startswith(asked[1]):
                yield asked[1], name, what
        return
    found = WORD.search(before)
    if found is None:
        return
    word = found[0]
    for name, variable in session.variables.items():
        if name.startswith(word):
            yield word, name, str(variable.type)
    for name in session.definitions:
        if name.startswith(word):
            yield word, name, "function"
    for name, symbol in sorted(NAMED.items()):
        if len(word) > 1 and name.startswith(word.lower()):
            yield word, symbol, name
