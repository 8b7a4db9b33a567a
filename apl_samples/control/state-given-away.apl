⍝ A round of a loop changes its state in place, and computes the next state from that: the memory of the state has been
⍝ given away by then, and is not there to be exchanged for the memory of the next one. The program crashed.
⍝ == output 5 5
⍝ == output 1 5
⍝ == output 5 1
⍝ == output 1 3 2 4 3
⍝ == output 3 2 3 3 2 3
step←{⍵≤0:⍺ ⋄ (⍳5)[1+5|{u←⍵ ⋄ u[1;1]+←7 ⋄ u}⍺]∇⍵-1}
⎕←(3 2⍴0 0 1) step 5
⎕←{(1+5|⍳≢⍵)[1+5|{u←⍵ ⋄ u[2]+←1 ⋄ u}⍵]}⍣4⊢3 1 4 1 5
(a b)←{x y←⍵ ⋄ z←x ⋄ z[1]←9 ⋄ y (3 1 2[1+3|z])}⍣3⊢(1 2 3)(4 5 6)
⎕←a,b
