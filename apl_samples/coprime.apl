⍝ Euler's totient by the table of greatest common divisors, and leap years by residues.
⍝ == output 1 1 2 2 4 2 6 4 6 4
⍝ == output 0 0 1 1
⍝ == output 97
totient ← {+/1=⍵∨⍳⍵}
⎕←totient¨⍳10
leap ← {(0=4|⍵)∧(0≠100|⍵)∨0=400|⍵}
⎕←leap 1900 2001 2000 2024
⎕←+/leap 2000+⍳400
