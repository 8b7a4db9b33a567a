"""The first passes over SOACs, which see in a program what it computes: counts by key, searches in sets,
orders of which few places are asked for.

They come before anything is fused or narrowed, while each primitive is the statements that it was lowered
to.
"""

from __future__ import annotations

from aplc.laila.ir.program import Program
from aplc.laila.passes import ALWAYS, ON_HOST, Pass, plain, told_of_threads
from aplc.laila.transform.axis_collapse import with_axes_collapsed
from aplc.laila.transform.destinations.constant_extents import with_extents_known
from aplc.laila.transform.fusion.contraction import with_rows_contracted
from aplc.laila.transform.fusion.few_rows import with_rows_apart
from aplc.laila.transform.fusion.loop_folds import with_folds_in_loops
from aplc.laila.transform.fusion.rerolling import rerolled
from aplc.laila.transform.histogram import count_by_key
from aplc.laila.transform.induction import with_round_numbers
from aplc.laila.transform.ordering.counting_sort import with_values_distributed
from aplc.laila.transform.ordering.key_codes import with_codes_counted
from aplc.laila.transform.ordering.key_numbering import with_keys_numbered
from aplc.laila.transform.ordering.membership import with_sets
from aplc.laila.transform.ordering.networks import with_networks
from aplc.laila.transform.ordering.partial_sort import first_of_grades
from aplc.laila.transform.ordering.permutations import with_grades_inverted
from aplc.laila.transform.ordering.positions import with_positions_in_place
from aplc.laila.transform.ordering.rank_selection import with_ranks_selected
from aplc.laila.transform.ordering.row_networks import with_row_networks
from aplc.laila.transform.ordering.sorted_values import with_sorted_values
from aplc.laila.transform.products.joint_counts import with_joint_counts
from aplc.laila.transform.products.keyed_products import with_keyed_products
from aplc.laila.transform.rounds.turned_storage import with_fronts_behind
from aplc.laila.transform.versioning.checked_lengths import with_lengths_known

RECOGNITION_PASSES: tuple[Pass[Program], ...] = (
    Pass(
        "know-extents",
        plain(with_extents_known),
        ALWAYS,
        "Extents that functions give in all calls are numbers; first, as all that runs over them asks that.",
    ),
    Pass(
        "know-lengths",
        plain(with_lengths_known),
        ALWAYS,
        "What checks tell of lengths is known in loops over elements; early, as all others ask for that.",
    ),
    Pass(
        "turn-fronts",
        plain(with_fronts_behind),
        ON_HOST,
        "Vectors that grow in front are stored from their end; first, while loops count lengths as they are.",
    ),
    Pass(
        "number-rounds",
        plain(with_round_numbers),
        ALWAYS,
        "What changes in steps is computed from the number of the round; first, as its range is then known.",
    ),
    Pass(
        "collapse-axes",
        plain(with_axes_collapsed),
        ON_HOST,
        "Loops over several axes of rows are loops over all rows; before all that looks at loops over rows.",
    ),
    Pass(
        "reroll",
        plain(rerolled),
        ON_HOST,
        "Counts of many numbers, written out one by one, are a loop; before they are counted by key.",
    ),
    Pass(
        "count-by-key",
        plain(count_by_key),
        ON_HOST,
        "Folds that compare each index with keys are one walk over these; devices compare sooner than wait.",
    ),
    Pass(
        "count-jointly",
        plain(with_joint_counts),
        ON_HOST,
        "Products of two tables of which key is which count pairs; before those of one, which adds rows.",
    ),
    Pass(
        "add-rows-by-key",
        plain(with_keyed_products),
        ON_HOST,
        "Products with a matrix that tells which key is which add rows by key; after sums of elements.",
    ),
    Pass(
        "distribute-values",
        told_of_threads(with_values_distributed),
        ON_HOST,
        "Values in the order of their groups are not sorted; before keys are numbered, then narrowly.",
    ),
    Pass(
        "number-keys",
        plain(with_keys_numbered),
        ON_HOST,
        "Keys are numbered where their different ones are found; before copies are elided: it may leave one.",
    ),
    Pass(
        "count-codes",
        plain(with_codes_counted),
        ON_HOST,
        "Computed keys that are only counted are small numbers; after those that are counted are known.",
    ),
    Pass(
        "find-in-sets",
        plain(with_sets),
        ON_HOST,
        "Tables of which nobody wants places are sets; after keys are numbered, which leaves out tables.",
    ),
    Pass(
        "read-positions",
        plain(with_positions_in_place),
        ALWAYS,
        "Positions in grades that only tell of elements have no names; before all that looks for those.",
    ),
    Pass(
        "sort-in-networks",
        plain(with_networks),
        ALWAYS,
        "A few elements are compared and exchanged in scalars; before all that makes grades cheaper.",
    ),
    Pass(
        "invert-grades",
        plain(with_grades_inverted),
        ALWAYS,
        "A grade of a grade is its inverse; before others look for grades.",
    ),
    Pass(
        "sort-partially",
        plain(first_of_grades),
        ALWAYS,
        "Of a grade whose first positions alone are used only those are found.",
    ),
    Pass(
        "sort-values",
        plain(with_sorted_values),
        ALWAYS,
        "What is read in the order of its own grade is sorted; before copies are elided: it begins with one.",
    ),
    Pass(
        "sort-rows-in-networks",
        plain(with_row_networks),
        ON_HOST,
        "Rows of few elements are sorted in lanes, and fused; behind what sorts rows without grades.",
    ),
    Pass(
        "select-ranks",
        plain(with_ranks_selected),
        ON_HOST,
        "Elements of which a few places in order are wanted are not sorted; behind what sorts them.",
    ),
    Pass(
        "part-rows",
        plain(with_rows_apart),
        ON_HOST,
        "Few rows that are read side by side have a loop each; behind sorted rows, before fusion.",
    ),
    Pass(
        "contract-rows",
        plain(with_rows_contracted),
        ON_HOST,
        "Matrices of which cells read a row each are made row by row; before all that changes these cells.",
    ),
    Pass(
        "fold-in-loops",
        plain(with_folds_in_loops),
        ALWAYS,
        "Folds of what a loop writes element by element are taken there; before this memory is made to fit.",
    ),
)
