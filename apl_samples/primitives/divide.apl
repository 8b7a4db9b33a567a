⍝ Dyadic ÷ gives doubles, and 0÷0 is 1, also where only the run shows the zeros.
⍝ == input x double 3: 0 1 2
⍝ == input n int 3: 0 1 2
⍝ == output 2
⍝ == output 0.25
⍝ == output 1
⍝ == output 1 0
⍝ == output 0.5 1 1.5
⍝ == output ¯0.5
⍝ == output 0
⍝ == output
⍝ == output 1 1 1
⍝ == output 1 0 0
⍝ == output 1 1 1
⍝ == output 3
⎕←6÷3
⎕←1÷4
⎕←0÷0
⎕←0 0÷0 2
⎕←1 2 3÷2
⎕←¯1÷2
⎕←0÷5
⎕←⍬÷0
⎕←x÷x
⎕←(0×x)÷x
⎕←n÷n
⎕←+/x÷x
