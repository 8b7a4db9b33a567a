⍝ A name may be a function here and an array there.
⍝ == output 6
⍝ == output 6
⍝ == output 9
⍝ == output 10 2 1
⍝ == output 6
sum←+/
⎕←sum 1 2 3
⎕←{sum←⍵ ⋄ sum+1}5
⎕←sum 4 5
r←{f←⌽ ⋄ f ⍵}
f←10
⎕←f,r 1 2
⎕←{×/⍵}{⍺⍺ ⍵}2 3
