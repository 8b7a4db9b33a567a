"""Arrays of arrays for `nested` that loops, recursion and keys make and change, step by step.

MAKERS                     arrays of arrays that grow from numbers
keeping(gen, value)        what keeps the type: the text in front of a vector of items, and what it does
by_statements(gen, made)   what a function with control structures makes of a vector of items
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl import nested as n
from tests.support.plain_apl.array import A, ints, scalar, vector
from tests.support.plain_apl.nested import N
from tests.support.tier1.expressions import Gen, Retry

Change = tuple[str, Callable[[Any], Any]]
Nested = tuple[str, N]
Items = list[Any]


def _vectors(kind: str, items: Sequence[Any]) -> N:
    return N(kind, (1, 1), (len(items),), tuple(items))


def _count(gen: Gen, most: int) -> tuple[str, int]:
    """A number that may be known only to the run."""
    k = gen.below(most)
    return gen.leaf(scalar(k)).guarded, k


# --- made -------------------------------------------------------------------------------------------------


def _numbered(gen: Gen, depth: int) -> Nested:
    """`⍳1`, `⍳2`, …, one after the other."""
    text, k = _count(gen, 5)
    way = gen.pick(
        (
            "{⍵≤0:0⍴⊂⍬ ⋄ (∇⍵-1),⊂⍳⍵}",
            "⌽{⍵≤0:0⍴⊂⍬ ⋄ (⊂⍳⍵),∇⍵-1}",
            "{r←0⍴⊂⍬ ⋄ r⊣{r,←⊂⍳⍵ ⋄ 0}¨⍳⍵}",
            "1↓{({⍵,⊂(⊃⌽⍵),≢⍵}⍣⍵),⊂⍬}",
            "{⍵{⍺≤≢⍵:⍵ ⋄ ⍺∇⍵,⊂⍳1+≢⍵}0⍴⊂⍬}",
        )
    )
    return f"{way}{text}", _vectors("int", [ints(*range(1, i + 1)) for i in range(1, k + 1)])


def _texts(gen: Gen, depth: int) -> Nested:
    """Texts of growing length, an empty one before."""
    text, k = _count(gen, 4)
    items = [vector("char", [c for c, _ in zip("ababab", range(i), strict=False)]) for i in range(k + 1)]
    return f"{{⍵≤0:,⊂'' ⋄ (∇⍵-1),⊂⍵⍴'ab'}}{text}", _vectors("char", items)


def _subsets(gen: Gen, depth: int) -> Nested:
    """All that can be left of a vector."""
    some = gen.elements(gen.pick(("int", "char")), (gen.below(4),))
    none = "''" if some.kind == "char" else "⍬"
    items: list[list[Any]] = [[]]
    for x in reversed(some.data):
        items = [*items, *[[x, *item] for item in items]]
    text = f"{{0=≢⍵:,⊂{none} ⋄ r←∇1↓⍵ ⋄ r,(⊃⍵),¨r}}{gen.leaf(some).guarded}"
    return text, _vectors(some.kind, [vector(some.kind, item) for item in items])


def _halves(gen: Gen, depth: int) -> Nested:
    """The parts that cutting a vector in two again and again ends with."""
    some = gen.elements(gen.pick(("int", "char", "double")), (gen.below(6),))

    def parts(data: Sequence[Any]) -> list[Sequence[Any]]:
        half = len(data) // 2
        return [data] if len(data) < 3 else [*parts(data[:half]), *parts(data[half:])]

    text = f"{{3>≢⍵:,⊂,⍵ ⋄ h←⌊2÷⍨≢⍵ ⋄ (∇h↑⍵),∇h↓⍵}}{gen.leaf(some).guarded}"
    return text, _vectors(some.kind, [vector(some.kind, part) for part in parts(some.data)])


def _triangles(gen: Gen, depth: int) -> Nested:
    """Three deep: `⍳1`, then `(⍳1)(⍳2)`, and so on."""
    text, k = _count(gen, 4)
    rows = [_vectors("int", [ints(*range(1, j + 1)) for j in range(1, i + 1)]) for i in range(1, k + 1)]
    way = gen.pick(("{,\\¨⍳¨⍳⍵}", "{{⍳¨⍳⍵}¨⍳⍵}", "{r←0⍴⊂0⍴⊂⍬ ⋄ r⊣{r,←⊂⍳¨⍳⍵ ⋄ 0}¨⍳⍵}"))
    return f"{way}{text}", N("int", (1, 1, 1), (k,), tuple(rows))


MAKERS: list[Callable[[Gen, int], Nested]] = [_numbered, _texts, _subsets, _halves, _triangles]


# --- what keeps the type ----------------------------------------------------------------------------------


def keeping(gen: Gen, value: N) -> list[Change]:
    """Loops and recursion over the items of a vector, and keys that are arrays."""
    if value.rank != 1:
        return []
    text, k = _count(gen, 4)
    found: list[tuple[str, Callable[[Items], Items]]] = [
        # a state of several parts
        (f"{{⊃({{(a b)←⍵ ⋄ (⌽a)(b,1↑a)}}⍣{text})⍵ ⍵}}", lambda x: x[::-1] if k % 2 else x),
        (f"{{⊃⌽({{(a b)←⍵ ⋄ b(1⌽a)}}⍣{text})⍵(⌽⍵)}}", lambda x: _exchanged(x, k)),
        (f"{{⊃({{(a i)←⍵ ⋄ (1⌽a)(i+1)}}⍣{text})⍵ 0}}", lambda x: _turned(x, k)),
        ("{({1↓⍵}⍣{2≥≢⍺})⍵}", lambda x: x[1:] if len(x) < 3 else x[-2:]),
        ("{({2>≢⍵:⍵ ⋄ ¯1↓⍵}⍣≡)⍵}", lambda x: x[:1]),
        # recursion
        ("{1≥≢⍵:⍵ ⋄ h←⌊2÷⍨≢⍵ ⋄ (∇h↓⍵),∇h↑⍵}", lambda x: x[::-1]),
        ("{1≥≢⍵:⍵ ⋄ t←≢¨⍵ ⋄ p←⊃t ⋄ (∇(t<p)/⍵),((t=p)/⍵),∇(t>p)/⍵}", lambda x: sorted(x, key=_tally)),
        ("{0=≢⍵:⍵ ⋄ (1↑⍵),∇⌽1↓⍵}", _from_both_ends),
        # assignments
        ("{t←⍵ ⋄ t⊣{t[⍵]←t[1+(≢t)-⍵] ⋄ 0}¨⍳≢t}", _mirrored),
        ("{t←⍵ ⋄ t⊣{(⍵↑t)←⌽⍵↑t ⋄ 0}¨⍳≢t}", _prefixes_reversed),
        ("{t←⍵ ⋄ (1↓t)←¯1↓t ⋄ t}", lambda x: [*x[:1], *x[:-1]]),
        ("{t←⍵ ⋄ t⊣{t,←t[⍵] ⋄ 0}¨⍳≢t}", lambda x: [*x, *x]),
        ("{t←0⍴⍵ ⋄ t⊣{t⊢←(⊂⍵),t}¨⍵}", lambda x: x[::-1]),
        # keys
        ("{⍵{⊂⊃⍵}⌸⍵}", _different),
        ("{⊃,/⍵{⊂⍵}⌸⍵}", _gathered),
    ]
    changes: list[Change] = [(t, lambda x, work=work: _as(x, work(list(x.items)))) for t, work in found]
    if not value.items:
        changes = [c for c in changes if "⌸" not in c[0]]
    changes.append((f"{{⊃({{(a i)←⍵ ⋄ ((i↓a),i↑a)(i+1)}}⍣{text})⍵ 0}}", lambda x: _cut_and_filled(x, k)))
    if value.items:
        changes += _assignments(gen, value)
    if value.ranks == (1, 1):
        changes += _of_vectors(gen, value)
    return changes


def _as(x: N, items: Items) -> N:
    return N(x.kind, x.ranks, (len(items),), tuple(items))


def _tally(item: A | N) -> int:
    return item.shape[0] if item.shape else 1


def _turned(x: Items, k: int) -> Items:
    k = k % len(x) if x else 0
    return [*x[k:], *x[:k]]


def _cut_and_filled(x: N, rounds: int) -> N:
    for k in map(scalar, range(rounds)):
        x = n.arranged(x, lambda y, k=k: p.DYADIC[","](p.DYADIC["↓"](k, y), p.DYADIC["↑"](k, y)))
    return x


def _exchanged(x: Items, k: int) -> Items:
    a, b = x, x[::-1]
    for _ in range(k):
        a, b = b, _turned(a, 1)
    return b


def _from_both_ends(x: Items) -> Items:
    return [x[0], *_from_both_ends(x[:0:-1])] if x else []


def _mirrored(x: Items) -> Items:
    for k in range(len(x)):
        x[k] = x[len(x) - 1 - k]
    return x


def _prefixes_reversed(x: Items) -> Items:
    for k in range(1, len(x) + 1):
        x[:k] = x[:k][::-1]
    return x


def _different(x: Items) -> Items:
    found: Items = []
    for item in x:
        if not any(n.equal(item, other) for other in found):
            found.append(item)
    return found


def _gathered(x: Items) -> Items:
    return [item for each in _different(x) for item in x if n.equal(item, each)]


def _assignments(gen: Gen, value: N) -> list[Change]:
    """Selective assignments where there are items."""
    size = len(value.items)
    mask = [gen.below(2) for _ in range(size)]
    k = 1 + gen.below(size)
    given, place = gen.leaf(ints(*mask)).guarded, gen.leaf(scalar(k)).guarded
    chosen = [i for i in range(size) if mask[i]]

    def masked(x: N) -> N:
        items = list(x.items)
        for i, source in zip(chosen, reversed(chosen), strict=True):
            items[i] = x.items[source]
        return _as(x, items)

    def prefix(x: N) -> N:
        return _as(x, [x.items[-1]] * k + list(x.items[k:]))

    def suffix(x: N) -> N:
        return _as(x, [*x.items[: size - k], *x.items[:k]])

    found: list[Change] = [
        (f"{{t←⍵ ⋄ ({place}↑t)←⊂⊃⌽t ⋄ t}}", prefix),
        (f"{{t←⍵ ⋄ ((-{place})↑t)←{place}↑t ⋄ t}}", suffix),
        (f"{{t←⍵ ⋄ t⊣{{({place}⊃t)←⍵}}¨⍵}}", lambda x: _replaced(x, k - 1, x.items[-1])),
        (f"{{t←⍵ ⋄ u←({place}⊃t) ⋄ t[{place}]←t[1] ⋄ t[1]←⊂u ⋄ t}}", lambda x: _swapped(x, k - 1)),
    ]
    if size > 1:
        found.append((f"{{t←⍵ ⋄ ({given}/t)←⌽{given}/t ⋄ t}}", masked))
    return found


def _replaced(x: N, k: int, item: Any) -> N:
    return _as(x, [*x.items[:k], item, *x.items[k + 1 :]])


def _swapped(x: N, k: int) -> N:
    return _replaced(_replaced(x, k, x.items[0]), 0, x.items[k])


def _of_vectors(gen: Gen, value: N) -> list[Change]:
    """What a loop does to each of the vectors."""
    kind = value.kind

    def each(work: Callable[[A], A]) -> Callable[[Any], Any]:
        return lambda x: _vectors(kind, [work(item) for item in x.items])

    text, k = _count(gen, 4)
    found: list[Change] = [
        ("{t←⍵ ⋄ t⊣{(⍵⊃t)←⌽⍵⊃t ⋄ 0}¨⍳≢t}", each(p.MONADIC["⌽"])),
        ("{t←⍵ ⋄ t⊣{t[⍵]←⊂1↓⍵⊃t ⋄ 0}¨⌽⍳≢t}", each(lambda x: vector(kind, x.data[1:]))),
        ("{t←⍵ ⋄ t⊣{(⍵⊃t),←⍵⊃⌽t ⋄ 0}¨⍳≢t}", _fed_from_behind),
        ("{({∪⍵,⌽¨⍵}⍣≡)⍵}", lambda x: _as(x, _different([*x.items, *map(p.MONADIC["⌽"], x.items)]))),
        ("{({(0<≢¨⍵)/1↓¨⍵}⍣≡)⍵}", lambda x: _vectors(kind, [])),
        (f"{{⊃({{(a i)←⍵ ⋄ (a,⊂i⍴⊃a)(i+1)}}⍣{text})⍵ 0}}", lambda x: _grown(x, k)),
        (f"{{⊃({{(a s)←⍵ ⋄ (s,¨a)(⌽s)}}⍣{text})⍵(⊂⊃⍵)}}" if value.items else "⌽⌽", lambda x: _led(x, k)),
        ("{⍵{⊂∊⍵}⌸⍵}", _gathered_and_joined),
    ]
    if not value.items:
        found = found[:5]
    if value.items and all(item.data for item in value.items):
        x = A(kind, (), (gen.element(kind),))
        new = gen.leaf(x)
        if not (kind == "bool" or new.is_bit):
            found.append(
                (
                    f"{{t←⍵ ⋄ t⊣{{((⍵,1)⊃t)←{new.text} ⋄ 0}}¨⍳≢t}}",
                    each(lambda item: vector(kind, [x.data[0], *item.data[1:]])),
                )
            )
    return found


def _fed_from_behind(x: N) -> N:
    items = list(x.items)
    for k in range(len(items)):
        items[k] = p.DYADIC[","](items[k], items[len(items) - 1 - k])
    return _vectors(x.kind, items)


def _grown(x: N, k: int) -> N:
    first = x.items[0] if x.items else n.without(x.kind, (1,))
    return _vectors(x.kind, [*x.items, *[p.DYADIC["⍴"](scalar(i), first) for i in range(k)]])


def _led(x: N, k: int) -> N:
    lead = x.items[0]
    items = [vector(x.kind, [*lead.data * k, *item.data]) for item in x.items]
    return _vectors(x.kind, items)


def _gathered_and_joined(x: N) -> N:
    groups = [[x.items[k - 1] for k in group] for group in n.groups(x)]
    return _vectors(x.kind, [vector(x.kind, [y for item in group for y in item.data]) for group in groups])


# --- functions with control structures --------------------------------------------------------------------


def by_statements(gen: Gen, made: Nested) -> Nested:
    """The items as a function of several lines leaves them."""
    text, value = made
    if value.rank != 1:
        raise Retry
    ways: list[tuple[Sequence[str], Callable[[Items], Items]]] = [
        (("r←0⍴x", ":For i :In x", "  r,←⊂i", ":EndFor"), lambda x: x),
        (("r←0⍴x", ":For i :In x", "  r←(⊂i),r", ":EndFor"), lambda x: x[::-1]),
        (("r←x", ":For i :In ⍳⌊2÷⍨≢r", "  r[i,1+(≢r)-i]←r[(1+(≢r)-i),i]", ":EndFor"), lambda x: x[::-1]),
        (("r←x", ":While 3<≢r", "  r←1↓r", ":EndWhile"), lambda x: x[-3:]),
        (("r←x", ":Repeat", "  r←1⌽r", "  i←i+1", ":Until i≥2"), lambda x: _turned(x, 2)),
        (
            ("r←0⍴x", ":For i :In x", "  :If 1<≢i", "    r,←⊂i", "  :EndIf", ":EndFor"),
            lambda x: [item for item in x if _tally(item) > 1],
        ),
        (
            ("r←x", ":For i :In ⍳≢r", "  :If 1≥≢i⊃r", "    r[i]←r[1]", "  :EndIf", ":EndFor"),
            lambda x: [item if _tally(item) > 1 else x[0] for item in x],
        ),
        (("r←x", ":If 2<≢x", "  r←2↑x", ":Else", "  r,←⌽x", ":EndIf"), _two_or_doubled),
    ]
    lines, work = gen.pick(ways)
    name = gen.fresh("f")
    first = ["  i←0"] if "i←i+1" in "".join(lines) else []
    gen.statements.append("\n".join([f"∇ r←{name} x;i", *first, *[f"  {line}" for line in lines], "∇"]))
    return f"{name} {text}", _as(value, work(list(value.items)))


def _two_or_doubled(x: Items) -> Items:
    return x[:2] if len(x) > 2 else [*x, *x[::-1]]
