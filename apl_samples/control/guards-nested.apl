⍝ Definitions with guards inside others: a guard ends its own definition only.
⍝ == input v int 4: 15 9 10 7
⍝ == output none
⍝ == output some
⍝ == output 15 3 5 1
⍝ == output 4 4 9
⍝ == output 12 9 10 8
⍝ == output yes
⍝ == output one
⍝ == output no
⎕←{r←{⍵>10:⍵ ⋄ 0}⍵ ⋄ r=0:'none' ⋄ 'some'}5
⎕←{r←{⍵>10:⍵ ⋄ 0}⍵ ⋄ r=0:'none' ⋄ 'some'}50
fizz←{0=15|⍵:15 ⋄ {0=3|⍵:3 ⋄ 0=5|⍵:5 ⋄ 1}⍵}
⎕←fizz¨v
⎕←{⍵<0:{-⍵}⍵ ⋄ {⍵>9:9 ⋄ ⍵}⍵}¨¯4 4 40
clamp←{(lo hi)←⍺ ⋄ ⍵<lo:lo ⋄ ⍵>hi:hi ⋄ ⍵}
⎕←{8 12 clamp ⍵}¨v
both←{a←{⍵>8:1 ⋄ 0}⍵ ⋄ b←{2|⍵:1 ⋄ 0}⍵ ⋄ a∧b:'yes' ⋄ a∨b:'one' ⋄ 'no'}
⎕←both 9
⎕←both 7
⎕←both 6
