"""Programs whose loops keep stacks, queues and rows: in each round a command says which of them grows or
shrinks, and where, in the branches of a choice. So their memory stays in place, moves along, is handed on,
and must be other memory where an old one is still wanted.
"""

from random import Random

import numpy as np

from tests.support.apl_programs.trees import Program, array, body

KINDS = {
    "int": ("0⍴0", "x"),
    "double": ("0⍴0.5", "x÷2"),
    "bool": ("0⍴0=1", "x>2"),
    "char": ("''", "'abcd'[1+4|x]"),
}
"""How a vector of each kind is empty, and what of it a command `x` stands for."""
GROWN = ("%,y", "%,y,⊃⌽%", "%,2↑%", "%,¯3↑@", "y,%", "(⌽2↑%),%", "y,%,y", "%,(2⌊≢@)↑@", "%,@")
SHRUNK = ("¯1↓%", "¯1↓%", "¯2↓%", "1↓%", "3↓%", "(-2|x)↓%", "(2|x)↓%", "(x-3)↓%", "(3⌊≢%)↑%", "1↓¯1↓%")
OTHER = (
    *("(¯1↓%),y", "(¯2↓%),⊃¯2↑%", "(¯2↓%),⌽¯2↑%", "(¯3↓%),1⌽¯3↑%", "(1↓%),⊃%", "(1↓%),y", "y,1↓%"),
    *("(¯1↓%),⊃⌽@", "(1↓%),1↑@", "(2↓%),¯4↑@", "0⍴%", ",y", "@", "5↑%", "¯3↑%", "(-2⌊≢%)↑%", "%[⍋%]", "⌽%"),
)
ROWS = ("m⍪x,≢m", "m⍪⌽¯1↑m", "¯1↓m", "1↓m", "(x,1)⍪m", "0⌿m", "¯1 0↓m", "(¯1↓m)⍪1↑m")
LIMIT = 60
"""No vector is longer for long."""


class Stacks:
    """The state of one generation."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.empty, self.item = KINDS[random.choice(list(KINDS))]
        self.names = ["s", "t", "u"][: random.randint(1, 3)]
        self.has_rows = random.random() < 0.3

    def value(self, name: str) -> str:
        """What becomes of a vector."""
        form = self.random.choice(self.random.choice((GROWN, GROWN, SHRUNK, SHRUNK, OTHER)))
        other = self.random.choice(self.names)
        return form.replace("%", name).replace("@", other).replace("y", f"({self.item})")

    def change(self) -> str:
        """A statement of a branch."""
        name, other = self.random.choice(self.names), self.random.choice(self.names)
        dice = self.random.random()
        if dice < 0.1:
            place = self.random.choice((f"≢{name}", "1"))
            return f":If 0<≢{name} ⋄ {name}[{place}]←{self.item} ⋄ :EndIf"
        if dice < 0.2:
            return f"r←r,{name}≡{other} ⋄ r←r,≢{name}"
        if dice < 0.3:
            test = self.random.choice((f"(≢{name})>x", f"(0<≢{name})∧2<x"))
            leave = self.random.choice(("", "", f" ⋄ :If 3=≢{name} ⋄ :Leave ⋄ :EndIf"))
            less = self.random.choice(SHRUNK[:4]).replace("%", name)
            return f":While (0<≢{name})∧{test} ⋄ {name}←{less}{leave} ⋄ :EndWhile"
        if dice < 0.4 and self.has_rows:
            return f"m←{self.random.choice(ROWS)}"
        if dice < 0.5:
            test = self.random.choice(("2|x", f"2<≢{name}"))
            return f":If {test} ⋄ {self.change()} ⋄ :Else ⋄ {self.change()} ⋄ :EndIf"
        return f"{name}←{self.value(name)}"

    def rounds(self) -> list[str]:
        """A loop of statements."""
        count = self.random.randint(2, 5)
        lines = [f":Select {count}|x"]
        for k in range(count - 1):
            lines += [f":Case {k}", *[self.change() for _ in range(self.random.randint(1, 3))]]
        lines += [":Else", self.change(), ":EndSelect"]
        for name in self.names:
            cut = self.random.choice(("5↑", "¯5↑", "9↓", "¯40↓"))
            lines.append(f":If {LIMIT}<≢{name} ⋄ {name}←{cut}{name} ⋄ :EndIf")
        if self.random.random() < 0.5:
            return [":For x :In v", *lines, ":EndFor"]
        return ["i←1", ":While i≤≢v", "x←v[i]", *lines, "i←i+1", ":EndWhile"]

    def procedure(self) -> list[str]:
        """A function of statements that gives all there is."""
        names, rows = self.names, ["m"] * self.has_rows
        state = [f"{n}←{self.random.choice((self.empty, self.empty, f'3↑{self.empty}'))}" for n in names]
        state += [f"{m}←0 2⍴0" for m in rows]
        head = "∇ z←f v;" + ";".join(["x", "i", "r", *names, *rows])
        return [head, "r←⍬", *state, *self.rounds(), f"z←{strand([*names, *rows, 'r'])}", "∇", "f v"]

    def tail_calls(self) -> list[str]:
        """A function that calls itself with the next state."""
        names = self.names
        guards = []
        for k in range(self.random.randint(1, 4)):
            new = [self.value(n) if self.random.random() < 0.7 else n for n in names]
            guards.append(f"  {k}=5|x: ∇ {strand(new)}(i+1)")
        return [
            "f←{v←⍵ ⋄ {",
            f"  ({' '.join(names)} i)←⍵",
            f"  i>≢v: {strand([f'({LIMIT}⌊≢{n})↑{n}' for n in names])}",
            "  x←v[i]",
            f"  {LIMIT}<⌈/{','.join([f'(≢{n})' for n in names])}: ∇ {strand([f'9↓{n}' for n in names])}(i+1)",
            *guards,
            f"  ∇ {strand([self.value(n) for n in names])}(i+1)",
            f"}}{strand([self.empty for _ in names])}1}}",
            "f v",
        ]


def strand(values: list[str]) -> str:
    """Values side by side."""
    return "".join([f"({value})" for value in values])


def program_of_stacks(random: Random) -> Program:
    """A program with its input, the commands."""
    made = Stacks(random)
    lines = made.procedure() if random.random() < 0.6 else made.tail_calls()
    commands = np.array([random.randint(0, 9) for _ in range(random.choice((0, 1, 5, 12, 40, 90)))], np.int64)
    return Program(body([array(line) for line in lines]), {"v": commands})
