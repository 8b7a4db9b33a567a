⍝ Loops that are left by a condition inside, within other loops: what the last round computes is the value, and an array
⍝ that a round changes has given its memory to it. The extents of that value belong to the inner loop. Items are replaced
⍝ in one inner loop and added in the next.
⍝ == input m int 2 2: 1 2 3 4
⍝ == input s int: 2
⍝ == output  1 2  3 4 
⍝ == output 15 4 5
⍝ == output 10 5 5 7
⍝ == output 10
∇r←rows m;I;K
:For I :In ⍳s
  K←0
  :Repeat
    K+←1
    r←↓m
  :Until K≥s
:EndFor
∇
∇r←adds r;K
K←0
:Repeat
  K+←1
  r[1]+←6
:Until K≥s
∇
∇r←again r;I;K
:For I :In ⍳s
  K←0
  :Repeat
    K+←1
    r[1]+←K
  :Until K≥s
  r,←r[2]+I
  :If I>1 ⋄ r←¯1↓r ⋄ :Leave ⋄ :EndIf
:EndFor
r[4]←7
∇
∇r←count v;I;J;N
N←(1 2)(3 4 5)
:For I :In ⍳s
  :For J :In ⍳3
    N[2 1]←⊂v
  :EndFor
  :For J :In ⍳4
    N,←⊂J J
  :EndFor
:EndFor
r←≢N
∇
rows m
adds 3 4 5
again 4 5 5
count 9 9
