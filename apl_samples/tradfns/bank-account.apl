⍝ A bank account: deposits and withdrawals in order, refused where there is not enough, interest at the end of each year.
⍝ == input moves int 8: 100 ¯30 ¯200 50 ¯20 10 ¯5 40
⍝ == output refused ¯200
⍝ == output 149.002
⍝ == output 1
⍝ == structure {allocs 2}
∇ r←rate year balance
  r←balance×1+rate÷100
∇
∇ balance←rate account moves;move;k
  balance←k←refused←0
  :For move :In moves
    k←k+1
    :If 0>balance+move
      refused+←1
      ⎕←'refused ',⍕move
      :Continue
    :EndIf
    balance+←move
    :If 0=4|k
      balance←rate year balance
    :EndIf
  :EndFor
∇
refused←0
1.5 account moves
refused
