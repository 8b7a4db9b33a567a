"""The productions of `tier1_programs` whose functions change names of outside, entered into `tier1.table`.

Each is an expression: a definition with the names, an operator or a recursion whose function changes them,
and a vector of what all of it gave and of what the names are in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.support.plain_apl.array import A, AplError, vector
from tests.support.tier1.expressions import E, Gen, Want
from tests.support.tier1.table import entry

Change = Callable[[int, int], int]
CHANGES: list[tuple[str, Change]] = [
    ("+", lambda s, x: s + x),
    ("-", lambda s, x: s - x),
    ("⌈", max),
    ("⌊", min),
    ("{⍵-⍺}", lambda s, x: x - s),
    ("⊢", lambda s, x: x),
]
GIVEN: list[tuple[str, Change]] = [("s", lambda s, x: s), ("⍵", lambda s, x: x), ("s-⍵", lambda s, x: s - x)]
SMALL = Want(("int",), (1,), True, lambda a: all(-1000 < x < 1000 for x in a.data))


def _numbers(gen: Gen, depth: int, *ranks: int) -> E:
    """Small whole numbers."""
    return gen.operand(depth - 1, Want(("int",), ranks, True, SMALL.test))


def _result(numbers: Iterator[int]) -> A:
    return vector("int", list(numbers))


@entry("¨", "that changes a name")
def _each(gen: Gen, depth: int, symbol: str) -> E:
    """`{s←k ⋄ r←{s+←⍵ ⋄ s-⍵}¨⍵ ⋄ s,,r}x`, perhaps under a guard"""
    x = _numbers(gen, depth, 1, 2)
    (change, f), (given, g), start = gen.pick(CHANGES), gen.pick(GIVEN), gen.below(9)
    (other, h), limit = gen.pick(CHANGES), gen.below(5)
    guard = f"⍵>{limit}: {{s{other}←⍵ ⋄ {given}}}⍵ ⋄ " if gen.chance(2) else ""

    def values() -> Iterator[int]:
        state, results = start, []
        for item in x.value.data:
            state = (h if guard and item > limit else f)(state, item)
            results.append(g(state, item))
        yield from (state, *results)

    body = f"{guard}s{change}←⍵ ⋄ {given}"
    return gen.made(f"{{s←{start} ⋄ r←{{{body}}}¨⍵ ⋄ s,,r}}{x.text}", lambda: _result(values()), x)


@entry("¨", "that changes elements of a name")
def _counts(gen: Gen, depth: int, symbol: str) -> E:
    """`{s←n⍴0 ⋄ r←{s[1+n|⍵]+←⍵ ⋄ +/s}¨⍵ ⋄ s,,r}x`"""
    x, n = _numbers(gen, depth, 1, 2), 1 + gen.below(4)
    change, f = gen.pick(CHANGES[:4])

    def values() -> Iterator[int]:
        state, results = [0] * n, []
        for item in x.value.data:
            state[item % n] = f(state[item % n], item)
            results.append(sum(state))
        yield from (*state, *results)

    body = f"{{s[1+{n}|⍵]{change}←⍵ ⋄ +/s}}"
    return gen.made(f"{{s←{n}⍴0 ⋄ r←{body}¨⍵ ⋄ s,,r}}{x.text}", lambda: _result(values()), x)


@entry("∘.", "that changes a name")
def _outer(gen: Gen, depth: int, symbol: str) -> E:
    """`x{s←k ⋄ r←⍺∘.{s+←⍵-⍺ ⋄ s}⍵ ⋄ s,,r}y`"""
    x, y = _numbers(gen, depth, 0, 1), _numbers(gen, depth, 1)
    (change, f), start = gen.pick(CHANGES), gen.below(9)

    def values() -> Iterator[int]:
        state, results = start, []
        for a in x.value.data:
            for b in y.value.data:
                state = f(state, b - a)
                results.append(state)
        yield from (state, *results)

    text = f"{x.guarded}{{s←{start} ⋄ r←⍺∘.{{s{change}←⍵-⍺ ⋄ s}}⍵ ⋄ s,,r}}{y.text}"
    return gen.made(text, lambda: _result(values()), x, y)


@entry("/", "that changes a name")
def _reduce(gen: Gen, depth: int, symbol: str) -> E:
    r"""`{s←k ⋄ r←{s+←⍵ ⋄ ⍺-⍵}/⍵ ⋄ s,,r}x`, and of all prefixes"""
    x = _numbers(gen, depth, 1)
    (change, f), start, is_scan = gen.pick(CHANGES), gen.below(9), gen.chance(2)

    def values() -> Iterator[int]:
        state, results, items = start, [], x.value.data
        if not items and not is_scan:
            raise AplError("DOMAIN ERROR")
        for count in range(1, len(items) + 1) if is_scan else [len(items)]:
            result = items[count - 1]
            for item in reversed(items[: count - 1]):
                state, result = f(state, result), item - result
            results.append(result)
        yield from (state, *results)

    sign = "\\" if is_scan else "/"
    text = f"{{s←{start} ⋄ r←{{s{change}←⍵ ⋄ ⍺-⍵}}{sign}⍵ ⋄ s,,r}}{x.text}"
    return gen.made(text, lambda: _result(values()), x)


@entry("⍣", "that changes a name")
def _power(gen: Gen, depth: int, symbol: str) -> E:
    """`{s←⍬ ⋄ t←0 ⋄ r←{t+←⍵ ⋄ s,←t ⋄ ⍵-t}⍣n⊢⍵ ⋄ r,t,s}x`"""
    x, rounds = gen.operand(depth - 1, Want(("int",), (0,), True, SMALL.test)), gen.below(6)
    (change, f), start = gen.pick(CHANGES), gen.below(9)

    def values() -> Iterator[int]:
        state, seen, item = start, [], x.value.data[0]
        for _ in range(rounds):
            state = f(state, item)
            seen.append(state)
            item -= state
        yield from (item, state, *seen)

    times = gen.leaf(A("int", (), (rounds,)))
    body = f"{{t{change}←⍵ ⋄ s,←t ⋄ ⍵-t}}"
    text = f"{{s←0⍴0 ⋄ t←{start} ⋄ r←({body}⍣{times.guarded})⍵ ⋄ r,t,s}}{x.text}"
    return gen.made(text, lambda: _result(values()), x)


@entry("∇", "that changes names")
def _recursion(gen: Gen, depth: int, symbol: str) -> E:
    """`{s←⍬ ⋄ t←0 ⋄ r←{⍵≤0:t ⋄ t+←⍵ ⋄ s,←t ⋄ (∇⍵-2)+∇⍵-3}⍵ ⋄ r,t,s}n`"""
    number = gen.below(9)
    n = gen.leaf(A("int", (), (number,)))
    (change, f), start = gen.pick(CHANGES[:4]), gen.below(9)
    is_late = gen.chance(2)

    def values() -> Iterator[int]:
        state, seen = start, []

        def called(k: int) -> int:
            nonlocal state
            if k <= 0:
                return state
            state = f(state, k)
            seen.append(state)
            right = called(k - 3)
            return called(k - 2) + right

        result = called(number)
        yield from (result, state, *seen)

    again = "r←∇⍵-3 ⋄ r+⍨∇⍵-2" if is_late else "(∇⍵-2)+∇⍵-3"
    body = f"{{⍵≤0:t ⋄ t{change}←⍵ ⋄ s,←t ⋄ {again}}}"
    return gen.made(f"{{s←0⍴0 ⋄ t←{start} ⋄ r←{body}⍵ ⋄ r,t,s}}{n.text}", lambda: _result(values()))
