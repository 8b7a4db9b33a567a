⍝ Stacks, queues and rows that rounds make longer and shorter, in the branches of a choice, stay where they are: only
⍝ memory for more of them is asked for. What is added is made of what is there before any of it is written, and the
⍝ other arrays of a round are made of the old one.
⍝ == input v int 12: 3 1 4 ¯1 5 ¯2 ¯3 2 ¯1 6 ¯2 7
⍝ == output 8 7
⍝ == output 7 3
⍝ == output 32
⍝ == output 55
⍝ == output 3 4 1 2 6 5 7
⍝ == output 3 1 ¯4 5 ¯2 ¯6 7 0 ¯3 ¯1 4 ¯5 2 6 ¯7
⍝ == output 3 7
∇ r←stack v;x
r←⍬
:For x :In v
  :If x>0 ⋄ r←r,x
  :ElseIf x>¯3 ⋄ r←(¯2↓r),+/¯2↑r
  :Else ⋄ r←x↓r
  :EndIf
:EndFor
∇
∇ r←front v;x
r←⍬
:For x :In v
  :If x>0 ⋄ r←x,r
  :Else ⋄ r←1↓r
  :EndIf
:EndFor
∇
∇ r←queue v;x
r←0
:While 0<≢v
  x←⊃v ⋄ v←1↓v
  :If x>2 ⋄ v←v,⌊x÷2 ⋄ :EndIf
  r←r+x
:EndWhile
∇
∇ r←rows n;m;x
m←1 2⍴1,n
r←0
:While 0<≢m
  x←m[≢m;] ⋄ m←¯1↓m
  :If </x ⋄ m←m⍪2 2⍴x[1],(⌊0.5×+/x),(1+⌊0.5×+/x),x[2]
  :Else ⋄ r←r+x[1]
  :EndIf
:EndWhile
∇
swap←{v←⍵ ⋄ {(s i)←⍵ ⋄ i>≢v:s ⋄ v[i]<0:∇((¯2↓s),⌽¯2↑s)(i+1) ⋄ ∇(s,v[i])(i+1)}⍬ 1}
trade←{v←⍵ ⋄ {(s t i)←⍵ ⋄ i>≢v:s,0,t ⋄ v[i]<0:∇((¯1↓s),⊃⌽t)((¯1↓t),⊃⌽s)(i+1) ⋄ ∇(s,v[i])(t,-v[i])(i+1)}⍬ ⍬ 1}
fold←{⊃{⍺>0:⍵,⍺ ⋄ ¯1↓⍵}/(⌽⍵),⊂⍬}
⎕←stack v
⎕←front v
⎕←queue v
⎕←rows 10
⎕←swap v
⎕←trade v
⎕←fold v
