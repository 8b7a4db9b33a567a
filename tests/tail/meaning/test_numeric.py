"""The meanings of primitives for number systems, matrices, text, chance and time, worked out by hand."""

import re
from typing import Any

import numpy as np
import pytest

from aplc.tail import prims as p
from aplc.tail.meaning.core import Value
from aplc.tail.meaning.random_numbers import GAMMA, RandomStream, mix, multiply_high
from tests.support.run_meaning import (
    INF,
    INT_MAX,
    INT_MIN,
    NAN,
    agree,
    cell_function,
    empty,
    fails,
    of,
    run,
    text,
)

# --- number systems, matrices -----------------------------------------------------------------------------


def test_decode() -> None:
    agree(run(p.DECODE, [2], [1, 0, 1]), 5)
    agree(run(p.DECODE, [24, 60, 60], [1, 2, 3]), 3723)
    agree(run(p.DECODE, [INT_MAX, 10], [1, 2]), 12)
    agree(run(p.DECODE, [10, 10, 10], [4]), 444)
    agree(run(p.DECODE, [[2], [3]], [[1, 2], [3, 4]]), [[5, 8], [6, 10]])
    agree(run(p.DECODE, [10], []), 0)
    agree(run(p.DECODE, [], [5]), 0)
    agree(run(p.DECODE, [0.5], [4.0, 1.0]), 3.0)
    agree(run(p.DECODE, [INF, 2.0], [1.0, 1.0]), 3.0)
    agree(run(p.DECODE, empty(0, 2), [1, 2]), [])
    agree(run(p.DECODE, [1 + 1j], [1 + 0j, 2, 3]), 5 + 4j)
    agree(run(p.DECODE, [[1j, 1 + 1j]], [1 + 1j, -4]), [-4 + 2j])
    assert fails(p.DECODE, [2, 2], [1, 2, 3]) == "LENGTH ERROR: f needs equal lengths, got 2 and 3"
    assert fails(p.DECODE, [], [1, 2]).startswith("LENGTH ERROR")


def test_encode() -> None:
    agree(run(p.ENCODE, [24, 60, 60], 3723), [1, 2, 3])
    agree(run(p.ENCODE, [2, 2, 2], [5, -1, 8]), [[1, 1, 0], [0, 1, 0], [1, 1, 0]])
    agree(run(p.ENCODE, [0, 10], [123, -7]), [[12, -1], [3, 3]])
    agree(run(p.ENCODE, [0, 0], 5), [0, 5])
    agree(run(p.ENCODE, [-10], 3), [-7])
    agree(run(p.ENCODE, [0, 1], [INT_MIN, INT_MAX]), [[INT_MIN, INT_MAX], [0, 0]])
    agree(run(p.ENCODE, [0.0, 1.0], [3.75, -0.5]), [[3.0, -1.0], [0.75, 0.5]])
    agree(run(p.ENCODE, [[10, 2], [10, 2]], 3), [[0, 1], [3, 1]])
    agree(run(p.ENCODE, [], [1, 2]), empty(0, 2))
    agree(run(p.ENCODE, [2, 2], []), empty(2, 0))


def close(found: Value, expected: Any) -> None:
    wanted = np.array(expected, dtype=np.float64)
    assert found.shape == wanted.shape
    assert np.allclose(found, wanted, rtol=1e-13, atol=1e-13)


def test_matrix_inverse() -> None:
    close(run(p.MAT_INV, [[1.0, 2.0], [3.0, 4.0]]), [[-2, 1], [1.5, -0.5]])
    close(run(p.MAT_INV, [[4.0]]), [[0.25]])
    close(run(p.MAT_INV, [[0.0, 1.0], [1.0, 0.0]]), [[0, 1], [1, 0]])
    close(run(p.MAT_INV, [[1.0], [1.0]]), [[0.5, 0.5]])
    close(run(p.MAT_INV, [[1.0, 0.0], [0.0, 1e-20]]), [[1, 0], [0, 1e20]])
    agree(run(p.MAT_INV, empty(0, 0, base="double")), empty(0, 0, base="double"))
    agree(run(p.MAT_INV, empty(3, 0, base="double")), empty(0, 3, base="double"))


def test_matrices_without_inverse() -> None:
    nine = np.arange(1.0, 10.0).reshape(3, 3)
    for singular in (
        nine,
        of([[0.0]]),
        of([[1.0, 2.0], [2.0, 4.0]]),
        of([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
    ):
        assert fails(p.MAT_INV, singular) == "DOMAIN ERROR: f needs a matrix with independent columns"
    for wide in (of([[1.0, 2.0]]), empty(0, 1, base="double")):
        assert fails(p.MAT_INV, wide).startswith("LENGTH ERROR: f needs at least as many rows as columns")


def test_matrix_division() -> None:
    a = [[2.0, 0.0], [0.0, 4.0]]
    close(run(p.MAT_DIV, [2.0, 2.0], a), [1, 0.5])
    close(run(p.MAT_DIV, [[2.0, 4.0], [2.0, 4.0]], a), [[1, 2], [0.5, 1]])
    close(run(p.MAT_DIV, [1.0, 2.0, 4.0], [[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]]), [-2 / 3, 1.5])
    close(run(p.MAT_DIV, [6.0], [[3.0]]), [2])
    agree(run(p.MAT_DIV, empty(2, 0, base="double"), a), empty(2, 0, base="double"))
    agree(run(p.MAT_DIV, [1.0], empty(1, 0, base="double")), empty(0, base="double"))
    assert fails(p.MAT_DIV, [1.0, 2.0, 3.0], a) == "LENGTH ERROR: f needs equal lengths, got 3 and 2"


# --- text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "expected"),
    [
        (5, "5"),
        (-5, "¯5"),
        (1 / 3, "0.3333333333"),
        ([1, -2, 3], "1 ¯2 3"),
        ([], ""),
        ([1.5, 1e10], "1.5 1E10"),
        (of([True, False]), "1 0"),
        ("it's", "it's"),
        (of("x", 1).reshape(()), "x"),
        ([[1, 10], [-1, 2]], [" 1 10", "¯1  2"]),
        ([[0.5], [100.0]], ["  0.5", "100  "]),
        ([[[1], [2]], [[30], [4]]], [[" 1", " 2"], ["30", " 4"]]),
        (empty(2, 0), ["", ""]),
        (of("abcd", 2, 2), ["ab", "cd"]),
    ],
)
def test_format(a: Any, expected: Any) -> None:
    assert text(run(p.FORMAT, 10, a)) == expected


def test_digits_of_format() -> None:
    assert text(run(p.FORMAT, 3, [1 / 3, 2.0])) == "0.333 2"
    assert text(run(p.FORMAT, 17, 0.1)) == "0.10000000000000001"
    agree(run(p.FORMAT, 10, empty(0, 3)), of("", 0, 0))
    agree(run(p.FORMAT, 10, empty(2, 0, 3)), of("", 2, 0, 0))
    for digits in (0, 18, -1):
        assert fails(p.FORMAT, digits, 5).startswith("DOMAIN ERROR: f needs 1 to 17 digits")


@pytest.mark.parametrize(
    ("specification", "a", "expected"),
    [
        ([2], 3.14159, " 3.14"),
        ([0], [1.0, 22.0], " 1 22"),
        ([6, 2], [1.005, -2.5], "  1.00 ¯2.50"),
        ([1, 0], [1.0, 0.0, 1.0], "101"),
        ([0, 1], [[1.0, 100.0], [-20.0, 3.0]], ["   1.0 100.0", " ¯20.0   3.0"]),
        ([5, 1, 3, 0], [[1.0, 2.0]], ["  1.0  2"]),
        ([0, -2], [5.0, 15.0, 155.0, -1555.0], " 5.0E0 1.5E1 1.6E2 ¯1.6E3"),
        ([-1], 1e-7, " 1E¯7"),
        ([9, -3], 0.0, "   0.00E0"),
        ([1], [0.25, 0.35, -0.04], " 0.2 0.3 0.0"),  # 0.35 is below 35÷100
        ([2], [INF, -INF, NAN], " ∞ ¯∞ NaN"),
        ([2], empty(0, base="double"), ""),
        ([2], empty(2, 0, base="double"), ["", ""]),
    ],
)
def test_format_by_specification(specification: list[int], a: Any, expected: Any) -> None:
    assert text(run(p.FORMAT_BY, specification, a)) == expected


def test_what_format_by_specification_refuses() -> None:
    agree(run(p.FORMAT_BY, [4, 2], 10.0), of("****"))
    assert (
        fails(p.FORMAT_BY, [1, 2, 3], [1.0])
        == "LENGTH ERROR: f needs 1 or 2 numbers on the left, or 2 for each column, 2 here; got 3"
    )
    assert fails(p.FORMAT_BY, [], 1.0).startswith("LENGTH ERROR")
    assert fails(p.FORMAT_BY, [-4, 2], 1.0).startswith("DOMAIN ERROR")
    assert fails(p.FORMAT_BY, [0, INT_MAX], 1.0).startswith("DOMAIN ERROR")
    assert fails(p.FORMAT_BY, [2**60, 2], 1.0).startswith("WS FULL")


# --- chance and time --------------------------------------------------------------------------------------


def test_words_are_those_of_splitmix64() -> None:
    """The first outputs for the seed 1234567 as published with the generator's C source."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    states = [(1234567 + (i + 1) * GAMMA) % 2**64 for i in range(4)]
    assert mix(np.array(states, dtype=np.uint64)).tolist() == known
    stream = RandomStream(7)
    stream.key = 1234567
    assert stream.words(1).tolist() + stream.words(3).tolist() == known


def test_upper_half_of_a_product() -> None:
    words = [0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15]
    pairs = [(x, y) for x in words for y in words]
    x, y = (np.array(side, dtype=np.uint64) for side in zip(*pairs, strict=True))
    assert multiply_high(x, y).tolist() == [a * b >> 64 for a, b in pairs]


def test_what_a_word_becomes() -> None:
    words = RandomStream(-3).words(6).tolist()
    stream = RandomStream(-3)
    agree(run(p.ROLL, stream, [[6, 1], [INT_MAX, 2]]), of([[w * n >> 64] for w, n in
          zip(words, (6, 1, INT_MAX, 2), strict=False)], 2, 2) + 1)  # fmt: skip
    agree(run(p.UNIFORM, stream, [2]), [((w >> 12) + 0.5) / 2**52 for w in words[4:]])
    assert RandomStream(-3).words(6).tolist() == RandomStream(2**64 - 3).words(6).tolist() == words


def test_roll() -> None:
    stream = RandomStream()
    many = run(p.ROLL, stream, np.full(6000, 6))
    assert set(many.tolist()) == {1, 2, 3, 4, 5, 6}
    assert all(850 < np.count_nonzero(many == k) < 1150 for k in range(1, 7))
    agree(run(p.ROLL, stream, empty(0, 2)), empty(0, 2))
    assert stream.position == 6000
    assert run(p.ROLL, stream, 1) == 1
    for wrong in (0, -5):
        assert fails(p.ROLL, stream, [1, wrong]).startswith("DOMAIN ERROR: f needs whole numbers above zero")


def test_uniform() -> None:
    many = run(p.UNIFORM, RandomStream(), [50, 100])
    assert many.shape == (50, 100)
    assert 0 < many.min() < many.max() < 1
    assert abs(many.mean() - 0.5) < 0.02
    assert run(p.UNIFORM, RandomStream(), []).shape == ()
    agree(run(p.UNIFORM, RandomStream(), [3, 0]), empty(3, 0, base="double"))
    assert fails(p.UNIFORM, RandomStream(), [-1]).startswith("DOMAIN ERROR")


def test_deal() -> None:
    assert sorted(run(p.DEAL, RandomStream(), 52, 52).tolist()) == list(range(1, 53))
    few = run(p.DEAL, RandomStream(), 1000, INT_MAX)
    assert len(set(few.tolist())) == 1000 and few.min() >= 1
    agree(run(p.DEAL, RandomStream(), 0, 0), [])
    agree(run(p.DEAL, RandomStream(), 1, 1), [1])
    assert fails(p.DEAL, RandomStream(), 4, 3) == "DOMAIN ERROR: f cannot choose 4 different numbers among 3"
    assert fails(p.DEAL, RandomStream(), -1, 3).startswith("DOMAIN ERROR")
    assert fails(p.DEAL, RandomStream(), 2**60, INT_MAX).startswith("WS FULL")


def test_deal_is_a_shuffle_of_the_whole() -> None:
    """Against the definition with the whole vector in memory."""
    for count, limit in ((5, 5), (5, 7), (30, 40), (100, 100)):
        words = RandomStream(9).words(count).tolist()
        whole = list(range(limit))
        for j, word in enumerate(words):
            r = j + (word * (limit - j) >> 64)
            whole[j], whole[r] = whole[r], whole[j]
        assert RandomStream(9).deal(count, limit).tolist() == [x + 1 for x in whole[:count]]


def test_a_seed_starts_the_stream_again() -> None:
    stream = RandomStream(5)
    one = run(p.ROLL, stream, [1000] * 10)
    agree(run(p.SET_SEED, stream, 5), 5)
    agree(run(p.ROLL, stream, [1000] * 10), one)
    assert not np.array_equal(run(p.ROLL, stream, [1000] * 10), one)
    assert RandomStream().words(1).tolist() == RandomStream(16807).words(1).tolist()


def test_time() -> None:
    one, two = run(p.NOW, 0), run(p.NOW, 0)
    assert one.dtype == np.float64 and one.shape == () and one <= two
    year, month, *_ = run(p.TIMESTAMP, 0).tolist()
    assert run(p.TIMESTAMP, 0).shape == (7,)
    assert year > 2000 and 1 <= month <= 12


def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    calls = []
    f = cell_function(lambda x: calls.append(x) or x + len(calls), 1, result_rank=1)
    agree(run(p.BENCH, f, 3, [10, 20]), [13, 23])
    assert re.fullmatch(r"⎕BENCH: 3 runs, \d+\.\d{3} ms each\n", capsys.readouterr().err)
    assert fails(p.BENCH, f, 0, [1]) == "DOMAIN ERROR: f needs one run or more, got 0"
