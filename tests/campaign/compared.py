"""Programs compared: the interpreter before and after the passes, and one of the ways of compiled code."""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from aplc.tail.errors import UNSUPPORTED, MachineError
from tests.campaign.judging import time_limit
from tests.campaign.longer import long_program
from tests.campaign.mutants import program_of_mutants
from tests.campaign.sample_text import sample_of
from tests.campaign.ways import (
    LANES_ON_C,
    LANES_WITH_THREADS,
    ON_C,
    ON_DEVICE,
    WITH_THREADS,
    lack_of_device,
)
from tests.campaign.work import COMPARED, GENERATED, REJECTED, Block, Finding, Kind, Tally
from tests.fuzz_targets import COMPARED as IS_COMPARED
from tests.fuzz_targets import REJECTED as IS_REJECTED
from tests.fuzz_targets import Outcome, Way, compare, minimised
from tests.support.apl_programs.asked import program_of_questions
from tests.support.apl_programs.flags import program_of_flags
from tests.support.apl_programs.idioms import program_of_idioms
from tests.support.apl_programs.joins import program_of_joins
from tests.support.apl_programs.loose import program_of_loose
from tests.support.apl_programs.masks import program_of_masks
from tests.support.apl_programs.moves import program_of_moves
from tests.support.apl_programs.programs import random_program
from tests.support.apl_programs.recurrences import program_of_recurrences
from tests.support.apl_programs.riches import program_of_riches
from tests.support.apl_programs.stacks import program_of_stacks
from tests.support.apl_programs.stencils import program_of_stencils
from tests.support.apl_programs.trees import Program
from tests.support.apl_programs.vectors import program_of_vectors
from tests.support.apl_programs.wholes import program_of_wholes
from tests.support.machine import lack_of

SHRINKING = 45.0
BATCH = 48


def sort_of(outcome: Outcome, way: Way) -> str:
    """What differences of one cause have in common: where they are seen, and between what types."""
    head = re.sub(r"\d+", "", outcome.detail)
    head = re.sub(r"(\w*)\[[^]]*\].*? against (\w*)\[[^]]*\].*", r"\1 against \2", head, flags=re.DOTALL)
    return f"{outcome.status} {way}: {head[:80]}"


def told(name: str, program: Program, outcome: Outcome, way: Way, remarks: list[str]) -> str:
    """A finding as a sample."""
    try:
        with time_limit(failure=MachineError("it has no end")):
            return sample_of(
                program.text, program.inputs, [*remarks, f"{outcome.status}, {way}: {outcome.detail}"]
            )
    except Exception as failure:  # the interpreter itself is at fault
        return f"⍝ {outcome.status}, {way}: {outcome.detail}\n⍝ no sample: {failure!r}\n{program}\n"


def block_of(
    name: str, make: Callable[[Random], Any], ways: Sequence[Way], batch: int = BATCH
) -> Callable[[Block], Tally]:
    """Blocks of a kind of work: a batch of programs in the way whose turn it is."""

    def run(block: Block) -> Tally:
        way = ways[block.number % len(ways)]
        tally = Tally()
        programs = [make(block.random(f"{name} {k}")) for k in range(batch)]
        tally.counts[GENERATED] = batch
        for k, (program, outcome) in enumerate(zip(programs, compare(programs, [way]), strict=True)):
            if outcome.status == IS_REJECTED:
                kind = outcome.detail.partition(":")[0]
                tally.counts[REJECTED] += 1
                tally.counts[f"rejected: {kind}"] += 1
                if kind == UNSUPPORTED:
                    tally.counts[f"not supported: {outcome.detail.partition(': ')[2][:70]}"] += 1
            else:
                tally.counts[outcome.status] += 1
                tally.counts[COMPARED] += outcome.status in IS_COMPARED
            if outcome.is_failure:
                tally.findings.append(_finding(name, block, k, program, outcome, way))
        return tally

    return run


def _finding(name: str, block: Block, k: int, program: Program, outcome: Outcome, way: Way) -> Finding:
    sort = sort_of(outcome, way)
    seconds = block.seconds_to_shrink(sort, SHRINKING)
    block.sorts[sort] += 1
    least, why = minimised(program, outcome, [way], seconds) if seconds else (program, outcome)
    remarks = [f"campaign: seed {block.seed}, {name} {block.number}, program {k}"]
    return Finding(name, sort, f"{way}: {why.detail}", "program.apl", told(name, least, why, way, remarks))


def _lack(target: str) -> Callable[[], str]:
    return lambda: lack_of_device() if target == "opencl" else lack_of(target)


def _kinds(
    name: str,
    what: str,
    make: Callable[[Random], Any],
    shares: Sequence[int],
    batch: int,
    *,
    lanes: bool = False,
) -> tuple[Kind, ...]:
    """Programs of one maker as C, in threads and as kernels, as far as there are shares; kernels are made in
    batches half as large.
    """
    prefix = f"{name}-" if name else ""
    targets = (
        ("c", "as C", LANES_ON_C if lanes else ON_C, batch),
        ("openmp", "in threads", LANES_WITH_THREADS if lanes else WITH_THREADS, batch),
        ("opencl", "as kernels", ON_DEVICE, batch if lanes else batch // 2),
    )
    kinds: list[Kind] = []
    for (target, how, ways, size), share in zip(targets, shares, strict=False):
        full = prefix + target
        kinds.append(Kind(full, f"{what} {how}", share, block_of(full, make, ways, size), _lack(target)))
    return tuple(kinds)


PROGRAMS = (
    *_kinds("", "short programs", random_program, (30, 12, 8), BATCH),
    *_kinds("loose", "programs of any functions of any arrays", program_of_loose, (10, 4, 3), 150),
    *_kinds("moves", "programs that move narrow elements", program_of_moves, (10, 6), BATCH),
    *_kinds("stacks", "programs of stacks and queues", program_of_stacks, (10,), 24),
    *_kinds("joins", "recursions that join what they give", program_of_joins, (10, 6), 24),
    *_kinds("stencils", "programs of stencils", program_of_stencils, (10, 6, 3), 24, lanes=True),
    *_kinds("asked", "programs that ask behind a change", program_of_questions, (10, 5, 3), 24, lanes=True),
    *_kinds("flags", "programs of zeros and ones", program_of_flags, (10, 5, 3), 24),
    *_kinds("recurrences", "programs of recurrences", program_of_recurrences, (10, 5, 3), 24),
    *_kinds("masks", "programs of masks and items", program_of_masks, (10, 5, 3), 24, lanes=True),
    *_kinds("vectors", "programs over long vectors", program_of_vectors, (12, 8, 2), 24, lanes=True),
    *_kinds(
        "riches", "the same with complex numbers and pieces", program_of_riches, (8, 4, 2), 24, lanes=True
    ),
    *_kinds("idioms", "programs of idioms", program_of_idioms, (12, 6, 3), 24),
    *_kinds("wholes", "loops over whole numbers in doubles", program_of_wholes, (6, 2), 24),
    *_kinds("mutants", "samples with other words in them", program_of_mutants, (20, 8, 4), BATCH),
    *_kinds("long", "programs of many statements", long_program, (20, 8, 4), 24),
)
