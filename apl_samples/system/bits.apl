⍝ Bit functions work on the low 32 bits of integers; the result has the sign that bit 31 says. ⎕INT32SHR repeats the sign.
⍝ == input v int 4: 12 10 ¯1 4294967299
⍝ == input k int: 3
⍝ == output 1
⍝ == output 7
⍝ == output 6
⍝ == output ¯6
⍝ == output 16
⍝ == output ¯2147483648
⍝ == output ¯2147483648
⍝ == output 4
⍝ == output ¯4
⍝ == output ¯1
⍝ == output ¯1
⍝ == output ¯2147483648
⍝ == output 0 2 3 3
⍝ == output 28 26 ¯1 19
⍝ == output 243 245 ¯256 252
⍝ == output ¯13 ¯11 0 ¯4
⍝ == output 96 80 ¯8 24
⍝ == output 1 1 ¯1 0
⎕←5 ⎕INT32AND 3
⎕←5 ⎕INT32OR 3
⎕←5 ⎕INT32XOR 3
⎕←⎕INT32NOT 5
⎕←1 ⎕INT32SHL 4
⎕←1 ⎕INT32SHL 31
⎕←3 ⎕INT32SHL 31
⎕←16 ⎕INT32SHR 2
⎕←¯16 ⎕INT32SHR 2
⎕←¯1 ⎕INT32SHR 31
⎕←4294967295 ⎕INT32SHR 8
⎕←2147483648 ⎕INT32OR 0
⎕←v ⎕INT32AND 3
⎕←v ⎕INT32OR 16
⎕←v ⎕INT32XOR 255
⎕←⎕INT32NOT v
⎕←v ⎕INT32SHL k
⎕←v ⎕INT32SHR k
