⍝ Flags that are integers, as `n⍴1` makes them: `∨/` and `∧/` are common divisors and multiples of integers, and of zeros and
⍝ ones the largest and the least, in lanes.
⍝ == input d double 6: 3 1 4 1.5 9 2.6
⍝ == output 2 4 6 1 3 5
⍝ == output 0 1 1 1
⍝ == output 0 0 1 0
⍝ == output 1 0 1 0
⍝ == structure {simd 18}
∇ r←order d;left;k
left←(≢d)⍴1
r←⍬
:While ∨/left
    k←⊃⍋d+1e9×~left
    left[k]←0
    r,←k
:EndWhile
∇
flags←{f←⍵⍴1 ⋄ f[⍺/1]←0 ⋄ (∧/f),(∨/f),(∧/1↓f),∨/⍺↓f}
⎕←order d
⎕←1 flags≢d
⎕←1 flags 1
⎕←0 flags 0
