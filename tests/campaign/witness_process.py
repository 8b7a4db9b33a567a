"""The other APL, in a process of its own: it takes texts, a line of JSON each, and answers with others.

`libjay` aborts on some texts, and does not come to an end on others; whoever asks has to expect that.
"""

import json
import os
import resource
import sys
from dataclasses import replace
from typing import Any

from jay.lang import APL

MAX_BYTES = 4 << 30


def plain(value: Any) -> dict[str, Any]:
    """A value as a type, a shape, and elements in order."""
    if isinstance(value, bool):
        return {"type": "boolean", "shape": [], "data": [int(value)]}
    if isinstance(value, int | float):
        return {"type": "integer" if isinstance(value, int) else "float", "shape": [], "data": [value]}
    if isinstance(value, complex):
        return {"type": "complex", "shape": [], "data": [str(value)]}
    if isinstance(value, str):
        return {"type": "character", "shape": [len(value)], "data": list(value)}
    if value is None:
        return {"type": "nothing", "shape": [], "data": []}
    data = value.tolist()
    for _ in value.shape[1:]:
        data = [item for row in data for item in row]
    if value.dtype == "character":
        data = list("".join(data))
    if value.dtype not in ("boolean", "integer", "float", "character"):
        return {"type": value.dtype, "shape": list(value.shape), "data": [repr(value)[:200]]}
    return {"type": value.dtype, "shape": list(value.shape), "data": data}


def answer(compilers: dict[int, Any], question: dict[str, Any]) -> dict[str, Any]:
    try:
        return plain(compilers[question["origin"]](question["text"], input=None))
    except BaseException as failure:  # it panics, too
        lines = str(failure).strip().splitlines() or [""]
        return {"error": type(failure).__name__, "message": lines[0][:200]}


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # what is printed must not stand between the answers, and a panic tells itself on standard error
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    within = replace(APL.Dialect.dyalog, comparison_tolerance=1e-14)
    compilers = {origin: APL.create_compiler(replace(within, index_base=origin)) for origin in (0, 1)}
    for line in sys.stdin:
        out.write(json.dumps(answer(compilers, json.loads(line))) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
