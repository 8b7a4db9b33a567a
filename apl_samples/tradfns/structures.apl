⍝ Every control structure, each left in every way.
⍝ == input n int: 12
⍝ == output 1
⍝ == output one
⍝ == output few
⍝ == output many
⍝ == output name
⍝ == output 6
⍝ == output 3 6 9 12
⍝ == output 4
⍝ == output ¯1
⍝ == output 1 2 4 8 16
⍝ == output 78
⍝ == output 10
⍝ == output h-i-
∇ r←sign x
  :If x>0
    r←1
  :ElseIf x<0
    r←¯1
  :Else
    r←0
  :EndIf
∇
sign n
∇ r←name x
  :Select x
  :Case 1
    r←'one'
  :CaseList 2 3 4
    r←'few'
  :Case 'me'
    r←'name'
  :Else
    r←'many'
  :EndSelect
∇
name 1
name n÷4
name n
name 'me'
∇ r←a gcd b
  :While b≠0
    (a b)←b(b|a)
  :EndWhile
  r←a
∇
18 gcd n
∇ r←k multiples n;i
  r←⍳0
  :For i :In ⍳n
    :If 0≠k|i ⋄ :Continue ⋄ :EndIf
    r,←i
  :EndFor
∇
3 multiples n
∇ r←limit first v;x
  r←0
  :For x :In v
    r+←1
    :If x>limit
    :AndIf 0=2|x
      :Return
    :EndIf
  :EndFor
  r←¯1
∇
10 first 1 2 11 12 14
n first 1 2 3
∇ r←doubled n
  r←,1
  :Repeat
    r,←2×¯1↑r
    :If 100<+/r ⋄ :Leave ⋄ :EndIf
  :Until n<¯1↑r
∇
doubled n
∇ r←total m;x
  r←0
  :For x :In m
    r+←x
  :EndFor
∇
total 3 4⍴⍳n
∇ r←until n
  r←0
  :While 1
    r+←1
    :If r≥n
    :OrIf r=10
      :Return
    :EndIf
  :EndWhile
∇
until n
∇ r←spaced text;c
  r←''
  :For c :In text
    r,←c,'-'
  :EndFor
∇
spaced 'hi'
