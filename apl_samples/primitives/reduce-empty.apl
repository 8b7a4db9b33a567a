⍝ Reducing an empty axis gives the identity item of the function: x f i is x for - ÷ * |, both ways for the others.
⍝ ⌈ and ⌊ give the smallest and the largest number of the element type.
⍝ == input e double 0:
⍝ == input z double 0 2:
⍝ == input w double 2 0:
⍝ == output 0 1 0 1
⍝ == output ¯9223372036854775808
⍝ == output 9223372036854775807
⍝ == output ¯1.797693135E308
⍝ == output 1.797693135E308
⍝ == output 1 0 1 0
⍝ == output 0 0 1 1
⍝ == output 0 1
⍝ == output
⍝ == output 0 0 0
⍝ == output 1 1
⍝ == output 0 0 0
⍝ == output
⍝ == output 0
⍝ == output 0 1 0 1
⍝ == output ¯1.797693135E308 1.797693135E308
⍝ == output 0 0
⍝ == output
⍝ == output 1 1
⍝ == output
⎕←(+/⍬),(×/⍬),(-/⍬),÷/⍬
⎕←⌈/⍬
⎕←⌊/⍳0
⎕←⌈/0⍴0.5
⎕←⌊/0⍴0.5
⎕←(∧/⍬),(∨/⍬),(=/⍬),≠/⍬
⎕←(</⍬),(>/⍬),(≤/⍬),≥/⍬
⎕←(|/⍬),*/⍬
⎕←+/0 3⍴0
⎕←+/3 0⍴0
⎕←×/2 0⍴0
⎕←+⌿0 3⍴0
⎕←+⌿3 0⍴5
⎕←+/0⍴1=1
⎕←(+/e),(×/e),(-/e),÷/e
⎕←(⌈/e),⌊/e
⎕←+⌿z
⎕←+/z
⎕←×/w
⎕←×⌿w
