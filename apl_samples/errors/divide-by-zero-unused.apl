⍝ Elements that are dropped, or of which only the number is asked, have been computed all the same.
⍝ == input v double 3: 0 1 2
⍝ == error 4:3 DOMAIN ERROR: ÷ divides by zero
1↓÷v
