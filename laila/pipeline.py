"""The passes of Laila as lists: over programs of SOACs, over what a device runs, over loops.

    TAIL ─ lower ─► SOACs ─ PASSES ─► SOACs ─ DEVICE_PASSES ─► SOACs and kernels
                                        └──── generate ─► loops ─ LOOP_PASSES ─► loops

The names are those of `--passes`, `--dump-after` and `--after`; the page docs/tour.md lists them with their
reasons, which a test compares.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from aplc.laila.device_pipeline import DEVICE_PASSES as DEVICE_PASSES
from aplc.laila.ir.program import Program
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loop_pipeline import LOOP_PASSES as LOOP_PASSES
from aplc.laila.passes import (
    ALONE,
    ALWAYS,
    IN_ORDER,
    IN_TURN,
    ON_HOST,
    THREADS_ON_HOST,
    Goal,
    Pass,
    plain,
    told_of_threads,
)
from aplc.laila.recognition_pipeline import RECOGNITION_PASSES
from aplc.laila.round_pipeline import ROUND_PASSES as ROUND_PASSES
from aplc.laila.threads.beside import beside_threads
from aplc.laila.threads.item_shares import with_items_shared
from aplc.laila.transform.accumulate import accumulate
from aplc.laila.transform.bits.bit_arrays import with_bits_in_words
from aplc.laila.transform.bits.bit_words import with_bits_together
from aplc.laila.transform.buffer_coalescing import without_moves
from aplc.laila.transform.buffers.growth import with_room
from aplc.laila.transform.buffers.updates_in_place import with_updates_in_place
from aplc.laila.transform.constant_tables import with_tables_computed
from aplc.laila.transform.copy_elision import without_copies
from aplc.laila.transform.dead_code import without_unused
from aplc.laila.transform.dead_fills import without_dead_fills
from aplc.laila.transform.destinations.appending import with_results_appended
from aplc.laila.transform.early_exit import with_early_exits
from aplc.laila.transform.extrema.bounding import bound_searches
from aplc.laila.transform.extrema.ends import with_ends
from aplc.laila.transform.extrema.lifting import lift_extrema
from aplc.laila.transform.filters.first_kept import with_first_kept
from aplc.laila.transform.filters.kept_ends import with_ends_apart
from aplc.laila.transform.filters.masked_updates import with_masked_updates
from aplc.laila.transform.filters.masks_in_place import with_masks_in_place
from aplc.laila.transform.filters.predicate_materialisation import with_masks
from aplc.laila.transform.filters.rows_of_masks import with_rows_of_masks
from aplc.laila.transform.fold_lifting import with_folds_apart
from aplc.laila.transform.fusion.calls_apart import with_calls_apart
from aplc.laila.transform.fusion.crossed_scans import with_crossed_scans
from aplc.laila.transform.fusion.fuse import fuse
from aplc.laila.transform.fusion.row_blocks import in_row_blocks
from aplc.laila.transform.fusion.row_scans import with_rows_scanned
from aplc.laila.transform.fusion.shifted_scans import with_shifted_scans
from aplc.laila.transform.fusion.streaming import stream_filters
from aplc.laila.transform.fusion.written_scans import with_scans_written_out
from aplc.laila.transform.narrow import narrow_values
from aplc.laila.transform.products.bit_products import with_bit_products
from aplc.laila.transform.products.materialisation import with_products_written
from aplc.laila.transform.products.triangles import with_triangles
from aplc.laila.transform.rounds.carried_elements import with_elements_carried
from aplc.laila.transform.rounds.exchanged_updates import with_updates_exchanged
from aplc.laila.transform.rounds.settled_states import with_states_settled
from aplc.laila.transform.rounds.whole_folds import with_whole_folds
from aplc.laila.transform.rounds.whole_quotients import with_whole_quotients
from aplc.laila.transform.rounds.whole_states import with_whole_states
from aplc.laila.transform.sliding.doubling import with_windows_doubled
from aplc.laila.transform.sliding.shared_rows import with_rows_shared
from aplc.laila.transform.sliding.windows import with_windows
from aplc.laila.transform.store_forwarding import with_stores_forwarded
from aplc.laila.transform.strip_mining import in_strips
from aplc.laila.transform.value_numbering import with_equal_arrays_shared
from aplc.laila.transform.versioning.extent_versioning import with_short_rows
from aplc.laila.transform.versioning.length_versioning import with_equal_lengths
from aplc.laila.transform.versioning.range_versioning import assume_small
from aplc.laila.transform.versioning.shared_checks import with_checks_shared
from aplc.laila.transform.versioning.shared_conditions import with_conditions_shared

START = "lower"
"""What is there before the first pass over SOACs is named so."""
LOOP_START = "generate"
"""And so before the first one over loops."""


def _beside_threads(
    run: Callable[[Program, ExprBuilder], Program],
) -> Callable[[Program, ExprBuilder, Goal], Program]:
    """What a pass runs that serves one thread: with several, what it makes stands beside what there was."""

    def both(program: Program, make: ExprBuilder, goal: Goal) -> Program:
        if not goal.threads:
            return run(program, make)
        return beside_threads(run, program, make, always=goal.shortest)

    return both


def _in_strips(program: Program, make: ExprBuilder, goal: Goal) -> Program:
    return in_strips(program, make, of_rows=not goal.kernels)


PASSES: tuple[Pass[Program], ...] = (
    *RECOGNITION_PASSES,
    Pass(
        "elide-copies",
        plain(without_copies),
        ALWAYS,
        "A copy of an array that is not used again is a move of its memory.",
    ),
    Pass(
        "coalesce-buffers",
        plain(without_moves),
        ALWAYS,
        "Arrays between which memory only goes from one to another are one; after copies have become moves.",
        shares_memory=True,
    ),
    Pass(
        "update-parts",
        plain(with_updates_in_place),
        ALWAYS,
        "Elements made of those that they replace are written there; after moves are what they will be.",
    ),
    Pass(
        "exchange-updates",
        plain(with_updates_exchanged),
        ALWAYS,
        "Rounds that change all but a border write to another array; after moves are what they will be.",
    ),
    Pass(
        "share-rows",
        plain(with_rows_shared),
        ON_HOST,
        "What several rows of a map compute in the same way is an array; before its range makes it narrow.",
    ),
    Pass(
        "carry-elements",
        plain(with_elements_carried),
        ON_HOST,
        "What the rounds before have written is in variables; after moves are what they will be.",
    ),
    Pass(
        "whole-states",
        plain(with_whole_states),
        ON_HOST,
        "Doubles of loops that are whole numbers are integers at first; before ranges tell what these are.",
    ),
    Pass(
        "divide-whole",
        plain(with_whole_quotients),
        ON_HOST,
        "Rounds divide small integers as such; before the ranges, which decide where no choice is needed.",
    ),
    Pass(
        "settle-states",
        plain(with_states_settled),
        ON_HOST,
        "States that a round makes small, whatever they were, are others then; before these become narrow.",
    ),
    Pass(
        "assume-small",
        plain(assume_small),
        ALWAYS,
        "What divides is there for small integers and for all; before the ranges, which differ in the two.",
    ),
    Pass(
        "whole-folds",
        plain(with_whole_folds),
        ALWAYS,
        "Folds of doubles that residues make whole are of integers; where elements are known to be small.",
    ),
    Pass(
        "narrow-values",
        plain(narrow_values),
        ALWAYS,
        "Buffers and divisions are as narrow as the ranges of their values allow.",
    ),
    Pass(
        "drop-unused",
        plain(without_unused),
        ALWAYS,
        "What nobody reads is not computed; after the ranges, which show that it cannot fail.",
    ),
    Pass(
        "share-conditions",
        plain(with_conditions_shared),
        ALWAYS,
        "Lengths are compared once; before updates by masks, equal arrays, and versions of loops by lengths.",
    ),
    Pass(
        "share-checks",
        plain(with_checks_shared),
        ALWAYS,
        "What loops have checked of elements is not checked again; before others share loops, and versions.",
    ),
    Pass(
        "mask-updates",
        plain(with_masked_updates),
        ALWAYS,
        "Updates at places that a mask tells choose for each element; after copies are what they will be.",
    ),
    Pass(
        "mask-in-place",
        plain(with_masks_in_place),
        ALWAYS,
        "The same of arrays that go on, as states of loops; after those that have just been written.",
    ),
    Pass(
        "rows-of-masks",
        plain(with_rows_of_masks),
        ALWAYS,
        "Loops over elements that ask for row or column run along rows; once places are indices.",
    ),
    Pass(
        "seek-first",
        plain(with_first_kept),
        ALWAYS,
        "The first element that a filter keeps is sought; before folds are lifted and share loops.",
    ),
    Pass(
        "forward-stores",
        plain(with_stores_forwarded),
        ALWAYS,
        "An element just written is not read again; before fills, which nobody reads then.",
    ),
    Pass(
        "drop-fills",
        plain(without_dead_fills),
        ALWAYS,
        "What a loop writes whole is not filled before; after the copies are elided, which loops begin with.",
    ),
    Pass(
        "number-values",
        plain(with_equal_arrays_shared),
        ALWAYS,
        "Equal arrays are made once; after the ranges, which tell how each is stored, before maps are fused.",
    ),
    Pass(
        "leave-room",
        plain(with_room),
        ON_HOST,
        "Arrays that loops make longer or shorter stay in place; after the ranges, before maps are fused.",
    ),
    Pass(
        "write-out-scans",
        plain(with_scans_written_out),
        ALWAYS,
        "Short scans are scalars of the loops that read them; behind what else wants arrays to read.",
    ),
    Pass(
        "hold-bits",
        plain(with_bits_in_words),
        ALWAYS,
        "Arrays of a few bits are words; after short scans are written out, before such bits are gathered.",
    ),
    Pass(
        "gather-bits",
        plain(with_bits_together),
        ALWAYS,
        "Bits of a number that are moved or combined by ≠ are a word; after scans of a few are written out.",
    ),
    Pass(
        "scan-rows",
        told_of_threads(with_rows_scanned),
        ON_HOST,
        "Folds along columns take in the scans that they read; before versions, which would hide them.",
    ),
    Pass(
        "version-extents",
        plain(with_short_rows),
        ALWAYS,
        "Loops along short rows of inputs have a version for each small number of elements.",
    ),
    Pass(
        "pack-bits",
        plain(with_bit_products),
        ON_HOST,
        "Products of truth values count bits of words; after the versions, which write short ones out.",
    ),
    Pass(
        "write-products",
        plain(with_products_written),
        ON_HOST,
        "Large products whose elements folds want are written first; after those in words, which are not.",
    ),
    Pass(
        "accumulate",
        plain(accumulate),
        IN_TURN,
        "Folds over the cells of a loop are combined cell by cell; threads would wait for each other's sums.",
    ),
    Pass(
        "compare-ends",
        plain(with_ends),
        ALWAYS,
        "What equals the least of a row is at most the last number that does; before rows are in strips.",
    ),
    Pass(
        "strip-mine",
        _in_strips,
        ALWAYS,
        "Cells of a loop are computed side by side in lanes; before fusion, by which the lanes then profit.",
    ),
    Pass(
        "halve-squares",
        plain(with_triangles),
        ON_HOST,
        "Folds over all pairs take each once; behind what makes products of them, before they share loops.",
    ),
    Pass(
        "lift-folds",
        plain(with_folds_apart),
        ALWAYS,
        "Folds that are part of a scalar become statements; before fusion, so that they can share loops.",
    ),
    Pass(
        "lift-extrema",
        plain(lift_extrema),
        ALONE,
        "Extrema that a branch wants are computed where their elements are made, which are then not written.",
    ),
    Pass(
        "version-lengths",
        plain(with_equal_lengths),
        ALWAYS,
        "Lengths that only the run knows have a version for equal ones; before fusion, which needs those.",
    ),
    Pass(
        "stream-filters",
        plain(stream_filters),
        ON_HOST,
        "What is kept and taken in blocks is kept a block at a time; before fusion, for what takes it.",
    ),
    Pass(
        "part-filters",
        plain(with_ends_apart),
        ON_HOST,
        "Filters with a rule for the last elements have the space of a scan; before they share its loop.",
    ),
    Pass(
        "share-items",
        plain(with_items_shared),
        THREADS_ON_HOST,
        "Threads enter items in tables of their own; behind streamed filters, whose points they share.",
    ),
    Pass(
        "fuse",
        plain(fuse),
        ALWAYS,
        "Operations over one index space share a loop, chosen so that the fewest bytes move.",
    ),
    Pass(
        "shift-scans",
        _beside_threads(with_shifted_scans),
        ON_HOST,
        "Loops take in scans that they read one element behind; after fusion, which makes these loops.",
    ),
    Pass(
        "cross-scans",
        _beside_threads(with_crossed_scans),
        ON_HOST,
        "Scans along both axes of a matrix share a loop; after fusion, which puts into a scan what it can.",
    ),
    Pass(
        "compute-tables",
        plain(with_tables_computed),
        ON_HOST,
        "Tables of constants are computed in loops that run in lanes; after fusion, which makes these loops.",
    ),
    Pass(
        "bound-searches",
        _beside_threads(bound_searches),
        ON_HOST,
        "The place of an extremum is sought from where its loop saw it; after fusion, which makes that loop.",
    ),
    Pass(
        "materialise-masks",
        lambda program, make, goal: with_masks(program, make, in_parts=goal.threads or goal.kernels),
        ALWAYS,
        "Tests of filters along rows or columns are maps; what is counted in parts is tested once.",
    ),
    Pass(
        "double-windows",
        plain(with_windows_doubled),
        ON_HOST,
        "Folds of long windows are made of shorter ones; after fusion, which joins those of one place.",
    ),
    Pass(
        "slide-windows",
        told_of_threads(with_windows, "in_chunks"),
        ON_HOST,
        "What is needed row by row is a window of rows; after fusion, which leaves it where it is cheaper.",
    ),
    Pass(
        "call-in-lanes",
        plain(with_calls_apart),
        ON_HOST,
        "Functions of sums along rows follow in lanes; after fusion, which would put them into one loop.",
    ),
    Pass(
        "block-rows",
        plain(in_row_blocks),
        ON_HOST,
        "Loops over the same rows run for a few rows at a time; after windows, whose rows are others, too.",
    ),
    Pass(
        "leave-early",
        told_of_threads(with_early_exits),
        ON_HOST,
        "Folds that are known before their end go in pieces; after fusion, by which others may need all.",
    ),
    *ROUND_PASSES,
    Pass(
        "append-results",
        plain(with_results_appended),
        IN_ORDER,
        "Functions append what they join to memory of their callers; last, as no other pass knows of that.",
    ),
)

NAMES = tuple([each.name for passes in (PASSES, DEVICE_PASSES, LOOP_PASSES) for each in passes])
"""Of all passes, in order."""


def named(names: Collection[str] | None) -> Collection[str] | None:
    """The names that choose among these passes: none, if there is none of ours among them."""
    return names if names is not None and set(names) & set(NAMES) else None
