⍝ Bit functions as operands. The sum in the last line counts bits that are set: 255 has eight, 85 four.
⍝ == input v int 4: 1 2 4 7
⍝ == output 0
⍝ == output 7
⍝ == output 0
⍝ == output 1 3 7 7
⍝ == output 1 0 0 1
⍝ == output 0 2 0 2
⍝ == output 0 0 4 4
⍝ == output 1 2 4 7
⍝ == output 1 2 4 8
⍝ == output ¯2 ¯3 ¯5 ¯8
⍝ == output 0 1 3 2 6 7 5 4
⍝ == output 12
⍝ == output 8 4 0
⎕←⎕INT32XOR/v
⎕←⎕INT32OR/v
⎕←⎕INT32AND/v
⎕←⎕INT32OR\v
⎕←v∘.⎕INT32AND v
⎕←1 ⎕INT32SHL¨0 1 2 3
⎕←⎕INT32NOT¨v
gray←{⍵ ⎕INT32XOR ⍵ ⎕INT32SHR 1}
⎕←gray ¯1+⍳8
shl←⎕INT32SHL ⋄ ⎕←3 shl 2
bits←{+/0≠⍵ ⎕INT32AND 1 ⎕INT32SHL ¯1+⍳32}
⎕←bits¨255 85 0
