"""The productions of `tier1_programs`: one for each function and operator of tier 1 in each of its uses.

    ENTRIES[symbol, use](gen, depth)    an expression with that symbol outermost

A use is `monadic`, `dyadic`, one of them `with axis`, or what an operator is applied to.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import plain_apl as p
from plain_apl_array import INT_MAX, INT_MIN, A, AplError, NotTier1, scalar
from plain_apl_scalar import CIRCULAR
from tier1_expressions import (
    ALL_RANKS,
    ANY,
    ANYTHING,
    EXACT,
    EXACT_ANY,
    NUMBERS,
    NUMERIC,
    E,
    Ended,
    Gen,
    Production,
    Retry,
    Want,
    literal,
)

ENTRIES: dict[tuple[str, str], Production] = {}


def entry(symbols: str, use: str) -> Callable[[Callable[[Gen, int, str], E]], Callable[[Gen, int, str], E]]:
    """Enter a production for each of these symbols, which it gets as its last argument."""

    def enter(production: Callable[[Gen, int, str], E]) -> Callable[[Gen, int, str], E]:
        for symbol in symbols:

            def one(gen: Gen, depth: int, symbol: str = symbol) -> E:
                return production(gen, depth, symbol)

            assert (symbol, use) not in ENTRIES
            ENTRIES[symbol, use] = one
        return production

    return enter


def vectors(kinds: tuple[str, ...] = ANYTHING, *, exact: bool = True, **test: Callable[[A], bool]) -> Want:
    """Vectors only."""
    return Want(kinds, (1,), exact, **test)


WITH_AXES = Want(ranks=(1, 2, 3, 4))
NUMBERS_WITH_AXES = Want(NUMBERS, (1, 2, 3))


def small(limit: float) -> Callable[[A], bool]:
    """Whether no number is greater than that."""
    return lambda a: all(abs(x) <= limit for x in a.data)


def wrongly(gen: Gen, want: Want) -> Want:
    """The want, or once in a while characters where there should be numbers."""
    return Want(("char",), want.ranks) if gen.mistake() else want


# --- scalar functions -----------------------------------------------------------------------------------


@entry("+-×|⌈⌊", "monadic")
def _arithmetic_of_one(gen: Gen, depth: int, symbol: str) -> E:
    want = NUMERIC if symbol in "+-|" else EXACT
    return gen.monadic(symbol, gen.operand(depth - 1, wrongly(gen, want)))


@entry("÷*⍟!○", "monadic")
def _real_of_one(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, wrongly(gen, Want(NUMBERS, exact=True, test=small(1e6))))
    if e.value.kind == "char" or gen.mistake():
        return gen.monadic(symbol, e)
    if symbol == "!":
        e = gen.dyadic("⌊", literal(scalar(5)), gen.monadic("|", e))
    if symbol in "÷⍟" and any(x <= 0 for x in e.value.data):
        e = positive(gen, e)
    if symbol == "*" and not small(20)(e.value):
        e = gen.dyadic("⌊", literal(scalar(3)), e)
    return gen.monadic(symbol, e)


def positive(gen: Gen, e: E) -> E:
    """`1+|e`"""
    return gen.dyadic("+", literal(scalar(1)), gen.monadic("|", e))


def is_boolean(a: A) -> bool:
    """Whether all numbers are zeros and ones."""
    return all(x in (0, 1) for x in a.data)


BITS = Want(("bool", "int"), test=is_boolean)


def not_a_bit(gen: Gen, e: E) -> E:
    """An input for a literal 0 or 1, of which nobody says whether it is a boolean."""
    return gen.input(e.value) if e.is_bit else e


@entry("~", "monadic")
def _not(gen: Gen, depth: int, symbol: str) -> E:
    want = Want(("int", "bool")) if gen.mistake() else BITS
    return gen.monadic(symbol, gen.operand(depth - 1, want))


def two_sides(gen: Gen, depth: int, want: Want) -> tuple[E, E]:
    """Two operands that go together."""
    e = gen.operand(depth - 1, want)
    other = gen.partner(e, want.kinds, depth - 2)
    if not want.holds(other):
        raise Retry
    return (other, e) if gen.chance(2) else (e, other)


@entry("+-×⌈⌊|<≤≥>", "dyadic")
def _arithmetic(gen: Gen, depth: int, symbol: str) -> E:
    left, right = two_sides(gen, depth, wrongly(gen, NUMERIC if symbol in "+-×⌈⌊" else EXACT))
    return gen.dyadic(symbol, left, right)


@entry("=≠", "dyadic")
def _equality(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, EXACT_ANY)
    kinds = ("char",) if e.value.kind == "char" else NUMBERS
    other = gen.partner(e, ANYTHING if gen.chance(8) else kinds)
    return gen.dyadic(symbol, *((e, other) if gen.chance(2) else (other, e)))


@entry("÷*⍟", "dyadic")
def _real(gen: Gen, depth: int, symbol: str) -> E:
    left, right = two_sides(gen, depth, wrongly(gen, Want(NUMBERS, exact=True, test=small(1e6))))
    if "char" in (left.value.kind, right.value.kind) or gen.mistake():
        return gen.dyadic(symbol, left, right)
    if symbol in "÷⍟" and any(x <= 0 for x in right.value.data):
        right = positive(gen, right)
    if symbol == "⍟":
        left = gen.dyadic("+", literal(scalar(1)), positive(gen, left))
    if symbol == "*":
        left = positive(gen, left) if any(x <= 0 for x in left.value.data) else left
        right = right if small(8)(right.value) else gen.dyadic("|", literal(scalar(3)), right)
    return gen.dyadic(symbol, left, right)


@entry("!", "dyadic")
def _binomial(gen: Gen, depth: int, symbol: str) -> E:
    left, right = two_sides(gen, depth, Want(NUMBERS, exact=True, test=small(12)))
    return gen.dyadic(symbol, left, right)


_DOMAINS = {0: 1.0, -1: 1.0, -2: 1.0, -7: 0.75}


@entry("○", "dyadic")
def _circular(gen: Gen, depth: int, symbol: str) -> E:
    """One number of a function, and its domain; or one number, and many functions."""
    if gen.chance(4):
        which = gen.leaf(A("int", (3,), tuple([gen.below(8) - 3 for _ in range(3)])))
        return gen.dyadic(symbol, which, literal(scalar(0.5)))
    k = gen.pick(sorted(CIRCULAR, key=abs)) if not gen.mistake() else gen.pick((8, -8, 20))
    e = gen.operand(depth - 1, Want(NUMBERS, exact=True, test=small(20)))
    if k in _DOMAINS and not gen.mistake():
        e = gen.leaf(A("double", e.value.shape, tuple([_DOMAINS[k] * x / 20 for x in e.value.data])))
    if k in (-4, -6) and not gen.mistake():
        e = positive(gen, e)
    return gen.dyadic(symbol, gen.leaf(A("int", (), (k,))), e)


@entry("∧∨", "dyadic")
def _divisors(gen: Gen, depth: int, symbol: str) -> E:
    kinds = ("bool",) if gen.chance(2) else ("int", "bool")
    sides = two_sides(gen, depth, Want(kinds, test=small(1000)))
    return gen.dyadic(symbol, *[not_a_bit(gen, e) for e in sides])


@entry("⍲⍱", "dyadic")
def _nand_nor(gen: Gen, depth: int, symbol: str) -> E:
    want = Want(("int", "bool"), test=small(3)) if gen.mistake() else Want(("bool",))
    left, right = two_sides(gen, depth, want)
    return gen.dyadic(symbol, left, right)


EXTREME: dict[str, tuple[Any, ...]] = {
    "int": (INT_MIN, INT_MAX, -1, 0, 2**62, INT_MIN + 1, 2**53 + 1, 3),
    "double": (math.inf, -math.inf, math.nan, 1e300, -1e300, 5e-324, 2.5, 0.0, -3.0),
}


@entry("+-×⌈⌊<≤=≥>≠", "dyadic, extreme")
def _extremes(gen: Gen, depth: int, symbol: str) -> E:
    kind = gen.pick(("int", "double"))
    shape = gen.pick(((), (2,), (3,)))
    sides = [
        gen.leaf(A(kind, s, tuple([gen.pick(EXTREME[kind]) for _ in range(math.prod(s))])))
        for s in (shape, gen.pick((shape, ())))
    ]
    return gen.dyadic(symbol, *sides)


@entry("-|⌈⌊", "monadic, extreme")
def _extremes_of_one(gen: Gen, depth: int, symbol: str) -> E:
    kind = gen.pick(("int", "double"))
    found = [gen.pick((*EXTREME[kind], *(9.2e18, -9.2e18, 2.0**63, -(2.0**63)) * (kind == "double")))]
    return gen.monadic(symbol, gen.leaf(A(kind, (1,), tuple(found))))


# --- structure ------------------------------------------------------------------------------------------


@entry("⍴,⍪⌽⊖⍉⊃≡≢∊⌷⊢⊣", "monadic")
def _arrangement(gen: Gen, depth: int, symbol: str) -> E:
    return gen.monadic(symbol, gen.operand(depth - 1))


@entry("⊢⊣", "dyadic")
def _sides(gen: Gen, depth: int, symbol: str) -> E:
    return gen.dyadic(symbol, gen.operand(depth // 2), gen.operand(depth - 1))


@entry("⍴", "dyadic")
def _reshape(gen: Gen, depth: int, symbol: str) -> E:
    extents = list(gen.shape())
    if extents and gen.mistake():
        extents[0] = -1
    return gen.dyadic(symbol, gen.control(extents), gen.operand(depth - 1))


@entry("⍳", "monadic")
def _iota(gen: Gen, depth: int, symbol: str) -> E:
    low = -3 if gen.mistake() else 0
    count = Want(("int", "bool"), (0,), test=lambda a: low <= a.data[0] <= 9)
    if gen.chance(6):
        return gen.monadic(symbol, literal(A("int", (1,), (gen.extent(),))))
    return gen.monadic(symbol, gen.operand(depth - 1, count))


@entry(",⍪", "dyadic")
def _catenate(gen: Gen, depth: int, symbol: str) -> E:
    return _side_by_side(gen, depth, symbol, None)


@entry(",⍪", "dyadic with axis")
def _catenate_along(gen: Gen, depth: int, symbol: str) -> E:
    return _side_by_side(gen, depth, symbol, -1)


def _side_by_side(gen: Gen, depth: int, symbol: str, axis: int | None) -> E:
    e = gen.operand(depth - 1, ANY if axis is None else WITH_AXES)
    rank = e.value.rank
    if axis is not None:
        axis = gen.below(rank)
    at = (max(rank - 1, 0) if symbol == "," else 0) if axis is None else axis
    shape = list(e.value.shape)
    match gen.below(6):
        case 0 | 1 if rank:
            shape[at] = gen.extent()
        case 2 if axis is None or rank > 1:
            shape = shape[:at] + shape[at + 1 :]
        case 3 if axis is None and rank < 4 and math.prod(shape) <= 20:
            shape.insert(at + (symbol == ",") * (rank > 0), gen.extent())
        case 4:
            shape = []
        case _:
            pass
    if gen.mistake():
        shape = list(gen.shape())
    if math.prod(shape) > 60:
        raise Retry
    kinds = ("char",) if e.value.kind == "char" else NUMBERS
    other = gen.leaf(gen.elements(gen.pick(kinds), tuple(shape)))
    left, right = (other, e) if gen.chance(2) else (e, other)
    if e.is_bit or other.is_bit:
        left, right = not_a_bit(gen, left), not_a_bit(gen, right)
    if axis is None:
        return gen.dyadic(symbol, left, right)
    work = p.AXIS_DYADIC[symbol]
    text = f"{left.guarded}{symbol}[{axis + 1}]{right.text}"
    return gen.made(text, lambda: work(left.value, right.value, axis), left, right)


@entry(",⍪", "laminate")
def _laminate(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(ranks=(0, 1, 2, 3)))
    kinds = ("char",) if e.value.kind == "char" else NUMBERS
    shape = e.value.shape if not gen.chance(4) else ()
    if e.value.rank and gen.mistake():
        shape = (e.value.shape[0] + 1, *e.value.shape[1:])
    other = gen.input(gen.elements(gen.pick(kinds), shape))
    left, right = (other, e) if gen.chance(2) else (e, other)
    left, right = not_a_bit(gen, left), not_a_bit(gen, right)
    axis = gen.below(e.value.rank + 1)
    text = f"{left.guarded}{symbol}[{axis}.5]{right.text}"
    return gen.made(text, lambda: p.laminate(left.value, right.value, axis), left, right)


@entry("⌽⊖", "monadic with axis")
def _reverse_along(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, WITH_AXES)
    axis = gen.below(e.value.rank)
    work = p.AXIS_MONADIC[symbol]
    return gen.made(f"{symbol}[{axis + 1}]{e.text}", lambda: work(e.value, axis), e)


@entry("⌽⊖", "dyadic")
def _rotate(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1)
    return gen.dyadic(symbol, _amounts(gen, e, e.value.rank - 1 if symbol == "⌽" else 0), e)


@entry("⌽⊖", "dyadic with axis")
def _rotate_along(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, WITH_AXES)
    axis = gen.below(e.value.rank)
    left, work = _amounts(gen, e, axis), p.AXIS_DYADIC[symbol]
    text = f"{left.guarded}{symbol}[{axis + 1}]{e.text}"
    return gen.made(text, lambda: work(left.value, e.value, axis), left, e)


def _amounts(gen: Gen, e: E, axis: int) -> E:
    """How far to rotate: one number, or one for each vector along the axis."""
    shape = e.value.shape
    if e.value.rank < 2 or gen.chance(2):
        amount = gen.elements("int", gen.pick(((), (), (1,))))
        return literal(amount) if e.value.rank > 2 else gen.leaf(amount)
    rest = shape[:axis] + shape[axis + 1 :]
    if gen.mistake():
        rest = (rest[0] + 1, *rest[1:])
    return gen.leaf(gen.elements(gen.pick(("int", "int", "bool")), rest))


@entry("⍉", "dyadic")
def _transpose_by(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1)
    rank = e.value.rank
    targets: list[int] = []
    for _ in range(rank):
        targets.insert(gen.below(len(targets) + 1), 1 + max(targets, default=0))
        if gen.chance(3):
            targets[gen.below(len(targets))] = gen.pick(targets)
            present = sorted(set(targets))
            targets = [present.index(t) + 1 for t in targets]
    if targets and gen.mistake():
        targets[0] = gen.pick((9, 0))
    return gen.dyadic(symbol, literal(A("int", (rank,), tuple(targets))), e)


@entry("↑↓", "dyadic")
def _take_drop(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1)
    rank = e.value.rank
    axes = gen.pick(range(rank, -1, -1)) if rank else gen.pick((1, 0, 2, 1))
    if rank and gen.mistake():
        axes = rank + 1
    counts = [gen.pick((1, 2, -1, 0, 3, -2, 4, -5)) for _ in range(axes)]
    return gen.dyadic(symbol, gen.control(counts), e)


@entry("⊃", "dyadic")
def _pick(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, vectors(exact=False, test=lambda a: bool(a.data)))
    n = len(e.value.data)
    index = gen.pick((0, n + 1, -1)) if gen.mistake() else 1 + gen.below(n)
    at = gen.control([index]) if gen.chance(2) else gen.leaf(A("int", (), (index,)))
    return gen.dyadic(symbol, at, e)


# --- search, sets, order --------------------------------------------------------------------------------


@entry("≡≢", "dyadic")
def _match(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, EXACT_ANY)
    match gen.below(3):
        case 0:
            other = gen.leaf(e.value)
        case 1:
            other = gen.partner(e, (e.value.kind,))
        case _:
            other = gen.operand(depth // 2, EXACT_ANY)
    return gen.dyadic(symbol, *((e, other) if gen.chance(2) else (other, e)))


def _like(gen: Gen, kind: str) -> tuple[str, ...]:
    """The kinds that one of these is compared with; now and then any."""
    if gen.chance(12):
        return ANYTHING
    return ("char",) if kind == "char" else NUMBERS


@entry("⍳", "dyadic")
def _index_of(gen: Gen, depth: int, symbol: str) -> E:
    right = gen.operand(depth - 1, EXACT_ANY)
    left = gen.operand(depth // 2, Want(_like(gen, right.value.kind), (0,) if gen.mistake() else (1,), True))
    return gen.dyadic(symbol, left, right)


@entry("⍳", "dyadic with cells")
def _index_of_cells(gen: Gen, depth: int, symbol: str) -> E:
    left = gen.operand(depth - 1, Want(ranks=(2, 3), exact=True, test=lambda a: bool(a.data)))
    cell = left.value.shape[1:]
    shape = gen.pick((cell, (2, *cell)))
    right = gen.leaf(gen.elements(left.value.kind, shape))
    return gen.dyadic(symbol, left, right)


@entry("∊", "dyadic")
def _member(gen: Gen, depth: int, symbol: str) -> E:
    left = gen.operand(depth - 1, EXACT_ANY)
    right = gen.operand(depth // 2, Want(_like(gen, left.value.kind), exact=True))
    return gen.dyadic(symbol, left, right)


@entry("⍷", "dyadic")
def _find(gen: Gen, depth: int, symbol: str) -> E:
    right = gen.operand(depth - 1, Want(ranks=(0, 1, 2, 3), exact=True))
    value = right.value
    if value.data and gen.chance(2):
        rank = gen.below(value.rank + 1)
        part = tuple([min(n, 1 + gen.below(2)) for n in value.shape])
        piece = p.DYADIC["↑"](A("int", (len(part),), part), p.DYADIC["↓"](scalar(gen.below(2)), value))
        if 0 not in value.shape:
            left = gen.leaf(A(piece.kind, piece.shape[rank:], piece.data[: math.prod(piece.shape[rank:])]))
            return gen.dyadic(symbol, left, right)
    left = gen.leaf_for(Want(_like(gen, value.kind), (0, 1, 2)))
    return gen.dyadic(symbol, left, right)


@entry("⍋⍒", "monadic")
def _grade(gen: Gen, depth: int, symbol: str) -> E:
    ranks = (0,) if gen.mistake() else (1, 2, 3)
    return gen.monadic(symbol, gen.operand(depth - 1, Want(ranks=ranks, exact=True)))


@entry("⍋⍒", "sorting")
def _sort(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, vectors())
    order = p.MONADIC[symbol](e.value)
    return gen.made(f"{{⍵[{symbol}⍵]}}{e.text}", lambda: p.bracket(e.value, [order]), e)


@entry("⍸", "monadic")
def _where(gen: Gen, depth: int, symbol: str) -> E:
    low = -1 if gen.mistake() else 0
    kinds = ("bool",) if not gen.chance(3) else ("bool", "int")
    want = vectors(kinds, test=lambda a: all(low <= x <= 9 for x in a.data))
    return gen.monadic(symbol, gen.operand(depth - 1, want))


@entry("⍸", "dyadic")
def _interval(gen: Gen, depth: int, symbol: str) -> E:
    right = gen.operand(depth - 1, EXACT_ANY)
    kinds = ("char",) if right.value.kind == "char" else ("int", "double")
    bounds = sorted(set(gen.elements(gen.pick(kinds), (gen.extent(),)).data))
    if gen.mistake():
        bounds.reverse()
    kind = "double" if bounds and isinstance(bounds[0], float) else kinds[0]
    return gen.dyadic(symbol, gen.leaf(A(kind, (len(bounds),), tuple(bounds))), right)


@entry("∪", "monadic")
def _unique(gen: Gen, depth: int, symbol: str) -> E:
    return gen.monadic(symbol, gen.operand(depth - 1, Want(ranks=(0, 1, 1), exact=True)))


@entry("∪∩~", "dyadic")
def _sets(gen: Gen, depth: int, symbol: str) -> E:
    ranks = (2,) if gen.mistake() else (1, 1, 0)
    left = gen.operand(depth - 1, Want(ranks=ranks, exact=True))
    kinds = ("char",) if left.value.kind == "char" else NUMBERS
    right = gen.operand(depth // 2, Want(kinds, ALL_RANKS if symbol == "~" else (1, 0), True))
    return gen.dyadic(symbol, not_a_bit(gen, left), not_a_bit(gen, right))


# --- choosing elements ----------------------------------------------------------------------------------


@entry("/⌿\\⍀", "dyadic")
def _replicate(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1)
    left = _counts(gen, e, max(e.value.rank - 1, 0) if symbol in "/\\" else 0, symbol in "\\⍀")
    return gen.dyadic(symbol, left, e)


@entry("/⌿\\⍀", "dyadic with axis")
def _replicate_along(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, WITH_AXES)
    axis = gen.below(e.value.rank)
    left, work = _counts(gen, e, axis, symbol in "\\⍀"), p.AXIS_DYADIC[symbol]
    text = f"{left.guarded}{symbol}[{axis + 1}]{e.text}"
    return gen.made(text, lambda: work(left.value, e.value, axis), left, e)


def _counts(gen: Gen, e: E, axis: int, expanding: bool) -> E:
    """How many of each."""
    n = e.value.shape[axis] if e.value.rank else 1
    if gen.chance(3):
        return gen.leaf(A("int", (), (gen.pick((1, 2, 0, -1)[: 2 if expanding else 4]),)))
    n = n if n != 1 or gen.chance(2) else gen.extent()
    n += gen.mistake()
    kind = gen.pick(("bool", "int"))
    choices = (True, False) if kind == "bool" else (1, 0, 2, -1, -2)
    counts: list[Any] = []
    if expanding:
        while n > 0:
            counts.append(gen.pick(choices))
            n -= counts[-1] > 0
        if gen.chance(3):
            counts.append(False if kind == "bool" else 0)
    else:
        counts = [gen.pick(choices) for _ in range(n)]
    return gen.leaf(A(kind, (len(counts),), tuple(counts)))


@entry("⌷", "dyadic")
def _squad(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(ranks=(0, 1, 2, 3), test=lambda a: bool(a.data)))
    axes = gen.pick(range(e.value.rank, -1, -1))
    numbers = [1 + gen.below(n) for n in e.value.shape[:axes]]
    if numbers and gen.mistake():
        numbers[0] = gen.pick((0, 7))
    return gen.dyadic(symbol, gen.control(numbers), e)


@entry("[", "index")
def _bracket(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(ranks=(1, 2, 3)))
    at: list[E | None] = []
    room = 3
    for n in e.value.shape:
        if gen.chance(4):
            at.append(None)
            room -= 1
            continue
        shape = gen.shape(range(max(min(room, 2), 0) + 1)) if n else (0,)
        room -= len(shape)
        numbers = [1 + gen.below(n) for _ in range(math.prod(shape))]
        if numbers and gen.mistake():
            numbers[0] = gen.pick((0, n + 1, -1))
        index = A("int", shape, tuple(numbers))
        if gen.chance(8):
            index = A("double", shape, tuple(map(float, numbers)))
        at.append(gen.leaf(index))
    inside = ";".join(["" if i is None else i.text for i in at])
    array = e.text if e.is_atom and e.text[0].isalpha() else f"({e.text})"
    if e.value.rank == 1 and at[0] is None:
        raise Retry
    work = [None if i is None else i.value for i in at]
    made = gen.made(f"{array}[{inside}]", lambda: p.bracket(e.value, work), e)
    return made if made.errors else E(made.text, made.result, forced_inexact=e.forced_inexact)


# --- number systems, linear algebra, text, chance -------------------------------------------------------


@entry("⊥", "dyadic")
def _decode(gen: Gen, depth: int, symbol: str) -> E:
    right = gen.operand(depth - 1, wrongly(gen, Want(NUMBERS, (0, 1, 2), True, small(1e4))))
    n = right.value.tally
    shape = gen.pick(((), (n,), (1,), (2, n), (2, 1)))
    if gen.mistake():
        shape = (n + 2,)
    return gen.dyadic(symbol, gen.leaf(gen.elements(gen.pick(("int", "int", "double")), shape)), right)


@entry("⊤", "dyadic")
def _encode(gen: Gen, depth: int, symbol: str) -> E:
    right = gen.operand(depth - 1, wrongly(gen, Want(("int", "bool", "double"), (0, 1, 2), True, small(1e6))))
    shape = gen.pick(((2,), (), (3,), (1,), (0,), (2, 2)))
    if right.value.kind == "double" or gen.chance(6):
        left = gen.leaf(A("int", shape, tuple([gen.pick((2, 4, 0, 8, -2)) for _ in range(math.prod(shape))])))
    else:
        left = gen.leaf(gen.elements("int", shape))
    return gen.dyadic(symbol, left, right)


def _system(gen: Gen, rows: int, columns: int) -> E:
    """A matrix of full rank: its diagonal outweighs the rest."""
    off = gen.elements(gen.pick(("int", "double")), (rows, columns))
    data = [type(x)(20 if k // columns == k % columns else x / 4) for k, x in enumerate(off.data)]
    return gen.leaf(A(off.kind, off.shape, tuple(data)))


@entry("⌹", "monadic")
def _inverse(gen: Gen, depth: int, symbol: str) -> E:
    columns = 1 + gen.below(3)
    match gen.below(5):
        case 3:
            return gen.monadic(symbol, gen.leaf(scalar(gen.pick((4, 0.5, -8.0)))))
        case 4:
            return gen.monadic(symbol, gen.leaf(A("int", (2,), (3, 4))))
        case _:
            pass
    if gen.mistake():
        singular = gen.pick((A("int", (2, 2), (0,) * 4), A("int", (1, 2), (1, 2)), A("int", (2,), (0, 0))))
        return gen.monadic(symbol, gen.leaf(singular))
    return gen.monadic(symbol, _system(gen, columns + gen.below(2), columns))


@entry("⌹", "dyadic")
def _matrix_divide(gen: Gen, depth: int, symbol: str) -> E:
    columns = 1 + gen.below(3)
    rows = columns + gen.below(2)
    shape = gen.pick(((rows,), (rows, 2), (rows, 1)))
    if gen.mistake():
        shape = (rows + 1,)
    left = gen.leaf(gen.elements(gen.pick(("int", "double")), shape))
    return gen.dyadic(symbol, left, _system(gen, rows, columns))


@entry("⍕", "monadic")
def _format(gen: Gen, depth: int, symbol: str) -> E:
    kinds: tuple[str, ...] = ("int", "bool", "char") if not gen.chance(4) else ("double",)
    return gen.monadic(
        symbol, gen.operand(depth - 1, Want(kinds, (0, 1) if "double" in kinds else (0, 1, 2, 3)))
    )


@entry("⍕", "dyadic")
def _format_by(gen: Gen, depth: int, symbol: str) -> E:
    right = gen.operand(depth - 1, Want(NUMBERS, (0, 1, 2), True, small(1000)))
    columns = max(right.value.shape[-1], 1) if right.value.rank and gen.chance(3) else 1
    numbers = [n for _ in range(columns) for n in (8 + gen.below(3), 2 + gen.below(2))]
    return gen.dyadic(symbol, literal(A("int", (len(numbers),), tuple(numbers))), right)


@entry("?", "monadic")
def _roll(gen: Gen, depth: int, symbol: str) -> E:
    """Only whether all numbers lie where they should."""
    e = gen.operand(depth - 1, Want(("int",), test=lambda a: all(1 <= x <= 99 for x in a.data)))
    if "⍵" in e.text or "⍺" in e.text:
        raise Retry  # the same name means another array inside of the braces
    yes = A("bool", e.value.shape, (True,) * len(e.value.data))
    zeros = literal(A("int", (3,), (0,) * 3))
    match gen.below(3):
        case 0:
            return gen.made(f"{{(1≤⍵)∧⍵≤{e.guarded}}}?{e.text}", lambda: yes, e)
        case 1:
            return gen.made(f"{{⍵=⌊⍵}}?{e.text}", lambda: yes, e)
        case _:
            pass
    return gen.made(f"{{(0<⍵)∧⍵<1}}?{zeros.text}", lambda: A("bool", (3,), (True,) * 3))


@entry("?", "dyadic")
def _deal(gen: Gen, depth: int, symbol: str) -> E:
    """Only whether the numbers are different ones, and in their range."""
    n = gen.below(6)
    k = gen.leaf(A("int", (), (n,)))
    if gen.chance(2):
        return gen.made(f"{{⍵[⍋⍵]}}{k.guarded}?{k.text}", lambda: A("int", (n,), tuple(range(1, n + 1))))
    count = n + 1 if gen.mistake() else gen.below(n + 1)
    text = f"≢∪{gen.leaf(A('int', (), (count,))).guarded}?{k.text}"
    return gen.made(text, lambda: _dealt(count, n))


def _dealt(count: int, n: int) -> A:
    if count > n:
        raise AplError("DOMAIN ERROR", "LENGTH ERROR")
    return scalar(count)


# --- what operators add ---------------------------------------------------------------------------------


@entry("{", "of one argument")
def _definition(gen: Gen, depth: int, symbol: str) -> E:
    """`{… ⍵ …}e`"""
    return _applied(gen, depth, None, gen.operand(depth // 2))


@entry("{", "of two arguments")
def _definition_of_two(gen: Gen, depth: int, symbol: str) -> E:
    """`d{… ⍺ … ⍵ …}e`"""
    return _applied(gen, depth, gen.operand(depth // 2), gen.operand(depth // 2))


def _applied(gen: Gen, depth: int, left: E | None, right: E) -> E:
    saved = gen.names, gen.statements
    arguments = [
        E(name, e.result, is_atom=True, forced_inexact=not e.is_exact)
        for name, e in (("⍺", left), ("⍵", right))
        if e is not None
    ]
    gen.names = [*[known for known in gen.names if known.text not in "⍺⍵"], *arguments * 3]
    gen.statements = []
    try:
        inner = gen.expression(depth - 1)
    except Ended as ended:
        inner = ended.expression
    text = " ⋄ ".join([*gen.statements, inner.text])
    gen.names, gen.statements = saved
    before = "" if left is None else left.guarded
    return E(
        f"{before}{{{text}}}{right.text}", inner.result, inner.errors, forced_inexact=inner.forced_inexact
    )


def attempt(work: Callable[[], A]) -> A | None:
    """The value of the work, or None where there is none."""
    try:
        return work()
    except (AplError, NotTier1):
        return None
