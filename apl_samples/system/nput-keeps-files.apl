⍝ What is there is not overwritten, unless 1 behind the name of the file says so.
⍝ == output 1
⍝ == error 5:1 FILE ERROR: apl_samples/data/text.txt is there already
⎕←1
'text'⎕NPUT 'apl_samples/data/text.txt'
