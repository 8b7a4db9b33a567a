"""Mutation testing of TAIL's rules and Laila's transforms: `python -m tests.mutation --count N --seed S`.

Each mutant has one place changed in a function (see `mutants`). The tests that call the function are run,
the quickest first, until one fails; a mutant that none notices survives, and is a missing test, or does the
same as the text. All of it is one process that has imported and collected all, and forks for each mutant.
`--log FILE` gets a line of JSON a mutant; those that stand there are not run again. Run it from the root.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import re
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.mutants import Site, apply, sites, watch
from tests.support.paths import TESTS

TAIL = ("inlining", "constant_evaluation", "common_subexpressions", "copy_elision", "map_fusion", "facts",
        "item_fusion", "fold", "loop_invariants", "truth_values", "fresh_names", "rearrange",
        "rewrite", "shapes")  # fmt: skip
FUSION = ("fuse", "legality", "dependence", "cluster", "exclusive", "row_cells", "streaming")
EXTREMA = ("searches", "lifting", "bounding")
ORDERING = ("first_places", "key_numbering", "membership", "networks", "partial_sort", "permutations",
            "rank_selection", "sorted_values")  # fmt: skip
BUFFERS = ("array_updates", "copy_coalescing", "growth", "interference", "pieces", "starts")
LAILA = (*[f"fusion.{name}" for name in FUSION], *[f"extrema.{name}" for name in EXTREMA],
         *[f"ordering.{name}" for name in ORDERING],
         *[f"buffers.{name}" for name in BUFFERS],
         "axis_collapse", "narrow", "copy_elision", "destinations.appending", "destinations.constant_extents",
         "buffer_coalescing", "hoist", "induction", "accumulate", "strip_mining",
         "filters.predicate_materialisation", "filters.first_kept", "filters.masked_updates", "histogram",
         "products.bit_products", "products.fold_products", "products.materialisation", "early_exit",
         "versioning.length_versioning", "versioning.descriptor_versioning",
         "dead_code", "fold_lifting", "pointwise")  # fmt: skip
MODULES = (
    *[f"aplc.tail.optimise.{name}" for name in TAIL],
    *[f"aplc.laila.transform.{name}" for name in LAILA],
)
SUITE = {
    "tail/optimise": "rewrites fold rules blocks facts conditions",
    "tail": "passes",
    "laila/transform/fusion": "fuse row_cells streaming",
    "laila/transform/extrema": "places",
    "laila/transform/buffers": "growth stacks",
    "laila/transform/destinations": "appending",
    "laila/transform/ordering": " ".join(ORDERING),
    "laila/transform": "accumulate axis_collapse early_exit histogram in_place induction pointwise "
    "strip_mining transforms",
    "laila/transform/products": "bit_products product_materialisation",
    "laila/transform/filters": "masked_updates",
    "laila/transform/versioning": "descriptor_versioning length_versioning extent_versioning",
    "laila/lowering": "terms",
    "laila/lowering/primitives": "scans",
    "laila/ir": "ranges",
    "laila/ir/rules": "predicated_sums choices",
    "programs": "thesis generated_c samples",
    "laila/loops": "deferred_checks zero_terms",
    "laila/loops/masking": "tail_masking ragged_loops",
    "aplc/bench": "structure",
    "aplc": "program_cache",
    "aplc/explain": "report",
    "backends/c": "bounds",
}
"""The test files that are near these modules, of those that need no device, by their folders."""

SAMPLES = re.compile(r"test_samples\.py(?!::test_sample\[(?:fusion|bench|[^/]*\]))")
"""The tests of samples that are left out: all but those of fusion, and of whole programs."""

SECONDS = 12
"""Of CPU for the tests of a mutant."""

Ran = tuple[str, float, frozenset[str]]
"""A test that passed: its name, its seconds, and the functions of the modules that it calls."""


class Session:
    """The part of pytest's session that runs tests: in forks, once for each mutant."""

    def __init__(self, mutants: Sequence[Site], log: Path | None, profile: Path | None) -> None:
        self.mutants, self.log, self.profile = mutants, log, profile
        self.results: dict[str, str] = {}
        self.failed = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items if not SAMPLES.search(item.nodeid)}
        ran = self.profiled(items)
        print(f"{len(ran)} tests pass, in {sum(seconds for _, seconds, _ in ran):.0f} s", flush=True)
        for site in self.mutants:
            name = f"{site.module}.{site.function}"
            chosen = sorted((seconds, test) for test, seconds, called in ran if name in called)
            result = self.tried(site, [items[test] for _, test in chosen if test in items])
            self.results[site.name] = result
            print(f"{result}: {site.name}", flush=True)
            if self.log is not None:
                with self.log.open("a", encoding="utf-8") as log:
                    log.write(json.dumps([site.name, result], ensure_ascii=False) + "\n")
        return True

    def profiled(self, items: dict[str, Any]) -> list[Ran]:
        """What each test calls; kept in a file, if there is one."""
        if self.profile is not None and self.profile.exists():
            kept: list[Ran] = pickle.loads(self.profile.read_bytes())
            return kept
        ran: list[Ran] = pickle.loads(in_fork(lambda: pickle.dumps(self.run_and_watch(items)), 3600)[1])
        if self.profile is not None:
            self.profile.write_bytes(pickle.dumps(ran))
        return ran

    def run_and_watch(self, items: dict[str, Any]) -> list[Ran]:
        called: set[str] = set()
        for name in MODULES:
            watch(name, called)
        ran = []
        ordered = list(items.values())
        for item, following in zip(ordered, [*ordered[1:], None], strict=True):
            called.clear()
            before = seconds_used()
            passed = run_test(item, following)
            if passed and called:
                ran.append((item.nodeid, seconds_used() - before, frozenset(called)))
        return ran

    def tried(self, site: Site, tests: Sequence[Any]) -> str:
        """What became of a mutant: killed, survived, without a test, or skipped where it cannot be made."""
        if not tests:
            return "no test"

        def run() -> bytes:
            if not apply(site):
                return b"skipped"
            start = seconds_used()
            for test, following in zip(tests, [*tests[1:], None], strict=True):
                if not run_test(test, following):
                    return f"killed by {test.nodeid}".encode()
                if seconds_used() - start > SECONDS:
                    break
            return b"survived"

        status, said = in_fork(run, 6 * SECONDS)
        return said.decode() if status == 0 else "killed by its time or a crash"


def seconds_used() -> float:
    """Of CPU, by this process and by compilers that it started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def run_test(item: Any, following: Any) -> bool:
    """Whether a test passes; a skipped one does."""
    reports = []

    class Listener:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            reports.append(report)

    listener = Listener()
    item.config.pluginmanager.register(listener)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    item.config.pluginmanager.unregister(listener)
    return all(not report.failed for report in reports)


def in_fork(work: Callable[[], bytes], seconds: float) -> tuple[int, bytes]:
    """The status of a process with this work, and what it gives; it ends after so many seconds."""
    with tempfile.NamedTemporaryFile() as answer:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(int(seconds))
                with open(os.devnull, "w") as nowhere:
                    os.dup2(nowhere.fileno(), 1)
                    os.dup2(nowhere.fileno(), 2)
                Path(answer.name).write_bytes(work())
                status = 0
            finally:
                os._exit(status)  # whatever happens here, the parent's work is not done twice
        _, status = os.waitpid(child, 0)
        return status, answer.read()


def chosen(count: int, seed: int, modules: Sequence[str]) -> list[Site]:
    """Mutants by chance, in no order, so that the first of them are chosen by chance, too."""
    places = [site for module in modules for site in sites(module)]
    return Random(seed).sample(places, min(count, len(places)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Mutation testing.")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", action="append", choices=MODULES)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--profile", type=Path, help="where to keep which tests call what")
    given = parser.parse_args()
    done: dict[str, str] = {}
    if given.log is not None and given.log.exists():
        done = dict(json.loads(line) for line in given.log.read_text("utf-8").splitlines())
    mutants = chosen(given.count, given.seed, given.module or MODULES)
    session = Session([site for site in mutants if site.name not in done], given.log, given.profile)
    files = [str(TESTS / folder / f"test_{name}.py") for folder in SUITE for name in SUITE[folder].split()]
    pytest.main([*files, "-q", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0"], plugins=[session])
    results = [{**done, **session.results}.get(site.name, "skipped") for site in mutants]
    kinds = Counter(result.partition(" by ")[0] for result in results)
    told = kinds["killed"] + kinds["survived"] + kinds["no test"]
    score = 100 * kinds["killed"] / max(1, told)
    print(f"{dict(kinds)}; score {score:.1f} %, {seconds_used():.0f} s of CPU")
    return 0


if __name__ == "__main__":
    sys.exit(main())
