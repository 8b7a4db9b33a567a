"""Elements that rounds have written and the next ones read: which are kept in variables; values stay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import needs_c

HEAD = "∇ r←x f n;i;j;k"
LOOP = "r←x,n⍴0 ⋄ :For i :In ⍳n ⋄ "
KEPT = {
    "the one before": (LOOP + "r[i+≢x]←1+0.5×r[i+(≢x)-1] ⋄ :EndFor", 1),
    "two before": (LOOP + "r[i+2]←(97|3×r[i])+r[i+1] ⋄ :EndFor", 2),
    "beside others": (LOOP + "r[i+2]←(97|r[1])+r[i+1]×¯1*i ⋄ :EndFor", 1),
    "an array that grows": ("r←x ⋄ :For i :In ⍳n ⋄ r←r,97|1+3×⊃⌽r ⋄ :EndFor", 1),
    "its last two": ("r←1 2 ⋄ :For i :In ⍳n ⋄ r←r,97|+/¯2↑r ⋄ :EndFor", 2),
    "in steps": ("r←x,(2×n)⍴0 ⋄ :For i :In ⍳n ⋄ k←2×i ⋄ r[k+2]←7|1+r[k] ⋄ :EndFor", 1),
    "one that may have changed": (
        LOOP + "k←r[i+1] ⋄ :If 2|i ⋄ r[i+1]←5 ⋄ :EndIf ⋄ r[i+2]←k+r[i+1] ⋄ :EndFor",
        1,
    ),
    "of truth values": ("r←(2↑x>0),n⍴0 ⋄ :For i :In ⍳n ⋄ r[i+2]←r[i]≠r[i+1] ⋄ :EndFor", 2),
}
IN_MEMORY = {
    "the third one before": (LOOP + "r[i+3]←r[i]+1 ⋄ :EndFor"),
    "the one itself": (LOOP + "r[i+2]←1+3×r[i+2] ⋄ :EndFor"),
    "behind a condition": (LOOP + ":If i>2 ⋄ r[i+2]←1+r[i+1] ⋄ :EndIf ⋄ :EndFor"),
    "where not all read": (LOOP + "r[i+2]←{⍵>3:r[⍵+1] ⋄ 1}i ⋄ :EndFor"),
    "of two writers": (LOOP + "r[i+2]←1+r[i+1] ⋄ r[i+1]←5 ⋄ :EndFor"),
    "a place that is read": ("r←x,n⍴0 ⋄ k←2 ⋄ :For i :In ⍳n ⋄ r[i+2]←1+r[k] ⋄ k←1+2|r[i+2] ⋄ :EndFor"),
    "turned between": (LOOP + "r[i+2]←1+r[i+1] ⋄ r←⌽r ⋄ :EndFor"),
    "filled between": (LOOP + "r[i+2]←1+r[i+1] ⋄ r[1]←i ⋄ :EndFor"),
}


def program(body: str) -> str:
    """The function of a body."""
    return "\n".join([HEAD, *body.split(" ⋄ "), "∇", ""])


def variables(body: str) -> int:
    """The variables that a loop has for what rounds before it have written."""
    text = laila(program(body) + "⎕←(2 3+≢?5⍴9) f ≢?100⍴9\n")
    return sum(line.lstrip().startswith("var before") for line in text.splitlines())


@pytest.mark.parametrize(("body", "count"), KEPT.values(), ids=KEPT)
def test_kept(body: str, count: int) -> None:
    assert variables(body) == count


@pytest.mark.parametrize("body", IN_MEMORY.values(), ids=IN_MEMORY)
def test_read_from_memory(body: str) -> None:
    assert variables(body) == 0


@needs_c
@pytest.mark.parametrize(
    "body", [*[body for body, _ in KEPT.values()], *IN_MEMORY.values()], ids=[*KEPT, *IN_MEMORY]
)
def test_values(body: str, tmp_path: Path) -> None:
    path = tmp_path / "f.apl"
    path.write_text(program(body))
    interp, c = [aplc.load(path, target=target, strict_fp=True).f for target in ("interp", "c")]
    for x in ([3, 5], [0, -4], [2.5, 1e300], [], [7]):
        for n in (0, 1, 2, 3, 40):
            given = np.array(x)
            try:
                wanted = interp(given, n)
            except aplc.AplcError as error:
                with pytest.raises(type(error)):
                    c(given, n)
            else:
                np.testing.assert_array_equal(c(given, n), wanted)
