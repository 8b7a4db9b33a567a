⍝ a f.g b reduces with f what g makes of the last axis of a against the first axis of b.
⍝ -.×: 4-10-18 is 12. =.∧ on 1 1 0 and 1 0 1: 1=0=0 is 1=1.
⍝ == input v int 3: 1 2 3
⍝ == output 32
⍝ == output 22 28
⍝ == output 49 64
⍝ == output 4 10
⍝ == output 5 7 9
⍝ == output 12 12
⍝ == output 0
⍝ == output 0 2
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 6
⍝ == output 1 0
⍝ == output 12
⍝ == output 2
⍝ == output 1
⍝ == output 11
⍝ == output 32
⍝ == output 2 3 5
⍝ == output 21
⍝ == output 43
⍝ == output 1 1
⍝ == output 0 0
⍝ == output 14
⍝ == output 0
⍝ == output 3
⎕←1 2 3+.×4 5 6
⎕←(2 3⍴⍳6)+.×3 2⍴⍳6
⎕←(2 3⍴⍳6)+.×1 0 1
⎕←1 1+.×2 3⍴⍳6
⎕←(2+.×1 2 3),1 2 3+.×2
⎕←⍬+.×⍬
⎕←⍴(0 3⍴0)+.×3 2⍴0
⎕←(2 0⍴0)+.×0 2⍴0
⎕←1 5 2⌈.+3 1 4
⎕←('abc'∧.='abc'),'abc'∧.='abd'
⎕←1 2 3-.×4 5 6
⎕←1 2 3+.=1 0 3
⎕←1 1 0=.∧1 0 1
⎕←1 2+.{⍺+10×⍵}0 0.8
⎕←1 2 3{⍺+⍵}.×4 5 6
⎕←⍴(2 3 4⍴0)+.×4 5⍴0
⎕←(2 1 2⍴⍳4)+.×1 10
⎕←(2 2⍴0 1 0 0)∨.∧2 2⍴0 0 1 1
⎕←v+.×v
⎕←⌊/(⍳0)+.×0 1⍴1
⎕←v⌊.+2 2 2
