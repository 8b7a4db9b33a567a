"""Wrong programs with inputs (`INPUTS`), and programs that fail when they run: data of `test_errors`."""

from __future__ import annotations

from aplc.tail.types import Array, Base, Rho, Type


# fmt: off
def _array(base: Base, rank: int) -> Type:
    return Array(base, Rho(rank))


INPUTS = {
    "n": _array(Base.INT, 0), "x": _array(Base.DOUBLE, 0), "v": _array(Base.INT, 1),
    "t": _array(Base.CHAR, 1), "k": _array(Base.INT, 2), "m": _array(Base.DOUBLE, 2),
}  # fmt: skip

INPUT_ROWS: list[tuple[str, int, str, str]] = [
    ("k⌽v", 1, "RANK ERROR", "⌽ needs one number, or one for each vector, got [int]2 and [int]1"),
    ("k⍴1", 1, "RANK ERROR", "⍴ needs a vector of extents on the left, got [int]2"),
    ("v⍴1", 1, "UNSUPPORTED", "not known when compiling is not supported yet: write the extents one by one"),
    ("k↑m", 1, "RANK ERROR", "↑ needs a vector of counts on the left, got [int]2"),
    ("k⍉m", 1, "RANK ERROR", "⍉ needs a vector of axes on the left, got [int]2"),
    ("1 2 3⍉m", 1, "LENGTH ERROR", "⍉ needs one axis for each of the 2 axes on its right, got 3"),
    ("⍳m", 1, "UNSUPPORTED", "⍳ of [double]2 (arrays of indices) is not supported yet: use ∘., or ⊤"),
    ("1+t", 3, "DOMAIN ERROR", "+ needs numbers, got characters"),
    ("t,v", 1, "UNSUPPORTED", ", of characters and numbers in one array is not supported yet"),
    ("v⊃m", 1, "RANK ERROR", "⊃ needs a vector on its right, got [double]2"),
    ("k⊃v", 1, "RANK ERROR", "⊃ of simple arrays goes one step deep, got [int]2"),
    ("n⍳v", 1, "RANK ERROR", "⍳ needs a vector on the left, got int"),
    ("t⍸v", 1, "DOMAIN ERROR", "⍸ needs numbers or characters on both sides"),
    ("⍋x", 2, "RANK ERROR", "⍋ needs a vector, got double"),
    ("m∪v", 1, "RANK ERROR", "∪ needs vectors, got [double]2"),
    ("k/v", 1, "RANK ERROR", "/ needs a vector of counts on the left, got [int]2"),
    ("k⍕v", 1, "RANK ERROR", "⍕ needs a vector of widths and decimals, got [int]2"),
    ("m⌷v", 1, "RANK ERROR", "⌷ needs one index for each axis on the left, got [double]2"),
    ("n⌷x", 1, "RANK ERROR", "⌷ needs no index for double, got 1"),
    ("1 2⌷v", 1, "LENGTH ERROR", "⌷ needs at most 1 index for [int]1, got 2"),
    ("v[k;v]", 1, "RANK ERROR", "[int]1 has 1 axis, the index names 2"),
    ("m[v]", 1, "RANK ERROR",
     "[double]2 has 2 axes, the index names 1: write [i;j]; one left out takes the whole"),
    ("v[t]", 3, "DOMAIN ERROR", "an index needs numbers, got characters"),
    ("n[1]", 1, "RANK ERROR", "int has no axes, the index names 1"),
    ("v[1]←t", 1, "UNSUPPORTED", "an array of characters and numbers is not supported yet"),
    ("m[1]←3", 1, "RANK ERROR", "[double]2 has 2 axes, the index names 1"),
    ("+/[3]m", 4, "AXIS ERROR", "+/ has no axis 3: its argument has 2 axes"),
    ("v+[3]m", 4, "AXIS ERROR", "+ has no axis 3: its argument has 2 axes"),
    ("t+.×v", 4, "DOMAIN ERROR", "× needs numbers, got characters"),
    ("(a b)←m", 1, "RANK ERROR", "2 names need a vector of 2 values, got [double]2"),
    ("{t:1 ⋄ 2}3", 2, "DOMAIN ERROR", "a guard needs numbers, got characters"),
    ("{m:1 ⋄ 2}3", 2, "LENGTH ERROR", "a guard needs one 0 or 1, got [double]2"),
    ("{n:1 ⋄ t}3", 2, "UNSUPPORTED",
     "a function whose result is int here and [char]1 otherwise is not supported"),
    ("((2∘×)⍣m)n", 8, "RANK ERROR", "⍣ needs one number, got [double]2"),
    ("((2∘×)⍣t)n", 8, "DOMAIN ERROR", "⍣ needs numbers, got characters"),
    ("({⍵,n}⍣3)n", 1, "UNSUPPORTED", "⍣ where the rank of the state grows from 0 to 1 in a round"),
    ("({⍵,[1]⍵}⍣3)v t", 3, "UNSUPPORTED", ", of a nested array ([int]1, [char]1) and a nested array"),
    ("⎕IO←n", 5, "DOMAIN ERROR", "⎕IO needs one number that is known when compiling, got int"),
    ("⎕NPY t", 6, "UNSUPPORTED", "⎕NPY with a name that is not a constant is not supported yet"),
]

RUN_ROWS: list[tuple[str, int, int, str, str]] = [
    # scalar functions
    ("÷0", 1, 1, "DOMAIN ERROR", "÷ divides by zero"),
    ("m←2 2⍴1 ⋄ m[⊂1↓0,1↑⍳3]", 1, 11, "INDEX ERROR", "the index of m has no element 2, the length is 1"),
    ("m←2 2⍴1 ⋄ m[⊂1↓0,1↑⍳3]←5", 1, 11, "INDEX ERROR", "the index of m has no element 2, the length is 1"),
    ("m←2 2⍴1 ⋄ m[1↑⍳¨⍳3]", 1, 11, "INDEX ERROR", "the index of m has no element 2, the length is 1"),
    ("v←1↑⍳3 ⋄ (2↑v)←7", 1, 10, "INDEX ERROR", "v has no element 2, the length is 1"),
    ("2+1 2 3÷1 0 2", 1, 3, "DOMAIN ERROR", "÷ divides by zero"),
    ("x←1 2 3\ny←0\n1+x÷y", 3, 3, "DOMAIN ERROR", "÷ divides by zero"),
    ("⍟0", 1, 1, "DOMAIN ERROR", "⍟ needs a number above zero, or a complex one"),
    ("¯1*0.5", 1, 1, "DOMAIN ERROR", "* has no real result: of complex numbers, 0J0+x, it may have one"),
    ("¯1○2", 1, 1, "DOMAIN ERROR", "○ has no real result: of complex numbers, 0J0+x, it may have one"),
    ("8○1", 1, 1, "DOMAIN ERROR", "○ has no function 8, only ¯7 to 7"),
    ("!¯2", 1, 1, "DOMAIN ERROR", "! has no value for a negative whole number"),
    ("⌊1E300", 1, 1, "DOMAIN ERROR", "the result of ⌊ does not fit an integer"),
    ("~2", 1, 2, "DOMAIN ERROR", "~ needs zeros and ones"),
    ("5 ⎕INT32SHL ¯1", 1, 1, "DOMAIN ERROR", "⎕INT32SHL needs a shift that is not negative, got ¯1"),
    ("(⍳3)+⍳?3", 1, 1, "LENGTH ERROR", "+ needs equal lengths, got 3 and 2"),
    ("(3 3⍴1)+2 2⍴1", 1, 1, "LENGTH ERROR", "+ needs equal lengths, got 3 and 2"),
    # structure
    ("(÷2)↑1 2", 1, 2, "DOMAIN ERROR", "↑ needs whole numbers"),
    ("⍳-?5", 1, 1, "DOMAIN ERROR", "⍳ needs a count that is not negative, got ¯4"),
    ("(2 2⍴1),[1]3 3⍴1", 1, 1, "LENGTH ERROR", ", needs equal lengths, got 2 and 3"),
    ("4⊃1 2 3", 1, 1, "INDEX ERROR", "⊃ has no element 4, the length is 3"),
    ("5⌷⍳4", 1, 1, "INDEX ERROR", "⌷ has no element 5, the length is 4"),
    ("4 3⌷3 3⍴⍳9", 1, 1, "INDEX ERROR", "⌷ has no element 4 on axis 1, the extent is 3"),
    # indexing and assignment by index
    ("x←⍳5 ⋄ 1+x[7]", 1, 10, "INDEX ERROR", "x has no element 7, the length is 5"),
    ("x←⍳5 ⋄ x[0]", 1, 8, "INDEX ERROR", "x has no element 0, the length is 5"),
    ("x←⍳5 ⋄ x[-1]", 1, 8, "INDEX ERROR", "x has no element ¯1, the length is 5"),
    ("x←3 3⍴⍳9\nx[1;4]", 2, 1, "INDEX ERROR", "x has no element 4 on axis 2, the extent is 3"),
    ("x←⍳5\nx[2 7]←1", 2, 1, "INDEX ERROR", "x has no element 7, the length is 5"),
    ("x←⍳5\nx[7]+←1", 2, 1, "INDEX ERROR", "x has no element 7, the length is 5"),
    ("⎕IO←0 ⋄ x←⍳3 ⋄ x[?3 3⍴1]⊣x[¯1]", 1, 26, "INDEX ERROR", "x has no element ¯1, the length is 3"),
    # selection and search
    ("1 2 3/1 2", 1, 1, "LENGTH ERROR", "/ needs equal lengths, got 3 and 2"),
    ("1 0 1⌿2 2⍴1", 1, 1, "LENGTH ERROR", "⌿ needs equal lengths, got 3 and 2"),
    ("1 1 1\\3 4", 1, 1, "LENGTH ERROR", "\\ needs equal lengths, got 3 and 2"),
    ("⍸1 ¯1", 1, 1, "DOMAIN ERROR", "⍸ needs a count that is not negative, got ¯1"),
    ("3 1 2⍸2", 1, 1, "DOMAIN ERROR", "⍸ needs ascending values on the left"),
    # numbers
    ("(2 2⍴1)⊥1 2 3", 1, 1, "LENGTH ERROR", "⊥ needs equal lengths, got 2 and 3"),
    ("⌹2 2⍴0", 1, 1, "DOMAIN ERROR", "⌹ needs a matrix with independent columns"),
    ("⌹2 3⍴1", 1, 1, "LENGTH ERROR", "⌹ needs at least as many rows as columns, got 2 and 3"),
    ("(2 2⍴1)?5", 1, 2, "RANK ERROR", "? needs a single element here, got 4"),
    ("5?3", 1, 1, "DOMAIN ERROR", "? cannot choose 5 different numbers among 3"),
    ("?¯1", 1, 1, "DOMAIN ERROR", "? needs whole numbers above zero, got ¯1"),
    ("5 2 6⍕1 2", 1, 1, "LENGTH ERROR",
     "⍕ needs 1 or 2 numbers on the left, or 2 for each column, 4 here; got 3"),
    # operators
    ("⍟/⍬", 1, 1, "DOMAIN ERROR", "⍟/ has no identity item for an empty array"),
    ("{⍺+⍵}/⍬", 1, 1, "DOMAIN ERROR", "{⍺+⍵}/ has no identity item for an empty array"),
    ("4+/1 2", 1, 1, "LENGTH ERROR", "+/ needs windows of at most 3 elements, got 4"),
    ("(2 3⍴1)+⍤1⊢3 2⍴1", 1, 1, "LENGTH ERROR", "+⍤ needs equal lengths, got 2 and 3"),
    ("(2 3⍴1)+.×2 2⍴1", 1, 1, "LENGTH ERROR", "+.× needs equal lengths, got 3 and 2"),
    ("({1+⍵}⍣(-?5))5", 1, 9, "DOMAIN ERROR", "⍣ needs a count that is not negative, got ¯4"),
    ("((1∘+)⍣{2×?5})3", 1, 9, "DOMAIN ERROR", "⍣ needs zeros and ones"),
    ("(2 1⍴⊂1 2),''", 1, 1, "LENGTH ERROR", ", needs equal lengths, got 2 and 0"),
    ("⍬⍪2 3⍴⊂'ab'", 1, 1, "LENGTH ERROR", "⍪ needs equal lengths, got 0 and 3"),
    # functions, guards, assignments
    ("f←{1+÷⍵}\nf 2\nf 0", 1, 6, "DOMAIN ERROR", "÷ divides by zero"),
    ("f←{1+÷⍵}\nf¨2 0", 1, 6, "DOMAIN ERROR", "÷ divides by zero"),
    ("o←{⍺⍺ ÷⍵}\n- o 0", 1, 7, "DOMAIN ERROR", "÷ divides by zero"),
    ("f←{⍵=0:÷⍵ ⋄ f ⍵-1}\nf 3", 1, 8, "DOMAIN ERROR", "÷ divides by zero"),
    ("f←{⍵>0:1}\nx←f-?5", 1, 4, "VALUE ERROR", "the result of the function has no value here"),
    ("{⍵:1 ⋄ 0}2×?5", 1, 2, "DOMAIN ERROR", "a guard needs zeros and ones"),
    ("{⍵:1 ⋄ 0}⍳2×?2", 1, 2, "RANK ERROR", "a guard needs a single element here, got 4"),
    ("(a b)←⍳3+?1", 1, 1, "LENGTH ERROR", "← needs 2 values, got 4"),
    ("⎕ReadIntVecFile 'nofile'", 1, 1, "FILE ERROR", "there is no file nofile"),
]
"""Text, line, column, kind and message; the random numbers are those of the first seed."""
# fmt: on
