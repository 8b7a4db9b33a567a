⍝ The identity items of bit functions: x ⎕INT32OR 0 and x ⎕INT32XOR 0 are x, x ⎕INT32AND ¯1 is x.
⍝ == input e int 0:
⍝ == output 0
⍝ == output 0
⍝ == output ¯1
⍝ == output 0
⎕←⎕INT32OR/e
⎕←⎕INT32XOR/e
⎕←⎕INT32AND/e
⎕←⎕INT32XOR/⍬
