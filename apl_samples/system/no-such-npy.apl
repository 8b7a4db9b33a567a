⍝ The header of the file decides on types, so this is an error of compilation: nothing is printed before it.
⍝ == error 4:10 FILE ERROR: apl_samples/data/no-such-file.npy
⎕←1
⎕←+/⎕NPY 'apl_samples/data/no-such-file.npy'
