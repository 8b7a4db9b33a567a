"""What is asked of a session while one types: completions, and what stands at a place."""

from __future__ import annotations

import re
from typing import NamedTuple

from aplc.repl.session import Session
from aplc.repl.shortened import shortened
from aplc.repl.terminal import completions
from aplc.symbols import BACKTICK, NAMED, described
from aplc.tail.display import display, holds_chars

NAME = re.compile(r"[\w∆⍙⎕]+")
BEHIND_BACKTICK = re.compile(r"`(\w*|[^\w\s])$")
LINES = 8
"""Of a value that is asked for."""


class Completion(NamedTuple):
    """What may stand in the place of a word, and what it is."""

    word: str
    text: str
    what: str


def completed(session: Session, before: str) -> list[Completion]:
    """What the word at the end of a text may become; all have the same word.

    Behind a backtick that is the symbol of a key, or symbols by their names: `` `r `` and `` `rho `` are ⍴.
    """
    if asked := BEHIND_BACKTICK.search(before):
        word = asked[1]
        found = [Completion("`" + word, BACKTICK[word], "symbol")] if word in BACKTICK else []
        return found + [
            Completion("`" + word, symbol, name)
            for name, symbol in sorted(NAMED.items())
            if len(word) > 1 and name.startswith(word.lower())
        ]
    line = before.rpartition("\n")[2]
    return list(dict.fromkeys([Completion(*each) for each in completions(session, line)]))


def described_at(session: Session, text: str, place: int) -> str:
    """What the name or the symbol at a place is; empty where there is none."""
    for found in NAME.finditer(text):
        if found.start() <= place <= found.end() and (told := _named(session, found[0])):
            return told
    for character in (text[place : place + 1], text[max(place - 1, 0) : place]):
        if character and (lines := described(character)):
            return "\n".join(lines)
    return ""


def _named(session: Session, name: str) -> str:
    """What a name of the session is."""
    if name in session.definitions:
        return session.definitions[name].text
    if name not in session.variables:
        return ""
    value, ty = session.value_named(name)
    part, note = shortened(value)
    lines = display(part, chars=not isinstance(part, tuple) and holds_chars(part)).split("\n")
    more = ["…"] if len(lines) > LINES else []
    return "\n".join([f"{name} : {ty}", *lines[:LINES], *more, *[note] * bool(note)])
