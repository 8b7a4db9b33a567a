⍝ (a b)←x gives each name one element of x, or all of them x itself, if that is a scalar.
⍝ == input v double 3: 1.5 2 8
⍝ == output ¯1
⍝ == output 1
⍝ == output 4
⍝ == output 14
⍝ == output 1 2
⍝ == output 3 4
⍝ == output text
⍝ == output 8
⍝ == output 42
⍝ == output 3661
⍝ == output 4
(a b)←3 4
⎕←a-b
(a b)←b a
⎕←a-b
(x y z)←v
⎕←z÷y
(p q)←7
⎕←p+q
(m t)←(2 2⍴⍳4)'text'
⎕←m
⎕←t
(lo hi)←(⌊/,⌈/)v
⎕←hi
⎕←{(a b)←⍵ ⋄ a×b}6 7
⎕←+/{(h m s)←⍵ ⋄ 3600 60 1×h m s}1 1 1
⎕←a
