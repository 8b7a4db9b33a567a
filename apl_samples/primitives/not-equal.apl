⍝ Dyadic ≠ is the contrary of =; on booleans the exclusive or.
⍝ == output 0
⍝ == output 1 0 1
⍝ == output 0 1 1
⍝ == output 1
⍝ == output 1 1
⍝ == output
⍝ == output 0 1 1 0
⎕←1≠1
⎕←1 2 3≠3 2 1
⎕←'a'≠'abc'
⎕←'a'≠1
⎕←'ab'≠1 2
⎕←⍬≠1
⎕←(0 0 1 1=1)≠0 1 0 1=1
