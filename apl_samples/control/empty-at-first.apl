⍝ What is ⍬ or '' at first may become text as well as numbers: in loops, recursion and branches.
⍝ == output abc
⍝ == output 0
⍝ == output -++
⍝ == output xxx
⍝ == output 3 2 1
⍝ == output    a  ab
∇ r←letters n;k
k←n
r←⍬
:While k>0
r←(⎕UCS 96+k),r
k-←1
:EndWhile
∇
letters 3
≢letters 0
marks←{out←⍬ ⋄ _←{out,←⍵⌷'-+'}¨⍵ ⋄ out}
marks 1 2 2
{⍵,'x'}⍣3⊢⍬
3{⍺=0:⍵ ⋄ (⍺-1)∇⍵,⍺}''
{⍵=0:⍬ ⋄ ⍵⍴'abc'}¨0 1 2
