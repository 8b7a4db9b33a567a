⍝ A log file: each line has date, time, method, page, status, bytes and seconds, with blanks between them. All fields
⍝ that are numbers are read at once; those that are none become 0, and ⎕VFI says which.
⍝ == output requests: 5
⍝ == output failed:   2
⍝ == output bytes:    91453
⍝ == output slowest:  1.75
⍝ == output 200:   3, bytes:    91436
⍝ == output 404:   1, bytes:        0
⍝ == output 500:   1, bytes:       17
⍝ == output other fields: 20
log←⊃⎕NGET 'apl_samples/data/server.log'
valid numbers←(' ',⎕UCS 10)⎕VFI ¯1↓log
requests←(⌊(≢numbers)÷7)7⍴numbers
status←requests[;5] ⋄ bytes←requests[;6] ⋄ seconds←requests[;7]
⎕←'requests: ',⍕≢requests
⎕←'failed:   ',⍕+/status≥400
⎕←'bytes:    ',⍕+/bytes
⎕←'slowest:  ',⍕⌈/seconds
codes←∪status
⎕←'F3.0,<: >,I3,<, bytes:>,I9'⎕FMT codes,({+/status=⍵}¨codes),[1.5]{bytes+.×status=⍵}¨codes
⎕←'other fields: ',⍕+/~valid
