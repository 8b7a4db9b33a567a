⍝ Dyadic ! is (!b)÷(!a)×!b-a: a!b is in how many ways a things are chosen from b. Where factorials of negative whole
⍝ numbers meet it is the limit: 2!¯3 is ¯3×¯4÷2, 3!¯2 is ¯2×¯3×¯4÷6, and 0 if only the divisor has one. Of three of
⍝ them, ¯3!¯2 is ¯1*1 times 1!2, ¯2!¯3 is 0. 2!0.5 is 0.5×¯0.5÷2; the others come from the gamma function.
⍝ == input a int 4: 2 3 ¯3 5
⍝ == input b int 4: 5 ¯2 ¯2 2
⍝ == input x double 2: 0.5 2.5
⍝ == output 10
⍝ == output 10 20 35
⍝ == output 1 4 6 4 1
⍝ == output 1 1 1 1
⍝ == output 0 1 2 3
⍝ == output 0 0 1 3
⍝ == output 0 0 0 1
⍝ == output 0
⍝ == output 184756
⍝ == output 6 ¯4
⍝ == output ¯2 0 1
⍝ == output 0 0
⍝ == output ¯0.125
⍝ == output 1.273239545 10.86497745
⍝ == output 0.5 ¯0.8346268417 0
⍝ == output
⍝ == output 3 1
⍝ == output 10 ¯4 ¯2 0
⍝ == output 1.273239545 10.86497745
⎕←2!5
⎕←3!5 6 7
⎕←0 1 2 3 4!4
⎕←(0,⍳3)∘.!0,⍳3
⎕←5!2
⎕←10!20
⎕←2 3!¯3 ¯2
⎕←¯3 ¯2 ¯1!¯2 ¯3 ¯1
⎕←¯2 ¯1!3 0
⎕←2!0.5
⎕←0.5 2.5!1 5
⎕←¯0.5 0.5 0.5!0.5 ¯0.75 ¯0.5
⎕←2!⍬
⎕←(1=1 0)!3
⎕←a!b
⎕←x!1 5
