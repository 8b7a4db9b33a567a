⍝ f⍛g applies f to the left argument of g, or to the only one; a constant function; an operator that calls itself.
⍝ == input n int: 5
⍝ == output 2 1
⍝ == output 0
⍝ == output 5 1 ¯1
⍝ == output 7
⍝ == output 7 7
⍝ == output 320
⍝ == output 8
1 2-⍛+3
-⍛+n
+/⍛÷⍛-1 2 3
7⍨n
1 2(7 7⍨)n
until←{⍵>300:⍵ ⋄ (⍺⍺ ∇∇)⍺⍺ ⍵}
×∘2 until n
(2∘×){⍵>n:⍵ ⋄ ⍺⍺ ∇∇ ⍺⍺ ⍵}1
