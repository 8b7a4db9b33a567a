⍝ Monadic ∪ keeps the first of equal elements, in their order; of a scalar it makes a vector.
⍝ == input v double 5: 2.5 1 2.5 3 1
⍝ == input e int 0:
⍝ == output 3 1 2
⍝ == output misp
⍝ == output 1.5 1
⍝ == output 1 0
⍝ == output
⍝ == output 0
⍝ == output 5
⍝ == output 1
⍝ == output 2.5 1 3
⍝ == output 3
⍝ == output 0
⎕←∪3 1 3 2 1
⎕←∪'mississippi'
⎕←∪1.5 1 1.5
⎕←∪1=1 0 1
⎕←∪⍬
⎕←⍴∪''
⎕←∪5
⎕←⍴∪5
⎕←∪v
⎕←≢∪v
⎕←⍴∪e
