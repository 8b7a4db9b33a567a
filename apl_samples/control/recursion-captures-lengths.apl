⍝ A function that calls itself uses a vector of its surroundings, computed once, whose length is a rank there.
⍝ == output 1 5
⍝ == output 5 1
f←{⍵≤0:⍺ ⋄ r←⍺∇⍵-1 ⋄ ÷⌿20.0,0⍷19 5 0⍴0.5}
⎕←⍴⍉(5 1⍴1 0 1)f 3
⎕←⍴(5 1⍴1 0 1)f 0
