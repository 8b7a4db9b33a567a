⍝ Monadic ÷ is the reciprocal, always a double.
⍝ == output 0.25
⍝ == output ¯0.5 2
⍝ == output 1
⍝ == output
⍝ == output 1    0.5
⍝ == output 0.25 0.125
⍝ == output 3
⎕←÷4
⎕←÷¯2 0.5
⎕←÷1=1
⎕←÷⍬
⎕←÷2 2⍴1 2 4 8
⎕←÷÷3
