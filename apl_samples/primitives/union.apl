⍝ Dyadic ∪ is x,y~x: all of x, and what of y is not in x. Neither loses its duplicates.
⍝ == input v int 3: 1 2 2
⍝ == input w int 4: 3 2 3 4
⍝ == output 1 2 3 4
⍝ == output 1 1 2 3 3
⍝ == output washout
⍝ == output 1 2
⍝ == output 1 2
⍝ == output 0
⍝ == output 5 6
⍝ == output 5
⍝ == output 1
⍝ == output 1 2 2.5
⍝ == output ab
⍝ == output 1 2 2 3 3 4
⎕←1 2 3∪3 4
⎕←1 1 2∪2 3 3
⎕←'wash'∪'shout'
⎕←⍬∪1 2
⎕←1 2∪⍬
⎕←⍴⍬∪⍬
⎕←5∪6
⎕←5∪5
⎕←⍴5∪5
⎕←1 2∪2.5 2
⎕←''∪'ab'
⎕←v∪w
