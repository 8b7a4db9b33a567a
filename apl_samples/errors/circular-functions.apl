⍝ The functions that are not defined everywhere, and a number that is none of them.
⍝ == case cosine from sine
⍝ == input k int: 0
⍝ == input x double: 1.5
⍝ == error 38:1 DOMAIN ERROR: ○
⍝ == case arc sine
⍝ == input k int: ¯1
⍝ == input x double: 1.5
⍝ == error 38:1 DOMAIN ERROR: ○
⍝ == case arc cosine
⍝ == input k int: ¯2
⍝ == input x double: ¯1.5
⍝ == error 38:1 DOMAIN ERROR: ○
⍝ == case (¯1+x*2)*0.5
⍝ == input k int: ¯4
⍝ == input x double: 0.5
⍝ == error 38:1 DOMAIN ERROR: ○
⍝ == case area cosine
⍝ == input k int: ¯6
⍝ == input x double: 0.5
⍝ == error 38:1 DOMAIN ERROR: ○
⍝ == case area tangent
⍝ == input k int: ¯7
⍝ == input x double: 1
⍝ == error 38:1 DOMAIN ERROR: ○
⍝ == case no function
⍝ == input k int: 13
⍝ == input x double: 0.5
⍝ == error 38:1 DOMAIN ERROR: ○
⍝ == case no function either
⍝ == input k int: ¯13
⍝ == input x double: 0.5
⍝ == error 38:1 DOMAIN ERROR: ○
⍝ == case all is well
⍝ == input k int: ¯1
⍝ == input x double: 1
⍝ == output 1.570796327
k○x
