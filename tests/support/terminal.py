"""A pseudo-terminal: what is typed there, and what a command shows."""

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tests.support.commands import COMMAND, environment


def plain(text: str) -> str:
    """What a terminal shows, more or less: moves to the right are blanks, other controls nothing."""
    text = re.sub(r"\x1b\[(\d+)C", lambda found: " " * int(found[1]), text)
    return re.sub(r"\x1b\[[?\d;]*[A-Za-z]|\r", "", text)


class Terminal:
    """A command in a pseudo-terminal, with what it has written."""

    def __init__(self, home: Path, *arguments: str, command: Sequence[str] = COMMAND, **places: str) -> None:
        self.master, slave = pty.openpty()
        places = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "TERM": "xterm", **places}
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(**places),
            cwd=home,
            start_new_session=True,
        )
        os.close(slave)
        self.written = ""
        self.seen = 0
        """How much of that was waited for."""

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def wait(self, text: str, seconds: float = 60) -> None:
        """Until the text has been written, behind what was waited for before."""
        end = time.monotonic() + seconds
        while text not in plain(self.written)[self.seen :]:
            assert time.monotonic() < end, plain(self.written)[self.seen :]
            if select.select([self.master], [], [], 0.1)[0]:
                chunk = os.read(self.master, 65536).decode(errors="replace")
                if "\x1b[6n" in chunk:  # it asks where the cursor is
                    os.write(self.master, b"\x1b[1;1R")
                self.written += chunk
        self.seen = plain(self.written).index(text, self.seen) + len(text)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)
