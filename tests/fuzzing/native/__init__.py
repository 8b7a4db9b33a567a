"""The harnesses in C of parts of the run-time system, and how they are built.

A harness compares what `backends/rts` computes with a plain model (`model.h`), whose meaning is tested
against the interpreter's. In a variant called `low` the sizes from which another way is taken are small, so
that small inputs go every way. Without clang, gcc builds the same harness with a `main` that runs files, and
random inputs without guidance.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aplc.backends.native.run import headers

HERE = Path(__file__).resolve().parent
SANITIZED = ("-g", "-O1", "-std=gnu11", "-fwrapv", "-fno-math-errno", "-fno-trapping-math",
             "-ffp-contract=off", "-fopenmp-simd", "-fno-sanitize-recover=all")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Harness:
    """One binary: its C, the flags of its variant, and sizes in the headers that are others."""

    source: str
    flags: tuple[str, ...] = ()
    sizes: dict[str, str] = field(default_factory=dict)


LOW_ORDER = {"APLC_FEW_WORDS": "4", "APLC_CACHED_WORDS": "24", "APLC_DIGIT_BITS": "3", "APLC_SPLIT_BITS": "4",
             "APLC_SPARE_BITS": "1", "APLC_FEW_ROWS": "2", "APLC_COUNTED_KEYS": "6", "APLC_FEW_WANTED": "2",
             "APLC_CANDIDATES": "2", "APLC_FIRST_BLOCK": "4"}  # fmt: skip
LOW_SEARCH = {
    "APLC_LINEAR_ROWS": "2",
    "APLC_SEARCHES": "3",
    "APLC_TABLE_WIDTH": "1",
    "APLC_TABLE_AHEAD": "2",
    "APLC_MIXED": "3",
}
LOW_MATRIX = {"APLC_PANEL": "3"}

HARNESSES = {
    "order": Harness("order.c"),
    "order-low": Harness("order.c", sizes=LOW_ORDER),
    "search": Harness("search.c"),
    "search-low": Harness("search.c", sizes=LOW_SEARCH),
    "matrix": Harness("matrix.c"),
    "matrix-low": Harness("matrix.c", sizes=LOW_MATRIX),
    "pack": Harness("pack.c"),
    "pack-avx2": Harness("pack.c", ("-mavx2",)),
    "pack-native": Harness("pack.c", ("-march=native",)),
}


def find_clang() -> str | None:
    """The clang on PATH, if it has libFuzzer."""
    clang = shutil.which("clang")
    if clang is None:
        return None
    probe = subprocess.run(
        [clang, "-fsanitize=fuzzer,address", "-x", "c", "-", "-o", "/dev/null"],
        input="int LLVMFuzzerTestOneInput(const unsigned char *d, long n) { return d == 0 && n; }",
        capture_output=True,
        text=True,
        check=False,
    )
    return clang if probe.returncode == 0 else None


def build(
    target: str,
    scratch: Path,
    *,
    guided: bool = True,
    flags: Sequence[str] = (),
    planted: tuple[str, str] = ("", ""),
) -> Path:
    """The binary of a harness, built in `scratch`: with libFuzzer, or with a `main` of our own by gcc.

    Further flags come last. A planted fault is a piece of the headers and what stands in its place.
    """
    harness = HARNESSES[target]
    directory = scratch / f"{target}-{'guided' if guided else 'plain'}.build"
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in headers().items():
        (directory / name).write_text(with_sizes(text, harness.sizes).replace(*planted), "utf-8")
    compiler = find_clang() if guided else shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SystemExit(f"{target} needs clang with libFuzzer: apt install clang libclang-rt-14-dev")
    sanitizers = "fuzzer,address,undefined" if guided else "address,undefined"
    sources = [HERE / harness.source, *([] if guided else [HERE / "plain_main.c"])]
    output = directory / target
    command = [
        compiler,
        *SANITIZED,
        *harness.flags,
        f"-fsanitize={sanitizers}",
        f"-I{directory}",
        f"-I{HERE}",
    ]
    done = subprocess.run(
        [*command, *flags, *map(str, sources), "-lm", "-o", str(output)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return output


def with_sizes(text: str, sizes: dict[str, str]) -> str:
    """A header with other values of the constants of an `enum`."""
    return re.sub(
        r"\b(APLC_\w+) = ([^,/\n]+?)(?=\s*[,/\n])",
        lambda found: f"{found[1]} = {sizes.get(found[1], found[2])}",
        text,
    )
