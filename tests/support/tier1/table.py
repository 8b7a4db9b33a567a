"""The productions of `tier1_programs`: one for each function and operator of tier 1 in each of its uses.

    ENTRIES[symbol, use](gen, depth)    an expression with that symbol outermost

A use is `monadic`, `dyadic`, one of them `with axis`, or what an operator is applied to.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.support.plain_apl.array import INT_MAX, INT_MIN, A, scalar
from tests.support.plain_apl.scalar import CIRCULAR
from tests.support.tier1.expressions import (
    ANYTHING,
    EXACT,
    EXACT_ANY,
    NUMBERS,
    NUMERIC,
    E,
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
