⍝ Monadic ? draws from 1 to n, and from between 0 and 1 if n is 0. What it draws is nobody's business; the same ⎕RL
⍝ gives the same again.
⍝ == input n int: 4
⍝ == output 1
⍝ == output 6
⍝ == output 3 4
⍝ == output 1
⍝ == output
⍝ == output 0
⍝ == output 1
⍝ == output 1 1
⍝ == output 1
⍝ == output 1
⍝ == output 1 0
⎕RL←42
⎕←∧/(?100⍴6)∊⍳6
⎕←≢∪?1000⍴6        ⍝ one of them misses with a chance of 1E¯78
⎕←⍴?3 4⍴6
⎕←∧/,1=?2 3⍴1
⎕←⍴?6
⎕←⍴?⍬
⎕←?1.0
x←?50⍴0
⎕←(∧/0<x),∧/x<1
⎕←1<≢∪x
⎕←(?n)∊⍳4
⎕RL←7 ⋄ a←?20⍴1000000 ⋄ b←?20⍴1000000
⎕RL←7 ⋄ c←?20⍴1000000
⎕←(a≡c),a≡b
