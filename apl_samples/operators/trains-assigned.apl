⍝ Trains with names, from inside other trains and definitions, with one argument and with two.
⍝ == input v double 8: 2 4 4 4 5 5 7 9
⍝ == output 5
⍝ == output ¯3 ¯1 ¯1 ¯1 0 0 2 4
⍝ == output 4
⍝ == output 2
⍝ == output ¯1.5 ¯0.5 ¯0.5 ¯0.5 0 0 1 2
⍝ == output 0.5
⍝ == output 3
⍝ == output 8 2
⍝ == output 3 ¯3
⍝ == output 4 4 4 5 5
mean←+⌿÷≢
dev←⊢-mean
var←mean 2*⍨dev
sd←0.5*⍨var
z←dev÷sd
⎕←mean v
⎕←dev v
⎕←var v
⎕←sd v
⎕←z v
ratio←(⊣-⊢)÷⊣+⊢
⎕←3 ratio 1
f←{mean ⍵}-⌊/
⎕←f v
both←+,-
⎕←5 both 3
⎕←both 3
within←{(⍺≥|dev ⍵)/⍵}
⎕←1 within v
