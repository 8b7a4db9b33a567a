⍝ Lines of a log: how long they are, which are errors, and what came before the colon.
⍝ == output 4
⍝ == output  info  error  info  error 
⍝ == output  info  error 
⍝ == output 2 2
⍝ == output  error: no file  error: disk full 
⍝ == output  started  no file  done  disk full 
log←'info: started;error: no file;info: done;error: disk full'
lines←';'(≠⊆⊢)log
⎕←≢lines
kinds←{⊃':'(≠⊆⊢)⍵}¨lines
⎕←kinds
⎕←∪kinds
⎕←{≢⍵}⌸kinds
⎕←(kinds∊⊂'error')/lines
⎕←{2↓⍵↑⍨-(≢⍵)-¯1+⍵⍳':'}¨lines
