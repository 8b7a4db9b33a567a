⍝ f ⎕BENCH n applies f n times and is its result once; what it measured goes to standard error.
⍝ == input x double 4: 1 2 3 4
⍝ == input n int: 3
⍝ == output 6
⍝ == output 10
⍝ == output 0.5 1 1.5 2
⍝ == output 1 2
⍝ == output 2 4
⍝ == output 10
⎕←{+/⍵}⎕BENCH 3⊢1 2 3
sum←+/
⎕←sum ⎕BENCH n⊢x
⎕←{⍵÷2}⎕BENCH 1⊢x
r←{⍵∘.×⍵}⎕BENCH 2⊢1 2
⎕←r
⎕←(sum ⎕BENCH 2)x
