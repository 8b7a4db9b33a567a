"""Every sample does what its header says, everywhere; and the runner finds what a sample does wrong."""

from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

import aplc
from aplc.cases.structure import count_structure
from aplc.tail.errors import MachineError
from tests.support.days import DAY
from tests.support.haste import optimise
from tests.support.machine import lack_of
from tests.support.samples import (
    DEFAULT_WAY,
    REFERENCE,
    HeaderError,
    faults,
    read_sample,
    same_json,
    same_line,
    sample_name,
    sample_paths,
    ways_of,
)

LONG = {f"nested/{name}" for name in ("deep", "scans-and-ranks", "replace-items", "barnes-hut", "table-keys")}
"""Samples that are thousands of lines of C: the compiler optimises these on no day."""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("path", [pytest.param(path, id=sample_name(path)) for path in sample_paths()])
def test_sample(path: Path) -> None:
    sample = read_sample(path)
    wanted = ways_of(sample.name)
    if sample.name in LONG:
        optimise(False)
    lacking = {way: lack_of(way.split()[0]) for way in wanted}
    found = faults(sample, [way for way in wanted if not lacking[way]])
    if sample.xfail and found:
        pytest.xfail(sample.xfail)
    if found:
        pytest.fail(f"{path}\n" + "\n".join(found), pytrace=False)
    if any(lacking.values()):
        pytest.skip("; ".join([f"NOT CHECKED with {way}: {why}" for way, why in lacking.items() if why]))
    if sample.xfail:
        pytest.fail(f"{path} does what it says: take out its line xfail", pytrace=False)


@pytest.mark.parametrize("way", [DEFAULT_WAY, "openmp -O2, 2 threads"])
def test_samples_with_clang(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the day do the same where there is no other compiler."""
    monkeypatch.setenv("CC", "clang")
    try:
        aplc.fn("+/", target=way.split()[0])(np.ones(3))
    except MachineError as lacking:
        pytest.skip(f"NOT CHECKED with clang: {lacking}")
    turns = {path: (crc32(path.stem.encode()) + DAY) % 120 for path in sample_paths()}
    chosen = [path for path, turn in turns.items() if turn == 0 or path.stem == "extrema-of-infinities"]
    for sample in map(read_sample, chosen):
        assert sample.xfail or not faults(sample, [REFERENCE, way]), sample.name


# --- the runner -----------------------------------------------------------------------------------------


def sample_faults(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "sample.apl"
    path.write_text(text, encoding="utf-8")
    return faults(read_sample(path), ["interp -O0", "interp -O2"])


def test_a_right_sample_has_no_faults(tmp_path: Path) -> None:
    text = """⍝ Doubled and halved.
⍝ == input v double 3: 1 ¯2 2.5E0
⍝ == output 2 ¯4 5
⍝ == output 0.5 ¯1 1.25
⍝ == json {"type": "double", "shape": [3], "data": [2.0, -4.0, 5.0]}
⍝ == json {"type": "double"}
⎕←2×v
v÷2
"""
    assert sample_faults(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("⍝ == output 4\n3", "line 1 is '3', expected '4'"),
        ("⍝ == output 3\n⍝ == output 4\n3", "line 2 is None, expected '4'"),
        ("⍝ == output 3\n⎕←3\n4", "line 2 is '4', expected None"),
        ('⍝ == json {"type": "double"}\n3', "value 1 is"),
        ('⍝ == json {"data": [4]}\n3', "value 1 is"),
        ('⍝ == json {"data": [3]}\n⎕←3\n4', "value 2 is"),
        ("⍝ == error 2:1 LENGTH ERROR: + needs\n3", "error None, expected 2:1 LENGTH ERROR"),
        ("⍝ == error 2:2 LENGTH ERROR: + needs\n1 2+1 2 3", "error sample:2:1: LENGTH ERROR"),
        ("⍝ == error 2:1 RANK ERROR: + needs\n1 2+1 2 3", "error sample:2:1: LENGTH ERROR"),
        ("⍝ == error 2:1 LENGTH ERROR: × needs\n1 2+1 2 3", "error sample:2:1: LENGTH ERROR"),
        ("⍝ == error 2:1 DOMAIN ERROR: ÷\n⎕←3 ⋄ 1÷0", "error sample:2:7: DOMAIN ERROR"),
        ("⍝ == error 2:7 DOMAIN ERROR: ÷\n⎕←3 ⋄ 1÷0", "line 1 is '3', expected None"),
        ("⍝ == output 3\n1 2+1 2 3", "expected None"),
        ("⍝ == output 3\n⍝ == structure {loops 7}\n+/1 2", "structure: loops"),
        ("⍝ == case a\n⍝ == input v int 1: 5\n⍝ == output 4\nv", "case a: line 1 is '5'"),
        ("⍝ == output 4\n3", "expected '4' (interp -O0, interp -O2)"),
    ],
)
def test_a_wrong_sample_has_faults(tmp_path: Path, text: str, fragment: str) -> None:
    assert any(fragment in fault for fault in sample_faults(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("3", "a file with cases expects output"),
        ("⍝ == input v int 1: 5\nv", "a file with cases expects output"),
        ("⍝ == case a\n⍝ == output 1\n⍝ == case b\n1", "a file with cases expects output"),
        (
            "⍝ == output 3\n⍝ == case a\n⍝ == output 3\n3",
            "sample.apl:2:1: HEADER ERROR: what is expected stands below",
        ),
        ("3\n⍝ == output 3", "sample.apl:2:1: HEADER ERROR: the header ends"),
        ("⍝ == outputs 3\n3", "sample.apl:1:1: HEADER ERROR: there is no directive outputs"),
        ("⍝ ==\n3", "sample.apl:1:1: HEADER ERROR: there is no directive (none)"),
        ("⍝ == json [3]\n3", "sample.apl:1:1: HEADER ERROR: an object"),
        ("⍝ == json {3}\n3", "sample.apl:1:1: HEADER ERROR: "),
        ("⍝ == xfail\n3", "sample.apl:1:1: HEADER ERROR: xfail needs its reason"),
        ("⍝ == error 1: LENGTH ERROR: no column\n3", "sample.apl:1:1: HEADER ERROR: an error is written"),
        ("⍝ == structure {loop 1}\n3", "sample.apl:1:1: HEADER ERROR: a structure is written"),
        ("⍝ == structure {}\n3", "sample.apl:1:1: HEADER ERROR: a structure is written"),
        ("⍝ == input v int 2: 5\nv", "sample.apl:1:1: HEADER ERROR: v has 1 elements, its shape 2"),
        ("⍝ == input v int 1: 5.5\nv", "sample.apl:1:1: HEADER ERROR: invalid literal"),
        ("⍝ == input v number 1: 5\nv", "sample.apl:1:1: HEADER ERROR: "),
        ("⍝ == input v char 1: a\nv", "sample.apl:1:1: HEADER ERROR: characters are written in quotes"),
        ("⍝ == input v int 1\nv", "sample.apl:1:1: HEADER ERROR: an input is written"),
    ],
)
def test_a_wrong_header_is_refused(tmp_path: Path, text: str, fragment: str) -> None:
    with pytest.raises(HeaderError) as refused:
        sample_faults(tmp_path, text)
    assert fragment in str(refused.value)


def test_inputs(tmp_path: Path) -> None:
    path = tmp_path / "sample.apl"
    path.write_text(
        "⍝ == input a int 2 3: arange\n⍝ == input b bool: 1\n⍝ == input c char 3: 'it''\n"
        "⍝ == input d float32 0:\n⍝ == output 1\n1",
        encoding="utf-8",
    )
    given = read_sample(path).cases[0].inputs
    assert given["a"].value.tolist() == [[0, 1, 2], [3, 4, 5]] and str(given["a"].type) == "[int]2"
    assert given["b"].value.shape == () and str(given["b"].type) == "[bool]0"
    assert bytes(given["c"].value.astype("u1")) == b"it'"
    assert given["d"].value.shape == (0,) and given["d"].storage == "float32"


def test_inputs_before_the_cases_are_common_to_them(tmp_path: Path) -> None:
    text = """⍝ == input n int: 10
⍝ == case short
⍝ == input v int 1: 1
⍝ == output 11
⍝ == case other n
⍝ == input v int 2: 1 2
⍝ == input n int: 20
⍝ == output 21 22
n+v
"""
    assert sample_faults(tmp_path, text) == []


@pytest.mark.parametrize(
    ("wanted", "line", "same"),
    [
        ("a b ", "a b", True),
        ("a b", "a  b", False),
        (" 1 2", "1 2", False),
        ("0.3333333333 x", "0.3333333334 x", True),
        ("0.333333", "0.333334", False),
        ("1E¯5 2", "1.0000000001E¯5  2", True),
        ("10 1", "10 1 1", False),
        ("¯∞", "∞", False),
        ("1e5", "100000", False),
    ],
)
def test_same_line(wanted: str, line: str, same: bool) -> None:
    assert same_line(wanted, line) is same


def test_same_json() -> None:
    value = {"type": "double", "shape": [2], "data": [1.0, "inf"]}
    assert same_json({"data": [1.0 + 1e-12, "inf"]}, value)
    assert not same_json({"data": [1.001, "inf"]}, value)
    assert not same_json({"data": [1, "inf"]}, value)
    assert not same_json({"data": [1.0]}, value)
    assert not same_json({"rank": 1}, value)
    nested = {"data": [{"data": [1.0, 2.0]}]}
    assert same_json({"data": [{"data": [1.0, 2.0 + 1e-12]}]}, nested)
    assert not same_json({"data": [{"data": [1.0, 2.1]}]}, nested)
    assert not same_json({"data": [{"data": [1.0]}]}, nested)


C = """static const int64_t c[] = {9, 8};
APLC_EXPORT int aplc_run(aplc_host *host, const aplc_array *in, aplc_array *out) {
    w = aplc_alloc(n % 2, sizeof(double));
    if (w == NULL) {
        status = aplc_fail(host, 0, n, 0);
        goto done;
    }
    #pragma omp simd reduction(+:s)
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = i < 3 ? 0 : 1; k < 7; k++) {
            s += k < 1 ? 0 : c[(i + k) % 2];
            s += c[k] < 1 ? t : 1;
            x = (i == k) ? c[i < 2 ? 0 : 1] : aplc_residue_int(3, k);
        }
        if (c[i] != 0)
            s = 1;
        if (f(i, c[i]) != 0) {
            s = 2;
        }
    }
    if (bad != 0)
        return i < 2 ? 1 : 0;
}
"""


def test_count_structure() -> None:
    # Branches: in the header of the inner loop, `k < 1`, `i == k`, `i < 2` as a subscript, `f(i, …)`.
    wanted = {"loops": 2, "simd": 1, "allocs": 1, "checks": 1, "modulo": 2, "branches": 5}
    assert count_structure(C) == wanted
