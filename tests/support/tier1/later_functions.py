"""The productions of `tier1_programs` with `@ ⌸ ⌺`, inverses and complex numbers, entered into `tier1.table`.

Complex numbers are made of whole parts and end in a part or in a comparison, so that all of it is exact and
the elements of every result are of a kind that `plain_apl` has.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.support.plain_apl.array import A, build, indices, vector
from tests.support.tier1.expressions import E, Gen, Want, literal
from tests.support.tier1.table import entry

WHOLE = Want(("int",), (1,), True, lambda a: all(-1000 < x < 1000 for x in a.data))
SOME = Want(("int",), (1,), True, lambda a: len(a.data) > 0 and all(-1000 < x < 1000 for x in a.data))
TABLE = Want(("int",), (2,), True, lambda a: len(a.data) > 0 and all(-1000 < x < 1000 for x in a.data))
DIGITS = Want(("int",), (0,), True, lambda a: 0 < a.data[0] < 10**9)


# --- at ---------------------------------------------------------------------------------------------------


@entry("@", "indices")
def _at_indices(gen: Gen, depth: int, symbol: str) -> E:
    """`(new@places)v` with different places"""
    e = gen.operand(depth - 1, SOME)
    n = len(e.value.data)
    places = sorted({gen.below(n) for _ in range(1 + gen.below(3))})
    at, new = vector("int", [k + 1 for k in places]), gen.elements("int", (len(places),))

    def work() -> A:
        data = list(e.value.data)
        for k, value in zip(places, new.data, strict=True):
            data[k] = value
        return vector("int", data)

    return gen.made(f"({gen.leaf(new).guarded}@{gen.leaf(at).guarded}){e.text}", work, e)


@entry("@", "mask")
def _at_mask(gen: Gen, depth: int, symbol: str) -> E:
    """`(f@{⍵>k})a`"""
    e = gen.operand(depth - 1, Want(("int",), (1, 2, 3), True, WHOLE.test))
    text, change = gen.pick(CHANGES)
    limit = gen.below(7) - 2

    def work() -> A:
        return A("int", e.value.shape, tuple([change(x) if x > limit else x for x in e.value.data]))

    return gen.made(f"({text}@{{⍵>{_spelt(limit)}}}){e.text}", work, e)


CHANGES: list[tuple[str, Callable[[int], int]]] = [
    ("0", lambda x: 0),
    ("-", lambda x: -x),
    ("(3∘+)", lambda x: 3 + x),
    ("{⍵×⍵}", lambda x: x * x),
]


def _spelt(number: int) -> str:
    return str(number).replace("-", "¯")


# --- key and stencil --------------------------------------------------------------------------------------


@entry("⌸", "places")
def _key_of_places(gen: Gen, depth: int, symbol: str) -> E:
    """`{⍺,≢⍵}⌸v` and the like: what comes of the places of each different element"""
    e = gen.operand(depth - 1, SOME)
    text, row = gen.pick(OF_PLACES)

    def work() -> A:
        groups: dict[int, list[int]] = {}
        for place, x in enumerate(e.value.data, start=1):
            groups.setdefault(x, []).append(place)
        return _rows([row(key, places) for key, places in groups.items()])

    return gen.made(f"{text}⌸{e.text}", work, e)


Row = Callable[[int, list[int]], tuple[int, ...] | int]
OF_PLACES: list[tuple[str, Row]] = [
    ("{⍺,≢⍵}", lambda key, places: (key, len(places))),
    ("{≢⍵}", lambda key, places: len(places)),
    ("{⍺,⊃⍵}", lambda key, places: (key, places[0])),
    ("{+/⍵}", lambda key, places: sum(places)),
]
OF_ITEMS: list[tuple[str, Row]] = [
    ("{⍺,+/⍵}", lambda key, items: (key, sum(items))),
    ("{⌈/⍵}", lambda key, items: max(items)),
    ("{⍺,(≢⍵),⊃⌽⍵}", lambda key, items: (key, len(items), items[-1])),
]


def _rows(rows: list[tuple[int, ...] | int]) -> A:
    if isinstance(rows[0], int):
        return vector("int", rows)
    width = len(rows[0])
    return A("int", (len(rows), width), tuple([x for row in rows if isinstance(row, tuple) for x in row]))


@entry("⌸", "items")
def _key_of_items(gen: Gen, depth: int, symbol: str) -> E:
    """`keys{⍺,+/⍵}⌸items`"""
    e = gen.operand(depth - 1, SOME)
    keys = gen.elements("int", e.value.shape)
    text, row = gen.pick(OF_ITEMS)

    def work() -> A:
        groups: dict[int, list[int]] = {}
        for key, item in zip(keys.data, e.value.data, strict=True):
            groups.setdefault(key, []).append(item)
        return _rows([row(key, items) for key, items in groups.items()])

    return gen.made(f"{gen.leaf(keys).guarded}{text}⌸{e.text}", work, e)


WINDOWS: list[tuple[str, Callable[[list[int]], int]]] = [
    ("{+/,⍵}", sum),
    ("{⌈/,⍵}", max),
    ("{(+/,⍵)-⊃,⍵}", lambda items: sum(items) - items[0]),
]


@entry("⌺", "windows")
def _stencil(gen: Gen, depth: int, symbol: str) -> E:
    """`{+/,⍵}⌺3⊢v` and `{+/,⍵}⌺3 5⊢m`: zeros stand beyond the ends"""
    e = gen.operand(depth - 1, gen.pick((SOME, TABLE)))
    sizes = [gen.pick((3, 1, 5)) for _ in e.value.shape]
    text, of = gen.pick(WINDOWS)

    def window(at: tuple[int, ...]) -> int:
        items = []
        for offsets in indices(tuple(sizes)):
            where = [i + d - n // 2 for i, d, n in zip(at, offsets, sizes, strict=True)]
            inside = all(0 <= k < n for k, n in zip(where, e.value.shape, strict=True))
            items.append(e.value.at(where) if inside else 0)
        return of(items)

    shown = " ".join(map(str, sizes))
    return gen.made(f"({text}⌺{shown}){e.text}", lambda: build("int", e.value.shape, window), e)


# --- inverses ---------------------------------------------------------------------------------------------


@entry("⍣", "inverse")
def _inverse(gen: Gen, depth: int, symbol: str) -> E:
    """What undoes arithmetic with whole numbers, and a scan."""
    e = gen.operand(depth - 1, WHOLE)
    text, undo = gen.pick(UNDONE)
    return gen.made(f"({text}⍣¯1){e.text}", lambda: vector("int", undo(list(e.value.data))), e)


def _differences(numbers: list[int]) -> list[int]:
    return [b - a for a, b in zip([0, *numbers], numbers, strict=False)]


UNDONE: list[tuple[str, Callable[[list[int]], list[int]]]] = [
    ("(3∘+)", lambda v: [x - 3 for x in v]),
    ("(5∘-)", lambda v: [5 - x for x in v]),
    ("(-∘2)", lambda v: [x + 2 for x in v]),
    ("(+\\)", _differences),
    ("⌽", lambda v: v[::-1]),
    ("((2∘+)∘-)", lambda v: [2 - x for x in v]),
    ("(4+⊢)", lambda v: [x - 4 for x in v]),
]


@entry("⍣", "digits")
def _digits(gen: Gen, depth: int, symbol: str) -> E:
    """`10⊥⍣¯1⊢n`"""
    e, base = gen.operand(depth - 1, DIGITS), gen.pick((10, 2, 7))

    def work() -> A:
        rest, digits = int(e.value.data[0]), list[int]()
        while rest:
            digits.append(rest % base)
            rest //= base
        return vector("int", digits[::-1])

    return gen.made(f"{base}(⊥⍣¯1){e.text}", work, e)


# --- complex numbers --------------------------------------------------------------------------------------


@entry("J", "arithmetic")
def _complex(gen: Gen, depth: int, symbol: str) -> E:
    """Whole parts, a sum, a difference or a product with a constant, and what of it is a real number."""
    e = gen.operand(depth - 1, Want(("int",), (0, 1, 2), True, WHOLE.test))
    other = gen.leaf(gen.elements("int", e.value.shape))
    a, b = gen.below(7) - 3, gen.below(7) - 3
    sign, compute = gen.pick(ARITHMETIC)
    text, kind, part = gen.pick(REAL)

    def work() -> A:
        pairs = zip(e.value.data, other.value.data, strict=True)
        numbers = [part(compute(complex(x, y), complex(a, b))) for x, y in pairs]
        return A(kind, e.value.shape, tuple(numbers))

    name = gen.fresh("z")
    number = f"{name}{sign}{_spelt(a)}J{_spelt(b)}"
    whole = f"{{{name}←⍵+0J1×{other.guarded} ⋄ {text.format(number)}}}{e.text}"
    return gen.made(whole, work, e)


ARITHMETIC: list[tuple[str, Callable[[complex, complex], complex]]] = [
    ("+", lambda z, w: z + w),
    ("-", lambda z, w: z - w),
    ("×", lambda z, w: z * w),
]
REAL: list[tuple[str, str, Callable[[complex], float | bool]]] = [
    ("9○{}", "double", lambda z: z.real),
    ("11○{}", "double", lambda z: z.imag + 0.0),
    ("9○(+⍨){}", "double", lambda z: 2 * z.real),
    ("11○+{}", "double", lambda z: -z.imag + 0.0),
    ("2J1={}", "bool", lambda z: z == 2 + 1j),
    ("0≠{}", "bool", lambda z: z != 0),
]


@entry("J", "sums")
def _complex_sum(gen: Gen, depth: int, symbol: str) -> E:
    """The sum of a vector of complex numbers, or its product with itself, as the parts of one."""
    e = gen.operand(depth - 1, WHOLE)
    text, total = gen.pick(TOTALS)

    def work() -> A:
        result = total([complex(x, -x) for x in e.value.data])
        return vector("double", [result.real + 0.0, result.imag + 0.0])

    return gen.made(f"{{z←{text}⍵×1J¯1 ⋄ (9○z),11○z}}{e.text}", work, e)


TOTALS: list[tuple[str, Callable[[list[complex]], complex]]] = [
    ("+/", sum),
    ("+.×⍨", lambda v: sum([z * z for z in v])),
    ("⊃⌽0,+\\", sum),
]


@entry("J", "search")
def _complex_search(gen: Gen, depth: int, symbol: str) -> E:
    """Where complex numbers stand first among others."""
    e = gen.operand(depth - 1, WHOLE)
    wanted = gen.below(5) - 1

    def work() -> A:
        places = [complex(x, 2) for x in e.value.data]
        number = complex(wanted, 2)
        return vector("int", [places.index(number) + 1 if number in places else len(places) + 1])

    return gen.made(f"{{(⍵+0J2)⍳,{_spelt(wanted)}J2}}{e.text}", work, e, literal(vector("int", [wanted])))
