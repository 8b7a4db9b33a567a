"""What is generated, tried in this process: what is no answer and no error of the user's is a finding.

A limit of time and one of memory hold meanwhile. What a finding was found with is cut down.
"""

import faulthandler
import re
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aplc.tail.errors import AplcError, MachineError
from tests.campaign.work import COMPARED, GENERATED, REJECTED, Block, Finding, Tally
from tests.fuzz_targets import _address_space

SECONDS = 20
"""Of the processor, as others may use it too."""
ENDLESS = 3
"""The same, after which a program that may have no end is left alone."""
MAX_BYTES = 2 << 30
SHRINKING = 10.0


class TooLong(BaseException):
    """Nothing may catch it on its way."""


def limited() -> None:
    """From now on this process has limits of memory, and says nothing when it crashes."""
    limit = _address_space() + MAX_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.disable()


@contextmanager
def time_limit(seconds: int = SECONDS, failure: BaseException | None = None) -> Iterator[None]:
    """Raises `TooLong`, or another failure, in what takes longer."""

    def stop(*signalled: Any) -> None:
        raise failure or TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fault_of(work: Callable[[], str]) -> tuple[str, str]:
    """What became of some work: `compared` or `rejected`, or a fault; and what there is to say about it. The
    work returns what is wrong with its answer.
    """
    try:
        with time_limit():
            wrong = work()
    except AplcError as error:
        return _judged(error)
    except MachineError as error:
        return REJECTED, str(error)
    except TooLong:
        return "takes too long", f"more than {SECONDS} s"
    except MemoryError as error:
        return REJECTED, f"MemoryError: {error}"
    except Exception as failure:
        return f"{type(failure).__name__}", f"{type(failure).__name__}: {str(failure)[:300]}"
    return ("wrong", wrong) if wrong else (COMPARED, "")


def _judged(error: AplcError) -> tuple[str, str]:
    """An error of the user's is told in lines that can be printed, with a cause and a place that exists."""
    if not error.diagnostics:
        return "an error without a cause", repr(error)
    for each in error.diagnostics:
        if not re.fullmatch(r"[A-Z][A-Z ]+", each.kind) or not each.message or "\n" in each.message:
            return "an error that is badly told", f"{each.kind}: {each.message}"
        if each.span is not None and not 0 <= each.span.start <= len(each.span.source.text):
            return "an error at no place", f"{each.kind}: {each.message}"
    str(error)
    return REJECTED, error.diagnostics[0].kind


def try_all(
    name: str,
    block: Block,
    texts: list[Any],
    work: Callable[[Any], str],
    shown: Callable[[Any], str],
    smaller: Callable[[Any], Iterator[Any]],
    ending: str,
) -> Tally:
    """A block: each text is tried, and what fails made smaller."""
    tally = Tally()
    tally.counts[GENERATED] = len(texts)
    for k, text in enumerate(texts):
        status, detail = fault_of(lambda: work(text))  # noqa: B023
        tally.counts[status] += 1
        if status in (COMPARED, REJECTED):
            if status == REJECTED:
                tally.counts[f"{status}: {detail[:60]}"] += 1
            continue
        sort = f"{status}: {re.sub(r'[0-9]+', '', detail)[:60]}"
        end = time.monotonic() + block.seconds_to_shrink(sort, SHRINKING)
        block.sorts[sort] += 1
        least = text
        progress = True
        while progress and time.monotonic() < end:
            progress = False
            for candidate in smaller(least):
                if time.monotonic() > end:
                    break
                if fault_of(lambda: work(candidate))[0] == status:  # noqa: B023
                    least, progress = candidate, True
                    break
        remark = f"campaign: seed {block.seed}, {name} {block.number}, {k}: {detail}"
        remark = " ".join(remark.split())
        tally.findings.append(Finding(name, sort, detail, ending, f"⍝ {remark[:200]}\n{shown(least)}\n"))
    return tally


def shorter(text: str) -> Iterator[str]:
    """Texts with a piece less, large pieces first."""
    width = len(text) // 2
    while width:
        for start in range(0, len(text), width):
            yield text[:start] + text[start + width :]
        width //= 2
