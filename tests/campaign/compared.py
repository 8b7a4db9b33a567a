"""Programs compared: the interpreter before and after the passes, and one of the ways of compiled code."""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from aplc.tail.errors import UNSUPPORTED, MachineError
from tests.campaign.judging import time_limit
from tests.campaign.longer import long_program
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
from tests.support.apl_programs.idioms import program_of_idioms
from tests.support.apl_programs.masks import program_of_masks
from tests.support.apl_programs.moves import program_of_moves
from tests.support.apl_programs.programs import random_program
from tests.support.apl_programs.stacks import program_of_stacks
from tests.support.apl_programs.stencils import program_of_stencils
from tests.support.apl_programs.trees import Program
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


PROGRAMS = (
    Kind("c", "short programs as C", 30, block_of("c", random_program, ON_C), _lack("c")),
    Kind(
        "openmp",
        "short programs as C in threads",
        12,
        block_of("openmp", random_program, WITH_THREADS),
        _lack("openmp"),
    ),
    Kind(
        "opencl",
        "short programs as kernels",
        8,
        block_of("opencl", random_program, ON_DEVICE, 24),
        _lack("opencl"),
    ),
    Kind(
        "moves-c",
        "programs that move narrow elements as C",
        10,
        block_of("moves-c", program_of_moves, ON_C),
        _lack("c"),
    ),
    Kind(
        "moves-openmp",
        "programs that move narrow elements in threads",
        6,
        block_of("moves-openmp", program_of_moves, WITH_THREADS),
        _lack("openmp"),
    ),
    Kind(
        "stacks-c",
        "programs of stacks and queues as C",
        10,
        block_of("stacks-c", program_of_stacks, ON_C, 24),
        _lack("c"),
    ),
    Kind(
        "stencils-c",
        "programs of stencils as C",
        10,
        block_of("stencils-c", program_of_stencils, LANES_ON_C, 24),
        _lack("c"),
    ),
    Kind(
        "stencils-openmp",
        "programs of stencils in threads",
        6,
        block_of("stencils-openmp", program_of_stencils, LANES_WITH_THREADS, 24),
        _lack("openmp"),
    ),
    Kind(
        "stencils-opencl",
        "programs of stencils as kernels",
        3,
        block_of("stencils-opencl", program_of_stencils, ON_DEVICE, 24),
        _lack("opencl"),
    ),
    Kind(
        "masks-c",
        "programs of masks and items as C",
        10,
        block_of("masks-c", program_of_masks, LANES_ON_C, 24),
        _lack("c"),
    ),
    Kind(
        "masks-openmp",
        "programs of masks and items in threads",
        5,
        block_of("masks-openmp", program_of_masks, LANES_WITH_THREADS, 24),
        _lack("openmp"),
    ),
    Kind(
        "masks-opencl",
        "programs of masks and items as kernels",
        3,
        block_of("masks-opencl", program_of_masks, ON_DEVICE, 24),
        _lack("opencl"),
    ),
    Kind(
        "idioms-c",
        "programs of idioms as C",
        12,
        block_of("idioms-c", program_of_idioms, ON_C, 24),
        _lack("c"),
    ),
    Kind(
        "idioms-openmp",
        "programs of idioms in threads",
        6,
        block_of("idioms-openmp", program_of_idioms, WITH_THREADS, 24),
        _lack("openmp"),
    ),
    Kind(
        "idioms-opencl",
        "programs of idioms as kernels",
        3,
        block_of("idioms-opencl", program_of_idioms, ON_DEVICE, 12),
        _lack("opencl"),
    ),
    Kind(
        "long-c",
        "programs of many statements as C",
        20,
        block_of("long-c", long_program, ON_C, 24),
        _lack("c"),
    ),
    Kind(
        "long-openmp",
        "programs of many statements in threads",
        8,
        block_of("long-openmp", long_program, WITH_THREADS, 24),
        _lack("openmp"),
    ),
    Kind(
        "long-opencl",
        "programs of many statements as kernels",
        4,
        block_of("long-opencl", long_program, ON_DEVICE, 12),
        _lack("opencl"),
    ),
)
