"""Small memory that rounds want in changing sizes, which stays for the next one."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc import Function
from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Buffer, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.staging.kept_scratch import with_scratch_kept
from aplc.options import Options
from aplc.tail.faults import Fault
from aplc.tail.source import Source
from aplc.tail.types import Base
from tests.support.machine import needs_threads

TEXTS = (
    "{10⊥¯1+⎕D⍳⍵~'-'}",
    "{⌈/⍎⍵}",
    "{100⊥{10⊥¯1+⎕D⍳⍵}¨'-'(≠⊆⊢)⍵}",
    "{+/(⌽⍵)⍳∪⍵}",
    "{≢∪⍵[⍋⍵]}",
    "{+/{≢∪⍵}¨'-'(≠⊆⊢)⍵}",
    "{x←⍵ ⋄ ⊃{(⊂x){≢∪⍺,⍕⍵}¨⍵}⍣2⊢1 2}",
)
RECURSIVE = "{2>≢⍵:+/⎕UCS ⍵ ⋄ n←⌊0.5×≢⍵ ⋄ (∇ n↑⍵)+(∇ n↓⍵)+⌈/{≢∪⍵}¨'-'(≠⊆⊢)⍵}"
LENGTHS = (0, 3, 1, 70, 5, 64, 65, 4096, 9, 4097, 20_000, 0, 63, 6000, 2)


def outcome(function: Any, given: Any) -> Any:
    try:
        found = np.asarray(function(given))
    except aplc.RunError as error:
        return str(error)
    return found.dtype, found.shape, found.tobytes()


@pytest.mark.parametrize("text", TEXTS)
def test_items_of_any_size(text: str) -> None:
    """Beside the interpreter, also where an item fails behind larger ones."""
    rng = np.random.default_rng(2)
    words = ["".join(rng.choice(list("0123456789-"), n)) for n in LENGTHS]
    spaced = ["".join(rng.choice(list("01234 "), n)) for n in LENGTHS]
    found, meaning = [aplc.fn(text + "¨", target=target) for target in ("c", "interp")]
    for given in (words, spaced, words[:2], [*spaced, "7x"], [*words, "1", "²-²"]):
        assert outcome(found, given) == outcome(meaning, given)


@needs_threads
@pytest.mark.parametrize("text", [TEXTS[0], TEXTS[5], RECURSIVE])
def test_items_of_any_size_in_parts(text: str) -> None:
    """The same where the shortest loops run in threads, and what is held is counted."""
    rng = np.random.default_rng(4)
    lengths = [n % 300 for n in LENGTHS] if text == RECURSIVE else LENGTHS
    words = ["".join(rng.choice(list("0123456789-"), n)) for n in lengths]
    found = Function([Source("text", text + "¨")], None, Options("openmp", verify=True, threads=3))
    meaning = aplc.fn(text + "¨", target="interp")
    for given in (words, words[:2], [*words, "7x"], [*words, "1", "²-²"]):
        assert outcome(found, given) == outcome(meaning, given)


def test_what_is_small_stays() -> None:
    """There is one place that asks for memory; in threads each part does for itself."""
    digits = aplc.fn("{{+/⍎⍵}¨(⍵≠' ')⊆⍵}")
    assert "room > 4096" in digits.emit("c", "[char]1")
    lines = digits.emit("openmp", "[char]1").splitlines()
    kept = next(k for k, line in enumerate(lines) if "room > 4096" in line)
    begun = max(k for k in range(kept) if lines[k].strip() == "int64_t room = -1;")
    assert "const int64_t first, const int64_t last" in next(x for x in lines[begun::-1] if x[:1] == "s")


def test_what_runs_instead_of_parts_keeps_it_too() -> None:
    """A loop in order with one in parts inside: each has what it asks for itself."""
    make = ExprBuilder()
    outer, inner = [Buffer(name, Base.INT, "int64") for name in "ab"]
    i, n = [Var(name, Base.INT, is_index) for name, is_index in (("i", True), ("n", False))]

    def loop(buffer: Buffer, body: tuple[l.Stm, ...], schedule: l.Schedule | None) -> l.For:
        begin = l.Allocate(buffer, n, Site(Fault("WS FULL", ""), "", None))
        return l.For(i, make.zero, n, (begin, *body, l.Release(buffer)), (), parallel=(), schedule=schedule)

    within_parts = loop(inner, (), l.Schedule(()))
    in_order = loop(outer, (within_parts,), None)
    whole = loop(outer, (loop(inner, (), None),), l.Schedule((), in_order=in_order))
    (kept,) = with_scratch_kept(l.Code((whole,)), make).statements
    assert isinstance(kept, l.For) and kept.schedule is not None
    assert [buffer for buffer, _ in kept.schedule.scratch] == [outer, inner]
    begun, instead, ended = l.in_one_part(kept)
    assert isinstance(begun, l.Declare) and ended == l.Release(outer)
    assert begun.var in {s.var for s in l.within((instead,)) if isinstance(s, l.Assign)}


def test_a_product_of_extents_is_multiplied_with_care() -> None:
    text = aplc.fn("{{+/,(⍵ ⍵⍴⍳9)+.×⍵ ⍵⍴⍳7}¨⍵}").emit("c", "[int]1")
    assert "room" not in text and text.count("aplc_alloc(aplc_count(2, ") == 2
