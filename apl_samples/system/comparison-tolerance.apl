⍝ Numbers are equal that differ by no more than the fraction ⎕CT of the larger one. It is 1E¯14 until it is set.
⍝ == input x double: 1
⍝ == output 1E¯14
⍝ == output 0
⍝ == output 1
⍝ == output 1
⍝ == output 0
⍝ == output 0
⍝ == output 1
⍝ == output 0
⍝ == output 2
⍝ == output 1
⍝ == output 1
⍝ == output 2
⍝ == output 2
⍝ == output 0
⍝ == output 0
⍝ == output 1 0
⎕←⎕CT
⎕←1=x+1E¯12
⎕←1<x+1E¯12
⎕CT←1E¯10
⎕←1=x+1E¯12
⎕←1≠x+1E¯12
⎕←1<x+1E¯12
⎕←1≥x+1E¯12
⎕←1=x+1E¯9
⎕←(1 2×x)⍳2+1E¯12
⎕←(2+1E¯12)∊1 2×x
⎕←1 2≡1 2×x+1E¯13
⎕←⌊2-x×1E¯12
⎕←⌈2+x×1E¯12
⎕←0=x×1E¯300
⎕CT←0
⎕←1=x+1E¯12
⎕←(1>x-1E¯13),1≥x+1E¯13
