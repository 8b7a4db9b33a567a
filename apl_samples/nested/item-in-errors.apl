⍝ An error inside a function of items says in which item it is.
⍝ == input v double 8: 1 2 4 0 5 8 0 10
⍝ == output 2 3 2 1
⍝ == error 7:6 DOMAIN ERROR: ÷ divides by zero in item 2
parts←1 0 1 0 0 1 0 1⊂v
⎕←≢¨parts
⎕←{+/÷⍵}¨parts
