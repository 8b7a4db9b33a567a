⍝ Monadic ⍒ begins with the largest; equal elements keep their order here as well. The smallest integer, which cannot
⍝ be negated, is the last all the same.
⍝ == input v double 5: 2.5 ¯1 2.5 0 ¯1
⍝ == input n int 2: ¯9223372036854775808 9223372036854775807
⍝ == input e int 0:
⍝ == output 1 3 2
⍝ == output 1 2 4 3
⍝ == output 3 5 1 2 4 6
⍝ == output 1 3 2
⍝ == output 2 1
⍝ == output
⍝ == output 1
⍝ == output 2 1
⍝ == output 3 2 1 1
⍝ == output 1 3 4 2 5
⍝ == output 2 1
⍝ == output
⎕←⍒3 1 2
⎕←⍒1 1 0 1
⎕←⍒'banana'
⎕←⍒'bAa'
⎕←⍒0 1=1
⎕←⍒⍬
⎕←⍒,5
⎕←⍒9007199254740992 9007199254740993
⎕←{⍵[⍒⍵]}3 1 2 1
⎕←⍒v
⎕←⍒n
⎕←⍒e
