⍝ A matrix product of data, and with the vectors of ones: row sums, column sums and the sum of all.
⍝ == input a double 2 3: 1 2 3 4 5 6
⍝ == input b double 3 2: 0.5 0 0 2 1 ¯1
⍝ == output 3.5 1
⍝ == output 8   4
⍝ == output 6 15
⍝ == output 5 7 9
⍝ == output 21
⍝ == output 0.5 2 0
⎕←a+.×b
⎕←a+.×1 1 1
⎕←1 1+.×a
⎕←1 1+.×a+.×1 1 1
⎕←+/b
