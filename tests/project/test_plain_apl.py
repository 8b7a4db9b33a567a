"""The plain definition of APL itself: results that were worked out by hand, or stand in APL's manuals."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl import operators as o
from tests.support.plain_apl.array import DOMAIN, INDEX, INT_MAX, INT_MIN, LENGTH, RANK, A, AplError, NotTier1
from tests.support.plain_apl.literals import a, empty

INF = math.inf


ONE_TO_SIX = a([[1, 2, 3], [4, 5, 6]])
YES, NO = True, False

MONADIC: list[tuple[str, Any, Any]] = [
    ("⊢", [1], [1]),
    ("⊣", [1], [1]),
    ("+", 2.5, 2.5),
    ("-", [1, -2], [-1, 2]),
    ("-", [True], [-1]),
    ("-", [INT_MIN], [INT_MIN]),
    ("×", [-2.5, 0.0, 9.0], [-1, 0, 1]),
    ("÷", [2, -4], [0.5, -0.25]),
    ("*", [0], [1.0]),
    ("*", [1000], [INF]),
    ("⍟", [1], [0.0]),
    ("⌈", [1.5, -1.5, 2.0], [2, -1, 2]),
    ("⌊", [1.5, -1.5, 2.0], [1, -2, 2]),
    ("⌊", [3, 4], [3, 4]),
    ("|", [-1.5, 2.0], [1.5, 2.0]),
    ("|", [-1, 2], [1, 2]),
    ("!", [0, 1, 5], [1.0, 1.0, 120.0]),
    ("!", [0.5, 171.0], [math.sqrt(math.pi) / 2, INF]),
    ("○", 1, math.pi),
    ("~", [1, 0], [NO, YES]),
    ("~", [YES, NO], [NO, YES]),
    ("⍴", ONE_TO_SIX, [2, 3]),
    ("⍴", 5, empty("int", 0)),
    ("⍳", 3, [1, 2, 3]),
    ("⍳", [3], [1, 2, 3]),
    ("⍳", 0, empty("int", 0)),
    (",", ONE_TO_SIX, [1, 2, 3, 4, 5, 6]),
    (",", 5, [5]),
    ("⍪", [1, 2], [[1], [2]]),
    ("⍪", 5, [[5]]),
    ("⍪", empty("int", 0, 3), empty("int", 0, 3)),
    ("⍪", a([1, 2, 3, 4, 5, 6], (1, 2, 3)), [[1, 2, 3, 4, 5, 6]]),
    ("⌽", ONE_TO_SIX, [[3, 2, 1], [6, 5, 4]]),
    ("⊖", ONE_TO_SIX, [[4, 5, 6], [1, 2, 3]]),
    ("⌽", 5, 5),
    ("⍉", ONE_TO_SIX, [[1, 4], [2, 5], [3, 6]]),
    ("⍉", [1, 2], [1, 2]),
    ("⊃", ONE_TO_SIX, 1),
    ("⊃", empty("char", 0), a(" ", ())),
    ("⊃", empty("int", 0, 3), 0),
    ("≡", 5, 0),
    ("≡", empty("int", 0), 1),
    ("≢", ONE_TO_SIX, 2),
    ("≢", 5, 1),
    ("∊", ONE_TO_SIX, [1, 2, 3, 4, 5, 6]),
    ("⍋", [3, 1, 2, 1], [2, 4, 3, 1]),
    ("⍒", [3, 1, 2, 1], [1, 3, 2, 4]),
    ("⍋", "cab", [2, 3, 1]),
    ("⍋", [[2, 1], [1, 9], [1, 3]], [3, 2, 1]),
    ("⍋", empty("int", 0), empty("int", 0)),
    ("⍸", [YES, NO, YES], [1, 3]),
    ("⍸", [2, 0, 1], [1, 1, 3]),
    ("∪", [3, 1, 3, 2, 1], [3, 1, 2]),
    ("∪", 5, [5]),
    ("∪", [[1, 2], [3, 4], [1, 2]], [[1, 2], [3, 4]]),
    ("⌷", [1, 2], [1, 2]),
    ("⌹", 4, 0.25),
    ("⌹", [[2, 0], [0, 4]], [[0.5, 0.0], [0.0, 0.25]]),
    ("⌹", [3, 4], [0.12, 0.16]),
    ("⍕", [1, -20], "1 ¯20"),
    ("⍕", 5, "5"),
    ("⍕", [[1, 20], [-3, 4]], [" 1 20", "¯3  4"]),
    ("⍕", "abc", "abc"),
    ("⍕", [1.5, 2.0], "1.5 2"),
    ("⍕", [YES, NO], "1 0"),
]

DYADIC: list[tuple[str, Any, Any, Any]] = [
    ("+", [1, 2], [10, 20], [11, 22]),
    ("+", 1, [10, 20], [11, 21]),
    ("+", [1], ONE_TO_SIX, [[2, 3, 4], [5, 6, 7]]),
    ("+", [[1]], [10, 20], [11, 21]),
    ("+", [[1]], [10], [[11]]),
    ("+", [5], empty("int", 0), empty("int", 0)),
    ("+", [INT_MAX], 1, [INT_MIN]),
    ("+", [YES], [YES], [2]),
    ("-", [1], [0.5], [0.5]),
    ("×", [2], ["x"], DOMAIN),
    ("÷", [6, 0], [4, 0], [1.5, 1.0]),
    ("÷", 1, 0, DOMAIN),
    ("*", [2, 0, 0, -8], [-1, 0, 2, 3], [0.5, 1.0, 0.0, -512.0]),
    ("*", -8, 0.5, DOMAIN),
    ("*", 0, -1, DOMAIN),
    ("*", [-10.0], [999.0], [-INF]),
    ("⍟", 2, [8, 1], [3.0, 0.0]),
    ("⍟", 1, 1, 1.0),
    ("⍟", 1, 2, DOMAIN),
    ("⌈", [3, -1], [2, 5], [3, 5]),
    ("⌊", [YES], [NO], [0]),
    ("⌊", [1.5], [2], [1.5]),
    ("|", [3, -5, 0, -5, 5], [7, 3, 9, -3, -3], [1, -2, 9, -3, 2]),
    ("|", 1.5, 4, 1.0),
    ("|", -0.5, 0.75, -0.25),
    ("!", [2, 3], [5, 2], [10.0, 0.0]),
    ("!", 2, -3, 6.0),
    ("!", -1, 3, 0.0),
    ("!", -3, -2, -2.0),
    ("!", -3, -3, 1.0),
    ("!", -2, -3, 0.0),
    ("!", 0.5, -1, DOMAIN),
    ("○", [1, 2, 0, 4], [0, 0, 0.6, 0.75], [0.0, 1.0, 0.8, 1.25]),
    ("○", -4, [2.0, -2.0, -1.0], [math.sqrt(3), -math.sqrt(3), 0.0]),
    ("○", 8, 1, DOMAIN),
    ("○", -1, 2, DOMAIN),
    ("∧", [12, -4, 0], [18, 6, 5], [36, -12, 0]),
    ("∨", [12, -4, 0], [18, 6, 5], [6, 2, 5]),
    ("∧", [YES, YES], [YES, NO], [YES, NO]),
    ("⍲", [1, 1], [1, 0], [NO, YES]),
    ("⍱", [0, 1], [0, 0], [YES, NO]),
    ("⍲", 2, 1, DOMAIN),
    ("=", [1, 2], [1, 3], [YES, NO]),
    ("=", [1, 2], "ab", [NO, NO]),
    ("≠", "ab", "ac", [NO, YES]),
    ("<", [1, 2], [1.5, 1.5], [YES, NO]),
    ("<", "a", 1, DOMAIN),
    ("≥", 2, [1, 2, 3], [YES, YES, NO]),
    ("⊢", [1], [2], [2]),
    ("⊣", [1], [2], [1]),
    ("⍴", [2, 3], [1, 2], [[1, 2, 1], [2, 1, 2]]),
    ("⍴", 3, "ab", "aba"),
    ("⍴", 2, empty("double", 0), [0.0, 0.0]),
    ("⍴", empty("int", 0), [7, 8], 7),
    ("⍴", -1, 3, DOMAIN),
    ("⍴", 2.5, 3, DOMAIN),
    ("⍳", [10, 20, 10], [10, 30], [1, 4]),
    ("⍳", "abc", [[1, 2]], [[4, 4]]),
    ("⍳", 1, 1, RANK),
    (",", [1, 2], 3, [1, 2, 3]),
    (",", 1, 2, [1, 2]),
    (",", ONE_TO_SIX, [7, 8], [[1, 2, 3, 7], [4, 5, 6, 8]]),
    (",", ONE_TO_SIX, 0, [[1, 2, 3, 0], [4, 5, 6, 0]]),
    (",", [YES], 2, [1, 2]),
    (",", ONE_TO_SIX, [1, 2, 3], LENGTH),
    (",", 1, a([1], (1, 1)), [[1, 1]]),
    ("⍪", ONE_TO_SIX, [7, 8, 9], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
    ("⍪", [1, 2], [3], [1, 2, 3]),
    ("⌽", 1, [1, 2, 3], [2, 3, 1]),
    ("⌽", [-1, 1], ONE_TO_SIX, [[3, 1, 2], [5, 6, 4]]),
    ("⌽", [1, 2, 3], ONE_TO_SIX, LENGTH),
    ("⌽", 1, 5, 5),
    ("⊖", [0, 1, 0], ONE_TO_SIX, [[1, 5, 3], [4, 2, 6]]),
    ("⍉", [2, 1], ONE_TO_SIX, [[1, 4], [2, 5], [3, 6]]),
    ("⍉", [1, 1], ONE_TO_SIX, [1, 5]),
    ("⍉", [1, 3], ONE_TO_SIX, DOMAIN),
    ("⍉", empty("int", 0), 5, 5),
    ("↑", 2, [1, 2, 3], [1, 2]),
    ("↑", -4, [1, 2, 3], [0, 1, 2, 3]),
    ("↑", [1, -4], ONE_TO_SIX, [[0, 1, 2, 3]]),
    ("↑", 1, ONE_TO_SIX, [[1, 2, 3]]),
    ("↑", 3, "a", "a  "),
    ("↑", [2, 2], 5, [[5, 0], [0, 0]]),
    ("↑", empty("int", 0), 5, 5),
    ("↓", 1, [1, 2, 3], [2, 3]),
    ("↓", [0, -1], ONE_TO_SIX, [[1, 2], [4, 5]]),
    ("↓", 9, [1, 2], empty("int", 0)),
    ("↓", 0, 5, [5]),
    ("↓", 1, 5, empty("int", 0)),
    ("⊃", 2, [10, 20], 20),
    ("⊃", [2], [10, 20], 20),
    ("⊃", 3, [10, 20], INDEX),
    ("⊃", 1, ONE_TO_SIX, RANK),
    ("≡", [1, 2], [1.0, 2.0], YES),
    ("≡", empty("int", 0), empty("char", 0), NO),
    ("≡", [1], 1, NO),
    ("≢", [1, 2], [1, 3], YES),
    ("∊", ONE_TO_SIX, [2, 5], [[NO, YES, NO], [NO, YES, NO]]),
    ("∊", 1, "ab", NO),
    ("⍸", [2, 4, 6], [1, 2, 3, 6, 9], [0, 1, 1, 3, 3]),
    ("⍸", [4, 2], [1], DOMAIN),
    ("∪", [1, 1, 2], [2, 3, 3], [1, 1, 2, 3, 3]),
    ("∩", [1, 2, 2, 3], [2, 3, 9], [2, 2, 3]),
    ("~", [1, 2, 3, 2], 2, [1, 3]),
    ("~", 5, [1, 2], [5]),
    ("~", ONE_TO_SIX, 1, RANK),
    ("/", [1, 0, 2], [5, 6, 7], [5, 7, 7]),
    ("/", [1, -2, 3, -4, 5], [1, 2, 3, 4, 5], [1, 0, 0, 3, 3, 3, 0, 0, 0, 0, 5, 5, 5, 5, 5]),
    ("/", 2, ONE_TO_SIX, [[1, 1, 2, 2, 3, 3], [4, 4, 5, 5, 6, 6]]),
    ("/", 3, 5, [5, 5, 5]),
    ("/", [1, 0, 2], [9], [9, 9, 9]),
    ("/", [1, 0], [1, 2, 3], LENGTH),
    ("⌿", [0, 2], ONE_TO_SIX, [[4, 5, 6], [4, 5, 6]]),
    ("\\", [1, 0, 1], [5, 6], [5, 0, 6]),
    ("\\", [1, -2, 2], "ab", "a  bb"),
    ("\\", [1, 1], [1, 2, 3], LENGTH),
    ("\\", 2, 5, [5, 5]),
    ("\\", 2, [5, 6], [5, 5, 6, 6]),
    ("⍀", [1, 0, 1], ONE_TO_SIX, [[1, 2, 3], [0, 0, 0], [4, 5, 6]]),
    ("⌷", 2, ONE_TO_SIX, [4, 5, 6]),
    ("⌷", [2, 3], ONE_TO_SIX, 6),
    ("⌷", 3, ONE_TO_SIX, INDEX),
    ("⊥", 2, [1, 0, 1], 5),
    ("⊥", [24, 60, 60], [1, 2, 3], 3723),
    ("⊥", [2, 2, 2], 1, 7),
    ("⊥", 10, [[1, 2], [3, 4]], [13, 24]),
    ("⊥", [[1], [10]], [1, 2, 3], [6, 123]),
    ("⊥", [1, 2], [1, 2, 3], LENGTH),
    ("⊥", 0.5, [1, 2], 2.5),
    ("⊥", empty("int", 0), 5, 0),
    ("⊤", [2, 2, 2], 5, [1, 0, 1]),
    ("⊤", [0, 60], [75, 30], [[1, 0], [15, 30]]),
    ("⊤", 10, 23, 3),
    ("⊤", [10, 10], -1, [9, 9]),
    ("⊤", [[2, 3], [2, 3]], 5, [[0, 1], [1, 2]]),
    ("⊤", [0, 1], 2.5, [2.0, 0.5]),
    ("⌹", [2, 8], [[2, 0], [0, 4]], [1.0, 2.0]),
    ("⌹", [1, 2, 3], [[1, 1], [1, 2], [1, 3]], [0.0, 1.0]),
    ("⌹", 6, 4, 1.5),
    ("⌹", [1, 2], [[1, 1], [1, 1]], DOMAIN),
    ("⍷", "an", "banana", [NO, YES, NO, YES, NO, NO]),
    ("⍷", empty("char", 0), "ab", [YES, YES]),
    ("⍷", [[1]], [1, 2], [NO, NO]),
    ("⍷", [2, 3], ONE_TO_SIX, [[NO, YES, NO], [NO, NO, NO]]),
    ("⍕", [6, 2], [1.5, -2.25], "  1.50 ¯2.25"),
    ("⍕", [3, 0], [[1], [20]], ["  1", " 20"]),
]


def as_array(value: Any) -> A:
    return value if isinstance(value, A) else a(value)


def close(x: A, y: A) -> bool:
    if (x.kind, x.shape) != (y.kind, y.shape):
        return False
    if x.kind != "double":
        return x.data == y.data
    return all(math.isclose(b, c, rel_tol=1e-12, abs_tol=1e-15) for b, c in zip(x.data, y.data, strict=True))


def check(work: Callable[[], A], expected: Any) -> None:
    if isinstance(expected, str) and expected.endswith("ERROR"):
        with pytest.raises(AplError) as raised:
            work()
        assert expected in raised.value.kinds
    else:
        result = work()
        assert close(result, as_array(expected)), result


@pytest.mark.parametrize(("symbol", "y", "expected"), MONADIC)
def test_functions_of_one_argument(symbol: str, y: Any, expected: Any) -> None:
    check(lambda: p.MONADIC[symbol](as_array(y)), expected)


@pytest.mark.parametrize(("symbol", "x", "y", "expected"), DYADIC)
def test_functions_of_two_arguments(symbol: str, x: Any, y: Any, expected: Any) -> None:
    check(lambda: p.DYADIC[symbol](as_array(x), as_array(y)), expected)


def test_every_function_has_an_example() -> None:
    assert set(p.MONADIC) == {row[0] for row in MONADIC}
    assert set(p.DYADIC) - {row[0] for row in DYADIC} == {"≤", ">"}


PLUS, MINUS, TIMES, DIVIDE, MAX, LESS, NAND, LEFT = map(p.primitive, "+-×÷⌈<⍲⊣")
EMPTY = empty("int", 0)

OPERATORS: dict[str, tuple[Callable[[], A], Any]] = {
    "-/": (lambda: o.reduce(MINUS, a([1, 2, 3, 4]), 0), -2),
    "+/ of booleans": (lambda: o.reduce(PLUS, a([YES, YES]), 0), 2),
    "÷/ of one integer": (lambda: o.reduce(DIVIDE, a([3]), 0), 3.0),
    "</ of integers": (lambda: o.reduce(LESS, a([1, 2]), 0), 1),
    "</ of booleans": (lambda: o.reduce(LESS, a([NO, YES]), 0), YES),
    "+/ of a matrix": (lambda: o.reduce(PLUS, ONE_TO_SIX, 1), [6, 15]),
    "+⌿": (lambda: o.reduce(PLUS, ONE_TO_SIX, 0), [5, 7, 9]),
    "+/ of a scalar": (lambda: o.reduce(PLUS, a(5), 0), 5),
    "+/ of nothing": (lambda: o.reduce(PLUS, EMPTY, 0), 0),
    "⌈/ of nothing": (lambda: o.reduce(MAX, EMPTY, 0), INT_MIN),
    "×/ of no rows": (lambda: o.reduce(TIMES, empty("double", 0, 2), 0), [1.0, 1.0]),
    "⍲/ of nothing": (lambda: o.reduce(NAND, empty("bool", 0), 0), DOMAIN),
    "-\\": (lambda: o.scan(MINUS, a([1, 2, 3, 4]), 0), [1, -1, 2, -2]),
    "+⍀": (lambda: o.scan(PLUS, ONE_TO_SIX, 0), [[1, 2, 3], [5, 7, 9]]),
    "+\\ of nothing": (lambda: o.scan(PLUS, EMPTY, 0), EMPTY),
    "2+/": (lambda: o.reduce_windows(a(2), PLUS, a([1, 2, 3]), 0), [3, 5]),
    "2-/": (lambda: o.reduce_windows(a(2), MINUS, a([1, 5, 7]), 0), [-4, -2]),
    "¯2-/": (lambda: o.reduce_windows(a(-2), MINUS, a([1, 5, 7]), 0), [4, 2]),
    "0+/": (lambda: o.reduce_windows(a(0), PLUS, a([1, 2]), 0), [0, 0, 0]),
    "3+/ of two": (lambda: o.reduce_windows(a(3), PLUS, a([1, 2]), 0), EMPTY),
    "4+/ of two": (lambda: o.reduce_windows(a(4), PLUS, a([1, 2]), 0), LENGTH),
    "∘.×": (lambda: o.outer(TIMES, a([1, 2]), a([3, 4])), [[3, 4], [6, 8]]),
    "∘.× of nothing": (lambda: o.outer(DIVIDE, EMPTY, a([3, 4])), empty("double", 0, 2)),
    "+.×": (lambda: o.inner(PLUS, TIMES, ONE_TO_SIX, a([1, 1, 1])), [6, 15]),
    "+.× of a scalar": (lambda: o.inner(PLUS, TIMES, a(2), a([1, 2])), 6),
    "+.× of matrices": (
        lambda: o.inner(PLUS, TIMES, a([[1, 2], [3, 4]]), a([[1, 0], [0, 1]])),
        [[1, 2], [3, 4]],
    ),
    "+.× of nothing": (lambda: o.inner(PLUS, TIMES, empty("int", 2, 0), EMPTY), [0, 0]),
    "-.-": (lambda: o.inner(MINUS, MINUS, a([9, 5]), a([1, 2])), 5),
    "+.× of lengths": (lambda: o.inner(PLUS, TIMES, a([1, 2]), a([1, 2, 3])), LENGTH),
    "¨": (lambda: o.each(p.primitive("-"), a([1, 2])), [-1, -2]),
    "¨ with rows": (lambda: o.each(o.F(lambda y: p.DYADIC[","](y, a(9))), a([1, 2])), [[1, 9], [2, 9]]),
    "¨ of nothing": (lambda: o.each(o.F(lambda y: p.DYADIC[","](y, a(9))), EMPTY), empty("int", 0, 2)),
    "+¨": (lambda: o.each_pair(PLUS, a(1), a([1, 2])), [2, 3]),
    "+¨ of lengths": (lambda: o.each_pair(PLUS, a([1, 2]), a([1, 2, 3])), LENGTH),
    "⌽⍤1": (lambda: o.rank_monadic(p.primitive("⌽"), 1, ONE_TO_SIX), [[3, 2, 1], [6, 5, 4]]),
    "+/⍤¯1": (lambda: o.rank_monadic(o.F(lambda y: o.reduce(PLUS, y, 0)), -1, ONE_TO_SIX), [6, 15]),
    "+⍤0 1": (lambda: o.rank_dyadic(PLUS, 0, 1, a([10, 20]), ONE_TO_SIX), [[11, 12, 13], [24, 25, 26]]),
    "+⍤1": (lambda: o.rank_dyadic(PLUS, 1, 1, a([10, 20, 30]), ONE_TO_SIX), [[11, 22, 33], [14, 25, 36]]),
    "+⍤0 of frames": (lambda: o.rank_dyadic(PLUS, 0, 0, a([1, 2]), a([1, 2, 3])), LENGTH),
    "-⍨": (lambda: o.commute(MINUS).dyadic(a(1), a(5)), 4),
    "-⍨ of one": (lambda: o.commute(TIMES).monadic(a(5)), 25),
    "-∘÷": (lambda: o.beside(MINUS, DIVIDE).dyadic(a(1), a(4)), 0.75),
    "1∘-": (lambda: o.bind_left(a(1), MINUS).monadic(a(4)), -3),
    "-∘1": (lambda: o.bind_right(MINUS, a(1)).monadic(a(4)), 3),
    "-⍤÷": (lambda: o.atop(MINUS, DIVIDE).dyadic(a(1), a(4)), -0.25),
    "-⍥÷": (lambda: o.over(MINUS, DIVIDE).dyadic(a(2), a(4)), 0.25),
    "+÷-": (lambda: o.fork(PLUS, DIVIDE, MINUS).dyadic(a(6), a(2)), 2.0),
    "⍣3": (lambda: o.power(o.bind_left(a(2), TIMES), 3).monadic(a(1)), 8),
    "+⍣3": (lambda: o.power(PLUS, 3).dyadic(a(2), a(1)), 7),
    "⍣0": (lambda: o.power(MINUS, 0).monadic(a(1)), 1),
    "⍣≡": (
        lambda: o.power_until(
            o.F(lambda y: p.MONADIC["⌊"](p.DYADIC["÷"](y, a(2)))), p.primitive("≡")
        ).monadic(a(9)),
        0,
    ),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name: str) -> None:
    work, expected = OPERATORS[name]
    check(work, expected)


def test_axes() -> None:
    assert close(p.AXIS_DYADIC[","](ONE_TO_SIX, a([7, 8, 9]), 0), a([[1, 2, 3], [4, 5, 6], [7, 8, 9]]))
    assert close(p.AXIS_DYADIC["⌽"](a([1, 0, 0]), ONE_TO_SIX, 0), a([[4, 2, 3], [1, 5, 6]]))
    assert close(p.AXIS_MONADIC["⌽"](ONE_TO_SIX, 0), a([[4, 5, 6], [1, 2, 3]]))
    assert close(p.laminate(a([1, 2]), a([3, 4]), 0), a([[1, 2], [3, 4]]))
    assert close(p.laminate(a([1, 2]), a(0), 1), a([[1, 0], [2, 0]]))
    with pytest.raises(AplError):
        p.laminate(a([1, 2]), a([1, 2, 3]), 0)


def test_brackets() -> None:
    assert close(p.bracket(ONE_TO_SIX, [a(2), None]), a([4, 5, 6]))
    assert close(p.bracket(ONE_TO_SIX, [a([2, 1]), a([[1], [3]])]), a([[[4], [6]], [[1], [3]]]))
    assert close(p.bracket(a("abc"), [a([3, 3])]), a("cc"))
    with pytest.raises(AplError, match=INDEX):
        p.bracket(ONE_TO_SIX, [a(1), a([1, 4])])
    with pytest.raises(AplError, match=RANK):
        p.bracket(ONE_TO_SIX, [a(1)])


def test_what_is_left_open() -> None:
    with pytest.raises(NotTier1):
        p.DYADIC[","](a("ab"), a([1]))
    with pytest.raises(NotTier1):
        p.MONADIC["⍸"](a([[YES]]))
    with pytest.raises(NotTier1):
        p.MONADIC["⍳"](a([2, 3]))


def test_both_errors_are_named_where_two_are_found() -> None:
    with pytest.raises(AplError) as raised:
        p.DYADIC["+"](a("ab"), a([1, 2, 3]))
    assert raised.value.kinds == {DOMAIN, LENGTH}
