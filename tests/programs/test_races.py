"""Generated OpenMP under ThreadSanitizer: no two threads touch an element of which one writes it.

The library of OpenMP is not made for ThreadSanitizer, which does not see what its barriers order. So a team
of threads is started and ended here by `pthread_create` and `pthread_join`, which it knows: the generated
code is the same. Loops of any length run in threads. As in `test_generated_c` other programs come every day.

Archer tells ThreadSanitizer what the library of OpenMP does, that of clang. Where all of them are at hand,
threads are those of that library, too.
"""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.fuzz_targets import Case, Given
from tests.fuzz_targets import prepared as elaborated
from tests.support.apl_programs.programs import random_program
from tests.support.generated_c.watched import (
    ROUND,
    Tool,
    fail_with,
    faults,
    of_tier_1,
    one,
    sample_cases,
    watched,
)
from tests.support.machine import require

PROGRAMS = 12
LEVEL = 30
"""That of `fuzz_targets`; the loops are those of level 0."""
LEVEL_OF_LOOPS = 32

RACES = Tool(
    ("-fopenmp", "-fsanitize=thread", "-DAPLC_WORTH=0.0"),
    (),
    ("WARNING: ", "SUMMARY: "),
    {"TSAN_OPTIONS": "halt_on_error=1"},
)

TEAM = """
#include <pthread.h>
enum { TEST_THREADS = 3 };
typedef struct { void (*work)(void *); void *data; int number, count; } test_member;
static _Thread_local test_member test_self = {0, 0, 0, 1};

static void *test_start(void *member) {
    test_self = *(test_member *)member;
    test_self.work(test_self.data);
    return NULL;
}

void GOMP_parallel(void (*work)(void *), void *data, unsigned count, unsigned flags) {
    test_member members[16];
    pthread_t threads[16];
    (void)flags;
    for (unsigned k = 0; k < count; k++) {
        members[k] = (test_member){work, data, (int)k, (int)count};
        pthread_create(&threads[k], NULL, test_start, &members[k]);
    }
    for (unsigned k = 0; k < count; k++)
        pthread_join(threads[k], NULL);
}

int omp_get_thread_num(void) { return test_self.number; }
int omp_get_num_threads(void) { return test_self.count; }
int omp_in_parallel(void) { return test_self.count > 1; }
int omp_get_max_threads(void) { return TEST_THREADS; }
"""

RACE = """
#include <stdint.h>
int64_t a[4];
int main(void) {
    #pragma omp parallel for num_threads(3) schedule(static, 1)
    for (int part = 0; part < 3; part++)
        a[PLACE] += part;
    return a[0] + a[1] < 0;
}
"""


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A directory to work in; the test is skipped where races are not found."""
    require("openmp")
    clean = watched(RACES, RACE.replace("PLACE", "part") + TEAM, tmp_path)
    if clean.status != 0:
        pytest.skip(f"NOT CHECKED: ThreadSanitizer does not run here ({clean.complaint.strip()[:200]})")
    return tmp_path


def test_a_race_is_found(scratch: Path) -> None:
    assert "data race" in watched(RACES, RACE.replace("PLACE", "0") + TEAM, scratch).complaint


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("level", [LEVEL, LEVEL_OF_LOOPS])
@pytest.mark.parametrize("make", [random_program, of_tier_1])
def test_random_programs(make: Callable[[Random], Given], level: int, scratch: Path) -> None:
    first = 2_000_000 + (ROUND * 2 + (level == LEVEL)) * PROGRAMS
    programs = {seed: make(Random(seed)) for seed in range(first, first + PROGRAMS)}
    ready = {f"{seed}: {p.text}": elaborated(p) for seed, p in programs.items()}
    cases = {name: case for name, case in ready.items() if isinstance(case, Case)}
    fail_with(faults(RACES, cases, level, scratch, TEAM))


@pytest.mark.in_turn(6)
def test_samples(scratch: Path) -> None:
    some = dict(list(sample_cases().items())[ROUND % 3 :: 3])
    fail_with(faults(RACES, some, LEVEL_OF_LOOPS, scratch, TEAM))


LARGE = [[float((7 * i * i + 3 * i * j) % 31 + 50 * (i == j)) for j in range(40)] for i in range(40)]

SPEECH = list("to be or not to be  a question of being or not ")

TEXTS = (
    one("+/v", v=[1.5, 2.5, 3.0, 4.0, 9.0]),
    one("+\\v", v=[1.5, 2.5, 3.0, 4.0, 9.0]),
    one("(v>2)/v", v=[1.5, 2.5, 3.0, 1.0, 9.0, 0.5, 7.0]),
    one("+\\(v>2)/v", v=[1.5, 2.5, 3.0, 1.0, 9.0, 0.5, 7.0]),
    one("+/m", m=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),
    one("m+.×m", m=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),
    one("⍉m", m=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
    one("{÷⍵}¨v", v=[1.5, 0.0, 3.0, 0.0]),
    one("{a←⍵ ⋄ a[⍋a]←⍳≢a ⋄ a}⍤1⊢m", m=[[3, 1, 2], [9, 7, 8], [1, 1, 2]]),
    one("{2>≢⍵:⍵ ⋄ (⍵>⊃⍵)/⍵}¨v", v=[1.5, 2.5]),
    one("({0.5×(1⌽⍵)+¯1⌽⍵}⍣5)v", v=[1.5, 2.5, 3.0, 4.0, 9.0, 1.0]),
    one("{(2×⍵)⌊({⍵×1.5}⍣{⍺>50})⍵}¨v", v=[1.5, 2.5, 3.0, 4.0, 9.0, 1.0]),
    one("({(1+⍵)÷2}⍣5)v", v=[1.5, 2.5, 3.0, 4.0, 9.0, 1.0]),
    # Calls as tasks, with results in memory and without.
    one("{1≥≢⍵:⍵ ⋄ p←⊃⍵ ⋄ (∇(⍵<p)/⍵),((⍵=p)/⍵),∇(⍵>p)/⍵}v", v=[1.5, 2.5, 3.0, 0.5, 9.0, 1.0]),
    one("{⍵<2:⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2}n", n=7),
    one("{⍵<2:÷⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2}n", n=5),
    # Products in panels, a symmetric one, and elimination with such updates.
    one("(m+.×m),m+.×⍉m", m=LARGE),
    one("(⌹m),(m⌹m),m[;1]⌹m", m=LARGE),
    # Items in tables of threads, which are joined: streamed, entered, numbered.
    one("{≢⍵}⌸' '(≠⊆⊢)t", t=SPEECH),
    one("w⍳w←' '(≠⊆⊢)t", t=SPEECH),
    one("w{+/⍵}⌸⍳≢w←' '(≠⊆⊢)t", t=SPEECH),
    one("{≢⍵}⌸m⊂v", m=[True, False] * 9, v=[1, 2, 3, 1, 2, 9] * 3),
    # Windows of rows in place, in two chunks.
    one("({r←⍵+(1⌽⍵)+¯1⌽⍵ ⋄ s←r+(1⊖r)+¯1⊖r ⋄ (s=3)∨(s=4)∧⍵}⍣2)3>7|400 400⍴⍳997"),
)


def loops_of_every_kind() -> dict[str, Case]:
    ready = {each.text: elaborated(each) for each in TEXTS}
    cases = {text: case for text, case in ready.items() if isinstance(case, Case)}
    assert len(cases) == len(TEXTS), [case for case in ready.values() if not isinstance(case, Case)]
    return cases


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("level", [LEVEL, LEVEL_OF_LOOPS])
def test_loops_of_every_kind(level: int, scratch: Path) -> None:
    fail_with(faults(RACES, loops_of_every_kind(), level, scratch, TEAM))


# --- with the library of OpenMP -------------------------------------------------------------------------


def archer(clang: str) -> str:
    """The library that clang's of OpenMP takes Archer from; empty where there is none."""
    command = [clang, "-print-resource-dir"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    found = [place / "libarcher.so" for place in Path(told).parents]
    return next((str(path) for path in found if path.is_file()), "")


@pytest.fixture(scope="module")
def watcher(tmp_path_factory: pytest.TempPathFactory) -> Tool:
    """ThreadSanitizer with Archer; the test is skipped where they do not run. clang's own library for the
    former may not be there when gcc's is, which it can use.
    """
    clang = shutil.which("clang")
    if clang is None or not (library := archer(clang)):
        pytest.skip("NOT CHECKED: there is no clang with Archer (`apt install clang libomp-dev`)")
    settings = {**RACES.environment, "OMP_TOOL_LIBRARIES": library, "OMP_NUM_THREADS": "3"}
    settings["TSAN_OPTIONS"] += ":ignore_noninstrumented_modules=1"
    for flags in ((), ("-fno-sanitize-link-runtime", "-ltsan")):
        tool = replace(RACES, compiler=clang, flags=(*RACES.flags, *flags), environment=settings)
        if watched(tool, RACE.replace("PLACE", "part"), tmp_path_factory.mktemp("archer")).status == 0:
            return tool
    pytest.skip("NOT CHECKED: clang's ThreadSanitizer does not run here")


def test_a_race_is_found_with_the_library(watcher: Tool, tmp_path: Path) -> None:
    assert "data race" in watched(watcher, RACE.replace("PLACE", "0"), tmp_path).complaint


@pytest.mark.in_turn(6)
def test_loops_of_every_kind_with_the_library(watcher: Tool, tmp_path: Path) -> None:
    level = LEVEL if ROUND % 2 else LEVEL_OF_LOOPS
    fail_with(faults(watcher, loops_of_every_kind(), level, tmp_path))


def test_samples_with_the_library(watcher: Tool, tmp_path: Path) -> None:
    some = dict(list(sample_cases().items())[ROUND % 7 :: 7])
    fail_with(faults(watcher, some, LEVEL_OF_LOOPS, tmp_path))
