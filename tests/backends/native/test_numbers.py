"""Numbers of large texts in C: the doubles that Python reads, to the last bit, and nothing that is none."""

import math
import random
import struct
from collections.abc import Iterator
from decimal import Decimal, localcontext

import numpy as np
import pytest

from aplc.backends.native.numbers import NumberLibrary, number_library


@pytest.fixture(scope="module")
def library() -> NumberLibrary:
    found = number_library()
    assert found is not None
    return found


def of_bits(bits: int) -> float:
    return float(struct.unpack("d", struct.pack("Q", bits))[0])


def tokens(rng: random.Random) -> Iterator[str]:
    """Numbers of every form: doubles of any size, long ones, those half-way between two doubles."""
    for _ in range(4000):
        yield repr(of_bits(rng.getrandbits(64)))
        whole = str(rng.getrandbits(rng.randrange(1, 90)))
        fraction = f".{rng.getrandbits(rng.randrange(1, 90))}" if rng.random() < 0.5 else ""
        yield whole + fraction + (f"e{rng.randrange(-400, 400)}" if rng.random() < 0.5 else "")
        low = of_bits(rng.getrandbits(63))
        high = math.nextafter(low, math.inf)
        if math.isfinite(high):
            with localcontext() as context:
                context.prec = 1100
                middle = (Decimal(low) + Decimal(high)) / 2
                yield str(middle)
                yield f"{middle:.{rng.randrange(15, 22)}e}"
        yield f"{rng.getrandbits(64)}e{rng.randrange(-30, 30)}"
    yield from ("0", "-0", "-0.0e5", "1e400", "-1e400", "1e-400", "4.9e-324", "2.4703282292062328e-324")
    yield from (
        "1" * 400,
        "0." + "0" * 400 + "1",
        "9007199254740993",
        "1e22",
        "1e23",
        "+5",
        "5.",
        ".5",
        "00012",
    )


def test_every_double(library: NumberLibrary) -> None:
    texts = [t for t in tokens(random.Random(5)) if "n" not in t]
    found = library.numbers(" ".join(texts).encode(), integers=False)
    expected = np.array([float(t) for t in texts])
    assert found is not None
    wrong = np.flatnonzero(found.view(np.int64) != expected.view(np.int64))
    assert [texts[k] for k in wrong[:5]] == []


def test_integers(library: NumberLibrary) -> None:
    rng = random.Random(6)
    numbers = [rng.randrange(-(10**17), 10**17) >> rng.randrange(57) for _ in range(2000)]
    found = library.numbers(",".join(map(str, numbers)).replace("-", "¯").encode(), integers=True)
    assert found is not None and found.tolist() == numbers
    assert library.numbers(b"1234567890123456789", integers=True) is None


@pytest.mark.parametrize(
    "content", ["", " ", "\n", "1", " 1 ", "1,2", "1 , 2", "1\r\n2", "¯1e¯2", "1 ,2\n,3"]
)
def test_what_it_reads(library: NumberLibrary, content: str) -> None:
    expected = [float(t.replace("¯", "-")) for t in content.replace(",", " ").split()]
    found = library.numbers(content.encode(), integers=False)
    assert found is not None and found.tolist() == expected


@pytest.mark.parametrize(
    "content",
    [",", "1,", ",1", "1,,2", "1x", "x", "1e", "1e+", "-", ".", "1.2.3", "1-2", "--1", "[1]", "inf"],
)
def test_what_it_leaves_to_others(library: NumberLibrary, content: str) -> None:
    assert library.numbers(content.encode(), integers=False) is None
    assert library.numbers(f"1 {content}".encode(), integers=True) is None or content in (",1",)


def test_texts_end_where_they_end(library: NumberLibrary) -> None:
    """Nothing behind the end is read, a zero or not."""
    assert library.numbers(b"1 2\x003", integers=False) is None
    for length in range(1, 20):
        found = library.numbers(b"1234.5678e-2"[:length], integers=False)
        text = b"1234.5678e-2"[:length].decode()
        assert (found is None) == text.endswith(("e", "-"))


def test_tables_that_it_leaves_to_others(library: NumberLibrary) -> None:
    for content, kinds in (
        (b"1,2\n3", [2]), (b"1,\n", [2]), (b'"1",2', [2]), (b'"a,b",2', [0, 2]), (b"1,2", [2, 2, 2]),
        (b"1,2,3", [2, 2]), (b"1 2,3", [2]), (b"1,x", [2]),
    ):  # fmt: skip
        assert library.table(content, kinds) is None, content
    found = library.table(b"a,1,\nb,x,3\n", [0, 4, 4])
    assert found is not None and found.tolist() == [[1, 0], [0, 3]]
    assert library.table(b"a,b\nc,d", [0]) is None
