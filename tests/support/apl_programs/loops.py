"""Loops and recursion in random programs of APL: arrays that change places, grow, shrink and turn.

The state is one array or a few. A round gives each component another one of its kind, or the same, or makes
a new one of some of them; so lengths change, go from one to another, and only the run knows them. What
comes out is printed, and bound to a name in a shape that is known again.
"""

from dataclasses import dataclass

from tests.support.apl_programs.goals import Known, Scope
from tests.support.apl_programs.numeric import Numeric
from tests.support.apl_programs.trees import Node, Shape, array, body, function


@dataclass(frozen=True)
class Part:
    """A component of a state."""

    name: str
    base: str
    rank: int


SAME = {
    0: {"int": ("-%", "«%+1", "2×%", "3|%"), "double": ("«%÷2", "-%", "«%+0.5"), "bool": ("~%",)},
    1: {"int": ("«%+1", "+\\%", "«%[⍋%]"), "double": ("-%", "«%[⍒%]", "2÷⍨%"), "bool": ("~%", "≠\\%")},
    2: {"int": ("«%+1", "+\\%"), "double": ("-%",), "bool": ("~%",)},
    3: {"int": ("2×%",), "double": ("-%",), "bool": ("~%",)},
}
"""What makes another array of the same kind of one, by rank and elements; `%` may stand there twice."""
TURNED = {
    0: ("%",),
    1: ("⌽%", "1⌽%", "¯1⌽%", "(≢%)⍴%"),
    2: ("⍉%", "⍉%", "⊖%", "1⌽%", "(⌽⍴%)⍴%", "2 1⍉%"),
    3: ("⍉%", "2 1 3⍉%", "3 1 2⍉%", "⊖%", "(1⌽⍴%)⍴%"),
}
SHRUNK = {
    1: ("1↓%", "¯1↓%", "2↓%", "(2⌊≢%)↑%", "∪%", "((⍴%)⍴1 0)/%"),
    2: ("1↓%", "0 1↓%", "¯1 0↓%", "(2⌊⍴%)↑%"),
    3: ("1↓%", "0 0 1↓%"),
}
GROWN = {1: ("%,⊃%", "%,1↑%", "1⌽%,%", "4↑%"), 2: ("%⍪%", "%,%", "3 2↑%", "0,%"), 3: ("%⍪%", "2↑%")}


class Loops(Numeric):
    """Statements with loops."""

    def loop(self, fuel: int, scope: Scope) -> list[Node]:
        """A loop or a recursion: its value bound to names and printed."""
        kinds = [self.kind() for _ in range(self.pick(1, 1, 2))]
        count = self.pick(1, 2, 2, 3, 3, 4)
        state = [Part(self.fresh("s"), *self.random.choice(kinds)) for _ in range(count)]
        values = [self.array(p.base, self.start(p.rank), fuel // count, scope) for p in state]
        loops = (self.power, self.power, self.until, self.fixed, self.tail, self.pair, self.deep)
        form = self.pick(*loops, self.changing, self.changing)
        value = form(state, values, scope)
        if value is None:
            value = self.power(state, values, scope)
        assert value is not None
        statements = [array(f"{spelt_names(state)}←%", value)]
        for part in state:
            statements.append(array(f"⎕←{part.name}"))
            if self.chance(0.5):
                statements.append(self.known(part, scope))
        return statements

    def kind(self) -> tuple[str, int]:
        return self.pick("int", "int", "double", "bool", "char"), self.pick(0, 1, 1, 1, 2, 2, 2, 3)

    def start(self, rank: int) -> Shape:
        return tuple([self.pick(0, 1, 2, 2, 3, 4, 5, 6) for _ in range(rank)])

    def known(self, part: Part, scope: Scope) -> Node:
        """A component in a shape that is known."""
        shape = tuple([self.extent() for _ in range(part.rank)])
        name = self.fresh("v")
        scope.names.append(Known(name, part.base, shape))
        self.hints.append(scope.names[-1])
        counts = " ".join(map(str, shape))
        return array(f"{name}←{counts}⍴{part.name}" if shape else f"{name}←{part.name}")

    # --- one round ---

    def round(self, state: list[Part], scope: Scope, *, shrinking: bool = False) -> list[Node]:
        """The next component for each."""
        sources = list(state)
        for kind in {(p.base, p.rank) for p in state}:
            places = [k for k, p in enumerate(state) if (p.base, p.rank) == kind]
            chosen = [state[k] for k in places]
            dice = self.random.random()
            if dice < 0.35:
                chosen = chosen[1:] + chosen[:1]
            elif dice < 0.6:
                self.random.shuffle(chosen)
            elif dice < 0.8 and not shrinking:
                chosen = [self.random.choice(chosen) for _ in places]
            for k, part in zip(places, chosen, strict=True):
                sources[k] = part
        return [self.next(part, state, scope, shrinking) for part in sources]

    def next(self, part: Part, state: list[Part], scope: Scope, shrinking: bool) -> Node:
        """A component, or a new array of its kind made of it."""
        whole = array(part.name, is_atom=True)
        if shrinking:
            return made(self.pick(*SHRUNK[part.rank][:2]), whole)
        others = [p for p in state if p.base == part.base and p.rank == part.rank]
        dice = self.random.random()
        if dice < 0.35:
            return whole
        if dice < 0.6:
            return made(self.pick(*TURNED[part.rank]), whole)
        if dice < 0.7 and part.base in SAME[part.rank]:
            return made(self.pick(*SAME[part.rank][part.base]), whole)
        other = array(self.random.choice(others).name, is_atom=True)
        if part.rank == 0:
            return self.scalar(part, other, state)
        if dice < 0.85:
            return made(self.pick(*SHRUNK[part.rank]), whole)
        if dice < 0.92 or part.rank > 1:
            return made(self.pick(*GROWN[part.rank]), whole)
        if dice < 0.96:
            return array("%,%", whole, other)
        return array("«%,%", whole, self.array(part.base, (self.pick(0, 1, 2),), 3, scope))

    def scalar(self, part: Part, other: Node, state: list[Part]) -> Node:
        """A scalar made of the state."""
        arrays = [p.name for p in state if p.rank]
        if part.base == "int":
            if arrays:
                return array(f"≢{self.random.choice(arrays)}")
            return array(f"%{self.pick('+', '-', '⌈')}{part.name}", other)
        if part.base == "double":
            return array(f"%{self.pick('+', '-', '⌊')}{part.name}", other)
        alike = [p.name for p in state if p.rank == 1 and p.base == part.base]
        return array(f"⊃{self.random.choice(alike)}") if alike else other

    def rounds(self, state: list[Part], scope: Scope, extra: tuple[str, ...] = ()) -> list[Node]:
        """The statements of a round: guards perhaps, and the next state behind what it begins with."""
        statements: list[Node] = []
        if self.chance(0.3):
            tests = [f"2|≢{p.name}" for p in state] + [f"3<≢{p.name}" for p in state if p.rank]
            then = strand(self.round(state, scope), extra)
            statements.append(array(f"{self.random.choice(tests)}:%", then))
        return [*statements, strand(self.round(state, scope), extra)]

    def taken_apart(self, state: list[Part], statements: list[Node], first: str = "") -> Node:
        """A function of the state."""
        names = spelt_names(state, first)
        return function("{%}", body([array(f"{names}←⍵"), *statements], inside=True), is_atom=True)

    def times(self, scope: Scope) -> Node:
        return self.counted(self.pick(0, 1, 2, 2, 3, 3, 4, 5), scope)

    # --- loops and recursion ---

    def power(self, state: list[Part], values: list[Node], scope: Scope) -> Node:
        step = self.taken_apart(state, self.rounds(state, scope))
        return array("(%⍣%)%", step, self.times(scope), strand(values))

    def until(self, state: list[Part], values: list[Node], scope: Scope) -> Node | None:
        """`f⍣g`, with a number of the round as another component."""
        number = self.fresh("i")
        step = self.taken_apart(state, self.rounds(state, scope, (f"{number}+1",)), number)
        stop = function(f"{{{self.pick(0, 1, 2, 3)}<1⊃⍺}}", is_atom=True)
        names = spelt_names(state, number)
        parts = (strand(components(state)), step, stop, strand(values, ("0",)))
        return array(f"{{{names}←⍵ ⋄ %}}(%⍣%)%", *parts)

    def fixed(self, state: list[Part], values: list[Node], scope: Scope) -> Node | None:
        """`f⍣≡`: all components shrink until none is left."""
        if any(p.rank != 1 for p in state):  # matrices without rows would go on changing places
            return None
        step = self.taken_apart(state, [strand(self.round(state, scope, shrinking=True))])
        return array("(%⍣≡)%", step, strand(values))

    def tail(self, state: list[Part], values: list[Node], scope: Scope) -> Node:
        """A function that calls itself last."""
        name = spelt_names(state)
        again = [array("⍺≤0:⍵"), array(f"{name}←⍵")]
        if self.chance(0.3):
            test = f"2|≢{self.random.choice(state).name}"
            again.append(array(f"{test}:(⍺-1)∇ %", strand(self.round(state, scope))))
        again.append(array("(⍺-1)∇ %", strand(self.round(state, scope))))
        return array("«%%%", self.times(scope), function("{%}", body(again, inside=True)), strand(values))

    def pair(self, state: list[Part], values: list[Node], scope: Scope) -> Node | None:
        """Two arrays as the arguments of a function that calls itself last, until one is empty."""
        kinds = {(p.base, p.rank) for p in state}
        if len(state) != 2 or len(kinds) > 1 or state[0].rank == 0:
            return None
        turned = self.pick(*TURNED[1 if state[0].rank == 1 else 0])
        step = self.pick(
            "⍵ ∇ 1↓⍺", "(1↓⍵)∇ 1↓⍺", "(1↓⍵)∇ ⍺", "⍺ ∇ 1↓⍵", f"({made(turned, array('⍵')).text()})∇ 1↓⍺"
        )
        return array(f"«%{{0=≢⍵:⍺ ⍵ ⋄ 0=≢⍺:⍺ ⍵ ⋄ {step}}}%", *values)

    def deep(self, state: list[Part], values: list[Node], scope: Scope) -> Node:
        """A function that does something with the value of its own call."""
        name = spelt_names(state)
        inner = [array("⍺≤0:⍵"), array(f"{name}←⍵")]
        inner.append(array(f"{name}←(⍺-1)∇ %", strand(self.round(state, scope))))
        inner.append(strand(self.round(state, scope)))
        return array("«%%%", self.times(scope), function("{%}", body(inner, inside=True)), strand(values))

    def changing(self, state: list[Part], values: list[Node], scope: Scope) -> Node:
        """A function that changes the components as names of outside, one after the other, perhaps in a
        branch too, by an operator or in calls of itself.
        """
        changes = [array(f"{p.name}⊢←%", x) for p, x in zip(state, self.round(state, scope), strict=True)]
        if self.chance(0.4):
            part = self.random.choice(state)
            change = array(f"{part.name}⊢←%", self.next(part, state, scope, shrinking=False))
            branch = function("{%}", body([change, array("0")], inside=True), is_atom=True)
            changes.insert(self.pick(0, 1), array(f"2|≢{self.random.choice(state).name}:%0", branch))
        result, times = self.fresh("r"), self.times(scope)
        if self.chance(0.25):
            again = [array("⍵≤0:0"), *changes, array("∇⍵-1")]
            loop = array(f"{result}←%%", function("{%}", body(again, inside=True)), times)
        else:
            last = array(f"≢{self.random.choice(state).name}")
            change = function("{%}", body([*changes, last], inside=True), is_atom=True)
            way = self.pick("%¨⍳%", "(%⍣%)0", "%/0,⍳%", "%\\⍳%", "1 2∘.%⍳%", "(%⍤0)⍳%")
            loop = array(f"{result}←{way}", change, times)
        whole = body([array(f"{spelt_names(state)}←⍵"), loop, strand(components(state))], inside=True)
        return array("%%", function("{%}", whole), strand(values))


def spelt_names(state: list[Part], first: str = "") -> str:
    names = [*([first] if first else []), *[p.name for p in state]]
    return f"({' '.join(names)})" if len(names) > 1 else names[0]


def components(state: list[Part]) -> list[Node]:
    return [array(p.name, is_atom=True) for p in state]


def strand(parts: list[Node], before: tuple[str, ...] = ()) -> Node:
    """Arrays side by side."""
    given = [array(text, is_atom=text.isalnum()) for text in before]
    if len(given) + len(parts) == 1:
        return parts[0]
    return array(" ".join(["«%"] * (len(given) + len(parts))), *given, *parts)


def made(pattern: str, whole: Node) -> Node:
    """A pattern with the same array in all its places."""
    return array(pattern, *[whole] * pattern.count("%"))
