⍝ == error 2:3 FILE ERROR: apl_samples/data
⎕←⎕ReadFile 'apl_samples/data'
