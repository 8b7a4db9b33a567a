"""Programs over long vectors: filters, keys, gathers, scatters, scans, sorts, moves, windows, groups, folds,
loops, each of the values of the others, which are read early and late, once and several times, and change in
between. Lengths are those about which loops, lanes, threads and sorts change their ways.

Other random programs have vectors of a few elements. Here the patterns are few; how they meet is what varies.

A letter of a pattern is an operand, all but `u` of one length: `x y` numbers, `b c` truth values, `k` whole
numbers from 1 to `MOST_KEYS`, `v w` elements of any one kind, `u` numbers of any length, `s` a number; `m` a
matrix, `A` the name of what changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from random import Random

import numpy as np

from tests.support.apl_programs.goals import Goals
from tests.support.apl_programs.layouts import laid_out
from tests.support.apl_programs.trees import Node, Program, Value, array, body, used

LENGTHS = (0, 1, 2, 15, 64, 127, 128, 129, 257, 1000, 1000, 1024, 4096, 4096, 8193, 8193, 16384, 70001)
MOST_IN_ORDER = 4200
"""So many elements the interpreter takes one by one."""
MOST_KEYS = 20
MOST_INPUTS = 8
DTYPES = {
    "int": ("int64", "int64", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32"),
    "double": ("float64", "float64", "float64", "float32"),
    "bool": ("bool",),
    "char": ("U1",),
}
WILD = ((np.nan,), (np.inf,), (-np.inf, np.inf), (-0.0, 0.0), (np.nan, np.inf, -0.0), (1e30,))
NUMBERS = ("int", "double", "bool", "key")
KINDS = {
    "x": NUMBERS,
    "y": NUMBERS,
    "b": ("bool",),
    "c": ("bool",),
    "k": ("key",),
    "z": ("complex",),
    "p": ("pieces",),
    "q": ("texts", "pieces"),
}
"""What the elements of an operand are; a key is an int, too. The last ones are those of `riches`."""

SAME = {
    "n": "x+y x-y x⌈y x⌊y x×b (x×b)+y×~b 2×x -x |x x-1 5|x x-s s-x x⌈s +\\x ⌈\\x ⌊\\x ⌽+\\⌽x ⌽⌈\\⌽x x-¯1↓0,x "
    "(1↓x,0)-x 2-/x,0 3+/0,x,0 4⌈/x,0,0,0 (⌈\\x)-x (⌈\\x)-⌊\\y b×+\\x x+⌽x x-1⌽x x⌈¯1⌽y y+x[⍋x] x[⍋y]-x "
    "x-⌈/y x-⌊/x (+\\b)×x +\\x×b ⌈\\x×b x×x<s (x-y)×(x-y)>s x+y[⍒x] (+\\x)-⌈\\y x-⌊x÷3 (x<0)-x>y",
    "v": "⌽v 3⌽v ¯130⌽v v[⍋x] v[⍋v] v[⍒v] v[⌽⍋v] v[⍋⍋x] (1↓v),⊃v (¯2↑v),¯2↓v (≢v)↑7↓v (-≢v)↑¯5↓v ⌽2⌽⌽v "
    "(b/v),(~b)/v v[⍋b] (5⌽v)[⍋x] (⌽v)[⍋⌽w] v[1⌈(⍳≢v)-b] v[(≢v)⌊1+⍳≢v] v[1⌈⌈\\b×⍳≢b] b\\b/v v[⍒b] 1⌽¯1⌽v "
    "(⌽3↑v),3↓v",
    "bool": "x>y x≥s x=y x≠¯1⌽x v=w v≠⌽v b∧c b∨c ~b b≠c b∧~c ≠\\b ∧\\b ∨\\b <\\b x=⌈\\x x<⌽⌊\\⌽x x∊u ≠v "
    "x=⌈/x 1,1↓v≠¯1⌽v b<1⌽c v=⊃v (⍳≢b)∊⍸c b∧x>s 0=3|⍳≢v v∊3↑w b\\c/⍨b (≢b)⍴1,0,0 k=3 k>s",
    "int": "⍋v ⍒v ⍋⍋x +\\b ⍳≢v b×⍳≢b +\\v≠¯1⌽v ×x v⍳w u⍳x (+\\b)-⌈\\(~b)×+\\b ⌈\\b×⍳≢b b-c +\\b-c k×b ⍋k "
    "k+k[⍋x] +\\k ⌽⌊\\⌽(b×⍳≢b)+1000×~b",
    "double": "x÷4 0.5×x x÷1+|y (+\\x)÷⍳≢x x×0.25×b |x-0.5×y x×1-x",
    "key": "1+20|⌊x k 1+20|⍳≢v 1+b+2×c 21-k 20⌊1⌈⌊x k⌈1⌽k k[⍋x] ⌈\\k ⌽k",
}
"""What is as long as its operands, by the kind of its elements: `n` those of numbers, `v` those of `v`."""
OTHER = {
    "v": "∪v 5↓v ¯129↓v v,w v,⌽v (5⌊≢v)↑v (⌊(≢v)÷2)↑v (⌈(≢v)÷2)↓v k/v v~3↑v (1,2≠/v)/v v/⍨1,1↓v≠¯1⌽v 100↑v "
    "¯300↑v ((≢v)⍴1,0)/v 1↓2⌽v (x>s)/v (1+b)/v v[⍸b∧c] (b∨c)/⌽v v∪w v∩⌽w (3-b)/v",
    "n": "2-/x 3+/x 16⌈/x 5⌊/x (⍸b)-¯1↓0,⍸b 2-/⍸b,1 ⍸2</0,b +⌿k∘.=⍳20 x+.×k∘.=⍳20 k{+/⍵}⌸x k{⌈/⍵}⌸x "
    "(b/x)-b/y +\\b/x ⌈\\(~b)/x (b/x)[⍋b/y] 2+/b/x",
    "int": "⍸b ⍸x>s (⍋x)[⍳5⌊≢x] ⍋b/x ⍸v≠1⌽v (⍳≢v)~⍸b {≢⍵}⌸k (⍳20)⍳k +/k∘.=⍳20",
}
"""What is longer or shorter."""
GROUPS = {
    "n": "+/¨b⊂x ⌈/¨b⊂x +/¨b⊆x {⊃⌽⍵}¨b⊂x {+/⍵-⊃⍵}¨(1,1↓b)⊂x +/¨k⊆x ⊃,/⌽b⊂x ⊃,/{⍵[⍋⍵]}¨b⊂x ⊃,/+\\¨(1,1↓b)⊂x",
    "int": "≢¨b⊂v ≢¨b⊆v ≢¨(1+b)⊆v {≢∪⍵}¨b⊂v ≢¨k⊆v k{≢∪⍵}⌸v {+/⍵∊5}¨b⊂k v{≢⍵}⌸w {≢⍵}⌸v",
}
FOLDS = {
    "n": "+/x ⌈/x ⌊/x +/x×y +/b/x ⌈/b/x ⌈/+\\x ⌊/x-y +/|x ⌈/x[⍋y]×⍳≢x +/3+/x ⌈/2-/x ⊃⌽x ⊃x +/x[⍸b] ⌈/x⌊⌽y",
    "int": "≢v +/b b⍳1 ⊃⍋x ⊃⍒x v⍳⊃⌽v ≢∪v +/2</x ⊥⍨b +/x=⌈\\x +/∧\\b ≢b/v +/v=⊃v +/b∧c +/b×⍳≢b ≢{≢⍵}⌸v "
    "⌈/+\\b-c ≢(x>s)/x ⌈/{≢⍵}⌸k +/k×⍳≢k",
    "bool": "∨/b ∧/b ≠/b v≡w v≡⌽v ∨/x>s ∧/x≥y (⍋v)≡⍋w",
    "double": "(+/x)÷1⌈≢x (+/x×x)*0.5 +/x÷1+|y 0.5×⌈/x",
}
AS_MANY = "⍋v ⌽⍳≢v (≢v)⌊1⌈⌊x v⍳w ⍒v (⍳≢v)[⍋v] 1+(≢v)|⌊x 1+(≢v)|+\\⌊x"
PLACES = "1+(≢v)|⌊u ⍸b 1+(≢v)|+\\⌊u 1+(≢v)|⍳300 ⍸x>s (⍋v)[⍳9⌊≢v]"
"""Places in `v`: as many as it has elements, and more or fewer."""
ROUNDS = {
    "n": "{(1⌽⍵)⌈⍵-1}⍣3⊢x {2|⍵+1⌽⍵}⍣5⊢x {⍵[⍋⍵]-y}⍣2⊢x {(⍵>s)/⍵}⍣2⊢x {⍵+0.5×(¯1⌽⍵)-⍵}⍣4⊢0.5×x {b\\b/⍵}⍣2⊢x",
    "v": "{⍵[k]}⍣2⊢v {(⌽2↑⍵),2↓⍵}⍣3⊢v {1↓⍵,⊃⍵}⍣9⊢v",
    "bool": "{≠\\⍵}⍣7⊢b {⍵∨1⌽⍵}⍣20⊢b {⍵∧¯1⌽⍵}⍣≡b",
}
TABLES = (
    "+/m ⌈⌿m +⌿m ⌊/m ,⍉m ,⌽m m[;1] m[1;] ,+\\m ,⌈⍀m +/m×m ,⌈/+/m ,m-⍤1⊢⌈⌿m ,+/,m>s (+⌿m),+/m (+/m)[⍋⌈/m] "
    "+⌿⊖m ,1⊖m ,2⌽m +/⍉m ,m[⌽⍳≢m;] {⊃⍒⍵}⍤1⊢m ⌈/¨↓m ,{⍵[⍋⍵]}⍤1⊢m {+/2</⍵}⍤1⊢m ,3+/m m+.×⍳2⊃⍴m (⍳≢m)+.×m "
    ",(⌈/m)∘.-⌊/m ,m-⍤1⊢⊃⍤1⊢m"
)
CHANGES = (
    "A[⍸b]←s A[⍸b]←b/y A[⍋x]←y A[⍋x]←A (b/A)←s A[⍸b]+←1 A[⍸b]×←2 A[⌽⍳≢A]←y A[k]+←x A[k]+←1 A[⍸x>s]←s "
    "A[1⌈⌊|x]←y A[⍸b]←⌽A[⍸b] A[⍸A>s]←s A+←y A⌈←⌽A A[1+(≢A)|⌊x]+←y A[1+(≢A)|⌊x]←y A[1+(≢A)|⌊x]⌈←y "
    "((A>s)/A)←s A[⍋A]←⍳≢A A[⍸b]←0 A[1]←s A[≢A]←s"
)
LOOPS = (
    ("r←0 ⋄ m←0", "e :In x", "m←m⌈e|:If e>m-2|r+←e|:EndIf"),
    ("r←20⍴0", "e :In k", "r[e]+←1"),
    ("r←20⍴0", "j :In ⍳≢k", "r[k[j]]⌈←j"),
    ("r←0×x", "j :In 1↓⍳≢x", "r[j]←5|r[j-1]+x[j]"),
    ("r←x", "j :In 1↓⍳≢x", ":If r[j]<r[j-1]|r[j]←r[j-1]|:EndIf"),
    ("r←0⍴x", "e :In x", ":If e>0|r,←e|:EndIf"),
    ("r←0 ⋄ j←0", "e :In b", "j+←1|:If e|r←j|:Leave|:EndIf"),
    ("r←x ⋄ w←y", "j :In ⍳4", "w←j⌽w|r+←w×j|:If j≤≢w|w[j]←0|:EndIf"),
    ("r←x ⋄ w←y", "j :In ⍳5", "t←r|r←w⌈1⌽r|w←t-⌈/0,r"),
    ("r←x ⋄ w←x", "j :In ⍳3", "r←(b\\b/r)|w←⌽w|r←(⌽r)+w"),
    ("r←⍳≢x ⋄ t←0", "j :In ⍳≢x", "t←t+x[j]|:If t>3|t←t-3|r[j]←j+1|:Continue|:EndIf|r[j]←-r[j]"),
    ("r←0", "e f :InEach x y", "r←r⌈e-f"),
    ("r←x", "j :In ⍳⌊0.5×≢x", "t←r[j]|r[j]←r[1+(≢x)-j]|r[1+(≢x)-j]←t"),
    ("r←0×x", "j :In ⍳3", "r[⍸b]+←j|r←1⌽r|r[⍋x]←r"),
)
"""What is in front of a loop, what it goes over, and its statements; the operands are arguments."""
FUNCTIONS = (
    *(
        "{⍵[⍋⍵]}",
        "{(⍵>0)/⍵}",
        "{(+\\⍵)-⌈\\⍵}",
        "{b←⍵>⊃⍵ ⋄ (b/⍵),(~b)/⍵}",
        "{(⌽⍵)⌈⍵}",
        "{⍵-(+/⍵)÷1⌈≢⍵}",
        "{∪⍵}",
    ),
    *("{a←⍵ ⋄ a[⍋⍵]←⍳≢⍵ ⋄ a-⍵}", "{1≥≢⍵:⍵ ⋄ ⍵-⌊/⍵}", "{(+/⍵),(⌈/⍵),≢⍵}", "{3+/0,⍵,0}", "{(+/0⌈⍵),+/0⌊⍵}"),
    *("{(≢⍵)≤1:⍵ ⋄ p←⍵[⌈0.5×≢⍵] ⋄ ((⍵<p)/⍵),((⍵=p)/⍵),(⍵>p)/⍵}", "{r←⍵ ⋄ r[⍸⍵<0]←0 ⋄ r+⌽r}", "{{⍵+1⌽⍵}⍣2⊢⍵}"),
)


@dataclass(frozen=True)
class Vector:
    """A value under a name, the kind of its elements, and what it shares with values that are as long."""

    name: str
    base: str
    length: Hashable

    @property
    def atom(self) -> Node:
        return array(self.name, is_atom=True)


class Vectors(Goals):
    """The statements of one program, and what they have named."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.statements: list[Node] = self.beginning()
        self.known: list[Vector] = []
        self.scalars: list[Node] = []
        self.lengths = [self.pick(*LENGTHS) for _ in range(self.pick(1, 1, 2))]
        for length in self.lengths:
            for _ in range(self.pick(1, 2, 2, 3)):
                self.given(self.pick("int", "int", "int", "double", "double", "bool", "char"), length)

    def beginning(self) -> list[Node]:
        """What is in front of all statements."""
        return []

    # --- inputs ---

    def given(self, base: str, length: int) -> Vector:
        """A new input."""
        numbers = np.random.default_rng(self.random.randrange(2**32))
        most = MOST_KEYS if base == "key" else self.pick(2, 5, 20, 100, 100, 30000)
        made: Value = numbers.integers(0, most, length)
        form = self.pick("", "", "", "sorted", "runs", "few", "steps", "same")
        if form == "sorted":
            made = np.sort(made)
        elif form == "runs":
            made = np.repeat(made, self.pick(2, 7, 300))[:length]
        elif form == "few":
            made = made * (numbers.random(length) < 0.01)
        elif form == "steps":
            made = np.arange(length) * self.pick(1, 7) % most
        elif form == "same":
            made = made[:1].repeat(length)
        dtype = self.pick(*DTYPES["int" if base == "key" else base])
        if base == "key":
            made = made + 1
        elif base == "bool":
            made = made > self.pick(0, 1, most // 2)
        elif base == "char":
            made = np.array(list("abcdefgh ,.xyz"))[made % 14]
        elif base == "double":
            made = (made - self.pick(0, most // 2)) / self.pick(1, 2, 4)
        else:
            limits = np.iinfo(dtype)
            made = np.clip(made - self.pick(0, 0, most // 2), limits.min, limits.max)
        made = np.asarray(made).astype(dtype)
        if length and self.wild and base in ("int", "double") and self.chance(0.5):
            places = numbers.integers(0, length, self.pick(1, 2, 20))
            limits = None if base == "double" else np.iinfo(dtype)
            some = self.pick(*WILD) if limits is None else (limits.min, limits.max)
            made[places] = numbers.choice(np.array(some, dtype), len(places))
        name = self.fresh(base[0].upper())
        self.inputs[name] = laid_out(made, self.random)
        self.known.append(Vector(name, base, length))
        return self.known[-1]

    # --- operands ---

    def choose(self, bases: tuple[str, ...], length: Hashable) -> Vector:
        """A value of some kind and length, the last ones more often; where there is none, another input, or
        what is made of numbers that are as long.
        """
        found = [v for v in self.known if v.length == length and v.base in bases]
        if found and self.chance(0.9):
            return self.random.choice(found[-3:] if self.chance(0.5) else found)
        if isinstance(length, int) and len(self.inputs) < MOST_INPUTS:
            return self.given(self.pick(*bases), length)
        like = [v for v in self.known if v.length == length]
        numbers = [v for v in like if v.base in NUMBERS]
        if bases[0] not in ("bool", "key") or not numbers:
            return self.random.choice(found or numbers or like)
        pattern = "%>1" if bases[0] == "bool" else "1+20|⌊%"
        return self.named(array(pattern, self.random.choice(numbers).atom), bases[0], length)

    def filled(self, pattern: str, length: Hashable, **given: Vector) -> tuple[Node, dict[str, Vector]]:
        """A pattern with operands, of which some are given."""
        chosen = dict(given)
        holes: list[Node] = []

        def operand(found: re.Match[str]) -> str:
            letter = found[0]
            if letter == "s":
                literal = array(self.pick("0", "1", "2", "3", "7", "¯1"), is_atom=True)
                holes.append(self.pick(literal, literal, *self.scalars[-2:]))
                return "%"
            if letter not in chosen:
                of = self.pick(*self.known).length if self.chance(0.005) else length
                if letter == "u":
                    of = self.some_length()
                bases = KINDS.get(letter) or self.pick(NUMBERS, NUMBERS, NUMBERS, ("char",), ("bool",))
                if letter == "w" and "v" in chosen:
                    bases = (chosen["v"].base,)
                chosen[letter] = self.choose(NUMBERS if letter == "u" else bases, of)
            holes.append(chosen[letter].atom)
            return "%"

        text = re.sub(f"[{''.join(KINDS)}vwusAm]", operand, pattern)
        return array(text, *holes), chosen

    def made(self, base: str, pattern: str, length: Hashable) -> tuple[Node, str]:
        """A pattern filled, one of whose numbers may be an expression without a name; and the kind of its
        elements.
        """
        value, chosen = self.filled(pattern, length)
        numbers = {v.name for k, v in chosen.items() if k in "xy"}
        numbers -= {v.name for k, v in chosen.items() if k not in "xy"}
        places = [k for k, child in enumerate(value.children) if child.text() in numbers]
        if places and self.chance(0.3):
            inner, kind = self.made("n", self.pick(*SAME["n"].split()), length)
            k = self.pick(*places)
            children = [*value.children[:k], array("(%)", inner, is_atom=True), *value.children[k + 1 :]]
            value = Node(value.kind, value.pattern, tuple(children))
            chosen["x"] = Vector("", kind, length)
        if base == "v":
            base = chosen["v"].base if "v" in chosen else "int"
        if base == "n":
            base = "double" if any(v.base == "double" for k, v in chosen.items() if k in "xyu") else "int"
        return value, base

    def named(self, value: Node, base: str, length: Hashable = None) -> Vector:
        """A name for a value, of a length of its own unless that is said."""
        name = self.fresh("a")
        self.statements.append(array(f"{name}←%", value))
        self.known.append(Vector(name, base, name if length is None else length))
        return self.known[-1]

    def some_length(self) -> Hashable:
        """The length of something known, of the last more often."""
        return self.random.choice(self.known[-3:] if self.chance(0.4) else self.known).length

    # --- statements ---

    def same(self) -> None:
        base, length = self.pick(*SAME, "n", "n", "v", "v", "bool"), self.some_length()
        self.named(*self.made(base, self.pick(*SAME[base].split()), length), length)

    def filtered(self) -> None:
        """Filters by one mask, which are as long as each other."""
        length = self.some_length()
        mask = self.choose(("bool",), length)
        for _ in range(self.pick(1, 1, 2, 3)):
            base = self.pick("v", "v", "n", "n", "int")
            pattern = {"v": self.pick("v", "v", "⌽v"), "n": self.pick("x-y", "+\\x"), "int": "⍳≢v"}[base]
            value, base = self.made(base, pattern, length)
            self.named(array("%/%", mask.atom, value), base, ("/", mask.name))

    def gathered(self) -> None:
        """Elements at places, which may be places again; the last may be out of range."""
        length = self.some_length()
        source = self.random.choice([v for v in self.known if v.length == length])
        as_many = self.chance(0.5)
        places, _ = self.filled(self.pick(*(AS_MANY if as_many else PLACES).split()), length, v=source)
        kept = length if as_many else None
        if self.chance(0.5):
            known = self.named(places, "int", kept)
            places, kept = known.atom, known.length
            if self.chance(0.05):
                self.statements.append(array("%[≢%]←1+≢%", places, places, source.atom))
        self.named(array("%[%]", source.atom, places), source.base, kept)

    def other(self) -> None:
        some = GROUPS if self.chance(0.25) and max(self.lengths) <= MOST_IN_ORDER else OTHER
        base = self.pick(*some)
        self.named(*self.made(base, self.pick(*some[base].split()), self.some_length()))

    def folded(self) -> None:
        base = self.pick(*FOLDS, "n", "int")
        value, _ = self.made(base, self.pick(*FOLDS[base].split()), self.some_length())
        self.scalars.append(array(self.fresh("s"), is_atom=True))
        self.statements.append(array("%←%", self.scalars[-1], value))

    def changed(self) -> None:
        """A copy of what is known, or that itself, with elements changed."""
        length = self.some_length()
        one = self.choose(("int", "double"), length)
        if one.name in self.inputs or self.chance(0.7):
            one = self.named(one.atom, one.base, length)
        for _ in range(self.pick(1, 1, 2)):
            pattern = self.pick(*CHANGES.split())
            if pattern.startswith("A[k]") and self.chance(0.7):
                one = self.named(array(self.pick("20⍴0", "20⍴0.5")), "int", MOST_KEYS)
            self.statements.append(self.filled(pattern, length, A=one)[0])

    def rounds(self) -> None:
        base = self.pick(*ROUNDS)
        self.named(*self.made(base, self.pick(*ROUNDS[base].split()), self.some_length()))

    def table(self) -> None:
        """A matrix of few long rows, or many short ones, perhaps an input, and something of it."""
        rows = self.pick(0, 1, 2, 3, 7, 100, 700)
        columns = self.pick(0, 1, 2, 3, 8, 17, 100) if rows >= 7 else self.pick(1, 64, 129, 1000)
        if self.chance(0.5) and len(self.inputs) < MOST_INPUTS:
            m = self.given(self.pick("int", "double"), rows * columns)
            made = self.inputs[m.name].reshape(rows, columns, order=self.pick("C", "F"))
            self.inputs[m.name] = laid_out(made, self.random)
            self.known.pop()
        else:
            source = self.choose(("int", "double"), self.some_length())
            m = Vector(self.fresh("m"), source.base, None)
            self.statements.append(array("%←%⍴%", m.atom, array(f"{rows} {columns}"), source.atom))
        for _ in range(self.pick(1, 1, 2, 3)):
            self.named(self.filled(self.pick(*TABLES.split()), None, m=m)[0], m.base)

    def defined(self) -> None:
        """A function, and its values for vectors of one length or of several."""
        f = array(self.fresh("f"), is_atom=True)
        self.statements.append(array(f"%←{self.pick(*FUNCTIONS)}", f))
        for _ in range(self.pick(1, 2, 2, 3)):
            one = self.choose(NUMBERS, self.some_length())
            self.named(array("% %", f, one.atom), "double" if one.base == "double" else "int")

    def printed(self) -> None:
        """What is seen before the end, also where that is an error."""
        if self.scalars:
            self.statements.append(array("⎕←%", self.scalars[-1]))

    def loop(self) -> None:
        """A definition with a loop, and its value."""
        length = self.some_length()
        before, over, inside = self.pick(*LOOPS)
        if max(self.lengths) > MOST_IN_ORDER and re.search("≢|[xyk]$", over):
            return  # a round for each element
        letters = sorted(set(re.findall("[xybk]", f"{before} {over} {inside}")))
        chosen = [self.choose(KINDS[k], length).atom for k in letters]
        f = self.fresh("loop")
        lines = [f"∇ r←{f} g;{';'.join(letters)};e;f;j;m;w;t"]
        lines += [f"({' '.join(letters)})←g" if len(letters) > 1 else f"{letters[0]}←g"]
        lines += [before, f":For {over}", *inside.split("|"), ":EndFor", "∇"]
        self.statements.append(array("\n".join(lines)))
        self.named(array(f"{f} " + " ".join(["%"] * len(chosen)), *chosen), "int")

    def makers(self) -> list[Callable[[], object]]:
        """What makes statements, by turns."""
        return [
            *[self.same] * 8, *[self.filtered] * 3, *[self.gathered] * 3, *[self.other] * 3,
            *[self.folded] * 3, *[self.changed] * 3, self.rounds, self.table, self.loop,
            self.defined, self.printed,
        ]  # fmt: skip

    def folds_of(self, result: Node) -> tuple[str, ...]:
        """What of a result may be told in place of it."""
        return ("+/", "⌈/", "≢", "⊃", "⊃⌽")

    def program(self) -> Program:
        makers = self.makers()
        for _ in range(self.pick(2, 4, 4, 6, 6, 9, 14)):
            self.random.choice(makers)()
        names = [v.atom for v in self.known if v.name not in self.inputs]
        ends = [*names[-1:], *[self.pick(*names) for _ in range(self.pick(0, 1, 1, 2, 3)) if names]]
        results = list(dict.fromkeys([*ends, *self.scalars[-3:]])) or [array("0")]
        if self.chance(0.4):  # folds of what would be large
            folds = [self.pick(*self.folds_of(each)) for each in results]
            results = [array(f"({fold},%)", each) for fold, each in zip(folds, results, strict=True)]
        tree = body([*self.statements, array(" ".join(["%"] * len(results)), *results)])
        return Program(tree, used(self.inputs, tree))


def program_of_vectors(random: Random) -> Program:
    """A program with its inputs."""
    return Vectors(random).program()
