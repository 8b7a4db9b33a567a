"""Programs that ask behind a change: an array is filtered, searched, sorted or cut, then changed in place,
and only then what was made of it is wanted: its elements, its length, its shape, a fold of it.

An array is deferred until somebody reads it, and lies in the memory of the array that it was made of; other
random programs seldom come between the two. Statements stand at the top, in definitions, under `⍣`, under
`¨`, and in loops, where the next round changes what the last one has made.
"""

from __future__ import annotations

from random import Random
from re import search

import numpy as np

from tests.support.apl_programs.trees import Node, Program, Value, array, body

PLACES = (
    "⍸%>2",
    "⍸%<3",
    "⍸0=2|⌊%",
    "(%>1)/⍳≢%",
    "⍋%",
    "2↓⍋%",
    "⍸%>1000",
    "⍸2<+\\%",
    "⍒%",
    "1+⌊(≢%)|⌽%",
    "⍸~%∊2 3",
)
"""Indices of an array, none of them beyond its end."""
VECTORS = (
    *(
        "(%>2)/%",
        "(%<3)/2×%",
        "∪%",
        "⌽%",
        "+\\%",
        "2↓%",
        "¯3↑%",
        "%~3",
        "2+%",
        "%,%",
        "3↑%",
        "(⌽%),1",
        "%×@",
        "%-⌽@",
    ),
    *(
        "(⌊3|%)/%",
        "2-/%,0",
        "%∪@",
        "1⌽%",
        "(1,1↓%≠¯1⌽%)/%",
        "(%>1)\\(%>1)/%",
        "%[⍋%]",
        "(%>2)/@",
        "∊% @",
        "⊃⊆%",
        "%∩@",
    ),
    *("@[⍸%>2]", "@[⍋%]", "(-2⌊≢%)↓%", "⌈\\%", "(%>2)×@", "(⊂⍋%)⌷@", "{(⍵>1)/⍵}%", "↑+/¨% @", "%⌈+\\@"),
)
"""Vectors of one or two others; those with places of `@` by `%` are as long in both."""
TABLES = (
    "%∘.+⍳3",
    "(3 2⍴%,6⍴1)",
    "2 ¯1↓%∘.×@",
    "⍉↑% @",
    "%,[0.5]⌽%",
    "3 4⍴%,1",
    "(%>2)⌿%∘.-1 2",
    "{⍺,≢⍵}⌸%",
    "⍪%",
)
NUMBERS = (
    "+/%",
    "≢%",
    "⌈/0,%",
    "%⍳3",
    "+/%>2",
    "∨/%>3",
    "≢∪%",
    "⊃%,0",
    "(+/%)÷1⌈≢%",
    "≢⍸%>2",
    "+/%×%",
    "%≡@",
    "%⍳@[⍳2⌊≢@]",
)
CUT = ("(⊂%)", "(1,1↓0=3|⍳≢%)⊂%", "% @", "{⊂⍵}⌸%", "(⊂⌽%),⊂(%>2)/%", "↓%∘.+1 2")
ASKED = {
    "places": ("≢%", "⍴%", "%", "+/%", "⊃%,0", "%≡⍳≢%", "1↓%", "⌽%", "0=≢%", "(2⌊≢%)↑%", "⌈/0,%"),
    "vector": (
        "≢%",
        "⍴%",
        "%",
        "+/%",
        "⊃%,0",
        "%≡⌽%",
        "¯1↓%",
        "⌽%",
        "0=≢%",
        "3↑%",
        "(≢%),+/%",
        "≢⍸%>2",
        "∪%",
    ),
    "number": ("%", "1+%", "%,2", "3⍴%"),
    "table": ("⍴%", "≢%", "%", "+/%", "+⌿%", "⍉%", ",%", "⌈/,0,%"),
    "cut": ("≢%", "≢¨%", "+/¨%", "∊%", "⊃⌽%", "⊃,/%"),
}
CHANGES = (
    *("v[i]←k", "v[i]+←k", "v[i]←⌽v[i]", "((v>2)/v)←k", "v←k@i⊢v", "v[⍳2⌊≢v]←k", "v[i]←2×v[i]"),
    *("v×←v<3", "v←⌽v", "v-←1", "(¯1↑v)←k", "v←+\\v", "v[i]←⍳≢i"),
)
"""What becomes of a vector v, at places i, with a number k."""
ONE = ("0", "7", "¯1", "2")
DTYPES = ("bool", "int8", "int16", "int64", "int64", "float64", "float64")


class Asked:
    """The state of one generation: what has a name, by kind."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.vectors = ["v", "w"]
        self.places: list[tuple[str, str]] = []
        self.named: dict[str, list[str]] = {kind: [] for kind in ASKED}
        self.asked: list[str] = []
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"a{self.count}"

    def filled(self, pattern: str) -> str:
        """A pattern with a vector that changes, and perhaps another."""
        first, second = self.random.choice(self.vectors), self.random.choice(self.vectors)
        return pattern.replace("%", first).replace("@", second)

    def made(self) -> str:
        """A name for what is made of the vectors, perhaps never asked for."""
        choice, name = self.random.choice, self.fresh()
        kind = choice(("places", "places", "vector", "vector", "vector", "number", "table", "cut"))
        if kind == "places":
            of = choice(self.vectors)
            self.places.append((name, of))
            value = choice(PLACES).replace("%", of)
        else:
            patterns = {"vector": VECTORS, "number": NUMBERS, "table": TABLES, "cut": CUT}[kind]
            value = self.filled(choice(patterns))
        self.named[kind].append(name)
        return f"{name}←{value}"

    def changed(self) -> str:
        """A change of a vector in place, or of a name for it."""
        choice = self.random.choice
        v = choice(self.vectors)
        own = [place for place, of in self.places if of == v]
        places = choice(own) if own and self.random.random() < 0.7 else f"({choice(PLACES).replace('%', v)})"
        change = choice(CHANGES).replace("v", v).replace("i", places)
        return change.replace("k", choice(ONE))

    def question(self) -> str | None:
        """What is asked of a name."""
        kinds = [kind for kind, names in self.named.items() if names]
        if not kinds:
            return None
        kind, name = self.random.choice(kinds), self.fresh()
        of = self.random.choice(self.named[kind][-3:])
        self.asked.append(name)
        return f"{name}←{self.random.choice(ASKED[kind]).replace('%', of)}"

    def statements(self, least: int, most: int) -> list[str]:
        """Things made, changes, and questions behind them."""
        lines: list[str] = [self.made()]
        for _ in range(self.random.randint(least, most)):
            dice = self.random.random()
            lines.append(
                self.made()
                if dice < 0.3
                else self.changed()
                if dice < 0.7
                else self.question() or self.made()
            )
        last = self.question()
        return [*lines, last] if last else lines

    def result(self) -> str:
        """Some of what was asked, or a vector that changed."""
        asked = self.random.sample(self.asked, min(len(self.asked), self.random.randint(1, 3)))
        own = [self.random.choice(self.vectors)] if self.random.random() < 0.5 else []
        return " ".join(asked + own)

    def flat(self) -> list[str]:
        """Statements one behind another."""
        return [*self.statements(3, 9), self.result()]

    def defined(self) -> list[str]:
        """A definition that is applied once, twice, or to each of some."""
        self.vectors = ["p"]
        inside = self.statements(2, 6)
        last = self.random.choice(
            ("p", "p", f"p+{self.random.choice(('≢', '+/'))}{self.asked[-1]}" if self.asked else "p")
        )
        if self.random.random() < 0.4:
            last = self.result()
        use = self.random.choice(("f v", "f⍣2⊢v", "f¨v w", "f¨(⊂v),⊂2↓w", "f f v", "(f⍣3)w", "(f v)(f w)v"))
        return [f"f←{{p←⍵ ⋄ {' ⋄ '.join(inside)} ⋄ {last}}}", use]

    def looped(self) -> list[str]:
        """Statements in a loop, some before it and some behind."""
        self.vectors = ["v", "u"]
        before = self.statements(0, 2)
        inside = self.statements(1, 5)
        gathered = f"r←r,≢{self.random.choice(self.asked)}" if self.asked else "r←r,1"
        after = self.statements(0, 2)
        head = self.random.choice((":For i :In ⍳3", ":While 3>≢r", ":Repeat"))
        end = {":F": ":EndFor", ":W": ":EndWhile", ":R": ":Until 2<≢r"}[head[:2]]
        guarded = [
            f":If 2|≢r ⋄ {line} ⋄ :EndIf"
            if "[" in line.split("←")[0] and self.random.random() < 0.3
            else line
            for line in inside
        ]
        lines = ["r←⍬", *before, head, *guarded, gathered, end, *after]
        return ["∇ z←f v;u", "u←⌽v", *lines, f"z←r ({self.result()})", "∇", "f v"]


def program_of_questions(random: Random) -> Program:
    """A program with its inputs, vectors of one length."""
    made = Asked(random)
    lines = random.choice((made.flat, made.defined, made.looped))()
    numbers = np.random.default_rng(random.randrange(2**32))
    length, inputs = random.choice((0, 1, 2, 3, 7, 16, 33, 70)), dict[str, Value]()
    for name in ("v", "w"):
        dtype = random.choice(DTYPES)
        scale = 0.5 if dtype == "float64" and random.random() < 0.5 else 1
        inputs[name] = (numbers.integers(0, 2 if dtype == "bool" else 7, length) * scale).astype(dtype)
    nodes: list[Node] = [array(line) for line in lines]
    tree = body(nodes)
    return Program(
        tree, {name: value for name, value in inputs.items() if search(rf"\b{name}\b", tree.text())}
    )
