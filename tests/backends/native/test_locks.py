"""Locks where a signal or a fork comes in between: nobody waits for himself, or for who is not there."""

import os
import signal
import threading
from typing import Any

import pytest

import aplc
import aplc.calling.functions
from aplc.backends.native import stopping
from aplc.backends.native.locks import Lock
from aplc.backends.native.stopping import in_thread

STACK = 1 << 20


def ends(work: Any) -> bool:
    """Whether the work ends in a thread of its own."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(30)
    return not thread.is_alive()


def test_one_thread_at_a_time() -> None:
    lock, seen = Lock(), []
    with lock:
        other = threading.Thread(target=lambda: [seen.append(1) for _ in [0] if lock.__enter__() is None])
        other.daemon = True
        other.start()
        other.join(0.1)
        assert not seen
    other.join(10)
    assert seen == [1]


def test_the_same_thread_comes_in_again() -> None:
    lock, seen = Lock(), []

    def twice() -> None:
        with lock, lock:
            seen.append(1)

    assert ends(twice) and ends(twice) and seen == [1, 1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_nobody_holds_it_in_a_process_that_is_forked_off() -> None:
    lock, held, done = Lock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            done.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(10)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(10)
        with lock:
            os._exit(0)
    status = os.waitpid(child, 0)[1]
    done.set()
    thread.join()
    assert status == 0


def test_a_function_that_is_called_while_it_is_compiled_is_compiled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    f, results = aplc.fn("{2×⍵}", target="interp"), []
    compile_function, calls = aplc.compiler.compile_function, []

    def interrupted(*arguments: Any, **how: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            results.append(f(4))  # as a handler of a signal does
        return compile_function(*arguments, **how)

    monkeypatch.setattr(aplc.compiler, "compile_function", interrupted)
    assert ends(lambda: results.append(f(5))) and results == [8, 10]


def test_what_a_handler_raises_while_a_thread_starts_comes_out_and_nothing_runs_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, runs = stopping.start_new_thread, []

    def started(run: Any, arguments: Any) -> None:
        start(run, arguments)
        raise RuntimeError("of a handler")

    monkeypatch.setattr(stopping, "start_new_thread", started)
    with pytest.raises(RuntimeError, match="of a handler"):
        in_thread(lambda: runs.append(1), STACK)
    assert len(runs) <= 1


def test_a_thread_is_started_while_another_is(monkeypatch: pytest.MonkeyPatch) -> None:
    start, results = stopping.start_new_thread, []

    def interrupted(run: Any, arguments: Any) -> None:
        monkeypatch.setattr(stopping, "start_new_thread", start)
        results.append(in_thread(lambda: 1, STACK))
        start(run, arguments)

    monkeypatch.setattr(stopping, "start_new_thread", interrupted)
    assert ends(lambda: results.append(in_thread(lambda: 2, STACK))) and results == [1, 2]
    assert threading.stack_size() == 0
