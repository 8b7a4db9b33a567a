"""Command lines as users mistype them, and surroundings that fail: the exit status tells whose fault it is.

0, 1, 2 and 3 are answers, 70 is a bug of ours; so are a traceback, silence, and no end.
"""

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from tests.campaign.work import COMPARED, GENERATED, Block, Finding, Kind, Tally
from tests.support.commands import COMMAND, environment

SECONDS = 180
STATUSES = (0, 1, 2, 3)
WORDS = (
    *(
        "p.apl",
        "p.apl",
        "p.apl",
        "q.apl",
        "wrong.apl",
        "none.apl",
        "t.tail",
        "folder",
        "empty.apl",
        "bytes.apl",
        "-",
    ),
    *(
        "run",
        "check",
        "emit",
        "explain",
        "doctor",
        "ast",
        "tail",
        "tail-opt",
        "laila",
        "c",
        "openmp",
        "opencl",
    ),
    *(
        "--target",
        "c",
        "interp",
        "openmp",
        "--threads",
        "2",
        "0",
        "-1",
        "x",
        "99999999999999999999",
        "--input",
    ),
    *(
        "v=v.npy",
        "v=none.npy",
        "v=folder",
        "v=p.apl",
        "=v.npy",
        "v=",
        "w=w.npy",
        "1=v.npy",
        "v=v.npy=x",
        "--input=v=v.npy",
    ),
    *(
        "--format",
        "json",
        "apl",
        "--time",
        "-O",
        "0",
        "3",
        "4",
        "-O3",
        "--no-cache",
        "--dump-after",
        "all",
        "fold",
    ),
    *(
        "--passes",
        "fold-constants",
        "",
        "--strict-fp",
        "--unsafe",
        "--check-overflow",
        "--arrays",
        "flat",
        "-e",
    ),
    *(
        "--help",
        "-h",
        "--version",
        "--",
        "---",
        "-x",
        "--input\n",
        "é",
        "⍳",
        "\x1b[31m",
        "--json",
        "-o",
        "out.c",
    ),
)
GOOD = (
    ["p.apl"],
    ["q.apl", "--input", "v=v.npy"],
    ["check", "p.apl"],
    ["emit", "c", "p.apl"],
    ["explain", "p.apl"],
    ["p.apl", "--target", "openmp", "--threads", "2"],
    ["p.apl", "--target", "interp", "--format", "json"],
    ["p.apl", "--time", "-O", "0", "--no-cache"],
)


def surroundings(directory: Path) -> None:
    """Files to name on command lines."""
    (directory / "p.apl").write_text("x←⍳10\n+/x×x\n", "utf-8")
    (directory / "q.apl").write_text("+/v\n", "utf-8")
    (directory / "wrong.apl").write_text("1 2+1 2 3\n(((\n", "utf-8")
    (directory / "t.tail").write_text("reduce(addi,0,iota(10))\n", "utf-8")
    (directory / "empty.apl").write_text("", "utf-8")
    (directory / "bytes.apl").write_bytes(bytes(range(256)))
    (directory / "folder").mkdir()
    np.save(directory / "v.npy", np.arange(5.0))
    np.save(directory / "w.npy", np.array([True, False]))


def some_command(random: Random) -> list[str]:
    """A command line, most of them nearly right."""
    if random.random() < 0.3:
        return [random.choice(WORDS) for _ in range(random.randrange(6))]
    words = list(random.choice(GOOD))
    for _ in range(random.choice((0, 1, 1, 2))):
        at = random.randrange(len(words) + 1)
        words[at : at + random.choice((0, 0, 1))] = [random.choice(WORDS)]
    return words


# --- faults ---------------------------------------------------------------------------------------------


def script(directory: Path, text: str) -> str:
    file = directory / "cc"
    file.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    file.chmod(0o755)
    return str(file)


Fault = Callable[[Path], dict[str, str]]
FAULTS: dict[str, Fault] = {
    "nothing": lambda d: {},
    "a compiler that fails": lambda d: {"CC": script(d, "exit 1")},
    "a compiler that crashes": lambda d: {"CC": script(d, "kill -SEGV $$")},
    "a compiler that says nothing and makes nothing": lambda d: {"CC": script(d, "exit 0")},
    "a compiler that fails when it compiles": lambda d: {
        "CC": script(d, 'case "$*" in *-shared*) exit 1;; *) exec gcc "$@";; esac')
    },
    "a compiler that makes no object": lambda d: {
        "CC": script(d, 'case "$*" in *-shared*) exit 0;; *) exec gcc "$@";; esac')
    },
    "a compiler that makes rubbish": lambda d: {
        "CC": script(
            d,
            'case "$*" in *-shared*) while [ "$1" != -o ]; do shift; done; echo no >"$2";; '
            '*) exec gcc "$@";; esac',
        )
    },
    "CC is cat": lambda d: {"CC": "cat"},
    "CC is a folder": lambda d: {"CC": str(d / "folder")},
    "CC is not there": lambda d: {"CC": "/nowhere/cc"},
    "CC is empty": lambda d: {"CC": ""},
    "no PATH": lambda d: {"PATH": ""},
    "a cache that is a file": lambda d: {"APLC_CACHE_DIR": str(d / "p.apl")},
    "a cache that cannot be made": lambda d: {"APLC_CACHE_DIR": "/proc/nowhere"},
    "a cache on a full disk": lambda d: {"APLC_CACHE_DIR": "/dev/full"},
    "a cache with a relative name": lambda d: {"APLC_CACHE_DIR": "folder"},
    "no folder for temporary files": lambda d: {"TMPDIR": str(d / "none")},
    "no home": lambda d: {"HOME": "/nowhere", "XDG_CACHE_HOME": ""},
    "another locale": lambda d: {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    "little memory": lambda d: {"CAMPAIGN_LIMIT": "-v 600000"},
    "few files": lambda d: {"CAMPAIGN_LIMIT": "-n 8"},
    "short files": lambda d: {"CAMPAIGN_LIMIT": "-f 1"},
    "little stack": lambda d: {"CAMPAIGN_LIMIT": "-s 256"},
    "a full standard output": lambda d: {"CAMPAIGN_OUT": "/dev/full"},
    "no standard output": lambda d: {"CAMPAIGN_OUT": "closed"},
}


def run(words: list[str], fault: str, directory: Path) -> tuple[int | None, str]:
    """The exit status of a command, None if it does not end; and what it says."""
    changes = FAULTS[fault](directory)
    limit, out = changes.pop("CAMPAIGN_LIMIT", ""), changes.pop("CAMPAIGN_OUT", "")
    command = [*COMMAND, *words]
    redirected = {"closed": " >&-", "": ""}.get(out, f" >{out}")
    shell = f'{f"ulimit {limit}; " if limit else ""}exec "$@"{redirected}'
    process = subprocess.Popen(
        ["/bin/sh", "-c", shell, "sh", *command],
        cwd=directory,
        env=environment(**({"APLC_CACHE_DIR": str(directory / "cache")} | changes)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        told, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, ""
    return process.returncode, told.decode("utf-8", "replace")


def fault_in(status: int | None, told: str) -> str:
    """What is wrong with how a command ended."""
    if status is None:
        return "it does not end"
    if "Traceback" in told:
        return "a traceback: " + told.strip().rpartition("\n")[2][:200]
    if status not in STATUSES:
        return f"exit status {status}: {told.strip()[:200]}"
    if status and not told.strip():
        return f"exit status {status}, and not a word"
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", told.replace("\r", "")):
        return "control characters reach the terminal"
    return ""


def of_commands(block: Block) -> Tally:
    """Command lines, every other one in surroundings that fail."""
    tally, random = Tally(), block.random()
    for _ in range(8):
        words = some_command(random)
        words = [word for word in words if "\x00" not in word]
        fault = random.choice(tuple(FAULTS)) if random.random() < 0.6 else "nothing"
        if fault != "nothing" and random.random() < 0.7:
            words = (
                [*random.choice(GOOD), "--no-cache"] if random.random() < 0.5 else list(random.choice(GOOD))
            )
        tally.counts[GENERATED] += 1
        with tempfile.TemporaryDirectory() as scratch:
            directory = Path(scratch)
            surroundings(directory)
            status, told = run(words, fault, directory)
            wrong = fault_in(status, told)
            if (
                fault in ("a full standard output", "no standard output")
                and status in (1, 3, None)
                and not told
            ):
                wrong = "" if status is not None else wrong
            tally.counts[COMPARED] += 1
            tally.counts[f"status {status}"] += 1
            if wrong:
                words = fewer(words, fault, wrong)
                text = f"aplc {' '.join(map(repr, words))}\nwith {fault}: {wrong}\n\n{told[-3000:]}\n"
                sort = f"{fault}: {re.sub(r'[0-9]+', '', wrong)[:60]}"
                tally.findings.append(Finding("commands", sort, f"{fault}: {wrong}", "command.txt", text))
    return tally


def fewer(words: list[str], fault: str, wrong: str) -> list[str]:
    """The words that a fault needs."""
    for k in range(len(words) - 1, -1, -1):
        less = words[:k] + words[k + 1 :]
        with tempfile.TemporaryDirectory() as scratch:
            surroundings(Path(scratch))
            if fault_in(*run(less, fault, Path(scratch)))[:20] == wrong[:20]:
                words = less
    return words


COMMANDS = (Kind("commands", "command lines, and surroundings that fail", 5, of_commands),)
