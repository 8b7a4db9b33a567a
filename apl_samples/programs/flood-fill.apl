⍝ Which open squares of a grid are reached from its corner, by steps up, down, left and right: what is reached grows by its
⍝ neighbours until nothing changes. The grid that begins it holds numbers, so ∨ is a greatest common divisor and ∧ a least
⍝ common multiple; of zeros and ones they are the greater and the less, a byte for each square.
⍝ == input n int: 6
⍝ == output 1 0 0 0 0 0
⍝ == output 1 1 0 0 0 0
⍝ == output 0 1 1 0 0 0
⍝ == output 0 0 1 1 0 0
⍝ == output 0 0 0 1 1 0
⍝ == output 0 0 0 0 1 1
⍝ == output 11
open←{(d=0)∨1=d←(⍳⍵)∘.-⍨⍳⍵}
fill←{
    open←⍵ ⋄ start←(⍴⍵)↑1 1⍴1
    {open∧⍵∨(0⍪¯1↓⍵)∨(1↓⍵⍪0)∨(0,0 ¯1↓⍵)∨0 1↓⍵,0}⍣≡start
}
reached←fill open n
⎕←reached
⎕←+/,reached
