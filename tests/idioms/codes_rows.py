"""Programs over codes, lines, numbers, boards and tables, as in `rows`."""

from __future__ import annotations

import base64

import numpy as np

from tests.idioms.rows import Arguments, Row, Value, bits, ints, letters, random, square, vector

CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _characters(text: str) -> Value:
    return np.array(list(text))


def _utf8(n: int) -> Value:
    """So many code points of one to four bytes each."""
    chosen = random().choice([0x61, 0x20, 0x7A, 0xE9, 0x3B1, 0x2190, 0x4E2D, 0x1F600], n)
    return np.frombuffer("".join(map(chr, chosen)).encode(), np.uint8).astype(np.int64)


def _ibans(n: int) -> Value:
    """Two letters and twenty digits."""
    return np.concatenate([letters(CAPITALS, n, 2), letters("0123456789", n, 20)], 1)


def _base64(n: int) -> Value:
    return _characters(base64.b64encode(random().bytes(3 * n)).decode())


def _counted(n: int) -> Value:
    """Runs of one to twenty letters, each behind its length; together thirty letters of every three."""
    return _characters("".join(f"{k}{a}" for k, a in zip([1, 20, 9] * (n // 3), "abcdefg" * n, strict=False)))


def _romans(n: int) -> tuple[int, ...]:
    lengths = np.array([0, 1, 2, 3, 2, 1, 2, 3, 4, 2])
    v = _thousand(n)
    return (int(lengths[v // 100].sum() + lengths[v // 10 % 10].sum() + lengths[v % 10].sum()) + n,)


def _thousand(n: int) -> Value:
    return ints(1, 1000, n)


def _brackets(n: int) -> Value:
    """Brackets that match, nested at random."""
    depth = np.abs(np.cumsum(2 * bits(0.5, n) - 1))
    steps = np.concatenate([np.diff(depth, prepend=0), np.full(depth[-1], -1)])
    return np.where(steps > 0, "(", ")")


def _sorted_words(n: int) -> Value:
    """Sixteen letters each, in order."""
    words = letters("abcd", n, 16)
    return words[np.lexsort(words.T[::-1])]


def _lines(alphabet: str, low: int, high: int, n: int) -> list[str]:
    return ["".join(random_letters) for random_letters in _chosen(alphabet, 2 * ints(low, high, n))]


def _chosen(alphabet: str, lengths: Value) -> list[Value]:
    text = np.random.default_rng(7).choice(list(alphabet), int(lengths.sum()))
    return np.split(text, np.cumsum(lengths)[:-1])


def _text(lines: list[str]) -> Value:
    return _characters("\n".join(lines))


def _rucksacks(n: int) -> Value:
    """Lines whose halves have one letter in common."""
    made = []
    both = CAPITALS + CAPITALS.lower()
    r = random()
    for _ in range(n):
        order = r.permutation(list(both))
        k = int(r.integers(4, 20))
        first, second = r.choice(order[:26], k), r.choice(order[26:], k)
        second[r.integers(k)] = first[r.integers(k)]
        made.append("".join(first) + "".join(second))
    return _text(made)


def _calibration(n: int) -> Value:
    return _text([line + "7" for line in _lines("abcdefghijklmn0123456789", 3, 12, n)])


def _sentences(n: int) -> Value:
    return _text(_lines(CAPITALS.lower() + "   ", 20, 60, n))


def _boards(n: int) -> Value:
    """Sudokus, of which every tenth has a mistake."""
    r = random()
    base = (3 * (np.arange(9) % 3) + np.arange(9) // 3)[:, None] + np.arange(9)
    boards = np.stack([r.permutation(9)[base % 9] + 1 for _ in range(n)])
    boards[::10, 4, 4] = boards[::10, 4, 5]
    return boards.astype(np.int64)


def _orders(n: int) -> Arguments:
    """Customers, each with a region, and orders, each of a customer, with an amount."""
    customers = np.stack([1000 + random().permutation(5000), ints(1, 11, 5000)], 1)
    return customers, np.stack([np.random.default_rng(5).integers(1000, 6000, n), ints(1, 10000, n)], 1)


def _updates(n: int) -> Value:
    """A key of 20,000, and two numbers."""
    return np.stack(
        [np.concatenate([np.arange(20000), ints(0, 20000, n - 20000)]), ints(0, 99, n), np.arange(n)], 1
    )


def _calories(n: int) -> Value:
    return np.where(bits(0.2, n), 0, ints(1000, 70000, n))


def _triangle(n: int) -> Value:
    return np.tril(ints(1, 100, n, n))


M = 1_000_000
CODE_ROWS = (
    Row("utf8", "codes", lambda n: (_utf8(n),), 1000, 300_000, "int64", vector),
    Row("isbns", "codes", lambda n: (letters("0123456789X", n, 10),), 1000, 200_000, "int64"),
    Row("ibans", "codes", lambda n: (_ibans(n),), 200, 50_000, "int64"),
    Row("base64Decoded", "codes", lambda n: (_base64(n),), 500, 300_000, "int64", lambda n: (3 * n,)),
    Row("expanded", "codes", lambda n: (_counted(n),), 300, 90_000, "<U1", lambda n: (10 * n,)),
    Row("romans", "codes", lambda n: (_thousand(n),), 200, 50_000, "<U1", _romans),
    Row("morton", "codes", lambda n: (ints(0, 65536, n), ints(0, 65535, n)), 200, M, "int64", vector),
    Row(
        "partners",
        "texts",
        lambda n: (_brackets(n),),
        500,
        200_000,
        "int64",
        lambda n: _brackets(n).shape,
    ),
    Row("borders", "texts", lambda n: (letters("aaab", n),), 500, 500_000, "int64", vector),
    Row("prefixes", "texts", lambda n: (_sorted_words(n),), 200, 100_000, "int64", lambda n: (n - 1,)),
    Row("marker", "texts", lambda n: (letters("abcdefghijklm", n),), 300, 200_000, "int64"),
    Row("rucksacks", "texts", lambda n: (_rucksacks(n),), 100, 10_000, "int64"),
    Row("calibration", "texts", lambda n: (_calibration(n),), 100, 50_000, "int64"),
    Row("pangrams", "texts", lambda n: (_sentences(n),), 100, 20_000, "int64"),
    Row(
        "squeezed",
        "texts",
        lambda n: (np.array(list("ab  cde   fg h" * (n // 10))),),
        1000,
        M,
        "<U1",
        lambda n: (n // 10 * 11,),
    ),
    Row("divisorSums", "numbers", lambda n: (n,), 1000, 300_000, "int64", vector),
    Row("palindrome", "numbers", lambda n: (n,), 99, 999, "int64"),
    Row("kaprekar", "numbers", lambda n: (ints(1, 10000, n),), 500, 50_000, "int64", vector),
    Row("triples", "numbers", lambda n: (n,), 60, 1500, "int64"),
    Row("triangle", "numbers", lambda n: (_triangle(n),), 60, 1500, "int64"),
    Row("sudokus", "boards", lambda n: (_boards(n),), 50, 5000, "int64"),
    Row("sudokuUnits", "boards", lambda n: (_boards(n),), 50, 5000, "int64"),
    Row("brain", "boards", lambda n: (20, ints(0, 3, n, n)), 50, 500, "int64", square),
    Row("regionTotals", "tables", _orders, 5000, 500_000, "int64", lambda n: (10,)),
    Row("latest", "tables", lambda n: (_updates(n),), 25_000, 200_000, "int64", lambda n: (20_000, 3)),
    Row("occurrence", "tables", lambda n: (ints(0, 5000, n),), 10_000, 300_000, "int64", vector),
    Row("calories", "tables", lambda n: (_calories(n),), 1000, 500_000, "int64"),
    Row("digrams", "tables", lambda n: (letters(CAPITALS, n),), 1000, M, "int64", lambda n: (26, 26)),
    Row("diagnostic", "tables", lambda n: (bits(0.5, n, 12),), 500, 200_000, "int64"),
)
