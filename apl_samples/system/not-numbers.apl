⍝ A file that holds something else than numbers.
⍝ == error 3:3 FILE ERROR: apl_samples/data/text.txt
⎕←⎕ReadDoubleVecFile 'apl_samples/data/text.txt'
