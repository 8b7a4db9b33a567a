"""The last passes over SOACs, of the memory and the rounds of loops.

Loops share what they can by then: what is left is where arrays stand while rounds change them, and which of
them need not be arrays.
"""

from __future__ import annotations

from aplc.laila.ir.program import Program
from aplc.laila.passes import ALWAYS, ON_HOST, Pass, plain, told_of_threads
from aplc.laila.transform.hoist import hoist_allocations
from aplc.laila.transform.memory_reuse import with_memory_kept
from aplc.laila.transform.pointwise import element_by_element
from aplc.laila.transform.rounds.column_layout import with_columns_apart
from aplc.laila.transform.rounds.late_operands import with_late_operands_last
from aplc.laila.transform.rounds.round_ranges import with_rounds_bounded
from aplc.laila.transform.rounds.scalar_replacement import with_scalars
from aplc.laila.transform.rounds.whole_reals import with_whole_reals
from aplc.laila.transform.split_complex import split_complex
from aplc.laila.transform.versioning.descriptor_versioning import with_shared_descriptors

ROUND_PASSES: tuple[Pass[Program], ...] = (
    Pass(
        "hoist-allocations",
        plain(hoist_allocations),
        ALWAYS,
        "Memory and tables of searches that each round makes are made once; after fusion of buffers.",
    ),
    Pass(
        "update-in-place",
        plain(element_by_element),
        ALWAYS,
        "Loops change arrays in place, or are a map of loops over scalars; last, as few passes see into it.",
    ),
    Pass(
        "turn-columns",
        plain(with_columns_apart),
        ON_HOST,
        "Matrices of which loops want columns again and again are turned; after what updates in place.",
    ),
    Pass(
        "keep-in-scalars",
        plain(with_scalars),
        ON_HOST,
        "A few elements that rounds move about are scalars; after loops that change each in its place.",
    ),
    Pass(
        "bound-rounds",
        plain(with_rounds_bounded),
        ON_HOST,
        "Rounds of scalars know the ranges of what rounds give; after arrays have become scalars.",
    ),
    Pass(
        "wait-last",
        plain(with_late_operands_last),
        ALWAYS,
        "Rounds compare last what they wait for; after arrays have become scalars, as their names tell more.",
    ),
    Pass(
        "reuse-memory",
        told_of_threads(with_memory_kept),
        ON_HOST,
        "Memory that rounds want in changing sizes stays for the next; after loops that need no second one.",
    ),
    Pass(
        "split-complex",
        plain(split_complex),
        ALWAYS,
        "Complex scalars are two doubles; behind what makes scalars of elements.",
    ),
    Pass(
        "version-descriptors",
        plain(with_shared_descriptors),
        ON_HOST,
        "Loops over items of two inputs have a version for one descriptor; for what loops have become.",
    ),
    Pass(
        "keep-doubles",
        plain(with_whole_reals),
        ALWAYS,
        "Whole doubles are not made integers to become doubles again; last, as integers tell their ranges.",
    ),
)
