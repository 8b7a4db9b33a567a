"""Programs of recursive functions that join what their calls give with other rows: along the first axis or
the last one, in the order of the calls and in another, some of it twice, some of it changed. Base cases
differ in their extents, some errors lie in calls deep inside, and some in what is joined.
"""

from random import Random

import numpy as np

from tests.support.apl_programs.trees import Program, array, body

VECTORS = {
    "int": (
        "⍬",
        ",n",
        "⍳n",
        "3⍴n",
        "v",
        "n↑v",
        "(2|v)/v",
        "n,-n",
        "v[n]",
        "10÷n-2",
        "n 2 7[1+2|n]",
        "(≢v)⍴n",
    ),
    "double": ("0⍴0.5", ",n÷2", "÷⍳n", "3⍴0.5", "v", "n↑v", "(v>1)/v", "n,÷n", "v[n]", "10÷n-2", "v×n", "|v"),
    "bool": (
        "0⍴1=1",
        ",n>2",
        "2|⍳n",
        "3⍴n=1",
        "v",
        "n↑v",
        "v/v",
        "(n>1),1=1",
        "v[n]",
        "70⍴2|n",
        "~v",
        "v≠n>1",
    ),
    "char": (
        "''",
        ",'A'",
        "n⍴'ab'",
        "'(',')'",
        "v",
        "n↑v",
        "(v='a')/v",
        "'abcde'[n]",
        "v[n]",
        "⌽v",
        "70⍴'xy'",
        "⍕n",
    ),
}
"""What vectors of each kind are made of an argument n, and of a vector v of outside."""
MATRICES = (
    "0 %⍴n",
    "1 %⍴n",
    "(n,%)⍴⍳9",
    "2 %⍴v",
    "(≢v)%⍴n",
    "1 %⍴n÷2",
    "(2|n)%⍴v",
    "(,n)∘.+⍳%",
    "%↑⍤1⊢n 4⍴v",
)
CHANGED = ("%", "%", "%", "%", "n+%", "n+%", "-%", "⌽%", "¯1↓%", "(≢%)⍴%", "%[⍋%]", "1⌽%")
OF_BITS = ("%", "%", "%", "%", "~%", "⌽%", "%∧n>1", "¯1↓%", "≠\\%", "1⌽%")
OF_LETTERS = ("%", "%", "%", "%", "⌽%", "¯1↓%", "%[⍋%]", "1⌽%")
CALLS = ("f n-1", "f n-1", "f n-1", "f n-2", "f n-1+2|n", "f ⌊n÷2")
MOST = 6
STORAGES = {"int": "int64", "double": "float64", "bool": "bool", "char": "<U1"}


class Joins:
    """The state of one generation."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.is_mixed = random.random() < 0.1
        self.columns = random.choice((0, 0, 0, 1, 2, 2, 3))
        """Of matrices; none of vectors."""
        self.kind = random.choice(("int", "double") if self.columns else list(VECTORS))
        self.comma = random.choice("⍪⍪⍪,") if self.columns else ","
        self.function = "g" if random.random() < 0.15 else "f"
        """What the function calls: itself, or one inside it that calls it."""

    def some(self, *, base: bool = False) -> str:
        """An array without calls, which is not always of the same columns."""
        random = self.random
        if self.columns and (base or random.random() < 0.95):
            columns = str(self.columns if random.random() < 0.93 else random.randint(0, 3))
            return random.choice(MATRICES).replace(
                "%", columns if random.random() < 0.8 else f"({columns}+0×n)"
            )
        kind = random.choice(list(VECTORS)) if self.is_mixed and random.random() < 0.3 else self.kind
        return random.choice(VECTORS[kind])

    def call(self) -> str:
        """A call of the function."""
        return self.random.choice(CALLS).replace("f", self.function, 1)

    def changed(self, of: str) -> str:
        """A result, or something made of it element by element, or in another way."""
        forms = {"bool": OF_BITS, "char": OF_LETTERS}.get(self.kind, CHANGED)
        form = self.random.choice((*forms[:4], "n+%", "⊖%", "-%", "¯1↓%") if self.columns else forms)
        return form.replace("%", f"({of})")

    def joined(self) -> list[str]:
        """Statements, the last of which is a join."""
        random = self.random
        lines: list[str] = []
        parts: list[str] = []
        names: list[str] = []
        for k in range(random.randint(1, 2)):
            if random.random() < 0.5:
                names.append("rs"[k])
                lines.append(
                    f"{names[-1]}←{self.changed(self.call()) if random.random() < 0.3 else self.call()}"
                )
            else:
                parts.append(self.changed(self.call()))
        parts += [self.changed(name) for name in names for _ in range(random.choice((1, 2, 2)))]
        parts += [self.some() for _ in range(random.choice((0, 1, 1, 2)))]
        if names and not self.columns and random.random() < 0.15:
            parts.append({"char": "⊃%", "bool": "∨/%"}.get(self.kind, "+/%").replace("%", names[0]))
        random.shuffle(parts)
        join = self.comma.join([f"({part})" for part in parts])
        if random.random() < 0.1:
            join = self.changed(join)
        return [*lines, join]

    def function_of(self, name: str) -> str:
        """A function of n."""
        random = self.random
        lines = ["n←⍵", f"⍵≤{random.choice((0, 0, 1))}:{self.some(base=True)}"]
        for _ in range(random.choice((0, 0, 1, 2))):
            test = random.choice((f"⍵={random.randint(1, 4)}", "3=4|⍵", "⍵>4"))
            one = self.joined()
            if len(one) > 1 or random.random() < 0.4:
                one = [random.choice((self.some(base=True), self.call()))]
            lines.append(f"{test}:{one[0]}")
        return f"{name}←{{{' ⋄ '.join([*lines, *self.joined()])}}}".replace("f ", "∇ ")

    def program(self) -> Program:
        """The functions, and a call or several."""
        random = self.random
        length = random.choice((0, 1, 3, 4, 4, 70))
        values: dict[str, list[object]] = {
            "int": [random.randint(-3, 9) for _ in range(length)],
            "double": [random.choice((0.5, 1.0, -2.5, 3.0, np.nan)) for _ in range(length)],
            "bool": [random.random() < 0.5 for _ in range(length)],
            "char": [random.choice("abc") for _ in range(length)],
        }
        v = np.array(values[self.kind], STORAGES[self.kind])
        lines = [self.function_of("f")]
        if self.function == "g":
            inner = f"{{⍵≤0:{self.some(base=True)} ⋄ n←⍵ ⋄ ({self.some()}){self.comma}f ⍵-1}}"
            lines = [lines[0].replace("f←{", "f←{n←⍵ ⋄ g←" + inner + " ⋄ ", 1)]
        use = random.choice(
            ("f k", "f k", "f k", "≢f k", "(f k),f k-1", "f¨⍳k", "{≢,f ⍵}¨⍳k", "⍴f k", "∊f¨k,1")
        )
        k = np.array(random.choice((-1, 0, 1, 2, 3, 3, 4, 4, 5, MOST)), np.int64)
        inputs = {"v": v, "k": k}
        tree = body([array(line) for line in [*lines, use]])
        return Program(tree, {name: value for name, value in inputs.items() if name in tree.text()})


def program_of_joins(random: Random) -> Program:
    """A program with its inputs: a vector, and how deep the calls are."""
    return Joins(random).program()
