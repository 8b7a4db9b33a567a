⍝ Common multiples and divisors of the first numbers, the first two, and so on. Of zeros and ones they are truth values, also
⍝ where these are doubles: one pass over all elements, where others take one for each.
⍝ == input v double 6: 1 1 1 0 1 1
⍝ == input w double 4: 4 6 2.5 10
⍝ == output 1 1 1 0 0 0
⍝ == output 1 1 1 1 1 1
⍝ == output 3
⍝ == output 4 12 60 60
⍝ == output 4 2 0.5 0.5
⍝ == output 1 1 1
⍝ == output 0 0 0
⍝ == output 0
⎕←∧\v
⎕←∨\v
⎕←+/∧\v
⎕←∧\w
⎕←∨\w
⎕←∧\2 3⍴v
⎕←⍴∧\0↑v
