"""An exception that comes from outside comes anywhere, also where a lock has just been taken: it is raised at
each step of what waits for threads and clocks, and all that comes afterwards works.
"""

import subprocess
import sys
from typing import Final

import pytest

from tests.support.machine import needs_c

LONG: Final = 20
"""Seconds after which a process is taken to hang."""

SCRIPT = f"""
import faulthandler, itertools, os, signal, sys, threading, time
faulthandler.dump_traceback_later({LONG}, exit=True)
import numpy as np
import aplc
from aplc.deep_stack import with_deep_stack
from aplc.backends.native.time_limit import TimeIsUp, limited
from aplc.tail.errors import TimeLimitError

WATCHED = ("time_limit.py", "stopping.py", "threading.py")

class Interrupting:
    '''Raises an exception at one step of the code that is watched, a number of steps from now.'''
    def __init__(self, failure, steps):
        self.failure, self.left = failure, steps
    def __enter__(self):
        sys.settrace(self.trace)
        return self
    def __exit__(self, *_):
        sys.settrace(None)
    def trace(self, frame, event, _):
        if not frame.f_code.co_filename.endswith(WATCHED):
            return None
        if event in ("call", "return"):
            self.left -= 1
            if self.left == 0:
                raise self.failure
        return self.trace

def each_step(failure, work):
    for step in itertools.count(1):
        with Interrupting(failure, step) as interrupting:
            try:
                work()
            except failure:
                pass
        if interrupting.left > 0:
            return step

def endless():
    while True:
        pass

def ends_in_time():
    try:
        limited(0.05, endless)
    except TimeLimitError:
        return True
"""


def answers(script: str) -> list[str]:
    """What a program with that text prints, which says nothing else."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + script], capture_output=True, text=True, timeout=2 * LONG, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split("\n")[:-1]


def test_time_may_be_up_at_any_step_of_the_clock() -> None:
    assert answers("""
print(each_step(TimeIsUp, lambda: limited(60, lambda: limited(60, int))) > 5, ends_in_time())
""") == ["True True"]


def test_limits_beyond_what_python_waits_for() -> None:
    assert answers("print(limited(1e300, int), ends_in_time(), aplc.run('1+1', time_limit=1e300))") == [
        "0 True 2"
    ]


@pytest.mark.parametrize("target", [pytest.param("c", marks=needs_c), "interp"])
def test_an_interrupt_may_come_at_any_step_of_waiting_for_a_thread(target: str) -> None:
    assert answers(f"""
function = aplc.fn("{{⍵<1:¯9 ⋄ -∇⍵-1}}", target={target!r})
function(9), function(9)
print(each_step(KeyboardInterrupt, lambda: function(9)) > 5)
print(function(9), ends_in_time(), threading.active_count(), sys.getrecursionlimit())
""") == ["True", "9 True 1 1000"]


@needs_c
def test_what_a_call_has_made_is_freed_where_an_interrupt_has_waited_for_its_end() -> None:
    (more,) = answers("""
from dataclasses import replace
function, array = aplc.fn("{(⍵+1)(⍵×2)}"), np.ones(10**6)
function(array)
((_, compiled),) = function._compiled.items()
program = compiled.runnable

def interrupted(*arguments):
    program.entry(*arguments)
    raise KeyboardInterrupt

def held():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

before = held()
for _ in range(20):
    try:
        replace(program, entry=interrupted).run([array], print)
    except KeyboardInterrupt:
        pass
print(held() - before)
""")
    assert int(more) < 80_000_000  # five of them


def test_threads_that_recurse_deeply_at_once() -> None:
    assert answers("""
is_deep, has_ended = threading.Event(), threading.Event()

def down(levels, then):
    return then() if levels == 0 else 1 + down(levels - 1, then)

def first():
    def deep():
        is_deep.set()
        time.sleep(0.1)
        return 0
    found.append(with_deep_stack(lambda: down(2000, deep)))
    has_ended.set()

def second():
    def deep():
        has_ended.wait(0.5)
        return down(10, int)
    is_deep.wait(0.2)
    return down(3000, deep)

found = []
thread = threading.Thread(target=first)
thread.start()
found.append(with_deep_stack(second))
thread.join()
print(sorted(found), sys.getrecursionlimit())
""") == ["[2000, 3010] 1000"]
