⍝ The error stands in the function where it happens, not at its call.
⍝ == input x double 2: 4 1
⍝ == error 4:10 DOMAIN ERROR: ÷ divides by zero
ratio ← {⍺÷⍵-1}
outer ← {1+2 ratio ⍵}
⎕←outer x
