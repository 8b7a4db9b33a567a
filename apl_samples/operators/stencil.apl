⍝ f⌺n applies f to the window around each element, beyond the border filled; ⍺ says how much of it is fill.
⍝ == input n int: 8
⍝ == output 3 6 9 12 15 18 21 15
⍝ == output 16  27  33  39 28
⍝ == output 39  63  72  81 57
⍝ == output 69 108 117 126 87
⍝ == output 56  87  93  99 68
⍝ == output  2
⍝ == output  1
⍝ == output  0
⍝ == output  0
⍝ == output ¯1
⍝ == output ¯2
⍝ == output 3 9 15 21
⍝ == output  7  9 10
⍝ == output 17 19 20
⍝ == output  ab
⍝ == output abc
⍝ == output bc
⍝ == output 0 1 0
⍝ == output 0 1 0
⍝ == output 0 1 0
{+/⍵}⌺3⊢⍳n
{+/,⍵}⌺3 3⊢4 5⍴⍳20
{⍺}⌺5⊢⍳6
{+/⍵}⌺(2 1⍴3 2)⊢⍳n
{⌈/,⍵}⌺(2 2⍴3 3 2 2)⊢4 5⍴⍳20
{⍵}⌺3⊢'abc'
{s←+/,⍵ ⋄ (3=s)∨(4=s)∧⍵[2;2]}⌺3 3⊢3 3⍴0 0 0 1 1 1 0 0 0
