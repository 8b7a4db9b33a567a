⍝ Dyadic ⊖ rotates the first axis.
⍝ == input n int: ¯4
⍝ == input e int 0 2:
⍝ == output 3 4
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 3 4
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 2 3 1
⍝ == output 5 6
⍝ == output 7 8
⍝ == output
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 7
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 0 2
⎕←1⊖3 2⍴⍳6
⎕←¯1⊖3 2⍴⍳6
⎕←4⊖3 2⍴⍳6
⎕←1⊖1 2 3
⎕←1⊖2 2 2⍴⍳8
⎕←3⊖7
⎕←n⊖3 2⍴⍳6
⎕←⍴n⊖e
