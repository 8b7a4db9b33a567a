⍝ Characters that look like APL's and appear in real files are read as those.
⍝ == output ¯1
⍝ == output 1
⍝ == output 8
⍝ == output 0
⍝ == output 6
⍝ == output 3 3
⍝ == output 5
⎕←2−3
⎕←2∣3
⎕←2⋆3
⎕←∼1
⎕←+/ι3
⎕←2ρ3
⎕←2{α+ω}3
