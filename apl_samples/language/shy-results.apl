⍝ A definition that ends in an assignment gives its value and shows nothing; parentheses, functions and operators around the call show.
⍝ Which guard has decided may be known to the run alone.
⍝ == input n int: 1
⍝ == output 3
⍝ == output 4
⍝ == output 4
⍝ == output 5
⍝ == output 5
⍝ == output 2
⍝ == output 7
⍝ == output 1 2
⍝ == output 9
⍝ == output 1
⍝ == output ¯1
⍝ == output ¯1
⍝ == output end
quiet←{a←⍵}
quiet 3
(quiet 3)
1+quiet 3
prints←{⎕←⍵}
prints 4
x←prints 5
small←{⍵>3: ⍵ ⋄ a←⍵}
small 5
small 2
large←{⍵>3: b←⍵ ⋄ ⍵}
large 5×n
large 2×n
last←{⍵=0: z←7 ⋄ ∇ ⍵-1}
last 0×n
last 3×n
negated←{q←⍺⍺ ⍵}
-negated 3
quiet¨1 2
{⍵: 'shown' ⋄ s←'shy'}n=2
several←{(a b)←⍵ ⋄ c←a+b}
several 4 5
y←several 4 5
⎕←y
⍝ What such a definition shows itself stays.
which←{⍵>0:⎕←1 ⋄ ⎕←¯1}
which n
5 which 0
which -n
'end'
