"""The productions of `tier1_programs` with loops and recursion over arrays, entered into `tier1.table`.

In each round the arrays change places, and some of them are turned, grow or shrink: so extents change, and go
from one to another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl.array import A, scalar
from tests.support.tier1.expressions import ANYTHING, E, Gen, Retry, Want
from tests.support.tier1.table import entry

State = tuple[A, ...]
Work = Callable[[A], A]
ONE, NAMES = scalar(1), ("p", "q", "r", "s")


def _with(symbol: str, number: int) -> Work:
    return lambda x: p.DYADIC[symbol](scalar(number), x)


VECTORS: list[tuple[str, Work]] = [
    ("", lambda x: x),
    ("1↓", _with("↓", 1)),
    ("¯1↓", _with("↓", -1)),
    ("⌽", p.MONADIC["⌽"]),
    ("1⌽", _with("⌽", 1)),
    ("{⍵,⍵}", lambda x: p.DYADIC[","](x, x)),
    ("{⍵,⊃⍵}", lambda x: p.DYADIC[","](x, p.MONADIC["⊃"](x))),
    ("2↑", _with("↑", 2)),
]
MATRICES: list[tuple[str, Work]] = [
    ("", lambda x: x),
    ("⍉", p.MONADIC["⍉"]),
    ("1↓", _with("↓", 1)),
    ("⊖", p.MONADIC["⊖"]),
    ("{⍉1↓⍵}", lambda x: p.MONADIC["⍉"](p.DYADIC["↓"](ONE, x))),
    ("{⍵⍪⍵}", lambda x: p.DYADIC["⍪"](x, x)),
    ("¯1⌽", _with("⌽", -1)),
]


@dataclass(frozen=True)
class Round:
    """What each array becomes: one of the old ones, changed."""

    sources: tuple[int, ...]
    changes: tuple[tuple[str, Work], ...]

    def text(self) -> str:
        """The next state as a strand."""
        parts = [f"{t}{NAMES[k]}" for k, (t, _) in zip(self.sources, self.changes, strict=True)]
        return "".join([f"({part})" for part in parts]) if len(parts) > 1 else parts[0]

    def after(self, state: State) -> State:
        """The next state."""
        return tuple([f(state[k]) for k, (_, f) in zip(self.sources, self.changes, strict=True)])


def _made(gen: Gen, depth: int) -> tuple[list[E], Round, str]:
    """The arrays of a state, all of one kind and rank; a round; and their names as text."""
    count = 1 + gen.below(len(NAMES))
    rank = 1 + gen.below(2)
    kind = gen.pick(ANYTHING)
    arrays = [gen.operand(depth - 1, Want((kind,), (rank,), True)) for _ in range(count)]
    if any(e.value.kind == "bool" and e.is_literal for e in arrays):
        raise Retry
    changes = tuple([gen.pick(VECTORS if rank == 1 else MATRICES) for _ in range(count)])
    sources = list(range(count))
    if gen.chance(3):
        sources = [gen.below(count) for _ in sources]
    else:
        turn = gen.below(count)
        sources = sources[turn:] + sources[:turn]
    names = " ".join(NAMES[:count])
    return arrays, Round(tuple(sources), changes), f"({names})" if count > 1 else names


def _strand(arrays: list[E]) -> str:
    if len(arrays) == 1:
        return arrays[0].text
    return " ".join([e.text if e.text.isalnum() else f"({e.text})" for e in arrays])


def _after(turn: Round, arrays: list[E], rounds: int) -> State:
    state = tuple([e.value for e in arrays])
    for _ in range(rounds):
        state = turn.after(state)
    return state


def _one_of(gen: Gen, names: str, count: int, text: str) -> tuple[str, int]:
    """One array of a state, in text."""
    chosen = gen.below(count)
    return f"{{{names}←⍵ ⋄ {NAMES[chosen]}}}{text}", chosen


@entry("⍣", "of several arrays")
def _power(gen: Gen, depth: int, symbol: str) -> E:
    """`({(p q)←⍵ ⋄ (q)(1↓p)}⍣n)x y`"""
    arrays, turn, names = _made(gen, depth)
    rounds = gen.below(6)
    times = gen.leaf(scalar(rounds))
    step = f"{{{names}←⍵ ⋄ {turn.text()}}}"
    text, chosen = _one_of(gen, names, len(arrays), f"({step}⍣{times.guarded}){_strand(arrays)}")
    return gen.made(text, lambda: _after(turn, arrays, rounds)[chosen], *arrays)


@entry("⍣", "with a counter")
def _until(gen: Gen, depth: int, symbol: str) -> E:
    """`({(i p q)←⍵ ⋄ (i+1)(q)(1↓p)}⍣{n≤1⊃⍺})0 x y`"""
    arrays, turn, names = _made(gen, depth)
    rounds = 1 + gen.below(5)
    names = f"(i {' '.join(NAMES[: len(arrays)])})"
    after = f"(i+1)({turn.text()})" if len(arrays) == 1 else f"(i+1){turn.text()}"
    limit = gen.leaf(scalar(rounds))
    loop = f"({{{names}←⍵ ⋄ {after}}}⍣{{{limit.text}≤1⊃⍺}}){_strand([E('0', scalar(0)), *arrays])}"
    text, chosen = _one_of(gen, names, len(arrays), loop)
    return gen.made(text, lambda: _after(turn, arrays, rounds)[chosen], *arrays)


@entry("∇", "in tail position")
def _tail(gen: Gen, depth: int, symbol: str) -> E:
    """`n{⍺≤0:⍵ ⋄ (p q)←⍵ ⋄ (⍺-1)∇ (q)(1↓p)}x y`"""
    arrays, turn, names = _made(gen, depth)
    rounds = gen.below(6)
    times = gen.leaf(scalar(rounds))
    loop = f"{times.guarded}{{⍺≤0:⍵ ⋄ {names}←⍵ ⋄ (⍺-1)∇ {turn.text()}}}{_strand(arrays)}"
    text, chosen = _one_of(gen, names, len(arrays), loop)
    return gen.made(text, lambda: _after(turn, arrays, rounds)[chosen], *arrays)


@entry("∇", "inside")
def _deep(gen: Gen, depth: int, symbol: str) -> E:
    """`n{⍺≤0:⍵ ⋄ (p q)←⍵ ⋄ (p q)←(⍺-1)∇ (q)(1↓p) ⋄ (q)(1↓p)}x y`: two rounds for each number"""
    arrays, turn, names = _made(gen, depth)
    rounds = gen.below(4)
    times = gen.leaf(scalar(rounds))
    again = f"{names}←⍵ ⋄ {names}←(⍺-1)∇ {turn.text()} ⋄ {turn.text()}"
    text, chosen = _one_of(gen, names, len(arrays), f"{times.guarded}{{⍺≤0:⍵ ⋄ {again}}}{_strand(arrays)}")
    return gen.made(text, lambda: _after(turn, arrays, 2 * rounds)[chosen], *arrays)


@entry("∇", "of two arguments")
def _pair(gen: Gen, depth: int, symbol: str) -> E:
    """`x{0=≢⍵:⍺ ⋄ ⍵ ∇ 1↓⍺}y`: the arguments change places, and one gets shorter"""
    arrays, _, _ = _made(gen, depth)
    if len(arrays) < 2:
        raise Retry
    text, change = gen.pick(VECTORS[:5] if arrays[0].value.rank == 1 else MATRICES[:1])
    x, y = [e.value for e in arrays[:2]]

    def last() -> A:
        left, right = x, y
        while right.shape[0]:
            left, right = change(right), p.DYADIC["↓"](ONE, left)
        return left

    return gen.made(f"{arrays[0].guarded}{{0=≢⍵:⍺ ⋄ ({text}⍵)∇ 1↓⍺}}{arrays[1].text}", last, *arrays[:2])
