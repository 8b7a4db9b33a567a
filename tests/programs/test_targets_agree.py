"""Random programs mean the same everywhere: the interpreter before and after the passes, and C at its levels.

A longer campaign is `python -m tests.fuzz_targets`.
"""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from aplc.backends.c import expressions as c_expr
from aplc.backends.c.program import CProgram
from aplc.compiler import to_tail
from aplc.inputs import as_input
from aplc.tail import prims
from aplc.tail.errors import AplcError
from aplc.tail.source import Source
from tests import fuzz_targets
from tests.campaign.mutants import program_of_mutants
from tests.fuzz_targets import AGREED, COMPARED, CRASHED, DIFFERS, REJECTED, compare, minimised
from tests.support.apl_programs.asked import program_of_questions
from tests.support.apl_programs.flags import program_of_flags
from tests.support.apl_programs.idioms import PARTS, Idioms, program_of_idioms, table
from tests.support.apl_programs.masks import program_of_masks
from tests.support.apl_programs.programs import random_program
from tests.support.apl_programs.riches import program_of_riches
from tests.support.apl_programs.stencils import program_of_stencils
from tests.support.apl_programs.trees import Program, array, smaller, walk
from tests.support.apl_programs.vectors import program_of_vectors
from tests.support.apl_programs.wholes import program_of_wholes
from tests.support.days import of_today
from tests.support.machine import needs_c, needs_threads
from tests.support.observing import Observed, difference

PROGRAMS_PER_BATCH = 24
LEVELS = ((0, 2), (0, 3), (1, 2), (0, 2))
SECONDS_TO_SHRINK = 60

IMPLEMENTED = "+-×÷⌈⌊|*⍟=≠<≤≥>∧∨⍲⍱~⍴⍳,⌽⊖⍉↑↓⊃≢≡⊢⊣/⌿¨∘.⍨{⍺⍵←⎕⋄"
"""Every symbol that the random programs are made of."""


@pytest.mark.in_turn(4)
@needs_c
@pytest.mark.parametrize("batch", of_today(range(len(LEVELS)), 2))
def test_targets_agree(batch: int) -> None:
    levels, first = LEVELS[batch], batch * PROGRAMS_PER_BATCH
    programs = [random_program(Random(seed)) for seed in range(first, first + PROGRAMS_PER_BATCH)]
    outcomes = compare(programs, levels)
    for seed, (program, outcome) in enumerate(zip(programs, outcomes, strict=True), start=first):
        if outcome.is_failure:
            least, why = minimised(program, outcome, levels, SECONDS_TO_SHRINK)
            message = f"seed {seed}: {outcome.detail}\nthe smallest: {why.detail}\n{least}"
            pytest.fail(message, pytrace=False)
    compared = sum(outcome.status in COMPARED for outcome in outcomes)
    assert compared > len(programs) / 2, Counter(o.detail or o.status for o in outcomes)


@pytest.mark.in_turn(8)
@needs_threads
def test_stencils_agree() -> None:
    programs = [program_of_stencils(Random(seed)) for seed in range(8)]
    outcomes = compare(programs, [fuzz_targets.Way(22)])
    assert [f"seed {k}: {o.detail}" for k, o in enumerate(outcomes) if o.status != AGREED] == []


@pytest.mark.in_turn(8)
@needs_c
def test_loops_over_whole_numbers_agree() -> None:
    programs = [program_of_wholes(Random(seed)) for seed in range(12)]
    outcomes = compare(programs, [fuzz_targets.Way(2)])
    assert [f"seed {k}: {o.detail}" for k, o in enumerate(outcomes) if o.status != AGREED] == []


@pytest.mark.in_turn(8)
@needs_c
def test_complex_numbers_and_pieces_agree() -> None:
    programs = [program_of_riches(Random(seed)) for seed in range(12)]
    outcomes = compare(programs, [fuzz_targets.Way(2, in_haste=True)])
    assert [f"seed {k}: {o.detail}" for k, o in enumerate(outcomes) if o.is_failure] == []
    assert sum(outcome.status in COMPARED for outcome in outcomes) > len(programs) / 2


@pytest.mark.in_turn(8)
@needs_threads
def test_masks_agree() -> None:
    programs = [program_of_masks(Random(seed)) for seed in range(12)]
    outcomes = compare(programs, [fuzz_targets.Way(22)])
    assert [
        f"seed {k}: {o.detail}" for k, o in enumerate(outcomes) if o.status not in (AGREED, REJECTED)
    ] == []


@pytest.mark.in_turn(8)
@needs_c
def test_what_is_asked_behind_a_change_agrees() -> None:
    programs = [program_of_questions(Random(seed)) for seed in range(12)]
    outcomes = compare(programs, [fuzz_targets.Way(2)])
    assert [f"seed {k}: {o.detail}" for k, o in enumerate(outcomes) if o.is_failure] == []
    assert sum(outcome.status in COMPARED for outcome in outcomes) > len(programs) / 2


@pytest.mark.in_turn(8)
@needs_c
def test_flags_agree() -> None:
    programs = [program_of_flags(Random(seed)) for seed in range(16)]
    outcomes = compare(programs, [fuzz_targets.Way(2)])
    assert [f"seed {k}: {o.detail}" for k, o in enumerate(outcomes) if o.is_failure] == []
    assert sum(outcome.status in COMPARED for outcome in outcomes) > len(programs) / 2


@pytest.mark.in_turn(8)
@needs_c
def test_samples_with_other_words_in_them_agree() -> None:
    programs = [program_of_mutants(Random(seed)) for seed in range(10)]
    outcomes = compare(programs, [fuzz_targets.Way(2, in_haste=True)])
    assert [f"seed {k}: {o.detail}" for k, o in enumerate(outcomes) if o.is_failure] == []
    assert sum(outcome.status in COMPARED for outcome in outcomes) > len(programs) / 2


@pytest.mark.in_turn(8)
@needs_threads
def test_idioms_agree() -> None:
    programs = [program_of_idioms(Random(seed)) for seed in range(12)]
    outcomes = compare(programs, [fuzz_targets.Way(22, in_haste=True)])
    assert [f"seed {k}: {o.detail}" for k, o in enumerate(outcomes) if o.is_failure] == []
    assert sum(outcome.status in COMPARED for outcome in outcomes) > len(programs) / 2


@pytest.mark.in_turn(8)
@needs_threads
def test_long_vectors_agree() -> None:
    programs = [program_of_vectors(Random(seed)) for seed in range(16)]
    outcomes = compare(programs, [fuzz_targets.Way(22)])
    assert [f"seed {k}: {o.detail}" for k, o in enumerate(outcomes) if o.is_failure] == []
    assert sum(outcome.status in COMPARED for outcome in outcomes) > len(programs) / 2


def is_accepted(program: Program) -> bool:
    """Whether the compiler gives a program a type; what cannot be read is a fault of the generator."""
    types = {name: as_input(value).type for name, value in program.inputs.items()}
    try:
        to_tail([Source("text", program.text)], types, value_of_assignment=True)
    except AplcError as error:
        assert error.diagnostics[0].kind != "SYNTAX ERROR", program.text
        return False
    return True


def test_most_programs_of_idioms_are_accepted() -> None:
    accepted = [is_accepted(program_of_idioms(Random(seed))) for seed in range(30)]
    assert sum(accepted) > 0.8 * len(accepted)


def test_every_idiom_is_made() -> None:
    """Each alone, with inputs, constants and the plainest idioms in its holes, can be read."""
    idioms = [(kind, each) for kind, some in table().items() if kind not in PARTS for each in some]
    assert len(idioms) > 1000
    for kind, each in idioms:
        made = Idioms(Random(each))
        is_accepted(made.program((kind, each)))
        assert (kind, each) in made.made
    reached = set[tuple[str, str]]()
    for seed in range(600):
        made = Idioms(Random(seed))
        made.program()
        reached |= made.made
    assert len(reached) > 0.8 * len(idioms)


def one(text: str, **inputs: object) -> Program:
    return Program(array(text), {name: np.asarray(value) for name, value in inputs.items()})


# --- programs that a campaign found ---------------------------------------------------------------------

FOUND = {
    "rotation of an empty vector": one("2⌽I", I=np.zeros(0, np.int64)),
    "rotation of an empty matrix": one("2⊖D", D=np.zeros((0, 3))),
    "sum of an empty rotated vector": one("+/2⌽D", D=np.zeros(0)),
    "an operand that an outer product ignores": one("(1÷B)∘.⊢0", B=[False]),
    "an operand that a function ignores": one("{1}¨÷D", D=[0.0, 1.0]),
    "a left operand that is ignored": one("D{⍺}¨÷E", D=[1.0, 1.0], E=[0.0, 1.0]),
    "an element of a table beyond its end": one("6⊃1 0 1 1 0"),
    "an element of a table before its start": one("0⊃1 0 1 1 0"),
    "an error that cancels": one("x←⌊D ⋄ x-x", D=[1e300, 1.0]),
    "an error times zero": one("0×⌊D", D=[1e300, 1.0]),
    "an error looked for in nothing": one("I⍳⌊D", I=np.zeros(0, np.int64), D=[1e300]),
    "the least rotation": one("¯9223372036854775808⌽I", I=[1, 2, 3, 4, 5]),
    "a common divisor of one number": one("∨/I", I=[-3]),
    "a common divisor of rows of one number": one("∨⌿I", I=[[-1, 2]]),
    "a scalar that is written to memory": one("(0+.{⊢⌿⍬}0)≡0"),
    "a fold that would fail where nothing is computed": one(
        "|⌿{{⍵}/,I}¨J", I=np.zeros(0, np.int64), J=np.zeros((3, 7, 0), np.int64)
    ),
    "a value beside each item of a strand": one("((+⍣0+1)⍬)≤(1⍴2)∘.≥0"),
    "a name of capitals and a digit": one("I2+I2", I2=[1, 2]),
    "a name like a macro": one("A_B+A_B", A_B=[1, 2]),
    "an index that is no whole number": one("⍴I[D]", I=[5, 6, 7], D=[1.5, 2.0]),
    "an index after an error": one("{+/(⌊⍵)⌷I}¨D", I=[[5, 6], [7, 8]], D=[1.0, 1e300]),
    "an index after an error in a sum": one("{(⌊+/÷I[⍵;])⊃5 6}¨J", I=[[1, 1], [0, 1]], J=[1, 2]),
    "an element after an error in a sum": one("(⌊+/÷D)⊃I", D=[1.0, 0.0], I=[1, 2]),
    "a size after an error in a sum": one("(1-⌊+/÷D)⍴I", D=[1.0, 0.0], I=[1, 2]),
    "a loop that an error makes endless": one("{({⍵×2}⍣{10≤⍺})⌊⍵}¨D", D=[1.0, 1e300]),
    "a recursion that an error makes endless": one("{{⍵=1:0 ⋄ 1+∇⍵-1}⌊⍵}¨D", D=[1.0, 1e300]),
    "remainders from the right": one("⌽|/I⍳D", I=[1, -3, 12], D=[0.0, 3.0]),
    "rows looked for in a version of their own": one(
        "D⍳B≥⍬∘.|I", D=np.zeros((4, 0)), B=np.zeros((3, 0), bool), I=np.zeros(0, np.uint8)
    ),
    "a round that changes nothing": one("({u←⍵ ⋄ u[1]≠←0 ⋄ u[]≠←u ⋄ u}⍣⊃⍴B)0 1", B=[False]),
}


IN_THREADS = {
    "a length that a call inside of the loop gives": one(
        "A({5↑∪B}⍤1 1)0", A=np.zeros((0, 6, 0), bool), B=np.asarray(False)
    ),
}


@needs_threads
def test_programs_that_a_campaign_found_in_threads() -> None:
    outcomes = compare(list(IN_THREADS.values()), (22,))
    assert [o.status for o in outcomes] == [AGREED] * len(IN_THREADS), outcomes


@needs_c
def test_programs_that_a_campaign_found() -> None:
    outcomes = compare(list(FOUND.values()), (0, 1, 2, 3))
    wrong = [f"{what}: {o.status} {o.detail}" for what, o in zip(FOUND, outcomes, strict=True)]
    assert not [w for w, o in zip(wrong, outcomes, strict=True) if o.status != AGREED]


# --- the generator and the comparison -------------------------------------------------------------------


def test_programs_hold_everything_that_is_implemented() -> None:
    texts = "".join([random_program(Random(seed)).text for seed in range(400)])
    assert [symbol for symbol in IMPLEMENTED if symbol not in texts] == []


def test_a_seed_is_a_program() -> None:
    assert str(random_program(Random(7))) == str(random_program(Random(7)))


def test_inputs_are_of_every_kind() -> None:
    values = [v for seed in range(300) for v in random_program(Random(seed)).inputs.values()]
    kinds = {(v.dtype.kind, min(v.ndim, 3)) for v in values}
    assert kinds >= {(kind, rank) for kind in "bifU" for rank in range(4)}
    assert any(v.ndim and v.size == 0 for v in values)
    doubles = np.concatenate([v.reshape(-1) for v in values if v.dtype == np.float64])
    assert np.isnan(doubles).any() and np.isinf(doubles).any()
    assert (np.signbit(doubles) & (doubles == 0)).any()


@pytest.mark.in_turn(8)
def test_smaller_programs_are_smaller() -> None:
    for seed in range(0, 60, 6):
        program = random_program(Random(seed))
        for less in smaller(program):
            assert less.size() < program.size()
            assert set(less.inputs) <= {n.text() for n in walk(less.tree)}


@pytest.mark.parametrize(
    ("a", "b", "differs"),
    [
        ([1.0], [1.0 + 1e-12], False),
        ([1.0], [1.0 + 1e-6], True),
        ([np.nan], [np.nan], False),
        ([np.inf], [-np.inf], True),
        ([np.inf], [1e308], True),
        ([1], [1.0], True),
        ([1, 2], [1, 3], True),
        ([[1, 2]], [1, 2], True),
        (np.zeros((0, 2)), np.zeros((2, 0)), True),
    ],
)
def test_values_differ(a: object, b: object, differs: bool) -> None:
    first, second = [Observed([], (np.asarray(x),)) for x in (a, b)]
    assert bool(difference(first, second)) == differs


def test_errors_and_prints_differ() -> None:
    printed = Observed([np.asarray(1)], "DOMAIN ERROR")
    assert difference(printed, Observed([np.asarray(1)], "LENGTH ERROR"))
    assert difference(printed, Observed([np.asarray(2)], "DOMAIN ERROR"))
    assert difference(printed, Observed([], "DOMAIN ERROR"))
    assert not difference(printed, printed)


@pytest.mark.in_turn(6)
@needs_c
def test_a_difference_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(c_expr.SPELLING, prims.MAXI, c_expr.Named("aplc_min_int"))
    program = one("⌽(⍳4)+⊃⌈/5,I", I=[1, 2, 7])
    (outcome,) = compare([program], (2,))
    assert outcome.status == DIFFERS
    assert compare([one("1+")], (2,))[0].status == REJECTED


@needs_c
def test_a_crash_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "static inline void aplc_crash(void) { *(volatile int *)0 = 0; }\n"
    original = fuzz_targets.c_of

    def broken(case: Any, level: int) -> CProgram:
        made = original(case, level)
        if "aplc_sign_int" not in made.text:
            return made
        return replace(made, text=text + made.text.replace("aplc_sign_int(", "(aplc_crash(), 1) + ("))

    monkeypatch.setattr(fuzz_targets, "c_of", broken)
    programs = [one("1+I", I=[1, 2]), one("×I", I=[1, 2]), one("2+I", I=[1, 2])]
    outcomes = compare(programs, (2,))
    assert [o.status for o in outcomes] == [AGREED, CRASHED, AGREED]
    assert "SIGSEGV" in outcomes[1].detail
