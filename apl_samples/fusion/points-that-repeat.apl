⍝ Points in lanes that are a few numbers again and again: what is kept for each point of a strip is read round after round.
⍝ == input c double 3: 2 0 1.5
⍝ == output 717.5
⍝ == output 2
⍝ == structure {allocs 1}
near←{⌊/|⍵-c}¨513⍴3 1 4 1 5
⎕←+/near
⎕←near[513]
