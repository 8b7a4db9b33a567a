⍝ A state of two numbers that comes from outside: how many there are is known behind the first round, and from then on
⍝ they are in registers.
⍝ == case some rounds
⍝ == input s double 2: 1 0
⍝ == input n int: 3
⍝ == output 1 2
⍝ == structure {loops 1, allocs 2}
⍝ == case no round
⍝ == input s double 3: 1 0 4
⍝ == input n int: 0
⍝ == output 1 0 4
⍝ == case one number stands for both
⍝ == input s double 1: 5
⍝ == input n int: 3
⍝ == output 8 ¯1
⍝ == case three numbers are too many
⍝ == input s double 3: 1 2 3
⍝ == input n int: 3
⍝ == error 20:2 LENGTH ERROR: 3
{(y v)←⍵ ⋄ v-←2 ⋄ y+←v ⋄ y<0:(-y)(-v) ⋄ y v}⍣n⊢s
