⍝ Text that is known while compiling is executed where it stands; characters of digits are digits.
⍝ == input n int: 123
⍝ == output 5
⍝ == output 10
⍝ == output 6
⍝ == output 124
⍝ == output 126
⍝ == output 8
⍝ == output 1
⍝ == output 2
⍝ == output 7
⍝ == output 3 2 1
⍝ == output 6
⍝ == output 7
⍝ == output 15
⍝ == error 47:1 INDEX ERROR: ⍎ has no element 11
⍎'2+3'
⍎'x←5 ⋄ x×2'
+/⍎¨⍕n
{⍎'⍵+1'}n
x←3 ⋄ {⍎'x+⍵'}n
⍎'f←{⍵×2}' ⋄ f 4
⍎'1 ⋄ 2'
⍎'⎕←7'
⌽⍎¨⍕n
∇ r←next x
  ⍎'r←x+1'
∇
next 5
∇ r←summed v;i;t
  r←t←0
  :For i :In v
    ⍎'r←r+i'
    :If i>3
      ⍎'t←t+1'
    :EndIf
  :EndFor
  r←r×t
∇
summed 1 2 4
add←'s←s+i'
∇ s←summed2 v;i
  s←0
  :For i :In v ⋄ ⍎add ⋄ :EndFor
∇
summed2 4 5 6
⍎¨⍕n÷2
