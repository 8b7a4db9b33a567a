⍝ Rotation where only the run knows the amount and the length.
⍝ == input one int 1: 7
⍝ == input v int 3: 1 2 3
⍝ == case forwards
⍝ == input n int: 4
⍝ == output 2 3 1
⍝ == output 7
⍝ == output 2 3 1
⍝ == output 2 3 1 4 4 4
⍝ == case backwards
⍝ == input n int: ¯4
⍝ == output 3 1 2
⍝ == output 7
⍝ == output 3 1 2
⍝ == output 3 1 2 ¯4 ¯4 ¯4
⍝ == case not at all
⍝ == input n int: 0
⍝ == output 1 2 3
⍝ == output 7
⍝ == output 1 2 3
⍝ == output 1 2 3 0 0 0
⍝ == case by the smallest integer, ¯2*63, which is 1 modulo 3
⍝ == input n int: ¯9223372036854775808
⍝ == output 2 3 1
⍝ == output 7
⍝ == output 2 3 1
⍝ == output 2 3 1 ¯9223372036854775808 ¯9223372036854775808 ¯9223372036854775808
⎕←n⌽1 2 3
⎕←n⌽one
⎕←n⌽v
⎕←(n⌽v),v-v-n
