⍝ A name that a definition assigns is its own: the one outside keeps its value. What it does not assign it sees from
⍝ outside, with the value at the time of the call; an inner definition sees those of the outer one.
⍝ == output 50
⍝ == output 1
⍝ == output 6
⍝ == output 105
⍝ == output 4
⍝ == output 8 7
⍝ == output 100
⍝ == output 101
⍝ == output 101
⍝ == output 24
⍝ == output 9
⍝ == output 19
⍝ == output 1 2 3
⍝ == output 7
x←1
f←{x←⍵ ⋄ x×10}
⎕←f 5
⎕←x
g←{x+⍵}
⎕←g 5
x←100
⎕←g 5
h←{x←⍵ ⋄ {x+⍵}x}
⎕←h 2
k←{x←⍵ ⋄ inner←{x←x+1 ⋄ x} ⋄ (inner 0),x}
⎕←k 7
⎕←x
m←{x←x+⍵ ⋄ x}
⎕←m 1
⎕←m 1
sum←{+/⍵}
p←{sum←{×/⍵} ⋄ sum ⍵}
⎕←p 2 3 4
⎕←sum 2 3 4
⎕←{⍵+{⍵×⍵}⍵+1}3
⎕←{a←⍵ ⋄ {b←⍵ ⋄ {a,b,⍵}b+1}a+1}1
a←{x←⍺ ⋄ y←⍵ ⋄ x{⍺-⍵}y}
⎕←10 a 3
