⍝ ⎕NPY of booleans and of characters: the element type comes from the header of the file, so a sum of flags is whole and a
⍝ comparison with text is allowed. The files hold 1 0 1 above 0 0 1, and hello.
⍝ == output 2 1
⍝ == output 1
⍝ == output olleh
⍝ == output 2
flags←⎕NPY 'apl_samples/data/flags.npy'
letters←⎕NPY 'apl_samples/data/letters.npy'
⎕←+/flags
⎕←∨/∧⌿flags
⎕←⌽letters
⎕←+/letters='l'
