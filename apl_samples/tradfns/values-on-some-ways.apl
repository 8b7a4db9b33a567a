⍝ A name may have a value on some ways only; that it has none is an error of the run, where it is used.
⍝ == input n int: 5
⍝ == output 5
⍝ == output 2
⍝ == output 0
⍝ == output 7
⍝ == error 24:5 VALUE ERROR: x has no value
∇ r←when n;x
  :If n>3
    x←n
  :EndIf
  r←n
  :If n>3
    r←x
  :EndIf
∇
when n
when n-3
∇ r←last v;x
  r←0
  :For x :In v
    :If x<0 ⋄ :Return ⋄ :EndIf
  :EndFor
  r←x
∇
last 3 ¯1,n
last n,7
last 0⌊n↓1 2 3
