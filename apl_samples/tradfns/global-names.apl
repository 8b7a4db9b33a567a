⍝ A name that the header does not list belongs to the program, if anything else there mentions it.
⍝ == input n int: 4
⍝ == output 60
⍝ == output 2
⍝ == output 14
∇ start x
  scale←x ⋄ total←0 ⋄ count←0
∇
∇ add x
  total←total+x×scale
  count+←1
∇
start 10
add 2
add n
total
count
∇ r←own v;x
  r←0
  :For x :In v
    :If x>2 ⋄ kept←x ⋄ :EndIf
    r+←x
  :EndFor
  r+←kept-1
∇
own 3 2 5
