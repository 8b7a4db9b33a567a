"""What is kept of an array, a vector of elements at a time: types, extents, shares that are kept."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.backends.native.toolchain import find_compiler
from tests.support.machine import needs_c
from tests.support.paths import ROOT

RTS = ROOT / "backends" / "rts"

LENGTHS = (0, 1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129, 1000)
TEXTS = (
    "{(⍵>⍺)/⍵}",
    "{(⍵≤⍺)/0.5×⍵}",
    "{⍸⍵>⍺}",
    "{(~⍵=⍺)/⍳≢⍵}",
    "{m←⌷7|⌊⍵ ⋄ ⌷(m>3)/m}",
    "{m←⌷300|⌊⍵ ⋄ ⌷(m>⍺)/m}",
    "{m←⌷⍵>⍺ ⋄ ⌷m/1⌽m}",
    "{m←⌷70000|⌊100×⍵ ⋄ ⌷(0=2|m)/m}",
    "{(⍵>⍺)/(≢⍵)⍴'characters'}",
    "{(,⍉⍵∘.>⍺,0)/,⍉⍵∘.+⍺,1}",
)

pytestmark = needs_c


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_kept(text: str) -> None:
    ours, meant = aplc.fn(text, target="c"), aplc.fn(text, target="interp")
    for n in LENGTHS:
        v = np.random.default_rng(n).integers(-50, 500, n) / 4
        for limit in (-1e9, 0.0, 60.0, 1e9):
            np.testing.assert_array_equal(ours(limit, v), meant(limit, v), f"{n} {limit}")


EACH_SIZE = "".join(
    [
        f"int64_t pack_{size}(void *to, int64_t count, const void *from, const void *keep) {{"
        f" int64_t next; aplc_pack_{size}(to, count, from, keep, &next); return next; }}\n"
        f"int64_t bits_{size}(void *to, int64_t count, const void *from, const void *keep, int64_t place,"
        f" int64_t first) {{"
        f" int64_t next, bits, ones; aplc_marks(keep, &bits, &ones);"
        f" aplc_pack_bits_{size}(to, count, from, place, bits, first, &next); return next; }}\n"
        for size in (1, 2, 4, 8)
    ]
)
PLACES = """
int64_t places(int64_t *to, const void *keep) {
    int64_t bits, ones, count = 0;
    aplc_marks(keep, &bits, &ones);
    while (bits != 0)
        aplc_mark(bits, &to[count++], &bits);
    return count == ones ? count : -1;
}
"""


@pytest.mark.parametrize("without", ("", "-mno-avx512vbmi2", "-mno-avx512f", "-mno-avx2"))
def test_one_vector(without: str, tmp_path: Path) -> None:
    """With the instructions that this machine has, and without some of them."""
    source, library = tmp_path / "pack.c", tmp_path / "pack.so"
    source.write_text(f'#include "aplc_pack.h"\n{EACH_SIZE}{PLACES}')
    command = find_compiler().command
    flags = ["-O2", "-march=native", *without.split(), "-fPIC", "-shared", "-I", str(RTS)]
    done = subprocess.run([*command, *flags, str(source), "-o", str(library)], capture_output=True)
    if done.returncode != 0:
        pytest.skip(f"NOT CHECKED: the compiler has no {without}")
    functions = ctypes.CDLL(str(library))
    random = np.random.default_rng(3)
    for size in (1, 2, 4, 8):
        pack, lanes = functions[f"pack_{size}"], 64 // size
        pack.restype = ctypes.c_int64
        for share in (0.0, 0.1, 0.5, 0.9, 1.0):
            elements = random.integers(-100, 100, lanes).astype(f"int{8 * size}")
            keep = (random.random(lanes) < share).astype(f"int{8 * size}")
            to = np.zeros(3 + lanes, dtype=elements.dtype)
            pointers = [ctypes.c_void_p(a.ctypes.data) for a in (to, elements, keep)]
            count = pack(pointers[0], ctypes.c_int64(3), *pointers[1:])
            assert count == 3 + np.sum(keep) and not np.any(to[:3])
            np.testing.assert_array_equal(to[3:count], elements[keep != 0])
    for share in (0.0, 0.02, 0.5, 1.0):
        keep = random.random(64) < share
        places = np.zeros(64, dtype=np.int64)
        functions.places.restype = ctypes.c_int64
        count = functions.places(*[ctypes.c_void_p(a.ctypes.data) for a in (places, keep)])
        np.testing.assert_array_equal(places[:count], np.flatnonzero(keep))
        for size in (1, 2, 4, 8):
            pack, lanes = functions[f"bits_{size}"], 64 // size
            pack.restype = ctypes.c_int64
            for first in range(0, 64, lanes):
                elements = random.integers(-100, 100, lanes + 5).astype(f"int{8 * size}")
                to = np.zeros(3 + lanes, dtype=elements.dtype)
                pointers = [ctypes.c_void_p(a.ctypes.data) for a in (to, elements, keep)]
                numbers = [ctypes.c_int64(n) for n in (3, 5, first)]
                count = pack(pointers[0], numbers[0], *pointers[1:], *numbers[1:])
                np.testing.assert_array_equal(to[3:count], elements[5:][keep[first : first + lanes]])
