⍝ Monadic ⍸ is where the ones are.
⍝ == input v double 4: 1 5 2 7
⍝ == input i int 3: 1 0 1
⍝ == input e bool 0:
⍝ == output 2 3 5
⍝ == output
⍝ == output 0
⍝ == output
⍝ == output 1
⍝ == output 2 4 6
⍝ == output 2 3 4
⍝ == output 6
⍝ == output 1 3
⍝ == output 0
⎕←⍸0 1 1 0 1
⎕←⍸0 0
⎕←⍴⍸0 0
⎕←⍸⍬
⎕←⍸,1
⎕←⍸'banana'='a'
⎕←⍸v>1.5
⎕←+/⍸v<6
⎕←⍸i
⎕←⍴⍸e
