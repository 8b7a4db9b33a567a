"""Coverage-guided fuzzing: `python -m tests.fuzzing TARGET --minutes N --corpus DIR`, from the root.

A target is a reader of what comes from outside (lexer, parser, annotation, tail, npy, text, argument), by
atheris, or a part of the run-time system in C (order, search, matrix, pack and variants of them), by
libFuzzer of clang with the sanitizers of addresses and of undefined behaviour. `--list` shows them. The
corpus begins with the samples, grows, and is used again; what is found lies beside it as `crash-…` or
`timeout-…`, and the exit status is 1. `--input FILE` runs one such file again. `--log FILE` gets a line of
JSON for each run: inputs, CPU seconds, coverage and findings.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

from tests.fuzzing.native import HARNESSES, build
from tests.fuzzing.readers import READERS
from tests.fuzzing.seeds import LONGEST, dictionary, write_seeds
from tests.support.paths import ROOT

SECONDS_PER_INPUT = 20
MEGABYTES = 2048


def command(target: str, scratch: Path) -> list[str]:
    """What runs a target; libFuzzer's arguments follow."""
    if target in READERS:
        return [sys.executable, "-m", "tests.fuzzing.guided", target]
    return [str(build(target, scratch))]


def run(target: str, minutes: float, corpus: Path, runs: int = -1) -> dict[str, object]:
    """Fuzz a target for so long, or with so many inputs; what came of it."""
    directory = corpus / target
    write_seeds(target, directory)
    words = corpus / f"{target}.dict"
    words.write_text(dictionary(target), "ascii")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = [
        *command(target, corpus),
        str(directory),
        f"-max_total_time={max(1, round(60 * minutes))}",
        f"-runs={runs}",
        f"-timeout={SECONDS_PER_INPUT}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-max_len={LONGEST}",
        *([f"-dict={words}"] if words.stat().st_size else []),
        f"-artifact_prefix={corpus / target}-",
        "-print_final_stats=1",
    ]
    done = subprocess.run(
        program, cwd=ROOT, env=_environment(), capture_output=True, text=True, errors="replace"
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    executed = re.findall(r"number_of_executed_units: (\d+)|^#(\d+)\t", done.stderr, re.MULTILINE)
    covered = re.findall(r"\bcov: (\d+)", done.stderr)
    return {
        "target": target,
        "inputs": max((int(a or b) for a, b in executed), default=0),
        "cpu_seconds": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        "coverage": int(covered[-1]) if covered else 0,
        "corpus": sum(1 for _ in directory.iterdir()),
        "finding": "" if done.returncode == 0 else _finding(done.stdout + done.stderr),
    }


def _finding(said: str) -> str:
    """The end of what a fuzzer said, from the exception or the report of a sanitizer on."""
    for mark in ("Uncaught Python exception", "ERROR: ", "runtime error", "Traceback"):
        at = said.find(mark)
        if at >= 0:
            return said[max(0, said.rfind("\n", 0, at)) :][:4000]
    return said[-4000:]


def _environment() -> dict[str, str]:
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "UBSAN_OPTIONS": "print_stacktrace=1"}


def replay(target: str, files: list[Path], scratch: Path) -> int:
    """Run single inputs again, without guidance for Python: the exception comes as it is."""
    if target in READERS:
        for file in files:
            READERS[target](file.read_bytes())
        return 0
    program = [*command(target, scratch), *map(str, files)]
    return subprocess.run(program, cwd=ROOT, env=_environment(), check=False).returncode


def main() -> int:
    targets = [*READERS, *HARNESSES]
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzzing", description=(__doc__ or "").partition(":")[0]
    )
    parser.add_argument("target", nargs="*", help="one or more of: " + " ".join(targets))
    parser.add_argument("--minutes", type=float, default=1.0, help="for each target")
    parser.add_argument("--corpus", type=Path, default=Path("fuzzing-corpus"))
    parser.add_argument("--input", type=Path, action="append", help="run this file again")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    if given.list:
        print("\n".join(targets))
        return 0
    if unknown := set(given.target) - set(targets):
        parser.error(f"no target: {' '.join(sorted(unknown))}")
    given.corpus.mkdir(parents=True, exist_ok=True)
    failed = 0
    for target in given.target or targets:
        if given.input:
            return replay(target, given.input, given.corpus)
        result = run(target, given.minutes, given.corpus.resolve())
        failed |= bool(result["finding"])
        print(
            "{target}: {inputs} inputs, {cpu_seconds} s of CPU, coverage {coverage}, corpus {corpus}".format(
                **result
            )
        )
        print(result["finding"] or "nothing found", flush=True)
        if given.log:
            with given.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps(result, ensure_ascii=False) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
