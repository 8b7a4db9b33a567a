⍝ Dyadic ∩ keeps what of x is in y, with its duplicates. A character is no number.
⍝ == input v int 4: 1 2 2 5
⍝ == input w int 3: 5 2 9
⍝ == output 2 4
⍝ == output 1 1
⍝ == output sh
⍝ == output 0
⍝ == output
⍝ == output 5
⍝ == output 1
⍝ == output 2
⍝ == output 0
⍝ == output 2 2 5
⎕←1 2 3 4∩4 2 9
⎕←1 1 2∩1
⎕←'wash'∩'shout'
⎕←⍴⍬∩1
⎕←1 2∩3 4
⎕←5∩5
⎕←⍴5∩5
⎕←1 2 3∩2.0
⎕←⍴'abc'∩1 2
⎕←v∩w
