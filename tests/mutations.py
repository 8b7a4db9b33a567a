"""Does the suite notice a broken rule of TAIL? Each mutation breaks one, in a copy of the repository, and the
tests of TAIL are run until the first fails.

    python -m tests.mutations [NUMBER…]

prints a table for `docs/measurements.md`: what was broken, and which test saw it first. One that nothing
notices ends the command with status 1. It takes some minutes and is no part of the tests.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT

PARTS = ("apl_front", "tail", "laila", "backends", "aplc", "apl_samples", "tests", "docs", "setup.cfg")
SUITE = (
    "tests/tail/test_types.py",
    "tests/tail/test_check.py",
    "tests/tail/test_evaluate.py",
    "tests/tail/test_text_print.py",
    "tests/tail/optimise/test_rules.py",
    "tests/tail/optimise/test_rewrites.py",
    "tests/tail/meaning/test_core.py",
    "tests/apl_front/typing/test_proofs.py",
    "tests/programs/test_tier1.py",
)


@dataclass(frozen=True, slots=True)
class Mutation:
    """One rule broken: in a file, one piece of text replaced by another."""

    rule: str
    file: str
    old: str
    new: str


MUTATIONS = (
    Mutation(
        "subtyping: a vector is below arrays of every rank (rule 3.3)",
        "tail/types.py",
        "            return generalise(sub) == sup\n",
        "            return sub.base == sup.base\n",
    ),
    Mutation(
        "subtyping: function parameters covariant",
        "tail/types.py",
        "and all(is_subtype(q, p) for p, q in zip(sub.params, sup.params, strict=True))",
        "and all(is_subtype(p, q) for p, q in zip(sub.params, sup.params, strict=True))",
    ),
    Mutation(
        "shape types: a constant forgotten in a sum",
        "tail/types.py",
        "return Rho(self.const + sign * other.const, terms)",
        "return Rho(self.const, terms)",
    ),
    Mutation(
        "schemes: reduce keeps the rank",
        "tail/prims.py",
        '"∀αγ. (α → α → α) → α → [α](1+γ) → [α]γ", meaning=m.reduce)',
        '"∀αγ. (α → α → α) → α → [α](1+γ) → [α](1+γ)", meaning=m.reduce)',
    ),
    Mutation(
        "refinement: dropV leaves one element too many",
        "tail/refine.py",
        "return Vector(result.base, Rho(max(0, kept.const)))",
        "return Vector(result.base, Rho(max(0, kept.const + 1)))",
    ),
    Mutation(
        "conditional unification: a singleton is not generalised",
        "tail/unify.py",
        "case (Array(), Array() | Vector() | Single() | SingleVector()):",
        "case (Array(), Array() | Vector() | SingleVector()):",
    ),
    Mutation(
        "checker: update of a shared array is accepted",
        "tail/check.py",
        'raise self.fail(f"{prim.name} changes an array that may have another name")',
        "pass",
    ),
    Mutation(
        "checker: a branch of a conditional may have any type",
        "tail/check.py",
        'self.expect(branch.ty, exp.ty, "a branch")',
        "pass",
    ),
    Mutation(
        "optimiser: a binding that may fail moves behind a print",
        "tail/optimise/inlining.py",
        "stays = printing[position] or (position < last_print and may_fail(binding.value))",
        "stays = printing[position]",
    ),
    Mutation(
        "optimiser: what may fail is dropped when it is not used",
        "tail/optimise/inlining.py",
        "if uses[binding.name] == 0 and not may_fail(binding.value):",
        "if uses[binding.name] == 0:",
    ),
    Mutation(
        "evaluation: a loop's parameters survive a call that is no jump",
        "tail/evaluate.py",
        "                self.env.update(frame)\n",
        "",
    ),
    Mutation(
        "evaluation: the copying coercion copies nothing",
        "tail/meaning/select.py",
        "def fresh(a: Value) -> Value:",
        "def fresh(a: Value) -> Value:\n    return a\n\n\ndef _not_fresh(a: Value) -> Value:",
    ),
)


def run(number: int, mutation: Mutation) -> str:
    """The first test that fails under a mutation; empty if none does."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch)
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(
                    source, copy / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
                )
            else:
                shutil.copy(source, copy / part)
        file = copy / mutation.file
        text = file.read_text("utf-8")
        if text.count(mutation.old) < 1:
            raise SystemExit(f"mutation {number}: {mutation.file} does not hold {mutation.old!r}")
        file.write_text(text.replace(mutation.old, mutation.new, 1), "utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "--tb=no",
            "-rfE",
            "-p",
            "no:cacheprovider",
            *SUITE,
        ]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
        found = re.search(r"^(?:FAILED|ERROR) tests/([\w./]+(?:::\w+)?)", done.stdout, re.MULTILINE)
        return found.group(1) if found else "" if done.returncode == 0 else "the suite cannot be collected"


def main(numbers: list[int]) -> int:
    """Print the table; 1 if a mutation goes unnoticed."""
    missed = 0
    print("| broken rule | noticed first by |\n|---|---|", flush=True)
    for number, mutation in enumerate(MUTATIONS, start=1):
        if numbers and number not in numbers:
            continue
        caught = run(number, mutation)
        missed += not caught
        print(f"| {mutation.rule} | {f'`{caught}`' if caught else '**nothing**'} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main([int(n) for n in sys.argv[1:]]))
