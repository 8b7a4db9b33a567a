"""What reading a text has found out, kept on disk: so a function that was compiled before is called without
the compiler, which takes longer to import than most functions to run.

A record is JSON of a form that is checked when it is read: what is not of the form was not kept.
Only texts without a mistake are kept, so that a mistake is told anew each time.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from aplc.backends.native.cache import keep_record, kept_record
from aplc.options import Options
from aplc.program_cache import facts_of_files, own_files
from aplc.tail.source import Source


def functions_of(sources: Sequence[Source], options: Options) -> tuple[str, ...] | None:
    """The names of the functions of a program that was checked before; None if it was not."""
    found = _known("functions", sources, options)
    if found is None or not all(isinstance(each, str) for each in found):
        return None
    return tuple(found)


def keep_functions(sources: Sequence[Source], options: Options, names: Sequence[str]) -> None:
    """A program was checked, and has these functions."""
    _keep("functions", sources, options, names)


class Read(NamedTuple):
    """What the text of a function says of it, in short."""

    valences: tuple[int, ...]
    """How many arguments it may have; none where its text does not say."""
    is_annotated: bool


def function_of(sources: Sequence[Source], name: str | None, options: Options) -> Read | None:
    """A function whose text was read before; None if it was not."""
    found = _known(_function(name), sources, options)
    if (
        not found
        or type(found[0]) is not bool
        or not all(type(n) is int and n in range(3) for n in found[1:])
    ):
        return None
    return Read(tuple(found[1:]), found[0])


def keep_function(sources: Sequence[Source], name: str | None, options: Options, read: Read) -> None:
    """The text of a function was read, and has no mistake for arguments of every type."""
    _keep(_function(name), sources, options, [read.is_annotated, *read.valences])


def _function(name: str | None) -> str:
    return "the function" if name is None else f"the function {name}"


def _key(what: str, sources: Sequence[Source], options: Options) -> str:
    facts = (
        what,
        [(source.name, source.text) for source in sources],
        [facts_of_files(source.text, options) for source in sources],
        options.rules,
        sys.version,
        own_files(),
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _known(what: str, sources: Sequence[Source], options: Options) -> list[Any] | None:
    content = kept_record(_key(what, sources, options)) if options.use_cache else None
    if content is None:
        return None
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _keep(what: str, sources: Sequence[Source], options: Options, found: Sequence[object]) -> None:
    if options.use_cache:
        keep_record(_key(what, sources, options), json.dumps([*found]).encode())
