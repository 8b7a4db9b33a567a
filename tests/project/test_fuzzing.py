"""Fuzzing works: its readers on seeds and changed seeds, its harnesses in C, and the command for both.

The models that the harnesses compare with are compared with the interpreter's meaning here.
"""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from aplc.backends.native.toolchain import Compiler, compile_shared
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning import order as meaning_order
from aplc.tail.meaning.core import DTYPES
from aplc.tail.types import Base
from tests.fuzzing.__main__ import main, run
from tests.fuzzing.native import HERE, build, find_clang
from tests.fuzzing.readers import READERS
from tests.fuzzing.seeds import PIECES, seeds
from tests.support.machine import needs_c

SEEDS = 30


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("target", READERS)
def test_a_reader_gives_a_value_or_an_error_of_ours(target: str) -> None:
    random = Random(target)
    pieces = [piece.encode() for piece in PIECES.get(target, ("",))]
    for seed in islice(seeds(target), 0, None, 5 if target in ("lexer", "parser", "npy") else 1):
        READERS[target](seed)
    for seed in islice(seeds(target), SEEDS):
        for _ in range(5):
            data = bytearray(seed[:400])
            for _ in range(random.randint(1, 3)):
                at = random.randint(0, len(data))
                kept = at + random.choice((0, 0, 1, 3))
                data[at:kept] = random.choice((b"", bytes([random.randrange(256)]), random.choice(pieces)))
            READERS[target](bytes(data))


@cache
def has_libfuzzer() -> bool:
    return find_clang() is not None


def require_atheris() -> None:
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("NOT CHECKED: atheris is not installed; pip install -e '.[fuzz]' brings it")


def require_libfuzzer() -> None:
    if not has_libfuzzer():
        pytest.skip("NOT CHECKED: no clang with libFuzzer; apt install clang libclang-rt-14-dev")


def test_readers_are_guided_by_coverage(tmp_path: Path) -> None:
    require_atheris()
    result = run("annotation", 1, tmp_path, runs=300)
    assert result["finding"] == ""
    assert int(str(result["inputs"])) >= 300 and int(str(result["coverage"])) > 100


def test_harnesses_are_guided_by_coverage(tmp_path: Path) -> None:
    require_libfuzzer()
    result = run("pack", 1, tmp_path, runs=3000)
    assert result["finding"] == "" and int(str(result["inputs"])) >= 3000


FAULTS = {
    "order-low": ("falls |= key < before", "falls |= key + 1 < before"),
    "search-low": (
        "slot->position != 0 && slot->code != code",
        "slot->position != 0 && slot->code >> 1 != code >> 1",
    ),
    "matrix-low": ("x[i] -= dot * v[i]", "x[i] -= i == 5 ? 0.0 : dot * v[i]"),
    "pack": ("count += numbers[j] != 0", "count += numbers[j] > 0"),
}


@needs_c
@pytest.mark.parametrize("target", FAULTS)
def test_a_harness_agrees_and_sees_a_planted_fault(target: str, tmp_path: Path) -> None:
    """Without guidance, which needs no clang; the harness that must agree has the sanitizers."""
    fast = ("-O0", "-g0", "-fno-sanitize=all")
    assert _random(build(target, tmp_path / "right", guided=False, flags=("-O0", "-g0"))) == ""
    assert "not so" in _random(
        build(target, tmp_path / "wrong", guided=False, flags=fast, planted=FAULTS[target])
    )


def _random(program: Path) -> str:
    """What a harness says about random inputs."""
    done = subprocess.run([program, "--random", "2000", "1"], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (done.stderr == "")
    return done.stderr


def test_unknown_targets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["fuzzing", "nothing"])
    with pytest.raises(SystemExit):
        main()


# --- the models ---

CALLS = """
#include "model.h"
#define EXPORT __attribute__((visibility("default")))
#define CALLS(T, S)                                                                              \\
    EXPORT void grade_##S(const T *a, int64_t rows, int64_t columns, int64_t down, int64_t *out) { \\
        model_grade_##S(a, rows, columns, down, out);                                            \\
    }                                                                                            \\
    EXPORT int64_t unique_##S(const T *a, int64_t rows, int64_t columns, int64_t *out) {         \\
        return model_unique_##S(a, rows, columns, out);                                          \\
    }                                                                                            \\
    EXPORT int64_t find_##S(const T *a, int64_t rows, int64_t columns, const T *x) {             \\
        return model_find_##S(a, rows, columns, x);                                              \\
    }                                                                                            \\
    EXPORT int64_t interval_##S(const T *a, int64_t n, const T *x) {                             \\
        return model_ascends_##S(a, n) ? model_interval_##S(a, n, *x) : -1;                      \\
    }
CALLS(int64_t, int)
CALLS(double, double)
CALLS(bool, bool)
CALLS(uint32_t, char)
"""


@pytest.fixture(scope="module")
def models(compiler: Compiler, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    directory = tmp_path_factory.mktemp("models")
    (directory / "model.h").write_text((HERE / "model.h").read_text("utf-8"), "utf-8")
    (directory / "calls.c").write_text(CALLS, "utf-8")
    compile_shared(compiler, directory / "calls.c", directory / "calls.so", 0)
    library = ctypes.CDLL(str(directory / "calls.so"))
    for base in (base for base in DTYPES if base.is_ordered):
        for name in ("unique", "find", "interval"):
            getattr(library, f"{name}_{base.value}").restype = ctypes.c_int64
    return library


def elements(random: np.random.Generator, base: Base, *shape: int) -> np.ndarray:
    """Few different ones, those at the ends among them."""
    few = {
        Base.INT: [0, 1, -1, 2, 2**63 - 1, -(2**63)],
        Base.DOUBLE: [0.0, -0.0, np.nan, np.inf, -np.inf, 1.5, 5e-324],
        Base.BOOL: [0, 1],
        Base.CHAR: [0, 97, 0x10FFFF],
    }
    return random.choice(np.array(few[base], dtype=np.uint32 if base is Base.CHAR else DTYPES[base]), shape)


@pytest.mark.parametrize("base", [base for base in DTYPES if base.is_ordered], ids=lambda base: base.value)
def test_models_mean_what_the_interpreter_means(models: ctypes.CDLL, base: Base) -> None:
    random = np.random.default_rng(1)
    for _ in range(200):
        rows, columns = int(random.integers(0, 9)), int(random.integers(1, 4))
        a, out = elements(random, base, rows, columns), np.zeros(rows, np.int64)
        for down, meaning in enumerate((meaning_order.grade_up, meaning_order.grade_down)):
            _call(models, "grade", base, a, rows, columns, down, out)
            assert out.tolist() == meaning(a).tolist()
        count = _call(models, "unique", base, a, rows, columns, out)
        np.testing.assert_array_equal(a[out[:count]], meaning_order.unique(a))
        row = elements(random, base, columns)
        assert _call(models, "find", base, a, rows, columns, row) == int(meaning_order.index_of(a, row))
        v = np.sort(elements(random, base, rows)) if rows % 2 else elements(random, base, rows)
        assert _call(models, "interval", base, v, rows, row) == _interval(v, row[:1])


def _interval(v: np.ndarray, x: np.ndarray) -> int:
    try:
        return int(meaning_order.interval_index(v, x)[0])
    except FaultRaised:
        return -1


def _call(library: ctypes.CDLL, name: str, base: Base, *arguments: np.ndarray | int) -> int:
    given = [
        ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else ctypes.c_int64(a) for a in arguments
    ]
    return int(getattr(library, f"{name}_{base.value}")(*given) or 0)
