"""Functions and operators of APL that are written in APL: parsed where they are used.

The operands of an operator are `⍺⍺` and `⍵⍵`, as in one of the user's. Errors inside are shown where the user
has written the operator: to the user it is a primitive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from aplc.apl_front.building.builder import Builder, base_of, rank
from aplc.apl_front.syntax.ast import Dfn
from aplc.apl_front.syntax.parser import parse
from aplc.tail.errors import AplcError
from aplc.tail.source import Source, Span
from aplc.tail.syntax import Arg, Exp, Op, PrimFn, map_children, with_args
from aplc.tail.types import Base, Tuple

AT = {
    (True, True): """{
        x←⍵
        (1<|≡⍵⍵)∨1=≢⍴⍵:x⊣x[⍵⍵]←⍺⍺
        2=≢⍴⍵:x⊣x[⍵⍵;]←⍺⍺
        3=≢⍴⍵:x⊣x[⍵⍵;;]←⍺⍺
    }""",
    (False, True): """{
        ⍺←⊢
        x←⍵
        (1<|≡⍵⍵)∨1=≢⍴⍵:x⊣x[⍵⍵]←⍺ ⍺⍺ x[⍵⍵]
        2=≢⍴⍵:x⊣x[⍵⍵;]←⍺ ⍺⍺ x[⍵⍵;]
        3=≢⍴⍵:x⊣x[⍵⍵;;]←⍺ ⍺⍺ x[⍵⍵;;]
    }""",
    (True, False): """{
        places←⍸,⍵⍵∧(⍴⍵)⍴1
        x←,⍵
        x[places]←⍺⍺
        (⍴⍵)⍴x
    }""",
    (False, False): """{
        ⍺←⊢
        places←⍸,⍵⍵∧(⍴⍵)⍴1
        x←,⍵
        x[places]←⍺ ⍺⍺ x[places]
        (⍴⍵)⍴x
    }""",
}
"""`v@i`, `f@i`, `v@g` and `f@g`, by whether the operands are arrays; for g it is the mask that g gives."""


_NUMBERS_OF_GROUPS = {
    False: "(,keys⍳⍺)",
    True: """({
        found←,keys⍳⍵
        isFound←(1+≢keys)⍴0
        isFound[found]←1
        ~⊃⌽isFound:found
        own←⍳≢⍵
        firsts←own⌊⍵⍳⍵
        (+\\own=firsts)[{⍵[⍵]}⍣≡firsts]
    }⍺)""",
}
"""Which of the different keys each key is, by whether a key may equal none of them: NaN does, and so does
what equals, within the tolerance, only keys that were left out for those before them. All keys then belong to
the group of the first key that equals them, and NaN to one of its own. (Whether all have been found is asked
behind the search: as a reduction it would share the loop, where elements are searched one by one.)
"""


def numbers_of_groups(keys: Exp) -> str:
    """Which of the different keys each of `⍺` is, in APL."""
    return _NUMBERS_OF_GROUPS[
        not isinstance(keys.ty, Tuple) and base_of(keys) is Base.DOUBLE and rank(keys) > 0
    ]


_KEY = """{
    ⎕IO←1
    f←⍺⍺
    keys←∪⍺
    places←NUMBERS⊣⍤0⊢⍳≢⍵
    counts←(≢keys)⍴0
    counts[places]+←1
    ends←+\\counts
    order←⍋places
    ordered←{1=≢⍴⍵:⍵[order] ⋄ 2=≢⍴⍵:⍵[order;] ⋄ 3=≢⍴⍵:⍵[order;;]}⍵
    keys{⍺ f ⍵[2]↑(-/⍵)↓ordered}⍤99 1⍤¯1⊢ends,⍪counts
}"""

_EACH_GROUP = {
    False: "↑keys{KEY f ⍵}¨groups",
    True: "keys{r←KEY f ⍵ ⋄ 0=≢⍴r:⊃r ⋄ NO_SCALAR}¨groups",
}
"""What `f` gives for each group, by whether it encloses its results."""

_KEY_OF_ITEMS = {
    is_enclosed: """{
        ⎕IO←1
        f←⍺⍺
        keys←∪⍺
        places←NUMBERS⊣⍤0⊢⍳≢⍵
        order←⍋places
        counts←(≢keys)⍴0
        counts[places]+←1
        begins←(≢⍵)⍴0=1
        begins[1+(+\\counts)-counts]←1=1
        groups←begins⊂⍵[order]
        RESULT
    }""".replace("RESULT", result.replace("KEY", "⍺"))
    for is_enclosed, result in _EACH_GROUP.items()
}
"""`keys f⌸ values` with groups that are items, by whether the function encloses its results."""


def key(keys: Exp) -> str:
    """`keys f⌸ values`"""
    return _KEY.replace("NUMBERS", numbers_of_groups(keys))


def key_of_items(keys: Exp) -> list[str]:
    """The same with groups that are items, for functions that enclose their results and those that do not."""
    numbers = numbers_of_groups(keys)
    texts = [_KEY_OF_ITEMS[encloses].replace("NUMBERS", numbers) for encloses in (True, False)]
    has_cells = not isinstance(keys.ty, Tuple) and rank(keys) > 1
    return [text.replace("keys{", "(⊂⍤¯1⊢keys){") if has_cells else text for text in texts]


GROUPS_OF_ITEMS = {
    (is_enclosed, has_cells): """{
        f←⍺⍺
        keys groups←⍺
        RESULT
    }""".replace("RESULT", result.replace("KEY", "⍺" if has_cells else "(⊂⍺)"))
    for is_enclosed, result in _EACH_GROUP.items()
    for has_cells in (False, True)
}
"""The same for keys that are arrays, also by whether they are the cells of an array of more axes: the left
argument is the different keys and the groups of values.
"""

KEY_OF_RECORDS = {
    is_table: """{
        ⎕IO←1
        f←⍺⍺
        keys starts counts order←⍺
        sorted←⍵[ORDER]
        ↑{(keys[⍵])f counts[⍵]↑starts[⍵]↓sorted}¨⍳≢keys
    }""".replace("ORDER", "order;" if is_table else "order")
    for is_table in (False, True)
}
"""`keys f⌸ values` for keys that are arrays and values that are records, or rows of a table: the left
argument is the different keys, and where the values of each stand, and how many, in which order.
"""

KEY_BY_RECORDS = {
    is_table: """{
        ⎕IO←1
        f←⍺⍺
        records←⍺
        (⍺⍳⍺){(KEY)f ⍵}⌸⍵
    }""".replace("KEY", "⍺⊃records" if is_table else "records[⍺]")
    for is_table in (False, True)
}
"""`keys f⌸ values` for keys that are records, or the rows of a table: where each is found first stands for
it.
"""

STENCIL = """{{
    ⎕IO←1
    f←⍺⍺
    sizes←,{sizes}
    sides←,{sides}
    steps←,{steps}
    array←⍵
    extents←⍴⍵
    fills←{{⍵⍴1↑0⍴,array}}
    beside←{{side←fills(extents[1]+2×sides[1]),sides[2] ⋄ side,⍵,side}}
    padded←{{1=≢⍴⍵:(fills sides),⍵,fills sides ⋄ above←fills sides[1],extents[2] ⋄ beside above⍪⍵⍪above}}⍵
    starts←{{{starts}}}
    fill←{{s←starts ⍵ ⋄ (0⌈sides[⍵]-s)-0⌈s+1+sides[⍵]-extents[⍵]}}
    at←{{(starts ⍵)∘.+⍳sizes[⍵]}}
    1=≢⍴⍵:(⍪fill 1)f⍤1⊢padded[at 1]
    2=≢⍴⍵:((fill 1){{⍺,⍵}}⍤0 0⍤0 99⊢fill 2)f⍤1 2⊢1 3 2 4⍉padded[at 1;at 2]
}}"""


def stencil(sizes: Sequence[int], steps: Sequence[int], axes: int) -> str:
    """`f⌺sizes`, and `f⌺(2 n⍴sizes,steps)`, for an array of so many axes: the windows are an array, of which
    each element is one of the padded argument.
    """
    if len(sizes) < axes or axes > 2 or any(size % 2 == 0 for size in sizes):
        return _stencil_of_axes(sizes, steps, axes)
    starts = "¯1+⍳extents[⍵]" if set(steps) == {1} else "steps[⍵]×(⍳⌈extents[⍵]÷steps[⍵])-1"
    numbers = [" ".join(map(str, each)) for each in (sizes, [size // 2 for size in sizes], steps)]
    return STENCIL.format(sizes=numbers[0], sides=numbers[1], steps=numbers[2], starts=starts)


def _stencil_of_axes(sizes: Sequence[int], steps: Sequence[int], axes: int) -> str:
    """The same where the last axes are whole, or windows have no middle: these are one less than elements."""
    lines = ["⎕IO←1", "f←⍺⍺", "extents←⍴⍵", "padding←1↑0⍴,⍵", "padded←⍵"]
    indices, counts = [""] * axes, ""
    padded: list[str] = []
    for k, (size, step) in enumerate(zip(sizes, steps, strict=True), 1):
        side = (size - 1) // 2
        if side:
            extents = [f"(extents[{a + 1}])" for a in range(axes)]
            shape = [*padded, str(side), *extents[k:]]
            lines += [f"side←({' '.join(shape)})⍴padding", f"padded←side,[{k}]padded,[{k}]side"]
        padded.append(f"(extents[{k}]+{2 * side})")
        lines.append(f"starts←{step}×¯1+⍳0⌈⌈(extents[{k}]-{1 - size % 2})÷{step}")
        lines.append(f"at{k}←starts∘.+⍳{size}")
        lines.append(f"fill{k}←(0⌈{side}-starts)-0⌈starts+{size - side}-extents[{k}]")
        indices[k - 1] = f"at{k}"
        counts = f"(({counts}){{⍺,⍵}}⍤1 0⍤1 99⊢fill{k})" if counts else f"⍪fill{k}"
    windows = len(sizes)
    order = [at for k in range(windows) for at in (k + 1, windows + k + 1)]
    order += range(2 * windows + 1, axes + windows + 1)
    ways = " ".join(map(str, order))
    lines.append(f"({counts})f⍤1 {axes}⊢{ways}⍉padded[{';'.join(indices)}]")
    return "{" + " ⋄ ".join(lines) + "}"


REDUCE = """{
    ⎕IO←1
    f←⍺⍺
    items←⍵
    k←≢⍵
    ⊂{k-←1 ⋄ (k⊃items)f ⍵}⍣(0⌈k-1)⊢⊃(k-1)↓items
}"""
"""`f/items` for an array of arrays, from its end."""

REDUCE_MATRICES = {
    "⍪": """{
        ⎕IO←1
        f←⍺⍺
        lengths←{⊃⌽⍴⍵}¨⍵
        (0<≢⍵)∧∧/lengths=⊃lengths:⊂((+/≢¨⍵),⊃lengths)⍴∊⍵
        items←⍵
        k←≢⍵
        ⊂{k-←1 ⋄ (k⊃items)f ⍵}⍣(0⌈k-1)⊢⊃(k-1)↓items
    }""",
    ",": """{
        ⎕IO←1
        f←⍺⍺
        lengths←≢¨⍵
        (0<≢⍵)∧∧/lengths=⊃lengths:⊂⍉((+/{⊃⌽⍴⍵}¨⍵),⊃lengths)⍴∊⍉¨⍵
        items←⍵
        k←≢⍵
        ⊂{k-←1 ⋄ (k⊃items)f ⍵}⍣(0⌈k-1)⊢⊃(k-1)↓items
    }""",
}
"""`⍪/` and `,/` for an array of matrices: those that fit lie one behind the other, without steps."""

REDUCE_ELEMENTS = """{
    ⎕IO←1
    f←⍺⍺
    items←⍵
    k←≢⍵
    ⊂{k-←1 ⋄ (k⊃items)f ⍵}⍣(0⌈k-1)⊢,⊃(k-1)↓items
}"""
"""`f/v` for a vector of simple elements of which `f` makes vectors: the first is of one element."""

WINDOWS = """{
    ⎕IO←1
    f←⍺⍺
    n←⍺
    items←⍵
    {OF_ONE}¨(|n)⌊/⍳≢items
}"""
"""`n f/items` for a vector of arrays; OF_ONE is the reduction of the window that begins at `⍵`."""

MOST_UNROLLED = 8


def windows(size: int | None) -> str:
    """`n f/items`. If n is known and small, the items of a window are named, so that each step may give
    another type; n is negative where they are taken from the last one.
    """
    if size is None or not 0 < abs(size) <= MOST_UNROLLED:
        return WINDOWS.replace("OF_ONE", "⊃f/{0>n:⌽⍵ ⋄ ⍵}(|n)↑(⍵-1)↓items")
    places = range(size) if size > 0 else range(-size - 1, -1, -1)
    return WINDOWS.replace("OF_ONE", " f ".join([f"((⍵+{k})⊃items)" for k in places]))


SCAN = r"""{
    ⎕IO←1
    f←⍺⍺
    items←⍵
    {⊃f/⍵↑items}¨⍳≢items
}"""
r"""`f\items` for a vector of arrays: the reductions of its prefixes."""

SCAN_OF_ELEMENTS = r"""{
    ⎕IO←1
    f←⍺⍺
    items←⍵
    ∧/(⊂⍴⊃items)≡¨⍴¨items:⊂⍤¯1⊢f⍀↑items
    {⊃f/⍵↑items}¨⍳≢items
}"""
"""The same for a function that works element by element: items of one shape are the cells of an array. Beside
others, items of one element extend, but not where all in a prefix are such items.
"""

DIGIT = "{(¯1+⍳10)[⎕D⍳⍵]}"
"""`⍎` of one character."""

COMPLEX_DIVIDE = """{
    real imaginary←(9○⍵)(11○⍵)
    count←⊃⌽⍴⍵
    none←+/((≢⍺)⍴0)⌹((≢⍵),0)⍴0
    result←((9○⍺)⍪11○⍺)⌹(real,-imaginary)⍪imaginary,real
    (none+count↑result)+0J1×count↓result
}"""
"""`b⌹a` of complex numbers: the parts as unknowns of a real system, whose least squares are the same. What
divides nothing is there for its check of the lengths, which are twice as long in that system.
"""

COMPLEX_INVERSE = """{
    real imaginary←(9○⍵)(11○⍵)
    rows columns←⍴⍵
    result←⌹(real,-imaginary)⍪imaginary,real
    (columns rows↑result)+0J1×(columns,0)↓(columns×2)rows↑result
}"""

COMPLEX_SOLVE = {
    (None, 0): "{÷⍵}", (None, 1): "{,⌹⍪⍵}", (None, 2): COMPLEX_INVERSE,
    (0, 0): "{⍺÷⍵}", (1, 0): "{(,⍺)⌹⍪⍵}", (2, 0): "{⍺⌹⍪⍵}",
    (0, 1): "{(,⍺)⌹⍵}", (1, 1): "{⊃⍺⌹⍪⍵}", (2, 1): "{,⍺⌹⍪⍵}",
    (0, 2): "{(,⍺)⌹⍵}", (1, 2): COMPLEX_DIVIDE, (2, 2): COMPLEX_DIVIDE,
}  # fmt: skip
"""`⌹` of complex numbers by the ranks of the arguments."""

WITH_NEWLINES = """{
    codes←⎕UCS ⍵
    returns feeds←(codes=13)(codes=10)
    pairs←returns∧1↓feeds,0
    text←⎕UCS{⍵-3×⍵=13}(~pairs)/codes
    end←(returns∨feeds)⍳1
    newline←{⍵>≢returns:0 0 ⋄ (returns[⍵])(feeds[⍵]∨pairs[⍵])}end
    text 'UTF-8' (newline/13 10)
}"""
"""The text of a file with ⎕UCS 10 for each end of a line, its encoding, and what the first of them is there.
"""

DAY_OF_STAMP = """{
    y m d hour minute second milli←7↑⍵,0⍴⍨0⌈7-≢⍵
    y m d←(y-m<3)(12|m+9)d
    days←(365×y)+(⌊y÷4)-(⌊y÷100)-⌊y÷400
    days+←(⌊(2+153×m)÷5)+d-693901
    days+(hour÷24)+(minute÷1440)+(second+milli÷1000)÷86400
}"""
"""The number of a day, with the 1st of January of 1900 as 1, from its year, month, day, hour, minute, second
and millisecond; the last of them may be left out. Years begin in March here, so that the 29th of February is
their last day.
"""

STAMP_OF_DAY = """{
    instant←⌊0.5+86400000×⍵
    days←693900+⌊instant÷86400000
    era←⌊days÷146097
    day←146097|days
    year←⌊(day-(⌊day÷1460)-(⌊day÷36524)-⌊day÷146096)÷365
    day-←(365×year)+(⌊year÷4)-⌊year÷100
    month←⌊(2+5×day)÷153
    date←(year+(400×era)+month≥10)(1+12|month+2)(1+day-⌊(2+153×month)÷5)
    date,24 60 60 1000⊤86400000|instant
}"""
"""The inverse: a vector of seven integers."""


LETTER_CASES: dict[int, Callable[[str], str]] = {0: str.casefold, 1: str.upper, -1: str.lower}
"""What the left argument of `⎕C` asks for; 0: nothing does."""

ASCII = 128
"""Below it the letters are computed from their code points."""
SMALL = 592
"""The letters of Latin alphabets are below it: each has its place in a table."""
LAST_CASED = 0x1F000


@cache
def letter_case(way: int) -> str:
    """`⎕C`: the letters of large alphabets are found among the runs of letters that move by the same."""
    moved = [_moved(way, c) for c in range(LAST_CASED)]
    runs: list[list[int]] = []
    for c in range(SMALL, LAST_CASED):
        if not (by := moved[c] - c):
            continue
        if runs and runs[-1][3] == by and c - runs[-1][1] in (1, 2):
            width = c - runs[-1][1]
            if runs[-1][0] == runs[-1][1] or width == runs[-1][2]:
                runs[-1][1:3] = [c, width]
                continue
        runs.append([c, c, 1, by])
    firsts, lasts, steps, moves = [
        " ".join([str(n).replace("-", "¯") for n in column]) for column in zip(*runs, strict=True)
    ]
    table = " ".join(map(str, moved[:SMALL]))
    by, first, last = (-32, "a", "z") if way == 1 else (32, "A", "Z")
    return f"""{{
        small←{table}
        first last step by←({firsts})({lasts})({steps})({moves})
        {{
            c←⎕UCS ⍵
            c<{ASCII}:⎕UCS 0⌈127⌊c+{str(by).replace("-", "¯")}×(c≥{ord(first)})∧c≤{ord(last)}
            c<{SMALL}:⎕UCS small[1+c⌊{SMALL - 1}]
            k←1⌈first⍸c
            (c≤last[k])∧(c≥first[k])∧0=step[k]|c-first[k]:⎕UCS c+by[k]
            ⍵
        }}¨⍵
    }}"""


def cased(way: int, text: str) -> str:
    """A text as `letter_case` has it."""
    return "".join([chr(_moved(way, ord(character))) for character in text])


def _moved(way: int, code: int) -> int:
    """The code point of a character in another case; where that is several characters, the one in the
    simple mapping of Unicode, for titles if it has one for these, or the same.
    """
    character = chr(code)
    for found in (LETTER_CASES[way](character), character.title() if way == 1 else character.lower()):
        if len(found) == 1:
            return ord(found)
    return ord(character.lower()[0]) if way != 1 else code


_SOURCES: set[int] = set()


@cache
def definition(name: str, text: str) -> Dfn:
    """The tree of a text that is one definition in braces."""
    (item,) = parse(Source(name, text)).statements[0].items
    assert isinstance(item, Dfn)
    _SOURCES.add(id(item.span.source))
    return item


def is_written(span: Span | None) -> bool:
    """Whether a place is in one of the texts here."""
    return span is not None and id(span.source) in _SOURCES


def _name_of(span: Span | None) -> str:
    assert span is not None
    return span.source.name


def _moved_function(arg: Arg, span: Span) -> Arg:
    """A primitive that is an operand, which has a place of its own."""
    if not isinstance(arg, PrimFn) or not is_written(arg.span):
        return arg
    return replace(arg, span=span, symbol=_name_of(arg.span) if arg.symbol else "")


def shown_at(build: Builder, span: Span, make: Callable[[], Exp]) -> Exp:
    """What `make` gives, with the place of the user's for all places in the texts here."""
    mark = len(build.bindings)
    try:
        value = make()
    except AplcError as error:
        told = [replace(d, span=span, trail=()) if is_written(d.span) else d for d in error.diagnostics]
        raise type(error)(told) from None

    def moved(exp: Exp) -> Exp:
        changed = map_children(exp, moved)
        if isinstance(changed, Op):
            changed = with_args(changed, tuple([_moved_function(arg, span) for arg in changed.args]))
        if not is_written(changed.span):
            return changed
        if isinstance(changed, Op) and changed.symbol:
            return replace(changed, span=span, symbol=_name_of(changed.span))
        return replace(changed, span=span)

    build.bindings[mark:] = [replace(each, value=moved(each.value)) for each in build.bindings[mark:]]
    return moved(value)
