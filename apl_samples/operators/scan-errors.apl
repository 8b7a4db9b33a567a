⍝ What every scan of ÷ needs is a divisor other than zero for each beginning; 0÷0 is 1, and products that a double
⍝ does not hold do not matter where the quotients are held.
⍝ == input v double 4: 1E200 1E¯200 1E200 1E¯200
⍝ == input z double 3: 0 0 2
⍝ == output 2 0.5 2.5
⍝ == output 0 1 1
⍝ == error 10:3 DOMAIN ERROR: ÷ divides by zero
⎕←÷\2 4 5
⎕←÷\z
⎕←÷\v,0
