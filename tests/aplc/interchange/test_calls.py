"""Calls with arrays of arrays beside flat ones: the quick way in, limits, threads, pickles, Ctrl-C."""

import pickle
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import TARGETS, needs_c

RAGGED = [[1, 2], [], [3, 4, 5]]


@pytest.mark.parametrize("target", TARGETS)
def test_flat_and_nested_arguments_in_turn(target: str) -> None:
    """Flat ones take the quick way from the third call on; the others go on as they did."""
    total = aplc.fn("{+/∊⍵}", target=target)
    flat = np.arange(10)
    for _ in range(5):
        assert total(flat) == 45
        assert total(RAGGED) == 15
        assert total([np.arange(3), np.arange(4.0)]) == 9.0
        assert total(7) == 7
    both = aplc.fn("{(+/¨⍺)+⍵}", target=target)
    for _ in range(5):
        assert both(RAGGED, np.arange(3)).tolist() == [3, 1, 14]
        assert both(RAGGED, 1).tolist() == [4, 1, 13]


@needs_c
def test_the_memory_limit_does_not_count_inputs() -> None:
    long = [np.arange(1000), np.arange(2000)]
    sums = aplc.fn("{+/¨⍵}", memory_limit=4000)
    for _ in range(4):
        assert sums(long).tolist() == [499500, 1999000]
    with pytest.raises(aplc.RunError, match="WS FULL"):
        aplc.fn("{⌽¨⍵}", memory_limit=4000)(long)


@needs_c
def test_pickled_functions_take_them() -> None:
    sums = aplc.fn("{+/¨⍵}")
    for _ in range(3):
        sums(RAGGED)
    assert pickle.loads(pickle.dumps(sums))(RAGGED).tolist() == [3, 0, 12]
    with pytest.raises(aplc.Error) as raised:
        sums([1, [2]])
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


@needs_c
def test_several_threads_at_once() -> None:
    function, wrong = aplc.fn("{⌽¨⍵}"), []

    def work(seed: int) -> None:
        for size in range(seed, seed + 30):
            found: Any = function([np.arange(size), np.arange(3)])
            if found[0].tolist() != list(range(size))[::-1]:
                wrong.append(size)

    threads = [threading.Thread(target=work, args=[4 * k + 4]) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@needs_c
def test_an_interrupt_ends_a_call() -> None:
    """Also one with nested arguments, and the function can be called again."""
    slow = aplc.fn("{(+/¨⍵)×+/{+/⍵|⍳⍵}¨60000+⍳⍺}")
    assert slow(3, RAGGED).shape == (3,)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            slow(3_000_000, RAGGED)
        assert time.monotonic() - started < 60
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert slow(3, RAGGED).shape == (3,)
