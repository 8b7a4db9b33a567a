"""How `records` makes vectors of records: field by field, item by item, in loops, by recursion or by keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.support.plain_apl import mixed as m
from tests.support.plain_apl.array import A, ints, scalar
from tests.support.plain_apl.array import vector as simple
from tests.support.plain_apl.mixed import M
from tests.support.plain_apl.nested import N
from tests.support.tier1.expressions import Gen

Work = Callable[[Any], Any]
Change = tuple[str, Work]
Fields = tuple[str, ...]
"""What a record has: of each field a word of `_VALUES`."""
Made = tuple[str, M, Fields]
MOST = 80
TEXTS = ("ann", "bob", "", "cy", "ab", "abc", "bb")
FIELDS: tuple[Fields, ...] = (
    ("text", "number"),
    ("text", "number", "real"),
    ("number", "text"),
    ("text", "numbers"),
    ("number", "numbers", "text"),
    ("letter", "number"),
    ("text", "number", "text"),
    ("text", "words"),
    ("number", "record"),
    ("record", "text"),
    ("number", "real", "letter"),
)


def _text(gen: Gen) -> A:
    return simple("char", list(gen.pick(TEXTS)))


def _number(gen: Gen) -> A:
    return scalar(gen.pick((2, 3, 5, -1, 7, 4, 12, -3)))


def _words(gen: Gen) -> N:
    words = [_text(gen) for _ in range(2 + gen.below(2))]
    return N("char", (1, 1), (len(words),), tuple(words))


_VALUES: dict[str, Callable[[Gen], Any]] = {
    "text": _text,
    "number": _number,
    "real": lambda gen: A("double", (), (gen.pick((0.5, 2.25, -1.5, 4.5)),)),
    "letter": lambda gen: A("char", (), (gen.pick("abcx"),)),
    "numbers": lambda gen: ints(*[gen.pick((2, 3, -1, 7)) for _ in range(gen.pick((2, 3, 0, 4)))]),
    "words": _words,
    "record": lambda gen: m.vector([_text(gen), _number(gen)]),
}


def spelt(gen: Gen, value: Any) -> str:
    """A value as the text of an item of a strand."""
    if isinstance(value, A):
        text = gen.leaf(value).guarded
        return f"({text})" if value.rank and value.kind != "char" and text[0] != "(" else text
    return f"({' '.join([spelt(gen, item) for item in value.items])})"


def new_record(gen: Gen, fields: Fields) -> M:
    return m.vector([_VALUES[field](gen) for field in fields])


def _records(gen: Gen, fields: Fields, count: int) -> list[M]:
    """So many records, of which some are equal."""
    found: list[M] = []
    for _ in range(count):
        found.append(gen.pick(found) if found and gen.chance(4) else new_record(gen, fields))
    return found


# --- made -------------------------------------------------------------------------------------------------


def _strand(gen: Gen) -> Made:
    fields = gen.pick(FIELDS)
    rows = _records(gen, fields, 2 + gen.below(3))
    return "".join([spelt(gen, row) for row in rows]), m.vector(rows), fields


def _one(gen: Gen) -> Made:
    fields = gen.pick(FIELDS)
    row = new_record(gen, fields)
    return f",⊂{spelt(gen, row)}", m.vector([row]), fields


def _nothing(gen: Gen) -> Made:
    fields = gen.pick(FIELDS)
    return f"0⍴⊂{spelt(gen, new_record(gen, fields))}", m.vector([]), fields


def _columns(gen: Gen) -> Made:
    """Names and numbers, side by side."""
    count = gen.below(4)
    names, numbers = [_text(gen) for _ in range(count)], [_number(gen) for _ in range(count)]
    letters = gen.leaf(simple("char", [x for name in names for x in [";", *name.data]])).guarded
    others = gen.leaf(ints(*[k.data[0] for k in numbers])).guarded
    text = f"({{1↓¨(⍵=';')⊂⍵}}{letters}){{⍺ ⍵}}¨{others}"
    return text, m.vector([m.vector(pair) for pair in zip(names, numbers, strict=True)]), ("text", "number")


def _counts(gen: Gen, most: int = 4) -> tuple[str, list[int]]:
    counts = [1 + gen.below(4) for _ in range(gen.below(most))]
    return gen.leaf(ints(*counts)).guarded, counts


def of_fields(*fields: Any) -> M:
    return m.vector(fields)


def chars(text: str) -> A:
    return simple("char", list(text))


def _repeated(text: str, count: int) -> A:
    return chars((text * count)[:count])


def _each(gen: Gen) -> Made:
    """Records that a function makes of numbers."""
    given, counts = _counts(gen)
    ways: list[tuple[str, Fields, Callable[[int], Sequence[Any]]]] = [
        ("(⍵⍴'ab')⍵", ("text", "number"), lambda k: (_repeated("ab", k), scalar(k))),
        ("(⍵×⍵)(⍵⍴'xyz')", ("number", "text"), lambda k: (scalar(k * k), _repeated("xyz", k))),
        ("('k',⍕⍵)(⍳⍵)", ("text", "numbers"), lambda k: (chars("k" + str(k)), ints(*range(1, k + 1)))),
        ("⍵>2:(⍕⍵)⍵ ⋄ (⍵⍴'no')(-⍵)", ("text", "number"), _told),
        (
            "a←⍵⍴'pq' ⋄ b←≢a ⋄ a b(b÷2)",
            ("text", "number", "real"),
            lambda k: (_repeated("pq", k), scalar(k), _half(k)),
        ),
    ]  # fmt: skip
    body, fields, work = gen.pick(ways)
    return f"{{{body}}}¨{given}", m.vector([m.vector(work(k)) for k in counts]), fields


def _told(k: int) -> Sequence[A]:
    return (simple("char", list(str(k))), scalar(k)) if k > 2 else (_repeated("no", k), scalar(-k))


def _half(k: int) -> A:
    return A("double", (), (k / 2,))


def _numbered(n: int) -> M:
    return m.vector([m.vector([simple("char", ["q"] * k), scalar(k)]) for k in range(1, n + 1)])


def _grown(gen: Gen) -> Made:
    """Records made one after the other, in a loop, by recursion, or in a name of outside."""
    count = gen.below(4)
    given = gen.leaf(scalar(count)).guarded
    text = gen.pick(
        (
            f"({{⍵,⊂((1+≢⍵)⍴'q')(1+≢⍵)}}⍣{given})0⍴⊂'' 0",
            f"⌽{{⍵≤0:0⍴⊂'' 0 ⋄ (⊂(⍵⍴'q')⍵),∇⍵-1}}{given}",
            f"{given}{{⍺≤≢⍵:⍵ ⋄ ⍺∇⍵,⊂((1+≢⍵)⍴'q')(1+≢⍵)}}0⍴⊂'' 0",
            f"{{r←0⍴⊂'' 0 ⋄ r⊣{{r,←⊂(⍵⍴'q')⍵ ⋄ 0}}¨⍳⍵}}{given}",
        )
    )
    return text, _numbered(count), ("text", "number")


def _keyed(gen: Gen) -> Made:
    """What there is of each letter or number."""
    kind = gen.pick(("char", "int"))
    value = gen.elements(kind, (1 + gen.below(5),))
    different = list(dict.fromkeys(value.data))
    places = [[k + 1 for k, y in enumerate(value.data) if y == x] for x in different]
    ways: list[tuple[str, str, str, Callable[[list[int]], A]]] = [
        ("char", "(≢⍵)", "number", lambda at: scalar(len(at))),
        ("char", "⍵", "numbers", lambda at: ints(*at)),
        ("int", "('k',⍕≢⍵)", "text", lambda at: chars(f"k{len(at)}")),
    ]
    _, text, field, work = gen.pick([way for way in ways if way[0] == kind])
    rows = [of_fields(A(kind, (), (x,)), work(at)) for x, at in zip(different, places, strict=True)]
    key = "letter" if kind == "char" else "number"
    return f"{{⊂⍺ {text}}}⌸{gen.leaf(value).text}", m.vector(rows), (key, field)


def _table_rows(gen: Gen) -> Made:
    """The rows of a table."""
    text, value, fields = _strand(gen)
    return f"↓↑{text}", value, fields


MAKERS: tuple[Callable[[Gen], Made], ...] = (
    _strand, _strand, _strand, _one, _nothing, _columns, _each, _grown, _keyed, _table_rows,
)  # fmt: skip


def made_of_records(gen: Gen) -> Made:
    text, value, fields = gen.pick(MAKERS)(gen)
    if not gen.chance(3):
        return text, value, fields
    name = gen.fresh("r")
    gen.statements.append(f"{name}←{text}")
    return name, value, fields
