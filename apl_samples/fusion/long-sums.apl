⍝ Sums of small integers are added up in narrow lanes, block by block; sums and extrema of what is read in two halves. Lengths
⍝ around the blocks and the halves, and terms below zero.
⍝ == output 300000
⍝ == output ¯107693
⍝ == output 12285 12286 12288 24573 24576
⍝ == output 0 ¯1 ¯3 ¯4411 ¯4413
⍝ == output 5
⍝ == output 0 0.5 1.5 3 5 7.5 1040 1072.5 1105.5 4064 4128 4192.5
⍝ == output 37 74 74 74 85 99 99 99 99
f ← {+/7|⍵}
g ← {+/(¯3|⍵)-5=13|⍵}
⎕←f⍳100000
⎕←g⍳100000
⎕←{f⍳⍵}¨4095 4096 4097 8192 8193
⎕←{g -⍳⍵}¨0 1 2 4096 4097
⎕←+/'a'='abracadabra'
⎕←{+/0.5×⍳⍵}¨0 1 2 3 4 5 64 65 66 127 128 129
⎕←{⌈/100|37×⍳⍵}¨1 2 3 4 5 64 65 66 129
