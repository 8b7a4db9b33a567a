⍝ Dyadic ∧ is the logical and; of integers the least common multiple, which is (a×b)÷a∨b.
⍝ == input i int 4: 0 0 1 1
⍝ == output 0 0 0 1
⍝ == output 12
⍝ == output 36 90
⍝ == output 0 7
⍝ == output 1 0
⍝ == output ¯12
⍝ == output
⍝ == output 0 0 0 1
⎕←0 0 1 1∧0 1 0 1
⎕←4∧6
⎕←18∧12 5
⎕←0 7∧5 7
⎕←(1=1)∧1 2=1
⎕←¯4∧6
⎕←⍬∧⍬
⎕←i∧0 1 0 1=1
