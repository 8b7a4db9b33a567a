"""The productions of `tier1_programs` with operators, entered into `tier1.table`."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl import operators as o
from tests.support.plain_apl.array import A, AplError, NotTier1, scalar
from tests.support.plain_apl.operators import F
from tests.support.tier1 import arrays as tier1_arrays  # noqa: F401  for its entries
from tests.support.tier1 import later_functions as tier1_later_functions  # noqa: F401  for its entries
from tests.support.tier1 import loops as tier1_loops  # noqa: F401  for its entries
from tests.support.tier1 import nested as tier1_nested  # noqa: F401  for its entries
from tests.support.tier1 import outer_names as tier1_outer_names  # noqa: F401  for its entries
from tests.support.tier1 import records as tier1_records  # noqa: F401  for its entries
from tests.support.tier1.expressions import (
    ANYTHING,
    EXACT,
    NUMBERS,
    E,
    Ended,
    Gen,
    Retry,
    Want,
    literal,
    ranks_are_known,
)
from tests.support.tier1.table import ENTRIES, entry, small


def attempt(work: Callable[[], A]) -> A | None:
    """The value of the work, or None where there is none."""
    try:
        return work()
    except (AplError, NotTier1):
        return None


Function = tuple[str, F]


def _defined(text: str, monadic: o.Monadic | None = None, dyadic: o.Dyadic | None = None) -> Function:
    given = {"monadic": monadic, "dyadic": dyadic}
    return text, F(**{k: f for k, f in given.items() if f is not None})  # type: ignore[arg-type]


def _add(x: A, y: A) -> A:
    return p.DYADIC["+"](x, y)


ONE, TWO = scalar(1), scalar(2)

FOLDING: dict[str, list[Function]] = {
    "bool": [(s, p.primitive(s)) for s in "∧∨=≠<≤>≥+×-⍲⍱"],
    "int": [(s, p.primitive(s)) for s in "+×-⌈⌊|∧∨<="],
    "double": [(s, p.primitive(s)) for s in "+×-⌈⌊÷|>"],
}
"""Functions to reduce with."""

DEFINED_FOLDING: list[Function] = [
    _defined("{⍺+2×⍵}", dyadic=lambda x, y: _add(x, p.DYADIC["×"](TWO, y))),
    _defined("{⍵-⍺}", dyadic=lambda x, y: p.DYADIC["-"](y, x)),
    ("(-⍨)", o.commute(p.primitive("-"))),
    ("⊣", F(dyadic=lambda x, y: x)),
    ("⊢", F(dyadic=lambda x, y: y)),
    ("(-⍤+)", o.atop(p.primitive("-"), p.primitive("+"))),
    ("(+∘|)", o.beside(p.primitive("+"), p.primitive("|"))),
]

FUNCTIONS_OF_ONE: list[Function] = [
    *[(s, p.primitive(s)) for s in "-|×⌽⊖⍉,⍴≢⊢⊃∊⍪"],
    _defined("{⍵+1}", lambda y: _add(y, ONE)),
    _defined("{2×⍵}", lambda y: p.DYADIC["×"](TWO, y)),
    _defined("{⍵,⍵}", lambda y: p.DYADIC[","](y, y)),
    _defined("{⍵=⌽⍵}", lambda y: p.DYADIC["="](y, p.MONADIC["⌽"](y))),
    _defined("(+/)", lambda y: o.reduce(p.primitive("+"), y, max(y.rank - 1, 0))),
    _defined("(+⌿)", lambda y: o.reduce(p.primitive("+"), y, 0)),
    _defined("(-\\)", lambda y: o.scan(p.primitive("-"), y, max(y.rank - 1, 0))),
    ("(1∘+)", o.bind_left(ONE, p.primitive("+"))),
    ("(+⍨)", o.commute(p.primitive("+"))),
]

FUNCTIONS_OF_TWO: list[Function] = [
    *[(s, p.primitive(s)) for s in "+-×⌈⌊=≠<⊣⊢,≡"],
    _defined("{⍺+2×⍵}", dyadic=lambda x, y: _add(x, p.DYADIC["×"](TWO, y))),
    _defined("{⍺-⍵}", dyadic=lambda x, y: p.DYADIC["-"](x, y)),
    _defined("{⍵,⍺}", dyadic=lambda x, y: p.DYADIC[","](y, x)),
    ("(-⍨)", o.commute(p.primitive("-"))),
]

ON_ELEMENTS: list[Function] = [
    *[(s, p.primitive(s)) for s in "-|×⊢"],
    _defined("{⍵+1}", lambda y: _add(y, ONE)),
    _defined("{⍵,⍵}", lambda y: p.DYADIC[","](y, y)),
    _defined("{2 2⍴⍵}", lambda y: p.DYADIC["⍴"](A("int", (2,), (2, 2)), y)),
    _defined("{0⍴⍵}", lambda y: p.DYADIC["⍴"](A("int", (1,), (0,)), y)),
    _defined("{⍵='a'}", lambda y: p.DYADIC["="](y, scalar("a"))),
]
PAIRS: list[Function] = [
    *[(s, p.primitive(s)) for s in "+-×⌈⌊=≠<⊣⊢,"],
    _defined("{⍺+2×⍵}", dyadic=lambda x, y: _add(x, p.DYADIC["×"](TWO, y))),
    _defined("{⍺,⍵,⍺}", dyadic=lambda x, y: p.DYADIC[","](x, p.DYADIC[","](y, x))),
]


def of_one(gen: Gen, fuel: int = 2) -> Function:
    """A function of one argument, sometimes composed."""
    if fuel == 0 or not gen.chance(4):
        return gen.pick(FUNCTIONS_OF_ONE)
    (f, one), (g, other) = of_one(gen, fuel - 1), of_one(gen, fuel - 1)
    match gen.below(4):
        case 0:
            return f"({f}∘{g})", o.beside(one, other)
        case 1:
            return f"({f}⍤{g})", o.atop(one, other)
        case 2:
            return f"{{{f} {g} ⍵}}", o.atop(one, other)
        case _:
            h, middle = gen.pick(FUNCTIONS_OF_TWO)
            return f"({f} {h} {g})", o.fork(one, middle, other)


def of_two(gen: Gen, fuel: int = 2) -> Function:
    """A function of two arguments, sometimes composed."""
    if fuel == 0 or not gen.chance(4):
        return gen.pick(FUNCTIONS_OF_TWO)
    (f, one), (g, other) = of_two(gen, fuel - 1), of_one(gen, fuel - 1)
    match gen.below(5):
        case 0:
            return f"({f}∘{g})", o.beside(one, other)
        case 1:
            return f"({g}⍤{f})", o.atop(other, one)
        case 2:
            return f"({f}⍥{g})", o.over(one, other)
        case 3:
            return f"{{⍺ {f} {g} ⍵}}", o.beside(one, other)
        case _:
            h, middle = gen.pick(FUNCTIONS_OF_TWO)
            right = gen.pick(FUNCTIONS_OF_TWO)
            return f"({f} {h} {right[0]})", o.fork(one, middle, right[1])


def _folding(gen: Gen, kind: str) -> Function:
    if kind == "char":
        raise Retry
    return gen.pick(DEFINED_FOLDING) if gen.chance(4) else gen.pick(FOLDING[kind])


REDUCIBLE = Want(NUMBERS, (0, 1, 2, 3), True, small(100))
REDUCIBLE_ALONG = Want(NUMBERS, (1, 2, 3), True, small(100))


@entry("/⌿\\⍀", "of a function")
def _reduce(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, REDUCIBLE)
    text, f = _folding(gen, e.value.kind)
    axis = max(e.value.rank - 1, 0) if symbol in "/\\" else 0
    work = o.reduce if symbol in "/⌿" else o.scan
    return gen.made(f"{text}{symbol}{e.text}", lambda: work(f, e.value, axis), e)


@entry("/⌿\\⍀", "of a function with axis")
def _reduce_along(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, REDUCIBLE_ALONG)
    text, f = _folding(gen, e.value.kind)
    axis = gen.axis(e.value.rank)
    work = o.reduce if symbol in "/⌿" else o.scan
    return gen.made(f"{text}{symbol}[{axis + 1}]{e.text}", lambda: work(f, e.value, axis), e)


@entry("/⌿", "of a function, n-wise")
def _windows(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, REDUCIBLE_ALONG)
    text, f = _folding(gen, e.value.kind)
    rank = e.value.rank
    axis, shown = (rank - 1, "") if symbol == "/" else (0, "")
    if gen.chance(4):
        axis = gen.axis(rank)
        shown = f"[{axis + 1}]"
    n = e.value.shape[min(max(axis, 0), rank - 1)]
    width = n + 2 if gen.mistake() else gen.below(n + 2)
    width = -width if gen.chance(4) else width
    left = gen.leaf(A("int", (), (width,)))
    return gen.made(
        f"{left.guarded}{text}{symbol}{shown}{e.text}",
        lambda: o.reduce_windows(left.value, f, e.value, axis),
        e,
    )


@entry("¨", "of a function of one argument")
def _each(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1)
    text, f = gen.pick(ON_ELEMENTS)
    frame = e.value.shape
    return _unless_it_fails(gen, f"↑{text}¨{e.text}", lambda: _mixed(o.each(f, e.value), frame), e)


def _mixed(rows: A, frame: tuple[int, ...]) -> A:
    """What `↑` makes of arrays of one shape. Of none their extents are 0, or those that the function is known
    to give: what is known is no matter of meaning.
    """
    extents = rows.shape[len(frame) :]
    if 0 in frame and any(extents):
        raise NotTier1
    return A(rows.kind, (*frame, *[0] * len(extents)), ()) if 0 in frame else rows


@entry("¨", "of a function of two arguments")
def _each_pair(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(exact=True))
    kinds = ("char",) if e.value.kind == "char" else NUMBERS
    left = gen.partner(e, kinds)
    text, f = gen.pick(PAIRS)
    if e.value.kind == "char" and attempt(lambda: f.dyadic(scalar("a"), scalar("a"))) is None:
        raise Retry

    def value() -> A:
        frame = o.extended_shape(left.value, e.value)
        return _mixed(o.each_pair(f, left.value, e.value), frame)

    return gen.made(
        f"↑{left.guarded}{text}¨{e.text}",
        value,
        left,
        e,
        mixed_ranks=ranks_are_known(left, e),
    )


def _unless_it_fails(gen: Gen, text: str, work: Callable[[], A], *operands: E) -> E:
    """The expression; one that would fail by accident is not what is looked for."""
    made = gen.made(text, work, *operands)
    if made.errors and not gen.chance(12):
        raise Retry
    return made


@entry("⍨", "commute")
def _commute(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, EXACT)
    text, f = of_two(gen)
    if gen.chance(2):
        return _unless_it_fails(gen, f"{text}⍨{e.text}", lambda: o.commute(f).monadic(e.value), e)
    left = gen.partner(e, NUMBERS)
    return _unless_it_fails(
        gen, f"{left.guarded}{text}⍨{e.text}", lambda: o.commute(f).dyadic(left.value, e.value), left, e
    )


def _composition(gen: Gen, depth: int, text: str, made: F, e: E, *, dyadic: bool) -> E:
    """A composition applied to one argument or two."""
    if not dyadic:
        return _unless_it_fails(gen, f"({text}){e.text}", lambda: made.monadic(e.value), e)
    left = gen.partner(e, NUMBERS)
    full = f"{left.guarded}({text}){e.text}"
    return _unless_it_fails(gen, full, lambda: made.dyadic(left.value, e.value), left, e)


@entry("∘⍤⍥", "composition")
def _compose(gen: Gen, depth: int, symbol: str) -> E:
    dyadic = gen.chance(2)
    e = gen.operand(depth - 1, EXACT)
    outer_of_two = dyadic and symbol != "⍤"
    f = of_two(gen) if outer_of_two else of_one(gen)
    g = of_two(gen) if dyadic and symbol == "⍤" else of_one(gen)
    compose = {"∘": o.beside, "⍤": o.atop, "⍥": o.over}[symbol]
    return _composition(gen, depth, f"{f[0]}{symbol}{g[0]}", compose(f[1], g[1]), e, dyadic=dyadic)


@entry("∘", "with an array")
def _bind(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, EXACT)
    text, f = of_two(gen)
    other = gen.partner(e, NUMBERS)
    if gen.chance(2):
        made, shown = o.bind_left(other.value, f), f"{other.guarded}∘{text}"
    else:
        made, shown = o.bind_right(f, other.value), f"{text}∘{other.guarded}"
    return _unless_it_fails(gen, f"({shown}){e.text}", lambda: made.monadic(e.value), other, e)


@entry("(", "train")
def _train(gen: Gen, depth: int, symbol: str) -> E:
    dyadic = gen.chance(2)
    e = gen.operand(depth - 1, EXACT)
    tine = of_two if dyadic else of_one
    middle, right = of_two(gen), tine(gen)
    if gen.chance(3):
        first = of_one(gen)
        return _composition(
            gen, depth, f"{first[0]} {right[0]}", o.atop(first[1], right[1]), e, dyadic=dyadic
        )
    if gen.chance(4):
        constant = gen.leaf(gen.elements("int", ()))
        left: Function = (constant.guarded, o.constant(constant.value))
    else:
        left = tine(gen)
    fork = o.fork(left[1], middle[1], right[1])
    return _composition(gen, depth, f"{left[0]} {middle[0]} {right[0]}", fork, e, dyadic=dyadic)


# --- products -------------------------------------------------------------------------------------------


@entry(".", "outer product")
def _outer(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(ranks=(0, 1, 2), exact=True))
    kinds = ("char",) if e.value.kind == "char" else NUMBERS
    other = gen.operand(depth // 2, Want(kinds, (0, 1, 2), True))
    left, right = (other, e) if gen.chance(2) else (e, other)
    text, f = gen.pick(PAIRS)
    frame = left.value.shape + right.value.shape
    return _unless_it_fails(
        gen,
        f"↑{left.guarded}∘.{text}{right.text}",
        lambda: _mixed(o.outer(f, left.value, right.value), frame),
        left,
        right,
    )


@entry(".", "inner product")
def _inner(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(NUMBERS, (0, 1, 2, 3), True, small(100)))
    n = e.value.shape[-1] if e.value.rank else gen.extent()
    shape = gen.pick(((n,), (n, 2), (), (n, 1), (n, 1, 2)))
    if gen.mistake():
        shape = (n + 2,)
    right = gen.leaf(gen.elements(gen.pick(NUMBERS), shape))
    inner_text, g = gen.pick(PAIRS[:8]) if not gen.chance(5) else PAIRS[-2]
    kind = attempt(lambda: g.dyadic(scalar(1), scalar(1)))
    assert kind is not None
    outer_text, f = gen.pick(FOLDING["bool" if kind.kind == "bool" else "int"])
    return gen.made(
        f"{e.guarded}{outer_text}.{inner_text}{right.text}",
        lambda: o.inner(f, g, e.value, right.value),
        e,
        right,
    )


# --- rank and power -------------------------------------------------------------------------------------


@entry("⍤", "rank, one argument")
def _rank(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(exact=True))
    text, f = of_one(gen)
    k = gen.pick((1, 0, 2, -1, 3, -2, 99))
    ranks = literal(A("int", (3,), (k, gen.below(3), gen.below(3))) if gen.chance(6) else scalar(k)).text
    full = f"({text}⍤{ranks}){e.text}"
    return _unless_it_fails(gen, full, lambda: o.rank_monadic(f, k, e.value), e)


@entry("⍤", "rank, two arguments")
def _rank_pair(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(NUMBERS, (0, 1, 2, 3), True))
    text, f = of_two(gen)
    right = gen.pick((1, 0, 2, -1))
    left = gen.pick((0, 1, -1, 2))
    rank = e.value.rank
    cell = max(rank + right, 0) if right < 0 else min(right, rank)
    frame = e.value.shape[: rank - cell]
    shape = gen.pick((frame, e.value.shape, (), (gen.extent(),)))
    other = gen.leaf(gen.elements(gen.pick(NUMBERS), shape))
    ranks = literal(A("int", (2,), (left, right))).text
    if left == right and gen.chance(2):
        ranks = literal(scalar(left)).text
    elif gen.chance(6):
        ranks = literal(A("int", (3,), (gen.below(3), left, right))).text
    return gen.made(
        f"{other.guarded}({text}⍤{ranks}){e.text}",
        lambda: o.rank_dyadic(f, left, right, other.value, e.value),
        other,
        e,
    )


KEEPING: list[Function] = [
    *[(s, p.primitive(s)) for s in "⌽⊖⊢"],
    _defined("(1∘⌽)", lambda y: p.DYADIC["⌽"](ONE, y)),
]
KEEPING_NUMBERS: list[Function] = [
    ("-", p.primitive("-")),
    _defined("{⍵+1}", lambda y: _add(y, ONE)),
    _defined("{2×⍵}", lambda y: p.DYADIC["×"](TWO, y)),
    ("(1∘+)", o.bind_left(ONE, p.primitive("+"))),
    _defined("{⍵⌈⌽⍵}", lambda y: p.DYADIC["⌈"](y, p.MONADIC["⌽"](y))),
]


@entry("⍣", "number")
def _power(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(
        depth - 1, Want(ANYTHING, (0, 1, 2, 3), True, lambda a: a.kind == "char" or small(1e4)(a))
    )
    times = gen.leaf(A("int", (), (gen.pick((1, 2, 0, 3)),)))
    n = times.value.data[0]
    if e.value.kind in ("int", "double") and gen.chance(3):
        left = gen.leaf(gen.elements("int", ()))
        text, f = gen.pick([(s, p.primitive(s)) for s in "+×-⌈"])
        return gen.made(
            f"{left.guarded}({text}⍣{times.guarded}){e.text}",
            lambda: o.power(f, n).dyadic(left.value, e.value),
            left,
            e,
        )
    text, f = gen.pick(KEEPING if e.value.kind in ("char", "bool") else KEEPING + KEEPING_NUMBERS)
    return gen.made(f"({text}⍣{times.guarded}){e.text}", lambda: o.power(f, n).monadic(e.value), e)


@entry("⍣", "boolean")
def _power_if(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(("int", "double"), (0, 1, 2, 3), True))
    condition = gen.leaf(scalar(gen.chance(2)))
    text, f = gen.pick(KEEPING + KEEPING_NUMBERS)
    n = int(condition.value.data[0])
    return gen.made(f"({text}⍣{condition.guarded}){e.text}", lambda: o.power(f, n).monadic(e.value), e)


@entry("⍣", "match")
def _fixed_point(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(("int",), (0, 1, 2, 3), True, small(1000)))
    half = _defined("{⌊⍵÷2}", lambda y: p.MONADIC["⌊"](p.DYADIC["÷"](y, TWO)))
    least = _defined("{3⌊⍵}", lambda y: p.DYADIC["⌊"](scalar(3), y))
    text, f = gen.pick([half, least, KEEPING_NUMBERS[-1], ("⊢", p.primitive("⊢"))])
    return gen.made(f"({text}⍣≡){e.text}", lambda: o.power_until(f, p.primitive("≡")).monadic(e.value), e)


@entry("⍣", "until")
def _until(gen: Gen, depth: int, symbol: str) -> E:
    e = gen.operand(depth - 1, Want(("int",), (0, 1), True, small(50)))
    stop = F(dyadic=lambda x, y: o.reduce(p.primitive("∧"), p.MONADIC[","](p.DYADIC[">"](x, scalar(9))), 0))
    text, f = gen.pick(
        [_defined("{⍵+1}", lambda y: _add(y, ONE)), ("(2∘+)", o.bind_left(TWO, p.primitive("+")))]
    )
    return gen.made(f"({text}⍣{{∧/,⍺>9}}){e.text}", lambda: o.power_until(f, stop).monadic(e.value), e)


# --- definitions ---------------------------------------------------------------------------------


@entry("{", "of one argument")
def _definition(gen: Gen, depth: int, symbol: str) -> E:
    """`{… ⍵ …}e`"""
    return _applied(gen, depth, None, gen.operand(depth // 2))


@entry("{", "of two arguments")
def _definition_of_two(gen: Gen, depth: int, symbol: str) -> E:
    """`d{… ⍺ … ⍵ …}e`"""
    return _applied(gen, depth, gen.operand(depth // 2), gen.operand(depth // 2))


def _applied(gen: Gen, depth: int, left: E | None, right: E) -> E:
    saved = gen.names, gen.statements
    arguments = [
        E(name, e.result, is_atom=True, forced_inexact=not e.is_exact)
        for name, e in (("⍺", left), ("⍵", right))
        if e is not None
    ]
    gen.names = [*[known for known in gen.names if known.text not in "⍺⍵"], *arguments * 3]
    gen.statements = []
    try:
        inner = gen.expression(depth - 1)
    except Ended as ended:
        inner = ended.expression
    text = " ⋄ ".join([*gen.statements, inner.text])
    gen.names, gen.statements = saved
    before = "" if left is None else left.guarded
    return E(
        f"{before}{{{text}}}{right.text}", inner.result, inner.errors, forced_inexact=inner.forced_inexact
    )


PRODUCTIONS = dict(ENTRIES)
"""All productions: those of `tier1.table`, of `tier1.arrays`, of `tier1.loops` and these."""
