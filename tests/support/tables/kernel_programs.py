"""Programs whose loops become kernels, with inputs: for tests of OpenCL, and for the simulator."""

from typing import Any

import numpy as np

from aplc.laila.devices.kernels import RUN

CUBE = np.arange(24.0).reshape(2, 3, 4)
LARGE = np.array([2**62, -(2**63), 2**63 - 1, 3, -1, 0, 7])
PROGRAMS: list[tuple[str, dict[str, Any]]] = [
    ("+/v", {"v": LARGE}),
    ("×/v", {"v": LARGE}),
    ("v×v-2", {"v": LARGE}),
    ("-v", {"v": LARGE}),
    ("|v", {"v": LARGE}),
    ("3|v", {"v": LARGE}),
    ("¯7|v", {"v": LARGE}),
    ("v∨12", {"v": LARGE}),
    ("⌈/v", {"v": np.array([1.0, np.nan, 3.0])}),
    ("⌈/v", {"v": np.array([1.0, 2.0, 3.0])}),
    ("⌊/v", {"v": np.array([-0.0, 0.0, 3.0, 5.0])}),
    ("v⌈w", {"v": np.array([1.0, np.nan, np.inf]), "w": np.array([np.nan, 2.0, 5.0])}),
    ("∧/v", {"v": np.array([True, True, False, True])}),
    ("≠/v", {"v": np.array([True, True, False, True])}),
    ("~v", {"v": np.array([True, True, False, True])}),
    ("'b'=v", {"v": np.array(list("abcb"))}),
    ("⌽v", {"v": np.array(list("abcb"))}),
    ("+/w", {"w": CUBE}),
    ("+⌿w", {"w": CUBE}),
    ("⍉w", {"w": CUBE}),
    ("1⌽w", {"w": CUBE}),
    ("w+.×⍉w", {"w": CUBE[0]}),
    ("1 ¯1↓0,w", {"w": CUBE[0]}),
    ("(⌈/v)-⌊/v", {"v": np.array([2.0, 5.0, 1.0, 8.0])}),
    ("(+/v)÷≢v", {"v": np.array([2.0, 5.0, 1.0, 8.0])}),
    ("{⍵+1⌽⍵}⍣5⊢v", {"v": np.arange(7)}),
    ("*v", {"v": np.array([-1.0, 0.0, 2.5, np.inf])}),
    ("1○v", {"v": np.array([-1.0, 0.0, 2.5])}),
    ("v*0.5", {"v": np.array([1.0, 0.0, 2.5])}),
    ("v∊5 ¯7000000000 7000000000", {"v": np.array([5, 7000000000, 1])}),
    ("5 ¯7000000000 7000000000[v]", {"v": np.array([2, 3, 1, 2])}),
    ("+/v", {"v": np.zeros(0)}),
    ("2×v", {"v": np.zeros(0)}),
    ("⌈/v", {"v": np.zeros(0)}),
    ("2×v", {"v": np.array([5])}),
    ("⎕←v ⋄ v÷0.5", {"v": np.array([5.0, 6.0])}),
    ("w[v;]", {"v": np.array([2, 1, 1, 3]), "w": CUBE[0]}),
    ("v∘.+v", {"v": np.array([2, 1, 1, 3])}),
    ("v∘.+v", {"v": np.array([2, 1, 1, 3], np.int8)}),
    ("+\\v", {"v": LARGE}),
    ("+\\v", {"v": np.array([0.5, 1.5, -3.0, 8.0])}),
    ("⌈\\v", {"v": np.array([0.5, 1.5, -3.0, 8.0, 2.0])}),
    ("≠\\v", {"v": np.array([True, True, False, True])}),
    ("+\\v", {"v": np.array([0.5])}),
    ("+\\w", {"w": CUBE}),
    ("+⍀w", {"w": CUBE}),
    ("+\\2×v-1⌽v", {"v": np.arange(9.0) ** 2}),
    ("v/⍳≢v", {"v": np.array([True, True, False, True, False, True])}),
    ("(v>2)/v", {"v": np.array([0.5, 1.5, -3.0, 8.0, 2.0, 9.0, 1.0, 3.0])}),
    ("(v>2)/v", {"v": np.zeros(5)}),
    ("+/(v>2)/v", {"v": np.array([0.5, 1.5, -3.0, 8.0, 2.0, 9.0, 1.0, 3.0])}),
    ("⍸v>2", {"v": np.array([0.5, 1.5, -3.0, 8.0, 2.0, 9.0, 1.0, 3.0])}),
    ("1 2,[0.5]0.5 1", {}),
    ("1 2⌽2 2⍴'abcd'", {}),
    ("(⌈/v),+\\v", {"v": np.array([0.5, 1.5, -3.0, 8.0, 2.0, 9.0, 1.0, 3.0])}),
]
REALS = np.linspace(-3.0, 4.0, 77)
BY_EIGHTS = [
    "+/*v",
    "1○v",
    "(v>0)×*v",
    "0.5⌈2⌊*-v",
    "(*v)÷1+*v",
    "⍟1+v×v",
    "+/⍟1+|v",
    "1↓(*v)-1⌽v",
    "(2|⌊v)+*v",
    "⌈/v-⌽v",
    "(⌊/v),(⌈/v),+/*v",
    "⌈/v÷0≠⌊v",
    "(⌈/0⍴v),⌊/⍟v-v",
]
"""With functions of reals, in loops long enough for vectors."""
FAILING: list[tuple[str, dict[str, Any]]] = [
    ("v[w]", {"v": np.array([2, 1, 1, 3]), "w": np.array([1, 4, 5, 1, 6])}),
    ("v÷w", {"v": np.array([2.0, 1.0]), "w": np.array([1.0, 0.0])}),
    ("+/v÷w", {"v": np.array([2.0, 1.0, 3.0]), "w": np.array([1.0, 0.0, 0.0])}),
    ("⎕←1 ⋄ ⍟v", {"v": np.array([2.0, 0.0])}),
    ("⌊v", {"v": np.array([2.0, 1e300])}),
    ("+\\v÷w", {"v": np.array([2.0, 1.0, 3.0]), "w": np.array([1.0, 0.0, 0.0])}),
    ("(v>1)/v÷w", {"v": np.array([2.0, 1.0, 3.0]), "w": np.array([1.0, 0.0, 0.0])}),
]


APART = [
    "(+/v),(×/v),(⌈/v),(⌊/v),(∧/v>1),(∨/v>8),(≠/v>3),+/÷v",
    "(⌈/v÷2),(⌊/v÷2),+/⌽v÷4",
    "(⌈/0×v)-+/⍳3000",
    "{⍵+1⌽⍵}⍣5⊢v ⋄ +/v",
    "⎕←v ⋄ w←v×2 ⋄ w[2]←7 ⋄ +/w",
    "{⍵÷2}⍣{1>⍺}⊢⌈/v",
    "v[⍋v]+⌽v",
    "v∘.×v",
    "+\\v÷v-3",
    "({u←⍵ ⋄ u[2]+←1 ⋄ u}⍣3)v",
    "{2×⍵}⍣{1000<+/⍺}⊢v",
]
"""Where host and device take turns with arrays."""
TURNS = {"v": np.array([2, 5, 3, 1, 9, 4, 4])}


N = {"n": np.array(100)}
K = {**N, "k": np.array(4)}
MATRIX = {"m": np.arange(60.0).reshape(12, 5)}
IN_ROUNDS: list[tuple[str, dict[str, Any]]] = [
    ("({⌽+\\⍵}⍤1)m", MATRIX),
    ("({x←⍵ ⋄ x[1]←0 ⋄ x+⌽x}⍤1)m", MATRIX),
    ("f←{a←⍵×1 2 3 ⋄ b←+\\a ⋄ c←b×⌽a ⋄ c+⌽c} ⋄ +⌿(f⍤0)⍳n", N),
    ("f←{s←⍵×⍳k ⋄ t←+\\s ⋄ u←+\\⌽t ⋄ u-⌽u} ⋄ (f⍤0)⍳n", K),
    ("f←{s←⍵×⍳k ⋄ t←+\\s ⋄ u←+\\⌽t ⋄ u-⌽u} ⋄ +⌿(f⍤0)⍳n", K),
    ("f←{s←⍵÷⍳k ⋄ t←+\\s ⋄ u←+\\⌽t ⋄ ÷u-3} ⋄ (f⍤0)⍳n", K),
    ("f←{a←5⍴0 ⋄ g←{x k←⍵ ⋄ x[k]←k ⋄ x(k+1)} ⋄ +/⊃(g⍣3)a ⍵} ⋄ +/(f⍤0)5⍴1", {}),
    ("f←{a←5⍴0 ⋄ g←{x k←⍵ ⋄ x[k]←k ⋄ x(k+1)} ⋄ +/⊃(g⍣3)a ⍵} ⋄ +/(f⍤0)5⍴4", {}),
    ("({⌽+\\÷⍵-33}⍤1)m", MATRIX),
]
"""The last two of them fail."""


TALL = np.random.default_rng(1).random((5, 700))
TALLS = {"m": TALL, "t": np.stack([TALL, TALL + 1])}
ROWS: list[str] = [
    "+/m",
    "2×⌈/m÷0.5",
    "+/m×⌽m",
    "+/m÷m",
    "+/÷m-m[2;3]",
    "÷+/m-m",
    "⌊/t",
    "∧/m>0",
    "m+.×m[1;]",
]
"""With a fold over long rows for each element; two of them fail."""


COUNTED = {"v": np.arange(1.0, 1000.0)}
CHECKED = ["+/÷v", "⌈/⍟v", "(+/÷v)×⌊/⍟v", "+/÷v-v[900]", "(⌈/÷v),+/⍟v-v[3]"]


ACROSS = {"m": np.arange(40.0 * 70).reshape(40, 70), "q": np.arange(33 * 33).reshape(33, 33) % 7 == 0}
IN_TILES = ["⍉m", "2×⍉m", "⌽⍉m", "q∧⍉q", "(⍉m)-⌽⊖⍉m", "⍉3↑m", "⍉0↑m", "⍉40 3↑m"]


def of_length(n: int) -> dict[str, Any]:
    """Values of several types; sums of the doubles are exact in any order."""
    random = np.random.default_rng(n)
    return {
        "v": random.integers(-(2**62), 2**62, n),
        "w": random.integers(1, 256, n) / 8 * random.choice([-1, 1], n),
        "b": random.random(n) < 0.3,
    }


SCANS = ["+\\v", "+\\w", "⌈\\v", "⌊\\w", "≠\\b", "∧\\b", "+\\b", "+\\2×w-1⌽w", "b/v", "(w>0)/w", "⍸b"]
FUSED = [
    "s←+\\w ⋄ s÷1⌈⌈/s",
    "s←+\\v ⋄ t←⌈\\v ⋄ s-t",
    "w-(+\\w)÷⍳≢w",
    "(+\\w)>⌈\\w",
    "s←+\\w ⋄ (⌈/s-w)+s×2",
    "3⌊+\\0,v",
    "(w>0){(⍺/⍵),⍺/⍵×2}w",
    "x←(w>0)/w ⋄ y←(w<2)/2×w ⋄ x,y,+/w",
    "s←+\\w ⋄ (w>0)/s",
    "s←+\\w ⋄ (+/(w>0)/w),(w>0)/s",
    "(0<+\\w)/w",
    "(w>0)/⍳≢w",
    "((⍳≢w)≤⌈/v)/w",
]
FAILING_SCANS = [
    "+\\÷w",
    "s←+\\w ⋄ s+÷w",
    "(w>0)/÷w",
    "(0<÷w)/w",
    "+\\w[i]",
    "(1+|+\\w)÷w",
    "⌈\\1○÷w",
    "(⌈/s)+s←+\\÷w",
]
"""Where `w` has a zero, and `i` an index that is none."""


MATRICES = {"m": np.arange(3.0 * (RUN + 1)).reshape(3, -1) % 7 - 3, "k": np.arange(60).reshape(3, 4, 5) ** 7}
OF_ROWS = ["+\\m", "+\\⌽m", "+⍀m", "⌈\\⍉m", "+\\k", "+⍀k", "≠\\m>0", "+\\÷4+m"]

NUMBERS = np.random.default_rng(3).random(3000 * 5)
COLUMNS, ROWS_OF_FIVE = {"m": NUMBERS.reshape(-1, 5)}, {"m": NUMBERS.reshape(5, -1)}
FEW_AND_LONG = [
    ("+⌿m", COLUMNS),
    ("(+⌿m)÷≢m", COLUMNS),
    ("⌈⌿m-0.5", COLUMNS),
    ("+⌿0.5<m", COLUMNS),
    ("+⌿÷m", COLUMNS),
    ("+/m", ROWS_OF_FIVE),
    ("2×1+⌊/m", ROWS_OF_FIVE),
    ("(⍉m)+.×m", COLUMNS),
    ("+⍀m", COLUMNS),
    ("⌽⌈⍀⌽m", COLUMNS),
    ("+⍀0.5<m", COLUMNS),
    ("+⍀÷m", COLUMNS),
    ("+⌿m", {"m": NUMBERS.reshape(-1, 1)}),
    ("+⌿m", {"m": NUMBERS.reshape(-1, 3, 5)}),
    ("+⍀m", {"m": NUMBERS.reshape(-1, 3, 5)}),
]
"""Few long folds and scans, for devices with many work-items."""
