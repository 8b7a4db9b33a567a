⍝ == output 1
⍝ == error 4:3 FILE ERROR: apl_samples/data/no-such-file.txt
⎕←1
⎕←⎕ReadFile 'apl_samples/data/no-such-file.txt'
