⍝ ⊢ and ⊣ are their right and left argument; with one argument it is that.
⍝ == output 5
⍝ == output 1 2
⍝ == output 2
⍝ == output 1
⍝ == output 3
⍝ == output 1
⎕←⊢5
⎕←⊣1 2
⎕←1⊢2
⎕←1⊣2
⎕←⊢/1 2 3
⎕←⊣/1 2 3
