"""Compiled programs in this process: results and who owns them, errors and their places, prints, threads."""

import gc
import signal
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aplc.backends.c.program import CProgram, ValueType
from aplc.backends.native.run import NativeProgram, Result, build
from aplc.compiled import Compiled
from aplc.compiler import compile_program
from aplc.inputs import as_input
from aplc.options import Options
from aplc.tail.display import DIGITS
from aplc.tail.errors import InternalError, RunError
from aplc.tail.source import Source
from aplc.tail.types import Base
from tests.support.machine import needs_c, resident
from tests.support.paths import ROOT

Value = np.ndarray[Any, Any]
Shown = tuple[str, Any, int]
"""The element type of a value that is printed, the value, and its significant digits."""

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


def ignore(value: Result, base: Base | None, digits: int) -> None:
    """Print nothing."""


def note(shown: list[float], value: Result, base: Base | None, digits: int) -> None:
    """Remember a number that is printed."""
    assert isinstance(value, np.ndarray)
    shown.append(float(value))


def keep(shown: list[Shown], value: Result, base: Base | None, digits: int) -> None:
    """Remember what is printed."""
    assert isinstance(value, np.ndarray)
    shown.append((str(base), value.tolist(), digits))


def compiled(text: str, level: int = 1, **inputs: Any) -> tuple[Compiled, list[Value]]:
    given = {name: as_input(np.asarray(value)) for name, value in inputs.items()}
    types = {name: each.type for name, each in given.items()}
    storage = {name: each.storage for name, each in given.items()}
    program = compile_program(
        [Source("program.apl", text)], types, storage, Options(level=level, verify=True)
    )
    return program, [each.value for each in given.values()]


def run(text: str, level: int = 1, **inputs: Any) -> Any:
    """The value of a program, or its values."""
    program, values = compiled(text, level, **inputs)
    results = program.run(values, ignore)
    return results[0] if len(results) == 1 else results


# --- errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "inputs", "place", "message"),
    [
        ("w←2×v\n\n÷w", {"v": [1.0, 0.0]}, "program.apl:3:1", "DOMAIN ERROR: ÷ divides by zero"),
        ("a←⍟1+v\na÷v", {"v": [1.0, -1.0]}, "program.apl:1:3", "DOMAIN ERROR: ⍟ needs a number above zero"),
        ("v+w", {"v": [1, 2], "w": [1, 2, 3]}, "program.apl:1:1", "got 2 and 3"),
        ("2×⍳k", {"k": -5}, "program.apl:1:3", "DOMAIN ERROR: ⍳ needs a count that is not negative, got ¯5"),
        ("(k,3)⍴v", {"k": -2, "v": [1]}, "program.apl:1:1", "extents that are not negative, got ¯2"),
        ("k⊃v", {"k": 4, "v": [1, 2]}, "program.apl:1:1", "INDEX ERROR: ⊃ has no element 4, the length is 2"),
        ("{⍵⊃v}¨k", {"k": [1, -7], "v": [1, 2]}, "program.apl:1:2", "⊃ has no element ¯7, the length is 2"),
        ("⌊v", {"v": [1.5, 1e300]}, "program.apl:1:1", "the result of ⌊ does not fit an integer"),
        ("+/⊃⍤0⊢v[i]", {"v": [1, 2], "i": [1, 9]}, "program.apl:1:7", "v has no element 9, the length is 2"),
        ("(+/v[i])⊃v", {"v": [1, 2], "i": [1, 9]}, "program.apl:1:4", "v has no element 9, the length is 2"),
        ("{⍵⌷v}¨v[i]", {"v": [1, 2], "i": [1, 9]}, "program.apl:1:7", "v has no element 9, the length is 2"),
        ("⍴v[d]", {"v": [1, 2], "d": [1.0, 1.5]}, "program.apl:1:4", "an index needs whole numbers"),
        ("v*0.5", {"v": [4.0, -4.0]}, "program.apl:1:1", "* has no real result"),
    ],
)
def test_errors_come_back_with_place_and_values(
    text: str, inputs: dict[str, Any], place: str, message: str
) -> None:
    for level in (0, 2):
        program, values = compiled(text, level, **inputs)
        with pytest.raises(RunError) as failure:
            program.run(values, ignore)
        assert message in str(failure.value)
        assert str(failure.value).startswith(place)


def test_checks_that_share_a_flag_keep_their_places() -> None:
    """Whichever of them fails is told, and one of them where several do."""
    text = "((v*0.5)+⍟w)÷(x*0.5)+⍟1-y"
    good = {"v": [1.0, 1.0], "w": [1.0, 2.0], "x": [1.0, 4.0], "y": [0.5, -1.0]}
    program, values = compiled(text, 2, **good)
    assert isinstance(program.runnable, NativeProgram)
    assert "aplc_tested(bad, 8)" in program.runnable.program.text
    (result,) = program.run(values, ignore)
    assert np.allclose(result, [1 / (1 + np.log(0.5)), (1 + np.log(2)) / (2 + np.log(2))])
    places = {"v": 3, "w": 10, "x": 15, "y": 22}
    for several in (["v"], ["w"], ["x"], ["y"], ["w", "y"], ["v", "x", "y"]):
        wrong = dict(good)
        for k, name in enumerate(several):
            wrong[name] = [2.0 if name == "y" else -2.0, good[name][1]][:: 1 if k else -1]
        with pytest.raises(RunError) as failure:
            program.run([np.array(each) for each in wrong.values()], ignore)
        assert any(f"program.apl:1:{places[name]}:" in str(failure.value) for name in several), several


def test_a_program_runs_again_after_an_error() -> None:
    program, _ = compiled("÷v", v=np.ones(3))
    for _ in range(3):
        with pytest.raises(RunError):
            program.run([np.zeros(3)], ignore)
        (result,) = program.run([np.full(3, 4.0)], ignore)
        assert result.tolist() == [0.25] * 3


def test_an_error_after_prints_comes_after_them() -> None:
    program, values = compiled("⎕←v ⋄ ⎕←+/v ⋄ ÷v-v", v=[1.0, 2.0])
    shown: list[Shown] = []
    with pytest.raises(RunError):
        program.run(values, partial(keep, shown))
    assert [value for _, value, _ in shown] == [[1.0, 2.0], 3.0]


# --- results --------------------------------------------------------------------------------------------


def test_results_own_their_memory() -> None:
    program, values = compiled("⌽v", v=np.arange(1000))
    (first,) = program.run(values, ignore)
    (second,) = program.run(values, ignore)
    part = second[3:7]
    first[:] = 0
    values[0][:] = -1
    del second, program
    gc.collect()
    others = [np.full(1000, 5) for _ in range(100)]
    assert part.tolist() == [996, 995, 994, 993] and len(others) == 100
    assert part.flags.writeable


def test_results_do_not_share_memory_with_inputs() -> None:
    for text in ("v", "2 3⍴v", "w←v ⋄ ⎕←w ⋄ w", "1×v"):
        data = np.arange(6)
        result = run(text, v=data)
        assert not np.shares_memory(result, data)
        assert result.reshape(-1).tolist() == list(range(6))


def test_results_are_freed_with_their_last_view() -> None:
    program, values = compiled("v+1", v=np.zeros(1 << 21))
    before = resident()
    for _ in range(60):  # 16 MB each
        (result,) = program.run(values, ignore)
        view = result[5:].reshape(-1, 1)
        del result
        assert view[0, 0] == 1.0
    del view
    gc.collect()
    assert resident() - before < 200 << 20


@pytest.mark.parametrize(
    ("text", "inputs", "shape"),
    [
        ("⌽v", {"v": np.zeros(0)}, (0,)),
        ("0 3⍴v", {"v": np.ones(2)}, (0, 3)),
        ("3 0⍴v", {"v": np.ones(2)}, (3, 0)),
        ("v+1", {"v": np.zeros((0, 4), np.int64)}, (0, 4)),
        ("0↑v", {"v": np.ones(2)}, (0,)),
        ("9↓v", {"v": np.ones(2)}, (0,)),
        ("⍳0", {}, (0,)),
        ("⍉v", {"v": np.zeros((0, 4), np.bool_)}, (4, 0)),
        ("+/v", {"v": np.zeros((3, 0))}, (3,)),
        ("v∘.+v", {"v": np.zeros(0)}, (0, 0)),
    ],
)
def test_results_without_elements(text: str, inputs: dict[str, Value], shape: tuple[int, ...]) -> None:
    for level in (0, 2):
        assert run(text, level, **inputs).shape == shape


def test_scalars_of_every_type() -> None:
    for text, wanted, dtype in (
        ("+/v", 6, np.int64),
        ("(+/v)÷4", 1.5, np.float64),
        ("∧/v=v", True, np.bool_),
        ("⊃(≢v)↑'abc'", 97, np.uint32),
    ):
        value = run(text, v=[1, 2, 3])
        assert value.shape == () and value.dtype == dtype and value == wanted


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float32"])
def test_narrow_inputs_are_computed_with_all_digits(dtype: str) -> None:
    top = 3.0e38 if dtype == "float32" else np.iinfo(dtype).max
    data = np.array([top, top, 3], dtype)
    wide = data.astype(np.float64 if dtype == "float32" else np.int64)
    for level in (0, 2):
        assert run("v+v", level, v=data).tolist() == (wide + wide).tolist()
        assert run("v×v", level, v=data).tolist() == (wide * wide).tolist()
        assert run("+/v×v", level, v=data[2:]) == 9
        assert run("⌈/v-1⌽v", level, v=data) == (wide - np.roll(wide, -1)).max()


def test_integers_wrap_and_are_compared_as_they_are() -> None:
    v = np.array([2**63 - 1, 5, -(2**63)])
    for level in (0, 2):
        assert run("v<v+1", level, v=v).tolist() == [False, True, True]
        assert run("v⌈v+1", level, v=v).tolist() == [2**63 - 1, 6, 1 - 2**63]
        assert run("(⍳3)<¯9223372036854775808", level).tolist() == [False] * 3
        assert run("0<9223372036854775807+⍳3", level).tolist() == [False] * 3
        assert run("x+x←k⌽2000000000 1900000000", level, k=1).tolist() == [3_800_000_000, 4_000_000_000]


# --- prints ---------------------------------------------------------------------------------------------


def test_prints_come_in_order_with_their_types() -> None:
    program, values = compiled("⎕←v ⋄ ⎕←'ab' ⋄ ⎕←2 2⍴v>1 ⋄ ⎕←+/v ⋄ ⎕←0⍴v ⋄ 7", v=[1, 2])
    shown: list[Shown] = []
    results = program.run(values, partial(keep, shown))
    assert [r.tolist() for r in results] == [7]
    assert shown == [
        ("int", [1, 2], DIGITS),
        ("char", [97, 98], DIGITS),
        ("bool", [[False, True], [False, True]], DIGITS),
        ("int", 3, DIGITS),
        ("int", [], DIGITS),
    ]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_while_printing_stops_the_program(error: type[BaseException]) -> None:
    program, values = compiled("⎕←1 ⋄ ⎕←v+1 ⋄ ⎕←3 ⋄ ⌽v", v=[1.0, 2.0])
    shown = 0

    def show(value: Result, base: Base | None, digits: int) -> None:
        nonlocal shown
        shown += 1
        if shown == 2:
            raise error("enough")

    for _ in range(2):
        shown = 0
        with pytest.raises(error, match="enough"):
            program.run(values, show)
        assert shown == 2


def test_nothing_of_a_run_waits_for_the_collector() -> None:
    program, values = compiled("⎕←v+1", v=[1.0, 2.0])

    class Shown:
        def __call__(self, value: Result, base: Base | None, digits: int) -> None:
            return

    gc.disable()
    try:
        show = Shown()
        end = weakref.ref(show)
        program.run(values, show)
        del show
        assert end() is None
    finally:
        gc.enable()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_in_generated_code_stops_the_program() -> None:
    """Python calls the handler of a signal where C calls Python next, before that function's first line."""
    program, values = compiled("⎕←n ⋄ ⎕←({100|3+⍵×7}⍣n)1 ⋄ ⎕←n", n=10_000_000)
    shown = 0

    def show(value: Result, base: Base | None, digits: int) -> None:
        nonlocal shown
        shown += 1
        if shown == 1:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.001)

    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            program.run(values, show)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert shown < 3


# --- threads --------------------------------------------------------------------------------------------


def test_one_program_in_many_threads() -> None:
    """Each call has its own memory, errors and prints."""
    program, _ = compiled("⎕←+/v ⋄ ⌽÷v", v=np.ones(2))
    start = threading.Barrier(8)

    def work(k: int) -> None:
        start.wait()
        for n in range(1, 60):
            shown: list[float] = []
            show = partial(note, shown)
            data = np.full(100 * n, float(k))
            if k == 0:
                with pytest.raises(RunError, match="divides by zero"):
                    program.run([data], show)
            else:
                (result,) = program.run([data], show)
                assert result.shape == (100 * n,) and (result == 1 / k).all()
            assert shown == [100.0 * n * k]

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(work, k) for k in range(8)]:
            done.result()


# --- memory ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("1000000000000000⍴0.5", {}),
        ("4294967296 4294967296⍴0", {}),
        ("4294967296 4294967296 3⍴v>0", {"v": [1]}),
        ("(k,k)⍴v", {"k": 2**33, "v": [1.0]}),
        ("(k,4)⍴v", {"k": 2**62, "v": [1.0]}),
        ("(k,4000000000)⍴v", {"k": 4611686018, "v": [1.0, 2.0]}),
        ("⍳k", {"k": 2**60}),
        ("k↑v", {"k": 2**62, "v": [1, 2]}),
        ("k↑v", {"k": -(2**63), "v": [1, 2]}),
        ("w←⌽⍳k ⋄ ⎕←w ⋄ +/w", {"k": 2**50}),
    ],
)
def test_too_much_memory_is_an_error_of_apl(text: str, inputs: dict[str, Any]) -> None:
    for level in (0, 2):
        with pytest.raises(RunError, match="WS FULL"):
            run(text, level, **inputs)


def test_memory_of_a_failed_program_is_freed() -> None:
    program, values = compiled("a←⌽v ⋄ ⎕←a ⋄ ÷a", v=np.zeros(1 << 21))
    before = resident()
    for _ in range(40):
        with pytest.raises(RunError):
            program.run(values, ignore)
    gc.collect()
    assert resident() - before < 200 << 20


def handing_out(statements: str) -> CProgram:
    """A program in C whose value is a vector of one element, in `a`."""
    lines = (
        '#include "aplc.h"',
        "APLC_EXPORT int aplc_run(aplc_host *host, const aplc_array *in, aplc_array *out) {",
        "    (void)host, (void)in;",
        "    int64_t *a = aplc_alloc(1, 8), *b = aplc_alloc(1, 8);",
        f"    {statements}",
        "    out[0].data = a;",
        "    out[0].shape[0] = 1;",
        "    return b == a ? APLC_FAILED : APLC_OK;",
        "}\n",
    )
    return CProgram("\n".join(lines), (), (), (ValueType(Base.INT, 1),))


@pytest.mark.parametrize(
    "statements",
    [
        "",
        "free(b); aplc_alloc(1, 8);",
        "free(b); aplc_adopt(in);",
        "b = malloc(3);",
        "free(b); if (calloc(2, 8) == NULL) return APLC_OK;",
        "free(a); return APLC_STOPPED;",
        "b = a;",
        "free(a); free(b); a = NULL;",
    ],
)
def test_memory_that_is_not_freed_once_is_an_error_of_ours(statements: str) -> None:
    program = build(handing_out(statements), 0, debug=True)
    with pytest.raises(InternalError, match="holds memory after its end, or freed too much"):
        program.run([np.zeros(1)], ignore)


def test_memory_that_is_freed_once_is_none() -> None:
    for text in (handing_out("free(b);"), handing_out("aplc_adopt(malloc(1)); free(b); free(NULL);")):
        (result,) = build(text, 0).run([np.zeros(1)], ignore)
        assert result.shape == (1,)
    for _ in range(3):
        (result,) = build(handing_out("free(b);"), 0, debug=True).run([np.zeros(1)], ignore)
        assert result.shape == (1,)


@pytest.mark.parametrize("level", [0, 2])
def test_memory_of_answers_of_the_host_is_counted(level: int) -> None:
    program, values = compiled("m←⌹v ⋄ w←⍕v ⋄ ⎕←⍴w ⋄ m", level, v=np.eye(3))
    assert "aplc_adopt" in to_c_text(program)
    for _ in range(2):
        (result,) = program.run(values, ignore)
        assert result.tolist() == np.eye(3).tolist()
    with pytest.raises(RunError):
        program.run([np.zeros((3, 3))], ignore)


def to_c_text(program: Compiled) -> str:
    """The C of a program."""
    assert isinstance(program.runnable, NativeProgram)
    return program.runnable.program.text


LONG = """
import resource, sys
import numpy as np
from aplc.compiler import Options, compile_program
from aplc.inputs import as_input
from aplc.tail.source import Source

given = as_input(np.asarray(3_000_000_000))
source = Source("p.apl", "+/7=⍳k")
program = compile_program([source], {"k": given.type}, {"k": given.storage}, Options(level=2))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
(result,) = program.run([given.value], print)
print(int(result), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_more_elements_than_32_bits_count_and_no_memory() -> None:
    """In a process of its own, because only there the greatest size is that of this program."""
    answer = subprocess.run(
        [sys.executable, "-c", LONG], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    result, growth = map(int, answer.split())
    assert result == 1
    assert growth < 50_000  # kilobytes


CRAMPED = """
import resource
import numpy as np
from pathlib import Path
from aplc.compiler import Options, compile_program
from aplc.inputs import as_input
from aplc.tail.errors import MachineError
from aplc.tail.source import Source

given = as_input(np.asarray(20))
source = Source("p.apl", "{⍵=0:1 ⋄ ⍵-∇⍵-1}k")
program = compile_program([source], {"k": given.type}, {"k": given.storage}, Options(level=2))
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 27), size + (1 << 27)))
try:
    program.run([given.value], print)
except MachineError as refused:
    print(refused)
"""


def test_no_room_for_the_stack_of_a_recursion() -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("NOT CHECKED: this machine does not tell the addresses of a process")
    answer = subprocess.run(
        [sys.executable, "-c", CRAMPED], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert answer.startswith("no room for the stack of a deep recursion, 513 MB")
