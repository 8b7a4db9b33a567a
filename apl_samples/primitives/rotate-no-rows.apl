⍝ Rows that are rotated each by its own number, where there are none: a row of fills is taken, and no number is read.
⍝ == input k int 0:
⍝ == input t char 0 1: ''
⍝ == input m double 0 3:
⍝ == output 1 2
⍝ == output 0 0 0
⍝ == output 0 0 0 0
⎕←⍴1↑k⌽t,'c'
⎕←,1↑k⌽m
⎕←,1↑k⌽m,2
