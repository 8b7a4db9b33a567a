"""The texts that samples become, hashed: `python -m tests.texts FILE [--only NAME,…] [--compare OLD]`.

A change that is to leave the generated code as it is shows that with two files, one made before it and one
after: `--compare` prints the names of the texts that differ; the exit status is then 1. Each line of a file
has the hash of a text and its name: the sample, the number of the case, and the way of compiling
(`tests.support.samples`). Where there is no text, the name of the error stands. Run it from the root of the
repository.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from aplc.compiler import optimise, to_c, to_laila, to_tail
from aplc.inputs import decode
from aplc.options import Options
from aplc.targets.opencl import to_opencl
from tests.support.samples import WAYS, Case, Sample, read_sample, sample_name, sample_paths

WANTED = [way for way in WAYS if not way.startswith("interp")]


def text_of(sample: Sample, case: Case, options: Options) -> str:
    """All that is generated, or the name of the error."""
    types = {name: given.type for name, given in case.inputs.items()}
    storage = {name: given.storage for name, given in case.inputs.items()}
    try:
        term = optimise(to_tail([decode(sample.data, sample.name)], types).term, options)
        program, make = to_laila(term, storage, options)
        if options.made_for.kernels:
            host, kernels = to_opencl(program, make, options)
            return host.text + kernels.text
        return to_c(program, make, options).text
    except Exception as error:
        return type(error).__name__


def lines_of(path: Path) -> list[str]:
    """The lines for one sample; cases with inputs of the same types are one."""
    sample, seen, lines = read_sample(path), set[str](), list[str]()
    for number, case in enumerate(sample.cases):
        if case.signature in seen:
            continue
        seen.add(case.signature)
        for way in WANTED:
            text = text_of(sample, case, WAYS[way])
            shown = hashlib.sha256(text.encode()).hexdigest()[:16] if "\n" in text else text
            lines.append(f"{shown} {sample.name} {number} {way}")
    return lines


def differences(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """The names of the texts that are not the same, or are missing on one side."""
    before, after = [dict([line.split(" ", 1)[::-1] for line in lines]) for lines in (old, new)]
    for name in sorted(before.keys() & after.keys()):
        if before[name] != after[name]:
            yield name


def main(arguments: Sequence[str]) -> int:
    """The exit status is 1 where texts differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.texts", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", default="", metavar="NAME,…", help="beginnings of names of samples")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--compare", type=Path, metavar="OLD")
    given = parser.parse_args(arguments)
    wanted = tuple(given.only.split(",")) if given.only else ("",)
    paths = [path for path in sample_paths() if sample_name(path).startswith(wanted)]
    with ProcessPoolExecutor(given.jobs) as pool:
        found = [line for lines in pool.map(lines_of, paths, chunksize=4) for line in lines]
    given.file.write_text("".join([f"{line}\n" for line in found]), "utf-8")
    if given.compare is None:
        return 0
    different = list(differences(given.compare.read_text("utf-8").splitlines(), found))
    print(*different, f"{len(different)} of {len(found)} texts differ", sep="\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
