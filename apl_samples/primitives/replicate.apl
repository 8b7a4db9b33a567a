⍝ Dyadic / with an array on its left repeats each element as often as that says; a negative count puts so many fills
⍝ in its place. A single count goes with all elements, and an axis of length 1 is stretched.
⍝ == input v double 4: 1 5 2 7
⍝ == input n int 4: 2 0 ¯1 1
⍝ == input k int: 2
⍝ == output 1 3
⍝ == output 1 1 3
⍝ == output 1 0 0 3 3 3 0 0 0 0 5 5 5 5 5
⍝ == output a c
⍝ == output 0.5 0 2
⍝ == output 1 1 2 2
⍝ == output 1 1 2 2
⍝ == output 0 0 0 0
⍝ == output 5 5 5
⍝ == output 5 5 5
⍝ == output 5 5 5
⍝ == output 1
⍝ == output 0
⍝ == output
⍝ == output
⍝ == output 5 2 7
⍝ == output 1 1 0 7
⍝ == output aa d
⍝ == output 1 1 5 5 2 2 7 7
⍝ == output 8
⎕←1 0 1/1 2 3
⎕←2 0 1/1 2 3
⎕←1 ¯2 3 ¯4 5/⍳5
⎕←1 ¯1 1/'abc'
⎕←1 ¯1 1/0.5 1 2
⎕←2/1 2
⎕←(,2)/1 2
⎕←¯2/1 2
⎕←3/5
⎕←1 0 2/5
⎕←1 2/,5
⎕←⍴1/5
⎕←⍴0/1 2 3
⎕←⍬/⍬
⎕←3/⍬
⎕←(v>1.5)/v
⎕←n/v
⎕←n/4⍴'abcd'
⎕←k/v
⎕←+/(v<6)/v
