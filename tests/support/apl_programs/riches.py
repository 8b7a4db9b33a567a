"""Programs over long vectors that have complex numbers, arrays of arrays and comparison tolerances, too.

These are programs of `vectors` with operands of more kinds: `z` complex numbers, `p` pieces of vectors of
numbers, `q` pieces of any vectors. What only numbers in order have (`⌈`, `⍋`, `<`) is not asked of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random

import numpy as np

from tests.support.apl_programs.goals import TOLERANCES
from tests.support.apl_programs.layouts import laid_out
from tests.support.apl_programs.trees import Node, Program, array
from tests.support.apl_programs.vectors import MOST_IN_ORDER, NUMBERS, Vector, Vectors

RICH = ("complex", "pieces", "texts")
COMPLEX = (
    "x+0J1×y z+x z×z z-⌽z z×b 0J1×z +z ⌽z z[⍋x] 3⌽z z[⌽⍳≢z] b\\b/z x×z z+⊃z z-x×0J1 (z×b)+x×~b z÷2J1 +\\z ×z "
    "z×z=⌽z -z b×z z[1⌈(⍳≢z)-b] (1↓z),⊃z z÷1+|z"
)
OF_COMPLEX = {
    "double": "|z 9○z 11○z 12○z (9○z)-11○z |z-⌽z",
    "bool": "z=⌽z z≠¯1⌽z z∊3↑z z=x z=⊃z",
    "int": "z⍳⌽z (+\\z=⊃z)",
}
OTHER_COMPLEX = "b/z 5↑z ¯5↑z 1↓z ∪z z,z z,⌽x z[⍸b] (1+b)/z z~3↑z"
COMPLEX_FOLDS = "+/z ⊃z ⊃⌽z +/b/z +/z×z +/z×+z |+/z 9○+/z"
PIECES = "b⊂v (1,1↓b)⊂v b⊆v (1+b)⊆v k⊆v k{⊂⍵}⌸v {⊂⌽⍵}⌸v (1,2≠/v)⊂v (1,1↓v≠¯1⌽v)⊂v ⍳¨k (5⌊k)↑¨⊂v"
OF_PIECES = {
    "q": "⌽¨q 1↓¨q q[⍋≢¨q] (2<≢¨q)/q ⌽q 1⌽q 2↑q ¯3↑q q,⌽q q,q (≢q)↑1↓q ∪q {⍵,⍵}¨q ¯1↓q 2↑¨q q[⍸2<≢¨q]",
    "p": "+\\¨p {⍵[⍋⍵]}¨p p,¨1 ∪¨p {⍵/⍨⍵>⌊/⍵}¨p p+1 2×p -p {⍵-⊃⍵}¨p p×⌽¨p ⌈\\¨p {⍵+⍳≢⍵}¨p p+≢¨p",
}
FROM_PIECES = {
    "int": "≢¨q {≢∪⍵}¨q ⍋≢¨q (⌽≢¨q) q⍳q q⍳⌽q",
    "bool": "q≡¨⌽q (≢¨q)>2 q∊2↑q",
    "n": "+/¨p ⌈/¨p ⊃¨p {⊃⌽⍵}¨p ∊p ⊃p ⊃⌽p ∊⌽¨p ⊃,/⌽p {+/⍵×⍳≢⍵}¨p {(⌈/⍵)-⌊/⍵}¨p ,↑p +⌿↑p {+/2</⍵}¨p",
}
PIECES_FOLDS = "≢q ⌈/≢¨q ≢∊q ≢∪q q≡⌽q +/≢¨q ≢⊃q"


class Riches(Vectors):
    """The statements of one program of these."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        if random.random() < 0.6:
            self.given("complex", self.lengths[0])

    def beginning(self) -> list[Node]:
        tolerance = self.pick(None, *TOLERANCES)
        return [] if tolerance is None else [array(f"⎕CT←{tolerance!r}".replace("e-", "E¯"))]

    def given(self, base: str, length: int) -> Vector:
        """A new input; complex ones are made of two others."""
        if base != "complex":
            return super().given(base, length)
        parts = [super(Riches, self).given(self.pick("int", "double"), length) for _ in range(2)]
        dtype = self.pick("complex128", "complex128", "complex64", ">c16")
        real, imaginary = [self.inputs.pop(part.name) for part in parts]
        self.known = [v for v in self.known if v not in parts]
        name = self.fresh("Z")
        made = np.empty(len(real), np.complex128)
        made.real, made.imag = real, imaginary
        with np.errstate(over="ignore"):
            self.inputs[name] = laid_out(made.astype(dtype), self.random)
        self.known.append(Vector(name, base, length))
        return self.known[-1]

    def has(self, *bases: str) -> list[Vector]:
        return [v for v in self.known if v.base in bases]

    def of_some(self, patterns: str, *bases: str) -> tuple[Node, dict[str, Vector], Hashable]:
        """A pattern about one of some values, and the length of that."""
        pattern = self.pick(*patterns.split())
        letter = next(k for k in pattern if k in "zpq")
        one = self.pick(*(self.has("pieces") if letter == "p" else self.has(*bases)))
        value, chosen = self.filled(pattern, one.length, **{letter: one})
        return value, chosen, one.length

    def complex_numbers(self) -> None:
        """Complex numbers as many as others."""
        pattern = self.pick(*COMPLEX.split())
        ready = self.has("complex")
        if not ready:
            pattern = COMPLEX.split()[0]
        length = self.pick(*ready).length if "z" in pattern else self.some_numbers()
        self.named(self.filled(pattern, length)[0], "complex", length)

    def some_numbers(self) -> Hashable:
        some = self.has(*NUMBERS) or [self.given("int", self.lengths[0])]
        return self.pick(*some).length

    def of_complex(self) -> None:
        """Other complex numbers, or what is told of some; some of them changed."""
        if not self.has("complex"):
            self.complex_numbers()
        kind = self.pick("other", "other", "fold", "change", *OF_COMPLEX, *OF_COMPLEX)
        if kind == "other":
            self.named(self.of_some(OTHER_COMPLEX, "complex")[0], "complex")
        elif kind == "fold":
            self.scalars_of(self.of_some(COMPLEX_FOLDS, "complex")[0])
        elif kind == "change":
            one = self.pick(*self.has("complex"))
            new = self.named(one.atom, "complex", one.length)
            pattern = self.pick(
                "A[⍸b]←s", "A[⍸b]←b/x", "(b/A)←0J1", "A[⌽⍳≢A]←x", "A[⍸b]×←0J2", "A+←x", "A[1]←0J3"
            )
            self.statements.append(self.filled(pattern, one.length, A=new)[0])
        else:
            value, _, length = self.of_some(OF_COMPLEX[kind], "complex")
            self.named(value, kind, length)

    def scalars_of(self, value: Node) -> None:
        """A name for a number that nothing else is made of."""
        self.named(value, "fold")

    def pieces(self) -> None:
        """Pieces of a vector, as far as the interpreter has time for them."""
        short = [v for v in self.known if v.base not in (*RICH, "fold") and self.is_short(v)]
        if not short:
            return
        v = self.pick(*short)
        value, _ = self.filled(self.pick(*PIECES.split()), v.length, v=v)
        base = "texts" if v.base == "char" and "⍳¨" not in value.text() else "pieces"
        self.named(value, base)

    def is_short(self, v: Vector) -> bool:
        of = self.inputs.get(v.name)
        return max(self.lengths) <= MOST_IN_ORDER if of is None else of.size <= MOST_IN_ORDER

    def of_pieces(self) -> None:
        """Other pieces, or what is told of each."""
        if not self.has("pieces"):
            self.pieces()
        if not self.has("pieces", "texts"):
            return
        kinds = [*OF_PIECES, *FROM_PIECES, "fold"] if self.has("pieces") else ["q", "int", "bool", "fold"]
        kind = self.pick(*kinds)
        if kind == "fold":
            self.scalars_of(self.of_some(PIECES_FOLDS, "pieces", "texts")[0])
        elif kind in OF_PIECES:
            value, chosen, _ = self.of_some(OF_PIECES[kind], "pieces", "texts")
            self.named(value, next(v.base for k, v in chosen.items() if k in "pq"))
        else:
            value, _, _ = self.of_some(FROM_PIECES[kind], "pieces", "texts")
            self.named(value, "double" if kind == "n" else kind)

    def some_length(self) -> Hashable:
        """The length of some vector of one axis that has elements in order."""
        plain = [v for v in self.known if v.base not in (*RICH, "fold")] or [
            self.given("int", self.lengths[0])
        ]
        return self.random.choice(plain[-3:] if self.chance(0.4) else plain).length

    def choose(self, bases: tuple[str, ...], length: Hashable) -> Vector:
        """As of vectors; complex numbers that are as long are told by their parts."""
        if bases == ("complex",) and not any(v.length == length for v in self.has("complex")):
            x, y = [self.choose(("int", "double"), length) for _ in range(2)]
            return self.named(array("%+0J1×%", x.atom, y.atom), "complex", length)
        as_long = [v for v in self.known if v.length == length]
        if not any(v.base in NUMBERS for v in as_long) and any(v.base == "complex" for v in as_long):
            z = next(v for v in as_long if v.base == "complex")
            self.named(array("9○%", z.atom), "double", length)
        elif not any(v.base not in (*RICH, "fold") for v in as_long):
            length = self.some_length()
        hidden = self.known
        self.known = [v for v in hidden if v.base in bases or v.base not in (*RICH, "fold")]
        seen = len(self.known)
        try:
            return super().choose(bases, length)
        finally:
            self.known = [*hidden, *self.known[seen:]]

    def gathered(self) -> None:
        """As of vectors, of these only."""
        hidden = self.known
        self.known = [v for v in self.known if v.base not in (*RICH, "fold")]
        seen = len(self.known)
        super().gathered()
        self.known = [*hidden, *self.known[seen:]]

    def makers(self) -> list[Callable[[], object]]:
        rich = [
            self.complex_numbers,
            self.of_complex,
            self.of_complex,
            self.pieces,
            self.of_pieces,
            self.of_pieces,
        ]
        return [*super().makers(), *rich * 4]

    def folds_of(self, result: Node) -> tuple[str, ...]:
        bases = {v.base for v in self.known if v.name == result.text()}
        return (
            ("≢", "⊃", "⌽")
            if bases & {"complex", "char", "fold"}
            else ("≢",)
            if bases & {*RICH}
            else super().folds_of(result)
        )


def program_of_riches(random: Random) -> Program:
    """A program with its inputs."""
    return Riches(random).program()
