"""Loops in threads: the same value in each run, the first error, one thread where little is to do, and what
is said where OpenMP is missing.
"""

import os
import re
import threading
from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.backends.native import toolchain
from aplc.backends.native.run import WAITING, NativeProgram, Value, usable_threads, waiting
from aplc.backends.native.toolchain import Compiler, find_compiler, find_threads
from aplc.compiled import Compiled
from aplc.compiler import compile_program
from aplc.inputs import as_input
from aplc.options import Options
from aplc.tail.errors import MachineError, RunError
from aplc.tail.source import Source
from tests.support import compiling
from tests.support.machine import needs_threads

VECTOR = np.random.default_rng(5).standard_normal(1000)

pytestmark = needs_threads


def program(text: str, threads: int, **inputs: object) -> tuple[Compiled, list[Value]]:
    """A program whose shortest loops run in threads, and its inputs."""
    return compiling.compiled(text, Options("openmp", verify=True, threads=threads), **inputs)


def value(text: str, threads: int, **inputs: object) -> Value:
    compiled, arguments = program(text, threads, **inputs)
    (result,) = compiled.run(arguments, lambda *_: None)
    return result


def c_of(text: str, *, always: bool = False, **inputs: object) -> str:
    """The C with OpenMP of a program."""
    return compiling.c_of(text, Options("openmp", verify=always), **inputs)


PRIMES = "{(2=+⌿0=(⍳⍵)∘.|⍳⍵)/⍳⍵} n"


@pytest.mark.parametrize("threads", [1, 3])
def test_a_test_that_takes_long_is_made_once(threads: int) -> None:
    """Counting what is kept takes its results, not another round of it."""
    assert c_of(PRIMES, n=30).count("aplc_residue") == 1
    assert list(value(PRIMES, threads, n=30)) == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    assert not value(PRIMES, threads, n=0).size


def test_constants_of_a_part_have_names_that_nothing_around_it_has() -> None:
    """The loop over the constants `c` stands in one in which `c` is a variable, and is there in one thread,
    too.
    """
    known = "(4 4⍴1=1 1 1 1 1 1 0 1 1 0 0 1 1 1 0 0)⍲4 4⍴1=1 0 0 1 1 1 0 1 1 1 1 1 1 0 0 0"
    matrix = ~np.array([[1, 0, 0, 1], [1, 1, 0, 1], [1, 0, 0, 1], [1, 0, 0, 0]], bool)
    for threads in (1, 2):
        assert list(value(f"1 ¯2/({known})≡b", threads, b=matrix)) == [True, False, False]


SUMS = ("+/v", "+/v÷1+v×v", "+\\v", "×/1+v÷1e3", "+/+\\v", "+/(v>0)/v", "(+/v)(⌈/v)(+/v×v)")


@pytest.mark.parametrize("text", SUMS)
@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_a_value_is_the_same_in_every_run(text: str, threads: int) -> None:
    compiled, arguments = program(text, threads, v=VECTOR)
    values = [b"".join(r.tobytes() for r in compiled.run(arguments, lambda *_: None)) for _ in range(20)]
    assert len(set(values)) == 1


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("text", ["+/v", "+\\v", "×/v"])
def test_strict_doubles_stay_in_order(text: str, threads: int) -> None:
    given = as_input(VECTOR)
    runs = []
    for target in ("interp", "openmp"):
        options = Options(target, verify=True, threads=threads)
        options = Options(
            target, verify=True, threads=threads, settings=type(options.settings)(strict_fp=True)
        )
        compiled = compile_program([Source("text", text)], {"v": given.type}, {"v": given.storage}, options)
        runs.append(compiled.run([given.value], lambda *_: None)[0])
    assert runs[0].tobytes() == runs[1].tobytes()


@pytest.mark.in_turn(8)
@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("(v>0)/v", {"v": VECTOR}),
        ("(v>0)/v", {"v": VECTOR[:1]}),
        ("(v>0)/v", {"v": VECTOR[:0]}),
        ("+\\(v>0)/v", {"v": VECTOR}),
        ("⌈\\v", {"v": VECTOR}),
        ("+\\m", {"m": VECTOR.reshape(50, 20)}),
        ("+⌿m", {"m": VECTOR.reshape(50, 20)}),
        ("+/m", {"m": VECTOR.reshape(2, 500)}),
        ("m+.×⍉m", {"m": VECTOR.reshape(40, 25)}),
        ("({0.25×(1⌽⍵)+(¯1⌽⍵)+(1⊖⍵)+¯1⊖⍵}⍣5)m", {"m": VECTOR.reshape(40, 25)}),
        ("{+/⍵[⍋⍵]×⍳≢⍵}⍤1⊢m", {"m": VECTOR.reshape(50, 20)}),
        ("{(2×⍵)⌊({⍵×1.5}⍣{⍺>50})1+|⍵}¨v", {"v": VECTOR}),
        ("(∨\\b)/v", {"b": VECTOR > 1, "v": VECTOR}),
        ("{⍵[1+⌊⍵[1]]}⍤1⊢m", {"m": np.abs(VECTOR).reshape(50, 20)}),
    ],
)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_values_are_those_of_the_interpreter(text: str, inputs: dict[str, Value], threads: int) -> None:
    expected = np.asarray(aplc.run(text, target="interp", **inputs))
    assert np.allclose(value(text, threads, **inputs), expected, rtol=1e-9, atol=1e-12)


MATRIX, WHOLE, TRUTHS = VECTOR.reshape(250, 4), np.arange(1000).reshape(250, 4) % 17, VECTOR > 1

ROUNDS = (
    ("2⊃({(k s)←⍵ ⋄ (k+1)(s++/v×k)}⍣n)0 0", {"v": VECTOR, "n": 100}),
    ("({(k s p)←⍵ ⋄ (k+1)(s++/7|k+i)(p⌈⌈/11|k×i)}⍣n)0 0 0", {"i": np.arange(50), "n": 300}),
    ("({(k s)←⍵ ⋄ (k+3)(s-k⊃v)}⍣n)1 0", {"v": VECTOR, "n": 300}),
    ("({(k s)←⍵ ⋄ (k+1)(s+2×k>5)}⍣n)1 0", {"n": 0}),
    # with memory of its own for each thread
    ("2⊃({(k s)←⍵ ⋄ w←+\\v×k ⋄ (k+1)(s++/w×⌽w)}⍣n)0 0", {"v": VECTOR / 10, "n": 30}),
    ("2⊃({(k s)←⍵ ⋄ (k+1)(s++/×\\{⍵[⍋⍵]}v×k÷1e3)}⍣n)0 0", {"v": VECTOR / 10, "n": 30}),
)
GAPS = np.where(np.arange(1000) % 97 == 9, np.nan, np.abs(VECTOR))[::-1].copy()
SCANS = tuple(
    [(f"{f}v", {"v": values}) for f in ("⌈\\", "⌊\\", "⌈/⌊\\-") for values in (VECTOR, GAPS, GAPS[95:])]
)
COLUMNS = (
    ("+⌿m", {"m": MATRIX}),
    ("(+⌿m)÷≢m", {"m": MATRIX[:3]}),
    ("⌈⌿m", {"m": MATRIX}),
    ("⌈⌿m", {"m": np.where(MATRIX > 3, np.nan, MATRIX)}),
    ("(⌈⌿m)-⌊⌿m", {"m": MATRIX}),
    ("⌊⌿i", {"i": WHOLE}),
    ("×⌿1+i", {"i": WHOLE}),
    ("∨⌿b", {"b": TRUTHS.reshape(250, 4)}),
    ("≠⌿b", {"b": TRUTHS.reshape(250, 4)}),
    ("+⌿b", {"b": TRUTHS.reshape(250, 4)}),
)


@pytest.mark.in_turn(8)
@pytest.mark.parametrize(("text", "inputs"), [*ROUNDS, *COLUMNS, *SCANS])
@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_what_rounds_accumulate(text: str, inputs: dict[str, Value], threads: int) -> None:
    expected = np.asarray(aplc.run(text, target="interp", **inputs))
    given = value(text, threads, **inputs)
    assert np.allclose(given, expected, rtol=1e-9, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize("threads", [2, 3, 9])
def test_what_comes_before_a_part_is_found_in_pieces(threads: int) -> None:
    """Parts and pieces of any length, none of no element included."""
    text, vector = "(+\\v),(v>2)/v", np.arange(41) * 7 % 11
    compiled, _ = program(text, threads, v=vector)
    for length in (0, 1, 2, 3, 5, 8, 9, 10, 17, 41):
        v = vector[:length]
        (found,) = compiled.run([as_input(v).value], lambda *_: None)
        assert found.tolist() == [*np.cumsum(v).tolist(), *v[v > 2].tolist()]


def test_rounds_that_only_accumulate_run_in_parts() -> None:
    for text, inputs in ROUNDS:
        assert "aplc_parts_of_rounds(" in c_of(text, always=True, **inputs), text
    for text, inputs in COLUMNS:
        assert "aplc_parts_apart(" in c_of(text, always=True, **inputs), text


@pytest.mark.parametrize(
    "text",
    [
        "({(k s)←⍵ ⋄ (k+1)(k-s)}⍣n)1 0",
        "({(k s)←⍵ ⋄ (k+1)(s++/v>s)}⍣n)1 0",
        "({(k s t)←⍵ ⋄ (k+1)(s+k)(t+s)}⍣n)1 0 0",
        "({(k s)←⍵ ⋄ (2×k)(s+k)}⍣n)1 0",
        "({(k s)←⍵ ⋄ (k+1)(s⌈s+k)}⍣n)1 0",
        "({⎕←⍵ ⋄ ⍵+1}⍣n)0",
        "({⍵+?6}⍣n)0",
        "-⌿m",
    ],
)
def test_rounds_that_depend_on_one_another_do_not(text: str) -> None:
    given = {name: v for name, v in (("v", VECTOR), ("n", 9), ("m", MATRIX)) if name in text}
    text_of_c = c_of(text, always=True, **given)
    assert "aplc_parts_of_rounds(" not in text_of_c
    assert "aplc_parts_apart(" not in text_of_c
    assert np.allclose(value(text, 3, **given), np.asarray(aplc.run(text, target="interp", **given)))


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_the_first_error_of_rounds_counts(threads: int) -> None:
    for text in (
        "({(k s)←⍵ ⋄ (k+1)(s+i⊃⍨k⊃j)}⍣200)1 0",
        "({(k s)←⍵ ⋄ w←+\\k×i ⋄ (k+1)(s++/⌽w×i⊃⍨k⊃j)}⍣200)1 0",
    ):
        with pytest.raises(RunError, match=r"[-¯]7"):
            value(text, threads, i=np.arange(100), j=[*range(1, 90), -7, *range(1, 90), 1001, *[-3] * 99])


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_the_first_error_counts(threads: int) -> None:
    with pytest.raises(RunError) as raised:
        value("{v⊃⍨⍵}¨i", threads, v=VECTOR, i=[*range(1, 40), -7, *range(1, 40), 1001, -3])
    assert "-7" in raised.value.diagnostics[0].message or "¯7" in raised.value.diagnostics[0].message
    with pytest.raises(RunError, match="DOMAIN ERROR"):
        value("1÷v", threads, v=[1.0] * 50 + [0.0])
    with pytest.raises(RunError, match="INDEX ERROR"):
        value("{a←⍵ ⋄ a[⍋a]←⍳≢a ⋄ a[k]}⍤1⊢m", threads, m=np.arange(40).reshape(8, 5), k=6)


def test_memory_of_parts_is_freed_after_an_error() -> None:
    compiled, arguments = program("{a←⌽⍵ ⋄ a[⍋a]←⍳≢a ⋄ ÷⊃a}⍤1⊢m", 3, m=np.arange(4000).reshape(8, 500))
    for _ in range(3):
        compiled.run(arguments, lambda *_: None)  # counts what it holds


def test_short_loops_stay_in_one_thread() -> None:
    assert "#pragma omp parallel" not in c_of("+/⍳100")
    assert "#pragma omp parallel" in c_of("+/⍳100", always=True)
    assert "aplc_parts(" in c_of("+/v", v=VECTOR)


def test_work_that_grows_with_the_index_is_that_in_the_middle() -> None:
    """And there are more parts than threads, as the last ones take the longest."""
    text = c_of("+/⍟+/¨÷⍳¨⍳n", n=5)
    assert "aplc_shares(threads, " in text
    assert "/ 2 + 1)" in text
    by_division = c_of("+/⍟+/¨÷⍳¨⌊n÷⍳m", n=5, m=5)
    assert "aplc_parts" in by_division
    assert "aplc_shares" not in by_division  # in the middle it might divide by zero


def test_what_must_run_in_order_does() -> None:
    for text in ("{⎕←⍵}¨v", "{⍺-⍵}/v"):
        assert "#pragma omp parallel" not in c_of(text, always=True, v=VECTOR), text
    for _ in range(10):
        assert value("v[i]←w ⋄ v", 3, v=np.zeros(3), i=[2] * 99, w=np.arange(99.0)).tolist() == [
            0.0,
            98.0,
            0.0,
        ]


DYNAMIC = """∇ r←a distance b;m;i;j
m←(1+(≢a),≢b)⍴0
:For i :In ⍳≢a
    :For j :In ⍳≢b
        m[i+1;j+1]←m[i;j]⌈(a[i]=b[j])+m[i;j+1]⌈m[i+1;j]
    :EndFor
:EndFor
r←m[1+≢a;1+≢b]
∇
a distance b"""


def test_only_functions_with_all_loops_in_order_keep_elements_between_rounds() -> None:
    """gcc must not keep what other threads write: see Note [Elements between] of the toolchain."""
    vector, other = np.arange(9), np.array([2, 7, 1, 8, 2, 8])
    assert "\nAPLC_IN_ORDER APLC_EXPORT int aplc_run(" in c_of(DYNAMIC, a=vector, b=vector)
    assert "APLC_IN_ORDER" not in c_of("v+2", v=VECTOR)
    in_both = c_of("{⍵÷+/⍵}⍣3⊢m", always=True, m=VECTOR.reshape(50, 20))
    functions = re.split(r"\n}\n", in_both)
    assert not [f for f in functions if "APLC_IN_ORDER" in f and "omp parallel" in f]
    assert value(DYNAMIC, 2, a=vector, b=other) == 3


def test_python_threads_share_a_program() -> None:
    f = aplc.fn("{+/⍵×⍵}", target="openmp", threads=2)
    data = [np.full(300_000, float(k)) for k in range(4)]
    found: dict[int, float] = {}

    def work(k: int) -> None:
        for _ in range(5):
            found[k] = f(data[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: 300_000.0 * k * k for k in range(4)}


def test_a_forked_process_has_one_thread() -> None:
    assert value("+/v", 2, v=[1.0, 2.0]) == 3.0
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, b"%d" % usable_threads(2))
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 10) == b"1"


def test_threads_wait_as_the_user_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in WAITING:
        monkeypatch.delenv(name, raising=False)
    assert waiting() == WAITING
    assert value("+/v", 2, v=[1.0, 2.0]) == 3.0
    assert not WAITING.keys() & os.environ.keys()
    for name in WAITING:
        with monkeypatch.context() as patch:
            patch.setenv(name, "1")
            assert waiting() == {}


@pytest.mark.parametrize("threads", [0, -1, 5000])
def test_wrong_numbers_of_threads(threads: int) -> None:
    with pytest.raises(ValueError, match="threads is a number from 1 to"):
        aplc.fn("+/", target="openmp", threads=threads)
    with pytest.raises(ValueError, match="threads are for the targets openmp and opencl"):
        aplc.fn("+/", threads=2)


def test_a_compiler_without_openmp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "find_compiler", lambda: Compiler(("zig", "cc"), "zig", "clang 20"))
    with pytest.raises(MachineError, match="zig cc has no OpenMP; install gcc"):
        find_threads()


def test_a_compiler_without_the_library(tmp_path: Path) -> None:
    failure = toolchain._failure(
        find_compiler(), 1, "/usr/bin/ld: cannot find -lgomp: No such file or directory", tmp_path
    )
    assert isinstance(failure, MachineError)
    assert "the library of OpenMP; install gcc with libgomp" in str(failure)


@pytest.mark.parametrize("text", ["((v>2)/v)((v<1)/v)((v=1)/w)", "{⍵>9:⍵ ⋄ (⍵∘.|v)+w∘.|⍵}5"])
def test_a_program_has_one_text(text: str) -> None:
    """However its expressions lie in memory; what is kept on disk is found by the text of the C."""
    whole = np.arange(10)
    texts, elsewhere = set(), []
    for k in range(12):
        texts.add(c_of(text, v=whole, w=whole))
        elsewhere.append([object() for _ in range(k * 1000)])
    assert len(texts) == 1


@pytest.mark.in_turn(6)
@needs_threads
@pytest.mark.parametrize(
    "text", ["(v>0.5)/v", "(v>2)/v", "(v<2)/3×v", "⍸v>0.3", "(v>0.9)/⍳⍴v", "(v>0.5)/v>0.7"]
)
def test_what_is_kept_is_packed_in_each_part(text: str) -> None:
    """Vectors are written where they do not reach the elements of the next part."""
    ways = [Options("interp"), *[Options("openmp", verify=True, threads=k) for k in (1, 2, 3, 7)]]
    for n in (0, 1, 8, 63, 64, 65, 1000, 4099):
        values = []
        for options in ways:
            program, arrays = compiling.compiled(text, options, v=np.random.default_rng(n).random(n))
            values += program.run(arrays, lambda *_: None)
        for found in values[1:]:
            np.testing.assert_array_equal(found, values[0], f"{n}")
    program, _ = compiling.compiled(text, Options("openmp"), v=np.ones(9))
    assert isinstance(program.runnable, NativeProgram) and "aplc_pack_" in program.runnable.program.text


def test_little_work_is_known_to_be_little() -> None:
    """Rounds that are done several at a time count once, and short blocks not as whole ones."""
    rounds = compiling.c_of("({(2×⍵)⌊⍵×⍵}⍣{⍺>50})¨v", Options("openmp"), v=[0.5])
    (work,) = re.findall(r"aplc_parts\(host, aplc_turns\(.*?\), ([0-9.]+)\)", rounds)
    assert "done1 < 4" in rounds and 0 < float(work) < 5e5
    product = compiling.c_of("m+.×m", Options("openmp"), m=[[0.5]])
    assert "(double)(aplc_min_int(16, panels))" in product


@pytest.mark.parametrize(
    "text",
    [
        "{({s←⍵+(1⌽⍵)+¯1⌽⍵ ⋄ 4<s+(1⊖s)+¯1⊖s}⍣n)⍵}m",
        "{({p←0,(0⍪⍵⍪0),0 ⋄ s←p+(1⌽p)+¯1⌽p ⋄ s←1 1↓¯1 ¯1↓s+(1⊖s)+¯1⊖s ⋄ (s=3)∨⍵∧s=4}⍣n)⍵}m",
    ],
)
def test_rounds_have_windows_for_each_part(text: str) -> None:
    """Which no round leaves to the next one; as many chunks as are the same number for a few threads."""
    bits = np.random.default_rng(3).random((301, 449)) < 0.4
    written = c_of(text, m=bits, n=2)
    functions = re.findall(r"\nstatic [^\n]*\{\n.*?\n\}\n", written, re.S)
    (part,) = [each for each in functions if "    window = aplc_alloc" in each]
    assert "for (int64_t chunk = first; chunk < last; chunk++)" in part
    assert re.search(r"int64_t chunks = .*< 4 \? .*4 \* ", written)
    assert re.search(r"loop_in_parts[^;]*\(double\)\(\(rows - 1\) / [^;]*, 0, chunks\)", written)  # blocks
    expected = aplc.run(text, m=bits, n=3)
    for threads in (1, 2, 3):
        assert np.array_equal(value(text, threads, m=bits, n=3), expected)


ROWS = (
    "({p←0,(0⍪⍵⍪0),0 ⋄ s←p+(1⌽p)+¯1⌽p ⋄ s←1 1↓¯1 ¯1↓s+(1⊖s)+¯1⊖s ⋄ (s=3)∨⍵∧s=4}⍣2)m",
    "({(1 1↓¯1 ¯1↓p)≠2 2↓p←0,(0⍪⍵⍪0),0}⍣3)m",
    "({p←0,(0⍪⍵⍪0),0 ⋄ (0 2↓1↓¯1↓p)≠1⌽⍵}⍣2)m",
    "({s←{+/,⍵}⌺3 3⊢⍵ ⋄ (s=3)∨⍵∧s=4}⍣2)m",
    "a←1⌽m ⋄ b←(⊖a)∧a ⋄ c←(1 1↓¯1 ¯1↓b)≠2 2↓b ⋄ c,1 1↓¯1 ¯1↓⊖b",
)


@pytest.mark.in_turn(18)
@pytest.mark.parametrize("text", ROWS)
def test_vectors_reach_into_the_rows_that_the_same_part_writes_next(text: str) -> None:
    """Whatever the length of rows, in whichever part they are."""
    ways = [Options("interp"), *[Options("openmp", verify=True, threads=k) for k in (1, 2, 3, 5)]]
    for rows, columns in ((4, 4), (9, 5), (7, 31), (5, 63), (40, 64), (3, 65), (6, 66), (33, 67), (11, 200)):
        matrix = np.random.default_rng(rows).random((rows, columns)) < 0.5
        values = []
        for options in ways:
            program, arrays = compiling.compiled(text, options, m=matrix)
            values += program.run(arrays, lambda *_: None)
        for found in values[1:]:
            np.testing.assert_array_equal(found, values[0], f"{rows} {columns}")


def test_the_last_rows_of_a_part_are_written_element_by_element() -> None:
    text = c_of(ROWS[0], m=np.zeros((9, 9), bool))
    part = re.search(r"const int64_t most = aplc_max_int\(first, last - .*?\n\}", text, re.S)
    assert part is not None
    masked, alone = part[0].split("for (int64_t i = most; i < last; i++)")
    assert "mask[" in masked and "mask[" not in alone


def test_rows_that_lie_among_one_another_have_no_vectors_behind_them() -> None:
    text = "({(1 1↓¯1 ¯1↓p)≠2 2↓p←0,(0⍪⍵⍪0),0}⍣2)m"
    assert "most = " in c_of(text, m=np.zeros((9, 9), bool))
    assert "most = " not in c_of(text.replace("1 1↓¯1 ¯1↓p", "⍉1 1↓¯1 ¯1↓p"), m=np.zeros((9, 9), bool))
