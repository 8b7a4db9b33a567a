⍝ A reduction of items by a function that works element by element is one of their elements, place by place: nothing is
⍝ written but the result. Items of a single element extend; others must be alike.
⍝ == input m int 3 3: 1 2 3 4 5 6 7 8 9
⍝ == input starts bool 5: 1 1 0 1 0
⍝ == input unlike bool 5: 1 0 0 1 0
⍝ == output 12 15 18
⍝ == output 4 5 6
⍝ == output 4 5 6
⍝ == output  6  6  6
⍝ == output 15 15 15
⍝ == output 24 24 24
⍝ == output 7 8 9
⍝ == output  5  7  9
⍝ == output 11 13 15
⍝ == output 5  7  9
⍝ == output 8 10 12
⍝ == output 7 9
⍝ == output 41 52 63
⍝ == output 7 9
⍝ == output 0
⍝ == output 3 3
⍝ == output 2 3 2
⍝ == output 3 2 0
⍝ == error 41:4 LENGTH ERROR: +/ needs items of equal lengths, item 1 has length 3 and the next ones another
rows ← ↓m
⎕←⊃+/rows
⎕←⊃-/rows
⎕←⊃(+/rows)÷≢rows
⎕←⊃+/¯1 0 1⌽¨⊂m
⎕←⊃⌈/rows
⎕←↑2+/rows
⎕←↑+/2 2⍴rows
⎕←⊃+/starts⊂⍳5
⎕←⊃1 10 0+.×rows
⎕←⊃+/(5↑1 1 0 1)⊂⍳5
⎕←≢⊃+/0↑rows
cuts ← unlike⊂⍳5 ⍝ what only chooses among items takes them as they are
⎕←≢¨⊣/(2 2⍴cuts),⊂m[1;]
⎕←≢¨{⍵}⌿2 3⍴cuts
⎕←≢¨⊢\cuts,⊂⍬
⎕←⊃+/unlike⊂⍳5
