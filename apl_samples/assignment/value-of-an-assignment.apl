⍝ An assignment in the middle of a statement passes its right side on; by itself it prints nothing.
⍝ == input n int: 3
⍝ == output 8
⍝ == output 7 5
⍝ == output 70
⍝ == output 1 7 3 4
⍝ == output 3 7 0 0
⍝ == output 6
⍝ == output 16
⍝ == output 3
⍝ == output 6
⎕←1+a←2+b←5
⎕←a,b
x←⍳4
⎕←10×x[2]←7
⎕←x
x[1]←n
x[3]←x[4]←0
⎕←x
⎕←(≢v)+≢v←n⍴1
c←d×d←4
⎕←c
⎕←y←n
{k←⍵ ⋄ k×2}y
