"""Programs that would take minutes end where they are, at Ctrl-C and at a time limit, on every target, and
leave nothing behind.
"""

import math
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.backends.native.time_limit import TimeIsUp, limited
from aplc.targets import WITH_THREADS
from tests.support.commands import COMMAND, environment
from tests.support.machine import needs_c, needs_device, needs_threads, on_each_target

LONG = 60
"""Seconds after which a process is taken to hang. What is tested would take minutes or for ever."""

ENDLESS = "{3∘×⍣{⍺=3}⊢⍵}"
RECURSIVE = "{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2}"
FLAT = "{+/1○⍳⍵}"
SORTING = "{{⌽⍵[⍋⍵]}⍣{0=≢⍺}⊢⍵}"
ROWS = "{{⌽{⍵[⍋⍵]}⍤1⊢⍵}⍣{0=≢⍺}⊢⍵}"
PROGRAMS = {
    ENDLESS: (0, 1),
    "{⍵=¯1:0 ⋄ ∇2×1+⍵-⍵}": (0, -1),
    RECURSIVE: (80, 10),
    FLAT: (10**11, 10),
}
"""Programs with an argument for which they take long, and one for which they do not."""
IN_THREADS = {text: PROGRAMS[text] for text in (ENDLESS, FLAT, RECURSIVE)}
LARGE = {"{⍵[⍋⍵]}": (10**7,), "{⍵+.×⍵}": (2500, 2500), "{≢∪⍵}": (10**7,)}
"""Functions of the run-time system, and the shapes of arrays on which they take more than a second."""

SCRIPT = """
import os, signal, sys, threading
import numpy as np
import aplc

def held():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def interrupted(work, seconds=0.1):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        work()
        timer.join()
        print("came to its end")
    except KeyboardInterrupt:
        print("interrupted")
"""


def output_of(script: str) -> list[str]:
    """What a Python program with that text prints."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + script], capture_output=True, text=True, timeout=LONG, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def shaped(shape: tuple[int, ...]) -> Any:
    """Numbers in no order."""
    return np.random.default_rng(1).random(shape)


TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]


# --- Ctrl-C -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
def test_an_interrupt_ends_compiled_code_which_can_be_called_again(target: str) -> None:
    programs = PROGRAMS if target == "c" else IN_THREADS
    found = output_of(f"""
for text, (long, short) in {programs!r}.items():
    function = aplc.fn(text, target={target!r})
    value = function(short)
    for _ in range(2):  # the general way, and the short one
        interrupted(lambda: function(long))
    assert function(short) == value
""")
    assert found == ["interrupted"] * 2 * len(programs)


@needs_threads
def test_what_a_run_holds_is_freed_when_it_is_ended() -> None:
    *found, more = output_of(f"""
data = np.random.default_rng(1).random(4 * 10**6)
sort = aplc.fn({SORTING!r}, target="openmp", threads=2)
rows = aplc.fn({ROWS!r}, target="openmp", threads=2)
table = data.reshape(-1, 40)
for _ in range(2):
    interrupted(lambda: sort(data))
    interrupted(lambda: rows(table))
before = held()
for k in range(4):
    interrupted(lambda: sort(data), 0.06 + k / 50)
    interrupted(lambda: rows(table), 0.06 + k / 50)
print(held() - before)
""")
    assert found == ["interrupted"] * 12
    assert int(more) < 32_000_000  # one array


@needs_c
def test_a_handler_that_raises_nothing_lets_the_program_go_on() -> None:
    assert output_of(f"""
seen = []
def handle(number, frame):
    seen.append(aplc.fn("+/")(np.arange(5)))  # which may run programs, too
signal.signal(signal.SIGUSR1, handle)
function = aplc.fn({FLAT!r})
function(10), function(10)
timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1))
timer.start()
value = function(2 * 10**7)
timer.join()
print(seen, abs(value - np.sin(np.arange(1, 2 * 10**7 + 1)).sum()) < 1e-6)
signal.signal(signal.SIGUSR1, lambda number, frame: 1 // 0)
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
try:
    function(10**11)
except ZeroDivisionError:
    print("raised")
""") == ["[10] True", "raised"]


@needs_c
def test_a_handler_is_called_where_an_interrupt_ends_the_process() -> None:
    assert output_of(f"""
function = aplc.fn({FLAT!r})
function(10)
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGTERM, lambda number, frame: 1 // 0)
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
try:
    function(10**11)
except ZeroDivisionError:
    print("raised")
""") == ["raised"]


@needs_c
def test_an_interrupt_is_the_main_threads() -> None:
    assert output_of(f"""
function, others = aplc.fn({FLAT!r}), []
expected = function(2 * 10**7)
function(1)
threads = [threading.Thread(target=lambda: others.append(function(2 * 10**7))) for _ in range(2)]
for thread in threads:
    thread.start()
interrupted(lambda: function(10**11), 0.1)
for thread in threads:
    thread.join()
print([value == expected for value in others])
""") == ["interrupted", "[True, True]"]


@needs_c
def test_an_interrupt_reaches_a_process_that_was_forked_off() -> None:
    assert output_of(f"""
function = aplc.fn({FLAT!r})
interrupted(lambda: function(10**11))
sys.stdout.flush()
if os.fork() == 0:
    interrupted(lambda: function(10**11))
    sys.stdout.flush()
    os._exit(0)
print(os.waitstatus_to_exitcode(os.wait()[1]))
""") == ["interrupted", "interrupted", "0"]


@needs_c
def test_an_interrupt_while_a_program_prints_ends_it() -> None:
    assert (
        output_of("""
aplc.run("{⍵+1⊣⎕←⍵}⍣{⍺>3}⊢1")  # Python loses an interrupt in the locks of an import
interrupted(lambda: aplc.run("{⍵+1⊣⎕←⍵}⍣{⍺<0}⊢1"))
""")[-1]
        == "interrupted"
    )


def test_an_interrupt_ends_the_interpreter_on_its_deep_stack() -> None:
    assert output_of(f"""
interrupted(lambda: aplc.fn({RECURSIVE!r}, target="interp")(80), 0.3)
interrupted(lambda: aplc.fn({ENDLESS!r}, target="interp")(0))
print(threading.active_count())
""") == ["interrupted", "interrupted", "1"]


# --- time limits --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["interp", *TARGETS])
def test_what_takes_longer_than_it_may_is_an_error(target: str) -> None:
    for text, (long, short) in (IN_THREADS if target in WITH_THREADS else PROGRAMS).items():
        if target == "interp" and text is FLAT:
            continue  # which has no memory for it
        value = aplc.fn(text, target=target)(short)  # what is compiled is kept
        function = aplc.fn(text, target=target, time_limit=0.3)
        kinds = []
        for _ in range(2):
            with suppress(aplc.TimeLimitError):  # where the machine is busy
                assert np.isclose(function(short), value)
            with pytest.raises(aplc.TimeLimitError) as failure:
                function(long)
            kinds.append(failure.value.diagnostics[0].kind)
        assert kinds == ["TIME LIMIT"] * 2
        assert np.isclose(aplc.fn(text, target=target, time_limit=LONG)(short), value)


@needs_c
@pytest.mark.parametrize("text", LARGE)
def test_functions_of_the_run_time_system_end_in_time(text: str) -> None:
    function, array = aplc.fn(text, time_limit=0.3), shaped(LARGE[text])
    with pytest.raises(aplc.TimeLimitError):
        function(array)


def test_threads_have_time_limits_of_their_own() -> None:
    found: list[str] = []

    def work(seconds: float) -> None:
        try:
            aplc.run(f"{ENDLESS}0", target="interp", time_limit=seconds)
        except aplc.TimeLimitError as failure:
            found.append(str(failure).split("the ")[1][:3])

    threads = [threading.Thread(target=work, args=(seconds,)) for seconds in (0.3, 0.1, 0.2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert sorted(found) == ["0.1", "0.2", "0.3"]


@needs_c
def test_a_thread_that_gets_no_signals_has_its_time_limit() -> None:
    found: list[bool] = []
    aplc.fn(FLAT)(10)  # what is compiled is kept
    function = aplc.fn(FLAT, time_limit=1)

    def work() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        with suppress(aplc.TimeLimitError):
            function(10**11)
        found.append(True)

    with suppress(aplc.TimeLimitError):  # where the machine is busy
        function(10)
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(LONG)
    assert found == [True]


def test_limits_in_one_another_end_the_work_that_they_are_around() -> None:
    def endless() -> None:
        while True:
            pass

    def inner() -> str:
        with pytest.raises(aplc.TimeLimitError):
            limited(0.05, endless)
        limited(LONG, endless)
        return "not reached"

    with pytest.raises(aplc.TimeLimitError, match=r"the 0.3 s"):
        limited(0.3, inner)
    assert limited(None, lambda: 1) == limited(LONG, lambda: 1) == 1


def test_who_goes_on_nevertheless_is_interrupted_again() -> None:
    times = []

    def stubborn() -> None:
        while True:
            try:
                while True:
                    pass
            except TimeIsUp:
                times.append(time.monotonic())
                if len(times) == 3:
                    raise

    with pytest.raises(aplc.TimeLimitError):
        limited(0.05, stubborn)
    assert len(times) == 3


def test_a_program_that_is_loaded_has_the_limit_in_each_call(tmp_path: Path) -> None:
    path = tmp_path / "p.apl"
    path.write_text(f"endless←{ENDLESS}\ntwice←{{2×⍵}}\n", "utf-8")
    program = aplc.load(path, target="interp", time_limit=1)
    with pytest.raises(aplc.TimeLimitError):
        program.endless(0)
    assert program.twice(3) == 6


@pytest.mark.parametrize("limit", [0, -1, math.inf, math.nan, "1", True, np.array([1.0])])
def test_a_time_limit_is_a_number_of_seconds(limit: Any) -> None:
    with pytest.raises(ValueError, match="time_limit is a positive number of seconds"):
        aplc.fn("+", time_limit=limit)


@pytest.mark.parametrize("limit", [1e300, 10**400, 1e10, np.float32(1e30), np.int64(9**15)])
def test_a_time_limit_may_be_beyond_all_times(limit: Any) -> None:
    assert aplc.run("+/⍳4", time_limit=limit, target="interp") == 10


def test_a_compiler_that_never_answers_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler, started = tmp_path / "cc", tmp_path / "started"
    compiler.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo cc 1 && exit\necho $$ > {started}\nexec sleep 600\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(aplc.TimeLimitError):
        aplc.run("+/⍳x", x=3, time_limit=2)
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
    assert not list((tmp_path / "cache" / "native").glob("work-*"))


# --- the command --------------------------------------------------------------------------------------------


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What the command does."""
    command = [*COMMAND, *arguments]
    return subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=LONG, check=False
    )


@on_each_target
def test_the_command_ends_in_time_with_one_block(target: str, tmp_path: Path) -> None:
    path = tmp_path / "endless.apl"
    path.write_text(f"⎕←1 2 3\n⎕←{ENDLESS}0\n", "utf-8")
    done = ran(str(path), "--target", target, "--time-limit", "1")
    assert done.returncode == 1
    assert done.stdout in ("1 2 3\n", "")  # where the machine is busy, the limit is one of compiling
    assert done.stderr == "aplc: TIME LIMIT: compiling and running take longer than the 1 s that they may\n"


@pytest.mark.parametrize("limit", ["0", "-1", "inf", "soon", "", "1_0", "٣"])
def test_the_command_takes_a_positive_number_of_seconds(limit: str, tmp_path: Path) -> None:
    path = tmp_path / "one.apl"
    path.write_text("1\n", "utf-8")
    done = ran(str(path), f"--time-limit={limit}")
    assert done.returncode == 2
    assert "a positive number of seconds is expected" in done.stderr


def test_the_command_takes_any_number_of_seconds(tmp_path: Path) -> None:
    path = tmp_path / "one.apl"
    path.write_text("1\n", "utf-8")
    done = ran(str(path), "--target", "interp", "--time-limit", "1e300")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


@needs_c
@pytest.mark.parametrize("text", ["{⌽⍣{0}⍵}", "{+/⌽⍣{0}⍵}", "{⎕←⌽⍣{0}⍵ ⋄ 1}"])
def test_a_loop_that_visibly_has_no_end_is_compiled(text: str) -> None:
    with pytest.raises(aplc.TimeLimitError):
        aplc.fn(text, time_limit=1)(np.arange(9.0))
