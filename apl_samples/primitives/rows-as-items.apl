⍝ Where a matrix stands for a vector of items, its rows are the items: dyadic ⍳ looks up rows, ∪ keeps one of each.
⍝ == input m double 3 2: 1 2 3 4 1 2
⍝ == input w int 2 2: 3 4 9 9
⍝ == output 2 1 3
⍝ == output 2
⍝ == output
⍝ == output 3 1
⍝ == output 1 2
⍝ == output 3 4
⍝ == output a
⍝ == output b
⍝ == output 0 3
⍝ == output 2 4
⍝ == output 1 2
⍝ == output 3 4
⎕←(2 2⍴⍳4)⍳3 2⍴3 4 1 2 9 9
⎕←(2 2⍴⍳4)⍳3 4
⎕←⍴(2 2⍴⍳4)⍳3 4
⎕←(3 3⍴'catdogcow')⍳2 3⍴'cowcat'
⎕←∪3 2⍴1 2 3 4 1 2
⎕←∪3 1⍴'aba'
⎕←⍴∪0 3⍴0
⎕←m⍳w
⎕←∪m
