⍝ The name is data here: the run finds out.
⍝ == input name char 6: 'absent'
⍝ == error 4:5 FILE ERROR: apl_samples/data/absent.txt
⎕←+/⎕ReadIntVecFile 'apl_samples/data/',name,'.txt'
