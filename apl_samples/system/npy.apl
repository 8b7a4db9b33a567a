⍝ Arrays of NumPy: element type and rank are those of the file. matrix.npy holds 1.5 2 3 / 4 5 6.5, bytes.npy 1 ¯2 3 127.
⍝ == output 1.5 2 3
⍝ == output 4   5 6.5
⍝ == output 6.5 15.5
⍝ == output 2 3
⍝ == output 1 ¯2 3 127
⍝ == output 2 ¯4 6 254
⍝ == output 1 4 9 16129
⍝ == output 20.5
m←⎕NPY 'apl_samples/data/matrix.npy'
⎕←m
⎕←+/m
⎕←⍴m
b←⎕NPY 'apl_samples/data/bytes.npy'
⎕←b
⎕←2×b
⎕←b×b
m[1;1]←0
⎕←+/,m
