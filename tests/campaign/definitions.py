"""Definitions between two `∇` against what Python makes of them, as the interpreter and as C."""

from random import Random

import aplc
from tests.campaign.work import COMPARED, GENERATED, Block, Finding, Kind, Tally
from tests.support.machine import lack_of
from tests.support.procedures import Writer, Written, meaning

BATCH = 24
TARGETS = ("interp", "interp", "interp", "c")


def _differs(written: Written, choices: Random) -> tuple[str, str] | None:
    """A program and how it is wrong; None where it is right."""
    target, argument = choices.choice(TARGETS), choices.choice((0, 3, 5, 8))
    text = choices.choice((written.structured, written.with_labels))
    program = f"{text}\nf {argument}+0⌊⊃⎕TS\n"  # a number that only the run knows
    expected = meaning(written, argument)
    try:
        found = [int(each) for each in aplc.run(program, target=target)]  # type: ignore[union-attr]
    except aplc.Error as error:
        if expected is None and "VALUE ERROR" in str(error):
            return None
        return program, f"{target}: {error}, expected {expected}"
    return None if found == expected else (program, f"{target}: {found}, expected {expected}")


def _run(block: Block) -> Tally:
    tally = Tally()
    for k in range(BATCH):
        choices = block.random(f"definitions {k}")
        wrong = _differs(Writer(choices.getrandbits(40)).definition(), choices)
        tally.counts[GENERATED] += 1
        tally.counts[COMPARED] += 1
        if wrong is not None:
            program, why = wrong
            text = f"⍝ campaign: seed {block.seed}, definitions {block.number}, program {k}\n{program}"
            tally.findings.append(Finding("definitions", "definitions between ∇", why, "program.apl", text))
    return tally


DEFINITIONS = (
    Kind("definitions", "definitions between two ∇ against Python", 6, _run, lambda: lack_of("c")),
)
