"""The process in which texts of the page are compiled and run: a question a line comes in, answers go out.

    {"ready": {}}                                  out, at first
    {"what": "run", "text": …, "target": "c"}     in
    {"shown": {…}}                                 out, as often as a value is shown
    {"done": {…}}                                  out, once

Its limits are those of the process, besides those that programs have by their options: what a program
crashes, or the system ends, is this process and not the server.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from aplc.options import Options
from aplc.play.answers import Checks, answer

ROOM = 3 << 30
"""Bytes that a process may have besides what programs may: for the compiler, and drivers of devices."""


def main(arguments: Sequence[str]) -> None:
    """Answer until there are no more questions; the argument is the options as JSON."""
    limits = json.loads(arguments[0])
    _limit_memory(limits["memory_limit"])
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what anything else prints is no answer
    options = Options(
        files=limits["files"], memory_limit=limits["memory_limit"], time_limit=limits["time_limit"]
    )

    def tell(what: str, told: Any) -> None:
        out.write(json.dumps({what: told}, ensure_ascii=False) + "\n")
        out.flush()

    tell("ready", {})
    checks = Checks(may_read=options.files)
    for line in sys.stdin:
        with suppress(BrokenPipeError):
            tell("done", answer(json.loads(line), options, lambda shown: tell("shown", shown), checks))


def _limit_memory(limit: int) -> None:
    try:
        import resource  # noqa: PLC0415 (POSIX only)
    except ImportError:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (limit + ROOM, limit + ROOM))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(sys.argv[1:])
