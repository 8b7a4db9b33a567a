"""Blocks of work in processes of their own, so many at a time, until the time is over; and the report."""

import contextlib
import faulthandler
import multiprocessing
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from tests.campaign.known import reason_of
from tests.campaign.state import State
from tests.campaign.work import COLUMNS, MOST_SHRUNK, Block, Finding, Kind, Tally

BLOCK_SECONDS = 3600.0
"""A block that takes longer hangs, also where others have nearly all of the processor."""
MOST_SHOWN = 400
"""Characters of a line of a finding; its file has them all."""
LAST_SECONDS = 60.0
"""So long before the end of a run nothing more is made small."""


@dataclass
class Running:
    """A block at work."""

    kind: Kind
    number: int
    process: BaseProcess
    receiver: Connection
    since: float


def _child_seconds() -> float:
    own, below = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + below.ru_utime + below.ru_stime


def _work(kind: Kind, block: Block, sender: Connection) -> None:
    """A block, in a process and a process group of its own."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    faulthandler.disable()
    os.environ.setdefault("APLC_COMPILER_SECONDS", str(int(BLOCK_SECONDS)))  # many programs are one file
    try:
        tally = kind.run(block)
    except Exception:
        text = traceback.format_exc()
        last = text.strip().rpartition("\n")[2]
        found = Finding(kind.name, f"the work itself: {last[:80]}", last, "traceback.txt", text)
        tally = Tally(findings=[found])
    sender.send((tally, _child_seconds()))
    sender.close()


class Campaign:
    """A run of a campaign."""

    def __init__(self, kinds: Sequence[Kind], state: State, jobs: int) -> None:
        self.kinds, self.state, self.jobs = kinds, state, jobs
        self.running: list[Running] = []

    def run(self, seconds: float) -> None:
        """Work for so long. An interrupt ends it; what was begun is done again in the next run."""
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end or self.running:
                while len(self.running) < self.jobs and time.monotonic() < end:
                    self.start(end)
                self.collect()
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr, flush=True)
        finally:
            for each in self.running:
                _end(each.process)
            self.state.save()

    def start(self, end: float) -> None:
        """Begin a block of the kind that is most behind its share."""
        at_work = {kind.name: [r for r in self.running if r.kind is kind] for kind in self.kinds}
        spent = {
            k.name: (self.state.of(k.name).seconds + 5 * len(at_work[k.name])) / k.share for k in self.kinds
        }
        kind = min(self.kinds, key=lambda k: spent[k.name])
        numbers = {r.number for r in at_work[kind.name]}
        number = self.state.next_block(kind.name, numbers)
        sorts = self.state.of(kind.name).sorts
        block = Block(self.state.seed, number, sorts, end - LAST_SECONDS)
        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(kind, block, sender))
        process.start()
        sender.close()
        self.running.append(Running(kind, number, process, receiver, time.monotonic()))

    def collect(self) -> None:
        """Take in what is done."""
        ready = wait([r.receiver for r in self.running], timeout=1.0)
        for each in list(self.running):
            if each.receiver in ready:
                try:
                    tally, seconds = each.receiver.recv()
                except EOFError:
                    each.process.join()
                    tally, seconds = self.died(each, f"it ended with status {each.process.exitcode}"), 1.0
                each.process.join()
            elif time.monotonic() - each.since > BLOCK_SECONDS:
                _end(each.process)
                tally, seconds = self.died(each, "it hangs"), BLOCK_SECONDS
            else:
                continue
            self.running.remove(each)
            each.receiver.close()
            self.take(each, tally, seconds)

    def died(self, each: Running, how: str) -> Tally:
        """A block that did not come to its end."""
        detail = f"block {each.number}: {how}"
        found = Finding(each.kind.name, f"the work itself: {how}", detail, "block.txt", detail + "\n")
        return Tally(findings=[found])

    def take(self, each: Running, tally: Tally, seconds: float) -> None:
        """Keep what a block gave, and say what it found."""
        tally.findings = [replace(f, file=f"{k}-{f.file}") for k, f in enumerate(tally.findings)]
        reasons = [reason_of(found) for found in tally.findings]
        seen = Counter(self.state.of(each.kind.name).sorts)
        for found, reason in zip(tally.findings, reasons, strict=True):
            seen[found.sort] += 1
            if not reason and seen[found.sort] <= MOST_SHRUNK:
                lines = [line[:MOST_SHOWN] for line in found.text.splitlines()]
                text = "\n".join([f"--- {found.kind} block {each.number}: {found.detail}", *lines, ""])
                print(text.encode(errors="backslashreplace").decode(), flush=True)
        self.state.done(each.kind.name, each.number, tally, seconds, reasons)


def _end(process: BaseProcess) -> None:
    """End a process and those that it has started."""
    if process.pid is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


# --- the report -----------------------------------------------------------------------------------------


def report(kinds: Sequence[Kind], state: State) -> str:
    """A table of what all runs in a directory did."""
    heads = ["kind", *COLUMNS, "findings", "known", "CPU minutes", "a CPU minute"]
    rows = [heads]
    for kind in kinds:
        rows.append(_row(kind.name, [state.of(kind.name)]))
    rows.append(_row("all", [state.of(kind.name) for kind in kinds]))
    widths = [max(len(row[k]) for row in rows) for k in range(len(heads))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *[c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]])
        for row in rows
    ]
    for kind in kinds:
        others = {k: n for k, n in state.of(kind.name).counts.items() if k not in COLUMNS}
        if others:
            told = ", ".join([f"{n:,} {k}" for k, n in sorted(others.items(), key=lambda item: -item[1])])
            lines.append(f"{kind.name}: {told}")
    return "\n".join(lines)


def _row(name: str, many: Sequence) -> list[str]:
    counts = [sum(p.counts[column] for p in many) for column in COLUMNS]
    found, known = sum(sum(p.sorts.values()) for p in many), sum(p.known for p in many)
    minutes = sum(p.seconds for p in many) / 60
    rate = counts[1] / minutes if minutes else 0.0
    return [name, *[f"{n:,}" for n in (*counts, found, known)], f"{minutes:.1f}", f"{rate:,.0f}"]
