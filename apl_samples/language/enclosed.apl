⍝ An array that is enclosed is a scalar: it goes with each item of a nested array, and a reduction gives one.
⍝ == output  1 2 3 
⍝ == output  1 2 3 
⍝ == output    1 2 3 5
⍝ == output 1 2
⍝ == output 3 4
⍝ == output  11 22  13 24 
⍝ == output  3 3  4 4 
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 1 2 3 4 5 6
⍝ == output 12 15 18
⍝ == output  5 7 9 
⍝ == output
⍝ == output 1
⍝ == output 0
⍝ == output 1
⍝ == output 1 2  3 4 
⍝ == output
⎕←⊂1 2 3
⎕←⊆1 2 3
⎕←(⍴⊂1 2 3)(≢⊂1 2 3)(≡⊂1 2 3)(≡⊂⊂1 2 3)(⊂5)
⎕←⊃⊂2 2⍴⍳4
⎕←(1 2)(3 4)+⊂10 20
⎕←(⊂1 2)⍴¨3 4
⎕←(⊂3 1)⌷3 2⍴⍳6
⎕←⊃,/(1 2)(3 4 5)6
⎕←⊃+/(1 2 3)(4 5 6)(7 8 9)
⎕←+/(1 2 3)(4 5 6)
⎕←⍴,/(1 2)(3 4 5)
⎕←(⊂1 2 3)≡⊂1 2 3
⎕←(⊂1 2 3)≡,⊂1 2 3
a b←⊂1 2 3
⎕←a≡b
⎕←(1 2),⊂3 4
f←{⍵=0:⊂1 2 ⋄ ∇⍵-1}
⎕←⍴f 3
