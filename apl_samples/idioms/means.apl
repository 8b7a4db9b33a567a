⍝ A mean and a standard deviation check nothing but that they can be printed: a sum of no terms is 0, and 0÷0 is 1; a sum of squares
⍝ is not negative.
⍝ == case some
⍝ == input v double 4: 1 2 3 4
⍝ == input m int 2 3: 1 2 3 5 6 7
⍝ == output 2.5 1.118033989
⍝ == output 2 6
⍝ == output 3 4 5
⍝ == case none
⍝ == input v double 0:
⍝ == input m int 2 0:
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 
⍝ == structure {checks 2}
mean←(+/v)÷≢v
⎕←mean,((+/(v-mean)*2)÷≢v)*0.5
⎕←(+/m)÷2⊃⍴m
⎕←(+⌿m)÷≢m
