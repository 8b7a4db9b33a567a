⍝ f⍤g: monadic f g y, dyadic f x g y. f∘g is different: dyadic x f g y.
⍝ == input v double 3: 1 ¯4 2
⍝ == output ¯1
⍝ == output ¯6
⍝ == output 1
⍝ == output 5
⍝ == output ¯1
⍝ == output 9 14 8
⍝ == output 1 ¯1 0
⍝ == output 3
⍝ == output 2
⍝ == output 1 0 0
⍝ == output 1
⍝ == output 4 3 2 1
⎕←-⍤×3
⎕←2-⍤×3
⎕←2-∘×3
⎕←|⍤-⍨/v
⎕←v+/⍤×1 2 3
⎕←10|⍤-v
⎕←⌊⍤÷v
⎕←7⌊⍤÷2
⎕←≢⍤∪1 1 2
⎕←~⍤∊∘2 3⊢1 2 3
⎕←2×⍤+3
⎕←1 2(⌽⍤,)3 4
