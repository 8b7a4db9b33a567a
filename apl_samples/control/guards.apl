⍝ condition: result ends the definition, if the condition holds; else the next statement follows. Of the results only one
⍝ is evaluated: neither the division by zero nor the index beyond happens.
⍝ == input v int 5: ¯7 0 3 12 150
⍝ == output ¯1 0 1 1 1
⍝ == output negative
⍝ == output zero
⍝ == output positive
⍝ == output large
⍝ == output 0 0.25
⍝ == output AABCF
⍝ == output 6
⍝ == output 0
⍝ == output only when it holds
⍝ == output empty
⍝ == output full
⍝ == output 8
⍝ == output 8
sign←{⍵<0: ¯1 ⋄ ⍵=0: 0 ⋄ 1}
⎕←sign¨v
name←{⍵<0:'negative' ⋄ ⍵=0:'zero' ⋄ ⍵>100:'large' ⋄ 'positive'}
⎕←name ⊃v
⎕←name 0
⎕←name 5
⎕←name ⊃⌽v
inverse←{⍵=0:0 ⋄ ÷⍵}
⎕←inverse¨0 4
grade←{
    ⍵≥90: 'A'
    ⍵≥80: 'B'
    ⍵≥70: 'C'
    'F'
}
⎕←grade¨95 90 85 70 10
safe←{(⍺<1)∨⍺>≢⍵: 0 ⋄ ⍺⊃⍵}
⎕←2 safe 5 6 7
⎕←9 safe 5 6 7
⎕←{⍵>0:'only when it holds'}1
⎕←{0=≢⍵:'empty' ⋄ 'full'}⍬
⎕←{0=≢⍵:'empty' ⋄ 'full'}v
⎕←{1:⍵ ⋄ ⍵÷0}8
⎕←{0:÷0 ⋄ ⍵}8
