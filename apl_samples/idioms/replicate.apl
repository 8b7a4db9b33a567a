⍝ / with numbers on its left: copies, gaps, stretching, with itself; and its inverse \.
⍝ == input v int 3: 2 0 3
⍝ == output 2 2 3 3 3
⍝ == output 2 2 0 0 3 3
⍝ == output aaccc
⍝ == output 1 1 3 3 3
⍝ == output 2 0 0 3
⍝ == output 1 1 2 2
⍝ == output 1 1 2 2
⍝ == output 3 3 4 4
⍝ == output 3 3 4 4
⍝ == output 5 0 6
⍝ == output a b
⍝ == output 2 0 0 0 3
⍝ == output 2 3
⍝ == output
⍝ == output 0
⍝ == output 2 0 3
⍝ == output 5 5 5
⍝ == output 1 3
⍝ == output 4 6
⍝ == output 4 5 6
⍝ == output 4 5 6
⍝ == output 1 2 3
⍝ == output 3 6
⍝ == output 1 4
⎕←v/v
⎕←2/v
⎕←v/'abc'
⎕←v/⍳3
⎕←1 ¯2 1/v
⎕←2/2⌿2 2⍴⍳4
⎕←1 0 1\5 6
⎕←1 0 1\'ab'
⎕←(5⍴1 0)\v
⎕←(0≠v)/v
⎕←0/v
⎕←≢0/v
⎕←1/v
⎕←(≢v)/5
⎕←1 0 1/2 3⍴⍳6
⎕←0 1⌿2 3⍴⍳6
⎕←⊢⌿2 3⍴⍳6
⎕←⊣⌿2 3⍴⍳6
⎕←⊢/2 3⍴⍳6
⎕←⊣/2 3⍴⍳6
