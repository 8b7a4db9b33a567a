⍝ Arrays of complex numbers from NumPy.
⍝ == output 3J4 0J¯1 0.5
⍝ == output 5 1 0.5
⍝ == output [[3,4],[-0,-1],[0.5,0]]
⍝ == output 1J2 3
z←⎕NPY 'apl_samples/data/complex.npy'
⎕←z
⎕←|z
⎕←1⎕JSON z
⎕←⍎'1J2 3'
