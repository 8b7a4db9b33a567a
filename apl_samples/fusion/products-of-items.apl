⍝ What is cut is computed where its items are added up: the products are not written, as each is wanted once. Items
⍝ that overlap want them more than once, so what they are cut from is written.
⍝ == case items of a cut
⍝ == input m bool 6: 0 1 0 1 1 0
⍝ == input v double 6: 1 2 3 4 5 6
⍝ == output 13 16 61
⍝ == output 5 13 25 41 61
⍝ == output 3 6 10 15 21
⍝ == structure {allocs 5}
⎕←{+/⍵×⍵}¨m⊂0⌈v
⎕←+/¨2,/v×v
⎕←1↓+/¨,\⍳≢v
