⍝ The definition ignores its argument, which has been computed all the same.
⍝ == input v double 3: 0 1 2
⍝ == error 4:5 DOMAIN ERROR: ÷ divides by zero
{5}¨÷v
