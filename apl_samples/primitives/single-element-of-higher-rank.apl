⍝ A matrix of one element against a vector: the result has the shape of the vector.
⍝ == output 6 7 8
⍝ == output 3
⎕←(1 1⍴5)+1 2 3
⎕←⍴(1 1⍴5)+1 2 3
