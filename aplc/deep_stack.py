"""Deep programs: those that recurse too deeply for the ordinary stack get one of half a gigabyte.

Note [Python's limit of recursion]
    It is one for all threads, and the process is aborted where a thread is deeper than a limit that is
    lowered. So it is raised while anybody is on a deep stack, by the first of them, and lowered by the last;
    and nobody begins on an ordinary stack meanwhile, nor is it raised while anybody is on one.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock, get_ident
from collections.abc import Callable
from time import sleep
from typing import ClassVar, TypeVar

from aplc.backends.native.stopping import in_thread
from aplc.tail.errors import CompileError, Diagnostic, RunError
from aplc.tail.syntax import Rec, Term, body_of, called_inside, children, walk

T = TypeVar("T")

DEEP_RECURSION = 400_000
DEEP_STACK = 1 << 29
SHALLOW = 100
"""Terms nested less deeply than this are evaluated on the ordinary stack."""
PATIENCE = 0.01
"""Seconds between two looks whether others have left the ordinary stack."""


class _Limit:
    """Python's limit of recursion, and who relies on it."""

    lock = allocate_lock()
    before = 0
    """What it is when nobody is on a deep stack; 0: it is that."""
    deep: ClassVar[set[object]] = set()
    """Something for each who is on a deep stack, or waits for one."""
    threads: ClassVar[set[int]] = set()
    """The threads with deep stacks."""
    ordinary: ClassVar[set[int]] = set()
    """Those that work on their own stacks, and may find that these are not deep enough."""


def with_deep_stack(work: Callable[[], T]) -> T:
    """The result of the work; if it recurses too deeply, of a second try with a stack of half a gigabyte.

    Compilation recurses over expressions. Nearly all are shallow, and a thread with room for the others
    costs nothing but when it is needed.
    """
    thread = get_ident()
    if thread in _Limit.threads:
        return work()
    is_first = thread not in _Limit.ordinary  # else a handler of signals is in the middle of other work
    try:
        _Limit.ordinary.add(thread)
        if not _Limit.deep and not _Limit.before:
            return work()
    except RecursionError:
        pass
    finally:
        if is_first:
            _Limit.ordinary.discard(thread)
    return on_deep_stack(work, CompileError(Diagnostic("LIMIT ERROR", "an expression is nested too deeply")))


def with_deep_stack_once(work: Callable[[], T], term: Term) -> T:
    """The result of running a term, which cannot be tried twice: on a deep stack at once if it recurses."""
    called = called_inside(term)
    recursive = [node for node in walk(term) if isinstance(node, Rec) and node.name in called]
    if not recursive and _depth(term) < SHALLOW:
        return work()
    where = recursive[0].span if recursive else None
    return on_deep_stack(work, RunError(Diagnostic("LIMIT ERROR", "the recursion is too deep", where)))


def on_deep_stack(work: Callable[[], T], too_deep: Exception) -> T:
    """The result of the work with a stack of half a gigabyte."""

    def on_it() -> T:
        thread = get_ident()
        try:
            _Limit.threads.add(thread)
            return work()
        except RecursionError:
            raise too_deep from None
        finally:
            _Limit.threads.discard(thread)

    mine = object()
    try:
        _Limit.deep.add(mine)
        _raise_limit()
        return in_thread(on_it, DEEP_STACK)
    finally:
        _Limit.deep.discard(mine)
        _lower_limit()


def _raise_limit() -> None:
    """See Note [Python's limit of recursion]."""
    while not _Limit.before and _Limit.ordinary - {get_ident()}:
        sleep(PATIENCE)
    with _Limit.lock:
        _Limit.before = _Limit.before or sys.getrecursionlimit()
        sys.setrecursionlimit(DEEP_RECURSION)


def _lower_limit() -> None:
    with _Limit.lock:
        if not _Limit.deep and _Limit.before:
            sys.setrecursionlimit(_Limit.before)
            _Limit.before = 0


def _depth(term: Term) -> int:
    """How deeply the expressions of a term are nested."""
    deepest = 0
    stack = [(body_of(term), 1)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        stack += [(child, level + 1) for child in children(node)]
    return deepest
