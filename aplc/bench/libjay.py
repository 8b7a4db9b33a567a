"""Scripts for libjay, an APL that is a module of Python: its dialect `dyalog`.

Its kernels take arrays of NumPy as they are. The index origin stands in the compiler's options and not in the
program, and what it does not know it says when it compiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from aplc.bench.arguments import Argument

MODULE = "jay"

HEAD = """
import time
from dataclasses import replace
import numpy as np
from jay import JayError
from jay.lang import APL
dialect = replace(APL.Dialect.dyalog, comparison_tolerance=1e-14, index_base={origin})
given = {{}}
"""
RUN = """
try:
    kernel = APL.create_compiler(dialect).compile({text!r}, given)
    value = kernel()
except JayError as failure:
    raise SystemExit("ERROR: " + str(failure).partition(chr(10))[0])
for _ in range({batches}):
    start = time.perf_counter()
    for _ in range({calls}):
        value = kernel()
    print("time", (time.perf_counter() - start) / {calls})
array = np.array(value.tolist() if hasattr(value, "tolist") else value, np.float64)
if hasattr(value, "shape"):
    array = array.reshape(value.shape)
elements = array.ravel()
print("shape", *array.shape)
print("sums", float(elements.sum()), float((elements * (1 + np.arange(1, elements.size + 1) % 97)).sum()))
"""
"""What it has compiled knows its arguments, so that a call is the program alone."""


def argument(name: str, value: Argument, file: Path) -> str:
    """The statement of Python that gives an argument."""
    if not isinstance(value, np.ndarray):
        return f"given[{name!r}] = {value!r}"
    np.save(file, value)
    return f"given[{name!r}] = np.load({str(file)!r})"


def script(program: Sequence[str], function: str, given: Sequence[str], batches: int, calls: int) -> str:
    """A whole script: the program is one text, in which arguments are named in braces."""
    call = f"{'{a} ' if len(given) == 2 else ''}{function} {{b}}"
    origin = next((line[-1] for line in program if line.replace(" ", "") in ("⎕IO←0", "⎕IO←1")), "1")
    lines = [line for line in program if not line.replace(" ", "").startswith(("⎕IO←", "⎕CT←"))]
    text = "\n".join([*lines, call])
    return HEAD.format(origin=origin) + "\n".join(given) + RUN.format(text=text, batches=batches, calls=calls)
