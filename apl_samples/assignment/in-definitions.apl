⍝ A definition that changes its argument, or a copy of something outside, leaves the caller's array as it is.
⍝ == input v double 3: 1 2 3
⍝ == output 0 2 3
⍝ == output 1 2 3
⍝ == output 0 2 3
⍝ == output 1 2 3
⍝ == output 0 2 3 1 2 3
⍝ == output 1 9 9
⍝ == output 9 2 3
⍝ == output 1 0 3
⍝ == output 1 2 0
⍝ == output 1 2 3
⍝ == output 6 7
⍝ == output 3 2 1
⍝ == output 101 3
x←1 2 3
zero←{a←⍵ ⋄ a[1]←0 ⋄ a}
⎕←zero x
⎕←x
⎕←zero v
⎕←v
⎕←(zero x),x
set←{a←⍺ ⋄ a[⍵]←9 ⋄ a}
⎕←x set 2 3
⎕←v set 1
copy←{b←x ⋄ b[⍵]←0 ⋄ b}
⎕←copy 2
⎕←copy 3
⎕←x
both←{a←b←⍵ ⋄ a[1]←5 ⋄ b[2]←6 ⋄ a+b}
⎕←both 1 1
swap←{a←⍵ ⋄ (i j)←⍺ ⋄ a[i j]←a[j i] ⋄ a}
⎕←1 3 swap x
f←{a←⍵ ⋄ g←{a+⍵} ⋄ a[1]←100 ⋄ g 1}
⎕←f 1 2
