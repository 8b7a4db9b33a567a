"""The productions of `tier1_programs` with functions that arrange, find and choose elements, and the rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl.array import A, AplError, scalar
from tests.support.tier1.expressions import (
    ALL_RANKS,
    ANY,
    ANYTHING,
    EXACT_ANY,
    NUMBERS,
    E,
    Gen,
    Retry,
    Want,
    literal,
)
from tests.support.tier1.table import entry, not_a_bit, small, wrongly


def vectors(kinds: tuple[str, ...] = ANYTHING, *, exact: bool = True, **test: Callable[[A], bool]) -> Want:
    """Vectors only."""
    return Want(kinds, (1,), exact, **test)


WITH_AXES = Want(ranks=(1, 2, 3, 4))


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
        axis = gen.axis(rank)
    at = (max(rank - 1, 0) if symbol == "," else 0) if axis is None else min(max(axis, 0), rank - 1)
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
    axis = gen.axis(e.value.rank + 1)
    text = f"{left.guarded}{symbol}[{axis}.5]{right.text}"
    return gen.made(text, lambda: p.laminate(left.value, right.value, axis), left, right)


@entry("⌽⊖", "monadic with axis")
def _reverse_along(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, WITH_AXES)
    axis = gen.axis(e.value.rank)
    work = p.AXIS_MONADIC[symbol]
    return gen.made(f"{symbol}[{axis + 1}]{e.text}", lambda: work(e.value, axis), e)


@entry("⌽⊖", "dyadic")
def _rotate(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1)
    return gen.dyadic(symbol, _amounts(gen, e, e.value.rank - 1 if symbol == "⌽" else 0), e)


@entry("⌽⊖", "dyadic with axis")
def _rotate_along(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, WITH_AXES)
    axis = gen.axis(e.value.rank)
    left, work = _amounts(gen, e, axis), p.AXIS_DYADIC[symbol]
    text = f"{left.guarded}{symbol}[{axis + 1}]{e.text}"
    return gen.made(text, lambda: work(left.value, e.value, axis), left, e)


def _amounts(gen: Gen, e: E, axis: int) -> E:
    """How far to rotate: one number, or one for each vector along the axis."""
    shape = e.value.shape
    if e.value.rank < 2 or gen.chance(2):
        amount = gen.elements("int", gen.pick(((), (), (1,))))
        return literal(amount) if e.value.rank > 2 else gen.whole(amount)
    rest = shape[:axis] + shape[axis + 1 :] if axis >= 0 else shape
    if gen.mistake():
        rest = (rest[0] + 1, *rest[1:])
    return gen.whole(gen.elements(gen.pick(("int", "int", "bool")), rest))


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
    if rank and gen.chance(3):
        return gen.dyadic(symbol, gen.whole(A("int", (axes,), tuple(counts))), e)
    return gen.dyadic(symbol, gen.control(counts), e)


@entry("⊃", "dyadic")
def _pick(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, vectors(exact=False, test=lambda a: bool(a.data)))
    n = len(e.value.data)
    index = gen.pick((0, n + 1, -1)) if gen.mistake() else 1 + gen.below(n)
    at = gen.control([index]) if gen.chance(2) else gen.whole(A("int", (), (index,)))
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
    axis = gen.axis(e.value.rank)
    left, work = _counts(gen, e, axis, symbol in "\\⍀"), p.AXIS_DYADIC[symbol]
    text = f"{left.guarded}{symbol}[{axis + 1}]{e.text}"
    return gen.made(text, lambda: work(left.value, e.value, axis), left, e)


def _counts(gen: Gen, e: E, axis: int, expanding: bool) -> E:
    """How many of each."""
    n = e.value.shape[axis] if 0 <= axis < e.value.rank else 1
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
    return gen.whole(A(kind, (len(counts),), tuple(counts)))


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
        at.append(gen.whole(A("int", shape, tuple(numbers))))
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
    match gen.below(4):
        case 0:
            return gen.made(f"{{(1≤⍵)∧⍵≤{e.guarded}}}?{e.text}", lambda: yes, e)
        case 1:
            return gen.made(f"{{⍵=⌊⍵}}?{e.text}", lambda: yes, e)
        case 2:
            some = A("int", (4,), tuple(gen.below(3) for _ in range(4)))
            fractions = A("bool", (4,), tuple(n == 0 for n in some.data))
            return gen.made(f"{{⍵<1}}?{gen.leaf(some).text}", lambda: fractions)
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
