"""The passes of Laila over loops as a list; `pipeline` has those before them."""

from __future__ import annotations

from aplc.laila.ir.loops import Code
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.folding.joined_folds import with_folds_joined
from aplc.laila.loops.idle_rows import with_idle_rows_left_out
from aplc.laila.loops.inner_loops import with_inner_loops_eased
from aplc.laila.loops.masking.ragged_loops import in_masked_lanes
from aplc.laila.loops.masking.tail_masking import in_whole_vectors
from aplc.laila.loops.points.column_strides import with_strides_known
from aplc.laila.loops.points.shared_exponents import with_shared_exponents
from aplc.laila.loops.points.short_rows import with_rows_in_lanes
from aplc.laila.loops.prefetching.gathers import with_gathers_ahead
from aplc.laila.loops.staging.call_stages import in_stages
from aplc.laila.loops.staging.kept_scratch import with_scratch_kept
from aplc.laila.loops.staging.row_divisors import with_divisors_apart
from aplc.laila.loops.staging.seen_characters import with_characters_seen
from aplc.laila.passes import ALWAYS, ON_HOST, TASKS, THREADS, Goal, Pass, plain, told_of_threads


def _in_threads(code: Code, make: ExprBuilder, goal: Goal) -> Code:
    from aplc.laila.threads.parallel import parallelise  # noqa: PLC0415 (most programs start faster without it)

    return parallelise(code, make, always=goal.shortest)


def _in_tasks(code: Code, make: ExprBuilder, goal: Goal) -> Code:
    from aplc.laila.threads.tasks import make_tasks  # noqa: PLC0415 (as above)

    return make_tasks(code, make)


LOOP_PASSES: tuple[Pass[Code], ...] = (
    Pass(
        "skip-rows",
        plain(with_idle_rows_left_out),
        ON_HOST,
        "Rows that a condition leaves as they are are not walked; first, as that shows in what loops store.",
    ),
    Pass(
        "divide-rows",
        plain(with_divisors_apart),
        ON_HOST,
        "Rows with a divisor each have a loop for zero; before tails are masked, which flags would fill.",
    ),
    Pass(
        "ease-loops",
        plain(with_inner_loops_eased),
        ALWAYS,
        "Innermost loops read before them where items begin; early, so that what they become reads no more.",
    ),
    Pass(
        "join-folds",
        plain(with_folds_joined),
        ON_HOST,
        "Folds of one row that read the same elements share a loop; before tails are masked loop by loop.",
    ),
    Pass(
        "know-strides",
        plain(with_strides_known),
        ON_HOST,
        "Loops over a few columns have a version for rows of just those; before tails are masked in both.",
    ),
    Pass(
        "share-exponents",
        plain(with_shared_exponents),
        ON_HOST,
        "Powers of one exponent in all lanes are products; before tails are masked, and bounds unknown.",
    ),
    Pass(
        "turn-rows",
        plain(with_rows_in_lanes),
        ON_HOST,
        "Short rows of much work run side by side in lanes; before tails are masked, as those of others.",
    ),
    Pass(
        "mask-tails",
        told_of_threads(in_whole_vectors, "threads"),
        ALWAYS,
        "Loops over narrow elements take whole vectors, the last one with a mask.",
    ),
    Pass(
        "mask-rows",
        plain(in_masked_lanes),
        ALWAYS,
        "Folds over rows whose lengths are data take blocks, and then vectors with a mask.",
    ),
    Pass(
        "ask-ahead",
        plain(with_gathers_ahead),
        ALWAYS,
        "Loops that read where data tell ask for elements of later rounds; behind what makes lanes of loops.",
    ),
    Pass(
        "stage-calls",
        plain(in_stages),
        ALWAYS,
        "Calls of functions of reals that wait for others stand in loops of their own, a block at a time.",
    ),
    Pass(
        "see-characters",
        told_of_threads(with_characters_seen, "threads"),
        ON_HOST,
        "Loops look at the characters that they are the first to read; late, when lanes of loops are made.",
    ),
    Pass(
        "schedule-threads",
        _in_threads,
        THREADS,
        "The outermost loops that may run in parts get a schedule; late, when loops are what they will be.",
    ),
    Pass(
        "keep-scratch",
        plain(with_scratch_kept),
        ON_HOST,
        "Small memory that rounds want in changing sizes stays for the next; once loops have their parts.",
    ),
    Pass(
        "make-tasks",
        _in_tasks,
        TASKS,
        "Independent calls of recursive functions stand together; last, as other passes know no such calls.",
    ),
)
