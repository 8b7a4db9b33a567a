⍝ Files are found from the working directory. ints.txt holds 3 1 4 / 1 5 / -9 2, doubles.txt 1.5 2 / -0.25e1 1E3,
⍝ text.txt two lines of 12 and 13 characters, each with its newline.
⍝ == output 3 1 4 1 5 ¯9 2
⍝ == output 5
⍝ == output 1.5 2 ¯2.5 1000
⍝ == output 6 2 8 2 10 ¯18 4
⍝ == output 27
⍝ == output It is a text
⍝ == output 4
⍝ == output 1
⍝ == output 1001
ints←⎕ReadIntVecFile 'apl_samples/data/ints.txt'
⎕←ints
⎕←⌈/ints
⎕←⎕ReadDoubleVecFile 'apl_samples/data/doubles.txt'
⎕←2×⎕READINTVECFILE 'apl_samples/data/ints.txt'
t←⎕ReadFile 'apl_samples/data/text.txt'
⎕←≢t
⎕←12↑t
⎕←+/'t'=t
⎕←13 27≡⍸t=27⊃t
name←'doubles'
⎕←+/⎕ReadDoubleVecFile 'apl_samples/data/',name,'.txt'
