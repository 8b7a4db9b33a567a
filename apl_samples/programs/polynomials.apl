⍝ Polynomials with the highest power first: values by ⊥ and by Horner's rule, sum, product, derivative, and the values of
⍝ 3x²+2x+1 at several points.
⍝ == input x double 3: ¯1 0 0.5
⍝ == output 17
⍝ == output 2 1 2.75
⍝ == output 2 1 2.75
⍝ == output 2 1 2.75
⍝ == output 6 2
⍝ == output 6
⍝ == output 1 2 1
⍝ == output 1 0 0 ¯1
⍝ == output 9 12 10 4 1
⍝ == output 1 5 10 10 5 1
⍝ == output 1 3 2 1
⍝ == output 408
c←3 2 1
⎕←2⊥c
⎕←{⍵⊥c}¨x
⎕←(x∘.*2 1 0)+.×c
⎕←{at←⍵ ⋄ {⍺+at×⍵}/⌽c}¨x
derivative←{¯1↓⍵×⌽¯1+⍳≢⍵}
⎕←derivative c
⎕←derivative⍣2⊢c
times←{+⌿(1-⍳≢⍺)⌽⍺∘.×⍵,0×1↓⍺}
⎕←1 1 times 1 1
⎕←1 ¯1 times 1 1 1
⎕←c times c
⎕←(1 1∘times⍣5),1
plus←{n←(≢⍺)⌈≢⍵ ⋄ ((-n)↑⍺)+(-n)↑⍵}
⎕←c plus 1 0 0 0
⎕←10⊥1 2 times 3 4
