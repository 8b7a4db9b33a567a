⍝ Dyadic ⊤ gives the digits of a number: remainders from the last radix to the first, and what is too large is lost. A
⍝ radix of 0 takes all that is left. The remainder has the sign of the radix: ¯1 ends in 9 9.
⍝ == input n int: 3723
⍝ == input r int 3: 24 60 60
⍝ == input x double: ¯1.25
⍝ == input e int 0:
⍝ == output 1 0 1
⍝ == output 0 1
⍝ == output 1 2 3
⍝ == output 2 5
⍝ == output 3
⍝ == output 3
⍝ == output 5
⍝ == output 0 5
⍝ == output 9 9
⍝ == output ¯1 9
⍝ == output 23 59 59
⍝ == output 0
⍝ == output 2 5
⍝ == output 0 1
⍝ == output 1 2 3
⍝ == output ¯2 0.75
⍝ == output 3723
⍝ == output 0
⍝ == output 3 0
⎕←2 2 2⊤5
⎕←2 2⊤5
⎕←24 60 60⊤3723
⎕←0 60⊤125
⎕←10⊤123
⎕←(,10)⊤123
⎕←0⊤5
⎕←0 0⊤5
⎕←10 10⊤¯1
⎕←0 10⊤¯1
⎕←24 60 60⊤¯1
⎕←⍴⍬⊤5
⎕←10⊤12 345
⎕←2 2⊤1=1
⎕←r⊤n
⎕←0 1⊤x
⎕←r⊥r⊤n
⎕←⍴e⊤n
⎕←⍴r⊤e
