⍝ Element k of f\v is f/k↑v: right to left, so -\ alternates. A scalar and an empty vector stay as they are.
⍝ == input v double 4: 1 2 3 4
⍝ == input b bool 5: 0 1 1 0 1
⍝ == output 1 3 6 10
⍝ == output 1 ¯1 2 ¯2
⍝ == output 1 0.5 1.5 0.375
⍝ == output 1 2 6 24 120 720
⍝ == output 3 3 4 4 5
⍝ == output 3 1 1 1 1
⍝ == output 2 2 2
⍝ == output 9 7 5
⍝ == output 4 4 4
⍝ == output 4 5 6
⍝ == output
⍝ == output
⍝ == output 5
⍝ == output 5
⍝ == output
⍝ == output 1 3 6 10
⍝ == output 1 ¯1 2 ¯2
⍝ == output 1 0.5 1.5 0.375
⍝ == output 0 1 2 2 3
⍝ == output 0 ¯1 0 0 1
⎕←+\1 2 3 4
⎕←-\1 2 3 4
⎕←÷\1 2 3 4
⎕←×\⍳6
⎕←⌈\3 1 4 1 5
⎕←⌊\3 1 4 1 5
⎕←*\2 1 3
⎕←|\9 7 5
⎕←⊣\4 5 6
⎕←⊢\4 5 6
⎕←+\⍬
⎕←-\⍬
⎕←+\5
⎕←+\,5
⎕←⍴+\5
⎕←+\v
⎕←-\v
⎕←÷\v
⎕←+\b
⎕←-\b
