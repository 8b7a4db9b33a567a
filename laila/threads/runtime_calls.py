"""Which functions of the run-time system have a form that uses threads: those that sort, and that find the
different elements of arrays. It is called wherever threads may be used, and uses one inside of a part.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir.program import RuntimeCall

IN_THREADS: dict[str, tuple[str, ...]] = {
    "aplc_order.h": ("aplc_grade_",),
    "aplc_sort.h": ("aplc_sort_",),
    "aplc_search.h": ("aplc_unique_", "aplc_number_", "aplc_count_each_"),
}
"""How the names of such functions begin, by their headers."""


def has_threads(run: RuntimeCall) -> bool:
    """Whether a function has a form that uses threads."""
    return run.function.startswith(IN_THREADS.get(run.header, ()))


def with_threads(run: RuntimeCall) -> RuntimeCall:
    """The call of that form, if there is one; else the call as it is."""
    if not has_threads(run):
        return run
    header = run.header.replace(".h", "_threads.h")
    return replace(run, function=f"{run.function}_in_threads", header=header, in_threads=True)
