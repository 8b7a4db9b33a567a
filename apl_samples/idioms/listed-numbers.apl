⍝ Whole numbers as text, each by itself and in a line, and a double with its digits.
⍝ == input n int 5: 0 ¯7 42 ¯100 9
⍝ == input x double 3: 0.1 ¯2.5 1E12
⍝ == output 0,¯7,42,¯100,9
⍝ == output 14
⍝ == output 0.1 ¯2.5 1E12
⍝ == output ¯7
⎕←1↓∊',',¨⍕¨n
⎕←≢⍕n
⎕←⍕x
⍕n[2]
