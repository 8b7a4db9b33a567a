⍝ Dyadic \ with an array on its left puts fills in: the ones take the elements in their order, a 0 is a fill, ¯n are n
⍝ fills, n repeats an element. A single element serves all.
⍝ == input v double 2: 2.5 3
⍝ == input b bool 3: 1 0 1
⍝ == output 1 0 2
⍝ == output 1 0 0 2 2
⍝ == output a  bbb    ccccc
⍝ == output a  b
⍝ == output 0 0.5 2
⍝ == output 0 0
⍝ == output 0
⍝ == output 5 5 5
⍝ == output 5 0 5
⍝ == output 5 0 5
⍝ == output 2.5 0 3
⍝ == output 7 0 7
⎕←1 0 1\1 2
⎕←1 ¯2 2\1 2
⎕←1 ¯2 3 ¯4 5\'abc'
⎕←1 0 0 1\'ab'
⎕←0 1 1\0.5 2
⎕←0 0\⍬
⎕←⍴⍬\⍬
⎕←1 1 1\5
⎕←1 0 1\5
⎕←1 0 1\,5
⎕←b\v
⎕←b\7
