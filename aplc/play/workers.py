"""The processes of `aplc play` as the server sees them: each answers one question after the other, may be
stopped at any time, and is begun again when it is asked the next time.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

GRACE = 3.0
"""Seconds that a process has beyond the time limit to say so itself."""
LONGEST_LINE = 1 << 26
"""Bytes of an answer."""


@dataclass(frozen=True)
class Limits:
    """What programs may take."""

    time_limit: float
    memory_limit: int
    files: bool = False


class Worker:
    """A process that answers."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.process: Process | None = None
        self.is_stopped = False
        self.turn = asyncio.Lock()

    async def ask(self, question: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """The answers to a question, of which the last one is `{"done": …}`."""
        async with self.turn:
            self.is_stopped = False
            process = await self._running()
            assert process.stdin is not None
            try:
                process.stdin.write(json.dumps(question).encode() + b"\n")
                await process.stdin.drain()
                async for each in self._answers(process):
                    yield each
            except (BrokenPipeError, ConnectionResetError):
                yield {"done": {"error": await self._end()}}
            except (asyncio.CancelledError, GeneratorExit):  # who asked has gone
                self.stop()
                raise

    async def _answers(self, process: Process) -> AsyncIterator[dict[str, Any]]:
        assert process.stdout is not None
        loop = asyncio.get_running_loop()
        end = loop.time() + self.limits.time_limit + GRACE
        while True:
            try:
                line = await asyncio.wait_for(process.stdout.readline(), end - loop.time())
            except TimeoutError:
                self.stop()
                await process.wait()
                self.process = None
                yield {"done": {"error": f"TIME LIMIT: it takes longer than {self.limits.time_limit:g} s"}}
                return
            if not line:
                yield {"done": {"error": await self._end()}}
                return
            told = json.loads(line)
            yield told
            if "done" in told:
                return

    async def start(self) -> None:
        """Begin the process, so that it is ready when it is asked."""
        async with self.turn:
            await self._running()

    async def _running(self) -> Process:
        if self.process is None or self.process.returncode is not None:
            command = (sys.executable, "-P", "-m", "aplc.play.worker", json.dumps(asdict(self.limits)))
            self.process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, start_new_session=True, limit=LONGEST_LINE
            )
            assert self.process.stdout is not None
            await self.process.stdout.readline()  # it is ready, or has ended
        return self.process

    async def _end(self) -> str:
        """Why a process has ended that had something to answer."""
        process, self.process = self.process, None
        status = await process.wait() if process is not None else 0
        if self.is_stopped:
            return "stopped"
        what = signal.Signals(-status).name if status < 0 else f"status {status}"
        return f"the process of the program has ended ({what}); the next run has a new one"

    async def close(self) -> None:
        """End the process for good."""
        self.stop()
        if self.process is not None:
            assert self.process.stdin is not None
            self.process.stdin.close()
            await self.process.communicate()

    def stop(self) -> None:
        """End what is running, with all that it has started."""
        self.is_stopped = True
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
