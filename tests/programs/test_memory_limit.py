"""Which arrays can exist: those that no memory holds, and the limit of what a program may take."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from aplc.tail.errors import RunError
from aplc.tail.faults import count_of_elements, told_elements
from aplc.targets import TARGETS
from tests.support.commands import Cli, write
from tests.support.compiling import compiled
from tests.support.machine import require

MEGABYTE = 1 << 20


def options(target: str, limit: int | None) -> Options:
    return Options(target=target, verify=target != "opencl", memory_limit=limit)


def ran(text: str, target: str, limit: int | None = None, **inputs: Any) -> Any:
    """The first array of a program's value; its end finds out what C has not freed."""
    require(target)
    program, values = compiled(text, options(target, limit), **inputs)
    return program.run(values, lambda *shown: None)[0]


def said(work: Callable[[], Any]) -> str:
    """The message of the error that the work ends with, which has a place."""
    with pytest.raises(RunError) as caught:
        work()
    (found,) = caught.value.diagnostics
    assert found.span is not None
    return f"{found.kind}: {found.message}"


# --- what no machine holds --------------------------------------------------------------------------------

pytestmark = pytest.mark.optimised  # what is counted, not computed, is so for a compiler that optimises

HUGE = {
    "((2*32),(2*32))⍴0": "an array of 18446744073709551616 elements",
    "≢,((2*32),(2*32))⍴0": "an array of 18446744073709551616 elements",
    "((2*32),(2*32),0)⍴0": "an empty array whose other extents make 18446744073709551616 elements",
    "⍴0 9223372036854775807⍴0": "an empty array whose other extents make 9223372036854775807 elements",
    "⍴⍉0 9223372036854775807⍴0": "an empty array whose other extents make 9223372036854775807 elements",
    "⍴+/0 9223372036854775807⍴0": "an empty array whose other extents make 9223372036854775807 elements",
    "+⌿0 9223372036854775807⍴0": "an empty array whose other extents make 9223372036854775807 elements",
    "(n,n)⍴0": "an array of 1208925819614629174706176 elements",
    "≢,(n,n)⍴0": "an array of 1208925819614629174706176 elements",
    "(n,n,0)⍴0": "an empty array whose other extents make 1208925819614629174706176 elements",
    "(n,n,n,n)⍴0": None,
    "(⍳n)∘.+⍳n": None,
    "≢,(⍳n)∘.+⍳n": None,
    "2147483648?9223372036854775807": None,
    "⍳9E18": "an array of 9000000000000000000 elements",
    "(⍳1E5)∘.+⍳1E6×n>0": None,
    "n↑1": "an array of 1099511627776 elements",
    "n/1": "an array of 1099511627776 elements",
    "⍉(n,1)⍴1": None,
    "⌽n⍴3": None,
    "(n⍴1)\\3": None,
    "⍸n⍴1": None,
    "{⍵+1}¨n⍴1": None,
    "{⍵,1}⍤0⊢n⍴1": None,
    "⍕n⍴3": None,
    "(1E5⍴2)⊤⍳1E7×n>0": None,
    "⍋n⍴1": None,
    ",(n,2)⍴1": None,
}
"""Programs for the n of 2*40, and what they have no memory for where all targets say the same."""


@pytest.mark.parametrize("target", ("interp", "c"))
def test_arrays_that_no_machine_holds(target: str) -> None:
    require(target)
    for text, what in HUGE.items():
        message = said(lambda text=text: ran(text, target, **({"n": 2**40} if "n" in text else {})))  # type: ignore[misc]
        assert message.startswith(f"WS FULL: no memory for {what or ''}"), text


def test_empty_arrays_with_other_extents_that_fit() -> None:
    for target in ("interp", "c"):
        assert ran("⍴⍉0 1000000000000⍴n", target, n=1).tolist() == [10**12, 0]
        assert ran("+/(0,n)⍴n", target, n=10**12).shape == (0,)
        assert ran("+\\(0,n)⍴n", target, n=10**12).shape == (0, 10**12)
        assert ran("3+/(0,n)⍴n", target, n=10**12).shape == (0, 10**12 - 2)
        assert ran("≢,(0,n)⍴n", target, n=10**12) == 0


def test_lengths_beyond_four_gigabytes_are_numbers_like_others() -> None:
    assert ran("≢n⍴0", "c", n=2**33) == 2**33
    assert ran("⍴3↓(2,n)⍴0", "c", n=2**31).tolist() == [0, 2**31]
    assert ran("⍴(0,n)⍴0", "interp", n=2**33).tolist() == [0, 2**33]


def test_numbers_of_elements_in_two_words() -> None:
    assert told_elements(5, 0) == count_of_elements(5) == "an array of 5 elements"
    assert told_elements(0, 2) == count_of_elements(2**64)
    assert told_elements(7, ~3) == count_of_elements(7 + 3 * 2**63, is_empty=True)
    assert told_elements(-(2**63), 0) == count_of_elements(2**63)
    assert told_elements(1, 0) == "an array of 1 element"
    assert "element" not in told_elements(0, 0)


# --- the limit of a run -----------------------------------------------------------------------------------

TOO_MUCH = {
    "a vector": "⌽⍳n",
    "a growing state": "⊃⌽({⍵,⍵}⍣30)n⍴0",
    "a growing argument": "≢{(≢⍵)>1000000000:⍵ ⋄ ∇ ⍵,⍵}n⍴0",
    "activations that wait": "≢{(≢⍵)>1000000000:⍵ ⋄ ⍵,∇ ⍵,⍵+⊃⌽⍵}n⍴0",
    "an outer product": "∪,(⍳n)∘.×⍳n",
    "many results": "x←⍋n?n ⋄ y←⍋n?n ⋄ z←⍋n?n ⋄ x y z",
    "cells": "⌽{⌽⍵⍴3}¨⍳1 ⋄ ⌽{⌽3⍴⍵}⍤0⊢⍳n",
    "text": "⍴⍕⍳n",
    "searching": "+/(⌽⍳n)⍳⍋⌽⍳n",
    "printing": "⎕←⍳3 ⋄ ⎕←⌽⍳n ⋄ n",
}
"""Programs that take more than the limit for one n and less for another."""


ALL = ("a growing state", "an outer product")
"""Those that all targets run; the others differ where C and the interpreter do."""


@pytest.mark.parametrize(
    ("kind", "target"),
    [(k, t) for k in TOO_MUCH for t in TARGETS if t in ("interp", "c") or k in ALL],
)
def test_a_program_that_takes_more_than_its_limit(kind: str, target: str) -> None:
    require(target)
    text = TOO_MUCH[kind]
    program, values = compiled(text, options(target, MEGABYTE), n=200_000)
    for _ in range(2):  # nothing of the first run counts in the second
        assert said(lambda: program.run(values, lambda *shown: None)).startswith("WS FULL: no memory for ")
    if "state" not in kind and "argument" not in kind and "activations" not in kind:
        program.run([np.array(7)], lambda *shown: None)


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_freed_does_not_count(target: str) -> None:
    assert ran("+/({⌽⍵+1}⍣200)⍳n", target, MEGABYTE, n=20_000) == sum(range(20_001)) + 200 * 20_000


def test_threads_share_the_limit() -> None:
    text = "+/{+/⍋⌽⍳⍵}¨n⍴50000"
    assert said(lambda: ran(text, "openmp", 100_000, n=8)).startswith("WS FULL")
    assert ran(text, "openmp", 8 * MEGABYTE, n=8) == 8 * sum(range(50_001))


def test_inputs_do_not_count() -> None:
    for target in TARGETS:
        assert ran("+/v", target, 1000, v=np.ones(100_000)) == 100_000


def test_functions_are_usable_after_their_limit() -> None:
    for target in ("interp", "c"):
        require(target)
        reverse = aplc.fn("{⌽⍳⍵}", target=target, memory_limit=MEGABYTE)
        for _ in range(3):
            assert said(lambda reverse=reverse: reverse(200_000)).startswith("WS FULL")  # type: ignore[misc]
            assert reverse(4).tolist() == [4, 3, 2, 1]


def test_limits_of_the_command_line(cli: Cli, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program = write("p.apl", "⎕←1\n⌽⍳200000\n")
    outcome = cli(program, "--target", "interp", "--memory-limit", "1M")
    assert (outcome.status, outcome.out) == (1, "1\n")
    assert outcome.first == "p.apl:2:2: WS FULL: no memory for an array of 200000 elements"
    for enough in ("4000000", "4m", "1G", "999999999999999999T"):
        assert cli(program, "--target", "interp", "--memory-limit", enough).status == 0
    for wrong in ("", "-1", "1.5G", "x", "1P", "٣"):
        assert cli(program, "--memory-limit", wrong).status == 2


def test_limits_of_python() -> None:
    for wrong in (-1, 2**63):
        with pytest.raises(ValueError, match="memory_limit is a number of bytes"):
            aplc.fn("+/", memory_limit=wrong)
