"""Programs that are run from their text: `aplc.run`. What was run before is not compiled again.

The programs of this process are kept by their texts and the types of their inputs, those of earlier ones on
disk (`aplc.program_cache`), so that the compiler is imported where something is compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from aplc.calling.arguments import storage_of, value_of, where_they_are
from aplc.compiled import Compiled
from aplc.inputs import Input, memory_of
from aplc.options import Options
from aplc.program_cache import facts_of_files, keep, kept, kept_key
from aplc.tail.source import Source

MOST_KEPT = 128
"""So many programs of this process are kept; then the one that was used first goes."""

_kept: dict[Any, Compiled] = {}


def run_text(text: str, given: Mapping[str, Input], options: Options, to: str) -> Any:
    """The value of a program for its inputs, all of which it uses."""
    options = where_they_are(options, given.values())
    signature = tuple([(name, g.type, tuple([part.storage for part in g.flat])) for name, g in given.items()])
    key = (text, signature, options, facts_of_files(text, options))
    compiled = _kept.get(key)
    if compiled is None:
        compiled = _program(text, given, options)
        while len(_kept) >= MOST_KEPT:
            with suppress(StopIteration, RuntimeError):  # another thread has changed it meanwhile
                _kept.pop(next(iter(_kept)), None)
        _kept[key] = compiled
    return value_of(compiled, memory_of(given.values()), to)


def _program(text: str, given: Mapping[str, Input], options: Options) -> Compiled:
    sources = [Source("text", text)]
    types = {name: g.type for name, g in given.items()}
    storage = {part: dtype for name, g in given.items() for part, dtype in storage_of(name, g.type, g.flat)}
    key = kept_key(sources, types, storage, options, value_of_assignment=True)
    compiled = kept(key, options)
    if compiled is None:
        from aplc.compiler import compile_program  # noqa: PLC0415 (a program that was kept does without)

        compiled = compile_program(sources, types, storage, options, value_of_assignment=True, all_used=True)
        keep(key, compiled)
    return compiled
