⍝ Products of rows shorter than a vector of bits, several rows at a time: the last vector of a row ends in the next ones.
⍝ == input b bool 7 5: 1 1 1 1 1 1 0 0 0 1 0 1 1 1 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 1 1 1 0 0 0
⍝ == output 1 1 1 1 1 1 1
⍝ == output 1 0 1 0 0 0 0
⍝ == output 1 1 0 0 1 1 1
⍝ == output 1 0 0 0 0 0 0
⍝ == output 1 0 1 0 0 0 0
⍝ == output 1 0 1 0 0 0 0
⍝ == output 1 0 1 0 0 0 0
⍝ == output 1 1 1 1 1 1 1
⍝ == output 1 1 1 1 1 1 1
⍝ == output 1 1 1 1 0 1 1
⍝ == output 1 1 1 1 0 1 0
⍝ == output 1 1 0 0 1 1 1
⍝ == output 1 1 1 1 1 1 1
⍝ == output 1 1 1 0 1 1 1
⍝ == output 0 1 1 0 0 1 1
⍝ == output 1 0 0 1 1 0 0
⍝ == output 1 0 0 1 1 0 0
⍝ == output 0 1 1 0 0 1 1
⍝ == output 0 1 1 0 0 1 1
⍝ == output 1 0 0 1 1 0 0
⍝ == output 1 0 0 1 1 0 0
⎕←b∧.∨⍉b
⎕←b∨.∧⍉b
⎕←b≠.≠⍉b
