⍝ x f←y is x←x f y, for any function f.
⍝ == input n int: 5
⍝ == output 11
⍝ == output 8
⍝ == output 40
⍝ == output 2.5
⍝ == output 7
⍝ == output 11 12 13
⍝ == output 121 144 169
⍝ == output 121 144 169 5
⍝ == output 144 169 5 121
⍝ == output 143 168 4 120
⍝ == output 57 32 196 80
⍝ == output 8
⍝ == output abcd
x←10
x+←1
⎕←x
x-←3
⎕←x
x×←n
⎕←x
x÷←16
⎕←x
x⌈←7
⎕←x
v←1 2 3
v+←10
⎕←v
v×←v
⎕←v
v,←n
⎕←v
v⌽⍨←1
⎕←v
v{⍺-⍵}←1
⎕←v
v-⍨←200
⎕←v
f←{s←0 ⋄ s+←⍵ ⋄ s+←⍵ ⋄ s}
⎕←f 4
t←'ab' ⋄ t,←'cd' ⋄ ⎕←t
