"""Programs of masks and items: places that a mask keeps, of this array or another that is as long, or longer;
updates at such places; arrays beside each other as rows; functions of rows and columns as items; folds of
scans along columns; vectors that grow in front.

Other random programs have arrays whose lengths fit, and seldom a name for places that several statements use.
"""

from __future__ import annotations

from random import Random

from tests.support.apl_programs.stencils import Stencils
from tests.support.apl_programs.trees import Node, Program, Shape, array, body, used

LENGTHS = (0, 1, 2, 5, 8, 17, 64, 65, 200)
COLUMNS = (0, 1, 2, 3, 4, 5, 16, 17, 40)
FOLDS = ("+/%", "⌈/0,%", "≢%", "+/%>2", "(+/%)÷1⌈≢%", "∨/%>3", "⍴%")
ITEMS = (
    "+/",
    "⌈/",
    "{+/⍵×⍳≢⍵}",
    "{(+/⍵)÷1⌈≢⍵}",
    "{+/⍵-⌈/⍵}",
    "{≢⍵}",
    "{∨/⍵>3}",
    "{⌊/⌽⍵}",
    "{+/(⍵>1)/⍵}",
    "{⊃⍵}",
)


def _of(pattern: str, *children: Node) -> Node:
    return array(f"({pattern})", *children, is_atom=True)


class Masks(Stencils):
    """Statements that change named arrays; the last gives some of them."""

    def vector(self, n: int) -> Node:
        """An input of a length, or what is computed of one."""
        value = self.like((n,))
        return _of(self.pick("%", "%", "2×%", "%-1", "⌽%", "+\\%"), value)

    def mask(self, n: int) -> Node:
        """Truth values, mostly as many as that, else one more or less."""
        length = max(0, n + self.pick(0, 0, 0, 0, 0, 0, 1, -1, 7))
        rare = ("%>1000",) if self.chance(0.2) else ()
        pattern = self.pick("%>2", "%<3", "0=2|⌊%", "~%>40", "%≠1", *rare, "1 0 0⍴⍨≢%")
        return self.named(_of(pattern, *[self.like((length,))] * pattern.count("%")))

    def places(self, n: int) -> Node:
        """Where a mask holds, perhaps under a name."""
        found = _of(self.pick("⍸%", "⍸%", "⍸~%", "%/⍳≢%").replace("≢%", f"{n}"), self.mask(n))
        return self.named(found) if self.chance(0.4) else found

    def chosen(self, v: Node, n: int) -> Node:
        """Elements at such places."""
        if self.chance(0.25):
            return _of("%/«%", self.mask(n), v)
        return _of("«%[%]", v, self.places(n))

    def update(self, v: Node, n: int) -> None:
        """A change of a named array."""
        kind = self.pick("one", "one", "modified", "own", "several", "selective", "at")
        places = self.places(n)
        if kind == "one":
            made = array(f"%[%]←{self.pick(0, 7, '¯1')}", v, places)
        elif kind == "modified":
            made = array(f"%[%]{self.pick('+', '×', '-', '⌈')}←{self.pick(1, 2, 3)}", v, places)
        elif kind == "own":
            i = self.named(places)
            made = array(self.pick("%[%]←1-%[%]", "%[%]←⌽%[%]", "%[%]←2×%[%]"), v, i, v, i)
        elif kind == "several":
            i = self.named(places)
            made = array("%[%]←⍳≢%", v, i, i)
        elif kind == "selective":
            made = array(f"(%/%)←{self.pick(5, 0)}", self.mask(n), v)
        else:
            made = array(f"%←{self.pick('0', '(-)', '{2×⍵}')}@(%)⊢%", v, places, v)
        self.statements.append(made)

    def of_vectors(self) -> Node:
        n = self.pick(*LENGTHS)
        v = self.named(self.vector(n))
        for _ in range(self.pick(0, 1, 1, 2)):
            self.update(v, n)
        kind = self.pick("fold", "fold", "chosen", "whole")
        if kind == "whole":
            return v
        picked = self.chosen(v if self.chance(0.6) else self.vector(n), n)
        if kind == "chosen":
            return _of(self.pick("%", "2×%", "%,0", "⌽%"), picked)
        pattern = self.pick(*FOLDS)
        return _of(pattern, *[self.named(picked)] * pattern.count("%"))

    def beside(self) -> Node:
        """Arrays as rows."""
        rank = self.pick(1, 1, 2)
        shape: Shape = tuple([self.pick(*COLUMNS[:7]) for _ in range(rank)])
        items = []
        for _ in range(self.pick(2, 3, 4, 8, 9)):
            own = shape if self.chance(0.7) else tuple([max(0, k + self.pick(0, 1, -1)) for k in shape])
            items.append(_of(self.pick("%", "1⌽%", "⌽%", "2×%", "1↓%"), self.like(own)))
        mixed = _of("↑" + "%" * len(items), *items)
        return _of(self.pick("%", "+⌿%", "⌈⌿%", "+/%", "⍉%", ",%", "≢%"), mixed)

    def rows(self) -> Node:
        """A function of the rows or the columns of what is computed."""
        shape = (self.pick(*COLUMNS), self.pick(*COLUMNS))
        table = _of(self.pick("%", "2×%", "⍉%", "⌽%", "⍉2×%", "⊖%"), self.like(shape))
        items = _of(self.pick("↓%", "↓%", "↓%", "⌽↓%", "1↓↓%"), table)
        return _of(f"{self.pick(*ITEMS)}¨%", items)

    def scanned(self) -> Node:
        """Folds of scans along the columns, and of what is computed of both."""
        shape = (self.pick(*COLUMNS), self.pick(*COLUMNS, 65))
        m = self.named(_of(self.pick("%", "2×%", "%>2", "⌽%"), self.like(shape)))
        scan, fold = self.pick("+", "⌈", "⌊", "≠", "∨"), self.pick("+", "⌈", "⌊", "≠", "∧")
        inner = f"({scan}⍀{'(1≤%)' if scan in '≠∨' else '%'})"
        forms = ("@", "@-%", "@×⌽%", "@+⌈⍀%", "1⌽@", "@>2", "(2×@)")
        made = self.pick(*forms).replace("@", inner)
        whole = f"{self.pick('', '', '+/')}{fold}⌿{f'1≤{made}' if fold in '≠∧' else made}"
        return _of(whole, *[m] * whole.count("%"))

    def in_front(self) -> Node:
        """A vector that grows in front in a loop."""
        name, n = self.fresh("r"), self.pick(0, 1, 2, 9, 30)
        start = self.like((self.pick(0, 1, 3),))
        first = self.pick("≢⍵", "+/⍵", "2⌊≢⍵", "(≢⍵),7", "⌽2↑⍵", "9|1+⊃⍵")
        self.statements.append(array(f"{name}←{{({first}),⍵}}⍣{n}⊢%", start))
        last = self.pick("%", "+/%", "⌽%", "%,≢%", "2↑%").replace("%", name)
        return array(last)

    def program(self) -> Program:
        makers = (self.of_vectors, self.of_vectors, self.beside, self.rows, self.scanned, self.in_front)
        results = [self.pick(*makers)() for _ in range(self.pick(1, 2))]
        tree = body([*self.statements, *[array("⎕←%", each) for each in results[:-1]], results[-1]])
        return Program(tree, used(self.inputs, tree))


def program_of_masks(random: Random) -> Program:
    """A program with its inputs."""
    return Masks(random).program()
