⍝ == error 4:5 DOMAIN ERROR: ⌺ needs sizes and steps that are whole numbers from 1
⍝ == error 5:1 LENGTH ERROR: ⌺ has 2 sizes for <int>4, which has 1 axis
⍝ == error 6:3 UNSUPPORTED: ⍥
{⍵}⌺0⊢1 2 3
{+/,⍵}⌺3 3⊢⍳⎕IO+3
a←1 2⍥+3
